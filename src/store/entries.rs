//! Stores of files that hold many entries; the system's codec says what the bytes mean.

mod load;
mod requests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_yaml::Value;

use self::requests::Staging;
use super::discover::formats::System;
use super::disk::Lock;
use super::{
    Deleted, Emit, Guard, Loaded, Overlay, Promotion, Request, Result, Store, StoreError,
    StoreInfo, files, refused,
};
use crate::memory::{Memory, Schema, Stamp, State, document};
use crate::retrieval::Options;
use crate::systems::codec::{ARCHIVED, Change, Codec, EntryFile, Raised};

/// Time that a writer waits, and a reader: the system holds its lock for one small file.
const PATIENCE: Duration = Duration::from_secs(5);
const READING: Duration = Duration::from_secs(2);

/// The properties of a system that keeps its memories in files of entries.
pub struct EntrySystem {
    pub codec: &'static dyn Codec,
    /// The folders of a tree that hold files of entries; none in a store of one file.
    pub folders: &'static [&'static str],
    /// The end of the names of those files.
    pub end: &'static str,
    /// The file of a tree that is made first.
    pub first: &'static str,
    /// End of the name of the file beside the store that the system locks (`flock`).
    pub lock: Option<&'static str>,
    /// Reads the system's own configuration; the second path is the folder of the project.
    pub settings: fn(&StoreInfo, &Path) -> Result<Options>,
    /// True if it says when entries expire.
    pub expires: bool,
    pub watched: fn(&Path) -> Option<PathBuf>,
    pub is_file: fn(&Path) -> bool,
    pub archive: fn(&Path) -> PathBuf,
    pub holder: fn(&Path) -> Option<PathBuf>,
    pub place: fn(&Path) -> PathBuf,
}

impl System for EntrySystem {
    fn archive(&self, store: &Path) -> PathBuf {
        (self.archive)(store)
    }

    fn holder(&self, path: &Path) -> Option<PathBuf> {
        (self.holder)(path)
    }

    fn place(&self, path: &Path) -> PathBuf {
        (self.place)(path)
    }

    fn open(&'static self, info: StoreInfo) -> Box<dyn Store> {
        Box::new(EntryStore::new(info, self))
    }
}

type FileAtStamp = (Stamp, Arc<Vec<u8>>);

pub struct EntryStore {
    info: StoreInfo,
    system: &'static EntrySystem,
    /// The folders of the tree; none if the store is one file.
    folders: &'static [&'static str],
    /// Files of the names that several entries have, in order: a single file does not say that.
    repeats: Mutex<HashMap<Box<str>, Vec<Arc<Path>>>>,
    last: Mutex<HashMap<Arc<Path>, FileAtStamp>>,
}

impl EntryStore {
    fn new(info: StoreInfo, system: &'static EntrySystem) -> Self {
        let is_file = (system.is_file)(&info.path);
        Self {
            info,
            system,
            folders: if is_file { &[] } else { system.folders },
            repeats: Mutex::default(),
            last: Mutex::default(),
        }
    }

    const fn is_file(&self) -> bool {
        self.folders.is_empty()
    }

    fn codec(&self) -> &'static dyn Codec {
        self.system.codec
    }

    /// The path of a file below the store; of a store that is one file, that file.
    fn file(&self, below: &str) -> PathBuf {
        match self.is_file() {
            true => self.info.path.clone(),
            false => self.info.path.join(below),
        }
    }

    fn options(&self) -> Options {
        let options = || (self.system.settings)(&self.info, &self.info.path).ok();
        let options = self.system.expires.then(options).flatten();
        options.unwrap_or_default()
    }

    fn facts<'a>(&'a self, path: &Path, stamp: Stamp, options: &'a Options) -> EntryFile<'a> {
        EntryFile {
            store: &self.info.id,
            path: path.into(),
            state: self.info.state_of(path),
            stamp,
            is_alone: self.is_file(),
            options,
        }
    }

    /// The locks beside the file and beside a link's target: programs of the system lock either.
    fn locks(&self) -> Vec<PathBuf> {
        let Some(end) = self.system.lock else {
            return Vec::new();
        };
        let path = &self.info.path;
        let mut paths = vec![files::with_end(path, end)];
        paths.extend(files::target(path).map(|path| files::with_end(&path, end)));
        paths.sort_unstable();
        paths.dedup();
        paths
    }
}

impl Store for EntryStore {
    fn info(&self) -> &StoreInfo {
        &self.info
    }

    fn schema(&self) -> &'static Schema {
        self.codec().schema()
    }

    fn load(&self, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded {
        load::load(self, known, emit)
    }

    fn is_own(&self, bytes: &[u8]) -> bool {
        self.codec().is_own(bytes)
    }

    fn parse(&self, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
        load::parse(self, path, bytes, stamp)
    }

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result {
        Staging::new(self, overlay).stage(request)
    }

    fn promote(&self, memory: &Memory, up: bool, overlay: &mut Overlay) -> Result<Promotion> {
        let refused = |why: String| refused(format!("{}: {why}", memory.id));
        let mut staging = Staging::new(self, overlay);
        let (bytes, index) = staging.find(memory)?;
        let entry = self.codec().cut(&bytes, &[index]).concat();
        let Some(raised) = self.codec().raise(&entry, up, &self.options()) else {
            return super::by_importance(self, memory, up, overlay);
        };
        if memory.state == State::Archived {
            return Err(refused("it is archived; restore it first".to_owned()));
        }
        let Raised { edits, why, doubt } = raised.map_err(|error| refused(error.to_string()))?;
        staging.change(memory, (bytes, index), Change::Fields(&edits))?;
        Ok(Promotion { why, doubt })
    }

    fn put_back(&self, deleted: &Deleted<'_>, overlay: &mut Overlay) -> Result {
        Staging::new(self, overlay).put_back(deleted)
    }

    /// A tree is known by its files.
    fn make(&self, overlay: &mut Overlay) -> Result {
        let empty = self.codec().empty(State::Active);
        overlay.write(&self.file(self.system.first), empty)
    }

    fn watch(&self) -> Vec<(PathBuf, bool)> {
        let mut folders = match self.is_file() {
            true => files::folders_of(&self.info.path),
            false => vec![(self.info.path.clone(), true)],
        };
        let more = (self.system.watched)(&self.info.path);
        folders.extend(more.map(|folder| (folder, false)));
        folders
    }

    fn bytes(&self, memory: &Memory) -> Result<Arc<Vec<u8>>> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((stamp, bytes)) = last().get(&memory.path)
            && *stamp == memory.stamp
        {
            return Ok(bytes.clone());
        }
        let (bytes, meta) = files::read(&memory.path)?;
        if files::stamp_of(&meta) != memory.stamp {
            return Err(StoreError::Changed(memory.path.to_path_buf()));
        }
        let bytes = Arc::new(bytes);
        last().insert(memory.path.clone(), (memory.stamp, bytes.clone()));
        Ok(bytes)
    }

    fn text_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        let entry = document::part(bytes, memory.span.clone());
        self.codec().text(entry)
    }

    fn loader_body_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        let rest = bytes.get(memory.span.start..).unwrap_or_default();
        self.codec().loader_text(rest, memory.span.len())
    }

    fn file_of(&self, local: &str) -> Result<PathBuf> {
        let is_archived = self.is_file() && local.starts_with(ARCHIVED);
        let (path, archive) = (&self.info.path, &self.info.archive);
        Ok(if is_archived { archive } else { path }.clone())
    }

    fn settings(&self, root: &Path) -> Result<Options> {
        (self.system.settings)(&self.info, root)
    }

    fn lock(&self) -> Result<Guard> {
        let end = Instant::now() + PATIENCE;
        let locks = self.locks().into_iter();
        locks.map(|lock| Lock::borrowed(&lock, end)).collect()
    }

    fn stage_all(&self, requests: &[Request<'_>], overlay: &mut Overlay) -> Result {
        Staging::new(self, overlay).stage_all(requests)
    }

    fn forget(&self, memory: &Memory, overlay: &mut Overlay) -> Result {
        let now = overlay.now;
        let mut staging = Staging::new(self, overlay);
        let (bytes, index) = staging.find(memory)?;
        let entry = self.codec().cut(&bytes, &[index]).concat();
        let Some(edits) = self.codec().forget(&entry, now) else {
            return Err(super::never_forgets(memory));
        };
        staging.change(memory, (bytes, index), Change::Fields(&edits))
    }

    fn places_of(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        let file = self.bytes(memory).ok()?;
        let entry = document::part(&file, memory.span.clone());
        let places = self.codec().places(entry, bytes)?.into_iter();
        let in_file = |(line, column)| (memory.line.saturating_add(line), column);
        Some(places.map(in_file).collect())
    }

    fn body_of(&self, _memory: &Memory, text: &[u8]) -> Vec<u8> {
        text.to_vec()
    }
}

/// The settings with these names (`mapping.name`) of a system's file; items of a list get commas.
pub(super) fn pick<'n>(all: &Value, names: impl Iterator<Item = &'n str>) -> Options {
    let mut options = Options::default();
    for name in names {
        let value = name.split('.').try_fold(all, |value, key| value.get(key));
        if let Some(text) = value.and_then(text) {
            options.set(name, text);
        }
    }
    options
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(value) => Some(value.to_string()),
        Value::String(value) => Some(value.clone()),
        Value::Sequence(items) => {
            let items: Vec<String> = items.iter().filter_map(text).collect();
            Some(items.join(","))
        }
        _ => None,
    }
}
