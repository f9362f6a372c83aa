//! Input and output: quoted as it stands, with what it reads and writes, but for jumps on errors.

use super::opaque::dedup;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax, Tree};
use crate::declare::scope::What;
use crate::syntax::Kind;
use crate::syntax::scan::commas;
use crate::view::Slice;
use contraflow_ir::{BinaryOp, Block, Type, VarId, Variable};

/// What `iostat=` receives at the end of a file and of a record, as all compilers at hand have it.
const END_OF_FILE: i128 = -1;
const END_OF_RECORD: i128 = -2;

/// `err=10`, `end=10`, `eor=10`
pub(super) fn jump_of(text: &str) -> Option<(&str, u32)> {
    let (word, label) = text.split_once('=')?;
    let is_jump = matches!(word, "err" | "end" | "eor");
    is_jump.then_some((word, label.parse().ok()?))
}

impl Lowerer<'_> {
    /// WRITE, READ, OPEN, …
    pub(super) fn io(
        &mut self,
        index: usize,
        word: &'static str,
        control: Slice,
        items: Slice,
    ) -> Fallible<()> {
        let statement = self.statement_at(index).clone();
        let bytes = statement.text.as_bytes();
        let controls = commas(bytes, control);
        let jumps: Vec<(&str, u32)> = controls
            .iter()
            .filter_map(|part| jump_of(statement.part(*part)))
            .collect();
        let tree = self.parse(&[control, items])?;
        let mut reads = Vec::new();
        let mut writes = Vec::new();
        let mut has_namelist = false;
        for (position, &node) in tree.roots(0).iter().enumerate() {
            if let Some(members) = self.namelist(&tree, node, position)? {
                has_namelist = true;
                // Which of them the input names is not known: the others keep their values.
                reads.extend(members.iter().copied());
                if word == "read" {
                    writes.extend(members);
                }
                continue;
            }
            let names = self.names_below(Syn { tree: &tree, node });
            if self.control_is_written(&tree, node, word, position) {
                writes.extend(names.iter().copied());
                // What only receives a value is not read.
                let is_whole = match tree.syntax(node) {
                    Syntax::Keyword(_, value) => *tree.syntax(*value) == Syntax::Name,
                    syntax => *syntax == Syntax::Name,
                };
                if is_whole {
                    continue;
                }
            }
            reads.extend(names);
        }
        let start = self.action_start(index);
        let end = statement.text.len() as u32;
        if word != "read" {
            for &node in tree.roots(1) {
                reads.extend(self.names_below(Syn { tree: &tree, node }));
            }
            dedup(&mut reads);
            dedup(&mut writes);
            if !jumps.is_empty() {
                let text = statement.readable_part(items);
                return self.jumping_io(word, control, &text, &jumps, [reads, writes], Vec::new());
            }
            let text = self.with_format(index, Slice { start, end });
            self.opaque(text, word, reads, writes, false);
            return Ok(());
        }
        if has_namelist && jumps.is_empty() {
            let text = statement.readable_part(Slice { start, end });
            self.opaque(text, word, reads, writes, false);
            return Ok(());
        }
        let is_internal = tree
            .roots(0)
            .first()
            .is_some_and(|&node| self.text_variable(Syn { tree: &tree, node }).is_some());
        let word = if is_internal { "internal-read" } else { word };
        let received = self.receive(&tree, &statement, items)?;
        reads.extend(received.reads);
        writes.extend(received.writes);
        dedup(&mut reads);
        dedup(&mut writes);
        let text = received.text;
        if !jumps.is_empty() {
            let effects = [reads, writes];
            return self.jumping_io(word, control, &text, &jumps, effects, received.assigned);
        }
        let until = if items.is_empty() { end } else { items.start };
        let head = self.with_format(index, Slice { start, end: until });
        let text = format!("{} {text}", head.trim_end());
        self.opaque(text.trim_end().to_owned(), word, reads, writes, false);
        let status = self.status(&tree);
        self.where_read(status, received.assigned);
        Ok(())
    }

    /// The variables of the namelist that a control item names, if it names one.
    fn namelist(
        &mut self,
        tree: &Tree,
        node: NodeId,
        position: usize,
    ) -> Fallible<Option<Vec<VarId>>> {
        let node = match tree.syntax(node) {
            Syntax::Keyword(word, value) if matches!(tree.statement.part(*word), "nml" | "fmt") => {
                *value
            }
            Syntax::Name if position == 1 => node,
            _ => return Ok(None),
        };
        let program = self.program;
        let Some(found) = program.find(self.scope, tree.text(node)) else {
            return Ok(None);
        };
        let What::Namelist(members) = &found.symbol.what else {
            return Ok(None);
        };
        let mut variables = Vec::new();
        for member in members {
            let here = program.find(self.scope, member);
            let there = program.find(found.scope, member);
            if found.scope != self.scope
                && here.map(|it| (it.scope, it.key)) != there.map(|it| (it.scope, it.key))
            {
                return refuse("a namelist whose variables are not seen here");
            }
            variables.push(self.named(member)?);
        }
        Ok(Some(variables))
    }

    /// A statement that jumps on errors: it says how it went, and the jumps follow. What would have
    /// ended the program still ends it.
    fn jumping_io(
        &mut self,
        word: &'static str,
        control: Slice,
        items: &str,
        jumps: &[(&str, u32)],
        [reads, mut writes]: [Vec<VarId>; 2],
        assigned: Block,
    ) -> Fallible<()> {
        let statement = self.statement_at(self.statement).clone();
        let controls = commas(statement.text.as_bytes(), control);
        let mut parts = Vec::new();
        let mut told = None;
        for (position, part) in controls.into_iter().enumerate() {
            let text = statement.part(part);
            if jump_of(text).is_some() {
                continue;
            }
            if let Some(name) = text.strip_prefix("iostat=") {
                told = Some(self.named(name)?);
            }
            let format = text
                .strip_prefix("fmt=")
                .or((position == 1).then_some(text));
            let label = format.and_then(|text| text.parse().ok());
            let format = label.and_then(|label| self.format_text(label));
            parts.push(format.unwrap_or_else(|| statement.readable_part(part)));
        }
        let status = match told {
            Some(status) => status,
            None => {
                let status = self.io_status();
                parts.push(format!("iostat={}", self.variable(status).name));
                writes.push(status);
                status
            }
        };
        if self.variable(status).ty != Type::INT || self.variable(status).is_array() {
            return refuse("it jumps on errors, and says of which kind in no plain integer");
        }
        let verb = word.trim_start_matches("internal-");
        let text = format!("{verb}({}) {items}", parts.join(", "));
        self.opaque(text.trim_end().to_owned(), word, reads, writes, false);
        self.where_read(Some(status), assigned);
        for (wanted, test) in [
            ("err", (BinaryOp::Greater, 0)),
            ("eor", (BinaryOp::Equal, END_OF_RECORD)),
            ("end", (BinaryOp::Equal, END_OF_FILE)),
        ] {
            if let Some(&(_, label)) = jumps.iter().find(|(word, _)| *word == wanted) {
                let jump = self.jump_statement(label)?;
                self.where_status(status, test, vec![jump]);
            }
        }
        if told.is_none() {
            let text = "stop 2".to_owned();
            let (ends, ()) = self.block(|lowerer| {
                lowerer.opaque(text, "stop", Vec::new(), Vec::new(), true);
                Ok(())
            })?;
            self.where_status(status, (BinaryOp::NotEqual, 0), ends);
        }
        Ok(())
    }

    fn where_status(&mut self, status: VarId, (op, value): (BinaryOp, i128), then: Block) {
        let mut b = self.build();
        let found = b.load(status);
        let value = b.int(value);
        let condition = b.compare(op, found, value);
        let stmt = b.if_else(condition, then, Vec::new());
        self.out.push(stmt);
    }

    /// The variable that receives `iostat=` where the source has none. Quoted text names it, so its
    /// name is one that the procedure's text does not have.
    fn io_status(&mut self) -> VarId {
        if let Some(status) = self.io_status {
            return status;
        }
        let file = self.program.file_of(self.home);
        let (first, last) = self.program.scopes[self.home].statements;
        let name = (0u32..)
            .map(|n| match n {
                0 => "io_status".to_owned(),
                n => format!("io_status{n}"),
            })
            .find(|name| !(first..=last).any(|index| file.statements[index].text.contains(name)))
            .unwrap_or_default();
        let status = self
            .procedure
            .variables
            .add(Variable::scalar(name, Type::INT));
        self.io_status = Some(status);
        status
    }

    /// Whether a control item receives a value: `iostat=`, the internal file of a WRITE, ….
    fn control_is_written(
        &self,
        tree: &crate::cst::Tree,
        node: crate::cst::NodeId,
        word: &str,
        position: usize,
    ) -> bool {
        match tree.syntax(node) {
            Syntax::Keyword(name, _) => {
                let name = tree.statement.part(*name);
                matches!(name, "iostat" | "iomsg" | "size" | "newunit" | "id")
                    || (word == "inquire" && !matches!(name, "unit" | "file"))
                    || (word == "write" && name == "unit")
            }
            Syntax::Name | Syntax::Apply(..) | Syntax::Member(..) => {
                word == "write" && position == 0 && self.is_character_name(tree, node)
            }
            _ => false,
        }
    }

    fn is_character_name(&self, tree: &crate::cst::Tree, node: crate::cst::NodeId) -> bool {
        let mut at = node;
        while let Syntax::Apply(base, _) | Syntax::Member(base, _) = tree.syntax(at) {
            at = *base;
        }
        self.declared_type(self.scope, tree.text(at)) != Ok(Type::INT)
    }

    /// The text with a FORMAT label replaced by the format itself, so that it can stand anywhere.
    fn with_format(&self, index: usize, slice: Slice) -> String {
        let statement = self.statement_at(index);
        let bytes = statement.text.as_bytes();
        let file = self.program.file_of(self.home);
        let kind = match &file.kinds[index].kind {
            Kind::If { action, .. } => action.as_ref(),
            kind => kind,
        };
        let label =
            match kind {
                Kind::Io { word: "print", .. } => {
                    let start = slice.start as usize + 5;
                    let digits = bytes[start..]
                        .iter()
                        .take_while(|b| b.is_ascii_digit())
                        .count();
                    Some(Slice::new(start, start + digits))
                }
                Kind::Io { control, .. } => commas(bytes, *control)
                    .into_iter()
                    .enumerate()
                    .find_map(|(position, part)| {
                        let text = statement.part(part);
                        if let Some(rest) = text.strip_prefix("fmt=") {
                            let start = part.end as usize - rest.len();
                            return Some(Slice::new(start, part.end as usize));
                        }
                        (position == 1).then_some(part)
                    }),
                _ => None,
            };
        let format = label.and_then(|part| {
            let number: u32 = statement.part(part).parse().ok()?;
            Some((part, self.format_text(number)?))
        });
        match format {
            Some((part, format)) => {
                let before = Slice::new(slice.start as usize, part.start as usize);
                let after = Slice::new(part.end as usize, slice.end as usize);
                let head = statement.readable_part(before);
                format!("{head}{format}{}", statement.readable_part(after))
            }
            None => statement.readable_part(slice),
        }
    }

    /// The FORMAT statement of a label as a character literal.
    pub(super) fn format_text(&self, label: u32) -> Option<String> {
        let file = self.program.file_of(self.home);
        let (first, last) = self.program.scopes[self.home].statements;
        let index = (first..=last).find(|&index| {
            file.kinds[index].kind == Kind::Format && file.statements[index].label == Some(label)
        })?;
        let text = file.statements[index].original.get(6..)?;
        Some(format!("'{}'", text.replace('\'', "''")))
    }
}
