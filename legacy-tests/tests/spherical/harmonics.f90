! Spherical harmonic analysis on an equally spaced grid, with tables made first.
subroutine analysis(nlat, nlon, isym, g, a, b)
  implicit none
  integer, intent(in) :: nlat, nlon, isym
  real, intent(in) :: g(nlat,nlon)
  real, intent(out) :: a(nlat,nlat), b(nlat,nlat)
  real :: table(4*nlat*nlat*nlon), work(8*nlat*nlat*nlon)
  double precision :: exact(2*nlat)
  integer :: ierror
  call shaesi(nlat, nlon, table, size(table), work, size(work), exact, size(exact), ierror)
  a = 0
  b = 0
  call shaes(nlat, nlon, isym, 1, g, nlat, nlon, a, b, nlat, nlat, table, size(table), work, &
    size(work), ierror)
end subroutine

! Spherical harmonic synthesis.
subroutine synthesis(nlat, nlon, isym, a, b, g)
  implicit none
  integer, intent(in) :: nlat, nlon, isym
  real, intent(in) :: a(nlat,nlat), b(nlat,nlat)
  real, intent(out) :: g(nlat,nlon)
  real :: table(4*nlat*nlat*nlon), work(8*nlat*nlat*nlon)
  double precision :: exact(2*nlat)
  integer :: ierror
  call shsesi(nlat, nlon, table, size(table), work, size(work), exact, size(exact), ierror)
  g = 0
  call shses(nlat, nlon, isym, 1, g, nlat, nlon, a, b, nlat, nlat, table, size(table), work, &
    size(work), ierror)
end subroutine
