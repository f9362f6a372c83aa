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

/// How many headers of one file may be missing.
const MOST_MISSING: usize = 200;

/// Runs the preprocessor over a file. Falls back on the text as it is, with a diagnostic.
///
/// The preprocessor stops at a header that it does not find; the line that includes it is then left
/// out with a warning, and the rest is read.
pub fn preprocess(
    file: FileId,
    sources: &mut Sources,
    options: &Options,
    host: &dyn Host,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Line> {
    let path = sources.file(file).path.clone();
    let original = sources.file(file).bytes.clone();
    let arguments = arguments(&path, options);
    let mut bytes = without_markers(&original);
    let mut missing = 0;
    loop {
        let output = match host.run("cpp", &arguments, Some(&bytes)) {
            Ok(output) => output,
            Err(error) => {
                diagnostics.push(
                    Diagnostic::warning("preprocessor", format!("cannot run cpp: {error}"))
                        .at(Span::new(file, 0, 0), "")
                        .with_help("install the C preprocessor; the file is read as it stands"),
                );
                return lines_of(file, &original);
            }
        };
        if output.success {
            return map_back(file, &output.stdout, sources, host);
        }
        if missing < MOST_MISSING
            && let Some(absent) = missing_header(&output.stderr)
            && let Some(index) = leave_out(&mut bytes, absent.line)
        {
            missing += 1;
            let line = &lines_of(file, &original)[index];
            diagnostics.push(
                Diagnostic::warning("missing-include", format!("cannot find `{}`", absent.name))
                    .at(line.span_from(0), "included here")
                    .with_help("give its folder with -I"),
            );
            continue;
        }
        diagnostics.push(
            Diagnostic::warning("preprocessor", "the preprocessor reports problems")
                .at(Span::new(file, 0, 0), "")
                .with_note(output.stderr.trim().to_owned())
                .with_help("give macros with -D and include folders with -I"),
        );
        return map_back(file, &output.stdout, sources, host);
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

/// A header that the preprocessor did not find.
struct Missing {
    name: String,
    /// The line of the file that is preprocessed which leads to it, from 1.
    line: usize,
}

/// Reads `file:line:column: fatal error: name: No such file or directory`, and the `In file
/// included from …` before it where another header includes it.
fn missing_header(report: &str) -> Option<Missing> {
    let fatal = report
        .lines()
        .find(|line| line.contains(": fatal error: "))?;
    let (place, message) = fatal.split_once(": fatal error: ")?;
    let name = message.strip_suffix(": No such file or directory")?;
    let line_of = |text: &str| -> Option<usize> {
        let rest = &text[text.find("<stdin>:")? + "<stdin>:".len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest[..digits].parse().ok()
    };
    let line = line_of(place).or_else(|| report.lines().find_map(line_of))?;
    Some(Missing {
        name: name.to_owned(),
        line,
    })
}

/// Empties the line at or before `line` that includes a header (the preprocessor names the one after
/// it), and gives its index; `None` if there is none.
fn leave_out(bytes: &mut [u8], line: usize) -> Option<usize> {
    let mut start = 0;
    let mut found = None;
    for (index, text) in bytes.split(|&b| b == b'\n').take(line).enumerate() {
        let directive = text.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        if directive.is_some_and(|rest| rest.starts_with(b"include")) {
            found = Some((index, start..start + text.len()));
        }
        start += text.len() + 1;
    }
    let (index, range) = found?;
    bytes[range].fill(b' ');
    Some(index)
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
