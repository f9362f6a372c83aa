//! Submodules, and separate module procedures: an interface in a module, the body in a submodule.

use super::Program;
use super::scope::ScopeId;
use crate::syntax::blocks::UnitKind;
use std::collections::HashMap;

impl Program {
    /// A submodule sees the module or submodule that it extends as its host.
    pub(super) fn bind_submodules(&mut self) {
        let mut named: HashMap<(String, String), ScopeId> = HashMap::new();
        let mut heads = Vec::new();
        for id in 0..self.scopes.len() {
            if self.scopes[id].kind != UnitKind::Submodule {
                continue;
            }
            let head = self.scopes[id].statements.0;
            let text = &self.file_of(id).statements[head].text;
            let around = text
                .split_once('(')
                .and_then(|(_, rest)| rest.split(')').next())
                .unwrap_or("");
            let (module, parent) = match around.split_once(':') {
                Some((module, parent)) => (module.to_owned(), Some(parent.to_owned())),
                None => (around.to_owned(), None),
            };
            named.insert((module.clone(), self.scopes[id].name.clone()), id);
            heads.push((id, module, parent));
        }
        for (id, module, parent) in heads {
            let host = match parent {
                Some(parent) => named.get(&(module, parent)).copied(),
                None => self.modules.get(&module).copied(),
            };
            self.scopes[id].parent = host.filter(|&host| host != id);
        }
        self.bind_separate();
    }

    /// Finds the interface of each separate body. `MODULE PROCEDURE` has its arguments from there.
    fn bind_separate(&mut self) {
        for body in 0..self.scopes.len() {
            let here = &self.scopes[body];
            if !here.is_separate || here.is_interface {
                continue;
            }
            let Some(interface) = self.interface_of(body) else {
                continue;
            };
            self.separate.insert(interface, body);
            if self.scopes[body].kind == UnitKind::ModuleProcedure {
                self.take_head(body, interface);
            }
        }
    }

    fn interface_of(&self, body: ScopeId) -> Option<ScopeId> {
        let name = &self.scopes[body].name;
        let mut around = self.scopes[body].parent;
        let mut steps = 0;
        while let Some(host) = around.filter(|_| steps < 100) {
            let found = self.scopes.iter().position(|scope| {
                scope.is_interface
                    && scope.is_separate
                    && scope.parent == Some(host)
                    && scope.name == *name
            });
            if found.is_some() {
                return found;
            }
            around = self.scopes[host].parent;
            steps += 1;
        }
        None
    }

    fn take_head(&mut self, body: ScopeId, interface: ScopeId) {
        let from = self.scopes[interface].clone();
        let to = &mut self.scopes[body];
        for key in from.order {
            if !to.symbols.contains_key(&key)
                && let Some(symbol) = from.symbols.get(&key)
            {
                to.symbols.insert(key.clone(), symbol.clone());
                to.order.push(key);
            }
        }
        to.arguments = from.arguments;
        to.result = from.result;
        to.is_recursive = from.is_recursive;
        to.is_pure = from.is_pure;
        to.is_elemental = from.is_elemental;
        to.uses.extend(from.uses);
        if !to.implicit.stated {
            to.implicit = from.implicit;
        }
    }
}
