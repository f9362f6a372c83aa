//! The state of writing one procedure.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use contraflow_backend_common::{Form, Namer, Style, Usage, Writer, style, usage};
use contraflow_ir::{
    Diagnostic, GlobalId, Language, Module, Procedure, ProcedureId, ProcedureRole, Sources, Span,
    Type, VarId,
};

use crate::tape::Grown;
use crate::{Options, cells, names};

/// What the procedure's specification part must make known.
#[derive(Clone, Default, Debug)]
pub(crate) struct Imports {
    /// Kinds of `iso_c_binding`.
    pub c_kinds: BTreeSet<&'static str>,
    /// Functions of `ieee_arithmetic`.
    pub ieee: BTreeSet<&'static str>,
    /// Functions of the C library: name and number of arguments.
    pub c_library: BTreeMap<String, (usize, Type)>,
    /// Entities of modules, as they stand in an `only` list.
    pub uses: BTreeMap<String, BTreeSet<String>>,
    /// External functions with their types.
    pub functions: BTreeMap<String, String>,
    /// Procedures that are handed on as arguments.
    pub externals: BTreeSet<String>,
    /// Functions of the language that are handed on as arguments.
    pub intrinsics: BTreeSet<String>,
    /// Procedures whose interface is written out.
    pub interfaces: BTreeSet<ProcedureId>,
    /// Procedure arguments whose interface is written out, with what they are called like.
    pub dummies: BTreeMap<String, ProcedureId>,
    /// C globals, which the module that holds the procedure declares.
    pub c_globals: BTreeSet<GlobalId>,
    /// Element types of growing tapes that are written.
    pub pushes: BTreeMap<String, Type>,
}

/// Writes one procedure.
pub(crate) struct Emitter<'m> {
    pub module: &'m Module,
    pub sources: &'m Sources,
    pub usage: &'m Usage<'m>,
    pub setting: Setting<'m>,
    pub id: ProcedureId,
    pub procedure: &'m Procedure,
    /// Procedures that stand in the same new module.
    pub companions: &'m [ProcedureId],
    /// Whether the procedure comes from C.
    pub interop: bool,
    pub options: &'m Options,
    /// Whether only the interface is written.
    pub is_interface: bool,
    /// The name in an interface, where it is not the procedure's own.
    pub name_here: Option<String>,
    pub style: Style,
    pub namer: Namer,
    pub names: Vec<String>,
    /// The variables by their names in the source, in lower case.
    by_name: HashMap<String, VarId>,
    /// Those of the procedures that are called.
    pub callee_names: RefCell<HashMap<(ProcedureId, bool), Vec<String>>>,
    /// Locals whose assignments are left out.
    pub unread: HashSet<VarId>,
    /// Objects in components of CLASS that are open here, with their names.
    pub objects: Vec<(contraflow_ir::Access, String)>,
    /// Variables of a type that objects are compared with.
    pub models: std::collections::BTreeMap<contraflow_ir::RecordId, String>,
    /// Whether the procedure has views of polymorphic variables at all.
    pub has_views: bool,
    /// Those that are open here.
    pub views: HashSet<VarId>,
    /// C pointers that are written as scalars.
    pub singles: HashSet<VarId>,
    /// Scalars that are written as arrays of one element.
    pub boxed: HashSet<VarId>,
    /// Variables to which pointers are made to point.
    pub pointed: HashSet<VarId>,
    /// Variables that the text names so far.
    pub used: BTreeSet<VarId>,
    pub out: Writer,
    /// Scalars that the back end adds, in order.
    pub temporaries: Vec<(String, Type)>,
    /// The variables of each growing tape.
    pub grown: HashMap<VarId, Grown>,
    /// The names here of what the module that counts bytes has.
    pub counting: BTreeMap<&'static str, String>,
    /// The unit of each tape on disk.
    pub units: HashMap<VarId, String>,
    /// The bytes that each of them has, where they are counted.
    pub disk_counts: HashMap<VarId, String>,
    /// What tells whether a transfer from or to them went well.
    pub disk_status: Option<String>,
    pub imports: Imports,
    pub errors: Vec<Diagnostic>,
}

/// Whether a procedure comes from C.
pub(crate) fn is_from_c(sources: &Sources, procedure: &Procedure) -> bool {
    if procedure.home.span.is_some() || (procedure.home.file.0 as usize) < sources.len() {
        sources.file(procedure.home.file).language == Some(Language::C)
    } else {
        procedure.scalars_by_value
    }
}

/// Whether a procedure is a function of Fortran: a front end names its file, but has no text of it.
pub(crate) fn is_of_the_language(sources: &Sources, procedure: &Procedure) -> bool {
    let home = &procedure.home;
    procedure.role == ProcedureRole::Primal
        && procedure.has_body
        && !home.span.is_some()
        && (home.file.0 as usize) < sources.len()
        && !is_from_c(sources, procedure)
}

/// Whether the file of a procedure is in fixed form.
pub(crate) fn is_fixed_form(sources: &Sources, procedure: &Procedure) -> bool {
    (procedure.home.file.0 as usize) < sources.len()
        && sources.file(procedure.home.file).language == Some(Language::FortranFixed)
}

/// What the procedures of one file have in common.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'m> {
    pub module: &'m Module,
    pub sources: &'m Sources,
    pub usage: &'m Usage<'m>,
    pub options: &'m Options,
    /// Procedures that stand in the same new module.
    pub companions: &'m [ProcedureId],
    /// The form, where it is not that of the procedure's file.
    pub form: Option<Form>,
}

impl<'m> Emitter<'m> {
    pub fn new(setting: Setting<'m>, id: ProcedureId) -> Self {
        let Setting {
            module, sources, ..
        } = setting;
        let procedure = &module.procedures[id];
        let interop = is_from_c(sources, procedure);
        let own_form = if is_fixed_form(sources, procedure) {
            Form::FortranFixed
        } else {
            Form::FortranFree
        };
        let form = setting.form.unwrap_or(own_form);
        let style = style_of(setting, procedure, form, interop);
        let (namer, names) = names::of_procedure(module, id, interop);
        let base = match form == own_form {
            true => base_indentation(setting, procedure, interop),
            false => String::new(),
        };
        // Of several with one name the first counts.
        let by_name = procedure.variables.iter().rev();
        let by_name = by_name
            .map(|(id, variable)| (variable.name.to_ascii_lowercase(), id))
            .collect();
        Self {
            module,
            sources,
            usage: setting.usage,
            setting,
            id,
            procedure,
            companions: setting.companions,
            options: setting.options,
            interop,
            is_interface: false,
            name_here: None,
            out: Writer::new(form, &base, &style.unit, style.width),
            style,
            namer,
            names,
            by_name,
            callee_names: RefCell::default(),
            views: HashSet::new(),
            has_views: procedure
                .variables
                .ids()
                .any(|var| procedure.viewed(var).is_some()),
            unread: usage::unread_locals(setting.module, procedure, usage::CallResult::Kept),
            singles: cells_of(interop, cells::single_values, module, id),
            boxed: cells_of(interop, cells::boxed_scalars, module, id),
            pointed: usage::pointed(module, procedure),
            used: BTreeSet::new(),
            objects: Vec::new(),
            models: std::collections::BTreeMap::new(),
            temporaries: Vec::new(),
            grown: HashMap::new(),
            counting: BTreeMap::new(),
            units: HashMap::new(),
            disk_counts: HashMap::new(),
            disk_status: None,
            imports: Imports::default(),
            errors: Vec::new(),
        }
    }

    /// A keyword in the file's case.
    pub fn k(&self, word: &str) -> String {
        self.style.keyword(word)
    }

    /// The name of a variable, which is thereby used.
    pub fn name(&mut self, variable: VarId) -> String {
        self.used.insert(variable);
        self.names[variable.index()].clone()
    }

    /// The variable of this name in the source, compared without case.
    pub fn variable_named(&self, name: &str) -> Option<VarId> {
        self.by_name.get(&name.to_ascii_lowercase()).copied()
    }

    /// A new scalar of the back end's.
    pub fn temporary(&mut self, wanted: &str, ty: Type) -> String {
        let name = self.namer.name(wanted);
        self.temporaries.push((name.clone(), ty));
        name
    }

    /// Notes what cannot be written. The text that stands in for it is never used.
    pub fn refuse(&mut self, span: Span, message: String, help: &str) -> String {
        let place = if span.is_some() {
            span
        } else {
            self.procedure.home.span
        };
        let diagnostic = Diagnostic::error("not-in-fortran", message)
            .at(place, "")
            .with_help(help);
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
        String::from("refused")
    }
}

fn cells_of(
    interop: bool,
    find: fn(&Module, ProcedureId) -> HashSet<VarId>,
    module: &Module,
    id: ProcedureId,
) -> HashSet<VarId> {
    if interop {
        find(module, id)
    } else {
        HashSet::new()
    }
}

fn style_of(setting: Setting<'_>, procedure: &Procedure, form: Form, interop: bool) -> Style {
    let Setting {
        sources, options, ..
    } = setting;
    let fixed = form == Form::FortranFixed;
    let (common, widest) = if fixed { (72, 72) } else { (100, 132) };
    let plain = Style::plain("  ", common);
    let has_text = (procedure.home.file.0 as usize) < sources.len();
    let mut style = if has_text && !interop {
        Style::of(&sources.file(procedure.home.file).bytes, &plain, widest)
    } else {
        plain
    };
    style.width = options.line_length.unwrap_or(style.width).min(widest);
    if let Some(unit) = &options.indentation {
        style.unit.clone_from(unit);
    }
    if let Some(keywords) = options.keywords {
        style.keywords = keywords;
    }
    style
}

/// Procedures of a module are indented like their primal; those of a new module by one level.
fn base_indentation(setting: Setting<'_>, procedure: &Procedure, interop: bool) -> String {
    if interop {
        let unit = if setting.companions.is_empty() {
            ""
        } else {
            "  "
        };
        return unit.to_owned();
    }
    let home = match procedure.home.host {
        Some(host) => &setting.module.procedures[host].home,
        None => &procedure.home,
    };
    if home.container.is_none() || !home.span.is_some() {
        return String::new();
    }
    let bytes = &setting.sources.file(home.span.file).bytes;
    style::indentation_at(bytes, home.span.start as usize)
}
