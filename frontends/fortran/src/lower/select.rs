//! SELECT CASE.

use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{Syntax, Tree};
use crate::syntax::Kind;
use crate::syntax::blocks::{Arm, Construct};
use crate::view::Slice;
use contraflow_ir::{BinaryOp, Block, CaseArm, CaseLabel, ExprId, Stmt, Type};

impl Lowerer<'_> {
    pub(super) fn select_case(&mut self, construct: &Construct, selector: Slice) -> Fallible<()> {
        let name = self.construct_name(construct);
        let mut failed = None;
        let body = self.enclosed(name, false, true, |lowerer| {
            let arm = |lowerer: &mut Self, arm: &Arm| lowerer.body_of(&arm.body);
            failed = lowerer.switch(construct, selector, arm).err();
        });
        if let Some(refusal) = failed {
            return Err(refusal);
        }
        self.labelled(body.exit, body.block);
        Ok(())
    }

    /// The choice among the arms; `body` says what each of them does.
    pub(super) fn switch(
        &mut self,
        construct: &Construct,
        selector: Slice,
        mut body: impl FnMut(&mut Self, &Arm) -> Block,
    ) -> Fallible<()> {
        let head = construct.arms[0].head;
        self.statement = head;
        self.span = self.statement_at(head).place();
        let span = self.span;
        let tree = self.parse(&[selector])?;
        let selector = self.only(&tree, 0)?;
        let selector = self.value_by_component_types(&mut |lowerer| lowerer.scalar(selector))?;
        let ty = self.type_of(selector);
        if !matches!(
            ty,
            Type::Integer { .. } | Type::Logical { .. } | Type::Character
        ) {
            return refuse("a selector of a type that cannot select");
        }
        let mut arms = Vec::new();
        let mut default = Vec::new();
        for arm in &construct.arms[1..] {
            let Kind::Case(slice) = *self.kind_at(arm.head) else {
                return refuse("something other than CASE in SELECT CASE");
            };
            if slice.is_empty() {
                default = body(self, arm);
                continue;
            }
            self.statement = arm.head;
            self.span = self.statement_at(arm.head).place();
            let tree = self.parse(&[slice])?;
            let labels = self.case_labels(&tree, ty)?;
            let body = body(self, arm);
            arms.push(CaseArm { labels, body });
        }
        self.span = span;
        if ty == Type::Character && self.may_change(selector) {
            return self.conditions(selector, arms, default);
        }
        self.emit(Stmt::Switch {
            selector,
            arms,
            default,
        });
        Ok(())
    }

    /// The choice by characters that may change, as conditions that are all asked ahead.
    fn conditions(&mut self, selector: ExprId, arms: Vec<CaseArm>, default: Block) -> Fallible<()> {
        let mut conditions = Vec::new();
        for arm in &arms {
            let mut fits: Option<ExprId> = None;
            for label in &arm.labels {
                let one = self.label_fits(selector, *label)?;
                fits = Some(match fits {
                    None => one,
                    Some(others) => self.binary(BinaryOp::Or, others, one)?,
                });
            }
            let fits = fits.unwrap_or_else(|| self.build().logical(false));
            conditions.push(self.settled(fits));
        }
        let mut rest = default;
        for (arm, condition) in arms.into_iter().zip(conditions).rev() {
            rest = vec![self.build().if_else(condition, arm.body, rest)];
        }
        self.out.extend(rest);
        Ok(())
    }

    fn label_fits(&mut self, selector: ExprId, label: CaseLabel) -> Fallible<ExprId> {
        let (lower, upper) = match label {
            CaseLabel::Value(value) => return self.binary(BinaryOp::Equal, selector, value),
            CaseLabel::Range(lower, upper) => (lower, upper),
        };
        let above = match lower {
            Some(lower) => self.binary(BinaryOp::GreaterEqual, selector, lower)?,
            None => self.build().logical(true),
        };
        let below = match upper {
            Some(upper) => self.binary(BinaryOp::LessEqual, selector, upper)?,
            None => self.build().logical(true),
        };
        self.binary(BinaryOp::And, above, below)
    }

    fn case_labels(&mut self, tree: &Tree, ty: Type) -> Fallible<Vec<CaseLabel>> {
        tree.roots(0)
            .iter()
            .map(|&node| match *tree.syntax(node) {
                Syntax::Range(lower, upper, None) => {
                    let lower = match lower {
                        Some(node) => Some(self.case_value(Syn { tree, node }, ty)?),
                        None => None,
                    };
                    let upper = match upper {
                        Some(node) => Some(self.case_value(Syn { tree, node }, ty)?),
                        None => None,
                    };
                    Ok(CaseLabel::Range(lower, upper))
                }
                _ => Ok(CaseLabel::Value(self.case_value(Syn { tree, node }, ty)?)),
            })
            .collect()
    }

    fn case_value(&mut self, e: Syn, ty: Type) -> Fallible<ExprId> {
        if ty.is_integer()
            && let Some(value) = self.program.integer_of(self.scope, e.tree, e.node, 0)
        {
            return Ok(self.build().int_of(value, ty));
        }
        let value = self.scalar(e)?;
        self.fitting(value, ty)
    }
}
