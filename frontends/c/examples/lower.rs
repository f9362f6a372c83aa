//! Prints the IR of C files, the verifier's findings and the diagnostics: `lower FILE… [-q]`.

#[path = "../tests/common/mod.rs"]
mod common;

use common::SystemHost;
use contraflow_frontend_c::{Options, lower};
use contraflow_ir::{Module, Sources, verify::verify};

fn main() {
    let mut module = Module::default();
    let mut sources = Sources::default();
    let mut quiet = false;
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        if argument == "-q" {
            quiet = true;
            continue;
        }
        match std::fs::read(&argument) {
            Ok(bytes) => files.push(sources.add(argument, bytes)),
            Err(error) => eprintln!("{argument}: {error}"),
        }
    }
    let started = std::time::Instant::now();
    let options = Options::default();
    let diagnostics = lower(&mut module, &mut sources, &files, &options, &SystemHost);
    let elapsed = started.elapsed();
    if !quiet {
        println!("{}", contraflow_ir::print::print(&module));
    }
    for diagnostic in &diagnostics {
        let place = diagnostic.labels.first().map(|label| {
            let file = sources.file(label.span.file);
            let (line, column) = file.line_column(label.span.start as usize);
            format!(
                "{}:{line}:{column}: `{}`",
                file.path.display(),
                sources.snippet(label.span)
            )
        });
        println!(
            "{:?} {}: {} {}",
            diagnostic.severity,
            diagnostic.code,
            diagnostic.message,
            place.unwrap_or_default()
        );
    }
    if let Err(violations) = verify(&module) {
        for violation in &violations {
            println!("INVALID {violation}");
        }
    }
    let statements: usize = module
        .procedures
        .iter()
        .map(|(_, p)| p.all_statements().len())
        .sum();
    println!(
        "{} procedures, {statements} statements, {elapsed:?}",
        module.procedures.len()
    );
}
