//! Pointers in both sweeps: the forward sweep keeps what a pointer pointed to before it points
//! elsewhere, the backward sweep lets it point there again; its shadow goes with it.
//!
//! ```text
//! forward                              backward
//! link%at => p;  link_b%at => p_b      p => link%at;  p_b => link_b%at
//! p => a;        p_b => a_b
//!
//! link%at => p                         deallocate (p_b);  deallocate (p)
//! allocate (p);  allocate (p_b)        p => link%at
//!
//! link%at => p                         p => link%at
//! nullify (p)       (for deallocate)
//! ```
//!
//! Memory is released where its allocation is undone, never before: what points to it stays right.
//! So is memory that a procedure without source gives: where the assignment of its address is undone, if
//! the primal releases it after that. Where it does so on some ways only, the backward sweep notes that it
//! came by the release:
//!
//! ```text
//! forward                              backward
//! p = given();  released = false       if (released) free (p);  released = false
//! free (p)      (nothing)              released = true
//! ```
//! An address stays as it is when what it points to is released; it is kept as itself, without a record.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Builder, Callee, Diagnostic, Expr, Module, Procedure, ProcedureId, Selector, Stmt,
    StmtId, Type, VarId, Variable,
};

use super::{Emitter, Frame, Kind};
use crate::adjoint::tape::{Purpose, Slot};
use crate::links;

impl Emitter<'_, '_> {
    /// The forward sweep of a statement that associates a pointer.
    pub(super) fn associate(
        &mut self,
        stmt: StmtId,
        primal: &Stmt,
        frame: Frame,
        done: &mut Vec<StmtId>,
    ) {
        let Some(target) = links::target_of(primal).cloned() else {
            return;
        };
        if self.is_release_of_address(primal) {
            self.refuse_release_of_given(stmt, &target);
            return;
        }
        if self.is_given(stmt) {
            self.set_released(stmt, &target, false, done);
        }
        for (kind, place) in self.pointers(&target) {
            self.keep_association(stmt, frame, kind, &place, done);
        }
        let shadow = self.shadow_place(&target);
        match primal {
            Stmt::Allocate { shape, .. } => {
                done.push(self.stmt(primal.clone(), stmt));
                if let Some(shadow) = shadow {
                    self.allocate_zeroed(shadow, shape.clone(), stmt, done);
                }
            }
            Stmt::PointerAssign {
                value,
                is_pointer,
                offset,
                bounds,
                ..
            } => {
                let shadow_value = value.as_ref().and_then(|value| self.shadow_place(value));
                let mut points = vec![self.stmt(primal.clone(), stmt)];
                if let Some(shadow) = shadow {
                    let offset = offset.filter(|_| shadow_value.is_some());
                    let follows = links::shadow_follows(&self.out, primal);
                    let bounds = match shadow_value {
                        Some(_) if follows => links::bounds_of(&mut self.out, &target, bounds),
                        Some(_) => bounds.clone(),
                        None => Vec::new(),
                    };
                    let point = Stmt::PointerAssign {
                        target: shadow,
                        value: shadow_value,
                        is_pointer: *is_pointer,
                        offset,
                        bounds,
                    };
                    // The offset may be read through the pointer.
                    let at = if follows { 1 } else { 0 };
                    points.insert(at, self.stmt(point, stmt));
                }
                done.extend(points);
            }
            _ => {
                done.push(self.point(target, None, false, stmt));
                if let Some(shadow) = shadow {
                    done.push(self.point(shadow, None, false, stmt));
                }
            }
        }
    }

    /// Undoes a statement that associated a pointer.
    pub(super) fn associate_again(
        &mut self,
        stmt: StmtId,
        primal: &Stmt,
        frame: Frame,
        done: &mut Vec<StmtId>,
    ) {
        let Some(target) = links::target_of(primal).cloned() else {
            return;
        };
        if self.is_release_of_address(primal) {
            if self.is_noted(&target) {
                self.set_released(stmt, &target, true, done);
            }
            return;
        }
        self.push_comment_of_memory(stmt, done);
        if let Stmt::Allocate { .. } = primal {
            let shadow = self.shadow_place(&target);
            for target in shadow.into_iter().chain([target.clone()]) {
                done.push(self.stmt(Stmt::Free { target }, stmt));
            }
        }
        let (module, id) = (self.subject.module, self.subject.id);
        let free = Stmt::Free {
            target: target.clone(),
        };
        if is_released_after(module, id, stmt) {
            done.push(self.stmt(free, stmt));
        } else if self.is_given(stmt) && self.is_noted(&target) {
            let released = self.released(target.var);
            let then = vec![self.stmt(free, stmt)];
            let mut b = Builder::new(&mut self.out);
            let condition = b.load(released);
            done.push(b.if_else(condition, then, Vec::new()));
        }
        if self.is_noted(&target) {
            self.set_released(stmt, &target, false, done);
        }
        for (kind, place) in self.pointers(&target) {
            self.recall_association(stmt, frame, kind, &place, done);
        }
    }

    /// Whether a statement lets an address point to memory that a procedure without source gives.
    fn is_given(&self, stmt: StmtId) -> bool {
        given(self.subject.module, self.primal(), stmt).is_some()
    }

    fn primal(&self) -> &Procedure {
        &self.subject.module.procedures[self.subject.id]
    }

    /// Whether the backward sweep notes releases of what an address points to: some of it is given by
    /// procedures without source, and not certainly released.
    fn is_noted(&self, target: &Access) -> bool {
        let (module, id) = (self.subject.module, self.subject.id);
        target.path.is_empty()
            && is_released(self.primal(), target.var)
            && self.primal().all_statements().into_iter().any(|stmt| {
                given(module, self.primal(), stmt) == Some(target.var)
                    && !is_released_after(module, id, stmt)
            })
    }

    /// The variable that says whether what an address points to was released later.
    fn released(&mut self, address: VarId) -> VarId {
        if let Some(&known) = self.released.get(&address) {
            return known;
        }
        let wanted = format!("{}_released", self.out.variables[address].name);
        let name = crate::naming::unique(&self.out, &wanted);
        let mut variable = Variable::scalar(name, Type::LOGICAL);
        variable.role = contraflow_ir::Role::Temporary;
        let added = self.out.variables.add(variable);
        self.released.insert(address, added);
        added
    }

    fn set_released(&mut self, stmt: StmtId, target: &Access, is: bool, done: &mut Vec<StmtId>) {
        if !self.is_noted(target) {
            return;
        }
        let released = self.released(target.var);
        let value = Builder::new(&mut self.out).logical(is);
        let set = Stmt::Assign {
            target: Access::whole(released),
            value,
        };
        done.push(self.stmt(set, stmt));
    }

    /// Refuses a release of what a procedure without source gave, where the address came by another
    /// pointer or stands in a component: what it points to is not seen where the assignment is undone.
    fn refuse_release_of_given(&mut self, stmt: StmtId, target: &Access) {
        let (module, primal) = (self.subject.module, self.primal());
        let all = primal.all_statements().into_iter();
        let others: Vec<VarId> = all
            .filter(|&stmt| given_anywhere(module, primal, stmt))
            .filter_map(|stmt| links::target_of(primal.stmt(stmt)))
            .filter(|to| to.var != target.var || !to.path.is_empty())
            .map(|to| to.var)
            .collect();
        if others.is_empty() {
            return;
        }
        let sources = sources_of(primal, target.var);
        if others.iter().all(|var| !sources.contains(var)) {
            return;
        }
        let problem = Diagnostic::error(
            "not-reversible",
            format!(
                "cannot reverse the release of memory that a function without source gave, by another pointer, in `{}`",
                primal.name
            ),
        )
        .at(primal.stmts[stmt].span, "here")
        .with_help("release it by the local variable that got its address first");
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Whether a statement releases what an address points to: the address stays, and the memory is
    /// released later.
    fn is_release_of_address(&self, primal: &Stmt) -> bool {
        matches!(primal, Stmt::Free { .. }) && self.out.scalars_by_value
    }

    /// A pointer and its shadow, if it has one.
    fn pointers(&self, target: &Access) -> Vec<(Kind, Access)> {
        let shadow = self.shadow_place(target);
        let shadow = shadow.map(|place| (Kind::ShadowAssociation, place));
        std::iter::once((Kind::Association, target.clone()))
            .chain(shadow)
            .collect()
    }

    fn shadow_place(&self, place: &Access) -> Option<Access> {
        self.shadows.get(&place.var).map(|&var| Access {
            var,
            path: place.path.clone(),
        })
    }

    fn point(
        &mut self,
        target: Access,
        value: Option<Access>,
        is_pointer: bool,
        stmt: StmtId,
    ) -> StmtId {
        let point = Stmt::PointerAssign {
            target,
            value,
            is_pointer,
            offset: None,
            bounds: Vec::new(),
        };
        self.stmt(point, stmt)
    }

    fn association_slot(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        place: &Access,
    ) -> Option<(Slot, Type)> {
        let module = self.subject.module;
        let pointer = links::kind_of(module, &self.out, place)?;
        let ty = links::link_type(module, &pointer)?;
        let name = format!("{}_link", self.out.variables[place.var].name);
        let purpose = Purpose {
            name: &name,
            ty,
            spelling: None,
            length: None,
            shape: Vec::new(),
            is_known_at_entry: true,
        };
        Some((self.slot_for(frame, stmt, kind, purpose)?, ty))
    }

    fn keep_association(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        place: &Access,
        done: &mut Vec<StmtId>,
    ) {
        match self.association_slot(stmt, frame, kind, place) {
            Some((Slot::Fixed { place: kept, .. }, ty)) => {
                done.push(self.point(at(&kept, ty), Some(place.clone()), true, stmt));
            }
            Some((Slot::Growing { tape, .. }, ty)) if self.type_of(place) == ty => {
                let value = Builder::new(&mut self.out).expr(Expr::Load(place.clone()), ty);
                done.push(self.stmt(Stmt::Push { tape, value }, stmt));
            }
            Some((Slot::Growing { tape, .. }, ty)) => {
                let link = self.link(ty);
                let whole = Access::whole(link);
                done.push(self.point(at(&whole, ty), Some(place.clone()), true, stmt));
                let value = Builder::new(&mut self.out).expr(Expr::Load(whole), ty);
                done.push(self.stmt(Stmt::Push { tape, value }, stmt));
            }
            None => self.problem(stmt, place),
        }
    }

    fn recall_association(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        kind: Kind,
        place: &Access,
        done: &mut Vec<StmtId>,
    ) {
        match self.association_slot(stmt, frame, kind, place) {
            Some((Slot::Fixed { place: kept, .. }, ty)) => {
                done.push(self.point(place.clone(), Some(at(&kept, ty)), true, stmt));
            }
            Some((Slot::Growing { tape, .. }, ty)) if self.type_of(place) == ty => {
                let target = place.clone();
                done.push(self.stmt(Stmt::Pop { tape, target }, stmt));
            }
            Some((Slot::Growing { tape, .. }, ty)) => {
                let link = self.link(ty);
                let target = Access::whole(link);
                done.push(self.stmt(Stmt::Pop { tape, target }, stmt));
                let kept = at(&Access::whole(link), ty);
                done.push(self.point(place.clone(), Some(kept), true, stmt));
            }
            None => self.problem(stmt, place),
        }
    }

    /// The variable through which links of a type go to and from a growing tape.
    fn link(&mut self, ty: Type) -> VarId {
        let known = self.out.variables.iter().find(|(_, variable)| {
            variable.ty == ty
                && variable.role == contraflow_ir::Role::Temporary
                && variable.name.starts_with("link")
        });
        if let Some((var, _)) = known {
            return var;
        }
        let mut variable = Variable::scalar(crate::naming::unique(&self.out, "linked"), ty);
        variable.role = contraflow_ir::Role::Temporary;
        self.out.variables.add(variable)
    }
}

/// Whether a statement lets a pointer of C point to memory that a procedure without source gives, and each
/// way from there releases it while the pointer still points to it.
fn is_released_after(module: &Module, id: ProcedureId, stmt: StmtId) -> bool {
    let primal = &module.procedures[id];
    let Some(var) = given(module, primal, stmt) else {
        return false;
    };
    let target = &Access::whole(var);
    let Some(rest) = after(primal, &primal.body, stmt) else {
        return false;
    };
    let points = |stmt: &Stmt| {
        matches!(stmt, Stmt::PointerAssign { target: it, .. } | Stmt::Allocate { target: it, .. }
            if it.var == target.var)
    };
    for &next in rest {
        if matches!(primal.stmt(next), Stmt::Free { target: freed } if freed == target) {
            return true;
        }
        let mut is_changed = false;
        primal.walk_block(&[next], &mut |stmt| {
            let stmt = primal.stmt(stmt);
            is_changed |= points(stmt)
                || matches!(stmt, Stmt::Free { target: freed } if freed.var == target.var);
        });
        if is_changed {
            return false;
        }
    }
    false
}

/// A pointer and those from which it may have its address by assignments.
fn sources_of(primal: &Procedure, pointer: VarId) -> BTreeSet<VarId> {
    let mut found = BTreeSet::from([pointer]);
    loop {
        let before = found.len();
        for (_, node) in primal.stmts.iter() {
            if let Stmt::PointerAssign {
                target,
                value: Some(value),
                ..
            } = &node.stmt
                && found.contains(&target.var)
            {
                found.insert(value.var);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The address that a statement lets point to memory that a procedure without source gives.
fn given(module: &Module, primal: &Procedure, stmt: StmtId) -> Option<VarId> {
    match primal.stmt(stmt) {
        Stmt::PointerAssign {
            target,
            offset: None,
            ..
        } if target.path.is_empty() => given_anywhere(module, primal, stmt).then_some(target.var),
        _ => None,
    }
}

/// Whether a statement lets an address, in a component maybe, point to such memory.
fn given_anywhere(module: &Module, primal: &Procedure, stmt: StmtId) -> bool {
    match primal.stmt(stmt) {
        Stmt::PointerAssign {
            value: Some(value),
            is_pointer: true,
            ..
        } => {
            value.path.is_empty()
                && primal.scalars_by_value
                && is_given_outside(module, primal, value.var)
        }
        _ => false,
    }
}

/// Whether a procedure releases what a pointer points to, by its own name.
fn is_released(primal: &Procedure, var: VarId) -> bool {
    primal.all_statements().into_iter().any(|stmt| {
        matches!(primal.stmt(stmt), Stmt::Free { target } if target.var == var && target.path.is_empty())
    })
}

/// Whether a variable holds nothing but what procedures without source give.
fn is_given_outside(module: &Module, primal: &Procedure, var: VarId) -> bool {
    let mut calls = 0;
    let is_elsewhere = primal.stmts.iter().any(|(_, node)| match &node.stmt {
        Stmt::Call {
            callee,
            result: Some(result),
            ..
        } if result.var == var => {
            calls += 1;
            match callee {
                Callee::External(_) => false,
                Callee::Procedure(callee) => module.procedures[*callee].has_body,
                Callee::Variable(_) => true,
            }
        }
        Stmt::PointerAssign { target, .. } | Stmt::Allocate { target, .. } => target.var == var,
        _ => false,
    });
    calls > 0 && !is_elsewhere
}

/// What follows a statement in its own block.
fn after<'p>(procedure: &'p Procedure, block: &'p [StmtId], stmt: StmtId) -> Option<&'p [StmtId]> {
    if let Some(at) = block.iter().position(|&it| it == stmt) {
        return Some(&block[at + 1..]);
    }
    let inner = block.iter().flat_map(|&it| procedure.stmt(it).blocks());
    inner
        .into_iter()
        .find_map(|inner| after(procedure, inner, stmt))
}

/// The pointer in a link.
fn at(link: &Access, ty: Type) -> Access {
    let mut place = link.clone();
    if let Type::Record(_) = ty {
        place.path.push(Selector::Field(0));
    }
    place
}
