! Pointers with stated bounds into COMMON and to sections with strides.
module m
  implicit none
  real(8) :: cm(6)
  common /blk/ cm
  target :: cm
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in), target :: x(n)
    real(8), intent(out) :: y
    real(8), target :: a(n), b(0:n)
    real(8), pointer :: p(:)
    integer :: k
    a = x**2
    b = 0.3d0
    cm = 0.1d0
    y = 0.0d0
    do k = 1, 3
      p(k:) => a
      p(k) = p(k + 1)*x(k)
      p(-k:) => b
      p(-k) = p(1 - k)*x(k) + a(k)
      p(0:) => cm
      p(k) = p(k - 1)*x(1) + b(0)
      p(1:2) => cm(2:6:3)
      p(2) = p(1)*p(2) + x(k)
    end do
    y = sum(a) + sum(b) + sum(cm)
  end subroutine head
end module m
