//! The command: derivatives, driver, compiler, verdict.

use super::before::Calls;
use super::build::{DRIVER, Origin, Run, Toolchain, Unit, build_and_run, needed};
use super::design::{Setting, design};
use super::experiment::Experiment;
use super::values::{Settings, Values};
use super::verdict::{Tolerances, Verdict, judge};
use super::{driver_c, driver_fortran};
use crate::arguments::{Check, LanguageName, SavedName};
use crate::console::Console;
use crate::derive::{Wish, derive, find_head, usual_suffix};
use crate::emit::{emit, language_of};
use crate::failure::Failure;
use crate::findings::show;
use crate::head::{Head, HeadSpec, full_name};
use crate::host::SystemHost;
use crate::kept::{self, Expected, Profile};
use crate::planning::planning;
use crate::program::{self, Program};
use anyhow::{Context, anyhow};
use contraflow_ad::analysis::{CallGraph, Effects};
use contraflow_ad::{Derivative, Mode};
use contraflow_backend_common::OutputFile;
use contraflow_ir::{ContainerKind, FileId, Module, ProcedureId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs `contraflow check`.
///
/// # Errors
/// The user's fault, the machine's, or a derivative that is not proved.
pub fn command(arguments: &Check, console: &mut Console) -> Result<(), Failure> {
    let input = &arguments.input;
    let spec = HeadSpec::parse(&input.head).map_err(Failure::without_place)?;
    let setting = setting(arguments)?;
    let mut program = program::read(input, &SystemHost)?;
    let head = find_head(&spec, &mut program, input, console)?;
    let language = language_of(&program.module, &program.sources, head.procedure);
    // A call can only be repeated where each one starts anew, also to prove `--saved kept`.
    let saved = input.saved.map(|_| SavedName::Fresh);
    let wish = |mode| Wish {
        saved,
        ..Wish::of(input, usual_suffix(mode))
    };
    let tangent_wish = Wish {
        copy_head: saved.is_some(),
        ..wish(Mode::Tangent)
    };
    let tangent = derive(&program, &head, Mode::Tangent, &tangent_wish)?;
    // The adjoint is added to the same module, so that output in place holds both.
    program.module = tangent.module.clone();
    let adjoint = derive(&program, &head, Mode::Adjoint, &wish(Mode::Adjoint))?;
    show(&adjoint.diagnostics, &program.sources, console);
    if input.report {
        console.complain(&adjoint.report.join("\n"));
    }
    let line = Line {
        arguments,
        program: &program,
        head: &head,
        language,
        setting: &setting,
        tangent: &tangent,
    };
    line.prove(&adjoint, Limit::Kept, console)?;
    if adjoint.plans.len() > 1 {
        for plan in &adjoint.plans {
            console.say(&format!("{}:", plan.name));
            let planned = Derivative {
                head: plan.procedure,
                watched: None,
                ..adjoint.clone()
            };
            line.prove(&planned, Limit::Free, console)?;
        }
    }
    Ok(())
}

/// Whether a derivative has to keep within the memory limit: not one of several plans by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Kept,
    Free,
}

/// What a proof is made from beside the adjoint.
struct Line<'a> {
    arguments: &'a Check,
    program: &'a Program,
    head: &'a Head,
    language: LanguageName,
    setting: &'a Setting,
    tangent: &'a Derivative,
}

impl Line<'_> {
    /// Writes, compiles and runs the driver, and judges.
    fn prove(
        &self,
        adjoint: &Derivative,
        limit: Limit,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let input = &self.arguments.input;
        let Self {
            arguments,
            program,
            head,
            language,
            setting,
            tangent,
        } = *self;
        let mut experiment = design(&program.module, head, tangent, adjoint, setting)
            .map_err(|errors| Failure::user(errors, &program.sources))?;
        let sizes = sizes_of(&experiment, head.procedure, &program.module);
        if input.instrument || input.memory.is_some() || input.profile.is_some() {
            let planning = planning(input, program)?;
            let mut all = planning.sizes;
            sizes.iter().for_each(|(name, size)| all.set(name, *size));
            experiment.kept = Some(Expected {
                limit: planning.memory.filter(|_| limit == Limit::Kept),
                ..kept::expected(adjoint, head.procedure, &all)
            });
        }
        let both = Derivative {
            derived: tangent
                .derived
                .iter()
                .chain(&adjoint.derived)
                .copied()
                .collect(),
            ..adjoint.clone()
        };
        let counter = experiment.kept.as_ref().map(|kept| &kept.counter);
        let outputs = emit(program, &both, None, counter)?;
        let workshop = Workshop::open(arguments.keep.as_deref())?;
        let units = workshop.furnish(program, &outputs, &experiment, language)?;
        let toolchain = toolchain(arguments, program);
        let files = files_reached(&program.module, head.procedure, &experiment);
        let is_root = |unit: &Unit| {
            !unit.is_original()
                || files
                    .iter()
                    .any(|&file| program.sources.file(file).path == unit.path)
        };
        let few = needed(units.clone(), is_root);
        let is_complete = few.len() == units.len();
        let run = match build_and_run(&few, &toolchain, &workshop.folder) {
            // Quoted text may call what is not known: then all files are tried.
            Err(first) if !is_complete => {
                build_and_run(&units, &toolchain, &workshop.folder).map_err(|_| first)?
            }
            other => other?,
        };
        let compiler = if language == LanguageName::C {
            &toolchain.c
        } else {
            &toolchain.fortran
        };
        let name = full_name(&program.module, head.procedure);
        console.say(&format!(
            "{name}, compiled with {compiler} {}",
            arguments.input.flags
        ));
        let verdict = report(
            &experiment,
            &run,
            tolerances(arguments, &experiment),
            console,
        )?;
        let profile = input.profile.as_ref().filter(|_| limit == Limit::Kept);
        if let (Some(path), Some(expected), Some(measured)) =
            (profile, &experiment.kept, verdict.kept)
        {
            let profile = Profile {
                head: experiment.head.clone(),
                sizes,
                predicted: expected.predicted,
                measured,
            };
            let text = format!("{:#}\n", profile.as_json());
            fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        match verdict.proved {
            true => Ok(()),
            false => Err(Failure::Disproved),
        }
    }
}

/// The head's scalars that are whole numbers, with what the experiment sets them to.
fn sizes_of(experiment: &Experiment, head: ProcedureId, module: &Module) -> BTreeMap<String, f64> {
    let procedure = &module.procedures[head];
    let of_head = |name: &str| {
        procedure
            .variables
            .iter()
            .any(|(_, variable)| variable.name.eq_ignore_ascii_case(name))
    };
    experiment
        .variables
        .iter()
        .filter(|variable| variable.shape.is_empty() && of_head(&variable.name))
        .filter_map(|variable| match variable.values {
            Values::Integers(ref list) => Some((variable.name.clone(), *list.first()? as f64)),
            Values::Whole(low, high) if low == high => Some((variable.name.clone(), low as f64)),
            _ => None,
        })
        .collect()
}

/// The files of the head, of what is called before it, and of all that these call.
fn files_reached(module: &Module, head: ProcedureId, experiment: &Experiment) -> BTreeSet<FileId> {
    let effects = Effects::of(module);
    let calls = CallGraph::of(module, &effects);
    let before = experiment.before.iter().map(|call| call.id);
    let procedures = std::iter::once(head).chain(before);
    procedures
        .flat_map(|id| calls.reachable(id))
        .filter(|&id| module.procedures[id].home.span.is_some())
        .map(|id| module.procedures[id].home.file)
        .collect()
}

fn setting(arguments: &Check) -> Result<Setting, Failure> {
    Ok(Setting {
        values: Settings::parse("--set", &arguments.values).map_err(Failure::without_place)?,
        extents: Settings::parse("--extent", &arguments.input.extents)
            .map_err(Failure::without_place)?,
        before: Calls::parse(&arguments.before).map_err(Failure::without_place)?,
        seeds: arguments.seeds,
        step: arguments.step,
    })
}

fn tolerances(arguments: &Check, experiment: &Experiment) -> Tolerances {
    let single = experiment.is_single
        || experiment.variables.iter().any(|variable| {
            (variable.independent || variable.dependent) && variable.element.is_single()
        });
    let (adjoint, differences) = if single { (1e-4, 1e-2) } else { (1e-12, 1e-6) };
    Tolerances {
        adjoint: arguments.tolerance.unwrap_or(adjoint),
        differences: arguments.fd_tolerance.unwrap_or(differences),
    }
}

fn toolchain(arguments: &Check, program: &Program) -> Toolchain {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let compiler = |given: &Option<String>, variable: &str, usual: &str| {
        let from_environment = || std::env::var(variable).ok().filter(|name| !name.is_empty());
        given
            .clone()
            .or_else(from_environment)
            .unwrap_or_else(|| usual.to_owned())
    };
    let mut include_directories = arguments.input.include_directories.clone();
    // Output in place is compiled elsewhere, and includes what its original does.
    for (_, source) in program.sources.iter() {
        let folder = match source.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        if !include_directories.contains(&folder) {
            include_directories.push(folder);
        }
    }
    Toolchain {
        fortran: compiler(&arguments.fc, "FC", "gfortran"),
        c: compiler(&arguments.cc, "CC", "gcc"),
        flags: words(&arguments.input.flags),
        standard: arguments.input.standard.clone(),
        definitions: arguments.input.definitions.clone(),
        include_directories,
        commands: program.commands.clone(),
        link: words(&arguments.link),
        runner: words(&arguments.run_with),
    }
}

/// The folder that the driver is built in.
struct Workshop {
    folder: PathBuf,
    _temporary: Option<tempfile::TempDir>,
}

impl Workshop {
    fn open(keep: Option<&Path>) -> anyhow::Result<Self> {
        match keep {
            Some(folder) => {
                fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
                Ok(Self {
                    folder: folder.to_owned(),
                    _temporary: None,
                })
            }
            None => {
                let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
                Ok(Self {
                    folder: temporary.path().to_owned(),
                    _temporary: Some(temporary),
                })
            }
        }
    }

    /// Writes the derivatives and the driver; gives all that must be compiled. Output in place
    /// stands for its original; what holds a main program stays out.
    fn furnish(
        &self,
        program: &Program,
        outputs: &[OutputFile],
        experiment: &Experiment,
        language: LanguageName,
    ) -> anyhow::Result<Vec<Unit>> {
        let mut units = originals(program, outputs);
        for output in outputs {
            let path = self.write(&output.name, &output.text)?;
            let within = program
                .sources
                .iter()
                .map(|(_, source)| source.path.clone())
                .find(|path| {
                    path.file_name()
                        .is_some_and(|name| name == output.name.as_str())
                });
            let unit = unit(path, Origin::Derived { within });
            units.extend(unit);
        }
        let (suffix, text) = match language {
            LanguageName::Fortran => ("f90", driver_fortran::driver(experiment)),
            LanguageName::C => {
                let included = included(program, outputs, experiment, &mut units);
                ("c", driver_c::driver(experiment, included.as_deref()))
            }
        };
        let path = self.write(&format!("{DRIVER}.{suffix}"), text.as_bytes())?;
        units.extend(unit(path, Origin::Driver));
        Ok(units)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> anyhow::Result<PathBuf> {
        let path = self.folder.join(name);
        fs::write(&path, bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
        Ok(path)
    }
}

/// The user's files that no output replaces and that hold no main program.
fn originals(program: &Program, outputs: &[OutputFile]) -> Vec<Unit> {
    let replaced = |path: &Path| {
        outputs.iter().any(|output| {
            path.file_name()
                .is_some_and(|name| name == output.name.as_str())
        })
    };
    let main = |file| {
        let containers = &program.module.containers;
        containers.iter().any(|(_, container)| {
            container.file == file && container.kind == ContainerKind::Program
        })
    };
    program
        .sources
        .iter()
        .filter(|(id, source)| program.given.contains(id) && !replaced(&source.path) && !main(*id))
        .filter_map(|(_, source)| unit(source.path.clone(), Origin::User))
        .collect()
}

/// A file as a compiler takes it; headers are not compiled by themselves.
fn unit(path: PathBuf, origin: Origin) -> Option<Unit> {
    let suffix = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match suffix.as_str() {
        "h" => None,
        "c" => Some(Unit {
            path,
            is_fortran: false,
            origin,
        }),
        _ => Some(Unit {
            path,
            is_fortran: true,
            origin,
        }),
    }
}

/// A `static` head is seen only from its own translation unit, so the driver includes that one in
/// place of compiling it.
fn included(
    program: &Program,
    outputs: &[OutputFile],
    experiment: &Experiment,
    units: &mut Vec<Unit>,
) -> Option<String> {
    if !experiment.needs_translation_unit() {
        return None;
    }
    let original = program.sources.file(experiment.home.file);
    let name = original.path.file_name()?.to_string_lossy().into_owned();
    outputs.iter().find(|output| output.name == name)?;
    units.retain(|unit| {
        unit.path
            .file_name()
            .is_none_or(|other| other != name.as_str())
    });
    Some(name)
}

fn report(
    experiment: &Experiment,
    run: &Run,
    tolerances: Tolerances,
    console: &mut Console,
) -> Result<Verdict, Failure> {
    if !run.success || !run.errors.trim().is_empty() {
        console.complain(run.errors.trim_end());
        let how = if run.success { "complained" } else { "stopped" };
        return Err(Failure::Environment(anyhow!(
            "the driver {how}; the derivatives are not proved"
        )));
    }
    let verdict = judge(experiment, &run.output, tolerances).map_err(|why| anyhow!(why))?;
    for line in &verdict.lines {
        console.say(line);
    }
    console.say(if verdict.proved {
        "proved"
    } else {
        "NOT PROVED"
    });
    Ok(verdict)
}
