//! Memory of the tape: arrays whose size is known at entry are allocated there, and growing ones
//! are doubled by internal procedures.

use contraflow_backend_common::{BREAK, Writer};
use contraflow_ir::{
    Access, Allocation, ExprId, Extent, ProcedureRole, Role, Storage, Type, VarId, Variable,
};

use crate::emitter::Emitter;
use crate::kept::Change;

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
        for (tape, grown) in self.sorted_growing() {
            let name = self.name(tape);
            let allocate = self.k("allocate");
            let variable = &procedure.variables[tape];
            // Where memory is limited, not a byte before it is counted.
            let is_limited = self.is_limited();
            match variable.length.filter(|_| variable.ty == Type::Character) {
                Some(length) => {
                    let length = self.expr(length).text;
                    let text = format!("{}(len={length}) :: ", self.k("character"));
                    let first = if is_limited { 1 } else { 1024 };
                    self.out
                        .line(&format!("{allocate} ({text}{name}({first}))"));
                }
                None => {
                    let first = match is_limited {
                        true => "0".to_owned(),
                        false => self.chunk_elements(&name, FIRST_BITS),
                    };
                    self.out.line(&format!("{allocate} ({name}({first}))"));
                }
            }
            if let Some(full) = &grown.full {
                self.out.line(&format!("{allocate} ({full}(0))"));
            }
            let room = format!("{} = {}({name})", grown.room, self.k("size"));
            self.out.line(&room);
            self.out.line(&format!("{} = 0", grown.top));
        }
    }

    /// The growing tapes that are used, in order.
    pub fn sorted_growing(&self) -> Vec<(VarId, Grown)> {
        let mut growing: Vec<(VarId, Grown)> = self
            .grown
            .iter()
            .map(|(id, grown)| (*id, grown.clone()))
            .collect();
        growing.sort_by_key(|(id, _)| *id);
        growing
    }

    fn chunk_elements(&self, tape: &str, bits: u32) -> String {
        format!(
            "{}(1, {bits}/{}({tape}))",
            self.k("max"),
            self.k("storage_size")
        )
    }

    fn grown(&mut self, tape: VarId) -> Grown {
        if let Some(grown) = self.grown.get(&tape) {
            return grown.clone();
        }
        let name = self.names[tape.index()].clone();
        let ty = self.procedure.variables[tape].ty;
        let full = (ty != Type::Character).then(|| self.namer.name(&format!("{name}_full")));
        let grown = Grown {
            top: self.temporary(&format!("{name}_top"), Type::INT),
            room: self.temporary(&format!("{name}_room"), Type::INT),
            full,
        };
        self.grown.insert(tape, grown.clone());
        self.imports.pushes.insert(self.chunk_word(ty), ty);
        self.announce_limit();
        grown
    }

    /// Appends to a growing tape.
    pub fn push(&mut self, tape: VarId, value: ExprId) {
        let ty = self.procedure.variables[tape].ty;
        let grown = self.grown(tape);
        let value = self.value(value, ty);
        let name = self.name(tape);
        let grow = format!("grow_{}", self.chunk_word(ty));
        let Grown { top, room, full } = grown;
        let full = full.map_or_else(String::new, |full| format!(",{BREAK} {full}"));
        let (when, call) = (self.k("if"), self.k("call"));
        self.out.line(&format!(
            "{when} ({top} == {room}) {BREAK}{call} {grow}({name},{BREAK} {top},{BREAK} {room}{full})"
        ));
        self.out.line(&format!("{top} = {top} + 1"));
        self.out.line(&format!("{name}({top}) = {BREAK}{value}"));
    }

    /// Takes the last value off a growing tape.
    pub fn pop(&mut self, tape: VarId, target: &Access) {
        let ty = self.procedure.variables[tape].ty;
        let Grown { top, room, full } = self.grown(tape);
        let name = self.name(tape);
        let target = self.access(target);
        if let Some(full) = full {
            let shrink = format!("shrink_{}", self.chunk_word(ty));
            let (when, call) = (self.k("if"), self.k("call"));
            self.out.line(&format!(
                "{when} ({top} == 0) {BREAK}{call} {shrink}({name},{BREAK} {top},{BREAK} {room},{BREAK} {full})"
            ));
        }
        self.out.line(&format!("{target} = {name}({top})"));
        self.out.line(&format!("{top} = {top} - 1"));
    }

    /// The types of full chunks of growing tapes.
    pub fn chunk_types(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, ty) in self.imports.pushes.clone() {
            if ty == Type::Character {
                continue;
            }
            let (word, allocatable) = (self.k("type"), self.k("allocatable"));
            let element = self.type_name(ty, contraflow_ir::Span::NONE);
            lines.push(format!("{word} :: chunk_{name}"));
            lines.push(format!("  {element}, {allocatable} :: values(:)"));
            lines.push(format!("{} {word} chunk_{name}", self.k("end")));
        }
        lines
    }

    /// The declarations of the full chunks of growing tapes, and of counts.
    pub fn chunks_and_counts(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for (tape, grown) in self.sorted_growing() {
            if let Some(full) = grown.full {
                let element = self.chunk_word(self.procedure.variables[tape].ty);
                let (word, allocatable) = (self.k("type"), self.k("allocatable"));
                lines.push(format!(
                    "{word}(chunk_{element}), {allocatable} :: {full}(:)"
                ));
            }
        }
        lines.extend(self.disk_count_declarations());
        lines
    }

    /// The internal procedures that grow tapes, and make them short again.
    pub fn growing_procedures(&mut self, out: &mut Writer) {
        let pushes = std::mem::take(&mut self.imports.pushes);
        if pushes.is_empty() {
            return;
        }
        out.dedent();
        out.line(&self.k("contains"));
        out.indent();
        for (name, ty) in pushes {
            if ty == Type::Character {
                let lines = self.longer_texts();
                self.internal(out, "grow_text", "tape, top, room", lines);
                continue;
            }
            let element = self.type_name(ty, contraflow_ir::Span::NONE);
            for (word, change) in [("grow", Change::Make), ("shrink", Change::Release)] {
                let mut lines = self.chunk_declarations(&name, &element);
                lines.extend(self.chunk_change(change));
                self.internal(
                    out,
                    &format!("{word}_{name}"),
                    "tape, top, room, full",
                    lines,
                );
            }
        }
    }

    fn internal(&self, out: &mut Writer, name: &str, arguments: &str, lines: Vec<String>) {
        out.blank();
        out.line(&format!("{} {name}({arguments})", self.k("subroutine")));
        out.indent();
        for line in lines {
            out.line(&line);
        }
        out.dedent();
        out.line(&format!("{} {name}", self.k("end subroutine")));
    }

    fn chunk_declarations(&self, name: &str, element: &str) -> Vec<String> {
        let k = |word: &str| self.k(word);
        let shared = format!("{}, {}(inout)", k("allocatable"), k("intent"));
        let chunk = format!("{}(chunk_{name})", k("type"));
        let integer = k("integer");
        vec![
            format!("{element}, {shared} :: tape(:)"),
            format!("{integer}, {}(inout) :: top, room", k("intent")),
            format!("{chunk}, {shared} :: full(:)"),
            format!("{chunk}, {} :: chunks(:)", k("allocatable")),
            format!("{integer} :: chunk"),
        ]
    }

    /// A full tape goes to the full chunks and starts again with more room; one that is used up is
    /// replaced by the last of them.
    fn chunk_change(&mut self, change: Change) -> Vec<String> {
        let [call, take, allocate, deallocate, size] =
            ["call", "move_alloc", "allocate", "deallocate", "size"].map(|word| self.k(word));
        let (start, end) = (self.k("do"), self.k("end do"));
        let count = self.counts().then(|| self.count_line("tape", true, change));
        let moves = |last: &str| {
            [
                format!("{start} chunk = 1, {last}"),
                format!("  {call} {take}(full(chunk)%values, chunks(chunk)%values)"),
                end.clone(),
            ]
        };
        let mut lines = Vec::new();
        match change {
            Change::Make => {
                lines.push(format!("{allocate} (chunks({size}(full) + 1))"));
                lines.extend(moves(&format!("{size}(full)")));
                lines.extend([
                    format!("{call} {take}(tape, chunks({size}(chunks))%values)"),
                    format!("{call} {take}(chunks, full)"),
                ]);
                let most = self.chunk_elements("tape", MOST_BITS);
                let (min, max) = (self.k("min"), self.k("max"));
                match self.is_limited() {
                    true => {
                        let first = self.chunk_elements("tape", FIRST_BITS);
                        let wanted = format!("{min}({max}(2*room, {first}), {BREAK}{most})");
                        let allowed = self.allowed_elements("tape", &wanted);
                        lines.push(format!("room = {allowed}"));
                        lines.push(self.count_ahead("tape", "room"));
                        lines.push(format!("{allocate} (tape(room))"));
                    }
                    false => {
                        lines.push(format!("room = {min}(2*room, {most})"));
                        lines.push(format!("{allocate} (tape(room))"));
                        lines.extend(count);
                    }
                }
                lines.push("top = 0".to_owned());
            }
            Change::Release => {
                lines.extend(count);
                lines.push(format!("{deallocate} (tape)"));
                lines.push(format!("{call} {take}(full({size}(full))%values, tape)"));
                lines.push(format!("{allocate} (chunks({size}(full) - 1))"));
                lines.extend(moves(&format!("{size}(chunks)")));
                lines.extend([
                    format!("{call} {take}(chunks, full)"),
                    format!("room = {size}(tape)"),
                    "top = room".to_owned(),
                ]);
            }
        }
        lines
    }

    /// Texts move to a tape of twice the length.
    fn longer_texts(&mut self) -> Vec<String> {
        let k = |word: &str| self.k(word);
        let text = k("character");
        let shared = format!("{}, {}(inout)", k("allocatable"), k("intent"));
        let mut lines = vec![
            format!("{text}(len=:), {shared} :: tape(:)"),
            format!("{}, {}(inout) :: top, room", k("integer"), k("intent")),
            format!("{text}(len=:), {} :: longer(:)", k("allocatable")),
        ];
        let make = [
            format!(
                "{} ({text}(len={}(tape)) :: longer(2*room))",
                k("allocate"),
                k("len")
            ),
            "longer(:top) = tape".to_owned(),
        ];
        let change = format!("{} {}(longer, tape)", k("call"), k("move_alloc"));
        let counts = self.counts();
        lines.extend(counts.then(|| self.count_ahead("tape", "2*room")));
        lines.extend(make);
        lines.extend(counts.then(|| self.count_line("tape", true, Change::Release)));
        lines.push(change);
        lines.push("room = 2*room".to_owned());
        lines
    }
}

/// The variables of a growing tape. The tape itself is its last chunk: it is appended to, and taken
/// from, in place; full chunks wait until the backward sweep has come back to them.
#[derive(Clone, Debug)]
pub(crate) struct Grown {
    /// How many elements of the last chunk are used.
    pub top: String,
    /// How many it has.
    pub room: String,
    /// The chunks before it; texts have none.
    pub full: Option<String>,
}

/// The size of the first chunk of a tape; each is twice as large as the one before ...
const FIRST_BITS: u32 = 1 << 16;

/// ... up to this one.
const MOST_BITS: u32 = 1 << 26;

impl Emitter<'_> {
    fn chunk_word(&self, ty: Type) -> String {
        match ty {
            Type::Integer { bytes, .. } => format!("integer{bytes}"),
            Type::Real { bytes } => format!("real{bytes}"),
            Type::Complex { bytes } => format!("complex{bytes}"),
            Type::Logical { bytes } => format!("logical{bytes}"),
            Type::Character => "text".to_owned(),
            Type::Record(record) => self.module.records[record].name.clone(),
            _ => "value".to_owned(),
        }
    }
}
