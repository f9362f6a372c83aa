! jumps out of BLOCK and ASSOCIATE that have arrays: exit, cycle and return
module z7m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: acc
    integer :: calls
    acc = 0
    calls = 0
    y = x
    main: do
      calls = calls + 1
      block
        real(8) :: tmp(calls)
        real(8), allocatable :: extra(:)
        tmp = x(1:calls)
        if (calls > 1) then
          allocate (extra(calls))
          extra = tmp*acc
          if (x(calls) < 0.2d0) then
            y(calls) = sum(extra)
            cycle main
          end if
          tmp = tmp + extra
        end if
        inner: do
          acc = acc + sum(tmp*y(1:calls))
          if (acc > 2) exit inner
          if (calls >= n - 1) exit main
          exit inner
        end do inner
        associate (t => tmp**2)
          acc = acc + 0.1d0*t(calls)
          if (acc > 40) return
          y(calls) = y(calls)*t(1)
        end associate
      end block
      if (calls == n) exit
    end do main
    y = y*acc
  end subroutine
end module
