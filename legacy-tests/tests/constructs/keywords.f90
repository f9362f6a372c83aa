subroutine kw_allocate(b)
  real b, allocate
  allocate = b
  b = allocate + 1.0
end subroutine

subroutine kw_assign(b)
  real b, assign
  assign = b
  b = assign + 1.0
end subroutine

subroutine kw_associate(b)
  real b, associate
  associate = b
  b = associate + 1.0
end subroutine

subroutine kw_bind(b)
  real b, bind
  bind = b
  b = bind + 1.0
end subroutine

subroutine kw_block(b)
  real b, block
  block = b
  b = block + 1.0
end subroutine

subroutine kw_call(b)
  real b, call
  call = b
  b = call + 1.0
end subroutine

subroutine kw_case(b)
  real b, case
  case = b
  b = case + 1.0
end subroutine

subroutine kw_change(b)
  real b, change
  change = b
  b = change + 1.0
end subroutine

subroutine kw_character(b)
  real b, character
  character = b
  b = character + 1.0
end subroutine

subroutine kw_class(b)
  real b, class
  class = b
  b = class + 1.0
end subroutine

subroutine kw_close(b)
  real b, close
  close = b
  b = close + 1.0
end subroutine

subroutine kw_common(b)
  real b, common
  common = b
  b = common + 1.0
end subroutine

subroutine kw_complex(b)
  real b, complex
  complex = b
  b = complex + 1.0
end subroutine

subroutine kw_concurrent(b)
  real b, concurrent
  concurrent = b
  b = concurrent + 1.0
end subroutine

subroutine kw_contains(b)
  real b, contains
  contains = b
  b = contains + 1.0
end subroutine

subroutine kw_continue(b)
  real b, continue
  continue = b
  b = continue + 1.0
end subroutine

subroutine kw_critical(b)
  real b, critical
  critical = b
  b = critical + 1.0
end subroutine

subroutine kw_cycle(b)
  real b, cycle
  cycle = b
  b = cycle + 1.0
end subroutine

subroutine kw_data(b)
  real b, data
  data = b
  b = data + 1.0
end subroutine

subroutine kw_deallocate(b)
  real b, deallocate
  deallocate = b
  b = deallocate + 1.0
end subroutine

subroutine kw_default(b)
  real b, default
  default = b
  b = default + 1.0
end subroutine

subroutine kw_dimension(b)
  real b, dimension
  dimension = b
  b = dimension + 1.0
end subroutine

subroutine kw_do(b)
  real b, do
  do = b
  b = do + 1.0
end subroutine

subroutine kw_double(b)
  real b, double
  double = b
  b = double + 1.0
end subroutine

subroutine kw_elsewhere(b)
  real b, elsewhere
  elsewhere = b
  b = elsewhere + 1.0
end subroutine

subroutine kw_end(b)
  real b, end
  end = b
  b = end + 1.0
end subroutine

subroutine kw_entry(b)
  real b, entry
  entry = b
  b = entry + 1.0
end subroutine

subroutine kw_enum(b)
  real b, enum
  enum = b
  b = enum + 1.0
end subroutine

subroutine kw_error(b)
  real b, error
  error = b
  b = error + 1.0
end subroutine

subroutine kw_event(b)
  real b, event
  event = b
  b = event + 1.0
end subroutine

subroutine kw_exit(b)
  real b, exit
  exit = b
  b = exit + 1.0
end subroutine

subroutine kw_external(b)
  real b, external
  external = b
  b = external + 1.0
end subroutine

subroutine kw_fail(b)
  real b, fail
  fail = b
  b = fail + 1.0
end subroutine

subroutine kw_final(b)
  real b, final
  final = b
  b = final + 1.0
end subroutine

subroutine kw_flush(b)
  real b, flush
  flush = b
  b = flush + 1.0
end subroutine

subroutine kw_forall(b)
  real b, forall
  forall = b
  b = forall + 1.0
end subroutine

subroutine kw_form(b)
  real b, form
  form = b
  b = form + 1.0
end subroutine

subroutine kw_format(b)
  real b, format
  format = b
  b = format + 1.0
end subroutine

subroutine kw_function(b)
  real b, function
  function = b
  b = function + 1.0
end subroutine

subroutine kw_generic(b)
  real b, generic
  generic = b
  b = generic + 1.0
end subroutine

subroutine kw_go(b)
  real b, go
  go = b
  b = go + 1.0
end subroutine

subroutine kw_if(b)
  real b, if
  if = b
  b = if + 1.0
end subroutine

subroutine kw_image(b)
  real b, image
  image = b
  b = image + 1.0
end subroutine

subroutine kw_implicit(b)
  real b, implicit
  implicit = b
  b = implicit + 1.0
end subroutine

subroutine kw_in(b)
  real b, in
  in = b
  b = in + 1.0
end subroutine

subroutine kw_include(b)
  real b, include
  include = b
  b = include + 1.0
end subroutine

subroutine kw_inout(b)
  real b, inout
  inout = b
  b = inout + 1.0
end subroutine

subroutine kw_inquire(b)
  real b, inquire
  inquire = b
  b = inquire + 1.0
end subroutine

subroutine kw_integer(b)
  real b, integer
  integer = b
  b = integer + 1.0
end subroutine

subroutine kw_interface(b)
  real b, interface
  interface = b
  b = interface + 1.0
end subroutine

subroutine kw_interval(b)
  real b, interval
  interval = b
  b = interval + 1.0
end subroutine

subroutine kw_is(b)
  real b, is
  is = b
  b = is + 1.0
end subroutine

subroutine kw_kind(b)
  real b, kind
  kind = b
  b = kind + 1.0
end subroutine

subroutine kw_len(b)
  real b, len
  len = b
  b = len + 1.0
end subroutine

subroutine kw_lock(b)
  real b, lock
  lock = b
  b = lock + 1.0
end subroutine

subroutine kw_logical(b)
  real b, logical
  logical = b
  b = logical + 1.0
end subroutine

subroutine kw_module(b)
  real b, module
  module = b
  b = module + 1.0
end subroutine

subroutine kw_name(b)
  real b, name
  name = b
  b = name + 1.0
end subroutine

subroutine kw_none(b)
  real b, none
  none = b
  b = none + 1.0
end subroutine

subroutine kw_nullify(b)
  real b, nullify
  nullify = b
  b = nullify + 1.0
end subroutine

subroutine kw_only(b)
  real b, only
  only = b
  b = only + 1.0
end subroutine

subroutine kw_open(b)
  real b, open
  open = b
  b = open + 1.0
end subroutine

subroutine kw_out(b)
  real b, out
  out = b
  b = out + 1.0
end subroutine

subroutine kw_pause(b)
  real b, pause
  pause = b
  b = pause + 1.0
end subroutine

subroutine kw_pointer(b)
  real b, pointer
  pointer = b
  b = pointer + 1.0
end subroutine

subroutine kw_post(b)
  real b, post
  post = b
  b = post + 1.0
end subroutine

subroutine kw_precision(b)
  real b, precision
  precision = b
  b = precision + 1.0
end subroutine

subroutine kw_print(b)
  real b, print
  print = b
  b = print + 1.0
end subroutine

subroutine kw_private(b)
  real b, private
  private = b
  b = private + 1.0
end subroutine

subroutine kw_procedure(b)
  real b, procedure
  procedure = b
  b = procedure + 1.0
end subroutine

subroutine kw_program(b)
  real b, program
  program = b
  b = program + 1.0
end subroutine

subroutine kw_public(b)
  real b, public
  public = b
  b = public + 1.0
end subroutine

subroutine kw_rank(b)
  real b, rank
  rank = b
  b = rank + 1.0
end subroutine

subroutine kw_read(b)
  real b, read
  read = b
  b = read + 1.0
end subroutine

subroutine kw_real(b)
  real b, real
  real = b
  b = real + 1.0
end subroutine

subroutine kw_result(b)
  real b, result
  result = b
  b = result + 1.0
end subroutine

subroutine kw_return(b)
  real b, return
  return = b
  b = return + 1.0
end subroutine

subroutine kw_rewind(b)
  real b, rewind
  rewind = b
  b = rewind + 1.0
end subroutine

subroutine kw_save(b)
  real b, save
  save = b
  b = save + 1.0
end subroutine

subroutine kw_scale(b)
  real b, scale
  scale = b
  b = scale + 1.0
end subroutine

subroutine kw_select(b)
  real b, select
  select = b
  b = select + 1.0
end subroutine

subroutine kw_sequence(b)
  real b, sequence
  sequence = b
  b = sequence + 1.0
end subroutine

subroutine kw_size(b)
  real b, size
  size = b
  b = size + 1.0
end subroutine

subroutine kw_stop(b)
  real b, stop
  stop = b
  b = stop + 1.0
end subroutine

subroutine kw_subroutine(b)
  real b, subroutine
  subroutine = b
  b = subroutine + 1.0
end subroutine

subroutine kw_sum(b)
  real b, sum
  sum = b
  b = sum + 1.0
end subroutine

subroutine kw_sync(b)
  real b, sync
  sync = b
  b = sync + 1.0
end subroutine

subroutine kw_target(b)
  real b, target
  target = b
  b = target + 1.0
end subroutine

subroutine kw_team(b)
  real b, team
  team = b
  b = team + 1.0
end subroutine

subroutine kw_then(b)
  real b, then
  then = b
  b = then + 1.0
end subroutine

subroutine kw_to(b)
  real b, to
  to = b
  b = to + 1.0
end subroutine

subroutine kw_type(b)
  real b, type
  type = b
  b = type + 1.0
end subroutine

subroutine kw_use(b)
  real b, use
  use = b
  b = use + 1.0
end subroutine

subroutine kw_value(b)
  real b, value
  value = b
  b = value + 1.0
end subroutine

subroutine kw_wait(b)
  real b, wait
  wait = b
  b = wait + 1.0
end subroutine

subroutine kw_where(b)
  real b, where
  where = b
  b = where + 1.0
end subroutine

subroutine kw_while(b)
  real b, while
  while = b
  b = while + 1.0
end subroutine

subroutine kw_write(b)
  real b, write
  write = b
  b = write + 1.0
end subroutine
