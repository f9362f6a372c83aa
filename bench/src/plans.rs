//! Time and memory of the kernels' gradients between the plan that keeps least and the one that keeps
//! all: each kernel with a real choice, planned for several memory limits.
//!
//! *Least* is what `contraflow plan` says is the least it found, *all* a plan in which all loops are
//! split. The limits grow by equal factors from the least to what the plan without a limit keeps; the last
//! row of a kernel is the plan that keeps all. Plans that decide the same are one program. Times are the
//! least processor times of several runs, in memory that is fresh each time, as in the first gradient of a
//! program; memory is what the plan predicts, and by how much the peak of the process rose.

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
    #[arg(long, default_value_t = 0.2)]
    seconds: f64,
    /// Memory limits between least and all.
    #[arg(long, default_value_t = 5)]
    limits: u32,
    /// The compilers.
    #[command(flatten)]
    tools: Toolchain,
}

/// The kernels with a choice, and the sizes at which it is weighed, in the order of the arguments.
const CHOICES: [(&str, &str); 14] = [
    ("atax", "m=1000,n=1000"),
    ("k2mm", "ni=200,nj=220,nk=240,nl=250"),
    ("k3mm", "ni=200,nj=210,nk=220,nl=230,nm=240"),
    ("durbin", "n=1500"),
    ("gramschmidt", "m=160,n=120"),
    ("hdiff", "ni=128,nj=128,nk=60"),
    ("vadv", "ni=100,nj=100,nk=60"),
    ("cavity_flow", "nx=61,ny=61,nt=100,nit=10"),
    ("channel_flow", "nx=41,ny=41,nit=10"),
    ("nbody", "n=40,nt=150"),
    ("lenet", "n=8,h=28,p1=12,p2=4"),
    ("mlp", "n=64,cin=3,s0=600,s1=400,s2=400"),
    ("contour_integral", "nr=40,nm=60,np=8"),
    ("burgers", "n=300,nt=60"),
];

/// How often each plan is timed, all plans of a kernel in turn.
const ROUNDS: usize = 3;

/// How often a plan is made again until all of its loops are split: splitting one shows others.
const SPLITTINGS: usize = 5;

/// How much slower a plan may be measured than another one before that counts.
const NOISE: f64 = 1.15;

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

/// A plan, its program, and what it took.
struct Point {
    label: String,
    plan: String,
    /// All that is decided: the same decisions are the same program.
    decisions: String,
    /// Bytes.
    keeps: f64,
    /// Operations besides those of the primal and of the shadows.
    extra: f64,
    program: PathBuf,
    seconds: f64,
    /// MiB.
    risen: f64,
}

/// Measures and prints a table for each kernel in each language, as soon as it is there, and at the end
/// what they have in common.
///
/// # Errors
/// A kernel that cannot be differentiated, or compilers that cannot be used.
pub fn run(request: &Request) -> anyhow::Result<()> {
    let mut summary = Table::new(&[
        "kernel",
        "language",
        "plans",
        "least memory ms",
        "no limit ms",
        "all kept ms",
        "faster with more",
        "best of the simple",
        "pairs ranked as predicted",
    ]);
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
            let points = subject
                .points()
                .with_context(|| format!("{name} in {language:?}"))?;
            println!("{}", subject.table(&points));
            summary.row(subject.in_short(&points));
        }
    }
    println!("## In short\n\n{summary}");
    Ok(())
}

impl Subject<'_> {
    /// What the plans took: the least memory first, then limits that grow, none, and all kept.
    fn points(&self) -> anyhow::Result<Vec<Point>> {
        let all = self.make("all kept".to_owned(), &Way::All)?;
        let free = self.make("none".to_owned(), &Way::Free)?;
        let least = self.least()?;
        let mut points = Vec::new();
        for limit in limits(least, free.keeps, all.keeps, self.request.limits) {
            points.push(self.make(format!("{:.3}", limit / 1e6), &Way::Within(limit))?);
        }
        points.extend([free, all]);
        let mut known: Vec<usize> = Vec::new();
        for place in 0..points.len() {
            let decisions = &points[place].decisions;
            let same = known
                .iter()
                .find(|&&other| points[other].decisions == *decisions);
            match same {
                Some(&same) => points[place].program = points[same].program.clone(),
                None => {
                    points[place].program = self.compile(&points[place].program)?;
                    known.push(place);
                }
            }
        }
        for _ in 0..ROUNDS {
            for &place in &known {
                let (seconds, risen) = self.time(&points[place].program)?;
                let program = points[place].program.clone();
                for point in points.iter_mut().filter(|point| point.program == program) {
                    point.seconds = point.seconds.min(seconds);
                    point.risen = risen;
                }
            }
        }
        Ok(points)
    }

    fn table(&self, points: &[Point]) -> Table {
        let mut table = Table::new(&[
            "kernel",
            "limit MB",
            "plan",
            "keeps MB",
            "rises MiB",
            "predicted Mop",
            "ms",
            "least ms of less",
        ]);
        for (place, point) in points.iter().enumerate() {
            let fastest = fastest(&points[..place]);
            table.row(vec![
                format!("{} {}", self.kernel.name, self.sizes),
                point.label.clone(),
                point.plan.clone(),
                format!("{:.3}", point.keeps / 1e6),
                format!("{:.1}", point.risen),
                format!("{:.1}", point.extra / 1e6),
                format!("{:.2}", 1e3 * point.seconds),
                fastest.map_or("–".to_owned(), |seconds| format!("{:.2}", 1e3 * seconds)),
            ]);
        }
        table
    }

    /// Whether the gates hold, within the noise of timing.
    fn in_short(&self, points: &[Point]) -> Vec<String> {
        let mut row = vec![self.kernel.name.clone(), format!("{:?}", self.language)];
        let [planned @ .., all] = points else {
            return row;
        };
        let [.., free] = planned else { return row };
        let mut plans: Vec<&PathBuf> = points.iter().map(|point| &point.program).collect();
        plans.sort();
        plans.dedup();
        row.push(plans.len().to_string());
        row.push(format!("{:.2}", 1e3 * planned[0].seconds));
        row.push(format!("{:.2}", 1e3 * free.seconds));
        row.push(format!("{:.2}", 1e3 * all.seconds));
        let falls = (1..planned.len()).all(|place| {
            fastest(&planned[..place]).is_none_or(|less| planned[place].seconds <= NOISE * less)
        });
        row.push(yes_or_no(falls));
        // The simple strategies: as little as possible, and all.
        let simple = planned[0].seconds.min(all.seconds);
        row.push(yes_or_no(free.seconds <= NOISE * simple && falls));
        let (alike, pairs) = ranked_alike(points, 1.5);
        row.push(format!("{alike} of {pairs}"));
        row
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

    /// A plan, with the folder of its derivative in place of its program.
    fn make(&self, label: String, way: &Way) -> anyhow::Result<Point> {
        let file = self.folder.join("split.json").display().to_string();
        let bytes;
        let options: Vec<&str> = match way {
            Way::Free => Vec::new(),
            Way::Within(limit) => {
                bytes = format!("{limit:.0}");
                vec!["--memory", &bytes]
            }
            Way::All => {
                let mut plan = self.plan(&[])?;
                for _ in 0..SPLITTINGS {
                    std::fs::write(&file, all_split(plan).to_string())?;
                    plan = self.plan(&["--plan", &file])?;
                    if loops(&plan).all(|row| row["decision"] == "split") {
                        break;
                    }
                }
                vec!["--plan", &file]
            }
        };
        let plan = self.plan(&options)?;
        let place = self.folder.join(label.replace(' ', "-"));
        let written = place.display().to_string();
        let mut to_files = options;
        to_files.extend(["-o", written.as_str()]);
        self.succeed("adjoint", &to_files)?;
        Ok(Point {
            label,
            plan: in_words(&plan),
            decisions: decisions(&plan),
            keeps: keeps(&plan),
            extra: plan["extra_work"].as_f64().context("no time")?,
            program: place,
            seconds: f64::INFINITY,
            risen: 0.0,
        })
    }

    fn plan(&self, options: &[&str]) -> anyhow::Result<serde_json::Value> {
        let mut with_json = options.to_vec();
        with_json.push("--json");
        Ok(serde_json::from_str(&self.succeed("plan", &with_json)?)?)
    }

    fn compile(&self, place: &Path) -> anyhow::Result<PathBuf> {
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
        Ok(program)
    }

    /// Seconds, and MiB by which the memory rose.
    fn time(&self, program: &Path) -> anyhow::Result<(f64, f64)> {
        let numbers = self.sizes.split(',').filter_map(|it| it.split('=').nth(1));
        let output = Command::new(program)
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

/// Memory limits from the least upwards, by equal factors to what the fastest plan keeps: beyond it they
/// change nothing. Where the least is nothing, equal steps to what is kept if all is kept.
fn limits(least: f64, free: f64, all: f64, number: u32) -> Vec<f64> {
    let steps = f64::from(number.max(2) - 1);
    let place = |k: u32| f64::from(k) / steps;
    match least < 1.0 || free <= 1.01 * least {
        true => (0..number)
            .map(|k| (least + (all - least).max(0.0) * place(k)).ceil())
            .collect(),
        false => (0..number)
            .map(|k| (least * (free / least).powf(place(k))).ceil())
            .collect(),
    }
}

/// The least time.
fn fastest(points: &[Point]) -> Option<f64> {
    points.iter().map(|point| point.seconds).reduce(f64::min)
}

fn yes_or_no(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_owned()
}

/// Of the pairs of plans of which one was measured to take so many times as long as the other or more:
/// how many are predicted in the same order, and how many there are.
fn ranked_alike(points: &[Point], factor: f64) -> (usize, usize) {
    let (mut alike, mut pairs) = (0, 0);
    for (k, one) in points.iter().enumerate() {
        for other in &points[k + 1..] {
            let (fast, slow) = match one.seconds < other.seconds {
                true => (one, other),
                false => (other, one),
            };
            if slow.seconds >= factor * fast.seconds {
                pairs += 1;
                alike += usize::from(fast.extra < slow.extra);
            }
        }
    }
    (alike, pairs)
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

/// The rows of loops.
fn loops(plan: &serde_json::Value) -> impl Iterator<Item = &serde_json::Value> {
    let rows = plan["rows"].as_array().map_or(&[][..], Vec::as_slice);
    rows.iter().filter(|row| is_loop(row))
}

fn is_loop(row: &serde_json::Value) -> bool {
    let decision = row["decision"].as_str().unwrap_or("");
    ["split", "joint"].contains(&decision)
        || decision.starts_with("binomial")
        || decision.starts_with("disk")
}

/// What is decided of loops and results, with their places.
fn decisions(plan: &serde_json::Value) -> String {
    let rows = plan["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let decided = rows
        .iter()
        .filter(|row| is_loop(row) || row["decision"] == "store" || row["decision"] == "restore");
    decided
        .map(|row| format!("{}{}{};", row["line"], row["name"], row["decision"]))
        .collect()
}

/// Bytes that are kept; what grows counts as estimated.
fn keeps(plan: &serde_json::Value) -> f64 {
    let rows = plan["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let estimated: f64 = rows.iter().filter_map(|row| row["bytes"].as_f64()).sum();
    match plan["peak_bytes"].as_f64() {
        Some(peak) if peak > 0.0 => peak,
        _ => estimated,
    }
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
    use super::{Request, Subject, all_split, in_words, limits, ranked_alike};
    use crate::compile::Toolchain;
    use crate::kernel::Language;
    use contraflow_legacy_tests::kernels;

    /// Of two plans of which one takes more than three times as long as the other, whatever else the
    /// machine does, it is the one that is predicted to take longer.
    #[test]
    fn predicted_and_measured_times_rank_alike() {
        let programs = [("durbin", "n=800"), ("gramschmidt", "m=120,n=100")];
        let tools = Toolchain {
            cc: "gcc".to_owned(),
            fc: "gfortran".to_owned(),
            flags: "-O2".to_owned(),
        };
        let request = Request {
            kernels: Vec::new(),
            language: None,
            seconds: 0.02,
            limits: 3,
            tools,
        };
        for (name, sizes) in programs {
            let folder = tempfile::tempdir().unwrap();
            let mut all = kernels::all().unwrap().into_iter();
            let subject = Subject {
                kernel: all.find(|kernel| kernel.name == name).unwrap(),
                sizes,
                language: Language::Fortran,
                request: &request,
                folder: folder.path(),
            };
            let points = subject.points().unwrap();
            let (alike, pairs) = ranked_alike(&points, 3.0);
            let table = subject.table(&points);
            assert!(pairs > 0 && alike == pairs, "{alike} of {pairs}\n{table}");
        }
    }

    #[test]
    fn limits_grow_from_the_least_to_what_the_fastest_plan_keeps() {
        assert_eq!(limits(1.0, 16.0, 99.0, 5), [1.0, 2.0, 4.0, 8.0, 16.0]);
        assert_eq!(limits(0.0, 0.0, 8.0, 3), [0.0, 4.0, 8.0]);
    }

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
