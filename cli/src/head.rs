//! The head: which procedure, and which of its variables.
//!
//! `[module::]name[: inputs -> outputs]`. The grammar is [`HeadSpec`]; [`resolve`] finds what the
//! names mean in the user's program.

use contraflow_ad::analysis::Effects;
use contraflow_ad::callbacks::Bindings;
use contraflow_ir::{
    Container, ContainerId, Diagnostic, Home, Intent, Module, Passing, Procedure, ProcedureId,
    ProcedureRole, Sources, Storage, VarId, Variable,
};

/// A head as the user writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadSpec {
    /// The module or translation unit.
    pub container: Option<String>,
    /// The procedure.
    pub procedure: String,
    /// Inputs and outputs; `None`: by intent.
    pub variables: Option<(Vec<String>, Vec<String>)>,
}

/// A head that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Its inputs, in the order of the request or of the arguments.
    pub independents: Vec<VarId>,
    /// Its outputs.
    pub dependents: Vec<VarId>,
    /// The procedures that stand for its procedure arguments.
    pub bindings: Bindings,
}

impl HeadSpec {
    /// Reads the text of `--head`.
    ///
    /// # Errors
    /// What is not understood, with the grammar as help.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let (name, lists) = split_at_single_colon(text);
        let (container, procedure) = match name.rsplit_once("::") {
            Some((container, procedure)) => (Some(container.trim()), procedure.trim()),
            None => (None, name.trim()),
        };
        for part in container.iter().chain([&procedure]) {
            if !is_name(part) {
                return Err(not_understood(text, &format!("`{part}` is not a name")));
            }
        }
        let variables = match lists {
            None => None,
            Some(lists) => Some(parse_lists(text, lists)?),
        };
        Ok(Self {
            container: container.map(str::to_owned),
            procedure: procedure.to_owned(),
            variables,
        })
    }
}

fn split_at_single_colon(text: &str) -> (&str, Option<&str>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b':', Some(b':')) => at += 2,
            (b':', _) => return (&text[..at], Some(&text[at + 1..])),
            _ => at += 1,
        }
    }
    (text, None)
}

fn parse_lists(text: &str, lists: &str) -> Result<(Vec<String>, Vec<String>), Diagnostic> {
    let Some((inputs, outputs)) = lists.split_once("->") else {
        return Err(not_understood(
            text,
            "`->` between inputs and outputs is missing",
        ));
    };
    let names = |list: &str, what: &str| {
        let names: Vec<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
        let is_qualified = |name: &str| name.split("::").all(|part| is_name(part.trim()));
        match names.iter().find(|name| !is_qualified(name)) {
            Some(name) if name.is_empty() => Err(not_understood(
                text,
                &format!("a name among the {what} is missing"),
            )),
            Some(name) => Err(not_understood(text, &format!("`{name}` is not a name"))),
            None => Ok(names),
        }
    };
    Ok((names(inputs, "inputs")?, names(outputs, "outputs")?))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

fn not_understood(text: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        "head-syntax",
        format!("the head `{text}` is not understood: {why}"),
    )
    .with_help("write `name`, `module::name`, or `name: x, y -> f`")
}

/// Finds the head in the program.
///
/// # Errors
/// No such procedure (with the nearest names and their files), several (with their full names), no
/// source for it, or no such variable (with the arguments).
pub fn resolve(spec: &HeadSpec, module: &Module, sources: &Sources) -> Result<Head, Diagnostic> {
    let procedure = find_procedure(spec, module, sources)?;
    match &spec.variables {
        None => by_intent(procedure, module),
        Some((inputs, outputs)) => {
            let find = |names: &[String]| {
                names
                    .iter()
                    .map(|name| match name.rsplit_once("::") {
                        Some((container, name)) => {
                            find_global(module, procedure, container.trim(), name.trim())
                        }
                        None => find_variable(&module.procedures[procedure], name),
                    })
                    .collect::<Result<Vec<_>, _>>()
            };
            Ok(Head {
                procedure,
                independents: find(inputs)?,
                dependents: find(outputs)?,
                bindings: Bindings::new(),
            })
        }
    }
}

/// The one procedure of this name that has a body.
///
/// # Errors
/// There is none, or there are several.
pub fn find_procedure(
    spec: &HeadSpec,
    module: &Module,
    sources: &Sources,
) -> Result<ProcedureId, Diagnostic> {
    let named: Vec<ProcedureId> = candidates(module)
        .filter(|(_, procedure)| {
            procedure.name.eq_ignore_ascii_case(&spec.procedure)
                && in_container(module, &procedure.home, spec.container.as_deref())
        })
        .map(|(id, _)| id)
        .collect();
    let with_body: Vec<ProcedureId> = named
        .iter()
        .copied()
        .filter(|&id| module.procedures[id].has_body)
        .collect();
    match (with_body.as_slice(), named.as_slice()) {
        ([one], _) => Ok(*one),
        ([], []) => Err(unknown_head(spec, module, sources)),
        ([], [declared, ..]) => {
            let procedure = &module.procedures[*declared];
            Err(Diagnostic::error(
                "head-without-source",
                format!(
                    "`{}` is declared, but its source is not among the files",
                    procedure.name
                ),
            )
            .at(head_line(procedure.home.span, false), "declared here")
            .with_help("name the file that defines it as well"))
        }
        (several, _) => Err(ambiguous_head(spec, several, module)),
    }
}

fn candidates(module: &Module) -> impl Iterator<Item = (ProcedureId, &Procedure)> {
    module
        .procedures
        .iter()
        .filter(|(_, procedure)| procedure.role == ProcedureRole::Primal)
}

fn in_container(module: &Module, home: &Home, wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| {
        home.container
            .is_some_and(|id| module.containers[id].name.eq_ignore_ascii_case(wanted))
    })
}

fn unknown_head(spec: &HeadSpec, module: &Module, sources: &Sources) -> Diagnostic {
    let written = match &spec.container {
        Some(container) => format!("{container}::{}", spec.procedure),
        None => spec.procedure.clone(),
    };
    let names: Vec<&str> = candidates(module)
        .filter(|(_, procedure)| procedure.has_body)
        .map(|(_, procedure)| procedure.name.as_str())
        .collect();
    let diagnostic =
        Diagnostic::error("unknown-head", format!("there is no procedure `{written}`"));
    if names.is_empty() {
        return diagnostic.with_note("no procedure was found in the files");
    }
    let near = nearest(&spec.procedure, names.iter().copied());
    let shown: Vec<String> = candidates(module)
        .filter(|(_, p)| p.has_body && near.contains(&p.name.as_str()))
        .map(|(id, p)| match place(sources, &p.home) {
            Some(place) => format!("`{}` in {place}", full_name(module, id)),
            None => format!("`{}`", full_name(module, id)),
        })
        .collect();
    if shown.is_empty() {
        let mut all: Vec<&str> = names;
        all.sort_unstable();
        all.dedup();
        let more = if all.len() > 12 { ", …" } else { "" };
        let some: Vec<&str> = all.into_iter().take(12).collect();
        return diagnostic.with_note(format!("the files define {}{more}", some.join(", ")));
    }
    diagnostic.with_help(format!("the nearest names are\n{}", shown.join("\n")))
}

fn ambiguous_head(spec: &HeadSpec, ids: &[ProcedureId], module: &Module) -> Diagnostic {
    let names: Vec<String> = ids
        .iter()
        .map(|&id| format!("`{}`", full_name(module, id)))
        .collect();
    let start = Diagnostic::error(
        "ambiguous-head",
        format!("there are {} procedures `{}`", ids.len(), spec.procedure),
    );
    ids.iter()
        .fold(start, |diagnostic, &id| {
            diagnostic.at(head_line(module.procedures[id].home.span, false), "")
        })
        .with_help(format!("write one of {}", names.join(", ")))
}

/// `module::name`, or the name alone for an external procedure.
pub fn full_name(module: &Module, id: ProcedureId) -> String {
    let procedure = &module.procedures[id];
    match procedure.home.container {
        Some(container) => format!("{}::{}", container_name(module, container), procedure.name),
        None => procedure.name.clone(),
    }
}

fn container_name(module: &Module, id: ContainerId) -> &str {
    let Container { name, .. } = &module.containers[id];
    name
}

fn place(sources: &Sources, home: &Home) -> Option<String> {
    home.span.is_some().then(|| {
        let file = sources.file(home.span.file);
        let (line, _) = file.line_column(home.span.start as usize);
        format!("{}:{line}", file.path.display())
    })
}

fn find_variable(procedure: &Procedure, name: &str) -> Result<VarId, Diagnostic> {
    if let Some(result) = procedure.result() {
        let is_result = name.eq_ignore_ascii_case(&procedure.name)
            || name.eq_ignore_ascii_case("return")
            || name.eq_ignore_ascii_case(&procedure.variables[result].name);
        if is_result {
            return Ok(result);
        }
    }
    let found = procedure.variable_named(name);
    let var = found.filter(|&var| {
        procedure.variables[var].outlives_call() || procedure.variables[var].is_argument()
    });
    let Some(var) = var else {
        return Err(unknown_variable(procedure, name, found));
    };
    let variable = &procedure.variables[var];
    if may_be_active(variable) {
        return Ok(var);
    }
    Err(Diagnostic::error(
        "passive-variable",
        format!(
            "`{name}` of `{}` is neither real nor complex",
            procedure.name
        ),
    )
    .at(variable.span, "declared here")
    .with_help(list_arguments(procedure)))
}

/// A variable of a module, as the procedure sees it; it may have another name there.
fn find_global(
    module: &Module,
    id: ProcedureId,
    container: &str,
    name: &str,
) -> Result<VarId, Diagnostic> {
    let procedure = &module.procedures[id];
    let is_meant = |variable: &Variable| {
        let Storage::Global(global) = variable.storage else {
            return false;
        };
        let global = &module.globals[global];
        let home = global.container.map(|id| container_name(module, id));
        global.name.eq_ignore_ascii_case(name)
            && home.is_some_and(|home| home.eq_ignore_ascii_case(container))
    };
    let mut variables = procedure.variables.iter();
    let found = variables.find(|(_, variable)| is_meant(variable));
    let (var, variable) = found.ok_or_else(|| {
        Diagnostic::error(
            "unknown-variable",
            format!("`{}` does not use `{container}::{name}`", procedure.name),
        )
        .at(head_line(procedure.home.span, false), "")
        .with_help("name the variable in a procedure that uses it, and differentiate that one")
    })?;
    if may_be_active(variable) {
        return Ok(var);
    }
    Err(Diagnostic::error(
        "passive-variable",
        format!("`{container}::{name}` is neither real nor complex"),
    )
    .at(variable.span, "declared here"))
}

fn unknown_variable(procedure: &Procedure, name: &str, local: Option<VarId>) -> Diagnostic {
    let message = match local {
        Some(_) => format!(
            "`{name}` is a local of `{}`, not an argument",
            procedure.name
        ),
        None => format!("`{}` has no argument `{name}`", procedure.name),
    };
    let place = local.map_or(procedure.home.span, |var| procedure.variables[var].span);
    let label = if local.is_some() { "declared here" } else { "" };
    Diagnostic::error("unknown-variable", message)
        .at(head_line(place, local.is_some()), label)
        .with_help(list_arguments(procedure))
}

/// The start of a procedure rather than all of its text.
fn head_line(span: contraflow_ir::Span, whole: bool) -> contraflow_ir::Span {
    if whole || !span.is_some() {
        return span;
    }
    contraflow_ir::Span {
        end: span.start + 1,
        ..span
    }
}

fn list_arguments(procedure: &Procedure) -> String {
    let mut names: Vec<&str> = procedure
        .arguments
        .iter()
        .map(|&var| &procedure.variables[var])
        .filter(|variable| may_be_active(variable))
        .map(|variable| variable.name.as_str())
        .collect();
    if procedure.result().is_some() {
        names.push(&procedure.name);
    }
    match names.len() {
        0 => format!("`{}` has no real or complex argument", procedure.name),
        _ => format!("what can be differentiated is {}", names.join(", ")),
    }
}

/// Records and pointers may hold reals: the analysis of activity looks into them.
fn may_be_active(variable: &Variable) -> bool {
    use contraflow_ir::Type;
    variable.ty.is_differentiable() || matches!(variable.ty, Type::Record(_) | Type::Pointer(_))
}

/// Every argument of a real or complex type by its intent; where the source does not say, by what
/// the procedure and its callees do to it. The function's value is an output.
fn by_intent(id: ProcedureId, module: &Module) -> Result<Head, Diagnostic> {
    let procedure = &module.procedures[id];
    let effects = Effects::of(module);
    let mut head = Head {
        procedure: id,
        independents: Vec::new(),
        dependents: Vec::new(),
        bindings: Bindings::new(),
    };
    for (position, &var) in procedure.arguments.iter().enumerate() {
        let variable = &procedure.variables[var];
        if !variable.ty.is_differentiable() {
            continue;
        }
        let touch = effects.argument(id, position);
        let by_value = variable.passing == Passing::Value || variable.read_only;
        let (input, output) = match variable.intent {
            _ if by_value => (true, false),
            Intent::In => (true, false),
            Intent::Out => (false, true),
            Intent::InOut | Intent::Unspecified => (touch.read || !touch.write, touch.write),
        };
        if input {
            head.independents.push(var);
        }
        if output {
            head.dependents.push(var);
        }
    }
    let result = procedure.result();
    head.dependents
        .extend(result.filter(|&var| procedure.variables[var].ty.is_differentiable()));
    for (list, what) in [(&head.independents, "input"), (&head.dependents, "output")] {
        if list.is_empty() {
            return Err(Diagnostic::error(
                "nothing-to-differentiate",
                format!("`{}` has no real or complex {what}", procedure.name),
            )
            .at(head_line(procedure.home.span, false), "")
            .with_help("write the variables: `--head 'name: x, y -> f'`"));
        }
    }
    Ok(head)
}

/// The names nearest to `wanted`, best first: at most three, and none that differs in more than a
/// third of its letters.
pub fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = wanted.to_ascii_lowercase();
    let limit = (wanted.len() / 3).max(2);
    let mut near: Vec<(usize, &str)> = names
        .map(|name| (distance(&wanted, &name.to_ascii_lowercase()), name))
        .filter(|&(distance, _)| distance <= limit)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Edits between two names; a name that contains the other is one edit away.
fn distance(wanted: &str, name: &str) -> usize {
    let contained =
        wanted.len() >= 4 && (name.contains(wanted) || wanted.contains(name) && name.len() >= 4);
    let edits = strsim::damerau_levenshtein(wanted, name);
    if contained { edits.min(1) } else { edits }
}

#[cfg(test)]
mod tests {
    use super::{HeadSpec, nearest, resolve};
    use contraflow_ir::{
        Container, ContainerKind, FileId, Intent, Module, Procedure, Sources, Span, Storage, Type,
        Variable,
    };

    fn spec(text: &str) -> HeadSpec {
        HeadSpec::parse(text).expect("a head")
    }

    #[test]
    fn a_head_may_be_a_name_alone() {
        let head = spec("foo");
        assert_eq!(head.procedure, "foo");
        assert_eq!(head.container, None);
        assert_eq!(head.variables, None);
    }

    #[test]
    fn a_head_may_name_its_module_and_variables() {
        let head = spec("flow::step : u,  v -> u");
        assert_eq!(head.container.as_deref(), Some("flow"));
        assert_eq!(head.procedure, "step");
        let (inputs, outputs) = head.variables.expect("lists");
        assert_eq!(inputs, ["u", "v"]);
        assert_eq!(outputs, ["u"]);
    }

    #[test]
    fn a_malformed_head_is_answered() {
        for text in [
            "",
            "foo:",
            "foo: x",
            "foo: x ->",
            "foo: -> y",
            "foo: x y -> z",
            "a::",
            "foo: 1x -> y",
            "foo: m:: -> y",
        ] {
            let error = HeadSpec::parse(text).expect_err(text);
            assert_eq!(error.code, "head-syntax", "{text}");
        }
    }

    fn argument(name: &str, index: u32, intent: Intent, ty: Type) -> Variable {
        Variable {
            storage: Storage::Argument { index },
            intent,
            ..Variable::scalar(name, ty)
        }
    }

    fn module_with(names: &[(&str, Option<&str>)]) -> Module {
        let mut module = Module::default();
        for (name, container) in names {
            let mut procedure = Procedure::new(*name);
            for (index, (name, intent, ty)) in [
                ("x", Intent::In, Type::REAL8),
                ("n", Intent::In, Type::INT),
                ("w", Intent::InOut, Type::REAL8),
                ("y", Intent::Out, Type::REAL8),
            ]
            .into_iter()
            .enumerate()
            {
                let var = procedure
                    .variables
                    .add(argument(name, index as u32, intent, ty));
                procedure.arguments.push(var);
            }
            procedure
                .variables
                .add(Variable::scalar("local", Type::REAL8));
            procedure.home.container = container.map(|container| {
                module.containers.add(Container {
                    name: container.to_owned(),
                    kind: ContainerKind::Module,
                    file: FileId(0),
                    span: Span::NONE,
                    declare_at: 0,
                    insert_at: 0,
                    has_contains: true,
                })
            });
            module.procedures.add(procedure);
        }
        module
    }

    #[test]
    fn without_a_list_intents_decide() {
        let mut module = module_with(&[("foo", None)]);
        let id = module.procedures_named("foo")[0];
        let procedure = &mut module.procedures[id];
        // `w = w + x`: read and written.
        let [x, w] = ["x", "w"].map(|name| procedure.variable_named(name).expect("declared"));
        let mut builder = contraflow_ir::Builder::new(procedure);
        let value = builder.load(x);
        let increment = builder.increment(contraflow_ir::Access::whole(w), value);
        procedure.body.push(increment);
        let head = resolve(&spec("FOO"), &module, &Sources::default()).expect("a head");
        let names = |vars: &[contraflow_ir::VarId]| {
            let variables = &module.procedures[id].variables;
            vars.iter()
                .map(|&var| variables[var].name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&head.independents), ["x", "w"]);
        assert_eq!(names(&head.dependents), ["w", "y"]);
    }

    fn error_of(names: &[(&str, Option<&str>)], head: &str) -> contraflow_ir::Diagnostic {
        let module = module_with(names);
        resolve(&spec(head), &module, &Sources::default()).expect_err("an error")
    }

    #[test]
    fn an_unknown_head_is_answered_with_the_nearest_names() {
        let error = error_of(&[("advect", Some("flow")), ("diffuse", None)], "advct");
        assert_eq!(error.code, "unknown-head");
        let help = error.help.expect("names");
        assert!(
            help.contains("`flow::advect`") && !help.contains("diffuse"),
            "{help}"
        );
    }

    #[test]
    fn a_head_in_two_modules_is_ambiguous() {
        let error = error_of(&[("step", Some("a")), ("step", Some("b"))], "step");
        assert_eq!(error.code, "ambiguous-head");
        assert_eq!(
            error.help.as_deref(),
            Some("write one of `a::step`, `b::step`")
        );
    }

    #[test]
    fn an_unknown_variable_is_answered_with_the_arguments() {
        let error = error_of(&[("foo", None)], "foo: z -> y");
        assert_eq!(error.code, "unknown-variable");
        assert_eq!(
            error.help.as_deref(),
            Some("what can be differentiated is x, w, y")
        );
        assert_eq!(
            error_of(&[("foo", None)], "foo: local -> y").code,
            "unknown-variable"
        );
        assert_eq!(
            error_of(&[("foo", None)], "foo: n -> y").code,
            "passive-variable"
        );
    }

    #[test]
    fn nearest_names_are_ordered_by_distance() {
        let names = ["dcomputepv", "dcomputepi", "omgcalc", "dcomputepw"];
        assert_eq!(nearest("DCOMPUTEPV", names.into_iter())[0], "dcomputepv");
        assert!(nearest("zzz", names.into_iter()).is_empty());
    }
}
