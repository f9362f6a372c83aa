//! WHERE.

use super::{Element, Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Tree};
use crate::syntax::Kind;
use crate::syntax::blocks::{Construct, Node};
use crate::view::Slice;
use contraflow_ir::{BinaryOp, Expr, ExprId, Stmt, Type, UnaryOp, VarId};
use std::sync::Arc;

/// A mask that holds or must not hold.
#[derive(Clone)]
struct Mask {
    tree: Arc<Tree>,
    node: NodeId,
    /// Its values, where they must be kept.
    kept: Option<VarId>,
    negated: bool,
}

impl Lowerer<'_> {
    /// `WHERE (mask) target = value`
    pub(super) fn one_line_where(&mut self, mask: Slice, action: &Kind) -> Fallible<()> {
        let Kind::Assignment { target, value } = action else {
            return refuse("WHERE of something other than an assignment");
        };
        self.single_where(mask, *target, *value, &[])
    }

    /// An assignment under a mask of its own and those around it.
    fn single_where(
        &mut self,
        mask: Slice,
        target: Slice,
        value: Slice,
        outer: &[Mask],
    ) -> Fallible<()> {
        let tree = self.parse(&[mask, target, value])?;
        let mask = self.only(&tree, 0)?;
        let target = self.only(&tree, 1)?;
        let value = self.only(&tree, 2)?;
        let root = self.root(target)?;
        let kept = self.kept_mask(mask, &[root])?;
        let mut masks = outer.to_vec();
        masks.push(Mask {
            tree: tree.clone(),
            node: mask.node,
            kept,
            negated: false,
        });
        self.masked_assignment(&masks, target, value)
    }

    /// The values of a mask in a temporary, if an assignment under it changes what it reads.
    fn kept_mask(&mut self, mask: Syn, assigned: &[VarId]) -> Fallible<Option<VarId>> {
        self.hoist(mask)?;
        let reads = self.names_below(mask);
        if !assigned.iter().any(|var| reads.contains(var)) {
            return Ok(None);
        }
        let ranges = self.ranges(mask)?;
        let kept = self.temporary_array("mask", Type::LOGICAL, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let value = lowerer.value(mask, at)?;
            let value = lowerer.converted(value, Type::LOGICAL)?;
            let target = lowerer.temporary_element(kept, at);
            lowerer.emit(Stmt::Assign { target, value });
            Ok(())
        })?;
        Ok(Some(kept))
    }

    fn masked_assignment(&mut self, masks: &[Mask], target: Syn, value: Syn) -> Fallible<()> {
        let root = self.root(target)?;
        if self.rank(target)? == 0 {
            return refuse("WHERE assigns to a scalar");
        }
        self.hoist(value)?;
        for mask in masks {
            let tree = mask.tree.clone();
            if mask.kept.is_none() {
                self.hoist(Syn {
                    tree: &tree,
                    node: mask.node,
                })?;
            }
        }
        let ranges = self.ranges(target)?;
        let is_scalar = self.rank(value)? == 0;
        if !self.conflicts(root, target, value)? {
            return self.nest(&ranges, |lowerer, at| {
                lowerer.under(masks, at, |lowerer| {
                    lowerer.assign_element(target, value, at)
                })
            });
        }
        if is_scalar {
            return refuse("WHERE assigns an element of the array itself");
        }
        let ty = self.place(target, &[])?.ty;
        let kept = self.temporary_array("values", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            lowerer.under(masks, at, |lowerer| {
                let value = lowerer.value(value, at)?;
                let value = lowerer.fitting(value, ty)?;
                let target = lowerer.temporary_element(kept, at);
                lowerer.emit(Stmt::Assign { target, value });
                Ok(())
            })
        })?;
        self.nest(&ranges, |lowerer, at| {
            lowerer.under(masks, at, |lowerer| {
                let place = lowerer.place(target, at)?;
                let source = lowerer.temporary_element(kept, at);
                let value = lowerer.add(Expr::Load(source), ty);
                lowerer.emit(Stmt::Assign {
                    target: place.access,
                    value,
                });
                Ok(())
            })
        })
    }

    /// What `f` emits, where all masks hold.
    fn under(
        &mut self,
        masks: &[Mask],
        at: &Element,
        f: impl FnOnce(&mut Self) -> Fallible<()>,
    ) -> Fallible<()> {
        let mut condition: Option<ExprId> = None;
        for mask in masks {
            let value = self.mask_value(mask, at)?;
            condition = Some(match condition {
                None => value,
                Some(before) => self.binary(BinaryOp::And, before, value)?,
            });
        }
        let Some(condition) = condition else {
            return f(self);
        };
        let (then, ()) = self.block(f)?;
        let stmt = self.build().if_else(condition, then, Vec::new());
        self.out.push(stmt);
        Ok(())
    }

    fn mask_value(&mut self, mask: &Mask, at: &Element) -> Fallible<ExprId> {
        let value = match mask.kept {
            Some(kept) => {
                let access = self.temporary_element(kept, at);
                self.add(Expr::Load(access), Type::LOGICAL)
            }
            None => {
                let tree = mask.tree.clone();
                self.value(
                    Syn {
                        tree: &tree,
                        node: mask.node,
                    },
                    at,
                )?
            }
        };
        let ty = self.type_of(value);
        if !matches!(ty, Type::Logical { .. }) {
            return refuse("a mask that is no truth value");
        }
        Ok(if mask.negated {
            self.add(Expr::Unary(UnaryOp::Not, value), ty)
        } else {
            value
        })
    }

    /// The WHERE construct.
    pub(super) fn where_construct(&mut self, construct: &Construct, mask: Slice) -> Fallible<()> {
        let result = self.where_arms(construct, mask, &[]);
        self.hoisted.clear();
        if result.is_ok() {
            self.release();
        } else {
            self.to_free.clear();
        }
        result
    }

    fn where_arms(&mut self, construct: &Construct, mask: Slice, outer: &[Mask]) -> Fallible<()> {
        let mut assigned = Vec::new();
        for arm in &construct.arms {
            self.assigned_roots(&arm.body, &mut assigned)?;
        }
        let mut before: Vec<Mask> = outer.to_vec();
        for (position, arm) in construct.arms.iter().enumerate() {
            let slice = match *self.kind_at(arm.head) {
                Kind::Where { .. } if position == 0 => mask,
                Kind::ElseWhere(slice) => slice,
                _ => return refuse("something other than ELSEWHERE in WHERE"),
            };
            self.statement = arm.head;
            self.span = self.statement_at(arm.head).place();
            let mut masks = before.clone();
            if !slice.is_empty() {
                let tree = self.parse(&[slice])?;
                let e = self.only(&tree, 0)?;
                let kept = self.kept_mask(e, &assigned)?;
                let mask = Mask {
                    tree: tree.clone(),
                    node: e.node,
                    kept,
                    negated: false,
                };
                masks.push(mask.clone());
                before.push(Mask {
                    negated: true,
                    ..mask
                });
            }
            self.where_body(&arm.body, &masks)?;
        }
        Ok(())
    }

    fn assigned_roots(&mut self, nodes: &[Node], found: &mut Vec<VarId>) -> Fallible<()> {
        for node in nodes {
            match node {
                Node::Simple(index) => {
                    let target = match self.kind_at(*index) {
                        Kind::Assignment { target, .. } => *target,
                        Kind::Where {
                            action: Some(action),
                            ..
                        } => match action.as_ref() {
                            Kind::Assignment { target, .. } => *target,
                            _ => continue,
                        },
                        _ => continue,
                    };
                    self.statement = *index;
                    let tree = self.parse(&[target])?;
                    let target = self.only(&tree, 0)?;
                    let root = self.root(target)?;
                    found.push(root);
                }
                Node::Construct(construct) => {
                    for arm in &construct.arms {
                        self.assigned_roots(&arm.body, found)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn where_body(&mut self, nodes: &[Node], masks: &[Mask]) -> Fallible<()> {
        for node in nodes {
            match node {
                Node::Construct(construct) => {
                    let Kind::Where { mask, .. } = *self.kind_at(construct.arms[0].head) else {
                        return refuse("a construct inside WHERE");
                    };
                    self.where_arms(construct, mask, masks)?;
                }
                Node::Simple(index) => {
                    self.statement = *index;
                    self.span = self.statement_at(*index).place();
                    let (target, value) = match self.kind_at(*index) {
                        Kind::Assignment { target, value } => (*target, *value),
                        Kind::Where {
                            mask,
                            action: Some(action),
                        } if let Kind::Assignment { target, value } = **action => {
                            self.single_where(*mask, target, value, masks)?;
                            continue;
                        }
                        _ => return refuse("something other than an assignment in WHERE"),
                    };
                    let tree = self.parse(&[target, value])?;
                    let target = self.only(&tree, 0)?;
                    let value = self.only(&tree, 1)?;
                    self.masked_assignment(masks, target, value)?;
                }
            }
        }
        Ok(())
    }
}
