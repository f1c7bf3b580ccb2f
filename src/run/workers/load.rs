//! Reading the stores, and telling where something changed.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{Out, Slot, lock};
use crate::app::msg::{Look, Msg};
use crate::retrieval::Snapshot;
use crate::workspace::orders::World;

/// Rows of the first load that are sent at once, and how long fewer wait for others: the list is
/// arranged anew each time, and thousands of small stores would keep it from answering keys.
const PIECE: usize = 1024;
const PAUSE: Duration = Duration::from_millis(50);

/// The stores when they were last read.
#[derive(Default)]
pub(super) struct Known {
    memories: Snapshot,
    problems: Vec<String>,
    /// True once they were read.
    complete: bool,
    /// The number of lint's facts beside them.
    decided: u64,
    /// Theme and keys of the settings.
    look: Option<Result<Look, String>>,
    /// The person's theme files.
    themes: Vec<(PathBuf, String)>,
}

/// Reads the stores, one reading at a time, and tells where something changed.
pub struct Loader {
    pub world: Arc<dyn World>,
    pub(super) out: Out,
    pub(super) known: Mutex<Known>,
    pub(super) git: Slot<Snapshot>,
    pub(super) index: Slot<Snapshot>,
}

impl Loader {
    pub(super) fn snapshot(&self) -> Snapshot {
        lock(&self.known).memories.clone()
    }

    pub(super) fn load(&self) {
        let mut known = lock(&self.known);
        let stream = !known.complete;
        let mut waiting = Vec::new();
        let mut sent: Option<Instant> = None;
        let loaded = self.world.load(&known.memories, &mut |rows| {
            if !stream {
                return true;
            }
            waiting.extend_from_slice(rows);
            if sent.is_some_and(|sent| waiting.len() < PIECE && sent.elapsed() < PAUSE) {
                return true;
            }
            sent = Some(Instant::now());
            self.out.send(Msg::Rows(std::mem::take(&mut waiting)))
        });
        let same = known.complete
            && known.problems == loaded.problems
            && *known.memories == loaded.memories;
        let decided = self.world.decided();
        let other = std::mem::replace(&mut known.decided, decided) != decided;
        if other {
            let look = self.world.look();
            let before = known.look.replace(look.clone());
            if before.is_some_and(|before| before != look) {
                self.out.send(Msg::Settings(look));
            }
        }
        // With other memories lint runs anyway.
        if same && other {
            self.out.send(Msg::Decided);
        }
        if !same {
            let memories: Snapshot = Arc::new(loaded.memories);
            known.memories = memories.clone();
            known.problems.clone_from(&loaded.problems);
            known.complete = true;
            self.out.send(Msg::Snapshot {
                memories: memories.clone(),
                problems: loaded.problems,
            });
            self.index.submit(memories);
        }
        let themes = self.world.themes();
        if known.themes != themes {
            known.themes.clone_from(&themes);
            self.out.send(Msg::Themes(themes));
        }
        // A commit changes what is new without changing a memory.
        self.git.submit(known.memories.clone());
    }
}

/// Starts the thread that asks the repository for changes, and counts those that wait for review.
pub(super) fn git(world: &Arc<dyn World>, out: &Out) -> io::Result<Slot<Snapshot>> {
    let (world, out) = (Arc::clone(world), out.clone());
    // As a number: of a store that was never committed they name every file.
    let mut last: Option<u64> = None;
    let mut told = None;
    Slot::start("git", move |memories: Snapshot| {
        let facts = world.git(&memories);
        if facts.unknown != told {
            told.clone_from(&facts.unknown);
            let notice = facts.unknown.clone();
            notice.map(|notice| out.send(Msg::Notice(notice)));
        }
        let mut hasher = DefaultHasher::new();
        facts.hash(&mut hasher);
        if last.replace(hasher.finish()) != Some(hasher.finish()) {
            out.send(Msg::Git(facts.head, facts.news));
            out.send(Msg::Dates(world.dates(&memories)));
        }
        if let Some(count) = world.waiting(&memories) {
            out.send(Msg::Waiting(count));
        }
    })
}
