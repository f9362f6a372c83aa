//! How large arrays of the generated code must be: bounds of iteration spaces and of variables, as
//! expressions that can be evaluated at the procedure's entry.
//!
//! A bound that depends on an outer loop's variable (a triangular nest) is replaced by its extreme
//! over that loop's range, found from the sign of the variable's coefficient. An expression can be
//! evaluated at entry if it reads only named constants and variables that the procedure never
//! writes.

use contraflow_ir::affine::{Linear, Symbol, linear_of};
use contraflow_ir::{
    Access, Argument, BinaryOp, BoundKind, Builder, Expr, ExprId, Extent, Intrinsic, Module,
    Procedure, Stmt, StmtId, Type, VarId,
};

use crate::analysis::Dependence;

/// The lower bound and the number of elements of a dimension.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Smallest subscript.
    pub lower: ExprId,
    /// How many.
    pub count: ExprId,
}

/// One loop's dimension in a tape: how it is subscripted and how large it is.
#[derive(Clone, Copy, Debug)]
pub struct LoopDim {
    /// The subscript, in terms of the loop's variable.
    pub subscript: ExprId,
    /// The dimension.
    pub range: Range,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Low,
    High,
}

/// A subscript that no array has: the start of an empty range.
const FAR: i128 = 1 << 30;

/// Whose memory a shape is for.
#[derive(Clone, Copy, PartialEq)]
enum Need {
    /// New memory: it may be larger than needed.
    Own,
    /// The user's: no element outside may be touched.
    Users,
}

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

/// The accesses of an array by a statement; `None` where it is passed on, so that a callee may use
/// any part.
fn accesses_of(out: &Procedure, stmt: StmtId, var: VarId) -> Option<Vec<Found>> {
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
        Stmt::Call {
            arguments, result, ..
        } => {
            let is_passed = arguments
                .iter()
                .any(|argument| matches!(argument, Argument::Place(place) if place.var == var));
            if is_passed && out.variables[var].is_array() {
                return None;
            }
            result.iter().for_each(write);
        }
        Stmt::Opaque { writes, .. } => writes.iter().for_each(write),
        _ => {}
    }
    Some(found)
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

fn is_nonzero_literal(out: &Procedure, e: ExprId) -> bool {
    matches!(out.expr(e), Expr::Integer(value) if *value != 0)
}

/// Builds extents for one procedure; `out` is a copy of the analysed procedure that may have grown.
pub struct Extents<'a, 'd> {
    /// Order and overlap of the primal.
    pub dependence: &'d Dependence<'a>,
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
    /// Whether an expression has the same value at entry as where it stands.
    pub fn is_fixed(&self, out: &Procedure, e: ExprId) -> bool {
        let mut fixed = true;
        out.walk_expr(e, &mut |node| match out.expr(node) {
            Expr::Load(access) | Expr::Present(access) => {
                fixed &= access.path.is_empty() && self.is_entry_value(out, access.var)
            }
            Expr::Bound {
                kind: BoundKind::Length,
                ..
            } => {}
            Expr::Bound { array, .. } => fixed &= self.is_entry_value(out, array.var),
            Expr::Required { .. } | Expr::Opaque { .. } | Expr::Associated { .. } => fixed = false,
            // At entry nothing guards against a zero divisor.
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, by)
                if !is_nonzero_literal(out, *by) =>
            {
                fixed = false;
            }
            Expr::Binary(BinaryOp::Power, base, by)
                if ![*base, *by].iter().any(|&e| is_nonzero_literal(out, e)) =>
            {
                fixed = false;
            }
            Expr::Intrinsic(Intrinsic::Modulo, list)
                if !list.last().is_some_and(|&by| is_nonzero_literal(out, by)) =>
            {
                fixed = false;
            }
            _ => {}
        });
        fixed
    }

    fn is_entry_value(&self, out: &Procedure, var: VarId) -> bool {
        let variable = &out.variables[var];
        variable.is_constant()
            || !variable.optional
                && (variable.outlives_call() || variable.is_argument())
                && self.dependence.is_invariant(var)
    }

    /// The dimension of a counted loop inside `loops` (outermost first, itself last).
    pub fn loop_dim(&self, out: &mut Procedure, loops: &[StmtId]) -> Option<LoopDim> {
        let (&l, outer) = loops.split_last()?;
        let Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            ..
        } = *out.stmt(l)
        else {
            return None;
        };
        let stride = Builder::new(out).integer_value(step)?;
        let ty = out.variables[variable].ty;
        let (first, last) = if stride > 0 {
            (lower, upper)
        } else {
            (upper, lower)
        };
        if stride.abs() != 1 && self.is_fixed(out, lower) && self.is_fixed(out, upper) {
            let mut b = Builder::new(out);
            let value = b.load(variable);
            let distance = b.sub(value, lower);
            let subscript = b.exact_binary(BinaryOp::Divide, distance, step);
            let span = b.sub(upper, lower);
            let span = b.exact_binary(BinaryOp::Divide, span, step);
            let one = b.int_of(1, ty);
            let count = b.add(span, one);
            let lower = b.int_of(0, ty);
            let range = Range { lower, count };
            return Some(LoopDim { subscript, range });
        }
        let low = self.extreme(out, first, outer, End::Low)?;
        let high = self.extreme(out, last, outer, End::High)?;
        let range = range_between(out, low, high);
        let subscript = Builder::new(out).load(variable);
        Some(LoopDim { subscript, range })
    }

    /// The extreme of an integer expression over the loops around it, as an entry expression.
    fn extreme(
        &self,
        out: &mut Procedure,
        e: ExprId,
        loops: &[StmtId],
        end: End,
    ) -> Option<ExprId> {
        if self.is_fixed(out, e) {
            return Some(e);
        }
        let ty = out.exprs[e].ty;
        if let Some(form) = self.linear(out, e) {
            return self.extreme_form(out, form, loops, end, ty);
        }
        // min and max of bounds that have extremes themselves
        let Expr::Intrinsic(f @ (Intrinsic::Min | Intrinsic::Max), args) = out.expr(e).clone()
        else {
            return None;
        };
        let mut bounds = Vec::new();
        for a in args {
            bounds.push(self.extreme(out, a, loops, end)?);
        }
        Some(Builder::new(out).expr(Expr::Intrinsic(f, bounds), ty))
    }

    fn linear(&self, out: &Procedure, e: ExprId) -> Option<Linear> {
        linear_of(out, e, &mut |var| Some(Symbol::Variable(var, 0)))
    }

    fn extreme_form(
        &self,
        out: &mut Procedure,
        mut form: Linear,
        loops: &[StmtId],
        end: End,
        ty: Type,
    ) -> Option<ExprId> {
        for &l in loops.iter().rev() {
            let Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                ..
            } = *out.stmt(l)
            else {
                continue;
            };
            let symbol = Symbol::Variable(variable, 0);
            let factor = form.coefficient(symbol);
            if factor == 0 {
                continue;
            }
            let forwards = Builder::new(out).integer_value(step)? > 0;
            let wants_last = (factor > 0) == (end == End::High);
            let bound = if wants_last == forwards { upper } else { lower };
            let bound = self.linear(out, bound)?;
            form = form.substitute(symbol, &bound)?;
        }
        let known = form.terms.keys().all(|symbol| match *symbol {
            Symbol::Variable(var, _) => self.is_entry_value(out, var),
            Symbol::Opaque(_) => false,
        });
        known.then(|| expression_of(out, &form, ty))
    }

    /// The dimensions of a variable as entry expressions, for memory of the generated code: a C
    /// pointer's from all of its uses, rather too many elements than too few.
    pub fn shape(&self, out: &mut Procedure, var: VarId) -> Option<Vec<Range>> {
        self.ranges(out, var, Need::Own)
    }

    /// The dimensions of a variable as entry expressions, for reading and writing the user's memory:
    /// a C pointer's from uses that certainly happen. Holds everything that is written.
    pub fn memory(&self, out: &mut Procedure, var: VarId) -> Option<Vec<Range>> {
        self.ranges(out, var, Need::Users)
    }

    /// The ranges of subscripts of the whole array that an array or section is taken from.
    pub fn memory_of(
        &self,
        module: &Module,
        out: &mut Procedure,
        place: &Access,
    ) -> Option<Vec<Range>> {
        let array = super::tape::array_of(module, out, place)?;
        if array.path.is_empty() {
            return self.memory(out, array.var);
        }
        super::records::component_ranges(module, out, &array)
    }

    fn ranges(&self, out: &mut Procedure, var: VarId, need: Need) -> Option<Vec<Range>> {
        let shape = out.variables[var].shape.clone();
        let mut ranges = Vec::new();
        for (dim, d) in shape.iter().enumerate() {
            let range = match d.extent {
                Extent::Count(count)
                    if self.is_fixed(out, count) && self.is_fixed(out, d.lower) =>
                {
                    Range {
                        lower: d.lower,
                        count,
                    }
                }
                Extent::Count(_) => return None,
                Extent::Assumed | Extent::Deferred => {
                    let mut b = Builder::new(out);
                    let mut bound = |kind| {
                        b.expr(
                            Expr::Bound {
                                array: Access::whole(var),
                                kind,
                                dim: dim as u32,
                            },
                            Type::INT,
                        )
                    };
                    Range {
                        lower: bound(BoundKind::Lower),
                        count: bound(BoundKind::Extent),
                    }
                }
                Extent::AssumedSize | Extent::Unknown => self.used_range(out, var, dim, need)?,
            };
            ranges.push(range);
        }
        Some(ranges)
    }

    /// The range of subscripts with which a variable is used along one dimension: the union of the
    /// ranges of its uses.
    ///
    /// For the user's memory a use counts only if it certainly happens: the conditions that it stands
    /// under hold, and the loops around it are not empty, which is asked at entry. A write under another
    /// condition must lie within a use of the same loops that does not; else nothing is known.
    fn used_range(&self, out: &mut Procedure, var: VarId, dim: usize, need: Need) -> Option<Range> {
        let uses = self.uses(out, var, dim)?;
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
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
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
            let (low, high) = match runs {
                None => (one.low, one.high),
                Some(runs) => {
                    let ty = out.exprs[one.low].ty;
                    let mut b = Builder::new(out);
                    let far = b.int_of(FAR, ty);
                    let near = b.int_of(-FAR, ty);
                    (b.select(runs, one.low, far), b.select(runs, one.high, near))
                }
            };
            push_distinct(out, &mut lows, low);
            push_distinct(out, &mut highs, high);
        }
        let low = combine(out, Intrinsic::Min, lows)?;
        let high = combine(out, Intrinsic::Max, highs)?;
        Some(range_between(out, low, high))
    }

    /// All uses of a variable along one dimension; `None` where one has no extreme.
    fn uses(&self, out: &mut Procedure, var: VarId, dim: usize) -> Option<Vec<Usage>> {
        let tree = crate::analysis::Tree::of(out);
        let mut uses: Vec<Usage> = Vec::new();
        for stmt in out.all_statements() {
            let (conditions, doubts) = self.conditions(out, &tree, stmt, var);
            let loops = tree.loops(stmt);
            for found in accesses_of(out, stmt, var)? {
                let subscript = *found.access.subscripts()?.get(dim)?;
                let low = self.subscript_extreme(out, subscript, &loops, End::Low)?;
                let high = self.subscript_extreme(out, subscript, &loops, End::High)?;
                uses.push(Usage {
                    low,
                    high,
                    loops: loops.clone(),
                    conditions: conditions.clone(),
                    doubts: match found.is_guarded {
                        true => vec![(stmt, FOR_GOOD)],
                        false => doubts.clone(),
                    },
                    is_write: found.is_write,
                });
            }
        }
        Some(uses)
    }

    /// The conditions around a statement: those known at entry, and the others. That an optional
    /// argument is there is none for the argument itself.
    fn conditions(
        &self,
        out: &Procedure,
        tree: &crate::analysis::Tree,
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

    /// Whether `a <= b` for all values of the variables in them.
    fn is_at_most(&self, out: &Procedure, a: ExprId, b: ExprId) -> bool {
        if out.same_expr(a, b) {
            return true;
        }
        let (Some(a), Some(b)) = (self.linear(out, a), self.linear(out, b)) else {
            return false;
        };
        b.sub(&a)
            .and_then(|difference| difference.as_constant())
            .is_some_and(|difference| difference >= 0)
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

    /// The extreme of a subscript that may multiply loop variables by sizes (`i*n + j`). Sizes are
    /// taken to be non-negative: where one is negative no iteration runs.
    fn subscript_extreme(
        &self,
        out: &mut Procedure,
        e: ExprId,
        loops: &[StmtId],
        end: End,
    ) -> Option<ExprId> {
        if let Some(bound) = self.extreme(out, e, loops, end) {
            return Some(bound);
        }
        let ty = out.exprs[e].ty;
        match *out.expr(e) {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), x, y) => {
                let other = match (op, end) {
                    (BinaryOp::Add, _) => end,
                    (_, End::Low) => End::High,
                    (_, End::High) => End::Low,
                };
                let x = self.subscript_extreme(out, x, loops, end)?;
                let y = self.subscript_extreme(out, y, loops, other)?;
                let mut b = Builder::new(out);
                Some(if op == BinaryOp::Add {
                    b.add(x, y)
                } else {
                    b.sub(x, y)
                })
            }
            Expr::Binary(BinaryOp::Multiply, x, y) => {
                let (factor, rest) = if self.is_fixed(out, y) {
                    (y, x)
                } else if self.is_fixed(out, x) {
                    (x, y)
                } else {
                    return None;
                };
                if !matches!(out.expr(factor), Expr::Load(_)) {
                    return None;
                }
                let rest = self.subscript_extreme(out, rest, loops, end)?;
                Some(Builder::new(out).expr(Expr::Binary(BinaryOp::Multiply, rest, factor), ty))
            }
            Expr::Convert(inner) => {
                let inner = self.subscript_extreme(out, inner, loops, end)?;
                Some(Builder::new(out).convert(inner, ty))
            }
            Expr::Load(Access { var, ref path }) if path.is_empty() => {
                let position = loops.iter().position(
                    |&l| matches!(out.stmt(l), Stmt::Loop { variable, .. } if *variable == var),
                )?;
                let Stmt::Loop {
                    lower, upper, step, ..
                } = *out.stmt(loops[position])
                else {
                    return None;
                };
                let forwards = Builder::new(out).integer_value(step)? > 0;
                let bound = if (end == End::High) == forwards {
                    upper
                } else {
                    lower
                };
                self.subscript_extreme(out, bound, &loops[..position], end)
            }
            _ => None,
        }
    }
}

fn range_between(out: &mut Procedure, low: ExprId, high: ExprId) -> Range {
    let mut b = Builder::new(out);
    let ty = b.type_of(low);
    let high = b.convert(high, ty);
    let forms = (
        linear_of(b.procedure, low, &mut |v| Some(Symbol::Variable(v, 0))),
        linear_of(b.procedure, high, &mut |v| Some(Symbol::Variable(v, 0))),
    );
    let difference = match forms {
        (Some(low), Some(high)) => high.sub(&low).and_then(|form| form.offset(1)),
        _ => None,
    };
    let count = match difference {
        Some(form) => expression_of(b.procedure, &form, ty),
        None => {
            let distance = b.sub(high, low);
            let one = b.int_of(1, ty);
            b.add(distance, one)
        }
    };
    Range { lower: low, count }
}

fn push_distinct(out: &Procedure, list: &mut Vec<ExprId>, e: ExprId) {
    if !list.iter().any(|&other| out.same_expr(other, e)) {
        list.push(e);
    }
}

fn combine(out: &mut Procedure, f: Intrinsic, list: Vec<ExprId>) -> Option<ExprId> {
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

/// Writes a linear form of variables as an expression of type `ty`.
fn expression_of(out: &mut Procedure, form: &Linear, ty: Type) -> ExprId {
    let mut b = Builder::new(out);
    let mut sum: Option<ExprId> = None;
    for (&symbol, &factor) in &form.terms {
        let Symbol::Variable(var, _) = symbol else {
            unreachable!("invariant: forms that are written have variables only")
        };
        let value = b.load(var);
        let value = b.convert(value, ty);
        let magnitude = b.int_of(factor.unsigned_abs().into(), ty);
        let term = b.mul(magnitude, value);
        sum = Some(match (sum, factor > 0) {
            (None, true) => term,
            (None, false) => b.neg(term),
            (Some(sum), true) => b.add(sum, term),
            (Some(sum), false) => b.sub(sum, term),
        });
    }
    let constant = b.int_of(form.constant.into(), ty);
    match sum {
        None => constant,
        Some(sum) => b.add(sum, constant),
    }
}
