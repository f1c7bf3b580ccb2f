//! Answers the questions of the terminal UI.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::history::title;
use super::lint::Basis;
use super::review::tell_queue;
use super::{Workspace, clock, model, promotion, settings, since, theme};
use crate::app::convert::Way;
use crate::app::history::Made;
use crate::app::msg::{Asked, Change, Failure};
use crate::app::review::Queue;
use crate::curate::Version;
use crate::lint::{self, Digest};
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::project::git;
use crate::retrieval::expect::TaskSuite;
use crate::retrieval::{Scorer, Snapshot, Texts};
use crate::run::world::{Done, Facts, Searcher, World};
use crate::search::filter::Reads;
use crate::search::query::Marks;
use crate::search::{Haystacks, Hit, Query, filter};
use crate::store::control::{self, Owner};
use crate::store::review::{Review, ReviewError};
use crate::store::{Loaded, StoreError, shared};

/// Findings of one rule that the screen lists; a person reads no more.
const MOST_LISTED: usize = 500;

impl Workspace {
    /// The files that say what lint goes by.
    fn decisions(&self) -> Vec<PathBuf> {
        let root = &self.collection.root;
        let own = [shared::ANSWERS, shared::BASELINE].map(|name| shared::path(root, name));
        own.into_iter()
            .chain(settings::files(self.options.config.as_deref(), root))
            .collect()
    }

    /// The manifests and documents at the root that lint holds memories against. Those further
    /// down are known to git alone, and are read with the next commit.
    fn said_elsewhere(&self) -> impl Iterator<Item = PathBuf> {
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
    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded {
        self.collection.look_again();
        self.collection.load(known, emit)
    }

    fn keep_theme(&self, name: &str) -> String {
        theme::keep(name)
    }

    fn texts(&self) -> &dyn Texts {
        &self.collection
    }

    fn text(&self, memory: &Memory) -> Result<String, String> {
        let store = self
            .collection
            .store_of(&memory.id)
            .ok_or("its store is gone")?;
        match store.text(memory) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn versions(&self, memory: &Arc<Memory>) -> Result<Vec<Version>, String> {
        let versions = self
            .collection
            .versions(&memory.id, std::slice::from_ref(memory));
        let mut all = versions.map_err(|error| error.to_string())?;
        for version in &mut all {
            for text in [&mut version.text, &mut version.before, &mut version.subject] {
                *text = lint::mask(text).into();
            }
        }
        Ok(all)
    }

    fn changes(&self) -> Result<Vec<Made>, String> {
        let all = self.journal().map_err(|error| error.in_a_line())?;
        let made = all.into_iter().map(|(entry, state)| Made {
            seq: entry.seq,
            time: Timestamp(entry.time),
            title: lint::mask(&entry.plan.title).into_owned(),
            state,
        });
        Ok(made.collect())
    }

    fn archived(&self, memories: &Snapshot) -> HashMap<MemoryId, (Timestamp, String)> {
        let memories = memories.iter().map(|memory| &**memory);
        self.collection.archived(memories)
    }

    fn candidates(&self, memories: &Snapshot) -> Vec<Way> {
        promotion::rows(self.promotable(memories), memories)
    }

    fn searcher(&self, memories: &Snapshot) -> Box<dyn Searcher> {
        let haystacks = Haystacks::build(memories);
        Box::new(DeskSearcher {
            memories: memories.clone(),
            haystacks,
            now: self.options.now,
        })
    }

    fn scorer(&self, memories: &Snapshot) -> Box<dyn Scorer> {
        Box::new(Self::scorer(self, memories))
    }

    fn decided(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for path in self.decisions().into_iter().chain(self.said_elsewhere()) {
            let bytes = control::bytes(&path, Owner::Person, control::LARGEST_GROWING);
            bytes.ok().flatten().hash(&mut hasher);
        }
        git::stamp(&self.collection.root).hash(&mut hasher);
        hasher.finish()
    }

    fn script(&self) -> Result<TaskSuite, String> {
        self.task_suite(self.clock())
            .map_err(|error| error.in_a_line())
    }

    fn lint(&self, memories: &Snapshot) -> Digest {
        let basis = Basis::new(&self.collection, &self.settings_now().lint);
        let facts = self.lint_facts(self.clock());
        let cx = facts.context(&basis, memories, &self.collection);
        let cache = &mut self.lint_cache.lock();
        let cache = cache.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
        let mut digest = lint::digest_again(&cx, &basis.rules(), MOST_LISTED, cache);
        let unplayed = facts.notes.iter().map(|message| lint::Note {
            rule: "never-selected",
            message: message.clone(),
        });
        // First, for it is a person's mistake and the others are mostly the repository's nature.
        digest.notes.splice(0..0, unplayed);
        digest
    }

    fn ask(
        &self,
        memories: &Snapshot,
        send: bool,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(String),
    ) -> Result<Asked, Failure> {
        let (now, all) = (self.clock(), self.settings_now());
        let settings = &all.model;
        let basis = Basis::new(&self.collection, &all.lint);
        let facts = self.lint_facts(now);
        let command = match model::refusal(settings) {
            Some(error) => return Err(no_answer(error.in_a_line(), None)),
            None => model::runnable(settings),
        };
        let plan = model::plan(self, (&basis, &facts), memories, settings, now);
        let Some(command) = command.filter(|_| !plan.requests.is_empty()) else {
            return Ok(Asked::Nothing(model::nothing(&plan)));
        };
        if !send {
            return Ok(Asked::Size(model::size(&plan, Some(&command.name))));
        }
        let sent = model::send(self, &plan, &command, (stop, now), tell)
            .map_err(|error| no_answer(error.in_a_line(), None))?;
        let judged = sent.summary(&command.name);
        match sent.failed {
            Some(failed) => Err(no_answer(failed, Some(judged))),
            None => Ok(Asked::Judged(judged)),
        }
    }

    fn review(&self, memories: &Snapshot, tell: &mut dyn FnMut(Result<Queue, String>)) {
        tell_queue(self, memories, tell);
    }

    fn waiting(&self, memories: &Snapshot) -> Option<usize> {
        Review::count_waiting(&self.collection, memories).ok()
    }

    fn commit(&self, message: &str) -> Result<String, Failure> {
        let memories = Arc::new(self.collection.load(&[], &mut |_| true).memories);
        let wrong = |error: ReviewError| no_answer(error.to_string(), None);
        let review = Review::open(&self.collection, "HEAD", &memories).map_err(wrong)?;
        let refused = |error: StoreError| {
            let said = error.to_string();
            let lines: Vec<&str> = said.lines().map(str::trim).collect();
            no_answer(format!("nothing is committed: {}", lines.join("; ")), None)
        };
        let done = review.commit(message, true).map_err(refused)?;
        let first = message.lines().next().unwrap_or_default();
        let names: Vec<String> = done.into_iter().map(|(_, name)| name).collect();
        match names.is_empty() {
            true => Err(no_answer("nothing is staged".to_owned(), None)),
            false => Ok(format!("committed {}: {first}", names.join(", "))),
        }
    }

    fn diff(&self, change: &Change, memories: &Snapshot) -> Result<(String, usize), Failure> {
        let plan = self
            .collection
            .preview(change, memories, self.clock())
            .map_err(failure)?;
        // What goes with it is known before it is made.
        let mut text = String::new();
        for note in &plan.notes {
            text.push_str(note);
            text.push_str("\n\n");
        }
        text.push_str(&String::from_utf8_lossy(&self.diff(&plan)));
        Ok((text, plan.mentions.len()))
    }

    fn apply(&self, change: &Change, memories: &Snapshot) -> Result<Done, Failure> {
        let done = self
            .collection
            .change(change, memories, self.clock())
            .map_err(|error| {
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
        let done = done.map_err(failure)?;
        Ok(done.map(|done| Done {
            title: done.title,
            follow: None,
        }))
    }

    fn undo(&self, seq: Option<u64>) -> Result<Done, Failure> {
        let collection = &self.collection;
        let entry = match seq {
            Some(seq) => collection.undo_one(seq),
            None => collection.undo(),
        };
        let entry = entry.map_err(in_the_way)?;
        let entry = entry.ok_or_else(|| nothing("undo"))?;
        Ok(Done {
            title: format!("undone: {}", title(&entry)),
            follow: None,
        })
    }

    fn redo(&self) -> Result<Done, Failure> {
        let entry = self.collection.redo().map_err(in_the_way)?;
        let entry = entry.ok_or_else(|| nothing("redo"))?;
        Ok(Done {
            title: format!("done again: {}", title(&entry)),
            follow: None,
        })
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
        let shared = shared::folder(&self.collection.root);
        // The team's folder may come; a user without settings is not waited for.
        folders.retain(|folder| *folder == shared || folder.is_dir());
        watched.extend(folders.into_iter().map(|folder| (folder.to_owned(), false)));
        watched.extend(self.said_elsewhere().map(|path| (path, false)));
        watched
    }

    fn git(&self, memories: &Snapshot) -> Facts {
        since::facts(&self.collection, memories)
    }
}

/// Why a model did not answer.
const fn no_answer(what: String, hint: Option<String>) -> Failure {
    Failure {
        what,
        hint,
        changed: false,
        doubtful: None,
    }
}

fn nothing(verb: &str) -> Failure {
    Failure {
        what: format!("nothing to {verb}"),
        hint: None,
        changed: false,
        doubtful: None,
    }
}

/// Why a step was not taken back, or made again.
fn in_the_way(error: StoreError) -> Failure {
    let changed = matches!(error, StoreError::Changed(_));
    let hint = || "another program wrote in the same place; nothing was written".to_owned();
    let failure = failure(error);
    Failure {
        hint: if changed { Some(hint()) } else { failure.hint },
        ..failure
    }
}

/// An error as the person is told it.
fn failure(error: StoreError) -> Failure {
    let changed = matches!(error, StoreError::Changed(_));
    let hint = match &error {
        StoreError::Changed(_) => Some("look at both and choose; nothing was written".to_owned()),
        StoreError::Locked(_) | StoreError::Busy(_) => {
            Some("try again; nothing was written".to_owned())
        }
        StoreError::Exists(_) => Some("choose another name".to_owned()),
        _ => None,
    };
    Failure {
        what: error.to_string(),
        hint,
        changed,
        doubtful: None,
    }
}

struct DeskSearcher {
    memories: Snapshot,
    haystacks: Haystacks,
    now: Option<crate::memory::Timestamp>,
}

impl Searcher for DeskSearcher {
    fn filter(
        &self,
        query: &Query,
        marks: &[Marks],
        within: Option<&[u32]>,
        reads: Reads<'_>,
    ) -> Vec<Hit> {
        let now = self.now.unwrap_or_else(clock);
        let (memories, haystacks) = (&self.memories, &self.haystacks);
        filter(memories, haystacks, marks, query, now, within, reads)
    }
}
