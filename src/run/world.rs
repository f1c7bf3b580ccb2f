//! What the loop needs of the world and of the program: the seams to the stores on one side and
//! to the model and its view on the other.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::convert::Way;
use crate::app::history::Made;
use crate::app::msg::{Asked, Change, Effect, Failure, Msg};
use crate::app::review::Queue;
use crate::curate::Version;
use crate::lint::Digest;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::retrieval::expect::TaskSuite;
use crate::retrieval::{Scorer, Snapshot, Texts};
use crate::search::Hit;
use crate::search::filter::Reads;
use crate::search::query::{Marks, Query};
use crate::store::Loaded;

/// The program as the loop sees it: pure, on the loop's own thread.
pub trait Program {
    /// What is to be done once the first frame stands.
    fn start(&mut self) -> Vec<Effect> {
        vec![Effect::Load]
    }
    /// Takes a message in.
    fn update(&mut self, msg: Msg) -> Vec<Effect>;
    /// Draws; answers where the cursor stands, where one is shown.
    fn view(&self, area: Rect, buffer: &mut Buffer) -> Option<Position>;
}

/// Stores and repository, asked from worker threads.
pub trait World: Send + Sync + 'static {
    /// Reads all stores; see [`crate::store::Store::load`].
    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded;
    /// Reads texts of memories.
    fn texts(&self) -> &dyn Texts;
    /// The whole text of a memory as it stands in the file now, or why it cannot be read.
    fn text(&self, memory: &Memory) -> Result<String, String>;
    /// The versions of a memory, newest first, or why there are none.
    fn versions(&self, memory: &Arc<Memory>) -> Result<Vec<Version>, String> {
        let _ = memory;
        Ok(Vec::new())
    }
    /// The changes that were made, newest first, or why they cannot be read.
    fn changes(&self) -> Result<Vec<Made>, String> {
        Ok(Vec::new())
    }
    /// When archived memories were archived, and by which change, where that is known.
    fn archived(&self, _memories: &Snapshot) -> HashMap<MemoryId, (Timestamp, String)> {
        HashMap::new()
    }
    /// The memories that can be promoted, the ready ones first.
    fn candidates(&self, _memories: &Snapshot) -> Vec<Way> {
        Vec::new()
    }
    /// What filters a snapshot; made once for each.
    fn searcher(&self, memories: &Snapshot) -> Box<dyn Searcher>;
    /// What scores a snapshot; made once for each, and indexed in the background.
    fn scorer(&self, memories: &Snapshot) -> Box<dyn Scorer>;
    /// A number that changes with what lint goes by beside the memories: settings, answers, the
    /// baseline, the last commit, manifests and documents.
    fn decided(&self) -> u64 {
        0
    }
    /// The tasks that the team wrote down, and how the stores decide; or why they cannot be read.
    fn script(&self) -> Result<TaskSuite, String> {
        Ok(TaskSuite::default())
    }
    /// What lint finds.
    fn lint(&self, memories: &Snapshot) -> Digest;
    /// Asks a model about these memories, or only says how much would be sent. `stop` ends it, and
    /// what is being sent is told.
    fn ask(
        &self,
        memories: &Snapshot,
        send: bool,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(String),
    ) -> Result<Asked, Failure> {
        let _ = (memories, send, stop, tell);
        Ok(Asked::Nothing("there is no model to ask".to_owned()))
    }
    /// Compares memories with the last commit; tells the queue as soon as it is known, and again
    /// with what each entry does.
    fn review(&self, memories: &Snapshot, tell: &mut dyn FnMut(Result<Queue, String>)) {
        let _ = memories;
        tell(Ok(Queue::default()));
    }
    /// Number of changes that wait for review; `None` if it is unknown.
    fn waiting(&self, _memories: &Snapshot) -> Option<usize> {
        None
    }
    /// Commits what is staged of the stores; what was committed, in words.
    fn commit(&self, message: &str) -> Result<String, Failure> {
        let _ = message;
        Ok("nothing is staged".to_owned())
    }
    /// What a change would change, as a unified diff, and the number of places that would go on
    /// mentioning a name that is lost; nothing is made.
    fn diff(&self, change: &Change, memories: &Snapshot) -> Result<(String, usize), Failure>;
    /// Makes a change.
    fn apply(&self, change: &Change, memories: &Snapshot) -> Result<Done, Failure>;
    /// Remembers what an editor made of a file that had these bytes before; none where nothing.
    fn edited(&self, _path: &Path, _before: &[u8]) -> Result<Option<Done>, Failure> {
        Ok(None)
    }
    /// Writes a theme into the user's configuration and reports the result.
    fn keep_theme(&self, name: &str) -> String {
        format!("the theme {name} is not kept: there is no configuration")
    }
    /// Takes a change back by its number, or the last one.
    fn undo(&self, seq: Option<u64>) -> Result<Done, Failure>;
    /// Makes the last undone change again.
    fn redo(&self) -> Result<Done, Failure>;
    /// The folders to watch, each with what lies below it or not.
    fn folders(&self) -> Vec<(PathBuf, bool)>;
    /// Facts about the repository around these memories.
    fn git(&self, memories: &Snapshot) -> Facts;
}

/// What a change did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// In the past tense: `archived 3 memories`.
    pub title: String,
    /// The memory to stay on or go to.
    pub follow: Option<MemoryId>,
}

/// Facts about the repository around the stores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    /// `main ↑2`, where there is a repository.
    pub head: Option<String>,
    /// Files that are new or changed since the last commit, absolute.
    pub changed: Vec<PathBuf>,
    /// Memories of these files that are as the last commit has them.
    pub same: Vec<MemoryId>,
    /// Says which files may have changed or not, and why that is unknown.
    pub unknown: Option<String>,
}

/// Filters one snapshot.
pub trait Searcher: Send {
    /// The rows that match, best first.
    fn filter(
        &self,
        query: &Query,
        marks: &[Marks],
        within: Option<&[u32]>,
        reads: Reads<'_>,
    ) -> Vec<Hit>;
}
