//! Habits of large public codes: how their files are named and how their modules hang together.

use contraflow_legacy_tests::proof::Case;
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign");
    Case::new(&folder, &[file], head)
}

/// `.F` that is in free form; a private module with public types; generic names without MODULE;
/// functions whose characters are as long as their arguments.
#[test]
fn a_column_of_a_model_is_proved() {
    case("column_in_free_form.F", "columns::step: t, q -> t, q, rain")
        .with("n=6")
        .prove();
}

/// The names of the derivatives do not fit into one line of the driver.
#[test]
fn names_may_be_long() {
    let head = "temperature_of_a_mushy_layer_of_salty_ice: enthalpy, salinity -> return";
    case("long_names.f90", head).prove();
}
