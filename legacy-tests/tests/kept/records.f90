! Records with gaps between their components, and texts, that a time loop overwrites.
module records
  implicit none
  type :: cell
    integer(1) :: flag
    real(8) :: v(3)
    real(4) :: w
  end type cell
contains
  subroutine march(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(cell) :: c(n)
    character(len=40) :: mode
    integer :: i, k
    mode = 'rise'
    do i = 1, n
      c(i)%v = x(i)
      c(i)%w = 0.5
      c(i)%flag = 1_1
    end do
    y = 1
    do k = 1, m
      do i = 1, n
        if (mode(1:1) == 'r') then
          c(i)%v(2) = c(i)%v(1)*sin(c(i)%v(2)*y)
          mode = 'fall'
        else
          c(i)%v(1) = c(i)%v(2)*c(i)%v(3)*0.9d0
          mode = 'rise'
        end if
        c(i)%flag = c(i)%flag + 1_1
      end do
      y = y*(1 + c(mod(k, n) + 1)%v(2)*0.1d0)
    end do
  end subroutine march
end module records
