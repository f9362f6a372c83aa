//! Expressions.

use contraflow_backend_common::{BREAK, TIGHT, Term, offset};
use contraflow_ir::{
    Access, BinaryOp, BoundKind, Expr, ExprId, Extent, Storage, Type, UnaryOp, VarId,
};

use crate::emitter::Emitter;
use crate::helpers::{Helper, Number};
use crate::intrinsics::sized;

/// How tightly operators bind. A dereference ranks below a product, so that it gets parentheses
/// there: `(*x)*y`, and never `y/ *x`.
pub(crate) mod rank {
    pub const CHOICE: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const BITS: u8 = 4;
    pub const COMPARE: u8 = 5;
    pub const SHIFT: u8 = 6;
    pub const ADD: u8 = 7;
    pub const DEREFERENCE: u8 = 8;
    pub const MULTIPLY: u8 = 9;
    pub const UNARY: u8 = 10;
    pub const PRIMARY: u8 = 11;
}

impl Emitter<'_> {
    /// The text of an expression.
    pub fn expr(&mut self, id: ExprId) -> Term {
        let procedure = self.procedure;
        let node = &procedure.exprs[id];
        match &node.expr {
            Expr::Integer(value) => integer(*value, node.ty),
            Expr::Real(text) => {
                let rank = if text.starts_with('-') {
                    rank::ADD
                } else {
                    rank::PRIMARY
                };
                Term::new(real_text(text, node.ty), rank)
            }
            Expr::Logical(value) => Term::new(if *value { "1" } else { "0" }, rank::PRIMARY),
            Expr::Text(text) => Term::new(quoted(text), rank::PRIMARY),
            Expr::Load(access) => self.load(access),
            Expr::Unary(op, operand) => self.unary(*op, *operand),
            Expr::Binary(BinaryOp::Equal, a, b) if self.is_unforeseen(*b) => {
                let helper = self.helper(Helper::SameAddress);
                let (a, b) = (self.expr(*a).text, self.expr(*b).text);
                Term::new(format!("{helper}({a}, {b})"), rank::PRIMARY)
            }
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b, node.ty),
            Expr::Intrinsic(f, arguments) => self.intrinsic(*f, arguments, node.ty),
            Expr::Convert(operand) => self.convert(*operand, node.ty),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => self.select(*condition, *then, *otherwise, node.ty),
            Expr::Bound { array, kind, dim } => self.bound(array, *kind, *dim),
            Expr::Present(access) => self.present(access),
            Expr::Associated { pointer, target } if self.procedure.scalars_by_value => {
                let (pointer, target) = (self.place(pointer).text, self.address(target));
                Term::new(format!("{pointer} == {target}"), rank::COMPARE)
            }
            Expr::Associated { .. } => {
                let span = node.span;
                let refused = self.refuse(
                    span,
                    "a comparison of pointers with descriptors is not written as C yet".to_owned(),
                    "ask for Fortran output",
                );
                Term::new(refused, rank::PRIMARY)
            }
            Expr::Opaque { text, reads } => self.opaque(text, reads, id),
            Expr::Range { .. } | Expr::Required { .. } => {
                debug_assert!(false, "a verified module has no such value");
                let refused = self.refuse(
                    node.span,
                    "a value has no storage planned".to_owned(),
                    "report this as a defect of the translator",
                );
                Term::new(refused, rank::PRIMARY)
            }
        }
    }

    /// The text of an expression where a value of type `ty` is assigned: the conversions that an
    /// assignment makes anyway are left out, but for those that cut digits off.
    pub fn value(&mut self, id: ExprId, ty: Type) -> String {
        match *self.procedure.expr(id) {
            Expr::Convert(inner) if self.ty(id) == ty && assigns(self.ty(inner), ty) => {
                self.bare(inner).text
            }
            _ => self.bare(id).text,
        }
    }

    /// The text of an operand whose other operand brings its conversion about.
    pub fn promoted(&mut self, id: ExprId) -> String {
        match self.implicit(id) {
            Some(inner) => self.bare(inner).text,
            None => self.bare(id).text,
        }
    }

    /// The text of an integer whose kind does not matter.
    pub fn index(&mut self, id: ExprId) -> Term {
        let Expr::Convert(inner) = *self.procedure.expr(id) else {
            return self.bare(id);
        };
        let (from, to) = (self.ty(inner), self.ty(id));
        if !from.is_integer() || !to.is_integer() {
            return self.bare(id);
        }
        if let Expr::Convert(innermost) = *self.procedure.expr(inner)
            && self.ty(innermost) == to
        {
            return self.bare(innermost);
        }
        match is_unsigned(from) && !is_unsigned(to) {
            // A comparison of the two would not be that of numbers.
            true => self.bare(id),
            false => self.bare(inner),
        }
    }

    pub fn ty(&self, id: ExprId) -> Type {
        self.procedure.exprs[id].ty
    }

    /// An integer literal without suffix, anything else as it is.
    fn bare(&mut self, id: ExprId) -> Term {
        match self.literal(id) {
            Some(value) if i32::try_from(value).is_ok() => integer(value, Type::INT),
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

    /// `base + constant`.
    pub fn sum(&mut self, base: Option<ExprId>, constant: i128) -> Term {
        let Some(base) = base else {
            return integer(constant, Type::INT);
        };
        let text = self.index(base);
        match constant {
            0 => text,
            c if c < 0 => Term::new(format!("{} - {}", text.at_least(rank::ADD), -c), rank::ADD),
            c => Term::new(format!("{} + {c}", text.at_least(rank::ADD)), rank::ADD),
        }
    }

    /// `a - b`, constants gathered.
    pub fn difference(&mut self, a: ExprId, b: ExprId) -> Term {
        if self.procedure.same_expr(a, b) {
            return integer(0, Type::INT);
        }
        let (base, constant) = offset(self.procedure, a);
        match offset(self.procedure, b) {
            (None, lower) => self.sum(base, constant - lower),
            (Some(low), lower) => {
                let low = self.index(low).at_least(rank::ADD + 1);
                let sum = self.sum(base, constant - lower).at_least(rank::ADD);
                Term::new(format!("{sum} - {low}"), rank::ADD)
            }
        }
    }

    fn load(&mut self, access: &Access) -> Term {
        let variable = &self.procedure.variables[access.var];
        if let Storage::Constant {
            value: Some(value), ..
        } = variable.storage
            && self.inline_constants
        {
            return self.expr(value);
        }
        self.place(access)
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Term {
        match op {
            UnaryOp::Negate => {
                let text = self.expr(operand).at_least(rank::MULTIPLY);
                Term::new(format!("-{text}"), rank::ADD)
            }
            UnaryOp::Plus => {
                let term = self.expr(operand);
                if term.rank == rank::PRIMARY {
                    return term;
                }
                Term::new(format!("({})", term.text), rank::PRIMARY)
            }
            UnaryOp::Not => {
                let text = self.expr(operand).at_least(rank::UNARY);
                Term::new(format!("!{text}"), rank::UNARY)
            }
            UnaryOp::BitNot => {
                let text = self.expr(operand).at_least(rank::UNARY);
                Term::new(format!("~{text}"), rank::UNARY)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: Type) -> Term {
        use BinaryOp as Op;
        match op {
            Op::Add => self.infix(" + ", a, b, [rank::ADD, rank::ADD, rank::ADD + 1]),
            Op::Subtract => self.infix(" - ", a, b, [rank::ADD, rank::ADD, rank::ADD + 1]),
            Op::Multiply => self.product("*", a, b),
            Op::Divide => self.product("/", a, b),
            Op::Remainder if self.ty(a).is_integer() => self.product(" % ", a, b),
            Op::Remainder => self.remainder(a, b),
            Op::Power => self.power(a, b, ty),
            Op::Equal | Op::NotEqual if matches!(self.ty(a), Type::Logical { .. }) => {
                self.equivalence(if op == Op::Equal { "==" } else { "!=" }, a, b)
            }
            Op::Equal => self.comparison(" == ", a, b),
            Op::NotEqual => self.comparison(" != ", a, b),
            Op::Less => self.comparison(" < ", a, b),
            Op::LessEqual => self.comparison(" <= ", a, b),
            Op::Greater => self.comparison(" > ", a, b),
            Op::GreaterEqual => self.comparison(" >= ", a, b),
            Op::And | Op::AndThen => self.logical("&&", a, b, rank::AND),
            Op::Or | Op::OrElse => self.logical("||", a, b, rank::OR),
            Op::Equivalent => self.equivalence("==", a, b),
            Op::NotEquivalent => self.equivalence("!=", a, b),
            Op::BitAnd => self.infix(" & ", a, b, [rank::BITS, rank::UNARY, rank::UNARY]),
            Op::BitOr => self.infix(" | ", a, b, [rank::BITS, rank::UNARY, rank::UNARY]),
            Op::BitXor => self.infix(" ^ ", a, b, [rank::BITS, rank::UNARY, rank::UNARY]),
            Op::ShiftLeft => self.shift(" << ", a, b),
            Op::ShiftRight => self.shift(" >> ", a, b),
            Op::Concatenate => {
                let span = self.procedure.exprs[a].span;
                let refused = self.refuse(
                    span,
                    "a concatenation of strings has no counterpart in C output".to_owned(),
                    "ask for Fortran output",
                );
                Term::new(refused, rank::PRIMARY)
            }
        }
    }

    /// `a op b` with the rank of the whole, the left and the right operand.
    fn infix(&mut self, symbol: &str, a: ExprId, b: ExprId, ranks: [u8; 3]) -> Term {
        let (a, b) = self.operands(a, b);
        let (a, b) = (a.at_least(ranks[1]), b.at_least(ranks[2]));
        let (space, rest) = match symbol.strip_prefix(' ') {
            Some(rest) => (" ", rest),
            None => ("", symbol),
        };
        let mark = if ranks[0] == rank::MULTIPLY {
            TIGHT
        } else {
            BREAK
        };
        Term::new(format!("{a}{space}{mark}{rest}{b}"), ranks[0])
    }

    fn product(&mut self, symbol: &str, a: ExprId, b: ExprId) -> Term {
        self.infix(symbol, a, b, [rank::MULTIPLY, rank::MULTIPLY, rank::UNARY])
    }

    fn comparison(&mut self, symbol: &str, a: ExprId, b: ExprId) -> Term {
        self.infix(symbol, a, b, [rank::COMPARE, rank::ADD, rank::ADD])
    }

    fn shift(&mut self, symbol: &str, a: ExprId, b: ExprId) -> Term {
        let (a, b) = (self.expr(a), self.bare(b));
        let (a, b) = (a.at_least(rank::UNARY), b.at_least(rank::UNARY));
        Term::new(format!("{a}{symbol}{b}"), rank::SHIFT)
    }

    /// Compilers ask for parentheses around `&&` inside `||`.
    fn logical(&mut self, symbol: &str, a: ExprId, b: ExprId, rank: u8) -> Term {
        let a = self.expr(a);
        let lazy = std::mem::replace(&mut self.lazy, true);
        let b = self.expr(b);
        self.lazy = lazy;
        let a = if a.rank == rank {
            a.text
        } else {
            a.at_least(rank::BITS)
        };
        let b = b.at_least(rank::BITS);
        Term::new(format!("{a} {BREAK}{symbol} {b}"), rank)
    }

    /// Truth values are equal if both or none are zero.
    fn equivalence(&mut self, symbol: &str, a: ExprId, b: ExprId) -> Term {
        let (a, b) = (self.expr(a), self.expr(b));
        let (a, b) = (a.at_least(rank::UNARY), b.at_least(rank::UNARY));
        Term::new(format!("!{a} {symbol} !{b}"), rank::COMPARE)
    }

    fn remainder(&mut self, a: ExprId, b: ExprId) -> Term {
        self.needs.headers.insert("math.h");
        let ty = self.ty(a);
        let (x, y) = (self.value(a, ty), self.value(b, ty));
        Term::new(
            format!("{}({x},{BREAK} {y})", sized("fmod", ty)),
            rank::PRIMARY,
        )
    }

    /// A power with a small whole exponent is a product, as Fortran computes it.
    fn power(&mut self, base: ExprId, exponent: ExprId, ty: Type) -> Term {
        let literal = match offset(self.procedure, exponent) {
            (None, n) if self.ty(exponent).is_integer() => Some(n),
            _ => None,
        };
        if let Some(n @ (-4..=4)) = literal
            && (n >= 0 || ty.is_real())
            && let Some(factor) = self.factor(base)
        {
            return whole_power(&factor, n, ty);
        }
        if ty.is_integer() {
            let helper = self.helper(Helper::Power(Number::of(ty)));
            let (base, exponent) = (self.expr(base).text, self.value(exponent, ty));
            return Term::new(
                format!("{helper}({base},{BREAK} {exponent})"),
                rank::PRIMARY,
            );
        }
        let name = if matches!(ty, Type::Complex { .. }) {
            self.needs.headers.insert("complex.h");
            sized("cpow", ty)
        } else {
            self.needs.headers.insert("math.h");
            sized("pow", ty)
        };
        let (x, y) = (self.value(base, ty), self.value(exponent, ty));
        Term::new(format!("{name}({x},{BREAK} {y})"), rank::PRIMARY)
    }

    /// A text that may be repeated: a place or a literal, else a scalar that is assigned first.
    /// There is none where the base may be left unevaluated.
    fn factor(&mut self, base: ExprId) -> Option<String> {
        if matches!(
            self.procedure.expr(base),
            Expr::Load(_) | Expr::Integer(_) | Expr::Real(_)
        ) {
            return Some(self.expr(base).at_least(rank::MULTIPLY));
        }
        if self.lazy || self.inline_constants {
            return None;
        }
        let ty = self.ty(base);
        let value = self.value(base, ty);
        let name = self.temporary("base", ty);
        self.out.line(&format!("{name} = {BREAK}{value};"));
        Some(name)
    }

    /// Two operands of one type. A conversion that the other operand brings about is left out, and
    /// the suffix of an integer literal that takes the type of the other.
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
            Expr::Convert(inner) if promotes(self.ty(inner), self.ty(id)) => Some(inner),
            _ => None,
        }
    }

    fn convert(&mut self, operand: ExprId, ty: Type) -> Term {
        let from = self.ty(operand);
        if let (Expr::Integer(value), Type::Real { .. }) = (self.procedure.expr(operand), ty)
            && *value >= 0
        {
            return Term::new(real_text(&format!("{value}.0"), ty), rank::PRIMARY);
        }
        if matches!(ty, Type::Logical { .. }) {
            let term = self.expr(operand);
            if matches!(from, Type::Logical { .. }) {
                return term;
            }
            return Term::new(format!("{} != 0", term.at_least(rank::ADD)), rank::COMPARE);
        }
        if let Some(value) = self.literal(operand).filter(|v| (0..=127).contains(v))
            && ty.is_integer()
        {
            return integer(value, ty);
        }
        let name = self.type_name(ty, self.procedure.exprs[operand].span);
        let text = self.expr(operand).at_least(rank::UNARY);
        Term::new(format!("({name}){text}"), rank::UNARY)
    }

    fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, ty: Type) -> Term {
        // `min(n, n)`, from a body that stands in its caller: compilers warn of the comparison.
        if self.procedure.same_expr(then, otherwise) {
            return Term::new(self.value(then, ty), rank::CHOICE);
        }
        let condition = self.expr(condition).at_least(rank::OR);
        let lazy = std::mem::replace(&mut self.lazy, true);
        let then = Term::new(self.value(then, ty), rank::CHOICE);
        let otherwise = self.value(otherwise, ty);
        self.lazy = lazy;
        let then = then.text;
        Term::new(
            format!("{condition} {BREAK}? {then} {BREAK}: {otherwise}"),
            rank::CHOICE,
        )
    }

    fn bound(&mut self, array: &Access, kind: BoundKind, dim: u32) -> Term {
        let variable = &self.procedure.variables[array.var];
        let Some(shape) = variable.shape.get(dim as usize) else {
            return Term::new("0", rank::PRIMARY);
        };
        match kind {
            BoundKind::Lower => self.index(shape.lower),
            BoundKind::Extent | BoundKind::Length => self.extent(array.var, dim as usize),
            BoundKind::Upper => {
                let extent = self.extent(array.var, dim as usize).at_least(rank::ADD);
                match offset(self.procedure, shape.lower) {
                    (None, 1) => Term::new(extent, rank::ADD),
                    (None, 0) => Term::new(format!("{extent} - 1"), rank::ADD),
                    _ => {
                        let lower = self.index(shape.lower).at_least(rank::ADD);
                        Term::new(format!("{lower} - 1 + {extent}"), rank::ADD)
                    }
                }
            }
        }
    }

    /// The number of elements along a dimension.
    pub fn extent(&mut self, variable: VarId, dim: usize) -> Term {
        match self.procedure.variables[variable].shape[dim].extent {
            Extent::Count(count) => self.index(count),
            Extent::Assumed => Term::new(self.extent_argument(variable, dim), rank::PRIMARY),
            Extent::AssumedSize | Extent::Deferred | Extent::Unknown => {
                let (name, span) = {
                    let variable = &self.procedure.variables[variable];
                    (variable.name.clone(), variable.span)
                };
                let refused = self.refuse(
                    span,
                    format!("the size of `{name}` is not known in C output"),
                    "declare the array with its extents",
                );
                Term::new(refused, rank::PRIMARY)
            }
        }
    }

    fn is_unforeseen(&self, e: ExprId) -> bool {
        matches!(self.procedure.expr(e), Expr::Load(access)
            if access.path.is_empty() && self.procedure.variables[access.var].is_unforeseen)
    }

    fn present(&mut self, access: &Access) -> Term {
        self.needs.headers.insert("stddef.h");
        let pointer = match access.path.is_empty() {
            true => self.name(access.var),
            false => self.place(access).text,
        };
        Term::new(format!("{pointer} != NULL"), rank::COMPARE)
    }

    fn opaque(&mut self, text: &str, reads: &[Access], id: ExprId) -> Term {
        for access in reads {
            self.used.insert(access.var);
        }
        self.use_names_in(text);
        if self.foreign {
            let span = self.procedure.exprs[id].span;
            let refused = self.refuse(
                span,
                format!("`{text}` is quoted Fortran"),
                "ask for Fortran output, or write it in terms that the front end takes apart",
            );
            return Term::new(refused, rank::PRIMARY);
        }
        Term::new(text, 0)
    }
}

/// An integer literal.
fn integer(value: i128, ty: Type) -> Term {
    let suffix = match ty {
        Type::Integer { bytes, signed } => match (bytes > 4, signed) {
            (false, true) => "",
            (false, false) => "u",
            (true, true) => "L",
            (true, false) => "UL",
        },
        _ => "",
    };
    if value == i128::from(i32::MIN) || value == i128::from(i64::MIN) {
        return Term::new(format!("(-{}{suffix} - 1)", -(value + 1)), rank::PRIMARY);
    }
    let rank = if value < 0 { rank::ADD } else { rank::PRIMARY };
    Term::new(format!("{value}{suffix}"), rank)
}

/// A real literal of a type.
pub(crate) fn real_text(text: &str, ty: Type) -> String {
    match ty {
        Type::Real { bytes: 4 } => format!("{text}f"),
        Type::Real { bytes: 16 } => format!("{text}L"),
        _ => text.to_owned(),
    }
}

/// `x` multiplied with itself; a fourth power is the square of the square.
fn whole_power(x: &str, n: i128, ty: Type) -> Term {
    let one = if ty.is_integer() { "1" } else { "1.0" };
    let product = match n.unsigned_abs() {
        0 => return Term::new(one, rank::PRIMARY),
        1 => x.to_owned(),
        2 => format!("{x}*{x}"),
        3 => format!("{x}*{x}*{x}"),
        _ => format!("({x}*{x})*({x}*{x})"),
    };
    if n > 0 {
        return Term::new(product, rank::MULTIPLY);
    }
    Term::new(
        format!("{}/({product})", real_text(one, ty)),
        rank::MULTIPLY,
    )
}

/// Whether mixed arithmetic converts by itself.
fn promotes(from: Type, to: Type) -> bool {
    match (from, to) {
        (
            Type::Integer {
                bytes: a,
                signed: s,
            },
            Type::Integer {
                bytes: b,
                signed: t,
            },
        ) => a < b && b >= 4 && (s == t || t),
        (Type::Real { bytes: a }, Type::Real { bytes: b })
        | (Type::Complex { bytes: a } | Type::Real { bytes: a }, Type::Complex { bytes: b }) => {
            a <= b
        }
        (Type::Integer { .. } | Type::Logical { .. }, Type::Real { .. }) => true,
        _ => false,
    }
}

/// Whether an assignment converts by itself, and a reader expects it.
fn assigns(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Integer { bytes: a, .. }, Type::Integer { bytes: b, .. }) => a <= b,
        (Type::Integer { .. } | Type::Logical { .. } | Type::Real { .. }, Type::Real { .. })
        | (Type::Logical { .. }, Type::Integer { .. }) => true,
        _ => promotes(from, to),
    }
}

/// A string literal.
pub(crate) fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            c => c.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

/// Whether a type is an integer without sign.
pub(crate) fn is_unsigned(ty: Type) -> bool {
    matches!(ty, Type::Integer { signed: false, .. })
}
