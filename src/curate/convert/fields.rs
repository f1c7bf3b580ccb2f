//! The fields of a memory by the part they play, whatever its format calls them.

use crate::memory::format::{LinkForm, PatternsOn, Table, table_of};
use crate::memory::link::text_links;
use crate::memory::schema::FieldSpec;
use crate::memory::{Fields, Memory, Role, Schema, Timestamp, Value, first_sentence};

#[derive(Clone, Debug)]
pub(super) struct RoleFields {
    pub schema: &'static Schema,
    pub table: Option<&'static Table>,
    pub title: String,
    /// The fields that have a value, by the names of the schema.
    pub values: Vec<(String, Value)>,
    /// True if the way it is attached is not written, but what its system takes it for.
    pub implies_mode: bool,
    pub lead: Option<String>,
    pub created: Option<Timestamp>,
}

/// True if the patterns of a format are compared with tasks.
pub fn is_on_task(schema: &'static Schema) -> bool {
    table_of(schema).is_some_and(|table| table.patterns_on == PatternsOn::Task)
}

/// True if memories of a format are attached by their mode or by patterns on files: one without a
/// description needs none.
pub(super) fn is_rule(schema: &'static Schema) -> bool {
    let patterns = schema.role(Role::Patterns).filter(|_| !is_on_task(schema));
    schema.role(Role::Mode).or(patterns).is_some()
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
    pub(super) fn none(schema: &'static Schema) -> Self {
        Self {
            schema,
            table: table_of(schema),
            title: String::new(),
            values: Vec::new(),
            implies_mode: false,
            lead: None,
            created: None,
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

    pub(super) fn of_memory(memory: &Memory, body: &str) -> Self {
        let mut facts = Self::none(memory.schema);
        let schema = memory.schema;
        let heading = body.trim_start().strip_prefix("# ");
        let heading = heading.and_then(|rest| rest.lines().next()).map(str::trim);
        facts.title = facts.title_of(memory, heading);
        facts.lead = lead(&facts.title, body);
        facts.created = memory.created;
        let is_text = |name: &str| schema.is_text(name) || schema.can.written_as == Some(name);
        for spec in schema.fields {
            let value = memory.field(spec.name).filter(|value| !is_empty(value));
            let Some(value) = value else { continue };
            let filled = facts.table.is_none() && schema.follows.contains(&spec.name);
            if !(is_text(spec.name) || filled && spec.role != Role::Updated) {
                facts.values.push((spec.name.to_owned(), value.clone()));
            }
        }
        facts.imply_mode();
        for (name, value) in memory.fields.iter() {
            if schema.field(name).is_none() && !is_text(name) {
                let rest = without_known(schema, name, value);
                if !is_empty(&rest) {
                    facts.values.push((name.to_owned(), rest));
                }
            }
        }
        facts
    }

    fn imply_mode(&mut self) {
        let Some(spec) = self.schema.role(Role::Mode) else {
            return;
        };
        if self.get(spec.name).is_none() {
            let usual = spec.default_value();
            let usual = usual.map(|value| (spec.name.to_owned(), value));
            self.implies_mode = usual.is_some();
            self.values.extend(usual);
        }
    }

    /// True if the first line of the text stands for the title.
    pub(super) fn shows_first_line(&self) -> bool {
        self.table.is_none() && self.schema.role(Role::Title).is_none()
    }

    /// The title as a person reads it: a name of a file is spelled in words.
    fn title_of(&self, memory: &Memory, heading: Option<&str>) -> String {
        let by_name = self.table.is_some_and(|table| table.title_is_slug);
        if let Some(heading) = heading.filter(|_| by_name) {
            return heading.to_owned();
        }
        let local = memory.id.local.rsplit('/').next().unwrap_or_default();
        let is_slug = by_name && !memory.title.contains(' ');
        let is_name = *memory.title == *memory.id.local || *memory.title == *local;
        if self.table.is_none() || !is_name && !is_slug {
            return memory.title.to_string();
        }
        let last = if is_name { local } else { &memory.title };
        let last = last.split('#').next().unwrap_or(last);
        let end = self.table.and_then(|table| table.ends.first());
        let end = end.and_then(|end| end.get(..end.rfind('.')?));
        let last = last.strip_suffix(end.unwrap_or_default()).unwrap_or(last);
        spoken(last)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

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

    pub(super) fn unknown(&self) -> impl Iterator<Item = (String, Value)> {
        let unknown = |(name, _): &&(String, Value)| self.schema.field(name).is_none();
        self.values.iter().filter(unknown).cloned()
    }
}

/// A description made of a text: its first sentence, else its title. A bare id describes nothing.
fn lead(title: &str, body: &str) -> Option<String> {
    let first = first_sentence(&without_links(body), title);
    let text = first.as_deref().unwrap_or(title);
    let text = text.trim_end_matches(['.', '。', ':', '：']);
    (text != title || text.contains(' ')).then(|| text.to_owned())
}

/// A text with the words of its links to memories in their place.
fn without_links(text: &str) -> String {
    let (mut plain, mut next) = (text.to_owned(), text.len());
    let links = text_links(text, &[LinkForm::Wiki, LinkForm::Path]);
    for link in links.into_iter().rev().filter(|link| !link.is_code) {
        // Of nested links only the inner one is one.
        if link.whole.end <= next {
            next = link.whole.start;
            plain.replace_range(link.whole, text.get(link.label).unwrap_or_default());
        }
    }
    plain
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
    let rest = rest.map(|(key, value)| (key, value.clone()));
    rest.collect::<Fields>().into()
}
