//! Empirical models of the upper atmosphere, as published: fixed form Fortran with blanket SAVE, COMMON
//! that several procedures lay out, ENTRY, statement functions, and results kept from the last call.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};

const WHERE: &str = "iyd=172 sec=29000 glat=50:60 glong=-70:-60 stl=16 f107a=150:160 f107=150:160 \
                     ap=4:6 mass=48";

/// MSISE-00: temperatures and densities. It skips work if its inputs are those of the last call, so
/// the derivative is that of a first call.
#[test]
#[ignore = "minutes: make real-heads"]
fn temperature_and_densities() {
    let package = unpacked("msise00-1.11.1").unwrap_or_else(|error| panic!("{error:#}"));
    let folder = package.join("src/msise00/fortran");
    let files = ["msise00_data.f", "msise00_sub.f"];
    let head = "gtd7: alt, glat, glong, f107a, f107, ap -> d, t";
    Case::new(&folder, &files, head)
        .with(WHERE)
        .with("alt=150:200")
        .options("--saved fresh")
        .prove_in(Build::Optimised);
}
