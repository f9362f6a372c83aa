//! Small programs, each after a public report of a wrong or missing derivative, against their exact
//! Jacobians: `cases/R01.f90` with `cases/check/R01_chk.f90`, which wraps the head in `prim(x, y)` and
//! states `jac(x, J)`. `prim` is differentiated in both modes, with all that it calls, and run twice
//! per direction in a checked build.

use contraflow_legacy_tests::command::contraflow;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// What is not proved, and what is said instead. This list only ever gets shorter.
const UNPROVED: &[(&str, &str, &str)] = &[];

/// Cases that compute in single precision what their exact derivatives state in double precision.
const SINGLE_PRECISION: [&str; 2] = ["R73", "R78"];

/// Sizes that the sources do not tell.
const EXTENTS: [(&str, &str); 1] = [("R66", "aliased::v=n+1")];

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Tangent,
    Adjoint,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Tangent => "tangent",
            Mode::Adjoint => "adjoint",
        }
    }
}

#[test]
fn fortran() {
    prove_all(&["f", "f90", "F90"]);
}

#[test]
fn c() {
    prove_all(&["c"]);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn prove_all(extensions: &[&str]) {
    let mut sources: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| extension(path).is_some_and(|it| extensions.contains(&it)))
        .collect();
    sources.sort();
    assert!(sources.len() > 15, "the cases are not all there");
    let mut jobs: VecDeque<(PathBuf, Mode)> = VecDeque::new();
    for source in sources {
        jobs.push_back((source.clone(), Mode::Tangent));
        jobs.push_back((source, Mode::Adjoint));
    }
    let jobs = Mutex::new(jobs);
    let failures = Mutex::new(Vec::new());
    let next = || {
        jobs.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((source, mode)) = next() {
                    if let Err(problem) = expect(&source, mode) {
                        let name = source.file_name().unwrap_or_default().display();
                        failures
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(format!("{name}, {}: {problem}", mode.name()));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} fail\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn extension(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

/// Proves a case, or sees that it is not proved in the way that the list says.
fn expect(source: &Path, mode: Mode) -> Result<(), String> {
    let id = source.file_stem().unwrap_or_default().to_string_lossy();
    let listed = UNPROVED
        .iter()
        .find(|(name, unproved, _)| *name == id && *unproved == mode.name());
    match (listed, prove(source, mode)) {
        (None, proved) => proved,
        (Some((_, _, said)), Err(problem)) if problem.contains(said) => Ok(()),
        (Some((_, _, said)), Err(problem)) => Err(format!("not `{said}`, but {problem}")),
        (Some(_), Ok(())) => Err("is proved now: take it off the list".to_owned()),
    }
}

/// Differentiates, builds and runs one case.
fn prove(source: &Path, mode: Mode) -> Result<(), String> {
    let id = source
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let is_c = extension(source) == Some("c");
    let cases = folder();
    let check = cases.join("check");
    let wrapper = check.join(format!("{id}_chk.{}", if is_c { "c" } else { "f90" }));
    let out = tempfile::tempdir().map_err(|error| error.to_string())?;
    let shown = |path: &Path| path.display().to_string();
    let mut arguments = vec![mode.name().to_owned(), shown(source), shown(&wrapper)];
    arguments.extend(["--head", "prim: x -> y", "-I"].map(str::to_owned));
    arguments.extend([shown(&cases), "-I".to_owned(), shown(&check)]);
    if is_c {
        let text = fs::read_to_string(&wrapper).map_err(|error| error.to_string())?;
        for (name, size) in [("x", "NX"), ("y", "NY")] {
            let extent = constant(&text, size).ok_or(format!("{size} is not found"))?;
            arguments.extend(["--extent".to_owned(), format!("{name}={extent}")]);
        }
    }
    let extents = EXTENTS.iter().filter(|(case, _)| *case == id);
    arguments.extend(extents.flat_map(|(_, extent)| ["--extent".to_owned(), (*extent).to_owned()]));
    arguments.extend(["-o".to_owned(), shown(out.path())]);
    let outcome = contraflow(&arguments);
    if outcome.status != 0 {
        return Err(error_of(&outcome.error));
    }
    let program = out.path().join("program");
    let mut compiler = compiler(is_c);
    if mode == Mode::Tangent {
        compiler.arg("-DTANGENT");
    }
    let tolerance = if SINGLE_PRECISION.contains(&id.as_str()) {
        "1e-6"
    } else {
        "1e-11"
    };
    compiler.arg(format!("-DTOLERANCE={tolerance}"));
    compiler.arg("-I").arg(&cases).arg("-I").arg(&check);
    compiler.args(build_order(source, &wrapper, out.path())?);
    let driver = if is_c { "drive.c" } else { "drive.F90" };
    compiler.arg(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cases")
            .join(driver),
    );
    compiler
        .args(["-lm", "-o"])
        .arg(&program)
        .current_dir(out.path());
    run(&mut compiler)?;
    run(Command::new(&program).env("OMP_NUM_THREADS", "4"))
}

fn compiler(is_c: bool) -> Command {
    let mut command = Command::new(if is_c { "gcc" } else { "gfortran" });
    if is_c {
        command.args([
            "-std=c11",
            "-O1",
            "-g",
            "-fopenmp",
            "-fsanitize=address,undefined",
        ]);
    } else {
        command.args(["-O1", "-g", "-fopenmp", "-fcheck=all,no-array-temps"]);
    }
    command
}

/// The files in an order in which they compile: the case, its derivatives, the wrapper; each as
/// written in place, if it was, else the original.
fn build_order(source: &Path, wrapper: &Path, out: &Path) -> Result<Vec<PathBuf>, String> {
    let in_place = |original: &Path| {
        let written = out.join(original.file_name().unwrap_or_default());
        if written.is_file() {
            written
        } else {
            original.to_owned()
        }
    };
    let (source, wrapper) = (in_place(source), in_place(wrapper));
    let mut others: Vec<PathBuf> = fs::read_dir(out)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| extension(path).is_some_and(|it| ["f", "f90", "F90", "c"].contains(&it)))
        .filter(|path| *path != source && *path != wrapper)
        .collect();
    others.sort();
    // What derived procedures keep is a module of its own, which all others may use.
    let is_state = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.is_some_and(|stem| stem.ends_with("_state"))
    };
    let (mut all, others): (Vec<_>, Vec<_>) = others.into_iter().partition(is_state);
    all.push(source);
    all.extend(others);
    all.push(wrapper);
    Ok(all)
}

/// `NX` in `int NX = N + 1, …` with `enum { N = 50 }`.
fn constant(text: &str, name: &str) -> Option<i64> {
    let after = |start: &str| text.split_once(start).map(|(_, rest)| rest.trim_start());
    let number = |text: &str| {
        text.split([' ', ',', '}', ';'])
            .next()?
            .trim()
            .parse::<i64>()
            .ok()
    };
    let length = after("enum { N =").and_then(number);
    let stated = after(&format!("{name} =")).or_else(|| after(&format!("{name}=")))?;
    let stated = stated.split(',').next()?.replace(' ', "");
    match stated.split_once('+') {
        Some(("N", more)) => Some(length? + more.parse::<i64>().ok()?),
        _ if stated == "N" => length,
        _ => stated.parse().ok(),
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    let _ = write!(text, "{}", String::from_utf8_lossy(&output.stderr));
    Err(error_of(&text))
}

/// The first line that tells of an error, else the last line.
fn error_of(text: &str) -> String {
    let marks = ["error[", "error:", "Error:", "exact"];
    let is_error = |line: &&str| marks.iter().any(|mark| line.contains(mark));
    let line = text.lines().find(is_error).or(text.lines().last());
    line.unwrap_or("fails without a word").to_owned()
}
