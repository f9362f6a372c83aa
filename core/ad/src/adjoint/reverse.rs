//! The backward statements of each primal statement, and the primal values that they use.

use std::cell::RefCell;
use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Allocation, Argument, Builder, Callee, Expr, ExprId, Procedure, Role, Stmt, StmtId,
    Type, VarId,
};

use super::calls::CalleeAdjoint;
use super::emit::SplitCall;
use super::local::{self, Site};
use super::{Order, emit, refuse, tape};
use crate::analysis::{Dependence, Tree, Use};
use crate::links;
use crate::temporaries::Temporaries;

/// Reverses each statement by itself.
pub fn reverse_statements(
    order: &Order<'_>,
    tree: &Tree,
    dependence: &Dependence<'_>,
    out: &mut Procedure,
    shadows: &BTreeMap<VarId, VarId>,
    split: &BTreeMap<StmtId, SplitCall>,
) -> BTreeMap<StmtId, Vec<StmtId>> {
    let primal = &order.module.procedures[order.id];
    let mut temporaries = Temporaries::default();
    let mut reverse = BTreeMap::new();
    for stmt in primal.all_statements() {
        temporaries.release();
        let is_there = |var: VarId| is_always_there(primal, tree, stmt, var);
        let mut site = Site {
            module: order.module,
            out: &mut *out,
            dependence,
            shadows,
            temporaries: &mut temporaries,
            stmt,
            is_there: &is_there,
            known_active: RefCell::default(),
        };
        let block = match primal.stmt(stmt) {
            Stmt::Assign { target, value } if order.specialisation.useless.contains(&stmt) => {
                site.reverse_useless(target, *value)
            }
            Stmt::Assign { target, value } => site.reverse_assignment(target, *value),
            Stmt::Fill { target, value } => match site.shadow_of(target) {
                Some(shadow) => {
                    let ty = primal.exprs[*value].ty;
                    let mut b = Builder::new(site.out);
                    let value = b.zero(ty);
                    vec![b.stmt(Stmt::Fill {
                        target: shadow,
                        value,
                    })]
                }
                None => Vec::new(),
            },
            Stmt::Call {
                callee: primal_callee,
                arguments,
                result,
            } => {
                let mut block = zeroed_by_call(&mut site, order, stmt);
                if let Some(callee) = order.callees.get(&stmt) {
                    let callee = &backward_callee(callee, split.get(&stmt));
                    let reached: Vec<bool> = arguments
                        .iter()
                        .map(|argument| match (primal_callee, argument) {
                            (Callee::Procedure(id), Argument::Place(place)) => {
                                refuse::is_reached(order, *id, place.var)
                            }
                            _ => false,
                        })
                        .collect();
                    block.extend(site.reverse_call(callee, arguments, &reached, result.as_ref()));
                }
                block
            }
            _ => Vec::new(),
        };
        reverse.insert(stmt, block);
    }
    reverse
}

fn backward_callee(joint: &CalleeAdjoint, split: Option<&SplitCall>) -> CalleeAdjoint {
    match split {
        None => joint.clone(),
        Some(split) => CalleeAdjoint {
            procedure: split.callee.backward,
            is_split: true,
            ..joint.clone()
        },
    }
}

/// Zeroes the shadows of what a call overwrites with passive values: it has no influence from there
/// back.
fn zeroed_by_call(site: &mut Site<'_, '_>, order: &Order<'_>, stmt: StmtId) -> Vec<StmtId> {
    let mut block = Vec::new();
    let reshapes = order.effects.stmt(order.module, order.id, stmt).reshapes;
    for place in order.specialisation.zeroed.get(&stmt).into_iter().flatten() {
        let Some(shadow) = site.shadow_of(place) else {
            continue;
        };
        // Where there is none, the call leaves none.
        let is_moved = site.out.variables[place.var].allocation != Allocation::Fixed;
        if reshapes.contains(place) && place.path.is_empty() && is_moved {
            let ty = emit::place_type(order.module, site.out, place);
            let mut b = Builder::new(site.out);
            let there = b.expr(Expr::Present(shadow.clone()), Type::LOGICAL);
            let value = b.zero(ty);
            let fill = Stmt::Fill {
                target: shadow,
                value,
            };
            let fill = b.stmt(fill);
            block.push(b.if_else(there, vec![fill], Vec::new()));
            continue;
        }
        let ty = emit::place_type(order.module, site.out, place);
        let is_array = !tape::is_scalar_place(order.module, site.out, place);
        if is_array && ty.is_differentiable() {
            let mut b = Builder::new(site.out);
            let value = b.zero(ty);
            block.push(b.stmt(Stmt::Fill {
                target: shadow,
                value,
            }));
        } else {
            block.extend(site.zeroed(&shadow, ty));
        }
    }
    block
}

fn is_always_there(primal: &Procedure, tree: &Tree, at: StmtId, var: VarId) -> bool {
    primal.variables.get(var).is_none_or(|variable| {
        variable.is_constant()
            || tree.owners(at).iter().any(|&owner| {
                matches!(primal.stmt(owner), Stmt::Loop { variable, .. } if *variable == var)
            })
    })
}

/// The primal values that the backward statements of each primal statement use: what stands as
/// `Required`, and what subscripts read.
pub fn collect_uses(
    out: &Procedure,
    tree: &Tree,
    reverse: &BTreeMap<StmtId, Vec<StmtId>>,
    order: &Order<'_>,
    split: &BTreeMap<StmtId, SplitCall>,
) -> BTreeMap<StmtId, Vec<Use>> {
    let primal = &order.module.procedures[order.id];
    let mut all = BTreeMap::new();
    for (&stmt, block) in reverse {
        let mut uses: Vec<Use> = Vec::new();
        let mut push = |used: Use| {
            if !is_always_there(primal, tree, stmt, used.access.var) && !uses.contains(&used) {
                uses.push(used);
            }
        };
        for used in local::required_in(out, block) {
            push(used);
        }
        let mut roots: Vec<ExprId> = Vec::new();
        out.walk_block(block, &mut |s| roots.extend(out.stmt(s).expressions()));
        for root in roots {
            out.walk_expr(root, &mut |e| {
                if let Expr::Load(access) = out.expr(e)
                    && out.variables[access.var].role == Role::Primal
                {
                    push(Use {
                        access: access.clone(),
                        at: stmt,
                        after: false,
                    });
                }
            });
        }
        if let Some(target) = links::target_of(primal.stmt(stmt)) {
            for e in target.expressions() {
                for access in primal.reads_of_expr(e) {
                    push(Use {
                        access: access.clone(),
                        at: stmt,
                        after: false,
                    });
                }
            }
        }
        if let Stmt::Call { arguments, .. } = primal.stmt(stmt)
            && order.callees.contains_key(&stmt)
        {
            call_uses(order, stmt, arguments, split.get(&stmt))
                .into_iter()
                .for_each(push);
        }
        if !uses.is_empty() {
            all.insert(stmt, uses);
        }
    }
    all
}

/// What the reversal of a call reads: joint, all that the callee reads, as before the call; split,
/// what the backward sweep alone reads, as after the call.
fn call_uses(
    order: &Order<'_>,
    stmt: StmtId,
    arguments: &[Argument],
    split: Option<&SplitCall>,
) -> Vec<Use> {
    let Some(split) = split else {
        return order
            .effects
            .stmt(order.module, order.id, stmt)
            .reads
            .into_iter()
            .map(|access| Use {
                access,
                at: stmt,
                after: false,
            })
            .collect();
    };
    let primal = &order.module.procedures[order.id];
    arguments
        .iter()
        .zip(&split.callee.split.reads_back)
        .filter_map(|(argument, &reads)| match argument {
            Argument::Place(place) if reads => Some(place),
            _ => None,
        })
        .map(|place| Use {
            access: if primal.variables[place.var].is_array() {
                Access::whole(place.var)
            } else {
                place.clone()
            },
            at: stmt,
            after: true,
        })
        .collect()
}
