//! OpenMP and other pragmas: each binds to the outermost statement that starts at the next token.

use crate::cst::{Node, Statement};
use crate::declare::Symbol;
use crate::lower::Body;
use crate::lower::Lowered;
use contraflow_ir::{Directive, Stmt, VarId};

/// Directives that stand alone; what follows is no part of them.
const ALONE: [&str; 8] = [
    "barrier",
    "flush",
    "taskwait",
    "taskyield",
    "threadprivate",
    "cancel",
    "cancellation",
    "declare",
];

/// Clauses that hold the variables that each iteration has for itself.
fn is_private(clause: &str) -> bool {
    matches!(clause, "private" | "lastprivate")
}

impl<'u, 'a> Body<'u, 'a> {
    /// The directive that binds to the statement at `start`, if there is one. It is given once.
    pub fn directive_at(&mut self, start: usize) -> Option<Box<Directive>> {
        let pragmas = &self.unit.view.pragmas;
        let after = pragmas.partition_point(|(offset, _)| (*offset as usize) < start);
        let index = after.checked_sub(1)?;
        let (offset, text) = &pragmas[index];
        let between = self.unit.view.text.get(*offset as usize..start)?;
        let is_next = between
            .lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        let words = text.strip_prefix("omp").or(text.strip_prefix("acc"))?;
        let first = words.split_whitespace().next().unwrap_or("");
        let first = first.split('(').next().unwrap_or("");
        if !is_next || ALONE.contains(&first) || !self.bound_pragmas.insert(index) {
            return None;
        }
        Some(Box::new(self.directive(words.trim())))
    }

    fn directive(&self, text: &str) -> Directive {
        let mut directive = Directive {
            text: text.to_owned(),
            independent: text
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| matches!(word, "for" | "loop" | "simd" | "taskloop" | "independent")),
            collapse: 1,
            ..Directive::default()
        };
        for (name, inside) in clauses(text) {
            match name {
                name if is_private(name) => directive.private.extend(self.variables(inside)),
                "firstprivate" => directive.first_private.extend(self.variables(inside)),
                "collapse" => directive.collapse = inside.trim().parse().unwrap_or(1),
                "reduction" => {
                    let (operator, names) = inside.split_once(':').unwrap_or(("", inside));
                    let operator = operator.trim().to_owned();
                    let variables = self.variables(names).into_iter();
                    directive
                        .reductions
                        .extend(variables.map(|var| (operator.clone(), var)));
                }
                _ => {}
            }
        }
        directive
    }

    fn variables(&self, names: &str) -> Vec<VarId> {
        names
            .split(',')
            .filter_map(|name| {
                let name = name.split('[').next().unwrap_or("").trim();
                match self.unit.lookup(name) {
                    Some(&Symbol::Local(var)) => Some(var),
                    Some(&Symbol::Alias(index)) => Some(self.aliases[index].access.var),
                    _ => None,
                }
            })
            .collect()
    }

    /// A statement under a directive: a loop has it, anything else becomes a region.
    pub fn directed(
        &mut self,
        node: &'a Node<Statement>,
        directive: Box<Directive>,
    ) -> Lowered<()> {
        if let Statement::For(node) = &node.node {
            return self.for_loop(&node.node, Some(directive));
        }
        let (body, done) = self.in_block(|body| body.statement_here(node));
        done?;
        self.emit(Stmt::Region { directive, body });
        Ok(())
    }
}

/// The clauses `name(inside)` of a directive.
fn clauses(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let name = rest[..open]
            .trim_end()
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap_or("");
        let mut depth = 0usize;
        let close = rest[open..].char_indices().find(|(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some((length, _)) = close else { break };
        found.push((name, &rest[open + 1..open + length]));
        rest = &rest[open + length + 1..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_found_with_nested_parentheses() {
        assert_eq!(
            clauses("parallel for private(i, j) if(f(n)) collapse (2)"),
            [("private", "i, j"), ("if", "f(n)"), ("collapse", "2")]
        );
    }
}
