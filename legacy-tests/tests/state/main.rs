//! State in all its forms: SAVE and DATA, COMMON, EQUIVALENCE, module variables.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/state");
    Case::new(&folder, &[file], head)
}

/// A weight, a counter and a flag that a callee keeps: the adjoint calls it twice per iteration.
#[test]
fn a_callee_keeps_what_it_computes() {
    for saved in ["--saved fresh", "--saved kept"] {
        case("saved_between_calls.f", "head: x -> y")
            .with("n=5")
            .options(saved)
            .prove();
    }
}

/// Without a word on what the saved weight holds at entry there is no derivative.
#[test]
fn state_that_carries_derivatives_asks_what_is_meant() {
    let text = case("saved_between_calls.f", "head: x -> y")
        .with("n=5")
        .check(Build::Optimised)
        .error;
    assert!(text.contains("error[saved-active]: `W` keeps"), "{text}");
    assert!(text.contains("saved_between_calls.f:3"), "{text}");
    assert!(text.contains("--saved fresh"), "{text}");
}

/// Repeat counts, nested implied loops with strides, 100,000 elements, all types; and the arrays are
/// written.
#[test]
fn data_of_all_forms_is_repeated() {
    case("data_of_all_forms.f", "tab: x -> y")
        .with("n=7")
        .options("--saved fresh")
        .prove();
}
