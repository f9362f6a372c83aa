//! Loops that jumps leave: what goes on is asked before each pass.

use super::{Structurer, Target, Targets, reach};
use crate::affine::linear_of;
use crate::expr::{Access, BinaryOp, Expr, ExprId};
use crate::source::Span;
use crate::stmt::{Block, Jump, JumpLabel, Stmt, StmtId};
use crate::types::{Type, VarId};

/// The head of a counted loop.
#[derive(Clone, Copy)]
struct Head {
    variable: VarId,
    lower: ExprId,
    upper: ExprId,
    step: ExprId,
}

impl Structurer<'_> {
    /// Structures a `Loop`: it stays one, unless some jump leaves it.
    pub(super) fn counted_loop(&mut self, id: StmtId, stmt: Stmt, done: &mut Block) -> Targets {
        let Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            label,
            mut directive,
        } = stmt
        else {
            unreachable!("called for counted loops");
        };
        let body = self.cycles_as_exits(body, label);
        if !reach::leaves(self.procedure, &body).is_empty() {
            let head = Head {
                variable,
                lower,
                upper,
                step,
            };
            return self.left_loop(id, head, body, label, done);
        }
        let mark = self.added.len();
        let (body, _) = self.block(body, &Targets::new());
        if let Some(directive) = &mut directive {
            let private = self.private_since(mark, &Targets::new());
            directive.private.extend(private);
        }
        let stmt = Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            label: None,
            directive,
        };
        self.put(id, stmt, done);
        Targets::new()
    }

    /// Lets the `cycle`s of a loop leave a block around its body instead.
    fn cycles_as_exits(&mut self, body: Block, label: Option<JumpLabel>) -> Block {
        let Some(label) = label else { return body };
        let cycle = Stmt::Jump(Jump::Cycle(label));
        if !reach::any(self.procedure, &body, |stmt| *stmt == cycle) {
            return body;
        }
        let inner = self.fresh_label();
        let mut jumps = Vec::new();
        self.procedure.walk_block(&body, &mut |id| jumps.push(id));
        for id in jumps {
            if *self.procedure.stmt(id) == cycle {
                self.procedure.stmts[id].stmt = Stmt::Jump(Jump::Exit(inner));
            }
        }
        let labelled = Stmt::Labelled { label: inner, body };
        vec![self.add(labelled, Span::NONE)]
    }

    /// `i = lower; while (i <= upper && !leave) { body; i = i + step }`
    fn left_loop(
        &mut self,
        id: StmtId,
        head: Head,
        mut body: Block,
        label: Option<JumpLabel>,
        done: &mut Block,
    ) -> Targets {
        let span = self.procedure.stmts[id].span;
        let (goes_on, mut next) = self.trip_test(head, &body, span, done);
        done.push(
            self.builder(span)
                .assign(Access::whole(head.variable), head.lower),
        );
        body.append(&mut next);
        let (body, escapes) = self.block(body, &Targets::new());
        self.finish(id, goes_on, body, label, escapes, done)
    }

    /// The condition on which a counted loop goes on, and what leads to the next iteration. Bounds
    /// that may change are saved onto `done`.
    fn trip_test(
        &mut self,
        head: Head,
        body: &Block,
        span: Span,
        done: &mut Block,
    ) -> (ExprId, Block) {
        let ty = self.procedure.variables[head.variable].ty;
        let step = linear_of(self.procedure, head.step, &mut |_| None)
            .and_then(|form| form.as_constant())
            .filter(|_| matches!(ty, Type::Integer { signed: true, .. }));
        let Some(step) = step else {
            return self.counted_trips(head, body, span, done);
        };
        let upper = self.saved("last", head.upper, head.variable, body, span, done);
        let op = if step > 0 {
            BinaryOp::LessEqual
        } else {
            BinaryOp::GreaterEqual
        };
        let mut builder = self.builder(span);
        let upper = builder.convert(upper, ty);
        let variable = builder.load(head.variable);
        let goes_on = builder.compare(op, variable, upper);
        let step = builder.convert(head.step, ty);
        let next = builder.increment(Access::whole(head.variable), step);
        (goes_on, vec![next])
    }

    /// Counts the iterations that are left, where the direction is not known.
    fn counted_trips(
        &mut self,
        head: Head,
        body: &Block,
        span: Span,
        done: &mut Block,
    ) -> (ExprId, Block) {
        let ty = self.procedure.variables[head.variable].ty;
        let step = self.saved("step", head.step, head.variable, body, span, done);
        let trips = self.temporary("trips", Type::LONG);
        let mut builder = self.builder(span);
        let [lower, upper, wide] =
            [head.lower, head.upper, step].map(|e| builder.convert(e, Type::LONG));
        let distance = builder.sub(upper, lower);
        let sum = builder.add(distance, wide);
        let count = builder.div(sum, wide);
        done.push(builder.assign(Access::whole(trips), count));
        let (left, zero) = (builder.load(trips), builder.int_of(0, Type::LONG));
        let goes_on = builder.compare(BinaryOp::Greater, left, zero);
        let step = builder.convert(step, ty);
        let one = builder.int_of(1, Type::LONG);
        let fewer = builder.sub(left, one);
        let next = vec![
            builder.increment(Access::whole(head.variable), step),
            builder.assign(Access::whole(trips), fewer),
        ];
        (goes_on, next)
    }

    /// `e`, or a variable that keeps its value where the loop may change it.
    fn saved(
        &mut self,
        stem: &str,
        e: ExprId,
        variable: VarId,
        body: &Block,
        span: Span,
        done: &mut Block,
    ) -> ExprId {
        let mut uses_variable = false;
        let procedure = &*self.procedure;
        procedure.walk_expr(e, &mut |id| {
            uses_variable |=
                matches!(procedure.expr(id), Expr::Load(access) if access.var == variable);
        });
        if !uses_variable && reach::is_invariant(procedure, e, body) {
            return e;
        }
        let ty = self.procedure.exprs[e].ty;
        let kept = self.temporary(stem, ty);
        let mut builder = self.builder(span);
        done.push(builder.assign(Access::whole(kept), e));
        builder.load(kept)
    }

    /// Structures a `While`.
    pub(super) fn while_loop(&mut self, id: StmtId, stmt: Stmt, done: &mut Block) -> Targets {
        let Stmt::While {
            condition,
            body,
            label,
        } = stmt
        else {
            unreachable!("called for while loops");
        };
        let body = self.cycles_as_exits(body, label);
        let is_left = !reach::leaves(self.procedure, &body).is_empty();
        if is_left && !reach::is_total(self.procedure, condition) {
            return self.tested_at_the_end(id, condition, body, label, done);
        }
        let (body, escapes) = self.block(body, &Targets::new());
        self.finish(id, condition, body, label, escapes, done)
    }

    /// A condition that must not be evaluated once the loop is left:
    /// `leave = !condition; while (!leave) { body; leave = !condition }`
    fn tested_at_the_end(
        &mut self,
        id: StmtId,
        condition: ExprId,
        mut body: Block,
        label: Option<JumpLabel>,
        done: &mut Block,
    ) -> Targets {
        let span = self.procedure.stmts[id].span;
        let label = label.unwrap_or_else(|| self.fresh_label());
        let target = Target::Exit(label.0);
        let flag = self.flag(target);
        let mut builder = self.builder(span);
        let fails = builder.not(condition);
        done.push(builder.assign(Access::whole(flag), fails));
        body.push(builder.assign(Access::whole(flag), fails));
        let always = builder.logical(true);
        let (body, mut escapes) = self.block(body, &Targets::new());
        let mut asked = escapes.clone();
        asked.insert(target);
        let condition = self.goes_on(always, &asked, span);
        let label = None;
        let stmt = Stmt::While {
            condition,
            body,
            label,
        };
        self.put(id, stmt, done);
        escapes.remove(&target);
        escapes
    }

    /// Puts the `While` with a condition that asks the flags.
    fn finish(
        &mut self,
        id: StmtId,
        condition: ExprId,
        body: Block,
        label: Option<JumpLabel>,
        mut escapes: Targets,
        done: &mut Block,
    ) -> Targets {
        let span = self.procedure.stmts[id].span;
        let condition = self.goes_on(condition, &escapes, span);
        if let Some(label) = label
            && escapes.remove(&Target::Exit(label.0))
        {
            done.push(self.set_flag(Target::Exit(label.0), false, span));
        }
        let label = None;
        let stmt = Stmt::While {
            condition,
            body,
            label,
        };
        self.put(id, stmt, done);
        escapes
    }

    /// `condition && no flag set`
    fn goes_on(&mut self, condition: ExprId, escapes: &Targets, span: Span) -> ExprId {
        if escapes.is_empty() {
            return condition;
        }
        let clear = self.none_set(escapes, span);
        if *self.procedure.expr(condition) == Expr::Logical(true) {
            return clear;
        }
        self.builder(span).and(condition, clear)
    }
}
