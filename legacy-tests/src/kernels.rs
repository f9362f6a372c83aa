//! The kernels that the project keeps as twins in Fortran and C, and what is expected of them. The
//! format of the list is told at its head.

use crate::proof::Case;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// A kernel of the list.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// The name of the file and of the procedure.
    pub name: String,
    /// The head in Fortran.
    pub head: String,
    /// The head in C, where it differs.
    pub head_c: Option<String>,
    /// Integer arguments of one run, one run per entry.
    pub sizes: Vec<String>,
    /// Values of the other arguments.
    pub values: String,
    /// Sizes of what C passes as plain pointers.
    pub extents: String,
    /// Bytes that the adjoint may keep: an expression in the integer arguments.
    pub tape: String,
    /// Whether both languages lower to the same loop nests.
    pub twins: bool,
    /// Whether `reference` has no adjoint written by hand.
    pub is_without_hand: bool,
}

/// The folder of the kernels.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// All kernels in the order of the list.
///
/// # Errors
/// A list that cannot be read.
pub fn all() -> Result<Vec<Kernel>> {
    let path = folder().join("manifest.txt");
    let text =
        std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let mut kernels: Vec<Kernel> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(' ').context("a key without value")?;
        read_key(&mut kernels, key, value.trim())?;
    }
    Ok(kernels)
}

fn read_key(kernels: &mut Vec<Kernel>, key: &str, value: &str) -> Result<()> {
    if key == "kernel" {
        kernels.push(Kernel {
            name: value.to_owned(),
            ..Kernel::default()
        });
        return Ok(());
    }
    let kernel = kernels
        .last_mut()
        .context("the list must begin with a kernel")?;
    match key {
        "head" => value.clone_into(&mut kernel.head),
        "head-c" => kernel.head_c = Some(value.to_owned()),
        "size" => kernel.sizes.push(value.to_owned()),
        "set" => value.clone_into(&mut kernel.values),
        "extent" => value.clone_into(&mut kernel.extents),
        "tape" => value.clone_into(&mut kernel.tape),
        "twins" => kernel.twins = value == "yes",
        "by-hand" => kernel.is_without_hand = value == "no",
        _ => bail!("the list of kernels has an unknown key `{key}`"),
    }
    Ok(())
}

/// Those of them that have an adjoint written by hand.
///
/// # Errors
/// A list that cannot be read.
pub fn with_hand() -> Result<Vec<Kernel>> {
    let mut kernels = all()?;
    kernels.retain(|kernel| !kernel.is_without_hand);
    Ok(kernels)
}

impl Kernel {
    /// The Fortran twin with the integers of one run.
    pub fn fortran(&self, size: &str) -> Case {
        let file = format!("fortran/{}.f90", self.name);
        Case::new(&folder(), &[&file], &self.head)
            .with(size)
            .with(&self.values)
    }

    /// The C twin with the integers of one run. Its arguments do not overlap, as those of the Fortran
    /// twin cannot.
    pub fn c(&self, size: &str) -> Case {
        let file = format!("c/{}.c", self.name);
        let head = self.head_c.as_ref().unwrap_or(&self.head);
        Case::new(&folder(), &[&file], head)
            .with(size)
            .with(&self.values)
            .extents(&self.extents)
            .options("--no-alias")
    }
}
