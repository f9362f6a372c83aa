//! Memory that is seen as another type.
//!
//! A pointer may be made to point to what is declared as something else. Where both are, in the end, real
//! numbers of one kind (a struct of two doubles on an array of doubles), derivatives lie at the same
//! places in the shadows of both. Everything else — the bits of a number, numbers of another width,
//! integers in memory for numbers — cannot be followed if the memory is active.

use contraflow_ir::{
    Access, Argument, Callee, Diagnostic, Module, Procedure, Span, Stmt, Type, place_of,
};

use super::Activity;
use super::activity::type_carries;

/// Whether a pointer assignment lets its target show memory as something else, so that derivatives
/// cannot be followed through it.
pub fn is_retyped(module: &Module, procedure: &Procedure, stmt: &Stmt) -> bool {
    let Stmt::PointerAssign {
        target,
        value: Some(value),
        is_pointer,
        ..
    } = stmt
    else {
        return false;
    };
    let type_at = |access: &Access| {
        let place = place_of(module, procedure, access);
        place.ok().map(|place| place.ty)
    };
    let (Some(to), Some(from)) = (type_at(target), type_at(value)) else {
        return false;
    };
    let to = behind(module, to);
    let from = match is_pointer {
        true => behind(module, from),
        false => from,
    };
    let carries = |ty: Type| type_carries(module, ty);
    match (to, from) {
        _ if !procedure.scalars_by_value || to == from => false,
        (Type::Address, _) => false,
        (to, Type::Address) => !carries(to),
        (to, from) if !carries(to) && !carries(from) => false,
        (to, from) => {
            let numbers = only_number(module, to, 0);
            numbers.is_none() || numbers != only_number(module, from, 0)
        }
    }
}

/// What a pointer points to; of anything else, itself.
fn behind(module: &Module, ty: Type) -> Type {
    match ty {
        Type::Pointer(pointer) => module.pointers[pointer].target,
        ty => ty,
    }
}

/// The one type of number that all of a type consists of.
fn only_number(module: &Module, ty: Type, depth: u32) -> Option<Type> {
    const DEEP: u32 = 12;
    match ty {
        Type::Real { .. } => Some(ty),
        Type::Complex { bytes } => Some(Type::Real { bytes }),
        Type::Record(record) if depth < DEEP => {
            let mut numbers = module.records[record]
                .fields
                .iter()
                .map(|field| only_number(module, field.ty, depth + 1));
            let first = numbers.next()??;
            numbers.all(|number| number == Some(first)).then_some(first)
        }
        _ => None,
    }
}

/// Refuses active memory that is seen as another type.
pub fn refusals(module: &Module, activity: &Activity) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut handed_on: Vec<(Type, Span)> = Vec::new();
    for id in activity.bottom_up() {
        let found = &activity[id];
        let procedure = &module.procedures[found.procedure];
        for stmt in procedure.all_statements() {
            let node = procedure.stmt(stmt);
            let span = procedure.stmts[stmt].span;
            if let Stmt::PointerAssign {
                target,
                value: Some(value),
                ..
            } = node
                && (found.is_active(target.var) || found.is_active(value.var))
                && is_retyped(module, procedure, node)
            {
                problems.push(refusal(&procedure.variables[value.var].name, span));
            }
            let is_active = |access: &Access| found.is_active(access.var);
            let new = without_type(module, procedure, node, &is_active);
            handed_on.extend(new.into_iter().map(|ty| (ty, span)));
        }
    }
    problems.extend(ambiguous(module, &handed_on));
    problems
}

/// Says that memory is seen as another type.
pub fn refusal(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "memory-retyped",
        format!("active memory of `{name}` is seen as another type"),
    )
    .at(span, "here")
    .with_help("keep numbers with derivatives in memory of their own")
}

/// The types of active memory whose address a statement makes one without a type, or takes for one
/// with a type.
fn without_type(
    module: &Module,
    procedure: &Procedure,
    stmt: &Stmt,
    is_active: &dyn Fn(&Access) -> bool,
) -> Vec<Type> {
    let type_at = |access: &Access| {
        let place = place_of(module, procedure, access);
        place.map_or(Type::Unknown, |place| place.ty)
    };
    match stmt {
        Stmt::PointerAssign {
            target,
            value: Some(value),
            is_pointer,
            ..
        } if is_active(target) || is_active(value) => {
            let to = behind(module, type_at(target));
            let from = match is_pointer {
                true => behind(module, type_at(value)),
                false => type_at(value),
            };
            match (to, from) {
                (Type::Address, Type::Address) => Vec::new(),
                (Type::Address, ty) | (ty, Type::Address) => vec![ty],
                _ => Vec::new(),
            }
        }
        Stmt::Call {
            callee: Callee::Procedure(callee),
            arguments,
            ..
        } => {
            let callee = &module.procedures[*callee];
            let formals = callee.arguments.iter().map(|&var| callee.variables[var].ty);
            let passed = arguments.iter().zip(formals);
            passed
                .filter(|(_, formal)| *formal == Type::Address)
                .filter_map(|(argument, _)| match argument {
                    Argument::Place(place) if is_active(place) => Some(type_at(place)),
                    Argument::Value(e) => {
                        let reads = procedure.reads_of_expr(*e);
                        let is_active = reads.iter().any(|read| is_active(read));
                        is_active.then(|| behind(module, procedure.exprs[*e].ty))
                    }
                    _ => None,
                })
                .filter(|ty| *ty != Type::Address)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Addresses without a type are not followed to what they were made of: all that is made one, or taken
/// for something, must be of one type, or numbers of one kind.
fn ambiguous(module: &Module, handed_on: &[(Type, Span)]) -> Option<Diagnostic> {
    let &(first, _) = handed_on.first()?;
    let numbers = only_number(module, first, 0);
    let is_like_first =
        |ty: Type| ty == first || numbers.is_some() && only_number(module, ty, 0) == numbers;
    let &(_, span) = handed_on.iter().find(|(ty, _)| !is_like_first(*ty))?;
    Some(
        Diagnostic::error(
            "memory-retyped",
            "active memory of several types goes through addresses without a type",
        )
        .at(span, "one of another type")
        .with_help("declare the pointers with their types, or hand on memory of one type only"),
    )
}
