//! What keeps where a pointer points to while it points elsewhere. A pointer that is an address is
//! kept as one: a tape of addresses is an array as any other. One with a descriptor is kept in a
//! record of one pointer component: a tape of records is an array too, and their component is
//! associated by pointer assignments, which both sweeps write.

use contraflow_ir::{
    Access, Allocation, BoundKind, Builder, Expr, ExprId, Extent, Field, Module, Pointer,
    PointerBounds, Procedure, Record, Selector, Span, Stmt, Type, VarId,
};

/// What pointers of one kind have in common.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// An address.
    Address(Pointer),
    /// An address without a type.
    Untyped,
    /// A pointer with a descriptor.
    Described {
        /// The type of what it points to.
        ty: Type,
        /// Its dimensions.
        rank: usize,
        /// The type as spelt.
        spelling: Option<String>,
    },
}

/// Adds a type for each kind of pointer that some procedure associates.
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
        if link_type(module, &kind).is_some() {
            continue;
        }
        match kind {
            Kind::Address(pointer) => drop(module.pointers.add(pointer)),
            Kind::Untyped => {}
            Kind::Described { ty, rank, spelling } => {
                let record = record(module, ty, rank, spelling);
                module.records.add(record);
            }
        }
    }
}

fn record(module: &Module, ty: Type, rank: usize, spelling: Option<String>) -> Record {
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
            ty,
            spelling,
            shape: vec![(1, None); rank],
            allocation: Allocation::Pointer,
            read_only: false,
            is_private: false,
            variant_of: None,
        }],
        is_union: false,
        is_abstract: false,
        has_final: false,
        is_private: false,
        local: None,
    }
}

const PREFIX: &str = "link";

/// The pointer that a statement associates.
pub fn target_of(stmt: &Stmt) -> Option<&Access> {
    match stmt {
        Stmt::PointerAssign { target, .. }
        | Stmt::Allocate { target, .. }
        | Stmt::Free { target } => Some(target),
        _ => None,
    }
}

/// The kind of a pointer; `None` for anything else.
pub fn kind_of(module: &Module, procedure: &Procedure, place: &Access) -> Option<Kind> {
    match procedure.scalars_by_value {
        true => address(module, procedure, place),
        false => described(module, procedure, place),
    }
}

fn address(module: &Module, procedure: &Procedure, place: &Access) -> Option<Kind> {
    let variable = &procedure.variables[place.var];
    if let ([], [dim], Allocation::Pointer) = (
        place.path.as_slice(),
        variable.shape.as_slice(),
        variable.allocation,
    ) {
        let pointer = Pointer {
            target: variable.ty,
            spelling: variable.spelling.clone(),
        };
        return (dim.extent == Extent::Deferred).then_some(Kind::Address(pointer));
    }
    match contraflow_ir::place_of(module, procedure, place).ok()? {
        found if found.rank > 0 => None,
        found => match found.ty {
            Type::Pointer(pointer) => Some(Kind::Address(module.pointers[pointer].clone())),
            Type::Address => Some(Kind::Untyped),
            _ => None,
        },
    }
}

fn described(module: &Module, procedure: &Procedure, place: &Access) -> Option<Kind> {
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
    is_pointer.then_some(Kind::Described { ty, rank, spelling })
}

/// The type of what keeps where pointers of a kind point to.
pub fn link_type(module: &Module, kind: &Kind) -> Option<Type> {
    let (ty, rank, spelling) = match kind {
        Kind::Address(pointer) => {
            let found = module.pointers.iter().find(|(_, known)| *known == pointer);
            return found.map(|(id, _)| Type::Pointer(id));
        }
        Kind::Untyped => return Some(Type::Address),
        Kind::Described { ty, rank, spelling } => (ty, rank, spelling),
    };
    module
        .records
        .iter()
        .find(|(_, record)| {
            record.span == Span::NONE
                && record.name.starts_with(PREFIX)
                && matches!(record.fields.as_slice(), [field]
                    if field.allocation == Allocation::Pointer
                        && field.ty == *ty
                        && field.shape.len() == *rank
                        && field.spelling == *spelling)
        })
        .map(|(id, _)| Type::Record(id))
}

/// Whether the shadow of a pointer is associated after the pointer, with the bounds that this got then:
/// the stated bounds ask about the pointer itself, and not all compilers answer before they associate it.
pub fn shadow_follows(procedure: &Procedure, stmt: &Stmt) -> bool {
    let Stmt::PointerAssign {
        target,
        value,
        bounds,
        ..
    } = stmt
    else {
        return false;
    };
    let asks = |e: ExprId| {
        let mut asks = false;
        procedure.walk_expr(e, &mut |node| {
            asks |= match procedure.expr(node) {
                Expr::Load(access) | Expr::Bound { array: access, .. } => access.var == target.var,
                _ => false,
            };
        });
        asks
    };
    let stated =
        |&(lower, upper): &(ExprId, Option<ExprId>)| asks(lower) || upper.is_some_and(asks);
    bounds.iter().any(stated) && !value.iter().flat_map(Access::expressions).any(asks)
}

/// The bounds that a pointer has, stated as others are.
pub fn bounds_of(out: &mut Procedure, pointer: &Access, stated: &PointerBounds) -> PointerBounds {
    let mut b = Builder::new(out);
    let mut bound = |kind, dim: usize| {
        let bound = Expr::Bound {
            array: pointer.clone(),
            kind,
            dim: dim as u32,
        };
        b.expr(bound, Type::INT)
    };
    stated
        .iter()
        .enumerate()
        .map(|(dim, (_, upper))| {
            let lower = bound(BoundKind::Lower, dim);
            (lower, upper.map(|_| bound(BoundKind::Upper, dim)))
        })
        .collect()
}

/// Whether a variable is a pointer itself: it may point to one place or another.
pub fn is_pointer(procedure: &Procedure, var: VarId) -> bool {
    let variable = &procedure.variables[var];
    variable.allocation == Allocation::Pointer
        || matches!(variable.ty, Type::Pointer(_) | Type::Address)
}
