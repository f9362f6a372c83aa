//! A procedure as a whole: its head, arguments, home, body, and the names of what was made.

use super::input::with_names;
use super::{Lowered, Lowerer, open_ended};
use crate::declare::ids::{home_container, text_of};
use crate::declare::scope::{ScopeId, What};
use crate::syntax::Kind;
use crate::syntax::blocks::{Node, UnitKind};
use contraflow_ir::{Home, Procedure, ProcedureKind, Stmt, Storage, VarId};
use std::collections::HashSet;

impl Lowerer<'_> {
    /// Lowers the procedure of the scope. `wanted` are variables of the host (or of a host itself)
    /// that internal procedures which it calls want, whether its own text names them or not.
    pub(super) fn run(mut self, wanted: &[String]) -> Option<Lowered> {
        let id = self.program.scopes[self.scope].procedure?;
        self.head();
        for name in wanted {
            // What cannot be named makes the calls that need it stay as they are.
            let _ = match self.host {
                Some(host) => self.capture(host, name),
                None => self.named(name),
            };
        }
        if self.program.scopes[self.scope].is_interface {
            self.procedure.has_body = false;
        } else {
            self.find_objects();
            self.find_procedure_pointers();
            self.body();
            open_ended::open(&mut self.procedure);
        }
        self.append_captures();
        self.name_generated();
        Some(Lowered {
            id,
            procedure: self.procedure,
            diagnostics: self.diagnostics,
            needs_objects: self.needs_objects,
            scope: self.home,
            captures: self.captures,
            variables: self.variables,
        })
    }

    /// The variables of a module or BLOCK DATA that have initial values, in a procedure without body;
    /// `None` where there are none.
    pub(super) fn values_of_unit(mut self) -> Option<Procedure> {
        let scope = &self.program.scopes[self.scope];
        let mut names: Vec<String> = Vec::new();
        for name in &scope.order {
            let symbol = &scope.symbols[name];
            let has_values = symbol.init.is_some() || symbol.has_data;
            let is_numeric = !symbol.is_parameter && symbol.what == What::Entity;
            if has_values && is_numeric {
                names.push(name.clone());
            }
        }
        if names.is_empty() {
            return None;
        }
        let members = scope.commons.iter().flat_map(|(_, members)| members);
        names.extend(members.cloned());
        self.procedure.name = format!("{}%values", scope.original);
        self.procedure.home = self.home();
        self.procedure.has_body = false;
        for name in &names {
            let _ = self.named(name);
        }
        self.name_generated();
        Some(self.procedure)
    }

    fn head(&mut self) {
        let scope = &self.program.scopes[self.scope];
        self.procedure.home = self.home();
        self.procedure.is_recursive = scope.is_recursive;
        self.procedure.is_pure = scope.is_pure;
        self.procedure.is_elemental = scope.is_elemental;
        let interfaces = &self.program.separate;
        let declared = interfaces.iter().find(|(_, body)| **body == self.home);
        let declared = declared.and_then(|(&interface, _)| self.program.scopes[interface].parent);
        self.procedure.is_private = declared.or(scope.parent).is_some_and(|parent| {
            let outer = &self.program.scopes[parent];
            outer.kind != UnitKind::Module || !outer.is_visible(&scope.name)
        });
        let names = scope.arguments.iter().filter(|name| *name != "*");
        let mut arguments: Vec<VarId> = Vec::new();
        for name in names {
            if let Ok(var) = self.named(name)
                && !arguments.contains(&var)
            {
                let index = arguments.len() as u32;
                self.procedure.variables[var].storage = Storage::Argument { index };
                arguments.push(var);
            }
        }
        self.alternate_argument(&mut arguments);
        if let Some(result) = scope.result.clone()
            && let Ok(result) = self.named(&result)
            && !self.variable(result).is_argument()
            && !self.memory_argument(result, &mut arguments)
        {
            self.procedure.variables[result].storage = Storage::Result;
            self.procedure.kind = ProcedureKind::Function { result };
            self.share_result(result);
        }
        self.procedure.arguments = arguments;
        let members: Vec<String> = scope
            .commons
            .iter()
            .flat_map(|(_, members)| members.iter().cloned())
            .collect();
        for member in members {
            let _ = self.named(&member);
        }
    }

    /// The results of a function's entries are one variable, where they have the same type.
    fn share_result(&mut self, result: VarId) {
        let aliases = &self.program.scopes[self.scope].result_aliases;
        for alias in aliases {
            let Ok(var) = self.named(alias) else { continue };
            let (one, other) = (self.variable(result), self.variable(var));
            let is_local = matches!(other.storage, Storage::Local | Storage::Saved);
            if is_local && one.ty == other.ty && one.shape.is_empty() && other.shape.is_empty() {
                self.variables.insert((self.scope, alias.clone()), result);
            }
        }
    }

    fn home(&self) -> Home {
        let scope = &self.program.scopes[self.scope];
        let file = self.program.file_of(self.scope);
        let place = file.statements[scope.statements.0].place();
        let bytes = &self.sources.file(place.file).bytes;
        let interfaces = &self.program.separate;
        let declared = interfaces
            .iter()
            .find(|(_, body)| **body == self.home)
            .and_then(|(&interface, _)| self.program.scopes[interface].container);
        let host = self
            .host
            .and_then(|host| self.program.scopes[host].procedure);
        Home {
            file: file.id,
            container: home_container(self.program, self.scope),
            host,
            interface: declared.filter(|_| scope.is_separate),
            span: text_of(scope, &file.statements, bytes),
            prologue: scope
                .prologue
                .iter()
                .map(|&index| file.statements[index].readable())
                .collect(),
        }
    }

    fn body(&mut self) {
        let scope = &self.program.scopes[self.scope];
        let has_inner = scope.contains.is_some() && scope.entry.is_some();
        if scope.too_deep || has_inner {
            let (first, last) = self.body_range();
            let reason = if scope.too_deep {
                "constructs nest too deeply"
            } else {
                "it begins at an ENTRY and has internal procedures"
            };
            self.opaque_range(first, last, "body", reason);
        } else {
            self.jumps = self.survey_jumps(&scope.body);
            let end = self.statement_at(scope.statements.1);
            let is_end = matches!(self.kind_at(scope.statements.1), Kind::End(_));
            let label = end.label.filter(|_| is_end);
            match scope.entry {
                Some(entry) => self.nodes_from(&scope.body, entry, label),
                None => self.nodes_until(&scope.body, label),
            }
        }
        self.refuse_address_pointers();
        let mut body = self.release_given();
        body.append(&mut self.entry);
        body.append(&mut self.out);
        self.procedure.body = body;
        contraflow_ir::structure::structure(&mut self.procedure);
    }

    /// Variables that lie where an address says: what overlaps them is not known.
    fn refuse_address_pointers(&mut self) {
        let mut at = Some(self.scope);
        while let Some(scope) = at {
            if let Some(span) = self.program.scopes[scope].address_pointers {
                self.span = span;
                let unknown = self.build().stmt(Stmt::Opaque {
                    text: "continue".to_owned(),
                    kind: "address pointer",
                    reads: Vec::new(),
                    writes: Vec::new(),
                    terminates: false,
                });
                self.entry.push(unknown);
                return;
            }
            at = self.program.scopes[scope].parent;
        }
    }

    /// The statements from an ENTRY on; all of them, if these jump to others before it.
    fn nodes_from(&mut self, nodes: &[Node], entry: usize, end_label: Option<u32>) {
        let place = nodes.partition_point(|node| node.first() <= entry);
        let (before, after) = nodes.split_at(place);
        if self.jumps_between(after, before) {
            return self.pieces_from(nodes, entry, end_label);
        }
        if self.jumps.is_graph(nodes) {
            return self.pieces(after, end_label);
        }
        self.nodes_until(after, end_label);
    }

    /// The first and last statement of the body.
    fn body_range(&self) -> (usize, usize) {
        let scope = &self.program.scopes[self.scope];
        let first = scope
            .body
            .first()
            .map_or(scope.statements.1, |node| node.first());
        let last = scope.body.last().map_or(first, |node| node.last());
        (first, last)
    }

    /// Gives generated variables names that nothing else in the procedure has.
    fn name_generated(&mut self) {
        let generated: HashSet<VarId> = self.generated.iter().map(|(id, _)| *id).collect();
        let mut taken: HashSet<String> = self
            .procedure
            .variables
            .iter()
            .filter(|(id, _)| !generated.contains(id))
            .map(|(_, variable)| variable.name.to_ascii_lowercase())
            .collect();
        self.take_scope_names(&mut taken, self.home);
        let mut last: std::collections::HashMap<String, u32> = std::collections::HashMap::new();
        for (id, base) in std::mem::take(&mut self.generated) {
            let number = last.entry(base.clone()).or_insert(0);
            let name = loop {
                *number += 1;
                let name = format!("{base}{number}");
                if !taken.contains(&name) {
                    break name;
                }
            };
            taken.insert(name.clone());
            self.procedure.variables[id].name = name;
        }
        let names: Vec<String> = self
            .procedure
            .variables
            .iter()
            .map(|(_, variable)| variable.name.clone())
            .collect();
        for (_, node) in self.procedure.stmts.iter_mut() {
            if let Stmt::Opaque { text, .. } = &mut node.stmt {
                *text = with_names(text, |index| names.get(index).cloned());
            }
        }
    }

    /// All names that mean something in a scope.
    pub(super) fn take_scope_names(&self, taken: &mut HashSet<String>, scope: ScopeId) {
        let mut at: Option<ScopeId> = Some(scope);
        while let Some(id) = at {
            let scope = &self.program.scopes[id];
            taken.extend(scope.symbols.keys().cloned());
            for used in &scope.uses {
                if let Some(exports) = used.target.and_then(|t| self.program.exports.get(&t)) {
                    taken.extend(exports.keys().cloned());
                }
                taken.extend(used.names.iter().map(|(local, _)| local.clone()));
            }
            at = scope.parent;
        }
    }
}
