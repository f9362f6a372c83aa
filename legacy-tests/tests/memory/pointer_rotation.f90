! Time levels that are rotated through pointers.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), target :: a(n), b(n), c(n)
    real(8), pointer :: old(:), new(:), older(:), tmp(:)
    integer :: i, k
    a = x
    b = 0.5d0*x
    c = 0.0d0
    older => a
    old => b
    new => c
    do k = 1, 5
      do i = 2, n - 1
        new(i) = older(i) + 0.3d0*(old(i + 1) - old(i - 1))*old(i)
      end do
      new(1) = old(1)*older(1)
      new(n) = sin(old(n))
      if (k == 3) new = new*new(2)
      tmp => older
      older => old
      old => new
      new => tmp
    end do
    y = sum(old**2) + sum(older)*a(1)
  end subroutine head
end module m
