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
