//! One timing of one kernel, in a process of its own, so that peaks of memory are its own.

use crate::kernel::Kernel;
use anyhow::{Context, bail};
use std::path::Path;
use std::process::Command;

/// What is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The kernel.
    Primal,
    /// Its hand-written adjoint, in C.
    Hand,
    /// Its adjoint by Contraflow.
    Generated,
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Self::Primal => "primal",
            Self::Hand => "hand",
            Self::Generated => "generated",
        }
    }
}

/// What a timing gave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measure {
    /// Median processor time of a call, seconds.
    pub seconds: f64,
    /// Rise of the peak memory above arrays and shadows, MiB.
    pub memory: f64,
}

/// Times a kernel for about `limit` seconds.
///
/// # Errors
/// The program cannot be run or fails.
pub fn measure(program: &Path, kernel: &Kernel, mode: Mode, limit: f64) -> anyhow::Result<Measure> {
    let output = Command::new(program)
        .arg(kernel.name())
        .arg(mode.word())
        .arg(limit.to_string())
        .args(kernel.sizes.iter().map(u32::to_string))
        .output()
        .with_context(|| format!("cannot run `{}`", program.display()))?;
    if !output.status.success() {
        bail!(
            "{} of {} fails: {}",
            mode.word(),
            kernel.name(),
            output.status
        );
    }
    parse(&String::from_utf8_lossy(&output.stdout))
        .with_context(|| format!("{} of {} says nothing", mode.word(), kernel.name()))
}

fn parse(line: &str) -> Option<Measure> {
    let mut words = line.split_whitespace();
    let seconds = words.next()?.parse().ok()?;
    let memory: f64 = words.nth(1)?.parse().ok()?;
    Some(Measure {
        seconds,
        memory: memory / 1024.0,
    })
}

#[cfg(test)]
mod tests {
    use super::{Measure, parse};

    #[test]
    fn a_line_of_the_timer_is_read() {
        let expected = Measure {
            seconds: 0.5,
            memory: 2.0,
        };
        assert_eq!(parse("5.0e-1 7 2048\n"), Some(expected));
        assert_eq!(parse("usage"), None);
    }
}
