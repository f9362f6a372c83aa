//! Unions whose active bytes are read as something else.
//!
//! A union of which one member is active and another one, of another type, is used as well has bytes that
//! may be numbers with derivatives here and something else there: that cannot be followed. Unions of which
//! one member is used, or members of one type of number, are memory as any other.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Argument, Diagnostic, Expr, Module, Procedure, RecordId, Selector, Span, Stmt, Type,
};

use crate::analysis::Activity;

/// The members of one union that active variables use, with the type of the numbers in each and a place.
type Used = BTreeMap<u32, Use>;

#[derive(Clone)]
struct Use {
    ty: Type,
    span: Span,
    /// The union as the program names it there.
    name: String,
}

/// Refuses unions of which active bytes may be seen as another type.
pub fn refusals(module: &Module, activity: &Activity) -> Vec<Diagnostic> {
    if !module.records.iter().any(|(_, record)| record.is_union) {
        return Vec::new();
    }
    let mut used: BTreeMap<RecordId, Used> = BTreeMap::new();
    for id in activity.bottom_up() {
        let found = &activity[id];
        let procedure = &module.procedures[found.procedure];
        for stmt in procedure.all_statements() {
            let span = procedure.stmts[stmt].span;
            for access in accesses(procedure, procedure.stmt(stmt)) {
                if found.is_active(access.var) {
                    note(module, procedure, &access, span, &mut used);
                }
            }
        }
    }
    used.into_iter()
        .filter_map(|(record, members)| refusal(module, record, &members))
        .collect()
}

fn refusal(module: &Module, record: RecordId, members: &Used) -> Option<Diagnostic> {
    let is_active = members.values().any(|used| used.ty.is_differentiable());
    let first = members.values().next()?.ty;
    let other = members.values().find(|used| used.ty != first)?;
    let name = match module.records[record].name.as_str() {
        // Without a tag.
        "" => &other.name,
        typeof_variable if typeof_variable.starts_with("__typeof__") => &other.name,
        tag => tag,
    };
    let span = other.span;
    is_active.then(|| {
        Diagnostic::error(
            "union-reinterpreted",
            format!("active bytes of `{name}` may be read as another type"),
        )
        .at(span, "another member of the union is used here")
        .with_help("keep numbers with derivatives in a struct of their own, or use one member only")
    })
}

/// Notes the member of each union that an access goes through.
fn note(
    module: &Module,
    procedure: &Procedure,
    access: &Access,
    span: Span,
    used: &mut BTreeMap<RecordId, Used>,
) {
    let mut ty = procedure.variables[access.var].ty;
    let mut through: Vec<(RecordId, u32, String)> = Vec::new();
    let mut name = procedure.variables[access.var].name.clone();
    for selector in &access.path {
        match (selector, ty) {
            (Selector::Field(field), Type::Record(record)) => {
                if module.records[record].is_union {
                    through.push((record, *field, name.clone()));
                }
                let member = &module.records[record].fields[*field as usize];
                if !member.name.is_empty() {
                    name = format!("{name}.{}", member.name);
                }
                ty = member.ty;
            }
            (Selector::Deref, Type::Pointer(pointer)) => ty = module.pointers[pointer].target,
            _ => {}
        }
    }
    for (record, field, name) in through {
        let members = used.entry(record).or_default();
        members.entry(field).or_insert(Use { ty, span, name });
    }
}

/// All places that a statement itself names.
fn accesses(procedure: &Procedure, stmt: &Stmt) -> Vec<Access> {
    let mut found: Vec<Access> = Vec::new();
    for root in stmt.expressions() {
        procedure.walk_expr(root, &mut |e| {
            if let Expr::Load(access) = procedure.expr(e) {
                found.push(access.clone());
            }
        });
    }
    match stmt {
        Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => found.push(target.clone()),
        Stmt::Copy { target, source } => found.extend([target.clone(), source.clone()]),
        Stmt::Call {
            arguments, result, ..
        } => {
            found.extend(arguments.iter().filter_map(|argument| match argument {
                Argument::Place(place) => Some(place.clone()),
                _ => None,
            }));
            found.extend(result.clone());
        }
        Stmt::Opaque { reads, writes, .. } => found.extend(reads.iter().chain(writes).cloned()),
        _ => {}
    }
    found
}

/// The member of a union that takes most bytes: where all are numbers of one type, it is all there is.
pub fn widest(module: &Module, record: RecordId) -> usize {
    let bytes = |field: &contraflow_ir::Field| {
        let count: i64 = field
            .shape
            .iter()
            .map(|(_, count)| count.unwrap_or(0))
            .product();
        let one = module.bytes_of(field.ty).unwrap_or(0);
        one.saturating_mul(u64::try_from(count).unwrap_or(0))
    };
    let fields = module.records[record].fields.iter().enumerate();
    fields
        .max_by_key(|(position, field)| (bytes(field), std::cmp::Reverse(*position)))
        .map_or(0, |(position, _)| position)
}
