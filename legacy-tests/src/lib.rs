//! The harness of the end-to-end tests: real and real-looking programs through the whole line, and
//! the proof of what comes out.
//!
//! [`packages`] gets real codes by name, version and hash; [`kernels`] reads the list of kernels
//! that the project keeps in both languages; [`proof`] runs `contraflow check` in this process, in
//! an optimised build and in one with run-time checks; [`tape`] measures what an adjoint keeps.

pub mod command;
pub mod kernels;
pub mod packages;
pub mod proof;
pub mod tape;
