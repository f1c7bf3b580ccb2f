//! Stages requests on files of entries.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::EntryStore;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Stamp, State, document};
use crate::store::{
    Deleted, Overlay, Request, Result, Store as _, StoreError, refuse, refuse_unless,
};
use crate::systems::codec::{ARCHIVED, Change, Codec, Moment, NewMemory};

fn part<'a>(bytes: &'a [u8], span: &Range<usize>) -> &'a [u8] {
    document::part(bytes, span.clone())
}

pub(super) struct Staging<'a> {
    store: &'a EntryStore,
    codec: &'static dyn Codec,
    overlay: &'a mut Overlay,
}

/// A file, and the place of one of its entries.
type Found = (Vec<u8>, usize);

impl<'a> Staging<'a> {
    pub(super) fn new(store: &'a EntryStore, overlay: &'a mut Overlay) -> Self {
        let codec = store.system.codec;
        Self {
            store,
            codec,
            overlay,
        }
    }

    pub(super) fn stage(&mut self, request: &Request<'_>) -> Result {
        let (memory, change) = match *request {
            Request::Edit(memory, edits) => (memory, Change::Fields(edits)),
            Request::Rename(memory, to) => {
                let to = to.strip_prefix(ARCHIVED).unwrap_or(to);
                (memory, Change::Name(to))
            }
            Request::Normalize(memory) => (memory, Change::Normal),
            Request::Save(memory, expected, text) => {
                let at = self.find_text(memory, expected)?;
                let edits = [FieldEdit::Body(text.to_owned())];
                return self.change(memory, at, Change::Fields(&edits));
            }
            Request::Add(new) => return self.add(new),
            Request::Delete(memory) => return self.take_out(&[memory]).map(drop),
            Request::Archive(memory) => return self.archive(&[memory]),
            Request::Restore(memory) => return self.restore(memory),
            Request::SplitFile(memory) => {
                let path = memory.path.display();
                return refuse(format!("{path} holds many memories as its system wants it"));
            }
        };
        let at = self.find(memory)?;
        self.change(memory, at, change)
    }

    /// Stages several requests; entries leave one file together, so that it is read once.
    pub(super) fn stage_all(&mut self, requests: &[Request<'_>]) -> Result {
        fn leaves<'a>(request: &Request<'a>) -> Option<&'a Memory> {
            match *request {
                Request::Delete(memory) | Request::Archive(memory) => Some(memory),
                _ => None,
            }
        }
        let together = |a: &Request<'_>, b: &Request<'_>| {
            let both = leaves(a).zip(leaves(b));
            both.is_some_and(|(a, b)| a.path == b.path)
        };
        for run in requests.chunk_by(together) {
            let memories: Vec<&Memory> = run.iter().filter_map(leaves).collect();
            match run.first() {
                Some(Request::Delete(_)) => drop(self.take_out(&memories)?),
                Some(Request::Archive(_)) => self.archive(&memories)?,
                _ => run.iter().try_for_each(|one| self.stage(one))?,
            }
        }
        Ok(())
    }

    /// The bytes of a memory's file as staged, and which of its entries the memory is now.
    pub(super) fn find(&mut self, memory: &Memory) -> Result<Found> {
        let (bytes, found) = self.find_all(&[memory])?;
        Ok((bytes, found.first().copied().unwrap_or_default()))
    }

    /// The same for several memories of one file.
    fn find_all(&mut self, memories: &[&Memory]) -> Result<(Vec<u8>, Vec<usize>)> {
        let Some(first) = memories.first() else {
            return Ok(Default::default());
        };
        let bytes = self.overlay.read(&first.path, Some(first.stamp))?.to_vec();
        let before = self.overlay.before(&first.path).unwrap_or(&bytes);
        let spans = self.codec.spans(&bytes);
        let index = |memory: &&Memory| {
            let own = part(before, &memory.span).trim_ascii_end();
            let same = |index: &usize| {
                let span = spans.get(*index);
                span.is_some_and(|span| part(&bytes, span).trim_ascii_end() == own)
            };
            let number = memory.document as usize;
            let found = std::iter::once(number).chain(0..spans.len()).find(same);
            // An earlier request of the same plan may have changed it.
            found.or_else(|| self.named(memory, &bytes))
        };
        let found: Option<Vec<usize>> = memories.iter().map(index).collect();
        let gone = || StoreError::Changed(first.path.to_path_buf());
        found.map(|found| (bytes, found)).ok_or_else(gone)
    }

    /// The same for an entry with a text, whatever else changed in its file.
    fn find_text(&mut self, memory: &Memory, text: &str) -> Result<Found> {
        let bytes = self.overlay.read(&memory.path, None)?.to_vec();
        let spans = self.codec.spans(&bytes);
        let is_it = |index: &usize| {
            let own = spans.get(*index).map(|span| part(&bytes, span));
            own.is_some_and(|own| String::from_utf8_lossy(&self.codec.text(own)) == text)
        };
        let named = self.named(memory, &bytes).filter(is_it);
        let index = named.or_else(|| (0..spans.len()).find(is_it));
        let gone = || StoreError::Changed(memory.path.to_path_buf());
        index.map(|index| (bytes, index)).ok_or_else(gone)
    }

    fn named(&self, memory: &Memory, bytes: &[u8]) -> Option<usize> {
        let all = self.store.parse(&memory.path, bytes, memory.stamp);
        all.iter().position(|one| one.id == memory.id)
    }

    /// Changes an entry; one that then belongs to another file moves there.
    pub fn change(&mut self, memory: &Memory, (bytes, index): Found, change: Change<'_>) -> Result {
        let (codec, moment) = (self.codec, self.moment(memory.state));
        let edited = codec.change(&bytes, index, change, moment)?;
        for note in edited.notes {
            self.overlay.note(Some(note));
        }
        let entry = codec.cut(&edited.bytes, &[edited.index]).concat();
        let home = match change {
            Change::Fields(edits) if memory.state == State::Active => {
                codec.home(&entry, edits, &memory.path, moment)
            }
            _ => None,
        };
        let Some(home) = home.map(|home| self.store.info.path.join(home)) else {
            return self.overlay.write(&memory.path, edited.bytes);
        };
        let rest = codec.without(&bytes, &[index], memory.state)?;
        self.write_rest(memory, rest)?;
        self.refuse_twin(&home, &entry, "archive the one that is not needed")?;
        self.insert(&home, &entry, false, &memory.path)
    }

    fn add(&mut self, new: NewMemory<'_>) -> Result {
        let mut files = Vec::new();
        if self.store.is_file() {
            for path in [&self.store.info.path, &self.store.info.archive] {
                files.push(self.overlay.current(path)?.unwrap_or_default().to_vec());
            }
        }
        let moment = self.moment(State::Active);
        let new = self.codec.compose(new, &files, moment)?;
        for note in new.notes {
            self.overlay.note(Some(note));
        }
        let path = self.store.file(&new.file);
        self.refuse_twin(&path, &new.entry, "edit that one")?;
        self.insert(&path, &new.entry, true, &path)
    }

    /// Refuses an entry that the system would merge with one of the file.
    fn refuse_twin(&mut self, path: &Path, entry: &[u8], instead: &str) -> Result {
        let bytes = self.overlay.current(path)?.unwrap_or_default();
        let Some((index, why)) = self.codec.twin(bytes, entry) else {
            return Ok(());
        };
        let all = self.store.parse(path, bytes, Stamp::default());
        let twin = all.into_iter().nth(index);
        let twin = twin.map_or(String::new(), |twin| twin.id.to_string());
        refuse(format!("{twin} {why} already: {instead}"))
    }

    /// Puts an entry into a file, new or where it stood; a missing one gets the mode of `like`.
    fn insert(&mut self, path: &Path, entry: &[u8], is_new: bool, like: &Path) -> Result {
        let state = self.store.info.state_of(path);
        let bytes = match self.overlay.current(path)? {
            Some(bytes) => bytes.to_vec(),
            None => self.codec.empty(state),
        };
        let earlier = self.overlay.earlier(path);
        let earlier = (!is_new).then_some(&*earlier);
        let after = self.codec.insert(&bytes, entry, earlier)?;
        self.overlay.write_beside(path, after, like)
    }

    /// Writes what is left of a file; one that holds nothing any more goes with its last entry.
    fn write_rest(&mut self, memory: &Memory, rest: Vec<u8>) -> Result {
        let is_archive = memory.state == State::Archived;
        match rest.is_empty() || is_archive && rest == self.codec.empty(memory.state) {
            true => self.overlay.remove(&memory.path, None),
            false => self.overlay.write(&memory.path, rest),
        }
    }

    fn cut_out(&mut self, memories: &[&Memory]) -> Result<Vec<Vec<u8>>> {
        let Some(first) = memories.first() else {
            return Ok(Vec::new());
        };
        let (bytes, indexes) = self.find_all(memories)?;
        let mut sorted = indexes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let rest = self.codec.without(&bytes, &sorted, first.state)?;
        self.write_rest(first, rest)?;
        Ok(self.codec.cut(&bytes, &indexes))
    }

    /// The same, and the plan remembers them with the file of a tree that they stood in.
    fn take_out(&mut self, memories: &[&Memory]) -> Result<Vec<Vec<u8>>> {
        let entries = self.cut_out(memories)?;
        for (memory, entry) in memories.iter().zip(&entries) {
            let below = memory.path.strip_prefix(&self.store.info.path);
            let below = below.ok().filter(|_| !self.store.is_file());
            let head = below.map_or(String::new(), |below| format!("{}\n", below.display()));
            let text = [head.as_bytes(), entry].concat();
            self.overlay.took(&memory.id, text);
        }
        Ok(entries)
    }

    fn archive(&mut self, memories: &[&Memory]) -> Result {
        for memory in memories {
            refuse_unless(State::Active, memory)?;
        }
        for (entry, memory) in self.take_out(memories)?.iter().zip(memories) {
            let to = self.moved(memory, &self.store.info.path, &self.store.info.archive);
            self.insert(&to, entry, false, &memory.path)?;
        }
        Ok(())
    }

    fn restore(&mut self, memory: &Memory) -> Result {
        refuse_unless(State::Archived, memory)?;
        let entry = self.cut_out(&[memory])?.concat();
        let to = self.moved(memory, &self.store.info.archive, &self.store.info.path);
        self.insert(&to, &entry, false, &memory.path)
    }

    /// The file of a memory below another folder; in a store of one file that file.
    fn moved(&self, memory: &Memory, from: &Path, to: &Path) -> PathBuf {
        let below = memory.path.strip_prefix(from).ok();
        match below.filter(|_| !self.store.is_file()) {
            Some(below) => to.join(below),
            None => to.to_owned(),
        }
    }

    pub(super) fn put_back(&mut self, deleted: &Deleted<'_>) -> Result {
        let text = deleted.text;
        let head = memchr::memchr(b'\n', text).filter(|_| !text.starts_with(b"{"));
        let head = head.and_then(|at| Some((std::str::from_utf8(text.get(..at)?).ok()?, at)));
        let (path, entry) = match head {
            _ if self.store.is_file() => (self.store.file_of(&deleted.id.local)?, text),
            Some((below, at)) => (self.store.file(below), text.split_at(at + 1).1),
            None => (deleted.path.to_owned(), text),
        };
        let spans = self.codec.spans(entry);
        let block = spans.first().map(|span| part(entry, span).trim_ascii_end());
        let block = block.ok_or_else(|| deleted.refused())?;
        let now = self.overlay.current(&path)?.unwrap_or_default();
        let there = |span| part(now, span).trim_ascii_end() == block;
        if self.codec.spans(now).iter().any(there) {
            return refuse(format!("{} is there already", deleted.id));
        }
        self.insert(&path, entry, false, &path)
    }

    const fn moment(&self, state: State) -> Moment {
        Moment {
            state,
            now: self.overlay.now,
            east: self.overlay.east,
        }
    }
}
