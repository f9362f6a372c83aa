character(len=8) function nm(i)
  integer :: i
  write(nm,'(i8)') i
end function
subroutine f(n, x, y, job)
  implicit none
  integer, intent(in) :: n
  character(len=*), intent(in) :: job
  real(8) :: x(n), y
  character(len=8), external :: nm
  character(len=20) :: line, opts(3)
  integer :: i
  line = 'abc'
  line(2:3) = job(1:1)//'x'
  opts(1) = line(:4)
  opts(2)(3:5) = job
  y = 0
  do i = 1, n
    if (x(i) > 1) line(1:1) = 'B'
    line(2:2) = char(ichar('a') + i)
    if (line(1:1) == 'B' .and. opts(1)(2:2) == 'N') y = y + x(i)**2
    if (index(line, 'c') > 0) y = y*x(i)
    write(opts(3), '(i3)') i
    opts(3) = adjustl(opts(3))
    opts(2) = nm(i)
    y = y + len_trim(opts(3))*x(i)
  end do
end subroutine
