//! Statements that are quoted as they stand: input and output, STOP, and what is refused.

use super::{Lowerer, Refusal, Syn};
use crate::cst::Syntax;
use crate::declare::scope::What;
use crate::syntax::Kind;
use crate::syntax::scan::{after_string, in_name};
use crate::view::Slice;
use contraflow_ir::{Access, Diagnostic, Stmt, Type, VarId};

/// The reason of a refusal that has its own diagnostic already.
pub(super) const UNPARSED: &str = "it does not parse";

/// The reason of a refusal of text that jumps.
pub(super) const ALTERNATE_RETURN: &str = "an alternate return";

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
        } else if refusal.reason == ALTERNATE_RETURN {
            "goto"
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
        if self.calls_functions(target) || self.calls_functions(value) {
            return false;
        }
        let Some(written) = self.text_place(target) else {
            return false;
        };
        let mut reads = self.names_below(target);
        reads.extend(self.names_below(value));
        dedup(&mut reads);
        let statement = self.statement_at(index);
        let whole = Slice {
            start: self.action_start(index),
            end: statement.text.len() as u32,
        };
        let text = statement.readable_part(whole);
        self.quotes(&text);
        self.emit(Stmt::Opaque {
            text,
            kind: "character",
            reads: reads.into_iter().map(Access::whole).collect(),
            writes: vec![written],
            terminates: false,
        });
        true
    }

    /// What a designator of characters is in or a part of: a variable, or a component.
    fn text_place(&mut self, e: Syn) -> Option<Access> {
        if let Some(var) = self.text_variable(e) {
            return Some(Access::whole(var));
        }
        let Syntax::Apply(base, items) = e.tree.syntax(e.node) else {
            return None;
        };
        let is_part = matches!(items[..], [item]
            if matches!(e.tree.syntax(item), Syntax::Range(..)));
        if !is_part || !matches!(e.tree.syntax(*base), Syntax::Member(..)) {
            return None;
        }
        let node = *base;
        let base = Syn { tree: e.tree, node };
        let place = self.tried(|lowerer| lowerer.place(base, &[])).ok()?;
        (place.ty == Type::Character && place.rank == 0).then_some(place.access)
    }

    /// The variable that a designator is a part of.
    pub(super) fn base_variable(&mut self, e: Syn) -> Option<VarId> {
        let mut node = e.node;
        while let Syntax::Apply(base, _) | Syntax::Member(base, _) = e.tree.syntax(node) {
            node = *base;
        }
        match e.tree.syntax(node) {
            Syntax::Name => self.named(e.tree.text(node)).ok(),
            _ => None,
        }
    }

    /// The character variable that a designator is a part of.
    pub(super) fn text_variable(&mut self, e: Syn) -> Option<VarId> {
        let var = self.base_variable(e)?;
        let variable = self.variable(var);
        (variable.ty == Type::Character && !variable.is_constant()).then_some(var)
    }

    pub(super) fn calls_functions(&self, e: Syn) -> bool {
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

    /// Where the action of a one-line IF begins.
    pub(super) fn action_start(&self, index: usize) -> u32 {
        let file = self.program.file_of(self.home);
        match &file.kinds[index].kind {
            Kind::If { condition, .. } => condition.end + 1,
            _ => 0,
        }
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

pub(super) fn dedup(vars: &mut Vec<VarId>) {
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
