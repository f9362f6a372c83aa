//! Programs held in memory, lowered and verified.
#![allow(dead_code)]

use contraflow_frontend_fortran::{Options, lower};
use contraflow_ir::print::print_procedure;
use contraflow_ir::{Diagnostic, Host, Module, ProgramOutput, Sources, Stmt, verify};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files by path; no programs.
#[derive(Default)]
pub struct Memory(pub HashMap<PathBuf, Vec<u8>>);

impl Host for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = self.0.get(path).cloned();
        found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn run(&self, _: &str, _: &[String], _: Option<&[u8]>) -> io::Result<ProgramOutput> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }
}

/// What a front end made of some files.
pub struct Program {
    pub module: Module,
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers files given as `(path, text)`.
pub fn program(files: &[(&str, &[u8])]) -> Program {
    program_with(files, &Memory::default())
}

/// Lowers files with a host for includes and the preprocessor.
pub fn program_with(files: &[(&str, &[u8])], host: &dyn Host) -> Program {
    let mut module = Module::default();
    let mut sources = Sources::default();
    let ids: Vec<_> = files
        .iter()
        .map(|(path, text)| sources.add(*path, text.to_vec()))
        .collect();
    let diagnostics = lower(&mut module, &mut sources, &ids, &Options::default(), host);
    if let Err(violations) = verify::verify(&module) {
        panic!("the module breaks the contract: {violations:#?}");
    }
    Program {
        module,
        sources,
        diagnostics,
    }
}

/// Lowers one free-form text and gives the body of its first procedure, without declarations.
pub fn body(text: &str) -> String {
    body_in("a.f90", text)
}

/// Lowers one text and gives the body of its first procedure, without declarations.
pub fn body_in(path: &str, text: &str) -> String {
    let program = program(&[(path, text.as_bytes())]);
    let (_, procedure) = program
        .module
        .procedures
        .iter()
        .next()
        .expect("a procedure");
    let printed = print_procedure(&program.module, procedure);
    let lines: Vec<&str> = printed
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with("  is ") && !line.starts_with("  var "))
        .take_while(|line| *line != "}")
        .filter_map(|line| line.strip_prefix("  "))
        .collect();
    lines.join("\n") + "\n"
}

/// The codes of all diagnostics.
pub fn codes(program: &Program) -> Vec<&'static str> {
    program.diagnostics.iter().map(|d| d.code).collect()
}

/// The kinds of all opaque statements.
pub fn opaque(program: &Program) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for (_, procedure) in program.module.procedures.iter() {
        for id in procedure.all_statements() {
            if let Stmt::Opaque { kind, .. } = procedure.stmt(id) {
                kinds.push(*kind);
            }
        }
    }
    kinds
}
