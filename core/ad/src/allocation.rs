//! Statements that give shadows of allocatables the memory that their variables have.

use contraflow_ir::{
    Access, BinaryOp, BoundKind, Builder, Expr, ExprId, Procedure, Stmt, StmtId, Type, VarId,
};

/// `if (allocated(a)) allocate (a_b(bounds of a)); a_b = 0`
pub fn shadow_like(out: &mut Procedure, primal: VarId, shadow: VarId) -> StmtId {
    let rank = out.variables[primal].rank();
    let mut b = Builder::new(out);
    let mut bound = |kind, dim: usize| {
        let bound = Expr::Bound {
            array: Access::whole(primal),
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
        target: Access::whole(shadow),
        shape,
        zeroed: true,
    });
    let there = b.expr(Expr::Present(Access::whole(primal)), Type::LOGICAL);
    b.if_else(there, vec![allocate], Vec::new())
}

/// `if (allocated(a)) deallocate (a)`
pub fn release_if_there(out: &mut Procedure, var: VarId) -> StmtId {
    let mut b = Builder::new(out);
    let there = b.expr(Expr::Present(Access::whole(var)), Type::LOGICAL);
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
/// if (allocated(a) .and. .not. allocated(a_b)) allocate (a_b(bounds of a)); a_b = 0
/// ```
pub fn conform(out: &mut Procedure, primal: VarId, shadow: VarId) -> Vec<StmtId> {
    let free = |out: &mut Procedure| {
        Builder::new(out).stmt(Stmt::Free {
            target: Access::whole(shadow),
        })
    };
    let misfit = match differs(out, primal, shadow) {
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
    let make = shadow_like(out, primal, shadow);
    let there = is_there(out, shadow);
    let mut b = Builder::new(out);
    let none = b.not(there);
    vec![released, b.if_else(none, vec![make], Vec::new())]
}

fn is_there(out: &mut Procedure, var: VarId) -> ExprId {
    Builder::new(out).expr(Expr::Present(Access::whole(var)), Type::LOGICAL)
}

fn differs(out: &mut Procedure, primal: VarId, shadow: VarId) -> Option<ExprId> {
    let mut any: Option<ExprId> = None;
    for dim in 0..out.variables[primal].rank() {
        for kind in [BoundKind::Lower, BoundKind::Extent] {
            let mut b = Builder::new(out);
            let mut bound = |var| {
                let array = Access::whole(var);
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
