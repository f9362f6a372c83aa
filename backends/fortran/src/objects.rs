//! Objects whose type is known at run time only.

use std::collections::BTreeSet;

use contraflow_backend_common::usage;
use contraflow_ir::{
    Access, Allocation, Argument, Block, Callee, Expr, ExprId, RecordId, Role, Selector, Stmt,
    Type, VarId,
};

use crate::emitter::Emitter;

impl Emitter<'_> {
    /// Whether a place cannot be assigned to as a whole: the language forbids it for CLASS
    /// variables that are not allocatable.
    pub fn is_kept_as_parts(&self, target: &Access) -> bool {
        let variable = &self.procedure.variables[target.var];
        variable.polymorphic
            && variable.allocation != Allocation::Allocatable
            && !target.path.iter().any(|s| matches!(s, Selector::Field(_)))
    }

    /// Assigns the components of the declared type one by one.
    pub fn assign_parts(&mut self, target: &Access, value: ExprId) {
        let Type::Record(record) = self.procedure.variables[target.var].ty else {
            return;
        };
        let Expr::Load(source) = self.procedure.expr(value).clone() else {
            return;
        };
        self.assign_components(record, target, &source);
    }

    fn assign_components(&mut self, record: RecordId, target: &Access, source: &Access) {
        for (position, field) in self.module.records[record].fields.iter().enumerate() {
            let part = |place: &Access| {
                let mut place = place.clone();
                place.path.push(Selector::Field(position as u32));
                place
            };
            if field.variant_of.is_some() {
                continue;
            }
            let fields = &self.module.records[record].fields;
            let is_object = fields.iter().any(|other| other.stands_for(position));
            let (target, source) = (part(target), part(source));
            // There is no object of an abstract parent to assign.
            if let Type::Record(parent) = field.ty
                && self.module.records[parent].is_abstract
            {
                self.assign_components(parent, &target, &source);
                continue;
            }
            let (target, source) = (self.access(&target), self.access(&source));
            match field.allocation {
                _ if is_object => self.assign_allocatable(&target, &source),
                Allocation::Fixed => self.out.line(&format!("{target} = {source}")),
                Allocation::Pointer => self.out.line(&format!("{target} => {source}")),
                Allocation::Allocatable => self.assign_allocatable(&target, &source),
            }
        }
    }

    /// Assigns an allocatable component that need not be allocated, as an assignment of whole objects
    /// does.
    fn assign_allocatable(&mut self, target: &str, source: &str) {
        let allocated = self.k("allocated");
        self.open_if(&format!("{allocated}({source})"));
        self.out.line(&format!("{target} = {source}"));
        self.otherwise();
        self.open_if(&format!("{allocated}({target})"));
        let line = format!("{} ({target})", self.k("deallocate"));
        self.out.line(&line);
        self.end_if();
        self.end_if();
    }

    /// Whether a variable is a copy of an object of an abstract type, which is of the object's own
    /// type.
    pub fn is_copy_of_abstract(&mut self, var: VarId) -> bool {
        let variable = &self.procedure.variables[var];
        let Type::Record(record) = variable.ty else {
            return false;
        };
        if variable.polymorphic || !self.module.records[record].is_abstract {
            return false;
        }
        let is_assigned = self.procedure.all_statements().into_iter().any(|stmt| {
            matches!(self.procedure.stmt(stmt), Stmt::Assign { target, .. }
                if *target == Access::whole(var))
        });
        if variable.is_array() || !is_assigned {
            self.refuse(
                variable.span,
                format!(
                    "`{}` would be an object of the abstract type `{}`",
                    variable.name, self.module.records[record].name
                ),
                "choose the type before the call (SELECT TYPE), outside of loops",
            );
        }
        true
    }

    /// The view that a condition asks for.
    pub fn asked_view(&self, condition: ExprId) -> Option<VarId> {
        match self.procedure.expr(condition) {
            Expr::Present(access) if access.path.is_empty() => {
                self.procedure.viewed(access.var).map(|_| access.var)
            }
            _ => None,
        }
    }

    /// The views that a statement itself, not what is inside it, names and that are not open.
    pub fn closed_views(&self, stmt: &Stmt) -> Vec<VarId> {
        if !self.has_views {
            return Vec::new();
        }
        if let Stmt::If { condition, .. } = stmt
            && self.asked_view(*condition).is_some()
        {
            return Vec::new();
        }
        let named = self.named_in(stmt).into_iter();
        named
            .filter(|&var| self.procedure.viewed(var).is_some() && !self.views.contains(&var))
            .collect()
    }

    /// The variables that a statement itself names.
    fn named_in(&self, stmt: &Stmt) -> BTreeSet<VarId> {
        let mut named: BTreeSet<VarId> = usage::written_directly(stmt).into_iter().collect();
        for root in stmt.expressions() {
            self.procedure.walk_expr(root, &mut |e| {
                named.extend(
                    usage::mentioned(self.procedure.expr(e))
                        .into_iter()
                        .map(|access| access.var),
                );
            });
        }
        match stmt {
            Stmt::Copy { source, .. } => {
                named.insert(source.var);
            }
            Stmt::PointerAssign {
                value: Some(value), ..
            } => {
                named.insert(value.var);
            }
            Stmt::Call {
                callee, arguments, ..
            } => {
                if let Callee::Variable(var) = callee {
                    named.insert(*var);
                }
                for argument in arguments {
                    match argument {
                        Argument::Place(place) => {
                            named.insert(place.var);
                        }
                        Argument::Opaque { reads, .. } => {
                            named.extend(reads.iter().map(|read| read.var));
                        }
                        Argument::Value(_) | Argument::Procedure(_) | Argument::Absent => {}
                    }
                }
            }
            Stmt::Opaque { reads, writes, .. } => {
                named.extend(reads.iter().chain(writes).map(|access| access.var));
            }
            _ => {}
        }
        named
    }

    /// `body` between `select type` and `end select` of each view.
    pub fn with_views(&mut self, views: &[VarId], body: &mut dyn FnMut(&mut Self)) {
        let Some((&view, rest)) = views.split_first() else {
            body(self);
            return;
        };
        self.open_view(view);
        self.with_views(rest, body);
        // What the adjoint of an object holds is of the object's type.
        if matches!(self.procedure.variables[view].role, Role::Shadow { .. }) {
            self.out.dedent();
            let default = self.k("class default");
            self.out.line(&default);
            self.out.indent();
            let stop = self.k("error stop");
            self.out.line(&format!(
                "{stop} 'a derivative has another type than its variable'"
            ));
        }
        self.close_view(view);
    }

    fn open_view(&mut self, view: VarId) {
        let Some(base) = self.procedure.viewed(view) else {
            return;
        };
        let variable = &self.procedure.variables[view];
        let Type::Record(record) = variable.ty else {
            return;
        };
        let guard = if variable.polymorphic {
            self.k("class is")
        } else {
            self.k("type is")
        };
        self.used.insert(base);
        self.import_type(record);
        let select = self.k("select type");
        // Inside, the object's own name is that of the view. A name of the view's own
        // (`select type (a => b)`) is what gfortran 12 optimises wrongly.
        let object = self.names[base.index()].clone();
        self.out.line(&format!("{select} ({object})"));
        self.names[view.index()] = object;
        let ty = &self.module.records[record].name;
        self.out.line(&format!("{guard} ({ty})"));
        self.out.indent();
        self.views.insert(view);
    }

    fn close_view(&mut self, view: VarId) {
        self.views.remove(&view);
        self.out.dedent();
        let end = self.k("end select");
        self.out.line(&end);
    }

    /// `select type` for a condition that asks of which type an object is.
    pub fn select_type(&mut self, view: VarId, then: &Block, otherwise: &Block) {
        if self.views.contains(&view) {
            self.block(then);
            return;
        }
        let shadows = self.shadow_views(view, then);
        self.open_view(view);
        self.with_views(&shadows, &mut |emitter| emitter.block(then));
        self.views.remove(&view);
        if !otherwise.is_empty() {
            self.out.dedent();
            let default = self.k("class default");
            self.out.line(&default);
            self.out.indent();
            self.block(otherwise);
        }
        self.close_view(view);
    }

    /// The shadow of a view, if a block names it.
    fn shadow_views(&self, view: VarId, block: &Block) -> Vec<VarId> {
        let procedure = self.procedure;
        let mut named = BTreeSet::new();
        procedure.walk_block(block, &mut |stmt| {
            named.extend(self.named_in(procedure.stmt(stmt)));
        });
        named
            .into_iter()
            .filter(|&var| {
                procedure.variables[var].role == Role::Shadow { of: view }
                    && procedure.viewed(var).is_some()
                    && !self.views.contains(&var)
            })
            .collect()
    }
}
