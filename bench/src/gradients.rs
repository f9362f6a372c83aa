//! Gradient time and memory of the kernels against their primal and against hand-written adjoints.
//!
//! All times are processor times of one core, the compilers' flags the same for all. The primal is
//! that of the language; the hand-written adjoint is C in both tables.

use crate::compile::{Toolchain, timer};
use crate::kernel::{self, Kernel, Language};
use crate::measure::{Measure, Mode, measure};
use crate::table::Table;
use anyhow::bail;
use std::path::Path;

/// What is to be timed.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// Only this kernel; may be given several times.
    #[arg(long = "kernel", value_name = "NAME")]
    kernels: Vec<String>,
    /// Only this language.
    #[arg(long, value_enum)]
    language: Option<Language>,
    /// Seconds for each timing.
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// The compilers.
    #[command(flatten)]
    tools: Toolchain,
}

/// Measures and prints a table for each language.
///
/// # Errors
/// An unknown kernel, or compilers that cannot be used.
pub fn run(request: &Request) -> anyhow::Result<()> {
    let kernels = select(kernel::all()?, &request.kernels)?;
    for language in Language::ALL {
        if request.language.is_none_or(|only| only == language) {
            let folder = tempfile::tempdir()?;
            print_language(&kernels, language, request, folder.path())?;
        }
    }
    Ok(())
}

fn select(mut kernels: Vec<Kernel>, names: &[String]) -> anyhow::Result<Vec<Kernel>> {
    if let Some(unknown) = names
        .iter()
        .find(|&name| kernels.iter().all(|k| k.name() != name))
    {
        bail!("there is no kernel `{unknown}`");
    }
    kernels.retain(|kernel| names.is_empty() || names.iter().any(|name| name == kernel.name()));
    Ok(kernels)
}

fn print_language(
    kernels: &[Kernel],
    language: Language,
    request: &Request,
    folder: &Path,
) -> anyhow::Result<()> {
    let timer = timer(kernels, language, &request.tools, folder)?;
    let mut table = Table::new(&[
        "kernel",
        "size",
        "primal ms",
        "gradient ms",
        "ratio",
        "MiB",
        "by hand ms",
        "ratio",
        "MiB",
    ]);
    for kernel in kernels {
        let is_missing = timer.missing.iter().any(|(name, _)| name == kernel.name());
        let run = |mode| measure(&timer.program, kernel, mode, request.seconds);
        let primal = run(Mode::Primal)?;
        let generated = if is_missing {
            None
        } else {
            run(Mode::Generated).ok()
        };
        let hand = run(Mode::Hand)?;
        table.row(row(kernel, primal, generated, hand));
    }
    let promise = language.promise().unwrap_or_default();
    println!(
        "## {language:?} {promise}, compiled with {}\n\n{table}",
        request.tools.flags
    );
    for (name, reason) in &timer.missing {
        println!("* {name}: {reason}");
    }
    println!();
    Ok(())
}

fn row(kernel: &Kernel, primal: Measure, generated: Option<Measure>, hand: Measure) -> Vec<String> {
    let sizes: Vec<String> = kernel.sizes.iter().map(u32::to_string).collect();
    let mut cells = vec![
        kernel.name().to_owned(),
        sizes.join(" × "),
        milliseconds(primal),
    ];
    for gradient in [generated, Some(hand)] {
        cells.extend(match gradient {
            Some(gradient) => [
                milliseconds(gradient),
                format!("{:.1}", gradient.seconds / primal.seconds),
                format!("{:.1}", gradient.memory),
            ],
            None => ["–".to_owned(), "–".to_owned(), "–".to_owned()],
        });
    }
    cells
}

fn milliseconds(measure: Measure) -> String {
    format!("{:.3}", 1e3 * measure.seconds)
}

#[cfg(test)]
mod tests {
    use super::{row, select};
    use crate::kernel;
    use crate::measure::Measure;

    #[test]
    fn an_unknown_kernel_is_refused() {
        let kernels = kernel::all().expect("a manifest");
        assert!(select(kernels, &["nosuch".to_owned()]).is_err());
    }

    #[test]
    fn a_missing_gradient_leaves_its_cells_empty() {
        let kernels = select(kernel::all().expect("a manifest"), &["lu".to_owned()]).expect("lu");
        let measure = |seconds| Measure {
            seconds,
            memory: 0.0,
        };
        let cells = row(&kernels[0], measure(0.001), None, measure(0.002));
        assert_eq!(
            cells,
            ["lu", "60", "1.000", "–", "–", "–", "2.000", "2.0", "0.0"]
        );
    }
}
