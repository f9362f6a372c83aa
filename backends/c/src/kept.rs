//! Derived functions that count the bytes of their tapes and snapshots, by functions in a file of their
//! own: each tape adds what it takes when it gets memory, and takes it off when it gives that back.

use contraflow_backend_common::{Counter, OutputFile};
use contraflow_ir::{Allocation, ProcedureRole, Role, VarId, Variable};

use crate::emitter::Emitter;

impl Emitter<'_> {
    /// Whether the function counts the bytes that it keeps.
    fn counts(&self) -> bool {
        self.setting.options.counter.is_some() && self.procedure.role != ProcedureRole::Primal
    }

    /// Whether the memory of a variable is counted.
    pub fn is_counted(&self, variable: &Variable) -> bool {
        self.counts()
            && variable.role == Role::Tape
            && !variable.is_argument()
            && variable.is_array()
            && variable.allocation == Allocation::Fixed
    }

    /// The statements that count tapes on the stack, at the start and at the end.
    pub fn stack_counts(&mut self) -> (Vec<String>, Vec<String>) {
        let procedure = self.procedure;
        let counter = self.setting.options.counter.as_ref();
        let Some(counter) = counter.map(|counter| &counter.name) else {
            return Default::default();
        };
        let on_stack = |id: &VarId| {
            let variable = &procedure.variables[*id];
            self.is_counted(variable)
                && !self.is_allocated_at_entry(variable)
                && !self.is_growing(variable)
        };
        let tapes: Vec<VarId> = self.used.iter().copied().filter(on_stack).collect();
        let names = tapes.iter().map(|&id| self.names[id.index()].clone());
        names
            .map(|name| {
                (
                    format!("{counter}_add((long long)sizeof {name});"),
                    format!("{counter}_add(-(long long)sizeof {name});"),
                )
            })
            .unzip()
    }

    /// The release of a tape on disk.
    pub fn closed_file(&self, file: &str) -> Vec<String> {
        let close = format!("fclose({file});");
        match &self.setting.options.counter {
            Some(Counter { name: counter, .. }) if self.counts() => vec![
                format!("fseek({file}, 0, SEEK_END);"),
                format!("{counter}_add_on_disk(-(long long)ftell({file}));"),
                close,
            ],
            _ => vec![close],
        }
    }
}

fn add(counter: Option<&Counter>, text: &str) -> String {
    counter.map_or_else(String::new, |counter| {
        format!("    {}_add({text});\n", counter.name)
    })
}

/// Memory that knows its size.
pub(crate) fn counted_memory(name: &str, counter: Option<&Counter>) -> String {
    let count = add(counter, "(long long)all");
    format!(
        "/* Memory for `count` elements, after its size; the program ends where there is none. */\n\
         typedef union {{\n    \
         size_t bytes;\n    \
         long double alignment;\n}} counted_size;\n\n\
         static void *{name}(long long count, size_t bytes) {{\n    \
         size_t all = (count > 0 ? (size_t)count : 0)*bytes;\n    \
         counted_size *memory;\n{count}    \
         memory = malloc(sizeof *memory + all);\n    \
         if (memory == NULL) {{\n        \
         fputs(\"no memory for the tape\\n\", stderr);\n        \
         abort();\n    }}\n    \
         memory->bytes = all;\n    \
         return memory + 1;\n}}\n"
    )
}

/// Its release.
pub(crate) fn released_memory(name: &str, counter: Option<&Counter>) -> String {
    let count = add(counter, "-(long long)memory->bytes");
    format!(
        "/* Releases counted memory. */\n\
         static void {name}(void *counted) {{\n    \
         counted_size *memory = (counted_size *)counted - 1;\n{count}    \
         free(memory);\n}}\n"
    )
}

/// What is done before and after a value is written to a file.
pub(crate) fn counts_of_file(counter: Option<&Counter>) -> (String, String) {
    let Some(Counter { name: counter, .. }) = counter else {
        return Default::default();
    };
    let before = "    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;\n".to_owned();
    let after = format!(
        "    if ((number + 1)*(long)bytes > end) {counter}_add_on_disk((number + 1)*(long)bytes - end);\n"
    );
    (before, after)
}

/// The declarations that derived functions need.
pub(crate) fn prototypes(counter: &Counter) -> String {
    let name = &counter.name;
    let left = match counter.limit {
        Some(_) => format!("long long {name}_left(void);\n"),
        None => String::new(),
    };
    format!(
        "void {name}_add(long long bytes);\nvoid {name}_add_on_disk(long long bytes);\n{left}\n"
    )
}

/// The file that counts, and its header.
pub(crate) fn files(counter: &Counter) -> Vec<OutputFile> {
    let name = &counter.name;
    let guard = format!("{}_H", name.to_ascii_uppercase());
    let parts = match &counter.limit {
        None => [""; 4].map(str::to_owned),
        Some(limit) => [
            "\n/* The bytes that may still be kept; the program ends before there are more. */\nlong long NAME_left(void);\n".to_owned(),
            "#include <stdio.h>\n#include <stdlib.h>\n\n".to_owned(),
            format!("\nstatic const long long limit = {};\n\nlong long NAME_left(void) {{\n    return limit - now;\n}}\n", limit.bytes),
            format!("    if (bytes > 0 && now > limit) {{\n        fprintf(stderr, \"{}%lld\\n\", now);\n        exit(EXIT_FAILURE);\n    }}\n", limit.message()),
        ],
    };
    let of = |text: &str| {
        let marks = ["LEFT_HEAD", "INCLUDES", "LEFT_BODY", "ENDS"];
        let whole = marks.iter().zip(&parts);
        let text = whole.fold(text.to_owned(), |text, (mark, part)| {
            text.replace(mark, part)
        });
        text.replace("GUARD", &guard)
            .replace("NAME", name)
            .into_bytes()
    };
    vec![
        OutputFile {
            name: format!("{name}.c"),
            text: of(SOURCE),
        },
        OutputFile {
            name: format!("{name}.h"),
            text: of(HEADER),
        },
    ]
}

const HEADER: &str = "\
/* The bytes that derived functions keep on tapes and in snapshots. They count them themselves, in each
 * thread on its own. */
#ifndef GUARD
#define GUARD

#ifdef __cplusplus
extern \"C\" {
#endif

/* The bytes in memory at this moment: none outside of the derivative. */
long long NAME_now(void);

/* The most bytes in memory at a time since the program started or `NAME_reset` was called. */
long long NAME_most(void);

/* The bytes in files at this moment, and the most at a time. */
long long NAME_on_disk(void);
long long NAME_most_on_disk(void);

/* Forgets what was the most before. */
void NAME_reset(void);

/* For the derived functions: so many bytes more, or fewer. */
void NAME_add(long long bytes);
void NAME_add_on_disk(long long bytes);
LEFT_HEAD
#ifdef __cplusplus
}
#endif

#endif
";

const SOURCE: &str = "\
#include \"NAME.h\"

INCLUDESstatic _Thread_local long long now, most, disk, most_on_disk;
LEFT_BODY
long long NAME_now(void) {
    return now;
}

long long NAME_most(void) {
    return most;
}

long long NAME_on_disk(void) {
    return disk;
}

long long NAME_most_on_disk(void) {
    return most_on_disk;
}

void NAME_reset(void) {
    most = now;
    most_on_disk = disk;
}

void NAME_add(long long bytes) {
    now += bytes;
ENDS    if (now > most) most = now;
}

void NAME_add_on_disk(long long bytes) {
    disk += bytes;
    if (disk > most_on_disk) most_on_disk = disk;
}
";
