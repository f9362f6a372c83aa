//! Statements.

use contraflow_backend_common::{BREAK, cases, usage};
use contraflow_ir::{
    Access, Allocation, Block, CaseArm, CaseLabel, Expr, ExprId, ProcedureRole, Selector, Stmt,
    StmtId, Type,
};

use crate::emitter::Emitter;
use crate::expr::rank;

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
        match stmt {
            Stmt::Assign { target, value } => self.assign(target, *value),
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
            } => {
                let condition = self.lazy_condition(*condition);
                self.out.line(&format!("while ({condition}) {{"));
                self.nested(body);
                self.out.line("}");
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
            Stmt::Allocate {
                target,
                shape,
                zeroed,
            } => self.allocate(target, shape, *zeroed, id),
            Stmt::Free { target } => {
                self.needs.headers.insert("stdlib.h");
                let place = self.pointer(target);
                self.out.line(&format!("free({place});"));
            }
            Stmt::PointerAssign {
                target,
                value,
                is_pointer,
                offset,
                bounds,
            } if bounds.is_empty() && self.is_address_alone(target, value.as_ref()) => {
                self.pointer_assign(target, value.as_ref(), *is_pointer, *offset);
            }
            Stmt::PointerAssign { .. } => {
                self.refuse(
                    procedure.stmts[id].span,
                    "a pointer to a section, or with other bounds than from 1, is not written as C yet"
                        .to_owned(),
                    "ask for Fortran output",
                );
            }
            Stmt::Fill { target, value } => self.fill(target, *value),
            Stmt::Copy { target, source } if self.is_on_disk(target.var) => {
                self.transfer(target, source, true);
            }
            Stmt::Copy { target, source } if self.is_on_disk(source.var) => {
                self.transfer(source, target, false);
            }
            Stmt::Copy { target, source } => self.copy(target, source),
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

    /// `x += y` where the source adds to what it assigns to.
    fn assign(&mut self, target: &Access, value: ExprId) {
        let ty = self.type_at(target);
        if let Expr::Binary(op, a, b) = *self.procedure.expr(value)
            && let Expr::Load(old) = self.procedure.expr(a)
            && let Some(symbol) = compound(op)
            && self.procedure.same_access(old, target)
        {
            let value = self.promoted(b);
            let target = self.place(target).text;
            self.out.line(&format!("{target} {symbol} {BREAK}{value};"));
            return;
        }
        let value = self.value(value, ty);
        let target = self.place(target).text;
        self.out.line(&format!("{target} = {BREAK}{value};"));
    }

    /// The type of the place that an access ends at.
    pub fn type_at(&self, access: &Access) -> Type {
        let mut ty = self.procedure.variables[access.var].ty;
        for selector in &access.path {
            match (selector, ty) {
                (Selector::Field(n), Type::Record(record)) => {
                    ty = self.module.records[record].fields[*n as usize].ty;
                }
                (Selector::Deref, Type::Pointer(pointer)) => {
                    ty = self.module.pointers[pointer].target;
                }
                _ => {}
            }
        }
        ty
    }

    /// A condition that is evaluated more than once, or perhaps not at all.
    fn lazy_condition(&mut self, condition: ExprId) -> String {
        let lazy = std::mem::replace(&mut self.lazy, true);
        let text = self.expr(condition).text;
        self.lazy = lazy;
        text
    }

    fn if_else(&mut self, condition: ExprId, then: &Block, otherwise: &Block) {
        let condition = self.expr(condition).text;
        self.out.line(&format!("if ({condition}) {{"));
        self.nested(then);
        self.else_part(otherwise);
    }

    fn else_part(&mut self, block: &Block) {
        let procedure = self.procedure;
        match block.as_slice() {
            [] => self.out.line("}"),
            [only] => match procedure.stmt(*only) {
                Stmt::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let condition = self.lazy_condition(*condition);
                    self.out.line(&format!("}} else if ({condition}) {{"));
                    self.nested(then);
                    self.else_part(otherwise);
                }
                _ => self.plain_else(block),
            },
            _ => self.plain_else(block),
        }
    }

    fn plain_else(&mut self, block: &Block) {
        self.out.line("} else {");
        self.nested(block);
        self.out.line("}");
    }

    /// A `switch`, or a chain of conditions where labels are ranges.
    fn switch(&mut self, selector: ExprId, arms: &[CaseArm], default: &Block) {
        let has_ranges = arms
            .iter()
            .flat_map(|arm| &arm.labels)
            .any(|label| matches!(label, CaseLabel::Range(..)));
        let plain = self.ty(selector).is_integer() && !cases::overlap(self.procedure, arms);
        if has_ranges || !plain {
            self.chain(selector, arms, default);
            return;
        }
        let selector = self.expr(selector).text;
        self.out.line(&format!("switch ({selector}) {{"));
        for arm in arms {
            for label in &arm.labels {
                if let CaseLabel::Value(value) = *label {
                    let value = self.index(value).text;
                    self.out.line(&format!("case {value}:"));
                }
            }
            self.arm(&arm.body);
        }
        if !default.is_empty() {
            self.out.line("default:");
            self.arm(default);
        }
        self.out.line("}");
    }

    fn arm(&mut self, body: &Block) {
        self.out.indent();
        self.block(body);
        self.out.line("break;");
        self.out.dedent();
    }

    fn chain(&mut self, selector: ExprId, arms: &[CaseArm], default: &Block) {
        let ty = self.ty(selector);
        if !ty.is_integer() && !matches!(ty, Type::Logical { .. }) {
            let span = self.procedure.exprs[selector].span;
            self.refuse(
                span,
                "a choice by a string has no counterpart in C output".to_owned(),
                "ask for Fortran output",
            );
            return;
        }
        let value = self.value(selector, ty);
        let chosen = self.temporary("chosen", ty);
        self.out.line(&format!("{chosen} = {BREAK}{value};"));
        let mut word = "if";
        for arm in arms {
            let tests: Vec<String> = arm
                .labels
                .iter()
                .map(|label| self.label_test(&chosen, label))
                .collect();
            let test = tests.join(&format!(" {BREAK}|| "));
            self.out.line(&format!("{word} ({test}) {{"));
            self.nested(&arm.body);
            word = "} else if";
        }
        if word == "if" {
            self.block(default);
        } else {
            match default.as_slice() {
                [] => self.out.line("}"),
                _ => self.plain_else(default),
            }
        }
    }

    fn label_test(&mut self, chosen: &str, label: &CaseLabel) -> String {
        match *label {
            CaseLabel::Value(value) => {
                format!("{chosen} == {}", self.index(value).at_least(rank::ADD))
            }
            CaseLabel::Range(lower, upper) => {
                let lower =
                    lower.map(|e| format!("{chosen} >= {}", self.index(e).at_least(rank::ADD)));
                let upper =
                    upper.map(|e| format!("{chosen} <= {}", self.index(e).at_least(rank::ADD)));
                match (lower, upper) {
                    (Some(lower), Some(upper)) => format!("({lower} && {upper})"),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => "1".to_owned(),
                }
            }
        }
    }

    /// The pointer itself, of an allocatable or a pointer.
    fn pointer(&mut self, access: &Access) -> String {
        if access.path.is_empty() {
            return self.name(access.var);
        }
        self.place(access).text
    }

    fn allocate(
        &mut self,
        target: &Access,
        shape: &[(Option<ExprId>, ExprId)],
        zeroed: bool,
        id: StmtId,
    ) {
        if self.foreign && shape.len() > 1 {
            let span = self.procedure.stmts[id].span;
            self.refuse(
                span,
                "an allocatable array of several dimensions is not written as C yet".to_owned(),
                "ask for Fortran output",
            );
            return;
        }
        if self.foreign && self.starts_elsewhere(target, shape) {
            self.refuse(
                self.procedure.stmts[id].span,
                "an array allocated with another lower bound than 1 is not written as C yet"
                    .to_owned(),
                "ask for Fortran output",
            );
            return;
        }
        self.needs.headers.insert("stdlib.h");
        let counts: Vec<String> = shape
            .iter()
            .map(|&(_, extent)| format!("(size_t){}", self.index(extent).at_least(rank::UNARY)))
            .collect();
        let count = if counts.is_empty() {
            "1".to_owned()
        } else {
            counts.join("*")
        };
        let place = self.pointer(target);
        // A sweep that is undone keeps what it overwrites, also what nobody has set yet.
        let is_undone = !matches!(
            self.procedure.role,
            ProcedureRole::Primal | ProcedureRole::Lifted { .. } | ProcedureRole::Tangent { .. }
        );
        let line = if zeroed || is_undone {
            format!("{place} = calloc({count}, sizeof *{place});")
        } else {
            format!("{place} = malloc({count}*sizeof *{place});")
        };
        self.out.line(&line);
    }

    /// Whether an array is allocated with lower bounds that its subscripts are not counted from.
    fn starts_elsewhere(&self, target: &Access, shape: &[(Option<ExprId>, ExprId)]) -> bool {
        let variable = &self.procedure.variables[target.var];
        let constant = |e: ExprId| self.procedure.constant_integer(e);
        let mut stated = shape.iter().zip(&variable.shape);
        variable.allocation != Allocation::Fixed
            && target.path.is_empty()
            && stated.any(|(&(lower, _), dim)| {
                lower.is_some_and(|lower| {
                    constant(lower).is_none() || constant(lower) != constant(dim.lower)
                })
            })
    }

    /// Whether an address says all that a pointer is: of Fortran's pointers to arrays those that show a whole
    /// one of one dimension that counts from 1.
    fn is_address_alone(&self, target: &Access, value: Option<&Access>) -> bool {
        let pointer = &self.procedure.variables[target.var];
        let is_described = self.foreign && (pointer.is_array() || !target.path.is_empty());
        let Some(value) = value.filter(|_| is_described) else {
            return true;
        };
        let shown = &self.procedure.variables[value.var];
        target.path.is_empty()
            && value.path.is_empty()
            && (shown.allocation == Allocation::Pointer
                || matches!(shown.shape.as_slice(), [dim]
                    if self.procedure.constant_integer(dim.lower) == Some(1)))
    }

    fn pointer_assign(
        &mut self,
        target: &Access,
        value: Option<&Access>,
        is_pointer: bool,
        offset: Option<ExprId>,
    ) {
        // Pointers of derived code may be kept in tapes, and shadows are written: none is `const`.
        let cast = match value {
            Some(value) if self.ends_read_only(value) => match self.type_at(target) {
                Type::Procedure => String::new(),
                _ => self.cast_to_type_of(target),
            },
            _ => String::new(),
        };
        let retyped = value.map_or(String::new(), |value| {
            self.retyping_cast(target, value, is_pointer)
        });
        let target = self.pointer(target);
        let value = match value {
            None => {
                self.needs.headers.insert("stddef.h");
                "NULL".to_owned()
            }
            Some(value) if is_pointer => self.pointer(value),
            Some(value) => format!("{}{}", self.to_first_row(value), self.address(value)),
        };
        let offset = offset.map_or(String::new(), |e| {
            format!(" + {}", self.index(e).at_least(rank::ADD + 1))
        });
        // Elements are added to the address as it was declared.
        let value = match (retyped.is_empty(), offset.is_empty()) {
            (true, _) => format!("{cast}{value}{offset}"),
            (false, true) => format!("{retyped}{value}"),
            (false, false) => format!("{retyped}({value}{offset})"),
        };
        self.out.line(&format!("{target} = {BREAK}{value};"));
    }

    /// What makes the address of an array's first number of that of its first row.
    fn to_first_row(&self, array: &Access) -> String {
        let rank = match array.path.is_empty() {
            true => self.procedure.variables[array.var].rank(),
            false => 0,
        };
        "*".repeat(rank.saturating_sub(1))
    }

    /// The cast by which a pointer may show what is declared as another type.
    fn retyping_cast(&mut self, target: &Access, value: &Access, is_pointer: bool) -> String {
        let from = match is_pointer {
            true => self.shown_by(value),
            false => self.type_at(value),
        };
        let is_address = matches!(self.type_at(target), Type::Pointer(_));
        if !is_address || self.shown_by(target) == from || from == Type::Address {
            return String::new();
        }
        self.cast_to_type_of(target)
    }

    /// The type of what a pointer shows: a variable that is an array by itself has that of its elements.
    fn shown_by(&mut self, pointer: &Access) -> Type {
        match self.type_at(pointer) {
            ty if self.is_array_by_itself(pointer) => ty,
            Type::Pointer(pointer) => self.module.pointers[pointer].target,
            ty => ty,
        }
    }

    fn is_array_by_itself(&self, pointer: &Access) -> bool {
        pointer.path.is_empty() && self.procedure.variables[pointer.var].is_array()
    }

    fn cast_to_type_of(&mut self, target: &Access) -> String {
        let ty = self.type_at(target);
        if !self.is_array_by_itself(target) {
            return self.pointer_cast(ty);
        }
        let base = self.type_name(ty, contraflow_ir::Span::NONE);
        let stars = self.stars(&self.procedure.variables[target.var]);
        format!("({base} {stars}*)")
    }

    /// Quoted text may name variables that nothing is known to read or write there.
    pub fn use_names_in(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let found: Vec<contraflow_ir::VarId> = words
            .filter_map(|word| {
                let mut variables = self.procedure.variables.iter();
                variables.find(|(_, variable)| variable.name == word)
            })
            .map(|(id, _)| id)
            .collect();
        self.used.extend(found);
    }

    fn quoted_statement(&mut self, text: &str, reads: &[Access], writes: &[Access], id: StmtId) {
        for access in reads.iter().chain(writes) {
            self.used.insert(access.var);
        }
        self.use_names_in(text);
        if self.foreign {
            let span = self.procedure.stmts[id].span;
            self.refuse(
                span,
                "a statement that is quoted from Fortran cannot be written as C".to_owned(),
                "ask for Fortran output, or write it in terms that the front end takes apart",
            );
            return;
        }
        for line in text.lines() {
            self.out.line(line.trim());
        }
    }
}

fn compound(op: contraflow_ir::BinaryOp) -> Option<&'static str> {
    use contraflow_ir::BinaryOp;
    match op {
        BinaryOp::Add => Some("+="),
        BinaryOp::Subtract => Some("-="),
        BinaryOp::Multiply => Some("*="),
        _ => None,
    }
}
