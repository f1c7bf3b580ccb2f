//! `memkeep edit`: fields and body of one memory, all changes of a call as one plan.

use std::cell::RefCell;

use super::change::make;
use super::prelude::*;
use crate::curate::convert::at_commas;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Problem, Schema, frontmatter};

#[derive(Debug, Default, clap::Args)]
#[group(id = "edits", required = true, multiple = true)]
pub struct EditWhat {
    /// Give a field a value; lists are comma-separated or YAML (`[a, b]`); nothing removes it
    #[arg(long = "set", value_name = "FIELD=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Give a field a value that the format does not know
    #[arg(long, value_name = "FIELD=VALUE", allow_hyphen_values = true)]
    pub set_new: Vec<String>,
    /// Take a field away
    #[arg(long, value_name = "FIELD")]
    pub unset: Vec<String>,
    /// Add a tag
    #[arg(long, value_name = "TAG")]
    pub add_tag: Vec<String>,
    /// Take a tag away
    #[arg(long, value_name = "TAG")]
    pub remove_tag: Vec<String>,
    /// Replace the body by a file's text; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub body_file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct Edit {
    /// The memory
    pub id: String,
    /// What changes.
    #[command(flatten)]
    pub what: EditWhat,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn run(ws: &Workspace, args: &Edit, output: &mut Output) -> Result<u8> {
    let body = args.what.body_file.as_deref().map(body).transpose()?;
    let unreadable = RefCell::new(None);
    let done = make(ws, args.dry_run, output, &|memories| {
        let memory = ws.find(&args.id, memories)?;
        *unreadable.borrow_mut() = unreadable_at(ws, memory);
        let mut all = Vec::new();
        // A file that is not changed here needs no check of its fields.
        if !memory.schema.can.context {
            all = edits(memory, &args.what)?;
            all.extend(body.clone().map(FieldEdit::Body));
        }
        Ok(Change::edit(&memory.id, all))
    });
    match unreadable.into_inner() {
        // Report the position of the text that has to be fixed first.
        Some(place) => done.map_err(|error| error.place(place)),
        None => done,
    }
}

/// Place of the first problem of a memory: `file:line:column`.
fn unreadable_at(ws: &Workspace, memory: &Memory) -> Option<String> {
    let is_it = |one: &&Problem| one.rule == "load-error" && one.severity == Severity::Error;
    let problem = memory.problems.iter().find(is_it)?;
    let file = ws.collection.shown(&memory.path);
    Some(format!("{file}:{}:{}", problem.line, problem.column))
}

/// The text of `--body-file`; a text from standard input ends with a line end.
fn body(path: &Path) -> Result<String> {
    if path.as_os_str() == "-" {
        return Ok(text_or_stdin("-")? + "\n");
    }
    let wrong = |what: String| Error::wrong(what).place(path.display().to_string());
    let bytes = std::fs::read(path).map_err(|error| {
        wrong(format!("the body cannot be read: {error}"))
            .hint("--body-file names a file, or `-` for standard input")
    })?;
    String::from_utf8(bytes).map_err(|_| wrong("the body is not UTF-8".to_owned()))
}

pub fn edits(memory: &Memory, what: &EditWhat) -> Result<Vec<FieldEdit>> {
    let mut edits = Vec::new();
    for pair in &what.set {
        let (field, value) = split(pair)?;
        edits.push(set(field, typed(known(memory, field)?, value)?));
    }
    for pair in &what.set_new {
        let (field, value) = split(pair)?;
        edits.push(set(field, typed(memory.schema.field(field), value)?));
    }
    for field in &what.unset {
        known(memory, field)?;
        edits.push(set(field, Value::Null));
    }
    let tags = tag_edits(memory, what, &edits)?;
    edits.extend(tags);
    Ok(edits)
}

/// `--add-tag` and `--remove-tag`, on the tags that the other edits leave.
fn tag_edits(memory: &Memory, what: &EditWhat, before: &[FieldEdit]) -> Result<Vec<FieldEdit>> {
    let mut edits = Vec::new();
    if what.add_tag.is_empty() && what.remove_tag.is_empty() {
        return Ok(edits);
    }
    let format = memory.schema.format;
    let spec = memory.schema.role(Role::Tags);
    let spec = spec.ok_or_else(|| Error::wrong(format!("{format} memories have no tags")))?;
    let field = || spec.name.to_owned();
    let of_tags = before.iter().rev();
    let mut of_tags = of_tags.filter(|edit| edit.field_name() == spec.name);
    let mut tags: Vec<&str> = match of_tags.next() {
        Some(FieldEdit::Set { value, .. }) => value.items().filter_map(Value::as_str).collect(),
        Some(_) => Vec::new(),
        None => memory.tags().collect(),
    };
    for tag in &what.remove_tag {
        let Some(index) = tags.iter().position(|known| known == tag) else {
            let all = if tags.is_empty() { vec!["none"] } else { tags };
            let error = Error::nothing(format!("{} has no tag `{tag}`", memory.id));
            return Err(error.hint(format!("it has {}", all.join(", "))));
        };
        tags.remove(index);
        let field = field();
        edits.push(FieldEdit::RemoveItem { field, index });
    }
    for tag in &what.add_tag {
        if !tags.contains(&tag.as_str()) {
            tags.push(tag);
            let (field, item) = (field(), Value::from(tag.as_str()));
            edits.push(FieldEdit::AddItem { field, item });
        }
    }
    Ok(edits)
}

fn set(field: &str, value: Value) -> FieldEdit {
    let field = field.to_owned();
    match value {
        Value::Null => FieldEdit::Unset { field },
        value => FieldEdit::Set { field, value },
    }
}

pub fn split(pair: &str) -> Result<(&str, &str)> {
    let found = pair.split_once('=').filter(|(field, _)| !field.is_empty());
    found.ok_or_else(|| {
        Error::wrong(format!("`{pair}` is not field=value")).hint("e.g. --set importance=high")
    })
}

/// The field a memory may have: one of its format, or one it has already.
fn known(memory: &Memory, field: &str) -> Result<Option<&'static FieldSpec>> {
    let schema = memory.schema;
    let spec = schema.field(field);
    if spec.is_some() || memory.field(field).is_some() || schema.is_text(field) {
        return Ok(spec);
    }
    let more = !schema.can.closed;
    let more = more.then_some("; --set-new adds a field of your own");
    Err(no_field(schema, field).hint(field_names(schema) + more.unwrap_or_default()))
}

pub fn no_field(schema: &Schema, field: &str) -> Error {
    let what = format!("{} memories have no field `{field}`", schema.format);
    Error::wrong(what).hint(field_names(schema))
}

pub fn field_names(schema: &Schema) -> String {
    match schema.fields.iter().map(|spec| spec.name).join(", ") {
        none if none.is_empty() => format!("{} has no fields, only texts", schema.format),
        names => format!("fields: {names}"),
    }
}

/// The value of a flag as the field wants it; null where it is empty.
pub fn typed(spec: Option<&FieldSpec>, text: &str) -> Result<Value> {
    let Some(spec) = spec else {
        return scalar(text);
    };
    if text.is_empty() {
        return Ok(Value::Null);
    }
    let wanted = match spec.kind {
        Kind::Text => return Ok(Value::from(text)),
        Kind::Choice(words) => {
            if let Some(word) = words.iter().find(|word| word.eq_ignore_ascii_case(text)) {
                return Ok(Value::from(*word));
            }
            format!("one of {}", words.join(", "))
        }
        Kind::Date if Timestamp::parse_iso(text).is_some() => return Ok(Value::from(text)),
        Kind::Date => "an ISO 8601 date: 2026-11-20 or 2026-11-20T10:00:00Z".to_owned(),
        Kind::Number((low, high)) => {
            let value = scalar(text)?;
            let number = value.to_string().trim().parse();
            if number.is_ok_and(|number| spec.kind.refuses(number).is_none()) {
                return Ok(value);
            }
            format!("a number between {low} and {high}")
        }
        Kind::Bool => match scalar(text)? {
            value @ Value::Bool(_) => return Ok(value),
            _ => "true or false".to_owned(),
        },
        Kind::Tags | Kind::Patterns | Kind::Names | Kind::Lines => return list(text),
        Kind::Entries => match scalar(text)? {
            value @ (Value::List(_) | Value::Map(_)) => return Ok(value),
            _ => "a YAML list of mappings: [{name: value}]".to_owned(),
        },
    };
    Err(Error::wrong(format!("`{text}` is not a value of `{}`", spec.name)).hint(wanted))
}

/// A list: YAML in brackets, or parts between commas. A comma inside brackets or braces, as in
/// the pattern `auth.{0,5}flow`, does not part.
fn list(text: &str) -> Result<Value> {
    if text.trim_start().starts_with('[') {
        return match scalar(text)? {
            value @ Value::List(_) => Ok(value),
            _ => Err(Error::wrong(format!("`{text}` is not a YAML list"))),
        };
    }
    Ok(at_commas(text).into_iter().map(Value::from).collect())
}

/// A YAML value; a text that YAML would take for several values or a remark stays that text.
fn scalar(text: &str) -> Result<Value> {
    if text.is_empty() {
        return Ok(Value::Null);
    }
    let first = text.trim_start().chars().next();
    let marked = matches!(first, Some('[' | '{' | '"' | '\''));
    if text.contains('\n') || (!marked && (first == Some('#') || text.contains(" #"))) {
        return Ok(Value::from(text));
    }
    match frontmatter::read(&format!("value: {text}\n")) {
        Ok(fields) => Ok(fields.get("value").cloned().unwrap_or_default()),
        Err(error) if marked => {
            let why = error.message;
            Err(Error::wrong(format!("`{text}` is not a YAML value: {why}")))
        }
        Err(_) => Ok(Value::from(text)),
    }
}
