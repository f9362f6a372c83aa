! Results and module arrays that are written through pointers keep the values that the primal leaves.
module m
  real(8), target :: store(3) = 0.2d0
contains
  subroutine scale(p, s)
    real(8), pointer :: p(:)
    real(8), intent(in) :: s
    integer :: i
    if (.not. associated(p)) return
    do i = 2, size(p)
      p(i) = p(i)*p(i - 1)*s
    end do
  end subroutine scale
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out), target :: y(n)
    real(8), pointer :: p(:), q(:)
    integer :: i
    store = 0.2d0
    y = x
    nullify (p)
    do i = 1, 4
      call scale(p, x(i))
      p => y(1:n - 1)
      if (i > 2) p => store
      q => y(2:)
      q(1) = q(1)**2*p(1)
      call scale(q, p(2))
    end do
    y(1) = y(1)*store(2)
  end subroutine head
end module m
