//! Facts from git, by the `git` program: it is as fast as the libraries here and keeps the
//! person's settings. Nothing here changes a repository or waits for one that is being changed.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git program.
    #[error("git is not installed")]
    Missing,
    /// It could not be run.
    #[error("git could not be run: {0}")]
    Io(io::Error),
    /// It said no; its words.
    #[error("git: {0}")]
    Refused(String),
}

impl From<io::Error> for GitError {
    /// Why the program could not be started.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Io(error),
        }
    }
}

/// A work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// Its root, absolute.
    pub root: PathBuf,
}

/// What git says of a work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Where the head is, for a person: `main ↑2 ↓1`, a short commit where it is on no branch,
    /// the branch's name where there is no commit yet.
    pub head: Option<String>,
    /// The files that are new or changed, absolute.
    pub changed: Vec<PathBuf>,
}

impl Repository {
    /// The work tree that a folder lies in; none where it lies in none or there is no git.
    pub fn around(folder: &Path) -> Option<Self> {
        let out = run(folder, &["rev-parse", "--show-toplevel"], &[]).ok()?;
        let line = out.strip_suffix(b"\n").unwrap_or(&out);
        let root = path(line);
        root.is_absolute().then_some(Self { root })
    }

    /// Where the head is, and which files below folders are new or changed since the last commit.
    /// Files that git is told to ignore are none of its business.
    pub fn status(&self, folders: &[PathBuf]) -> Result<Status, GitError> {
        let inside: Vec<&OsStr> = folders
            .iter()
            .filter(|folder| folder.starts_with(&self.root))
            .map(|folder| folder.as_os_str())
            .collect();
        let new = if inside.is_empty() { "-uno" } else { "-uall" };
        let arguments = ["status", "--porcelain=v2", "--branch", "-z", new];
        let out = run(&self.root, &arguments, &inside)?;
        // Without a store in the work tree the rest of it is nobody's.
        let of_stores = |_: &&[u8]| !inside.is_empty();
        Ok(Status {
            head: head(&out),
            changed: entries(&out)
                .filter(of_stores)
                .map(|entry| self.root.join(path(entry)))
                .collect(),
        })
    }
}

/// The head in the first lines of `status --porcelain=v2 --branch -z`.
fn head(out: &[u8]) -> Option<String> {
    let mut name = None;
    let mut commit = None;
    let mut apart = String::new();
    let lines = out.split(|byte| *byte == 0);
    for line in lines.take_while(|line| line.starts_with(b"# ")) {
        let line = String::from_utf8_lossy(line);
        if let Some(value) = line.strip_prefix("# branch.head ") {
            name = Some(value.to_owned()).filter(|value| value != "(detached)");
        } else if let Some(value) = line.strip_prefix("# branch.oid ") {
            commit = value.get(..7).map(str::to_owned);
        } else if let Some(value) = line.strip_prefix("# branch.ab ") {
            apart = distance(value);
        }
    }
    name.or(commit).map(|head| head + &apart)
}

/// The folders that change when the head, the index or a branch of the repository around a folder
/// does, each with what lies below it or not. Read from its files, for it is asked at the start.
pub fn folders(around: &Path) -> Vec<(PathBuf, bool)> {
    let Some((own, shared)) = places(around) else {
        return Vec::new();
    };
    let refs = shared.join("refs");
    vec![(own, false), (shared, false), (refs, true)]
}

/// A number that changes with the commit that the repository around a folder stands on and with
/// its index. Read from its files, for it is asked whenever one of them changed.
pub fn stamp(around: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    if let Some((own, shared)) = places(around) {
        let head = std::fs::read_to_string(own.join("HEAD")).unwrap_or_default();
        let branch = head.strip_prefix("ref: ").map(str::trim_end);
        let commit = branch.and_then(|name| std::fs::read(shared.join(name)).ok());
        (&head, commit).hash(&mut hasher);
        // A branch that was packed has no file of its own.
        for file in [own.join("index"), shared.join("packed-refs")] {
            let meta = std::fs::metadata(file).ok();
            meta.map(|meta| (meta.len(), meta.modified().ok()))
                .hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The work tree that a folder lies in.
pub fn tree(around: &Path) -> Option<&Path> {
    around
        .ancestors()
        .find(|folder| folder.join(".git").exists())
}

/// Where the repository around a folder keeps what is its own, and what its work trees share.
fn places(around: &Path) -> Option<(PathBuf, PathBuf)> {
    let entry = tree(around)?.join(".git");
    let named = |file: &Path, prefix: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let name = text.strip_prefix(prefix)?.trim_end();
        Some(file.parent()?.join(name))
    };
    // A second work tree has a file in its place, and shares the branches with the first.
    let own = named(&entry, "gitdir: ").unwrap_or(entry);
    let shared = named(&own.join("commondir"), "").unwrap_or_else(|| own.clone());
    Some((own, shared))
}

/// The work trees of the repository around a folder, its own among them. Git's files are believed
/// only where the two ends name each other.
pub fn work_trees(around: &Path) -> Vec<PathBuf> {
    let real = |path: PathBuf| path.canonicalize().ok();
    let shared = |tree: &Path| real(places(tree)?.1);
    let names_itself = |tree: &Path| {
        let Some((own, shared)) = places(tree) else {
            return false;
        };
        let named = std::fs::read_to_string(own.join("gitdir")).ok();
        let named = named.and_then(|named| real(own.join(named.trim_end())));
        own == shared || named.is_some_and(|named| Some(named) == real(tree.join(".git")))
    };
    let Some(tree) = tree(around).filter(|tree| names_itself(tree)) else {
        return Vec::new();
    };
    let Some(common) = shared(tree) else {
        return Vec::new();
    };
    let linked = std::fs::read_dir(common.join("worktrees"))
        .into_iter()
        .flatten()
        .flatten();
    let linked = linked.filter_map(|own| {
        let own = own.path();
        let named = std::fs::read_to_string(own.join("gitdir")).ok()?;
        Some(own.join(named.trim_end()).parent()?.to_owned())
    });
    let main = common
        .parent()
        .filter(|_| common.ends_with(".git"))
        .map(Path::to_owned);
    let all = [Some(tree.to_owned()), main]
        .into_iter()
        .flatten()
        .chain(linked);
    let is_one =
        |other: &PathBuf| shared(other).is_some_and(|other| other == common) && names_itself(other);
    all.filter(is_one).filter_map(real).collect()
}

/// What git calls the person who works in a folder; none where it was not told.
pub fn person(folder: &Path) -> Option<String> {
    let out = run(folder, &["config", "user.name"], &[]).ok()?;
    let name = String::from_utf8(out).ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// ` ↑2 ↓1` of `+2 -1`.
fn distance(value: &str) -> String {
    let mut out = String::new();
    for part in value.split(' ') {
        let (arrow, count) = match part.split_at_checked(1) {
            Some(("+", count)) => ('↑', count),
            Some(("-", count)) => ('↓', count),
            _ => continue,
        };
        if count != "0" {
            out.push(' ');
            out.push(arrow);
            out.push_str(count);
        }
    }
    out
}

/// The paths of `status --porcelain=v2 -z` that are there now.
fn entries(out: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut parts = out.split(|byte| *byte == 0);
    std::iter::from_fn(move || {
        loop {
            let part = parts.next()?;
            // Fields before the path, by the kind of line.
            let fields = match part.first() {
                Some(b'1') => 8,
                Some(b'u') => 10,
                Some(b'?') => 1,
                Some(b'2') => {
                    // The old name is a part of its own.
                    parts.next();
                    9
                }
                _ => continue,
            };
            let states = part.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
            let path = part.splitn(fields + 1, |byte| *byte == b' ').nth(fields);
            if let Some(path) = path.filter(|_| fields == 1 || !states.ends_with(b"D")) {
                return Some(path);
            }
        }
    })
}

/// Runs git for its answer.
pub(super) fn run(
    folder: &Path,
    arguments: &[&str],
    paths: &[&OsStr],
) -> Result<Vec<u8>, GitError> {
    let mut command = command(folder);
    command.args(arguments);
    if !paths.is_empty() {
        command.arg("--").args(paths);
    }
    let out = command.output()?;
    if out.status.success() {
        Ok(out.stdout)
    } else {
        let said = String::from_utf8_lossy(&out.stderr);
        let line = said
            .lines()
            .next()
            .unwrap_or("it failed and did not say why");
        Err(GitError::Refused(
            line.trim_start_matches("fatal: ").to_owned(),
        ))
    }
}

/// A path as git writes it.
#[cfg(unix)]
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// A path as git writes it.
#[cfg(not(unix))]
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Git in a folder. It takes no locks, asks nothing, and speaks English.
pub(super) fn command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(["--literal-pathspecs", "--no-pager"])
        .args(["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"])
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null());
    command
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::fs;

    /// Runs git in a folder, without the settings of this machine.
    pub fn git(folder: &Path, arguments: &[&str]) {
        let done = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    }

    #[test]
    fn what_to_watch_is_found_without_git_in_a_second_work_tree_too() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        assert!(
            folders(&root)
                .iter()
                .all(|(path, _)| !path.starts_with(&root))
        );
        let first = root.join("first");
        fs::create_dir_all(first.join("below")).unwrap();
        git(&first, &["init", "-q", "-b", "main"]);
        git(&first, &["commit", "-q", "--allow-empty", "-m", "first"]);
        let own = first.join(".git");
        let wanted = |own: &Path, shared: &Path| {
            let own = (own.to_owned(), false);
            vec![own, (shared.to_owned(), false), (shared.join("refs"), true)]
        };
        assert_eq!(folders(&first.join("below")), wanted(&own, &own));
        git(&first, &["worktree", "add", "-q", "../second"]);
        let found = folders(&root.join("second"));
        let real = |path: &Path| path.canonicalize().unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|(path, deep)| (real(path), *deep))
            .collect();
        assert_eq!(found, wanted(&own.join("worktrees/second"), &own));
    }

    #[test]
    fn what_is_new_or_changed_is_found_and_what_is_gone_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        git(&root, &["init", "-q", "-b", "main"]);
        let store = root.join("me mories");
        fs::create_dir(&store).unwrap();
        for name in ["same.md", "edited.md", "gone.md", "old name.md"] {
            fs::write(store.join(name), format!("text of {name}, long enough\n")).unwrap();
        }
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-qm", "first"]);
        fs::write(store.join("edited.md"), "other").unwrap();
        fs::remove_file(store.join("gone.md")).unwrap();
        git(
            &root,
            &["mv", "me mories/old name.md", "me mories/näw\nname.md"],
        );
        fs::write(store.join("new *.md"), "x").unwrap();
        fs::write(root.join("elsewhere.md"), "x").unwrap();

        let repository = Repository::around(&store).unwrap();
        assert_eq!(repository.root, root);
        let status = |folders: &[PathBuf]| repository.status(folders).unwrap();
        let Status { head, mut changed } = status(&[store.clone(), "/tmp".into()]);
        assert_eq!(head.as_deref(), Some("main"));
        changed.sort();
        let names = ["edited.md", "new *.md", "näw\nname.md"];
        let expected: Vec<PathBuf> = names.iter().map(|name| store.join(name)).collect();
        assert_eq!(changed, expected);
        let elsewhere = status(&["/tmp".into()]);
        assert_eq!(elsewhere.head.as_deref(), Some("main"));
        assert_eq!(elsewhere.changed, Vec::<PathBuf>::new());
        git(&root, &["checkout", "-q", "--detach"]);
        let head = status(&[]).head.unwrap();
        assert!(head.len() == 7 && head.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }

    #[test]
    fn a_folder_outside_any_work_tree_has_no_repository() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Repository::around(dir.path()), None);
        assert_eq!(Repository::around(Path::new("/nowhere/at/all")), None);
    }

    #[test]
    fn distance_is_shown_where_there_is_one() {
        assert_eq!(distance("+2 -1"), " ↑2 ↓1");
        assert_eq!(distance("+0 -0"), "");
    }
}
