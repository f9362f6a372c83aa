//! Records of one pointer component. What a pointer points to is kept in such a record while the
//! pointer points elsewhere: a tape of records is an array as any other, and their component is
//! associated by pointer assignments, which both sweeps write.

use contraflow_ir::{
    Access, Allocation, Field, Module, Procedure, Record, RecordId, Selector, Span, Stmt, Type,
};

/// What pointers of one kind have in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    ty: Type,
    rank: usize,
    spelling: Option<String>,
}

/// Adds a record for each kind of pointer that some procedure associates.
pub fn add(module: &mut Module) {
    let mut kinds: Vec<Kind> = Vec::new();
    for (_, procedure) in module.procedures.iter() {
        for (_, node) in procedure.stmts.iter() {
            if let Some(target) = target_of(&node.stmt)
                && let Some(kind) = kind_of(module, procedure, target)
                && !kinds.contains(&kind)
            {
                kinds.push(kind);
            }
        }
    }
    for kind in kinds {
        let record = record(module, kind);
        module.records.add(record);
    }
}

fn record(module: &Module, kind: Kind) -> Record {
    let is_taken = |name: &str| {
        let of_record = |record: &Record| record.name.eq_ignore_ascii_case(name);
        module.records.iter().any(|(_, record)| of_record(record))
            || module
                .procedures
                .iter()
                .any(|(_, procedure)| procedure.variable_named(name).is_some())
    };
    let name = (1u32..)
        .map(|number| format!("{PREFIX}{number}"))
        .find(|name| !is_taken(name))
        .expect("invariant: some number is free");
    Record {
        name,
        span: Span::NONE,
        container: None,
        fields: vec![Field {
            name: "at".to_owned(),
            ty: kind.ty,
            spelling: kind.spelling,
            shape: vec![(1, None); kind.rank],
            allocation: Allocation::Pointer,
        }],
        is_union: false,
        is_abstract: false,
    }
}

const PREFIX: &str = "link";

/// The pointer that a statement associates.
pub fn target_of(stmt: &Stmt) -> Option<&Access> {
    match stmt {
        Stmt::PointerAssign {
            target,
            offset: None,
            ..
        }
        | Stmt::Allocate { target, .. }
        | Stmt::Free { target } => Some(target),
        _ => None,
    }
}

/// The kind of a pointer with a descriptor; `None` for anything else.
pub fn kind_of(module: &Module, procedure: &Procedure, place: &Access) -> Option<Kind> {
    if procedure.scalars_by_value {
        return None;
    }
    let variable = &procedure.variables[place.var];
    let mut ty = variable.ty;
    let mut allocation = variable.allocation;
    let mut rank = variable.rank();
    let mut spelling = variable.spelling_of(ty);
    let mut plain = !variable.polymorphic;
    for selector in &place.path {
        match (selector, ty) {
            (Selector::Field(field), Type::Record(record)) => {
                let field = module.records[record].fields.get(*field as usize)?;
                (ty, allocation, rank) = (field.ty, field.allocation, field.shape.len());
                spelling.clone_from(&field.spelling);
                plain = true;
            }
            (Selector::Index(_), _) => allocation = Allocation::Fixed,
            _ => return None,
        }
    }
    let is_pointer = plain
        && allocation == Allocation::Pointer
        && !matches!(
            ty,
            Type::Character | Type::Pointer(_) | Type::Address | Type::Unknown | Type::Procedure
        );
    is_pointer.then_some(Kind { ty, rank, spelling })
}

/// The record that keeps what pointers of a kind point to.
pub fn link_of(module: &Module, kind: &Kind) -> Option<RecordId> {
    module
        .records
        .iter()
        .find(|(_, record)| {
            record.span == Span::NONE
                && record.name.starts_with(PREFIX)
                && matches!(record.fields.as_slice(), [field]
                    if field.allocation == Allocation::Pointer
                        && field.ty == kind.ty
                        && field.shape.len() == kind.rank
                        && field.spelling == kind.spelling)
        })
        .map(|(id, _)| id)
}
