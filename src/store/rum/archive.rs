//! The archive of a database: a file of JSON lines beside it, each with the records of one memory.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RumStore;
use super::records::{Record, TABLES, Table, away, ends, is_join};
use crate::curate::RowChange;
use crate::memory::row::Row;
use crate::memory::{Memory, MemoryId, Problem, Severity, Sight, Stamp, State};
use crate::store::rows::is_so;
use crate::store::{Overlay, Result, StoreError, files, refuse, refused};
use crate::systems::rum::RUM;
use crate::systems::rum::read::read;

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    id: String,
    archived_at: String,
    /// The records, that of the memory first.
    rows: Vec<Record>,
}

impl Line {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("not a line of the archive: {error}"))
    }

    fn memory(&self) -> Result<(&'static Table, &Row), String> {
        let first = self.rows.first().ok_or("a line without rows")?;
        let table = TABLES.iter().find(|table| table.name == first.table);
        let table = table.ok_or_else(|| format!("a row of `{}`", first.table))?;
        Ok((table, &first.row))
    }
}

/// The records of a memory as a line of the archive, without its end.
pub(super) fn line(memory: &Memory, rows: Vec<Record>, overlay: &Overlay) -> Vec<u8> {
    let line = Line {
        id: memory.id.local.to_string(),
        archived_at: overlay.now.to_rfc3339(),
        rows,
    };
    // Values of a row can always be written as JSON.
    serde_json::to_vec(&line).unwrap_or_default()
}

pub(super) fn append(store: &RumStore, line: &[u8], overlay: &mut Overlay) -> Result {
    let path = &store.info.archive;
    let mut bytes = overlay.current(path)?.unwrap_or_default().to_vec();
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend(line.trim_ascii_end());
    bytes.push(b'\n');
    overlay.write(path, bytes)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

pub fn take_out(store: &RumStore, memory: &Memory, overlay: &mut Overlay) -> Result<Vec<u8>> {
    let path = &store.info.archive;
    let bytes = overlay.read(path, None)?.to_vec();
    let mut all: Vec<&[u8]> = lines(&bytes).collect();
    let at = all.iter().position(|line| stamp(line) == memory.stamp);
    let own = all.remove(at.ok_or_else(|| StoreError::Changed(path.clone()))?);
    match all.is_empty() {
        true => overlay.remove(path, None)?,
        false => overlay.write(path, all.concat())?,
    }
    Ok(own.to_vec())
}

/// Puts the records of a line back; those that join it with others wait for [`come_back`].
pub(super) fn put_back(store: &RumStore, line: &[u8], overlay: &mut Overlay) -> Result {
    let line = Line::read(line).map_err(refused)?;
    for record in line.rows {
        let change = record.addition();
        if is_join(&change.table) && !change.loose {
            overlay.wait(&store.info.path, change);
            continue;
        }
        if !change.loose
            && let Some((column, id)) = missing(store, &change, overlay)?
        {
            return refuse(format!(
                "{} cannot come back: its {column} `{id}` is not there any more",
                line.id
            ));
        }
        overlay.change_row(&store.info.path, change);
    }
    Ok(())
}

/// The first reference of a row that comes to one that is not there and not about to be.
fn missing(
    store: &RumStore,
    change: &RowChange,
    overlay: &Overlay,
) -> Result<Option<(String, String)>> {
    let Some(row) = &change.after else {
        return Ok(None);
    };
    let staged = |table: &str, id: &str| store.is_staged(table, id, overlay);
    store.ask(|reader| reader.missing(&change.table, row, &staged))
}

/// Puts back what joins those that come back with others: waiting rows, and `gone` ones that steps
/// took away with the other end. Without that end a row stays away, and is named.
pub(super) fn come_back(store: &RumStore, gone: &[&RowChange], overlay: &mut Overlay) -> Result {
    let path = &store.info.path;
    let mut all = overlay.waiting(path);
    for change in gone.iter().filter(|change| !change.loose) {
        let back = (*change).clone().inverse();
        let Some(row) = &back.after else { continue };
        let comes = |(table, id)| store.is_staged(table, id, overlay) == Some(true);
        let is_it = |one: &RowChange| one.table == back.table && one.key == back.key;
        if !all.iter().any(is_it) && ends(&back.table, row).any(comes) {
            all.push(back);
        }
    }
    let mut away_now: Vec<(String, String)> = Vec::new();
    let mut back: Vec<[String; 3]> = Vec::new();
    for change in all {
        let staged = overlay.row(path, &change.table, &change.key);
        if staged.flatten().is_some() || is_there(store, &change)? {
            continue;
        }
        match missing(store, &change, overlay)? {
            // Two that join the same in the same way are one.
            None if change.table == "memory_links" && back.contains(&link(&change)) => {}
            None => {
                back.push(link(&change));
                overlay.change_row(path, change);
            }
            Some((_, id)) => away_now.push((change.table, id)),
        }
    }
    overlay.note(away(&away_now));
    Ok(())
}

fn link(change: &RowChange) -> [String; 3] {
    ["source_id", "target_id", "link_type"].map(|name| {
        let cell = change.after.as_ref().and_then(|row| row.text(name));
        cell.unwrap_or_default().to_owned()
    })
}

/// True if a row, or another that joins the same in the same way, is in the database.
fn is_there(store: &RumStore, change: &RowChange) -> Result<bool> {
    store.ask(|reader| {
        let same = "SELECT 1 FROM memory_links
            WHERE source_id = ?1 AND target_id = ?2 AND link_type = ?3";
        let with = link(change);
        let with = with.each_ref().map(String::as_str);
        let joined = change.table == "memory_links" && reader.value(same, &with).is_some();
        Ok(joined || !is_so(reader.0, change, None)?)
    })
}

pub(super) fn load(store: &RumStore) -> Result<Vec<Memory>> {
    if !store.info.archive.exists() {
        return Ok(Vec::new());
    }
    let (bytes, _) = files::read(&store.info.archive)?;
    let path: Arc<Path> = store.info.archive.as_path().into();
    let memory = |(document, bytes): (u32, &[u8])| {
        let number = document.saturating_add(1);
        let new = |local: &str, schema| {
            let id = MemoryId::new(&store.info.id, format!("archive/{local}"));
            Memory::new(id, path.clone(), schema)
        };
        let line = Line::read(bytes);
        let made = line.as_ref().map_err(Clone::clone).and_then(|line| {
            let (table, row) = line.memory()?;
            let (memory, row) = (new(&line.id, table.schema), table.loaded(row));
            Ok(read(memory, table.name, &row, &[], document))
        });
        let memory = made.unwrap_or_else(|why| {
            let problem = Problem::new("load-error", Severity::Error, (number, 1), why);
            Memory {
                sight: Sight::NoFields,
                problems: [problem].into(),
                document,
                line: number,
                ..new(&format!("line-{number}"), &RUM)
            }
        });
        Memory {
            state: State::Archived,
            stamp: stamp(bytes),
            ..memory
        }
    };
    Ok((0..).zip(lines(&bytes)).map(memory).collect())
}

fn stamp(line: &[u8]) -> Stamp {
    let line = line.trim_ascii_end();
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    Stamp {
        modified: i64::from_ne_bytes(hasher.finish().to_ne_bytes()),
        size: line.len() as u64,
        inode: 0,
    }
}

pub(super) fn row(store: &RumStore, memory: &Memory) -> Result<Row> {
    let (bytes, _) = files::read(&store.info.archive)?;
    let line = lines(&bytes).find(|line| stamp(line) == memory.stamp);
    let line = line.ok_or_else(|| StoreError::Changed(store.info.archive.clone()))?;
    let line = Line::read(line).map_err(refused)?;
    let (_, row) = line.memory().map_err(refused)?;
    Ok(row.clone())
}
