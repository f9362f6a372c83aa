! The bound of a host array changes after entry; the array keeps its size, in the host and inside.
module z4m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(inout) :: n
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y
    real(8) :: t(n)
    t = x(1:n)
    n = n - 1
    y = x(1)
    call use_t
    t = t*2
    n = n + 1
    y = y + t(n)
  contains
    subroutine use_t
      y = y*sum(t) + size(t)
    end subroutine
  end subroutine
end module
