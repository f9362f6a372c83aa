//! One procedure: head, specification part, body, end.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_backend_common::{BREAK, Usage, Writer, placement};
use contraflow_ir::{
    Allocation, ContainerKind, Diagnostic, Expr, Extent, GlobalId, Module, ProcedureId,
    ProcedureKind, ProcedureRole, Sources, Stmt, Type, VarId,
};

use crate::Options;
use crate::calls::procedure_name;
use crate::emitter::{Emitter, Setting, is_from_c};

/// A written procedure.
pub(crate) struct Text {
    pub text: String,
    /// C globals that the enclosing module must declare.
    pub c_globals: BTreeSet<GlobalId>,
}

/// The text of one procedure that stands alone.
pub(crate) fn standalone(
    module: &Module,
    sources: &Sources,
    id: ProcedureId,
    options: &Options,
) -> Result<String, Vec<Diagnostic>> {
    let usage = Usage::new(module);
    let setting = Setting {
        module,
        sources,
        usage: &usage,
        options,
        companions: &[],
        form: None,
    };
    write(setting, id).map(|written| written.text)
}

/// The text of one procedure in its setting.
pub(crate) fn write(setting: Setting<'_>, id: ProcedureId) -> Result<Text, Vec<Diagnostic>> {
    let mut emitter = Emitter::new(setting, id);
    let mut out = emitter.out.clone();
    emitter.out.indent();
    let body = emitter.body();
    let declarations = emitter.declarations();
    let mut interfaces = emitter.interfaces();
    if let Some(text) = placement::description(emitter.module, emitter.procedure) {
        out.comment(&text);
    }
    out.line(&emitter.head());
    out.indent();
    for line in emitter.context(&mut interfaces, &declarations, &body) {
        let text = line.to_ascii_lowercase();
        if text.starts_with("end") {
            out.dedent();
        }
        out.line(&line);
        if text.starts_with("type") {
            out.indent();
        }
    }
    for line in interfaces.iter().chain(&declarations) {
        out.line(line);
    }
    for line in emitter.namelists(&body) {
        out.line(&line);
    }
    if !body.is_empty() {
        out.blank();
    }
    for line in emitter.unused_arguments() {
        out.line(&line);
    }
    out.verbatim(&body);
    emitter.growing_procedures(&mut out);
    out.dedent();
    out.line(&emitter.end());
    if !emitter.errors.is_empty() {
        return Err(emitter.errors);
    }
    Ok(Text {
        text: out.finish(),
        c_globals: emitter.imports.c_globals,
    })
}

fn is_namelist(line: &str) -> bool {
    line.get(..8)
        .is_some_and(|word| word.eq_ignore_ascii_case("namelist"))
}

impl Emitter<'_> {
    /// The statements, after those that make memory for the tape.
    fn body(&mut self) -> String {
        let procedure = self.procedure;
        self.block(&procedure.body);
        self.count_released();
        self.close_scratch_files();
        self.return_to_label();
        let entry = self.out.sibling();
        let body = std::mem::replace(&mut self.out, entry);
        self.entry_allocations();
        self.open_scratch_files();
        self.count_made();
        let mut all = std::mem::replace(&mut self.out, body.sibling());
        all.append(body);
        all.finish()
    }

    /// Returns to the label that the procedure has found.
    fn return_to_label(&mut self) {
        if let Some(labels) = self.procedure.taken_labels() {
            self.used.insert(labels.which);
            let (word, which) = (self.k("return"), &self.names[labels.which.index()]);
            self.out.line(&format!("{word} {which}"));
        }
    }

    /// A block that tells the compiler of arguments that the derivative does not need.
    fn unused_arguments(&mut self) -> Vec<String> {
        let procedure = self.procedure;
        let is_users = procedure.role == ProcedureRole::Primal && !self.interop;
        if is_users && procedure.home.span.is_some() {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        for &id in &procedure.arguments {
            let variable = &procedure.variables[id];
            let plain = variable.allocation == Allocation::Fixed
                && !variable.optional
                && variable.ty != Type::Procedure;
            if self.used.contains(&id) || !plain {
                continue;
            }
            let name = self.names[id.index()].clone();
            let unused = self.namer.name(&format!("unused_{name}"));
            pairs.push(format!("{unused} => {}", self.first_element(id)));
        }
        if pairs.is_empty() {
            return Vec::new();
        }
        let list = pairs.join(&format!(",{BREAK} "));
        vec![
            format!("{} ({list})", self.k("associate")),
            self.k("end associate"),
        ]
    }

    /// An argument, or its first element where its size is not known.
    fn first_element(&mut self, id: VarId) -> String {
        let procedure = self.procedure;
        let variable = &procedure.variables[id];
        let name = self.names[id.index()].clone();
        let open = variable
            .shape
            .last()
            .is_some_and(|dim| matches!(dim.extent, Extent::AssumedSize | Extent::Unknown));
        if !open || self.singles.contains(&id) {
            return name;
        }
        let first: Vec<String> = variable
            .shape
            .iter()
            .map(|dim| self.index(dim.lower))
            .collect();
        format!("{name}({})", first.join(","))
    }

    fn head(&mut self) -> String {
        let procedure = self.procedure;
        let mut words = Vec::new();
        if procedure.home.interface.is_some() && procedure.home.host.is_none() && !self.interop {
            words.push(self.k("module"));
        }
        // Calls are of single elements; outside of a module `elemental` would ask for an interface.
        let is_seen = procedure.home.container.is_some();
        if procedure.is_elemental && is_seen && !self.interop {
            if self.counts() {
                words.push(self.k("impure"));
            }
            words.push(self.k("elemental"));
        } else if procedure.is_pure && !self.interop && !self.counts() {
            words.push(self.k("pure"));
        }
        if procedure.is_recursive {
            words.push(self.k("recursive"));
        }
        words.push(self.k(self.kind_word()));
        let name = self.shown_name();
        let mut formals: Vec<String> = procedure
            .arguments
            .iter()
            .map(|&a| self.names[a.index()].clone())
            .collect();
        if let Some(labels) = procedure.taken_labels() {
            for &place in labels.places.iter().rev() {
                formals.insert(place, "*".to_owned());
            }
        }
        let list = formals.join(&format!(",{BREAK} "));
        words.push(format!("{name}({list}){}", self.suffix(&name)));
        words.join(" ")
    }

    fn kind_word(&self) -> &'static str {
        match self.procedure.kind {
            ProcedureKind::Subroutine => "subroutine",
            ProcedureKind::Function { .. } => "function",
        }
    }

    /// `result(…)` and `bind(c)`.
    fn suffix(&self, name: &str) -> String {
        let mut suffix = String::new();
        if let Some(result) = self.procedure.result() {
            let result = &self.names[result.index()];
            if !result.eq_ignore_ascii_case(name) {
                suffix = format!(" {BREAK}{}({result})", self.k("result"));
            }
        }
        let original = &self.procedure.name;
        if self.interop && !self.procedure.is_private {
            suffix.push_str(&format!(" {BREAK}{}", self.k("bind(c")));
            if original != name || name.chars().any(|c| c.is_ascii_uppercase()) {
                suffix.push_str(&format!(", {}=\"{original}\"", self.k("name")));
            }
            suffix.push(')');
        }
        suffix
    }

    fn end(&self) -> String {
        let word = self.k(&format!("end {}", self.kind_word()));
        format!("{word} {}", self.shown_name())
    }

    fn shown_name(&self) -> String {
        let name = self.name_here.clone();
        name.unwrap_or_else(|| procedure_name(self.procedure))
    }

    /// `USE` and `IMPLICIT` lines: those that the text needs, and the primal's.
    fn context(
        &mut self,
        interfaces: &mut [String],
        declarations: &[String],
        body: &str,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        for (module, names) in [
            ("iso_c_binding", &self.imports.c_kinds),
            ("ieee_arithmetic", &self.imports.ieee),
        ] {
            if !names.is_empty() {
                let names: Vec<&str> = names.iter().copied().collect();
                lines.push(format!(
                    "{} :: {module},{BREAK} {}: {}",
                    self.k("use, intrinsic"),
                    self.k("only"),
                    names.join(&format!(",{BREAK} "))
                ));
            }
        }
        let text = [
            interfaces.join("\n"),
            declarations.join("\n"),
            body.to_owned(),
        ]
        .join("\n");
        let prologue = self.prologue(&text);
        lines.extend(self.extra_uses(&prologue));
        lines.extend(prologue);
        if self.may_say_implicit_none(&lines) {
            lines.push(self.k("implicit none"));
        }
        lines
    }

    /// Entities of other modules that the primal's `USE` lines do not name.
    fn extra_uses(&self, prologue: &[String]) -> Vec<String> {
        let uses: &BTreeMap<String, BTreeSet<String>> = &self.imports.uses;
        uses.iter()
            .map(|(module, names)| {
                let whole = format!("use {}", module.to_ascii_lowercase());
                let has_all = prologue
                    .iter()
                    .any(|line| line.trim().to_ascii_lowercase() == whole);
                // A `USE` of all brings nothing in under another name.
                let wanted = |name: &&str| !has_all || name.contains("=>");
                let names = names.iter().map(String::as_str);
                (module, names.filter(wanted).collect::<Vec<&str>>())
            })
            .filter(|(_, names)| !names.is_empty())
            .map(|(module, names)| {
                format!(
                    "{} {module}, {}: {BREAK}{}",
                    self.k("use"),
                    self.k("only"),
                    names.join(&format!(",{BREAK} "))
                )
            })
            .collect()
    }

    /// The primal's lines, without names that only the primal needs.
    fn prologue(&self, text: &str) -> Vec<String> {
        if self.interop {
            return Vec::new();
        }
        let words: BTreeSet<String> = text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let own = &self.procedure.home.prologue;
        let mut lines: Vec<String> = self
            .host_prologue()
            .iter()
            .filter(|line| !own.contains(line))
            .chain(own)
            .filter_map(|line| self.trimmed_use(line, &words))
            .collect();
        lines.retain(|line| !is_namelist(line));
        let is_use = |line: &String| line.to_ascii_lowercase().starts_with("use");
        lines.sort_by_key(|line| !is_use(line));
        lines
    }

    /// The primal's namelists that the body names; they stand after the declarations.
    fn namelists(&self, body: &str) -> Vec<String> {
        let body = body.to_ascii_lowercase();
        let words: BTreeSet<&str> = body
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .collect();
        let lines = self.procedure.home.prologue.iter();
        lines
            .filter(|line| is_namelist(line))
            .filter(|line| {
                let lower = line.to_ascii_lowercase();
                let mut names = lower.split('/').skip(1).step_by(2);
                names.any(|name| words.contains(name.trim()))
            })
            .cloned()
            .collect()
    }

    /// The derivative of an internal procedure stands outside of the host, whose lines it needs.
    fn host_prologue(&self) -> &[String] {
        match self.procedure.home.host {
            Some(host) if self.procedure.role != ProcedureRole::Primal => {
                &self.module.procedures[host].home.prologue
            }
            _ => &[],
        }
    }

    /// An `only` list without the variables and procedures that the text does not name.
    fn trimmed_use(&self, line: &str, words: &BTreeSet<String>) -> Option<String> {
        let lower = line.trim().to_ascii_lowercase();
        let colon = line.find(':').filter(|_| lower.starts_with("use"));
        let Some(colon) = colon.filter(|_| lower.contains("only") && !lower.contains("::")) else {
            return Some(line.trim().replace(", ", &format!(",{BREAK} ")));
        };
        let entities: Vec<&str> = line[colon + 1..].split(',').map(str::trim).collect();
        let kept: Vec<&str> = entities
            .iter()
            .copied()
            .filter(|entity| {
                let local = entity.split("=>").next().unwrap_or(entity).trim();
                words.contains(&local.to_ascii_lowercase()) || !self.is_known(local)
            })
            .collect();
        (!kept.is_empty()).then(|| {
            format!(
                "{} {}",
                line[..=colon].trim(),
                kept.join(&format!(",{BREAK} "))
            )
        })
    }

    /// Whether a name is that of a variable or procedure, not of a type or an operator.
    fn is_known(&self, name: &str) -> bool {
        let globals = self.module.globals.iter();
        globals
            .map(|(_, global)| &global.name)
            .any(|n| n.eq_ignore_ascii_case(name))
            || !self.module.procedures_named(name).is_empty()
            || self.variable_named(name).is_some()
    }

    /// Everything is declared, unless quoted text names something that is not.
    fn may_say_implicit_none(&self, lines: &[String]) -> bool {
        let said = lines
            .iter()
            .any(|line| line.trim().to_ascii_lowercase().starts_with("implicit"));
        let quoted = self
            .procedure
            .exprs
            .iter()
            .any(|(_, node)| matches!(node.expr, Expr::Opaque { .. }))
            || self
                .procedure
                .stmts
                .iter()
                .any(|(_, node)| matches!(node.stmt, Stmt::Opaque { .. }));
        !said && !quoted && !self.container_says_implicit_none()
    }

    fn container_says_implicit_none(&self) -> bool {
        if self.interop {
            return !self.companions.is_empty();
        }
        let Some(container) = self.procedure.home.container else {
            return false;
        };
        let container = &self.module.containers[container];
        if matches!(
            container.kind,
            ContainerKind::TranslationUnit | ContainerKind::Generated
        ) {
            return false;
        }
        let mut span = container.span;
        span.end = span.end.min(container.declare_at);
        placement::says_line(&self.sources.snippet(span), "implicit none")
    }

    /// Interface blocks and `external` declarations.
    fn interfaces(&mut self) -> Vec<String> {
        let mut inside = Vec::new();
        for (name, (count, ty)) in std::mem::take(&mut self.imports.c_library) {
            inside.extend(self.c_library_interface(&name, count, ty));
        }
        for callee in std::mem::take(&mut self.imports.interfaces) {
            inside.extend(self.interface(callee, None));
        }
        for (name, callee) in std::mem::take(&mut self.imports.dummies) {
            inside.extend(self.interface(callee, Some(name)));
        }
        let mut lines = Vec::new();
        if !inside.is_empty() {
            lines.push(self.k("interface"));
            lines.extend(inside.into_iter().map(|line| format!("  {line}")));
            lines.push(self.k("end interface"));
        }
        let external = self.k("external");
        for (name, ty) in std::mem::take(&mut self.imports.functions) {
            lines.push(format!("{ty}, {external} :: {name}"));
        }
        let intrinsic = self.k("intrinsic");
        for name in std::mem::take(&mut self.imports.intrinsics) {
            lines.push(format!("{intrinsic} :: {name}"));
        }
        for name in std::mem::take(&mut self.imports.externals) {
            lines.push(format!("{external} :: {name}"));
        }
        lines
    }

    pub(crate) fn interface(&mut self, callee: ProcedureId, name: Option<String>) -> Vec<String> {
        let mut emitter = Emitter::new(self.setting, callee);
        emitter.interop = self.interop || is_from_c(self.sources, emitter.procedure);
        emitter.style = self.style.clone();
        emitter.is_interface = true;
        emitter.name_here = name;
        let declarations = emitter.interface_declarations();
        let mut inner = emitter.interfaces();
        let mut lines = vec![emitter.head()];
        lines.extend(
            emitter
                .context(&mut inner, &declarations, "")
                .into_iter()
                .chain(inner)
                .chain(declarations)
                .map(|line| format!("  {line}")),
        );
        lines.push(emitter.end());
        self.errors.append(&mut emitter.errors);
        lines
    }
}

/// The text of procedures, one after the other with empty lines between.
pub(crate) fn write_all(
    setting: Setting<'_>,
    ids: &[ProcedureId],
    out: &mut Writer,
) -> Result<BTreeSet<GlobalId>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut globals = BTreeSet::new();
    for &id in ids {
        match write(setting, id) {
            Ok(written) => {
                out.blank();
                out.verbatim(&written.text);
                globals.extend(written.c_globals);
            }
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(globals)
    } else {
        Err(errors)
    }
}
