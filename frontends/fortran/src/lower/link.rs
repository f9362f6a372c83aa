//! Calls of internal procedures get the variables of the host that the callee uses.
//!
//! What a procedure takes from its host is known once all are lowered. What its callees take, it
//! must take as well; so the sets grow along the calls until nothing changes, and procedures that
//! never named a variable which they must hand on are lowered again.

use super::host::{host_of, names_in};
use super::{Lowered, VarId};
use crate::declare::Program;
use crate::declare::scope::ScopeId;
use contraflow_ir::{
    Access, Argument, Block, Callee, Diagnostic, Expr, ExprId, ProcedureId, Stmt, StmtId,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The internal procedures of one host, and the host: positions in the list of what was lowered.
struct Family {
    host: ScopeId,
    members: Vec<usize>,
}

/// Completes the calls of internal procedures. `lower` lowers a scope again with more variables.
pub(super) fn link(
    program: &Program,
    lowered: &mut [Lowered],
    lower: &(dyn Fn(ScopeId, &[String]) -> Option<Lowered> + Sync),
) {
    let place: HashMap<ScopeId, usize> = lowered
        .iter()
        .enumerate()
        .map(|(index, one)| (one.scope, index))
        .collect();
    let mut families: BTreeMap<ScopeId, Family> = BTreeMap::new();
    for (index, one) in lowered.iter().enumerate() {
        if let Some(host) = host_of(program, one.scope) {
            let family = families.entry(host).or_insert_with(|| Family {
                host,
                members: place.get(&host).copied().into_iter().collect(),
            });
            family.members.push(index);
        }
    }
    for family in families.values() {
        let wanted = closure(program, family, lowered);
        for (&index, names) in &wanted {
            let host = family.host;
            let missing = names
                .iter()
                .any(|name| !lowered[index].variables.contains_key(&(host, name.clone())));
            if missing
                && let Some(again) = lower(
                    lowered[index].scope,
                    &names.iter().cloned().collect::<Vec<_>>(),
                )
            {
                lowered[index] = again;
            }
        }
        let taken: HashMap<ProcedureId, Vec<String>> = family
            .members
            .iter()
            .filter(|&&index| lowered[index].scope != family.host)
            .map(|&index| {
                let names = lowered[index].captures.iter().map(|(name, _)| name.clone());
                (lowered[index].id, names.collect())
            })
            .collect();
        let names: HashMap<String, ProcedureId> = family
            .members
            .iter()
            .map(|&index| {
                (
                    program.scopes[lowered[index].scope].name.clone(),
                    lowered[index].id,
                )
            })
            .collect();
        for &index in &family.members {
            Calls {
                host: family.host,
                taken: &taken,
                names: &names,
                one: &mut lowered[index],
            }
            .complete();
        }
    }
}

/// The variables of the host that each member must have: its own, and those of its callees.
fn closure(
    program: &Program,
    family: &Family,
    lowered: &[Lowered],
) -> BTreeMap<usize, BTreeSet<String>> {
    let of_id: HashMap<ProcedureId, usize> = family
        .members
        .iter()
        .map(|&index| (lowered[index].id, index))
        .collect();
    let of_name: HashMap<&str, usize> = family
        .members
        .iter()
        .map(|&index| (program.scopes[lowered[index].scope].name.as_str(), index))
        .collect();
    let mut wanted: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut callees: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &index in &family.members {
        let one = &lowered[index];
        let names = one.captures.iter().map(|(name, _)| name.clone()).collect();
        wanted.insert(index, names);
        let mut called = BTreeSet::new();
        for id in one.procedure.all_statements() {
            match one.procedure.stmt(id) {
                Stmt::Call {
                    callee, arguments, ..
                } => {
                    let handed_on = arguments.iter().filter_map(|argument| match argument {
                        Argument::Procedure(id) => Some(id),
                        _ => None,
                    });
                    let direct = match callee {
                        Callee::Procedure(id) => Some(id),
                        _ => None,
                    };
                    called.extend(
                        direct
                            .into_iter()
                            .chain(handed_on)
                            .filter_map(|id| of_id.get(id)),
                    );
                }
                Stmt::Opaque { text, .. } => called.extend(mentioned(text, &of_name)),
                _ => {}
            }
        }
        for (_, node) in one.procedure.exprs.iter() {
            if let Expr::Opaque { text, .. } = &node.expr {
                called.extend(mentioned(text, &of_name));
            }
        }
        callees.insert(index, called);
    }
    loop {
        let mut grown = false;
        for (index, called) in &callees {
            let more: BTreeSet<String> = called
                .iter()
                .filter(|&&callee| lowered[callee].scope != family.host)
                .flat_map(|callee| wanted[callee].clone())
                .collect();
            let own = wanted.entry(*index).or_default();
            let before = own.len();
            own.extend(more);
            grown |= own.len() > before;
        }
        if !grown {
            return wanted;
        }
    }
}

fn mentioned(text: &str, of_name: &HashMap<&str, usize>) -> Vec<usize> {
    let text = text.to_ascii_lowercase();
    let words = names_in(&text);
    words
        .into_iter()
        .filter_map(|word| of_name.get(word).copied())
        .collect()
}

/// The calls in one procedure.
struct Calls<'a> {
    host: ScopeId,
    taken: &'a HashMap<ProcedureId, Vec<String>>,
    names: &'a HashMap<String, ProcedureId>,
    one: &'a mut Lowered,
}

impl Calls<'_> {
    fn complete(&mut self) {
        let body = self.one.procedure.body.clone();
        self.block(&body, &mut Vec::new());
        self.quoted_values();
    }

    fn block(&mut self, block: &Block, counters: &mut Vec<VarId>) {
        for &id in block {
            let counter = match self.one.procedure.stmt(id) {
                Stmt::Loop { variable, .. } => Some(*variable),
                _ => None,
            };
            counters.extend(counter);
            let inner: Vec<Block> = self
                .one
                .procedure
                .stmt(id)
                .blocks()
                .into_iter()
                .cloned()
                .collect();
            for block in &inner {
                self.block(block, counters);
            }
            if counter.is_some() {
                counters.pop();
            }
            self.statement(id, counters);
        }
    }

    fn statement(&mut self, id: StmtId, counters: &[VarId]) {
        match self.one.procedure.stmt(id).clone() {
            Stmt::Call {
                callee, arguments, ..
            } => {
                let handed_on = arguments.iter().find_map(|argument| match argument {
                    Argument::Procedure(id) => self.taken.get(id).filter(|names| !names.is_empty()),
                    _ => None,
                });
                if let Some(names) = handed_on.cloned() {
                    self.quote(id, &names);
                    return;
                }
                let Callee::Procedure(target) = callee else {
                    return;
                };
                let Some(names) = self.taken.get(&target).cloned() else {
                    return;
                };
                match self.handed(&names, counters) {
                    Some(more) => {
                        if let Stmt::Call { arguments, .. } = &mut self.one.procedure.stmts[id].stmt
                        {
                            arguments.extend(more);
                        }
                    }
                    None => self.quote(id, &names),
                }
            }
            Stmt::Opaque { text, .. } => {
                let touched = self.touched_by(&text);
                if let Stmt::Opaque { reads, writes, .. } = &mut self.one.procedure.stmts[id].stmt {
                    for access in touched {
                        for list in [&mut *reads, &mut *writes] {
                            if !list.contains(&access) {
                                list.push(access.clone());
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The arguments for the variables that a callee takes from the host.
    fn handed(&mut self, names: &[String], counters: &[VarId]) -> Option<Vec<Argument>> {
        let vars: Option<Vec<VarId>> = names.iter().map(|name| self.variable(name)).collect();
        let procedure = &mut self.one.procedure;
        let arguments = vars?.into_iter().map(|var| {
            if counters.contains(&var) || procedure.variables[var].is_constant() {
                Argument::Value(contraflow_ir::Builder::new(procedure).load(var))
            } else {
                Argument::Place(Access::whole(var))
            }
        });
        Some(arguments.collect())
    }

    fn variable(&self, name: &str) -> Option<VarId> {
        self.one
            .variables
            .get(&(self.host, name.to_owned()))
            .copied()
    }

    /// What quoted text may read and write through the internal procedures that it names.
    fn touched_by(&self, text: &str) -> Vec<Access> {
        let text = text.to_ascii_lowercase();
        let mut found = Vec::new();
        for word in names_in(&text) {
            let taken = self.names.get(word).and_then(|id| self.taken.get(id));
            for name in taken.into_iter().flatten() {
                if let Some(var) = self.variable(name) {
                    found.push(Access::whole(var));
                }
            }
        }
        found
    }

    fn quoted_values(&mut self) {
        let ids: Vec<ExprId> = self.one.procedure.exprs.ids().collect();
        for id in ids {
            if let Expr::Opaque { text, .. } = &self.one.procedure.exprs[id].expr {
                let touched = self.touched_by(&text.clone());
                if let Expr::Opaque { reads, .. } = &mut self.one.procedure.exprs[id].expr {
                    reads.extend(touched);
                }
            }
        }
    }

    /// A call that cannot be completed stays as it stands.
    fn quote(&mut self, id: StmtId, names: &[String]) {
        let node = &self.one.procedure.stmts[id];
        let span = node.span;
        let Stmt::Call {
            arguments,
            result,
            callee,
        } = node.stmt.clone()
        else {
            return;
        };
        let mut places: Vec<Access> = arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Place(place) => Some(place.clone()),
                _ => None,
            })
            .chain(result.clone())
            .chain(
                names
                    .iter()
                    .filter_map(|name| self.variable(name))
                    .map(Access::whole),
            )
            .collect();
        for argument in &arguments {
            if let Argument::Value(value) = argument {
                places.extend(
                    self.one
                        .procedure
                        .reads_of_expr(*value)
                        .into_iter()
                        .cloned(),
                );
            }
        }
        // The names of what is handed on: no other scope can take this text.
        let handed: Vec<&str> = arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Procedure(id) => self.names.iter().find(|(_, other)| *other == id),
                _ => None,
            })
            .map(|(name, _)| name.as_str())
            .collect();
        let name = match &callee {
            Callee::External(name) => name.clone(),
            Callee::Variable(var) => self.one.procedure.variables[*var].name.clone(),
            Callee::Procedure(id) => self
                .names
                .iter()
                .find(|(_, other)| *other == id)
                .map_or_else(|| "procedure".to_owned(), |(name, _)| name.clone()),
        };
        let text = format!("call {name}({})", handed.join(", "));
        self.one.diagnostics.push(
            Diagnostic::note("opaque", "this statement is kept as it stands")
                .at(span, "an internal procedure is handed on that uses variables of its host")
                .with_help("active values may not pass through it; pass those variables as arguments, or keep them in a module"),
        );
        self.one.procedure.stmts[id].stmt = Stmt::Opaque {
            text,
            kind: "call",
            reads: places.clone(),
            writes: places,
            terminates: false,
        };
    }
}
