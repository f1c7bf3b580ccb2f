//! The archive of a database: a file of JSON lines beside it, each with the rows of one memory.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RumStore;
use super::db::Raw;
use super::tables::{self, TABLES, Table, ends};
use super::whole::{Whole, addition, refused};
use crate::curate::RowChange;
use crate::memory::row::{Cell, Row};
use crate::memory::{Memory, MemoryId, Problem, Severity, Sight, Stamp, State};
use crate::store::rows::is_so;
use crate::store::{Overlay, StoreError, files};
use crate::systems::rum::RUM;
use crate::systems::rum::read::Around;

/// One line of the archive.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    id: String,
    archived_at: String,
    /// The rows, in the order in which they can be put back.
    rows: Vec<Whole>,
}

/// Adds the rows of a memory to the archive.
pub(super) fn put(
    store: &RumStore,
    memory: &Memory,
    rows: Vec<Whole>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let line = kept(store, memory, rows, overlay)?;
    append(store, &line, overlay)
}

/// Adds a line to the archive.
pub(super) fn append(
    store: &RumStore,
    line: &[u8],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let path = &store.info.archive;
    let mut bytes = overlay.current(path)?.unwrap_or_default().to_vec();
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend(line.trim_ascii_end());
    bytes.push(b'\n');
    overlay.write(path, bytes)
}

/// The rows of a memory as a line of the archive, without its end.
pub(super) fn kept(
    store: &RumStore,
    memory: &Memory,
    rows: Vec<Whole>,
    overlay: &Overlay,
) -> Result<Vec<u8>, StoreError> {
    let line = Line {
        id: memory.id.local.to_string(),
        archived_at: overlay.now.to_rfc3339(),
        rows,
    };
    serde_json::to_vec(&line).map_err(|error| files::io(&store.info.archive, error.into()))
}

/// The lines of the archive, each with its line end.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

/// Takes the line of an archived memory out; gives it.
pub(super) fn take_out(
    store: &RumStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<Vec<u8>, StoreError> {
    let path = &store.info.archive;
    let changed = || StoreError::Changed(path.clone());
    let bytes = overlay.read(path, None)?.to_vec();
    let same = |line: &&[u8]| line_stamp(line) == memory.stamp;
    // A line that was given a link just now is still that of its memory.
    let local = &*memory.id.local;
    let id = local.strip_prefix("archive/").unwrap_or(local);
    let staged = overlay.before(path).is_some_and(|before| before != bytes);
    let named = |line: &&[u8]| staged && row_of(line).is_ok_and(|(_, own, _)| own == id);
    let at = lines(&bytes).position(|line| same(&line));
    let at = at.or_else(|| lines(&bytes).position(|line| named(&line)));
    let at = at.ok_or_else(changed)?;
    let own = lines(&bytes).nth(at).unwrap_or_default().to_vec();
    let at = lines(&bytes).take(at).map(<[u8]>::len).sum::<usize>();
    let rest = [bytes.get(..at), bytes.get(at + own.len()..)];
    let rest = rest.into_iter().flatten().collect::<Vec<_>>().concat();
    if rest.is_empty() {
        overlay.remove(path, None)?;
    } else {
        overlay.write(path, rest)?;
    }
    Ok(own)
}

/// Puts an archived memory back; what joins it with others waits for [`come_back`].
pub(super) fn restore(
    store: &RumStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    if memory.state != State::Archived {
        return Err(StoreError::Refused(format!(
            "{} is not archived",
            memory.id
        )));
    }
    let line = take_out(store, memory, overlay)?;
    put_back(store, &line, overlay)
}

/// Puts the rows of a line back; those that join it with others wait for [`come_back`].
pub(super) fn put_back(
    store: &RumStore,
    line: &[u8],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let line: Line = serde_json::from_slice(line).map_err(|error| {
        StoreError::Refused(format!("the line in the archive cannot be read: {error}"))
    })?;
    for kept in line.rows {
        let change = addition(kept);
        if ends(&change.table).is_empty() || change.loose {
            let gone = (!change.loose).then(|| missing(store, &change, overlay));
            if let Some((column, _, name)) = gone.transpose()?.flatten() {
                return Err(StoreError::Refused(format!(
                    "{} cannot come back: its {column} `{name}` is not there any more",
                    line.id
                )));
            }
            overlay.change_row(&store.info.path, change);
        } else {
            overlay.wait(&store.info.path, change);
        }
    }
    Ok(())
}

/// The first reference of a row to one that is not there and not about to be.
fn missing(
    store: &RumStore,
    change: &RowChange,
    overlay: &Overlay,
) -> Result<Option<(String, String, String)>, StoreError> {
    let Some(row) = &change.after else {
        return Ok(None);
    };
    let staged = |table: &str, id: &str| is_staged(store, table, id, overlay);
    store.ask(|reader| reader.missing(&change.table, row, &staged))
}

/// True if a row with an id comes, or goes; none where neither is staged.
fn is_staged(store: &RumStore, table: &str, id: &str, overlay: &Overlay) -> Option<bool> {
    let key: Row = [("id", Cell::from(id))].into_iter().collect();
    let row = overlay.row(&store.info.path, table, &key)?;
    Some(row.is_some())
}

/// Puts back what joins those that come back with others: the rows that wait for it, and those that
/// steps took away with the other end, `gone`. One whose other end is not there stays away; it is
/// named, and comes back with that end.
pub(super) fn come_back(
    store: &RumStore,
    gone: &[&RowChange],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let path = &store.info.path;
    let named_now = |change: &RowChange, overlay: &Overlay| {
        let row = change.after.as_ref();
        ends(&change.table).iter().any(|(column, table)| {
            let id = row.and_then(|row| row.text(column)).unwrap_or_default();
            is_staged(store, table, id, overlay) == Some(true)
        })
    };
    let mut all = overlay.waiting(path);
    for change in gone.iter().filter(|change| !change.loose) {
        let back = (*change).clone().inverse();
        let known = |one: &RowChange| one.table == back.table && one.key == back.key;
        if !all.iter().any(known) && named_now(&back, overlay) {
            all.push(back);
        }
    }
    let mut away: Vec<(String, String)> = Vec::new();
    let mut back: Vec<[String; 3]> = Vec::new();
    for change in all {
        let staged = overlay.row(path, &change.table, &change.key).flatten();
        if staged.is_some() || is_there(store, &change)? {
            continue;
        }
        match missing(store, &change, overlay)? {
            // Two that join the same in the same way are one.
            None if change.table == "memory_links" && back.contains(&link(&change)) => {}
            None => {
                back.push(link(&change));
                overlay.change_row(path, change);
            }
            Some((_, _, name)) => {
                let one = (change.table.clone(), name);
                hand_over(store, change, overlay)?;
                away.push(one);
            }
        }
    }
    overlay.note(tables::away(&away));
    Ok(())
}

/// Ends and type of a link.
fn link(change: &RowChange) -> [String; 3] {
    ["source_id", "target_id", "link_type"].map(|name| {
        let cell = change.after.as_ref().and_then(|row| row.text(name));
        cell.unwrap_or_default().to_owned()
    })
}

/// True if a row, or another that joins the same in the same way, is in the database.
fn is_there(store: &RumStore, change: &RowChange) -> Result<bool, StoreError> {
    store.ask(|reader| {
        let same = "SELECT 1 FROM memory_links
            WHERE source_id = ?1 AND target_id = ?2 AND link_type = ?3";
        let with = link(change);
        let with = with.each_ref().map(String::as_str);
        let joined = change.table == "memory_links" && reader.value(same, &with).is_some();
        Ok(joined || !is_so(reader.0, change, None)?)
    })
}

/// Gives a row whose other end is archived to the line of that end: it comes back with it.
fn hand_over(store: &RumStore, change: RowChange, overlay: &mut Overlay) -> Result<(), StoreError> {
    let path = &store.info.archive;
    let Some(row) = change.after.filter(|_| overlay.exists(path)) else {
        return Ok(());
    };
    let kept = Whole {
        table: change.table,
        key: change.key,
        row,
        loose: change.loose,
    };
    let bytes = overlay.read(path, None)?.to_vec();
    let names = |id: &str| {
        let mut ends = ends(&kept.table).iter();
        ends.any(|(end, _)| kept.row.text(end) == Some(id))
    };
    let known = |row: &Whole| row.table == kept.table && row.key == kept.key;
    let mut out = Vec::with_capacity(bytes.len());
    for line in lines(&bytes) {
        let read = serde_json::from_slice::<Line>(line).ok();
        let end = read.filter(|read| names(&read.id) && !read.rows.iter().any(known));
        let Some(mut end) = end else {
            out.extend_from_slice(line);
            continue;
        };
        end.rows.push(kept.clone());
        let text = serde_json::to_vec(&end).map_err(|error| files::io(path, error.into()))?;
        out.extend(text);
        out.push(b'\n');
    }
    if out == bytes {
        return Ok(());
    }
    overlay.write(path, out)
}

/// The archived memories; none where there is no archive.
pub(super) fn load(store: &RumStore) -> Result<Vec<Memory>, StoreError> {
    if !store.info.archive.exists() {
        return Ok(Vec::new());
    }
    let (bytes, _) = files::read(&store.info.archive)?;
    let path: Arc<std::path::Path> = store.info.archive.as_path().into();
    let mut all = Vec::new();
    for (document, line) in (0_u32..).zip(lines(&bytes)) {
        let (read, number) = (row_of(line), document.saturating_add(1));
        let local = match &read {
            Ok((_, id, _)) => format!("archive/{id}"),
            Err(_) => format!("archive/line-{number}"),
        };
        let id = MemoryId::new(&store.info.id, local);
        let mut memory = match read {
            Ok((table, _, row)) => {
                let read = (table.read)(raw(row).cells(), Around::default());
                read.into_memory(Memory::new(id, path.clone(), table.schema), document)
            }
            Err(why) => Memory {
                sight: Sight::NoFields,
                problems: [Problem::new(
                    "load-error",
                    Severity::Error,
                    (number, 1),
                    why,
                )]
                .into(),
                document,
                line: number,
                ..Memory::new(id, path.clone(), &RUM)
            },
        };
        memory.state = State::Archived;
        memory.stamp = line_stamp(line);
        all.push(memory);
    }
    Ok(all)
}

/// The state of a line of the archive.
fn line_stamp(line: &[u8]) -> Stamp {
    let mut hasher = DefaultHasher::new();
    line.trim_ascii_end().hash(&mut hasher);
    Stamp {
        modified: i64::from_ne_bytes(hasher.finish().to_ne_bytes()),
        size: line.trim_ascii_end().len() as u64,
        inode: 0,
    }
}

/// The row of the memory in a line, with its table and id.
fn row_of(line: &[u8]) -> Result<(&'static Table, String, Row), String> {
    let line: Line = serde_json::from_slice(line)
        .map_err(|error| format!("not a line of the archive: {error}"))?;
    let first = line.rows.into_iter().next().ok_or("a line without rows")?;
    let table = TABLES.iter().find(|table| table.name == first.table);
    let table = table.ok_or_else(|| format!("a row of `{}`", first.table))?;
    Ok((table, line.id, first.row))
}

/// A row as a load has it: of an embedding its length.
pub(super) fn raw(row: Row) -> Raw {
    let cells = row.0.into_iter().map(|(name, cell)| match (&*name, cell) {
        ("embedding", Cell::Blob(bytes)) => {
            let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
            (name, Cell::Int(length))
        }
        (_, cell) => (name, cell),
    });
    let (names, cells): (Vec<String>, Vec<Cell>) = cells.unzip();
    Raw {
        names: names.into(),
        cells,
    }
}

/// The row of an archived memory as it stands in the file.
pub(super) fn row(store: &RumStore, memory: &Memory) -> Result<Raw, StoreError> {
    let (bytes, _) = files::read(&store.info.archive)?;
    let line = lines(&bytes).find(|line| line_stamp(line) == memory.stamp);
    let line = line.ok_or_else(|| StoreError::Changed(store.info.archive.clone()))?;
    row_of(line)
        .map(|(.., row)| raw(row))
        .map_err(|why| refused(&why))
}
