! Allocated here or there, freed or not.
module m
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: w(:), v(:, :)
    integer :: i
    y = 1.0d0
    do i = 1, n
      if (x(i) > 0.9d0) then
        allocate (w(3))
        w = x(i)
      else if (x(i) > 0.6d0) then
        if (allocated(v)) deallocate (v)
        allocate (v(-1:1, i))
        v = y*x(i)
      else
        cycle
      end if
      if (allocated(w)) then
        y = y*(1.0d0 + sum(w*w)*0.01d0)
        w = w*x(i)
        y = y + w(2)
        if (mod(i, 2) == 0) then
          deallocate (w)
          cycle
        end if
        deallocate (w)
      else
        y = y + sum(sin(v))
      end if
      if (allocated(w)) deallocate (w)
    end do
  end subroutine head
end module m
