//! `--extent`: how many elements an array has, where the source does not tell. What the user says
//! becomes part of the declaration, so that analyses, back ends and the driver know it.
//!
//! `x=n` speaks of the head's argument, `solve::x=n` of the argument of a procedure that it calls,
//! `tables::x=n` of a variable of a module, `grid%x=n` of a component.

use crate::expression::Expression;
use contraflow_ir::{
    BinaryOp, Builder, Diagnostic, Expr, ExprId, Extent, Module, Procedure, ProcedureId, Type,
    UnaryOp, VarId,
};

/// Declares the sizes of arguments: of `head`, and of other procedures where they are named.
///
/// # Errors
/// A procedure that is not in the program, and what is wrong with a single statement of a size.
pub fn declare_all(
    module: &mut Module,
    head: ProcedureId,
    extents: &[String],
) -> Result<(), Diagnostic> {
    for text in extents {
        let Some((owner, stated)) = split_owner(text) else {
            declare_one(&mut module.procedures[head], text, text)?;
            continue;
        };
        let owners: Vec<ProcedureId> = module
            .procedures_named(owner)
            .into_iter()
            .filter(|&id| module.procedures[id].has_body)
            .collect();
        // A variable of a module: only the driver has to know.
        let is_container = |name: &str| {
            let mut all = module.containers.iter();
            all.any(|(_, container)| container.name.eq_ignore_ascii_case(name))
        };
        if owners.is_empty() && is_container(owner) {
            continue;
        }
        if owners.is_empty() {
            return Err(wrong(
                text,
                &format!("the program has no procedure `{owner}`"),
            ));
        }
        for id in owners {
            declare_one(&mut module.procedures[id], stated, text)?;
        }
    }
    Ok(())
}

/// `solve::x=n` as `solve` and `x=n`.
fn split_owner(text: &str) -> Option<(&str, &str)> {
    let name = text.split('=').next()?;
    let at = name.rfind("::")?;
    let owner = name[..at].rsplit("::").next()?;
    Some((owner.trim(), &text[at + 2..]))
}

fn wrong(text: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        "option-syntax",
        format!("`--extent {text}` is not understood: {why}"),
    )
    .with_help("write `--extent 'x=n*n'` with integer arguments of the head, or `--extent 'solve::x=n*n'` with those of `solve`")
}

/// Declares the size of an argument of `procedure`: `NAME=COUNT`, several dimensions separated by
/// commas in the order of the source. `whole` is the option as written.
///
/// # Errors
/// A name that is no array argument, a count that is no integer expression in integer arguments.
fn declare_one(procedure: &mut Procedure, text: &str, whole: &str) -> Result<(), Diagnostic> {
    let wrong = |why: &str| wrong(whole, why);
    let (name, counts) = text
        .split_once('=')
        .ok_or_else(|| wrong("`=` is missing"))?;
    // Components and variables of the program: only the driver has to know.
    if name.contains(['%', '.']) || is_found(procedure, name.trim()) {
        return Ok(());
    }
    let var = array_argument(procedure, name.trim()).map_err(|why| wrong(&why))?;
    let mut counts: Vec<&str> = counts.split(',').collect();
    let rank = procedure.variables[var].rank();
    if counts.len() != rank {
        return Err(wrong(&format!("`{}` has {rank} dimensions", name.trim())));
    }
    // The source's order is slowest first where scalars are passed by value: in C.
    if procedure.scalars_by_value {
        counts.reverse();
    }
    for (dim, count) in counts.into_iter().enumerate() {
        // What a descriptor tells at run time stays so; only the driver has to know.
        let extent = procedure.variables[var].shape[dim].extent;
        if !matches!(extent, Extent::Unknown | Extent::AssumedSize) {
            continue;
        }
        let count = Expression::parse(count)
            .and_then(|expression| build(procedure, &expression))
            .map_err(|why| wrong(&why))?;
        procedure.variables[var].shape[dim].extent = Extent::Count(count);
    }
    Ok(())
}

/// Whether a name is a variable of the program that is no argument.
fn is_found(procedure: &Procedure, name: &str) -> bool {
    procedure.variable_named(name).is_some_and(|var| {
        let variable = &procedure.variables[var];
        variable.outlives_call() && !variable.is_argument()
    })
}

fn array_argument(procedure: &Procedure, name: &str) -> Result<VarId, String> {
    let arguments = procedure.arguments.iter().copied();
    let arrays: Vec<VarId> = arguments
        .filter(|&var| procedure.variables[var].is_array())
        .collect();
    let name_of = |&var: &VarId| procedure.variables[var].name.as_str();
    let found = arrays
        .iter()
        .find(|var| name_of(var).eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = arrays.iter().map(name_of).collect();
        format!(
            "the array arguments of `{}` are {}",
            procedure.name,
            names.join(", ")
        )
    })
}

fn build(procedure: &mut Procedure, expression: &Expression) -> Result<ExprId, String> {
    match expression {
        Expression::Number(value) => Ok(Builder::new(procedure).int((*value).into())),
        Expression::Name(name) => {
            let var = integer_argument(procedure, name)?;
            Ok(Builder::new(procedure).load(var))
        }
        Expression::Negative(inner) => {
            let inner = build(procedure, inner)?;
            let ty = procedure.exprs[inner].ty;
            Ok(Builder::new(procedure).expr(Expr::Unary(UnaryOp::Negate, inner), ty))
        }
        Expression::Binary(operator, left, right) => {
            let op = match operator {
                '+' => BinaryOp::Add,
                '-' => BinaryOp::Subtract,
                '*' => BinaryOp::Multiply,
                _ => BinaryOp::Divide,
            };
            let (left, right) = (build(procedure, left)?, build(procedure, right)?);
            let ty = wider(procedure.exprs[left].ty, procedure.exprs[right].ty);
            let mut builder = Builder::new(procedure);
            let (left, right) = (builder.convert(left, ty), builder.convert(right, ty));
            Ok(builder.exact_binary(op, left, right))
        }
    }
}

fn wider(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Integer { bytes: x, .. }, Type::Integer { bytes: y, .. }) if y > x => b,
        _ => a,
    }
}

fn integer_argument(procedure: &Procedure, name: &str) -> Result<VarId, String> {
    let var = procedure.variable_named(name);
    let var = var.filter(|&var| {
        let variable = &procedure.variables[var];
        variable.ty.is_integer() && !variable.is_array()
    });
    var.ok_or_else(|| format!("`{}` has no integer `{name}`", procedure.name))
}

#[cfg(test)]
mod tests {
    use super::declare_all;
    use contraflow_ir::{Dim, Extent, Module, Procedure, ProcedureId, Storage, Type, Variable};

    fn program() -> (Module, ProcedureId) {
        let mut module = Module::default();
        let id = module.procedures.add(procedure());
        (module, id)
    }

    fn procedure() -> Procedure {
        let mut procedure = Procedure::new("f");
        let zero = contraflow_ir::Builder::new(&mut procedure).int(0);
        for (index, (name, ty)) in [("n", Type::INT), ("x", Type::REAL8)]
            .into_iter()
            .enumerate()
        {
            let mut variable = Variable::scalar(name, ty);
            variable.storage = Storage::Argument {
                index: index as u32,
            };
            if name == "x" {
                variable.shape.push(Dim {
                    lower: zero,
                    extent: Extent::Unknown,
                });
            }
            let var = procedure.variables.add(variable);
            procedure.arguments.push(var);
        }
        procedure
    }

    #[test]
    fn an_extent_becomes_part_of_the_declaration() {
        for text in ["x=n*n + 1", "f::x=n*n + 1", "m::f::x = n"] {
            let (mut module, id) = program();
            declare_all(&mut module, id, &[text.to_owned()]).expect("declared");
            let procedure = &module.procedures[id];
            let x = procedure.variable_named("x").expect("x");
            let extent = procedure.variables[x].shape[0].extent;
            assert!(matches!(extent, Extent::Count(_)), "{text}");
        }
    }

    #[test]
    fn a_wrong_extent_is_answered() {
        for text in [
            "x", "y=3", "n=3", "x=m", "x=n,n", "x=n+", "g::x=n", "f::y=n",
        ] {
            let (mut module, id) = program();
            let error = declare_all(&mut module, id, &[text.to_owned()]).expect_err(text);
            assert_eq!(error.code, "option-syntax", "{text}");
        }
    }
}
