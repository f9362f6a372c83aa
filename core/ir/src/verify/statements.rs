//! Statements.

use super::Checker;
use super::expressions::same;
use crate::expr::{Access, Expr, ExprId};
use crate::module::ProcedureId;
use crate::source::Span;
use crate::stmt::{Argument, Callee, Directive, Stmt, StmtId, StmtNode};
use crate::types::{Passing, Role, Type, VarId};

impl Checker<'_> {
    pub(super) fn statements(&mut self) {
        for id in self.procedure.all_statements() {
            self.statement(&self.procedure.stmts[id]);
        }
    }

    fn statement(&mut self, node: &StmtNode) {
        let span = node.span;
        match &node.stmt {
            Stmt::Assign { target, value } => {
                if let Some(place) = self.target(target, span) {
                    self.require(place.rank == 0, 10, span, |c| {
                        format!("{} is assigned as a scalar", c.name(target))
                    });
                    self.stored(target, place.ty, *value, span);
                }
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call(callee, arguments, result.as_ref(), span),
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                label,
                directive,
            } => {
                self.require(label.is_none(), 4, span, |_| "a loop has a label".into());
                self.loop_head(*variable, [*lower, *upper, *step], body, span);
                self.directive(directive.as_deref(), span);
            }
            Stmt::While {
                condition, label, ..
            } => {
                self.require(label.is_none(), 4, span, |_| "a loop has a label".into());
                self.condition(*condition);
            }
            Stmt::If { condition, .. } => self.condition(*condition),
            Stmt::Switch { selector, .. } => {
                let ty = self.procedure.exprs[*selector].ty;
                let discrete = ty.is_integer()
                    || matches!(ty, Type::Logical { .. } | Type::Character | Type::Unknown);
                self.require(discrete, 7, span, |_| format!("a selector has type {ty:?}"));
            }
            Stmt::Allocate { target, shape, .. } => {
                self.target(target, span);
                for e in shape
                    .iter()
                    .flat_map(|(lower, extent)| lower.iter().chain([extent]))
                {
                    self.integer(*e, "an extent", 8);
                }
            }
            Stmt::Free { target } => {
                self.target(target, span);
            }
            Stmt::PointerAssign {
                target,
                value,
                offset,
                bounds,
                ..
            } => {
                let place = self.target(target, span);
                value.iter().for_each(|value| {
                    self.access(value, span);
                });
                offset.iter().for_each(|&e| self.integer(e, "an offset", 8));
                self.pointer_bounds(place.map(|place| place.rank), bounds, value.is_some(), span);
            }
            Stmt::Fill { target, value } => {
                if let Some(place) = self.target(target, span) {
                    self.stored(target, place.ty, *value, span);
                }
            }
            Stmt::Copy { target, source } => {
                let places = (self.target(target, span), self.access(source, span));
                if let (Some(to), Some(from)) = places {
                    self.require(same(to.ty, from.ty), 10, span, |_| {
                        format!("{:?} is copied to {:?}", from.ty, to.ty)
                    });
                }
            }
            Stmt::Push { tape, value } => {
                self.tape(*tape, self.procedure.exprs[*value].ty, span);
            }
            Stmt::Pop { tape, target } => {
                if let Some(place) = self.target(target, span) {
                    self.tape(*tape, place.ty, span);
                }
            }
            Stmt::Region { directive, .. } => self.directive(Some(directive), span),
            Stmt::Labelled { .. } => self.report(4, span, "a block has a label".into()),
            Stmt::Jump(jump) => self.report(4, span, format!("there is a jump: {jump:?}")),
            Stmt::Opaque { reads, writes, .. } => reads.iter().chain(writes).for_each(|access| {
                self.access(access, span);
            }),
            Stmt::Stop { value, .. } => self.integer(*value, "the number of a message", 10),
            Stmt::Comment(_) => {}
        }
    }

    fn pointer_bounds(
        &mut self,
        rank: Option<usize>,
        bounds: &[(ExprId, Option<ExprId>)],
        is_associated: bool,
        span: Span,
    ) {
        for e in bounds
            .iter()
            .flat_map(|&(lower, upper)| [lower].into_iter().chain(upper))
        {
            self.integer(e, "a bound of a pointer", 8);
        }
        let stated = bounds.iter().filter(|(_, upper)| upper.is_some()).count();
        let fits = bounds.is_empty()
            || is_associated
                && rank.is_none_or(|rank| rank == bounds.len())
                && (stated == 0 || stated == bounds.len());
        self.require(fits, 8, span, |_| {
            format!(
                "{} bounds of a pointer, {stated} of them upper ones",
                bounds.len()
            )
        });
    }

    fn stored(&mut self, target: &Access, ty: Type, value: ExprId, span: Span) {
        let given = self.procedure.exprs[value].ty;
        self.require(same(ty, given), 10, span, |c| {
            format!(
                "{} of type {ty:?} is given a value of type {given:?}",
                c.name(target)
            )
        });
    }

    fn integer(&mut self, e: ExprId, what: &str, invariant: u32) {
        let node = &self.procedure.exprs[e];
        let holds = node.ty.is_integer() || node.ty == Type::Unknown;
        self.require(holds, invariant, node.span, |_| {
            format!("{what} has type {:?}", node.ty)
        });
    }

    fn loop_head(&mut self, variable: VarId, bounds: [ExprId; 3], body: &[StmtId], span: Span) {
        for bound in bounds {
            self.integer(bound, "a bound of a loop", 11);
        }
        if let Expr::Integer(0) = self.procedure.expr(bounds[2]) {
            self.report(11, span, "the step of a loop is zero".into());
        }
        let Some(place) = self.target(&Access::whole(variable), span) else {
            return;
        };
        let name = &self.procedure.variables[variable].name;
        self.require(place.rank == 0 && place.ty.is_integer(), 11, span, |_| {
            format!("the loop variable `{name}` is no integer scalar")
        });
        let procedure = self.procedure;
        let mut written = None;
        procedure.walk_block(body, &mut |id| {
            if writes(procedure.stmt(id), variable) {
                written = Some(procedure.stmts[id].span);
            }
        });
        if let Some(span) = written {
            self.report(
                11,
                span,
                format!("the loop variable `{name}` is written in the loop"),
            );
        }
    }

    fn directive(&mut self, directive: Option<&Directive>, span: Span) {
        let Some(directive) = directive else { return };
        let named = directive
            .private
            .iter()
            .chain(&directive.first_private)
            .chain(directive.reductions.iter().map(|(_, var)| var));
        for var in named {
            let exists = self.procedure.variables.get(*var).is_some();
            self.require(exists, 1, span, |_| {
                format!("variable {var:?} does not exist")
            });
        }
    }

    fn tape(&mut self, tape: VarId, ty: Type, span: Span) {
        let Some(variable) = self.procedure.variables.get(tape) else {
            return self.report(1, span, format!("variable {tape:?} does not exist"));
        };
        let holds = variable.role == Role::Tape && variable.rank() == 1 && same(variable.ty, ty);
        self.require(holds, 18, span, |_| {
            format!("`{}` is no growing tape of {ty:?}", variable.name)
        });
    }

    fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Access>,
        span: Span,
    ) {
        for argument in arguments {
            match argument {
                Argument::Place(place) => {
                    self.access(place, span);
                }
                Argument::Opaque { reads, .. } => reads.iter().for_each(|access| {
                    self.access(access, span);
                }),
                Argument::Procedure(id) => {
                    let exists = self.module.procedures.get(*id).is_some();
                    self.require(exists, 1, span, |_| {
                        format!("procedure {id:?} does not exist")
                    });
                }
                Argument::Value(_) | Argument::Absent => {}
            }
        }
        let place = result.and_then(|result| self.target(result, span));
        match callee {
            Callee::Procedure(id) => self.known_call(*id, arguments, place.map(|p| p.ty), span),
            Callee::Variable(var) => {
                let exists = self.procedure.variables.get(*var).is_some();
                self.require(exists, 1, span, |_| {
                    format!("variable {var:?} does not exist")
                });
            }
            Callee::External(_) => {}
        }
    }

    fn known_call(
        &mut self,
        id: ProcedureId,
        arguments: &[Argument],
        result: Option<Type>,
        span: Span,
    ) {
        let Some(callee) = self.module.procedures.get(id) else {
            return self.report(1, span, format!("procedure {id:?} does not exist"));
        };
        let name = &callee.name;
        let (given, taken) = (arguments.len(), callee.arguments.len());
        self.require(given == taken, 14, span, |_| {
            format!("`{name}` takes {taken} arguments and is given {given}")
        });
        for (argument, &formal) in arguments.iter().zip(&callee.arguments) {
            let Some(formal) = callee.variables.get(formal) else {
                continue;
            };
            let by_value = formal.passing == Passing::Value && formal.ty.is_numeric();
            let fits = match argument {
                Argument::Value(e) => {
                    let ty = self.procedure.exprs[*e].ty;
                    same(ty, formal.ty) || !by_value
                }
                Argument::Place(_) => !by_value || formal.is_array(),
                Argument::Procedure(_) | Argument::Absent | Argument::Opaque { .. } => true,
            };
            self.require(fits, 14, span, |_| {
                format!("`{}` of `{name}` is given {argument:?}", formal.name)
            });
        }
        if let Some(ty) = result {
            let value = callee.result().map(|result| callee.variables[result].ty);
            self.require(value.is_some_and(|value| same(value, ty)), 14, span, |_| {
                format!("`{name}` gives {value:?} where {ty:?} is wanted")
            });
        }
    }
}

/// Whether the statement itself stores into the variable. What a callee does to a place is not
/// seen.
fn writes(stmt: &Stmt, var: VarId) -> bool {
    match stmt {
        Stmt::Assign { target, .. }
        | Stmt::Fill { target, .. }
        | Stmt::Copy { target, .. }
        | Stmt::Pop { target, .. } => target.var == var,
        Stmt::Call { result, .. } => result.as_ref().is_some_and(|result| result.var == var),
        Stmt::Loop { variable, .. } => *variable == var,
        _ => false,
    }
}
