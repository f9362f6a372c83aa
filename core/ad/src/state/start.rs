//! The head's names of the state, and how it starts anew.

use contraflow_ir::{
    Access, Allocation, Builder, Dim, Expr, ExprId, Extent, Global, GlobalId, Module, Procedure,
    ProcedureId, Stmt, StmtId, Storage, Type, VarId, Variable,
};

use super::State;
use super::separate::Kept;
use crate::naming;

/// Gives the head a name for each state variable that can carry derivatives: what holds of shadows
/// that the head names then holds of theirs.
pub fn name_in_head(module: &mut Module, state: &mut State, head: ProcedureId) {
    let globals: Vec<GlobalId> = state.variables.iter().map(|entry| entry.0).collect();
    for global in globals {
        if matches!(
            module.globals[global].ty,
            Type::Real { .. } | Type::Complex { .. }
        ) {
            let name = name_of(module, head, global);
            state.names.push(name);
        }
    }
}

/// The variable of a procedure that names a global of fixed shape.
pub(super) fn name_of(module: &mut Module, id: ProcedureId, global: GlobalId) -> VarId {
    let named = module.procedures[id]
        .variables
        .iter()
        .find(|(_, variable)| variable.storage == Storage::Global(global));
    if let Some((var, _)) = named {
        return var;
    }
    let declared = module.globals[global].clone();
    let procedure = &mut module.procedures[id];
    let mut variable = Variable::scalar(naming::unique(procedure, &declared.name), declared.ty);
    variable.storage = Storage::Global(global);
    variable.span = declared.span;
    variable.imported = true;
    variable.spelling = declared.spelling.clone();
    variable.allocation = declared.allocation;
    let mut b = Builder::new(procedure);
    for (lower, extent) in declared.shape {
        let lower = b.int(lower.into());
        let extent = match extent {
            Some(count) => Extent::Count(b.int(count.into())),
            None => Extent::Deferred,
        };
        variable.shape.push(Dim { lower, extent });
    }
    b.variable(variable)
}

/// Lets the head set all state to its initial values before it does anything else.
pub fn begin_anew(module: &mut Module, state: &mut State, found: &[Kept], head: ProcedureId) {
    let mut statements = Vec::new();
    for (global, owner, var) in state.variables.clone() {
        let is_written = found
            .iter()
            .any(|kept| (kept.procedure, kept.var) == (owner, var) && kept.is_written);
        if is_written {
            statements.extend(reset(module, state, head, global, (owner, var)));
        }
    }
    let body = &mut module.procedures[head].body;
    body.splice(0..0, statements);
}

fn reset(
    module: &mut Module,
    state: &mut State,
    head: ProcedureId,
    global: GlobalId,
    (owner, var): (ProcedureId, VarId),
) -> Option<StmtId> {
    let declared = module.procedures[owner].variables[var].clone();
    let target = name_of(module, head, global);
    if declared.allocation != Allocation::Fixed {
        return None;
    }
    let value = match (declared.initial, declared.values.as_slice()) {
        (Some(value), _) => Some(value),
        (None, []) => None,
        (None, &[(count, value)]) if is_all(module, global, count) => Some(value),
        (None, _) => return Some(copy_of_values(module, state, head, global, target)),
    };
    let from = module.procedures[owner].clone();
    let to = &mut module.procedures[head];
    let value = match value {
        Some(value) => copied(&from, value, to),
        None => nothing(to, declared.ty),
    };
    let mut b = Builder::new(to);
    let target = Access::whole(target);
    Some(if declared.is_array() {
        b.stmt(Stmt::Fill { target, value })
    } else {
        b.assign(target, value)
    })
}

/// What memory without a value in its declaration holds when a program starts.
pub(super) fn nothing(procedure: &mut Procedure, ty: Type) -> ExprId {
    let mut b = Builder::new(procedure);
    match ty {
        Type::Logical { .. } => b.expr(Expr::Logical(false), ty),
        Type::Character => b.expr(Expr::Text(String::new()), ty),
        _ => b.zero(ty),
    }
}

fn is_all(module: &Module, global: GlobalId, count: u64) -> bool {
    let elements = module.globals[global]
        .shape
        .iter()
        .try_fold(1u64, |total, (_, extent)| {
            total.checked_mul(u64::try_from((*extent)?).ok()?)
        });
    elements == Some(count)
}

/// Element by element from a second variable with the same values, which nobody writes.
fn copy_of_values(
    module: &mut Module,
    state: &mut State,
    head: ProcedureId,
    global: GlobalId,
    target: VarId,
) -> StmtId {
    let declared = module.globals[global].clone();
    let origin = declared.declared_by;
    let constant = module.globals.add(Global {
        name: naming::global_shadow_name(module, &declared.name, "_start"),
        ..declared
    });
    if let Some((owner, var)) = origin {
        state.variables.push((constant, owner, var));
    }
    let source = name_of(module, head, constant);
    copy_all(&mut module.procedures[head], source, target)
}

/// Copies an array element by element.
pub(super) fn copy_all(procedure: &mut Procedure, source: VarId, target: VarId) -> StmtId {
    let shape: Vec<Dim> = procedure.variables[target].shape.clone();
    let indices: Vec<VarId> = shape
        .iter()
        .map(|_| {
            let name = naming::unique(procedure, "element");
            procedure.variables.add(Variable::scalar(name, Type::INT))
        })
        .collect();
    let mut b = Builder::new(procedure);
    let subscripts: Vec<ExprId> = indices.iter().map(|&index| b.load(index)).collect();
    let value = b.load_element(source, subscripts.clone());
    let mut stmt = b.assign(Access::element(target, subscripts), value);
    for (dim, &index) in shape.iter().zip(&indices) {
        let Extent::Count(count) = dim.extent else {
            continue;
        };
        let one = b.int(1);
        let upper = b.add(dim.lower, count);
        let upper = b.sub(upper, one);
        stmt = b.counted_loop(index, dim.lower, upper, one, vec![stmt]);
    }
    stmt
}

/// A constant expression of another procedure.
pub(super) fn copied(from: &Procedure, e: ExprId, to: &mut Procedure) -> ExprId {
    let node = from.exprs[e].clone();
    let mut again = |e: ExprId| copied(from, e, to);
    let expr = match node.expr {
        Expr::Unary(op, operand) => Expr::Unary(op, again(operand)),
        Expr::Convert(operand) => Expr::Convert(again(operand)),
        Expr::Binary(op, left, right) => Expr::Binary(op, again(left), again(right)),
        Expr::Intrinsic(function, arguments) => {
            Expr::Intrinsic(function, arguments.into_iter().map(again).collect())
        }
        Expr::Select {
            condition,
            then,
            otherwise,
        } => Expr::Select {
            condition: again(condition),
            then: again(then),
            otherwise: again(otherwise),
        },
        other => other,
    };
    to.exprs.add(contraflow_ir::ExprNode {
        expr,
        ty: node.ty,
        span: node.span,
    })
}
