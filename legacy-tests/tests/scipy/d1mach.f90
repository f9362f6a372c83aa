double precision function d1mach(i)
  implicit none
  integer, intent(in) :: i
  select case (i)
  case (1)
    d1mach = tiny(1d0)
  case (2)
    d1mach = huge(1d0)
  case (3)
    d1mach = epsilon(1d0)/radix(1d0)
  case (4)
    d1mach = epsilon(1d0)
  case default
    d1mach = log10(2d0)
  end select
end function
