//! Finds how large an array argument is from the procedures that pass it.
//!
//! A C pointer or an assumed-size array does not tell its size, and the adjoint of a callee may have
//! to save what it holds. The derivatives of callees are called by derivatives only, so every call is
//! known: if all calls pass as many elements, by one expression in numbers and in other arguments of
//! the same call, that is the size. An argument of which only the first element is used has one.

use contraflow_ir::{
    Access, Allocation, Argument, Builder, Callee, Diagnostic, Expr, ExprId, Extent, Module,
    Passing, Procedure, ProcedureId, Selector, Span, Stmt, StmtId, VarId,
};

use crate::adjoint::UNKNOWN_EXTENT;
use crate::adjoint::extent::Extents;
use crate::analysis::pointers::Pointers;
use crate::analysis::{CallGraph, Dependence, Effects, Tree};
use crate::counting::count;

mod handed;
mod uses;

pub use handed::hand_on;

/// The module with the sizes that calls tell. All ids stay valid: only extents change.
pub fn from_callers(module: &Module, effects: &Effects, head: ProcedureId) -> Module {
    let mut known = uses::with_single_objects(module);
    let graph = CallGraph::of(module, effects);
    let reachable: Vec<ProcedureId> = graph.reachable(head).into_iter().collect();
    let calls = calls_of(module, &reachable);
    let passed_on = passed_as_arguments(module, &reachable);
    // Callers before callees, until nothing more is found.
    loop {
        let mut found = false;
        for &callee in &reachable {
            if callee == head || passed_on.contains(&callee) {
                continue;
            }
            for position in 0..known.procedures[callee].arguments.len() {
                found |= learn(&mut known, effects, &calls, callee, position);
            }
        }
        if !found {
            return known;
        }
    }
}

/// The module in which arguments of a procedure whose sizes the source does not tell are as large as the
/// procedure and its callees use them, where that is an expression in other arguments. An experiment can
/// make memory of that size; the memory of a user may be smaller where a use does not happen.
pub fn from_uses(module: &Module, id: ProcedureId) -> Module {
    let procedure = &module.procedures[id];
    let is_open = |procedure: &Procedure, var: VarId| {
        let last = procedure.variables[var].shape.last();
        last.is_some_and(|dim| matches!(dim.extent, Extent::Unknown | Extent::AssumedSize))
    };
    if !procedure
        .arguments
        .iter()
        .any(|&var| is_open(procedure, var))
    {
        return module.clone();
    }
    let counted = count(module, &Effects::of(module));
    let mut known = uses::with_single_objects(&counted);
    let effects = Effects::of(&known);
    let tree = Tree::of(&known.procedures[id]);
    let dependence = Dependence::of(&known, id, &effects, &tree);
    let extents = Extents {
        dependence: &dependence,
    };
    let mut procedure = known.procedures[id].clone();
    for var in procedure.arguments.clone() {
        if !is_open(&procedure, var) {
            continue;
        }
        let Some(ranges) = extents.shape(&mut procedure, var) else {
            continue;
        };
        for (dim, range) in ranges.into_iter().enumerate() {
            let declared = procedure.variables[var].shape[dim].lower;
            let mut b = Builder::new(&mut procedure);
            let ty = b.type_of(range.count);
            let [first, declared] = [range.lower, declared].map(|e| b.convert(e, ty));
            let before = b.sub(first, declared);
            let count = b.add(before, range.count);
            procedure.variables[var].shape[dim].extent = Extent::Count(count);
        }
    }
    known.procedures[id] = procedure;
    known
}

/// The calls of C functions, other than the head, that would have to know how much they are given: the
/// problems say so of an argument of theirs, or of a statement.
pub fn calls_without_size(
    module: &Module,
    head: ProcedureId,
    problems: &[Diagnostic],
) -> Vec<Span> {
    let lacking = without_size(module, head, problems, true);
    let all: Vec<ProcedureId> = module.procedures.ids().collect();
    calls_of(module, &all)
        .into_iter()
        .filter(|call| lacking.contains(&call.callee))
        .map(|call| module.procedures[call.caller].stmts[call.stmt].span)
        .collect()
}

/// Procedures of Fortran, other than the head, of which the problems say so.
pub fn procedures_without_size(
    module: &Module,
    head: ProcedureId,
    problems: &[Diagnostic],
) -> Vec<ProcedureId> {
    without_size(module, head, problems, false)
}

/// Functions of C, other than the head, of which the problems say so.
pub fn functions_without_size(
    module: &Module,
    head: ProcedureId,
    problems: &[Diagnostic],
) -> Vec<ProcedureId> {
    without_size(module, head, problems, true)
}

fn without_size(
    module: &Module,
    head: ProcedureId,
    problems: &[Diagnostic],
    scalars_by_value: bool,
) -> Vec<ProcedureId> {
    let spans: Vec<Span> = problems
        .iter()
        .filter(|problem| problem.code == UNKNOWN_EXTENT)
        .filter_map(|problem| Some(problem.labels.first()?.span))
        .collect();
    let lacks = |&id: &ProcedureId| {
        let procedure = &module.procedures[id];
        let mut formals = procedure.arguments.iter();
        let statements = procedure.all_statements();
        procedure.scalars_by_value == scalars_by_value
            && id != head
            && (formals.any(|&formal| spans.contains(&procedure.variables[formal].span))
                || statements
                    .iter()
                    .any(|&stmt| spans.contains(&procedure.stmts[stmt].span)))
    };
    module.procedures.ids().filter(lacks).collect()
}

/// A call of a known procedure.
struct Call {
    caller: ProcedureId,
    callee: ProcedureId,
    stmt: StmtId,
}

fn calls_of(module: &Module, procedures: &[ProcedureId]) -> Vec<Call> {
    let mut calls = Vec::new();
    for &caller in procedures {
        let procedure = &module.procedures[caller];
        for stmt in procedure.all_statements() {
            if let Stmt::Call {
                callee: Callee::Procedure(callee),
                ..
            } = *procedure.stmt(stmt)
            {
                calls.push(Call {
                    caller,
                    callee,
                    stmt,
                });
            }
        }
    }
    calls
}

/// Procedures that are passed to others: not all their calls are known.
fn passed_as_arguments(module: &Module, procedures: &[ProcedureId]) -> Vec<ProcedureId> {
    let procedures = procedures.iter();
    procedures
        .flat_map(|&id| module.procedures[id].handed_on())
        .collect()
}

/// Sets the size of one argument, if it is unknown and the calls tell it.
fn learn(
    module: &mut Module,
    effects: &Effects,
    calls: &[Call],
    callee: ProcedureId,
    position: usize,
) -> bool {
    let formal = module.procedures[callee].arguments[position];
    let variable = &module.procedures[callee].variables[formal];
    let is_unknown = |extent| matches!(extent, Extent::Unknown | Extent::AssumedSize);
    if variable.rank() != 1 || !is_unknown(variable.shape[0].extent) {
        return false;
    }
    let mut size: Option<Size> = None;
    for call in calls.iter().filter(|call| call.callee == callee) {
        if passes_its_own(module, call, formal, position) {
            continue;
        }
        let passed = passed_size(module, effects, call, position);
        match (&size, passed) {
            (_, Passed::Nothing) => {}
            (None, Passed::Size(passed)) => size = Some(passed),
            (Some(known), Passed::Size(passed)) if *known == passed => {}
            _ => return false,
        }
    }
    let Some(size) = size else {
        return false;
    };
    let mut own = calls
        .iter()
        .filter(|call| call.callee == callee && passes_its_own(module, call, formal, position));
    if !matches!(size, Size::Number(_)) && own.next().is_some() {
        return false;
    }
    let procedure = &mut module.procedures[callee];
    let count = size.build(procedure);
    procedure.variables[formal].shape[0].extent = Extent::Count(count);
    true
}

/// Whether a procedure that calls itself passes its own argument on: as many elements as it was passed.
/// Not where the size is an expression in arguments that may be others in that call.
fn passes_its_own(module: &Module, call: &Call, formal: VarId, position: usize) -> bool {
    let caller = &module.procedures[call.caller];
    call.caller == call.callee
        && matches!(caller.stmt(call.stmt), Stmt::Call { arguments, .. }
            if matches!(&arguments[position], Argument::Place(place) if *place == Access::whole(formal)))
}

/// How many elements a call passes.
enum Passed {
    /// The argument is absent.
    Nothing,
    Size(Size),
    Unknown,
}

/// A number of elements as a callee can compute it.
#[derive(Clone, PartialEq, Debug)]
enum Size {
    Number(i128),
    /// The callee's argument of this position.
    Argument(usize),
    Binary(contraflow_ir::BinaryOp, Box<Size>, Box<Size>),
}

impl Size {
    fn build(&self, procedure: &mut Procedure) -> ExprId {
        match self {
            Size::Number(value) => Builder::new(procedure).int(*value),
            Size::Argument(position) => {
                let formal = procedure.arguments[*position];
                Builder::new(procedure).load(formal)
            }
            Size::Binary(op, a, b) => {
                let (a, b) = (a.build(procedure), b.build(procedure));
                let mut builder = Builder::new(procedure);
                let ty = builder.type_of(a);
                let b = builder.convert(b, ty);
                builder.exact_binary(*op, a, b)
            }
        }
    }
}

fn passed_size(module: &Module, effects: &Effects, call: &Call, position: usize) -> Passed {
    let caller = &module.procedures[call.caller];
    let Stmt::Call { arguments, .. } = caller.stmt(call.stmt) else {
        return Passed::Unknown;
    };
    let Some(argument) = arguments.get(position) else {
        return Passed::Unknown;
    };
    let place = match argument {
        Argument::Absent => return Passed::Nothing,
        Argument::Place(place) => place,
        _ => return Passed::Unknown,
    };
    let site = Site {
        module,
        effects,
        call,
        arguments,
    };
    match site.elements(place) {
        Some(size) => Passed::Size(size),
        None => Passed::Unknown,
    }
}

struct Site<'a> {
    module: &'a Module,
    effects: &'a Effects,
    call: &'a Call,
    arguments: &'a [Argument],
}

impl Site<'_> {
    fn caller(&self) -> &Procedure {
        &self.module.procedures[self.call.caller]
    }

    /// The elements of a whole array, or from an element of a vector on.
    fn elements(&self, place: &Access) -> Option<Size> {
        let caller = self.caller();
        let variable = &caller.variables[place.var];
        if place.path.last() == Some(&Selector::Deref) {
            let (module, id) = (self.module, self.call.caller);
            let count = Pointers::block(module, id, place, &|_| true)?;
            return self.size(count, None);
        }
        if !variable.is_array() {
            return (place.path.is_empty() && self.is_scalar_of_its_own(place))
                .then_some(Size::Number(1));
        }
        if place.path.is_empty() && variable.allocation == Allocation::Pointer {
            return self.allocated(place.var);
        }
        let mut whole: Option<Size> = None;
        for dim in &variable.shape {
            let Extent::Count(count) = dim.extent else {
                return None;
            };
            let count = self.size(count, None)?;
            whole = Some(match whole {
                None => count,
                Some(Size::Number(a)) if let Size::Number(b) = count => Size::Number(a * b),
                Some(others) => Size::Binary(
                    contraflow_ir::BinaryOp::Multiply,
                    Box::new(others),
                    Box::new(count),
                ),
            });
        }
        let whole = whole?;
        match place.path.as_slice() {
            [] => Some(whole),
            [Selector::Index(subscripts)] if subscripts.len() == 1 && variable.rank() == 1 => {
                let first = literal(caller, subscripts[0])?;
                let lower = literal(caller, variable.shape[0].lower)?;
                match whole {
                    whole if first == lower => Some(whole),
                    // A C pointer into the middle may be used backwards as well.
                    Size::Number(count) if first > lower && self.starts_there(place) => {
                        Some(Size::Number(count - (first - lower)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The elements of memory that a local pointer gets once, before the call.
    fn allocated(&self, var: VarId) -> Option<Size> {
        let caller = self.caller();
        let closed = Pointers::closed(self.module, self.call.caller);
        let allocation = allocated_by(caller, var)?;
        let Stmt::Allocate { shape, .. } = caller.stmt(allocation) else {
            return None;
        };
        let [(_, count)] = shape.as_slice() else {
            return None;
        };
        (closed.contains(&var) && Tree::of(caller).dominates(allocation, self.call.stmt))
            .then(|| self.size(*count, Some(allocation)))?
    }

    /// Whether the address of a scalar is that of one number: not where old Fortran passes the first
    /// of several on.
    fn is_scalar_of_its_own(&self, place: &Access) -> bool {
        let variable = &self.caller().variables[place.var];
        let is_own = matches!(variable.storage, contraflow_ir::Storage::Local)
            || variable.passing == Passing::Value;
        is_own && variable.ty != contraflow_ir::Type::Character && !self.starts_there(place)
    }

    /// Whether the callee's array begins where it is told to, as an assumed-size one does.
    fn starts_there(&self, place: &Access) -> bool {
        let callee = &self.module.procedures[self.call.callee];
        let position = self.arguments.iter().position(
            |argument| matches!(argument, Argument::Place(other) if std::ptr::eq(other, place)),
        );
        position.is_some_and(|position| {
            let formal = &callee.variables[callee.arguments[position]];
            formal
                .shape
                .iter()
                .any(|dim| dim.extent == Extent::AssumedSize)
        })
    }

    /// A caller's expression as the callee can compute it; with the statement that evaluates it, if not
    /// all do.
    fn size(&self, e: ExprId, at: Option<StmtId>) -> Option<Size> {
        let caller = self.caller();
        if let Some(value) = literal(caller, e) {
            return Some(Size::Number(value));
        }
        match caller.expr(e) {
            Expr::Load(access) if access.path.is_empty() => self.passed_along(access.var, at),
            Expr::Convert(inner) => self.size(*inner, at),
            Expr::Binary(op, a, b) => {
                use contraflow_ir::BinaryOp::{Add, Multiply, Subtract};
                let (a, b) = (self.size(*a, at)?, self.size(*b, at)?);
                matches!(op, Add | Subtract | Multiply)
                    .then(|| Size::Binary(*op, Box::new(a), Box::new(b)))
            }
            _ => None,
        }
    }

    /// The position at which the caller passes an integer that it does not change from `at` on, and the
    /// callee gets it unchanged.
    fn passed_along(&self, var: VarId, at: Option<StmtId>) -> Option<Size> {
        let callee = &self.module.procedures[self.call.callee];
        let position = self.arguments.iter().position(|argument| match argument {
            Argument::Value(e) => {
                matches!(self.caller().expr(*e), Expr::Load(access) if *access == Access::whole(var))
            }
            Argument::Place(place) => *place == Access::whole(var),
            _ => false,
        })?;
        let formal = &callee.variables[callee.arguments[position]];
        let is_kept = formal.passing == Passing::Value
            || !self.effects.argument(self.call.callee, position).write;
        let is_settled = match at {
            None => self.writes(var).is_empty(),
            Some(at) => self.is_settled_by(var, at),
        };
        (formal.ty.is_integer() && !formal.is_array() && is_kept && is_settled)
            .then_some(Size::Argument(position))
    }

    fn writes(&self, var: VarId) -> Vec<StmtId> {
        let writes = |stmt: &StmtId| {
            let effects = self.effects.stmt(self.module, self.call.caller, *stmt);
            effects.writes.iter().any(|write| write.var == var)
        };
        let all = self.caller().all_statements().into_iter();
        all.filter(writes).collect()
    }

    /// Whether a variable holds at the call what it holds where a statement before it runs: all that
    /// sets it stands before that statement, and it has no other name.
    fn is_settled_by(&self, var: VarId, at: StmtId) -> bool {
        let order = self.caller().all_statements();
        let position = |stmt: StmtId| order.iter().position(|&other| other == stmt);
        let tree = Tree::of(self.caller());
        let has_other_names = !self.effects.overlapping(self.call.caller, var).is_empty();
        !has_other_names
            && self
                .writes(var)
                .into_iter()
                .all(|write| position(write) < position(at) && !tree.contains(write, at))
    }
}

/// The only statement that lets a pointer lead somewhere, if it allocates memory. Where the pointer is
/// set to nothing, or its memory is released, nothing can be passed.
fn allocated_by(procedure: &Procedure, var: VarId) -> Option<StmtId> {
    let is_whole = |target: &Access| *target == Access::whole(var);
    let moving =
        procedure
            .all_statements()
            .into_iter()
            .filter(|&stmt| match procedure.stmt(stmt) {
                Stmt::Allocate { target, .. } => target.var == var,
                Stmt::PointerAssign { target, value, .. } => target.var == var && value.is_some(),
                Stmt::Assign { target, .. } => is_whole(target),
                _ => false,
            });
    let moving: Vec<StmtId> = moving.collect();
    match moving.as_slice() {
        &[only] => {
            matches!(procedure.stmt(only), Stmt::Allocate { target, .. } if is_whole(target))
                .then_some(only)
        }
        _ => None,
    }
}

/// The value of an integer literal or of a named constant.
fn literal(procedure: &Procedure, e: ExprId) -> Option<i128> {
    procedure.constant_integer(e).map(i128::from)
}
