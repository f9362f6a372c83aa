//! Programs whose adjoint was once silently wrong, each named after what it does. Each is proved in
//! an optimised and in a checked build.

use contraflow_legacy_tests::proof::Case;
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    Case::new(&folder, &[file], head)
}

/// `call two(u, u*x)`: the factors of `u*x` are those from before the call.
#[test]
fn an_expression_argument_reads_what_the_callee_overwrites() {
    case("expression_argument_of_overwritten.f90", "f: x -> y").prove();
}

/// `call g(n, x, x(2), y)`: two arguments, one memory, two shadows.
#[test]
fn two_arguments_share_an_element() {
    case("overlapping_arguments.f90", "f: x -> y")
        .with("n=3")
        .prove();
}

/// `call two(k, u(k))`: `k` is put back before `u(k)`.
#[test]
fn a_callee_changes_the_subscript_of_its_other_argument() {
    case("overwritten_subscript.f90", "f: x -> y").prove();
}

/// `call two(k, u(k)*x(2), y)`: the shadow of `u(k)` is that of the old `k`.
#[test]
fn a_callee_changes_a_subscript_in_an_expression_argument() {
    case("subscript_in_expression_argument.f90", "f: x -> y")
        .with("n=4")
        .prove();
}

/// A split callee restores its result in the last loop: the primal's own results must stay.
#[test]
fn a_split_call_in_the_last_loop_keeps_results() {
    case("split_call_in_last_loop.f90", "f: x -> y")
        .with("n=4")
        .prove();
}

/// `mul(s, s)` where the callee modifies its copy.
#[test]
fn a_callee_modifies_an_argument_passed_twice_by_value() {
    case("argument_changed_by_callee.c", "f: x -> return")
        .with("n=3")
        .prove();
}
