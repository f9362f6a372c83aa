//! The Gibbs sea water toolbox (TEOS-10) in C: long polynomials, macros that declare coefficients,
//! calls between functions, Newton steps. The sources are used as published.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};

/// Salinity in g/kg, temperatures in degrees Celsius, pressure in dbar.
const SEA: &str = "sa=30:40 ct=1:25 pt=1:25 p=10:4000";

fn case(function: &str, inputs: &str) -> Case {
    let package = unpacked("gsw-3.6.23").unwrap_or_else(|error| panic!("{error:#}"));
    let files = ["gsw_oceanographic_toolbox.c", "gsw_saar.c"];
    let head = format!("{function}: {inputs} -> {function}");
    let names: Vec<&str> = inputs.split(", ").collect();
    let values: Vec<&str> = SEA
        .split_whitespace()
        .filter(|value| {
            names
                .iter()
                .any(|name| value.starts_with(&format!("{name}=")))
        })
        .collect();
    Case::new(&package.join("src/c_gsw"), &files, &head).with(&values.join(" "))
}

/// The toolbox is large: only the first test compiles it with run-time checks as well.
fn prove(function: &str, inputs: &str) {
    case(function, inputs).prove_in(Build::Optimised);
}

#[test]
fn density() {
    case("gsw_rho", "sa, ct, p").prove();
}

#[test]
fn specific_volume() {
    prove("gsw_specvol", "sa, ct, p");
}

#[test]
fn sound_speed() {
    prove("gsw_sound_speed", "sa, ct, p");
}

#[test]
fn thermal_expansion() {
    prove("gsw_alpha", "sa, ct, p");
}

#[test]
fn saline_contraction() {
    prove("gsw_beta", "sa, ct, p");
}

#[test]
fn conservative_temperature() {
    prove("gsw_ct_from_pt", "sa, pt");
}

#[test]
fn potential_temperature_by_newton_steps() {
    case("gsw_pt_from_ct", "sa, ct").prove();
}

#[test]
fn entropy() {
    prove("gsw_entropy_from_ct", "sa, ct");
}
