//! Split reversal of calls: `foo_fwd` runs the primal and leaves what the backward sweep needs in
//! arguments; `foo_rev` is the backward sweep alone. The caller owns what crosses from one to the
//! other: tapes, stored decisions, and locals whose last value is used. So nothing is hidden, and
//! several calls can be in flight.
//!
//! A call is split where keeping what crosses is cheaper than running the callee forward again
//! (which joint reversal does), and where the caller can tell how large it is: its dimensions must
//! be expressions of scalar arguments that the caller can evaluate at its own entry.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, Builder, Callee, Dim, Expr, ExprId, ExprNode, Extent, Intent, Passing,
    Procedure, ProcedureId, ProcedureKind, ProcedureRole, Role, Selector, Stmt, StmtId, Storage,
    VarId,
};

use super::extent::{Extents, Range};
use super::tape::Purpose;

/// The two procedures of a split adjoint.
#[derive(Clone, Debug)]
pub struct Split {
    /// The forward sweep.
    pub forward: Procedure,
    /// The backward sweep.
    pub backward: Procedure,
    /// What the caller keeps in between, in the order of the extra arguments.
    pub crossing: Vec<VarId>,
    /// Which formals of the primal the backward sweep reads, as they are after the call.
    pub reads_back: Vec<bool>,
    /// Which formals of the primal the backward sweep writes.
    pub writes_back: Vec<bool>,
    /// Work of the forward sweep, in operations.
    pub work: f64,
    /// Bytes that cross.
    pub bytes: f64,
}

impl Split {
    /// Whether keeping what crosses costs less than running the callee forward again.
    pub fn pays(&self) -> bool {
        // Most calls stand in loops, where what crosses one round is used again in the next.
        crate::checkpoint::Weights::default().warm_byte * self.bytes < self.work
    }
}

/// What a caller needs to know of a split callee.
#[derive(Clone, Debug)]
pub struct SplitCallee {
    /// The forward sweep's procedure.
    pub forward: ProcedureId,
    /// The backward sweep's procedure.
    pub backward: ProcedureId,
    /// The split itself.
    pub split: Split,
}

/// Makes the two procedures of the sweeps in `out`, if what crosses can be passed. `may_write` tells
/// whether the primal may write the argument of a position: what it does not, no sweep does.
pub fn make(
    out: &Procedure,
    forward: &[StmtId],
    backward: &[StmtId],
    primal: &Procedure,
    id: ProcedureId,
    work: f64,
    may_write: &dyn Fn(usize) -> bool,
) -> Option<Split> {
    let used = used_in(out, backward);
    let defined = used_in(out, forward);
    let mut crossing = Vec::new();
    for (var, variable) in out.variables.iter() {
        let is_own = matches!(variable.storage, Storage::Local)
            || out.result() == Some(var)
            || primal.result() == Some(var);
        let kept = match variable.role {
            Role::Primal => is_own && !is_loop_variable(out, var),
            Role::Tape | Role::Disk | Role::Temporary => {
                used.contains(&var) && defined.contains(&var)
            }
            Role::Shadow { .. } => false,
        };
        let written_before_read = variable.role == Role::Temporary && !is_slot(out, forward, var);
        if kept && used.contains(&var) && defined.contains(&var) && !written_before_read {
            if variable.role == Role::Disk
                || variable.allocation != contraflow_ir::Allocation::Fixed
                || !variable.ty.is_numeric()
                    && !matches!(variable.ty, contraflow_ir::Type::Logical { .. })
            {
                return None;
            }
            // Neither a value of a function nor what has two names can become an argument.
            if primal.result() == Some(var) || has_overlay(out, var) {
                return None;
            }
            crossing.push(var);
        }
    }
    if uses_loop_variable_outside(out, backward) {
        return None;
    }
    let by_value_written = primal.arguments.iter().any(|&formal| {
        primal.variables[formal].passing == Passing::Value && writes(out, forward, formal)
    });
    if by_value_written || has_growing(out, forward) {
        return None;
    }
    let bytes = crossing
        .iter()
        .map(|&var| crate::checkpoint::bytes_of(out, var))
        .sum();
    Some(Split {
        forward: forward_procedure(out, forward, primal, id, &crossing),
        backward: backward_procedure(out, backward, primal, id, &crossing),
        reads_back: primal
            .arguments
            .iter()
            .map(|formal| used.contains(formal))
            .collect(),
        writes_back: primal
            .arguments
            .iter()
            .enumerate()
            .map(|(position, &formal)| may_write(position) && writes(out, backward, formal))
            .collect(),
        crossing,
        work,
        bytes,
    })
}

fn forward_procedure(
    out: &Procedure,
    body: &[StmtId],
    primal: &Procedure,
    id: ProcedureId,
    crossing: &[VarId],
) -> Procedure {
    let mut procedure = out.clone();
    procedure.role = ProcedureRole::Forward { of: id };
    procedure.kind = ProcedureKind::Subroutine;
    procedure.body = body.to_vec();
    let mut arguments = primal.arguments.clone();
    arguments.extend(primal.result());
    arguments.extend(crossing);
    set_arguments(&mut procedure, arguments, crossing, Intent::Out);
    procedure
}

fn backward_procedure(
    out: &Procedure,
    body: &[StmtId],
    primal: &Procedure,
    id: ProcedureId,
    crossing: &[VarId],
) -> Procedure {
    let mut procedure = out.clone();
    procedure.role = ProcedureRole::Backward { of: id };
    procedure.kind = ProcedureKind::Subroutine;
    procedure.body = body.to_vec();
    let mut arguments: Vec<VarId> = out
        .arguments
        .iter()
        .copied()
        .filter(|&argument| primal.result() != Some(argument))
        .collect();
    if let Some(result) = primal.result() {
        procedure.variables[result].storage = Storage::Local;
    }
    arguments.extend(crossing);
    set_arguments(&mut procedure, arguments, crossing, Intent::InOut);
    procedure
}

fn set_arguments(
    procedure: &mut Procedure,
    arguments: Vec<VarId>,
    crossing: &[VarId],
    intent: Intent,
) {
    for (index, &argument) in arguments.iter().enumerate() {
        let variable = &mut procedure.variables[argument];
        variable.storage = Storage::Argument {
            index: index as u32,
        };
        if crossing.contains(&argument) {
            variable.passing = Passing::Reference;
            variable.intent = intent;
        }
    }
    for (var, variable) in procedure.variables.iter_mut() {
        if variable.is_argument() && !arguments.contains(&var) {
            variable.storage = Storage::Local;
        }
    }
    procedure.arguments = arguments;
}

fn is_loop_variable(out: &Procedure, var: VarId) -> bool {
    out.stmts
        .iter()
        .any(|(_, node)| matches!(node.stmt, Stmt::Loop { variable, .. } if variable == var))
}

/// Whether the backward sweep reads the variable of a loop after that loop: what it holds there is
/// not among what crosses.
fn uses_loop_variable_outside(out: &Procedure, backward: &[StmtId]) -> bool {
    let mut sweep = out.clone();
    sweep.body = backward.to_vec();
    let tree = crate::analysis::Tree::of(&sweep);
    let mut found = false;
    sweep.walk_block(backward, &mut |stmt| {
        for root in sweep.stmt(stmt).expressions() {
            for read in sweep.reads_of_expr(root) {
                let is_inside = tree.owners(stmt).iter().any(|&owner| {
                    matches!(sweep.stmt(owner),
                        Stmt::Loop { variable, .. } if *variable == read.var)
                });
                found |= !is_inside && is_loop_variable(&sweep, read.var);
            }
        }
    });
    found
}

/// Whether the forward sweep writes a scalar of the generated code (a slot), rather than using a
/// temporary within one statement.
fn is_slot(out: &Procedure, forward: &[StmtId], var: VarId) -> bool {
    writes(out, forward, var)
}

fn writes(out: &Procedure, block: &[StmtId], var: VarId) -> bool {
    let is_it = |named: VarId| with_bases(out, named).any(|one| one == var);
    let mut found = false;
    out.walk_block(block, &mut |stmt| {
        found |= match out.stmt(stmt) {
            Stmt::Assign { target, .. } | Stmt::Fill { target, .. } | Stmt::Copy { target, .. } => {
                is_it(target.var)
            }
            Stmt::Loop { variable, .. } => is_it(*variable),
            Stmt::Call { arguments, .. } => arguments
                .iter()
                .any(|argument| matches!(argument, Argument::Place(place) if is_it(place.var))),
            _ => false,
        };
    });
    found
}

fn has_growing(out: &Procedure, block: &[StmtId]) -> bool {
    let mut found = false;
    out.walk_block(block, &mut |stmt| {
        found |= matches!(
            out.stmt(stmt),
            Stmt::Push { .. } | Stmt::Allocate { .. } | Stmt::Free { .. } | Stmt::Opaque { .. }
        );
    });
    found
}

/// The variables that a block names, and those whose memory it reaches by another name.
fn used_in(out: &Procedure, block: &[StmtId]) -> BTreeSet<VarId> {
    let named = named_in(out, block);
    named
        .into_iter()
        .flat_map(|var| with_bases(out, var))
        .collect()
}

/// Whether another variable shares the memory of `var`.
fn has_overlay(out: &Procedure, var: VarId) -> bool {
    out.variables
        .iter()
        .any(|(_, other)| matches!(other.storage, Storage::Overlay { base, .. } if base == var))
}

/// A variable, the one whose memory it shares, and so on.
fn with_bases(out: &Procedure, var: VarId) -> impl Iterator<Item = VarId> {
    std::iter::successors(Some(var), |&var| match out.variables[var].storage {
        Storage::Overlay { base, .. } => Some(base),
        _ => None,
    })
}

fn named_in(out: &Procedure, block: &[StmtId]) -> BTreeSet<VarId> {
    let mut used = BTreeSet::new();
    out.walk_block(block, &mut |stmt| {
        for root in out.stmt(stmt).expressions() {
            out.walk_expr(root, &mut |e| match out.expr(e) {
                Expr::Load(access)
                | Expr::Required { access, .. }
                | Expr::Bound { array: access, .. }
                | Expr::Present(access) => {
                    used.insert(access.var);
                }
                Expr::Associated { pointer, target } => used.extend([pointer.var, target.var]),
                Expr::Opaque { reads, .. } => used.extend(reads.iter().map(|read| read.var)),
                _ => {}
            });
        }
        match out.stmt(stmt) {
            Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => {
                used.insert(target.var);
            }
            Stmt::Copy { target, source } => {
                used.insert(target.var);
                used.insert(source.var);
            }
            Stmt::Call {
                arguments, result, ..
            } => {
                for argument in arguments {
                    if let Argument::Place(place) = argument {
                        used.insert(place.var);
                    }
                }
                used.extend(result.iter().map(|place| place.var));
            }
            _ => {}
        }
    });
    used
}

impl SplitCallee {
    /// How a caller keeps what crosses at one call: type and shape of each, in the caller's
    /// expressions; `None` where a size cannot be told at the caller's entry.
    pub fn purposes(
        &self,
        out: &mut Procedure,
        extents: &Extents<'_, '_>,
        primal: &Procedure,
        arguments: &[Argument],
    ) -> Option<Vec<Kept>> {
        let forward = &self.split.forward;
        let actual = actual_values(out, primal, arguments);
        let mut kept = Vec::new();
        for &var in &self.split.crossing {
            let variable = &forward.variables[var];
            if variable.ty == contraflow_ir::Type::Character {
                return None;
            }
            let mut shape = Vec::new();
            for dim in &variable.shape {
                let Extent::Count(count) = dim.extent else {
                    return None;
                };
                let lower = substitute(out, forward, dim.lower, &actual)?;
                let count = substitute(out, forward, count, &actual)?;
                if !extents.is_fixed(out, lower) || !extents.is_fixed(out, count) {
                    return None;
                }
                shape.push(Range { lower, count });
            }
            kept.push(Kept {
                name: variable.name.clone(),
                ty: variable.ty,
                spelling: variable.spelling_of(variable.ty),
                shape,
            });
        }
        Some(kept)
    }
}

/// Something that the caller keeps between the two sweeps of a callee.
#[derive(Clone, Debug)]
pub struct Kept {
    name: String,
    ty: contraflow_ir::Type,
    spelling: Option<String>,
    shape: Vec<Range>,
}

impl Kept {
    /// What its tape is for.
    pub fn purpose(&self) -> Purpose<'_> {
        Purpose {
            is_known_at_entry: true,
            name: &self.name,
            ty: self.ty,
            spelling: self.spelling.clone(),
            length: None,
            shape: self.shape.clone(),
        }
    }
}

/// The values of a callee's formals in a call, records among them.
pub(super) fn actual_values(
    out: &mut Procedure,
    callee: &Procedure,
    arguments: &[Argument],
) -> BTreeMap<VarId, ExprId> {
    let mut actual = BTreeMap::new();
    for (&formal, argument) in callee.arguments.iter().zip(arguments) {
        let value = match argument {
            Argument::Value(e) => *e,
            Argument::Place(place) if place.path.is_empty() => {
                let ty = out.variables[place.var].ty;
                Builder::new(out).expr(Expr::Load(place.clone()), ty)
            }
            _ => continue,
        };
        actual.insert(formal, value);
    }
    actual
}

/// The place of a component of a record, or of the first record behind a pointer, in the caller.
fn component(
    out: &mut Procedure,
    callee: &Procedure,
    place: &Access,
    actual: &BTreeMap<VarId, ExprId>,
) -> Option<Access> {
    let Expr::Load(record) = out.expr(*actual.get(&place.var)?) else {
        return None;
    };
    let mut found = record.clone();
    let path = match place.path.split_first()? {
        (Selector::Index(subscripts), rest) => {
            let dims = &callee.variables[place.var].shape;
            let is_first = |(&e, dim): (&ExprId, &Dim)| callee.same_expr(e, dim.lower);
            if !subscripts.iter().zip(dims).all(is_first) {
                return None;
            }
            rest
        }
        _ => &place.path,
    };
    if path.iter().any(|s| !matches!(s, Selector::Field(_))) {
        return None;
    }
    let shape = &out.variables[found.var].shape;
    if found.path.is_empty() && !shape.is_empty() {
        let first = shape.iter().map(|dim| dim.lower).collect();
        found.path.push(Selector::Index(first));
    }
    found.path.extend(path.iter().cloned());
    Some(found)
}

/// An integer expression of a callee with actual values for its scalar formals.
pub(super) fn substitute(
    out: &mut Procedure,
    callee: &Procedure,
    e: ExprId,
    actual: &BTreeMap<VarId, ExprId>,
) -> Option<ExprId> {
    let node = callee.exprs[e].clone();
    let expr = match node.expr {
        Expr::Load(Access { var, ref path }) if path.is_empty() => {
            if let Some(&value) = actual.get(&var) {
                return Some(value);
            }
            match callee.variables[var].storage {
                Storage::Constant {
                    value: Some(value), ..
                } => return substitute(out, callee, value, actual),
                _ => return None,
            }
        }
        Expr::Load(ref place) => Expr::Load(component(out, callee, place, actual)?),
        Expr::Integer(_) => node.expr,
        Expr::Unary(op, x) => Expr::Unary(op, substitute(out, callee, x, actual)?),
        Expr::Convert(x) => Expr::Convert(substitute(out, callee, x, actual)?),
        Expr::Binary(op, x, y) => Expr::Binary(
            op,
            substitute(out, callee, x, actual)?,
            substitute(out, callee, y, actual)?,
        ),
        Expr::Select {
            condition,
            then,
            otherwise,
        } => Expr::Select {
            condition: substitute(out, callee, condition, actual)?,
            then: substitute(out, callee, then, actual)?,
            otherwise: substitute(out, callee, otherwise, actual)?,
        },
        Expr::Intrinsic(f, list) => Expr::Intrinsic(
            f,
            list.into_iter()
                .map(|x| substitute(out, callee, x, actual))
                .collect::<Option<Vec<_>>>()?,
        ),
        _ => return None,
    };
    Some(out.exprs.add(ExprNode { expr, ..node }))
}

impl SplitCallee {
    /// The call of the forward sweep, with the places that keep what crosses.
    pub fn forward_call(
        &self,
        arguments: &[Argument],
        result: Option<&Access>,
        places: &[Access],
    ) -> Stmt {
        let mut actual = arguments.to_vec();
        actual.extend(result.cloned().map(Argument::Place));
        actual.extend(places.iter().cloned().map(Argument::Place));
        Stmt::Call {
            callee: Callee::Procedure(self.forward),
            arguments: actual,
            result: None,
        }
    }
}
