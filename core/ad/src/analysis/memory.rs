//! Which variables of one procedure can name the same memory.
//!
//! Two variables overlap if
//! * both lie in one COMMON block, or in the memory of one variable (`EQUIVALENCE`), and their
//!   byte ranges intersect (an unknown length reaches to the end);
//! * a pointer may point to the other or to what the other points to: pointer assignments are
//!   read without order, as in Steensgaard's analysis (POPL 1996): `p => a` puts `p` and `a` into
//!   one class;
//! * both are declared to be of aliasing class `May`, their types have a common part, and at least
//!   one of them is a window to memory that it does not own (an argument, a pointer). Local pointers
//!   whose class has nothing but locals, and that nobody else can let point elsewhere, are no windows.
//!
//! The relation is symmetric and not transitive. It costs the square of the number of variables
//! that take part in any of the three, which are few.

use std::collections::{BTreeMap, BTreeSet};

use super::{followed, kinds};
use contraflow_ir::{
    Access, Aliasing, Allocation, Argument, Callee, CommonId, ExprId, Extent, GlobalId, Module,
    Passing, Procedure, ProcedureId, Selector, Stmt, Storage, Type, VarId, Variable,
};

/// Whose memory a variable lies in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Root {
    Variable(VarId),
    Common(CommonId),
}

/// The bytes of a variable: from `start` to `end` (exclusive) of its root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extension {
    pub root: Root,
    pub start: i64,
    pub end: i64,
}

/// For each variable others, in ascending order.
pub(super) type Others = Vec<Vec<VarId>>;

/// For each variable the others that it overlaps with; and those of them of which callers cannot know
/// it: that two arguments overlap is seen where they are passed.
pub(super) fn overlapping(
    module: &Module,
    id: ProcedureId,
    movers: &BTreeSet<ProcedureId>,
    tables: &BTreeSet<GlobalId>,
    records: Option<&BTreeSet<GlobalId>>,
) -> (Others, Others) {
    let procedure = &module.procedures[id];
    let classes = pointer_classes(module, procedure);
    let closed = classes.closed(module, procedure, movers);
    let given_away = given_away(module, procedure, movers);
    let kept = kept_by_others(module, procedure);
    let set_before = set_before(module, procedure, records);
    let may = |var: VarId| {
        let variable = &procedure.variables[var];
        variable.aliasing == Aliasing::May && !is_table(module, tables, variable)
            || given_away.contains(&var) && is_pointer_window(variable)
            || !procedure.scalars_by_value && set_before.contains(&var)
            || kept.contains(&var)
    };
    // What a pointer may show, all that are tied to it may show.
    let is_argument = |var: VarId| procedure.variables[var].is_argument();
    let show_one = |a: VarId, b: VarId, unseen: bool| {
        classes.members(a).any(|a| {
            classes.members(b).any(|b| {
                let is_seen = is_argument(a) && is_argument(b);
                may(a)
                    && may(b)
                    && !(unseen && is_seen)
                    && windows_meet(module, procedure, &set_before, a, b)
            })
        })
    };
    let suspects: Vec<VarId> = procedure
        .variables
        .iter()
        .filter(|(var, variable)| {
            may(*var)
                || matches!(
                    variable.storage,
                    Storage::Common { .. } | Storage::Overlay { .. }
                )
                || classes.is_shared(*var)
                || is_base_of_overlay(procedure, *var)
        })
        .map(|(var, _)| var)
        .collect();
    let overlap = |a: VarId, b: VarId, unseen: bool| {
        bytes_intersect(module, procedure, a, b)
            || classes.same(a, b)
            || !closed.contains(&a) && !closed.contains(&b) && show_one(a, b, unseen)
    };
    let mut found = vec![Vec::new(); procedure.variables.len()];
    let mut unseen = found.clone();
    for &a in &suspects {
        let others = suspects.iter().copied().filter(|&b| a != b);
        let others: Vec<VarId> = others.filter(|&b| overlap(a, b, false)).collect();
        let here = others.iter().copied().filter(|&b| overlap(a, b, true));
        unseen[a.index()] = here.collect();
        found[a.index()] = others;
    }
    (found, unseen)
}

/// Whether nobody writes a variable outside of procedures by any name: it is a table, or `const` and leads
/// nowhere.
fn is_table(module: &Module, tables: &BTreeSet<GlobalId>, variable: &Variable) -> bool {
    let Storage::Global(global) = variable.storage else {
        return false;
    };
    let is_constant = variable.read_only && !leads_on(module, variable.ty, 0);
    variable.allocation == Allocation::Fixed && (tables.contains(&global) || is_constant)
}

/// The variables of a procedure whose pointers only lead to memory that local variables name.
pub(super) fn closed(
    module: &Module,
    id: ProcedureId,
    movers: &BTreeSet<ProcedureId>,
) -> BTreeSet<VarId> {
    let procedure = &module.procedures[id];
    pointer_classes(module, procedure).closed(module, procedure, movers)
}

/// The variables of a procedure that pointer assignments tie to one, itself included.
pub(super) fn tied(module: &Module, id: ProcedureId, var: VarId) -> BTreeSet<VarId> {
    let classes = pointer_classes(module, &module.procedures[id]);
    classes.members(var).collect()
}

/// How many elements lie behind a pointer, `place` without its last `Deref`, in expressions of the
/// procedure: all memory that the pointers tied to it may start at has as many. `is_fixed` tells of
/// expressions whether they can be used.
pub(super) fn block_behind(
    module: &Module,
    id: ProcedureId,
    place: &Access,
    movers: &BTreeSet<ProcedureId>,
    is_fixed: &dyn Fn(ExprId) -> bool,
) -> Option<ExprId> {
    let procedure = &module.procedures[id];
    let classes = pointer_classes(module, procedure);
    let tied = |var: VarId| classes.same(var, place.var);
    let found = contraflow_ir::place_of(module, procedure, place).ok()?;
    let given_away = given_away(module, procedure, movers);
    let is_known = procedure.variables.iter().all(|(var, variable)| {
        !tied(var)
            || !given_away.contains(&var)
                && match variable.storage {
                    Storage::Local => true,
                    Storage::Argument { .. } => {
                        variable.is_array() && !leads_on(module, variable.ty, 0)
                    }
                    _ => false,
                }
    });
    if !is_known || found.rank > 0 {
        return None;
    }
    let leads_there = |target: &Access| {
        let is_array = target.path.is_empty() && procedure.variables[target.var].is_array();
        match contraflow_ir::place_of(module, procedure, target) {
            Ok(place) if is_array => place.ty == found.ty,
            Ok(place) => {
                matches!(place.ty, Type::Pointer(p) if module.pointers[p].target == found.ty)
            }
            Err(_) => true,
        }
    };
    let mut counts: Vec<ExprId> = Vec::new();
    for stmt in procedure.all_statements() {
        match procedure.stmt(stmt) {
            Stmt::Allocate { target, shape, .. } if tied(target.var) && leads_there(target) => {
                let [(_, count)] = shape.as_slice() else {
                    return None;
                };
                counts.push(*count);
            }
            Stmt::PointerAssign {
                target,
                value: Some(value),
                is_pointer,
                offset,
                bounds,
            } if tied(target.var) && leads_there(target) => {
                let is_copy = *is_pointer || value.path.last() == Some(&Selector::Deref);
                let pointed = &procedure.variables[value.var];
                let is_reshaped = bounds.iter().any(|(_, upper)| upper.is_some());
                match (offset, is_copy) {
                    _ if is_reshaped => return None,
                    (None, true) => {}
                    (None, false) if value.path.is_empty() && pointed.rank() == 1 => {
                        match pointed.shape[0].extent {
                            Extent::Count(count) => counts.push(count),
                            Extent::Deferred => {}
                            _ => return None,
                        }
                    }
                    _ => return None,
                }
            }
            _ => {}
        }
    }
    let (&first, others) = counts.split_first()?;
    let alike = others
        .iter()
        .all(|&other| procedure.same_expr(first, other));
    (alike && is_fixed(first)).then_some(first)
}

fn is_base_of_overlay(procedure: &Procedure, var: VarId) -> bool {
    procedure
        .variables
        .iter()
        .any(|(_, other)| matches!(other.storage, Storage::Overlay { base, .. } if base == var))
}

fn bytes_intersect(module: &Module, procedure: &Procedure, a: VarId, b: VarId) -> bool {
    let (a, b) = (
        extension(module, procedure, a),
        extension(module, procedure, b),
    );
    a.root == b.root && a.start < b.end && b.start < a.end
}

/// The bytes that a variable takes, seen from the variable or block that owns them.
pub(super) fn extension(module: &Module, procedure: &Procedure, var: VarId) -> Extension {
    let (mut root, mut start) = (var, 0i64);
    // An overlay of an overlay is legal; a cycle is not, and ends the walk.
    for _ in 0..procedure.variables.len() {
        match procedure.variables[root].storage {
            Storage::Overlay { base, offset } => {
                root = base;
                start = start.saturating_add(offset);
            }
            _ => break,
        }
    }
    let end =
        bytes_of(module, procedure, var).map_or(i64::MAX, |bytes| start.saturating_add(bytes));
    match procedure.variables[root].storage {
        Storage::Common { block, offset } => {
            let offset = i64::try_from(offset).unwrap_or(i64::MAX);
            Extension {
                root: Root::Common(block),
                start: start.saturating_add(offset),
                end: end.saturating_add(offset),
            }
        }
        _ => Extension {
            root: Root::Variable(root),
            start,
            end,
        },
    }
}

fn bytes_of(module: &Module, procedure: &Procedure, var: VarId) -> Option<i64> {
    let variable = &procedure.variables[var];
    let mut bytes = bytes_of_type(module, variable.ty)?;
    for dim in &variable.shape {
        let Extent::Count(count) = dim.extent else {
            return None;
        };
        bytes = bytes.checked_mul(procedure.constant_integer(count)?)?;
    }
    if variable.ty == Type::Character {
        bytes = bytes.checked_mul(procedure.constant_integer(variable.length?)?)?;
    }
    Some(bytes)
}

fn bytes_of_type(module: &Module, ty: Type) -> Option<i64> {
    match ty {
        Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
            Some(bytes.into())
        }
        Type::Complex { bytes } => Some(2 * i64::from(bytes)),
        Type::Character => Some(1),
        Type::Record(_) => module
            .bytes_of(ty)
            .and_then(|bytes| i64::try_from(bytes).ok()),
        Type::Pointer(_) | Type::Procedure | Type::Address | Type::Void | Type::Unknown => None,
    }
}

fn windows_meet(
    module: &Module,
    procedure: &Procedure,
    set_before: &BTreeSet<VarId>,
    a: VarId,
    b: VarId,
) -> bool {
    let shown = |var: VarId| Shown {
        variable: &procedure.variables[var],
        is_window: set_before.contains(&var) || is_window(&procedure.variables[var]),
    };
    let (a, b) = (shown(a), shown(b));
    can_reach(&a, &b) && types_meet(module, &a, &b)
}

/// Whether pointers that a global is, or holds, may show what a variable names by its declaration.
pub(super) fn may_show(module: &Module, global: GlobalId, variable: &Variable) -> bool {
    let mut names = module
        .procedures
        .iter()
        .flat_map(|(_, p)| p.variables.iter());
    let shower = names.find(|(_, named)| named.storage == Storage::Global(global));
    let is_open = |variable: &Variable| variable.aliasing == Aliasing::May;
    shower.is_some_and(|(_, shower)| {
        let (a, b) = (
            Shown {
                variable: shower,
                is_window: true,
            },
            Shown {
                variable,
                is_window: is_window(variable),
            },
        );
        (is_open(shower) || matches!(shower.ty, Type::Record(_)))
            && is_open(variable)
            && can_reach(&a, &b)
            && types_meet(module, &a, &b)
    })
}

/// A variable, and whether it shows memory that it does not own.
struct Shown<'p> {
    variable: &'p Variable,
    is_window: bool,
}

/// Whether one of two variables may be a window to the memory of the other. A local that the
/// procedure owns cannot be what an argument of the same call shows.
fn can_reach(a: &Shown<'_>, b: &Shown<'_>) -> bool {
    let is_owned_local = |v: &Variable| {
        matches!(v.storage, Storage::Local | Storage::Result) && !is_pointer_window(v)
    };
    let is_argument = |v: &Variable| v.is_argument() && !is_pointer_window(v);
    (a.is_window || b.is_window)
        && !(is_owned_local(a.variable) && is_argument(b.variable))
        && !(is_owned_local(b.variable) && is_argument(a.variable))
}

fn is_pointer_window(variable: &Variable) -> bool {
    variable.allocation == Allocation::Pointer
        || matches!(variable.ty, Type::Pointer(_) | Type::Address)
}

/// Whether what one of two variables is, or leads to, may by its type be what the other leads to. An
/// object is not reached through a pointer to another type, unless it has such a part.
fn types_meet(module: &Module, a: &Shown<'_>, b: &Shown<'_>) -> bool {
    let led_to = |shown: &Shown<'_>| {
        let ty = shown.variable.ty;
        let mut targets = kinds::behind(module, ty);
        if shown.is_window && !matches!(ty, Type::Pointer(_) | Type::Address) {
            targets.push(ty);
        }
        targets
    };
    let (from_a, from_b) = (led_to(a), led_to(b));
    let object = |shown: &Shown<'_>, targets: &[Type]| {
        !shown.is_window
            && targets
                .iter()
                .any(|&target| kinds::contains(module, shown.variable.ty, target))
    };
    object(a, &from_b)
        || object(b, &from_a)
        || from_a
            .iter()
            .any(|&x| from_b.iter().any(|&y| kinds::meet(module, x, y)))
}

/// The records that hold pointers which were set before the call, and which the procedure or what it calls
/// uses; `records` of modules and files.
fn set_before(
    module: &Module,
    procedure: &Procedure,
    records: Option<&BTreeSet<GlobalId>>,
) -> BTreeSet<VarId> {
    let holds = |var: &VarId| {
        let variable = &procedure.variables[*var];
        matches!(variable.ty, Type::Record(_))
            && variable.outlives_call()
            && leads_on(module, variable.ty, 0)
    };
    if !procedure.variables.ids().any(|var| holds(&var)) {
        return BTreeSet::new();
    }
    let mut followed = followed::followed(module, procedure);
    let reached = procedure.variables.iter();
    let reached = reached.filter(|(_, variable)| match variable.storage {
        Storage::Global(global) => records.is_some_and(|records| records.contains(&global)),
        _ => false,
    });
    followed.extend(reached.map(|(var, _)| var));
    followed.into_iter().filter(holds).collect()
}

fn is_window(variable: &Variable) -> bool {
    is_pointer_window(variable)
        || (variable.is_argument() && variable.passing == Passing::Reference)
}

/// Whether a value of a type is an address or holds one.
pub(crate) fn leads_on(module: &Module, ty: Type, depth: u32) -> bool {
    const DEEP: u32 = 12;
    match ty {
        Type::Pointer(_) | Type::Address | Type::Unknown => true,
        Type::Record(record) => {
            depth > DEEP
                || module.records[record].fields.iter().any(|field| {
                    field.allocation == Allocation::Pointer || leads_on(module, field.ty, depth + 1)
                })
        }
        _ => false,
    }
}

/// The procedures that may let a pointer of others point elsewhere, keep an address, or release what is
/// not theirs, by themselves or by what they call.
///
/// What a procedure does to the memory of its own pointers is nobody else's: those that lead nowhere but
/// to memory that its local variables name.
pub(super) fn movers(module: &Module) -> BTreeSet<ProcedureId> {
    let bodies = module.procedures.iter().filter(|(_, it)| it.has_body);
    let moving: BTreeMap<ProcedureId, PointerClasses> = bodies
        .filter(|(_, procedure)| moves_any(module, procedure))
        .map(|(id, procedure)| (id, pointer_classes(module, procedure)))
        .collect();
    let moves = |id: ProcedureId, procedure: &Procedure, known: &BTreeSet<ProcedureId>| {
        !procedure.has_body
            || passes_on(module, procedure, known)
            || moving.get(&id).is_some_and(|classes| {
                let closed = classes.closed(module, procedure, known);
                moves_others(module, procedure, &closed)
            })
    };
    let mut known = BTreeSet::new();
    loop {
        let more: Vec<ProcedureId> = module
            .procedures
            .iter()
            .filter(|(id, procedure)| !known.contains(id) && moves(*id, procedure, &known))
            .map(|(id, _)| id)
            .collect();
        if more.is_empty() {
            return known;
        }
        known.extend(more);
    }
}

/// Whether a statement of a procedure sets a pointer, or allocates or releases memory.
fn moves_any(module: &Module, procedure: &Procedure) -> bool {
    procedure.stmts.iter().any(|(_, node)| match &node.stmt {
        Stmt::PointerAssign { .. } | Stmt::Allocate { .. } | Stmt::Free { .. } => true,
        Stmt::Assign { value, .. } => leads_on(module, procedure.exprs[*value].ty, 0),
        _ => false,
    })
}

/// Whether a procedure does so to what is not its own. Its local variables are, where no address leads
/// to the place that is set; memory is where the pointer is among `closed`.
fn moves_others(module: &Module, procedure: &Procedure, closed: &BTreeSet<VarId>) -> bool {
    let is_name = |place: &Access| {
        let variable = &procedure.variables[place.var];
        variable.storage == Storage::Local && !leads_away(module, procedure, place)
    };
    let is_own = |place: &Access| is_name(place) || closed.contains(&place.var);
    procedure.stmts.iter().any(|(_, node)| match &node.stmt {
        Stmt::PointerAssign { target, .. } => !is_own(target),
        Stmt::Allocate { target, .. } | Stmt::Free { target } => !closed.contains(&target.var),
        Stmt::Assign { target, value } => {
            leads_on(module, procedure.exprs[*value].ty, 0) && !is_own(target)
        }
        _ => false,
    })
}

/// Whether a place is reached through an address.
pub(crate) fn leads_away(module: &Module, procedure: &Procedure, place: &Access) -> bool {
    matches!(end_of(module, procedure, place), End::Away)
}

/// Whether a place is reached through an address, or is what a pointer shows.
pub(super) fn is_shown(module: &Module, procedure: &Procedure, place: &Access) -> bool {
    !matches!(end_of(module, procedure, place), End::Own)
}

/// Where a place ends.
enum End {
    /// In the variable's own memory.
    Own,
    /// At a pointer, of which the name stands for what it shows.
    Pointer,
    /// Behind an address.
    Away,
}

fn end_of(module: &Module, procedure: &Procedure, place: &Access) -> End {
    let variable = &procedure.variables[place.var];
    let (mut ty, mut is_pointer) = (variable.ty, variable.allocation == Allocation::Pointer);
    for selector in &place.path {
        if is_pointer {
            return End::Away;
        }
        match (selector, ty) {
            (Selector::Field(field), Type::Record(record)) => {
                let field = &module.records[record].fields[*field as usize];
                (ty, is_pointer) = (field.ty, field.allocation == Allocation::Pointer);
            }
            (Selector::Index(_), _) => {}
            _ => return End::Away,
        }
    }
    match is_pointer {
        true => End::Pointer,
        false => End::Own,
    }
}

/// Whether a procedure calls one that moves pointers, or holds text that may.
fn passes_on(module: &Module, procedure: &Procedure, known: &BTreeSet<ProcedureId>) -> bool {
    procedure.stmts.iter().any(|(_, node)| match &node.stmt {
        Stmt::Opaque { .. } => true,
        Stmt::Call {
            callee, arguments, ..
        } => match callee {
            Callee::Procedure(callee) => known.contains(callee),
            Callee::External(name) => !leaves_addresses(module, procedure, name, arguments),
            Callee::Variable(_) => true,
        },
        _ => false,
    })
}

/// Functions of the C library that keep no address: those that exchange what stands in memory, and those
/// that read, write and compare it. `memcpy` and `memmove` are none: what they copy may be addresses.
const KEEPING_NONE: [&str; 40] = [
    "qsort",
    "bsearch",
    "memset",
    "memcmp",
    "strlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "atof",
    "atoi",
    "atol",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "fputc",
    "putchar",
    "perror",
    "fflush",
    "fwrite",
    "fread",
    "fgets",
    "fgetc",
    "getc",
    "feof",
    "ferror",
    "fclose",
    "sscanf",
    "fscanf",
    "__isoc99_sscanf",
    "__isoc99_fscanf",
];

/// Whether a procedure without source keeps no address that it is given, and changes none that stands in
/// the memory that it is given.
fn leaves_addresses(
    module: &Module,
    procedure: &Procedure,
    name: &str,
    arguments: &[Argument],
) -> bool {
    let behind = |ty: Type| match ty {
        Type::Pointer(pointer) => module.pointers[pointer].target,
        ty => ty,
    };
    KEEPING_NONE.contains(&name)
        && arguments.iter().all(|argument| match argument {
            Argument::Place(place) => {
                !leads_on(module, behind(procedure.variables[place.var].ty), 0)
            }
            Argument::Value(value) => !leads_on(module, behind(procedure.exprs[*value].ty), 0),
            Argument::Procedure(_) | Argument::Absent => true,
            Argument::Opaque { .. } => false,
        })
}

/// The variables whose pointers others may let point elsewhere: they are passed to a procedure that
/// moves pointers, or stand in quoted text.
fn given_away(
    module: &Module,
    procedure: &Procedure,
    movers: &BTreeSet<ProcedureId>,
) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for (_, node) in procedure.stmts.iter() {
        match &node.stmt {
            Stmt::Call {
                callee,
                arguments,
                result,
            } => {
                let is_known = match callee {
                    Callee::Procedure(id) => !movers.contains(id),
                    Callee::External(name) => leaves_addresses(module, procedure, name, arguments),
                    Callee::Variable(_) => false,
                };
                if is_known {
                    continue;
                }
                for argument in arguments {
                    match argument {
                        Argument::Place(place) => drop(found.insert(place.var)),
                        Argument::Value(value)
                            if leads_on(module, procedure.exprs[*value].ty, 0) =>
                        {
                            found.extend(procedure.reads_of_expr(*value).iter().map(|r| r.var));
                        }
                        Argument::Opaque { reads, .. } => {
                            found.extend(reads.iter().map(|read| read.var));
                        }
                        Argument::Value(_) | Argument::Procedure(_) | Argument::Absent => {}
                    }
                }
                found.extend(result.iter().map(|result| result.var));
            }
            Stmt::Opaque { reads, writes, .. } => {
                found.extend(reads.iter().chain(writes).map(|access| access.var));
            }
            _ => {}
        }
    }
    found
}

/// The variables of which a procedure without source may keep the address, and give it later.
fn kept_by_others(module: &Module, procedure: &Procedure) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for (_, node) in procedure.stmts.iter() {
        if let Stmt::Call {
            callee: Callee::External(name),
            arguments,
            ..
        } = &node.stmt
            && procedure.scalars_by_value
            && !leaves_addresses(module, procedure, name, arguments)
        {
            for argument in arguments {
                match argument {
                    Argument::Place(place) => drop(found.insert(place.var)),
                    Argument::Value(e) if leads_on(module, procedure.exprs[*e].ty, 0) => {
                        found.extend(procedure.reads_of_expr(*e).iter().map(|read| read.var));
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// Classes of variables that pointer assignments tie together.
struct PointerClasses {
    class: Vec<usize>,
}

impl PointerClasses {
    fn same(&self, a: VarId, b: VarId) -> bool {
        self.class[a.index()] == self.class[b.index()]
    }

    fn members(&self, var: VarId) -> impl Iterator<Item = VarId> + '_ {
        let class = self.class[var.index()];
        let all = self.class.iter().enumerate();
        all.filter(move |&(_, &other)| other == class)
            .map(|(index, _)| VarId::from_index(index))
    }

    fn is_shared(&self, var: VarId) -> bool {
        let class = self.class[var.index()];
        self.class.iter().filter(|&&c| c == class).count() > 1
    }

    /// The local variables whose pointers can only lead to memory that the variables of their class,
    /// all of them local, name.
    fn closed(
        &self,
        module: &Module,
        procedure: &Procedure,
        movers: &BTreeSet<ProcedureId>,
    ) -> BTreeSet<VarId> {
        let given_away = given_away(module, procedure, movers);
        let open: BTreeSet<usize> = procedure
            .variables
            .iter()
            .filter(|(var, variable)| {
                variable.storage != Storage::Local || given_away.contains(var)
            })
            .map(|(var, _)| self.class[var.index()])
            .collect();
        procedure
            .variables
            .ids()
            .filter(|var| !open.contains(&self.class[var.index()]))
            .collect()
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (to, from) = (self.class[a.index()], self.class[b.index()]);
        for class in &mut self.class {
            if *class == from {
                *class = to;
            }
        }
    }
}

fn pointer_classes(module: &Module, procedure: &Procedure) -> PointerClasses {
    let mut classes = PointerClasses {
        class: (0..procedure.variables.len()).collect(),
    };
    for (_, node) in procedure.stmts.iter() {
        match &node.stmt {
            Stmt::PointerAssign {
                target,
                value: Some(value),
                ..
            } => classes.join(target.var, value.var),
            // What gives an address may give that of anything it was given.
            Stmt::Call {
                arguments,
                result: Some(result),
                ..
            } if procedure.scalars_by_value
                && contraflow_ir::place_of(module, procedure, result)
                    .is_ok_and(|place| leads_on(module, place.ty, 0)) =>
            {
                for argument in arguments {
                    match argument {
                        Argument::Place(place) => classes.join(result.var, place.var),
                        Argument::Value(e) if leads_on(module, procedure.exprs[*e].ty, 0) => {
                            for Access { var, .. } in procedure.reads_of_expr(*e) {
                                classes.join(result.var, *var);
                            }
                        }
                        _ => {}
                    }
                }
            }
            Stmt::Assign { target, value } if leads_on(module, procedure.exprs[*value].ty, 0) => {
                for Access { var, .. } in procedure.reads_of_expr(*value) {
                    classes.join(target.var, *var);
                }
            }
            _ => {}
        }
    }
    classes
}
