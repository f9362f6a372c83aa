//! Calls: arguments, and what must be declared of the callee.

use contraflow_backend_common::{BREAK, Namer, Written};
use contraflow_ir::{
    Access, Allocation, Argument, Callee, ContainerKind, Expr, ExprId, Extent, Intent, Passing,
    Procedure, ProcedureId, ProcedureRole, StmtId, Storage, Type, VarId,
};

use crate::cells;
use crate::emitter::{Emitter, is_from_c, is_of_the_language};
use crate::expr::rank;
use crate::names;
use crate::visibility;

impl Emitter<'_> {
    /// A call, with its result assigned.
    pub fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Access>,
        id: StmtId,
    ) {
        let name = self.callee_name(callee, result, id);
        let list = self.arguments(callee, arguments, id);
        let line = match result {
            Some(target) => {
                let target = self.access(target);
                format!("{target} = {BREAK}{name}({list})")
            }
            None if list.is_empty() && matches!(callee, Callee::External(_)) => {
                format!("{} {name}", self.k("call"))
            }
            None => format!("{} {name}({list})", self.k("call")),
        };
        self.out.line(&line);
    }

    fn callee_name(&mut self, callee: &Callee, result: Option<&Access>, id: StmtId) -> String {
        match callee {
            Callee::Procedure(callee) => {
                let name = self.make_known(*callee);
                self.declare_text_function(&name, result);
                name
            }
            Callee::External(name) => {
                if self.interop {
                    let span = self.procedure.stmts[id].span;
                    return self.refuse(
                        span,
                        format!("`{name}` has no prototype that Fortran could be told"),
                        "name the file that declares it",
                    );
                }
                if let Some(target) = result
                    && !is_intrinsic(name)
                {
                    let span = self.procedure.stmts[id].span;
                    let ty = self.type_at(target);
                    let ty = match ty {
                        Type::Character => String::new(),
                        _ => self.type_name(ty, span),
                    };
                    self.imports.functions.insert(name.clone(), ty);
                }
                self.declare_text_function(name, result);
                name.clone()
            }
            Callee::Variable(variable) => self.name(*variable),
        }
    }

    /// Sees to it that a procedure can be called. Gives the name by which it is.
    fn make_known(&mut self, id: ProcedureId) -> String {
        let module = self.module;
        let callee = &module.procedures[id];
        let name = procedure_name(callee);
        if is_of_the_language(self.sources, callee) {
            self.imports.intrinsics.insert(callee.name.clone());
            return name;
        }
        if self.companions.contains(&id) && self.interop || id == self.id {
            return name;
        }
        let container = visibility::seen_in(callee);
        let is_internal = callee.home.host.is_some() && callee.role == ProcedureRole::Primal;
        let is_near = callee.home.container == self.procedure.home.container
            || container.is_some_and(|container| self.is_below(container));
        if container.is_some() && is_near && !self.interop && !is_internal {
            return name;
        }
        let kind = container.map(|c| module.containers[c].kind);
        if let Some(container) = container
            && !self.interop
            && kind == Some(ContainerKind::Module)
            && !is_internal
        {
            return self.name_in_module(id, container);
        } else if is_internal {
            self.refuse_internal(callee);
        } else if !self.interop && self.has_imported_interface(callee) {
            return name;
        } else if self.interop
            || is_from_c(self.sources, callee)
            || needs_interface(callee)
            // What is pure calls only what it sees to be pure.
            || self.procedure.is_pure
        {
            self.imports.interfaces.insert(id);
        } else if let Some(result) = callee.result() {
            let variable = &callee.variables[result];
            let ty = match variable.ty {
                Type::Character => String::new(),
                ty => self.type_name(ty, variable.span),
            };
            self.imports.functions.insert(callee.name.clone(), ty);
        }
        name
    }

    /// A function of characters is declared with the length of what takes its result.
    fn declare_text_function(&mut self, name: &str, result: Option<&Access>) {
        let Some(result) = result else { return };
        let variable = &self.procedure.variables[result.var];
        if variable.ty == Type::Character && self.imports.functions.contains_key(name) {
            let ty = self.type_of(variable);
            self.imports.functions.insert(name.to_owned(), ty);
        }
    }

    /// An internal procedure is seen inside its host only, and derivatives stand outside of it.
    fn refuse_internal(&mut self, callee: &Procedure) {
        if self.procedure.role != ProcedureRole::Primal {
            self.refuse(
                callee.home.span,
                format!(
                    "the derivative does not see the internal procedure `{}`",
                    callee.name
                ),
                "move it out of its host, into the module or the file",
            );
        }
    }

    fn arguments(&mut self, callee: &Callee, arguments: &[Argument], id: StmtId) -> String {
        let mut texts = Vec::new();
        let mut omitted = false;
        for (position, argument) in arguments.iter().enumerate() {
            let text = match argument {
                Argument::Value(value) => {
                    let changes = self.changes_during(callee, arguments, *value);
                    self.value_argument(callee, position, *value, changes)
                }
                Argument::Place(access) => self.place_argument(callee, position, access, id),
                Argument::Procedure(procedure) => self.procedure_argument(*procedure),
                Argument::Absent => {
                    omitted = true;
                    continue;
                }
                Argument::Opaque { text, reads } => {
                    for access in reads {
                        self.used.insert(access.var);
                    }
                    text.clone()
                }
            };
            match self.keyword(callee, position) {
                Some(keyword) if omitted => texts.push(format!("{keyword}={text}")),
                _ => texts.push(text),
            }
        }
        texts.join(&format!(",{BREAK} "))
    }

    /// The name of a formal argument.
    fn keyword(&self, callee: &Callee, position: usize) -> Option<String> {
        let callee = self.called(callee)?;
        let procedure = &self.module.procedures[callee];
        let formal = *procedure.arguments.get(position)?;
        let interop = self.interop || is_from_c(self.sources, procedure);
        let mut names = self.callee_names.borrow_mut();
        let names = names
            .entry((callee, interop))
            .or_insert_with(|| names::of_procedure(self.module, callee, interop).1);
        Some(names[formal.index()].clone())
    }

    /// The procedure that is called, or one that is called alike.
    fn called(&self, callee: &Callee) -> Option<ProcedureId> {
        match callee {
            Callee::Procedure(id) => Some(*id),
            Callee::Variable(var) => self.procedure.variables[*var].interface,
            Callee::External(_) => None,
        }
    }

    /// Whether the callee may change, by another name, the variable whose value it is passed.
    fn changes_during(&self, callee: &Callee, arguments: &[Argument], value: ExprId) -> bool {
        let (Some(callee), Expr::Load(own)) = (self.called(callee), self.procedure.expr(value))
        else {
            return false;
        };
        let is_shared = |var: VarId| {
            matches!(
                self.procedure.variables[var].storage,
                Storage::Common { .. } | Storage::Global(_) | Storage::Overlay { .. }
            )
        };
        let formals = &self.module.procedures[callee].arguments;
        is_shared(own.var)
            || arguments.iter().zip(formals).any(|(argument, &formal)| {
                matches!(argument, Argument::Place(other) if other.var == own.var)
                    && self.usage.written(callee, formal) != Written::No
            })
    }

    /// A variable that is passed as a copy is put into parentheses, so that it is one.
    fn value_argument(
        &mut self,
        callee: &Callee,
        position: usize,
        value: ExprId,
        changes: bool,
    ) -> String {
        let by_value = self.called(callee).is_some_and(|callee| {
            let procedure = &self.module.procedures[callee];
            procedure.arguments.get(position).is_some_and(|&formal| {
                let variable = &procedure.variables[formal];
                variable.passing == Passing::Value
                    || !changes
                        && (variable.intent == Intent::In
                            || self.usage.written(callee, formal) == Written::No)
            })
        });
        let text = self.expr(value);
        if matches!(self.procedure.expr(value), Expr::Load(_)) && !by_value {
            format!("({})", text.text)
        } else {
            text.at_least(rank::LOOSE)
        }
    }

    /// The first element stands for an array that goes to a parameter written as a scalar. A scalar
    /// parameter cannot be passed as an array.
    fn place_argument(
        &mut self,
        callee: &Callee,
        position: usize,
        access: &Access,
        id: StmtId,
    ) -> String {
        let text = self.access(access);
        let Callee::Procedure(callee) = callee else {
            return text;
        };
        let called = &self.module.procedures[*callee];
        let Some(&formal) = called.arguments.get(position) else {
            return text;
        };
        if !self.interop && !is_from_c(self.sources, called) {
            return text;
        }
        let own = &self.procedure.variables[access.var];
        let own_array = own.is_array() && !self.singles.contains(&access.var);
        let formal_array = called.variables[formal].is_array()
            && !cells::single_values(self.module, *callee).contains(&formal);
        if own_array && access.path.is_empty() && !formal_array {
            return format!("{text}({})", vec!["0"; own.rank()].join(","));
        }
        if !own_array && formal_array && own.is_argument() {
            let span = self.procedure.stmts[id].span;
            let name = own.name.clone();
            return self.refuse(
                span,
                format!("the address of the parameter `{name}` is passed as an array"),
                "copy the parameter to a local array, or ask for C output",
            );
        }
        text
    }

    fn procedure_argument(&mut self, id: ProcedureId) -> String {
        let callee = &self.module.procedures[id];
        if is_of_the_language(self.sources, callee) {
            self.imports.intrinsics.insert(callee.name.clone());
            return callee.name.clone();
        }
        let in_module = callee.home.container.is_some() || callee.home.host.is_some();
        if self.interop || in_module || needs_interface(callee) {
            return self.make_known(id);
        } else if let Some(result) = callee.result() {
            let variable = &callee.variables[result];
            let ty = self.type_name(variable.ty, variable.span);
            self.imports.functions.insert(callee.name.clone(), ty);
        } else {
            self.imports.externals.insert(callee.name.clone());
        }
        procedure_name(callee)
    }
}

/// The name of a procedure, made legal.
pub(crate) fn procedure_name(procedure: &Procedure) -> String {
    Namer::new(&[], true, 63).name(&procedure.name)
}

/// Whether Fortran demands an explicit interface of a procedure.
pub(crate) fn needs_interface(callee: &Procedure) -> bool {
    callee.arguments.iter().any(|&formal| {
        let variable = &callee.variables[formal];
        variable.optional
            || variable.allocation != Allocation::Fixed
            || variable.passing == Passing::Value
            || variable
                .shape
                .iter()
                .any(|dim| matches!(dim.extent, Extent::Assumed | Extent::Deferred))
    })
}

/// Intrinsic functions that a front end may leave as calls; they are not declared.
fn is_intrinsic(name: &str) -> bool {
    const NAMES: [&str; 44] = [
        "achar",
        "adjustl",
        "adjustr",
        "all",
        "any",
        "bit_size",
        "btest",
        "char",
        "command_argument_count",
        "count",
        "digits",
        "dot_product",
        "dprod",
        "exponent",
        "fraction",
        "iachar",
        "ichar",
        "index",
        "kind",
        "len",
        "len_trim",
        "logical",
        "matmul",
        "maxexponent",
        "maxloc",
        "maxval",
        "minexponent",
        "minloc",
        "minval",
        "nearest",
        "precision",
        "product",
        "radix",
        "range",
        "repeat",
        "scale",
        "scan",
        "set_exponent",
        "spacing",
        "sum",
        "transfer",
        "trim",
        "verify",
        "reshape",
    ];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

impl Emitter<'_> {
    /// The declaration of a C library function.
    pub fn c_library_interface(&mut self, name: &str, count: usize, ty: Type) -> Vec<String> {
        let kind = match ty {
            Type::Real { bytes: 4 } => "c_float",
            Type::Real { bytes: 16 } => "c_long_double",
            _ => "c_double",
        };
        self.imports.c_kinds.insert(kind);
        let formals = &["x", "y", "z"][..count.min(3)];
        let real = format!("{}({kind})", self.k("real"));
        let list = formals.join(", ");
        vec![
            format!(
                "{} {real} {} {name}({list}) {}(c, {}=\"{name}\")",
                self.k("pure"),
                self.k("function"),
                self.k("bind"),
                self.k("name")
            ),
            format!("  {} :: {kind}", self.k("import")),
            format!("  {real}, {} :: {list}", self.k("value")),
            format!("{} {name}", self.k("end function")),
        ]
    }
}
