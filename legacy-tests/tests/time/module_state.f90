! Allocatables of a module, a derived type, a conditional loop, time loops in a time loop.
module ocean
  implicit none
  type level
    real(8) :: t, s
    integer :: mask
  end type
  real(8), allocatable :: eta(:)
  type(level) :: column(4)
contains
  subroutine setup(n)
    integer, intent(in) :: n
    if (allocated(eta)) deallocate (eta)
    allocate (eta(n))
  end subroutine
  subroutine run(n, years, days, warm, x, y)
    integer, intent(in) :: n, years, days
    logical, intent(in) :: warm
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: year, day, k
    eta = x
    do k = 1, 4
      column(k)%t = x(1)*k
      column(k)%s = 0.1d0*k
      column(k)%mask = mod(k, 2)
    end do
    y = 0.d0
    if (warm) then
      !$ad checkpoint binomial(2)
      do year = 1, years
        call winter(year)
        !$ad checkpoint binomial(3)
        do day = 1, days + mod(year, 2)
          call step(n, 0.01d0*day)
          y = y + 1.d-3*eta(2)*eta(n)
        end do
        eta(1) = eta(1)*1.01d0
      end do
    end if
    do k = 1, 4
      y = y + column(k)%t*column(k)%s
    end do
  end subroutine
  subroutine winter(year)
    integer, intent(in) :: year
    integer :: k
    do k = 1, 4
      if (column(k)%mask == 1) column(k)%t = column(k)%t*(1.d0 - 0.01d0*year) - 0.001d0*column(k)%t**2
    end do
  end subroutine
  subroutine step(n, dt)
    integer, intent(in) :: n
    real(8), intent(in) :: dt
    integer :: i
    do i = 2, n - 1
      eta(i) = eta(i) + dt*(eta(i+1) - eta(i-1))*eta(i) + dt*column(1)%t
    end do
    do i = 1, 4
      column(i)%s = column(i)%s + dt*eta(2)*column(i)%t
    end do
  end subroutine
end module
