//! What a C driver needs for variables that are not passed by themselves: structs, and variables of the
//! program; the calls of `--before`. Names are those of the Fortran driver.
//!
//! Structs are declared anew with the same components in the same order, so that no header of the user's
//! is needed.

use super::driver_c::{argument, start_values, type_name};
use super::experiment::{Experiment, Item, Quantity, Stale};
use super::place::{Holder, Memory, MirrorField, Place, Root};
use super::quantities::element_of;
use super::values::Values;
use contraflow_ir::Type;
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

/// The structs.
pub fn mirrors(out: &mut String, experiment: &Experiment) {
    for mirror in &experiment.mirrors {
        put!(out, "struct check_record{} {{", mirror.record);
        for field in &mirror.fields {
            put!(out, "  {};", field_text(field));
        }
        put!(out, "}};");
    }
}

fn field_text(field: &MirrorField) -> String {
    let dims = field
        .count
        .map_or(String::new(), |count| format!("[{count}]"));
    let ty = match field.ty {
        Type::Pointer(_) | Type::Address => "void *".to_owned(),
        Type::Procedure => return format!("void (*{})(void)", field.name),
        Type::Record(record) => format!("struct check_record{} ", record.index()),
        ty => element_of(ty, 0).map_or("long double ".to_owned(), |element| {
            format!("{} ", type_name(element))
        }),
    };
    format!("{ty}{}{dims}", field.name)
}

fn mirror_name(holder: &Holder) -> Option<String> {
    let record = holder.record.as_ref()?;
    Some(format!("struct check_record{}", record.id.index()))
}

fn count(holder: &Holder) -> u64 {
    holder.dims.iter().map(|dim| dim.count).product()
}

/// The type of a parameter that receives a holder.
pub fn parameter(holder: &Holder, by_value: bool) -> String {
    let name = mirror_name(holder).unwrap_or_else(|| "void".to_owned());
    if by_value { name } else { format!("{name} *") }
}

/// A holder as an actual argument. Where the user's own declarations are seen, a copy has their type.
pub fn actual(experiment: &Experiment, index: usize, suffix: &str, by_value: bool) -> String {
    let name = format!("{}{suffix}", holder(index));
    if !by_value {
        return format!("(void *){name}");
    }
    match &experiment.holders[index].record {
        Some(record) if experiment.needs_translation_unit() => {
            format!("*({} *)(void *){name}", record.name)
        }
        _ => format!("{name}[0]"),
    }
}

fn shadow_of<'h>(holder: &'h Holder, suffix: &str) -> Option<&'h str> {
    let Root::Global {
        tangent, adjoint, ..
    } = &holder.root
    else {
        return None;
    };
    match suffix {
        "_d" => tangent.as_deref(),
        "_b" => adjoint.as_deref(),
        _ => Some(&holder.name),
    }
}

/// Declarations of what is in the program, unless its text is included.
pub fn externals(out: &mut String, experiment: &Experiment) {
    for (index, holder) in experiment.holders.iter().enumerate() {
        for suffix in ["", "_d", "_b"] {
            let Some(name) = shadow_of(holder, suffix) else {
                continue;
            };
            let ty = mirror_name(holder).unwrap_or_else(|| held_type(experiment, index));
            match holder.memory {
                Memory::Fixed => put!(out, "extern {ty} {name}[{}];", count(holder)),
                _ => put!(out, "extern {ty} *{name};"),
            }
        }
    }
    for stale in &experiment.stale {
        if let Stale::Global {
            name,
            bytes,
            is_dynamic: false,
            ..
        } = stale
        {
            put!(out, "extern char {name}[{bytes}];");
        }
    }
    for call in &experiment.before {
        let parameters: Vec<String> = call
            .variables
            .iter()
            .zip(&call.by_value)
            .map(|(variable, &by_value)| {
                let star = if by_value { "" } else { " *" };
                format!("{}{star}", type_name(variable.element))
            })
            .collect();
        let parameters = match parameters.is_empty() {
            true => "void".to_owned(),
            false => parameters.join(", "),
        };
        put!(out, "void {}({parameters});", call.name);
    }
}

/// The type of what a holder without components holds.
fn held_type(experiment: &Experiment, index: usize) -> String {
    let mut placed = experiment.placed();
    let held = placed.find(|(_, _, place)| place.holder == index);
    held.map_or_else(String::new, |(_, variable, _)| {
        type_name(variable.element).to_owned()
    })
}

/// Declarations of holders, of the memory of pointers, and of the arguments of `--before`.
pub fn declarations(out: &mut String, experiment: &Experiment) {
    for (index, holder) in experiment.holders.iter().enumerate() {
        let (name, n) = (self::holder(index), count(holder));
        put!(out, "/* {name}: {} */", holder.name);
        if let Some(ty) = mirror_name(holder)
            && holder.is_passed()
        {
            put!(
                out,
                "static {ty} {name}[{n}], {name}_d[{n}], {name}_b[{n}];"
            );
        }
    }
    for (index, variable, place) in experiment.placed() {
        if memory_of(experiment, place) != Memory::Fixed {
            let (ty, n) = (type_name(variable.element), variable.count());
            let own = format!("own{}", index + 1);
            put!(out, "static {ty} {own}[{n}], {own}_d[{n}], {own}_b[{n}];");
        }
    }
    for (number, call) in experiment.before.iter().enumerate() {
        for (index, variable) in call.variables.iter().enumerate() {
            put!(
                out,
                "static {} set{}_{}[{}];",
                type_name(variable.element),
                number + 1,
                index + 1,
                super::driver_c::count(variable)
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

fn has_shadow(experiment: &Experiment, index: usize, place: &Place, suffix: &str) -> bool {
    let holder = &experiment.holders[place.holder];
    let call = match suffix {
        "" => return true,
        "_d" => &experiment.tangent,
        _ => &experiment.adjoint,
    };
    experiment.is_shadowed(index)
        && match holder.root {
            Root::Passed => Experiment::gets_shadow(call, Item::Holder(place.holder)),
            _ => shadow_of(holder, suffix).is_some(),
        }
}

/// The functions `check_put…` and `check_get…` that copy buffers into their places and back.
pub fn copies(out: &mut String, experiment: &Experiment) {
    let all = [
        ("put", "", false),
        ("put", "_d", false),
        ("put", "_b", false),
        ("get", "", true),
        ("get", "_d", true),
        ("get", "_b", true),
        ("preset", "", false),
        ("find", "", true),
    ];
    for (what, suffix, is_get) in all {
        put!(out, "\nstatic inline void check_{what}{suffix}(void) {{");
        for (index, variable, place) in experiment.placed() {
            let is_found = variable.values == Values::Found;
            let is_meant = match what {
                "find" => is_found,
                "preset" => !is_found,
                _ => true,
            };
            if is_meant && has_shadow(experiment, index, place, suffix) {
                let copy = Copy {
                    experiment,
                    index,
                    variable,
                    place,
                    suffix,
                };
                copy.write(out, is_get);
            }
        }
        put!(out, "}}");
    }
}

struct Copy<'a> {
    experiment: &'a Experiment,
    index: usize,
    variable: &'a Quantity,
    place: &'a Place,
    suffix: &'a str,
}

impl Copy<'_> {
    fn base(&self) -> String {
        let holder = &self.experiment.holders[self.place.holder];
        let name = match shadow_of(holder, self.suffix) {
            Some(name) => name.to_owned(),
            None => format!("{}{}", self::holder(self.place.holder), self.suffix),
        };
        match mirror_name(holder) {
            Some(ty) if holder.memory == Memory::Fixed => {
                format!("(({ty} *)(void *)&{name})")
            }
            Some(ty) => format!("(({ty} *)(void *){name})"),
            None => name,
        }
    }

    fn write(&self, out: &mut String, is_get: bool) {
        let holder = &self.experiment.holders[self.place.holder];
        let mut target = self.base();
        let mut loops: Vec<u64> = Vec::new();
        let last = self.place.steps.len();
        if last > 0 {
            loops.push(count(holder));
            target += "[k1]";
        }
        for (number, step) in self.place.steps.iter().enumerate() {
            target += &format!(".{}", step.name);
            if number + 1 < last && !step.dims.is_empty() {
                loops.push(step.dims.iter().map(|dim| dim.count).product());
                target += &format!("[k{}]", loops.len());
            }
        }
        let around: u64 = loops.iter().product();
        let own = self.variable.count() / around.max(1);
        let mut at = "0".to_owned();
        for (number, count) in loops.iter().enumerate() {
            at = match number {
                0 => "k1".to_owned(),
                _ => format!("({at}*{count} + k{})", number + 1),
            };
        }
        for (number, count) in loops.iter().enumerate() {
            let k = number + 1;
            put!(out, "  for (long k{k} = 0; k{k} < {count}; k{k}++) {{");
        }
        self.copy(out, &target, &format!("{own}*{at}"), own, is_get);
        for _ in &loops {
            put!(out, "  }}");
        }
    }

    fn copy(&self, out: &mut String, target: &str, at: &str, own: u64, is_get: bool) {
        let name = format!("{}{}", argument(self.index), self.suffix);
        let bytes = format!("{own} * sizeof {name}[0]");
        let is_pointer = memory_of(self.experiment, self.place) != Memory::Fixed;
        let memory = match is_pointer {
            true => target.to_owned(),
            false => format!("(void *)&{target}"),
        };
        if is_pointer && is_get {
            put!(out, "    if (!{target}) {{");
            put!(out, "      puts(\"check: resized {}\");", self.index + 1);
            put!(out, "      exit(0);");
            put!(out, "    }}");
        }
        if is_pointer && !is_get {
            put!(
                out,
                "    {target} = (void *)(own{}{} + {at});",
                self.index + 1,
                self.suffix
            );
        }
        if is_get {
            put!(out, "    memcpy({name} + {at}, {memory}, {bytes});");
        } else {
            put!(out, "    memcpy({memory}, {name} + {at}, {bytes});");
        }
    }
}

/// The calls of `--before`, their arguments filled anew; then stale shadows are cleared.
pub fn before(out: &mut String, experiment: &Experiment) {
    put!(out, "\nstatic void check_before(void) {{");
    for (number, call) in experiment.before.iter().enumerate() {
        let mut actuals = Vec::new();
        for (index, variable) in call.variables.iter().enumerate() {
            let name = format!("set{}_{}", number + 1, index + 1);
            start_values(out, variable, &name);
            actuals.push(match call.by_value[index] {
                true => format!("{name}[0]"),
                false => format!("(void *){name}"),
            });
        }
        put!(out, "  {}({});", call.name, actuals.join(", "));
    }
    for stale in &experiment.stale {
        if let Stale::Global {
            name,
            is_dynamic: false,
            ..
        } = stale
        {
            put!(out, "  memset((void *)&{name}, 0, sizeof {name});");
        }
    }
    put!(out, "}}");
}
