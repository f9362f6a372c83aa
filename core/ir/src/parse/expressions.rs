//! Expressions and accesses.

use super::{Reader, Result, Token};
use crate::arena::Id;
use crate::expr::{Access, BoundKind, Expr, ExprId, ExprNode, Intrinsic, Selector, UnaryOp};
use crate::place::place_of;
use crate::print::words::{BINARY, UNARY, simple_type, usual_type};
use crate::source::Span;
use crate::types::Type;

impl Reader<'_> {
    pub(super) fn expr(&mut self) -> Result<ExprId> {
        self.binary(0)
    }

    fn add(&mut self, expr: Expr) -> ExprId {
        let ty = usual_type(&self.parser.module, &self.procedure, &expr);
        let span = Span::NONE;
        self.procedure.exprs.add(ExprNode { expr, ty, span })
    }

    /// Operators of at least this precedence; all group to the left.
    fn binary(&mut self, least: u8) -> Result<ExprId> {
        let mut left = self.unary()?;
        while let Some((word, precedence, op)) = BINARY
            .iter()
            .copied()
            .find(|(word, precedence, _)| *precedence >= least && self.parser.tokens.at(word))
        {
            self.parser.tokens.expect(word)?;
            let right = self.binary(precedence + 1)?;
            left = self.add(Expr::Binary(op, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<ExprId> {
        let is_number = matches!(
            self.parser.tokens.peek_at(1),
            Token::Integer(_) | Token::Real(_)
        );
        if is_number && self.parser.tokens.eat("-") {
            let literal = match self.parser.tokens.next() {
                Token::Integer(value) => Expr::Integer(-value),
                Token::Real(text) => Expr::Real(format!("-{text}")),
                _ => return self.parser.error("a number is expected"),
            };
            let literal = self.add(literal);
            return self.typed(literal);
        }
        for (word, op) in [
            ("-", UnaryOp::Negate),
            ("+", UnaryOp::Plus),
            ("not", UnaryOp::Not),
            ("~", UnaryOp::BitNot),
        ] {
            if self.parser.tokens.eat(word) {
                let operand = self.binary(UNARY)?;
                return Ok(self.add(Expr::Unary(op, operand)));
            }
        }
        let primary = self.primary()?;
        self.typed(primary)
    }

    /// A type that is written after an expression.
    fn typed(&mut self, e: ExprId) -> Result<ExprId> {
        if self.parser.tokens.eat(":") {
            self.procedure.exprs[e].ty = self.parser.ty()?;
        }
        Ok(e)
    }

    fn primary(&mut self) -> Result<ExprId> {
        let expr = match self.parser.tokens.peek().clone() {
            Token::Integer(value) => {
                self.parser.tokens.next();
                Expr::Integer(value)
            }
            Token::Real(text) => {
                self.parser.tokens.next();
                Expr::Real(text)
            }
            Token::Text(text) => {
                self.parser.tokens.next();
                Expr::Text(text)
            }
            Token::Symbol("(") => {
                self.parser.tokens.next();
                let inner = self.expr()?;
                self.parser.tokens.expect(")")?;
                return Ok(inner);
            }
            Token::Word(word) => match self.applied(&word)? {
                Some(expr) => return Ok(expr),
                None => Expr::Load(self.access()?),
            },
            Token::Name(_) => Expr::Load(self.access()?),
            other => {
                return self
                    .parser
                    .error(format!("an expression is expected, not {other:?}"));
            }
        };
        Ok(self.add(expr))
    }

    /// What begins with a word that is no name.
    fn applied(&mut self, word: &str) -> Result<Option<ExprId>> {
        let expr = if matches!(word, "true" | "false") {
            self.parser.tokens.next();
            Expr::Logical(word == "true")
        } else if let Some(f) = Intrinsic::named(word) {
            self.parser.tokens.next();
            Expr::Intrinsic(f, self.arguments()?)
        } else if let Some(ty) = simple_type(word) {
            self.parser.tokens.next();
            let operand = self.only_argument()?;
            let e = self.add(Expr::Convert(operand));
            self.procedure.exprs[e].ty = ty;
            return Ok(Some(e));
        } else {
            match self.special(word)? {
                Some(expr) => expr,
                None => return Ok(None),
            }
        };
        Ok(Some(self.add(expr)))
    }

    fn special(&mut self, word: &str) -> Result<Option<Expr>> {
        let kind = match word {
            "lower" => Some(BoundKind::Lower),
            "upper" => Some(BoundKind::Upper),
            "extent" => Some(BoundKind::Extent),
            "length" => Some(BoundKind::Length),
            "convert" | "select" | "present" | "associated" | "opaque" | "required" => None,
            _ => return Ok(None),
        };
        self.parser.tokens.next();
        if word == "convert" {
            return self.only_argument().map(|e| Some(Expr::Convert(e)));
        }
        if word == "select" {
            let arguments = self.arguments()?;
            let [condition, then, otherwise] = arguments[..] else {
                return self.parser.error("`select` has three arguments");
            };
            return Ok(Some(Expr::Select {
                condition,
                then,
                otherwise,
            }));
        }
        self.parser.tokens.expect("(")?;
        let expr = match (word, kind) {
            (_, Some(kind)) => {
                let array = self.access()?;
                self.parser.tokens.expect(",")?;
                let dim = self.parser.tokens.number()?;
                Expr::Bound { array, kind, dim }
            }
            ("present", _) => Expr::Present(self.access()?),
            ("associated", _) => {
                let pointer = self.access()?;
                self.parser.tokens.expect(",")?;
                let target = self.access()?;
                Expr::Associated { pointer, target }
            }
            ("opaque", _) => {
                let text = self.parser.tokens.text()?;
                let reads = self.more()?;
                Expr::Opaque { text, reads }
            }
            _ => return self.required_value().map(Some),
        };
        self.parser.tokens.expect(")")?;
        Ok(Some(expr))
    }

    fn required_value(&mut self) -> Result<Expr> {
        let access = self.access()?;
        let after = self.parser.tokens.eat("after");
        if !after {
            self.parser.tokens.expect("before")?;
        }
        let position = if self.parser.tokens.eat("#") {
            // A statement that stands in no block.
            self.parser.tokens.index()?;
            usize::MAX
        } else {
            self.parser.tokens.index()?
        };
        self.parser.tokens.expect(")")?;
        let next = Id::from_index(self.procedure.exprs.len());
        self.required.push((next, position));
        Ok(Expr::Required {
            access,
            at: Id::from_index(0),
            after,
        })
    }

    fn arguments(&mut self) -> Result<Vec<ExprId>> {
        self.parser.tokens.expect("(")?;
        let mut arguments = Vec::new();
        while !self.parser.tokens.eat(")") {
            arguments.push(self.expr()?);
            if !self.parser.tokens.at(")") {
                self.parser.tokens.expect(",")?;
            }
        }
        Ok(arguments)
    }

    fn only_argument(&mut self) -> Result<ExprId> {
        match self.arguments()?[..] {
            [argument] => Ok(argument),
            _ => self.parser.error("one argument is expected"),
        }
    }

    /// `, a, b` up to a closing parenthesis.
    pub(super) fn more(&mut self) -> Result<Vec<Access>> {
        let mut accesses = Vec::new();
        while self.parser.tokens.eat(",") {
            accesses.push(self.access()?);
        }
        Ok(accesses)
    }

    pub(super) fn access(&mut self) -> Result<Access> {
        let mut access = Access::whole(self.var()?);
        loop {
            let selector = if self.parser.tokens.eat("[") {
                self.subscripts()?
            } else if self.parser.tokens.eat(".") {
                if self.parser.tokens.eat("*") {
                    Selector::Deref
                } else {
                    self.field(&access)?
                }
            } else {
                return Ok(access);
            };
            access.path.push(selector);
        }
    }

    fn field(&mut self, record: &Access) -> Result<Selector> {
        if self.parser.tokens.eat("#") {
            return self.parser.tokens.number().map(Selector::Field);
        }
        let name = self.parser.tokens.name()?;
        let place = place_of(&self.parser.module, &self.procedure, record);
        let Ok(Type::Record(record)) = place.map(|place| place.ty) else {
            return self
                .parser
                .error(format!("`{name}` is selected where no record is"));
        };
        let fields = self.parser.module.records.get(record).map(|r| &r.fields);
        match fields.and_then(|fields| fields.iter().position(|field| field.name == name)) {
            Some(index) => Ok(Selector::Field(index as u32)),
            None => self
                .parser
                .error(format!("no component is called `{name}`")),
        }
    }

    fn subscripts(&mut self) -> Result<Selector> {
        let mut subscripts = Vec::new();
        while !self.parser.tokens.eat("]") {
            subscripts.push(self.subscript()?);
            if !self.parser.tokens.at("]") {
                self.parser.tokens.expect(",")?;
            }
        }
        Ok(Selector::Index(subscripts))
    }

    /// An expression or a range.
    fn subscript(&mut self) -> Result<ExprId> {
        let lower = if self.parser.tokens.at("..") {
            None
        } else {
            let lower = self.expr()?;
            if !self.parser.tokens.at("..") {
                return Ok(lower);
            }
            Some(lower)
        };
        self.parser.tokens.expect("..")?;
        let at_end = [",", "]", "by", ":"]
            .iter()
            .any(|end| self.parser.tokens.at(end));
        let upper = if at_end { None } else { Some(self.expr()?) };
        let step = if self.parser.tokens.eat("by") {
            Some(self.expr()?)
        } else {
            None
        };
        Ok(self.add(Expr::Range { lower, upper, step }))
    }
}
