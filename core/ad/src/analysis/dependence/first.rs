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
//! So of all uses only those matter that stand between the statement that holds `k` beside `w` and the end
//! of the outermost loop around `w` that does not hold `k`, and those at the statements around `w`: every
//! other one that `w` comes after, in the text or in an iteration of a loop around both, `k` comes after
//! too. In long code that leaves a few.

use std::collections::BTreeMap;

use contraflow_ir::{Access, StmtId, VarId};

use super::{Before, Dependence, Order, TextOrder, USE, Use, is_closed};
use contraflow_ir::affine::System;

/// How many writes before one are asked whether they write ahead of it.
pub(super) const ASKED: usize = 32;

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
        let spoils = |used: &Use, earlier: &[StmtId]| {
            self.may_spoil_first(used, (writer, write), earlier, frame)
        };
        let mut variables = uses.of.keys().copied();
        let all = |var: VarId| uses.between(var, 0, u32::MAX);
        let is_named_otherwise = |var: VarId| var != write.var && self.overlaps(var, write.var);
        if variables.any(|var| is_named_otherwise(var) && all(var).any(|used| spoils(used, &[]))) {
            return true;
        }
        let place = self.tree.extent(writer).map(|[place, _]| place);
        let Some(place) = place.filter(|_| !self.moving.contains(write.var.index())) else {
            return all(write.var).any(|used| spoils(used, &[]));
        };
        let place_of = |stmt: StmtId| self.tree.extent(stmt).map_or(u32::MAX, |[first, _]| first);
        let before = &others[..others.partition_point(|&(other, _)| place_of(other) < place)];
        let before = &before[before.len().saturating_sub(ASKED)..];
        let is_ahead = |(other, access): &(StmtId, &Access)| {
            access.var == write.var && self.writes_ahead((*other, access), (writer, write), frame)
        };
        let fixed = self.fixed_loops(frame);
        let own = self.own_loops(writer, &fixed);
        let end_of = |l: Option<StmtId>| match l.map(|l| self.tree.extent(l)) {
            Some(extent) => extent.map_or(u32::MAX, |[_, last]| last),
            None => place,
        };
        // What has no place in the text counts for all.
        let nowhere = uses.between(write.var, u32::MAX, u32::MAX);
        let Some(position) = before.iter().rposition(is_ahead) else {
            // The nearest use before is the one that is most often spoilt.
            let after = uses.between(write.var, place + 1, end_of(own.first().copied()));
            return uses
                .between(write.var, 0, place)
                .rev()
                .chain(after)
                .chain(nowhere)
                .any(|used| spoils(used, &[]));
        };
        let ahead = before[position].0;
        let (shared, _) = self.divergence(writer, ahead, &fixed);
        let end = end_of(own.into_iter().find(|l| !shared.contains(l)));
        let from = place_of(self.beside(ahead, writer));
        let others = before[..position].iter();
        let others = others.filter(|other| place_of(other.0) >= from && is_ahead(other));
        let earlier: Vec<StmtId> = others.map(|other| other.0).chain([ahead]).collect();
        let around = self.tree.owners(writer).into_iter();
        let around = around.map(place_of).filter(|&place| place < from);
        around
            .flat_map(|place| uses.between(write.var, place, place))
            .chain(uses.between(write.var, from, end).rev())
            .chain(nowhere)
            .any(|used| spoils(used, &earlier))
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
    /// the point of the use, the assignments in `earlier` writing ahead of it.
    fn may_spoil_first(
        &self,
        used: &Use,
        (writer, write): (StmtId, &Access),
        earlier: &[StmtId],
        frame: Option<StmtId>,
    ) -> bool {
        if earlier.is_empty() || used.access.var != write.var {
            return self.may_spoil(used, writer, write, frame);
        }
        self.orders(used, writer, self.fixed_loops(frame))
            .iter()
            .filter(|order| {
                let mut earlier = earlier.iter();
                !earlier.any(|&other| self.lies_between(other, used, writer, order, frame))
            })
            .any(|order| self.may_touch(used, writer, write, order))
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
