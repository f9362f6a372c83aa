//! Whether a write is the first one to change a value after it was used.
//!
//! Only the first write has to save it: going back, what later writes changed is changed again by
//! putting back what the first one found. A write `w` is not the first for a use `u` if, whenever it runs
//! after `u` on the same element, another write `k` (the *earlier* one) runs in between on that element.
//! Here `k` stands before `w` in the text, and writes in the same iteration of all common loops what `w`
//! will write. Then `k` lies between `u` and `w`
//!
//! * where `u` is in an earlier iteration of one of these loops, and
//! * where `u` stands before `k` in the text and shares no other loop with it.
//!
//! So of all uses only those matter that stand between such a `k` and `w`, loops that hold one of them
//! included, and those around `w`: what comes before is parted from `w` by `k`, what comes after is not
//! changed by `w` any more. In long straight code that leaves a few.

use std::collections::BTreeMap;

use contraflow_ir::{Access, StmtId, VarId};

use super::{Before, Dependence, Order, TextOrder, USE, Use, is_closed};
use contraflow_ir::affine::System;

/// How many writes before one are asked whether they write ahead of it.
const ASKED: usize = 32;

/// Uses in the order of the text, variable by variable.
pub struct UsesInOrder<'u> {
    of: BTreeMap<VarId, Vec<(u32, &'u Use)>>,
}

impl<'u> UsesInOrder<'u> {
    /// Sorts uses. Those at statements that are not in the body come last.
    pub fn of(dependence: &Dependence<'_>, uses: impl Iterator<Item = &'u Use>) -> Self {
        let mut of: BTreeMap<VarId, Vec<(u32, &Use)>> = BTreeMap::new();
        for used in uses {
            let place = dependence.tree.extent(used.at);
            let place = place.map_or(u32::MAX, |[first, _]| first);
            of.entry(used.access.var).or_default().push((place, used));
        }
        for uses in of.values_mut() {
            uses.sort_by_key(|&(place, _)| place);
        }
        Self { of }
    }

    /// The uses of a variable from one place to another.
    fn between(
        &self,
        var: VarId,
        from: u32,
        to: u32,
    ) -> impl DoubleEndedIterator<Item = &'u Use> + '_ {
        let uses = self.of.get(&var).map_or(&[][..], Vec::as_slice);
        let start = uses.partition_point(|&(place, _)| place < from);
        let end = uses.partition_point(|&(place, _)| place <= to);
        uses[start..end.max(start)].iter().map(|&(_, used)| used)
    }
}

impl Dependence<'_> {
    /// [`Dependence::may_spoil_first`] of some of many uses; `others` in the order of the text.
    pub fn may_spoil_some_first(
        &self,
        uses: &UsesInOrder<'_>,
        (writer, write): (StmtId, &Access),
        others: &[(StmtId, &Access)],
        frame: Option<StmtId>,
    ) -> bool {
        let spoils = |used: &Use, others: &[(StmtId, &Access)]| {
            self.may_spoil_first(used, (writer, write), others, frame)
        };
        let mut variables = uses.of.keys().copied();
        let is_named_otherwise = |var: VarId| var != write.var && self.overlaps(var, write.var);
        if variables.any(|var| {
            is_named_otherwise(var)
                && uses
                    .between(var, 0, u32::MAX)
                    .any(|used| spoils(used, others))
        }) {
            return true;
        }
        let all = || uses.between(write.var, 0, u32::MAX);
        let own = self.own_loops(writer, &self.fixed_loops(frame));
        let outermost = own.first().copied().unwrap_or(writer);
        let (Some([place, _]), Some([start, end])) =
            (self.tree.extent(writer), self.tree.extent(outermost))
        else {
            return all().any(|used| spoils(used, others));
        };
        if self.moving.contains(write.var.index()) {
            return all().any(|used| spoils(used, others));
        }
        let place_of = |stmt: StmtId| self.tree.extent(stmt).map_or(u32::MAX, |[first, _]| first);
        let before = &others[..others.partition_point(|&(other, _)| place_of(other) < place)];
        let ahead = before
            .iter()
            .rev()
            .take(ASKED)
            .find(|(other, access)| {
                access.var == write.var
                    && self.writes_ahead((*other, access), (writer, write), frame)
            })
            .map(|&(other, _)| place_of(self.beside(other, writer)));
        let from = ahead.map_or(0, |ahead| ahead.min(start));
        let near = &before[before.partition_point(|&(other, _)| place_of(other) < from)..];
        let around = self.tree.owners(writer).into_iter();
        let around = around.map(place_of).filter(|&place| place < from);
        // What has no place in the text counts for all.
        let nowhere = uses.between(write.var, u32::MAX, u32::MAX);
        // Before the outermost loop only writes after the use can part it from this one. The nearest use is
        // the one that is most often spoilt.
        let parts = |used: &Use| match self.tree.extent(used.at) {
            Some([place, last]) if last < start => {
                &near[near.partition_point(|&(other, _)| place_of(other) < place)..]
            }
            _ => near,
        };
        around
            .flat_map(|place| uses.between(write.var, place, place))
            .chain(uses.between(write.var, from, end).rev())
            .chain(nowhere)
            .any(|used| spoils(used, parts(used)))
    }

    /// The outermost statement that holds `stmt` and not `other`.
    fn beside(&self, stmt: StmtId, other: StmtId) -> StmtId {
        let mut outermost = stmt;
        while let Some(owner) = self.tree.owner(outermost) {
            if self.tree.contains(owner, other) {
                break;
            }
            outermost = owner;
        }
        outermost
    }

    /// Whether, in one run of `frame`, `write` at `writer` may be the first to change the used place after
    /// the point of the use, these assignments being run too.
    pub fn may_spoil_first(
        &self,
        used: &Use,
        (writer, write): (StmtId, &Access),
        others: &[(StmtId, &Access)],
        frame: Option<StmtId>,
    ) -> bool {
        if !self.may_spoil(used, writer, write, frame) {
            return false;
        }
        if used.access.var != write.var || self.moving.contains(write.var.index()) {
            return true;
        }
        let earlier: Vec<StmtId> = others
            .iter()
            .filter(|(other, access)| *other != writer && access.var == write.var)
            .filter(|other| self.writes_ahead(**other, (writer, write), frame))
            .map(|(other, _)| *other)
            .collect();
        let orders = self.orders(used, writer, self.fixed_loops(frame));
        orders
            .iter()
            .filter(|order| self.may_touch(used, writer, write, order))
            .any(|order| {
                !earlier
                    .iter()
                    .any(|&other| self.lies_between(other, used, writer, order, frame))
            })
    }

    /// Whether `first` writes, in the same iteration of all common loops, each element that `second` is
    /// about to write.
    fn writes_ahead(
        &self,
        (first, ahead): (StmtId, &Access),
        (second, write): (StmtId, &Access),
        frame: Option<StmtId>,
    ) -> bool {
        let fixed = self.fixed_loops(frame);
        let (common, text) = self.divergence(second, first, &fixed);
        if text != TextOrder::WriteEarlier || !self.runs_with(first, second) {
            return false;
        }
        if ahead.path.is_empty() && write.path.is_empty() {
            return self.own_loops(first, &fixed) == common;
        }
        let before = Before {
            equal: common,
            earlier: None,
        };
        let Some(gaps) = self.gaps((first, ahead), (second, write), &before, frame) else {
            return false;
        };
        let mut domain = System::new();
        let loops = self.tree.loops(second);
        self.add_domain(&mut domain, &loops, &fixed, USE);
        is_closed(&domain, &[gaps])
    }

    /// Whether the write at `first`, in the iteration in which it writes what `writer` does, comes after
    /// the use.
    fn lies_between(
        &self,
        first: StmtId,
        used: &Use,
        writer: StmtId,
        order: &Order,
        frame: Option<StmtId>,
    ) -> bool {
        let fixed = self.fixed_loops(frame);
        let (shared, _) = self.divergence(writer, first, &fixed);
        if let Some(l) = order.later {
            return shared.contains(&l);
        }
        if used.at == first {
            return !used.after && self.own_loops(first, &fixed) == shared;
        }
        let (common, text) = self.divergence(used.at, first, &fixed);
        text == TextOrder::WriteLater && common.iter().all(|l| shared.contains(l))
    }

    pub(super) fn own_loops(&self, stmt: StmtId, fixed: &[StmtId]) -> Vec<StmtId> {
        let mut loops = self.tree.loops(stmt);
        loops.retain(|l| !fixed.contains(l));
        loops
    }
}
