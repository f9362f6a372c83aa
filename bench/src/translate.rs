//! Speed of the translator: source statements a second from text to intermediate representation,
//! per second of processor time on one thread, and per second of the clock on all cores.
//!
//! A folder is read as one program, as `contraflow` reads it. Files are loaded before the clock
//! starts; the front ends, their preprocessor included, are what is timed. The source statements of
//! Fortran are the front end's logical statements, declarations and END included: continuation
//! lines are joined, comments do not count. Those of C are counted by the ends of lines.

use crate::table::Table;
use anyhow::{Context, bail};
use contraflow_cli::{SystemHost, load};
use contraflow_ir::{FileId, Module, Severity, Sources};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Times all folders and prints a table.
///
/// # Errors
/// A folder that cannot be read.
pub fn run(folders: &[PathBuf], repeat: usize) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let all = format!("/s of the clock, {cores} threads");
    let mut table = Table::new(&[
        "folder",
        "files",
        "statements",
        "IR statements",
        "warnings",
        "/s of processor time, 1 thread",
        &all,
    ]);
    for folder in folders {
        table.row(row(folder, repeat, cores)?);
    }
    println!("{table}");
    Ok(())
}

fn row(folder: &Path, repeat: usize, cores: usize) -> anyhow::Result<Vec<String>> {
    let single = elsewhere(folder, repeat, 1)?;
    let parallel = elsewhere(folder, repeat, cores)?;
    let rate = |seconds: f64| format!("{:.0}", parallel.statements as f64 / seconds);
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    Ok(vec![
        name.to_string_lossy().into_owned(),
        parallel.files.to_string(),
        parallel.statements.to_string(),
        parallel.ir_statements.to_string(),
        parallel.warnings.to_string(),
        rate(single.processor),
        rate(parallel.seconds),
    ])
}

/// What reading a folder gave, and the time of the front ends.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Reading {
    /// By the clock.
    seconds: f64,
    /// Of all threads together.
    processor: f64,
    files: usize,
    statements: usize,
    ir_statements: usize,
    warnings: usize,
}

impl Reading {
    fn print(&self) -> String {
        let Self {
            seconds,
            processor,
            files,
            statements,
            ir_statements,
            warnings,
        } = self;
        format!("{seconds} {processor} {files} {statements} {ir_statements} {warnings}")
    }

    fn parse(line: &str) -> Option<Self> {
        let (seconds, rest) = line.trim().split_once(' ')?;
        let (processor, counts) = rest.split_once(' ')?;
        let counts: Vec<usize> = counts.split(' ').map_while(|it| it.parse().ok()).collect();
        let &[files, statements, ir_statements, warnings] = counts.as_slice() else {
            return None;
        };
        Some(Self {
            seconds: seconds.parse().ok()?,
            processor: processor.parse().ok()?,
            files,
            statements,
            ir_statements,
            warnings,
        })
    }
}

/// Reads a folder in a process of its own: the front ends make their own pools of threads, whose
/// size rayon takes from the environment.
fn elsewhere(folder: &Path, repeat: usize, threads: usize) -> anyhow::Result<Reading> {
    let output = Command::new(std::env::current_exe()?)
        .arg("read")
        .arg(folder)
        .arg(repeat.to_string())
        .env("RAYON_NUM_THREADS", threads.to_string())
        .output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Reading::parse(&String::from_utf8_lossy(&output.stdout)).context("the reader says nothing")
}

/// Reads a folder and prints a reading with the least times.
///
/// # Errors
/// A folder that cannot be read.
pub fn read(folder: &Path, repeat: usize) -> anyhow::Result<()> {
    let corpus = Corpus::load(folder)?;
    let mut best = corpus.read()?;
    for _ in 1..repeat {
        let again = corpus.read()?;
        best.seconds = best.seconds.min(again.seconds);
        best.processor = best.processor.min(again.processor);
    }
    println!("{}", best.print());
    Ok(())
}

/// Processor time of this process and the threads it had, to a hundredth of a second.
fn processor_time() -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("processor time needs Linux")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(11).take(2);
    let ticks: Vec<f64> = fields.map_while(|field| field.parse().ok()).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}

struct Corpus {
    sources: Sources,
    fortran: Vec<FileId>,
    c: Vec<FileId>,
    statements: usize,
}

impl Corpus {
    fn load(folder: &Path) -> anyhow::Result<Self> {
        let Ok(loaded) = load::load(&[folder.to_owned()], &SystemHost) else {
            bail!("cannot load `{}`", folder.display());
        };
        let source = |&file: &FileId| loaded.sources.file(file);
        let fortran = loaded.fortran.iter().map(source);
        let fortran: usize = fortran
            .map(|it| contraflow_frontend_fortran::statements(&it.path, &it.bytes))
            .map(|it| it.statements.len())
            .sum();
        let c = loaded.c.iter().map(source);
        let c: usize = c.map(|it| c_statements(&it.text())).sum();
        Ok(Self {
            sources: loaded.sources,
            fortran: loaded.fortran,
            c: loaded.c,
            statements: fortran + c,
        })
    }

    fn read(&self) -> anyhow::Result<Reading> {
        let mut sources = self.sources.clone();
        let mut module = Module::default();
        let mut found = Vec::new();
        let before = processor_time()?;
        let start = Instant::now();
        if !self.fortran.is_empty() {
            found.extend(contraflow_frontend_fortran::lower(
                &mut module,
                &mut sources,
                &self.fortran,
                &contraflow_frontend_fortran::Options::default(),
                &SystemHost,
            ));
        }
        if !self.c.is_empty() {
            found.extend(contraflow_frontend_c::lower(
                &mut module,
                &mut sources,
                &self.c,
                &contraflow_frontend_c::Options::default(),
                &SystemHost,
            ));
        }
        let seconds = start.elapsed().as_secs_f64();
        let processor = processor_time()? - before;
        let warnings = found.iter().filter(|it| it.severity != Severity::Note);
        let procedures = module.procedures.iter();
        Ok(Reading {
            seconds,
            processor,
            files: self.fortran.len() + self.c.len(),
            statements: self.statements,
            ir_statements: procedures.map(|(_, it)| it.stmts.len()).sum(),
            warnings: warnings.count(),
        })
    }
}

/// Statements of a C text: semicolons and opening braces after a parenthesis, comments included.
fn c_statements(text: &str) -> usize {
    let lines = text.lines().map(str::trim_end);
    lines
        .filter(|line| line.ends_with(';') || line.ends_with('{'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::{Reading, c_statements};

    #[test]
    fn a_reading_survives_its_print() {
        let reading = Reading {
            seconds: 0.25,
            processor: 0.5,
            files: 1,
            statements: 2,
            ir_statements: 3,
            warnings: 4,
        };
        assert_eq!(Reading::parse(&reading.print()), Some(reading));
        assert_eq!(Reading::parse("0.25 0.5 1 2"), None);
    }

    #[test]
    fn lines_that_end_a_c_statement_are_counted() {
        assert_eq!(
            c_statements("int f(int n)\n{\n    return\n        n;\n}\n"),
            2
        );
    }
}
