//! Memory that the generated code makes: tapes and arrays too large for the stack are allocated at
//! entry and freed at the end; growing tapes double their room.

use contraflow_backend_common::BREAK;
use contraflow_ir::{
    Access, Allocation, Expr, ExprId, Extent, Role, Storage, Type, VarId, Variable,
};

use crate::emitter::Emitter;
use crate::expr::rank;
use crate::helpers::Helper;

/// Arrays with at most this many elements stay on the stack.
const SMALL: i128 = 4096;

impl Emitter<'_> {
    /// Whether a local array is allocated at entry.
    pub fn is_allocated_at_entry(&self, variable: &Variable) -> bool {
        variable.is_array()
            && variable.storage == Storage::Local
            && variable.allocation == Allocation::Fixed
            && !self.is_growing(variable)
            && self.elements(variable).is_none_or(|count| count > SMALL)
    }

    /// Whether it is a tape whose length nobody knows at entry.
    pub fn is_growing(&self, variable: &Variable) -> bool {
        variable.role == Role::Tape
            && matches!(variable.shape.as_slice(), [dim] if dim.extent == Extent::Deferred)
    }

    /// How many elements an array has, if all its extents are constants.
    pub fn elements(&self, variable: &Variable) -> Option<i128> {
        variable.shape.iter().try_fold(1i128, |total, dim| {
            let Extent::Count(count) = dim.extent else {
                return None;
            };
            match self.procedure.expr(count) {
                Expr::Integer(n) => total.checked_mul(*n),
                _ => None,
            }
        })
    }

    /// The call that makes memory for an array.
    pub fn tape_memory(&mut self, id: VarId) -> String {
        let rank = self.procedure.variables[id].rank();
        let counts: Vec<String> = (0..rank)
            .map(|dim| self.extent(id, dim).at_least(rank::UNARY))
            .collect();
        let variable = &self.procedure.variables[id];
        let helper = self.helper(if self.is_counted(variable) {
            Helper::CountedMemory
        } else if self.starts_null(variable) {
            Helper::ZeroedMemory
        } else {
            Helper::TapeMemory
        });
        let stars = self.stars(variable);
        let mut ty = self.type_of(variable);
        if !stars.is_empty() {
            ty = format!("{ty} {stars}");
        }
        let count = counts.join("*");
        let count = if rank > 1 {
            format!("(long long){count}")
        } else {
            self.extent(id, 0).text
        };
        format!("{helper}({count}, {BREAK}sizeof({ty}))")
    }

    /// The position and the room of a growing tape.
    pub fn growing(&mut self, tape: VarId) -> (String, String) {
        if let Some(names) = self.growing.get(&tape) {
            return names.clone();
        }
        self.needs.headers.insert("stddef.h");
        let name = self.names[tape.index()].clone();
        let top = self.namer.name(&format!("{name}_top"));
        let room = self.namer.name(&format!("{name}_room"));
        self.growing.insert(tape, (top.clone(), room.clone()));
        (top, room)
    }

    /// Appends to a growing tape.
    pub fn push(&mut self, tape: VarId, value: ExprId) {
        let ty: Type = self.procedure.variables[tape].ty;
        let value = self.value(value, ty);
        let (top, room) = self.growing(tape);
        let helper = self.helper(Helper::GrownTape);
        let tape = self.name(tape);
        let size = self.helper(Helper::TapeRoom);
        self.out.line(&format!("if ({top} == {room}) {{"));
        self.out.indent();
        self.out.line(&format!(
            "{tape} = {BREAK}{helper}({tape}, {BREAK}sizeof *{tape});"
        ));
        self.out.line(&format!(
            "{room} = {BREAK}{size}({tape}, {BREAK}sizeof *{tape});"
        ));
        self.out.line(&format!("{top} = 0;"));
        self.out.dedent();
        self.out.line("}");
        self.out.line(&format!("{tape}[{top}++] = {BREAK}{value};"));
    }

    /// Takes the last value off a growing tape.
    pub fn pop(&mut self, tape: VarId, target: &Access) {
        let (top, room) = self.growing(tape);
        let helper = self.helper(Helper::ShrunkTape);
        let tape = self.name(tape);
        let target = self.place(target).text;
        let size = self.helper(Helper::TapeRoom);
        self.out.line(&format!("if ({top} == 0) {{"));
        self.out.indent();
        self.out.line(&format!("{tape} = {BREAK}{helper}({tape});"));
        self.out.line(&format!(
            "{room} = {BREAK}{size}({tape}, {BREAK}sizeof *{tape});"
        ));
        self.out.line(&format!("{top} = {room};"));
        self.out.dedent();
        self.out.line("}");
        self.out.line(&format!("{target} = {tape}[--{top}];"));
    }

    /// The statements at the end that release what was allocated at entry.
    pub fn releases(&mut self) -> Vec<String> {
        let procedure = self.procedure;
        let mut names = Vec::new();
        for id in self.used.clone() {
            let variable = &procedure.variables[id];
            let name = self.names[id.index()].clone();
            if self.growing.contains_key(&id) {
                let helper = self.helper(Helper::ReleasedTape);
                names.push(format!("{helper}({name});"));
            } else if self.is_allocated_at_entry(variable) && self.is_counted(variable) {
                let helper = self.helper(Helper::ReleasedMemory);
                names.push(format!("{helper}({name});"));
            } else if self.is_allocated_at_entry(variable) || self.is_growing(variable) {
                self.needs.headers.insert("stdlib.h");
                names.push(format!("free({name});"));
            }
        }
        for file in self.sorted_files() {
            names.extend(self.closed_file(&file));
        }
        names
    }
}
