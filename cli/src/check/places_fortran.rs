//! What a Fortran driver needs for variables that are not passed by themselves: records, module
//! variables, members of COMMON blocks; interfaces of external procedures; the calls of `--before`.
//!
//! A holder is called `hold1`, `hold2`, …, the memory of a pointer inside one `own1`, …, the arguments
//! of `--before` `set1_1`, ….

use super::driver_fortran::{argument, real_shape, start_values, type_name};
use super::experiment::{Call, Element, Experiment, Formal, Item, Quantity, Stale};
use super::place::{Holder, Member, Memory, Place, Root, Span};
use super::values::Values;
use std::collections::BTreeSet;
use std::fmt::Write;

macro_rules! put {
    ($out:expr, $($part:tt)*) => {
        // Writing to a string cannot fail.
        { let _ = writeln!($out, $($part)*); }
    };
}

/// The driver's name of a holder.
pub fn holder(index: usize) -> String {
    format!("hold{}", index + 1)
}

fn shadow_of<'h>(holder: &'h Holder, suffix: &str) -> Option<&'h str> {
    let (tangent, adjoint) = match &holder.root {
        Root::Passed => return None,
        Root::Global {
            tangent, adjoint, ..
        }
        | Root::Common {
            tangent, adjoint, ..
        } => (tangent, adjoint),
    };
    match suffix {
        "_d" => tangent.as_deref(),
        "_b" => adjoint.as_deref(),
        _ => None,
    }
}

/// USE statements.
pub fn uses(out: &mut String, experiment: &Experiment) {
    let mut lines = BTreeSet::new();
    for (index, holder) in experiment.holders.iter().enumerate() {
        let name = self::holder(index);
        if let Some(record) = &holder.record
            && let Some(module) = &record.module
            && holder.is_passed()
        {
            lines.insert(format!("  use {module}, only: {}", record.name));
        }
        let Root::Global {
            module: Some(module),
            ..
        } = &holder.root
        else {
            continue;
        };
        let short = holder.name.rsplit("::").next().unwrap_or(&holder.name);
        lines.insert(format!("  use {module}, only: {name} => {short}"));
        for suffix in ["_d", "_b"] {
            if let Some(shadow) = shadow_of(holder, suffix) {
                lines.insert(format!("  use {module}, only: {name}{suffix} => {shadow}"));
            }
        }
    }
    for (index, call) in experiment.before.iter().enumerate() {
        if let Some(module) = &call.module {
            lines.insert(format!(
                "  use {module}, only: before{} => {}",
                index + 1,
                call.name
            ));
        }
    }
    for (index, stale) in experiment.stale.iter().enumerate() {
        if let Stale::Global {
            module: Some(module),
            name,
            ..
        } = stale
        {
            lines.insert(format!(
                "  use {module}, only: stale{} => {name}",
                index + 1
            ));
        }
    }
    for passed in &experiment.procedures {
        if let Some(module) = &passed.module {
            lines.insert(format!("  use {module}, only: {}", passed.name));
        }
    }
    for line in lines {
        put!(out, "{line}");
    }
}

/// Declarations of external procedures: the head and its derivatives, and those of `--before`.
pub fn externals(out: &mut String, experiment: &Experiment) {
    let passed = experiment.procedures.iter();
    for passed in passed.filter(|passed| passed.module.is_none()) {
        match passed.value {
            Some(value) => put!(out, "  {}, external :: {}", type_name(value), passed.name),
            None => put!(out, "  external :: {}", passed.name),
        }
    }
    if experiment.module.is_none() {
        let result = experiment.result.map(|item| match item {
            Item::Variable(index) => type_name(experiment.variables[index].element),
            Item::Holder(index) => holder_type(experiment, index),
            Item::Procedure(_) | Item::Absent => String::new(),
        });
        if let Some(copy) = &experiment.copy {
            let call = Call {
                name: copy.clone(),
                ..experiment.primal.clone()
            };
            external(out, experiment, &call, result.clone());
        }
        external(out, experiment, &experiment.primal, result);
        external(out, experiment, &experiment.tangent, None);
        external(out, experiment, &experiment.adjoint, None);
    }
    for call in experiment
        .before
        .iter()
        .filter(|call| call.module.is_none())
    {
        if call.formals.iter().any(Formal::needs_interface) || call.by_value.contains(&true) {
            put!(out, "  interface");
            let formals: Vec<(&Formal, String, bool)> = call
                .formals
                .iter()
                .zip(&call.variables)
                .zip(&call.by_value)
                .map(|((formal, variable), &by_value)| {
                    (formal, type_name(variable.element), by_value)
                })
                .collect();
            interface(out, &call.name, None, &formals, &[]);
            put!(out, "  end interface");
        } else {
            put!(out, "  external :: {}", call.name);
        }
    }
}

/// The type of a holder.
fn holder_type(experiment: &Experiment, index: usize) -> String {
    if let Some(record) = &experiment.holders[index].record {
        return format!("type({})", record.name);
    }
    let mut placed = experiment.placed();
    let held = placed.find(|(_, _, place)| place.holder == index);
    held.map_or_else(String::new, |(_, variable, _)| {
        declared_type(variable.element)
    })
}

fn external(out: &mut String, experiment: &Experiment, call: &Call, result: Option<String>) {
    let is_plain = !call
        .actuals
        .iter()
        .any(|actual| actual.formal.needs_interface() || actual.by_value);
    if is_plain {
        match result {
            Some(ty) => put!(out, "  {ty}, external :: {}", call.name),
            None => put!(out, "  external :: {}", call.name),
        }
        return;
    }
    put!(out, "  interface");
    let formals: Vec<(&Formal, String, bool)> = call
        .actuals
        .iter()
        .map(|actual| {
            let ty = match actual.item {
                Item::Variable(index) => match experiment.variables[index].element {
                    Element::Character(_) => "character(len=*)".to_owned(),
                    element => type_name(element),
                },
                Item::Holder(index) => holder_type(experiment, index),
                Item::Procedure(_) => "procedure()".to_owned(),
                // Its type does not matter: it is not there.
                Item::Absent => "real(8)".to_owned(),
            };
            (&actual.formal, ty, actual.by_value)
        })
        .collect();
    let labels = call
        .labels
        .as_ref()
        .map_or(&[][..], |labels| &labels.places);
    interface(out, &call.name, result, &formals, labels);
    put!(out, "  end interface");
}

fn interface(
    out: &mut String,
    name: &str,
    result: Option<String>,
    formals: &[(&Formal, String, bool)],
    labels: &[usize],
) {
    let mut names: Vec<&str> = formals
        .iter()
        .map(|(formal, ..)| formal.name.as_str())
        .collect();
    for &place in labels.iter().rev() {
        names.insert(place, "*");
    }
    let kind = match result {
        Some(_) => "function",
        None => "subroutine",
    };
    put!(out, "    {kind} {name}( &");
    put!(out, "      {})", names.join(", &\n      "));
    put!(out, "      import");
    put!(out, "      implicit none");
    if let Some(result) = result {
        put!(out, "      {result} :: {name}");
    }
    for (formal, ty, by_value) in formals {
        let mut text = format!("      {ty}");
        text += match formal.memory {
            Memory::Fixed => "",
            Memory::Allocatable => ", allocatable",
            Memory::Pointer => ", pointer",
        };
        if formal.is_optional {
            text += ", optional";
        }
        if *by_value {
            text += ", value";
        }
        if formal.rank > 0 {
            let dims = match formal.is_assumed || formal.memory != Memory::Fixed {
                true => vec![":"; formal.rank].join(", "),
                false => "*".to_owned(),
            };
            text += &format!(", dimension({dims})");
        }
        put!(out, "{text} :: {}", formal.name);
    }
    put!(out, "    end {kind}");
}

fn bounds(dims: &[Span]) -> String {
    let dims: Vec<String> = dims
        .iter()
        .map(|dim| match dim.lower {
            1 => dim.count.to_string(),
            lower => format!("{lower}:{}", lower + dim.count as i64 - 1),
        })
        .collect();
    match dims.is_empty() {
        true => String::new(),
        false => format!("({})", dims.join(", ")),
    }
}

fn colons(rank: usize) -> String {
    match rank {
        0 => String::new(),
        _ => format!("({})", vec![":"; rank].join(", ")),
    }
}

/// Declarations of holders, of the memory of pointers, and of the arguments of `--before`.
pub fn declarations(out: &mut String, experiment: &Experiment) {
    for (index, holder) in experiment.holders.iter().enumerate() {
        let name = self::holder(index);
        put!(out, "  ! {name}: {}", holder.name);
        if !holder.is_passed() {
            continue;
        }
        let (attribute, shape) = match holder.memory {
            Memory::Fixed => ("", bounds(&holder.dims)),
            Memory::Allocatable => (", allocatable, save", colons(holder.dims.len())),
            Memory::Pointer => (", pointer, save", colons(holder.dims.len())),
        };
        let ty = holder_type(experiment, index);
        put!(
            out,
            "  {ty}{attribute} :: {name}{shape}, {name}_d{shape}, {name}_b{shape}"
        );
    }
    for (index, variable, place) in experiment.placed() {
        if memory_of(experiment, place) == Memory::Pointer {
            let ty = type_name(variable.element);
            let shape = colons(variable.shape.len());
            let own = format!("own{}", index + 1);
            put!(
                out,
                "  {ty}, pointer, save :: {own}{shape}, {own}_d{shape}, {own}_b{shape}"
            );
        }
    }
    for (number, call) in experiment.before.iter().enumerate() {
        for (index, variable) in call.variables.iter().enumerate() {
            let ty = match variable.element {
                Element::Character(length) => format!("character(len={})", length.max(1)),
                element => type_name(element),
            };
            let shape = real_shape(variable);
            put!(
                out,
                "  {ty}, dimension({shape}) :: set{}_{}",
                number + 1,
                index + 1
            );
        }
    }
}

fn memory_of(experiment: &Experiment, place: &Place) -> Memory {
    match place.steps.last() {
        Some(step) => step.memory,
        None => experiment.holders[place.holder].memory,
    }
}

/// Makes the memory of what the driver passes, before all else.
pub fn allocations(out: &mut String, experiment: &Experiment) {
    for (index, holder) in experiment.holders.iter().enumerate() {
        if holder.is_passed() && holder.record.is_some() && holder.memory != Memory::Fixed {
            let (name, shape) = (self::holder(index), bounds(&holder.dims));
            put!(
                out,
                "    allocate({name}{shape}, {name}_d{shape}, {name}_b{shape})"
            );
        }
    }
    for (index, variable, place) in experiment.placed() {
        if memory_of(experiment, place) == Memory::Pointer {
            let counts: Vec<String> = variable.shape.iter().map(u64::to_string).collect();
            let shape = match counts.is_empty() {
                true => String::new(),
                false => format!("({})", counts.join(", ")),
            };
            let own = format!("own{}", index + 1);
            put!(
                out,
                "    allocate({own}{shape}, {own}_d{shape}, {own}_b{shape})"
            );
        }
    }
}

/// How a variable inside a holder is reached: loops over the elements of what is around it, the place,
/// and the part of the buffer that belongs there.
struct Reach {
    loops: Vec<u64>,
    target: String,
    part: String,
    guards: Vec<String>,
}

fn reach(experiment: &Experiment, variable: &Quantity, place: &Place, suffix: &str) -> Reach {
    let holder = &experiment.holders[place.holder];
    let mut target = format!("{}{suffix}", self::holder(place.holder));
    let mut loops = Vec::new();
    let mut levels: Vec<Vec<String>> = Vec::new();
    let mut guards = Vec::new();
    let mut level = |dims: &[Span], loops: &mut Vec<u64>| -> String {
        let mut subscripts = Vec::new();
        let mut counters = Vec::new();
        for dim in dims {
            loops.push(dim.count);
            let counter = format!("k{}", loops.len());
            subscripts.push(match dim.lower {
                1 => counter.clone(),
                lower => format!("{counter} + ({})", lower - 1),
            });
            counters.push(counter);
        }
        levels.push(counters);
        match subscripts.is_empty() {
            true => String::new(),
            false => format!("({})", subscripts.join(", ")),
        }
    };
    let last = place.steps.len();
    if last > 0 {
        let holder_dims = &holder.dims;
        if holder.memory != Memory::Fixed && !holder.is_passed() {
            guards.push(made(&target, holder.memory, holder_dims));
        }
        let subscripts = level(holder_dims, &mut loops);
        target += &subscripts;
    }
    for (number, step) in place.steps.iter().enumerate() {
        target += &format!("%{}", step.name);
        if number + 1 < last {
            if step.memory != Memory::Fixed {
                guards.push(made(&target, step.memory, &step.dims));
            }
            let subscripts = level(&step.dims, &mut loops);
            target += &subscripts;
        }
    }
    let own = match place.steps.last() {
        Some(step) => step.dims.len(),
        None => holder.dims.len(),
    };
    // The buffer's dimensions: the variable's own, then those around it from the inside out.
    let mut subscripts = vec![":".to_owned(); own];
    for counters in levels.iter().rev() {
        subscripts.extend(counters.iter().cloned());
    }
    let part = match (
        variable.shape.is_empty(),
        subscripts.iter().all(|s| s == ":"),
    ) {
        (true, _) => "(1)".to_owned(),
        (false, true) => String::new(),
        (false, false) => format!("({})", subscripts.join(", ")),
    };
    Reach {
        loops,
        target,
        part,
        guards,
    }
}

/// Makes the memory of a record that is not there yet.
fn made(target: &str, memory: Memory, dims: &[Span]) -> String {
    let question = match memory {
        Memory::Pointer => "associated",
        _ => "allocated",
    };
    format!(
        "if (.not. {question}({target})) allocate({target}{})",
        bounds(dims)
    )
}

fn wrapped(out: &mut String, loops: &[u64], body: &[String]) {
    for (number, count) in loops.iter().enumerate() {
        put!(out, "    do k{} = 1, {count}", number + 1);
    }
    for line in body {
        put!(out, "    {line}");
    }
    for _ in loops {
        put!(out, "    end do");
    }
}

/// Whether a shadow of the place exists.
fn has_shadow(experiment: &Experiment, index: usize, place: &Place, suffix: &str) -> bool {
    let holder = &experiment.holders[place.holder];
    if suffix.is_empty() {
        return true;
    }
    let call = match suffix {
        "_d" => &experiment.tangent,
        _ => &experiment.adjoint,
    };
    experiment.is_shadowed(index)
        && match holder.root {
            Root::Passed => Experiment::gets_shadow(call, Item::Holder(place.holder)),
            _ => shadow_of(holder, suffix).is_some(),
        }
}

/// The largest number of loops around a variable.
fn depth(experiment: &Experiment) -> usize {
    experiment
        .placed()
        .map(|(_, variable, place)| reach(experiment, variable, place, "").loops.len())
        .max()
        .unwrap_or(0)
}

fn counters(out: &mut String, experiment: &Experiment) {
    let depth = depth(experiment);
    if depth > 0 {
        let names: Vec<String> = (1..=depth).map(|number| format!("k{number}")).collect();
        put!(out, "    integer :: {}", names.join(", "));
    }
}

/// The procedures `check_put…` and `check_get…` that copy buffers into their places and back.
pub fn copies(out: &mut String, experiment: &Experiment) {
    for suffix in ["", "_d", "_b"] {
        put!(out, "\n  subroutine check_put{suffix}");
        counters(out, experiment);
        for (index, variable, place) in experiment.placed() {
            if has_shadow(experiment, index, place, suffix) {
                put_one(out, experiment, index, variable, place, suffix);
            }
        }
        put!(out, "  end subroutine\n");
        put!(out, "  subroutine check_get{suffix}");
        counters(out, experiment);
        for (index, variable, place) in experiment.placed() {
            if has_shadow(experiment, index, place, suffix) {
                get_one(out, experiment, index, variable, place, suffix);
            }
        }
        put!(out, "  end subroutine");
    }
    put!(
        out,
        "\n  ! What the user sets is there for the procedures that prepare the rest."
    );
    put!(out, "  subroutine check_preset");
    counters(out, experiment);
    for (index, variable, place) in experiment.placed() {
        if variable.values != Values::Found {
            put_one(out, experiment, index, variable, place, "");
        }
    }
    put!(out, "  end subroutine");
    put!(out, "\n  ! Reads what the program has.");
    put!(out, "  subroutine check_find");
    counters(out, experiment);
    for (index, variable, place) in experiment.placed() {
        if variable.values == Values::Found {
            get_one(out, experiment, index, variable, place, "");
        }
    }
    put!(out, "  end subroutine");
    members(out, experiment);
    put!(out, "\n  ! What changes its size cannot be compared.");
    put!(out, "  subroutine check_size(same, variable)");
    put!(out, "    logical, intent(in) :: same");
    put!(out, "    integer, intent(in) :: variable");
    put!(out, "    if (same) return");
    put!(out, "    print '(a,1x,i0)', 'check: resized', variable");
    put!(out, "    stop");
    put!(out, "  end subroutine");
}

fn put_one(
    out: &mut String,
    experiment: &Experiment,
    index: usize,
    variable: &Quantity,
    place: &Place,
    suffix: &str,
) {
    let name = format!("{}{suffix}", argument(index));
    if let Root::Common { .. } = experiment.holders[place.holder].root {
        put!(
            out,
            "    call check_member{}{suffix}({name}, .false.)",
            place.holder + 1
        );
        return;
    }
    let Reach {
        loops,
        target,
        part,
        guards,
    } = reach(experiment, variable, place, suffix);
    let memory = memory_of(experiment, place);
    let mut body = guards;
    if memory == Memory::Pointer {
        let own_part = if variable.shape.is_empty() { "" } else { &part };
        body.push(format!("{target} => own{}{suffix}{own_part}", index + 1));
    }
    body.push(format!("{target} = {name}{part}"));
    wrapped(out, &loops, &body);
}

fn get_one(
    out: &mut String,
    experiment: &Experiment,
    index: usize,
    variable: &Quantity,
    place: &Place,
    suffix: &str,
) {
    let name = format!("{}{suffix}", argument(index));
    if let Root::Common { .. } = experiment.holders[place.holder].root {
        put!(
            out,
            "    call check_member{}{suffix}({name}, .true.)",
            place.holder + 1
        );
        return;
    }
    let Reach {
        loops,
        target,
        part,
        ..
    } = reach(experiment, variable, place, suffix);
    let mut body = Vec::new();
    let question = match memory_of(experiment, place) {
        Memory::Fixed => None,
        Memory::Allocatable => Some("allocated"),
        Memory::Pointer => Some("associated"),
    };
    if let Some(question) = question {
        body.push(format!(
            "call check_size({question}({target}), {})",
            index + 1
        ));
        if !variable.shape.is_empty() {
            body.push(format!(
                "call check_size(all(shape({target}) == shape({name}{part})), {})",
                index + 1
            ));
        }
    }
    body.push(format!("{name}{part} = {target}"));
    wrapped(out, &loops, &body);
}

/// Access to members of COMMON blocks, each declared as the head has it.
fn members(out: &mut String, experiment: &Experiment) {
    for (index, variable, place) in experiment.placed() {
        let holder = &experiment.holders[place.holder];
        let Root::Common { block, members, .. } = &holder.root else {
            continue;
        };
        for suffix in ["", "_d", "_b"] {
            if !has_shadow(experiment, index, place, suffix) {
                continue;
            }
            let block = shadow_of(holder, suffix).unwrap_or(block);
            let number = place.holder + 1;
            put!(out, "\n  subroutine check_member{number}{suffix}(x, get)");
            let ty = declared_type(variable.element);
            put!(
                out,
                "    {ty}, intent(inout) :: x({})",
                real_shape(variable)
            );
            put!(out, "    logical, intent(in) :: get");
            let names = member_declarations(out, members);
            let list = names.join(", &\n      ");
            put!(out, "    common /{block}/ {list}");
            let part = if variable.shape.is_empty() { "(1)" } else { "" };
            put!(out, "    if (get) then");
            put!(out, "      x{part} = member");
            put!(out, "    else");
            put!(out, "      member = x{part}");
            put!(out, "    end if");
            put!(out, "  end subroutine");
        }
    }
}

fn declared_type(element: Element) -> String {
    match element {
        Element::Character(length) => format!("character(len={})", length.max(1)),
        element => type_name(element),
    }
}

fn member_declarations(out: &mut String, members: &[Member]) -> Vec<String> {
    let mut names = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let name = match member.is_meant {
            true => "member".to_owned(),
            false => format!("other{number}"),
        };
        let ty = declared_type(member.element);
        put!(out, "    {ty} :: {name}{}", bounds(&member.dims));
        names.push(name);
    }
    names
}

/// The calls of `--before`, their arguments filled anew; then stale shadows are cleared.
pub fn before(out: &mut String, experiment: &Experiment) {
    put!(out, "\n  subroutine check_before");
    put!(out, "    integer :: i");
    for (number, call) in experiment.before.iter().enumerate() {
        let mut actuals = Vec::new();
        for (index, variable) in call.variables.iter().enumerate() {
            let name = format!("set{}_{}", number + 1, index + 1);
            start_values(out, variable, &name);
            let part = if variable.shape.is_empty() { "(1)" } else { "" };
            actuals.push(format!("{name}{part}"));
        }
        let name = match call.module {
            Some(_) => format!("before{}", number + 1),
            None => call.name.clone(),
        };
        put!(out, "    call {name}( &");
        put!(out, "      {})", actuals.join(", &\n      "));
    }
    put!(out, "    i = 0");
    for (index, stale) in experiment.stale.iter().enumerate() {
        let name = format!("stale{}", index + 1);
        match stale {
            Stale::Global {
                module: Some(_),
                is_dynamic: false,
                ..
            } => put!(out, "    {name} = 0"),
            Stale::Common { .. } => put!(out, "    call check_{name}"),
            Stale::Global { .. } => {}
        }
    }
    put!(out, "  end subroutine");
    for (index, stale) in experiment.stale.iter().enumerate() {
        if let Stale::Common { block, bytes } = stale {
            put!(out, "\n  subroutine check_stale{}", index + 1);
            put!(out, "    integer(1) :: all({})", (*bytes).max(1));
            put!(out, "    common /{block}/ all");
            put!(out, "    all = 0");
            put!(out, "  end subroutine");
        }
    }
}
