//! The kernels in both languages: right gradients, in an optimised and in a checked build, and
//! exactly the tape that each needs.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::kernels::{Kernel, all, folder};
use contraflow_legacy_tests::proof::{Build, Case};
use contraflow_legacy_tests::tape::{allowed, bytes};

/// The first run in both builds, the others in the optimised one. All are tried; all that fail are
/// told.
fn prove_all(twin: impl Fn(&Kernel, &str) -> Case) {
    let kernels = all().unwrap_or_else(|error| panic!("{error:#}"));
    assert!(kernels.len() >= 20, "{} kernels", kernels.len());
    let mut failures = Vec::new();
    for kernel in &kernels {
        for (run, size) in kernel.sizes.iter().enumerate() {
            let case = twin(kernel, size);
            let builds = if run == 0 {
                vec![Build::Optimised, Build::Checked]
            } else {
                vec![Build::Optimised]
            };
            for build in builds {
                let outcome = case.check(build);
                if outcome.status != 0 {
                    let head = format!("{} with {size} ({build:?})", kernel.name);
                    failures.push(format!("{head}\n{}{}", outcome.out, outcome.error));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} runs failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn fortran_kernels_are_proved() {
    prove_all(Kernel::fortran);
}

#[test]
fn c_kernels_are_proved() {
    prove_all(Kernel::c);
}

/// The bytes of the tape in one run are those that the list allows.
fn tapes_are_exact(twin: impl Fn(&Kernel, &str) -> Case) {
    let kernels = all().unwrap_or_else(|error| panic!("{error:#}"));
    let mut failures = Vec::new();
    for kernel in &kernels {
        for size in &kernel.sizes {
            let case = twin(kernel, size);
            if kernel.tape == "grows" {
                match bytes(&case) {
                    Err(error) if format!("{error:#}").contains("grows") => {}
                    other => failures.push(format!("{} grows no tape: {other:?}", kernel.name)),
                }
                continue;
            }
            let wanted = allowed(&case, &kernel.tape).unwrap_or_else(|error| panic!("{error:#}"));
            match bytes(&case) {
                Ok(found) if found == wanted => {}
                Ok(found) => failures.push(format!(
                    "{} with {size}: {found} bytes, not {wanted}",
                    kernel.name
                )),
                Err(error) => failures.push(format!("{} with {size}: {error:#}", kernel.name)),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn tapes_of_fortran_kernels_are_exact() {
    tapes_are_exact(Kernel::fortran);
}

#[test]
fn tapes_of_c_kernels_are_exact() {
    tapes_are_exact(Kernel::c);
}

/// The kernels of whole numbers have no derivative, and that is said of the variable.
#[test]
fn kernels_of_whole_numbers_are_refused() {
    let heads = [
        ("crc16", "data -> crc", "data"),
        ("compute", "a1, a2 -> out", "a1"),
        ("floyd_warshall", "path -> path", "path"),
        ("nussinov", "seq -> table", "seq"),
        ("mandelbrot", "xmin, xmax -> count", "count"),
    ];
    for (name, variables, guilty) in heads {
        for suffix in ["f90", "c"] {
            let file = folder().join("integer").join(format!("{name}.{suffix}"));
            let (file, head) = (file.display().to_string(), format!("{name}: {variables}"));
            let refused = contraflow(&["adjoint", &file, "--head", &head, "-o", "nowhere"]);
            assert_ne!(refused.status, 0, "{file}");
            let said = format!("error[passive-variable]: `{guilty}`");
            assert!(refused.error.contains(&said), "{file}: {}", refused.error);
        }
    }
}
