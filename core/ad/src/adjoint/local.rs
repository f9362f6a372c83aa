//! The adjoint of one assignment `v = e`.
//!
//! With the adjoint `s` of the value (the shadow of `v`), the expression tree of `e` is walked from
//! the root to the leaves; at each operation the rule turns the adjoint of the result into those of
//! the operands, and at an active leaf `u` the adjoint is added to the shadow of `u`. Each operation
//! is visited once, so the adjoint costs a small constant times the expression (the cheap gradient
//! principle), provided that
//!
//! * values of inner operations that rules want are computed once, into temporaries, before;
//! * an adjoint that goes to several operands is computed once, into a temporary.
//!
//! Primal values appear as [`Expr::Required`]; the plan decides how they are there.
//!
//! The order is `t = v_b; v_b = 0; u_b += t * ∂e/∂u`. It is kept without `t` where no `u` can be
//! `v`, and where every such `u` is written exactly as `v`: then `v_b` is updated last, and is not
//! touched at all if `v` only enters `e` as a term (`v = v + …`).

use std::cell::RefCell;
use std::collections::BTreeMap;

use contraflow_ir::{Access, Builder, Expr, ExprId, Procedure, Stmt, StmtId, Type, UnaryOp, VarId};

use super::records;
use crate::analysis::Dependence;
use crate::rules::{self, Local, Op};
use crate::temporaries::Temporaries;

/// What the adjoint of a statement is built in.
pub struct Site<'x, 'a> {
    /// The program, for the components of records.
    pub module: &'x contraflow_ir::Module,
    /// The derived procedure.
    pub out: &'x mut Procedure,
    /// Order and overlap of the primal.
    pub dependence: &'x Dependence<'a>,
    /// The shadow of each active variable.
    pub shadows: &'x BTreeMap<VarId, VarId>,
    /// Free temporaries.
    pub temporaries: &'x mut Temporaries,
    /// The statement.
    pub stmt: StmtId,
    /// Variables that hold their value wherever the statement is reversed: constants, variables
    /// of the loops around.
    pub is_there: &'x dyn Fn(VarId) -> bool,
    /// Which operations were found to have active operands.
    pub known_active: RefCell<BTreeMap<ExprId, bool>>,
}

/// A contribution to shadows.
enum Piece {
    Add {
        shadow: Access,
        value: ExprId,
    },
    Set {
        temporary: VarId,
        value: ExprId,
    },
    When {
        condition: ExprId,
        then: Vec<Piece>,
        otherwise: Vec<Piece>,
    },
}

impl Site<'_, '_> {
    /// Backward code for an assignment of what influences no dependent. The target's shadow is zero; that
    /// it is set to zero again keeps it a matter of this statement alone.
    pub fn reverse_useless(&mut self, target: &Access, value: ExprId) -> Vec<StmtId> {
        let ty = self.out.exprs[value].ty;
        let reads = self.out.reads_of_expr(value);
        if !ty.is_differentiable() || reads.iter().any(|read| read.var == target.var) {
            return match ty {
                Type::Record(_) => self.reverse_assignment(target, value),
                _ => Vec::new(),
            };
        }
        let Some(shadow) = self.shadow_of(target) else {
            return Vec::new();
        };
        let mut b = Builder::new(self.out);
        let zero = b.zero(ty);
        vec![b.assign(shadow, zero)]
    }

    /// The statements that reverse `target = value`, the shadow of `target` being its adjoint.
    pub fn reverse_assignment(&mut self, target: &Access, value: ExprId) -> Vec<StmtId> {
        let Some(shadow) = self.shadow_of(target) else {
            return Vec::new();
        };
        let ty = self.out.exprs[value].ty;
        if let Type::Record(_) = ty {
            return self.reverse_record(&shadow, value, ty);
        }
        // The other components of a record have no shadow to speak of.
        if !ty.is_differentiable() {
            return Vec::new();
        }
        let zero = Builder::new(self.out).zero(ty);
        if !self.is_active(value) {
            return vec![Builder::new(self.out).assign(shadow, zero)];
        }
        let leaves = self.active_leaves(value);
        let same = |site: &Self, leaf: &Access| site.out.same_access(leaf, target);
        let self_reads: Vec<&Access> = leaves.iter().filter(|leaf| same(self, leaf)).collect();
        let may_alias = leaves
            .iter()
            .any(|leaf| !same(self, leaf) && !self.dependence.differ(self.stmt, leaf, target));
        let direct = Builder::new(self.out).expr(Expr::Load(shadow.clone()), ty);
        if may_alias || self.is_conditional(value, target) {
            let saved = self.temporaries.take(self.out, ty);
            let seed = Builder::new(self.out).load(saved);
            let pieces = self.pieces(target, value, seed);
            let mut block = vec![Builder::new(self.out).assign(Access::whole(saved), direct)];
            // Where the target enters as a term its adjoint stays as it is.
            let own: Vec<&Piece> = pieces
                .iter()
                .filter(|piece| self.adds_to(piece, &shadow))
                .collect();
            let stays = matches!(own.as_slice(), [Piece::Add { value, .. }]
                if matches!(self.out.expr(*value), Expr::Load(access) if access.var == saved));
            if stays {
                let others = pieces
                    .into_iter()
                    .filter(|piece| !self.adds_to(piece, &shadow))
                    .collect();
                block.extend(self.emit(others));
            } else {
                block.push(Builder::new(self.out).assign(shadow, zero));
                block.extend(self.emit(pieces));
            }
            return block;
        }
        let has_self = !self_reads.is_empty();
        let pieces = self.pieces(target, value, direct);
        let (own, others): (Vec<Piece>, Vec<Piece>) = pieces
            .into_iter()
            .partition(|piece| self.adds_to(piece, &shadow));
        let mut block = self.emit(others);
        if !has_self {
            block.push(Builder::new(self.out).assign(shadow, zero));
            return block;
        }
        let mut sum: Option<ExprId> = None;
        for piece in own {
            if let Piece::Add { value, .. } = piece {
                sum = Some(match sum {
                    None => value,
                    Some(sum) => Builder::new(self.out).add(sum, value),
                });
            }
        }
        let sum = sum.unwrap_or(zero);
        if !matches!(self.out.expr(sum), Expr::Load(access) if self.out.same_access(access, &shadow))
        {
            block.push(Builder::new(self.out).assign(shadow, sum));
        }
        block
    }

    /// The assignment of a whole record, component by component.
    fn reverse_record(&mut self, shadow: &Access, value: ExprId, ty: Type) -> Vec<StmtId> {
        let source = match self.out.expr(value) {
            Expr::Load(source) => self.shadow_of(&source.clone()),
            _ => None,
        };
        let module = self.module;
        let temporaries = &mut *self.temporaries;
        let block = records::for_each_leaf(self.out, module, shadow, ty, &mut |out, leaf, ty| {
            let Some(source) = &source else {
                return records::zero(out, leaf, ty);
            };
            let kept = Access::whole(temporaries.take(out, ty));
            let mut b = Builder::new(out);
            let adjoint = b.expr(Expr::Load(leaf.clone()), ty);
            let mut block = vec![b.assign(kept.clone(), adjoint)];
            block.extend(records::zero(out, leaf, ty));
            let target = records::counterpart(leaf, shadow, source);
            block.push(records::add(out, &target, &kept, ty));
            block
        });
        block.unwrap_or_default()
    }

    /// The statements that add `seed`, the adjoint of the value of `e`, to the shadows of what `e`
    /// reads.
    pub fn reverse_expression(&mut self, e: ExprId, seed: ExprId) -> Vec<StmtId> {
        if !self.is_active(e) {
            return Vec::new();
        }
        let nowhere = Access::whole(VarId::from_index(u32::MAX as usize - 1));
        let pieces = self.pieces(&nowhere, e, seed);
        self.emit(pieces)
    }

    fn adds_to(&self, piece: &Piece, shadow: &Access) -> bool {
        matches!(piece, Piece::Add { shadow: to, .. } if self.out.same_access(to, shadow))
    }

    /// The shadow of a place, if its variable has one.
    pub fn shadow_of(&self, place: &Access) -> Option<Access> {
        self.shadows.get(&place.var).map(|&var| Access {
            var,
            path: place.path.clone(),
        })
    }

    fn is_active_leaf(&self, e: ExprId) -> bool {
        matches!(self.out.expr(e), Expr::Load(access)
            if self.out.exprs[e].ty.is_differentiable() && self.shadows.contains_key(&access.var))
    }

    fn is_active(&self, e: ExprId) -> bool {
        if self.is_active_leaf(e) {
            return true;
        }
        if let Some(&known) = self.known_active.borrow().get(&e) {
            return known;
        }
        let is_active = match Op::of(self.out.expr(e)) {
            Some((_, operands)) => {
                self.out.exprs[e].ty.is_differentiable()
                    && operands.into_iter().any(|operand| self.is_active(operand))
            }
            None => false,
        };
        self.known_active.borrow_mut().insert(e, is_active);
        is_active
    }

    fn active_leaves(&self, e: ExprId) -> Vec<Access> {
        if self.is_active_leaf(e) {
            return match self.out.expr(e) {
                Expr::Load(access) => vec![access.clone()],
                _ => Vec::new(),
            };
        }
        match Op::of(self.out.expr(e)) {
            Some((_, operands)) if self.is_active(e) => operands
                .into_iter()
                .flat_map(|operand| self.active_leaves(operand))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the target itself is read below an operation whose derivative has a condition.
    fn is_conditional(&self, e: ExprId, target: &Access) -> bool {
        let Some((op, operands)) = Op::of(self.out.expr(e)) else {
            return false;
        };
        let reads_target = |site: &Self, e: ExprId| {
            site.active_leaves(e)
                .iter()
                .any(|leaf| site.out.same_access(leaf, target))
        };
        let straight = matches!(
            op,
            Op::Unary(_)
                | Op::Convert
                | Op::Binary(
                    contraflow_ir::BinaryOp::Add
                        | contraflow_ir::BinaryOp::Subtract
                        | contraflow_ir::BinaryOp::Multiply
                        | contraflow_ir::BinaryOp::Divide
                )
        );
        operands.into_iter().any(|operand| {
            self.is_active(operand)
                && reads_target(self, operand)
                && (!straight || self.is_conditional(operand, target))
        })
    }

    fn pieces(&mut self, target: &Access, value: ExprId, seed: ExprId) -> Vec<Piece> {
        let mut walk = Walk {
            target: target.clone(),
            root: value,
            values: BTreeMap::new(),
        };
        let mut pieces = Vec::new();
        self.compute_wanted(&mut walk, value, &mut pieces);
        self.descend(&walk, value, seed, &mut pieces);
        pieces
    }

    /// Puts the values of inner operations that rules want into temporaries.
    fn compute_wanted(&mut self, walk: &mut Walk, root: ExprId, pieces: &mut Vec<Piece>) {
        let mut wanted = Vec::new();
        self.find_wanted(root, root, &mut wanted);
        wanted.sort_unstable_by_key(|&(depth, _)| std::cmp::Reverse(depth));
        let mut order = Vec::new();
        self.post_order(root, &mut order);
        for e in order {
            if wanted.iter().any(|&(_, w)| w == e) && !walk.values.contains_key(&e) {
                let ty = self.out.exprs[e].ty;
                let value = self.value(walk, e);
                let temporary = self.temporaries.take(self.out, ty);
                pieces.push(Piece::Set { temporary, value });
                walk.values.insert(e, temporary);
            }
        }
    }

    fn post_order(&self, e: ExprId, order: &mut Vec<ExprId>) {
        if let Some((op, operands)) = Op::of(self.out.expr(e)) {
            if op != Op::Select {
                for operand in operands {
                    self.post_order(operand, order);
                }
            }
            order.push(e);
        }
    }

    fn find_wanted(&self, root: ExprId, e: ExprId, wanted: &mut Vec<(usize, ExprId)>) {
        let Some((op, operands)) = Op::of(self.out.expr(e)) else {
            return;
        };
        for (which, &operand) in operands.iter().enumerate() {
            if !self.is_active(operand) {
                continue;
            }
            let needs = rules::needs(self.out, e, which);
            if needs.result && e != root && self.is_work(e) {
                wanted.push((0, e));
            }
            for (index, &other) in operands.iter().enumerate() {
                if needs.operands.get(index) == Some(&true) && self.is_work(other) {
                    wanted.push((0, other));
                }
            }
            // Arms of a choice may be undefined where they are not chosen: no temporaries there.
            if op != Op::Select {
                self.find_wanted(root, operand, wanted);
            }
        }
    }

    /// Whether computing a value again costs more than reading a temporary.
    fn is_work(&self, e: ExprId) -> bool {
        match self.out.expr(e) {
            Expr::Unary(UnaryOp::Negate | UnaryOp::Plus, inner) | Expr::Convert(inner) => {
                self.is_work(*inner)
            }
            other => Op::of(other).is_some(),
        }
    }

    /// An expression for the primal value of `e`, valid in the backward sweep.
    fn value(&mut self, walk: &Walk, e: ExprId) -> ExprId {
        if let Some(&temporary) = walk.values.get(&e) {
            return Builder::new(self.out).load(temporary);
        }
        self.required(e, &|e| walk.values.get(&e).copied())
    }

    /// `e` with every load of what may have changed marked as required before the statement.
    pub fn required(&mut self, e: ExprId, known: &dyn Fn(ExprId) -> Option<VarId>) -> ExprId {
        if let Some(temporary) = known(e) {
            return Builder::new(self.out).load(temporary);
        }
        let node = self.out.exprs[e].clone();
        let expr = match node.expr {
            Expr::Load(access) if !access.path.is_empty() || !(self.is_there)(access.var) => {
                Expr::Required {
                    access,
                    at: self.stmt,
                    after: false,
                }
            }
            Expr::Unary(op, x) => Expr::Unary(op, self.required(x, known)),
            Expr::Convert(x) => Expr::Convert(self.required(x, known)),
            Expr::Binary(op, x, y) => {
                Expr::Binary(op, self.required(x, known), self.required(y, known))
            }
            Expr::Intrinsic(f, arguments) => Expr::Intrinsic(
                f,
                arguments
                    .into_iter()
                    .map(|x| self.required(x, known))
                    .collect(),
            ),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => Expr::Select {
                condition: self.required(condition, known),
                then: self.required(then, known),
                otherwise: self.required(otherwise, known),
            },
            other => other,
        };
        self.out.exprs.add(contraflow_ir::ExprNode { expr, ..node })
    }

    fn descend(&mut self, walk: &Walk, e: ExprId, seed: ExprId, pieces: &mut Vec<Piece>) {
        if self.is_active_leaf(e) {
            if let Expr::Load(access) = self.out.expr(e)
                && let Some(shadow) = self.shadow_of(&access.clone())
            {
                let ty = self.out.exprs[e].ty;
                let value = Builder::new(self.out).convert(seed, ty);
                pieces.push(Piece::Add { shadow, value });
            }
            return;
        }
        let Some((op, operands)) = Op::of(self.out.expr(e)) else {
            return;
        };
        let active: Vec<usize> = (0..operands.len())
            .filter(|&which| self.is_active(operands[which]))
            .collect();
        let seed = if active.len() > 1 && self.is_work(seed) {
            let ty = self.out.exprs[seed].ty;
            let temporary = self.temporaries.take(self.out, ty);
            pieces.push(Piece::Set {
                temporary,
                value: seed,
            });
            Builder::new(self.out).load(temporary)
        } else {
            seed
        };
        let wanted: Vec<rules::Needs> = active
            .iter()
            .map(|&which| rules::needs(self.out, e, which))
            .collect();
        let values: Vec<ExprId> = operands
            .iter()
            .enumerate()
            .map(|(index, &operand)| match self.out.expr(operand) {
                Expr::Integer(_) | Expr::Real(_) => operand,
                // What no derivative uses stands for its type.
                _ if !wanted
                    .iter()
                    .any(|needs| needs.operands.get(index) == Some(&true)) =>
                {
                    operand
                }
                // The old value would have to be kept.
                Expr::Load(access)
                    if e == walk.root
                        && self.out.same_access(access, &walk.target)
                        && rules::told_by_result(self.out, e, index) =>
                {
                    self.result(walk, e)
                }
                _ => self.value(walk, operand),
            })
            .collect();
        let result = match wanted.iter().any(|needs| needs.result) {
            true => self.result(walk, e),
            false => e,
        };
        for which in active {
            let local = rules::partial(&mut Builder::new(self.out), op, &values, result, which);
            if let Some(local) = local {
                self.apply(walk, &local, operands[which], seed, pieces);
            }
        }
    }

    fn result(&mut self, walk: &Walk, e: ExprId) -> ExprId {
        let ty = self.out.exprs[e].ty;
        let is_target = e == walk.root
            && self
                .out
                .variables
                .get(walk.target.var)
                .is_some_and(|v| v.ty == ty || !walk.target.path.is_empty());
        if is_target {
            let required = Expr::Required {
                access: walk.target.clone(),
                at: self.stmt,
                after: true,
            };
            return Builder::new(self.out).expr(required, ty);
        }
        self.value(walk, e)
    }

    fn apply(
        &mut self,
        walk: &Walk,
        local: &Local,
        operand: ExprId,
        seed: ExprId,
        pieces: &mut Vec<Piece>,
    ) {
        if local.is_zero() {
            return;
        }
        if let Local::Guarded {
            condition,
            then,
            otherwise,
        } = local
        {
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            self.apply(walk, then, operand, seed, &mut yes);
            self.apply(walk, otherwise, operand, seed, &mut no);
            push_when(pieces, *condition, yes, no);
            return;
        }
        let ty = self.out.exprs[operand].ty;
        let adjoint = local.adjoint(&mut Builder::new(self.out), seed, ty);
        let Some(adjoint) = adjoint else { return };
        if local.is_singular() {
            let condition = rules::is_nonzero(&mut Builder::new(self.out), seed);
            let mut guarded = Vec::new();
            self.descend(walk, operand, adjoint, &mut guarded);
            push_when(pieces, condition, guarded, Vec::new());
        } else {
            self.descend(walk, operand, adjoint, pieces);
        }
    }

    fn emit(&mut self, pieces: Vec<Piece>) -> Vec<StmtId> {
        let mut block = Vec::new();
        let mut sums: Vec<(Access, ExprId)> = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Add { shadow, value } => {
                    let known = sums
                        .iter()
                        .position(|(place, _)| self.out.same_access(place, &shadow));
                    match known {
                        Some(position) => {
                            let sum = Builder::new(self.out).add(sums[position].1, value);
                            sums[position].1 = sum;
                        }
                        None => sums.push((shadow, value)),
                    }
                }
                Piece::Set { temporary, value } => {
                    block.push(Builder::new(self.out).assign(Access::whole(temporary), value))
                }
                Piece::When {
                    condition,
                    then,
                    otherwise,
                } => {
                    let then = self.emit(then);
                    let otherwise = self.emit(otherwise);
                    block.push(Builder::new(self.out).if_else(condition, then, otherwise));
                }
            }
        }
        for (shadow, value) in sums {
            let ty = self.out.exprs[value].ty;
            let mut b = Builder::new(self.out);
            let old = b.expr(Expr::Load(shadow.clone()), ty);
            let sum = b.add(old, value);
            block.push(b.assign(shadow, sum));
        }
        block
    }
}

/// The state of one walk over an expression.
struct Walk {
    target: Access,
    root: ExprId,
    values: BTreeMap<ExprId, VarId>,
}

fn push_when(pieces: &mut Vec<Piece>, condition: ExprId, then: Vec<Piece>, otherwise: Vec<Piece>) {
    if !then.is_empty() || !otherwise.is_empty() {
        pieces.push(Piece::When {
            condition,
            then,
            otherwise,
        });
    }
}

/// All primal values that statements of the backward sweep use, read off their expressions.
pub fn required_in(out: &Procedure, block: &[StmtId]) -> Vec<crate::analysis::Use> {
    let mut uses = Vec::new();
    let mut roots = Vec::new();
    out.walk_block(block, &mut |stmt| {
        roots.extend(out.stmt(stmt).expressions());
        if let Stmt::Call { .. } = out.stmt(stmt) {}
    });
    for root in roots {
        out.walk_expr(root, &mut |e| {
            if let Expr::Required { access, at, after } = out.expr(e) {
                uses.push(crate::analysis::Use {
                    access: access.clone(),
                    at: *at,
                    after: *after,
                });
            }
        });
    }
    uses
}
