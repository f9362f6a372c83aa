//! Free source form: `&` continues a line, also inside strings; `!` begins a comment.

use super::lines::Line;
use super::splitter::{Splitter, Statements, sentinel};

/// Splits lines in free form.
pub fn split(lines: &[Line]) -> Statements {
    let mut splitter = Splitter::new();
    let mut continued = false;
    for line in lines {
        if line.bytes.first() == Some(&b'#') {
            continue;
        }
        continued = read_line(&mut splitter, line, continued);
    }
    splitter.into_statements()
}

/// Reads one line; returns whether the statement goes on in the next.
fn read_line(splitter: &mut Splitter, line: &Line, continued: bool) -> bool {
    let bytes = &line.bytes;
    let first = bytes.iter().position(|b| !b.is_ascii_whitespace());
    let Some(first) = first else {
        return continued;
    };
    if bytes[first] == b'!' && !(continued && splitter.in_text()) {
        comment(splitter, line, first);
        return continued;
    }
    let mut at = first;
    if continued {
        if bytes[first] == b'&' {
            at = first + 1;
            if bytes[at..].iter().all(u8::is_ascii_whitespace) {
                return true;
            }
        } else if splitter.in_text() {
            at = 0;
        }
    } else {
        at = label(splitter, line, first);
    }
    let more = read_bytes(splitter, line, at);
    if !more {
        splitter.finish();
    }
    more
}

fn comment(splitter: &mut Splitter, line: &Line, first: usize) {
    let text = &line.bytes[first + 1..];
    if let Some((family, skip)) = sentinel(text) {
        let rest = String::from_utf8_lossy(&text[skip..]);
        let continues = rest.starts_with('&');
        splitter.directive(
            family,
            &without_comment(&rest),
            continues,
            line.span_from(first),
        );
    }
}

/// A directive's text up to a trailing comment.
fn without_comment(text: &str) -> String {
    text.split('!').next().unwrap_or("").to_owned()
}

/// Takes a statement label; returns where the statement begins.
fn label(splitter: &mut Splitter, line: &Line, first: usize) -> usize {
    let bytes = &line.bytes;
    let digits = bytes[first..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    if digits == 0 || digits > 5 {
        return first;
    }
    let number = bytes[first..first + digits]
        .iter()
        .fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
    splitter.label(
        number,
        line.file,
        line.offset(first),
        line.offset(first + digits),
    );
    first + digits
}

/// Reads the code of a line; returns whether it ends with `&`.
fn read_bytes(splitter: &mut Splitter, line: &Line, start: usize) -> bool {
    let bytes = &line.bytes;
    let last = bytes.iter().rposition(|b| !b.is_ascii_whitespace());
    let mut at = start;
    while at < bytes.len() {
        let byte = bytes[at];
        if splitter.in_text() {
            if byte == b'&' && Some(at) == last {
                return true;
            }
        } else if byte == b'!' {
            return false;
        } else if byte == b'&' && ends_here(&bytes[at + 1..]) {
            return true;
        } else if splitter.at_start() && byte.is_ascii_digit() {
            let next = label(splitter, line, at);
            if next > at {
                at = next;
                continue;
            }
        }
        splitter.byte(byte, line.file, line.offset(at));
        at += 1;
    }
    false
}

/// Whether nothing but blanks and a comment follow.
fn ends_here(rest: &[u8]) -> bool {
    match rest.iter().find(|b| !b.is_ascii_whitespace()) {
        None => true,
        Some(&byte) => byte == b'!',
    }
}
