//! Output files: modules with procedures inserted, and new files for the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use contraflow_backend_common::placement::{self, says_line};
use contraflow_backend_common::{
    BREAK, ChangedContainer, ChangedFile, Edit, Form, KeywordCase, OutputFile, Style, Usage,
    Writer, placements, splice, style,
};
use contraflow_ir::{
    Aliasing, Allocation, Container, ContainerId, ContainerKind, Diagnostic, Global, GlobalId,
    GlobalKind, Module, Procedure, ProcedureId, Sources, Storage, Type,
};

use crate::Options;
use crate::calls::procedure_name;
use crate::emitter::{Emitter, Setting, is_fixed_form, is_from_c};
use crate::procedure::write_all;

use crate::{kept, state, visibility};

/// All output files.
pub(crate) fn all(
    module: &Module,
    sources: &Sources,
    derived: &[ProcedureId],
    options: &Options,
) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    let usage = Usage::new(module);
    let setting = Setting {
        module,
        sources,
        usage: &usage,
        options,
        companions: &[],
        form: None,
    };
    let hidden = visibility::hidden_callees(module, derived);
    let mut containers = containers_of_shadows(module);
    containers.extend(hidden.keys().copied());
    containers.extend(visibility::hidden_variables(module, derived).into_keys());
    let homes = derived.iter().map(|&id| &module.procedures[id].home);
    containers.extend(homes.filter_map(|home| home.interface.filter(|_| home.host.is_none())));
    containers.sort();
    containers.dedup();
    let placed = placements(module, derived, &containers, |procedure| {
        home_module(module, sources, procedure)
    });
    let mut files = Vec::new();
    let mut errors = Vec::new();
    if let Some(counter) = &options.counter {
        files.push(kept::module(counter));
    }
    let mut keep = |result: Result<OutputFile, Vec<Diagnostic>>| match result {
        Ok(file) => files.push(file),
        Err(found) => errors.extend(found),
    };
    for generated in state::modules(setting, derived) {
        keep(generated);
    }
    for changed in &placed.in_place {
        keep(in_place(setting, changed, &hidden, derived));
    }
    let (from_c, native): (Vec<ProcedureId>, Vec<ProcedureId>) = placed
        .beside
        .iter()
        .partition(|&&id| is_from_c(sources, &module.procedures[id]));
    if !native.is_empty() {
        keep(beside(setting, &native));
    }
    if !from_c.is_empty() {
        keep(new_module(setting, &from_c));
    }
    if errors.is_empty() {
        Ok(files)
    } else {
        Err(errors)
    }
}

/// The Fortran module or program that a procedure must be put in.
fn home_module(module: &Module, sources: &Sources, procedure: &Procedure) -> Option<ContainerId> {
    procedure
        .home
        .container
        .filter(|&c| is_fortran(&module.containers[c]) && !is_from_c(sources, procedure))
}

fn is_fortran(container: &Container) -> bool {
    match container.kind {
        ContainerKind::Module | ContainerKind::Submodule | ContainerKind::Program => true,
        ContainerKind::TranslationUnit | ContainerKind::Generated => false,
    }
}

/// Fortran modules that shadows of module variables are declared in.
fn containers_of_shadows(module: &Module) -> Vec<ContainerId> {
    let mut containers: Vec<ContainerId> = module
        .globals
        .iter()
        .filter(|(_, global)| global.shadow_of.is_some())
        .filter_map(|(_, global)| global.container)
        .filter(|&c| is_fortran(&module.containers[c]))
        .collect();
    containers.sort();
    containers.dedup();
    containers
}

/// The user's file with declarations and procedures inserted.
fn in_place(
    setting: Setting<'_>,
    changed: &ChangedFile,
    hidden: &BTreeMap<ContainerId, BTreeSet<ProcedureId>>,
    derived: &[ProcedureId],
) -> Result<OutputFile, Vec<Diagnostic>> {
    let source = setting.sources.file(changed.file);
    let mut edits = Vec::new();
    let mut errors = Vec::new();
    for ChangedContainer {
        container,
        procedures,
    } in &changed.containers
    {
        let hidden = hidden.get(container).cloned().unwrap_or_default();
        let separate = visibility::separate(setting.module, derived, *container);
        let inserted = Inserted {
            procedures,
            hidden: &hidden,
            separate: &separate,
            derived,
        };
        match insertions(setting, *container, &inserted) {
            Ok(found) => edits.extend(found),
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let name = file_name(&source.path);
    match splice(&source.bytes, &edits) {
        Some(text) => Ok(OutputFile { name, text }),
        None => Err(vec![Diagnostic::error(
            "cannot-insert",
            format!("`{name}` has no place for the derived procedures"),
        )]),
    }
}

/// What a container gets.
struct Inserted<'a> {
    procedures: &'a [ProcedureId],
    /// Private procedures that others call.
    hidden: &'a BTreeSet<ProcedureId>,
    /// Separate module procedures whose interface it declares.
    separate: &'a [ProcedureId],
    /// All derived procedures, wherever they stand.
    derived: &'a [ProcedureId],
}

fn insertions(
    setting: Setting<'_>,
    id: ContainerId,
    inserted: &Inserted<'_>,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let procedures = inserted.procedures;
    let container = &setting.module.containers[id];
    let bytes = &setting.sources.file(container.file).bytes;
    let mut edits = Vec::new();
    let declarations = module_declarations(setting, id, inserted)?;
    if !declarations.is_empty() {
        let at = placement::insertion_point(bytes, container.declare_at as usize);
        edits.push(Edit::insert(
            at,
            placement::fitted(bytes, at, &declarations),
        ));
    }
    if !procedures.is_empty() {
        let mut out = Writer::new(Form::FortranFree, "", "", 132);
        write_all(setting, procedures, &mut out)?;
        let contains = if container.has_contains {
            String::new()
        } else {
            let indent = style::indentation_at(bytes, container.span.start as usize);
            format!(
                "\n{indent}{}\n",
                module_style(setting, container).keyword("contains")
            )
        };
        let at = placement::insertion_point(bytes, container.insert_at as usize);
        let text = format!("{contains}\n{}\n", out.finish());
        edits.push(Edit::insert(at, placement::fitted(bytes, at, &text)));
    }
    Ok(edits)
}

fn module_style(setting: Setting<'_>, container: &Container) -> Style {
    let bytes = &setting.sources.file(container.file).bytes;
    let mut style = Style::of(bytes, &Style::plain("  ", 100), 132);
    if let Some(keywords) = setting.options.keywords {
        style.keywords = keywords;
    }
    style
}

/// Shadows of module variables, who sees the derived procedures, and generic names for private
/// procedures that derived procedures of other modules call.
fn module_declarations(
    setting: Setting<'_>,
    id: ContainerId,
    inserted: &Inserted<'_>,
) -> Result<String, Vec<Diagnostic>> {
    let Inserted {
        procedures,
        hidden,
        separate,
        derived,
    } = *inserted;
    let container = &setting.module.containers[id];
    let source = setting.sources.file(container.file);
    let style = module_style(setting, container);
    let fixed = source.language == Some(contraflow_ir::Language::FortranFixed);
    let form = if fixed {
        Form::FortranFixed
    } else {
        Form::FortranFree
    };
    let base = style::indentation_at(&source.bytes, container.span.start as usize);
    let mut out = Writer::new(form, &base, &style.unit, style.width);
    out.indent();
    let variables = visibility::hidden_variables(setting.module, derived);
    let mut span = container.span;
    span.end = container.declare_at.clamp(span.start, span.end);
    let hides = says_line(&setting.sources.snippet(span), "private");
    for global in shadows(setting.module, id) {
        let public = if hides {
            format!(", {}", style.keyword("public"))
        } else {
            String::new()
        };
        out.line(&global_declaration(setting.module, global, &style, &public));
    }
    for &global in variables.get(&id).into_iter().flatten() {
        let public = if hides { ", public" } else { "" };
        for line in second_name(setting.module, global, &style, public) {
            out.line(&line);
        }
    }
    for &callee in hidden {
        let callee = &setting.module.procedures[callee];
        let name = visibility::access_name(setting.module, callee);
        out.line(&format!("{} {name}", style.keyword("interface")));
        out.indent();
        out.line(&format!(
            "{} {}",
            style.keyword("module procedure"),
            callee.name
        ));
        out.dedent();
        out.line(&format!("{} {name}", style.keyword("end interface")));
        if hides {
            out.line(&format!("{} :: {name}", style.keyword("public")));
        }
    }
    let mut errors = Vec::new();
    if !separate.is_empty() {
        out.line(&style.keyword("interface"));
        out.indent();
        for &id in separate {
            let mut emitter = Emitter::new(setting, id);
            for line in emitter.interface(id, None) {
                out.line(&line);
            }
            errors.append(&mut emitter.errors);
        }
        out.dedent();
        out.line(&style.keyword("end interface"));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let is_own = |id: &&ProcedureId| setting.module.procedures[**id].home.interface.is_none();
    let declared: Vec<ProcedureId> = procedures
        .iter()
        .filter(is_own)
        .chain(separate)
        .copied()
        .collect();
    if container.kind == ContainerKind::Module
        && let Some((word, names)) = visibilities(setting.module, &declared, hides)
    {
        let names = names.join(&format!(",{BREAK} "));
        out.line(&format!("{} :: {names}", style.keyword(word)));
    }
    Ok(out.finish())
}

/// Who is seen outside of the module, where that is not what the module says of all.
fn visibilities<'m>(
    module: &'m Module,
    procedures: &[ProcedureId],
    hides: bool,
) -> Option<(&'static str, Vec<&'m str>)> {
    let (word, shows) = if hides {
        ("public", true)
    } else {
        ("private", false)
    };
    let names: Vec<&str> = procedures
        .iter()
        .filter(|&&id| visibility::is_seen(module, id) == shows)
        .map(|&id| module.procedures[id].name.as_str())
        .collect();
    (!names.is_empty()).then_some((word, names))
}

fn shadows(module: &Module, container: ContainerId) -> impl Iterator<Item = &Global> {
    module
        .globals
        .iter()
        .map(|(_, global)| global)
        .filter(move |global| {
            global.shadow_of.is_some()
                && global.container == Some(container)
                && global.kind == GlobalKind::Module
        })
}

/// The declaration of the shadow of a module variable. It starts as zero.
/// Whether pointers may lead to the variable that a global is the shadow of.
fn is_target(module: &Module, global: &Global) -> bool {
    let Some(of) = global.shadow_of else {
        return false;
    };
    global.allocation != Allocation::Pointer
        && module.procedures.iter().any(|(_, procedure)| {
            procedure.variables.iter().any(|(_, variable)| {
                variable.storage == Storage::Global(of) && variable.aliasing == Aliasing::May
            })
        })
}

fn dimensions(global: &Global) -> String {
    let dims: Vec<String> = global
        .shape
        .iter()
        .map(|&(lower, extent)| match extent {
            None => ":".to_owned(),
            Some(extent) if lower == 1 => extent.to_string(),
            Some(extent) => format!("{lower}:{}", lower + extent - 1),
        })
        .collect();
    match dims.is_empty() {
        true => String::new(),
        false => format!("({})", dims.join(",")),
    }
}

fn global_declaration(module: &Module, global: &Global, style: &Style, extra: &str) -> String {
    let spelling = global
        .shadow_of
        .and_then(|of| module.globals[of].spelling.clone())
        .or_else(|| global.spelling.clone())
        .unwrap_or_else(|| plain_type(global.ty, style));
    let dims = dimensions(global);
    let (attribute, initial) = match (global.allocation, global.ty) {
        (Allocation::Allocatable, _) => (", allocatable", ""),
        (Allocation::Pointer, _) => (", pointer", " => null()"),
        (Allocation::Fixed, Type::Real { bytes: 8 }) => ("", " = 0.0d0"),
        (Allocation::Fixed, Type::Real { .. }) => ("", " = 0.0"),
        (Allocation::Fixed, _) => ("", ""),
    };
    let target = match is_target(module, global) {
        true => ", target",
        false => "",
    };
    format!(
        "{spelling}{}{}{extra} :: {}{dims}{}",
        style.keyword(attribute),
        style.keyword(target),
        global.name,
        style.keyword(initial)
    )
}

/// The declaration of another name for the memory of a private variable.
fn second_name(module: &Module, id: GlobalId, style: &Style, public: &str) -> [String; 2] {
    let global = &module.globals[id];
    let name = visibility::variable_access_name(module, global);
    let spelling = global
        .spelling
        .clone()
        .unwrap_or_else(|| plain_type(global.ty, style));
    let public = style.keyword(public);
    let dims = dimensions(global);
    [
        format!("{spelling}{public} :: {name}{dims}"),
        format!("{} ({}, {name})", style.keyword("equivalence"), global.name),
    ]
}

fn plain_type(ty: Type, style: &Style) -> String {
    match ty {
        Type::Real { bytes } => style.keyword(&format!("real({bytes})")),
        Type::Complex { bytes } => style.keyword(&format!("complex({bytes})")),
        Type::Integer { bytes, .. } => style.keyword(&format!("integer({bytes})")),
        _ => style.keyword("logical"),
    }
}

/// External procedures in a file named after the last of them.
fn beside(setting: Setting<'_>, ids: &[ProcedureId]) -> Result<OutputFile, Vec<Diagnostic>> {
    let module = setting.module;
    let fixed = ids
        .iter()
        .all(|&id| is_fixed_form(setting.sources, &module.procedures[id]));
    let form = if fixed {
        Form::FortranFixed
    } else {
        Form::FortranFree
    };
    let setting = Setting {
        form: Some(form),
        ..setting
    };
    let mut out = Writer::new(form, "", "", 132);
    write_all(setting, ids, &mut out)?;
    let extension = if fixed { "f" } else { "f90" };
    Ok(OutputFile {
        name: format!("{}.{extension}", last_name(module, ids)),
        text: out.finish().into_bytes(),
    })
}

/// C functions in a new module, so that they see each other's interfaces.
fn new_module(setting: Setting<'_>, ids: &[ProcedureId]) -> Result<OutputFile, Vec<Diagnostic>> {
    let module = setting.module;
    let companions = with_private_callees(setting, ids);
    let setting = Setting {
        companions: &companions,
        ..setting
    };
    let keyword = |word: &str| match setting.options.keywords {
        Some(KeywordCase::Upper) => word.to_ascii_uppercase(),
        _ => word.to_owned(),
    };
    let mut procedures = Writer::new(Form::FortranFree, "", "", 132);
    let globals = write_all(setting, &companions, &mut procedures)?;
    let name = last_name(module, ids);
    let mut out = Writer::new(Form::FortranFree, "", "  ", 132);
    out.line(&format!("{} {name}_module", keyword("module")));
    out.indent();
    if !globals.is_empty() {
        out.line(&keyword("use, intrinsic :: iso_c_binding"));
    }
    out.line(&keyword("implicit none"));
    let mut errors = Vec::new();
    for global in globals {
        match c_global(module, global) {
            Ok(line) => out.line(&line),
            Err(found) => errors.push(found),
        }
    }
    out.dedent();
    out.line(&keyword("contains"));
    out.blank();
    out.verbatim(&procedures.finish());
    out.blank();
    out.line(&format!("{} {name}_module", keyword("end module")));
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(OutputFile {
        name: format!("{name}.f90"),
        text: out.finish().into_bytes(),
    })
}

/// `static` functions are not seen outside of their file, so they are written again.
fn with_private_callees(setting: Setting<'_>, ids: &[ProcedureId]) -> Vec<ProcedureId> {
    placement::with_callees(setting.module, ids, |callee| {
        callee.is_private && callee.has_body
    })
}

fn c_global(module: &Module, id: GlobalId) -> Result<String, Diagnostic> {
    let global = &module.globals[id];
    let kind = match global.ty {
        Type::Real { bytes: 4 } => "real(c_float)",
        Type::Real { bytes: 8 } => "real(c_double)",
        Type::Integer { bytes: 4, .. } => "integer(c_int)",
        Type::Integer { bytes: 8, .. } => "integer(c_int64_t)",
        _ => "",
    };
    let known = global.shape.iter().all(|dim| dim.1.is_some());
    if kind.is_empty() || !known || global.kind == GlobalKind::FileStatic {
        return Err(Diagnostic::error(
            "not-in-fortran",
            format!(
                "the global `{}` cannot be reached from Fortran output",
                global.name
            ),
        )
        .at(global.span, "")
        .with_help("ask for C output"));
    }
    let dims: Vec<String> = global
        .shape
        .iter()
        .map(|&(lower, extent)| format!("{lower}:{}", lower + extent.unwrap_or(1) - 1))
        .collect();
    let dims = if dims.is_empty() {
        String::new()
    } else {
        format!("({})", dims.join(","))
    };
    Ok(format!(
        "{kind}, bind(c, name=\"{0}\") :: {0}{dims}",
        global.name
    ))
}

fn last_name(module: &Module, ids: &[ProcedureId]) -> String {
    ids.last().map_or_else(
        || "derived".to_owned(),
        |&id| procedure_name(&module.procedures[id]),
    )
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || "derived.f90".to_owned(),
        |n| n.to_string_lossy().into_owned(),
    )
}
