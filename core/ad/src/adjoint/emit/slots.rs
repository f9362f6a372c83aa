//! Where values wait between the sweeps, and what cannot be kept.

use contraflow_ir::{Access, Builder, Diagnostic, Stmt, StmtId, Type, VarId};

use super::{BEHIND_POINTERS, Emitter, Frame, Kind, UNKNOWN_EXTENT, place_type, unseen_problem};
use crate::adjoint::extent::{Extents, Range};
use crate::adjoint::memory::is_deferred;
use crate::adjoint::tape::{self, Purpose, Slot};
use crate::allocation::holds_pointers;
use crate::analysis::pointers::Pointers;

impl Emitter<'_, '_> {
    pub(super) fn snapshot(&mut self, frame: Frame, stmt: StmtId) -> Vec<(Slot, Access)> {
        let places = self.frame(frame).snapshots.get(&stmt).cloned();
        let mut slots = Vec::new();
        for (n, place) in places.into_iter().flatten().enumerate() {
            if let Some(slot) = self.slot(frame, stmt, Kind::Snapshot(n), &place) {
                slots.push((slot, place));
            }
        }
        slots
    }

    pub(super) fn type_of(&self, place: &Access) -> Type {
        place_type(self.subject.module, &self.out, place)
    }

    pub(super) fn temporary(&mut self, name: &str, ty: Type) -> VarId {
        let name = self.names.unique(&self.out, name);
        let mut variable = contraflow_ir::Variable::scalar(name, ty);
        variable.role = contraflow_ir::Role::Temporary;
        self.out.variables.add(variable)
    }

    pub(super) fn counter(&mut self, stmt: StmtId) -> VarId {
        self.named_integer(stmt, "trips")
    }

    pub(super) fn trip_variable(&mut self, stmt: StmtId) -> VarId {
        self.named_integer(stmt, "trip")
    }

    pub(super) fn named_integer(&mut self, stmt: StmtId, base: &str) -> VarId {
        let name = format!("{base}_{}", stmt.index());
        match self.out.variable_named(&name) {
            Some(var) => var,
            None => self.temporary(&name, Type::INT),
        }
    }

    pub(super) fn scalar_slot(
        &mut self,
        frame: Frame,
        stmt: StmtId,
        kind: Kind,
        ty: Type,
    ) -> Option<Slot> {
        let name = match kind {
            Kind::Decision => "branch",
            Kind::Bound(_) => "bound",
            Kind::State(_) => "state",
            Kind::Lower(_) | Kind::StateLower(..) => "lower",
            Kind::Extent(_) | Kind::StateExtent(..) => "extent",
            Kind::Trips => "trips",
            Kind::Association | Kind::ShadowAssociation => "link",
            Kind::Top => "top",
            Kind::Stride => "stride",
            Kind::Taken => "taken",
            Kind::Slot => "slot",
            Kind::Save(_)
            | Kind::Snapshot(_)
            | Kind::Whole(_)
            | Kind::Carried(_)
            | Kind::OnDisk(_)
            | Kind::Result
            | Kind::Crossing(_) => "tape",
        };
        let purpose = Purpose {
            name,
            ty,
            spelling: None,
            length: None,
            shape: Vec::new(),
            is_known_at_entry: true,
        };
        self.slot_for(frame, stmt, kind, purpose)
    }

    pub(super) fn slot(
        &mut self,
        frame: Frame,
        stmt: StmtId,
        kind: Kind,
        place: &Access,
    ) -> Option<Slot> {
        if let Some(slot) = self.slots.get(&(frame, stmt, kind)) {
            return Some(slot.clone());
        }
        let (shape, is_known_at_entry) = self.shape_of(stmt, kind, place)?;
        let ty = self.type_of(place);
        let (spelling, length) = tape::declared_like(&mut self.out, place, ty);
        let name = format!("{}_tape", self.out.variables[place.var].name);
        let purpose = Purpose {
            name: &name,
            ty,
            spelling,
            length,
            shape,
            is_known_at_entry,
        };
        self.slot_for(frame, stmt, kind, purpose)
    }

    /// The shape of what is kept of a place, and whether it holds at entry.
    pub(super) fn shape_of(
        &mut self,
        stmt: StmtId,
        kind: Kind,
        place: &Access,
    ) -> Option<(Vec<Range>, bool)> {
        self.saved.insert(place.var);
        let variable = self.out.variables[place.var].clone();
        let primal = &self.subject.module.procedures[self.subject.id];
        if place.path.is_empty()
            && crate::analysis::objects::changes_unseen(self.subject.module, primal, place.var)
        {
            self.unseen(stmt, place);
            return None;
        }
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        // An absent argument cannot be copied: only what the primal guards may be saved.
        let is_guarded = matches!(kind, Kind::Save(_)) && !place.path.is_empty();
        let mut is_known_at_entry = true;
        let is_block = matches!(self.out.stmt(stmt), Stmt::Call { .. })
            && place.path.last() == Some(&contraflow_ir::Selector::Deref);
        let shape = if variable.optional && !is_guarded {
            None
        } else if is_block {
            self.block_behind(place)
        } else if tape::is_scalar_place(self.subject.module, &self.out, place) {
            Some(Vec::new())
        } else if is_deferred(&self.out, place) {
            let known = self
                .subject
                .memory
                .shape_at_entry(&self.out, &extents, place.var);
            is_known_at_entry = self.is_shape_known(place);
            known.or_else(|| self.shape_here(stmt, place.var))
        } else {
            extents.memory_of(self.subject.module, &mut self.out, place)
        };
        // A callee may change what a pointer in the record leads to, however far.
        let leads_on = matches!(self.out.stmt(stmt), Stmt::Call { .. })
            && (holds_pointers(self.subject.module, self.type_of(place))
                || self.out.scalars_by_value
                    && Pointers::lead_on(self.subject.module, self.type_of(place)));
        if leads_on {
            self.problem_of_links(stmt, place);
            return None;
        }
        let Some(shape) = shape else {
            self.problem(stmt, place);
            return None;
        };
        Some((shape, is_known_at_entry))
    }

    pub(super) fn slot_for(
        &mut self,
        frame: Frame,
        stmt: StmtId,
        kind: Kind,
        purpose: Purpose<'_>,
    ) -> Option<Slot> {
        if let Some(slot) = self.slots.get(&(frame, stmt, kind)) {
            return Some(slot.clone());
        }
        let tree = self.subject.tree;
        let mut loops = tree.loops_within(stmt, frame);
        if matches!(kind, Kind::Snapshot(_)) {
            loops.push(stmt);
        }
        let all = tree.loops(stmt);
        let around: Vec<StmtId> = all.into_iter().filter(|l| !loops.contains(l)).collect();
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        let slot = tape::slot(
            (&mut self.out, &mut self.names),
            &extents,
            &loops,
            &around,
            &purpose,
        );
        if slot.is_tape(&self.out) {
            self.tapes.push(slot.variable());
        }
        self.slots.insert((frame, stmt, kind), slot.clone());
        Some(slot)
    }

    /// The elements behind a pointer that is passed to a callee: one is never meant.
    pub(super) fn block_behind(&mut self, place: &Access) -> Option<Vec<Range>> {
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        let (module, id) = (self.subject.module, self.subject.id);
        let out = &self.out;
        let count = Pointers::block(module, id, place, &|e| extents.is_fixed(out, e))?;
        let mut b = Builder::new(&mut self.out);
        let ty = b.type_of(count);
        let lower = b.int_of(0, ty);
        Some(vec![Range { lower, count }])
    }

    pub(super) fn unseen(&mut self, stmt: StmtId, place: &Access) {
        let span = self.subject.module.procedures[self.subject.id].stmts[stmt].span;
        let name = self.out.variables[place.var].name.clone();
        self.problems.push(unseen_problem(&name, span));
    }

    pub(super) fn problem_of_links(&mut self, stmt: StmtId, place: &Access) {
        let span = self.subject.module.procedures[self.subject.id].stmts[stmt].span;
        let name = self.out.variables[place.var].name.clone();
        self.problems.push(
            Diagnostic::error(
                BEHIND_POINTERS,
                format!(
                    "the adjoint must save what is reached from `{name}` through pointers before this call"
                ),
            )
            .at(span, format!("what `{name}` leads to may be overwritten here"))
            .with_help("let the callee compute new values instead of overwriting those that it reads"),
        );
    }

    pub(super) fn problem(&mut self, stmt: StmtId, place: &Access) {
        let span = self.subject.module.procedures[self.subject.id].stmts[stmt].span;
        let name = self.out.variables[place.var].name.clone();
        let owner = &self.subject.module.procedures[self.subject.id].name;
        let problem = Diagnostic::error(
            UNKNOWN_EXTENT,
            format!("the adjoint must save `{name}`, but how large it is cannot be found out"),
        )
        .at(
            span,
            format!("`{name}` is overwritten here and needed backwards"),
        )
        .with_help(match self.out.variables[place.var].is_argument() {
            true => format!(
                "declare `{name}` with its size (Fortran: explicit shape; C: `double {name}[n]`), or say it: `--extent '{owner}::{name}=n'`"
            ),
            false => format!(
                "declare `{name}` with its size, or allocate all that it may point to with one size that is known at entry"
            ),
        });
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
