//! Programs of one construct each, by theme. Each procedure is lowered, written again from its
//! lowered form under another name, compiled, and run beside the original on the same values: both
//! must print the same and leave the same in their arguments. What stays quoted, other than input
//! and output, is listed with its place.

mod driver;

use contraflow_backend_fortran as backend;
use contraflow_frontend_fortran as frontend;
use contraflow_ir::verify::verify;
use contraflow_ir::{Argument, Callee, Module, ProcedureId, ProcedureRole, Sources, Stmt};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the names of the written procedures end with.
const AGAIN: &str = "_again";

/// What is read from standard input.
const INPUT: &str = "2 1.5 2.5\n3\n   4\n   1\n   2\n";

/// The same for a theme that reads a namelist.
const NAMELIST: &str = "&nml i = 3, a = 2.5 /\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/constructs")
}

/// A theme, read and lowered.
struct Theme {
    file: PathBuf,
    sources: Sources,
    module: Module,
}

fn lowered(name: &str) -> Theme {
    let file = folder().join(name);
    let mut sources = Sources::default();
    let bytes = fs::read(&file).expect("the programs are there");
    let id = sources.add(file.clone(), bytes);
    let mut module = Module::default();
    frontend::lower(
        &mut module,
        &mut sources,
        &[id],
        &frontend::Options::default(),
        &contraflow_cli::SystemHost,
    );
    Theme {
        file,
        sources,
        module,
    }
}

impl Theme {
    /// `procedure: kind` of each statement that is quoted, but for input and output.
    fn quoted(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (_, procedure) in self.module.procedures.iter() {
            for id in procedure.all_statements() {
                let node = &procedure.stmts[id];
                if let Stmt::Opaque { kind, .. } = &node.stmt
                    && !PASSIVE.contains(kind)
                {
                    let line = self
                        .sources
                        .file(node.span.file)
                        .line_column(node.span.start as usize)
                        .0;
                    found.push(format!("{}:{line}: {kind}", procedure.name));
                }
            }
        }
        found
    }

    /// Copies of all procedures that call each other instead of the originals.
    fn copied(&mut self) -> Vec<ProcedureId> {
        let originals: Vec<ProcedureId> = self
            .module
            .procedures
            .iter()
            .filter(|(_, procedure)| driver::is_driven(procedure))
            .map(|(id, _)| id)
            .collect();
        let mut copies = BTreeMap::new();
        for of in originals {
            let mut copy = self.module.procedures[of].clone();
            copy.role = ProcedureRole::Copy { of };
            copy.name.push_str(AGAIN);
            copies.insert(of, self.module.procedures.add(copy));
        }
        for &copy in copies.values() {
            let procedure = &mut self.module.procedures[copy];
            for id in procedure.all_statements() {
                let Stmt::Call {
                    callee, arguments, ..
                } = &mut procedure.stmts[id].stmt
                else {
                    continue;
                };
                let passed = arguments.iter_mut().filter_map(|argument| match argument {
                    Argument::Procedure(id) => Some(id),
                    _ => None,
                });
                let called = match callee {
                    Callee::Procedure(id) => Some(id),
                    _ => None,
                };
                for id in passed.chain(called) {
                    *id = *copies.get(id).unwrap_or(id);
                }
            }
        }
        copies.into_values().collect()
    }
}

/// Kinds of statements that are quoted on purpose.
const PASSIVE: [&str; 13] = [
    "print",
    "write",
    "read",
    "open",
    "close",
    "rewind",
    "backspace",
    "endfile",
    "inquire",
    "flush",
    "stop",
    "pause",
    "character",
];

/// Proves that what is written from a theme's lowered form does what the theme does.
fn same(name: &str, quoted: &[&str]) {
    let mut theme = lowered(name);
    assert_eq!(theme.quoted(), quoted, "{name}");
    let copies = theme.copied();
    let verified = verify(&theme.module).unwrap_or_else(|violations| panic!("{violations:?}"));
    let written = backend::files(verified, &theme.sources, &copies, &Default::default())
        .unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    let scratch = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    let mut in_place = false;
    for file in written {
        in_place |= file.name == name;
        let path = scratch.path().join(&file.name);
        fs::write(&path, file.text).expect("written");
        files.push(path);
    }
    if !in_place {
        files.insert(0, theme.file.clone());
    }
    let own = theme.file.with_file_name(format!(
        "{}_drive.f90",
        name.split('.').next().unwrap_or_default()
    ));
    let text = match fs::read_to_string(own) {
        Ok(text) => text,
        Err(_) => driver::text(&theme.module, AGAIN),
    };
    let names = copies.iter().map(|&id| &theme.module.procedures[id]);
    let again = names.fold(text.clone(), |text, copy| {
        driver::renamed(&text, copy.name.trim_end_matches(AGAIN), &copy.name)
    });
    let input = match name {
        "data.f90" => NAMELIST,
        _ => INPUT,
    };
    let results: Vec<String> = [("first", text), ("again", again)]
        .into_iter()
        .map(|(name, text)| {
            let main = scratch.path().join(format!("drive_{name}.f90"));
            fs::write(&main, text).expect("written");
            let externals = folder().join("externals.f90");
            let all: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            run(
                scratch.path(),
                name,
                &[&all[..], &[&externals, &main]].concat(),
                input,
            )
        })
        .collect();
    assert!(results[0].lines().count() > 4, "{}", results[0]);
    for (first, again) in results[0].lines().zip(results[1].lines()) {
        assert_eq!(first, again, "{name}");
    }
    assert_eq!(results[0], results[1], "{name}");
}

/// Compiles and runs a program; what it prints.
fn run(folder: &Path, name: &str, files: &[&Path], text: &str) -> String {
    let made = Command::new("gfortran")
        .current_dir(folder)
        .args([
            "-std=legacy",
            "-fcray-pointer",
            "-w",
            "-O0",
            "-finit-local-zero",
            "-fcheck=all,no-bounds",
            "-o",
        ])
        .arg(name)
        .args(files)
        .output()
        .expect("gfortran is installed");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let mut child = Command::new(folder.join(name))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("is piped");
    // Most programs read nothing.
    let _ = input.write_all(text.repeat(8).as_bytes());
    drop(input);
    let done = child.wait_with_output().expect("it ends");
    assert!(
        done.status.success(),
        "{name}: {}\n{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn text() {
    same("text.f90", &[]);
}

#[test]
fn control() {
    // Whom `alt_return_call` calls is not there.
    same("control.f90", &["alt_return_call:190: goto"]);
}

#[test]
fn data() {
    // What lies where an address says overlaps anything.
    same("data.f90", &["cray_pointer:142: address pointer"]);
}

#[test]
fn types() {
    same("types.f90", &[]);
}

#[test]
fn expressions() {
    same("expressions.f90", &[]);
}

#[test]
fn input_output() {
    same("input_output.f90", &[]);
}

#[test]
fn keywords() {
    same("keywords.f90", &[]);
}

#[test]
fn keyword_arrays() {
    same("keyword_arrays.f90", &[]);
}

#[test]
fn fixed_form() {
    same("fixed.f", &[]);
}

#[test]
fn preprocessed() {
    same("preprocessed.F90", &[]);
}

#[test]
fn modules() {
    let quoted = [
        // The length of a string is no fact of the representation.
        "alloc:61: allocate",
        // What a FINAL procedure does to an object, and when, is not seen.
        "child_go:185: final procedure",
        "fin:189: final procedure",
    ];
    same("modules.f90", &quoted);
}

#[test]
fn a_program_without_its_statement() {
    assert!(lowered("program.f90").quoted().is_empty());
}

/// What compilers reject as well is read all the same; what is not understood has its place.
#[test]
fn rejected() {
    let quoted = [
        "boz_data_x:64: assignment",
        "coarray_like:69: assignment",
        "coarray_like:70: parse-error",
        "dec_structure:79: parse-error",
        "dec_structure:81: parse-error",
        "dec_structure:82: parse-error",
        "dec_structure:83: parse-error",
        "encode_decode:89: parse-error",
        "encode_decode:90: parse-error",
        "macro_type:103: parse-error",
        "macro_type:104: parse-error",
        "macro_type:105: assignment",
        "type_accept:116: type",
        "type_accept:117: accept",
    ];
    let free = lowered("rejected.f90");
    assert_eq!(free.quoted(), quoted);
    let fixed = lowered("rejected.f");
    assert!(fixed.quoted().is_empty());
    for theme in [free, fixed] {
        verify(&theme.module).unwrap_or_else(|violations| panic!("{violations:?}"));
    }
}
