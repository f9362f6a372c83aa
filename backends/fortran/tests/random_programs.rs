//! Random programs, written as Fortran, compute what the interpreter computes, and compile without
//! warnings.

#[path = "../../common/tests/differential/mod.rs"]
mod differential;

use contraflow_backend_fortran::{Options, files};
use contraflow_ir::{Sources, verify::verify};
use differential::Home;

fn check(home: Home) {
    let programs = differential::programs(40, home);
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = Vec::new();
    for program in &programs {
        let verified = verify(&program.module).expect("generated programs are valid");
        let all: Vec<_> = program.module.procedures.ids().collect();
        let made = files(verified, &Sources::default(), &all, &Options::default())
            .expect("everything has its Fortran");
        for file in made {
            text.extend(file.text);
            text.push(b'\n');
        }
    }
    std::fs::write(folder.path().join("programs.f90"), text).expect("written");
    let driver = differential::driver(&programs, |name| match home {
        Home::C => name.to_owned(),
        Home::Fortran => format!("{name}_"),
    });
    std::fs::write(folder.path().join("driver.c"), driver).expect("written");
    let warnings = ["-std=f2018", "-Wall", "-Werror", "-c", "programs.f90"];
    differential::run(folder.path(), "gfortran", &warnings);
    differential::run(
        folder.path(),
        "gfortran",
        &["-o", "driver", "driver.c", "programs.o"],
    );
    let printed = differential::run(folder.path(), "./driver", &[]);
    differential::assert_same(&printed, &differential::expected(&programs));
}

#[test]
fn programs_with_the_conventions_of_fortran_compute_the_same() {
    check(Home::Fortran);
}

#[test]
fn programs_with_the_conventions_of_c_compute_the_same() {
    check(Home::C);
}
