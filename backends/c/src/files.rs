//! Output files: translation units with functions added, and new files with their headers.

use std::collections::BTreeSet;

use contraflow_backend_common::{
    ChangedContainer, ChangedFile, Edit, Form, OutputFile, Usage, Writer, placement, splice,
};
use contraflow_ir::{
    Callee, ContainerId, ContainerKind, Diagnostic, Global, GlobalId, GlobalKind, Module,
    Procedure, ProcedureId, ProcedureRole, Sources, Stmt, Storage, Type,
};

use crate::Options;
use crate::emitter::{Needs, Place, Setting, is_from_c, style_of};
use crate::helpers::Helper;
use crate::procedure::{prototype, write};
use crate::types::{base_of, is_built_in, plain_name, record_behind, stars_of};
use crate::{chunks, header, kept, state};

/// All output files.
pub(crate) fn all(
    module: &Module,
    sources: &Sources,
    derived: &[ProcedureId],
    options: &Options,
) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    let usage = Usage::new(module);
    let bound = units_that_bind(module, sources, derived);
    let placed = placement::placements(module, derived, &bound, |procedure| {
        procedure.home.container.filter(|c| bound.contains(c))
    });
    let setting = Setting {
        module,
        sources,
        usage: &usage,
        options,
        derived,
        hidden: &[],
        place: Place::UsersFile,
        bound: &bound,
        has_beside: !placed.beside.is_empty(),
    };
    let mut files = options.counter.as_ref().map_or_else(Vec::new, kept::files);
    let mut errors = Vec::new();
    for changed in &placed.in_place {
        match in_place(setting, changed) {
            Ok(file) => {
                files.push(file);
                files.extend(header::of_changed(setting, changed));
            }
            Err(found) => errors.extend(found),
        }
    }
    if !placed.beside.is_empty() {
        let setting = Setting {
            place: Place::OwnFile,
            ..setting
        };
        match beside(setting, &placed.beside) {
            Ok(found) => files.extend(found),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(files)
    } else {
        Err(errors)
    }
}

/// Translation units whose derived functions need what only that file has: `static` functions and
/// variables, types.
fn units_that_bind(
    module: &Module,
    sources: &Sources,
    derived: &[ProcedureId],
) -> Vec<ContainerId> {
    let mut units: Vec<ContainerId> = derived
        .iter()
        .map(|&id| &module.procedures[id])
        .filter(|procedure| is_from_c(sources, procedure) && needs_its_unit(module, procedure))
        .filter_map(|procedure| procedure.home.container)
        .filter(|&c| module.containers[c].kind == ContainerKind::TranslationUnit)
        .collect();
    units.sort();
    units.dedup();
    units
}

fn needs_its_unit(module: &Module, procedure: &Procedure) -> bool {
    let calls_static = placement::callees(procedure)
        .into_iter()
        .any(|callee| module.procedures[callee].is_private);
    let bound_variable = procedure.variables.iter().any(|(_, variable)| {
        let spelt = variable.spelling.as_deref().is_some_and(|spelling| {
            !is_built_in(&base_of(spelling)) && plain_name(variable.ty).is_none()
        });
        let global = match variable.storage {
            Storage::Global(global) => module.globals[global].kind == GlobalKind::FileStatic,
            _ => false,
        };
        spelt || global || matches!(variable.ty, Type::Record(_))
    });
    // What a file calls without a body here, it has the header of.
    let names_unknown = procedure.all_statements().into_iter().any(|id| {
        matches!(
            procedure.stmt(id),
            Stmt::Opaque { .. }
                | Stmt::Call {
                    callee: Callee::External(_),
                    ..
                }
        )
    });
    procedure.is_private || calls_static || bound_variable || names_unknown
}

/// The user's file with shadows and functions inserted.
fn in_place(setting: Setting<'_>, changed: &ChangedFile) -> Result<OutputFile, Vec<Diagnostic>> {
    let source = setting.sources.file(changed.file);
    let mut edits = Vec::new();
    for ChangedContainer {
        container: id,
        procedures,
    } in &changed.containers
    {
        let container = &setting.module.containers[*id];
        let (texts, mut needs) = write_all(setting, procedures)?;
        let state = state(setting, procedures, &mut needs)?;
        // Shadows of types that the file declares stand after these.
        let (shadows, typed): (Vec<String>, Vec<String>) = setting
            .module
            .globals
            .iter()
            .filter(|(_, global)| global.container == Some(*id))
            .filter(|(global, _)| {
                // What other files do not see is defined only where it is used.
                needs.globals.contains(global) || !is_file_static(setting.module, *global)
            })
            .filter_map(|(_, global)| shadow_definition(setting, global))
            .chain(shadows_of_others(setting, *id, procedures, &needs))
            .partition(|line| starts_built_in(line));
        let (shadows, typed) = (shadows.concat(), typed.concat());
        if !shadows.is_empty() {
            let at = placement::insertion_point(&source.bytes, container.declare_at as usize);
            edits.push(Edit::insert(
                at,
                placement::fitted(&source.bytes, at, &shadows),
            ));
        }
        let text = source.text();
        let mut includes = includes(&needs, Some(&text));
        if let (Some(at), false) = (after_first_header(&source.bytes), includes.is_empty()) {
            let lines = std::mem::take(&mut includes);
            edits.push(Edit::insert(
                at,
                placement::fitted(&source.bytes, at, &lines),
            ));
        }
        let preamble = preamble(setting, &needs, procedures, Some(&text));
        let preamble = after_includes(includes, preamble);
        let text = format!("\n{preamble}{typed}{state}{texts}");
        let at = (container.insert_at as usize).min(source.bytes.len());
        edits.push(Edit::insert(
            at,
            placement::fitted(&source.bytes, at, &text),
        ));
    }
    let name = source.path.file_name().map_or_else(
        || "derived.c".to_owned(),
        |n| n.to_string_lossy().into_owned(),
    );
    match splice(&source.bytes, &edits) {
        Some(text) => Ok(OutputFile { name, text }),
        None => Err(vec![Diagnostic::error(
            "cannot-insert",
            format!("`{name}` has no place for the derived functions"),
        )]),
    }
}

/// The texts of procedures with empty lines between, and what they need.
fn write_all(
    setting: Setting<'_>,
    ids: &[ProcedureId],
) -> Result<(String, Needs), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut needs = Needs::default();
    let mut texts = Vec::new();
    for &id in ids {
        match write(setting, id) {
            Ok(written) => {
                texts.push(written.text);
                needs.join(written.needs);
            }
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok((texts.join("\n"), needs))
    } else {
        Err(errors)
    }
}

/// After the first line that includes a system header whatever holds, so that no macro of the user's
/// is there yet which another system header would stumble over. Before the user's own headers, where there
/// are no others, but for one that configures what system headers declare (`config.h`).
fn after_first_header(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut end) = (0i32, 0usize);
    let mut before_own = None;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        end += line.len();
        let Some(directive) = line.trim_ascii_start().strip_prefix(b"#") else {
            continue;
        };
        let directive = directive.trim_ascii_start();
        if directive.starts_with(b"if") {
            depth += 1;
        } else if directive.starts_with(b"endif") {
            depth -= 1;
        } else if let Some(header) = directive.strip_prefix(b"include") {
            if depth > 0 || !line.ends_with(b"\n") {
                continue;
            }
            if header.trim_ascii_start().starts_with(b"<") {
                return Some(end);
            }
            let configures = header.windows(6).any(|part| part == b"config");
            before_own.get_or_insert(if configures { end } else { end - line.len() });
        }
    }
    before_own
}

/// Lines that include headers. With `present`, those that stand in that text are left out.
fn includes(needs: &Needs, present: Option<&str>) -> String {
    let lines = needs
        .headers
        .iter()
        .map(|header| format!("#include <{header}>"));
    lines
        .filter(|line| !present.is_some_and(|text| text.lines().any(|l| l.trim() == line)))
        .map(|line| line + "\n")
        .collect()
}

fn after_includes(includes: String, text: String) -> String {
    match includes.is_empty() {
        true => text,
        false => format!("{includes}\n{text}"),
    }
}

/// Globals, prototypes and helpers. With `present`, the text of the file that it goes
/// into, what is there already is left out.
fn preamble(
    setting: Setting<'_>,
    needs: &Needs,
    ids: &[ProcedureId],
    present: Option<&str>,
) -> String {
    let unit = unit_of(setting, ids);
    let mut out = Writer::new(Form::C, "", &unit, 100);
    for &global in &needs.globals {
        let global = &setting.module.globals[global];
        let is_users = global.shadow_of.is_none() && !is_generated(setting.module, global);
        if present.is_none() && is_users {
            out.line(&format!("extern {};", global_declarator(setting, global)));
        }
    }
    for prototype in &needs.prototypes {
        out.line(prototype);
    }
    for head in foreign_heads(setting, needs, ids, present.is_some()) {
        out.line(&format!("{head};"));
    }
    let is_declared = |head: &str| present.is_none() && !head.starts_with("static ");
    for head in heads_ahead(setting, ids) {
        if !is_declared(&head) {
            out.line(&format!("{head};"));
        }
    }
    out.blank();
    let counter = setting.options.counter.as_ref();
    if let Some(counter) = counter {
        out.verbatim(&kept::prototypes(counter));
    }
    if needs.helpers.contains(&Helper::GrownTape) {
        out.verbatim(&chunks::HEADER.replace("    ", &unit));
        out.blank();
    }
    for helper in &needs.helpers {
        out.verbatim(&helper.text(&unit, counter));
        out.blank();
    }
    out.finish()
}

pub(crate) fn is_generated(module: &Module, global: &Global) -> bool {
    let container = global.container.map(|c| module.containers[c].kind);
    container == Some(ContainerKind::Generated)
}

/// What the functions keep between calls.
fn state(
    setting: Setting<'_>,
    ids: &[ProcedureId],
    needs: &mut Needs,
) -> Result<String, Vec<Diagnostic>> {
    let mut out = Writer::new(Form::C, "", "    ", 100);
    let errors = state::write(setting, ids, needs, &mut out);
    if !errors.is_empty() {
        return Err(errors);
    }
    let text = out.finish();
    Ok(if text.is_empty() { text } else { text + "\n" })
}

/// The indentation of the procedures.
fn unit_of(setting: Setting<'_>, ids: &[ProcedureId]) -> String {
    let first = ids.first().map(|&id| &setting.module.procedures[id]);
    first.map_or_else(
        || "    ".to_owned(),
        |procedure| style_of(setting, procedure, !is_from_c(setting.sources, procedure)).unit,
    )
}

/// Heads of the functions that are called but not written here. In the user's own file, its
/// primal functions are declared.
fn foreign_heads(
    setting: Setting<'_>,
    needs: &Needs,
    ids: &[ProcedureId],
    in_place: bool,
) -> Vec<String> {
    let written: BTreeSet<&ProcedureId> = ids.iter().collect();
    needs
        .callees
        .iter()
        .filter(|id| !written.contains(id))
        .filter(|&&id| {
            let primal = setting.module.procedures[id].role == ProcedureRole::Primal;
            !(in_place && primal)
        })
        .map(|&id| prototype(setting, id, false))
        .collect()
}

/// Heads of the functions that are called by functions written before them.
fn heads_ahead(setting: Setting<'_>, ids: &[ProcedureId]) -> Vec<String> {
    let mut ahead = BTreeSet::new();
    for (at, &id) in ids.iter().enumerate() {
        let callees = placement::callees(&setting.module.procedures[id]);
        ahead.extend(
            callees
                .into_iter()
                .filter(|callee| ids[at + 1..].contains(callee)),
        );
    }
    ahead
        .into_iter()
        .map(|id| prototype(setting, id, false))
        .collect()
}

/// A new source file and its header, named after the last procedure.
fn beside(setting: Setting<'_>, ids: &[ProcedureId]) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    let module = setting.module;
    let all = placement::with_callees(module, ids, |callee| {
        callee.has_body && !is_from_c(setting.sources, callee)
    });
    let hidden = &all[..all.len() - ids.len()];
    let setting = Setting { hidden, ..setting };
    let (texts, mut needs) = write_all(setting, &all)?;
    let state = state(setting, &all, &mut needs)?;
    let name = ids.last().map_or_else(
        || "derived".to_owned(),
        |&id| module.procedures[id].name.clone(),
    );
    // Those that only functions in the user's files name, and whose own unit stays as it is, too.
    let named = setting
        .derived
        .iter()
        .flat_map(|&id| module.procedures[id].variables.iter())
        .filter_map(|(_, variable)| match variable.storage {
            Storage::Global(global) => Some(global),
            _ => None,
        })
        .filter(|&id| !is_file_static(module, id) && !is_of_bound(setting, &module.globals[id]));
    let wanted: BTreeSet<GlobalId> = needs.globals.iter().copied().chain(named).collect();
    let shadows: Vec<&Global> = wanted
        .into_iter()
        .map(|id| &module.globals[id])
        .filter(|global| global.shadow_of.is_some() && !is_generated(module, global))
        .collect();
    let definitions: String = shadows
        .iter()
        .filter(|global| !is_of_bound(setting, global))
        .filter_map(|global| shadow_definition(setting, global))
        .collect();
    let separator = if definitions.is_empty() { "" } else { "\n" };
    let source = format!(
        "#include \"{name}.h\"\n\n{}{state}{definitions}{separator}{texts}",
        after_includes(
            includes(&needs, None),
            preamble(setting, &needs, &all, None)
        )
    );
    Ok(vec![
        OutputFile {
            name: format!("{name}.c"),
            text: source.into_bytes(),
        },
        OutputFile {
            name: format!("{name}.h"),
            text: header::of_new_file(setting, &name, ids, &shadows).into_bytes(),
        },
    ])
}

/// Whether the file that declares a global gets derived functions, and with them its shadows.
fn is_of_bound(setting: Setting<'_>, global: &Global) -> bool {
    let container = global.container;
    container.is_some_and(|container| setting.bound.contains(&container))
}

/// Shadows of other units' globals that functions in this unit name: declared, or defined where no other
/// file does it.
fn shadows_of_others(
    setting: Setting<'_>,
    own: ContainerId,
    procedures: &[ProcedureId],
    needs: &Needs,
) -> Vec<String> {
    let module = setting.module;
    let has_head = setting
        .derived
        .last()
        .is_some_and(|head| procedures.contains(head));
    let all = needs.globals.iter().map(|&id| (id, &module.globals[id]));
    all.filter(|(_, global)| global.shadow_of.is_some() && !is_generated(module, global))
        .filter(|&(id, global)| global.container != Some(own) && !is_file_static(module, id))
        .filter_map(|(_, global)| {
            let is_elsewhere = setting.has_beside || is_of_bound(setting, global) || !has_head;
            match is_elsewhere {
                true => Some(format!("extern {};\n", global_declarator(setting, global))),
                false => shadow_definition(setting, global),
            }
        })
        .collect()
}

/// Whether a global, or what it is the shadow of, is seen in its own file only.
pub(crate) fn is_file_static(module: &Module, global: GlobalId) -> bool {
    let of = module.globals[global].shadow_of.unwrap_or(global);
    module.globals[of].kind == GlobalKind::FileStatic
}

/// Whether the first word of a declaration, but for what it says of storage, is a type that needs no
/// declaration.
fn starts_built_in(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.find(|word| !matches!(*word, "static" | "extern"));
    first.is_some_and(is_built_in)
}

/// The definition of the shadow of a global; it starts as zero.
fn shadow_definition(setting: Setting<'_>, global: &Global) -> Option<String> {
    let of: GlobalId = global.shadow_of?;
    let storage = match setting.module.globals[of].kind {
        GlobalKind::FileStatic => "static ",
        GlobalKind::External | GlobalKind::Module | GlobalKind::Constant | GlobalKind::Saved => "",
    };
    Some(format!(
        "{storage}{};\n",
        global_declarator(setting, global)
    ))
}

pub(crate) fn global_declarator(setting: Setting<'_>, global: &Global) -> String {
    let base = global
        .spelling
        .as_deref()
        .map(base_of)
        .filter(|base| setting.place == Place::UsersFile && !base.is_empty() || is_built_in(base))
        .unwrap_or_else(|| {
            let named = (setting.place == Place::Header)
                .then(|| record_behind(setting.module, global.ty))
                .flatten();
            match named {
                Some(record) => setting.module.records[record].name.clone(),
                None => plain_name(global.ty).unwrap_or("double").to_owned(),
            }
        });
    let dims: String = global
        .shape
        .iter()
        .rev()
        .map(|&(_, extent)| extent.map_or("[]".to_owned(), |n| format!("[{n}]")))
        .collect();
    let stars = stars_of(setting.module, global.ty);
    format!("{base} {stars}{}{dims}", global.name)
}
