! Selectors whose subscripts change inside, names that hide names, sections with a stride passed on.
module x2m
  implicit none
  type pt
    real(8) :: p(3)
    real(8) :: w
  end type
  type grid
    type(pt) :: pts(4)
    integer :: n
  end type
contains
  function mk(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r(3)
    r = [a, a**2, a**3]
  end function
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(grid) :: g
    integer :: i, j
    real(8) :: a(3, n), tmp
    g%n = 4
    tmp = 0.5d0
    y = 0
    do i = 1, 4
      associate (q => g%pts(i), pp => g%pts(i)%p(2:3), f => mk(x(mod(i, n) + 1)))
        q%p = f*i
        q%w = sum(f)
        pp(2) = pp(1)*q%w
        associate (q => q%p, tmp => tmp*q%w)
          q(1) = q(1) + tmp
        end associate
        tmp = tmp + q%p(1)
      end associate
    end do
    j = 1
    do while (j <= n)
      associate (col => a(:, j), nxt => a(3:1:-1, mod(j, n) + 1))
        col = g%pts(1)%p*x(j)
        nxt = col + 0.0d0
        j = j + 1
        col(2) = col(2)*2
        nxt(1) = tmp
        call upd(col, nxt(2:3), col(1))
      end associate
    end do
    associate (e => x(n)*2)
      y = y + e
    end associate
    y = y + sum(a) + tmp + g%pts(3)%p(3)
  end subroutine
  subroutine upd(c, d, e)
    real(8), intent(in) :: c(:)
    real(8), intent(inout) :: d(:)
    real(8), intent(in) :: e
    d = d + c(1:2)*e
  end subroutine
end module
