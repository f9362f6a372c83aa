//! Jumps of every kind, and ENTRY: each program is proved in both modes, on values that take different ways.

use contraflow_legacy_tests::proof::Case;
use std::path::Path;

fn prove(file: &str, sizes: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jumps");
    for size in sizes {
        Case::new(&folder, &[file], "f: x -> y").with(size).prove();
    }
}

#[test]
fn a_loop_of_jumps_begins_in_its_middle() {
    prove("loop_begun_in_its_middle.f", &["n=1", "n=7"]);
}

#[test]
fn loops_with_two_entries_nest() {
    prove("irreducible.f", &["n=3", "n=6"]);
}

#[test]
fn jumps_lead_into_constructs() {
    prove("into_constructs.f", &["n=3", "n=8"]);
}

#[test]
fn labels_are_assigned() {
    prove("assigned.f", &["n=4", "n=9"]);
}

#[test]
fn arithmetic_ifs_share_the_end_of_two_loops() {
    prove("arithmetic_if.f", &["n=2", "n=6"]);
}

#[test]
fn ends_of_constructs_have_labels() {
    prove("labels_on_ends.f90", &["n=3", "n=6"]);
}

#[test]
fn loops_of_other_kinds_are_entered() {
    prove("into_real_loop.f", &["n=2", "n=7"]);
}

#[test]
fn entries_have_arguments_of_their_own() {
    prove("subroutine_entries.f", &["n=3"]);
}

#[test]
fn entries_of_a_function_share_its_result() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jumps");
    Case::new(&folder, &["function_entries.f"], "f: x, z -> y").prove();
}

#[test]
fn entries_stand_in_modules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jumps");
    Case::new(&folder, &["entries_in_module.f90"], "m::f: x -> y").prove();
}

#[test]
fn input_and_output_jump_on_errors() {
    prove("errors_of_io.f", &["n=5"]);
}

#[test]
fn entries_share_what_is_saved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jumps");
    Case::new(&folder, &["entries_share_saved.f"], "f: x -> y")
        .with("n=4")
        .options("--saved=fresh")
        .prove();
}

fn prove_c(file: &str, sizes: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jumps");
    for size in sizes {
        let case = Case::new(&folder, &[file], "f: x -> y");
        case.with(size).with("x=0.2:1.8").extents("x=n y=2").prove();
    }
}

#[test]
fn gotos_of_c_lead_into_blocks() {
    prove_c("into_blocks.c", &["n=3", "n=8"]);
}

#[test]
fn a_switch_leads_into_a_loop() {
    prove_c("fall_through.c", &["n=4", "n=9"]);
}

#[test]
fn gotos_of_c_cross_each_other() {
    prove_c("crossing.c", &["n=3", "n=8"]);
}

/// Labels stand before, between and after the arguments; entries have others or none.
#[test]
fn heads_return_to_labels() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jumps");
    let prove = |head: &str, with: &str| {
        let head = format!("{head}: x -> y");
        let case = Case::new(&folder, &["alternate_head.f"], &head);
        case.with(with).prove();
    };
    for values in ["n=1 x=0.5:1", "n=2 x=0.5:1", "n=3 x=0.5:0.9", "n=4 x=1.8:2"] {
        prove("f", values);
        prove("g", values);
        prove("h", values);
        prove("top", values);
    }
}

/// A head in a module whose derivatives work on a copy of its state.
#[test]
fn heads_in_modules_return_to_labels() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jumps");
    for values in ["0.5:1", "-1:-0.5", "-1:1"] {
        Case::new(&folder, &["alternate_head.f90"], "m::f: x, w -> y")
            .with(&format!("x={values}"))
            .options("--extent x=4 --saved fresh")
            .prove();
    }
}
