//! `memkeep edit`: fields and body of one memory, all changes of a call as one plan.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use super::Output;
use super::change::make;
use super::error::Error;
use crate::cli::output::text_or_stdin;
use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Memory, Problem, Role, Schema, Severity, Timestamp, Value, frontmatter};
use crate::workspace::Workspace;

/// Arguments of `edit`.
#[derive(Debug, clap::Args)]
#[group(id = "edits", required = true, multiple = true)]
pub struct EditWhat {
    /// Give a field a value; lists are comma-separated or YAML (`[a, b]`); nothing removes it
    #[arg(long = "set", value_name = "FIELD=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Give a field a value that the format does not know
    #[arg(
        long = "set-new",
        value_name = "FIELD=VALUE",
        allow_hyphen_values = true
    )]
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

/// Arguments of `edit`.
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

/// Runs the command.
pub fn run(ws: &Workspace, args: &Edit, output: &mut Output) -> Result<u8, Error> {
    let body = args.what.body_file.as_deref().map(body).transpose()?;
    let unreadable = RefCell::new(None);
    let done = make(ws, args.dry_run, output, &|memories| {
        let memory = ws.find(&args.id, memories)?;
        *unreadable.borrow_mut() = unreadable_at(ws, memory);
        // A file that is not changed here needs no check of its fields.
        if memory.schema.can.context {
            return Ok(Change::edit(&memory.id, Vec::new()));
        }
        let mut edits = edits(memory, &args.what)?;
        edits.extend(body.clone().map(FieldEdit::Body));
        Ok(Change::Edit {
            seen: Vec::new(),
            ids: vec![memory.id.clone()],
            edits,
        })
    });
    match unreadable.into_inner() {
        // Report the position of the text that has to be fixed first.
        Some(place) => done.map_err(|error| error.place(place)),
        None => done,
    }
}

/// Place of the first problem of a memory: `file:line:column`.
fn unreadable_at(ws: &Workspace, memory: &Memory) -> Option<String> {
    let is_it =
        |problem: &&Problem| problem.rule == "load-error" && problem.severity == Severity::Error;
    let problem = memory.problems.iter().find(is_it)?;
    let file = ws.collection.shown(&memory.path);
    Some(format!("{file}:{}:{}", problem.line, problem.column))
}

/// The text of `--body-file`; a text from standard input ends with a line end.
fn body(path: &Path) -> Result<String, Error> {
    if path.as_os_str() == "-" {
        return Ok(text_or_stdin("-")? + "\n");
    }
    let bytes = std::fs::read(path).map_err(|error| {
        Error::wrong(format!("the body cannot be read: {error}"))
            .place(path.display().to_string())
            .hint("--body-file names a file, or `-` for standard input")
    })?;
    String::from_utf8(bytes)
        .map_err(|_| Error::wrong("the body is not UTF-8").place(path.display().to_string()))
}

fn edits(memory: &Memory, what: &EditWhat) -> Result<Vec<FieldEdit>, Error> {
    let mut edits = Vec::new();
    for pair in &what.set {
        let (field, value) = split(pair)?;
        let spec = known(memory, field)?;
        edits.push(set(field, typed(spec, value)?));
    }
    for pair in &what.set_new {
        let (field, value) = split(pair)?;
        let spec = memory.schema.field(field);
        edits.push(set(
            field,
            if spec.is_some() {
                typed(spec, value)?
            } else {
                scalar(value)?
            },
        ));
    }
    for field in &what.unset {
        known(memory, field)?;
        edits.push(FieldEdit::Unset {
            field: field.clone(),
        });
    }
    let tags = tag_edits(memory, what, &edits)?;
    edits.extend(tags);
    Ok(edits)
}

/// `--add-tag` and `--remove-tag`, on the tags that the other edits leave.
fn tag_edits(
    memory: &Memory,
    what: &EditWhat,
    before: &[FieldEdit],
) -> Result<Vec<FieldEdit>, Error> {
    if what.add_tag.is_empty() && what.remove_tag.is_empty() {
        return Ok(Vec::new());
    }
    let Some(spec) = memory.schema.role(Role::Tags) else {
        return Err(Error::wrong(format!(
            "{} memories have no tags",
            memory.schema.format
        )));
    };
    let field = || spec.name.to_owned();
    let mut edits = Vec::new();
    let of_tags = before
        .iter()
        .rev()
        .find(|edit| edit.field_name() == spec.name);
    let mut tags: Vec<&str> = match of_tags {
        Some(FieldEdit::Set { value, .. }) => value.items().filter_map(Value::as_str).collect(),
        Some(_) => Vec::new(),
        None => memory.tags().collect(),
    };
    for tag in &what.remove_tag {
        let Some(index) = tags.iter().position(|known| known == tag) else {
            let hint = if tags.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", tags.join(", "))
            };
            return Err(Error::nothing(format!("{} has no tag `{tag}`", memory.id)).hint(hint));
        };
        tags.remove(index);
        edits.push(FieldEdit::RemoveItem {
            field: field(),
            index,
        });
    }
    for tag in &what.add_tag {
        if !tags.contains(&tag.as_str()) {
            tags.push(tag);
            edits.push(FieldEdit::AddItem {
                field: field(),
                item: Value::from(tag.as_str()),
            });
        }
    }
    Ok(edits)
}

fn set(field: &str, value: Value) -> FieldEdit {
    match value {
        Value::Null => FieldEdit::Unset {
            field: field.to_owned(),
        },
        value => FieldEdit::Set {
            field: field.to_owned(),
            value,
        },
    }
}

/// `field=value` of a flag.
pub fn split(pair: &str) -> Result<(&str, &str), Error> {
    let found = pair.split_once('=').filter(|(field, _)| !field.is_empty());
    found.ok_or_else(|| {
        Error::wrong(format!("`{pair}` is not field=value")).hint("e.g. --set importance=high")
    })
}

/// The field a memory may have: one of its format, or one it has already.
fn known(memory: &Memory, field: &str) -> Result<Option<&'static FieldSpec>, Error> {
    let spec = memory.schema.field(field);
    if spec.is_some() || memory.field(field).is_some() || memory.schema.is_text(field) {
        return Ok(spec);
    }
    let error = Error::wrong(format!(
        "{} memories have no field `{field}`",
        memory.schema.format
    ));
    let mut hint = field_names(memory.schema);
    if memory.schema.takes_new_fields() {
        hint.push_str("; --set-new adds a field of your own");
    }
    Err(error.hint(hint))
}

/// The names of a format's fields, for hints.
pub fn field_names(schema: &Schema) -> String {
    let names: Vec<&str> = schema.fields.iter().map(|spec| spec.name).collect();
    match names.is_empty() {
        true => format!("{} has no fields, only texts", schema.format),
        false => format!("fields: {}", names.join(", ")),
    }
}

/// The value of a flag as the field wants it; null where it is empty.
pub fn typed(spec: Option<&FieldSpec>, text: &str) -> Result<Value, Error> {
    let Some(spec) = spec else {
        return scalar(text);
    };
    if text.is_empty() {
        return Ok(Value::Null);
    }
    let wrong = |hint: String| {
        Error::wrong(format!("`{text}` is not a value of `{}`", spec.name)).hint(hint)
    };
    match spec.kind {
        Kind::Text => Ok(Value::from(text)),
        Kind::Choice(words) if words.contains(&text) => Ok(Value::from(text)),
        Kind::Choice(words) => {
            let same = words.iter().find(|word| word.eq_ignore_ascii_case(text));
            let same = same.map(|word| Value::from(*word));
            same.ok_or_else(|| wrong(format!("one of {}", words.join(", "))))
        }
        Kind::Date if Timestamp::parse_iso(text).is_some() => Ok(Value::from(text)),
        Kind::Date => Err(wrong(
            "an ISO 8601 date: 2026-11-20 or 2026-11-20T10:00:00Z".to_owned(),
        )),
        Kind::Number(low, high) => {
            let value = scalar(text)?;
            let number = value.to_string().trim().parse();
            match number.map(|number| spec.kind.refuses(number)) {
                Ok(None) => Ok(value),
                _ => Err(wrong(format!("a number between {low} and {high}"))),
            }
        }
        Kind::Bool => match scalar(text)? {
            value @ Value::Bool(_) => Ok(value),
            _ => Err(wrong("true or false".to_owned())),
        },
        Kind::Tags | Kind::Patterns | Kind::Names | Kind::Lines => list(text),
        Kind::Entries => match scalar(text)? {
            value @ (Value::List(_) | Value::Map(_)) => Ok(value),
            _ => Err(wrong("a YAML list of mappings: [{name: value}]".to_owned())),
        },
    }
}

/// A list: YAML in brackets, or parts between commas. A comma inside brackets or braces, as in
/// the pattern `auth.{0,5}flow`, does not part.
fn list(text: &str) -> Result<Value, Error> {
    if text.trim_start().starts_with('[') {
        return match scalar(text)? {
            value @ Value::List(_) => Ok(value),
            _ => Err(Error::wrong(format!("`{text}` is not a YAML list"))),
        };
    }
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    Ok(parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .map(Value::from)
        .collect())
}

/// A YAML value; a text that YAML would take for more than one value, or for a remark, is that
/// text.
fn scalar(text: &str) -> Result<Value, Error> {
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
        Err(error) if marked => Err(Error::wrong(format!(
            "`{text}` is not a YAML value: {}",
            error.message
        ))),
        Err(_) => Ok(Value::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_a_pattern_do_not_part_it() {
        assert_eq!(
            list("auth.{0,5}flow, login").unwrap(),
            ["auth.{0,5}flow", "login"]
                .map(Value::from)
                .into_iter()
                .collect()
        );
        assert_eq!(
            list("[a, 'b, c']").unwrap(),
            ["a", "b, c"].map(Value::from).into_iter().collect()
        );
    }

    #[test]
    fn a_value_of_a_field_without_a_schema_is_a_yaml_scalar() {
        for (text, expected) in [
            ("3", Value::Int(3)),
            ("true", Value::Bool(true)),
            ("\"3\"", Value::from("3")),
            ("a: b: c", Value::from("a: b: c")),
            ("# not a remark", Value::from("# not a remark")),
            ("a # b", Value::from("a # b")),
            ("two\nlines: x", Value::from("two\nlines: x")),
            ("", Value::Null),
        ] {
            assert_eq!(scalar(text).unwrap(), expected, "{text}");
        }
        assert!(scalar("[a, b").is_err());
    }
}
