//! The statements of a tangent procedure: the primal's with tangents beside them.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Allocation, Block, Builder, Diagnostic, Expr, ExprId, Module, Procedure, Stmt, StmtId,
    Storage, Type, VarId, place_of,
};

use super::expression::{Derive, shadow_place};
use super::{Order, shadows};
use crate::adjoint::contract;
use crate::allocation::{
    Before, conform_record, holds_allocatables, release_if_there, shadow_like,
};
use crate::analysis::activity::type_carries;
use crate::analysis::{Shared, Specialisation, SpecialisationId};
use crate::rules;
use crate::temporaries::Temporaries;

/// One pass over the primal's statements.
pub(super) struct Sweep<'a> {
    pub order: &'a Order<'a>,
    pub id: SpecialisationId,
    pub specialisation: &'a Specialisation,
    /// The tangent procedure; its statements start as the primal's.
    pub out: Procedure,
    pub shadows: BTreeMap<VarId, VarId>,
    pub temporaries: Temporaries,
    pub problems: Vec<Diagnostic>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Sweep<'a> {
    pub fn new(
        order: &'a Order<'a>,
        id: SpecialisationId,
        out: Procedure,
        shadows: BTreeMap<VarId, VarId>,
    ) -> Self {
        Self {
            order,
            id,
            specialisation: &order.activity[id],
            out,
            shadows,
            temporaries: Temporaries::default(),
            problems: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// A block with the tangents of its statements.
    pub fn block(&mut self, block: &[StmtId]) -> Block {
        block.iter().flat_map(|&stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, id: StmtId) -> Block {
        self.temporaries.release();
        match self.out.stmt(id).clone() {
            Stmt::Assign { target, value } => self.assign(id, &target, value),
            Stmt::Fill { target, value } => self.fill(id, &target, value),
            Stmt::Copy { target, source } => self.copy(id, &target, &source),
            Stmt::Call {
                arguments, result, ..
            } => self.call(id, &arguments, result.as_ref()),
            Stmt::Allocate {
                target,
                shape,
                zeroed,
            } => {
                let mut block = vec![id];
                if let Some(shadow) = shadow_place(&self.shadows, &target) {
                    let zeroed = zeroed || self.is_written_without_tangent(target.var);
                    block.push(self.b(id).stmt(Stmt::Allocate {
                        target: shadow,
                        shape,
                        zeroed,
                    }));
                }
                block
            }
            Stmt::Free { target } => {
                let shadow = shadow_place(&self.shadows, &target);
                let release = shadow.map(|target| self.b(id).stmt(Stmt::Free { target }));
                release.into_iter().chain([id]).collect()
            }
            Stmt::PointerAssign {
                target,
                value,
                is_pointer,
                offset,
                bounds,
            } => {
                let Some(shadow) = shadow_place(&self.shadows, &target) else {
                    return vec![id];
                };
                let value = match value {
                    None => None,
                    Some(value) => match shadow_place(&self.shadows, &value) {
                        Some(value) => Some(value),
                        None if !self.carries(&target) => return vec![id],
                        None => return self.without_shadow(id, value.var),
                    },
                };
                let follows = crate::links::shadow_follows(&self.out, self.out.stmt(id));
                let bounds = match follows {
                    true => crate::links::bounds_of(&mut self.out, &target, &bounds),
                    false => bounds,
                };
                let mirrored = self.b(id).stmt(Stmt::PointerAssign {
                    target: shadow,
                    value,
                    is_pointer,
                    offset,
                    bounds,
                });
                match follows {
                    true => vec![id, mirrored],
                    false => vec![mirrored, id],
                }
            }
            Stmt::Region { body, .. } => {
                let inner = self.block(&body);
                if inner == body {
                    return vec![id];
                }
                inner
            }
            _ => {
                self.inner_blocks(id);
                vec![id]
            }
        }
    }

    /// Whether derivatives may be found at a place, or through it.
    fn carries(&self, access: &Access) -> bool {
        let place = place_of(self.order.module, &self.out, access);
        place.map_or(true, |place| type_carries(self.order.module, place.ty))
    }

    /// Rewrites the blocks inside a loop or a condition.
    fn inner_blocks(&mut self, id: StmtId) {
        let blocks: Vec<Block> = self.out.stmt(id).blocks().into_iter().cloned().collect();
        let rewritten: Vec<Block> = blocks.iter().map(|block| self.block(block)).collect();
        if rewritten == blocks {
            return;
        }
        let stmt = &mut self.out.stmts[id].stmt;
        if let Stmt::Loop { directive, .. } = stmt {
            *directive = None;
        }
        for (block, new) in stmt.blocks_mut().into_iter().zip(rewritten) {
            *block = new;
        }
    }

    /// A builder whose nodes come from the statement's text.
    pub fn b(&mut self, stmt: StmtId) -> Builder<'_> {
        let span = self.out.stmts[stmt].span;
        let mut b = Builder::new(&mut self.out);
        b.span = span;
        b
    }

    fn assign(&mut self, id: StmtId, target: &Access, value: ExprId) -> Block {
        let Some(shadow) = shadow_place(&self.shadows, target) else {
            return vec![id];
        };
        let ty = self.out.exprs[value].ty;
        match ty {
            Type::Pointer(_) | Type::Address => return self.assign_pointer(id, shadow, value),
            Type::Record(_) => return self.assign_record(id, shadow, value),
            _ if !ty.is_differentiable() => return vec![id],
            _ => {}
        }
        if !self.specialisation.is_active_statement(id) {
            return self.zero_then(id, target, shadow);
        }
        let comes_after = self.can_follow(id, target, value);
        let known = comes_after.then(|| {
            let result = Expr::Load(target.clone());
            (value, self.b(id).expr(result, ty))
        });
        let (mut before, tangent) = self.derive(id, value, known);
        let tangent = tangent.unwrap_or_else(|| self.b(id).zero(ty));
        // `x = x + 1` leaves the tangent as it is.
        let stays =
            matches!(self.out.expr(tangent), Expr::Load(old) if self.out.same_access(old, &shadow));
        if stays {
            before.push(id);
            return before;
        }
        let set = self.b(id).assign(shadow, tangent);
        match comes_after {
            true => {
                before.extend([id, set]);
                before
            }
            false => {
                before.extend([set, id]);
                before
            }
        }
    }

    /// Whether the tangent can stand after the primal statement and read its result: the value's
    /// own derivative uses it, and nothing that the statement reads is written by it.
    fn can_follow(&self, id: StmtId, target: &Access, value: ExprId) -> bool {
        let operands = self.out.expr(value).children();
        let uses_result = (0..operands.len()).any(|which| {
            rules::flows(&self.out, value, which) && rules::needs(&self.out, value, which).result
        });
        let primal = self.specialisation.procedure;
        let reads = self.order.effects.stmt(self.order.module, primal, id).reads;
        uses_result
            && !reads
                .iter()
                .any(|read| self.order.effects.overlaps(primal, read.var, target.var))
    }

    /// The tangent of an expression of statement `id`, and what must be executed before it.
    pub fn derive(
        &mut self,
        id: StmtId,
        e: ExprId,
        known: Option<(ExprId, ExprId)>,
    ) -> (Block, Option<ExprId>) {
        let specialisation = self.specialisation;
        let mut derive = Derive {
            out: &mut self.out,
            shadows: &self.shadows,
            is_varied: &|var| specialisation.is_varied_before(id, var),
            temporaries: &mut self.temporaries,
            before: Vec::new(),
            values: known.into_iter().collect(),
            is_certain: true,
        };
        let tangent = derive.tangent(e);
        (derive.before, tangent)
    }

    fn assign_record(&mut self, id: StmtId, shadow: Access, value: ExprId) -> Block {
        let source = match self.out.expr(value) {
            Expr::Load(access) => access.clone(),
            _ => return vec![id],
        };
        let from = shadow_place(&self.shadows, &source)
            .filter(|_| self.specialisation.is_varied_before(id, source.var));
        match from {
            Some(from) => {
                let ty = self.out.exprs[value].ty;
                let load = self.b(id).expr(Expr::Load(from), ty);
                vec![self.b(id).assign(shadow, load), id]
            }
            None => {
                let mut block = self.zero(id, &shadow);
                block.push(id);
                block
            }
        }
    }

    fn assign_pointer(&mut self, id: StmtId, shadow: Access, value: ExprId) -> Block {
        match self.shadow_pointer(value) {
            Ok(value) => vec![self.b(id).assign(shadow, value), id],
            Err(var) => self.without_shadow(id, var),
        }
    }

    /// The address in shadow memory that corresponds to an address in primal memory.
    pub fn shadow_pointer(&mut self, e: ExprId) -> Result<ExprId, VarId> {
        let node = self.out.exprs[e].clone();
        let expr = match node.expr {
            Expr::Load(access) => {
                Expr::Load(shadow_place(&self.shadows, &access).ok_or(access.var)?)
            }
            Expr::Binary(op, a, b) => {
                let is_address = |e: ExprId, out: &Procedure| {
                    matches!(out.exprs[e].ty, Type::Pointer(_) | Type::Address)
                };
                let (first, second) = (is_address(a, &self.out), is_address(b, &self.out));
                let a = if first { self.shadow_pointer(a)? } else { a };
                let b = if second { self.shadow_pointer(b)? } else { b };
                Expr::Binary(op, a, b)
            }
            Expr::Convert(inner) => Expr::Convert(self.shadow_pointer(inner)?),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => Expr::Select {
                condition,
                then: self.shadow_pointer(then)?,
                otherwise: self.shadow_pointer(otherwise)?,
            },
            other => other,
        };
        Ok(self.out.exprs.add(contraflow_ir::ExprNode { expr, ..node }))
    }

    fn fill(&mut self, id: StmtId, target: &Access, value: ExprId) -> Block {
        let Some(shadow) = shadow_place(&self.shadows, target) else {
            return vec![id];
        };
        if !self.specialisation.is_active_statement(id) {
            return self.zero_then(id, target, shadow);
        }
        let (mut block, tangent) = self.derive(id, value, None);
        let ty = self.out.exprs[value].ty;
        let value = tangent.unwrap_or_else(|| self.b(id).zero(ty));
        let set = self.b(id).stmt(Stmt::Fill {
            target: shadow,
            value,
        });
        block.extend([set, id]);
        block
    }

    fn copy(&mut self, id: StmtId, target: &Access, source: &Access) -> Block {
        let Some(shadow) = shadow_place(&self.shadows, target) else {
            return vec![id];
        };
        let is_active = self.specialisation.is_active_statement(id);
        match shadow_place(&self.shadows, source).filter(|_| is_active) {
            Some(source) => {
                let mirrored = self.b(id).stmt(Stmt::Copy {
                    target: shadow,
                    source,
                });
                vec![mirrored, id]
            }
            None => self.zero_then(id, target, shadow),
        }
    }

    /// A passive statement: the target's shadow becomes zero, if that ever matters.
    fn zero_then(&mut self, id: StmtId, target: &Access, shadow: Access) -> Block {
        let mut block = Vec::new();
        if self.specialisation.is_useful_after(id, target.var) {
            block = self.zero(id, &shadow);
        }
        block.push(id);
        block
    }

    /// Sets a place in a shadow to zero: a number, an array or section, each component of a record.
    pub fn zero(&mut self, id: StmtId, place: &Access) -> Block {
        let Ok(kind) = place_of(self.order.module, &self.out, place) else {
            return Vec::new();
        };
        match kind.ty {
            ty if ty.is_differentiable() => {
                let mut b = self.b(id);
                let value = b.zero(ty);
                let target = place.clone();
                vec![match kind.rank {
                    0 => b.assign(target, value),
                    _ => b.stmt(Stmt::Fill { target, value }),
                }]
            }
            ty @ Type::Record(_) => {
                let module = self.order.module;
                match crate::adjoint::records::zero_place(&mut self.out, module, place, ty) {
                    Some(block) => block,
                    None => {
                        self.cannot_be_zero(id, place);
                        Vec::new()
                    }
                }
            }
            _ => Vec::new(),
        }
    }

    fn cannot_be_zero(&mut self, id: StmtId, place: &Access) {
        let name = self.out.variables[place.var].name.clone();
        let span = self.out.stmts[id].span;
        self.problems.push(
            Diagnostic::error(
                "no-tangent",
                format!("the records of `{name}` cannot be set to zero"),
            )
            .at(span, "needed here")
            .with_help("give the array a size, and its components no memory of their own"),
        );
    }

    fn without_shadow(&mut self, id: StmtId, var: VarId) -> Block {
        let name = self.out.variables[var].name.clone();
        let span = self.out.stmts[id].span;
        self.problems.push(
            Diagnostic::error(
                "no-tangent",
                format!("an active pointer is made to point to `{name}`, which has no derivative"),
            )
            .at(span, "here")
            .with_help(format!("let it point to numbers, or keep `{name}` apart")),
        );
        vec![id]
    }

    /// Statements that give shadows their value before the body runs.
    pub fn start(&mut self) -> Block {
        let Some(&first) = self.out.body.first() else {
            return Vec::new();
        };
        let mut block = Vec::new();
        for (var, shadow) in self.shadows.clone() {
            let is_made_here = self.out.variables[shadow].storage == Storage::Local;
            if is_made_here && contract::unreached(self.order.module, &self.out, var) {
                let variable = &self.out.variables[var];
                self.problems
                    .push(contract::unreached_problem(&variable.name, variable.span));
            }
            if self.starts_anew(var, shadow) {
                block.push(release_if_there(&mut self.out, shadow));
                block.push(shadow_like(&mut self.out, self.order.module, var, shadow));
            } else if self.starts_at_zero(var, shadow) {
                let is_own = matches!(self.out.variables[shadow].storage, Storage::Global(_));
                if is_own && self.is_reshaped(var) {
                    let (own, other) = (Access::whole(var), Access::whole(shadow));
                    let module = self.order.module;
                    let conform = conform_record(&mut self.out, module, &own, &other, Before::Any);
                    block.extend(conform);
                }
                let zero = self.zero_if_there(first, shadow, is_own);
                block.extend(zero);
            }
        }
        for &stmt in &block {
            self.out.stmts[stmt].span = contraflow_ir::Span::NONE;
        }
        if self.id == self.order.activity.head() {
            self.tell_hidden();
        }
        block
    }

    fn zero_if_there(&mut self, first: StmtId, shadow: VarId, is_global: bool) -> Block {
        let zero = self.zero(first, &Access::whole(shadow));
        if self.out.variables[shadow].allocation == Allocation::Fixed || !is_global {
            return zero;
        }
        let mut b = self.b(first);
        let present = Expr::Present(Access::whole(shadow));
        let condition = b.expr(present, Type::LOGICAL);
        vec![b.if_else(condition, zero, Vec::new())]
    }

    /// Whether the head gives a module's allocatable a shadow of its own: the caller has none to give.
    fn starts_anew(&self, var: VarId, shadow: VarId) -> bool {
        let variable = &self.out.variables[shadow];
        self.id == self.order.activity.head()
            && variable.allocation == Allocation::Allocatable
            && matches!(variable.storage, Storage::Global(_))
            && !self.order.request.independents.contains(&var)
            && !self.order.request.dependents.contains(&var)
    }

    /// Whether the procedure changes memory of allocatable components of a record.
    fn is_reshaped(&self, var: VarId) -> bool {
        let module = self.order.module;
        let id = self.specialisation.procedure;
        let primal = &module.procedures[id];
        holds_allocatables(module, primal.variables[var].ty)
            && primal.all_statements().into_iter().any(|stmt| {
                let effects = self.order.effects.stmt(module, id, stmt);
                effects.reshapes.iter().any(|place| place.var == var)
            })
    }

    fn starts_at_zero(&mut self, var: VarId, shadow: VarId) -> bool {
        let is_head = self.id == self.order.activity.head();
        let variable = &self.out.variables[shadow];
        let is_useful = self.specialisation.is_useful_in(var);
        let is_independent = self.order.request.independents.contains(&var);
        match variable.storage {
            Storage::Local | Storage::Saved => {
                let was_argument = self.order.module.procedures[self.specialisation.procedure]
                    .variables[var]
                    .is_argument();
                variable.allocation == Allocation::Fixed
                    && (self.is_written_without_tangent(var) || (was_argument && is_useful))
            }
            Storage::Argument { .. } if is_head && !is_independent && is_useful => {
                let fills = shadows::has_known_size(variable) && !variable.read_only;
                if !fills && !self.order.request.dependents.contains(&var) {
                    self.tell_not_cleared(var, shadow);
                }
                fills
            }
            Storage::Global(_) | Storage::Common { .. } => is_head && !is_independent && is_useful,
            Storage::Argument { .. }
            | Storage::Overlay { .. }
            | Storage::Result
            | Storage::Constant { .. } => false,
        }
    }

    /// Whether some statement gives the variable a value and leaves its shadow alone.
    fn is_written_without_tangent(&self, var: VarId) -> bool {
        let primal = self.specialisation.procedure;
        let procedure = &self.order.module.procedures[primal];
        procedure.all_statements().into_iter().any(|stmt| {
            let is_mirrored = match procedure.stmt(stmt) {
                Stmt::Opaque { .. } => false,
                Stmt::Call { .. } => self.mirrors(stmt, var),
                _ => true,
            };
            let writes = || {
                self.order
                    .effects
                    .stmt(self.order.module, primal, stmt)
                    .writes
            };
            !is_mirrored
                && writes()
                    .iter()
                    .any(|write| self.order.effects.overlaps(primal, write.var, var))
        })
    }

    fn tell_not_cleared(&mut self, var: VarId, shadow: VarId) {
        let (name, shadow) = (
            &self.out.variables[var].name,
            &self.out.variables[shadow].name,
        );
        let text = format!(
            "`{}` takes `{shadow}` as it is: it must be zero at entry, or a direction for `{name}`",
            self.out.name
        );
        let span = self.out.variables[var].span;
        self.diagnostics.push(
            Diagnostic::warning("shadow-not-cleared", text).at(span, "its size is not known here"),
        );
    }

    fn tell_hidden(&mut self) {
        for &shared in self.order.activity.hidden_inputs() {
            let name = hidden_name(self.order.module, shared);
            let text = format!(
                "the shadow of {name} must be zero when `{}` is called: it is active below, and \
                 not visible here",
                self.out.name
            );
            self.diagnostics
                .push(Diagnostic::warning("shadow-not-cleared", text));
        }
    }
}

fn hidden_name(module: &Module, shared: Shared) -> String {
    match shared {
        Shared::Global(global) => format!("`{}`", module.globals[global].name),
        Shared::Common { block, .. } => format!("COMMON block `{}`", module.commons[block].name),
        Shared::Saved(procedure, var) => {
            let procedure = &module.procedures[procedure];
            format!(
                "`{}` in `{}`",
                procedure.variables[var].name, procedure.name
            )
        }
    }
}
