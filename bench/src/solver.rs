//! How fast plans are made: problems drawn at random, of many loop nests after one another and of one
//! loop around all, with two memory limits each.

use crate::table::Table;
use contraflow_ad::checkpoint::trial::{self, Shape};

/// What is measured.
#[derive(clap::Args)]
pub struct Request {
    /// Numbers of results that can be read back; each program has a fifth as many loops.
    #[arg(long, default_values_t = [500, 2000, 5000])]
    items: Vec<usize>,
    /// How many programs are drawn of each kind.
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// The gap at which a plan is good enough.
    #[arg(long, default_value_t = 0.01)]
    gap: f64,
    /// Seconds for each.
    #[arg(long, default_value_t = 30.0)]
    time_limit: f64,
}

/// Solves all and prints a table of the slowest and the worst.
pub fn run(request: &Request) {
    let mut table = Table::new(&[
        "programs",
        "loops",
        "results",
        "memory",
        "seconds at most",
        "gap at most",
    ]);
    for &items in &request.items {
        for (shape, name) in [
            (Shape::Wide, "nests in a row"),
            (Shape::Deep, "in one loop"),
        ] {
            for share in [0.25, 0.5] {
                table.row(row(request, items, shape, name, share));
            }
        }
    }
    println!("{table}");
}

fn row(request: &Request, items: usize, shape: Shape, name: &str, share: f64) -> Vec<String> {
    let trials: Vec<trial::Trial> = (0..request.seeds)
        .map(|seed| trial::solve(seed, items, shape, share, request.time_limit, request.gap))
        .collect();
    let most = |figure: fn(&trial::Trial) -> f64| trials.iter().map(figure).fold(0.0, f64::max);
    let gap = most(|trial| trial.gap.unwrap_or(f64::INFINITY));
    vec![
        name.to_owned(),
        trials.first().map_or(0, |trial| trial.loops).to_string(),
        items.to_string(),
        format!("{:.0} %", 100.0 * share),
        format!("{:.2}", most(|trial| trial.seconds)),
        match trials.iter().all(|trial| trial.is_feasible) {
            true => format!("{:.2} %", 100.0 * gap),
            false => "no plan".to_owned(),
        },
    ]
}
