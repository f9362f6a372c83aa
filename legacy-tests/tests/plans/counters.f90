! Integers that sums move on, and by which arrays are subscripted.
module positions
  implicit none
  integer :: pos = 0
contains
  subroutine bump(d)
    integer, intent(in) :: d
    pos = pos + d
  end subroutine
end module

! A triangle that is packed.
subroutine packed(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n*(n+1)/2), x(n)
  real(8), intent(out) :: y
  real(8) :: s
  integer :: i, j, k
  y = 0
  k = 0
  do i = 1, n
    s = 0
    do j = 1, i
      k = k + 1
      s = s + a(k)*x(j)
    end do
    if (s > 0.3d0) then
      k = k - 1
      y = y + sin(s)*a(k+1)
      k = k + 1
    end if
    y = y + s*s*x(i)
  end do
end subroutine

! An argument that the caller gets back.
subroutine moved(n, k, a, x, y)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: k
  real(8), intent(in) :: a(100), x(n)
  real(8), intent(inout) :: y
  integer :: i
  do i = 1, n
    if (x(i) > 0.15d0) k = k + i
    y = y*sin(a(k)*x(i))
    k = k + 1
    if (k > 40) k = k - 37
  end do
end subroutine

! One moves by the other, which is set again now and then.
subroutine strides(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(200), x(n)
  real(8), intent(out) :: y
  integer :: i, k, d
  y = 1
  k = 1
  d = 1
  do i = 1, n
    y = y*cos(a(k)*x(i))
    k = k + d
    y = y + y*a(k)
    d = d + 1
    k = d + k
    d = d - 2
    y = y*sin(a(k))
    d = d + 2
    if (mod(i, 3) == 0) d = 1
  end do
end subroutine

! Two names of one number: it is kept.
subroutine shared(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(100), x(n)
  real(8), intent(out) :: y
  integer :: i, k, l
  equivalence (k, l)
  y = 1
  k = 1
  do i = 1, n
    k = k + 1
    y = y*cos(a(l)*x(i))
    l = l + 1
    y = y*cos(a(k)*x(i))
  end do
end subroutine

! Steps out of a table that changes.
subroutine tabled(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(400), x(n)
  real(8), intent(out) :: y
  integer :: i, k, t(5)
  y = 1
  k = 1
  t = 1
  do i = 1, n
    y = y*cos(a(k)*x(i))
    k = k + t(1 + mod(i, 5))
    t(1 + mod(i, 5)) = i
    t(1 + mod(k, 5)) = t(1 + mod(k, 5)) + 1
  end do
end subroutine

! A module's, which a callee moves as well.
subroutine together(n, a, x, y)
  use positions
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(400), x(n)
  real(8), intent(out) :: y
  integer :: i
  y = 1
  pos = 1
  do i = 1, n
    pos = pos + 2
    y = y*cos(a(pos)*x(i))
    call bump(i)
    y = y + y*a(pos)
    pos = pos - 1
    y = y*sin(a(pos))
  end do
end subroutine

! Loops that are left, that have no trip, whose trips nobody knows.
subroutine leaves(n, m, a, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(400), x(n)
  real(8), intent(out) :: y
  integer :: i, j, k
  y = 1
  k = 0
  outer: do i = 1, n
    k = k + 1
    do j = i + m, 2
      k = k + 1
      y = y*cos(a(k)*x(i))
    end do
    do while (y > 0.05d0)
      k = k + 1
      y = y*cos(a(k)*x(i))*0.5d0
      if (k > 30) exit outer
      if (y < 0.1d0) cycle outer
      k = k + 1
    end do
    k = k - 1
    y = y + a(k+1)**2
  end do outer
  y = y*a(k+1)
end subroutine

! Of several kinds; a callee's, by reference.
subroutine kinds(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(400), x(n)
  real(8), intent(out) :: y
  integer(1) :: k
  integer(2) :: m
  integer(8) :: l
  integer :: i, at
  y = 1
  k = 1_1
  l = 1
  m = 1_2
  at = 0
  do i = 1, n
    y = y*cos(a(k)*x(i)) + a(l) + a(m)
    k = k + 2
    l = l + i
    m = int(m + 3, 2)
    y = y*sin(a(k))*a(l)*a(m)
    call step(x(i))
    if (at > 5) at = at - 5
    y = y*a(at)
  end do
contains
  subroutine step(z)
    real(8), intent(in) :: z
    integer :: j
    do j = 1, 3
      at = at + 1
      y = y*cos(a(at)*z)
    end do
    at = at - 2
  end subroutine
end subroutine
