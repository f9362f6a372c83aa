//! Reads C, as gcc and clang accept it, into the one IR.
//!
//! ```text
//! file ─▶ view (gcc -E, line table, overwriting) ─▶ cst (lang-c) ─▶ declare ─▶ lower ─▶ link
//! ```
//!
//! Each file is one translation unit and is translated by itself, in parallel with the others; it
//! has the prototypes of what it calls. `link` then merges the units: what one declares and
//! another defines becomes one procedure or global. Nothing is refused: what is not understood is
//! quoted as `Opaque`, and a function that does not parse loses only itself.

mod cst;
mod declare;
mod directives;
mod link;
mod lower;
mod unit;
mod view;

use contraflow_ir::{Diagnostic, FileId, Host, Module, Sources};
use std::collections::HashMap;
use std::path::PathBuf;

/// How the sources are to be read; the user's compiler flags.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Options {
    /// Where includes are looked for, after the including file's own folder.
    pub include_directories: Vec<PathBuf>,
    /// The C standard, as `-std=` takes it; empty: the compiler's default.
    pub standard: String,
    /// Preprocessor macros: `(name, value)`.
    pub definitions: Vec<(String, String)>,
    /// Further flags of single files, as a build system has them.
    pub of_files: HashMap<FileId, Vec<String>>,
}

impl Options {
    /// The C standard that a file is written in; empty: the compiler's default.
    fn standard_of(&self, file: FileId) -> &str {
        let own = self.of_files.get(&file).into_iter().flatten();
        own.rev()
            .find_map(|flag| flag.strip_prefix("-std="))
            .unwrap_or(&self.standard)
    }
}

/// Adds everything in `files` to `module`. Functions of one file may call those of another.
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
    let prepared = unit::prepare(sources, files, options, host, &mut diagnostics);
    let sources = &*sources;
    let mut linker = link::Linker::new(module);
    for translated in unit::translate_all(sources, prepared) {
        match translated {
            Ok(unit) => {
                linker.merge(module, unit.module);
                diagnostics.extend(unit.diagnostics);
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    link::resolve(module);
    contraflow_ir::untyped::give_addresses_types(module);
    diagnostics
}
