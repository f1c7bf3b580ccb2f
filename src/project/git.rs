//! Facts from git, by the `git` program: it is as fast as the libraries here and keeps the
//! person's settings. Nothing here waits for a repository that is being changed, or runs a program
//! that the repository names; only [`super::staging`] changes one.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use unicode_segmentation::UnicodeSegmentation as _;

use super::programs::{self, NOWHERE};
use crate::curate::threeway::Merged;
use crate::store::control::{self, Owner};

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git program.
    #[error("git is not installed")]
    Missing,
    /// The folder lies in no repository.
    #[error("this is not a git repository")]
    NoRepository,
    /// The repository has no work tree.
    #[error("the repository is bare")]
    Bare,
    /// No commit has this name.
    #[error("unknown revision `{name}`")]
    Unknown {
        /// The requested name.
        name: String,
        /// True for a shallow clone.
        shallow: bool,
    },
    /// It could not be run.
    #[error("git could not be run: {0}")]
    Io(io::Error),
    /// It said no; its words.
    #[error("git: {0}")]
    Refused(String),
}

impl GitError {
    /// What to do about it.
    pub const fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoRepository | Self::Bare => "--since compares with a revision of git",
            Self::Unknown { shallow: true, .. } => {
                "the repository is shallow: fetch more of it, in GitHub Actions with fetch-depth: 0"
            }
            Self::Unknown { .. } => "a commit, a branch or a tag: HEAD, main, v1.2, HEAD~3",
            Self::Missing | Self::Io(_) | Self::Refused(_) => return None,
        })
    }
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

/// The root of the work tree that a folder lies in. It is looked for by its `.git`: a folder
/// that is a git directory itself is an ordinary folder, for any clone can hold one.
pub fn root(folder: &Path) -> Result<PathBuf, GitError> {
    let folder = folder.canonicalize().map_err(|_| GitError::NoRepository)?;
    let is_bare = |folder: &Path| folder.join("HEAD").is_file() && folder.join("objects").is_dir();
    let root = tree(&folder).ok_or_else(|| match folder.ancestors().any(is_bare) {
        true => GitError::Bare,
        false => GitError::NoRepository,
    })?;
    let out = run(root, &["rev-parse", "--show-toplevel"], &[]).map_err(|error| match error {
        GitError::Refused(said) if said.starts_with("this operation must be run in a work") => {
            GitError::Bare
        }
        error => error,
    })?;
    let named = path(out.strip_suffix(b"\n").unwrap_or(&out));
    match named.canonicalize() {
        Ok(real) if real == root => Ok(named),
        _ => Err(GitError::Refused("its work tree is elsewhere".to_owned())),
    }
}

/// Describes the head for a person: `main ↑2 ↓1`, a short commit if it is on no branch, the
/// branch's name if there is no commit yet.
pub fn head(root: &Path) -> Option<String> {
    let Ok(branch) = word(root, &["symbolic-ref", "--quiet", "--short", "HEAD"]) else {
        return word(root, &["rev-parse", "--short=7", "HEAD"]).ok();
    };
    let name = format!("refs/heads/{branch}");
    let track = "--format=%(upstream:track,nobracket)";
    let track = word(root, &["for-each-ref", "--count=1", track, &name]).unwrap_or_default();
    let marks = track.replace("ahead ", "↑").replace("behind ", "↓");
    Some(match marks.replace(", ", " ") {
        marks if marks.starts_with(['↑', '↓']) => format!("{branch} {marks}"),
        _ => branch,
    })
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
        let head = text(&own.join("HEAD")).unwrap_or_default();
        let branch = head.strip_prefix("ref: ").map(str::trim_end);
        let commit = branch.and_then(|name| text(&shared.join(name)));
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

/// The work tree that a folder lies in, by its `.git`: a folder, or a file that names one.
pub fn tree(around: &Path) -> Option<&Path> {
    let is_git = |entry: PathBuf| entry.is_file() || entry.join("HEAD").symlink_metadata().is_ok();
    let mut all = around.ancestors();
    all.find(|folder| is_git(folder.join(".git")))
}

/// The configuration of the repository around a folder.
pub fn config_file(around: &Path) -> Option<PathBuf> {
    Some(places(around)?.1.join("config"))
}

fn text(file: &Path) -> Option<String> {
    control::text(file, Owner::Person).ok()?
}

/// Returns the git directory of a work tree, and the one that all work trees share.
pub fn places(around: &Path) -> Option<(PathBuf, PathBuf)> {
    let entry = tree(around)?.join(".git");
    let named = |file: &Path, prefix: &str| {
        let text = text(file)?;
        let name = text.strip_prefix(prefix)?.trim_end();
        Some(file.parent()?.join(name))
    };
    // A second work tree has a file in its place, and shares the branches with the first.
    let own = named(&entry, "gitdir: ").unwrap_or(entry);
    let shared = named(&own.join("commondir"), "").unwrap_or_else(|| own.clone());
    Some((own, shared))
}

/// The work trees of the repository around a folder, its own among them. Any folder can name a
/// repository as its own: the repository has to name the folder too.
pub fn work_trees(around: &Path) -> Vec<PathBuf> {
    let Some(own) = tree(around).and_then(|tree| tree.canonicalize().ok()) else {
        return Vec::new();
    };
    let out = run(&own, &["worktree", "list", "--porcelain"], &[]).unwrap_or_default();
    let named = out.split(|byte| *byte == b'\n');
    let named = named.filter_map(|line| path(line.strip_prefix(b"worktree ")?).canonicalize().ok());
    let all: Vec<PathBuf> = named.filter(|tree| tree.join(".git").exists()).collect();
    if all.contains(&own) { all } else { Vec::new() }
}

/// The version of git; none if it is not installed.
pub fn version(folder: &Path) -> Option<String> {
    word(folder, &["--version"]).ok()
}

/// The name of the person who works in a folder, by git's settings.
pub fn person(folder: &Path) -> Option<String> {
    let name = word(tree(folder).unwrap_or(folder), &["config", "user.name"]);
    name.ok().filter(|name| !name.is_empty())
}

const LONGEST_LABEL: usize = 500;

/// Code points of one character that are kept. A family of four with skin tones has eleven.
const LONGEST_CHARACTER: usize = 12;

/// A name or a subject from git, bounded in length and in marks over one letter.
pub(super) fn label(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if text.is_ascii() && text.len() <= LONGEST_LABEL {
        return text.into_owned();
    }
    let characters = text.graphemes(true).take(LONGEST_LABEL);
    let bounded = characters.flat_map(|one| one.chars().take(LONGEST_CHARACTER));
    bounded.collect()
}

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
    answer(output(command, b"")?)
}

pub(super) fn word(folder: &Path, arguments: &[&str]) -> Result<String, GitError> {
    let out = run(folder, arguments, &[])?;
    Ok(label(&out).trim().to_owned())
}

/// True for a shallow clone, which has the last commits only.
pub(super) fn is_shallow(root: &Path) -> bool {
    word(root, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said == "true")
}

/// Runs git for its answer to an input. Output before a failure counts.
pub(super) fn ask(folder: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
    let mut command = command(folder);
    command.args(arguments);
    Ok(output(command, input)?.stdout)
}

pub(super) fn output(mut command: Command, input: &[u8]) -> io::Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if input.is_empty() {
        return command.output();
    }
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // Git answers while it is still being asked, and may end before it has read everything.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    })
}

/// The answer of a git that has ended, else the first line of why it failed.
pub(super) fn answer(out: Output) -> Result<Vec<u8>, GitError> {
    match out.status.success() {
        true => Ok(out.stdout),
        false => Err(refusal(&label(&out.stderr))),
    }
}

pub(super) fn refusal(said: &str) -> GitError {
    let line = said.lines().next();
    let line = line.unwrap_or("it failed and did not say why");
    let line = line.trim_start_matches("fatal: ");
    GitError::Refused(line.trim_start_matches("error: ").to_owned())
}

/// The contents of objects, in their order; none for one that is not there.
pub(super) fn objects(root: &Path, ids: &[&str]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let input = ids.join("\n") + "\n";
    let out = ask(root, &["cat-file", "--batch"], input.as_bytes())?;
    Ok(contents(&out, ids.len()))
}

fn contents(mut out: &[u8], count: usize) -> Vec<Option<Vec<u8>>> {
    let mut all = vec![None; count];
    for slot in &mut all {
        let Some((head, rest)) =
            memchr::memchr(b'\n', out).and_then(|end| out.split_at_checked(end + 1))
        else {
            break;
        };
        out = rest;
        let head = String::from_utf8_lossy(head);
        let size = head.trim_end().rsplit(' ').next();
        if let Some(size) = size.and_then(|size| size.parse::<usize>().ok()) {
            *slot = rest.get(..size).map(<[u8]>::to_vec);
            out = rest.get(size.saturating_add(1)..).unwrap_or_default();
        }
    }
    all
}

/// Merges ours, the base and theirs by lines; none where git cannot, as with binary files.
pub fn merge_file(folder: &Path, files: &[&Path; 3]) -> Option<Merged> {
    let mut command = command(folder);
    command
        .args(["merge-file", "-p", "--no-diff3"])
        .args(["-L", "ours", "-L", "base", "-L", "theirs", "--"])
        .args(files);
    let out = command.output().ok()?;
    // The number of conflicts; errors are beyond it.
    let conflicts = usize::try_from(out.status.code()?).ok()?;
    (conflicts < 128).then_some(Merged {
        text: out.stdout,
        conflicts,
    })
}

pub(super) fn parts(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    let parts = answer.split(|byte| *byte == 0);
    parts.filter(|part| !part.is_empty())
}

/// The files of a list, `WORD … WORD<tab>PATH` each, with so many words.
pub(super) fn files<const N: usize>(answer: &[u8]) -> impl Iterator<Item = ([&str; N], PathBuf)> {
    parts(answer).filter_map(|line| {
        let tab = memchr::memchr(b'\t', line)?;
        let head = std::str::from_utf8(line.get(..tab)?).ok()?;
        let words: Vec<&str> = head.split(' ').collect();
        Some((words.try_into().ok()?, path(line.get(tab + 1..)?)))
    })
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

/// A path as git reads it.
#[cfg(unix)]
pub(super) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt as _;
    Cow::Borrowed(path.as_os_str().as_bytes())
}

/// A path as git reads it.
#[cfg(not(unix))]
pub(super) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    Cow::Owned(path.to_string_lossy().replace('\\', "/").into_bytes())
}

/// Settings of every git command, whatever the configuration of the repository says. The rest of
/// the configuration that names programs is about work that no command here asks for: comparing
/// working files (filters), patches (external diffs, textconv), and talking to remotes.
const SETTINGS: &[(&str, &str)] = &[
    // Empty: to an older git `false` is the name of a program.
    ("core.fsmonitor", ""),
    ("core.hooksPath", NOWHERE),
    ("core.quotePath", "false"),
    ("i18n.logOutputEncoding", "UTF-8"),
    // Runs the program that checks signatures.
    ("log.showSignature", "false"),
    ("safe.bareRepository", "explicit"),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    // No protocol is allowed, whatever `protocol.*` says: a git that does not know the second
    // line cannot fetch the objects that a partial clone left out either.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // Nothing is locked, so that the index is not written.
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// Git in a folder as the person would start it, with hooks and signing: for commits alone.
pub(super) fn own_command(folder: &Path) -> Command {
    let mut command = program(folder);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command
}

fn program(folder: &Path) -> Command {
    let mut command = programs::command("git");
    command.arg("-C").arg(folder);
    command
}

/// Git in a folder for everything but commits: takes no locks, asks nothing, speaks English.
pub(super) fn command(folder: &Path) -> Command {
    let mut command = program(folder);
    // Passed on are the place where git's parts are installed and the caller's own settings, which
    // those above override. The repository is the one around the folder, and git writes to no file.
    let is_passed_on = |name: &str| name == "GIT_EXEC_PATH" || name.starts_with("GIT_CONFIG_");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("GIT_") && !is_passed_on(&text) {
            command.env_remove(&name);
        }
    }
    command
        .args(["--literal-pathspecs", "--no-pager"])
        .envs(ENVIRONMENT.iter().copied())
        .stdin(Stdio::null());
    for (name, value) in SETTINGS {
        command.arg("-c").arg(format!("{name}={value}"));
    }
    command
}

#[cfg(test)]
pub(crate) mod tests;
