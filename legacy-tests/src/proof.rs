//! A case and its proof: sources, head and values; the whole line; the laws that the driver of
//! `contraflow check` tries.

use crate::command::{Outcome, contraflow};
use std::path::{Path, PathBuf};

/// A head to prove.
#[derive(Clone, Default, Debug)]
pub struct Case {
    /// The sources.
    pub files: Vec<PathBuf>,
    /// As `--head` takes it.
    pub head: String,
    /// As `--set` takes them.
    pub values: Vec<String>,
    /// As `--extent` takes them.
    pub extents: Vec<String>,
    /// Further arguments.
    pub options: Vec<String>,
    /// Further flags for the compilers.
    pub flags: String,
}

/// How the driver is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// As a user would: the forward sweep must equal the primal bit for bit here too, and compilers warn of
    /// nothing in derivatives in C.
    Optimised,
    /// With few optimisations: where more of them make a compiler warn, or take minutes.
    Quick,
    /// With array bounds, addresses, leaks and undefined behaviour checked at run time.
    Checked,
}

/// What is checked at run time. Null pointers, sizes of objects and pointers that wrap round end at what
/// the address sanitizer guards; their own checks take most of a compiler's time.
macro_rules! checked {
    ($more:literal) => {
        concat!(
            "-O1 -ffp-contract=off ",
            $more,
            "-fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow ",
            "-fno-sanitize-recover=undefined"
        )
    };
}

impl Build {
    fn flags(self, is_fortran: bool) -> &'static str {
        match (self, is_fortran) {
            (Self::Optimised, true) => "-O2 -ffp-contract=off -fno-tree-vectorize",
            (Self::Optimised, false) => {
                "-O2 -ffp-contract=off -fno-tree-vectorize -Wmaybe-uninitialized -Wstringop-overflow"
            }
            (Self::Quick, _) => "-O1 -ffp-contract=off",
            (Self::Checked, true) => {
                checked!("-fcheck=all,no-array-temps ")
            }
            (Self::Checked, false) => checked!(""),
        }
    }
}

impl Case {
    /// A case of files below a folder.
    pub fn new(folder: &Path, files: &[&str], head: &str) -> Self {
        Self {
            files: files.iter().map(|file| folder.join(file)).collect(),
            head: head.to_owned(),
            ..Self::default()
        }
    }

    /// With values, separated by blanks.
    pub fn with(mut self, values: &str) -> Self {
        self.values.extend(words(values));
        self
    }

    /// With extents, separated by blanks.
    pub fn extents(mut self, extents: &str) -> Self {
        self.extents.extend(words(extents));
        self
    }

    /// With further arguments, separated by blanks.
    pub fn options(mut self, options: &str) -> Self {
        self.options.extend(words(options));
        self
    }

    /// With further flags for the compilers.
    pub fn flags(mut self, flags: &str) -> Self {
        self.flags = format!("{} {flags}", self.flags);
        self
    }

    /// Runs `contraflow check`.
    pub fn check(&self, build: Build) -> Outcome {
        let is_fortran = self.is_fortran();
        let mut arguments = self.command("check", &[]);
        for text in &self.values {
            arguments.extend(["--set".to_owned(), text.clone()]);
        }
        arguments.push(format!("--flags={}{}", build.flags(is_fortran), self.flags));
        if let (Some(program), Build::Optimised, false) = (under(), build, is_fortran) {
            arguments.push(format!("--run-with={program}"));
        }
        contraflow(&arguments[1..])
    }

    fn is_fortran(&self) -> bool {
        self.files.iter().all(|file| {
            file.extension()
                .is_some_and(|suffix| !suffix.eq_ignore_ascii_case("c"))
        })
    }

    /// The command line that both `check` and the derivatives take, the program's name first.
    pub fn command(&self, name: &str, more: &[&str]) -> Vec<String> {
        let mut arguments = vec!["contraflow".to_owned(), name.to_owned()];
        arguments.extend(self.files.iter().map(|file| file.display().to_string()));
        arguments.extend(["--head".to_owned(), self.head.clone()]);
        for text in &self.extents {
            arguments.extend(["--extent".to_owned(), text.clone()]);
        }
        arguments.extend(self.options.iter().cloned());
        arguments.extend(more.iter().map(|&text| text.to_owned()));
        arguments
    }

    /// Demands a proof in both builds.
    ///
    /// # Panics
    /// With the command's output, if there is none.
    pub fn prove(&self) {
        for build in [Build::Optimised, Build::Checked] {
            self.prove_as_built(build);
        }
    }

    /// Demands a proof in one build; of C that is checked at run time also as a user would compile it,
    /// which says what compilers warn of.
    ///
    /// # Panics
    /// With the command's output, if there is none.
    pub fn prove_in(&self, build: Build) {
        if build == Build::Checked && !self.is_fortran() {
            self.prove_as_built(Build::Optimised);
        }
        self.prove_as_built(build);
    }

    fn prove_as_built(&self, build: Build) {
        let outcome = self.check(build);
        let proved = outcome.status == 0 && outcome.out.ends_with("proved\n");
        assert!(
            proved,
            "{} ({build:?}): status {}\n{}{}",
            self.head, outcome.status, outcome.out, outcome.error
        );
    }
}

/// The program that runs the drivers of proofs in C as a user would build them, such as `valgrind -q`.
fn under() -> Option<String> {
    std::env::var("PROVE_UNDER")
        .ok()
        .filter(|program| !program.is_empty())
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace().map(str::to_owned)
}
