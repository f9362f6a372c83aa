//! Bounds that are not what they were at entry.
//!
//! The shape of an array is that of its declaration when the procedure begins. Where a variable in a
//! bound is assigned later, the shape must be asked of the array itself.

use super::Lowerer;
use crate::declare::scope::{ScopeId, What};
use crate::syntax::blocks::UnitKind;
use crate::syntax::scan::{commas, in_name};
use crate::syntax::{DoControl, Kind};
use crate::view::Slice;
use contraflow_ir::{ExprId, Extent, Intent, Passing, VarId};

impl Lowerer<'_> {
    /// Notes whether the bounds of an array must be asked of it.
    pub(super) fn note_moving(&mut self, var: VarId, scope: ScopeId) {
        let shape = self.variable(var).shape.clone();
        let moves = shape.iter().any(|dim| match dim.extent {
            Extent::Count(count) => {
                self.reads_moving(count, scope) || self.reads_moving(dim.lower, scope)
            }
            _ => self.reads_moving(dim.lower, scope),
        });
        if moves {
            self.moving.insert(var);
        }
    }

    fn reads_moving(&mut self, e: ExprId, scope: ScopeId) -> bool {
        let names: Vec<String> = self
            .procedure
            .reads_of_expr(e)
            .iter()
            .map(|read| self.variable(read.var))
            .filter(|variable| {
                let is_input = variable.is_argument()
                    && (variable.intent == Intent::In || variable.passing == Passing::Value);
                !variable.is_constant() && !is_input
            })
            .map(|variable| variable.name.to_ascii_lowercase())
            .collect();
        names.into_iter().any(|name| {
            let key = (scope, name);
            if let Some(&known) = self.moves.get(&key) {
                return known;
            }
            let moves = self.is_assigned(key.0, &key.1, 0) || self.callees_assign(key.0, &key.1);
            self.moves.insert(key, moves);
            moves
        })
    }

    /// Whether a procedure that is called, directly or not, assigns to a variable of a module or COMMON
    /// block.
    fn callees_assign(&self, scope: ScopeId, name: &str) -> bool {
        let Some(found) = self.program.find(scope, name) else {
            return false;
        };
        let owner = &self.program.scopes[found.scope];
        let is_module = matches!(owner.kind, UnitKind::Module | UnitKind::Submodule);
        let block = found.symbol.common.clone();
        if !is_module && block.is_none() {
            return false;
        }
        let mut seen = vec![scope];
        let Some(mut pending) = self.callees(scope) else {
            return true;
        };
        while let Some(callee) = pending.pop() {
            if seen.contains(&callee) {
                continue;
            }
            seen.push(callee);
            let names = match &block {
                Some(block) => self.integers_of(callee, block),
                None => self.names_of(callee, found.scope, &found.key),
            };
            if names.iter().any(|name| self.is_assigned(callee, name, 0)) {
                return true;
            }
            match self.callees(callee) {
                Some(more) => pending.extend(more),
                None => return true,
            }
        }
        false
    }

    /// The names that a variable of a module has in a procedure.
    fn names_of(&self, scope: ScopeId, module: ScopeId, key: &str) -> Vec<String> {
        let around = std::iter::successors(Some(scope), |&at| self.program.scopes[at].parent);
        let uses = around.take(8).flat_map(|at| &self.program.scopes[at].uses);
        let mut names = vec![key.to_owned()];
        names.extend(uses.flat_map(|line| {
            let renamed = line.names.iter().filter(|(_, there)| there == key);
            renamed.map(|(local, _)| local.clone())
        }));
        names.retain(|name| {
            self.program
                .find(scope, name)
                .is_some_and(|found| found.scope == module && found.key == key)
        });
        names
    }

    /// The integers of a COMMON block as a procedure names them.
    fn integers_of(&self, scope: ScopeId, block: &str) -> Vec<String> {
        let here = &self.program.scopes[scope];
        let of_block = here.commons.iter().filter(|(name, _)| name == block);
        let members = of_block.flat_map(|(_, members)| members);
        let is_integer = |name: &&String| {
            let symbol = here.symbols.get(*name);
            let implicit = self.program.implicit_type(scope, name);
            let ty = symbol
                .and_then(|symbol| symbol.ty.as_ref())
                .or(implicit.as_ref());
            let resolved = ty.and_then(|ty| self.program.resolve_type(scope, ty, 0));
            resolved.is_none_or(|ty| ty.is_integer())
        };
        members.filter(is_integer).cloned().collect()
    }

    /// The procedures with source that the statements of a procedure call or may call; `None` where an
    /// object says which one it is.
    fn callees(&self, scope: ScopeId) -> Option<Vec<ScopeId>> {
        let file = self.program.file_of(scope);
        let (first, last) = self.program.scopes[scope].statements;
        let mut found = Vec::new();
        for index in first..=last {
            let text = &file.statements[index].text;
            let mut kind = &file.kinds[index].kind;
            if matches!(
                kind,
                Kind::Declaration { .. } | Kind::Subroutine { .. } | Kind::Function { .. }
            ) {
                continue;
            }
            if let Kind::If { action, .. } = kind {
                kind = action;
            }
            if let Kind::Call { target, .. } = kind {
                let target = &text[target.range()];
                if target.contains('%') {
                    return None;
                }
                found.extend(self.bodies(scope, target));
            }
            for name in before_parentheses(text) {
                found.extend(self.bodies(scope, name));
            }
        }
        Some(found)
    }

    /// The procedures that a name may call.
    fn bodies(&self, scope: ScopeId, name: &str) -> Vec<ScopeId> {
        let program = self.program;
        let external = || program.externals.get(name).copied().into_iter().collect();
        let Some(found) = program.find(scope, name) else {
            return external();
        };
        let body = |symbol: &What| match symbol {
            What::Procedure(procedure) => Some(program.body_of(*procedure)),
            _ => None,
        };
        match &found.symbol.what {
            What::Generic => {
                let specifics = found.symbol.specifics.iter();
                let symbols = specifics.filter_map(|name| program.find(found.scope, name));
                symbols
                    .filter_map(|found| body(&found.symbol.what))
                    .collect()
            }
            what => body(what).map_or_else(external, |body| vec![body]),
        }
    }

    /// Whether a statement of a procedure assigns to a name, or hands it to a procedure that does or
    /// whose source is not there.
    fn is_assigned(&self, scope: ScopeId, name: &str, depth: u32) -> bool {
        if depth > 6 {
            return true;
        }
        let file = self.program.file_of(scope);
        let (first, last) = self.program.scopes[scope].statements;
        (first..=last).any(|index| {
            let text = &file.statements[index].text;
            text.contains(name)
                && (self.kind_assigns(scope, &file.kinds[index].kind, text, name, depth)
                    || self.function_assigns(scope, text, name, depth))
        })
    }

    /// Whether a function that a statement calls with the name as an argument may assign to it:
    /// `k = f(n)`.
    fn function_assigns(&self, scope: ScopeId, text: &str, name: &str, depth: u32) -> bool {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(found) = text[at..].find(name) {
            let start = at + found;
            at = start + name.len();
            let Some((callee, position)) = argument_at(bytes, start, at) else {
                continue;
            };
            let callee = &text[callee.range()];
            if self.is_function(scope, callee)
                && self.callee_assigns(scope, callee, position, depth)
            {
                return true;
            }
        }
        false
    }

    /// Whether a name before a parenthesis is that of a function, not of an array.
    fn is_function(&self, scope: ScopeId, name: &str) -> bool {
        match self.program.find(scope, name).map(|found| found.symbol) {
            Some(symbol) => {
                matches!(symbol.what, What::Procedure(_) | What::Generic)
                    || symbol.is_external
                    || symbol.what == What::Entity
                        && symbol.dims.is_empty()
                        && !symbol.is_intrinsic
                        && !Self::is_intrinsic(name)
            }
            None => self.program.externals.contains_key(name),
        }
    }

    fn kind_assigns(
        &self,
        scope: ScopeId,
        kind: &Kind,
        text: &str,
        name: &str,
        depth: u32,
    ) -> bool {
        let part = |slice: Slice| text.get(slice.range()).unwrap_or("");
        match kind {
            Kind::Assignment { target, .. } => part(*target) == name,
            Kind::If { action, .. } => self.kind_assigns(scope, action, text, name, depth),
            Kind::Do {
                control: DoControl::Counted { variable, .. },
                ..
            } => part(*variable) == name,
            Kind::Io {
                word: "read",
                items,
                ..
            } => part(*items)
                .split(|c: char| !c.is_ascii() || !in_name(c as u8))
                .any(|word| word == name),
            Kind::Call { target, arguments } => commas(text.as_bytes(), *arguments)
                .into_iter()
                .enumerate()
                .any(|(position, argument)| {
                    part(argument) == name
                        && self.callee_assigns(scope, part(*target), position, depth)
                }),
            _ => false,
        }
    }

    /// What a procedure without source does to an argument is not known: it may assign to it.
    fn callee_assigns(&self, scope: ScopeId, callee: &str, position: usize, depth: u32) -> bool {
        let Some((procedure, dummy, intent)) = self.dummy_at(scope, callee, position) else {
            return true;
        };
        match intent {
            Some(Intent::In) => false,
            Some(_) => true,
            None => self.is_assigned(procedure, dummy, depth + 1),
        }
    }
}

/// Where the bytes from `start` to `end` are a whole argument: the name before the parenthesis, and the
/// position of the argument.
fn argument_at(text: &[u8], start: usize, end: usize) -> Option<(Slice, usize)> {
    if !matches!(text.get(end), Some(b',' | b')')) {
        return None;
    }
    if start == 0 || !matches!(text[start - 1], b',' | b'(') {
        return None;
    }
    let mut position = 0;
    let mut depth = 0;
    for at in (0..start).rev() {
        match text[at] {
            b')' => depth += 1,
            b'(' if depth > 0 => depth -= 1,
            b'(' => {
                let first = (0..at).rev().take_while(|&it| in_name(text[it])).last()?;
                let callee = Slice {
                    start: u32::try_from(first).ok()?,
                    end: u32::try_from(at).ok()?,
                };
                return Some((callee, position));
            }
            b',' if depth == 0 => position += 1,
            _ => {}
        }
    }
    None
}

/// The names that stand before a parenthesis.
fn before_parentheses(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let open = (0..bytes.len()).filter(|&at| bytes[at] == b'(');
    open.filter_map(|at| {
        let first = (0..at).rev().take_while(|&it| in_name(bytes[it])).last()?;
        text.get(first..at)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::argument_at;

    #[test]
    fn an_argument_is_found_with_its_function() {
        let text = "k=g(a(1,2),n)+f(n)";
        let at = |start: usize| {
            let found = argument_at(text.as_bytes(), start, start + 1);
            found.map(|(callee, position)| (&text[callee.range()], position))
        };
        assert_eq!(at(11), Some(("g", 1)));
        assert_eq!(at(16), Some(("f", 0)));
        assert_eq!(at(4), None);
    }
}
