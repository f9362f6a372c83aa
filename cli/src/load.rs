//! Reads the files that the user names. Their language is told by their suffix; whether Fortran is
//! in fixed or free form is found by its front end, by content.

use crate::failure::Failure;
use contraflow_ir::{Diagnostic, FileId, Host, Sources};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Suffixes of Fortran sources, compared without case.
const FORTRAN: [&str; 9] = ["f", "for", "ftn", "fpp", "f77", "f90", "f95", "f03", "f08"];

/// The texts of a run.
#[derive(Default, Debug)]
pub struct Loaded {
    /// All of them.
    pub sources: Sources,
    /// Those that are Fortran.
    pub fortran: Vec<FileId>,
    /// Those that are C.
    pub c: Vec<FileId>,
    /// What was left out of folders, and why.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Fortran,
    C,
}

/// Loads files, and all sources below folders.
///
/// # Errors
/// Says of each path what is wrong with it: missing, unreadable, empty, binary, or of a suffix
/// that is no source's.
pub fn load(paths: &[PathBuf], host: &dyn Host) -> Result<Loaded, Failure> {
    let mut loaded = Loaded::default();
    let mut errors = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths {
        let result = if path.is_dir() {
            load_folder(path, host, &mut loaded, &mut seen)
        } else {
            load_file(path, host, &mut loaded, &mut seen)
        };
        errors.extend(result.err());
    }
    if errors.is_empty() {
        Ok(loaded)
    } else {
        Err(Failure::user(errors, &loaded.sources))
    }
}

fn load_file(
    path: &Path,
    host: &dyn Host,
    loaded: &mut Loaded,
    seen: &mut BTreeSet<PathBuf>,
) -> Result<(), Diagnostic> {
    let bytes = host.read(path).map_err(|error| unreadable(path, &error))?;
    let family = family(path).ok_or_else(|| unknown_suffix(path))?;
    check_text(path, &bytes)?;
    if seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())) {
        let id = loaded.sources.add(path, bytes);
        match family {
            Family::Fortran => loaded.fortran.push(id),
            Family::C => loaded.c.push(id),
        }
    }
    Ok(())
}

/// All sources below a folder in the order of their paths. Headers come in by `#include`. A file
/// that is no text is left out with a warning: the user did not name it.
fn load_folder(
    folder: &Path,
    host: &dyn Host,
    loaded: &mut Loaded,
    seen: &mut BTreeSet<PathBuf>,
) -> Result<(), Diagnostic> {
    let mut found = Vec::new();
    collect(folder, &mut found).map_err(|error| unreadable(folder, &error))?;
    if found.is_empty() {
        return Err(Diagnostic::error(
            "no-sources",
            format!("no sources in `{}`", folder.display()),
        )
        .with_help(known_suffixes()));
    }
    for path in found {
        if let Err(mut diagnostic) = load_file(&path, host, loaded, seen) {
            diagnostic.severity = contraflow_ir::Severity::Warning;
            loaded.diagnostics.push(diagnostic);
        }
    }
    Ok(())
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_link = path.is_symlink();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() && !is_link {
            collect(&path, found)?;
        } else if family(&path).is_some() && suffix(&path) != "h" {
            found.push(path);
        }
    }
    Ok(())
}

fn suffix(path: &Path) -> String {
    let suffix = path.extension().unwrap_or_default();
    suffix.to_string_lossy().to_ascii_lowercase()
}

fn family(path: &Path) -> Option<Family> {
    let suffix = suffix(path);
    match suffix.as_str() {
        "c" | "h" => Some(Family::C),
        other if FORTRAN.contains(&other) => Some(Family::Fortran),
        _ => None,
    }
}

fn check_text(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let shown = path.display();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Diagnostic::error(
            "empty-file",
            format!("`{shown}` is empty"),
        ));
    }
    if bytes.contains(&0) {
        return Err(
            Diagnostic::error("binary-file", format!("`{shown}` is not a text file"))
                .with_help("name the source, not what it was compiled to"),
        );
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    let shown = path.display();
    if error.kind() == std::io::ErrorKind::NotFound {
        let diagnostic = Diagnostic::error("missing-file", format!("there is no file `{shown}`"));
        return match nearest_sibling(path) {
            Some(other) => diagnostic.with_help(format!("did you mean `{}`?", other.display())),
            None => diagnostic,
        };
    }
    Diagnostic::error("unreadable-file", format!("cannot read `{shown}`: {error}"))
}

fn nearest_sibling(path: &Path) -> Option<PathBuf> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let siblings: Vec<String> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    let wanted = path.file_name()?.to_string_lossy();
    let name = crate::head::nearest(&wanted, siblings.iter().map(String::as_str))
        .first()
        .copied()?;
    Some(path.with_file_name(name))
}

fn unknown_suffix(path: &Path) -> Diagnostic {
    Diagnostic::error(
        "unknown-suffix",
        format!("`{}` has no suffix of a source", path.display()),
    )
    .with_help(known_suffixes())
}

fn known_suffixes() -> String {
    let fortran: Vec<String> = FORTRAN.iter().map(|suffix| format!(".{suffix}")).collect();
    format!(
        "Fortran: {} (also in capitals); C: .c .h",
        fortran.join(" ")
    )
}
