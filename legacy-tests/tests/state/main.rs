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

/// A table in COMMON that is computed where its key changes. A filled table gives another derivative
/// than an empty one: the user is asked, and the values of BLOCK DATA are set again at each call.
#[test]
fn a_cache_in_common_is_emptied_or_refused() {
    let cache = || case("cache_in_common.f", "table: x -> y").with("n=6");
    cache().options("--saved fresh").prove();
    let text = cache().check(Build::Optimised).error;
    assert!(text.contains("error[saved-active]: `T` keeps"), "{text}");
    assert!(text.contains("cache_in_common.f:5"), "{text}");
    assert!(text.contains("--kept T"), "{text}");
}

/// `u = u + dt*u**2` in a module: where `u` is no input, the user says what it holds at entry.
#[test]
fn fields_that_a_step_advances_are_inputs_or_meant_as_constants() {
    let step = |head| case("fields_of_a_module.f90", head);
    let text = step("step: dt -> e").check(Build::Optimised).error;
    assert!(text.contains("error[saved-active]: `u` keeps"), "{text}");
    step("step: dt -> e").options("--kept u").prove();
    step("step: dt -> e").options("--saved fresh").prove();
    step("step: dt, u -> e").prove();
}

/// A filter keeps its memory in private variables of its module; the head calls it in a loop and once more.
#[test]
fn private_state_of_another_module_is_restored() {
    case("filter_of_another_module.f90", "head: x, g -> y")
        .with("n=5")
        .prove();
}

/// A table and a flag that only the module can name: each call starts with their initial values.
#[test]
fn private_state_starts_anew() {
    case("private_cache.f90", "head: x -> y")
        .options("--saved fresh")
        .prove();
}

/// `EQUIVALENCE (A(3), C(1)), (B, A(2))` with blanket SAVE and DATA; and in a module.
#[test]
fn what_is_kept_in_an_equivalence_is_one_variable() {
    case("saved_equivalence.f", "tab: x -> y")
        .options("--saved fresh")
        .prove();
    case("equivalence_of_a_module.f90", "head: x -> y").prove();
}

/// A real number that DATA gives by the integers in its memory.
#[test]
fn bits_that_cannot_be_repeated_are_refused() {
    let text = case("bits_by_equivalence.f", "tab: x -> y")
        .check(Build::Optimised)
        .error;
    assert!(
        text.contains("error[not-in-fortran]: `D` has values"),
        "{text}"
    );
}

/// `k = f(n)` and a call that change what the bounds of a local array were made of.
#[test]
fn bounds_stay_those_of_entry_whoever_changes_their_variables() {
    case("function_moves_bounds.f90", "head: x -> y")
        .with("n0=5")
        .prove();
    case("callee_moves_bounds.f90", "head: x -> y").prove();
}

/// A cache with a key and one with a flag at file scope, statics of a function, and their initial values.
#[test]
fn statics_of_c_start_anew() {
    case("caches_of_a_file.c", "head: x -> return")
        .with("n=4")
        .extents("x=n")
        .options("--saved fresh")
        .prove();
    case("table_of_a_file.c", "head: x -> return")
        .options("--saved fresh")
        .prove();
    let text = case("table_of_a_file.c", "head: x -> return")
        .check(Build::Optimised)
        .error;
    assert!(
        text.contains("error[saved-active]: `table` keeps"),
        "{text}"
    );
}

/// Tables that a file without functions defines, some in rows and with zeros left out; names that are
/// declared before they are given values.
#[test]
fn tables_of_another_file_start_anew() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/state");
    let files = ["changes_tables.c", "tables-of-data.c"];
    Case::new(&folder, &files, "weighted: x -> y")
        .with("n=6")
        .extents("x=n y=n")
        .options("--saved fresh")
        .prove();
}

/// A first-call flag, a counter, a filter in SAVE, and a generator of random numbers in COMMON.
#[test]
fn a_filter_and_a_random_seed() {
    case("filter_and_seed.f", "head: x -> y")
        .with("n=5")
        .options("--saved fresh")
        .prove();
}

/// Their shadows follow them; what they point to has to be as the program started with it.
#[test]
fn pointers_that_point_somewhere_from_the_start() {
    for head in ["through_a_pointer", "through_rows", "through_a_member"] {
        let case = case("pointers_at_start.c", &format!("{head}: x -> return"))
            .with("n=5")
            .extents("x=n");
        let text = case.clone().check(Build::Checked).error;
        assert!(text.contains("error[saved-active]"), "{text}");
        let fresh = case.clone().options("--saved fresh").check(Build::Checked);
        assert!(
            fresh.error.contains("error[saved-state]"),
            "{}",
            fresh.error
        );
        case.options("--saved kept --before begin()")
            .prove_in(Build::Checked);
    }
}
