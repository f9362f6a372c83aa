//! Host association: what an internal procedure uses of the procedure around it.
//!
//! An internal procedure becomes one that stands alone (Johnsson, "Lambda lifting", 1985): each
//! variable of the host that it uses, or that an internal procedure which it calls uses, is an
//! argument after its own ones. [`super::link`] gives the calls the same arguments. Constants and
//! members of COMMON blocks need none: they are declared again.

use super::{Fallible, Lowerer, refuse};
use crate::declare::Program;
use crate::declare::resolve::Found;
use crate::declare::scope::{ScopeId, Symbol, What};
use crate::syntax::scan::{after_string, in_name};
use crate::syntax::{DoControl, Kind};
use contraflow_ir::{Allocation, Extent, Intent, Passing, Storage, Type, VarId};
use std::collections::HashSet;

/// The procedure around an internal procedure.
pub(super) fn host_of(program: &Program, scope: ScopeId) -> Option<ScopeId> {
    let here = &program.scopes[scope];
    here.parent
        .filter(|&parent| !here.is_interface && program.scopes[parent].is_procedure())
}

/// The names in a text, outside of strings and components.
pub(super) fn names_in(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut names = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\'' | b'"' => at = after_string(bytes, at),
            byte if in_name(byte) => {
                let length = bytes[at..].iter().take_while(|&&b| in_name(b)).count();
                let is_component = at > 0 && bytes[at - 1] == b'%';
                if !is_component && !byte.is_ascii_digit() {
                    names.push(&text[at..at + length]);
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    names
}

impl Lowerer<'_> {
    /// Whether a symbol is a variable of the host that must be passed to this procedure.
    pub(super) fn is_captured(&self, found: &Found) -> bool {
        let symbol = found.symbol;
        let is_variable = symbol.what == What::Entity || symbol.argument.is_some();
        let is_number = symbol.is_parameter && symbol.dims.is_empty();
        self.host == Some(found.scope) && is_variable && !is_number && symbol.common.is_none()
    }

    /// The argument by which this procedure sees a variable of its host.
    pub(super) fn capture(&mut self, host: ScopeId, key: &str) -> Fallible<VarId> {
        let id = (host, key.to_owned());
        if let Some(&var) = self.variables.get(&id) {
            return self.finished(var);
        }
        let symbol = match self.program.scopes[host].symbols.get(key) {
            Some(symbol) => symbol.clone(),
            None => self.declared_by_use(host, key)?,
        };
        if self.is_equivalenced(host, key) {
            return refuse(format!("`{key}` stands in an EQUIVALENCE of the host"));
        }
        let mut variable = self.blank(&symbol, host, key);
        variable.storage = Storage::Argument { index: 0 };
        variable.passing = Passing::Reference;
        variable.intent = match symbol.intent {
            Some(Intent::In) if !symbol.is_pointer => Intent::In,
            _ => Intent::Unspecified,
        };
        if symbol.is_parameter {
            variable.intent = Intent::In;
            variable.allocation = Allocation::Fixed;
        }
        let is_hidden = self.program.scopes[self.home].symbols.contains_key(key);
        let var = self.procedure.variables.add(variable);
        if is_hidden {
            self.generated.push((var, format!("{key}_")));
        }
        self.variables.insert(id, var);
        self.captures.push((key.to_owned(), var));
        self.in_progress.insert(var);
        let described = self.shape(var, &symbol, host);
        self.in_progress.remove(&var);
        described?;
        // What moves in the host is asked of the array that the host passes.
        if self.moving.remove(&var) {
            let lowers: Vec<_> = self
                .variable(var)
                .shape
                .iter()
                .map(|dim| dim.lower)
                .collect();
            if lowers
                .into_iter()
                .any(|lower| self.build().integer_value(lower).is_none())
            {
                self.procedure.variables[var].ty = Type::Unknown;
                return refuse(format!(
                    "the lower bound of `{key}` is not that of its entry"
                ));
            }
            for dim in &mut self.procedure.variables[var].shape {
                if matches!(dim.extent, Extent::Count(_)) {
                    dim.extent = Extent::Assumed;
                }
            }
        }
        Ok(var)
    }

    /// A name that only the body of the host brings up.
    fn declared_by_use(&self, host: ScopeId, key: &str) -> Fallible<Symbol> {
        let ty = self.program.implicit_type(host, key);
        if ty.is_none() {
            return self.undeclared(key);
        }
        Ok(Symbol {
            name: key.to_owned(),
            span: Some(self.span),
            ty,
            ..Symbol::default()
        })
    }

    fn is_equivalenced(&self, host: ScopeId, key: &str) -> bool {
        let groups = &self.program.scopes[host].equivalences;
        groups.iter().flatten().any(|member| {
            names_in(&member.tree.statement.text).contains(&key)
                && super::overlay::member_name(member) == Some(key)
        })
    }

    /// Whether a name without declaration is a variable of the host: one that its body names.
    pub(super) fn is_implicit_in_host(&mut self, name: &str) -> Option<ScopeId> {
        let host = self.host?;
        self.program.implicit_type(host, name)?;
        let program = self.program;
        let words = self.host_words.get_or_insert_with(|| {
            let scope = &program.scopes[host];
            let file = program.file_of(host);
            let last = scope.contains.unwrap_or(scope.statements.1);
            let mut words = HashSet::new();
            for index in scope.statements.0 + 1..=last {
                let statement = &file.statements[index];
                let text = statement.readable().to_ascii_lowercase();
                words.extend(names_in(&text).into_iter().map(str::to_owned));
                // Without blanks the variable of a loop is part of another word.
                if let Kind::Do {
                    control: DoControl::Counted { variable, .. },
                    ..
                } = &file.kinds[index].kind
                {
                    words.insert(statement.part(*variable).to_owned());
                }
            }
            words
        });
        words.contains(name).then_some(host)
    }

    /// Makes what the host hands over arguments, after the procedure's own, in the order in which
    /// the host declares them.
    pub(super) fn append_captures(&mut self) {
        let Some(host) = self.host else {
            return;
        };
        let order = &self.program.scopes[host].order;
        let place = |key: &String| order.iter().position(|other| other == key);
        self.captures
            .sort_by_key(|(key, _)| (place(key).unwrap_or(usize::MAX), key.clone()));
        for (_, var) in &self.captures {
            let index = self.procedure.arguments.len() as u32;
            self.procedure.variables[*var].storage = Storage::Argument { index };
            self.procedure.arguments.push(*var);
        }
    }
}
