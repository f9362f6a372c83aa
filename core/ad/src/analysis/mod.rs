//! What is known of a primal program before it is differentiated. Each analysis takes the module
//! and what it builds upon by reference and returns a new value; results are named by id and never
//! kept in nodes.

pub mod activity;
pub(crate) mod behind_values;
pub mod call_graph;
pub mod dependence;
pub mod effects;
pub mod entry;
pub(crate) mod followed;
pub mod kinds;
pub(crate) mod memory;
pub mod objects;
pub mod pointers;
pub mod repeat;
pub mod retyped;
pub mod settled;
mod tables;
pub mod tree;

pub use activity::{Activity, Specialisation, SpecialisationId};
pub use call_graph::CallGraph;
pub use dependence::{Dependence, Meeting, Use, UsesInOrder};
pub use effects::{Effects, Shared, StmtEffects, Touch};
pub use entry::Entry;
pub use tree::Tree;
