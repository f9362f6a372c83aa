//! The callee's statements and expressions in terms of the caller.

use contraflow_ir::{
    Access, Allocation, Argument, Block, Callee, CaseArm, CaseLabel, Expr, ExprId, ExprNode,
    Selector, Stmt, StmtId, VarId,
};

use super::copy::{Copying, Stand};

impl Copying<'_> {
    fn path(&mut self, path: &[Selector]) -> Option<Vec<Selector>> {
        path.iter()
            .map(|selector| {
                Some(match selector {
                    Selector::Index(subscripts) => Selector::Index(
                        subscripts
                            .iter()
                            .map(|&e| self.expr(e))
                            .collect::<Option<_>>()?,
                    ),
                    Selector::Field(field) => Selector::Field(*field),
                    Selector::Deref => Selector::Deref,
                })
            })
            .collect()
    }

    fn access(&mut self, access: &Access) -> Option<Access> {
        let path = self.path(&access.path)?;
        let first_is_zero = matches!(path.first(), Some(Selector::Index(subscripts))
            if matches!(subscripts.as_slice(), [e] if matches!(self.out.expr(*e), Expr::Integer(0))));
        Some(match self.stands.get(&access.var)?.clone() {
            Stand::Variable(var) => Access { var, path },
            Stand::Place(mut place) => {
                place.path.extend(path.into_iter().skip(1));
                place
            }
            Stand::Pointer(var) => {
                let mut whole = vec![Selector::Deref];
                whole.extend(path.into_iter().skip(usize::from(first_is_zero)));
                Access { var, path: whole }
            }
            Stand::Object(mut place) => {
                let is_section = matches!(place.path.last(), Some(Selector::Index(subscripts))
                    if subscripts.iter().any(|&e| matches!(self.out.expr(e), Expr::Range { .. })));
                if is_section && !path.is_empty() {
                    return None;
                }
                place.path.extend(path);
                place
            }
            Stand::Pointed(place, _) if path.is_empty() => place,
            Stand::Value(_) | Stand::Pointed(..) => return None,
        })
    }

    /// An expression.
    pub fn expr(&mut self, e: ExprId) -> Option<ExprId> {
        let node = self.source.exprs[e].clone();
        let expr = match node.expr {
            Expr::Load(access) => match self.stands.get(&access.var) {
                Some(Stand::Value(value)) if access.path.is_empty() => return Some(*value),
                _ => Expr::Load(self.access(&access)?),
            },
            Expr::Present(access) => match self.stands.get(&access.var) {
                Some(Stand::Pointer(var)) if access.path.is_empty() => {
                    Expr::Present(Access::whole(*var))
                }
                Some(Stand::Place(_)) if access.path.is_empty() => Expr::Logical(true),
                Some(Stand::Object(_))
                    if access.path.is_empty()
                        && self.source.variables[access.var].allocation == Allocation::Fixed =>
                {
                    Expr::Logical(true)
                }
                Some(Stand::Variable(var))
                    if access.path.is_empty()
                        && self.source.variables[access.var].is_array()
                        && !crate::links::is_pointer(self.out, *var)
                        && !self.out.variables[*var].optional =>
                {
                    Expr::Logical(true)
                }
                _ => Expr::Present(self.access(&access)?),
            },
            Expr::Unary(op, a) => Expr::Unary(op, self.expr(a)?),
            Expr::Convert(a) => Expr::Convert(self.expr(a)?),
            Expr::Binary(op, a, b) => Expr::Binary(op, self.expr(a)?, self.expr(b)?),
            Expr::Intrinsic(f, arguments) => Expr::Intrinsic(
                f,
                arguments
                    .into_iter()
                    .map(|e| self.expr(e))
                    .collect::<Option<_>>()?,
            ),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => Expr::Select {
                condition: self.expr(condition)?,
                then: self.expr(then)?,
                otherwise: self.expr(otherwise)?,
            },
            Expr::Range { lower, upper, step } if !self.source.scalars_by_value => {
                let mut end = |e: Option<ExprId>| match e {
                    Some(e) => self.expr(e).map(Some),
                    None => Some(None),
                };
                Expr::Range {
                    lower: end(lower)?,
                    upper: end(upper)?,
                    step: end(step)?,
                }
            }
            Expr::Bound { array, kind, dim } if !self.source.scalars_by_value => Expr::Bound {
                array: self.access(&array)?,
                kind,
                dim,
            },
            Expr::Associated { pointer, target } if !self.source.scalars_by_value => {
                Expr::Associated {
                    pointer: self.access(&pointer)?,
                    target: self.access(&target)?,
                }
            }
            Expr::Range { .. }
            | Expr::Bound { .. }
            | Expr::Associated { .. }
            | Expr::Required { .. } => return None,
            literal @ (Expr::Integer(_)
            | Expr::Real(_)
            | Expr::Logical(_)
            | Expr::Text(_)
            | Expr::Opaque { .. }) => literal,
        };
        Some(self.out.exprs.add(ExprNode { expr, ..node }))
    }

    /// Adds the statements of a block; `None` where one has no counterpart.
    pub fn block_of(&mut self, block: &[StmtId]) -> Option<()> {
        for &stmt in block {
            let node = self.source.stmts[stmt].clone();
            let stmt = self.stmt(node.stmt)?;
            self.emit(stmt, node.span);
        }
        Some(())
    }

    fn inner(&mut self, block: &[StmtId]) -> Option<Block> {
        let outer = std::mem::take(&mut self.block);
        let done = self.block_of(block);
        let inner = std::mem::replace(&mut self.block, outer);
        done.map(|()| inner)
    }

    fn variable(&self, var: VarId) -> Option<VarId> {
        match self.stands.get(&var)? {
            Stand::Variable(var) => Some(*var),
            _ => None,
        }
    }

    fn stmt(&mut self, stmt: Stmt) -> Option<Stmt> {
        Some(match stmt {
            Stmt::Assign { target, value } => {
                let value = self.expr(value)?;
                let target = self.access(&target)?;
                Stmt::Assign { target, value }
            }
            Stmt::Fill { target, value } => Stmt::Fill {
                target: self.access(&target)?,
                value: self.expr(value)?,
            },
            Stmt::Copy { target, source } => Stmt::Copy {
                target: self.access(&target)?,
                source: self.access(&source)?,
            },
            Stmt::Allocate {
                target,
                shape,
                zeroed,
            } => Stmt::Allocate {
                target: self.access(&target)?,
                shape: shape
                    .into_iter()
                    .map(|(lower, extent)| {
                        let lower = match lower {
                            Some(lower) => Some(self.expr(lower)?),
                            None => None,
                        };
                        Some((lower, self.expr(extent)?))
                    })
                    .collect::<Option<_>>()?,
                zeroed,
            },
            Stmt::Free { target } => match self.stands.get(&target.var).cloned() {
                Some(Stand::Pointer(var)) if target.path.is_empty() => Stmt::Free {
                    target: Access::whole(var),
                },
                Some(Stand::Place(_)) if target.path.is_empty() => return None,
                _ => Stmt::Free {
                    target: self.access(&target)?,
                },
            },
            Stmt::PointerAssign {
                target,
                value,
                is_pointer,
                offset,
                bounds,
            } => {
                let lowers = value
                    .as_ref()
                    .and_then(|value| match self.stands.get(&value.var) {
                        Some(Stand::Pointed(_, lowers)) if bounds.is_empty() => {
                            Some(lowers.clone())
                        }
                        _ => None,
                    });
                let value = match value {
                    Some(value) => Some(self.access(&value)?),
                    None => None,
                };
                // A pointer may have been passed for an array, or a component for a pointer.
                let is_pointer = match &value {
                    Some(value) if !self.source.scalars_by_value => {
                        let variable = &self.out.variables[value.var];
                        value.path.is_empty() && variable.allocation == Allocation::Pointer
                    }
                    _ => is_pointer,
                };
                let offset = match offset {
                    Some(offset) => Some(self.expr(offset)?),
                    None => None,
                };
                let mut stated = Vec::new();
                for lower in lowers.into_iter().flatten() {
                    let lower = contraflow_ir::Builder::new(self.out).int(lower.into());
                    stated.push((lower, None));
                }
                for (lower, upper) in bounds {
                    let upper = match upper {
                        Some(upper) => Some(self.expr(upper)?),
                        None => None,
                    };
                    stated.push((self.expr(lower)?, upper));
                }
                Stmt::PointerAssign {
                    target: self.access(&target)?,
                    value,
                    is_pointer,
                    offset,
                    bounds: stated,
                }
            }
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                label: None,
                ..
            } => Stmt::Loop {
                variable: self.variable(variable)?,
                lower: self.expr(lower)?,
                upper: self.expr(upper)?,
                step: self.expr(step)?,
                body: self.inner(&body)?,
                label: None,
                directive: None,
            },
            Stmt::While {
                condition,
                body,
                label: None,
            } => Stmt::While {
                condition: self.expr(condition)?,
                body: self.inner(&body)?,
                label: None,
            },
            Stmt::If {
                condition,
                then,
                otherwise,
            } => Stmt::If {
                condition: self.expr(condition)?,
                then: self.inner(&then)?,
                otherwise: self.inner(&otherwise)?,
            },
            Stmt::Switch {
                selector,
                arms,
                default,
            } => Stmt::Switch {
                selector: self.expr(selector)?,
                arms: arms
                    .into_iter()
                    .map(|arm| self.arm(arm))
                    .collect::<Option<_>>()?,
                default: self.inner(&default)?,
            },
            Stmt::Region { directive, body } => Stmt::Region {
                directive,
                body: self.inner(&body)?,
            },
            Stmt::Call {
                callee: callee @ (Callee::Procedure(_) | Callee::External(_)),
                arguments,
                result,
            } => Stmt::Call {
                callee,
                arguments: arguments
                    .iter()
                    .map(|argument| self.argument(argument))
                    .collect::<Option<_>>()?,
                result: match result {
                    Some(result) => Some(self.access(&result)?),
                    None => None,
                },
            },
            quoted @ (Stmt::Opaque { .. } | Stmt::Comment(_)) => quoted,
            Stmt::Call { .. }
            | Stmt::Loop { .. }
            | Stmt::While { .. }
            | Stmt::Push { .. }
            | Stmt::Pop { .. }
            | Stmt::Labelled { .. }
            | Stmt::Stop { .. }
            | Stmt::Jump(_) => return None,
        })
    }

    fn arm(&mut self, arm: CaseArm) -> Option<CaseArm> {
        let mut labels = Vec::new();
        for label in arm.labels {
            labels.push(match label {
                CaseLabel::Value(value) => CaseLabel::Value(self.expr(value)?),
                CaseLabel::Range(..) => return None,
            });
        }
        let body = self.inner(&arm.body)?;
        Some(CaseArm { labels, body })
    }

    fn argument(&mut self, argument: &Argument) -> Option<Argument> {
        Some(match argument {
            Argument::Value(value) => Argument::Value(self.expr(*value)?),
            Argument::Place(place) => Argument::Place(self.access(place)?),
            Argument::Procedure(id) => Argument::Procedure(*id),
            Argument::Absent => Argument::Absent,
            Argument::Opaque { .. } => return None,
        })
    }
}
