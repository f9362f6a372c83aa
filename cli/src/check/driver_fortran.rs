//! The driver of a Fortran head.
//!
//! Variables are called `arg1`, `arg2`, … so that no name of the user's is met twice. Scalars are
//! arrays of one element. Around each variable stand `_start` (the values at entry), `_primal` (what
//! the primal leaves), `_d` and `_b` (shadows), `_way` (the direction of the tangent), `_seed` (the
//! seed of the adjoint), `_at` (the primal at four points), `_first` (the first gradient).

use super::experiment::{Call, Element, Experiment, Item, Labels, Quantity};
use super::places_fortran as places;
use super::values::Values;
use std::fmt::Write;

const SUPPORT: &str = include_str!("support.f90");
const SUPPORT_OF_KIND: &str = include_str!("support_kind.f90");

/// The text of the driver.
pub fn driver(experiment: &Experiment) -> String {
    let mut text = support(experiment);
    let out = &mut text;
    heading(out, experiment);
    declarations(out, experiment);
    main_part(out, experiment);
    line(out, "contains");
    start(out, experiment);
    reset(out, experiment);
    keep_and_compare(out, experiment);
    places::before(out, experiment);
    places::copies(out, experiment);
    choose(out, experiment);
    calls(out, experiment);
    forward(out, experiment);
    differences(out, experiment);
    backward(out, experiment);
    again(out, experiment);
    line(out, "end program");
    text
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

macro_rules! put {
    ($out:expr, $($part:tt)*) => {
        // Writing to a string cannot fail.
        { let _ = writeln!($out, $($part)*); }
    };
}

/// The suffix of the support routines for an active element.
fn suffix(element: Element) -> String {
    match element {
        Element::Real(bytes) => format!("r{bytes}"),
        Element::Complex(bytes) => format!("c{bytes}"),
        _ => String::new(),
    }
}

fn support(experiment: &Experiment) -> String {
    let mut text = SUPPORT.to_owned();
    let mut elements: Vec<Element> = experiment
        .variables
        .iter()
        .chain(experiment.before.iter().flat_map(|call| &call.variables))
        .map(|variable| variable.element)
        .filter(|element| element.is_active())
        .collect();
    elements.sort_unstable();
    elements.dedup();
    for element in elements {
        text.push_str(&support_of(element));
    }
    text + "end module\n\n"
}

fn support_of(element: Element) -> String {
    let (kind, value, product, conjugate) = match element {
        Element::Complex(kind) => (
            kind,
            format!("cmplx(low + (high - low)*random(), low + (high - low)*random(), {kind})"),
            "real(x(i), 8)*real(y(i), 8) + real(aimag(x(i)), 8)*real(aimag(y(i)), 8)",
            "conjg(x)",
        ),
        Element::Real(kind) => (
            kind,
            format!("real(low + (high - low)*random(), {kind})"),
            "real(x(i), 8)*real(y(i), 8)",
            "x",
        ),
        _ => return String::new(),
    };
    SUPPORT_OF_KIND
        .replace("@TYPE@", &type_name(element))
        .replace("@S@", &suffix(element))
        .replace("@K@", &kind.to_string())
        .replace("@VALUE@", &value)
        .replace("@PRODUCT@", product)
        .replace("@CONJUGATE@", conjugate)
}

/// The type of a buffer.
pub fn type_name(element: Element) -> String {
    match element {
        Element::Real(bytes) => format!("real({bytes})"),
        Element::Complex(bytes) => format!("complex({bytes})"),
        Element::Integer(bytes, _) => format!("integer({bytes})"),
        Element::Logical(bytes) => format!("logical({bytes})"),
        Element::Character(length) => format!("character(len={})", length.max(1)),
    }
}

fn heading(out: &mut String, experiment: &Experiment) {
    let head = &experiment.head;
    let (tangent, adjoint) = (&experiment.tangent.name, &experiment.adjoint.name);
    put!(
        out,
        "! Written by `contraflow check`: proves the derivatives of {head}."
    );
    line(out, "program contraflow_check");
    line(out, "  use contraflow_support");
    let copied = experiment.copy.iter();
    let copied: String = copied.map(|name| format!(", {name}")).collect();
    if let Some(module) = &experiment.module {
        put!(
            out,
            "  use {module}, only: &\n    {head}, &\n    {tangent}, &\n    {adjoint}{copied}"
        );
    }
    if let Some(kept) = &experiment.kept {
        put!(
            out,
            "  use {}, only: kept_now, kept_most, kept_most_on_disk",
            kept.counter.name
        );
    }
    places::uses(out, experiment);
    line(out, "  implicit none");
    places::externals(out, experiment);
}

fn declarations(out: &mut String, experiment: &Experiment) {
    for (index, variable) in experiment.variables.iter().enumerate() {
        let name = argument(index);
        let shape = shape(variable);
        put!(out, "  ! {name}: {}{}", variable.name, role(variable));
        let ty = buffer_type(variable);
        put!(
            out,
            "  {ty}, dimension({shape}) :: {name}, {name}_start, {name}_primal"
        );
        if experiment.is_shadowed(index) {
            put!(
                out,
                "  {ty}, dimension({shape}) :: {name}_d, {name}_b, {name}_way, {name}_seed"
            );
        }
        if variable.independent {
            put!(out, "  {ty}, dimension({shape}) :: {name}_first");
        }
        if variable.dependent {
            put!(out, "  {ty} :: {name}_at({}, 4)", variable.count());
        }
    }
    places::declarations(out, experiment);
    let (inputs, outputs) = (
        experiment.independents().count(),
        experiment.dependents().count(),
    );
    put!(
        out,
        "  real(8) :: check_back(0:{inputs}, 0:{outputs}), check_back_volume(0:{inputs}, 0:{outputs})"
    );
    put!(
        out,
        "  real(8) :: check_forth({outputs}), check_forth_volume({outputs}), check_best({outputs}), check_step({outputs})"
    );
    line(out, "  integer :: check_seed, i, j");
    line(out, "");
}

fn role(variable: &Quantity) -> &'static str {
    match (variable.independent, variable.dependent) {
        (true, true) => ", input and output",
        (true, false) => ", input",
        (false, true) => ", output",
        (false, false) => "",
    }
}

/// A text has its declared length, or that of its value.
fn buffer_type(variable: &Quantity) -> String {
    match (variable.element, &variable.values) {
        (Element::Character(0), Values::Texts(texts)) => {
            let longest = texts.iter().map(String::len).max();
            type_name(Element::Character(longest.unwrap_or(1) as u64))
        }
        (element, _) => type_name(element),
    }
}

/// The driver's name of a variable.
pub fn argument(index: usize) -> String {
    format!("arg{}", index + 1)
}

/// The dimensions of a buffer; a scalar is an array of one element.
pub fn real_shape(variable: &Quantity) -> String {
    shape(variable)
}

fn shape(variable: &Quantity) -> String {
    if variable.shape.is_empty() {
        return "1".to_owned();
    }
    let counts: Vec<String> = variable.shape.iter().map(u64::to_string).collect();
    counts.join(", ")
}

fn main_part(out: &mut String, experiment: &Experiment) {
    let (inputs, outputs) = (
        experiment.independents().count(),
        experiment.dependents().count(),
    );
    line(out, "  call check_start");
    line(out, "  call check_reset");
    line(out, "  call check_original");
    line(out, "  call check_keep");
    line(out, "  call check_reset");
    line(out, "  call check_primal");
    line(out, "  call check_compare('repeat')");
    put!(out, "  do check_seed = 1, {}", experiment.seeds);
    line(out, "    call check_choose");
    line(out, "    call check_again");
    put!(out, "    do j = 0, {outputs}");
    line(out, "      call check_backward(j)");
    line(out, "    end do");
    put!(out, "    do i = 0, {inputs}");
    line(out, "      call check_forward(i)");
    line(out, "      call check_differences(i)");
    put!(
        out,
        "      print '(a,3(1x,i0),3(1x,es24.16e3))', 'check: dot', check_seed, i, 0, check_back(i, 0), sum(check_forth), &"
    );
    line(
        out,
        "        max(check_back_volume(i, 0), sum(check_forth_volume))",
    );
    put!(out, "      do j = 1, {outputs}");
    line(
        out,
        "        print '(a,3(1x,i0),3(1x,es24.16e3))', 'check: dot', check_seed, i, j, check_back(i, j), check_forth(j), &",
    );
    line(
        out,
        "          max(check_back_volume(i, j), check_forth_volume(j))",
    );
    line(
        out,
        "        print '(a,3(1x,i0),2(1x,es24.16e3))', 'check: difference', check_seed, i, j, check_best(j), check_step(j)",
    );
    line(out, "      end do");
    line(out, "    end do");
    line(out, "  end do");
    if experiment.kept.is_some() {
        line(
            out,
            "  print '(a,3(1x,i0))', 'check: kept', kept_now(), kept_most(), kept_most_on_disk()",
        );
    }
    line(out, "  print '(a)', 'check: done'");
    line(out, "");
}

fn start(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(out, "  ! Chooses the values at entry.");
    line(out, "  subroutine check_start");
    line(out, "    integer :: i");
    places::allocations(out, experiment);
    for (index, variable) in experiment.variables.iter().enumerate() {
        let name = argument(index);
        start_values(out, variable, &format!("{name}_start"));
    }
    let is_found = |variable: &&Quantity| variable.values == Values::Found;
    if experiment
        .variables
        .iter()
        .any(|variable| is_found(&variable))
    {
        for (index, variable, _) in experiment.placed() {
            if variable.values != Values::Found {
                put!(out, "    {0} = {0}_start", argument(index));
            }
        }
        line(out, "    call check_preset");
        line(out, "    call check_before");
        line(out, "    call check_find");
        for (index, _) in experiment
            .variables
            .iter()
            .enumerate()
            .filter(|(_, variable)| is_found(variable))
        {
            put!(out, "    {0}_start = {0}", argument(index));
        }
    }
    line(out, "    i = 0");
    line(out, "  end subroutine");
}

/// Fills a buffer.
pub fn start_values(out: &mut String, variable: &Quantity, name: &str) {
    let n = variable.count();
    let s = suffix(variable.element);
    match &variable.values {
        Values::Uniform(low, high) => {
            put!(
                out,
                "    call uniform_{s}({name}, {n}, {}, {})",
                real(*low),
                real(*high)
            );
        }
        Values::Ramp(from, to) => {
            put!(
                out,
                "    call ramp_{s}({name}, {n}, {}, {})",
                real(*from),
                real(*to)
            );
        }
        Values::Diagonal { low, high, shift } => {
            let (low, high, shift) = (real(*low), real(*high), real(*shift));
            put!(
                out,
                "    call diagonal_{s}({name}, {n}, {low}, {high}, {shift})"
            );
        }
        Values::List(values) => {
            let values: Vec<String> = values.iter().map(|&value| real(value)).collect();
            put!(out, "    call list_{s}({name}, {n}, [real(8) :: &");
            put!(out, "      {}])", values.join(", &\n      "));
        }
        Values::Whole(low, high) => {
            let kind = type_name(variable.element).replace("integer", "");
            let kind = kind.trim_matches(['(', ')']);
            put!(
                out,
                "    {name} = reshape([(int(whole_number({low}_8, {high}_8), {kind}), i = 1, {n})], shape({name}))"
            );
        }
        Values::Integers(values) => {
            let ty = type_name(variable.element);
            let values: Vec<String> = values.iter().map(i64::to_string).collect();
            let values = format!("[{ty} :: {}]", values.join(", "));
            put!(
                out,
                "    {name} = reshape({values}, shape({name}), pad={values})"
            );
        }
        Values::Logical(value) => put!(out, "    {name} = .{value}."),
        Values::Texts(texts) => {
            let longest = texts.iter().map(String::len).max().unwrap_or(0).max(1);
            let texts: Vec<String> = texts.iter().map(|text| text_literal(text)).collect();
            let texts = format!(
                "[character({longest}) :: &\n      {}]",
                texts.join(", &\n      ")
            );
            put!(
                out,
                "    {name} = reshape({texts}, shape({name}), &\n      pad={texts})"
            );
        }
        Values::Found => {}
    }
}

/// A character literal, in pieces that fit on a line.
fn text_literal(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = characters
        .chunks(40)
        .map(|piece| {
            let piece: String = piece.iter().collect();
            format!("'{}'", piece.replace('\'', "''"))
        })
        .collect();
    match pieces.is_empty() {
        true => "''".to_owned(),
        false => pieces.join(" // &\n      "),
    }
}

/// A double precision literal that has exactly this value.
fn real(value: f64) -> String {
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => format!("{digits}d{exponent}"),
        Some((digits, exponent)) => format!("{digits}.0d{exponent}"),
        None => text,
    }
}

fn reset(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(out, "  subroutine check_reset");
    for index in 0..experiment.variables.len() {
        let name = argument(index);
        put!(out, "    {name} = {name}_start");
    }
    line(out, "  end subroutine");
}

fn keep_and_compare(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(out, "  subroutine check_keep");
    for (index, variable) in experiment.variables.iter().enumerate() {
        let (name, n, s) = (argument(index), variable.count(), suffix(variable.element));
        put!(out, "    {name}_primal = {name}");
        if variable.dependent {
            put!(
                out,
                "    print '(a,1x,i0,1x,es24.16e3)', 'check: magnitude', {}, magnitude_{s}({name}, {n})",
                index + 1
            );
        }
    }
    line(out, "  end subroutine");
    line(out, "");
    line(
        out,
        "  ! Says how many elements differ from what the primal left.",
    );
    line(out, "  subroutine check_compare(what)");
    line(out, "    character(len=*), intent(in) :: what");
    for (index, variable) in experiment.variables.iter().enumerate() {
        let (name, n) = (argument(index), variable.count());
        let count = match variable.element {
            Element::Real(_) | Element::Complex(_) => {
                format!(
                    "differing_{}({name}, {name}_primal, {n})",
                    suffix(variable.element)
                )
            }
            Element::Logical(_) => format!("count({name} .neqv. {name}_primal)"),
            _ => format!("count({name} /= {name}_primal)"),
        };
        put!(
            out,
            "    print '(2(a,1x),i0,1x,i0)', 'check: differ', what, {}, {count}",
            index + 1
        );
    }
    line(out, "  end subroutine");
}

fn choose(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "  ! Chooses directions in proportion to the inputs, seeds in inverse proportion to the outputs.",
    );
    line(out, "  subroutine check_choose");
    for (index, variable) in experiment.shadowed() {
        let (name, n, s) = (argument(index), variable.count(), suffix(variable.element));
        for (part, scale) in [
            ("way", format!("scale_{s}({name}_start, {n})")),
            ("seed", format!("1/scale_{s}({name}_primal, {n})")),
        ] {
            put!(
                out,
                "    call uniform_{s}({name}_{part}, {n}, -1.0d0, 1.0d0)"
            );
            let kind = s.trim_start_matches(['r', 'c']);
            put!(
                out,
                "    {name}_{part} = {name}_{part}*real({scale}, {kind})"
            );
        }
    }
    line(out, "  end subroutine");
}

fn calls(out: &mut String, experiment: &Experiment) {
    let again = experiment.copy.as_ref().unwrap_or(&experiment.head);
    let primal = actuals(experiment, &experiment.primal, "");
    for (name, head) in [("original", &experiment.head), ("primal", again)] {
        let result = experiment.result;
        let call = match result.and_then(|item| item_text(experiment, item, "")) {
            Some(target) => format!("{target} = {head}"),
            None => format!("call {head}"),
        };
        let labels = experiment.primal.labels.as_ref();
        procedure_call(out, experiment, (name, ""), &call, &primal, labels);
    }
    for (what, suffix, call) in [
        ("tangent", "_d", &experiment.tangent),
        ("adjoint", "_b", &experiment.adjoint),
    ] {
        let actuals = actuals(experiment, call, suffix);
        let text = format!("call {}", call.name);
        let labels = call.labels.as_ref();
        procedure_call(out, experiment, (what, suffix), &text, &actuals, labels);
    }
}

/// The actual arguments; after one that is left out, by keyword.
fn actuals(experiment: &Experiment, call: &Call, suffix: &str) -> Vec<String> {
    let mut is_complete = true;
    let mut texts = Vec::new();
    for actual in &call.actuals {
        let suffix = if actual.shadow { suffix } else { "" };
        match item_text(experiment, actual.item, suffix) {
            None => is_complete = false,
            Some(text) if is_complete => texts.push(text),
            Some(text) => texts.push(format!("{}={text}", actual.formal.name)),
        }
    }
    if let Some(labels) = &call.labels {
        for (number, &place) in labels.places.iter().enumerate().rev() {
            texts.insert(place, format!("*{}", label(number)));
        }
    }
    texts
}

/// The statement label for a position among the labels of a call.
fn label(position: usize) -> usize {
    101 + position
}

/// What follows a call with labels: the variable gets the number of the one that was returned to.
fn note_return(out: &mut String, labels: &Labels) {
    let which = argument(labels.which);
    let end = label(labels.places.len());
    put!(out, "    {which} = 0");
    put!(out, "    goto {end}");
    for position in 0..labels.places.len() {
        put!(out, "{} continue", label(position));
        put!(out, "    {which} = {}", position + 1);
        put!(out, "    goto {end}");
    }
    put!(out, "{end} continue");
}

fn item_text(experiment: &Experiment, item: Item, suffix: &str) -> Option<String> {
    match item {
        Item::Variable(index) => {
            let variable = &experiment.variables[index];
            let element = if variable.shape.is_empty() { "(1)" } else { "" };
            Some(format!("{}{suffix}{element}", argument(index)))
        }
        Item::Holder(index) => Some(format!("{}{suffix}", places::holder(index))),
        Item::Procedure(index) => Some(experiment.procedures[index].name.clone()),
        Item::Absent => None,
    }
}

fn procedure_call(
    out: &mut String,
    experiment: &Experiment,
    (name, suffix): (&str, &str),
    call: &str,
    actuals: &[String],
    labels: Option<&Labels>,
) {
    let has_places = experiment.placed().next().is_some();
    line(out, "");
    put!(out, "  subroutine check_{name}");
    if has_places && !experiment.before.is_empty() {
        line(out, "    call check_preset");
    }
    line(out, "    call check_before");
    if has_places {
        line(out, "    call check_put");
    }
    if has_places && !suffix.is_empty() {
        put!(out, "    call check_put{suffix}");
    }
    put!(out, "    {call}( &");
    put!(out, "      {})", actuals.join(", &\n      "));
    if let Some(labels) = labels {
        note_return(out, labels);
    }
    if has_places {
        line(out, "    call check_get");
    }
    if has_places && !suffix.is_empty() {
        put!(out, "    call check_get{suffix}");
    }
    line(out, "  end subroutine");
}

fn forward(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "  ! Runs the tangent along one input's direction, or (0) along all.",
    );
    line(out, "  subroutine check_forward(input)");
    line(out, "    integer, intent(in) :: input");
    for (index, variable) in experiment.shadowed() {
        // The tangent of an output that is no input is not read: it may hold anything.
        let rubbish = variable.dependent && !variable.independent;
        put!(
            out,
            "    {}_d = {}",
            argument(index),
            if rubbish { "3.25" } else { "0" }
        );
    }
    for (position, index) in experiment.independents().enumerate() {
        let name = argument(index);
        put!(
            out,
            "    if (input == 0 .or. input == {}) {name}_d = {name}_way",
            position + 1
        );
    }
    line(out, "    call check_reset");
    line(out, "    call check_tangent");
    line(
        out,
        "    if (check_seed == 1) call check_compare('tangent')",
    );
    for (position, index) in experiment.dependents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, n, s) = (argument(index), variable.count(), suffix(variable.element));
        put!(
            out,
            "    check_forth({}) = product_{s}({name}_seed, {name}_d, {n})",
            position + 1
        );
        put!(
            out,
            "    check_forth_volume({}) = volume_{s}({name}_seed, {name}_d, {n})",
            position + 1
        );
    }
    line(out, "  end subroutine");
}

fn differences(out: &mut String, experiment: &Experiment) {
    let (largest, smallest) = experiment.steps();
    let largest = real(largest);
    line(out, "");
    line(
        out,
        "  ! Compares the tangent with differences of several widths and keeps the best.",
    );
    line(out, "  subroutine check_differences(input)");
    line(out, "    integer, intent(in) :: input");
    line(
        out,
        "    real(8), parameter :: offsets(4) = [-2.0d0, -1.0d0, 1.0d0, 2.0d0]",
    );
    line(out, "    real(8) :: h, error");
    line(out, "    integer :: width, point");
    line(out, "    check_best = huge(check_best)");
    line(out, "    check_step = 0");
    put!(out, "    h = {largest}");
    put!(out, "    do width = 1, {smallest}");
    line(out, "      do point = 1, 4");
    line(out, "        call check_reset");
    for (position, index) in experiment.independents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, s) = (argument(index), suffix(variable.element));
        let kind = s.trim_start_matches(['r', 'c']);
        put!(
            out,
            "        if (input == 0 .or. input == {}) then",
            position + 1
        );
        put!(
            out,
            "          {name} = {name}_start + real(h*offsets(point), {kind})*{name}_way"
        );
        line(out, "        end if");
    }
    line(out, "        call check_primal");
    for index in experiment.dependents() {
        let name = argument(index);
        put!(
            out,
            "        {name}_at(:, point) = reshape({name}, [size({name})])"
        );
    }
    line(out, "      end do");
    for (position, index) in experiment.dependents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, n, s) = (argument(index), variable.count(), suffix(variable.element));
        put!(
            out,
            "      error = error_{s}({name}_at, {name}_d, {name}_primal, {n}, h)"
        );
        put!(
            out,
            "      if (error < check_best({0})) check_step({0}) = h",
            position + 1
        );
        put!(
            out,
            "      if (error < check_best({0})) check_best({0}) = error",
            position + 1
        );
    }
    line(out, "      h = h/10");
    line(out, "    end do");
    line(out, "  end subroutine");
}

fn seeds(out: &mut String, experiment: &Experiment, condition: impl Fn(usize) -> String) {
    for (position, index) in experiment.dependents().enumerate() {
        let name = argument(index);
        put!(out, "    {}{name}_b = {name}_seed", condition(position + 1));
    }
}

fn consumed(out: &mut String, experiment: &Experiment) {
    for index in experiment.dependents() {
        let variable = &experiment.variables[index];
        let by_value = experiment.takes_seed_by_value(index);
        if variable.independent || by_value {
            continue;
        }
        let (name, n, s) = (argument(index), variable.count(), suffix(variable.element));
        put!(
            out,
            "    print '(a,1x,i0,1x,es24.16e3)', 'check: left', {}, magnitude_{s}({name}_b, {n})",
            index + 1
        );
    }
}

fn backward(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "  ! Runs the adjoint with one output's seed, or (0) with all.",
    );
    line(out, "  subroutine check_backward(output)");
    line(out, "    integer, intent(in) :: output");
    for (index, _) in experiment.shadowed() {
        put!(out, "    {}_b = 0", argument(index));
    }
    seeds(out, experiment, |position| {
        format!("if (output == 0 .or. output == {position}) ")
    });
    line(out, "    call check_reset");
    line(out, "    call check_adjoint");
    line(
        out,
        "    if (check_seed == 1) call check_compare('adjoint')",
    );
    consumed(out, experiment);
    for (position, index) in experiment.independents().enumerate() {
        let variable = &experiment.variables[index];
        let (name, n, s) = (argument(index), variable.count(), suffix(variable.element));
        put!(
            out,
            "    check_back({}, output) = product_{s}({name}_way, {name}_b, {n})",
            position + 1
        );
        put!(
            out,
            "    check_back_volume({}, output) = volume_{s}({name}_way, {name}_b, {n})",
            position + 1
        );
    }
    line(
        out,
        "    check_back(0, output) = sum(check_back(1:, output))",
    );
    line(
        out,
        "    check_back_volume(0, output) = sum(check_back_volume(1:, output))",
    );
    line(out, "  end subroutine");
}

/// Twice the call, twice the increment. What is input and output is transformed, and seeded anew.
fn again(out: &mut String, experiment: &Experiment) {
    line(out, "");
    line(
        out,
        "  ! Calls the adjoint twice without clearing the gradient between.",
    );
    line(out, "  subroutine check_again");
    line(out, "    call check_backward(0)");
    for index in experiment.independents() {
        let name = argument(index);
        put!(out, "    {name}_first = {name}_b");
    }
    for (index, variable) in experiment.shadowed() {
        if !variable.independent && !variable.dependent {
            put!(out, "    {}_b = 0", argument(index));
        }
    }
    seeds(out, experiment, |_| String::new());
    line(out, "    call check_reset");
    line(out, "    call check_adjoint");
    line(out, "    if (check_seed == 1) call check_compare('again')");
    for index in experiment.independents() {
        let variable = &experiment.variables[index];
        let (name, n, s) = (argument(index), variable.count(), suffix(variable.element));
        let factor = if variable.dependent { 1 } else { 2 };
        put!(
            out,
            "    print '(a,1x,i0,1x,es24.16e3)', 'check: twice', {}, &",
            index + 1
        );
        put!(
            out,
            "      deviation_{s}({name}_b, {name}_first, {n}, {factor})"
        );
    }
    line(out, "  end subroutine");
}
