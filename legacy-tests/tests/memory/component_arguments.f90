! Components passed to callees that overwrite or reshape them.
module m
  implicit none
  type :: field
    real(8) :: fixed(3) = 0.0d0
    real(8), allocatable :: v(:)
  end type field
contains
  subroutine square(n, v, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(n)
    real(8), intent(in) :: a
    v = v**2*a
  end subroutine square

  subroutine shift(v)
    real(8), intent(inout) :: v(:)
    integer :: i
    do i = 2, size(v)
      v(i) = v(i)*v(i - 1)
    end do
  end subroutine shift

  subroutine extend(v, a)
    real(8), allocatable, intent(inout) :: v(:)
    real(8), intent(in) :: a
    v = [v, a*v(1)]
  end subroutine extend

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(field) :: f, g(2)
    integer :: k
    y = 0.0d0
    allocate (f%v(n))
    f%v = x
    f%fixed = x(1:3)
    do k = 1, 3
      call square(3, f%fixed, x(k))
      y = y + sum(f%fixed)*f%fixed(k)
      call square(n, f%v, 0.9d0)
      y = y + sum(f%v)*f%v(1)
      call shift(f%v(2:n))
      y = y + sum(f%v)*f%v(2)
      g(1)%v = f%v
      g(2) = f
      call shift(g(2)%v)
      call square(2, g(1)%v(2), x(k))
      y = y + sum(g(1)%v*g(2)%v(1:size(g(1)%v)))
      call extend(f%v, x(k))
      y = y + f%v(size(f%v))**2
    end do
  end subroutine head
end module m
