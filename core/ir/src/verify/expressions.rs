//! Expressions: that they can be walked, and their types.

use super::{Checker, variables::expressions_of};
use crate::arena::SideTable;
use crate::expr::{BinaryOp, BoundKind, Expr, ExprId, ExprNode, Intrinsic, UnaryOp};
use crate::module::Procedure;
use crate::stmt::{Argument, Stmt, StmtId};
use crate::types::Type;

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}

impl Checker<'_> {
    /// Whether all nodes below the body exist, no expression contains itself, and no statement
    /// stands in two places. Only then can the procedure be walked.
    pub(super) fn reachable_nodes_exist(&mut self) -> bool {
        let before = self.violations.len();
        let mut statements = Vec::new();
        self.reach(
            &self.procedure.body,
            &mut SideTable::new(false),
            &mut statements,
        );
        let mut visits = SideTable::new(Visit::New);
        let variables = self.procedure.variables.iter();
        let roots = variables
            .flat_map(|(_, variable)| expressions_of(variable))
            .chain(
                statements
                    .iter()
                    .flat_map(|&id| self.procedure.stmt(id).expressions()),
            );
        let mut broken = Vec::new();
        for root in roots {
            visit(self.procedure, root, &mut visits, &mut broken);
        }
        for (invariant, id) in broken {
            let message = match invariant {
                1 => format!("expression {id:?} does not exist"),
                _ => format!("expression {id:?} is among its own operands"),
            };
            self.report(invariant, self.procedure.home.span, message);
        }
        self.violations.len() == before
    }

    fn reach(
        &mut self,
        block: &[StmtId],
        seen: &mut SideTable<crate::stmt::StmtNode, bool>,
        all: &mut Vec<StmtId>,
    ) {
        let procedure = self.procedure;
        for &id in block {
            let Some(node) = procedure.stmts.get(id) else {
                self.report(
                    1,
                    procedure.home.span,
                    format!("statement {id:?} does not exist"),
                );
                continue;
            };
            if std::mem::replace(seen.entry(id), true) {
                self.report(
                    3,
                    node.span,
                    format!("statement {id:?} stands in two places"),
                );
                continue;
            }
            all.push(id);
            for inner in node.stmt.blocks() {
                self.reach(inner, seen, all);
            }
        }
    }

    /// Checks every expression that the body or a variable uses, once.
    pub(super) fn expressions(&mut self) {
        let procedure = self.procedure;
        let mut seen = SideTable::new(false);
        let mut pending: Vec<ExprId> = procedure
            .variables
            .iter()
            .flat_map(|(_, variable)| expressions_of(variable))
            .collect();
        for id in procedure.all_statements() {
            pending.extend(procedure.stmt(id).expressions());
        }
        while let Some(id) = pending.pop() {
            if std::mem::replace(seen.entry(id), true) {
                continue;
            }
            self.expression(&procedure.exprs[id]);
            pending.extend(procedure.expr(id).children());
        }
        for id in procedure.all_statements() {
            self.ranges(id);
        }
    }

    fn expression(&mut self, node: &ExprNode) {
        let ExprNode { expr, ty, span } = node;
        let (ty, span) = (*ty, *span);
        match expr {
            Expr::Integer(_) => self.is_type(ty.is_integer(), "an integer literal", ty, node),
            Expr::Real(text) => {
                let is_number = text.parse::<f64>().is_ok() && text.contains(['.', 'e']);
                self.require(is_number, 5, span, |_| {
                    format!("`{text}` is no real literal")
                });
                self.is_type(ty.is_real(), "a real literal", ty, node);
            }
            Expr::Logical(_) => self.is_type(is_logical(ty), "a truth literal", ty, node),
            Expr::Text(_) => self.is_type(ty == Type::Character, "a character literal", ty, node),
            Expr::Load(access) => {
                if let Some(place) = self.access(access, span) {
                    self.require(place.rank == 0, 9, span, |c| {
                        format!("{} is loaded as a scalar", c.name(access))
                    });
                    self.require(same(place.ty, ty), 9, span, |c| {
                        format!(
                            "{} of type {:?} is loaded as {ty:?}",
                            c.name(access),
                            place.ty
                        )
                    });
                }
            }
            Expr::Bound {
                array,
                kind: BoundKind::Length,
                ..
            } => {
                if let Some(place) = self.access(array, span) {
                    self.require(place.ty == Type::Character, 8, span, |c| {
                        format!("{} is no text and has no length", c.name(array))
                    });
                }
                self.is_type(ty.is_integer(), "a length", ty, node);
            }
            Expr::Bound { array, dim, .. } => {
                if let Some(place) = self.access(array, span) {
                    self.require((*dim as usize) < place.rank, 8, span, |c| {
                        format!("{} has no dimension {dim}", c.name(array))
                    });
                }
                self.is_type(ty.is_integer(), "a bound", ty, node);
            }
            Expr::Present(access) => {
                self.access(access, span);
                self.is_type(is_logical(ty), "a question of presence", ty, node);
            }
            Expr::Associated { pointer, target } => {
                for access in [pointer, target] {
                    self.access(access, span);
                }
                self.is_type(is_logical(ty), "a question of association", ty, node);
            }
            Expr::Unary(op, operand) => self.unary(*op, *operand, node),
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b, node),
            Expr::Intrinsic(intrinsic, arguments) => self.intrinsic(*intrinsic, arguments, node),
            Expr::Convert(_) | Expr::Range { .. } => {}
            Expr::Select {
                condition,
                then,
                otherwise,
            } => {
                self.condition(*condition);
                let agree = [*then, *otherwise]
                    .iter()
                    .all(|&e| same(self.procedure.exprs[e].ty, ty));
                self.require(agree, 5, span, |_| {
                    "the two values of a choice differ in type".into()
                });
            }
            Expr::Opaque { reads, .. } => reads.iter().for_each(|access| {
                self.access(access, span);
            }),
            Expr::Required { .. } => {
                self.report(
                    13,
                    span,
                    "a primal value is wanted and not available".into(),
                );
            }
        }
    }

    fn is_type(&mut self, holds: bool, what: &str, ty: Type, node: &ExprNode) {
        self.require(holds || ty == Type::Unknown, 5, node.span, |_| {
            format!("{what} has type {ty:?}")
        });
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, node: &ExprNode) {
        let ty = self.procedure.exprs[operand].ty;
        let holds = match op {
            UnaryOp::Negate => ty.is_numeric() && same(ty, node.ty),
            UnaryOp::Plus => same(ty, node.ty),
            UnaryOp::Not => is_logical(ty) && is_logical(node.ty),
            UnaryOp::BitNot => ty.is_integer() && ty == node.ty,
        };
        self.require(holds || is_unknown(&[ty, node.ty]), 5, node.span, |_| {
            format!("{op:?} of {ty:?} gives {:?}", node.ty)
        });
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, node: &ExprNode) {
        let (left, right) = (self.procedure.exprs[a].ty, self.procedure.exprs[b].ty);
        let result = node.ty;
        let integers = left.is_integer() && right.is_integer() && result == left;
        let holds = match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
                left.is_numeric() && left == right && result == left
            }
            BinaryOp::Remainder => left.is_numeric() && left == right && result == left,
            BinaryOp::Power => {
                left.is_numeric() && result == left && (left == right || right.is_integer())
            }
            op if op.is_comparison() => same(left, right) && is_logical(result),
            op if op.is_logical() => [left, right, result].into_iter().all(is_logical),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => integers && left == right,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => integers,
            _ => left == Type::Character && right == left && result == left,
        };
        self.require(
            holds || is_unknown(&[left, right, result]),
            5,
            node.span,
            |_| format!("{op:?} of {left:?} and {right:?} gives {result:?}"),
        );
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, arguments: &[ExprId], node: &ExprNode) {
        let name = intrinsic.name();
        self.require(
            intrinsic.arity().contains(&arguments.len()),
            6,
            node.span,
            |_| format!("`{name}` has {} arguments", arguments.len()),
        );
        let types: Vec<Type> = arguments
            .iter()
            .map(|&e| self.procedure.exprs[e].ty)
            .collect();
        let (alike, power) = match (intrinsic, types.as_slice()) {
            (Intrinsic::Scale, [_, rest @ ..]) => (&types[..1], rest),
            (Intrinsic::BesselJn | Intrinsic::BesselYn, [_, rest @ ..]) => (rest, &types[..1]),
            // The kinds of a number and of what tells a direction may differ.
            (Intrinsic::Nearest, [first, rest @ ..]) if rest.iter().all(|ty| ty.is_real()) => {
                (std::slice::from_ref(first), &[][..])
            }
            _ => (&types[..], &[][..]),
        };
        let agree = alike
            .iter()
            .all(|&ty| ty == alike[0] && (ty.is_numeric() || ty == Type::Unknown))
            && power.iter().all(|ty| ty.is_integer());
        self.require(agree, 6, node.span, |_| {
            format!("`{name}` is applied to {types:?}")
        });
    }

    /// A condition is logical.
    pub(super) fn condition(&mut self, e: ExprId) {
        let node = &self.procedure.exprs[e];
        self.require(
            is_logical(node.ty) || is_unknown(&[node.ty]),
            7,
            node.span,
            |_| format!("a condition has type {:?}", node.ty),
        );
    }

    /// Ranges stand only where sections may.
    fn ranges(&mut self, id: StmtId) {
        let procedure = self.procedure;
        let node = &procedure.stmts[id];
        let allowed: Vec<ExprId> = match &node.stmt {
            Stmt::Call { arguments, .. } => arguments
                .iter()
                .filter_map(|argument| match argument {
                    Argument::Place(place) => Some(place),
                    _ => None,
                })
                .flat_map(|place| place.expressions())
                .collect(),
            Stmt::Fill { target, .. } => target.expressions().collect(),
            Stmt::Copy { target, source } => {
                target.expressions().chain(source.expressions()).collect()
            }
            Stmt::PointerAssign { value, .. } => {
                value.iter().flat_map(|value| value.expressions()).collect()
            }
            Stmt::Opaque { .. } => node.stmt.expressions(),
            _ => Vec::new(),
        };
        for root in node.stmt.expressions() {
            let mut misplaced = is_range(procedure, root) && !allowed.contains(&root);
            procedure.walk_expr(root, &mut |id| {
                let quoted = matches!(
                    procedure.expr(id),
                    Expr::Opaque { .. } | Expr::Associated { .. }
                );
                let children = procedure.expr(id).children();
                misplaced |= !quoted && children.into_iter().any(|e| is_range(procedure, e));
            });
            self.require(!misplaced, 12, node.span, |_| {
                "a range of subscripts stands where a scalar belongs".into()
            });
        }
    }
}

fn visit(
    procedure: &Procedure,
    id: ExprId,
    visits: &mut SideTable<ExprNode, Visit>,
    broken: &mut Vec<(u32, ExprId)>,
) {
    let Some(node) = procedure.exprs.get(id) else {
        broken.push((1, id));
        return;
    };
    match visits[id] {
        Visit::Done => return,
        Visit::Open => {
            broken.push((2, id));
            return;
        }
        Visit::New => {}
    }
    visits.set(id, Visit::Open);
    for child in node.expr.children() {
        visit(procedure, child, visits, broken);
    }
    visits.set(id, Visit::Done);
}

fn is_range(procedure: &Procedure, e: ExprId) -> bool {
    matches!(procedure.expr(e), Expr::Range { .. })
}

fn is_logical(ty: Type) -> bool {
    matches!(ty, Type::Logical { .. })
}

fn is_unknown(types: &[Type]) -> bool {
    types.contains(&Type::Unknown)
}

/// Whether values of the two types agree; the width of a truth value does not matter, and pointers
/// agree with untyped addresses.
pub(super) fn same(a: Type, b: Type) -> bool {
    let is_address = |ty| matches!(ty, Type::Pointer(_) | Type::Address);
    a == b
        || is_unknown(&[a, b])
        || (is_logical(a) && is_logical(b))
        || (is_address(a) && is_address(b) && (a == Type::Address || b == Type::Address))
}
