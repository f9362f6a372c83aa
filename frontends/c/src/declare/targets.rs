//! What the declarations of a file let pointers lead to.
//!
//! Static objects are initialised with constants: the addresses among them are those of static objects that
//! the initialiser names, of functions and of literal texts. So the variables that it names are all that its
//! pointers can lead to, unless it has a compound literal. Such a *known* variable is `static`, so that this
//! file has all that names it, or `const`. What others may lead to from their declarations is not known.

use super::{CType, GlobalVariable, Symbol, Unit};
use crate::cst::{CompoundLiteral, Identifier, Initializer, Span, Statement, visit};
use contraflow_ir::{GlobalId, GlobalKind};
use std::collections::BTreeMap;

impl<'a> Unit<'a> {
    /// Notes the known variables with those that their pointers lead to when the program starts.
    pub fn note_initial_targets(&mut self) {
        let mut known = BTreeMap::new();
        let mut others: Vec<GlobalId> = Vec::new();
        for global in &self.globals {
            let named = self.named(global);
            match (global.id, named.is_complete && self.is_closed(global)) {
                (Some(id), true) => drop(known.insert(id, named.globals)),
                _ => others.extend(named.globals),
            }
        }
        while let Some(id) = others.pop() {
            others.extend(known.remove(&id).into_iter().flatten());
        }
        self.module.initial_targets = known;
    }

    /// Whether all that names the variable stands in this file, or nobody may write it.
    fn is_closed(&self, global: &GlobalVariable<'a>) -> bool {
        let is_static = |id: GlobalId| self.module.globals[id].kind == GlobalKind::FileStatic;
        let is_constant = global.is_const && !global.ty.element().is_pointer();
        global.id.is_some_and(is_static) || is_constant && global.initializer.is_some()
    }

    fn named(&self, global: &GlobalVariable<'a>) -> Named<'_, 'a> {
        let mut named = Named {
            unit: self,
            globals: Vec::new(),
            is_complete: true,
        };
        if let Some(initializer) = global.initializer
            && self.holds_pointers(&global.ty)
        {
            visit::Visit::visit_initializer(&mut named, initializer, &Span::none());
        }
        named.globals.sort_unstable();
        named.globals.dedup();
        named
    }

    fn holds_pointers(&self, ty: &CType<'a>) -> bool {
        match ty {
            CType::Scalar(_) | CType::Void => false,
            CType::Array { element, .. } => self.holds_pointers(element),
            CType::Record(index) => {
                let fields = &self.records[*index].fields;
                fields.iter().any(|field| self.holds_pointers(&field.ty))
            }
            CType::Pointer { .. } | CType::Function(_) | CType::Unknown => true,
        }
    }
}

/// The variables that an initialiser names.
struct Named<'u, 'a> {
    unit: &'u Unit<'a>,
    globals: Vec<GlobalId>,
    /// Whether it leads to nothing else.
    is_complete: bool,
}

impl<'x> visit::Visit<'x> for Named<'_, '_> {
    fn visit_identifier(&mut self, identifier: &'x Identifier, _: &'x Span) {
        if let Some(&Symbol::Global(index)) = self.unit.lookup(&identifier.name) {
            match self.unit.globals[index].id {
                Some(id) => self.globals.push(id),
                None => self.is_complete = false,
            }
        }
    }

    fn visit_compound_literal(&mut self, literal: &'x CompoundLiteral, span: &'x Span) {
        self.is_complete = false;
        visit::visit_compound_literal(self, literal, span);
    }

    fn visit_statement(&mut self, _: &'x Statement, _: &'x Span) {
        self.is_complete = false;
    }

    fn visit_initializer(&mut self, initializer: &'x Initializer, span: &'x Span) {
        // A list that was too long for the parser is empty.
        if let Initializer::List(items) = initializer
            && let Some(first) = items.first()
            && self.unit.view.marks.emptied.contains(&first.span.start)
        {
            self.is_complete = false;
        }
        visit::visit_initializer(self, initializer, span);
    }
}
