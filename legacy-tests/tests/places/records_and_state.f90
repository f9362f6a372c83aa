! Records passed, returned, and in a module; state that another procedure prepares.
module types
  type inner
    real(8) :: a(2)
    integer :: n
  end type
  type outer
    type(inner) :: i(0:1)
    real(8) :: w(2,3)
    logical :: on
    character(len=5) :: what
    complex(8) :: z
  end type
end module
module state
  use types
  type(outer) :: st
  real(8) :: table(5), work(4), gain
  integer :: count = 0
  real(8), private :: secret
contains
  subroutine prepare(n, x, name)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    character(len=*), intent(in) :: name
    table(1:n) = x*2
    count = 3
    secret = len_trim(name)
    gain = 1.25d0
  end subroutine
  function make(o, x) result(r)
    type(outer), intent(in) :: o
    real(8), intent(in) :: x(:)
    type(inner) :: r
    r%a(1) = o%i(0)%a(1)*x(1)*gain + o%w(1,2)*secret
    r%a(2) = o%i(1)%a(2)*x(2) + sum(table)
    r%n = o%i(1)%n
    count = count + 1
    if (o%on .and. o%what == 'hello') r%a(1) = r%a(1) + st%w(1,1)**2
  end function
end module
