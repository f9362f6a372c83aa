! Amplitude and phase matrix of a spheroid: the T-matrix passes through COMMON /TMAT/.
subroutine scattering(axi, lam, mrr, mri, eps, thet0, thet, phi0, phi, alpha, beta, s, z)
  implicit none
  double precision, intent(in) :: axi, lam, mrr, mri, eps, thet0, thet, phi0, phi, alpha, beta
  complex(8), intent(out) :: s(2,2)
  double precision, intent(out) :: z(4,4)
  double precision :: rat
  integer :: nmax
  rat = 1
  call calctmat(axi, rat, lam, mrr, mri, eps, -1, 1d-3, 2, nmax)
  call calcampl(nmax, lam, thet0, thet, phi0, phi, alpha, beta, s, z)
end subroutine
