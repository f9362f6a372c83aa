//! WRF's diagnostics as wrf-python ships them: Fortran 90 with OpenMP directives and constants from
//! a module. The sources are used as published.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::Case;

fn case(file: &str, head: &str) -> Case {
    let package = unpacked("wrf-python-1.3.4.1").unwrap_or_else(|error| panic!("{error:#}"));
    Case::new(&package.join("fortran"), &[file, "wrf_constants.f90"], head)
}

const GRID: &str = "nx=5 ny=4 nz=3";
const STAGGERED: &str = "nxp1=nx+1 nyp1=ny+1 u=-30:30 v=-30:30 msfu=0.9:1.1 msfv=0.9:1.1 \
                         msft=0.9:1.1 cor=8e-5:1.2e-4 dx=12000 dy=12000";

#[test]
fn absolute_vorticity() {
    case("wrf_pvo.f90", "dcomputeabsvort: u, v -> av")
        .with(GRID)
        .with(STAGGERED)
        .prove();
}

#[test]
fn potential_vorticity() {
    case("wrf_pvo.f90", "dcomputepv: u, v, theta, prs -> pv")
        .with(GRID)
        .with(STAGGERED)
        .with("theta=ramp:290:340 prs=ramp:1e5:2e4")
        .prove();
}

#[test]
fn equivalent_potential_temperature() {
    case("eqthecalc.f90", "deqthecalc: qvp, tmk, prs -> eth")
        .with("miy=5 mjx=4 mkzh=3 qvp=0.002:0.02 tmk=265:300 prs=5e4:1e5")
        .prove();
}

#[test]
fn temperature() {
    case("wrf_user.f90", "dcomputetk: pressure, theta -> tk")
        .with("nx=11 pressure=2e4:1e5 theta=285:340")
        .prove();
}

#[test]
fn relative_humidity() {
    case("wrf_user.f90", "dcomputerh: qv, p, t -> rh")
        .with("nx=11 qv=0.002:0.008 p=7e4:1e5 t=275:300")
        .prove();
}

#[test]
fn precipitable_water() {
    case("wrf_pw.f90", "dcomputepw: p, tv, qv, ht -> pw")
        .with(GRID)
        .with("nzh=nz+1 p=2e4:1e5 tv=250:300 qv=0.001:0.02 ht=ramp:50:15000")
        .prove();
}

#[test]
fn vertical_velocity() {
    case(
        "wrf_rip_phys_routines.f90",
        "omgcalc: qvp, tmk, www, prs -> omg",
    )
    .with("mx=5 my=4 mz=3 qvp=0.002:0.02 tmk=250:300 www=-2:2 prs=2e4:1e5")
    .prove();
}

#[test]
fn smoothing_filter() {
    case("wrf_user.f90", "dfilter2d: a -> a")
        .with("nx=7 ny=6 it=3 a=270:300 b=0 missing=-999 cenweight=2")
        .prove();
}
