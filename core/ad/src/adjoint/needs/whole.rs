//! Variables that are kept whole where a loop starts, instead of element by element where the loop
//! overwrites them.
//!
//! Such a copy is put back before the loop is reversed, so each use in the loop finds what the loop
//! found at its start. That is right where no write in the loop comes before a use of the same element.
//! Then no write in the loop saves anything for these uses, and none after it either: an element that
//! is overwritten many times, in a reduction or by later loops, is kept once. In a triangular product in
//! place (`b(i) += a(k,i) * b(k)`, `k > i`) that is one copy of `b`.

use std::collections::BTreeSet;

use contraflow_ir::{Allocation, Extent, Stmt, StmtId, Type, VarId};

use super::{Frame, Subject};
use crate::analysis::Use;
use crate::analysis::objects::changes_unseen;

/// Loops and what is kept whole at their start.
pub(super) type Whole = BTreeSet<(StmtId, VarId)>;

impl Subject<'_> {
    /// What is decided to be kept whole and may be, as far as the frame's uses are not asked.
    pub(super) fn whole(&self, frame: Frame) -> Whole {
        let decided = self.decisions.whole.iter().copied();
        match frame {
            None => decided
                .filter(|&(l, var)| self.may_be_whole(l, var))
                .collect(),
            Some(_) => Whole::new(),
        }
    }

    /// Whether a variable may be kept whole at a loop of the procedure: it is an array of its own, the
    /// loop is reversed by the root frame with all that is in it, and only assignments write the
    /// variable there.
    pub fn may_be_whole(&self, l: StmtId, var: VarId) -> bool {
        let procedure = self.procedure();
        let variable = &procedure.variables[var];
        let is_counted = |dim: &contraflow_ir::Dim| matches!(dim.extent, Extent::Count(_));
        let is_array = !variable.shape.is_empty()
            && variable.shape.iter().all(is_counted)
            && matches!(variable.ty, Type::Real { .. } | Type::Complex { .. });
        let stands_alone = procedure
            .variables
            .ids()
            .all(|other| other == var || !self.dependence.overlaps(var, other));
        let is_plain = is_array
            && !variable.optional
            && variable.allocation == Allocation::Fixed
            && stands_alone
            && !changes_unseen(self.module, procedure, var)
            && !self.memory.is_mirrored(var);
        let may = |l: StmtId| {
            self.frame_of(l).is_none()
                && self
                    .fused
                    .is_none_or(|f| f != l && !self.tree.contains(l, f))
                && matches!(procedure.stmt(l), Stmt::Loop { .. })
                && !self
                    .decisions
                    .frames()
                    .any(|f| f == l || self.tree.contains(l, f))
        };
        is_plain
            && may(l)
            && self.region(Some(l)).into_iter().all(|stmt| {
                let writes = self.effects[stmt].writes.iter().any(|w| w.var == var);
                !writes || matches!(procedure.stmt(stmt), Stmt::Assign { .. })
            })
    }

    /// The loop at whose start the used variable is kept, if the use is in it.
    pub(super) fn whole_around(&self, whole: &Whole, stmt: StmtId, var: VarId) -> Option<StmtId> {
        whole
            .iter()
            .find(|&&(l, v)| v == var && l != stmt && self.tree.contains(l, stmt))
            .map(|&(l, _)| l)
    }

    /// Whether a use in the loop may see what the loop wrote: what was there at its start is not it.
    fn is_written_before(&self, l: StmtId, used: &Use) -> bool {
        used.after
            || self.region(Some(l)).into_iter().any(|writer| {
                let writes = self.effects[writer].writes.iter();
                writes
                    .filter(|write| write.var == used.access.var)
                    .any(|write| self.dependence.may_reach(writer, write, used, l))
            })
    }

    /// Those that some use forbids.
    pub(super) fn spoilt_whole(
        &self,
        whole: &Whole,
        uses: &[Use],
        control: &[Use],
    ) -> Vec<(StmtId, VarId)> {
        let in_the_loop = |l: StmtId, used: &Use| l == used.at || self.tree.contains(l, used.at);
        whole
            .iter()
            .copied()
            .filter(|&(l, var)| {
                uses.iter()
                    .chain(control)
                    .filter(|used| used.access.var == var && in_the_loop(l, used))
                    .any(|used| self.is_written_before(l, used))
            })
            .collect()
    }
}
