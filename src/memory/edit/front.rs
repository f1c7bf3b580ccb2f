//! Changes to fields: the replacements of bytes that make them.

mod list;

use super::{Document, EditError, FieldEdit, Layout, Splice, eol, part, splice};
use crate::memory::document::{BOM, is_blank};
use crate::memory::frontmatter::spans::{self, Entry, Kind, Node};
use crate::memory::frontmatter::write::{self, Quotes};
use crate::memory::{Fields, Schema, Value};

/// The file after an edit of a field.
pub(super) fn change(
    schema: &Schema,
    bytes: &[u8],
    layout: &Layout,
    document: &Document,
    fields: &Fields,
    edit: &FieldEdit,
) -> Result<Vec<u8>, EditError> {
    let Some(range) = &document.front else {
        return create(schema, bytes, layout, document, edit);
    };
    let text = str::from_utf8(part(bytes, range.clone()))
        .map_err(|_| EditError::Refused("the frontmatter is not UTF-8"))?;
    let known = |entries: &Vec<Entry>| {
        entries.len() == fields.iter().count()
            && entries
                .iter()
                .zip(fields.iter())
                .all(|(entry, (name, _))| entry.key == name)
    };
    let entries = spans::entries(text)
        .filter(known)
        .ok_or(EditError::Refused(
            "the frontmatter is written in a way that only an edit of its text can change",
        ))?;
    let front = Front {
        schema,
        text,
        entries,
        eol: eol(text.as_bytes(), layout),
    };
    let shift = |(at, new): (std::ops::Range<usize>, String)| {
        (
            range.start + at.start..range.start + at.end,
            new.into_bytes(),
        )
    };
    let splices: Vec<Splice> = front
        .splices(fields, edit)?
        .into_iter()
        .map(shift)
        .collect();
    Ok(splice(bytes, splices))
}

/// Frontmatter for a text that has none.
fn create(
    schema: &Schema,
    bytes: &[u8],
    layout: &Layout,
    document: &Document,
    edit: &FieldEdit,
) -> Result<Vec<u8>, EditError> {
    let (name, value) = match edit {
        FieldEdit::Set { field, value } => (field, value.clone()),
        FieldEdit::AddItem { field, item } => (field, [item.clone()].into_iter().collect()),
        _ => return Err(EditError::Refused("there is no frontmatter")),
    };
    let start = if layout.bom { BOM.len() } else { 0 };
    let text = part(bytes, start..document.span.end);
    if text.trim_ascii_start().starts_with(b"---") {
        return Err(EditError::Refused(
            "the text begins with --- but has no frontmatter; edit the text instead",
        ));
    }
    let eol = eol(b"", layout);
    let gap = match text.first() {
        _ if is_blank(text) => "",
        Some(b'\n' | b'\r') => "",
        _ => eol,
    };
    let front = format!(
        "---{eol}{}---{eol}{gap}",
        write::lines(schema, name, &value, 0, eol)
    );
    Ok(splice(bytes, vec![(start..start, front.into_bytes())]))
}

/// The quotes a scalar is written in.
const fn quotes_of(kind: &Kind) -> Quotes {
    match kind {
        Kind::Single => Quotes::Single,
        Kind::Double => Quotes::Double,
        _ => Quotes::Plain,
    }
}

/// Replacements in the text of the frontmatter.
type Edits = Vec<(std::ops::Range<usize>, String)>;

struct Front<'a> {
    schema: &'a Schema,
    text: &'a str,
    entries: Vec<Entry>,
    eol: &'static str,
}

impl Front<'_> {
    fn splices(&self, fields: &Fields, edit: &FieldEdit) -> Result<Edits, EditError> {
        let name = edit.subject();
        let Some(entry) = self.entries.iter().find(|entry| entry.key == name) else {
            return Ok(match edit {
                FieldEdit::Set { value, .. } => self.add(name, value),
                FieldEdit::AddItem { item, .. } => {
                    self.add(name, &[item.clone()].into_iter().collect())
                }
                _ => Vec::new(),
            });
        };
        let items = match &entry.node.kind {
            Kind::Flow(items) | Kind::Lines(items) => items.as_slice(),
            _ => &[],
        };
        let special = |node: &Node| matches!(node.kind, Kind::Special);
        if name == "<<" || special(&entry.node) || items.iter().any(|item| special(&item.node)) {
            return Err(EditError::Anchored { field: name.into() });
        }
        let old = fields.get(name).unwrap_or(&Value::Null);
        match edit {
            FieldEdit::Unset { .. } => Ok(vec![(entry.start..self.gone(entry), String::new())]),
            FieldEdit::Set { value, .. } => Ok(self.set(entry, old, value)),
            FieldEdit::AddItem { item, .. } => Ok(self.add_item(entry, old, item)),
            FieldEdit::RemoveItem { index, .. } => Ok(self.remove_item(entry, *index)),
            FieldEdit::SetItem { index, value, .. } => Ok(match items.get(*index) {
                Some(item) => self.set_node(entry, &item.node, value, self.inside(entry)),
                None => self.set(entry, old, value),
            }),
            FieldEdit::MoveItem { from, to, .. } => Ok(self.move_item(items, *from, *to)),
            FieldEdit::Body(_) | FieldEdit::Text(_) => Ok(Vec::new()),
        }
    }

    fn get(&self, range: std::ops::Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    fn inside(&self, entry: &Entry) -> bool {
        matches!(entry.node.kind, Kind::Flow(_))
    }

    /// Returns the end of a removed field's range. Below a block scalar that keeps its blank lines,
    /// those after the field would become part of it.
    fn gone(&self, entry: &Entry) -> usize {
        let before = self
            .entries
            .iter()
            .take_while(|other| other.start < entry.start)
            .last();
        let keeps = before.is_some_and(|before| match before.node.kind {
            Kind::Block(head) => self.get(before.node.range.start..head).contains('+'),
            _ => false,
        });
        let mut end = entry.end;
        while keeps && end < self.text.len() && self.get(end..self.line_end(end)).trim().is_empty()
        {
            end = self.line_after(end);
        }
        end
    }

    /// A field at the end, below the last comment.
    fn add(&self, name: &str, value: &Value) -> Edits {
        let last = self.text.trim_end().len();
        let end = if last == 0 {
            self.text.len()
        } else {
            self.line_after(last)
        };
        let at = self.entries.last().map_or(end, |entry| entry.end.max(end));
        let indent = self.entries.first().map_or(0, |entry| entry.indent);
        let lines = write::lines(self.schema, name, value, indent, self.eol);
        vec![(at..at, lines)]
    }

    /// Another value for a field that is there.
    fn set(&self, entry: &Entry, old: &Value, value: &Value) -> Edits {
        match (&entry.node.kind, old, value) {
            (Kind::Flow(items) | Kind::Lines(items), Value::List(old), Value::List(new))
                if !items.is_empty() && !new.is_empty() && items.len() == old.len() =>
            {
                self.set_list(entry, items, old, new)
            }
            (Kind::Single | Kind::Double | Kind::Plain, old, Value::List(items))
                if items.first() == Some(old) && self.stands_inside(&entry.node, old) =>
            {
                // The first item stays as it is written.
                let quotes = quotes_of(&entry.node.kind);
                let item = |item: &Value| format!(", {}", write::inline(item, quotes, true));
                let more: String = items.iter().skip(1).map(item).collect();
                let range = &entry.node.range;
                vec![
                    (range.start..range.start, "[".into()),
                    (range.end..range.end, more + "]"),
                ]
            }
            (Kind::Empty, _, Value::List(items))
                if write::by_line(self.schema, &entry.key, items) =>
            {
                let at = self.line_after(entry.colon);
                let lines =
                    write::item_lines(self.schema, &entry.key, items, entry.indent, self.eol);
                vec![(at..at, lines)]
            }
            (Kind::Flow(_) | Kind::Lines(_) | Kind::Other, ..)
            | (_, _, Value::List(_) | Value::Map(_)) => self.replace(
                entry,
                &write::inline(value, write::quotes(self.schema, &entry.key), false),
            ),
            _ => self.set_node(entry, &entry.node, value, false),
        }
    }

    /// Another scalar in place of one, in the same quotes where they can hold it.
    fn set_node(&self, entry: &Entry, node: &Node, value: &Value, inside: bool) -> Edits {
        let quotes = match &node.kind {
            kind @ (Kind::Single | Kind::Double | Kind::Plain) => quotes_of(kind),
            _ => write::quotes(self.schema, &entry.key),
        };
        let was_date = matches!(node.kind, Kind::Plain) && {
            let text = self.get(node.range.clone());
            text.len() >= 10 && crate::memory::Timestamp::parse_iso(text).is_some()
        };
        let new = match value {
            Value::Text(text)
                if quotes == Quotes::Plain
                    && (write::is_date(&entry.key, text)
                        || was_date
                            && crate::memory::Timestamp::parse_iso(text).is_some()
                            && text.len() >= 10) =>
            {
                text.to_string()
            }
            value => write::inline(value, quotes, inside),
        };
        match (&node.kind, value) {
            (Kind::Empty, _) => vec![(node.range.clone(), format!(" {new}"))],
            (Kind::Block(head), Value::Text(text)) => self.set_block(node, *head, text, new),
            (Kind::Block(head), _) => self.drop_block(node, *head, new),
            _ => vec![(node.range.clone(), new)],
        }
    }

    /// A block scalar stays one where the new text has the shape of its header: several lines,
    /// none of them odd.
    fn set_block(&self, node: &Node, head: usize, text: &str, inline: String) -> Edits {
        let header = self.get(node.range.start..head);
        let content = self.get(self.line_after(head).min(node.range.end)..node.range.end);
        let indent: String = content.chars().take_while(|c| *c == ' ').collect();
        let lines = text.strip_suffix('\n').unwrap_or(text);
        let chomp = if text.ends_with('\n') { "|" } else { "|-" };
        let fits = header == chomp
            && !indent.is_empty()
            && !lines.is_empty()
            && lines.chars().all(|c| {
                c == '\n'
                    || (!c.is_control() && c != '\u{feff}' && !matches!(c, '\u{2028}' | '\u{2029}'))
            })
            && lines
                .split('\n')
                .all(|line| !line.ends_with(' ') && line.trim() == line.trim_end())
            && lines.trim() == lines;
        if !fits {
            return self.drop_block(node, head, inline);
        }
        let pad = |line: &str| {
            if line.is_empty() {
                String::new()
            } else {
                format!("{indent}{line}")
            }
        };
        let new: Vec<_> = lines.split('\n').map(pad).collect();
        let start = self.line_after(head);
        vec![(start..node.range.end, new.join(self.eol))]
    }

    /// One line in place of a block scalar; a comment beside its header stays.
    fn drop_block(&self, node: &Node, head: usize, new: String) -> Edits {
        let mut edits = vec![(node.range.start..head, new)];
        let line = self.line_end(head);
        if line < node.range.end {
            edits.push((line..node.range.end, String::new()));
        }
        edits
    }

    /// Another value, on the key's line, in place of one of any shape.
    fn replace(&self, entry: &Entry, new: &str) -> Edits {
        let node = &entry.node;
        let line = self.line_end(entry.colon);
        match node.kind {
            Kind::Empty => vec![(node.range.clone(), format!(" {new}"))],
            Kind::Block(head) => self.drop_block(node, head, new.into()),
            _ if node.range.start <= line => vec![(node.range.clone(), new.into())],
            _ => vec![
                (entry.colon..entry.colon, format!(" {new}")),
                (line..self.line_end(node.range.end), String::new()),
            ],
        }
    }

    /// The start of the next line.
    fn line_after(&self, at: usize) -> usize {
        let rest = self.get(at..self.text.len());
        rest.find('\n').map_or(self.text.len(), |end| at + end + 1)
    }

    /// The end of the line, before its line end.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.get(at..self.text.len());
        let line = rest.split('\n').next().unwrap_or_default();
        at + line.strip_suffix('\r').unwrap_or(line).len()
    }
}
