//! What is known of a primal program before it is differentiated. Each analysis takes the module
//! and what it builds upon by reference and returns a new value; results are named by id and never
//! kept in nodes.

pub mod effects;
mod memory;

pub use effects::{Effects, Shared, StmtEffects, Touch};
