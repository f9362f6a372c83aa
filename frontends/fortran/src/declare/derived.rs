//! Derived types: what they extend, and the procedures that are bound to them.

use super::Program;
use super::scope::{DerivedType, ScopeId, What};
use crate::syntax::scan::{closing, commas};
use crate::view::{Slice, Statement};
use contraflow_ir::RecordId;

/// A name after CONTAINS in a derived type.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// The name, lower case; of a generic operator as in `operator(+)`.
    pub name: String,
    /// What it stands for.
    pub what: Bound,
}

/// What a binding stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum Bound {
    /// A procedure.
    Procedure {
        /// Its name where the type is declared; of a deferred one, its interface.
        target: String,
        /// The object before the `%` as argument.
        passed: Passed,
        /// Whether only extensions have the procedure.
        is_deferred: bool,
    },
    /// Several bindings of the type.
    Generic(Vec<String>),
}

/// Which argument the object is.
#[derive(Clone, PartialEq, Debug)]
pub enum Passed {
    /// The first one.
    First,
    /// The one of this name.
    Named(String),
    /// None (`NOPASS`).
    Not,
}

/// The bindings that a statement after CONTAINS in a type makes.
pub fn bindings(statement: &Statement) -> Vec<Binding> {
    let text = statement.text.as_str();
    let whole = Slice::new(0, text.len());
    if text.starts_with("generic") {
        return generic(text).into_iter().collect();
    }
    if !text.starts_with("procedure") {
        return Vec::new();
    }
    let bytes = text.as_bytes();
    let mut start = "procedure".len();
    let mut interface = None;
    if bytes.get(start) == Some(&b'(') {
        let Some(close) = closing(bytes, start) else {
            return Vec::new();
        };
        interface = Some(text[start + 1..close].to_owned());
        start = close + 1;
    }
    let names = text.find("::").map_or(start, |at| at + 2);
    let attributes = Slice::new(start, names.saturating_sub(2).max(start));
    let mut passed = Passed::First;
    let mut is_deferred = false;
    for part in commas(bytes, attributes) {
        match statement.part(part) {
            "nopass" => passed = Passed::Not,
            "deferred" => is_deferred = true,
            word => {
                if let Some(name) = word.strip_prefix("pass(") {
                    passed = Passed::Named(name.trim_end_matches(')').to_owned());
                }
            }
        }
    }
    let list = Slice {
        start: names as u32,
        ..whole
    };
    commas(bytes, list)
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| {
            let text = statement.part(part);
            let (name, target) = text.split_once("=>").unwrap_or((text, text));
            Binding {
                name: name.to_owned(),
                what: Bound::Procedure {
                    target: interface.clone().unwrap_or_else(|| target.to_owned()),
                    passed: passed.clone(),
                    is_deferred,
                },
            }
        })
        .collect()
}

/// `GENERIC :: operator(+) => add, add_scalar`
fn generic(text: &str) -> Option<Binding> {
    let start = text.find("::").map_or("generic".len(), |at| at + 2);
    let (spec, names) = text[start..].split_once("=>")?;
    Some(Binding {
        name: super::generics::key_of(spec),
        what: Bound::Generic(names.split(',').map(str::to_owned).collect()),
    })
}

/// A binding, and the type that has it.
#[derive(Clone, Copy, Debug)]
pub struct FoundBinding<'p> {
    /// The type that states it, which may be an ancestor of the type asked.
    pub record: RecordId,
    /// The scope of that type.
    pub scope: ScopeId,
    /// The binding.
    pub binding: &'p Binding,
}

impl Program {
    /// The derived type of a record, and its scope.
    pub fn derived(&self, record: RecordId) -> Option<(ScopeId, &DerivedType)> {
        let (scope, key) = self.types.get(&record)?;
        match &self.scopes[*scope].symbols.get(key)?.what {
            What::Type(derived) => Some((*scope, derived)),
            _ => None,
        }
    }

    /// The record that a record extends.
    pub fn parent_of(&self, record: RecordId) -> Option<RecordId> {
        let (scope, derived) = self.derived(record)?;
        match &self.find(scope, derived.extends.as_deref()?)?.symbol.what {
            What::Type(parent) => parent.record.filter(|&parent| parent != record),
            _ => None,
        }
    }

    /// How many steps up from `record` its ancestor `ancestor` is; 0 for itself.
    pub fn generations(&self, record: RecordId, ancestor: RecordId) -> Option<u32> {
        let mut at = record;
        for steps in 0..64 {
            if at == ancestor {
                return Some(steps);
            }
            at = self.parent_of(at)?;
        }
        None
    }

    /// Finds which modules each module uses, in any of its procedures too.
    pub fn find_module_uses(&mut self) {
        for scope in 0..self.scopes.len() {
            let outer = self.outermost(scope);
            let used = self.scopes[scope].uses.iter();
            let used: Vec<ScopeId> = used.filter_map(|used| used.target).collect();
            self.module_uses.entry(outer).or_default().extend(used);
        }
        for used in self.module_uses.values_mut() {
            used.sort_unstable();
            used.dedup();
        }
    }

    fn outermost(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        while let Some(parent) = self.scopes[at].parent {
            at = parent;
        }
        at
    }

    /// Whether the module of one scope uses that of another, directly or not: then that one can name
    /// nothing of it. So it is with a module further down in the same file.
    pub fn uses(&self, user: ScopeId, used: ScopeId) -> bool {
        let (from, wanted) = (self.outermost(user), self.outermost(used));
        // Below it in one file, it is not there yet where that one is compiled.
        if from > wanted && self.scopes[from].file == self.scopes[wanted].file {
            return true;
        }
        let mut seen = vec![from];
        let mut pending = vec![from];
        while let Some(module) = pending.pop() {
            for &next in self.module_uses.get(&module).into_iter().flatten() {
                if next == wanted {
                    return from != wanted;
                }
                if !seen.contains(&next) {
                    seen.push(next);
                    pending.push(next);
                }
            }
        }
        false
    }

    /// All types that extend `record`, itself included, those further down first.
    pub fn family(&self, record: RecordId) -> Vec<RecordId> {
        let mut family: Vec<(u32, RecordId)> = self
            .types
            .keys()
            .filter_map(|&other| Some((self.generations(other, record)?, other)))
            .collect();
        family.sort_by_key(|&(steps, record)| (std::cmp::Reverse(steps), record));
        family.into_iter().map(|(_, record)| record).collect()
    }

    /// The binding of a name, looked for in the type and in those that it extends.
    pub fn binding(&self, record: RecordId, name: &str) -> Option<FoundBinding<'_>> {
        let mut at = record;
        for _ in 0..64 {
            let (scope, derived) = self.derived(at)?;
            if let Some(binding) = derived.bindings.iter().find(|b| b.name == name) {
                return Some(FoundBinding {
                    record: at,
                    scope,
                    binding,
                });
            }
            at = self.parent_of(at)?;
        }
        None
    }

    /// All specific names that a generic binding has, with those of the types that it extends.
    pub fn generic_binding(&self, record: RecordId, name: &str) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = Some(record);
        let mut steps = 0;
        while let Some(here) = at.filter(|_| steps < 64) {
            if let Some((_, derived)) = self.derived(here) {
                for binding in derived.bindings.iter().filter(|b| b.name == name) {
                    if let Bound::Generic(list) = &binding.what {
                        names.extend(list.iter().cloned());
                    }
                }
            }
            at = self.parent_of(here);
            steps += 1;
        }
        names
    }
}
