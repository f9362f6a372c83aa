! names that generated code would like
module y3m
  implicit none
  real(8) :: x_b = 3.0d0, head_d = 1.0d0
contains
  subroutine inner_b(a)
    real(8), intent(inout) :: a
    a = a*2
  end subroutine
  subroutine head(n, x, x_d, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), x_d
    real(8), intent(out) :: y
    real(8) :: temp, i1, sum_1, a_tape
    temp = x_d
    i1 = 2
    a_tape = sum(x)
    sum_1 = sum(x**2)*x_b + head_d
    call inner(temp)
    y = temp*i1 + sum_1*a_tape
    call inner_b(y)
    blk: block
      real(8) :: temp, y_b
      temp = y
      y_b = temp*x(1)
      y = y_b
    end block blk
  contains
    subroutine inner(temp)
      real(8), intent(inout) :: temp
      real(8) :: head_inner
      head_inner = temp*x(1)
      temp = head_inner**2
    end subroutine
  end subroutine
end module
