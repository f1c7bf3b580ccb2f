//! The names a query can use, and suggestions for a name or a value that is wrong or missing.

use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools as _;

use super::{Marks, QueryError};
use crate::memory::observations::PARTS;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Schema, State, Timestamp};
use crate::text::rule_pages::rules;

/// The ids of lint's rules, which `has:` knows.
pub static RULES: LazyLock<Vec<&str>> = LazyLock::new(|| rules().collect());

/// Marks of a kind of warning: the sign, what it is called, and the rules it stands for. `has:`
/// knows them by what they are called too.
pub const MARKED: [(&str, &str, &[&str]); 3] = [
    ("~", "stale", STALE),
    ("≠", "contradicts", &["contradiction"]),
    ("=", "duplicate", &["near-duplicate", "contained"]),
];
const STALE: &[&str] = &[
    "stale-path",
    "stale-command",
    "stale-symbol",
    "stale-version",
];

/// Some of [`RULES`], of which there are at most 64: small enough to hold one for each of 100,000
/// memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleSet(u64);

impl RuleSet {
    /// The set of this rule; empty where there is none of that name.
    pub fn of(rule: &str) -> Self {
        let place = (0..).zip(RULES.iter()).find(|(_, known)| **known == rule);
        let bit = place.and_then(|(place, _)| 1_u64.checked_shl(place));
        Self(bit.unwrap_or(0))
    }

    /// The set of these rules.
    pub fn of_all(rules: &[&str]) -> Self {
        let rules = rules.iter().map(|rule| Self::of(rule).0);
        Self(rules.fold(0, |all, rule| all | rule))
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

/// The part of a memory that a value is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject {
    Store,
    Id,
    Path,
    Title,
    Text,
    Created,
    Updated,
    Expires,
    /// A number of the record of use, by its name.
    Worth(&'static str),
    Role(Role),
    Field(&'static str),
}

/// Meaning of a name before a colon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Name {
    /// Of the whole memory: what it has.
    Has,
    /// Of the whole memory: one of so many [`STATES`].
    Is(usize),
    /// Of a value.
    Of(Subject),
}

/// Test of a state of a memory.
type IsIn = fn(&Memory, &Marks, Timestamp) -> bool;

/// The states that `is:` knows, each with its test; `state:` knows the first two.
pub(super) const STATES: [(&str, IsIn); 8] = [
    ("active", |memory, _, _| memory.state == State::Active),
    ("archived", |memory, _, _| memory.state == State::Archived),
    ("invisible", |memory, _, now| {
        memory.hidden_at(now).is_some()
    }),
    ("visible", |memory, _, now| memory.hidden_at(now).is_none()),
    ("new", |_, marks, _| marks.new),
    ("broken", |memory, _, _| !memory.problems.is_empty()),
    ("expired", |memory, _, now| memory.is_expired(now)),
    ("caution", |memory, _, _| memory.is_caution),
];

/// The names of the first of these states.
pub(super) fn states(count: usize) -> Vec<&'static str> {
    STATES.iter().take(count).map(|(name, _)| *name).collect()
}

/// The names that every store has.
const OWN: &[(&str, Name)] = &[
    ("tag", Name::Of(Subject::Role(Role::Tags))),
    ("tags", Name::Of(Subject::Role(Role::Tags))),
    ("type", Name::Of(Subject::Role(Role::Type))),
    ("importance", Name::Of(Subject::Role(Role::Importance))),
    ("author", Name::Of(Subject::Role(Role::Author))),
    ("store", Name::Of(Subject::Store)),
    ("state", Name::Is(2)),
    ("has", Name::Has),
    ("is", Name::Is(STATES.len())),
    ("created", Name::Of(Subject::Created)),
    ("updated", Name::Of(Subject::Updated)),
    ("given", Name::Of(Subject::Worth("given"))),
    ("drawn", Name::Of(Subject::Worth("drawn"))),
    ("against", Name::Of(Subject::Worth("against"))),
    ("id", Name::Of(Subject::Id)),
    ("path", Name::Of(Subject::Path)),
    ("title", Name::Of(Subject::Title)),
    ("text", Name::Of(Subject::Text)),
];

/// The kind of a number of the record of use.
pub(super) const COUNT: Kind = Kind::Number((0.0, f64::INFINITY));

/// The name that every store has unless a format has a field of that name.
const EXPIRES: &str = "expires";

/// Looks a name up: the query language's own names first, then the fields of the formats.
pub(super) fn find(name: &str, schemas: &[&'static Schema]) -> Option<Name> {
    let is_it = |own: &str| own.eq_ignore_ascii_case(name);
    if let Some((_, name)) = OWN.iter().find(|(own, _)| is_it(own)) {
        return Some(*name);
    }
    let lower = name.to_lowercase();
    let aliased = || schemas.iter().find_map(|schema| schema.field(&lower));
    let field = fields(schemas).find(|field| is_it(field));
    let field = field.or_else(|| aliased().map(|spec| spec.name));
    let field = field.or_else(|| parts(schemas).find(|part| is_it(part)));
    let field = field.map(|field| Name::Of(Subject::Field(field)));
    field.or_else(|| is_it(EXPIRES).then_some(Name::Of(Subject::Expires)))
}

/// The names of the fields of the formats.
pub(super) fn fields(schemas: &[&'static Schema]) -> impl Iterator<Item = &'static str> {
    let fields = schemas.iter().flat_map(|schema| schema.fields);
    fields.map(|spec| spec.name)
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

/// The kinds of field this is in the formats; none where no format has it.
pub(super) fn kinds(subject: Subject, schemas: &[&'static Schema]) -> Vec<Kind> {
    let schemas = schemas.iter();
    match subject {
        Subject::Created | Subject::Updated | Subject::Expires => vec![Kind::Date],
        Subject::Worth(_) => vec![COUNT],
        Subject::Role(role) => schemas
            .filter_map(|schema| Some(schema.role(role)?.kind))
            .collect(),
        Subject::Field(name) => schemas
            .flat_map(|schema| schema.fields)
            .filter(|spec| spec.name.eq_ignore_ascii_case(name))
            .map(|spec| spec.kind)
            .collect(),
        _ => vec![Kind::Text],
    }
}

/// Words for a state that people type, and what the query calls it.
const MEANT: [(&str, &str); 10] = [
    ("changed", "new"),
    ("modified", "new"),
    ("uncommitted", "new"),
    ("added", "new"),
    ("hidden", "invisible"),
    ("unseen", "invisible"),
    ("invalid", "broken"),
    ("old", "expired"),
    ("negative", "caution"),
    ("pitfall", "caution"),
];

/// `did you mean …?` with the nearest of some names, or all of them where none is near and they
/// are few.
pub(super) fn hint(typed: &str, names: impl Iterator<Item = &'static str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let typed = typed.to_lowercase();
    let is_meant = |(word, meant): &&(&str, &str)| *word == typed && names.contains(meant);
    if let Some((_, meant)) = MEANT.iter().find(is_meant) {
        return Some(format!("did you mean `{meant}`?"));
    }
    let distance = |name: &str| strsim::osa_distance(&typed, &name.to_lowercase());
    let distances = names.iter().map(|name| (distance(name), *name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    Some(match names.len() {
        _ if distance <= typed.chars().count().div_ceil(2).max(1) => {
            format!("did you mean `{name}`?")
        }
        ..=16 => format!("it can be {}", listed(&names)),
        _ => format!("the nearest is `{name}`"),
    })
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

/// The error for a field without a value.
pub(super) fn unfinished(typed: &str, name: Name, kinds: &[Kind], at: Range<usize>) -> QueryError {
    let words = match name {
        Name::Is(count) => states(count),
        _ => choices(kinds),
    };
    let hint = match name {
        Name::Has => "write has:finding, has:stale-path or has:tags".to_owned(),
        _ if !words.is_empty() => format!("it can be {}", listed(&words)),
        _ => example(typed, kinds, "a word after the colon"),
    };
    QueryError::new(at, format!("`{typed}:` needs a value"), Some(hint))
}

/// The error for a value that no format's field can have.
pub(super) fn unsuited(name: &str, typed: &str, kinds: &[Kind], at: Range<usize>) -> QueryError {
    let choices = choices(kinds);
    let wrong = kinds.iter().find_map(|kind| match kind {
        Kind::Choice(_) => Some(format!("no {name} `{typed}`")),
        Kind::Date => Some(format!("`{typed}` is neither a date nor an age")),
        Kind::Number(..) => Some(format!("`{typed}` is not a number")),
        Kind::Bool => Some(format!("`{typed}` is neither true nor false")),
        _ => None,
    });
    let message = wrong.unwrap_or_else(|| format!("`{name}` has no order"));
    let hint = match choices.is_empty() {
        true => Some(example(name, kinds, &format!("{name}:{typed}"))),
        false => hint(typed, choices.into_iter()),
    };
    QueryError::new(at, message, hint)
}

/// The words that fields of these kinds can have; formats, and stores of one format, have words in
/// common.
fn choices(kinds: &[Kind]) -> Vec<&'static str> {
    let words = kinds.iter().filter_map(|kind| match kind {
        Kind::Choice(words) => Some(*words),
        _ => None,
    });
    words.flatten().copied().unique().collect()
}

/// An example of a value of these kinds. Text has `plain` as its example.
fn example(name: &str, kinds: &[Kind], plain: &str) -> String {
    let example = kinds.iter().find_map(|kind| match kind {
        Kind::Date => Some("N:2026-03, N:>=2026-01-15 or N:<30d (m h d w M y)"),
        Kind::Number(..) => Some("N:>0.5"),
        Kind::Bool => Some("N:true or N:false"),
        _ => None,
    });
    let example = example.map(|example| example.replace('N', name));
    format!("write {}", example.as_deref().unwrap_or(plain))
}
