//! Heads that give an address: `return y;` where `y` points to memory that the caller has.
//!
//! Their derivatives give none. The statements that set the result, which nothing reads, go before
//! anything is analysed. An address of memory that the head allocates is refused: the derivative would
//! have to give it away.

use contraflow_ir::{
    Access, Diagnostic, Module, Procedure, ProcedureId, ProcedureKind, Stmt, StmtId, Storage, VarId,
};

use crate::analysis::Effects;
use crate::analysis::pointers::Pointers;
use crate::links::is_pointer;
use crate::request::Request;

/// The module with a head that gives no address.
///
/// # Errors
/// An address that the head's derivative would have to give.
pub fn without_result(module: Module, request: &Request) -> Result<Module, Diagnostic> {
    let head = request.head;
    let procedure = &module.procedures[head];
    let result = match procedure.kind {
        ProcedureKind::Function { result }
            if procedure.scalars_by_value && is_pointer(procedure, result) =>
        {
            result
        }
        _ => return Ok(module),
    };
    if request.independents.contains(&result) || request.dependents.contains(&result) {
        let message = format!("the result of `{}` is an address", procedure.name);
        return Err(Diagnostic::error("address-result", message)
            .at(procedure.home.span, "the head")
            .with_help("name the argument that it points to"));
    }
    let setting = setting(procedure, result);
    if let Some(problem) = problem(&module, head, result, &setting) {
        return Err(problem);
    }
    let mut module = module;
    let procedure = &mut module.procedures[head];
    procedure.kind = ProcedureKind::Subroutine;
    procedure.variables[result].storage = Storage::Local;
    drop_statements(procedure, &setting);
    Ok(module)
}

/// Takes away what sets the address that a function returns, for a caller that does not look at it.
pub fn drop_result(procedure: &mut Procedure) {
    if let Some(result) = procedure
        .result()
        .filter(|&result| is_pointer(procedure, result))
    {
        let setting = setting(procedure, result);
        drop_statements(procedure, &setting);
    }
}

fn drop_statements(procedure: &mut Procedure, dropped: &[StmtId]) {
    let keep = |block: &mut Vec<StmtId>| block.retain(|stmt| !dropped.contains(stmt));
    keep(&mut procedure.body);
    for stmt in procedure.stmts.ids().collect::<Vec<_>>() {
        for block in procedure.stmts[stmt].stmt.blocks_mut() {
            keep(block);
        }
    }
}

/// The statements that set a pointer.
fn setting(procedure: &Procedure, pointer: VarId) -> Vec<StmtId> {
    let sets = |stmt: &StmtId| match procedure.stmt(*stmt) {
        Stmt::PointerAssign { target, .. } | Stmt::Assign { target, .. } => {
            *target == Access::whole(pointer)
        }
        _ => false,
    };
    procedure
        .all_statements()
        .into_iter()
        .filter(sets)
        .collect()
}

fn problem(
    module: &Module,
    head: ProcedureId,
    result: VarId,
    setting: &[StmtId],
) -> Option<Diagnostic> {
    let procedure = &module.procedures[head];
    let effects = Effects::of(module);
    let statements = procedure.all_statements();
    let used = statements.iter().copied().find(|stmt| {
        let touched = effects.stmt(module, head, *stmt);
        let mut places = touched
            .reads
            .iter()
            .chain(&touched.writes)
            .chain(&touched.reshapes);
        !setting.contains(stmt) && places.any(|place| place.var == result)
    });
    let tied = Pointers::tied(module, head, result);
    let made = statements.iter().copied().find(|&stmt| {
        matches!(procedure.stmt(stmt), Stmt::Allocate { target, .. } if tied.contains(&target.var))
    });
    let stmt = used.or(made)?;
    Some(
        Diagnostic::error(
            "address-result",
            format!(
                "the derivative of `{}` would have to give the address that it returns",
                procedure.name
            ),
        )
        .at(procedure.stmts[stmt].span, "made here")
        .with_help("take a function as the head that is given the memory of its results"),
    )
}
