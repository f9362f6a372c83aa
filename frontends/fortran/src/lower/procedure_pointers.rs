//! Local procedure pointers: `procedure (interface), pointer :: f`.
//!
//! Such a pointer is a number that tells which procedure it points to; 0: to none. The procedures are
//! those that the text lets it point to, or a pointer that is assigned to it. A statement that calls
//! through the pointer, or hands it on, is lowered once for each of them. If anything else is done with
//! the pointer (quoted text names it, it gets what an argument is), it stays as it is.

use super::component_objects::{Case, Meaning};
use super::host::names_in;
use super::{Fallible, Lowerer, refuse};
use crate::declare::scope::{Base, ScopeId, Symbol, What};
use crate::syntax::Kind;
use contraflow_ir::{Access, BinaryOp, ExprId, Type, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A pointer.
#[derive(Clone, Debug)]
pub(super) struct ProcedurePointer {
    /// Which procedure it points to.
    which: VarId,
    /// The procedures that it may point to, by number.
    targets: BTreeMap<i128, ScopeId>,
}

/// What the text assigns to the pointers of a procedure.
#[derive(Default)]
struct Assigned {
    procedures: BTreeMap<String, BTreeSet<ScopeId>>,
    pointers: BTreeMap<String, BTreeSet<String>>,
    /// Pointers that get something else.
    others: BTreeSet<String>,
}

impl Lowerer<'_> {
    /// Finds the pointers of the procedure, and makes their numbers.
    pub(super) fn find_procedure_pointers(&mut self) {
        let scope = &self.program.scopes[self.home];
        if scope.saves_all || !self.takes_objects || !scope.is_procedure() {
            return;
        }
        let names: Vec<String> = scope
            .order
            .iter()
            .filter(|name| is_local_pointer(&scope.symbols[*name]) && !self.is_named_inside(name))
            .cloned()
            .collect();
        if names.is_empty() {
            return;
        }
        let mut assigned = self.assigned(&names);
        spread(&mut assigned, &names);
        let all: BTreeSet<ScopeId> = assigned.procedures.values().flatten().copied().collect();
        let numbers: BTreeMap<ScopeId, i128> = all.into_iter().zip(1i128..).collect();
        for name in names {
            if assigned.others.contains(&name) {
                continue;
            }
            let which = self.temporary(&format!("{name}_target"), Type::INT);
            let zero = self.int(0);
            let none = self.build().assign(Access::whole(which), zero);
            self.entry.push(none);
            let own = assigned.procedures.get(&name).into_iter().flatten();
            let targets = own.map(|&scope| (numbers[&scope], scope)).collect();
            let pointer = ProcedurePointer { which, targets };
            self.procedure_pointers.insert(name, pointer);
        }
    }

    /// Whether a procedure inside of this one names something.
    fn is_named_inside(&self, name: &str) -> bool {
        let scopes = self.program.scopes.iter();
        let mut inner = scopes.filter(|other| other.parent == Some(self.home));
        inner.any(|other| {
            let (first, last) = other.statements;
            (first..=last).any(|index| names_in(&self.statement_at(index).text).contains(&name))
        })
    }

    fn assigned(&self, names: &[String]) -> Assigned {
        let (first, last) = self.program.scopes[self.home].statements;
        let mut found = Assigned::default();
        for index in first..=last {
            let kind = match self.kind_at(index) {
                Kind::If { action, .. } => action.as_ref(),
                kind => kind,
            };
            let Kind::PointerAssignment { target, value } = kind else {
                continue;
            };
            let statement = self.statement_at(index);
            let (target, value) = (statement.part(*target), statement.part(*value));
            if !names.iter().any(|name| name == target) {
                continue;
            }
            let target = target.to_owned();
            if value.starts_with("null(") {
                continue;
            }
            if names.iter().any(|name| name == value) {
                let pointers = found.pointers.entry(target).or_default();
                pointers.insert(value.to_owned());
            } else if let Some(procedure) = self.pointable(value) {
                found
                    .procedures
                    .entry(target)
                    .or_default()
                    .insert(procedure);
            } else {
                found.others.insert(target);
            }
        }
        found
    }

    /// The procedure of a name that pointers may point to.
    fn pointable(&self, name: &str) -> Option<ScopeId> {
        let scope = match self.program.find(self.scope, name) {
            Some(found) if found.symbol.argument.is_some() => return None,
            Some(found) => match found.symbol.what {
                What::Procedure(scope) => scope,
                What::Entity if found.symbol.is_external => *self.program.externals.get(name)?,
                _ => return None,
            },
            None => *self.program.externals.get(name)?,
        };
        let body = self.program.body_of(scope);
        self.program.procedure_of(body).map(|_| body)
    }

    /// The procedure that a pointer points to, where a statement is lowered for it; `None` if the name
    /// is no pointer.
    pub(super) fn pointed_procedure(&mut self, name: &str) -> Fallible<Option<ScopeId>> {
        if self.procedure_pointers.is_empty() {
            return Ok(None);
        }
        if let Some((_, scope)) = self.pointed.iter().rev().find(|(known, _)| known == name) {
            return Ok(Some(*scope));
        }
        let Some(pointer) = self.procedure_pointers.get(name).cloned() else {
            return Ok(None);
        };
        let mut cases = Vec::new();
        for (&number, &scope) in &pointer.targets {
            let condition = self.points_to(&pointer, number)?;
            cases.push(Case {
                condition,
                meaning: Meaning::Procedure(scope),
            });
        }
        self.want_case(
            name,
            cases,
            "a procedure pointer is used that points to nothing",
        )
    }

    fn points_to(&mut self, pointer: &ProcedurePointer, number: i128) -> Fallible<ExprId> {
        let now = self.load(pointer.which);
        let number = self.int(number);
        self.binary(BinaryOp::Equal, now, number)
    }

    /// `f => g`, `f => null()`; says whether `f` is a pointer that is taken apart.
    pub(super) fn procedure_pointed(&mut self, target: &str, value: &str) -> Fallible<bool> {
        let Some(pointer) = self.procedure_pointers.get(target).cloned() else {
            return Ok(false);
        };
        let number = if value.starts_with("null(") {
            self.int(0)
        } else if let Some(other) = self.procedure_pointers.get(value) {
            let which = other.which;
            self.load(which)
        } else {
            let Some(scope) = self.pointable(value) else {
                return refuse("a procedure pointer to something that is not known");
            };
            let found = pointer.targets.iter().find(|(_, known)| **known == scope);
            let Some((&number, _)) = found else {
                return refuse("a procedure pointer to something that is not known");
            };
            self.int(number)
        };
        let told = self.build().assign(Access::whole(pointer.which), number);
        self.out.push(told);
        Ok(true)
    }

    /// `associated(f)`, `associated(f, g)`; `None` if `f` is no pointer that is taken apart.
    pub(super) fn is_pointed(&mut self, name: &str, to: Option<&str>) -> Fallible<Option<ExprId>> {
        let Some(pointer) = self.procedure_pointers.get(name).cloned() else {
            return Ok(None);
        };
        let now = self.load(pointer.which);
        let zero = self.int(0);
        let is_any = self.binary(BinaryOp::NotEqual, now, zero)?;
        let Some(to) = to else {
            return Ok(Some(is_any));
        };
        if let Some(other) = self.procedure_pointers.get(to).cloned() {
            let (now, there) = (self.load(pointer.which), self.load(other.which));
            let is_same = self.binary(BinaryOp::Equal, now, there)?;
            let both = contraflow_ir::Expr::Binary(BinaryOp::And, is_any, is_same);
            return Ok(Some(self.add(both, Type::LOGICAL)));
        }
        let Some(scope) = self.pointable(to) else {
            return refuse("`associated` with something that is not known");
        };
        let found = pointer.targets.iter().find(|(_, known)| **known == scope);
        match found.map(|(&number, _)| number) {
            Some(number) => self.points_to(&pointer, number).map(Some),
            None => Ok(Some(self.build().logical(false))),
        }
    }
}

fn is_local_pointer(symbol: &Symbol) -> bool {
    let is_procedure = symbol
        .ty
        .as_ref()
        .is_some_and(|ty| matches!(ty.base, Base::Procedure(_)));
    is_procedure
        && symbol.is_pointer
        && symbol.argument.is_none()
        && symbol.init.is_none()
        && !symbol.is_saved
        && symbol.dims.is_empty()
}

/// What a pointer gets from another one, it may point to as well.
fn spread(assigned: &mut Assigned, names: &[String]) {
    for _ in names {
        for name in names {
            for from in assigned.pointers.get(name).cloned().unwrap_or_default() {
                let more = assigned.procedures.get(&from).cloned().unwrap_or_default();
                let own = assigned.procedures.entry(name.clone()).or_default();
                own.extend(more);
                if assigned.others.contains(&from) {
                    assigned.others.insert(name.clone());
                }
            }
        }
    }
}
