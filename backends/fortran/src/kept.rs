//! Derived procedures that count the bytes of their tapes and snapshots: in a module of its own, to which
//! each tape adds what it takes when it gets memory, and from which it takes it when it gives that back.

use contraflow_backend_common::{BREAK, Counter, OutputFile, PARTS};
use contraflow_ir::{Access, Allocation, ProcedureRole, Role, VarId};

use crate::emitter::Emitter;

/// What happens to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// It is there from now on.
    Make,
    /// It is about to go.
    Release,
}

impl Change {
    fn sign(self) -> &'static str {
        match self {
            Self::Make => "",
            Self::Release => "-",
        }
    }
}

/// The kind of counts.
const KIND: &str = "kept_kind";

impl Emitter<'_> {
    /// Whether the procedure counts the bytes that it keeps.
    pub fn counts(&self) -> bool {
        self.setting.options.counter.is_some() && self.procedure.role != ProcedureRole::Primal
    }

    /// The name here of something in the module that counts.
    fn counting(&mut self, entity: &'static str) -> String {
        if let Some(name) = self.counting.get(entity) {
            return name.clone();
        }
        let name = self.namer.name(entity);
        self.counting.insert(entity, name.clone());
        if let Some(counter) = &self.setting.options.counter {
            let module = counter.name.clone();
            let entry = match name.eq_ignore_ascii_case(entity) {
                true => name.clone(),
                false => format!("{name} => {entity}"),
            };
            self.imports.uses.entry(module).or_default().insert(entry);
        }
        name
    }

    /// The statement that counts the bytes of what is whole, an array or a scalar.
    pub fn count_line(&mut self, place: &str, is_array: bool, change: Change) -> String {
        let (add, kind) = (self.counting("kept_add"), self.counting(KIND));
        let bits = format!("{}({place}, {kind})/8", self.k("storage_size"));
        let bytes = match is_array {
            true => format!(
                "{}({place}, {}={kind})*({bits})",
                self.k("size"),
                self.k("kind")
            ),
            false => bits,
        };
        format!("{} {add}({}{bytes})", self.k("call"), change.sign())
    }

    /// Whether the program ends before it keeps more than it may.
    pub fn is_limited(&self) -> bool {
        let counter = self.setting.options.counter.as_ref();
        self.counts() && counter.is_some_and(|counter| counter.limit.is_some())
    }

    /// Names what internal procedures will ask of the module that counts.
    pub fn announce_limit(&mut self) {
        if self.is_limited() {
            for entity in ["kept_left", "kept_add", KIND] {
                self.counting(entity);
            }
        }
    }

    /// The statement that counts so many elements of a tape before they have memory.
    pub fn count_ahead(&mut self, tape: &str, elements: &str) -> String {
        let (add, kind) = (self.counting("kept_add"), self.counting(KIND));
        let (int, bits) = (self.k("int"), self.k("storage_size"));
        let call = self.k("call");
        format!("{call} {add}({int}({elements}, {kind})*{BREAK}({bits}({tape}, {kind})/8))")
    }

    /// The elements that a new chunk of a tape may have of those that are wanted.
    pub fn allowed_elements(&mut self, tape: &str, wanted: &str) -> String {
        let (left, kind) = (self.counting("kept_left"), self.counting(KIND));
        let [max, min, int, bits] = ["max", "min", "int", "storage_size"].map(|word| self.k(word));
        let part = format!("{left}()/({PARTS}*({bits}({tape}, {kind})/8))");
        format!("{max}(1, {int}({min}({int}({wanted}, {kind}), {BREAK}{part})))")
    }

    /// Tapes of this procedure that have memory from its start to its end.
    fn counted(&self) -> Vec<VarId> {
        let is_counted = |id: &VarId| {
            let variable = &self.procedure.variables[*id];
            variable.role == Role::Tape
                && !variable.is_argument()
                && variable.is_array()
                && !self.grown.contains_key(id)
        };
        self.used.iter().copied().filter(is_counted).collect()
    }

    /// The statements at entry that count the tapes which have memory now.
    pub fn count_made(&mut self) {
        if !self.counts() {
            return;
        }
        for id in self.counted() {
            if self.procedure.variables[id].allocation == Allocation::Fixed {
                let name = self.name(id);
                let line = self.count_line(&name, true, Change::Make);
                self.out.line(&line);
            }
        }
        let growing = self.sorted_growing();
        for (tape, _) in growing {
            let name = self.name(tape);
            let line = self.count_line(&name, true, Change::Make);
            self.out.line(&line);
        }
    }

    /// The statements at the end that count what goes with the procedure.
    pub fn count_released(&mut self) {
        if !self.counts() {
            return;
        }
        for id in self.counted() {
            let name = self.name(id);
            let line = self.count_line(&name, true, Change::Release);
            let line = match self.procedure.variables[id].allocation {
                Allocation::Fixed => line,
                _ => format!(
                    "{} ({}({name})) {BREAK}{line}",
                    self.k("if"),
                    self.k("allocated")
                ),
            };
            self.out.line(&line);
        }
        for (tape, _) in self.sorted_growing() {
            let name = self.name(tape);
            let line = self.count_line(&name, true, Change::Release);
            self.out.line(&line);
        }
        let add = match self.disk_counts.is_empty() {
            true => return,
            false => self.counting("kept_add_on_disk"),
        };
        for count in self.sorted_disk_counts() {
            let line = format!("{} {add}(-{count})", self.k("call"));
            self.out.line(&line);
        }
    }

    /// The statement that counts memory that an allocation has made, or that a deallocation is about to
    /// release, if that of a tape.
    pub fn count_memory_of(&mut self, target: &Access, change: Change) {
        let variable = &self.procedure.variables[target.var];
        let is_own = variable.role == Role::Tape && target.path.is_empty();
        if !is_own || !self.counts() {
            return;
        }
        let is_array = variable.is_array();
        let name = self.name(target.var);
        let line = self.count_line(&name, is_array, change);
        self.out.line(&line);
    }

    /// Counts the bytes of a tape on disk, once they have been written up to a position.
    pub fn count_on_disk(&mut self, disk: VarId, end: &str) {
        if !self.counts() {
            return;
        }
        let add = self.counting("kept_add_on_disk");
        let kind = self.counting(KIND);
        let count = match self.disk_counts.get(&disk) {
            Some(count) => count.clone(),
            None => {
                let wanted = format!("{}_bytes", self.names[disk.index()]);
                let count = self.namer.name(&wanted);
                self.disk_counts.insert(disk, count.clone());
                count
            }
        };
        let [when, then, end_if, call] = ["if", "then", "end if", "call"].map(|word| self.k(word));
        let end = format!("{}({end}, {kind})", self.k("int"));
        self.out.line(&format!("{when} ({end} > {count}) {then}"));
        self.out.indent();
        self.out.line(&format!("{call} {add}({end} - {count})"));
        self.out.line(&format!("{count} = {end}"));
        self.out.dedent();
        self.out.line(&end_if);
    }

    /// Their counts start without a byte.
    pub fn start_disk_counts(&mut self) {
        for count in self.sorted_disk_counts() {
            self.out.line(&format!("{count} = 0"));
        }
    }

    /// The declarations of counts of bytes on disk.
    pub fn disk_count_declarations(&mut self) -> Vec<String> {
        let counts = self.sorted_disk_counts();
        if counts.is_empty() {
            return Vec::new();
        }
        let kind = self.counting(KIND);
        let list = counts.join(&format!(",{BREAK} "));
        vec![format!("{}({kind}) :: {list}", self.k("integer"))]
    }

    fn sorted_disk_counts(&self) -> Vec<String> {
        let mut counts: Vec<String> = self.disk_counts.values().cloned().collect();
        counts.sort();
        counts
    }
}

/// The module that counts.
pub(crate) fn module(counter: &Counter) -> OutputFile {
    let name = &counter.name;
    let text = match &counter.limit {
        None => MODULE
            .replace("LEFT", "")
            .replace("LIMIT", "")
            .replace("ENDS", ""),
        Some(limit) => MODULE
            .replace("LEFT", LEFT)
            .replace("LIMIT", &LIMIT.replace("BYTES", &limit.bytes.to_string()))
            .replace("ENDS", &ENDS.replace("MESSAGE", &limit.message())),
    };
    OutputFile {
        name: format!("{name}.f90"),
        text: text.replace("NAME", name).into_bytes(),
    }
}

const LIMIT: &str = "
  ! The most bytes that may be kept; the program ends before there are more.
  integer(kept_kind), parameter :: limit = BYTES_kept_kind
  public :: kept_left
";

const LEFT: &str = "  ! The bytes that may still be kept.
  integer(kept_kind) function kept_left()
    kept_left = limit - now
  end function kept_left

";

const ENDS: &str = "    if (bytes > 0 .and. now > limit) then
      write (0, '(a, i0)') &
        'MESSAGE', &
        now
      error stop 'not enough memory'
    end if
";

const MODULE: &str = "\
! The bytes that derived procedures keep on tapes and in snapshots. They count them themselves, in each
! thread on its own. What allocatable components of kept records hold is not counted.
module NAME
  implicit none
  private
  public :: kept_now, kept_most, kept_on_disk, kept_most_on_disk, kept_reset, kept_add, kept_add_on_disk

  ! The kind of the counts.
  integer, parameter, public :: kept_kind = selected_int_kind(18)
LIMIT
  integer(kept_kind), save :: now = 0, most = 0, disk = 0, most_on_disk = 0
  !$omp threadprivate(now, most, disk, most_on_disk)

contains

  ! The bytes in memory at this moment: none outside of the derivative.
  integer(kept_kind) function kept_now()
    kept_now = now
  end function kept_now

  ! The most bytes in memory at a time since the program started or `kept_reset` was called.
  integer(kept_kind) function kept_most()
    kept_most = most
  end function kept_most

  ! The bytes in files at this moment.
  integer(kept_kind) function kept_on_disk()
    kept_on_disk = disk
  end function kept_on_disk

  ! The most bytes in files at a time.
  integer(kept_kind) function kept_most_on_disk()
    kept_most_on_disk = most_on_disk
  end function kept_most_on_disk

LEFT  ! Forgets what was the most before.
  subroutine kept_reset()
    most = now
    most_on_disk = disk
  end subroutine kept_reset

  ! For the derived procedures: so many bytes more, or fewer.
  subroutine kept_add(bytes)
    integer(kept_kind), intent(in) :: bytes
    now = now + bytes
ENDS    most = max(most, now)
  end subroutine kept_add

  ! The same of files.
  subroutine kept_add_on_disk(bytes)
    integer(kept_kind), intent(in) :: bytes
    disk = disk + bytes
    most_on_disk = max(most_on_disk, disk)
  end subroutine kept_add_on_disk

end module NAME
";
