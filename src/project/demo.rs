//! The sample project: laid out afresh in a temporary folder, with a git history and dates
//! relative to now. `assets/demo/history.toml` says at its top how its files are read.

mod abandoned;

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use chrono::DateTime;
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use tempfile::TempDir;

use super::git;
use crate::memory::Timestamp;

/// Every file as its bytes are: CRLF, a BOM and escape characters are there on purpose.
static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/assets/demo");

/// Folders of memories in the project, and their folders in the assets.
const DATED: [(&str, &str); 3] = [
    (".rawko/memories", "memories"),
    (".ralph/agent", "ralph"),
    (".claude/memory", "claude"),
];
/// Stores of other systems: their folders in the assets, and where they stand in the project.
/// They come with the last commit. A file `day-3.jsonl` is called after the day three days ago.
const STORES: [(&str, &str); 1] = [("golemcore", "memory")];
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// A laid-out sample project; dropping it removes the folder.
#[derive(Debug)]
pub struct Demo {
    /// The temporary folder.
    pub dir: TempDir,
    /// Its marker, locked as long as this is held.
    _marker: File,
    /// The project in it.
    pub root: PathBuf,
    /// Why it has no history, where it has none.
    pub without_history: Option<String>,
}

/// A task worth typing into the sample project.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct DemoTask {
    /// The text to type.
    pub text: String,
    /// Who is about to do it.
    pub agent: String,
    /// The thing to look for.
    pub shows: String,
    /// The selection of the default dialect, in order.
    #[serde(default)]
    pub selects: Vec<String>,
}

/// Why the sample project could not be laid out.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A file could not be written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// The message of the system.
        source: io::Error,
    },
    /// The assets are not in order; a test finds this.
    #[error("the sample project is broken: {0}")]
    Broken(String),
}

#[derive(Deserialize)]
struct History {
    commit: Vec<Commit>,
}

#[derive(Deserialize)]
struct Commit {
    author: String,
    email: String,
    days_ago: i64,
    message: String,
    #[serde(default, rename = "move")]
    moves: Vec<Move>,
    #[serde(default)]
    remove: Vec<String>,
    #[serde(default)]
    write: Vec<String>,
}

#[derive(Deserialize)]
struct Move {
    from: String,
    to: String,
}

#[derive(Deserialize)]
struct Tasks {
    task: Vec<DemoTask>,
}

/// The tasks worth typing.
pub fn tasks() -> Vec<DemoTask> {
    static TASKS: OnceLock<Vec<DemoTask>> = OnceLock::new();
    let read = || read_toml::<Tasks>("tasks.toml").map_or_else(|_| Vec::new(), |file| file.task);
    TASKS.get_or_init(read).clone()
}

/// Lays the sample project out in a temporary folder, as it stands at a time. Folders that were
/// left there by a program that was killed are removed.
pub fn lay_out(now: Timestamp) -> Result<Demo, DemoError> {
    let temporary = std::env::temp_dir();
    abandoned::remove(&temporary);
    let dir = tempfile::Builder::new()
        .prefix(abandoned::PREFIX)
        .tempdir_in(&temporary)
        .map_err(|source| io_error(&temporary, source))?;
    let marker = abandoned::mark(dir.path()).map_err(|source| io_error(dir.path(), source))?;
    // Later comparisons of paths need a canonical one.
    let base = dir.path().canonicalize();
    let root = base
        .map_err(|source| io_error(dir.path(), source))?
        .join("tideline");
    let without_history = lay_out_in(&root, now)?;
    Ok(Demo {
        dir,
        _marker: marker,
        root,
        without_history,
    })
}

/// Lays the sample project out in a folder that does not exist yet. Answers why it has no
/// history, where it has none.
pub fn lay_out_in(root: &Path, now: Timestamp) -> Result<Option<String>, DemoError> {
    fs::create_dir(root).map_err(|source| io_error(root, source))?;
    let history: History = read_toml("history.toml")?;
    let mut git = Git::start(root);
    let none = || DemoError::Broken("no commit".to_owned());
    let last = history.commit.last().ok_or_else(none)?;
    for commit in &history.commit {
        for Move { from, to } in &commit.moves {
            let (from, to) = (inside(root, from)?, inside(root, to)?);
            above(&to)?;
            fs::rename(&from, &to).map_err(|source| io_error(&from, source))?;
        }
        for path in &commit.remove {
            let path = inside(root, path)?;
            fs::remove_file(&path).map_err(|source| io_error(&path, source))?;
        }
        for entry in &commit.write {
            write(root, entry, now)?;
        }
        if std::ptr::eq(commit, last) {
            for (asset, place) in STORES {
                write_store(root, asset, place, now)?;
            }
        }
        git.commit(commit, now);
    }
    databases(root, now)?;
    // New and changed files since the last commit stay in review.
    for (place, folder) in DATED {
        for file in FILES.get_dir(folder).into_iter().flat_map(Dir::files) {
            if let Some(name) = file.path().file_name().and_then(|name| name.to_str()) {
                write(root, &format!("{place}/{name}"), now)?;
            }
        }
    }
    Ok(git.failed)
}

/// The script and the database that is written from it: bytes of a database cannot be reviewed.
const DATABASES: [(&str, &str); 1] = [("rum.sql", "tideline.rum.db")];

fn databases(root: &Path, now: Timestamp) -> Result<(), DemoError> {
    for (script, name) in DATABASES {
        let broken = |why: String| DemoError::Broken(format!("{script}: {why}"));
        let file = FILES.get_file(script);
        let file = file.ok_or_else(|| broken("not there".to_owned()))?;
        let text = String::from_utf8_lossy(&dated(file.contents(), now)).into_owned();
        let path = inside(root, name)?;
        let write = || -> rusqlite::Result<()> {
            let database = rusqlite::Connection::open(&path)?;
            database.pragma_update(None, "journal_mode", "WAL")?;
            database.execute_batch(&format!("BEGIN; {text} COMMIT;"))
        };
        write().map_err(|error| broken(error.to_string()))?;
    }
    Ok(())
}

/// Writes a store of another system.
fn write_store(root: &Path, asset: &str, place: &str, now: Timestamp) -> Result<(), DemoError> {
    let mut folders: Vec<&Dir<'_>> = FILES.get_dir(asset).into_iter().collect();
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        for file in folder.files() {
            let below = file.path().strip_prefix(asset).unwrap_or(file.path());
            let name = below
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            let day = name
                .strip_prefix("day-")
                .and_then(|day| day.split_once('.'));
            let day = day.and_then(|(day, end)| {
                Some(format!("{}.{end}", date(&format!("date:{day}"), now)?))
            });
            let below = day.map_or_else(|| below.to_path_buf(), |day| below.with_file_name(day));
            let target = root.join(place).join(below);
            above(&target)?;
            fs::write(&target, dated(file.contents(), now))
                .map_err(|source| io_error(&target, source))?;
        }
    }
    Ok(())
}

/// Writes one entry of a commit: `path` or `path@version`.
fn write(root: &Path, entry: &str, now: Timestamp) -> Result<(), DemoError> {
    let (path, version) = match entry.rsplit_once('@') {
        Some((path, version)) => (path, format!("{version}/")),
        None => (entry, String::new()),
    };
    let memory = DATED.iter().find_map(|(place, folder)| {
        let name = path.strip_prefix(place)?;
        Some((folder, name.trim_start_matches('/')))
    });
    let asset = match memory {
        Some((folder, name)) => format!("{version}{folder}/{name}"),
        None => format!("{version}tree/{path}"),
    };
    let file = FILES
        .get_file(&asset)
        .ok_or_else(|| DemoError::Broken(format!("no file `{asset}`")))?;
    let target = inside(root, path)?;
    above(&target)?;
    let written = if memory.is_some() {
        fs::write(&target, dated(file.contents(), now))
    } else {
        fs::write(&target, file.contents())
    };
    written.map_err(|source| io_error(&target, source))
}

/// Puts dates in the place of `@{days:3}` and its like; all other bytes stay.
fn dated(bytes: &[u8], now: Timestamp) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, b"@{") {
        let (before, from) = rest.split_at(at);
        out.extend_from_slice(before);
        let end = memchr::memchr(b'}', from).unwrap_or(0);
        let date = from
            .get(2..end)
            .and_then(|word| std::str::from_utf8(word).ok())
            .and_then(|word| date(word, now));
        let taken = match date {
            Some(date) => {
                out.extend_from_slice(date.as_bytes());
                end + 1
            }
            None => {
                out.extend_from_slice(b"@{");
                2
            }
        };
        rest = from.get(taken..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out
}

/// The date that `days:3`, `hours:3` or `date:3` stands for, the second that `secs:3` does, or the
/// millisecond that `ms:3` does.
fn date(word: &str, now: Timestamp) -> Option<String> {
    let (unit, count) = word.split_once(':')?;
    let count: i64 = count.parse().ok()?;
    if unit == "ms" {
        let at = now.0.checked_sub(count.checked_mul(DAY)?)?;
        return Some(at.to_string());
    }
    let (step, form) = match unit {
        "days" => (DAY, "%Y-%m-%dT%H:%M:%SZ"),
        "hours" => (HOUR, "%Y-%m-%dT%H:%M:%SZ"),
        "date" => (DAY, "%Y-%m-%d"),
        "secs" => (DAY, "%s"),
        _ => return None,
    };
    let at = now.0.checked_sub(count.checked_mul(step)?)?;
    Some(
        DateTime::from_timestamp_millis(at)?
            .format(form)
            .to_string(),
    )
}

/// Git at work on the copy, until it fails once: the project is worth showing without a history
/// too.
struct Git<'a> {
    root: &'a Path,
    failed: Option<String>,
}

impl<'a> Git<'a> {
    fn start(root: &'a Path) -> Self {
        let mut git = Self { root, failed: None };
        git.run(
            &["init", "--quiet", "--initial-branch=main", "--template="],
            &[],
        );
        git
    }

    fn commit(&mut self, commit: &Commit, now: Timestamp) {
        let seconds = (now.0 - commit.days_ago * DAY).div_euclid(1000);
        let date = format!("{seconds} +0000");
        self.run(&["add", "--all"], &[]);
        let who = [
            ("GIT_AUTHOR_NAME", commit.author.as_str()),
            ("GIT_AUTHOR_EMAIL", &commit.email),
            ("GIT_AUTHOR_DATE", &date),
            ("GIT_COMMITTER_NAME", &commit.author),
            ("GIT_COMMITTER_EMAIL", &commit.email),
            ("GIT_COMMITTER_DATE", &date),
        ];
        let arguments = ["commit", "--quiet", "--no-verify", "--allow-empty", "-m"];
        self.run(&[&arguments[..], &[&commit.message]].concat(), &who);
    }

    fn run(&mut self, arguments: &[&str], environment: &[(&str, &str)]) {
        if self.failed.is_some() {
            return;
        }
        let done = git::command(self.root)
            .args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"])
            .args(["-c", "gc.auto=0"])
            .args(arguments)
            // Not even the person's own settings.
            .env("GIT_CONFIG_GLOBAL", super::programs::NOWHERE)
            .env("GIT_CONFIG_SYSTEM", super::programs::NOWHERE)
            .env("GIT_CONFIG_COUNT", "0")
            .env_remove("GIT_CONFIG_PARAMETERS")
            .envs(environment.iter().copied())
            .output();
        self.failed = match done {
            Ok(out) if out.status.success() => None,
            Ok(out) => Some(String::from_utf8_lossy(&out.stderr).trim().to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some("git is not installed".to_owned())
            }
            Err(error) => Some(error.to_string()),
        };
    }
}

fn read_toml<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, DemoError> {
    let text = FILES
        .get_file(name)
        .and_then(include_dir::File::contents_utf8)
        .ok_or_else(|| DemoError::Broken(format!("no file `{name}`")))?;
    toml::from_str(text).map_err(|error| DemoError::Broken(format!("{name}: {error}")))
}

/// A path in the project.
fn inside(root: &Path, path: &str) -> Result<PathBuf, DemoError> {
    let plain = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if plain {
        Ok(root.join(path))
    } else {
        Err(DemoError::Broken(format!("`{path}` leaves the project")))
    }
}

fn above(path: &Path) -> Result<(), DemoError> {
    match path.parent() {
        Some(folder) => fs::create_dir_all(folder).map_err(|source| io_error(folder, source)),
        None => Ok(()),
    }
}

fn io_error(path: &Path, source: io::Error) -> DemoError {
    DemoError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::revision::Revision;
    use std::process::Command;

    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    #[test]
    fn the_project_is_laid_out_with_its_history_and_its_bytes() {
        let demo = lay_out(NOW).unwrap();
        assert_eq!(demo.without_history, None);
        let folders = DATED.map(|(place, _)| demo.root.join(place));
        let memories: Vec<Vec<u8>> = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).unwrap())
            .map(|entry| fs::read(entry.unwrap().path()).unwrap())
            .collect();
        assert!(memories.len() >= 40, "{}", memories.len());
        let has = |bytes: &[u8]| {
            memories
                .iter()
                .any(|m| memchr::memmem::find(m, bytes).is_some())
        };
        assert!(
            has(b"\r\n") && has(b"\x1b["),
            "bytes that are there on purpose"
        );
        assert!(!has(b"@{days") && !has(b"@{date") && !has(b"@{hours") && !has(b"@{secs"));

        assert_eq!(git::head(&demo.root).as_deref(), Some("main"));
        let revision = Revision::find(&demo.root, "HEAD").unwrap();
        assert_eq!(revision.root, demo.root);
        let changed = |folders: &[PathBuf]| revision.changes(folders).unwrap().files;
        let (changed, elsewhere) = (changed(&DATED.map(|(place, _)| place.into())), changed(&[]));
        assert!(!changed.is_empty() && changed.len() < memories.len());
        assert_eq!(elsewhere, changed, "only memories wait for review");
    }

    #[test]
    fn two_copies_are_the_same() {
        let head = || {
            let demo = lay_out(NOW).unwrap();
            let out = Command::new("git")
                .args(["-C", demo.root.to_str().unwrap(), "rev-parse", "HEAD"])
                .output()
                .unwrap();
            String::from_utf8(out.stdout).unwrap()
        };
        assert_eq!(head(), head());
    }

    #[test]
    fn dates_are_relative_and_nothing_else_changes() {
        let table: [(&[u8], &[u8]); 5] = [
            (b"a: @{days:1}\r\n", b"a: 2026-11-17T11:06:40Z\r\n"),
            (b"@{hours:-2}", b"2026-11-18T13:06:40Z"),
            (b"(@{date:0})\x1b", b"(2026-11-18)\x1b"),
            (b"@{other:1} @{days:x} @{", b"@{other:1} @{days:x} @{"),
            (b"\xff@{date:1}", b"\xff2026-11-17"),
        ];
        for (text, expected) in table {
            assert_eq!(dated(text, NOW), expected);
        }
    }

    #[test]
    fn every_task_says_what_it_shows() {
        let tasks = tasks();
        assert!(tasks.len() >= 5);
        for task in tasks {
            assert!(!task.text.is_empty() && !task.agent.is_empty() && !task.shows.is_empty());
        }
    }
}
