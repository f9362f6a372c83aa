//! Functions: parameters, result, body.

use super::facts::{Facts, Seen};
use super::library::{Library, library};
use super::{Body, Known, Representation};
use crate::cst::{Failure, FunctionDefinition, Node, Statement};
use crate::declare::{CType, Function, FunctionType, Parameter, Symbol, Unit, spelled};
use contraflow_ir::structure::structure;
use contraflow_ir::{
    Access, Aliasing, Allocation, BinaryOp, Builder, Dim, Expr, ExprId, Extent, GlobalId,
    GlobalKind, Home, Intent, Jump, Passing, Procedure, ProcedureId, ProcedureKind, Span, Stmt,
    Storage, Type, VarId, Variable,
};
use std::rc::Rc;

/// Lowers the definition of a function into its procedure.
pub(crate) fn lower_function<'a>(unit: &mut Unit<'a>, index: usize, failures: &[Failure]) {
    let function = unit.functions[index].clone();
    let (Some(node), Some(id)) = (function.definition, function.procedure) else {
        return;
    };
    let facts = Facts::of_statement(&node.node.statement);
    let procedure = Procedure::new(function.name);
    unit.enter();
    let mut body = Body::new(unit, procedure, facts);
    body.head(&function, node);
    let failed = failures.iter().any(|failure| {
        failure.is_body && failure.start <= node.span.start && node.span.start < failure.end
    });
    if failed {
        let text = body.whole_body_text(node);
        body.quote_body("parse-error", text, &Facts::default());
        body.quote_reaches_all();
    } else {
        body.statements(&node.node.statement);
    }
    let procedure = body.finish();
    unit.leave();
    unit.module.procedures[id] = procedure;
}

/// The variables that the unit defines for other units with initial values and that none of its own
/// functions names, in a procedure without a body: who sets them anew looks there.
pub(crate) fn values_of_unit(unit: &mut Unit<'_>) {
    let is_named = |id: GlobalId| {
        unit.module.procedures.iter().any(|(_, procedure)| {
            let mut variables = procedure.variables.iter();
            variables.any(|(_, variable)| variable.storage == Storage::Global(id))
        })
    };
    let wanted: Vec<usize> = (0..unit.globals.len())
        .filter(|&index| {
            let global = &unit.globals[index];
            let is_external = |id: GlobalId| {
                unit.module.globals[id].kind == GlobalKind::External && !is_named(id)
            };
            !global.is_const && global.initializer.is_some() && global.id.is_some_and(is_external)
        })
        .collect();
    if wanted.is_empty() {
        return;
    }
    let container = &unit.module.containers[unit.container];
    let procedure = Procedure::new(format!("{}%values", container.name));
    let span = container.span;
    unit.enter();
    let mut body = Body::new(unit, procedure, Facts::default());
    body.procedure.scalars_by_value = true;
    body.procedure.has_body = false;
    body.procedure.is_private = true;
    body.procedure.home.file = span.file;
    body.procedure.home.span = span;
    body.procedure.home.container = Some(body.unit.container);
    for index in wanted {
        // What has no shape here has no values either.
        let _ = body.global_variable(index);
    }
    let procedure = body.procedure;
    unit.leave();
    unit.module.procedures.add(procedure);
}

impl<'u, 'a> Body<'u, 'a> {
    /// The procedure of a function, from its prototype if it is not defined here.
    pub fn procedure_of(&mut self, index: usize) -> ProcedureId {
        if let Some(id) = self.unit.functions[index].procedure {
            return id;
        }
        let function = self.unit.functions[index].clone();
        self.unit.enter();
        let mut body = Body::new(self.unit, Procedure::new(function.name), Facts::default());
        body.parameters(&function);
        body.promise_constants();
        body.procedure.has_body = false;
        body.procedure.scalars_by_value = true;
        body.procedure.home.span = function.span;
        body.procedure.home.file = function.span.file;
        body.meaning_of_library(function.name);
        let procedure = body.procedure;
        self.unit.leave();
        let id = self.unit.module.procedures.add(procedure);
        self.unit.functions[index].procedure = Some(id);
        id
    }

    /// What a prototype says of addresses without a type: `const void *` leads to what is not written.
    fn promise_constants(&mut self) {
        for var in self.procedure.arguments.clone() {
            let is_constant = matches!(
                self.known[var.index()].ty,
                CType::Pointer {
                    read_only: true,
                    ..
                }
            );
            self.procedure.variables[var].read_only |= is_constant;
        }
    }

    /// A function of the library that the IR knows gets a body, so that pointers may lead to it.
    fn meaning_of_library(&mut self, name: &str) {
        let Some((meaning, bytes)) = library(name) else {
            return;
        };
        let real = Type::Real { bytes };
        let formals = self.procedure.arguments.clone();
        let is_real = |var: &VarId| {
            let variable = &self.procedure.variables[*var];
            variable.ty == real && !variable.is_array()
        };
        let Some((result, _)) = self.result.clone() else {
            return;
        };
        if !formals.iter().chain([&result]).all(is_real) {
            return;
        }
        let loads: Vec<ExprId> = formals
            .iter()
            .map(|&var| self.expr(Expr::Load(Access::whole(var)), real))
            .collect();
        let value = match (meaning, loads.as_slice()) {
            (Library::Real(f), operands) if f.arity().contains(&operands.len()) => {
                self.expr(Expr::Intrinsic(f, loads.clone()), real)
            }
            (Library::Power, &[base, exponent]) => {
                self.expr(Expr::Binary(BinaryOp::Power, base, exponent), real)
            }
            _ => return,
        };
        let mut b = Builder::new(&mut self.procedure);
        let assign = b.assign(Access::whole(result), value);
        self.procedure.body.push(assign);
        self.procedure.has_body = true;
        self.procedure.is_pure = true;
        self.procedure.home.file = self.unit.module.containers[self.unit.container].span.file;
        self.procedure.home.span = Span::NONE;
    }

    /// What a pointer to a function says of what it points to, as a procedure without a body.
    pub fn interface_of(&mut self, name: &str, ty: Rc<FunctionType<'a>>) -> ProcedureId {
        let function = Function {
            name: "",
            ty,
            is_user: true,
            is_static: true,
            definition: None,
            procedure: None,
            span: self.span,
        };
        self.unit.enter();
        let mut body = Body::new(self.unit, Procedure::new(name), Facts::default());
        body.parameters(&function);
        body.procedure.has_body = false;
        body.procedure.is_private = true;
        body.procedure.scalars_by_value = true;
        body.procedure.home.span = function.span;
        body.procedure.home.file = function.span.file;
        let procedure = body.procedure;
        self.unit.leave();
        self.unit.module.procedures.add(procedure)
    }

    fn head(&mut self, function: &Function<'a>, node: &'a Node<FunctionDefinition>) {
        self.span = function.span;
        self.procedure.scalars_by_value = true;
        self.procedure.is_private = function.is_static;
        let span = self.lines_of(self.unit.span(node.span));
        self.procedure.home = Home {
            file: span.file,
            container: Some(self.unit.container),
            interface: None,
            host: None,
            span,
            prologue: Vec::new(),
        };
        self.parameters(function);
    }

    /// `span`, from the start of its first line to the end of its last.
    fn lines_of(&self, span: Span) -> Span {
        if !span.is_some() {
            return span;
        }
        let bytes = &self.unit.sources.file(span.file).bytes;
        let start = (span.start as usize).min(bytes.len());
        let end = (span.end as usize).min(bytes.len());
        let start = bytes[..start]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let end = bytes[end..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(bytes.len(), |at| end + at);
        Span::new(span.file, start, end)
    }

    /// Declares the result and the parameters.
    fn parameters(&mut self, function: &Function<'a>) {
        let ty = function.ty.clone();
        let name = self.unique_name(function.name);
        if !matches!(ty.result, CType::Void) {
            let element = self.unit.ir_type(&ty.result);
            let mut result = Variable::scalar(name, element);
            result.span = function.span;
            result.storage = Storage::Result;
            result.spelling = spelled(&ty.spelling);
            let known = Known {
                ty: ty.result.clone(),
                representation: Representation::Plain,
                source_name: "",
            };
            let result = self.add_variable(result, known);
            self.procedure.kind = ProcedureKind::Function { result };
            self.result = Some((result, ty.result.clone()));
        }
        let mut walkers = Vec::new();
        let parameters: Vec<_> = ty
            .parameters
            .iter()
            .map(|parameter| self.seen_as(parameter))
            .collect();
        for (index, parameter) in (0u32..).zip(&parameters) {
            let name = parameter.name.unwrap_or("");
            let wanted = match name {
                "" => format!("argument_{}", index + 1),
                name => name.to_owned(),
            };
            let unique = self.unique_name(&wanted);
            let (variable, representation) = self.parameter(unique, index, &parameter.ty, name);
            let known = Known {
                ty: parameter.ty.clone(),
                representation,
                source_name: name,
            };
            let is_array = matches!(known.representation, Representation::Array);
            let var = self.add_variable(variable, known);
            self.procedure.variables[var].span = parameter.span;
            self.procedure.variables[var].spelling = spelled(&parameter.spelling);
            self.procedure.arguments.push(var);
            self.unit.declare(name, Symbol::Local(var));
            if is_array && !self.parameter_is_fixed(name) {
                walkers.push((var, name));
            }
        }
        let arguments = self.procedure.arguments.clone();
        for (&var, parameter) in arguments.iter().zip(&parameters) {
            self.parameter_shape(var, parameter.outer);
        }
        for (var, name) in walkers {
            self.walking_parameter(var, name);
        }
    }

    fn type_seen(&mut self, seen: Seen<'a>) -> CType<'a> {
        match seen {
            Seen::Cast(name) => self.type_name(name),
            Seen::Initial(declaration, init, span) => {
                let specified = self.unit.specified_in(&declaration.specifiers, span);
                let declarator = &init.declarator.node;
                self.unit
                    .declared(declarator, specified.ty, specified.is_const)
                    .ty
            }
        }
    }

    /// A `void *` that is cast to one type wherever it is used is a pointer to that type.
    fn seen_as(&mut self, parameter: &Parameter<'a>) -> Parameter<'a> {
        let mut parameter = parameter.clone();
        let is_address = matches!(parameter.ty.target(), Some(CType::Void));
        let name = parameter.name.unwrap_or("");
        let casts = self.facts.casts.get(name).cloned().unwrap_or_default();
        let uses = self.facts.uses.get(name).copied().unwrap_or(0);
        let (true, Some(&first)) = (is_address, casts.first()) else {
            return parameter;
        };
        let ty = self.type_seen(first);
        let wanted = ty.target().map(|target| self.unit.ir_type(target));
        let is_one = casts.len() == uses as usize
            && self.unit.is_typed_pointer(&ty)
            && casts.iter().all(|&cast| {
                let other = self.type_seen(cast);
                other.target().map(|target| self.unit.ir_type(target)) == wanted
            });
        if let (true, CType::Pointer { target, .. }) = (is_one, &ty)
            && let Some(spelling) = self.unit.spelling_of(target)
        {
            let (read_only, restrict) = match parameter.ty {
                CType::Pointer {
                    read_only,
                    restrict,
                    ..
                } => (read_only, restrict),
                _ => (false, false),
            };
            parameter.ty = CType::Pointer {
                target: target.clone(),
                read_only,
                restrict,
            };
            parameter.spelling = spelling;
        }
        parameter
    }

    fn parameter(
        &mut self,
        name: String,
        index: u32,
        ty: &CType<'a>,
        source_name: &str,
    ) -> (Variable, Representation<'a>) {
        let mut variable = Variable::scalar(name, Type::Unknown);
        variable.storage = Storage::Argument { index };
        variable.passing = Passing::Value;
        if let CType::Pointer {
            target,
            read_only,
            restrict,
        } = ty
            && self.unit.is_typed_pointer(ty)
            && (self.parameter_is_fixed(source_name) || self.parameter_walks(source_name))
        {
            variable.ty = self.unit.ir_type(target);
            variable.passing = Passing::Reference;
            variable.read_only = *read_only;
            variable.intent = match read_only {
                true => Intent::In,
                false => Intent::Unspecified,
            };
            variable.aliasing = match restrict {
                true => Aliasing::None,
                false => Aliasing::May,
            };
            variable.allocation = Allocation::Fixed;
            return (variable, Representation::Array);
        }
        variable.ty = self.unit.ir_type(ty);
        if let (Type::Procedure, Some(function)) = (variable.ty, ty.function()) {
            variable.interface = Some(self.interface_of(source_name, function));
        }
        if !self.facts.may_write(source_name) {
            variable.intent = Intent::In;
        }
        (variable, Representation::Plain)
    }

    /// The shape of a parameter, which may need the other parameters.
    fn parameter_shape(&mut self, var: VarId, outer: crate::declare::ArrayExtent<'a>) {
        let known = self.known[var.index()].clone();
        let (Representation::Array, Some(target)) = (&known.representation, known.ty.target())
        else {
            return;
        };
        let mut shape = self.shape(target).unwrap_or_else(|_| {
            vec![
                Dim {
                    lower: contraflow_ir::Id::from_index(0),
                    extent: Extent::Unknown,
                };
                target.extents().len()
            ]
        });
        let lower = self.int(0);
        for dim in &mut shape {
            if matches!(dim.extent, Extent::Unknown) {
                dim.lower = lower;
            }
        }
        let extent = self.extent(outer).unwrap_or(Extent::Unknown);
        shape.push(Dim { lower, extent });
        self.procedure.variables[var].shape = shape;
    }

    /// The body of a function.
    fn statements(&mut self, node: &'a Node<Statement>) {
        let Statement::Compound(items) = &node.node else {
            return;
        };
        self.unit.enter();
        self.blocks.push(items);
        self.items(items);
        self.blocks.pop();
        self.leave_block();
        if !self.lost_goto {
            return;
        }
        // What was lowered is not what the function does.
        self.block.clear();
        let facts = std::mem::take(&mut self.facts);
        let text = self.text(node.span);
        self.quote_body("goto", text, &facts);
        self.quote_reaches_all();
        self.facts = facts;
        self.warn(super::Unsupported {
            what: "a function with a `goto` into a block",
            span: self.span,
        });
    }

    fn whole_body_text(&self, node: &'a Node<FunctionDefinition>) -> String {
        let span = self.unit.span(node.node.statement.span);
        self.unit.source_text(span)
    }

    /// A body that was not read may do anything to what it can reach.
    fn quote_reaches_all(&mut self) {
        let arguments = self.procedure.arguments.clone();
        let reached: Vec<Access> = arguments.iter().map(|&var| Access::whole(var)).collect();
        let Some(&last) = self.block.last() else {
            return;
        };
        if let Stmt::Opaque { reads, writes, .. } = &mut self.procedure.stmts[last].stmt {
            for access in reached {
                if !reads.contains(&access) {
                    reads.push(access.clone());
                }
                if !writes.contains(&access) {
                    writes.push(access);
                }
            }
        }
    }

    /// The procedure, with its jumps made structure.
    fn finish(mut self) -> Procedure {
        if let Some(&last) = self.block.last()
            && matches!(self.procedure.stmt(last), Stmt::Jump(Jump::Return))
        {
            self.block.pop();
        }
        self.procedure.body = std::mem::take(&mut self.block);
        structure(&mut self.procedure);
        mark_what_may_be_null(&mut self.procedure);
        self.procedure
    }
}

/// A pointer parameter that is compared with null is an argument that may be absent.
fn mark_what_may_be_null(procedure: &mut Procedure) {
    let tested: Vec<VarId> = procedure
        .exprs
        .iter()
        .filter_map(|(_, node)| match &node.expr {
            Expr::Present(access) if access.path.is_empty() => Some(access.var),
            _ => None,
        })
        .collect();
    for var in tested {
        let variable = &mut procedure.variables[var];
        variable.optional |= variable.is_argument() && variable.is_array();
    }
}
