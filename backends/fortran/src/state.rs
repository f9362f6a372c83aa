//! The generated module that holds what derived procedures keep between calls.

use contraflow_backend_common::{BREAK, Form, OutputFile, Writer};
use contraflow_ir::{
    Allocation, Container, ContainerId, ContainerKind, Diagnostic, Expr, ExprId, Global, Intrinsic,
    Module, ProcedureId, Storage, Type, UnaryOp, VarId,
};

use crate::emitter::{Emitter, Setting};

/// A file for each generated module that the derived procedures use.
pub(crate) fn modules(
    setting: Setting<'_>,
    derived: &[ProcedureId],
) -> Vec<Result<OutputFile, Vec<Diagnostic>>> {
    let module = setting.module;
    module
        .containers
        .iter()
        .filter(|(id, container)| {
            container.kind == ContainerKind::Generated && is_used(module, derived, *id)
        })
        .map(|(id, container)| write(setting, id, container))
        .collect()
}

fn is_used(module: &Module, derived: &[ProcedureId], container: ContainerId) -> bool {
    derived.iter().any(|&id| {
        let variables = module.procedures[id].variables.iter();
        variables.map(|(_, variable)| variable).any(|variable| {
            matches!(variable.storage,
                Storage::Global(global) if module.globals[global].container == Some(container))
        })
    })
}

fn write(
    setting: Setting<'_>,
    id: ContainerId,
    container: &Container,
) -> Result<OutputFile, Vec<Diagnostic>> {
    let mut out = Writer::new(Form::FortranFree, "", "  ", 100);
    let mut errors = Vec::new();
    out.comment("What the derived procedures keep between calls.");
    out.line(&format!("module {}", container.name));
    out.indent();
    out.line("implicit none");
    out.line("save");
    for (_, global) in setting.module.globals.iter() {
        if global.container == Some(id) {
            match declaration(setting, global) {
                Ok(lines) => lines.iter().for_each(|line| out.line(line)),
                Err(found) => errors.extend(found),
            }
        }
    }
    out.dedent();
    out.line(&format!("end module {}", container.name));
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(OutputFile {
        name: format!("{}.f90", container.name),
        text: out.finish().into_bytes(),
    })
}

/// The lines that declare a variable and give it its values.
fn declaration(setting: Setting<'_>, global: &Global) -> Result<Vec<String>, Vec<Diagnostic>> {
    let module = setting.module;
    let of = global.shadow_of.map_or(global, |of| &module.globals[of]);
    let Some((owner, var)) = of.declared_by else {
        return Ok(Vec::new());
    };
    let mut emitter = Emitter::new(setting, owner);
    emitter.style.keywords = contraflow_backend_common::KeywordCase::Lower;
    let spec = own_type(&mut emitter, var);
    let attribute = match global.allocation {
        Allocation::Fixed => "",
        Allocation::Allocatable => ", allocatable",
        Allocation::Pointer => ", pointer",
    };
    let dims: Vec<String> = global
        .shape
        .iter()
        .map(|&(lower, extent)| match extent {
            None => ":".to_owned(),
            Some(extent) if lower == 1 => extent.to_string(),
            Some(extent) => format!("{lower}:{}", lower + extent - 1),
        })
        .collect();
    let dims = match dims.is_empty() {
        true => String::new(),
        false => format!("({})", dims.join(",")),
    };
    let start = match global.shadow_of {
        Some(_) if global.allocation == Allocation::Fixed => " = 0".to_owned(),
        Some(_) => String::new(),
        None => initial_scalar(&mut emitter, var),
    };
    let name = &global.name;
    let mut lines = vec![format!("{spec}{attribute} :: {name}{dims}{start}")];
    if global.shadow_of.is_none() {
        lines.extend(data(&mut emitter, global, var));
    }
    match emitter.errors.is_empty() {
        true => Ok(lines),
        false => Err(emitter.errors),
    }
}

/// The type in words that mean the same everywhere.
fn own_type(emitter: &mut Emitter<'_>, var: VarId) -> String {
    let procedure = emitter.procedure;
    let variable = &procedure.variables[var];
    let words = [
        "real",
        "integer",
        "logical",
        "complex",
        "double",
        "precision",
        "kind",
        "doubleprecision",
        "doublecomplex",
    ];
    let is_plain = |spelling: &&String| {
        spelling
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .all(|word| {
                words.iter().any(|plain| word.eq_ignore_ascii_case(plain))
                    || word.bytes().all(|b| b.is_ascii_digit())
            })
    };
    let spelling = variable.spelling.as_ref().filter(is_plain);
    match (variable.ty, spelling) {
        (Type::Character, _) => {
            let length = variable.length.map_or_else(String::new, |length| {
                format!("(len={})", emitter.index(length))
            });
            format!("character{length}")
        }
        (_, Some(spelling)) if !emitter.interop => spelling.to_lowercase(),
        (Type::Integer { bytes, .. }, _) => format!("integer({bytes})"),
        (Type::Real { bytes }, _) => format!("real({bytes})"),
        (Type::Complex { bytes }, _) => format!("complex({bytes})"),
        (Type::Logical { bytes }, _) => format!("logical({bytes})"),
        _ => emitter.refuse(
            variable.span,
            format!(
                "the type of `{}` cannot be declared in a module of its own",
                variable.name
            ),
            "make it a module variable or an argument",
        ),
    }
}

fn initial_scalar(emitter: &mut Emitter<'_>, var: VarId) -> String {
    let variable = &emitter.procedure.variables[var];
    match variable.initial {
        Some(value) => format!(" = {}", emitter.value(value, variable.ty)),
        None => String::new(),
    }
}

/// The DATA statement of an array, after constants for values that are more than literals.
fn data(emitter: &mut Emitter<'_>, global: &Global, var: VarId) -> Vec<String> {
    let procedure = emitter.procedure;
    let variable = &procedure.variables[var];
    if variable.values.is_empty() {
        return Vec::new();
    }
    let total: i64 = global.shape.iter().map(|dim| dim.1.unwrap_or(0)).product();
    let given: u64 = variable.values.iter().map(|value| value.0).sum();
    let mut lines = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    let repeated = |count: u64, text: &str| match count {
        1 => text.to_owned(),
        _ => format!("{count}*{text}"),
    };
    for &(count, value) in &variable.values {
        let text = match literal(emitter, value) {
            Some(text) => text,
            None => {
                let constant = format!("{}_value_{}", global.name, lines.len() + 1);
                let spec = own_type(emitter, var);
                let value = emitter.value(value, variable.ty);
                lines.push(format!(
                    "{spec}, parameter, private :: {constant} = {value}"
                ));
                constant
            }
        };
        parts.push(repeated(count, &text));
    }
    let missing = u64::try_from(total).unwrap_or(0).saturating_sub(given);
    if missing > 0 {
        let nothing = match variable.ty {
            Type::Logical { .. } => ".false.",
            Type::Character => "' '",
            Type::Complex { .. } => "(0.0, 0.0)",
            _ => "0",
        };
        parts.push(repeated(missing, nothing));
    }
    let list = parts.join(&format!(", {BREAK}"));
    lines.push(format!("data {} /{BREAK}{list}/", global.name));
    lines
}

/// The text of a literal with its sign, as DATA takes it: it converts as assignment does.
fn literal(emitter: &mut Emitter<'_>, e: ExprId) -> Option<String> {
    let procedure = emitter.procedure;
    match procedure.expr(e) {
        Expr::Integer(_) | Expr::Real(_) | Expr::Logical(_) | Expr::Text(_) => {
            Some(emitter.expr(e).text)
        }
        Expr::Convert(inner) => literal(emitter, *inner),
        Expr::Unary(UnaryOp::Negate, inner) => {
            literal(emitter, *inner).map(|text| format!("-{text}"))
        }
        Expr::Intrinsic(Intrinsic::Complex, parts) => match parts.as_slice() {
            [re, im] => {
                let (re, im) = (literal(emitter, *re)?, literal(emitter, *im)?);
                Some(format!("({re}, {im})"))
            }
            _ => None,
        },
        _ => None,
    }
}
