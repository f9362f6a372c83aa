//! Calls through pointers to functions, by the names of the functions that they may lead to.
//!
//! ```text
//! y = call via f(x)   becomes   which = 0; if (f == g) which = 1; if (f == h) which = 2;
//!                               switch (which) 1: y = call g(x); 2: y = call h(x); else: abort
//! ```
//!
//! so that analyses see who is called. A pointer that leads to one function is compared with it once, and the
//! call is a plain one. That the pointer leads nowhere else is tested when the program runs: a function that
//! nobody saw ends it, instead of giving a wrong derivative. Where others may be called (`Targets::open`), the
//! call through the pointer stays for them, and is refused if it is active.
//!
//! Likewise a call that passes a pointer for a procedure argument passes one procedure or the other by name, which
//! instances then are made for.

use contraflow_ir::{
    Access, Argument, BinaryOp, Block, Builder, Callee, CaseArm, CaseLabel, Expr, Module,
    Procedure, ProcedureId, Stmt, StmtId, Storage, Type, VarId, Variable,
};

use super::targets::{Leads, Targets};
use super::{fit_scalars, fits};
use crate::naming;

/// A call of more functions than this is left as it is.
const MOST: usize = 32;

/// The module with such calls.
pub(super) fn dispatch(module: &Module, head: ProcedureId) -> Module {
    let has_pointers = module.procedures.iter().any(|(_, procedure)| {
        let mut variables = procedure.variables.iter();
        variables.any(|(_, variable)| variable.named_procedure().is_some())
    });
    if !has_pointers {
        return module.clone();
    }
    let leads = Leads::find(module, head);
    let mut dispatched = module.clone();
    for id in module.procedures.ids() {
        if !module.procedures[id].has_body {
            continue;
        }
        let mut pending = module.procedures[id].all_statements();
        while let Some(stmt) = pending.pop() {
            if let Some(choice) = choice(&dispatched, &leads, id, stmt) {
                pending.extend(choose(&mut dispatched, id, stmt, choice));
            }
        }
    }
    dispatched
}

/// A pointer, and what a call is where it leads to one procedure or the other.
struct Choice {
    pointer: Access,
    ways: Vec<(ProcedureId, Stmt)>,
    /// Whether it may lead elsewhere.
    open: bool,
}

/// The choice that a call leaves to a pointer: who is called, or what is passed for a procedure argument.
fn choice(module: &Module, leads: &Leads, id: ProcedureId, stmt: StmtId) -> Option<Choice> {
    let procedure = &module.procedures[id];
    let Stmt::Call {
        callee,
        arguments,
        result,
    } = procedure.stmt(stmt)
    else {
        return None;
    };
    let is_own =
        |access: &Access| !access.path.is_empty() || !procedure.variables[access.var].is_argument();
    let of = |pointer: Access, way: &dyn Fn(ProcedureId) -> Option<Stmt>| {
        let Targets { known, open } = leads.of(module, id, &pointer);
        let ways: Vec<_> = known
            .into_iter()
            .filter_map(|target| Some((target, way(target)?)))
            .collect();
        (1..=MOST).contains(&ways.len()).then_some(Choice {
            pointer,
            ways,
            open,
        })
    };
    match callee {
        Callee::Variable(var) if is_own(&Access::whole(*var)) => {
            of(Access::whole(*var), &|target| {
                let called = &module.procedures[target];
                fits(module, procedure, called, arguments, result.as_ref()).then(|| Stmt::Call {
                    callee: Callee::Procedure(target),
                    arguments: fitted(module, id, target, arguments),
                    result: result.clone(),
                })
            })
        }
        Callee::Procedure(called) => {
            let formals = &module.procedures[*called].arguments;
            let takes_procedure = |position: usize| {
                let formal = formals.get(position);
                formal.is_some_and(|&formal| {
                    module.procedures[*called].variables[formal].ty == Type::Procedure
                })
            };
            arguments
                .iter()
                .enumerate()
                .find_map(|(position, argument)| {
                    let Argument::Place(place) = argument else {
                        return None;
                    };
                    if !takes_procedure(position) || !is_own(place) {
                        return None;
                    }
                    of(place.clone(), &|target| {
                        let mut arguments = arguments.clone();
                        arguments[position] = Argument::Procedure(target);
                        Some(Stmt::Call {
                            callee: callee.clone(),
                            arguments,
                            result: result.clone(),
                        })
                    })
                })
        }
        _ => None,
    }
}

fn fitted(
    module: &Module,
    caller: ProcedureId,
    called: ProcedureId,
    arguments: &[Argument],
) -> Vec<Argument> {
    let mut arguments = arguments.to_vec();
    fit_scalars(module, caller, called, &mut arguments);
    arguments
}

/// Replaces a call by a choice between calls. Gives the new calls.
fn choose(module: &mut Module, id: ProcedureId, stmt: StmtId, choice: Choice) -> Vec<StmtId> {
    let ways: Vec<(VarId, Stmt)> = choice
        .ways
        .into_iter()
        .map(|(target, call)| (name_of(module, id, target), call))
        .collect();
    let procedure = &mut module.procedures[id];
    let through = procedure.stmt(stmt).clone();
    let span = procedure.stmts[stmt].span;
    let mut before: Block = Vec::new();
    let mut calls = Vec::new();
    let leads_to = |b: &mut Builder<'_>, op: BinaryOp, name: VarId| {
        let pointer = b.expr(Expr::Load(choice.pointer.clone()), Type::Procedure);
        let name = b.load(name);
        b.exact_binary(op, pointer, name)
    };
    if let ([(name, call)], false) = (ways.as_slice(), choice.open) {
        let mut b = Builder::new(procedure);
        b.span = span;
        let leads_elsewhere = leads_to(&mut b, BinaryOp::NotEqual, *name);
        let end = b.stmt(abort());
        before.push(b.if_else(leads_elsewhere, vec![end], Vec::new()));
        procedure.stmts[stmt].stmt = call.clone();
        calls.push(stmt);
    } else {
        let which = Variable::scalar(naming::unique(procedure, "which"), Type::INT);
        let which = procedure.variables.add(which);
        let mut b = Builder::new(procedure);
        b.span = span;
        let none = b.int(0);
        before.push(b.assign(Access::whole(which), none));
        let mut arms = Vec::new();
        for (number, (name, call)) in (1..).zip(ways) {
            let is_it = leads_to(&mut b, BinaryOp::Equal, name);
            let value = b.int(number);
            let assign = b.assign(Access::whole(which), value);
            before.push(b.if_else(is_it, vec![assign], Vec::new()));
            let label = b.int(number);
            let call = b.stmt(call);
            calls.push(call);
            arms.push(CaseArm {
                labels: vec![CaseLabel::Value(label)],
                body: vec![call],
            });
        }
        let other = match choice.open {
            true => b.stmt(through),
            false => b.stmt(abort()),
        };
        let selector = b.load(which);
        procedure.stmts[stmt].stmt = Stmt::Switch {
            selector,
            arms,
            default: vec![other],
        };
    }
    insert_before(procedure, stmt, &before);
    calls
}

fn abort() -> Stmt {
    Stmt::Opaque {
        text: "abort();".to_owned(),
        kind: "abort",
        reads: Vec::new(),
        writes: Vec::new(),
        terminates: true,
    }
}

/// The constant that is the name of `target` in a procedure.
fn name_of(module: &mut Module, id: ProcedureId, target: ProcedureId) -> VarId {
    if let Some(known) = module.procedures[id].name_of_procedure(target) {
        return known;
    }
    let name = module.procedures[target].name.clone();
    let procedure = &mut module.procedures[id];
    let mut variable = Variable::scalar(naming::unique(procedure, &name), Type::Procedure);
    variable.storage = Storage::Constant {
        value: None,
        global: None,
    };
    variable.interface = Some(target);
    procedure.variables.add(variable)
}

fn insert_before(procedure: &mut Procedure, stmt: StmtId, before: &[StmtId]) {
    let insert = |block: &mut Block| match block.iter().position(|&other| other == stmt) {
        Some(at) => {
            block.splice(at..at, before.iter().copied());
            true
        }
        None => false,
    };
    if insert(&mut procedure.body) {
        return;
    }
    for other in procedure.stmts.ids().collect::<Vec<_>>() {
        for block in procedure.stmts[other].stmt.blocks_mut() {
            if insert(block) {
                return;
            }
        }
    }
}
