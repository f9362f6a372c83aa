//! Compiles the user's files, the derivatives and the driver, in the order that Fortran modules
//! ask for, and runs the result.

use super::warnings;
use crate::commands::Commands;
use crate::widths::widens_reals;
use anyhow::{Context, bail};
use contraflow_ir::Language;
use contraflow_ir::source::latin1_tolerant;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is Fortran (else C).
    pub is_fortran: bool,
    /// Who wrote it.
    pub origin: Origin,
}

/// Who wrote a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user; it is as it stands.
    User,
    /// It holds derivatives, perhaps in a file of the user's.
    Derived {
        /// That file.
        within: Option<PathBuf>,
    },
    /// The driver.
    Driver,
}

/// What the driver's file is called, without suffix.
pub const DRIVER: &str = "contraflow_check";

/// A file of the user's beyond this length holds tables: optimising it takes minutes and gains nothing.
const TABLES: u64 = 1 << 20;

impl Unit {
    /// Whether it is the user's, as it stands.
    pub fn is_original(&self) -> bool {
        self.origin == Origin::User
    }

    fn is_tables(&self) -> bool {
        self.is_original() && fs::metadata(&self.path).is_ok_and(|file| file.len() > TABLES)
    }
}

/// How files are compiled.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The Fortran compiler.
    pub fortran: String,
    /// The C compiler.
    pub c: String,
    /// Flags for both.
    pub flags: Vec<String>,
    /// The C standard.
    pub standard: String,
    /// `-D` options as the user wrote them.
    pub definitions: Vec<String>,
    /// Where includes are looked for.
    pub include_directories: Vec<PathBuf>,
    /// Further flags of single C files.
    pub commands: Commands,
    /// Further flags for linking.
    pub link: Vec<String>,
    /// The program and its arguments that runs the driver, such as `valgrind -q`; empty: itself.
    pub runner: Vec<String>,
}

/// What a driver printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Whether it ended with status zero.
    pub success: bool,
    /// Standard output.
    pub output: String,
    /// Standard error: messages of a run-time or a sanitizer.
    pub errors: String,
}

/// Procedures that the driver does not reach are left out of the program, so that what only they call
/// need not be there.
#[cfg(target_os = "macos")]
const ONLY_REACHED: (&[&str], &[&str]) = (&[], &["-Wl,-dead_strip"]);
#[cfg(not(target_os = "macos"))]
const ONLY_REACHED: (&[&str], &[&str]) = (&["-ffunction-sections"], &["-Wl,--gc-sections"]);

/// Compiles and links all units in `folder`, and runs the program.
///
/// # Errors
/// A compiler that cannot be started, or that refuses a file (with what it says).
pub fn build_and_run(units: &[Unit], toolchain: &Toolchain, folder: &Path) -> anyhow::Result<Run> {
    let mut objects = Vec::new();
    for (index, unit) in in_module_order(units).into_iter().enumerate() {
        let object = folder.join(format!("object-{index}.o"));
        let asked = asked_of(unit, toolchain);
        let said = compile(unit, index, toolchain, folder, &object, asked)?;
        if !asked.is_empty() {
            warnings::refuse(unit, &said, |original| {
                let again = folder.join("original.o");
                let user = Unit {
                    path: original.to_owned(),
                    is_fortran: false,
                    origin: Origin::User,
                };
                compile(&user, index, toolchain, folder, &again, asked)
            })?;
        }
        objects.push(object);
    }
    let program = folder.join(DRIVER);
    link(&objects, units, toolchain, &program)?;
    run(&program, &toolchain.runner, folder)
}

/// The warnings that are asked for: of C that holds derivatives. Sanitizers make compilers warn of what
/// is right.
fn asked_of(unit: &Unit, toolchain: &Toolchain) -> &'static [&'static str] {
    let is_derived = matches!(unit.origin, Origin::Derived { .. }) && !unit.is_fortran;
    let is_instrumented = toolchain
        .flags
        .iter()
        .any(|flag| flag.starts_with("-fsanitize"));
    match is_derived && !is_instrumented {
        true => warnings::ASKED,
        false => &[],
    }
}

/// Compiles one file; what the compiler says of it.
fn compile(
    unit: &Unit,
    index: usize,
    toolchain: &Toolchain,
    folder: &Path,
    object: &Path,
    asked: &[&str],
) -> anyhow::Result<String> {
    let here = std::env::current_dir().context("the current folder is gone")?;
    let program = if unit.is_fortran {
        &toolchain.fortran
    } else {
        &toolchain.c
    };
    let mut command = Command::new(program);
    // Tables of numbers and the driver gain nothing by optimisation, which takes most of the time.
    let is_optimised = !unit.is_tables() && unit.origin != Origin::Driver;
    let as_it_stands: &[&str] = if is_optimised { &[] } else { &["-O0"] };
    command
        .arg("-c")
        // The user's own flags have the last word.
        .args(asked)
        .args(
            toolchain
                .flags
                .iter()
                // The driver states all kinds.
                .filter(|flag| unit.origin != Origin::Driver || !widens_reals(flag))
                .map(|flag| from_elsewhere(flag, &here)),
        )
        .args(as_it_stands)
        .args(ONLY_REACHED.0);
    if unit.is_fortran {
        command.args(form_flags(&unit.path)?);
        // Module files go to, and come from, the folder of this run. A compiler looks first into the
        // folder where it stands, where modules of another build may lie.
        let folder = folder.canonicalize().context("the folder of the build")?;
        command.arg("-J").arg(&folder).arg("-I").arg(&folder);
        command.current_dir(&folder);
    } else if !toolchain.standard.is_empty() {
        command.arg(format!("-std={}", toolchain.standard));
    }
    for definition in &toolchain.definitions {
        command.arg(format!("-D{definition}"));
    }
    for directory in &toolchain.include_directories {
        command.arg("-I").arg(here.join(directory));
    }
    if unit.is_fortran {
        command.arg("-I").arg(&here);
    } else if unit.is_original() {
        command.args(toolchain.commands.of(&unit.path));
    } else {
        command.args(toolchain.commands.of_generated(&unit.path));
    }
    if !unit.is_fortran && unit.origin != Origin::Driver {
        // The program's own `main` is a function like another.
        command.arg(format!("-Dmain=contraflow_users_main_{index}"));
    }
    command.arg(here.join(&unit.path));
    command.arg("-o").arg(here.join(object));
    demand(
        &mut command,
        &format!("compiling `{}`", unit.path.display()),
    )
}

/// A flag that names a folder for includes, so that it holds in another folder than `here`.
fn from_elsewhere(flag: &str, here: &Path) -> String {
    match flag.strip_prefix("-I") {
        Some(directory) if !directory.is_empty() => format!("-I{}", here.join(directory).display()),
        _ => flag.to_owned(),
    }
}

/// Suffixes lie about the source form: `.F` is free form in some code bases.
fn form_flags(path: &Path) -> anyhow::Result<&'static [&'static str]> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let suffix = path.extension().unwrap_or_default().to_ascii_lowercase();
    let says_free =
        suffix.to_string_lossy().starts_with("f9") || suffix == "f03" || suffix == "f08";
    let is_free = contraflow_frontend_fortran::form(path, &bytes) == Language::FortranFree;
    Ok(match (says_free, is_free) {
        (false, true) => &["-ffree-form", "-ffree-line-length-none"],
        (true, false) => &["-ffixed-form"],
        _ => &[],
    })
}

fn link(
    objects: &[PathBuf],
    units: &[Unit],
    toolchain: &Toolchain,
    program: &Path,
) -> anyhow::Result<()> {
    let any_fortran = units.iter().any(|unit| unit.is_fortran);
    let linker = if any_fortran {
        &toolchain.fortran
    } else {
        &toolchain.c
    };
    let mut command = Command::new(linker);
    command
        .args(&toolchain.flags)
        .args(ONLY_REACHED.1)
        .args(objects);
    command
        .args(&toolchain.link)
        .arg("-lm")
        .arg("-o")
        .arg(program);
    demand(&mut command, "linking the driver").map(drop)
}

fn demand(command: &mut Command, what: &str) -> anyhow::Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| {
        format!(
            "cannot start `{program}` for {what}; install it, or name another with --fc or --cc"
        )
    })?;
    if !output.status.success() {
        bail!(
            "{what} with `{program}` failed:\n{}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn run(program: &Path, runner: &[String], folder: &Path) -> anyhow::Result<Run> {
    let program = program.canonicalize().context("the driver was not built")?;
    let mut command = match runner.split_first() {
        Some((runner, arguments)) => {
            let mut command = Command::new(runner);
            command.args(arguments).arg(&program);
            command
        }
        None => Command::new(&program),
    };
    let output = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .with_context(|| {
            let started = runner.first().map_or("the driver", String::as_str);
            format!("cannot start {started}")
        })?;
    Ok(Run {
        success: output.status.success(),
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Those of the units that a program needs: the roots, those that define the modules which these use,
/// the submodules of these modules, block data, and so on.
pub fn needed(units: Vec<Unit>, is_root: impl Fn(&Unit) -> bool) -> Vec<Unit> {
    let texts: Vec<ModuleUse> = units.iter().map(ModuleUse::of).collect();
    let mut kept: Vec<bool> = units
        .iter()
        .zip(&texts)
        .map(|(unit, text)| !unit.is_fortran || text.has_block_data || is_root(unit))
        .collect();
    loop {
        let used: BTreeSet<&String> = texts
            .iter()
            .zip(&kept)
            .filter(|&(_, &kept)| kept)
            .flat_map(|(text, _)| text.uses.iter().chain(&text.defines))
            .collect();
        let wanted: Vec<usize> = (0..units.len())
            .filter(|&index| {
                let text = &texts[index];
                let mut names = text.defines.iter().chain(&text.extends);
                !kept[index] && names.any(|name| used.contains(name))
            })
            .collect();
        if wanted.is_empty() {
            break;
        }
        for index in wanted {
            kept[index] = true;
        }
    }
    let pairs = units.into_iter().zip(kept);
    pairs
        .filter_map(|(unit, kept)| kept.then_some(unit))
        .collect()
}

/// Those that define a module before those that use it; else in the order given.
fn in_module_order(units: &[Unit]) -> Vec<&Unit> {
    let texts: Vec<ModuleUse> = units.iter().map(ModuleUse::of).collect();
    let mut definers = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        for module in &text.defines {
            definers.entry(module.clone()).or_insert(index);
        }
    }
    let mut order = Vec::new();
    let mut visited = BTreeSet::new();
    for index in 0..units.len() {
        visit(index, &texts, &definers, &mut visited, &mut order);
    }
    order.into_iter().map(|index| &units[index]).collect()
}

fn visit(
    index: usize,
    texts: &[ModuleUse],
    definers: &BTreeMap<String, usize>,
    visited: &mut BTreeSet<usize>,
    order: &mut Vec<usize>,
) {
    if !visited.insert(index) {
        return;
    }
    for module in &texts[index].uses {
        if let Some(&definer) = definers.get(module) {
            visit(definer, texts, definers, visited, order);
        }
    }
    order.push(index);
}

/// The Fortran modules that a file defines and uses. A line that only looks like a USE costs
/// nothing: it changes an order that was free.
#[derive(Default)]
struct ModuleUse {
    defines: Vec<String>,
    uses: Vec<String>,
    /// The modules that it adds a submodule to.
    extends: Vec<String>,
    has_block_data: bool,
}

impl ModuleUse {
    fn of(unit: &Unit) -> Self {
        let mut found = Self::default();
        if !unit.is_fortran {
            return found;
        }
        let text = latin1_tolerant(&fs::read(&unit.path).unwrap_or_default()).to_ascii_lowercase();
        for line in text.lines().flat_map(|line| line.split(';')) {
            found.read(line.trim());
        }
        found
    }

    fn read(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("module ") {
            let name = first_name(rest);
            if name != "procedure" {
                self.defines.push(name);
            }
        } else if let Some(rest) = line.strip_prefix("submodule") {
            let name = first_name(rest.trim_start_matches([' ', '(']));
            self.extends.push(name.clone());
            self.uses.push(name);
        } else if line.starts_with("block data") || line.starts_with("blockdata") {
            self.has_block_data = true;
        } else if let Some(rest) = line.strip_prefix("use") {
            let rest = match rest.split_once("::") {
                Some((_, rest)) => rest,
                None if rest.starts_with(' ') => rest,
                None => return,
            };
            self.uses.push(first_name(rest));
        }
    }
}

fn first_name(text: &str) -> String {
    text.trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Origin, Unit, in_module_order, needed};

    #[test]
    fn modules_are_compiled_before_their_users() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            Unit {
                path,
                is_fortran: true,
                origin: Origin::User,
            }
        };
        let units = [
            file("a.f90", "subroutine a\n  USE Grid, only: n\nend\n"),
            file(
                "b.f90",
                "module grid\n use, non_intrinsic :: kinds\nend module\n",
            ),
            file("c.f90", "module kinds\nend module\n"),
        ];
        let order: Vec<_> = in_module_order(&units)
            .into_iter()
            .map(|unit| unit.path.file_name().expect("a name").to_owned())
            .collect();
        assert_eq!(order, ["c.f90", "b.f90", "a.f90"]);
    }

    #[test]
    fn only_what_the_roots_need_is_compiled() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            Unit {
                path,
                is_fortran: true,
                origin: Origin::User,
            }
        };
        let units = vec![
            file("a.f90", "subroutine a\n  use grid\nend\n"),
            file("b.f90", "module grid\nend module\n"),
            file(
                "c.f90",
                "submodule (grid) rest\n  use kinds\nend submodule\n",
            ),
            file("d.f90", "module kinds\nend module\n"),
            file("e.f90", "subroutine e\n  use netcdf\nend\n"),
            file("f.f90", "block data tables\nend\n"),
        ];
        let names: Vec<_> = needed(units, |unit| unit.path.ends_with("a.f90"))
            .into_iter()
            .map(|unit| unit.path.file_name().expect("a name").to_owned())
            .collect();
        assert_eq!(names, ["a.f90", "b.f90", "c.f90", "d.f90", "f.f90"]);
    }
}
