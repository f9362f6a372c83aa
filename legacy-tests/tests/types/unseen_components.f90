! What `step` does to the components of an extension is not seen where `twice` is called.
module unseen_m
  implicit none
  type :: base
    real(8) :: r = 1.0d0
  contains
    procedure :: step => base_step
  end type
  type, extends(base) :: more
    real(8) :: k = 2.0d0
  contains
    procedure :: step => more_step
  end type
contains
  subroutine base_step(self, y)
    class(base), intent(inout) :: self
    real(8), intent(inout) :: y
    y = y*self%r
    self%r = self%r*y
  end subroutine
  subroutine more_step(self, y)
    class(more), intent(inout) :: self
    real(8), intent(inout) :: y
    y = y*self%k
    self%k = self%k*y
  end subroutine
  subroutine once(m, y)
    class(base), intent(inout) :: m
    real(8), intent(inout) :: y
    call m%step(y)
  end subroutine
  subroutine twice(m, y)
    class(base), intent(inout) :: m
    real(8), intent(inout) :: y
    call once(m, y)
    call once(m, y)
  end subroutine
  subroutine head(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v
    type(more) :: m
    m%k = u(1)
    v = u(2)
    call twice(m, v)
  end subroutine
end module
