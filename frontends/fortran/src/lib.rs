//! Reads Fortran: free and fixed form, as it is written.
//!
//! | stage | hands on |
//! |---|---|
//! | [`view`] | logical statements without blanks and continuations, each byte mapped back |
//! | [`syntax`] | the kind of each statement; units, constructs, loops with shared labels |
//! | [`cst`] | the expressions of one statement as a small tree |
//! | [`declare`] | symbol tables over all files |
//! | `lower` | procedures of the IR |
//!
//! Nothing is ever rejected: a statement that is not understood stands as `Opaque`, with a
//! diagnostic, and the rest is lowered all the same.

pub mod cst;
pub mod declare;
mod directives;
mod entries;
mod lower;
mod neutral;
pub mod syntax;
pub mod view;

use contraflow_ir::{Diagnostic, FileId, Host, Module, RealKinds, Sources};
use cst::{Parser, Parsers};
use declare::build::Declarer;
use declare::scope::Scope;
use declare::{File, Program};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use syntax::blocks::{Classified, build};
use view::{FileLines, Statements};

/// How the sources are to be read; the user's compiler flags.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Options {
    /// Where includes are looked for, after the including file's own folder.
    pub include_directories: Vec<PathBuf>,
    /// Preprocessor macros: `(name, value)`.
    pub definitions: Vec<(String, String)>,
    /// How wide reals are.
    pub reals: RealKinds,
}

/// The stack of the threads that lower: expressions and constructs nest as deep as users write.
const STACK: usize = 2 << 30;

/// Adds everything in `files` to `module`. Files may use each other's modules in any order.
///
/// Never refuses a file: what is not understood becomes `Opaque` and a warning.
pub fn lower(
    module: &mut Module,
    sources: &mut Sources,
    files: &[FileId],
    options: &Options,
    host: &dyn Host,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let loaded: Vec<FileLines> = files
        .iter()
        .filter_map(|&file| view::load(file, sources, options, host, &mut diagnostics))
        .collect();
    let sources = &*sources;
    let work = || lower_loaded(module, sources, loaded, options.reals);
    let found = match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    };
    diagnostics.extend(found);
    diagnostics
}

/// A file with its scopes, before the program is put together.
struct Declared {
    file: File,
    scopes: Vec<Scope>,
    diagnostics: Vec<Diagnostic>,
}

fn lower_loaded(
    module: &mut Module,
    sources: &Sources,
    loaded: Vec<FileLines>,
    reals: RealKinds,
) -> Vec<Diagnostic> {
    let parsers = Parsers::default();
    let declared: Vec<Declared> = loaded
        .into_par_iter()
        .enumerate()
        .map(|(index, lines)| parsers.with(|parser| declare_file(index, lines, parser)))
        .collect();
    let mut diagnostics = Vec::new();
    let mut program = Program {
        reals,
        ..Program::default()
    };
    for declared in declared {
        program.files.push(declared.file);
        program.add_scopes(declared.scopes);
        diagnostics.extend(declared.diagnostics);
    }
    program.bind(&mut diagnostics);
    program.assign_ids(module, sources);
    for lowered in lower::procedures(&program, module, sources, &parsers) {
        module.procedures[lowered.id] = lowered.procedure;
        diagnostics.extend(lowered.diagnostics);
    }
    entries::share(&program, module);
    for values in lower::declared_values(&program, module, sources, &parsers) {
        module.procedures.add(values);
    }
    diagnostics
}

fn declare_file(index: usize, lines: FileLines, parser: &mut Parser) -> Declared {
    let Statements {
        statements,
        directives,
    } = view::split(&lines);
    let kinds: Vec<Classified> = statements
        .iter()
        .map(|statement| {
            let (kind, construct) = syntax::classify::classify(statement);
            Classified { kind, construct }
        })
        .collect();
    let mut diagnostics = Vec::new();
    let units = build(&statements, &kinds, &mut diagnostics);
    let statements: Vec<Arc<view::Statement>> = statements.into_iter().map(Arc::new).collect();
    let mut declarer = Declarer::new(index, &statements, &kinds, parser);
    for unit in units {
        declarer.unit(unit, None, false);
    }
    let scopes = std::mem::take(&mut declarer.scopes);
    diagnostics.extend(std::mem::take(&mut declarer.diagnostics));
    Declared {
        file: File {
            id: lines.file,
            statements,
            kinds,
            directives,
        },
        scopes,
        diagnostics,
    }
}

/// The source form of a text, found by content; `path` breaks ties.
pub fn form(path: &Path, text: &[u8]) -> contraflow_ir::Language {
    view::form::form_of(path, &view::lines::lines_of(FileId(0), text))
}

/// The logical statements of a text, its form found by content; `path` breaks ties. For tests
/// that compare with other readers of Fortran.
pub fn statements(path: &Path, text: &[u8]) -> Statements {
    let file = FileId(0);
    let lines = view::lines::lines_of(file, text);
    let form = view::form::form_of(path, &lines);
    view::split(&FileLines { file, form, lines })
}
