//! Which writes may change a value between the point where the forward sweep used it and the
//! backward sweep's return to that point.
//!
//! For a use of a place at a point `p` and a write `w`, both inside one run of a *frame* (the whole
//! procedure, or one iteration of a loop), the question is whether there are iterations `i` of the
//! loops around `p` and `j` of those around `w` such that
//!
//! * `w(j)` runs after `p(i)`: `i` and `j` agree on the common loops and `w` comes later in the
//!   text, or they agree down to some common loop in which `j` is a later iteration; and
//! * both touch the same element: all subscripts are equal; and
//! * `i` and `j` lie within the loops' bounds.
//!
//! For each way to be later this is one system of linear forms; where it has no integer solution
//! the write cannot hurt ([`contraflow_ir::affine`]). Subscripts that are not linear in loop
//! variables and in integers that the procedure never writes restrict nothing. This finds, for
//! example, that Cholesky's in-place update only ever uses values that are final ("last-write
//! rule" of METHOD.md).

use std::collections::BTreeMap;

use contraflow_ir::affine::{Linear, Symbol, System, linear_of};
use contraflow_ir::{
    Access, Allocation, Expr, ExprId, Module, Procedure, ProcedureId, Selector, Stmt, StmtId, Type,
    VarId,
};
use fixedbitset::FixedBitSet;

use super::effects::{Effects, StmtEffects};
use super::settled::Settled;
use super::tree::{Tree, is_loop};

/// A value that the backward sweep wants: what an access holds at a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    /// The place.
    pub access: Access,
    /// The statement.
    pub at: StmtId,
    /// Whether the point is after the statement; otherwise before.
    pub after: bool,
}

/// Where two arguments of a call share elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Meeting {
    /// Nowhere.
    Nowhere,
    /// In the column where both start, if it is the same one.
    Column,
    /// Perhaps anywhere.
    Anywhere,
}

/// Answers questions of order and overlap for one procedure.
pub struct Dependence<'a> {
    procedure: &'a Procedure,
    id: ProcedureId,
    effects: &'a Effects,
    tree: &'a Tree,
    settled: Settled,
    /// Pointers that are made to point elsewhere: one name, different memory.
    moving: FixedBitSet,
    /// The assignments to each variable in the order of the text.
    assigns: BTreeMap<VarId, Vec<StmtId>>,
    module: &'a Module,
    /// Its callers, where it is looked at for their sake.
    callers: Vec<ProcedureId>,
}

mod first;
pub use first::UsesInOrder;
mod together;

const USE: u32 = 0;
const WRITE: u32 = 1;
const SHARED: u32 = 2;

impl<'a> Dependence<'a> {
    /// Prepares the answers: finds what the procedure never changes.
    pub fn of(module: &'a Module, id: ProcedureId, effects: &'a Effects, tree: &'a Tree) -> Self {
        let procedure = &module.procedures[id];
        let touched: Vec<(StmtId, StmtEffects)> = procedure
            .all_statements()
            .into_iter()
            .map(|stmt| (stmt, effects.stmt(module, id, stmt)))
            .collect();
        let mut moving = FixedBitSet::with_capacity(procedure.variables.len());
        for access in touched.iter().flat_map(|(_, touched)| &touched.reshapes) {
            if procedure.variables[access.var].allocation == Allocation::Pointer {
                moving.insert(access.var.index());
            }
        }
        let mut assigns: BTreeMap<VarId, Vec<StmtId>> = BTreeMap::new();
        for &(stmt, _) in &touched {
            if let Stmt::Assign { target, .. } = procedure.stmt(stmt)
                && tree.extent(stmt).is_some()
            {
                assigns.entry(target.var).or_default().push(stmt);
            }
        }
        for stmts in assigns.values_mut() {
            stmts.sort_by_key(|&stmt| tree.extent(stmt));
        }
        Self {
            procedure,
            assigns,
            id,
            effects,
            tree,
            settled: Settled::of(module, id, effects, &touched),
            moving,
            module,
            callers: Vec::new(),
        }
    }

    /// The same for a callee, for the sake of this procedure; `None` for one that calls itself.
    pub fn of_callee<'b>(&self, callee: ProcedureId, tree: &'b Tree) -> Option<Dependence<'b>>
    where
        'a: 'b,
    {
        let mut callers = self.callers.clone();
        callers.push(self.id);
        let is_new = !callers.contains(&callee) && callers.len() < 8;
        is_new.then(|| Dependence {
            callers,
            ..Dependence::of(self.module, callee, self.effects, tree)
        })
    }

    /// A procedure of the program.
    pub fn procedure_of(&self, id: ProcedureId) -> &'a Procedure {
        &self.module.procedures[id]
    }

    /// Whether the procedure may write what it is passed at a position.
    pub fn may_write(&self, position: usize) -> bool {
        self.effects.argument(self.id, position).write
    }

    /// Whether no statement of the procedure changes the variable.
    pub fn is_invariant(&self, var: VarId) -> bool {
        !self.settled.is_written(var)
    }

    /// What a local that is set once is set to, in terms of values at entry and such locals.
    pub fn definition(&self, place: &Access) -> Option<ExprId> {
        self.settled.definition(place)
    }

    /// Whether a place of the procedure, which in `out` may have more variables, holds throughout what it
    /// holds at entry.
    pub fn is_entry_value(&self, out: &Procedure, place: &Access) -> bool {
        self.settled.is_entry_value(self.module, out, place)
    }

    /// Whether no other variable names the memory of a variable.
    pub fn has_one_name(&self, var: VarId) -> bool {
        self.effects.overlapping(self.id, var).is_empty()
    }

    /// Whether two variables can mean common memory.
    pub fn overlaps(&self, a: VarId, b: VarId) -> bool {
        self.effects.overlaps(self.id, a, b)
    }

    /// A variable and those that share memory with it.
    pub fn sharing(&self, var: VarId) -> impl Iterator<Item = VarId> + '_ {
        let others = self.effects.overlapping(self.id, var);
        std::iter::once(var).chain(others.iter().copied())
    }

    /// Whether, in one run of `frame`, `write` at `writer` may change the used place after the
    /// point of the use.
    pub fn may_spoil(
        &self,
        used: &Use,
        writer: StmtId,
        write: &Access,
        frame: Option<StmtId>,
    ) -> bool {
        if !self.overlaps(used.access.var, write.var) {
            return false;
        }
        let orders = self.orders(used, writer, self.fixed_loops(frame));
        orders
            .iter()
            .any(|order| self.may_touch(used, writer, write, order))
    }

    /// Whether, in one run of the loop `l`, `write` at `writer` may change the used place before the
    /// point of the use.
    pub fn may_reach(&self, writer: StmtId, write: &Access, used: &Use, l: StmtId) -> bool {
        if !self.overlaps(used.access.var, write.var) {
            return false;
        }
        if used.at != writer && self.tree.contains(used.at, writer) {
            return true;
        }
        let written = Use {
            access: write.clone(),
            at: writer,
            after: true,
        };
        let around = self.tree.loops(l);
        used.after && used.at == writer
            || self
                .orders(&written, used.at, around)
                .iter()
                .any(|order| self.may_touch(&written, used.at, &used.access, order))
    }

    /// Whether an access of one statement may touch, in a later iteration of `l` than another
    /// statement's access, the same element. Loops around `l` are in one iteration.
    pub fn may_meet_later(
        &self,
        (first, earlier): (StmtId, &Access),
        (second, later): (StmtId, &Access),
        l: StmtId,
    ) -> bool {
        let used = Use {
            access: earlier.clone(),
            at: first,
            after: false,
        };
        let order = Order {
            equal: self.tree.loops(l),
            later: Some(l),
            fixed: Vec::new(),
        };
        self.overlaps(earlier.var, later.var) && self.may_touch(&used, second, later, &order)
    }

    /// Whether two accesses at one statement certainly mean different elements.
    pub fn differ(&self, stmt: StmtId, a: &Access, b: &Access) -> bool {
        if a.var != b.var {
            return !self.overlaps(a.var, b.var);
        }
        let (Some(a), Some(b)) = (a.subscripts(), b.subscripts()) else {
            return self.in_different_fields(a, b);
        };
        if a.len() != b.len() {
            return false;
        }
        let loops = self.tree.loops(stmt);
        let mut equal = System::new();
        self.add_domain(&mut equal, &loops, &loops, USE);
        for (&x, &y) in a.iter().zip(b) {
            let form = |e| {
                linear_of(self.procedure, e, &mut |var| {
                    self.symbol(var, &loops, &loops, USE)
                })
            };
            if let (Some(x), Some(y)) = (form(x), form(y))
                && let Some(difference) = x.sub(&y)
            {
                equal.add_eq(difference);
            }
        }
        equal.is_infeasible()
    }

    /// Where two places, as arguments of the call at `stmt`, share elements. An array that starts in
    /// a column is taken to end in it where `column` says that both do.
    pub fn meeting(&self, stmt: StmtId, a: &Access, b: &Access, column: bool) -> Meeting {
        if !self.overlaps(a.var, b.var) || self.sections_apart(stmt, a, b) {
            return Meeting::Nowhere;
        }
        match column && self.are_columns(a, b) {
            true if self.differ(stmt, a, b) => Meeting::Nowhere,
            true => Meeting::Column,
            false => Meeting::Anywhere,
        }
    }

    /// Whether the places are columns of one array, or start there: equal subscripts but for the last.
    fn are_columns(&self, a: &Access, b: &Access) -> bool {
        let same = |x, y| self.procedure.same_expr(x, y);
        let is_range = |e| matches!(self.procedure.expr(e), Expr::Range { .. });
        match (a.subscripts(), b.subscripts()) {
            (Some([i @ .., x]), Some([j @ .., y])) => {
                a.var == b.var
                    && !i.is_empty()
                    && i.len() == j.len()
                    && i.iter().zip(j).all(|(&i, &j)| same(i, j))
                    && !is_range(*x)
                    && !is_range(*y)
            }
            _ => false,
        }
    }

    /// Whether the ranges of two sections of one array do not meet along some dimension. Elements
    /// alone tell nothing, as a callee's array may start there.
    fn sections_apart(&self, stmt: StmtId, a: &Access, b: &Access) -> bool {
        let (Some(a), Some(b)) = (a.subscripts(), b.subscripts()) else {
            return false;
        };
        let is_section = |subscripts: &[ExprId]| {
            subscripts
                .iter()
                .any(|&e| matches!(self.procedure.expr(e), Expr::Range { .. }))
        };
        if a.len() != b.len() || !is_section(a) || !is_section(b) {
            return false;
        }
        let loops = self.tree.loops(stmt);
        let mut meet = System::new();
        self.add_domain(&mut meet, &loops, &loops, USE);
        for (&x, &y) in a.iter().zip(b) {
            let (low, high) = self.range_of(x, &loops);
            let (other_low, other_high) = self.range_of(y, &loops);
            let pairs = [
                (&low, &high),
                (&other_low, &other_high),
                (&low, &other_high),
                (&other_low, &high),
            ];
            for (low, high) in pairs {
                if let (Some(low), Some(high)) = (low, high)
                    && let Some(room) = high.sub(low)
                {
                    meet.add_ge(room);
                }
            }
        }
        meet.is_infeasible()
    }

    /// The first and the last index of a subscript, where they are affine; of a range that runs
    /// upwards the stated ends.
    fn range_of(&self, e: ExprId, loops: &[StmtId]) -> (Option<Linear>, Option<Linear>) {
        let form = |e: ExprId| {
            linear_of(self.procedure, e, &mut |var| {
                self.symbol(var, loops, loops, USE)
            })
        };
        match *self.procedure.expr(e) {
            Expr::Range { lower, upper, step } => {
                let upwards = step.is_none_or(|step| {
                    self.procedure
                        .constant_integer(step)
                        .is_some_and(|it| it > 0)
                });
                if upwards {
                    (lower.and_then(form), upper.and_then(form))
                } else {
                    (None, None)
                }
            }
            _ => (form(e), form(e)),
        }
    }

    /// Whether each read of `read` at `reader` finds a value that the same run of `frame` wrote
    /// before, whatever was there at its start: no element is left out by all of the writes.
    pub fn is_covered(&self, reader: StmtId, read: &Access, frame: Option<StmtId>) -> bool {
        if self.moving.contains(read.var.index()) {
            return false;
        }
        let mut gaps: Vec<Vec<Linear>> = self
            .assignments_with(reader, read.var, frame)
            .into_iter()
            .flat_map(|(writer, write, together)| {
                let befores = self.befores(writer, reader, frame).into_iter();
                befores
                    .filter(|before| together.iter().all(|l| before.equal.contains(l)))
                    .filter_map(|before| self.gaps((writer, write), (reader, read), &before, frame))
                    .collect::<Vec<_>>()
            })
            .collect();
        gaps.sort_by_key(Vec::len);
        gaps.truncate(MANY_WRITES);
        let read_loops = self.tree.loops(reader);
        let mut domain = System::new();
        self.add_domain(&mut domain, &read_loops, &self.fixed_loops(frame), USE);
        !gaps.is_empty() && is_closed(&domain, &gaps)
    }

    /// The ways in which a write can run before a read: earlier in the text, or in an earlier iteration
    /// of a common loop.
    fn befores(&self, writer: StmtId, reader: StmtId, frame: Option<StmtId>) -> Vec<Before> {
        let (common, text) = self.divergence(reader, writer, &self.fixed_loops(frame));
        let in_earlier_iteration = (0..common.len()).map(|depth| Before {
            equal: common[..depth].to_vec(),
            earlier: Some(common[depth]),
        });
        let mut all: Vec<Before> = in_earlier_iteration.collect();
        if text == TextOrder::WriteEarlier {
            all.push(Before {
                equal: common,
                earlier: None,
            });
        }
        all
    }

    /// What holds, one or the other, for the reads that a write leaves out; `None` where that cannot be
    /// told.
    fn gaps(
        &self,
        (writer, write): (StmtId, &Access),
        (reader, read): (StmtId, &Access),
        before: &Before,
        frame: Option<StmtId>,
    ) -> Option<Vec<Linear>> {
        let common = &before.equal;
        let (write, read) = (write.subscripts()?, read.subscripts()?);
        if write.is_empty() || write.len() != read.len() {
            return None;
        }
        let mut gaps = Vec::new();
        let read_loops = self.tree.loops(reader);
        let write_loops = self.tree.loops(writer);
        let fixed = self.fixed_loops(frame);
        // Solve for the write's own loop variables; those of common loops must be the read's.
        let mut solution: Vec<(VarId, Linear)> = Vec::new();
        for (&w, &r) in write.iter().zip(read) {
            let wanted = linear_of(self.procedure, r, &mut |var| {
                self.symbol(var, &read_loops, &fixed, USE)
            })?;
            let mut form = linear_of(self.procedure, w, &mut |var| {
                self.symbol(var, &write_loops, &fixed, WRITE)
            })?;
            for &l in common {
                if let Stmt::Loop { variable, .. } = self.procedure.stmt(l) {
                    let same = Linear::symbol(Symbol::Variable(*variable, USE));
                    form = form.substitute(Symbol::Variable(*variable, WRITE), &same)?;
                }
            }
            let own: Vec<(Symbol, i64)> = form
                .terms
                .iter()
                .filter(|(symbol, _)| matches!(symbol, Symbol::Variable(_, WRITE)))
                .map(|(&symbol, &factor)| (symbol, factor))
                .collect();
            match own.as_slice() {
                [] if form == wanted => {}
                [] => {
                    gaps.push(wanted.sub(&form)?.offset(-1)?);
                    gaps.push(form.sub(&wanted)?.offset(-1)?);
                }
                [(Symbol::Variable(var, _), factor @ (1 | -1))] => {
                    let rest = form.substitute(own[0].0, &Linear::constant(0))?;
                    let value = wanted.sub(&rest)?.scale(*factor)?;
                    solution.push((*var, value));
                }
                _ => return None,
            }
        }
        if let Some(l) = before.earlier {
            gaps.push(self.not_earlier(l, &solution)?);
        }
        gaps.extend(self.out_of_range(&solution, &write_loops, common, &fixed)?);
        Some(gaps)
    }

    /// What holds (`>= 0`) where the solved iteration of `l` does not come before the read's.
    fn not_earlier(&self, l: StmtId, solution: &[(VarId, Linear)]) -> Option<Linear> {
        let Stmt::Loop { variable, step, .. } = self.procedure.stmt(l) else {
            return None;
        };
        let (_, written) = solution.iter().find(|(var, _)| var == variable)?;
        let read = Linear::symbol(Symbol::Variable(*variable, USE));
        match self.literal(*step)? > 0 {
            true => written.sub(&read),
            false => read.sub(written),
        }
    }

    /// For which reads the solved iteration of the write does not exist.
    fn out_of_range(
        &self,
        solution: &[(VarId, Linear)],
        write_loops: &[StmtId],
        common: &[StmtId],
        fixed: &[StmtId],
    ) -> Option<Vec<Linear>> {
        let mut gaps = Vec::new();
        for &l in write_loops {
            if fixed.contains(&l) || common.contains(&l) {
                continue;
            }
            let Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                ..
            } = self.procedure.stmt(l)
            else {
                return None;
            };
            let step = self.literal(*step).filter(|step| step.abs() == 1)?;
            // A loop variable that no subscript fixes: any iteration will do, but one must exist.
            let (_, value) = solution.iter().find(|(var, _)| var == variable)?;
            let bound = |e: ExprId| {
                let mut form = linear_of(self.procedure, e, &mut |var| {
                    self.symbol(var, write_loops, fixed, WRITE)
                })?;
                for (var, value) in solution {
                    form = form.substitute(Symbol::Variable(*var, WRITE), value)?;
                }
                for &l in common {
                    if let Stmt::Loop { variable, .. } = self.procedure.stmt(l) {
                        let same = Linear::symbol(Symbol::Variable(*variable, USE));
                        form = form.substitute(Symbol::Variable(*variable, WRITE), &same)?;
                    }
                }
                Some(form)
            };
            let (first, last) = (bound(*lower)?, bound(*upper)?);
            let (low, high) = if step > 0 {
                (first, last)
            } else {
                (last, first)
            };
            gaps.push(low.sub(value)?.offset(-1)?);
            gaps.push(value.sub(&high)?.offset(-1)?);
        }
        Some(gaps)
    }

    /// The loops around the frame, its own loop included: their variables are fixed in one run.
    fn fixed_loops(&self, frame: Option<StmtId>) -> Vec<StmtId> {
        match frame {
            None => Vec::new(),
            Some(frame) => {
                let mut loops = self.tree.loops(frame);
                if is_loop(self.procedure, frame) {
                    loops.push(frame);
                }
                loops
            }
        }
    }

    fn divergence(
        &self,
        used: StmtId,
        writer: StmtId,
        fixed: &[StmtId],
    ) -> (Vec<StmtId>, TextOrder) {
        let (at, text) = if used == writer {
            (used, TextOrder::Same)
        } else if self.tree.contains(used, writer) {
            (used, TextOrder::WriteInside)
        } else if self.tree.contains(writer, used) {
            (writer, TextOrder::WriteAround)
        } else {
            match self.tree.parting(used, writer) {
                Some((at, [x, y])) if x.arm != y.arm => (at, TextOrder::Exclusive),
                Some((at, [x, y])) if y.index > x.index => (at, TextOrder::WriteLater),
                Some((at, _)) => (at, TextOrder::WriteEarlier),
                None => (used, TextOrder::WriteInside),
            }
        };
        let mut common = self.tree.loops(at);
        common.retain(|l| !fixed.contains(l));
        (common, text)
    }

    /// The ways in which the write can run after the point, the variables of some loops fixed.
    fn orders(&self, used: &Use, writer: StmtId, fixed: Vec<StmtId>) -> Vec<Order> {
        let (common, text) = self.divergence(used.at, writer, &fixed);
        let same_iteration = match text {
            TextOrder::WriteLater => true,
            TextOrder::Same | TextOrder::WriteInside => !used.after,
            TextOrder::WriteEarlier | TextOrder::Exclusive | TextOrder::WriteAround => false,
        };
        let mut orders = Vec::new();
        if same_iteration {
            orders.push(Order {
                equal: common.clone(),
                later: None,
                fixed: fixed.clone(),
            });
        }
        for (depth, &l) in common.iter().enumerate() {
            orders.push(Order {
                equal: common[..depth].to_vec(),
                later: Some(l),
                fixed: fixed.clone(),
            });
        }
        // A loop writes its variable before each iteration; the backward loop brings it back.
        if text == TextOrder::WriteAround
            && let Stmt::Loop { variable, .. } = self.procedure.stmt(writer)
            && *variable == used.access.var
        {
            return Vec::new();
        }
        orders
    }

    fn may_touch(&self, used: &Use, writer: StmtId, write: &Access, order: &Order) -> bool {
        if used.access.var != write.var || self.moving.contains(write.var.index()) {
            return true;
        }
        let (Some(a), Some(b)) = (used.access.subscripts(), write.subscripts()) else {
            return !self.in_different_fields(&used.access, write);
        };
        let use_loops = self.tree.loops(used.at);
        let write_loops = self.tree.loops(writer);
        let mut system = System::new();
        self.add_domain(&mut system, &use_loops, &order.fixed, USE);
        self.add_domain(&mut system, &write_loops, &order.fixed, WRITE);
        for &l in &order.equal {
            if let Some((i, j, _)) = self.instances(l)
                && let Some(difference) = i.sub(&j)
            {
                system.add_eq(difference);
            }
        }
        if let Some((i, j, step)) = order.later.and_then(|l| self.instances(l)) {
            let later = if step > 0 { j.sub(&i) } else { i.sub(&j) };
            if let Some(distance) = later.and_then(|form| form.offset(-step.abs())) {
                system.add_ge(distance);
            }
        }
        for (&x, &y) in a.iter().zip(b) {
            let x = linear_of(self.procedure, x, &mut |var| {
                self.symbol(var, &use_loops, &order.fixed, USE)
            });
            let y = linear_of(self.procedure, y, &mut |var| {
                self.symbol(var, &write_loops, &order.fixed, WRITE)
            });
            if let (Some(x), Some(y)) = (x, y)
                && let Some(difference) = x.sub(&y)
            {
                system.add_eq(difference);
            }
        }
        !system.is_infeasible()
    }

    /// Whether two accesses of one variable go into different components of one record: through
    /// pointers they may come to any.
    fn in_different_fields(&self, a: &Access, b: &Access) -> bool {
        different_fields(a, b)
            && !self.goes_through_pointer(a)
            && !self.goes_through_pointer(b)
            && !self.goes_through_union(a)
    }

    fn goes_through_union(&self, access: &Access) -> bool {
        let mut ty = self.procedure.variables[access.var].ty;
        access.path.iter().any(|selector| match (selector, ty) {
            (Selector::Field(field), Type::Record(record)) => {
                ty = self.module.records[record].fields[*field as usize].ty;
                self.module.records[record].is_union
            }
            _ => false,
        })
    }

    fn goes_through_pointer(&self, access: &Access) -> bool {
        let mut ty = self.procedure.variables[access.var].ty;
        access.path.iter().any(|selector| match (selector, ty) {
            (Selector::Field(field), Type::Record(record)) => {
                let field = &self.module.records[record].fields[*field as usize];
                ty = field.ty;
                field.allocation == Allocation::Pointer
            }
            _ => false,
        })
    }

    /// The variable of a counted loop in the use's and in the write's iteration, and its step.
    fn instances(&self, l: StmtId) -> Option<(Linear, Linear, i64)> {
        let Stmt::Loop { variable, step, .. } = self.procedure.stmt(l) else {
            return None;
        };
        let step = self.literal(*step)?;
        Some((
            Linear::symbol(Symbol::Variable(*variable, USE)),
            Linear::symbol(Symbol::Variable(*variable, WRITE)),
            step,
        ))
    }

    fn add_domain(&self, system: &mut System, loops: &[StmtId], fixed: &[StmtId], tag: u32) {
        for &l in loops {
            let Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                ..
            } = self.procedure.stmt(l)
            else {
                continue;
            };
            let Some(step) = self.literal(*step) else {
                continue;
            };
            let tag_here = if fixed.contains(&l) { SHARED } else { tag };
            let var = Linear::symbol(Symbol::Variable(*variable, tag_here));
            let bound = |e: ExprId| {
                linear_of(self.procedure, e, &mut |var| {
                    self.symbol(var, loops, fixed, tag)
                })
            };
            let (first, last) = (bound(*lower), bound(*upper));
            let (low, high) = if step > 0 {
                (first, last)
            } else {
                (last, first)
            };
            if let Some(form) = low.and_then(|low| var.sub(&low)) {
                system.add_ge(form);
            }
            if let Some(form) = high.and_then(|high| high.sub(&var)) {
                system.add_ge(form);
            }
        }
    }

    /// The symbol of an integer variable where it is evaluated inside `loops`.
    fn symbol(&self, var: VarId, loops: &[StmtId], fixed: &[StmtId], tag: u32) -> Option<Symbol> {
        let loop_of = loops.iter().find(
            |&&l| matches!(self.procedure.stmt(l), Stmt::Loop { variable, .. } if *variable == var),
        );
        match loop_of {
            Some(l) if fixed.contains(l) => Some(Symbol::Variable(var, SHARED)),
            Some(_) => Some(Symbol::Variable(var, tag)),
            None => {
                let is_settled =
                    self.is_invariant(var) || self.definition(&Access::whole(var)).is_some();
                is_settled.then_some(Symbol::Variable(var, SHARED))
            }
        }
    }

    fn literal(&self, e: ExprId) -> Option<i64> {
        linear_of(self.procedure, e, &mut |_| None)?
            .as_constant()
            .filter(|&step| step != 0)
    }
}

/// At most so many writes of an array are asked whether they leave out none of its elements together.
const MANY_WRITES: usize = 6;

/// Whether no point of a domain lies in a gap of each.
fn is_closed(domain: &System, gaps: &[Vec<Linear>]) -> bool {
    if domain.is_infeasible() {
        return true;
    }
    let Some((first, rest)) = gaps.split_first() else {
        return false;
    };
    first.iter().all(|gap| {
        let mut within = domain.clone();
        within.add_ge(gap.clone());
        is_closed(&within, rest)
    })
}

/// One way of a write to come before a read.
struct Before {
    /// Common loops that are in the same iteration.
    equal: Vec<StmtId>,
    /// The next common loop, where it is in an earlier iteration.
    earlier: Option<StmtId>,
}

struct Order {
    equal: Vec<StmtId>,
    later: Option<StmtId>,
    fixed: Vec<StmtId>,
}

/// How a write stands to a point in the text, within one iteration of all common loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TextOrder {
    WriteEarlier,
    WriteLater,
    /// The same statement.
    Same,
    /// The point is at a statement whose inner blocks hold the write.
    WriteInside,
    /// The write is by a statement whose inner blocks hold the point.
    WriteAround,
    /// In different arms of one statement: never both.
    Exclusive,
}

/// Whether two accesses of one variable go into different components of a record.
fn different_fields(a: &Access, b: &Access) -> bool {
    a.path
        .iter()
        .zip(&b.path)
        .any(|pair| matches!(pair, (Selector::Field(x), Selector::Field(y)) if x != y))
        && !a.path.contains(&Selector::Deref)
        && !b.path.contains(&Selector::Deref)
}
