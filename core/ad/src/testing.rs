//! Small programs for tests, built by hand.

use contraflow_ir::{
    Access, Argument, BinaryOp, Builder, Callee, Dim, ExprId, Extent, Intrinsic, Module, Procedure,
    ProcedureId, ProcedureKind, Stmt, StmtId, Storage, Type, VarId, Variable,
};

/// A procedure under construction; statements go to the innermost open block.
pub struct Draft {
    pub procedure: Procedure,
    open: Vec<Vec<StmtId>>,
}

impl Draft {
    pub fn new(name: &str) -> Draft {
        Draft {
            procedure: Procedure::new(name),
            open: vec![Vec::new()],
        }
    }

    pub fn b(&mut self) -> Builder<'_> {
        Builder::new(&mut self.procedure)
    }

    /// A real scalar argument passed by reference.
    pub fn argument(&mut self, name: &str) -> VarId {
        self.argument_of(name, Type::REAL8, None)
    }

    /// A real array argument of a fixed number of elements.
    pub fn array_argument(&mut self, name: &str, count: i128) -> VarId {
        self.argument_of(name, Type::REAL8, Some(count))
    }

    pub fn argument_of(&mut self, name: &str, ty: Type, count: Option<i128>) -> VarId {
        let index = self.procedure.arguments.len() as u32;
        let var = self.variable(name, ty, count);
        self.procedure.variables[var].storage = Storage::Argument { index };
        self.procedure.arguments.push(var);
        var
    }

    /// A real scalar local.
    pub fn local(&mut self, name: &str) -> VarId {
        self.variable(name, Type::REAL8, None)
    }

    /// An integer scalar local.
    pub fn integer(&mut self, name: &str) -> VarId {
        self.variable(name, Type::INT, None)
    }

    pub fn variable(&mut self, name: &str, ty: Type, count: Option<i128>) -> VarId {
        let mut b = self.b();
        let mut variable = Variable::scalar(name, ty);
        if let Some(count) = count {
            let (lower, count) = (b.int(1), b.int(count));
            variable.shape.push(Dim {
                lower,
                extent: Extent::Count(count),
            });
        }
        b.variable(variable)
    }

    /// The function's value.
    pub fn result(&mut self, name: &str) -> VarId {
        let result = self.local(name);
        self.procedure.variables[result].storage = Storage::Result;
        self.procedure.kind = ProcedureKind::Function { result };
        result
    }

    pub fn load(&mut self, var: VarId) -> ExprId {
        self.b().load(var)
    }

    pub fn at(&mut self, var: VarId, index: ExprId) -> ExprId {
        self.b().load_element(var, vec![index])
    }

    pub fn real(&mut self, text: &str) -> ExprId {
        self.b().real(text, Type::REAL8)
    }

    pub fn int(&mut self, value: i128) -> ExprId {
        self.b().int(value)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.b().exact_binary(op, a, b)
    }

    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Multiply, a, b)
    }

    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Add, a, b)
    }

    pub fn function(&mut self, f: Intrinsic, x: ExprId) -> ExprId {
        self.b().call(f, vec![x])
    }

    pub fn push(&mut self, stmt: Stmt) -> StmtId {
        let id = self.b().stmt(stmt);
        self.open.last_mut().expect("an open block").push(id);
        id
    }

    pub fn assign(&mut self, target: VarId, value: ExprId) -> StmtId {
        self.store(Access::whole(target), value)
    }

    pub fn store(&mut self, target: Access, value: ExprId) -> StmtId {
        self.push(Stmt::Assign { target, value })
    }

    pub fn call(
        &mut self,
        callee: ProcedureId,
        arguments: Vec<Argument>,
        result: Option<VarId>,
    ) -> StmtId {
        self.push(Stmt::Call {
            callee: Callee::Procedure(callee),
            arguments,
            result: result.map(Access::whole),
        })
    }

    pub fn call_external(&mut self, name: &str, arguments: Vec<Argument>) -> StmtId {
        self.push(Stmt::Call {
            callee: Callee::External(name.to_owned()),
            arguments,
            result: None,
        })
    }

    pub fn loop_over(
        &mut self,
        variable: VarId,
        upper: i128,
        body: impl FnOnce(&mut Draft),
    ) -> StmtId {
        let inner = self.block(body);
        let (lower, upper, step) = (self.int(1), self.int(upper), self.int(1));
        self.push(Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body: inner,
            label: None,
            directive: None,
        })
    }

    pub fn if_else(
        &mut self,
        condition: ExprId,
        then: impl FnOnce(&mut Draft),
        otherwise: impl FnOnce(&mut Draft),
    ) -> StmtId {
        let (then, otherwise) = (self.block(then), self.block(otherwise));
        self.push(Stmt::If {
            condition,
            then,
            otherwise,
        })
    }

    fn block(&mut self, body: impl FnOnce(&mut Draft)) -> Vec<StmtId> {
        self.open.push(Vec::new());
        body(self);
        self.open.pop().expect("an open block")
    }

    pub fn finish(mut self, module: &mut Module) -> ProcedureId {
        self.procedure.body = self.open.pop().expect("the body");
        module.procedures.add(self.procedure)
    }
}

/// The place of a whole variable as an argument.
pub fn place(var: VarId) -> Argument {
    Argument::Place(Access::whole(var))
}
