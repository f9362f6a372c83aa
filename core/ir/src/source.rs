//! Source files and places in them. A [`Span`] always means the user's original text: views that
//! a front end derives (free form made of fixed form, preprocessed text) map back to it.

use std::path::{Path, PathBuf};

/// Names a file of [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// The bytes `start..end` of an original file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The place of code that the user did not write. It has no file to point at.
    pub const NONE: Span = Span {
        file: FileId(u32::MAX),
        start: 0,
        end: 0,
    };

    /// The span of `file[start..end]`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self {
            file,
            start: start as u32,
            end: end as u32,
        }
    }

    /// Whether the span points into a file.
    pub fn is_some(self) -> bool {
        self.file != Self::NONE.file
    }

    /// The smallest span that holds both; `self` where they are in different files.
    pub fn join(self, other: Span) -> Span {
        if !self.is_some() {
            return other;
        }
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// The language that a file is written in. Only front ends, back ends and the command line ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// Fortran in free form.
    FortranFree,
    /// Fortran in fixed form.
    FortranFixed,
    /// C.
    C,
}

impl Language {
    /// Whether it is Fortran in either form.
    pub fn is_fortran(self) -> bool {
        matches!(self, Self::FortranFree | Self::FortranFixed)
    }
}

/// One file as it was read. Its text never changes.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceFile {
    /// The path as the user gave it (or as an include line resolved).
    pub path: PathBuf,
    /// The bytes on disk. Not always UTF-8: legacy comments are often Latin-1.
    pub bytes: Vec<u8>,
    /// The language, once a front end has looked at it.
    pub language: Option<Language>,
}

impl SourceFile {
    /// The text, with bytes that are not UTF-8 read as Latin-1, so that it can always be shown.
    /// Byte offsets of [`Span`] count in `bytes`, not in this string, where the two differ.
    pub fn text(&self) -> String {
        latin1_tolerant(&self.bytes)
    }

    /// Line (from 1) and column in bytes (from 1) of a byte offset.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.bytes[..offset.min(self.bytes.len())];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = offset
            - before
                .iter()
                .rposition(|&b| b == b'\n')
                .map_or(0, |p| p + 1)
            + 1;
        (line, column)
    }
}

/// UTF-8 where the bytes are UTF-8, else Latin-1.
pub fn latin1_tolerant(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&b| b as char).collect(),
    }
}

/// All files of a run: what the user named, and what those include.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file and names it.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: Vec<u8>) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            path: path.into(),
            bytes,
            language: None,
        });
        id
    }

    /// The file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Notes the language that a front end found.
    pub fn set_language(&mut self, id: FileId, language: Language) {
        self.files[id.0 as usize].language = Some(language);
    }

    /// The file of this path, if it was loaded.
    pub fn find(&self, path: &Path) -> Option<FileId> {
        self.files
            .iter()
            .position(|file| file.path == path)
            .map(|index| FileId(index as u32))
    }

    /// All files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, file)| (FileId(index as u32), file))
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether no file was loaded.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The user's text at `span`, decoded for display; empty for [`Span::NONE`].
    pub fn snippet(&self, span: Span) -> String {
        if !span.is_some() {
            return String::new();
        }
        let bytes = &self.file(span.file).bytes;
        let end = (span.end as usize).min(bytes.len());
        latin1_tolerant(&bytes[(span.start as usize).min(end)..end])
    }
}
