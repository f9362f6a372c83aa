//! A text that two twins share: the same kernel written in Fortran and in C.
//!
//! What a language decides is normalised away. Variables are called `v0`, `v1`, … in order of use,
//! arguments first. Subscripts count from zero, and so do loops: a loop over `i = lower, upper, step`
//! counts `L` from zero, and `lower + step · L` stands for `i` in its body. Integer expressions are
//! linear forms with sorted terms, integer comparisons are `form >= 0` or `form == 0`, and widths of
//! integers are left out. So are spellings, places, intents, how arguments are passed, what may
//! overlap, directives and comments, parentheses that bind, and whether `and` short-circuits.

use std::collections::HashMap;

use super::words::{quoted, type_text};
use crate::affine::Linear;
use crate::expr::{Access, ExprId};
use crate::module::Procedure;
use crate::stmt::{Argument, Callee, CaseLabel, Jump, Stmt, StmtId};
use crate::types::{Extent, Storage, Type, VarId};

mod forms;

/// The text of a procedure in which its language does not show.
pub fn twin_text(procedure: &Procedure) -> String {
    let mut twin = Twin {
        procedure,
        names: HashMap::new(),
        order: Vec::new(),
        atoms: Vec::new(),
        loops: HashMap::new(),
        loop_count: 0,
        text: String::new(),
        depth: 0,
    };
    for &argument in &procedure.arguments {
        twin.name(argument);
    }
    let result = procedure.result().map(|result| twin.name(result));
    twin.depth = 1;
    twin.block(&procedure.body);
    let body = std::mem::take(&mut twin.text);
    for index in 0.. {
        let Some(&var) = twin.order.get(index) else {
            break;
        };
        twin.declaration(var);
    }
    let result = result.map(|name| format!(" -> {name}")).unwrap_or_default();
    let declarations = twin.text;
    format!("procedure{result} {{\n{declarations}{body}}}\n")
}

struct Twin<'p> {
    procedure: &'p Procedure,
    names: HashMap<VarId, String>,
    order: Vec<VarId>,
    /// The unknowns of linear forms, as text.
    atoms: Vec<String>,
    /// What stands for the variables of the loops around.
    loops: HashMap<VarId, Linear>,
    loop_count: usize,
    text: String,
    depth: usize,
}

impl Twin<'_> {
    fn line(&mut self, line: &str) {
        self.text += &"  ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    fn name(&mut self, var: VarId) -> String {
        if let Some(name) = self.names.get(&var) {
            return name.clone();
        }
        let name = format!("v{}", self.order.len());
        self.order.push(var);
        self.names.insert(var, name.clone());
        name
    }

    /// The rank of an argument; the extents of what is declared here.
    fn declaration(&mut self, var: VarId) {
        let variable = &self.procedure.variables[var];
        let kind = match variable.storage {
            Storage::Argument { .. } => "argument",
            Storage::Local | Storage::Result => "local",
            Storage::Saved => "saved",
            Storage::Global(_) => "global",
            Storage::Common { .. } | Storage::Overlay { .. } => "shared",
            Storage::Constant { .. } => "constant",
        };
        let dims: Vec<String> = variable
            .shape
            .iter()
            .map(|dim| match dim.extent {
                Extent::Count(count) if !variable.is_argument() => self.value(count),
                _ => ":".into(),
            })
            .collect();
        let shape = if dims.is_empty() {
            String::new()
        } else {
            format!("[{}]", dims.join(", "))
        };
        let name = self.name(var);
        self.line(&format!(
            "{kind} {name}: {}{shape}",
            plain_type(variable.ty)
        ));
    }

    fn block(&mut self, block: &[StmtId]) {
        for &id in block {
            self.statement(self.procedure.stmt(id));
        }
    }

    fn inner(&mut self, head: &str, block: &[StmtId]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self, stmt: &Stmt) {
        let line = match stmt {
            Stmt::Assign { target, value } => {
                format!("{} = {}", self.place(target), self.value(*value))
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call(callee, arguments, result.as_ref()),
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                ..
            } => return self.counted(*variable, [*lower, *upper, *step], body),
            Stmt::While {
                condition, body, ..
            } => {
                let head = format!("while {}", self.value(*condition));
                return self.inner(&head, body);
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let head = format!("if {}", self.value(*condition));
                self.inner(&head, then);
                if !otherwise.is_empty() {
                    self.inner("else", otherwise);
                }
                return;
            }
            Stmt::Switch {
                selector,
                arms,
                default,
            } => {
                let head = format!("switch {}", self.value(*selector));
                self.line(&head);
                for arm in arms {
                    let labels: Vec<String> =
                        arm.labels.iter().map(|label| self.case(label)).collect();
                    self.inner(&format!("case {}", labels.join(", ")), &arm.body);
                }
                return self.inner("default", default);
            }
            Stmt::Region { body, .. } => return self.block(body),
            Stmt::Labelled { body, .. } => return self.inner("block", body),
            Stmt::Jump(Jump::Exit(_)) => "exit".into(),
            Stmt::Jump(Jump::Cycle(_)) => "cycle".into(),
            Stmt::Jump(Jump::Return) => "return".into(),
            Stmt::Allocate { target, shape, .. } => {
                let extents: Vec<ExprId> = shape.iter().map(|(_, extent)| *extent).collect();
                format!("allocate {}[{}]", self.place(target), self.values(&extents))
            }
            Stmt::Free { target } => format!("free {}", self.place(target)),
            Stmt::PointerAssign {
                target,
                value,
                offset,
                bounds,
                ..
            } => {
                let value = value
                    .as_ref()
                    .map_or("null".into(), |value| self.place(value));
                let offset = offset.map_or("0".into(), |offset| self.value(offset));
                // Lower bounds are the language's own; another shape is not.
                let uppers: Vec<ExprId> = bounds.iter().filter_map(|&(_, upper)| upper).collect();
                let shape = match uppers.is_empty() {
                    true => String::new(),
                    false => format!(" [{}]", self.values(&uppers)),
                };
                format!("point {} = {value} + {offset}{shape}", self.place(target))
            }
            Stmt::Fill { target, value } => {
                format!("fill {} = {}", self.place(target), self.value(*value))
            }
            Stmt::Copy { target, source } => {
                format!("copy {} = {}", self.place(target), self.place(source))
            }
            Stmt::Push { tape, value } => {
                format!("push {}, {}", self.name(*tape), self.value(*value))
            }
            Stmt::Pop { tape, target } => {
                format!("pop {}, {}", self.name(*tape), self.place(target))
            }
            Stmt::Opaque { text, .. } => format!("opaque {}", quoted(text)),
            Stmt::Stop { message, value } => {
                format!("stop {} {}", quoted(message), self.value(*value))
            }
            Stmt::Comment(_) => return,
        };
        self.line(&line);
    }

    fn case(&mut self, label: &CaseLabel) -> String {
        let mut end = |e: Option<ExprId>| e.map(|e| self.value(e)).unwrap_or_default();
        match *label {
            CaseLabel::Value(value) => end(Some(value)),
            CaseLabel::Range(lower, upper) => format!("{}..{}", end(lower), end(upper)),
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Argument], result: Option<&Access>) -> String {
        let result = result
            .map(|result| format!("{} = ", self.place(result)))
            .unwrap_or_default();
        let callee = match callee {
            Callee::Procedure(id) => format!("procedure {}", id.index()),
            Callee::External(name) => name.to_lowercase(),
            Callee::Variable(var) => self.name(*var),
        };
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value) => self.value(*value),
                Argument::Place(place) => self.place(place),
                Argument::Procedure(id) => format!("procedure {}", id.index()),
                Argument::Absent => "absent".into(),
                Argument::Opaque { text, .. } => quoted(text),
            })
            .collect();
        format!("{result}call {callee}({})", arguments.join(", "))
    }

    /// A loop that counts from zero, where its step is known.
    fn counted(&mut self, variable: VarId, [lower, upper, step]: [ExprId; 3], body: &[StmtId]) {
        let (lower, upper, step) = (self.form(lower), self.form(upper), self.form(step));
        let span = match step.as_constant() {
            Some(step) if step > 0 => upper.sub(&lower),
            Some(_) => lower.sub(&upper),
            None => None,
        };
        let counter = self.atom(format!("L{}", self.loop_count));
        let value = step
            .as_constant()
            .and_then(|step| lower.add_scaled(&counter, step));
        let (Some(step), Some(span), Some(value)) = (step.as_constant(), span, value) else {
            let bounds = [lower, upper, step].map(|form| self.linear_text(&form));
            let head = format!("loop {} = {}", self.name(variable), bounds.join(", "));
            return self.inner(&head, body);
        };
        let mut last = self.linear_text(&span);
        if step.abs() != 1 {
            last = format!("({last}) / {}", step.unsigned_abs());
        }
        let head = format!("loop L{} = 0, {last}", self.loop_count);
        self.loop_count += 1;
        let outer = self.loops.insert(variable, value);
        self.inner(&head, body);
        match outer {
            Some(outer) => self.loops.insert(variable, outer),
            None => self.loops.remove(&variable),
        };
    }
}

fn plain_type(ty: Type) -> String {
    match ty {
        Type::Integer { .. } => "int".into(),
        Type::Logical { .. } => "logical".into(),
        ty => type_text(ty),
    }
}
