//! `contraflow calibrate`: what things cost on the user's machine.
//!
//! A small C program is compiled and run. It times additions and multiplications in registers, which
//! are the unit, divisions, an elementary function, a power, a call, and copies of memory within the
//! cache and far beyond it. The figures are kept in a file of the user's, `contraflow/weights.json` in
//! the folder for configuration, and read by later runs.

use crate::arguments::Calibrate;
use crate::console::Console;
use crate::failure::Failure;
use anyhow::{Context, anyhow, bail};
use contraflow_ad::checkpoint::Weights;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// The program that is timed.
const PROGRAM: &str = include_str!("calibrate.c");

/// Measures and keeps the weights.
///
/// # Errors
/// A compiler that is missing or fails, a file that cannot be written.
pub fn command(arguments: &Calibrate, console: &mut Console) -> Result<(), Failure> {
    let weights = measure(arguments)?;
    let path = match &arguments.output {
        Some(path) => path.clone(),
        None => file().ok_or_else(|| anyhow!("there is no folder for configuration: use -o"))?,
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let text = format!("{:#}\n", as_json(&weights));
    std::fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    console.say(text.trim_end());
    console.say(&path.display().to_string());
    Ok(())
}

/// The weights of this machine: those that were measured, else the usual ones.
pub fn weights() -> Weights {
    file()
        .and_then(|path| std::fs::read_to_string(path).ok())
        .and_then(|text| serde_json::from_str(&text).ok())
        .map_or_else(Weights::default, |value| from_json(&value))
}

/// `$CONTRAFLOW_WEIGHTS` (none if that is empty), else `contraflow/weights.json` in the folder for configuration.
fn file() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CONTRAFLOW_WEIGHTS") {
        return (!path.is_empty()).then(|| path.into());
    }
    let folder = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")))?;
    Some(folder.join("contraflow").join("weights.json"))
}

fn measure(arguments: &Calibrate) -> anyhow::Result<Weights> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("calibrate.c");
    let program = folder.path().join("calibrate");
    std::fs::write(&source, PROGRAM)?;
    let compiler = arguments
        .cc
        .clone()
        .or_else(|| std::env::var("CC").ok())
        .unwrap_or_else(|| "gcc".to_owned());
    let built = Command::new(&compiler)
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .output()
        .with_context(|| format!("cannot run {compiler}"))?;
    if !built.status.success() {
        bail!(
            "{compiler} fails:\n{}",
            String::from_utf8_lossy(&built.stderr)
        );
    }
    let run = Command::new(&program)
        .output()
        .context("cannot run the compiled program")?;
    let text = String::from_utf8_lossy(&run.stdout);
    let value: Value = serde_json::from_str(&text)
        .with_context(|| format!("the program's output is not understood: {text}"))?;
    Ok(from_json(&value))
}

fn from_json(value: &Value) -> Weights {
    let usual = Weights::default();
    let get = |name: &str, usual: f64| {
        value
            .get(name)
            .and_then(Value::as_f64)
            .filter(|weight| weight.is_finite() && *weight > 0.0)
            .unwrap_or(usual)
    };
    Weights {
        byte: get("byte", usual.byte),
        warm_byte: get("warm_byte", usual.warm_byte),
        cached_byte: get("cached_byte", usual.cached_byte),
        cache: get("cache", usual.cache),
        disk_byte: get("disk_byte", usual.disk_byte),
        divide: get("divide", usual.divide),
        function: get("function", usual.function),
        power: get("power", usual.power),
        call: get("call", usual.call),
    }
}

fn as_json(weights: &Weights) -> Value {
    json!({
        "byte": weights.byte,
        "warm_byte": weights.warm_byte,
        "cached_byte": weights.cached_byte,
        "cache": weights.cache,
        "disk_byte": weights.disk_byte,
        "divide": weights.divide,
        "function": weights.function,
        "power": weights.power,
        "call": weights.call,
    })
}

#[cfg(test)]
mod tests {
    use super::{as_json, from_json};
    use contraflow_ad::checkpoint::Weights;

    #[test]
    fn weights_are_kept_as_they_are_and_nonsense_is_not_taken() {
        let weights = Weights {
            byte: 1.25,
            ..Weights::default()
        };
        assert_eq!(from_json(&as_json(&weights)), weights);
        let nonsense = serde_json::json!({"byte": -1.0, "power": "much"});
        assert_eq!(from_json(&nonsense), Weights::default());
    }
}
