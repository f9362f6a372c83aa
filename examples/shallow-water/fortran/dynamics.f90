!> One time step of the rotating shallow-water equations in vector-invariant form,
!>
!>   du/dt =  q V - d/dx (g (h + b) + (u^2 + v^2)/2) - r u
!>   dv/dt = -q U - d/dy (g (h + b) + (u^2 + v^2)/2) - r v
!>   dh/dt = -dU/dx - dV/dy,       U = h u,  V = h v,  q = (f + dv/dx - du/dy) / h,
!>
!> on the C grid: h(i,j) in the cell's centre, u(i,j) on its western, v(i,j) on its southern face.
!> The channel is periodic in x (columns 0 and nx+1 repeat nx and 1) and has free-slip walls in y.
module dynamics
  use parameters, only: wp, dx, dy, dt, gravity, coriolis, beta, drag
  implicit none
  private
  public :: step, wrap

contains

  !> Runge-Kutta step of third order (Wicker and Skamarock), state in and out.
  subroutine step(nx, ny, bottom, h, u, v)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: bottom(0:nx+1, ny)
    real(wp), intent(inout) :: h(0:nx+1, ny), u(0:nx+1, ny), v(0:nx+1, ny+1)
    real(wp) :: h1(0:nx+1, ny), u1(0:nx+1, ny), v1(0:nx+1, ny+1)
    real(wp) :: dh(0:nx+1, ny), du(0:nx+1, ny), dv(0:nx+1, ny+1)

    call tendencies(nx, ny, bottom, h, u, v, dh, du, dv)
    h1 = h
    u1 = u
    v1 = v
    call advance(nx, ny, dt/3.0_wp, dh, h1)
    call advance(nx, ny, dt/3.0_wp, du, u1)
    call advance(nx, ny+1, dt/3.0_wp, dv, v1)

    call tendencies(nx, ny, bottom, h1, u1, v1, dh, du, dv)
    h1 = h
    u1 = u
    v1 = v
    call advance(nx, ny, dt/2.0_wp, dh, h1)
    call advance(nx, ny, dt/2.0_wp, du, u1)
    call advance(nx, ny+1, dt/2.0_wp, dv, v1)

    call tendencies(nx, ny, bottom, h1, u1, v1, dh, du, dv)
    call advance(nx, ny, dt, dh, h)
    call advance(nx, ny, dt, du, u)
    call advance(nx, ny+1, dt, dv, v)
  end subroutine step

  !> The right-hand sides in the interior, after fluxes, potential vorticity and Bernoulli function.
  subroutine tendencies(nx, ny, bottom, h, u, v, dh, du, dv)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: bottom(0:nx+1, ny)
    real(wp), intent(in) :: h(0:nx+1, ny), u(0:nx+1, ny), v(0:nx+1, ny+1)
    real(wp), intent(out) :: dh(0:nx+1, ny), du(0:nx+1, ny), dv(0:nx+1, ny+1)
    real(wp) :: fx(0:nx+1, ny), fy(0:nx+1, ny+1)   ! volume fluxes U and V on the faces
    real(wp) :: q(0:nx+1, ny+1)                    ! potential vorticity on south-western corners
    real(wp) :: head(0:nx+1, ny)                   ! Bernoulli function in the centres
    real(wp) :: f, vorticity, thickness
    integer :: i, j

    do j = 1, ny
      do i = 1, nx+1
        fx(i,j) = 0.5_wp*(h(i-1,j) + h(i,j))*u(i,j)
      end do
    end do
    do i = 0, nx
      fy(i,1) = 0.0_wp
      fy(i,ny+1) = 0.0_wp
    end do
    do j = 2, ny
      do i = 0, nx
        fy(i,j) = 0.5_wp*(h(i,j-1) + h(i,j))*v(i,j)
      end do
    end do

    do j = 1, ny+1
      f = coriolis + beta*dy*(real(j-1, wp) - 0.5_wp*real(ny, wp))
      do i = 1, nx+1
        if (j == 1) then
          q(i,j) = f/(0.5_wp*(h(i-1,j) + h(i,j)))
        else if (j == ny+1) then
          q(i,j) = f/(0.5_wp*(h(i-1,j-1) + h(i,j-1)))
        else
          vorticity = (v(i,j) - v(i-1,j))/dx - (u(i,j) - u(i,j-1))/dy
          thickness = 0.25_wp*(h(i-1,j-1) + h(i,j-1) + h(i-1,j) + h(i,j))
          q(i,j) = (f + vorticity)/thickness
        end if
      end do
    end do

    do j = 1, ny
      do i = 0, nx
        head(i,j) = gravity*(h(i,j) + bottom(i,j)) &
          + 0.25_wp*(u(i,j)**2 + u(i+1,j)**2 + v(i,j)**2 + v(i,j+1)**2)
      end do
    end do

    do j = 1, ny
      do i = 1, nx
        dh(i,j) = -(fx(i+1,j) - fx(i,j))/dx - (fy(i,j+1) - fy(i,j))/dy
        du(i,j) = 0.25_wp*(q(i,j)*(fy(i-1,j) + fy(i,j)) + q(i,j+1)*(fy(i-1,j+1) + fy(i,j+1))) &
          - (head(i,j) - head(i-1,j))/dx - drag*u(i,j)
      end do
    end do
    do i = 1, nx
      dv(i,1) = 0.0_wp
      dv(i,ny+1) = 0.0_wp
    end do
    do j = 2, ny
      do i = 1, nx
        dv(i,j) = -0.25_wp*(q(i,j)*(fx(i,j-1) + fx(i,j)) + q(i+1,j)*(fx(i+1,j-1) + fx(i+1,j))) &
          - (head(i,j) - head(i,j-1))/dy - drag*v(i,j)
      end do
    end do
  end subroutine tendencies

  !> a := a + time * rate in the interior, then the repeated columns.
  subroutine advance(nx, m, time, rate, a)
    integer, intent(in) :: nx, m
    real(wp), intent(in) :: time
    real(wp), intent(in) :: rate(0:nx+1, m)
    real(wp), intent(inout) :: a(0:nx+1, m)
    integer :: i, j

    do j = 1, m
      do i = 1, nx
        a(i,j) = a(i,j) + time*rate(i,j)
      end do
    end do
    call wrap(nx, m, a)
  end subroutine advance

  !> Repeats the last column west of the first one, and the first one east of the last.
  subroutine wrap(nx, m, a)
    integer, intent(in) :: nx, m
    real(wp), intent(inout) :: a(0:nx+1, m)
    integer :: j

    do j = 1, m
      a(0,j) = a(nx,j)
      a(nx+1,j) = a(1,j)
    end do
  end subroutine wrap

end module dynamics
