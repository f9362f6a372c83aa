//! Copies of structs that hold addresses, member by member.
//!
//! `a = b` copies numbers, which have derivatives, and addresses, whose shadows must follow: each member
//! is assigned as what it is. Members that are arrays are copied in loops.

use contraflow_ir::{
    Access, Allocation, Block, Builder, Expr, Module, Procedure, ProcedureId, Role, Selector, Stmt,
    StmtId, Type, Variable,
};

use crate::analysis::pointers::Pointers;

/// Takes such copies in a procedure apart.
pub fn apart(module: &mut Module, id: ProcedureId) {
    let procedure = &module.procedures[id];
    let copies: Vec<(StmtId, Access, Access)> = procedure
        .all_statements()
        .into_iter()
        .filter_map(|stmt| {
            let Stmt::Assign { target, value } = procedure.stmt(stmt) else {
                return None;
            };
            let Expr::Load(source) = procedure.expr(*value) else {
                return None;
            };
            let ty = procedure.exprs[*value].ty;
            let is_copy = matches!(ty, Type::Record(_)) && Pointers::lead_on(module, ty);
            is_copy.then(|| (stmt, target.clone(), source.clone()))
        })
        .collect();
    for (stmt, target, source) in copies {
        let mut out = module.procedures[id].clone();
        let ty = match out.stmt(stmt) {
            Stmt::Assign { value, .. } => out.exprs[*value].ty,
            _ => continue,
        };
        if let Some(block) = members(module, &mut out, stmt, &target, &source, ty) {
            super::copy::replace(&mut out, stmt, &block);
            module.procedures[id] = out;
        }
    }
}

fn members(
    module: &Module,
    out: &mut Procedure,
    like: StmtId,
    target: &Access,
    source: &Access,
    ty: Type,
) -> Option<Block> {
    let Type::Record(record) = ty else {
        return one(out, like, target, source, ty);
    };
    let record = &module.records[record];
    if record.is_union {
        return None;
    }
    let mut block = Block::new();
    for (position, field) in (0u32..).zip(&record.fields) {
        if field.allocation != Allocation::Fixed {
            return None;
        }
        let part = |whole: &Access| {
            let mut part = whole.clone();
            part.path.push(Selector::Field(position));
            part
        };
        let (to, from) = (part(target), part(source));
        block.extend(elements(
            module,
            out,
            like,
            &to,
            &from,
            field.ty,
            &field.shape,
        )?);
    }
    Some(block)
}

fn elements(
    module: &Module,
    out: &mut Procedure,
    like: StmtId,
    target: &Access,
    source: &Access,
    ty: Type,
    shape: &[(i64, Option<i64>)],
) -> Option<Block> {
    if shape.is_empty() {
        return members(module, out, like, target, source, ty);
    }
    let mut counters = Vec::new();
    let mut subscripts = Vec::new();
    for _ in shape {
        let mut counter = Variable::scalar(crate::naming::unique(out, "member"), Type::INT);
        counter.role = Role::Primal;
        let counter = out.variables.add(counter);
        counters.push(counter);
        subscripts.push(Builder::new(out).load(counter));
    }
    let element = |whole: &Access| {
        let mut element = whole.clone();
        element.path.push(Selector::Index(subscripts.clone()));
        element
    };
    let (to, from) = (element(target), element(source));
    let mut block = members(module, out, like, &to, &from, ty)?;
    for (&(lower, count), &counter) in shape.iter().zip(&counters) {
        let mut b = Builder::new(out);
        let (first, last, step) = (
            b.int(lower.into()),
            b.int(i128::from(lower) + i128::from(count?) - 1),
            b.int(1),
        );
        block = vec![b.counted_loop(counter, first, last, step, block)];
    }
    Some(block)
}

fn one(
    out: &mut Procedure,
    like: StmtId,
    target: &Access,
    source: &Access,
    ty: Type,
) -> Option<Block> {
    let span = out.stmts[like].span;
    let mut b = Builder::new(out);
    b.span = span;
    let stmt = match ty {
        Type::Address | Type::Unknown | Type::Procedure | Type::Void => return None,
        Type::Pointer(_) => Stmt::PointerAssign {
            target: target.clone(),
            value: Some(source.clone()),
            is_pointer: true,
            offset: None,
            bounds: Vec::new(),
        },
        _ => {
            let value = b.expr(Expr::Load(source.clone()), ty);
            Stmt::Assign {
                target: target.clone(),
                value,
            }
        }
    };
    Some(vec![b.stmt(stmt)])
}
