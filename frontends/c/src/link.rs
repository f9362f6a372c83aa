//! Merges translation units: ids are renumbered, and what has external linkage and one name
//! becomes one thing.

use contraflow_ir::{
    Argument, Callee, ContainerId, GlobalId, GlobalKind, Module, PointerId, Procedure, ProcedureId,
    RecordId, Span, Stmt, Storage, Type,
};
use std::collections::{HashMap, HashSet};

/// Where the ids of a unit went.
struct Moved {
    containers: Vec<ContainerId>,
    globals: Vec<GlobalId>,
    records: Vec<RecordId>,
    pointers: Vec<PointerId>,
    procedures: Vec<ProcedureId>,
}

impl Moved {
    fn ty(&self, ty: Type) -> Type {
        match ty {
            Type::Record(id) => Type::Record(self.records[id.index()]),
            Type::Pointer(id) => Type::Pointer(self.pointers[id.index()]),
            other => other,
        }
    }
}

/// What the program has, by what other units may call it.
pub(crate) struct Linker {
    /// Records of one name and place, which differ where a header was read with other macros.
    records: HashMap<(String, Span), Vec<RecordId>>,
    pointers: HashMap<(Type, Option<String>), PointerId>,
    globals: HashMap<String, GlobalId>,
    procedures: HashMap<String, ProcedureId>,
}

impl Linker {
    /// Of what is there before the first unit.
    pub fn new(module: &Module) -> Self {
        let mut records: HashMap<_, Vec<RecordId>> = HashMap::new();
        for (id, record) in module.records.iter() {
            let same = records
                .entry((record.name.clone(), record.span))
                .or_default();
            same.push(id);
        }
        let pointers = module
            .pointers
            .iter()
            .map(|(id, pointer)| ((pointer.target, pointer.spelling.clone()), id))
            .collect();
        let globals = module
            .globals
            .iter()
            .filter(|(_, global)| global.kind == GlobalKind::External)
            .map(|(id, global)| (global.name.clone(), id))
            .collect();
        Self {
            records,
            pointers,
            globals,
            procedures: external_procedures(module),
        }
    }

    /// Adds a unit to the program.
    pub fn merge(&mut self, module: &mut Module, unit: Module) {
        debug_assert!(unit.commons.is_empty(), "C has no COMMON blocks");
        let mut moved = Moved {
            containers: Vec::new(),
            globals: Vec::new(),
            records: Vec::new(),
            pointers: Vec::new(),
            procedures: Vec::new(),
        };
        moved.containers = unit
            .containers
            .iter()
            .map(|(_, container)| module.containers.add(container.clone()))
            .collect();
        self.merge_types(module, &unit, &mut moved);
        self.merge_globals(module, &unit, &mut moved);
        self.merge_procedures(module, unit, &mut moved);
    }

    /// Records of one header are one record, if they have the same members; records and pointers name
    /// each other, so all get their ids before any is filled in.
    fn merge_types(&mut self, module: &mut Module, unit: &Module, moved: &mut Moved) {
        let mut added = Vec::new();
        for (theirs, record) in unit.records.iter() {
            let known = self
                .records
                .entry((record.name.clone(), record.span))
                .or_default();
            let existing = known
                .iter()
                .copied()
                .find(|&id| !added.contains(&id) && Alike::new(module, unit).records(id, theirs));
            let id = existing.unwrap_or_else(|| {
                let id = module.records.add(record.clone());
                known.push(id);
                added.push(id);
                id
            });
            moved.records.push(id);
        }
        // A pointer's target was made before the pointer, so its id is known by now.
        for (_, pointer) in unit.pointers.iter() {
            let mut pointer = pointer.clone();
            pointer.target = moved.ty(pointer.target);
            let key = (pointer.target, pointer.spelling.clone());
            let id = *self
                .pointers
                .entry(key)
                .or_insert_with(|| module.pointers.add(pointer));
            moved.pointers.push(id);
        }
        for id in added {
            let record = &mut module.records[id];
            record.container = record.container.map(|id| moved.containers[id.index()]);
            for field in &mut record.fields {
                field.ty = moved.ty(field.ty);
            }
        }
    }

    fn merge_globals(&mut self, module: &mut Module, unit: &Module, moved: &mut Moved) {
        for (_, global) in unit.globals.iter() {
            let is_external = global.kind == GlobalKind::External;
            let existing = match is_external {
                true => self.globals.get(&global.name).copied(),
                false => None,
            };
            let id = match existing {
                Some(id) => {
                    let complete = global.shape.iter().all(|(_, extent)| extent.is_some());
                    if complete {
                        module.globals[id].shape.clone_from(&global.shape);
                    }
                    id
                }
                None => {
                    let mut global = global.clone();
                    global.ty = moved.ty(global.ty);
                    global.container = global.container.map(|id| moved.containers[id.index()]);
                    let name = global.name.clone();
                    let id = module.globals.add(global);
                    if is_external {
                        self.globals.insert(name, id);
                    }
                    id
                }
            };
            moved.globals.push(id);
        }
        for (&global, targets) in &unit.initial_targets {
            let of = |global: GlobalId| moved.globals[global.index()];
            let targets = targets.iter().copied().map(of).collect();
            module.initial_targets.insert(of(global), targets);
        }
    }

    fn merge_procedures(&mut self, module: &mut Module, unit: Module, moved: &mut Moved) {
        let mut added = Vec::new();
        for (_, procedure) in unit.procedures.iter() {
            let existing = match procedure.is_private {
                true => None,
                false => self.procedures.get(&procedure.name).copied(),
            };
            let id = match existing {
                Some(id) if !procedure.has_body => id,
                Some(id) if !module.procedures[id].has_body => {
                    module.procedures[id] = procedure.clone();
                    added.push(id);
                    id
                }
                _ => {
                    let id = module.procedures.add(procedure.clone());
                    added.push(id);
                    if !procedure.is_private && procedure.scalars_by_value {
                        self.procedures.insert(procedure.name.clone(), id);
                    }
                    id
                }
            };
            moved.procedures.push(id);
        }
        for id in added {
            rename(&mut module.procedures[id], moved);
        }
    }
}

/// Compares records of the program with those of a unit, member by member.
struct Alike<'m> {
    module: &'m Module,
    unit: &'m Module,
    /// Pairs that are being compared, or were.
    assumed: HashSet<(RecordId, RecordId)>,
}

impl<'m> Alike<'m> {
    fn new(module: &'m Module, unit: &'m Module) -> Self {
        Self {
            module,
            unit,
            assumed: HashSet::new(),
        }
    }

    fn records(&mut self, ours: RecordId, theirs: RecordId) -> bool {
        if !self.assumed.insert((ours, theirs)) {
            return true;
        }
        let (a, b) = (&self.module.records[ours], &self.unit.records[theirs]);
        (&a.name, a.span, a.fields.len()) == (&b.name, b.span, b.fields.len())
            && a.fields
                .iter()
                .zip(&b.fields)
                .all(|(a, b)| a.name == b.name && a.shape == b.shape && self.types(a.ty, b.ty))
    }

    fn types(&mut self, ours: Type, theirs: Type) -> bool {
        match (ours, theirs) {
            (Type::Record(a), Type::Record(b)) => self.records(a, b),
            (Type::Pointer(a), Type::Pointer(b)) => {
                self.types(self.module.pointers[a].target, self.unit.pointers[b].target)
            }
            (a, b) => a == b,
        }
    }
}

/// The procedures that other units see, by name; definitions before prototypes.
fn external_procedures(module: &Module) -> HashMap<String, ProcedureId> {
    let mut known = HashMap::new();
    for with_body in [false, true] {
        for (id, procedure) in module.procedures.iter() {
            if procedure.scalars_by_value
                && !procedure.is_private
                && procedure.has_body == with_body
            {
                known.insert(procedure.name.clone(), id);
            }
        }
    }
    known
}

/// Gives a procedure the program's ids.
fn rename(procedure: &mut Procedure, moved: &Moved) {
    procedure.home.container = procedure
        .home
        .container
        .map(|id| moved.containers[id.index()]);
    for (_, variable) in procedure.variables.iter_mut() {
        variable.ty = moved.ty(variable.ty);
        if let Some(interface) = &mut variable.interface {
            *interface = moved.procedures[interface.index()];
        }
        match &mut variable.storage {
            Storage::Global(id) => *id = moved.globals[id.index()],
            Storage::Constant {
                global: Some(global),
                ..
            } => *global = moved.globals[global.index()],
            _ => {}
        }
    }
    for (_, node) in procedure.exprs.iter_mut() {
        node.ty = moved.ty(node.ty);
    }
    for (_, node) in procedure.stmts.iter_mut() {
        if let Stmt::Call {
            callee, arguments, ..
        } = &mut node.stmt
        {
            if let Callee::Procedure(id) = callee {
                *id = moved.procedures[id.index()];
            }
            for argument in arguments {
                if let Argument::Procedure(id) = argument {
                    *id = moved.procedures[id.index()];
                }
            }
        }
    }
}

/// Calls of undeclared functions find the procedure of that name, if its arguments fit.
pub(crate) fn resolve(module: &mut Module) {
    let known = external_procedures(module);
    let formals: Vec<usize> = module
        .procedures
        .iter()
        .map(|(_, procedure)| procedure.arguments.len())
        .collect();
    for (_, procedure) in module.procedures.iter_mut() {
        for (_, node) in procedure.stmts.iter_mut() {
            let Stmt::Call {
                callee, arguments, ..
            } = &mut node.stmt
            else {
                continue;
            };
            if let Callee::External(name) = callee
                && let Some(&id) = known.get(name.as_str())
                && formals[id.index()] == arguments.len()
                && arguments.is_empty()
            {
                *callee = Callee::Procedure(id);
            }
        }
    }
}
