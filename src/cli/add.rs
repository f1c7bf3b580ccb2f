//! `memkeep add`: writes a new memory.

use std::collections::HashSet;
use std::io::Write as _;
use std::sync::Arc;

use super::args::ListFormat;
use super::change::{change, say};
use super::edit::{field_names, split, typed};
use super::error::Error;
use super::json::MemoryJson;
use super::list::{Findings, id_line};
use super::show::seen_body;
use super::{Output, exit};
use crate::cli::output::text_or_stdin;
use crate::curate::Change;
use crate::curate::convert::{is_on_task, words_pattern};
use crate::memory::format::table_of;
use crate::memory::schema::FieldSpec;
use crate::memory::{Memory, MemoryId, Role, Schema, Sight, Value, first_line};
use crate::store::Store;
use crate::ui::safe::safe;
use crate::workspace::Workspace;

/// Arguments of `add`.
#[derive(Debug, clap::Args)]
pub struct Add {
    /// The body; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    pub content: String,
    /// The title [default: the first heading or line of the body]
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// The type, in formats that have types
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// The tags
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub tags: Vec<String>,
    /// Another field: `--set importance=high`
    #[arg(long = "set", value_name = "FIELD=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &Add, output: &mut Output) -> Result<u8, Error> {
    let body = text_or_stdin(&args.content)?;
    let mut stores = ws.collection.receivers();
    let first = stores.clone().next();
    // A type says which store is meant, where only some have types.
    let has_types = |store: &&dyn Store| store.schema().role(Role::Type).is_some();
    let typed = args.kind.as_ref().and_then(|_| stores.find(has_types));
    let Some(store) = typed.or(first) else {
        return Err(Error::wrong("there is no store to add to").hint("`memkeep init` makes one"));
    };
    if args.kind.is_some() && store.schema().role(Role::Type).is_none() {
        super::list::refuse_type(ws)?;
    }
    let has_title = takes_title(store.schema());
    let title = match &args.title {
        Some(_) if !has_title => {
            return Err(
                Error::wrong(format!("{} memories have no title", store.schema().format))
                    .hint("the first line of the text is shown in its place"),
            );
        }
        Some(title) => title.trim().to_owned(),
        // A line may begin with a tab, or have one between a command and what it prints.
        None => first_line(&body)
            .split(|c: char| c.is_whitespace() || c.is_control())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" "),
    };
    if title.is_empty() && !has_title {
        return Err(Error::wrong("a memory needs a text"));
    }
    if title.is_empty() {
        return Err(Error::wrong("a memory needs a title").hint("--title TEXT"));
    }
    if title.contains(char::is_control) {
        return Err(Error::wrong("a title is one line of text").hint("--title TEXT"));
    }
    let fields = fields(ws, args, store.schema(), &title)?;
    let new = Change::Add {
        store: Some(store.info().id.clone()),
        title: title.clone(),
        fields,
        body,
    };
    let Some(made) = change(ws, args.dry_run, output, &|_| Ok(new.clone()))? else {
        return Ok(exit::DONE);
    };
    if args.format == ListFormat::Table {
        say(&made, output)?;
    }
    // A new name is what was not there; else the memory with this title was added to.
    let after = ws.load();
    let known: HashSet<&MemoryId> = made.before.iter().map(|memory| &memory.id).collect();
    let new = after.iter().position(|memory| !known.contains(&memory.id));
    let is_same = |one: &Arc<Memory>| *one.title == *title && one.id.store == store.info().id;
    match new.or_else(|| after.iter().position(is_same)) {
        Some(new) => print(ws, &after, new, args.format, output),
        None => Ok(exit::DONE),
    }
}

/// True if a new memory has a title: in a field, or as the name and heading of its file.
fn takes_title(schema: &'static Schema) -> bool {
    table_of(schema).is_some() || schema.role(Role::Title).is_some()
}

fn print(
    ws: &Workspace,
    memories: &[Arc<Memory>],
    index: usize,
    format: ListFormat,
    output: &mut Output,
) -> Result<u8, Error> {
    let Some(new) = memories.get(index) else {
        return Ok(exit::DONE);
    };
    match format {
        ListFormat::Json => {
            let found = Findings::count_of(ws, memories, index);
            let body = ws.body(new).unwrap_or_default();
            let seen = seen_body(ws, new, &body);
            let json = MemoryJson::new(ws, new, found, Some(body)).seen_body(seen);
            serde_json::to_writer_pretty(output.json(), &json)?;
            writeln!(output)?;
        }
        ListFormat::Markdown => {
            let (title, id) = (safe(&new.title), new.id.to_string());
            writeln!(output, "- **{title}** — `{}`", safe(&id))?;
        }
        ListFormat::Quiet => id_line(new, output)?,
        ListFormat::Table => {
            let place = ws.collection.shown(&new.path);
            let id = new.id.to_string();
            writeln!(output, "  {}  {}", safe(&id), safe(&place))?;
            if new.sight == Sight::Later {
                writeln!(
                    output,
                    "  appended: the system's own loader reads only the first memory of a file"
                )?;
            }
        }
    }
    Ok(exit::DONE)
}

/// Every required field, from the flags or from what is known.
fn fields(
    ws: &Workspace,
    args: &Add,
    schema: &'static Schema,
    title: &str,
) -> Result<Vec<(String, Value)>, Error> {
    let mut given: Vec<(&FieldSpec, Value)> = Vec::new();
    for pair in &args.set {
        let (field, value) = split(pair)?;
        let spec = schema.field(field).ok_or_else(|| {
            Error::wrong(format!(
                "{} memories have no field `{field}`",
                schema.format
            ))
            .hint(field_names(schema))
        })?;
        if spec.role == Role::Title {
            return Err(Error::wrong(format!("`{field}` is the title")).hint("--title TEXT"));
        }
        given.push((spec, typed(Some(spec), value)?));
    }
    let tags: Value = args
        .tags
        .iter()
        .map(|tag| tag.trim())
        .filter(|tag| !tag.is_empty())
        .map(Value::from)
        .collect();
    let kind = match &args.kind {
        Some(kind) => Some(typed(schema.role(Role::Type), kind)?),
        None => None,
    };
    if !args.tags.is_empty() && schema.role(Role::Tags).is_none() {
        let says = format!("{} memories have no tags", schema.format);
        return Err(Error::wrong(says).hint(field_names(schema)));
    }
    // Patterns have an effect only in the mode that uses them.
    let is_pattern = |(spec, value): &(&FieldSpec, Value)| {
        spec.role == Role::Patterns && value.items().next().is_some()
    };
    let table = table_of(schema).filter(|_| given.iter().any(is_pattern));
    let by_patterns = table.and_then(|table| table.settings.get("glob"));
    let mut fields = Vec::new();
    for spec in schema.fields.iter().filter(|spec| spec.role != Role::Title) {
        let value = given
            .iter()
            .rev()
            .find(|(field, _)| field.name == spec.name)
            .map(|(_, value)| value.clone());
        let value = value.or_else(|| match (spec.role, spec.kind) {
            (Role::Tags, _) if !args.tags.is_empty() || spec.default.is_none() => {
                Some(tags.clone())
            }
            (Role::Type, _) if kind.is_some() => kind.clone(),
            (Role::Patterns, _) if is_on_task(schema) => Some(words_pattern(title, &args.tags)),
            (Role::Mode, _) if by_patterns.is_some() => by_patterns.map(|mode| (&**mode).into()),
            (Role::Created, _) => Some(Value::from(ws.now.to_rfc3339())),
            (Role::Author, _) if spec.default.is_none() => Some(Value::from(
                ws.settings.inject.agent.as_deref().unwrap_or("human"),
            )),
            _ => spec.default_value(),
        });
        fields.extend(
            value
                .filter(|value| *value != Value::Null)
                .map(|value| (spec.name.to_owned(), value)),
        );
    }
    Ok(fields)
}
