//! Diagnostics as text, with the user's lines and a caret. The only file that names
//! `codespan_reporting`.
//!
//! Spans count bytes of the file on disk. Legacy files are often Latin-1, and are shown as UTF-8;
//! there each byte above 127 takes two, so offsets are mapped before they are handed on.

use codespan_reporting::diagnostic as report;
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{self, Config};
use contraflow_ir::{Diagnostic, FileId, Severity, SourceFile, Sources};
use std::collections::HashMap;

/// The text of a diagnostic, ending with a line end.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let mut files = SimpleFiles::new();
    let mut shown: HashMap<FileId, usize> = HashMap::new();
    let mut labels = Vec::new();
    for (index, label) in diagnostic.labels.iter().enumerate() {
        let source = sources.file(label.span.file);
        let id = *shown
            .entry(label.span.file)
            .or_insert_with(|| files.add(source.path.display().to_string(), source.text()));
        let style = if index == 0 {
            report::LabelStyle::Primary
        } else {
            report::LabelStyle::Secondary
        };
        let range = shown_offset(source, label.span.start)..shown_offset(source, label.span.end);
        labels.push(report::Label::new(style, id, range).with_message(&label.text));
    }
    let finding = report::Diagnostic::new(severity(diagnostic.severity))
        .with_message(&diagnostic.message)
        .with_code(diagnostic.code)
        .with_labels(labels)
        .with_notes(notes(diagnostic));
    let mut buffer = if colour {
        Buffer::ansi()
    } else {
        Buffer::no_color()
    };
    match term::emit_to_write_style(&mut buffer, &Config::default(), &files, &finding) {
        Ok(()) => {
            String::from_utf8_lossy(buffer.as_slice())
                .trim_end()
                .to_owned()
                + "\n"
        }
        Err(_) => format!("{}\n", diagnostic.message),
    }
}

fn severity(severity: Severity) -> report::Severity {
    match severity {
        Severity::Note => report::Severity::Note,
        Severity::Warning => report::Severity::Warning,
        Severity::Error => report::Severity::Error,
    }
}

fn notes(diagnostic: &Diagnostic) -> Vec<String> {
    let help = diagnostic.help.iter().map(|help| prefixed("help: ", help));
    let notes = diagnostic.notes.iter().map(|note| prefixed("note: ", note));
    notes.chain(help).collect()
}

/// Further lines stand under the first one's text.
fn prefixed(prefix: &str, text: &str) -> String {
    let indent = format!("\n{}", " ".repeat(prefix.len()));
    format!("{prefix}{}", text.trim_end().replace('\n', &indent))
}

fn shown_offset(source: &SourceFile, offset: u32) -> usize {
    let end = (offset as usize).min(source.bytes.len());
    let before = &source.bytes[..end];
    if std::str::from_utf8(&source.bytes).is_ok() {
        return end;
    }
    end + before.iter().filter(|&&byte| byte > 127).count()
}

#[cfg(test)]
mod tests {
    use super::render;
    use contraflow_ir::{Diagnostic, Sources, Span};

    #[test]
    fn a_caret_stands_under_the_place_in_a_latin_1_file() {
        let mut sources = Sources::default();
        let file = sources.add("old.f", b"c caf\xe9 \xfc\n      x = fo(1)\n".to_vec());
        let diagnostic = Diagnostic::error("unknown-name", "`fo` is not declared")
            .at(Span::new(file, 19, 21), "here")
            .with_help("write `foo`");
        let text = render(&diagnostic, &sources, false);
        assert!(
            text.contains("error[unknown-name]: `fo` is not declared"),
            "{text}"
        );
        assert!(text.contains("old.f:2:11"), "{text}");
        assert!(text.contains("^^ here"), "{text}");
        assert!(text.contains("help: write `foo`"), "{text}");
    }

    #[test]
    fn a_diagnostic_without_a_place_is_one_line() {
        let diagnostic = Diagnostic::error("missing-file", "cannot find `a.f90`");
        let text = render(&diagnostic, &Sources::default(), false);
        assert_eq!(text, "error[missing-file]: cannot find `a.f90`\n");
    }
}
