! Assignments to the parts of complex numbers, and records allocated by their source.
module pairs
  implicit none
  type :: pair
    real(8) :: a, w(2)
  end type
contains
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v(n)
    complex(8) :: z, c(n)
    type(pair), allocatable :: one, many(:), again(:)
    type(pair) :: given
    integer :: i
    z = (1d0, 2d0)
    z%re = u(1)*u(2)
    z%im = z%re*u(3) + z%im
    c = z
    c(:)%re = u*u
    c(2)%im = 3*u(4)
    given%a = u(2)
    given%w = u(1)*u(1)
    allocate (one, source=given)
    allocate (many(2), source=given)
    many(1)%a = one%w(2)*u(3)
    allocate (again, source=many)
    do i = 1, n
      z = z*c(i)*0.1d0
      v(i) = z%im + real(c(i)) + again(1)%a*u(i) + again(2)%w(1)
    end do
  end subroutine
end module
