module m
  implicit none
  complex(8) :: state(2)
contains
  elemental complex(8) function f(z, k)
    complex(8), intent(in) :: z
    integer, intent(in) :: k
    f = z**k + conjg(z)*aimag(z)
  end function
  subroutine rot(a, b, c)
    complex(8), intent(inout) :: a(:)
    complex(8), intent(in) :: b
    real(8), intent(out) :: c
    a = a*b/abs(b)
    c = sum(real(a)) + maxval(abs(a))
    state(1) = state(1) + a(1)
  end subroutine
  subroutine head(n, z, y)
    integer, intent(in) :: n
    complex(8), intent(inout) :: z(n)
    real(8), intent(out) :: y(2)
    complex(8) :: q(n,2), tmp
    integer :: i
    logical :: flip
    state = (1d0, -1d0)
    q(:,1) = f(z, 2)
    q(:,2) = f(q(:,1), 1) + z(n:1:-1)
    call rot(q(:,2), z(1), y(1))
    call rot(q(1,:), q(2,2), y(2))
    do i = 1, n
      flip = aimag(q(i,1)) > 0d0
      tmp = merge(q(i,1), q(i,2), flip)
      if (abs(tmp) > 1d0) tmp = tmp/abs(tmp)
      z(i) = tmp*state(1) + cmplx(y(1), aimag(z(i)), 8)
      y(2) = y(2) + atan2(aimag(z(i)), real(z(i))) + real(z(i), 8)
    end do
    z = matmul(reshape2(q), z(1:2))
  contains
    function reshape2(a) result(b)
      complex(8), intent(in) :: a(n,2)
      complex(8) :: b(n,2)
      b = a*(0d0,1d0)
    end function
  end subroutine
end module
