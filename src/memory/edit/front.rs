//! Changes to fields: the replacements of bytes that make them.

use std::ops::Range;

use super::{Document, EditError, Edits, Layout, eol, part, same};
use crate::memory::document::{BOM, is_blank};
use crate::memory::frontmatter::spans::{self, Entry, Item, Kind, Node, Scan};
use crate::memory::frontmatter::write::{self, Quotes};
use crate::memory::{Fields, Schema, Timestamp, Value};

/// The replacements in the text of a frontmatter that give a field another value, or take it out.
pub(super) fn change(
    schema: &Schema,
    (text, eol): (&str, &'static str),
    fields: &Fields,
    (name, new): (&str, Option<&Value>),
) -> Result<Edits, EditError> {
    let is_known = |entries: &Vec<Entry>| {
        let keys = entries.iter().map(|entry| entry.key.as_str());
        keys.eq(fields.iter().map(|(name, _)| name))
    };
    let entries = spans::entries(text)
        .filter(is_known)
        .ok_or(EditError::Refused(
            "the frontmatter is written in a way that only an edit of its text can change",
        ))?;
    let front = Front {
        schema,
        text,
        entries,
        eol,
    };
    let Some(entry) = front.entries.iter().find(|entry| entry.key == name) else {
        return Ok(new.map_or_else(Vec::new, |value| front.add(name, value)));
    };
    let special = |node: &Node| matches!(node.kind, Kind::Special);
    let mut items = entry.node.items().iter();
    if name == "<<" || special(&entry.node) || items.any(|item| special(&item.node)) {
        return Err(EditError::Anchored { field: name.into() });
    }
    Ok(match new {
        Some(value) => front.set(entry, fields.get(name).unwrap_or(&Value::Null), value),
        None => vec![(entry.start..front.end_of_removed(entry), String::new())],
    })
}

/// Frontmatter for a text that has none: the byte it begins at, and the replacement there.
pub(super) fn create(
    schema: &Schema,
    bytes: &[u8],
    layout: &Layout,
    document: &Document,
    (name, value): (&str, Option<&Value>),
) -> Result<(usize, Edits), EditError> {
    let value = value.ok_or(EditError::Refused("there is no frontmatter"))?;
    let start = if layout.bom { BOM.len() } else { 0 };
    let text = part(bytes, start..document.span.end);
    if text.trim_ascii_start().starts_with(b"---") {
        return Err(EditError::Refused(
            "the text begins with --- but has no frontmatter; edit the text instead",
        ));
    }
    let eol = eol(b"", layout);
    let has_gap = is_blank(text) || matches!(text.first(), Some(b'\n' | b'\r'));
    let gap = if has_gap { "" } else { eol };
    let lines = write::lines(schema, name, value, 0, eol);
    let front = format!("---{eol}{lines}---{eol}{gap}");
    Ok((start, vec![(0..0, front)]))
}

/// The quotes a scalar is written in.
const fn quotes_of(kind: &Kind) -> Quotes {
    match kind {
        Kind::Single => Quotes::Single,
        Kind::Double => Quotes::Double,
        _ => Quotes::Plain,
    }
}

/// True for a text that is a day or a time.
fn is_time(text: &str) -> bool {
    text.len() >= 10 && Timestamp::parse_iso(text).is_some()
}

struct Front<'a> {
    schema: &'a Schema,
    text: &'a str,
    entries: Vec<Entry>,
    eol: &'static str,
}

impl Front<'_> {
    const fn lines(&self) -> Scan<'_> {
        Scan(self.text.as_bytes())
    }

    fn get(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the end of a removed field's range. Below a block scalar that keeps its blank lines,
    /// those after the field would become part of it.
    fn end_of_removed(&self, entry: &Entry) -> usize {
        let mut before = self.entries.iter().rev();
        let before = before.find(|other| other.start < entry.start);
        let keeps = before.is_some_and(|before| match before.node.kind {
            Kind::Block(head) => self.get(before.node.range.start..head).contains('+'),
            _ => false,
        });
        let mut end = entry.end;
        let is_blank = |end| self.get(end..self.lines().line_end(end)).trim().is_empty();
        while keeps && end < self.text.len() && is_blank(end) {
            end = self.lines().next_line(end);
        }
        end
    }

    /// A field at the end, below the last comment.
    fn add(&self, name: &str, value: &Value) -> Edits {
        let end = match self.text.trim_end().len() {
            0 => self.text.len(),
            last => self.lines().next_line(last),
        };
        let at = self.entries.last().map_or(end, |entry| entry.end.max(end));
        let indent = self.entries.first().map_or(0, |entry| entry.indent);
        let lines = write::lines(self.schema, name, value, indent, self.eol);
        vec![(at..at, lines)]
    }

    /// Another value for a field that is there.
    fn set(&self, entry: &Entry, old: &Value, value: &Value) -> Edits {
        let node = &entry.node;
        let lines = self.lines();
        match (&node.kind, old, value) {
            (Kind::Flow(items) | Kind::Lines(items), Value::List(old), Value::List(new))
                if !items.is_empty() && !new.is_empty() && items.len() == old.len() =>
            {
                self.set_list(entry, items, old, new)
            }
            (Kind::Flow(items), _, Value::List(_)) if items.is_empty() => {
                let text = self.inline(entry, node, value, false);
                let items = text.trim_start_matches('[').trim_end_matches(']');
                let at = node.range.start + 1;
                vec![(at..at, items.to_owned())]
            }
            (Kind::Empty, _, Value::List(items))
                if write::by_line(self.schema, &entry.key, items) =>
            {
                let at = lines.next_line(entry.colon);
                let indent = entry.indent;
                let lines = write::item_lines(self.schema, &entry.key, items, indent, self.eol);
                vec![(at..at, lines)]
            }
            (Kind::Lines(_) | Kind::Other, ..)
                if node.range.start > lines.line_end(entry.colon) =>
            {
                let line = lines.line_end(entry.colon);
                let new = self.inline(entry, node, value, false);
                vec![
                    (entry.colon..entry.colon, format!(" {new}")),
                    (line..lines.line_end(node.range.end), String::new()),
                ]
            }
            _ => self.set_node(entry, node, value, false),
        }
    }

    /// A value on one line, in the quotes of the one before if that is a scalar.
    fn inline(&self, entry: &Entry, node: &Node, value: &Value, inside: bool) -> String {
        let quotes = match &node.kind {
            kind @ (Kind::Single | Kind::Double | Kind::Plain) => quotes_of(kind),
            _ => write::quotes(self.schema, &entry.key),
        };
        let is_plain = quotes == Quotes::Plain;
        let was_time = matches!(node.kind, Kind::Plain) && is_time(self.get(node.range.clone()));
        let is_bare = |text: &str| write::is_date(&entry.key, text) || was_time && is_time(text);
        match value {
            Value::Text(text) if is_plain && is_bare(text) => text.to_string(),
            value => write::inline(value, quotes, inside),
        }
    }

    /// Another value in place of one.
    fn set_node(&self, entry: &Entry, node: &Node, value: &Value, inside: bool) -> Edits {
        let new = self.inline(entry, node, value, inside);
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
        let start = self.lines().next_line(head);
        let content = self.get(start.min(node.range.end)..node.range.end);
        let indent: String = content.chars().take_while(|c| *c == ' ').collect();
        let lines = text.strip_suffix('\n').unwrap_or(text);
        let chomp = if text.ends_with('\n') { "|" } else { "|-" };
        let is_plain = |c: char| {
            c == '\n' || !c.is_control() && !matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}')
        };
        let is_line = |line: &str| !line.ends_with(' ') && line.trim() == line.trim_end();
        let fits = header == chomp
            && !indent.is_empty()
            && !lines.is_empty()
            && lines.chars().all(is_plain)
            && lines.split('\n').all(is_line)
            && lines.trim() == lines;
        if !fits {
            return self.drop_block(node, head, inline);
        }
        let pad = |line: &str| match line {
            "" => String::new(),
            line => format!("{indent}{line}"),
        };
        let new: Vec<_> = lines.split('\n').map(pad).collect();
        vec![(start..node.range.end, new.join(self.eol))]
    }

    /// One line in place of a block scalar; a comment beside its header stays.
    fn drop_block(&self, node: &Node, head: usize, new: String) -> Edits {
        let mut edits = vec![(node.range.start..head, new)];
        let line = self.lines().line_end(head);
        if line < node.range.end {
            edits.push((line..node.range.end, String::new()));
        }
        edits
    }

    /// A list over a list: items that stay, or stand elsewhere now, keep their bytes.
    fn set_list(&self, entry: &Entry, items: &[Item], old: &[Value], new: &[Value]) -> Edits {
        let head = old.iter().zip(new).take_while(|(a, b)| same(a, b)).count();
        let most = old.len().min(new.len()) - head;
        let ends = old.iter().rev().zip(new.iter().rev()).take(most);
        let tail = ends.take_while(|(a, b)| same(a, b)).count();
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let inside = matches!(entry.node.kind, Kind::Flow(_));
        let mut edits = Edits::new();
        for (index, item) in items.iter().enumerate().take(old_end).skip(head) {
            match new.get(index).filter(|_| index < new_end) {
                Some(value) => {
                    let mut known = items.iter().zip(old).take(old_end).skip(head);
                    let moved = known.find(|(_, old)| same(old, value));
                    edits.extend(match moved {
                        Some((from, _)) => {
                            let text = self.get(from.node.range.clone()).to_owned();
                            vec![(item.node.range.clone(), text)]
                        }
                        None => self.set_node(entry, &item.node, value, inside),
                    });
                }
                None => {
                    let kept = head.max(new_end);
                    edits.push((item_range(items, index, inside, kept), String::new()));
                }
            }
        }
        let added = new.get(old_end.max(head)..new_end).unwrap_or_default();
        if !added.is_empty() {
            edits.extend(self.insert_items(items, inside, old_end, added));
        }
        edits
    }

    /// New items before the item with this number, or at the end.
    fn insert_items(&self, items: &[Item], inside: bool, at: usize, new: &[Value]) -> Edits {
        let before = at.checked_sub(1).and_then(|before| items.get(before));
        let Some(like) = before.or(items.first()) else {
            return Edits::new();
        };
        let quotes = quotes_of(&like.node.kind);
        let text = |value: &Value| write::inline(value, quotes, inside);
        let place = match at {
            0 => like.lines.start,
            _ => like.lines.end,
        };
        let new: String = if inside {
            let gap = match items {
                [.., before, last] => self.get(before.lines.end..last.lines.start),
                _ => ", ",
            };
            let gap = if gap.contains('#') { ", " } else { gap };
            let item = |value: &Value| match at {
                0 => text(value) + gap,
                _ => gap.to_owned() + &text(value),
            };
            new.iter().map(item).collect()
        } else {
            let dash = self.get(like.lines.start..like.node.range.start);
            // Below a dash alone, or with a comment between, the shape is not one to repeat.
            let dash = if dash.contains(['\n', '#']) || !dash.ends_with(' ') {
                let end = dash.find('-').map_or(0, |at| at + 1);
                format!("{} ", dash.get(..end).unwrap_or_default())
            } else {
                dash.to_owned()
            };
            let line = |value: &Value| format!("{dash}{}{}", text(value), self.eol);
            new.iter().map(line).collect()
        };
        vec![(place..place, new)]
    }
}

/// Returns the range removed with an item: its lines; in brackets, it and the comma on one side, the
/// one before it if items stay before it (`kept` of them).
fn item_range(items: &[Item], index: usize, inside: bool, kept: usize) -> Range<usize> {
    let Some(item) = items.get(index) else {
        return 0..0;
    };
    let range = item.lines.clone();
    let before = index.checked_sub(1).and_then(|before| items.get(before));
    match (before, items.get(index + 1)) {
        _ if !inside => range,
        (Some(before), _) if kept > 0 => before.lines.end..range.end,
        (_, Some(next)) => range.start..next.lines.start,
        (Some(before), None) => before.lines.end..range.end,
        (None, None) => range,
    }
}
