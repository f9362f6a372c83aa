//! Derivatives in C under valgrind: no value is read that was never written, nothing is written beyond its
//! memory, and all memory is released. With `PROVE_UNDER` other targets are proved so too: see `make valgrind`.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

/// Any complaint of valgrind's is one on standard error, which disproves.
const VALGRIND: &str = "valgrind -q --leak-check=full --error-exitcode=9";

fn prove(case: Case) {
    let mut case = case;
    case.options.push(format!("--run-with={VALGRIND}"));
    case.prove_in(Build::Optimised);
}

fn own(theme: &str, file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(theme);
    Case::new(&folder, &[file], head)
}

#[test]
#[ignore = "needs valgrind: make valgrind"]
fn under_valgrind_growing_tapes_and_jumps() {
    for file in ["into_blocks.c", "fall_through.c", "crossing.c"] {
        let case = own("jumps", file, "f: x -> y");
        prove(case.with("n=8 x=0.2:1.8").extents("x=n y=2"));
    }
}

#[test]
#[ignore = "needs valgrind: make valgrind"]
fn under_valgrind_memory_that_comes_and_goes() {
    for head in ["head: x -> return", "head2: x -> return"] {
        prove(
            own("memory", "malloc_in_loops.c", head)
                .with("n=5")
                .extents("x=n"),
        );
    }
    let case = own("regressions", "checked_allocation.c", "top: x -> return");
    prove(case.with("n=5").extents("x=n"));
}

#[test]
#[ignore = "needs valgrind: make valgrind"]
fn under_valgrind_sea_water() {
    let package = unpacked("gsw-3.6.23").unwrap_or_else(|error| panic!("{error:#}"));
    let folder = package.join("src/c_gsw");
    let files = ["gsw_oceanographic_toolbox.c", "gsw_saar.c"];
    let nsquared = Case::new(&folder, &files, "gsw_nsquared: sa, ct, p -> n2, p_mid");
    let nsquared = nsquared.with("nz=6 sa=30:38 ct=2:25 p=10,60,150,300,900,2000 lat=20:40");
    prove(nsquared.extents("sa=nz ct=nz p=nz lat=nz n2=nz-1 p_mid=nz-1"));
}
