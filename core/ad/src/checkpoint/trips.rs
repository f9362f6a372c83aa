//! How often loops run at most whose trips nobody knows at entry, because they may be left early:
//!
//! ```text
//! i = first
//! while i <= last and not leave and …          at most (last - first)/step + 1 trips
//! ```
//!
//! where each way through the body moves `i` on by a `step`, or sets a flag that ends the loop. These are
//! estimates for plans: what runs with a memory limit watches over it itself.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Argument, BinaryOp, Builder, Expr, ExprId, Intrinsic, Procedure, Stmt, StmtId, Type,
    UnaryOp, VarId,
};

use super::sizes::Known;

/// How often a loop runs of which nobody says more, where memory is limited.
pub const MANY: f64 = 1e6;

/// The most trips of a `while` loop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Most {
    /// What its counter starts from.
    first: ExprId,
    /// What it is compared with.
    last: ExprId,
    /// By how much it moves at least.
    step: i128,
    /// Whether it stays short of `last`.
    is_short: bool,
}

impl Most {
    /// As far as sizes are known.
    pub fn guess(
        &self,
        procedure: &Procedure,
        known: &Known<'_>,
        loops: &BTreeMap<VarId, f64>,
    ) -> f64 {
        let at = |e: ExprId| known.guess(procedure, e, loops);
        let way = (at(self.last) - at(self.first)) / self.step as f64;
        let short = f64::from(u8::from(self.is_short)) / (self.step.abs() as f64);
        ((way - short).floor() + 1.0).max(0.0)
    }

    /// As an expression of `p`, into which `into` takes expressions of the loop's procedure.
    pub fn expression(
        &self,
        p: &mut Procedure,
        into: &mut dyn FnMut(&mut Procedure, ExprId) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let (first, last) = (into(p, self.first)?, into(p, self.last)?);
        let mut b = Builder::new(p);
        let [first, last] = [first, last].map(|e| b.convert(e, Type::LONG));
        let way = match self.step > 0 {
            true => b.sub(last, first),
            false => b.sub(first, last),
        };
        let extra = self.step.abs() - i128::from(self.is_short);
        let (extra, step) = (
            b.int_of(extra, Type::LONG),
            b.int_of(self.step.abs(), Type::LONG),
        );
        let way = b.add(way, extra);
        let trips = b.exact_binary(BinaryOp::Divide, way, step);
        let none = b.int_of(0, Type::LONG);
        Some(b.call(Intrinsic::Max, vec![trips, none]))
    }
}

/// Those `while` loops of a procedure that run no more often than some count.
pub fn bounded(procedure: &Procedure) -> BTreeMap<StmtId, Most> {
    let mut found = BTreeMap::new();
    in_block(procedure, &procedure.body, &mut found);
    found
}

fn in_block(procedure: &Procedure, block: &[StmtId], found: &mut BTreeMap<StmtId, Most>) {
    for (at, &stmt) in block.iter().enumerate() {
        if let Stmt::While {
            condition, body, ..
        } = procedure.stmt(stmt)
            && let Some(most) = most(procedure, *condition, body, &block[..at])
        {
            found.insert(stmt, most);
        }
        for inner in procedure.stmt(stmt).blocks() {
            in_block(procedure, inner, found);
        }
    }
}

fn most(
    procedure: &Procedure,
    condition: ExprId,
    body: &[StmtId],
    before: &[StmtId],
) -> Option<Most> {
    let mut parts = Vec::new();
    conjuncts(procedure, condition, &mut parts);
    let flags: Vec<VarId> = parts
        .iter()
        .filter_map(|&part| negated(procedure, part))
        .filter(|&flag| is_only_raised(procedure, body, flag))
        .collect();
    let counted = |&part: &ExprId| {
        let (counter, last, is_up, is_short) = compared(procedure, part)?;
        let step = step_of(procedure, body, counter, &flags)?;
        let is_same = |e: ExprId| {
            let reads = procedure.reads_of_expr(e);
            reads
                .iter()
                .all(|read| !writes(procedure, body, read.var) && read.var != counter)
        };
        let first = start(procedure, before, counter)?;
        ((step > 0) == is_up && is_same(last)).then_some(Most {
            first,
            last,
            step,
            is_short,
        })
    };
    parts.iter().find_map(counted)
}

fn conjuncts(procedure: &Procedure, e: ExprId, parts: &mut Vec<ExprId>) {
    match *procedure.expr(e) {
        Expr::Binary(BinaryOp::And, a, b) => {
            conjuncts(procedure, a, parts);
            conjuncts(procedure, b, parts);
        }
        _ => parts.push(e),
    }
}

/// The variable of `not flag`.
fn negated(procedure: &Procedure, e: ExprId) -> Option<VarId> {
    match *procedure.expr(e) {
        Expr::Unary(UnaryOp::Not, flag) => whole(procedure, flag),
        _ => None,
    }
}

fn whole(procedure: &Procedure, e: ExprId) -> Option<VarId> {
    match procedure.expr(e) {
        Expr::Load(access) if access.path.is_empty() => Some(access.var),
        Expr::Convert(inner) => whole(procedure, *inner),
        _ => None,
    }
}

/// `counter <= last` and the like: the counter, the other side, whether it counts up to that, and whether
/// it stays short of it.
fn compared(procedure: &Procedure, e: ExprId) -> Option<(VarId, ExprId, bool, bool)> {
    let Expr::Binary(relation, a, b) = *procedure.expr(e) else {
        return None;
    };
    let (is_below, is_short) = match relation {
        BinaryOp::Less => (true, true),
        BinaryOp::LessEqual => (true, false),
        BinaryOp::Greater => (false, true),
        BinaryOp::GreaterEqual => (false, false),
        _ => return None,
    };
    let counter = |e: ExprId| {
        let var = whole(procedure, e)?;
        procedure.variables[var].ty.is_integer().then_some(var)
    };
    match (counter(a), counter(b)) {
        (Some(counter), None) => Some((counter, b, is_below, is_short)),
        (None, Some(counter)) => Some((counter, a, !is_below, is_short)),
        // Of two variables the one that moves.
        (Some(one), Some(other)) => match has_step(procedure, one) {
            true => Some((one, b, is_below, is_short)),
            false => Some((other, a, !is_below, is_short)),
        },
        (None, None) => None,
    }
}

fn has_step(procedure: &Procedure, var: VarId) -> bool {
    let all = procedure.all_statements();
    all.into_iter()
        .any(|stmt| moved(procedure, stmt, var).is_some())
}

/// The literal by which a statement moves a variable.
fn moved(procedure: &Procedure, stmt: StmtId, var: VarId) -> Option<i128> {
    let Stmt::Assign { target, value } = procedure.stmt(stmt) else {
        return None;
    };
    if *target != Access::whole(var) {
        return None;
    }
    let literal = |e: ExprId| match *procedure.expr(e) {
        Expr::Integer(value) => Some(value),
        _ => None,
    };
    let is_itself = |e: ExprId| whole(procedure, e) == Some(var);
    match *procedure.expr(*value) {
        Expr::Binary(BinaryOp::Add, a, b) if is_itself(a) => literal(b),
        Expr::Binary(BinaryOp::Add, a, b) if is_itself(b) => literal(a),
        Expr::Binary(BinaryOp::Subtract, a, b) if is_itself(a) => Some(-literal(b)?),
        _ => None,
    }
    .filter(|&step| step != 0)
}

/// The least step of a counter that only literal steps of one sign move, where each way through the body
/// takes one or raises one of the flags.
fn step_of(
    procedure: &Procedure,
    body: &[StmtId],
    counter: VarId,
    flags: &[VarId],
) -> Option<i128> {
    let mut steps = Vec::new();
    let mut is_plain = true;
    procedure.walk_block(body, &mut |stmt| {
        if written(procedure.stmt(stmt)).contains(&counter) {
            match moved(procedure, stmt, counter) {
                Some(step) => steps.push(step),
                None => is_plain = false,
            }
        }
    });
    let least = steps.iter().copied().min_by_key(|step| step.abs())?;
    let is_one_way = steps.iter().all(|step| (*step > 0) == (least > 0));
    let gets_on = |stmt: StmtId| {
        moved(procedure, stmt, counter).is_some()
            || flags.iter().any(|&flag| raises(procedure, stmt, flag))
    };
    (is_plain && is_one_way && always(procedure, body, &gets_on)).then_some(least)
}

/// Whether each way through a block comes by a statement for which `wanted` holds.
fn always(procedure: &Procedure, block: &[StmtId], wanted: &dyn Fn(StmtId) -> bool) -> bool {
    block.iter().any(|&stmt| {
        wanted(stmt)
            || match procedure.stmt(stmt) {
                Stmt::If {
                    then, otherwise, ..
                } => always(procedure, then, wanted) && always(procedure, otherwise, wanted),
                Stmt::Region { body, .. } => always(procedure, body, wanted),
                _ => false,
            }
    })
}

/// `flag = true`
fn raises(procedure: &Procedure, stmt: StmtId, flag: VarId) -> bool {
    matches!(procedure.stmt(stmt), Stmt::Assign { target, value }
        if *target == Access::whole(flag) && *procedure.expr(*value) == Expr::Logical(true))
}

fn is_only_raised(procedure: &Procedure, body: &[StmtId], flag: VarId) -> bool {
    let mut only = true;
    procedure.walk_block(body, &mut |stmt| {
        only &= !written(procedure.stmt(stmt)).contains(&flag) || raises(procedure, stmt, flag);
    });
    only
}

/// What a counter holds before a loop: the last assignment before it in the same block.
fn start(procedure: &Procedure, before: &[StmtId], counter: VarId) -> Option<ExprId> {
    let at = before
        .iter()
        .rposition(|&stmt| writes(procedure, &[stmt], counter))?;
    match procedure.stmt(before[at]) {
        Stmt::Assign { target, value } if *target == Access::whole(counter) => {
            let reads = procedure.reads_of_expr(*value);
            let is_same = |read: &&Access| !writes(procedure, &before[at..], read.var);
            reads.iter().all(is_same).then_some(*value)
        }
        _ => None,
    }
}

fn writes(procedure: &Procedure, block: &[StmtId], var: VarId) -> bool {
    let mut found = false;
    procedure.walk_block(block, &mut |stmt| {
        found |= written(procedure.stmt(stmt)).contains(&var);
    });
    found
}

/// The variables that a statement itself may write, as far as its text says.
fn written(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Assign { target, .. }
        | Stmt::Fill { target, .. }
        | Stmt::Copy { target, .. }
        | Stmt::Pop { target, .. }
        | Stmt::Allocate { target, .. }
        | Stmt::Free { target }
        | Stmt::PointerAssign { target, .. } => vec![target.var],
        Stmt::Call {
            arguments, result, ..
        } => {
            let places = arguments.iter().filter_map(|argument| match argument {
                Argument::Place(place) => Some(place.var),
                _ => None,
            });
            places
                .chain(result.iter().map(|result| result.var))
                .collect()
        }
        Stmt::Loop { variable, .. } => vec![*variable],
        Stmt::Opaque { writes, .. } => writes.iter().map(|write| write.var).collect(),
        _ => Vec::new(),
    }
}
