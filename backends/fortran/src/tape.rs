//! Memory of the tape: arrays whose size is known at entry are allocated there, and growing ones
//! are doubled by internal procedures.

use contraflow_backend_common::{BREAK, Writer};
use contraflow_ir::{
    Access, Allocation, ExprId, Extent, ProcedureRole, Role, Storage, Type, VarId, Variable,
};

use crate::emitter::Emitter;

/// Arrays of generated code with at most this many elements stay on the stack.
const SMALL: i128 = 4096;

impl Emitter<'_> {
    /// Whether a local array is allocated at entry: those of generated code, but for small ones,
    /// and in derived procedures those that compilers would make static.
    pub fn is_allocated_at_entry(&self, variable: &Variable) -> bool {
        if !variable.is_array()
            || variable.storage != Storage::Local
            || variable.allocation != Allocation::Fixed
            || self.is_growing(variable)
        {
            return false;
        }
        let elements = self.elements(variable);
        match variable.role {
            Role::Disk => false,
            Role::Tape | Role::Temporary => elements.is_none_or(|count| count > SMALL),
            Role::Primal | Role::Shadow { .. } => {
                self.procedure.role != ProcedureRole::Primal
                    && elements.is_some_and(|count| count > SMALL)
                    && !self.is_overlaid(variable)
            }
        }
    }

    /// Whether it is a tape whose length nobody knows at entry.
    pub fn is_growing(&self, variable: &Variable) -> bool {
        variable.role == Role::Tape
            && matches!(variable.shape.as_slice(), [dim] if dim.extent == Extent::Deferred)
    }

    /// The number of elements, where it is a constant; 1 for a scalar.
    pub fn elements(&self, variable: &Variable) -> Option<i128> {
        variable.shape.iter().try_fold(1i128, |total, dim| {
            let Extent::Count(count) = dim.extent else {
                return None;
            };
            total.checked_mul(self.procedure.constant_integer(count)?.into())
        })
    }

    /// The statements at entry that make memory for the arrays used so far.
    pub fn entry_allocations(&mut self) {
        let procedure = self.procedure;
        for id in self.used.clone() {
            let variable = &procedure.variables[id];
            if self.is_allocated_at_entry(variable) {
                let dims: Vec<String> = variable
                    .shape
                    .iter()
                    .map(|dim| match dim.extent {
                        Extent::Count(count) => self.dimension(Some(dim.lower), count),
                        _ => String::from(":"),
                    })
                    .collect();
                let name = self.name(id);
                let allocate = self.k("allocate");
                let list = dims.join(&format!(",{BREAK}"));
                self.out.line(&format!("{allocate} ({name}({list}))"));
            }
        }
        let mut growing: Vec<(VarId, String)> = self
            .tops
            .iter()
            .map(|(id, top)| (*id, top.clone()))
            .collect();
        growing.sort();
        for (tape, top) in growing {
            let name = self.name(tape);
            let allocate = self.k("allocate");
            let variable = &procedure.variables[tape];
            let text = match variable.length.filter(|_| variable.ty == Type::Character) {
                Some(length) => {
                    let length = self.expr(length).text;
                    format!("{}(len={length}) :: ", self.k("character"))
                }
                None => String::new(),
            };
            self.out.line(&format!("{allocate} ({text}{name}(1024))"));
            self.out.line(&format!("{top} = 0"));
        }
    }

    fn top(&mut self, tape: VarId) -> String {
        if let Some(top) = self.tops.get(&tape) {
            return top.clone();
        }
        let wanted = format!("{}_top", self.names[tape.index()]);
        let top = self.temporary(&wanted, Type::INT);
        self.tops.insert(tape, top.clone());
        top
    }

    /// Appends to a growing tape.
    pub fn push(&mut self, tape: VarId, value: ExprId) {
        let variable = &self.procedure.variables[tape];
        let ty = variable.ty;
        let top = self.top(tape);
        let push = self.push_name(ty);
        self.imports.pushes.insert(push.clone(), ty);
        let value = self.value(value, ty);
        let tape = self.name(tape);
        let call = self.k("call");
        self.out.line(&format!(
            "{call} {push}({tape},{BREAK} {top},{BREAK} {value})"
        ));
    }

    /// Takes the last value off a growing tape.
    pub fn pop(&mut self, tape: VarId, target: &Access) {
        let top = self.top(tape);
        let tape = self.name(tape);
        let target = self.access(target);
        self.out.line(&format!("{target} = {tape}({top})"));
        self.out.line(&format!("{top} = {top} - 1"));
    }

    /// The internal procedures that grow tapes.
    pub fn growing_procedures(&mut self, out: &mut Writer) {
        let pushes = std::mem::take(&mut self.imports.pushes);
        if pushes.is_empty() {
            return;
        }
        out.dedent();
        out.line(&self.k("contains"));
        out.indent();
        for (name, ty) in pushes {
            out.blank();
            let growing = if ty == Type::Character {
                let word = self.k("character");
                Growing {
                    tape: format!("{word}(len=:)"),
                    value: format!("{word}(len=*)"),
                    typed: format!("{word}(len={}(tape)) :: ", self.k("len")),
                }
            } else {
                let ty = self.type_name(ty, contraflow_ir::Span::NONE);
                Growing {
                    tape: ty.clone(),
                    value: ty,
                    typed: String::new(),
                }
            };
            self.growing_procedure(out, &name, &growing);
        }
    }

    fn growing_procedure(&self, out: &mut Writer, name: &str, growing: &Growing) {
        let k = |word: &str| self.k(word);
        let integer = k("integer");
        let lines = [
            format!(
                "{}, {}, {}(inout) :: tape(:)",
                growing.tape,
                k("allocatable"),
                k("intent")
            ),
            format!("{integer}, {}(inout) :: top", k("intent")),
            format!("{}, {}(in) :: value", growing.value, k("intent")),
            format!("{}, {} :: longer(:)", growing.tape, k("allocatable")),
            format!("{} (top == {}(tape)) {}", k("if"), k("size"), k("then")),
            format!(
                "  {} ({}longer(2*{}(tape)))",
                k("allocate"),
                growing.typed,
                k("size")
            ),
            "  longer(:top) = tape".to_owned(),
            format!("  {} {}(longer, tape)", k("call"), k("move_alloc")),
            k("end if"),
            "top = top + 1".to_owned(),
            "tape(top) = value".to_owned(),
        ];
        out.line(&format!("{} {name}(tape, top, value)", k("subroutine")));
        out.indent();
        for line in lines {
            out.line(&line);
        }
        out.dedent();
        out.line(&format!("{} {name}", k("end subroutine")));
    }
}

/// The types in a procedure that grows a tape.
struct Growing {
    /// Of the tape.
    tape: String,
    /// Of what is appended.
    value: String,
    /// What stands before the tape where it is allocated.
    typed: String,
}

impl Emitter<'_> {
    fn push_name(&self, ty: Type) -> String {
        match ty {
            Type::Integer { bytes, .. } => format!("push_integer{bytes}"),
            Type::Real { bytes } => format!("push_real{bytes}"),
            Type::Complex { bytes } => format!("push_complex{bytes}"),
            Type::Logical { bytes } => format!("push_logical{bytes}"),
            Type::Character => "push_text".to_owned(),
            Type::Record(record) => format!("push_{}", self.module.records[record].name),
            _ => "push_value".to_owned(),
        }
    }
}
