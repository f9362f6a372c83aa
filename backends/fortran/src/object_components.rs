//! Components of CLASS: what an object holds is reached through `select type`.
//!
//! In the representation such a component is one component for each type (`Field::variant_of`). A place
//! inside of one is written by a name that `select type` gives the object around the statement; that
//! one has memory is a question about the type of the object.

use contraflow_backend_common::usage;
use contraflow_ir::{
    Access, Argument, Module, Procedure, RecordId, Selector, Stmt, StmtId, Type, VarId,
};

use crate::emitter::Emitter;

/// The component that the source declares, where a component stands for objects of one type in it.
fn declared(module: &Module, record: RecordId, field: u32) -> Option<(&str, RecordId)> {
    let fields = &module.records[record].fields;
    let variant = fields.get(field as usize)?;
    let declared = fields.get(variant.variant_of? as usize)?;
    match variant.ty {
        Type::Record(own) => Some((&declared.name, own)),
        _ => None,
    }
}

/// The objects of one type that an access leads through, from the outermost on.
fn objects(module: &Module, procedure: &Procedure, access: &Access) -> Vec<Access> {
    let mut found = Vec::new();
    let mut ty = procedure.variables[access.var].ty;
    for (position, selector) in access.path.iter().enumerate() {
        if let (Selector::Field(field), Type::Record(record)) = (selector, ty) {
            if declared(module, record, *field).is_some() {
                found.push(Access {
                    var: access.var,
                    path: access.path[..=position].to_vec(),
                });
            }
            ty = module.records[record].fields[*field as usize].ty;
        }
    }
    found
}

/// Whether two accesses name one place.
fn same_place(procedure: &Procedure, a: &Access, b: &Access) -> bool {
    a.var == b.var
        && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|pair| match pair {
            (Selector::Field(a), Selector::Field(b)) => a == b,
            (Selector::Index(a), Selector::Index(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| procedure.same_expr(a, b))
            }
            (a, b) => a == b,
        })
}

/// Whether a place is inside of another, or is it.
fn is_inside(procedure: &Procedure, place: &Access, outer: &Access) -> bool {
    place.path.len() >= outer.path.len() && {
        let start = Access {
            var: place.var,
            path: place.path[..outer.path.len()].to_vec(),
        };
        same_place(procedure, &start, outer)
    }
}

impl Emitter<'_> {
    /// The name that `select type` gives the object that a place is, where it is open.
    pub fn opened(&self, place: &Access) -> Option<String> {
        let mut open = self.objects.iter().rev();
        let found = open.find(|(known, _)| same_place(self.procedure, known, place));
        found.map(|(_, name)| name.clone())
    }

    /// The component that the source declares for a component of a record.
    pub fn declared_component(&self, record: RecordId, field: u32) -> Option<&str> {
        declared(self.module, record, field).map(|(name, _)| name)
    }

    /// Whether a place is an object in a component of CLASS, and as which type.
    pub fn object_type(&self, place: &Access) -> Option<RecordId> {
        let last = objects(self.module, self.procedure, place).pop()?;
        match self.type_at(place) {
            Type::Record(record) if last.path.len() == place.path.len() => Some(record),
            _ => None,
        }
    }

    /// An object, named by the component that holds it: where its memory is made, released or asked for.
    pub fn holder(&mut self, place: &Access) -> String {
        let open = std::mem::take(&mut self.objects);
        let (own, outer) = open
            .into_iter()
            .partition(|(known, _)| same_place(self.procedure, known, place));
        self.objects = outer;
        let text = self.access(place);
        let own: Vec<(Access, String)> = own;
        self.objects.extend(own);
        text
    }

    /// Whether an object has memory and is of one type.
    pub fn is_object_of(&mut self, place: &Access, record: RecordId) -> String {
        let holder = self.holder(place);
        let name = self.module.records[record].name.to_ascii_lowercase();
        let model = match self.models.get(&record) {
            Some(model) => model.clone(),
            None => {
                let model = self.temporary(&format!("any_{name}"), Type::Record(record));
                self.models.insert(record, model.clone());
                model
            }
        };
        self.import_type(record);
        let (allocated, and, same) = (self.k("allocated"), self.k(".and."), self.k("same_type_as"));
        format!("{allocated}({holder}) {and} {same}({holder}, {model})")
    }

    /// The objects that must be open for what a statement itself, not what is inside it, names.
    pub fn closed_objects(&self, stmt: &Stmt) -> Vec<Access> {
        let mut wanted: Vec<Access> = Vec::new();
        let mut want = |place: &Access, is_whole: bool| {
            for object in objects(self.module, self.procedure, place) {
                let is_itself = object.path.len() == place.path.len();
                let is_known = |known: &Access| same_place(self.procedure, known, &object);
                if (!is_itself || is_whole)
                    && !wanted.iter().any(is_known)
                    && self.opened(&object).is_none()
                {
                    wanted.push(object);
                }
            }
        };
        for root in stmt.expressions() {
            self.procedure.walk_expr(root, &mut |e| {
                let expr = self.procedure.expr(e);
                let asks = matches!(expr, contraflow_ir::Expr::Present(_));
                for place in usage::mentioned(expr) {
                    want(place, !asks);
                }
            });
        }
        match stmt {
            Stmt::Allocate { target, .. } | Stmt::Free { target } => want(target, false),
            Stmt::Assign { target, .. } | Stmt::Fill { target, .. } | Stmt::Pop { target, .. } => {
                want(target, true);
            }
            Stmt::Copy { target, source } => {
                want(target, true);
                want(source, true);
            }
            Stmt::PointerAssign { target, value, .. } => {
                want(target, true);
                if let Some(value) = value {
                    want(value, true);
                }
            }
            Stmt::Call {
                arguments, result, ..
            } => {
                for argument in arguments {
                    if let Argument::Place(place) = argument {
                        want(place, true);
                    }
                }
                if let Some(place) = result {
                    want(place, true);
                }
            }
            _ => {}
        }
        wanted
    }

    /// A statement between `select type` and `end select` of each object.
    pub fn with_objects(&mut self, wanted: &[Access], id: StmtId, body: &mut dyn FnMut(&mut Self)) {
        let Some((object, rest)) = wanted.split_first() else {
            body(self);
            return;
        };
        self.refuse_changed(object, id);
        let Some(record) = self.object_type(object) else {
            return;
        };
        self.import_type(record);
        let holder = self.holder(object);
        let name = self.namer.name("object");
        let (select, guard) = (self.k("select type"), self.k("type is"));
        self.out.line(&format!("{select} ({name} => {holder})"));
        let ty = &self.module.records[record].name;
        self.out.line(&format!("{guard} ({ty})"));
        self.out.indent();
        self.objects.push((object.clone(), name));
        self.with_objects(rest, id, body);
        self.objects.pop();
        self.out.dedent();
        let default = self.k("class default");
        self.out.line(&default);
        self.out.indent();
        let stop = self.k("error stop");
        self.out
            .line(&format!("{stop} 'an object has another type than it had'"));
        self.out.dedent();
        let end = self.k("end select");
        self.out.line(&end);
    }

    /// Inside of a construct whose head names an object, it must stay the same object.
    fn refuse_changed(&mut self, object: &Access, id: StmtId) {
        let procedure = self.procedure;
        let subscripts: Vec<VarId> = object
            .expressions()
            .flat_map(|e| procedure.reads_of_expr(e))
            .map(|read| read.var)
            .collect();
        let mut changes = false;
        for block in procedure.stmt(id).blocks() {
            procedure.walk_block(block, &mut |inner| {
                let stmt = procedure.stmt(inner);
                changes |= match stmt {
                    Stmt::Allocate { target, .. } | Stmt::Free { target } => {
                        is_inside(procedure, object, target)
                    }
                    _ => false,
                };
                let written = usage::written_directly(stmt);
                changes |= written.iter().any(|var| subscripts.contains(var));
            });
        }
        if changes {
            let span = procedure.stmts[id].span;
            self.refuse(
                span,
                "the head of a construct names an object that changes inside of it".to_owned(),
                "assign what the head needs to a variable before it",
            );
        }
    }

    /// Makes a type of another module known.
    pub fn import_type(&mut self, record: RecordId) {
        let record = &self.module.records[record];
        let Some(container) = record.container else {
            return;
        };
        if self.procedure.home.container == Some(container) {
            return;
        }
        let container = &self.module.containers[container];
        if container.kind == contraflow_ir::ContainerKind::Module {
            let names = self.imports.uses.entry(container.name.clone());
            names.or_default().insert(record.name.clone());
        }
    }
}
