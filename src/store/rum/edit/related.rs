//! Rows of other tables that follow the fields of a row: files, links, members.

use super::{Difference, Edit};
use crate::memory::row::Cell;
use crate::store::rum::records::{Record, fresh_id, other_end};
use crate::store::{Overlay, Result, refuse};
use crate::systems::rum::{self, Layers, layers};

impl Edit<'_> {
    /// The rows of another table that have the id in a column, but those that are to go already.
    fn rows(&self, table: &str, column: &str, overlay: &Overlay) -> Result<Vec<Record>> {
        let store = self.store;
        let rows = store.ask(|reader| reader.records(table, column, self.id))?;
        let database = &store.info.path;
        let stays = |row: &Record| overlay.row(database, &row.table, &row.key) != Some(None);
        Ok(rows.into_iter().filter(stays).collect())
    }

    /// The files that the layers name, where they changed; rows of other programs stay.
    pub(super) fn files(&self, overlay: &Overlay) -> Result<Difference> {
        let [mut before, mut after] =
            [&self.before.row, &self.row].map(|row| Layers::read(row).0.files());
        let table = "memory_files";
        let links = self.store.ask(|reader| {
            Ok(match reader.columns(table)?.is_empty() {
                true => None,
                false => Some(reader.columns("memory_links")?),
            })
        })?;
        let Some(links) = links.filter(|_| before != after) else {
            return Ok(Difference::default());
        };
        let rows = self.rows(table, "memory_id", overlay)?;
        // The schema of the specification, in which links have no ids, has words of its own for
        // the operation; where rows have the program's, so have the others.
        let is_specified = !links.is_empty() && !links.iter().any(|column| column.name == "id");
        let is_programs =
            |row: &Record| layers::operation(row.text("operation")) != row.text("operation");
        if is_specified && !rows.iter().any(is_programs) {
            for (_, operation) in before.iter_mut().chain(&mut after) {
                *operation = layers::operation(operation).to_owned();
            }
        }
        let of = |files: &[(String, String)], path: &str| {
            let found = files.iter().find(|(own, _)| own == path);
            found.map(|(_, operation)| operation.clone())
        };
        let is_theirs = |row: &&Record| {
            let path = row.text("file_path");
            of(&before, path).is_none() && of(&after, path).is_none()
        };
        let mut now: Vec<Record> = rows.iter().filter(is_theirs).cloned().collect();
        for (path, operation) in &after {
            let known = rows.iter().find(|row| row.text("file_path") == path);
            now.push(match known {
                Some(row) if of(&before, path).as_deref() == Some(row.text("operation")) => {
                    row.with("operation", operation.as_str().into())
                }
                Some(row) => row.clone(),
                None => {
                    let file = ("file_path", path.as_str().into());
                    let operation = ("operation", operation.as_str().into());
                    self.fresh(table, &[("memory_id", self.id.into()), file, operation])?
                }
            });
        }
        Ok((rows, now))
    }

    /// The times of the first and last memory of a chapter, or chapter of wisdom.
    pub(super) fn times(&self, members: &[&str]) -> Result<Option<(i64, i64)>> {
        let (table, first, last) = match &*self.before.table {
            "chapters" => ("memories", "created_at", "created_at"),
            "wisdom" => ("chapters", "start_ts", "end_ts"),
            _ => return Ok(None),
        };
        let times = |column: &str| {
            let sql = format!("SELECT {column} FROM {table} WHERE id = ?1");
            self.store.ask(|reader| {
                let time = |member: &&str| reader.value(&sql, &[member])?.as_int();
                Ok(members.iter().filter_map(time).collect::<Vec<i64>>())
            })
        };
        let (first, last) = (times(first)?, times(last)?);
        Ok(first.into_iter().min().zip(last.into_iter().max()))
    }

    /// The rows of a field that joins the row with others, in their order.
    pub fn related(&self, field: &str, wanted: &[&str], overlay: &Overlay) -> Result<Difference> {
        // Tables, columns of the row's own id and types of links; new rows are of the first.
        let shown = match (&*self.before.table, field) {
            ("wisdom", _) => vec![("wisdom_chapters", "wisdom_id", "")],
            ("chapters", _) => vec![("chapter_memories", "chapter_id", "")],
            // RUM's readers derive `led_to` from `caused_by` of the other end (formats: rum).
            (_, "led_to") => vec![
                ("memory_links", "target_id", "caused_by"),
                ("memory_links", "source_id", "led_to"),
            ],
            (_, kind) => vec![("memory_links", "source_id", kind)],
        };
        let (mut before, mut after) = Difference::default();
        let mut known: Vec<String> = Vec::new();
        for (table, own, kind) in &shown {
            let other = other_end(table, own).0;
            for row in self.rows(table, own, overlay)? {
                if !kind.is_empty() && row.text("link_type") != *kind {
                    continue;
                }
                let end = row.text(other).to_owned();
                if let Some((position, _)) = (0_i64..).zip(wanted).find(|(_, id)| **id == end) {
                    after.push(row.with("position", position.into()));
                    known.push(end);
                }
                before.push(row);
            }
        }
        let (table, own, kind) = shown.first().copied().unwrap_or_default();
        let (other, of) = other_end(table, own);
        let created = self.row.get("created_at").and_then(Cell::as_int);
        for (position, id) in (0_i64..).zip(wanted) {
            if known.iter().any(|known| known == id) {
                continue;
            }
            if *id == self.id {
                return refuse("a memory is not linked to itself");
            }
            if !self.store.ask(|reader| Ok(reader.has(of, "id", id)))? {
                return refuse(format!("there is no `{id}` in `{of}`"));
            }
            let [source, target] = match own {
                "source_id" => [self.id, id],
                _ => [id, self.id],
            };
            let link = fresh_id("link", self.now, &[source, kind, target]);
            let cells = [
                ("id", link.into()),
                (own, self.id.into()),
                (other, (*id).into()),
                ("link_type", kind.into()),
                ("created_at", rum::number(self.now, created).into()),
                ("position", position.into()),
            ];
            after.push(self.fresh(table, &cells)?);
        }
        Ok((before, after))
    }

    fn fresh(&self, table: &str, cells: &[(&str, Cell)]) -> Result<Record> {
        let fresh = self.store.ask(|reader| reader.fresh(table, cells))?;
        Ok(fresh.without_nulls())
    }
}
