//! Writes stores of the systems beside rawko of any size, the same in every run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::store::{AREAS, KINDS, PARTS, SENTENCES, Scramble, TAGS};

/// A store of another system.
#[derive(Clone, Copy)]
pub struct System {
    /// The name of its format.
    pub format: &'static str,
    /// Where it stands below the root.
    pub place: &'static str,
    /// Writes so many memories there.
    pub write: fn(&Path, usize),
}

/// The systems beside rawko.
pub const SYSTEMS: [System; 3] = [
    System {
        format: "ralph",
        place: ".ralph/agent/memories.md",
        write: ralph,
    },
    System {
        format: "golemcore",
        place: "memory",
        write: golemcore,
    },
    System {
        format: "rum",
        place: "work.rum.db",
        write: rum,
    },
];

/// A sentence or two about something, and two tags.
fn statement(number: usize) -> (String, [&'static str; 2]) {
    let mut scramble = Scramble(number as u64);
    scramble.below(1);
    let (area, part) = (scramble.pick(&AREAS), scramble.pick(&PARTS));
    let kind = scramble.pick(&KINDS);
    let text = format!(
        "{area} {} {} {number}: {}",
        part.to_lowercase(),
        kind.to_lowercase(),
        scramble.pick(&SENTENCES)
    );
    (text, [scramble.pick(&TAGS), scramble.pick(&TAGS)])
}

/// A moment of a memory, in seconds.
const fn moment(number: usize) -> usize {
    1_767_225_600 + number * 211
}

fn ralph(file: &Path, count: usize) {
    const SECTIONS: [&str; 4] = ["Patterns", "Decisions", "Fixes", "Context"];
    let mut text = "# Memories\n".to_owned();
    for (place, section) in SECTIONS.iter().enumerate() {
        let _ = write!(text, "\n## {section}\n");
        for number in (place..count).step_by(SECTIONS.len()).rev() {
            let (statement, tags) = statement(number);
            let (seconds, day) = (moment(number), 1 + number % 28);
            let _ = write!(
                text,
                "\n### mem-{seconds}-{:04x}\n> {statement}\n<!-- tags: {} | created: 2026-01-{day:02} -->\n",
                number % 65_536,
                tags.join(", ")
            );
        }
    }
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn golemcore(folder: &Path, count: usize) {
    let line = |number: usize, layer: &str, kind: &str| {
        let (statement, tags) = statement(number);
        let at = format!("2026-01-{:02}T08:00:00Z", 1 + number % 28);
        format!(
            "{{\"id\":\"m{number:07}\",\"layer\":\"{layer}\",\"type\":\"{kind}\",\"title\":\"{}\",\
             \"content\":\"{statement}\",\"scope\":\"global\",\"tags\":[\"{}\",\"{}\"],\
             \"confidence\":0.{},\"salience\":0.{},\"createdAt\":\"{at}\",\"updatedAt\":\"{at}\",\
             \"references\":[],\"fingerprint\":\"{number:024x}\"}}\n",
            statement.split(':').next().unwrap(),
            tags[0],
            tags[1],
            5 + number % 5,
            3 + number % 7,
        )
    };
    let items = folder.join("items");
    fs::create_dir_all(items.join("episodic")).unwrap();
    let mut days = vec![String::new(); 28];
    let (mut semantic, mut procedural) = (String::new(), String::new());
    for number in 0..count {
        match number % 3 {
            0 => days[number % 28].push_str(&line(number, "EPISODIC", "FIX")),
            1 => semantic.push_str(&line(number, "SEMANTIC", "PROJECT_FACT")),
            _ => procedural.push_str(&line(number, "PROCEDURAL", "CONSTRAINT")),
        }
    }
    for (day, text) in (1..).zip(days) {
        fs::write(items.join(format!("episodic/2026-01-{day:02}.jsonl")), text).unwrap();
    }
    fs::write(items.join("semantic.jsonl"), semantic).unwrap();
    fs::write(items.join("procedural.jsonl"), procedural).unwrap();
}

fn rum(file: &Path, count: usize) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut database = rusqlite::Connection::open(file).unwrap();
    database
        .execute_batch(
            "CREATE TABLE agents (id TEXT PRIMARY KEY, type TEXT NOT NULL, project_id TEXT NOT NULL,
               created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL);
             CREATE TABLE sessions (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, started_at INTEGER NOT NULL);
             CREATE TABLE memories (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, project_id TEXT NOT NULL,
               session_id TEXT NOT NULL, created_at INTEGER NOT NULL, intent_goal TEXT NOT NULL,
               intent_type TEXT NOT NULL, outcome_success INTEGER NOT NULL, outcome_summary TEXT,
               intent JSON NOT NULL, perception JSON, reasoning JSON, actions JSON, outcome JSON NOT NULL,
               tags JSON DEFAULT '[]', importance REAL DEFAULT 0.5, access_count INTEGER DEFAULT 0);
             CREATE TABLE memory_files (memory_id TEXT NOT NULL, file_path TEXT NOT NULL,
               operation TEXT NOT NULL, PRIMARY KEY (memory_id, file_path));
             CREATE TABLE memory_links (id TEXT PRIMARY KEY, source_id TEXT NOT NULL,
               target_id TEXT NOT NULL, link_type TEXT NOT NULL, created_at INTEGER NOT NULL);
             CREATE TABLE chapters (id TEXT PRIMARY KEY, project_id TEXT NOT NULL,
               created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, title TEXT, summary TEXT NOT NULL,
               learnings JSON, start_ts INTEGER NOT NULL, end_ts INTEGER NOT NULL, tags JSON, topics JSON,
               origin TEXT NOT NULL);
             CREATE TABLE chapter_memories (chapter_id TEXT NOT NULL, memory_id TEXT NOT NULL,
               position INTEGER, PRIMARY KEY (chapter_id, memory_id));
             INSERT INTO agents VALUES ('agent', 'main', 'work', 1767225600, 1767225600);
             INSERT INTO sessions VALUES ('session', 'agent', 1767225600);",
        )
        .unwrap();
    let all = database.transaction().unwrap();
    {
        let mut add = all
            .prepare(
                "INSERT INTO memories (id, agent_id, project_id, session_id, created_at, intent_goal,
                   intent_type, outcome_success, outcome_summary, intent, reasoning, outcome, tags, importance)
                 VALUES (?1, 'agent', 'work', 'session', ?2, ?3, 'bugfix', ?4, ?3, ?5, ?6, ?7, ?8, ?9)",
            )
            .unwrap();
        for number in 0..count {
            let (statement, tags) = statement(number);
            let success = number % 4 != 0;
            add.execute(rusqlite::params![
                format!("mem_{number:07}"),
                moment(number) as i64,
                statement,
                success,
                format!("{{\"goal\":\"{statement}\",\"type\":\"bugfix\"}}"),
                format!("{{\"approach\":\"{statement}\"}}"),
                format!("{{\"success\":{success},\"summary\":\"{statement}\"}}"),
                format!("[\"{}\",\"{}\"]", tags[0], tags[1]),
                (number % 10) as f64 / 10.0,
            ])
            .unwrap();
        }
    }
    all.commit().unwrap();
}
