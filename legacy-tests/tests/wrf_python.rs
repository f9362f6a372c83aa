//! WRF's diagnostics as wrf-python ships them: Fortran 90 with OpenMP directives and constants from
//! a module. The sources are used as published.
//!
//! Not here, of the package's subroutines: DLOOKUP_TABLE (it reads a file), DGETIJLATLONG (indices
//! of the nearest point), DCOMPUTEICLW (it reads level 0 of an array that begins at 1) and the
//! wrappers of OpenMP's library.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};

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

/// The table of pseudo-adiabats, read by the head itself, and a message of 100 characters.
fn with_table(case: Case) -> Case {
    let package = unpacked("wrf-python-1.3.4.1").unwrap_or_else(|error| panic!("{error:#}"));
    let table = package.join("src/wrf/data/psadilookup.dat");
    messages(case.with(&format!("psafile={}", table.display())))
}

fn messages(case: Case) -> Case {
    case.with(&format!("errstat=0 errmsg={}", "_".repeat(100)))
}

const SOUNDING: &str = "mix=3 mjy=2 mkzh=20 prs=ramp:100:1000 tmk=ramp:200:303 \
                        qvp=ramp:1e-5:0.018 ght=ramp:16000:100 ter=0:50 sfp=1005:1010 cmsg=-999 \
                        ter_follow=1";

/// Bounds are not checked in CAPE's two routines: they ask `kk > 1 .and. buoy(kk - 1) …` in one
/// condition.
fn prove_cape(head: &str) {
    let case = with_table(case("rip_cape.f90", head).with(SOUNDING));
    case.prove_in(Build::Optimised);
}

#[test]
fn convective_energy_of_all_levels() {
    prove_cape("dcapecalc3d: prs, tmk, qvp, ght -> cape, cin");
}

#[test]
#[ignore = "minutes: make real-heads"]
fn convective_energy_of_the_best_level() {
    prove_cape("dcapecalc2d: prs, tmk, qvp, ght, sfp -> cape, cin");
}

#[test]
#[ignore = "minutes: make real-heads"]
fn temperature_on_a_pseudo_adiabat() {
    for prs in ["prs=700", "prs=70"] {
        let case = case("rip_cape.f90", "tonpsadiabat: thte, prs -> return")
            .with("thte=330 psadithte=ramp:280:400 psadiprs=ramp:1050:100 psaditmk=200:310")
            .with("gamma=0.2857")
            .with(prs);
        messages(case).prove();
    }
}

#[test]
fn wet_bulb_temperature() {
    let package = unpacked("wrf-python-1.3.4.1").unwrap_or_else(|error| panic!("{error:#}"));
    let files = [
        "wrf_rip_phys_routines.f90",
        "rip_cape.f90",
        "wrf_constants.f90",
    ];
    let head = "wetbulbcalc: prs, tmk, qvp -> twb";
    let case = Case::new(&package.join("fortran"), &files, head)
        .with("nx=3 ny=2 nz=4 prs=3e4:1e5 tmk=255:300 qvp=0.001:0.02");
    with_table(case).prove();
}

#[test]
fn sea_level_pressure() {
    let head = "dcomputeseaprs: z, t, p, q -> sea_level_pressure";
    let case = case("wrf_user.f90", head)
        .with("nx=3 ny=4 nz=8 z=ramp:50:9000 t=ramp:290:240 p=ramp:1e5:3e4 q=0.001:0.01 level=0");
    messages(case).prove();
}

/// Below the ground, inside, and above the top; of temperature, height and potential temperature.
#[test]
#[ignore = "minutes: make real-heads"]
fn vertical_interpolation() {
    for (case_and_log, pressure) in [
        (
            "icase=1 vcor=2 logp=0",
            "vcarray=ramp:0.98:0.2 interp_levels=-0.1,1,5,14",
        ),
        (
            "icase=2 vcor=1 logp=1",
            "vcarray=ramp:1000:200 interp_levels=1015,850,500,100",
        ),
        (
            "icase=3 vcor=1 logp=1",
            "vcarray=ramp:1000:200 interp_levels=1015,850,500,100",
        ),
        (
            "icase=6 vcor=1 logp=0",
            "vcarray=ramp:1000:200 interp_levels=1015,850,500,100",
        ),
    ] {
        let head =
            "wrf_vintrp: datain, pres, tk, qvp, ght, terrain, sfp, smsfp, vcarray -> dataout";
        let case = case("wrf_vinterp.f90", head)
            .with("ew=3 ns=2 nz=6 numlevels=4 datain=ramp:300:230 pres=ramp:1e5:2e4")
            .with("tk=ramp:300:230 qvp=ramp:0.01:0.001 ght=ramp:100:12000 terrain=0:50")
            .with("sfp=1000:1020 smsfp=1000:1020 extrap=1 rmsg=-999")
            .with(case_and_log)
            .with(pressure);
        messages(case).prove();
    }
}

#[test]
#[ignore = "minutes: make real-heads"]
fn map_projections() {
    for projection in [1, 2, 3, 6] {
        for (head, point) in [("dlltoij", "lat=40 lon=-95"), ("dijtoll", "ai=12.3 aj=7.7")] {
            let inputs = point.split(' ').filter_map(|text| text.split('=').next());
            let inputs: Vec<&str> = inputs.collect();
            let head = format!(
                "{head}: truelat1, truelat2, stdlon, lat1, lon1, pole_lat, pole_lon, knowni, \
                 knownj, dx, latinc, loninc, {} -> loc",
                inputs.join(", ")
            );
            let case = case("wrf_user_latlon_routines.f90", &head)
                .with(&format!("map_proj={projection}"))
                .with("truelat1=30 truelat2=60 stdlon=-97 lat1=35 lon1=-100 pole_lat=80")
                .with("pole_lon=20 knowni=5 knownj=5 dx=12000 dy=12000 latinc=0.1 loninc=0.1")
                .with(point);
            messages(case).prove();
        }
    }
}

/// The heads of one file after the other: file, head, values.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "rip_cape.f90",
        "tvirtual: temp, ratmix -> return",
        "temp=250:300 ratmix=0.001:0.02",
    ),
    (
        "rip_cape.f90",
        "dpfcalc: prs, sfp -> pf",
        "mix=3 mjy=2 mkzh=5 ter_follow=1",
    ),
    (
        "rip_cape.f90",
        "dpfcalc: prs, sfp -> pf",
        "mix=3 mjy=2 mkzh=5 ter_follow=0",
    ),
    (
        "calc_uh.f90",
        "dcalcuh: us, vs, w, zp, mapfct -> uh",
        "nx=6 ny=6 nz=12 nzp1=nz+1 zp=ramp:100:12000 uhmnhgt=2000 uhmxhgt=5000 us=-20:20 vs=-20:20 w=1:9 mapfct=0.9:1.1 dx=3000 dy=3000",
    ),
    (
        "wrf_cloud_fracf.f90",
        "dcloudfrac: rh -> lowc, midc, highc",
        "nz=9 ns=3 ew=4 pres=ramp:1e5:2e4 rh=70:105",
    ),
    (
        "wrf_cloud_fracf.f90",
        "dcloudfrac2: rh -> lowc, midc, highc",
        "nz=9 ns=3 ew=4 vert=ramp:1e5:2e4 rh=70:105 vert_inc_w_height=0 low_thresh=97000 mid_thresh=80000 high_thresh=45000 msg=-999",
    ),
    (
        "wrf_fctt.f90",
        "wrfcttcalc: prs, tk, qci, qcw, qvp, ght, ter -> ctt",
        "nz=6 ns=3 ew=4 prs=ramp:1000:200 tk=220:300 qci=0.01:0.2 qcw=0.01:0.2 qvp=1:10 ght=ramp:100:12000 ter=10:90 haveqci=1 fill_nocloud=0 missing=-999 opt_thresh=1",
    ),
    (
        "wrf_relhl.f90",
        "dcalrelhl: u, v, ght, ter -> sreh",
        "miy=3 mjx=4 mkzh=12 u=5:30 v=5:30 ght=ramp:14000:100 ter=10:90 lat=30:50 top=3000",
    ),
    (
        "wrf_rip_phys_routines.f90",
        "virtual_temp: temp, ratmix -> tv",
        "nx=3 ny=2 nz=4 temp=250:300 ratmix=0.001:0.02",
    ),
    (
        "wrf_user.f90",
        "dcomputepi: pressure -> pi",
        "nx=3 ny=2 nz=4 pressure=2e4:1e5",
    ),
    (
        "wrf_user.f90",
        "dinterp3dz: data3d, zdata, levels -> out2d",
        "nx=3 ny=2 nz=7 nlev=3 zdata=ramp:10:100 levels=20:90 missingval=-999",
    ),
    (
        "wrf_user.f90",
        "dinterp3dz_2dlev: data3d, zdata, levs2d -> out2d",
        "nx=3 ny=2 nz=7 zdata=ramp:10:100 levs2d=20:90 missingval=-999",
    ),
    (
        "wrf_user.f90",
        "dzstag: z, terrain -> znew",
        "nxz=3 nyz=4 nzz=5 nx=nxz+1 ny=nyz nz=nzz",
    ),
    (
        "wrf_user.f90",
        "dzstag: z, terrain -> znew",
        "nxz=3 nyz=4 nzz=5 nx=nxz ny=nyz+1 nz=nzz",
    ),
    (
        "wrf_user.f90",
        "dzstag: z, terrain -> znew",
        "nxz=3 nyz=4 nzz=5 nx=nxz ny=nyz nz=nzz+1",
    ),
    (
        "wrf_user.f90",
        "dinterp2dxy: v3d, xy -> v2d",
        "nx=5 ny=4 nz=3 nxy=6 xy=0.2:2.8",
    ),
    (
        "wrf_user.f90",
        "dinterp1d: v_in, z_in, z_out -> v_out",
        "nz_in=8 nz_out=5 z_in=ramp:10:100 z_out=20:90 vmsg=-999",
    ),
    (
        "wrf_user.f90",
        "filter2d: a -> a",
        "nx=7 ny=6 it=3 a=270:300 b=0 missing=-999 cenweight=2",
    ),
    (
        "wrf_user.f90",
        "dcomputeuvmet: u, v, flong, flat -> uvmet",
        "nx=4 ny=3 nxp1=nx+1 nyp1=ny+1 istag=1 is_msg_val=0 flong=-110:-90 flat=30:50 cen_long=-100 cone=0.7 rpd=0.0174 u=-20:20 v=-20:20 umsg=-999 vmsg=-999 uvmetmsg=-999",
    ),
    (
        "wrf_user.f90",
        "dcomputetd: pressure, qv_in -> td",
        "nx=9 pressure=300:1000 qv_in=0.001:0.02",
    ),
    (
        "wrf_user_dbz.f90",
        "calcdbz: prs, tmk, qvp, qra, qsn, qgr -> dbz",
        "nx=3 ny=2 nz=4 prs=3e4:1e5 tmk=255:290 qvp=0.001:0.02 qra=1e-4:1e-3 qsn=1e-4:1e-3 qgr=1e-4:1e-3 sn0=1 ivarint=1 iliqskin=1",
    ),
    (
        "wrf_user_dbz.f90",
        "calcdbz: prs, tmk, qvp, qra, qsn, qgr -> dbz",
        "nx=3 ny=2 nz=4 prs=3e4:1e5 tmk=255:290 qvp=0.001:0.02 qra=1e-4:1e-3 qsn=1e-4:1e-3 qgr=1e-4:1e-3 sn0=0 ivarint=0 iliqskin=0",
    ),
    (
        "wrf_user_latlon_routines.f90",
        "rotatecoords: ilat, ilon, lat_np, lon_np, lon_0 -> olat, olon",
        "ilat=30:50 ilon=-100:-80 lat_np=60 lon_np=10 lon_0=20 direction=-1",
    ),
    (
        "wrf_wind.f90",
        "dcomputewspd: u, v -> wspd",
        "n=9 u=-20:20 v=-20:20",
    ),
    (
        "wrf_wind.f90",
        "dcomputewdir: u, v -> wdir",
        "n=9 u=-20:20 v=-20:20",
    ),
    (
        "wrf_vinterp.f90",
        "wrf_monotonic: in, cor -> out",
        "ew=3 ns=2 nz=6 lvprs=ramp:1000:200 cor=1e-4:2e-4 idir=1 delta=0.01 icorsw=1",
    ),
    (
        "wrf_vinterp.f90",
        "wrf_monotonic: in, cor -> out",
        "ew=3 ns=2 nz=6 lvprs=ramp:1000:200 cor=1e-4:2e-4 idir=-1 delta=0.01 icorsw=0",
    ),
    (
        "wrf_vinterp.f90",
        "wrf_intrp_value: wvalp0, wvalp1, vlev, vcp0, vcp1 -> return",
        "wvalp0=100:200 wvalp1=300:400 icase=2 errstat=0",
    ),
];

#[test]
#[ignore = "minutes: make real-heads"]
fn all_other_heads() {
    for (file, head, values) in OTHERS {
        case(file, head).with(values).prove();
    }
}
