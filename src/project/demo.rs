//! The sample project: laid out afresh in a temporary folder, with a git history and dates
//! relative to now. `assets/demo/history.toml` says at its top how its files are read.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use include_dir::{Dir, File, include_dir};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use super::git::{self, GitError};
use super::programs::NOWHERE;
use crate::memory::Timestamp;
use crate::store::{StoreError, files};

/// Every file as its bytes are: CRLF, a BOM and escape characters are there on purpose.
static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/assets/demo");

/// Folders of memories, whose files are written once more after the last commit.
const REVIEWED: [&str; 3] = [".rawko/memories", ".ralph/agent", ".claude/memory"];
/// The database of RUM and the script that it is written from, which can be reviewed.
const DATABASE: (&str, &str) = ("tideline.rum.db", "rum.sql");
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// A laid-out sample project; dropping it removes the folder.
#[derive(Debug)]
pub struct Demo {
    /// The temporary folder.
    pub dir: TempDir,
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

/// The tasks worth typing.
pub fn tasks() -> Vec<DemoTask> {
    entries("tasks.toml").unwrap_or_default()
}

/// Lays the sample project out in a temporary folder, as it stands at a time.
pub fn lay_out(now: Timestamp) -> Result<Demo, StoreError> {
    let temporary = std::env::temp_dir();
    let dir = tempfile::Builder::new().prefix("memkeep-demo-").tempdir();
    let dir = at(&temporary, dir)?;
    // Later comparisons of paths need a canonical one.
    let root = at(dir.path(), dir.path().canonicalize())?.join("tideline");
    let without_history = lay_out_in(&root, now)?;
    Ok(Demo {
        dir,
        root,
        without_history,
    })
}

/// Lays the sample project out in a new folder. Returns why it has no history, if so.
pub fn lay_out_in(root: &Path, now: Timestamp) -> Result<Option<String>, StoreError> {
    at(root, fs::create_dir(root))?;
    let history: Vec<Commit> = entries("history.toml")?;
    // The project is worth showing without a history too.
    let init = ["init", "--quiet", "--initial-branch=main", "--template="];
    let mut without = run_git(root, &init, &[]).err();
    for commit in &history {
        for Move { from, to } in &commit.moves {
            let (from, to) = (root.join(from), root.join(to));
            above(&to)?;
            at(&from, fs::rename(&from, &to))?;
        }
        for path in &commit.remove {
            let path = root.join(path);
            at(&path, fs::remove_file(&path))?;
        }
        for entry in &commit.write {
            write(root, entry, now)?;
        }
        without = without.or_else(|| commit.make(root, now).err());
    }
    write_database(root, now)?;
    // New and changed files since the last commit stay in review.
    for folder in REVIEWED {
        let files = FILES.get_dir(format!("tree/{folder}"));
        for file in files.into_iter().flat_map(Dir::files) {
            lay_down(root, file, "tree", now)?;
        }
    }
    Ok(without.map(|why| match why {
        GitError::Refused(said) => said,
        why => why.to_string(),
    }))
}

fn write_database(root: &Path, now: Timestamp) -> Result<(), StoreError> {
    let (name, script) = DATABASE;
    let text = String::from_utf8_lossy(&dated(asset(script)?.contents(), now)).into_owned();
    let path = root.join(name);
    let write = || -> rusqlite::Result<()> {
        let database = rusqlite::Connection::open(&path)?;
        database.pragma_update(None, "journal_mode", "WAL")?;
        database.execute_batch(&format!("BEGIN; {text} COMMIT;"))
    };
    write().map_err(|error| broken(script, error))
}

/// Writes one entry of a commit: `path` or `path@version`.
fn write(root: &Path, entry: &str, now: Timestamp) -> Result<(), StoreError> {
    let (path, tree) = match entry.rsplit_once('@') {
        Some((path, version)) => (path, format!("{version}/tree")),
        None => (entry, "tree".to_owned()),
    };
    lay_down(root, asset(&format!("{tree}/{path}"))?, &tree, now)
}

/// Writes a file of a tree of the assets to its place in the project.
fn lay_down(root: &Path, file: &File<'_>, tree: &str, now: Timestamp) -> Result<(), StoreError> {
    let below = file.path().strip_prefix(tree).unwrap_or(file.path());
    let mut target = root.join(below);
    let name = below.file_name().unwrap_or_default().to_string_lossy();
    let day = name.strip_prefix("day-");
    if let Some((day, end)) = day.and_then(|day| day.split_once('.'))
        && let Some(date) = date(&format!("date:{day}"), now)
    {
        target.set_file_name(format!("{date}.{end}"));
    }
    above(&target)?;
    at(&target, fs::write(&target, dated(file.contents(), now)))
}

/// Puts dates in the place of `@{days:3}` and its like; all other bytes stay.
fn dated(bytes: &[u8], now: Timestamp) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, b"@{") {
        let (before, from) = rest.split_at(at);
        out.extend_from_slice(before);
        let end = memchr::memchr(b'}', from).unwrap_or(0);
        let word = from.get(2..end).and_then(|word| str::from_utf8(word).ok());
        let date = word.and_then(|word| date(word, now));
        let taken = if date.is_some() { end + 1 } else { 2 };
        out.extend_from_slice(date.as_deref().unwrap_or("@{").as_bytes());
        rest = from.get(taken..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out
}

/// The date of `days:3`, `hours:3` or `date:3`, the second of `secs:3`, the millisecond of `ms:3`.
fn date(word: &str, now: Timestamp) -> Option<String> {
    let (unit, count) = word.split_once(':')?;
    let step = if unit == "hours" { HOUR } else { DAY };
    let span = count.parse::<i64>().ok()?.checked_mul(step)?;
    let at = now.0.checked_sub(span)?;
    let form = match unit {
        "ms" => return Some(at.to_string()),
        "days" | "hours" => "%Y-%m-%dT%H:%M:%SZ",
        "date" => "%Y-%m-%d",
        "secs" => "%s",
        _ => return None,
    };
    let time = DateTime::from_timestamp_millis(at)?;
    Some(time.format(form).to_string())
}

impl Commit {
    fn make(&self, root: &Path, now: Timestamp) -> Result<(), GitError> {
        let seconds = (now.0 - self.days_ago * DAY).div_euclid(1000);
        let date = format!("{seconds} +0000");
        run_git(root, &["add", "--all"], &[])?;
        let who = [
            ("GIT_AUTHOR_NAME", self.author.as_str()),
            ("GIT_AUTHOR_EMAIL", &self.email),
            ("GIT_AUTHOR_DATE", &date),
            ("GIT_COMMITTER_NAME", &self.author),
            ("GIT_COMMITTER_EMAIL", &self.email),
            ("GIT_COMMITTER_DATE", &date),
        ];
        let arguments = ["commit", "--quiet", "--no-verify", "--allow-empty", "-m"];
        run_git(root, &[&arguments[..], &[&self.message]].concat(), &who)
    }
}

/// Runs git on the copy, with no settings but these, not even the person's own.
fn run_git(root: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), GitError> {
    let mut git = git::command(root);
    git.args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"])
        .args(["-c", "gc.auto=0"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", NOWHERE)
        .env("GIT_CONFIG_SYSTEM", NOWHERE)
        .env("GIT_CONFIG_COUNT", "0")
        .env_remove("GIT_CONFIG_PARAMETERS")
        .envs(environment.iter().copied());
    git::answer(git::output(git, b"")?).map(drop)
}

fn entries<T: DeserializeOwned>(name: &str) -> Result<Vec<T>, StoreError> {
    let text = asset(name)?.contents_utf8().unwrap_or_default();
    let lists: HashMap<String, Vec<T>> =
        toml::from_str(text).map_err(|error| broken(name, error))?;
    Ok(lists.into_values().flatten().collect())
}

fn asset(name: &str) -> Result<&'static File<'static>, StoreError> {
    let file = FILES.get_file(name);
    file.ok_or_else(|| broken(name, "no such file"))
}

/// The error of assets that are not in order; a test finds this.
fn broken(name: &str, why: impl Display) -> StoreError {
    StoreError::Refused(format!("the sample project is broken: {name}: {why}"))
}

fn above(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(path);
    at(folder, fs::create_dir_all(folder))
}

/// The result of work on a file, an error with its path.
fn at<T>(path: &Path, done: io::Result<T>) -> Result<T, StoreError> {
    done.map_err(|source| files::io(path, source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::revision::Revision;

    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    #[test]
    fn the_project_is_laid_out_with_its_history_and_its_bytes() {
        let demo = lay_out(NOW).unwrap();
        assert_eq!(demo.without_history, None);
        let folders = REVIEWED.map(|place| demo.root.join(place));
        let files = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).unwrap());
        let memories = files.map(|entry| fs::read(entry.unwrap().path()).unwrap());
        let memories: Vec<Vec<u8>> = memories.collect();
        assert!(memories.len() >= 40, "{}", memories.len());
        let has_one = |bytes: &[u8], one: &Vec<u8>| memchr::memmem::find(one, bytes).is_some();
        let has = |bytes: &[u8]| memories.iter().any(|one| has_one(bytes, one));
        // Bytes that are there on purpose.
        assert!(has(b"\r\n") && has(b"\x1b["));
        assert!(!has(b"@{days") && !has(b"@{date") && !has(b"@{hours") && !has(b"@{secs"));

        assert_eq!(git::head(&demo.root).as_deref(), Some("main"));
        let revision = Revision::find(&demo.root, "HEAD").unwrap();
        assert_eq!(revision.root, demo.root);
        let changed = |folders: &[PathBuf]| revision.changes(folders).unwrap().files;
        let (changed, elsewhere) = (changed(&REVIEWED.map(PathBuf::from)), changed(&[]));
        assert!(!changed.is_empty() && changed.len() < memories.len());
        assert_eq!(elsewhere, changed, "only memories wait for review");
    }

    #[test]
    fn two_copies_are_the_same() {
        let head = || git::word(&lay_out(NOW).unwrap().root, &["rev-parse", "HEAD"]).unwrap();
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
}
