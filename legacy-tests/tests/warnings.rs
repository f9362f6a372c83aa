//! What is written compiles without a warning: `gfortran -Wall -std=f2018`, `gcc -Wall -Wextra
//! -std=c11`; and headers also as C++: `g++ -Wall -Wextra`.

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

/// Headers of derivatives, C++ among their readers: arrays with sizes, `restrict`, complex numbers, truth
/// values, names that are words of C++, shared variables.
#[test]
fn headers_are_for_cpp_too() {
    let heads = [
        ("rows: a -> out", "a=m,n out=n"),
        ("turned: z,w -> return", "w=n"),
        ("chosen: x -> return", "x=n"),
        ("words: x,class,this,new -> return", "x=n"),
        ("wide: x -> return", ""),
        ("globals: x -> shared,template", "x=4"),
        ("fixed: a,b,c -> c", "a=3,3 b=3,3 c=3"),
        ("applied: x -> return", ""),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/warnings");
    for (head, extents) in heads {
        let case = Case::new(&sources, &["headers.c"], head).extents(extents);
        for mode in ["adjoint", "tangent"] {
            let outcome = contraflow(&case.command(mode, &["-o", &out])[1..]);
            assert_eq!(outcome.status, 0, "{}", outcome.error);
        }
    }
    let strict = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"];
    let found = warnings(folder.path(), "h", "g++", &strict);
    assert!(found.is_empty(), "{found}");
    let found = warnings(folder.path(), "c", "gcc", &["-Wall", "-Wextra", "-std=c11"]);
    assert!(found.is_empty(), "{found}");
}

/// Functions whose derivatives stand in the user's file have a header too: it compiles as C++ by itself, and
/// agrees with the functions where that file reads it (an enumeration is an `int` there).
#[test]
fn functions_in_place_have_a_header() {
    let heads = [
        ("energy: x,s -> return", "x=n"),
        ("chosen: x,s -> return", "x=1"),
        ("distance: a,b -> return", ""),
        ("work: s,x -> return", ""),
        ("moved: p,by -> p", "p=n"),
        ("shared: x -> return,gain", ""),
        ("opaque: o,x -> return", ""),
        ("rows: a -> return", ""),
    ];
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/warnings");
    let here = format!("-I{}", sources.display());
    for (head, extents) in heads {
        let case = Case::new(&sources, &["placed.c"], head).extents(extents);
        for (mode, suffix) in [("adjoint", "b"), ("tangent", "d")] {
            let folder = tempfile::tempdir().expect("a folder");
            let out = folder.path().display().to_string();
            let outcome = contraflow(&case.command(mode, &["-o", &out])[1..]);
            assert_eq!(outcome.status, 0, "{}", outcome.error);
            let (name, _) = head.split_once(':').expect("a head with variables");
            let header = format!("{name}_{suffix}.h");
            let text = fs::read_to_string(folder.path().join(&header)).expect("a header");
            assert!(text.contains(&format!("{name}_{suffix}(")), "{text}");
            let strict = ["-Wall", "-Wextra", "-fsyntax-only", "-x", "c++", &here];
            let found = warnings(folder.path(), "h", "g++", &strict);
            assert!(found.is_empty(), "{found}");
            if name == "chosen" {
                continue;
            }
            let both = ["-Wall", "-Wextra", "-std=c11", "-include", &header, &here];
            let found = warnings(folder.path(), "c", "gcc", &both);
            assert!(found.is_empty(), "{found}");
        }
    }
}

/// A type that only the user's file declares cannot be passed from elsewhere: no prototype is made up.
#[test]
fn a_header_needs_no_types_that_one_file_declares() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/warnings");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let case = Case::new(&sources, &["placed.c"], "local: i,x -> return");
    let outcome = contraflow(&case.command("adjoint", &["-o", &out])[1..]);
    assert_eq!(outcome.status, 0, "{}", outcome.error);
    let text = fs::read_to_string(folder.path().join("local_b.h")).expect("a header");
    assert!(text.contains("local_b is left out"), "{text}");
    let strict = ["-Wall", "-Wextra", "-fsyntax-only", "-x", "c++"];
    let found = warnings(folder.path(), "h", "g++", &strict);
    assert!(found.is_empty(), "{found}");
}
