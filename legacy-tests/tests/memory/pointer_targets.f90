! Pointers to sections and components, chosen by conditions; nullify and associated.
module m
  implicit none
  type :: grid
    real(8) :: u(4) = 0.0d0
    real(8), pointer :: view(:) => null()
  end type grid
contains
  subroutine scale(p, s)
    real(8), intent(inout) :: p(:)
    real(8), intent(in) :: s
    p = p*s + p**2
  end subroutine scale

  subroutine twice(p, y)
    real(8), pointer, intent(in) :: p(:)
    real(8), intent(inout) :: y
    y = y + 2.0d0*sum(p*p)
  end subroutine twice

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in), target :: x(n)
    real(8), intent(out) :: y
    real(8), target :: a(n, n)
    real(8), pointer :: p(:), q(:), s
    integer, target :: first(2), second(2)
    integer, pointer :: at(:)
    type(grid), target :: g
    integer :: i, k
    a = 0.0d0
    first = [1, 2]
    second = [3, 1]
    nullify (p)
    y = 1.0d0
    do k = 1, n
      a(:, k) = x*k
      at => first
      if (x(k) > 0.8d0) at => second
      if (mod(k, 3) == 0) then
        nullify (q)
      else
        q => a(k:n, at(2))
      end if
      if (associated(p)) then
        p(1) = p(1)*x(k)
        y = y + p(1)**2
      end if
      p => a(2:, k)
      call scale(p, x(k))
      call twice(p, y)
      if (associated(q)) then
        call scale(q, y*0.01d0)
        y = y + sum(q)
      end if
      s => a(at(1), k)
      s = s*y*0.1d0
      g%u(1:3) = x(1:3)*s
      g%view => g%u
      if (k > 2) g%view => a(1:3, k - 1)
      g%view(at(2)) = g%view(at(1))*g%view(3)
      y = y + g%view(1)*0.1d0
    end do
    p => x
    y = y + p(1)*p(2)
    do i = 1, n
      y = y + 0.01d0*sum(a(:, i))
    end do
  end subroutine head
end module m
