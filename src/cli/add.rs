//! `memkeep add`: writes a new memory, or those of a turn.

mod turn;

use super::change::{change, say};
use super::edit::{field_names, no_field, split, typed};
use super::list::{print, refuse_type};
use super::prelude::*;
use super::show::print_json;
use crate::curate::convert::{is_on_task, words_pattern};
use crate::memory::format::table_of;
use crate::memory::schema::FieldSpec;
use crate::memory::{Schema, Sight, first_line};

#[derive(Debug, clap::Args)]
pub struct Add {
    /// The body; `-` reads standard input
    #[arg(allow_hyphen_values = true, required_unless_present = "turn")]
    pub content: Option<String>,
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
    /// Propose for a golemcore store what its rules take out of a turn: JSON with userText,
    /// assistantText and toolOutputs; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["content", "title", "kind", "tags", "set"])]
    pub turn: Option<String>,
    /// Write what is taken out of a turn into the store, without a review
    #[arg(long, requires = "turn", conflicts_with = "content")]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(LISTED))]
    pub format: Format,
}

pub fn run(ws: &Workspace, args: &Add, output: &mut Output) -> Result<u8> {
    if let Some(file) = &args.turn {
        return turn::run(ws, args, file, output);
    }
    let body = text_or_stdin(args.content.as_deref().unwrap_or_default())?;
    let mut stores = ws.collection.receivers();
    let first = stores.clone().next();
    // A type says which store is meant, where only some have types.
    let has_types = |store: &&dyn Store| store.schema().role(Role::Type).is_some();
    let with_types = args.kind.as_ref().and_then(|_| stores.find(has_types));
    let Some(store) = with_types.or(first) else {
        return Err(Error::wrong("there is no store to add to").hint("`memkeep init` makes one"));
    };
    if args.kind.is_some() && with_types.is_none() {
        refuse_type(ws)?;
    }
    let schema = store.schema();
    let title = title(args.title.as_deref(), schema, &body)?;
    let given = given(args, schema)?;
    let kind = args.kind.as_deref();
    let kind = kind.map(|kind| typed(schema.role(Role::Type), kind));
    let what = (&*args.tags, kind.transpose()?);
    let new = Change::Add {
        store: Some(store.info().id.clone()),
        fields: fields(ws, what, given, schema, &title),
        title: title.clone(),
        body,
    };
    let Some(made) = change(ws, args.dry_run, output, &|_| Ok(new.clone()))? else {
        return Ok(exit::DONE);
    };
    if args.format == Format::Table {
        say(&made, output)?;
    }
    // A new name is what was not there; else the memory with this title was added to.
    let after = ws.load();
    let known: HashSet<&MemoryId> = made.before.iter().map(|memory| &memory.id).collect();
    let new = after.iter().position(|memory| !known.contains(&memory.id));
    let is_same = |one: &Arc<Memory>| *one.title == *title && one.id.store == store.info().id;
    let new = new.or_else(|| after.iter().position(is_same));
    if let Some((at, memory)) = new.and_then(|at| Some((at, after.get(at)?))) {
        match args.format {
            Format::Json => print_json(ws, &after, at, output)?,
            Format::Table => place(ws, memory, output)?,
            format => drop(print(ws, &after, &[(0, at, memory)], format, output)?),
        }
    }
    Ok(exit::DONE)
}

/// The title that is given, else the first line of the body.
pub fn title(given: Option<&str>, schema: &'static Schema, body: &str) -> Result<String> {
    let wrong = |what: &str| Error::wrong(what).hint("--title TEXT");
    // In a field, or as the name and heading of a file.
    let has_title = table_of(schema).is_some() || schema.role(Role::Title).is_some();
    let title = match given {
        Some(_) if !has_title => {
            let error = Error::wrong(format!("{} memories have no title", schema.format));
            return Err(error.hint("the first line of the text is shown in its place"));
        }
        Some(title) => title.trim().to_owned(),
        // A line may begin with a tab, or have one between a command and what it prints.
        None => {
            let words = first_line(body).split(|c: char| c.is_whitespace() || c.is_control());
            words.filter(|word| !word.is_empty()).join(" ")
        }
    };
    match has_title {
        false if title.is_empty() => Err(Error::wrong("a memory needs a text")),
        true if title.is_empty() => Err(wrong("a memory needs a title")),
        _ if title.contains(char::is_control) => Err(wrong("a title is one line of text")),
        _ => Ok(title),
    }
}

fn place(ws: &Workspace, new: &Memory, output: &mut Output) -> Result<()> {
    let (id, path) = (new.id.to_string(), ws.collection.shown(&new.path));
    writeln!(output, "  {}  {}", safe(&id), safe(&path))?;
    if new.sight == Sight::Later {
        let why = "the system's own loader reads only the first memory of a file";
        writeln!(output, "  appended: {why}")?;
    }
    Ok(())
}

pub type Given = (&'static FieldSpec, Value);

fn given(args: &Add, schema: &'static Schema) -> Result<Vec<Given>> {
    let mut given: Vec<Given> = Vec::new();
    for pair in &args.set {
        let (field, value) = split(pair)?;
        let spec = schema.field(field).ok_or_else(|| no_field(schema, field))?;
        if spec.role == Role::Title {
            return Err(Error::wrong(format!("`{field}` is the title")).hint("--title TEXT"));
        }
        given.push((spec, typed(Some(spec), value)?));
    }
    if !args.tags.is_empty() && schema.role(Role::Tags).is_none() {
        let what = format!("{} memories have no tags", schema.format);
        return Err(Error::wrong(what).hint(field_names(schema)));
    }
    Ok(given)
}

/// The fields of a memory that is proposed: those that are given and the defaults of its format. Its
/// author and its date are those of the proposal.
pub fn proposed(
    ws: &Workspace,
    what: (&[String], Option<Value>),
    given: Vec<Given>,
    schema: &'static Schema,
    title: String,
) -> serde_json::Map<String, serde_json::Value> {
    let known = [Role::Author, Role::Created].map(|role| schema.role(role));
    let known = known.into_iter().flatten().map(|spec| spec.name);
    let mut known = known.collect_vec();
    known.retain(|name| given.iter().all(|(spec, _)| spec.name != *name));
    let fields = fields(ws, what, given, schema, &title).into_iter();
    let fields = fields.filter(|(name, _)| !known.contains(&&**name));
    let fields = fields.map(|(name, value)| (name, json!(value)));
    fields.chain([("title".to_owned(), title.into())]).collect()
}

/// Every required field, from tags, type and fields that are given or from what is known.
pub fn fields(
    ws: &Workspace,
    (names, kind): (&[String], Option<Value>),
    given: Vec<Given>,
    schema: &'static Schema,
    title: &str,
) -> Vec<(String, Value)> {
    let tags = names.iter().map(|tag| tag.trim());
    let tags = tags.filter(|tag| !tag.is_empty()).map(Value::from);
    let tags: Value = tags.collect();
    // Patterns have an effect only in the mode that uses them.
    let is_pattern = |(spec, value): &(&FieldSpec, Value)| {
        spec.role == Role::Patterns && value.items().next().is_some()
    };
    let table = table_of(schema).filter(|_| given.iter().any(is_pattern));
    let by_patterns = table.and_then(|table| table.settings.get("glob"));
    let default = |spec: &FieldSpec| match spec.role {
        Role::Tags if !names.is_empty() || spec.default.is_none() => Some(tags.clone()),
        Role::Type if kind.is_some() => kind.clone(),
        Role::Patterns if is_on_task(schema) => Some(words_pattern(title, names)),
        Role::Mode if by_patterns.is_some() => by_patterns.map(|mode| (&**mode).into()),
        Role::Created => Some(Value::from(ws.now.to_rfc3339())),
        Role::Author if spec.default.is_none() => {
            let agent = ws.settings.inject.agent.as_deref();
            Some(agent.unwrap_or("human").into())
        }
        _ => spec.default_value(),
    };
    let specs = schema.fields.iter().filter(|spec| spec.role != Role::Title);
    let fields = specs.filter_map(|spec| {
        let own = given.iter().rev();
        let mut own = own.filter(|(field, _)| field.name == spec.name);
        let value = own.next();
        let value = value.map_or_else(|| default(spec), |(_, value)| Some(value.clone()))?;
        (value != Value::Null).then(|| (spec.name.to_owned(), value))
    });
    fields.collect()
}
