//! Memories from their text, through the real store.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use memkeep::memory::{Memory, Timestamp};
use memkeep::retrieval::{Limits, Preview, Scorer, Snapshot, Task, Verdict};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use memkeep::systems::policy;

/// The clock of all tests.
pub const NOW: &str = "2026-02-01T12:00:00Z";

/// A memory to be written.
#[derive(Clone, Debug)]
pub struct Memo {
    lines: Vec<(&'static str, String)>,
    body: String,
}

/// A text as YAML, without a character that YAML might take for a line end.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A memory of high importance that matches `auth`, a week old and of nobody known.
pub fn memo(title: &str) -> Memo {
    let memo = Memo {
        lines: Vec::new(),
        body: "Body.".to_owned(),
    };
    memo.raw("title", quoted(title))
        .when(&["auth"])
        .importance("high")
        .raw("tags", "[]")
        .raw("discoveredAt", "2026-01-20T00:00:00Z")
        .raw("discoveredBy", "someone")
}

impl Memo {
    /// A field as YAML; an empty text takes it out.
    pub fn raw(mut self, key: &'static str, yaml: impl Into<String>) -> Self {
        self.lines.retain(|(name, _)| *name != key);
        let yaml = yaml.into();
        if !yaml.is_empty() {
            self.lines.push((key, yaml));
        }
        self
    }

    pub fn when(self, patterns: &[&str]) -> Self {
        let patterns: Vec<String> = patterns.iter().map(|pattern| quoted(pattern)).collect();
        self.raw("whenToUse", format!("[{}]", patterns.join(", ")))
    }

    pub fn importance(self, word: &str) -> Self {
        self.raw("importance", word)
    }

    pub fn tags(self, tags: &str) -> Self {
        self.raw("tags", format!("[{tags}]"))
    }

    pub fn at(self, date: &str) -> Self {
        self.raw("discoveredAt", date)
    }

    pub fn by(self, agent: &str) -> Self {
        self.raw("discoveredBy", agent)
    }

    pub fn body(mut self, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    pub fn text(&self) -> String {
        let lines = self.lines.iter();
        let front: String = lines
            .map(|(key, yaml)| format!("{key}: {yaml}\n"))
            .collect();
        format!("---\n{front}---\n\n{}\n", self.body)
    }
}

/// A store in a temporary folder.
pub struct World {
    pub collection: Collection,
    pub memories: Snapshot,
    _folder: tempfile::TempDir,
}

impl std::fmt::Debug for World {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = self.memories.iter();
        out.debug_map()
            .entries(all.map(|memory| (&memory.id.local, &memory.fields)))
            .finish()
    }
}

impl World {
    /// A store of these memories, with their names.
    pub fn of(memos: &[(&str, Memo)]) -> Self {
        let files: Vec<(&str, String)> = memos
            .iter()
            .map(|(name, memo)| (*name, memo.text()))
            .collect();
        Self::files(&files)
    }

    /// A store of files, with their names.
    pub fn files(files: &[(&str, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join(".rawko/memories");
        fs::create_dir_all(&store).unwrap();
        for (name, text) in files {
            let path = store.join(format!("{name}.md"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let (collection, memories) = load(folder.path());
        Self {
            collection,
            memories,
            _folder: folder,
        }
    }

    pub fn scorer(&self) -> Box<dyn Scorer> {
        policy("rawko").unwrap().scorer(self.memories.clone())
    }

    pub fn preview(&self, task: &Task, limits: &Limits) -> Preview {
        let scorer = self.scorer();
        Arc::unwrap_or_clone(scorer.preview(task, limits, None, &self.collection))
    }

    /// The local part of a verdict's memory.
    pub fn name(&self, verdict: &Verdict) -> String {
        self.memories[verdict.memory].id.local.to_string()
    }

    /// The verdict on a memory.
    pub fn verdict(&self, name: &str, task: &Task, limits: &Limits) -> Verdict {
        let preview = self.preview(task, limits);
        let mut all = preview.selected.into_iter().chain(preview.rejected);
        all.find(|verdict| self.name(verdict) == name).unwrap()
    }

    /// The names of the selected, in order.
    pub fn selected(&self, task: &Task, limits: &Limits) -> Vec<String> {
        let preview = self.preview(task, limits);
        preview
            .selected
            .iter()
            .map(|verdict| self.name(verdict))
            .collect()
    }
}

/// The rawko store below a root.
pub fn load(root: &Path) -> (Collection, Snapshot) {
    let search = Search {
        start: root.to_owned(),
        root: Some(root.to_owned()),
        paths: Vec::new(),
        format: None,
        only: vec!["rawko".to_owned()],
        ..Search::default()
    };
    let collection = Collection::open(&search, &root.join(".state")).unwrap();
    let memories: Vec<Arc<Memory>> = collection.load(&[], &mut |_| true).memories;
    (collection, Arc::new(memories))
}

/// A task for an agent.
pub fn task(text: &str, agent: &str) -> Task {
    Task {
        text: text.to_owned(),
        agent: agent.to_owned(),
        plan: None,
        history: None,
        files: Vec::new(),
        now: Timestamp::parse_iso(NOW).unwrap(),
    }
}

/// All that a dialect selects by default, and every verdict.
pub fn limits(dialect: &'static str) -> Limits {
    Limits {
        dialect,
        rejected: usize::MAX,
        ..Limits::default()
    }
}
