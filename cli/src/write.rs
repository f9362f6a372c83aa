//! Outputs appear whole or not at all: all files are written into a folder beside their place
//! first, then moved; if a move fails, those before it are taken back.

use anyhow::{Context, bail};
use contraflow_backend_common::OutputFile;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes all outputs into `folder`, which is made if need be.
///
/// # Errors
/// A folder or file that cannot be written; nothing has changed then.
pub fn write_all(folder: &Path, outputs: &[OutputFile]) -> anyhow::Result<Vec<PathBuf>> {
    let existed = folder.exists();
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let result = stage_and_move(folder, outputs);
    if result.is_err() && !existed {
        let _ = fs::remove_dir_all(folder);
    }
    result
}

fn stage_and_move(folder: &Path, outputs: &[OutputFile]) -> anyhow::Result<Vec<PathBuf>> {
    let staging = tempfile::Builder::new()
        .prefix(".contraflow-")
        .tempdir_in(folder)
        .with_context(|| format!("cannot write into `{}`", folder.display()))?;
    for (index, output) in outputs.iter().enumerate() {
        fs::write(staging.path().join(format!("new-{index}")), &output.text)
            .with_context(|| format!("cannot write `{}`", folder.join(&output.name).display()))?;
    }
    let mut moved: Vec<(PathBuf, Option<PathBuf>)> = Vec::new();
    for (index, output) in outputs.iter().enumerate() {
        let target = folder.join(&output.name);
        let staged = staging.path().join(format!("new-{index}"));
        let saved = staging.path().join(format!("old-{index}"));
        match move_into_place(&staged, &target, &saved) {
            Ok(old) => moved.push((target, old)),
            Err(error) => {
                take_back(&moved);
                return Err(error);
            }
        }
    }
    Ok(moved.into_iter().map(|(target, _)| target).collect())
}

/// Moves a staged file to its target; gives back where an older file was put.
fn move_into_place(staged: &Path, target: &Path, saved: &Path) -> anyhow::Result<Option<PathBuf>> {
    let shown = target.display();
    if target.is_dir() {
        bail!("cannot write `{shown}`: it is a folder");
    }
    let old = target.exists();
    if old {
        fs::rename(target, saved).with_context(|| format!("cannot replace `{shown}`"))?;
    }
    if let Err(error) = fs::rename(staged, target) {
        if old {
            let _ = fs::rename(saved, target);
        }
        return Err(error).with_context(|| format!("cannot write `{shown}`"));
    }
    Ok(old.then(|| saved.to_owned()))
}

fn take_back(moved: &[(PathBuf, Option<PathBuf>)]) {
    for (target, old) in moved {
        let _ = match old {
            Some(saved) => fs::rename(saved, target),
            None => fs::remove_file(target),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::write_all;
    use contraflow_backend_common::OutputFile;
    use std::fs;

    fn output(name: &str, text: &str) -> OutputFile {
        OutputFile {
            name: name.into(),
            text: text.as_bytes().to_vec(),
        }
    }

    #[test]
    fn all_outputs_appear() {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path().join("deep/out");
        let written = write_all(&folder, &[output("a", "1"), output("b", "2")]).expect("written");
        assert_eq!(written, [folder.join("a"), folder.join("b")]);
        assert_eq!(fs::read_to_string(folder.join("b")).expect("b"), "2");
        assert_eq!(fs::read_dir(&folder).expect("folder").count(), 2);
    }

    #[test]
    fn if_one_output_cannot_be_written_nothing_changes() {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path();
        fs::write(folder.join("a"), "old").expect("a");
        fs::create_dir(folder.join("c")).expect("c");
        let outputs = [output("a", "new"), output("b", "new"), output("c", "new")];
        assert!(write_all(folder, &outputs).is_err());
        assert_eq!(fs::read_to_string(folder.join("a")).expect("a"), "old");
        assert!(!folder.join("b").exists());
        assert_eq!(fs::read_dir(folder).expect("folder").count(), 2);
    }
}
