//! The kernels in both languages: right gradients, in an optimised and in a checked build, and
//! exactly the tape that each needs.

use contraflow_legacy_tests::kernels::{Kernel, all};
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
