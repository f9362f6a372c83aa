! Variables of the host without declaration, old style.
subroutine head(n, x, y)
  implicit double precision (a-h,o-z)
  integer n, i
  double precision x(n), y, work(2*n), f
  parameter (f = 1.5d0)
  k = 2
  acc = 0
  do 10 i = 1, n
    z = x(i)*k
    call addto
10 continue
  y = acc
  n2 = n
  n2 = n2 - 1
  call inner(n2)
  y = y + work(1)*work(2)
contains
  subroutine addto
    acc = acc + z*f
    work(1) = x(1)
    work(2) = x(2)*acc
  end subroutine
  subroutine inner(m)
    integer m
    dimension q(m)
    do 20 j = 1, m
20  q(j) = x(j)
    work(1) = work(1)*q(1)*z
  end subroutine
end subroutine
