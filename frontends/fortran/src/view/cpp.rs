//! The system's traditional preprocessor, and the way back from its output to the user's lines.
//!
//! A non-traditional one breaks Fortran: `//` looks like a comment to it. Line markers say which
//! line of which file each output line came from. Where a line came through unchanged, columns
//! map exactly; where macros were replaced, they are cut to the line's length.

use super::lines::{Line, lines_of};
use crate::Options;
use contraflow_ir::{Diagnostic, FileId, Host, Sources, Span};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Whether a file is to be preprocessed: `.F*`, or with lines of the preprocessor in it.
pub fn wants_preprocessor(path: &Path, bytes: &[u8]) -> bool {
    let suffix = path.extension().and_then(|s| s.to_str()).unwrap_or("");
    suffix.starts_with('F') || has_preprocessor_lines(bytes)
}

fn has_preprocessor_lines(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 8] = [
        b"if", b"ifdef", b"ifndef", b"define", b"include", b"undef", b"else", b"endif",
    ];
    bytes.split(|&b| b == b'\n').any(|line| {
        let Some(rest) = line.strip_prefix(b"#") else {
            return false;
        };
        let word = rest.trim_ascii_start();
        WORDS.iter().any(|w| word.starts_with(w))
    })
}

/// Runs the preprocessor over a file. Falls back on the text as it is, with a diagnostic.
pub fn preprocess(
    file: FileId,
    sources: &mut Sources,
    options: &Options,
    host: &dyn Host,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Line> {
    let path = sources.file(file).path.clone();
    let bytes = sources.file(file).bytes.clone();
    let arguments = arguments(&path, options);
    match host.run("cpp", &arguments, Some(&without_markers(&bytes))) {
        Ok(output) => {
            if !output.success {
                diagnostics.push(
                    Diagnostic::warning("preprocessor", "the preprocessor reports problems")
                        .at(Span::new(file, 0, 0), "")
                        .with_note(output.stderr.trim().to_owned())
                        .with_help("give macros with -D and include folders with -I"),
                );
            }
            map_back(file, &output.stdout, sources, host)
        }
        Err(error) => {
            diagnostics.push(
                Diagnostic::warning("preprocessor", format!("cannot run cpp: {error}"))
                    .at(Span::new(file, 0, 0), "")
                    .with_help("install the C preprocessor; the file is read as it stands"),
            );
            lines_of(file, &bytes)
        }
    }
}

/// The text without the line markers that are in it already: places are those in the text itself.
fn without_markers(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|&b| b == b'\n');
    let kept = lines.map(|line| match marker(line) {
        Some(_) => b"\n".as_slice(),
        None => line,
    });
    kept.collect::<Vec<_>>().concat()
}

fn arguments(path: &Path, options: &Options) -> Vec<String> {
    let mut arguments = vec!["-traditional-cpp".to_owned(), "-undef".to_owned()];
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        arguments.push(format!("-I{}", folder.display()));
    }
    for folder in &options.include_directories {
        arguments.push(format!("-I{}", folder.display()));
    }
    for (name, value) in &options.definitions {
        arguments.push(format!("-D{name}={value}"));
    }
    arguments.push("-".to_owned());
    arguments
}

/// The lines of one original file.
struct Original {
    file: FileId,
    lines: Vec<Line>,
}

fn map_back(file: FileId, output: &[u8], sources: &mut Sources, host: &dyn Host) -> Vec<Line> {
    let mut known: HashMap<String, Option<Original>> = HashMap::new();
    let original = Original {
        file,
        lines: lines_of(file, &sources.file(file).bytes),
    };
    known.insert("<stdin>".to_owned(), Some(original));
    let mut name = "<stdin>".to_owned();
    let mut number = 1usize;
    let mut lines = Vec::new();
    for text in output.split(|&b| b == b'\n') {
        if let Some((line, path)) = marker(text) {
            number = line;
            name = path;
            if !known.contains_key(&name) {
                let loaded = load(&name, sources, host);
                known.insert(name.clone(), loaded);
            }
            continue;
        }
        let known = known.get(&name).and_then(Option::as_ref);
        match known {
            Some(original) => lines.push(place(original, number, text)),
            // Nobody has the file: its text counts all the same.
            None if !text.trim_ascii().is_empty() => lines.push(Line {
                bytes: text.to_vec(),
                file,
                start: 0,
                length: 0,
            }),
            None => {}
        }
        number += 1;
    }
    lines
}

fn load(name: &str, sources: &mut Sources, host: &dyn Host) -> Option<Original> {
    if name.starts_with('<') {
        return None;
    }
    let path = PathBuf::from(name);
    let file = match sources.find(&path) {
        Some(file) => file,
        None => {
            let bytes = host.read(&path).ok()?;
            sources.add(path, bytes)
        }
    };
    let lines = lines_of(file, &sources.file(file).bytes);
    Some(Original { file, lines })
}

fn place(original: &Original, number: usize, text: &[u8]) -> Line {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let (start, length) = original
        .lines
        .get(number.saturating_sub(1))
        .map_or((0, 0), |line| (line.start, line.length));
    Line {
        bytes: text.to_vec(),
        file: original.file,
        start,
        length,
    }
}

/// `# 12 "name" flags`.
fn marker(text: &[u8]) -> Option<(usize, String)> {
    let rest = std::str::from_utf8(text.strip_prefix(b"# ")?).ok()?;
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let name = rest.strip_prefix('"')?;
    let name = &name[..name.find('"')?];
    Some((number, name.to_owned()))
}
