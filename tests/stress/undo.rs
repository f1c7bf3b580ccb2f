//! Random changes of stores of many formats, with undo, redo and the undoing of earlier changes
//! mixed in. A call makes its step or changes nothing, none of them takes memkeep's own writes for
//! those of another program, and undoing everything gives the first bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::curate::Change;
use memkeep::curate::change::Destination;
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Memory, MemoryId, State, Timestamp, Value};
use memkeep::retrieval::Texts as _;
use memkeep::store::StoreError;
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use tempfile::TempDir;

use crate::ground::{GOLEMCORE, NOW, RALPH, RAWKO, RUM, database, files_and_rows, sound};
use crate::killing::Numbers;

/// Operations of a sequence.
const LENGTH: u64 = 200;

const CLAUDE: [(&str, &str); 5] = [
    (
        ".claude/memory/MEMORY.md",
        "# Memory\n\n- [n1](n1.md) – the first note\n- [n2](n2.md) – the second note\n- [n3](n3.md) – the third note\n",
    ),
    (
        ".claude/memory/n1.md",
        "---\nname: n1\ndescription: the first note\n---\n\nTests need Postgres; see [[n2]].\n",
    ),
    (
        ".claude/memory/n2.md",
        "---\nname: n2\ndescription: the second note\n---\n\nRelease on Mondays.\n",
    ),
    (
        ".claude/memory/n3.md",
        "---\nname: n3\ndescription: the third note\n---\n\nSee [[n1]] and [[n2]].\n",
    ),
    (
        ".claude/memory/archive/n4.md",
        "---\nname: n4\n---\n\nOld.\n",
    ),
];
const SERENA: [(&str, &str); 3] = [
    (
        ".serena/memories/build.md",
        "# Build\n\nRun make; see mem:style.\n",
    ),
    (".serena/memories/style.md", "# Style\n\nTabs.\n"),
    (
        ".serena/memories/api/errors.md",
        "# Errors\n\nSee mem:build.\n",
    ),
];
const CURSOR: [(&str, &str); 2] = [
    (
        ".cursor/rules/a.mdc",
        "---\ndescription: Rust\nglobs: *.rs\nalwaysApply: false\n---\n\nNo unwrap.\n",
    ),
    (
        ".cursor/rules/b.mdc",
        "---\ndescription: Docs\nglobs: *.md\nalwaysApply: false\n---\n\nShort sentences.\n",
    ),
];
const BANK: [(&str, &str); 2] = [
    ("memory-bank/progress.md", "# Progress\n\nDone: login.\n"),
    (
        "memory-bank/notes.md",
        "# Notes\n\nSee [progress](progress.md).\n",
    ),
];
/// The last row has no line end.
const ROWS: [(&str, &str); 2] = [
    GOLEMCORE[0],
    (
        "memory/items/procedural.jsonl",
        "{\"id\":\"p\",\"layer\":\"PROCEDURAL\",\"type\":\"FIX\",\"title\":\"P\",\"content\":\"Restart it.\",\"createdAt\":\"2026-01-10T00:00:00Z\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}",
    ),
];

/// The files of the stores of a project.
type Files = &'static [(&'static str, &'static str)];

/// Projects, and whether they have a database too.
const PROJECTS: [(&str, &[Files], bool); 9] = [
    ("rawko", &[&RAWKO], false),
    ("ralph", &[&RALPH], false),
    ("golemcore", &[&ROWS], false),
    ("rum", &[], true),
    ("claude", &[&CLAUDE], false),
    ("serena", &[&SERENA], false),
    ("cursor", &[&CURSOR], false),
    ("memory bank", &[&BANK], false),
    ("all", &[&RAWKO, &RALPH, &ROWS, &CLAUDE, &SERENA], true),
];

/// How many calls were made, refused, and steps of earlier changes made and refused.
#[derive(Debug, Default)]
struct Count {
    made: u64,
    refused: u64,
    earlier: u64,
    in_the_way: u64,
    /// Why steps were refused.
    why: BTreeMap<String, u64>,
}

/// A project in a temporary folder.
struct Project {
    dir: TempDir,
    numbers: Numbers,
    now: Timestamp,
    /// The ids of memories that were deleted.
    deleted: Vec<MemoryId>,
    /// What was done so far.
    log: Vec<String>,
}

/// So many sequences.
pub fn run(rounds: u64, seed: u64) {
    let mut count = Count::default();
    for round in 0..rounds {
        let at = usize::try_from(round).unwrap() % PROJECTS.len();
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(round);
        Project::new(at, seed).sequence(PROJECTS[at].0, &mut count);
    }
    let Count {
        made,
        refused,
        earlier,
        in_the_way,
        why,
    } = count;
    println!(
        "{rounds} sequences: {made} calls made, {refused} refused; earlier changes undone {earlier} times, refused {in_the_way} times"
    );
    if std::env::var_os("MEMKEEP_WHY").is_some() {
        println!("{why:#?}");
    }
}

impl Project {
    fn new(at: usize, seed: u64) -> Self {
        let memory = Path::new("/dev/shm");
        let dir = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let project = Self {
            dir: dir.unwrap(),
            numbers: Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            now: NOW,
            deleted: Vec::new(),
            log: Vec::new(),
        };
        let (_, files, has_rows) = PROJECTS[at];
        for (name, text) in files.iter().copied().flatten() {
            let path = project.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        if has_rows {
            fs::create_dir_all(project.root()).unwrap();
            database(&project.root()).execute_batch(RUM).unwrap();
        }
        project
    }

    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("p")
    }

    fn open(&self) -> Collection {
        let search = Search {
            start: self.root(),
            root: Some(self.root()),
            ..Search::default()
        };
        let mut collection = Collection::open(&search, &self.dir.path().join("state")).unwrap();
        collection.journals.disk = sound();
        collection
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.numbers.below(u64::try_from(end).unwrap())).unwrap()
    }

    /// Every file, folder, link and row. A row that comes back may stand elsewhere in its table.
    fn snapshot(&self) -> BTreeMap<String, String> {
        let mut all = files_and_rows(&self.root());
        if let Some(rows) = all.get_mut("rows") {
            let mut lines: Vec<&str> = rows.lines().collect();
            lines.sort_unstable();
            *rows = lines.join("\n");
        }
        all
    }

    fn sequence(mut self, name: &str, count: &mut Count) {
        let first = self.snapshot();
        for _ in 0..LENGTH {
            self.one(name, count);
        }
        // One by one back to the beginning.
        loop {
            let undone = self.open().undo();
            self.log.push("undo".to_owned());
            match undone {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => panic!("{name}: stuck: {error}\n{}", self.log.join("\n")),
            }
        }
        let last = self.snapshot();
        self.compare(name, &first, &last);
        assert_eq!(self.open().applied().unwrap().len(), 0);
    }

    fn compare(
        &self,
        name: &str,
        wanted: &BTreeMap<String, String>,
        is: &BTreeMap<String, String>,
    ) {
        let differ = wanted
            .iter()
            .filter(|(key, text)| is.get(*key) != Some(*text));
        let differ: Vec<_> = differ.map(|(key, text)| (key, text, is.get(key))).collect();
        let more: Vec<_> = is.keys().filter(|key| !wanted.contains_key(*key)).collect();
        assert!(
            differ.is_empty() && more.is_empty(),
            "{name}: {differ:#?}, more: {more:?}\n{}",
            self.log.join("\n")
        );
    }

    /// One random operation.
    fn one(&mut self, name: &str, count: &mut Count) {
        let collection = self.open();
        let before = self.snapshot();
        self.now.0 += 1000;
        let (is_step, result) = match self.below(10) {
            0 => (true, self.step("undo", collection.undo())),
            1 => (true, self.step("redo", collection.redo())),
            2..=4 => {
                let applied = collection.applied().unwrap();
                if applied.is_empty() {
                    return;
                }
                // The last ones are not the only ones, but the most likely to be wanted.
                let near = self
                    .below(applied.len())
                    .min(self.below(applied.len().min(12)));
                let seq = applied[applied.len() - 1 - near].seq;
                let result = self.step(&format!("undo #{seq}"), collection.undo_one(seq));
                match &result {
                    Ok(()) => count.earlier += u64::from(near > 0),
                    Err(error) => {
                        count.in_the_way += 1;
                        let why = error.to_string();
                        let why: String = why.chars().filter(|c| !c.is_ascii_digit()).collect();
                        *count.why.entry(format!("{name}: {why}")).or_default() += 1;
                    }
                }
                if result.is_ok() && self.below(3) == 0 {
                    let after = self.snapshot();
                    self.step("redo", self.open().redo()).unwrap();
                    self.compare(name, &before, &self.snapshot());
                    self.step("undo", self.open().undo()).unwrap();
                    self.compare(name, &after, &self.snapshot());
                }
                (true, result)
            }
            _ => {
                let memories = collection.load(&[], &mut |_| true).memories;
                let Some(change) = self.change(&collection, &memories) else {
                    return;
                };
                let result = collection.change(&change, &memories, self.now).map(drop);
                if let (Ok(()), Change::Delete { ids, .. }) = (&result, &change) {
                    self.deleted.extend(ids.iter().cloned());
                }
                self.log.push(format!("{change:?}: {result:?}"));
                (false, result)
            }
        };
        match result {
            Ok(()) => count.made += 1,
            Err(error) => {
                count.refused += 1;
                let case = || format!("{name}: {error}\n{}", self.log.join("\n"));
                let is_changed = matches!(error, StoreError::Changed(_) | StoreError::Exists(_));
                assert!(!is_step || !is_changed, "{}", case());
                self.compare(name, &before, &self.snapshot());
            }
        }
    }

    fn step<T>(
        &mut self,
        what: &str,
        done: Result<Option<T>, StoreError>,
    ) -> Result<(), StoreError> {
        let done = done.map(drop);
        self.log.push(format!("{what}: {done:?}"));
        done
    }

    /// A random change.
    fn change(&mut self, collection: &Collection, memories: &[Arc<Memory>]) -> Option<Change> {
        let stores: Vec<_> = collection.infos().map(|info| info.id.clone()).collect();
        let of_state = |state: State| -> Vec<&Arc<Memory>> {
            memories
                .iter()
                .filter(|memory| memory.state == state)
                .collect()
        };
        let (active, archived) = (of_state(State::Active), of_state(State::Archived));
        let number = self.log.len();
        if active.is_empty() || self.below(5) == 0 {
            return Some(Change::Add {
                store: Some(stores[self.below(stores.len())].clone()),
                title: format!("New {number}"),
                fields: Vec::new(),
                body: format!("Said in step {number}."),
            });
        }
        let memory = active[self.below(active.len())];
        let (a, b) = (
            memory.id.clone(),
            active[self.below(active.len())].id.clone(),
        );
        let some = match self.below(3) {
            0 if a != b => vec![a.clone(), b.clone()],
            _ => vec![a.clone()],
        };
        Some(match self.below(13) {
            0 | 1 => {
                let fields = [
                    "title",
                    "importance",
                    "tags",
                    "description",
                    "name",
                    "content",
                ];
                let values = ["high", "low", "0.7", "Another", "one, two"];
                let field = fields[self.below(fields.len())].to_owned();
                let value = Value::from(values[self.below(values.len())]);
                Change::Edit {
                    ids: some,
                    seen: Vec::new(),
                    edits: vec![FieldEdit::Set { field, value }],
                }
            }
            2 | 3 => {
                let text = collection.text(memory)?;
                Change::Text {
                    id: a,
                    expected: text.clone(),
                    text: text.replacen(". ", ".\n\n", 1) + &format!("\nMore in step {number}.\n"),
                }
            }
            4 => Change::Rename {
                mentions: false,
                id: a,
                to: format!("renamed-{number}"),
            },
            5 => Change::Delete {
                ids: some,
                sure: true,
            },
            6 | 7 => Change::Archive(some),
            8 => Change::Restore(vec![
                archived.get(self.below(archived.len().max(1)))?.id.clone(),
            ]),
            9 => {
                let at = self.below(self.deleted.len().max(1));
                Change::Restore(vec![self.deleted.get(at)?.clone()])
            }
            10 => Change::Merge { keep: a, with: b },
            11 => Change::Convert {
                ids: some,
                to: Destination::Store(stores[self.below(stores.len())].clone()),
                remove: self.below(2) == 0,
            },
            _ => match self.below(2) {
                0 => Change::Confirm(some),
                _ => Change::Promote {
                    ids: some,
                    up: self.below(2) == 0,
                    sure: true,
                },
            },
        })
    }
}
