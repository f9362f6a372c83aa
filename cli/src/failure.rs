//! Why a command did not do what was asked.

use crate::console::Console;
use crate::findings;
use contraflow_ir::{Diagnostic, Sources};

/// The reason.
pub enum Failure {
    /// The user's program or request: findings with places in the user's text.
    User {
        /// The findings.
        diagnostics: Vec<Diagnostic>,
        /// The texts that they point into.
        sources: Box<Sources>,
    },
    /// The machine: a folder that cannot be written, a compiler that cannot be started.
    Environment(anyhow::Error),
    /// A proof was run and failed; its report has been printed.
    Disproved,
}

impl Failure {
    /// A failure with findings that point into `sources`.
    pub fn user(diagnostics: Vec<Diagnostic>, sources: &Sources) -> Self {
        Self::User {
            diagnostics,
            sources: Box::new(sources.clone()),
        }
    }

    /// A failure with one finding that has no place in a file.
    pub fn without_place(diagnostic: Diagnostic) -> Self {
        Self::user(vec![diagnostic], &Sources::default())
    }

    /// Tells the user.
    pub fn show(&self, console: &mut Console) {
        match self {
            Self::User {
                diagnostics,
                sources,
            } => findings::show(diagnostics, sources, console),
            Self::Environment(error) => console.complain(&format!("error: {error:#}")),
            Self::Disproved => {}
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Environment(error)
    }
}
