//! One body in place of one call.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Argument, Block, Builder, Callee, ContainerId, Expr, ExprId, GlobalKind, Intent,
    Module, Passing, Pointer, PointerId, Procedure, ProcedureId, Role, Selector, Span, Stmt,
    StmtId, StmtNode, Storage, Type, VarId, Variable, place_of,
};

/// What stands for a variable of the callee.
#[derive(Clone)]
pub enum Stand {
    /// A variable of the caller.
    Variable(VarId),
    /// For the first element of an array argument a scalar place of the caller.
    Place(Access),
    /// For an array argument a pointer to its first element.
    Pointer(VarId),
    /// For an argument that neither side changes its value.
    Value(ExprId),
    /// For an argument by reference what is passed.
    Object(Access),
    /// For an array by reference that pointers are let point to, what is passed, and from which
    /// subscripts the callee counts.
    Pointed(Access, Vec<i64>),
}

/// Puts the body of `callee` in place of a call. Gives false, and changes nothing, where it cannot.
pub fn in_place(
    module: &mut Module,
    caller: ProcedureId,
    call: StmtId,
    callee: ProcedureId,
) -> bool {
    let mut source = module.procedures[callee].clone();
    let Stmt::Call {
        arguments, result, ..
    } = module.procedures[caller].stmt(call).clone()
    else {
        return false;
    };
    if result.is_none() {
        crate::addresses::drop_result(&mut source);
    }
    if !can_see(module, caller, &source) || arguments.len() != source.arguments.len() {
        return false;
    }
    if !source.scalars_by_value
        && super::references::meet(&module.procedures[caller], &source, &arguments)
    {
        return false;
    }
    let mut pointers = BTreeMap::new();
    for &formal in &source.arguments {
        let variable = &source.variables[formal];
        if variable.is_array() && source.scalars_by_value {
            pointers.insert(formal, pointer_type(module, variable));
        }
    }
    let types = Module {
        records: module.records.clone(),
        pointers: module.pointers.clone(),
        ..Module::default()
    };
    let mut out = module.procedures[caller].clone();
    let span = out.stmts[call].span;
    let home = out.home.container;
    let mut copying = Copying {
        home,
        types: &types,
        source: &source,
        out: &mut out,
        stands: BTreeMap::new(),
        block: Vec::new(),
        span,
    };
    for (&formal, argument) in source.arguments.iter().zip(&arguments) {
        if copying.bind(formal, argument, &pointers).is_none() {
            return false;
        }
    }
    let direct = result
        .clone()
        .filter(|target| is_fresh(copying.out, target, &arguments));
    if copying.declare(direct.as_ref()).is_none() {
        return false;
    }
    if copying.block_of(&source.body).is_none() {
        return false;
    }
    if let (Some(target), None, Some(value)) = (result, direct, source.result()) {
        copying.give(target, value);
    }
    let block = copying.block;
    replace(&mut out, call, &block);
    module.procedures[caller] = out;
    true
}

/// Whether what the callee names is seen where the caller stands.
fn can_see(module: &Module, caller: ProcedureId, source: &Procedure) -> bool {
    if module.procedures[caller].home.container == source.home.container {
        return true;
    }
    let hidden = source
        .variables
        .iter()
        .any(|(_, variable)| match variable.storage {
            Storage::Global(global) => module.globals[global].kind == GlobalKind::FileStatic,
            _ => false,
        });
    let calls_hidden = source.all_statements().into_iter().any(|stmt| {
        matches!(source.stmt(stmt), Stmt::Call { callee: Callee::Procedure(id), .. }
            if module.procedures[*id].is_private)
    });
    let is_public = source.scalars_by_value || super::references::is_public(module, source);
    !hidden && !calls_hidden && is_public
}

fn pointer_type(module: &mut Module, variable: &Variable) -> PointerId {
    let pointer = Pointer {
        target: variable.ty,
        spelling: variable.spelling.clone(),
    };
    let known = module.pointers.iter().find(|(_, other)| **other == pointer);
    match known.map(|(id, _)| id) {
        Some(id) => id,
        None => module.pointers.add(pointer),
    }
}

/// Whether the target of a value is a local scalar that no argument reads.
fn is_fresh(out: &Procedure, target: &Access, arguments: &[Argument]) -> bool {
    let is_read = arguments.iter().any(|argument| match argument {
        Argument::Value(e) => out
            .reads_of_expr(*e)
            .iter()
            .any(|read| read.var == target.var),
        Argument::Place(place) => {
            place.var == target.var
                || place.expressions().any(|e| {
                    out.reads_of_expr(e)
                        .iter()
                        .any(|read| read.var == target.var)
                })
        }
        Argument::Procedure(_) | Argument::Absent | Argument::Opaque { .. } => false,
    });
    let variable = &out.variables[target.var];
    target.path.is_empty() && variable.storage == Storage::Local && !is_read
}

/// Lets statements stand where `call` stands.
pub fn replace(out: &mut Procedure, call: StmtId, block: &[StmtId]) {
    let put = |statements: &mut Block| {
        if let Some(at) = statements.iter().position(|&stmt| stmt == call) {
            statements.splice(at..=at, block.iter().copied());
        }
    };
    put(&mut out.body);
    for stmt in out.stmts.ids().collect::<Vec<_>>() {
        for block in out.stmts[stmt].stmt.blocks_mut() {
            put(block);
        }
    }
    // The call is gone, also for those who look at all statements that there are.
    out.stmts[call].stmt = Stmt::Comment(String::new());
}

/// A body while it is copied.
pub struct Copying<'c> {
    /// Types alone.
    pub types: &'c Module,
    /// The callee.
    pub source: &'c Procedure,
    /// The caller.
    pub out: &'c mut Procedure,
    /// What stands for the callee's variables.
    pub stands: BTreeMap<VarId, Stand>,
    /// The statements so far.
    pub block: Block,
    /// The call's.
    pub span: Span,
    /// Where the caller stands.
    pub home: Option<ContainerId>,
}

impl Copying<'_> {
    /// Adds a statement.
    pub fn emit(&mut self, stmt: Stmt, span: Span) -> StmtId {
        let id = self.out.stmts.add(StmtNode { stmt, span });
        self.block.push(id);
        id
    }

    /// A new variable like another one.
    pub fn local(&mut self, model: &Variable) -> VarId {
        let mut variable = model.clone();
        variable.name = crate::naming::unique(self.out, &model.name);
        variable.storage = Storage::Local;
        variable.passing = Passing::Reference;
        variable.intent = Intent::Unspecified;
        variable.read_only = false;
        variable.optional = false;
        variable.role = Role::Primal;
        variable.initial = None;
        self.out.variables.add(variable)
    }

    /// What stands for a formal argument.
    fn bind(
        &mut self,
        formal: VarId,
        argument: &Argument,
        pointers: &BTreeMap<VarId, PointerId>,
    ) -> Option<()> {
        let variable = self.source.variables[formal].clone();
        let stand = match pointers.get(&formal) {
            _ if !self.source.scalars_by_value => self.reference(formal, argument)?,
            Some(&pointer) => self.array(&variable, formal, argument, pointer)?,
            None if matches!(variable.ty, Type::Pointer(_)) => self.pointer(&variable, argument)?,
            None => self.value(&variable, argument)?,
        };
        self.stands.insert(formal, stand);
        Some(())
    }

    /// What stands for an argument whose value is passed.
    pub fn value(&mut self, formal: &Variable, argument: &Argument) -> Option<Stand> {
        let Argument::Value(value) = *argument else {
            return None;
        };
        if self.out.exprs[value].ty != formal.ty {
            return None;
        }
        if formal.intent == Intent::In && self.is_steady(value) {
            return Some(Stand::Value(value));
        }
        let local = self.local(formal);
        let target = Access::whole(local);
        self.emit(Stmt::Assign { target, value }, self.span);
        Some(Stand::Variable(local))
    }

    /// Whether an expression has one value in the whole caller.
    fn is_steady(&self, e: ExprId) -> bool {
        let mut steady = true;
        self.out
            .walk_expr(e, &mut |node| match self.out.expr(node) {
                Expr::Load(access) => {
                    let variable = &self.out.variables[access.var];
                    steady &= access.path.is_empty()
                        && (variable.is_constant()
                            || variable.is_argument()
                                && variable.passing == Passing::Value
                                && variable.intent == Intent::In);
                }
                Expr::Opaque { .. }
                | Expr::Present(_)
                | Expr::Associated { .. }
                | Expr::Bound { .. } => steady = false,
                _ => {}
            });
        steady
    }

    fn pointer(&mut self, formal: &Variable, argument: &Argument) -> Option<Stand> {
        let local = self.local(formal);
        self.point(local, argument)?;
        Some(Stand::Variable(local))
    }

    /// Lets a new pointer point to what is passed.
    fn point(&mut self, target: VarId, argument: &Argument) -> Option<()> {
        let (value, is_pointer) = match argument {
            Argument::Absent => (None, false),
            Argument::Place(place) => match place.path.split_last() {
                Some((Selector::Deref, before)) => {
                    let (var, path) = (place.var, before.to_vec());
                    (Some(Access { var, path }), true)
                }
                _ => (Some(place.clone()), false),
            },
            Argument::Value(_) | Argument::Procedure(_) | Argument::Opaque { .. } => return None,
        };
        let point = Stmt::PointerAssign {
            target: Access::whole(target),
            value,
            is_pointer,
            offset: None,
            bounds: Vec::new(),
        };
        self.emit(point, self.span);
        Some(())
    }

    fn array(
        &mut self,
        formal: &Variable,
        id: VarId,
        argument: &Argument,
        pointer: PointerId,
    ) -> Option<Stand> {
        if let Argument::Place(place) = argument {
            let actual = &self.out.variables[place.var];
            let found = place_of(self.types, self.out, place).ok()?;
            if found.ty != formal.ty {
                return None;
            }
            if place.path.is_empty() && actual.rank() == 1 {
                return Some(Stand::Variable(place.var));
            }
            let is_plain = place.path.iter().all(|s| matches!(s, Selector::Field(_)));
            if found.rank == 0 && is_plain && self.is_one_object(id) {
                return Some(Stand::Place(place.clone()));
            }
        }
        let mut model = formal.clone();
        model.ty = Type::Pointer(pointer);
        model.shape = Vec::new();
        let local = self.local(&model);
        self.point(local, argument)?;
        Some(Stand::Pointer(local))
    }

    /// Whether only the first element of an array argument is used, and the argument handed on.
    fn is_one_object(&self, formal: VarId) -> bool {
        let source = self.source;
        let is_first = |access: &Access| match access.path.first() {
            Some(Selector::Index(subscripts)) => {
                matches!(subscripts.as_slice(), [e] if matches!(source.expr(*e), Expr::Integer(0)))
            }
            _ => false,
        };
        let mut one = true;
        let mut see = |access: &Access, may_be_whole: bool| {
            if access.var == formal {
                one &= is_first(access) || may_be_whole && access.path.is_empty();
            }
        };
        for stmt in source.all_statements() {
            for e in source.stmt(stmt).expressions() {
                source.walk_expr(e, &mut |node| match source.expr(node) {
                    Expr::Load(access) => see(access, false),
                    Expr::Present(access) => see(access, true),
                    Expr::Bound { array, .. } => see(array, false),
                    Expr::Associated { pointer, target } => {
                        see(pointer, false);
                        see(target, false);
                    }
                    _ => {}
                });
            }
            match source.stmt(stmt) {
                Stmt::Assign { target, .. }
                | Stmt::Fill { target, .. }
                | Stmt::Allocate { target, .. }
                | Stmt::Free { target } => see(target, false),
                Stmt::PointerAssign { target, value, .. } => {
                    see(target, false);
                    value.iter().for_each(|value| see(value, false));
                }
                Stmt::Copy { target, source } => {
                    see(target, false);
                    see(source, false);
                }
                Stmt::Call {
                    arguments, result, ..
                } => {
                    for argument in arguments {
                        if let Argument::Place(place) = argument {
                            see(place, true);
                        }
                    }
                    result.iter().for_each(|result| see(result, false));
                }
                _ => {}
            }
        }
        one
    }

    /// Variables for the callee's own; `result` is where its value goes, if straight there.
    fn declare(&mut self, result: Option<&Access>) -> Option<()> {
        let value = self.source.result();
        for (id, variable) in self.source.variables.iter() {
            if self.stands.contains_key(&id) {
                continue;
            }
            let stand = match (variable.storage, result) {
                (_, Some(target)) if value == Some(id) => target.var,
                (Storage::Global(global), _) => {
                    let known = self.out.variables.iter().find(|(_, other)| {
                        matches!(other.storage, Storage::Global(other) if other == global)
                    });
                    match known.map(|(var, _)| var) {
                        Some(var) => var,
                        None if !self.source.scalars_by_value => {
                            let stand = self.shared(variable)?;
                            self.stands.insert(id, stand);
                            continue;
                        }
                        None => {
                            let mut copy = variable.clone();
                            copy.name = crate::naming::unique(self.out, &variable.name);
                            let dims = copy.shape.clone();
                            copy.shape = self.shape(&dims);
                            self.out.variables.add(copy)
                        }
                    }
                }
                (Storage::Constant { .. }, _) if !self.source.scalars_by_value => {
                    let stand = self.shared(variable)?;
                    self.stands.insert(id, stand);
                    continue;
                }
                (Storage::Constant { value, global }, _) => {
                    let value = value.and_then(|value| self.expr(value));
                    let mut copy = variable.clone();
                    copy.name = crate::naming::unique(self.out, &variable.name);
                    copy.storage = Storage::Constant { value, global };
                    self.out.variables.add(copy)
                }
                _ => {
                    let dims = variable.shape.clone();
                    let shape = self.shape(&dims);
                    let mut model = variable.clone();
                    model.shape = shape;
                    self.local(&model)
                }
            };
            self.stands.insert(id, Stand::Variable(stand));
        }
        Some(())
    }

    /// Dimensions in terms of the caller.
    pub fn shape(&mut self, dims: &[contraflow_ir::Dim]) -> Vec<contraflow_ir::Dim> {
        dims.iter()
            .map(|dim| {
                let lower = self.expr(dim.lower).unwrap_or(dim.lower);
                let extent = match dim.extent {
                    contraflow_ir::Extent::Count(count) => {
                        contraflow_ir::Extent::Count(self.expr(count).unwrap_or(count))
                    }
                    other => other,
                };
                contraflow_ir::Dim { lower, extent }
            })
            .collect()
    }

    /// Hands the function's value to where it goes.
    fn give(&mut self, target: Access, value: VarId) {
        let Some(Stand::Variable(from)) = self.stands.get(&value).cloned() else {
            return;
        };
        let ty = self.source.variables[value].ty;
        let stmt = match ty {
            Type::Pointer(_) => Stmt::PointerAssign {
                target,
                value: Some(Access::whole(from)),
                is_pointer: true,
                offset: None,
                bounds: Vec::new(),
            },
            _ => {
                let value = Builder::new(self.out).expr(Expr::Load(Access::whole(from)), ty);
                Stmt::Assign { target, value }
            }
        };
        self.emit(stmt, self.span);
    }
}
