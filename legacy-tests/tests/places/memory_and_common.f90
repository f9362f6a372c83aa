! Allocatable and pointer components, arguments and module variables; an optional argument; COMMON.
module memory
  implicit none
  type inner
    real(8) :: a
    real(4) :: b
    integer :: n
  end type
  type outer
    type(inner) :: i(2)
    real(8), allocatable :: u(:)
    real(8), pointer :: v(:) => null()
    real(8), allocatable :: unused(:, :)
    real(8) :: w(2, 3)
  end type
  real(8) :: scale = 2
  real(8), allocatable :: heap(:)
  real(8), pointer :: view(:, :)
  real(8), private :: hidden = 3
contains
  subroutine f(o, x, y, p, opt, txt, names)
    type(outer), intent(inout) :: o
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    real(8), pointer :: p(:)
    real(8), optional, intent(in) :: opt
    character(len=4), intent(in) :: txt
    character(len=*), intent(in) :: names(2)
    integer :: steps
    real(8) :: zz(0:2), deep
    logical :: on
    common /blk/ zz, deep, steps, on
    y = sum(x)*scale*o%i(1)%a + o%i(2)%b + sum(o%u) + sum(o%w) + heap(1) + hidden + p(2)*zz(0)*zz(2)
    if (present(opt)) y = y*opt
    if (txt == 'abcd' .and. names(2) == 'two') y = y + view(2, 1)*deep
    if (on) y = y*steps
    o%w(1, 1) = y
    scale = scale + 1
  end subroutine
end module
