! Layers of a column, each the input of the next: what is kept of them is a matter of memory.
subroutine layers(n, m, x, w, f)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n), w(m)
  real(8), intent(out) :: f
  real(8) :: h(n), s, t
  integer :: i, k
  do i = 1, n
    h(i) = x(i)
  end do
  do k = 1, m
    do i = 1, n
      s = exp(-w(k)*h(i)*h(i))
      t = s**1.5d0 + sqrt(1.0d0 + s*h(i))
      h(i) = h(i)/t + sin(s*t)
    end do
  end do
  f = 0.0d0
  do i = 1, n
    f = f + h(i)*h(i)
  end do
end subroutine layers
