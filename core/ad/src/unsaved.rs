//! Saved pointers that are locals.
//!
//! A pointer that is declared with an initial value (`real, pointer :: p(:) => null()`) is saved, whether or
//! not anybody means it to be. Where each call associates it, or lets it point to nothing, before it asks
//! anything of it, what an earlier call left is never seen: the pointer is a local.
//!
//! ```text
//! known after s = known before s, or s associates the pointer; of branches: in all of them; of loops: before
//! ```
//!
//! The pointer must be known wherever it is named. Procedures that call themselves are left alone: their
//! calls share the pointer.

use contraflow_ir::{
    Access, Allocation, Argument, Block, Expr, ExprId, Module, Procedure, Stmt, StmtId, Storage,
    VarId,
};

use crate::analysis::{CallGraph, Effects};

/// The module in which such pointers are local.
pub fn unsaved(module: &Module, effects: &Effects) -> Module {
    let mut changed = module.clone();
    let graph = CallGraph::of(module, effects);
    for (id, procedure) in module.procedures.iter() {
        if !procedure.has_body || graph.is_recursive(id) {
            continue;
        }
        for (var, variable) in procedure.variables.iter() {
            let is_saved_pointer =
                variable.storage == Storage::Saved && variable.allocation == Allocation::Pointer;
            let is_seen = || {
                let mut walk = Walk {
                    procedure,
                    var,
                    is_seen: false,
                };
                walk.block(&procedure.body, false);
                walk.is_seen || in_declarations(procedure, var)
            };
            if is_saved_pointer && !is_seen() {
                let variable = &mut changed.procedures[id].variables[var];
                variable.storage = Storage::Local;
                variable.initial = None;
                variable.values.clear();
            }
        }
    }
    changed
}

/// Whether bounds or lengths of other variables ask about a pointer, or they share its memory.
fn in_declarations(procedure: &Procedure, var: VarId) -> bool {
    procedure.variables.iter().any(|(other, variable)| {
        let extents = variable.shape.iter().flat_map(|dim| {
            let count = match dim.extent {
                contraflow_ir::Extent::Count(count) => Some(count),
                _ => None,
            };
            [dim.lower].into_iter().chain(count)
        });
        let shares = matches!(variable.storage, Storage::Overlay { base, .. } if base == var);
        shares
            || other != var
                && extents
                    .chain(variable.length)
                    .any(|e| is_named_in(procedure, e, var))
    })
}

struct Walk<'p> {
    procedure: &'p Procedure,
    var: VarId,
    /// Whether the pointer is named where it is not known.
    is_seen: bool,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block, mut known: bool) -> bool {
        for &stmt in block {
            known = self.statement(stmt, known);
        }
        known
    }

    /// Whether the pointer is known after a statement.
    fn statement(&mut self, stmt: StmtId, known: bool) -> bool {
        let procedure = self.procedure;
        let node = procedure.stmt(stmt);
        let own = node.expressions();
        let is_named = own.iter().any(|&e| is_named_in(procedure, e, self.var))
            || places(node).any(|access| access.var == self.var)
            || is_quoted(node, &procedure.variables[self.var].name);
        match node {
            Stmt::PointerAssign { target, .. } | Stmt::Allocate { target, .. }
                if *target == Access::whole(self.var) =>
            {
                self.is_seen |= is_named && !known;
                true
            }
            Stmt::If {
                then, otherwise, ..
            } => {
                self.is_seen |= is_named && !known;
                let then = self.block(then, known);
                self.block(otherwise, known) && then
            }
            Stmt::Switch { arms, default, .. } => {
                self.is_seen |= is_named && !known;
                let mut all = self.block(default, known);
                for arm in arms {
                    all &= self.block(&arm.body, known);
                }
                all
            }
            Stmt::Loop { body, .. } | Stmt::While { body, .. } => {
                self.is_seen |= is_named && !known;
                self.block(body, known);
                known
            }
            Stmt::Region { body, .. } => {
                self.is_seen |= is_named && !known;
                self.block(body, known)
            }
            Stmt::Labelled { .. } | Stmt::Jump(_) => {
                self.is_seen = true;
                known
            }
            _ => {
                self.is_seen |= (is_named || named_target(node, self.var)) && !known;
                known
            }
        }
    }
}

/// The places that a statement names besides those in its expressions, the target of an association
/// apart.
fn places(stmt: &Stmt) -> impl Iterator<Item = &Access> {
    let all: Vec<&Access> = match stmt {
        Stmt::Call {
            arguments, result, ..
        } => arguments
            .iter()
            .flat_map(|argument| match argument {
                Argument::Place(place) => vec![place],
                Argument::Opaque { reads, .. } => reads.iter().collect(),
                Argument::Value(_) | Argument::Procedure(_) | Argument::Absent => Vec::new(),
            })
            .chain(result)
            .collect(),
        Stmt::Copy { target, source } => vec![target, source],
        Stmt::PointerAssign { value, .. } => value.iter().collect(),
        Stmt::Opaque { reads, writes, .. } => reads.iter().chain(writes).collect(),
        _ => Vec::new(),
    };
    all.into_iter()
}

fn named_target(stmt: &Stmt, var: VarId) -> bool {
    match stmt {
        Stmt::Assign { target, .. }
        | Stmt::Fill { target, .. }
        | Stmt::Allocate { target, .. }
        | Stmt::Free { target }
        | Stmt::Pop { target, .. }
        | Stmt::PointerAssign { target, .. } => target.var == var,
        _ => false,
    }
}

fn is_named_in(procedure: &Procedure, root: ExprId, var: VarId) -> bool {
    let name = &procedure.variables[var].name;
    let mut is_named = false;
    procedure.walk_expr(root, &mut |e| {
        is_named |= match procedure.expr(e) {
            Expr::Load(access)
            | Expr::Present(access)
            | Expr::Bound { array: access, .. }
            | Expr::Required { access, .. } => access.var == var,
            Expr::Associated { pointer, target } => pointer.var == var || target.var == var,
            Expr::Opaque { text, reads } => {
                says(text, name) || reads.iter().any(|read| read.var == var)
            }
            _ => false,
        };
    });
    is_named
}

fn is_quoted(stmt: &Stmt, name: &str) -> bool {
    match stmt {
        Stmt::Opaque { text, .. } => says(text, name),
        Stmt::Call { arguments, .. } => arguments
            .iter()
            .any(|argument| matches!(argument, Argument::Opaque { text, .. } if says(text, name))),
        _ => false,
    }
}

/// Whether text names a variable.
fn says(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word.eq_ignore_ascii_case(name))
}
