//! `--before`: procedures that prepare what the head needs, called before each call of the head or of a
//! derivative: `init`, `tables::init(1004.0, n, [1,2,3])`.

use super::design::{Setting, formal_of};
use super::experiment::{Before, Element, Quantity};
use super::quantities::{Role, Unsaid, quantity};
use super::values::{Values, not_understood};
use contraflow_ir::{
    ContainerKind, Diagnostic, Module, Passing, Procedure, ProcedureId, ProcedureRole, VarId,
};

/// The calls that the user asks for.
#[derive(Clone, Default, Debug)]
pub struct Calls {
    calls: Vec<Written>,
}

#[derive(Clone, Debug)]
struct Written {
    text: String,
    container: Option<String>,
    procedure: String,
    values: Vec<String>,
}

impl Calls {
    /// Reads the arguments of `--before`.
    ///
    /// # Errors
    /// What is not understood.
    pub fn parse(arguments: &[String]) -> Result<Self, Diagnostic> {
        let calls = arguments.iter().map(|text| written(text));
        Ok(Self {
            calls: calls.collect::<Result<_, _>>()?,
        })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// The values that are written in the calls.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.calls
            .iter()
            .flat_map(|call| call.values.iter().map(String::as_str))
    }
}

fn written(text: &str) -> Result<Written, Diagnostic> {
    let wrong = |why: &str| {
        not_understood("--before", text, why)
            .with_help("write `--before 'name(values)'` or `--before 'module::name(values)'`")
    };
    let (name, values) = match text.split_once('(') {
        None => (text, ""),
        Some((name, rest)) => {
            let inside = rest.trim_end().strip_suffix(')');
            (name, inside.ok_or_else(|| wrong("`)` is missing"))?)
        }
    };
    let (container, procedure) = match name.rsplit_once("::") {
        Some((container, procedure)) => (Some(container.trim().to_owned()), procedure.trim()),
        None => (None, name.trim()),
    };
    if procedure.is_empty() {
        return Err(wrong("the name is missing"));
    }
    Ok(Written {
        text: text.to_owned(),
        container,
        procedure: procedure.to_owned(),
        values: split(values),
    })
}

/// At commas that stand in no brackets.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0i32;
    for c in text.chars() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let parts: Vec<String> = parts.iter().map(|part| part.trim().to_owned()).collect();
    match parts.as_slice() {
        [only] if only.is_empty() => Vec::new(),
        _ => parts,
    }
}

/// The calls, with their arguments.
///
/// # Errors
/// No such procedure, the wrong number of values, or values that do not fit.
pub fn design(module: &Module, setting: &Setting) -> Result<Vec<Before>, Vec<Diagnostic>> {
    let mut calls = Vec::new();
    let mut errors = Vec::new();
    for written in &setting.before.calls {
        match find(module, written).and_then(|id| call(module, id, written, setting)) {
            Ok(call) => calls.push(call),
            Err(error) => errors.push(error),
        }
    }
    match errors.is_empty() {
        true => Ok(calls),
        false => Err(errors),
    }
}

fn find(module: &Module, written: &Written) -> Result<ProcedureId, Diagnostic> {
    let fits = |procedure: &Procedure| {
        procedure.role == ProcedureRole::Primal
            && procedure.has_body
            && procedure.home.host.is_none()
            && procedure.name.eq_ignore_ascii_case(&written.procedure)
            && written.container.as_deref().is_none_or(|wanted| {
                let container = procedure.home.container;
                container.is_some_and(|id| module.containers[id].name.eq_ignore_ascii_case(wanted))
            })
    };
    let found: Vec<ProcedureId> = module
        .procedures
        .iter()
        .filter(|(_, procedure)| fits(procedure))
        .map(|(id, _)| id)
        .collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Diagnostic::error(
            "unknown-before",
            format!(
                "there is no procedure `{}` to call before",
                written.procedure
            ),
        )
        .with_help("name the file that defines it as well")),
        _ => Err(Diagnostic::error(
            "ambiguous-before",
            format!(
                "there are {} procedures `{}`",
                found.len(),
                written.procedure
            ),
        )
        .with_help(format!("write `--before 'module::{}'`", written.procedure))),
    }
}

fn call(
    module: &Module,
    id: ProcedureId,
    written: &Written,
    setting: &Setting,
) -> Result<Before, Diagnostic> {
    let procedure = &module.procedures[id];
    let container = procedure.home.container.map(|id| &module.containers[id]);
    let owner = container
        .filter(|container| container.kind == ContainerKind::Module)
        .map(|container| container.name.clone());
    if procedure.is_private && owner.is_some() {
        return Err(Diagnostic::error(
            "check-private",
            format!("`{}` is private, so no driver can call it", procedure.name),
        ));
    }
    if procedure.arguments.len() != written.values.len() {
        return Err(not_understood(
            "--before",
            &written.text,
            &format!(
                "`{}` has {} arguments",
                procedure.name,
                procedure.arguments.len()
            ),
        ));
    }
    // The procedure's own names and values must not be taken for the head's.
    let mut own = setting.clone();
    for (&var, value) in procedure.arguments.iter().zip(&written.values) {
        let value = match setting.values.evaluate(value) {
            Ok(number) => number.to_string(),
            Err(_) => value.trim_matches(['[', ']']).to_owned(),
        };
        own.values.put(&procedure.variables[var].name, &value);
    }
    let variables = procedure
        .arguments
        .iter()
        .map(|&var| argument(procedure, var, &own))
        .collect::<Result<_, _>>()?;
    let variable = |&var: &VarId| &procedure.variables[var];
    Ok(Before {
        id,
        name: procedure.name.clone(),
        module: owner,
        is_private: procedure.is_private,
        variables,
        by_value: procedure
            .arguments
            .iter()
            .map(|var| variable(var).passing == Passing::Value)
            .collect(),
        formals: procedure
            .arguments
            .iter()
            .map(|var| formal_of(variable(var)))
            .collect(),
    })
}

fn argument(procedure: &Procedure, var: VarId, own: &Setting) -> Result<Quantity, Diagnostic> {
    let mut found = quantity(procedure, var, Role::default(), own, Unsaid::Drawn)?;
    if let (Element::Character(length), Values::Texts(texts)) = (found.element, &found.values) {
        let longest = texts.iter().map(|text| text.len() as u64).max();
        found.element = Element::Character(length.max(longest.unwrap_or(1)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Calls, split, written};

    #[test]
    fn values_are_split_outside_of_brackets() {
        assert_eq!(split("1, [2,3], n"), ["1", "[2,3]", "n"]);
        assert!(split(" ").is_empty());
    }

    #[test]
    fn a_call_names_its_module() {
        let call = written("tables::init(1004.0)").expect("a call");
        assert_eq!(call.container.as_deref(), Some("tables"));
        assert_eq!((call.procedure.as_str(), call.values.len()), ("init", 1));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for text in ["init(1", "(1)", "m::"] {
            let error = Calls::parse(&[text.to_owned()]).expect_err(text);
            assert_eq!(error.code, "option-syntax", "{text}");
        }
    }
}
