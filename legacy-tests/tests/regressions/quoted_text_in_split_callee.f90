! The branch depends on a character that only the forward sweep of the callee sets.
subroutine pick(name, x, y)
  character(len=*), intent(in) :: name
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  character(len=:), allocatable :: text
  text = 'say "'//name//'"'
  if (index(text, 'q') > 0) then
    y = x**2
  else
    y = x**3 + len_trim(name)*x
  end if
end subroutine
subroutine top(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y(2)
  interface
    subroutine pick(name, x, y)
      character(len=*), intent(in) :: name
      real(8), intent(in) :: x
      real(8), intent(out) :: y
    end subroutine
  end interface
  call pick('q', x, y(1))
  call pick('abc', x, y(2))
end subroutine
