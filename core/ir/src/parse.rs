//! Reads the text form that [`print`](crate::print) writes.
//!
//! Reading what was printed gives a module that prints alike; ids of expressions and statements may
//! differ, unreachable nodes are gone, and so are spans. It is recursive descent over a list of
//! tokens. Names may be used before they are declared, so declarations of procedures and variables
//! are looked for first.

use std::collections::HashMap;

use crate::module::{Module, Procedure, ProcedureId};
use crate::stmt::StmtId;
use crate::types::VarId;

mod expressions;
mod module;
mod procedure;
mod statements;
mod tokens;

use tokens::{Token, Tokens};

/// What is wrong with a text, and on which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected, or what is not known.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

/// Reads a module.
pub fn parse(text: &str) -> Result<Module> {
    let tokens = Tokens::new(text)?;
    let mut parser = Parser {
        tokens,
        module: Module::default(),
        procedures: HashMap::new(),
    };
    parser.module()?;
    Ok(parser.module)
}

struct Parser {
    tokens: Tokens,
    module: Module,
    /// The procedures of each name.
    procedures: HashMap<String, Vec<ProcedureId>>,
}

/// The procedure that is being read.
struct Reader<'p> {
    parser: &'p mut Parser,
    procedure: Procedure,
    names: HashMap<String, VarId>,
    /// Statements in textual order.
    order: Vec<StmtId>,
    /// Expressions that refer to a statement by its position.
    required: Vec<(crate::expr::ExprId, usize)>,
}

impl Parser {
    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ParseError {
            line: self.tokens.line(),
            message: message.into(),
        })
    }

    /// `name`, `name#3` or `#3`.
    fn procedure_id(&mut self) -> Result<ProcedureId> {
        if self.tokens.eat("#") {
            let index = self.tokens.index()?;
            return Ok(crate::arena::Id::from_index(index));
        }
        let name = self.tokens.name()?;
        if self.tokens.eat("#") {
            let index = self.tokens.index()?;
            return Ok(crate::arena::Id::from_index(index));
        }
        match self.procedures.get(&name).map(Vec::as_slice) {
            Some([id]) => Ok(*id),
            Some(_) => self.error(format!("several procedures are called `{name}`")),
            None => self.error(format!("no procedure is called `{name}`")),
        }
    }

    fn ty(&mut self) -> Result<crate::types::Type> {
        use crate::arena::Id;
        use crate::types::Type;
        let Token::Word(word) = self.tokens.next() else {
            return self.error("a type is expected");
        };
        if let Some(ty) = crate::print::words::simple_type(&word) {
            return Ok(ty);
        }
        let indexed = |parser: &mut Self| -> Result<usize> {
            parser.tokens.expect("(")?;
            let index = parser.tokens.index()?;
            parser.tokens.expect(")")?;
            Ok(index)
        };
        Ok(match word.as_str() {
            "character" => Type::Character,
            "record" => Type::Record(Id::from_index(indexed(self)?)),
            "pointer" => Type::Pointer(Id::from_index(indexed(self)?)),
            "procedure" => Type::Procedure,
            "address" => Type::Address,
            "void" => Type::Void,
            "unknown" => Type::Unknown,
            other => return self.error(format!("`{other}` is no type")),
        })
    }

    /// `(` … `)` around what `inner` reads.
    fn parenthesised<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.tokens.expect("(")?;
        let value = inner(self)?;
        self.tokens.expect(")")?;
        Ok(value)
    }
}
