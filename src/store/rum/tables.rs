//! The tables of the system: which columns are read, and what hangs on what (formats: rum).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::memory::row::{Cell, Row};
use crate::memory::{Schema, Stamp};
use crate::systems::rum::read;
use crate::systems::rum::{CHAPTER, RUM, WISDOM};

/// A table whose rows are memories.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The schema of its rows.
    pub schema: &'static LazyLock<Schema>,
    /// The columns that are read, where the table has them.
    columns: &'static str,
}

/// All of them, in the order of the list.
pub static TABLES: [Table; 3] = [
    Table {
        name: "memories",
        schema: &RUM,
        columns: "id agent_id project_id session_id created_at intent_goal intent_type \
            outcome_success outcome_summary intent perception reasoning actions outcome tags \
            importance access_count last_accessed embedding",
    },
    Table {
        name: "chapters",
        schema: &CHAPTER,
        columns: "id project_id created_at updated_at title summary learnings start_ts end_ts tags \
            topics origin",
    },
    Table {
        name: "wisdom",
        schema: &WISDOM,
        columns: "id project_id created_at updated_at summary insights patterns best_practices \
            tags start_ts end_ts",
    },
];

/// References between the tables: the table, its column, and the table whose row that names. A
/// database may declare them, or more.
pub const REFERENCES: [(&str, &str, &str); 7] = [
    ("memory_files", "memory_id", "memories"),
    ("memory_links", "source_id", "memories"),
    ("memory_links", "target_id", "memories"),
    ("chapter_memories", "memory_id", "memories"),
    ("chapter_memories", "chapter_id", "chapters"),
    ("wisdom_chapters", "chapter_id", "chapters"),
    ("wisdom_chapters", "wisdom_id", "wisdom"),
];

/// Tables whose rows join two others: what one row is, and what several are.
const JOINS: [(&str, &str, &str); 3] = [
    ("memory_links", "link", "links"),
    (
        "chapter_memories",
        "place in a chapter",
        "places in a chapter",
    ),
    ("wisdom_chapters", "place in wisdom", "places in wisdom"),
];

impl Table {
    /// The table whose rows have a schema; that of memories where none has.
    pub fn of(schema: &'static Schema) -> &'static Self {
        let [memories, ..] = &TABLES;
        let mut tables = TABLES.iter();
        let own = tables.find(|table| std::ptr::eq::<Schema>(&**table.schema, schema));
        own.unwrap_or(memories)
    }

    /// The columns that are read, where the table has them.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns.split_whitespace()
    }

    /// A row as a load has it: the columns that are read, and of an embedding its length.
    pub fn loaded(&self, row: &Row) -> Row {
        let cell = |name| match (name, row.get(name)?.clone()) {
            ("embedding", Cell::Blob(bytes)) => Some((
                name,
                Cell::Int(i64::try_from(bytes.len()).unwrap_or(i64::MAX)),
            )),
            (_, cell) => Some((name, cell)),
        };
        self.columns().filter_map(cell).collect()
    }

    /// The state of a row, as a load has it.
    pub fn stamp(&self, row: &Row) -> Stamp {
        read::stamp(&self.loaded(row))
    }
}

/// True if the rows of a table join two others.
pub fn is_join(table: &str) -> bool {
    JOINS.iter().any(|(join, ..)| *join == table)
}

/// The column with the other end of the rows of a table that join two others, and its table.
pub fn other_end(table: &str, own: &str) -> (&'static str, &'static str) {
    let mut ends = REFERENCES.iter().filter(|end| end.0 == table);
    let other = ends.find(|end| end.1 != own);
    other
        .map(|(_, column, of)| (*column, *of))
        .unwrap_or_default()
}

/// The ids that a row joins, each with its table.
pub fn ends<'a>(table: &'a str, row: &'a Row) -> impl Iterator<Item = (&'static str, &'a str)> {
    let own = REFERENCES
        .iter()
        .filter(move |own| own.0 == table && is_join(table));
    own.map(|(_, column, other)| (*other, row.text(column).unwrap_or_default()))
}

/// Note about rows that stay away, by its table and the id it would need; none where nothing does.
pub fn away(rows: &[(String, String)]) -> Option<String> {
    let what = in_words(rows.iter().map(|(table, _)| table.as_str())).join(", ");
    let mut needed: Vec<&str> = rows.iter().map(|(_, id)| id.as_str()).collect();
    needed.sort_unstable();
    needed.dedup();
    let stays = match rows.len() {
        0 => return None,
        1 => "stays",
        _ => "stay",
    };
    let is = if needed.len() == 1 { "is" } else { "are" };
    let needed = needed.join(", ");
    Some(format!("{what} {stays} away until {needed} {is} there"))
}

/// Numbers of rows of each table, in words; the files of a memory are its own.
pub fn in_words<'a>(tables: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for table in tables.filter(|table| *table != "memory_files") {
        *counts.entry(table).or_default() += 1;
    }
    let joins = JOINS.iter().filter_map(|(join, one, several)| {
        let count = counts.get(join)?;
        Some(format!(
            "{count} {}",
            if *count == 1 { one } else { several }
        ))
    });
    let others = counts.iter().filter(|(table, _)| !is_join(table));
    let others = others.map(|(table, count)| match count {
        1 => format!("1 row of {table}"),
        _ => format!("{count} rows of {table}"),
    });
    joins.chain(others).collect()
}
