//! What a statement is, and which statements belong together: no symbol table is needed for that.

pub mod blocks;
pub mod classify;
pub mod kind;
pub mod scan;
pub mod specification;

pub use kind::{Attribute, DoControl, End, Kind};
