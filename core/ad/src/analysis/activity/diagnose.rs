//! What the user hears of activity: outputs without derivative, inputs without influence, and
//! active values in code that cannot be differentiated.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Argument, Callee, Diagnostic, GlobalId, Intrinsic, Module, Procedure, Span, Stmt,
    StmtId, Storage, Type, VarId, Variable, place_of,
};

use super::Program;
use super::flow::{Blocked, CallFlow, Flow, Source, UnknownFlow};
use super::specialise::{Context, Contexts, reachable_calls};
use crate::analysis::memory::{is_shown, leads_on, may_show};
use crate::analysis::{Shared, retyped};
use crate::rules::Op;

/// All errors, each place once.
pub(super) fn errors(
    program: &Program<'_>,
    contexts: &Contexts,
    dependents: &[VarId],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let pointed = pointed(program.module);
    for index in reachable_calls(program, contexts).into_keys() {
        let checker = Checker {
            program,
            pointed: &pointed,
            contexts,
            index,
            context: &contexts.all[index],
            procedure: &program.module.procedures[contexts.all[index].procedure],
        };
        for stmt in checker.procedure.all_statements() {
            checker.check(stmt, &mut found);
            found.extend(beyond(checker.procedure, stmt));
        }
    }
    // A derivative that ends in code without rule would make its output look inactive.
    if found.is_empty() {
        found.extend(inactive_outputs(program, contexts, dependents));
    }
    let mut seen: Vec<Diagnostic> = Vec::new();
    for diagnostic in found {
        if !seen.contains(&diagnostic) {
            seen.push(diagnostic);
        }
    }
    seen
}

/// Text that no derived procedure can have, whatever flows through it.
fn beyond(procedure: &Procedure, stmt: StmtId) -> Option<Diagnostic> {
    let Stmt::Opaque { kind, .. } = procedure.stmt(stmt) else {
        return None;
    };
    let (code, message, place, help) = match *kind {
        "goto" => (
            "quoted-jump",
            "a jump that is not understood",
            "its labels are not in the derivative",
            "of a call with alternate returns: give the file that defines the procedure as an \
             input too; else write the jump with IF",
        ),
        "address pointer" => (
            "address-pointer",
            "variables that lie where an integer says",
            "what they overlap is not known",
            "use pointers (`p => a`) or pass the array as an argument",
        ),
        _ => return None,
    };
    let refused = Diagnostic::error(code, message)
        .at(procedure.stmts[stmt].span, place)
        .with_help(help);
    Some(refused)
}

fn inactive_outputs<'a>(
    program: &'a Program<'_>,
    contexts: &'a Contexts,
    dependents: &'a [VarId],
) -> impl Iterator<Item = Diagnostic> + 'a {
    let head = &contexts.all[0];
    let procedure = &program.module.procedures[head.procedure];
    dependents
        .iter()
        .filter(|var| !head.varied_at_exit[var.index()])
        .map(|&var| {
            let variable = &procedure.variables[var];
            let name = &variable.name;
            let diagnostic = Diagnostic::error(
                "inactive-output",
                format!(
                    "the dependent variable `{name}` of `{}` depends on none of the independent \
                     variables",
                    procedure.name
                ),
            )
            .at(variable.span, "declared here");
            match number_free(variable) {
                Some(kind) => diagnostic.with_note(format!("`{name}` holds {kind}")),
                None => diagnostic,
            }
            .with_help(
                "name another dependent variable, or add to the independent ones what this one \
                 depends on",
            )
        })
}

/// What a variable holds that no derivative can pass through.
fn number_free(variable: &Variable) -> Option<&'static str> {
    match variable.ty {
        Type::Integer { .. } => Some("whole numbers, which have no derivative"),
        Type::Logical { .. } => Some("truth values, which have no derivative"),
        Type::Character => Some("text, which has no derivative"),
        _ if variable.is_constant() => Some("a constant"),
        _ => None,
    }
}

/// Independent variables without influence.
pub(super) fn warnings(
    program: &Program<'_>,
    contexts: &Contexts,
    independents: &[VarId],
) -> Vec<Diagnostic> {
    let head = &contexts.all[0];
    let procedure = &program.module.procedures[head.procedure];
    independents
        .iter()
        .filter(|var| !head.useful_at_entry[var.index()])
        .map(|&var| {
            let variable = &procedure.variables[var];
            Diagnostic::warning(
                "inactive-input",
                format!(
                    "the independent variable `{}` of `{}` influences none of the dependent \
                     variables; its derivative is zero",
                    variable.name, procedure.name
                ),
            )
            .at(variable.span, "declared here")
        })
        .collect()
}

/// The globals of which pointers are let point somewhere: by a statement that names them, in a copy, or by
/// whom they are passed to.
fn pointed(module: &Module) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    for (_, procedure) in module.procedures.iter() {
        let moves = |place: &Access| {
            is_shown(module, procedure, place)
                || place_of(module, procedure, place)
                    .map_or(true, |place| leads_on(module, place.ty, 0))
        };
        for (_, node) in procedure.stmts.iter() {
            let targets: Vec<&Access> = match &node.stmt {
                Stmt::PointerAssign { target, .. } => vec![target],
                Stmt::Assign { target, .. } | Stmt::Copy { target, .. } if moves(target) => {
                    vec![target]
                }
                Stmt::Opaque { writes, .. } => writes.iter().collect(),
                Stmt::Call {
                    arguments, result, ..
                } => {
                    let places = arguments.iter().filter_map(|argument| match argument {
                        Argument::Place(place) => Some(place),
                        _ => None,
                    });
                    places.chain(result).filter(|place| moves(place)).collect()
                }
                _ => Vec::new(),
            };
            found.extend(targets.into_iter().filter_map(|target| {
                match procedure.variables[target.var].storage {
                    Storage::Global(global) => Some(global),
                    _ => None,
                }
            }));
        }
    }
    found
}

struct Checker<'a> {
    /// The globals of which pointers are let point somewhere.
    pointed: &'a BTreeSet<GlobalId>,
    program: &'a Program<'a>,
    contexts: &'a Contexts,
    index: usize,
    context: &'a Context,
    procedure: &'a Procedure,
}

impl Checker<'_> {
    fn check(&self, stmt: StmtId, found: &mut Vec<Diagnostic>) {
        let flows = &self.program.flows[self.context.procedure.index()];
        match &flows[stmt.index()] {
            Flow::Move { target, source, .. } => {
                if self.context.is_useful_after(stmt, *target) {
                    found.extend(self.blocked(stmt, source));
                }
            }
            Flow::Call(call) => self.check_call(stmt, call, found),
            // What is read as something else comes back as something that has no derivative.
            Flow::Unknown(unknown)
                if matches!(self.procedure.stmt(stmt), Stmt::PointerAssign { .. }) =>
            {
                let varied = self.varied(stmt, &unknown.reads);
                let span = self.procedure.stmts[stmt].span;
                found.extend(varied.map(|slot| retyped::refusal(&self.name(slot), span)));
            }
            Flow::Unknown(unknown) => found.extend(self.check_unknown(stmt, unknown)),
            Flow::Nothing | Flow::Kill(_) => {}
        }
    }

    fn check_call(&self, stmt: StmtId, call: &CallFlow, found: &mut Vec<Diagnostic>) {
        if let Some(slot) = self.varied(stmt, &call.retyped) {
            found.push(self.retyped(stmt, call, slot));
        }
        found.extend(self.shown_unseen(stmt, call));
        let Some(callee) = self.contexts.callee(self.program, self.index, stmt) else {
            return;
        };
        let pattern = &self.contexts.all[callee].pattern;
        let ports = &self.program.slots(call.callee).ports;
        for (&(_, slot), input) in ports.iter().zip(&call.inputs) {
            if pattern.varied_in[slot] {
                found.extend(self.blocked(stmt, input));
            }
        }
    }

    /// A call that may use a variable through a pointer of a module which this procedure does not name: that
    /// the two are one memory would not be seen.
    fn shown_unseen(&self, stmt: StmtId, call: &CallFlow) -> Option<Diagnostic> {
        let (module, effects) = (self.program.module, self.program.effects);
        if self.procedure.scalars_by_value {
            return None;
        }
        let slots = self.program.slots(self.context.procedure);
        let unnamed = slots.extras.iter().filter_map(|&shared| match shared {
            Shared::Global(global) if self.pointed.contains(&global) => {
                Some((global, effects.global(call.callee, shared)))
            }
            _ => None,
        });
        for (global, touch) in unnamed {
            for (var, variable) in self.procedure.variables.iter() {
                let slot = var.index();
                // What is written must be put back for whoever used the old value, active or not.
                let is_used = touch.write
                    || touch.read && slots.carries[slot] && self.varied(stmt, &[slot]).is_some();
                if is_used && may_show(module, global, variable) {
                    let (global, name) = (&module.globals[global].name, &variable.name);
                    let procedure = &self.procedure.name;
                    let refused = Diagnostic::error(
                        "unseen-pointer",
                        format!(
                            "`{global}` may point to `{name}` in this call, and `{procedure}` names only \
                             `{name}`"
                        ),
                    )
                    .at(self.procedure.stmts[stmt].span, format!("`{name}` may be used here"))
                    .with_help(format!(
                        "use `{name}` by its own name in what is called, or pass the pointer as an argument"
                    ));
                    return Some(refused);
                }
            }
        }
        None
    }

    fn blocked(&self, stmt: StmtId, source: &Source) -> Vec<Diagnostic> {
        source
            .blocked
            .iter()
            .filter_map(|blocked| {
                let slot = self.varied(stmt, &blocked.slots)?;
                Some(self.blocked_by(stmt, blocked, slot))
            })
            .collect()
    }

    fn retyped(&self, stmt: StmtId, call: &CallFlow, slot: usize) -> Diagnostic {
        let callee = &self.program.module.procedures[call.callee];
        Diagnostic::error(
            "no-rule",
            format!(
                "an active value is passed to `{}`, whose argument does not say that it holds real \
                 numbers",
                callee.name
            ),
        )
        .at(
            self.procedure.stmts[stmt].span,
            format!("`{}` is active here", self.name(slot)),
        )
        .with_help("pass memory that holds no active values, such as an array of its own")
    }

    fn varied(&self, stmt: StmtId, slots: &[usize]) -> Option<usize> {
        slots
            .iter()
            .copied()
            .find(|&slot| self.context.is_varied_before(stmt, slot))
    }

    fn blocked_by(&self, stmt: StmtId, blocked: &Blocked, slot: usize) -> Diagnostic {
        let name = self.name(slot);
        let span = match blocked.span.is_some() {
            true => blocked.span,
            false => self.procedure.stmts[stmt].span,
        };
        match blocked.function {
            Some(op) => Diagnostic::error(
                "no-rule",
                format!("there is no derivative of `{}` yet", function_name(op)),
            )
            .at(span, format!("`{name}` is active here"))
            .with_help("write the function in the source, or keep active values from it"),
            None => opaque(span, &name, None),
        }
    }

    fn check_unknown(&self, stmt: StmtId, unknown: &UnknownFlow) -> Option<Diagnostic> {
        let useful = unknown
            .writes
            .iter()
            .copied()
            .find(|&slot| self.context.is_useful_after(stmt, slot))?;
        let varied = self.varied(stmt, &unknown.reads).or_else(|| {
            unknown.writes.iter().copied().find(|slot| {
                !unknown.killed.contains(slot)
                    && self.context.is_varied_before(stmt, *slot)
                    && self.context.is_useful_after(stmt, *slot)
            })
        })?;
        let span = self.procedure.stmts[stmt].span;
        let (from, to) = (self.name(varied), self.name(useful));
        Some(match self.procedure.stmt(stmt) {
            Stmt::Call { callee, .. } => self.without_source(span, callee, &from, &to),
            _ => opaque(span, &from, Some(&to)),
        })
    }

    fn without_source(&self, span: Span, callee: &Callee, from: &str, to: &str) -> Diagnostic {
        let name = match callee {
            Callee::External(name) if matches!(name.as_str(), "malloc" | "calloc" | "realloc") => {
                return Diagnostic::error(
                    "no-rule",
                    format!("how many numbers `{name}` makes memory for is not seen"),
                )
                .at(span, format!("`{to}` holds derivatives"))
                .with_help(
                    "say it as a product with `sizeof` of what the pointer leads to \
                     (`malloc(n*sizeof *p)`); arrays at the end of structs are to have memory of \
                     their own",
                );
            }
            Callee::External(name) => name.clone(),
            Callee::Procedure(id) => {
                let callee = &self.program.module.procedures[*id];
                if callee.has_body {
                    return Diagnostic::error(
                        "no-rule",
                        format!(
                            "an active value is passed to `{}`, whose argument does not say that \
                             it holds real numbers",
                            callee.name
                        ),
                    )
                    .at(span, format!("`{from}` goes in, `{to}` may come out"))
                    .with_help("declare the argument with its real type");
                }
                callee.name.clone()
            }
            Callee::Variable(var) if !self.procedure.variables[*var].is_argument() => {
                return Diagnostic::error(
                    "no-rule",
                    "an active value passes through a pointer to a function that is not known here",
                )
                .at(span, format!("`{from}` goes in, `{to}` may come out"))
                .with_help(
                    "give the file that lets the pointer point to the function as an input too,                      with a head that calls it, or call the function by its own name",
                );
            }
            Callee::Variable(var) => {
                let name = &self.procedure.variables[*var].name;
                return Diagnostic::error(
                    "no-rule",
                    format!("an active value passes through the procedure variable `{name}`"),
                )
                .at(span, format!("`{from}` goes in, `{to}` may come out"))
                .with_help(format!(
                    "say which procedure is passed to the head: `--bind {name}=PROCEDURE`, or call it \
                     by its own name"
                ));
            }
        };
        Diagnostic::error(
            "no-rule",
            format!("an active value passes through `{name}`, which has no source and no rule"),
        )
        .at(span, format!("`{from}` goes in, `{to}` may come out"))
        .with_help(format!(
            "give the file that defines `{name}` as an input too; if `{name}` does not change its \
             arguments, declare them so (INTENT(IN), const)"
        ))
    }

    fn name(&self, slot: usize) -> String {
        match self.procedure.variables.get(VarId::from_index(slot)) {
            Some(variable) => variable.name.clone(),
            None => "a variable that is not visible here".to_owned(),
        }
    }
}

fn opaque(span: Span, from: &str, to: Option<&str>) -> Diagnostic {
    let flow = match to {
        Some(to) if to != from => format!("`{from}` goes in, `{to}` may come out"),
        _ => format!("`{from}` is active here"),
    };
    Diagnostic::error(
        "opaque-active",
        "an active value passes through code that is not understood",
    )
    .at(span, flow)
    .with_help(
        "write this part with plain assignments, or move it into a procedure that active values \
         do not pass",
    )
}

fn function_name(op: Op) -> &'static str {
    match op {
        Op::Intrinsic(Intrinsic::Gamma) => "gamma",
        Op::Intrinsic(Intrinsic::LogGamma) => "log_gamma",
        _ => "this operation",
    }
}
