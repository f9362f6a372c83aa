! Memory that is allocated and released through pointers, and shared by two of them.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), pointer :: p(:), q(:), w(:)
    integer :: k
    y = 1.0d0
    nullify (q)
    do k = 1, n
      allocate (p(0:k))
      p = x(k)*y
      p(0) = p(1)**2
      if (associated(q)) then
        p(1) = p(1)*q(0)
        q(1) = q(1)*y
        y = y + q(1)*0.1d0
        deallocate (q)
      end if
      allocate (w(k))
      w = p(1:k)*x(k)
      y = y + sum(w)*0.1d0
      deallocate (w)
      q => p
      q(1) = q(1)*1.5d0
      y = y + p(1)*0.2d0
      if (y > 30.0d0) exit
    end do
    if (associated(q)) deallocate (q)
    y = y*x(1)
  end subroutine head
end module m
