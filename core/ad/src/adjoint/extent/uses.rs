//! Which elements of an array a procedure and its callees use, along one dimension: the range that its
//! memory has at least, or that memory for it must have.

use contraflow_ir::{
    Access, Argument, BinaryOp, Builder, Callee, Expr, ExprId, Intrinsic, Procedure, Stmt, StmtId,
    VarId,
};

use super::forms::{form_of, range_between};
use super::{End, Extents, FAR, Need, Range};
use crate::adjoint::split;
use crate::analysis::Tree;

/// A condition known at entry, and whether it must hold.
type Condition = (ExprId, bool);

/// A statement that decides whether something happens, and in which of its blocks it does.
type Doubt = (StmtId, u32);

/// One use of an array along one dimension.
struct Usage {
    low: ExprId,
    high: ExprId,
    loops: Vec<StmtId>,
    /// Conditions under which it happens.
    conditions: Vec<Condition>,
    /// What else decides whether it happens, outermost first.
    doubts: Vec<Doubt>,
    is_write: bool,
}

/// A range of subscripts, first and last, and the condition under which there is one.
type Conditional = (Option<ExprId>, ExprId, ExprId);

/// How a callee uses an array.
struct UseByCallee {
    /// The subscripts in the caller's array, first and last.
    range: (ExprId, ExprId),
    /// Unless it does not touch the array at all.
    condition: Option<ExprId>,
    is_write: bool,
}

impl Usage {
    fn is_certain(&self) -> bool {
        self.doubts.is_empty()
    }
}

/// The block of a doubt that nothing resolves.
const FOR_GOOD: u32 = u32::MAX;

/// Adds the uses that happen whichever block of an `If` is taken, as the same elements are used in
/// both.
fn add_common(out: &Procedure, uses: &mut Vec<Usage>) {
    let mut next = 0;
    while next < uses.len() {
        let one = &uses[next];
        let common = one.doubts.split_last().and_then(|(&(stmt, arm), outer)| {
            let is_partner = |other: &Usage| {
                other.doubts.split_last() == Some((&(stmt, 1 - arm.min(1)), outer))
                    && other.is_write == one.is_write
                    && other.loops == one.loops
                    && other.conditions == one.conditions
                    && out.same_expr(other.low, one.low)
                    && out.same_expr(other.high, one.high)
            };
            (arm == 0 && uses.iter().any(is_partner)).then(|| Usage {
                low: one.low,
                high: one.high,
                loops: one.loops.clone(),
                conditions: one.conditions.clone(),
                doubts: outer.to_vec(),
                is_write: one.is_write,
            })
        });
        uses.extend(common);
        next += 1;
    }
}

/// An access of an array by a statement.
struct Found {
    access: Access,
    is_guarded: bool,
    is_write: bool,
}

/// The accesses of an array by a statement, but for those of callees that it is passed to.
fn accesses_of(out: &Procedure, stmt: StmtId, var: VarId) -> Vec<Found> {
    let mut found = Vec::new();
    for root in out.stmt(stmt).expressions() {
        reads_of(out, root, false, var, &mut found);
    }
    let mut write = |access: &Access| {
        if access.var == var {
            found.push(Found {
                access: access.clone(),
                is_guarded: false,
                is_write: true,
            });
        }
    };
    match out.stmt(stmt) {
        Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => write(target),
        Stmt::Call { result, .. } => result.iter().for_each(write),
        Stmt::Opaque { writes, .. } => writes.iter().for_each(write),
        _ => {}
    }
    found
}

/// Where a call passes an array, or a part of it.
fn passed_in(out: &Procedure, stmt: StmtId, var: VarId) -> Vec<(usize, Access)> {
    let Stmt::Call { arguments, .. } = out.stmt(stmt) else {
        return Vec::new();
    };
    arguments
        .iter()
        .enumerate()
        .filter_map(|(position, argument)| match argument {
            Argument::Place(place) if place.var == var => Some((position, place.clone())),
            _ => None,
        })
        .collect()
}

fn reads_of(out: &Procedure, e: ExprId, is_guarded: bool, var: VarId, found: &mut Vec<Found>) {
    let mut push = |access: &Access| {
        if access.var == var {
            found.push(Found {
                access: access.clone(),
                is_guarded,
                is_write: false,
            });
        }
    };
    match out.expr(e) {
        Expr::Load(access) => push(access),
        Expr::Opaque { reads, .. } => reads.iter().for_each(push),
        _ => {}
    }
    for (position, child) in out.expr(e).children().into_iter().enumerate() {
        let may_be_skipped = position > 0
            && matches!(
                out.expr(e),
                Expr::Select { .. }
                    | Expr::Binary(
                        BinaryOp::AndThen | BinaryOp::OrElse | BinaryOp::And | BinaryOp::Or,
                        ..
                    )
            );
        reads_of(out, child, is_guarded || may_be_skipped, var, found);
    }
}

/// Whether a statement does what it does only where an optional argument is there: what the argument
/// holds matters there only.
fn is_presence_test(out: &Procedure, stmt: StmtId, var: VarId) -> bool {
    let Stmt::If {
        condition,
        otherwise,
        ..
    } = out.stmt(stmt)
    else {
        return false;
    };
    matches!(out.expr(*condition), Expr::Present(access) if *access == Access::whole(var))
        && otherwise.is_empty()
}

impl Extents<'_, '_> {
    /// The range of subscripts with which a variable is used along one dimension: the union of the
    /// ranges of its uses.
    ///
    /// For the user's memory a use counts only if it certainly happens: the conditions that it stands
    /// under hold, and the loops around it are not empty, which is asked at entry. A write under another
    /// condition must lie within a use of the same loops that does not; else nothing is known.
    pub(super) fn used_range(
        &self,
        out: &mut Procedure,
        var: VarId,
        dim: usize,
        need: Need,
    ) -> Option<Range> {
        let uses = self.uses(out, var, dim, need)?;
        if need == Need::Own {
            let (mut lows, mut highs) = (Vec::new(), Vec::new());
            for one in uses {
                push_distinct(out, &mut lows, one.low);
                push_distinct(out, &mut highs, one.high);
            }
            let low = combine(out, Intrinsic::Min, lows)?;
            let high = combine(out, Intrinsic::Max, highs)?;
            return Some(range_between(out, low, high));
        }
        let mut uses = uses;
        add_common(out, &mut uses);
        let (certain, doubtful): (Vec<Usage>, Vec<Usage>) =
            uses.into_iter().partition(Usage::is_certain);
        let is_covered = |one: &Usage| {
            certain.iter().any(|other| {
                other.loops.iter().all(|l| one.loops.contains(l))
                    && other
                        .conditions
                        .iter()
                        .all(|it| one.conditions.contains(it))
                    && self.is_at_most(out, other.low, one.low)
                    && self.is_at_most(out, one.high, other.high)
            })
        };
        if doubtful.iter().any(|one| one.is_write && !is_covered(one)) {
            return None;
        }
        // Uses under the same conditions make one range.
        let mut groups: Vec<(Option<ExprId>, Vec<ExprId>, Vec<ExprId>)> = Vec::new();
        for one in certain {
            let mut runs = self.runs(out, &one.loops)?;
            for (condition, holds) in one.conditions {
                let mut b = Builder::new(out);
                let condition = if holds { condition } else { b.not(condition) };
                runs = Some(match runs {
                    None => condition,
                    Some(others) => b.and(condition, others),
                });
            }
            let same = |other: Option<ExprId>| match (other, runs) {
                (Some(a), Some(b)) => out.same_expr(a, b),
                (None, None) => true,
                _ => false,
            };
            let at = groups.iter().position(|&(other, ..)| same(other));
            let at = at.unwrap_or_else(|| {
                groups.push((runs, Vec::new(), Vec::new()));
                groups.len() - 1
            });
            push_distinct(out, &mut groups[at].1, one.low);
            push_distinct(out, &mut groups[at].2, one.high);
        }
        let mut ranges = Vec::new();
        for (runs, lows, highs) in groups {
            let low = combine(out, Intrinsic::Min, lows)?;
            let high = combine(out, Intrinsic::Max, highs)?;
            ranges.push((runs, low, high));
        }
        let ranges = self.without_covered(out, ranges);
        if let [(runs, low, high)] = ranges[..] {
            let range = range_between(out, low, high);
            return Some(match runs {
                Some(runs) if !is_empty_unless(out, runs, low, high) => {
                    let ty = out.exprs[range.count].ty;
                    let mut b = Builder::new(out);
                    let none = b.int_of(0, ty);
                    let count = b.select(runs, range.count, none);
                    Range { count, ..range }
                }
                _ => range,
            });
        }
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for (runs, low, high) in ranges {
            let (low, high) = match runs {
                None => (low, high),
                Some(runs) => {
                    let ty = out.exprs[low].ty;
                    let mut b = Builder::new(out);
                    let far = b.int_of(FAR, ty);
                    let near = b.int_of(-FAR, ty);
                    (b.select(runs, low, far), b.select(runs, high, near))
                }
            };
            push_distinct(out, &mut lows, low);
            push_distinct(out, &mut highs, high);
        }
        let low = combine(out, Intrinsic::Min, lows)?;
        let high = combine(out, Intrinsic::Max, highs)?;
        Some(range_between(out, low, high))
    }

    /// Ranges without those that lie in another one, which is empty where its condition does not hold.
    fn without_covered(&self, out: &Procedure, ranges: Vec<Conditional>) -> Vec<Conditional> {
        let covers = |&(runs, low, high): &Conditional, other: &Conditional| {
            runs.is_none_or(|runs| is_empty_unless(out, runs, low, high))
                && self.is_at_most(out, low, other.1)
                && self.is_at_most(out, other.2, high)
        };
        let mut kept: Vec<Conditional> = Vec::new();
        for one in ranges {
            if kept.iter().any(|other| covers(other, &one)) {
                continue;
            }
            kept.retain(|other| !covers(&one, other));
            kept.push(one);
        }
        kept
    }

    /// All uses of a variable along one dimension; `None` where one has no extreme.
    fn uses(&self, out: &mut Procedure, var: VarId, dim: usize, need: Need) -> Option<Vec<Usage>> {
        let tree = Tree::of(out);
        let mut uses: Vec<Usage> = Vec::new();
        for stmt in out.all_statements() {
            let (conditions, doubts) = self.conditions(out, &tree, stmt, var);
            let loops = tree.loops(stmt);
            let mut add = |out: &mut Procedure, (low, high), condition, is_guarded, is_write| {
                let low = self.subscript_extreme(out, low, &loops, End::Low)?;
                let high = self.subscript_extreme(out, high, &loops, End::High)?;
                uses.push(Usage {
                    low,
                    high,
                    loops: loops.clone(),
                    conditions: conditions
                        .iter()
                        .copied()
                        .chain(Option::map(condition, |condition| (condition, true)))
                        .collect(),
                    doubts: match is_guarded {
                        true => vec![(stmt, FOR_GOOD)],
                        false => doubts.clone(),
                    },
                    is_write,
                });
                Some(())
            };
            for found in accesses_of(out, stmt, var) {
                let subscript = *found.access.subscripts()?.get(dim)?;
                let range = (subscript, subscript);
                add(out, range, None, found.is_guarded, found.is_write)?;
            }
            if !out.variables[var].is_array() {
                continue;
            }
            for (position, place) in passed_in(out, stmt, var) {
                let used = self.used_by_callee(out, stmt, position, &place, need)?;
                add(out, used.range, used.condition, false, used.is_write)?;
            }
        }
        Some(uses)
    }

    /// How a callee uses the array that it is passed from `place` on.
    fn used_by_callee(
        &self,
        out: &mut Procedure,
        stmt: StmtId,
        position: usize,
        place: &Access,
        need: Need,
    ) -> Option<UseByCallee> {
        let Stmt::Call {
            callee: Callee::Procedure(callee),
            arguments,
            ..
        } = out.stmt(stmt).clone()
        else {
            return None;
        };
        let start = match place.subscripts()? {
            [] => out.variables[place.var].shape.first()?.lower,
            &[start] => start,
            _ => return None,
        };
        if out.variables[place.var].rank() != 1 {
            return None;
        }
        let tree = Tree::of(self.dependence.procedure_of(callee));
        let dependence = self.dependence.of_callee(callee, &tree)?;
        let mut body = self.dependence.procedure_of(callee).clone();
        let formal = *body.arguments.get(position)?;
        if body.variables[formal].rank() != 1 {
            return None;
        }
        let extents = Extents {
            dependence: &dependence,
        };
        let [range] = extents.ranges(&mut body, formal, need)?[..] else {
            return None;
        };
        let first = body.variables[formal].shape[0].lower;
        let actual = split::actual_values(out, &body, &arguments);
        let mut inserted = |e| split::substitute(out, &body, e, &actual);
        let (first, low, count) = (
            inserted(first)?,
            inserted(range.lower)?,
            inserted(range.count)?,
        );
        let (condition, count) = match *out.expr(count) {
            Expr::Select {
                condition,
                then,
                otherwise,
            } if matches!(out.expr(otherwise), Expr::Integer(0)) => {
                if !self.is_fixed(out, condition) {
                    return None;
                }
                (Some(condition), then)
            }
            _ => (None, count),
        };
        let ty = out.exprs[start].ty;
        let mut b = Builder::new(out);
        let [first, low, count] = [first, low, count].map(|e| b.convert(e, ty));
        let offset = b.sub(low, first);
        let low = b.add(start, offset);
        let one = b.int_of(1, ty);
        let end = b.add(low, count);
        let high = b.sub(end, one);
        Some(UseByCallee {
            range: (low, high),
            condition,
            is_write: dependence.may_write(position),
        })
    }

    /// The conditions around a statement: those known at entry, and the others. That an optional
    /// argument is there is none for the argument itself.
    fn conditions(
        &self,
        out: &Procedure,
        tree: &Tree,
        stmt: StmtId,
        var: VarId,
    ) -> (Vec<Condition>, Vec<Doubt>) {
        let (mut known, mut doubts) = (Vec::new(), Vec::new());
        for step in tree.path(stmt) {
            let Some(owner) = step.owner else { continue };
            match out.stmt(owner) {
                Stmt::Loop { .. } | Stmt::Region { .. } => {}
                Stmt::If { .. }
                    if out.variables[var].optional && is_presence_test(out, owner, var) => {}
                Stmt::If { condition, .. } if self.is_fixed(out, *condition) => {
                    known.push((*condition, step.arm == 0));
                }
                Stmt::If { .. } => doubts.push((owner, step.arm)),
                _ => doubts.push((owner, FOR_GOOD)),
            }
        }
        (known, doubts)
    }

    /// A condition under which no loop of a nest is empty; `Some(None)` where none can be or where
    /// an empty one gives an empty range anyway, `None` where that cannot be told at entry.
    fn runs(&self, out: &mut Procedure, loops: &[StmtId]) -> Option<Option<ExprId>> {
        let mut all: Option<ExprId> = None;
        for (depth, &l) in loops.iter().enumerate() {
            let Stmt::Loop {
                lower, upper, step, ..
            } = *out.stmt(l)
            else {
                return None;
            };
            let forwards = Builder::new(out).integer_value(step)? > 0;
            let outer = &loops[..depth];
            // The iteration at which the range is widest must not be empty.
            let (from, to) = if forwards {
                (lower, upper)
            } else {
                (upper, lower)
            };
            let from = self.extreme(out, from, outer, End::Low)?;
            let to = self.extreme(out, to, outer, End::High)?;
            if self.is_at_most(out, from, to) {
                continue;
            }
            let mut b = Builder::new(out);
            let ty = b.type_of(from);
            let to = b.convert(to, ty);
            let runs = b.compare(BinaryOp::LessEqual, from, to);
            all = Some(match all {
                None => runs,
                Some(others) => b.and(others, runs),
            });
        }
        Some(all)
    }
}

fn push_distinct(out: &Procedure, list: &mut Vec<ExprId>, e: ExprId) {
    if !list.iter().any(|&other| out.same_expr(other, e)) {
        list.push(e);
    }
}

/// Whether `runs` is `a <= b` with as many numbers between as `low..high` has: where it does not hold,
/// the range is empty anyway.
fn is_empty_unless(out: &Procedure, runs: ExprId, low: ExprId, high: ExprId) -> bool {
    let Expr::Binary(BinaryOp::LessEqual, a, b) = *out.expr(runs) else {
        return false;
    };
    let distance = |from, to| form_of(out, to)?.sub(&form_of(out, from)?);
    distance(a, b).is_some_and(|it| distance(low, high) == Some(it))
}

/// The smallest or the largest of several numbers, those left out that others are known to exceed.
fn combine(out: &mut Procedure, f: Intrinsic, list: Vec<ExprId>) -> Option<ExprId> {
    let form = |e| form_of(out, e);
    let mut kept: Vec<ExprId> = Vec::new();
    'next: for e in list {
        for other in &mut kept {
            let distance = form(e).and_then(|e| e.sub(&form(*other)?)?.as_constant());
            if let Some(distance) = distance {
                if (distance < 0) == (f == Intrinsic::Min) {
                    *other = e;
                }
                continue 'next;
            }
        }
        kept.push(e);
    }
    let list = kept;
    match list.as_slice() {
        [] => None,
        [one] => Some(*one),
        _ => {
            let mut b = Builder::new(out);
            let ty = b.type_of(list[0]);
            let list = list.into_iter().map(|e| b.convert(e, ty)).collect();
            Some(b.expr(Expr::Intrinsic(f, list), ty))
        }
    }
}
