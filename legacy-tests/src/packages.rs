//! Real codes, fetched as source distributions by an ordinary package client into a cache outside
//! the repository: `$CONTRAFLOW_CACHE`, else `~/.cache/contraflow`.
//!
//! `pip download` tries to build what it fetches, so the plain index client `unearth` is used; it is
//! installed into a virtual environment in the cache. Without a network, and without a cache that is
//! filled, this is an error and never a skipped test.

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

const MANIFEST: &str = include_str!("../packages.txt");

/// One at a time: tests run in parallel threads.
static FETCHING: Mutex<()> = Mutex::new(());

/// The folder of an unpacked package, such as `gsw-3.6.23`.
///
/// # Errors
/// A package that is not in the manifest, cannot be fetched, or has another hash.
pub fn unpacked(package: &str) -> Result<PathBuf> {
    let _one = FETCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = cache()?;
    let folder = cache.join(package);
    if folder.is_dir() {
        return Ok(folder);
    }
    let hash = listed_hash(package)?;
    let archive = cache.join(format!("{package}.tar.gz"));
    if !archive.is_file() {
        fetch(package, &cache)?;
    }
    let bytes = fs::read(&archive).with_context(|| format!("reading {}", archive.display()))?;
    let found = hexadecimal(&Sha256::digest(&bytes));
    if found != hash {
        fs::remove_file(&archive)?;
        bail!("{package} has the SHA-256 {found}, not {hash}");
    }
    unpack(&archive, &cache, package)?;
    Ok(folder)
}

fn cache() -> Result<PathBuf> {
    let folder = match std::env::var_os("CONTRAFLOW_CACHE").filter(|value| !value.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => {
            let home =
                std::env::var_os("HOME").context("neither CONTRAFLOW_CACHE nor HOME is set")?;
            PathBuf::from(home).join(".cache/contraflow")
        }
    };
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

/// The names of all listed packages.
pub fn listed() -> Vec<String> {
    let lines = MANIFEST.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(".tar.gz"))
        .map(|(name, _)| name.to_owned())
        .collect()
}

fn listed_hash(package: &str) -> Result<&'static str> {
    let file = format!("{package}.tar.gz");
    MANIFEST
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .find(|(name, _)| *name == file)
        .map(|(_, hash)| hash.trim())
        .with_context(|| format!("{package} is not in legacy-tests/packages.txt"))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fetch(package: &str, cache: &Path) -> Result<()> {
    let (name, version) = package
        .rsplit_once('-')
        .context("no version in the package's name")?;
    let client = client(cache)?;
    let mut command = Command::new(client);
    command.args(["--no-binary", "--download"]).arg(cache);
    command.arg(format!("{name}=={version}"));
    demand(
        &mut command,
        &format!(
            "{package} could not be fetched. The end-to-end tests need it: connect to a network, or \
             put {package}.tar.gz into {}",
            cache.display()
        ),
    )
}

/// The index client, installed if it is not there yet.
fn client(cache: &Path) -> Result<PathBuf> {
    let environment = cache.join("client");
    let client = environment.join("bin/unearth");
    if client.is_file() {
        return Ok(client);
    }
    let mut make = Command::new("python3");
    demand(
        make.args(["-m", "venv"]).arg(&environment),
        "python3 cannot make a virtual environment (Debian: apt-get install python3-venv)",
    )?;
    let mut install = Command::new(environment.join("bin/pip"));
    demand(
        install.args(["install", "--quiet", "unearth"]),
        "the package client `unearth` could not be installed: is there a network?",
    )?;
    Ok(client)
}

/// Unpacked beside, then moved: a folder that is there is whole.
fn unpack(archive: &Path, cache: &Path, package: &str) -> Result<()> {
    let beside = cache.join(format!(".unpacking-{}", std::process::id()));
    fs::create_dir_all(&beside)?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(archive).arg("-C").arg(&beside);
    demand(&mut tar, "the package could not be unpacked")?;
    fs::rename(beside.join(package), cache.join(package))
        .with_context(|| format!("{package}.tar.gz does not hold a folder {package}"))?;
    fs::remove_dir_all(&beside)?;
    Ok(())
}

fn demand(command: &mut Command, otherwise: &str) -> Result<()> {
    let output = command.output().with_context(|| {
        format!(
            "{otherwise} ({:?} cannot be started)",
            command.get_program()
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    bail!("{otherwise}\n{}", String::from_utf8_lossy(&output.stderr))
}

#[cfg(test)]
mod tests {
    use super::{MANIFEST, listed_hash};

    #[test]
    fn every_package_has_a_whole_hash() {
        let packages = MANIFEST.lines().filter(|line| !line.starts_with('#'));
        for line in packages {
            let name = line.split_once(".tar.gz").expect("an archive").0;
            assert_eq!(listed_hash(name).expect("a hash").len(), 64, "{name}");
        }
    }

    #[test]
    fn an_unlisted_package_is_refused() {
        assert!(listed_hash("nothing-1.0").is_err());
    }
}
