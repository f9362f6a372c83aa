! Allocatable components: nested, in arrays of records, copied as a whole, reallocated by assignment,
! changed by callees.
module m
  implicit none
  type :: leaf
    integer :: id = 0
    real(8), allocatable :: v(:)
  end type leaf
  type :: node
    real(8) :: x = 0.0d0
    type(leaf) :: inner
    type(leaf), allocatable :: more(:)
  end type node
contains
  subroutine grow(l, a)
    type(leaf), intent(inout) :: l
    real(8), intent(in) :: a
    real(8), allocatable :: longer(:)
    integer :: k
    k = size(l%v)
    allocate (longer(k + 1))
    longer(1:k) = l%v*a
    longer(k + 1) = a*l%v(1)
    deallocate (l%v)
    allocate (l%v(k + 1))
    l%v = longer
    l%id = l%id + 1
  end subroutine grow

  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(leaf) :: l, other
    type(node) :: nodes(n), keep
    integer :: i, j
    y = 0.0d0
    do i = 1, n
      l%id = i
      l%v = x(1:i)*x(i)
      if (mod(i, 2) == 0) call grow(l, x(i))
      nodes(i)%inner = l
      nodes(i)%x = x(i)
      allocate (nodes(i)%more(2))
      nodes(i)%more(1)%v = l%v*2.0d0
      allocate (nodes(i)%more(2)%v(i))
      nodes(i)%more(2)%v = x(i)
      keep = nodes(i)
      keep%inner%v(1) = keep%x*y
      if (i > 1) then
        other = keep%more(1)
        deallocate (keep%more(1)%v)
        if (.not. allocated(keep%more(1)%v)) keep%inner%v = [keep%inner%v, other%v(1)]
        y = y + sum(other%v**2)*0.1d0
      end if
      y = y + sum(keep%inner%v)*keep%x
    end do
    do i = 1, n
      do j = 1, 2
        y = y + sum(nodes(i)%more(j)%v)*nodes(i)%inner%id
      end do
      y = y + nodes(i)%inner%v(1)**2
    end do
  end subroutine head
end module m
