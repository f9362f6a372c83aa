//! From bytes of the preprocessed text back to the user's: line markers give the line, and the
//! tokens of the two lines, compared from both ends, give the column. What a macro put between
//! the tokens that agree maps to the text that it replaced.

use super::lex::{self, Directives, Token};
use contraflow_ir::{FileId, Span};
use std::collections::HashMap;

/// A run of preprocessed text on one line of one file, as the line markers say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Piece {
    pub start: u32,
    pub end: u32,
    /// Index into [`Scan::files`].
    pub file: u32,
    pub line: u32,
}

/// A file that line markers name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MarkedFile {
    pub path: String,
    /// Whether it was entered as a system header.
    pub is_system: bool,
}

/// What one pass over the preprocessed text finds.
#[derive(Default, Debug)]
pub(crate) struct Scan {
    pub files: Vec<MarkedFile>,
    pub pieces: Vec<Piece>,
    /// `#pragma` lines: byte offset and text after the word.
    pub pragmas: Vec<(u32, String)>,
}

/// Reads line markers and pragmas.
pub(crate) fn scan(text: &str) -> Scan {
    let mut scan = Scan::default();
    let mut known: HashMap<String, u32> = HashMap::new();
    let (mut file, mut line) = (0u32, 1u32);
    let mut at = 0usize;
    for content in text.split_inclusive('\n') {
        let start = at;
        at += content.len();
        let trimmed = content.trim();
        if let Some((marked_line, path, flags)) = marker(trimmed) {
            line = marked_line;
            file = *known.entry(path.clone()).or_insert_with(|| {
                scan.files.push(MarkedFile {
                    path,
                    is_system: flags.contains('3'),
                });
                scan.files.len() as u32 - 1
            });
            continue;
        }
        if let Some(pragma) = trimmed.strip_prefix("#pragma") {
            scan.pragmas.push((start as u32, pragma.trim().to_owned()));
        } else if !trimmed.is_empty() {
            scan.pieces.push(Piece {
                start: start as u32,
                end: at as u32,
                file,
                line,
            });
        }
        line = line.saturating_add(1);
    }
    if scan.files.is_empty() {
        scan.files.push(MarkedFile {
            path: String::new(),
            is_system: false,
        });
    }
    scan
}

/// The parts of `# 12 "name.h" 1 3`.
fn marker(line: &str) -> Option<(u32, String, &str)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_start().strip_prefix('"')?;
    let close = rest.rfind('"')?;
    let path = rest[..close].replace("\\\\", "\\").replace("\\\"", "\"");
    Some((number, path, &rest[close + 1..]))
}

/// Where preprocessed tokens come from.
#[derive(Default, Debug)]
pub(crate) struct OffsetMap {
    /// Sorted by `start`; text without a place of the user's has [`Span::NONE`].
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    span: Span,
}

impl OffsetMap {
    /// Builds the map. `user_text` gives the user's bytes of a marked file; `None` for system
    /// headers.
    pub fn build<'t>(
        preprocessed: &str,
        scan: &Scan,
        user_text: impl Fn(u32) -> Option<(FileId, &'t [u8])>,
    ) -> Self {
        let mut originals: HashMap<u32, Option<Original<'t>>> = HashMap::new();
        let mut map = Self::default();
        let mut index = 0;
        while index < scan.pieces.len() {
            let first = scan.pieces[index];
            let mut next = index + 1;
            while next < scan.pieces.len()
                && (scan.pieces[next].file, scan.pieces[next].line) == (first.file, first.line)
            {
                next += 1;
            }
            let original = originals
                .entry(first.file)
                .or_insert_with(|| user_text(first.file).map(|(id, text)| Original::new(id, text)));
            match original {
                Some(original) => {
                    let limit = scan.pieces.get(next).map(|piece| piece.line);
                    let limit = limit.filter(|&line| line > first.line);
                    map.align(preprocessed, &scan.pieces[index..next], original, limit);
                }
                None => map.push(first.start, Span::NONE),
            }
            index = next;
        }
        map
    }

    fn push(&mut self, start: u32, span: Span) {
        self.entries.push(Entry { start, span });
    }

    fn align(
        &mut self,
        preprocessed: &str,
        pieces: &[Piece],
        original: &Original<'_>,
        limit: Option<u32>,
    ) {
        let bytes = preprocessed.as_bytes();
        let made: Vec<Token> = pieces
            .iter()
            .flat_map(|piece| {
                let (start, end) = (piece.start as usize, piece.end as usize);
                lex::tokens(bytes, start, end, Directives::Keep)
            })
            .collect();
        let written = original.line(pieces[0].line, limit);
        let same = |a: &Token, b: &Token| a.of(bytes) == b.of(original.text);
        let prefix = made
            .iter()
            .zip(written)
            .take_while(|(a, b)| same(a, b))
            .count();
        let suffix = made[prefix..]
            .iter()
            .rev()
            .zip(written[prefix..].iter().rev())
            .take_while(|(a, b)| same(a, b))
            .count();
        let middle = &written[prefix..written.len() - suffix];
        let middle = match (middle.first(), middle.last()) {
            (Some(first), Some(last)) => original.span(first.start, last.end),
            _ => original.whole_line(pieces[0].line),
        };
        for (position, token) in made.iter().enumerate() {
            let span = if position < prefix {
                original.span(written[position].start, written[position].end)
            } else if position >= made.len() - suffix {
                let from_end = made.len() - position;
                let token = written[written.len() - from_end];
                original.span(token.start, token.end)
            } else {
                middle
            };
            self.push(token.start, span);
        }
    }

    /// The place of the token at (or before) a byte.
    pub fn locate(&self, offset: usize) -> Span {
        let after = self
            .entries
            .partition_point(|entry| entry.start as usize <= offset);
        match after.checked_sub(1) {
            Some(index) => self.entries[index].span,
            None => Span::NONE,
        }
    }

    /// The user's text that became `start..end`.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let first = self.locate(start);
        if end <= start + 1 {
            return first;
        }
        first.join(self.locate(end - 1))
    }
}

/// A user's file cut into tokens.
struct Original<'t> {
    file: FileId,
    text: &'t [u8],
    tokens: Vec<Token>,
    line_starts: Vec<u32>,
}

impl<'t> Original<'t> {
    fn new(file: FileId, text: &'t [u8]) -> Self {
        let line_starts = std::iter::once(0)
            .chain(
                (0u32..)
                    .zip(text)
                    .filter(|&(_, &byte)| byte == b'\n')
                    .map(|(at, _)| at + 1),
            )
            .collect();
        Self {
            file,
            text,
            tokens: lex::tokens(text, 0, text.len(), Directives::Skip),
            line_starts,
        }
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span {
            file: self.file,
            start,
            end,
        }
    }

    /// The tokens that the preprocessor puts on `line`: those of the line, and those of the next
    /// lines (before `limit`) where a macro's arguments go on.
    fn line(&self, line: u32, limit: Option<u32>) -> &[Token] {
        let first = self.tokens.partition_point(|token| token.line < line);
        let mut depth = 0i32;
        let mut end = first;
        let mut current = line;
        while let Some(token) = self.tokens.get(end) {
            if token.line != current
                && (depth <= 0 || limit.is_some_and(|limit| token.line >= limit))
            {
                break;
            }
            current = token.line;
            match token.of(self.text) {
                b"(" => depth += 1,
                b")" => depth -= 1,
                _ => {}
            }
            end += 1;
            if end - first > 100_000 {
                break;
            }
        }
        &self.tokens[first..end]
    }

    /// The line without its leading and trailing blanks.
    fn whole_line(&self, line: u32) -> Span {
        let index = (line.max(1) as usize - 1).min(self.line_starts.len() - 1);
        let start = self.line_starts[index] as usize;
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |&next| next as usize);
        let content = &self.text[start..end];
        let trimmed = content.trim_ascii();
        let start = start + (content.len() - content.trim_ascii_start().len());
        Span::new(self.file, start, start + trimmed.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(original: &str, preprocessed: &str, needle: &str) -> String {
        let scan = scan(preprocessed);
        let map = OffsetMap::build(preprocessed, &scan, |file| {
            (scan.files[file as usize].path == "a.c").then_some((FileId(0), original.as_bytes()))
        });
        let at = preprocessed.find(needle).expect("the needle is there");
        let span = map.span(at, at + needle.len());
        if !span.is_some() {
            return String::new();
        }
        original[span.start as usize..span.end as usize].to_owned()
    }

    #[test]
    fn text_without_macros_keeps_its_columns() {
        let original = "int a; /* c */ int b;\n  int c;\n";
        let made = "# 1 \"a.c\"\nint a; int b;\n  int c;\n";
        assert_eq!(place(original, made, "int b"), "int b");
        assert_eq!(place(original, made, "int c"), "int c");
    }

    #[test]
    fn what_a_macro_made_maps_to_its_use() {
        let original = "x = F(1) + y;\n";
        let made = "# 1 \"a.c\"\nx = ((1)*2) + y;\n";
        assert_eq!(place(original, made, "*2"), "F(1");
        assert_eq!(place(original, made, "y"), "y");
    }

    #[test]
    fn system_headers_have_no_place() {
        let made =
            "# 1 \"a.c\"\nint a;\n# 1 \"/usr/include/m.h\" 1 3 4\nint m;\n# 3 \"a.c\" 2\nint b;\n";
        assert_eq!(place("int a;\n#include <m.h>\nint b;\n", made, "int m"), "");
        assert_eq!(
            place("int a;\n#include <m.h>\nint b;\n", made, "int b"),
            "int b"
        );
    }

    #[test]
    fn a_macro_call_over_two_lines_reaches_to_its_end() {
        let original = "x = F(1,\n 2) + y;\nz;\n";
        let made = "# 1 \"a.c\"\nx = (1*2) + y;\n\nz;\n";
        assert_eq!(place(original, made, "y"), "y");
        assert_eq!(place(original, made, "z"), "z");
    }
}
