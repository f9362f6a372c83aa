//! Heads of program units and specification statements, once assignments are ruled out.

use super::kind::{Attribute, Kind};
use super::scan::{after_name, closing, find_top};
use crate::view::{Slice, Statement};

/// The words of intrinsic types, longest first where one begins another.
const TYPE_WORDS: [&str; 10] = [
    "integer",
    "real",
    "doubleprecision",
    "doublecomplex",
    "complex",
    "logical",
    "character",
    "byte",
    "type(",
    "class(",
];

/// Words that may stand before SUBROUTINE or FUNCTION.
const PREFIX_WORDS: [&str; 6] = [
    "recursive",
    "non_recursive",
    "impure",
    "pure",
    "elemental",
    "module",
];

/// The index after the type that begins at `at`.
pub fn after_type(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let rest = text.get(at..)?;
    let word = TYPE_WORDS.into_iter().find(|word| rest.starts_with(word))?;
    let mut end = at + word.len();
    if word.ends_with('(') {
        return Some(closing(bytes, end - 1)? + 1);
    }
    if bytes.get(end) == Some(&b'*') {
        end += 1;
        if bytes.get(end) == Some(&b'(') {
            return Some(closing(bytes, end)? + 1);
        }
        let digits = bytes[end..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        return (digits > 0).then_some(end + digits);
    }
    if bytes.get(end) == Some(&b'(') {
        end = closing(bytes, end)? + 1;
    }
    Some(end)
}

/// A SUBROUTINE or FUNCTION head. `real functional(n)` is none: the blank tells.
pub fn procedure_head(statement: &Statement) -> Option<Kind> {
    let text = statement.text.as_str();
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        if let Some(word) = procedure_word(rest) {
            let name = (at + word.len()) as u32;
            let is_word =
                at == 0 || statement.has_gap_before(name) || !statement.has_gap_before(at as u32);
            if is_word && let Some(kind) = procedure(bytes, at, word) {
                return Some(kind);
            }
        }
        if let Some(word) = PREFIX_WORDS.into_iter().find(|word| rest.starts_with(word)) {
            at += word.len();
        } else if rest.starts_with("attributes(") {
            // CUDA Fortran says where a procedure runs.
            at = closing(bytes, at + "attributes".len())? + 1;
        } else {
            at = after_type(text, at)?;
        }
    }
}

fn procedure_word(rest: &str) -> Option<&'static str> {
    ["subroutine", "function"]
        .into_iter()
        .find(|word| rest.starts_with(word))
}

fn procedure(bytes: &[u8], at: usize, word: &str) -> Option<Kind> {
    let start = at + word.len();
    let name_end = after_name(bytes, start);
    if name_end == start || bytes[start] == b'_' {
        return None;
    }
    if bytes.starts_with(b"module") && bytes.get(name_end) != Some(&b'(') {
        return None;
    }
    let prefix = Slice::new(0, at);
    let name = Slice::new(start, name_end);
    let (arguments, end) = parenthesized(bytes, name_end)?;
    if word == "subroutine" {
        return Some(Kind::Subroutine {
            prefix,
            name,
            arguments,
        });
    }
    if end == name_end {
        return None;
    }
    Some(Kind::Function {
        prefix,
        name,
        arguments,
        result: result_name(bytes, end),
    })
}

/// What stands in the parentheses at `at`, and the index after them.
pub fn parenthesized(bytes: &[u8], at: usize) -> Option<(Slice, usize)> {
    if bytes.get(at) != Some(&b'(') {
        return Some((Slice::new(at, at), at));
    }
    let close = closing(bytes, at)?;
    Some((Slice::new(at + 1, close), close + 1))
}

fn result_name(bytes: &[u8], mut at: usize) -> Slice {
    while at < bytes.len() {
        let end = after_name(bytes, at);
        if end == at {
            break;
        }
        let Some((inside, next)) = parenthesized(bytes, end) else {
            break;
        };
        if &bytes[at..end] == b"result" {
            return inside;
        }
        at = next;
    }
    Slice::default()
}

/// A specification statement or the head of a unit.
pub fn specification(text: &str) -> Option<Kind> {
    unit_head(text)
        .or_else(|| type_definition(text))
        .or_else(|| declaration(text))
        .or_else(|| other(text))
}

fn rest(text: &str, word: &str) -> Option<Slice> {
    text.starts_with(word)
        .then(|| Slice::new(word.len(), text.len()))
}

fn unit_head(text: &str) -> Option<Kind> {
    if let Some(name) = rest(text, "program") {
        return Some(Kind::Program(name));
    }
    // In an interface MODULE may be left out.
    let names = rest(text, "moduleprocedure").or_else(|| rest(text, "procedure"));
    if let Some(names) = names.filter(|names| !text[names.start as usize..].starts_with('(')) {
        return Some(Kind::ModuleProcedure(after_colons(
            text,
            names.start as usize,
        )));
    }
    if let Some(names) = procedure_list(text) {
        return Some(Kind::ModuleProcedure(names));
    }
    if let Some(name) = rest(text, "module") {
        return (after_name(text.as_bytes(), 6) == text.len()).then_some(Kind::Module(name));
    }
    if text.starts_with("submodule(") {
        let close = closing(text.as_bytes(), 9)?;
        return Some(Kind::Submodule {
            parent: Slice::new(10, close),
            name: Slice::new(close + 1, text.len()),
        });
    }
    if let Some(name) = rest(text, "blockdata") {
        return Some(Kind::BlockData(name));
    }
    if text.starts_with("entry") {
        let end = after_name(text.as_bytes(), 5);
        let (arguments, next) = parenthesized(text.as_bytes(), end)?;
        return Some(Kind::Entry {
            name: Slice::new(5, end),
            arguments,
            result: result_name(text.as_bytes(), next),
        });
    }
    if let Some(generic) = rest(text, "interface") {
        return Some(Kind::Interface { generic });
    }
    if text == "abstractinterface" {
        return Some(Kind::Interface {
            generic: Slice::default(),
        });
    }
    if let Some(list) = rest(text, "enumerator") {
        return Some(Kind::Enumerator(list));
    }
    text.starts_with("enum,bind").then_some(Kind::Enum)
}

/// The names of `PROCEDURE [::] a, b` in an interface block.
fn procedure_list(text: &str) -> Option<Slice> {
    let names = rest(text, "procedure")?;
    let skip = match text[names.range()].starts_with("::") {
        true => 2,
        false => 0,
    };
    let names = Slice {
        start: names.start + skip,
        ..names
    };
    let is_list = text[names.range()]
        .split(',')
        .all(|name| !name.is_empty() && after_name(name.as_bytes(), 0) == name.len());
    is_list.then_some(names)
}

fn type_definition(text: &str) -> Option<Kind> {
    if !text.starts_with("type") || text.starts_with("type(") {
        return None;
    }
    let whole = Slice::new(4, text.len());
    let bytes = text.as_bytes();
    if let Some(at) = find_top(bytes, whole, |t, at| t[at..].starts_with(b"::")) {
        return Some(Kind::TypeDefinition {
            attributes: Slice::new(4, at),
            name: Slice::new(at + 2, text.len()),
        });
    }
    (text.len() > 4 && after_name(bytes, 4) == text.len()).then_some(Kind::TypeDefinition {
        attributes: Slice::default(),
        name: whole,
    })
}

fn declaration(text: &str) -> Option<Kind> {
    let bytes = text.as_bytes();
    let end = if text.starts_with("procedure(") {
        closing(bytes, 9)? + 1
    } else {
        after_type(text, 0)?
    };
    let tail = Slice::new(end, text.len());
    let type_spec = Slice::new(0, end);
    if let Some(at) = find_top(bytes, tail, |t, at| t[at..].starts_with(b"::")) {
        return Some(Kind::Declaration {
            type_spec,
            attributes: Slice::new(end, at),
            entities: Slice::new(at + 2, text.len()),
        });
    }
    // `CHARACTER*4, a` has a comma without `::`.
    let skip = usize::from(bytes.get(end) == Some(&b','));
    Some(Kind::Declaration {
        type_spec,
        attributes: Slice::new(end, end),
        entities: Slice::new(end + skip, text.len()),
    })
}

fn other(text: &str) -> Option<Kind> {
    if let Some(tail) = rest(text, "use") {
        return Some(use_statement(text, tail));
    }
    if text.starts_with("import") {
        return Some(Kind::Import);
    }
    if let Some(tail) = rest(text, "implicit") {
        return Some(Kind::Implicit(tail));
    }
    if text.starts_with("intent(") {
        let close = closing(text.as_bytes(), 6)?;
        return Some(Kind::Intent {
            intent: Slice::new(7, close),
            entities: after_colons(text, close + 1),
        });
    }
    if text.starts_with("parameter") {
        let (list, _) = parenthesized(text.as_bytes(), 9)?;
        let list = if list.is_empty() {
            Slice::new(9, text.len())
        } else {
            list
        };
        return Some(Kind::Parameter(list));
    }
    type Make = fn(Slice) -> Kind;
    let lists: [(&str, Make); 4] = [
        ("namelist", Kind::Namelist),
        ("data", Kind::Data),
        ("common", Kind::Common),
        ("equivalence", Kind::Equivalence),
    ];
    for (word, make) in lists {
        if let Some(tail) = rest(text, word) {
            return Some(make(tail));
        }
    }
    if text.starts_with("format(") {
        return Some(Kind::Format);
    }
    attribute(text).or_else(|| ignored(text))
}

fn use_statement(text: &str, tail: Slice) -> Kind {
    let bytes = text.as_bytes();
    let mut start = tail.start as usize;
    if let Some(at) = find_top(bytes, tail, |t, at| t[at..].starts_with(b"::")) {
        let only = find_top(bytes, tail, |t, at| t[at..].starts_with(b"only:"));
        if only.is_none_or(|only| at < only) {
            start = at + 2;
        }
    }
    let end = after_name(bytes, start);
    let skip = usize::from(bytes.get(end) == Some(&b','));
    Kind::Use {
        module: Slice::new(start, end),
        rest: Slice::new(end + skip, text.len()),
    }
}

fn after_colons(text: &str, at: usize) -> Slice {
    let skip = if text[at..].starts_with("::") { 2 } else { 0 };
    Slice::new(at + skip, text.len())
}

fn attribute(text: &str) -> Option<Kind> {
    const WORDS: [(&str, Attribute); 13] = [
        ("allocatable", Attribute::Allocatable),
        ("contiguous", Attribute::Contiguous),
        ("dimension", Attribute::Dimension),
        ("external", Attribute::External),
        ("intrinsic", Attribute::Intrinsic),
        ("optional", Attribute::Optional),
        ("pointer", Attribute::Pointer),
        ("private", Attribute::Private),
        ("protected", Attribute::Protected),
        ("public", Attribute::Public),
        ("save", Attribute::Save),
        ("target", Attribute::Target),
        ("value", Attribute::Value),
    ];
    let (word, attribute) = WORDS.into_iter().find(|(word, _)| text.starts_with(word))?;
    Some(Kind::Attribute(attribute, after_colons(text, word.len())))
}

/// Specifications that say nothing about values, and what stands in derived types.
fn ignored(text: &str) -> Option<Kind> {
    const WORDS: [&str; 8] = [
        "sequence",
        "volatile",
        "asynchronous",
        "bind(",
        "codimension",
        "generic",
        "final",
        "procedure",
    ];
    WORDS
        .into_iter()
        .any(|word| text.starts_with(word))
        .then_some(Kind::OtherSpecification)
}
