//! The bytes of tapes and snapshots that are in memory.
//!
//! A tape has its bytes from when it gets memory, at entry or by a statement, until that is released.
//! One that grows has those of the values that are on it.

use std::collections::HashMap;

use super::Machine;
use super::frame::Frame;
use super::memory::View;
use crate::module::Module;
use crate::types::{Allocation, Extent, Role, Type, VarId};

/// The bytes of each buffer that is counted.
#[derive(Default)]
pub(super) struct Kept {
    buffers: HashMap<usize, (u64, Growth)>,
    counts: Counts,
    fixed: u64,
}

/// Bytes of tapes and snapshots.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Those that are held now.
    pub now: u64,
    /// The most that were held at a time.
    pub most: u64,
    /// The same without tapes that grow.
    pub most_fixed: u64,
}

/// Whether a tape has all its memory from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Growth {
    Fixed,
    Growing,
}

impl Kept {
    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn set(&mut self, buffer: usize, bytes: u64, growth: Growth) {
        self.release(buffer);
        self.buffers.insert(buffer, (bytes, growth));
        self.counts.now += bytes;
        self.counts.most = self.counts.most.max(self.counts.now);
        if growth == Growth::Fixed {
            self.fixed += bytes;
            self.counts.most_fixed = self.counts.most_fixed.max(self.fixed);
        }
    }

    /// A buffer that goes.
    pub fn release(&mut self, buffer: usize) {
        let Some((bytes, growth)) = self.buffers.remove(&buffer) else {
            return;
        };
        self.counts.now -= bytes;
        if growth == Growth::Fixed {
            self.fixed -= bytes;
        }
    }
}

/// The bytes of one element, each component of a record by itself.
fn bytes_of(module: &Module, ty: Type) -> u64 {
    match ty {
        Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
            bytes.into()
        }
        Type::Complex { bytes } => 2 * u64::from(bytes),
        Type::Record(record) => {
            let fields = module.records[record].fields.iter();
            fields
                .map(|field| {
                    let count: i64 = field.shape.iter().map(|(_, n)| n.unwrap_or(1)).product();
                    bytes_of(module, field.ty) * u64::try_from(count).unwrap_or(0)
                })
                .sum()
        }
        _ => 8,
    }
}

impl<'m> Machine<'m> {
    /// Counts the memory that a variable has been given, if that of a tape.
    pub(super) fn count(&mut self, frame: &Frame<'m>, var: VarId, view: &View) {
        let variable = &frame.procedure.variables[var];
        if variable.role != Role::Tape || variable.is_argument() || !variable.is_array() {
            return;
        }
        let size = self.size_of(variable.ty).max(1);
        let elements = self.memory.len(view.buffer) / size;
        let bytes = bytes_of(self.module, variable.ty) * elements as u64;
        let grows = variable.allocation == Allocation::Fixed
            && matches!(variable.shape.as_slice(), [dim] if dim.extent == Extent::Deferred);
        let growth = match grows {
            true => Growth::Growing,
            false => Growth::Fixed,
        };
        self.kept.set(view.buffer, bytes, growth);
    }

    /// Stops counting what a call leaves behind: allocatable tapes go with it.
    pub(super) fn uncount(&mut self, frame: &Frame<'m>) {
        for (var, variable) in frame.procedure.variables.iter() {
            if let (Role::Tape, false, Some(view)) = (
                variable.role,
                variable.is_argument(),
                &frame.views[var.index()],
            ) {
                self.kept.release(view.buffer);
            }
        }
    }

    /// Counts the values on a tape that has grown or become shorter.
    pub(super) fn recount(&mut self, frame: &Frame<'m>, tape: VarId) {
        if let Some(view) = frame.views[tape.index()].clone() {
            self.count(frame, tape, &view);
        }
    }
}
