//! `--extent`: how many elements an array of the head has, where the source does not tell. What the
//! user says becomes part of the declaration, so that analyses, back ends and the driver know it.

use crate::expression::Expression;
use contraflow_ir::{
    BinaryOp, Builder, Diagnostic, Expr, ExprId, Extent, Procedure, Type, UnaryOp, VarId,
};

/// Declares the sizes of arguments of `procedure`: `NAME=COUNT`, several dimensions separated by
/// commas in the order of the source.
///
/// # Errors
/// A name that is no array argument, a count that is no integer expression in integer arguments.
pub fn declare(procedure: &mut Procedure, extents: &[String]) -> Result<(), Diagnostic> {
    for text in extents {
        declare_one(procedure, text)?;
    }
    Ok(())
}

fn declare_one(procedure: &mut Procedure, text: &str) -> Result<(), Diagnostic> {
    let wrong = |why: &str| {
        Diagnostic::error(
            "option-syntax",
            format!("`--extent {text}` is not understood: {why}"),
        )
        .with_help("write `--extent 'x=n*n'`, with the head's integer arguments")
    };
    let (name, counts) = text
        .split_once('=')
        .ok_or_else(|| wrong("`=` is missing"))?;
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
    use super::declare;
    use contraflow_ir::{Dim, Extent, Procedure, Storage, Type, Variable};

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
        let mut procedure = procedure();
        declare(&mut procedure, &["x=n*n + 1".to_owned()]).expect("declared");
        let x = procedure.variable_named("x").expect("x");
        assert!(matches!(
            procedure.variables[x].shape[0].extent,
            Extent::Count(_)
        ));
    }

    #[test]
    fn a_wrong_extent_is_answered() {
        for text in ["x", "y=3", "n=3", "x=m", "x=n,n", "x=n+"] {
            let error = declare(&mut procedure(), &[text.to_owned()]).expect_err(text);
            assert_eq!(error.code, "option-syntax", "{text}");
        }
    }
}
