//! Blanks the declarations of system headers that the user's text does not need. A file of a
//! hundred lines may include thousands, and the parser is by far the slowest stage.
//!
//! A declaration is needed if it declares a name that the user's text, or a needed declaration,
//! mentions. What a declaration declares is read off its tokens; where that is not plain, all its
//! names count, so that too much is kept, never too little.

use super::lex::{self, Directives, Token};
use std::collections::{HashMap, HashSet};

/// Words that stand in declarations and name nothing.
const KEYWORDS: [&[u8]; 27] = [
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
    b"extern",
    b"static",
    b"const",
    b"__const",
    b"volatile",
    b"inline",
    b"__inline",
    b"restrict",
    b"__restrict",
    b"_Bool",
    b"_Complex",
    b"_Float128",
    b"return",
    b"if",
];

/// A declaration or function at the top level: tokens `first..=last`.
struct Piece {
    first: usize,
    last: usize,
    is_users: bool,
}

/// Blanks what is not needed. `is_users` tells whether a byte is in a file of the user's.
pub(crate) fn prune(text: &mut [u8], is_users: impl Fn(usize) -> bool) {
    let tokens = lex::tokens(text, 0, text.len(), Directives::Skip);
    let Some(pieces) = cut(text, &tokens, is_users) else {
        return;
    };
    let unneeded: Vec<(usize, usize)> = unneeded(text, &tokens, &pieces)
        .into_iter()
        .map(|piece| {
            let piece = &pieces[piece];
            let (first, last) = (tokens[piece.first], tokens[piece.last]);
            (first.start as usize, last.end as usize)
        })
        .collect();
    for (start, end) in unneeded {
        for byte in &mut text[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

/// The pieces of the text; `None` if its brackets do not match.
fn cut(text: &[u8], tokens: &[Token], is_users: impl Fn(usize) -> bool) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let (mut depth, mut first) = (0usize, 0usize);
    let mut is_body = false;
    for (index, token) in tokens.iter().enumerate() {
        let mut ends = false;
        match token.of(text) {
            b"{" if depth == 0 => {
                is_body = index > first && matches!(tokens[index - 1].of(text), b")" | b";");
                depth += 1;
            }
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" => depth = depth.checked_sub(1)?,
            b"}" => {
                depth = depth.checked_sub(1)?;
                ends = depth == 0 && is_body;
            }
            b";" => ends = depth == 0,
            _ => {}
        }
        if ends {
            let places = [tokens[first].start, token.start];
            pieces.push(Piece {
                first,
                last: index,
                is_users: places.iter().any(|&place| is_users(place as usize)),
            });
            first = index + 1;
            is_body = false;
        }
    }
    (depth == 0).then_some(pieces)
}

fn is_name(word: &[u8]) -> bool {
    let is_word = word
        .first()
        .is_some_and(|&byte| lex::is_word(byte) && !byte.is_ascii_digit());
    is_word && !KEYWORDS.contains(&word)
}

/// The indices of the pieces that nothing of the user's leads to.
fn unneeded(text: &[u8], tokens: &[Token], pieces: &[Piece]) -> Vec<usize> {
    let words = |piece: &Piece| {
        tokens[piece.first..=piece.last]
            .iter()
            .map(|token| token.of(text))
    };
    let mut by_name: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (index, piece) in pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| !piece.is_users)
    {
        let words: Vec<&[u8]> = words(piece).collect();
        for name in declared(&words) {
            by_name.entry(name).or_default().push(index);
        }
    }
    let mut is_needed: Vec<bool> = pieces.iter().map(|piece| piece.is_users).collect();
    let mut open: Vec<usize> = (0..pieces.len())
        .filter(|&index| is_needed[index])
        .collect();
    // What follows the last piece, such as a function that does not end, is the user's too.
    let mut seen: HashSet<&[u8]> = HashSet::new();
    let rest = pieces.last().map_or(0, |piece| piece.last + 1);
    let mut wanted: Vec<&[u8]> = tokens[rest..].iter().map(|token| token.of(text)).collect();
    loop {
        for word in std::mem::take(&mut wanted) {
            if !is_name(word) || !seen.insert(word) {
                continue;
            }
            for &index in by_name.get(word).into_iter().flatten() {
                if !std::mem::replace(&mut is_needed[index], true) {
                    open.push(index);
                }
            }
        }
        match open.pop() {
            Some(index) => wanted.extend(words(&pieces[index])),
            None => break,
        }
    }
    (0..pieces.len())
        .filter(|&index| !is_needed[index])
        .collect()
}

/// The names that a piece declares, or more.
fn declared<'t>(words: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let all = || words.iter().copied().filter(|word| is_name(word)).collect();
    let outside = outside(words);
    let is_typedef = words.contains(&b"typedef".as_slice());
    if words.contains(&b"{".as_slice()) {
        return with_braces(words, &outside);
    }
    let open = outside.iter().position(|&at| words[at] == b"(");
    match open {
        Some(open) if !is_typedef => {
            let open = outside[open];
            let is_plain = open > 0
                && is_name(words[open - 1])
                && !words[open - 1].starts_with(b"__typeof")
                && words[open - 1] != b"typeof"
                && !matches!(words.get(open + 1), Some(&(b"*" | b"(")))
                && !outside.iter().any(|&at| words[at] == b",");
            match is_plain {
                true => vec![words[open - 1]],
                false => all(),
            }
        }
        Some(_) => all(),
        None => {
            let ends = |at: &usize| matches!(words.get(at + 1), Some(&(b";" | b"," | b"[" | b"=")));
            let names = outside.iter().filter(|&&at| is_name(words[at]));
            names
                .filter(|&at| ends(at))
                .map(|&at| words[at])
                .chain(tags(words))
                .collect()
        }
    }
}

/// The positions of the words outside of all brackets; opening brackets count as outside.
fn outside(words: &[&[u8]]) -> Vec<usize> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match *word {
            b"(" | b"[" | b"{" => {
                if depth == 0 {
                    found.push(at);
                }
                depth += 1;
            }
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ if depth == 0 => found.push(at),
            _ => {}
        }
    }
    found
}

/// The names after `struct`, `union` and `enum`.
fn tags<'t>(words: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let pairs = words.windows(2);
    pairs
        .filter(|pair| matches!(pair[0], b"struct" | b"union" | b"enum") && is_name(pair[1]))
        .map(|pair| pair[1])
        .collect()
}

fn with_braces<'t>(words: &[&'t [u8]], outside: &[usize]) -> Vec<&'t [u8]> {
    let open = outside.iter().find(|&&at| words[at] == b"(");
    let is_function = words.last() == Some(&b"}".as_slice());
    if let (true, Some(&open)) = (is_function, open)
        && open > 0
        && is_name(words[open - 1])
    {
        return vec![words[open - 1]];
    }
    if is_function || words.contains(&b"enum".as_slice()) {
        return words.iter().copied().filter(|word| is_name(word)).collect();
    }
    let names = outside.iter().map(|&at| words[at]);
    names
        .filter(|word| is_name(word))
        .chain(tags(words))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, user: &str, kept: &str) {
        let mut text = format!("{header}\n{user}").into_bytes();
        let limit = header.len();
        prune(&mut text, |at| at > limit);
        let text = String::from_utf8(text).expect("ASCII stays ASCII");
        let kept_header: Vec<&str> = text[..limit].split_whitespace().collect();
        assert_eq!(kept_header.join(" "), kept);
        assert_eq!(&text[limit + 1..], user);
    }

    #[test]
    fn what_nobody_names_goes() {
        check(
            "typedef unsigned long size_t; extern size_t strlen(const char *s); extern double sin(double x);",
            "double f(double x) { return sin(x); }",
            "extern double sin(double x);",
        );
    }

    #[test]
    fn needs_are_followed() {
        check(
            "typedef long a_t; typedef struct s { a_t a; } b_t; typedef int c_t; extern b_t *make(void);",
            "int f(void) { return make()->a; }",
            "typedef long a_t; typedef struct s { a_t a; } b_t; extern b_t *make(void);",
        );
    }

    #[test]
    fn members_of_an_enum_are_names() {
        check(
            "enum e { ONE, TWO }; enum g { X };",
            "int a = TWO;",
            "enum e { ONE, TWO };",
        );
    }

    #[test]
    fn what_is_not_plain_is_kept_by_any_of_its_names() {
        check(
            "extern void (*signal(int s, void (*h)(int)))(int);",
            "void g(void) { signal(1, 0); }",
            "extern void (*signal(int s, void (*h)(int)))(int);",
        );
    }
}
