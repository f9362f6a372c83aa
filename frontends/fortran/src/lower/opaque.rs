//! Statements that are quoted as they stand: input and output, STOP, and what is refused.

use super::{Fallible, Lowerer, Refusal, Syn, refuse};
use crate::cst::Syntax;
use crate::declare::scope::What;
use crate::syntax::Kind;
use crate::syntax::scan::{after_string, commas, in_name};
use crate::view::Slice;
use contraflow_ir::{Access, Diagnostic, Stmt, Type, VarId};

/// The reason of a refusal that has its own diagnostic already.
pub(super) const UNPARSED: &str = "it does not parse";

impl Lowerer<'_> {
    /// The variables that an expression names.
    pub(super) fn names_below(&mut self, e: Syn) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut pending = vec![e.node];
        while let Some(node) = pending.pop() {
            if *e.tree.syntax(node) == Syntax::Name
                && let Ok(var) = self.named(e.tree.text(node))
                && !found.contains(&var)
                && !self.variable(var).is_constant()
            {
                found.push(var);
            }
            let children = e.tree.children(node);
            let skip = match e.tree.syntax(node) {
                Syntax::Apply(base, _) if *e.tree.syntax(*base) == Syntax::Name => {
                    let name = e.tree.text(*base);
                    !self.is_variable(name)
                }
                _ => false,
            };
            pending.extend(children.into_iter().skip(usize::from(skip)).rev());
        }
        found
    }

    /// Whether a name followed by parentheses is a variable.
    fn is_variable(&self, name: &str) -> bool {
        use super::expr::Applied;
        matches!(self.applied(name), Applied::Array | Applied::Substring)
    }

    /// The variables that a statement's text names, found without parsing it.
    fn names_in_text(&mut self, text: &str) -> Vec<VarId> {
        let bytes = text.as_bytes();
        let mut found = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\'' | b'"' => at = after_string(bytes, at),
                byte if byte.is_ascii_alphabetic() => {
                    let length = bytes[at..].iter().take_while(|&&b| in_name(b)).count();
                    let is_component = at > 0 && bytes[at - 1] == b'%';
                    if !is_component
                        && let Some(var) = self.known_variable(&text[at..at + length])
                        && !found.contains(&var)
                    {
                        found.push(var);
                    }
                    at += length;
                }
                byte if byte.is_ascii_digit() => {
                    at += bytes[at..].iter().take_while(|&&b| in_name(b)).count();
                }
                _ => at += 1,
            }
        }
        found
    }

    /// The variable of a name that is declared or was used before.
    pub(super) fn known_variable(&mut self, name: &str) -> Option<VarId> {
        if let Some(place) = self.association(name) {
            return Some(place.access.var);
        }
        if let Some(&var) = self.variables.get(&(self.scope, name.to_owned())) {
            return Some(var);
        }
        let found = self.program.find(self.scope, name)?;
        let is_variable = matches!(found.symbol.what, What::Entity) && !found.symbol.is_parameter;
        if !is_variable || found.symbol.is_external {
            return None;
        }
        self.named(name).ok()
    }

    /// Emits quoted text.
    pub(super) fn opaque(
        &mut self,
        text: String,
        kind: &'static str,
        reads: Vec<VarId>,
        writes: Vec<VarId>,
        terminates: bool,
    ) {
        self.quotes(&text);
        let places = |vars: Vec<VarId>| vars.into_iter().map(Access::whole).collect();
        self.emit(Stmt::Opaque {
            text,
            kind,
            reads: places(reads),
            writes: places(writes),
            terminates,
        });
    }

    /// A refused statement, with what it may read and write.
    pub(super) fn refused(&mut self, index: usize, kind: &Kind, refusal: &Refusal) {
        let statement = self.statement_at(index).clone();
        let name = if refusal.reason == UNPARSED {
            "parse-error"
        } else {
            opaque_kind(kind)
        };
        let mut names = self.names_in_text(&statement.text);
        names.retain(|&var| !self.variable(var).is_constant());
        let writes = self.may_write(&statement.text, kind, &names);
        self.opaque(statement.readable(), name, names, writes, false);
        if refusal.reason != UNPARSED {
            self.report(index, &refusal.reason);
        }
    }

    fn report(&mut self, index: usize, reason: &str) {
        self.diagnostics.push(
            Diagnostic::note("opaque", "this statement is kept as it stands")
                .at(self.statement_at(index).place(), reason.to_owned())
                .with_help("active values may not pass through it"),
        );
    }

    /// An assignment writes its target (and what its calls may write); anything else may write
    /// all that it names.
    fn may_write(&mut self, text: &str, kind: &Kind, names: &[VarId]) -> Vec<VarId> {
        let has_calls = matches!(kind, Kind::Assignment { value, .. }
            if text.get(value.range()).is_some_and(|value| value.contains('(')));
        match kind {
            Kind::Assignment { target, .. } if !has_calls => {
                let text = text.get(target.range()).unwrap_or("");
                let length = text.bytes().take_while(|&b| in_name(b)).count();
                self.known_variable(&text[..length]).into_iter().collect()
            }
            _ => names.to_vec(),
        }
    }

    /// Quotes an assignment to a character variable or a part of one, which holds no number; says
    /// whether it is one.
    pub(super) fn text_assignment(&mut self, index: usize, target: Slice, value: Slice) -> bool {
        let Ok(tree) = self.parse(&[target, value]) else {
            return false;
        };
        let (Some(target), Some(value)) = (tree.root(0), tree.root(1)) else {
            return false;
        };
        let [target, value] = [target, value].map(|node| Syn { tree: &tree, node });
        let Some(var) = self.text_variable(target) else {
            return false;
        };
        if self.calls_functions(target) || self.calls_functions(value) {
            return false;
        }
        let mut reads = self.names_below(target);
        reads.extend(self.names_below(value));
        let writes = vec![var];
        dedup(&mut reads);
        let statement = self.statement_at(index);
        let whole = Slice {
            start: self.action_start(index),
            end: statement.text.len() as u32,
        };
        let text = statement.readable_part(whole);
        self.opaque(text, "character", reads, writes, false);
        true
    }

    /// The character variable that a designator is a part of.
    fn text_variable(&mut self, e: Syn) -> Option<VarId> {
        let mut node = e.node;
        while let Syntax::Apply(base, _) = e.tree.syntax(node) {
            node = *base;
        }
        if *e.tree.syntax(node) != Syntax::Name {
            return None;
        }
        let var = self.named(e.tree.text(node)).ok()?;
        let variable = self.variable(var);
        (variable.ty == Type::Character && !variable.is_constant()).then_some(var)
    }

    fn calls_functions(&self, e: Syn) -> bool {
        let mut pending = vec![e.node];
        while let Some(node) = pending.pop() {
            if let Syntax::Apply(base, _) = e.tree.syntax(node)
                && *e.tree.syntax(*base) == Syntax::Name
                && matches!(
                    self.applied(e.tree.text(*base)),
                    super::expr::Applied::Function
                )
            {
                return true;
            }
            pending.extend(e.tree.children(node));
        }
        false
    }

    /// Statements `first..=last` as one piece.
    pub(super) fn opaque_range(
        &mut self,
        first: usize,
        last: usize,
        kind: &'static str,
        reason: &str,
    ) {
        let mut text = String::new();
        let mut names = Vec::new();
        for index in first..=last {
            let statement = self.statement_at(index).clone();
            if !text.is_empty() {
                text.push('\n');
            }
            if let Some(label) = statement.label {
                text.push_str(&format!("{label} "));
            }
            text.push_str(&statement.readable());
            for var in self.names_in_text(&statement.text) {
                if !names.contains(&var) && !self.variable(var).is_constant() {
                    names.push(var);
                }
            }
        }
        self.span = self.statement_at(first).place();
        self.opaque(text, kind, names.clone(), names, false);
        self.report(first, reason);
    }

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
        let jumps = controls.iter().any(|part| {
            let text = statement.part(*part);
            ["err=", "end=", "eor="]
                .into_iter()
                .any(|word| text.starts_with(word))
        });
        if jumps {
            return refuse("it jumps on errors");
        }
        let tree = self.parse(&[control, items])?;
        let mut reads = Vec::new();
        let mut writes = Vec::new();
        for (position, &node) in tree.roots(0).iter().enumerate() {
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
        for &node in tree.roots(1) {
            let names = self.names_below(Syn { tree: &tree, node });
            if word == "read" {
                writes.extend(names.iter().copied());
            }
            reads.extend(names);
        }
        dedup(&mut reads);
        dedup(&mut writes);
        let whole = Slice {
            start: self.action_start(index),
            end: statement.text.len() as u32,
        };
        let text = self.with_format(index, whole);
        self.opaque(text, word, reads, writes, false);
        Ok(())
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

    /// Where the action of a one-line IF begins.
    fn action_start(&self, index: usize) -> u32 {
        let file = self.program.file_of(self.home);
        match &file.kinds[index].kind {
            Kind::If { condition, .. } => condition.end + 1,
            _ => 0,
        }
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

    /// STOP and ERROR STOP.
    pub(super) fn stop(&mut self, index: usize) {
        let statement = self.statement_at(index).clone();
        let slice = Slice {
            start: self.action_start(index),
            end: statement.text.len() as u32,
        };
        let reads = self.names_in_text(statement.part(slice));
        let reads = reads
            .into_iter()
            .filter(|&var| !self.variable(var).is_constant())
            .collect();
        self.opaque(
            statement.readable_part(slice),
            "stop",
            reads,
            Vec::new(),
            true,
        );
    }
}

fn dedup(vars: &mut Vec<VarId>) {
    let mut seen = std::collections::HashSet::new();
    vars.retain(|var| seen.insert(*var));
}

/// The name of a construct in reports.
fn opaque_kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Assignment { .. } => "assignment",
        Kind::PointerAssignment { .. } => "pointer-assignment",
        Kind::Call { .. } => "call",
        Kind::Io { word, .. } => word,
        Kind::Goto(_)
        | Kind::ComputedGoto { .. }
        | Kind::AssignedGoto { .. }
        | Kind::Assign { .. }
        | Kind::ArithmeticIf { .. } => "goto",
        Kind::Allocate(_) => "allocate",
        Kind::Deallocate(_) => "deallocate",
        Kind::Nullify(_) => "nullify",
        Kind::If { action, .. } => opaque_kind(action),
        Kind::Where { .. } => "where",
        Kind::Forall { .. } => "forall",
        Kind::Do { .. } => "do",
        Kind::IfThen(_) | Kind::ElseIf(_) => "if",
        Kind::SelectCase(_) | Kind::Case(_) | Kind::SelectOther => "select",
        Kind::Associate(_) => "associate",
        Kind::Entry { .. } => "entry",
        Kind::Unknown => "parse-error",
        _ => "statement",
    }
}
