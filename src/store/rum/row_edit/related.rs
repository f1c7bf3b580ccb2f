//! Rows that follow the fields of another: links, members, files.

use super::Edited;
use crate::curate::RowChange;
use crate::memory::Timestamp;
use crate::memory::row::{Cell, Row};
use crate::store::StoreError;
use crate::store::rum::RumStore;
use crate::store::rum::tables::joined;
use crate::store::rum::whole::{Whole, addition, change, fresh_id, refused, removal};
use crate::systems::rum::{self, Layers, layers::operation};

/// The files that the layers of a row name, each with what the table of files says of it. The
/// schema of the specification, in which links have no ids, has words of its own for that; `rows`
/// are those there are, and where they have the program's, so have the others.
fn files(store: &RumStore, row: &Row, rows: &[Whole]) -> Result<Vec<(String, String)>, StoreError> {
    let mut files = Layers::read(|name| row.get(name)).0.files();
    let links = store.ask(|reader| reader.columns("memory_links"))?;
    let is_specified = !links.is_empty() && !links.iter().any(|name| name == "id");
    let of_program = |row: &Whole| {
        let own = row.row.text("operation").unwrap_or_default();
        operation(own) != own
    };
    if is_specified && !rows.iter().any(of_program) {
        for (_, kind) in &mut files {
            *kind = operation(kind).to_owned();
        }
    }
    Ok(files)
}

impl Edited<'_> {
    /// Clears an embedding that was made of another text; only the system can make one.
    pub(super) fn clear_embedding(&mut self) -> Result<Option<String>, StoreError> {
        let layers = |row: &Row| Layers::read(|name| row.get(name)).0;
        let (before, after) = (layers(&self.before.row), layers(&self.row));
        let is_stored = self
            .row
            .get("embedding")
            .is_some_and(|cell| !cell.is_null());
        if !is_stored || before.embedded() == after.embedded() {
            return Ok(None);
        }
        self.set("embedding", Cell::Null)?;
        Ok(Some(format!(
            "{}:{} has other text than its embedding, which is cleared: RUM does not find the memory by \
             meaning until its `update_memory` changes the text",
            self.store.info.id, self.id
        )))
    }

    /// Keeps the table of files in step with the actions and what was seen.
    pub(super) fn put_files(&mut self) -> Result<(), StoreError> {
        let id = self.id;
        let (there, rows) = self.store.ask(|reader| {
            let there = !reader.columns("memory_files")?.is_empty();
            Ok((there, reader.wholes("memory_files", "memory_id", id)?))
        })?;
        if !there {
            return Ok(());
        }
        let before = files(self.store, &self.before.row, &rows)?;
        let after = files(self.store, &self.row, &rows)?;
        // Discards the changes of an earlier edit to make them anew.
        self.others.retain(|change| change.table != "memory_files");
        let names =
            |files: &[(String, String)], path: &str| files.iter().any(|(own, _)| own == path);
        for row in &rows {
            let path = row.row.text("file_path").unwrap_or_default();
            if names(&before, path) && !names(&after, path) {
                self.others.push(removal(row));
            }
        }
        for file @ (path, operation) in &after {
            let mut known = rows.iter();
            let known = known.find(|row| row.row.text("file_path") == Some(path));
            // True if the row has the old operation of the layers.
            let followed = |row: &&Whole| {
                let own = row.row.text("operation").unwrap_or_default();
                own != operation
                    && before
                        .iter()
                        .any(|(file, then)| file == path && then == own)
            };
            if let Some(row) = known.filter(followed) {
                let mut now = row.row.clone();
                now.set("operation", operation.as_str().into());
                self.others.push(change(row, now));
            }
            if known.is_none() {
                self.others.push(addition(file_row(id, file)));
            }
        }
        Ok(())
    }

    /// The links of a kind: rows of their own. A link that follows from one in the other
    /// direction goes with that one.
    pub(super) fn put_links(&mut self, kind: &str, wanted: &[String]) -> Result<(), StoreError> {
        let id = self.id;
        let (rows, back) = self.store.ask(|reader| {
            Ok((
                reader.wholes("memory_links", "source_id", id)?,
                reader.wholes("memory_links", "target_id", id)?,
            ))
        })?;
        let of = |row: &Whole, end: &str, kind: &str| {
            (row.row.text("link_type") == Some(kind))
                .then(|| row.row.text(end).unwrap_or_default().to_owned())
        };
        // Discards an earlier edit's changes of this kind to make them anew.
        let is_kind = |change: &RowChange| {
            let row = change.after.as_ref().or(change.before.as_ref());
            let text = |name: &str| row.and_then(|row| row.text(name));
            let is =
                |link: &str, end: &str| text("link_type") == Some(link) && text(end) == Some(id);
            is(kind, "source_id") || (kind == "led_to" && is("caused_by", "target_id"))
        };
        self.others.retain(|change| !is_kind(change));
        let staged = self.others.clone();
        let own: Vec<(String, &Whole)> = rows
            .iter()
            .filter_map(|row| Some((of(row, "target_id", kind)?, row)))
            .chain(back.iter().filter_map(|row| {
                (kind == "led_to").then_some(())?;
                Some((of(row, "source_id", "caused_by")?, row))
            }))
            .collect();
        let wanted: Vec<&str> = wanted.iter().map(|end| bare(end)).collect();
        for (end, row) in &own {
            let gone = staged.iter().any(|change| change.key == row.key);
            if !wanted.contains(&end.as_str()) && !gone {
                self.others.push(removal(row));
            }
        }
        for end in wanted {
            if own.iter().any(|(known, _)| known == end) {
                continue;
            }
            if end == id {
                return Err(refused("a memory is not linked to itself"));
            }
            let row = link_row(self.store, (id, kind, end), self.time(), self.now)?;
            self.others.push(addition(row));
        }
        Ok(())
    }

    /// The moment, in the unit of the row.
    fn time(&self) -> i64 {
        rum::number(self.now, self.row.get("created_at").and_then(Cell::as_int))
    }

    /// When the first and the last memory of a chapter were made.
    fn put_times(&mut self, members: &[&str]) -> Result<(), StoreError> {
        let sql = "SELECT created_at FROM memories WHERE id = ?1";
        let times = self.store.ask(|reader| {
            let times = members
                .iter()
                .filter_map(|member| reader.value(sql, &[member])?.as_int());
            Ok(times.collect::<Vec<i64>>())
        })?;
        if let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) {
            self.row.set("start_ts", (*first).into());
            self.row.set("end_ts", (*last).into());
        }
        Ok(())
    }

    /// The members of a chapter or of wisdom, in their order.
    pub(super) fn put_members(&mut self, wanted: &[String]) -> Result<(), StoreError> {
        let (id, table) = (self.id, self.before.table.clone());
        let (join, own, other, of) = joined(&table);
        let (rows, columns) = self
            .store
            .ask(|reader| Ok((reader.wholes(join, own, id)?, reader.described(join)?)))?;
        let wanted: Vec<&str> = wanted.iter().map(|end| bare(end)).collect();
        self.others.retain(|change| change.table != join);
        if table == "chapters" {
            self.put_times(&wanted)?;
        }
        for row in &rows {
            if !wanted.contains(&row.row.text(other).unwrap_or_default()) {
                self.others.push(removal(row));
            }
        }
        let has_position = columns.iter().any(|column| column.name == "position");
        for (position, member) in (0_i64..).zip(wanted) {
            let known = rows.iter().find(|row| row.row.text(other) == Some(member));
            if let Some(known) = known {
                let mut moved = known.row.clone();
                if has_position && moved.get("position") != Some(&Cell::Int(position)) {
                    moved.set("position", position.into());
                    self.others.push(change(known, moved));
                }
                continue;
            }
            let there = self.store.ask(|reader| {
                let sql = format!("SELECT 1 FROM {of} WHERE id = ?1");
                Ok(reader.value(&sql, &[member]).is_some())
            })?;
            if !there {
                return Err(StoreError::Refused(format!(
                    "there is no `{member}` to take in"
                )));
            }
            self.others.push(addition(member_row(
                &table,
                id,
                member,
                has_position.then_some(position),
            )));
        }
        Ok(())
    }
}

/// A row that links a memory to another one; refused where that is not there.
fn link_row(
    store: &RumStore,
    (id, kind, end): (&str, &str, &str),
    created: i64,
    now: Timestamp,
) -> Result<Whole, StoreError> {
    let end = bare(end);
    let (there, columns) = store.ask(|reader| {
        let known = reader.value("SELECT 1 FROM memories WHERE id = ?1", &[end]);
        Ok((known.is_some(), reader.described("memory_links")?))
    })?;
    if !there {
        return Err(StoreError::Refused(format!(
            "there is no memory `{end}` to link to"
        )));
    }
    // RUM's readers derive `led_to` from the `caused_by` of the other end, and read no row of that
    // type (formats: rum).
    let (source, kind, target) = match kind {
        "led_to" => (end, "caused_by", id),
        kind => (id, kind, end),
    };
    let fresh = fresh_id("link", now, &[source, kind, target]);
    let cells = [
        ("id", Cell::from(fresh)),
        ("source_id", source.into()),
        ("target_id", target.into()),
        ("link_type", kind.into()),
        ("created_at", created.into()),
    ];
    let has = |name: &str| columns.iter().any(|column| column.name == name);
    let row: Row = cells.into_iter().filter(|(name, _)| has(name)).collect();
    let is_key = |name: &str| columns.iter().any(|one| one.is_key && one.name == name);
    let key: Row = row
        .0
        .iter()
        .filter(|(name, _)| is_key(name))
        .cloned()
        .collect();
    let key = if key.0.is_empty() { row.clone() } else { key };
    let table = "memory_links".to_owned();
    Ok(Whole {
        table,
        key,
        row,
        loose: false,
    })
}

/// A row that says what a memory did to a file.
fn file_row(id: &str, (path, operation): &(String, String)) -> Whole {
    let key: Row = [("memory_id", id), ("file_path", path)]
        .into_iter()
        .map(|(name, text)| (name, Cell::from(text)))
        .collect();
    let mut row = key.clone();
    row.0
        .push(("operation".to_owned(), operation.as_str().into()));
    let table = "memory_files".to_owned();
    Whole {
        table,
        key,
        row,
        loose: false,
    }
}

/// A row that makes one a member of another.
fn member_row(table: &str, id: &str, member: &str, position: Option<i64>) -> Whole {
    let (join, own, other, _) = joined(table);
    let key: Row = [(own, id), (other, member)]
        .into_iter()
        .map(|(name, text)| (name, Cell::from(text)))
        .collect();
    let mut row = key.clone();
    row.0
        .extend(position.map(|position| ("position".to_owned(), position.into())));
    Whole {
        table: join.to_owned(),
        key,
        row,
        loose: false,
    }
}

/// An id without the store it is in.
fn bare(id: &str) -> &str {
    id.rsplit_once(':').map_or(id, |(_, local)| local)
}
