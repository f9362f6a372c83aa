//! What old code does besides numbers: characters, and memory passed as another type.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old_code");
    Case::new(&folder, &[file], head)
}

/// Substrings on both sides, functions of characters, internal files.
#[test]
fn characters_are_put_together() {
    case("parts_of_characters.f90", "f: x -> y")
        .with("n=12")
        .with("job=N")
        .prove();
}

/// The backward sweep asks for `len_trim(opt)` as it was, not as it is.
#[test]
fn a_number_comes_out_of_characters() {
    case("number_out_of_characters.f90", "f: x -> y")
        .with("n=12")
        .prove();
}

#[test]
fn characters_that_change_choose() {
    case("choice_by_characters.f90", "f: x -> y")
        .with("n=9")
        .prove();
}

#[test]
fn characters_are_passed_on() {
    case("character_arguments.f90", "f: x -> y")
        .with("n=5")
        .prove();
}

/// Reals as integers and characters as integers: kept, as no derivative passes there.
#[test]
fn work_is_passed_as_another_type() {
    let case = case("work_of_another_type.f", "f: x -> y").with("n=5");
    let mut command = case.command("check", &["--set", "n=5"]);
    command.push("--flags=-std=legacy -fallow-argument-mismatch -O1".to_owned());
    let outcome = contraflow(&command[1..]);
    let said = format!("{}{}", outcome.out, outcome.error);
    assert!(outcome.out.ends_with("proved\n"), "{said}");
}

/// Active reals as complex numbers are refused.
#[test]
fn active_memory_of_another_type_is_refused() {
    let text = case("work_of_another_type.f", "g: x -> y")
        .with("n=2")
        .check(Build::Optimised)
        .error;
    assert!(text.contains("whose argument does not say"), "{text}");
    assert!(text.contains("work_of_another_type.f:53"), "{text}");
}

/// Clocks, random numbers, bits: they run in the forward sweep only.
#[test]
fn subroutines_of_the_language_are_called() {
    case("subroutines_of_the_language.f90", "f: x -> y")
        .with("n=5")
        .prove();
}
