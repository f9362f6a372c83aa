//! Fixed source form: labels in columns 1–5, continuation in column 6, statements in 7–72, and
//! the oddities that real files have: tab form, comment letters, D lines, `!` in column 6,
//! comments and blank lines between continuations, strings that run over the cut.

use super::lines::Line;
use super::splitter::{Splitter, Statements, sentinel};

/// The last column that belongs to the statement.
const CUT: usize = 72;

/// Splits lines in fixed form.
pub fn split(lines: &[Line]) -> Statements {
    let mut splitter = Splitter::new();
    for line in lines {
        read_line(&mut splitter, line);
    }
    splitter.into_statements()
}

fn read_line(splitter: &mut Splitter, line: &Line) {
    let bytes = &line.bytes;
    let Some(&first) = bytes.first() else {
        return;
    };
    if matches!(first, b'c' | b'C' | b'*' | b'!' | b'd' | b'D') {
        comment(splitter, line);
        return;
    }
    if first == b'#' || bytes.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    let Some(head) = head(bytes) else {
        return;
    };
    if head.continues {
        read_bytes(splitter, line, head.body);
        return;
    }
    splitter.finish();
    if let Some(label) = head.label {
        splitter.label(label, line.file, line.offset(0), line.offset(head.body));
    }
    read_bytes(splitter, line, head.body);
}

/// What stands before the statement.
struct Head {
    label: Option<u32>,
    continues: bool,
    body: usize,
}

/// Reads the label field; `None` if the line is a comment.
fn head(bytes: &[u8]) -> Option<Head> {
    let mut label = None;
    for (column, &byte) in bytes.iter().take(5).enumerate() {
        match byte {
            b'\t' => {
                let next = bytes.get(column + 1).copied().unwrap_or(b' ');
                let continues = (b'1'..=b'9').contains(&next);
                let body = column + 1 + usize::from(continues);
                return Some(Head {
                    label,
                    continues,
                    body,
                });
            }
            b'0'..=b'9' => label = Some(label.unwrap_or(0) * 10 + u32::from(byte - b'0')),
            b'!' => return None,
            b' ' => {}
            _ => {
                // Not a label: somebody's free-form line in a fixed file. Read it as it stands.
                return Some(Head {
                    label,
                    continues: false,
                    body: column,
                });
            }
        }
    }
    let mark = bytes.get(5).copied().unwrap_or(b' ');
    let tab = mark == b'\t';
    Some(Head {
        label,
        continues: !matches!(mark, b' ' | b'0' | b'\t'),
        body: if tab { 5 } else { 6.min(bytes.len()) },
    })
}

fn read_bytes(splitter: &mut Splitter, line: &Line, start: usize) {
    let bytes = &line.bytes;
    let cut = bytes.len().min(CUT);
    for (at, &byte) in bytes.iter().enumerate().take(cut).skip(start) {
        if !splitter.in_text() && byte == b'!' {
            return;
        }
        splitter.byte(byte, line.file, line.offset(at));
    }
    if splitter.in_text() {
        for _ in cut..CUT {
            if !splitter.in_text() {
                break;
            }
            splitter.byte(b' ', line.file, line.offset(cut.saturating_sub(1)));
        }
    }
}

fn comment(splitter: &mut Splitter, line: &Line) {
    let text = &line.bytes[1..];
    if let Some((family, skip)) = sentinel(text) {
        let rest = String::from_utf8_lossy(&text[skip..]).into_owned();
        let mark = text.get(4).copied().unwrap_or(b' ');
        let continues = skip == 4 && !matches!(mark, b' ' | b'0' | b'\t');
        let body = if continues {
            rest.get(1..).unwrap_or("")
        } else {
            &rest
        };
        splitter.directive(family, body, continues, line.span_from(0));
    }
}
