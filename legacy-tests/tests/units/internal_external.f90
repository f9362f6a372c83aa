! External procedures with internal ones, assumed shape and an absent optional argument.
subroutine outer(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  interface
    subroutine second(m, u, v, opt)
      integer, intent(in) :: m
      real(8), intent(in) :: u(:)
      real(8), intent(out) :: v
      real(8), intent(in), optional :: opt
    end subroutine
  end interface
  real(8) :: t
  call second(n, x, y)
  t = work(y)
  call second(n, x*t, y, t)
contains
  real(8) function work(z)
    real(8), intent(in) :: z
    real(8) :: loc(n)
    loc = x*z
    work = sum(loc) + x(1)
  end function
end subroutine
subroutine second(m, u, v, opt)
  implicit none
  integer, intent(in) :: m
  real(8), intent(in) :: u(:)
  real(8), intent(out) :: v
  real(8), intent(in), optional :: opt
  v = work()
contains
  function work()
    real(8) :: work
    integer :: i
    work = 0
    do i = 1, m
      work = work + u(i)**2
    end do
    if (present(opt)) work = work*opt
  end function
end subroutine
