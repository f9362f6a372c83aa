//! From files to logical statements: preprocessing, includes, source form, continuations.

pub mod cpp;
pub mod fixed;
pub mod form;
pub mod free;
pub mod include;
pub mod lines;
pub mod splitter;
pub mod statement;

use crate::Options;
use contraflow_ir::{Diagnostic, FileId, Host, Language, Sources, Span};
use include::Expander;
use lines::{Line, lines_of};
pub use splitter::{DirectiveLine, Statements};
pub use statement::{Slice, Statement};

/// Lines in their source form, not split yet.
#[derive(Clone, PartialEq, Debug)]
pub struct FileLines {
    /// The file.
    pub file: FileId,
    /// Free or fixed.
    pub form: Language,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Loads a file: refuses what is no text, preprocesses, expands includes, finds the form.
pub fn load(
    file: FileId,
    sources: &mut Sources,
    options: &Options,
    host: &dyn Host,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<FileLines> {
    let path = sources.file(file).path.clone();
    if let Some(problem) = unreadable(file, sources) {
        diagnostics.push(problem);
        return None;
    }
    let lines = if cpp::wants_preprocessor(&path, &sources.file(file).bytes) {
        cpp::preprocess(file, sources, options, host, diagnostics)
    } else {
        lines_of(file, &sources.file(file).bytes)
    };
    let form = form::form_of(&path, &lines);
    sources.set_language(file, form);
    let lines = Expander {
        sources,
        options,
        host,
        diagnostics,
    }
    .expand(lines);
    Some(FileLines { file, form, lines })
}

/// Splits loaded lines into statements.
pub fn split(lines: &FileLines) -> Statements {
    match lines.form {
        Language::FortranFixed => fixed::split(&lines.lines),
        _ => free::split(&lines.lines),
    }
}

fn unreadable(file: FileId, sources: &Sources) -> Option<Diagnostic> {
    let source = sources.file(file);
    let name = source.path.display();
    if source.bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(
            Diagnostic::error("empty-file", format!("`{name}` is empty"))
                .at(Span::new(file, 0, 0), "")
                .with_help("name a file that holds a program unit"),
        );
    }
    let start = &source.bytes[..source.bytes.len().min(8192)];
    if start.contains(&0) {
        return Some(
            Diagnostic::error("binary-file", format!("`{name}` is no text"))
                .at(Span::new(file, 0, 0), "")
                .with_help("name the source file, not what was compiled from it"),
        );
    }
    None
}
