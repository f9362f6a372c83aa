subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: list(:)
  integer :: i
  character(len=20) :: buf
  character(:), allocatable :: name
  list = [real(8) ::]
  i = 0
  do
    i = i + 1
    if (i > 20) exit
    write(buf, '(i0)') mod(i, n) + 1
    name = 'v'//trim(adjustl(buf))
    select case (name)
    case ('v1')
      list = [list, x(1)]
    case ('v2':'v3')
      if (size(list) > 1) list = list(2:)
      cycle
    case default
      list = [list*0.5d0, x(mod(i,n)+1)**2]
    end select
    if (size(list) > 6) then
      list = pack(list, list > 0.2d0)
      if (size(list) > 6) exit
    end if
  end do
  y = product(list(:min(4,size(list)))) + sum(list)
end subroutine
