//! The text form of a module: deterministic, complete but for spans, and read back by
//! `parse`.
//!
//! ```text
//! procedure heat(n, u) {
//!   var n: i32 argument(0) value
//!   var u: f64[n from 0] argument(1)
//!   var i: i32
//!   loop i = 1, n - 2 {
//!     u[i] = 0.5 * (u[i - 1] + u[i + 1])
//!   }
//! }
//! ```
//!
//! A dimension is `extent from lower`; an extent that is not a number of elements is `:` (assumed),
//! `*` (assumed size), `&` (deferred) or `?` (unknown). A step of one is left out. An expression
//! has the type that follows from its operands; where it has another one, `:type` follows it.
//! Names that are words of the text form, or no identifiers, stand in backquotes.

use crate::module::{Container, ContainerKind, Field, Global, GlobalId, GlobalKind, Module};
use crate::module::{Procedure, ProcedureId, ProcedureRole, Record};
use crate::types::{Aliasing, Allocation, Extent, Intent, Passing, Role, Storage, VarId, Variable};

mod expressions;
mod statements;
mod twin;
pub(crate) mod words;

pub use twin::twin_text;
use words::{name, quoted, type_text};

/// The text of a whole module.
pub fn print(module: &Module) -> String {
    let mut text = String::new();
    for (_, container) in module.containers.iter() {
        text += &container_text(container);
    }
    for (_, record) in module.records.iter() {
        text += &record_text(record);
    }
    for (_, pointer) in module.pointers.iter() {
        let target = type_text(pointer.target);
        text += &format!("pointer {target}{}\n", spelling(&pointer.spelling));
    }
    for (_, common) in module.commons.iter() {
        text += &format!("common {} {}\n", quoted(&common.name), common.bytes);
    }
    for (id, global) in module.globals.iter() {
        text += &global_text(module, id, global);
    }
    for (_, procedure) in module.procedures.iter() {
        text += &print_procedure(module, procedure);
    }
    text
}

/// The text of one procedure of the module.
pub fn print_procedure(module: &Module, procedure: &Procedure) -> String {
    let mut printer = Printer {
        module,
        procedure,
        order: procedure.all_statements(),
        text: String::new(),
        depth: 0,
    };
    printer.procedure();
    printer.text
}

struct Printer<'m> {
    module: &'m Module,
    procedure: &'m Procedure,
    /// All statements in textual order; a statement is referred to by its position.
    order: Vec<crate::stmt::StmtId>,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text += &"  ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    fn procedure(&mut self) {
        let procedure = self.procedure;
        let arguments: Vec<String> = procedure.arguments.iter().map(|&v| self.var(v)).collect();
        let result = procedure
            .result()
            .map(|result| format!(" -> {}", self.var(result)))
            .unwrap_or_default();
        let title = name(&procedure.name);
        self.line(&format!(
            "procedure {title}({}){result} {{",
            arguments.join(", ")
        ));
        self.depth += 1;
        self.facts();
        for (_, variable) in procedure.variables.iter() {
            let line = self.variable(variable);
            self.line(&line);
        }
        self.block(&procedure.body);
        self.depth -= 1;
        self.line("}");
    }

    fn facts(&mut self) {
        let procedure = self.procedure;
        let home = &procedure.home;
        let role = match procedure.role {
            ProcedureRole::Primal => None,
            ProcedureRole::Lifted { of } => Some(("lifted", of)),
            ProcedureRole::Tangent { of } => Some(("tangent", of)),
            ProcedureRole::Adjoint { of } => Some(("adjoint", of)),
            ProcedureRole::Forward { of } => Some(("forward", of)),
            ProcedureRole::Backward { of } => Some(("backward", of)),
            ProcedureRole::Copy { of } => Some(("copy", of)),
            ProcedureRole::Helper { of } => Some(("helper", of)),
            ProcedureRole::Start { of } => Some(("start", of)),
        };
        let mut facts: Vec<String> = Vec::new();
        facts.extend(role.map(|(role, of)| format!("{role}({})", self.callee(of))));
        if home.span.is_some() || home.file != crate::source::Span::NONE.file {
            facts.push(format!("file({})", home.file.0));
        }
        facts.extend(home.container.map(|c| format!("container({})", c.index())));
        facts.extend(home.interface.map(|c| format!("interface({})", c.index())));
        facts.extend(home.host.map(|host| format!("host({})", self.callee(host))));
        facts.extend(procedure.labels.as_ref().map(|labels| {
            let numbers =
                std::iter::once(labels.which.index()).chain(labels.places.iter().copied());
            let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
            format!("labels({})", numbers.join(", "))
        }));
        let gives = procedure.gives;
        facts.extend(gives.map(|var| format!("gives({})", var.index())));
        let flags = [
            (procedure.is_private, "private"),
            (procedure.is_recursive, "recursive"),
            (procedure.is_pure, "pure"),
            (procedure.is_elemental, "elemental"),
            (procedure.scalars_by_value, "scalars_by_value"),
            (!procedure.has_body, "no_body"),
        ];
        facts.extend(
            flags
                .iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, flag)| (*flag).to_owned()),
        );
        facts.extend(
            home.prologue
                .iter()
                .map(|line| format!("prologue({})", quoted(line))),
        );
        for fact in facts {
            self.line(&format!("is {fact}"));
        }
    }

    fn variable(&self, variable: &Variable) -> String {
        let mut line = format!("var {}: {}", name(&variable.name), type_text(variable.ty));
        if variable.is_array() {
            let dims: Vec<String> = variable
                .shape
                .iter()
                .map(|dim| format!("{} from {}", self.extent(dim.extent), self.expr(dim.lower)))
                .collect();
            line += &format!("[{}]", dims.join(", "));
        }
        for word in self.attributes(variable) {
            line.push(' ');
            line += &word;
        }
        line
    }

    fn extent(&self, extent: Extent) -> String {
        match extent {
            Extent::Count(count) => self.expr(count),
            Extent::Assumed => ":".into(),
            Extent::AssumedSize => "*".into(),
            Extent::Deferred => "&".into(),
            Extent::Unknown => "?".into(),
        }
    }

    fn attributes(&self, variable: &Variable) -> Vec<String> {
        let mut words = vec![self.storage(variable.storage)];
        if variable.passing == Passing::Value {
            words.push("value".into());
        }
        words.push(
            match variable.intent {
                Intent::In => "in",
                Intent::Out => "out",
                Intent::InOut => "inout",
                Intent::Unspecified => "",
            }
            .into(),
        );
        words.push(allocation(variable.allocation).into());
        if variable.aliasing == Aliasing::May {
            words.push("may_alias".into());
        }
        if variable.optional {
            words.push("optional".into());
        }
        if variable.read_only {
            words.push("read_only".into());
        }
        if variable.polymorphic {
            words.push("polymorphic".into());
        }
        if variable.imported {
            words.push("imported".into());
        }
        words.push(match variable.role {
            Role::Primal => String::new(),
            Role::Shadow { of } => format!("shadow({})", self.var(of)),
            Role::Tape => "tape".into(),
            Role::Disk => "disk".into(),
            Role::Temporary => "temporary".into(),
        });
        if let Some(initial) = variable.initial {
            words.push(format!("initial({})", self.expr(initial)));
        }
        if !variable.values.is_empty() {
            let values = variable.values.iter();
            let values: Vec<String> = values
                .map(|&(count, value)| format!("{count}: {}", self.expr(value)))
                .collect();
            words.push(format!("values({})", values.join(", ")));
        }
        if let Some(length) = variable.length {
            words.push(format!("length({})", self.expr(length)));
        }
        if let Some(interface) = variable.interface {
            words.push(format!("interface({})", self.callee(interface)));
        }
        if let Some(text) = &variable.spelling {
            words.push(format!("spelling({})", quoted(text)));
        }
        words.retain(|word| !word.is_empty());
        words
    }

    fn storage(&self, storage: Storage) -> String {
        match storage {
            Storage::Argument { index } => format!("argument({index})"),
            Storage::Local => String::new(),
            Storage::Result => "result".into(),
            Storage::Saved => "saved".into(),
            Storage::Global(global) => format!("global({})", global.index()),
            Storage::Common { block, offset } => format!("common({}, {offset})", block.index()),
            Storage::Overlay { base, offset } => format!("overlay({}, {offset})", self.var(base)),
            Storage::Constant { value, global } => {
                let value = value.map_or("?".into(), |value| self.expr(value));
                match global {
                    Some(global) => format!("constant({value}, {})", global.index()),
                    None => format!("constant({value})"),
                }
            }
        }
    }

    fn var(&self, var: VarId) -> String {
        match self.procedure.variables.get(var) {
            Some(variable) => name(&variable.name),
            None => format!("{var:?}"),
        }
    }

    /// The procedure's name, with its number where the name is not unique.
    fn callee(&self, id: ProcedureId) -> String {
        let Some(procedure) = self.module.procedures.get(id) else {
            return format!("#{}", id.index());
        };
        let namesakes = self
            .module
            .procedures
            .iter()
            .filter(|(_, other)| other.name == procedure.name)
            .count();
        if namesakes == 1 {
            name(&procedure.name)
        } else {
            format!("{}#{}", name(&procedure.name), id.index())
        }
    }
}

fn allocation(allocation: Allocation) -> &'static str {
    match allocation {
        Allocation::Fixed => "",
        Allocation::Allocatable => "allocatable",
        Allocation::Pointer => "pointed",
    }
}

fn spelling(spelling: &Option<String>) -> String {
    spelling
        .as_ref()
        .map(|text| format!(" spelling({})", quoted(text)))
        .unwrap_or_default()
}

fn container_text(container: &Container) -> String {
    let kind = match container.kind {
        ContainerKind::Module => "module",
        ContainerKind::Submodule => "submodule",
        ContainerKind::Program => "program",
        ContainerKind::TranslationUnit => "unit",
        ContainerKind::Generated => "generated",
    };
    format!(
        "container {} {kind} file({}) declare({}) insert({}){}\n",
        name(&container.name),
        container.file.0,
        container.declare_at,
        container.insert_at,
        if container.has_contains {
            " contains"
        } else {
            ""
        }
    )
}

fn record_text(record: &Record) -> String {
    let kind = match (record.is_union, record.is_abstract) {
        (true, _) => " union",
        (false, true) => " abstract",
        (false, false) => "",
    };
    let container = record
        .container
        .map(|c| format!(" container({})", c.index()))
        .unwrap_or_default();
    let words = match (record.has_final, record.is_private) {
        (false, false) => "",
        (true, false) => " final",
        (false, true) => " private",
        (true, true) => " final private",
    };
    let mut text = format!(
        "record {}{kind}{words}{container} {{\n",
        quoted(&record.name)
    );
    for field in &record.fields {
        text += &field_text(field);
    }
    text + "}\n"
}

fn field_text(field: &Field) -> String {
    let read_only = if field.read_only { "read_only" } else { "" };
    let variant = field.variant_of.map(|of| format!("variant({of})"));
    let variant = variant.unwrap_or_default();
    let is_private = if field.is_private { "private" } else { "" };
    let words = [
        allocation(field.allocation),
        read_only,
        is_private,
        variant.as_str(),
    ];
    let words: String = words
        .iter()
        .filter(|word| !word.is_empty())
        .map(|word| format!(" {word}"))
        .collect();
    format!(
        "  field {}: {}{}{words}{}\n",
        name(&field.name),
        type_text(field.ty),
        fixed_shape(&field.shape),
        spelling(&field.spelling)
    )
}

fn fixed_shape(shape: &[(i64, Option<i64>)]) -> String {
    if shape.is_empty() {
        return String::new();
    }
    let dims: Vec<String> = shape
        .iter()
        .map(|(lower, extent)| {
            let extent = extent.map_or("&".into(), |extent| extent.to_string());
            format!("{extent} from {lower}")
        })
        .collect();
    format!("[{}]", dims.join(", "))
}

fn global_text(module: &Module, id: GlobalId, global: &Global) -> String {
    let kind = match global.kind {
        GlobalKind::Module => "module",
        GlobalKind::Constant => "constant",
        GlobalKind::External => "external",
        GlobalKind::FileStatic => "static",
        GlobalKind::Saved => "saved",
    };
    let mut text = format!(
        "global {}: {}{} {kind}",
        name(&global.name),
        type_text(global.ty),
        fixed_shape(&global.shape)
    );
    if let Some(container) = global.container {
        text += &format!(" container({})", container.index());
    }
    let made = allocation(global.allocation);
    if !made.is_empty() {
        text += &format!(" {made}");
    }
    if global.is_private {
        text += " private";
    }
    if let Some(of) = global.shadow_of {
        text += &format!(" shadow({})", of.index());
    }
    if let Some((procedure, var)) = global.declared_by {
        text += &format!(" declared_by({}, {})", procedure.index(), var.index());
    }
    if let Some(targets) = module.initial_targets.get(&id) {
        let targets: Vec<String> = targets.iter().map(|it| it.index().to_string()).collect();
        text += &format!(" leads_to({})", targets.join(", "));
    }
    text + &spelling(&global.spelling) + "\n"
}
