//! Back from instances to the user's procedures, and derivatives as arguments.
//!
//! In the derivative of an instance, the procedure that came in by the argument `f` is called
//! through `f` again. Its derivative is called by its own name where that is seen: where it stands
//! in the same scope or in none. Else it comes in by a further argument, `f_b` after `f`, and
//! callers pass it: a library module need not know the module of its user.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, Callee, ContainerKind, Module, ProcedureId, Stmt, StmtId, Storage, Type,
    VarId, Variable,
};

use super::{Bindings, Bound};
use crate::naming;

impl Bound {
    /// Lets derived procedures be those of the user's procedures, and call as the source does.
    pub fn restore(&self, original: &Module, derived: &mut Module) {
        let procedures: Vec<ProcedureId> = derived
            .procedures
            .iter()
            .filter(|(_, procedure)| procedure.role.origin().is_some())
            .map(|(id, _)| id)
            .collect();
        let mut given: BTreeMap<ProcedureId, Bindings> = BTreeMap::new();
        for &id in &procedures {
            if let Some(of) = derived.procedures[id].role.origin() {
                given.insert(id, self.bindings.get(&of).cloned().unwrap_or_default());
                let role = derived.procedures[id].role;
                derived.procedures[id].role = role.with_origin(self.origin(of));
            }
        }
        for (id, procedure) in original.procedures.iter() {
            derived.procedures[id] = procedure.clone();
        }
        for (&id, given) in &given {
            for &formal in given.keys() {
                declare_as_before(original, derived, id, formal);
            }
            let procedure = &mut derived.procedures[id];
            for stmt in procedure.all_statements() {
                if let Stmt::Call {
                    callee, arguments, ..
                } = &mut procedure.stmts[stmt].stmt
                {
                    self.restore_call(given, callee, arguments);
                }
            }
        }
        hand_on(derived, &procedures, &given, &self.unknown);
    }

    fn restore_call(&self, given: &Bindings, callee: &mut Callee, arguments: &mut [Argument]) {
        if let Callee::Procedure(id) = callee {
            *callee = match came_in_by(given, *id) {
                Some(var) => Callee::Variable(var),
                None => Callee::Procedure(self.origin(*id)),
            };
        }
        for argument in arguments {
            if let Argument::Procedure(id) = argument {
                *argument = match came_in_by(given, *id) {
                    Some(var) => Argument::Place(Access::whole(var)),
                    None => Argument::Procedure(self.origin(*id)),
                };
            }
        }
    }
}

/// A callback that takes a `void *` is declared so again, whatever the procedure that is bound to it
/// says of what lies behind it.
fn declare_as_before(original: &Module, derived: &mut Module, id: ProcedureId, formal: VarId) {
    let Some(origin) = derived.procedures[id].role.origin() else {
        return;
    };
    let before = original
        .procedures
        .get(origin)
        .and_then(|procedure| procedure.variables.get(formal)?.interface);
    let takes_address = |interface: ProcedureId| {
        let interface = &original.procedures[interface];
        let mut formals = interface.arguments.iter();
        formals.any(|&var| interface.variables[var].ty == Type::Address)
    };
    if let Some(before) = before.filter(|&interface| takes_address(interface))
        && derived.procedures[id].variables.get(formal).is_some()
    {
        derived.procedures[id].variables[formal].interface = Some(before);
    }
}

fn came_in_by(given: &Bindings, wanted: ProcedureId) -> Option<VarId> {
    let mut given = given.iter();
    given.find(|&(_, &id)| id == wanted).map(|(&var, _)| var)
}

/// Lets derivatives that a procedure does not see come in by arguments.
fn hand_on(
    module: &mut Module,
    procedures: &[ProcedureId],
    given: &BTreeMap<ProcedureId, Bindings>,
    unknown: &BTreeSet<ProcedureId>,
) {
    let mut pending: Vec<ProcedureId> = procedures.to_vec();
    while let Some(id) = pending.pop() {
        let Some(bindings) = given.get(&id) else {
            continue;
        };
        let mut wanted: Vec<(VarId, ProcedureId)> = Vec::new();
        for stmt in module.procedures[id].all_statements() {
            for named in named(module, id, stmt) {
                let origin = module.procedures[named].role.origin();
                let came_in = origin.and_then(|origin| came_in_by(bindings, origin));
                if let Some(var) = came_in
                    && (!sees(module, id, named)
                        || origin.is_some_and(|origin| unknown.contains(&origin)))
                    && !wanted.contains(&(var, named))
                {
                    wanted.push((var, named));
                }
            }
        }
        for (var, derivative) in wanted {
            let Some(position) = take(module, id, var, derivative) else {
                continue;
            };
            for &caller in procedures {
                if pass(module, caller, id, position, derivative) && !pending.contains(&caller) {
                    pending.push(caller);
                }
            }
        }
    }
}

/// The procedures that a statement names.
fn named(module: &Module, id: ProcedureId, stmt: StmtId) -> Vec<ProcedureId> {
    let Stmt::Call {
        callee, arguments, ..
    } = module.procedures[id].stmt(stmt)
    else {
        return Vec::new();
    };
    let called = match callee {
        Callee::Procedure(id) => Some(*id),
        Callee::External(_) | Callee::Variable(_) => None,
    };
    let passed = arguments.iter().filter_map(|argument| match argument {
        Argument::Procedure(id) => Some(*id),
        _ => None,
    });
    called.into_iter().chain(passed).collect()
}

/// Whether a procedure sees another by its name, without a module that may use its own.
fn sees(module: &Module, from: ProcedureId, to: ProcedureId) -> bool {
    let (from, to) = (&module.procedures[from], &module.procedures[to]);
    let Some(container) = to.home.container else {
        return to.home.host.is_none();
    };
    let is_public_c =
        module.containers[container].kind == ContainerKind::TranslationUnit && !to.is_private;
    is_public_c || from.home.container == Some(container)
}

/// Gives a procedure an argument for a derivative, after the argument `var` that its primal came in
/// by, and lets it use that. Gives the position of the argument, if it is new.
fn take(
    module: &mut Module,
    id: ProcedureId,
    var: VarId,
    derivative: ProcedureId,
) -> Option<usize> {
    let known = module.procedures[id].arguments.iter().copied();
    let mut known =
        known.filter(|&var| module.procedures[id].variables[var].interface == Some(derivative));
    if let Some(formal) = known.next() {
        use_argument(module, id, derivative, formal);
        return None;
    }
    let suffix = suffix_of(module, derivative);
    let procedure = &mut module.procedures[id];
    let name = naming::unique(
        procedure,
        &format!("{}{suffix}", procedure.variables[var].name),
    );
    let mut formal = Variable::scalar(name, Type::Procedure);
    formal.interface = Some(derivative);
    formal.passing = procedure.variables[var].passing;
    formal.optional = procedure.variables[var].optional;
    let after = procedure.arguments.iter().position(|&known| known == var);
    let position = after.map_or(procedure.arguments.len(), |after| after + 1);
    let formal = procedure.variables.add(formal);
    procedure.arguments.insert(position, formal);
    let arguments = procedure.arguments.clone();
    for (index, argument) in (0u32..).zip(arguments) {
        procedure.variables[argument].storage = Storage::Argument { index };
    }
    use_argument(module, id, derivative, formal);
    Some(position)
}

/// Lets a procedure call a derivative through an argument.
fn use_argument(module: &mut Module, id: ProcedureId, derivative: ProcedureId, formal: VarId) {
    let procedure = &mut module.procedures[id];
    for stmt in procedure.all_statements() {
        if let Stmt::Call {
            callee, arguments, ..
        } = &mut procedure.stmts[stmt].stmt
        {
            if *callee == Callee::Procedure(derivative) {
                *callee = Callee::Variable(formal);
            }
            for argument in arguments {
                if *argument == Argument::Procedure(derivative) {
                    *argument = Argument::Place(Access::whole(formal));
                }
            }
        }
    }
}

/// What a derived procedure's name ends with.
fn suffix_of(module: &Module, derived: ProcedureId) -> String {
    let derived = &module.procedures[derived];
    let primal = derived
        .role
        .origin()
        .map(|id| module.procedures[id].name.clone());
    let suffix = primal.and_then(|primal| derived.name.strip_prefix(&primal).map(str::to_owned));
    suffix.unwrap_or_else(|| format!("_{}", derived.name))
}

/// Lets all calls of `callee` in `caller` pass a derivative; says whether there are any.
fn pass(
    module: &mut Module,
    caller: ProcedureId,
    callee: ProcedureId,
    position: usize,
    derivative: ProcedureId,
) -> bool {
    let procedure = &mut module.procedures[caller];
    let mut found = false;
    for stmt in procedure.all_statements() {
        if let Stmt::Call {
            callee: called,
            arguments,
            ..
        } = &mut procedure.stmts[stmt].stmt
            && *called == Callee::Procedure(callee)
        {
            arguments.insert(position, Argument::Procedure(derivative));
            found = true;
        }
    }
    found
}
