//! Bounds that are not what they were at entry.
//!
//! The shape of an array is that of its declaration when the procedure begins. Where a variable in a
//! bound is assigned later, the shape must be asked of the array itself.

use super::Lowerer;
use crate::declare::scope::ScopeId;
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
            let moves = self.is_assigned(key.0, &key.1, 0);
            self.moves.insert(key, moves);
            moves
        })
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
                && self.kind_assigns(scope, &file.kinds[index].kind, text, name, depth)
        })
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
