//! A logical statement: what is left of one or more source lines once continuations, comments
//! and blanks are gone, with a map from each byte back to the user's file.

use contraflow_ir::{FileId, Span};

/// One logical statement.
///
/// Blanks outside character context carry no meaning once the kind of a statement is known, in
/// either source form, so the text has none: `DO 10 I = 1, N` is `do10i=1,n`. All later stages
/// work on this text; everything that is shown or quoted goes through the map.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Statement {
    /// Lower case outside character context, no blanks, ASCII (other bytes became `?`).
    pub text: String,
    /// The same bytes in the source's own case.
    pub original: String,
    /// The statement label.
    pub label: Option<u32>,
    /// The file, and the place from the first to the last byte.
    pub span: SpanParts,
    /// Segments `(offset in text, offset in file)`, ascending; within a segment both advance
    /// together.
    map: Vec<(u32, u32)>,
}

/// A span under construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpanParts {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Default for SpanParts {
    fn default() -> Self {
        Self {
            file: Span::NONE.file,
            start: u32::MAX,
            end: 0,
        }
    }
}

/// A part of a statement's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Slice {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Slice {
    /// The part `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// As a range of bytes.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.end as usize).max(self.start as usize)
    }
}

impl Statement {
    /// Adds one byte that stands at `offset` of `file`.
    pub(super) fn push(&mut self, byte: u8, keep_case: bool, file: FileId, offset: u32) {
        let position = self.text.len() as u32;
        let follows = self
            .map
            .last()
            .is_some_and(|&(text, place)| place + (position - text) == offset);
        if !follows {
            self.map.push((position, offset));
        }
        let shown = if byte.is_ascii() { byte } else { b'?' };
        let plain = if keep_case {
            shown
        } else {
            shown.to_ascii_lowercase()
        };
        self.text.push(plain as char);
        self.original.push(shown as char);
        self.cover(file, offset, offset + 1);
    }

    /// Drops map segments that lie behind the end of the text, after bytes were taken back.
    pub(super) fn forget_after(&mut self) {
        let length = self.text.len() as u32;
        while self.map.last().is_some_and(|&(text, _)| text >= length) {
            self.map.pop();
        }
    }

    /// Extends the place of the statement.
    pub(super) fn cover(&mut self, file: FileId, start: u32, end: u32) {
        if self.span.file == Span::NONE.file {
            self.span.file = file;
        }
        if self.span.file == file {
            self.span.start = self.span.start.min(start);
            self.span.end = self.span.end.max(end);
        }
    }

    /// The place of the whole statement.
    pub fn place(&self) -> Span {
        if self.span.start > self.span.end {
            return Span::NONE;
        }
        Span {
            file: self.span.file,
            start: self.span.start,
            end: self.span.end,
        }
    }

    /// The file offset of a byte of the text.
    pub fn offset(&self, position: u32) -> u32 {
        let segment = self.map.partition_point(|&(text, _)| text <= position);
        match segment.checked_sub(1).map(|index| self.map[index]) {
            Some((text, place)) => place + (position - text),
            None => self.span.start,
        }
    }

    /// The place of a part of the text.
    pub fn span_of(&self, slice: Slice) -> Span {
        if slice.is_empty() {
            return self.place();
        }
        Span {
            file: self.span.file,
            start: self.offset(slice.start),
            end: self.offset(slice.end - 1) + 1,
        }
    }

    /// Whether something stood before the byte at `at` in the source that is not in the text.
    pub fn has_gap(&self, at: usize) -> bool {
        at > 0 && self.offset(at as u32) != self.offset(at as u32 - 1) + 1
    }

    /// A part of the lower-case text.
    pub fn part(&self, slice: Slice) -> &str {
        self.text.get(slice.range()).unwrap_or("")
    }

    /// A part of the text in the source's case.
    pub fn original_part(&self, slice: Slice) -> &str {
        self.original.get(slice.range()).unwrap_or("")
    }

    /// The statement as one line that a compiler takes: blanks where the source has blanks or
    /// line breaks.
    pub fn readable(&self) -> String {
        self.readable_part(Slice::new(0, self.text.len()))
    }

    /// A part of the statement as a compiler takes it.
    pub fn readable_part(&self, slice: Slice) -> String {
        let mut line = String::with_capacity(slice.range().len() + 16);
        let mut quote = None;
        for (at, byte) in slice.range().zip(self.original_part(slice).bytes()) {
            let is_inside = quote.is_some();
            if !is_inside && !line.is_empty() && self.has_gap_before(at as u32) {
                line.push(' ');
            }
            match quote {
                Some(open) if open == byte => quote = None,
                None if matches!(byte, b'\'' | b'"') => quote = Some(byte),
                _ => {}
            }
            line.push(byte as char);
        }
        line
    }

    /// Whether the source has a blank (or a line break) between this byte and the one before it.
    pub fn has_gap_before(&self, position: u32) -> bool {
        position > 0 && self.offset(position) != self.offset(position - 1) + 1
    }
}
