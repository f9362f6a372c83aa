//! The text that the parser sees: the expressions of a statement with everything overwritten that
//! could mislead the grammar, no byte moved.
//!
//! Fortran has no reserved words, but the grammar has: `rank(2)`, `real(x)`, `data` as names
//! derail it. So each name becomes as many `z`, each string a string of `z`; what they are is
//! read from the statement's own text by byte range. Type specifications in array constructors,
//! the star of an alternate return and `%val` become blanks; they are recorded.

use crate::syntax::scan::{after_name, after_string, closing, find_top};
use crate::view::Slice;

/// The overwritten text and what was recorded.
pub struct Neutral {
    /// As long as the statement's text.
    pub text: Vec<u8>,
    /// Type specifications of array constructors.
    pub type_specs: Vec<Slice>,
    /// Those of constructors without values, which the parser sees with one.
    pub empty: Vec<Slice>,
    /// Where stars of alternate returns stood.
    pub stars: Vec<u32>,
}

/// Overwrites everything but the `slices`, which are put in a row with commas between.
pub fn neutralize(text: &str, slices: &[Slice]) -> Neutral {
    let source = text.as_bytes();
    let mut neutral = Neutral {
        text: vec![b' '; source.len()],
        type_specs: Vec::new(),
        empty: Vec::new(),
        stars: Vec::new(),
    };
    let mut any = false;
    for slice in slices.iter().filter(|slice| !slice.is_empty()) {
        if any && slice.start > 0 {
            neutral.text[slice.start as usize - 1] = b',';
        }
        any = true;
        overwrite(source, *slice, &mut neutral);
    }
    neutral
}

fn overwrite(source: &[u8], slice: Slice, neutral: &mut Neutral) {
    let end = (slice.end as usize).min(source.len());
    let mut at = slice.start as usize;
    while at < end {
        let byte = source[at];
        let next = match byte {
            b'\'' | b'"' => string(source, at, neutral),
            b'0'..=b'9' => number(source, at, end, neutral),
            b'.' => dot(source, at, end, neutral),
            b'a'..=b'z' if opens_argument(source, at, slice) && counter_type(source, at) > at => {
                counter_type(source, at)
            }
            b'a'..=b'z' | b'_' | b'$' => name(source, at, neutral),
            b'[' => {
                neutral.text[at] = b'[';
                type_spec(source, at, at + 1, neutral)
            }
            b'(' if source.get(at + 1) == Some(&b'/') && source.get(at + 2) != Some(&b')') => {
                neutral.text[at..at + 2].copy_from_slice(b"(/");
                type_spec(source, at, at + 2, neutral)
            }
            b'*' if opens_argument(source, at, slice) && is_label(source, at + 1) => {
                neutral.stars.push(at as u32);
                at + 1
            }
            b'%' if opens_argument(source, at, slice) => after_name(source, at + 1).max(at + 1),
            _ => {
                neutral.text[at] = byte;
                at + 1
            }
        };
        at = next.max(at + 1);
    }
    // A name or string that runs over the slice's end belongs to what follows.
    let over = at.min(source.len());
    if over > end {
        neutral.text[end..over].fill(b' ');
    }
}

fn opens_argument(source: &[u8], at: usize, slice: Slice) -> bool {
    at == slice.start as usize || matches!(source[at - 1], b',' | b'(')
}

fn is_label(source: &[u8], at: usize) -> bool {
    let digits = source[at..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    digits > 0 && matches!(source.get(at + digits), None | Some(b',' | b')'))
}

fn string(source: &[u8], at: usize, neutral: &mut Neutral) -> usize {
    let mut end = after_string(source, at);
    // A doubled quote goes on with the same string.
    while source.get(end) == Some(&source[at]) {
        end = after_string(source, end);
    }
    neutral.text[at..end].fill(b'z');
    neutral.text[at] = source[at];
    neutral.text[end - 1] = source[at];
    end
}

fn name(source: &[u8], at: usize, neutral: &mut Neutral) -> usize {
    let mut end = at + 1;
    while source
        .get(end)
        .is_some_and(|&b| crate::syntax::scan::in_name(b))
    {
        end += 1;
    }
    let is_boz = end == at + 1
        && matches!(source[at], b'b' | b'o' | b'z' | b'x')
        && matches!(source.get(end), Some(b'\'' | b'"'));
    if is_boz {
        let close = after_string(source, end);
        neutral.text[at..close].copy_from_slice(&source[at..close]);
        return close;
    }
    neutral.text[at..end].fill(b'z');
    if end > at + 1 && source[end - 1] == b'_' && matches!(source.get(end), Some(b'\'' | b'"')) {
        neutral.text[end - 1] = b'_';
    }
    end
}

/// Copies a number; its kind, if a name, becomes `z`.
fn number(source: &[u8], at: usize, end: usize, neutral: &mut Neutral) -> usize {
    let mut next = at;
    let digits = |from: usize| {
        let count = source[from..end]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        from + count
    };
    next = digits(next);
    if next < end && source[next] == b'.' && !is_dot_word(source, next) {
        next = digits(next + 1);
    }
    next = exponent(source, next, end);
    neutral.text[at..next].copy_from_slice(&source[at..next]);
    for byte in &mut neutral.text[at..next] {
        if *byte == b'q' {
            *byte = b'd';
        }
    }
    if next < end && source[next] == b'_' {
        neutral.text[next] = b'_';
        next += 1;
        while next < end && crate::syntax::scan::in_name(source[next]) {
            let is_digit = source[next].is_ascii_digit();
            neutral.text[next] = if is_digit { source[next] } else { b'z' };
            next += 1;
        }
    }
    next
}

fn exponent(source: &[u8], at: usize, end: usize) -> usize {
    if at >= end || !matches!(source[at], b'e' | b'd' | b'q') {
        return at;
    }
    let mut next = at + 1;
    if next < end && matches!(source[next], b'+' | b'-') {
        next += 1;
    }
    let count = source[next..end]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    if count == 0 { at } else { next + count }
}

/// Whether `.name.` stands at `at`.
fn is_dot_word(source: &[u8], at: usize) -> bool {
    let end = at
        + 1
        + source[at + 1..]
            .iter()
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
    end > at + 1 && source.get(end) == Some(&b'.')
}

/// `.and.`, `.true.`, `.myop.` or a number that begins with its point.
fn dot(source: &[u8], at: usize, end: usize, neutral: &mut Neutral) -> usize {
    if is_dot_word(source, at) {
        let length = source[at + 1..]
            .iter()
            .position(|&b| b == b'.')
            .unwrap_or(0);
        let close = at + length + 2;
        neutral.text[at..close].copy_from_slice(&source[at..close]);
        if source.get(close) == Some(&b'_') {
            return number(source, close, end, neutral);
        }
        return close;
    }
    if source.get(at + 1).is_some_and(u8::is_ascii_digit) {
        neutral.text[at] = b'.';
        return number(source, at + 1, end, neutral);
    }
    neutral.text[at] = b'.';
    at + 1
}

/// Where the name in `integer(k) :: name = first, last` of an implied loop begins; `at` if none does.
fn counter_type(source: &[u8], at: usize) -> usize {
    let Some(rest) = source[at..].strip_prefix(b"integer") else {
        return at;
    };
    let word = source.len() - rest.len();
    let colons = match rest.first() {
        Some(b'(') => closing(source, word).map_or(word, |close| close + 1),
        _ => word,
    };
    let start = colons + 2;
    let is_typed = source[colons..].starts_with(b"::");
    let end = if is_typed {
        after_name(source, start)
    } else {
        at
    };
    match (source.get(end), source.get(end + 1)) {
        (Some(b'='), Some(next)) if end > start && *next != b'=' => start,
        _ => at,
    }
}

/// Blanks the type of an array constructor that opens at `open`; returns where its items begin.
fn type_spec(source: &[u8], open: usize, start: usize, neutral: &mut Neutral) -> usize {
    let Some(close) = closing(source, open) else {
        return start;
    };
    let inside = Slice::new(start, close);
    let is_type = |t: &[u8], at: usize| t[at..].starts_with(b"::");
    match find_top(source, inside, is_type) {
        Some(colons) if source[start].is_ascii_alphabetic() && colons > start => {
            let spec = Slice::new(start, colons);
            neutral.type_specs.push(spec);
            if source.get(colons + 2) == source.get(close).filter(|&&end| end == b']')
                || source[colons + 2..].starts_with(b"/)")
            {
                neutral.empty.push(spec);
                neutral.text[start] = b'z';
            }
            colons + 2
        }
        _ => start,
    }
}
