subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n,n), lu(n,n), b(n)
  integer :: p(n), i, j, k, m
  real(8) :: big
  logical :: sing
  character(len=8) :: mode
  do j = 1, n
    do i = 1, n
      a(i,j) = x(i)*x(j) + merge(3d0, 0.1d0*x(mod(i+j,n)+1), i == j)
    end do
  end do
  lu = a; sing = .false.
  factor: do k = 1, n
    big = 0; m = k
    do i = k, n
      if (abs(lu(i,k)) > big) then
        big = abs(lu(i,k)); m = i
      end if
    end do
    if (big < 1d-12) then
      sing = .true.
      exit factor
    end if
    p(k) = m
    if (m /= k) lu([k,m],:) = lu([m,k],:)
    lu(k+1:,k) = lu(k+1:,k)/lu(k,k)
    do j = k+1, n
      lu(k+1:,j) = lu(k+1:,j) - lu(k+1:,k)*lu(k,j)
    end do
  end do factor
  b = x
  mode = 'solve'
  if (.not. sing) then
    do k = 1, n
      if (p(k) /= k) b([k, p(k)]) = b([p(k), k])
      b(k+1:) = b(k+1:) - lu(k+1:,k)*b(k)
    end do
    do k = n, 1, -1
      b(k) = (b(k) - dot_product(lu(k,k+1:), b(k+1:)))/lu(k,k)
    end do
  end if
  select case (trim(mode))
  case ('none'); y = 0
  case ('solve', 'lu')
    y = sum(b**2) + product([(lu(k,k), k=1,n)])
  case default
    y = -1
  end select
end subroutine
