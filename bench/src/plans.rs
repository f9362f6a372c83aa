//! Time and memory of the kernels' gradients between the plan that keeps least and the one that keeps
//! all: each kernel with a real choice, planned for several memory limits.
//!
//! *Least* is what `contraflow plan` says is the least it found, *all* a plan in which all loops are
//! split. Between them the limits grow by equal factors; the last row of a kernel is the plan without a
//! limit. Times are the least processor times of several runs; memory is what the plan predicts, and by
//! how much the peak of the process rose.

use crate::compile::{Toolchain, compile_with, finish, sources_in};
use crate::kernel::Language;
use crate::table::Table;
use anyhow::{Context, bail};
use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::kernels::{self, Kernel};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is to be measured.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// Only this kernel; may be given several times.
    #[arg(long = "kernel", value_name = "NAME")]
    kernels: Vec<String>,
    /// Only this language.
    #[arg(long, value_enum)]
    language: Option<Language>,
    /// Seconds for each timing.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Memory limits between least and all.
    #[arg(long, default_value_t = 5)]
    limits: u32,
    /// The compilers.
    #[command(flatten)]
    tools: Toolchain,
}

/// The kernels with a choice, and the sizes at which it is weighed, in the order of the arguments.
const CHOICES: [(&str, &str); 13] = [
    ("atax", "m=1000,n=1000"),
    ("k2mm", "ni=200,nj=220,nk=240,nl=250"),
    ("k3mm", "ni=200,nj=210,nk=220,nl=230,nm=240"),
    ("durbin", "n=1500"),
    ("gramschmidt", "m=160,n=120"),
    ("hdiff", "ni=128,nj=128,nk=60"),
    ("vadv", "ni=100,nj=100,nk=60"),
    ("cavity_flow", "nx=61,ny=61,nt=100,nit=10"),
    ("nbody", "n=40,nt=150"),
    ("lenet", "n=8,h=28,p1=12,p2=4"),
    ("mlp", "n=64,cin=3,s0=600,s1=400,s2=400"),
    ("contour_integral", "nr=40,nm=60,np=8"),
    ("burgers", "n=300,nt=60"),
];

/// One way to plan.
enum Way {
    /// All loops split.
    All,
    /// The fastest within so many bytes.
    Within(f64),
    /// The fastest.
    Free,
}

struct Subject<'r> {
    kernel: Kernel,
    sizes: &'static str,
    language: Language,
    request: &'r Request,
    folder: &'r Path,
}

/// A plan and what it took.
struct Point {
    plan: String,
    predicted: f64,
    seconds: f64,
    /// MiB.
    risen: f64,
}

/// Measures and prints a table for each kernel in each language, as soon as it is there.
///
/// # Errors
/// A kernel that cannot be differentiated, or compilers that cannot be used.
pub fn run(request: &Request) -> anyhow::Result<()> {
    for language in Language::ALL {
        if request.language.is_some_and(|only| only != language) {
            continue;
        }
        println!("## {language:?}, compiled with {}\n", request.tools.flags);
        for (name, sizes) in CHOICES {
            if !request.kernels.is_empty() && request.kernels.iter().all(|it| it != name) {
                continue;
            }
            let folder = tempfile::tempdir()?;
            let kernel = kernels::all()?
                .into_iter()
                .find(|kernel| kernel.name == name);
            let subject = Subject {
                kernel: kernel.with_context(|| format!("no kernel `{name}`"))?,
                sizes,
                language,
                request,
                folder: folder.path(),
            };
            let mut table = Table::new(&[
                "kernel",
                "limit MB",
                "plan",
                "keeps MB",
                "rises MiB",
                "ms",
                "least ms of less",
            ]);
            subject
                .rows(&mut table)
                .with_context(|| format!("{name} in {language:?}"))?;
            println!("{table}");
        }
    }
    Ok(())
}

impl Subject<'_> {
    fn rows(&self, table: &mut Table) -> anyhow::Result<()> {
        let all = self.measure(&Way::All, 0)?;
        let least = self.least()?;
        let mut ways = Vec::new();
        if least < all.predicted {
            let steps = self.request.limits + 1;
            let factor = (all.predicted / least.max(1.0)).powf(1.0 / f64::from(steps));
            for step in 0..steps {
                ways.push(Way::Within(
                    (least.max(1.0) * factor.powi(step as i32)).ceil(),
                ));
            }
        }
        let mut number = 1;
        let mut fastest = f64::INFINITY;
        let mut row = |label: String, point: &Point, fastest: &mut f64| {
            let shown = match fastest.is_finite() {
                true => format!("{:.2}", 1e3 * *fastest),
                false => "–".to_owned(),
            };
            *fastest = fastest.min(point.seconds);
            table.row(vec![
                format!("{} {}", self.kernel.name, self.sizes),
                label,
                point.plan.clone(),
                format!("{:.3}", point.predicted / 1e6),
                format!("{:.1}", point.risen),
                format!("{:.2}", 1e3 * point.seconds),
                shown,
            ]);
        };
        for way in ways {
            let Way::Within(bytes) = way else { continue };
            let point = self.measure(&way, number)?;
            number += 1;
            row(format!("{:.3}", bytes / 1e6), &point, &mut fastest);
        }
        let free = self.measure(&Way::Free, number)?;
        row("none".to_owned(), &free, &mut fastest);
        row("all kept".to_owned(), &all, &mut fastest);
        Ok(())
    }

    fn source(&self) -> PathBuf {
        let language = self.language;
        let name = Path::new(language.folder()).join(&self.kernel.name);
        kernels::folder()
            .join(name)
            .with_extension(language.suffix())
    }

    fn command(&self, name: &str, more: &[&str]) -> Vec<String> {
        let head = match (self.language, &self.kernel.head_c) {
            (Language::C, Some(head)) => head,
            _ => &self.kernel.head,
        };
        let source = self.source().display().to_string();
        let mut line: Vec<String> = [name, &source, "--head", head, "--size", self.sizes]
            .map(str::to_owned)
            .into();
        line.extend(self.language.promise().map(str::to_owned));
        line.extend(more.iter().map(|&word| word.to_owned()));
        line
    }

    fn succeed(&self, name: &str, more: &[&str]) -> anyhow::Result<String> {
        let outcome = contraflow(&self.command(name, more));
        match outcome.status {
            0 => Ok(outcome.out),
            _ => bail!("{}", outcome.error),
        }
    }

    /// The least memory that is found: that of a limit that nothing fits.
    fn least(&self) -> anyhow::Result<f64> {
        let outcome = contraflow(&self.command("plan", &["--memory", "1"]));
        if outcome.status == 0 {
            return Ok(0.0);
        }
        let words = outcome.error.split("(`--memory ").nth(1);
        let number = words.and_then(|rest| rest.split('`').next()?.parse().ok());
        number.with_context(|| outcome.error.clone())
    }

    fn measure(&self, way: &Way, number: usize) -> anyhow::Result<Point> {
        let file = self.folder.join("split.json").display().to_string();
        let bytes;
        let options: Vec<&str> = match way {
            Way::Free => Vec::new(),
            Way::Within(limit) => {
                bytes = format!("{limit:.0}");
                vec!["--memory", &bytes]
            }
            Way::All => {
                let plan: serde_json::Value =
                    serde_json::from_str(&self.succeed("plan", &["--json"])?)?;
                std::fs::write(&file, all_split(plan).to_string())?;
                vec!["--plan", &file]
            }
        };
        let mut with_json = options.clone();
        with_json.push("--json");
        let plan: serde_json::Value = serde_json::from_str(&self.succeed("plan", &with_json)?)?;
        let place = self.folder.join(number.to_string());
        let written = place.display().to_string();
        let mut to_files = options;
        to_files.extend(["-o", written.as_str()]);
        self.succeed("adjoint", &to_files)?;
        let (seconds, risen) = self.time(&place)?;
        Ok(Point {
            plan: in_words(&plan),
            predicted: plan["peak_bytes"].as_f64().context("no peak")?,
            seconds,
            risen,
        })
    }

    fn time(&self, place: &Path) -> anyhow::Result<(f64, f64)> {
        let tools = &self.request.tools;
        let mut sources = sources_in(place, self.language.suffix())?;
        // Where the derivative calls what is private to the file, it stands in a copy of it.
        let source = self.source();
        if !sources
            .iter()
            .any(|path| path.file_name() == source.file_name())
        {
            sources.insert(0, source);
        }
        let objects = place.join("objects");
        let mut linked = compile_with(&sources, self.language, tools, &objects, &[])?;
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("driver/plans.c");
        let mut flags = vec![format!("-DKERNEL_{}", self.kernel.name)];
        if self.language == Language::Fortran {
            flags.push("-DGENERATED_FORTRAN".to_owned());
        }
        linked.extend(compile_with(
            &[driver],
            Language::C,
            tools,
            &objects,
            &flags,
        )?);
        let program = place.join("plans");
        let mut link = tools.compiler(self.language);
        link.args(linked).arg("-lm").arg("-o").arg(&program);
        finish(link)?;
        let numbers = self.sizes.split(',').filter_map(|it| it.split('=').nth(1));
        let output = Command::new(&program)
            .arg(self.request.seconds.to_string())
            .args(numbers)
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut words = text.split_whitespace().map(str::parse::<f64>);
        match (output.status.success(), words.next(), words.next()) {
            (true, Some(Ok(seconds)), Some(Ok(risen))) => Ok((seconds, risen / 1024.0)),
            _ => bail!("the timing program fails: {}", output.status),
        }
    }
}

/// The plan with all loops split.
fn all_split(mut plan: serde_json::Value) -> serde_json::Value {
    for row in plan["rows"].as_array_mut().into_iter().flatten() {
        if is_loop(row) {
            row["decision"] = "split".into();
        }
    }
    plan
}

fn is_loop(row: &serde_json::Value) -> bool {
    let decision = row["decision"].as_str().unwrap_or("");
    ["split", "joint"].contains(&decision)
        || decision.starts_with("binomial")
        || decision.starts_with("disk")
}

/// The loops that are not split, and how often results are stored.
fn in_words(plan: &serde_json::Value) -> String {
    let rows = plan["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let loops = rows
        .iter()
        .filter(|row| is_loop(row) && row["decision"] != "split");
    let word = |row: &serde_json::Value| {
        let text = |key: &str| row[key].as_str().unwrap_or("").to_owned();
        format!("{} {}", text("name"), text("decision"))
    };
    let mut words: Vec<String> = loops.map(word).collect();
    let stores = rows.iter().filter(|row| row["decision"] == "store").count();
    if stores > 0 {
        words.push(format!("{stores} stored"));
    }
    match words.is_empty() {
        true => "split".to_owned(),
        false => words.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::{all_split, in_words};

    #[test]
    fn a_plan_is_told_in_words_and_made_split() {
        let plan = serde_json::json!({"rows": [
            {"name": "t", "decision": "binomial(3)"},
            {"name": "i", "decision": "split"},
            {"name": "x", "decision": "store"},
        ]});
        assert_eq!(in_words(&plan), "t binomial(3), 1 stored");
        assert_eq!(in_words(&all_split(plan)), "1 stored");
    }
}
