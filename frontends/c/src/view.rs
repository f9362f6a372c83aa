//! The text that the parser sees: preprocessed by the system's compiler, made fit for the parser,
//! with a map from each byte back to the user's text.

mod extend;
mod lex;
mod lines;
mod overwrite;
mod preprocess;
mod prune;

pub(crate) use extend::{CONDITION, INITIAL, extended, unescaped};
pub(crate) use lex::{Directives, Token, tokens};
pub(crate) use lines::{OffsetMap, Scan, scan};
pub(crate) use overwrite::{Marks, Part, overwrite};
pub(crate) use preprocess::preprocess;
pub(crate) use prune::prune;

use contraflow_ir::Span;

/// One translation unit, ready to be parsed.
#[derive(Debug)]
pub(crate) struct View {
    /// Preprocessed and overwritten text.
    pub text: String,
    /// From `text` to the user's files.
    pub map: OffsetMap,
    /// `#pragma` lines: offset in `text`, text after the word.
    pub pragmas: Vec<(u32, String)>,
    /// What was overwritten and still means something.
    pub marks: Marks,
}

impl View {
    /// The user's text of a node.
    pub fn span(&self, node: crate::cst::Span) -> Span {
        if node.start > node.end || node.end > self.text.len() {
            return Span::NONE;
        }
        self.map.span(node.start, node.end)
    }
}
