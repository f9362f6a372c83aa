! The adjoint of `relax` against a central difference of one number, which all others equal; the most
! memory that the process had (kB).
program main
  implicit none
  interface
    subroutine relax_b(n, steps, x, x_b, u, u_b, y, y_b)
      integer, intent(in) :: n, steps
      real(8), intent(in) :: x
      real(8), intent(inout) :: x_b, u(n), u_b(n)
      real(8), intent(out) :: y
      real(8), intent(inout) :: y_b
    end subroutine
  end interface
  integer :: n, steps, unit, status
  integer(8) :: most
  real(8), allocatable :: u(:), u_b(:)
  real(8) :: x_b, y, y_b, single, difference
  character(len=80) :: text
  call get_command_argument(1, text)
  read (text, *) n
  call get_command_argument(2, text)
  read (text, *) steps
  allocate (u(n), u_b(n))
  u = 0.5d0
  u_b = 0.d0
  x_b = 0.d0
  y_b = 1.d0
  call relax_b(n, steps, 0.7d0, x_b, u, u_b, y, y_b)
  difference = (relaxed(0.7d0 + 1.d-4, 0.5d0) - relaxed(0.7d0 - 1.d-4, 0.5d0))/2.d-4
  single = (relaxed(0.7d0, 0.5d0 + 1.d-4) - relaxed(0.7d0, 0.5d0 - 1.d-4))/2.d-4
  most = -1
  open (newunit=unit, file='/proc/self/status', action='read', iostat=status)
  do while (status == 0)
    read (unit, '(a)', iostat=status) text
    if (text(:6) == 'VmHWM:') read (text(7:), *) most
  end do
  print '(2es10.3,1x,i0)', abs(x_b/n/difference - 1), maxval(abs(u_b/single - 1)), most
contains
  real(8) function relaxed(x, start)
    real(8), intent(in) :: x, start
    integer :: it
    relaxed = start
    do it = 1, steps
      relaxed = relaxed + 1.d-3*(x - relaxed*relaxed)
    end do
  end function
end program main
