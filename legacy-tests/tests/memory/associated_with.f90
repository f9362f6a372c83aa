! Which time level a pointer shows decides what is done, and is changed inside of what was decided.
module m
  implicit none
  type :: node
    real(8) :: v = 0.0d0
    type(node), pointer :: next => null()
  end type node
  type :: state
    real(8), pointer :: now(:) => null()
  end type state
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in), target :: x(n)
    real(8), intent(out) :: y
    real(8), target :: a(n), b(n), c(2*n)
    real(8), pointer :: old(:), new(:), tmp(:), part(:), none(:)
    real(8), pointer :: s
    type(state) :: st
    logical :: same, before
    integer :: i, k, turns
    a = x
    b = 0.5d0*x
    c = 0.1d0
    nullify (none)
    old => a
    new => b
    st%now => old
    y = 0.0d0
    before = associated(old, a)
    do k = 1, 5
      do i = 2, n
        new(i) = old(i - 1)*x(i) + 0.1d0*old(i)
      end do
      new(1) = old(n)**2
      same = associated(new, a)
      if (associated(old, a)) then
        y = y + old(2)*x(1)
        tmp => old; old => new; new => tmp
      else if (associated(old, b) .and. .not. associated(none, b)) then
        y = y + sin(old(1))*0.3d0
        tmp => old
        old => new
        new => tmp
        if (k > 2) new => c(1:2*n:2)
        if (k > 2) new = x*0.7d0
      end if
      if (associated(new, c(1:2*n:2))) y = y*x(2)
      if (associated(new, c(1:n))) y = y*17.0d0
      if (same) y = y + x(3)*old(1)
      if (same .neqv. associated(new, target=a)) y = y*1.1d0
      if (associated(st%now, old)) then
        st%now(1) = st%now(1)*x(2)
        st%now => new
      else
        y = y + st%now(1)*0.2d0
        if (mod(k, 2) == 0) st%now => old
      end if
      part(0:) => old(2:n)
      if (.not. associated(part, old)) y = y + part(0)*0.01d0
      if (associated(part, old(2:n))) y = y + part(1)*0.02d0
      s => old(k)
      if (associated(s, a(k))) y = y + s*x(k)
      if (associated(s, b(k))) y = y + s**2
    end do
    ! as long as the pointer has not come round
    turns = 0
    tmp => a
    do while (.not. associated(tmp, c(2:n + 1)))
      turns = turns + 1
      y = y + tmp(turns)*x(turns)
      if (associated(tmp, a)) then
        tmp => b
      else
        tmp => c(2:n + 1)
      end if
      tmp(1) = tmp(1)*x(turns + 1)
    end do
    if (before) y = y + sum(a) + sum(b) + sum(c**2)
    if (associated(none, none)) y = 0.0d0
  end subroutine head
end module m
