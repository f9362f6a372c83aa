//! Writes GNU extensions, C23 and old-style C in words that the parser takes. Unlike `overwrite`
//! this may change the length of the text, so it runs before line markers are read; what it adds
//! is mapped to the user's text like what a macro made.

use super::lex::{self, Directives, Token};
use std::collections::HashSet;

/// Stands for the value of the condition in `a ?: b`.
pub(crate) const CONDITION: &str = "__contraflow_condition";

/// Stands for the initial value in `__auto_type x = value`.
pub(crate) const INITIAL: &str = "__contraflow_initial";

const SPECIFIERS: [&[u8]; 9] = [
    b"static",
    b"extern",
    b"const",
    b"volatile",
    b"register",
    b"inline",
    b"__inline",
    b"__inline__",
    b"_Noreturn",
];

/// Words at the start of a declaration that are no names.
const KEYWORDS: [&[u8]; 26] = [
    b"void",
    b"char",
    b"short",
    b"int",
    b"long",
    b"float",
    b"double",
    b"signed",
    b"unsigned",
    b"struct",
    b"union",
    b"enum",
    b"typedef",
    b"typeof",
    b"typeof_unqual",
    b"asm",
    b"auto",
    b"restrict",
    b"static_assert",
    b"thread_local",
    b"constexpr",
    b"alignas",
    b"bool",
    b"if",
    b"for",
    b"return",
];

/// The text with its extensions rewritten, and whether names in it are escaped.
pub(crate) fn extended(text: String, standard: &str) -> (String, bool) {
    let bytes = text.as_bytes();
    let tokens = lex::tokens(bytes, 0, bytes.len(), Directives::Skip);
    let mut pass = Pass {
        text: bytes,
        tokens: &tokens,
        depth: 0,
        in_body: false,
        is_c23: ["23", "2x"].iter().any(|year| standard.ends_with(year)),
        types: HashSet::new(),
        edits: Vec::new(),
        escapes: false,
    };
    pass.run();
    let (edits, escapes) = (pass.edits, pass.escapes);
    if edits.is_empty() {
        return (text, false);
    }
    let mut made = String::with_capacity(text.len() + 64 * edits.len());
    let mut at = 0;
    for edit in edits {
        if edit.start < at {
            continue;
        }
        made.push_str(&text[at..edit.start]);
        made.push_str(&edit.text);
        at = edit.end;
    }
    made.push_str(&text[at..]);
    (made, escapes)
}

/// A name as the user wrote it: escaped bytes of `$` and of letters beyond ASCII put back.
pub(crate) fn unescaped(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find(ESCAPE) {
        let code = rest.get(at + ESCAPE.len()..at + ESCAPE.len() + 3)?;
        let byte = u8::from_str_radix(code.strip_suffix('_')?, 16).ok()?;
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        bytes.push(byte);
        rest = &rest[at + ESCAPE.len() + 3..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    let name = String::from_utf8(bytes).ok()?;
    Some(name)
}

/// A name with its letters in place of their numbers (`\u00e9`, as gcc writes them).
fn with_letters(name: &str) -> String {
    let mut made = String::new();
    let mut rest = name;
    while let Some(at) = rest.find('\\') {
        let digits = match rest.as_bytes().get(at + 1) {
            Some(b'u') => 4,
            _ => 8,
        };
        let code = rest.get(at + 2..at + 2 + digits);
        let letter = code
            .and_then(|code| u32::from_str_radix(code, 16).ok())
            .and_then(char::from_u32);
        let Some(letter) = letter else {
            break;
        };
        made.push_str(&rest[..at]);
        made.push(letter);
        rest = &rest[at + 2 + digits..];
    }
    made.push_str(rest);
    made
}

const ESCAPE: &str = "_contraflow_x";

struct Edit {
    start: usize,
    end: usize,
    text: String,
}

struct Pass<'t> {
    text: &'t [u8],
    tokens: &'t [Token],
    /// Brackets that are open.
    depth: usize,
    /// Whether the braces that are open are those of a function.
    in_body: bool,
    is_c23: bool,
    /// Names that the text declares as types.
    types: HashSet<&'t [u8]>,
    edits: Vec<Edit>,
    escapes: bool,
}

impl<'t> Pass<'t> {
    fn word(&self, index: usize) -> &'t [u8] {
        self.tokens
            .get(index)
            .map_or(b"".as_slice(), |token| token.of(self.text))
    }

    fn is_name(&self, index: usize) -> bool {
        let word = self.word(index);
        word.first()
            .is_some_and(|&byte| lex::is_word(byte) && !byte.is_ascii_digit())
    }

    fn replace(&mut self, from: usize, to: usize, text: impl Into<String>) {
        let (start, end) = (self.tokens[from].start, self.tokens[to - 1].end);
        self.edits.push(Edit {
            start: start as usize,
            end: end as usize,
            text: text.into(),
        });
    }

    fn insert_before(&mut self, index: usize, text: &str) {
        let start = self.tokens[index].start as usize;
        self.edits.push(Edit {
            start,
            end: start,
            text: text.to_owned(),
        });
    }

    /// The index after the bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for index in open..self.tokens.len() {
            match self.word(index) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return index + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    fn are_adjacent(&self, index: usize) -> bool {
        match (self.tokens.get(index), self.tokens.get(index + 1)) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => false,
        }
    }

    fn run(&mut self) {
        let mut index = 0;
        let mut begins = true;
        while index < self.tokens.len() {
            if begins {
                self.implicit_int(index);
            }
            let word = self.word(index);
            if word == b"{" && self.depth == 0 {
                // The brace of a struct does not end its declaration.
                self.in_body = index > 0 && matches!(self.word(index - 1), b")" | b";");
            }
            begins = match word {
                b";" | b"{" => true,
                b"}" => self.in_body || self.depth > 1,
                _ => false,
            };
            let next = self.step(index, word);
            index = next.max(index + 1);
        }
    }

    /// Treats the token at `index`; the index of the next one to look at.
    fn step(&mut self, index: usize, word: &'t [u8]) -> usize {
        let next = index + 1;
        match word {
            b"(" | b"{" | b"[" => self.depth += 1,
            b")" | b"}" | b"]" => self.depth = self.depth.saturating_sub(1),
            b"typedef" => self.note_typedef(index),
            b"?" if self.word(next) == b":" && !self.is_digraph(next) => {
                self.replace(index, next, format!("? {CONDITION} "));
            }
            b"<" | b":" | b"%" if self.is_digraph(index) => return self.digraph(index),
            b"__auto_type" => self.replace(index, next, format!("__typeof__({INITIAL})")),
            b"auto" if self.is_name(next) && self.word(index + 2) == b"=" => {
                self.replace(index, next, format!("__typeof__({INITIAL})"));
            }
            b"__label__" => {
                let end = (index..self.tokens.len()).find(|&at| self.word(at) == b";");
                let end = end.map_or(self.tokens.len(), |at| at + 1);
                self.replace(index, end, "");
                return end;
            }
            b"__builtin_types_compatible_p" if self.word(next) == b"(" => {
                return self.compatible_types(index);
            }
            b"__real__" | b"__real" | b"__imag__" | b"__imag" => {}
            _ => self.other(index, word),
        }
        next
    }

    fn other(&mut self, index: usize, word: &'t [u8]) {
        let first = word[0];
        if first.is_ascii_digit() || first == b'.' && word.len() > 1 {
            self.number(index, word);
        } else if lex::is_word(first) || first == b'\\' {
            if self.is_c23 {
                self.keyword(index, word);
            }
            let beyond = |byte: &u8| matches!(byte, b'$' | b'\\' | 0x80..);
            if word.iter().any(beyond) {
                let named = with_letters(&String::from_utf8_lossy(word));
                let escaped = named.bytes().map(|byte| match byte {
                    b'$' | b'\\' | 0x80.. => format!("{ESCAPE}{byte:02x}_"),
                    byte => (byte as char).to_string(),
                });
                let escaped: String = escaped.collect();
                self.replace(index, index + 1, escaped);
                self.escapes = true;
            }
        }
    }

    /// Digit separators and the suffixes of GNU's special floats.
    fn number(&mut self, index: usize, word: &'t [u8]) {
        let is_hexadecimal = word.len() > 1 && matches!(word[1], b'x' | b'X');
        let text = String::from_utf8_lossy(word).replace('\'', "");
        let changed = match text.as_bytes().last() {
            Some(b'q' | b'Q') => format!("{}f128", &text[..text.len() - 1]),
            Some(b'w' | b'W') if !is_hexadecimal => format!("{}L", &text[..text.len() - 1]),
            _ => text,
        };
        if changed.as_bytes() != word {
            self.replace(index, index + 1, changed);
        }
    }

    /// What C23 made keywords.
    fn keyword(&mut self, index: usize, word: &[u8]) {
        let text = match word {
            b"bool" => "_Bool",
            b"true" => "((_Bool)1)",
            b"false" => "((_Bool)0)",
            b"nullptr" => "((void *)0)",
            b"constexpr" => "const",
            b"thread_local" => "_Thread_local",
            b"alignas" => "_Alignas",
            b"alignof" => "_Alignof",
            b"typeof_unqual" => "__typeof__",
            _ => return,
        };
        self.replace(index, index + 1, text);
    }

    fn is_digraph(&self, index: usize) -> bool {
        let pair = (self.word(index), self.word(index + 1));
        self.are_adjacent(index)
            && matches!(pair, (b"<", b":" | b"%") | (b":", b">") | (b"%", b">"))
    }

    fn digraph(&mut self, index: usize) -> usize {
        let (text, opens) = match (self.word(index), self.word(index + 1)) {
            (b"<", b":") => ("[ ", true),
            (b"<", _) => ("{ ", true),
            (b":", _) => ("] ", false),
            _ => ("} ", false),
        };
        match opens {
            true => self.depth += 1,
            false => self.depth = self.depth.saturating_sub(1),
        }
        self.replace(index, index + 2, text);
        index + 2
    }

    /// `__builtin_types_compatible_p(A, B)` as a choice by type.
    fn compatible_types(&mut self, index: usize) -> usize {
        let end = self.closing(index + 1);
        let mut depth = 0usize;
        let comma = (index + 1..end).find(|&at| {
            match self.word(at) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 1 && self.word(at) == b","
        });
        let Some(comma) = comma.filter(|&comma| comma > index + 2 && comma + 2 < end) else {
            return index + 1;
        };
        let text = |from: usize, to: usize| {
            let (start, end) = (self.tokens[from].start, self.tokens[to - 1].end);
            String::from_utf8_lossy(&self.text[start as usize..end as usize]).into_owned()
        };
        let (a, b) = (text(index + 2, comma), text(comma + 1, end - 1));
        self.replace(
            index,
            end,
            format!("_Generic(*(__typeof__({a}) *)0, {b}: 1, default: 0)"),
        );
        end
    }

    /// The name that a typedef declares, where it ends in one.
    fn note_typedef(&mut self, index: usize) {
        let mut depth = 0usize;
        let mut last = b"".as_slice();
        for at in index + 1..self.tokens.len() {
            match self.word(at) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
                b";" | b"," if depth == 0 => {
                    self.types.insert(last);
                    if self.word(at) == b";" {
                        return;
                    }
                }
                word if depth == 0 && lex::is_word(word[0]) => last = word,
                _ => {}
            }
        }
    }

    /// `main(argc, argv)`, `static x = 3;`: a declaration without a type is one of an `int`.
    fn implicit_int(&mut self, index: usize) {
        let mut at = index;
        while SPECIFIERS.contains(&self.word(at)) {
            at += 1;
        }
        let word = self.word(at);
        let is_new_name = self.is_name(at)
            && !KEYWORDS.contains(&word)
            && !word.starts_with(b"_")
            && !self.types.contains(word);
        if !is_new_name {
            return;
        }
        let declares = match self.word(at + 1) {
            b"(" => self.depth == 0 && self.heads_function(at + 1),
            b"=" | b";" | b"," | b"[" => at > index,
            _ => false,
        };
        if declares {
            self.insert_before(at, "int ");
        }
    }

    /// Whether a function's body, or old-style parameters, follow the parentheses at `open`.
    fn heads_function(&self, open: usize) -> bool {
        let end = self.closing(open);
        match self.word(end) {
            b"{" => true,
            b";" => false,
            _ => {
                let has_names = (open + 1..end.saturating_sub(1)).all(|at| {
                    self.word(at) == b"," || self.is_name(at) && !KEYWORDS.contains(&self.word(at))
                });
                let body = (end..self.tokens.len()).find(|&at| self.word(at) == b"{");
                let ends = body.is_some_and(|body| self.word(body - 1) == b";");
                end > open + 2 && has_names && self.is_name(end) && ends
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(extended(before.to_owned(), "").0, after);
    }

    #[test]
    fn a_choice_without_middle_gets_one() {
        check("a ?: b", "a ? __contraflow_condition : b");
    }

    #[test]
    fn digraphs_are_brackets() {
        check("int a<:3:> = <% 1 %>;", "int a[ 3]  = {  1 } ;");
    }

    #[test]
    fn what_has_no_type_is_an_int() {
        check(
            "main(argc) char **argv; { }",
            "int main(argc) char **argv; { }",
        );
        check(
            "static x = 3; f() { return x; }",
            "static int x = 3; int f() { return x; }",
        );
        check("typedef int T; T (f)(int);", "typedef int T; T (f)(int);");
        check("DECLARE(x);", "DECLARE(x);");
    }

    #[test]
    fn types_are_compared_by_a_choice() {
        check(
            "__builtin_types_compatible_p(int, f(a, b))",
            "_Generic(*(__typeof__(int) *)0, f(a, b): 1, default: 0)",
        );
    }

    #[test]
    fn numbers_lose_their_separators() {
        check("1'000 + 1.0Q + 0x1fULL", "1000 + 1.0f128 + 0x1fULL");
    }

    #[test]
    fn keywords_of_c23() {
        let made = extended("bool a = nullptr;".to_owned(), "gnu2x").0;
        assert_eq!(made, "_Bool a = ((void *)0);");
        check("bool a;", "bool a;");
    }

    #[test]
    fn names_beyond_the_parser_are_escaped() {
        let (made, escapes) = extended("double é$1;".to_owned(), "");
        assert!(escapes);
        assert_eq!(
            extended("\\U000000e9$1".to_owned(), "").0,
            &made[7..made.len() - 1]
        );
        let name = made
            .strip_prefix("double ")
            .and_then(|it| it.strip_suffix(';'));
        assert_eq!(name.and_then(unescaped).as_deref(), Some("é$1"));
    }
}
