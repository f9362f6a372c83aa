//! The Gibbs sea water toolbox (TEOS-10) in C: long polynomials, macros that declare coefficients,
//! calls between functions, Newton steps. The sources are used as published. Each function of numbers has
//! its turn in `gsw_heads`.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};

const FILES: [&str; 2] = ["gsw_oceanographic_toolbox.c", "gsw_saar.c"];

/// Salinity in g/kg, temperatures in degrees Celsius, pressure in dbar.
const SEA: &str = "sa=30:40 ct=1:25 pt=1:25 p=10:4000";

fn case(function: &str, inputs: &str) -> Case {
    let package = unpacked("gsw-3.6.23").unwrap_or_else(|error| panic!("{error:#}"));
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
    Case::new(&package.join("src/c_gsw"), &FILES, &head).with(&values.join(" "))
}

#[test]
fn density() {
    case("gsw_rho", "sa, ct, p").prove();
}

#[test]
fn potential_temperature_by_newton_steps() {
    case("gsw_pt_from_ct", "sa, ct").prove();
}

/// A function of a profile of levels, pressures in dbar from the surface down.
fn profile(head: &str, values: &str, extents: &str) {
    let package = unpacked("gsw-3.6.23").unwrap_or_else(|error| panic!("{error:#}"));
    Case::new(&package.join("src/c_gsw"), &FILES, head)
        .with("sa=34:36 ct=2:25")
        .with(values)
        .extents(extents)
        .prove_in(Build::Optimised);
}

#[test]
#[ignore = "minutes: make real-heads"]
fn buoyancy_frequency() {
    profile(
        "gsw_nsquared: sa, ct, p -> n2, p_mid",
        "nz=6 p=10,60,150,300,900,2000 lat=20:40",
        "sa=nz ct=nz p=nz lat=nz n2=nz-1 p_mid=nz-1",
    );
}

#[test]
#[ignore = "minutes: make real-heads"]
fn turner_angle_and_stability_ratio() {
    profile(
        "gsw_turner_rsubrho: sa, ct, p -> tu, rsubrho, p_mid",
        "nz=6 p=10,60,150,300,900,2000",
        "sa=nz ct=nz p=nz tu=nz-1 rsubrho=nz-1 p_mid=nz-1",
    );
}

#[test]
#[ignore = "minutes: make real-heads"]
fn ratio_of_potential_vorticity() {
    profile(
        "gsw_ipv_vs_fnsquared_ratio: sa, ct, p -> ipv_vs_fnsquared_ratio, p_mid",
        "nz=6 p=10,60,150,300,900,2000 p_ref=500",
        "sa=nz ct=nz p=nz ipv_vs_fnsquared_ratio=nz-1 p_mid=nz-1",
    );
}

/// Memory that is released on six ways out, interpolation onto a grid of its own.
#[test]
fn dynamic_height() {
    profile(
        "gsw_geo_strf_dyn_height: sa, ct, p -> dyn_height",
        "nz=6 p=0.3,12.4,25.7,41.2,60.6,80.1 p_ref=30.55",
        "sa=nz ct=nz p=nz dyn_height=nz",
    );
}

/// Sorts, several arrays in one piece of memory, indices in others.
#[test]
fn reiniger_and_ross_interpolation() {
    profile(
        "gsw_rr68_interp_sa_ct: sa, ct, p, p_i -> sa_i, ct_i",
        "mp=6 mp_i=9 p=0,10,60,120,200,300 p_i=2,15,30,50,70,90,130,220,280",
        "sa=mp ct=mp p=mp p_i=mp_i sa_i=mp_i ct_i=mp_i",
    );
}
