//! Intrinsic procedures, from the front end to the proved derivative.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/intrinsics");
    Case::new(&folder, &[file], head)
}

#[test]
fn shifted() {
    case("rearranged.f90", "shifts").prove_in(Build::Checked);
}

#[test]
fn reshaped() {
    case("rearranged.f90", "shapes").prove_in(Build::Checked);
}

#[test]
fn packed_and_unpacked() {
    case("rearranged.f90", "packed").prove_in(Build::Checked);
}

#[test]
fn merged_and_spread() {
    case("rearranged.f90", "merged").prove_in(Build::Checked);
}

#[test]
fn located() {
    case("located.f90", "located: x, v -> y")
        .with("n=3,4,3,4,1 k=0,0")
        .prove_in(Build::Checked);
}

#[test]
fn reduced() {
    case("reduced.f90", "reduced").prove_in(Build::Checked);
}

#[test]
fn products_of_complex_vectors() {
    case("reduced.f90", "complex_products").prove_in(Build::Checked);
}

#[test]
fn specific_names() {
    case("specific.f90", "f").prove_in(Build::Checked);
}

#[test]
fn functions_of_one_and_two_numbers() {
    case("functions.f90", "f").prove_in(Build::Checked);
}

#[test]
fn functions_without_derivative() {
    case("passive.f90", "f")
        .with("n=2")
        .prove_in(Build::Checked);
}

/// READ cuts the adjoint of what it reads, WRITE keeps that of what it writes.
#[test]
fn read_and_write() {
    case("read_and_write.f90", "f: x -> y").prove_in(Build::Checked);
}

/// Loops among the items of a READ.
#[test]
fn read_by_implied_loops() {
    case("read_loops.f90", "f: x -> y").prove_in(Build::Checked);
    let refused = case("read_loop_refused.f90", "f: x -> y").check(Build::Quick);
    assert_eq!(refused.status, 1, "{}", refused.error);
    let place = refused.error.contains("read_loop_refused.f90:11:3");
    assert!(place && refused.error.contains("help"), "{}", refused.error);
}

/// Dimensions that are known at run time only, and all bounds at once.
#[test]
fn dimensions_and_bounds() {
    case("dimensions.f90", "m::head: x -> y")
        .with("n=4 x=0.5:1.5")
        .prove();
}

/// Nothing is cut where READ says that it failed.
#[test]
fn read_that_fails() {
    case("read_with_status.f90", "f: x -> x, y").prove_in(Build::Checked);
    case("read_with_jump.f90", "f: x -> x, y").prove_in(Build::Checked);
}

#[test]
fn a_call_that_reads_from_a_file_is_not_run_twice() {
    let outcome = case("read_in_callee.f90", "f: x -> y").check(Build::Checked);
    assert_ne!(outcome.status, 0);
    for word in [
        "error[not-reversible]",
        "`inner`",
        "read_in_callee.f90:20:3",
        "a second time",
        "pass the values",
    ] {
        assert!(outcome.error.contains(word), "{}", outcome.error);
    }
}

/// `[real(8) :: 1, 2]`: the values of a list are converted to the type that it states; a list may be
/// empty, and of texts; a named array of constants may be listed by an implied loop.
#[test]
fn lists_that_state_their_type() {
    case("converted_lists.f90", "head: x -> y").prove_in(Build::Checked);
    let typed = case("typed_lists.f90", "head: x -> y").with("n=3 x=0.5:1.5");
    typed.prove_in(Build::Checked);
}

#[test]
fn a_list_that_grows_and_shrinks() {
    let case = case("growing_list.f90", "head: x -> y").with("n=5 x=0.5:1.5");
    case.prove_in(Build::Checked);
}

#[test]
fn the_gamma_function() {
    case("gamma.f90", "head: u -> v")
        .with("n=3 u=0.5:0.7")
        .prove();
}
