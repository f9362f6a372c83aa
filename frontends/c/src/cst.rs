//! The concrete tree: lang-c's, behind one file. lang-c stops at the first error, so this file
//! also finds the top-level piece that does not parse, empties it, and parses again.

pub(crate) use lang_c::ast::*;
pub(crate) use lang_c::span::{Node, Span};
pub(crate) use lang_c::visit;

use crate::view::{Directives, Token, tokens};
use lang_c::driver::{Config, Flavor, parse_preprocessed};

/// How often a file is parsed again before the rest of it is given up.
const ATTEMPTS: usize = 100;

/// A top-level piece that does not parse.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    /// The bytes of the piece.
    pub start: usize,
    pub end: usize,
    /// Where the parser stopped.
    pub at: usize,
    /// What it would have taken there.
    pub expected: String,
    /// The piece is a function whose head parses: its body was emptied.
    pub is_body: bool,
}

/// The tree of a translation unit, and what is missing from it.
pub(crate) struct Tree {
    pub unit: TranslationUnit,
    pub failures: Vec<Failure>,
}

/// Parses preprocessed text. Pieces that do not parse are overwritten with blanks in `text`.
pub(crate) fn parse(text: &mut String) -> Tree {
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    let mut failures: Vec<Failure> = Vec::new();
    for _ in 0..ATTEMPTS {
        let error = match parse_preprocessed(&config, std::mem::take(text)) {
            Ok(parsed) => {
                *text = parsed.source;
                return Tree {
                    unit: parsed.unit,
                    failures,
                };
            }
            Err(error) => error,
        };
        *text = error.source;
        let mut expected: Vec<&str> = error.expected.into_iter().collect();
        expected.sort_unstable();
        expected.truncate(8);
        let failure = locate(text, error.offset, expected.join(", "), &failures);
        *text = emptied(text, &failure);
        failures.push(failure);
    }
    Tree {
        unit: TranslationUnit(Vec::new()),
        failures,
    }
}

/// The piece that holds `at`. A piece that failed before loses its head too.
fn locate(text: &str, at: usize, expected: String, before: &[Failure]) -> Failure {
    let piece = pieces(text)
        .into_iter()
        .find(|piece| at < piece.end || !piece.is_closed)
        .unwrap_or(Piece {
            start: at.min(text.len()),
            end: text.len(),
            body: None,
            is_closed: true,
        });
    let again = before
        .iter()
        .any(|failure| failure.start == piece.start && failure.is_body);
    let is_body = !again
        && piece
            .body
            .is_some_and(|body| (at > body || !piece.is_closed) && body + 1 < piece.end);
    Failure {
        start: piece.start,
        end: piece.end,
        at,
        expected,
        is_body,
    }
}

/// `text` with the piece (or its body) blank.
fn emptied(text: &str, failure: &Failure) -> String {
    let bytes = text.as_bytes();
    let (from, to) = if failure.is_body {
        let open = bytes[failure.start..failure.end]
            .iter()
            .position(|&byte| byte == b'{')
            .map_or(failure.start, |at| failure.start + at + 1);
        (open, failure.end.saturating_sub(1).max(open))
    } else {
        (failure.start, failure.end)
    };
    let mut made = bytes.to_vec();
    for byte in &mut made[from..to] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    if failure.is_body && to < made.len() {
        made[to] = b'}';
    }
    String::from_utf8(made).unwrap_or_else(|_| " ".repeat(text.len()))
}

/// A declaration or function at the top level.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Piece {
    start: usize,
    end: usize,
    /// The brace that opens a function's body.
    body: Option<usize>,
    /// Whether its braces match.
    is_closed: bool,
}

/// Cuts text into top-level pieces by matching braces.
fn pieces(text: &str) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let tokens = tokens(bytes, 0, bytes.len(), Directives::Skip);
    let mut found = Vec::new();
    let mut first = 0;
    while first < tokens.len() {
        let end = piece_end(bytes, &tokens, first);
        found.push(Piece {
            start: tokens[first].start as usize,
            end: tokens[end.last].end as usize,
            body: end.body,
            is_closed: end.is_closed,
        });
        first = end.last + 1;
    }
    found
}

/// Where a piece ends.
struct End {
    /// Its last token.
    last: usize,
    body: Option<usize>,
    /// Whether its braces match.
    is_closed: bool,
}

/// The end of the piece that begins with token `first`. Within braces only braces count, so that
/// a stray bracket stays inside of its function.
fn piece_end(bytes: &[u8], tokens: &[Token], first: usize) -> End {
    let (mut braces, mut brackets) = (0usize, 0usize);
    let mut body = None;
    let mut column_zero = None;
    let end = |last, body| End {
        last,
        body,
        is_closed: true,
    };
    for index in first..tokens.len() {
        let start = tokens[index].start as usize;
        let at_line_start = start == 0 || bytes[start - 1] == b'\n';
        if index > first && at_line_start && bytes[start].is_ascii_alphabetic() && braces > 0 {
            column_zero = column_zero.or(Some(index));
        }
        match bytes[start] {
            b'{' => {
                if braces == 0 && follows_head(bytes, tokens, first, index) {
                    body = Some(start);
                }
                braces += 1;
            }
            b'}' => {
                braces = braces.saturating_sub(1);
                if braces == 0 && body.is_some() {
                    return end(index, body);
                }
            }
            b'(' | b'[' if braces == 0 => brackets += 1,
            b')' | b']' if braces == 0 => brackets = brackets.saturating_sub(1),
            b';' if braces == 0 && brackets == 0 => return end(index, body),
            _ => {}
        }
    }
    // A brace is missing: the next line that begins in column 0 begins something new.
    End {
        last: column_zero.map_or(tokens.len(), |index| index) - 1,
        body,
        is_closed: false,
    }
}

/// Whether the brace at `index` opens a function's body.
fn follows_head(bytes: &[u8], tokens: &[Token], first: usize, index: usize) -> bool {
    index == first || index > first && matches!(tokens[index - 1].of(bytes), b")" | b";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_does_not_parse_loses_only_itself() {
        let mut text =
            "int a(void) { return 1; }\nint b(void) { return ] 2; }\nint c(void) { return 3; }\n"
                .to_owned();
        let tree = parse(&mut text);
        assert_eq!(tree.failures.len(), 1);
        assert!(tree.failures[0].is_body);
        assert_eq!(tree.unit.0.len(), 3);
    }

    #[test]
    fn a_missing_brace_ends_at_the_next_column_zero() {
        let mut text =
            "int a(void) {\n  if (1) { return 1;\n}\nint b(void) { return 2; }\n".to_owned();
        let tree = parse(&mut text);
        assert_eq!(tree.failures.len(), 1);
        assert_eq!(tree.unit.0.len(), 2);
    }

    #[test]
    fn a_bad_head_goes_whole() {
        let mut text = "f(a) { return a; }\nint b(void) { return 2; }\n".to_owned();
        let tree = parse(&mut text);
        assert_eq!(tree.unit.0.len(), 1);
        assert!(!tree.failures[0].is_body);
    }
}
