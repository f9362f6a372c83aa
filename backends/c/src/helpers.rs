//! Small functions that generated C calls where C has no expression for what is meant. They are
//! `static` and written once per file, only where needed.

use contraflow_backend_common::Counter;
use contraflow_ir::Type;

use crate::types::plain_name;
use crate::{chunks, kept};

/// A helper function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Helper {
    /// Memory for a counted tape, or the program ends.
    TapeMemory,
    /// The same, all bits zero.
    ZeroedMemory,
    /// Whether two addresses are the same, whatever a compiler takes them to lead to.
    SameAddress,
    /// The same, counted.
    CountedMemory,
    /// Its release.
    ReleasedMemory,
    /// The next chunk of a growing tape, or the program ends.
    GrownTape,
    /// The chunk before, where one is used up.
    ShrunkTape,
    /// The elements of a chunk.
    TapeRoom,
    /// The release of all its chunks.
    ReleasedTape,
    /// A temporary file, or the program ends.
    ScratchFile,
    /// Ends the program with a message and a number.
    Stop,
    /// A whole value to a place in it, or the program ends.
    ToDisk,
    /// The same back.
    FromDisk,
    /// The smaller of two, at a tie the first.
    Minimum(Number),
    /// The larger of two, at a tie the first.
    Maximum(Number),
    /// The rest of a division with the sign of the divisor.
    Modulo(Number),
    /// `|a|` with the sign of `b`, of integers.
    Sign(Number),
    /// `max(a - b, 0)`, of integers.
    PositiveDifference(Number),
    /// An integer power of an integer.
    Power(Number),
    /// The complex number of two reals of so many bytes, where `complex.h` does not have it.
    Complex(u8),
}

/// The types that helpers work on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Number {
    real: bool,
    bytes: u8,
    signed: bool,
}

impl Number {
    /// The number type that a type is.
    pub fn of(ty: Type) -> Self {
        match ty {
            Type::Real { bytes } => Self {
                real: true,
                bytes,
                signed: true,
            },
            Type::Integer { bytes, signed } => Self {
                real: false,
                bytes,
                signed,
            },
            _ => Self {
                real: false,
                bytes: 4,
                signed: true,
            },
        }
    }

    fn ty(self) -> Type {
        if self.real {
            Type::Real { bytes: self.bytes }
        } else {
            Type::Integer {
                bytes: self.bytes,
                signed: self.signed,
            }
        }
    }

    fn name(self) -> &'static str {
        plain_name(self.ty()).unwrap_or("int")
    }

    fn suffix(self) -> String {
        self.name().replace(' ', "_")
    }
}

impl Helper {
    /// The function's name.
    pub fn name(self) -> String {
        match self {
            Self::TapeMemory => "tape_memory".to_owned(),
            Self::ZeroedMemory => "zeroed_memory".to_owned(),
            Self::SameAddress => "same_address".to_owned(),
            Self::CountedMemory => "counted_memory".to_owned(),
            Self::ReleasedMemory => "release_counted".to_owned(),
            Self::GrownTape => "grown_tape".to_owned(),
            Self::ShrunkTape => "shrunk_tape".to_owned(),
            Self::TapeRoom => "tape_room".to_owned(),
            Self::ReleasedTape => "release_tape".to_owned(),
            Self::ScratchFile => "scratch_file".to_owned(),
            Self::Stop => "stop_with".to_owned(),
            Self::ToDisk => "to_disk".to_owned(),
            Self::FromDisk => "from_disk".to_owned(),
            Self::Minimum(n) => format!("min_{}", n.suffix()),
            Self::Maximum(n) => format!("max_{}", n.suffix()),
            Self::Modulo(n) => format!("modulo_{}", n.suffix()),
            Self::Sign(n) => format!("sign_{}", n.suffix()),
            Self::PositiveDifference(n) => format!("dim_{}", n.suffix()),
            Self::Power(n) => format!("power_{}", n.suffix()),
            Self::Complex(4) => "CMPLXF".to_owned(),
            Self::Complex(16) => "CMPLXL".to_owned(),
            Self::Complex(_) => "CMPLX".to_owned(),
        }
    }

    /// The headers that its text needs.
    pub fn headers(self) -> Vec<&'static str> {
        match self {
            Self::TapeMemory
            | Self::ZeroedMemory
            | Self::SameAddress
            | Self::CountedMemory
            | Self::ReleasedMemory
            | Self::GrownTape
            | Self::ShrunkTape
            | Self::TapeRoom
            | Self::ReleasedTape
            | Self::ScratchFile
            | Self::Stop
            | Self::ToDisk
            | Self::FromDisk => vec!["stddef.h", "stdio.h", "stdlib.h"],
            Self::Modulo(n) if n.real => vec!["math.h"],
            Self::Complex(_) => vec!["complex.h"],
            _ => Vec::new(),
        }
    }

    /// Its definition, indented by `unit`; `counter` counts what it makes and releases.
    pub fn text(self, unit: &str, counter: Option<&Counter>) -> String {
        self.definition(counter).replace("    ", unit)
    }

    fn definition(self, counter: Option<&Counter>) -> String {
        let name = self.name();
        match self {
            Self::TapeMemory => memory(
                &name,
                "Memory for `count` elements",
                "malloc((count > 0 ? (size_t)count : 1)*bytes)",
            ),
            Self::ZeroedMemory => memory(
                &name,
                "Memory for `count` elements, all bits zero",
                "calloc(count > 0 ? (size_t)count : 1, bytes)",
            ),
            Self::SameAddress => same_address(&name),
            Self::CountedMemory => kept::counted_memory(&name, counter),
            Self::ReleasedMemory => kept::released_memory(&name, counter),
            Self::GrownTape => chunks::grown(&name, counter),
            Self::ShrunkTape => chunks::shrunk(&name, counter),
            Self::TapeRoom => chunks::room(&name),
            Self::ReleasedTape => chunks::released(&name, counter),
            Self::ScratchFile => scratch_file(&name),
            Self::Stop => stop(&name),
            Self::ToDisk => transfer(
                &name,
                counter,
                "fwrite",
                "const void *",
                "no room on disk for snapshots",
            ),
            Self::FromDisk => transfer(
                &name,
                None,
                "fread",
                "void *",
                "a snapshot cannot be read back",
            ),
            Self::Minimum(n) => binary(&name, n, "return b < a ? b : a;"),
            Self::Maximum(n) => binary(&name, n, "return b > a ? b : a;"),
            Self::Modulo(n) if n.real => modulo(&name, n),
            Self::Modulo(n) => binary(&name, n, "return (a % b + b) % b;"),
            Self::Sign(n) => binary(&name, n, "return (a < 0) == (b < 0) ? a : -a;"),
            Self::PositiveDifference(n) => binary(&name, n, "return a > b ? a - b : 0;"),
            Self::Power(n) => power(&name, n),
            Self::Complex(bytes) => complex(&name, Type::Real { bytes }),
        }
    }
}

fn binary(name: &str, n: Number, body: &str) -> String {
    let ty = n.name();
    format!("static {ty} {name}({ty} a, {ty} b) {{\n    {body}\n}}\n")
}

fn modulo(name: &str, n: Number) -> String {
    let fmod = match n.bytes {
        4 => "fmodf",
        16 => "fmodl",
        _ => "fmod",
    };
    let ty = n.name();
    binary(
        name,
        n,
        &format!("{ty} r = {fmod}(a, b);\n    return r != 0 && (r < 0) != (b < 0) ? r + b : r;"),
    )
}

/// C11 has it as a macro; clang knows it by another name.
fn complex(name: &str, part: Type) -> String {
    let part = plain_name(part).unwrap_or("double");
    format!(
        "#ifndef {name}\n#define {name}(x, y) __builtin_complex(({part})(x), ({part})(y))\n#endif\n"
    )
}

fn power(name: &str, n: Number) -> String {
    binary(
        name,
        n,
        &format!(
            "{} r = 1;\n    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;\n    \
             for (; b > 0; b--) r *= a;\n    return r;",
            n.name()
        ),
    )
}

/// The end of one variable and the start of another are different addresses to a compiler that knows both,
/// though they may be the same number.
fn same_address(name: &str) -> String {
    format!(
        "/* Whether two addresses are the same number, of whatever variables. */\n\
         static int {name}(const void *a, const void *b) {{\n    \
         volatile size_t first = (size_t)a, second = (size_t)b;\n    \
         return first == second;\n}}\n"
    )
}

fn memory(name: &str, what: &str, call: &str) -> String {
    format!(
        "/* {what}; the program ends where there is none. */\n\
         static void *{name}(long long count, size_t bytes) {{\n    \
         void *memory = {call};\n    \
         if (memory == NULL) {{\n        \
         fputs(\"no memory for the tape\\n\", stderr);\n        \
         abort();\n    }}\n    \
         return memory;\n}}\n"
    )
}

fn stop(name: &str) -> String {
    format!(
        "/* Says a message and a number, and ends the program. */\n\
         static void {name}(const char *message, long long number) {{\n    \
         fprintf(stderr, \"%s%lld\\n\", message, number);\n    \
         exit(EXIT_FAILURE);\n}}\n"
    )
}

fn scratch_file(name: &str) -> String {
    format!(
        "/* A file in $TMPDIR that has no name any more, or the program ends where none can be made. */\n\
         static FILE *{name}(void) {{\n    \
         const char *folder = getenv(\"TMPDIR\");\n    \
         FILE *file = folder == NULL ? tmpfile() : NULL;\n    \
         char path[4096];\n    \
         for (int number = 0; folder != NULL && file == NULL && number < 10000; number++) {{\n        \
         snprintf(path, sizeof path, \"%s/snapshots-%d\", folder, number);\n        \
         file = fopen(path, \"w+bx\");\n        \
         if (file != NULL) remove(path);\n    }}\n    \
         if (file == NULL) {{\n        \
         fputs(\"no file can be made for snapshots\\n\", stderr);\n        \
         exit(EXIT_FAILURE);\n    }}\n    \
         return file;\n}}\n"
    )
}

fn transfer(
    name: &str,
    counter: Option<&Counter>,
    function: &str,
    pointer: &str,
    message: &str,
) -> String {
    let flush = match function {
        "fwrite" => " || fflush(file) != 0",
        _ => "",
    };
    let (before, after) = kept::counts_of_file(counter);
    format!(
        "/* One of the values of `bytes` bytes in a file; the program ends where that fails. */\n\
         static void {name}(FILE *file, long number, {pointer}value, size_t bytes) {{\n{before}    \
         if (fseek(file, number*(long)bytes, SEEK_SET) != 0 || {function}(value, 1, bytes, file) != bytes{flush}) {{\n        \
         fputs(\"{message}\\n\", stderr);\n        \
         exit(EXIT_FAILURE);\n    }}\n{after}}}\n"
    )
}
