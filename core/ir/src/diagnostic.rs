//! Diagnostics: what is wrong with the user's program or request, where, why, and what to write
//! instead. Libraries return them as data; only the command line renders them.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; the result is right.
    Note,
    /// The result is right, but perhaps not what was meant.
    Warning,
    /// The request cannot be carried out.
    Error,
}

/// A place in the user's text with what is to be said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there. May be empty.
    pub text: String,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name for the kind of finding, such as `unknown-head`, for tests and searches.
    pub code: &'static str,
    /// One sentence in the user's terms.
    pub message: String,
    /// Places, the first one being the main one.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to write or do instead.
    pub help: Option<String>,
}

impl Diagnostic {
    fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// Adds a place. Spans without a file are left out.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        if span.is_some() {
            self.labels.push(Label {
                span,
                text: text.into(),
            });
        }
        self
    }

    /// Adds a further fact.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to write or do instead.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
