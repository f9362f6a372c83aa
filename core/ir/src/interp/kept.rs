//! The bytes of tapes and snapshots that are in memory.
//!
//! A tape has its bytes from when it gets memory, at entry or by a statement, until that is released.
//! One that grows has those of the values that are on it.

use std::collections::HashMap;

use super::Machine;
use super::frame::Frame;
use super::memory::View;
use crate::module::Module;
use crate::types::{Role, Type, VarId};

/// The bytes of each buffer that is counted.
#[derive(Default)]
pub(super) struct Kept {
    buffers: HashMap<usize, u64>,
    now: u64,
    most: u64,
}

impl Kept {
    pub fn now(&self) -> u64 {
        self.now
    }

    pub fn most(&self) -> u64 {
        self.most
    }

    fn set(&mut self, buffer: usize, bytes: u64) {
        let before = self.buffers.insert(buffer, bytes).unwrap_or(0);
        self.now = self.now + bytes - before;
        self.most = self.most.max(self.now);
    }

    /// A buffer that goes.
    pub fn release(&mut self, buffer: usize) {
        self.now -= self.buffers.remove(&buffer).unwrap_or(0);
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
        self.kept.set(view.buffer, bytes);
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
