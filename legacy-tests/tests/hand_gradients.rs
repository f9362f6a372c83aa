//! Generated gradients of the kernels against hand-written ones: not only laws that a wrong rule
//! could satisfy in tangent and adjoint alike.
//!
//! The reference program in `kernels/reference` holds the hand-written adjoints; the generated ones
//! are linked into it.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::kernels::{Kernel, folder, with_hand};
use contraflow_legacy_tests::proof::Case;
use std::path::{Path, PathBuf};
use std::process::Command;

fn gcc() -> Command {
    let mut command = Command::new("gcc");
    command.args(["-O2", "-std=c11", "-Wall", "-Wextra"]);
    command
}

fn gfortran() -> Command {
    let mut command = Command::new("gfortran");
    command.args(["-O2", "-std=f2018", "-Wall"]);
    command
}

/// Runs a command in a folder and gives what it printed.
fn succeed(command: &mut Command, folder: &Path) -> String {
    let output = command.current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}{error}");
    text
}

fn sources(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    found.retain(|path| path.extension().is_some_and(|it| it == suffix));
    found.sort();
    found
}

/// Writes the adjoint of a case into a folder of its own; gives its sources.
fn differentiate(case: &Case, folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let file = case.files[0].display().to_string();
    let place = folder.display().to_string();
    let outcome = contraflow(&["adjoint", &file, "--head", &case.head, "-o", &place]);
    assert_eq!(outcome.status, 0, "{file}\n{}", outcome.error);
    let mut written = sources(folder, suffix);
    written.retain(|path| path.file_name() != case.files[0].file_name());
    written
}

/// Links the reference program with these adjoints and compares all kernels.
fn compare(kernels: &[Kernel], folder: &Path, mut command: Command, generated: &[PathBuf]) {
    command.args(sources(&self::folder().join("reference"), "c"));
    command.args(sources(&self::folder().join("c"), "c"));
    command.args(generated).args(["-o", "reference", "-lm"]);
    succeed(&mut command, folder);
    let mut program = Command::new(folder.join("reference"));
    program.args(kernels.iter().map(|kernel| &kernel.name));
    let text = succeed(&mut program, folder);
    assert_eq!(text.matches(" ok\n").count(), kernels.len(), "{text}");
}

#[test]
fn hand_written_gradients_agree_with_differences() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = gcc();
    command.args(sources(&self::folder().join("reference"), "c"));
    command.args(sources(&self::folder().join("c"), "c"));
    succeed(command.args(["-o", "reference", "-lm"]), folder.path());
    let text = succeed(
        &mut Command::new(folder.path().join("reference")),
        folder.path(),
    );
    assert!(!text.contains("WRONG"), "{text}");
}

#[test]
fn c_gradients_agree_with_hand_written_ones() {
    let kernels = with_hand().unwrap_or_else(|error| panic!("{error:#}"));
    let folder = tempfile::tempdir().expect("a folder");
    let generated: Vec<PathBuf> = kernels
        .iter()
        .flat_map(|kernel| differentiate(&kernel.c(""), &folder.path().join(&kernel.name), "c"))
        .collect();
    compare(&kernels, folder.path(), gcc(), &generated);
}

#[test]
fn fortran_gradients_agree_with_hand_written_ones() {
    let kernels = with_hand().unwrap_or_else(|error| panic!("{error:#}"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut compile = gfortran();
    compile
        .arg("-c")
        .args(sources(&self::folder().join("fortran"), "f90"));
    for kernel in &kernels {
        let place = folder.path().join(&kernel.name);
        compile.args(differentiate(&kernel.fortran(""), &place, "f90"));
    }
    succeed(&mut compile, folder.path());
    let mut command = gcc();
    command.arg("-DGENERATED_FORTRAN");
    let mut objects = sources(folder.path(), "o");
    objects.push(PathBuf::from("-lgfortran"));
    compare(&kernels, folder.path(), command, &objects);
}
