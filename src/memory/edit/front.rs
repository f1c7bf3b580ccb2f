//! Changes to fields: what the fields are to be, and the replacements of bytes that make it so.

use super::{Document, EditError, FieldEdit, Layout, Splice, eol, part, same, splice};
use crate::memory::document::{BOM, is_blank};
use crate::memory::frontmatter::spans::{self, Entry, Item, Kind, Node};
use crate::memory::frontmatter::write::{self, Quotes};
use crate::memory::{Fields, Value};

/// The fields after an edit, in order; nothing where it changes nothing.
pub(super) fn wanted(
    fields: &Fields,
    edit: &FieldEdit,
) -> Result<Option<Vec<(String, Value)>>, EditError> {
    let name = edit.subject();
    let old = fields.get(name);
    let list = || -> Result<Vec<Value>, EditError> {
        match old {
            Some(Value::Map(_)) => Err(EditError::NotAList { field: name.into() }),
            Some(value) => Ok(value.items().cloned().collect()),
            None => Ok(Vec::new()),
        }
    };
    let missing = |index| EditError::NoSuchItem {
        field: name.into(),
        index,
    };
    let new = match edit {
        FieldEdit::Set { value, .. } => Some(value.clone()),
        FieldEdit::Unset { .. } => None,
        FieldEdit::AddItem { item, .. } => {
            Some(list()?.into_iter().chain([item.clone()]).collect())
        }
        FieldEdit::RemoveItem { index, .. } => {
            let mut items = list()?;
            if *index >= items.len() {
                return Err(missing(*index));
            }
            items.remove(*index);
            Some(Value::List(items.into()))
        }
        FieldEdit::SetItem { index, value, .. } => {
            let mut items = list()?;
            *items.get_mut(*index).ok_or_else(|| missing(*index))? = value.clone();
            match old {
                Some(Value::List(_)) => Some(Value::List(items.into())),
                _ => Some(value.clone()),
            }
        }
        FieldEdit::MoveItem { from, to, .. } => {
            let mut items = list()?;
            for index in [*from, *to] {
                items.get(index).ok_or_else(|| missing(index))?;
            }
            if from == to {
                return Ok(None);
            }
            let item = items.remove(*from);
            items.insert(*to, item);
            Some(Value::List(items.into()))
        }
        FieldEdit::Body(_) | FieldEdit::Text(_) => return Ok(None),
    };
    let unchanged = match (&new, old) {
        (Some(new), Some(old)) => same(new, old),
        (None, None) => true,
        _ => false,
    };
    if unchanged {
        return Ok(None);
    }
    let mut all: Vec<(String, Value)> = Vec::new();
    for (key, value) in fields.iter() {
        match &new {
            _ if key != name => all.push((key.into(), value.clone())),
            Some(new) => all.push((key.into(), new.clone())),
            None => {}
        }
    }
    if let (Some(new), None) = (new, old) {
        all.push((name.into(), new));
    }
    Ok(Some(all))
}

/// The file after an edit of a field.
pub(super) fn change(
    bytes: &[u8],
    layout: &Layout,
    document: &Document,
    fields: &Fields,
    edit: &FieldEdit,
) -> Result<Vec<u8>, EditError> {
    let Some(range) = &document.front else {
        return create(bytes, layout, document, edit);
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
        write::lines(name, &value, 0, eol)
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

    /// Where what goes with a field ends. Below a block scalar that keeps its blank lines, those
    /// after the field would become part of it.
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
        let lines = write::lines(name, value, indent, self.eol);
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
            (Kind::Empty, _, Value::List(items)) if write::by_line(&entry.key, items) => {
                let at = self.line_after(entry.colon);
                vec![(at..at, write::item_lines(items, entry.indent, self.eol))]
            }
            (Kind::Flow(_) | Kind::Lines(_) | Kind::Other, ..)
            | (_, _, Value::List(_) | Value::Map(_)) => self.replace(
                entry,
                &write::inline(value, write::habit(&entry.key), false),
            ),
            _ => self.set_node(entry, &entry.node, value, false),
        }
    }

    /// Another scalar in place of one, in the same quotes where they can hold it.
    fn set_node(&self, entry: &Entry, node: &Node, value: &Value, inside: bool) -> Edits {
        let quotes = match &node.kind {
            kind @ (Kind::Single | Kind::Double | Kind::Plain) => quotes_of(kind),
            _ => write::habit(&entry.key),
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

    /// A list over a list: items that stay keep their bytes.
    fn set_list(&self, entry: &Entry, items: &[Item], old: &[Value], new: &[Value]) -> Edits {
        let head = old.iter().zip(new).take_while(|(a, b)| same(a, b)).count();
        let most = old.len().min(new.len()) - head;
        let ends = old.iter().rev().zip(new.iter().rev()).take(most);
        let tail = ends.take_while(|(a, b)| same(a, b)).count();
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let inside = self.inside(entry);
        let mut edits = Edits::new();
        let middle = items.iter().enumerate().take(old_end).skip(head);
        for (index, item) in middle {
            match new.get(index).filter(|_| index < new_end) {
                Some(value) => edits.extend(self.set_node(entry, &item.node, value, inside)),
                None => edits.push((
                    self.item_range(items, index, inside, head.max(new_end)),
                    String::new(),
                )),
            }
        }
        let added = new.get(old_end.max(head)..new_end).unwrap_or_default();
        if !added.is_empty() {
            edits.extend(self.insert_items(entry, items, old_end, added));
        }
        edits
    }

    /// What goes when an item goes: its lines; in brackets, it and the comma on one side, the
    /// one before it where items stay before it (`kept` of them).
    fn item_range(
        &self,
        items: &[Item],
        index: usize,
        inside: bool,
        kept: usize,
    ) -> std::ops::Range<usize> {
        let Some(item) = items.get(index) else {
            return 0..0;
        };
        let range = item.lines.clone();
        if !inside {
            return range;
        }
        let before = index.checked_sub(1).and_then(|before| items.get(before));
        match (before, items.get(index + 1)) {
            (Some(before), _) if kept > 0 => before.lines.end..range.end,
            (_, Some(next)) => range.start..next.lines.start,
            (Some(before), None) => before.lines.end..range.end,
            (None, None) => range,
        }
    }

    /// New items before the item with this number, or at the end.
    fn insert_items(&self, entry: &Entry, items: &[Item], at: usize, new: &[Value]) -> Edits {
        let inside = self.inside(entry);
        let like = at
            .checked_sub(1)
            .and_then(|before| items.get(before))
            .or(items.first());
        let Some(like) = like else {
            return Edits::new();
        };
        let quotes = quotes_of(&like.node.kind);
        let text = |value: &Value| write::inline(value, quotes, inside);
        if !inside {
            let place = if at == 0 {
                like.lines.start
            } else {
                like.lines.end
            };
            let dash = self.get(like.lines.start..like.node.range.start);
            // Below a dash alone, or with a comment between, the shape is not one to repeat.
            let dash = if dash.contains(['\n', '#']) || !dash.ends_with(' ') {
                let end = dash.find('-').map_or(0, |at| at + 1);
                format!("{} ", dash.get(..end).unwrap_or_default())
            } else {
                dash.to_owned()
            };
            let line = |value: &Value| format!("{dash}{}{}", text(value), self.eol);
            return vec![(place..place, new.iter().map(line).collect())];
        }
        let gap = match items {
            [.., before, last] => self.get(before.lines.end..last.lines.start),
            _ => ", ",
        };
        let gap = if gap.contains('#') { ", " } else { gap };
        let mut edits = String::new();
        for value in new {
            if at == 0 {
                edits = edits + &text(value) + gap;
            } else {
                edits = edits + gap + &text(value);
            }
        }
        let place = if at == 0 {
            like.lines.start
        } else {
            like.lines.end
        };
        vec![(place..place, edits)]
    }

    fn add_item(&self, entry: &Entry, old: &Value, item: &Value) -> Edits {
        let alone: Value = [item.clone()].into_iter().collect();
        match &entry.node.kind {
            Kind::Flow(items) if items.is_empty() => {
                let at = entry.node.range.start + 1;
                vec![(at..at, write::inline(item, write::habit(&entry.key), true))]
            }
            Kind::Flow(items) | Kind::Lines(items) => {
                self.insert_items(entry, items, items.len(), std::slice::from_ref(item))
            }
            Kind::Empty => self.set(entry, old, &alone),
            _ if *old == Value::Null => self.set(entry, old, &alone),
            _ => {
                let both = old.items().cloned().chain([item.clone()]).collect();
                self.set(entry, old, &both)
            }
        }
    }

    /// Whether a scalar means the same in brackets as it is written.
    fn stands_inside(&self, node: &Node, value: &Value) -> bool {
        !matches!(node.kind, Kind::Plain)
            || self.get(node.range.clone()) == write::inline(value, Quotes::Plain, true)
    }

    fn remove_item(&self, entry: &Entry, index: usize) -> Edits {
        match &entry.node.kind {
            Kind::Flow(items) if items.len() > 1 => {
                vec![(self.item_range(items, index, true, index), String::new())]
            }
            Kind::Lines(items) if items.len() > 1 => {
                vec![(self.item_range(items, index, false, index), String::new())]
            }
            _ => self.replace(entry, "[]"),
        }
    }

    /// Items trade places; the lines, commas and comments around them stay.
    fn move_item(&self, items: &[Item], from: usize, to: usize) -> Edits {
        let mut order: Vec<usize> = (0..items.len()).collect();
        if from < order.len() && to < order.len() {
            let item = order.remove(from);
            order.insert(to, item);
        }
        let moved = items
            .iter()
            .zip(order)
            .enumerate()
            .filter(|(place, (_, from))| place != from);
        moved
            .filter_map(|(_, (item, from))| {
                let text = self.get(items.get(from)?.node.range.clone());
                Some((item.node.range.clone(), text.to_owned()))
            })
            .collect()
    }
}
