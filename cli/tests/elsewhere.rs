//! `contraflow check` from a folder that holds the leftovers of another build.

use std::fs;
use std::process::Command;

const MODULE: &str =
    "module scale\n  implicit none\n  real(8), parameter :: factor = 3d0\nend module\n";
const HEAD: &str = "subroutine f(x, y)\n  use scale, only: factor\n  implicit none\n  \
                    include 'bias.inc'\n  real(8), intent(in) :: x\n  real(8), intent(out) :: y\n  \
                    y = factor*x*x + bias\nend subroutine\n";

#[test]
fn modules_of_an_earlier_build_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    fs::create_dir(folder.path().join("include")).expect("a folder");
    write("include/bias.inc", "real(8), parameter :: bias = 1d0\n");
    write("scale.f90", MODULE);
    write("f.f90", HEAD);
    write("scale.mod", "what another compiler wrote");
    let output = Command::new(env!("CARGO_BIN_EXE_contraflow"))
        .args(["check", "scale.f90", "f.f90", "--head", "f: x -> y"])
        .args(["-I", "include", "--flags", "-O1 -Iinclude"])
        .current_dir(folder.path())
        .output()
        .expect("contraflow runs");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
