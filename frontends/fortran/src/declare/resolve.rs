//! Names across scopes: use association, host association, external procedures.

use super::Program;
use super::constant::language_constant;
use super::scope::{Base, ExprRef, KindName, Scope, ScopeId, Symbol, TypeName, Upper, Use, What};
use crate::cst::Syntax;
use crate::syntax::blocks::UnitKind;
use contraflow_ir::Diagnostic;
use std::collections::HashMap;

/// Modules of the language itself.
const LANGUAGE_MODULES: [&str; 7] = [
    "iso_c_binding",
    "iso_fortran_env",
    "ieee_arithmetic",
    "ieee_exceptions",
    "ieee_features",
    "omp_lib",
    "openacc",
];

/// How many modules a name is followed through.
const DEEPEST_USE: usize = 40;

/// A symbol and where it is declared.
#[derive(Clone, Debug)]
pub struct Found<'p> {
    /// The scope.
    pub scope: ScopeId,
    /// Its key there.
    pub key: String,
    /// The symbol.
    pub symbol: &'p Symbol,
}

impl Program {
    /// Finds modules and external procedures, and binds USE statements.
    pub fn bind(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for (id, scope) in self.scopes.iter().enumerate() {
            match scope.kind {
                UnitKind::Module => {
                    self.modules.entry(scope.name.clone()).or_insert(id);
                }
                UnitKind::Subroutine | UnitKind::Function
                    if scope.parent.is_none() && !scope.is_interface =>
                {
                    self.externals.entry(scope.name.clone()).or_insert(id);
                }
                _ => {}
            }
        }
        self.bind_submodules();
        self.defines_operators = self.scopes.iter().any(Scope::defines_operators);
        self.bind_uses(diagnostics);
        let modules: Vec<ScopeId> = self.modules.values().copied().collect();
        for module in modules {
            self.export(module, &mut Vec::new());
        }
        self.bind_interfaces();
        self.define_statement_functions();
    }

    /// Gives `PROCEDURE (interface) :: f` its interface.
    fn bind_interfaces(&mut self) {
        let mut found = Vec::new();
        for (id, scope) in self.scopes.iter().enumerate() {
            for (key, symbol) in &scope.symbols {
                let Some(Base::Procedure(interface)) = symbol.ty.as_ref().map(|ty| &ty.base) else {
                    continue;
                };
                if symbol.is_pointer {
                    continue;
                }
                let described = self.find(id, interface).map(|found| &found.symbol.what);
                let described = match described {
                    Some(What::Procedure(described)) => Some(*described),
                    _ => None,
                };
                found.push((id, key.clone(), described, interface.is_empty()));
            }
        }
        for (id, key, described, is_implicit) in found {
            let Some(symbol) = self.scopes[id].symbols.get_mut(&key) else {
                continue;
            };
            symbol.is_external = true;
            if described.is_some() || is_implicit {
                symbol.ty = None;
            }
            if let Some(described) = described.filter(|_| symbol.argument.is_some()) {
                symbol.what = What::Procedure(described);
            }
        }
    }

    /// Takes statement functions off the bodies: what looks like an assignment to an element of
    /// something that is no array.
    fn define_statement_functions(&mut self) {
        for id in 0..self.scopes.len() {
            let mut count = 0;
            for candidate in std::mem::take(&mut self.scopes[id].candidates) {
                if !self.is_statement_function(id, &candidate.name) {
                    break;
                }
                count += 1;
                let scope = &mut self.scopes[id];
                let symbol = scope.symbol(&candidate.name, &candidate.original, candidate.span);
                symbol.what = What::StatementFunction(candidate.arguments, candidate.value);
            }
            self.scopes[id].body.drain(..count);
        }
    }

    fn is_statement_function(&self, scope: ScopeId, name: &str) -> bool {
        if self.scopes[scope].result.as_deref() == Some(name) || self.uses_unknown(scope, name) {
            return false;
        }
        match self.find(scope, name) {
            None => self.implicit_type(scope, name).is_some(),
            Some(found) => {
                let symbol = found.symbol;
                let is_character = symbol
                    .ty
                    .as_ref()
                    .is_some_and(|ty| ty.base == super::scope::Base::Character);
                found.scope == scope
                    && symbol.dims.is_empty()
                    && symbol.argument.is_none()
                    && !symbol.is_pointer
                    && symbol.what == What::Entity
                    && !is_character
            }
        }
    }

    fn bind_uses(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let known: Vec<String> = {
            let mut names: Vec<String> = self.modules.keys().cloned().collect();
            names.sort();
            names
        };
        for scope in &mut self.scopes {
            for used in &mut scope.uses {
                used.target = self.modules.get(&used.module).copied();
                if used.target.is_none() && !LANGUAGE_MODULES.contains(&used.module.as_str()) {
                    diagnostics.push(unknown_module(used, &known));
                }
            }
        }
    }

    /// Computes what a module hands on. Modules that use each other in a circle get what is known.
    fn export(&mut self, module: ScopeId, open: &mut Vec<ScopeId>) {
        if self.exports.contains_key(&module) || open.contains(&module) || open.len() > 400 {
            return;
        }
        open.push(module);
        let targets: Vec<ScopeId> = self.scopes[module]
            .uses
            .iter()
            .filter_map(|used| used.target)
            .collect();
        for target in targets {
            self.export(target, open);
        }
        open.pop();
        let scope = &self.scopes[module];
        let mut names: HashMap<String, (ScopeId, String)> = HashMap::new();
        for used in &scope.uses {
            let Some(exports) = used.target.and_then(|target| self.exports.get(&target)) else {
                continue;
            };
            for (local, found) in seen_through(used, exports) {
                if scope.is_visible(&local) {
                    names.insert(local, found);
                }
            }
        }
        for (key, symbol) in &scope.symbols {
            let says_something = symbol.ty.is_some()
                || symbol.what != What::Entity
                || !symbol.dims.is_empty()
                || symbol.is_external;
            if says_something && scope.is_visible(key) {
                names.insert(key.clone(), (module, key.clone()));
            }
        }
        self.exports.insert(module, names);
    }

    /// The symbol that a name means in a scope.
    pub fn find(&self, scope: ScopeId, name: &str) -> Option<Found<'_>> {
        let mut at = Some(scope);
        let mut steps = 0;
        while let Some(id) = at {
            let here = &self.scopes[id];
            if let Some(symbol) = here.symbols.get(name)
                && (!symbol.is_mere_access() || !self.is_used(here, name))
            {
                return Some(Found {
                    scope: id,
                    key: name.to_owned(),
                    symbol,
                });
            }
            if let Some(found) = self.find_used(here, name) {
                return Some(found);
            }
            at = here.parent;
            steps += 1;
            if steps > 100 {
                return None;
            }
        }
        None
    }

    fn is_used(&self, scope: &Scope, name: &str) -> bool {
        self.find_used(scope, name).is_some()
    }

    fn find_used(&self, scope: &Scope, name: &str) -> Option<Found<'_>> {
        scope.uses.iter().find_map(|used| {
            let exports = self.exports.get(&used.target?)?;
            let there = used.name_there(name)?;
            let (id, key) = exports.get(there)?;
            Some(Found {
                scope: *id,
                key: key.clone(),
                symbol: self.scopes[*id].symbols.get(key)?,
            })
        })
    }

    /// Whether a module without source is used in a scope or around it.
    pub fn uses_unknown(&self, scope: ScopeId, name: &str) -> bool {
        self.unsourced_use(scope, name, true).is_some()
    }

    /// The module without source that a name may come from. None for the language's own modules.
    pub fn unknown_module_of(&self, scope: ScopeId, name: &str) -> Option<&str> {
        self.unsourced_use(scope, name, false)
    }

    /// The module without source for lack of which a symbol has no type or no shape.
    pub fn missing_for(&self, scope: ScopeId, symbol: &Symbol) -> Option<&str> {
        let mut expressions: Vec<&ExprRef> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        if let Some(ty) = &symbol.ty {
            match &ty.base {
                Base::Derived(name) | Base::Procedure(name) => names.push(name),
                _ => {}
            }
            if let KindName::Expr(kind) = &ty.kind {
                expressions.push(kind);
            }
        }
        for dim in &symbol.dims {
            expressions.extend(&dim.lower);
            if let Upper::Expr(upper) = &dim.upper {
                expressions.push(upper);
            }
        }
        let named = names
            .into_iter()
            .find_map(|name| self.missing_for_name(scope, name, 0));
        named.or_else(|| {
            expressions
                .into_iter()
                .find_map(|e| self.missing_for_expression(scope, e, 0))
        })
    }

    /// The same for a name in a declaration, seen through constants that it is made of.
    fn missing_for_name(&self, scope: ScopeId, name: &str, depth: usize) -> Option<&str> {
        match self.find(scope, name) {
            None => self.unknown_module_of(scope, name),
            Some(found) => {
                let value = found.symbol.init.as_ref();
                let value = value.filter(|_| found.symbol.is_parameter && depth < DEEPEST_USE)?;
                self.missing_for_expression(found.scope, value, depth + 1)
            }
        }
    }

    fn missing_for_expression(&self, scope: ScopeId, e: &ExprRef, depth: usize) -> Option<&str> {
        let mut pending = vec![e.node];
        while let Some(node) = pending.pop() {
            if *e.tree.syntax(node) == Syntax::Name {
                let missing = self.missing_for_name(scope, e.tree.text(node), depth);
                if missing.is_some() {
                    return missing;
                }
            }
            pending.extend(e.tree.children(node));
        }
        None
    }

    fn unsourced_use(&self, scope: ScopeId, name: &str, with_language: bool) -> Option<&str> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let unknown = self.unsourced_use_of(id, name, with_language, &mut Vec::new());
            if unknown.is_some() {
                return unknown;
            }
            at = self.scopes[id].parent;
        }
        None
    }

    fn unsourced_use_of(
        &self,
        scope: ScopeId,
        name: &str,
        with_language: bool,
        open: &mut Vec<ScopeId>,
    ) -> Option<&str> {
        if open.contains(&scope) {
            return None;
        }
        open.push(scope);
        self.scopes[scope].uses.iter().find_map(|used| {
            let there = used.name_there(name)?;
            match used.target {
                Some(module) if self.scopes[module].is_visible(there) => {
                    self.unsourced_use_of(module, there, false, open)
                }
                Some(_) => None,
                None => {
                    let is_language = LANGUAGE_MODULES.contains(&used.module.as_str());
                    (with_language || !is_language).then_some(used.module.as_str())
                }
            }
        })
    }

    /// The name that a language module has for a local name, seen through other modules too.
    pub fn language_name(&self, scope: ScopeId, name: &str) -> Option<String> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let found = self.language_name_used(id, name, &mut Vec::new());
            if found.is_some() {
                return found;
            }
            at = self.scopes[id].parent;
        }
        None
    }

    fn language_name_used(
        &self,
        scope: ScopeId,
        name: &str,
        open: &mut Vec<ScopeId>,
    ) -> Option<String> {
        if open.contains(&scope) || open.len() > DEEPEST_USE {
            return None;
        }
        open.push(scope);
        let found = self.scopes[scope].uses.iter().find_map(|used| {
            let renamed = used.names.iter().find(|(local, _)| local == name);
            let there = match renamed {
                Some((_, there)) => there.as_str(),
                None if used.only => return None,
                None => name,
            };
            match used.target {
                Some(module) if self.scopes[module].is_visible(there) => {
                    self.language_name_used(module, there, open)
                }
                Some(_) => None,
                None => {
                    let is_language = LANGUAGE_MODULES.contains(&used.module.as_str());
                    let is_known = renamed.is_some() || language_constant(there).is_some();
                    (is_language && is_known).then(|| there.to_owned())
                }
            }
        });
        open.pop();
        found
    }

    /// The implicit type of a name in a scope; `None` under IMPLICIT NONE.
    pub fn implicit_type(&self, scope: ScopeId, name: &str) -> Option<TypeName> {
        let letter = name.chars().next()?;
        let mut at = Some(scope);
        while let Some(id) = at {
            let here = &self.scopes[id];
            if here.implicit.stated {
                if here.implicit.none {
                    return None;
                }
                if let Some(ty) = here.implicit.letters.get(&letter) {
                    return Some(ty.clone());
                }
                break;
            }
            at = if here.is_interface { None } else { here.parent };
        }
        Some(super::scope::Implicit::default_of(letter))
    }
}

impl Use {
    /// The name in the module that a local name means; `None` if it does not come from there.
    fn name_there<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        let renamed = self.names.iter().find(|(local, _)| local == name);
        match renamed {
            Some((_, there)) => Some(there),
            None if self.only || self.names.iter().any(|(_, there)| there == name) => None,
            None => Some(name),
        }
    }
}

impl Symbol {
    /// Whether the scope only says who sees the name.
    fn is_mere_access(&self) -> bool {
        self.ty.is_none()
            && self.what == What::Entity
            && self.argument.is_none()
            && self.dims.is_empty()
            && self.init.is_none()
            && !self.is_external
            && !self.is_saved
            && self.common.is_none()
    }
}

impl Scope {
    fn defines_operators(&self) -> bool {
        self.symbols.iter().any(|(key, symbol)| {
            let is_operator =
                |name: &str| name.starts_with("operator(") || name.starts_with("assignment(");
            is_operator(key)
                || matches!(&symbol.what, What::Type(derived)
                    if derived.bindings.iter().any(|binding| is_operator(&binding.name)))
        })
    }

    /// Whether those who use the module see a name.
    pub fn is_visible(&self, name: &str) -> bool {
        match self.symbols.get(name).and_then(|symbol| symbol.is_private) {
            Some(is_private) => !is_private,
            None => !self.is_private_by_default,
        }
    }
}

/// What a USE statement lets through: `local name → (scope, name there)`.
fn seen_through(
    used: &super::scope::Use,
    exports: &HashMap<String, (ScopeId, String)>,
) -> Vec<(String, (ScopeId, String))> {
    let mut seen = Vec::new();
    for (local, there) in &used.names {
        if let Some(found) = exports.get(there) {
            seen.push((local.clone(), found.clone()));
        }
    }
    if !used.only {
        for (name, found) in exports {
            if !used.names.iter().any(|(_, there)| there == name) {
                seen.push((name.clone(), found.clone()));
            }
        }
    }
    seen
}

fn unknown_module(used: &super::scope::Use, known: &[String]) -> Diagnostic {
    let mut near: Vec<(usize, &String)> = known
        .iter()
        .map(|name| (distance(&used.module, name), name))
        .filter(|(distance, name)| *distance <= 2 + name.len() / 4)
        .collect();
    near.sort();
    let names: Vec<&str> = near.iter().take(3).map(|(_, name)| name.as_str()).collect();
    let help = if names.is_empty() {
        "name the file that holds it too".to_owned()
    } else {
        format!(
            "name the file that holds it too, or did you mean {}?",
            names.join(", ")
        )
    };
    Diagnostic::warning(
        "unknown-module",
        format!("no source for module `{}`", used.module),
    )
    .at(used.span, "used here")
    .with_help(help)
}

/// The number of letters to change, insert or remove.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let change = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
