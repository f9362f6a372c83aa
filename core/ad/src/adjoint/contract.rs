//! What the caller of an adjoint was promised, around the two sweeps:
//!
//! * local shadows start at zero;
//! * the head's independents that are not dependents are *incremented*: what their shadows hold on
//!   entry is set aside and added at the end, if the procedure overwrites the variable;
//! * the head's dependents that are not independents are *consumed*: their shadows are zero at the
//!   end;
//! * a local that is saved before it has a value is zero at the start;
//! * on return, variables that outlive the call hold what the primal leaves in them: those that the
//!   backward sweep writes are copied after the forward sweep and put back at the end.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Allocation, Builder, Diagnostic, Expr, ExprId, Extent, Intent, Module, Procedure, Role,
    Stmt, StmtId, Storage, Type, VarId, Variable,
};

use super::extent::{Extents, Range};
use super::memory::Memory;
use super::records;
use super::shadows::Shadows;
use super::tape::{self, ElementLoops};
use super::{Boundary, Order};
use crate::allocation::{Before, conform_record, holds_pointers, release_if_there, shadow_like};
use crate::analysis::Dependence;
use crate::analysis::pointers::Pointers;

/// Primal variables that the sweeps treat in a special way.
pub struct Touched {
    /// Written in the backward sweep.
    pub written_backwards: BTreeSet<VarId>,
    /// Saved before they are written.
    pub saved: BTreeSet<VarId>,
    /// Memory that the primal frees.
    pub freed: Vec<Access>,
}

/// What stands around the two sweeps.
#[derive(Default)]
pub struct Parts {
    define: Vec<StmtId>,
    start: Vec<StmtId>,
    keep: Vec<StmtId>,
    turn: Vec<StmtId>,
    end: Vec<StmtId>,
    give_back: Vec<StmtId>,
    free: Vec<StmtId>,
}

impl Parts {
    /// The body of the joint adjoint.
    pub fn whole(self, forward: Vec<StmtId>, backward: Vec<StmtId>) -> Vec<StmtId> {
        let parts = [
            self.define,
            self.start,
            forward,
            self.keep,
            self.turn,
            backward,
            self.end,
            self.give_back,
            self.free,
        ];
        parts.into_iter().flatten().collect()
    }

    /// The bodies of the forward and of the backward sweep as procedures of their own.
    pub fn apart(self, forward: Vec<StmtId>, backward: Vec<StmtId>) -> (Vec<StmtId>, Vec<StmtId>) {
        (
            [self.define, forward].into_iter().flatten().collect(),
            [self.start, self.turn, backward, self.end, self.free]
                .into_iter()
                .flatten()
                .collect(),
        )
    }
}

/// Writes what stands around the sweeps.
///
/// # Errors
/// A variable that must be copied and whose size cannot be found out.
pub fn parts(
    order: &Order<'_>,
    dependence: &Dependence<'_>,
    memory: &Memory,
    out: &mut Procedure,
    shadows: &Shadows,
    touched: &Touched,
) -> Result<Parts, Vec<Diagnostic>> {
    let mut closing = Closing {
        order,
        extents: Extents { dependence },
        memory,
        out,
        problems: Vec::new(),
    };
    let mut parts = Parts::default();
    for (&primal, &shadow) in &shadows.of {
        if let Some(made) = closing.shadow_of_mirrored(primal, shadow) {
            parts.turn.extend(made);
        }
        let (mut start, mut end) = (Vec::new(), Vec::new());
        closing.boundary(primal, shadow, &mut start, &mut end);
        parts.start.extend(closing.if_present(primal, start));
        parts.end.extend(closing.if_present(primal, end));
    }
    let written = with_targets(order, &touched.written_backwards);
    for &var in &written {
        let (mut keep, mut give_back) = (Vec::new(), Vec::new());
        closing.final_value(var, &mut keep, &mut give_back);
        parts.keep.extend(closing.if_present(var, keep));
        parts.give_back.extend(closing.if_present(var, give_back));
    }
    for var in memory.associated() {
        if order.module.procedures[order.id].variables[var].storage != Storage::Local {
            continue;
        }
        let shadow = shadows.of.get(&var).copied();
        for target in std::iter::once(var).chain(shadow) {
            let mut b = Builder::new(closing.out);
            parts.define.push(b.stmt(Stmt::PointerAssign {
                target: Access::whole(target),
                value: None,
                is_pointer: false,
                offset: None,
                bounds: Vec::new(),
            }));
        }
    }
    for &var in &touched.saved {
        closing.define(var, &mut parts.define);
    }
    if !closing.problems.is_empty() {
        return Err(closing.problems);
    }
    for place in &touched.freed {
        let mut b = Builder::new(out);
        if let Some(&shadow) = shadows.of.get(&place.var) {
            let target = Access {
                var: shadow,
                path: place.path.clone(),
            };
            parts.free.push(b.stmt(Stmt::Free { target }));
        }
        let target = place.clone();
        parts.free.push(b.stmt(Stmt::Free { target }));
    }
    Ok(parts)
}

/// What is written, with what the pointers among it may point to: arguments and shared memory that
/// other names show.
fn with_targets(order: &Order<'_>, written: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let primal = &order.module.procedures[order.id];
    let mut all = written.clone();
    for &var in written {
        let leads_on = primal.variables.get(var).is_some_and(|variable| {
            crate::links::is_pointer(primal, var)
                || primal.scalars_by_value && Pointers::lead_on(order.module, variable.ty)
        });
        if leads_on {
            let others = order.effects.overlapping(order.id, var).iter().copied();
            all.extend(others.filter(|&other| {
                let variable = &primal.variables[other];
                variable.outlives_call() && variable.intent != Intent::In && !variable.read_only
            }));
        }
    }
    all
}

struct Closing<'c, 'a> {
    order: &'c Order<'a>,
    extents: Extents<'a, 'c>,
    memory: &'c Memory,
    out: &'c mut Procedure,
    problems: Vec<Diagnostic>,
}

impl Closing<'_, '_> {
    /// What is done to an optional argument is done where it is there.
    fn if_present(&mut self, primal: VarId, block: Vec<StmtId>) -> Vec<StmtId> {
        let is_optional = self.out.variables[primal].optional;
        if !is_optional || block.is_empty() {
            return block;
        }
        let mut b = Builder::new(self.out);
        let present = b.expr(Expr::Present(Access::whole(primal)), Type::LOGICAL);
        vec![b.if_else(present, block, Vec::new())]
    }

    fn boundary(
        &mut self,
        primal: VarId,
        shadow: VarId,
        start: &mut Vec<StmtId>,
        end: &mut Vec<StmtId>,
    ) {
        match self.out.variables[shadow].storage {
            Storage::Local if unreached(self.order.module, self.out, primal) => {
                let variable = &self.out.variables[primal];
                self.problems
                    .push(unreached_problem(&variable.name, variable.span));
                return;
            }
            Storage::Local => {
                if self.out.variables[shadow].allocation == Allocation::Fixed {
                    self.set_local_shape(primal, shadow);
                    self.fill(shadow, start);
                }
                return;
            }
            Storage::Argument { .. } => {}
            Storage::Global(_) | Storage::Common { .. } => {
                self.shared_boundary(primal, shadow, start, end);
                return;
            }
            Storage::Overlay { .. } | Storage::Result | Storage::Saved => return,
            Storage::Constant { .. } => return,
        }
        let procedure = &self.order.module.procedures[self.order.id];
        let is_copy = procedure.variables[primal].passing == contraflow_ir::Passing::Value;
        let is_changed = !self.extents.dependence.is_invariant(primal);
        let Boundary::Head {
            independents,
            dependents,
        } = &self.order.boundary
        else {
            // What the procedure does to its copy is nothing to the caller's variable.
            if is_copy && is_changed && procedure.arguments.contains(&primal) {
                self.set_aside(primal, shadow, start, end);
            }
            return;
        };
        let by_value = self.out.variables[shadow].passing == contraflow_ir::Passing::Value;
        match (independents.contains(&primal), dependents.contains(&primal)) {
            (true, false) if is_changed => self.set_aside(primal, shadow, start, end),
            (false, true) if !by_value => self.fill(shadow, end),
            _ => {}
        }
    }

    /// Between the sweeps: `if (allocated(a)) allocate (a_b(bounds of a)); a_b = 0`
    fn shadow_of_mirrored(&mut self, primal: VarId, shadow: VarId) -> Option<Vec<StmtId>> {
        let is_mirrored = self.memory.is_mirrored(primal);
        match self.out.variables[shadow].storage {
            Storage::Local if is_mirrored && !self.memory.is_balanced(primal) => {
                Some(vec![shadow_like(
                    self.out,
                    self.order.module,
                    primal,
                    shadow,
                )])
            }
            Storage::Local if self.memory.is_record(primal) => {
                let (own, other) = (Access::whole(primal), Access::whole(shadow));
                let module = self.order.module;
                Some(conform_record(
                    self.out,
                    module,
                    &own,
                    &other,
                    Before::Fresh,
                ))
            }
            Storage::Global(_) => self.shadow_of_global(primal, shadow),
            _ => None,
        }
    }

    /// In the head the shadow of a module's allocatable, or of a record with such whose memory changes,
    /// is made anew: what it held and whether it had memory is nothing to the caller.
    fn shadow_of_global(&mut self, primal: VarId, shadow: VarId) -> Option<Vec<StmtId>> {
        let Boundary::Head {
            independents,
            dependents,
        } = &self.order.boundary
        else {
            return None;
        };
        let is_named = independents.contains(&primal) || dependents.contains(&primal);
        if !is_named && self.memory.is_record(primal) {
            let (own, other) = (Access::whole(primal), Access::whole(shadow));
            let module = self.order.module;
            return Some(conform_record(self.out, module, &own, &other, Before::Any));
        }
        if is_named || self.out.variables[shadow].allocation != Allocation::Allocatable {
            return None;
        }
        let release = release_if_there(self.out, shadow);
        Some(vec![
            release,
            shadow_like(self.out, self.order.module, primal, shadow),
        ])
    }

    /// Keeps a variable whose memory the sweeps change: whether it has some, its shape, and what it
    /// holds.
    fn final_state(&mut self, var: VarId, keep: &mut Vec<StmtId>, give_back: &mut Vec<StmtId>) {
        let copy = self.allocatable_copy(var);
        keep.push(self.copy_if_there(copy, var));
        give_back.push(release_if_there(self.out, var));
        give_back.push(self.copy_if_there(var, copy));
    }

    /// An allocatable of the kind of a variable, for its value at the end.
    fn allocatable_copy(&mut self, var: VarId) -> VarId {
        let model = self.out.variables[var].clone();
        let name = crate::naming::unique(self.out, &format!("{}_final", model.name));
        let mut copy = Variable::scalar(name, model.ty);
        copy.spelling = model.spelling;
        copy.shape = model.shape;
        copy.allocation = Allocation::Allocatable;
        copy.role = Role::Temporary;
        self.out.variables.add(copy)
    }

    /// Keeps what a pointer points to, if it points to anything.
    fn final_target(&mut self, var: VarId, keep: &mut Vec<StmtId>, give_back: &mut Vec<StmtId>) {
        let copy = self.allocatable_copy(var);
        keep.push(self.copy_if_there(copy, var));
        let back = self.copy(var, copy);
        let mut b = Builder::new(self.out);
        let there = b.expr(Expr::Present(Access::whole(copy)), Type::LOGICAL);
        give_back.push(b.if_else(there, vec![back], Vec::new()));
    }

    /// `if (allocated(source)) allocate (target(bounds of source)); target = source`
    fn copy_if_there(&mut self, target: VarId, source: VarId) -> StmtId {
        let make = shadow_like(self.out, self.order.module, source, target);
        let copy = self.copy(target, source);
        if let Stmt::If { then, .. } = &mut self.out.stmts[make].stmt {
            then.push(copy);
        }
        make
    }

    /// Shadows of globals: what the head names behaves as its arguments do; others start at zero.
    fn shared_boundary(
        &mut self,
        primal: VarId,
        shadow: VarId,
        start: &mut Vec<StmtId>,
        end: &mut Vec<StmtId>,
    ) {
        let Boundary::Head {
            independents,
            dependents,
        } = &self.order.boundary
        else {
            return;
        };
        let is_allocatable = self.out.variables[shadow].allocation == Allocation::Allocatable;
        match (independents.contains(&primal), dependents.contains(&primal)) {
            (true, true) => {}
            (true, false) => self.set_aside(primal, shadow, start, end),
            (false, true) => self.fill(shadow, end),
            (false, false) if is_allocatable => {}
            (false, false) => self.fill(shadow, start),
        }
    }

    /// A local array has dimensions of its own where the primal's come from a caller.
    fn set_local_shape(&mut self, primal: VarId, shadow: VarId) {
        let own = self.out.variables[shadow]
            .shape
            .iter()
            .all(|dim| matches!(dim.extent, Extent::Count(_)));
        if own {
            return;
        }
        match self.extents.shape(self.out, primal) {
            Some(ranges) => self.out.variables[shadow].shape = ranges.iter().map(dim_of).collect(),
            None => self.unknown_extent(primal),
        }
    }

    fn fill(&mut self, shadow: VarId, block: &mut Vec<StmtId>) {
        let ty = self.out.variables[shadow].ty;
        if let Type::Pointer(_) | Type::Address = ty {
            return;
        }
        if let Type::Record(_) = ty {
            self.fill_record(shadow, ty, block);
            return;
        }
        let known = self.out.variables[shadow]
            .shape
            .iter()
            .all(|dim| !matches!(dim.extent, Extent::AssumedSize | Extent::Unknown));
        let mut b = Builder::new(self.out);
        if known {
            let value = b.zero(ty);
            let target = Access::whole(shadow);
            block.push(if b.procedure.variables[shadow].is_array() {
                b.stmt(Stmt::Fill { target, value })
            } else {
                b.assign(target, value)
            });
            return;
        }
        let of = match self.out.variables[shadow].role {
            Role::Shadow { of } => of,
            _ => shadow,
        };
        match self.extents.memory(self.out, of) {
            Some(ranges) => {
                let nest = element_loops(self.out, &ranges, &mut |out, subscripts| {
                    let mut b = Builder::new(out);
                    let value = b.zero(ty);
                    b.assign(Access::element(shadow, subscripts.to_vec()), value)
                });
                block.push(nest);
            }
            None => self.unknown_extent(of),
        }
    }

    fn fill_record(&mut self, shadow: VarId, ty: Type, block: &mut Vec<StmtId>) {
        let of = match self.out.variables[shadow].role {
            Role::Shadow { of } => of,
            _ => shadow,
        };
        match self.zeros_of_record(shadow, of, ty) {
            Some(zeros) => block.extend(zeros),
            None => self.unknown_extent(of),
        }
    }

    /// Zeros for all differentiable scalars of records that are as many as those of `of`. `None` where a
    /// size is not known or a component has memory of its own.
    fn zeros_of_record(&mut self, var: VarId, of: VarId, ty: Type) -> Option<Vec<StmtId>> {
        let module = self.order.module;
        let ranges = self.extents.memory(self.out, of)?;
        let whole = Access::whole(var);
        records::over_elements(self.out, module, &whole, &ranges, ty, &mut records::zero)
    }

    fn set_aside(
        &mut self,
        primal: VarId,
        shadow: VarId,
        start: &mut Vec<StmtId>,
        end: &mut Vec<StmtId>,
    ) {
        let Some(aside) = self.copy_variable(primal, shadow, "_in") else {
            return;
        };
        let ranges = self.ranges(primal);
        let ty = self.out.variables[shadow].ty;
        let (whole, kept) = (Access::whole(shadow), Access::whole(aside));
        let module = self.order.module;
        let sums = records::over_elements(
            self.out,
            module,
            &whole,
            &ranges,
            ty,
            &mut |out, leaf, ty| {
                let source = records::counterpart(leaf, &whole, &kept);
                vec![records::add(out, leaf, &source, ty)]
            },
        );
        match sums {
            // A record that only leads to reals by pointers has nothing to set aside.
            Some(sums) if sums.is_empty() => {}
            Some(sums) => {
                start.push(self.copy(aside, shadow));
                self.fill(shadow, start);
                end.extend(sums);
            }
            None => self.unknown_extent(primal),
        }
    }

    /// Keeps the value that the primal leaves in `var` over the backward sweep.
    fn final_value(&mut self, var: VarId, keep: &mut Vec<StmtId>, give_back: &mut Vec<StmtId>) {
        let variable = &self.out.variables[var];
        let outlives = self.order.module.procedures[self.order.id]
            .variables
            .get(var)
            .is_some_and(|primal| {
                primal.outlives_call() || matches!(primal.storage, Storage::Result)
            });
        if !outlives || variable.role != Role::Primal {
            return;
        }
        let primal = &self.order.module.procedures[self.order.id];
        if crate::analysis::objects::changes_unseen(self.order.module, primal, var) {
            let (name, span) = (variable.name.clone(), variable.span);
            self.problems.push(super::emit::unseen_problem(&name, span));
            return;
        }
        // An address that nothing changes stays; what it leads to is kept by other names.
        let is_address = matches!(variable.ty, Type::Pointer(_) | Type::Address)
            && !variable.is_array()
            && self.out.scalars_by_value;
        if is_address && self.memory.is_settled(self.out, var) {
            return;
        }
        let is_callee = self.order.boundary == Boundary::Callee;
        if is_callee && self.memory.is_record(var) {
            return;
        }
        // Behind pointers the caller puts back what it needs after the call.
        let leads_on = self.out.scalars_by_value
            && Pointers::lead_on(self.order.module, self.out.variables[var].ty);
        if is_callee && leads_on {
            return;
        }
        if self.memory.is_mirrored(var) {
            // A callee leaves the memory that it found: its caller has undone the call.
            if !is_callee {
                self.final_state(var, keep, give_back);
            }
            return;
        }
        if variable.allocation == Allocation::Pointer
            && holds_pointers(self.order.module, variable.ty)
        {
            let (name, span) = (variable.name.clone(), variable.span);
            self.problems.push(
                Diagnostic::error(
                    "not-reversible",
                    format!("the adjoint must keep what is reached from `{name}` through pointers"),
                )
                .at(span, "declared here")
                .with_help("pass it to procedures that read it only"),
            );
            return;
        }
        if variable.allocation == Allocation::Pointer && !self.out.scalars_by_value {
            self.final_target(var, keep, give_back);
            return;
        }
        let Some(copy) = self.copy_variable(var, var, "_final") else {
            return;
        };
        keep.push(self.copy(copy, var));
        give_back.push(self.copy(var, copy));
    }

    /// Saving a local that has no value yet must not read undefined memory.
    fn define(&mut self, var: VarId, block: &mut Vec<StmtId>) {
        let primal = &self.order.module.procedures[self.order.id].variables[var];
        let is_own = matches!(primal.storage, Storage::Local | Storage::Result);
        if !is_own || primal.allocation != Allocation::Fixed {
            return;
        }
        match primal.ty {
            // Compilers of C tell of a struct that is copied before any of it is set.
            Type::Record(_) if self.out.scalars_by_value => {
                let zeros = self.zeros_of_record(var, var, primal.ty);
                block.extend(zeros.unwrap_or_default());
            }
            ty if ty.is_numeric() || matches!(ty, Type::Logical { .. }) => self.fill(var, block),
            _ => {}
        }
    }

    fn ranges(&mut self, var: VarId) -> Vec<Range> {
        self.extents.memory(self.out, var).unwrap_or_default()
    }

    /// A local variable of the shape of `var`, named after `like`.
    fn copy_variable(&mut self, var: VarId, like: VarId, ending: &str) -> Option<VarId> {
        let Some(ranges) = self.extents.memory(self.out, var) else {
            self.unknown_extent(var);
            return None;
        };
        let model = self.out.variables[like].clone();
        let name = crate::naming::unique(self.out, &format!("{}{ending}", model.name));
        let mut copy = Variable::scalar(name, model.ty);
        (copy.spelling, copy.length) =
            tape::declared_like(self.out, &Access::whole(like), model.ty);
        copy.shape = ranges.iter().map(dim_of).collect();
        copy.role = if ranges.is_empty() {
            Role::Temporary
        } else {
            Role::Tape
        };
        Some(self.out.variables.add(copy))
    }

    /// `target = source`, element by element where a size is not declared.
    fn copy(&mut self, target: VarId, source: VarId) -> StmtId {
        let undeclared = [target, source].into_iter().find(|&var| {
            self.out.variables[var]
                .shape
                .iter()
                .any(|dim| matches!(dim.extent, Extent::AssumedSize | Extent::Unknown))
        });
        let ty = self.out.variables[source].ty;
        if let Some(var) = undeclared {
            let known = if var == target { source } else { target };
            let ranges: Vec<Range> = self.out.variables[known]
                .shape
                .iter()
                .filter_map(|dim| match dim.extent {
                    Extent::Count(count) => Some(Range {
                        lower: dim.lower,
                        count,
                    }),
                    _ => None,
                })
                .collect();
            return element_loops(self.out, &ranges, &mut |out, subscripts| {
                let mut b = Builder::new(out);
                let value = b.expr(Expr::Load(place(source, subscripts)), ty);
                b.assign(place(target, subscripts), value)
            });
        }
        if self.out.variables[source].is_array() {
            return Builder::new(self.out).stmt(Stmt::Copy {
                target: Access::whole(target),
                source: Access::whole(source),
            });
        }
        let mut b = Builder::new(self.out);
        let value = b.load(source);
        b.assign(Access::whole(target), value)
    }

    fn unknown_extent(&mut self, var: VarId) {
        let variable = &self.out.variables[var];
        let name = &variable.name;
        self.problems.push(
            Diagnostic::error(
                super::UNKNOWN_EXTENT,
                format!("how large `{name}` is cannot be found out, and the adjoint must copy it"),
            )
            .at(variable.span, "declared here without its size")
            .with_help(format!(
                "declare the size, say it (`--extent '{}::{name}=COUNT'`), or name `{name}` as independent and dependent in the head",
                self.order.module.procedures[self.order.id].name
            )),
        );
    }
}

/// Whether what an argument leads to is the caller's, so that a shadow made here leads nowhere.
pub fn unreached(module: &Module, procedure: &Procedure, var: VarId) -> bool {
    let variable = &procedure.variables[var];
    procedure.scalars_by_value && variable.is_argument() && Pointers::lead_on(module, variable.ty)
}

/// An argument with pointers is active, and nobody has its shadow.
pub fn unreached_problem(name: &str, span: contraflow_ir::Span) -> Diagnostic {
    Diagnostic::error(
        "shadow-of-pointers",
        format!("memory that `{name}` leads to may be active, and its shadow is the caller's to make"),
    )
    .at(span, "declared here")
    .with_help(format!(
        "name `{name}` among the inputs of the head, or say `--no-alias` if its pointers share no memory with what is differentiated"
    ))
}

fn dim_of(range: &Range) -> contraflow_ir::Dim {
    contraflow_ir::Dim {
        lower: range.lower,
        extent: Extent::Count(range.count),
    }
}

fn place(var: VarId, subscripts: &[ExprId]) -> Access {
    if subscripts.is_empty() {
        Access::whole(var)
    } else {
        Access::element(var, subscripts.to_vec())
    }
}

/// A loop nest over all elements of a shape.
fn element_loops(
    out: &mut Procedure,
    ranges: &[Range],
    body: &mut dyn FnMut(&mut Procedure, &[ExprId]) -> StmtId,
) -> StmtId {
    let nest = ElementLoops {
        ranges,
        backwards: false,
    };
    nest.around(out, body)
}
