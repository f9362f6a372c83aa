//! What lies behind the `void *` that is handed through to callbacks.
//!
//! ```text
//! double rule(double (*f)(double, void *), void *data) { return f(0.0, data) + f(1.0, data); }
//! ```
//!
//! Each instance of `rule` calls one `f`, which says what its own argument points to. An address that a
//! procedure only passes on, to arguments of one type, points to that.

use contraflow_ir::{
    Access, Aliasing, Allocation, Argument, Builder, Callee, Dim, Extent, Intent, Module, Passing,
    Procedure, ProcedureId, Stmt, Type, VarId, Variable,
};

/// Gives such arguments their types, those of the head excepted.
pub fn typed(module: &mut Module, head: ProcedureId) {
    loop {
        let open: Vec<(ProcedureId, VarId)> = module
            .procedures
            .iter()
            .filter(|&(id, procedure)| id != head && procedure.has_body)
            .flat_map(|(id, procedure)| {
                let addresses = procedure.arguments.iter();
                addresses
                    .filter(|&&var| procedure.variables[var].ty == Type::Address)
                    .map(move |&var| (id, var))
            })
            .collect();
        let found: Vec<(ProcedureId, VarId, Variable)> = open
            .into_iter()
            .filter_map(|(id, var)| Some((id, var, passed_as(module, id, var)?)))
            .collect();
        if found.is_empty() {
            return;
        }
        for (id, var, like) in found {
            retype(&mut module.procedures[id], var, &like);
        }
    }
}

/// The argument that an address is passed as wherever it is used.
fn passed_as(module: &Module, id: ProcedureId, var: VarId) -> Option<Variable> {
    let procedure = &module.procedures[id];
    let mut found: Option<Variable> = None;
    for stmt in procedure.all_statements() {
        let stmt = procedure.stmt(stmt);
        let mut read = stmt
            .expressions()
            .into_iter()
            .flat_map(|e| procedure.reads_of_expr(e));
        if read.any(|access| access.var == var) {
            return None;
        }
        let is_other = match stmt {
            Stmt::Assign { target, .. } | Stmt::Allocate { target, .. } | Stmt::Free { target } => {
                target.var == var
            }
            Stmt::PointerAssign { target, value, .. } => {
                target.var == var || value.as_ref().is_some_and(|value| value.var == var)
            }
            Stmt::Fill { target, .. } | Stmt::Pop { target, .. } => target.var == var,
            Stmt::Copy { target, source } => target.var == var || source.var == var,
            Stmt::Opaque { reads, writes, .. } => {
                reads.iter().chain(writes).any(|access| access.var == var)
            }
            _ => false,
        };
        if is_other {
            return None;
        }
        let Stmt::Call {
            callee,
            arguments,
            result,
        } = stmt
        else {
            continue;
        };
        if result.as_ref().is_some_and(|result| result.var == var) {
            return None;
        }
        for (position, argument) in arguments.iter().enumerate() {
            let is_it = match argument {
                Argument::Place(place) if place.var == var => *place == Access::whole(var),
                Argument::Opaque { reads, .. } if reads.iter().any(|read| read.var == var) => {
                    return None;
                }
                _ => continue,
            };
            let Callee::Procedure(callee) = callee else {
                return None;
            };
            let target = &module.procedures[*callee];
            let formal = &target.variables[*target.arguments.get(position)?];
            if !is_it || !is_plain(formal) {
                return None;
            }
            match &found {
                Some(known) if known.ty != formal.ty => return None,
                _ => found = Some(formal.clone()),
            }
        }
    }
    found
}

/// A pointer to objects of one known type.
fn is_plain(formal: &Variable) -> bool {
    !matches!(formal.ty, Type::Address | Type::Unknown | Type::Procedure)
        && formal.passing == Passing::Reference
        && matches!(formal.shape.as_slice(), [dim] if dim.extent == Extent::Unknown)
}

fn retype(procedure: &mut Procedure, var: VarId, like: &Variable) {
    let lower = Builder::new(procedure).int(0);
    let variable = &mut procedure.variables[var];
    variable.ty = like.ty;
    variable.spelling.clone_from(&like.spelling);
    variable.shape = vec![Dim {
        lower,
        extent: Extent::Unknown,
    }];
    variable.passing = Passing::Reference;
    variable.read_only = like.read_only;
    variable.intent = match like.read_only {
        true => Intent::In,
        false => Intent::Unspecified,
    };
    variable.aliasing = Aliasing::May;
    variable.allocation = Allocation::Fixed;
}
