! Included lines, IMPORT in an interface, enumerators and types of other modules in an internal procedure.
module kinds
  implicit none
  integer, parameter :: rk = kind(1d0)
  type loc
      real(rk) :: q
      integer :: k
  end type
  type vec
    real(rk) :: c(2)
  end type
end module
module y1m
  use kinds, only: rk
  implicit none
  real(rk) :: shared = 2
contains
  subroutine head(n, x, y)
    use kinds, only: vec, loc
    integer, intent(in) :: n
    real(rk), intent(in) :: x(n)
    real(rk), intent(out) :: y
    include 'inc/decl.inc'
    type(loc) :: l
    type(vec) :: v
    integer :: i
    enum, bind(c)
      enumerator :: red = 1, blue = 4
    end enum
    real(rk) :: shared
    shared = x(2)
    z = 1
    do i = 1, n
      include 'inc/body.inc'
      call inner(z, i)
    end do
    v%c = [z, x(1)]
    call usev
    l%q = v%c(1)
    l%k = red
    y = l%q*l%k + sum(v%c)
  contains
    subroutine inner(x, n)
      real(rk), intent(inout) :: x
      integer, intent(in) :: n
      x = x*n + fac*blue + shared
    end subroutine
    subroutine usev
      use kinds
      interface
        function ext(w) result(r)
          import :: vec, rk
          type(vec), intent(in) :: w
          real(rk) :: r
        end function
      end interface
      v%c(1) = v%c(1)*ext(v)
    end subroutine
  end subroutine
end module
function ext(w) result(r)
  use kinds
  implicit none
  type(vec), intent(in) :: w
  real(rk) :: r
  r = w%c(1)*w%c(2)
end function
