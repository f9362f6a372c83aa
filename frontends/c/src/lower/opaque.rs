//! Quoting what is not taken apart: the user's text, with what it may read and write.

use super::facts::Facts;
use super::library::{InputOutput, input_or_output};
use super::{Body, Representation, Unsupported, Value};
use crate::cst::{Expression, Node, Statement};
use crate::declare::Symbol;
use contraflow_ir::{Access, Diagnostic, Span, Stmt};

/// What quoted text reads and may write.
type Touched = (Vec<Access>, Vec<Access>);

impl<'u, 'a> Body<'u, 'a> {
    /// The end of the program.
    pub fn quote_end(&mut self) {
        self.emit(Stmt::Opaque {
            text: "abort();".to_owned(),
            kind: "abort",
            reads: Vec::new(),
            writes: Vec::new(),
            terminates: true,
        });
    }

    /// Quotes a statement that could not be taken apart.
    pub fn quote(&mut self, node: &'a Node<Statement>, why: Unsupported) {
        let facts = Facts::of_statement(node);
        let is_print = why.what == "print";
        let kind = match why.what {
            "print" => "print",
            super::library::LONG_JUMP => "long-jump",
            _ => self.input_or_output(&facts).unwrap_or(kind_of(node)),
        };
        let touched = self.touched_by_call(node, &facts);
        self.quote_facts(&facts, touched, node.span, kind, is_print);
        if let Statement::Return(_) = node.node {
            self.emit(Stmt::Jump(contraflow_ir::Jump::Return));
        }
        if !is_print {
            self.warn(why);
        }
    }

    /// Which kind of input or output quoted text does, if it calls for that. Text that reads reads on
    /// when it is run again, whatever else it does.
    fn input_or_output(&self, facts: &Facts<'a>) -> Option<&'static str> {
        let library = facts.called.iter().filter(|name| !self.is_users(name));
        let found = library.filter_map(|name| input_or_output(name)).min()?;
        let all = facts.called.iter().all(|name| {
            !self.is_users(name)
                && (input_or_output(name).is_some() || super::library::is_pure_name(name))
        });
        (all || found == InputOutput::Read).then_some(found.kind())
    }

    /// Quotes a call of `assert`.
    pub fn quote_assert(&mut self, node: &'a Node<Expression>, text: String) {
        let facts = Facts::of_expression(node);
        let reads = self.accesses(&facts, |_, _| true);
        self.emit(Stmt::Opaque {
            text,
            kind: "assert",
            reads,
            writes: Vec::new(),
            terminates: false,
        });
    }

    /// Quotes an initial value that was not taken apart.
    pub fn quote_initializer(
        &mut self,
        facts: &Facts<'a>,
        text: String,
        var: contraflow_ir::VarId,
    ) {
        let reads = self.accesses(facts, |_, _| true);
        let mut writes = self.writes_of(facts);
        writes.push(Access::whole(var));
        let kind = self.input_or_output(facts).unwrap_or("initial-value");
        self.emit(Stmt::Opaque {
            text,
            kind,
            reads,
            writes,
            terminates: false,
        });
    }

    fn quote_facts(
        &mut self,
        facts: &Facts<'a>,
        touched: Option<Touched>,
        span: crate::cst::Span,
        kind: &'static str,
        is_print: bool,
    ) {
        let (reads, writes) = match touched {
            Some(touched) => touched,
            None => (self.accesses(facts, |_, _| true), self.writes_of(facts)),
        };
        let writes = if is_print { Vec::new() } else { writes };
        let text = self.text(span);
        self.emit(Stmt::Opaque {
            text,
            kind,
            reads,
            writes,
            terminates: false,
        });
    }

    /// What a call whose arguments are understood reads and may write: the members and arrays that
    /// it is given, not the whole variables.
    fn touched_by_call(&mut self, node: &'a Node<Statement>, facts: &Facts<'a>) -> Option<Touched> {
        let Statement::Expression(Some(expression)) = &node.node else {
            return None;
        };
        let Expression::Call(call) = &expression.node else {
            return None;
        };
        let has_effects = call.node.arguments.iter().any(super::facts::has_effects);
        let is_library = facts.called.iter().all(|name| !self.is_users(name));
        if has_effects || !is_library {
            return None;
        }
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for argument in &call.node.arguments {
            let (_, value) = self.in_block(|body| body.value(argument));
            match value.ok()? {
                Value::Scalar(e) => {
                    reads.extend(self.procedure.reads_of_expr(e).into_iter().cloned());
                }
                Value::Pointer(pointer) => {
                    reads.push(pointer.access.clone());
                    writes.push(pointer.access);
                }
                Value::Record(place) => reads.push(place.access),
                Value::Null | Value::Function(_) => {}
                Value::Procedure(..) | Value::Address(_) | Value::Void => return None,
            }
        }
        Some((reads, writes))
    }

    /// What quoted text may write: names it sets, what it reaches through names if it writes memory
    /// or calls, globals if it calls a function of the user's, the result if it returns.
    fn writes_of(&mut self, facts: &Facts<'a>) -> Vec<Access> {
        let anything = facts.calls || facts.writes_memory;
        let mut writes = self.accesses(facts, |name, reaches| {
            facts.may_write(name) || anything && reaches
        });
        let calls_users = facts.called.iter().any(|name| self.is_users(name));
        let unknown_pointer = facts.writes_memory && self.names_unknown_pointer(facts);
        if unknown_pointer {
            self.add_aliased(&mut writes);
        }
        if calls_users || unknown_pointer {
            for index in 0..self.unit.globals.len() {
                let is_variable = !self.unit.globals[index].is_const;
                if let (true, Ok(var)) = (is_variable, self.global_variable(index))
                    && writes.iter().all(|access| access.var != var)
                {
                    writes.push(Access::whole(var));
                }
            }
        }
        if let (true, Some((result, _))) = (facts.returns, &self.result) {
            writes.push(Access::whole(*result));
        }
        writes
    }

    /// Whether an address that may lead anywhere is among the names.
    fn names_unknown_pointer(&self, facts: &Facts<'a>) -> bool {
        facts.calls
            || facts.names.iter().any(|name| match self.unit.lookup(name) {
                Some(&Symbol::Local(var)) => {
                    let known = &self.known[var.index()];
                    let is_value = matches!(known.representation, Representation::Plain)
                        && known.ty.is_pointer();
                    is_value || matches!(known.ty, crate::declare::CType::Unknown)
                }
                _ => false,
            })
    }

    /// Adds all variables that other names may reach.
    fn add_aliased(&self, writes: &mut Vec<Access>) {
        for (var, variable) in self.procedure.variables.iter() {
            let may = variable.aliasing == contraflow_ir::Aliasing::May
                || self
                    .facts
                    .address_taken
                    .contains(self.known[var.index()].source_name);
            let is_known = writes.iter().any(|access| access.var == var);
            if may && !variable.read_only && !is_known {
                writes.push(Access::whole(var));
            }
        }
    }

    /// Whether a call of this name may run code of the user's.
    pub fn is_users(&self, name: &str) -> bool {
        match self.unit.lookup(name) {
            Some(&Symbol::Function(index)) => self.unit.functions[index].is_user,
            Some(_) => true,
            None => false,
        }
    }

    /// Says that a construct is kept as it stands.
    pub fn warn(&mut self, why: Unsupported) {
        let diagnostic =
            Diagnostic::warning("opaque", format!("{} is kept as it stands", why.what))
                .at(why.span, "not taken apart")
                .with_note("it is an error only if a derivative has to flow through it");
        self.unit.diagnostics.push(diagnostic);
    }

    /// The user's text, or the preprocessed one where there is none.
    pub fn text(&self, span: crate::cst::Span) -> String {
        let place = self.unit.view.span(span);
        let written = self.unit.source_text(place);
        let made = self.unit.view.text.get(span.start..span.end).unwrap_or("");
        let complete = written
            .trim_end()
            .ends_with(made.trim_end().chars().last().unwrap_or(';'));
        if place.is_some() && complete && !written.is_empty() {
            return written;
        }
        made.to_owned()
    }

    /// Whole variables for the names that `wanted` selects; it is told the name and whether memory
    /// is reached through it.
    fn accesses(&mut self, facts: &Facts<'a>, wanted: impl Fn(&str, bool) -> bool) -> Vec<Access> {
        let mut names: Vec<&'a str> = facts.names.iter().copied().collect();
        names.sort_unstable();
        let mut accesses: Vec<Access> = Vec::new();
        for name in names {
            let var = match self.unit.lookup(name) {
                Some(&Symbol::Local(var)) => Some(var),
                Some(&Symbol::Alias(index)) => Some(self.aliases[index].access.var),
                Some(&Symbol::Global(index)) => self.global_variable(index).ok(),
                _ => None,
            };
            let Some(var) = var else { continue };
            let known = &self.known[var.index()];
            let reaches = known.ty.scalar().is_none();
            if !wanted(name, reaches) {
                continue;
            }
            let var = match &known.representation {
                Representation::Offset { base, .. } => base.access.var,
                _ => var,
            };
            if accesses.iter().all(|access| access.var != var) {
                accesses.push(Access::whole(var));
            }
        }
        accesses
    }

    /// A body that did not parse, or has jumps that lead into blocks: quoted whole.
    pub fn quote_body(&mut self, kind: &'static str, text: String, facts: &Facts<'a>) {
        let reads = self.accesses(facts, |_, _| true);
        let mut writes = self.accesses(facts, |name, reaches| reaches || facts.may_write(name));
        if let Some((result, _)) = self.result {
            writes.push(Access::whole(result));
        }
        self.emit(Stmt::Opaque {
            text,
            kind,
            reads,
            writes,
            terminates: false,
        });
    }
}

fn kind_of(node: &Node<Statement>) -> &'static str {
    match &node.node {
        Statement::Asm(_) => "asm",
        Statement::Goto(_) => "goto",
        Statement::Switch(_) => "switch",
        Statement::Expression(Some(expression)) => match &expression.node {
            Expression::Call(_) => "call",
            _ => "expression",
        },
        _ => "statement",
    }
}

impl<'a> crate::declare::Unit<'a> {
    /// The user's text of a place.
    pub fn source_text(&self, span: Span) -> String {
        if !span.is_some() {
            return String::new();
        }
        self.sources.snippet(span)
    }
}
