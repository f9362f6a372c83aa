//! Physical lines, each with the file and offset that it came from.

use contraflow_ir::{FileId, Span};

/// One line of the text to be read, without its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The file that it stands in.
    pub file: FileId,
    /// Offset of the line in that file.
    pub start: u32,
    /// Its length there. Differs from `bytes.len()` where the preprocessor replaced macros.
    pub length: u32,
}

impl Line {
    /// The offset in the file of byte `column` of the line.
    pub fn offset(&self, column: usize) -> u32 {
        self.start + (column as u32).min(self.length.saturating_sub(1))
    }

    /// The place of the line from `column` to its end.
    pub fn span_from(&self, column: usize) -> Span {
        Span {
            file: self.file,
            start: self.offset(column),
            end: self.start + self.length,
        }
    }
}

/// The lines of a file as it stands.
pub fn lines_of(file: FileId, bytes: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = bytes[start..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(bytes.len(), |at| start + at);
        let mut text = &bytes[start..end];
        if text.last() == Some(&b'\r') {
            text = &text[..text.len() - 1];
        }
        if start == 0 {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        let skipped = if start == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        lines.push(Line {
            bytes: text.to_vec(),
            file,
            start: (start + skipped) as u32,
            length: text.len() as u32,
        });
        start = end + 1;
    }
    lines
}
