//! Stages requests on a database: rows, planned against the database as it is.

use super::archive;
use super::row_edit::Edited;
use super::tables::{Table, table_of};
use super::whole::{Whole, refused, removal};
use super::{RumStore, one_of, own_id};
use crate::memory::row::Row;
use crate::memory::{Memory, Sight, Stamp, State};
use crate::store::{Overlay, Request, StoreError};

/// Stages a request; see [`crate::store::Store::stage`].
pub(super) fn stage(
    store: &RumStore,
    request: &Request<'_>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    match *request {
        Request::Edit { memory, edits } => {
            let whole = whole_of(store, memory, overlay)?;
            let mut edited = Edited::new(store, memory, whole, overlay.now);
            for edit in edits {
                edited.apply(edit)?;
            }
            edited.stage(overlay)
        }
        Request::Add {
            title,
            fields,
            body,
            ..
        } => super::add::add(store, title, fields, body, overlay),
        Request::Delete(memory) if memory.state == State::Archived => {
            let line = archive::take_out(store, memory, overlay)?;
            overlay.took(&memory.id, line);
            Ok(())
        }
        Request::Delete(memory) => {
            let gone = take_out(store, memory, overlay)?;
            let line = archive::kept(store, memory, gone, overlay)?;
            overlay.took(&memory.id, line);
            Ok(())
        }
        Request::Archive(memory) => {
            let gone = take_out(store, memory, overlay)?;
            archive::put(store, memory, gone, overlay)
        }
        Request::Restore(memory) => archive::restore(store, memory, overlay),
        Request::Save { .. } => Err(refused(
            "the text of a RUM memory is drawn from its layers: edit its fields",
        )),
        Request::Rename { .. } => Err(refused("a row has no name but its id, which stays")),
        Request::SplitFile(_) | Request::Normalize(_) => {
            Err(refused("a database has no text to be put right"))
        }
    }
}

/// The row of a memory, in the state in which the person saw it, or as it is staged.
pub(super) fn whole_of(
    store: &RumStore,
    memory: &Memory,
    overlay: &Overlay,
) -> Result<Whole, StoreError> {
    if memory.state == State::Archived {
        return Err(refused("it is archived: restore it first"));
    }
    if memory.sight == Sight::NoFields {
        return Err(refused(
            "it stands for a database that cannot be read as it is",
        ));
    }
    let changed = || StoreError::Changed(store.info.path.clone());
    let table = table_of(memory.schema);
    let (id, nth) = own_id(&memory.id.local);
    let (mut found, loose) = store.ask(|reader| {
        let found = reader.wholes(table.name, "id", id)?;
        let loose = found.is_empty() && !reader.found(table, &memory.id.local)?.is_empty();
        Ok((found, loose))
    })?;
    if loose {
        return Err(refused(
            "the row has no id, which alone tells one row from another: give it one first, with \
             its system or with `sqlite3`",
        ));
    }
    let is_it = |whole: &Whole| stamp(table, whole) == memory.stamp;
    let at = one_of(&found, nth, is_it).ok_or_else(changed)?;
    let whole = match at < found.len() {
        true => found.swap_remove(at),
        false => return Err(changed()),
    };
    if let Some(staged) = overlay.row(&store.info.path, table.name, &whole.key) {
        let row = staged.cloned().ok_or_else(changed)?;
        // Of a staged row only what is looked at is held.
        let mut whole = whole;
        for (name, cell) in row.0 {
            whole.row.set(&name, cell);
        }
        return Ok(whole);
    }
    match stamp(table, &whole) == memory.stamp {
        true => Ok(whole),
        false => Err(changed()),
    }
}

/// The state of a row, as a load has it.
fn stamp(table: &Table, whole: &Whole) -> Stamp {
    let cell = |name| Some((name, whole.row.get(name)?.clone()));
    let row: Row = table.columns().filter_map(cell).collect();
    archive::raw(row).cells().stamp()
}

/// Takes a row away, with all that hangs on it; gives them, the row first.
fn take_out(
    store: &RumStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<Vec<Whole>, StoreError> {
    let whole = whole_of(store, memory, overlay)?;
    let id = own_id(&memory.id.local).0;
    let (whole, hanging) = store.ask(|reader| {
        let hanging = reader.hanging(&whole.table, id)?.into_iter();
        let known = |one: Whole| {
            let loose = reader
                .missing(&one.table, &one.row, &|_, _| None)?
                .is_some();
            Ok(Whole { loose, ..one })
        };
        let hanging = hanging.map(known).collect::<rusqlite::Result<Vec<_>>>()?;
        Ok((known(whole)?, hanging))
    })?;
    for one in hanging.iter().chain([&whole]) {
        // A row that depends on two memories goes with the first of them.
        let gone = overlay.row(&store.info.path, &one.table, &one.key);
        if gone != Some(None) {
            overlay.change_row(&store.info.path, removal(one));
        }
    }
    Ok([vec![whole], hanging].concat())
}
