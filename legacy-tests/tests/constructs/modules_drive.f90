! Calls the programs of `modules.f90`.
program drive
  use parts
  use outer_part
  use type_def_oo
  use whole_arrays
  implicit none
  type(t) :: p, q, r
  type(child) :: c
  real :: a, v(7) = [-1., 0., 2., 3., -4., 0.5, 8.]
  real, target :: values(100)
  real, pointer :: pointed(:)
  integer :: i
  call alloc(p, 4)
  print *, p%x
  call associate_block(p)
  print *, p%x, p%y
  call dt_chain(p)
  print *, p%list(1)%f, p%list(3)%r
  call typed_proc_call(p)
  print *, p%y, p%list(2)%f
  q%x = 3.
  call user_op(p, q, r)
  print *, r%x
  do i = 1, 4
    a = 0.5 * i
    call generics(a, i)
    call inner(a)
    print *, a, x
  end do
  allocate (c%x(3))
  c%x = 2.
  call c%go
  print *, c%y
  call where_block(v, v > 1.)
  print *, v
  values = [(real(i), i = 1, 100)]
  call ptr_assign(pointed, values)
  print *, associated(pointed), values
end program
