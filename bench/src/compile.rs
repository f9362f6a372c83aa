//! Adjoints by Contraflow, and the timing program they are linked into.

use crate::kernel::{Kernel, Language};
use anyhow::{Context, bail};
use contraflow_legacy_tests::{command::contraflow, kernels};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compilers and their flags.
#[derive(clap::Args, Clone, Debug)]
pub struct Toolchain {
    /// The C compiler.
    #[arg(long, default_value = "gcc")]
    pub cc: String,
    /// The Fortran compiler.
    #[arg(long, default_value = "gfortran")]
    pub fc: String,
    /// Flags for both.
    #[arg(long, default_value = "-O3 -march=native", allow_hyphen_values = true)]
    pub flags: String,
}

impl Toolchain {
    pub(crate) fn compiler(&self, language: Language) -> Command {
        let mut command = Command::new(match language {
            Language::Fortran => &self.fc,
            Language::C => &self.cc,
        });
        command.args(self.flags.split_whitespace());
        if language == Language::C {
            command.arg("-std=c11");
        }
        command
    }
}

/// A timing program, and what could not be put into it.
pub struct Timer {
    /// The executable.
    pub program: PathBuf,
    /// Kernels without a generated adjoint, and why.
    pub missing: Vec<(String, String)>,
}

/// Differentiates the kernels in one language and links everything that succeeds.
///
/// # Errors
/// A folder that cannot be written, a compiler that cannot be run, or one that refuses what is not
/// generated.
pub fn timer(
    kernels: &[Kernel],
    language: Language,
    tools: &Toolchain,
    folder: &Path,
) -> anyhow::Result<Timer> {
    let mut missing = Vec::new();
    let mut objects = Vec::new();
    for kernel in kernels {
        let place = folder.join(kernel.name());
        match differentiate(kernel, language, &place)
            .and_then(|sources| compile(&sources, language, tools, &place))
        {
            Ok(generated) => objects.extend(generated),
            Err(error) => missing.push((kernel.name().to_owned(), format!("{error:#}"))),
        }
    }
    objects.extend(fixed_parts(language, tools, folder)?);
    let program = folder.join("timer");
    // The Fortran compiler knows its own libraries.
    let mut link = tools.compiler(language);
    link.args(objects).arg("-lm").arg("-o").arg(&program);
    finish(link)?;
    Ok(Timer { program, missing })
}

/// Runs the whole line in this process; gives the sources that it wrote, the primal aside.
fn differentiate(
    kernel: &Kernel,
    language: Language,
    place: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    let source = kernel.source(language);
    let (file, folder) = (source.display().to_string(), place.display().to_string());
    let mut arguments = vec![
        "adjoint",
        &file,
        "--head",
        kernel.head(language),
        "-o",
        &folder,
    ];
    arguments.extend(language.promise());
    let outcome = contraflow(&arguments);
    if outcome.status != 0 {
        let reason = outcome.error.lines().next();
        bail!("{}", reason.unwrap_or("no reason was given"));
    }
    let mut sources = Vec::new();
    for entry in fs::read_dir(place)? {
        let path = entry?.path();
        let is_source = path.extension().is_some_and(|it| it == language.suffix());
        if is_source && path.file_name() != source.file_name() {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}

/// The kernels themselves, the hand-written adjoints and the timing program.
fn fixed_parts(
    language: Language,
    tools: &Toolchain,
    folder: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    let folder_of_kernels = kernels::folder();
    let reference = folder_of_kernels.join("reference");
    let mut c_sources = sources_in(&folder_of_kernels.join("c"), "c")?;
    c_sources.extend(
        sources_in(&reference, "c")?
            .into_iter()
            .filter(|path| !path.ends_with("main.c")),
    );
    c_sources.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("driver/timer.c"));
    let place = folder.join("fixed-c");
    let mut flags = vec![format!("-I{}", reference.display())];
    if language == Language::Fortran {
        flags.push("-DGENERATED_FORTRAN".to_owned());
    }
    let mut objects = compile_with(&c_sources, Language::C, tools, &place, &flags)?;
    if language == Language::Fortran {
        let sources = sources_in(&folder_of_kernels.join("fortran"), "f90")?;
        objects.extend(compile(
            &sources,
            language,
            tools,
            &folder.join("fixed-fortran"),
        )?);
    }
    Ok(objects)
}

pub(crate) fn sources_in(folder: &Path, suffix: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == suffix) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn compile(
    sources: &[PathBuf],
    language: Language,
    tools: &Toolchain,
    place: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    compile_with(sources, language, tools, place, &[])
}

pub(crate) fn compile_with(
    sources: &[PathBuf],
    language: Language,
    tools: &Toolchain,
    place: &Path,
    flags: &[String],
) -> anyhow::Result<Vec<PathBuf>> {
    fs::create_dir_all(place)?;
    let mut objects = Vec::new();
    for source in sources {
        let name = source.file_name().unwrap_or_default();
        let object = place.join(name).with_extension("o");
        let mut command = tools.compiler(language);
        command.args(flags).current_dir(place);
        command.arg("-c").arg(source).arg("-o").arg(&object);
        finish(command)?;
        objects.push(object);
    }
    Ok(objects)
}

pub(crate) fn finish(mut command: Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot run `{name}`"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = text
            .lines()
            .find(|line| line.contains("rror"))
            .unwrap_or("");
        bail!("`{name}` fails: {line}");
    }
    Ok(())
}
