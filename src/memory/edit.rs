//! Changes to a file that touch no byte but those of what is changed.
//!
//! Everything that edits a Markdown memory goes through [`apply`]. Each edit is made as a few
//! replacements of byte ranges; then the whole file is read again and must differ as intended
//! and in nothing else, or the edit is refused.

mod body;
mod front;

use std::ops::Range;

use super::document::{self, Document, Layout, layout_of, part};
use super::frontmatter;
use super::schema::{Schema, Style};
use super::{Fields, Value};

pub use body::{text_of, with_ends};

/// One change to a document.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldEdit {
    /// Gives a field a value, adding the field where it is absent.
    Set {
        /// Its key.
        field: String,
        /// Its value from now on.
        value: Value,
    },
    /// Takes a field out. Comments above it stay.
    Unset {
        /// Its key.
        field: String,
    },
    /// Adds an item at the end of a list; a single value becomes a list.
    AddItem {
        /// The list's key.
        field: String,
        /// What to add.
        item: Value,
    },
    /// Takes an item out of a list.
    RemoveItem {
        /// The list's key.
        field: String,
        /// Its position, from 0.
        index: usize,
    },
    /// Replaces an item of a list, or a single value.
    SetItem {
        /// The list's key.
        field: String,
        /// Its position, from 0.
        index: usize,
        /// The item from now on.
        value: Value,
    },
    /// Replaces the body. Blank lines around it and the file's last line end stay as they are.
    Body(String),
    /// Replaces all of the document's text, for one whose frontmatter cannot be read.
    Text(String),
}

/// Why an edit was not made, as a sentence. The bytes are as they were.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EditError(pub String);

impl EditError {
    /// The file has changed, or there never was such a document.
    pub(crate) fn no_document(index: usize) -> Self {
        Self(format!("the file has no document {}", index + 1))
    }

    pub(crate) fn not_a_list(field: &str) -> Self {
        Self(format!("`{field}` is not a list"))
    }

    /// The result differed in more than was intended.
    pub(crate) fn not_minimal(field: &str) -> Self {
        Self(format!(
            "the edit would have changed more than `{field}`; edit the text instead"
        ))
    }
}

impl From<&str> for EditError {
    fn from(why: &str) -> Self {
        Self(why.to_owned())
    }
}

impl FieldEdit {
    /// Gives a field a value.
    pub fn set(field: impl Into<String>, value: impl Into<Value>) -> Self {
        let (field, value) = (field.into(), value.into());
        Self::Set { field, value }
    }

    /// Adds an item to a list.
    pub fn add(field: impl Into<String>, item: impl Into<Value>) -> Self {
        let (field, item) = (field.into(), item.into());
        Self::AddItem { field, item }
    }

    /// The name of the changed field.
    pub fn field_name(&self) -> &str {
        match self {
            Self::Set { field, .. }
            | Self::Unset { field }
            | Self::AddItem { field, .. }
            | Self::RemoveItem { field, .. }
            | Self::SetItem { field, .. } => field,
            Self::Body(_) => "body",
            Self::Text(_) => "text",
        }
    }
}

/// Applies edits to one document of a file of a format, all or none.
///
/// A value equal to the present one changes nothing. An edit never changes another document, and
/// of its own only the lines of the field, or the body, that it names.
pub fn apply(
    schema: &Schema,
    bytes: &[u8],
    document: usize,
    edits: &[FieldEdit],
) -> Result<Vec<u8>, EditError> {
    let mut bytes = bytes.to_vec();
    for edit in edits {
        bytes = apply_one(schema, &bytes, document, edit)?;
    }
    Ok(bytes)
}

fn apply_one(
    schema: &Schema,
    bytes: &[u8],
    index: usize,
    edit: &FieldEdit,
) -> Result<Vec<u8>, EditError> {
    let before = layout_of(schema.can.shape, bytes);
    let document = before.documents.get(index);
    let document = document.ok_or_else(|| EditError::no_document(index))?;
    let mut wanted = Vec::new();
    let changed = match edit {
        FieldEdit::Body(text) => body::replace(bytes, &before, document, text),
        FieldEdit::Text(text) => body::replace_text(bytes, &before, document, text),
        _ => match change_field(schema, bytes, &before, document, edit)? {
            Some((changed, fields)) => {
                wanted = fields;
                changed
            }
            None => return Ok(bytes.to_vec()),
        },
    };
    let after = layout_of(schema.can.shape, &changed);
    let others = has_neighbours((bytes, &before), (&changed, &after), index);
    let new = after.documents.get(index).filter(|_| others);
    let is_one = before.documents.len() == after.documents.len();
    let is_right = new.is_some_and(|new| {
        let (old, new) = ((bytes, document), (&*changed, new));
        match edit {
            FieldEdit::Text(_) => true,
            FieldEdit::Body(text) => is_one && has_body(old, new, text),
            _ => is_one && has_fields(schema, old, new, &wanted),
        }
    });
    match edit {
        _ if is_right => Ok(changed),
        FieldEdit::Body(_) | FieldEdit::Text(_) => {
            Err("this text would be read as frontmatter or as another memory".into())
        }
        _ => Err(EditError::not_minimal(edit.field_name())),
    }
}

/// The bytes of a file, and the fields that it is to have.
type FieldChange = (Vec<u8>, Vec<(String, Value)>);

/// The file after an edit of a field, and the fields it is to have then; none where the edit changes
/// nothing.
fn change_field(
    schema: &Schema,
    bytes: &[u8],
    layout: &Layout,
    document: &Document,
    edit: &FieldEdit,
) -> Result<Option<FieldChange>, EditError> {
    let (fields, is_yaml) = fields_of(schema, bytes, document)?;
    let path = path_of(schema, &fields, edit.field_name());
    let style = schema.field(&path).map(|spec| spec.style);
    let inside = path.split_once('.').filter(|_| fields.get(&path).is_none());
    let old = inside.map_or_else(|| fields.get(&path), |_| fields.at(&path));
    let mut new = new_value(old, edit)?;
    // Some formats write a list as one text.
    if let Some(value @ Value::List(_)) = &mut new
        && style.is_some_and(Style::joins)
    {
        *value = Value::from(frontmatter::write::bare(value));
    }
    let wanted = match inside {
        Some((mapping, key)) => {
            let inner = match fields.get(mapping) {
                Some(Value::Map(inner)) => (**inner).clone(),
                _ => Fields::default(),
            };
            let inner = with_value(&inner, key, new.as_ref());
            let map = |inner: Vec<_>| Value::from(inner.into_iter().collect::<Fields>());
            inner.and_then(|inner| with_value(&fields, mapping, Some(&map(inner))))
        }
        None => with_value(&fields, &path, new.as_ref()),
    };
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    let new = new.as_ref();
    let by_line = !is_yaml || inside.is_some() || style == Some(Style::Bare);
    let (start, splices) = match &document.front {
        None => front::create(schema, bytes, layout, document, (&path, new))?,
        Some(range) => {
            let text = String::from_utf8_lossy(part(bytes, range.clone()));
            let eol = eol(text.as_bytes(), layout);
            let splices = match by_line {
                true => vec![front::change_line(
                    (&text, is_yaml),
                    (&path, new),
                    schema,
                    eol,
                )?],
                false => front::change(schema, (&text, eol), &fields, (&path, new))?,
            };
            (range.start, splices)
        }
    };
    let shift =
        |(at, new): (Range<usize>, String)| (start + at.start..start + at.end, new.into_bytes());
    let splices = splices.into_iter().map(shift).collect();
    Ok(Some((splice(bytes, splices), wanted)))
}

/// Returns the actual or future path of a field: under its own name, under another that it is found
/// by, or inside an existing mapping.
fn path_of(schema: &Schema, fields: &Fields, name: &str) -> String {
    let spec = schema.field(name);
    let Some(spec) = spec.filter(|_| fields.get(name).is_none()) else {
        return name.to_owned();
    };
    let names = || std::iter::once(&spec.name).chain(spec.aliases).copied();
    let is_there = |path: &str| fields.at(path).is_some();
    let may_be = |path: &str| {
        let mapping = path.split_once('.').map(|(mapping, _)| mapping);
        matches!(
            mapping.and_then(|name| fields.get(name)),
            Some(Value::Map(_))
        )
    };
    let found = names().find(|path| is_there(path));
    let found = found.or_else(|| names().find(|path| may_be(path)));
    found.unwrap_or(spec.name).to_owned()
}

/// The fields before the edit, and whether they are YAML. Fields that are not YAML are read line by
/// line, except in a file of several memories: only YAML tells where each of them begins.
fn fields_of(
    schema: &Schema,
    bytes: &[u8],
    document: &Document,
) -> Result<(Fields, bool), EditError> {
    let Some(front) = &document.front else {
        return Ok((Fields::default(), true));
    };
    let text = str::from_utf8(part(bytes, front.clone()))
        .map_err(|_| "the frontmatter is not UTF-8; edit the text instead")?;
    match frontmatter::read_as(schema, text) {
        Ok(fields) => Ok((fields, true)),
        Err(_) if !schema.can.shape.several => Ok((frontmatter::tolerant(schema, text), false)),
        Err(error) => Err(EditError(format!(
            "the frontmatter is not YAML: {error}; edit the text instead"
        ))),
    }
}

/// True after a change to fields if those wanted are there, and nothing else has moved or changed.
fn has_fields(
    schema: &Schema,
    (bytes, old): (&[u8], &Document),
    (changed, new): (&[u8], &Document),
    wanted: &[(String, Value)],
) -> bool {
    let fields = fields_of(schema, changed, new).map_or_else(|_| Fields::default(), |(own, _)| own);
    let is_wanted = |((name, value), (key, want)): ((&str, &Value), &(String, Value))| {
        name == key && same(value, want)
    };
    fields.iter().count() == wanted.len()
        && fields.iter().zip(wanted).all(is_wanted)
        && part(bytes, old.body.start..old.span.end) == part(changed, new.body.start..new.span.end)
}

/// The fields after an edit, in order; nothing where it changes nothing.
pub fn wanted(
    fields: &Fields,
    edit: &FieldEdit,
) -> Result<Option<Vec<(String, Value)>>, EditError> {
    if matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_)) {
        return Ok(None);
    }
    let name = edit.field_name();
    let new = new_value(fields.get(name), edit)?;
    Ok(with_value(fields, name, new.as_ref()))
}

/// The value of the field after an edit; none where it has gone.
fn new_value(old: Option<&Value>, edit: &FieldEdit) -> Result<Option<Value>, EditError> {
    let name = edit.field_name();
    if let FieldEdit::Set { value, .. } = edit {
        return Ok(Some(value.clone()));
    }
    if let (Some(Value::Map(_)), false) = (old, matches!(edit, FieldEdit::Unset { .. })) {
        return Err(EditError::not_a_list(name));
    }
    let mut items: Vec<Value> = old.iter().flat_map(|old| old.items()).cloned().collect();
    let missing = |index: usize| EditError(format!("`{name}` has no item {}", index + 1));
    match edit {
        FieldEdit::AddItem { item, .. } => items.push(item.clone()),
        FieldEdit::RemoveItem { index, .. } if *index < items.len() => {
            items.remove(*index);
        }
        FieldEdit::RemoveItem { index, .. } => return Err(missing(*index)),
        FieldEdit::SetItem { index, value, .. } => {
            *items.get_mut(*index).ok_or_else(|| missing(*index))? = value.clone();
            if !matches!(old, Some(Value::List(_))) {
                return Ok(Some(value.clone()));
            }
        }
        _ => return Ok(None),
    }
    Ok(Some(Value::List(items.into())))
}

/// The fields with another value of one of them, or without it; nothing where that changes nothing.
fn with_value(fields: &Fields, name: &str, new: Option<&Value>) -> Option<Vec<(String, Value)>> {
    let old = fields.get(name);
    let is_same = match (new, old) {
        (Some(new), Some(old)) => same(new, old),
        (new, old) => new.is_none() && old.is_none(),
    };
    let value = |(key, value): (&str, &Value)| {
        let value = if key == name { new? } else { value };
        Some((key.to_owned(), value.clone()))
    };
    let added = new.filter(|_| old.is_none());
    let added = added.map(|new| (name.to_owned(), new.clone()));
    (!is_same).then(|| fields.iter().filter_map(value).chain(added).collect())
}

/// Equality in which NaN is itself.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a.total_cmp(b).is_eq() || a == b,
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (a, b) => a == b,
    }
}

/// True after a change to the body if it is the wanted one, and what stands before it as it was.
fn has_body(
    (bytes, old): (&[u8], &Document),
    (changed, new): (&[u8], &Document),
    text: &str,
) -> bool {
    let front = |document: &Document| {
        let end = document.front.as_ref().map(|front| front.end);
        document.span.start..end.unwrap_or(document.span.start)
    };
    let read = String::from_utf8_lossy(part(changed, new.body.clone())).replace("\r\n", "\n");
    let wanted = text.replace("\r\n", "\n");
    old.front == new.front
        && part(bytes, front(old)) == part(changed, front(new))
        && body::trim(&read) == body::trim(&wanted)
}

/// True after a change to one document if all others are as they were.
fn has_neighbours(
    (bytes, before): (&[u8], &Layout),
    (changed, after): (&[u8], &Layout),
    index: usize,
) -> bool {
    let (head, tail) = (index, before.documents.len().saturating_sub(index + 1));
    let pairs = before.documents.iter().zip(&after.documents).take(head);
    let ends = before.documents.iter().rev();
    let ends = ends.zip(after.documents.iter().rev()).take(tail);
    let mut others = pairs.chain(ends);
    let is_same = |(old, new): (&Document, &Document)| {
        part(bytes, old.span.clone()) == part(changed, new.span.clone())
    };
    before.bom == after.bom && after.documents.len() > head + tail && others.all(is_same)
}

type Edits = Vec<(Range<usize>, String)>;

/// Makes replacements in their order; one that begins inside another goes on behind it.
pub(crate) fn splice(bytes: &[u8], mut splices: Vec<(Range<usize>, Vec<u8>)>) -> Vec<u8> {
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = Vec::with_capacity(bytes.len() + 64);
    let mut at = 0;
    for (range, new) in splices {
        out.extend_from_slice(part(bytes, at..range.start));
        out.extend_from_slice(&new);
        at = at.max(range.end);
    }
    out.extend_from_slice(part(bytes, at..bytes.len()));
    out
}

/// The line end to write: that of the text nearby, else that of the file.
fn eol(nearby: &[u8], layout: &Layout) -> &'static str {
    let crlf = match nearby.contains(&b'\n') {
        true => document::is_crlf(nearby),
        false => layout.crlf,
    };
    if crlf { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests;
