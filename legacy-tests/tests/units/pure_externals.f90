! External procedures that promise to be pure, and whose callers see it by interfaces in a module.
module pure_interfaces
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  interface
    elemental function density(s, t)
      import :: wp
      real(wp), intent(in) :: s, t
      real(wp) :: density
    end function density
    pure subroutine column(s, t, n, weight)
      import :: wp
      integer, intent(in) :: n
      real(wp), intent(in) :: s(n), t(n)
      real(wp), intent(out) :: weight
    end subroutine column
  end interface
end module pure_interfaces

elemental function density(s, t)
  use pure_interfaces, only: wp
  implicit none
  real(wp), intent(in) :: s, t
  real(wp) :: density
  real(wp) :: root
  root = sqrt(s)
  density = 1.0_wp + 0.7_wp*root**3 - 0.02_wp*t**2*root
end function density

pure subroutine column(s, t, n, weight)
  use pure_interfaces, only: wp, density
  implicit none
  integer, intent(in) :: n
  real(wp), intent(in) :: s(n), t(n)
  real(wp), intent(out) :: weight
  integer :: k
  weight = sum(density(s, t))
  do k = 2, n
    weight = weight + density(s(k), t(k - 1))*density(s(k - 1), t(k))
  end do
end subroutine column

module basin
  use pure_interfaces
  implicit none
contains
  pure function total(s, t, n) result(w)
    integer, intent(in) :: n
    real(wp), intent(in) :: s(n), t(n)
    real(wp) :: w
    call column(s, t, n, w)
    w = w*density(s(1), t(n))
  end function total
end module basin
