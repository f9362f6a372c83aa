! The adjoint of `stir` against a central difference.
program main
  implicit none
  interface
    subroutine stir(n, steps, x, u, y)
      integer, intent(in) :: n, steps
      real(8), intent(in) :: x
      real(8), intent(inout) :: u(n)
      real(8), intent(out) :: y
    end subroutine
    subroutine stir_b(n, steps, x, x_b, u, u_b, y, y_b)
      integer, intent(in) :: n, steps
      real(8), intent(in) :: x
      real(8), intent(inout) :: x_b, u(n), u_b(n)
      real(8), intent(out) :: y
      real(8), intent(inout) :: y_b
    end subroutine
  end interface
  integer :: n, steps
  real(8), allocatable :: u(:), u_b(:)
  real(8) :: x_b, y, y_b, above, below
  character(len=20) :: text
  call get_command_argument(1, text)
  read (text, *) n
  call get_command_argument(2, text)
  read (text, *) steps
  allocate (u(n), u_b(n))
  u = 0.5d0
  u_b = 0.d0
  x_b = 0.d0
  y_b = 1.d0
  call stir_b(n, steps, 0.7d0, x_b, u, u_b, y, y_b)
  u = 0.5d0
  call stir(n, steps, 0.7d0 + 1.d-4, u, above)
  u = 0.5d0
  call stir(n, steps, 0.7d0 - 1.d-4, u, below)
  print '(es10.3)', abs((above - below)/2.d-4 - x_b)/abs(x_b)
end program main
