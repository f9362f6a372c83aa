//! Procedures that must not run twice: those that read from a file that they do not open or rewind
//! themselves, or draw random numbers, or call one that does. What they get the second time is not
//! what they got the first time.
//!
//! Cost: one walk over all statements, and one over the calls per round.

use std::collections::BTreeSet;

use contraflow_ir::{Callee, Module, Procedure, ProcedureId, Stmt};

/// Functions of both languages' libraries that give something else each time.
const LIBRARY: [&str; 18] = [
    "rand", "irand", "ran", "random", "drand48", "lrand48", "mrand48", "erand48", "rand_r",
    "scanf", "fscanf", "getchar", "getc", "fgetc", "fgets", "fread", "getline", "getdelim",
];

/// The procedures of a module that must not run twice.
pub fn unrepeatable(module: &Module) -> BTreeSet<ProcedureId> {
    let mut found: BTreeSet<ProcedureId> = module
        .procedures
        .iter()
        .filter(|(_, procedure)| procedure.has_body && reads_on(procedure))
        .map(|(id, _)| id)
        .collect();
    loop {
        let before = found.len();
        for (id, procedure) in module.procedures.iter() {
            let calls_one = procedure.stmts.iter().any(|(_, node)| {
                matches!(&node.stmt, Stmt::Call { callee: Callee::Procedure(callee), .. }
                    if found.contains(callee))
            });
            if calls_one {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether a procedure's own statements give something else each time.
fn reads_on(procedure: &Procedure) -> bool {
    let (mut reads, mut begins_anew, mut draws) = (false, false, false);
    for (_, node) in procedure.stmts.iter() {
        match &node.stmt {
            Stmt::Opaque { kind, text, .. } => match *kind {
                "read" => reads = true,
                "open" | "rewind" => begins_anew = true,
                _ => draws |= text.to_ascii_lowercase().contains("random_number"),
            },
            Stmt::Call {
                callee: Callee::External(name),
                ..
            } => draws |= LIBRARY.iter().any(|known| known.eq_ignore_ascii_case(name)),
            _ => {}
        }
    }
    draws || (reads && !begins_anew)
}

#[cfg(test)]
mod tests {
    use super::unrepeatable;
    use contraflow_ir::{Builder, Callee, Module, Procedure, Stmt};

    fn quoting(name: &str, kinds: &[&'static str]) -> Procedure {
        let mut procedure = Procedure::new(name);
        for &kind in kinds {
            let stmt = Builder::new(&mut procedure).stmt(Stmt::Opaque {
                text: kind.to_owned(),
                kind,
                reads: Vec::new(),
                writes: Vec::new(),
                terminates: false,
            });
            procedure.body.push(stmt);
        }
        procedure
    }

    #[test]
    fn who_reads_on_and_who_calls_it_must_not_run_twice() {
        let mut module = Module::default();
        let reader = module.procedures.add(quoting("reader", &["read"]));
        module
            .procedures
            .add(quoting("table", &["open", "read", "close"]));
        let mut caller = quoting("caller", &["write"]);
        let call = Builder::new(&mut caller).stmt(Stmt::Call {
            callee: Callee::Procedure(reader),
            arguments: Vec::new(),
            result: None,
        });
        caller.body.push(call);
        let caller = module.procedures.add(caller);
        let found: Vec<_> = unrepeatable(&module).into_iter().collect();
        assert_eq!(found, [reader, caller]);
    }
}
