//! Random programs, written as C, compute what the interpreter computes, and compile without
//! warnings.

#[path = "../../common/tests/differential/mod.rs"]
mod differential;

use contraflow_backend_c::{Options, files};
use contraflow_ir::{Sources, verify::verify};
use differential::Home;

fn check(home: Home) {
    let programs = differential::programs(40, home);
    let folder = tempfile::tempdir().expect("a folder");
    let mut sources = String::new();
    let mut names = Vec::new();
    for program in &programs {
        let verified = verify(&program.module).expect("generated programs are valid");
        let all: Vec<_> = program.module.procedures.ids().collect();
        let made = files(verified, &Sources::default(), &all, &Options::default())
            .expect("everything has its C");
        for file in made {
            std::fs::write(folder.path().join(&file.name), &file.text).expect("written");
            if file.name.ends_with(".c") {
                names.push(file.name);
            }
        }
    }
    sources.push_str(&differential::driver(&programs, str::to_owned));
    std::fs::write(folder.path().join("driver.c"), sources).expect("written");
    let mut arguments = vec!["-std=c11", "-Wall", "-Wextra", "-Werror", "-c"];
    arguments.extend(names.iter().map(String::as_str));
    differential::run(folder.path(), "cc", &arguments);
    let objects: Vec<String> = names.iter().map(|n| n.replace(".c", ".o")).collect();
    let mut arguments = vec!["-o", "driver", "driver.c"];
    arguments.extend(objects.iter().map(String::as_str));
    arguments.push("-lm");
    differential::run(folder.path(), "cc", &arguments);
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
