//! Statements.

use super::{Around, Generator};
use crate::expr::{Access, BinaryOp, ExprId, Intrinsic};
use crate::stmt::{Argument, Block, Callee, CaseArm, CaseLabel, Jump, JumpLabel, Stmt};
use crate::types::{Type, VarId, Variable};

/// Nesting of blocks.
const DEEPEST: usize = 4;
/// Nesting of loops.
const MOST_LOOPS: usize = 3;

impl Generator<'_> {
    /// Adds a statement to `block`.
    pub(super) fn statement(&mut self, depth: usize, block: &mut Block) {
        if self.budget == 0 || (self.choices.is_empty() && !block.is_empty()) {
            return;
        }
        self.budget -= 1;
        let may_nest = depth < DEEPEST && !self.choices.is_empty();
        let may_loop = may_nest && self.around.len() < MOST_LOOPS && self.size.is_some();
        match self.choices.below(15) {
            4..=6 if may_loop => self.counted(depth, block),
            7 | 8 if may_nest => self.choice(depth, block),
            9 if may_loop && self.options.whiles => self.repeated(depth, block),
            10 if may_nest && self.around.iter().any(|l| l.counted.is_some()) => {
                self.switch(depth, block);
            }
            2 | 11 if !self.callable.is_empty() => self.call(block),
            12 if self.options.jumps && may_nest => self.conditional_jump(block),
            13 if self.options.jumps && may_nest => self.labelled(depth, block),
            3 => self.increment(block),
            14 if self.running.is_some() => self.advance(block),
            _ => {
                let target = self.place();
                let value = self.bounded(3);
                block.push(self.builder.assign(target, value));
            }
        }
    }

    fn inner(&mut self, depth: usize) -> Block {
        let mut block = Block::new();
        for _ in 0..1 + self.choices.below(3) {
            self.statement(depth + 1, &mut block);
        }
        block
    }

    /// `u = u + 0.25 * sin(…)`
    fn increment(&mut self, block: &mut Block) {
        let target = self.place();
        let quarter = self.builder.real("0.25", Type::REAL8);
        let inner = self.bounded(2);
        let sine = self.builder.call(Intrinsic::Sin, vec![inner]);
        let value = self.builder.exact_binary(BinaryOp::Multiply, quarter, sine);
        let old = self.builder.load_access(target.clone());
        let sum = self.builder.exact_binary(BinaryOp::Add, old, value);
        block.push(self.builder.assign(target, sum));
    }

    /// `r = modulo(r + k, n) + 1`; or now and then, as counters do, `r = r + k`, `r = i + r`, `r = r - k`
    fn advance(&mut self, block: &mut Block) {
        let (Some(running), Some(size)) = (self.running, self.size) else {
            return;
        };
        let far = self.choices.below(3) as i128;
        let (value, far) = (self.builder.load(running), self.builder.int(far));
        if self.options.counters {
            let counted = self.around.iter().rev().find_map(|around| around.counted);
            let by = match counted.filter(|_| self.choices.below(2) == 1) {
                Some((variable, ..)) => self.builder.load(variable),
                None => far,
            };
            let sum = match self.choices.below(4) {
                0 => None,
                1 => Some((BinaryOp::Add, value, by)),
                2 => Some((BinaryOp::Add, by, value)),
                _ => Some((BinaryOp::Subtract, value, by)),
            };
            if let Some((op, a, b)) = sum {
                let sum = self.builder.exact_binary(op, a, b);
                block.push(self.builder.assign(Access::whole(running), sum));
                return;
            }
        }
        let moved = self.builder.exact_binary(BinaryOp::Add, value, far);
        let n = self.builder.load(size);
        let rest = self.builder.call(Intrinsic::Modulo, vec![moved, n]);
        let one = self.builder.int(1);
        let next = self.builder.exact_binary(BinaryOp::Add, rest, one);
        block.push(self.builder.assign(Access::whole(running), next));
    }

    fn label(&mut self) -> JumpLabel {
        self.labels += 1;
        JumpLabel(self.labels)
    }

    fn integer(&mut self, stem: &str) -> VarId {
        let name = format!("{stem}{}", self.builder.procedure.variables.len());
        self.builder.variable(Variable::scalar(name, Type::INT))
    }

    /// A new integer variable that is given a value.
    fn kept(&mut self, stem: &str, value: ExprId, block: &mut Block) -> VarId {
        let kept = self.integer(stem);
        block.push(self.builder.assign(Access::whole(kept), value));
        kept
    }

    /// A counted loop, upwards or downwards, over a rectangle or a triangle. Its bound may be a
    /// variable that the body changes, which does not change the number of iterations.
    fn counted(&mut self, depth: usize, block: &mut Block) {
        let label = self.label();
        let variable = self.integer("i");
        let size = self.size.expect("loops are made where there is a size");
        let from = self.choices.below(2) as i64 + 1;
        let below = self.choices.below(2) as i64;
        let outer = self.around.iter().rev().find_map(|around| around.counted);
        let mut lower = self.builder.int(i128::from(from));
        let mut upper = self.end(size, below);
        let mut range = (from, below);
        match (outer, self.choices.below(4)) {
            (Some((var, outer_from, _)), 2) => {
                lower = self.builder.load(var);
                range.0 = outer_from;
            }
            (Some((var, _, outer_below)), 3) => {
                upper = self.builder.load(var);
                range.1 = outer_below;
            }
            _ => {}
        }
        let step = [1, -1, 2][self.choices.below(3)];
        let moving = (self.choices.below(5) == 4).then(|| self.kept("m", upper, block));
        if let Some(moving) = moving {
            upper = self.builder.load(moving);
        }
        let around = Around {
            label,
            counted: Some((variable, range.0, range.1)),
        };
        self.around.push(around);
        let mut body = self.inner(depth);
        self.around.pop();
        if let Some(moving) = moving {
            let minus = self.builder.int(-1);
            body.push(self.builder.increment(Access::whole(moving), minus));
        }
        let (first, last) = if step < 0 {
            (upper, lower)
        } else {
            (lower, upper)
        };
        let mut step = self.builder.int(step);
        if self.choices.below(5) == 4 {
            let kept = self.kept("d", step, block);
            step = self.builder.load(kept);
        }
        block.push(self.builder.stmt(Stmt::Loop {
            variable,
            lower: first,
            upper: last,
            step,
            body,
            label: self.options.jumps.then_some(label),
            directive: None,
        }));
    }

    /// `n`, or `n - below`.
    fn end(&mut self, size: VarId, below: i64) -> ExprId {
        let n = self.builder.load(size);
        if below == 0 {
            return n;
        }
        let below = self.builder.int(i128::from(below));
        self.builder.exact_binary(BinaryOp::Subtract, n, below)
    }

    fn choice(&mut self, depth: usize, block: &mut Block) {
        let condition = self.condition();
        let then = self.inner(depth);
        let otherwise = if self.choices.below(2) == 1 {
            self.inner(depth)
        } else {
            Block::new()
        };
        block.push(self.builder.if_else(condition, then, otherwise));
    }

    /// `k = 0; while (k < 3 and …) { k = k + 1; … }`
    fn repeated(&mut self, depth: usize, block: &mut Block) {
        let label = self.label();
        let zero = self.builder.int(0);
        let counter = self.kept("k", zero, block);
        let (value, most) = (self.builder.load(counter), self.builder.int(3));
        let mut condition = self.builder.compare(BinaryOp::Less, value, most);
        if self.choices.below(2) == 1 {
            let also = self.condition();
            condition = self
                .builder
                .exact_binary(BinaryOp::AndThen, condition, also);
        }
        let one = self.builder.int(1);
        let mut body = vec![self.builder.increment(Access::whole(counter), one)];
        self.around.push(Around {
            label,
            counted: None,
        });
        body.extend(self.inner(depth));
        self.around.pop();
        block.push(self.builder.stmt(Stmt::While {
            condition,
            body,
            label: self.options.jumps.then_some(label),
        }));
    }

    fn switch(&mut self, depth: usize, block: &mut Block) {
        let counted = self.around.iter().rev().find_map(|around| around.counted);
        let (variable, ..) = counted.expect("switches are made inside counted loops");
        let selector = self.builder.load(variable);
        let (two, three) = (self.builder.int(2), self.builder.int(3));
        let four = self.builder.int(4);
        let arms = vec![
            CaseArm {
                labels: vec![CaseLabel::Value(two), CaseLabel::Value(four)],
                body: self.inner(depth),
            },
            CaseArm {
                labels: vec![CaseLabel::Range(None, Some(three))],
                body: self.inner(depth),
            },
        ];
        let default = self.inner(depth);
        block.push(self.builder.stmt(Stmt::Switch {
            selector,
            arms,
            default,
        }));
    }

    fn call(&mut self, block: &mut Block) {
        let callable = self.callable[self.choices.below(self.callable.len())];
        let callee = Callee::Procedure(callable.id);
        if callable.is_function {
            let arguments = vec![
                Argument::Value(self.bounded(1)),
                Argument::Value(self.bounded(1)),
            ];
            let result = Some(self.place());
            let call = Stmt::Call {
                callee,
                arguments,
                result,
            };
            return block.push(self.builder.stmt(call));
        }
        // Each place once: arguments do not overlap. Loop variables are not passed.
        let size = self.size.expect("only subroutines call subroutines");
        let whole = |var: &VarId| Argument::Place(Access::whole(*var));
        let turn = self.choices.below(self.scalars.len());
        let count = self.scalars.len();
        let n = self.builder.load(size);
        let mut arguments = vec![Argument::Value(n)];
        arguments.extend((0..3).map(|k| whole(&self.scalars[(turn + k) % count])));
        let turn = self.choices.below(self.vectors.len());
        let count = self.vectors.len();
        arguments.extend((0..2).map(|k| whole(&self.vectors[(turn + k) % count])));
        arguments.push(whole(&self.matrices[0]));
        arguments.extend(self.indices.as_ref().map(whole));
        block.push(self.builder.stmt(Stmt::Call {
            callee,
            arguments,
            result: None,
        }));
    }

    /// `if (…) { …; jump }`
    fn conditional_jump(&mut self, block: &mut Block) {
        let condition = self.condition();
        let mut then = Block::new();
        if self.choices.below(2) == 1 {
            self.increment(&mut then);
        }
        let jump = self.jump();
        then.push(self.builder.stmt(Stmt::Jump(jump)));
        let otherwise = if self.choices.below(4) == 3 {
            let mut otherwise = Block::new();
            self.increment(&mut otherwise);
            otherwise
        } else {
            Block::new()
        };
        block.push(self.builder.if_else(condition, then, otherwise));
    }

    fn jump(&mut self) -> Jump {
        if self.around.is_empty() {
            return Jump::Return;
        }
        let around = self.around[self.choices.below(self.around.len())];
        let is_loop = self.is_loop(around);
        match self.choices.below(5) {
            0 | 1 => Jump::Exit(around.label),
            2 | 3 if is_loop => Jump::Cycle(around.label),
            2 | 3 => Jump::Exit(around.label),
            _ => Jump::Return,
        }
    }

    /// Labelled blocks have labels from the upper half.
    fn is_loop(&self, around: Around) -> bool {
        around.label.0 < LABELLED
    }

    fn labelled(&mut self, depth: usize, block: &mut Block) {
        let JumpLabel(number) = self.label();
        let label = JumpLabel(number + LABELLED);
        self.around.push(Around {
            label,
            counted: None,
        });
        let body = self.inner(depth);
        self.around.pop();
        block.push(self.builder.stmt(Stmt::Labelled { label, body }));
    }
}

const LABELLED: u32 = 1_000_000;
