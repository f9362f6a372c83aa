//! `compile_commands.json`: how each C file is compiled, as build systems write it down. What matters
//! here is what the preprocessor sees; optimisation, warnings and outputs are left out.

use contraflow_ir::{Diagnostic, Host};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The flags of each file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Commands {
    by_file: BTreeMap<PathBuf, Vec<String>>,
}

/// Flags with a value, in the next argument or behind them, that is a path.
const PATHS: [&str; 7] = [
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
];

/// Flags without a value that the preprocessor minds.
const PLAIN: [&str; 8] = [
    "-ansi",
    "-fopenmp",
    "-fopenacc",
    "-pthread",
    "-nostdinc",
    "-undef",
    "-fms-extensions",
    "-trigraphs",
];

impl Commands {
    /// Reads the file.
    ///
    /// # Errors
    /// A file that cannot be read or is no compilation database.
    pub fn read(path: &Path, host: &dyn Host) -> Result<Self, Diagnostic> {
        let refuse = |why: String| {
            Diagnostic::error("compile-commands", format!("`{}` {why}", path.display()))
                .with_help("name the compile_commands.json that CMake or Bear has written")
        };
        let bytes = host
            .read(path)
            .map_err(|error| refuse(format!("cannot be read: {error}")))?;
        let value: Value = serde_json::from_slice(&bytes)
            .map_err(|error| refuse(format!("is not what it should be: {error}")))?;
        let entries = value
            .as_array()
            .ok_or_else(|| refuse("is no list of commands".to_owned()))?;
        let base = path.parent().unwrap_or(Path::new(""));
        let mut by_file = BTreeMap::new();
        for entry in entries {
            let (file, flags) = command(entry, base)
                .ok_or_else(|| refuse(format!("has an entry without file or command: {entry}")))?;
            by_file.entry(canonical(&file)).or_insert(flags);
        }
        Ok(Self { by_file })
    }

    /// What the preprocessor is told for a file.
    pub fn of(&self, file: &Path) -> &[String] {
        self.by_file
            .get(&canonical(file))
            .map_or(&[], Vec::as_slice)
    }

    /// The flags for a file that was generated: those of the user's file of its name, else the folders
    /// of all.
    pub fn of_generated(&self, file: &Path) -> Vec<String> {
        let mut namesakes = self
            .by_file
            .iter()
            .filter(|(path, _)| path.file_name() == file.file_name());
        if let Some((_, flags)) = namesakes.next() {
            return flags.clone();
        }
        let mut folders: Vec<String> = Vec::new();
        for flags in self.by_file.values() {
            for pair in flags.windows(2) {
                let is_folder = pair[0].starts_with("-I") || pair[0].starts_with("-i");
                let is_new = !folders.chunks(2).any(|known| known == pair);
                if is_folder && is_new && !matches!(pair[0].as_str(), "-include" | "-imacros") {
                    folders.extend(pair.iter().cloned());
                }
            }
        }
        folders
    }
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The file of an entry, and its flags with paths that hold everywhere.
fn command(entry: &Value, base: &Path) -> Option<(PathBuf, Vec<String>)> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let directory = base.join(text("directory").unwrap_or(""));
    let file = directory.join(text("file")?);
    let words = match entry.get("arguments").and_then(Value::as_array) {
        Some(list) => list
            .iter()
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect(),
        None => words(text("command")?),
    };
    Some((file, preprocessing(&words, &directory)))
}

/// The flags that the preprocessor minds; those with a path as two words.
fn preprocessing(words: &[String], directory: &Path) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let path = PATHS.iter().find(|&&flag| {
            word == flag || flag.len() == 2 && word.starts_with(flag) || is_joined(word, flag)
        });
        if let Some(&flag) = path {
            let joined = &word[flag.len()..];
            let value = match joined.is_empty() {
                true => rest.next().map_or("", String::as_str),
                false => joined,
            };
            // A header that is found on the way of includes stays as it is.
            let here = directory.join(value);
            let value = match flag {
                "-include" | "-imacros" if !here.is_file() => PathBuf::from(value),
                _ => here,
            };
            kept.extend([flag.to_owned(), value.display().to_string()]);
        } else if matches!(word.as_str(), "-D" | "-U") {
            let value = rest.next().map_or("", String::as_str);
            kept.push(format!("{word}{value}"));
        } else if word.starts_with("-D")
            || word.starts_with("-U")
            || word.starts_with("-std=")
            || word.starts_with("-m")
            || PLAIN.contains(&word.as_str())
        {
            kept.push(word.clone());
        } else if matches!(
            word.as_str(),
            "-o" | "-MF" | "-MT" | "-MQ" | "-x" | "-Xlinker"
        ) {
            rest.next();
        }
    }
    kept
}

/// `-isystem/usr/x`: a flag with its path behind it.
fn is_joined(word: &str, flag: &str) -> bool {
    matches!(flag, "-isystem" | "-iquote" | "-idirafter" | "-isysroot") && word.starts_with(flag)
}

/// The words of a command as a shell cuts them.
fn words(command: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (Some('\''), other) => word.get_or_insert_default().push(other),
            (_, '\\') => {
                if let Some(next) = letters.next() {
                    let word = word.get_or_insert_default();
                    if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') {
                        word.push('\\');
                    }
                    word.push(next);
                }
            }
            (Some(_), other) => word.get_or_insert_default().push(other),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, blank) if blank.is_whitespace() => found.extend(word.take()),
            (None, other) => word.get_or_insert_default().push(other),
        }
    }
    found.extend(word);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_by_a_shell() {
        assert_eq!(
            words(r#"cc -DA="b c" -DS=\"x\" '-I a' -c  f.c"#),
            ["cc", "-DA=b c", "-DS=\"x\"", "-I a", "-c", "f.c"]
        );
    }

    #[test]
    fn only_what_the_preprocessor_minds_is_kept() {
        let all =
            words("cc -O2 -Wall -Iinc -I /abs -D N=3 -UX -std=c99 -isystem sys -o f.o -c f.c");
        assert_eq!(
            preprocessing(&all, Path::new("/b")),
            [
                "-I", "/b/inc", "-I", "/abs", "-DN=3", "-UX", "-std=c99", "-isystem", "/b/sys"
            ]
        );
    }
}
