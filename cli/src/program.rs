//! From texts to one verified module: both front ends, then jumps into structure, then the
//! verifier.

use crate::arguments::Input;
use crate::commands::Commands;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::widths::reals_under;
use anyhow::anyhow;
use contraflow_frontend_c as c;
use contraflow_frontend_fortran as fortran;
use contraflow_ir::structure::structure;
use contraflow_ir::verify::{Verified, verify};
use contraflow_ir::{
    Aliasing, Diagnostic, FileId, Host, Module, Procedure, RealKinds, Severity, Sources,
};
use std::collections::HashMap;

/// The user's program.
#[derive(Debug)]
pub struct Program {
    /// The texts.
    pub sources: Sources,
    /// The files that the user named; the others came in by inclusion.
    pub given: Vec<FileId>,
    /// Everything in them.
    pub module: Module,
    /// What the front ends found worth saying.
    pub diagnostics: Vec<Diagnostic>,
    /// How the user's build compiles the C files.
    pub commands: Commands,
    /// How wide the user's compiler makes reals.
    pub reals: RealKinds,
}

/// Reads and lowers the user's files.
///
/// # Errors
/// What is wrong with the files, and what a front end calls an error.
pub fn read(input: &Input, host: &dyn Host) -> Result<Program, Failure> {
    let Loaded {
        mut sources,
        fortran: fortran_files,
        c: c_files,
        mut diagnostics,
    } = load(&input.files, host)?;
    let commands = match &input.compile_commands {
        Some(path) => {
            Commands::read(path, host).map_err(|error| Failure::user(vec![error], &sources))?
        }
        None => Commands::default(),
    };
    let mut module = Module::default();
    let reals = reals_under(&input.flags).map_err(Failure::without_place)?;
    let definitions = definitions(&input.definitions);
    if !fortran_files.is_empty() {
        let options = fortran::Options {
            include_directories: input.include_directories.clone(),
            definitions: definitions.clone(),
            reals,
        };
        let found = fortran::lower(&mut module, &mut sources, &fortran_files, &options, host);
        diagnostics.extend(found);
    }
    if !c_files.is_empty() {
        let options = c::Options {
            include_directories: input.include_directories.clone(),
            standard: input.standard.clone(),
            definitions,
            of_files: flags_of_files(&commands, &sources, &c_files),
        };
        let found = c::lower(&mut module, &mut sources, &c_files, &options, host);
        diagnostics.extend(found);
    }
    let fatal = diagnostics
        .iter()
        .any(|found| found.severity == Severity::Error);
    if fatal {
        return Err(Failure::user(diagnostics, &sources));
    }
    for (_, procedure) in module.procedures.iter_mut() {
        structure(procedure);
        if input.no_alias {
            separate_arguments(procedure);
        }
    }
    verified(&module, "program")?;
    Ok(Program {
        given: fortran_files.into_iter().chain(c_files).collect(),
        sources,
        module,
        diagnostics,
        commands,
        reals,
    })
}

/// The flags of each C file, from the compilation database.
fn flags_of_files(
    commands: &Commands,
    sources: &Sources,
    files: &[FileId],
) -> HashMap<FileId, Vec<String>> {
    let flags = |&file: &FileId| (file, commands.of(&sources.file(file).path).to_vec());
    files.iter().map(flags).collect()
}

/// What `--no-alias` promises.
fn separate_arguments(procedure: &mut Procedure) {
    for &argument in &procedure.arguments {
        procedure.variables[argument].aliasing = Aliasing::None;
    }
}

/// `NAME=VALUE` pairs; a name alone has the value 1, as compilers have it.
fn definitions(written: &[String]) -> Vec<(String, String)> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (text.clone(), "1".to_owned()),
    };
    written.iter().map(pair).collect()
}

/// The module with the proof that it satisfies the invariants.
///
/// # Errors
/// A defect of Contraflow, not of the user's program: what does not hold, to be reported.
pub fn verified<'m>(module: &'m Module, what: &str) -> anyhow::Result<Verified<'m>> {
    verify(module).map_err(|broken| {
        let broken: Vec<String> = broken.into_iter().take(10).collect();
        anyhow!(
            "this is a defect of Contraflow: the {what} breaks what its passes rely on\n{}",
            broken.join("\n")
        )
    })
}
