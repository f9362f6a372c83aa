! Compares the Jacobian of chk::prim by the tangent (TANGENT) or the adjoint with the exact one, twice.
program drive
#ifdef TANGENT
  use chk, only: nx, ny, x0, jac, prim_d
#else
  use chk, only: nx, ny, x0, jac, prim_b
#endif
  implicit none
  real(8) :: x(nx), y(ny), x_s(nx), y_s(ny), exact(ny,nx), found(ny,nx), scale
  integer :: k, pass

  exact = 0
  x = x0
  call jac(x, exact)
  scale = max(maxval(abs(exact)), tiny(1d0))
  do pass = 1, 2
#ifdef TANGENT
    do k = 1, nx
      x = x0; x_s = 0; x_s(k) = 1; y_s = 0
      call prim_d(x, x_s, y, y_s)
      found(:,k) = y_s
    end do
#else
    do k = 1, ny
      x = x0; x_s = 0; y_s = 0; y_s(k) = 1
      call prim_b(x, x_s, y, y_s)
      found(k,:) = x_s
    end do
#endif
    if (.not. maxval(abs(found - exact)) < TOLERANCE*scale) then
      do k = 1, min(nx, 6)
        print '(a,i0,99es14.6)', 'exact, by x', k, exact(1:min(ny,6),k)
        print '(a,i0,99es14.6)', 'found, by x', k, found(1:min(ny,6),k)
      end do
      stop 1
    end if
  end do
end program
