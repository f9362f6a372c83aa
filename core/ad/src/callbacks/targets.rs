//! Where pointers to functions may lead.
//!
//! One set of procedures for each component of a record type, each global and each variable that holds such
//! pointers: the least that contains what assignments, initial values and calls put there, of whatever object
//! (Andersen's analysis, by components, without regard to order). A set is open where others may put in more:
//! what the caller of the head hands on, what quoted text writes, what is reached through pointers to pointers.
//!
//! Cost: one walk over all statements, then a pass over the assignments for each change.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, Callee, GlobalId, Module, Procedure, ProcedureId, RecordId, Selector, Stmt,
    Storage, Type, VarId, place_of,
};

/// What holds a pointer to a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Component(RecordId, u32),
    Global(GlobalId),
    Variable(ProcedureId, VarId),
}

/// The procedures that a pointer may lead to.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Targets {
    /// Those that are known.
    pub known: BTreeSet<ProcedureId>,
    /// Whether there may be others.
    pub open: bool,
}

impl Targets {
    fn join(&mut self, other: &Targets) -> bool {
        let before = (self.known.len(), self.open);
        self.known.extend(&other.known);
        self.open |= other.open;
        before != (self.known.len(), self.open)
    }
}

/// Where all pointers of a program may lead.
pub(super) struct Leads {
    found: BTreeMap<Holder, Targets>,
}

impl Leads {
    /// Of a program whose `head` is called from outside.
    pub fn find(module: &Module, head: ProcedureId) -> Self {
        let mut search = Search {
            module,
            found: BTreeMap::new(),
            moves: Vec::new(),
        };
        search.given_to(head);
        for (id, procedure) in module.procedures.iter() {
            search.procedure(id, procedure);
        }
        search.settle();
        Self {
            found: search.found,
        }
    }

    /// Where a pointer that a procedure names may lead.
    pub fn of(&self, module: &Module, id: ProcedureId, pointer: &Access) -> Targets {
        let holder = holder(module, id, pointer);
        let found = holder.and_then(|holder| self.found.get(&holder));
        found.cloned().unwrap_or_default()
    }
}

struct Search<'a> {
    module: &'a Module,
    found: BTreeMap<Holder, Targets>,
    /// `(from, to)`.
    moves: Vec<(Holder, Holder)>,
}

impl Search<'_> {
    fn open(&mut self, holder: Holder) {
        self.found.entry(holder).or_default().open = true;
    }

    fn add(&mut self, holder: Holder, target: ProcedureId) {
        self.found.entry(holder).or_default().known.insert(target);
    }

    /// What the head is given may hold pointers to anything.
    fn given_to(&mut self, head: ProcedureId) {
        let module = self.module;
        let procedure = &module.procedures[head];
        for &var in &procedure.arguments {
            let ty = procedure.variables[var].ty;
            self.open(Holder::Variable(head, var));
            self.open_within(ty, &mut BTreeSet::new());
        }
    }

    /// All components below a type, through pointers, are open.
    fn open_within(&mut self, ty: Type, seen: &mut BTreeSet<RecordId>) {
        let module = self.module;
        match ty {
            Type::Pointer(pointer) => self.open_within(module.pointers[pointer].target, seen),
            Type::Address => {
                let all: Vec<RecordId> = module.records.ids().collect();
                for record in all {
                    self.open_within(Type::Record(record), seen);
                }
            }
            Type::Record(record) if seen.insert(record) => {
                for (index, field) in (0u32..).zip(&module.records[record].fields) {
                    match field.ty {
                        Type::Procedure => self.open(Holder::Component(record, index)),
                        ty => self.open_within(ty, seen),
                    }
                }
            }
            _ => {}
        }
    }

    fn procedure(&mut self, id: ProcedureId, procedure: &Procedure) {
        let module = self.module;
        let is_pointer = |access: &Access| {
            place_of(module, procedure, access).is_ok_and(|place| place.ty == Type::Procedure)
        };
        for stmt in procedure.all_statements() {
            match procedure.stmt(stmt) {
                Stmt::PointerAssign {
                    target,
                    value: Some(value),
                    ..
                } if is_pointer(target) => {
                    let named = procedure.variables[value.var].named_procedure();
                    let to = holder(module, id, target);
                    match (named, holder(module, id, value), to) {
                        (Some(named), _, Some(to)) => self.add(to, named),
                        (None, Some(from), Some(to)) => self.moves.push((from, to)),
                        (None, None, Some(to)) => self.open(to),
                        // Through a pointer to pointers: any may be meant.
                        (_, _, None) => self.open_all(),
                    }
                }
                Stmt::Call {
                    callee,
                    arguments,
                    result,
                } => self.call(id, procedure, callee, arguments, result.as_ref()),
                Stmt::Opaque { writes, .. } => {
                    for access in writes {
                        self.written(id, procedure, access);
                    }
                }
                _ => {}
            }
        }
    }

    /// Quoted text may write it.
    fn written(&mut self, id: ProcedureId, procedure: &Procedure, access: &Access) {
        let Ok(place) = place_of(self.module, procedure, access) else {
            return;
        };
        match (place.ty, holder(self.module, id, access)) {
            (Type::Procedure, Some(holder)) => self.open(holder),
            (Type::Procedure, None) => self.open_all(),
            // An address without a type may lead to anything, but text that is given one rarely sets what
            // is behind it: what it sets instead is found where it is called.
            (Type::Address, _) => {}
            (ty, _) => self.open_within(ty, &mut BTreeSet::new()),
        }
    }

    fn open_all(&mut self) {
        let module = self.module;
        let all: Vec<RecordId> = module.records.ids().collect();
        let mut seen = BTreeSet::new();
        for record in all {
            self.open_within(Type::Record(record), &mut seen);
        }
        for (id, _) in module.globals.iter() {
            self.open(Holder::Global(id));
        }
    }

    fn call(
        &mut self,
        id: ProcedureId,
        procedure: &Procedure,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Access>,
    ) {
        let module = self.module;
        let target = match callee {
            Callee::Procedure(target) => Some(*target),
            Callee::External(_) | Callee::Variable(_) => None,
        };
        let is_pointer = |access: &Access| {
            place_of(module, procedure, access).is_ok_and(|place| place.ty == Type::Procedure)
        };
        for (position, argument) in arguments.iter().enumerate() {
            let formal = target.and_then(|target| {
                let formal = *module.procedures[target].arguments.get(position)?;
                let is_pointer = module.procedures[target].variables[formal].ty == Type::Procedure;
                is_pointer.then_some(Holder::Variable(target, formal))
            });
            match (argument, formal) {
                (Argument::Procedure(passed), Some(formal)) => self.add(formal, *passed),
                (Argument::Place(place), Some(formal)) if is_pointer(place) => {
                    match holder(module, id, place) {
                        Some(from) => self.moves.push((from, formal)),
                        None => self.open(formal),
                    }
                }
                // The address of a pointer: the callee may change it.
                (Argument::Place(place), None)
                    if is_pointer(place) && !matches!(callee, Callee::Variable(_)) =>
                {
                    if let Some(holder) = holder(module, id, place) {
                        self.open(holder);
                    }
                }
                _ => {}
            }
        }
        if target.is_none() {
            // Whoever is called through a pointer, its arguments may lead anywhere.
            for called in procedure.handed_on() {
                let called_procedure = &module.procedures[called];
                for &formal in &called_procedure.arguments {
                    if called_procedure.variables[formal].ty == Type::Procedure {
                        self.open(Holder::Variable(called, formal));
                    }
                }
            }
        }
        if let Some(to) = result.filter(|result| is_pointer(result))
            && let Some(to) = holder(module, id, to)
        {
            let value = target.and_then(|target| {
                let procedure = &module.procedures[target];
                let value = procedure.result().filter(|_| procedure.has_body)?;
                Some(Holder::Variable(target, value))
            });
            match value {
                Some(from) => self.moves.push((from, to)),
                None => self.open(to),
            }
        }
    }

    fn settle(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to) in &self.moves {
                let Some(from) = self.found.get(from).cloned() else {
                    continue;
                };
                changed |= self.found.entry(*to).or_default().join(&from);
            }
        }
    }
}

/// What an access of a pointer to functions means; nothing, if that is reached through a pointer to it.
fn holder(module: &Module, id: ProcedureId, access: &Access) -> Option<Holder> {
    let procedure = &module.procedures[id];
    let last = access
        .path
        .iter()
        .rposition(|selector| !matches!(selector, Selector::Index(_)));
    match last.map(|last| (last, &access.path[last])) {
        Some((last, Selector::Field(field))) => {
            let record = Access {
                var: access.var,
                path: access.path[..last].to_vec(),
            };
            match place_of(module, procedure, &record).ok()?.ty {
                Type::Record(record) => Some(Holder::Component(record, *field)),
                _ => None,
            }
        }
        Some(_) => None,
        None => Some(match procedure.variables[access.var].storage {
            Storage::Global(global) => Holder::Global(global),
            _ => Holder::Variable(id, access.var),
        }),
    }
}
