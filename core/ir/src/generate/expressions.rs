//! Real expressions with small values, subscripts within bounds, conditions.

use super::Generator;
use crate::expr::{Access, BinaryOp, ExprId, Intrinsic};
use crate::types::{Type, VarId};

impl Generator<'_> {
    /// A value that is no larger than the largest operand, or than one.
    pub(super) fn bounded(&mut self, depth: usize) -> ExprId {
        match self.choices.below(9) {
            0 => self.operand(),
            1 => self.function(Intrinsic::Sin, depth),
            2 => self.function(Intrinsic::Cos, depth),
            3 => self.function(Intrinsic::Tanh, depth),
            4 => {
                let (p, q) = (self.operand(), self.operand());
                self.mean(p, q)
            }
            5 => {
                // A contraction: p * cos(q)
                let p = self.operand();
                let q = self.function(Intrinsic::Cos, depth);
                self.builder.exact_binary(BinaryOp::Multiply, p, q)
            }
            6 => {
                // p / (1.5 + q * q)
                let (p, q) = (self.operand(), self.operand());
                let square = self.builder.exact_binary(BinaryOp::Multiply, q, q);
                let floor = self.builder.real("1.5", Type::REAL8);
                let below = self.builder.exact_binary(BinaryOp::Add, floor, square);
                self.builder.exact_binary(BinaryOp::Divide, p, below)
            }
            7 if self.options.kinks => self.kink(),
            _ => self.function(Intrinsic::Atan, depth),
        }
    }

    fn mean(&mut self, p: ExprId, q: ExprId) -> ExprId {
        let half = self.builder.real("0.5", Type::REAL8);
        let left = self.builder.exact_binary(BinaryOp::Multiply, half, p);
        let right = self.builder.exact_binary(BinaryOp::Multiply, half, q);
        self.builder.exact_binary(BinaryOp::Add, left, right)
    }

    fn kink(&mut self) -> ExprId {
        let (p, q) = (self.operand(), self.operand());
        match self.choices.below(4) {
            0 => self.builder.call(Intrinsic::Abs, vec![p]),
            1 => self.builder.call(Intrinsic::Min, vec![p, q]),
            2 => self.builder.call(Intrinsic::Max, vec![p, q]),
            _ => {
                let condition = self.builder.compare(BinaryOp::Less, p, q);
                let sine = self.builder.call(Intrinsic::Sin, vec![q]);
                self.builder.select(condition, p, sine)
            }
        }
    }

    fn function(&mut self, f: Intrinsic, depth: usize) -> ExprId {
        let inner = self.free(depth);
        self.builder.call(f, vec![inner])
    }

    /// A value that may be larger than its operands; only under a bounded function.
    fn free(&mut self, depth: usize) -> ExprId {
        if depth == 0 || self.choices.is_empty() {
            return self.operand();
        }
        match self.choices.below(8) {
            0 => self.operand(),
            1 | 2 => self.both(BinaryOp::Multiply, depth),
            3 => self.both(BinaryOp::Add, depth),
            4 => self.both(BinaryOp::Subtract, depth),
            5 => {
                let inner = self.free(depth - 1);
                self.builder.expr(
                    crate::expr::Expr::Unary(crate::expr::UnaryOp::Negate, inner),
                    Type::REAL8,
                )
            }
            6 => {
                let (base, two) = (self.operand(), self.builder.int(2));
                self.builder.pow(base, two)
            }
            _ => {
                // sqrt(1 + p * p)
                let p = self.operand();
                let square = self.builder.exact_binary(BinaryOp::Multiply, p, p);
                let one = self.builder.real("1.0", Type::REAL8);
                let sum = self.builder.exact_binary(BinaryOp::Add, one, square);
                self.builder.call(Intrinsic::Sqrt, vec![sum])
            }
        }
    }

    fn both(&mut self, op: BinaryOp, depth: usize) -> ExprId {
        let (p, q) = (self.free(depth - 1), self.free(depth - 1));
        self.builder.exact_binary(op, p, q)
    }

    /// A scalar, an element or a literal.
    pub(super) fn operand(&mut self) -> ExprId {
        if self.choices.below(6) == 5 {
            return self.literal();
        }
        let place = self.place();
        self.builder.load_access(place)
    }

    /// A real scalar or element, within bounds.
    pub(super) fn place(&mut self) -> Access {
        let arrays = self.vectors.len() + self.matrices.len();
        match self.choices.below(if arrays == 0 { 1 } else { 3 }) {
            0 => {
                let scalar = self.choices.below(self.scalars.len());
                Access::whole(self.scalars[scalar])
            }
            1 => {
                let vector = self.vectors[self.choices.below(self.vectors.len())];
                Access::element(vector, vec![self.subscript()])
            }
            _ => {
                let matrix = self.matrices[self.choices.below(self.matrices.len())];
                let subscripts = vec![self.subscript(), self.subscript()];
                Access::element(matrix, subscripts)
            }
        }
    }

    /// A subscript from 1 to `n`; `n` is at least 4.
    fn subscript(&mut self) -> ExprId {
        let size = self
            .size
            .expect("there are arrays only where there is a size");
        let loops: Vec<(VarId, i64, i64)> = self.around.iter().filter_map(|l| l.counted).collect();
        match self.choices.below(8) {
            6 => {
                let one = self.choices.below(4) as i128 + 1;
                self.builder.int(one)
            }
            7 if self.options.indirect => {
                let indices = self
                    .indices
                    .expect("there are indices where there is a size");
                let inner = self.plain_subscript(&loops, size);
                self.builder.load_element(indices, vec![inner])
            }
            5 => match self.running {
                Some(running) if self.options.counters => {
                    let (value, n) = (self.builder.load(running), self.builder.load(size));
                    let rest = self.builder.call(Intrinsic::Modulo, vec![value, n]);
                    let one = self.builder.int(1);
                    self.builder.exact_binary(BinaryOp::Add, rest, one)
                }
                Some(running) => self.builder.load(running),
                None => self.plain_subscript(&loops, size),
            },
            _ => self.plain_subscript(&loops, size),
        }
    }

    fn plain_subscript(&mut self, loops: &[(VarId, i64, i64)], size: VarId) -> ExprId {
        if loops.is_empty() {
            return self.builder.load(size);
        }
        let (var, from, below) = loops[loops.len() - 1 - self.choices.below(loops.len())];
        let value = self.builder.load(var);
        match self.choices.below(6) {
            3 if from >= 2 => {
                let one = self.builder.int(1);
                self.builder.exact_binary(BinaryOp::Subtract, value, one)
            }
            4 if below >= 1 => {
                let one = self.builder.int(1);
                self.builder.exact_binary(BinaryOp::Add, value, one)
            }
            5 => {
                // n + 1 - i
                let (n, one) = (self.builder.load(size), self.builder.int(1));
                let end = self.builder.exact_binary(BinaryOp::Add, n, one);
                self.builder.exact_binary(BinaryOp::Subtract, end, value)
            }
            _ => value,
        }
    }

    /// A condition on reals, or on a loop variable.
    pub(super) fn condition(&mut self) -> ExprId {
        let counted = self.around.iter().rev().find_map(|around| around.counted);
        if let Some((var, ..)) = counted
            && self.choices.below(2) == 1
        {
            let value = self.builder.load(var);
            let bound = self.choices.below(4) as i128 + 1;
            let bound = self.builder.int(bound);
            let op = [BinaryOp::Equal, BinaryOp::Less, BinaryOp::Greater][self.choices.below(3)];
            return self.builder.compare(op, value, bound);
        }
        let place = self.place();
        let value = self.builder.load_access(place);
        let bound = self.operand();
        let op = [BinaryOp::Greater, BinaryOp::LessEqual][self.choices.below(2)];
        self.builder.compare(op, value, bound)
    }
}
