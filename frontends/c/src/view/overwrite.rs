//! Makes preprocessed text fit for the parser, in place: bytes are overwritten, never moved, so
//! that offsets stay. What goes are attributes and GNU extensions that carry no meaning for us.

use super::lex::{self, Directives, Token};
use std::collections::{HashMap, HashSet};

/// Initialiser lists longer than this, of arrays whose length is stated, are emptied: they are
/// data, and parsing a hundred thousand numbers is most of the time of a run.
const LONG_LIST: u32 = 64_000;

const TYPE_WORDS: [&[u8]; 17] = [
    b"int",
    b"double",
    b"float",
    b"char",
    b"long",
    b"short",
    b"unsigned",
    b"signed",
    b"const",
    b"static",
    b"struct",
    b"union",
    b"enum",
    b"_Bool",
    b"volatile",
    b"register",
    b"_Complex",
];

/// Part of a complex number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Real,
    Imaginary,
}

/// Places where the overwritten text means something else than what stands there, by offset.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Marks {
    /// Attributes that change the type of what they stand in (`vector_size`, `mode`).
    pub retyping: Vec<usize>,
    /// Attributes that change how a struct lies in memory (`packed`, `aligned`).
    pub packing: Vec<usize>,
    /// Each `sizeof` that asks for an alignment.
    pub alignments: HashSet<usize>,
    /// The zero that stands for each list that was emptied.
    pub emptied: HashSet<usize>,
    /// Each `~` that takes a part of a complex number.
    pub parts: HashMap<usize, Part>,
}

/// Overwrites what the parser does not take.
pub(crate) fn overwrite(text: &mut [u8]) -> Marks {
    let tokens = lex::tokens(text, 0, text.len(), Directives::Skip);
    let mut pass = Pass {
        text,
        tokens: &tokens,
        depth: 0,
        previous: b';',
        marks: Marks::default(),
    };
    let mut index = 0;
    while index < tokens.len() {
        index = pass.step(index);
    }
    pass.marks
}

struct Pass<'t> {
    text: &'t mut [u8],
    tokens: &'t [Token],
    /// Braces and parentheses that are open.
    depth: usize,
    /// The last byte of the last token that was kept.
    previous: u8,
    marks: Marks,
}

impl Pass<'_> {
    fn word(&self, index: usize) -> &[u8] {
        self.tokens
            .get(index)
            .map_or(b"".as_slice(), |token| token.of(self.text))
    }

    fn blank(&mut self, from: usize, to: usize) {
        let (Some(first), Some(last)) = (self.tokens.get(from), self.tokens.get(to.max(1) - 1))
        else {
            return;
        };
        for byte in &mut self.text[first.start as usize..last.end as usize] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn replace(&mut self, index: usize, word: &[u8]) {
        self.blank(index, index + 1);
        let start = self.tokens[index].start as usize;
        self.text[start..start + word.len()].copy_from_slice(word);
        self.previous = b'x';
    }

    /// The index after the bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for index in open..self.tokens.len() {
            match self.word(index) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => {
                    depth -= 1;
                    if depth == 0 {
                        return index + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Blanks the word at `index` and the parentheses after it.
    fn blank_call(&mut self, index: usize) -> usize {
        let end = match self.word(index + 1) {
            b"(" => self.closing(index + 1),
            _ => index + 1,
        };
        self.blank(index, end);
        end
    }

    fn blank_attribute(&mut self, index: usize) -> usize {
        let end = match self.word(index + 1) {
            b"(" => self.closing(index + 1),
            _ => index + 1,
        };
        let at = self.tokens[index].start as usize;
        for inner in index..end {
            let word = self.word(inner);
            let word = word.strip_prefix(b"__").unwrap_or(word);
            let word = word.strip_suffix(b"__").unwrap_or(word);
            match word {
                b"vector_size" | b"ext_vector_type" | b"mode" => self.marks.retyping.push(at),
                b"packed" | b"aligned" | b"gcc_struct" | b"ms_struct" => {
                    self.marks.packing.push(at);
                }
                _ => {}
            }
        }
        self.blank_call(index)
    }

    /// Treats the token at `index`; the index of the next one to look at.
    fn step(&mut self, index: usize) -> usize {
        let next = index + 1;
        match self.word(index) {
            b"__attribute__" | b"__attribute" => return self.blank_attribute(index),
            b"_Static_assert" | b"static_assert" if self.word(next) == b"(" => {
                return self.blank_call(index);
            }
            b"__extension__" | b"__thread" => {
                self.blank(index, next);
                return next;
            }
            b"_Alignof" | b"__alignof__" | b"__alignof" => {
                self.marks
                    .alignments
                    .insert(self.tokens[index].start as usize);
                self.replace(index, b"sizeof");
            }
            b"__real__" | b"__real" => self.take_part(index, Part::Real),
            b"__imag__" | b"__imag" => self.take_part(index, Part::Imaginary),
            b"__int128" | b"__int128_t" => self.replace(index, b"long"),
            b"__float128" => self.replace(index, b"_Float128"),
            b"[" if self.word(next) == b"[" && !self.is_subscript() => {
                let end = self.closing(index);
                self.blank(index, end);
                return end;
            }
            b";" if self.depth == 0 && matches!(self.previous, b';' | b'}') && self.is_stray() => {
                self.blank(index, next);
                return next;
            }
            b"{" if self.depth == 0 && self.previous == b'=' => return self.shorten(index),
            b"{" | b"(" => {
                self.depth += 1;
                self.previous = self.word(index)[0];
            }
            b"}" | b")" => {
                self.depth = self.depth.saturating_sub(1);
                self.previous = self.word(index)[0];
            }
            b":" if self.is_label(index) => {
                self.previous = b':';
                self.end_label(index);
            }
            word => self.previous = word.last().copied().unwrap_or(b' '),
        }
        next
    }

    fn take_part(&mut self, index: usize, part: Part) {
        let start = self.tokens[index].start as usize;
        self.marks.parts.insert(start, part);
        self.replace(index, b"~");
        self.previous = b'~';
    }

    /// Whether a `[` here is a subscript, not an attribute.
    fn is_subscript(&self) -> bool {
        lex::is_word(self.previous) || matches!(self.previous, b']' | b')')
    }

    /// Whether a `;` at the top ends nothing. After `}` it may end a declaration of a struct, which
    /// must keep it; a function's body needs none, but the parser takes none either.
    fn is_stray(&self) -> bool {
        self.previous == b';'
    }

    /// Whether the `:` ends a label.
    fn is_label(&self, index: usize) -> bool {
        if self.depth == 0 || index < 2 {
            return false;
        }
        match self.word(index - 1) {
            b"default" => true,
            word if word.first().is_some_and(|&byte| lex::is_word(byte)) => {
                matches!(self.word(index - 2), b"case" | b";" | b"{" | b"}")
            }
            _ => false,
        }
    }

    /// Puts an empty statement between a label and a declaration or the end of its block, where
    /// there is a blank to hold it.
    fn end_label(&mut self, index: usize) {
        let next = self.word(index + 1);
        if next != b"}" && !TYPE_WORDS.contains(&next) {
            return;
        }
        let after = self.tokens[index].end as usize;
        let until = self
            .tokens
            .get(index + 1)
            .map_or(after, |next| next.start as usize);
        let gap = &mut self.text[after..until];
        if let Some(first) = gap.first_mut()
            && (*first == b' ' || *first == b'\n')
            && gap
                .iter()
                .all(|byte| byte.is_ascii_whitespace() || *byte == b';')
        {
            gap[0] = b';';
        }
    }

    /// Empties a long list of an array whose length is stated.
    fn shorten(&mut self, index: usize) -> usize {
        let end = self.closing(index);
        let bytes = self.tokens[end - 1].end - self.tokens[index].start;
        let stated = index >= 3 && self.word(index - 2) == b"]" && self.word(index - 3) != b"[";
        if bytes > LONG_LIST && stated && self.word(end - 1) == b"}" {
            self.blank(index, end);
            let start = self.tokens[index].start as usize;
            self.text[start..start + 3].copy_from_slice(b"{0}");
            self.marks.emptied.insert(start + 1);
        }
        self.previous = b'x';
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        let mut text = before.as_bytes().to_vec();
        overwrite(&mut text);
        let text = String::from_utf8(text).expect("ASCII stays ASCII");
        assert_eq!(text.len(), before.len());
        let squeezed: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(squeezed.join(" "), after);
    }

    #[test]
    fn attributes_go() {
        check("int f(int) __attribute__((pure)) ;", "int f(int) ;");
        check("[[nodiscard]] int f(void);", "int f(void);");
        check("int a = b[c[[0]]];", "int a = b[c[[0]]];");
    }

    #[test]
    fn stray_semicolons_go() {
        check("int a;; int b;", "int a; int b;");
    }

    #[test]
    fn a_declaration_may_follow_a_label() {
        check(
            "void f(int a) { switch (a) { case 1: int b; } }",
            "void f(int a) { switch (a) { case 1:;int b; } }",
        );
    }

    #[test]
    fn attributes_that_change_a_type_are_noted() {
        let mut text = b"typedef double v4 __attribute__((vector_size(32)));".to_vec();
        assert_eq!(overwrite(&mut text).retyping, [18]);
    }

    #[test]
    fn long_lists_of_data_are_emptied() {
        let list = vec!["1.5"; 20_000].join(", ");
        check(
            &format!("double a[20000] = {{{list}}};"),
            "double a[20000] = {0} ;",
        );
    }
}
