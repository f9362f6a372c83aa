! A module whose procedures have their bodies in a submodule of another file.
module par
  implicit none
  real(8) :: state = 2.0d0
  interface
    module subroutine work(x, y)
      real(8), intent(in) :: x(:)
      real(8), intent(out) :: y
    end subroutine
    module function scal(x) result(r)
      real(8), intent(in) :: x
      real(8) :: r
    end function
    pure module function pw(x)
      real(8), intent(in) :: x
      real(8) :: pw
    end function
  end interface
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    call work(x, y)
    y = y*scal(x(1)) + pw(x(n))
  end subroutine
end module
