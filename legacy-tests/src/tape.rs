//! How many bytes the adjoint of a case keeps for its backward sweep.

use crate::command::Capture;
use crate::proof::Case;
use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use contraflow_ad::{Derivative, Mode};
use contraflow_cli::check::quantities::integer_value;
use contraflow_cli::check::values::Settings;
use contraflow_cli::derive::{Wish, derive, find_head, usual_suffix};
use contraflow_cli::head::HeadSpec;
use contraflow_cli::program::read;
use contraflow_cli::{Arguments, Command, Console, Failure, SystemHost};
use contraflow_ir::{Extent, Procedure, Role, Stmt, Type, Variable};

/// The adjoint of a case, as data.
///
/// # Errors
/// What the command would have said.
pub fn adjoint(case: &Case) -> Result<Derivative> {
    let arguments = Arguments::try_parse_from(case.command("adjoint", &["-o", "nowhere"]))?;
    let Command::Adjoint(request) = arguments.command else {
        bail!("not the command that was written");
    };
    let input = &request.input;
    let error = Capture::default();
    let mut console = Console::new(Capture::default(), error.clone(), false);
    let derivative = (|| -> Result<Derivative, Failure> {
        let spec = HeadSpec::parse(&input.head).map_err(Failure::without_place)?;
        let mut program = read(input, &SystemHost)?;
        let head = find_head(&spec, &mut program, input, &mut console)?;
        let suffix = usual_suffix(Mode::Adjoint);
        derive(&program, &head, Mode::Adjoint, &Wish::of(input, suffix))
    })();
    derivative.map_err(|failure| {
        failure.show(&mut console);
        anyhow!("{}", error.text())
    })
}

/// The bytes of all tapes of the head's adjoint, its integer arguments as the case sets them.
///
/// # Errors
/// A tape whose size is not known at entry.
pub fn bytes(case: &Case) -> Result<i64> {
    let derivative = adjoint(case)?;
    let head = &derivative.module.procedures[derivative.head];
    let settings =
        Settings::parse("--set", &case.values).map_err(|error| anyhow!(error.message))?;
    let grows = head
        .all_statements()
        .iter()
        .any(|&statement| matches!(head.stmt(statement), Stmt::Push { .. }));
    if grows {
        bail!("`{}` has a tape that grows", head.name);
    }
    head.variables
        .iter()
        .filter(|(_, variable)| variable.role == Role::Tape && !is_contract(variable))
        .map(|(_, variable)| bytes_of(head, variable, &settings))
        .sum()
}

/// Copies that keep the contract with the caller are no tape: what the shadows of overwritten inputs
/// hold on entry (`_in`), and what the primal leaves in arguments (`_final`).
fn is_contract(variable: &Variable) -> bool {
    variable.name.ends_with("_in") || variable.name.ends_with("_final")
}

/// What the list of kernels allows: an expression in the integer arguments.
///
/// # Errors
/// An expression that is not understood.
pub fn allowed(case: &Case, expression: &str) -> Result<i64> {
    let settings =
        Settings::parse("--set", &case.values).map_err(|error| anyhow!(error.message))?;
    settings.evaluate(expression).map_err(|why| anyhow!(why))
}

fn bytes_of(procedure: &Procedure, variable: &Variable, settings: &Settings) -> Result<i64> {
    let width = match variable.ty {
        Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
            bytes.into()
        }
        Type::Complex { bytes } => 2 * i64::from(bytes),
        _ => bail!("`{}` is of a type without width", variable.name),
    };
    let mut total = width;
    for dim in &variable.shape {
        let Extent::Count(count) = dim.extent else {
            bail!("the size of `{}` is not known at entry", variable.name);
        };
        let count = integer_value(procedure, count, settings).map_err(|why| anyhow!(why));
        total *= count
            .with_context(|| format!("the size of `{}`", variable.name))?
            .max(0);
    }
    Ok(total)
}
