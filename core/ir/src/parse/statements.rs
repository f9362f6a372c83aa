//! Statements.

use super::{Reader, Result, Token};
use crate::expr::{Access, Expr, ExprId, ExprNode};
use crate::source::Span;
use crate::stmt::{Argument, Block, Callee, CaseArm, CaseLabel, Directive, Jump, JumpLabel};
use crate::stmt::{Stmt, StmtNode};
use crate::types::Type;

impl Reader<'_> {
    /// Statements up to a closing brace.
    pub(super) fn statements(&mut self) -> Result<Block> {
        let mut block = Block::new();
        while !self.parser.tokens.at("}") {
            let id = self.procedure.stmts.add(StmtNode {
                stmt: Stmt::Comment(String::new()),
                span: Span::NONE,
            });
            self.order.push(id);
            block.push(id);
            self.procedure.stmts[id].stmt = self.statement()?;
        }
        Ok(block)
    }

    fn block(&mut self) -> Result<Block> {
        self.parser.tokens.expect("{")?;
        let block = self.statements()?;
        self.parser.tokens.expect("}")?;
        Ok(block)
    }

    fn statement(&mut self) -> Result<Stmt> {
        let word = match self.parser.tokens.peek() {
            Token::Word(word) => word.clone(),
            _ => return self.assignment(),
        };
        let start = self.parser.tokens.position();
        self.parser.tokens.next();
        match word.as_str() {
            "loop" => self.counted_loop(),
            "while" => {
                let condition = self.expr()?;
                let label = self.label()?;
                let body = self.block()?;
                Ok(Stmt::While {
                    condition,
                    body,
                    label,
                })
            }
            "if" => {
                let condition = self.expr()?;
                let then = self.block()?;
                let otherwise = if self.parser.tokens.eat("else") {
                    self.block()?
                } else {
                    Block::new()
                };
                Ok(Stmt::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            "switch" => self.switch(),
            "region" => {
                let directive = Box::new(self.directive()?);
                let body = self.block()?;
                Ok(Stmt::Region { directive, body })
            }
            "block" => {
                let label = self.required_label()?;
                let body = self.block()?;
                Ok(Stmt::Labelled { label, body })
            }
            "exit" => self.required_label().map(|l| Stmt::Jump(Jump::Exit(l))),
            "cycle" => self.required_label().map(|l| Stmt::Jump(Jump::Cycle(l))),
            "return" => Ok(Stmt::Jump(Jump::Return)),
            "comment" => self.parser.tokens.text().map(Stmt::Comment),
            "stop" => {
                let message = self.parser.tokens.text()?;
                let value = self.expr()?;
                Ok(Stmt::Stop { message, value })
            }
            "call" => self.call(None),
            "opaque" => self.opaque(),
            "allocate" | "free" | "point" | "fill" | "copy" | "push" | "pop" => self.memory(&word),
            _ => {
                self.parser.tokens.go_to(start);
                self.assignment()
            }
        }
    }

    fn assignment(&mut self) -> Result<Stmt> {
        let target = self.access()?;
        self.parser.tokens.expect("=")?;
        if self.parser.tokens.eat("call") {
            return self.call(Some(target));
        }
        let value = self.expr()?;
        Ok(Stmt::Assign { target, value })
    }

    fn label(&mut self) -> Result<Option<JumpLabel>> {
        if self.parser.tokens.eat("@") {
            self.parser.tokens.number().map(|n| Some(JumpLabel(n)))
        } else {
            Ok(None)
        }
    }

    fn required_label(&mut self) -> Result<JumpLabel> {
        match self.label()? {
            Some(label) => Ok(label),
            None => self.parser.error("a label is expected"),
        }
    }

    fn counted_loop(&mut self) -> Result<Stmt> {
        let variable = self.var()?;
        self.parser.tokens.expect("=")?;
        let lower = self.expr()?;
        self.parser.tokens.expect(",")?;
        let upper = self.expr()?;
        let step = if self.parser.tokens.eat(",") {
            self.expr()?
        } else {
            self.one()
        };
        let label = self.label()?;
        let directive = if self.parser.tokens.at("directive") {
            Some(Box::new(self.directive()?))
        } else {
            None
        };
        let body = self.block()?;
        Ok(Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            label,
            directive,
        })
    }

    fn one(&mut self) -> ExprId {
        self.procedure.exprs.add(ExprNode {
            expr: Expr::Integer(1),
            ty: Type::INT,
            span: Span::NONE,
        })
    }

    fn switch(&mut self) -> Result<Stmt> {
        let selector = self.expr()?;
        self.parser.tokens.expect("{")?;
        let mut arms = Vec::new();
        while self.parser.tokens.eat("case") {
            let mut labels = Vec::new();
            while !self.parser.tokens.at("{") {
                labels.push(self.case()?);
                if !self.parser.tokens.at("{") {
                    self.parser.tokens.expect(",")?;
                }
            }
            let body = self.block()?;
            arms.push(CaseArm { labels, body });
        }
        self.parser.tokens.expect("default")?;
        let default = self.block()?;
        self.parser.tokens.expect("}")?;
        Ok(Stmt::Switch {
            selector,
            arms,
            default,
        })
    }

    fn case(&mut self) -> Result<CaseLabel> {
        let lower = if self.parser.tokens.at("..") {
            None
        } else {
            Some(self.expr()?)
        };
        if !self.parser.tokens.eat("..") {
            return match lower {
                Some(value) => Ok(CaseLabel::Value(value)),
                None => self.parser.error("a value is expected"),
            };
        }
        let at_end = self.parser.tokens.at(",") || self.parser.tokens.at("{");
        let upper = if at_end { None } else { Some(self.expr()?) };
        Ok(CaseLabel::Range(lower, upper))
    }

    fn call(&mut self, result: Option<Access>) -> Result<Stmt> {
        let callee = if self.parser.tokens.eat("external") {
            Callee::External(self.parser.tokens.name()?)
        } else if self.parser.tokens.eat("via") {
            Callee::Variable(self.var()?)
        } else {
            Callee::Procedure(self.parser.procedure_id()?)
        };
        self.parser.tokens.expect("(")?;
        let mut arguments = Vec::new();
        while !self.parser.tokens.eat(")") {
            arguments.push(self.argument()?);
            if !self.parser.tokens.at(")") {
                self.parser.tokens.expect(",")?;
            }
        }
        Ok(Stmt::Call {
            callee,
            arguments,
            result,
        })
    }

    fn argument(&mut self) -> Result<Argument> {
        if self.parser.tokens.eat("&") {
            return self.access().map(Argument::Place);
        }
        if self.parser.tokens.eat("procedure") {
            return self.parser.procedure_id().map(Argument::Procedure);
        }
        if self.parser.tokens.eat("absent") {
            return Ok(Argument::Absent);
        }
        if self.parser.tokens.eat("quoted") {
            self.parser.tokens.expect("(")?;
            let text = self.parser.tokens.text()?;
            let reads = self.more()?;
            self.parser.tokens.expect(")")?;
            return Ok(Argument::Opaque { text, reads });
        }
        self.expr().map(Argument::Value)
    }

    fn memory(&mut self, word: &str) -> Result<Stmt> {
        if matches!(word, "push" | "pop") {
            let tape = self.var()?;
            self.parser.tokens.expect(",")?;
            return Ok(if word == "push" {
                let value = self.expr()?;
                Stmt::Push { tape, value }
            } else {
                let target = self.access()?;
                Stmt::Pop { tape, target }
            });
        }
        let target = self.access()?;
        match word {
            "free" => return Ok(Stmt::Free { target }),
            "allocate" => return self.allocate(target),
            _ => self.parser.tokens.expect("=")?,
        }
        match word {
            "fill" => {
                let value = self.expr()?;
                Ok(Stmt::Fill { target, value })
            }
            "copy" => {
                let source = self.access()?;
                Ok(Stmt::Copy { target, source })
            }
            _ => self.point(target),
        }
    }

    fn allocate(&mut self, target: Access) -> Result<Stmt> {
        self.parser.tokens.expect("(")?;
        let mut shape = Vec::new();
        while !self.parser.tokens.eat(")") {
            let extent = self.expr()?;
            let lower = if self.parser.tokens.eat("from") {
                Some(self.expr()?)
            } else {
                None
            };
            shape.push((lower, extent));
            if !self.parser.tokens.at(")") {
                self.parser.tokens.expect(",")?;
            }
        }
        let zeroed = self.parser.tokens.eat("zeroed");
        Ok(Stmt::Allocate {
            target,
            shape,
            zeroed,
        })
    }

    fn point(&mut self, target: Access) -> Result<Stmt> {
        let is_pointer = self.parser.tokens.eat("copy");
        let value = if self.parser.tokens.eat("null") {
            None
        } else {
            if !is_pointer {
                self.parser.tokens.expect("place")?;
            }
            Some(self.access()?)
        };
        let offset = if self.parser.tokens.eat("plus") {
            Some(self.expr()?)
        } else {
            None
        };
        let mut bounds = Vec::new();
        if self.parser.tokens.eat("bounds") {
            self.parser.tokens.expect("(")?;
            while !self.parser.tokens.eat(")") {
                let lower = self.expr()?;
                let upper = match self.parser.tokens.eat("to") {
                    true => Some(self.expr()?),
                    false => None,
                };
                bounds.push((lower, upper));
                if !self.parser.tokens.at(")") {
                    self.parser.tokens.expect(",")?;
                }
            }
        }
        Ok(Stmt::PointerAssign {
            target,
            value,
            is_pointer,
            offset,
            bounds,
        })
    }

    fn opaque(&mut self) -> Result<Stmt> {
        let kind = self.parser.tokens.text()?;
        let text = self.parser.tokens.text()?;
        self.parser.tokens.expect("reads")?;
        let reads = self.accesses()?;
        self.parser.tokens.expect("writes")?;
        let writes = self.accesses()?;
        let terminates = self.parser.tokens.eat("terminates");
        Ok(Stmt::Opaque {
            text,
            kind: kind_of(&kind),
            reads,
            writes,
            terminates,
        })
    }

    fn accesses(&mut self) -> Result<Vec<Access>> {
        self.parser.tokens.expect("(")?;
        let mut accesses = Vec::new();
        while !self.parser.tokens.eat(")") {
            accesses.push(self.access()?);
            self.parser.tokens.eat(",");
        }
        Ok(accesses)
    }

    fn directive(&mut self) -> Result<Directive> {
        self.parser.tokens.expect("directive")?;
        self.parser.tokens.expect("(")?;
        let mut directive = Directive {
            text: self.parser.tokens.text()?,
            ..Directive::default()
        };
        while self.parser.tokens.eat(",") {
            match self.parser.tokens.name()?.as_str() {
                "private" => directive.private.push(self.var()?),
                "first_private" => directive.first_private.push(self.var()?),
                "reduction" => {
                    let operator = self.parser.tokens.text()?;
                    directive.reductions.push((operator, self.var()?));
                }
                "independent" => directive.independent = true,
                "collapse" => directive.collapse = self.parser.tokens.number()?,
                other => {
                    return self
                        .parser
                        .error(format!("`{other}` is no part of a directive"));
                }
            }
        }
        self.parser.tokens.expect(")")?;
        Ok(directive)
    }
}

/// The kind of quoted text, kept for the rest of the program's life: there are few of them.
fn kind_of(word: &str) -> &'static str {
    static KNOWN: std::sync::Mutex<Vec<&'static str>> = std::sync::Mutex::new(Vec::new());
    let mut known = match KNOWN.lock() {
        Ok(known) => known,
        Err(poisoned) => poisoned.into_inner(),
    };
    if let Some(kind) = known.iter().find(|kind| **kind == word) {
        return kind;
    }
    let kind: &'static str = Box::leak(word.to_owned().into_boxed_str());
    known.push(kind);
    kind
}
