//! `contraflow check`: the proof of a derivative by running it.
//!
//! The head is differentiated in both modes. A driver program in the head's language calls the
//! primal `F`, the tangent and the adjoint on random values and prints figures about the laws
//!
//! ```text
//! F is left the same, bit for bit, by tangent and adjoint;
//! y_d = J x_d              against  (F(x + h x_d) - F(x - h x_d)) / 2h, to fourth order;
//! <J' y_b, x_d>            against  <y_b, J x_d>, for each pair of input and output and for all;
//! x_b after two calls      =        twice x_b after one; shadows of pure outputs are zero.
//! ```
//!
//! [`experiment`] says what is called and with which values ([`design`] makes it of the head, its
//! arguments, the records and globals in [`place`], and the procedures that must be called first in
//! [`before`]), [`driver_fortran`] and [`driver_c`] write it, [`build`] compiles and runs it, [`verdict`] judges the figures.

pub mod before;
pub mod build;
pub mod design;
pub mod driver_c;
pub mod driver_fortran;
pub mod experiment;
mod globals;
pub mod place;
mod places_c;
mod places_fortran;
mod proof;
pub mod quantities;
pub mod values;
pub mod verdict;
mod warnings;

pub use proof::command;
