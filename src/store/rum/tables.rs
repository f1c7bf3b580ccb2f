//! The tables of the system: which columns are read, and what hangs on what (formats: rum).

use std::sync::LazyLock;

use crate::memory::Schema;
use crate::systems::rum::read::{Around, Cells, Read};
use crate::systems::rum::{CHAPTER, RUM, WISDOM, read};

/// A table whose rows are memories.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The schema of its rows.
    pub schema: &'static LazyLock<Schema>,
    /// The columns that are read, where the table has them.
    columns: &'static str,
    /// Reading of a row.
    pub read: fn(Cells<'_>, Around<'_>) -> Read,
}

impl Table {
    /// The columns that are read, where the table has them.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns.split_whitespace()
    }
}

static MEMORIES: Table = Table {
    name: "memories",
    schema: &RUM,
    columns: "id agent_id project_id session_id created_at intent_goal intent_type outcome_success \
        outcome_summary intent perception reasoning actions outcome tags importance access_count \
        last_accessed embedding",
    read: read::memory,
};

static CHAPTERS: Table = Table {
    name: "chapters",
    schema: &CHAPTER,
    columns: "id project_id created_at updated_at title summary learnings start_ts end_ts tags \
        topics origin",
    read: read::chapter,
};

static WISDOMS: Table = Table {
    name: "wisdom",
    schema: &WISDOM,
    columns: "id project_id created_at updated_at summary insights patterns best_practices tags \
        start_ts end_ts",
    read: read::wisdom,
};

/// All of them, in the order of the list.
pub static TABLES: [&Table; 3] = [&MEMORIES, &CHAPTERS, &WISDOMS];

/// The table whose rows have a schema; that of memories where none has.
pub fn table_of(schema: &'static Schema) -> &'static Table {
    let own = |table: &&&Table| std::ptr::eq::<Schema>(&**table.schema, schema);
    TABLES.iter().find(own).copied().unwrap_or(&MEMORIES)
}

/// The table that joins the rows of one with their members, its two columns, and the members'
/// own table.
pub fn joined(table: &str) -> (&'static str, &'static str, &'static str, &'static str) {
    match table {
        "wisdom" => ("wisdom_chapters", "wisdom_id", "chapter_id", "chapters"),
        _ => ("chapter_memories", "chapter_id", "memory_id", "memories"),
    }
}

/// The columns of a table whose rows join two others, each with the table that it names a row of.
pub fn ends(table: &str) -> &'static [(&'static str, &'static str)] {
    match table {
        "memory_links" => &[("source_id", "memories"), ("target_id", "memories")],
        "chapter_memories" => &[("chapter_id", "chapters"), ("memory_id", "memories")],
        "wisdom_chapters" => &[("wisdom_id", "wisdom"), ("chapter_id", "chapters")],
        _ => &[],
    }
}

/// Note about rows that stay away, by its table and what it would need; none where nothing does.
pub fn away(rows: &[(String, String)]) -> Option<String> {
    let what = in_words(rows.iter().map(|(table, _)| table.as_str())).join(", ");
    let mut needed: Vec<&str> = rows.iter().map(|(_, id)| id.as_str()).collect();
    needed.sort_unstable();
    needed.dedup();
    let (stays, is) = match (rows.len(), needed.len()) {
        (0, _) => return None,
        (1, _) => ("stays", "is"),
        (_, 1) => ("stay", "is"),
        _ => ("stay", "are"),
    };
    let needed = needed.join(", ");
    Some(format!("{what} {stays} away until {needed} {is} there"))
}

/// Numbers of rows of each table, in words; the files of a memory are its own.
pub fn in_words<'a>(tables: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for table in tables.filter(|table| *table != "memory_files") {
        match counts.iter_mut().find(|(known, _)| *known == table) {
            Some((_, count)) => *count += 1,
            None => counts.push((table, 1)),
        }
    }
    let words = |(table, count): (&str, usize)| {
        let s = if count == 1 { "" } else { "s" };
        match table {
            "memory_links" => format!("{count} link{s}"),
            "chapter_memories" => format!("{count} place{s} in a chapter"),
            "wisdom_chapters" => format!("{count} place{s} in wisdom"),
            other => format!("{count} row{s} of {other}"),
        }
    };
    counts.into_iter().map(words).collect()
}
