//! Tables that join memories.

use std::collections::HashMap;

use super::Reader;
use crate::store::rum::db::words;
use crate::systems::rum::read::Around;

/// The type and the other end of each link.
type Links = Vec<(Box<str>, Box<str>)>;

/// Facts of other tables about each memory, by its id.
#[derive(Default)]
pub(super) struct Edges {
    links: HashMap<Box<str>, Links>,
    files: HashMap<Box<str>, Vec<Box<str>>>,
    members: HashMap<Box<str>, Vec<Box<str>>>,
}

impl Edges {
    pub fn around(&self, id: &str) -> Around<'_> {
        Around {
            links: self.links.get(id).map_or(&[], Vec::as_slice),
            files: self.files.get(id).map_or(&[], Vec::as_slice),
            members: self.members.get(id).map_or(&[], Vec::as_slice),
        }
    }

    fn member(&mut self, of: Box<str>, member: Box<str>) {
        let members = self.members.entry(of).or_default();
        if !members.contains(&member) {
            members.push(member);
        }
    }

    fn link(&mut self, from: Box<str>, kind: &str, to: Box<str>) {
        let links = self.links.entry(from).or_default();
        let link = (kind.into(), to);
        if !links.contains(&link) {
            links.push(link);
        }
    }

    /// Reads the tables that join memories; what cannot be read is said.
    pub fn read(reader: &Reader<'_>, faults: &mut Vec<String>) -> Self {
        let mut edges = Self::default();
        let links =
            "SELECT source_id, link_type, target_id FROM memory_links ORDER BY created_at, rowid";
        pairs(reader, "memory_links", links, faults, |[from, kind, to]| {
            // The cause of a memory has led to it: the system derives that way too (formats: rum).
            let back = match &*kind {
                "caused_by" => Some("led_to"),
                "supersedes" => Some("superseded_by"),
                _ => None,
            };
            if let Some(back) = back {
                edges.link(to.clone(), back, from.clone());
            }
            edges.link(from, &kind, to);
        });
        let files = "SELECT memory_id, file_path, '' FROM memory_files ORDER BY rowid";
        pairs(
            reader,
            "memory_files",
            files,
            faults,
            |[memory, path, _]| {
                edges.files.entry(memory).or_default().push(path);
            },
        );
        let members = "SELECT chapter_id, memory_id, '' FROM chapter_memories
            ORDER BY chapter_id, position IS NULL, position, rowid";
        pairs(
            reader,
            "chapter_memories",
            members,
            faults,
            |[chapter, memory, _]| {
                edges.member(memory.clone(), chapter.clone());
                edges.member(chapter, memory);
            },
        );
        let members = "SELECT wisdom_id, chapter_id, '' FROM wisdom_chapters ORDER BY rowid";
        pairs(
            reader,
            "wisdom_chapters",
            members,
            faults,
            |[wisdom, chapter, _]| {
                edges.member(wisdom, chapter);
            },
        );
        edges
    }
}

/// Reads three texts of each row of a table that need not be there.
fn pairs(
    reader: &Reader<'_>,
    table: &str,
    sql: &str,
    faults: &mut Vec<String>,
    mut take: impl FnMut([Box<str>; 3]),
) {
    let mut run = || -> rusqlite::Result<()> {
        if reader.columns(table)?.is_empty() {
            return Ok(());
        }
        // A table without row ids has no such order.
        let plain = sql.replace(", rowid", "").replace(" ORDER BY rowid", "");
        let mut statement = reader
            .0
            .prepare(sql)
            .or_else(|_| reader.0.prepare(&plain))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let text = |n: usize| -> rusqlite::Result<Box<str>> {
                let cell = row.get_ref(n)?;
                Ok(match cell.as_bytes_or_null().ok().flatten() {
                    Some(bytes) => String::from_utf8_lossy(bytes).into(),
                    None => "".into(),
                })
            };
            take([text(0)?, text(1)?, text(2)?]);
        }
        Ok(())
    };
    if let Err(error) = run() {
        faults.push(format!("table {table}: {}", words(&error)));
    }
}
