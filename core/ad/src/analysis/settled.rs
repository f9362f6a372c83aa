//! Integers that are the same throughout a call: what the procedure never writes, and locals that are
//! set once, to what such integers make.
//!
//! ```text
//! nm1 = n - 1                 nm1 settled: n - 1
//! do i = 1, nm1
//! do i = 1, grid%nx           settled if nothing writes an integer of `grid`
//! ```
//!
//! What is settled can be evaluated at entry, by its definition, so that memory of the generated code
//! gets a size. A local that is set in one place only holds that value wherever it is read, for
//! before it holds nothing.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Allocation, BinaryOp, BoundKind, Dim, Expr, ExprId, Intrinsic, Module, Procedure,
    ProcedureId, Selector, Stmt, StmtId, Storage, Type, VarId, place_of,
};

use super::effects::{Effects, StmtEffects};

/// What is settled in one procedure.
#[derive(Debug)]
pub struct Settled {
    writes: BTreeMap<VarId, Vec<Write>>,
    /// Variables of which the procedure asks whether they are there.
    asked: BTreeSet<VarId>,
    /// Arrays whose elements are read or written whenever the procedure runs: they are not empty.
    followed: BTreeSet<VarId>,
    definitions: Vec<(Access, ExprId)>,
}

#[derive(Clone, Debug)]
struct Write {
    place: Access,
    /// Whether the place is a real or complex number or several, and not memory that is exchanged.
    is_number: bool,
    /// The value, if the statement is a plain assignment.
    value: Option<ExprId>,
}

impl Settled {
    /// Finds it.
    pub fn of(
        module: &Module,
        id: ProcedureId,
        effects: &Effects,
        touched: &[(StmtId, StmtEffects)],
    ) -> Self {
        let procedure = &module.procedures[id];
        let mut writes: BTreeMap<VarId, Vec<Write>> = BTreeMap::new();
        for (stmt, touched) in touched {
            for place in &touched.writes {
                let value = match procedure.stmt(*stmt) {
                    Stmt::Assign { target, value } if target == place => Some(*value),
                    _ => None,
                };
                let write = Write {
                    place: place.clone(),
                    is_number: !touched.reshapes.contains(place)
                        && is_number(module, procedure, place),
                    value,
                };
                for &var in effects.overlapping(id, place.var) {
                    writes.entry(var).or_default().push(write.clone());
                }
                writes.entry(place.var).or_default().push(write);
            }
        }
        let mut settled = Self {
            writes,
            asked: asked_for(procedure),
            followed: followed(procedure),
            definitions: Vec::new(),
        };
        settled.define(module, procedure);
        settled
    }

    /// Locals that are set once, to something that is settled; those that build on others last.
    fn define(&mut self, module: &Module, procedure: &Procedure) {
        let mut candidates: Vec<(Access, ExprId)> = self
            .writes
            .iter()
            .flat_map(|(&var, writes)| writes.iter().map(move |write| (var, write)))
            .filter_map(|(var, write)| {
                let is_own = write.place.var == var
                    && procedure.variables[var].storage == Storage::Local
                    && is_plain(module, procedure, &write.place);
                let value = write.value.filter(|_| is_own)?;
                let once = self.changes(module, procedure, &write.place).count() == 1;
                once.then(|| (write.place.clone(), value))
            })
            .collect();
        loop {
            let before = self.definitions.len();
            candidates.retain(|(place, value)| {
                let known = evaluates_at_entry(procedure, *value, &|access| {
                    self.is_entry_value(module, procedure, access)
                        || self.definition(access).is_some()
                });
                if known {
                    self.definitions.push((place.clone(), *value));
                }
                !known
            });
            if self.definitions.len() == before {
                return;
            }
        }
    }

    /// Whether a statement may write a variable.
    pub fn is_written(&self, var: VarId) -> bool {
        self.writes.contains_key(&var)
    }

    /// The writes that may change the integer `read`.
    fn changes<'a>(
        &'a self,
        module: &'a Module,
        procedure: &'a Procedure,
        read: &'a Access,
    ) -> impl Iterator<Item = &'a Write> {
        self.writes
            .get(&read.var)
            .into_iter()
            .flatten()
            .filter(move |write| may_change(module, procedure, &write.place, write.is_number, read))
    }

    /// What a local that is set once is set to.
    pub fn definition(&self, place: &Access) -> Option<ExprId> {
        let found = self.definitions.iter().find(|(other, _)| other == place);
        found.map(|&(_, value)| value)
    }

    /// Whether a variable, or an integer component of a record, holds throughout what it holds at entry.
    pub fn is_entry_value(&self, module: &Module, procedure: &Procedure, place: &Access) -> bool {
        let Some(variable) = procedure.variables.get(place.var) else {
            return false;
        };
        let is_there = !variable.optional && (variable.outlives_call() || variable.is_argument());
        if variable.is_constant() && place.path.is_empty() {
            return true;
        }
        is_there
            && match place.path.is_empty() {
                true => !self.is_written(place.var),
                false => {
                    let is_behind = matches!(place.path.first(), Some(Selector::Index(_)));
                    (!is_behind || self.followed.contains(&place.var))
                        && !self.asked.contains(&place.var)
                        && is_plain(module, procedure, place)
                        && self.changes(module, procedure, place).next().is_none()
                }
            }
    }
}

fn asked_for(procedure: &Procedure) -> BTreeSet<VarId> {
    let mut asked = BTreeSet::new();
    for (_, node) in procedure.exprs.iter() {
        if let Expr::Present(access) = &node.expr {
            asked.insert(access.var);
        }
    }
    asked
}

/// A pointer that only some runs follow may lead nowhere in the others.
fn followed(procedure: &Procedure) -> BTreeSet<VarId> {
    let mut followed = BTreeSet::new();
    let mut note = |access: &Access| {
        if matches!(access.path.first(), Some(Selector::Index(_))) {
            followed.insert(access.var);
        }
    };
    for &stmt in &procedure.body {
        if let Stmt::Assign { target, .. } = procedure.stmt(stmt) {
            note(target);
        }
        for root in procedure.stmt(stmt).expressions() {
            certain_reads(procedure, root, &mut note);
        }
    }
    followed
}

/// What evaluating an expression certainly reads.
fn certain_reads(procedure: &Procedure, e: ExprId, note: &mut impl FnMut(&Access)) {
    if let Expr::Load(access) = procedure.expr(e) {
        note(access);
    }
    let may_be_skipped = matches!(
        procedure.expr(e),
        Expr::Select { .. }
            | Expr::Binary(
                BinaryOp::AndThen | BinaryOp::OrElse | BinaryOp::And | BinaryOp::Or,
                ..
            )
    );
    let children = procedure.expr(e).children();
    let certain = if may_be_skipped { 1 } else { children.len() };
    for child in children.into_iter().take(certain) {
        certain_reads(procedure, child, note);
    }
}

/// Whether a place is a scalar integer that is there whenever its variable is: a variable, or a
/// component of a record, or of the first one behind a pointer.
fn is_plain(module: &Module, procedure: &Procedure, place: &Access) -> bool {
    let variable = &procedure.variables[place.var];
    let mut ty = variable.ty;
    if variable.allocation != Allocation::Fixed {
        return false;
    }
    for (depth, selector) in place.path.iter().enumerate() {
        match (selector, ty) {
            (Selector::Index(subscripts), Type::Record(_)) if depth == 0 => {
                let is_first =
                    |(&subscript, dim): (&ExprId, &Dim)| procedure.same_expr(subscript, dim.lower);
                if !subscripts.iter().zip(&variable.shape).all(is_first) {
                    return false;
                }
            }
            (Selector::Field(field), Type::Record(record)) => {
                let record = &module.records[record];
                let field = &record.fields[*field as usize];
                if record.is_union || field.allocation != Allocation::Fixed {
                    return false;
                }
                ty = field.ty;
            }
            _ => return false,
        }
    }
    matches!(ty, Type::Integer { .. })
        && place_of(module, procedure, place).is_ok_and(|place| place.rank == 0)
}

/// Whether a place holds real or complex numbers only.
pub fn is_number(module: &Module, procedure: &Procedure, place: &Access) -> bool {
    place_of(module, procedure, place)
        .is_ok_and(|place| matches!(place.ty, Type::Real { .. } | Type::Complex { .. }))
}

/// Whether writing a place, of a variable that may share memory with that of `read`, may change the
/// integer `read`. Writing a real number does not, whatever pointers are involved: both languages leave
/// undefined what an integer holds that was written as something else. (Within COMMON and EQUIVALENCE
/// old programs do it all the same.)
pub fn may_change(
    module: &Module,
    procedure: &Procedure,
    write: &Access,
    is_number: bool,
    read: &Access,
) -> bool {
    let is_overlay = |access: &Access| {
        let variable = &procedure.variables[access.var];
        let is_stated = matches!(
            variable.storage,
            Storage::Common { .. } | Storage::Overlay { .. }
        );
        is_stated || goes_through_union(module, procedure, access)
    };
    let apart = write.var == read.var && in_different_components(module, procedure, write, read);
    !apart && (!is_number || is_overlay(write) || is_overlay(read))
}

/// Whether two places in one record variable are in different components, reached without pointers.
fn in_different_components(module: &Module, procedure: &Procedure, a: &Access, b: &Access) -> bool {
    let mut ty = procedure.variables[a.var].ty;
    for pair in a.path.iter().zip(&b.path) {
        match (pair, ty) {
            ((Selector::Field(x), Selector::Field(y)), Type::Record(record)) => {
                let record = &module.records[record];
                if record.is_union {
                    return false;
                }
                if x != y {
                    return true;
                }
                let field = &record.fields[*x as usize];
                if field.allocation == Allocation::Pointer {
                    return false;
                }
                ty = field.ty;
            }
            ((Selector::Index(_), Selector::Index(_)), _) => {}
            _ => return false,
        }
    }
    false
}

fn goes_through_union(module: &Module, procedure: &Procedure, access: &Access) -> bool {
    let mut ty = procedure.variables[access.var].ty;
    access.path.iter().any(|selector| match (selector, ty) {
        (Selector::Field(field), Type::Record(record)) => {
            ty = module.records[record].fields[*field as usize].ty;
            module.records[record].is_union
        }
        _ => false,
    })
}

/// Whether an integer expression can be evaluated at entry, where places of which `is_known` holds have
/// the values that they have later.
pub fn evaluates_at_entry(
    procedure: &Procedure,
    e: ExprId,
    is_known: &dyn Fn(&Access) -> bool,
) -> bool {
    let is_nonzero = |e: ExprId| matches!(procedure.expr(e), Expr::Integer(value) if *value != 0);
    let mut fixed = true;
    procedure.walk_expr(e, &mut |node| match procedure.expr(node) {
        Expr::Load(access) => fixed &= is_known(access),
        Expr::Present(access) => fixed &= access.path.is_empty() && is_known(access),
        Expr::Bound {
            kind: BoundKind::Length,
            ..
        } => {}
        Expr::Bound { array, .. } => fixed &= is_known(&Access::whole(array.var)),
        Expr::Required { .. } | Expr::Opaque { .. } | Expr::Associated { .. } => fixed = false,
        // At entry nothing guards against a zero divisor.
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, by) if !is_nonzero(*by) => {
            fixed = false;
        }
        Expr::Binary(BinaryOp::Power, base, by) if ![*base, *by].iter().any(|&e| is_nonzero(e)) => {
            fixed = false;
        }
        Expr::Intrinsic(Intrinsic::Modulo, list)
            if !list.last().is_some_and(|&by| is_nonzero(by)) =>
        {
            fixed = false;
        }
        _ => {}
    });
    fixed
}
