//! Empirical models of the upper atmosphere, as published: fixed form Fortran with blanket SAVE, COMMON
//! that several procedures lay out, ENTRY, statement functions, and results kept from the last call.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};

const WHERE: &str = "iyd=172 sec=29000 glat=50:60 glong=-70:-60 stl=16 f107a=150:160 f107=150:160 \
                     ap=4:6 mass=48";

/// MSISE-00: temperatures and densities. It skips work if its inputs are those of the last call, so
/// the derivative is that of a first call.
fn msise() -> Case {
    let package = unpacked("msise00-1.11.1").unwrap_or_else(|error| panic!("{error:#}"));
    let folder = package.join("src/msise00/fortran");
    let files = ["msise00_data.f", "msise00_sub.f"];
    let head = "gtd7: alt, glat, glong, f107a, f107, ap -> d, t";
    Case::new(&folder, &files, head)
        .with(WHERE)
        .options("--saved fresh")
}

#[test]
#[ignore = "minutes: make real-heads"]
fn temperature_and_densities() {
    msise().with("alt=150:200").prove_in(Build::Optimised);
}

/// In the mesosphere single precision leaves differences only two digits; the source is proved with
/// its reals made wide by the compiler.
#[test]
#[ignore = "minutes: make real-heads"]
fn the_mesosphere_in_double_precision() {
    msise()
        .with("alt=60:90")
        .flags("-fdefault-real-8")
        .prove_in(Build::Quick);
}

/// The winds of HWM93, which keeps spherical harmonics of the last latitude in COMMON: as the first call
/// finds it, empty.
#[test]
#[ignore = "minutes: make real-heads"]
fn the_horizontal_wind_model() {
    let package = unpacked("hwm93-0.9.1").unwrap_or_else(|error| panic!("{error:#}"));
    let head = "gws5: glat, sec, alt, glong, f107a, f107, ap -> w";
    Case::new(&package.join("src"), &["hwm93_sub.f"], head)
        .with("iyd=95172 sec=20000:40000 alt=150:170 glat=30:60 glong=10:50 stl=4:15")
        .with("f107a=140:160 f107=140:160 ap=5:10")
        .options("--saved fresh")
        .prove_in(Build::Optimised);
}

/// NRLMSISE-00 in C: its tables are defined by a file of their own and changed by what reads them.
/// With -O2 gcc says of its tapes that they may be unset, which `check` refuses; -O1 does not say so.
#[test]
#[ignore = "minutes: make real-heads"]
fn the_same_in_c() {
    let package = unpacked("nrlmsise00-0.1.2").unwrap_or_else(|error| panic!("{error:#}"));
    let files = ["nrlmsise-00.c", "nrlmsise-00_data.c"];
    Case::new(
        &package.join("src/c_nrlmsise-00"),
        &files,
        "gtd7: input -> output",
    )
    .extents("input=1 flags=1 output=1")
    .with("input%year=2009 input%doy=172 input%sec=29000 input%alt=150:200 input%lst=16")
    .with("input%g_lat=50:60 input%g_long=-70:-60 input%ap=4:6 flags%switches=0,1")
    .with("input%f107A=150:160 input%f107=150:160")
    .options("--saved fresh")
    .prove_in(Build::Quick);
}
