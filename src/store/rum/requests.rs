//! Requests on a database: changes of rows, planned against the database as it is.

use super::edit::Edit;
use super::records::{self, Record, refused};
use super::tables::Table;
use super::{RumStore, add, archive, own_id};
use crate::curate::RowChange;
use crate::memory::row::{Cell, Row};
use crate::memory::{Memory, Sight, State};
use crate::store::{Overlay, Request, StoreError};

impl RumStore {
    /// Stages a request; see [`crate::store::Store::stage`].
    pub(super) fn stage_request(
        &self,
        request: &Request<'_>,
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        match *request {
            Request::Edit { memory, edits } => Edit::apply(self, memory, edits, overlay),
            Request::Add {
                title,
                fields,
                body,
                ..
            } => add::add(self, title, fields, body, overlay),
            Request::Delete(memory) => {
                let line = match memory.state {
                    State::Archived => archive::take_out(self, memory, overlay)?,
                    _ => self.take_out(memory, overlay)?,
                };
                overlay.took(&memory.id, line);
                Ok(())
            }
            Request::Archive(memory) => {
                let line = self.take_out(memory, overlay)?;
                archive::append(self, &line, overlay)
            }
            Request::Restore(memory) if memory.state == State::Archived => {
                let line = archive::take_out(self, memory, overlay)?;
                archive::put_back(self, &line, overlay)
            }
            Request::Restore(memory) => Err(refused(format!("{} is not archived", memory.id))),
            Request::Save { .. } => Err(refused(
                "the text of a RUM memory is drawn from its layers: edit its fields",
            )),
            Request::Rename { .. } => Err(refused("a row has no name but its id, which stays")),
            Request::SplitFile(_) | Request::Normalize(_) => {
                Err(refused("a database has no text to be put right"))
            }
        }
    }

    /// The record of a memory, in the state in which the person saw it, or as it is staged.
    pub(super) fn current(&self, memory: &Memory, overlay: &Overlay) -> Result<Record, StoreError> {
        if memory.state == State::Archived {
            return Err(refused("it is archived: restore it first"));
        }
        if memory.sight == Sight::NoFields {
            return Err(refused(
                "it stands for a database that cannot be read as it is",
            ));
        }
        let changed = || StoreError::Changed(self.info.path.clone());
        let table = Table::of(memory.schema);
        let mut record = self.record(memory)?.ok_or_else(changed)?;
        if record.text("id").is_empty() {
            return Err(refused(
                "the row has no id, which alone tells one row from another: give it one first, with \
                 its system or with `sqlite3`",
            ));
        }
        match overlay.row(&self.info.path, table.name, &record.key) {
            // Of a staged row only the compared cells are held.
            Some(staged) => {
                for (name, cell) in &staged.ok_or_else(changed)?.0 {
                    record.row.set(name, cell.clone());
                }
                Ok(record)
            }
            None if table.stamp(&record.row) == memory.stamp => Ok(record),
            None => Err(changed()),
        }
    }

    /// True if a row with an id is staged to come or to stay, false if to go.
    pub(super) fn is_staged(&self, table: &str, id: &str, overlay: &Overlay) -> Option<bool> {
        let key: Row = [("id", Cell::from(id))].into_iter().collect();
        let row = overlay.row(&self.info.path, table, &key)?;
        Some(row.is_some())
    }

    pub(super) fn stage_changes(&self, changes: Vec<RowChange>, overlay: &mut Overlay) {
        for change in changes {
            overlay.change_row(&self.info.path, change);
        }
    }

    /// Takes a memory out, with all that hangs on it; gives its line of the archive.
    fn take_out(&self, memory: &Memory, overlay: &mut Overlay) -> Result<Vec<u8>, StoreError> {
        let own = self.current(memory, overlay)?;
        let id = own_id(&memory.id.local).0;
        let records = self.ask(|reader| {
            let hanging = reader.hanging(&own.table, id)?;
            let all = std::iter::once(own).chain(hanging);
            let all = all.map(|record| {
                let missing = reader.missing(&record.table, &record.row, &|_, _| None)?;
                let loose = missing.is_some();
                Ok(Record { loose, ..record })
            });
            all.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let mut changes = records::changes(&records, Vec::new());
        // A row that depends on two memories goes with the first of them.
        changes.retain(|change| {
            overlay.row(&self.info.path, &change.table, &change.key) != Some(None)
        });
        self.stage_changes(changes, overlay);
        Ok(archive::line(memory, records, overlay))
    }
}
