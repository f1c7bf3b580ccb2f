//! `field:value` against a memory.

use super::Marks;
use super::names::{COUNT, MARKED, RULES, RuleSet, STATES, Subject, fields};
use super::value::Wanted;
use crate::memory::observations::part;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Schema, Timestamp, Value};

/// Test of a term with a colon; one matching value is enough.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Has(Box<[Has]>),
    /// One of the states.
    Is(Box<[&'static str]>),
    Of(Subject, Box<[Wanted]>),
}

/// Values that can follow `has:`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Has {
    /// A finding of one of these rules.
    Rule(RuleSet),
    /// A field of this name, not empty.
    Field(&'static str),
    /// Another part, by the word of the language.
    Own(&'static str),
}

/// Test of a part of a memory.
type IsThere = fn(&Memory, &Marks) -> bool;

/// The parts of a memory that `has:` knows in every format, each with its test.
const PARTS: [(&str, IsThere); 10] = [
    ("finding", |_, marks| !marks.findings.is_empty()),
    ("body", |memory, _| memory.words > 0),
    ("tags", |memory, _| has(memory, Role::Tags)),
    ("type", |memory, _| has(memory, Role::Type)),
    ("importance", |memory, _| has(memory, Role::Importance)),
    ("author", |memory, _| has(memory, Role::Author)),
    ("title", |memory, _| !memory.title.is_empty()),
    ("created", |memory, _| memory.created.is_some()),
    ("updated", |memory, _| memory.updated.is_some()),
    ("expires", |memory, _| memory.expires.is_some()),
];

fn has(memory: &Memory, role: Role) -> bool {
    memory.role(role).is_some_and(filled)
}

/// Returns the values of `has:`, each with its word.
pub(super) fn all_has(schemas: &[&'static Schema]) -> Vec<(&'static str, Has)> {
    let parts = PARTS.iter().map(|(word, _)| (*word, Has::Own(word)));
    let rules = RULES
        .iter()
        .map(|rule| (*rule, Has::Rule(RuleSet::of(rule))));
    let fields = fields(schemas).map(|name| (name, Has::Field(name)));
    parts.chain(rules).chain(fields).collect()
}

/// Returns the names of the list's marks, each with the rules it stands for.
pub(super) fn marked() -> impl Iterator<Item = (&'static str, Has)> {
    let marked = MARKED.iter();
    marked.map(|(_, name, rules)| (*name, Has::Rule(RuleSet::of_all(rules))))
}

impl Test {
    pub(super) fn needs_findings(&self) -> bool {
        let is_finding = |has: &Has| matches!(has, Has::Own("finding") | Has::Rule(_));
        matches!(self, Self::Has(has) if has.iter().any(is_finding))
    }

    pub(super) const fn asks_worth(&self) -> bool {
        matches!(self, Self::Of(Subject::Worth(_), _))
    }

    pub(super) fn asks_state(&self, state: &str) -> bool {
        matches!(self, Self::Is(is) if is.contains(&state))
    }

    /// True if what it asks for may be a finding of this rule: where it names rules one of them is
    /// meant, though a field may begin with the same letters.
    pub(super) fn may_ask_for(&self, rule: RuleSet) -> bool {
        let has = match self {
            Self::Has(has) => &**has,
            _ => &[],
        };
        let named = has.iter().filter_map(|has| match has {
            Has::Rule(rules) => Some(rules.shares(rule)),
            _ => None,
        });
        named.reduce(|one, other| one || other).unwrap_or(true)
    }

    pub(super) const fn wants_body(&self) -> bool {
        matches!(self, Self::Of(Subject::Text, _))
    }

    /// True if it tests a field that this memory does not hold until its text is read.
    pub(super) fn asks_inner(&self, memory: &Memory) -> bool {
        let schema = memory.schema;
        let reads = |has: &Has| matches!(has, Has::Field(name) if schema.reads_for(name));
        match self {
            Self::Has(has) => has.iter().any(reads),
            Self::Of(Subject::Field(name), _) => schema.reads_for(name),
            // The body may have tags too.
            Self::Of(Subject::Role(Role::Tags), _) => schema.can.observations,
            Self::Is(_) | Self::Of(..) => false,
        }
    }

    pub(super) fn matches(
        &self,
        memory: &Memory,
        marks: &Marks,
        now: Timestamp,
        body: Option<&str>,
    ) -> bool {
        match self {
            Self::Has(has) => has.iter().any(|has| has.matches(memory, marks)),
            Self::Is(states) => STATES
                .iter()
                .any(|(name, is)| states.contains(name) && is(memory, marks, now)),
            Self::Of(Subject::Worth(name), wanted) => {
                let count = Value::Int(marks.worth.count(name).into());
                let mut wanted = wanted.iter();
                wanted.any(|wanted| wanted.accepts(&count, COUNT, now))
            }
            Self::Of(subject, wanted) => wanted
                .iter()
                .any(|wanted| subject.matches(wanted, memory, now, body)),
        }
    }
}

impl Has {
    fn matches(self, memory: &Memory, marks: &Marks) -> bool {
        match self {
            Self::Rule(rule) => marks.findings.shares(rule),
            Self::Field(name) => field(memory, name).is_some_and(|(value, _)| filled(value)),
            Self::Own(word) => PARTS
                .iter()
                .any(|(own, has)| *own == word && has(memory, marks)),
        }
    }
}

fn filled(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Text(text) => !text.trim().is_empty(),
        Value::List(items) => items.iter().any(filled),
        Value::Map(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => true,
    }
}

impl Subject {
    fn matches(self, wanted: &Wanted, memory: &Memory, now: Timestamp, body: Option<&str>) -> bool {
        let time = |at: Option<Timestamp>| at.is_some_and(|at| wanted.accepts_time(at, now));
        let text = |text: &str| wanted.accepts_text(text);
        match self {
            // Uses are no part of the memory: see [`Test::matches`].
            Self::Worth(_) => false,
            Self::Store => text(&memory.id.store.0),
            // LOCAL alone first: the whole id has to be put together.
            Self::Id => text(&memory.id.local) || text(&memory.id.to_string()),
            Self::Path => text(&memory.path.to_string_lossy()),
            Self::Title => text(&memory.title),
            Self::Text => text(&memory.title) || body.is_some_and(text),
            Self::Created => time(memory.created),
            Self::Updated => time(memory.updated),
            Self::Expires => memory
                .expires
                .is_some_and(|expiry| wanted.accepts_coming(expiry.at, now)),
            Self::Role(Role::Tags) if has_item(wanted, memory, ("observations", "tags")) => true,
            Self::Role(role) => memory.schema.role(role).is_some_and(|spec| {
                let value = memory.field(spec.name);
                value.is_some_and(|value| wanted.accepts(value, spec.kind, now))
            }),
            // An observation or a relation may have it.
            Self::Field(name) if part(name).is_some_and(|of| has_item(wanted, memory, of)) => true,
            Self::Field(name) => match field(memory, name) {
                Some((value, kind)) if *value != Value::Null => wanted.accepts(value, kind, now),
                // A field that is not written counts with its system's default.
                _ => memory.taken_for(name).is_some_and(|taken| {
                    match memory.schema.field(name).map(|spec| spec.kind) {
                        Some(kind @ Kind::Number(..)) => {
                            wanted.accepts(&taken.as_str().into(), kind, now)
                        }
                        _ => text(&taken),
                    }
                }),
            },
        }
    }
}

/// True if an item of a list of observations or relations has the wanted value at a key.
fn has_item(wanted: &Wanted, memory: &Memory, (list, key): (&str, &str)) -> bool {
    let can = memory.schema.can.observations;
    let list = memory.fields.get(list).filter(|_| can);
    list.is_some_and(|list| {
        let values = list.items().filter_map(|item| match item {
            Value::Map(fields) => fields.get(key),
            _ => None,
        });
        let values: Value = values.flat_map(Value::items).cloned().collect();
        wanted.accepts(&values, Kind::Tags, Timestamp(0))
    })
}

/// A field by its name in any case; a format that does not know it holds it as text.
fn field<'a>(memory: &'a Memory, name: &str) -> Option<(&'a Value, Kind)> {
    let mut fields = memory.fields.iter();
    let (found, value) = fields.find(|(key, _)| key.eq_ignore_ascii_case(name))?;
    let spec = memory.schema.field(found);
    Some((value, spec.map_or(Kind::Text, |spec| spec.kind)))
}
