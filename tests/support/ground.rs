//! One store of each format in a temporary folder, every operation on them, and a disk whose
//! calls fail when a test wants it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memkeep::curate::Change;
use memkeep::curate::change::Destination;
use memkeep::curate::versions::{Step, Version};
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Memory, MemoryId, Timestamp, Value};
use memkeep::store::StoreError;
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use memkeep::store::disk::{Call, Disk};
use tempfile::TempDir;

/// 2026-02-01T12:00:00Z
pub const NOW: Timestamp = Timestamp(1_769_947_200_000);

pub const RAWKO: [(&str, &str); 5] = [
    (
        ".rawko/memories/a.md",
        "---\ntitle: A\nwhenToUse: [one, two]\nimportance: low\nrelatedMemories: [b]\n---\n\n# A\n\nThe queue holds 10 jobs.\n",
    ),
    (
        ".rawko/memories/b.md",
        "---\ntitle: B\nwhenToUse: [three]\nimportance: low\n---\n\n# B\n\nThe queue is drained at night.\n",
    ),
    (
        ".rawko/memories/two.md",
        "---\ntitle: C\nwhenToUse: [four]\n---\n\nFirst.\n\n---\n\n---\ntitle: D\nwhenToUse: [five]\n---\n\nSecond.\n",
    ),
    (
        ".rawko/memories/archive/old.md",
        "---\ntitle: Old\nwhenToUse: [six]\n---\n\nOld.\n",
    ),
    (
        "elsewhere.md",
        "---\ntitle: E\nwhenToUse: [seven]\n---\n\nElsewhere.\n",
    ),
];
pub const RALPH: [(&str, &str); 1] = [(
    ".ralph/agent/memories.md",
    "# Memories\n\n## Patterns\n\n### mem-1769000000-0001\n> Retry the upload twice.\n<!-- tags: net | created: 2026-01-20 -->\n\n## Fixes\n\n### mem-1769000000-0002\n> The tests need Postgres.\n<!-- tags: db | created: 2026-01-21 -->\n",
)];
pub const GOLEMCORE: [(&str, &str); 1] = [(
    "memory/items/semantic.jsonl",
    "{\"id\":\"x\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"X\",\"content\":\"Tabs.\",\"confidence\":0.9,\"createdAt\":\"2026-01-10T00:00:00Z\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}\n{\"id\":\"y\",\"layer\":\"SEMANTIC\",\"type\":\"FAILURE\",\"title\":\"Y\",\"content\":\"Spaces.\",\"confidence\":0.9,\"createdAt\":\"2026-01-10T00:00:00Z\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}\n",
)];
pub const RUM: &str = "
CREATE TABLE agents (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE memories (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, project_id TEXT NOT NULL, session_id TEXT NOT NULL, created_at INTEGER NOT NULL, intent_goal TEXT NOT NULL, intent_type TEXT NOT NULL, outcome_success INTEGER NOT NULL, outcome_summary TEXT, intent JSON NOT NULL, perception JSON, reasoning JSON, actions JSON, outcome JSON NOT NULL, tags JSON DEFAULT '[]', importance REAL DEFAULT 0.5, access_count INTEGER DEFAULT 0, last_accessed INTEGER, embedding BLOB);
CREATE TABLE memory_files (memory_id TEXT NOT NULL, file_path TEXT NOT NULL, operation TEXT NOT NULL, PRIMARY KEY (memory_id, file_path));
CREATE TABLE memory_links (id TEXT PRIMARY KEY, source_id TEXT NOT NULL, target_id TEXT NOT NULL, link_type TEXT NOT NULL, created_at INTEGER NOT NULL);
INSERT INTO agents VALUES ('agent', 'demo', 1768000000000);
INSERT INTO memories VALUES ('mem_a', 'agent', 'demo', 's', 1768600000000, 'Fix tokens', 'bug_fix', 1, 'Fixed', '{\"goal\":\"Fix tokens\",\"task_type\":\"bug_fix\"}', NULL, NULL, NULL, '{\"success\":true,\"summary\":\"Fixed\"}', '[\"auth\"]', 0.5, 0, NULL, NULL);
";

/// A change with its paths below a root.
fn below(change: &Change, root: &Path) -> Change {
    let mut change = change.clone();
    match &mut change {
        Change::Convert {
            to: Destination::New { path, .. },
            ..
        } => *path = root.join(&path),
        Change::Rule { file, .. } => *file = root.join(&file),
        _ => {}
    }
    change
}

/// What is done in a round.
#[derive(Clone)]
pub enum Act {
    Change(Change),
    Undo,
    Redo,
}

/// An operation: what is done before it, and itself.
pub struct Operation {
    pub name: &'static str,
    format: &'static str,
    before: Vec<Act>,
    act: Act,
}

fn id(store: &str, local: &str) -> MemoryId {
    MemoryId::new(&store.into(), local)
}

fn set(id: MemoryId, field: &str, value: impl Into<Value>) -> Act {
    let (field, value) = (field.to_owned(), value.into());
    Act::Change(Change::Edit {
        ids: vec![id],
        seen: Vec::new(),
        edits: vec![FieldEdit::Set { field, value }],
    })
}

/// Every operation.
pub fn operations() -> Vec<Operation> {
    let rawko = |local: &str| id("rawko", local);
    let ralph = |number: &str| id("ralph", &format!("mem-1769000000-{number}"));
    let golemcore = |local: &str| id("golemcore", local);
    let rum = || id("rum", "mem_a");
    let archive = |ids: Vec<MemoryId>| Act::Change(Change::Archive(ids));
    let delete = |ids: Vec<MemoryId>| Act::Change(Change::Delete { ids, sure: true });
    let restore = |ids: Vec<MemoryId>| Act::Change(Change::Restore(ids));
    let add = |title: &str| {
        Act::Change(Change::Add {
            store: None,
            title: title.to_owned(),
            fields: Vec::new(),
            body: "New.".to_owned(),
        })
    };
    let merge = || {
        let (keep, with) = (rawko("a"), rawko("b"));
        Act::Change(Change::Merge { keep, with })
    };
    let promote = |ids| {
        Act::Change(Change::Promote {
            ids,
            up: true,
            sure: true,
        })
    };
    let rename_act = || Act::Change(rename_of(rawko("b"), "c"));
    let both = |ralph: &dyn Fn(&str) -> MemoryId| {
        let ids = vec![ralph("0001"), ralph("0002")];
        let edit = FieldEdit::Set {
            field: "tags".to_owned(),
            value: Value::from("changed"),
        };
        Act::Change(Change::Edit {
            ids,
            seen: Vec::new(),
            edits: vec![edit],
        })
    };
    let keep = |ids: Vec<MemoryId>| Act::Change(Change::Accept { ids, sure: false });
    let reject = |ids: Vec<MemoryId>| Act::Change(Change::Reject(ids, None));
    let version = |id: MemoryId, schema, file: &str| {
        let memory = Memory::new(id.clone(), Path::new("then").into(), schema);
        let version = Version {
            rev: "#0".into(),
            time: None,
            author: "".into(),
            subject: "".into(),
            path: PathBuf::from("then"),
            step: Step::Changed,
            state: Some((Arc::new(memory), Arc::new(file.as_bytes().to_vec()))),
            rows: Vec::new(),
            text: "".into(),
            before: "".into(),
        };
        let version = Arc::new(version);
        Act::Change(Change::Version { id, version })
    };
    let rawko_schema = memkeep::memory::format::schema("rawko");
    let twice = RALPH[0].1.replace("twice", "three times");
    let all: Vec<(&str, &str, Vec<Act>, Act)> = vec![
        (
            "restore a version",
            "rawko",
            vec![set(rawko("a"), "importance", "high")],
            version(rawko("a"), rawko_schema, RAWKO[0].1),
        ),
        (
            "restore a version that was deleted",
            "rawko",
            vec![delete(vec![rawko("b")])],
            version(rawko("b"), rawko_schema, RAWKO[1].1),
        ),
        (
            "restore a version",
            "ralph",
            vec![],
            version(ralph("0001"), &memkeep::systems::ralph::RALPH, &twice),
        ),
        (
            "move to another store",
            "rawko",
            vec![],
            Act::Change(Change::Convert {
                ids: vec![rawko("a"), rawko("b")],
                to: Destination::New {
                    format: "serena".to_owned(),
                    path: ".serena/memories".into(),
                },
                remove: true,
            }),
        ),
        (
            "make a rule",
            "ralph",
            vec![],
            Act::Change(Change::Rule {
                ids: vec![ralph("0001")],
                file: "CLAUDE.md".into(),
                line: None,
            }),
        ),
        (
            "edit",
            "rawko",
            vec![],
            set(rawko("a"), "importance", "high"),
        ),
        (
            "edit a link",
            "rawko",
            vec![],
            set(rawko("link"), "importance", "high"),
        ),
        ("add", "rawko", vec![], add("New")),
        (
            "delete",
            "rawko",
            vec![],
            delete(vec![rawko("a"), rawko("two#2")]),
        ),
        (
            "archive",
            "rawko",
            vec![],
            archive(vec![rawko("a"), rawko("b"), rawko("two")]),
        ),
        (
            "restore",
            "rawko",
            vec![],
            restore(vec![rawko("archive/old")]),
        ),
        (
            "restore what was deleted",
            "rawko",
            vec![delete(vec![rawko("a")])],
            restore(vec![rawko("a")]),
        ),
        ("rename", "rawko", vec![], rename_act()),
        ("merge", "rawko", vec![], merge()),
        (
            "promote",
            "rawko",
            vec![],
            promote(vec![rawko("a"), rawko("b")]),
        ),
        ("undo", "rawko", vec![merge()], Act::Undo),
        ("redo", "rawko", vec![rename_act(), Act::Undo], Act::Redo),
        ("edit", "ralph", vec![], set(ralph("0001"), "type", "fix")),
        ("archive", "ralph", vec![], archive(vec![ralph("0001")])),
        ("delete", "ralph", vec![], delete(vec![ralph("0002")])),
        (
            "undo",
            "ralph",
            vec![archive(vec![ralph("0001")])],
            Act::Undo,
        ),
        (
            "edit",
            "golemcore",
            vec![],
            set(golemcore("x"), "title", "Z"),
        ),
        (
            "archive",
            "golemcore",
            vec![],
            archive(vec![golemcore("x"), golemcore("y")]),
        ),
        (
            "restore",
            "golemcore",
            vec![archive(vec![golemcore("x")])],
            restore(vec![golemcore("archive/x")]),
        ),
        ("edit", "rum", vec![], set(rum(), "importance", 0.9)),
        ("archive", "rum", vec![], archive(vec![rum()])),
        ("delete", "rum", vec![], delete(vec![rum()])),
        ("undo", "rum", vec![archive(vec![rum()])], Act::Undo),
        (
            "stage",
            "ralph in git",
            vec![both(&ralph)],
            keep(vec![ralph("0001")]),
        ),
        (
            "reject",
            "ralph in git",
            vec![both(&ralph), keep(vec![ralph("0002")])],
            reject(vec![ralph("0001"), ralph("0002")]),
        ),
        (
            "undo",
            "rawko in git",
            vec![rename_act(), keep(vec![rawko("a"), rawko("c")])],
            Act::Undo,
        ),
        (
            "reject",
            "rawko",
            vec![
                keep(vec![]),
                set(rawko("a"), "importance", "high"),
                delete(vec![rawko("b")]),
            ],
            reject(vec![rawko("a"), rawko("b")]),
        ),
        (
            "reject",
            "rawko in git",
            vec![rename_act(), archive(vec![rawko("two")])],
            reject(vec![rawko("c"), rawko("two")]),
        ),
    ];
    let operation = |(name, format, before, act)| Operation {
        name,
        format,
        before,
        act,
    };
    all.into_iter().map(operation).collect()
}

/// Behind the format of a store whose project is a repository with all of it committed.
const IN_GIT: &str = " in git";

fn rename_of(id: MemoryId, to: &str) -> Change {
    let to = to.to_owned();
    Change::Rename {
        id,
        to,
        mentions: false,
    }
}

/// A project with a store of one format.
pub struct Ground {
    dir: TempDir,
}

impl Ground {
    pub fn new(operation: &Operation) -> Self {
        // In memory where there is such a folder: nothing of it has to last.
        let memory = Path::new("/dev/shm");
        let dir = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let ground = Self { dir: dir.unwrap() };
        let format = operation.format.strip_suffix(IN_GIT);
        let is_in_git = format.is_some();
        let format = format.unwrap_or(operation.format);
        let files: &[(&str, &str)] = match format {
            "rawko" => &RAWKO,
            "ralph" => &RALPH,
            "golemcore" => &GOLEMCORE,
            _ => &[],
        };
        for (name, text) in files {
            let path = ground.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        if format == "rawko" {
            let link = ground.root().join(".rawko/memories/link.md");
            std::os::unix::fs::symlink("../../elsewhere.md", link).unwrap();
        }
        if operation.format == "rum" {
            fs::create_dir_all(ground.root()).unwrap();
            ground.database().execute_batch(RUM).unwrap();
        }
        if is_in_git {
            ground.git(&["init", "-q", "-b", "main"]);
            ground.git(&["add", "-A"]);
            ground.git(&["commit", "-q", "-m", "first"]);
        }
        for act in &operation.before {
            ground.act(act, sound()).unwrap();
        }
        ground
    }

    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("p")
    }

    /// Runs git in the project, without the settings of this machine; what it prints.
    fn git(&self, arguments: &[&str]) -> String {
        let done = std::process::Command::new("git")
            .arg("-C")
            .arg(self.root())
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap()
    }

    fn database(&self) -> rusqlite::Connection {
        database(&self.root())
    }

    fn open(&self, disk: Disk) -> Collection {
        let search = Search {
            start: self.root(),
            root: Some(self.root()),
            ..Search::default()
        };
        let state = self.dir.path().join("state");
        let mut collection = Collection::open(&search, &state).unwrap();
        collection.journals.disk = disk;
        collection
    }

    fn act(&self, act: &Act, disk: Disk) -> Result<(), StoreError> {
        let collection = self.open(disk);
        match act {
            Act::Change(change) => {
                let memories = collection.load(&[], &mut |_| true).memories;
                let change = below(change, &self.root());
                collection.change(&change, &memories, NOW).map(drop)
            }
            Act::Undo => collection.undo().map(|step| assert!(step.is_some())),
            Act::Redo => collection.redo().map(|step| assert!(step.is_some())),
        }
    }

    /// Does an operation.
    pub fn run(&self, operation: &Operation, disk: Disk) -> Result<(), StoreError> {
        self.act(&operation.act, disk)
    }

    /// Takes an operation back that was done.
    pub fn run_back(&self, operation: &Operation) -> Result<(), StoreError> {
        let back = match operation.act {
            Act::Undo => Act::Redo,
            Act::Change(_) | Act::Redo => Act::Undo,
        };
        self.act(&back, sound())
    }

    /// What the next start does.
    pub fn recover(&self) -> Result<Vec<String>, StoreError> {
        self.open(sound()).recover()
    }

    /// Every file, folder, link and row. Locks do not count.
    pub fn snapshot(&self) -> BTreeMap<String, String> {
        let mut all = files_and_rows(&self.root());
        if self.root().join(".git").exists() {
            all.insert("index".to_owned(), self.git(&["ls-files", "--stage"]));
            // Fails where an object that the index names is missing.
            self.git(&["write-tree"]);
        }
        all
    }
}

/// The database of a project.
pub fn database(root: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(root.join("demo.rum.db")).unwrap()
}

/// Every file, folder and link below a folder, and every row of its database.
pub fn files_and_rows(root: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    walk(root, root, &mut all);
    if root.join("demo.rum.db").exists() {
        let database = database(root);
        let mut rows = database.prepare("SELECT * FROM memories").unwrap();
        let count = rows.column_count();
        let mut rows = rows.query([]).unwrap();
        let mut text = String::new();
        while let Some(row) = rows.next().unwrap() {
            for n in 0..count {
                text += &format!("{:?} ", row.get_ref(n).unwrap());
            }
            text.push('\n');
        }
        all.insert("rows".to_owned(), text);
    }
    all
}

fn walk(root: &Path, folder: &Path, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".lock") || name.contains(".rum.db") || name == ".git" {
            continue;
        }
        let what = if kind.is_symlink() {
            format!("-> {}", fs::read_link(&path).unwrap().display())
        } else if kind.is_dir() {
            walk(root, &path, all);
            "folder".to_owned()
        } else {
            fs::read_to_string(&path).unwrap()
        };
        all.insert(name, what);
    }
}

/// The errors that calls fail with: no space, I/O, permission denied.
pub const ERRORS: [i32; 3] = [28, 5, 13];

/// A disk on which everything works and nothing lasts.
pub fn sound() -> Disk {
    Disk::failing(Arc::new(|_, _: &Path| Ok(())))
}

/// A disk that counts its calls, and asks whether one fails by its number and kind.
pub fn disk(
    count: &Arc<AtomicUsize>,
    error: i32,
    fails: impl Fn(usize, Call) -> bool + Send + Sync + 'static,
) -> Disk {
    let count = Arc::clone(count);
    Disk::failing(Arc::new(move |call, _: &Path| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        match fails(number, call) {
            true => Err(io::Error::from_raw_os_error(error)),
            false => Ok(()),
        }
    }))
}
