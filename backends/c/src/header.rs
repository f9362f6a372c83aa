//! Headers of derived functions, for C and C++: of those in a file of their own, and of those that stand
//! in the user's files.
//!
//! A struct that is only pointed to needs a declaration of its tag. One that is passed as a value, or that
//! has no tag, must be known: the header includes what the user's file includes. Where that file alone
//! declares it, no other file can call the function, and the header says so in place of its prototype.

use std::collections::BTreeSet;

use contraflow_backend_common::{ChangedFile, Form, OutputFile, Writer};
use contraflow_ir::{
    FileId, Global, GlobalKind, Module, Passing, Procedure, ProcedureId, RecordId, Type, Variable,
};

use crate::emitter::{Place, Setting};
use crate::files::{global_declarator, is_file_static, is_generated};
use crate::procedure::prototype;
use crate::types::record_behind;

/// What stands between the guards, but for what is C's own.
#[derive(Default)]
struct Contents {
    /// Lines that include what the user's file includes.
    includes: Vec<String>,
    /// Structs that are declared by their tags.
    tags: BTreeSet<String>,
    /// Shared variables.
    variables: Vec<String>,
    /// Each function's head in C, and as C++ has it.
    heads: Vec<(String, String)>,
    /// What is left out, and why.
    remarks: Vec<String>,
}

/// The header of functions in a file of their own.
pub(crate) fn of_new_file(
    setting: Setting<'_>,
    name: &str,
    ids: &[ProcedureId],
    shadows: &[&Global],
) -> String {
    let declared = |global: &&Global| format!("extern {};", global_declarator(setting, global));
    text(
        name,
        &Contents {
            variables: shadows.iter().map(declared).collect(),
            heads: ids.iter().filter_map(|&id| heads(setting, id)).collect(),
            ..Contents::default()
        },
    )
}

/// The header of the functions that are put into one of the user's files, named after the last; none if no
/// other file can call them.
pub(crate) fn of_changed(setting: Setting<'_>, changed: &ChangedFile) -> Option<OutputFile> {
    let setting = Setting {
        place: Place::Header,
        ..setting
    };
    let module = setting.module;
    let mut contents = Contents::default();
    let mut needs_definitions = false;
    let mut last = None;
    for &id in changed.containers.iter().flat_map(|c| &c.procedures) {
        let procedure = &module.procedures[id];
        let Some(heads) = heads(setting, id) else {
            continue;
        };
        last = Some(procedure.name.clone());
        let mut uses = Vec::new();
        uses_of(module, procedure, &mut uses);
        let hidden = uses
            .iter()
            .find(|used| used.is_hidden_in(module, changed.file));
        if let Some(used) = hidden {
            let ty = &module.records[used.record].name;
            let what = &procedure.name;
            contents.remarks.push(format!(
                "{what} is left out: only its own file declares `{ty}`."
            ));
            continue;
        }
        needs_definitions |= uses.iter().any(|used| used.is_whole);
        let tags = uses
            .iter()
            .map(|used| module.records[used.record].name.clone());
        contents.tags.extend(tags.filter(|name| has_tag(name)));
        contents.heads.push(heads);
    }
    let name = last?;
    contents.variables = shadows(setting, changed);
    if needs_definitions {
        contents.includes = included(&setting.sources.file(changed.file).text());
    }
    Some(OutputFile {
        name: format!("{name}.h"),
        text: text(&name, &contents).into_bytes(),
    })
}

/// A struct in a function's parameters or value.
struct Use {
    record: RecordId,
    /// Whether its members must be known.
    is_whole: bool,
}

impl Use {
    /// Whether the members must be known and only `file` declares them.
    fn is_hidden_in(&self, module: &Module, file: FileId) -> bool {
        let record = &module.records[self.record];
        self.is_whole && (record.local.is_some() || record.span.file == file)
    }
}

fn uses_of(module: &Module, procedure: &Procedure, uses: &mut Vec<Use>) {
    for &id in procedure.arguments.iter().chain(&procedure.result()) {
        let variable = &procedure.variables[id];
        if let Some(interface) = variable.interface {
            uses_of(module, &module.procedures[interface], uses);
        }
        if let Some(record) = record_behind(module, variable.ty) {
            let is_whole = is_value(variable) || !has_tag(&module.records[record].name);
            uses.push(Use { record, is_whole });
        }
    }
}

/// Whether a parameter, or a value, is a struct itself, or rows of structs.
fn is_value(variable: &Variable) -> bool {
    let is_itself = variable.passing == Passing::Value && !variable.is_array();
    matches!(variable.ty, Type::Record(_)) && (is_itself || variable.rank() > 1)
}

fn has_tag(name: &str) -> bool {
    name.starts_with("struct ") || name.starts_with("union ")
}

/// Declarations of the shadows that are defined with the functions, where their types are numbers.
fn shadows(setting: Setting<'_>, changed: &ChangedFile) -> Vec<String> {
    let module = setting.module;
    let is_of_file = |global: &Global| {
        let of = |c| changed.containers.iter().any(|found| found.container == c);
        global.container.is_some_and(of)
    };
    let shared = module.globals.iter().filter(|(id, global)| {
        global.shadow_of.is_some()
            && global.kind != GlobalKind::FileStatic
            && !is_file_static(module, *id)
            && !is_generated(module, global)
            && is_of_file(global)
            && record_behind(module, global.ty).is_none()
    });
    shared
        .map(|(_, global)| format!("extern {};", global_declarator(setting, global)))
        .collect()
}

/// The lines of a text that include headers whatever holds.
fn included(text: &str) -> Vec<String> {
    let mut depth = 0i32;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim) {
        let Some(directive) = line.strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") {
            depth -= 1;
        } else if depth == 0 && directive.starts_with("include") {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// A function's head in C, and as C++ has it; none if other files do not see it.
fn heads(setting: Setting<'_>, id: ProcedureId) -> Option<(String, String)> {
    let head = prototype(setting, id, false);
    let is_seen = !head.starts_with("static ");
    is_seen.then(|| (head, prototype(setting, id, true)))
}

fn text(name: &str, contents: &Contents) -> String {
    let guard = format!("{}_H", name.to_ascii_uppercase());
    let mut out = Writer::new(Form::C, "", "    ", 100);
    out.line(&format!("#ifndef {guard}"));
    out.line(&format!("#define {guard}"));
    out.blank();
    let has_complex = contents
        .heads
        .iter()
        .any(|(head, _)| head.contains("complex"));
    if has_complex {
        out.line("#include <complex.h>");
    }
    for line in &contents.includes {
        out.line(line);
    }
    if has_complex || !contents.includes.is_empty() {
        out.blank();
    }
    for remark in &contents.remarks {
        out.comment(remark);
    }
    out.line("#ifdef __cplusplus");
    out.line("extern \"C\" {");
    out.line("#endif");
    out.blank();
    for tag in &contents.tags {
        out.line(&format!("{tag};"));
    }
    for variable in &contents.variables {
        out.line(variable);
    }
    for (head, plain) in &contents.heads {
        if head == plain {
            out.line(&format!("{head};"));
        } else {
            out.line("#ifdef __cplusplus");
            out.line(&format!("{plain};"));
            out.line("#else");
            out.line(&format!("{head};"));
            out.line("#endif");
        }
    }
    out.blank();
    out.line("#ifdef __cplusplus");
    out.line("}");
    out.line("#endif");
    out.blank();
    out.line("#endif");
    out.finish()
}
