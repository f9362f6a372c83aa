//! Local CLASS allocatables: objects that a procedure makes with `ALLOCATE (type :: object)`.
//!
//! Such an object is one of several variables, one for each type that it is allocated with, and a
//! number tells which one it is. A statement that names the object is lowered once for each of them;
//! what depends on the type is known there. If anything is done with the object that cannot be told
//! apart so (quoted text names it, it is handed on as an allocatable), the procedure is lowered
//! without this.

use super::array::Place;
use super::associate::Names;
use super::host::names_in;
use super::{Fallible, Lowerer, refuse};
use crate::syntax::Kind;
use crate::view::Slice;
use contraflow_ir::{Access, BinaryOp, Block, RecordId, Stmt, Type, VarId, Variable};
use std::collections::HashMap;

/// The variables that an object is.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Which one it is, counted from 1; 0: none. `None` if there is only one.
    which: Option<VarId>,
    /// One for each type.
    parts: Vec<(RecordId, VarId)>,
}

/// Objects by name.
pub(super) type Objects = HashMap<String, Object>;

impl Lowerer<'_> {
    /// Finds the objects of the procedure, and makes their variables.
    pub(super) fn find_objects(&mut self) {
        let home = self.home;
        let program = self.program;
        let scope = &program.scopes[home];
        let has_inner = program
            .scopes
            .iter()
            .any(|other| other.parent == Some(home));
        if has_inner || scope.saves_all || !self.takes_objects {
            return;
        }
        for name in &scope.order {
            let symbol = &scope.symbols[name];
            let is_object = symbol.is_class()
                && symbol.is_allocatable
                && symbol.argument.is_none()
                && symbol.dims.is_empty()
                && !symbol.is_saved
                && scope.result.as_ref() != Some(name);
            if !is_object {
                continue;
            }
            if let Some(types) = self.types_allocated(name) {
                let object = self.object(name, &types);
                self.objects.insert(name.clone(), object);
            }
        }
    }

    /// The types with which an object is allocated; `None` if they are not all stated.
    fn types_allocated(&self, name: &str) -> Option<Vec<RecordId>> {
        let (first, last) = self.program.scopes[self.home].statements;
        let mut types = Vec::new();
        for index in first..=last {
            let text = &self.statement_at(index).text;
            let kind = match self.kind_at(index) {
                Kind::If { action, .. } => action.as_ref(),
                kind => kind,
            };
            if let Kind::Allocate(list) = kind
                && names_in(text).contains(&name)
            {
                let (ty, object) = text.get(list.range())?.split_once("::")?;
                if object != name {
                    return None;
                }
                let record = self.declared_record(ty).ok()?;
                if !types.contains(&record) {
                    types.push(record);
                }
            }
        }
        (!types.is_empty()).then_some(types)
    }

    fn object(&mut self, name: &str, types: &[RecordId]) -> Object {
        let parts = types
            .iter()
            .map(|&record| {
                let ty = self.module.records[record].name.to_ascii_lowercase();
                let part = format!("{name}_{ty}");
                let variable = Variable::scalar(part.clone(), Type::Record(record));
                (record, self.generate(&part, variable))
            })
            .collect();
        let which = (types.len() > 1).then(|| self.temporary(&format!("{name}_type"), Type::INT));
        if let Some(which) = which {
            let mut b = self.build();
            let zero = b.int(0);
            let none = b.assign(Access::whole(which), zero);
            self.entry.push(none);
        }
        Object { which, parts }
    }

    /// The objects that a statement names.
    pub(super) fn objects_in(&self, index: usize) -> Vec<String> {
        if self.objects.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<String> = Vec::new();
        let text = &self.statement_at(index).text;
        for part in parts_of(self.kind_at(index), text) {
            for name in names_in(text.get(part.range()).unwrap_or("")) {
                if self.objects.contains_key(name) && !found.iter().any(|known| known == name) {
                    found.push(name.to_owned());
                }
            }
        }
        found
    }

    /// Whether a statement names an object whose type is not known where it stands.
    pub(super) fn asks_objects(&self, index: usize) -> bool {
        let mut names = self.objects_in(index).into_iter();
        names.any(|name| self.association(&name).is_none())
    }

    /// A statement that names objects.
    pub(super) fn object_action(
        &mut self,
        index: usize,
        kind: &Kind,
        names: &[String],
    ) -> Fallible<()> {
        let Some((name, rest)) = names.split_first() else {
            return self.action(index, kind);
        };
        let text = self.statement_at(index).text.clone();
        match kind {
            Kind::Allocate(list) => return self.allocate_object(&text[list.range()]),
            Kind::Deallocate(list) => return self.release_object(&text[list.range()]),
            Kind::If { .. } if text.contains("allocate(") => {
                return refuse(
                    "an object of several types is allocated on one line with a condition",
                );
            }
            Kind::Assignment { target, .. } if text.get(target.range()) == Some(name) => {
                return refuse(
                    "an object of a type known at run time only is assigned to as a whole",
                );
            }
            Kind::PointerAssignment { .. } => return refuse("a pointer to an object"),
            _ => {}
        }
        // In an arm that knows the type.
        if self.association(name).is_some() {
            return self.object_action(index, kind, rest);
        }
        if text.contains(&format!("allocated({name})")) || text.contains("move_alloc(") {
            return refuse("whether an object is allocated is asked");
        }
        self.for_each_type(name, &mut |lowerer, _| {
            lowerer.object_action(index, kind, rest)?;
            lowerer.hoisted.clear();
            Ok(())
        })
    }

    /// What `f` emits where the object is of each of its types.
    pub(super) fn for_each_type(
        &mut self,
        name: &str,
        f: &mut dyn FnMut(&mut Self, RecordId) -> Fallible<()>,
    ) -> Fallible<()> {
        let Some(object) = self.objects.get(name).cloned() else {
            return refuse("no object");
        };
        let mut arms: Vec<Block> = Vec::new();
        for &(record, part) in &object.parts {
            let place = Place::of(Access::whole(part), Type::Record(record), 0);
            let names = Names::from([(name.to_owned(), Some(place))]);
            self.associations.push(names);
            let outer = std::mem::take(&mut self.to_free);
            let block = self.block(|lowerer| {
                f(lowerer, record)?;
                lowerer.release();
                Ok(())
            });
            self.to_free = outer;
            self.associations.pop();
            arms.push(block?.0);
        }
        let Some(which) = object.which else {
            self.out.extend(arms.into_iter().flatten());
            return Ok(());
        };
        let stop = self.build().stmt(Stmt::Opaque {
            text: "error stop 'an object is used that is not allocated'".to_owned(),
            kind: "stop",
            reads: Vec::new(),
            writes: Vec::new(),
            terminates: true,
        });
        let mut otherwise = vec![stop];
        for (position, block) in arms.into_iter().enumerate().rev() {
            let number = self.int(position as i128 + 1);
            let now = self.load(which);
            let is_it = self.binary(BinaryOp::Equal, now, number)?;
            otherwise = vec![self.build().if_else(is_it, block, otherwise)];
        }
        self.out.extend(otherwise);
        Ok(())
    }

    fn allocate_object(&mut self, list: &str) -> Fallible<()> {
        let Some((ty, name)) = list.split_once("::") else {
            return refuse("an object is allocated without its type");
        };
        let record = self.declared_record(ty)?;
        let Some(object) = self.objects.get(name).cloned() else {
            return refuse("an object is allocated together with something else");
        };
        let Some(position) = object.parts.iter().position(|part| part.0 == record) else {
            return refuse("an object of an unknown type");
        };
        if let Some(which) = object.which {
            let mut b = self.build();
            let number = b.int(position as i128 + 1);
            let chosen = b.assign(Access::whole(which), number);
            self.out.push(chosen);
        }
        let part = Access::whole(object.parts[position].1);
        self.default_values(record, &part, &[])
    }

    fn release_object(&mut self, list: &str) -> Fallible<()> {
        let Some(object) = self.objects.get(list).cloned() else {
            return refuse("an object is released together with something else");
        };
        if let Some(which) = object.which {
            let mut b = self.build();
            let zero = b.int(0);
            let none = b.assign(Access::whole(which), zero);
            self.out.push(none);
        }
        Ok(())
    }

    /// Whether a place is, as it stands, one of the variables that an object is.
    pub(super) fn is_object(&self, access: &Access) -> bool {
        access.path.is_empty()
            && self
                .objects
                .values()
                .any(|object| object.parts.iter().any(|&(_, part)| part == access.var))
    }

    /// Notes that text names an object: it has no variable of its own then.
    pub(super) fn keeps_objects(&mut self, text: &str) {
        if !self.objects.is_empty() || !self.procedure_pointers.is_empty() {
            let words = names_in(text);
            self.needs_objects |= words.iter().any(|word| {
                self.objects.contains_key(*word) || self.procedure_pointers.contains_key(*word)
            });
        }
    }
}

/// The parts of a statement that names may stand in, keywords left out where they stand close to a
/// name: blanks are gone.
fn parts_of(kind: &Kind, text: &str) -> Vec<Slice> {
    match kind {
        Kind::Call { target, arguments } => vec![*target, *arguments],
        Kind::If { condition, action } => {
            let mut parts = vec![*condition];
            parts.extend(parts_of(action, text));
            parts
        }
        Kind::Assignment { target, value } | Kind::PointerAssignment { target, value } => {
            vec![*target, *value]
        }
        _ => vec![Slice::new(0, text.len())],
    }
}
