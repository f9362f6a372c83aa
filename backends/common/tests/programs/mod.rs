//! Small procedures built by hand, for the back ends' tests.

use contraflow_ir::{
    Access, Argument, Block, Builder, Callee, Dim, ExprId, Extent, Intent, Module, Passing,
    Procedure, ProcedureId, Role, Stmt, StmtId, Storage, Type, VarId, Variable,
};

/// A procedure under construction.
pub struct Draft {
    pub procedure: Procedure,
}

impl Draft {
    pub fn new(name: &str) -> Self {
        Self {
            procedure: Procedure::new(name),
        }
    }

    pub fn build(&mut self) -> Builder<'_> {
        Builder::new(&mut self.procedure)
    }

    pub fn argument(&mut self, name: &str, ty: Type, intent: Intent) -> VarId {
        let index = self.procedure.arguments.len() as u32;
        let variable = Variable {
            storage: Storage::Argument { index },
            passing: Passing::Reference,
            intent,
            ..Variable::scalar(name, ty)
        };
        let id = self.procedure.variables.add(variable);
        self.procedure.arguments.push(id);
        id
    }

    pub fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.procedure.variables.add(Variable::scalar(name, ty))
    }

    /// Gives a variable dimensions from 1.
    pub fn shape(&mut self, id: VarId, extents: &[ExprId]) {
        let one = self.build().int(1);
        self.procedure.variables[id].shape = extents
            .iter()
            .map(|&extent| Dim {
                lower: one,
                extent: Extent::Count(extent),
            })
            .collect();
    }

    pub fn role(&mut self, id: VarId, role: Role) {
        self.procedure.variables[id].role = role;
    }

    pub fn load(&mut self, id: VarId) -> ExprId {
        self.build().load(id)
    }

    /// `do i = 1, n` (or downwards) around a body.
    pub fn upwards(&mut self, i: VarId, n: VarId, body: Block) -> StmtId {
        let mut b = self.build();
        let (one, last) = (b.int(1), b.load(n));
        b.counted_loop(i, one, last, one, body)
    }

    pub fn downwards(&mut self, i: VarId, n: VarId, body: Block) -> StmtId {
        let mut b = self.build();
        let (one, last, step) = (b.int(1), b.load(n), b.int(-1));
        b.counted_loop(i, last, one, step, body)
    }
}

/// `reversed(n, x)`: squares `x` while a growing tape takes the old values and a counted tape
/// twice them; then sets `x` to the sum of both tapes, taken backwards. So `x` triples.
pub fn taped() -> (Module, ProcedureId) {
    let mut d = Draft::new("reversed");
    let n = d.argument("n", Type::INT, Intent::In);
    let x = d.argument("x", Type::REAL8, Intent::InOut);
    let extent = d.load(n);
    d.shape(x, &[extent]);
    let i = d.local("i", Type::INT);
    let popped = d.local("popped", Type::REAL8);
    let growing = d.local("stack", Type::REAL8);
    d.role(growing, Role::Tape);
    let one = d.build().int(1);
    d.procedure.variables[growing].shape = vec![Dim {
        lower: one,
        extent: Extent::Deferred,
    }];
    let counted = d.local("kept", Type::REAL8);
    d.role(counted, Role::Tape);
    let two = d.build().int(2);
    d.shape(counted, &[two, extent]);

    let at = d.load(i);
    let mut b = d.build();
    let old = b.load_element(x, vec![at]);
    let push = b.stmt(Stmt::Push {
        tape: growing,
        value: old,
    });
    let twice = b.add(old, old);
    let keep = b.assign(Access::element(counted, vec![two, at]), twice);
    let square = b.mul(old, old);
    let change = b.assign(Access::element(x, vec![at]), square);
    let pop = b.stmt(Stmt::Pop {
        tape: growing,
        target: Access::whole(popped),
    });
    let kept = b.load_element(counted, vec![two, at]);
    let value = b.load(popped);
    let sum = b.add(value, kept);
    let restore = b.assign(Access::element(x, vec![at]), sum);
    let forward = d.upwards(i, n, vec![push, keep, change]);
    let backward = d.downwards(i, n, vec![pop, restore]);
    d.procedure.body = vec![forward, backward];
    finish(d)
}

/// `guarded(n, i, x, y)`: `y = x(i)` if `i` lies inside, else -1; and whether `x(i) > 2` there is
/// asked without looking outside.
pub fn guarded() -> (Module, ProcedureId) {
    let mut d = Draft::new("guarded");
    let n = d.argument("n", Type::INT, Intent::In);
    let i = d.argument("i", Type::INT, Intent::In);
    let x = d.argument("x", Type::REAL8, Intent::In);
    let y = d.argument("y", Type::REAL8, Intent::Out);
    let extent = d.load(n);
    d.shape(x, &[extent]);
    let (at, last) = (d.load(i), d.load(n));
    let mut b = d.build();
    let inside = b.compare(contraflow_ir::BinaryOp::LessEqual, at, last);
    let element = b.load_element(x, vec![at]);
    let minus_one = b.real("-1.0", Type::REAL8);
    let chosen = b.select(inside, element, minus_one);
    let set = b.assign(Access::whole(y), chosen);
    let two = b.real("2.0", Type::REAL8);
    let large = b.compare(contraflow_ir::BinaryOp::Greater, element, two);
    let both = b.exact_binary(contraflow_ir::BinaryOp::AndThen, inside, large);
    let old = b.load(y);
    let ten = b.real("10.0", Type::REAL8);
    let more = b.add(old, ten);
    let raise = b.assign(Access::whole(y), more);
    let test = b.if_else(both, vec![raise], Vec::new());
    d.procedure.body = vec![set, test];
    finish(d)
}

/// `outer(n, x)`: fills `x` with 1.5, then calls `inner(x(2))`, which doubles one number.
pub fn calling() -> (Module, Vec<ProcedureId>) {
    let mut module = Module::default();
    let mut d = Draft::new("inner");
    let v = d.argument("v", Type::REAL8, Intent::InOut);
    let mut b = d.build();
    let old = b.load(v);
    let twice = b.add(old, old);
    let set = b.assign(Access::whole(v), twice);
    d.procedure.body = vec![set];
    let inner = module.procedures.add(d.procedure);

    let mut d = Draft::new("outer");
    let n = d.argument("n", Type::INT, Intent::In);
    let x = d.argument("x", Type::REAL8, Intent::Out);
    let extent = d.load(n);
    d.shape(x, &[extent]);
    let mut b = d.build();
    let value = b.real("1.5", Type::REAL8);
    let fill = b.stmt(Stmt::Fill {
        target: Access::whole(x),
        value,
    });
    let two = b.int(2);
    let call = b.stmt(Stmt::Call {
        callee: Callee::Procedure(inner),
        arguments: vec![Argument::Place(Access::element(x, vec![two]))],
        result: None,
    });
    d.procedure.body = vec![fill, call];
    let outer = module.procedures.add(d.procedure);
    (module, vec![inner, outer])
}

fn finish(draft: Draft) -> (Module, ProcedureId) {
    let mut module = Module::default();
    let id = module.procedures.add(draft.procedure);
    (module, id)
}
