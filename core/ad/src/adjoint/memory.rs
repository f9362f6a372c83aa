//! Memory that comes and goes while the primal runs.
//!
//! A local that is allocated once, at the top, keeps its memory and its shadow to the end of the
//! adjoint: what the primal frees is freed there. All other allocatables are *mirrored*: the
//! backward sweep undoes each change of memory in its turn,
//!
//! ```text
//! forward                          backward
//! allocate (a(shape))              deallocate (a_b), deallocate (a)
//! shape of a → tape                allocate (a(shape from tape)), allocate (a_b(same shape)), a_b = 0
//! deallocate (a)
//! ```
//!
//! (Pointers are treated in `emit::pointers`.)
//!
//! so that at every point of the backward sweep `a` is allocated exactly if and as it was at that
//! point of the forward sweep, and `a_b` with it. Between the sweeps shadows of what is allocated
//! then are made, at zero. What `a` holds is saved before it is freed only if it is needed, as
//! before any other write. A shape that can be evaluated again is not taped.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Allocation, Expr, ExprId, Extent, Module, Passing, Procedure, Selector, Stmt, StmtId,
    Storage, Type, VarId,
};

use super::Order;
use super::extent::{Extents, Range};
use crate::allocation::holds_allocatables;
use crate::analysis::{Dependence, StmtEffects, Tree};
use crate::links;

/// Lower bound and extent per dimension.
pub type Shape = Vec<(Option<ExprId>, ExprId)>;

/// What changes memory in one procedure.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    changes: BTreeMap<VarId, Vec<StmtId>>,
    mirrored: BTreeSet<VarId>,
    balanced: BTreeMap<VarId, Option<StmtId>>,
    records: BTreeSet<VarId>,
    associations: BTreeSet<StmtId>,
    associated: BTreeSet<VarId>,
    /// Variables through which pointers are reached that change.
    leading: BTreeSet<VarId>,
}

impl Memory {
    /// Reads the statements of the procedure that an order is for.
    pub fn of_order(
        order: &Order<'_>,
        primal: &Procedure,
        tree: &Tree,
        dependence: &Dependence<'_>,
    ) -> Self {
        let extents = Extents { dependence };
        Self::of(
            order.module,
            primal,
            tree,
            &|stmt| order.effects.stmt(order.module, order.id, stmt),
            &|var| order.effects.overlapping(order.id, var).is_empty(),
            &|e| extents.is_fixed(primal, e),
            &|stmt, target| {
                let is_local = |var: VarId| primal.variables[var].storage == Storage::Local;
                let others = order.effects.overlapping(order.id, target.var);
                if primal.scalars_by_value {
                    return is_own_address(order.module, primal, stmt, target, others);
                }
                // What the pointer leads to must be nobody else's where it changes, or goes.
                is_local(target.var)
                    && match primal.stmt(stmt) {
                        Stmt::Free { .. } => others
                            .iter()
                            .all(|&other| is_local(other) || !is_pointer(primal, other)),
                        _ => {
                            target.path.is_empty()
                                || others
                                    .iter()
                                    .all(|&other| is_local(other) || !holds_links(primal, other))
                        }
                    }
            },
        )
    }

    /// Reads the statements of a procedure.
    /// `is_settled` tells of expressions whether they have the same value wherever they stand.
    fn of(
        module: &Module,
        primal: &Procedure,
        tree: &Tree,
        effects: &impl Fn(StmtId) -> StmtEffects,
        is_alone: &impl Fn(VarId) -> bool,
        is_settled: &impl Fn(ExprId) -> bool,
        is_own: &impl Fn(StmtId, &Access) -> bool,
    ) -> Self {
        let mut changes: BTreeMap<VarId, Vec<StmtId>> = BTreeMap::new();
        let mut parts = BTreeSet::new();
        let mut reshaped: BTreeMap<VarId, Vec<Access>> = BTreeMap::new();
        for stmt in primal.all_statements() {
            for place in effects(stmt).reshapes {
                let stmts = changes.entry(place.var).or_default();
                if !stmts.contains(&stmt) {
                    stmts.push(stmt);
                }
                if !place.path.is_empty() {
                    parts.insert(place.var);
                }
                reshaped.entry(place.var).or_default().push(place);
            }
        }
        let asked = asked_for(primal);
        let mirrored: BTreeSet<VarId> = changes
            .iter()
            .filter(|(var, stmts)| {
                let can_be = match primal.variables[**var].allocation {
                    Allocation::Allocatable => true,
                    // A pointer tells neither whether it has memory nor how much.
                    Allocation::Pointer => {
                        is_alone(**var) && again(primal, tree, stmts, is_settled).is_some()
                    }
                    Allocation::Fixed => false,
                };
                can_be
                    && !parts.contains(*var)
                    && (asked.contains(var) || varies(primal, tree, **var, stmts))
            })
            .map(|(&var, _)| var)
            .collect();
        let balanced = mirrored
            .iter()
            .filter_map(|&var| Some((var, balanced_in(primal, tree, &changes[&var])?)))
            .collect();
        let records = changes
            .keys()
            .copied()
            .filter(|&var| {
                parts_are_allocatable(&reshaped[&var], primal, module)
                    && holds_allocatables(module, primal.variables[var].ty)
            })
            .collect();
        let associations: BTreeSet<StmtId> = primal
            .all_statements()
            .into_iter()
            .filter(|&stmt| {
                links::target_of(primal.stmt(stmt)).is_some_and(|target| {
                    let varies = !target.path.is_empty()
                        || primal.scalars_by_value && !is_alone(target.var)
                        || changes
                            .get(&target.var)
                            .is_some_and(|stmts| varies(primal, tree, target.var, stmts));
                    varies
                        && !mirrored.contains(&target.var)
                        && is_own(stmt, target)
                        && links::kind_of(module, primal, target).is_some()
                })
            })
            .collect();
        let associated = associations
            .iter()
            .filter_map(|&stmt| links::target_of(primal.stmt(stmt)))
            .filter(|target| target.path.is_empty())
            .map(|target| target.var)
            .collect();
        let leading = changes
            .keys()
            .copied()
            .filter(|&var| primal.scalars_by_value && leads_on(module, primal.variables[var].ty))
            .collect();
        Self {
            leading,
            associated,
            associations,
            records,
            changes,
            mirrored,
            balanced,
        }
    }

    /// Whether each change of a variable's memory is undone in its turn.
    pub fn is_mirrored(&self, var: VarId) -> bool {
        self.mirrored.contains(&var)
    }

    /// Whether one statement allocates a variable and another, later in the same block, frees it: it
    /// has no memory but between them.
    pub fn is_balanced(&self, var: VarId) -> bool {
        self.balanced.contains_key(&var)
    }

    /// The loop in each iteration of which a balanced variable has memory of its own, so that no
    /// other iteration's writes can change what it holds.
    pub fn lifetime(&self, var: VarId) -> Option<StmtId> {
        self.balanced.get(&var).copied().flatten()
    }

    /// Whether the dimensions of a variable are the same at entry as later.
    pub fn is_settled(&self, out: &Procedure, var: VarId) -> bool {
        out.variables[var].outlives_call() && !self.changes.contains_key(&var)
    }

    /// Whether a variable is a record with allocatable components, or an array of such: a statement
    /// that changes their memory keeps the whole record before, and the backward sweep puts it back.
    pub fn is_record(&self, var: VarId) -> bool {
        self.records.contains(&var)
    }

    /// The records whose components' memory a statement changes.
    pub fn records_changed(&self, primal: &Procedure, effects: &StmtEffects) -> Vec<Access> {
        let mut places: Vec<Access> = Vec::new();
        for place in &effects.reshapes {
            if !self.is_record(place.var) {
                continue;
            }
            let mut record = place.clone();
            while let Some(Selector::Field(_)) = record.path.last() {
                record.path.pop();
            }
            if !places
                .iter()
                .any(|known| primal.same_access(known, &record))
            {
                places.push(record);
            }
        }
        places
    }

    /// The statements that change mirrored memory, and memory of records.
    pub fn mirrored_statements(&self) -> impl Iterator<Item = StmtId> + '_ {
        self.mirrored
            .iter()
            .chain(&self.records)
            .flat_map(|var| self.changes[var].iter().copied())
    }

    /// Whether a statement associates a pointer, which the backward sweep undoes.
    pub fn is_association(&self, stmt: StmtId) -> bool {
        self.associations.contains(&stmt)
    }

    /// The statements that associate pointers.
    pub fn associations(&self) -> impl Iterator<Item = StmtId> + '_ {
        self.associations.iter().copied()
    }

    /// The local pointers that are associated.
    pub fn associated(&self) -> impl Iterator<Item = VarId> + '_ {
        self.associated.iter().copied()
    }

    /// Whether a variable is a local pointer that is associated.
    pub fn is_associated(&self, var: VarId) -> bool {
        self.associated.contains(&var)
    }

    /// Whether what a variable points to, or its memory, changes in a way that is not undone.
    pub fn is_lost(&self, primal: &Procedure, tree: &Tree, var: VarId) -> bool {
        self.changes.get(&var).is_some_and(|stmts| {
            let is_pointer = primal.variables[var].allocation == Allocation::Pointer;
            (is_pointer || self.leading.contains(&var))
                && !self.is_mirrored(var)
                && varies(primal, tree, var, stmts)
                && stmts.iter().any(|&stmt| !self.is_association(stmt))
        })
    }

    /// Whether a statement changes the memory of a variable that may have another shape or no memory
    /// at other points, and that is not mirrored.
    pub fn is_beyond(&self, primal: &Procedure, tree: &Tree, stmt: StmtId) -> bool {
        match primal.stmt(stmt) {
            Stmt::Allocate { target, .. } | Stmt::Free { target } => {
                !self.is_mirrored(target.var)
                    && !self.is_record(target.var)
                    && !self.is_association(stmt)
                    && (!target.path.is_empty()
                        || varies(primal, tree, target.var, &self.changes[&target.var]))
            }
            _ => false,
        }
    }

    /// The variables whose memory a call may change.
    pub fn moved_by(&self, call: StmtId) -> impl Iterator<Item = VarId> + '_ {
        self.changes
            .iter()
            .filter(move |(var, stmts)| self.is_mirrored(**var) && stmts.contains(&call))
            .map(|(&var, _)| var)
    }

    /// Whether what an expression asks about memory (is it there, how large) may be answered
    /// differently after the container than before.
    pub fn changes_answers(
        &self,
        primal: &Procedure,
        tree: &Tree,
        container: StmtId,
        e: ExprId,
    ) -> bool {
        let mut changes = false;
        primal.walk_expr(e, &mut |node| {
            for asked in asked_by(primal.expr(node)) {
                changes |= self
                    .changes
                    .get(&asked.var)
                    .is_some_and(|stmts| stmts.iter().any(|&stmt| tree.contains(container, stmt)));
            }
        });
        changes
    }

    /// The shape that a variable is allocated with wherever it is allocated, in expressions that
    /// hold at entry.
    pub fn shape_at_entry(
        &self,
        out: &Procedure,
        extents: &Extents<'_, '_>,
        var: VarId,
    ) -> Option<Vec<Range>> {
        let by_itself = |&stmt: &StmtId| !matches!(out.stmt(stmt), Stmt::Call { .. });
        if !self.changes.get(&var)?.iter().all(by_itself) {
            return None;
        }
        let mut shapes = self.shapes(out, var);
        let first = shapes.next()?;
        let fixed = shapes.all(|other| same_shape(out, first, other))
            && first.iter().all(|&(lower, extent)| {
                lower.is_none_or(|lower| extents.is_fixed(out, lower))
                    && extents.is_fixed(out, extent)
            });
        let variable = &out.variables[var];
        (fixed && first.len() == variable.rank() && variable.storage == Storage::Local).then(|| {
            first
                .iter()
                .zip(&variable.shape)
                .map(|(&(lower, count), dim)| Range {
                    lower: lower.unwrap_or(dim.lower),
                    count,
                })
                .collect()
        })
    }

    /// The shape of a balanced variable, where it can be evaluated again when its release is undone.
    pub fn shape_again(
        &self,
        out: &Procedure,
        tree: &Tree,
        extents: &Extents<'_, '_>,
        var: VarId,
    ) -> Option<Shape> {
        again(out, tree, &self.changes[&var], &|e| {
            extents.is_fixed(out, e)
        })
    }

    /// The shape of memory that is allocated by one statement, outside of all loops and before `stmt`: its
    /// extents have the values that they had there, in both sweeps, as nothing sets them afterwards.
    pub fn shape_since(
        &self,
        out: &Procedure,
        tree: &Tree,
        is_alone: &impl Fn(VarId) -> bool,
        writers: &impl Fn(VarId) -> Vec<StmtId>,
        (var, stmt): (VarId, StmtId),
    ) -> Option<Shape> {
        let leads = |stmt: &&StmtId| {
            !matches!(
                out.stmt(**stmt),
                Stmt::Free { .. } | Stmt::PointerAssign { value: None, .. }
            )
        };
        let mut made = self.changes.get(&var)?.iter().filter(leads);
        let (&allocation, None) = (made.next()?, made.next()) else {
            return None;
        };
        let Stmt::Allocate { target, shape, .. } = out.stmt(allocation) else {
            return None;
        };
        let order = out.all_statements();
        let position = |stmt: StmtId| order.iter().position(|&other| other == stmt);
        let is_set_before = |var: VarId| {
            is_alone(var)
                && writers(var)
                    .into_iter()
                    .all(|write| position(write) < position(allocation))
        };
        let holds = |e: ExprId| {
            let mut holds = true;
            out.walk_expr(e, &mut |node| {
                holds &= match out.expr(node) {
                    Expr::Load(access) => {
                        access.path.is_empty()
                            && (out.variables[access.var].is_constant()
                                || is_set_before(access.var))
                    }
                    Expr::Bound { .. }
                    | Expr::Present(_)
                    | Expr::Opaque { .. }
                    | Expr::Required { .. } => false,
                    _ => true,
                };
            });
            holds
        };
        let extents_hold = shape
            .iter()
            .all(|&(lower, extent)| lower.is_none_or(holds) && holds(extent));
        (target.path.is_empty()
            && tree.loops(allocation).is_empty()
            && tree.dominates(allocation, stmt)
            && extents_hold)
            .then(|| shape.clone())
    }

    fn shapes<'p>(
        &'p self,
        out: &'p Procedure,
        var: VarId,
    ) -> impl Iterator<Item = &'p Shape> + 'p {
        self.changes
            .get(&var)
            .into_iter()
            .flatten()
            .filter_map(|&stmt| match out.stmt(stmt) {
                Stmt::Allocate { shape, .. } => Some(shape),
                _ => None,
            })
    }
}

fn same_shape(out: &Procedure, a: &Shape, b: &Shape) -> bool {
    let same = |x: &Option<ExprId>, y: &Option<ExprId>| match (x, y) {
        (None, None) => true,
        (Some(x), Some(y)) => out.same_expr(*x, *y),
        _ => false,
    };
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|((low, count), (other, more))| same(low, other) && out.same_expr(*count, *more))
}

/// The shape of a balanced variable, in expressions that have the same value at its allocation and at
/// its release, in both sweeps.
fn again(
    primal: &Procedure,
    tree: &Tree,
    changes: &[StmtId],
    is_settled: &impl Fn(ExprId) -> bool,
) -> Option<Shape> {
    balanced_in(primal, tree, changes)?;
    let Stmt::Allocate { shape, .. } = primal.stmt(changes[0]) else {
        return None;
    };
    let loops = tree.loops(changes[0]);
    let is_counter = |var: VarId| {
        loops
            .iter()
            .any(|&l| matches!(primal.stmt(l), Stmt::Loop { variable, .. } if *variable == var))
    };
    let is_there = |e: ExprId| {
        let mut there = true;
        primal.walk_expr(e, &mut |node| match primal.expr(node) {
            Expr::Load(access) => {
                there &= access.path.is_empty()
                    && (primal.variables[access.var].is_constant()
                        || is_counter(access.var)
                        || is_settled(node));
            }
            Expr::Bound { .. } | Expr::Present(_) => there &= is_settled(node),
            Expr::Opaque { .. } | Expr::Associated { .. } | Expr::Required { .. } => there = false,
            _ => {}
        });
        there
    };
    shape
        .iter()
        .all(|&(lower, extent)| lower.is_none_or(is_there) && is_there(extent))
        .then(|| shape.clone())
}

/// What an expression asks something about that is no value: is it there, how large is it, where is it.
fn asked_by(expr: &Expr) -> Vec<&Access> {
    match expr {
        Expr::Present(access) | Expr::Bound { array: access, .. } => vec![access],
        Expr::Associated { pointer, target } => vec![pointer, target],
        _ => Vec::new(),
    }
}

/// The variables of which the procedure asks whether they are allocated: those must be when the
/// primal has them so.
fn asked_for(primal: &Procedure) -> BTreeSet<VarId> {
    let mut asked = BTreeSet::new();
    for stmt in primal.all_statements() {
        for e in primal.stmt(stmt).expressions() {
            primal.walk_expr(e, &mut |node| match primal.expr(node) {
                Expr::Present(access) => drop(asked.insert(access.var)),
                Expr::Associated { pointer, target } => {
                    let is_pointer = |var: &VarId| is_pointer(primal, *var);
                    asked.extend([pointer.var, target.var].into_iter().filter(is_pointer));
                }
                _ => {}
            });
        }
    }
    asked
}

/// The innermost loop around the only two changes of a variable's memory, if they are its allocation
/// and its release, in this order in one block.
fn balanced_in(primal: &Procedure, tree: &Tree, changes: &[StmtId]) -> Option<Option<StmtId>> {
    let [allocation, free] = *changes else {
        return None;
    };
    let (before, after) = (tree.path(allocation), tree.path(free));
    let (first, outer) = before.split_last()?;
    let (last, around) = after.split_last()?;
    let in_order = outer == around
        && first.arm == last.arm
        && matches!(primal.stmt(allocation), Stmt::Allocate { .. })
        && matches!(primal.stmt(free), Stmt::Free { .. });
    let loops = tree.loops(allocation);
    in_order.then(|| loops.last().copied())
}

/// Whether memory may have another shape, or not be there, at different points of the procedure, or
/// is somebody else's.
fn varies(primal: &Procedure, tree: &Tree, var: VarId, changes: &[StmtId]) -> bool {
    let allocations = changes
        .iter()
        .filter(|&&stmt| matches!(primal.stmt(stmt), Stmt::Allocate { .. }))
        .count();
    let is_conditional = changes.iter().any(|&stmt| {
        tree.owners(stmt)
            .into_iter()
            .any(|owner| !matches!(primal.stmt(owner), Stmt::Region { .. }))
    });
    let is_local = matches!(primal.variables[var].storage, Storage::Local);
    let by_call = |&stmt: &StmtId| matches!(primal.stmt(stmt), Stmt::Call { .. });
    let points = |&stmt: &StmtId| matches!(primal.stmt(stmt), Stmt::PointerAssign { .. });
    !is_local
        || allocations > 1
        || is_conditional
        || changes.iter().any(by_call)
        || changes.iter().any(points)
}

/// Whether all that is reshaped are allocatable components or records with such, none of them reached
/// through a pointer.
fn parts_are_allocatable(places: &[Access], primal: &Procedure, module: &Module) -> bool {
    places.iter().all(|place| {
        let variable = &primal.variables[place.var];
        let (mut ty, mut allocation) = (variable.ty, variable.allocation);
        let mut fine = allocation == Allocation::Fixed;
        for selector in &place.path {
            match (selector, ty) {
                (Selector::Field(field), Type::Record(record)) => {
                    let field = &module.records[record].fields[*field as usize];
                    (ty, allocation) = (field.ty, field.allocation);
                    fine &= allocation != Allocation::Pointer;
                }
                (Selector::Index(_), _) => {}
                _ => fine = false,
            }
        }
        fine
    })
}

/// Whether a change of an address can be undone: of a local pointer, or of pointers in memory that only
/// local names reach. What is released must be the procedure's own.
fn is_own_address(
    module: &Module,
    primal: &Procedure,
    stmt: StmtId,
    target: &Access,
    others: &[VarId],
) -> bool {
    let is_local = |var: VarId| primal.variables[var].storage == Storage::Local;
    let is_copy = |var: VarId| {
        let variable = &primal.variables[var];
        variable.passing == Passing::Value
            && matches!(variable.ty, Type::Pointer(_) | Type::Address)
    };
    let all_local = || {
        others
            .iter()
            .all(|&other| is_local(other) || !leads_on(module, primal.variables[other].ty))
    };
    match primal.stmt(stmt) {
        Stmt::Free { .. } => is_local(target.var) && others.iter().all(|&other| is_local(other)),
        _ if target.path.is_empty() => is_local(target.var) || is_copy(target.var),
        // Memory of its own, by whatever names others read it.
        _ if !target.path.contains(&Selector::Deref) => is_local(target.var),
        _ => is_local(target.var) && all_local(),
    }
}

/// Whether a value of a type is an address or holds one.
fn leads_on(module: &Module, ty: Type) -> bool {
    match ty {
        Type::Pointer(_) | Type::Address | Type::Unknown => true,
        Type::Record(record) => module.records[record]
            .fields
            .iter()
            .any(|field| field.allocation == Allocation::Pointer || leads_on(module, field.ty)),
        _ => false,
    }
}

/// Whether a variable may lead to pointers in records.
fn holds_links(primal: &Procedure, var: VarId) -> bool {
    matches!(
        primal.variables[var].ty,
        Type::Record(_) | Type::Pointer(_) | Type::Address | Type::Unknown
    )
}

fn is_pointer(primal: &Procedure, var: VarId) -> bool {
    primal.variables[var].allocation == Allocation::Pointer
}

/// A whole variable whose dimensions are set by allocation.
pub fn is_deferred(out: &Procedure, place: &Access) -> bool {
    place.path.is_empty()
        && out.variables[place.var]
            .shape
            .iter()
            .any(|dim| dim.extent == Extent::Deferred)
}
