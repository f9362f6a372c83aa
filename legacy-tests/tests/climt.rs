//! The physics of climt: Fortran 90 modules whose state other procedures prepare. The sources are used
//! as published.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};

fn case(files: &[&str], head: &str) -> Case {
    let package = unpacked("climt-0.17.5").unwrap_or_else(|error| panic!("{error:#}"));
    Case::new(&package.join("climt/_lib"), files, head)
}

/// A warm boundary layer under a cold tropopause.
const COLUMNS: &str = "pcols=3 pver=8 dtime=900 lat=0.1:0.8 t=ramp:230:300 q=ramp:0.003:0.022 u=5:20 \
                       v=-5:5 pmid=ramp:15000:98000 pint=ramp:10000:100500 pdel=9000:11000 \
                       rpdel=9e-5:1.1e-4 ps=100000:101000";

/// Condensation, surface fluxes and an implicit boundary layer; constants in the module.
#[test]
fn simple_physics_with_constants_that_are_set_first() {
    let constants = "--before set_physical_constants_func(9.80616,1004.64,287.04,2.5e6,461.5,6371220,\
                     7.292e-5,1000,85000,10000,0.0011,0.0007,0.000065,0.002)";
    case(
        &["simple_physics/simple_physics_custom.f90"],
        "simple_physics_func: t,q,u,v -> t,q,u,v,precl,sens_ht_flux,lat_ht_flux",
    )
    .with(COLUMNS)
    .with("test=0 do_lsc=1 do_pbl=1 do_surf_flux=1 use_ts_ext=0 use_qsurf_ext=0 ts=300 qsurf=0.02")
    .options(constants)
    .prove_in(Build::Optimised);
}

#[test]
fn simple_physics() {
    case(
        &["simple_physics/simple_physics_v5_1.f90"],
        "simple_physics_func: t,q,u,v -> t,q,u,v,precl",
    )
    .with(COLUMNS)
    .with("test=1")
    .prove_in(Build::Checked);
}

/// Temperature, humidity and its saturation over sixteen levels; pressures at and between them.
const SOUNDING: &str = "\
    nd=16 nl=14 ntra=1 delt=300 cbmf=0.02 u=2:8 v=-3:3 tra=1:2 \
    t=301,297.241,293.268,289.051,284.554,279.733,274.528,268.865,262.643,255.721,247.893,238.843,228.039,214.474,195.92,197.2 \
    q=0.0201006,0.0165933,0.0134657,0.0107098,0.00831618,0.00627319,0.0045666,0.00317907,0.00208956,0.00127257,0.000697421,0.00032765,0.000120717,2.88749e-05,2.73165e-06,5.36752e-06 \
    qs=0.0236477,0.0201779,0.0169649,0.014017,0.0113428,0.00894983,0.00684515,0.00503399,0.00351906,0.00229921,0.00136749,0.000708509,0.000294852,8.28793e-05,9.96527e-06,3.15736e-05 \
    p=1000,936,872,808,744,680,616,552,488,424,360,296,232,168,104,40 \
    ph=1010,968,904,840,776,712,648,584,520,456,392,328,264,200,136,72,20";

/// Emanuel's convection: long, with many branches and early exits, on a sounding that convects.
#[test]
#[ignore = "minutes: make real-heads"]
fn convection() {
    case(&["emanuel/convect43c.f90"], "convect: t,q -> ft,fq,precip")
        .with(SOUNDING)
        .prove();
}
