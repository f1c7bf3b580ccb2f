//! Databases in a temporary folder, written from SQL, and the program on them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::memory::{Memory, Timestamp};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::program::program;
use crate::ran::Ran;

/// The clock of every call.
pub const NOW: &str = "2026-02-01T12:00:00Z";

/// The tables as the program makes them.
pub const REAL: &str = include_str!("../support/rum.sql");

/// The tables of the specification: no sessions, chapters and wisdom, no id of a link, nothing
/// that cascades.
pub const SPEC: &str = "
CREATE TABLE agents (id TEXT PRIMARY KEY, type TEXT NOT NULL CHECK (type IN ('main', 'subagent')), parent_id TEXT REFERENCES agents(id), project_id TEXT NOT NULL, created_at INTEGER NOT NULL, metadata JSON);
CREATE TABLE memories (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL REFERENCES agents(id), project_id TEXT NOT NULL, session_id TEXT NOT NULL, created_at INTEGER NOT NULL, intent_goal TEXT NOT NULL, intent_type TEXT NOT NULL, outcome_success INTEGER NOT NULL, outcome_summary TEXT, intent JSON NOT NULL, perception JSON NOT NULL, reasoning JSON NOT NULL, actions JSON NOT NULL, outcome JSON NOT NULL, tags JSON DEFAULT '[]', importance REAL DEFAULT 0.5, access_count INTEGER DEFAULT 0, last_accessed INTEGER, embedding BLOB);
CREATE TABLE memory_files (memory_id TEXT NOT NULL REFERENCES memories(id), file_path TEXT NOT NULL, operation TEXT NOT NULL, PRIMARY KEY (memory_id, file_path));
CREATE TABLE memory_links (source_id TEXT NOT NULL REFERENCES memories(id), target_id TEXT NOT NULL REFERENCES memories(id), link_type TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (source_id, target_id, link_type));
INSERT INTO agents VALUES ('agent_a', 'main', NULL, 'demo', 1768000000, NULL);
";

/// A few memories that hang together.
pub const SAMPLE: &str = r#"
INSERT INTO memories VALUES ('mem_jwt', 'agent_a', 'demo', 'session_1', 1768600000000, 'Fix JWT token expiry', 'bug_fix', 1, 'No more random logouts',
 '{"goal":"Fix JWT token expiry","task_type":"bug_fix","context":"Users were logged out","constraints":["Keep existing sessions"],"ours":{"kept":true}}',
 '{"observations":[{"what":"No refresh","where":"src/auth/interceptor.ts","significance":"401 instead of a refresh"}],"relevant_files":[{"path":"src/auth/api.ts","relevance":"the endpoint","state_summary":"unused"}],"patterns_noticed":["Others retry"],"anomalies":[]}',
 '{"approach_chosen":"A refresh queue","why_chosen":"It handles concurrency","alternatives_considered":[{"approach":"Longer tokens","why_rejected":"unsafe"}],"assumptions":[],"risks_identified":["A loop"]}',
 '[{"type":"file_edit","timestamp":1768600000000,"details":{"file_path":"src/auth/interceptor.ts","lines_affected":"45-89","diff_summary":"refresh on 401"},"result":{"success":true,"duration_ms":150}},{"type":"command_run","command":"npm test","result":"14 passed"}]',
 '{"success":true,"summary":"No more random logouts","learnings":["Check the expiry of refresh tokens too"],"verified_by":{"type":"test","command":"npm test","result":"14 passed"},"follow_up_needed":["Monitoring"]}',
 '["auth","jwt"]', 0.9, 7, NULL, x'0000803f00000040');
INSERT INTO memories VALUES ('mem_log', 'agent_b', 'demo', 'session_1', 1768500000000, 'Investigate logouts', 'investigation', 0, NULL,
 '{"goal":"Investigate logouts","task_type":"investigation"}', NULL, NULL, NULL,
 '{"success":false,"failure_reason":"No logs","failure_category":"missing_dependency"}', '[]', 0.3, 0, NULL, NULL);
INSERT INTO memories VALUES ('mem_old', 'agent_a', 'demo', 'session_1', 1768400000000, 'Document the token refresh', 'documentation', 1, 'Wrote docs/auth.md',
 '{"goal":"Document the token refresh","task_type":"documentation"}', NULL, NULL, '[{"type":"file_create","file_path":"docs/auth.md"}]',
 '{"success":true,"summary":"Wrote docs/auth.md"}', '["docs"]', 0.5, 0, NULL, NULL);
INSERT INTO memory_files VALUES ('mem_jwt', 'src/auth/interceptor.ts', 'file_edit'), ('mem_jwt', 'src/auth/api.ts', 'relevant'), ('mem_old', 'docs/auth.md', 'file_create');
INSERT INTO memory_links VALUES ('link_1', 'mem_jwt', 'mem_log', 'caused_by', 1768600000000), ('link_2', 'mem_jwt', 'mem_old', 'supersedes', 1768600000001);
INSERT INTO chapters VALUES ('chapter_1', 'demo', 1768700000000, 1768700000000, 'Topic: auth', 'How sessions last', '["Refresh early"]', 1768400000000, 1768600000000, '["auth"]', '[]', 'manual');
INSERT INTO chapter_memories VALUES ('chapter_1', 'mem_jwt', 1), ('chapter_1', 'mem_log', 0);
INSERT INTO wisdom VALUES ('wisdom_1', 'demo', 1768800000000, 1768800000000, 'Tokens need a plan', '["Expiry is a feature"]', NULL, '["Always refresh"]', '[]', 1768400000000, 1768600000000);
INSERT INTO wisdom_chapters VALUES ('wisdom_1', 'chapter_1');
"#;

pub struct Place {
    pub dir: TempDir,
}

impl Place {
    /// A project with a database made by these statements.
    pub fn with(sql: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("home")).unwrap();
        let place = Self { dir };
        let db = place.connect();
        db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF;")
            .unwrap();
        for sql in sql {
            db.execute_batch(sql).unwrap();
        }
        drop(db);
        place
    }

    pub fn sample() -> Self {
        Self::with(&[REAL, SAMPLE])
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub fn db(&self) -> PathBuf {
        self.root().join("demo.rum.db")
    }

    pub fn connect(&self) -> Connection {
        Connection::open(self.dir.path().join("demo.rum.db")).unwrap()
    }

    /// Everything in the database, row by row.
    pub fn dump(&self) -> String {
        let db = self.connect();
        let mut names = db
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            .unwrap();
        let names: Vec<String> = names
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let mut out = String::new();
        for name in names {
            let mut rows = db.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
            let count = rows.column_count();
            let mut lines: Vec<String> = Vec::new();
            let mut rows = rows.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let cells: Vec<String> =
                    (0..count).map(|n| shown(row.get_ref(n).unwrap())).collect();
                lines.push(format!("{name}: {}\n", cells.join(" | ")));
            }
            lines.sort();
            out.extend(lines);
        }
        out
    }

    /// The names of the files beside the database.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn collection(&self) -> Collection {
        collection(&self.root())
    }

    pub fn load(&self) -> Vec<Arc<Memory>> {
        self.collection().load(&[], &mut |_| true).memories
    }

    /// The program on the project.
    pub fn run(&self, args: &[&str]) -> Ran {
        program(&self.root(), &self.root().join("home"))
            .args(args)
            .args(["--now", NOW])
            .output()
            .unwrap()
            .into()
    }
}

pub fn collection(root: &Path) -> Collection {
    let search = Search {
        start: root.to_owned(),
        root: Some(root.to_owned()),
        only: vec!["rum".to_owned()],
        ..Search::default()
    };
    Collection::open(&search, &root.join("home/state")).unwrap()
}

pub fn now() -> Timestamp {
    Timestamp::parse_iso(NOW).unwrap()
}

fn shown(cell: rusqlite::types::ValueRef<'_>) -> String {
    match cell {
        rusqlite::types::ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => format!("{other:?}"),
    }
}
