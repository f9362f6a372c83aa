module kinds
  use iso_c_binding, only: c_double
  implicit none
  integer, parameter :: dp = selected_real_kind(15, 307)
  real(dp), parameter :: pi = 3.14159265358979_dp, half = 0.5_dp
  type point
    real(dp) :: x, y(3)
  end type
  real(dp), allocatable :: work(:)
contains
  pure elemental function square(a) result(b)
    real(dp), intent(in) :: a
    real(dp) :: b
    b = a**2
  end function
  subroutine move(p, n, s, flag)
    type(point), intent(inout) :: p
    integer, intent(in) :: n
    real(dp), intent(out) :: s
    logical, intent(in), optional :: flag
    integer :: i, k
    s = 0
    if (present(flag)) then
      if (flag) s = 1.d0
    else if (n > 3) then
      s = sqrt(abs(p%x)) + sin(pi)
    end if
    outer: do i = 1, n
      do k = n, 1, -1
        if (k == i) cycle outer
        if (s > 1.0e3_dp) exit outer
        p%y(mod(k, 3) + 1) = p%y(1)*half & ! a comment
             + square(p%x)
      end do
    end do outer
    select case (n)
    case (:0)
      s = -s
    case (1, 3:5)
      s = max(s, real(n, dp), 2.0_dp)
    case default
      call move(p, n - 1, s)
    end select
    do while (s < 1); s = s*2; enddo
    write (*, '(a,f8.3)') 's = ', s
  end subroutine
end module
