//! What a derivative keeps in memory: predicted by its plan, and measured by a run of it that counts.
//! `contraflow check --profile FILE` writes both down, and the reports of other commands show them.

use contraflow_ad::Derivative;
use contraflow_ad::checkpoint::measure::Measuring;
use contraflow_ad::checkpoint::{MANY, Sizes, passed};
use contraflow_backend_common::{Counter, Limit};
use contraflow_ir::{Diagnostic, Module, ProcedureId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// How much more than the limit a derivative may take: what estimates do not see.
pub const TOLERANCE: f64 = 1.02;

/// What an experiment expects of a derivative that counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Expected {
    /// What is named after: the module that counts, or the prefix of its functions.
    pub counter: Counter,
    /// Bytes on tapes and in snapshots at a time, for the sizes of the experiment.
    pub predicted: f64,
    /// What grows, of which nothing is predicted.
    pub growing: Vec<String>,
    /// The most that there may be.
    pub limit: Option<f64>,
}

/// What a run counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Bytes left after the last call.
    pub left: f64,
    /// The most bytes at a time in memory.
    pub most: f64,
    /// The most bytes at a time in files.
    pub on_disk: f64,
}

/// What counts, and watches over what a derivative keeps where that depends on how far its tapes grow.
pub fn counter(derivative: &Derivative) -> Counter {
    let head = &derivative.module.procedures[derivative.head].name;
    let limit = derivative.watched.map(|limit| Limit {
        bytes: limit.floor() as u64,
        head: head.clone(),
    });
    Counter {
        name: counter_name(derivative),
        limit,
    }
}

fn counter_name(derivative: &Derivative) -> String {
    let module = &derivative.module;
    let head = &module.procedures[derivative.head].name;
    let is_taken = |name: &str| {
        let of_container =
            |(_, c): (_, &contraflow_ir::Container)| c.name.eq_ignore_ascii_case(name);
        module.containers.iter().any(of_container) || !module.procedures_named(name).is_empty()
    };
    let mut name = format!("{head}_kept").to_lowercase();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// What is to be expected of an adjoint whose primal is called with these sizes.
pub fn expected(adjoint: &Derivative, head: ProcedureId, sizes: &Sizes) -> Expected {
    let values = passed(&adjoint.module, head, sizes);
    let measuring = Measuring {
        module: &adjoint.module,
        values: &values,
        trips: MANY,
    };
    let peak = measuring.peak(adjoint.head);
    Expected {
        counter: counter(adjoint),
        predicted: peak.bytes,
        growing: peak.growing(),
        limit: None,
    }
}

/// What of an adjoint grows with trips and calls that nobody knows before it runs.
pub fn growing_line(adjoint: &Derivative) -> Option<String> {
    let names = adjoint.peak.growing();
    (!names.is_empty()).then(|| {
        format!(
            "not counted, since nobody knows how far they grow: {}",
            names.join(", ")
        )
    })
}

impl Expected {
    /// Whether a run kept to what was promised, and the fact in words.
    pub fn judge(&self, measured: &Measured) -> (bool, String) {
        let Measured {
            left,
            most,
            on_disk,
        } = *measured;
        let mut fact = format!("{most:.0} bytes, {:.0} predicted", self.predicted);
        if !self.growing.is_empty() {
            fact.push_str(&format!(" without what grows: {}", self.growing.join(", ")));
        }
        if on_disk > 0.0 {
            fact.push_str(&format!(", {on_disk:.0} on disk"));
        }
        if left != 0.0 {
            fact.push_str(&format!("; {left:.0} bytes are never released"));
            return (false, fact);
        }
        match self.limit {
            Some(limit) if most > TOLERANCE * limit => {
                fact.push_str(&format!(
                    ", above the limit of {limit:.0}: tell the sizes of this run (--size)"
                ));
                (false, fact)
            }
            Some(limit) => {
                fact.push_str(&format!(", within the limit of {limit:.0}"));
                (true, fact)
            }
            None => (true, fact),
        }
    }
}

/// What a run of a derivative found.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// The head.
    pub head: String,
    /// Its scalars that are whole numbers.
    pub sizes: BTreeMap<String, f64>,
    /// Bytes that were predicted for these.
    pub predicted: f64,
    /// Bytes that were counted.
    pub measured: Measured,
}

impl Profile {
    /// As a file holds it.
    pub fn as_json(&self) -> Value {
        json!({
            "version": 1,
            "head": self.head,
            "sizes": self.sizes,
            "predicted_bytes": self.predicted,
            "measured_bytes": self.measured.most,
            "measured_bytes_on_disk": self.measured.on_disk,
        })
    }

    /// Reads one.
    ///
    /// # Errors
    /// A file that is no profile.
    pub fn read(path: &Path) -> Result<Self, Diagnostic> {
        let shown = path.display();
        let wrong = |what: String| {
            Diagnostic::error("bad-profile", format!("the profile {shown} {what}"))
                .with_help("write it anew: contraflow check … --profile FILE")
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let value: Value =
            serde_json::from_str(&text).map_err(|error| wrong(format!("is not JSON: {error}")))?;
        if value.get("version").and_then(Value::as_u64) != Some(1) {
            return Err(wrong("is not of version 1".to_owned()));
        }
        let number = |key: &str| {
            let found = value.get(key).and_then(Value::as_f64);
            found.ok_or_else(|| wrong(format!("has no number `{key}`")))
        };
        let sizes = value.get("sizes").and_then(Value::as_object);
        let sizes = sizes.ok_or_else(|| wrong("has no `sizes`".to_owned()))?;
        Ok(Self {
            head: value
                .get("head")
                .and_then(Value::as_str)
                .ok_or_else(|| wrong("has no `head`".to_owned()))?
                .to_owned(),
            sizes: sizes
                .iter()
                .filter_map(|(name, size)| Some((name.clone(), size.as_f64()?)))
                .collect(),
            predicted: number("predicted_bytes")?,
            measured: Measured {
                left: 0.0,
                most: number("measured_bytes")?,
                on_disk: number("measured_bytes_on_disk")?,
            },
        })
    }

    /// Predicted beside measured.
    pub fn report(&self, module: &Module, head: ProcedureId) -> String {
        let sizes: Vec<String> = self
            .sizes
            .iter()
            .map(|(name, size)| format!("{name}={size}"))
            .collect();
        let of = match sizes.is_empty() {
            true => String::new(),
            false => format!(" ({})", sizes.join(", ")),
        };
        let Measured { most, on_disk, .. } = self.measured;
        let other = match self
            .head
            .eq_ignore_ascii_case(&module.procedures[head].name)
        {
            true => String::new(),
            false => format!(" of `{}`", self.head),
        };
        format!(
            "profile{other}{of}: {:.0} bytes predicted, {most:.0} measured in memory, {on_disk:.0} on disk",
            self.predicted
        )
    }
}
