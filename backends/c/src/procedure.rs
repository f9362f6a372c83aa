//! One procedure: head, declarations, body.

use contraflow_backend_common::{BREAK, Usage, placement};
use contraflow_ir::{
    Access, Diagnostic, Module, ProcedureId, ProcedureKind, ProcedureRole, Sources, Stmt, VarId,
};

use crate::emitter::{Emitter, Needs, Place, Setting};
use crate::helpers::Helper;
use crate::{Options, chunks};

/// A written procedure.
pub(crate) struct Text {
    pub text: String,
    /// What the file must hold before it.
    pub needs: Needs,
}

/// The text of one procedure that stands alone, after its helpers.
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
        derived: &[],
        hidden: &[],
        place: match module.procedures[id].home.container {
            Some(_) => Place::UsersFile,
            None => Place::OwnFile,
        },
        bound: &[],
        has_beside: false,
    };
    let written = write(setting, id)?;
    let mut all = String::new();
    if written.needs.helpers.contains(&Helper::GrownTape) {
        all.push_str(chunks::HEADER);
        all.push('\n');
    }
    for helper in &written.needs.helpers {
        all.push_str(&helper.text("    ", options.counter.as_ref()));
        all.push('\n');
    }
    all.push_str(&written.text);
    Ok(all)
}

/// The text of one procedure in its setting.
pub(crate) fn write(setting: Setting<'_>, id: ProcedureId) -> Result<Text, Vec<Diagnostic>> {
    let mut emitter = Emitter::new(setting, id);
    let mut out = emitter.out.clone();
    emitter.out.indent();
    let value = emitter.statements();
    let body = std::mem::replace(&mut emitter.out, out.sibling());
    if emitter.procedure.taken_labels().is_some() {
        emitter.refuse(
            emitter.procedure.home.span,
            "C has no alternate returns".to_owned(),
            "write the derivative in Fortran",
        );
    }
    let declarations = emitter.declarations();
    let (counts, uncounts) = emitter.stack_counts();
    let mut releases = emitter.releases();
    releases.extend(uncounts);
    let head = emitter.head(false);
    if let Some(text) = placement::description(emitter.module, emitter.procedure) {
        out.comment(&text);
    }
    out.line(&format!("{head} {{"));
    out.indent();
    for line in &declarations {
        out.line(line);
    }
    if !declarations.is_empty() && !body.is_empty() {
        out.blank();
    }
    for line in emitter.unused_parameters() {
        out.line(&line);
    }
    for line in &counts {
        out.line(line);
    }
    out.append(body);
    for line in &releases {
        out.line(line);
    }
    if let Some(value) = value {
        out.line(&format!("return {BREAK}{value};"));
    }
    out.dedent();
    out.line("}");
    if !emitter.errors.is_empty() {
        return Err(emitter.errors);
    }
    Ok(Text {
        text: out.finish(),
        needs: emitter.needs,
    })
}

/// The head of a procedure, for a prototype. `plain`: with pointers for all arrays.
pub(crate) fn prototype(setting: Setting<'_>, id: ProcedureId, plain: bool) -> String {
    Emitter::new(setting, id).head(plain)
}

/// The declaration of a pointer to a function that is called like `id`. `plain`: as C++ has it.
pub(crate) fn pointer_to(setting: Setting<'_>, id: ProcedureId, name: &str, plain: bool) -> String {
    let (ty, list) = Emitter::new(setting, id).signature(plain);
    let gap = if ty.ends_with('*') { "" } else { " " };
    format!("{}{gap}(*{name})({list})", ty.trim_end())
}

impl Emitter<'_> {
    /// The body. Gives back the function's value.
    fn statements(&mut self) -> Option<String> {
        let procedure = self.procedure;
        let result = procedure.result();
        if let Some(result) = result
            && let Some(last) = self.final_value(result)
        {
            self.block(&procedure.body[..procedure.body.len() - 1]);
            let ty = procedure.variables[result].ty;
            return Some(self.value(last, ty));
        }
        self.block(&procedure.body);
        result.map(|result| self.place(&Access::whole(result)).text)
    }

    /// The value, if the function's value is only assigned by the last statement.
    fn final_value(&self, result: VarId) -> Option<contraflow_ir::ExprId> {
        let procedure = self.procedure;
        let &last = procedure.body.last()?;
        let Stmt::Assign { target, value } = procedure.stmt(last) else {
            return None;
        };
        let allocates =
            self.procedure.variables.iter().any(|(_, variable)| {
                self.is_allocated_at_entry(variable) || self.is_growing(variable)
            });
        let is_result = |access: &Access| access.var == result;
        let mentioned = procedure.stmts.iter().any(|(id, node)| {
            id != last
                && (contraflow_backend_common::usage::written_directly(&node.stmt)
                    .contains(&result)
                    || node
                        .stmt
                        .expressions()
                        .iter()
                        .any(|&e| procedure.reads_of_expr(e).into_iter().any(is_result)))
        });
        let only_here = is_result(target)
            && target.path.is_empty()
            && !mentioned
            && !procedure.reads_of_expr(*value).into_iter().any(is_result);
        (only_here && !allocates).then_some(*value)
    }

    fn head(&mut self, plain: bool) -> String {
        let (ty, list) = self.signature(plain);
        let storage = if self.is_static() { "static " } else { "" };
        let gap = if ty.ends_with('*') { "" } else { " " };
        let name = &self.procedure.name;
        format!("{storage}{}{gap}{name}({list})", ty.trim_end())
    }

    /// The type of the value, and the parameters.
    fn signature(&mut self, plain: bool) -> (String, String) {
        let procedure = self.procedure;
        let ty = match procedure.kind {
            ProcedureKind::Subroutine => "void".to_owned(),
            ProcedureKind::Function { result } => {
                let variable = &procedure.variables[result];
                format!("{} {}", self.type_of(variable), self.stars(variable))
            }
        };
        let parameters = if plain {
            self.plain_parameters()
        } else {
            self.parameters()
        };
        let list = if parameters.is_empty() {
            "void".to_owned()
        } else {
            parameters.join(&format!(",{BREAK} "))
        };
        (ty, list)
    }

    /// Whether other files do not see the procedure.
    fn is_static(&self) -> bool {
        self.procedure.is_private || self.setting.hidden.contains(&self.id)
    }

    /// Statements that tell the compiler of parameters that the derivative does not need.
    fn unused_parameters(&self) -> Vec<String> {
        let is_users = self.procedure.role == ProcedureRole::Primal && !self.foreign;
        if is_users && self.procedure.home.span.is_some() {
            return Vec::new();
        }
        let unused = |id: &&VarId| !self.used.contains(*id);
        self.procedure
            .arguments
            .iter()
            .filter(unused)
            .map(|&id| format!("(void){};", self.parameter_name(id)))
            .collect()
    }
}
