subroutine kwarr_allocate(b)
  real b, allocate(10)
  allocate(2) = b
  b = allocate(3) + 1.0
end subroutine

subroutine kwarr_assign(b)
  real b, assign(10)
  assign(2) = b
  b = assign(3) + 1.0
end subroutine

subroutine kwarr_associate(b)
  real b, associate(10)
  associate(2) = b
  b = associate(3) + 1.0
end subroutine

subroutine kwarr_bind(b)
  real b, bind(10)
  bind(2) = b
  b = bind(3) + 1.0
end subroutine

subroutine kwarr_block(b)
  real b, block(10)
  block(2) = b
  b = block(3) + 1.0
end subroutine

subroutine kwarr_call(b)
  real b, call(10)
  call(2) = b
  b = call(3) + 1.0
end subroutine

subroutine kwarr_case(b)
  real b, case(10)
  case(2) = b
  b = case(3) + 1.0
end subroutine

subroutine kwarr_change(b)
  real b, change(10)
  change(2) = b
  b = change(3) + 1.0
end subroutine

subroutine kwarr_character(b)
  real b, character(10)
  character(2) = b
  b = character(3) + 1.0
end subroutine

subroutine kwarr_class(b)
  real b, class(10)
  class(2) = b
  b = class(3) + 1.0
end subroutine

subroutine kwarr_close(b)
  real b, close(10)
  close(2) = b
  b = close(3) + 1.0
end subroutine

subroutine kwarr_common(b)
  real b, common(10)
  common(2) = b
  b = common(3) + 1.0
end subroutine

subroutine kwarr_complex(b)
  real b, complex(10)
  complex(2) = b
  b = complex(3) + 1.0
end subroutine

subroutine kwarr_concurrent(b)
  real b, concurrent(10)
  concurrent(2) = b
  b = concurrent(3) + 1.0
end subroutine

subroutine kwarr_contains(b)
  real b, contains(10)
  contains(2) = b
  b = contains(3) + 1.0
end subroutine

subroutine kwarr_continue(b)
  real b, continue(10)
  continue(2) = b
  b = continue(3) + 1.0
end subroutine

subroutine kwarr_critical(b)
  real b, critical(10)
  critical(2) = b
  b = critical(3) + 1.0
end subroutine

subroutine kwarr_cycle(b)
  real b, cycle(10)
  cycle(2) = b
  b = cycle(3) + 1.0
end subroutine

subroutine kwarr_data(b)
  real b, data(10)
  data(2) = b
  b = data(3) + 1.0
end subroutine

subroutine kwarr_deallocate(b)
  real b, deallocate(10)
  deallocate(2) = b
  b = deallocate(3) + 1.0
end subroutine

subroutine kwarr_default(b)
  real b, default(10)
  default(2) = b
  b = default(3) + 1.0
end subroutine

subroutine kwarr_dimension(b)
  real b, dimension(10)
  dimension(2) = b
  b = dimension(3) + 1.0
end subroutine

subroutine kwarr_do(b)
  real b, do(10)
  do(2) = b
  b = do(3) + 1.0
end subroutine

subroutine kwarr_double(b)
  real b, double(10)
  double(2) = b
  b = double(3) + 1.0
end subroutine

subroutine kwarr_elsewhere(b)
  real b, elsewhere(10)
  elsewhere(2) = b
  b = elsewhere(3) + 1.0
end subroutine

subroutine kwarr_end(b)
  real b, end(10)
  end(2) = b
  b = end(3) + 1.0
end subroutine

subroutine kwarr_entry(b)
  real b, entry(10)
  entry(2) = b
  b = entry(3) + 1.0
end subroutine

subroutine kwarr_enum(b)
  real b, enum(10)
  enum(2) = b
  b = enum(3) + 1.0
end subroutine

subroutine kwarr_error(b)
  real b, error(10)
  error(2) = b
  b = error(3) + 1.0
end subroutine

subroutine kwarr_event(b)
  real b, event(10)
  event(2) = b
  b = event(3) + 1.0
end subroutine

subroutine kwarr_exit(b)
  real b, exit(10)
  exit(2) = b
  b = exit(3) + 1.0
end subroutine

subroutine kwarr_external(b)
  real b, external(10)
  external(2) = b
  b = external(3) + 1.0
end subroutine

subroutine kwarr_fail(b)
  real b, fail(10)
  fail(2) = b
  b = fail(3) + 1.0
end subroutine

subroutine kwarr_final(b)
  real b, final(10)
  final(2) = b
  b = final(3) + 1.0
end subroutine

subroutine kwarr_flush(b)
  real b, flush(10)
  flush(2) = b
  b = flush(3) + 1.0
end subroutine

subroutine kwarr_forall(b)
  real b, forall(10)
  forall(2) = b
  b = forall(3) + 1.0
end subroutine

subroutine kwarr_form(b)
  real b, form(10)
  form(2) = b
  b = form(3) + 1.0
end subroutine

subroutine kwarr_format(b)
  real b, format(10)
  format(2) = b
  b = format(3) + 1.0
end subroutine

subroutine kwarr_function(b)
  real b, function(10)
  function(2) = b
  b = function(3) + 1.0
end subroutine

subroutine kwarr_generic(b)
  real b, generic(10)
  generic(2) = b
  b = generic(3) + 1.0
end subroutine

subroutine kwarr_go(b)
  real b, go(10)
  go(2) = b
  b = go(3) + 1.0
end subroutine

subroutine kwarr_if(b)
  real b, if(10)
  if(2) = b
  b = if(3) + 1.0
end subroutine

subroutine kwarr_image(b)
  real b, image(10)
  image(2) = b
  b = image(3) + 1.0
end subroutine

subroutine kwarr_implicit(b)
  real b, implicit(10)
  implicit(2) = b
  b = implicit(3) + 1.0
end subroutine

subroutine kwarr_in(b)
  real b, in(10)
  in(2) = b
  b = in(3) + 1.0
end subroutine

subroutine kwarr_include(b)
  real b, include(10)
  include(2) = b
  b = include(3) + 1.0
end subroutine

subroutine kwarr_inout(b)
  real b, inout(10)
  inout(2) = b
  b = inout(3) + 1.0
end subroutine

subroutine kwarr_inquire(b)
  real b, inquire(10)
  inquire(2) = b
  b = inquire(3) + 1.0
end subroutine

subroutine kwarr_integer(b)
  real b, integer(10)
  integer(2) = b
  b = integer(3) + 1.0
end subroutine

subroutine kwarr_interface(b)
  real b, interface(10)
  interface(2) = b
  b = interface(3) + 1.0
end subroutine

subroutine kwarr_interval(b)
  real b, interval(10)
  interval(2) = b
  b = interval(3) + 1.0
end subroutine

subroutine kwarr_is(b)
  real b, is(10)
  is(2) = b
  b = is(3) + 1.0
end subroutine

subroutine kwarr_kind(b)
  real b, kind(10)
  kind(2) = b
  b = kind(3) + 1.0
end subroutine

subroutine kwarr_len(b)
  real b, len(10)
  len(2) = b
  b = len(3) + 1.0
end subroutine

subroutine kwarr_lock(b)
  real b, lock(10)
  lock(2) = b
  b = lock(3) + 1.0
end subroutine

subroutine kwarr_logical(b)
  real b, logical(10)
  logical(2) = b
  b = logical(3) + 1.0
end subroutine

subroutine kwarr_module(b)
  real b, module(10)
  module(2) = b
  b = module(3) + 1.0
end subroutine

subroutine kwarr_name(b)
  real b, name(10)
  name(2) = b
  b = name(3) + 1.0
end subroutine

subroutine kwarr_none(b)
  real b, none(10)
  none(2) = b
  b = none(3) + 1.0
end subroutine

subroutine kwarr_nullify(b)
  real b, nullify(10)
  nullify(2) = b
  b = nullify(3) + 1.0
end subroutine

subroutine kwarr_only(b)
  real b, only(10)
  only(2) = b
  b = only(3) + 1.0
end subroutine

subroutine kwarr_open(b)
  real b, open(10)
  open(2) = b
  b = open(3) + 1.0
end subroutine

subroutine kwarr_out(b)
  real b, out(10)
  out(2) = b
  b = out(3) + 1.0
end subroutine

subroutine kwarr_pause(b)
  real b, pause(10)
  pause(2) = b
  b = pause(3) + 1.0
end subroutine

subroutine kwarr_pointer(b)
  real b, pointer(10)
  pointer(2) = b
  b = pointer(3) + 1.0
end subroutine

subroutine kwarr_post(b)
  real b, post(10)
  post(2) = b
  b = post(3) + 1.0
end subroutine

subroutine kwarr_precision(b)
  real b, precision(10)
  precision(2) = b
  b = precision(3) + 1.0
end subroutine

subroutine kwarr_print(b)
  real b, print(10)
  print(2) = b
  b = print(3) + 1.0
end subroutine

subroutine kwarr_private(b)
  real b, private(10)
  private(2) = b
  b = private(3) + 1.0
end subroutine

subroutine kwarr_procedure(b)
  real b, procedure(10)
  procedure(2) = b
  b = procedure(3) + 1.0
end subroutine

subroutine kwarr_program(b)
  real b, program(10)
  program(2) = b
  b = program(3) + 1.0
end subroutine

subroutine kwarr_public(b)
  real b, public(10)
  public(2) = b
  b = public(3) + 1.0
end subroutine

subroutine kwarr_rank(b)
  real b, rank(10)
  rank(2) = b
  b = rank(3) + 1.0
end subroutine

subroutine kwarr_read(b)
  real b, read(10)
  read(2) = b
  b = read(3) + 1.0
end subroutine

subroutine kwarr_real(b)
  real b, real(10)
  real(2) = b
  b = real(3) + 1.0
end subroutine

subroutine kwarr_result(b)
  real b, result(10)
  result(2) = b
  b = result(3) + 1.0
end subroutine

subroutine kwarr_return(b)
  real b, return(10)
  return(2) = b
  b = return(3) + 1.0
end subroutine

subroutine kwarr_rewind(b)
  real b, rewind(10)
  rewind(2) = b
  b = rewind(3) + 1.0
end subroutine

subroutine kwarr_save(b)
  real b, save(10)
  save(2) = b
  b = save(3) + 1.0
end subroutine

subroutine kwarr_scale(b)
  real b, scale(10)
  scale(2) = b
  b = scale(3) + 1.0
end subroutine

subroutine kwarr_select(b)
  real b, select(10)
  select(2) = b
  b = select(3) + 1.0
end subroutine

subroutine kwarr_sequence(b)
  real b, sequence(10)
  sequence(2) = b
  b = sequence(3) + 1.0
end subroutine

subroutine kwarr_size(b)
  real b, size(10)
  size(2) = b
  b = size(3) + 1.0
end subroutine

subroutine kwarr_stop(b)
  real b, stop(10)
  stop(2) = b
  b = stop(3) + 1.0
end subroutine

subroutine kwarr_subroutine(b)
  real b, subroutine(10)
  subroutine(2) = b
  b = subroutine(3) + 1.0
end subroutine

subroutine kwarr_sum(b)
  real b, sum(10)
  sum(2) = b
  b = sum(3) + 1.0
end subroutine

subroutine kwarr_sync(b)
  real b, sync(10)
  sync(2) = b
  b = sync(3) + 1.0
end subroutine

subroutine kwarr_target(b)
  real b, target(10)
  target(2) = b
  b = target(3) + 1.0
end subroutine

subroutine kwarr_team(b)
  real b, team(10)
  team(2) = b
  b = team(3) + 1.0
end subroutine

subroutine kwarr_then(b)
  real b, then(10)
  then(2) = b
  b = then(3) + 1.0
end subroutine

subroutine kwarr_to(b)
  real b, to(10)
  to(2) = b
  b = to(3) + 1.0
end subroutine

subroutine kwarr_type(b)
  real b, type(10)
  type(2) = b
  b = type(3) + 1.0
end subroutine

subroutine kwarr_use(b)
  real b, use(10)
  use(2) = b
  b = use(3) + 1.0
end subroutine

subroutine kwarr_value(b)
  real b, value(10)
  value(2) = b
  b = value(3) + 1.0
end subroutine

subroutine kwarr_wait(b)
  real b, wait(10)
  wait(2) = b
  b = wait(3) + 1.0
end subroutine

subroutine kwarr_where(b)
  real b, where(10)
  where(2) = b
  b = where(3) + 1.0
end subroutine

subroutine kwarr_while(b)
  real b, while(10)
  while(2) = b
  b = while(3) + 1.0
end subroutine

subroutine kwarr_write(b)
  real b, write(10)
  write(2) = b
  b = write(3) + 1.0
end subroutine
