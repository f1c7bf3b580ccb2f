//! Tables that join memories.

use std::collections::HashMap;

use super::Reader;
use crate::store::rum::db::words;
use crate::systems::rum::read::Around;

/// The tables that join memories, and the statement that reads three texts of each row.
const TABLES: [(&str, &str); 4] = [
    (
        "memory_links",
        "SELECT source_id, target_id, link_type FROM memory_links ORDER BY created_at, rowid",
    ),
    (
        "memory_files",
        "SELECT memory_id, file_path, '' FROM memory_files ORDER BY rowid",
    ),
    (
        "chapter_memories",
        "SELECT chapter_id, memory_id, '' FROM chapter_memories
            ORDER BY chapter_id, position IS NULL, position, rowid",
    ),
    (
        "wisdom_chapters",
        "SELECT wisdom_id, chapter_id, '' FROM wisdom_chapters ORDER BY rowid",
    ),
];

/// Facts of other tables about each memory, by its id.
#[derive(Default)]
pub(super) struct Edges {
    all: HashMap<Box<str>, Around>,
    none: Around,
}

impl Edges {
    pub fn around(&self, id: &str) -> &Around {
        self.all.get(id).unwrap_or(&self.none)
    }

    fn of(&mut self, id: &str) -> &mut Around {
        self.all.entry(id.into()).or_default()
    }

    fn link(&mut self, from: &str, kind: &str, to: &str) {
        add(&mut self.of(from).links, (kind.into(), to.into()));
    }

    /// Reads the tables; one that cannot be read is a fault.
    pub fn read(reader: &Reader<'_>, faults: &mut Vec<String>) -> Self {
        let mut edges = Self::default();
        for (table, sql) in TABLES {
            if let Err(error) = edges.table(reader, table, sql) {
                faults.push(format!("table {table}: {}", words(&error)));
            }
        }
        edges
    }

    fn table(&mut self, reader: &Reader<'_>, table: &str, sql: &str) -> rusqlite::Result<()> {
        if reader.columns(table)?.is_empty() {
            return Ok(());
        }
        // A table without row ids has no such order.
        let plain = sql.replace(", rowid", "").replace(" ORDER BY rowid", "");
        let statement = reader.0.prepare(sql);
        let mut statement = statement.or_else(|_| reader.0.prepare(&plain))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let text = |n: usize| {
                let cell = row.get_ref(n)?.as_bytes_or_null().ok().flatten();
                Ok::<_, rusqlite::Error>(String::from_utf8_lossy(cell.unwrap_or_default()))
            };
            self.row(table, &text(0)?, &text(1)?, &text(2)?);
        }
        Ok(())
    }

    fn row(&mut self, table: &str, from: &str, to: &str, kind: &str) {
        match table {
            "memory_links" => {
                // The cause of a memory has led to it: the system derives that way too (formats:
                // rum).
                match kind {
                    "caused_by" => self.link(to, "led_to", from),
                    "supersedes" => self.link(to, "superseded_by", from),
                    _ => {}
                }
                self.link(from, kind, to);
            }
            "memory_files" => self.of(from).files.push(to.into()),
            "chapter_memories" => {
                add(&mut self.of(from).members, to.into());
                add(&mut self.of(to).members, from.into());
            }
            _ => add(&mut self.of(from).members, to.into()),
        }
    }
}

fn add<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}
