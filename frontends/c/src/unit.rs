//! One translation unit from preprocessed text to a module of its own.

use crate::Options;
use crate::cst::{self, Failure};
use crate::declare::Unit;
use crate::lower::{functions_of_unit, lower_function, values_of_unit};
use crate::view::{self, OffsetMap, Scan, View};
use contraflow_ir::{
    Callee, Container, ContainerKind, Diagnostic, FileId, Host, Language, Module, Sources, Span,
    Stmt,
};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::Path;

/// lang-c and the lowering recurse as deep as the program nests.
const STACK_BYTES: usize = 4 << 30;

/// Brackets nested deeper than this are refused before the parser recurses over them.
const DEEPEST_NESTING: usize = 25_000;

/// A preprocessed file.
pub(crate) struct Prepared {
    file: FileId,
    text: String,
    /// Whether names in the text are escaped.
    escapes: bool,
    scan: Scan,
    /// The user's file of each marked file; `None` for system headers.
    users: Vec<Option<FileId>>,
}

/// What a translation unit adds.
pub(crate) struct Translated {
    pub module: Module,
    pub diagnostics: Vec<Diagnostic>,
}

/// Preprocesses all files and loads what they include.
pub(crate) fn prepare(
    sources: &mut Sources,
    files: &[FileId],
    options: &Options,
    host: &dyn Host,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Prepared> {
    let shared = &*sources;
    let texts: Vec<_> = files
        .par_iter()
        .map(|&file| view::preprocess(shared, file, options, host))
        .collect();
    let mut prepared = Vec::new();
    for (&file, text) in files.iter().zip(texts) {
        sources.set_language(file, Language::C);
        match text {
            Ok(text) => {
                let (text, escapes) = view::extended(text, options.standard_of(file));
                let scan = view::scan(&text);
                let users = user_files(sources, file, &scan, host);
                prepared.push(Prepared {
                    file,
                    text,
                    escapes,
                    scan,
                    users,
                });
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    prepared
}

fn user_files(
    sources: &mut Sources,
    file: FileId,
    scan: &Scan,
    host: &dyn Host,
) -> Vec<Option<FileId>> {
    let own = sources.file(file).path.display().to_string();
    scan.files
        .iter()
        .map(|marked| {
            if marked.path == own {
                return Some(file);
            }
            if marked.is_system || marked.path.starts_with('<') || marked.path.is_empty() {
                return None;
            }
            let path = Path::new(&marked.path);
            sources.find(path).or_else(|| {
                let bytes = host.read(path).ok()?;
                let id = sources.add(path, bytes);
                sources.set_language(id, Language::C);
                Some(id)
            })
        })
        .collect()
}

/// Translates all units, in parallel, in the order of the files.
pub(crate) fn translate_all(
    sources: &Sources,
    prepared: Vec<Prepared>,
) -> Vec<Result<Translated, Box<Diagnostic>>> {
    prepared
        .into_par_iter()
        .map(|prepared| on_large_stack(sources, prepared))
        .collect()
}

fn on_large_stack(sources: &Sources, prepared: Prepared) -> Result<Translated, Box<Diagnostic>> {
    let file = prepared.file;
    let place = Span::new(file, 0, 0);
    if deepest_nesting(prepared.text.as_bytes()) > DEEPEST_NESTING {
        return Err(Box::new(
            Diagnostic::error("too-deep", "brackets are nested too deeply to be read")
                .at(place, "in this file"),
        ));
    }
    let joined = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || translate(sources, prepared))
            .map(std::thread::ScopedJoinHandle::join)
    });
    match joined {
        Ok(Ok(translated)) => Ok(translated),
        Ok(Err(_)) => Err(Box::new(
            Diagnostic::error("internal", "the file could not be translated")
                .at(place, "this file")
                .with_note("this is a defect of Contraflow; please report it with the file"),
        )),
        Err(error) => Err(Box::new(
            Diagnostic::error("internal", format!("no thread for the parser: {error}"))
                .at(place, "to read this file"),
        )),
    }
}

fn deepest_nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in text {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn translate(sources: &Sources, prepared: Prepared) -> Translated {
    let Prepared {
        file,
        text,
        escapes,
        scan,
        users,
    } = prepared;
    let map = OffsetMap::build(&text, &scan, |index| {
        let id = users.get(index as usize).copied().flatten()?;
        Some((id, sources.file(id).bytes.as_slice()))
    });
    let mut bytes = text.into_bytes();
    let marks = view::overwrite(&mut bytes);
    view::prune(&mut bytes, |offset| map.locate(offset).is_some());
    let mut text = String::from_utf8(bytes).unwrap_or_default();
    let tree = cst::parse(&mut text);
    let view = View {
        text,
        map,
        pragmas: scan.pragmas,
        marks,
    };
    let mut module = Module::default();
    let container = module.containers.add(container(sources, file));
    let mut unit = Unit::new(&view, sources, module, container);
    report_failures(&mut unit, &tree.failures);
    unit.declare_all(&tree.unit);
    for index in 0..unit.functions.len() {
        lower_function(&mut unit, index, &tree.failures);
    }
    values_of_unit(&mut unit);
    if tree.failures.is_empty() {
        unit.note_initial_targets();
    }
    functions_of_unit(&mut unit);
    let (mut module, diagnostics) = (unit.module, unit.diagnostics);
    if escapes {
        put_names_back(&mut module);
    }
    Translated {
        module,
        diagnostics,
    }
}

/// Names as the user wrote them, with `$` and letters beyond ASCII.
fn put_names_back(module: &mut Module) {
    let back = |name: &mut String| {
        if let Some(written) = view::unescaped(name) {
            *name = written;
        }
    };
    for (_, procedure) in module.procedures.iter_mut() {
        back(&mut procedure.name);
        for (_, variable) in procedure.variables.iter_mut() {
            back(&mut variable.name);
            variable.spelling.iter_mut().for_each(back);
        }
        for (_, node) in procedure.stmts.iter_mut() {
            if let Stmt::Call {
                callee: Callee::External(name),
                ..
            } = &mut node.stmt
            {
                back(name);
            }
        }
    }
    for (_, global) in module.globals.iter_mut() {
        back(&mut global.name);
        global.spelling.iter_mut().for_each(back);
    }
    for (_, record) in module.records.iter_mut() {
        back(&mut record.name);
        for field in &mut record.fields {
            back(&mut field.name);
            field.spelling.iter_mut().for_each(back);
        }
    }
}

fn container(sources: &Sources, file: FileId) -> Container {
    let source = sources.file(file);
    let stem = source.path.file_stem().unwrap_or_default();
    Container {
        name: stem.to_string_lossy().into_owned(),
        kind: ContainerKind::TranslationUnit,
        file,
        span: Span::new(file, 0, source.bytes.len()),
        declare_at: declare_at(&source.bytes),
        insert_at: source.bytes.len() as u32,
        has_contains: false,
    }
}

/// After the last `#include` that stands outside of conditions, or the top.
fn declare_at(bytes: &[u8]) -> u32 {
    let (mut after, mut at, mut depth) = (0usize, 0usize, 0i32);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        at += line.len();
        let Some(directive) = line.trim_ascii_start().strip_prefix(b"#") else {
            continue;
        };
        let directive = directive.trim_ascii_start();
        if directive.starts_with(b"if") {
            depth += 1;
        } else if directive.starts_with(b"endif") {
            depth -= 1;
        } else if directive.starts_with(b"include") && depth <= 0 {
            after = at;
        }
    }
    after as u32
}

/// One warning per piece of the user's that did not parse.
fn report_failures(unit: &mut Unit<'_>, failures: &[Failure]) {
    let mut seen: HashMap<usize, ()> = HashMap::new();
    for failure in failures {
        if seen.insert(failure.start, ()).is_some() {
            continue;
        }
        let at = unit.view.map.locate(failure.at);
        let piece = unit.view.map.locate(failure.start);
        let span = if at.is_some() { at } else { piece };
        let message = match span.is_some() {
            true => "this text could not be parsed",
            false => "a declaration in a system header could not be parsed",
        };
        let mut diagnostic = Diagnostic::warning("unparsed", message)
            .at(span, "the parser stops here")
            .with_note("the rest of the file is translated");
        if piece.is_some() && piece != span {
            diagnostic = diagnostic.at(piece, "in the declaration that begins here");
        }
        if !failure.expected.is_empty() {
            diagnostic = diagnostic.with_note(format!("expected one of: {}", failure.expected));
        }
        unit.diagnostics.push(
            diagnostic.with_help("check the text with a compiler; flags such as -D may be missing"),
        );
    }
}
