//! A memory of one format as a memory of another one. Fields go by the part they play; a field
//! without a place in the other format is left out and named.

mod fields;
mod links;
mod mapping;

use self::fields::RoleFields;
pub use self::fields::is_on_task;
pub use self::links::{Targets, rebased};
pub use self::mapping::{at_commas, words_pattern};
use self::mapping::{is_mapped, mapped};
use crate::memory::document::is_crlf;
use crate::memory::format::{Table, Untitled, table_of};
use crate::memory::frontmatter::with_crlf;
use crate::memory::schema::FieldSpec;
use crate::memory::{Memory, Role, Schema, State, Timestamp, Value, first_line};

/// Who writes a memory where its source does not say.
const AUTHOR: &str = "human";

/// A memory of the other format.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// Its title.
    pub title: String,
    /// The name it is wished to have, where its format has names.
    pub name: Option<String>,
    /// Its other fields, in the order of the schema.
    pub fields: Vec<(String, Value)>,
    /// Its body.
    pub body: String,
    /// Names of the source's fields that the other format has no place for.
    pub left_out: Vec<String>,
}

type Fields = Vec<(String, Value)>;

/// Makes a memory of another format out of one with this body, all of whose fields are read.
/// `targets` are those of its links.
pub fn convert(
    (memory, source): (&Memory, &str),
    targets: &Targets,
    to: &'static Schema,
    now: Timestamp,
) -> Converted {
    let schema = memory.schema;
    let written = schema.can.written_as;
    let text = written.and_then(|name| Some(memory.field(name)?.to_string()));
    let text = text.as_deref().unwrap_or(source);
    let text = plain_body(schema, &text.replace("\r\n", "\n"));
    let own = RoleFields::of_memory(memory, &text);
    let fields = new_fields(&own, to, now);
    let name = name_of(memory, to, &own.title);
    let way = links::Way {
        from: (schema, folder(&memory.id.local)),
        to: (to, folder(name.as_deref().unwrap_or_default())),
        targets,
    };
    let mut body = links::translated(&text, &way);
    let mut left_out = left_out(&own, to, &fields);
    // Relations without a field of their own are links in the text.
    let relations = own.role(Role::Relations);
    if let Some((spec, names)) = relations.filter(|_| to.role(Role::Relations).is_none()) {
        let names: Vec<&str> = names.items().filter_map(Value::as_str).collect();
        let known = names.iter().filter_map(|name| links::of_name(name, &way));
        let known: Vec<String> = known.collect();
        if !known.is_empty() {
            body = format!("{}\n\nRelated: {}\n", body.trim_end(), known.join(", "));
        }
        left_out.retain(|name| name != spec.name || known.len() < names.len());
    }
    body = with_title(&body, (&own.title, name.as_deref()), to);
    if table_of(to).is_some() && is_crlf(source.as_bytes()) {
        body = with_crlf(&body);
    }
    Converted {
        name,
        title: own.title,
        fields,
        body,
        left_out,
    }
}

/// The folder part of a name; empty if it has none.
fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A body without the line ends around it, and without the blanks of its empty lines where a
/// system ends a text at an empty line.
fn plain_body(schema: &'static Schema, body: &str) -> String {
    let body = body.trim_end().trim_start_matches(['\n', '\r']);
    if table_of(schema).is_some() {
        return body.to_owned();
    }
    let lines = body.lines().map(|line| match line.trim() {
        "" => "",
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A body that says its title where neither a field of the format nor the memory's name does.
fn with_title(body: &str, (title, name): (&str, Option<&str>), to: &'static Schema) -> String {
    let table = table_of(to);
    let mut lines = body.lines().filter_map(|line| line.strip_prefix("# "));
    // A title that was cut from the first line of the text says less than that line.
    let is_cut = title
        .strip_suffix('…')
        .is_some_and(|start| body.starts_with(start));
    let has_heading = body.starts_with("# ") || is_cut || lines.any(|line| line == title);
    let is_heading = table.is_some_and(|table| {
        // The file's name says less than the title does.
        let slug = plain(title, table.separator);
        let own = name.map_or(&*slug, |name| name.rsplit('/').next().unwrap_or(name));
        let is_lost = fields::spoken(own) != title;
        // A store that is one file is not named after its memory.
        let is_one = table.may_be_file && to.role(Role::Title).is_none();
        let is_unnamed = name.is_none() || is_one;
        table.title_is_slug && is_lost
            || table.untitled.contains(&Untitled::Heading) && (is_lost || is_unnamed)
    });
    if is_heading && !has_heading {
        // A first line that is the title becomes the heading.
        let rest = body.strip_prefix(title);
        let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with('\n'));
        let rest = rest.unwrap_or(body).trim_start_matches('\n');
        return format!("# {title}\n\n{rest}");
    }
    if RoleFields::none(to).shows_first_line() && first_line(body) != first_line(title) {
        return format!("{title}\n\n{body}");
    }
    body.to_owned()
}

/// The fields of a new memory, beside the title and the text.
fn new_fields(own: &RoleFields, to: &'static Schema, now: Timestamp) -> Fields {
    let is_asked = |spec: &&'static FieldSpec| {
        let written = to.is_text(spec.name) || to.can.written_as == Some(spec.name);
        spec.role != Role::Title && !written
    };
    let field = |spec: &'static FieldSpec| {
        let value = mapped(own, to, spec).or_else(|| usual(own, (to, spec), now))?;
        (value != Value::Null).then(|| (spec.name.to_owned(), value))
    };
    let fields = to.fields.iter().filter(is_asked).filter_map(field);
    let is_same = own.schema == to && !to.can.closed;
    fields.chain(own.unknown().filter(|_| is_same)).collect()
}

/// The value of a field that the source says nothing of.
fn usual(
    own: &RoleFields,
    (to, spec): (&'static Schema, &'static FieldSpec),
    now: Timestamp,
) -> Option<Value> {
    let tags = || {
        let tags = own.role(Role::Tags).into_iter();
        let tags = tags.flat_map(|(_, value)| value.items());
        tags.map(ToString::to_string).collect::<Vec<_>>()
    };
    match spec.role {
        Role::Patterns if spec.required && is_on_task(to) => {
            Some(words_pattern(&own.title, &tags()))
        }
        Role::Tags if spec.required => Some(Value::List([].into())),
        Role::Created if spec.required => {
            let at = own.created.unwrap_or(now);
            Some(at.to_rfc3339().into())
        }
        Role::Author if spec.required && spec.default.is_none() => Some(AUTHOR.into()),
        _ => spec.default_value(),
    }
}

/// Names of the fields that a new memory with these fields does not hold; those inside of a mapping
/// one by one.
fn left_out(own: &RoleFields, to: &'static Schema, fields: &Fields) -> Vec<String> {
    let made = RoleFields::made(to, &own.title, fields);
    let is_held = |name: &str, value: &Value| match own.spec(name) {
        Some(spec) => spec.role == Role::Title || is_mapped((own, &made), spec, value),
        None => own.schema == to,
    };
    let mut names = Vec::new();
    for (name, value) in own
        .values
        .iter()
        .filter(|(name, value)| !is_held(name, value))
    {
        match value {
            Value::Map(inner) => names.extend(inner.iter().map(|(key, _)| format!("{name}.{key}"))),
            _ => names.push(name.clone()),
        }
    }
    names
}

/// The name that a memory gets in another format, after the one it has; none where a system makes
/// the names, and where it had none of its own.
fn name_of(memory: &Memory, to: &'static Schema, title: &str) -> Option<String> {
    let to_table = table_of(to)?;
    let from = table_of(memory.schema)?;
    // The names of later documents are numbers, and a file that its system finds by name has no
    // other one.
    let is_fixed = from
        .project
        .iter()
        .any(|place| memory.path.ends_with(place));
    if memory.document > 0 || title.is_empty() || is_fixed {
        return None;
    }
    if memory.schema == to {
        return Some(local(memory).to_owned());
    }
    // A format that names files by title chooses the name itself.
    let name = Some(parts_in(to_table, bare(memory))).filter(|_| !to_table.named_by_title);
    let name = name.map(|name| match from.named_by_title {
        true => name.to_lowercase(),
        false => name,
    });
    name.filter(|name| !name.is_empty())
}

/// LOCAL of a memory, without folders if it is archived.
fn local(memory: &Memory) -> &str {
    let local = &*memory.id.local;
    let last = local.rsplit('/').next();
    let last = last.filter(|_| memory.state == State::Archived);
    last.unwrap_or(local)
}

/// The name of a memory without the ending that its format gives to names, and without folders if
/// the memory is archived.
pub fn bare(memory: &Memory) -> &str {
    let local = local(memory);
    let end = table_of(memory.schema).and_then(|table| table.ends.first());
    let end = end.and_then(|end| end.get(..end.rfind('.')?));
    local.strip_suffix(end.unwrap_or("")).unwrap_or(local)
}

/// Changes a name to one that a format allows; parts that it allows stay as they are.
pub fn parts_in(to: &Table, name: &str) -> String {
    let part = |part: &str| match is_plain(part) && !to.schema.can.kebab_names {
        true => part.to_owned(),
        false => plain(part, to.separator),
    };
    let parts = name.split('/').map(part).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.collect();
    match to.in_folders {
        Some(_) => parts.join(&to.separator.to_string()),
        None => parts.join("/"),
    }
}

/// True if a part of a name can stand for itself in every system.
fn is_plain(part: &str) -> bool {
    let first = part.chars().next();
    first.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        && part
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// A part of a name in letters and digits of ASCII, small ones where words are parted by `-`.
pub fn plain(part: &str, separator: char) -> String {
    let mut name = String::new();
    for c in part.chars() {
        let c = match c {
            c if c.is_ascii_alphanumeric() && separator == '-' => c.to_ascii_lowercase(),
            c if c.is_ascii_alphanumeric() => c,
            '-' | '_' if separator != '-' => c,
            _ => separator,
        };
        if c != separator || !name.ends_with(separator) {
            name.push(c);
        }
    }
    name.trim_matches(separator).to_owned()
}
