//! What cannot be reversed yet, said with its place before anything is built.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Aliasing, Argument, Callee, Diagnostic, Extent, Module, Procedure, ProcedureId,
    Selector, Span, Stmt, StmtId, Storage, Type, VarId, place_of,
};

use super::memory::Memory;
use super::{Boundary, Order, calls};
use crate::allocation::holds_pointers;
use crate::analysis::activity::type_carries;
use crate::analysis::memory::leads_away;
use crate::analysis::{Dependence, Meeting, Shared, Touch, Tree};

/// Constructs that have no reversal yet, where they matter.
pub fn refusals(order: &Order<'_>, primal: &Procedure) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let refuse = |span: Span, what: &str, help: &str| {
        Diagnostic::error(
            "not-reversible",
            format!("cannot reverse {what} in `{}`", primal.name),
        )
        .at(span, "here")
        .with_help(help.to_owned())
    };
    let is_active = |access: &Access| order.specialisation.active.contains(&access.var);
    let carries = |access: &Access| {
        let place = place_of(order.module, primal, access);
        place.map_or(true, |place| type_carries(order.module, place.ty))
    };
    let tree = Tree::of(primal);
    let dependence = Dependence::of(order.module, order.id, order.effects, &tree);
    let memory = Memory::of_order(order, primal, &tree, &dependence);
    for stmt in primal.all_statements() {
        let span = primal.stmts[stmt].span;
        match primal.stmt(stmt) {
            Stmt::PointerAssign { target, value, .. }
                if !memory.is_association(stmt)
                    && carries(target)
                    && (is_active(target) || value.as_ref().is_some_and(is_active)) =>
            {
                problems.push(refuse(
                    span,
                    if primal.variables[target.var].storage == Storage::Local {
                        "a pointer assignment to an active target"
                    } else {
                        "a pointer assignment to an active target of a pointer that outlives the call"
                    },
                    "use the array that the pointer points to, or pass it as an argument",
                ));
            }
            Stmt::PointerAssign { target, .. }
                if memory.is_association(stmt)
                    && moves_itself(target)
                    && leads_away(order.module, primal, target) =>
            {
                problems.push(refuse(
                    span,
                    "a pointer assignment that may change the way to its own target",
                    "let a local pointer point to the record first",
                ));
            }
            Stmt::PointerAssign {
                value: Some(value), ..
            } if memory.is_mirrored(value.var) || memory.is_record(value.var) => {
                problems.push(refuse(
                    span,
                    &format!(
                        "a pointer to `{}`, whose memory changes,",
                        primal.variables[value.var].name
                    ),
                    "allocate the target once, or through the pointer",
                ));
            }
            Stmt::PointerAssign {
                target,
                value: Some(value),
                ..
            } if is_active(target) && !is_active(value) && carries(target) => {
                problems.push(refuse(
                    span,
                    &format!(
                        "an active pointer that is made to point to `{}`, which has no derivative,",
                        primal.variables[value.var].name
                    ),
                    "use another pointer for what is passive",
                ));
            }
            Stmt::Assign { target, value }
                if is_active(target) && holds_pointers(order.module, primal.exprs[*value].ty) =>
            {
                problems.push(refuse(
                    span,
                    "a copy of a record with pointer components",
                    "copy it component by component",
                ));
            }
            Stmt::Allocate { target, .. } | Stmt::Free { target }
                if memory.is_beyond(primal, &tree, stmt) =>
            {
                problems.push(refuse(
                    span,
                    &format!(
                        "memory of `{}` that is allocated more than once or under a condition, or that outlives the call,",
                        primal.variables[target.var].name
                    ),
                    "allocate it once, or declare it with its size",
                ));
            }
            Stmt::Copy { target, .. } if is_active(target) => problems.push(refuse(
                span,
                "a copy of active memory",
                "write the copy as a loop over elements",
            )),
            Stmt::Fill { target, value } if is_active(target) => {
                let reads_active = primal
                    .reads_of_expr(*value)
                    .iter()
                    .any(|read| is_active(read));
                if reads_active {
                    problems.push(refuse(
                        span,
                        "a fill with an active value",
                        "write the fill as a loop over elements",
                    ));
                }
            }
            Stmt::Call {
                callee: Callee::Procedure(callee),
                arguments,
                ..
            } if order.callees.contains_key(&stmt) => {
                if let Some(var) =
                    shared_by_arguments(order, primal, &dependence, stmt, *callee, arguments)
                {
                    problems.push(refuse(
                        span,
                        &format!(
                            "a call that reaches `{}` in two ways",
                            primal.variables[var].name
                        ),
                        match primal.variables[var].shape.last().map(|dim| dim.extent) {
                            Some(Extent::AssumedSize | Extent::Unknown) => {
                                "say with `--extent` how large it is, or pass a copy for one of them"
                            }
                            _ => "pass a copy for one of them",
                        },
                    ));
                }
            }
            Stmt::Opaque {
                reads,
                writes,
                kind,
                ..
            } => {
                if let Some(access) = writes.iter().find(|access| is_active(access)) {
                    let name = &primal.variables[access.var].name;
                    problems.push(
                        Diagnostic::error(
                            "opaque-active",
                            format!("this {kind} statement may change `{name}`, which is active"),
                        )
                        .at(span, "not understood well enough to be differentiated")
                        .with_help(format!(
                            "move the statement out of the differentiated part, or keep `{name}` out of it"
                        )),
                    );
                }
                let _ = reads;
            }
            _ => {}
        }
    }
    for (stmt, what, help) in memory_problems(order, primal, &memory) {
        problems.push(refuse(primal.stmts[stmt].span, &what, help));
    }
    let mut told = std::collections::BTreeSet::new();
    for (stmt, shared) in hidden_state(order, primal, &tree) {
        if !told.insert((stmt, shared_name(order, shared))) {
            continue;
        }
        problems.push(refuse(
            primal.stmts[stmt].span,
            &format!(
                "a call that uses {}, which a later call changes and which `{}` cannot name,",
                shared_name(order, shared),
                primal.name
            ),
            "use the variable in this procedure, or pass it as an argument",
        ));
    }
    for (var, variable) in primal.variables.iter() {
        let written = matches!(variable.storage, contraflow_ir::Storage::Saved)
            && primal.all_statements().iter().any(|&stmt| {
                order
                    .effects
                    .stmt(order.module, order.id, stmt)
                    .writes
                    .iter()
                    .any(|write| write.var == var)
            });
        if written {
            problems.push(refuse(
                variable.span,
                &format!(
                    "the saved variable `{}`, whose value outlives the call,",
                    variable.name
                ),
                "make it an argument or a module variable",
            ));
        }
    }
    problems
}

/// An active variable that a callee reaches through two arguments, or through an argument and by
/// itself, only to read it: its shadow would be written in two ways, and no second one of the same
/// shape can be declared for it. (Where the callee writes one of them, the language has it that they
/// do not overlap.)
fn shared_by_arguments(
    order: &Order<'_>,
    primal: &Procedure,
    dependence: &Dependence<'_>,
    stmt: StmtId,
    callee: ProcedureId,
    arguments: &[Argument],
) -> Option<VarId> {
    let target = &order.module.procedures[callee];
    let is_exclusive = |position: usize| {
        target
            .arguments
            .get(position)
            .is_some_and(|&formal| target.variables[formal].aliasing == Aliasing::None)
    };
    let rank = |position: usize| target.variables[target.arguments[position]].rank();
    let places: Vec<(usize, &Access)> = arguments
        .iter()
        .enumerate()
        .filter_map(|(position, argument)| match argument {
            Argument::Place(place) if is_exclusive(position) => Some((position, place)),
            _ => None,
        })
        .filter(|(_, place)| order.specialisation.active.contains(&place.var))
        .collect();
    for (n, &(p, a)) in places.iter().enumerate() {
        let is_copied = !order.effects.argument(callee, p).write
            && (rank(p) == 0 || calls::can_copy_shape(primal, a, Meeting::Anywhere));
        if is_reached(order, callee, a.var) && !is_copied {
            return Some(a.var);
        }
        for &(q, b) in &places[..n] {
            let reads_only = !order.effects.argument(callee, p).write
                && !order.effects.argument(callee, q).write;
            if !reads_only || rank(p) == 0 || rank(q) == 0 {
                continue;
            }
            let ends = |position, place| {
                calls::ends_in_column(dependence, primal, (target, position), arguments, place)
            };
            let column = ends(p, a) && ends(q, b);
            let meeting = dependence.meeting(stmt, a, b, column);
            let meeting = calls::of_rank(meeting, primal, a, rank(p).max(rank(q)));
            if meeting != Meeting::Nowhere && !calls::can_copy_shape(primal, a, meeting) {
                return Some(a.var);
            }
        }
    }
    None
}

/// Whether a callee reaches a variable of the caller without its being an argument.
pub fn is_reached(order: &Order<'_>, callee: ProcedureId, var: VarId) -> bool {
    order.effects.shared(order.id, var).is_some_and(|shared| {
        order
            .effects
            .callee_globals(callee)
            .any(|(other, _)| other.overlaps(shared))
    })
}

/// Shared memory, without a name in the procedure, that a reversed call reads before it writes it and
/// that the same or a later call changes: nothing could put it back for the reversal. With the call that reads it.
fn hidden_state(order: &Order<'_>, primal: &Procedure, tree: &Tree) -> Vec<(StmtId, Shared)> {
    let touched: Vec<(StmtId, Shared, Touch)> = primal
        .all_statements()
        .into_iter()
        .flat_map(|stmt| {
            hidden_in(order, primal, stmt)
                .into_iter()
                .map(move |(shared, touch)| (stmt, shared, touch))
        })
        .collect();
    let mut found = Vec::new();
    for &(reader, shared, _) in &touched {
        let is_read = callees(order, primal, reader)
            .into_iter()
            .any(|callee| order.entry.exposes(callee, shared));
        let is_reversed = order.callees.contains_key(&reader);
        let is_spoilt = touched.iter().any(|&(writer, other, touch)| {
            touch.write && other.overlaps(shared) && may_follow(tree, reader, writer)
        });
        if is_reversed && is_read && is_spoilt {
            found.push((reader, shared));
        }
    }
    found
}

/// Calls whose adjoint would run the callee again, though what it reads or draws is then another.
pub fn repeated_input(
    order: &Order<'_>,
    primal: &Procedure,
    split: &BTreeSet<StmtId>,
) -> Vec<Diagnostic> {
    let again = order.callees.keys().filter(|stmt| !split.contains(stmt));
    again
        .filter_map(|&stmt| match primal.stmt(stmt) {
            Stmt::Call {
                callee: Callee::Procedure(callee),
                ..
            } if order.unrepeatable.contains(callee) => {
                let name = &order.module.procedures[*callee].name;
                let what = format!(
                    "cannot reverse a call of `{name}`, which reads from a file or draws random \
                     numbers: the adjoint would run it a second time"
                );
                Some(
                    Diagnostic::error("not-reversible", what)
                        .at(primal.stmts[stmt].span, "called here")
                        .with_help(format!(
                            "read or draw in a procedure of its own, and pass the values to `{name}`"
                        )),
                )
            }
            _ => None,
        })
        .collect()
}

/// Changes of memory that cannot be undone: of what the head's caller owns shadows of, by a call of
/// what is no plain allocatable, and of what the caller of a reversed procedure cannot name.
fn memory_problems(
    order: &Order<'_>,
    primal: &Procedure,
    memory: &Memory,
) -> Vec<(StmtId, String, &'static str)> {
    let mut found = Vec::new();
    let is_named = |var: VarId| match &order.boundary {
        Boundary::Head {
            independents,
            dependents,
        } => {
            independents.contains(&var)
                || dependents.contains(&var)
                || primal.variables[var].is_argument()
        }
        Boundary::Callee => false,
    };
    for stmt in primal.all_statements() {
        let effects = order.effects.stmt(order.module, order.id, stmt);
        for place in &effects.reshapes {
            let name = &primal.variables[place.var].name;
            if (memory.is_mirrored(place.var) || memory.is_record(place.var)) && is_named(place.var)
            {
                found.push((
                    stmt,
                    format!("new memory of `{name}`, whose shadow the caller has,"),
                    "allocate it before the call, or differentiate a procedure that works on a copy",
                ));
            } else if matches!(primal.stmt(stmt), Stmt::Call { .. })
                && !memory.is_mirrored(place.var)
                && !memory.is_record(place.var)
                && order.specialisation.active.contains(&place.var)
            {
                found.push((
                    stmt,
                    format!("a call that may change the memory of `{name}`"),
                    "pass an allocatable array, or allocate before the call",
                ));
            }
        }
        if !order.callees.contains_key(&stmt) {
            continue;
        }
        for (shared, touch) in hidden_in(order, primal, stmt) {
            if touch.reshape {
                found.push((
                    stmt,
                    format!(
                        "a call that may change the memory of {}, which `{}` cannot name,",
                        shared_name(order, shared),
                        primal.name
                    ),
                    "use the module in this procedure and name the variable there",
                ));
            }
        }
    }
    found
}

/// Uses of what pointers point to, where that changes and cannot be brought back.
pub fn lost_pointers(
    primal: &Procedure,
    tree: &Tree,
    memory: &Memory,
    prepared: &super::Prepared,
) -> Vec<Diagnostic> {
    let mut lost: Vec<VarId> = Vec::new();
    for used in prepared.uses.values().flatten() {
        let var = used.access.var;
        if primal.variables.get(var).is_some()
            && memory.is_lost(primal, tree, var)
            && !lost.contains(&var)
        {
            lost.push(var);
        }
    }
    lost.into_iter()
        .map(|var| {
            let variable = &primal.variables[var];
            Diagnostic::error(
                "not-reversible",
                format!(
                    "cannot reverse `{}`: what the pointer `{}` points to changes where it cannot be undone",
                    primal.name, variable.name
                ),
            )
            .at(variable.span, "declared here")
            .with_help("associate it once, or use a local pointer")
        })
        .collect()
}

/// Uses of records whose pointers to functions change on the way: these are not brought back.
pub fn lost_functions(
    module: &Module,
    primal: &Procedure,
    tree: &Tree,
    prepared: &super::Prepared,
) -> Vec<Diagnostic> {
    let mut moved: Vec<(&Access, Vec<StmtId>)> = Vec::new();
    for stmt in primal.all_statements() {
        if let Stmt::PointerAssign { target, .. } = primal.stmt(stmt)
            && place_of(module, primal, target).is_ok_and(|place| place.ty == Type::Procedure)
        {
            match moved.iter_mut().find(|(known, _)| *known == target) {
                Some((_, stmts)) => stmts.push(stmt),
                None => moved.push((target, vec![stmt])),
            }
        }
    }
    let is_repeated = |&stmt: &StmtId| {
        let mut owners = tree.owners(stmt).into_iter();
        owners.any(|owner| matches!(primal.stmt(owner), Stmt::Loop { .. } | Stmt::While { .. }))
    };
    let value_of = |stmt: StmtId| match primal.stmt(stmt) {
        Stmt::PointerAssign { value, .. } => value.as_ref(),
        _ => None,
    };
    moved.retain(|(_, stmts)| {
        let first = value_of(stmts[0]);
        let is_constant = first.is_some_and(|value| primal.variables[value.var].is_constant())
            && stmts.iter().all(|&stmt| value_of(stmt) == first);
        !is_constant && (stmts.len() > 1 || stmts.iter().any(is_repeated))
    });
    let is_used = |target: &Access| {
        let mut uses = prepared.uses.values().flatten();
        uses.any(|used| used.access.var == target.var && target.path.starts_with(&used.access.path))
    };
    moved
        .into_iter()
        .filter(|(target, _)| is_used(target))
        .map(|(target, stmts)| {
            let name = &primal.variables[target.var].name;
            let message = format!(
                "cannot reverse `{}`: the function that `{name}` points to changes, and its former one is needed",
                primal.name
            );
            let last = stmts[stmts.len() - 1];
            Diagnostic::error("not-reversible", message)
                .at(primal.stmts[last].span, "changed here")
                .with_help("use a record of its own for each function")
        })
        .collect()
}

/// Whether the last component of a path stands in it before (`p%next%next`): in a ring both may be
/// the same pointer.
fn moves_itself(target: &Access) -> bool {
    match target.path.split_last() {
        Some((last @ Selector::Field(_), before)) => before.contains(last),
        _ => false,
    }
}

fn callees(order: &Order<'_>, primal: &Procedure, stmt: StmtId) -> Vec<ProcedureId> {
    match primal.stmt(stmt) {
        Stmt::Call { callee, .. } => order.effects.targets(callee),
        _ => Vec::new(),
    }
}

/// The shared memory that a call touches and the caller has no name for.
pub fn hidden_in(order: &Order<'_>, primal: &Procedure, stmt: StmtId) -> Vec<(Shared, Touch)> {
    callees(order, primal, stmt)
        .into_iter()
        .flat_map(|target| order.effects.callee_globals(target))
        .filter(|&(shared, _)| !order.effects.is_named(order.id, shared))
        .collect()
}

/// Whether `second` may run at or after `first`: it stands no earlier in the text, or both are in one
/// loop.
fn may_follow(tree: &Tree, first: StmtId, second: StmtId) -> bool {
    let share_a_loop = tree
        .loops(first)
        .iter()
        .any(|l| tree.loops(second).contains(l));
    let place = |stmt: StmtId| -> Vec<(u32, u32)> {
        tree.path(stmt)
            .into_iter()
            .map(|step| (step.arm, step.index))
            .collect()
    };
    share_a_loop || place(second) >= place(first)
}

fn shared_name(order: &Order<'_>, shared: Shared) -> String {
    match shared {
        Shared::Global(global) => format!("`{}`", order.module.globals[global].name),
        Shared::Common { block, .. } => {
            format!("the COMMON block /{}/", order.module.commons[block].name)
        }
        Shared::Saved(procedure, var) => format!(
            "the saved variable `{}`",
            order.module.procedures[procedure].variables[var].name
        ),
    }
}
