//! FORTRAN 77 libraries as scipy ships them, with GOTO, DATA, EXTERNAL and work arrays; the functions
//! that they call are the test's own. The sources are used as published.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::Case;
use std::path::Path;

fn case(folder: &str, files: &[&str], own: &[&str], head: &str) -> Case {
    let package = unpacked("scipy-1.9.3").unwrap_or_else(|error| panic!("{error:#}"));
    let mut case = Case::new(&package.join("scipy").join(folder), files, head);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scipy");
    case.files.extend(own.iter().map(|file| here.join(file)));
    case
}

#[test]
fn minpack_norm() {
    case("optimize/minpack", &["enorm.f"], &[], "enorm: x -> enorm")
        .with("n=7 x=-1:1")
        .prove();
}

#[test]
fn minpack_qr_with_pivoting() {
    let files = ["qrfac.f", "enorm.f", "dpmpar.f"];
    case(
        "optimize/minpack",
        &files,
        &[],
        "qrfac: a -> a, rdiag, acnorm",
    )
    .with("n=3 m=5 lda=6 lipvt=3 pivot=true ipvt=0,0,0 a=-1:1")
    .prove();
}

/// The Levenberg-Marquardt parameter: Newton's iteration until it is good enough.
#[test]
fn minpack_levenberg_marquardt_parameter() {
    let files = ["lmpar.f", "qrsolv.f", "enorm.f", "dpmpar.f"];
    let head = "lmpar: r, diag, qtb, delta, par -> par, x, sdiag, r";
    case("optimize/minpack", &files, &[], head)
        .with("n=4 ldr=5 ipvt=1,3,2,4 r=-1:1 delta=0.3:0.4")
        .prove();
}

#[test]
fn quadpack_rule_with_a_users_integrand() {
    let head = "area: w, h, a, b -> result, resabs, resasc";
    let own = ["integrand.f90", "d1mach.f90"];
    case("integrate/quadpack", &["dqk21.f"], &own, head)
        .with("b=2:3")
        .prove();
}

/// The end of a trajectory with respect to its start, the parameters and the time.
#[test]
fn dormand_prince_of_order_5_with_a_users_equations() {
    let own = ["lorenz.f90"];
    case(
        "integrate/dop",
        &["dopri5.f"],
        &own,
        "order5: y, rpar, xend -> y",
    )
    .with("xend=1:1.2 rpar=2:8")
    .prove();
}

#[test]
#[ignore = "minutes: make real-heads"]
fn dormand_prince_of_order_8_with_a_users_equations() {
    let own = ["lorenz.f90"];
    case(
        "integrate/dop",
        &["dop853.f"],
        &own,
        "order8: y, rpar, xend -> y",
    )
    .with("xend=1:1.2 rpar=2:8")
    .prove();
}

#[test]
fn fitpack_spline() {
    let files = ["splev.f", "fpbspl.f"];
    case("interpolate/fitpack", &files, &[], "splev: t, c, x -> y")
        .with("n=9 k=3 m=4 e=0 ier=0 t=0,0,0,0,1,2,2,2,2 x=0.3,0.7,1.2,1.8")
        .prove();
}
