//! From the concrete tree to the IR, one function at a time. Names are resolved, side effects are
//! taken out of expressions in the order of evaluation, pointers that walk over one array become
//! subscripts, and what is not understood is quoted.

mod assign;
mod call;
mod counted;
mod expression;
mod facts;
mod function_values;
mod grow;
mod initial;
mod library;
mod literal;
mod local;
mod loops;
mod memory;
mod opaque;
mod operator;
mod parting;
mod pieces;
mod place;
mod pointer;
mod procedure;
mod statement;
mod switch;
mod table;
mod text;
mod typing;

pub(crate) use function_values::functions_of_unit;
pub(crate) use procedure::{lower_function, values_of_unit};

use crate::cst::{BlockItem, Node};
use crate::declare::{CType, Symbol, Unit};
use contraflow_ir::{
    Access, BinaryOp, Block, Builder, Expr, ExprId, ExprNode, JumpLabel, Procedure, Role, Span,
    Stmt, StmtId, StmtNode, Type, VarId, Variable,
};
use facts::Facts;
use place::{Place, Pointer};
use std::collections::{HashMap, HashSet};

/// Why something cannot be expressed in the IR.
#[derive(Clone, Debug)]
pub(crate) struct Unsupported {
    /// What it is, for the report: `a pointer chosen by a condition`.
    pub what: &'static str,
    pub span: Span,
}

pub(crate) type Lowered<T> = Result<T, Unsupported>;

/// What an expression evaluates to.
#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    /// A number or truth value.
    Scalar(ExprId),
    /// The address of something known.
    Pointer(Pointer<'a>),
    /// A struct or union.
    Record(Place<'a>),
    /// A null pointer.
    Null,
    /// A function of the unit: index into [`Unit::functions`].
    Function(usize),
    /// A procedure variable.
    Procedure(Access, CType<'a>),
    /// An address without a type.
    Address(Access),
    Void,
}

/// How a variable of C stands in the IR.
#[derive(Clone, Debug)]
pub(crate) enum Representation<'a> {
    /// As it is: scalars, arrays, records, pointers that are values.
    Plain,
    /// A pointer that is an array: it always points to the array's first element.
    Array,
    /// A pointer that walks over one array: `base` plus the value of an integer variable.
    Offset { base: Pointer<'a>, offset: VarId },
}

/// What the front end knows about a variable of the procedure.
#[derive(Clone, Debug)]
pub(crate) struct Known<'a> {
    pub ty: CType<'a>,
    pub representation: Representation<'a>,
    /// The name in the source; empty for temporaries.
    pub source_name: &'a str,
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Of a loop or `switch`.
    pub leave: Option<JumpLabel>,
    /// Of a loop: how to go on.
    pub next: Option<contraflow_ir::Jump>,
}

/// A function while its body is lowered.
pub(crate) struct Body<'u, 'a> {
    pub unit: &'u mut Unit<'a>,
    pub procedure: Procedure,
    /// The place that new nodes get.
    pub span: Span,
    /// Statements of the block that is being built.
    pub block: Block,
    pub known: Vec<Known<'a>>,
    pub aliases: Vec<Pointer<'a>>,
    /// The types that the aliases are declared with.
    pub alias_types: Vec<CType<'a>>,
    pub facts: Facts<'a>,
    pub targets: Vec<Target>,
    pub used_labels: HashSet<JumpLabel>,
    /// `goto` labels that may be jumped to from here.
    pub gotos: Vec<(&'a str, contraflow_ir::Jump)>,
    /// A `goto` leads where the IR has no place for it.
    pub lost_goto: bool,
    /// The blocks around, innermost last.
    pub blocks: Vec<&'a [Node<BlockItem>]>,
    pub result: Option<(VarId, CType<'a>)>,
    /// Pragmas that have been given to a statement.
    pub bound_pragmas: HashSet<usize>,
    /// Pointers that were made of addresses without a type: their memory is from elsewhere.
    pub from_addresses: HashSet<VarId>,
    /// The values of the conditions of `a ?: b` around.
    pub middles: Vec<Value<'a>>,
    names: HashSet<String>,
    /// Scalars of blocks that have ended; a later block may use them again.
    ended: HashMap<&'a str, Vec<VarId>>,
    global_variables: HashMap<usize, VarId>,
    /// How many elements local pointers lead to whose memory grows.
    pub rooms: HashMap<VarId, VarId>,
    /// The last statement of the latest `realloc`, and the pointer that got what it gave.
    pub grown: Option<(StmtId, VarId)>,
    next_label: u32,
}

impl<'u, 'a> Body<'u, 'a> {
    fn new(unit: &'u mut Unit<'a>, procedure: Procedure, facts: Facts<'a>) -> Self {
        Self {
            unit,
            procedure,
            span: Span::NONE,
            block: Vec::new(),
            known: Vec::new(),
            aliases: Vec::new(),
            alias_types: Vec::new(),
            facts,
            targets: Vec::new(),
            used_labels: HashSet::new(),
            gotos: Vec::new(),
            lost_goto: false,
            blocks: Vec::new(),
            result: None,
            bound_pragmas: HashSet::new(),
            from_addresses: HashSet::new(),
            middles: Vec::new(),
            names: HashSet::new(),
            ended: HashMap::new(),
            global_variables: HashMap::new(),
            rooms: HashMap::new(),
            grown: None,
            next_label: 0,
        }
    }

    /// Refuses what the current place holds.
    pub fn unsupported<T>(&self, what: &'static str) -> Lowered<T> {
        Err(Unsupported {
            what,
            span: self.span,
        })
    }

    /// A builder at the current place.
    pub fn builder(&mut self) -> Builder<'_> {
        let span = self.span;
        let mut builder = Builder::new(&mut self.procedure);
        builder.span = span;
        builder
    }

    pub fn expr(&mut self, expr: Expr, ty: Type) -> ExprId {
        let span = self.span;
        self.procedure.exprs.add(ExprNode { expr, ty, span })
    }

    pub fn type_of(&self, e: ExprId) -> Type {
        self.procedure.exprs[e].ty
    }

    pub fn int(&mut self, value: i128) -> ExprId {
        self.expr(Expr::Integer(value), Type::INT)
    }

    /// Adds a statement to the block that is being built.
    pub fn emit(&mut self, stmt: Stmt) -> StmtId {
        let span = self.span;
        let id = self.procedure.stmts.add(StmtNode { stmt, span });
        self.block.push(id);
        id
    }

    pub fn assign(&mut self, target: Access, value: ExprId) {
        self.emit(Stmt::Assign { target, value });
    }

    /// What `f` emits, as a block of its own.
    pub fn in_block<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outer = std::mem::take(&mut self.block);
        let result = f(self);
        (std::mem::replace(&mut self.block, outer), result)
    }

    /// The value of `e` in type `ty`.
    pub fn convert(&mut self, e: ExprId, ty: Type) -> ExprId {
        self.builder().convert(e, ty)
    }

    /// `a + b`, simplified; for addresses.
    pub fn sum(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let common = operator::common_type(self.type_of(a), self.type_of(b));
        let (a, b) = (self.convert(a, common), self.convert(b, common));
        self.builder().add(a, b)
    }

    /// `a - b`, simplified; for addresses and bounds.
    pub fn difference(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let common = operator::common_type(self.type_of(a), self.type_of(b));
        let (a, b) = (self.convert(a, common), self.convert(b, common));
        self.builder().sub(a, b)
    }

    pub fn load(&mut self, var: VarId) -> ExprId {
        self.builder().load(var)
    }

    pub fn not(&mut self, e: ExprId) -> ExprId {
        let ty = self.type_of(e);
        self.expr(Expr::Unary(contraflow_ir::UnaryOp::Not, e), ty)
    }

    pub fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, a, b), Type::LOGICAL)
    }

    pub fn new_label(&mut self) -> JumpLabel {
        let label = JumpLabel(self.next_label);
        self.next_label += 1;
        label
    }

    /// The label, if a jump to it was written.
    pub fn if_used(&self, label: JumpLabel) -> Option<JumpLabel> {
        self.used_labels.contains(&label).then_some(label)
    }

    /// A name that no variable of the procedure has yet.
    pub fn unique_name(&mut self, wanted: &str) -> String {
        unique(&mut self.names, wanted)
    }

    /// Adds a variable and what is known about it.
    pub fn add_variable(&mut self, variable: Variable, known: Known<'a>) -> VarId {
        let id = self.procedure.variables.add(variable);
        self.known.push(known);
        id
    }

    /// A scalar that the lowering needs.
    pub fn temporary(&mut self, wanted: &str, ty: Type) -> VarId {
        let name = self.unique_name(wanted);
        let mut variable = Variable::scalar(name, ty);
        variable.span = self.span;
        variable.role = Role::Primal;
        self.add_variable(
            variable,
            Known {
                ty: CType::Scalar(ty),
                representation: Representation::Plain,
                source_name: "",
            },
        )
    }

    /// Keeps a value in a temporary.
    pub fn keep(&mut self, wanted: &str, value: ExprId) -> ExprId {
        let ty = self.type_of(value);
        let temporary = self.temporary(wanted, ty);
        self.assign(Access::whole(temporary), value);
        self.load(temporary)
    }

    /// Ends a block. Its scalars are free for blocks to come: `int i` in one loop after another is
    /// one variable.
    pub fn leave_block(&mut self) {
        for (name, var) in self.unit.leave() {
            let variable = &self.procedure.variables[var];
            let is_free = matches!(variable.storage, contraflow_ir::Storage::Local)
                && matches!(self.known[var.index()].ty, CType::Scalar(_));
            if is_free {
                self.ended.entry(name).or_default().push(var);
            }
        }
    }

    /// A scalar of this name, type and spelling whose block has ended.
    pub fn ended_scalar(&mut self, name: &str, ty: Type, spelling: &str) -> Option<VarId> {
        let ended = self.ended.get_mut(name)?;
        let variables = &self.procedure.variables;
        let fits = |var: &VarId| {
            variables[*var].ty == ty && variables[*var].spelling.as_deref() == Some(spelling)
        };
        let index = ended.iter().position(fits)?;
        Some(ended.remove(index))
    }

    /// The variable of a global that is taken apart here. A quoted statement may name others.
    pub fn known_global(&mut self, index: usize) -> Lowered<VarId> {
        if self.unit.globals[index].ty.leads_to_rows() {
            return self.unsupported("a pointer to arrays that is not local");
        }
        self.global_variable(index)
    }

    /// The variable through which the procedure sees a global.
    pub fn global_variable(&mut self, index: usize) -> Lowered<VarId> {
        if let Some(&var) = self.global_variables.get(&index) {
            return Ok(var);
        }
        let global = self.unit.globals[index].clone();
        let Some(id) = global.id else {
            return self.unsupported("a variable of a system header");
        };
        let shape = self.shape(&global.ty)?;
        let name = self.unique_name(global.name);
        let ty = self.unit.ir_type(global.ty.element());
        let mut variable = Variable::scalar(name, ty);
        variable.span = self.unit.module.globals[id].span;
        variable.spelling = crate::declare::spelled(&global.spelling);
        variable.storage = contraflow_ir::Storage::Global(id);
        variable.aliasing = contraflow_ir::Aliasing::May;
        variable.read_only = global.is_const;
        let var = self.add_variable(
            variable,
            Known {
                ty: global.ty.clone(),
                representation: Representation::Plain,
                source_name: global.name,
            },
        );
        self.global_variables.insert(index, var);
        self.procedure.variables[var].shape = shape;
        if let Some(initializer) = global.initializer
            && (!global.is_const || self.has_addresses(initializer))
        {
            self.values_at_start(var, ty, initializer);
        }
        Ok(var)
    }

    /// What a name means here; undeclared ones are unsupported.
    pub fn symbol(&self, name: &str) -> Lowered<Symbol<'a>> {
        match self.unit.lookup(name) {
            Some(symbol) => Ok(symbol.clone()),
            None => self.unsupported("a name without a declaration"),
        }
    }
}

/// `wanted`, or with a number behind it the first name that `names` has not got.
fn unique(names: &mut HashSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut count = 0;
    while !names.insert(name.clone()) {
        count += 1;
        name = format!("{wanted}_{count}");
    }
    name
}
