! Elimination with rows and columns as sections: temporaries of another size in each pass.
module m
contains
  subroutine solve(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n)
    integer :: i, j
    real(8), allocatable :: row(:)
    do j = 1, n - 1
      row = a(j, j:n)
      do i = j + 1, n
        a(i, j:n) = a(i, j:n) - row*(a(i, j)/row(1))
        b(i) = b(i) - b(j)*0.1d0
      end do
      a(j + 1:n, j) = a(j + 1:n, j)*b(j)
    end do
    do j = n, 1, -1
      b(j) = (b(j) - dot_product(a(j, j + 1:n), b(j + 1:n)))/a(j, j)
    end do
  end subroutine solve
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: a(n, n), b(n)
    integer :: i
    a = 0.1d0
    do i = 1, n
      a(i, i) = 2.0d0 + x(i)
      a(:, i) = a(:, i) + 0.1d0*x
    end do
    b = x
    call solve(n, a, b)
    y = sum(b**2)
  end subroutine head
end module m
