//! The tangent of an expression.
//!
//! `(φ(e₁, …))_d = Σ ∂φ/∂eᵢ · (eᵢ)_d`, from the leaves up; passive operands contribute nothing.
//! Operands' values stand in the tangent as the primal wrote them. Where that would compute a
//! function again, the value is kept in a temporary that is set before the statement, except in
//! the arms of a choice, whose values need not exist where they are not chosen.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, BinaryOp, Builder, Expr, ExprId, Intrinsic, Procedure, StmtId, Type, VarId,
};

use crate::rules::{self, Local, Op};
use crate::temporaries::Temporaries;

/// Builds the tangents of one statement's expressions.
pub(super) struct Derive<'x> {
    pub out: &'x mut Procedure,
    pub shadows: &'x BTreeMap<VarId, VarId>,
    /// Whether a variable may depend on an independent before the statement.
    pub is_varied: &'x dyn Fn(VarId) -> bool,
    pub temporaries: &'x mut Temporaries,
    /// Statements that set temporaries, to stand before the tangent.
    pub before: Vec<StmtId>,
    /// Values that can be read instead of computed again.
    pub values: BTreeMap<ExprId, ExprId>,
    /// Whether the expression is evaluated whenever the statement is executed.
    pub is_certain: bool,
}

impl Derive<'_> {
    /// The tangent of the value of `e`; `None` where it is zero.
    pub fn tangent(&mut self, e: ExprId) -> Option<ExprId> {
        let ty = self.out.exprs[e].ty;
        if let Expr::Load(access) = self.out.expr(e) {
            let shadow = shadow_place(self.shadows, access)?;
            let is_active = ty.is_differentiable() && (self.is_varied)(access.var);
            return is_active.then(|| self.b().expr(Expr::Load(shadow), ty));
        }
        let (op, operands) = Op::of(self.out.expr(e))?;
        let is_certain = self.is_certain;
        let mut seeds = Vec::new();
        for (which, &operand) in operands.iter().enumerate() {
            if !rules::flows(self.out, e, which) {
                continue;
            }
            self.is_certain = is_certain && op != Op::Select;
            if let Some(seed) = self.tangent(operand) {
                seeds.push((which, seed));
            }
        }
        self.is_certain = is_certain;
        let parts = self.parts(e, op, &operands, seeds);
        self.sum(parts, ty)
    }

    fn b(&mut self) -> Builder<'_> {
        Builder::new(self.out)
    }

    /// The partial derivatives, each with the tangent that it is applied to.
    fn parts(
        &mut self,
        e: ExprId,
        op: Op,
        operands: &[ExprId],
        seeds: Vec<(usize, ExprId)>,
    ) -> Vec<(Local, ExprId)> {
        let mut values = operands.to_vec();
        let mut result = e;
        for &(which, _) in &seeds {
            let needs = rules::needs(self.out, e, which);
            for (operand, _) in needs.operands.iter().enumerate().filter(|(_, used)| **used) {
                values[operand] = self.value(operands[operand]);
            }
            if needs.result {
                result = self.value(e);
            }
        }
        let mut parts = Vec::new();
        for (which, seed) in seeds {
            let local = rules::partial(&mut self.b(), op, &values, result, which);
            let Some(local) = local else { continue };
            let uses_seed_often =
                local.is_singular() || (matches!(local, Local::Guarded { .. }) && op != Op::Select);
            let seed = match uses_seed_often {
                true => self.value(seed),
                false => seed,
            };
            parts.push((local, seed));
        }
        parts
    }

    /// `e`, or a temporary that holds its value where computing it again is work.
    pub fn value(&mut self, e: ExprId) -> ExprId {
        if let Some(&known) = self.values.get(&e) {
            return known;
        }
        if !self.is_certain || !is_work(self.out, e) {
            return e;
        }
        let ty = self.out.exprs[e].ty;
        let temporary = self.temporaries.take(self.out, ty);
        let set = self.b().assign(Access::whole(temporary), e);
        self.before.push(set);
        let value = self.b().load(temporary);
        self.values.insert(e, value);
        value
    }

    /// The sum of the parts; choices by one condition are made once.
    fn sum(&mut self, mut parts: Vec<(Local, ExprId)>, ty: Type) -> Option<ExprId> {
        let mut total = None;
        while !parts.is_empty() {
            let (local, seed) = parts.remove(0);
            let term = match local {
                Local::Guarded {
                    condition,
                    then,
                    otherwise,
                } => {
                    let (mut yes, mut no) = (vec![(*then, seed)], vec![(*otherwise, seed)]);
                    parts.retain(|(other, seed)| match other {
                        Local::Guarded {
                            condition: same,
                            then,
                            otherwise,
                        } if self.out.same_expr(condition, *same) => {
                            yes.push(((**then).clone(), *seed));
                            no.push(((**otherwise).clone(), *seed));
                            false
                        }
                        _ => true,
                    });
                    let (yes, no) = (self.sum(yes, ty), self.sum(no, ty));
                    self.choose(condition, yes, no, ty)
                }
                local => self.term(&local, seed, ty),
            };
            total = match (total, term) {
                (Some(total), Some(term)) => Some(self.b().add(total, term)),
                (total, term) => total.or(term),
            };
        }
        total
    }

    fn term(&mut self, local: &Local, seed: ExprId, ty: Type) -> Option<ExprId> {
        let term = local.tangent(&mut self.b(), seed, ty)?;
        if !local.is_singular() {
            return Some(term);
        }
        let condition = rules::is_nonzero(&mut self.b(), seed);
        self.choose(condition, Some(term), None, ty)
    }

    fn choose(
        &mut self,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: Option<ExprId>,
        ty: Type,
    ) -> Option<ExprId> {
        if then.is_none() && otherwise.is_none() {
            return None;
        }
        let mut b = self.b();
        let then = then.unwrap_or_else(|| b.zero(ty));
        let otherwise = otherwise.unwrap_or_else(|| b.zero(ty));
        Some(b.select(condition, then, otherwise))
    }
}

/// The place in the shadow of what `access` is in its variable.
pub(super) fn shadow_place(shadows: &BTreeMap<VarId, VarId>, access: &Access) -> Option<Access> {
    shadows.get(&access.var).map(|&var| Access {
        var,
        path: access.path.clone(),
    })
}

/// Whether computing a value costs more than reading it: a function, a power, a division.
fn is_work(procedure: &Procedure, e: ExprId) -> bool {
    let mut found = false;
    procedure.walk_expr(e, &mut |inner| {
        found |= match procedure.expr(inner) {
            Expr::Binary(BinaryOp::Power | BinaryOp::Divide | BinaryOp::Remainder, ..) => true,
            Expr::Intrinsic(f, _) => !matches!(
                f,
                Intrinsic::Complex
                    | Intrinsic::RealPart
                    | Intrinsic::ImaginaryPart
                    | Intrinsic::Conjugate
                    | Intrinsic::Abs
                    | Intrinsic::Min
                    | Intrinsic::Max
            ),
            _ => false,
        };
    });
    found
}
