//! ENTRY statements: each makes a procedure of its own, with the declarations of the procedure that it
//! stands in and arguments of its own. Its body begins at the statement.

use super::build::Declarer;
use super::scope::{Scope, ScopeId};
use crate::syntax::Kind;
use crate::syntax::blocks::{Node, UnitKind};
use crate::view::Slice;

/// Adds a scope for each ENTRY of the procedure `id`.
pub fn add(declarer: &mut Declarer, id: ScopeId) {
    let statements: Vec<usize> = declarer.scopes[id]
        .body
        .iter()
        .filter_map(|node| match node {
            Node::Simple(index) => Some(*index),
            Node::Construct(_) => None,
        })
        .filter(|&index| matches!(declarer.kinds[index].kind, Kind::Entry { .. }))
        .collect();
    let mut added = Vec::new();
    for statement in statements {
        added.push(entry(declarer, id, statement));
    }
    let group: Vec<ScopeId> = std::iter::once(id).chain(added.iter().copied()).collect();
    let results: Vec<Option<String>> = group
        .iter()
        .map(|&scope| declarer.scopes[scope].result.clone())
        .collect();
    for (position, &scope) in group.iter().enumerate() {
        let others = results.iter().enumerate();
        declarer.scopes[scope].result_aliases = others
            .filter(|(other, _)| *other != position)
            .filter_map(|(_, result)| result.clone())
            .collect();
    }
    declarer.scopes[id].entries = added;
}

fn entry(declarer: &mut Declarer, id: ScopeId, index: usize) -> ScopeId {
    let Kind::Entry {
        name,
        arguments,
        result,
    } = declarer.kinds[index].kind
    else {
        unreachable!("called for ENTRY statements");
    };
    let statement = declarer.statements[index].clone();
    let outer = &declarer.scopes[id];
    let mut scope = Scope {
        name: statement.part(name).to_owned(),
        original: statement.original_part(name).to_owned(),
        name_span: statement.span_of(name),
        arguments: Vec::new(),
        entry: Some(index),
        ..outer.clone()
    };
    for symbol in scope.symbols.values_mut() {
        symbol.argument = None;
    }
    let is_function = scope.kind == UnitKind::Function;
    declarer.scopes.push(scope);
    let added = declarer.scopes.len() - 1;
    declarer.current = added;
    declarer.arguments(&statement, arguments);
    if is_function {
        result_of(declarer, id, added, index, [name, result]);
    }
    declarer.current = id;
    added
}

/// The result is typed in the declarations of the procedure, by its own name or that of the entry.
fn result_of(
    declarer: &mut Declarer,
    id: ScopeId,
    added: ScopeId,
    index: usize,
    [name, result]: [Slice; 2],
) {
    let statement = declarer.statements[index].clone();
    let result = if result.is_empty() { name } else { result };
    for scope in [id, added] {
        declarer.current = scope;
        declarer.named(&statement, result);
    }
    declarer.scopes[added].result = Some(statement.part(result).to_owned());
}
