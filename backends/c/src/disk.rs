//! Tapes on disk: a temporary file for each, without a name, which is gone when the program ends,
//! however that ends.

use contraflow_backend_common::BREAK;
use contraflow_ir::{Access, ExprId, Role, Selector, VarId};

use crate::emitter::Emitter;
use crate::expr::quoted;
use crate::helpers::Helper;

impl Emitter<'_> {
    /// Whether a variable is a tape on disk.
    pub fn is_on_disk(&self, id: VarId) -> bool {
        self.procedure.variables[id].role == Role::Disk
    }

    /// Copies a whole value to a tape on disk, or back.
    pub fn transfer(&mut self, disk: &Access, memory: &Access, to_disk: bool) {
        let (Some(number), Some(slot)) = (slot_of(disk), slot_of(memory)) else {
            debug_assert!(false, "a tape on disk is used slot by slot");
            return;
        };
        let file = self.file(disk.var);
        let helper = self.helper(match to_disk {
            true => Helper::ToDisk,
            false => Helper::FromDisk,
        });
        let number = self.expr(number).text;
        let slot = self.expr(slot).text;
        let kept = format!("{}[{slot}]", self.name(memory.var));
        let address = match self.procedure.variables[memory.var].rank() {
            1 => format!("&{kept}"),
            _ => kept.clone(),
        };
        self.out.line(&format!(
            "{helper}({file}, {BREAK}{number}, {BREAK}{address}, {BREAK}sizeof {kept});"
        ));
    }

    /// Says a message and a number, and ends the program.
    pub fn stop(&mut self, message: &str, value: ExprId) {
        let helper = self.helper(Helper::Stop);
        let value = self.expr(value).text;
        let message = quoted(message);
        self.out
            .line(&format!("{helper}({message}, {BREAK}{value});"));
    }

    fn file(&mut self, id: VarId) -> String {
        if let Some(file) = self.files.get(&id) {
            return file.clone();
        }
        self.helper(Helper::ScratchFile);
        let wanted = format!("{}_file", self.names[id.index()]);
        let file = self.namer.name(&wanted);
        self.files.insert(id, file.clone());
        file
    }

    /// The declarations that open temporary files.
    pub fn open_files(&self) -> Vec<(String, String)> {
        let open = Helper::ScratchFile.name();
        self.sorted_files()
            .into_iter()
            .map(|file| ("FILE".to_owned(), format!("*{file} = {BREAK}{open}()")))
            .collect()
    }

    /// The temporary files, in the order of their names.
    pub fn sorted_files(&self) -> Vec<String> {
        let mut files: Vec<String> = self.files.values().cloned().collect();
        files.sort();
        files
    }
}

/// The last subscript, which counts the slots.
fn slot_of(place: &Access) -> Option<ExprId> {
    match place.path.as_slice() {
        [Selector::Index(subscripts)] => subscripts.last().copied(),
        _ => None,
    }
}
