//! The index of a repository, file by file: what is staged, staging other bytes, and committing.
//!
//! Git itself writes the index, under its own lock: a crash leaves the old one or the new one. The
//! lock is held from before an entry is compared with what it was until it is written.
//! Only a commit runs what the person's configuration names, hooks and signing.

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tempfile::TempPath;

use super::git::{
    self, GitError, answer, command, output, own_command, parts, path, path_bytes, refusal, run,
    word,
};
pub use super::revision::blobs;
use super::revision::{self, Attributes};
use crate::curate::Staged;

/// The files of an index below some folders.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The staged files, by the path below the root of the work tree.
    pub files: HashMap<PathBuf, Staged>,
    /// Files that a sparse checkout leaves out of the work tree.
    pub sparse: Vec<PathBuf>,
    /// Files that a merge left with conflicts.
    pub unmerged: Vec<PathBuf>,
}

impl Index {
    /// Reads the index of the repository with this root. Without folders, all of it.
    pub fn read(root: &Path, folders: &[PathBuf]) -> Result<Self, GitError> {
        let arguments = ["ls-files", "-t", "--stage", "-z"];
        let out = run(root, &arguments, &revision::pathspecs(folders))?;
        let mut index = Self::default();
        for ([tag, mode, id, stage], file) in git::files(&out) {
            match (stage, tag) {
                ("0", "S") => index.sparse.push(file),
                ("0", _) => {
                    let (mode, id) = (mode.to_owned(), id.to_owned());
                    index.files.insert(file, Staged { mode, id });
                }
                _ => index.unmerged.push(file),
            }
        }
        Ok(index)
    }
}

/// The mode of a submodule, whose content another repository has.
const SUBMODULE: &str = "160000";

/// The staged files below some folders of which the repository has no content.
pub fn lost(root: &Path, folders: &[PathBuf]) -> Result<Vec<(PathBuf, Staged)>, GitError> {
    let index = Index::read(root, folders)?;
    let mut staged: Vec<(PathBuf, Staged)> = index.files.into_iter().collect();
    staged.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let ids: Vec<&str> = staged.iter().map(|(_, staged)| &*staged.id).collect();
    let contents = git::objects(root, &ids)?;
    let all = staged.into_iter().zip(contents);
    let lost = all.filter(|((_, staged), content)| content.is_none() && staged.mode != SUBMODULE);
    Ok(lost.map(|(staged, _)| staged).collect())
}

/// The id that a blob with these bytes has, like that of another blob in its kind of hash.
pub fn blob_id(bytes: &[u8], is_long: bool) -> String {
    revision::blob_id(bytes.len() as u64, bytes, is_long).unwrap_or_default()
}

/// True if the repository names its objects by SHA-256.
pub fn has_long_ids(root: &Path) -> bool {
    word(root, &["rev-parse", "--show-object-format"]).is_ok_and(|hash| hash == "sha256")
}

/// The bytes of working files as git would store them, line ends converted. A file with a filter,
/// keyword or encoding is refused: that would run a program of the repository's choice.
pub fn stored(
    root: &Path,
    files: &[(PathBuf, Vec<u8>)],
) -> Result<Vec<Result<Vec<u8>, String>>, GitError> {
    let names: Vec<_> = files.iter().map(|(file, _)| path_bytes(file)).collect();
    let all = Attributes::read(root, &names)?;
    let one = |((file, bytes), attributes): (&(PathBuf, Vec<u8>), Attributes)| {
        if attributes.needs_program {
            return Err(format!(
                "{} cannot be staged: a filter, keyword or encoding of git applies; use `git add`",
                file.display()
            ));
        }
        Ok(attributes.convert(bytes).unwrap_or_else(|| bytes.clone()))
    };
    Ok(files.iter().zip(all).map(one).collect())
}

/// The entry of the index for one file, if any; an error if it has conflicts.
pub fn staged(root: &Path, file: &Path) -> Result<Option<Staged>, GitError> {
    let mut index = Index::read(root, &[file.to_owned()])?;
    if index.unmerged.iter().any(|one| one == file) {
        return Err(GitError::Refused(format!(
            "{} has conflicts: resolve them first",
            file.display()
        )));
    }
    Ok(index.files.remove(file))
}

/// True if nothing of a file is staged: the index holds what the last commit does.
pub fn is_committed(root: &Path, file: &Path) -> bool {
    let Ok(staged) = staged(root, file) else {
        return false;
    };
    let files = [file.to_owned()];
    let held = revision::entries(root, "HEAD", &files);
    let id = |staged: &Staged| staged.id.clone();
    held.is_ok_and(|held| held.get(file).map(id) == staged.as_ref().map(id))
}

/// Stores a blob. Nothing refers to it yet.
pub fn store_blob(root: &Path, bytes: &[u8]) -> Result<String, GitError> {
    let arguments = ["hash-object", "-w", "--stdin", "--no-filters"];
    let out = feed(root, &arguments, bytes, None)?;
    Ok(String::from_utf8_lossy(&out).trim().to_owned())
}

/// How long staging waits for another program that holds the index, and between two attempts.
const PATIENCE: Duration = Duration::from_secs(3);
/// See [`PATIENCE`].
const PAUSE: Duration = Duration::from_millis(20);

/// Puts a file into the index, or takes it out, if the index still holds `before` for it; false if
/// it does not. The new blob must be there.
pub fn stage(
    root: &Path,
    file: &Path,
    before: Option<&Staged>,
    after: Option<&Staged>,
) -> Result<bool, GitError> {
    let none = no_id(root);
    if let Some(staged) = after {
        run(root, &["cat-file", "-e", &staged.id], &[])?;
    }
    let input = index_line(file, after, &none);
    // Git complains about a name in its own folder, and has tried to take its lock by then.
    let probe = format!("0 {none}\t.git/memkeep\0");
    let end = Instant::now() + PATIENCE;
    loop {
        let done = compare_and_feed(root, probe.as_bytes(), &input, || {
            Ok(staged(root, file)?.as_ref() == before)
        });
        match done {
            Err(error) if is_locked(&error) && Instant::now() < end => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
}

fn no_id(root: &Path) -> String {
    "0".repeat(if has_long_ids(root) { 64 } else { 40 })
}

fn index_line(file: &Path, entry: Option<&Staged>, none: &str) -> Vec<u8> {
    let (mode, id) = entry.map_or(("0", none), |entry| (&*entry.mode, &*entry.id));
    let head = format!("{mode} {id}\t");
    [head.as_bytes(), &path_bytes(file), b"\0"].concat()
}

/// Starts the git that writes the index and gives it the input once it has answered the probe, if
/// the entry is as expected then. If git did not get its lock it writes nothing and fails.
fn compare_and_feed(
    root: &Path,
    probe: &[u8],
    input: &[u8],
    is_expected: impl FnOnce() -> Result<bool, GitError>,
) -> Result<bool, GitError> {
    let mut git = command(root);
    git.args(WRITE).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut git = git.stderr(Stdio::piped()).spawn()?;
    let (stdin, stderr) = (git.stdin.take(), git.stderr.take());
    let (sender, lines) = mpsc::channel();
    // Ends with git, which ends with its input.
    std::thread::spawn(move || {
        let lines = stderr.map(BufReader::new).into_iter();
        let mut lines = lines.flat_map(BufReader::lines).map_while(Result::ok);
        lines.all(|line| sender.send(line).is_ok())
    });
    let fed = stdin.map_or(Ok(false), |mut stdin| {
        // A git that has ended says why.
        let _ = stdin.write_all(probe);
        let answer = lines.recv_timeout(PATIENCE).unwrap_or_default();
        let is_ready = answer.starts_with("Ignoring path");
        let feeds = is_ready && is_expected()?;
        if feeds {
            stdin.write_all(input)?;
        }
        match is_ready {
            true => Ok(feeds),
            false => Err(refusal(&answer)),
        }
    });
    let status = git.wait()?;
    match status.success() {
        true => fed,
        false => fed.and_then(|_| Err(refusal(&lines.recv().unwrap_or_default()))),
    }
}

fn feed(
    root: &Path,
    arguments: &[&str],
    input: &[u8],
    index: Option<&Path>,
) -> Result<Vec<u8>, GitError> {
    let mut git = command(root);
    git.args(arguments).envs(index.map(|path| (INDEX, path)));
    answer(output(git, input)?)
}

const WRITE: [&str; 3] = ["update-index", "-z", "--index-info"];

const INDEX: &str = "GIT_INDEX_FILE";

/// True if an error says that another program holds the index.
pub fn is_locked(error: &GitError) -> bool {
    matches!(error, GitError::Refused(said) if said.contains("index.lock': File exists"))
}

/// The command that a repository is in the middle of; none if there is none.
pub fn unfinished(root: &Path) -> Option<&'static str> {
    const STATES: [(&str, &str); 5] = [
        ("MERGE_HEAD", "merge"),
        ("rebase-merge", "rebase"),
        ("rebase-apply", "rebase"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ];
    let (own, _) = git::places(root)?;
    let is_there = |file: &str| own.join(file).symlink_metadata().is_ok();
    let found = STATES.iter().find(|(file, _)| is_there(file));
    found.map(|(_, command)| *command)
}

/// True if git ignores a file, or files below a folder.
pub fn is_ignored(root: &Path, file: &Path) -> bool {
    let arguments = ["ls-files", "-z", "-o", "-i", "--exclude-standard"];
    let ignored = run(root, &arguments, &[file.as_os_str()]);
    ignored.is_ok_and(|files| !files.is_empty())
}

/// The files that are staged: they differ from the last commit.
pub fn to_commit(root: &Path, head: Option<&str>) -> Result<Vec<PathBuf>, GitError> {
    let Some(head) = head else {
        let index = Index::read(root, &[])?;
        return Ok(index.files.into_keys().collect());
    };
    let arguments = ["diff-index", "--cached", "--name-only", "--no-renames"];
    let safely = ["--no-ext-diff", "--no-textconv", "-z", head];
    let out = run(root, &[arguments, safely].concat(), &[])?;
    Ok(parts(&out).map(path).collect())
}

/// Commits the staged changes of these files only, with the person's hooks and signing.
/// The terminal is given to git meanwhile. Gives the short name of the commit.
pub fn commit(
    root: &Path,
    message: &str,
    files: &[PathBuf],
    quiet: bool,
) -> Result<String, GitError> {
    let head = word(root, &["rev-parse", "--verify", "--quiet", "HEAD"]).ok();
    let all = to_commit(root, head.as_deref())?;
    // If other files are staged too, the commit uses a separate index.
    let apart = match all.iter().any(|file| !files.contains(file)) {
        true => Some(index_of(root, head.as_deref(), files, &all)?),
        false => None,
    };
    let mut git = own_command(root);
    git.args(["commit", "-q", "-F", "-"]);
    git.envs(apart.as_ref().map(|index| (INDEX, index.as_os_str())));
    git.stdin(Stdio::piped()).stdout(Stdio::null());
    git.stderr(match quiet {
        true => Stdio::piped(),
        false => Stdio::inherit(),
    });
    let mut child = git.spawn()?;
    let stdin = child.stdin.take();
    let written = stdin.map_or(Ok(()), |mut stdin| stdin.write_all(message.as_bytes()));
    let out = child.wait_with_output()?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr);
        return Err(GitError::Refused(match said.trim() {
            "" => "no commit was made".to_owned(),
            said => said.to_owned(),
        }));
    }
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => word(root, &["rev-parse", "--short", "HEAD"]),
    }
}

/// An index of the last commit with the staged changes of some files of all that are staged.
fn index_of(
    root: &Path,
    head: Option<&str>,
    files: &[PathBuf],
    all: &[PathBuf],
) -> Result<TempPath, GitError> {
    let (own, _) = git::places(root).ok_or(GitError::NoRepository)?;
    let index = tempfile::Builder::new()
        .prefix("memkeep-index-")
        .tempfile_in(&own)?;
    let index = index.into_temp_path();
    let _ = std::fs::remove_file(&index);
    let tree = head.unwrap_or("--empty");
    feed(root, &["read-tree", tree], b"", Some(&index))?;
    let staged = Index::read(root, files)?;
    let none = no_id(root);
    let files = files.iter().filter(|file| all.contains(file));
    let lines = files.map(|file| index_line(file, staged.files.get(file), &none));
    let input = lines.collect::<Vec<_>>().concat();
    feed(root, &WRITE, &input, Some(&index))?;
    Ok(index)
}
