//! A store in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use memkeep::curate::Change;
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Memory, MemoryId, Timestamp, Value};
use memkeep::store::StoreError;
use memkeep::store::collection::{Collection, Done};
use memkeep::store::discover::Search;
use tempfile::TempDir;

use crate::program::program;

/// 2026-01-30T12:00:00Z
pub const NOW: Timestamp = Timestamp(1_769_774_400_000);

pub const PLAIN: &str = "---\ntitle: T\nwhenToUse: [a]\ntags: [x]\nimportance: low\ndiscoveredAt: \"2026-01-01\"\ndiscoveredBy: dev\n---\n\n# T\n\nText.\n";

pub struct Place {
    dir: TempDir,
}

impl Place {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let place = Self { dir };
        fs::create_dir_all(place.store()).unwrap();
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    pub fn root(&self) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap().join("p")
    }

    pub fn store(&self) -> PathBuf {
        self.dir.path().join("p/.rawko/memories")
    }

    pub fn state(&self) -> PathBuf {
        self.dir.path().join("state/memkeep")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.store().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The names below the store.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.store())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The stores as a program that starts now finds them.
    pub fn open(&self) -> Collection {
        let search = Search {
            start: self.root(),
            ..Search::default()
        };
        Collection::open(&search, &self.state()).unwrap()
    }

    pub fn journal_file(&self) -> PathBuf {
        self.open().state.join("journal.jsonl")
    }

    /// The program in this project.
    pub fn command(&self) -> Command {
        let mut command = program(&self.root(), self.dir.path());
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        command
    }
}

pub fn load(collection: &Collection) -> Vec<Arc<Memory>> {
    collection.load(&[], &mut |_| true).memories
}

pub fn id(local: &str) -> MemoryId {
    MemoryId::new(&"rawko".into(), local)
}

pub fn set(local: &str, field: &str, value: &str) -> Change {
    Change::Edit {
        seen: Vec::new(),
        ids: vec![id(local)],
        edits: vec![FieldEdit::Set {
            field: field.to_owned(),
            value: Value::from(value),
        }],
    }
}

/// Loads, and changes what was loaded.
pub fn change(collection: &Collection, change: &Change) -> Result<Done, StoreError> {
    collection.change(change, &load(collection), NOW)
}

pub fn write_all(path: &Path, bytes: &[u8]) {
    // As careful programs do it: a reader sees the old file or the new one.
    let temporary = path.with_extension("other");
    fs::write(&temporary, bytes).unwrap();
    fs::rename(&temporary, path).unwrap();
}
