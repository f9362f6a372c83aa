//! Which source form a file is in, judged by its content. Suffixes lie: `.F` is free form in some
//! code bases, and `.f90` fixed in others. They only break ties.

use super::lines::Line;
use contraflow_ir::Language;
use std::path::Path;

/// How many lines are looked at.
const ENOUGH: usize = 4000;

/// The form of a file.
pub fn form_of(path: &Path, lines: &[Line]) -> Language {
    let mut free = 0usize;
    let mut fixed = 0usize;
    let mut continued = false;
    for line in lines.iter().take(ENOUGH) {
        let text = line.bytes.as_slice();
        if text.first() == Some(&b'#') || text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if is_fixed_comment(text) {
            fixed += 1;
            continue;
        }
        if text.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'!') {
            continue;
        }
        if is_fixed_continuation(text) {
            if continued {
                free += 1;
            } else {
                fixed += 2;
            }
        } else if begins_early(text) {
            free += 1;
        }
        continued = ends_with_ampersand(text);
        if continued {
            free += 2;
        }
    }
    let by_suffix = path
        .extension()
        .and_then(|suffix| suffix.to_str())
        .is_some_and(|suffix| {
            matches!(
                suffix.to_ascii_lowercase().as_str(),
                "f" | "for" | "ftn" | "f77" | "fpp"
            )
        });
    let is_fixed = match fixed.cmp(&free) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => by_suffix,
    };
    if is_fixed {
        Language::FortranFixed
    } else {
        Language::FortranFree
    }
}

/// A comment letter in column 1 that cannot begin a free-form statement.
fn is_fixed_comment(text: &[u8]) -> bool {
    match text[0] {
        b'*' => true,
        b'c' | b'C' => {
            let is_f2py = text.len() > 5 && text[1..5].eq_ignore_ascii_case(b"f2py");
            let in_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
            is_f2py || !text.get(1).is_some_and(in_word)
        }
        // A debugging line, its letter where free form has a statement.
        b'd' | b'D' => text.len() > 6 && text[1..6].iter().all(|&b| b == b' '),
        _ => false,
    }
}

/// Five blanks and a mark that is no letter.
fn is_fixed_continuation(text: &[u8]) -> bool {
    text.len() > 5
        && text[..5].iter().all(|&b| b == b' ')
        && !text[5].is_ascii_whitespace()
        && !text[5].is_ascii_alphabetic()
        && !matches!(text[5], b'0' | b'!')
}

/// A statement that begins before column 7 with a letter.
fn begins_early(text: &[u8]) -> bool {
    let first = text.iter().position(|b| *b != b' ').unwrap_or(0);
    first < 5 && text[first].is_ascii_alphabetic()
}

/// Whether the last code byte, within the fixed form's columns, is `&`.
fn ends_with_ampersand(text: &[u8]) -> bool {
    let code = match text.iter().position(|&b| b == b'!') {
        Some(at) => &text[..at],
        None => text,
    };
    match code.iter().rposition(|b| !b.is_ascii_whitespace()) {
        Some(at) => code[at] == b'&' && at > 6,
        None => false,
    }
}
