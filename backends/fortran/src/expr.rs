//! Expressions. Where Fortran has no expression for one (a choice whose arms must not both be
//! evaluated, a short-circuit operator), statements that compute it into a scalar are written
//! first: callers make all texts of a statement before they write its line.

use contraflow_backend_common::{BREAK, TIGHT, Term, tight};
use contraflow_ir::{
    Access, Allocation, BinaryOp, BoundKind, Expr, ExprId, Intrinsic, Selector, Type, UnaryOp,
};

use crate::emitter::Emitter;

/// How tightly operators bind.
pub(crate) mod rank {
    pub const LOOSE: u8 = 0;
    pub const EQUIVALENT: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const NOT: u8 = 4;
    pub const COMPARE: u8 = 5;
    pub const CONCATENATE: u8 = 6;
    pub const ADD: u8 = 7;
    pub const MULTIPLY: u8 = 8;
    pub const POWER: u8 = 9;
    pub const PRIMARY: u8 = 10;
}

impl Emitter<'_> {
    /// The text of an expression.
    pub fn expr(&mut self, id: ExprId) -> Term {
        let procedure = self.procedure;
        let node = &procedure.exprs[id];
        match &node.expr {
            Expr::Integer(value) => self.integer(*value, node.ty),
            Expr::Real(text) => {
                let rank = if text.starts_with('-') {
                    rank::ADD
                } else {
                    rank::PRIMARY
                };
                Term::new(self.real_text(text, node.ty), rank)
            }
            Expr::Logical(value) => Term::new(self.truth(*value), rank::PRIMARY),
            Expr::Text(text) => Term::new(quoted(text), rank::PRIMARY),
            Expr::Load(access) => Term::new(self.access(access), rank::PRIMARY),
            Expr::Unary(op, operand) => self.unary(*op, *operand),
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b),
            Expr::Intrinsic(f, arguments) => self.intrinsic(*f, arguments, node.ty),
            Expr::Convert(operand) => self.convert(*operand, node.ty),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => self.select(*condition, *then, *otherwise, node.ty),
            Expr::Bound { array, kind, dim } => self.bound(array, *kind, *dim),
            Expr::Present(access) => self.present(access),
            Expr::Associated { pointer, target } => {
                let (pointer, target) = (self.access(pointer), self.access(target));
                let associated = self.k("associated");
                Term::new(format!("{associated}({pointer}, {target})"), rank::PRIMARY)
            }
            Expr::Range { lower, upper, step } => self.range(*lower, *upper, *step),
            Expr::Opaque { text, reads } => self.opaque(text, reads, id),
            Expr::Required { .. } => {
                debug_assert!(false, "a materialised module has no Required");
                Term::new(
                    self.refuse(
                        node.span,
                        "a primal value has no storage planned".to_owned(),
                        "report this as a defect of the translator",
                    ),
                    rank::PRIMARY,
                )
            }
        }
    }

    /// The text of an expression where a value of type `ty` is assigned: the conversions that an
    /// assignment makes anyway are left out.
    pub fn value(&mut self, id: ExprId, ty: Type) -> String {
        match *self.procedure.expr(id) {
            Expr::Convert(inner) if widens(self.ty(inner), ty) && self.ty(id) == ty => {
                self.bare(inner).text
            }
            _ => self.bare(id).text,
        }
    }

    /// The text of a subscript, bound or other integer whose kind does not matter.
    pub fn index(&mut self, id: ExprId) -> String {
        self.bare(id).text
    }

    /// The text of a condition.
    pub fn condition(&mut self, id: ExprId) -> Term {
        if matches!(self.ty(id), Type::Logical { .. }) {
            return self.expr(id);
        }
        let text = self.expr(id).at_least(rank::COMPARE + 1);
        Term::new(format!("{text} {BREAK}/= 0"), rank::COMPARE)
    }

    pub fn ty(&self, id: ExprId) -> Type {
        self.procedure.exprs[id].ty
    }

    /// An integer literal without kind, anything else as it is.
    fn bare(&mut self, id: ExprId) -> Term {
        match self.literal(id) {
            Some(value) if i32::try_from(value).is_ok() => self.integer(value, Type::INT),
            _ => self.expr(id),
        }
    }

    /// The value of an integer literal, converted to another integer type or not.
    fn literal(&self, id: ExprId) -> Option<i128> {
        match *self.procedure.expr(id) {
            Expr::Integer(value) => Some(value),
            Expr::Convert(inner) if self.ty(id).is_integer() => {
                let value = self.literal(inner)?;
                (0..=127).contains(&value).then_some(value)
            }
            _ => None,
        }
    }

    fn integer(&mut self, value: i128, ty: Type) -> Term {
        let kind = match ty {
            Type::Integer { bytes: 4, .. } => String::new(),
            _ => format!("_{}", self.kind(ty)),
        };
        if value < 0 {
            let smallest = match ty {
                Type::Integer { bytes, .. } => i128::MIN >> (128 - 8 * i128::from(bytes).min(16)),
                _ => i128::MIN,
            };
            if value == smallest {
                return Term::new(
                    format!("-{}{kind} - 1{kind}", (value + 1).unsigned_abs()),
                    rank::ADD,
                );
            }
            return Term::new(format!("-{}{kind}", value.unsigned_abs()), rank::ADD);
        }
        Term::new(format!("{value}{kind}"), rank::PRIMARY)
    }

    /// A real literal of a kind: `1.0d0`, `1.0`, `1.0_16`.
    pub fn real_text(&mut self, text: &str, ty: Type) -> String {
        let reals = self.options.reals;
        match ty {
            Type::Real { bytes } if bytes == reals.double => {
                let letter = self.k("d");
                match text.split_once(['e', 'E']) {
                    Some((digits, exponent)) => format!("{digits}{letter}{exponent}"),
                    None => format!("{text}{letter}0"),
                }
            }
            Type::Real { bytes } if bytes == reals.default => text.replace('e', &self.k("e")),
            _ => {
                let kind = self.kind(ty);
                format!("{text}_{kind}")
            }
        }
    }

    pub fn truth(&self, value: bool) -> String {
        self.k(if value { ".true." } else { ".false." })
    }

    /// A place.
    pub fn access(&mut self, access: &Access) -> String {
        let variable = &self.procedure.variables[access.var];
        let mut ty = variable.ty;
        let mut text = self.name(access.var);
        if self.boxed.contains(&access.var) {
            return format!("{text}(0)");
        }
        for (position, selector) in access.path.iter().enumerate() {
            match selector {
                Selector::Index(_) if self.singles.contains(&access.var) => {}
                Selector::Index(subscripts) => {
                    let texts: Vec<String> =
                        subscripts.iter().map(|&s| tight(&self.index(s))).collect();
                    text = format!("{text}({})", texts.join(&format!(",{BREAK}")));
                }
                Selector::Field(field) => match ty {
                    Type::Record(record)
                        if let Some(declared) = self.declared_component(record, *field) =>
                    {
                        let object = Access {
                            var: access.var,
                            path: access.path[..=position].to_vec(),
                        };
                        text = match self.opened(&object) {
                            Some(name) => name,
                            None => format!("{text}%{declared}"),
                        };
                        ty = self.module.records[record].fields[*field as usize].ty;
                    }
                    Type::Record(record) if !self.interop => {
                        let field = &self.module.records[record].fields[*field as usize];
                        text = format!("{text}%{}", field.name);
                        ty = field.ty;
                    }
                    _ => return self.refuse_access(access),
                },
                Selector::Deref => return self.refuse_access(access),
            }
        }
        text
    }

    fn refuse_access(&mut self, access: &Access) -> String {
        let variable = &self.procedure.variables[access.var];
        let (span, name) = (variable.span, variable.name.clone());
        self.refuse(
            span,
            format!("`{name}` is reached through pointers or records, which Fortran output does not express"),
            "ask for C output",
        )
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Term {
        match op {
            UnaryOp::Negate => {
                let text = self.expr(operand).at_least(rank::MULTIPLY);
                Term::new(format!("-{text}"), rank::ADD)
            }
            UnaryOp::Plus => {
                let text = self.expr(operand).text;
                Term::new(format!("({text})"), rank::PRIMARY)
            }
            UnaryOp::Not => {
                let text = self.condition(operand).at_least(rank::NOT + 1);
                Term::new(format!("{} {text}", self.k(".not.")), rank::NOT)
            }
            UnaryOp::BitNot => {
                let text = self.expr(operand).text;
                Term::new(format!("{}({text})", self.k("not")), rank::PRIMARY)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Term {
        use BinaryOp as Op;
        match op {
            Op::Add => self.infix("+", a, b, [rank::ADD, rank::ADD, rank::ADD + 1]),
            Op::Subtract => self.infix("-", a, b, [rank::ADD, rank::ADD, rank::ADD + 1]),
            Op::Multiply => self.infix("*", a, b, [rank::MULTIPLY, rank::MULTIPLY, rank::POWER]),
            Op::Divide => self.infix("/", a, b, [rank::MULTIPLY, rank::MULTIPLY, rank::POWER]),
            Op::Power => {
                let base = self.expr(a).at_least(rank::PRIMARY);
                let exponent = self.bare(b).at_least(rank::POWER);
                Term::new(format!("{base}**{exponent}"), rank::POWER)
            }
            Op::Remainder => self.function("mod", a, b),
            Op::Equal | Op::NotEqual if matches!(self.ty(a), Type::Logical { .. }) => {
                let symbol = if op == Op::Equal { ".eqv." } else { ".neqv." };
                self.logical(symbol, a, b, rank::EQUIVALENT)
            }
            Op::Equal => self.comparison("==", a, b),
            Op::NotEqual => self.comparison("/=", a, b),
            Op::Less => self.comparison("<", a, b),
            Op::LessEqual => self.comparison("<=", a, b),
            Op::Greater => self.comparison(">", a, b),
            Op::GreaterEqual => self.comparison(">=", a, b),
            Op::And => self.logical(".and.", a, b, rank::AND),
            Op::Or => self.logical(".or.", a, b, rank::OR),
            Op::AndThen | Op::OrElse if self.is_cheap(b) => {
                let (symbol, rank) = if op == Op::AndThen {
                    (".and.", rank::AND)
                } else {
                    (".or.", rank::OR)
                };
                self.logical(symbol, a, b, rank)
            }
            Op::AndThen => self.short_circuit(a, b, true),
            Op::OrElse => self.short_circuit(a, b, false),
            Op::Equivalent => self.logical(".eqv.", a, b, rank::EQUIVALENT),
            Op::NotEquivalent => self.logical(".neqv.", a, b, rank::EQUIVALENT),
            Op::BitAnd => self.function("iand", a, b),
            Op::BitOr => self.function("ior", a, b),
            Op::BitXor => self.function("ieor", a, b),
            Op::ShiftLeft => self.function("shiftl", a, b),
            Op::ShiftRight => {
                let unsigned = matches!(self.ty(a), Type::Integer { signed: false, .. });
                self.function(if unsigned { "shiftr" } else { "shifta" }, a, b)
            }
            Op::Concatenate => {
                let next = rank::CONCATENATE + 1;
                self.infix("//", a, b, [rank::CONCATENATE, rank::CONCATENATE, next])
            }
        }
    }

    /// `a op b` with the rank of the whole, the left and the right operand.
    fn infix(&mut self, symbol: &str, a: ExprId, b: ExprId, ranks: [u8; 3]) -> Term {
        let (a, b) = self.operands(a, b);
        let (a, b) = (a.at_least(ranks[1]), b.at_least(ranks[2]));
        let (space, mark) = if ranks[0] == rank::MULTIPLY {
            ("", TIGHT)
        } else {
            (" ", BREAK)
        };
        Term::new(format!("{a}{space}{mark}{symbol}{space}{b}"), ranks[0])
    }

    fn comparison(&mut self, symbol: &str, a: ExprId, b: ExprId) -> Term {
        let next = rank::COMPARE + 1;
        self.infix(symbol, a, b, [rank::COMPARE, next, next])
    }

    fn logical(&mut self, symbol: &str, a: ExprId, b: ExprId, rank: u8) -> Term {
        let symbol = self.k(symbol);
        let a = self.condition(a).at_least(rank);
        let b = self.condition(b).at_least(rank + 1);
        Term::new(format!("{a} {BREAK}{symbol} {b}"), rank)
    }

    fn function(&mut self, name: &str, a: ExprId, b: ExprId) -> Term {
        let (a, b) = (self.expr(a).text, self.expr(b).text);
        Term::new(format!("{}({a},{BREAK} {b})", self.k(name)), rank::PRIMARY)
    }

    /// Two operands of one type. A conversion that the other operand brings about is left out, and
    /// the kind of an integer literal that takes that of the other.
    fn operands(&mut self, a: ExprId, b: ExprId) -> (Term, Term) {
        let is_literal = |e: &Self, id| e.literal(id).is_some();
        if let Some(inner) = self.implicit(a)
            && !is_literal(self, a)
            && !is_literal(self, b)
        {
            return (self.bare(inner), self.expr(b));
        }
        if let Some(inner) = self.implicit(b)
            && !is_literal(self, b)
            && !is_literal(self, a)
        {
            return (self.expr(a), self.bare(inner));
        }
        match (is_literal(self, a), is_literal(self, b)) {
            (true, false) => (self.bare(a), self.expr(b)),
            (false, true) => (self.expr(a), self.bare(b)),
            _ => (self.expr(a), self.expr(b)),
        }
    }

    /// What is converted, if an operand is a conversion that mixed arithmetic makes by itself.
    fn implicit(&self, id: ExprId) -> Option<ExprId> {
        match *self.procedure.expr(id) {
            Expr::Convert(inner) if widens(self.ty(inner), self.ty(id)) => Some(inner),
            _ => None,
        }
    }

    fn convert(&mut self, operand: ExprId, ty: Type) -> Term {
        let from = self.ty(operand);
        if let (Expr::Integer(value), Type::Real { .. }) = (self.procedure.expr(operand), ty)
            && *value >= 0
        {
            let text = self.real_text(&format!("{value}.0"), ty);
            return Term::new(text, rank::PRIMARY);
        }
        if let Some(value) = self.literal(operand).filter(|v| (0..=127).contains(v))
            && ty.is_integer()
        {
            return self.integer(value, ty);
        }
        let text = match (from, ty) {
            (Type::Logical { .. }, Type::Logical { .. }) => return self.expr(operand),
            (Type::Logical { .. }, _) => {
                let condition = self.expr(operand).text;
                let one = self.one_or_zero("1", ty);
                let zero = self.one_or_zero("0", ty);
                format!("{}({one}, {zero}, {condition})", self.k("merge"))
            }
            (_, Type::Logical { .. }) => return self.condition(operand),
            (_, Type::Real { bytes }) if bytes == self.options.reals.default && !self.interop => {
                format!("{}({})", self.k("real"), self.expr(operand).text)
            }
            (_, Type::Real { .. }) => self.kinded("real", operand, ty),
            (_, Type::Integer { bytes: 4, .. }) => {
                format!("{}({})", self.k("int"), self.expr(operand).text)
            }
            (_, Type::Integer { .. }) => self.kinded("int", operand, ty),
            (_, Type::Complex { .. }) => {
                let kind = self.kind(ty);
                format!(
                    "{}({}, {}={kind})",
                    self.k("cmplx"),
                    self.expr(operand).text,
                    self.k("kind")
                )
            }
            _ => {
                let span = self.procedure.exprs[operand].span;
                self.refuse(
                    span,
                    "a conversion between pointers has no counterpart in Fortran output".to_owned(),
                    "ask for output in the language of the source",
                )
            }
        };
        Term::new(text, rank::PRIMARY)
    }

    fn one_or_zero(&mut self, digit: &str, ty: Type) -> String {
        match ty {
            Type::Real { .. } => self.real_text(&format!("{digit}.0"), ty),
            _ => self.integer(if digit == "1" { 1 } else { 0 }, ty).text,
        }
    }

    fn kinded(&mut self, function: &str, operand: ExprId, ty: Type) -> String {
        let kind = self.kind(ty);
        let text = self.expr(operand).text;
        format!("{}({text},{BREAK} {kind})", self.k(function))
    }

    fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, ty: Type) -> Term {
        let condition_text = self.condition(condition).text;
        if self.is_cheap(then) && self.is_cheap(otherwise) {
            let (a, b) = (self.expr(then).text, self.expr(otherwise).text);
            let merge = self.k("merge");
            return Term::new(
                format!("{merge}({a},{BREAK} {b},{BREAK} {condition_text})"),
                rank::PRIMARY,
            );
        }
        let choice = self.temporary("choice", ty);
        self.open_if(&condition_text);
        let value = self.value(then, ty);
        self.out.line(&format!("{choice} = {BREAK}{value}"));
        self.otherwise();
        let value = self.value(otherwise, ty);
        self.out.line(&format!("{choice} = {BREAK}{value}"));
        self.end_if();
        Term::new(choice, rank::PRIMARY)
    }

    /// `a and b` (or `a or b`) where `b` must not be evaluated unless `a` leaves it open.
    fn short_circuit(&mut self, a: ExprId, b: ExprId, and: bool) -> Term {
        let first = self.condition(a);
        let holds = self.temporary("holds", Type::LOGICAL);
        self.out.line(&format!("{holds} = {BREAK}{}", first.text));
        let guard = if and {
            holds.clone()
        } else {
            format!("{} {holds}", self.k(".not."))
        };
        self.open_if(&guard);
        let second = self.condition(b).text;
        self.out.line(&format!("{holds} = {BREAK}{second}"));
        self.end_if();
        Term::new(holds, rank::PRIMARY)
    }

    /// Whether evaluating an expression without need does no harm: no division, no array element,
    /// nothing that may be absent.
    fn is_cheap(&self, id: ExprId) -> bool {
        let mut cheap = true;
        self.procedure.walk_expr(id, &mut |e| {
            cheap &= match self.procedure.expr(e) {
                Expr::Load(access) => {
                    let variable = &self.procedure.variables[access.var];
                    access.path.is_empty()
                        && !variable.optional
                        && variable.allocation == Allocation::Fixed
                }
                Expr::Binary(op, ..) => {
                    !matches!(op, BinaryOp::Divide | BinaryOp::Power | BinaryOp::Remainder)
                }
                Expr::Intrinsic(f, _) => matches!(
                    f,
                    Intrinsic::Abs
                        | Intrinsic::Min
                        | Intrinsic::Max
                        | Intrinsic::Sign
                        | Intrinsic::IsNan
                        | Intrinsic::Tiny
                        | Intrinsic::Huge
                        | Intrinsic::Epsilon
                ),
                Expr::Integer(_)
                | Expr::Real(_)
                | Expr::Logical(_)
                | Expr::Text(_)
                | Expr::Unary(..)
                | Expr::Convert(_)
                | Expr::Select { .. }
                | Expr::Present(_)
                | Expr::Associated { .. } => true,
                Expr::Bound { .. }
                | Expr::Range { .. }
                | Expr::Opaque { .. }
                | Expr::Required { .. } => false,
            };
        });
        cheap
    }

    /// A bound or an extent, asked of the array.
    pub fn bound(&mut self, array: &Access, kind: BoundKind, dim: u32) -> Term {
        let function = match kind {
            BoundKind::Lower => "lbound",
            BoundKind::Upper => "ubound",
            BoundKind::Extent => "size",
            BoundKind::Length => "len",
        };
        let array = self.access(array);
        if kind == BoundKind::Length {
            return Term::new(format!("{}({array})", self.k(function)), rank::PRIMARY);
        }
        Term::new(
            format!("{}({array}, {})", self.k(function), dim + 1),
            rank::PRIMARY,
        )
    }

    fn present(&mut self, access: &Access) -> Term {
        if let Some(record) = self.object_type(access) {
            let text = self.is_object_of(access, record);
            return Term::new(text, rank::AND);
        }
        let variable = &self.procedure.variables[access.var];
        let function = match self.allocation_of(access) {
            _ if variable.optional && access.path.is_empty() => "present",
            Allocation::Allocatable => "allocated",
            Allocation::Pointer => "associated",
            Allocation::Fixed => "present",
        };
        let place = self.access(access);
        Term::new(format!("{}({place})", self.k(function)), rank::PRIMARY)
    }

    /// Who makes the memory of what an access names.
    fn allocation_of(&self, access: &Access) -> Allocation {
        let variable = &self.procedure.variables[access.var];
        let (mut ty, mut allocation) = (variable.ty, variable.allocation);
        for selector in &access.path {
            if let (Selector::Field(field), Type::Record(record)) = (selector, ty) {
                let field = &self.module.records[record].fields[*field as usize];
                (ty, allocation) = (field.ty, field.allocation);
            }
        }
        allocation
    }

    fn range(
        &mut self,
        lower: Option<ExprId>,
        upper: Option<ExprId>,
        step: Option<ExprId>,
    ) -> Term {
        let lower = lower.map_or(String::new(), |e| self.index(e));
        let upper = upper.map_or(String::new(), |e| self.index(e));
        let step = step.map_or(String::new(), |e| format!(":{}", self.index(e)));
        Term::new(format!("{lower}:{upper}{step}"), rank::LOOSE)
    }

    fn opaque(&mut self, text: &str, reads: &[Access], id: ExprId) -> Term {
        for access in reads {
            self.used.insert(access.var);
        }
        self.use_names_in(text);
        if self.interop {
            let span = self.procedure.exprs[id].span;
            let refused = self.refuse(
                span,
                format!("`{text}` is quoted C"),
                "ask for C output, or write it in terms that the C front end takes apart",
            );
            return Term::new(refused, rank::PRIMARY);
        }
        self.refuse_internal_in(text, self.procedure.exprs[id].span);
        Term::new(text, rank::LOOSE)
    }
}

/// Whether mixed arithmetic and assignment convert by themselves and without loss of range.
pub(crate) fn widens(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Integer { bytes: a, .. }, Type::Integer { bytes: b, .. })
        | (Type::Real { bytes: a }, Type::Real { bytes: b })
        | (Type::Complex { bytes: a } | Type::Real { bytes: a }, Type::Complex { bytes: b }) => {
            a <= b
        }
        (Type::Integer { .. }, Type::Real { .. } | Type::Complex { .. }) => true,
        _ => false,
    }
}

/// A character literal.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
