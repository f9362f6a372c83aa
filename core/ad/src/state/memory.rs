//! The user's own memory, COMMON and module variables, where each call is to be a first one.
//!
//! What a call of the head may both find of earlier calls and write is set to its initial values
//! before anything else. Other memory is left alone: the user may have set it. The values stand in
//! the procedure that declares them, so a procedure made from that one sets them.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Allocation, Builder, Callee, CommonId, Diagnostic, ExprId, Extent, Global, GlobalId,
    GlobalKind, Home, Module, Procedure, ProcedureId, ProcedureRole, Span, Stmt, StmtId, Storage,
    Type, VarId, Variable,
};

use super::State;
use super::constant::{integer, without_names};
use super::separate::self_contained;
use super::start::{copied, copy_all, name_of, nothing};
use crate::analysis::entry::{Ranges, all_of};
use crate::analysis::{Effects, Entry, Shared};
use crate::expose::Member;
use crate::naming;
use crate::request::{Request, Saved};

/// Elements up to this number are set one by one.
const FEW: usize = 64;

/// The user's memory that a head finds as earlier calls left it, and changes: which bytes.
pub type Found = BTreeMap<Shared, Ranges>;

/// The memory that is to be set to its initial values.
pub fn found(module: &Module, effects: &Effects, request: &Request) -> Found {
    let mut found = Found::new();
    if request.memory != Saved::Fresh {
        return found;
    }
    let entry = Entry::of(module, effects, request.head);
    let named = |var: &VarId| effects.shared(request.head, *var);
    let inputs: Vec<Shared> = request.independents.iter().filter_map(named).collect();
    for (shared, touch) in effects.callee_globals(request.head) {
        if !touch.write || !is_users(module, shared) || is_kept(module, request, shared) {
            continue;
        }
        let mut bytes = entry.kept(request.head, shared);
        for input in inputs.iter().filter(|input| input.overlaps(shared)) {
            bytes = bytes.minus(&all_of(*input));
        }
        if !bytes.is_empty() {
            found.insert(shared, bytes);
        }
    }
    found
}

/// Whether memory is the user's: not a saved local's.
pub fn is_users(module: &Module, shared: Shared) -> bool {
    match shared {
        Shared::Common { .. } => true,
        Shared::Global(global) => {
            let global = &module.globals[global];
            global.declared_by.is_none() && global.kind != GlobalKind::Constant
        }
        Shared::Saved(..) => false,
    }
}

/// Whether the user named the memory as one that is taken as it is.
pub fn is_kept(module: &Module, request: &Request, shared: Shared) -> bool {
    let is = |name: &str| {
        request
            .kept
            .iter()
            .any(|kept| kept.eq_ignore_ascii_case(name))
    };
    match shared {
        Shared::Global(global) => is(&module.globals[global].name),
        Shared::Common { block, start, end } => {
            let is_member = |variable: &Variable| {
                matches!(variable.storage, Storage::Common { block: of, offset }
                    if of == block && i64::try_from(offset).is_ok_and(|at| at >= start && at < end))
            };
            let mut variables = module
                .procedures
                .iter()
                .flat_map(|(_, procedure)| procedure.variables.iter());
            is(&module.commons[block].name)
                || variables.any(|(_, variable)| is_member(variable) && is(&variable.name))
        }
        Shared::Saved(procedure, var) => is(&module.procedures[procedure].variables[var].name),
    }
}

/// Lets the head set memory to its initial values before it does anything else.
///
/// # Errors
/// `saved-state`: memory whose initial values are not known or cannot be set.
pub fn begin_anew(
    module: &mut Module,
    state: &mut State,
    effects: &Effects,
    found: &Found,
    request: &Request,
    container: &mut dyn FnMut(&mut Module) -> contraflow_ir::ContainerId,
) -> Result<(), Vec<Diagnostic>> {
    let mut plan = Plan::default();
    let mut problems = Vec::new();
    for (&shared, bytes) in found {
        let planned = match shared {
            Shared::Common { block, .. } => {
                plan.common(module, effects, request.head, block, bytes)
            }
            Shared::Global(global) => plan.global(module, global, bytes),
            Shared::Saved(..) => Ok(()),
        };
        problems.extend(planned.err());
    }
    let mut calls = Vec::new();
    for (owner, targets) in &plan.targets {
        let mut maker = Maker {
            module: &mut *module,
            state: &mut *state,
            container: &mut *container,
            owner: *owner,
        };
        match maker.procedure(targets, &request.suffix) {
            Ok(id) => {
                state.starts.push(id);
                let call = Stmt::Call {
                    callee: Callee::Procedure(id),
                    arguments: Vec::new(),
                    result: None,
                };
                let head = &mut module.procedures[request.head];
                calls.push(Builder::new(head).stmt(call));
            }
            Err(problem) => problems.push(problem),
        }
    }
    module.procedures[request.head].body.splice(0..0, calls);
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems),
    }
}

fn refuse(name: &str, span: Span, why: &str) -> Diagnostic {
    Diagnostic::error(
        "saved-state",
        format!("`{name}` is to have its initial value at each call, and {why}"),
    )
    .at(span, "declared here")
    .with_help(format!(
        "set it before each call and say `--kept {name}`, or name it among the inputs"
    ))
}

/// Which procedure knows which variables' values, and their bytes that are set.
#[derive(Default)]
struct Plan {
    targets: BTreeMap<ProcedureId, Vec<(VarId, Ranges)>>,
}

impl Plan {
    fn common(
        &mut self,
        module: &Module,
        effects: &Effects,
        head: ProcedureId,
        block: CommonId,
        bytes: &Ranges,
    ) -> Result<(), Diagnostic> {
        let mut left = bytes.clone();
        for (id, procedure) in module.procedures.iter() {
            for (var, variable) in procedure.variables.iter() {
                let is_overlay = matches!(variable.storage, Storage::Overlay { .. });
                let shared = effects.shared(id, var).filter(|_| is_overlay);
                let meets = |shared: Shared| {
                    matches!(shared, Shared::Common { block: of, .. } if of == block)
                        && !all_of(shared).and(bytes).is_empty()
                };
                if has_values(variable) && shared.is_some_and(meets) {
                    let why = "its initial value is that of a variable of an EQUIVALENCE";
                    return Err(refuse(&variable.name, variable.span, why));
                }
            }
        }
        let all = || std::iter::once(head).chain(module.procedures.ids());
        for with_values in [true, false] {
            for id in all() {
                for (var, variable) in module.procedures[id].variables.iter() {
                    let of_block = matches!(variable.storage,
                        Storage::Common { block: of, .. } if of == block);
                    if !of_block || has_values(variable) != with_values || left.is_empty() {
                        continue;
                    }
                    if let Some(shared @ Shared::Common { start, end, .. }) =
                        effects.shared(id, var)
                        && end < i64::MAX
                    {
                        let mine = left.and(&all_of(shared));
                        left = left.minus(&mine);
                        if !mine.is_empty() {
                            let relative = mine.moved(-start, 0, end - start);
                            self.targets.entry(id).or_default().push((var, relative));
                        }
                    }
                }
            }
        }
        match left.is_empty() {
            true => Ok(()),
            false => Err(refuse(
                &module.commons[block].name,
                Span::NONE,
                "no procedure declares all of the COMMON block",
            )),
        }
    }

    fn global(
        &mut self,
        module: &Module,
        global: GlobalId,
        bytes: &Ranges,
    ) -> Result<(), Diagnostic> {
        let declared = &module.globals[global];
        let mut namers: Vec<(ProcedureId, VarId)> = Vec::new();
        for (id, procedure) in module.procedures.iter() {
            let found = procedure
                .variables
                .iter()
                .find(|(_, variable)| variable.storage == Storage::Global(global));
            namers.extend(found.map(|(var, _)| (id, var)));
        }
        let best = namers.into_iter().max_by_key(|&(id, var)| {
            let procedure = &module.procedures[id];
            (
                has_values(&procedure.variables[var]),
                procedure.home.container == declared.container,
                procedure.home.host.is_none(),
            )
        });
        let is_known = declared.kind != GlobalKind::External
            || best.is_some_and(|(id, var)| has_values(&module.procedures[id].variables[var]));
        if !is_known {
            return Err(refuse(
                &declared.name,
                declared.span,
                "its initial value is not seen",
            ));
        }
        match best {
            Some((id, var)) if declared.allocation == Allocation::Fixed => {
                self.targets
                    .entry(id)
                    .or_default()
                    .push((var, bytes.clone()));
                Ok(())
            }
            _ => Err(refuse(
                &declared.name,
                declared.span,
                "its memory is allocated",
            )),
        }
    }
}

fn has_values(variable: &Variable) -> bool {
    variable.initial.is_some() || !variable.values.is_empty()
}

/// Makes the procedure that sets variables which another one declares.
struct Maker<'m> {
    module: &'m mut Module,
    state: &'m mut State,
    container: &'m mut dyn FnMut(&mut Module) -> contraflow_ir::ContainerId,
    owner: ProcedureId,
}

impl Maker<'_> {
    fn procedure(
        &mut self,
        targets: &[(VarId, Ranges)],
        suffix: &str,
    ) -> Result<ProcedureId, Diagnostic> {
        let owner = &self.module.procedures[self.owner];
        let base = naming::base(self.module, self.owner);
        let base = identifier(base.strip_suffix("%values").unwrap_or(&base));
        let base = &base;
        let name = naming::procedure_name(self.module, base, &format!("_start{suffix}"));
        let mut procedure = Procedure::new(name);
        procedure.home = Home {
            host: None,
            ..owner.home.clone()
        };
        procedure.role = ProcedureRole::Start { of: self.owner };
        procedure.scalars_by_value = owner.scalars_by_value;
        let id = self.module.procedures.add(procedure);
        let names = self.declare(id, targets)?;
        for (var, bytes) in targets {
            let Some(&target) = names.get(var) else {
                continue;
            };
            let statements = self.set(id, *var, target, bytes)?;
            self.module.procedures[id].body.extend(statements);
        }
        Ok(id)
    }

    /// Names for what is set, with all of its COMMON block.
    fn declare(
        &mut self,
        id: ProcedureId,
        targets: &[(VarId, Ranges)],
    ) -> Result<BTreeMap<VarId, VarId>, Diagnostic> {
        let owner = self.module.procedures[self.owner].clone();
        let block_of = |variable: &Variable| match variable.storage {
            Storage::Common { block, .. } => Some(block),
            _ => None,
        };
        let is_wanted = |var: VarId, variable: &Variable| {
            targets.iter().any(|(target, _)| {
                let block = block_of(&owner.variables[*target]);
                *target == var || block.is_some() && block_of(variable) == block
            })
        };
        let mut names = BTreeMap::new();
        for (var, variable) in owner.variables.iter() {
            if !is_wanted(var, variable) {
                continue;
            }
            let member = Member::of(&owner, variable).ok_or_else(|| {
                refuse(&variable.name, variable.span, "its shape is not constant")
            })?;
            let added = member.add_to(&mut self.module.procedures[id]);
            let copy = &mut self.module.procedures[id].variables[added];
            copy.imported = variable.imported;
            copy.spelling.clone_from(&variable.spelling);
            names.insert(var, added);
        }
        Ok(names)
    }

    fn set(
        &mut self,
        id: ProcedureId,
        var: VarId,
        target: VarId,
        bytes: &Ranges,
    ) -> Result<Vec<StmtId>, Diagnostic> {
        let mut owner = self.module.procedures[self.owner].clone();
        let variable = owner.variables[var].clone();
        let refused = |why: &str| refuse(&variable.name, variable.span, why);
        if matches!(
            variable.ty,
            Type::Record(_) | Type::Unknown | Type::Pointer(_) | Type::Address
        ) {
            return Err(refused("it is not a number"));
        }
        let value = match (variable.initial, variable.values.as_slice()) {
            (Some(value), _) => Some(value),
            (None, []) => None,
            (None, &[(count, value)]) if elements(&owner, &variable) == Some(count) => Some(value),
            (None, _) => return self.set_listed(id, var, target, bytes),
        };
        let value = match value {
            Some(value) => {
                let plain = without_names(&mut owner, value)
                    .ok_or_else(|| refused("its initial value is not known"))?;
                copied(&owner, plain, &mut self.module.procedures[id])
            }
            None => nothing(&mut self.module.procedures[id], variable.ty),
        };
        let mut b = Builder::new(&mut self.module.procedures[id]);
        if !variable.is_array() {
            return Ok(vec![b.assign(Access::whole(target), value)]);
        }
        let size = self.module.bytes_of(variable.ty).unwrap_or(0);
        let total = elements(&owner, &variable)
            .and_then(|count| i64::try_from(count.checked_mul(size)?).ok());
        let is_all = total.is_some_and(|total| Ranges::one(0, total).minus(bytes).is_empty());
        let mut b = Builder::new(&mut self.module.procedures[id]);
        if is_all {
            let target = Access::whole(target);
            return Ok(vec![b.stmt(Stmt::Fill { target, value })]);
        }
        let places = self
            .places(&variable, bytes)
            .ok_or_else(|| refused("only a part of it is changed"))?;
        let procedure = &mut self.module.procedures[id];
        let all = places.into_iter();
        Ok(all
            .map(|position| {
                let subscripts = subscripts(procedure, target, position);
                Builder::new(procedure).assign(Access::element(target, subscripts), value)
            })
            .collect())
    }

    /// The positions of few elements.
    fn places(&self, variable: &Variable, bytes: &Ranges) -> Option<Vec<i64>> {
        let size = i64::try_from(self.module.bytes_of(variable.ty)?).ok()?;
        let mut found = Vec::new();
        for &(start, end) in bytes.parts() {
            let mut at = start - start.rem_euclid(size);
            while at < end {
                found.push(at / size);
                at += size;
                if found.len() > FEW {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// Sets elements that have different values: few one by one, many from a table.
    fn set_listed(
        &mut self,
        id: ProcedureId,
        var: VarId,
        target: VarId,
        bytes: &Ranges,
    ) -> Result<Vec<StmtId>, Diagnostic> {
        let mut owner = self.module.procedures[self.owner].clone();
        let variable = owner.variables[var].clone();
        let refused = |why: &str| refuse(&variable.name, variable.span, why);
        if let Some(places) = self.places(&variable, bytes) {
            let mut statements = Vec::new();
            for position in places {
                let value = match listed(&variable, position) {
                    Some(value) => {
                        let plain = without_names(&mut owner, value)
                            .ok_or_else(|| refused("its initial value is not known"))?;
                        copied(&owner, plain, &mut self.module.procedures[id])
                    }
                    None => nothing(&mut self.module.procedures[id], variable.ty),
                };
                let procedure = &mut self.module.procedures[id];
                let subscripts = subscripts(procedure, target, position);
                let place = Access::element(target, subscripts);
                statements.push(Builder::new(procedure).assign(place, value));
            }
            return Ok(statements);
        }
        self_contained(&mut self.module.procedures[self.owner], var)?;
        let shape: Option<Vec<(i64, Option<i64>)>> = variable
            .shape
            .iter()
            .map(|dim| match dim.extent {
                Extent::Count(count) => {
                    Some((integer(&owner, dim.lower)?, Some(integer(&owner, count)?)))
                }
                _ => None,
            })
            .collect();
        let shape = shape.ok_or_else(|| refused("its shape is not constant"))?;
        let unit = owner.name.strip_suffix("%values").unwrap_or(&owner.name);
        let base = format!("{}_{}", identifier(unit), variable.name);
        let table = Global {
            name: naming::global_shadow_name(self.module, &base, "_start"),
            span: variable.span,
            container: Some((self.container)(self.module)),
            kind: GlobalKind::Module,
            ty: variable.ty,
            spelling: variable.spelling.clone(),
            shape,
            allocation: Allocation::Fixed,
            is_private: false,
            shadow_of: None,
            declared_by: Some((self.owner, var)),
        };
        let table = self.module.globals.add(table);
        self.state.variables.push((table, self.owner, var));
        let source = name_of(self.module, id, table);
        Ok(vec![copy_all(
            &mut self.module.procedures[id],
            source,
            target,
        )])
    }
}

/// A name that a source file's may become.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

/// The value of an element in the list of a declaration.
fn listed(variable: &Variable, position: i64) -> Option<ExprId> {
    let mut reached = 0;
    for &(count, value) in &variable.values {
        reached += i64::try_from(count).unwrap_or(i64::MAX / 2);
        if position < reached {
            return Some(value);
        }
    }
    None
}

fn elements(procedure: &Procedure, variable: &Variable) -> Option<u64> {
    variable
        .shape
        .iter()
        .try_fold(1u64, |total, dim| match dim.extent {
            Extent::Count(count) => {
                total.checked_mul(u64::try_from(integer(procedure, count)?).ok()?)
            }
            _ => None,
        })
}

/// The subscripts of an element that is counted from 0 in the order of memory.
fn subscripts(procedure: &mut Procedure, var: VarId, position: i64) -> Vec<ExprId> {
    let shape = procedure.variables[var].shape.clone();
    let mut left = position;
    let mut values = Vec::new();
    for dim in &shape {
        let lower = integer(procedure, dim.lower).unwrap_or(1);
        let count = match dim.extent {
            Extent::Count(count) => integer(procedure, count).unwrap_or(1).max(1),
            _ => i64::MAX,
        };
        values.push(lower + left % count);
        left /= count;
    }
    let mut b = Builder::new(procedure);
    values
        .into_iter()
        .map(|value| b.int(value.into()))
        .collect()
}
