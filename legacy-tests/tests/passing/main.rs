//! Modes of passing, complex numbers, mixed precision and array expressions, each proved in an
//! optimised and in a checked build.

use contraflow_legacy_tests::proof::Case;
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passing");
    Case::new(&folder, &[file], head)
}

/// Texts that decide branches are put back before calls that changed them are reversed.
#[test]
fn texts_are_restored() {
    case("texts_restored.f90", "head: x -> y")
        .with("n=3 msg=abc x=0.2:0.3")
        .prove();
}
