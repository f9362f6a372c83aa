//! Empirical models of the upper atmosphere, as published: fixed form Fortran with blanket SAVE, COMMON
//! that several procedures lay out, ENTRY, statement functions, and results kept from the last call.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;
use std::process::Command;

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
fn nrlmsise() -> Case {
    let package = unpacked("nrlmsise00-0.1.2").unwrap_or_else(|error| panic!("{error:#}"));
    let files = ["nrlmsise-00.c", "nrlmsise-00_data.c"];
    Case::new(
        &package.join("src/c_nrlmsise-00"),
        &files,
        "gtd7: input -> output",
    )
    .extents("input=1 flags=1 output=1")
    .options("--saved fresh")
}

/// With -O2 gcc says of its tapes that they may be unset, which `check` refuses; -O1 does not say so.
#[test]
#[ignore = "minutes: make real-heads"]
fn the_same_in_c() {
    nrlmsise()
        .with("input%year=2009 input%doy=172 input%sec=29000 input%alt=150:200 input%lst=16")
        .with("input%g_lat=50:60 input%g_long=-70:-60 input%ap=4:6 flags%switches=0,1")
        .with("input%f107A=150:160 input%f107=150:160")
        .prove_in(Build::Quick);
}

/// GTD7 in Fortran (with its reals made wide) and its port to C, side by side: densities, temperatures and all
/// their gradients from 30 to 500 km. Printed as a table; they agree to 1e-12.
#[test]
#[ignore = "minutes: make real-heads"]
fn fortran_and_c_agree() {
    let out = tempfile::tempdir().expect("a folder");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/atmosphere");
    let fortran = msise();
    let wide = ["--flags=-fdefault-real-8", "-o"];
    derive(&fortran, &wide, out.path());
    let sources = ["GTD7_b_state.f90", "msise00_data.f", "msise00_sub.f"];
    let sources = sources.map(|name| out.path().join(name));
    let mut build = Command::new("gfortran");
    build.args(["-O0", "-w", "-fdefault-real-8", "-J"]);
    build.arg(out.path()).args(&sources);
    let of_fortran = table(build.arg(here.join("gtd7.f90")), out.path());

    let out = tempfile::tempdir().expect("a folder");
    let c = nrlmsise();
    derive(&c, &["-o"], out.path());
    let sources = ["nrlmsise-00.c", "nrlmsise_00_data_start_b.c"];
    let sources = sources.map(|name| out.path().join(name));
    let headers = c.files[0].parent().expect("a folder");
    let mut build = Command::new("gcc");
    build.args(["-O0", "-I"]).arg(headers).args(&sources);
    build.arg(&c.files[1]).arg(here.join("gtd7.c")).arg("-lm");
    let of_c = table(&mut build, out.path());

    println!(
        "km, output, and of its value and its derivatives by alt, glat, glong, f107a, f107, ap:"
    );
    println!("Fortran, C, difference relative to the larger");
    assert_eq!((of_fortran.len(), of_c.len()), (66, 66));
    for (fortran, c) in of_fortran.iter().zip(&of_c) {
        assert_eq!(fortran[..2], c[..2]);
        for (a, b) in fortran[2..].iter().zip(&c[2..]) {
            // Rounding alone leaves something where nothing depends.
            let is_zero = a.abs().max(b.abs()) <= 1e-14 * fortran[2].abs();
            let difference = match is_zero {
                true => 0.0,
                false => (a - b).abs() / a.abs().max(b.abs()),
            };
            println!(
                "{:4} {:2} {a:23.15e} {b:23.15e} {difference:8.1e}",
                c[0], c[1]
            );
            assert!(difference < 1e-12, "{fortran:?}\n{c:?}");
        }
    }
}

fn derive(case: &Case, more: &[&str], out: &Path) {
    let out = out.display().to_string();
    let mut arguments = case.command("adjoint", more);
    arguments.push(out);
    let outcome = contraflow(&arguments[1..]);
    assert_eq!(outcome.status, 0, "{}", outcome.error);
}

/// The numbers that a program prints, by lines.
fn table(build: &mut Command, out: &Path) -> Vec<Vec<f64>> {
    let program = out.join("table");
    let built = build.arg("-o").arg(&program).output().expect("a compiler");
    let error = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{error}");
    let run = Command::new(&program).output().expect("the program");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let number = |word: &str| word.parse().expect("a number");
    let line = |line: &str| line.split_whitespace().map(number).collect();
    text.lines().map(line).collect()
}
