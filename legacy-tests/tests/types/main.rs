//! Derived types, operators of the program's own and procedures bound to types, each proved in an
//! optimised and in a checked build.

use contraflow_legacy_tests::proof::Case;
use std::path::Path;

fn case(file: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    Case::new(&folder, &[file], "head: u -> v").with("n=4")
}

/// Nested records, arrays of them, constructors, record-valued functions, records overwritten.
#[test]
fn records_are_differentiated() {
    case("records.f90").prove();
}

/// `+`, `*` (elemental too), unary `-`, `.dot.`, assignment; default values of components.
#[test]
fn operators_of_the_program_are_calls() {
    case("operators.f90").prove();
}

/// Bindings with PASS, NOPASS, a generic one, inherited ones.
#[test]
fn procedures_bound_to_types_are_called() {
    case("bound_procedures.f90").prove();
}
