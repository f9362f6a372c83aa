//! Time loops that are reversed with few snapshots of their state: proved in an optimised and in a
//! checked build, counted, and refused where running a step again would not repeat it.

use contraflow_legacy_tests::proof::Case;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/time")
}

fn case(file: &str, head: &str) -> Case {
    Case::new(&folder(), &[file], head)
}

#[test]
fn a_state_that_diffuses() {
    case("diffusion.f90", "diffusion: c, u -> f")
        .with("n=7 nt=23 c=0.1:0.2")
        .prove();
}

/// RETURN, EXIT and CYCLE in the loop.
#[test]
fn a_march_that_stops_early() {
    for most in [0, 30] {
        case("early_exit.f90", "settle: u -> u, f")
            .with(&format!("n=5 most={most} tol=1e-3"))
            .prove();
    }
}

/// DO WHILE: every second snapshot is dropped when the slots are full.
#[test]
fn steps_whose_number_nobody_knows() {
    case("while_loop.f90", "adaptive: x -> x, y")
        .with("t0=0.0 t1=1.7")
        .prove();
}

/// Fixed form, COMMON, a warm start, no trip at all, Tapenade's directive.
#[test]
fn a_march_on_common_from_one_step_to_another() {
    for last in [31, 1] {
        case("common_state.f", "march: x -> y")
            .with(&format!("it0=3 it1={last}"))
            .prove();
    }
}

/// A module's allocatable and derived type, under a condition, days in years.
#[test]
fn time_loops_in_a_time_loop() {
    for warm in [".true.", ".false."] {
        let mut case = case("module_state.f90", "ocean::run: x -> y")
            .with(&format!("n=6 years=4 days=7 warm={warm}"));
        case.options.extend(["--before".into(), "setup(6)".into()]);
        case.prove();
    }
}

/// Loops that run backwards, in strides, not at all; named on the command line.
#[test]
fn two_loops_over_one_state() {
    for trips in ["n1=9 n2=17", "n1=0 n2=17", "n1=9 n2=0"] {
        case("two_loops.f90", "two: x -> y")
            .with(&format!("n=4 {trips}"))
            .options("--checkpoint two::it=binomial(2)")
            .prove();
    }
}

#[test]
fn a_struct_that_steps_in_c() {
    case("pendulum.c", "swing").with("steps=25").prove();
    case("pendulum.c", "relax: u -> u, return")
        .with("n=6 limit=1e-4")
        .extents("u=n")
        .prove();
}
