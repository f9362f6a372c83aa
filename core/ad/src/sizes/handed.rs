//! Sizes that callers hand on: where the source does not tell how large an argument is, and each call
//! passes another number of elements, derivatives get that number as one more argument.
//!
//! ```text
//! call work(n, w(n + 1))      ─▶  call work_fwd(n, w(n + 1), w_size = 2*n - n)
//! real w(*)                       real w(w_size)
//! ```
//!
//! The elements from `w(i, j)` on are those of `w` less the ones before it. A matrix `a(lda, *)` is told its
//! columns, where it is passed whole columns of as many rows: a part of a column at the end would not be
//! counted. Of memory that COMMON or EQUIVALENCE lays out nothing is said: old code runs over the end of a
//! member on purpose. The user's procedures are called as before.
//!
//! Cost: one walk over all calls for each argument that is found not to be countable.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Allocation, Argument, Builder, Callee, Dim, Expr, ExprId, Extent, Intent, Module,
    Passing, Procedure, ProcedureId, Selector, Stmt, Storage, Type, VarId, Variable,
};

use super::{Call, Site, Size, calls_of, passed_as_arguments};
use crate::analysis::{CallGraph, Effects};
use crate::naming;

/// An argument of a procedure, by its position.
type Formal = (ProcedureId, usize);

/// How many arguments were added at the end of which procedures.
#[derive(Default)]
pub struct Handed {
    added: BTreeMap<ProcedureId, usize>,
}

impl Handed {
    /// Lets derived procedures call the user's procedures, as they were in `primal`, as the source does.
    pub fn restore(&self, primal: &Module, derived: &mut Module) {
        for &id in self.added.keys() {
            derived.procedures[id] = primal.procedures[id].clone();
        }
        let are_told = derived
            .procedures
            .ids()
            .filter(|id| !self.added.contains_key(id));
        for id in are_told.collect::<Vec<_>>() {
            let procedure = &mut derived.procedures[id];
            for stmt in procedure.all_statements() {
                if let Stmt::Call {
                    callee: Callee::Procedure(callee),
                    arguments,
                    ..
                } = &mut procedure.stmts[stmt].stmt
                    && let Some(added) = self.added.get(callee)
                {
                    arguments.truncate(arguments.len() - added);
                }
            }
        }
    }
}

/// The module in which the `wanted` procedures are told the sizes of their arguments, as far as all that
/// call them can. Only arguments at the end of lists are new; all other ids stay valid.
pub fn hand_on(
    module: &Module,
    head: ProcedureId,
    wanted: &BTreeSet<ProcedureId>,
) -> (Module, Handed) {
    if wanted.is_empty() {
        return (module.clone(), Handed::default());
    }
    let effects = &Effects::of(module);
    let graph = CallGraph::of(module, effects);
    let reachable: Vec<ProcedureId> = graph.reachable(head).into_iter().collect();
    let sites = Sites {
        module,
        effects,
        calls: calls_of(module, &reachable),
    };
    let countable = sites.countable(head, &reachable);
    let needed = sites.needed(&countable, wanted);
    let mut told = module.clone();
    let sizes: BTreeMap<Formal, VarId> = needed
        .iter()
        .map(|&formal| (formal, add_size(&mut told.procedures[formal.0], formal.1)))
        .collect();
    let all: Vec<ProcedureId> = module.procedures.ids().collect();
    for call in calls_of(module, &all) {
        for &(callee, position) in needed.iter().filter(|(id, _)| *id == call.callee) {
            let count = match reachable.contains(&call.caller) {
                true => sites.count(&mut told, &call, position, &sizes),
                false => None,
            };
            let caller = &mut told.procedures[call.caller];
            // Nobody calls where nothing is reachable from the head.
            let count = count.unwrap_or_else(|| Builder::new(caller).int(0));
            debug_assert_eq!(callee, call.callee);
            if let Stmt::Call { arguments, .. } = &mut caller.stmts[call.stmt].stmt {
                arguments.push(Argument::Value(count));
            }
        }
    }
    let mut handed = Handed::default();
    for (callee, _) in needed {
        *handed.added.entry(callee).or_default() += 1;
    }
    (told, handed)
}

/// Adds the last extent of an argument to the arguments, and makes the argument that large.
fn add_size(procedure: &mut Procedure, position: usize) -> VarId {
    let array = procedure.arguments[position];
    let name = format!("{}_size", procedure.variables[array].name);
    let name = naming::unique(procedure, &name);
    let mut size = Variable::scalar(name, Type::INT);
    size.passing = match procedure.scalars_by_value {
        true => Passing::Value,
        false => Passing::Reference,
    };
    size.intent = Intent::In;
    size.storage = Storage::Argument {
        index: u32::try_from(procedure.arguments.len())
            .expect("invariant: a list of arguments is short"),
    };
    let size = procedure.variables.add(size);
    procedure.arguments.push(size);
    let count = Builder::new(procedure).load(size);
    if let Some(dim) = procedure.variables[array].shape.last_mut() {
        dim.extent = Extent::Count(count);
    }
    size
}

struct Sites<'a> {
    module: &'a Module,
    effects: &'a Effects,
    /// All that the head reaches.
    calls: Vec<Call>,
}

impl Sites<'_> {
    /// The open arguments whose elements each call can count, if it is told the sizes of its own such
    /// arguments: the greatest set.
    fn countable(&self, head: ProcedureId, reachable: &[ProcedureId]) -> BTreeSet<Formal> {
        let passed_on = passed_as_arguments(self.module, reachable);
        let mut countable: BTreeSet<Formal> = reachable
            .iter()
            .filter(|&&id| id != head && !passed_on.contains(&id))
            .flat_map(|&id| {
                let procedure = &self.module.procedures[id];
                let takes_more = procedure.has_body && procedure.home.host.is_none();
                (0..procedure.arguments.len())
                    .filter(move |&position| takes_more && is_open(procedure, position))
                    .map(move |position| (id, position))
            })
            .collect();
        loop {
            let is_counted = |&(callee, position): &Formal| {
                let mut calls = self.calls.iter().filter(|call| call.callee == callee);
                calls.all(|call| self.is_countable(call, position, &countable))
            };
            let counted: BTreeSet<Formal> = countable.iter().copied().filter(is_counted).collect();
            if counted == countable {
                return counted;
            }
            countable = counted;
        }
    }

    /// The countable arguments of the wanted procedures, and those of their callers that these are
    /// counted by.
    fn needed(
        &self,
        countable: &BTreeSet<Formal>,
        wanted: &BTreeSet<ProcedureId>,
    ) -> BTreeSet<Formal> {
        let wanted = countable.iter().filter(|(id, _)| wanted.contains(id));
        let mut pending: Vec<Formal> = wanted.copied().collect();
        let mut needed = BTreeSet::new();
        while let Some((callee, position)) = pending.pop() {
            if !needed.insert((callee, position)) {
                continue;
            }
            for call in self.calls.iter().filter(|call| call.callee == callee) {
                let own = self
                    .place(call, position)
                    .and_then(|place| position_of(self.caller(call), place.var));
                pending.extend(
                    own.map(|own| (call.caller, own))
                        .filter(|own| countable.contains(own)),
                );
            }
        }
        needed
    }

    fn caller(&self, call: &Call) -> &Procedure {
        &self.module.procedures[call.caller]
    }

    fn place(&self, call: &Call, position: usize) -> Option<&Access> {
        match self.caller(call).stmt(call.stmt) {
            Stmt::Call { arguments, .. } => match arguments.get(position)? {
                Argument::Place(place) => Some(place),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_countable(&self, call: &Call, position: usize, countable: &BTreeSet<Formal>) -> bool {
        let caller = self.caller(call);
        let Some(place) = self.place(call, position) else {
            return false;
        };
        let variable = &caller.variables[place.var];
        let is_laid_out = matches!(
            variable.storage,
            Storage::Common { .. } | Storage::Overlay { .. } | Storage::Constant { .. }
        ) || caller.variables.iter().any(
            |(_, other)| matches!(other.storage, Storage::Overlay { base, .. } if base == place.var),
        );
        if !variable.is_array() || variable.allocation != Allocation::Fixed || is_laid_out {
            return false;
        }
        let is_element = match place.path.as_slice() {
            [] => true,
            [Selector::Index(subscripts)] => {
                subscripts.len() == variable.rank()
                    && subscripts.iter().all(|&e| caller.exprs[e].ty.is_integer())
            }
            _ => false,
        };
        let formal = &self.module.procedures[call.callee];
        let formal = &formal.variables[formal.arguments[position]];
        let is_seen_as_it_is = formal.ty == variable.ty && formal.ty != Type::Character;
        if !is_seen_as_it_is || formal.rank() > 1 && !self.passes_columns(call, place, formal) {
            return false;
        }
        let last = variable.rank() - 1;
        let own = position_of(caller, place.var).map(|own| (call.caller, own));
        is_element
            && variable.shape.iter().enumerate().all(|(at, dim)| {
                let is_counted = match dim.extent {
                    Extent::Count(count) => self.stays(call.caller, count),
                    Extent::AssumedSize | Extent::Unknown => {
                        at == last && own.is_some_and(|own| countable.contains(&own))
                    }
                    _ => false,
                };
                is_counted && self.stays(call.caller, dim.lower)
            })
    }

    /// Whether an array of several dimensions gets whole columns of one that has the same others.
    fn passes_columns(&self, call: &Call, place: &Access, formal: &Variable) -> bool {
        let (caller, callee) = (self.caller(call), &self.module.procedures[call.callee]);
        let variable = &caller.variables[place.var];
        let Stmt::Call { arguments, .. } = caller.stmt(call.stmt) else {
            return false;
        };
        let site = Site {
            module: self.module,
            effects: self.effects,
            call,
            arguments,
        };
        let is_same = |passed: &Dim, taken: &Dim| {
            let (Extent::Count(passed), Extent::Count(taken)) = (passed.extent, taken.extent)
            else {
                return false;
            };
            let taken = self.own_size(call.callee, taken).map(|size| match size {
                Size::Argument(at) => match arguments.get(at) {
                    Some(Argument::Value(e)) => caller
                        .constant_integer(*e)
                        .map_or(size, |value| Size::Number(i128::from(value))),
                    _ => size,
                },
                size => size,
            });
            taken.is_some() && site.size(passed, None) == taken
        };
        let starts_a_column = |subscripts: &[ExprId]| {
            let others = subscripts
                .iter()
                .zip(&variable.shape)
                .take(variable.rank() - 1);
            others.into_iter().all(|(&first, dim)| {
                let first = caller.constant_integer(first);
                first.is_some() && first == caller.constant_integer(dim.lower)
            })
        };
        let others = variable.rank() - 1;
        callee.has_body
            && formal.rank() == variable.rank()
            && variable.shape[..others]
                .iter()
                .zip(&formal.shape)
                .all(|(passed, taken)| is_same(passed, taken))
            && match place.path.as_slice() {
                [Selector::Index(subscripts)] => starts_a_column(subscripts),
                _ => true,
            }
    }

    /// An extent that a procedure declares by a number or by an argument that it does not change.
    fn own_size(&self, id: ProcedureId, e: ExprId) -> Option<Size> {
        let procedure = &self.module.procedures[id];
        if let Some(value) = procedure.constant_integer(e) {
            return Some(Size::Number(i128::from(value)));
        }
        match procedure.expr(e) {
            Expr::Convert(inner) => self.own_size(id, *inner),
            Expr::Load(access) if access.path.is_empty() && self.stays(id, e) => {
                position_of(procedure, access.var).map(Size::Argument)
            }
            _ => None,
        }
    }

    /// Whether an expression of a declaration has the same value wherever the procedure is.
    fn stays(&self, id: ProcedureId, e: ExprId) -> bool {
        let procedure = &self.module.procedures[id];
        procedure.reads_of_expr(e).iter().all(|read| {
            let is_written = |&stmt: &_| {
                let effects = self.effects.stmt(self.module, id, stmt);
                effects.writes.iter().any(|write| write.var == read.var)
            };
            let is_own = matches!(
                procedure.variables[read.var].storage,
                Storage::Argument { .. } | Storage::Constant { .. }
            );
            is_own && read.path.is_empty() && !procedure.all_statements().iter().any(is_written)
        })
    }

    /// The last extent of what a call passes, as an expression in its caller: of a vector its elements.
    fn count(
        &self,
        told: &mut Module,
        call: &Call,
        position: usize,
        sizes: &BTreeMap<Formal, VarId>,
    ) -> Option<ExprId> {
        let place = self.place(call, position)?;
        let own = position_of(self.caller(call), place.var).map(|own| (call.caller, own));
        let own = own.and_then(|own| sizes.get(&own)).copied();
        let formal = self.module.procedures[call.callee].arguments[position];
        let is_vector = self.module.procedures[call.callee].variables[formal].rank() == 1;
        let shape = self.caller(call).variables[place.var].shape.clone();
        let mut b = Builder::new(&mut told.procedures[call.caller]);
        let mut before = b.int(0);
        let mut all = b.int(1);
        // Along the last dimension only, if that is what is asked for.
        let from = if is_vector { 0 } else { shape.len() - 1 };
        for (at, dim) in shape.iter().enumerate().skip(from) {
            if let [Selector::Index(subscripts)] = place.path.as_slice() {
                let [subscript, lower] =
                    [subscripts[at], dim.lower].map(|e| b.convert(e, Type::INT));
                let from_first = b.sub(subscript, lower);
                let skipped = b.mul(from_first, all);
                before = b.add(before, skipped);
            }
            let count = match dim.extent {
                Extent::Count(count) => b.convert(count, Type::INT),
                _ => b.load(own?),
            };
            all = b.mul(all, count);
        }
        Some(b.sub(all, before))
    }
}

/// The argument that a variable is.
fn position_of(procedure: &Procedure, var: VarId) -> Option<usize> {
    procedure.arguments.iter().position(|&formal| formal == var)
}

/// Whether an argument is an array whose last extent the source does not tell.
fn is_open(procedure: &Procedure, position: usize) -> bool {
    let variable = &procedure.variables[procedure.arguments[position]];
    let Some((last, others)) = variable.shape.split_last() else {
        return false;
    };
    // A pointer of C, as far as it is one to numbers.
    let is_pointer = procedure.scalars_by_value
        && others.is_empty()
        && variable.ty.is_numeric()
        && last.extent == Extent::Unknown;
    (is_pointer || last.extent == Extent::AssumedSize)
        && others
            .iter()
            .all(|dim| matches!(dim.extent, Extent::Count(_)))
        && variable.allocation == Allocation::Fixed
        && !variable.optional
}
