//! Speed of the translator: source statements a second from text to intermediate representation,
//! on one thread and on all cores.
//!
//! A folder is read as one program, as `contraflow` reads it. Files are loaded before the clock
//! starts; the front ends, their preprocessor included, are what is timed. Source statements are
//! counted here, by a scan that knows comments and continuation lines only.

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
    let all = format!("/s, {cores} threads");
    let mut table = Table::new(&[
        "folder",
        "files",
        "statements",
        "IR statements",
        "warnings",
        "/s, 1 thread",
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
    let rate = |it: &Reading| format!("{:.0}", it.statements as f64 / it.seconds);
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    Ok(vec![
        name.to_string_lossy().into_owned(),
        parallel.files.to_string(),
        parallel.statements.to_string(),
        parallel.ir_statements.to_string(),
        parallel.warnings.to_string(),
        rate(&single),
        rate(&parallel),
    ])
}

/// What reading a folder gave, and the time of the front ends.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Reading {
    seconds: f64,
    files: usize,
    statements: usize,
    ir_statements: usize,
    warnings: usize,
}

impl Reading {
    fn print(&self) -> String {
        let Self {
            seconds,
            files,
            statements,
            ir_statements,
            warnings,
        } = self;
        format!("{seconds} {files} {statements} {ir_statements} {warnings}")
    }

    fn parse(line: &str) -> Option<Self> {
        let (seconds, counts) = line.trim().split_once(' ')?;
        let counts: Vec<usize> = counts.split(' ').map_while(|it| it.parse().ok()).collect();
        let &[files, statements, ir_statements, warnings] = counts.as_slice() else {
            return None;
        };
        Some(Self {
            seconds: seconds.parse().ok()?,
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

/// Reads a folder and prints the fastest reading.
///
/// # Errors
/// A folder that cannot be read.
pub fn read(folder: &Path, repeat: usize) -> anyhow::Result<()> {
    let corpus = Corpus::load(folder)?;
    let readings = (0..repeat.max(1)).map(|_| corpus.read());
    let fastest = readings.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    println!("{}", fastest.context("at least one reading")?.print());
    Ok(())
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
        let text = |&file: &FileId| loaded.sources.file(file).text();
        let fortran = loaded.fortran.iter().map(text);
        let fortran: usize = fortran.map(|it| fortran_statements(&it)).sum();
        let c: usize = loaded.c.iter().map(text).map(|it| c_statements(&it)).sum();
        Ok(Self {
            sources: loaded.sources,
            fortran: loaded.fortran,
            c: loaded.c,
            statements: fortran + c,
        })
    }

    fn read(&self) -> Reading {
        let mut sources = self.sources.clone();
        let mut module = Module::default();
        let mut found = Vec::new();
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
        let warnings = found.iter().filter(|it| it.severity != Severity::Note);
        let procedures = module.procedures.iter();
        Reading {
            seconds,
            files: self.fortran.len() + self.c.len(),
            statements: self.statements,
            ir_statements: procedures.map(|(_, it)| it.stmts.len()).sum(),
            warnings: warnings.count(),
        }
    }
}

/// Logical statements of a Fortran text, declarations included.
///
/// Fixed form if no line before the first statement in columns 1 to 5 looks free: approximated by a
/// comment letter in column 1 or six leading blanks on every line.
fn fortran_statements(text: &str) -> usize {
    if text.lines().all(may_be_fixed) {
        return text
            .lines()
            .filter(|line| starts_fixed_statement(line))
            .count();
    }
    let mut count = 0;
    let mut continued = false;
    for line in text
        .lines()
        .map(without_comment)
        .filter(|line| !line.is_empty())
    {
        if !continued && !line.starts_with('#') {
            count += 1 + line.matches(';').count();
        }
        continued = line.ends_with('&');
    }
    count
}

fn may_be_fixed(line: &str) -> bool {
    let is_comment = line.starts_with(['c', 'C', '*', '!', '#', 'd', 'D']);
    let is_free_start = line
        .chars()
        .take(5)
        .any(|c| !c.is_ascii_digit() && !c.is_whitespace() && c != '!');
    is_comment || !is_free_start
}

fn starts_fixed_statement(line: &str) -> bool {
    if line.starts_with(['c', 'C', '*', '!', '#']) || line.trim_start().starts_with('!') {
        return false;
    }
    let continues =
        line.starts_with("     ") && line.chars().nth(5).is_some_and(|c| c != ' ' && c != '0');
    !continues && !line.trim().is_empty()
}

/// A free-form line without blanks around it and without a comment; strings are not looked into.
fn without_comment(line: &str) -> &str {
    line.split('!').next().unwrap_or("").trim()
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
    use super::{Reading, c_statements, fortran_statements};

    #[test]
    fn a_reading_survives_its_print() {
        let reading = Reading {
            seconds: 0.25,
            files: 1,
            statements: 2,
            ir_statements: 3,
            warnings: 4,
        };
        assert_eq!(Reading::parse(&reading.print()), Some(reading));
        assert_eq!(Reading::parse("0.25 1 2"), None);
    }

    #[test]
    fn continuation_lines_are_no_statements() {
        assert_eq!(
            fortran_statements("x = 1 + &\n  2\n! a comment\ny = 2; z = 3\n"),
            3
        );
        assert_eq!(
            fortran_statements("C comment\n      X = 1 +\n     &    2\n   10 CONTINUE\n"),
            2
        );
    }

    #[test]
    fn lines_that_end_a_c_statement_are_counted() {
        assert_eq!(
            c_statements("int f(int n)\n{\n    return\n        n;\n}\n"),
            2
        );
    }
}
