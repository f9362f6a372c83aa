//! What pointers may lead to, by type: an object of one type is not reached through a pointer to another,
//! unless it is a part of it, as both languages have it.

use contraflow_ir::{Allocation, Module, Type};

/// Whether an object of type `whole` is, or has as a part, an object of type `part`.
pub fn contains(module: &Module, whole: Type, part: Type) -> bool {
    contains_within(module, whole, part, 0)
}

const DEEP: u32 = 12;

fn contains_within(module: &Module, whole: Type, part: Type, depth: u32) -> bool {
    if whole == part || depth > DEEP {
        return true;
    }
    match (whole, part) {
        (Type::Address | Type::Unknown, _) | (_, Type::Address | Type::Unknown) => true,
        (Type::Integer { bytes: p, .. }, Type::Integer { bytes: q, .. })
        | (Type::Complex { bytes: p }, Type::Real { bytes: q })
        | (Type::Real { bytes: p }, Type::Complex { bytes: q }) => p == q,
        (Type::Record(record), _) => module.records[record]
            .fields
            .iter()
            .any(|field| contains_within(module, field.ty, part, depth + 1)),
        _ => false,
    }
}

/// Whether pointers to the two types may lead into common memory.
pub fn meet(module: &Module, a: Type, b: Type) -> bool {
    contains(module, a, b) || contains(module, b, a)
}

/// The types of all that pointers in a value of a type may lead to, however far. `Unknown` stands for any.
pub fn behind(module: &Module, ty: Type) -> Vec<Type> {
    let mut found = Vec::new();
    follow(module, ty, &mut found, 0);
    found
}

fn follow(module: &Module, ty: Type, found: &mut Vec<Type>, depth: u32) {
    if depth > DEEP {
        found.push(Type::Unknown);
        return;
    }
    match ty {
        Type::Pointer(pointer) => add(module, module.pointers[pointer].target, found, depth),
        Type::Address | Type::Unknown => add(module, Type::Unknown, found, depth),
        Type::Record(record) => {
            for field in &module.records[record].fields {
                match field.allocation {
                    Allocation::Fixed => follow(module, field.ty, found, depth + 1),
                    _ => add(module, field.ty, found, depth),
                }
            }
        }
        _ => {}
    }
}

fn add(module: &Module, target: Type, found: &mut Vec<Type>, depth: u32) {
    if !found.contains(&target) {
        found.push(target);
        follow(module, target, found, depth + 1);
    }
}
