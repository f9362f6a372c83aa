//! Fortran and C twins of a kernel lower to the same loop nests: the same variables of the same
//! types, and the same statements. How arguments are passed, intents and spellings differ.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::kernels::{Kernel, all};
use contraflow_legacy_tests::proof::Case;

/// What twins share, out of the text of the intermediate representation.
#[derive(PartialEq, Eq, Debug)]
struct Nest {
    /// Names, types and ranks, sorted: languages declare in their own order.
    variables: Vec<String>,
    /// The statements, as printed.
    statements: String,
}

fn nest(case: &Case) -> Nest {
    let file = case.files[0].display().to_string();
    let outcome = contraflow(&["adjoint", &file, "--head", &case.head, "--ir", "primal"]);
    assert_eq!(outcome.status, 0, "{file}\n{}", outcome.error);
    read(&outcome.out)
}

fn read(text: &str) -> Nest {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with("procedure "));
    assert!(lines.next().is_some(), "no procedure in\n{text}");
    let mut nest = Nest {
        variables: Vec::new(),
        statements: String::new(),
    };
    for line in lines {
        if line.starts_with("  is ") {
            continue;
        }
        match line.strip_prefix("  var ") {
            Some(variable) => nest.variables.push(without_facts(variable)),
            None => {
                nest.statements.push_str(line);
                nest.statements.push('\n');
            }
        }
    }
    nest.variables.sort();
    nest
}

/// `a: f64[n from 0, n from 0] argument(1) …` as `a: f64, rank 2`.
fn without_facts(variable: &str) -> String {
    let (name, rest) = variable.split_once(": ").expect("a name and a type");
    let (ty, shape) = match rest.split_once('[') {
        Some((ty, shape)) => (ty, shape.split_once(']').map_or(shape, |it| it.0)),
        None => (rest.split_whitespace().next().unwrap_or(rest), ""),
    };
    let rank = match shape {
        "" => 0,
        shape => shape.split(", ").count(),
    };
    format!("{name}: {ty}, rank {rank}")
}

#[test]
fn twins_lower_to_the_same_loop_nests() {
    let kernels = all().unwrap_or_else(|error| panic!("{error:#}"));
    let twins: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.twins).collect();
    assert!(twins.len() >= 22, "{} twins", twins.len());
    for kernel in twins {
        let (fortran, c) = (nest(&kernel.fortran("")), nest(&kernel.c("")));
        assert_eq!(fortran.variables, c.variables, "{}", kernel.name);
        assert_eq!(fortran.statements, c.statements, "{}", kernel.name);
    }
}

#[test]
fn a_difference_in_a_statement_is_seen() {
    let text = |factor| {
        format!(
            "container\nprocedure f(x) {{\n  var x: f64[n from 0] in\n  x[1] = {factor}.0\n}}\n"
        )
    };
    assert_eq!(read(&text(2)).variables, ["x: f64, rank 1"]);
    assert_ne!(read(&text(2)), read(&text(3)));
}
