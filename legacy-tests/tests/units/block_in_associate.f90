! a return from inside BLOCK, a loop in ASSOCIATE whose bound is an association, select case in block
module z2m
  implicit none
contains
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i, k
    y = 1
    associate (last => n, z => x)
      do i = 1, last
        block
          real(8) :: u
          integer, parameter :: two = 2
          real(8), parameter :: c(two) = [1.5d0, 0.5d0]
          u = z(i)*c(1 + mod(i, two))
          select case (i)
          case (1)
            y = y*u
          case default
            y = y + u**two
          end select
          if (i == last .and. u > 100) return
        end block
      end do
    end associate
    k = 3
    associate (k => x(k), kk => k)
      y = y*k + kk
    end associate
  end subroutine
end module
