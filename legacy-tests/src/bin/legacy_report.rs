//! Reads whole packages and prints how much of them the front ends understood: executable
//! statements, and those kept as quoted text, by kind and by reason.
//!
//! Input and output is quoted on purpose and counted apart.

use anyhow::bail;
use clap::Parser;
use contraflow_cli::{SystemHost, load};
use contraflow_ir::{Diagnostic, Module, Span, Stmt};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Counts the statements of whole packages that stay quoted text.
#[derive(Parser)]
struct Arguments {
    /// Folders or files; each is read as one program.
    folders: Vec<PathBuf>,
    /// Read all folders and files as one program; else each is one.
    #[arg(long)]
    together: bool,
    /// Folders or files that the programs use: read with each of them, but not counted.
    #[arg(long)]
    with: Vec<PathBuf>,
    /// Also read these packages, fetched by name: `slycot`, `scipy`, …
    #[arg(long)]
    package: Vec<String>,
    /// Read all listed packages.
    #[arg(long)]
    all: bool,
    /// Print this many of the most frequent reasons, with one place each.
    #[arg(long, default_value_t = 12)]
    reasons: usize,
    /// Print this many places of each reason.
    #[arg(long, default_value_t = 1)]
    places: usize,
    /// Also read the C files; else only Fortran.
    #[arg(long)]
    c: bool,
    /// Macro definitions for the preprocessor, as `NAME` or `NAME=value`.
    #[arg(short = 'D')]
    define: Vec<String>,
    /// Folders where includes are looked for.
    #[arg(short = 'I')]
    include: Vec<PathBuf>,
    /// Look for includes in every folder below this one that holds headers.
    #[arg(long)]
    headers: Vec<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = Arguments::parse();
    for folder in std::mem::take(&mut arguments.headers) {
        header_folders(&folder, &mut arguments.include)?;
    }
    let mut folders = arguments.folders.clone();
    let listed = contraflow_legacy_tests::packages::listed();
    let all = listed.iter().filter(|_| arguments.all);
    for package in arguments.package.iter().chain(all) {
        folders.push(contraflow_legacy_tests::packages::unpacked(package)?);
    }
    if folders.is_empty() {
        bail!("name a folder, or a package with --package, or --all");
    }
    let mut all = Report::default();
    let programs: Vec<&[PathBuf]> = match arguments.together {
        true => vec![&folders],
        false => folders.chunks(1).collect(),
    };
    for program in programs {
        let report = read(program, &arguments)?;
        println!("{}", report.line(&program[0]));
        all.add(report);
    }
    println!();
    println!("{}", all.kinds());
    println!("{}", all.reasons(arguments.reasons, arguments.places));
    if all.violations > 0 {
        bail!(
            "{} violations of the representation's invariants",
            all.violations
        );
    }
    Ok(())
}

/// The folders that hold headers, deepest last.
fn header_folders(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let mut folders = Vec::new();
    let mut has_headers = false;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let suffix = path.extension().unwrap_or_default();
        if path.is_dir() {
            folders.push(path);
        } else {
            has_headers |= ["h", "inc", "fh", "cmn"]
                .iter()
                .any(|known| suffix == *known);
        }
    }
    if has_headers {
        found.push(folder.to_owned());
    }
    folders.sort();
    folders
        .iter()
        .try_for_each(|folder| header_folders(folder, found))
}

/// What was counted.
#[derive(Default)]
struct Report {
    files: usize,
    procedures: usize,
    executable: usize,
    input_output: usize,
    seconds: f64,
    /// What the verifier found: always nothing.
    violations: usize,
    /// Other quoted statements by kind.
    kinds: BTreeMap<String, usize>,
    /// Those of them that name what a module without source declares.
    without_source: usize,
    /// Why, with how often and where.
    reasons: BTreeMap<String, (usize, Vec<String>)>,
}

fn read(program: &[PathBuf], arguments: &Arguments) -> anyhow::Result<Report> {
    let first = program[0].display();
    let paths: Vec<PathBuf> = program.iter().chain(&arguments.with).cloned().collect();
    let Ok(loaded) = load::load(&paths, &SystemHost) else {
        bail!("cannot load `{first}`");
    };
    let mut sources = loaded.sources;
    let is_counted = |path: &Path| !arguments.with.iter().any(|with| path.starts_with(with));
    let mut module = Module::default();
    let definition = |text: &String| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (text.clone(), "1".to_owned()),
    };
    let definitions: Vec<(String, String)> = arguments.define.iter().map(definition).collect();
    let start = Instant::now();
    let mut found = contraflow_frontend_fortran::lower(
        &mut module,
        &mut sources,
        &loaded.fortran,
        &contraflow_frontend_fortran::Options {
            include_directories: arguments.include.clone(),
            definitions: definitions.clone(),
            ..Default::default()
        },
        &SystemHost,
    );
    if arguments.c {
        found.extend(contraflow_frontend_c::lower(
            &mut module,
            &mut sources,
            &loaded.c,
            &contraflow_frontend_c::Options {
                include_directories: arguments.include.clone(),
                definitions,
                ..Default::default()
            },
            &SystemHost,
        ));
    }
    let mut report = Report {
        files: loaded
            .fortran
            .iter()
            .chain(if arguments.c { &loaded.c[..] } else { &[] })
            .filter(|&&file| is_counted(&sources.file(file).path))
            .count(),
        seconds: start.elapsed().as_secs_f64(),
        ..Report::default()
    };
    for (_, procedure) in module.procedures.iter() {
        let file = procedure.home.file;
        if file != Span::NONE.file && !is_counted(&sources.file(file).path) {
            continue;
        }
        report.procedures += 1;
        for id in procedure.all_statements() {
            report.executable += 1;
            if let Stmt::Opaque { kind, .. } = procedure.stmt(id) {
                report.opaque(kind);
            }
        }
    }
    if let Err(violations) = contraflow_ir::verify::verify(&module) {
        eprintln!("{first}: {:?}", violations.first());
        report.violations = violations.len();
    }
    for diagnostic in &found {
        let label = diagnostic.labels.first();
        if label.is_some_and(|label| !is_counted(&sources.file(label.span.file).path)) {
            continue;
        }
        report.diagnostic(diagnostic, &sources);
    }
    Ok(report)
}

/// Kinds that are quoted on purpose: input and output, and the end of the run.
const PASSIVE: [&str; 21] = [
    "abort",
    "assert",
    "internal-read",
    "character",
    "intrinsic",
    "pause",
    "type",
    "print",
    "write",
    "read",
    "open",
    "close",
    "rewind",
    "backspace",
    "endfile",
    "inquire",
    "flush",
    "stop",
    "wait",
    "format",
    "error",
];

impl Report {
    fn opaque(&mut self, kind: &str) {
        if PASSIVE.contains(&kind) {
            self.input_output += 1;
        } else {
            *self.kinds.entry(kind.to_owned()).or_default() += 1;
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &contraflow_ir::Sources) {
        let (text, place) = match diagnostic.labels.first() {
            Some(label) => {
                let file = sources.file(label.span.file);
                let line = file.line_column(label.span.start as usize).0;
                (
                    label.text.as_str(),
                    format!("{}:{line}", file.path.display()),
                )
            }
            None => ("", String::new()),
        };
        let reason = if diagnostic.code == "opaque" && text != "not taken apart" {
            text
        } else {
            &diagnostic.message
        };
        self.without_source += usize::from(reason.ends_with(", which has no source"));
        let shown = format!("{}: {}", diagnostic.code, without_names(reason));
        let entry = self.reasons.entry(shown).or_default();
        entry.0 += 1;
        entry.1.push(format!("{place} {reason}"));
    }

    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.procedures += other.procedures;
        self.executable += other.executable;
        self.input_output += other.input_output;
        self.seconds += other.seconds;
        self.violations += other.violations;
        self.without_source += other.without_source;
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        for (reason, (count, places)) in other.reasons {
            let entry = self.reasons.entry(reason).or_default();
            entry.0 += count;
            entry.1.extend(places);
        }
    }

    fn quoted(&self) -> usize {
        self.kinds.values().sum()
    }

    fn line(&self, folder: &Path) -> String {
        let name = folder
            .file_name()
            .unwrap_or(folder.as_os_str())
            .to_string_lossy();
        let percent = |count: usize| 100.0 * count as f64 / self.executable.max(1) as f64;
        let own = self.quoted().saturating_sub(self.without_source);
        format!(
            "{name:<28} {:>5} files {:>6} procedures {:>8} statements {:>6} i/o {:>6} opaque {:>6.2} % ({:.2} % with source) {:>6.1} s",
            self.files,
            self.procedures,
            self.executable,
            self.input_output,
            self.quoted(),
            percent(self.quoted()),
            percent(own),
            self.seconds,
        )
    }

    fn kinds(&self) -> String {
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|entry| std::cmp::Reverse(entry.1));
        let lines = kinds
            .iter()
            .map(|(kind, count)| format!("{count:>8} {kind}\n"));
        lines.collect()
    }

    fn reasons(&self, most: usize, places: usize) -> String {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|entry| std::cmp::Reverse(entry.1.0));
        let mut text = String::new();
        for (reason, (count, found)) in reasons.into_iter().take(most) {
            text += &format!("{count:>8} {reason}\n");
            for place in found.iter().take(places) {
                text += &format!("         such as {place}\n");
            }
        }
        text
    }
}

/// A message with its quoted names left out, so that equal reasons count together.
fn without_names(text: &str) -> String {
    let mut parts = text.split('`');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    let mut is_name = true;
    for part in parts {
        shown.push_str(if is_name { "`…`" } else { part });
        is_name = !is_name;
    }
    shown
}
