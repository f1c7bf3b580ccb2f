//! Unsaved text, kept in a file while it is typed and offered after a crash.
//!
//! A running program holds a lock beside its draft; a draft whose lock is free is one that
//! nobody will save any more.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::app::msg::Draft;
use crate::store::StoreError;
use crate::store::disk::Disk;
use crate::store::disk::Lock;

/// The name of the draft that was discarded last: it is kept until another one is.
const DISCARDED: &str = "discarded";

/// The draft of this run, and one found of a run that ended without saving.
#[derive(Debug)]
pub struct Drafts {
    folder: PathBuf,
    own: Option<Place>,
    found: Option<Place>,
}

/// A draft's file, and its lock.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    _lock: Lock,
}

impl Place {
    fn remove(self) -> io::Result<()> {
        remove(&self.path)?;
        remove(&self.path.with_extension("lock"))
    }
}

impl Drafts {
    /// Opens the folder of drafts and looks for one that was left behind; the newest, where
    /// there are several. The draft that was discarded last is given too, with false, where there is
    /// no other.
    pub fn open(state: &Path) -> io::Result<(Self, Option<(Draft, bool)>)> {
        let folder = state.join("drafts");
        fs::create_dir_all(&folder)?;
        let mut drafts = Self {
            own: None,
            found: None,
            folder,
        };
        for place in abandoned(&drafts.folder)? {
            // Half a draft cannot be there, for it is renamed into place; something else is not
            // ours to remove.
            if let Some(draft) = read(&place.path) {
                drafts.found = Some(place);
                return Ok((drafts, Some((draft, true))));
            }
        }
        let discarded = read(&drafts.folder.join(DISCARDED));
        Ok((drafts, discarded.map(|draft| (draft, false))))
    }

    /// Puts the draft that was found aside: the next start does not offer it.
    pub fn discard(&self) -> io::Result<()> {
        let aside = self.folder.join(DISCARDED);
        let found = self.found.as_ref().filter(|found| found.path.exists());
        found.map_or(Ok(()), |found| fs::rename(&found.path, aside))
    }

    /// Goes on with the draft that was found, discarded or not: it is the one of this run now.
    pub fn take_up(&mut self) -> io::Result<()> {
        let found = self.found.take();
        let found = found.map_or_else(|| claim(&self.folder), Ok)?;
        let path = &self.own.insert(found).path;
        match path.exists() {
            true => Ok(()),
            false => fs::rename(self.folder.join(DISCARDED), path),
        }
    }

    /// Keeps a draft of this run, or drops it. The one that was found stays.
    pub fn keep(&mut self, draft: Option<&Draft>) -> io::Result<()> {
        match draft {
            Some(draft) => {
                let own = self.own.take();
                let own = own.map_or_else(|| claim(&self.folder), Ok)?;
                let path = &self.own.insert(own).path;
                let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
                serde_json::to_writer(&mut file, draft)?;
                file.flush()?;
                file.as_file().sync_data()?;
                file.persist(path).map_err(|error| error.error)?;
                Ok(())
            }
            None => self.own.take().map_or(Ok(()), Place::remove),
        }
    }
}

/// A name nobody uses, and its lock.
fn claim(folder: &Path) -> io::Result<Place> {
    let process = std::process::id();
    for n in 0.. {
        let path = folder.join(format!("{process}-{n}.json"));
        if path.exists() {
            continue;
        }
        if let Some(lock) = locked(&path)? {
            return Ok(Place { path, _lock: lock });
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The lock of a draft; none where another program holds it. Returns an error if the file system
/// has no locks: no other name would help.
fn locked(path: &Path) -> io::Result<Option<Lock>> {
    match Lock::exclusive(
        &Disk::default(),
        &path.with_extension("lock"),
        Instant::now(),
    ) {
        Ok(lock) => Ok(Some(lock)),
        Err(StoreError::Locked(_)) => Ok(None),
        Err(StoreError::Io { source, .. }) => Err(source),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Drafts whose lock is free, the newest first, locked.
fn abandoned(folder: &Path) -> io::Result<Vec<Place>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        if let Some(lock) = locked(&path)? {
            let modified = entry.metadata().and_then(|meta| meta.modified()).ok();
            found.push((modified, Place { path, _lock: lock }));
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    Ok(found.into_iter().map(|(_, place)| place).collect())
}

fn read(path: &Path) -> Option<Draft> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(text: &str) -> (Draft, bool) {
        (draft(text), true)
    }

    fn draft(text: &str) -> Draft {
        Draft {
            id: "rawko:auth".to_owned(),
            base: "before".to_owned(),
            text: text.to_owned(),
            form: None,
        }
    }

    /// A run that ends with unsaved text.
    fn crashed(state: &Path, text: &str) {
        let (mut drafts, _) = Drafts::open(state).unwrap();
        drafts.keep(Some(&draft(text))).unwrap();
    }

    fn files(state: &Path) -> usize {
        fs::read_dir(state.join("drafts")).unwrap().count()
    }

    #[test]
    fn a_draft_of_a_run_that_crashed_is_offered_until_it_is_decided() {
        let dir = tempfile::tempdir().unwrap();
        let (mut crashed, none) = Drafts::open(dir.path()).unwrap();
        assert_eq!(none, None);
        crashed.keep(Some(&draft("a"))).unwrap();
        crashed.keep(Some(&draft("half a sent"))).unwrap();
        let (running, none) = Drafts::open(dir.path()).unwrap();
        assert_eq!(none, None, "a run that goes on keeps its own");
        drop((running, crashed));

        let (seen, found) = Drafts::open(dir.path()).unwrap();
        assert_eq!(found, Some(offered("half a sent")));
        drop(seen);
        let (mut taken, found) = Drafts::open(dir.path()).unwrap();
        assert_eq!(found, Some(offered("half a sent")), "nobody decided");
        taken.take_up().unwrap();
        taken.keep(Some(&draft("half a sentence"))).unwrap();
        drop(taken);
        let (mut last, found) = Drafts::open(dir.path()).unwrap();
        assert_eq!(found, Some(offered("half a sentence")));
        last.take_up().unwrap();
        last.keep(None).unwrap();
        drop(last);
        assert_eq!(Drafts::open(dir.path()).unwrap().1, None);
        assert_eq!(files(dir.path()), 0, "nothing is left behind");
    }

    #[test]
    fn a_draft_that_nobody_decided_on_outlives_others() {
        let dir = tempfile::tempdir().unwrap();
        crashed(dir.path(), "first");
        let (mut second, _) = Drafts::open(dir.path()).unwrap();
        second.keep(Some(&draft("second"))).unwrap();
        second.keep(None).unwrap();
        drop(second);
        let (third, found) = Drafts::open(dir.path()).unwrap();
        assert_eq!(found, Some(offered("first")));
        third.discard().unwrap();
        drop(third);
        let (mut fourth, discarded) = Drafts::open(dir.path()).unwrap();
        assert_eq!(discarded, Some((draft("first"), false)));
        fourth.take_up().unwrap();
        drop(fourth);
        let (mut fifth, found) = Drafts::open(dir.path()).unwrap();
        assert_eq!(found, Some(offered("first")));
        // In the run that discarded it too.
        fifth.discard().unwrap();
        fifth.take_up().unwrap();
        drop(fifth);
        assert_eq!(Drafts::open(dir.path()).unwrap().1, Some(offered("first")));
    }

    #[test]
    fn what_is_no_draft_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("drafts")).unwrap();
        let odd = dir.path().join("drafts/odd.json");
        fs::write(&odd, "{").unwrap();
        let (mut drafts, found) = Drafts::open(dir.path()).unwrap();
        assert_eq!(found, None);
        drafts.keep(None).unwrap();
        assert!(odd.exists());
    }
}
