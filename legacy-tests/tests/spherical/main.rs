//! Heads of SPHEREPACK, as pyspharm ships it, and of the T-matrix code of pytmatrix: fixed form, work
//! arrays that start anywhere in other arrays, COMMON, COMPLEX, INCLUDE.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

/// A head in a file of ours that calls the package, with what makes its tables.
fn spherepack(files: &[&str], head: &str) -> Case {
    let package = unpacked("pyspharm-1.0.9").unwrap_or_else(|error| panic!("{error:#}"));
    let mut case = Case::new(&package.join("src"), files, head);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spherical");
    case.files.insert(0, here.join("harmonics.f90"));
    case
}

/// The sizes that the package's declarations do not tell.
fn sizes(name: &str, transform: &str) -> String {
    format!(
        "{transform}::work=m*n {name}1::ge=idg,jdg,nt {name}1::go=idg,jdg,nt \
         {name}1::work=idg*jdg {name}::g=idg,jdg,nt {name}::a=mdab,ndab,nt \
         {name}::b=mdab,ndab,nt {name}::work=lwork"
    )
}

/// The package itself indexes past declared bounds (`work(1)`), so they are not checked.
#[test]
#[ignore = "minutes: make real-heads"]
fn harmonic_analysis() {
    for grid in [
        "nlat=5 nlon=8 isym=0",
        "nlat=4 nlon=6 isym=1",
        "nlat=5 nlon=9 isym=2",
    ] {
        spherepack(&["shaes.f", "hrfft.f", "sphcom.f"], "analysis: g -> a, b")
            .with(grid)
            .extents(&sizes("shaes", "hrfftf"))
            .prove_in(Build::Optimised);
    }
}

#[test]
#[ignore = "minutes: make real-heads"]
fn harmonic_synthesis() {
    for grid in ["nlat=5 nlon=8 isym=0", "nlat=4 nlon=6 isym=1"] {
        spherepack(&["shses.f", "hrfft.f", "sphcom.f"], "synthesis: a, b -> g")
            .with(grid)
            .extents(&sizes("shses", "hrfftb"))
            .prove_in(Build::Optimised);
    }
}

/// The amplitude and phase matrices by the angles, of a spheroid whose T-matrix is made before.
#[test]
#[ignore = "minutes: make real-heads"]
fn scattering_amplitudes() {
    let package = unpacked("pytmatrix-0.3.3").unwrap_or_else(|error| panic!("{error:#}"));
    let folder = package.join("pytmatrix/fortran_tm");
    let head = "calcampl: lam, thet0, thet, phi0, phi, alpha, beta -> s, z";
    let mut case = Case::new(&folder, &["ampld.lp.f", "lpd.f"], head)
        .with("nmax=6 lam=6.28 thet0=50:60 thet=60:70 phi0=110:120 phi=125:130 alpha=145 beta=52");
    case.options.extend([
        "--before".to_owned(),
        "calctmat(1.0,1.0,6.2831853,1.5,0.02,0.5,-1,0.001,2,0)".to_owned(),
    ]);
    case.prove_in(Build::Optimised);
}

/// From refractive index and axis ratio to the amplitudes, through the T-matrix: convergence loops,
/// COMMON that callees hand to each other, and LAPACK's complex factorisation and inverse. The matrix
/// passes through single precision. Arrays in COMMON are set as far as the problem's size reaches.
#[test]
#[ignore = "minutes: make real-heads"]
fn scattering_by_shape_and_material() {
    let package = unpacked("pytmatrix-0.3.3").unwrap_or_else(|error| panic!("{error:#}"));
    let folder = package.join("pytmatrix/fortran_tm");
    let head = "scattering: mrr, mri, eps -> s, z";
    let mut case = Case::new(&folder, &["ampld.lp.f", "lpd.f"], head)
        .with("axi=1 lam=6.2831853 mrr=1.5 mri=0.02 eps=0.7")
        .with("thet0=56 thet=65 phi0=114 phi=128 alpha=145 beta=52")
        .extents("zscal::zx=n*incx zswap::zx=n*incx zswap::zy=n*incy zlaswp::a=lda,n")
        .extents("zgetf2::a=lda,n zgetrf::a=lda,n zgetri::a=lda,n zgeru::a=lda,n")
        .extents("ztrti2::a=lda,n ztrtri::a=lda,n ztrsm::b=ldb,n ztrmm::b=ldb,n")
        .extents("zgemm::c=ldc,n ztrmv::x=n*incx zgemv::y=m*incy")
        .options("--saved fresh --tolerance 1e-5 --fd-tolerance 1e-2");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spherical");
    case.files.insert(0, here.join("scattering.f90"));
    case.prove_in(Build::Optimised);
}

/// A spherical harmonic series at one point, by coefficients and place: allocatable tables that are
/// saved between calls, optional arguments, interfaces in a module.
#[test]
#[ignore = "minutes: make real-heads"]
fn harmonic_series_at_a_point() {
    let package = unpacked("pyshtools-4.14.1").unwrap_or_else(|error| panic!("{error:#}"));
    let files = [
        "ftypes.f95",
        "SHTOOLS.f95",
        "MakeGridPoint.f95",
        "PlmBar.f95",
        "PlmSchmidt.f95",
        "PlmON.f95",
        "PLegendreA.f95",
    ];
    for norm in ["norm=1", "norm=2", "norm=4"] {
        let head = "makegridpoint: cilm, lat, lon -> return";
        Case::new(&package.join("src"), &files, head)
            .with("lmax=4 lat=20:30 lon=40:50 csphase=1 dealloc=0")
            .with(norm)
            .extents("cilm=2,lmax+1,lmax+1")
            .prove();
    }
}
