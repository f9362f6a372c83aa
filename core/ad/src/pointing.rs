//! Shadows of pointers in C files that point before the call: they follow their pointers at its start.
//!
//! What the user's initialisation lets a pointer of a file point to, no derived procedure has seen. A pointer
//! can lead to each variable of the files whose address is stored somewhere and that has a part of the
//! pointer's type. The derivative's head compares the address with those parts, and lets the shadow point
//! to the shadow of the one that it is:
//!
//! ```text
//! p_b = null;  for each part u[k]: if (p == &u[k]) p_b = &u_b[k];  stop if (p and not p_b)
//! ```
//!
//! So it ends the program where the pointer leads elsewhere, instead of following a shadow that points
//! nowhere. The address after an array may be that of the next one. Where it is not seen that a pointer is
//! set to elements only, and its address could be both, the program ends.
//! Memory that is allocated outside of the call has no shadow: that is refused. The comparison
//! costs as many steps as the parts have elements.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Allocation, Argument, BinaryOp, Block, Builder, Callee, Diagnostic, Expr, ExprId,
    GlobalId, GlobalKind, Module, Procedure, ProcedureId, RecordId, Selector, Span, Stmt, StmtId,
    Storage, Type, VarId, Variable,
};

use crate::analysis::followed::components;
use crate::analysis::memory::leads_on;
use crate::analysis::{CallGraph, Effects, Entry, Shared};
use crate::expose::expose_global;
use crate::naming;
use crate::request::Request;
use crate::shared_shadows::SharedShadows;

/// A pointer of a file, and the variables to which it may lead.
#[derive(Clone, Debug)]
pub struct Pointing {
    holder: GlobalId,
    part: Part,
    targets: Vec<(GlobalId, Part)>,
    /// Whether the program ends where the pointer leads elsewhere.
    must_follow: bool,
    /// Whether it may be an address after the last element of an array.
    may_be_after: bool,
}

impl Pointing {
    /// The variables to which the pointer may lead.
    pub fn targets(&self) -> impl Iterator<Item = GlobalId> + '_ {
        self.targets.iter().map(|(target, _)| *target)
    }

    /// The variable and the components of the pointer, as a message has them.
    fn spelled(&self, module: &Module) -> String {
        let holder = &module.globals[self.holder];
        let (mut spelled, mut ty) = (holder.name.clone(), holder.ty);
        for field in self.part.fields() {
            if let Type::Record(record) = ty {
                let field = &module.records[record].fields[field as usize];
                spelled = format!("{spelled}.{}", field.name);
                ty = field.ty;
            }
        }
        spelled
    }
}

/// The way from a variable to a part of it.
#[derive(Clone, PartialEq, Debug)]
struct Part {
    steps: Vec<Step>,
    ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
enum Step {
    Field(u32),
    /// `(lower, extent)` per dimension.
    Elements(Vec<(i64, i64)>),
}

impl Part {
    fn fields(&self) -> Vec<u32> {
        let fields = self.steps.iter().filter_map(|step| match step {
            Step::Field(field) => Some(*field),
            Step::Elements(_) => None,
        });
        fields.collect()
    }
}

/// The components on the way to a place.
fn fields_to(place: &Access) -> Vec<u32> {
    let fields = place.path.iter().filter_map(|step| match step {
        Selector::Field(field) => Some(*field),
        Selector::Index(_) | Selector::Deref => None,
    });
    fields.collect()
}

/// Structures that are deeper are not taken apart.
const DEEP: usize = 8;

/// All parts of a variable that a test picks; `None` where it cannot be taken apart.
fn parts(module: &Module, global: GlobalId, picks: &dyn Fn(Type) -> bool) -> Option<Vec<Part>> {
    let global = &module.globals[global];
    let mut found = Vec::new();
    let whole = Part {
        steps: Vec::new(),
        ty: global.ty,
    };
    let is_fixed = global.allocation == Allocation::Fixed;
    (is_fixed && collect(module, whole, &global.shape, picks, &mut found)).then_some(found)
}

fn collect(
    module: &Module,
    mut part: Part,
    shape: &[(i64, Option<i64>)],
    picks: &dyn Fn(Type) -> bool,
    found: &mut Vec<Part>,
) -> bool {
    if !shape.is_empty() {
        let dims: Option<Vec<(i64, i64)>> = shape
            .iter()
            .map(|&(lower, extent)| Some((lower, extent?)))
            .collect();
        match dims {
            Some(dims) => part.steps.push(Step::Elements(dims)),
            None => return false,
        }
    }
    if picks(part.ty) {
        found.push(part.clone());
    }
    let Type::Record(record) = part.ty else {
        return true;
    };
    let record = &module.records[record];
    if record.is_union || part.steps.len() > DEEP {
        return false;
    }
    record.fields.iter().enumerate().all(|(n, field)| {
        let mut inner = part.clone();
        inner.steps.push(Step::Field(n as u32));
        inner.ty = field.ty;
        field.allocation == Allocation::Fixed && collect(module, inner, &field.shape, picks, found)
    })
}

/// Whether memory of a type can hold derivatives, or lead to some that does.
fn carries(module: &Module, ty: Type, depth: usize) -> bool {
    match ty {
        Type::Real { .. } | Type::Complex { .. } | Type::Address | Type::Unknown => true,
        Type::Pointer(pointer) => {
            depth > DEEP || carries(module, module.pointers[pointer].target, depth + 1)
        }
        Type::Record(record) => {
            let mut fields = module.records[record].fields.iter();
            depth > DEEP || fields.any(|field| carries(module, field.ty, depth + 1))
        }
        _ => false,
    }
}

/// Whether a value of a type is an address whose shadow has to point.
fn is_followed(module: &Module, ty: Type) -> bool {
    match ty {
        Type::Pointer(pointer) => carries(module, module.pointers[pointer].target, 0),
        Type::Address | Type::Unknown => true,
        _ => false,
    }
}

/// Whether the user declares a variable in a C file.
fn is_of_file(module: &Module, global: GlobalId) -> bool {
    let global = &module.globals[global];
    matches!(global.kind, GlobalKind::External | GlobalKind::FileStatic)
        && global.shadow_of.is_none()
}

/// The variables of files that hold pointers which no call of the head sees set: those that the user's
/// initialisation has to set.
fn holders(module: &Module, effects: &Effects, head: ProcedureId) -> Vec<GlobalId> {
    let is_ours = |global: GlobalId| {
        let declared = &module.globals[global];
        is_of_file(module, global)
            && declared.declared_by.is_none()
            && leads_on(module, declared.ty, 0)
            && carries(module, declared.ty, 0)
    };
    let touched = effects.callee_globals(head);
    let globals = touched.filter_map(|(shared, _)| match shared {
        Shared::Global(global) => Some(global),
        Shared::Common { .. } | Shared::Saved(..) => None,
    });
    globals.filter(|&global| is_ours(global)).collect()
}

/// The procedures that may keep addresses that they are given: they store an argument, or hand one on to
/// such a procedure or to one that nobody sees.
fn keepers(module: &Module) -> BTreeSet<ProcedureId> {
    let mut known = BTreeSet::new();
    loop {
        let keeps = |id: &ProcedureId, procedure: &Procedure, known: &BTreeSet<ProcedureId>| {
            let is_argument = |access: &Access| procedure.variables[access.var].is_argument();
            let reads_records = |e: ExprId| {
                let holds = matches!(procedure.exprs[e].ty, Type::Record(_) | Type::Pointer(_));
                holds && procedure.reads_of_expr(e).into_iter().any(is_argument)
            };
            !known.contains(id)
                && (!procedure.has_body
                    || procedure.stmts.iter().any(|(_, node)| match &node.stmt {
                        Stmt::PointerAssign { value, .. } => {
                            value.as_ref().is_some_and(is_argument)
                        }
                        Stmt::Assign { value, .. } => reads_records(*value),
                        Stmt::Copy { source, .. } => {
                            is_argument(source)
                                && leads_on(module, procedure.variables[source.var].ty, 0)
                        }
                        Stmt::Opaque { reads, .. } => reads.iter().any(is_argument),
                        Stmt::Call {
                            callee, arguments, ..
                        } => {
                            may_keep(known, callee)
                                && arguments.iter().any(|argument| match argument {
                                    Argument::Place(place) => is_argument(place),
                                    Argument::Value(value) => reads_records(*value),
                                    _ => false,
                                })
                        }
                        _ => false,
                    }))
        };
        let more: Vec<ProcedureId> = module
            .procedures
            .iter()
            .filter(|(id, procedure)| keeps(id, procedure, &known))
            .map(|(id, _)| id)
            .collect();
        if more.is_empty() {
            return known;
        }
        known.extend(more);
    }
}

fn may_keep(keepers: &BTreeSet<ProcedureId>, callee: &Callee) -> bool {
    match callee {
        Callee::Procedure(id) => keepers.contains(id),
        Callee::External(_) | Callee::Variable(_) => true,
    }
}

/// The variables of which an address is stored where other names find it.
fn stored(module: &Module) -> BTreeSet<GlobalId> {
    let keepers = keepers(module);
    let mut found = BTreeSet::new();
    for (_, procedure) in module.procedures.iter() {
        let global = |access: &Access| match procedure.variables[access.var].storage {
            Storage::Global(global) => Some(global),
            _ => None,
        };
        for (_, node) in procedure.stmts.iter() {
            match &node.stmt {
                Stmt::PointerAssign {
                    value: Some(value), ..
                } => found.extend(global(value)),
                Stmt::Call {
                    callee, arguments, ..
                } if may_keep(&keepers, callee) => {
                    let places = arguments.iter().filter_map(|argument| match argument {
                        Argument::Place(place) => Some(place),
                        _ => None,
                    });
                    found.extend(places.filter_map(global));
                }
                Stmt::Opaque { reads, .. } => found.extend(reads.iter().filter_map(global)),
                _ => {}
            }
        }
    }
    found.extend(module.initial_targets.values().flatten());
    found
}

/// Gives the head names for what the pointers of files may lead to, so that it is seen that they are
/// other names for it. `None` where there are none.
pub fn named(module: &Module, effects: &Effects, request: &Request) -> Option<Module> {
    let head = request.head;
    if !module.procedures[head].scalars_by_value {
        return None;
    }
    let mut waiting = holders(module, effects, head);
    if waiting.is_empty() {
        return None;
    }
    let stored = stored(module);
    let mut exposed = module.clone();
    let mut seen: BTreeSet<GlobalId> = waiting.iter().copied().collect();
    while let Some(holder) = waiting.pop() {
        expose_global(module, &mut exposed, effects, head, holder);
        let Some(pointers) = parts(module, holder, &|ty| is_followed(module, ty)) else {
            continue;
        };
        for target in pointers
            .iter()
            .flat_map(|part| targets(module, &stored, part))
        {
            if seen.insert(target.0) {
                waiting.push(target.0);
            }
        }
    }
    Some(exposed)
}

/// The parts of variables to which a pointer may lead.
fn targets(module: &Module, stored: &BTreeSet<GlobalId>, pointer: &Part) -> Vec<(GlobalId, Part)> {
    let Type::Pointer(id) = pointer.ty else {
        return Vec::new();
    };
    let wanted = module.pointers[id].target;
    let of = |&global: &GlobalId| {
        let parts = parts(module, global, &|ty| ty == wanted).unwrap_or_default();
        parts.into_iter().map(move |part| (global, part))
    };
    let of_files = stored.iter().filter(|&&global| is_of_file(module, global));
    of_files.flat_map(of).collect()
}

/// The pointers of files whose shadows have to follow them when the head is called, `active` among them.
///
/// # Errors
/// `unseen-pointer`: pointers that lead to what has no shadow, or no name in the head.
pub fn pointings(
    module: &Module,
    effects: &Effects,
    entry: &Entry,
    active: &BTreeSet<Shared>,
    request: &Request,
) -> Result<Vec<Pointing>, Vec<Diagnostic>> {
    let head = request.head;
    if !module.procedures[head].scalars_by_value {
        return Ok(Vec::new());
    }
    let of_user = request.independents.iter().chain(&request.dependents);
    let given: Vec<Shared> = of_user
        .filter_map(|&var| effects.shared(head, var))
        .collect();
    let mut waiting: Vec<GlobalId> = holders(module, effects, head);
    waiting.retain(|&global| {
        let shared = Shared::Global(global);
        active.contains(&shared) && !given.contains(&shared) && entry.exposes(head, shared)
    });
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let stored = stored(module);
    let reachable = CallGraph::of(module, effects).reachable(head);
    let used = components(module, reachable.iter().map(|&id| &module.procedures[id]));
    let mut seen: BTreeSet<GlobalId> = waiting.iter().copied().collect();
    let mut found = Vec::new();
    let mut problems = Vec::new();
    while let Some(holder) = waiting.pop() {
        let search = Search {
            module,
            head,
            reachable: &reachable,
            used: &used,
            holder,
        };
        match search.pointings(&stored) {
            Ok(pointings) => {
                for target in pointings.iter().flat_map(Pointing::targets) {
                    if leads_on(module, module.globals[target].ty, 0) && seen.insert(target) {
                        waiting.push(target);
                    }
                }
                found.extend(pointings);
            }
            Err(problem) => problems.push(problem),
        }
    }
    match problems.is_empty() {
        true => Ok(found),
        false => Err(problems),
    }
}

/// Who sets a pointer: what the head calls, or others before it.
#[derive(Default)]
struct Setters {
    inside: bool,
    outside: bool,
    /// Whether some statement outside lets it point to an element of an array, or to a variable.
    to_elements: bool,
    /// Whether something outside may let it point after an array.
    beyond: bool,
    /// To memory, or to what is not seen.
    allocated_inside: bool,
    allocated_outside: Option<Span>,
}

/// The search for what one variable leads to.
struct Search<'a> {
    module: &'a Module,
    head: ProcedureId,
    reachable: &'a BTreeSet<ProcedureId>,
    /// The components that the head and what it calls name.
    used: &'a BTreeSet<(RecordId, u32)>,
    holder: GlobalId,
}

impl Search<'_> {
    fn pointings(&self, stored: &BTreeSet<GlobalId>) -> Result<Vec<Pointing>, Diagnostic> {
        let module = self.module;
        let span = module.globals[self.holder].span;
        let pointers = parts(module, self.holder, &|ty| is_followed(module, ty))
            .ok_or_else(|| self.refusal(span, "it is not taken apart here"))?;
        let mut found = Vec::new();
        for part in pointers.into_iter().filter(|part| self.is_used(part)) {
            let setters = self.setters(&part);
            if setters.allocated_inside {
                continue;
            }
            if let Some(span) = setters.allocated_outside {
                return Err(self.refusal(span, "it leads to memory that has no shadow"));
            }
            // Its shadow follows where it is set, and it may hold what no call uses any more.
            let is_set_by_calls = setters.inside && !setters.outside;
            let targets = targets(module, stored, &part);
            let is_named = |global: GlobalId| self.name(global).is_some();
            let nameless = targets.iter().find(|(global, _)| !is_named(*global));
            if let Some(&(nameless, _)) = nameless {
                let name = &module.globals[nameless].name;
                let why = format!(
                    "it may lead to `{name}`, which `{}` has no name for",
                    module.procedures[self.head].name
                );
                return Err(self.refusal(module.globals[nameless].span, &why));
            }
            if targets.is_empty() && is_set_by_calls {
                continue;
            }
            if targets.is_empty() {
                return Err(self.refusal(span, "what it leads to is not seen"));
            }
            if !is_named(self.holder) {
                let head = &module.procedures[self.head].name;
                return Err(self.refusal(span, &format!("`{head}` has no name for it")));
            }
            found.push(Pointing {
                holder: self.holder,
                part,
                targets,
                must_follow: !is_set_by_calls,
                may_be_after: setters.beyond
                    || !setters.to_elements
                    || stored.contains(&self.holder),
            });
        }
        Ok(found)
    }

    /// Whether a pointer is used in the call: what is never named is not followed.
    fn is_used(&self, part: &Part) -> bool {
        let mut ty = self.module.globals[self.holder].ty;
        part.fields().into_iter().all(|field| match ty {
            Type::Record(record) => {
                ty = self.module.records[record].fields[field as usize].ty;
                self.used.contains(&(record, field))
            }
            _ => true,
        })
    }

    fn name(&self, global: GlobalId) -> Option<VarId> {
        name_in(&self.module.procedures[self.head], global)
    }

    /// Who sets a pointer.
    fn setters(&self, part: &Part) -> Setters {
        let mut setters = Setters::default();
        for (id, procedure) in self.module.procedures.iter() {
            let is_it = |target: &Access| {
                let of_holder = Storage::Global(self.holder);
                procedure.variables[target.var].storage == of_holder
                    && fields_to(target) == part.fields()
            };
            let is_allocated = |var: VarId| {
                procedure.stmts.iter().any(|(_, node)| {
                    matches!(&node.stmt, Stmt::Allocate { target, .. } if target.var == var)
                })
            };
            let passes = |arguments: &[Argument]| {
                arguments.iter().any(|argument| {
                    matches!(argument, Argument::Place(place)
                        if procedure.variables[place.var].storage == Storage::Global(self.holder)
                            && !place.path.contains(&Selector::Deref))
                })
            };
            let is_inside = self.reachable.contains(&id);
            for (_, node) in procedure.stmts.iter() {
                setters.beyond |= !is_inside
                    && match &node.stmt {
                        Stmt::Assign { target, .. }
                        | Stmt::Copy { target, .. }
                        | Stmt::Fill { target, .. } => {
                            procedure.variables[target.var].storage == Storage::Global(self.holder)
                                && part.fields().starts_with(&fields_to(target))
                        }
                        _ => false,
                    };
                let (sets, allocates) = match &node.stmt {
                    Stmt::Allocate { target, .. } => (is_it(target), true),
                    Stmt::Call {
                        result: Some(result),
                        ..
                    } => (is_it(result), true),
                    Stmt::PointerAssign { target, value, .. } => {
                        let source = value.as_ref().map(|value| value.var);
                        (is_it(target), source.is_some_and(is_allocated))
                    }
                    Stmt::Opaque { writes, .. } => (writes.iter().any(is_it), true),
                    // Who has its address may set it.
                    Stmt::Call { arguments, .. } => (passes(arguments) && !is_inside, false),
                    _ => (false, false),
                };
                match (sets, is_inside) {
                    (false, _) => {}
                    (true, true) => {
                        setters.inside = true;
                        setters.allocated_inside |= allocates;
                    }
                    (true, false) => {
                        setters.outside = true;
                        let to_element = is_to_element(procedure, &node.stmt);
                        setters.to_elements |= to_element;
                        setters.beyond |= !to_element;
                        if allocates {
                            setters.allocated_outside.get_or_insert(node.span);
                        }
                    }
                }
            }
            let of_holder = |variable: &Variable| variable.storage == Storage::Global(self.holder);
            let mut named = procedure.variables.iter().map(|(_, variable)| variable);
            let is_initial = named.any(|variable| {
                of_holder(variable) && (variable.initial.is_some() || !variable.values.is_empty())
            });
            setters.outside |= is_initial;
            setters.beyond |= is_initial;
        }
        setters
    }

    fn refusal(&self, span: Span, why: &str) -> Diagnostic {
        let name = &self.module.globals[self.holder].name;
        Diagnostic::error(
            "unseen-pointer",
            format!(
                "the derivative follows pointers in `{name}` that are set before the call: {why}"
            ),
        )
        .at(span, "here")
        .with_help(
            "pass what it points to as an argument, or let it point to a variable of this file",
        )
    }
}

/// Whether a statement lets a pointer point to a variable, or to an element whose subscripts are constants
/// within its bounds, or to nothing.
fn is_to_element(procedure: &Procedure, stmt: &Stmt) -> bool {
    let Stmt::PointerAssign {
        value,
        is_pointer: false,
        offset: None,
        ..
    } = stmt
    else {
        return false;
    };
    let Some(value) = value else {
        return true;
    };
    let shape = &procedure.variables[value.var].shape;
    match value.path.as_slice() {
        [] => true,
        [Selector::Index(subscripts)] => subscripts.iter().zip(shape).all(|(&subscript, dim)| {
            let constant = |e| procedure.constant_integer(e);
            let extent = match dim.extent {
                contraflow_ir::Extent::Count(count) => constant(count),
                _ => None,
            };
            match (constant(subscript), constant(dim.lower), extent) {
                (Some(at), Some(lower), Some(extent)) => at >= lower && at < lower + extent,
                _ => false,
            }
        }),
        _ => false,
    }
}

fn name_in(procedure: &Procedure, global: GlobalId) -> Option<VarId> {
    let mut named = procedure.variables.iter();
    named
        .find(|(_, variable)| variable.storage == Storage::Global(global))
        .map(|(var, _)| var)
}

/// Lets the shadows follow their pointers at the start of a derived head. `primal` is its primal.
pub fn follow(
    module: &mut Module,
    (derived, primal): (ProcedureId, ProcedureId),
    pointings: &[Pointing],
    shadows: &SharedShadows,
) {
    let mut body: Block = Vec::new();
    for pointing in pointings {
        let mut writer = Follower {
            names: Names::of(module, primal, pointing, shadows),
            p: &mut module.procedures[derived],
        };
        if let Some(statement) = writer.pointer(pointing) {
            body.extend(statement);
        }
    }
    module.procedures[derived].body.splice(0..0, body);
}

/// The variables that a pointer's statements name, with their shadows.
struct Names {
    holder: Option<(Variable, Variable)>,
    targets: Vec<Option<(Variable, Variable)>>,
    spelled: String,
}

impl Names {
    fn of(
        module: &Module,
        primal: ProcedureId,
        pointing: &Pointing,
        shadows: &SharedShadows,
    ) -> Names {
        let primal = &module.procedures[primal];
        let both = |global: GlobalId| {
            let mut own = primal.variables[name_in(primal, global)?].clone();
            own.shape.clear();
            let (id, name) = shadows.global(global)?;
            let mut shadow = own.clone();
            shadow.storage = Storage::Global(id);
            shadow.name = name.to_owned();
            shadow.read_only = false;
            Some((own, shadow))
        };
        Names {
            holder: both(pointing.holder),
            targets: pointing.targets.iter().map(|(id, _)| both(*id)).collect(),
            spelled: pointing.spelled(module),
        }
    }
}

struct Follower<'p> {
    p: &'p mut Procedure,
    names: Names,
}

impl Follower<'_> {
    fn pointer(&mut self, pointing: &Pointing) -> Option<Block> {
        let (own, shadow) = self.names.holder.clone()?;
        let (own, shadow) = (
            self.variable(own, &pointing.part),
            self.variable(shadow, &pointing.part),
        );
        let (path, loops) = self.way(&pointing.part);
        let at = |var: VarId| Access {
            var,
            path: path.clone(),
        };
        let (own, shadow) = (at(own), at(shadow));
        let mut body = vec![self.point(&shadow, None)];
        // Which variable it leads to, by number.
        let variable = pointing.may_be_after.then(|| {
            let mut variable = Variable::scalar(naming::unique(self.p, "leads_to"), Type::INT);
            variable.role = contraflow_ir::Role::Temporary;
            self.p.variables.add(variable)
        });
        let number = |global: GlobalId| {
            let position = pointing.targets().position(|it| it == global);
            position.map_or(0, |position| position as i128 + 1)
        };
        if let Some(variable) = variable {
            body.push(self.set(variable, 0));
        }
        for ((global, part), names) in pointing.targets.iter().zip(self.names.targets.clone()) {
            let Some((target, target_shadow)) = names else {
                continue;
            };
            let target = self.variable(target, part);
            let target_shadow = self.variable(target_shadow, part);
            let (path, loops) = self.way(part);
            let at = |var: VarId| Access {
                var,
                path: path.clone(),
            };
            let mut points = vec![self.point(&shadow, Some(at(target_shadow)))];
            if let Some(variable) = variable {
                points.push(self.set(variable, number(*global)));
            }
            let mut b = Builder::new(self.p);
            let is_it = b.expr(
                Expr::Associated {
                    pointer: own.clone(),
                    target: at(target),
                },
                Type::LOGICAL,
            );
            let compare = b.if_else(is_it, points, Vec::new());
            body.push(self.nest(loops, vec![compare]));
        }
        let spelled = self.names.spelled.clone();
        let mut b = Builder::new(self.p);
        let value = match loops.first() {
            Some(&(counter, ..)) => b.load(counter),
            None => b.int(0),
        };
        if let Some(variable) = variable {
            for ((global, part), names) in pointing.targets.iter().zip(self.names.targets.clone()) {
                if let Some((target, target_shadow)) = names {
                    let message = format!(
                        "what {spelled} points to is not clear, the end of a variable or the next one \
                         (put something between them), at "
                    );
                    let stop = Stmt::Stop { message, value };
                    let mut b = Builder::new(self.p);
                    let (leads, none) = (b.load(variable), b.int(0));
                    let this = b.int(number(*global));
                    let leads_on = b.compare(BinaryOp::NotEqual, leads, none);
                    let elsewhere = b.compare(BinaryOp::NotEqual, leads, this);
                    let is_both = b.and(leads_on, elsewhere);
                    let stop = b.stmt(stop);
                    let stop = b.if_else(is_both, vec![stop], Vec::new());
                    let pointers = (&own, &shadow);
                    let targets = (target, target_shadow);
                    body.extend(self.after(part, pointers, targets, pointing.part.ty, stop));
                }
            }
        }
        let mut b = Builder::new(self.p);
        let leads = b.expr(Expr::Present(own), Type::LOGICAL);
        let follows = b.expr(Expr::Present(shadow), Type::LOGICAL);
        let lost = b.not(follows);
        let is_lost = b.and(leads, lost);
        let message =
            format!("what {spelled} points to is no variable of a file and has no shadow, at ");
        let stop = b.stmt(Stmt::Stop { message, value });
        if pointing.must_follow {
            body.push(b.if_else(is_lost, vec![stop], Vec::new()));
        }
        Some(match loops.is_empty() {
            true => body,
            false => vec![self.nest(loops, body)],
        })
    }

    /// `after = &u[n - 1] + 1;  if (p == after) { stop if p leads elsewhere too;  p_b = after_b; }`, for the
    /// last element of each run of elements of a part. That shadows may follow each other as their variables
    /// do is no help: a compiler takes what is reached from one for no part of the other.
    fn after(
        &mut self,
        part: &Part,
        (own, shadow): (&Access, &Access),
        (target, target_shadow): (Variable, Variable),
        ty: Type,
        stop: StmtId,
    ) -> Block {
        let after = self.address("after", &target, ty);
        let after_shadow = self.address("after_b", &target_shadow, ty);
        let target = self.variable(target, part);
        let target_shadow = self.variable(target_shadow, part);
        let (mut path, mut loops) = self.way(part);
        if let (Some(Step::Elements(dims)), Some(Selector::Index(subscripts))) =
            (part.steps.last(), path.last_mut())
        {
            let mut b = Builder::new(self.p);
            for (subscript, &(lower, extent)) in subscripts.iter_mut().zip(dims) {
                *subscript = b.int_of((lower + extent - 1).into(), Type::LONG);
            }
            loops.truncate(loops.len() - dims.len());
        }
        let at = |var: VarId| Access {
            var,
            path: path.clone(),
        };
        let mut body: Block = Vec::new();
        for (pointer, place) in [(after, at(target)), (after_shadow, at(target_shadow))] {
            let mut b = Builder::new(self.p);
            let one = b.int(1);
            body.push(b.stmt(Stmt::PointerAssign {
                target: Access::whole(pointer),
                value: Some(place),
                is_pointer: false,
                offset: Some(one),
                bounds: Vec::new(),
            }));
        }
        let mut b = Builder::new(self.p);
        let pointer = b.expr(Expr::Load(own.clone()), ty);
        let address = b.load(after);
        let is_after = b.compare(BinaryOp::Equal, pointer, address);
        let points = b.stmt(Stmt::PointerAssign {
            target: shadow.clone(),
            value: Some(Access::whole(after_shadow)),
            is_pointer: true,
            offset: None,
            bounds: Vec::new(),
        });
        body.push(b.if_else(is_after, vec![stop, points], Vec::new()));
        match loops.is_empty() {
            true => body,
            false => vec![self.nest(loops, body)],
        }
    }

    fn set(&mut self, variable: VarId, value: i128) -> StmtId {
        let mut b = Builder::new(self.p);
        let value = b.int(value);
        b.assign(Access::whole(variable), value)
    }

    /// A local address. Compilers may take the end of one variable and the start of another for different
    /// addresses, but not where they cannot foresee one of them.
    fn address(&mut self, name: &str, like: &Variable, ty: Type) -> VarId {
        let mut address = Variable::scalar(naming::unique(self.p, name), ty);
        address.read_only = like.read_only;
        address.is_unforeseen = true;
        address.role = contraflow_ir::Role::Temporary;
        self.p.variables.add(address)
    }

    /// The name of a variable, with the shape that a part of it starts with.
    fn variable(&mut self, variable: Variable, part: &Part) -> VarId {
        if let Storage::Global(global) = variable.storage
            && let Some(known) = name_in(self.p, global)
        {
            return known;
        }
        let mut b = Builder::new(self.p);
        let shape = match part.steps.first() {
            Some(Step::Elements(dims)) => dims
                .iter()
                .map(|&(lower, extent)| contraflow_ir::Dim {
                    lower: b.int(lower.into()),
                    extent: contraflow_ir::Extent::Count(b.int(extent.into())),
                })
                .collect(),
            _ => Vec::new(),
        };
        b.variable(Variable {
            shape,
            length: None,
            initial: None,
            values: Vec::new(),
            ..variable
        })
    }

    /// The selectors of a part, with the loops over its elements, outermost first.
    fn way(&mut self, part: &Part) -> (Vec<Selector>, Vec<(VarId, i64, i64)>) {
        let mut loops = Vec::new();
        let mut path = Vec::new();
        for step in &part.steps {
            match step {
                Step::Field(field) => path.push(Selector::Field(*field)),
                Step::Elements(dims) => {
                    let mut subscripts = Vec::new();
                    for &(lower, extent) in dims {
                        let name = naming::unique(self.p, "k");
                        let mut counter = Variable::scalar(&name, Type::LONG);
                        counter.role = contraflow_ir::Role::Temporary;
                        let mut b = Builder::new(self.p);
                        let counter = b.variable(counter);
                        loops.push((counter, lower, lower + extent - 1));
                        subscripts.push(b.load(counter));
                    }
                    path.push(Selector::Index(subscripts));
                }
            }
        }
        (path, loops)
    }

    fn nest(&mut self, loops: Vec<(VarId, i64, i64)>, mut body: Block) -> StmtId {
        let mut b = Builder::new(self.p);
        for (counter, first, last) in loops {
            let bounds = [first, last, 1].map(|bound| b.int_of(bound.into(), Type::LONG));
            let [first, last, step] = bounds;
            body = vec![b.counted_loop(counter, first, last, step, body)];
        }
        match body.as_slice() {
            [one] => *one,
            _ => unreachable!("invariant: a nest is one statement"),
        }
    }

    fn point(&mut self, target: &Access, value: Option<Access>) -> StmtId {
        Builder::new(self.p).stmt(Stmt::PointerAssign {
            target: target.clone(),
            value,
            is_pointer: false,
            offset: None,
            bounds: Vec::new(),
        })
    }
}
