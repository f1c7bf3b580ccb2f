//! The fields of a memory by the part they play, whatever its format calls them.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::memory::format::{PatternsOn, Table, table_of};
use crate::memory::schema::FieldSpec;
use crate::memory::{Memory, Role, Schema, Timestamp, Value};

/// Fields of a memory in one format.
#[derive(Clone, Debug)]
pub(super) struct RoleFields {
    pub schema: &'static Schema,
    pub table: Option<&'static Table>,
    pub title: String,
    /// The name of its file.
    pub stem: String,
    /// The first heading of the text.
    pub heading: Option<String>,
    /// Whether its text had no title above it before it was converted.
    pub is_untitled: bool,
    /// The fields that have a value, by the names of the schema.
    pub values: Vec<(String, Value)>,
    /// Whether the way it is attached is not written, but what its system takes it for.
    pub implies_mode: bool,
    /// The first sentence of the body; None for fields that were kept in a text.
    pub lead: Option<String>,
    /// When it was written, where that is known.
    pub created: Option<Timestamp>,
}

/// Whether the patterns of a format are compared with tasks.
pub fn is_on_task(schema: &'static Schema) -> bool {
    table_of(schema).is_some_and(|table| table.patterns_on == PatternsOn::Task)
}

/// The words of a name, the first with a capital.
pub(super) fn spoken(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.trim().chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.trim().is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(fields) => fields.is_empty(),
        _ => false,
    }
}

impl RoleFields {
    /// No fields.
    pub(super) fn none(schema: &'static Schema) -> Self {
        Self {
            schema,
            table: table_of(schema),
            title: String::new(),
            stem: String::new(),
            heading: None,
            is_untitled: false,
            values: Vec::new(),
            implies_mode: false,
            lead: None,
            created: None,
        }
    }

    /// Fields that were kept in a text.
    pub(super) fn kept(schema: &'static Schema, mut values: Vec<(String, Value)>) -> Self {
        let (name, word) = super::kept::TITLE;
        let mark = |(own, value): &mut (String, Value)| own == name && value.as_str() == Some(word);
        Self {
            is_untitled: values.extract_if(.., mark).count() > 0,
            values,
            ..Self::none(schema)
        }
    }

    /// The fields of a memory that is about to be written.
    pub(super) fn made(schema: &'static Schema, title: &str, fields: &[(String, Value)]) -> Self {
        let fields = fields.iter().filter(|(_, value)| !is_empty(value));
        Self {
            title: title.to_owned(),
            values: fields.cloned().collect(),
            ..Self::none(schema)
        }
    }

    /// The fields of a memory with this body.
    pub(super) fn of_memory(memory: &Memory, body: &str) -> Self {
        let mut facts = Self::none(memory.schema);
        let schema = memory.schema;
        let heading = body.trim_start().strip_prefix("# ");
        let heading = heading.and_then(|rest| rest.lines().next()).map(str::trim);
        facts.heading = heading.map(ToOwned::to_owned);
        facts.title = facts.title_of(memory);
        facts.lead = lead(body);
        let stem = memory.path.file_stem().unwrap_or_default();
        facts.stem = stem.to_string_lossy().into_owned();
        facts.created = memory.created;
        let written = schema.can.written_as;
        for spec in schema.fields {
            let value = memory.field(spec.name).filter(|value| !is_empty(value));
            let Some(value) = value else { continue };
            let filled = facts.table.is_none() && schema.follows.contains(&spec.name);
            let is_text = schema.is_text(spec.name) || written == Some(spec.name);
            if !(is_text || filled && spec.role != Role::Updated) {
                facts.values.push((spec.name.to_owned(), value.clone()));
            }
        }
        facts.imply_mode();
        for (name, value) in memory.fields.iter() {
            let is_text = schema.is_text(name) || written == Some(name);
            if schema.field(name).is_none() && !is_text {
                let rest = without_known(schema, name, value);
                if !is_empty(&rest) {
                    facts.values.push((name.to_owned(), rest));
                }
            }
        }
        facts
    }

    /// Adds how the system attaches a memory that does not say it.
    fn imply_mode(&mut self) {
        let Some(spec) = self.schema.role(Role::Mode) else {
            return;
        };
        if self.get(spec.name).is_none() {
            let usual = spec.default_value();
            self.implies_mode = usual.is_some();
            self.values
                .extend(usual.map(|value| (spec.name.to_owned(), value)));
        }
    }

    /// Whether the first line of the text stands for the title.
    pub(super) fn shows_first_line(&self) -> bool {
        self.table.is_none() && self.schema.role(Role::Title).is_none()
    }

    /// The title as a person reads it.
    fn title_of(&self, memory: &Memory) -> String {
        let by_name = self.table.is_some_and(|table| table.title_is_slug);
        if let Some(heading) = self.heading.as_deref().filter(|_| by_name) {
            return heading.to_owned();
        }
        let local = memory.id.local.rsplit('/').next().unwrap_or_default();
        let is_name = *memory.title == *memory.id.local || *memory.title == *local;
        if !is_name || self.table.is_none() {
            return memory.title.to_string();
        }
        let last = local.split('#').next().unwrap_or(local);
        let end = self.table.and_then(|table| table.ends.first());
        let end = end.and_then(|end| end.get(..end.rfind('.')?));
        let last = last.strip_suffix(end.unwrap_or_default()).unwrap_or(last);
        spoken(last)
    }

    /// The field with a name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// What the schema says of a field.
    pub(super) fn spec(&self, name: &str) -> Option<&'static FieldSpec> {
        self.schema.fields.iter().find(|spec| spec.name == name)
    }

    /// The field that plays a role and has a value.
    pub(super) fn role(&self, role: Role) -> Option<(&'static FieldSpec, &Value)> {
        let mut specs = self.schema.roles(role);
        specs.find_map(|spec| {
            let value = self.get(spec.name);
            Some((spec, value.filter(|value| **value != Value::Null)?))
        })
    }

    /// The fields that it could have and has not, by their names: not those of its text or its
    /// title, nor those that its system fills.
    pub(super) fn absent(&self) -> impl Iterator<Item = &'static str> {
        let schema = self.schema;
        let is_asked = move |spec: &&FieldSpec| {
            let is_text = schema.is_text(spec.name) || schema.can.written_as == Some(spec.name);
            let is_filled = schema.follows.contains(&spec.name);
            spec.role != Role::Title && !is_text && !is_filled
        };
        let specs = schema.fields.iter().filter(is_asked);
        let absent = specs.filter(|spec| self.get(spec.name).is_none());
        absent.map(|spec| spec.name)
    }

    /// Where a field stands: in the order of the schema, then those that it does not know.
    pub(super) fn place(&self, name: &str) -> usize {
        let place = self.schema.fields.iter().position(|spec| spec.name == name);
        place.unwrap_or(usize::MAX)
    }

    /// Fields that the schema does not know.
    pub(super) fn unknown(&self) -> impl Iterator<Item = (String, Value)> {
        let unknown = |(name, _): &&(String, Value)| self.schema.field(name).is_none();
        self.values.iter().filter(unknown).cloned()
    }
}

/// Maximum number of characters of a first sentence that becomes a description.
const LEAD: usize = 140;

/// The first sentence of the first paragraph above any code block, without list markers. A long one is
/// cut between words; None if it is one word.
fn lead(body: &str) -> Option<String> {
    let is_text =
        |line: &&str| line.starts_with(|c: char| c.is_alphanumeric() || "-*\"'([".contains(c));
    let body = body.split("```").next().unwrap_or_default();
    let lines = body
        .lines()
        .map(str::trim)
        .skip_while(|line| !is_text(line));
    let paragraph = lines.take_while(is_text).collect::<Vec<_>>().join(" ");
    let text = paragraph
        .trim_start_matches(['-', '*', ' '])
        .replace("**", "");
    let first = text.unicode_sentences().next()?.trim();
    let shown = match first.char_indices().nth(LEAD) {
        None => first.trim_end_matches('.').to_owned(),
        Some((end, _)) => format!("{}…", first.get(..end)?.rsplit_once(' ')?.0),
    };
    shown.contains(' ').then_some(shown)
}

/// A mapping without the keys that are fields of the schema.
fn without_known(schema: &Schema, name: &str, value: &Value) -> Value {
    let Value::Map(fields) = value else {
        return value.clone();
    };
    let is_unknown = |(key, _): &(&str, &Value)| {
        let path = format!("{name}.{key}");
        let mut aliases = schema.fields.iter().flat_map(|spec| spec.aliases);
        !aliases.any(|alias| *alias == path)
    };
    let rest = fields.iter().filter(is_unknown);
    Value::Map(Box::new(
        rest.map(|(key, value)| (key.to_owned(), value.clone()))
            .collect(),
    ))
}
