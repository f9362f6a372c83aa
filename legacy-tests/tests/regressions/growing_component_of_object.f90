module m
  implicit none
  type :: acc
    real(8) :: s = 0d0
    integer :: n = 0
    real(8), allocatable :: hist(:)
  contains
    procedure :: add
    procedure :: mean
  end type
contains
  subroutine add(self, v)
    class(acc), intent(inout) :: self
    real(8), intent(in) :: v
    self%s = self%s + v
    self%n = self%n + 1
    if (.not. allocated(self%hist)) allocate (self%hist(0))
    self%hist = [self%hist, v*self%s]
  end subroutine
  function mean(self) result(r)
    class(acc), intent(in) :: self
    real(8) :: r
    r = self%s/self%n
    if (self%n > 2) r = r + self%hist(2)
  end function
  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(acc) :: a, b
    integer :: i
    do i = 1, n
      call a%add(x(i)**2)
      if (mod(i,2) == 0) then
        b = a
        call b%add(a%mean())
      end if
    end do
    y = a%mean()*b%mean()
  end subroutine
end module
