//! The second step: bodies. Each procedure is lowered on its own, in parallel with the others;
//! of other procedures only the symbol tables are read.
//!
//! A statement that cannot be taken apart is refused: whatever was built for it is taken back,
//! and it stands as [`Stmt::Opaque`] with what it may read and write.

mod allocated_objects;
mod alternate;
mod array;
mod assign;
mod associate;
mod block;
mod bounds;
mod call;
mod component_objects;
mod concurrent;
mod control;
mod dispatch;
mod do_loop;
mod expr;
mod given;
mod goto;
mod host;
mod initial;
mod input;
mod intrinsic;
mod invoke;
mod io;
mod jumps;
mod language;
mod link;
mod literal;
mod locate;
mod loops;
mod masked;
mod memory;
mod memory_of_functions;
mod moving;
mod norm;
mod objects;
mod opaque;
mod open_ended;
mod overlay;
mod pieces;
mod procedure;
mod procedure_pointers;
mod rearrange;
mod reduce;
mod reshape;
mod select;
mod text_length;
mod variables;
mod ways_out;

use crate::cst::{NodeId, Parser, Parsers, Tree};
use crate::declare::Program;
use crate::declare::scope::ScopeId;
use crate::syntax::blocks::UnitKind;
use crate::view::Slice;
use contraflow_ir::{
    Block, Builder, Diagnostic, Expr, ExprId, JumpLabel, Module, Procedure, ProcedureId, Sources,
    Span, Stmt, StmtId, Type, VarId, Variable,
};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A procedure as lowered.
pub struct Lowered {
    /// Whose place it takes.
    pub id: ProcedureId,
    /// The procedure.
    pub procedure: Procedure,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether objects that were taken apart are needed as declared: to be lowered again.
    needs_objects: bool,
    /// Its scope.
    scope: ScopeId,
    /// The variables of the host that it takes as arguments: names in the host.
    captures: Vec<(String, VarId)>,
    /// Its variables that the procedure around it, or itself, declares.
    variables: HashMap<(ScopeId, String), VarId>,
}

/// Lowers all procedures, in the order of their scopes.
pub fn procedures(
    program: &Program,
    module: &Module,
    sources: &Sources,
    parsers: &Parsers,
) -> Vec<Lowered> {
    let scopes: Vec<ScopeId> = (0..program.scopes.len())
        .filter(|&scope| program.scopes[scope].procedure.is_some())
        .collect();
    let lower = |scope: ScopeId, wanted: &[String]| {
        parsers.with(|parser| {
            let lowered =
                Lowerer::new(program, module, sources, scope, &mut *parser).run(wanted)?;
            if !lowered.needs_objects {
                return Some(lowered);
            }
            let mut again = Lowerer::new(program, module, sources, scope, parser);
            again.takes_objects = false;
            again.run(wanted)
        })
    };
    let mut lowered: Vec<Lowered> = scopes
        .par_iter()
        .filter_map(|&scope| lower(scope, &[]))
        .collect();
    link::link(program, &mut lowered, &lower);
    lowered
}

/// For each module and BLOCK DATA a procedure without body whose variables hold the initial values of
/// what the unit declares. Nobody can call it: its name is none.
pub fn declared_values(
    program: &Program,
    module: &Module,
    sources: &Sources,
    parsers: &Parsers,
) -> Vec<Procedure> {
    let is_unit = |scope: &ScopeId| {
        matches!(
            program.scopes[*scope].kind,
            UnitKind::Module | UnitKind::Submodule | UnitKind::BlockData
        )
    };
    let scopes: Vec<ScopeId> = (0..program.scopes.len()).filter(is_unit).collect();
    let lower = |&scope: &ScopeId| {
        parsers.with(|parser| {
            Lowerer::new(program, module, sources, scope, &mut *parser).values_of_unit()
        })
    };
    scopes.par_iter().filter_map(lower).collect()
}

/// Why a statement is not taken apart.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Refusal {
    /// For reports.
    reason: String,
}

/// Refuses a statement.
fn refuse<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal {
        reason: reason.into(),
    })
}

type Fallible<T> = Result<T, Refusal>;

/// An expression in a tree.
#[derive(Clone, Copy)]
struct Syn<'t> {
    tree: &'t Tree,
    node: NodeId,
}

/// A construct that EXIT and CYCLE may name.
struct Enclosing {
    name: Option<String>,
    is_loop: bool,
    /// The label that EXIT leaves, made when first used.
    exit: Option<JumpLabel>,
    /// The label that CYCLE goes to, made when first used.
    cycle: Option<JumpLabel>,
    /// Whether the loop goes on by itself, so that one label serves both.
    goes_on: bool,
}

/// A dimension of a loop nest over an array expression.
#[derive(Clone, Copy)]
struct LoopDim {
    variable: VarId,
    /// The subscript at which the loop starts.
    lower: ExprId,
}

/// The element of array operands that is meant: one entry per dimension.
type Element = [LoopDim];

/// What is known while one procedure is lowered.
pub(crate) struct Lowerer<'p> {
    program: &'p Program,
    module: &'p Module,
    sources: &'p Sources,
    /// The scope in which names are looked up.
    scope: ScopeId,
    /// The scope of the procedure itself.
    home: ScopeId,
    /// The scope of the statement: the procedure, or the innermost BLOCK around.
    here: ScopeId,
    /// The scopes of the BLOCK constructs around.
    blocks: Vec<ScopeId>,
    /// What the names of the ASSOCIATE constructs around stand for.
    associations: Vec<associate::Names>,
    /// Names that mean something else, or nothing, outside of the constructs around.
    local_names: Vec<HashSet<String>>,
    /// Whether text was quoted that has such a name.
    is_unquotable: bool,
    /// The scope of the procedure that it is internal to.
    host: Option<ScopeId>,
    /// Variables of the host that it uses.
    captures: Vec<(String, VarId)>,
    /// The names that the text of the host has.
    host_words: Option<HashSet<String>>,
    parser: &'p mut Parser,
    procedure: Procedure,
    variables: HashMap<(ScopeId, String), VarId>,
    /// Variables that lowering made, with the name that they should have.
    generated: Vec<(VarId, String)>,
    /// Loop variables of array expressions that are free.
    free_counters: Vec<VarId>,
    out: Block,
    span: Span,
    statement: usize,
    diagnostics: Vec<Diagnostic>,
    next_label: u32,
    enclosing: Vec<Enclosing>,
    goto_targets: Vec<goto::Target>,
    jumps: jumps::Jumps,
    /// What receives `iostat=` where the source has none.
    io_status: Option<VarId>,
    /// Of a procedure with alternate returns: the argument that tells which one is taken; 0: none.
    alternate: Option<VarId>,
    /// What receives that number from the call that is being lowered.
    returned: Option<VarId>,
    /// The directive that stands before the next loop.
    pending_directive: Option<Box<contraflow_ir::Directive>>,
    /// Values of subexpressions that were computed ahead of a loop nest.
    hoisted: HashMap<(usize, NodeId), Hoisted>,
    /// Local CLASS allocatables that are taken apart by their types.
    objects: allocated_objects::Objects,
    /// Whether objects are taken apart.
    takes_objects: bool,
    /// Whether something needs an object as it was declared after all.
    needs_objects: bool,
    /// Local procedure pointers that are numbers.
    procedure_pointers: HashMap<String, procedure_pointers::ProcedurePointer>,
    /// What procedure pointers point to where a statement is lowered for each procedure.
    pointed: Vec<(String, ScopeId)>,
    /// The object in a component whose type the statement needs to know.
    wanted: Option<component_objects::Wanted>,
    /// What there was before the statement.
    mark: component_objects::Mark,
    /// How many objects in components have a known type here.
    told_apart: usize,
    /// Views of polymorphic variables: the variable, the type, whether it may be extended.
    views: HashMap<(VarId, contraflow_ir::RecordId, bool), VarId>,
    /// The calls that expressions of the current statement are.
    invocations: HashMap<(usize, NodeId), Option<invoke::Invocation>>,
    /// Arguments of statement functions that are being expanded.
    substitutions: Vec<HashMap<String, ExprId>>,
    /// DO variables of the loops around.
    counters: Vec<VarId>,
    depth: u32,
    /// Temporary arrays to release after the statement.
    to_free: Vec<VarId>,
    /// Temporaries that hold what functions give: subscripts need not count from 1.
    memories: HashSet<VarId>,
    /// Variables that were read or written; none of them is a procedure.
    used_as_data: HashSet<VarId>,
    /// Arrays whose bounds are not what their declaration says any more.
    moving: HashSet<VarId>,
    /// Whether a procedure assigns to a name.
    moves: HashMap<(ScopeId, String), bool>,
    /// Variables whose declaration is being lowered.
    in_progress: HashSet<VarId>,
    /// Whether an expression of a declaration is being lowered: it has no place for statements.
    in_declaration: bool,
    /// What is done at entry: tables get their values.
    entry: Block,
    /// The values that DATA statements give, by variable and position.
    data: Option<initial::Tables>,
}

/// A value computed ahead.
#[derive(Clone, Copy)]
enum Hoisted {
    Scalar(VarId),
    Array(VarId),
}

impl<'p> Lowerer<'p> {
    fn new(
        program: &'p Program,
        module: &'p Module,
        sources: &'p Sources,
        scope: ScopeId,
        parser: &'p mut Parser,
    ) -> Self {
        Self {
            program,
            module,
            sources,
            scope,
            home: scope,
            here: scope,
            blocks: Vec::new(),
            associations: Vec::new(),
            local_names: Vec::new(),
            is_unquotable: false,
            host: host::host_of(program, scope),
            captures: Vec::new(),
            host_words: None,
            parser,
            procedure: Procedure::new(program.scopes[scope].original.clone()),
            variables: HashMap::new(),
            generated: Vec::new(),
            free_counters: Vec::new(),
            out: Vec::new(),
            span: Span::NONE,
            statement: program.scopes[scope].statements.0,
            diagnostics: Vec::new(),
            next_label: 0,
            enclosing: Vec::new(),
            goto_targets: Vec::new(),
            jumps: jumps::Jumps::default(),
            io_status: None,
            alternate: None,
            returned: None,
            pending_directive: None,
            hoisted: HashMap::new(),
            objects: HashMap::new(),
            takes_objects: true,
            needs_objects: false,
            views: HashMap::new(),
            invocations: HashMap::new(),
            procedure_pointers: HashMap::new(),
            pointed: Vec::new(),
            wanted: None,
            mark: component_objects::Mark::default(),
            told_apart: 0,
            substitutions: Vec::new(),
            counters: Vec::new(),
            depth: 0,
            to_free: Vec::new(),
            memories: HashSet::new(),
            used_as_data: HashSet::new(),
            moving: HashSet::new(),
            moves: HashMap::new(),
            in_progress: HashSet::new(),
            in_declaration: false,
            entry: Vec::new(),
            data: None,
        }
    }

    fn build(&mut self) -> Builder<'_> {
        let span = self.span;
        let mut builder = Builder::new(&mut self.procedure);
        builder.span = span;
        builder
    }

    fn type_of(&self, e: ExprId) -> Type {
        self.procedure.exprs[e].ty
    }

    fn add(&mut self, expr: Expr, ty: Type) -> ExprId {
        self.build().expr(expr, ty)
    }

    fn int(&mut self, value: i128) -> ExprId {
        self.build().int(value)
    }

    fn emit(&mut self, stmt: Stmt) -> StmtId {
        let id = self.build().stmt(stmt);
        self.out.push(id);
        id
    }

    /// What `f` emits, as a block of its own.
    fn block<T>(&mut self, f: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<(Block, T)> {
        let outer = std::mem::take(&mut self.out);
        let result = f(self);
        let inner = std::mem::replace(&mut self.out, outer);
        Ok((inner, result?))
    }

    /// What `f` finds; what it emits is thrown away.
    fn tried<T>(&mut self, f: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        let kept = self.to_free.len();
        let result = self.block(f);
        self.to_free.truncate(kept);
        result.map(|(_, found)| found)
    }

    fn label(&mut self) -> JumpLabel {
        self.next_label += 1;
        JumpLabel(self.next_label)
    }

    /// A new local variable. It gets a name that is free once the procedure is done.
    fn generate(&mut self, base: &str, variable: Variable) -> VarId {
        let id = self.procedure.variables.add(variable);
        self.generated.push((id, base.to_owned()));
        id
    }

    fn temporary(&mut self, base: &str, ty: Type) -> VarId {
        let mut variable = Variable::scalar(base, ty);
        variable.span = self.span;
        self.generate(base, variable)
    }

    /// A loop variable that no enclosing array expression uses.
    fn counter(&mut self) -> VarId {
        match self.free_counters.pop() {
            Some(counter) => counter,
            None => self.temporary("i", Type::INT),
        }
    }

    fn load(&mut self, var: VarId) -> ExprId {
        self.build().load(var)
    }

    fn variable(&self, var: VarId) -> &Variable {
        &self.procedure.variables[var]
    }

    fn statement_at(&self, index: usize) -> &'p Arc<crate::view::Statement> {
        &self.program.file_of(self.scope).statements[index]
    }

    /// Parses parts of the current statement.
    fn parse(&mut self, slices: &[Slice]) -> Fallible<Arc<Tree>> {
        let statement = self.statement_at(self.statement);
        self.invocations.clear();
        match self.parser.parse(statement, slices) {
            Ok(tree) => Ok(Arc::new(tree)),
            Err(unparsed) => {
                self.diagnostics.push(
                    Diagnostic::warning("unparsed", "this statement is not understood")
                        .at(unparsed.span, "here")
                        .with_help(
                            "it is kept as it stands; active values may not pass through it",
                        ),
                );
                Err(Refusal {
                    reason: opaque::UNPARSED.to_owned(),
                })
            }
        }
    }

    /// The only expression of a parsed slice.
    fn only<'t>(&self, tree: &'t Tree, index: usize) -> Fallible<Syn<'t>> {
        match tree.roots(index) {
            [node] => Ok(Syn { tree, node: *node }),
            _ => refuse("it is not one expression"),
        }
    }

    /// Guards the recursion over expressions.
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        if self.depth > 30_000 {
            return refuse("it nests too deeply");
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// The directives of the file.
    pub(crate) fn directive_lines(&self) -> &'p [crate::view::DirectiveLine] {
        &self.program.file_of(self.home).directives
    }

    /// Keeps a directive for the loop that follows.
    pub(crate) fn expect_loop(&mut self, directive: contraflow_ir::Directive) {
        self.pending_directive = Some(Box::new(directive));
    }

    /// The variable that a clause names.
    pub(crate) fn variable_for_directive(&mut self, name: &str) -> Option<VarId> {
        let var = self.named(name).ok()?;
        (!self.variable(var).is_constant()).then_some(var)
    }

    /// Whether names are looked up in the procedure itself, not in another one for a while.
    fn at_home(&self) -> bool {
        self.is_own_scope(self.scope)
    }
}
