//! The names a query can use, and the nearest of them to a name that is none.

use crate::memory::observations::PARTS;
use crate::memory::{Role, Schema};

/// The ids of the contract's lint rules, which `has:` knows.
pub const RULES: &[&str] = &[
    "load-error",
    "bad-date",
    "missing-field",
    "unknown-value",
    "missing-file",
    "invisible-to-loader",
    "dead-appended",
    "pattern-matches-all",
    "pattern-never-matches",
    "pattern-alternative-regex",
    "pattern-invalid",
    "pattern-too-slow",
    "pattern-sentence",
    "duplicate-id",
    "duplicate-title",
    "broken-relation",
    "index-overflow",
    "index-orphan",
    "index-dangling",
    "name-style",
    "body-length",
    "cut-in-prompt",
    "stale-path",
    "changed-since",
    "stale-symbol",
    "stale-version",
    "expired",
    "contradiction",
    "superseded-active",
    "near-duplicate",
    "contained",
    "failure-log",
    "empty-body",
    "repeats-docs",
    "never-selected",
    "always-selected",
    "secret",
    "reader-instruction",
    "exfiltration-link",
    "personal-path",
    "terminal-escape",
    "invisible-unicode",
    "unused-silence",
];

/// Marks of a kind of warning: the sign, what it is called, and the rules it stands for. `has:`
/// knows them by what they are called too.
pub const MARKED: [(&str, &str, &[&str]); 3] = [
    ("~", "stale", &["stale-path"]),
    ("≠", "contradicts", &["contradiction"]),
    ("=", "duplicate", &["near-duplicate", "contained"]),
];

/// Some of [`RULES`], small enough to hold one for each of 100,000 memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleSet(u64);

/// A rule is a bit of a set.
const _: () = assert!(RULES.len() <= u64::BITS as usize);

impl RuleSet {
    /// The set of this rule; empty where there is none of that name.
    pub fn of(rule: &str) -> Self {
        let place = RULES.iter().position(|known| *known == rule);
        Self(place.map_or(0, |place| 1 << place))
    }

    /// The set of these rules.
    pub fn of_all(rules: &[&str]) -> Self {
        let mut all = Self::default();
        rules.iter().for_each(|rule| all.add(Self::of(rule)));
        all
    }

    /// Adds the rules of another set.
    pub const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// True if there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if a rule is in both.
    pub const fn shares(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Meaning of a name before a colon.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Name {
    /// Of the whole memory: what it has, what it is, its state.
    Has,
    Is,
    State,
    /// Of a value.
    Of(Subject),
}

/// The names that every store has.
const OWN: &[(&str, Name)] = &[
    ("tag", Name::Of(Subject::Role(Role::Tags))),
    ("tags", Name::Of(Subject::Role(Role::Tags))),
    ("type", Name::Of(Subject::Role(Role::Type))),
    ("importance", Name::Of(Subject::Role(Role::Importance))),
    ("author", Name::Of(Subject::Role(Role::Author))),
    ("store", Name::Of(Subject::Store)),
    ("state", Name::State),
    ("has", Name::Has),
    ("is", Name::Is),
    ("created", Name::Of(Subject::Created)),
    ("updated", Name::Of(Subject::Updated)),
    ("id", Name::Of(Subject::Id)),
    ("path", Name::Of(Subject::Path)),
    ("title", Name::Of(Subject::Title)),
    ("text", Name::Of(Subject::Text)),
];

/// The name that every store has unless a format has a field of that name.
const EXPIRES: &str = "expires";

const fn field_of(name: &'static str) -> Name {
    Name::Of(Subject::Field(name))
}

/// Looks a name up: the query language's own names first, then the fields of the formats.
pub(super) fn find(name: &str, schemas: &[&'static Schema]) -> Option<Name> {
    OWN.iter()
        .find(|(own, _)| own.eq_ignore_ascii_case(name))
        .map(|(_, name)| name.clone())
        .or_else(|| {
            fields(schemas)
                .find(|field| field.eq_ignore_ascii_case(name))
                .map(field_of)
        })
        .or_else(|| {
            let name = name.to_lowercase();
            let spec = schemas.iter().find_map(|schema| schema.field(&name))?;
            Some(field_of(spec.name))
        })
        .or_else(|| {
            let mut parts = parts(schemas);
            let own = parts.find(|own| own.eq_ignore_ascii_case(name))?;
            Some(field_of(own))
        })
        .or_else(|| {
            EXPIRES
                .eq_ignore_ascii_case(name)
                .then_some(Name::Of(Subject::Expires))
        })
}

/// The names of the fields of the formats.
pub(super) fn fields(schemas: &[&'static Schema]) -> impl Iterator<Item = &'static str> {
    schemas
        .iter()
        .flat_map(|schema| schema.fields.iter().map(|spec| spec.name))
}

/// All names that can stand before a colon.
pub(super) fn all(schemas: &[&'static Schema]) -> impl Iterator<Item = &'static str> {
    let own = OWN.iter().map(|(name, _)| *name);
    own.chain(fields(schemas))
        .chain(parts(schemas))
        .chain([EXPIRES])
}

/// The names of what stands in the texts of the formats.
fn parts(schemas: &[&'static Schema]) -> impl Iterator<Item = &'static str> {
    let has = schemas.iter().any(|schema| schema.can.observations);
    let parts = PARTS.iter().map(|(name, ..)| *name);
    parts.filter(move |_| has)
}

/// `did you mean …?` with the nearest of some names, or all of them where none is near and they
/// are few.
pub(super) fn hint(typed: &str, names: impl Iterator<Item = &'static str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let typed = typed.to_lowercase();
    let best = names
        .iter()
        .map(|name| (strsim::osa_distance(&typed, &name.to_lowercase()), *name))
        .min_by_key(|(distance, _)| *distance);
    match best {
        Some((distance, name)) if distance <= typed.chars().count().div_ceil(2).max(1) => {
            Some(format!("did you mean `{name}`?"))
        }
        Some(_) if names.len() <= 16 => Some(format!("it can be {}", listed(&names))),
        Some((_, name)) => Some(format!("the nearest is `{name}`")),
        None => None,
    }
}

/// ``a`, `b` or `c``
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// The part of a memory that a value is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    Store,
    Id,
    Path,
    Title,
    Text,
    Created,
    Updated,
    Expires,
    Role(Role),
    Field(&'static str),
}
