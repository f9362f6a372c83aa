//! Every function of the Gibbs sea water toolbox that takes numbers and gives one, in one loop: `make gsw-heads`.

use contraflow_legacy_tests::packages::unpacked;
use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where the arguments of these names lie; others between 0.5 and 1.5.
const VALUES: &[(&str, &str)] = &[
    ("sa", "30:38"),
    ("sp", "30:38"),
    ("sr", "30:38"),
    ("sk", "30:38"),
    ("sstar", "30:38"),
    ("ct", "2:25"),
    ("pt", "2:25"),
    ("pt0", "2:25"),
    ("t", "2:25"),
    ("p", "10:2000"),
    ("p_ref", "0:1000"),
    ("lat", "20:40"),
    ("lon", "180:220"),
    ("rt", "0.8:1.1"),
    ("rho", "1020:1035"),
    ("c", "35:60"),
    ("h", "20000:80000"),
    ("entropy", "50:300"),
    ("saturation_fraction", "0.2:0.8"),
    ("pot_enthalpy_ice", "-400000:-340000"),
    ("pt0_ice", "-20:-2"),
];

/// The temperature of ice.
const COLD: &str = "-20:-3";

/// `ups (1 + saar) - ups`, with `saar` about 1e-4: so many digits cancel in both modes.
const CANCELS: &str = "gsw_deltasa_from_sp";

struct Function {
    name: String,
    arguments: Vec<String>,
}

/// The prototypes `double gsw_name(double a, …)` of a header.
fn functions(header: &str) -> Vec<Function> {
    let names = header.split("double").skip(1).filter_map(|piece| {
        let (name, _) = piece.split_once('(')?;
        let name = name.trim();
        let is_name = name.starts_with("gsw_") && !name.contains([' ', '*', ',']);
        is_name.then(|| name.to_owned())
    });
    names
        .filter_map(|name| {
            let (_, after) = header
                .split_once(&format!("{name}("))
                .or_else(|| header.split_once(&format!("{name} (")))?;
            let (list, _) = after.split_once(')')?;
            let arguments: Option<Vec<String>> = list
                .split(',')
                .map(|argument| {
                    let argument = argument.trim().strip_prefix("double ")?.trim();
                    (!argument.contains('*')).then(|| argument.to_owned())
                })
                .collect();
            Some(Function {
                name,
                arguments: arguments?,
            })
        })
        .collect()
}

fn values(function: &Function) -> String {
    let is_cold = ["ice", "melting", "freezing"]
        .iter()
        .any(|word| function.name.contains(word));
    function
        .arguments
        .iter()
        .filter_map(|argument| {
            let known = VALUES.iter().find(|(name, _)| name == argument);
            let range = match argument.as_str() {
                "t" if is_cold => COLD,
                _ => known?.1,
            };
            Some(format!("{argument}={range}"))
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// What says whether a function is proved.
struct Verdict {
    name: String,
    problem: Option<String>,
}

/// The data of the atlas are large: only functions of places on the globe get them.
const WITH_ATLAS: &[&str] = &["gsw_oceanographic_toolbox.c", "gsw_saar.c"];

fn check(folder: &Path, function: &Function) -> Verdict {
    let is_of_place = function.arguments.iter().any(|argument| argument == "lon");
    let files = match is_of_place {
        true => WITH_ATLAS,
        false => &WITH_ATLAS[..1],
    };
    let head = format!(
        "{}: {} -> return",
        function.name,
        function.arguments.join(", ")
    );
    let mut case = Case::new(folder, files, &head).with(&values(function));
    if function.name == CANCELS {
        case = case.options("--tolerance 1e-10");
    }
    let outcome = case.check(Build::Quick);
    let proved = outcome.status == 0 && outcome.out.ends_with("proved\n");
    Verdict {
        name: function.name.clone(),
        problem: (!proved).then(|| format!("{}{}", outcome.out, outcome.error)),
    }
}

/// The verdicts on all functions, found by as many threads as there are cores.
fn check_all(folder: &Path, functions: &[Function]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut verdicts = Vec::new();
        while let Some(function) = functions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let verdict = check(folder, function);
            let word = match verdict.problem {
                None => "proved",
                Some(_) => "NOT PROVED",
            };
            println!("{word} {}", verdict.name);
            verdicts.push(verdict);
        }
        verdicts
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let verdicts = threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("a verdict"));
        verdicts.collect()
    })
}

#[test]
#[ignore = "minutes: make gsw-heads"]
fn all_functions_of_numbers() {
    let package = unpacked("gsw-3.6.23").unwrap_or_else(|error| panic!("{error:#}"));
    let folder = package.join("src/c_gsw");
    let header = std::fs::read_to_string(folder.join("gswteos-10.h")).expect("the header");
    let functions = functions(&header);
    assert!(functions.len() > 100, "{} functions", functions.len());
    let verdicts = check_all(&folder, &functions);
    let unproved: Vec<String> = verdicts
        .into_iter()
        .filter_map(|verdict| Some(format!("{}\n{}", verdict.name, verdict.problem?)))
        .collect();
    assert!(unproved.is_empty(), "{}", unproved.join("\n"));
}
