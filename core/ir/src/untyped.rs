//! Addresses without a type where a callee says what it takes them for.

use crate::expr::{Access, Expr, Selector};
use crate::module::{Module, Pointer, ProcedureId};
use crate::stmt::{Argument, Block, Callee, Stmt, StmtId, StmtNode};
use crate::types::{Passing, Type, Variable};

/// A `void *` is a pointer with a type to a function that says what it takes it for: where such a one is
/// passed, in this file or another, it is made one first.
pub fn give_addresses_types(module: &mut Module) {
    for id in module.procedures.ids().collect::<Vec<_>>() {
        for (stmt, position, formal) in untyped_arguments(module, id) {
            pass_typed(module, id, stmt, position, &formal);
        }
    }
}

/// The arguments that are addresses without a type where the callee has a type for what they lead to.
fn untyped_arguments(module: &Module, id: ProcedureId) -> Vec<(StmtId, usize, Variable)> {
    let procedure = &module.procedures[id];
    let mut found = Vec::new();
    if !procedure.has_body || !procedure.scalars_by_value {
        return found;
    }
    for stmt in procedure.all_statements() {
        let Stmt::Call {
            callee: Callee::Procedure(callee),
            arguments,
            ..
        } = procedure.stmt(stmt)
        else {
            continue;
        };
        let callee = &module.procedures[*callee];
        for (position, (argument, &formal)) in arguments.iter().zip(&callee.arguments).enumerate() {
            let formal = &callee.variables[formal];
            let is_untyped = matches!(argument, Argument::Value(e)
                if procedure.exprs[*e].ty == Type::Address);
            if is_untyped && formal.passing == Passing::Reference {
                found.push((stmt, position, formal.clone()));
            }
        }
    }
    found
}

fn pass_typed(
    module: &mut Module,
    id: ProcedureId,
    call: StmtId,
    position: usize,
    formal: &Variable,
) {
    let known = module
        .pointers
        .iter()
        .find(|(_, pointer)| pointer.target == formal.ty && pointer.spelling == formal.spelling);
    let known = known.map(|(id, _)| id);
    let pointer = known.unwrap_or_else(|| {
        module.pointers.add(Pointer {
            target: formal.ty,
            spelling: formal.spelling.clone(),
        })
    });
    let procedure = &mut module.procedures[id];
    let Stmt::Call { arguments, .. } = procedure.stmt(call) else {
        return;
    };
    let Argument::Value(e) = arguments[position] else {
        return;
    };
    let Expr::Load(address) = procedure.expr(e).clone() else {
        return;
    };
    let name = (0..)
        .map(|number| format!("{}_{number}", formal.name))
        .find(|name| procedure.variable_named(name).is_none())
        .unwrap_or_default();
    let mut variable = Variable::scalar(name, Type::Pointer(pointer));
    variable.spelling.clone_from(&formal.spelling);
    variable.span = procedure.stmts[call].span;
    let var = procedure.variables.add(variable);
    let point = procedure.stmts.add(StmtNode {
        stmt: Stmt::PointerAssign {
            target: Access::whole(var),
            value: Some(address),
            is_pointer: true,
            offset: None,
            bounds: Vec::new(),
        },
        span: procedure.stmts[call].span,
    });
    if let Stmt::Call { arguments, .. } = &mut procedure.stmts[call].stmt {
        let path = vec![Selector::Deref];
        arguments[position] = Argument::Place(Access { var, path });
    }
    let put = |block: &mut Block| {
        if let Some(at) = block.iter().position(|&stmt| stmt == call) {
            block.insert(at, point);
        }
    };
    put(&mut procedure.body);
    for stmt in procedure.stmts.ids().collect::<Vec<_>>() {
        procedure.stmts[stmt]
            .stmt
            .blocks_mut()
            .into_iter()
            .for_each(put);
    }
}
