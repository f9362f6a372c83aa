//! Random programs for tests: what a transformation must preserve, tried on programs that nobody
//! thought of.
//!
//! A program is a function of a sequence of bytes, the choices; where they end, the simplest
//! alternative is taken. So a property test draws bytes, and shrinking them shrinks the program.
//!
//! Every generated program runs to its end on the arguments that [`Program::arguments`] gives: all
//! subscripts lie within their arrays, loops end, nothing is read before it has a value. Stored
//! reals stay small (bounded functions and contractions), and functions are smooth where they are
//! evaluated, unless [`Options::kinks`] asks for `abs`, `min`, `max`. The entry takes
//!
//! ```text
//! entry(n, x, y, z, a[n], b[n], c[n, n], p[n])
//! ```
//!
//! with `n` an integer, `x y z` real scalars, `a b c` real arrays and `p` integers from 1 to `n`, by
//! which other arrays are subscripted. All reals may be read and written. Procedures that are called
//! take the same, or are functions of two scalars.

use crate::build::Builder;
use crate::expr::{Access, ExprId};
use crate::interp::Value;
use crate::module::{Module, Procedure, ProcedureId, ProcedureKind};
use crate::stmt::{Block, JumpLabel};
use crate::types::{Dim, Extent, Intent, Passing, Storage, Type, VarId, Variable};

mod choices;
mod expressions;
mod statements;

use choices::Choices;

/// What programs may contain.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `exit`, `cycle` and `return`.
    pub jumps: bool,
    /// Calls of other procedures.
    pub calls: bool,
    /// Loops without trip count.
    pub whiles: bool,
    /// Subscripts that are read from memory.
    pub indirect: bool,
    /// Functions and choices that are continuous but not smooth.
    pub kinks: bool,
    /// The running integer moves on by sums, and leaves the range of subscripts.
    pub counters: bool,
    /// About how many statements a procedure has.
    pub statements: usize,
}

impl Default for Options {
    /// Structured programs with everything else.
    fn default() -> Self {
        Self {
            jumps: false,
            calls: true,
            whiles: true,
            indirect: true,
            kinks: true,
            counters: false,
            statements: 12,
        }
    }
}

/// A generated program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// All procedures.
    pub module: Module,
    /// The one to run.
    pub entry: ProcedureId,
}

impl Program {
    /// Arguments for the entry with arrays of `n` elements per dimension (4 or more), drawn from a
    /// seed.
    pub fn arguments(&self, n: usize, seed: u64) -> Vec<Value> {
        let mut choices = choices::Sequence::new(seed);
        let mut reals = |count: usize| -> Vec<f64> {
            (0..count)
                .map(|_| choices.next() as f64 / u64::MAX as f64 * 2.0 - 1.0)
                .collect()
        };
        let scalars: Vec<Value> = reals(3).into_iter().map(Value::Real).collect();
        let (a, b, c) = (reals(n), reals(n), reals(n * n));
        let mut arguments = vec![Value::Int(n as i64)];
        arguments.extend(scalars);
        arguments.extend([Value::reals(a), Value::reals(b)]);
        arguments.push(Value::RealArray {
            shape: vec![n, n],
            data: c,
        });
        arguments.push(Value::IntArray {
            shape: vec![n],
            data: (0..n)
                .map(|_| (choices.next() % n as u64) as i64 + 1)
                .collect(),
        });
        arguments
    }
}

/// Bytes drawn from a seed, for [`program`].
pub fn choices_of(seed: u64, count: usize) -> Vec<u8> {
    let mut sequence = choices::Sequence::new(seed);
    (0..count).map(|_| (sequence.next() >> 56) as u8).collect()
}

/// The program that the choices describe.
pub fn program(choices: &[u8], options: Options) -> Program {
    let mut choices = Choices::new(choices);
    let mut module = Module::default();
    let mut callable = Vec::new();
    let helpers = if options.calls { choices.below(3) } else { 0 };
    for number in 0..helpers {
        let is_function = choices.below(2) == 1;
        let name = format!("helper{number}");
        let procedure = if is_function {
            function(name, &mut choices, options)
        } else {
            subroutine(name, &mut choices, options, &callable)
        };
        let id = module.procedures.add(procedure);
        callable.push(Callable { id, is_function });
    }
    let entry = subroutine("entry".into(), &mut choices, options, &callable);
    let entry = module.procedures.add(entry);
    Program { module, entry }
}

/// A procedure that later ones may call.
#[derive(Clone, Copy)]
struct Callable {
    id: ProcedureId,
    is_function: bool,
}

/// A loop around the place where a statement is made.
#[derive(Clone, Copy)]
struct Around {
    label: JumpLabel,
    /// The variable of a counted loop and the range of its values: from a number to `n - below`.
    counted: Option<(VarId, i64, i64)>,
}

/// Makes one procedure.
struct Generator<'g> {
    builder: Builder<'g>,
    choices: &'g mut Choices,
    options: Options,
    callable: &'g [Callable],
    size: Option<VarId>,
    scalars: Vec<VarId>,
    vectors: Vec<VarId>,
    matrices: Vec<VarId>,
    indices: Option<VarId>,
    /// An integer from 1 to `n` that statements move on.
    running: Option<VarId>,
    around: Vec<Around>,
    labels: u32,
    budget: usize,
}

fn subroutine(
    name: String,
    choices: &mut Choices,
    options: Options,
    callable: &[Callable],
) -> Procedure {
    let mut procedure = Procedure::new(name);
    let size = argument(&mut procedure, "n", Type::INT, Intent::In);
    let scalars: Vec<VarId> = ["x", "y", "z"]
        .into_iter()
        .map(|name| argument(&mut procedure, name, Type::REAL8, Intent::InOut))
        .collect();
    let vectors: Vec<VarId> = ["a", "b"]
        .into_iter()
        .map(|name| array_argument(&mut procedure, name, Type::REAL8, 1, size))
        .collect();
    let matrix = array_argument(&mut procedure, "c", Type::REAL8, 2, size);
    let indices = array_argument(&mut procedure, "p", Type::INT, 1, size);
    procedure.variables[indices].intent = Intent::In;
    let mut generator = Generator {
        builder: Builder::new(&mut procedure),
        choices,
        options,
        callable,
        size: Some(size),
        scalars,
        vectors,
        matrices: vec![matrix],
        indices: Some(indices),
        running: None,
        around: Vec::new(),
        labels: 0,
        budget: options.statements,
    };
    let body = generator.body();
    procedure.body = body;
    procedure
}

/// `f(x, y)` of two scalars passed by value.
fn function(name: String, choices: &mut Choices, options: Options) -> Procedure {
    let mut procedure = Procedure::new(name);
    let mut scalars: Vec<VarId> = ["x", "y"]
        .into_iter()
        .map(|name| argument(&mut procedure, name, Type::REAL8, Intent::In))
        .collect();
    for &scalar in &scalars {
        procedure.variables[scalar].passing = Passing::Value;
    }
    let mut value = Variable::scalar("value", Type::REAL8);
    value.storage = Storage::Result;
    let result = procedure.variables.add(value);
    procedure.kind = ProcedureKind::Function { result };
    scalars.insert(0, result);
    let mut generator = Generator {
        builder: Builder::new(&mut procedure),
        choices,
        options: Options {
            calls: false,
            ..options
        },
        callable: &[],
        size: None,
        scalars,
        vectors: Vec::new(),
        matrices: Vec::new(),
        indices: None,
        running: None,
        around: Vec::new(),
        labels: 0,
        budget: options.statements / 3 + 1,
    };
    let body = generator.body();
    procedure.body = body;
    procedure
}

fn argument(procedure: &mut Procedure, name: &str, ty: Type, intent: Intent) -> VarId {
    let mut variable = Variable::scalar(name, ty);
    variable.storage = Storage::Argument {
        index: procedure.arguments.len() as u32,
    };
    variable.intent = intent;
    let var = procedure.variables.add(variable);
    procedure.arguments.push(var);
    var
}

fn array_argument(
    procedure: &mut Procedure,
    name: &str,
    ty: Type,
    rank: usize,
    size: VarId,
) -> VarId {
    let var = argument(procedure, name, ty, Intent::InOut);
    let mut builder = Builder::new(procedure);
    let shape = (0..rank).map(|_| dimension(&mut builder, size)).collect();
    procedure.variables[var].shape = shape;
    var
}

/// `n` elements from 1.
fn dimension(builder: &mut Builder<'_>, size: VarId) -> Dim {
    let extent = builder.load(size);
    let lower = builder.int(1);
    Dim {
        lower,
        extent: Extent::Count(extent),
    }
}

impl Generator<'_> {
    /// The whole body: locals with their first values, then statements.
    fn body(&mut self) -> Block {
        let mut body = self.locals();
        let count = 1 + self.choices.below(5);
        for _ in 0..count {
            self.statement(0, &mut body);
        }
        body
    }

    fn locals(&mut self) -> Block {
        let mut body = Block::new();
        if let Some(result) = self.builder.procedure.result() {
            let zero = self.builder.real("0.125", Type::REAL8);
            body.push(self.builder.assign(Access::whole(result), zero));
        }
        for number in 0..self.choices.below(3) {
            let name = format!("s{number}");
            let local = self.builder.variable(Variable::scalar(name, Type::REAL8));
            let value = self.bounded(1);
            body.push(self.builder.assign(Access::whole(local), value));
            self.scalars.push(local);
        }
        if let Some(size) = self.size
            && self.choices.below(2) == 1
        {
            body.push(self.local_vector(size));
        }
        if self.size.is_some() && self.choices.below(2) == 1 {
            let running = self.builder.variable(Variable::scalar("r", Type::INT));
            let one = self.builder.int(1);
            body.push(self.builder.assign(Access::whole(running), one));
            self.running = Some(running);
        }
        body
    }

    /// `t(1:n)`, given values by a loop.
    fn local_vector(&mut self, size: VarId) -> crate::stmt::StmtId {
        let mut vector = Variable::scalar("t", Type::REAL8);
        vector.shape = vec![dimension(&mut self.builder, size)];
        let vector = self.builder.variable(vector);
        let counter = self.builder.variable(Variable::scalar("it", Type::INT));
        let subscript = self.builder.load(counter);
        let value = self.bounded(1);
        let target = Access::element(vector, vec![subscript]);
        let assign = self.builder.assign(target, value);
        let (one, upper) = (self.builder.int(1), self.builder.load(size));
        let step = self.builder.int(1);
        self.vectors.push(vector);
        self.builder
            .counted_loop(counter, one, upper, step, vec![assign])
    }

    /// A literal that is a binary fraction.
    fn literal(&mut self) -> ExprId {
        const VALUES: [&str; 6] = ["0.5", "0.25", "0.75", "1.5", "0.125", "1.0"];
        let text = VALUES[self.choices.below(VALUES.len())];
        self.builder.real(text, Type::REAL8)
    }
}
