//! Ways through a procedure: the children of a node, and all nodes below it. There is no visitor
//! framework; these return ids or call a closure.

use crate::expr::{Access, Expr, ExprId, Selector};
use crate::module::{Procedure, ProcedureId};
use crate::stmt::{Argument, Block, CaseLabel, Stmt, StmtId};
use crate::types::VarId;

impl Expr {
    /// The operands, in order of evaluation; subscripts of accesses among them.
    pub fn children(&self) -> Vec<ExprId> {
        match self {
            Expr::Integer(_) | Expr::Real(_) | Expr::Logical(_) | Expr::Text(_) => Vec::new(),
            Expr::Load(access) | Expr::Present(access) => access.expressions().collect(),
            Expr::Bound { array, .. } => array.expressions().collect(),
            Expr::Associated { pointer, target } => {
                pointer.expressions().chain(target.expressions()).collect()
            }
            Expr::Required { access, .. } => access.expressions().collect(),
            Expr::Unary(_, operand) | Expr::Convert(operand) => vec![*operand],
            Expr::Binary(_, left, right) => vec![*left, *right],
            Expr::Intrinsic(_, arguments) => arguments.clone(),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => vec![*condition, *then, *otherwise],
            Expr::Range { lower, upper, step } => {
                [*lower, *upper, *step].into_iter().flatten().collect()
            }
            Expr::Opaque { reads, .. } => reads.iter().flat_map(Access::expressions).collect(),
        }
    }
}

impl Access {
    /// The same access with each expression in its path replaced.
    pub fn map(&self, mut f: impl FnMut(ExprId) -> ExprId) -> Access {
        Access {
            var: self.var,
            path: self
                .path
                .iter()
                .map(|selector| match selector {
                    Selector::Index(subscripts) => {
                        Selector::Index(subscripts.iter().map(|&e| f(e)).collect())
                    }
                    Selector::Field(field) => Selector::Field(*field),
                    Selector::Deref => Selector::Deref,
                })
                .collect(),
        }
    }
}

impl Stmt {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Stmt::Loop { body, .. }
            | Stmt::While { body, .. }
            | Stmt::Region { body, .. }
            | Stmt::Labelled { body, .. } => vec![body],
            Stmt::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Stmt::Switch { arms, default, .. } => arms
                .iter()
                .map(|arm| &arm.body)
                .chain(std::iter::once(default))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The blocks directly inside, mutably.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Stmt::Loop { body, .. }
            | Stmt::While { body, .. }
            | Stmt::Region { body, .. }
            | Stmt::Labelled { body, .. } => vec![body],
            Stmt::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Stmt::Switch { arms, default, .. } => arms
                .iter_mut()
                .map(|arm| &mut arm.body)
                .chain(std::iter::once(default))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions that the statement itself evaluates (not those of inner blocks), subscripts
    /// of the places that it writes among them.
    pub fn expressions(&self) -> Vec<ExprId> {
        match self {
            Stmt::Assign { target, value } | Stmt::Fill { target, value } => {
                target.expressions().chain([*value]).collect()
            }
            Stmt::Call {
                arguments, result, ..
            } => arguments
                .iter()
                .flat_map(argument_expressions)
                .chain(result.iter().flat_map(Access::expressions))
                .collect(),
            Stmt::Loop {
                lower, upper, step, ..
            } => vec![*lower, *upper, *step],
            Stmt::While { condition, .. } | Stmt::If { condition, .. } => vec![*condition],
            Stmt::Switch { selector, arms, .. } => std::iter::once(*selector)
                .chain(arms.iter().flat_map(|arm| {
                    arm.labels.iter().flat_map(|label| match *label {
                        CaseLabel::Value(value) => vec![value],
                        CaseLabel::Range(lower, upper) => {
                            [lower, upper].into_iter().flatten().collect()
                        }
                    })
                }))
                .collect(),
            Stmt::Allocate { target, shape, .. } => target
                .expressions()
                .chain(
                    shape
                        .iter()
                        .flat_map(|(lower, extent)| lower.iter().copied().chain([*extent])),
                )
                .collect(),
            Stmt::Free { target } => target.expressions().collect(),
            Stmt::PointerAssign {
                target,
                value,
                offset,
                bounds,
                ..
            } => target
                .expressions()
                .chain(value.iter().flat_map(Access::expressions))
                .chain(*offset)
                .chain(
                    bounds
                        .iter()
                        .flat_map(|&(lower, upper)| [lower].into_iter().chain(upper)),
                )
                .collect(),
            Stmt::Copy { target, source } => {
                target.expressions().chain(source.expressions()).collect()
            }
            Stmt::Push { value, .. } | Stmt::Stop { value, .. } => vec![*value],
            Stmt::Pop { target, .. } => target.expressions().collect(),
            Stmt::Opaque { reads, writes, .. } => reads
                .iter()
                .chain(writes)
                .flat_map(Access::expressions)
                .collect(),
            Stmt::Region { .. } | Stmt::Labelled { .. } | Stmt::Jump(_) | Stmt::Comment(_) => {
                Vec::new()
            }
        }
    }
}

fn argument_expressions(argument: &Argument) -> Vec<ExprId> {
    match argument {
        Argument::Value(value) => vec![*value],
        Argument::Place(place) => place.expressions().collect(),
        Argument::Procedure(_) | Argument::Absent => Vec::new(),
        Argument::Opaque { reads, .. } => reads.iter().flat_map(Access::expressions).collect(),
    }
}

impl Procedure {
    /// The statement of an id.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id].stmt
    }

    /// The expression of an id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id].expr
    }

    /// Calls `f` for each statement of `block` and below, in textual order, outer before inner.
    pub fn walk_block(&self, block: &[StmtId], f: &mut impl FnMut(StmtId)) {
        let mut pending: Vec<StmtId> = block.iter().rev().copied().collect();
        while let Some(id) = pending.pop() {
            f(id);
            let inner: Vec<StmtId> = self
                .stmt(id)
                .blocks()
                .into_iter()
                .flatten()
                .copied()
                .collect();
            pending.extend(inner.into_iter().rev());
        }
    }

    /// All statements of the body, in textual order, outer before inner.
    pub fn all_statements(&self) -> Vec<StmtId> {
        let mut all = Vec::new();
        self.walk_block(&self.body, &mut |id| all.push(id));
        all
    }

    /// The constant that is the name of a procedure here, if there is one.
    pub fn name_of_procedure(&self, id: ProcedureId) -> Option<VarId> {
        let mut variables = self.variables.iter();
        let named = variables.find(|(_, variable)| variable.named_procedure() == Some(id));
        named.map(|(var, _)| var)
    }

    /// The procedures whose addresses are taken: those passed as arguments, and those that pointers are let
    /// point to or compared with. Who calls through a pointer may call them.
    pub fn handed_on(&self) -> Vec<ProcedureId> {
        let mut found = Vec::new();
        let named = |access: &Access| self.variables.get(access.var)?.named_procedure();
        for id in self.all_statements() {
            let stmt = self.stmt(id);
            match stmt {
                Stmt::Call { arguments, .. } => {
                    found.extend(arguments.iter().filter_map(|argument| match argument {
                        Argument::Procedure(procedure) => Some(*procedure),
                        _ => None,
                    }));
                }
                Stmt::PointerAssign {
                    value: Some(value), ..
                } => found.extend(named(value)),
                _ => {}
            }
            for e in stmt.expressions() {
                found.extend(self.reads_of_expr(e).into_iter().filter_map(named));
            }
        }
        found
    }

    /// Calls `f` for `root` and each expression below it, operands after their operation.
    pub fn walk_expr(&self, root: ExprId, f: &mut impl FnMut(ExprId)) {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            f(id);
            pending.extend(self.expr(id).children().into_iter().rev());
        }
    }

    /// The accesses that evaluating `root` reads: loads, loads in subscripts, what opaque text
    /// reads. Bounds and presence read no values.
    pub fn reads_of_expr(&self, root: ExprId) -> Vec<&Access> {
        let mut reads = Vec::new();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            match self.expr(id) {
                Expr::Load(access) | Expr::Required { access, .. } => reads.push(access),
                Expr::Opaque { reads: quoted, .. } => reads.extend(quoted),
                _ => {}
            }
            pending.extend(self.expr(id).children().into_iter().rev());
        }
        reads
    }

    /// Whether two expressions have the same shape and leaves.
    pub fn same_expr(&self, a: ExprId, b: ExprId) -> bool {
        if a == b {
            return true;
        }
        let (left, right) = (&self.exprs[a], &self.exprs[b]);
        if left.ty != right.ty {
            return false;
        }
        match (&left.expr, &right.expr) {
            (Expr::Load(x), Expr::Load(y)) | (Expr::Present(x), Expr::Present(y)) => {
                self.same_access(x, y)
            }
            (Expr::Unary(p, x), Expr::Unary(q, y)) => p == q && self.same_expr(*x, *y),
            (Expr::Convert(x), Expr::Convert(y)) => self.same_expr(*x, *y),
            (Expr::Binary(p, x, u), Expr::Binary(q, y, v)) => {
                p == q && self.same_expr(*x, *y) && self.same_expr(*u, *v)
            }
            (Expr::Intrinsic(p, x), Expr::Intrinsic(q, y)) => {
                p == q && x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.same_expr(x, y))
            }
            (
                Expr::Select {
                    condition: c,
                    then: t,
                    otherwise: o,
                },
                Expr::Select {
                    condition: d,
                    then: u,
                    otherwise: p,
                },
            ) => self.same_expr(*c, *d) && self.same_expr(*t, *u) && self.same_expr(*o, *p),
            (
                Expr::Bound {
                    array: x,
                    kind: p,
                    dim: m,
                },
                Expr::Bound {
                    array: y,
                    kind: q,
                    dim: n,
                },
            ) => p == q && m == n && self.same_access(x, y),
            (
                Expr::Associated {
                    pointer: p,
                    target: t,
                },
                Expr::Associated {
                    pointer: q,
                    target: u,
                },
            ) => self.same_access(p, q) && self.same_access(t, u),
            (
                Expr::Required {
                    access: x,
                    at: p,
                    after: m,
                },
                Expr::Required {
                    access: y,
                    at: q,
                    after: n,
                },
            ) => p == q && m == n && self.same_access(x, y),
            (left, right) => left == right,
        }
    }

    /// Whether two accesses are written alike (equal subscripts give equal places).
    pub fn same_access(&self, a: &Access, b: &Access) -> bool {
        a.var == b.var
            && a.path.len() == b.path.len()
            && a.path.iter().zip(&b.path).all(|pair| match pair {
                (Selector::Index(x), Selector::Index(y)) => {
                    x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.same_expr(x, y))
                }
                (x, y) => x == y,
            })
    }
}
