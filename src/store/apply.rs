//! Carrying a plan out: all of it or none of it, and never over a file that changed.

mod step;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

pub use self::step::{Left, Step, is_temporary, token};
use crate::curate::threeway::merged;
use crate::curate::{Digest, FileChange, Plan, Staged, Staging};
use crate::project::git::GitError;
use crate::project::staging;
use crate::store::disk::{Call, Disk, Progress};
use crate::store::{At as _, Result, StoreError, files, refuse, rows};

/// A plan for the files as they are.
#[derive(Default)]
pub struct Fitted {
    /// The plan, with the same changes in the same order.
    pub plan: Plan,
    /// Numbers of the changes that stand already.
    pub stood: Vec<usize>,
    /// Parts of it that are left out, in words.
    pub away: Vec<String>,
}

/// True if a file has sound memories with other bytes: its path, its bytes now, and those.
pub type Sound<'a> = &'a dyn Fn(&Path, &[u8], &[u8]) -> bool;

/// The plan for files that something else wrote to since; none where that is not sure.
pub fn fitted(disk: &Disk, plan: &Plan, sound: Sound<'_>, texts: &Texts) -> Option<Fitted> {
    let (mut stood, mut away) = (Vec::new(), Vec::new());
    let mut changes = Vec::with_capacity(plan.changes.len());
    for (number, change) in plan.changes.iter().enumerate() {
        let mut change = change.clone();
        if let FileChange::Rows { path, rows } = &mut change {
            away.extend(rows::leave_loose(path, rows));
        }
        match progress(disk, &change).ok()? {
            Progress::Before => {}
            Progress::After => stood.push(number),
            Progress::Other => {
                let path = change.rewritten()?;
                let now = disk.read(path).ok()?;
                let after = texts.made(&now, &change)?;
                if after == now {
                    stood.push(number);
                } else if sound(path, &now, &after) {
                    change = FileChange::write(path, Some(&now), Some(&after));
                } else {
                    return None;
                }
            }
        }
        changes.push(change);
    }
    let plan = Plan {
        changes,
        ..plan.clone()
    };
    Some(Fitted { plan, stood, away })
}

/// The folders that are not there for the new files of a plan, the innermost first.
pub fn new_folders(plan: &Plan) -> Vec<PathBuf> {
    let new = plan.changes.iter().filter_map(FileChange::made);
    let missing = new.flat_map(|path| {
        let folders = path.ancestors().skip(1);
        folders.take_while(|folder| fs::symlink_metadata(folder).is_err())
    });
    let missing: BTreeSet<&Path> = missing.collect();
    missing.into_iter().rev().map(Path::to_owned).collect()
}

/// Reason why a plan cannot be carried out on the files as they are.
pub fn blocked(disk: &Disk, plan: &Plan) -> Option<StoreError> {
    let mut changes = plan.changes.iter();
    changes.find_map(|change| match progress(disk, change) {
        Ok(Progress::Before) => may_write(change).err(),
        Ok(Progress::After | Progress::Other) => Some(conflict(change)),
        Err(error) => Some(error),
    })
}

/// Refuses to change a protected file. A rename asks the folder only, and the superuser nothing.
fn may_write(change: &FileChange) -> Result {
    let path = match change {
        FileChange::Rows { path, .. } => Some(&**path),
        change => change.rewritten(),
    };
    let Some(path) = path else { return Ok(()) };
    let mode = fs::metadata(path).ok().as_ref().and_then(files::mode);
    #[cfg(unix)]
    let is_denied = rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err();
    #[cfg(not(unix))]
    let is_denied = fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly());
    if !is_denied && mode.is_none_or(|mode| mode & 0o222 != 0) {
        return Ok(());
    }
    let mode = mode.map_or_else(String::new, |mode| format!(" (mode {mode:03o})"));
    refuse(format!("{} may not be written to{mode}", path.display()))
}

/// Compares the disk with both sides of a change.
pub fn progress(disk: &Disk, change: &FileChange) -> Result<Progress> {
    let there = |path: &Path| Ok::<_, StoreError>(disk.look(path).at(path)?.is_some());
    let digest = |path: &Path| digest(disk, path);
    let holds = |path: &Path, content: &Digest| {
        Ok::<_, StoreError>(digest(path)?.as_ref() == Some(content))
    };
    let (before, after) = match change {
        FileChange::Stage(own) => {
            let now = index_entry(disk, own)?;
            (now == own.before, now == own.after)
        }
        FileChange::Rows { path, rows } => {
            disk.check(Call::Read, path).at(path)?;
            return rows::progress(path, rows);
        }
        FileChange::Write(own) => {
            let now = digest(&own.path)?;
            let is_free = now.is_none() && !there(&own.path)?;
            let is = |wanted: &Option<Digest>| match wanted {
                Some(_) => now == *wanted,
                None => is_free,
            };
            (is(&own.before), is(&own.after))
        }
        FileChange::Move { from, to, digest } => (
            holds(from, digest)? && !there(to)?,
            holds(to, digest)? && !there(from)?,
        ),
    };
    Ok(match (before, after) {
        (true, _) => Progress::Before,
        (false, true) => Progress::After,
        (false, false) => Progress::Other,
    })
}

/// The digest of a regular file; none where there is none.
pub(super) fn digest(disk: &Disk, path: &Path) -> Result<Option<Digest>> {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    match disk.read(path) {
        Ok(bytes) => Ok(Some(Digest::of(&bytes))),
        Err(error) => match error.kind() {
            NotFound | NotADirectory | InvalidFilename | InvalidInput => Ok(None),
            _ => Err(files::io(path, error)),
        },
    }
}

fn conflict(change: &FileChange) -> StoreError {
    match change.made() {
        Some(path) if fs::symlink_metadata(path).is_ok() => StoreError::Exists(path.to_owned()),
        _ => {
            let paths = change.paths();
            StoreError::Changed(paths.first().map_or_else(PathBuf::new, |path| path.into()))
        }
    }
}

fn index_entry(disk: &Disk, own: &Staging) -> Result<Option<Staged>> {
    disk.check(Call::Read, &own.path).at(&own.path)?;
    staging::staged(&own.root, &own.file).map_err(|error| git_refused(&own.root, error))
}

fn store_staged(disk: &Disk, own: &Staging) -> Result {
    let Some(Staged { id, .. }) = &own.after else {
        return Ok(());
    };
    if staging::blob_id(&own.content, id.len() > 40) != *id {
        return Ok(());
    }
    disk.check(Call::Write, &own.path).at(&own.path)?;
    let stored = staging::store_blob(&own.root, &own.content);
    match stored.map_err(|error| git_refused(&own.root, error))? == *id {
        true => Ok(()),
        false => refuse(format!(
            "git stored {} under another id",
            own.path.display()
        )),
    }
}

/// Has the index hold what the change says, unless it changed since that was planned.
fn stage(disk: &Disk, own: &Staging) -> Result {
    disk.check(Call::Commit, &own.path).at(&own.path)?;
    let (before, after) = (own.before.as_ref(), own.after.as_ref());
    match staging::stage(&own.root, &own.file, before, after) {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::Changed(own.path.clone())),
        Err(error) => Err(git_refused(&own.root, error)),
    }
}

/// True if all that a plan stages is committed: taking it back would stage an older version.
pub fn is_committed(plan: &Plan) -> bool {
    let is_in_head = |change: &FileChange| match change {
        FileChange::Stage(own) => staging::is_committed(&own.root, &own.file),
        _ => false,
    };
    !plan.changes.is_empty() && plan.changes.iter().all(is_in_head)
}

/// Why git did not do it.
pub fn git_refused(root: &Path, error: GitError) -> StoreError {
    match staging::is_locked(&error) {
        true => StoreError::Locked(root.join(".git/index.lock")),
        false => error.into(),
    }
}

/// Milliseconds that contents and the entries of journals are kept: 90 days.
pub const KEPT: u64 = 90 * 24 * 60 * 60 * 1000;

/// Bytes that are kept at most; beyond them the oldest contents go.
const LARGEST: u64 = 136 << 20;

/// The folder of the contents.
#[derive(Clone, Debug)]
pub struct Texts(pub PathBuf);

impl Texts {
    /// Keeps the contents of the files that a plan wrote. A failure costs later merges only.
    pub fn keep(&self, plan: &Plan) {
        for change in &plan.changes {
            if let FileChange::Write(own) = change
                && let Some(after) = &own.after
                && let Ok(bytes) = fs::read(&own.path)
                && Digest::of(&bytes) == *after
            {
                let _ = self.write(after, &bytes);
            }
        }
    }

    fn write(&self, digest: &Digest, bytes: &[u8]) -> io::Result<()> {
        let to = self.0.join(&digest.0);
        if let Ok(known) = File::options().append(true).open(&to) {
            return known.set_modified(SystemTime::now());
        }
        fs::create_dir_all(&self.0)?;
        let file = tempfile::NamedTempFile::new_in(&self.0)?;
        let mut packed = DeflateEncoder::new(file, Compression::fast());
        packed.write_all(bytes)?;
        packed.finish()?.persist(to)?;
        Ok(())
    }

    fn read(&self, digest: &Digest) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(self.0.join(&digest.0)).ok()?;
        DeflateDecoder::new(file).read_to_end(&mut bytes).ok()?;
        (Digest::of(&bytes) == *digest).then_some(bytes)
    }

    /// A file before a change and after it; none if neither content is kept.
    pub fn both(&self, change: &FileChange) -> Option<[Vec<u8>; 2]> {
        let FileChange::Write(own) = change else {
            return None;
        };
        match self.read(own.after.as_ref()?) {
            Some(after) => {
                let before = change.inverse().applied(Some(&after))?;
                Some([before.unwrap_or_default(), after])
            }
            None => {
                let before = self.read(own.before.as_ref()?)?;
                let after = change.applied(Some(&before))??;
                Some([before, after])
            }
        }
    }

    /// The content of a file with a change made in it; none if its lines changed since.
    pub fn made(&self, now: &[u8], change: &FileChange) -> Option<Vec<u8>> {
        let [before, after] = self.both(change)?;
        merged(&before, now, &after)
    }

    /// The content of a file without a change of it; none if its lines changed since.
    pub fn taken_back(&self, now: &[u8], change: &FileChange) -> Option<Vec<u8>> {
        if let Some(before) = change.inverse().applied(Some(now)) {
            return before;
        }
        let [before, after] = self.both(change)?;
        merged(&after, now, &before)
    }

    /// Removes contents that are too old or too many.
    pub fn trim(&self) -> io::Result<()> {
        let oldest = SystemTime::now().checked_sub(Duration::from_millis(KEPT));
        let file = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            let meta = entry.metadata().ok()?;
            Some((meta.modified().ok()?, meta.len(), entry.path()))
        };
        let mut all: Vec<_> = fs::read_dir(&self.0)?.filter_map(file).collect();
        all.sort();
        let mut sum = 0;
        for (time, length, path) in all.into_iter().rev() {
            sum += length;
            if sum > LARGEST || oldest.is_some_and(|oldest| time < oldest) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}
