//! What stands outside procedures.

use super::procedure::read_procedure;
use super::{Parser, Result, Token};
use crate::arena::Id;
use crate::module::{CommonBlock, Container, ContainerKind, Field, Global, GlobalKind};
use crate::module::{Pointer, Procedure, Record};
use crate::source::{FileId, Span};
use crate::types::Allocation;

impl Parser {
    pub(super) fn module(&mut self) -> Result<()> {
        self.name_procedures();
        let mut next_procedure = 0;
        while *self.tokens.peek() != Token::End {
            let Token::Word(word) = self.tokens.next() else {
                return self.error("a declaration is expected");
            };
            match word.as_str() {
                "container" => self.container()?,
                "record" => self.record()?,
                "pointer" => {
                    let target = self.ty()?;
                    let spelling = self.spelling()?;
                    self.module.pointers.add(Pointer { target, spelling });
                }
                "common" => {
                    let name = self.tokens.text()?;
                    let bytes = self.tokens.number()?;
                    self.module.commons.add(CommonBlock { name, bytes });
                }
                "global" => self.global()?,
                "procedure" => {
                    let procedure = read_procedure(self)?;
                    self.module.procedures[Id::from_index(next_procedure)] = procedure;
                    next_procedure += 1;
                }
                other => return self.error(format!("`{other}` declares nothing")),
            }
        }
        Ok(())
    }

    /// Names all procedures, so that calls may stand before them.
    fn name_procedures(&mut self) {
        let mut depth = 0usize;
        loop {
            if self.tokens.at("{") {
                depth += 1;
            } else if self.tokens.at("}") {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && self.tokens.at("procedure") {
                if let Token::Word(name) | Token::Name(name) = self.tokens.peek_at(1).clone() {
                    let id = self.module.procedures.add(Procedure::new(name.clone()));
                    self.procedures.entry(name).or_default().push(id);
                }
            } else if *self.tokens.peek() == Token::End {
                break;
            }
            self.tokens.next();
        }
        self.tokens.go_to(0);
    }

    fn container(&mut self) -> Result<()> {
        let name = self.tokens.name()?;
        let kind = match self.tokens.name()?.as_str() {
            "module" => ContainerKind::Module,
            "submodule" => ContainerKind::Submodule,
            "program" => ContainerKind::Program,
            "unit" => ContainerKind::TranslationUnit,
            "generated" => ContainerKind::Generated,
            other => return self.error(format!("`{other}` is no kind of container")),
        };
        let numbered = |parser: &mut Self, word: &str| -> Result<u32> {
            parser.tokens.expect(word)?;
            parser.parenthesised(|parser| parser.tokens.number())
        };
        let file = FileId(numbered(self, "file")?);
        let declare_at = numbered(self, "declare")?;
        let insert_at = numbered(self, "insert")?;
        let has_contains = self.tokens.eat("contains");
        self.module.containers.add(Container {
            name,
            kind,
            file,
            span: Span::NONE,
            declare_at,
            insert_at,
            has_contains,
        });
        Ok(())
    }

    fn record(&mut self) -> Result<()> {
        let name = self.tokens.text()?;
        let is_union = self.tokens.eat("union");
        let is_abstract = self.tokens.eat("abstract");
        let has_final = self.tokens.eat("final");
        let is_private = self.tokens.eat("private");
        let container = self.container_of()?;
        self.tokens.expect("{")?;
        let mut fields = Vec::new();
        while self.tokens.eat("field") {
            let name = self.tokens.name()?;
            self.tokens.expect(":")?;
            fields.push(Field {
                name,
                ty: self.ty()?,
                shape: self.fixed_shape()?,
                allocation: self.allocation(),
                read_only: self.tokens.eat("read_only"),
                is_private: self.tokens.eat("private"),
                variant_of: match self.tokens.eat("variant") {
                    true => Some(self.parenthesised(|parser| parser.tokens.number())?),
                    false => None,
                },
                spelling: self.spelling()?,
            });
        }
        self.tokens.expect("}")?;
        self.module.records.add(Record {
            name,
            span: Span::NONE,
            container,
            fields,
            is_union,
            is_abstract,
            has_final,
            is_private,
            local: None,
        });
        Ok(())
    }

    fn global(&mut self) -> Result<()> {
        let name = self.tokens.name()?;
        self.tokens.expect(":")?;
        let ty = self.ty()?;
        let shape = self.fixed_shape()?;
        let kind = match self.tokens.name()?.as_str() {
            "module" => GlobalKind::Module,
            "constant" => GlobalKind::Constant,
            "external" => GlobalKind::External,
            "static" => GlobalKind::FileStatic,
            "saved" => GlobalKind::Saved,
            other => return self.error(format!("`{other}` is no kind of global")),
        };
        let container = self.container_of()?;
        let allocation = self.allocation();
        let is_private = self.tokens.eat("private");
        let shadow_of = if self.tokens.eat("shadow") {
            Some(Id::from_index(
                self.parenthesised(|parser| parser.tokens.index())?,
            ))
        } else {
            None
        };
        let declared_by = if self.tokens.eat("declared_by") {
            Some(self.parenthesised(|parser| {
                let procedure = parser.tokens.index()?;
                parser.tokens.expect(",")?;
                let var = parser.tokens.index()?;
                Ok((Id::from_index(procedure), Id::from_index(var)))
            })?)
        } else {
            None
        };
        let targets = match self.tokens.eat("leads_to") {
            true => Some(self.parenthesised(|parser| {
                let mut targets = Vec::new();
                while !parser.tokens.at(")") {
                    targets.push(Id::from_index(parser.tokens.index()?));
                    parser.tokens.eat(",");
                }
                Ok(targets)
            })?),
            false => None,
        };
        let spelling = self.spelling()?;
        let id = self.module.globals.add(Global {
            name,
            span: Span::NONE,
            container,
            kind,
            ty,
            spelling,
            shape,
            allocation,
            is_private,
            shadow_of,
            declared_by,
        });
        if let Some(targets) = targets {
            self.module.initial_targets.insert(id, targets);
        }
        Ok(())
    }

    fn container_of(&mut self) -> Result<Option<Id<Container>>> {
        if !self.tokens.eat("container") {
            return Ok(None);
        }
        let index = self.parenthesised(|parser| parser.tokens.index())?;
        Ok(Some(Id::from_index(index)))
    }

    pub(super) fn allocation(&mut self) -> Allocation {
        if self.tokens.eat("allocatable") {
            Allocation::Allocatable
        } else if self.tokens.eat("pointed") {
            Allocation::Pointer
        } else {
            Allocation::Fixed
        }
    }

    pub(super) fn spelling(&mut self) -> Result<Option<String>> {
        if !self.tokens.eat("spelling") {
            return Ok(None);
        }
        self.parenthesised(|parser| parser.tokens.text()).map(Some)
    }

    fn fixed_shape(&mut self) -> Result<Vec<(i64, Option<i64>)>> {
        let mut shape = Vec::new();
        if !self.tokens.eat("[") {
            return Ok(shape);
        }
        loop {
            let extent = if self.tokens.eat("&") {
                None
            } else {
                Some(self.tokens.number()?)
            };
            self.tokens.expect("from")?;
            shape.push((self.tokens.number()?, extent));
            if !self.tokens.eat(",") {
                break;
            }
        }
        self.tokens.expect("]")?;
        Ok(shape)
    }
}
