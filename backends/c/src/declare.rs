//! Parameters, and declarations of the variables that a text names, each after those that its
//! bounds name.

use std::collections::HashSet;

use contraflow_backend_common::{BREAK, Written, usage};
use contraflow_ir::{
    Allocation, Expr, Extent, Passing, ProcedureRole, Role, Storage, Type, VarId, Variable,
};

use crate::calls::owns_extents;
use crate::emitter::{Emitter, Place};
use crate::names::is_word_of_cpp;
use crate::places::Layout;
use crate::procedure::pointer_to;
use crate::state;

/// A declaration: the type, and one declarator.
type Line = (String, String);

impl Emitter<'_> {
    /// The parameter list of the procedure.
    pub fn parameters(&mut self) -> Vec<String> {
        self.parameter_list(false)
    }

    /// The parameter list as C++ has it: pointers for arrays whose declaration it does not know, and no
    /// names that are words of its own.
    pub fn plain_parameters(&mut self) -> Vec<String> {
        self.parameter_list(true)
    }

    fn parameter_list(&mut self, plain: bool) -> Vec<String> {
        let procedure = self.procedure;
        let before = std::mem::replace(&mut self.inline_constants, true);
        let used = self.used.clone();
        let mut parameters = Vec::new();
        for &id in &procedure.arguments {
            let variable = &procedure.variables[id];
            if owns_extents(procedure, id) {
                for (dim, shape) in variable.shape.iter().enumerate() {
                    if shape.extent == Extent::Assumed {
                        parameters.push(format!("int {}", self.extent_argument(id, dim)));
                    }
                }
            }
            parameters.push(self.parameter(id, variable, plain));
        }
        self.inline_constants = before;
        self.used = used;
        parameters
    }

    fn parameter(&mut self, id: VarId, variable: &Variable, plain: bool) -> String {
        if variable.ty == Type::Procedure {
            return self.procedure_parameter(id, variable, plain);
        }
        let mut base = self.type_of(variable);
        let mut name = self.parameter_name(id);
        if plain {
            if base == "_Bool" {
                base = "bool".to_owned();
            }
            if is_word_of_cpp(&name) {
                name.push('_');
            }
        }
        if self.is_const(id, variable) {
            base = format!("const {base}");
        }
        let name = format!("{}{name}", self.stars(variable));
        if !variable.is_array() {
            let by_reference = variable.passing == Passing::Reference;
            let star = if by_reference { "*" } else { "" };
            return format!("{base} {star}{name}").replace("* ", "*");
        }
        let pointer = plain || self.layout(id) == Layout::Linear || self.is_viewed(id);
        if variable.rank() == 1 || pointer {
            return format!("{base} *{name}");
        }
        let last = variable.rank() - 1;
        let mut dims: Vec<String> = (0..last)
            .map(|d| format!("[{}]", self.extent(id, d).text))
            .collect();
        dims.reverse();
        format!("{base} {name}[]{}", dims.concat())
    }

    fn procedure_parameter(&mut self, id: VarId, variable: &Variable, plain: bool) -> String {
        if let Some(interface) = variable.interface {
            let name = self.parameter_name(id);
            return pointer_to(self.setting, interface, &name, plain);
        }
        let (span, name) = (variable.span, variable.name.clone());
        self.refuse(
            span,
            format!("the type of the function parameter `{name}` cannot be written again"),
            "call the function directly",
        )
    }

    /// Whether what a parameter points to is not written.
    /// Whether a variable is declared as a pointer to constants.
    pub fn is_const(&self, id: VarId, variable: &Variable) -> bool {
        let pointed = variable.is_array()
            || variable.passing == Passing::Reference
            || matches!(variable.ty, Type::Pointer(_) | Type::Address);
        pointed
            && variable.rank() <= 1
            && (self.foreign || variable.read_only)
            && self.usage.written(self.id, id) == Written::No
    }

    /// The declarations of what is used, grouped into lines.
    pub fn declarations(&mut self) -> Vec<String> {
        let procedure = self.procedure;
        let mut done: HashSet<VarId> = procedure.arguments.iter().copied().collect();
        let mut lines = Vec::new();
        for &argument in &procedure.arguments {
            if self.used.contains(&argument) && self.is_viewed(argument) {
                lines.push(self.view(argument));
            }
        }
        loop {
            let next = self.used.iter().copied().find(|id| !done.contains(id));
            let Some(next) = next else { break };
            self.declare(next, &mut done, &mut lines);
        }
        for (name, ty) in std::mem::take(&mut self.temporaries) {
            let ty = self.type_name(ty, procedure.home.span);
            lines.push((ty, name));
        }
        let mut growing: Vec<(String, String)> = self.growing.values().cloned().collect();
        growing.sort();
        for (top, room) in growing {
            lines.push(("size_t".to_owned(), format!("{top} = 0")));
            lines.push(("size_t".to_owned(), format!("{room} = 0")));
        }
        lines.extend(self.open_files());
        let mut declared = self.local_types();
        declared.extend(grouped(&lines));
        declared
    }

    /// A pointer to the rows of an array parameter.
    fn view(&mut self, id: VarId) -> Line {
        let variable = &self.procedure.variables[id];
        let mut base = self.type_of(variable);
        if self.is_const(id, variable) {
            base = format!("const {base}");
        }
        let before = std::mem::replace(&mut self.inline_constants, true);
        let inner: String = (0..variable.rank() - 1)
            .rev()
            .map(|d| format!("[{}]", self.extent(id, d).text))
            .collect();
        self.inline_constants = before;
        let name = &self.names[id.index()];
        (
            base,
            format!("(*{name}){inner} = (void *){}", self.parameter_name(id)),
        )
    }

    fn declare(&mut self, id: VarId, done: &mut HashSet<VarId>, lines: &mut Vec<Line>) {
        if !done.insert(id) {
            return;
        }
        let procedure = self.procedure;
        let variable = &procedure.variables[id];
        if let Some(named) = variable.named_procedure() {
            self.needs.callees.insert(named);
            return;
        }
        if self.is_visible(variable) {
            return;
        }
        // The values of constants are written with constants replaced by their values.
        if !variable.is_constant() {
            for root in usage::declaration_expressions(variable) {
                for other in usage::variables_of(procedure, root) {
                    self.used.insert(other);
                    self.declare(other, done, lines);
                }
            }
        }
        match variable.storage {
            Storage::Constant { value, .. } => self.declare_constant(id, variable, value, lines),
            Storage::Saved => self.declare_saved(id, variable, lines),
            Storage::Common { .. } | Storage::Overlay { .. } => {
                self.refuse(
                    variable.span,
                    format!("`{}` is in COMMON or EQUIVALENCE", variable.name),
                    "ask for Fortran output",
                );
            }
            Storage::Local | Storage::Result | Storage::Argument { .. } | Storage::Global(_) => {
                let line = self.local(id, variable);
                lines.push(line);
            }
        }
    }

    /// Whether a variable is declared where the procedure sees it.
    fn is_visible(&mut self, variable: &Variable) -> bool {
        match variable.storage {
            Storage::Global(global) => {
                if self.foreign && state::name(self.module, global).is_none() {
                    self.refuse(
                        variable.span,
                        format!(
                            "the module variable `{}` cannot be reached from C output",
                            variable.name
                        ),
                        "pass it as an argument, or ask for Fortran output",
                    );
                }
                self.needs.globals.insert(global);
                true
            }
            Storage::Constant {
                global: Some(_), ..
            } => !self.foreign && self.setting.place == Place::UsersFile,
            _ => false,
        }
    }

    fn declare_constant(
        &mut self,
        id: VarId,
        variable: &Variable,
        value: Option<contraflow_ir::ExprId>,
        lines: &mut Vec<Line>,
    ) {
        let Some(value) = value.filter(|_| !variable.is_array()) else {
            self.refuse(
                variable.span,
                format!("the value of the constant `{}` is not known", variable.name),
                "ask for output in the language of the source",
            );
            return;
        };
        let name = self.names[id.index()].clone();
        if let Expr::Integer(_) = self.procedure.expr(value) {
            let text = self.index(value).text;
            lines.push((format!("enum {{ {name} = {text} }}"), String::new()));
            return;
        }
        let before = std::mem::replace(&mut self.inline_constants, true);
        let text = self.value(value, variable.ty);
        self.inline_constants = before;
        let ty = self.type_of(variable);
        lines.push((format!("const {ty}"), format!("{name} = {text}")));
    }

    fn declare_saved(&mut self, id: VarId, variable: &Variable, lines: &mut Vec<Line>) {
        if variable.is_array()
            && variable.initial.is_none()
            && self.procedure.role != ProcedureRole::Primal
        {
            self.refuse(
                variable.span,
                format!(
                    "`{}` keeps its value between calls, and its derivative cannot see it",
                    variable.name
                ),
                "declare it outside of the function",
            );
        }
        let (ty, mut declarator) = self.local(id, variable);
        if let Some(initial) = variable.initial {
            let text = self.value(initial, variable.ty);
            declarator = format!("{declarator} = {text}");
        }
        lines.push((format!("static {ty}"), declarator));
    }

    fn local(&mut self, id: VarId, variable: &Variable) -> Line {
        let name = self.names[id.index()].clone();
        if let (Type::Procedure, Some(interface), false) =
            (variable.ty, variable.interface, variable.is_array())
        {
            let pointer = pointer_to(self.setting, interface, &name, false);
            return (format!("{pointer} = 0"), String::new());
        }
        let ty = self.type_of(variable);
        let (plain, stars) = (name, self.stars(variable));
        let name = format!("{stars}{plain}");
        if !variable.is_array() {
            let star = if variable.allocation == Allocation::Fixed {
                ""
            } else {
                "*"
            };
            let is_number = matches!(
                variable.ty,
                Type::Integer { .. } | Type::Logical { .. } | Type::Real { .. }
            );
            let is_address = matches!(variable.ty, Type::Pointer(_) | Type::Address);
            let is_unwritten = star.is_empty() && self.unwritten.contains(&id);
            if is_unwritten && is_address {
                self.needs.headers.insert("stddef.h");
            }
            let start = match is_unwritten {
                true if is_number => " = 0",
                true if is_address => " = NULL",
                true if matches!(variable.ty, Type::Record(_)) => " = {0}",
                _ if self.starts_null(variable) => " = {0}",
                _ => "",
            };
            return (ty, format!("{star}{name}{start}"));
        }
        if self.is_growing(variable) {
            return (ty, format!("*{name} = NULL"));
        }
        if variable.allocation != Allocation::Fixed {
            return (ty, format!("*{name} = NULL"));
        }
        let all = variable.rank();
        let dims = |emitter: &mut Self, count: usize| -> String {
            (0..count)
                .rev()
                .map(|d| format!("[{}]", emitter.extent(id, d).text))
                .collect()
        };
        if self.is_allocated_at_entry(variable) {
            let memory = self.tape_memory(id);
            if all == 1 {
                return (ty, format!("*{name} = {BREAK}{memory}"));
            }
            let inner = dims(self, all - 1);
            return (ty, format!("{stars}(*{plain}){inner} = {BREAK}{memory}"));
        }
        let dims = dims(self, all);
        let is_few = self.elements(variable).is_some_and(|count| count <= FEW);
        let is_unwritten = is_few && self.unwritten.contains(&id);
        let start = match is_unwritten || self.starts_null(variable) {
            true => " = {0}",
            false => "",
        };
        (ty, format!("{name}{dims}{start}"))
    }
}

/// Up to how many elements an array that compilers may take for unset starts with zeros.
const FEW: i128 = 64;

impl Emitter<'_> {
    /// Whether the pointers in a local variable are null at first, because the procedure may keep what they
    /// are before it sets them: those in structs and in arrays. (What keeps them is written before it is
    /// read. Local pointers alone are set to null by statements, where that is needed.)
    pub fn starts_null(&self, variable: &Variable) -> bool {
        let alone = !variable.is_array() && !matches!(variable.ty, Type::Record(_));
        !alone
            && variable.allocation == Allocation::Fixed
            && variable.role != Role::Tape
            && self.holds_addresses(variable.ty, 0)
    }

    /// Whether values of a type are addresses or hold some.
    pub fn holds_addresses(&self, ty: Type, depth: u32) -> bool {
        const DEEP: u32 = 12;
        match ty {
            Type::Pointer(_) | Type::Address => true,
            Type::Record(record) => {
                let mut fields = self.module.records[record].fields.iter();
                depth < DEEP && fields.any(|field| self.holds_addresses(field.ty, depth + 1))
            }
            _ => false,
        }
    }
}

/// Plain declarators of equal types share a line, where they follow each other.
fn grouped(lines: &[Line]) -> Vec<String> {
    let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
    for (ty, declarator) in lines {
        let is_plain = |declarator: &str| {
            let name = declarator.strip_suffix(" = 0").unwrap_or(declarator);
            !name.contains(['=', '('])
        };
        let plain = is_plain(declarator);
        match grouped.last_mut() {
            Some((last, declarators))
                if plain && last == ty && is_plain(&declarators[0]) && !declarator.is_empty() =>
            {
                declarators.push(declarator.clone());
            }
            _ => grouped.push((ty.clone(), vec![declarator.clone()])),
        }
    }
    grouped
        .into_iter()
        .map(|(ty, declarators)| {
            let list = declarators.join(&format!(",{BREAK} "));
            format!("{};", format!("{ty} {list}").trim_end())
        })
        .collect()
}
