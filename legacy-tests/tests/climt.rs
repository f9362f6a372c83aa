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

const LW: &[&str] = &[
    "parkind",
    "parrrtm",
    "rrlw_cld",
    "rrlw_con",
    "rrlw_kg01",
    "rrlw_kg02",
    "rrlw_kg03",
    "rrlw_kg04",
    "rrlw_kg05",
    "rrlw_kg06",
    "rrlw_kg07",
    "rrlw_kg08",
    "rrlw_kg09",
    "rrlw_kg10",
    "rrlw_kg11",
    "rrlw_kg12",
    "rrlw_kg13",
    "rrlw_kg14",
    "rrlw_kg15",
    "rrlw_kg16",
    "rrlw_ncpar",
    "rrlw_ref",
    "rrlw_tbl",
    "rrlw_vsn",
    "rrlw_wvn",
    "rrtmg_lw_cldprop",
    "rrtmg_lw_init",
    "rrtmg_lw_k_g",
    "rrtmg_lw_rad.nomcica",
    "rrtmg_lw_rtrn",
    "rrtmg_lw_rtrnmr",
    "rrtmg_lw_setcoef",
    "rrtmg_lw_taumol",
];

/// A column of air; physical constants that the host model sets, then the tables.
const COLUMN: &str = "\
    ncol=1 nlay=6 idrv=0 play=ramp:980:60 plev=ramp:1040:20 tlay=ramp:288:215 tlev=ramp:290:213 \
    tsfc=289 h2ovmr=ramp:0.01:5e-6 o3vmr=ramp:3e-8:3e-6 co2vmr=3.7e-4 ch4vmr=1.7e-6 n2ovmr=3.1e-7 \
    o2vmr=0.209 cfc11vmr=1e-10 cfc12vmr=1e-10 cfc22vmr=1e-10 ccl4vmr=1e-10 emis=0.97 inflglw=2 \
    iceflglw=1 liqflglw=1 cicewp=5:20 cliqwp=5:20 reice=20:60 reliq=6:14 taucld=0 tauaer=0.001 \
    duflx_dt=absent duflxc_dt=absent rrlw_con::pi=3.14159265 rrlw_con::grav=9.8066 \
    rrlw_con::planck=6.62606876e-27 rrlw_con::boltz=1.3806503e-16 rrlw_con::clight=2.99792458e10 \
    rrlw_con::avogad=6.02214199e23 rrlw_con::alosmt=2.6867775e19 rrlw_con::gascon=8.314472e7 \
    rrlw_con::sbcnst=5.6704e-4 rrlw_con::secdy=8.64e4";

/// Long-wave fluxes and heating rates with respect to temperature and water vapour. The code looks
/// transmittances up in tables, so differences must not reach the next entry.
fn long_wave(clouds: &str) {
    let files: Vec<String> = LW
        .iter()
        .map(|name| format!("rrtmg_lw/{name}.f90"))
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let layers = "play tlay h2ovmr o3vmr co2vmr ch4vmr n2ovmr o2vmr cfc11vmr cfc12vmr cfc22vmr \
                  ccl4vmr cldfr cicewp cliqwp reice reliq hr hrc";
    let levels = "plev tlev uflx dflx uflxc dflxc";
    let sizes = |names: &str, size: &str| -> String {
        let all = names.split_whitespace();
        all.map(|name| format!("{name}=ncol,{size} ")).collect()
    };
    case(
        &files,
        "rrtmg_lw_rad_nomcica::rrtmg_lw: tlay,h2ovmr -> uflx,dflx,hr",
    )
    .with(COLUMN)
    .with(clouds)
    .extents(&sizes(layers, "nlay"))
    .extents(&sizes(levels, "nlay+1"))
    .extents("tsfc=ncol emis=ncol,16 taucld=16,ncol,nlay tauaer=ncol,nlay,16")
    .options("--before rrtmg_lw_ini(1004.64) --step 1e-8 --fd-tolerance 1e-4 --seeds 1")
    .prove_in(Build::Optimised);
}

#[test]
#[ignore = "minutes: make real-heads"]
fn long_wave_radiation_of_a_clear_sky() {
    long_wave("icld=0 cldfr=0");
}

/// Clouds that overlap as far as they can within a block, at random between blocks.
#[test]
#[ignore = "minutes: make real-heads"]
fn long_wave_radiation_under_clouds() {
    long_wave("icld=2 cldfr=0.1:0.7");
}
