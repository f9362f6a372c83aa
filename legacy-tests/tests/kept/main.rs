//! Derivatives that count the bytes of their tapes and snapshots: what is counted is what was predicted,
//! nothing is left, and more than `--memory` allows is no proof.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::kernels::{self, Kernel};
use contraflow_legacy_tests::proof::{Build, Case};
use contraflow_legacy_tests::tape;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept")
}

fn case(file: &str, head: &str) -> Case {
    Case::new(&folder(), &[file], head).options("--instrument --seeds 1")
}

/// Measured and predicted bytes in memory.
fn figures(out: &str) -> (f64, f64) {
    let line = out
        .lines()
        .find(|line| line.contains("memory of tapes and snapshots"))
        .unwrap_or_else(|| panic!("nothing was counted:\n{out}"));
    let numbers: Vec<f64> = line
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse().ok())
        .collect();
    (numbers[0], numbers[1])
}

fn counted(case: &Case, build: Build) -> (f64, f64) {
    let outcome = case.check(build);
    assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
    figures(&outcome.out)
}

fn layers() -> [Case; 2] {
    [
        case("layers.f90", "layers: x -> y"),
        case("layers.c", "layers: x -> return").extents("x=n h=n"),
    ]
}

#[test]
fn what_is_counted_is_what_was_predicted() {
    for (n, m) in [(7, 9), (600, 11)] {
        for case in layers() {
            let case = case.with(&format!("n={n} m={m}"));
            let (measured, predicted) = counted(&case, Build::Checked);
            assert!(measured > f64::from(8 * n * m), "{measured}");
            assert_eq!(measured, predicted);
        }
    }
}

/// Records take the gaps between their components, texts all their letters.
#[test]
fn records_and_texts_are_counted_as_large_as_they_are() {
    let fortran = case("records.f90", "records::march: x -> y");
    let c = case("records.c", "march: x -> return").extents("x=n");
    for (case, limits) in [(fortran, [300, 700, 3000]), (c, [100, 300, 3000])] {
        for limit in limits {
            let case = case.clone().with("n=4 m=30 x=0.2:0.9");
            let case = case.options(&format!("--size n=4,m=30 --memory {limit}"));
            let (measured, predicted) = counted(&case, Build::Optimised);
            assert_eq!(measured, predicted);
            assert!(measured > 0.0 && measured <= f64::from(limit), "{measured}");
        }
    }
}

/// Kernels with a choice, in both languages, with three quarters of what the plan without a limit keeps.
#[test]
fn kernels_keep_within_their_limits() {
    let names = ["durbin", "gramschmidt", "nbody"];
    let mut limited = 0;
    for kernel in kernels::all().expect("the list") {
        if !names.contains(&kernel.name.as_str()) {
            continue;
        }
        let size = &kernel.sizes[0];
        let told = format!("--size {}", size.replace(' ', ","));
        for twin in [Kernel::fortran, Kernel::c] {
            let case = || twin(&kernel, size).options(&told);
            let free = tape::adjoint(&case()).expect("a plan").peak.bytes;
            let limit = (0.75 * free).floor();
            let case = case().options(&format!("--instrument --memory {limit}"));
            if tape::adjoint(&case).is_err() {
                continue;
            }
            let (measured, _) = counted(&case.options("--seeds 1"), Build::Optimised);
            let name = &kernel.name;
            assert!(measured <= limit, "{name}: {measured} bytes of {limit}");
            limited += 1;
        }
    }
    assert!(limited >= 4, "{limited}");
}

/// The plan keeps within its limit when it is run; one that was made for smaller sizes does not.
#[test]
fn a_run_above_its_limit_is_no_proof() {
    for case in layers() {
        let limit = |case: Case, size: &str| {
            case.with("n=40 m=30")
                .options(&format!("--memory 6000 --size {size}"))
        };
        let (measured, _) = counted(&limit(case.clone(), "n=40,m=30"), Build::Optimised);
        assert!(measured > 0.0 && measured <= 6000.0, "{measured}");
        let all = limit(case, "n=4,m=5").options("--checkpoint layers::k=all");
        let outcome = all.check(Build::Optimised);
        assert_eq!(outcome.status, 1, "{}", outcome.out);
        assert!(
            outcome.out.contains("above the limit of 6000"),
            "{}",
            outcome.out
        );
    }
}

#[test]
fn tapes_that_grow_are_counted_and_released() {
    let settle = case("settling.f90", "settling::settle: x -> y").with("n=4 x=0.3:0.9");
    let grow = case("grow.c", "grow: x -> return")
        .with("n=3 x=0.5:1.5 end=9.5")
        .extents("x=n");
    for case in [settle, grow] {
        let (measured, _) = counted(&case, Build::Checked);
        assert!(measured > 100_000.0, "{measured}");
        let (again, _) = counted(&case, Build::Optimised);
        assert_eq!(measured, again);
    }
}

/// A report names what is in no limit.
#[test]
fn what_grows_is_named() {
    let case = case("settling.f90", "settling::settle: x -> y");
    let words = case.command("plan", &[]);
    let words: Vec<&String> = words[1..words.len() - 2].iter().collect();
    let outcome = contraflow(&words);
    assert_eq!(outcome.status, 0, "{}", outcome.error);
    let line = outcome
        .out
        .lines()
        .find(|line| line.starts_with("not counted"));
    assert!(
        line.is_some_and(|line| line.contains("s_tape of settle_b")),
        "{}",
        outcome.out
    );
}

/// Loops that are left early or run nobody knows how often, and recursion, in both languages.
fn leaving(head: &str) -> [Case; 2] {
    let outputs = match head {
        "by_calls" => "x, y",
        _ => "y",
    };
    let of = |file: &str, head: String| Case::new(&folder(), &[file], &head);
    let fortran = of("leaving.f90", format!("leaving::{head}: x -> {outputs}"));
    let c = of("leaving.c", format!("{head}: x -> return")).extents("x=n");
    let values = match head {
        "by_calls" => "n=7 m=50 x=0.2:0.9 y=0.4",
        _ => "n=7 m=50 x=0.2:0.9",
    };
    [fortran, c].map(|case| case.with(values).options("--size n=7,m=50"))
}

/// What became of a run with a limit.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy, Debug)]
enum Fate {
    /// No plan keeps within the limit.
    Refused,
    /// The derivative ended before it kept more.
    Ended,
    /// It kept within the limit.
    Proved,
}

fn fate(case: &Case, limit: u32) -> Fate {
    let case = case.clone().options(&format!("--memory {limit} --seeds 1"));
    let outcome = case.check(Build::Optimised);
    let said = format!("{}{}", outcome.out, outcome.error);
    if outcome.status == 0 {
        let (measured, _) = figures(&outcome.out);
        assert!(
            measured <= f64::from(limit),
            "{measured} of {limit}: {said}"
        );
        return Fate::Proved;
    }
    let message = format!("may keep {limit} bytes; bytes that it needs at least: ");
    match said.contains(&message) {
        true => Fate::Ended,
        false => {
            assert!(said.contains("the least that was found is"), "{said}");
            Fate::Refused
        }
    }
}

/// Whatever the limit, nothing is kept beyond it: snapshots are taken instead, or the derivative ends with
/// a message, where no plan helps.
#[test]
fn what_grows_keeps_within_its_limit() {
    use Fate::{Ended, Proved, Refused};
    for (head, fortran, c) in [
        ("by_exit", [Refused, Proved], [Proved, Proved]),
        ("by_jump", [Proved, Proved], [Proved, Proved]),
        ("by_condition", [Proved, Proved], [Proved, Proved]),
        ("by_calls", [Refused, Ended], [Ended, Proved]),
    ] {
        for (case, expected) in leaving(head).into_iter().zip([fortran, c]) {
            let found = [100, 1500].map(|limit| fate(&case, limit));
            assert_eq!(found, expected, "{:?}", case.files);
        }
    }
}

/// Where plans that would use all of a limit miss it by little, one that keeps less is found: no limit above
/// the least is refused.
#[test]
fn limits_above_the_least_are_kept() {
    let case = Case::new(&folder(), &["inner_exit.f90"], "inner_exit: x -> y")
        .with("n=20 x=0.3:0.9")
        .options("--size n=20");
    assert_eq!(fate(&case, 100), Fate::Refused);
    for limit in [270, 400, 2000] {
        assert_eq!(fate(&case, limit), Fate::Proved, "{limit}");
    }
}

/// Tapes that grow by the user's word: their chunks are as small as the limit wants, so that nearly all of
/// it can be used, and the derivative ends where it does not suffice.
#[test]
fn chunks_are_no_larger_than_the_limit_lets() {
    let lines = [["48", "50"], ["31", "33"]];
    for (case, lines) in leaving("by_condition").into_iter().zip(lines) {
        let split = lines.map(|line| format!("--checkpoint by_condition::{line}=split"));
        let case = case.options(&split.join(" "));
        assert_eq!(fate(&case, 12000), Fate::Ended);
        assert_eq!(fate(&case, 16000), Fate::Proved);
    }
}

/// What the user says of how often loops run is what plans are made for.
#[test]
fn trips_that_are_told_are_counted() {
    for case in leaving("by_condition") {
        let plan = |options: &str| {
            let case = case.clone().options(options);
            tape::adjoint(&case).map(|derivative| derivative.peak)
        };
        let few = plan("--memory 20000 --trips 300").expect("a plan");
        let many = plan("--memory 20000 --trips 3000").expect("a plan");
        assert!(!few.growing().is_empty() && many.growing().is_empty());
        assert!(few.assumed > 300.0 * 8.0 && few.assumed <= 20000.0);
        let proof = case.clone().options("--memory 20000 --trips 300 --seeds 1");
        assert!(counted(&proof, Build::Optimised).0 <= 20000.0);
        let wrong = plan("--memory 20000 --trips nan").unwrap_err();
        assert!(wrong.to_string().contains("bad-trips"));
    }
}

/// With a limit that is a warning, at the loop, and the derivative watches over itself.
#[test]
fn a_limit_says_what_it_does_not_count() {
    let build = tempfile::tempdir().unwrap();
    let place = build.path().display().to_string();
    let case = Case::new(&folder(), &["settling.f90"], "settling::settle: x -> y").options(
        "--memory 1MiB --size n=4 --checkpoint settle::22=split --checkpoint root::9=split",
    );
    let words = case.command("adjoint", &["-o", &place]);
    let words: Vec<&String> = words[1..].iter().collect();
    let outcome = contraflow(&words);
    assert_eq!(outcome.status, 0, "{}", outcome.error);
    for said in ["warning[memory-grows]", "s_tape of settle_b", "do while"] {
        assert!(outcome.error.contains(said), "{said}: {}", outcome.error);
    }
}

/// Each level of a recursion has its own tapes.
#[test]
fn recursion_is_counted() {
    let at = |depth: u32| {
        let case = case("settling.f90", "settling::nest: x -> y");
        let case = case.with(&format!("n=100 depth={depth} y=0.0 x=0.3:0.9"));
        counted(&case, Build::Checked).0
    };
    let (two, four, eight) = (at(2), at(4), at(8));
    assert!(two > 0.0 && four > two, "{two} {four} {eight}");
    assert_eq!(eight - four, 2.0 * (four - two));
}

#[test]
fn files_are_counted() {
    let time = folder().join("../time");
    for (file, head, options) in [
        (
            "wave.c",
            "wave: start -> return",
            "--no-alias --extent start=n --extent u=n --extent before=n",
        ),
        ("large_state.f90", "stir: x, u -> y", ""),
    ] {
        let case = Case::new(&time, &[file], head)
            .with("n=7 steps=23")
            .options(&format!("--instrument --seeds 1 {options}"));
        let outcome = case.check(Build::Optimised);
        assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
        assert!(outcome.out.contains(" on disk"), "{}", outcome.out);
        assert!(!outcome.out.contains(" 0 on disk"), "{}", outcome.out);
    }
}

/// What a check measured is shown by later reports, and its sizes are taken for plans.
#[test]
fn a_profile_is_written_and_shown() {
    let build = tempfile::tempdir().expect("a folder");
    let file = build.path().join("profile.json").display().to_string();
    let [case, _] = layers();
    let case = case.with("n=21 m=8").options(&format!("--profile {file}"));
    let (measured, predicted) = counted(&case, Build::Optimised);
    let shown = contraflow(
        &case.command("plan", &[])[1..]
            .iter()
            .filter(|word| *word != "--seeds" && *word != "1")
            .cloned()
            .collect::<Vec<_>>(),
    );
    assert_eq!(shown.status, 0, "{}", shown.error);
    let line = format!("{predicted:.0} bytes predicted, {measured:.0} measured");
    assert!(shown.out.contains(&line), "{}", shown.out);
    assert!(shown.out.contains("m=8, n=21"), "{}", shown.out);
    fs::write(&file, "{}").expect("written");
    let broken = contraflow(&[
        "plan",
        &folder().join("layers.f90").display().to_string(),
        "--head",
        "layers: x -> y",
        "--profile",
        &file,
    ]);
    assert!(broken.error.contains("bad-profile"), "{}", broken.error);
}

/// Growing tapes and counts have nothing in common between threads.
#[test]
fn threads_count_by_themselves() {
    let build = tempfile::tempdir().expect("a folder");
    let output = build.path().display().to_string();
    let source = folder().join("settling.f90").display().to_string();
    let outcome = contraflow(&[
        "adjoint",
        &source,
        "--head",
        "settling::settle: x -> y",
        "--instrument",
        "-o",
        &output,
    ]);
    assert_eq!(outcome.status, 0, "{}", outcome.error);
    let compiled = Command::new("gfortran")
        .current_dir(build.path())
        .args([
            "-O1",
            "-fopenmp",
            "-o",
            "run",
            "settle_b_kept.f90",
            "settling.f90",
        ])
        .arg(folder().join("threads.f90"))
        .output()
        .expect("gfortran: install it");
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}");
    let run = Command::new(build.path().join("run"))
        .output()
        .expect("runs");
    let out = String::from_utf8_lossy(&run.stdout);
    assert_eq!(out.trim(), "T T T T");
}
