! ASSOCIATE of every kind of selector; BLOCK with arrays, hidden names, jumps
module a1m
  implicit none
  type cell
    real(8) :: v(3), t
  end type
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(0:n)
    real(8), intent(out) :: y
    real(8) :: a(n, n), s
    type(cell) :: c(2)
    integer :: i, j, k
    a = 0.5d0
    y = 0.0d0
    s = x(0)
    associate (row => a(2, :), z => x(1)*x(2), whole => x, first => x(0))
      row = row*z + whole(1:n)
      row(1) = row(1)*first
      row(2:3) = row(1:2)*size(row) + lbound(whole, 1)
      do k = 1, size(row)
        row(k) = row(k)**2
      end do
      associate (part => row(2:n:2), twice => 2*whole)
        part = part*3.0d0 + twice(2)
        part(1) = sin(part(1))
        y = y + sum(part) + sum(twice)
      end associate
    end associate
    i = 1
    associate (p => c(i), q => c(i + 1)%v)
      i = 2
      p%v = x(1:3)
      p%t = x(2)**2
      q = p%v*p%t
      q(i) = q(1)*2
    end associate
    outer: do j = 1, 3
      blk: block
        real(8) :: s, w(j + 1)
        integer :: i
        w = x(1)*j
        s = 1.0d0
        do i = 1, j + 1
          s = s*w(i)
        end do
        if (j == 2) exit blk
        y = y + s
        if (j == 3) then
          block
            real(8) :: s(2)
            s = [y, x(0)]
            y = s(1)*s(2)
          end block
        end if
      end block blk
      test: if (j > 1) then
        if (s > 100) exit test
        y = y + s
        if (j == 3) exit outer
      end if test
    end do outer
    y = y + sum(a(2, :)) + sum(c(2)%v) + c(1)%t
  end subroutine
end module
