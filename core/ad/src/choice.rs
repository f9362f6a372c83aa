//! A memory limit without sizes: several plans, and a choice among them where the derivative is called.
//!
//! With `--memory` and sizes that nobody tells, plans are made for sizes of two magnitudes, for the limit
//! and for parts of what the fastest plan keeps. At most four stay, the one that keeps least and the fastest among them. The
//! derivative of the head computes at its entry what each would keep,
//!
//! ```text
//! bytes = Σ width · extents of its tapes + the largest such sum of the procedures that it calls
//! ```
//!
//! and calls the fastest that fits, as it was estimated for the larger sizes. Where none does, the
//! program ends and says how many bytes it needs. What grows counts by the most trips of its loops, or by
//! what is assumed of those that nobody knows; but not in the plan that keeps least, which watches over
//! that as it runs.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, BinaryOp, BoundKind, Builder, Callee, Expr, ExprId, ExprNode, Extent,
    Intrinsic, Module, Passing, Procedure, ProcedureId, ProcedureRole, Role, Stmt, StmtId, Storage,
    Type, VarId, Variable,
};

use crate::analysis::Effects;
use crate::checkpoint::measure::{Filled, Filling};
use crate::checkpoint::{Decisions, size_of};
use crate::naming;

/// Sizes for which plans are made, the same for all that is not told.
pub const LEVELS: &[f64] = &[64.0, 1024.0];

/// Parts of what the fastest plan keeps, for which plans are made besides the limit.
pub const PARTS: &[f64] = &[0.5, 0.25, 0.0625];

/// How many plans are written.
const MOST: usize = 4;

/// One way of planning a whole program.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Ways {
    /// Decisions for each derived procedure.
    pub decisions: Vec<Decisions>,
    /// How calls are reversed.
    pub calls: Calls,
}

/// How calls are reversed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Calls {
    /// By two sweeps apart, where keeping what crosses costs less than running the callee again.
    #[default]
    Cheapest,
    /// The callee is run again just before it is reversed, where it can be.
    Joint,
}

/// A plan weighed at each of the [`LEVELS`].
#[derive(Clone, Debug)]
pub struct Weighed {
    /// What is decided.
    pub ways: Ways,
    /// Bytes and time at each level.
    pub costs: Vec<(f64, f64)>,
}

/// At most four plans, the fastest first and that which keeps least last. A plan that another one
/// beats in time and memory at all levels is left out.
pub fn select(mut plans: Vec<Weighed>) -> Vec<Weighed> {
    let beats = |a: &Weighed, b: &Weighed| {
        let pairs = || a.costs.iter().zip(&b.costs);
        pairs().all(|(a, b)| a.0 <= b.0 && a.1 <= b.1)
            && pairs().any(|(a, b)| a.0 < b.0 || a.1 < b.1)
    };
    let all = plans.clone();
    plans.retain(|plan| !all.iter().any(|other| beats(other, plan)));
    let last = |plan: &Weighed| plan.costs.last().copied().unwrap_or_default();
    plans.sort_by(|a, b| {
        let ((a_bytes, a_time), (b_bytes, b_time)) = (last(a), last(b));
        a_time.total_cmp(&b_time).then(a_bytes.total_cmp(&b_bytes))
    });
    while plans.len() > MOST {
        // The one that saves the fewest bytes against the faster one before it.
        let ratio = |k: usize| last(&plans[k - 1]).0.max(1.0) / last(&plans[k]).0.max(1.0);
        let inner = 1..plans.len() - 1;
        let least = inner.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)));
        plans.remove(least.expect("invariant: more than two plans"));
    }
    plans
}

/// What is known of the program that is planned.
pub struct Entry<'a> {
    /// The program with the derived procedures of all plans.
    pub module: &'a Module,
    /// The first derived procedure.
    pub first: usize,
    /// What the primal reads and writes.
    pub effects: &'a Effects,
    /// The head.
    pub head: ProcedureId,
    /// The most bytes that may be kept.
    pub limit: f64,
    /// How often loops of unknown trips are taken to run.
    pub trips: f64,
}

/// The procedure that chooses among `plans`, derived procedures of the head, fastest first; `None`
/// where what they keep cannot be told at entry.
pub fn entry(about: &Entry<'_>, plans: &[ProcedureId], name: &str) -> Option<Procedure> {
    let (first, rest) = plans.split_first()?;
    let mut p = about.module.procedures[*first].clone();
    p.name = name.to_owned();
    p.role = ProcedureRole::Adjoint { of: about.head };
    let own = p.body.clone();
    p.body = Vec::new();
    for (_, variable) in p.variables.iter_mut() {
        if !rest.is_empty() && variable.role != Role::Primal && !variable.is_argument() {
            variable.role = Role::Temporary;
            variable.shape = Vec::new();
            variable.allocation = contraflow_ir::Allocation::Fixed;
        }
    }
    let mut needed = Vec::new();
    for (number, &plan) in plans.iter().enumerate() {
        let bytes = Bytes {
            about,
            counts_growth: number + 1 < plans.len(),
        };
        let bytes = bytes.of_head(&mut p, plan)?;
        let wanted = match rest.is_empty() {
            true => "bytes".to_owned(),
            false => format!("bytes_{}", number + 1),
        };
        let var = temporary(&mut p, &wanted);
        let mut b = Builder::new(&mut p);
        needed.push((var, b.assign(Access::whole(var), bytes)));
    }
    let mut body: Vec<StmtId> = needed.iter().map(|&(_, stmt)| stmt).collect();
    let limit = about.limit.min(9e18).floor() as i128;
    let stop = stop(&mut p, &needed, limit);
    let mut otherwise = vec![stop];
    for (number, &plan) in plans.iter().enumerate().rev() {
        let run = match rest.is_empty() {
            true => Vec::new(),
            false => vec![call(&mut p, plan)?],
        };
        let mut b = Builder::new(&mut p);
        let bytes = b.load(needed[number].0);
        let limit = b.int_of(limit, Type::LONG);
        otherwise = match rest.is_empty() {
            true => {
                let is_too_much = b.compare(BinaryOp::Greater, bytes, limit);
                vec![b.if_else(is_too_much, otherwise, Vec::new())]
            }
            false => {
                let fits = b.compare(BinaryOp::LessEqual, bytes, limit);
                vec![b.if_else(fits, run, otherwise)]
            }
        };
    }
    body.extend(otherwise);
    if rest.is_empty() {
        body.extend(own);
    }
    p.body = body;
    Some(p)
}

fn temporary(p: &mut Procedure, wanted: &str) -> VarId {
    let name = naming::unique(p, wanted);
    let mut variable = Variable::scalar(&name, Type::LONG);
    variable.role = Role::Temporary;
    p.variables.add(variable)
}

fn stop(p: &mut Procedure, needed: &[(VarId, StmtId)], limit: i128) -> StmtId {
    let name = p.name.clone();
    let mut b = Builder::new(p);
    let all: Vec<ExprId> = needed.iter().map(|&(var, _)| b.load(var)).collect();
    let least = match all.as_slice() {
        [one] => *one,
        _ => b.call(Intrinsic::Min, all),
    };
    let message = format!("{name} may keep {limit} bytes; bytes that it needs at least: ");
    b.stmt(Stmt::Stop {
        message,
        value: least,
    })
}

/// A call with the caller's own arguments; `None` where one cannot be handed on.
fn call(p: &mut Procedure, callee: ProcedureId) -> Option<StmtId> {
    let mut arguments = Vec::new();
    for argument in p.arguments.clone() {
        let variable = &p.variables[argument];
        let is_plain = variable.ty.is_numeric()
            || matches!(variable.ty, Type::Logical { .. } | Type::Character);
        if !is_plain && !matches!(variable.ty, Type::Record(_)) {
            return None;
        }
        arguments.push(match variable.passing {
            Passing::Value => Argument::Value(Builder::new(p).load(argument)),
            _ => Argument::Place(Access::whole(argument)),
        });
    }
    let call = Stmt::Call {
        callee: Callee::Procedure(callee),
        arguments,
        result: None,
    };
    Some(Builder::new(p).stmt(call))
}

/// The value of a constant.
fn known(b: &Builder<'_>, e: ExprId) -> Option<i128> {
    match b.procedure.expr(e) {
        Expr::Convert(inner) => known(b, *inner),
        _ => b.integer_value(e),
    }
}

/// What is kept, as an expression at the head's entry.
struct Bytes<'a, 'b> {
    about: &'b Entry<'a>,
    /// Whether tapes count that grow as the program runs.
    counts_growth: bool,
}

/// The formals of a procedure in terms of the head's entry.
type Actuals = BTreeMap<VarId, ExprId>;

impl Bytes<'_, '_> {
    fn of_head(&self, p: &mut Procedure, plan: ProcedureId) -> Option<ExprId> {
        let derived = &self.about.module.procedures[plan];
        let mut actuals = Actuals::new();
        for (var, variable) in derived.variables.iter() {
            let is_entry_value = variable.ty.is_integer()
                && !variable.is_array()
                && match variable.storage {
                    Storage::Argument { .. } => self.is_kept(derived, var),
                    _ => false,
                };
            if is_entry_value {
                let value = Builder::new(p).load(var);
                actuals.insert(var, value);
            }
        }
        let bytes = self.of(p, plan, &actuals, &mut BTreeSet::new())?;
        Some(bytes.unwrap_or_else(|| Builder::new(p).int_of(0, Type::LONG)))
    }

    /// Whether the primal never writes an argument, so that its value at entry is its value.
    fn is_kept(&self, derived: &Procedure, var: VarId) -> bool {
        let Some(of) = derived.role.origin() else {
            return false;
        };
        let primal = &self.about.module.procedures[of];
        let position = primal.arguments.iter().position(|&formal| formal == var);
        position.is_some_and(|position| !self.about.effects.argument(of, position).write)
    }

    /// The bytes of a procedure and of the callee that keeps most; nothing where it keeps nothing.
    fn of(
        &self,
        p: &mut Procedure,
        id: ProcedureId,
        actuals: &Actuals,
        open: &mut BTreeSet<ProcedureId>,
    ) -> Option<Option<ExprId>> {
        if !self.keeps_anything(id, &mut BTreeSet::new()) {
            return Some(None);
        }
        // What calls itself keeps as much as its calls are deep.
        if !open.insert(id) {
            return None;
        }
        let derived = &self.about.module.procedures[id];
        let mut sum: Option<ExprId> = None;
        let mut filled: Option<Filled<'_>> = None;
        for (var, tape) in derived.variables.iter() {
            if tape.role != Role::Tape || tape.is_argument() {
                continue;
            }
            let grows = tape
                .shape
                .iter()
                .any(|dim| !matches!(dim.extent, Extent::Count(_)));
            let bytes = match grows {
                false => Some(self.tape(p, derived, tape, actuals)?),
                true => {
                    let filled = filled.get_or_insert_with(|| Filled::of(derived));
                    self.growing(p, derived, (var, filled), actuals)
                }
            };
            let Some(bytes) = bytes else {
                continue;
            };
            sum = Some(match sum {
                None => bytes,
                Some(sum) => Builder::new(p).add(sum, bytes),
            });
        }
        let mut below: Vec<ExprId> = Vec::new();
        for stmt in derived.all_statements() {
            let Stmt::Call {
                callee: Callee::Procedure(callee),
                arguments,
                ..
            } = derived.stmt(stmt)
            else {
                continue;
            };
            let handed = self.handed(p, derived, *callee, arguments, actuals);
            let Some(bytes) = self.of(p, *callee, &handed, open)? else {
                continue;
            };
            if !below.iter().any(|&other| p.same_expr(other, bytes)) {
                below.push(bytes);
            }
        }
        open.remove(&id);
        let mut b = Builder::new(p);
        let below = match below.as_slice() {
            [] => None,
            [one] => Some(*one),
            _ => Some(b.call(Intrinsic::Max, below)),
        };
        Some(match (sum, below) {
            (Some(sum), Some(below)) => Some(b.add(sum, below)),
            (sum, below) => sum.or(below),
        })
    }

    fn keeps_anything(&self, id: ProcedureId, seen: &mut BTreeSet<ProcedureId>) -> bool {
        if id.index() < self.about.first || !seen.insert(id) {
            return false;
        }
        let derived = &self.about.module.procedures[id];
        let keeps = derived.variables.iter().any(|(_, variable)| {
            let is_tape = variable.role == Role::Tape && !variable.is_argument();
            is_tape && variable.is_array()
        });
        keeps
            || derived.all_statements().into_iter().any(|stmt| {
                matches!(derived.stmt(stmt), Stmt::Call { callee: Callee::Procedure(callee), .. }
                    if self.keeps_anything(*callee, seen))
            })
    }

    /// The bytes of one tape that has them from the start.
    fn tape(
        &self,
        p: &mut Procedure,
        derived: &Procedure,
        tape: &Variable,
        actuals: &Actuals,
    ) -> Option<ExprId> {
        let length = tape.length.filter(|_| tape.ty == Type::Character);
        let mut bytes = match length {
            Some(length) => {
                let length = self.value(p, derived, length, actuals)?;
                Builder::new(p).convert(length, Type::LONG)
            }
            None => {
                let each = size_of(self.about.module, tape.ty);
                Builder::new(p).int_of(each as i128, Type::LONG)
            }
        };
        for dim in &tape.shape {
            let Extent::Count(count) = dim.extent else {
                return None;
            };
            let count = self.value(p, derived, count, actuals)?;
            let mut b = Builder::new(p);
            let count = b.convert(count, Type::LONG);
            let none = b.int_of(0, Type::LONG);
            let count = match known(&b, count) {
                Some(known) => b.int_of(known.max(0), Type::LONG),
                None => b.call(Intrinsic::Max, vec![count, none]),
            };
            bytes = b.mul(bytes, count);
        }
        Some(bytes)
    }

    /// The most bytes of one that grows, if that counts.
    fn growing(
        &self,
        p: &mut Procedure,
        derived: &Procedure,
        (tape, filled): (VarId, &Filled<'_>),
        actuals: &Actuals,
    ) -> Option<ExprId> {
        if !self.counts_growth {
            return None;
        }
        let mut sum: Option<ExprId> = None;
        for loops in filled.fillings(tape) {
            let each = size_of(self.about.module, derived.variables[tape].ty) as i128;
            let mut bytes = Builder::new(p).int_of(each, Type::LONG);
            let mut unknown = 0;
            for filling in loops {
                let trips = self.trips(p, derived, &filling, actuals);
                let mut b = Builder::new(p);
                unknown += usize::from(trips.is_none());
                let trips = match trips {
                    Some(trips) => trips,
                    // Three times a million is more than there are numbers for.
                    None if unknown > 2 => continue,
                    None => b.int_of(self.about.trips as i128, Type::LONG),
                };
                bytes = b.mul(bytes, trips);
            }
            sum = Some(match sum {
                None => bytes,
                Some(sum) => Builder::new(p).add(sum, bytes),
            });
        }
        sum
    }

    /// The most trips of a loop, if they are known at entry.
    fn trips(
        &self,
        p: &mut Procedure,
        derived: &Procedure,
        filling: &Filling,
        actuals: &Actuals,
    ) -> Option<ExprId> {
        match filling {
            Filling::Unknown => None,
            Filling::AtMost(most) => {
                most.expression(p, &mut |p, e| self.value(p, derived, e, actuals))
            }
            Filling::Counted(l) => {
                let Stmt::Loop {
                    lower, upper, step, ..
                } = *derived.stmt(*l)
                else {
                    return None;
                };
                let mut at = |e| self.value(p, derived, e, actuals);
                let all = [at(lower)?, at(upper)?, at(step)?];
                let mut b = Builder::new(p);
                let [lower, upper, step] = all.map(|e| b.convert(e, Type::LONG));
                let way = b.sub(upper, lower);
                let way = b.add(way, step);
                let trips = b.exact_binary(BinaryOp::Divide, way, step);
                let none = b.int_of(0, Type::LONG);
                Some(b.call(Intrinsic::Max, vec![trips, none]))
            }
        }
    }

    /// An integer expression of a derived procedure at the head's entry.
    fn value(
        &self,
        p: &mut Procedure,
        derived: &Procedure,
        e: ExprId,
        actuals: &Actuals,
    ) -> Option<ExprId> {
        let node = derived.exprs[e].clone();
        let mut again = |e: ExprId| self.value(p, derived, e, actuals);
        let expr = match node.expr {
            Expr::Load(Access { var, ref path }) if path.is_empty() => {
                if let Some(&value) = actuals.get(&var) {
                    return Some(value);
                }
                match derived.variables[var].storage {
                    Storage::Constant {
                        value: Some(value), ..
                    } => return again(value),
                    _ => return None,
                }
            }
            Expr::Integer(_) | Expr::Logical(_) => node.expr,
            Expr::Unary(op, x) => Expr::Unary(op, again(x)?),
            Expr::Convert(x) => Expr::Convert(again(x)?),
            Expr::Binary(op, x, y) => Expr::Binary(op, again(x)?, again(y)?),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => Expr::Select {
                condition: again(condition)?,
                then: again(then)?,
                otherwise: again(otherwise)?,
            },
            Expr::Intrinsic(f, list) => {
                Expr::Intrinsic(f, list.into_iter().map(again).collect::<Option<Vec<_>>>()?)
            }
            Expr::Bound {
                ref array,
                kind: BoundKind::Length,
                ..
            } if array.path.is_empty() => {
                return again(derived.variables[array.var].length?);
            }
            Expr::Bound { ref array, .. }
                if array.path.is_empty() && self.is_head_array(derived, array.var) =>
            {
                node.expr
            }
            _ => return None,
        };
        Some(p.exprs.add(ExprNode { expr, ..node }))
    }

    /// Whether a variable is an array argument of the head that keeps its memory.
    fn is_head_array(&self, derived: &Procedure, var: VarId) -> bool {
        let variable = &derived.variables[var];
        derived.role
            == (ProcedureRole::Adjoint {
                of: self.about.head,
            })
            && variable.is_argument()
            && variable.allocation == contraflow_ir::Allocation::Fixed
            && !variable.optional
    }

    /// What a callee's integer arguments are at the head's entry, as far as that can be told.
    fn handed(
        &self,
        p: &mut Procedure,
        caller: &Procedure,
        callee: ProcedureId,
        arguments: &[Argument],
        actuals: &Actuals,
    ) -> Actuals {
        let target = &self.about.module.procedures[callee];
        let mut handed = Actuals::new();
        for (&formal, argument) in target.arguments.iter().zip(arguments) {
            let variable = &target.variables[formal];
            if !variable.ty.is_integer() || variable.is_array() || !self.is_kept(target, formal) {
                continue;
            }
            let value = match argument {
                Argument::Value(e) => self.value(p, caller, *e, actuals),
                Argument::Place(place) if place.path.is_empty() => actuals.get(&place.var).copied(),
                _ => None,
            };
            if let Some(value) = value {
                let value = Builder::new(p).convert(value, variable.ty);
                handed.insert(formal, value);
            }
        }
        handed
    }
}
