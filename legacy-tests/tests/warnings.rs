//! What is written compiles without a warning: `gfortran -Wall -std=f2018`, `gcc -Wall -Wextra
//! -std=c11`.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::kernels::{Kernel, all};
use contraflow_legacy_tests::proof::Case;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The warnings about all files of a folder that have this suffix.
fn warnings(folder: &Path, suffix: &str, compiler: &str, flags: &[&str]) -> String {
    let mut found = String::new();
    for entry in fs::read_dir(folder).expect("the outputs") {
        let path = entry.expect("an output").path();
        if path.extension().is_none_or(|other| other != suffix) {
            continue;
        }
        let output = Command::new(compiler)
            .args(flags)
            .args(["-c", "-o", "/dev/null"])
            .arg(&path)
            .current_dir(folder)
            .output()
            .unwrap_or_else(|error| panic!("cannot start {compiler}: {error}"));
        found += &String::from_utf8_lossy(&output.stderr);
    }
    found
}

fn no_warnings(twin: fn(&Kernel, &str) -> Case, suffix: &str, compiler: &str, flags: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    for kernel in all().unwrap_or_else(|error| panic!("{error:#}")) {
        let case = twin(&kernel, "");
        for mode in ["adjoint", "tangent"] {
            let outcome = contraflow(&case.command(mode, &["-o", &out])[1..]);
            assert_eq!(outcome.status, 0, "{}", outcome.error);
        }
    }
    let found = warnings(folder.path(), suffix, compiler, flags);
    assert!(found.is_empty(), "{found}");
}

#[test]
fn fortran_output_has_no_warnings() {
    no_warnings(Kernel::fortran, "f90", "gfortran", &["-Wall", "-std=f2018"]);
}

#[test]
fn c_output_has_no_warnings() {
    no_warnings(Kernel::c, "c", "gcc", &["-Wall", "-Wextra", "-std=c11"]);
}
