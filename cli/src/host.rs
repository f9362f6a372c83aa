//! The machine that Contraflow runs on: files and programs.

use contraflow_ir::{Host, ProgramOutput};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The real one.
#[derive(Clone, Copy, Default, Debug)]
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
            .stdin(if input.is_some() {
                Stdio::piped()
            } else {
                Stdio::null()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // A program may stop reading early; its exit status tells, not the broken pipe.
            if let (Some(mut stdin), Some(bytes)) = (stdin, input) {
                scope.spawn(move || stdin.write_all(bytes));
            }
            child.wait_with_output()
        })?;
        Ok(ProgramOutput {
            success: output.status.success(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}
