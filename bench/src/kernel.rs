//! The kernels of `legacy-tests/kernels`, and the sizes at which they are timed.

use anyhow::Context;
use clap::ValueEnum;
use contraflow_legacy_tests::kernels;
use std::path::PathBuf;

/// A language that the kernels are written in.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Fortran 2018, free form.
    Fortran,
    /// C11.
    C,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Fortran, Self::C];

    /// The folder of its kernels.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Fortran => "fortran",
            Self::C => "c",
        }
    }

    /// What C has to be told, and Fortran's rules say: arguments do not overlap.
    pub fn promise(self) -> Option<&'static str> {
        (self == Self::C).then_some("--no-alias")
    }

    /// The suffix of its sources.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Fortran => "f90",
            Self::C => "c",
        }
    }
}

/// A kernel and where it is timed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// What the list of `legacy-tests` says of it.
    listed: kernels::Kernel,
    /// Values of its integer arguments.
    pub sizes: &'static [u32],
}

impl Kernel {
    /// Its name, and its file's.
    pub fn name(&self) -> &str {
        &self.listed.name
    }

    /// What `--head` is given.
    pub fn head(&self, language: Language) -> &str {
        match (language, &self.listed.head_c) {
            (Language::C, Some(head)) => head,
            _ => &self.listed.head,
        }
    }

    /// Its source.
    pub fn source(&self, language: Language) -> PathBuf {
        kernels::folder()
            .join(language.folder())
            .join(self.name())
            .with_extension(language.suffix())
    }
}

/// All kernels with an adjoint written by hand, in the order of the list.
///
/// # Errors
/// The list cannot be read, or names a kernel without sizes here.
pub fn all() -> anyhow::Result<Vec<Kernel>> {
    let with_sizes = |listed: kernels::Kernel| {
        let sizes =
            sizes(&listed.name).with_context(|| format!("no sizes for `{}`", listed.name))?;
        Ok(Kernel { listed, sizes })
    };
    kernels::with_hand()?.into_iter().map(with_sizes).collect()
}

/// The sizes of the six programs are those of the measured peers; those of NPBench its small ones,
/// but for `gemm`, whose plain loops take seconds there.
fn sizes(name: &str) -> Option<&'static [u32]> {
    Some(match name {
        "jacobi_1d" => &[800, 3200],
        "jacobi_2d" => &[50, 150],
        "heat_3d" => &[25, 25],
        "seidel_2d" => &[8, 50],
        "fdtd_2d" => &[20, 200, 220],
        "gemm" => &[300, 330, 360],
        "atax" | "bicg" => &[4000, 5000],
        "mvt" => &[5500],
        "gesummv" | "go_fast" | "trisolv" => &[2000],
        "cholesky" => &[100],
        "lu" => &[60],
        "heat" => &[500, 200],
        "burgers" | "seidel" => &[500, 100],
        "gemm_sq" => &[300],
        "lorenz" => &[1_000_000],
        "pointwise" => &[10_000_000],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Language, all};

    #[test]
    fn every_kernel_of_the_list_has_a_head_and_sources() {
        let kernels = all().expect("a list");
        assert!(!kernels.is_empty());
        for kernel in kernels {
            for language in Language::ALL {
                assert!(kernel.head(language).starts_with(kernel.name()));
                assert!(kernel.source(language).exists(), "{}", kernel.name());
            }
        }
    }
}
