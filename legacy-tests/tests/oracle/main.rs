//! A second reader of Fortran as the oracle: what `gfortran -fdump-fortran-original` shows of real
//! packages must be what our front end reads. Procedure by procedure, the sequence of assignments,
//! calls, ifs and loops is equal, and so is the tree of operations of every target, value and
//! condition, character concatenation, components and constructors aside.

mod dump;
mod reader;
mod skeleton;

use contraflow_legacy_tests::packages::unpacked;
use skeleton::{Event, Outline};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a comparison found.
#[derive(Default, Debug)]
struct Score {
    files: usize,
    refused: usize,
    statements: usize,
    trees: usize,
    differences: Vec<String>,
}

impl Score {
    fn add(&mut self, other: Score) {
        self.files += other.files;
        self.refused += other.refused;
        self.statements += other.statements;
        self.trees += other.trees;
        self.differences.extend(other.differences);
    }

    fn outline(&mut self, file: &Path, theirs: &Outline, ours: &Outline) {
        let words = |outline: &Outline| outline.events.iter().map(|it| it.word).collect::<Vec<_>>();
        let place = format!("{}, {}", file.display(), theirs.procedure);
        self.statements += theirs.events.len();
        if words(theirs) != words(ours) {
            let at = theirs
                .events
                .iter()
                .zip(&ours.events)
                .position(|(a, b)| a.word != b.word);
            let at = at.unwrap_or(theirs.events.len().min(ours.events.len()));
            self.differences.push(format!(
                "{place}: statement {at} is {:?} for gfortran, {:?} for us",
                theirs.events.get(at),
                ours.events.get(at)
            ));
            return;
        }
        for (number, (theirs, ours)) in theirs.events.iter().zip(&ours.events).enumerate() {
            self.event(&format!("{place}, statement {number}"), theirs, ours);
        }
    }

    fn event(&mut self, place: &str, theirs: &Event, ours: &Event) {
        for (theirs, ours) in theirs.trees.iter().zip(&ours.trees) {
            if theirs.is_comparable() && ours.is_comparable() {
                self.trees += 1;
                if theirs != ours {
                    self.differences
                        .push(format!("{place}:\n  {theirs:?}\n  {ours:?}"));
                }
            }
        }
    }
}

fn compare(file: &Path, modules: &Path) -> Score {
    let mut score = Score {
        files: 1,
        ..Score::default()
    };
    let output = Command::new("gfortran")
        .args([
            "-fdump-fortran-original",
            "-fsyntax-only",
            "-w",
            "-std=legacy",
        ])
        .arg(file)
        .current_dir(modules)
        .output()
        .unwrap_or_else(|error| panic!("gfortran is needed here: {error}"));
    if !output.status.success() {
        score.refused = 1;
        return score;
    }
    let theirs = dump::read(&String::from_utf8_lossy(&output.stdout));
    let text = fs::read(file).expect("a source");
    let mut ours = reader::read(file, &text, &theirs.names);
    for theirs in &theirs.outlines {
        let found = ours.iter().position(|it| it.procedure == theirs.procedure);
        if let Some(at) = found {
            score.outline(file, theirs, &ours.remove(at));
        }
    }
    for missing in ours {
        let place = format!("{}, {}", file.display(), missing.procedure);
        score
            .differences
            .push(format!("{place}: gfortran does not see it"));
    }
    score
}

/// Compares files one after the other: later ones may use modules of earlier ones.
fn in_order(files: &[PathBuf]) -> Score {
    let modules = tempfile::tempdir().expect("a folder");
    let mut score = Score::default();
    files
        .iter()
        .for_each(|file| score.add(compare(file, modules.path())));
    score
}

/// Compares files that do not need each other, on all cores.
fn in_parallel(files: &[PathBuf]) -> Score {
    let modules = tempfile::tempdir().expect("a folder");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Score::default()));
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let score = compare(file, modules.path());
                    total.lock().expect("no panic").add(score);
                }
            });
        }
    });
    total.into_inner().expect("no panic")
}

fn sources(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|it| panic!("{}: {it}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.extension().is_some_and(|it| it == suffix) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn demand(score: &Score, files: usize, statements: usize) {
    let shown: Vec<&String> = score.differences.iter().take(20).collect();
    let summary = format!(
        "{} files, {} refused by gfortran, {} statements, {} trees, {} differences",
        score.files,
        score.refused,
        score.statements,
        score.trees,
        score.differences.len()
    );
    assert!(shown.is_empty(), "{summary}\n{shown:#?}");
    assert!(score.files - score.refused >= files, "{summary}");
    assert!(score.statements >= statements, "{summary}");
    assert!(score.trees >= statements, "{summary}");
}

fn package(name: &str) -> PathBuf {
    unpacked(name).unwrap_or_else(|error| panic!("{error:#}"))
}

#[test]
fn slicot_is_read_as_gfortran_reads_it() {
    let folder = package("slycot-0.7.1").join("slycot/src/SLICOT-Reference/src");
    demand(&in_parallel(&sources(&folder, "f")), 600, 75_000);
}

#[test]
fn spherepack_is_read_as_gfortran_reads_it() {
    let folder = package("pyspharm-1.0.9").join("src");
    demand(&in_parallel(&sources(&folder, "f")), 30, 7_000);
}

#[test]
fn wrf_python_is_read_as_gfortran_reads_it() {
    let folder = package("wrf-python-1.3.4.1").join("fortran");
    let first = ["wrf_constants.f90", "wrf_testfunc.f90"].map(|name| folder.join(name));
    let mut files: Vec<PathBuf> = first.to_vec();
    files.extend(
        sources(&folder, "f90")
            .into_iter()
            .filter(|file| !first.contains(file)),
    );
    demand(&in_order(&files), 17, 1_300);
}

#[test]
fn a_difference_in_a_tree_is_seen() {
    let theirs = dump::read("procedure name = f\ncode:\nASSIGN f:x (+ f:a (* f:b 2))\n");
    let text = |value: &str| format!("subroutine f(x, a, b)\nx = {value}\nend subroutine\n");
    let ours = |value| reader::read(Path::new("f.f90"), text(value).as_bytes(), &theirs.names);
    assert_eq!(theirs.outlines, ours("a + b*2"));
    assert_ne!(theirs.outlines, ours("(a + b)*2"));
}
