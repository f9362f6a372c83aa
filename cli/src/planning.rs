//! `--size`, `--memory`, `--disk`, `--trips`, `--time-limit` and the weights of the user's machine.

use crate::arguments::Input;
use crate::failure::Failure;
use crate::kept::Profile;
use crate::program::Program;
use contraflow_ad::checkpoint::{Planning, Sizes};
use contraflow_ir::Diagnostic;

/// What the command line says about planning.
///
/// # Errors
/// Sizes and amounts that are not understood, sizes of variables that do not exist.
pub fn planning(input: &Input, program: &Program) -> Result<Planning, Failure> {
    let mut planning = Planning {
        sizes: sizes(&input.sizes, program).map_err(Failure::without_place)?,
        weights: crate::calibrate::weights(),
        ..Planning::default()
    };
    if let Some(path) = input.profile.as_ref().filter(|path| path.exists()) {
        let profile = Profile::read(path).map_err(Failure::without_place)?;
        for (name, size) in &profile.sizes {
            planning.sizes.suggest(&profile.head, name, *size);
        }
    }
    if let Some(text) = &input.memory {
        planning.memory = Some(bytes("memory", text).map_err(Failure::without_place)?);
    }
    if let Some(text) = &input.disk {
        planning.disk = Some(bytes("disk", text).map_err(Failure::without_place)?);
    }
    if let Some(trips) = input.trips {
        planning.trips = Some(count(trips).map_err(Failure::without_place)?);
    }
    if let Some(seconds) = input.time_limit {
        planning.seconds = limit(seconds).map_err(Failure::without_place)?;
    }
    Ok(planning)
}

fn limit(seconds: f64) -> Result<f64, Diagnostic> {
    match seconds.is_finite() && seconds >= 0.0 {
        true => Ok(seconds),
        false => Err(Diagnostic::error(
            "bad-time-limit",
            format!("cannot plan within `--time-limit {seconds}`"),
        )
        .with_help("write a number of seconds: `--time-limit 30`")),
    }
}

fn count(trips: f64) -> Result<f64, Diagnostic> {
    match trips.is_finite() && trips >= 0.0 {
        true => Ok(trips),
        false => Err(Diagnostic::error(
            "bad-trips",
            format!("no loop runs `--trips {trips}` times"),
        )
        .with_help("write a number: `--trips 5000`")),
    }
}

/// `nx=512,nt=1000`, `solve::n=20`
fn sizes(texts: &[String], program: &Program) -> Result<Sizes, Diagnostic> {
    let mut sizes = Sizes::default();
    for text in texts.iter().flat_map(|text| text.split(',')) {
        let wrong = || {
            Diagnostic::error("bad-size", format!("cannot read `--size {text}`"))
                .with_help("write NAME=COUNT: `--size nx=512,nt=1000`, `--size solve::n=20`")
        };
        let (name, count) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim();
        let count: f64 = count.trim().parse().map_err(|_| wrong())?;
        if !count.is_finite() || count < 0.0 {
            return Err(wrong());
        }
        if !exists(name, program) {
            let message = format!("`--size {text}`: no variable is named `{name}`");
            return Err(Diagnostic::error("unknown-size", message)
                .with_help("name a variable of a procedure, as `n` or `solve::n`"));
        }
        sizes.set(name, count);
    }
    Ok(sizes)
}

fn exists(name: &str, program: &Program) -> bool {
    let (owner, variable) = match name.split_once("::") {
        Some((owner, variable)) => (Some(owner), variable),
        None => (None, name),
    };
    program.module.procedures.iter().any(|(_, procedure)| {
        owner.is_none_or(|owner| procedure.name.eq_ignore_ascii_case(owner))
            && procedure
                .variables
                .iter()
                .any(|(_, v)| v.name.eq_ignore_ascii_case(variable))
    })
}

/// `8GiB`, `500 MB`, `1e9`: a number of bytes.
fn bytes(option: &str, text: &str) -> Result<f64, Diagnostic> {
    let wrong = || {
        Diagnostic::error("bad-memory", format!("cannot read `--{option} {text}`"))
            .with_help("write a number of bytes, or one with a unit: `8GiB`, `512MiB`, `2GB`")
    };
    let trimmed = text.trim();
    let split = trimmed
        .rfind(|c: char| c.is_ascii_digit() || c == '.')
        .ok_or_else(wrong)?
        + 1;
    let (number, unit) = trimmed.split_at(split);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" | "k" => 1e3,
        "mb" | "m" => 1e6,
        "gb" | "g" => 1e9,
        "tb" | "t" => 1e12,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        "tib" => 1_099_511_627_776.0,
        _ => return Err(wrong()),
    };
    let total = number * factor;
    match total.is_finite() && total >= 0.0 {
        true => Ok(total),
        false => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn amounts_of_memory_have_units() {
        assert_eq!(
            bytes("memory", "8GiB").unwrap(),
            8.0 * 1024.0 * 1024.0 * 1024.0
        );
        assert_eq!(bytes("memory", "500 MB").unwrap(), 5e8);
        assert_eq!(bytes("memory", "1000").unwrap(), 1000.0);
        assert_eq!(bytes("memory", "1e6").unwrap(), 1e6);
        for wrong in ["", "GiB", "-3", "8 gigs", "nan", "1e999"] {
            assert!(bytes("memory", wrong).is_err(), "{wrong}");
        }
    }
}
