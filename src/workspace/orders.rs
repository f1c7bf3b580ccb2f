//! Orders of the terminal UI: reading, changing, undoing and committing, and the files to watch.

use std::any::Any;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;

use super::since::{self, RepositoryState};
use super::{Error, Workspace, settings};
use crate::app::history::State;
use crate::app::msg::{Answer, Change, Done, Failure, Look, Turn};
use crate::lint::{self, repository::Project as _};
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::project::git;
use crate::retrieval::Snapshot;
use crate::store::control::{self, Owner};
use crate::store::journal::Entry;
use crate::store::queue::Review;
use crate::store::{Loaded, StoreError};

/// Stores and repository as worker threads use them.
pub trait World: Send + Sync + 'static {
    /// Answers a question, in one piece or several.
    fn answer(&self, question: Box<dyn Any + Send>, turn: &Turn<'_>, tell: &mut dyn FnMut(Answer));
    /// Reads all stores; see [`crate::store::Store::load`].
    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded;
    /// Makes the many questions about a snapshot fast.
    fn index(&self, _memories: &Snapshot) {}
    /// Changes with lint's facts beside the memories: settings, decisions, commit, documents.
    fn decided(&self) -> u64 {
        0
    }
    /// Theme and keys as the files say them now, or the error of the first unusable file.
    fn look(&self) -> Result<Look, String> {
        Ok(Look::default())
    }
    /// Number of changes that wait for review; `None` if it is unknown.
    fn waiting(&self, _memories: &Snapshot) -> Option<usize> {
        None
    }
    /// Commits the staged changes of the stores; returns the commit in words.
    fn commit(&self, _message: &str) -> Result<String, Failure> {
        Ok("nothing is staged".to_owned())
    }
    /// Makes a change.
    fn apply(&self, change: &Change, memories: &Snapshot) -> Result<Done, Failure>;
    /// Journals an editor's change of a file that had these bytes; none if it changed nothing.
    fn edited(&self, _path: &Path, _before: &[u8]) -> Result<Option<Done>, Failure> {
        Ok(None)
    }
    /// Writes a theme into the user's configuration and reports the result.
    fn keep_theme(&self, name: &str) -> String {
        format!("the theme {name} is not kept: there is no configuration")
    }
    /// The person's theme files: their paths and texts.
    fn themes(&self) -> Vec<(PathBuf, String)> {
        Vec::new()
    }
    /// Undoes the last change.
    fn undo(&self) -> Result<Done, Failure>;
    /// Undoes the last decision on a memory in the review.
    fn undo_decision(&self, _id: &MemoryId) -> Result<Done, Failure> {
        self.undo()
    }
    /// Makes the last undone change again.
    fn redo(&self) -> Result<Done, Failure>;
    /// The folders to watch, each with what lies below it or not.
    fn folders(&self) -> Vec<(PathBuf, bool)>;
    /// The state of the repository around these memories.
    fn git(&self, memories: &Snapshot) -> RepositoryState;
    /// When the files of memories without a date were last committed.
    fn dates(&self, _memories: &Snapshot) -> HashMap<PathBuf, Timestamp> {
        HashMap::new()
    }
}

impl Workspace {
    /// Every change of the journal, newest first, undone ones too.
    pub fn journal(&self) -> Result<Vec<(Entry, State)>, Error> {
        let all = self.collection.history()?;
        let kinds = [
            (all.applied, State::Done),
            (all.undone, State::Undone),
            (all.dropped, State::Dropped),
        ];
        let all = kinds.into_iter().flat_map(|(entries, state)| {
            let entries = entries.into_iter();
            entries.map(move |entry| (entry, state))
        });
        let newest_first = |(entry, _): &(Entry, State)| Reverse((entry.time, entry.seq));
        Ok(all.sorted_by_key(newest_first).collect())
    }

    fn decisions(&self) -> Vec<PathBuf> {
        let root = &self.collection.root;
        let files = settings::files(self.options.config.as_deref(), root);
        let files = files.into_iter().map(|file| file.path);
        [control::decisions(root)]
            .into_iter()
            .chain(files)
            .collect()
    }

    /// Manifests and documents at the root that lint compares with; deeper ones come with commits.
    fn manifest_paths(&self) -> impl Iterator<Item = PathBuf> {
        let root = &self.collection.root;
        let tree = git::tree(root).unwrap_or(root);
        lint::files().map(|name| tree.join(name))
    }

    /// The memory to stay on after a change: the one that has another name now, or was not there.
    fn follow(&self, change: &Change, memories: &Snapshot) -> Option<MemoryId> {
        match change {
            Change::Rename { id, to, .. } => {
                Some(MemoryId::new(&id.store, to.trim_end_matches(".md")))
            }
            Change::Add { .. } => {
                let known: HashSet<&MemoryId> = memories.iter().map(|memory| &memory.id).collect();
                let after = self.collection.load(memories, &mut |_| true).memories;
                let mut ids = after.iter().map(|memory| &memory.id);
                ids.find(|id| !known.contains(id)).cloned()
            }
            _ => None,
        }
    }
}

impl World for Workspace {
    fn answer(&self, question: Box<dyn Any + Send>, turn: &Turn<'_>, tell: &mut dyn FnMut(Answer)) {
        self.answer_any(question, turn, tell);
    }

    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded {
        self.collection.look_again();
        self.collection.load(known, emit)
    }

    fn index(&self, memories: &Snapshot) {
        self.index_snapshot(memories);
    }

    fn keep_theme(&self, name: &str) -> String {
        settings::keep_theme(name)
    }

    fn look(&self) -> Result<Look, String> {
        let (above, root) = (self.environment.clone(), &self.collection.root);
        let read = settings::read(above, self.options.config.as_deref(), root);
        let layers = read.map_err(|error| error.in_a_line())?;
        match layers.errors.first() {
            Some(error) => Err(format!("{}: {error}", error.place())),
            None => Ok(Look {
                theme: layers.settings.theme,
                keys: layers.settings.keys,
            }),
        }
    }

    fn themes(&self) -> Vec<(PathBuf, String)> {
        settings::theme_files()
    }

    fn decided(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for path in self.decisions().into_iter().chain(self.manifest_paths()) {
            let bytes = control::bytes(&path, Owner::Person, control::LARGEST_GROWING);
            bytes.ok().flatten().hash(&mut hasher);
        }
        git::stamp(&self.collection.root).hash(&mut hasher);
        hasher.finish()
    }

    fn waiting(&self, memories: &Snapshot) -> Option<usize> {
        let waiting = Review::waiting(&self.collection, memories);
        Some(waiting.ok()?.len())
    }

    fn commit(&self, message: &str) -> Result<String, Failure> {
        let memories = Arc::new(self.collection.load(&[], &mut |_| true).memories);
        let wrong = |error: StoreError| no_answer(error.to_string(), None);
        let review = Review::open(&self.collection, "HEAD", &memories).map_err(wrong)?;
        let refused = |error: StoreError| {
            let why = error.to_string();
            let lines = why.lines().map(str::trim);
            let why = lines.filter(|line| !line.is_empty()).join("; ");
            no_answer(format!("nothing is committed: {why}"), None)
        };
        let done = review.commit(message, true).map_err(refused)?;
        let first = message.lines().next().unwrap_or_default();
        match done.into_iter().map(|(_, name)| name).join(", ") {
            none if none.is_empty() => Err(no_answer("nothing is staged".to_owned(), None)),
            names => Ok(format!("committed {names}: {first}")),
        }
    }

    fn apply(&self, change: &Change, memories: &Snapshot) -> Result<Done, Failure> {
        let done = self.collection.change(change, memories, self.clock());
        let done = done.map_err(|error| {
            let ids = || change.ids().into_iter().cloned().collect();
            let doubtful = matches!(error, StoreError::Doubtful(_));
            Failure {
                doubtful: doubtful.then(|| (change.action(), ids())),
                ..failure(error)
            }
        })?;
        Ok(Done {
            title: match change.is_over_still(memories, self.clock()) {
                Some(still) => format!("{}; {still}", done.title),
                None => done.title,
            },
            follow: self.follow(change, memories),
        })
    }

    fn edited(&self, path: &Path, before: &[u8]) -> Result<Option<Done>, Failure> {
        let done = self.collection.edited(path, before, self.clock());
        Ok(done.map_err(failure)?.map(|done| Done {
            title: done.title,
            follow: None,
        }))
    }

    fn undo(&self) -> Result<Done, Failure> {
        step(self.collection.undo(), "undone", "undo")
    }

    fn undo_decision(&self, id: &MemoryId) -> Result<Done, Failure> {
        step(self.collection.undo_decision(id), "undone", "undo")
    }

    fn redo(&self) -> Result<Done, Failure> {
        step(self.collection.redo(), "done again", "redo")
    }

    fn folders(&self) -> Vec<(PathBuf, bool)> {
        let stores = self.collection.stores.iter();
        let mut watched: Vec<(PathBuf, bool)> = stores.flat_map(|store| store.watch()).collect();
        // A store may appear where one was looked for.
        watched.extend(self.collection.may_appear());
        watched.extend(git::folders(&self.collection.root));
        let decisions = self.decisions();
        let mut folders: Vec<_> = decisions.iter().filter_map(|path| path.parent()).collect();
        folders.dedup();
        let themes = settings::themes_folder();
        folders.extend(themes.as_deref());
        let shared = self.collection.root.join(control::SHARED);
        // The team's folder may come; a user without settings is not waited for.
        folders.retain(|folder| *folder == shared || folder.is_dir());
        watched.extend(folders.into_iter().map(|folder| (folder.to_owned(), false)));
        watched.extend(self.manifest_paths().map(|path| (path, false)));
        watched
    }

    fn git(&self, memories: &Snapshot) -> RepositoryState {
        since::repository_state(&self.collection, memories)
    }

    fn dates(&self, memories: &Snapshot) -> HashMap<PathBuf, Timestamp> {
        let facts = self.logs.facts(&self.collection.root);
        let undated = memories.iter().filter(|memory| memory.written().is_none());
        let dated = undated.filter_map(|memory| {
            let commit = facts.history().ok()?.last_commit(&memory.path)?;
            let time = Timestamp(commit.time.saturating_mul(1000));
            Some((memory.path.to_path_buf(), time))
        });
        dated.collect()
    }
}

pub(super) const fn no_answer(what: String, hint: Option<String>) -> Failure {
    Failure {
        what,
        hint,
        changed: false,
        doubtful: None,
    }
}

fn step(entry: Result<Option<Entry>, StoreError>, done: &str, verb: &str) -> Result<Done, Failure> {
    match entry {
        Ok(Some(entry)) => Ok(Done {
            title: format!("{done}: {}", title(&entry)),
            follow: None,
        }),
        Ok(None) => Err(no_answer(format!("nothing to {verb}"), None)),
        Err(error) => {
            let changed = matches!(error, StoreError::Changed(_));
            let hint = "another program wrote in the same place; nothing was written".to_owned();
            let failure = failure(error);
            Err(Failure {
                hint: Some(hint).filter(|_| changed).or(failure.hint),
                ..failure
            })
        }
    }
}

/// A store's error with its hint.
pub(super) fn failure(error: StoreError) -> Failure {
    let hint = match &error {
        StoreError::Changed(_) => Some("look at both and choose; nothing was written"),
        StoreError::Locked(_) | StoreError::Busy(_) => Some("try again; nothing was written"),
        StoreError::Exists(_) => Some("choose another name"),
        _ => None,
    };
    Failure {
        changed: matches!(error, StoreError::Changed(_)),
        ..no_answer(error.to_string(), hint.map(str::to_owned))
    }
}

pub const NOTHING: &str = "all stands that way already: nothing was written";

pub fn title(entry: &Entry) -> String {
    let mut all = vec![entry.plan.title.as_str()];
    all.extend(entry.stood.then_some(NOTHING));
    all.extend(entry.away.iter().map(String::as_str));
    all.join(" · ")
}
