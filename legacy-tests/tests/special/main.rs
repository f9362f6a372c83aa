//! Special functions in C: cephes, as scipy ships it. Polynomials walk over tables with `*p++`, jumps lead
//! into blocks, functions call themselves and each other. The sources are used as published; the two headers
//! of Python and numpy that they include, and the function that reports errors, are the tests' own.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(files: &str, head: &str) -> Case {
    let package = unpacked("scipy-1.9.3").unwrap_or_else(|error| panic!("{error:#}"));
    let special = package.join("scipy/special");
    let files: Vec<String> = files
        .split_whitespace()
        .map(|name| format!("{name}.c"))
        .collect();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let mut case = Case::new(&special.join("cephes"), &names, head);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/special");
    case.files.push(here.join("sf_error.c"));
    let folders = [
        here.join("include"),
        special.clone(),
        special.join("cephes"),
        package.join("scipy/_lib"),
    ];
    for folder in folders {
        case = case.options(&format!("-I {}", folder.display()));
    }
    case.options("--link -lm")
}

/// On values that take different branches.
fn prove(files: &str, head: &str, values: &[&str]) {
    for (index, values) in values.iter().enumerate() {
        let case = case(files, head).with(values);
        match index {
            0 => case.prove(),
            _ => case.prove_in(Build::Optimised),
        }
    }
}

#[test]
fn gamma() {
    let values = ["x=0.2:20", "x=-40:-2", "x=34:150"];
    prove("gamma const", "cephes_Gamma: x -> return", &values);
}

#[test]
fn logarithm_of_gamma() {
    let values = ["x=-33:-1", "x=-90:-35", "x=5:90"];
    prove("gamma const", "cephes_lgam: x -> return", &values);
}

#[test]
fn quantiles_of_the_normal_distribution() {
    let head = "cephes_ndtri: cephes_y0 -> return";
    let values = ["cephes_y0=0.1:0.9", "cephes_y0=1e-5:0.1"];
    prove("ndtri const", head, &values);
}

#[test]
fn bessel_functions_of_orders_0_and_1() {
    let values = ["x=0.5:4", "x=7:30"];
    prove("j0 const", "cephes_j0: x -> return", &values);
    prove("j1 const", "cephes_j1: x -> return", &values);
}

/// Constants that other units define are set anew, as the state that is kept between calls.
#[test]
fn bessel_functions_of_real_order() {
    case(
        "jv gamma const j0 j1 airy hyperg cbrt",
        "cephes_jv: x -> return",
    )
    .with("n=2.5 x=1:5")
    .options("--saved fresh")
    .prove_in(Build::Optimised);
}

#[test]
fn elliptic_integrals() {
    prove("ellpk const", "cephes_ellpk: x -> return", &["x=0.2:0.8"]);
    let values = ["phi=0.2:1.2 m=0.2:0.8", "phi=2:9 m=-3:-1"];
    prove(
        "ellik ellpk const",
        "cephes_ellik: phi, m -> return",
        &values,
    );
}

#[test]
fn exponential_integral() {
    let values = ["x=0.5:0.9 n=3", "x=2:9 n=3"];
    prove("expn gamma const", "cephes_expn: x -> return", &values);
}

#[test]
fn cube_root_by_exponent_and_mantissa() {
    prove("cbrt const", "cephes_cbrt: x -> return", &["x=0.1:1000"]);
}

#[test]
fn hypergeometric_function() {
    let values = [
        "x=0.2:0.6",
        "x=0.92:0.98",
        "x=-8:-4 a=0.2:0.3 b=1.1:1.3",
        "x=0.3:0.5 a=12.3:12.5 b=1.1:1.3 c=3.1:3.3",
    ];
    let files = "hyp2f1 gamma psi zeta const round";
    prove(files, "cephes_hyp2f1: a, b, c, x -> return", &values);
}
