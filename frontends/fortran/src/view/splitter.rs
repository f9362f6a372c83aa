//! From lines to logical statements, for both source forms: the part that is common to them.
//!
//! A form hands over the bytes of a statement one by one; this knows strings and Hollerith
//! constants, drops blanks, and cuts at `;`.

use super::statement::Statement;
use contraflow_ir::{FileId, Span};

/// A directive line (`!$omp …`, `!$ad …`) with its continuations joined.
#[derive(Clone, PartialEq, Debug)]
pub struct DirectiveLine {
    /// Which family: `omp`, `acc`, `ad`, `taf`, lower case.
    pub sentinel: String,
    /// The text after the sentinel, in the source's case, blanks kept single.
    pub text: String,
    /// The place.
    pub span: Span,
    /// The index of the statement that follows.
    pub before: usize,
}

/// All statements and directives of a file, in order.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Statements {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The directives.
    pub directives: Vec<DirectiveLine>,
}

/// Where the scanner is inside a statement.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Context {
    Code,
    Quoted(u8),
    Hollerith(u32),
}

/// Builds statements from bytes.
pub(super) struct Splitter {
    done: Statements,
    current: Statement,
    context: Context,
    directive_open: bool,
}

impl Splitter {
    pub(super) fn new() -> Self {
        Self {
            done: Statements::default(),
            current: Statement::default(),
            context: Context::Code,
            directive_open: false,
        }
    }

    /// Whether the next byte is inside a string.
    pub(super) fn in_text(&self) -> bool {
        self.context != Context::Code
    }

    /// Sets the label of the statement that begins.
    pub(super) fn label(&mut self, label: u32, file: FileId, start: u32, end: u32) {
        self.current.label = Some(label);
        self.current.cover(file, start, end);
    }

    /// Whether nothing but perhaps a label has been read of the current statement.
    pub(super) fn at_start(&self) -> bool {
        self.current.text.is_empty()
    }

    /// Takes one byte of the statement.
    pub(super) fn byte(&mut self, byte: u8, file: FileId, offset: u32) {
        match self.context {
            Context::Quoted(quote) => {
                self.current.push(byte, true, file, offset);
                if byte == quote {
                    self.context = Context::Code;
                }
            }
            Context::Hollerith(left) => {
                if byte == b'\'' {
                    self.current.push(byte, true, file, offset);
                }
                self.current.push(byte, true, file, offset);
                self.context = Context::Hollerith(left - 1);
                if left == 1 {
                    self.current.push(b'\'', true, file, offset);
                    self.context = Context::Code;
                }
            }
            Context::Code => self.code(byte, file, offset),
        }
    }

    fn code(&mut self, byte: u8, file: FileId, offset: u32) {
        match byte {
            b' ' | b'\t' | 0x0c | b'\r' => {}
            b';' => self.finish(),
            b'\'' | b'"' => {
                self.context = Context::Quoted(byte);
                self.current.push(byte, true, file, offset);
            }
            b'h' | b'H' => match self.hollerith_length() {
                Some((digits, length)) => {
                    for _ in 0..digits {
                        self.current.text.pop();
                        self.current.original.pop();
                    }
                    self.current.forget_after();
                    self.current.push(b'\'', true, file, offset);
                    self.context = Context::Hollerith(length);
                }
                None => self.current.push(byte, false, file, offset),
            },
            _ => self.current.push(byte, false, file, offset),
        }
    }

    /// `5H`: the number of digits and their value, if what stands before is a Hollerith count.
    fn hollerith_length(&self) -> Option<(usize, u32)> {
        let text = self.current.text.as_bytes();
        let digits = text.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 || digits > 4 {
            return None;
        }
        let before = text[..text.len() - digits].last().copied()?;
        let in_format = text.starts_with(b"format(");
        let in_data = text.starts_with(b"data");
        let opens =
            matches!(before, b'(' | b',' | b'/' | b'=') || (before == b'*' && in_data) || in_format;
        if !opens {
            return None;
        }
        let length: u32 = self.current.text[text.len() - digits..].parse().ok()?;
        (length > 0).then_some((digits, length))
    }

    /// Ends the statement.
    pub(super) fn finish(&mut self) {
        self.context = Context::Code;
        self.directive_open = false;
        let statement = std::mem::take(&mut self.current);
        if !statement.text.is_empty() {
            self.done.statements.push(statement);
        }
    }

    /// Takes a directive line. `continues`: it begins with `&`, or stands in column 6.
    pub(super) fn directive(&mut self, sentinel: &str, text: &str, continues: bool, span: Span) {
        let text = text.trim();
        let (text, open) = match text.strip_suffix('&') {
            Some(rest) => (rest.trim_end(), true),
            None => (text, false),
        };
        let joins = continues || self.directive_open;
        match self.done.directives.last_mut() {
            Some(last) if joins && last.sentinel == sentinel => {
                if !last.text.is_empty() {
                    last.text.push(' ');
                }
                last.text
                    .push_str(text.trim_start_matches('&').trim_start());
                last.span = last.span.join(span);
            }
            _ => {
                let pending = usize::from(!self.current.text.is_empty());
                self.done.directives.push(DirectiveLine {
                    sentinel: sentinel.to_owned(),
                    text: text.to_owned(),
                    span,
                    before: self.done.statements.len() + pending,
                });
            }
        }
        self.directive_open = open;
    }

    /// All that was read.
    pub(super) fn into_statements(mut self) -> Statements {
        self.finish();
        self.done
    }
}

/// The directive family of a comment's text (what follows `!`, `c` or `*`), and where its own
/// text begins.
pub(super) fn sentinel(comment: &[u8]) -> Option<(&'static str, usize)> {
    const FAMILIES: [&str; 5] = ["omp", "acc", "taf", "ad", "dir"];
    let rest = comment.strip_prefix(b"$")?;
    FAMILIES.into_iter().find_map(|family| {
        let head = rest.get(..family.len())?;
        let next = rest.get(family.len()).copied().unwrap_or(b' ');
        (head.eq_ignore_ascii_case(family.as_bytes()) && !next.is_ascii_alphanumeric())
            .then_some((family, 1 + family.len()))
    })
}
