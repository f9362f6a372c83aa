//! What the driver does, without a word of Fortran or C: the head's variables with their sizes and
//! values, and how the primal, the tangent and the adjoint are called.

use super::values::{Settings, Values, not_understood, parse_integer, parse_logical, parse_real};
use crate::head::Head;
use contraflow_ad::Derivative;
use contraflow_ir::{
    Allocation, BinaryOp, Diagnostic, Expr, ExprId, Extent, Home, Intrinsic, Module, Passing,
    Procedure, ProcedureId, Role, Storage, Type, UnaryOp, VarId, Variable,
};

/// The whole experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// The head's name.
    pub head: String,
    /// Where the head stands; its derivatives stand there too.
    pub home: Home,
    /// The Fortran module that it stands in.
    pub module: Option<String>,
    /// Whether other translation units do not see the head.
    pub is_private: bool,
    /// The arguments in order, then the function's value.
    pub variables: Vec<Quantity>,
    /// Which of them is the function's value.
    pub result: Option<usize>,
    /// The tangent's call.
    pub tangent: DerivedCall,
    /// The adjoint's call.
    pub adjoint: DerivedCall,
    /// How many random directions and seeds are tried.
    pub seeds: u32,
}

/// A variable of the head.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantity {
    /// Its name in the source.
    pub name: String,
    /// The type of an element.
    pub element: Element,
    /// The number of elements per dimension, fastest first; empty for a scalar.
    pub shape: Vec<u64>,
    /// Whether the head may allocate it.
    pub allocatable: bool,
    /// Whether the primal gets a copy.
    pub by_value: bool,
    /// Whether it is an input of the derivative.
    pub independent: bool,
    /// Whether it is an output of the derivative.
    pub dependent: bool,
    /// What it starts with.
    pub values: Values,
}

impl Quantity {
    /// The number of elements.
    pub fn count(&self) -> u64 {
        self.shape.iter().product()
    }
}

/// Types that a driver can declare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Element {
    /// A real of 4 or 8 bytes.
    Real(u8),
    /// A complex with parts of 4 or 8 bytes.
    Complex(u8),
    /// An integer with its width and whether it is signed.
    Integer(u8, bool),
    /// A truth value with its width.
    Logical(u8),
    /// A text.
    Character,
}

impl Element {
    /// Whether a derivative can flow through it.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Real(_) | Self::Complex(_))
    }

    /// Whether it has single precision.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Real(4) | Self::Complex(4))
    }
}

/// How a derived procedure is called.
#[derive(Clone, PartialEq, Debug)]
pub struct DerivedCall {
    /// Its name.
    pub name: String,
    /// Its actual arguments in order.
    pub actuals: Vec<Actual>,
}

/// An actual argument of a derived procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Actual {
    /// The variable, by its index in [`Experiment::variables`].
    pub variable: usize,
    /// Whether it is the variable's shadow.
    pub shadow: bool,
    /// Whether a copy is passed.
    pub by_value: bool,
}

impl Experiment {
    /// Indices of the independents.
    pub fn independents(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.variables.len()).filter(|&index| self.variables[index].independent)
    }

    /// Indices of the dependents.
    pub fn dependents(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.variables.len()).filter(|&index| self.variables[index].dependent)
    }

    /// Whether a call gets the shadow of a variable.
    pub fn has_shadow(call: &DerivedCall, variable: usize) -> bool {
        call.actuals
            .iter()
            .any(|actual| actual.shadow && actual.variable == variable)
    }
}

/// What the user says about the driver.
#[derive(Clone, Debug)]
pub struct Setting {
    /// `--set`
    pub values: Settings,
    /// `--extent`, for what the language leaves to the caller.
    pub extents: Settings,
    /// `--seeds`
    pub seeds: u32,
}

/// Designs the experiment for a head and its two derivatives.
///
/// # Errors
/// Values or sizes that are missing or wrong, and heads that no driver can call.
pub fn design(
    module: &Module,
    head: &Head,
    tangent: &Derivative,
    adjoint: &Derivative,
    setting: &Setting,
) -> Result<Experiment, Vec<Diagnostic>> {
    let procedure = &module.procedures[head.procedure];
    let vars = variables_of(procedure);
    let mut errors = unknown_names(procedure, setting);
    errors.extend(globals(procedure, head, &vars));
    let mut variables = Vec::new();
    for &var in &vars {
        match quantity(procedure, var, head, setting) {
            Ok(quantity) => variables.push(quantity),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let container = procedure.home.container.map(|id| &module.containers[id]);
    let call = |derivative: &Derivative| {
        derived_call(&derivative.module, derivative.head, &vars)
            .map_err(|error| vec![error.at(procedure.home.span, "")])
    };
    Ok(Experiment {
        head: procedure.name.clone(),
        home: procedure.home.clone(),
        module: container
            .filter(|container| container.kind == contraflow_ir::ContainerKind::Module)
            .map(|container| container.name.clone()),
        is_private: procedure.is_private,
        result: procedure.result().map(|_| vars.len() - 1),
        variables,
        tangent: call(tangent)?,
        adjoint: call(adjoint)?,
        seeds: setting.seeds,
    })
}

fn variables_of(procedure: &Procedure) -> Vec<VarId> {
    procedure
        .arguments
        .iter()
        .copied()
        .chain(procedure.result())
        .collect()
}

/// Names of `--set` that are no arguments must at least be used in the values of others.
fn unknown_names(procedure: &Procedure, setting: &Setting) -> Vec<Diagnostic> {
    let arguments: Vec<&str> = procedure
        .arguments
        .iter()
        .map(|&var| procedure.variables[var].name.as_str())
        .collect();
    setting
        .values
        .names()
        .filter(|name| {
            !arguments
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        })
        .filter(|name| !setting.values.mentions(name) && !setting.extents.mentions(name))
        .map(|name| {
            let message = format!("`{}` has no argument `{name}`", procedure.name);
            Diagnostic::error("unknown-variable", message)
                .with_help(format!("--set takes one of {}", arguments.join(", ")))
        })
        .collect()
}

/// Variables of the request that are no arguments cannot be driven yet.
fn globals(procedure: &Procedure, head: &Head, vars: &[VarId]) -> Vec<Diagnostic> {
    head.independents
        .iter()
        .chain(&head.dependents)
        .filter(|var| !vars.contains(var))
        .map(|&var| {
            let variable = &procedure.variables[var];
            Diagnostic::error(
                "check-global",
                format!(
                    "`check` cannot set `{}`, which is no argument",
                    variable.name
                ),
            )
            .at(variable.span, "declared here")
            .with_help("check a procedure that takes it as an argument")
        })
        .collect()
}

fn quantity(
    procedure: &Procedure,
    var: VarId,
    head: &Head,
    setting: &Setting,
) -> Result<Quantity, Diagnostic> {
    let variable = &procedure.variables[var];
    let element = element(variable).ok_or_else(|| undrivable(variable))?;
    let shape = shape(procedure, variable, setting)?;
    let is_result = variable.storage == Storage::Result;
    Ok(Quantity {
        name: if is_result {
            procedure.name.clone()
        } else {
            variable.name.clone()
        },
        element,
        shape,
        allocatable: variable.is_array() && variable.allocation == Allocation::Allocatable,
        by_value: variable.passing == Passing::Value,
        independent: head.independents.contains(&var),
        dependent: head.dependents.contains(&var),
        values: values(variable, element, is_result, setting)?,
    })
}

fn element(variable: &Variable) -> Option<Element> {
    if variable.allocation == Allocation::Pointer {
        return None;
    }
    match variable.ty {
        Type::Real {
            bytes: bytes @ (4 | 8),
        } => Some(Element::Real(bytes)),
        Type::Complex {
            bytes: bytes @ (4 | 8),
        } => Some(Element::Complex(bytes)),
        Type::Integer {
            bytes: bytes @ (1 | 2 | 4 | 8),
            signed,
        } => Some(Element::Integer(bytes, signed)),
        Type::Logical { bytes } => Some(Element::Logical(bytes)),
        Type::Character if !variable.is_array() => Some(Element::Character),
        _ => None,
    }
}

fn undrivable(variable: &Variable) -> Diagnostic {
    Diagnostic::error(
        "check-type",
        format!("`check` cannot make a value for `{}`", variable.name),
    )
    .at(variable.span, "of a type that a driver does not know")
    .with_help(
        "check a procedure whose arguments are numbers, truth values, texts, or arrays of them",
    )
}

fn shape(
    procedure: &Procedure,
    variable: &Variable,
    setting: &Setting,
) -> Result<Vec<u64>, Diagnostic> {
    if !variable.is_array() {
        return Ok(Vec::new());
    }
    let counts = variable
        .shape
        .iter()
        .enumerate()
        .map(|(number, dim)| match dim.extent {
            Extent::Assumed | Extent::Deferred => given_count(variable, number, setting),
            declared => declared_count(procedure, variable, declared, &setting.values),
        })
        .collect::<Result<Vec<i64>, _>>()?;
    counts
        .into_iter()
        .map(|count| match u64::try_from(count) {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(Diagnostic::error(
                "check-size",
                format!(
                    "`{}` would have {count} elements along a dimension",
                    variable.name
                ),
            )
            .at(variable.span, "declared here")
            .with_help("choose other values with `--set`")),
        })
        .collect()
}

/// The number that `--extent` gives for a dimension of an assumed-shape or allocatable array.
fn given_count(variable: &Variable, number: usize, setting: &Setting) -> Result<i64, Diagnostic> {
    let name = &variable.name;
    let Some(text) = setting.extents.get(name) else {
        return Err(size_untold(variable));
    };
    let wrong = |why: &str| not_understood("--extent", &format!("{name}={text}"), why);
    let count = text.split(',').nth(number);
    let count = count.ok_or_else(|| wrong("a dimension is missing"))?;
    setting.values.evaluate(count).map_err(|why| wrong(&why))
}

fn size_untold(variable: &Variable) -> Diagnostic {
    let name = &variable.name;
    let counts = vec!["COUNT"; variable.rank()].join(",");
    let message = format!("the size of `{name}` is not known: the source does not tell");
    Diagnostic::error("check-size", message)
        .at(variable.span, "declared here")
        .with_help(format!(
            "say it: `--extent '{name}={counts}'`, for example `n*n`"
        ))
}

fn declared_count(
    procedure: &Procedure,
    variable: &Variable,
    extent: Extent,
    values: &Settings,
) -> Result<i64, Diagnostic> {
    let name = &variable.name;
    let missing = |why: String| {
        Diagnostic::error(
            "check-size",
            format!("the size of `{name}` is not known: {why}"),
        )
        .at(variable.span, "declared here")
    };
    match extent {
        Extent::Count(count) => integer_value(procedure, count, values)
            .map_err(|why| missing(why).with_help("give the integers it depends on with `--set`")),
        Extent::Assumed | Extent::AssumedSize | Extent::Deferred | Extent::Unknown => {
            Err(size_untold(variable))
        }
    }
}

/// The value of an integer expression of a declaration, from the values of integer arguments.
///
/// # Errors
/// An argument without value, or an expression that is too involved.
pub fn integer_value(procedure: &Procedure, e: ExprId, values: &Settings) -> Result<i64, String> {
    let value = |e: ExprId| integer_value(procedure, e, values);
    let overflow = || "its value is too large".to_owned();
    match procedure.expr(e) {
        Expr::Integer(value) => i64::try_from(*value).map_err(|_| overflow()),
        Expr::Load(access) if access.path.is_empty() => {
            let variable = &procedure.variables[access.var];
            match variable.storage {
                Storage::Constant {
                    value: Some(constant),
                    ..
                } => value(constant),
                _ => values.integer(&variable.name),
            }
        }
        Expr::Convert(inner) | Expr::Unary(UnaryOp::Plus, inner) => value(*inner),
        Expr::Unary(UnaryOp::Negate, inner) => Ok(-value(*inner)?),
        Expr::Binary(op, left, right) => {
            let (a, b) = (value(*left)?, value(*right)?);
            let result = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Subtract => a.checked_sub(b),
                BinaryOp::Multiply => a.checked_mul(b),
                BinaryOp::Divide => a.checked_div(b),
                BinaryOp::Remainder => a.checked_rem(b),
                BinaryOp::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                _ => return Err("its declaration is too involved".to_owned()),
            };
            result.ok_or_else(overflow)
        }
        Expr::Intrinsic(f @ (Intrinsic::Max | Intrinsic::Min), operands) => {
            let all = operands
                .iter()
                .map(|&e| value(e))
                .collect::<Result<Vec<_>, _>>()?;
            let chosen = match f {
                Intrinsic::Max => all.into_iter().max(),
                _ => all.into_iter().min(),
            };
            chosen.ok_or_else(overflow)
        }
        _ => Err("its declaration is too involved".to_owned()),
    }
}

fn values(
    variable: &Variable,
    element: Element,
    is_result: bool,
    setting: &Setting,
) -> Result<Values, Diagnostic> {
    let name = &variable.name;
    let Some(text) = setting.values.get(name).filter(|_| !is_result) else {
        return default_values(variable, element, is_result);
    };
    let parsed = match element {
        Element::Real(_) | Element::Complex(_) => parse_real(text),
        Element::Integer(..) if !variable.is_array() => setting
            .values
            .integer(name)
            .map(|value| Values::Integers(vec![value])),
        Element::Integer(..) => parse_integer(text, &setting.values),
        Element::Logical(_) => parse_logical(text),
        Element::Character => Ok(Values::Text(text.to_owned())),
    };
    parsed.map_err(|why| not_understood("--set", &format!("{name}={text}"), &why))
}

fn default_values(
    variable: &Variable,
    element: Element,
    is_result: bool,
) -> Result<Values, Diagnostic> {
    let needs = |example: &str| {
        let name = &variable.name;
        Err(
            Diagnostic::error("check-value", format!("`{name}` needs a value"))
                .at(variable.span, "declared here")
                .with_help(format!("give one: `--set {name}={example}`")),
        )
    };
    let is_output = is_result || variable.intent == contraflow_ir::Intent::Out;
    match element {
        Element::Real(_) | Element::Complex(_) => Ok(Values::Uniform(0.5, 1.5)),
        Element::Integer(..) if is_output => Ok(Values::Integers(vec![0])),
        Element::Logical(_) if is_output => Ok(Values::Logical(false)),
        Element::Integer(..) if variable.is_array() => needs("1:4"),
        Element::Integer(..) => needs("7"),
        Element::Logical(_) => needs("true"),
        Element::Character => needs("text"),
    }
}

/// The call of a derived procedure, read off its formal arguments.
fn derived_call(
    module: &Module,
    id: ProcedureId,
    vars: &[VarId],
) -> Result<DerivedCall, Diagnostic> {
    let procedure = &module.procedures[id];
    let position = |var: VarId| vars.iter().position(|&known| known == var);
    let mut actuals = Vec::new();
    for &formal in &procedure.arguments {
        let variable = &procedure.variables[formal];
        let by_value = variable.passing == Passing::Value;
        let (found, shadow) = match variable.role {
            Role::Shadow { of } => (position(of), true),
            _ => (position(formal), false),
        };
        let Some(variable) = found else {
            return Err(Diagnostic::error(
                "check-argument",
                format!(
                    "`{}` has an argument `{}` that its primal has not",
                    procedure.name, variable.name
                ),
            ));
        };
        actuals.push(Actual {
            variable,
            shadow,
            by_value,
        });
    }
    Ok(DerivedCall {
        name: procedure.name.clone(),
        actuals,
    })
}
