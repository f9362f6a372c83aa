//! Runs the system's preprocessor and turns its complaints into located diagnostics.

use crate::Options;
use contraflow_ir::{Diagnostic, FileId, Host, ProgramOutput, SourceFile, Sources, Span};
use std::io;

/// The programs that are tried, in order.
const PREPROCESSORS: [&str; 3] = ["gcc", "cc", "clang"];

/// The preprocessed text of `file`, with line markers; or what is wrong.
pub(crate) fn preprocess(
    sources: &Sources,
    file: FileId,
    options: &Options,
    host: &dyn Host,
) -> Result<String, Box<Diagnostic>> {
    let source = sources.file(file);
    refuse_unreadable(source, file)?;
    let arguments = arguments(source, file, options);
    let input = input(source);
    for program in PREPROCESSORS {
        match host.run(program, &arguments, Some(&input)) {
            Ok(output) if output.success => return Ok(ascii_tolerant(output.stdout)),
            Ok(output) => return Err(Box::new(complaint(sources, file, program, &output))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Box::new(
                    Diagnostic::error(
                        "preprocessor",
                        format!("`{program}` cannot be run: {error}"),
                    )
                    .at(Span::new(file, 0, 0), "to preprocess this file"),
                ));
            }
        }
    }
    Err(Box::new(
        Diagnostic::error("preprocessor", "no C preprocessor was found")
            .at(Span::new(file, 0, 0), "to preprocess this file")
            .with_note(format!("tried: {}", PREPROCESSORS.join(", ")))
            .with_help("install gcc or clang, or put one of them on the PATH"),
    ))
}

fn refuse_unreadable(source: &SourceFile, file: FileId) -> Result<(), Box<Diagnostic>> {
    let path = source.path.display();
    if source.bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Box::new(
            Diagnostic::warning("empty-file", format!("`{path}` is empty"))
                .at(Span::new(file, 0, 0), "there is nothing to translate"),
        ));
    }
    if let Some(at) = source.bytes.iter().position(|&byte| byte == 0) {
        return Err(Box::new(
            Diagnostic::error("binary-file", format!("`{path}` is not a text file"))
                .at(Span::new(file, at, at + 1), "a zero byte")
                .with_help("name a C source file"),
        ));
    }
    Ok(())
}

/// The file goes in through standard input, so that what is read is what was loaded.
fn arguments(source: &SourceFile, file: FileId, options: &Options) -> Vec<String> {
    let mut arguments = vec!["-E".to_owned(), "-x".to_owned(), "c".to_owned()];
    if !options.standard.is_empty() {
        arguments.push(format!("-std={}", options.standard));
    }
    let folder = source.path.parent().map(|path| path.display().to_string());
    let folder = folder.filter(|folder| !folder.is_empty());
    arguments.push("-iquote".to_owned());
    arguments.push(folder.unwrap_or_else(|| ".".to_owned()));
    for directory in &options.include_directories {
        arguments.push(format!("-I{}", directory.display()));
    }
    for (name, value) in &options.definitions {
        arguments.push(match value.is_empty() {
            true => format!("-D{name}"),
            false => format!("-D{name}={value}"),
        });
    }
    arguments.extend(options.of_files.get(&file).into_iter().flatten().cloned());
    arguments.push("-".to_owned());
    arguments
}

/// The file's bytes below a line marker that names it. `#line` directives of its own go: places
/// are those of the text that is there, not of what it was made from.
fn input(source: &SourceFile) -> Vec<u8> {
    let name = source.path.display().to_string();
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut input = format!("# 1 \"{name}\"\n").into_bytes();
    for line in source.bytes.split_inclusive(|&byte| byte == b'\n') {
        match is_line_directive(line) {
            true => input.push(b'\n'),
            false => input.extend_from_slice(line),
        }
    }
    if !input.ends_with(b"\n") {
        input.push(b'\n');
    }
    input
}

fn is_line_directive(line: &[u8]) -> bool {
    let Some(directive) = line.trim_ascii_start().strip_prefix(b"#") else {
        return false;
    };
    let directive = directive.trim_ascii_start();
    directive.first().is_some_and(u8::is_ascii_digit)
        || directive
            .strip_prefix(b"line")
            .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// UTF-8 where it is that; otherwise each byte beyond ASCII becomes a `?`, so that offsets stay.
fn ascii_tolerant(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        bytes
            .into_iter()
            .map(|byte| if byte.is_ascii() { byte as char } else { '?' })
            .collect()
    })
}

/// The first error that the preprocessor reports, at its place.
fn complaint(sources: &Sources, file: FileId, program: &str, output: &ProgramOutput) -> Diagnostic {
    let errors: Vec<&str> = output
        .stderr
        .lines()
        .filter(|line| line.contains("error"))
        .collect();
    let first = errors.first().copied().unwrap_or("it does not say why");
    let (place, message) = match first.split_once("error:") {
        Some((place, message)) => (place, message.trim()),
        None => ("", first),
    };
    let span = located(sources, place).unwrap_or(Span::new(file, 0, 0));
    let mut diagnostic =
        Diagnostic::error("preprocessor", format!("{program} -E: {message}")).at(span, "here");
    for error in errors.iter().skip(1).take(4) {
        diagnostic = diagnostic.with_note((*error).to_owned());
    }
    diagnostic.with_help("give the flags that the file is compiled with: -I, -D, --std")
}

/// The line that `path:line:column:` names, if the file is loaded.
fn located(sources: &Sources, place: &str) -> Option<Span> {
    let mut parts = place.split(':');
    let path = parts.next()?;
    let line: usize = parts.next()?.trim().parse().ok()?;
    let id = sources.find(path.as_ref())?;
    let bytes = &sources.file(id).bytes;
    let mut starts = std::iter::once(0).chain(
        bytes
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'\n')
            .map(|(at, _)| at + 1),
    );
    let start = starts.nth(line.checked_sub(1)?)?;
    let length = bytes[start..].iter().position(|&byte| byte == b'\n');
    Some(Span::new(
        id,
        start,
        length.map_or(bytes.len(), |n| start + n),
    ))
}
