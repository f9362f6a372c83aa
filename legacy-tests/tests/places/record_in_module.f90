! A module variable of a derived type with a component whose memory is made at run time.
module lib
  implicit none
  private
  real(8) :: memo = 1
  type, public :: pack
    real(8) :: a(3)
    integer :: k
    real(8), allocatable :: w(:)
  end type
  type(pack), public :: st
  public :: put, get, init
contains
  subroutine init(n)
    integer, intent(in) :: n
    memo = 0.5d0
    st%a = [1d0, 2d0, 3d0]
    st%k = 2
    if (allocated(st%w)) deallocate(st%w)
    allocate(st%w(n))
    st%w = 0.25d0
  end subroutine
  subroutine put(x)
    real(8), intent(in) :: x
    memo = memo*x + 1
    st%a(st%k) = st%a(st%k) + memo
    st%w(1) = st%w(1)*x
    st%k = mod(st%k, 3) + 1
  end subroutine
  real(8) function get(y)
    real(8), intent(in) :: y
    get = memo*y + sum(st%a) + st%w(1)*st%a(1)
  end function
end module
subroutine drive2(x, n, y)
  use lib
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  y = 0
  do i = 1, n
    st%a(st%k) = st%a(st%k)*x(i)
    st%k = mod(st%k, 3) + 1
    if (st%k == 2) st%w(i) = st%w(i)*x(i) + st%a(1)
    y = y + sum(st%a)*st%w(2)
  end do
end subroutine
