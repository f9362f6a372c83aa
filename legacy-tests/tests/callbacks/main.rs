//! Procedures that are passed as arguments, from the front end to the proved derivative.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;
use std::process::Command;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/callbacks");
    Case::new(&folder, &[file], head)
}

/// FORTRAN 77: `EXTERNAL F`, called as a function.
#[test]
fn a_function_is_passed() {
    case("trapezoid.f", "head: a, b -> r").prove();
}

/// Abstract interfaces; a module that calls the procedures of its user; two functions passed to one
/// procedure, which passes them on.
#[test]
fn modules_pass_procedures() {
    case("modules.f90", "user::head").prove();
}

/// External procedures, handed on twice; early return; a call that is passive.
#[test]
fn external_procedures_are_handed_on() {
    // Vectorised calls of `sin` differ from scalar ones.
    case("external.f90", "head: x, w, t -> x, f, t").prove_in(Build::Checked);
}

/// C: pointers to functions of two types, one of them with a `void *` that is not used.
#[test]
fn pointers_to_functions_are_passed() {
    case("pointers.c", "head: p, a, b, y -> return, y")
        .extents("p=2 y=3")
        .options("--no-alias")
        .prove();
}

#[test]
fn pointers_to_functions_of_the_library_are_followed() {
    case("library_functions.c", "f: x -> y")
        .with("n=5 x=0.5:1.2")
        .extents("x=n y=n")
        .prove();
}

/// The head's own procedure arguments, as the user binds them.
#[test]
fn procedure_arguments_of_the_head_are_bound() {
    case("external.f90", "outer: x, w, t -> x, f, t")
        .with("n=4 flag=0")
        .extents("w=2")
        .options("--bind fcn=fun --bind g=wgt")
        .prove_in(Build::Checked);
}

#[test]
fn a_procedure_argument_without_procedure_is_refused() {
    let refused = |options: &str, words: &[&str]| {
        let outcome = case("modules.f90", "quad::simpson")
            .with("n=4")
            .extents("p=2")
            .options(options)
            .check(Build::Checked);
        assert_ne!(outcome.status, 0);
        for word in words {
            assert!(outcome.error.contains(word), "{}", outcome.error);
        }
    };
    refused("", &["`f`", "modules.f90:16:22", "--bind f=PROCEDURE"]);
    refused("--bind f", &["`=` is missing"]);
    refused("--bind g=wave", &["procedure arguments of `simpson` are f"]);
    refused("--bind f=surge", &["no procedure `surge`"]);
    refused("--bind f=wave", &["`wave` is private", "make it public"]);
}

/// `INTRINSIC DSIN`, passed like any function.
#[test]
fn functions_of_the_language_are_passed() {
    case("intrinsics.f", "head: x -> y").prove();
}

/// A head whose procedure argument nobody names takes the user's derivative after the user's function.
#[test]
fn the_users_derivative_comes_in_by_an_argument() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/callbacks");
    let out = tempfile::tempdir().expect("a folder");
    let source = here.join("trapezoid.f").display().to_string();
    let folder = out.path().display().to_string();
    for head in ["trap: a, b -> r", "g"] {
        let arguments = ["adjoint", &source, "--head", head, "-o", &folder];
        let outcome = contraflow(&arguments.map(str::to_owned));
        assert_eq!(outcome.status, 0, "{}", outcome.error);
    }
    let program = out.path().join("program");
    let compiled = Command::new("gfortran")
        .args(["-O1", "-fcheck=all", "-o"])
        .arg(&program)
        .args([
            &source,
            &here.join("with_derivative.f90").display().to_string(),
        ])
        .args(["TRAP_b.f", "G_b.f"].map(|name| out.path().join(name)))
        .arg("-J")
        .arg(out.path())
        .output()
        .expect("gfortran");
    let error = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{error}");
    let run = Command::new(&program).output().expect("the program");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "right\n");
}

/// `f => g`, `associated`, pointers that take turns, called as functions and subroutines and handed on.
#[test]
fn procedure_pointers_are_followed() {
    for head in ["pp::head: u -> v", "pp::two_steps: u -> v"] {
        case("procedure_pointers.f90", head)
            .with("n=5 u=0.5:1")
            .prove();
    }
}

/// What an argument is, a pointer may not point to: refused where it is called.
#[test]
fn pointers_to_unknown_procedures_are_refused() {
    let head = "pp::called_with_argument: u -> v";
    let text = case("procedure_pointers.f90", head)
        .with("n=5")
        .check(Build::Optimised)
        .error;
    assert!(text.contains("error[opaque-active]"), "{text}");
    assert!(text.contains("procedure_pointers.f90:85"), "{text}");
}

/// C: members of structs, tables of structs, functions that functions return, and members that are handed on.
#[test]
fn functions_in_structs_and_tables() {
    let proved = |head: &str, values: &str| case("members.c", head).with(values).prove();
    proved("one: amplitude, frequency, b -> return", "");
    proved("table: y, k -> return", "n=7");
    proved("returned: x -> return", "n=5 x=0.5:0.8");
    proved("handed_on: x -> return", "n=4 x=0.5:0.9");
}

/// What the caller of the head puts into a struct is not known: refused with its place.
#[test]
fn a_function_from_outside_is_refused() {
    let outcome = case("members.c", "from_outside: x -> return").extents("f=1");
    let outcome = outcome.check(Build::Optimised);
    let text = &outcome.error;
    assert_eq!(outcome.status, 1, "{text}");
    assert!(text.contains("error[no-rule]"), "{text}");
    assert!(text.contains("members.c:102"), "{text}");
}

/// C: contexts that are handed on as `void *` through a procedure to the function that is passed to it.
#[test]
fn contexts_without_a_type() {
    case("context.c", "head: c, a, b -> return")
        .with("n=4")
        .extents("c=n")
        .prove();
}

/// Data for a solver's function: an array that goes through the solver as `void *`.
#[test]
fn context_of_a_solver() {
    case("context_of_a_solver.c", "fit: y, x -> x")
        .with("m=8")
        .extents("y=m x=2")
        .prove();
}

/// The same where a procedure in between hands it on once more, as Levenberg-Marquardt methods do for their
/// differences.
#[test]
fn context_of_a_method() {
    for shown in ["0", "1"] {
        case("context_of_a_method.c", "fit: y, x -> x")
            .with(&format!("m=8 shown={shown}"))
            .extents("y=m x=2")
            .prove();
    }
}

/// Where the function changes its context, how much the procedure in between hands on is not known: refused with
/// its place.
#[test]
fn contexts_of_unknown_size_that_change() {
    let outcome = case("context_that_changes.c", "head: a, b -> return").check(Build::Optimised);
    let text = &outcome.error;
    assert_eq!(outcome.status, 1, "{text}");
    assert!(text.contains("error[unknown-extent]"), "{text}");
    assert!(text.contains("context_that_changes.c:10"), "{text}");
}
