//! Declarations of the variables that a text names, each after those that its bounds name.

use std::collections::HashSet;

use contraflow_backend_common::{BREAK, Written, offset, tight, upper_of, usage};
use contraflow_ir::{
    Aliasing, Allocation, BoundKind, Callee, ContainerKind, Dim, Expr, ExprId, Extent, Intent,
    Passing, ProcedureRole, RecordId, Role, Stmt, Storage, Type, VarId, Variable,
};

use crate::calls::needs_interface;
use crate::emitter::Emitter;
use crate::expr::rank;
use crate::visibility::variable_access_name;

/// A declaration: type and attributes, and one entity.
type Line = (String, String);

impl Emitter<'_> {
    /// The declarations of the arguments, of the result, and of what is used, grouped into lines.
    pub fn declarations(&mut self) -> Vec<String> {
        let procedure = self.procedure;
        let mut done = HashSet::new();
        let mut lines = Vec::new();
        for &argument in &procedure.arguments {
            self.declare(argument, &mut done, &mut lines);
        }
        if let Some(result) = procedure.result() {
            self.declare(result, &mut done, &mut lines);
        }
        loop {
            let open = self.used.iter().copied().filter(|id| !done.contains(id));
            let open: Vec<VarId> = open.collect();
            if open.is_empty() {
                break;
            }
            let known = self.used.len();
            for next in open {
                self.declare(next, &mut done, &mut lines);
                // What has become known has its turn in the order of all.
                if self.used.len() != known {
                    break;
                }
            }
        }
        for (name, ty) in std::mem::take(&mut self.temporaries) {
            let ty = self.type_of(&Variable::scalar(&name, ty));
            lines.push((ty, name));
        }
        let mut all = self.link_types(&done);
        all.extend(self.chunk_types());
        all.extend(grouped(&lines));
        all.extend(self.chunks_and_counts());
        all.extend(self.storage_statements(&done));
        all
    }

    /// The types of links: generated records that hold one pointer.
    fn link_types(&mut self, declared: &HashSet<VarId>) -> Vec<String> {
        let module = self.module;
        let used: std::collections::BTreeSet<_> = declared
            .iter()
            .filter_map(|&id| match self.procedure.variables[id].ty {
                Type::Record(record) => Some(record),
                _ => None,
            })
            .collect();
        let mut lines = Vec::new();
        for record in used {
            let record = &module.records[record];
            if record.span != contraflow_ir::Span::NONE || record.container.is_some() {
                continue;
            }
            let (name, ty) = (&record.name, self.k("type"));
            lines.push(format!("{ty} :: {name}"));
            for field in &record.fields {
                let spelling = match &field.spelling {
                    Some(spelling) => spelling.clone(),
                    None => self.type_name(field.ty, contraflow_ir::Span::NONE),
                };
                let dims = vec![":"; field.shape.len()].join(",");
                let dims = if dims.is_empty() {
                    dims
                } else {
                    format!("({dims})")
                };
                lines.push(format!(
                    "  {spelling}, {} :: {}{dims} => {}()",
                    self.k("pointer"),
                    field.name,
                    self.k("null")
                ));
            }
            lines.push(format!("{} {ty} {name}", self.k("end")));
        }
        lines
    }

    /// The declarations of the arguments and the result alone.
    pub fn interface_declarations(&mut self) -> Vec<String> {
        let procedure = self.procedure;
        let mut done = HashSet::new();
        let mut lines = Vec::new();
        for &argument in procedure.arguments.iter().chain(&procedure.result()) {
            self.declare(argument, &mut done, &mut lines);
        }
        grouped(&lines)
    }

    fn declare(&mut self, id: VarId, done: &mut HashSet<VarId>, lines: &mut Vec<Line>) {
        if !done.insert(id) {
            return;
        }
        let procedure = self.procedure;
        let variable = &procedure.variables[id];
        if self.is_visible(id) {
            return;
        }
        if variable.ty == Type::Procedure && variable.is_argument() {
            return self.declare_procedure(id, lines);
        }
        self.refuse_local_type(variable);
        self.refuse_finalized(variable);
        for needed in self.needed_by(variable) {
            self.used.insert(needed);
            self.declare(needed, done, lines);
        }
        if let Storage::Common { block, .. } = variable.storage {
            for (other, _) in self.members(block) {
                self.used.insert(other);
                self.declare(other, done, lines);
            }
        }
        if let Storage::Overlay { base, .. } = variable.storage {
            self.used.insert(base);
            self.declare(base, done, lines);
        }
        if procedure.viewed(id).is_some() {
            return;
        }
        let is_copy = self.is_copy_of_abstract(id);
        let mut spec = match (is_copy, variable.ty) {
            (true, Type::Record(record)) => {
                let name = &self.module.records[record].name;
                format!("{}({name}), {}", self.k("class"), self.k("allocatable"))
            }
            (false, Type::Record(record)) if self.is_foreign(id, record) => {
                self.import_type(record);
                self.type_name(variable.ty, variable.span)
            }
            _ => self.type_of(variable),
        };
        for attribute in self.attributes(id) {
            spec = format!("{spec}, {attribute}");
        }
        let mut entity = self.names[id.index()].clone();
        if self.boxed.contains(&id) {
            entity.push_str("(0:0)");
        } else if variable.is_array() && !self.singles.contains(&id) {
            let dims: Vec<String> = variable
                .shape
                .iter()
                .map(|dim| tight(&self.declared_dimension(variable, dim)))
                .collect();
            entity = format!("{entity}({})", dims.join(&format!(",{BREAK}")));
        }
        if let Some(value) = self.initial_value(variable) {
            entity = format!("{entity} = {value}");
        }
        lines.push((spec, entity));
    }

    /// A procedure argument: with an interface block where Fortran demands one, else `EXTERNAL`,
    /// with the type of its value.
    fn declare_procedure(&mut self, id: VarId, lines: &mut Vec<Line>) {
        let variable = &self.procedure.variables[id];
        let name = self.names[id.index()].clone();
        if variable.optional {
            lines.push((self.k("optional"), name.clone()));
        }
        let external = self.k("external");
        let interface = variable
            .interface
            .map(|id| (id, &self.module.procedures[id]));
        let ty = match interface {
            Some((interface, called))
                if needs_interface(called) || called.role != ProcedureRole::Primal =>
            {
                self.imports.dummies.insert(name, interface);
                return;
            }
            Some((_, called)) => called.result().map(|result| {
                let result = &called.variables[result];
                self.type_name(result.ty, result.span)
            }),
            None => variable.spelling.clone(),
        };
        let ty = ty.or_else(|| self.value_type_of(id));
        lines.push(match ty {
            Some(ty) => (format!("{ty}, {external}"), name),
            None => (external, name),
        });
    }

    /// The type of what calls of a procedure argument give.
    fn value_type_of(&mut self, id: VarId) -> Option<String> {
        let procedure = self.procedure;
        let place =
            procedure
                .all_statements()
                .into_iter()
                .find_map(|stmt| match procedure.stmt(stmt) {
                    Stmt::Call {
                        callee: Callee::Variable(var),
                        result,
                        ..
                    } if *var == id => result.as_ref(),
                    _ => None,
                })?;
        let ty = self.type_at(place);
        Some(self.type_name(ty, procedure.variables[id].span))
    }

    /// A copy of an object with a FINAL procedure would have it called.
    fn refuse_finalized(&mut self, variable: &Variable) {
        if variable.role != Role::Primal && self.module.is_finalized(variable.ty) {
            self.refuse(
                variable.span,
                format!(
                    "`{}` would be a copy of an object whose type has a FINAL procedure, which it would call",
                    variable.name
                ),
                "keep the object out of what is differentiated: pass its numbers as arguments",
            );
        }
    }

    /// Whether a variable that the primal does not declare is of a type that no variable of the primal
    /// has: it may have no name for it.
    fn is_foreign(&self, id: VarId, record: RecordId) -> bool {
        let procedure = self.procedure;
        let is_own = |variable: &Variable| variable.role == Role::Primal && !variable.imported;
        !is_own(&procedure.variables[id])
            && !procedure
                .variables
                .iter()
                .any(|(_, variable)| variable.ty == Type::Record(record) && is_own(variable))
    }

    /// A type that is declared inside a procedure is not seen by what derives from it.
    fn refuse_local_type(&mut self, variable: &Variable) {
        let Type::Record(record) = variable.ty else {
            return;
        };
        if self.procedure.role == ProcedureRole::Primal || self.interop {
            return;
        }
        let record = &self.module.records[record];
        let is_repeated = self.procedure.home.prologue.iter().any(|line| {
            let line = line.to_ascii_lowercase();
            let name = line
                .strip_prefix("type")
                .map(|rest| rest.rsplit("::").next().unwrap_or(rest).trim());
            name.is_some_and(|name| name.eq_ignore_ascii_case(&record.name))
        });
        if is_repeated && variable.storage != Storage::Saved {
            return;
        }
        let is_inside = self.module.procedures.iter().any(|(_, procedure)| {
            let span = procedure.home.span;
            procedure.role == ProcedureRole::Primal
                && procedure.has_body
                && span.is_some()
                && record.span.is_some()
                && span.file == record.span.file
                && (span.start..span.end).contains(&record.span.start)
        });
        if is_inside {
            self.refuse(
                record.span,
                format!(
                    "the type `{}` is declared inside a procedure, and the derivative stands outside of it",
                    record.name
                ),
                "move the type into the module, or into a module that the procedure uses",
            );
        }
    }

    /// Whether a variable is declared where the procedure sees it.
    fn is_visible(&mut self, id: VarId) -> bool {
        let variable = &self.procedure.variables[id];
        match variable.storage {
            Storage::Global(global) => {
                if self.import_generated(variable, global) {
                    return true;
                }
                if self.interop {
                    self.imports.c_globals.insert(global);
                    self.refuse_file_static(variable, global);
                } else {
                    self.import_shadow(variable, global);
                }
                true
            }
            Storage::Constant {
                global: Some(_), ..
            } => !self.interop,
            Storage::Overlay { base, .. } => self.is_visible_overlay(id, base),
            _ => false,
        }
    }

    /// An `EQUIVALENCE` of a module is declared there; it is none of the shadows'.
    fn is_visible_overlay(&mut self, id: VarId, base: VarId) -> bool {
        if !self.is_in_module(base) {
            return false;
        }
        let variable = &self.procedure.variables[id];
        if self.interop || matches!(variable.role, Role::Shadow { .. }) {
            self.refuse(
                variable.span,
                format!(
                    "`{}` shares the memory of a module variable, and its shadow cannot",
                    variable.name
                ),
                "give the two variables of the module memory of their own",
            );
        }
        true
    }

    pub fn is_in_module(&self, id: VarId) -> bool {
        matches!(self.procedure.variables[id].storage, Storage::Global(_))
    }

    fn refuse_file_static(&mut self, variable: &Variable, global: contraflow_ir::GlobalId) {
        if self.module.globals[global].kind == contraflow_ir::GlobalKind::FileStatic {
            self.refuse(
                variable.span,
                format!(
                    "the static variable `{}` cannot be reached from Fortran output",
                    variable.name
                ),
                "ask for C output",
            );
        }
    }

    /// What stands in a generated module, or in one that the primal does not use, is used under the
    /// name that it has here.
    fn import_generated(&mut self, variable: &Variable, global: contraflow_ir::GlobalId) -> bool {
        let global = &self.module.globals[global];
        let container = global.container.map(|c| &self.module.containers[c]);
        let is_used = |kind: ContainerKind| {
            kind == ContainerKind::Generated || kind == ContainerKind::Module && variable.imported
        };
        let Some(container) = container.filter(|c| is_used(c.kind)) else {
            return false;
        };
        let there = match global.is_private && container.kind == ContainerKind::Module {
            true => variable_access_name(self.module, global),
            false => global.name.clone(),
        };
        let entity = renamed(&variable.name, &there);
        let entities = self.imports.uses.entry(container.name.clone()).or_default();
        entities.insert(entity);
        true
    }

    /// The shadow of a variable of another module is not in the primal's `USE` lines.
    fn import_shadow(&mut self, variable: &Variable, global: contraflow_ir::GlobalId) {
        let global = &self.module.globals[global];
        if global.shadow_of.is_none() || global.container == self.procedure.home.container {
            return;
        }
        if let Some(container) = global.container {
            let entity = renamed(&variable.name, &global.name);
            let module = self.module.containers[container].name.clone();
            self.imports.uses.entry(module).or_default().insert(entity);
        }
    }

    /// The variables that a declaration names: in bounds and values, and kinds in the spelling.
    fn needed_by(&self, variable: &Variable) -> Vec<VarId> {
        let mut needed = Vec::new();
        for root in usage::declaration_expressions(variable) {
            needed.extend(usage::variables_of(self.procedure, root));
        }
        if let Some(spelling) = self.spelling_of(variable) {
            let words = spelling.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            needed.extend(
                words
                    .filter(|word| !word.is_empty())
                    .filter_map(|word| self.variable_named(word))
                    .filter(|&id| self.procedure.variables[id].is_constant()),
            );
        }
        needed
    }

    fn attributes(&self, id: VarId) -> Vec<String> {
        let variable = &self.procedure.variables[id];
        let mut attributes = Vec::new();
        if variable.is_argument() {
            if variable.passing == Passing::Value {
                attributes.push(self.k("value"));
            } else if let Some(intent) = self.intent(id) {
                attributes.push(format!("{}({})", self.k("intent"), self.k(intent)));
            }
        }
        if variable.optional || self.may_be_null(id) {
            attributes.push(self.k("optional"));
        }
        let is_target = (variable.aliasing == Aliasing::May || self.pointed.contains(&id))
            && variable.allocation != Allocation::Pointer
            && !self.interop;
        let is_made = variable.allocation == Allocation::Allocatable
            || variable.allocation == Allocation::Fixed
                && (self.is_allocated_at_entry(variable) || self.is_growing(variable));
        if is_made {
            attributes.push(self.k("allocatable"));
        }
        if variable.allocation == Allocation::Pointer {
            attributes.push(self.k("pointer"));
        }
        if is_target {
            attributes.push(self.k("target"));
        }
        match variable.storage {
            Storage::Saved => attributes.push(self.k("save")),
            Storage::Constant { .. } => attributes.push(self.k("parameter")),
            _ => {}
        }
        attributes
    }

    /// Whether a C parameter may be a null pointer, which is an absent argument in Fortran: the
    /// function asks, or its body is not written here.
    fn may_be_null(&self, id: VarId) -> bool {
        let variable = &self.procedure.variables[id];
        if !self.interop || !variable.is_argument() || variable.passing == Passing::Value {
            return false;
        }
        let asks = self.procedure.exprs.iter().any(|(_, node)| {
            matches!(&node.expr, contraflow_ir::Expr::Present(access) if access.var == id)
        });
        asks || self.is_interface
    }

    /// What the written body does to an argument, within what the source says.
    fn intent(&self, id: VarId) -> Option<&'static str> {
        let variable = &self.procedure.variables[id];
        if variable.allocation == Allocation::Pointer || variable.ty == Type::Procedure {
            return None;
        }
        let written = self.usage.written(self.id, id);
        let found = match written {
            Written::No => "in",
            Written::Maybe | Written::Yes => "inout",
        };
        let is_adjoint = matches!(
            self.procedure.role,
            ProcedureRole::Adjoint { .. } | ProcedureRole::Backward { .. }
        );
        match variable.intent {
            Intent::In if written == Written::Yes => Some("inout"),
            Intent::In => Some("in"),
            Intent::InOut => Some("inout"),
            Intent::Out if written == Written::No => Some("inout"),
            Intent::Out if is_adjoint && matches!(variable.role, Role::Shadow { .. }) => {
                Some("inout")
            }
            Intent::Out => Some("out"),
            Intent::Unspecified if self.interop || self.procedure.is_pure => Some(found),
            Intent::Unspecified => self.says_intents().then_some(found),
        }
    }

    /// Whether the procedure declares intents at all.
    fn says_intents(&self) -> bool {
        self.procedure.arguments.iter().any(|&id| {
            let variable = &self.procedure.variables[id];
            variable.intent != Intent::Unspecified && variable.role == Role::Primal
        })
    }

    fn initial_value(&mut self, variable: &Variable) -> Option<String> {
        let value = match variable.storage {
            Storage::Constant { value, .. } => value,
            Storage::Saved => variable.initial,
            _ => return None,
        };
        let is_unknown =
            value.is_some_and(|value| matches!(self.procedure.expr(value), Expr::Opaque { .. }));
        if is_unknown && variable.storage == Storage::Saved {
            self.refuse(
                variable.span,
                format!(
                    "`{}` has values that its derivative cannot repeat, such as bits of another type by EQUIVALENCE",
                    variable.name
                ),
                "give it values of its own type",
            );
            return None;
        }
        if let Some(value) = value {
            return Some(self.value(value, variable.ty));
        }
        if variable.storage == Storage::Saved && !variable.values.is_empty() {
            return Some(self.constructor(variable));
        }
        if variable.is_constant() {
            self.refuse(
                variable.span,
                format!("the value of the constant `{}` is not known", variable.name),
                "declare it in a module that the procedure uses",
            );
        } else if variable.is_array() && self.procedure.role != ProcedureRole::Primal {
            self.refuse(
                variable.span,
                format!(
                    "`{}` keeps its value between calls, and its derivative cannot see it",
                    variable.name
                ),
                "declare it in the module instead of with SAVE or DATA",
            );
        }
        None
    }

    /// The initial values of an array as an expression.
    fn constructor(&mut self, variable: &Variable) -> String {
        let mut values = Vec::new();
        for &(count, value) in &variable.values {
            let text = self.value(value, variable.ty);
            values.extend((0..count).map(|_| text.clone()));
        }
        let list = format!("[{}]", values.join(&format!(",{BREAK} ")));
        if variable.rank() == 1 {
            return list;
        }
        let extents: Vec<String> = variable
            .shape
            .iter()
            .map(|dim| match dim.extent {
                Extent::Count(count) => self.index(count),
                _ => String::new(),
            })
            .collect();
        format!("reshape({list}, [{}])", extents.join(", "))
    }

    pub fn declared_dimension(&mut self, variable: &Variable, dim: &Dim) -> String {
        if self.is_allocated_at_entry(variable) {
            return ":".to_owned();
        }
        let lower = match self.procedure.expr(dim.lower) {
            Expr::Integer(1) => String::new(),
            _ => format!("{}:", self.index(dim.lower)),
        };
        match dim.extent {
            Extent::Count(count) => self.dimension(Some(dim.lower), count),
            Extent::Assumed if lower.is_empty() => ":".to_owned(),
            Extent::Assumed => lower,
            Extent::Deferred => ":".to_owned(),
            Extent::AssumedSize | Extent::Unknown => format!("{lower}*"),
        }
    }

    /// `extent`, or `lower:upper`.
    pub fn dimension(&mut self, lower: Option<ExprId>, extent: ExprId) -> String {
        let Some(lower) = lower else {
            return self.index(extent);
        };
        if matches!(self.procedure.expr(lower), Expr::Integer(1)) {
            return self.index(extent);
        }
        let upper = self.upper_bound(lower, extent);
        format!("{}:{upper}", self.index(lower))
    }

    /// The upper bound of `extent` elements from `lower`.
    fn upper_bound(&mut self, lower: ExprId, extent: ExprId) -> String {
        if let Some(upper) = self.same_array(lower, extent) {
            return upper;
        }
        if let Some(upper) = upper_of(self.procedure, lower, extent) {
            return self.index(upper);
        }
        let low = offset(self.procedure, lower);
        match (low, offset(self.procedure, extent)) {
            ((None, low), (base, count)) => self.sum(base, count + low - 1),
            ((Some(_), _), (base, count)) => {
                let low = self.index(lower);
                match self.sum(base, count - 1).strip_prefix('-') {
                    Some(rest) => format!("{low} - {rest}"),
                    None => format!("{low} + {}", self.sum(base, count - 1)),
                }
            }
        }
    }

    /// `ubound(a, n)` where lower bound and extent are those of one array.
    fn same_array(&mut self, lower: ExprId, extent: ExprId) -> Option<String> {
        let procedure = self.procedure;
        let (
            Expr::Bound {
                array,
                kind: BoundKind::Lower,
                dim,
            },
            Expr::Bound {
                array: other,
                kind: BoundKind::Extent,
                dim: same,
            },
        ) = (procedure.expr(lower), procedure.expr(extent))
        else {
            return None;
        };
        let is_same = dim == same && procedure.same_access(array, other);
        is_same.then(|| self.bound(array, BoundKind::Upper, *dim).text)
    }

    fn sum(&mut self, base: Option<ExprId>, constant: i128) -> String {
        let Some(base) = base else {
            return constant.to_string();
        };
        let text = self.expr(base).at_least(rank::ADD);
        match constant {
            0 => text,
            c if c < 0 => format!("{text} - {}", -c),
            c => format!("{text} + {c}"),
        }
    }
}

/// An entity of an `only` list.
fn renamed(local: &str, name: &str) -> String {
    if local.eq_ignore_ascii_case(name) {
        name.to_owned()
    } else {
        format!("{local} => {name}")
    }
}

/// Entities with equal types and attributes share a line, where they follow each other.
fn grouped(lines: &[Line]) -> Vec<String> {
    let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
    for (spec, entity) in lines {
        match grouped.last_mut() {
            Some((last, entities)) if last == spec => entities.push(entity.clone()),
            _ => grouped.push((spec.clone(), vec![entity.clone()])),
        }
    }
    grouped
        .into_iter()
        .map(|(spec, entities)| {
            let spec = spec.replace(", ", &format!(",{BREAK} "));
            format!("{spec} :: {}", entities.join(&format!(",{BREAK} ")))
        })
        .collect()
}
