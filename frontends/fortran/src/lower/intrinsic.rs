//! The functions of the language: generic and specific names, and what they are in the IR.

use super::{Element, Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use contraflow_ir::{Access, Allocation, BinaryOp, Expr, ExprId, Intrinsic, Type, UnaryOp};

/// How a function is lowered.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Rule {
    /// An elemental function of the IR; all arguments get one type.
    Plain(Intrinsic),
    /// The largest or smallest; the result may be converted (`amax0`, `max1`).
    Extreme(Intrinsic, Option<Type>),
    /// Conversion to a type, or the default one if a kind is given.
    To(Type),
    /// Whole part and nearest, as an integer.
    ToInteger(Intrinsic),
    /// Text of an integer type that no active value passes through.
    Quoted(Type),
    /// One of its own.
    Own,
}

fn rule(name: &str) -> Option<Rule> {
    use Intrinsic::{
        Abs, Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, BesselJ0, BesselJ1, BesselY0, BesselY1,
        CeilingInteger, Cos, Cosh, Erf, Erfc, ErfcScaled, Exp, FloorInteger, Gamma, Hypot, Log,
        Log10, LogGamma, Max, Min, Modulo, NearestInteger, PositiveDifference, Round, Sign, Sin,
        Sinh, Sqrt, Tan, Tanh, Truncate,
    };
    use Rule::{Extreme, Own, Plain, Quoted, To, ToInteger};
    Some(match name {
        "abs" | "iabs" | "dabs" | "cabs" | "zabs" | "cdabs" => Plain(Abs),
        "sqrt" | "dsqrt" | "csqrt" | "zsqrt" | "cdsqrt" => Plain(Sqrt),
        "exp" | "dexp" | "cexp" | "zexp" | "cdexp" => Plain(Exp),
        "log" | "alog" | "dlog" | "clog" | "zlog" | "cdlog" => Plain(Log),
        "log10" | "alog10" | "dlog10" => Plain(Log10),
        "sin" | "dsin" | "csin" | "zsin" => Plain(Sin),
        "cos" | "dcos" | "ccos" | "zcos" => Plain(Cos),
        "tan" | "dtan" => Plain(Tan),
        "asin" | "dasin" => Plain(Asin),
        "acos" | "dacos" => Plain(Acos),
        "atan" | "datan" => Plain(Atan),
        "atan2" | "datan2" => Plain(Atan2),
        "sinh" | "dsinh" => Plain(Sinh),
        "cosh" | "dcosh" => Plain(Cosh),
        "tanh" | "dtanh" => Plain(Tanh),
        "asinh" | "dasinh" => Plain(Asinh),
        "acosh" | "dacosh" => Plain(Acosh),
        "atanh" | "datanh" => Plain(Atanh),
        "erf" | "derf" => Plain(Erf),
        "erfc" | "derfc" => Plain(Erfc),
        "erfc_scaled" => Plain(ErfcScaled),
        "gamma" | "dgamma" => Plain(Gamma),
        "log_gamma" | "dlgama" | "algama" => Plain(LogGamma),
        "bessel_j0" | "besj0" | "dbesj0" => Plain(BesselJ0),
        "bessel_j1" | "besj1" | "dbesj1" => Plain(BesselJ1),
        "bessel_y0" | "besy0" | "dbesy0" => Plain(BesselY0),
        "bessel_y1" | "besy1" | "dbesy1" => Plain(BesselY1),
        "hypot" => Plain(Hypot),
        "modulo" => Plain(Modulo),
        "sign" | "isign" | "dsign" => Plain(Sign),
        "dim" | "idim" | "ddim" => Plain(PositiveDifference),
        "max" | "max0" | "amax1" | "dmax1" => Extreme(Max, None),
        "min" | "min0" | "amin1" | "dmin1" => Extreme(Min, None),
        "amax0" => Extreme(Max, Some(Type::REAL4)),
        "amin0" => Extreme(Min, Some(Type::REAL4)),
        "max1" => Extreme(Max, Some(Type::INT)),
        "min1" => Extreme(Min, Some(Type::INT)),
        "aint" | "dint" => Plain(Truncate),
        "anint" | "dnint" => Plain(Round),
        "int" | "ifix" | "idint" => To(Type::INT),
        "real" | "float" | "sngl" => To(Type::REAL4),
        "dble" | "dfloat" | "dreal" => To(Type::REAL8),
        "nint" | "idnint" => ToInteger(NearestInteger),
        "floor" => ToInteger(FloorInteger),
        "ceiling" => ToInteger(CeilingInteger),
        "ichar" | "iachar" | "len" | "len_trim" | "index" | "scan" | "verify" => Quoted(Type::INT),
        "command_argument_count"
        | "ishft"
        | "ishftc"
        | "shiftl"
        | "shiftr"
        | "shifta"
        | "bit_size"
        | "storage_size"
        | "poppar"
        | "ibits"
        | "ibset"
        | "ibclr"
        | "popcnt"
        | "leadz"
        | "trailz" => Quoted(Type::INT),
        "char" | "achar" | "trim" | "adjustl" | "adjustr" | "repeat" => Quoted(Type::Character),
        "btest" | "lge" | "lgt" | "lle" | "llt" => Quoted(Type::LOGICAL),
        "mod" | "amod" | "dmod" | "merge" | "cmplx" | "dcmplx" | "aimag" | "dimag" | "imag"
        | "conjg" | "dconjg" | "dprod" | "huge" | "tiny" | "epsilon" | "digits" | "precision"
        | "range" | "radix" | "kind" | "size" | "lbound" | "ubound" | "present" | "allocated"
        | "associated" | "isnan" | "ieee_is_nan" | "ieee_is_finite" | "iand" | "ior" | "ieor"
        | "not" | "selected_real_kind" | "selected_int_kind" | "logical" | "null" | "nearest"
        | "spacing" | "exponent" | "fraction" | "scale" | "maxexponent" | "minexponent"
        | "transfer" | "rrspacing" | "same_type_as" | "extends_type_of" | "set_exponent"
        | "bessel_jn" | "bessel_yn" | "c_loc" | "is_contiguous" => Own,
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// Whether a name is one of the language's functions.
    pub(super) fn is_intrinsic(name: &str) -> bool {
        rule(name).is_some() || Self::is_transformational(name)
    }

    /// The rank of an intrinsic's value.
    pub(super) fn intrinsic_rank(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<usize> {
        if Self::is_transformational(name) {
            return self.transformational_rank(e, name, arguments);
        }
        match name {
            "size" | "lbound" | "ubound" => {
                let whole = name != "size" && self.argument_of(e, arguments, 1, "dim").is_none();
                Ok(usize::from(whole))
            }
            "huge" | "tiny" | "epsilon" | "digits" | "precision" | "range" | "radix" | "kind"
            | "same_type_as" | "extends_type_of" | "present" | "allocated" | "associated"
            | "null" => Ok(0),
            _ => self.largest_rank(e, arguments),
        }
    }

    /// The argument at a position or of a keyword.
    pub(super) fn argument_of<'t>(
        &self,
        e: Syn<'t>,
        arguments: &[NodeId],
        position: usize,
        keyword: &str,
    ) -> Option<Syn<'t>> {
        let named = arguments
            .iter()
            .find_map(|&node| match e.tree.syntax(node) {
                Syntax::Keyword(slice, value) if e.tree.statement.part(*slice) == keyword => {
                    Some(*value)
                }
                _ => None,
            });
        let node = named.or_else(|| {
            let node = arguments.get(position).copied()?;
            (!matches!(e.tree.syntax(node), Syntax::Keyword(..))).then_some(node)
        })?;
        Some(Syn { tree: e.tree, node })
    }

    /// The value of an intrinsic function.
    pub(super) fn intrinsic(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        if Self::is_transformational(name) {
            return self.transformational(e, name, arguments, at);
        }
        match rule(name) {
            Some(Rule::Plain(function)) => self.plain(e, function, arguments, at),
            Some(Rule::Extreme(function, result)) => {
                let values = self.values(e, arguments, at)?;
                let values = self.made_equal(values)?;
                if values.len() < 2 {
                    return refuse("`max` or `min` of one value");
                }
                let value = self.build().call(function, values);
                match result {
                    Some(ty) => self.converted(value, self.program.usual(ty)),
                    None => Ok(value),
                }
            }
            Some(Rule::To(ty)) => {
                let ty = self.program.usual(ty);
                self.conversion(e, name, arguments, ty, at)
            }
            Some(Rule::ToInteger(function)) => {
                let ty = self.kind_argument(e, arguments, 1, Type::INT)?;
                let value = self.first(e, arguments, at)?;
                if !self.type_of(value).is_real() {
                    return refuse("rounding of a value that is not real");
                }
                Ok(self.add(Expr::Intrinsic(function, vec![value]), ty))
            }
            Some(Rule::Quoted(ty)) if at.is_empty() || self.largest_rank(e, arguments)? == 0 => {
                self.quoted(e, ty)
            }
            Some(Rule::Own) => self.own(e, name, arguments, at),
            _ => refuse(format!("the function `{name}`")),
        }
    }

    fn values(&mut self, e: Syn, arguments: &[NodeId], at: &Element) -> Fallible<Vec<ExprId>> {
        arguments
            .iter()
            .map(|&node| {
                let node = match e.tree.syntax(node) {
                    Syntax::Keyword(_, value) => *value,
                    _ => node,
                };
                self.value(Syn { tree: e.tree, node }, at)
            })
            .collect()
    }

    fn first(&mut self, e: Syn, arguments: &[NodeId], at: &Element) -> Fallible<ExprId> {
        let node = match arguments.first().map(|&node| (node, e.tree.syntax(node))) {
            Some((_, Syntax::Keyword(_, value))) => *value,
            Some((node, _)) => node,
            None => return refuse("a function without its argument"),
        };
        self.value(Syn { tree: e.tree, node }, at)
    }

    /// The values in their common type.
    fn made_equal(&mut self, values: Vec<ExprId>) -> Fallible<Vec<ExprId>> {
        let mut ty = match values.first() {
            Some(&value) => self.type_of(value),
            None => return refuse("a function without its argument"),
        };
        if !ty.is_numeric() {
            return refuse("a function of numbers of something else");
        }
        for &value in &values {
            ty = match super::expr::common_type(ty, self.type_of(value)) {
                Some(ty) => ty,
                None => return refuse("a function of numbers of something else"),
            };
        }
        values
            .into_iter()
            .map(|value| self.converted(value, ty))
            .collect()
    }

    fn plain(
        &mut self,
        e: Syn,
        function: Intrinsic,
        arguments: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        let is_rounding = matches!(function, Intrinsic::Truncate | Intrinsic::Round);
        let values = if is_rounding {
            vec![self.first(e, arguments, at)?]
        } else {
            self.values(e, arguments, at)?
        };
        let values = self.made_equal(values)?;
        let ty = self.type_of(values[0]);
        let function = match (function, values.len()) {
            (Intrinsic::Atan, 2) => Intrinsic::Atan2,
            (function, _) => function,
        };
        if !function.arity().contains(&values.len()) {
            return refuse("a function with the wrong number of arguments");
        }
        let takes_integers = matches!(
            function,
            Intrinsic::Abs | Intrinsic::Sign | Intrinsic::Modulo | Intrinsic::PositiveDifference
        );
        if ty.is_integer() && !takes_integers {
            return refuse("a function of reals of an integer");
        }
        if function == Intrinsic::PositiveDifference && ty.is_integer() {
            return self.integer_difference(values[0], values[1]);
        }
        if let (Intrinsic::Abs, Type::Complex { bytes }) = (function, ty) {
            return Ok(self.add(Expr::Intrinsic(function, values), Type::Real { bytes }));
        }
        let value = self.build().call(function, values);
        if is_rounding {
            let ty = self.kind_argument(e, arguments, 1, ty)?;
            return self.converted(value, ty);
        }
        Ok(value)
    }

    /// `max(a - b, 0)`
    fn integer_difference(&mut self, a: ExprId, b: ExprId) -> Fallible<ExprId> {
        let ty = self.type_of(a);
        let difference = self.binary(BinaryOp::Subtract, a, b)?;
        let mut builder = self.build();
        let zero = builder.zero(ty);
        Ok(builder.call(Intrinsic::Max, vec![difference, zero]))
    }

    /// The type of `default`'s class with the kind that an argument gives.
    pub(super) fn kind_argument(
        &mut self,
        e: Syn,
        arguments: &[NodeId],
        position: usize,
        default: Type,
    ) -> Fallible<Type> {
        let Some(kind) = self.argument_of(e, arguments, position, "kind") else {
            return Ok(default);
        };
        let Some(value) = self.program.integer_of(self.scope, kind.tree, kind.node, 0) else {
            return refuse("a kind that is not constant");
        };
        let Some(bytes) = u8::try_from(value)
            .ok()
            .filter(|b| [1, 2, 4, 8, 16].contains(b))
        else {
            return refuse("an unknown kind");
        };
        Ok(match default {
            Type::Integer { signed, .. } => Type::Integer { bytes, signed },
            Type::Real { .. } => Type::Real {
                bytes: self.program.reals.stated(bytes),
            },
            Type::Complex { .. } => Type::Complex {
                bytes: self.program.reals.stated(bytes),
            },
            Type::Logical { .. } => Type::Logical { bytes },
            other => other,
        })
    }

    fn conversion(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
        ty: Type,
        at: &Element,
    ) -> Fallible<ExprId> {
        if let Some(&node) = arguments.first()
            && *e.tree.syntax(node) == Syntax::Boz
        {
            let ty = self.kind_argument(e, arguments, 1, ty)?;
            return self.bit_pattern(Syn { tree: e.tree, node }, ty);
        }
        let has_kind = self.argument_of(e, arguments, 1, "kind").is_some();
        let ty = self.kind_argument(e, arguments, 1, ty)?;
        let value = self.first(e, arguments, at)?;
        if let Type::Complex { bytes } = self.type_of(value) {
            let part = Type::Real { bytes };
            let real = self.add(Expr::Intrinsic(Intrinsic::RealPart, vec![value]), part);
            let keeps = matches!(name, "real" | "dreal") && !has_kind;
            return if keeps {
                Ok(real)
            } else {
                self.converted(real, ty)
            };
        }
        if !self.type_of(value).is_numeric() {
            return refuse("a conversion of a value that is no number");
        }
        self.converted(value, ty)
    }

    fn own(&mut self, e: Syn, name: &str, arguments: &[NodeId], at: &Element) -> Fallible<ExprId> {
        match name {
            "mod" | "amod" | "dmod" => {
                let values = self.values(e, arguments, at)?;
                match self.made_equal(values)?.as_slice() {
                    [a, b] => self.binary(BinaryOp::Remainder, *a, *b),
                    _ => refuse("`mod` with other than two arguments"),
                }
            }
            "iand" => self.bits(BinaryOp::BitAnd, e, arguments, at),
            "ior" => self.bits(BinaryOp::BitOr, e, arguments, at),
            "ieor" => self.bits(BinaryOp::BitXor, e, arguments, at),
            "not" => {
                let value = self.first(e, arguments, at)?;
                let ty = self.type_of(value);
                if !ty.is_integer() {
                    return refuse("bits of a value that is no integer");
                }
                Ok(self.add(Expr::Unary(UnaryOp::BitNot, value), ty))
            }
            "merge" => self.merge(e, arguments, at),
            "dprod" => {
                let values = self.values(e, arguments, at)?;
                let [a, b] = values.as_slice() else {
                    return refuse("`dprod` with other than two arguments");
                };
                let double = self.program.double();
                let a = self.converted(*a, double)?;
                let b = self.converted(*b, double)?;
                self.binary(BinaryOp::Multiply, a, b)
            }
            "cmplx" | "dcmplx" => self.complex_of(e, name, arguments, at),
            "aimag" | "dimag" | "imag" | "conjg" | "dconjg" => self.part(e, name, arguments, at),
            "huge" | "tiny" | "epsilon" => self.limit(e, name, arguments),
            "digits" | "precision" | "range" | "radix" | "kind" | "selected_real_kind"
            | "selected_int_kind" | "maxexponent" | "minexponent" => {
                self.inquiry(e, name, arguments)
            }
            "size" | "lbound" | "ubound" => self.bound_of(e, name, arguments),
            "present" | "allocated" | "associated" => self.presence(name, e, arguments),
            "isnan" | "ieee_is_nan" => self.test(Intrinsic::IsNan, e, arguments, at),
            "ieee_is_finite" => self.test(Intrinsic::IsFinite, e, arguments, at),
            "logical" => self.first(e, arguments, at),
            "scale" => self.scaled(e, arguments, at),
            "bessel_jn" => self.of_order(Intrinsic::BesselJn, e, arguments, at),
            "bessel_yn" => self.of_order(Intrinsic::BesselYn, e, arguments, at),
            "nearest" => {
                let x = self.demanded(e, arguments, 0, "x")?;
                let s = self.demanded(e, arguments, 1, "s")?;
                let (x, s) = (self.value(x, at)?, self.value(s, at)?);
                let ty = self.type_of(x);
                if !ty.is_real() || !self.type_of(s).is_real() {
                    return refuse("`nearest` of values that are not real");
                }
                Ok(self.add(Expr::Intrinsic(Intrinsic::Nearest, vec![x, s]), ty))
            }
            "fraction" => {
                let x = self.demanded(e, arguments, 0, "x")?;
                let x = self.value(x, at)?;
                self.with_exponent(x, None)
            }
            "set_exponent" => {
                let x = self.demanded(e, arguments, 0, "x")?;
                let i = self.demanded(e, arguments, 1, "i")?;
                let (x, i) = (self.value(x, at)?, self.value(i, at)?);
                self.with_exponent(x, Some(i))
            }
            "same_type_as" | "extends_type_of" => {
                let second = if name == "same_type_as" { "b" } else { "mold" };
                let a = self.demanded(e, arguments, 0, "a")?;
                let b = self.demanded(e, arguments, 1, second)?;
                self.types_compared(a, b, name == "same_type_as")
            }
            "transfer" if at.is_empty() && arguments.len() == 2 => {
                let mold = self.demanded(e, arguments, 1, "mold")?;
                if self.rank(mold)? > 0 {
                    return refuse("bits of a value as an array");
                }
                let ty = self.element_type(mold)?;
                self.quoted(e, ty)
            }
            "exponent" if at.is_empty() => self.quoted(e, Type::INT),
            "spacing" | "rrspacing" if at.is_empty() => {
                let value = self.tried(|lowerer| lowerer.first(e, arguments, at))?;
                let ty = self.type_of(value);
                self.quoted(e, ty)
            }
            _ => refuse(format!("the function `{name}`")),
        }
    }

    /// A Bessel function of whole order. The form that gives several orders at a time is an array that
    /// compilers fill by recurrence, so that its values are not those of single calls.
    fn of_order(
        &mut self,
        f: Intrinsic,
        e: Syn,
        arguments: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        if arguments.len() != 2 {
            return refuse("Bessel functions of several orders at once: call it for each order");
        }
        let n = self.demanded(e, arguments, 0, "n")?;
        let x = self.demanded(e, arguments, 1, "x")?;
        let (n, x) = (self.value(n, at)?, self.value(x, at)?);
        let ty = self.type_of(x);
        if !self.type_of(n).is_integer() || !ty.is_real() {
            return refuse("a Bessel function of values that do not fit");
        }
        Ok(self.add(Expr::Intrinsic(f, vec![n, x]), ty))
    }

    /// `x` with another exponent, or with 0: `fraction(x)` and `set_exponent(x, i)` are products with
    /// a power of two, and zero of zero.
    fn with_exponent(&mut self, x: ExprId, wanted: Option<ExprId>) -> Fallible<ExprId> {
        let ty = self.type_of(x);
        if !ty.is_real() || !wanted.is_none_or(|i| self.type_of(i).is_integer()) {
            return refuse("an exponent of values that do not fit");
        }
        let exponent = self.add(Expr::Intrinsic(Intrinsic::Exponent, vec![x]), Type::INT);
        let power = match wanted {
            Some(wanted) => self.binary(BinaryOp::Subtract, wanted, exponent)?,
            None => self.build().neg(exponent),
        };
        let scaled = self.add(Expr::Intrinsic(Intrinsic::Scale, vec![x, power]), ty);
        let mut b = self.build();
        let zero = b.zero(ty);
        let has_exponent = b.compare(BinaryOp::NotEqual, x, zero);
        Ok(b.select(has_exponent, scaled, x))
    }

    /// `scale(x, n)`: the product with a power of two, which is exact.
    fn scaled(&mut self, e: Syn, arguments: &[NodeId], at: &Element) -> Fallible<ExprId> {
        let x = self.demanded(e, arguments, 0, "x")?;
        let n = self.demanded(e, arguments, 1, "i")?;
        let (x, n) = (self.value(x, at)?, self.value(n, at)?);
        let ty = self.type_of(x);
        if !ty.is_real() || !self.type_of(n).is_integer() {
            return refuse("`scale` of values that do not fit");
        }
        let mut b = self.build();
        let two = b.number(2, ty);
        let factor = b.exact_binary(BinaryOp::Power, two, n);
        Ok(b.exact_binary(BinaryOp::Multiply, x, factor))
    }

    fn bits(
        &mut self,
        op: BinaryOp,
        e: Syn,
        arguments: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        let values = self.values(e, arguments, at)?;
        let values = self.made_equal(values)?;
        match values.as_slice() {
            [a, b] if self.type_of(*a).is_integer() => {
                let ty = self.type_of(*a);
                Ok(self.add(Expr::Binary(op, *a, *b), ty))
            }
            _ => refuse("bits of values that are no integers"),
        }
    }

    fn merge(&mut self, e: Syn, arguments: &[NodeId], at: &Element) -> Fallible<ExprId> {
        let part = |lowerer: &Self, index, name| lowerer.argument_of(e, arguments, index, name);
        let (Some(then), Some(otherwise), Some(mask)) = (
            part(self, 0, "tsource"),
            part(self, 1, "fsource"),
            part(self, 2, "mask"),
        ) else {
            return refuse("`merge` with other than three arguments");
        };
        let then = self.value(then, at)?;
        let otherwise = self.value(otherwise, at)?;
        let condition = self.value(mask, at)?;
        let fits = self.type_of(then) == self.type_of(otherwise)
            && matches!(self.type_of(condition), Type::Logical { .. });
        if !fits {
            return refuse("`merge` of different types");
        }
        Ok(self.build().select(condition, then, otherwise))
    }

    fn complex_of(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        let default = Type::Complex {
            bytes: match name {
                "dcmplx" => self.program.reals.double,
                _ => self.program.reals.default,
            },
        };
        let Type::Complex { bytes } = self.kind_argument(e, arguments, 2, default)? else {
            return refuse("an unknown kind");
        };
        let Some(re) = self.argument_of(e, arguments, 0, "x") else {
            return refuse("`cmplx` without its argument");
        };
        let re = self.value(re, at)?;
        if matches!(self.type_of(re), Type::Complex { .. }) {
            return self.converted(re, Type::Complex { bytes });
        }
        let im = match self.argument_of(e, arguments, 1, "y") {
            Some(im) => Some(self.value(im, at)?),
            None => None,
        };
        self.complex(re, im, Some(bytes))
    }

    fn part(&mut self, e: Syn, name: &str, arguments: &[NodeId], at: &Element) -> Fallible<ExprId> {
        let value = self.first(e, arguments, at)?;
        let Type::Complex { bytes } = self.type_of(value) else {
            return refuse("a part of a value that is not complex");
        };
        if name.ends_with("conjg") {
            return Ok(self.build().call(Intrinsic::Conjugate, vec![value]));
        }
        Ok(self.add(
            Expr::Intrinsic(Intrinsic::ImaginaryPart, vec![value]),
            Type::Real { bytes },
        ))
    }

    /// The type of an argument whose value does not matter.
    fn type_of_first(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<Type> {
        match self.argument_of(e, arguments, 0, "x") {
            Some(argument) => self.element_type(argument),
            None => refuse("a function without its argument"),
        }
    }

    fn limit(&mut self, e: Syn, name: &str, arguments: &[NodeId]) -> Fallible<ExprId> {
        let function = match name {
            "huge" => Intrinsic::Huge,
            "tiny" => Intrinsic::Tiny,
            _ => Intrinsic::Epsilon,
        };
        let ty = self.type_of_first(e, arguments)?;
        if !(ty.is_real() || (ty.is_integer() && function == Intrinsic::Huge)) {
            return refuse("a limit of a value that is not real");
        }
        let mut b = self.build();
        let zero = b.zero(ty);
        Ok(b.call(function, vec![zero]))
    }

    fn inquiry(&mut self, e: Syn, name: &str, arguments: &[NodeId]) -> Fallible<ExprId> {
        if let Some(value) = self.program.integer_of(self.scope, e.tree, e.node, 0) {
            return Ok(self.int(value));
        }
        let ty = self.type_of_first(e, arguments)?;
        let value = match (name, ty) {
            ("kind", Type::Real { bytes } | Type::Integer { bytes, .. }) => bytes.into(),
            ("kind", Type::Complex { bytes } | Type::Logical { bytes }) => bytes.into(),
            ("digits", Type::Real { bytes: 4 }) => 24,
            ("digits", Type::Real { bytes: 8 }) => 53,
            ("precision", Type::Real { bytes: 4 }) => 6,
            ("precision", Type::Real { bytes: 8 }) => 15,
            ("range", Type::Real { bytes: 4 }) => 37,
            ("range", Type::Real { bytes: 8 }) => 307,
            ("range", Type::Integer { bytes: 4, .. }) => 9,
            ("radix", Type::Real { .. } | Type::Integer { .. }) => 2,
            ("maxexponent", Type::Real { bytes: 4 }) => 128,
            ("maxexponent", Type::Real { bytes: 8 }) => 1024,
            ("minexponent", Type::Real { bytes: 4 }) => -125,
            ("minexponent", Type::Real { bytes: 8 }) => -1021,
            _ => return refuse(format!("the function `{name}`")),
        };
        Ok(self.int(value))
    }

    /// `associated(pointer, target)`
    fn association_with(&mut self, pointer: Syn, target: Syn) -> Fallible<ExprId> {
        let pointer = self.place(pointer, &[])?;
        if self.allocation_of(&pointer.access) != Allocation::Pointer {
            return refuse("`associated` of what is no pointer");
        }
        let target = match *target.tree.syntax(target.node) {
            Syntax::Keyword(_, value) => Syn {
                node: value,
                ..target
            },
            _ => target,
        };
        let target = self.place(target, &[])?;
        if pointer.ty != target.ty || pointer.rank != target.rank {
            return refuse("`associated` with a target of another type or rank");
        }
        let is_optional = |access: &Access| self.variable(access.var).optional;
        if is_optional(&pointer.access) || is_optional(&target.access) {
            return refuse("the state of an argument that may be absent");
        }
        let (pointer, target) = (pointer.access, target.access);
        Ok(self.add(Expr::Associated { pointer, target }, Type::LOGICAL))
    }

    fn presence(&mut self, name: &str, e: Syn, arguments: &[NodeId]) -> Fallible<ExprId> {
        let whole = e;
        if name == "associated"
            && let Some(&pointer) = arguments.first()
        {
            let to = arguments.get(1).map(|&node| e.tree.text(node));
            if let Some(told) = self.is_pointed(e.tree.text(pointer), to)? {
                return Ok(told);
            }
        }
        let node = match arguments {
            [node] => node,
            [pointer, target] if name == "associated" => {
                let pointer = Syn {
                    tree: e.tree,
                    node: *pointer,
                };
                let target = Syn {
                    tree: e.tree,
                    node: *target,
                };
                return self.association_with(pointer, target);
            }
            _ => return refuse("a question about memory that is not understood"),
        };
        let e = Syn {
            tree: e.tree,
            node: *node,
        };
        if *e.tree.syntax(e.node) == Syntax::Name {
            let var = self.named(e.tree.text(e.node))?;
            if self.variable(var).ty == Type::Procedure {
                return Ok(self.add(Expr::Present(Access::whole(var)), Type::LOGICAL));
            }
        }
        if name == "allocated"
            && let Some((holder, variants)) = self.class_component(e)?
        {
            return Ok(self.is_any_variant(&holder, &variants));
        }
        let access = self.place(e, &[])?.access;
        if name != "present" && access.path.is_empty() && self.variable(access.var).optional {
            // To ask whether it is present is another question.
            return self.quoted(whole, Type::LOGICAL);
        }
        Ok(self.add(Expr::Present(access), Type::LOGICAL))
    }

    fn test(
        &mut self,
        function: Intrinsic,
        e: Syn,
        arguments: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        let value = self.first(e, arguments, at)?;
        if !self.type_of(value).is_real() {
            return refuse("a test of a value that is not real");
        }
        Ok(self.add(Expr::Intrinsic(function, vec![value]), Type::LOGICAL))
    }

    fn transformational(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        if name == "transpose" {
            let [i, j] = at else {
                return refuse("a transposed matrix where one value is wanted");
            };
            let Some(matrix) = self.argument_of(e, arguments, 0, "matrix") else {
                return refuse("`transpose` of nothing");
            };
            return self.value(matrix, &[*j, *i]);
        }
        let is_scalar = at.is_empty() && self.transformational_rank(e, name, arguments)? == 0;
        let found = match name {
            _ if !is_scalar => None,
            "norm2" => Some(self.norm(e, arguments)?),
            _ if Self::is_locating(name) => Some(self.located(e, name, arguments)?),
            _ => None,
        };
        if let Some(super::Hoisted::Scalar(var)) = found {
            return Ok(self.load(var));
        }
        if self.transformational_rank(e, name, arguments)? > 0 || !at.is_empty() {
            return refuse(format!("the array intrinsic `{name}`"));
        }
        self.reduced(e, name, arguments)
    }
}
