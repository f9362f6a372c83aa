//! DO loops.

use super::array::Place;
use super::{Fallible, Lowerer, refuse};
use crate::syntax::blocks::{Construct, Node};
use crate::syntax::{DoControl, Kind};
use crate::view::Slice;
use contraflow_ir::{Access, BinaryOp, Block, Expr, ExprId, Jump, Stmt, Type, VarId};

/// What counts the passes of a loop that is no `Stmt::Loop`.
pub(super) struct Passes {
    variable: Access,
    ty: Type,
    /// The step.
    distance: VarId,
    /// How many passes are left.
    left: VarId,
    /// The type of `left`.
    count: Type,
}

impl Lowerer<'_> {
    pub(super) fn do_construct(
        &mut self,
        construct: &Construct,
        control: &DoControl,
    ) -> Fallible<()> {
        match control {
            DoControl::Forever => {
                let condition = self.build().logical(true);
                self.while_loop(construct, Vec::new(), condition);
                Ok(())
            }
            DoControl::While(slice) => {
                let head = construct.arms[0].head;
                let (before, condition) = self.head_condition(head, *slice)?;
                self.while_loop(construct, before, condition);
                Ok(())
            }
            DoControl::Counted {
                variable,
                from,
                to,
                step,
            } => self.counted(construct, [*variable, *from, *to, *step]),
            DoControl::Concurrent(header) => self.concurrent(construct, *header),
        }
    }

    /// A loop over a condition. What the condition needs is computed at the head of each pass.
    fn while_loop(&mut self, construct: &Construct, before: Block, condition: ExprId) {
        let span = self.span;
        let name = self.construct_name(construct);
        let mut body = self.enclosed(name, true, true, |lowerer| {
            lowerer.loop_body(construct);
        });
        self.span = span;
        if before.is_empty() {
            self.emit(Stmt::While {
                condition,
                body: body.block,
                label: body.exit,
            });
            return;
        }
        let label = body.exit.unwrap_or_else(|| self.label());
        let leave = self.build().stmt(Stmt::Jump(Jump::Exit(label)));
        let mut b = self.build();
        let unmet = b.not(condition);
        let check = b.if_else(unmet, vec![leave], Vec::new());
        let always = b.logical(true);
        let mut block = before;
        block.push(check);
        block.append(&mut body.block);
        self.emit(Stmt::While {
            condition: always,
            body: block,
            label: Some(label),
        });
    }

    fn counted(&mut self, construct: &Construct, slices: [Slice; 4]) -> Fallible<()> {
        let (place, bounds) = self.loop_head(construct, slices)?;
        let name = self.statement_at(self.statement).part(slices[0]).to_owned();
        let is_plain = place.ty.is_integer()
            && place.access.path.is_empty()
            && !self.writes(&construct.arms[0].body, &name)
            && !self.counters.contains(&place.access.var);
        if is_plain {
            self.plain_loop(construct, place.access.var, bounds);
            return Ok(());
        }
        self.counting_while(construct, &place.access, place.ty, bounds)
    }

    /// The variable of a counted loop, and its bounds and step in the variable's type.
    pub(super) fn loop_head(
        &mut self,
        construct: &Construct,
        slices: [Slice; 4],
    ) -> Fallible<(Place, [ExprId; 3])> {
        let head = construct.arms[0].head;
        self.statement = head;
        self.span = self.statement_at(head).place();
        let tree = self.parse(&slices)?;
        let variable = self.only(&tree, 0)?;
        let place = self.place(variable, &[])?;
        if place.rank > 0 {
            return refuse("a loop over an array");
        }
        let from = self.only(&tree, 1)?;
        let to = self.only(&tree, 2)?;
        let lower = self.value_by_component_types(&mut |lowerer| lowerer.scalar(from))?;
        let upper = self.value_by_component_types(&mut |lowerer| lowerer.scalar(to))?;
        let step = match tree.root(3) {
            Some(node) => self.scalar(super::Syn { tree: &tree, node })?,
            None => self.build().number(1, place.ty),
        };
        let lower = self.converted(lower, place.ty)?;
        let upper = self.converted(upper, place.ty)?;
        let step = self.converted(step, place.ty)?;
        Ok((place, [lower, upper, step]))
    }

    fn plain_loop(&mut self, construct: &Construct, variable: VarId, bounds: [ExprId; 3]) {
        let directive = self.pending_directive.take();
        let span = self.span;
        let name = self.construct_name(construct);
        self.counters.push(variable);
        let body = self.enclosed(name, true, true, |lowerer| {
            lowerer.loop_body(construct);
        });
        self.counters.pop();
        self.span = span;
        let [lower, upper, step] = bounds;
        self.emit(Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body: body.block,
            label: body.exit,
            directive,
        });
    }

    /// A DO loop whose variable is real, or written in the body: the number of passes is computed
    /// first, as the standard has it.
    fn counting_while(
        &mut self,
        construct: &Construct,
        access: &Access,
        ty: Type,
        bounds: [ExprId; 3],
    ) -> Fallible<()> {
        let passes = self.count_passes(access, ty, bounds)?;
        let span = self.span;
        let name = self.construct_name(construct);
        let mut body = self.enclosed(name, true, false, |lowerer| {
            lowerer.loop_body(construct);
        });
        self.span = span;
        if let Some(label) = body.cycle {
            let inner = std::mem::take(&mut body.block);
            let stmt = self.build().stmt(Stmt::Labelled { label, body: inner });
            body.block.push(stmt);
        }
        let (mut next, ()) = self.block(|lowerer| lowerer.next_pass(&passes))?;
        body.block.append(&mut next);
        let condition = self.passes_left(&passes);
        self.emit(Stmt::While {
            condition,
            body: body.block,
            label: body.exit,
        });
        Ok(())
    }

    /// Computes how often a DO loop runs, and gives its variable the first value.
    pub(super) fn count_passes(
        &mut self,
        variable: &Access,
        ty: Type,
        bounds: [ExprId; 3],
    ) -> Fallible<Passes> {
        let [lower, upper, step] = bounds;
        let count = match ty {
            Type::Integer { bytes: 8, .. } => ty,
            _ => Type::INT,
        };
        let distance = self.temporary("step", ty);
        let left = self.temporary("passes", count);
        let first = self.build().assign(Access::whole(distance), step);
        let length = self.binary(BinaryOp::Subtract, upper, lower)?;
        let step = self.load(distance);
        let length = self.binary(BinaryOp::Add, length, step)?;
        let step = self.load(distance);
        let passes = self.binary(BinaryOp::Divide, length, step)?;
        let passes = self.converted(passes, count)?;
        let counted = self.build().assign(Access::whole(left), passes);
        let start = self.build().assign(variable.clone(), lower);
        self.out.extend([first, counted, start]);
        Ok(Passes {
            variable: variable.clone(),
            ty,
            distance,
            left,
            count,
        })
    }

    /// Whether a pass of the loop is left.
    pub(super) fn passes_left(&mut self, passes: &Passes) -> ExprId {
        let mut b = self.build();
        let remaining = b.load(passes.left);
        let zero = b.zero(passes.count);
        b.compare(BinaryOp::Greater, remaining, zero)
    }

    /// Leads a loop to its next pass.
    pub(super) fn next_pass(&mut self, passes: &Passes) -> Fallible<()> {
        let old = self.add(Expr::Load(passes.variable.clone()), passes.ty);
        let step = self.load(passes.distance);
        let next = self.binary(BinaryOp::Add, old, step)?;
        let mut b = self.build();
        let advance = b.assign(passes.variable.clone(), next);
        let remaining = b.load(passes.left);
        let one = b.number(1, passes.count);
        let fewer = b.sub(remaining, one);
        let count_down = b.assign(Access::whole(passes.left), fewer);
        self.out.extend([advance, count_down]);
        Ok(())
    }

    /// The body of a loop; a label on its END DO is the place that ends the pass.
    fn loop_body(&mut self, construct: &Construct) {
        let label = self.label_of_pass(construct);
        self.nodes_until(&construct.arms[0].body, label);
    }

    /// Whether statements assign to a variable by name: assignments, READ, DO.
    pub(super) fn writes(&self, nodes: &[Node], name: &str) -> bool {
        let mut pending: Vec<&Node> = nodes.iter().collect();
        while let Some(node) = pending.pop() {
            match node {
                Node::Simple(index) => {
                    if self.kind_writes(*index, self.kind_at(*index), name) {
                        return true;
                    }
                }
                Node::Construct(construct) => {
                    for arm in &construct.arms {
                        if self.kind_writes(arm.head, self.kind_at(arm.head), name) {
                            return true;
                        }
                        pending.extend(&arm.body);
                    }
                }
            }
        }
        false
    }

    fn kind_writes(&self, index: usize, kind: &Kind, name: &str) -> bool {
        let part = |slice: Slice| self.statement_at(index).part(slice);
        match kind {
            Kind::Assignment { target, .. } => part(*target) == name,
            Kind::If { action, .. } => self.kind_writes(index, action, name),
            Kind::Do {
                control: DoControl::Counted { variable, .. },
                ..
            } => part(*variable) == name,
            Kind::Io {
                word: "read",
                items,
                ..
            } => part(*items).split(',').any(|item| item == name),
            _ => false,
        }
    }
}
