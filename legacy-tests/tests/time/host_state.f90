! The step is an internal procedure that changes variables of its host; an optional argument; backwards.
module swing
  implicit none
contains
  subroutine drive(u, f, nt, c)
    real(8), intent(inout) :: u(:)
    real(8), intent(out) :: f
    integer, intent(in) :: nt
    real(8), intent(in), optional :: c
    real(8) :: k, acc
    integer :: it
    k = 0.1d0
    if (present(c)) k = c
    acc = 0.d0
    !$ad checkpoint binomial(3)
    do it = nt, 1, -1
      call step()
      acc = acc + energy(u)*0.01d0
      if (acc > 1.d3) exit
    end do
    f = acc
  contains
    subroutine step()
      real(8) :: old
      integer :: i
      old = u(1)
      do i = 1, size(u) - 1
        u(i) = u(i) + k*(u(i+1) - u(i))*u(i)
      end do
      u(size(u)) = u(size(u)) + k*old
      k = k*0.99d0
    end subroutine
  end subroutine
  pure real(8) function energy(v)
    real(8), intent(in) :: v(:)
    energy = 0.5d0*sum(v*v)
  end function
end module
