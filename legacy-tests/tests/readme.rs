//! The example in the README is what comes out. `make bless` writes it anew.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::proof::Case;
use std::fs;
use std::path::Path;

/// The texts of the fenced Fortran blocks.
fn blocks(readme: &str) -> Vec<&str> {
    readme
        .split("```fortran\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```\n"))
        .map(|(block, _)| block)
        .collect()
}

#[test]
fn the_example_is_true_and_proved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).expect("the README");
    let blocks = blocks(&readme);
    let [source, derivative] = blocks.as_slice() else {
        panic!("{} Fortran blocks, not two", blocks.len());
    };
    assert_eq!(source.lines().count(), 10);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lift.f90");
    fs::write(&file, source).expect("written");
    let head = "lift: v, rho -> force";
    assert!(readme.contains(&format!("--head '{head}' -o out")));
    let out = folder.path().join("out");
    let outcome = contraflow(&[
        "adjoint",
        &file.display().to_string(),
        "--head",
        head,
        "-o",
        &out.display().to_string(),
    ]);
    assert_eq!(outcome.status, 0, "{}", outcome.error);
    let written = fs::read_to_string(out.join("lift_b.f90")).expect("lift_b.f90");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, readme.replace(derivative, &written)).expect("written");
    } else {
        assert_eq!(
            &written, derivative,
            "the README shows another derivative: make bless"
        );
    }
    Case::new(folder.path(), &["lift.f90"], head)
        .with("n=10 v=20:80")
        .prove();
}
