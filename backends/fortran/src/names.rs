//! Names of a procedure's variables in Fortran: unique without regard to case, at most 63
//! characters, and not those of intrinsics and procedures that the text calls.

use contraflow_backend_common::Namer;
use contraflow_ir::{
    Argument, BinaryOp, Callee, Expr, Module, Procedure, ProcedureId, Stmt, Storage, VarId,
};

use crate::intrinsics;

/// The namer that gives out further names, and the names of all variables.
pub(crate) fn of_procedure(
    module: &Module,
    id: ProcedureId,
    interop: bool,
) -> (Namer, Vec<String>) {
    let procedure = &module.procedures[id];
    let mut namer = Namer::new(&[], true, 63);
    let result = procedure.result().filter(|&r| {
        procedure.variables[r]
            .name
            .eq_ignore_ascii_case(&procedure.name)
    });
    namer.reserve(&procedure.name);
    for name in called_names(module, procedure) {
        namer.reserve(&name);
    }
    let mut names = vec![String::new(); procedure.variables.len()];
    for (variable, name) in fixed_names(procedure, interop) {
        namer.reserve(&name);
        names[variable.index()] = name;
    }
    if let Some(result) = result {
        names[result.index()].clone_from(&procedure.name);
    }
    let rest = procedure.arguments.iter().copied();
    for variable in rest.chain(procedure.variables.ids()) {
        if names[variable.index()].is_empty() {
            names[variable.index()] = namer.name(&procedure.variables[variable].name);
        }
    }
    (namer, names)
}

/// Names that are declared elsewhere and cannot be changed here.
fn fixed_names(procedure: &Procedure, interop: bool) -> Vec<(VarId, String)> {
    procedure
        .variables
        .iter()
        .filter(|(_, variable)| {
            !interop
                && matches!(
                    variable.storage,
                    Storage::Global(_)
                        | Storage::Constant {
                            global: Some(_),
                            ..
                        }
                )
        })
        .map(|(id, variable)| (id, variable.name.clone()))
        .collect()
}

/// Names of procedures and intrinsics that the text will call.
fn called_names(module: &Module, procedure: &Procedure) -> Vec<String> {
    let mut names = Vec::new();
    for id in procedure.all_statements() {
        let stmt = procedure.stmt(id);
        if let Stmt::Call {
            callee, arguments, ..
        } = stmt
        {
            match callee {
                Callee::Procedure(callee) => names.push(module.procedures[*callee].name.clone()),
                Callee::External(name) => names.push(name.clone()),
                Callee::Variable(_) => {}
            }
            for argument in arguments {
                if let Argument::Procedure(p) = argument {
                    names.push(module.procedures[*p].name.clone());
                }
            }
        }
    }
    for (_, node) in procedure.exprs.iter() {
        names.extend(intrinsic_names(&node.expr).into_iter().map(str::to_owned));
    }
    names
}

fn intrinsic_names(expr: &Expr) -> Vec<&'static str> {
    match expr {
        Expr::Intrinsic(f, _) => intrinsics::names(*f),
        Expr::Convert(_) => vec!["real", "int", "cmplx", "merge", "logical"],
        Expr::Select { .. } => vec!["merge"],
        Expr::Bound { .. } => vec!["size", "lbound", "ubound", "len"],
        Expr::Present(_) => vec!["present", "associated", "allocated"],
        Expr::Associated { .. } => vec!["associated"],
        Expr::Binary(BinaryOp::Remainder, ..) => vec!["mod"],
        Expr::Binary(BinaryOp::BitAnd, ..) => vec!["iand"],
        Expr::Binary(BinaryOp::BitOr, ..) => vec!["ior"],
        Expr::Binary(BinaryOp::BitXor, ..) => vec!["ieor"],
        Expr::Binary(BinaryOp::ShiftLeft, ..) => vec!["shiftl"],
        Expr::Binary(BinaryOp::ShiftRight, ..) => vec!["shifta", "shiftr"],
        _ => Vec::new(),
    }
}
