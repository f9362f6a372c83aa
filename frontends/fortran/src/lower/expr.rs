//! Expressions: names resolved, types made equal, calls taken out.

use super::{Element, Fallible, Hoisted, Lowerer, Syn, refuse};
use crate::cst::Syntax;
use crate::declare::scope::{ExprRef, What};
use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Intrinsic, Type, UnaryOp};
use std::collections::HashMap;

/// What a name followed by parentheses is.
pub(super) enum Applied {
    /// An element or a section.
    Array,
    /// A part of a character.
    Substring,
    /// A function of the program.
    Function,
    /// A statement function.
    Statement(Vec<String>, ExprRef, usize),
    /// A function of the language.
    Intrinsic,
    /// A structure constructor.
    Constructor,
}

impl Lowerer<'_> {
    /// The value of a scalar expression.
    pub(super) fn scalar(&mut self, e: Syn) -> Fallible<ExprId> {
        self.value(e, &[])
    }

    /// The value of an expression at an element of the loop nest around it.
    pub(super) fn value(&mut self, e: Syn, at: &Element) -> Fallible<ExprId> {
        let span = std::mem::replace(&mut self.span, e.tree.span(e.node));
        let result = self.deeper(|lowerer| lowerer.value_here(e, at));
        self.span = span;
        result
    }

    /// `z%re` and `z%im` of a complex number: the function that gives the part, and its type.
    pub(super) fn complex_part(&mut self, base: Syn, name: &str) -> Option<(Intrinsic, Type)> {
        let part = match name {
            "re" => Intrinsic::RealPart,
            "im" => Intrinsic::ImaginaryPart,
            _ => return None,
        };
        match self.designator_type(base) {
            Ok(Type::Complex { bytes }) => Some((part, Type::Real { bytes })),
            _ => None,
        }
    }

    fn value_here(&mut self, e: Syn, at: &Element) -> Fallible<ExprId> {
        let tree = e.tree;
        let sub = |node| Syn { tree, node };
        if let Some(hoisted) = self.hoisted_value(e, at)? {
            return Ok(hoisted);
        }
        match tree.syntax(e.node) {
            Syntax::Integer => self.integer_literal(e),
            Syntax::Real => self.real_literal(e),
            Syntax::Text => self.text_literal(e),
            Syntax::Logical(value) => Ok(self.add(Expr::Logical(*value), Type::LOGICAL)),
            Syntax::Parenthesized(inner) => self.value(sub(*inner), at),
            Syntax::Unary(..) | Syntax::Binary(..) | Syntax::Defined(_)
                if let Some(call) = self.operation_call(e)? =>
            {
                self.function_call(e, &call, at)
            }
            Syntax::Unary(op, operand) => {
                let operand = self.value(sub(*operand), at)?;
                self.unary(*op, operand)
            }
            Syntax::Binary(op, left, right) => {
                let left = self.value(sub(*left), at)?;
                let right = self.value(sub(*right), at)?;
                let value = self.binary(*op, left, right)?;
                let compares_text = op.is_comparison() && self.type_of(left) == Type::Character;
                Ok(if compares_text {
                    self.settled(value)
                } else {
                    value
                })
            }
            Syntax::Complex(re, im) => {
                let re = self.value(sub(*re), at)?;
                let im = self.value(sub(*im), at)?;
                self.complex(re, Some(im), None)
            }
            Syntax::Name => self.name(e, at),
            Syntax::Apply(base, arguments) => self.apply(e, *base, arguments, at),
            Syntax::Member(base, name) => {
                let name = tree.statement.part(*name);
                let Some((part, ty)) = self.complex_part(sub(*base), name) else {
                    return self.load_place(e, at);
                };
                let whole = self.value(sub(*base), at)?;
                Ok(self.add(Expr::Intrinsic(part, vec![whole]), ty))
            }
            Syntax::Array(..) if !at.is_empty() => refuse("a list of values inside an expression"),
            Syntax::Boz => refuse("a bit pattern"),
            _ => refuse("a construct that is not read"),
        }
    }

    fn hoisted_value(&mut self, e: Syn, at: &Element) -> Fallible<Option<ExprId>> {
        if self.hoisted.is_empty() {
            return Ok(None);
        }
        let key = (std::ptr::from_ref(e.tree) as usize, e.node);
        match self.hoisted.get(&key).copied() {
            None => Ok(None),
            Some(Hoisted::Scalar(var)) => Ok(Some(self.load(var))),
            Some(Hoisted::Array(var)) => {
                let mut subscripts = Vec::new();
                for (position, dim) in at.iter().enumerate() {
                    let first = match self.memories.contains(&var) {
                        true => self.lower_bound(&Access::whole(var), position)?,
                        false => self.int(1),
                    };
                    subscripts.push(self.shifted(first, None, dim));
                }
                Ok(Some(self.build().load_element(var, subscripts)))
            }
        }
    }

    fn name(&mut self, e: Syn, at: &Element) -> Fallible<ExprId> {
        let name = e.tree.text(e.node);
        if let Some(scope) = self.substitutions.last()
            && let Some(&value) = scope.get(name)
        {
            return Ok(value);
        }
        if let Some(value) = self.given_constant(name) {
            return Ok(value);
        }
        self.load_place(e, at)
    }

    /// The value of a designator.
    fn load_place(&mut self, e: Syn, at: &Element) -> Fallible<ExprId> {
        let place = self.place(e, at)?;
        if place.rank > 0 {
            return refuse("a whole array stands where one value is wanted");
        }
        if place.ty == Type::Procedure || place.ty == Type::Unknown {
            return refuse("the type of a name is not known");
        }
        Ok(self.add(Expr::Load(place.access), place.ty))
    }

    /// What `name(…)` is here.
    pub(super) fn applied(&self, name: &str) -> Applied {
        if self.association(name).is_some() {
            return Applied::Array;
        }
        let Some(found) = self.program.find(self.scope, name) else {
            return if Self::is_intrinsic(name) {
                Applied::Intrinsic
            } else {
                Applied::Function
            };
        };
        let symbol = found.symbol;
        if !symbol.dims.is_empty() {
            return Applied::Array;
        }
        match &symbol.what {
            What::StatementFunction(arguments, value) => {
                Applied::Statement(arguments.clone(), value.clone(), found.scope)
            }
            What::Procedure(_) => Applied::Function,
            What::Generic => Applied::Function,
            What::Type(_) => Applied::Constructor,
            What::Namelist(_) | What::Other => Applied::Function,
            What::Entity => {
                let is_own_result = self.is_own_result(found.scope, name);
                let is_character = self.is_character(&found, name);
                if symbol.is_intrinsic {
                    Applied::Intrinsic
                } else if symbol.is_external || symbol.argument.is_some() && !is_character {
                    Applied::Function
                } else if is_own_result && is_character {
                    Applied::Substring
                } else if Self::is_intrinsic(name) && !is_own_result {
                    Applied::Intrinsic
                } else if is_character && !self.program.externals.contains_key(name) {
                    Applied::Substring
                } else {
                    Applied::Function
                }
            }
        }
    }

    fn is_character(&self, found: &crate::declare::resolve::Found, name: &str) -> bool {
        use crate::declare::scope::Base;
        match &found.symbol.ty {
            Some(ty) => ty.base == Base::Character,
            None => self
                .program
                .implicit_type(found.scope, name)
                .is_some_and(|ty| ty.base == Base::Character),
        }
    }

    fn apply(
        &mut self,
        e: Syn,
        base: crate::cst::NodeId,
        arguments: &[crate::cst::NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        let tree = e.tree;
        if let Some(call) = self.invocation(e)? {
            return self.function_call(e, &call, at);
        }
        if *tree.syntax(base) != Syntax::Name {
            if self.is_substring(e) {
                return self.quoted(e, Type::Character);
            }
            return self.load_place(e, at);
        }
        let name = tree.text(base);
        match self.applied(name) {
            Applied::Array => self.load_place(e, at),
            Applied::Substring => self.quoted(e, Type::Character),
            Applied::Statement(names, value, scope) => {
                self.statement_function(e, arguments, &names, &value, scope, at)
            }
            Applied::Intrinsic | Applied::Function => self.intrinsic(e, name, arguments, at),
            Applied::Constructor => self.constructed(e, name, arguments, at),
        }
    }

    /// Whether it is a part of an array's element, or of a component, that is a character.
    pub(super) fn is_substring(&mut self, e: Syn) -> bool {
        let Syntax::Apply(base, arguments) = e.tree.syntax(e.node) else {
            return false;
        };
        let [range] = arguments.as_slice() else {
            return false;
        };
        let is_part = matches!(e.tree.syntax(*range), Syntax::Range(_, _, None));
        let base = Syn {
            tree: e.tree,
            node: *base,
        };
        is_part
            && *e.tree.syntax(base.node) != Syntax::Name
            && self.element_type(base) == Ok(Type::Character)
            && self.rank(base) == Ok(0)
    }

    /// The value of a statement function with its arguments put in.
    fn statement_function(
        &mut self,
        e: Syn,
        arguments: &[crate::cst::NodeId],
        names: &[String],
        value: &ExprRef,
        scope: usize,
        at: &Element,
    ) -> Fallible<ExprId> {
        if arguments.len() != names.len() || self.substitutions.len() > 50 {
            return refuse("a statement function with the wrong arguments");
        }
        let mut map = HashMap::new();
        for (name, &node) in names.iter().zip(arguments) {
            let actual = self.value(Syn { tree: e.tree, node }, at)?;
            let ty = self.declared_type(scope, name)?;
            let actual = self.converted(actual, ty)?;
            map.insert(name.clone(), actual);
        }
        self.substitutions.push(map);
        let hidden = std::mem::take(&mut self.associations);
        let here = std::mem::replace(&mut self.scope, scope);
        let tree = value.tree.clone();
        let result = self.scalar(Syn {
            tree: &tree,
            node: value.node,
        });
        self.scope = here;
        self.associations = hidden;
        self.substitutions.pop();
        let ty = self.declared_type(scope, e.tree.text(self.base_of(e)))?;
        self.converted(result?, ty)
    }

    fn base_of(&self, e: Syn) -> crate::cst::NodeId {
        match e.tree.syntax(e.node) {
            Syntax::Apply(base, _) => *base,
            _ => e.node,
        }
    }

    /// The declared or implicit type of a name.
    pub(super) fn declared_type(&self, scope: usize, name: &str) -> Fallible<Type> {
        let found = self.program.find(scope, name);
        let declared = found.as_ref().and_then(|found| found.symbol.ty.clone());
        let ty = declared.or_else(|| self.program.implicit_type(scope, name));
        let at = found.map_or(scope, |found| found.scope);
        match ty.and_then(|ty| self.program.resolve_type(at, &ty, 0)) {
            Some(ty) => Ok(ty),
            None => self.untyped(scope, name),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Fallible<ExprId> {
        let ty = self.type_of(operand);
        let fits = match op {
            UnaryOp::Not => matches!(ty, Type::Logical { .. }),
            _ => ty.is_numeric(),
        };
        if !fits {
            return refuse("an operator that does not fit its operand");
        }
        if op == UnaryOp::Plus {
            return Ok(operand);
        }
        Ok(self.add(Expr::Unary(op, operand), ty))
    }

    /// An operation whose operands get one type.
    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Fallible<ExprId> {
        let (left, right) = (self.type_of(a), self.type_of(b));
        if op == BinaryOp::Concatenate {
            return match (left, right) {
                (Type::Character, Type::Character) => {
                    Ok(self.add(Expr::Binary(op, a, b), Type::Character))
                }
                _ => refuse("`//` of values that are no characters"),
            };
        }
        if op.is_logical() {
            return self.logical(op, a, b);
        }
        if op.is_comparison() && left == Type::Character && right == Type::Character {
            return Ok(self.add(Expr::Binary(op, a, b), Type::LOGICAL));
        }
        if op == BinaryOp::Power && right.is_integer() && left.is_numeric() {
            return Ok(self.add(Expr::Binary(op, a, b), left));
        }
        let Some(ty) = common_type(left, right) else {
            return refuse("an operator that does not fit its operands");
        };
        let a = self.converted(a, ty)?;
        let b = self.converted(b, ty)?;
        let result = if op.is_comparison() {
            Type::LOGICAL
        } else {
            ty
        };
        Ok(self.add(Expr::Binary(op, a, b), result))
    }

    fn logical(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Fallible<ExprId> {
        match (self.type_of(a), self.type_of(b)) {
            (Type::Logical { bytes: x }, Type::Logical { bytes: y }) => {
                let ty = Type::Logical { bytes: x.max(y) };
                let a = self.converted(a, ty)?;
                let b = self.converted(b, ty)?;
                Ok(self.add(Expr::Binary(op, a, b), ty))
            }
            _ => refuse("a logical operator of values that are no truth values"),
        }
    }

    /// A complex number of real or integer parts.
    pub(super) fn complex(
        &mut self,
        re: ExprId,
        im: Option<ExprId>,
        kind: Option<u8>,
    ) -> Fallible<ExprId> {
        let width = |ty: Type| match ty {
            Type::Real { bytes } => bytes,
            _ => 4,
        };
        let both = width(self.type_of(re)).max(im.map_or(4, |im| width(self.type_of(im))));
        let bytes = kind.unwrap_or(both);
        let part = Type::Real { bytes };
        let re = self.converted(re, part)?;
        let im = match im {
            Some(im) => self.converted(im, part)?,
            None => self.add(Expr::Real("0.0".to_owned()), part),
        };
        Ok(self.add(
            Expr::Intrinsic(Intrinsic::Complex, vec![re, im]),
            Type::Complex { bytes },
        ))
    }

    /// Text that is not taken apart, with what it reads.
    pub(super) fn quoted(&mut self, e: Syn, ty: Type) -> Fallible<ExprId> {
        if !self.substitutions.is_empty() {
            return refuse("quoted text inside a statement function");
        }
        let text = e.tree.statement.readable_part(e.tree.node(e.node).slice);
        self.quotes(&text);
        let reads = self.names_below(e).into_iter().map(Access::whole).collect();
        let quoted = self.add(Expr::Opaque { text, reads }, ty);
        Ok(if ty == Type::Character {
            quoted
        } else {
            self.settled(quoted)
        })
    }

    /// A number or a truth value that comes out of characters or quoted text, kept in a variable of
    /// its own where what it is made of may change: nothing later has to ask for it again.
    pub(super) fn settled(&mut self, value: ExprId) -> ExprId {
        if self.in_declaration || !self.may_change(value) {
            return value;
        }
        let ty = self.type_of(value);
        let kept = self.temporary("found", ty);
        let repeats = self.enclosing.iter().any(|around| around.is_loop);
        if matches!(ty, Type::Logical { .. }) && (repeats || !self.goto_targets.is_empty()) {
            // A backward sweep may put back what it held before the first pass.
            let nothing = self.add(Expr::Logical(false), ty);
            let cleared = self.build().assign(Access::whole(kept), nothing);
            self.entry.push(cleared);
        }
        let assigned = self.build().assign(Access::whole(kept), value);
        self.out.push(assigned);
        self.load(kept)
    }

    /// Whether the procedure may write what an expression reads. What may be absent is not asked
    /// ahead of its condition.
    pub(super) fn may_change(&self, value: ExprId) -> bool {
        let reads = self.procedure.reads_of_expr(value);
        let variables = reads.iter().map(|access| self.variable(access.var));
        let is_kept = |variable: &contraflow_ir::Variable| {
            variable.is_constant()
                || variable.intent == contraflow_ir::Intent::In
                || variable.is_argument() && !self.is_written(&variable.name.to_ascii_lowercase())
        };
        let variables: Vec<_> = variables.collect();
        !variables.iter().any(|variable| variable.optional)
            && variables.iter().any(|variable| !is_kept(variable))
    }
}

/// The type in which two numbers meet.
pub(super) fn common_type(a: Type, b: Type) -> Option<Type> {
    use Type::{Complex, Integer, Real};
    Some(match (a, b) {
        (
            Integer {
                bytes: x,
                signed: p,
            },
            Integer {
                bytes: y,
                signed: q,
            },
        ) => Integer {
            bytes: x.max(y),
            signed: p && q,
        },
        (Real { bytes: x }, Real { bytes: y }) => Real { bytes: x.max(y) },
        (Integer { .. }, Real { .. } | Complex { .. }) => b,
        (Real { .. } | Complex { .. }, Integer { .. }) => a,
        (Complex { bytes: x }, Real { bytes: y } | Complex { bytes: y })
        | (Real { bytes: x }, Complex { bytes: y }) => Complex { bytes: x.max(y) },
        _ => return None,
    })
}
