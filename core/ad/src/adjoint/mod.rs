//! Reverse mode: one procedure's adjoint from its primal.
//!
//! The steps, each in a file of its own:
//! 1. `shadows`: a shadow for each active variable; the derived procedure's arguments;
//! 2. `local`, `calls`: for each statement the statements that reverse it, primal values in them
//!    standing as `Required`;
//! 3. `needs`: what must be saved, restored, stored or run again, for given joint loops
//!    (which loops those are is the plan's choice, `checkpoint`);
//! 4. `tape`, `extent`: where it is kept, and how large that is;
//! 5. `fusion`: whether the last loop can be reversed iteration by iteration as it runs;
//! 6. `emit`: the forward and the backward sweep;
//! 7. `contract`: what the caller was promised about shadows and results.

mod calls;
mod contract;
mod emit;
mod extent;
mod fusion;
mod local;
pub mod needs;
mod shadows;
mod tape;

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Builder, Diagnostic, Expr, ExprId, Module, Procedure, ProcedureId, ProcedureRole, Role,
    SideTable, Sources, Span, Stmt, StmtId, StmtNode, VarId,
};

pub use calls::CalleeAdjoint;
pub use emit::place_type;
pub use shadows::{GlobalShadows, callee_signature};

use crate::analysis::{Dependence, Effects, StmtEffects, Tree, Use};
use crate::checkpoint;
use crate::request::Planner;
use crate::specialise::Specialisation;
use local::{Site, Temporaries};
use needs::Subject;

/// What one adjoint procedure is made from.
pub struct Order<'a> {
    /// The program.
    pub module: &'a Module,
    /// The user's text, for comments.
    pub sources: &'a Sources,
    /// What procedures and statements read and write.
    pub effects: &'a Effects,
    /// The primal.
    pub id: ProcedureId,
    /// Its active variables, and which of their shadows are arguments.
    pub specialisation: &'a Specialisation,
    /// How shadows that are arguments behave.
    pub boundary: Boundary,
    /// The adjoints of the procedures that it calls, by call statement.
    pub callees: BTreeMap<StmtId, CalleeAdjoint>,
    /// The name of the derived procedure.
    pub name: String,
    /// The suffix of shadows.
    pub suffix: String,
    /// Who decides which loops are reversed joint.
    pub planner: Planner,
}

/// What happens to shadows at the procedure's boundary.
#[derive(Clone, PartialEq, Debug)]
pub enum Boundary {
    /// A callee: the shadow of each active argument holds the adjoint of its value, on entry that
    /// of the value on exit, on exit that of the value on entry.
    Callee,
    /// The head: shadows of independents are incremented, those of dependents consumed.
    Head {
        /// The independents.
        independents: BTreeSet<VarId>,
        /// The dependents.
        dependents: BTreeSet<VarId>,
    },
}

/// The adjoint of a procedure.
#[derive(Clone, Debug)]
pub struct Adjoint {
    /// The procedure.
    pub procedure: Procedure,
    /// One line per thing stored or run again.
    pub report: Vec<String>,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Builds the adjoint. `globals` has the shadows of globals.
///
/// # Errors
/// Diagnostics for constructs that cannot be reversed.
pub fn adjoint(order: &Order<'_>, globals: &GlobalShadows) -> Result<Adjoint, Vec<Diagnostic>> {
    let primal = &order.module.procedures[order.id];
    let tree = Tree::of(primal);
    let dependence = Dependence::of(order.module, order.id, order.effects, &tree);
    let problems = refusals(order, primal);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut out = primal.clone();
    out.role = ProcedureRole::Adjoint { of: order.id };
    out.name = order.name.clone();
    let shadows = shadows::create(order, &mut out, globals);
    let reverse = reverse_statements(order, &tree, &dependence, &mut out, &shadows.of);
    let uses = collect_uses(&out, &tree, &reverse, order);
    let active: BTreeSet<StmtId> = reverse
        .iter()
        .filter(|(_, block)| !block.is_empty())
        .map(|(&stmt, _)| stmt)
        .collect();
    let mut effects: SideTable<StmtNode, StmtEffects> = SideTable::new(StmtEffects::default());
    for stmt in primal.all_statements() {
        effects.set(stmt, order.effects.stmt(order.module, order.id, stmt));
    }
    let mut subject = Subject {
        module: order.module,
        id: order.id,
        effects: &effects,
        tree: &tree,
        dependence: &dependence,
        uses: &uses,
        active: &active,
        joint: &BTreeSet::new(),
        fused: None,
    };
    let plan = checkpoint::plan(&subject, order.planner);
    subject.joint = &plan.joint;
    let mut needs = subject.needs();
    let fusion = fusion::find(&subject, &shadows.of);
    if let Some(fusion) = &fusion {
        subject.joint = &fusion.joint;
        subject.fused = Some(fusion.loop_id);
        needs = fusion.needs.clone();
    }
    let comments = |stmt: StmtId| comment_of(order, stmt);
    let mut emitter = emit::Emitter::new(out, &subject, &needs, &reverse, &comments, &shadows.of);
    let forward = emitter.forward_sweep();
    let backward = emitter.backward_sweep();
    let tapes = emitter.tapes.len();
    let mut report = plan.report(order.module, order.id);
    report.push(format!("{}: {} tapes", order.name, tapes));
    let touched = contract::Touched {
        written_backwards: emitter.written_backwards,
        saved: emitter.saved,
        freed: emitter.freed,
    };
    let (mut out, problems) = (emitter.out, emitter.problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let diagnostics = contract::close(
        order,
        &dependence,
        &mut out,
        &shadows,
        contract::Sweeps { forward, backward },
        &touched,
    )?;
    settle_requirements(&mut out);
    Ok(Adjoint {
        procedure: out,
        report,
        diagnostics,
    })
}

/// Constructs that have no reversal yet, where they matter.
fn refusals(order: &Order<'_>, primal: &Procedure) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let refuse = |span: Span, what: &str, help: &str| {
        Diagnostic::error(
            "not-reversible",
            format!("cannot reverse {what} in `{}`", primal.name),
        )
        .at(span, "here")
        .with_help(help.to_owned())
    };
    let is_active = |access: &Access| order.specialisation.active.contains(&access.var);
    let tree = Tree::of(primal);
    for stmt in primal.all_statements() {
        let span = primal.stmts[stmt].span;
        let in_loop = !tree.loops(primal, stmt).is_empty();
        match primal.stmt(stmt) {
            Stmt::PointerAssign { target, value, .. }
                if is_active(target) || value.as_ref().is_some_and(is_active) =>
            {
                problems.push(refuse(
                    span,
                    "a pointer assignment to an active target",
                    "use the array that the pointer points to, or pass it as an argument",
                ));
            }
            Stmt::Allocate { .. } | Stmt::Free { .. } if in_loop => problems.push(refuse(
                span,
                "an allocation inside a loop",
                "allocate the array before the loop",
            )),
            Stmt::Copy { target, .. } if is_active(target) => problems.push(refuse(
                span,
                "a copy of active memory",
                "write the copy as a loop over elements",
            )),
            Stmt::Fill { target, value } if is_active(target) => {
                let reads_active = primal
                    .reads_of_expr(*value)
                    .iter()
                    .any(|read| is_active(read));
                if reads_active {
                    problems.push(refuse(
                        span,
                        "a fill with an active value",
                        "write the fill as a loop over elements",
                    ));
                }
            }
            Stmt::Opaque {
                reads,
                writes,
                kind,
                ..
            } => {
                if let Some(access) = writes.iter().find(|access| is_active(access)) {
                    let name = &primal.variables[access.var].name;
                    problems.push(
                        Diagnostic::error(
                            "opaque-active",
                            format!("this {kind} statement may change `{name}`, which is active"),
                        )
                        .at(span, "not understood well enough to be differentiated")
                        .with_help(format!(
                            "move the statement out of the differentiated part, or keep `{name}` out of it"
                        )),
                    );
                }
                let _ = reads;
            }
            _ => {}
        }
    }
    for (var, variable) in primal.variables.iter() {
        let written = matches!(variable.storage, contraflow_ir::Storage::Saved)
            && primal.all_statements().iter().any(|&stmt| {
                order
                    .effects
                    .stmt(order.module, order.id, stmt)
                    .writes
                    .iter()
                    .any(|write| write.var == var)
            });
        if written {
            problems.push(refuse(
                variable.span,
                &format!(
                    "the saved variable `{}`, whose value outlives the call,",
                    variable.name
                ),
                "make it an argument or a module variable",
            ));
        }
    }
    problems
}

fn reverse_statements(
    order: &Order<'_>,
    tree: &Tree,
    dependence: &Dependence<'_>,
    out: &mut Procedure,
    shadows: &BTreeMap<VarId, VarId>,
) -> BTreeMap<StmtId, Vec<StmtId>> {
    let primal = &order.module.procedures[order.id];
    let mut temporaries = Temporaries::default();
    let mut reverse = BTreeMap::new();
    for stmt in primal.all_statements() {
        temporaries.release();
        let is_there = |var: VarId| is_always_there(primal, tree, stmt, var);
        let mut site = Site {
            out: &mut *out,
            dependence,
            shadows,
            temporaries: &mut temporaries,
            stmt,
            is_there: &is_there,
        };
        let block = match primal.stmt(stmt) {
            Stmt::Assign { target, value } => site.reverse_assignment(target, *value),
            Stmt::Fill { target, value } => match site.shadow_of(target) {
                Some(shadow) => {
                    let ty = primal.exprs[*value].ty;
                    let mut b = Builder::new(site.out);
                    let value = b.zero(ty);
                    vec![b.stmt(Stmt::Fill {
                        target: shadow,
                        value,
                    })]
                }
                None => Vec::new(),
            },
            Stmt::Call {
                arguments, result, ..
            } => {
                let mut block = zeroed_by_call(&mut site, order, stmt);
                if let Some(callee) = order.callees.get(&stmt) {
                    block.extend(site.reverse_call(callee, arguments, result.as_ref()));
                }
                block
            }
            _ => Vec::new(),
        };
        reverse.insert(stmt, block);
    }
    reverse
}

/// Zeroes the shadows of what a call overwrites with passive values: it has no influence from there
/// back.
fn zeroed_by_call(site: &mut Site<'_, '_>, order: &Order<'_>, stmt: StmtId) -> Vec<StmtId> {
    let mut block = Vec::new();
    for place in order.specialisation.zeroed.get(&stmt).into_iter().flatten() {
        let Some(shadow) = site.shadow_of(place) else {
            continue;
        };
        let ty = emit::place_type(order.module, site.out, place);
        let is_scalar = tape::is_scalar_place(site.out, place);
        let mut b = Builder::new(site.out);
        let value = b.zero(ty);
        block.push(if is_scalar {
            b.assign(shadow, value)
        } else {
            b.stmt(Stmt::Fill {
                target: shadow,
                value,
            })
        });
    }
    block
}

fn is_always_there(primal: &Procedure, tree: &Tree, at: StmtId, var: VarId) -> bool {
    primal.variables.get(var).is_none_or(|variable| {
        variable.is_constant()
            || tree.owners(at).iter().any(|&owner| {
                matches!(primal.stmt(owner), Stmt::Loop { variable, .. } if *variable == var)
            })
    })
}

/// The primal values that the backward statements of each primal statement use: what stands as
/// `Required`, and what subscripts read.
fn collect_uses(
    out: &Procedure,
    tree: &Tree,
    reverse: &BTreeMap<StmtId, Vec<StmtId>>,
    order: &Order<'_>,
) -> BTreeMap<StmtId, Vec<Use>> {
    let primal = &order.module.procedures[order.id];
    let mut all = BTreeMap::new();
    for (&stmt, block) in reverse {
        let mut uses: Vec<Use> = Vec::new();
        let mut push = |used: Use| {
            if !is_always_there(primal, tree, stmt, used.access.var) && !uses.contains(&used) {
                uses.push(used);
            }
        };
        for used in local::required_in(out, block) {
            push(used);
        }
        let mut roots: Vec<ExprId> = Vec::new();
        out.walk_block(block, &mut |s| roots.extend(out.stmt(s).expressions()));
        for root in roots {
            out.walk_expr(root, &mut |e| {
                if let Expr::Load(access) = out.expr(e)
                    && out.variables[access.var].role == Role::Primal
                {
                    push(Use {
                        access: access.clone(),
                        at: stmt,
                        after: false,
                    });
                }
            });
        }
        if matches!(primal.stmt(stmt), Stmt::Call { .. }) && order.callees.contains_key(&stmt) {
            for access in order.effects.stmt(order.module, order.id, stmt).reads {
                push(Use {
                    access,
                    at: stmt,
                    after: false,
                });
            }
        }
        if !uses.is_empty() {
            all.insert(stmt, uses);
        }
    }
    all
}

/// The plan made every required value available in its place: read it there.
fn settle_requirements(out: &mut Procedure) {
    for (_, node) in out.exprs.iter_mut() {
        if let Expr::Required { access, .. } = &node.expr {
            node.expr = Expr::Load(access.clone());
        }
    }
}

/// The primal line that a piece of the backward sweep reverses.
fn comment_of(order: &Order<'_>, stmt: StmtId) -> Option<String> {
    let span = order.module.procedures[order.id].stmts[stmt].span;
    let text = order.sources.snippet(span);
    let text: String = text
        .lines()
        .map(|line| {
            line.trim()
                .trim_end_matches('&')
                .trim_start_matches('&')
                .trim()
        })
        .collect::<Vec<_>>()
        .join(" ");
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let short: String = text.chars().take(60).collect();
    Some(if short.len() < text.len() {
        format!("{short} ...")
    } else {
        short
    })
}
