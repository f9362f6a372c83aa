//! Statements.

use super::Printer;
use super::words::{name, quoted};
use crate::expr::{Access, Expr, ExprId};
use crate::stmt::{Argument, Callee, CaseLabel, Directive, Jump, JumpLabel, Stmt, StmtId};

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &[StmtId]) {
        for &id in block {
            match self.procedure.stmts.get(id) {
                Some(node) => self.statement(&node.stmt),
                None => self.line(&format!("<missing {id:?}>")),
            }
        }
    }

    fn inner(&mut self, head: &str, block: &[StmtId]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    fn closed(&mut self, head: &str, block: &[StmtId]) {
        self.inner(head, block);
        self.line("}");
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                label,
                directive,
            } => {
                let mut head = format!(
                    "loop {} = {}, {}",
                    self.var(*variable),
                    self.expr(*lower),
                    self.expr(*upper)
                );
                if !self.is_plain_one(*step) {
                    head += &format!(", {}", self.expr(*step));
                }
                head += &labelled(*label);
                if let Some(directive) = directive {
                    head += &format!(" {}", self.directive(directive));
                }
                self.closed(&head, body);
            }
            Stmt::While {
                condition,
                body,
                label,
            } => {
                let head = format!("while {}{}", self.expr(*condition), labelled(*label));
                self.closed(&head, body);
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                self.inner(&format!("if {}", self.expr(*condition)), then);
                if !otherwise.is_empty() {
                    self.inner("} else", otherwise);
                }
                self.line("}");
            }
            Stmt::Switch {
                selector,
                arms,
                default,
            } => {
                self.line(&format!("switch {} {{", self.expr(*selector)));
                self.depth += 1;
                for arm in arms {
                    let labels: Vec<String> =
                        arm.labels.iter().map(|label| self.case(label)).collect();
                    self.closed(&format!("case {}", labels.join(", ")), &arm.body);
                }
                self.closed("default", default);
                self.depth -= 1;
                self.line("}");
            }
            Stmt::Region { directive, body } => {
                let head = format!("region {}", self.directive(directive));
                self.closed(&head, body);
            }
            Stmt::Labelled { label, body } => {
                self.closed(&format!("block{}", labelled(Some(*label))), body);
            }
            other => {
                let line = self.simple(other);
                self.line(&line);
            }
        }
    }

    /// A statement without blocks.
    fn simple(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Assign { target, value } => {
                format!("{} = {}", self.access(target), self.expr(*value))
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call(callee, arguments, result.as_ref()),
            Stmt::Allocate {
                target,
                shape,
                zeroed,
            } => {
                let dims: Vec<String> = shape
                    .iter()
                    .map(|(lower, extent)| match lower {
                        Some(lower) => format!("{} from {}", self.expr(*extent), self.expr(*lower)),
                        None => self.expr(*extent),
                    })
                    .collect();
                format!(
                    "allocate {} ({}){}",
                    self.access(target),
                    dims.join(", "),
                    if *zeroed { " zeroed" } else { "" }
                )
            }
            Stmt::Free { target } => format!("free {}", self.access(target)),
            Stmt::PointerAssign {
                target,
                value,
                is_pointer,
                offset,
                bounds,
            } => {
                let value = match value {
                    None => "null".to_owned(),
                    Some(value) if *is_pointer => format!("copy {}", self.access(value)),
                    Some(value) => format!("place {}", self.access(value)),
                };
                let offset = offset
                    .map(|offset| format!(" plus {}", self.expr(offset)))
                    .unwrap_or_default();
                format!(
                    "point {} = {value}{offset}{}",
                    self.access(target),
                    self.pointer_bounds(bounds)
                )
            }
            Stmt::Fill { target, value } => {
                format!("fill {} = {}", self.access(target), self.expr(*value))
            }
            Stmt::Copy { target, source } => {
                format!("copy {} = {}", self.access(target), self.access(source))
            }
            Stmt::Push { tape, value } => {
                format!("push {}, {}", self.var(*tape), self.expr(*value))
            }
            Stmt::Pop { tape, target } => {
                format!("pop {}, {}", self.var(*tape), self.access(target))
            }
            Stmt::Jump(Jump::Exit(label)) => format!("exit{}", labelled(Some(*label))),
            Stmt::Jump(Jump::Cycle(label)) => format!("cycle{}", labelled(Some(*label))),
            Stmt::Jump(Jump::Return) => "return".into(),
            Stmt::Opaque {
                text,
                kind,
                reads,
                writes,
                terminates,
            } => format!(
                "opaque {} {} reads({}) writes({}){}",
                quoted(kind),
                quoted(text),
                self.accesses(reads),
                self.accesses(writes),
                if *terminates { " terminates" } else { "" }
            ),
            Stmt::Stop { message, value } => {
                format!("stop {} {}", quoted(message), self.expr(*value))
            }
            Stmt::Comment(text) => format!("comment {}", quoted(text)),
            Stmt::Loop { .. }
            | Stmt::While { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::Region { .. }
            | Stmt::Labelled { .. } => unreachable!("statements with blocks are printed elsewhere"),
        }
    }

    fn is_plain_one(&self, step: ExprId) -> bool {
        self.procedure
            .exprs
            .get(step)
            .is_some_and(|node| node.expr == Expr::Integer(1) && node.ty == crate::types::Type::INT)
    }

    fn pointer_bounds(&self, bounds: &[(ExprId, Option<ExprId>)]) -> String {
        let bounds: Vec<String> = bounds
            .iter()
            .map(|&(lower, upper)| match upper {
                Some(upper) => format!("{} to {}", self.expr(lower), self.expr(upper)),
                None => self.expr(lower),
            })
            .collect();
        match bounds.is_empty() {
            true => String::new(),
            false => format!(" bounds ({})", bounds.join(", ")),
        }
    }

    fn case(&self, label: &CaseLabel) -> String {
        let end = |e: &Option<ExprId>| e.map(|e| self.expr(e)).unwrap_or_default();
        match label {
            CaseLabel::Value(value) => self.expr(*value),
            CaseLabel::Range(lower, upper) => format!("{}..{}", end(lower), end(upper)),
        }
    }

    fn call(&self, callee: &Callee, arguments: &[Argument], result: Option<&Access>) -> String {
        let result = result
            .map(|result| format!("{} = ", self.access(result)))
            .unwrap_or_default();
        let callee = match callee {
            Callee::Procedure(id) => self.callee(*id),
            Callee::External(external) => format!("external {}", name(external)),
            Callee::Variable(var) => format!("via {}", self.var(*var)),
        };
        let arguments: Vec<String> = arguments.iter().map(|a| self.argument(a)).collect();
        format!("{result}call {callee}({})", arguments.join(", "))
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Value(value) => self.expr(*value),
            Argument::Place(place) => format!("&{}", self.access(place)),
            Argument::Procedure(id) => format!("procedure {}", self.callee(*id)),
            Argument::Absent => "absent".into(),
            Argument::Opaque { text, reads } => {
                format!("quoted({}{})", quoted(text), self.more(reads))
            }
        }
    }

    fn accesses(&self, accesses: &[Access]) -> String {
        let accesses: Vec<String> = accesses.iter().map(|a| self.access(a)).collect();
        accesses.join(", ")
    }

    fn directive(&self, directive: &Directive) -> String {
        let mut text = format!("directive({}", quoted(&directive.text));
        for (word, vars) in [
            ("private", &directive.private),
            ("first_private", &directive.first_private),
        ] {
            for &var in vars {
                text += &format!(", {word} {}", self.var(var));
            }
        }
        for (operator, var) in &directive.reductions {
            text += &format!(", reduction {} {}", quoted(operator), self.var(*var));
        }
        if directive.independent {
            text += ", independent";
        }
        if directive.collapse > 0 {
            text += &format!(", collapse {}", directive.collapse);
        }
        text + ")"
    }
}

fn labelled(label: Option<JumpLabel>) -> String {
    label
        .map(|label| format!(" @{}", label.0))
        .unwrap_or_default()
}
