! Records in records: an array of rows that is released and made again, rows that a callee remakes.
module m
  type idx
    integer, allocatable :: k(:)
    real(8), allocatable :: w(:)
  end type idx
  type sparse
    type(idx), allocatable :: row(:)
    real(8) :: scale = 1.0d0
  end type sparse
contains
  subroutine setrow(r, i, n)
    type(idx), intent(inout) :: r
    integer, intent(in) :: i, n
    integer :: j
    r%k = [(mod(i*j, n) + 1, j = 1, i)]
    r%w = [(0.1d0*j, j = 1, i)]
  end subroutine setrow
  subroutine apply(a, x, y)
    type(sparse), intent(in) :: a
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i, j
    do i = 1, size(a%row)
      do j = 1, size(a%row(i)%k)
        y(i) = y(i) + a%scale*a%row(i)%w(j)*x(a%row(i)%k(j))**2
      end do
    end do
  end subroutine apply
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(sparse) :: a, b
    real(8) :: t(n), u(n)
    integer :: i, it
    allocate (a%row(n))
    do i = 1, n
      call setrow(a%row(i), i, n)
      a%row(i)%w(1) = a%row(i)%w(1)*x(i)
    end do
    y = 0.0d0
    u = x
    do it = 1, 3
      t = 0.0d0
      call apply(a, u, t)
      u = t + x
      a%scale = a%scale*u(1)
      b = a
      if (it == 2) then
        deallocate (a%row)
        allocate (a%row(2))
        do i = 1, 2
          a%row(i) = b%row(i + 1)
          call setrow(b%row(i), 2, n)
        end do
      end if
      y = y + sum(u) + b%row(2)%w(2)*u(b%row(2)%k(1))
    end do
  end subroutine head
end module m
