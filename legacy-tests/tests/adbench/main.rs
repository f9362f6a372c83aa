//! Programs in the way of the four problems of ADBench (Šrajer, Kukelova & Fitzgibbon 2018), written from the
//! published formulas: structs, small matrices and pointers, as C is written.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adbench");
    Case::new(&folder, &[file], head)
}

#[test]
fn gmm() {
    case("gmm.c", "gmm_objective: p -> return").with("n=6 d=3 k=2 p.k=2 p.d=3 wishart.gamma=1.0 wishart.m=0 p.alphas=-0.5:0.5 p.means=-1:1 p.icf=-0.5:0.5").extents("p=1 x=n*d wishart=1 p%alphas=k p%means=d*k p%icf=k*(d*(d+1)/2)").prove_in(Build::Checked);
}

#[test]
fn ba() {
    case("ba.c", "ba_objective: cams,pts,w -> reproj_err,w_err")
        .with("n=2 m=3 p=4 obs.cam=0,1,0,1 obs.pt=0,1,2,0 pts=2:3")
        .extents("cams=n pts=m w=p obs=p reproj_err=2*p w_err=p")
        .prove_in(Build::Checked);
}

#[test]
fn lstm() {
    case("lstm.c", "lstm_objective: main_params,extra_params -> loss")
        .with("l=2 c=2 b=3 main_params=-0.5:0.5 extra_params=-0.5:0.5 state=-0.5:0.5 sequence=0:1")
        .extents("main_params=2*l*4*b extra_params=3*b state=2*l*b sequence=c*b loss=1")
        .prove_in(Build::Checked);
}

#[test]
fn hand() {
    case("hand.c", "hand_objective: theta -> err").with("n_theta=11 model.n_bones=3 model.n_vertices=4 npts=3 model.parents=-1,0,1 corr=0,2,3 theta=-0.6:0.6").options("--no-alias").extents("theta=n_theta model=1 points=3*npts corr=npts err=3*npts model%parents=3 model%base_relatives=16*3 model%inverse_base=16*3 model%vertices=4*4 model%weights=3*4").prove_in(Build::Checked);
}
