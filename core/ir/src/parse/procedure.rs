//! A procedure's head and variables.

use std::collections::HashMap;

use super::{Parser, Reader, Result, Token};
use crate::arena::Id;
use crate::expr::Expr;
use crate::module::{Labels, Procedure, ProcedureKind, ProcedureRole};
use crate::source::FileId;
use crate::types::{Aliasing, Dim, Extent, Intent, Passing, Role, Storage, VarId, Variable};

/// Reads a procedure after the word `procedure`.
pub(super) fn read_procedure(parser: &mut Parser) -> Result<Procedure> {
    let name = parser.tokens.name()?;
    let start = parser.tokens.position();
    let mut reader = Reader {
        parser,
        procedure: Procedure::new(name),
        names: HashMap::new(),
        order: Vec::new(),
        required: Vec::new(),
    };
    reader.declare()?;
    reader.parser.tokens.go_to(start);
    reader.head()?;
    reader.parser.tokens.expect("{")?;
    while reader.parser.tokens.eat("is") {
        reader.fact()?;
    }
    while reader.parser.tokens.eat("var") {
        reader.variable()?;
    }
    reader.procedure.body = reader.statements()?;
    reader.parser.tokens.expect("}")?;
    reader.resolve_required()?;
    Ok(reader.procedure)
}

impl Reader<'_> {
    /// Adds every variable with its type alone. Leaves the place in the text anywhere.
    fn declare(&mut self) -> Result<()> {
        let mut depth = 0usize;
        loop {
            let tokens = &mut self.parser.tokens;
            if tokens.eat("{") {
                depth += 1;
            } else if tokens.eat("}") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Ok(());
                }
            } else if tokens.eat("var") {
                let name = tokens.name()?;
                tokens.expect(":")?;
                let ty = self.parser.ty()?;
                let var = self
                    .procedure
                    .variables
                    .add(Variable::scalar(name.clone(), ty));
                self.names.insert(name, var);
            } else if tokens.next() == Token::End {
                return self.parser.error("the procedure has no end");
            }
        }
    }

    pub(super) fn var(&mut self) -> Result<VarId> {
        let name = self.parser.tokens.name()?;
        match self.names.get(&name) {
            Some(&var) => Ok(var),
            None => self.parser.error(format!("no variable is called `{name}`")),
        }
    }

    fn head(&mut self) -> Result<()> {
        self.parser.tokens.expect("(")?;
        while !self.parser.tokens.eat(")") {
            let argument = self.var()?;
            self.procedure.arguments.push(argument);
            self.parser.tokens.eat(",");
        }
        if self.parser.tokens.eat("->") {
            let result = self.var()?;
            self.procedure.kind = ProcedureKind::Function { result };
        }
        Ok(())
    }

    fn fact(&mut self) -> Result<()> {
        let fact = self.parser.tokens.name()?;
        let procedure_id = |reader: &mut Self| reader.parser.parenthesised(Parser::procedure_id);
        match fact.as_str() {
            "lifted" => {
                self.procedure.role = ProcedureRole::Lifted {
                    of: procedure_id(self)?,
                }
            }
            "tangent" => {
                self.procedure.role = ProcedureRole::Tangent {
                    of: procedure_id(self)?,
                }
            }
            "adjoint" => {
                self.procedure.role = ProcedureRole::Adjoint {
                    of: procedure_id(self)?,
                }
            }
            "forward" => {
                self.procedure.role = ProcedureRole::Forward {
                    of: procedure_id(self)?,
                }
            }
            "backward" => {
                self.procedure.role = ProcedureRole::Backward {
                    of: procedure_id(self)?,
                }
            }
            "copy" => {
                self.procedure.role = ProcedureRole::Copy {
                    of: procedure_id(self)?,
                }
            }
            "helper" => {
                self.procedure.role = ProcedureRole::Helper {
                    of: procedure_id(self)?,
                }
            }
            "start" => {
                self.procedure.role = ProcedureRole::Start {
                    of: procedure_id(self)?,
                }
            }
            "host" => self.procedure.home.host = Some(procedure_id(self)?),
            "file" => {
                let file = self.parser.parenthesised(|parser| parser.tokens.number())?;
                self.procedure.home.file = FileId(file);
            }
            "container" => {
                let container = self.parser.parenthesised(|parser| parser.tokens.index())?;
                self.procedure.home.container = Some(Id::from_index(container));
            }
            "interface" => {
                let container = self.parser.parenthesised(|parser| parser.tokens.index())?;
                self.procedure.home.interface = Some(Id::from_index(container));
            }
            "prologue" => {
                let line = self.parser.parenthesised(|parser| parser.tokens.text())?;
                self.procedure.home.prologue.push(line);
            }
            "private" => self.procedure.is_private = true,
            "recursive" => self.procedure.is_recursive = true,
            "pure" => self.procedure.is_pure = true,
            "elemental" => self.procedure.is_elemental = true,
            "labels" => {
                let (which, places) = self.parser.parenthesised(|parser| {
                    let which = parser.tokens.index()?;
                    let mut places = Vec::new();
                    while parser.tokens.eat(",") {
                        places.push(parser.tokens.index()?);
                    }
                    Ok((which, places))
                })?;
                let which = Id::from_index(which);
                self.procedure.labels = Some(Labels { which, places });
            }
            "gives" => {
                let var = self.parser.parenthesised(|parser| parser.tokens.index())?;
                self.procedure.gives = Some(Id::from_index(var));
            }
            "scalars_by_value" => self.procedure.scalars_by_value = true,
            "no_body" => self.procedure.has_body = false,
            other => {
                return self
                    .parser
                    .error(format!("`{other}` is no fact of a procedure"));
            }
        }
        Ok(())
    }

    fn variable(&mut self) -> Result<()> {
        let var = self.var()?;
        self.parser.tokens.expect(":")?;
        self.parser.ty()?;
        if self.parser.tokens.eat("[") {
            loop {
                let extent = self.extent()?;
                self.parser.tokens.expect("from")?;
                let lower = self.expr()?;
                self.procedure.variables[var]
                    .shape
                    .push(Dim { lower, extent });
                if !self.parser.tokens.eat(",") {
                    break;
                }
            }
            self.parser.tokens.expect("]")?;
        }
        while let Token::Word(word) = self.parser.tokens.peek().clone() {
            if !self.attribute(var, &word)? {
                break;
            }
        }
        Ok(())
    }

    fn extent(&mut self) -> Result<Extent> {
        for (symbol, extent) in [
            (":", Extent::Assumed),
            ("*", Extent::AssumedSize),
            ("&", Extent::Deferred),
            ("?", Extent::Unknown),
        ] {
            if self.parser.tokens.eat(symbol) {
                return Ok(extent);
            }
        }
        self.expr().map(Extent::Count)
    }

    /// Reads an attribute, if the word is one that may follow here.
    fn attribute(&mut self, var: VarId, word: &str) -> Result<bool> {
        let before = self.parser.tokens.position();
        self.parser.tokens.next();
        let has_arguments = self.parser.tokens.at("(");
        if has_arguments {
            let known = self.attribute_with_arguments(var, word)?;
            if !known {
                self.parser.tokens.go_to(before);
            }
            return Ok(known);
        }
        // A statement may begin with a variable of such a name.
        let starts_statement = ["=", "[", "."].iter().any(|s| self.parser.tokens.at(s));
        let variable = &mut self.procedure.variables[var];
        match word {
            _ if starts_statement => {
                self.parser.tokens.go_to(before);
                return Ok(false);
            }
            "result" => variable.storage = Storage::Result,
            "saved" => variable.storage = Storage::Saved,
            "value" => variable.passing = Passing::Value,
            "in" => variable.intent = Intent::In,
            "out" => variable.intent = Intent::Out,
            "inout" => variable.intent = Intent::InOut,
            "may_alias" => variable.aliasing = Aliasing::May,
            "optional" => variable.optional = true,
            "read_only" => variable.read_only = true,
            "polymorphic" => variable.polymorphic = true,
            "tape" => variable.role = Role::Tape,
            "disk" => variable.role = Role::Disk,
            "temporary" => variable.role = Role::Temporary,
            "allocatable" | "pointed" => {
                self.parser.tokens.go_to(before);
                let allocation = self.parser.allocation();
                self.procedure.variables[var].allocation = allocation;
            }
            _ => {
                self.parser.tokens.go_to(before);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn attribute_with_arguments(&mut self, var: VarId, word: &str) -> Result<bool> {
        if !matches!(
            word,
            "argument"
                | "global"
                | "common"
                | "overlay"
                | "constant"
                | "shadow"
                | "initial"
                | "values"
                | "length"
                | "spelling"
                | "interface"
        ) {
            return Ok(false);
        }
        self.parser.tokens.expect("(")?;
        match word {
            "argument" => {
                let index = self.parser.tokens.number()?;
                self.procedure.variables[var].storage = Storage::Argument { index };
            }
            "global" => {
                let global = Id::from_index(self.parser.tokens.index()?);
                self.procedure.variables[var].storage = Storage::Global(global);
            }
            "common" => {
                let block = Id::from_index(self.parser.tokens.index()?);
                self.parser.tokens.expect(",")?;
                let offset = self.parser.tokens.number()?;
                self.procedure.variables[var].storage = Storage::Common { block, offset };
            }
            "overlay" => {
                let base = self.var()?;
                self.parser.tokens.expect(",")?;
                let offset = self.parser.tokens.number()?;
                self.procedure.variables[var].storage = Storage::Overlay { base, offset };
            }
            "constant" => {
                let value = if self.parser.tokens.eat("?") {
                    None
                } else {
                    Some(self.expr()?)
                };
                let global = if self.parser.tokens.eat(",") {
                    Some(Id::from_index(self.parser.tokens.index()?))
                } else {
                    None
                };
                self.procedure.variables[var].storage = Storage::Constant { value, global };
            }
            "shadow" => {
                let of = self.var()?;
                self.procedure.variables[var].role = Role::Shadow { of };
            }
            "initial" => {
                let value = self.expr()?;
                self.procedure.variables[var].initial = Some(value);
            }
            "values" => loop {
                let count = self.parser.tokens.number()?;
                self.parser.tokens.expect(":")?;
                let value = self.expr()?;
                self.procedure.variables[var].values.push((count, value));
                if !self.parser.tokens.eat(",") {
                    break;
                }
            },
            "interface" => {
                let interface = self.parser.procedure_id()?;
                self.procedure.variables[var].interface = Some(interface);
            }
            "length" => {
                let length = self.expr()?;
                self.procedure.variables[var].length = Some(length);
            }
            _ => {
                let text = self.parser.tokens.text()?;
                self.procedure.variables[var].spelling = Some(text);
            }
        }
        self.parser.tokens.expect(")")?;
        Ok(true)
    }

    /// Turns positions of statements into ids, once all statements are read.
    fn resolve_required(&mut self) -> Result<()> {
        for (e, position) in std::mem::take(&mut self.required) {
            let Some(&statement) = self.order.get(position) else {
                return self
                    .parser
                    .error(format!("there is no statement {position}"));
            };
            if let Expr::Required { at, .. } = &mut self.procedure.exprs[e].expr {
                *at = statement;
            }
        }
        Ok(())
    }
}
