//! Changes to fields: the replacements of bytes that make them.

use std::ops::Range;

use super::{Document, EditError, Edits, Layout, eol, part, same};
use crate::memory::document::{BOM, is_blank};
use crate::memory::frontmatter::lines;
use crate::memory::frontmatter::spans::{self, Entry, Item, Kind, Node, Scan};
use crate::memory::frontmatter::write::{self, Quotes};
use crate::memory::json::splice::with_items;
use crate::memory::schema::Style;
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
    let entries = spans::entries(text).filter(is_known);
    let entries = entries
        .ok_or("the frontmatter is written in a way that only an edit of its text can change")?;
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
        return Err(EditError(format!(
            "`{name}` has a YAML anchor, alias or tag; edit the text instead"
        )));
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
    let value = value.ok_or("there is no frontmatter")?;
    let start = if layout.bom { BOM.len() } else { 0 };
    let text = part(bytes, start..document.span.end);
    if text.trim_ascii_start().starts_with(b"---") {
        let why = "the text begins with --- but has no frontmatter; edit the text instead";
        return Err(why.into());
    }
    let eol = eol(b"", layout);
    let has_gap = is_blank(text) || matches!(text.first(), Some(b'\n' | b'\r'));
    let gap = if has_gap { "" } else { eol };
    let lines = write::lines(schema, name, value, 0, eol);
    let front = format!("---{eol}{lines}---{eol}{gap}");
    Ok((start, vec![(0..0, front)]))
}

const fn quotes_of(kind: &Kind) -> Quotes {
    match kind {
        Kind::Single => Quotes::Single,
        Kind::Double => Quotes::Double,
        _ => Quotes::Plain,
    }
}

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

    fn set(&self, entry: &Entry, old: &Value, value: &Value) -> Edits {
        let node = &entry.node;
        let lines = self.lines();
        // A scalar gives its quotes to a list that it is the first item of.
        let takes_quotes = match value {
            Value::List(items) => items.first() == Some(old),
            Value::Map(_) => false,
            _ => true,
        };
        let inline = || match takes_quotes {
            true => self.inline(entry, node, value, false),
            false => write::inline(value, write::quotes(self.schema, &entry.key), false),
        };
        match (&node.kind, old, value) {
            (Kind::Flow(items) | Kind::Lines(items), Value::List(old), Value::List(new))
                if !items.is_empty() && !new.is_empty() && items.len() == old.len() =>
            {
                self.set_list(entry, items, old, new)
            }
            (Kind::Flow(items), _, Value::List(_)) if items.is_empty() => {
                let text = inline();
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
                vec![
                    (entry.colon..entry.colon, format!(" {}", inline())),
                    (line..lines.line_end(node.range.end), String::new()),
                ]
            }
            (Kind::Empty, ..) => vec![(node.range.clone(), format!(" {}", inline()))],
            (Kind::Block(head), ..) => self.drop_block(node, *head, inline()),
            _ => vec![(node.range.clone(), inline())],
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

    /// One line in place of a block scalar; a comment beside its header stays.
    fn drop_block(&self, node: &Node, head: usize, new: String) -> Edits {
        let mut edits = vec![(node.range.start..head, new)];
        let line = self.lines().line_end(head);
        if line < node.range.end {
            edits.push((line..node.range.end, String::new()));
        }
        edits
    }

    /// A list over a list: items that stay, or stand elsewhere now, keep their bytes, and the comments
    /// beside and above them.
    fn set_list(&self, entry: &Entry, items: &[Item], old: &[Value], new: &[Value]) -> Edits {
        let inside = matches!(entry.node.kind, Kind::Flow(_));
        let mut end = None;
        let place = |item: &Item| {
            let start = end.filter(|_| !inside).unwrap_or(item.lines.start);
            end = Some(item.lines.end);
            start..item.lines.end
        };
        let places: Vec<Range<usize>> = items.iter().map(place).collect();
        let gap = match &*places {
            [.., one, two] => self.get(one.end..two.start),
            _ => "#",
        };
        let usual = match inside {
            true if gap.contains('#') => ", ",
            true => gap,
            false => "",
        };
        let write = |value: &Value, at: Option<usize>| {
            let found = at.and_then(|at| items.get(at).zip(places.get(at)));
            let Some((Item { node, .. }, place)) = found else {
                let like = items.last();
                return Ok(like.map_or_else(String::new, |like| self.added(like, value, inside)));
            };
            let text = self.inline(entry, node, value, inside);
            let blank = matches!(node.kind, Kind::Empty) && !text.is_empty();
            let head = self.get(place.start..node.range.start);
            let tail = self.get(node.range.end..place.end);
            Ok::<_, EditError>([head, if blank { " " } else { "" }, &text, tail].concat())
        };
        let is_same = |at: usize, item: &Value| old.get(at).is_some_and(|old| same(old, item));
        let new: Vec<&Value> = new.iter().collect();
        let bytes = self.text.as_bytes();
        let out = with_items(bytes, (&places, usual.as_bytes()), &new, is_same, write);
        let first = places.first().map_or(0, |first| first.start);
        let last = places.last().map_or(0, |last| last.end);
        let out = String::from_utf8(out.unwrap_or_default()).unwrap_or_default();
        vec![(first..last, out)]
    }

    fn added(&self, like: &Item, value: &Value, inside: bool) -> String {
        let text = write::inline(value, quotes_of(&like.node.kind), inside);
        if inside {
            return text;
        }
        let dash = self.get(like.lines.start..like.node.range.start);
        // Below a dash alone, or with a comment between, the shape is not one to repeat.
        if dash.contains(['\n', '#']) || !dash.ends_with(' ') {
            let end = dash.find('-').map_or(0, |at| at + 1);
            return format!("{} {text}{}", dash.get(..end).unwrap_or_default(), self.eol);
        }
        format!("{dash}{text}{}", self.eol)
    }
}

/// The replacement that sets or removes the field at a path by its lines: where the frontmatter is not
/// YAML, where a key stands inside a mapping, and where the system reads the rest of a line as it is.
/// Of a YAML value it covers all lines; other values are refused if one of their lines is not
/// understood.
pub(super) fn change_line(
    (text, is_yaml): (&str, bool),
    (path, value): (&str, Option<&Value>),
    schema: &Schema,
    eol: &str,
) -> Result<(Range<usize>, String), EditError> {
    let all = lines::entries(text);
    let find = |path: &str| all.iter().find(|entry| entry.path == path);
    let entry = find(path);
    let values = is_yaml.then(|| spans::entries(text)).flatten();
    let mut values = values.into_iter().flatten();
    let known = values.find(|own| own.key == path).map(|own| own.end);
    // A reader of single lines takes no others for a part of the value.
    let is_line = |entry: &&lines::Entry<'_>| {
        let spec = schema.field(path);
        spec.is_some_and(|spec| spec.style == Style::Bare) && !entry.value.is_empty()
    };
    let open = || entry.filter(is_line)?.open(text);
    let end = |entry: &lines::Entry<'_>| match known {
        Some(end) => Ok(end),
        None if entry.is_unread && open().is_none() => {
            let why = "a line below the field is not understood; edit the text instead";
            Err(EditError::from(why))
        }
        None => Ok(entry.block.end),
    };
    let Some(value) = value else {
        let entry = entry.ok_or("the field is not there")?;
        return Ok((entry.block.start..end(entry)?, String::new()));
    };
    let new = written(schema, path, value)?;
    let line = |indent: &str, key: &str| {
        let gap = if new.is_empty() { "" } else { " " };
        format!("{indent}{key}:{gap}{new}{eol}")
    };
    let Some(entry) = entry else {
        let (at, new) = match path.split_once('.') {
            Some((mapping, key)) => {
                let outer = find(mapping).ok_or("the mapping is not there")?;
                let own =
                    |entry: &&lines::Entry<'_>| entry.path.starts_with(&format!("{mapping}."));
                let indent = all.iter().find(own).map_or("  ", |entry| entry.indent);
                (outer.block.end, line(indent, key))
            }
            None => {
                let last = all.iter().map(|entry| entry.block.end).max();
                (last.unwrap_or(text.len()), line("", path))
            }
        };
        // The last line may have no end.
        let before = text.get(..at).unwrap_or_default();
        let open = !before.is_empty() && !before.ends_with('\n');
        let new = if open { format!("{eol}{new}") } else { new };
        return Ok((at..at, new));
    };
    // Blanks behind the colon stay where a value follows them.
    let gap = text.get(entry.colon..entry.value.start).unwrap_or_default();
    let is_joined = gap.is_empty() && !new.is_empty();
    let gap = if is_joined { " " } else { gap };
    let rest = text.get(entry.line_end..).unwrap_or_default();
    let own_end = rest.split_inclusive('\n').next().unwrap_or_default();
    let end = match known {
        None if is_line(&entry) && open().is_none() => entry.line_end + own_end.len(),
        _ => end(entry)?,
    };
    Ok((entry.colon..end, format!("{gap}{new}{own_end}")))
}

fn written(schema: &Schema, path: &str, value: &Value) -> Result<String, EditError> {
    let spec = schema.field(path);
    if spec.is_none_or(|spec| spec.style != Style::Bare) {
        return Ok(write::inline(value, write::quotes(schema, path), false));
    }
    let text = write::bare(value);
    if text.contains(['\n', '\r']) {
        let why =
            "the system reads one line of this field: a value of several lines cannot be written";
        return Err(why.into());
    }
    Ok(text)
}
