//! Calls: of the library, of the user's functions, of procedure variables.

use super::library::{
    LONG_JUMP, Library, input_or_output, is_long_jump, is_printing, is_terminating, library,
    parting,
};
use super::table::Table;
use super::{Body, Lowered, Value};
use crate::cst::{CallExpression, Expression, Node};
use crate::declare::{CType, FunctionType, Symbol};
use contraflow_ir::{
    Access, Argument, BinaryOp, Callee, Expr, ExprId, Intrinsic, Stmt, Type, VarId,
};
use std::rc::Rc;

/// Whom a call calls.
enum Called<'a> {
    Library(Library, u8),
    Function(usize),
    Variable(VarId, Rc<FunctionType<'a>>),
    Table(Table<'a>),
}

impl<'u, 'a> Body<'u, 'a> {
    fn called(&mut self, call: &'a CallExpression) -> Lowered<Called<'a>> {
        if let Expression::Identifier(name) = &call.callee.node {
            let name = name.node.name.as_str();
            let known = self.unit.lookup(name).cloned();
            let is_library = match known {
                None => true,
                Some(Symbol::Function(index)) => !self.unit.functions[index].is_user,
                _ => false,
            };
            if is_library && let Some((function, bytes)) = library(name) {
                return Ok(Called::Library(function, bytes));
            }
            if known.is_none() {
                return Ok(Called::Function(self.unit.declare_implicitly(name)));
            }
        }
        if let Some(table) = self.table(&call.callee) {
            return Ok(Called::Table(table));
        }
        match self.value(&call.callee)? {
            Value::Function(index) => Ok(Called::Function(index)),
            Value::Procedure(access, ty) => match ty.function() {
                Some(function) => {
                    let var = self.held_function(access, ty)?;
                    Ok(Called::Variable(var, function))
                }
                None => self.unsupported("a call of something that is no function"),
            },
            _ => self.unsupported("a call through an expression"),
        }
    }

    /// The type of a call's value, if a procedure is called that gives a number.
    pub fn call_result_type(&mut self, call: &'a CallExpression) -> Option<Type> {
        let Expression::Identifier(name) = &call.callee.node else {
            return None;
        };
        if self.special(call).is_some() {
            return None;
        }
        match self.unit.lookup(&name.node.name)? {
            Symbol::Function(index) => {
                let function = &self.unit.functions[*index];
                let is_library = !function.is_user && library(function.name).is_some();
                match is_library {
                    true => None,
                    false => function.ty.result.scalar(),
                }
            }
            _ => None,
        }
    }

    /// The name of a library function that is no ordinary call.
    fn special(&self, call: &'a CallExpression) -> Option<&'a str> {
        let Expression::Identifier(name) = &call.callee.node else {
            return None;
        };
        let name = name.node.name.as_str();
        let is_user = match self.unit.lookup(name) {
            Some(&Symbol::Function(index)) => self.unit.functions[index].is_user,
            Some(_) => true,
            None => false,
        };
        (!is_user).then_some(name)
    }

    /// A call whose value is used.
    pub fn call_value(&mut self, call: &'a CallExpression) -> Lowered<Value<'a>> {
        match self.special(call) {
            Some("__builtin_tgmath") => return self.type_generic(&call.arguments),
            Some("__builtin_expect" | "__builtin_expect_with_probability")
                if !call.arguments.is_empty() =>
            {
                return self.value(&call.arguments[0]);
            }
            Some("__builtin_assume_aligned") if !call.arguments.is_empty() => {
                return self.value(&call.arguments[0]);
            }
            Some("__builtin_choose_expr") if call.arguments.len() == 3 => {
                return match self.unit.constant(&call.arguments[0]) {
                    Some(0) => self.value(&call.arguments[2]),
                    Some(_) => self.value(&call.arguments[1]),
                    None => self.unsupported("a choice by something that is no constant"),
                };
            }
            Some("__builtin_constant_p") => {
                return Ok(Value::Scalar(self.int(0)));
            }
            Some(name) if is_long_jump(name) => return self.unsupported(LONG_JUMP),
            Some(name) if is_terminating(name) => {
                self.quote_end();
                return Ok(Value::Void);
            }
            Some(name) if is_printing(name) => {
                return self.unsupported("the value of a call that prints");
            }
            Some(name) if let Some((function, bytes)) = parting(name) => {
                return self.parting_value(function, bytes, &call.arguments);
            }
            _ => {}
        }
        match self.called(call)? {
            Called::Library(function, bytes) => self
                .library_value(function, bytes, &call.arguments)
                .map(Value::Scalar),
            Called::Function(index) => self.call_function(index, call),
            Called::Table(table) => self.call_table(&table, call),
            Called::Variable(var, ty) => {
                let name = self.procedure.variables[var].name.clone();
                self.called_value(&name, Callee::Variable(var), &ty, &call.arguments)
            }
        }
    }

    /// A call of one of the unit's functions; its value.
    pub fn call_function(&mut self, index: usize, call: &'a CallExpression) -> Lowered<Value<'a>> {
        let ty = self.unit.functions[index].ty.clone();
        let name = self.unit.functions[index].name;
        let callee = self.callee(index, call.arguments.len())?;
        self.called_value(name, callee, &ty, &call.arguments)
    }

    fn called_value(
        &mut self,
        name: &str,
        callee: Callee,
        ty: &FunctionType<'a>,
        arguments: &'a [Node<Expression>],
    ) -> Lowered<Value<'a>> {
        let gives_address = ty.result.is_pointer();
        // Files stay in text that is quoted.
        let is_file = matches!(&callee, Callee::External(name) if input_or_output(name).is_some());
        if gives_address && is_file {
            return self.unsupported("a call that gives an address");
        }
        let arguments = self.arguments(ty, arguments)?;
        let result = match &ty.result {
            CType::Void => None,
            _ => {
                let var = self.local_variable(
                    &format!("{name}_value"),
                    "",
                    ty.result.clone(),
                    super::Representation::Plain,
                )?;
                if gives_address {
                    self.procedure.variables[var].aliasing = contraflow_ir::Aliasing::May;
                }
                Some(var)
            }
        };
        self.emit(Stmt::Call {
            callee,
            arguments,
            result: result.map(Access::whole),
        });
        if gives_address && self.is_users(name) && !self.is_defined(name) {
            self.name_all_globals();
        }
        match result {
            None => Ok(Value::Void),
            Some(var) => self.load_place(super::Place::whole(var, ty.result.clone())),
        }
    }

    /// A call whose value goes straight to `target`.
    pub fn call_into(&mut self, call: &'a CallExpression, target: Access) -> Lowered<()> {
        let Called::Function(index) = self.called(call)? else {
            return self.unsupported("a call");
        };
        let ty = self.unit.functions[index].ty.clone();
        let callee = self.callee(index, call.arguments.len())?;
        let arguments = self.arguments(&ty, &call.arguments)?;
        self.emit(Stmt::Call {
            callee,
            arguments,
            result: Some(target),
        });
        Ok(())
    }

    /// A call as a statement.
    pub fn call_for_effect(&mut self, call: &'a CallExpression) -> Lowered<()> {
        match self.special(call) {
            Some(name) if is_long_jump(name) => return self.unsupported(LONG_JUMP),
            Some(name) if is_terminating(name) => {
                self.quote_end();
                return Ok(());
            }
            Some(name) if is_printing(name) => return self.unsupported("print"),
            Some(name) if let Some((function, bytes)) = parting(name) => {
                return self
                    .parting_value(function, bytes, &call.arguments)
                    .map(drop);
            }
            Some("free") => return self.free(call),
            Some("memset") => return self.memset(call),
            Some("memcpy" | "memmove" | "strcpy" | "__builtin_memcpy")
                if call
                    .arguments
                    .get(1)
                    .and_then(Self::literal_bytes)
                    .is_some() =>
            {
                return match self.copy_text(call)? {
                    Some(()) => Ok(()),
                    None => self.unsupported("a copy of a string"),
                };
            }
            Some("memcpy" | "memmove" | "__builtin_memcpy") => return self.memcpy(call),
            _ => {}
        }
        match self.called(call)? {
            Called::Library(..) => {
                for argument in &call.arguments {
                    self.effects(argument)?;
                }
                Ok(())
            }
            Called::Function(index) => {
                let ty = self.unit.functions[index].ty.clone();
                let callee = self.callee(index, call.arguments.len())?;
                let arguments = self.arguments(&ty, &call.arguments)?;
                self.emit(Stmt::Call {
                    callee,
                    arguments,
                    result: None,
                });
                Ok(())
            }
            Called::Table(table) => self.call_table(&table, call).map(drop),
            Called::Variable(var, ty) => {
                let arguments = self.arguments(&ty, &call.arguments)?;
                self.emit(Stmt::Call {
                    callee: Callee::Variable(var),
                    arguments,
                    result: None,
                });
                Ok(())
            }
        }
    }

    /// An address that a function of another file gives may be that of any variable: all of them are
    /// names of the procedure, so that what is written through it is known to reach them.
    fn name_all_globals(&mut self) {
        for index in 0..self.unit.globals.len() {
            if !self.unit.globals[index].is_const {
                // Those of the system's headers have no name here.
                let _ = self.global_variable(index);
            }
        }
    }

    /// Whether a function of this name is defined in the unit.
    fn is_defined(&self, name: &str) -> bool {
        match self.unit.lookup(name) {
            Some(&Symbol::Function(index)) => self.unit.functions[index].definition.is_some(),
            _ => true,
        }
    }

    fn callee(&mut self, index: usize, given: usize) -> Lowered<Callee> {
        let function = &self.unit.functions[index];
        let formals = function.ty.parameters.len();
        let is_unprototyped = formals == 0 && function.ty.variadic && function.definition.is_none();
        if !function.is_user || is_unprototyped && given > 0 {
            return Ok(Callee::External(function.name.to_owned()));
        }
        if function.ty.variadic && given > formals {
            return self.unsupported("a call with a variable number of arguments");
        }
        Ok(Callee::Procedure(self.procedure_of(index)))
    }

    fn arguments(
        &mut self,
        ty: &FunctionType<'a>,
        given: &'a [Node<Expression>],
    ) -> Lowered<Vec<Argument>> {
        if given.len() < ty.parameters.len() || given.len() > ty.parameters.len() && !ty.variadic {
            return self.unsupported("a call with another number of arguments than declared");
        }
        let mut arguments = Vec::with_capacity(given.len());
        for (index, node) in given.iter().enumerate() {
            let formal = ty
                .parameters
                .get(index)
                .map(|parameter| parameter.ty.clone());
            let value = self.value(node)?;
            arguments.push(self.argument(formal, value)?);
        }
        Ok(arguments)
    }

    pub fn argument(&mut self, formal: Option<CType<'a>>, value: Value<'a>) -> Lowered<Argument> {
        Ok(match value {
            Value::Scalar(e) => match formal {
                Some(CType::Scalar(ty)) => Argument::Value(self.converted(e, ty)?),
                Some(CType::Pointer { .. })
                    if matches!(self.procedure.expr(e), Expr::Integer(0)) =>
                {
                    Argument::Absent
                }
                Some(CType::Pointer { .. }) if self.type_of(e) != Type::Character => {
                    return self.unsupported("a number where an address is wanted");
                }
                Some(_) => Argument::Value(e),
                None => {
                    let ty = match self.type_of(e) {
                        Type::Real { bytes: 4 } => Type::REAL8,
                        other => super::operator::promoted(other),
                    };
                    Argument::Value(self.convert(e, ty))
                }
            },
            Value::Pointer(pointer) => {
                if matches!(formal, Some(CType::Scalar(_) | CType::Record(_))) {
                    return self.unsupported("an address where a number is wanted");
                }
                Argument::Place(self.passed(pointer)?)
            }
            Value::Record(place) => {
                let ty = self.unit.ir_type(&place.ty);
                let access = self.finished(place)?;
                Argument::Value(self.expr(Expr::Load(access), ty))
            }
            Value::Null => Argument::Absent,
            Value::Address(access) => match formal {
                Some(CType::Pointer { target, .. })
                    if self.unit.is_typed_pointer(&(*target).clone().pointed()) =>
                {
                    let target = (*target).clone();
                    let held = self.held_pointer("cast", target, Value::Address(access))?;
                    Argument::Place(self.passed(held)?)
                }
                _ => {
                    let value = self.expr(Expr::Load(access), Type::Address);
                    Argument::Value(value)
                }
            },
            Value::Function(index) => Argument::Procedure(self.procedure_of(index)),
            Value::Procedure(access, _) => Argument::Place(access),
            Value::Void => return self.unsupported("an argument without a value"),
        })
    }

    /// A function of the library as an expression.
    fn library_value(
        &mut self,
        function: Library,
        bytes: u8,
        given: &'a [Node<Expression>],
    ) -> Lowered<ExprId> {
        let real = Type::Real { bytes };
        let complex = Type::Complex { bytes };
        if let Library::Named(text) = function {
            return Ok(self.expr(
                Expr::Opaque {
                    text: text.to_owned(),
                    reads: Vec::new(),
                },
                real,
            ));
        }
        let mut arguments = Vec::with_capacity(given.len());
        for node in given {
            arguments.push(self.scalar(node)?);
        }
        match (function, arguments.as_slice()) {
            (Library::Real(f), given) if f.arity().contains(&given.len()) => {
                self.intrinsic(f, &arguments, real, real)
            }
            (Library::Complex(f), [_]) => self.intrinsic(f, &arguments, complex, complex),
            (Library::ComplexPart(f), [_]) => self.intrinsic(f, &arguments, complex, real),
            (Library::Power, &[base, exponent]) => {
                let base = self.converted(base, real)?;
                let exponent = match self.type_of(exponent).is_integer() {
                    true => exponent,
                    false => self.converted(exponent, real)?,
                };
                Ok(self.expr(Expr::Binary(BinaryOp::Power, base, exponent), real))
            }
            (Library::ComplexPower, &[base, exponent]) => {
                let (base, exponent) = (
                    self.converted(base, complex)?,
                    self.converted(exponent, complex)?,
                );
                Ok(self.expr(Expr::Binary(BinaryOp::Power, base, exponent), complex))
            }
            (Library::Remainder, &[a, b]) => {
                let (a, b) = (self.converted(a, real)?, self.converted(b, real)?);
                Ok(self.expr(Expr::Binary(BinaryOp::Remainder, a, b), real))
            }
            (Library::Scale, &[x, n]) => {
                let x = self.converted(x, real)?;
                let n = self.whole_number(n)?;
                Ok(self.expr(Expr::Intrinsic(Intrinsic::Scale, vec![x, n]), real))
            }
            (Library::IntegerAbs(bytes), [_]) => {
                let ty = Type::Integer {
                    bytes,
                    signed: true,
                };
                self.intrinsic(Intrinsic::Abs, &arguments, ty, ty)
            }
            (Library::ToInteger(f, width), [_]) => {
                let ty = Type::Integer {
                    bytes: width,
                    signed: true,
                };
                self.intrinsic(f, &arguments, real, ty)
            }
            (Library::Test(f), &[x]) => {
                let ty = match self.type_of(x) {
                    ty @ Type::Real { .. } => ty,
                    _ => Type::REAL8,
                };
                self.intrinsic(f, &arguments, ty, Type::LOGICAL)
            }
            _ => self.unsupported("a library function with another number of arguments"),
        }
    }

    /// What `tgmath.h` makes of `sin(x)`: `__builtin_tgmath(sinf, sin, sinl, csinf, csin, csinl, x)`.
    fn type_generic(&mut self, given: &'a [Node<Expression>]) -> Lowered<Value<'a>> {
        let (name, bytes, arguments) = self.type_generic_function(given)?;
        match library(name) {
            Some((function, _)) => self
                .library_value(function, bytes, arguments)
                .map(Value::Scalar),
            None => self.unsupported("a type-generic call"),
        }
    }

    /// The function that a type-generic call means, the width of its type, and the arguments.
    pub fn type_generic_function(
        &mut self,
        given: &'a [Node<Expression>],
    ) -> Lowered<(&'a str, u8, &'a [Node<Expression>])> {
        let is_function = |body: &Self, node: &Node<Expression>| {
            super::facts::identifier(node)
                .is_some_and(|name| matches!(body.unit.lookup(name), Some(Symbol::Function(_))))
        };
        let functions = given
            .iter()
            .take_while(|node| is_function(self, node))
            .count();
        let (functions, arguments) = given.split_at(functions);
        let mut ty = Type::INT;
        for node in arguments {
            let Some(argument) = self.type_of_expression(node).and_then(|ty| ty.scalar()) else {
                return self.unsupported("a type-generic call");
            };
            ty = super::operator::common_type(ty, argument);
        }
        let (of_complex, bytes) = match ty {
            Type::Complex { bytes } => (true, bytes),
            Type::Real { bytes } => (false, bytes),
            _ => (false, 8),
        };
        let of_reals = functions.get(1);
        let chosen = match of_complex {
            true => functions.get(4).or(of_reals),
            false => of_reals,
        };
        match chosen.and_then(super::facts::identifier) {
            Some(name) => Ok((name, bytes, arguments)),
            None => self.unsupported("a type-generic call"),
        }
    }

    fn intrinsic(
        &mut self,
        f: Intrinsic,
        arguments: &[ExprId],
        from: Type,
        to: Type,
    ) -> Lowered<ExprId> {
        let mut converted = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            converted.push(self.converted(argument, from)?);
        }
        Ok(self.expr(Expr::Intrinsic(f, converted), to))
    }
}
