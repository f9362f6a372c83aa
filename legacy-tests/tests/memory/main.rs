//! Memory that comes and goes: allocated in loops and under conditions, given another shape by
//! assignment, moved, made by callees, kept in modules. Each program is proved in a checked build, in
//! which nothing may leak and nothing may be used after it was released; some in an optimised one too.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    Case::new(&folder, &[file], "m::head: x -> y").with("n=5")
}

#[test]
fn allocated_in_a_loop() {
    case("allocated_in_loop.f90").prove();
}

#[test]
fn allocated_under_a_condition() {
    case("allocated_under_a_condition.f90").prove_in(Build::Checked);
}

#[test]
fn left_early() {
    case("early_exit.f90").prove_in(Build::Checked);
}

#[test]
fn moved() {
    case("moved.f90").prove_in(Build::Checked);
}

#[test]
fn reallocated_by_assignment() {
    case("reallocated_by_assignment.f90").prove_in(Build::Checked);
}

#[test]
fn made_by_callees() {
    case("made_by_callees.f90").prove();
}

#[test]
fn given_by_functions() {
    case("memory_of_functions.f90").prove();
    case("views.f90").prove();
}

/// A body that calls itself cannot stand in its caller, which alone could put the pointer back.
#[test]
fn a_recursive_function_that_gives_a_pointer_is_refused() {
    let outcome = case("views_refused.f90").check(Build::Quick);
    assert_eq!(outcome.status, 1, "{}", outcome.error);
    let place = outcome.error.contains("views_refused.f90:9:7");
    assert!(place && outcome.error.contains("help"), "{}", outcome.error);
}

#[test]
fn kept_in_a_module() {
    case("kept_in_a_module.f90").prove_in(Build::Checked);
}

#[test]
fn several_ranks_and_recursion() {
    case("several_ranks.f90").prove_in(Build::Checked);
}

#[test]
fn jumps_between_allocation_and_release() {
    case("jumps_and_memory.f90").prove_in(Build::Checked);
}

#[test]
fn allocatable_components() {
    case("components.f90").prove_in(Build::Checked);
}

#[test]
fn components_passed_to_callees() {
    case("component_arguments.f90").prove_in(Build::Checked);
}

#[test]
fn sections_passed_to_callees() {
    case("sections.f90").prove_in(Build::Checked);
}

#[test]
fn malloc_in_loops() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    for head in ["head: x -> return", "head2: x -> return"] {
        Case::new(&folder, &["malloc_in_loops.c"], head)
            .with("n=5")
            .extents("x=n")
            .prove_in(Build::Checked);
    }
}

#[test]
fn time_levels_rotated_through_pointers() {
    case("pointer_rotation.f90").prove();
}

#[test]
fn pointers_to_sections_and_components() {
    case("pointer_targets.f90").prove_in(Build::Checked);
}

#[test]
fn a_linked_list() {
    case("linked_list.f90").prove_in(Build::Checked);
}

#[test]
fn memory_behind_pointers() {
    case("allocated_pointers.f90").prove_in(Build::Checked);
}

#[test]
fn a_pointer_into_an_array_that_is_allocated_once() {
    case("pointer_into_allocated.f90").prove_in(Build::Checked);
}

#[test]
fn rows_of_another_length_in_each_pass() {
    case("eliminated_rows.f90").prove_in(Build::Checked);
}

#[test]
fn pointers_with_stated_bounds() {
    case("pointers_with_bounds.f90").prove_in(Build::Checked);
    case("pointers_to_first_elements.f90").prove_in(Build::Checked);
    case("pointers_with_other_bounds.f90").prove_in(Build::Checked);
    case("pointers_into_common.f90").prove_in(Build::Checked);
}

#[test]
fn pointers_that_take_bounds_from_their_targets() {
    case("bounds_of_targets.f90").prove_in(Build::Checked);
    case("bounds_asked_in_loops.f90").prove_in(Build::Checked);
}

#[test]
fn pointers_that_are_initialised_to_be_nullified() {
    case("initialised_pointers.f90").prove_in(Build::Checked);
}

#[test]
fn what_pointers_show_decides() {
    case("associated_with.f90").prove_in(Build::Checked);
}

#[test]
fn results_written_through_pointers() {
    case("results_through_pointers.f90").prove_in(Build::Checked);
}

#[test]
fn lists_of_a_callee() {
    case("lists_of_a_callee.f90").prove_in(Build::Checked);
}

#[test]
fn components_in_components() {
    case("nested_components.f90")
        .with("x=0.1:0.9")
        .prove_in(Build::Checked);
}

#[test]
fn time_levels_in_components() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    let file = "time_levels_in_components.f90";
    Case::new(&folder, &[file], "drive: x -> y")
        .with("n=6 x=0.5:1.5")
        .prove_in(Build::Checked);
}

/// A function whose value is a record with allocatable components, of another size in each pass.
#[test]
fn records_with_memory_are_values_of_functions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    Case::new(&folder, &["records_of_functions.f90"], "em::head: u -> v")
        .with("n=3 u=0.5:0.9")
        .prove();
}

/// A program in C whose function `head` takes `n` numbers `x` and gives one.
fn in_c(file: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    let case = Case::new(&folder, &[file], "head: x -> return");
    case.with("n=7").extents("x=n")
}

#[test]
fn memory_released_on_several_ways_out() {
    in_c("early_frees.c").prove();
    in_c("passed_on.c").prove_in(Build::Checked);
}

#[test]
fn memory_released_in_loops_that_are_left_and_continued() {
    in_c("frees_in_loops.c")
        .with("x=0.3:1.2")
        .prove_in(Build::Checked);
}

#[test]
fn addresses_that_callees_keep_and_do_not_keep() {
    in_c("kept_addresses.c").prove_in(Build::Checked);
}

#[test]
fn structs_copied_by_memcpy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    Case::new(&folder, &["copies_of_structs.c"], "head: x -> return")
        .extents("x=3")
        .prove_in(Build::Checked);
    in_c("copies_of_levels.c").prove_in(Build::Checked);
}

/// What an integer says at the call is not what it said at the allocation.
#[test]
fn a_size_that_changed_since_is_asked_for() {
    let outcome = in_c("size_changed.c").check(Build::Checked);
    assert!(
        outcome
            .error
            .contains("error[unknown-extent]: the adjoint must save `w`"),
        "{}{}",
        outcome.out,
        outcome.error
    );
}

#[test]
fn memory_that_grows() {
    in_c("growing.c").with("x=0.1:1.5").prove();
}

fn head_in_c(file: &str, head: &str) -> Case {
    let case = in_c(file).with("x=0.1:1.5");
    Case {
        head: format!("{head}: x -> return"),
        ..case
    }
}

#[test]
fn memory_that_grows_if_there_is_some() {
    let heads = [
        "tested",
        "tested_in_place",
        "tested_where_assigned",
        "either_way",
        "of_nothing",
    ];
    for head in heads {
        head_in_c("growing.c", head).prove_in(Build::Checked);
    }
}

#[test]
fn memory_in_structs_without_end_and_trees_are_refused() {
    let told = |head: &str| {
        head_in_c("arrays_at_the_end.c", head)
            .check(Build::Checked)
            .error
    };
    let text = told("head");
    assert!(text.contains("how many numbers `malloc` makes"), "{text}");
    assert!(text.contains("arrays_at_the_end.c:10:21"), "{text}");
    let text = told("of_a_tree");
    assert!(text.contains("arrays_at_the_end.c:30:12"), "{text}");
    assert!(text.contains("without recursion"), "{text}");
}

#[test]
fn memory_that_the_library_makes_and_fills() {
    for head in ["head", "numbers"] {
        head_in_c("memory_of_the_library.c", head).prove_in(Build::Checked);
    }
}

fn with_head(file: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    Case::new(&folder, &[file], "f: x -> y").with("n=5")
}

#[test]
fn components_that_a_callee_makes_have_shadows() {
    with_head("made_by_callee.f90").prove_in(Build::Checked);
    with_head("record_of_module.f90").prove_in(Build::Checked);
}

/// What each call sets before it reads it is no state, be it a component or an array of a module.
#[test]
fn work_memory_of_modules_is_no_state() {
    with_head("work_of_module.f90").prove_in(Build::Checked);
    for (file, kept) in [
        ("work_of_module_partly_set.f90", "w"),
        ("work_of_module_kept.f90", "glob"),
    ] {
        let text = with_head(file).check(Build::Checked).error;
        let expected = format!("error[saved-active]: `{kept}` keeps");
        assert!(text.contains(&expected), "{text}");
    }
}

/// Memory that the library gives is released where its assignment is undone, if the primal came by the
/// release; what is released by another pointer is refused.
#[test]
fn library_memory_released_on_some_ways() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    let case = |head: &str, with: &str| {
        let head = format!("{head}: x -> return");
        Case::new(&folder, &["released_on_some_ways.c"], &head)
            .extents("x=n")
            .with("n=4")
            .with(with)
    };
    case("cond", "early=1").prove_in(Build::Checked);
    case("ways", "early=1").prove_in(Build::Checked);
    case("ways", "early=0").prove_in(Build::Checked);
    for head in ["inloop", "again", "calls"] {
        case(head, "").prove_in(Build::Checked);
    }
    for head in ["other", "member"] {
        let outcome = case(head, "").check(Build::Quick);
        assert_eq!(outcome.status, 1, "{}", outcome.error);
        let place = outcome.error.contains("by another pointer");
        assert!(place && outcome.error.contains("help"), "{}", outcome.error);
    }
}
