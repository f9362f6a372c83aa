//! Loops. A `for` whose trip count is fixed at entry becomes a `Loop`; all others a `While`.

use super::counted::{Counted, assigned, counted, reads_memory};
use super::facts::{Facts, has_effects, head_declaration};
use super::{Body, Lowered, Target};
use crate::cst::{
    BinaryOperator, DoWhileStatement, Expression, ForInitializer, ForStatement, Node, Statement,
    WhileStatement,
};
use crate::declare::{CType, Symbol};
use contraflow_ir::{Directive, Expr, ExprId, ExprNode, Jump, Stmt, StmtId, Storage, Type, VarId};

impl<'u, 'a> Body<'u, 'a> {
    pub fn for_loop(
        &mut self,
        node: &'a ForStatement,
        directive: Option<Box<Directive>>,
    ) -> Lowered<()> {
        self.unit.enter();
        let done = self.for_in_scope(node, directive);
        self.leave_block();
        done
    }

    fn for_in_scope(
        &mut self,
        node: &'a ForStatement,
        directive: Option<Box<Directive>>,
    ) -> Lowered<()> {
        if let Some(counted) = counted(node)
            && self.is_fixed(&counted, node)
            && self.is_whole(counted.bound)
            && self.is_whole(counted.lower)
            && let Some(variable) = self.loop_variable(&counted, node)
        {
            return self.counted_loop(variable, &counted, node, directive);
        }
        let (block, done) = self.in_block(|body| body.general_for(node));
        done?;
        match directive {
            Some(directive) => {
                self.emit(Stmt::Region {
                    directive,
                    body: block,
                });
            }
            None => self.block.extend(block),
        }
        Ok(())
    }

    /// A `for` that does not count.
    fn general_for(&mut self, node: &'a ForStatement) -> Lowered<()> {
        let head = self.span;
        match &node.initializer.node {
            ForInitializer::Expression(expression) => self.effects(expression)?,
            ForInitializer::Declaration(declaration) => self.local_declaration(declaration),
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
        }
        let last = node.condition.as_ref().or(node.step.as_ref());
        self.span = last.map_or(head, |last| self.head_span(last.span));
        self.while_with(
            node.condition.as_deref(),
            node.step.as_deref(),
            &node.statement,
        )
    }

    pub fn while_loop(&mut self, node: &'a WhileStatement) -> Lowered<()> {
        self.span = self.head_span(node.expression.span);
        self.while_with(Some(&node.expression), None, &node.statement)
    }

    /// `while (condition) { body; step; }`.
    fn while_with(
        &mut self,
        condition: Option<&'a Node<Expression>>,
        step: Option<&'a Node<Expression>>,
        body: &'a Node<Statement>,
    ) -> Lowered<()> {
        let label = self.new_label();
        let next = self.new_label();
        let target = Target {
            leave: Some(label),
            next: Some(match step {
                Some(_) => Jump::Exit(next),
                None => Jump::Cycle(label),
            }),
        };
        let (mut block, tested) = self.in_block(|body| match condition {
            Some(condition) => body.condition(condition).map(Some),
            None => Ok(None),
        });
        let tested = tested?;
        let condition = if block.is_empty() {
            tested
        } else {
            if let Some(tested) = tested {
                block.extend(self.exit_unless(tested, label));
            }
            None
        };
        let inner = self.loop_body(target, body);
        match self.if_used(next) {
            Some(next) => {
                let (labelled, ()) = self.in_block(|body| {
                    body.emit(Stmt::Labelled {
                        label: next,
                        body: inner,
                    });
                });
                block.extend(labelled);
            }
            None => block.extend(inner),
        }
        if let Some(step) = step {
            let (stepping, done) = self.in_block(|body| body.effects(step));
            done?;
            block.extend(stepping);
        }
        self.emit_while(condition, block, label);
        Ok(())
    }

    pub fn do_loop(&mut self, node: &'a DoWhileStatement) -> Lowered<()> {
        let label = self.new_label();
        let next = self.new_label();
        let target = Target {
            leave: Some(label),
            next: Some(Jump::Exit(next)),
        };
        let inner = self.loop_body(target, &node.statement);
        let (mut block, ()) = self.in_block(|_| ());
        match self.if_used(next) {
            Some(next) => {
                let (labelled, ()) = self.in_block(|body| {
                    body.emit(Stmt::Labelled {
                        label: next,
                        body: inner,
                    });
                });
                block.extend(labelled);
            }
            None => block.extend(inner),
        }
        if self.unit.constant(&node.expression) == Some(0) {
            // `do { … } while (0)` is a block that `break` leaves.
            match self.if_used(label) {
                Some(label) => {
                    self.emit(Stmt::Labelled { label, body: block });
                }
                None => self.block.extend(block),
            }
            return Ok(());
        }
        let (test, condition) = self.in_block(|body| body.condition(&node.expression));
        block.extend(test);
        let exit = self.exit_unless(condition?, label);
        block.extend(exit);
        self.emit_while(None, block, label);
        Ok(())
    }

    fn emit_while(
        &mut self,
        condition: Option<ExprId>,
        body: contraflow_ir::Block,
        label: contraflow_ir::JumpLabel,
    ) {
        let condition = match condition {
            Some(condition) => condition,
            None => self.builder().logical(true),
        };
        let label = self.if_used(label);
        self.emit(Stmt::While {
            condition,
            body,
            label,
        });
    }

    /// `if (!condition) break;`
    fn exit_unless(
        &mut self,
        condition: ExprId,
        label: contraflow_ir::JumpLabel,
    ) -> contraflow_ir::Block {
        self.used_labels.insert(label);
        let condition = self.builder().not(condition);
        let (then, ()) = self.in_block(|body| {
            body.emit(Stmt::Jump(Jump::Exit(label)));
        });
        let (block, ()) = self.in_block(|body| {
            body.emit(Stmt::If {
                condition,
                then,
                otherwise: Vec::new(),
            });
        });
        block
    }

    /// Whether bound and variable do not change in the body.
    fn is_fixed(&self, counted: &Counted<'a>, node: &'a ForStatement) -> bool {
        let inside = Facts::of_statement(&node.statement);
        let bound = Facts::of_expression(counted.bound);
        if inside.may_write(counted.name)
            || has_effects(counted.bound)
            || has_effects(counted.lower)
        {
            return false;
        }
        let changes = inside.calls || inside.writes_memory;
        if reads_memory(counted.bound) && changes {
            return false;
        }
        bound.names.iter().all(|name| {
            let is_global = matches!(self.unit.lookup(name), Some(Symbol::Global(_)));
            !inside.may_write(name)
                && !(changes && (is_global || self.facts.address_taken.contains(name)))
                && *name != counted.name
        })
    }

    /// Whether an expression without effects is an integer.
    fn is_whole(&mut self, node: &'a Node<Expression>) -> bool {
        let (_, value) = self.in_block(|body| body.scalar(node));
        value.is_ok_and(|e| super::operator::promoted(self.type_of(e)).is_integer())
    }

    /// The variable that the loop counts with; its declaration is done here.
    fn loop_variable(&mut self, counted: &Counted<'a>, node: &'a ForStatement) -> Option<VarId> {
        if self.facts.address_taken.contains(counted.name) {
            return None;
        }
        if let Some(declaration) = head_declaration(node) {
            let specified = self.unit.specified(&declaration.specifiers);
            let ty = self.counting_type(specified.ty.scalar()?, counted)?;
            let spelling = match Some(ty) == specified.ty.scalar() {
                true => specified.spelling.as_str(),
                false => "long",
            };
            let span = declaration.declarators.first()?.span;
            return self.counter(counted.name, ty, spelling, span);
        }
        let Some(&Symbol::Local(var)) = self.unit.lookup(counted.name) else {
            return None;
        };
        let variable = &self.procedure.variables[var];
        let suits = variable.shape.is_empty()
            && !matches!(variable.storage, Storage::Global(_))
            && matches!(
                self.known[var.index()].representation,
                super::Representation::Plain
            );
        let ty = self.counting_type(variable.ty, counted).filter(|_| suits)?;
        let variable = &mut self.procedure.variables[var];
        if ty != variable.ty {
            if !matches!(variable.storage, Storage::Local) {
                return None;
            }
            self.retype(var, ty);
        }
        Some(var)
    }

    /// Gives a counter another type; what has read or set it by now keeps its own.
    fn retype(&mut self, var: VarId, ty: Type) {
        let old = self.procedure.variables[var].ty;
        let variable = &mut self.procedure.variables[var];
        variable.ty = ty;
        variable.spelling = Some("long".to_owned());
        self.known[var.index()].ty = CType::Scalar(ty);
        let is_read = |node: &ExprNode| {
            node.ty == old && matches!(&node.expr, Expr::Load(access) if access.var == var)
        };
        let reads: Vec<ExprId> = self
            .procedure
            .exprs
            .iter()
            .filter(|(_, node)| is_read(node))
            .map(|(id, _)| id)
            .collect();
        for read in reads {
            let mut inner = self.procedure.exprs[read].clone();
            inner.ty = ty;
            let inner = self.procedure.exprs.add(inner);
            self.procedure.exprs[read].expr = Expr::Convert(inner);
        }
        let sets: Vec<(StmtId, ExprId)> = self
            .procedure
            .stmts
            .iter()
            .filter_map(|(id, node)| match &node.stmt {
                Stmt::Assign { target, value } if target.var == var => Some((id, *value)),
                _ => None,
            })
            .collect();
        for (set, value) in sets {
            let converted = self.convert(value, ty);
            if let Stmt::Assign { value, .. } = &mut self.procedure.stmts[set].stmt {
                *value = converted;
            }
        }
    }

    /// The counter that the head of a loop declares.
    fn counter(
        &mut self,
        name: &'a str,
        ty: Type,
        spelling: &str,
        span: crate::cst::Span,
    ) -> Option<VarId> {
        let var = match self.ended_scalar(name, ty, spelling) {
            Some(var) => var,
            None => {
                let plain = super::Representation::Plain;
                let var = self
                    .local_variable(name, name, CType::Scalar(ty), plain)
                    .ok()?;
                let span = self.unit.span(span);
                let variable = &mut self.procedure.variables[var];
                variable.spelling = crate::declare::spelled(spelling);
                variable.span = span;
                var
            }
        };
        self.unit.declare(name, Symbol::Local(var));
        Some(var)
    }

    /// The type that a counter has. One that only counts upwards may as well have a sign; then its
    /// last value, one less than the bound, is right for an empty loop too.
    fn counting_type(&self, ty: Type, counted: &Counted<'a>) -> Option<Type> {
        match ty {
            Type::Integer { signed: true, .. } => Some(ty),
            Type::Integer { .. } if counted.step > 0 && self.facts.only_counts(counted.name) => {
                Some(Type::LONG)
            }
            _ => None,
        }
    }

    /// A bound in the type of the counter.
    fn bound(&mut self, node: &'a Node<Expression>, ty: Type) -> Lowered<ExprId> {
        let bound = self.scalar(node)?;
        if !super::operator::promoted(self.type_of(bound)).is_integer() {
            return self.unsupported("a loop whose bound is no integer");
        }
        Ok(match self.builder().integer_value(bound) {
            Some(value) => self.builder().int_of(value, ty),
            None => self.convert(bound, ty),
        })
    }

    fn counted_loop(
        &mut self,
        variable: VarId,
        counted: &Counted<'a>,
        node: &'a ForStatement,
        directive: Option<Box<Directive>>,
    ) -> Lowered<()> {
        self.other_initializers(counted, node)?;
        let last = node.step.as_ref().or(node.condition.as_ref());
        let head = last.map_or(self.span, |last| self.head_span(last.span));
        self.span = head;
        let ty = self.procedure.variables[variable].ty;
        let lower = self.bound(counted.lower, ty)?;
        let bound = self.bound(counted.bound, ty)?;
        let one = self.builder().int_of(1, ty);
        let upper = match counted.relation {
            BinaryOperator::Less => self.builder().sub(bound, one),
            BinaryOperator::Greater => self.builder().add(bound, one),
            _ => bound,
        };
        let step = self.builder().int_of(counted.step, ty);
        let label = self.new_label();
        let target = Target {
            leave: Some(label),
            next: Some(Jump::Cycle(label)),
        };
        let body = self.loop_body(target, &node.statement);
        let label = self.if_used(label);
        self.emit(Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            label,
            directive,
        });
        Ok(())
    }

    /// `for (s = 0, i = 0; …)`: everything but the loop's variable.
    fn other_initializers(&mut self, counted: &Counted<'a>, node: &'a ForStatement) -> Lowered<()> {
        let ForInitializer::Expression(expression) = &node.initializer.node else {
            return Ok(());
        };
        let Expression::Comma(parts) = &expression.node else {
            return Ok(());
        };
        for part in parts.iter() {
            if assigned(part).is_none_or(|(name, _)| name != counted.name) {
                self.effects(part)?;
            }
        }
        Ok(())
    }
}
