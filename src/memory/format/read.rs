//! Reads a table from TOML, and says where it is wrong.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Broken, PatternsOn, Table};
use crate::memory::schema::{Capabilities, FieldSpec, Kind, Role, Schema, Shape, Style};

/// A field as a table has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WrittenField {
    name: String,
    kind: Option<WrittenKind>,
    choices: Option<Vec<String>>,
    range: Option<(f64, f64)>,
    role: Option<Role>,
    required: Option<bool>,
    default: Option<String>,
    help: String,
    aliases: Option<Vec<String>>,
    style: Option<Style>,
    splits: Option<bool>,
    /// True if the system fills it, so that nobody is asked for it.
    follows: Option<bool>,
    /// True if it stands inside of another value and is read when it is shown.
    inner: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    Text,
    Choice,
    Tags,
    Patterns,
    Names,
    Lines,
    Entries,
    Date,
    Bool,
    Number,
}

pub(super) const fn last() -> u32 {
    1000
}

pub(super) const fn dash() -> char {
    '-'
}

pub(super) fn markdown() -> Vec<String> {
    vec![".md".to_owned()]
}

/// Tables live as long as the program: there are few, and every memory refers to its schema.
fn leak(text: &str) -> &'static str {
    Box::leak(text.into())
}

fn leak_all<'t>(texts: impl IntoIterator<Item = &'t String>) -> &'static [&'static str] {
    Box::leak(texts.into_iter().map(|text| leak(text)).collect())
}

impl WrittenField {
    fn spec(&self) -> FieldSpec {
        let kind = match self.kind.unwrap_or(WrittenKind::Text) {
            WrittenKind::Text => Kind::Text,
            WrittenKind::Choice => Kind::Choice(leak_all(self.choices.iter().flatten())),
            WrittenKind::Tags => Kind::Tags,
            WrittenKind::Patterns => Kind::Patterns,
            WrittenKind::Names => Kind::Names,
            WrittenKind::Lines => Kind::Lines,
            WrittenKind::Entries => Kind::Entries,
            WrittenKind::Date => Kind::Date,
            WrittenKind::Bool => Kind::Bool,
            WrittenKind::Number => {
                let (low, high) = self.range.unwrap_or((f64::MIN, f64::MAX));
                Kind::Number(low, high)
            }
        };
        FieldSpec {
            name: leak(&self.name),
            kind,
            role: self.role.unwrap_or_default(),
            required: self.required.unwrap_or_default(),
            default: self.default.as_deref().map(leak),
            help: leak(&self.help),
            aliases: leak_all(self.aliases.iter().flatten()),
            style: self.style.unwrap_or_default(),
            splits: self.splits.unwrap_or_default(),
        }
    }
}

/// The schema of a format with code of its own: the fields of one of its kinds of memory, each a
/// table of that name in TOML. A test reads each, so that none is empty because it is wrong.
pub fn schema_in(text: &str, kind: &str, format: &'static str, can: Capabilities) -> Schema {
    let mut kinds: BTreeMap<String, Vec<WrittenField>> = toml::from_str(text).unwrap_or_default();
    let fields = kinds.remove(kind).unwrap_or_default();
    let names = |is_in: fn(&&WrittenField) -> bool| {
        leak_all(fields.iter().filter(is_in).map(|field| &field.name))
    };
    Schema {
        format,
        policy: format,
        follows: names(|field| field.follows == Some(true)),
        inner: names(|field| field.inner == Some(true)),
        fields: Box::leak(fields.iter().map(WrittenField::spec).collect()),
        can,
    }
}

impl Table {
    /// Reads a table.
    pub fn read(text: &str) -> Result<Self, TableError> {
        let mut table: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            TableError::at(text, at, error.message())
        })?;
        let needed = [
            ("name", &table.name),
            ("about", &table.about),
            ("policy", &table.policy),
            ("archive", &table.archive),
        ];
        if let Some((key, _)) = needed.into_iter().find(|(_, text)| text.is_empty()) {
            return Err(TableError::at(text, 0, &format!("missing field `{key}`")));
        }
        table.schema = Box::leak(Box::new(table.make_schema()));
        Ok(table)
    }

    fn make_schema(&mut self) -> Schema {
        let follows = self
            .field
            .iter()
            .filter(|field| field.follows == Some(true));
        // Without a dialect of its own, a table reads patterns with the fewest quirks.
        let globs = (self.policy == "globs").then(|| {
            let dialect = self.settings.entry("dialect".to_owned());
            leak(dialect.or_insert_with(|| "plain".to_owned()))
        });
        let index = self.index.take().map(|index| &*Box::leak(Box::new(index)));
        Schema {
            format: leak(&self.name),
            policy: leak(&self.policy),
            follows: leak_all(follows.map(|field| &field.name)),
            fields: Box::leak(self.field.iter().map(WrittenField::spec).collect()),
            inner: match self.observations {
                true => &["observations", "relations"],
                false => &[],
            },
            can: Capabilities {
                observations: self.observations,
                dated_updates: self.dated_updates,
                kebab_names: self.kebab_names,
                // Only this policy takes task patterns for regular expressions.
                task_patterns: self.policy == "rawko" && self.patterns_on == PatternsOn::Task,
                links: Box::leak(self.links.clone().into()),
                user_prefix: leak(&self.user_prefix),
                context: self.context,
                globs,
                advised_words: self.advised_words,
                closed: self.frontmatter == Broken::None,
                shape: Shape {
                    front: self.frontmatter != Broken::None,
                    several: self.several,
                },
                fixed_files: leak_all(self.fixed_files.iter()),
                index,
                ..Capabilities::default()
            },
        }
    }
}

/// Why a table is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem, with the key.
    pub message: String,
}

impl TableError {
    /// The error at a byte of a table, with the key of its line where the message lacks it.
    pub fn at(text: &str, at: usize, message: &str) -> Self {
        let before = text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let start = before.len() - line.len();
        let whole = text.get(start..).and_then(|rest| rest.lines().next());
        let key = whole.and_then(|line| line.split_once('='));
        let key = key.map(|(key, _)| key.trim().trim_matches('"'));
        let key = key.filter(|key| !key.is_empty() && !message.contains("field `"));
        Self {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            message: match key {
                Some(key) => format!("`{key}`: {message}"),
                None => message.to_owned(),
            },
        }
    }

    /// The same error for a person: the nearest known word in place of all of them.
    pub fn in_short(mut self) -> Self {
        let Some((what, known)) = self.message.split_once(", expected one of ") else {
            return self;
        };
        let word = what.rsplit('`').nth(1).unwrap_or_default();
        let known = known.split('`').skip(1).step_by(2);
        let likeness = |known: &str| strsim::jaro_winkler(word, known);
        self.message = match known.max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
            Some(near) if likeness(near) > 0.8 => format!("{what}; did you mean `{near}`?"),
            _ => format!("{what}; docs/own-formats.md names the known ones"),
        };
        self
    }
}
