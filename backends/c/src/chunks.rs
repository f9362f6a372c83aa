//! Growing tapes: the last chunk is appended to and taken from in place; a header in front of each leads
//! to the one before. Each chunk is twice as large as the one before, up to some megabytes, so that
//! nothing is ever copied; the backward sweep releases those that it has used up.

use contraflow_backend_common::{Counter, PARTS};

/// The structure in front of the elements. It keeps them aligned.
pub(crate) const HEADER: &str = "\
/* A chunk of a tape that grows: the one before, and its own bytes. */
typedef union {
    struct {
        void *before;
        size_t bytes;
    } chunk;
    long double alignment;
} tape_chunk;
";

fn count(counter: Option<&Counter>, text: &str) -> String {
    counter.map_or_else(String::new, |counter| {
        format!("    {}_add({text});\n", counter.name)
    })
}

/// The next chunk.
pub(crate) fn grown(name: &str, counter: Option<&Counter>) -> String {
    let count = count(counter, "(long long)bytes");
    let limited = counter.filter(|counter| counter.limit.is_some());
    let left = limited.map_or_else(String::new, |counter| {
        format!(
            "    left = (size_t){}_left()/({PARTS}*element);\n    if (room > left) room = left;\n",
            counter.name
        )
    });
    let also = match limited {
        Some(_) => ", left",
        None => "",
    };
    format!(
        "/* A new chunk of a tape that is full, twice as large up to some megabytes; the program ends where\n \
         * there is no memory. */\n\
         static void *{name}(void *tape, size_t element) {{\n    \
         size_t bytes = tape == NULL ? 4096 : ((tape_chunk *)tape - 1)->chunk.bytes;\n    \
         size_t room = 2*bytes < 8388608 ? 2*bytes/element : 8388608/element{also};\n    \
         tape_chunk *chunk;\n{left}    \
         bytes = (room > 0 ? room : 1)*element;\n{count}    \
         chunk = malloc(sizeof *chunk + bytes);\n    \
         if (chunk == NULL) {{\n        \
         fputs(\"no memory for the tape\\n\", stderr);\n        \
         abort();\n    }}\n    \
         chunk->chunk.before = tape;\n    \
         chunk->chunk.bytes = bytes;\n    \
         return chunk + 1;\n}}\n"
    )
}

/// The chunk before.
pub(crate) fn shrunk(name: &str, counter: Option<&Counter>) -> String {
    let count = count(counter, "-(long long)chunk->chunk.bytes");
    format!(
        "/* The chunk before one that is used up, which is released. */\n\
         static void *{name}(void *tape) {{\n    \
         tape_chunk *chunk = (tape_chunk *)tape - 1;\n    \
         void *before = chunk->chunk.before;\n{count}    \
         free(chunk);\n    \
         return before;\n}}\n"
    )
}

/// How many elements a chunk holds.
pub(crate) fn room(name: &str) -> String {
    format!(
        "/* How many elements a chunk holds. */\n\
         static size_t {name}(void *tape, size_t element) {{\n    \
         return ((tape_chunk *)tape - 1)->chunk.bytes/element;\n}}\n"
    )
}

/// The release of all chunks.
pub(crate) fn released(name: &str, counter: Option<&Counter>) -> String {
    let count = count(counter, "-(long long)chunk->chunk.bytes").replace("    ", "        ");
    format!(
        "/* Releases the chunks of a tape. */\n\
         static void {name}(void *tape) {{\n    \
         while (tape != NULL) {{\n        \
         tape_chunk *chunk = (tape_chunk *)tape - 1;\n        \
         tape = chunk->chunk.before;\n{count}        \
         free(chunk);\n    }}\n}}\n"
    )
}
