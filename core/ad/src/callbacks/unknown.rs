//! Procedure arguments of the head that nobody names: the user passes their derivatives too.
//!
//! Such an argument stands for a procedure of which only calls are known. It is given a body in which
//! everything that may be written depends on everything that may be read: what an interface says is
//! believed; a function without one is taken not to change its arguments, a subroutine to read and
//! write all of them. So analyses see the most general procedure of this kind. Its derivatives are
//! never written; they come in by arguments.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Argument, BinaryOp, Builder, Callee, Dim, ExprId, Extent, Intent, Module, Procedure,
    ProcedureId, ProcedureKind, Stmt, StmtId, Storage, Type, VarId, Variable, place_of,
};

/// The most general procedure that a procedure argument of `head` can be; `None` if no call of it is
/// found, or one that is not understood.
pub fn most_general(module: &Module, head: ProcedureId, formal: VarId) -> Option<Procedure> {
    let name = module.procedures[head].variables[formal].name.clone();
    let mut procedure = match declared(module, head, formal) {
        Some(interface) => interface,
        None => {
            let (caller, call) = find_call(module, head, formal, &mut BTreeSet::new())?;
            called_like(module, caller, call)?
        }
    };
    procedure.name = name;
    procedure.body.clear();
    procedure.has_body = true;
    give_body(&mut procedure)?;
    Some(procedure)
}

/// The interface that is written for the argument.
fn declared(module: &Module, head: ProcedureId, formal: VarId) -> Option<Procedure> {
    let interface = module.procedures[head].variables[formal].interface?;
    let interface = &module.procedures[interface];
    (!interface.has_body).then(|| interface.clone())
}

/// A call through the argument, here or in a procedure that it is passed to.
fn find_call(
    module: &Module,
    id: ProcedureId,
    var: VarId,
    seen: &mut BTreeSet<(ProcedureId, VarId)>,
) -> Option<(ProcedureId, StmtId)> {
    if !seen.insert((id, var)) {
        return None;
    }
    let procedure = &module.procedures[id];
    procedure.all_statements().into_iter().find_map(|stmt| {
        let Stmt::Call {
            callee, arguments, ..
        } = procedure.stmt(stmt)
        else {
            return None;
        };
        match callee {
            Callee::Variable(called) if *called == var => Some((id, stmt)),
            Callee::Procedure(callee) => {
                let formals = &module.procedures[*callee].arguments;
                let passed = arguments.iter().zip(formals).find(|(argument, _)| {
                    matches!(argument, Argument::Place(place)
                        if place.var == var && place.path.is_empty())
                });
                let (_, &formal) = passed?;
                find_call(module, *callee, formal, seen)
            }
            _ => None,
        }
    })
}

/// A procedure that takes what a call passes.
fn called_like(module: &Module, caller: ProcedureId, call: StmtId) -> Option<Procedure> {
    let caller = &module.procedures[caller];
    let Stmt::Call {
        arguments, result, ..
    } = caller.stmt(call)
    else {
        return None;
    };
    if caller.scalars_by_value {
        return None;
    }
    let mut procedure = Procedure::new("");
    procedure.home = caller.home.clone();
    procedure.home.span = contraflow_ir::Span::NONE;
    procedure.home.container = None;
    for (index, argument) in (0u32..).zip(arguments) {
        let (ty, is_array) = match argument {
            Argument::Value(e) => (caller.exprs[*e].ty, false),
            Argument::Place(place) => {
                let found = place_of(module, caller, place).ok()?;
                let is_element = !place.path.is_empty() && result.is_none();
                let from_array = caller.variables[place.var].is_array() && is_element;
                (found.ty, found.rank > 0 || from_array)
            }
            Argument::Procedure(_) | Argument::Absent | Argument::Opaque { .. } => return None,
        };
        let mut formal = Variable::scalar(format!("a{}", index + 1), ty);
        formal.storage = Storage::Argument { index };
        if result.is_some() {
            formal.intent = Intent::In;
        }
        if is_array {
            let lower = Builder::new(&mut procedure).int(1);
            formal.shape.push(Dim {
                lower,
                extent: Extent::AssumedSize,
            });
        }
        let formal = procedure.variables.add(formal);
        procedure.arguments.push(formal);
    }
    if let Some(result) = result {
        let ty = place_of(module, caller, result).ok()?.ty;
        let mut value = Variable::scalar("value", ty);
        value.storage = Storage::Result;
        let result = procedure.variables.add(value);
        procedure.kind = ProcedureKind::Function { result };
    }
    Some(procedure)
}

/// Statements by which all that may be written depends on all that may be read. `None` where the
/// numbers are not all real.
fn give_body(procedure: &mut Procedure) -> Option<()> {
    let formals = procedure.arguments.clone();
    let mut sources: Vec<Access> = Vec::new();
    let mut targets: Vec<Access> = Vec::new();
    for var in formals {
        let variable = &procedure.variables[var];
        if matches!(variable.ty, Type::Complex { .. } | Type::Record(_)) {
            return None;
        }
        let place = first_element(procedure, var);
        if variable.ty.is_real() && variable.intent != Intent::Out {
            sources.push(place.clone());
        }
        if variable.intent != Intent::In && variable.ty.is_numeric() {
            targets.push(place);
        }
    }
    if let Some(result) = procedure.result() {
        if !procedure.variables[result].ty.is_real() {
            return None;
        }
        targets.push(Access::whole(result));
    }
    for target in targets {
        let ty = procedure.variables[target.var].ty;
        let is_read = procedure.variables[target.var].intent != Intent::Out
            && procedure.variables[target.var].storage != Storage::Result;
        let mut b = Builder::new(procedure);
        let mut value: ExprId = match is_read {
            true => b.load_access(target.clone()),
            false => b.zero(ty),
        };
        for source in sources.iter().filter(|_| ty.is_real()) {
            let term = b.load_access(source.clone());
            let term = b.convert(term, ty);
            let product = b.exact_binary(BinaryOp::Multiply, term, term);
            value = b.exact_binary(BinaryOp::Add, value, product);
        }
        let assign = b.assign(target, value);
        procedure.body.push(assign);
    }
    Some(())
}

fn first_element(procedure: &Procedure, var: VarId) -> Access {
    let shape = &procedure.variables[var].shape;
    match shape.is_empty() {
        true => Access::whole(var),
        false => Access::element(var, shape.iter().map(|dim| dim.lower).collect()),
    }
}
