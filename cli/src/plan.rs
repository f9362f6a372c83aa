//! `contraflow plan`: what the adjoint keeps and runs again, as a table and as JSON.

use crate::arguments::Plan;
use crate::console::Console;
use crate::derive::{Wish, derive, find_head, usual_suffix};
use crate::failure::Failure;
use crate::head::HeadSpec;
use crate::host::SystemHost;
use crate::kept::{Profile, growing_line};
use crate::program::{self, Program};
use contraflow_ad::checkpoint::{DEFAULT_SIZE, Decision, Row};
use contraflow_ad::{Derivative, Hint, Keep, Mode, ValueHint};
use contraflow_ir::Diagnostic;
use serde_json::{Value, json};
use std::path::Path;

/// Runs `contraflow plan`.
///
/// # Errors
/// The user's fault as diagnostics.
pub fn command(arguments: &Plan, console: &mut Console) -> Result<(), Failure> {
    let input = &arguments.input;
    let spec = HeadSpec::parse(&input.head).map_err(Failure::without_place)?;
    let mut program = program::read(input, &SystemHost)?;
    let head = find_head(&spec, &mut program, input, console)?;
    let wish = Wish::of(input, usual_suffix(Mode::Adjoint));
    let derivative = derive(&program, &head, Mode::Adjoint, &wish)?;
    let text = match arguments.json {
        true => format!("{:#}", as_json(&derivative, &program)),
        false => table(&derivative, &program),
    };
    console.say(&text);
    if let (Some(line), false) = (growing_line(&derivative), arguments.json) {
        console.say(&line);
    }
    if let (Some(path), false) = (&input.profile, arguments.json) {
        let profile = Profile::read(path).map_err(Failure::without_place)?;
        console.say(&profile.report(&program.module, head.procedure));
    }
    Ok(())
}

/// Where a row stands: the file and the line.
fn place(row: &Row, program: &Program) -> (String, usize) {
    if !row.span.is_some() {
        return (String::new(), 0);
    }
    let file = program.sources.file(row.span.file);
    let (line, _) = file.line_column(row.span.start as usize);
    (file.path.display().to_string(), line)
}

/// The rows that matter to a reader: loops, what is kept, and results of some work.
fn rows(derivative: &Derivative) -> impl Iterator<Item = &Row> {
    derivative
        .rows
        .iter()
        .filter(|row| row.decision != Decision::Recompute || row.work > 0.0)
}

/// The plan as data; `--plan` reads it back.
pub fn as_json(derivative: &Derivative, program: &Program) -> Value {
    let rows: Vec<Value> = rows(derivative)
        .map(|row| {
            let (file, line) = place(row, program);
            json!({
                "procedure": row.procedure,
                "derived": row.derived,
                "file": file,
                "line": line,
                "name": row.name,
                "decision": row.decision.word(),
                "bytes": row.bytes,
                "work": row.work,
            })
        })
        .collect();
    let plans: Vec<Value> = derivative
        .plans
        .iter()
        .map(|plan| json!({ "name": plan.name, "bytes": plan.bytes, "time": plan.time }))
        .collect();
    json!({
        "version": 1,
        "plans": plans,
        "peak_bytes": derivative.peak.bytes,
        "extra_work": derivative.time,
        "rows": rows,
    })
}

/// What an edited plan says of loops and of single values. `restore`, `snapshot` and `branch` follow
/// from the rest.
///
/// # Errors
/// A file that is no plan, several plans in one, and rows that are not understood or name nothing in
/// the program, by their number.
pub fn read_back(path: &Path) -> Result<(Vec<Hint>, Vec<ValueHint>), Diagnostic> {
    let shown = path.display();
    let wrong = |message: String| {
        Diagnostic::error("bad-plan", message)
            .with_help("start from what `contraflow plan --json` prints")
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| wrong(format!("cannot read the plan {shown}: {error}")))?;
    let plan: Value = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("the plan {shown} is not JSON: {error}")))?;
    if plan.get("version").and_then(Value::as_u64) != Some(1) {
        return Err(wrong(format!("the plan {shown} is not of version 1")));
    }
    let several = plan.get("plans").and_then(Value::as_array);
    if several.is_some_and(|plans| plans.len() > 1) {
        return Err(wrong(format!(
            "the plan {shown} holds several plans, among which the derivative chooses when it is called"
        ))
        .with_help("tell sizes, so that there is one plan: `contraflow plan --json --size n=100`"));
    }
    let rows = plan
        .get("rows")
        .and_then(Value::as_array)
        .ok_or_else(|| wrong(format!("the plan {shown} has no list `rows`")))?;
    let (mut loops, mut values) = (Vec::new(), Vec::new());
    for (number, row) in rows.iter().enumerate() {
        let at = |what: &str| wrong(format!("the plan {shown}, row {}: {what}", number + 1));
        match read_row(row).map_err(|what| at(&what))? {
            Word::Loop(hint) => loops.push(hint),
            Word::Value(hint) => values.push(hint),
            Word::Follows => {}
        }
    }
    Ok((loops, values))
}

/// What a row says.
enum Word {
    Loop(Hint),
    Value(ValueHint),
    /// What follows from other rows.
    Follows,
}

fn read_row(row: &Value) -> Result<Word, String> {
    let word = |key: &str| {
        row.get(key)
            .and_then(Value::as_str)
            .ok_or_else(|| format!("`{key}` is missing or no text"))
    };
    let decision = word("decision")?;
    if FOLLOWING.contains(&decision) {
        return Ok(Word::Follows);
    }
    let line = row
        .get("line")
        .and_then(Value::as_u64)
        .ok_or("`line` is missing or no line")?;
    let procedure = word("procedure")?;
    let keep = match decision {
        "store" => Some(Keep::Store),
        "recompute" => Some(Keep::Recompute),
        _ => None,
    };
    // What no line of the source says cannot be named.
    if line == 0 {
        return Ok(Word::Follows);
    }
    if let Some(keep) = keep {
        let hint = ValueHint {
            procedure: procedure.to_owned(),
            line: line as usize,
            name: word("name")?.to_owned(),
            keep,
        };
        return Ok(Word::Value(hint));
    }
    let schedule = match decision {
        "joint" => "all",
        other => other,
    };
    Hint::parse(&format!("{procedure}::{line}={schedule}"))
        .map(Word::Loop)
        .map_err(|_| {
            format!(
                "`{decision}` is no decision: joint, split, binomial(20); store, recompute for a value"
            )
        })
}

/// Decisions that follow from others.
const FOLLOWING: &[&str] = &["restore", "invert", "snapshot", "branch"];

/// The plan as a table.
pub fn table(derivative: &Derivative, program: &Program) -> String {
    let mut lines = vec![[
        "procedure".to_owned(),
        "line".to_owned(),
        "what".to_owned(),
        "decision".to_owned(),
        "bytes".to_owned(),
        "operations".to_owned(),
    ]];
    for row in rows(derivative) {
        let (_, line) = place(row, program);
        let figure = |value: f64| match value {
            0.0 => "-".to_owned(),
            value => format!("{value:.0}"),
        };
        lines.push([
            row.derived.clone(),
            line.to_string(),
            row.name.clone(),
            row.decision.word(),
            figure(row.bytes),
            figure(row.work),
        ]);
    }
    let widths: Vec<usize> = (0..6)
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].len())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text: Vec<String> = lines
        .iter()
        .map(|line| {
            let cells: Vec<String> = line
                .iter()
                .enumerate()
                .map(|(column, cell)| match column {
                    1 | 4 | 5 => format!("{cell:>width$}", width = widths[column]),
                    _ => format!("{cell:<width$}", width = widths[column]),
                })
                .collect();
            cells.join("  ").trim_end().to_owned()
        })
        .collect();
    if derivative.plans.len() > 1 {
        text.push("chosen when it is called, the first that fits into the memory:".to_owned());
        text.extend(derivative.plans.iter().map(|plan| {
            format!(
                "  {}: {:.0} bytes, {:.0} operations of extra time, with sizes that are not told as {DEFAULT_SIZE}",
                plan.name, plan.bytes, plan.time
            )
        }));
    }
    text.push(format!(
        "peak: {:.0} bytes on tapes and in snapshots, {:.0} operations of extra time",
        derivative.peak.bytes, derivative.time
    ));
    text.join("\n")
}
