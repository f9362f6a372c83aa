//! `contraflow check` drives heads whose variables are not plain arguments: components of records,
//! variables of modules, members of COMMON blocks, memory made at run time, arguments that are left out;
//! and heads that another procedure must prepare. What it cannot drive it refuses.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/places");
    Case::new(&folder, &[file], head)
}

/// Records with arrays of records, logicals, texts and complex numbers; a function of record type.
#[test]
fn records_are_driven_component_by_component() {
    case("records_and_state.f90", "make: o,x,gain,st -> make")
        .with("o%i%n=3 o%on=true o%what=hello gain=2 st%w=1:2 st%i%a=1:2")
        .extents("x=3")
        .options("--before prepare(3,[1,2,3],abc)")
        .prove();
}

fn memory_and_common() -> Case {
    case(
        "memory_and_common.f90",
        "f: x,memory::scale,zz,deep,p,view -> y,memory::scale",
    )
    .with("o%i%n=3 txt=abcd names=one,two heap=1:2 zz=1:2 deep=2 on=true steps=3")
    .extents("x=3 heap=4 view=2,2 p=3 o%u=2")
}

/// Allocatables and pointers are made by the driver; COMMON is laid out as the head has it.
#[test]
fn memory_made_at_run_time_and_common_are_driven() {
    memory_and_common().prove();
}

/// The module is found by its name; the optional argument is left out.
#[test]
fn an_optional_argument_is_left_out() {
    memory_and_common()
        .with("memory::scale=1:2 opt=absent")
        .prove_in(Build::Checked);
}

#[test]
fn an_external_procedure_gets_an_interface() {
    let case = case("external.f90", "outside: x,y,w,k -> y").extents("x=3 y=2,3");
    case.prove();
    case.with("w=absent").prove_in(Build::Optimised);
}

/// The table is private; what the user's code prints does not matter.
#[test]
fn a_procedure_prepares_hidden_state() {
    case("external.f90", "tables::look")
        .options("--before tables::fill(1.5)")
        .prove();
}

/// Without it, the head finds another state at each call.
#[test]
fn state_that_nothing_resets_is_found() {
    let outcome = case("external.f90", "tables::look").check(Build::Optimised);
    assert_eq!(outcome.status, 1, "{}", outcome.out);
    assert!(
        outcome.out.contains("FAIL  the primal repeats itself")
            || outcome.out.contains("NOT PROVED"),
        "{}",
        outcome.out
    );
}

#[test]
fn globals_and_structs_of_c_are_driven() {
    case("state.c", "f: scale,field,o,by,cfg,hidden -> return,y")
        .with("o.n=3 by.n=0 n=3 cfg.a=2 hidden=2:3")
        .extents("o=1 y=n")
        .options("--before init(3,1.5) --saved kept")
        .prove();
}

/// The head sets the state that its callees read and change; two calls of it share a gain.
#[test]
fn modules_that_keep_history_are_driven() {
    case("module_with_history.f90", "step: x,gain -> y,gain")
        .with("m=5")
        .prove_in(Build::Checked);
    case("module_with_history.f90", "outer: x -> y")
        .with("m=5 gain=1.5")
        .options("--kept gain")
        .prove_in(Build::Checked);
}

/// The record is no input, but active: its shadow needs memory, so its size must be said.
#[test]
fn an_active_record_of_a_module_needs_its_sizes() {
    let case = case("record_in_module.f90", "drive2: x -> y")
        .with("n=4")
        .options("--before init(4) --kept st");
    refused(&case, "error[check-size]", &["st", "--extent"]);
    case.extents("st%w=4").prove_in(Build::Checked);
}

/// Nothing static is asked for: the driver stands in a file of its own.
#[test]
fn globals_of_c_are_driven_from_outside() {
    case("state.c", "outside: scale,field -> return,scale")
        .with("n=3 cfg.n=2 acc=1:2")
        .prove();
}

/// Refused with a code and words.
fn refused(case: &Case, code: &str, words: &[&str]) {
    let outcome = case.check(Build::Optimised);
    assert_ne!(outcome.status, 0, "{}", outcome.out);
    let error = &outcome.error;
    assert!(error.contains(code), "{error}");
    for word in words {
        assert!(error.contains(word), "no `{word}` in\n{error}");
    }
}

#[test]
fn private_variables_are_refused() {
    let case = case("memory_and_common.f90", "f: x,hidden -> y");
    refused(
        &case.extents("x=3 p=3"),
        "error[check-private]",
        &["hidden", "--before"],
    );
}

#[test]
fn variables_that_the_head_does_not_use_are_refused() {
    refused(
        &case("external.f90", "tables::look: tables::tabel -> y"),
        "error[unknown-variable]",
        &["tables::tabel"],
    );
}

#[test]
fn unknown_components_are_refused() {
    refused(
        &memory_and_common().with("o%weight=3"),
        "error[unknown-variable]",
        &["o%weight"],
    );
}

#[test]
fn a_procedure_to_call_before_must_exist_and_fit() {
    let case = |before: &str| case("external.f90", "tables::look").options(before);
    refused(
        &case("--before tables::full"),
        "error[unknown-before]",
        &["full"],
    );
    refused(
        &case("--before tables::fill(1,2)"),
        "error[option-syntax]",
        &["1 argument"],
    );
}
