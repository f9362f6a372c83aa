//! Generic names, defined operators and defined assignment: which specific procedures a scope sees
//! under one of them.

use super::Program;
use super::scope::{Scope, ScopeId, Symbol, What};
use crate::syntax::scan::after_name;

/// The key of a generic specification in a symbol table: a lower-case name, `operator(+)`,
/// `operator(.dot.)`, `assignment(=)`; operators that are spelt in two ways get one of them.
pub fn key_of(spec: &str) -> String {
    let Some(operator) = spec
        .strip_prefix("operator(")
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return spec.to_owned();
    };
    operator_key(operator)
}

/// The key of an operator.
pub fn operator_key(operator: &str) -> String {
    let modern = match operator {
        ".eq." => "==",
        ".ne." => "/=",
        ".lt." => "<",
        ".le." => "<=",
        ".gt." => ">",
        ".ge." => ">=",
        _ => operator,
    };
    format!("operator({modern})")
}

/// Whether a generic specification can be kept: a name, an operator or an assignment.
pub fn is_kept(spec: &str) -> bool {
    let is_name = !spec.is_empty() && after_name(spec.as_bytes(), 0) == spec.len();
    is_name || spec.starts_with("operator(") || spec.starts_with("assignment(")
}

impl Symbol {
    /// Adds specific procedures to a generic name, which a type or a procedure may have as well.
    pub fn add_specifics(&mut self, specific: Vec<String>) {
        if self.what == What::Entity && self.ty.is_none() {
            self.what = What::Generic;
        }
        for name in specific {
            if !self.specifics.contains(&name) {
                self.specifics.push(name);
            }
        }
    }
}

impl Program {
    /// The scopes of the specific procedures that `scope` sees under a generic key.
    pub fn specifics(&self, scope: ScopeId, key: &str) -> Vec<ScopeId> {
        let mut found = Vec::new();
        let mut at = Some(scope);
        let mut steps = 0;
        while let Some(id) = at.filter(|_| steps < 100) {
            let here = &self.scopes[id];
            self.specifics_in(id, key, &mut found);
            for (module, name) in self.used_under(here, key) {
                self.specifics_in(module, &name, &mut found);
            }
            at = here.parent;
            steps += 1;
        }
        found
    }

    /// Adds what a scope itself states.
    fn specifics_in(&self, scope: ScopeId, key: &str, found: &mut Vec<ScopeId>) {
        let Some(symbol) = self.scopes[scope].symbols.get(key) else {
            return;
        };
        for name in &symbol.specifics {
            if let Some(procedure) = self.procedure_named(scope, name)
                && !found.contains(&procedure)
            {
                found.push(procedure);
            }
        }
    }

    /// The scope of a specific procedure.
    pub fn procedure_named(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let symbol = self.find(scope, name)?.symbol;
        match symbol.what {
            What::Procedure(procedure) => Some(procedure),
            _ => symbol.procedure,
        }
    }

    /// Where the modules that a scope uses state a name, each module once: `(module, name there)`.
    fn used_under(&self, scope: &Scope, name: &str) -> Vec<(ScopeId, String)> {
        let mut found = Vec::new();
        for used in &scope.uses {
            let renamed = used.names.iter().find(|(local, _)| local == name);
            let there = match renamed {
                Some((_, there)) => there.as_str(),
                None if used.only => continue,
                None => name,
            };
            let Some(target) = used.target else {
                continue;
            };
            self.stated_by(target, there, &mut found, 0);
        }
        found
    }

    /// The modules behind `module` that state a name that it hands on.
    fn stated_by(
        &self,
        module: ScopeId,
        name: &str,
        found: &mut Vec<(ScopeId, String)>,
        depth: u32,
    ) {
        let place = (module, name.to_owned());
        if depth > 100 || found.contains(&place) || !self.scopes[module].is_visible(name) {
            return;
        }
        found.push(place);
        for used in &self.scopes[module].uses {
            let renamed = used.names.iter().find(|(local, _)| local == name);
            let there = match renamed {
                Some((_, there)) => there.as_str(),
                None if used.only => continue,
                None => name,
            };
            if let Some(target) = used.target {
                self.stated_by(target, there, found, depth + 1);
            }
        }
    }
}
