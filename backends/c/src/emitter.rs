//! The state of writing one procedure.

use std::collections::{BTreeSet, HashMap, HashSet};

use contraflow_backend_common::{Form, Namer, Style, Usage, Writer, assigned, style, usage};
use contraflow_ir::{
    ContainerId, Diagnostic, GlobalId, Language, Module, Procedure, ProcedureId, ProcedureRole,
    RecordId, Sources, Span, Type, VarId,
};

use crate::helpers::Helper;
use crate::{Options, names};

/// What the file must hold before the procedure.
#[derive(Clone, Default, Debug)]
pub(crate) struct Needs {
    /// System headers.
    pub headers: BTreeSet<&'static str>,
    /// Functions of the back end's.
    pub helpers: BTreeSet<Helper>,
    /// Procedures that are called.
    pub callees: BTreeSet<ProcedureId>,
    /// Prototypes of functions that headers hide.
    pub prototypes: BTreeSet<String>,
    /// C globals that are used.
    pub globals: BTreeSet<GlobalId>,
}

impl Needs {
    /// Adds what another procedure needs.
    pub fn join(&mut self, other: Needs) {
        self.headers.extend(other.headers);
        self.helpers.extend(other.helpers);
        self.callees.extend(other.callees);
        self.prototypes.extend(other.prototypes);
        self.globals.extend(other.globals);
    }
}

/// Where a text stands, and with it which types and constants it sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The user's file: all that the user declares.
    UsersFile,
    /// A file of its own: none of it.
    OwnFile,
    /// The header of functions in the user's file: structs by name.
    Header,
}

/// What the procedures of one file have in common.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'m> {
    pub module: &'m Module,
    pub sources: &'m Sources,
    pub usage: &'m Usage<'m>,
    pub options: &'m Options,
    /// All procedures that are asked for, the derived head last.
    pub derived: &'m [ProcedureId],
    /// Procedures that are written only because others call them.
    pub hidden: &'m [ProcedureId],
    /// Where the text stands.
    pub place: Place,
    /// The translation units that get their derived functions in place.
    pub bound: &'m [ContainerId],
    /// Whether there is a file of functions beside the user's.
    pub has_beside: bool,
}

/// Writes one procedure.
pub(crate) struct Emitter<'m> {
    pub module: &'m Module,
    pub usage: &'m Usage<'m>,
    pub setting: Setting<'m>,
    pub id: ProcedureId,
    pub procedure: &'m Procedure,
    /// Whether the procedure comes from Fortran.
    pub foreign: bool,
    pub namer: Namer,
    pub names: Vec<String>,
    /// Names of the parameters of viewed arrays.
    pub memory_names: HashMap<VarId, String>,
    /// Locals whose assignments are left out.
    pub unread: HashSet<VarId>,
    /// Scalars that a compiler may think are read before they are written.
    pub unwritten: BTreeSet<VarId>,
    /// Variables that the text names so far.
    pub used: BTreeSet<VarId>,
    pub out: Writer,
    /// Scalars that the back end adds, in order.
    pub temporaries: Vec<(String, Type)>,
    /// The position and the room of each growing tape.
    pub growing: HashMap<VarId, (String, String)>,
    /// Types that only the bodies of other functions declare, each after those of its members.
    pub local_types: Vec<RecordId>,
    /// The file of each tape on disk.
    pub files: HashMap<VarId, String>,
    /// Whether named constants are written as their values (in parameter lists).
    pub inline_constants: bool,
    /// Whether what is written may be left unevaluated (the arms of a choice).
    pub lazy: bool,
    pub needs: Needs,
    pub errors: Vec<Diagnostic>,
}

/// Whether a procedure comes from C.
pub(crate) fn is_from_c(sources: &Sources, procedure: &Procedure) -> bool {
    if (procedure.home.file.0 as usize) < sources.len() {
        sources.file(procedure.home.file).language == Some(Language::C)
    } else {
        procedure.scalars_by_value
    }
}

impl<'m> Emitter<'m> {
    pub fn new(setting: Setting<'m>, id: ProcedureId) -> Self {
        let procedure = &setting.module.procedures[id];
        let foreign = !is_from_c(setting.sources, procedure);
        let style = style_of(setting, procedure, foreign);
        let (namer, names) = names::of_procedure(setting.module, id, foreign);
        let mut emitter = Self {
            module: setting.module,
            usage: setting.usage,
            setting,
            id,
            procedure,
            foreign,
            namer,
            names,
            memory_names: HashMap::new(),
            unread: usage::unread_locals(setting.module, procedure, usage::CallResult::Dropped),
            unwritten: match procedure.role {
                ProcedureRole::Primal => BTreeSet::new(),
                _ => assigned::read_before_written(setting.module, procedure),
            },
            used: BTreeSet::new(),
            out: Writer::new(Form::C, "", &style.unit, style.width),
            temporaries: Vec::new(),
            growing: HashMap::new(),
            local_types: Vec::new(),
            files: HashMap::new(),
            inline_constants: false,
            lazy: false,
            needs: Needs::default(),
            errors: Vec::new(),
        };
        for &argument in &procedure.arguments {
            if emitter.is_viewed(argument) {
                let wanted = format!("{}_data", emitter.names[argument.index()]);
                let name = emitter.namer.name(&wanted);
                emitter.memory_names.insert(argument, name);
            }
        }
        emitter
    }

    /// The name of a variable, which is thereby used.
    pub fn name(&mut self, variable: VarId) -> String {
        self.used.insert(variable);
        self.names[variable.index()].clone()
    }

    /// A new scalar of the back end's.
    pub fn temporary(&mut self, wanted: &str, ty: Type) -> String {
        let name = self.namer.name(wanted);
        self.temporaries.push((name.clone(), ty));
        name
    }

    /// Calls for a helper function and names it.
    pub fn helper(&mut self, helper: Helper) -> String {
        self.needs.headers.extend(helper.headers());
        let name = helper.name();
        self.needs.helpers.insert(helper);
        name
    }

    /// Notes what cannot be written. The text that stands in for it is never used.
    pub fn refuse(&mut self, span: Span, message: String, help: &str) -> String {
        let place = if span.is_some() {
            span
        } else {
            self.procedure.home.span
        };
        let diagnostic = Diagnostic::error("not-in-c", message)
            .at(place, "")
            .with_help(help);
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
        String::from("refused")
    }
}

/// How the file of a procedure is written.
pub(crate) fn style_of(setting: Setting<'_>, procedure: &Procedure, foreign: bool) -> Style {
    let mut style = file_style(setting, procedure.home.file, foreign);
    if let Some(width) = setting.options.line_length {
        style.width = width;
    }
    if let Some(unit) = &setting.options.indentation {
        style.unit.clone_from(unit);
    }
    style
}

fn file_style(setting: Setting<'_>, file: contraflow_ir::FileId, foreign: bool) -> Style {
    let plain = style::Style::plain("    ", 100);
    if foreign || (file.0 as usize) >= setting.sources.len() {
        return plain;
    }
    Style::of(&setting.sources.file(file).bytes, &plain, 100)
}
