//! Small scanners over the text of a statement: brackets, strings, names, commas.

use crate::view::Slice;

/// The index after the string that begins at `at`.
pub fn after_string(text: &[u8], at: usize) -> usize {
    let quote = text[at];
    text[at + 1..]
        .iter()
        .position(|&b| b == quote)
        .map_or(text.len(), |length| at + length + 2)
}

/// Whether the byte can stand in a name.
pub fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The index after the name that begins at `at`; `at` if none does.
pub fn after_name(text: &[u8], at: usize) -> usize {
    if !text
        .get(at)
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
    {
        return at;
    }
    let length = text[at..].iter().take_while(|&&b| in_name(b)).count();
    at + length
}

/// The index of the bracket that closes the one at `open`.
pub fn closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while at < text.len() {
        match text[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            b'\'' | b'"' => {
                at = after_string(text, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Calls `f` with each index at bracket depth 0 and outside strings, until it returns true.
pub fn find_top(text: &[u8], slice: Slice, f: impl Fn(&[u8], usize) -> bool) -> Option<usize> {
    let end = (slice.end as usize).min(text.len());
    let mut at = slice.start as usize;
    let mut depth = 0i32;
    while at < end {
        match text[at] {
            b'\'' | b'"' => {
                if depth == 0 && f(text, at) {
                    return Some(at);
                }
                at = after_string(text, at);
                continue;
            }
            b')' | b']' => depth -= 1,
            byte => {
                if depth == 0 && f(text, at) {
                    return Some(at);
                }
                if matches!(byte, b'(' | b'[') {
                    depth += 1;
                }
            }
        }
        at += 1;
    }
    None
}

/// The parts between commas at depth 0. Empty parts are kept, an empty slice has none.
pub fn commas(text: &[u8], slice: Slice) -> Vec<Slice> {
    let mut parts = Vec::new();
    if slice.is_empty() {
        return parts;
    }
    let mut start = slice.start;
    while let Some(comma) = find_top(text, Slice { start, ..slice }, |t, at| t[at] == b',') {
        parts.push(Slice {
            start,
            end: comma as u32,
        });
        start = comma as u32 + 1;
    }
    parts.push(Slice {
        start,
        end: slice.end,
    });
    parts
}

/// The index after a designator (`a`, `a(i)%b(j)`) that begins at `at`.
pub fn after_designator(text: &[u8], at: usize) -> Option<usize> {
    let mut end = after_name(text, at);
    if end == at {
        return None;
    }
    loop {
        match text.get(end) {
            Some(b'(' | b'[') => end = closing(text, end)? + 1,
            Some(b'%') => {
                let next = after_name(text, end + 1);
                if next == end + 1 {
                    return None;
                }
                end = next;
            }
            _ => return Some(end),
        }
    }
}
