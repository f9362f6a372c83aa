//! The driver of a C head.
//!
//! Variables are called as in the Fortran driver; all are arrays of the file. Complex numbers are
//! handled as pairs of reals. Prototypes declare arrays as plain pointers, so that no type of the
//! user's is needed; a `static` head is included with its translation unit instead.

use super::experiment::{Actual, Call, Element, Experiment, Item, Quantity};
use super::places_c as places;
use super::values::Values;
use std::fmt::Write;

const SUPPORT: &str = include_str!("support.c");
const SUPPORT_OF_KIND: &str = include_str!("support_kind.c");

macro_rules! put {
    ($out:expr, $($part:tt)*) => {
        // Writing to a string cannot fail.
        { let _ = writeln!($out, $($part)*); }
    };
}

/// The text of the driver; `included` is the translation unit of a `static` head.
pub fn driver(experiment: &Experiment, included: Option<&str>) -> String {
    let mut text = support(experiment);
    let out = &mut text;
    heading(out, experiment, included);
    declarations(out, experiment);
    places::before(out, experiment);
    places::copies(out, experiment);
    start(out, experiment);
    reset(out, experiment);
    keep_and_compare(out, experiment);
    choose(out, experiment);
    calls(out, experiment);
    forward(out, experiment);
    differences(out, experiment);
    backward(out, experiment);
    again(out, experiment);
    main_part(out, experiment);
    text
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn support(experiment: &Experiment) -> String {
    let mut text = SUPPORT.to_owned();
    for (suffix, ty) in [("r4", "float"), ("r8", "double")] {
        let used = experiment
            .variables
            .iter()
            .chain(experiment.before.iter().flat_map(|call| &call.variables))
            .any(|variable| suffix_of(variable.element) == suffix);
        if used {
            let kind = SUPPORT_OF_KIND.replace("@TYPE@", ty).replace("@S@", suffix);
            text.push_str(&kind);
        }
    }
    text
}

/// The suffix of the support routines for an active element.
fn suffix_of(element: Element) -> &'static str {
    match element {
        Element::Real(4) | Element::Complex(4) => "r4",
        Element::Real(_) | Element::Complex(_) => "r8",
        _ => "",
    }
}

/// The type of a buffer's element.
pub fn type_name(element: Element) -> &'static str {
    match element {
        Element::Real(4) => "float",
        Element::Real(_) => "double",
        Element::Complex(4) => "float _Complex",
        Element::Complex(_) => "double _Complex",
        Element::Integer(1, true) => "signed char",
        Element::Integer(1, false) => "unsigned char",
        Element::Integer(2, true) => "short",
        Element::Integer(2, false) => "unsigned short",
        Element::Integer(8, true) => "long long",
        Element::Integer(8, false) => "unsigned long long",
        Element::Integer(_, true) => "int",
        Element::Integer(_, false) => "unsigned int",
        Element::Logical(1) => "_Bool",
        Element::Logical(_) => "int",
        Element::Character(_) => "char",
    }
}

/// The driver's name of a variable.
pub fn argument(index: usize) -> String {
    format!("arg{}", index + 1)
}

/// The number of elements in memory.
pub fn count(variable: &Quantity) -> u64 {
    match &variable.values {
        Values::Texts(texts) => text_of(texts).len() as u64 + 1,
        _ => variable.count(),
    }
}

/// A text is one array.
fn text_of(texts: &[String]) -> &str {
    texts.first().map_or("", String::as_str)
}

/// An active variable as its reals: pointer and number.
fn reals(variable: &Quantity, name: &str) -> String {
    let n = variable.count();
    match variable.element {
        Element::Complex(4) => format!("(float *){name}, {}", 2 * n),
        Element::Complex(_) => format!("(double *){name}, {}", 2 * n),
        _ => format!("{name}, {n}"),
    }
}

/// Two active variables as reals, and their number.
fn two_reals(variable: &Quantity, first: &str, second: &str) -> String {
    let n = variable.count();
    match variable.element {
        Element::Complex(4) => format!("(float *){first}, (float *){second}, {}", 2 * n),
        Element::Complex(_) => format!("(double *){first}, (double *){second}, {}", 2 * n),
        _ => format!("{first}, {second}, {n}"),
    }
}

fn parts(variable: &Quantity) -> u8 {
    if matches!(variable.element, Element::Complex(_)) {
        2
    } else {
        1
    }
}

fn heading(out: &mut String, experiment: &Experiment, included: Option<&str>) {
    let head = &experiment.head;
    line(out, "");
    put!(
        out,
        "/* Written by `contraflow check`: proves the derivatives of {head}. */"
    );
    if let Some(kept) = &experiment.kept {
        for what in ["now", "most", "most_on_disk"] {
            put!(out, "long long {}_{what}(void);", kept.counter.name);
        }
    }
    if let Some(included) = included {
        line(out, "#define main contraflow_users_main");
        put!(out, "#include \"{included}\"");
        line(out, "#undef main");
        places::mirrors(out, experiment);
        return;
    }
    places::mirrors(out, experiment);
    places::externals(out, experiment);
    let result = match experiment.result {
        Some(Item::Variable(result)) => type_name(experiment.variables[result].element).to_owned(),
        Some(Item::Holder(result)) => places::parameter(&experiment.holders[result], true),
        Some(Item::Absent) => "void *".to_owned(),
        Some(Item::Procedure(_)) | None => "void".to_owned(),
    };
    for passed in &experiment.procedures {
        prototype(out, "void", &passed.name, Vec::new());
    }
    for name in [Some(head), experiment.copy.as_ref()].into_iter().flatten() {
        let list = parameters(experiment, &experiment.primal);
        prototype(out, &result, name, list);
    }
    for call in [&experiment.tangent, &experiment.adjoint] {
        prototype(out, "void", &call.name, parameters(experiment, call));
    }
}

fn parameters(experiment: &Experiment, call: &Call) -> Vec<String> {
    call.actuals
        .iter()
        .map(|actual| match actual.item {
            Item::Variable(index) => parameter(&experiment.variables[index], actual.by_value),
            Item::Holder(index) => places::parameter(&experiment.holders[index], actual.by_value),
            Item::Procedure(_) => "void (*)(void)".to_owned(),
            Item::Absent => "void *".to_owned(),
        })
        .collect()
}

fn parameter(variable: &Quantity, by_value: bool) -> String {
    let ty = type_name(variable.element);
    if by_value {
        ty.to_owned()
    } else {
        format!("{ty} *")
    }
}

fn prototype(out: &mut String, result: &str, name: &str, parameters: Vec<String>) {
    let parameters = match parameters.is_empty() {
        true => "void".to_owned(),
        false => parameters.join(", "),
    };
    put!(out, "{result} {name}({parameters});");
}

fn declarations(out: &mut String, experiment: &Experiment) {
    line(out, "");
    for (index, variable) in experiment.variables.iter().enumerate() {
        let (name, ty, n) = (
            argument(index),
            type_name(variable.element),
            count(variable),
        );
        put!(out, "/* {name}: {}{} */", variable.name, role(variable));
        put!(
            out,
            "static {ty} {name}[{n}], {name}_start[{n}], {name}_primal[{n}];"
        );
        if experiment.is_shadowed(index) {
            put!(
                out,
                "static {ty} {name}_d[{n}], {name}_b[{n}], {name}_way[{n}], {name}_seed[{n}];"
            );
        }
        if variable.independent {
            put!(out, "static {ty} {name}_first[{n}];");
        }
        if variable.dependent {
            put!(out, "static {ty} {name}_at[4*{n}];");
        }
    }
    places::declarations(out, experiment);
    let inputs = experiment.independents().count() + 1;
    let outputs = experiment.dependents().count() + 1;
    put!(
        out,
        "static double check_back[{inputs}][{outputs}], check_back_volume[{inputs}][{outputs}];"
    );
    put!(
        out,
        "static double check_forth[{outputs}], check_forth_volume[{outputs}], check_best[{outputs}], check_step[{outputs}];"
    );
    line(out, "static int check_seed;");
}

fn role(variable: &Quantity) -> &'static str {
    match (variable.independent, variable.dependent) {
        (true, true) => ", input and output",
        (true, false) => ", input",
        (false, true) => ", output",
        (false, false) => "",
    }
}

fn function(out: &mut String, head: &str) {
    line(out, "");
    put!(out, "static void {head} {{");
}

fn start(out: &mut String, experiment: &Experiment) {
    function(out, "check_start(void)");
    for (index, variable) in experiment.variables.iter().enumerate() {
        start_values(out, variable, &format!("{}_start", argument(index)));
    }
    let is_found = |variable: &Quantity| variable.values == Values::Found;
    if experiment.variables.iter().any(is_found) {
        for (index, variable, _) in experiment.placed() {
            if variable.values != Values::Found {
                put!(
                    out,
                    "  memcpy({0}, {0}_start, sizeof {0});",
                    argument(index)
                );
            }
        }
        line(out, "  check_preset();");
        line(out, "  check_before();");
        line(out, "  check_find();");
    }
    for (index, variable) in experiment.variables.iter().enumerate() {
        if is_found(variable) {
            put!(
                out,
                "  memcpy({0}_start, {0}, sizeof {0});",
                argument(index)
            );
        }
    }
    line(out, "}");
}

/// Fills a buffer.
pub fn start_values(out: &mut String, variable: &Quantity, name: &str) {
    let (n, s) = (variable.count(), suffix_of(variable.element));
    let (all, parts) = if s.is_empty() {
        (String::new(), 1)
    } else {
        (reals(variable, name), parts(variable))
    };
    let ty = type_name(variable.element);
    match &variable.values {
        Values::Uniform(low, high) => put!(out, "  check_uniform_{s}({all}, {low:?}, {high:?});"),
        Values::Ramp(from, to) => put!(out, "  check_ramp_{s}({all}, {parts}, {from:?}, {to:?});"),
        Values::Diagonal { low, high, shift } => {
            put!(
                out,
                "  check_diagonal_{s}({all}, {parts}, {low:?}, {high:?}, {shift:?});"
            );
        }
        Values::List(values) => {
            let list: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
            let (list, count) = (list.join(", "), values.len());
            put!(
                out,
                "  check_list_{s}({all}, {parts}, (const double[]){{{list}}}, {count});"
            );
        }
        Values::Whole(low, high) => {
            put!(
                out,
                "  for (long i = 0; i < {n}; i++) {name}[i] = ({ty})check_whole({low}, {high});"
            );
        }
        Values::Integers(values) => {
            let list: Vec<String> = values.iter().map(i64::to_string).collect();
            let (list, count) = (list.join(", "), values.len());
            put!(
                out,
                "  for (long i = 0; i < {n}; i++) {name}[i] = ((const {ty}[]){{{list}}})[i % {count}];"
            );
        }
        Values::Logical(value) => {
            put!(
                out,
                "  for (long i = 0; i < {n}; i++) {name}[i] = {};",
                u8::from(*value)
            );
        }
        Values::Texts(texts) => {
            let text = text_of(texts).escape_default();
            put!(out, "  strcpy({name}, \"{text}\");");
        }
        Values::Found => {}
    }
}

fn reset(out: &mut String, experiment: &Experiment) {
    function(out, "check_reset(void)");
    for index in 0..experiment.variables.len() {
        let name = argument(index);
        put!(out, "  memcpy({name}, {name}_start, sizeof {name});");
    }
    line(out, "}");
}

fn keep_and_compare(out: &mut String, experiment: &Experiment) {
    function(out, "check_keep(void)");
    for (index, variable) in experiment.variables.iter().enumerate() {
        let (name, s) = (argument(index), suffix_of(variable.element));
        put!(out, "  memcpy({name}_primal, {name}, sizeof {name});");
        if variable.dependent {
            let magnitude = format!("check_magnitude_{s}({})", reals(variable, &name));
            put!(
                out,
                "  printf(\"check: magnitude {} %.16e\\n\", {magnitude});",
                index + 1
            );
        }
    }
    line(out, "}");
    line(out, "");
    line(
        out,
        "/* Says how many elements differ from what the primal left. */",
    );
    line(out, "static void check_compare(const char *what) {");
    for (index, variable) in experiment.variables.iter().enumerate() {
        let (name, n) = (argument(index), count(variable));
        let differing = format!("check_differing({name}, {name}_primal, {n}, sizeof {name}[0])");
        put!(
            out,
            "  printf(\"check: differ %s {} %ld\\n\", what, {differing});",
            index + 1
        );
    }
    line(out, "}");
}

fn choose(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "/* Chooses directions in proportion to the inputs, seeds in inverse proportion to the outputs. */",
    );
    line(out, "static void check_choose(void) {");
    for (index, variable) in experiment.shadowed() {
        let (name, s) = (argument(index), suffix_of(variable.element));
        for (part, one, of) in [("way", "", "start"), ("seed", "1 / ", "primal")] {
            let all = reals(variable, &format!("{name}_{part}"));
            let scale = format!(
                "check_scale_{s}({})",
                reals(variable, &format!("{name}_{of}"))
            );
            put!(out, "  check_uniform_{s}({all}, -1.0, 1.0);");
            put!(out, "  check_multiply_{s}({all}, {one}{scale});");
        }
    }
    line(out, "}");
}

fn calls(out: &mut String, experiment: &Experiment) {
    let again = experiment.copy.as_ref().unwrap_or(&experiment.head);
    for (name, head) in [("original", &experiment.head), ("primal", again)] {
        let call = match experiment.result {
            Some(Item::Variable(result)) => format!("{}[0] = {head}", argument(result)),
            Some(Item::Holder(result)) => {
                let target = places::actual(experiment, result, "", true);
                format!("{target} = {head}")
            }
            Some(Item::Procedure(_) | Item::Absent) | None => head.clone(),
        };
        call_function(out, experiment, name, "", &call, &experiment.primal);
    }
    for (what, suffix, call) in [
        ("tangent", "_d", &experiment.tangent),
        ("adjoint", "_b", &experiment.adjoint),
    ] {
        call_function(out, experiment, what, suffix, &call.name, call);
    }
}

fn call_function(
    out: &mut String,
    experiment: &Experiment,
    what: &str,
    suffix: &str,
    text: &str,
    call: &Call,
) {
    let actuals: Vec<String> = call
        .actuals
        .iter()
        .map(|actual| actual_text(experiment, actual, suffix))
        .collect();
    function(out, &format!("check_{what}(void)"));
    if !experiment.before.is_empty() {
        line(out, "  check_preset();");
    }
    put!(out, "  check_before();\n  check_put();");
    if !suffix.is_empty() {
        put!(out, "  check_put{suffix}();");
    }
    put!(out, "  {text}({});\n  check_get();", actuals.join(", "));
    if !suffix.is_empty() {
        put!(out, "  check_get{suffix}();");
    }
    line(out, "}");
}

fn actual_text(experiment: &Experiment, actual: &Actual, suffix: &str) -> String {
    let suffix = if actual.shadow { suffix } else { "" };
    match actual.item {
        Item::Variable(index) => {
            self::actual(&format!("{}{suffix}", argument(index)), actual.by_value)
        }
        Item::Holder(index) => places::actual(experiment, index, suffix, actual.by_value),
        Item::Procedure(index) => experiment.procedures[index].name.clone(),
        Item::Absent => "0".to_owned(),
    }
}

/// A pointer to no type fits each parameter: `double *x` and `double x[n][m]`.
fn actual(name: &str, by_value: bool) -> String {
    if by_value {
        format!("{name}[0]")
    } else {
        format!("(void *){name}")
    }
}

fn forward(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "/* Runs the tangent along one input's direction, or (0) along all. */",
    );
    line(out, "static void check_forward(int input) {");
    for (index, variable) in experiment.shadowed() {
        // The tangent of an output that is no input is not read: it may hold anything.
        let rubbish = variable.dependent && !variable.independent;
        let all = reals(variable, &format!("{}_d", argument(index)));
        let value = if rubbish { "3.25" } else { "0" };
        put!(
            out,
            "  check_fill_{}({all}, {value});",
            suffix_of(variable.element)
        );
    }
    for (position, index) in experiment.independents().enumerate() {
        let name = argument(index);
        put!(
            out,
            "  if (input == 0 || input == {}) memcpy({name}_d, {name}_way, sizeof {name}_d);",
            position + 1
        );
    }
    line(out, "  check_reset();");
    line(out, "  check_tangent();");
    line(out, "  if (check_seed == 1) check_compare(\"tangent\");");
    line(out, "  check_forth[0] = check_forth_volume[0] = 0;");
    for (position, index) in experiment.dependents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, s, j) = (argument(index), suffix_of(variable.element), position + 1);
        let both = two_reals(variable, &format!("{name}_seed"), &format!("{name}_d"));
        put!(
            out,
            "  check_forth[0] += check_forth[{j}] = check_product_{s}({both});"
        );
        put!(
            out,
            "  check_forth_volume[0] += check_forth_volume[{j}] = check_volume_{s}({both});"
        );
    }
    line(out, "}");
}

fn differences(out: &mut String, experiment: &Experiment) {
    let (largest, widths) = experiment.steps();
    let outputs = experiment.dependents().count();
    line(out, "");
    line(
        out,
        "/* Compares the tangent with differences of several widths and keeps the best. */",
    );
    line(out, "static void check_differences(int input) {");
    line(out, "  const double offsets[4] = {-2, -1, 1, 2};");
    put!(out, "  double h = {largest:?}, error;");
    put!(
        out,
        "  for (int j = 1; j <= {outputs}; j++) check_best[j] = DBL_MAX;"
    );
    put!(
        out,
        "  for (int width = 0; width < {widths}; width++, h /= 10) {{"
    );
    line(out, "    for (int point = 0; point < 4; point++) {");
    line(out, "      check_reset();");
    for (position, index) in experiment.independents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, s) = (argument(index), suffix_of(variable.element));
        let both = two_reals(variable, &name, &format!("{name}_way"));
        put!(
            out,
            "      if (input == 0 || input == {}) check_move_{s}({both}, h*offsets[point]);",
            position + 1
        );
    }
    line(out, "      check_primal();");
    for index in experiment.dependents() {
        let (name, n) = (argument(index), experiment.variables[index].count());
        put!(
            out,
            "      memcpy({name}_at + {n}*point, {name}, sizeof {name});"
        );
    }
    line(out, "    }");
    for (position, index) in experiment.dependents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, s, j) = (argument(index), suffix_of(variable.element), position + 1);
        let at = reals(variable, &format!("{name}_at"));
        let at = at.split(',').next().unwrap_or_default();
        let d = reals(variable, &format!("{name}_d"));
        let d = d.split(',').next().unwrap_or_default();
        let y = reals(variable, &format!("{name}_primal"));
        put!(out, "    error = check_error_{s}({at}, {d}, {y}, h);");
        put!(
            out,
            "    if (error < check_best[{j}]) check_best[{j}] = error, check_step[{j}] = h;"
        );
    }
    line(out, "  }");
    line(out, "}");
}

fn seeds(out: &mut String, experiment: &Experiment, condition: impl Fn(usize) -> String) {
    for (position, index) in experiment.dependents().enumerate() {
        let name = argument(index);
        put!(
            out,
            "  {}memcpy({name}_b, {name}_seed, sizeof {name}_b);",
            condition(position + 1)
        );
    }
}

fn consumed(out: &mut String, experiment: &Experiment) {
    for index in experiment.dependents() {
        let variable = &experiment.variables[index];
        let by_value = experiment.takes_seed_by_value(index);
        if variable.independent || by_value {
            continue;
        }
        let all = reals(variable, &format!("{}_b", argument(index)));
        let magnitude = format!("check_magnitude_{}({all})", suffix_of(variable.element));
        put!(
            out,
            "  printf(\"check: left {} %.16e\\n\", {magnitude});",
            index + 1
        );
    }
}

fn backward(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "/* Runs the adjoint with one output's seed, or (0) with all. */",
    );
    line(out, "static void check_backward(int output) {");
    for (index, variable) in experiment.shadowed() {
        let all = reals(variable, &format!("{}_b", argument(index)));
        put!(
            out,
            "  check_fill_{}({all}, 0);",
            suffix_of(variable.element)
        );
    }
    seeds(out, experiment, |position| {
        format!("if (output == 0 || output == {position}) ")
    });
    line(out, "  check_reset();");
    line(out, "  check_adjoint();");
    line(out, "  if (check_seed == 1) check_compare(\"adjoint\");");
    consumed(out, experiment);
    line(
        out,
        "  check_back[0][output] = check_back_volume[0][output] = 0;",
    );
    for (position, index) in experiment.independents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, s, i) = (argument(index), suffix_of(variable.element), position + 1);
        let both = two_reals(variable, &format!("{name}_way"), &format!("{name}_b"));
        put!(
            out,
            "  check_back[0][output] += check_back[{i}][output] = check_product_{s}({both});"
        );
        put!(
            out,
            "  check_back_volume[0][output] += check_back_volume[{i}][output] = check_volume_{s}({both});"
        );
    }
    line(out, "}");
}

/// Twice the call, twice the increment. What is input and output is transformed, and seeded anew.
fn again(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "/* Calls the adjoint twice without clearing the gradient between. */",
    );
    line(out, "static void check_again(void) {");
    line(out, "  check_backward(0);");
    for index in experiment.independents() {
        let name = argument(index);
        put!(out, "  memcpy({name}_first, {name}_b, sizeof {name}_b);");
    }
    for (index, variable) in experiment.shadowed() {
        if !variable.independent && !variable.dependent {
            let all = reals(variable, &format!("{}_b", argument(index)));
            put!(
                out,
                "  check_fill_{}({all}, 0);",
                suffix_of(variable.element)
            );
        }
    }
    seeds(out, experiment, |_| String::new());
    line(out, "  check_reset();");
    line(out, "  check_adjoint();");
    line(out, "  if (check_seed == 1) check_compare(\"again\");");
    for index in experiment.independents() {
        let variable = &experiment.variables[index];
        let (name, s) = (argument(index), suffix_of(variable.element));
        let factor = if variable.dependent { 1 } else { 2 };
        let both = two_reals(variable, &format!("{name}_b"), &format!("{name}_first"));
        let deviation = format!("check_deviation_{s}({both}, {factor})");
        put!(
            out,
            "  printf(\"check: twice {} %.16e\\n\", {deviation});",
            index + 1
        );
    }
    line(out, "}");
}

fn main_part(out: &mut String, experiment: &Experiment) {
    let (inputs, outputs) = (
        experiment.independents().count(),
        experiment.dependents().count(),
    );
    line(out, "");
    line(out, "int main(void) {");
    for call in ["start", "reset", "original", "keep", "reset", "primal"] {
        put!(out, "  check_{call}();");
    }
    line(out, "  check_compare(\"repeat\");");
    put!(
        out,
        "  for (check_seed = 1; check_seed <= {}; check_seed++) {{",
        experiment.seeds
    );
    line(out, "    check_choose();");
    line(out, "    check_again();");
    put!(
        out,
        "    for (int j = 0; j <= {outputs}; j++) check_backward(j);"
    );
    put!(out, "    for (int i = 0; i <= {inputs}; i++) {{");
    line(out, "      check_forward(i);");
    line(out, "      check_differences(i);");
    put!(out, "      for (int j = 0; j <= {outputs}; j++)");
    line(
        out,
        "        printf(\"check: dot %d %d %d %.16e %.16e %.16e\\n\", check_seed, i, j, check_back[i][j],",
    );
    line(
        out,
        "               check_forth[j], check_larger(check_back_volume[i][j], check_forth_volume[j]));",
    );
    put!(out, "      for (int j = 1; j <= {outputs}; j++)");
    line(
        out,
        "        printf(\"check: difference %d %d %d %.16e %.16e\\n\", check_seed, i, j, check_best[j], check_step[j]);",
    );
    line(out, "    }");
    line(out, "  }");
    if let Some(kept) = &experiment.kept {
        let name = &kept.counter.name;
        put!(
            out,
            "  printf(\"check: kept %lld %lld %lld\\n\", {name}_now(), {name}_most(), {name}_most_on_disk());"
        );
    }
    line(out, "  puts(\"check: done\");");
    line(out, "  return 0;");
    line(out, "}");
}
