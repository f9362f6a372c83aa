//! Statements that give shadows of allocatables the memory that their variables have.

use contraflow_ir::{
    Access, Allocation, BinaryOp, BoundKind, Builder, Expr, ExprId, Module, Procedure, RecordId,
    Role, Selector, Stmt, StmtId, Type, VarId, Variable, place_of,
};

use crate::adjoint::extent::Range;
use crate::adjoint::records;

/// `if (allocated(a)) allocate (a_b(bounds of a)); a_b = 0`
pub fn shadow_like(out: &mut Procedure, module: &Module, primal: VarId, shadow: VarId) -> StmtId {
    let rank = out.variables[primal].rank();
    make_like(
        out,
        module,
        &Access::whole(primal),
        &Access::whole(shadow),
        rank,
    )
}

/// `if (allocated(a)) allocate (a_b(bounds of a)); a_b = 0` for places of a rank.
pub fn make_like(
    out: &mut Procedure,
    module: &Module,
    primal: &Access,
    shadow: &Access,
    rank: usize,
) -> StmtId {
    let ty = place_of(module, out, shadow).map_or(Type::Unknown, |place| place.ty);
    let mut b = Builder::new(out);
    let mut bound = |kind, dim: usize| {
        let bound = Expr::Bound {
            array: primal.clone(),
            kind,
            dim: dim as u32,
        };
        b.expr(bound, Type::INT)
    };
    let shape = (0..rank)
        .map(|dim| {
            (
                Some(bound(BoundKind::Lower, dim)),
                bound(BoundKind::Extent, dim),
            )
        })
        .collect();
    let allocate = b.stmt(Stmt::Allocate {
        target: shadow.clone(),
        shape,
        zeroed: ty.is_differentiable(),
    });
    let mut made = vec![allocate];
    if let Type::Record(_) = ty {
        made.extend(zero_records(out, module, shadow, rank, ty));
    }
    let there = is_there(out, primal);
    Builder::new(out).if_else(there, made, Vec::new())
}

/// Sets the numbers of new records to zero.
pub fn zero_records(
    out: &mut Procedure,
    module: &Module,
    place: &Access,
    rank: usize,
    ty: Type,
) -> Vec<StmtId> {
    let mut b = Builder::new(out);
    let mut bound = |kind, dim: usize| {
        let bound = Expr::Bound {
            array: place.clone(),
            kind,
            dim: dim as u32,
        };
        b.expr(bound, Type::INT)
    };
    let ranges: Vec<Range> = (0..rank)
        .map(|dim| Range {
            lower: bound(BoundKind::Lower, dim),
            count: bound(BoundKind::Extent, dim),
        })
        .collect();
    records::over_elements(out, module, place, &ranges, ty, &mut records::zero).unwrap_or_default()
}

/// `if (allocated(a)) deallocate (a)`
pub fn release_if_there(out: &mut Procedure, var: VarId) -> StmtId {
    let there = is_there(out, &Access::whole(var));
    let mut b = Builder::new(out);
    let free = b.stmt(Stmt::Free {
        target: Access::whole(var),
    });
    b.if_else(there, vec![free], Vec::new())
}

/// Gives a shadow the memory that its variable has: what fits stays as it is, what is new is zero.
///
/// ```text
/// if (allocated(a_b)) then
///   if (.not. allocated(a)) deallocate (a_b), else if (shapes differ) deallocate (a_b)
/// end if
/// if (.not. allocated(a_b)) if (allocated(a)) allocate (a_b(bounds of a)); a_b = 0
/// ```
pub fn conform(out: &mut Procedure, module: &Module, primal: VarId, shadow: VarId) -> Vec<StmtId> {
    let rank = out.variables[primal].rank();
    conform_place(
        out,
        module,
        &Access::whole(primal),
        &Access::whole(shadow),
        rank,
    )
}

fn conform_place(
    out: &mut Procedure,
    module: &Module,
    primal: &Access,
    shadow: &Access,
    rank: usize,
) -> Vec<StmtId> {
    let free = |out: &mut Procedure| {
        Builder::new(out).stmt(Stmt::Free {
            target: shadow.clone(),
        })
    };
    let misfit = match differs(out, primal, shadow, rank) {
        Some(differs) => {
            let free = free(out);
            vec![Builder::new(out).if_else(differs, vec![free], Vec::new())]
        }
        None => Vec::new(),
    };
    let free = free(out);
    let there = is_there(out, primal);
    let none = Builder::new(out).not(there);
    let fitting = Builder::new(out).if_else(none, vec![free], misfit);
    let there = is_there(out, shadow);
    let released = Builder::new(out).if_else(there, vec![fitting], Vec::new());
    let make = make_like(out, module, primal, shadow, rank);
    let there = is_there(out, shadow);
    let mut b = Builder::new(out);
    let none = b.not(there);
    vec![released, b.if_else(none, vec![make], Vec::new())]
}

/// What is known of a shadow's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Before {
    /// It has none.
    Fresh,
    /// It may have some, of any shape.
    Any,
}

/// Gives all allocatable components of a shadow record the memory that those of its variable have.
/// `primal` and `shadow` are records, or arrays of records of one shape.
pub fn conform_record(
    out: &mut Procedure,
    module: &Module,
    primal: &Access,
    shadow: &Access,
    before: Before,
) -> Vec<StmtId> {
    let Ok(place) = place_of(module, out, primal) else {
        return Vec::new();
    };
    let Type::Record(record) = place.ty else {
        return Vec::new();
    };
    if place.rank > 0 {
        return over_elements(out, module, primal, shadow, place.rank, before);
    }
    let mut block = Vec::new();
    if before == Before::Any {
        block.extend(release_other_variants(out, module, record, primal, shadow));
    }
    for (position, field) in module.records[record].fields.iter().enumerate() {
        let part = |whole: &Access| {
            let mut part = whole.clone();
            part.path.push(Selector::Field(position as u32));
            part
        };
        let (own, other) = (part(primal), part(shadow));
        if field.allocation == Allocation::Allocatable {
            let rank = field.shape.len();
            match before {
                Before::Fresh => block.push(make_like(out, module, &own, &other, rank)),
                Before::Any => block.extend(conform_place(out, module, &own, &other, rank)),
            }
        }
        if holds_allocatables(module, field.ty) && field.allocation != Allocation::Pointer {
            let inner = conform_record(out, module, &own, &other, before);
            match field.allocation {
                Allocation::Allocatable => {
                    let there = is_there(out, &own);
                    block.push(Builder::new(out).if_else(there, inner, Vec::new()));
                }
                _ => block.extend(inner),
            }
        }
    }
    block
}

/// Releases shadows of objects of other types than the variable's components have: one object can be
/// made only where there is no other.
fn release_other_variants(
    out: &mut Procedure,
    module: &Module,
    record: RecordId,
    primal: &Access,
    shadow: &Access,
) -> Vec<StmtId> {
    let fields = module.records[record].fields.iter().enumerate();
    let variants = fields.filter(|(_, field)| field.variant_of.is_some());
    variants
        .map(|(position, _)| {
            let part = |whole: &Access| {
                let mut part = whole.clone();
                part.path.push(Selector::Field(position as u32));
                part
            };
            let (own, other) = (part(primal), part(shadow));
            let free = Stmt::Free {
                target: other.clone(),
            };
            let free = Builder::new(out).stmt(free);
            let there = is_there(out, &own);
            let mut b = Builder::new(out);
            let none = b.not(there);
            let released = b.if_else(none, vec![free], Vec::new());
            let there = is_there(out, &other);
            Builder::new(out).if_else(there, vec![released], Vec::new())
        })
        .collect()
}

fn over_elements(
    out: &mut Procedure,
    module: &Module,
    primal: &Access,
    shadow: &Access,
    rank: usize,
    before: Before,
) -> Vec<StmtId> {
    let counters: Vec<VarId> = (0..rank)
        .map(|_| {
            let name = crate::naming::unique(out, "element");
            let mut counter = Variable::scalar(name, Type::INT);
            counter.role = Role::Temporary;
            out.variables.add(counter)
        })
        .collect();
    let subscripts: Vec<ExprId> = counters
        .iter()
        .map(|&counter| Builder::new(out).load(counter))
        .collect();
    let element = |whole: &Access| {
        let mut element = whole.clone();
        element.path.push(Selector::Index(subscripts.clone()));
        element
    };
    let (own, other) = (element(primal), element(shadow));
    let mut block = conform_record(out, module, &own, &other, before);
    if block.is_empty() {
        return block;
    }
    for (dim, &counter) in counters.iter().enumerate() {
        let mut b = Builder::new(out);
        let mut bound = |kind| {
            let array = primal.clone();
            let dim = dim as u32;
            b.expr(Expr::Bound { array, kind, dim }, Type::INT)
        };
        let (lower, upper) = (bound(BoundKind::Lower), bound(BoundKind::Upper));
        let one = b.int(1);
        block = vec![b.counted_loop(counter, lower, upper, one, block)];
    }
    block
}

/// Whether values of a type have allocatable components, at any depth.
pub fn holds_allocatables(module: &Module, ty: Type) -> bool {
    holds(module, ty, 0)
}

fn holds(module: &Module, ty: Type, depth: u32) -> bool {
    const DEEP: u32 = 12;
    match ty {
        Type::Record(record) if depth < DEEP => module.records[record].fields.iter().any(|field| {
            field.allocation == Allocation::Allocatable
                || field.allocation == Allocation::Fixed && holds(module, field.ty, depth + 1)
        }),
        _ => false,
    }
}

/// Whether values of a type have pointer components, at any depth.
pub fn holds_pointers(module: &Module, ty: Type) -> bool {
    match ty {
        Type::Record(record) => module.records[record].fields.iter().any(|field| {
            field.allocation == Allocation::Pointer
                || field.allocation == Allocation::Fixed && holds_pointers(module, field.ty)
        }),
        _ => false,
    }
}

fn is_there(out: &mut Procedure, place: &Access) -> ExprId {
    Builder::new(out).expr(Expr::Present(place.clone()), Type::LOGICAL)
}

fn differs(out: &mut Procedure, primal: &Access, shadow: &Access, rank: usize) -> Option<ExprId> {
    let mut any: Option<ExprId> = None;
    for dim in 0..rank {
        for kind in [BoundKind::Lower, BoundKind::Extent] {
            let mut b = Builder::new(out);
            let mut bound = |place: &Access| {
                let array = place.clone();
                let dim = dim as u32;
                b.expr(Expr::Bound { array, kind, dim }, Type::INT)
            };
            let (own, other) = (bound(primal), bound(shadow));
            let unequal = b.compare(BinaryOp::NotEqual, own, other);
            any = Some(match any {
                None => unequal,
                Some(before) => b.expr(Expr::Binary(BinaryOp::Or, before, unequal), Type::LOGICAL),
            });
        }
    }
    any
}
