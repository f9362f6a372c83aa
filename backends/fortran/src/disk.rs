//! Tapes on disk: a scratch file for each, which the operating system removes with the program,
//! however that ends, and which no other run can find.

use contraflow_backend_common::BREAK;
use contraflow_ir::{Access, Expr, ExprId, Role, Selector, Type, VarId};

use crate::emitter::Emitter;

impl Emitter<'_> {
    /// Whether a variable is a tape on disk.
    pub fn is_on_disk(&self, id: VarId) -> bool {
        self.procedure.variables[id].role == Role::Disk
    }

    /// Copies a whole value to a tape on disk, or back.
    pub fn transfer(&mut self, disk: &Access, memory: &Access, to_disk: bool) {
        let Some(number) = slot_of(disk) else {
            debug_assert!(false, "a tape on disk is used slot by slot");
            return;
        };
        let unit = self.unit(disk.var);
        let status = self.status();
        let name = self.names[disk.var.index()].clone();
        let place = self.access(memory);
        let number = self.index(number);
        let is_array = memory.subscripts().is_some_and(|subscripts| {
            subscripts
                .iter()
                .any(|&e| matches!(self.procedure.expr(e), Expr::Range { .. }))
        });
        let bits = self.k("storage_size");
        let bytes = match is_array {
            true => format!(
                "{}({place}, {}=8)*({bits}({place})/8)",
                self.k("size"),
                self.k("kind")
            ),
            false => format!("{bits}({place})/8"),
        };
        let (word, what) = match to_disk {
            true => (self.k("write"), "is no room on disk for"),
            false => (self.k("read"), "cannot be read back"),
        };
        let at = format!("1 + {}({number}, 8)*({bytes})", self.k("int"));
        self.out.line(&format!(
            "{word} ({unit},{BREAK} {}={at},{BREAK} {}={status}) {BREAK}{place}",
            self.k("pos"),
            self.k("iostat")
        ));
        let message = match to_disk {
            true => format!("there {what} the snapshots in {name}"),
            false => format!("a snapshot in {name} {what}"),
        };
        self.stop_unless(&status, &message);
        if to_disk {
            let slots = format!("({}({number}, 8) + 1)*({bytes})", self.k("int"));
            self.count_on_disk(disk.var, &slots);
        }
    }

    /// Says a message and a number, and ends the program.
    pub fn stop(&mut self, message: &str, value: ExprId) {
        let (write, stop) = (self.k("write"), self.k("error stop"));
        let value = self.expr(value).text;
        // Short literals, which any line has room for.
        let letters: Vec<char> = message.chars().collect();
        let pieces: Vec<String> = letters
            .chunks(30)
            .map(|piece| piece.iter().collect::<String>().replace('\'', "''"))
            .map(|piece| format!("'{piece}', {BREAK}"))
            .collect();
        self.out.line(&format!(
            "{write} (0, '({}a, i0)') {BREAK}{}{value}",
            pieces.len(),
            pieces.concat()
        ));
        self.out.line(&format!("{stop} {BREAK}'not enough memory'"));
    }

    fn stop_unless(&mut self, status: &str, message: &str) {
        let (condition, stop) = (self.k("if"), self.k("error stop"));
        self.out.line(&format!(
            "{condition} ({status} /= 0) {BREAK}{stop} {BREAK}'{message}'"
        ));
    }

    fn unit(&mut self, id: VarId) -> String {
        if let Some(unit) = self.units.get(&id) {
            return unit.clone();
        }
        let wanted = format!("{}_unit", self.names[id.index()]);
        let unit = self.temporary(&wanted, Type::INT);
        self.units.insert(id, unit.clone());
        unit
    }

    fn status(&mut self) -> String {
        if self.disk_status.is_none() {
            self.disk_status = Some(self.temporary("disk_status", Type::INT));
        }
        self.disk_status.clone().unwrap_or_default()
    }

    /// The statements at entry that open scratch files.
    pub fn open_scratch_files(&mut self) {
        self.start_disk_counts();
        let status = self.disk_status.clone().unwrap_or_default();
        for unit in self.sorted_units() {
            let words = ["open", "newunit", "status", "access", "form", "iostat"];
            let [open, newunit, state, access, form, iostat] = words.map(|word| self.k(word));
            self.out.line(&format!(
                "{open} ({newunit}={unit},{BREAK} {state}='scratch',{BREAK} {access}='stream',{BREAK} \
                 {form}='unformatted',{BREAK} {iostat}={status})"
            ));
            self.stop_unless(&status, "no file can be made for snapshots");
        }
    }

    /// The statements at the end that remove them.
    pub fn close_scratch_files(&mut self) {
        for unit in self.sorted_units() {
            let close = self.k("close");
            self.out.line(&format!("{close} ({unit})"));
        }
    }

    fn sorted_units(&self) -> Vec<String> {
        let mut units: Vec<String> = self.units.values().cloned().collect();
        units.sort();
        units
    }
}

/// The last subscript, which counts the slots.
fn slot_of(disk: &Access) -> Option<ExprId> {
    match disk.path.as_slice() {
        [Selector::Index(subscripts)] => subscripts.last().copied(),
        _ => None,
    }
}
