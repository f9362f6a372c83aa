//! A builder: the short way to add expressions and statements to a procedure.
//!
//! Arithmetic of generated code is simplified where that is exact in IEEE arithmetic (`x*1`, `x+0`
//! for an integer, `-(-x)`, constant integer arithmetic). Front ends lower primal expressions with
//! the `exact_*` methods, which never simplify.

use crate::expr::{Access, BinaryOp, Expr, ExprId, ExprNode, Intrinsic, UnaryOp};
use crate::module::Procedure;
use crate::source::Span;
use crate::stmt::{Block, Stmt, StmtId, StmtNode};
use crate::types::{Type, VarId, Variable};

/// Adds nodes to one procedure. Everything that is added has the builder's current span.
pub struct Builder<'p> {
    /// The procedure.
    pub procedure: &'p mut Procedure,
    /// The place that new nodes get.
    pub span: Span,
}

impl<'p> Builder<'p> {
    /// A builder whose nodes have no place yet.
    pub fn new(procedure: &'p mut Procedure) -> Self {
        Self {
            procedure,
            span: Span::NONE,
        }
    }

    /// The type of an expression.
    pub fn type_of(&self, e: ExprId) -> Type {
        self.procedure.exprs[e].ty
    }

    /// Adds a variable.
    pub fn variable(&mut self, variable: Variable) -> VarId {
        self.procedure.variables.add(variable)
    }

    /// Adds an expression as it is.
    pub fn expr(&mut self, expr: Expr, ty: Type) -> ExprId {
        let span = self.span;
        self.procedure.exprs.add(ExprNode { expr, ty, span })
    }

    /// Adds a statement. The caller puts it into a block.
    pub fn stmt(&mut self, stmt: Stmt) -> StmtId {
        let span = self.span;
        self.procedure.stmts.add(StmtNode { stmt, span })
    }

    /// A default integer.
    pub fn int(&mut self, value: i128) -> ExprId {
        self.expr(Expr::Integer(value), Type::INT)
    }

    /// An integer of a type.
    pub fn int_of(&mut self, value: i128, ty: Type) -> ExprId {
        self.expr(Expr::Integer(value), ty)
    }

    /// A real literal of a type; `text` as [`Expr::Real`] wants it.
    pub fn real(&mut self, text: &str, ty: Type) -> ExprId {
        self.expr(Expr::Real(text.to_owned()), ty)
    }

    /// A truth literal.
    pub fn logical(&mut self, value: bool) -> ExprId {
        self.expr(Expr::Logical(value), Type::LOGICAL)
    }

    /// Zero of a numeric type; false.
    pub fn zero(&mut self, ty: Type) -> ExprId {
        match ty {
            Type::Logical { .. } => self.expr(Expr::Logical(false), ty),
            _ => self.number(0, ty),
        }
    }

    /// A small whole number of a numeric type.
    pub fn number(&mut self, value: i32, ty: Type) -> ExprId {
        match ty {
            Type::Integer { .. } => self.int_of(value.into(), ty),
            Type::Complex { bytes } => {
                let part = Type::Real { bytes };
                let re = self.real(&format!("{value}.0"), part);
                let im = self.real("0.0", part);
                self.expr(Expr::Intrinsic(Intrinsic::Complex, vec![re, im]), ty)
            }
            _ => self.real(&format!("{value}.0"), ty),
        }
    }

    /// The value of a scalar variable.
    pub fn load(&mut self, var: VarId) -> ExprId {
        self.load_access(Access::whole(var))
    }

    /// The value of an element.
    pub fn load_element(&mut self, var: VarId, subscripts: Vec<ExprId>) -> ExprId {
        self.load_access(Access::element(var, subscripts))
    }

    /// The value of an access that ends at the variable's element type (no `Field`, no `Deref`).
    pub fn load_access(&mut self, access: Access) -> ExprId {
        let ty = self.procedure.variables[access.var].ty;
        self.expr(Expr::Load(access), ty)
    }

    /// An operation exactly as the source states it.
    pub fn exact_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() || op.is_logical() {
            match (self.type_of(a), op.is_logical()) {
                (ty @ Type::Logical { .. }, true) => ty,
                _ => Type::LOGICAL,
            }
        } else {
            self.type_of(a)
        };
        self.expr(Expr::Binary(op, a, b), ty)
    }

    /// The value of the integer literal that `e` is.
    pub fn integer_value(&self, e: ExprId) -> Option<i128> {
        match self.procedure.expr(e) {
            Expr::Integer(value) => Some(*value),
            Expr::Unary(UnaryOp::Negate, inner) => self.integer_value(*inner).map(|v| -v),
            _ => None,
        }
    }

    fn is_number(&self, e: ExprId, value: i32) -> bool {
        match self.procedure.expr(e) {
            Expr::Integer(v) => *v == i128::from(value),
            Expr::Real(text) => text.parse::<f64>() == Ok(f64::from(value)),
            _ => false,
        }
    }

    /// `a + b`, simplified.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.integer_value(a), self.integer_value(b)) {
            let ty = self.type_of(a);
            return self.int_of(x + y, ty);
        }
        if self.is_number(a, 0) {
            return b;
        }
        if self.is_number(b, 0) {
            return a;
        }
        if let Some(y) = self.integer_value(b)
            && y < 0
        {
            let ty = self.type_of(b);
            let positive = self.int_of(-y, ty);
            return self.sub(a, positive);
        }
        if let Expr::Unary(UnaryOp::Negate, inner) = *self.procedure.expr(b) {
            return self.sub(a, inner);
        }
        // (x + c) + d and (x - c) + d with integer literals
        if let (Some(d), &Expr::Binary(op, x, c)) = (self.integer_value(b), self.procedure.expr(a))
            && let Some(c) = self.integer_value(c)
        {
            let total = match op {
                BinaryOp::Add => Some(c + d),
                BinaryOp::Subtract => Some(d - c),
                _ => None,
            };
            if let Some(total) = total {
                let ty = self.type_of(b);
                let total = self.int_of(total, ty);
                return self.add(x, total);
            }
        }
        self.exact_binary(BinaryOp::Add, a, b)
    }

    /// `a - b`, simplified.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.integer_value(a), self.integer_value(b)) {
            let ty = self.type_of(a);
            return self.int_of(x - y, ty);
        }
        if self.is_number(b, 0) {
            return a;
        }
        if self.is_number(a, 0) {
            return self.neg(b);
        }
        // (x + c) - d and (x - c) - d with integer literals
        if let (Some(d), &Expr::Binary(op, x, c)) = (self.integer_value(b), self.procedure.expr(a))
            && let Some(c) = self.integer_value(c)
            && self.type_of(a).is_integer()
        {
            let total = match op {
                BinaryOp::Add => Some(c - d),
                BinaryOp::Subtract => Some(-c - d),
                _ => None,
            };
            if let Some(total) = total {
                let ty = self.type_of(b);
                let total = self.int_of(total, ty);
                return self.add(x, total);
            }
        }
        if let Expr::Unary(UnaryOp::Negate, inner) = *self.procedure.expr(b) {
            return self.add(a, inner);
        }
        self.exact_binary(BinaryOp::Subtract, a, b)
    }

    /// `a * b`, simplified.
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.is_number(a, 1) {
            return b;
        }
        if self.is_number(b, 1) {
            return a;
        }
        if self.is_number(a, -1) {
            return self.neg(b);
        }
        if let (Some(x), Some(y)) = (self.integer_value(a), self.integer_value(b)) {
            let ty = self.type_of(a);
            return self.int_of(x * y, ty);
        }
        if let Expr::Unary(UnaryOp::Negate, inner) = *self.procedure.expr(a) {
            let product = self.mul(inner, b);
            return self.neg(product);
        }
        if let Expr::Unary(UnaryOp::Negate, inner) = *self.procedure.expr(b) {
            let product = self.mul(a, inner);
            return self.neg(product);
        }
        self.exact_binary(BinaryOp::Multiply, a, b)
    }

    /// `a / b`, simplified.
    pub fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.is_number(b, 1) {
            return a;
        }
        if let Expr::Unary(UnaryOp::Negate, inner) = *self.procedure.expr(a) {
            let quotient = self.div(inner, b);
            return self.neg(quotient);
        }
        self.exact_binary(BinaryOp::Divide, a, b)
    }

    /// `a ** b`.
    pub fn pow(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.exact_binary(BinaryOp::Power, a, b)
    }

    /// `-a`, simplified.
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        let ty = self.type_of(a);
        match *self.procedure.expr(a) {
            Expr::Unary(UnaryOp::Negate, inner) => inner,
            Expr::Integer(value) => self.int_of(-value, ty),
            Expr::Binary(BinaryOp::Subtract, x, y) => self.exact_binary(BinaryOp::Subtract, y, x),
            _ => self.expr(Expr::Unary(UnaryOp::Negate, a), ty),
        }
    }

    /// A comparison.
    pub fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        debug_assert!(op.is_comparison());
        self.exact_binary(op, a, b)
    }

    /// Logical not.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        let ty = self.type_of(a);
        match *self.procedure.expr(a) {
            Expr::Unary(UnaryOp::Not, inner) => inner,
            _ => self.expr(Expr::Unary(UnaryOp::Not, a), ty),
        }
    }

    /// Logical and.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.exact_binary(BinaryOp::And, a, b)
    }

    /// An elemental function whose result has the type of its first argument.
    pub fn call(&mut self, f: Intrinsic, arguments: Vec<ExprId>) -> ExprId {
        let ty = self.type_of(arguments[0]);
        self.expr(Expr::Intrinsic(f, arguments), ty)
    }

    /// `e` in type `ty`; `e` itself if it has that type.
    pub fn convert(&mut self, e: ExprId, ty: Type) -> ExprId {
        if self.type_of(e) == ty {
            return e;
        }
        self.expr(Expr::Convert(e), ty)
    }

    /// A choice between two values.
    pub fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let ty = self.type_of(then);
        self.expr(
            Expr::Select {
                condition,
                then,
                otherwise,
            },
            ty,
        )
    }

    /// `target = value`.
    pub fn assign(&mut self, target: Access, value: ExprId) -> StmtId {
        self.stmt(Stmt::Assign { target, value })
    }

    /// `target = target + value`, or `- value` where `value` is negated.
    pub fn increment(&mut self, target: Access, value: ExprId) -> StmtId {
        let ty = self.procedure.variables[target.var].ty;
        let old = self.expr(Expr::Load(target.clone()), ty);
        let sum = self.add(old, value);
        self.assign(target, sum)
    }

    /// A counted loop without label and directive.
    pub fn counted_loop(
        &mut self,
        variable: VarId,
        lower: ExprId,
        upper: ExprId,
        step: ExprId,
        body: Block,
    ) -> StmtId {
        self.stmt(Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            label: None,
            directive: None,
        })
    }

    /// A condition.
    pub fn if_else(&mut self, condition: ExprId, then: Block, otherwise: Block) -> StmtId {
        self.stmt(Stmt::If {
            condition,
            then,
            otherwise,
        })
    }
}
