! Host arrays with bounds, an optional argument, a table of constants, a character, reached by host association.
module i2m
  implicit none
contains
  subroutine head(n, x, s, y, opt)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: s(:)
    real(8), intent(out) :: y
    real(8), intent(in), optional :: opt
    real(8) :: t(n), u(-1:n,0:n+1)
    character(len=8) :: name
    integer, parameter :: tab(3) = [2, 3, 5]
    logical :: flag
    flag = .true.
    name = 'abc'
    call usep()
    y = 0.0d0
    call total
    call total
  contains
    subroutine usep
      integer :: j
      t = 1.0d0
      u = 0.5d0
      do j = 1, n
        t(j) = x(j)*s(2)*tab(1 + mod(j, 3))
      end do
      if (name == 'abc' .and. flag) t(1) = t(1)*2
      u(:, 1) = u(:, 1)*x(1)
      u(-1:n, 2) = u(-1:n, 2)*x(2)
      s(1) = s(1)*x(1)
    end subroutine
    subroutine total
      integer :: j
      do j = 1, size(t)
        y = y + t(j)*s(1)
      end do
      y = y + sum(u)*s(3)
      if (present(opt)) y = y*opt
    end subroutine
  end subroutine head
end module
