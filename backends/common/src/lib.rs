//! What the back ends share: lines and their wrapping, names, parentheses, the user's style, edits
//! on the user's text, and what a procedure writes.
//!
//! A back end takes verified IR and makes text; it decides nothing about derivatives. Text of the
//! user's is never printed from a tree: [`splice`] puts new text between unchanged bytes.

pub mod assigned;
pub mod cases;
pub mod counter;
pub mod namer;
pub mod offset;
pub mod placement;
pub mod precedence;
pub mod splice;
pub mod style;
pub mod usage;
pub mod writer;

pub use counter::{Counter, Limit, PARTS};
pub use namer::Namer;
pub use offset::{offset, upper_of};
pub use placement::{ChangedContainer, ChangedFile, Placement, placements};
pub use precedence::{Term, tight};
pub use splice::{Edit, splice};
pub use style::{KeywordCase, Style};
pub use usage::{Usage, Written};
pub use writer::{BREAK, Form, TIGHT, Writer};

/// A file that a back end made, complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputFile {
    /// The file name, without a folder.
    pub name: String,
    /// Its bytes.
    pub text: Vec<u8>,
}
