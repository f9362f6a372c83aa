//! INCLUDE lines: replaced by the lines of the file that they name.

use super::lines::{Line, lines_of};
use crate::Options;
use contraflow_ir::{Diagnostic, FileId, Host, Sources};
use std::path::{Path, PathBuf};

/// How deep includes may nest.
const DEEPEST: usize = 40;

/// How many include lines one file may lead to; files that include each other twice over would
/// otherwise grow without bound.
const MOST: usize = 20_000;

/// What expansion needs.
pub struct Expander<'a> {
    /// All files.
    pub sources: &'a mut Sources,
    /// Where to look.
    pub options: &'a Options,
    /// Who reads.
    pub host: &'a dyn Host,
    /// What was found wrong.
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

impl Expander<'_> {
    /// The lines with all includes replaced.
    pub fn expand(&mut self, lines: Vec<Line>) -> Vec<Line> {
        if !lines.iter().any(|line| include_name(&line.bytes).is_some()) {
            return lines;
        }
        let mut done = Vec::with_capacity(lines.len());
        let mut open: Vec<(FileId, std::vec::IntoIter<Line>)> = Vec::new();
        let mut count = 0;
        let root = lines.first().map_or(FileId(u32::MAX), |line| line.file);
        open.push((root, lines.into_iter()));
        while let Some((_, rest)) = open.last_mut() {
            let Some(line) = rest.next() else {
                open.pop();
                continue;
            };
            match include_name(&line.bytes) {
                Some(_) if count >= MOST => {}
                Some(name) => {
                    count += 1;
                    let stack: Vec<FileId> = open.iter().map(|(file, _)| *file).collect();
                    if let Some(file) = self.open(&name, &line, &stack) {
                        let inner = lines_of(file, &self.sources.file(file).bytes);
                        open.push((file, inner.into_iter()));
                    }
                }
                None => done.push(line),
            }
        }
        done
    }

    /// Finds the file of an include line, unless it is already being read.
    fn open(&mut self, name: &str, line: &Line, stack: &[FileId]) -> Option<FileId> {
        let span = line.span_from(0);
        let Some(file) = self.find(name, line.file) else {
            self.diagnostics.push(
                Diagnostic::warning("missing-include", format!("cannot find `{name}`"))
                    .at(span, "included here")
                    .with_help("give its folder with -I"),
            );
            return None;
        };
        if stack.contains(&file) || stack.len() > DEEPEST {
            self.diagnostics.push(
                Diagnostic::error("recursive-include", format!("`{name}` includes itself"))
                    .at(span, "this line is left out")
                    .with_help("remove the INCLUDE line, or include a file that ends"),
            );
            return None;
        }
        Some(file)
    }

    fn find(&mut self, name: &str, from: FileId) -> Option<FileId> {
        let own = self.sources.file(from).path.parent().map(Path::to_path_buf);
        let folders = own
            .into_iter()
            .chain(self.options.include_directories.clone());
        let candidates: Vec<PathBuf> = folders.map(|folder| folder.join(name)).collect();
        candidates.into_iter().find_map(|path| {
            if let Some(file) = self.sources.find(&path) {
                return Some(file);
            }
            let bytes = self.host.read(&path).ok()?;
            Some(self.sources.add(path, bytes))
        })
    }
}

/// The name in `INCLUDE 'name'`, if the line is one.
fn include_name(line: &[u8]) -> Option<String> {
    let text = line.trim_ascii();
    let head = text.get(..7)?;
    if !head.eq_ignore_ascii_case(b"include") {
        return None;
    }
    let rest = text[7..].trim_ascii_start();
    let quote = *rest.first()?;
    if !matches!(quote, b'\'' | b'"') {
        return None;
    }
    let end = rest[1..].iter().position(|&b| b == quote)?;
    Some(String::from_utf8_lossy(&rest[1..1 + end]).into_owned())
}
