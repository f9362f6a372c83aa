//! What a procedure does to its variables, as far as a declaration must know: which ones it
//! writes (for `intent` and `const`), and which locals nobody reads (they are not printed).
//!
//! Writing is followed through calls. Recursive calls count as perhaps writing.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use contraflow_ir::{
    Access, Aliasing, Allocation, Argument, Callee, Expr, ExprId, Extent, Intent, Module, Passing,
    Procedure, ProcedureId, Selector, Stmt, Storage, Type, VarId, Variable,
};

/// Whether a variable is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Written {
    /// It is not.
    No,
    /// It is handed to code that is not known to leave it alone.
    Maybe,
    /// It is.
    Yes,
}

/// Writes of all procedures of a module, found on demand.
#[derive(Debug)]
pub struct Usage<'m> {
    module: &'m Module,
    known: RefCell<HashMap<ProcedureId, Vec<Written>>>,
}

impl<'m> Usage<'m> {
    /// Nothing is computed yet.
    pub fn new(module: &'m Module) -> Self {
        Self {
            module,
            known: RefCell::default(),
        }
    }

    /// Whether a procedure writes one of its variables.
    pub fn written(&self, procedure: ProcedureId, variable: VarId) -> Written {
        self.table(procedure)[variable.index()]
    }

    fn table(&self, id: ProcedureId) -> Vec<Written> {
        if let Some(table) = self.known.borrow().get(&id) {
            return table.clone();
        }
        let procedure = &self.module.procedures[id];
        let unknown = vec![Written::Maybe; procedure.variables.len()];
        self.known.borrow_mut().insert(id, unknown);
        let table = if procedure.has_body {
            self.of_body(procedure)
        } else {
            of_interface(procedure)
        };
        self.known.borrow_mut().insert(id, table.clone());
        table
    }

    fn of_body(&self, procedure: &Procedure) -> Vec<Written> {
        let mut table = vec![Written::No; procedure.variables.len()];
        for id in procedure.all_statements() {
            let stmt = procedure.stmt(id);
            for variable in written_directly(stmt) {
                table[variable.index()] = Written::Yes;
            }
            if let Stmt::Call {
                callee, arguments, ..
            } = stmt
            {
                for (position, argument) in arguments.iter().enumerate() {
                    if let Argument::Place(access) = argument {
                        let entry = &mut table[access.var.index()];
                        *entry = (*entry).max(self.by_callee(callee, position));
                    }
                }
            }
        }
        // What writes a view of an object writes the object.
        for (view, _) in procedure.variables.iter() {
            if let Some(base) = procedure.viewed(view) {
                table[base.index()] = table[base.index()].max(table[view.index()]);
            }
        }
        table
    }

    fn by_callee(&self, callee: &Callee, position: usize) -> Written {
        let Callee::Procedure(id) = callee else {
            return Written::Maybe;
        };
        match self.module.procedures[*id].arguments.get(position) {
            Some(&formal) => self.written(*id, formal),
            None => Written::Maybe,
        }
    }
}

fn of_interface(procedure: &Procedure) -> Vec<Written> {
    procedure
        .variables
        .iter()
        .map(|(_, variable)| match variable.intent {
            Intent::In => Written::No,
            Intent::Out | Intent::InOut => Written::Yes,
            Intent::Unspecified if variable.read_only => Written::No,
            Intent::Unspecified => Written::Maybe,
        })
        .collect()
}

/// The variables that a statement itself writes, calls apart.
pub fn written_directly(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Assign { target, .. }
        | Stmt::Fill { target, .. }
        | Stmt::Copy { target, .. }
        | Stmt::Allocate { target, .. }
        | Stmt::Free { target }
        | Stmt::PointerAssign { target, .. } => vec![target.var],
        Stmt::Pop { tape, target } => vec![*tape, target.var],
        Stmt::Push { tape, .. } => vec![*tape],
        Stmt::Loop { variable, .. } => vec![*variable],
        Stmt::Call { result, .. } => result.iter().map(|access| access.var).collect(),
        Stmt::Opaque { writes, .. } => writes.iter().map(|access| access.var).collect(),
        Stmt::While { .. }
        | Stmt::If { .. }
        | Stmt::Switch { .. }
        | Stmt::Region { .. }
        | Stmt::Labelled { .. }
        | Stmt::Jump(_)
        | Stmt::Stop { .. }
        | Stmt::Comment(_) => Vec::new(),
    }
}

/// What becomes of a function's value that is assigned to a variable nobody reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallResult {
    /// The language demands a variable.
    Kept,
    /// The call can stand alone.
    Dropped,
}

/// Locals and copied arguments that nothing else depends on. Their assignments need not be
/// written: expressions are pure. The largest such set is found by starting with all of them and
/// taking out what is read elsewhere.
pub fn unread_locals(
    module: &Module,
    procedure: &Procedure,
    results: CallResult,
) -> HashSet<VarId> {
    // Memory that has another name too is read through it; the label to return to is read at the end.
    let label = procedure.labels.as_ref().map(|labels| labels.which);
    // What a pointer component of Fortran leads to is named like a part of the variable.
    let leading = procedure
        .variables
        .iter()
        .filter(|(_, variable)| has_pointer_components(module, variable.ty))
        .map(|(id, _)| id);
    let shared: HashSet<VarId> = procedure
        .variables
        .iter()
        .filter_map(|(_, variable)| match variable.storage {
            Storage::Overlay { base, .. } => Some(base),
            _ => None,
        })
        .chain(label)
        .chain(leading)
        .collect();
    let mut unread: HashSet<VarId> = procedure
        .variables
        .iter()
        .filter(|(id, variable)| is_private_copy(variable) && !shared.contains(id))
        .map(|(id, _)| id)
        .collect();
    loop {
        let read = variables_read(procedure, &unread, results);
        let before = unread.len();
        unread.retain(|id| !read.contains(id));
        if unread.len() == before {
            return unread;
        }
    }
}

fn has_pointer_components(module: &Module, ty: Type) -> bool {
    let Type::Record(record) = ty else {
        return false;
    };
    module.records[record].fields.iter().any(|field| {
        // Records in memory of their own may be of the same type.
        field.allocation != Allocation::Fixed || has_pointer_components(module, field.ty)
    })
}

fn is_private_copy(variable: &Variable) -> bool {
    let copied = match variable.storage {
        Storage::Local => true,
        Storage::Argument { .. } => {
            variable.passing == Passing::Value
                && !variable.is_array()
                && !matches!(variable.ty, Type::Pointer(_) | Type::Address)
        }
        _ => false,
    };
    copied && variable.aliasing == Aliasing::None && variable.allocation == Allocation::Fixed
}

/// Whether a statement only assigns to variables of `unread`.
pub fn is_useless(stmt: &Stmt, unread: &HashSet<VarId>) -> bool {
    assigned(stmt).is_some_and(|target| unread.contains(&target.var))
}

/// The place that a statement sets, if it does nothing else and the place is the variable's own memory:
/// what is set through a pointer is somebody else's, and the pointer is read for it.
fn assigned(stmt: &Stmt) -> Option<&Access> {
    match stmt {
        Stmt::Assign { target, .. }
        | Stmt::Fill { target, .. }
        | Stmt::PointerAssign { target, .. } => Some(target),
        _ => None,
    }
    .filter(|target| is_own(target))
}

fn is_own(place: &Access) -> bool {
    !place.path.contains(&Selector::Deref)
}

/// Everything that stands in the body other than as the target of an assignment, leaving
/// assignments to `unread` aside.
fn variables_read(
    procedure: &Procedure,
    unread: &HashSet<VarId>,
    results: CallResult,
) -> HashSet<VarId> {
    let mut read = HashSet::new();
    for id in procedure.all_statements() {
        let stmt = procedure.stmt(id);
        if is_useless(stmt, unread) {
            continue;
        }
        for root in stmt.expressions() {
            read.extend(variables_of(procedure, root));
        }
        let only_assigns = match stmt {
            Stmt::Call { result, .. } => {
                results == CallResult::Dropped && result.as_ref().is_none_or(is_own)
            }
            _ => assigned(stmt).is_some(),
        };
        if !only_assigns {
            read.extend(written_directly(stmt));
        }
        read.extend(places(stmt).into_iter().map(|access| access.var));
    }
    for (id, variable) in procedure.variables.iter() {
        for root in declaration_expressions(variable) {
            if !unread.contains(&id) {
                read.extend(variables_of(procedure, root));
            }
        }
    }
    read
}

/// The variables that an expression names.
pub fn variables_of(procedure: &Procedure, root: ExprId) -> Vec<VarId> {
    let mut found = Vec::new();
    procedure.walk_expr(root, &mut |e| {
        found.extend(mentioned(procedure.expr(e)).into_iter().map(|a| a.var));
    });
    found
}

/// The variables, other than pointers, to which a procedure lets pointers point: by pointer assignments,
/// and where they are passed for pointers. And those of which it asks whether a pointer points to them.
pub fn pointed(module: &Module, procedure: &Procedure) -> HashSet<VarId> {
    let mut found = HashSet::new();
    for (_, node) in procedure.exprs.iter() {
        if let Expr::Associated { target, .. } = &node.expr {
            found.insert(target.var);
        }
    }
    for stmt in procedure.all_statements() {
        match procedure.stmt(stmt) {
            Stmt::PointerAssign {
                value: Some(value), ..
            } => {
                found.insert(value.var);
            }
            Stmt::Call {
                callee: Callee::Procedure(callee),
                arguments,
                ..
            } => {
                let callee = &module.procedures[*callee];
                for (argument, &formal) in arguments.iter().zip(&callee.arguments) {
                    if let Argument::Place(place) = argument
                        && callee.variables[formal].allocation == Allocation::Pointer
                    {
                        found.insert(place.var);
                    }
                }
            }
            _ => {}
        }
    }
    found.retain(|&var| procedure.variables[var].allocation != Allocation::Pointer);
    found
}

/// Whether a statement of a procedure names a variable.
pub fn names(procedure: &Procedure, var: VarId) -> bool {
    procedure.all_statements().into_iter().any(|id| {
        let stmt = procedure.stmt(id);
        let places: Vec<&Access> = match stmt {
            Stmt::Call { arguments, .. } => arguments
                .iter()
                .filter_map(|argument| match argument {
                    Argument::Place(place) => Some(place),
                    _ => None,
                })
                .collect(),
            Stmt::Copy { source, .. } => vec![source],
            Stmt::PointerAssign { value, .. } => value.iter().collect(),
            Stmt::Opaque { reads, writes, .. } => reads.iter().chain(writes).collect(),
            _ => Vec::new(),
        };
        let of_expressions = || {
            stmt.expressions()
                .into_iter()
                .any(|root| variables_of(procedure, root).contains(&var))
        };
        places.iter().any(|place| place.var == var)
            || written_directly(stmt).contains(&var)
            || of_expressions()
    })
}

/// The expressions in a variable's declaration: bounds, length, initial value.
pub fn declaration_expressions(variable: &Variable) -> Vec<ExprId> {
    let mut all = Vec::new();
    for dim in &variable.shape {
        all.push(dim.lower);
        if let Extent::Count(count) = dim.extent {
            all.push(count);
        }
    }
    all.extend(variable.length);
    if matches!(variable.storage, Storage::Local | Storage::Saved) {
        all.extend(variable.initial);
        all.extend(variable.values.iter().map(|&(_, value)| value));
    }
    if let Storage::Constant { value, .. } = variable.storage {
        all.extend(value);
    }
    all
}

/// The accesses that stand directly in an expression.
pub fn mentioned(expr: &Expr) -> Vec<&Access> {
    match expr {
        Expr::Load(access) | Expr::Present(access) | Expr::Required { access, .. } => vec![access],
        Expr::Bound { array, .. } => vec![array],
        Expr::Associated { pointer, target } => vec![pointer, target],
        Expr::Opaque { reads, .. } => reads.iter().collect(),
        Expr::Integer(_)
        | Expr::Real(_)
        | Expr::Logical(_)
        | Expr::Text(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Intrinsic(..)
        | Expr::Convert(_)
        | Expr::Select { .. }
        | Expr::Range { .. } => Vec::new(),
    }
}

/// Places that a statement reads or hands on without a load.
fn places(stmt: &Stmt) -> Vec<&Access> {
    match stmt {
        Stmt::Call { arguments, .. } => arguments
            .iter()
            .flat_map(|argument| match argument {
                Argument::Place(access) => vec![access],
                Argument::Opaque { reads, .. } => reads.iter().collect(),
                Argument::Value(_) | Argument::Procedure(_) | Argument::Absent => Vec::new(),
            })
            .collect(),
        Stmt::Copy { source, .. } => vec![source],
        Stmt::PointerAssign { value, .. } => value.iter().collect(),
        Stmt::Opaque { reads, .. } => reads.iter().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{CallResult, Usage, Written, unread_locals};
    use contraflow_ir::{
        Access, Argument, Builder, Callee, Module, Procedure, Stmt, Storage, Type, Variable,
    };

    fn argument(name: &str, index: u32) -> Variable {
        Variable {
            storage: Storage::Argument { index },
            ..Variable::scalar(name, Type::REAL8)
        }
    }

    #[test]
    fn writes_are_seen_through_calls() {
        let mut callee = Procedure::new("callee");
        let mut b = Builder::new(&mut callee);
        let y = b.variable(argument("y", 0));
        let zero = b.zero(Type::REAL8);
        let set = b.assign(Access::whole(y), zero);
        callee.arguments = vec![y];
        callee.body = vec![set];

        let mut module = Module::default();
        let callee = module.procedures.add(callee);
        let mut caller = Procedure::new("caller");
        let mut b = Builder::new(&mut caller);
        let x = b.variable(argument("x", 0));
        let call = b.stmt(Stmt::Call {
            callee: Callee::Procedure(callee),
            arguments: vec![Argument::Place(Access::whole(x))],
            result: None,
        });
        caller.arguments = vec![x];
        caller.body = vec![call];
        let caller = module.procedures.add(caller);

        assert_eq!(Usage::new(&module).written(caller, x), Written::Yes);
    }

    #[test]
    fn locals_that_feed_only_unread_locals_are_unread() {
        let mut procedure = Procedure::new("p");
        let mut b = Builder::new(&mut procedure);
        let a = b.variable(Variable::scalar("a", Type::REAL8));
        let c = b.variable(Variable::scalar("c", Type::REAL8));
        let one = b.number(1, Type::REAL8);
        let first = b.assign(Access::whole(a), one);
        let load = b.load(a);
        let second = b.assign(Access::whole(c), load);
        procedure.body = vec![first, second];
        let module = Module::default();
        assert_eq!(
            unread_locals(&module, &procedure, CallResult::Kept).len(),
            2
        );
    }
}
