! loops, early exits and jumps around BLOCK and ASSOCIATE with temporaries
module z1m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i, m
    real(8) :: acc(n)
    acc = 0
    y = 0
    m = 2
    main: do i = 1, n
      block
        real(8) :: w(m), v(n)
        integer :: j
        w = x(i)
        v = x*w(1)
        inner: do j = 1, m
          if (x(j) > 1.2d0) exit inner
          w(j) = w(j)*v(j)
          if (j == 2 .and. i == 1) cycle inner
          acc(i) = acc(i) + w(j)
        end do inner
        y = y + sum(w) + sum(v)*acc(i)
      end block
      if (i == n - 1) cycle main
      m = m + 1
      if (m > n) m = n
      associate (t => acc*2, c => acc(i))
        pick: associate (d => c*x(i))
          if (d < 0) exit pick
          c = c + sum(t)*d
        end associate pick
      end associate
    end do main
    y = y + sum(acc)
  end subroutine
end module
