//! A host that asks the system, and short ways to lower a snippet.

use contraflow_frontend_c::{Options, lower};
use contraflow_ir::{Diagnostic, Host, Module, ProgramOutput, Sources};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs programs and reads files.
pub struct SystemHost;

impl Host for SystemHost {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn run(
        &self,
        program: &str,
        arguments: &[String],
        input: Option<&[u8]>,
    ) -> io::Result<ProgramOutput> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take();
        let input = input.unwrap_or_default().to_vec();
        let feeder = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let output = child.wait_with_output()?;
        let _ = feeder.join();
        Ok(ProgramOutput {
            success: output.status.success(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

/// A program made of one or more files.
#[allow(dead_code)]
pub struct Program {
    pub module: Module,
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers files given as `(name, text)`.
#[allow(dead_code)]
pub fn program(files: &[(&str, &str)]) -> Program {
    program_with(files, &SystemHost)
}

/// Lowers files on a host.
#[allow(dead_code)]
pub fn program_with(files: &[(&str, &str)], host: &dyn Host) -> Program {
    let mut module = Module::default();
    let mut sources = Sources::default();
    let ids: Vec<_> = files
        .iter()
        .map(|(name, text)| sources.add(*name, text.as_bytes().to_vec()))
        .collect();
    let diagnostics = lower(&mut module, &mut sources, &ids, &Options::default(), host);
    Program {
        module,
        sources,
        diagnostics,
    }
}

/// The statements of the procedures of a C text, as the IR prints them, without declarations.
#[allow(dead_code)]
pub fn statements(text: &str) -> String {
    let program = program(&[("a.c", text)]);
    assert_valid(&program);
    lines_of(&program, |line| {
        !line.starts_with("  var ") && !line.starts_with("  is ") && line != "}"
    })
}

/// The whole procedures of a C text, as the IR prints them.
#[allow(dead_code)]
pub fn procedures(text: &str) -> String {
    let program = program(&[("a.c", text)]);
    assert_valid(&program);
    lines_of(&program, |line| !line.starts_with("  is "))
}

/// Fails if the program breaks an invariant of the IR.
#[allow(dead_code)]
pub fn assert_valid(program: &Program) {
    let found = contraflow_ir::verify::verify(&program.module).err();
    assert_eq!(found, None, "the verifier accepts what the front end makes");
}

fn lines_of(program: &Program, keep: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for (_, procedure) in program.module.procedures.iter() {
        if !procedure.has_body {
            continue;
        }
        let printed = contraflow_ir::print::print_procedure(&program.module, procedure);
        for line in printed
            .lines()
            .filter(|line| keep(line) && !line.is_empty())
        {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}
