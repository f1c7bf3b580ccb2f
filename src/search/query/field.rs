//! `field:value` against a memory.

use super::Marks;
use super::names::{RuleSet, Subject};
use super::value::Wanted;
use crate::memory::observations::part;
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Memory, Role, State, Timestamp, Value};

/// Test of a term with a colon; one matching value is enough.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Has(Box<[Has]>),
    Is(Box<[Is]>),
    Of(Subject, Box<[Wanted]>),
}

/// Values that can follow `has:`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Has {
    /// Any finding.
    Finding,
    /// A finding of this rule.
    Rule(RuleSet),
    /// A body with a word in it.
    Body,
    /// A field that plays this role, not empty.
    Role(Role),
    /// A field of this name, not empty.
    Field(&'static str),
    /// A date of writing.
    Created,
    /// A date of change.
    Updated,
    /// A day on which its time is over.
    Expires,
}

/// Values that can follow `is:` and `state:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Active,
    Archived,
    Invisible,
    Visible,
    New,
    Broken,
    Expired,
}

impl Is {
    /// What `state:` knows.
    pub(super) const STATES: [(&'static str, Self); 2] = [
        (State::Active.word(), Self::Active),
        (State::Archived.word(), Self::Archived),
    ];

    /// What `is:` knows.
    pub(super) const ALL: [(&'static str, Self); 7] = [
        (State::Active.word(), Self::Active),
        (State::Archived.word(), Self::Archived),
        ("invisible", Self::Invisible),
        ("visible", Self::Visible),
        ("new", Self::New),
        ("broken", Self::Broken),
        ("expired", Self::Expired),
    ];
}

impl Test {
    /// True if its answer depends on what lint found.
    pub(super) fn needs_findings(&self) -> bool {
        let Self::Has(has) = self else {
            return false;
        };
        has.iter()
            .any(|has| matches!(has, Has::Finding | Has::Rule(_)))
    }

    /// True if it accepts archived memories by name.
    pub(super) fn asks_archived(&self) -> bool {
        matches!(self, Self::Is(is) if is.contains(&Is::Archived))
    }

    /// True if its answer depends on what is new since the last commit.
    pub(super) fn needs_news(&self) -> bool {
        matches!(self, Self::Is(is) if is.contains(&Is::New))
    }

    /// True if what it asks for may be a finding of this rule: where it names rules one of them is
    /// meant, though a field may begin with the same letters.
    pub(super) fn may_ask_for(&self, rule: RuleSet) -> bool {
        let Self::Has(has) = self else {
            return true;
        };
        let mut named = has.iter().filter_map(|has| match has {
            Has::Rule(rules) => Some(*rules),
            _ => None,
        });
        named.clone().next().is_none() || named.any(|rules| rules.shares(rule))
    }

    pub(super) const fn wants_body(&self) -> bool {
        matches!(self, Self::Of(Subject::Text, _))
    }

    /// The fields it names.
    pub(super) fn fields(&self) -> impl Iterator<Item = &'static str> {
        let (has, of) = match self {
            Self::Has(has) => (&**has, None),
            Self::Of(Subject::Field(name), _) => (&[][..], Some(*name)),
            Self::Is(_) | Self::Of(..) => (&[][..], None),
        };
        let has = has.iter().filter_map(|has| match has {
            Has::Field(name) => Some(*name),
            _ => None,
        });
        has.chain(of)
    }

    /// True if it tests tags, which the body may have too.
    const fn is_of_tags(&self) -> bool {
        matches!(self, Self::Of(Subject::Role(Role::Tags), _))
    }

    /// True if it tests fields or tags, which a memory may not hold until its text is read.
    pub(super) fn may_ask_inner(&self) -> bool {
        self.is_of_tags() || self.fields().next().is_some()
    }

    /// True if it tests a field that this memory does not hold until its text is read.
    pub(super) fn asks_inner(&self, memory: &Memory) -> bool {
        self.is_of_tags() && memory.schema.can.observations
            || self.fields().any(|name| memory.schema.reads_for(name))
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
            Self::Is(is) => is.iter().any(|is| is.matches(memory, marks, now)),
            Self::Of(subject, wanted) => wanted
                .iter()
                .any(|wanted| subject.matches(wanted, memory, now, body)),
        }
    }
}

impl Has {
    fn matches(&self, memory: &Memory, marks: &Marks) -> bool {
        match self {
            Self::Finding => !marks.findings.is_empty(),
            Self::Rule(rule) => marks.findings.shares(*rule),
            Self::Body => memory.words > 0,
            Self::Role(Role::Title) => !memory.title.is_empty(),
            Self::Role(role) => memory.role(*role).is_some_and(filled),
            Self::Field(name) => field(memory, name).is_some_and(|(value, _)| filled(value)),
            Self::Created => memory.created.is_some(),
            Self::Updated => memory.updated.is_some(),
            Self::Expires => memory.expires.is_some(),
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

impl Is {
    fn matches(self, memory: &Memory, marks: &Marks, now: Timestamp) -> bool {
        match self {
            Self::Active => memory.state == State::Active,
            Self::Archived => memory.state == State::Archived,
            Self::Invisible => memory.hidden.is_some() || memory.is_expired(now),
            Self::Visible => memory.hidden.is_none() && !memory.is_expired(now),
            Self::New => marks.new,
            Self::Broken => !memory.problems.is_empty(),
            Self::Expired => memory.is_expired(now),
        }
    }
}

impl Subject {
    fn matches(
        &self,
        wanted: &Wanted,
        memory: &Memory,
        now: Timestamp,
        body: Option<&str>,
    ) -> bool {
        let time = |at: Option<Timestamp>| at.is_some_and(|at| wanted.accepts_time(at, now));
        match self {
            Self::Store => wanted.accepts_text(&memory.id.store.0),
            // LOCAL alone first: the whole id has to be put together.
            Self::Id => {
                wanted.accepts_text(&memory.id.local) || wanted.accepts_text(&memory.id.to_string())
            }
            Self::Path => wanted.accepts_text(&memory.path.to_string_lossy()),
            Self::Title => wanted.accepts_text(&memory.title),
            Self::Text => {
                wanted.accepts_text(&memory.title)
                    || body.is_some_and(|body| wanted.accepts_text(body))
            }
            Self::Created => time(memory.created),
            Self::Updated => time(memory.updated),
            Self::Expires => {
                let at = memory.expires.map(|expiry| expiry.at);
                at.is_some_and(|at| wanted.accepts_coming(at, now))
            }
            Self::Role(Role::Tags) if has_item(wanted, memory, ("observations", "tags")) => true,
            Self::Role(role) => memory
                .schema
                .role(*role)
                .and_then(|spec| Some((memory.field(spec.name)?, spec)))
                .is_some_and(|(value, spec)| wanted.accepts(value, spec.kind, now)),
            Self::Field(name) if has_part(wanted, memory, name) => true,
            Self::Field(name) => match field(memory, name) {
                Some((value, spec)) if *value != Value::Null => {
                    wanted.accepts(value, spec.map_or(Kind::Text, |spec| spec.kind), now)
                }
                _ => {
                    let kind = memory.schema.field(name).map(|spec| spec.kind);
                    let taken = memory.taken_for(name);
                    taken.is_some_and(|taken| match kind {
                        Some(kind @ Kind::Number(..)) => {
                            wanted.accepts(&taken.as_str().into(), kind, now)
                        }
                        _ => wanted.accepts_text(&taken),
                    })
                }
            },
        }
    }
}

/// True if an observation or a relation of a memory has the wanted value.
fn has_part(wanted: &Wanted, memory: &Memory, name: &str) -> bool {
    part(name).is_some_and(|part| has_item(wanted, memory, part))
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
fn field<'a>(memory: &'a Memory, name: &str) -> Option<(&'a Value, Option<&'static FieldSpec>)> {
    let (found, value) = memory
        .fields
        .iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))?;
    Some((value, memory.schema.field(found)))
}
