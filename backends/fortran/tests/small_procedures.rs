//! Procedures built by hand, written as Fortran, compiled without warnings and run.

#[path = "../../common/tests/programs/mod.rs"]
mod programs;

use std::process::Command;

use contraflow_backend_fortran::{Options, files};
use contraflow_ir::{Module, ProcedureId, Sources, verify::verify};

/// Writes procedures, adds a main program, and gives back what it prints.
fn run(module: &Module, ids: &[ProcedureId], main: &str) -> String {
    let verified = verify(module).expect("the procedures are valid");
    let made = files(verified, &Sources::default(), ids, &Options::default())
        .expect("everything has its Fortran");
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = String::from_utf8(made[0].text.clone()).expect("UTF-8");
    text.push_str(main);
    std::fs::write(folder.path().join("all.f90"), &text).expect("written");
    let compiled = Command::new("gfortran")
        .args([
            "-std=f2018",
            "-Wall",
            "-Werror",
            "-fcheck=all",
            "-o",
            "all",
            "all.f90",
        ])
        .current_dir(folder.path())
        .output()
        .expect("gfortran runs");
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{complaints}\n{text}");
    let output = Command::new(folder.path().join("all"))
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn tapes_give_back_what_was_put_on_them() {
    let (module, id) = programs::taped();
    let printed = run(
        &module,
        &[id],
        "program main\n  real(8) :: x(3000)\n  integer :: i\n  x = [(real(i, 8), i = 1, 3000)]\n  \
         call reversed(3000, x)\n  print '(3f8.1)', x(1), x(2), x(3000)\nend program\n",
    );
    assert_eq!(printed, "3.0 6.0 9000.0");
}

#[test]
fn what_must_not_be_evaluated_is_not() {
    let (module, id) = programs::guarded();
    let printed = run(
        &module,
        &[id],
        "program main\n  real(8) :: x(3), y\n  x = [1d0, 2d0, 3d0]\n  call guarded(3, 3, x, y)\n  \
         print '(f5.1)', y\n  call guarded(3, 2, x, y)\n  print '(f5.1)', y\n  \
         call guarded(3, 9, x, y)\n  print '(f5.1)', y\nend program\n",
    );
    assert_eq!(printed, "13.0 2.0 -1.0");
}

#[test]
fn elements_are_passed_by_their_place() {
    let (module, ids) = programs::calling();
    let printed = run(
        &module,
        &ids,
        "program main\n  real(8) :: x(3)\n  call outer(3, x)\n  print '(3f4.1)', x\nend program\n",
    );
    assert_eq!(printed, "1.5 3.0 1.5");
}
