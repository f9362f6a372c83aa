! Allocatable arguments that callees make, enlarge, replace and release.
module m
contains
  subroutine make(n, x, w)
    integer, intent(in) :: n
    real(8), intent(in) :: x(:)
    real(8), allocatable, intent(out) :: w(:)
    allocate (w(n))
    w = x(1:n)*x(n)
  end subroutine make

  subroutine enlarge(w, a)
    real(8), allocatable, intent(inout) :: w(:)
    real(8), intent(in) :: a
    real(8), allocatable :: longer(:)
    allocate (longer(size(w) + 1))
    longer(1:size(w)) = w*a
    longer(size(w) + 1) = a*w(1)
    call move_alloc(longer, w)
  end subroutine enlarge

  subroutine blank(n, w)
    integer, intent(in) :: n
    real(8), allocatable, intent(inout) :: w(:)
    if (allocated(w)) deallocate (w)
    allocate (w(0:n))
    w = 0.5d0
  end subroutine blank

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: w(:), v(:)
    integer :: i
    y = 1.0d0
    do i = 1, n
      call make(i, x, w)
      call enlarge(w, y)
      y = y + sum(w**2)*0.1d0
      if (mod(i, 2) == 0) call enlarge(w, x(i))
      y = y*(1.0d0 + w(i)*0.1d0)
      call blank(i, v)
      y = y + v(0)*x(i)
      v = v*x(i)*y
      y = y + sum(v)*0.01d0
    end do
    call blank(2, w)
    y = y + sum(w)*x(1)
  end subroutine head
end module m
