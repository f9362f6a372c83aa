//! Statements.

use contraflow_backend_common::{BREAK, usage};
use contraflow_ir::{
    Access, Block, Expr, ExprId, Extent, ProcedureRole, Span, Stmt, StmtId, Type, VarId,
};

use crate::emitter::Emitter;
use crate::expr::rank;
use crate::kept::Change;

impl Emitter<'_> {
    /// The statements of a block.
    pub fn block(&mut self, block: &[StmtId]) {
        for &id in block {
            self.stmt(id);
        }
    }

    /// The statements of an inner block.
    pub fn nested(&mut self, block: &[StmtId]) {
        self.out.indent();
        self.block(block);
        self.out.dedent();
    }

    fn stmt(&mut self, id: StmtId) {
        let procedure = self.procedure;
        let stmt = procedure.stmt(id);
        if usage::is_useless(stmt, &self.unread) {
            return;
        }
        let views = self.closed_views(stmt);
        if !views.is_empty() {
            self.with_views(&views, &mut |emitter| emitter.stmt(id));
            return;
        }
        let objects = self.closed_objects(stmt);
        if !objects.is_empty() {
            self.with_objects(&objects, id, &mut |emitter| emitter.stmt(id));
            return;
        }
        match stmt {
            Stmt::Assign { target, value } if self.is_kept_as_parts(target) => {
                self.assign_parts(target, *value);
            }
            Stmt::Assign { target, value } => {
                let value = self.value(*value, self.type_at(target));
                let target = self.access(target);
                self.out.line(&format!("{target} = {BREAK}{value}"));
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call(callee, arguments, result.as_ref(), id),
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                ..
            } => self.counted_loop(*variable, [*lower, *upper, *step], body),
            Stmt::While {
                condition, body, ..
            } => self.while_loop(*condition, body),
            Stmt::If {
                condition,
                then,
                otherwise,
            } if let Some(view) = self.asked_view(*condition) => {
                self.select_type(view, then, otherwise);
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => self.if_else(*condition, then, otherwise),
            Stmt::Switch {
                selector,
                arms,
                default,
            } => self.switch(*selector, arms, default),
            Stmt::Allocate { target, .. } | Stmt::Free { target }
                if self.is_on_disk(target.var) => {}
            Stmt::Allocate {
                target,
                shape,
                zeroed,
            } => self.allocate(target, shape, *zeroed),
            Stmt::Free { target } => {
                self.count_memory_of(target, Change::Release);
                let target = self.holder(target);
                let deallocate = self.k("deallocate");
                self.out.line(&format!("{deallocate} ({target})"));
            }
            Stmt::PointerAssign {
                target,
                value,
                offset,
                bounds,
                ..
            } => self.pointer_assign(target, value.as_ref(), *offset, bounds, id),
            Stmt::Fill { target, value } => {
                self.refuse_assumed_size(target);
                let value = self.value(*value, self.type_at(target));
                let target = self.access(target);
                self.out.line(&format!("{target} = {BREAK}{value}"));
            }
            Stmt::Copy { target, source } if self.is_on_disk(target.var) => {
                self.transfer(target, source, true);
            }
            Stmt::Copy { target, source } if self.is_on_disk(source.var) => {
                self.transfer(source, target, false);
            }
            Stmt::Copy { target, source } => {
                self.refuse_assumed_size(target);
                self.refuse_assumed_size(source);
                let (target, source) = (self.access(target), self.access(source));
                self.out.line(&format!("{target} = {BREAK}{source}"));
            }
            Stmt::Push { tape, value } => self.push(*tape, *value),
            Stmt::Pop { tape, target } => self.pop(*tape, target),
            Stmt::Region { body, .. } => self.block(body),
            Stmt::Opaque {
                text,
                reads,
                writes,
                ..
            } => self.quoted_statement(text, reads, writes, id),
            Stmt::Stop { message, value } => self.stop(message, *value),
            Stmt::Comment(text) => self.out.comment(text),
            Stmt::Labelled { .. } | Stmt::Jump(_) => {
                debug_assert!(false, "a verified module has no jumps");
                let span = procedure.stmts[id].span;
                self.refuse(
                    span,
                    "a jump was left unstructured".to_owned(),
                    "report this as a defect of the translator",
                );
            }
        }
    }

    /// The type of the place that an access ends at.
    pub fn type_at(&self, access: &Access) -> Type {
        let mut ty = self.procedure.variables[access.var].ty;
        for selector in &access.path {
            match (selector, ty) {
                (contraflow_ir::Selector::Field(n), Type::Record(record)) => {
                    ty = self.module.records[record].fields[*n as usize].ty;
                }
                (contraflow_ir::Selector::Deref, Type::Pointer(pointer)) => {
                    ty = self.module.pointers[pointer].target;
                }
                _ => {}
            }
        }
        ty
    }

    fn counted_loop(&mut self, variable: VarId, [lower, upper, step]: [ExprId; 3], body: &Block) {
        let lower = self.index(lower);
        let upper = self.index(upper);
        let step = match self.procedure.expr(step) {
            Expr::Integer(1) => String::new(),
            _ => format!(",{BREAK} {}", self.index(step)),
        };
        let variable = self.name(variable);
        let head = self.k("do");
        self.out.line(&format!(
            "{head} {variable} = {lower},{BREAK} {upper}{step}"
        ));
        self.nested(body);
        let end = self.k("end do");
        self.out.line(&end);
    }

    /// A condition that needs statements of its own is evaluated at the top of an endless loop.
    fn while_loop(&mut self, condition: ExprId, body: &Block) {
        self.out.indent();
        let sibling = self.out.sibling();
        let outer = std::mem::replace(&mut self.out, sibling);
        let condition = self.condition(condition);
        let prelude = std::mem::replace(&mut self.out, outer);
        self.out.dedent();
        let (head, end) = (self.k("do"), self.k("end do"));
        if prelude.is_empty() {
            let text = format!("{} ({})", self.k("do while"), condition.text);
            self.out.line(&text);
        } else {
            self.out.line(&head);
            self.out.append(prelude);
            let leave = format!(
                "{} ({} {}) {}",
                self.k("if"),
                self.k(".not."),
                condition.at_least(rank::NOT + 1),
                self.k("exit")
            );
            self.out.indent();
            self.out.line(&leave);
            self.out.dedent();
        }
        self.nested(body);
        self.out.line(&end);
    }

    fn if_else(&mut self, condition: ExprId, then: &Block, otherwise: &Block) {
        let condition = self.condition(condition).text;
        self.open_if(&condition);
        self.block(then);
        self.else_part(otherwise);
        self.end_if();
    }

    /// `else if` where the block is one condition that needs no statements of its own.
    fn else_part(&mut self, block: &Block) {
        if block.is_empty() {
            return;
        }
        let procedure = self.procedure;
        if let [only] = block.as_slice()
            && let Stmt::If {
                condition,
                then,
                otherwise,
            } = procedure.stmt(*only)
            && self.asked_view(*condition).is_none()
            && let Some(text) = self.plain_condition(*condition)
        {
            self.out.dedent();
            let line = format!("{} ({text}) {}", self.k("else if"), self.k("then"));
            self.out.line(&line);
            self.out.indent();
            self.block(then);
            self.else_part(otherwise);
            return;
        }
        self.otherwise();
        self.block(block);
    }

    /// The text of a condition, if it needs no statements of its own.
    fn plain_condition(&mut self, condition: ExprId) -> Option<String> {
        let before = (self.namer.clone(), self.temporaries.len());
        let sibling = self.out.sibling();
        let outer = std::mem::replace(&mut self.out, sibling);
        let text = self.condition(condition).text;
        let prelude = std::mem::replace(&mut self.out, outer);
        if prelude.is_empty() {
            return Some(text);
        }
        self.namer = before.0;
        self.temporaries.truncate(before.1);
        None
    }

    /// `if (…) then`, indented after.
    pub fn open_if(&mut self, condition: &str) {
        let line = format!("{} ({condition}) {}", self.k("if"), self.k("then"));
        self.out.line(&line);
        self.out.indent();
    }

    /// `else`.
    pub fn otherwise(&mut self) {
        self.out.dedent();
        let line = self.k("else");
        self.out.line(&line);
        self.out.indent();
    }

    /// `end if`.
    pub fn end_if(&mut self) {
        self.out.dedent();
        let line = self.k("end if");
        self.out.line(&line);
    }

    fn allocate(&mut self, target: &Access, shape: &[(Option<ExprId>, ExprId)], zeroed: bool) {
        let dims: Vec<String> = shape
            .iter()
            .map(|&(lower, extent)| self.dimension(lower, extent))
            .collect();
        let target_text = match self.object_type(target) {
            Some(record) => {
                let ty = self.module.records[record].name.clone();
                format!("{ty} :: {}", self.holder(target))
            }
            None => self.access(target),
        };
        let allocate = self.k("allocate");
        let list = if dims.is_empty() {
            String::new()
        } else {
            format!("({})", dims.join(&format!(",{BREAK} ")))
        };
        self.out.line(&format!("{allocate} ({target_text}{list})"));
        self.count_memory_of(target, Change::Make);
        if zeroed {
            let zero = match self.type_at(target) {
                ty @ Type::Real { .. } => self.real_text("0.0", ty),
                _ => "0".to_owned(),
            };
            self.out.line(&format!("{target_text} = {zero}"));
        }
    }

    fn pointer_assign(
        &mut self,
        target: &Access,
        value: Option<&Access>,
        offset: Option<ExprId>,
        bounds: &[(ExprId, Option<ExprId>)],
        id: StmtId,
    ) {
        if self.interop || offset.is_some() {
            let span = self.procedure.stmts[id].span;
            self.refuse(
                span,
                "pointer arithmetic has no counterpart in Fortran output".to_owned(),
                "ask for C output",
            );
            return;
        }
        let target = self.access(target);
        let line = match value {
            Some(value) => {
                let bounds = self.pointer_bounds(bounds);
                format!("{target}{bounds} => {BREAK}{}", self.access(value))
            }
            None => format!("{} ({target})", self.k("nullify")),
        };
        self.out.line(&line);
    }

    /// The bounds that a pointer gets, in parentheses; nothing where none are stated.
    fn pointer_bounds(&mut self, bounds: &[(ExprId, Option<ExprId>)]) -> String {
        let bounds: Vec<String> = bounds
            .iter()
            .map(|&(lower, upper)| {
                let upper = upper.map(|upper| self.expr(upper).text);
                format!("{}:{}", self.expr(lower).text, upper.unwrap_or_default())
            })
            .collect();
        match bounds.is_empty() {
            true => String::new(),
            false => format!("({})", bounds.join(", ")),
        }
    }

    fn refuse_assumed_size(&mut self, access: &Access) {
        let variable = &self.procedure.variables[access.var];
        let open = variable
            .shape
            .last()
            .is_some_and(|dim| matches!(dim.extent, Extent::AssumedSize | Extent::Unknown));
        if access.path.is_empty() && open {
            let (span, name) = (variable.span, variable.name.clone());
            self.refuse(
                span,
                format!("all of `{name}` is set, but its size is not known"),
                "declare the array with its extents",
            );
        }
    }

    /// Quoted text may name variables that nothing is known to read or write there.
    pub fn use_names_in(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let found: Vec<VarId> = words
            .filter(|word| !word.is_empty())
            .filter_map(|word| self.variable_named(word))
            .collect();
        self.used.extend(found);
    }

    /// Quoted text cannot call an internal procedure: derived code stands outside of the host.
    pub fn refuse_internal_in(&mut self, text: &str, span: Span) {
        let primal = self.procedure.role.origin().unwrap_or(self.id);
        let host = self.module.procedures[primal].home.host.unwrap_or(primal);
        let module = self.module;
        let called = module.procedures.iter().find(|(_, procedure)| {
            procedure.home.host == Some(host)
                && procedure.role == ProcedureRole::Primal
                && words_of(text).any(|word| word.eq_ignore_ascii_case(&procedure.name))
        });
        if let Some((_, called)) = called {
            self.refuse(
                span,
                format!(
                    "this text is kept as it stands, and the derivative does not see the internal \
                     procedure `{}` in it",
                    called.name
                ),
                "call it in a statement of its own, or move it out of its host, into the module or the file",
            );
        }
    }

    fn quoted_statement(&mut self, text: &str, reads: &[Access], writes: &[Access], id: StmtId) {
        for access in reads.iter().chain(writes) {
            self.used.insert(access.var);
        }
        self.use_names_in(text);
        if self.interop {
            let span = self.procedure.stmts[id].span;
            self.refuse(
                span,
                "a statement that is quoted from C cannot be written as Fortran".to_owned(),
                "ask for C output, or write it in terms that the C front end takes apart",
            );
            return;
        }
        self.refuse_internal_in(text, self.procedure.stmts[id].span);
        for line in text.lines() {
            self.out.line(&breakable(line.trim()));
        }
    }
}

/// The words of a text, without character literals.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let mut pieces = Vec::new();
    let (mut quote, mut start) = (None, 0);
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => (quote, start) = (None, at + 1),
            None if c == '\'' || c == '"' => {
                pieces.push(&text[start..at]);
                quote = Some(c);
            }
            _ => {}
        }
    }
    if quote.is_none() {
        pieces.push(&text[start..]);
    }
    pieces
        .into_iter()
        .flat_map(|piece| piece.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

/// Quoted text with break marks after its commas, but for those in character literals.
fn breakable(line: &str) -> String {
    let mut quote = None;
    let mut marked = String::new();
    for c in line.chars() {
        marked.push(c);
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ',' => marked.push(BREAK),
            _ => {}
        }
    }
    marked
}
