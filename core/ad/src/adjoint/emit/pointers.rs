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
//! the primal certainly releases it after that.
//! An address stays as it is when what it points to is released; it is kept as itself, without a record.

use contraflow_ir::{
    Access, Builder, Callee, Expr, Module, Procedure, ProcedureId, Selector, Stmt, StmtId, Type,
    VarId, Variable,
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
            return;
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
            return;
        }
        self.push_comment_of_memory(stmt, done);
        if let Stmt::Allocate { .. } = primal {
            let shadow = self.shadow_place(&target);
            for target in shadow.into_iter().chain([target.clone()]) {
                done.push(self.stmt(Stmt::Free { target }, stmt));
            }
        }
        if is_released_after(self.subject.module, self.subject.id, stmt) {
            let target = target.clone();
            done.push(self.stmt(Stmt::Free { target }, stmt));
        }
        for (kind, place) in self.pointers(&target) {
            self.recall_association(stmt, frame, kind, &place, done);
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
    let Stmt::PointerAssign {
        target,
        value: Some(value),
        is_pointer: true,
        offset: None,
        ..
    } = primal.stmt(stmt)
    else {
        return false;
    };
    let is_whole = target.path.is_empty() && value.path.is_empty() && primal.scalars_by_value;
    if !is_whole || !is_given_outside(module, primal, value.var) {
        return false;
    }
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
