//! What programs compute, and which ones are refused.

use contraflow_ir::interp::{Error, Machine, Value, run};
use contraflow_ir::parse::parse;
use contraflow_ir::{Module, ProcedureId};

fn module(text: &str) -> (Module, ProcedureId) {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let entry = module.procedures_named("main")[0];
    (module, entry)
}

/// Runs `main` and gives back its arguments.
fn results(text: &str, mut arguments: Vec<Value>) -> Vec<Value> {
    let (module, entry) = module(text);
    run(&module, entry, &mut arguments).unwrap_or_else(|error| panic!("{error}"));
    arguments
}

/// Runs `main`, which must fail.
fn failure(text: &str, mut arguments: Vec<Value>) -> Error {
    let (module, entry) = module(text);
    run(&module, entry, &mut arguments).expect_err("the run must fail")
}

fn matrix(rows: usize, data: &[f64]) -> Value {
    Value::RealArray {
        shape: vec![rows, data.len() / rows],
        data: data.to_vec(),
    }
}

const VECTOR: &str = "procedure main(n, a) {
  var n: i32 argument(0) value
  var a: f64[n from 1] argument(1)
  var i: i32
  var x: f64
";

#[test]
fn a_loop_leaves_its_variable_after_the_last_value() {
    let text = format!("{VECTOR} loop i = 1, n, 2 {{ a[i] = f64(i) }} a[2] = f64(i) }}");
    let left = results(&text, vec![Value::Int(4), Value::reals(vec![0.0; 4])]);
    assert_eq!(left[1], Value::reals(vec![1.0, 5.0, 3.0, 0.0]));
}

#[test]
fn a_loop_without_iterations_sets_its_variable() {
    let text = format!("{VECTOR} loop i = 3, 1 {{ a[1] = 9.0 }} a[2] = f64(i) }}");
    let left = results(&text, vec![Value::Int(2), Value::reals(vec![0.0; 2])]);
    assert_eq!(left[1], Value::reals(vec![0.0, 3.0]));
}

#[test]
fn functions_give_values_and_subroutines_change_places() {
    let left = results(
        "procedure square(x) -> r { var x: f64 argument(0) value var r: f64 result r = x * x }
         procedure bump(x, d) { var x: f64 argument(0) var d: f64 argument(1) x = x + d }
         procedure main(x) { var x: f64 argument(0) x = call square(x + 1.0) call bump(&x, 0.5) }",
        vec![Value::Real(2.0)],
    );
    assert_eq!(left, [Value::Real(9.5)]);
}

#[test]
fn the_value_of_a_function_is_given_back() {
    let (module, entry) = module(
        "procedure main(x) -> r { var x: f64 argument(0) value var r: f64 result r = sin(x) }",
    );
    let value = run(&module, entry, &mut [Value::Real(0.5)]);
    assert_eq!(value, Ok(Some(Value::Real(0.5f64.sin()))));
}

#[test]
fn columns_rows_and_tails_of_arrays_are_passed() {
    // A contiguous column, a row with gaps, and elements from a place on.
    let left = results(
        "procedure fill(n, v, x) {
           var n: i32 argument(0) value var v: f64[n from 1] argument(1) var x: f64 argument(2) value
           var i: i32 loop i = 1, n { v[i] = v[i] + x * f64(i) } }
         procedure main(a) {
           var a: f64[2 from 1, 3 from 1] argument(0)
           call fill(2, &a[.., 2], 1.0)
           call fill(3, &a[2, ..], 10.0)
           call fill(2, &a[1, 3], 100.0) }",
        vec![matrix(2, &[0.0; 6])],
    );
    assert_eq!(left, [matrix(2, &[0.0, 10.0, 1.0, 22.0, 100.0, 230.0])]);
}

#[test]
fn assumed_shapes_take_the_extent_and_keep_their_lower_bound() {
    let left = results(
        "procedure ends(v) { var v: f64[: from 0] argument(0) v[0] = 1.0 v[upper(v, 0)] = f64(extent(v, 0)) }
         procedure main(a) { var a: f64[7 from 1] argument(0) call ends(&a[1..7 by 3]) }",
        vec![Value::reals(vec![0.0; 7])],
    );
    assert_eq!(
        left,
        [Value::reals(vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0])]
    );
}

#[test]
fn an_allocatable_comes_back_allocated() {
    let left = results(
        "procedure make(v, n) { var v: f64[& from 1] argument(0) allocatable var n: i32 argument(1) value
           allocate v (n from 2) fill v = 3.0 }
         procedure main(x) { var x: f64 argument(0) var w: f64[& from 1] allocatable
           if present(w) { x = -1.0 }
           call make(&w, 4)
           if present(w) { x = x + w[5] + f64(lower(w, 0)) }
           free w }",
        vec![Value::Real(1.0)],
    );
    assert_eq!(left, [Value::Real(6.0)]);
}

#[test]
fn common_blocks_are_laid_out_by_bytes() {
    let left = results(
        "common \"shared\" 24
         procedure set() { var a: f64[2 from 1] common(0, 0) var k: i32 common(0, 16)
           a[1] = 1.0 a[2] = 2.0 k = 7 }
         procedure main(x) { var x: f64 argument(0) var p: f64 common(0, 8) var k: i32 common(0, 16)
           call set() x = p + f64(k) }",
        vec![Value::Real(0.0)],
    );
    assert_eq!(left, [Value::Real(9.0)]);
}

#[test]
fn overlaid_variables_share_memory() {
    let left = results(
        "procedure main(x) { var x: f64 argument(0)
           var a: f64[3 from 1] var second: f64 overlay(a, 8)
           fill a = 1.0 second = 5.0 x = a[2] + a[3] }",
        vec![Value::Real(0.0)],
    );
    assert_eq!(left, [Value::Real(6.0)]);
}

#[test]
fn saved_variables_and_globals_outlive_calls() {
    let (module, entry) = module(
        "global scale: f64 module
         procedure main(x) { var x: f64 argument(0) var scale: f64 global(0)
           var count: i32 saved initial(0) count = count + 1 scale = scale * 2.0 x = scale + f64(count) }",
    );
    let mut machine = Machine::new(&module);
    machine.set_global("scale", &Value::Real(10.0)).unwrap();
    let mut arguments = [Value::Undefined(vec![])];
    machine.run(entry, &mut arguments).unwrap();
    machine.run(entry, &mut arguments).unwrap();
    assert_eq!(arguments, [Value::Real(42.0)]);
    assert_eq!(machine.global("scale"), Ok(Some(Value::Real(40.0))));
}

#[test]
fn pointers_and_records_reach_their_targets() {
    let left = results(
        "record \"point\" { field x: f64 field v: f64[2 from 0] }
         pointer record(0)
         procedure main(x) { var x: f64 argument(0)
           var s: record(0)[2 from 0] var p: pointer(0)
           s[1].v[1] = 4.0 s[0].x = 1.0
           point p = place s[0] plus 1
           p.*.x = p.*[0].v[1] + s[0].x
           x = s[1].x }",
        vec![Value::Real(0.0)],
    );
    assert_eq!(left, [Value::Real(5.0)]);
}

#[test]
fn tapes_give_back_last_values_first() {
    let left = results(
        "procedure main(x, y) { var x: f64 argument(0) var y: f64 argument(1)
           var t: f64[& from 1] tape
           push t, 1.0 push t, 2.0 pop t, x pop t, y }",
        vec![Value::Real(0.0), Value::Real(0.0)],
    );
    assert_eq!(left, [Value::Real(2.0), Value::Real(1.0)]);
}

#[test]
fn a_switch_takes_the_first_arm_that_fits() {
    let text = "procedure main(k, x) { var k: i32 argument(0) var x: f64 argument(1)
         switch k { case 1, 5.. { x = 1.0 } case ..3 { x = 2.0 } default { x = 3.0 } } }";
    for (k, x) in [(1, 1.0), (9, 1.0), (-4, 2.0), (4, 3.0)] {
        let left = results(text, vec![Value::Int(k), Value::Real(0.0)]);
        assert_eq!(left[1], Value::Real(x));
    }
}

#[test]
fn single_precision_is_rounded_at_each_step() {
    let left = results(
        "procedure main(x) { var x: f32 argument(0) x = x + 1.0e-8:f32 x = x * 0.1:f32 }",
        vec![Value::Real(1.0)],
    );
    assert_eq!(left, [Value::Real(f64::from(0.1f32))]);
}

#[test]
fn elements_outside_the_array_are_refused() {
    let text = format!("{VECTOR} i = n + 1 x = a[i] }}");
    let error = failure(&text, vec![Value::Int(2), Value::reals(vec![0.0; 2])]);
    assert_eq!(
        error,
        Error::OutOfBounds("subscript 3 of `a` in `main`".into())
    );
}

#[test]
fn a_formal_array_longer_than_the_actual_one_is_refused() {
    let text = format!("{VECTOR} a[n] = 1.0 }}");
    let error = failure(&text, vec![Value::Int(3), Value::reals(vec![0.0; 2])]);
    assert!(matches!(error, Error::OutOfBounds(_)));
}

#[test]
fn undefined_values_are_refused() {
    let text = format!("{VECTOR} a[1] = x }}");
    let error = failure(&text, vec![Value::Int(2), Value::reals(vec![0.0; 2])]);
    assert_eq!(error, Error::Undefined("`x` in `main`".into()));
}

#[test]
fn endless_loops_and_recursion_are_ended() {
    let endless = format!("{VECTOR} while true {{ x = 1.0 }} }}");
    let (module, entry) = module(&endless);
    let mut machine = Machine::new(&module);
    machine.limit(1000);
    let mut arguments = [Value::Int(1), Value::reals(vec![0.0])];
    assert_eq!(machine.run(entry, &mut arguments), Err(Error::StepLimit));
    let recursive = "procedure main() { call main() }";
    assert_eq!(failure(recursive, Vec::new()), Error::StepLimit);
}

#[test]
fn wrong_arithmetic_of_integers_is_refused() {
    for body in ["i = 2147483647 i = i + 1", "i = 0 i = 1 / i"] {
        let text = format!("{VECTOR} {body} }}");
        let arguments = vec![Value::Int(1), Value::reals(vec![0.0])];
        assert!(matches!(failure(&text, arguments), Error::Wrong(_)));
    }
}

#[test]
fn only_and_then_protects_its_right_operand() {
    let arguments = || vec![Value::Int(1), Value::reals(vec![0.5])];
    let guarded = format!("{VECTOR} i = 2 if i <= n && a[i] > 0.0 {{ a[1] = 7.0 }} }}");
    assert_eq!(results(&guarded, arguments())[1], Value::reals(vec![0.5]));
    let unguarded = guarded.replace("&&", "and");
    assert!(matches!(
        failure(&unguarded, arguments()),
        Error::OutOfBounds(_)
    ));
}

#[test]
fn complex_numbers_are_pairs() {
    let left = results(
        "procedure main(z, x) { var z: c64 argument(0) var x: f64 argument(1)
           z = z * complex(0.0, 1.0) x = abs(z) }",
        vec![Value::Complex(3.0, 4.0), Value::Real(0.0)],
    );
    assert_eq!(left, [Value::Complex(-4.0, 3.0), Value::Real(5.0)]);
}

#[test]
fn optional_arguments_may_be_absent_and_procedures_are_passed() {
    let left = results(
        "procedure twice(x) { var x: f64 argument(0) x = 2.0 * x }
         procedure apply(f, x, y) { var f: procedure argument(0) var x: f64 argument(1)
           var y: f64 argument(2) optional
           call via f(&x) if present(y) { x = x + y } }
         procedure main(x) { var x: f64 argument(0) var y: f64 y = 1.0
           call apply(procedure twice, &x, absent) call apply(procedure twice, &x, &y) }",
        vec![Value::Real(1.0)],
    );
    assert_eq!(left, [Value::Real(5.0)]);
}

#[test]
fn a_pointer_has_the_bounds_that_are_stated() {
    // From 0; of a section, from 1; as a matrix of the first four of every second element.
    let left = results(
        "procedure main(a) {
           var a: f64[8 from -1] argument(0)
           var p: f64[& from 1] pointed
           var q: f64[& from 1, & from 1] pointed
           point p = copy a bounds (0)
           p[0] = f64(lower(p, 0)) + 10.0
           point p = place a[0..]
           p[1] = f64(lower(p, 0)) + 20.0
           point q = place a[.. by 2] bounds (5 to 6, 0 to 1)
           q[6, 1] = f64(extent(q, 1)) + f64(upper(q, 0)) }",
        vec![Value::reals(vec![0.0; 8])],
    );
    let expected = vec![10.0, 21.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0];
    assert_eq!(left[0], Value::reals(expected));
}

#[test]
fn a_pointer_shows_no_more_elements_than_there_are() {
    let error = failure(
        "procedure main(a) {
           var a: f64[4 from 1] argument(0)
           var p: f64[& from 1] pointed
           point p = place a[2..] bounds (1 to 4) }",
        vec![Value::reals(vec![0.0; 4])],
    );
    assert!(matches!(error, Error::OutOfBounds(_)), "{error}");
}

#[test]
fn a_pointer_is_associated_with_what_it_shows() {
    let left = results(
        "procedure main(a) {
           var a: f64[6 from 1] argument(0)
           var p: f64[& from 1] pointed
           var q: f64[& from 1] pointed
           if associated(p, q) { a[1] = -1.0 }
           point p = place a[2..] bounds (0)
           if associated(p, a) { a[2] = -1.0 }
           if associated(p, a[2..6]) { a[3] = 1.0 }
           point q = place a[2..6 by 2]
           if associated(p, q) { a[4] = -1.0 }
           point q = copy p
           if associated(p, q) { a[5] = 1.0 }
           point q = place a[3..2]
           if associated(q, q) { a[6] = -1.0 } }",
        vec![Value::reals(vec![0.0; 6])],
    );
    let expected = vec![0.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    assert_eq!(left[0], Value::reals(expected));
}
