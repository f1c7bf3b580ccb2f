//! Reads a table from TOML, and says where it is wrong.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Broken, PatternsOn, Table};
use crate::memory::problem::TextError;
use crate::memory::schema::{Capabilities, FieldSpec, Kind, Role, Schema, Shape, Style};

/// A field as a table has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WrittenField {
    name: String,
    #[serde(default)]
    kind: Kind,
    #[serde(default)]
    choices: Vec<String>,
    range: Option<(f64, f64)>,
    #[serde(default)]
    role: Role,
    #[serde(default)]
    required: bool,
    default: Option<String>,
    help: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    style: Style,
    #[serde(default)]
    splits: bool,
    /// True if the system fills it, so that nobody is asked for it.
    #[serde(default)]
    follows: bool,
    /// True if it stands inside of another value and is read when it is shown.
    #[serde(default)]
    inner: bool,
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
        FieldSpec {
            name: leak(&self.name),
            kind: match self.kind {
                Kind::Choice(_) => Kind::Choice(leak_all(&self.choices)),
                Kind::Number(_) => Kind::Number(self.range.unwrap_or((f64::MIN, f64::MAX))),
                kind => kind,
            },
            role: self.role,
            required: self.required,
            default: self.default.as_deref().map(leak),
            help: leak(&self.help),
            aliases: leak_all(&self.aliases),
            style: self.style,
            splits: self.splits,
        }
    }
}

/// The specifications of fields, and the names of those that the system fills.
fn specs(fields: &[WrittenField]) -> (&'static [FieldSpec], &'static [&'static str]) {
    let follows = fields.iter().filter(|field| field.follows);
    let specs = fields.iter().map(WrittenField::spec).collect();
    (Box::leak(specs), leak_all(follows.map(|field| &field.name)))
}

/// The schema of a format with code of its own: the fields of one of its kinds of memory, each a
/// table of that name in TOML. A test reads each, so that none is empty because it is wrong.
pub fn schema_in(text: &str, kind: &str, format: &'static str, can: Capabilities) -> Schema {
    let mut kinds: BTreeMap<String, Vec<WrittenField>> = toml::from_str(text).unwrap_or_default();
    let fields = kinds.remove(kind).unwrap_or_default();
    let inner = fields.iter().filter(|field| field.inner);
    let inner = leak_all(inner.map(|field| &field.name));
    let (fields, follows) = specs(&fields);
    Schema {
        format,
        policy: format,
        fields,
        follows,
        inner,
        can,
    }
}

impl Table {
    /// Reads a table.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let mut table: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            TextError::at(text, at, error.message())
        })?;
        let needed = [
            ("name", &table.name),
            ("about", &table.about),
            ("policy", &table.policy),
            ("archive", &table.archive),
        ];
        if let Some((key, _)) = needed.into_iter().find(|(_, text)| text.is_empty()) {
            return Err(TextError::at(text, 0, &format!("missing field `{key}`")));
        }
        table.schema = Box::leak(Box::new(table.make_schema()));
        Ok(table)
    }

    fn make_schema(&mut self) -> Schema {
        let (fields, follows) = specs(&self.field);
        // Without a dialect of its own, a table reads patterns with the fewest quirks.
        let globs = (self.policy == "globs").then(|| {
            let dialect = self.settings.entry("dialect".to_owned());
            leak(dialect.or_insert_with(|| "plain".to_owned()))
        });
        let index = self.index.take().map(|index| &*Box::leak(Box::new(index)));
        Schema {
            format: leak(&self.name),
            policy: leak(&self.policy),
            fields,
            follows,
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
                fixed_files: leak_all(&self.fixed_files),
                index,
                ..Capabilities::default()
            },
        }
    }
}
