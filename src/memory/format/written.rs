//! A table as it is written in TOML.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Broken, Carriers, IndexTable, LinkForm, NamePatterns, PatternsOn, Table, Untitled};
use crate::memory::schema::{Capabilities, FieldSpec, Kind, Role, Schema, Shape, Style};

/// A table as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Written {
    name: String,
    about: String,
    #[serde(default = "last")]
    order: u32,
    policy: String,
    #[serde(default)]
    agents: Vec<String>,
    #[serde(default)]
    agent_folders: Vec<String>,
    #[serde(default)]
    nested: Vec<String>,
    project: Vec<String>,
    #[serde(default)]
    user: Vec<String>,
    home_env: Option<String>,
    folder_setting: Option<(String, String)>,
    name_patterns: Option<NamePatterns>,
    #[serde(default)]
    may_be_file: bool,
    #[serde(default)]
    beside: Vec<String>,
    archive: String,
    #[serde(default = "markdown")]
    ends: Vec<String>,
    #[serde(default)]
    unread: BTreeMap<String, String>,
    #[serde(default)]
    not: Vec<String>,
    #[serde(default)]
    bad_names: BTreeMap<String, String>,
    index: Option<IndexTable>,
    #[serde(default)]
    links: Vec<LinkForm>,
    #[serde(default)]
    user_prefix: String,
    #[serde(default)]
    forward_links: bool,
    #[serde(default)]
    several: bool,
    #[serde(default)]
    frontmatter: Broken,
    #[serde(default)]
    title_is_slug: bool,
    #[serde(default = "dash")]
    separator: char,
    #[serde(default)]
    named_by_title: bool,
    #[serde(default)]
    untitled: Vec<Untitled>,
    loader: Option<String>,
    #[serde(default)]
    dated_updates: bool,
    #[serde(default)]
    kebab_names: bool,
    #[serde(default)]
    observations: bool,
    advised_words: Option<(u32, u32)>,
    #[serde(default)]
    own_fields: Vec<String>,
    #[serde(default)]
    own_files: Vec<String>,
    #[serde(default)]
    fixed_files: Vec<String>,
    in_folders: Option<String>,
    #[serde(default)]
    linked_folders: bool,
    skips_links: Option<String>,
    skips_dot_folders: Option<String>,
    skips_empty: Option<String>,
    #[serde(default)]
    fence_first: bool,
    #[serde(default)]
    open_front: bool,
    unknown: Option<String>,
    #[serde(default)]
    patterns_on: PatternsOn,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    carriers: Option<Carriers>,
    #[serde(default)]
    context: bool,
    #[serde(default)]
    loaded: BTreeMap<String, String>,
    #[serde(default)]
    loaded_by: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    loaded_otherwise: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    strips_comments: Vec<String>,
    #[serde(default)]
    follows_imports: Vec<String>,
    #[serde(default)]
    field: Vec<WrittenField>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenField {
    name: String,
    #[serde(default)]
    kind: WrittenKind,
    #[serde(default)]
    choices: Vec<String>,
    range: Option<(f64, f64)>,
    #[serde(default = "plain")]
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

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    #[default]
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

const fn last() -> u32 {
    1000
}

const fn dash() -> char {
    '-'
}

fn markdown() -> Vec<String> {
    vec![".md".to_owned()]
}

const fn plain() -> Role {
    Role::Plain
}

/// Tables live as long as the program: there are few, and every memory refers to its schema.
fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn leak_all(texts: Vec<String>) -> &'static [&'static str] {
    Box::leak(texts.into_iter().map(leak).collect())
}

impl WrittenField {
    fn spec(self) -> FieldSpec {
        let kind = match self.kind {
            WrittenKind::Text => Kind::Text,
            WrittenKind::Choice => Kind::Choice(leak_all(self.choices)),
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
            name: leak(self.name),
            kind,
            role: self.role,
            required: self.required,
            default: self.default.map(leak),
            help: leak(self.help),
            aliases: leak_all(self.aliases),
            style: self.style,
            splits: self.splits,
        }
    }
}

/// The schema of a format with code of its own: the fields of one of its kinds of memory, each a
/// table of that name in TOML. A test reads each, so that none is empty because it is wrong.
pub fn schema_in(text: &str, kind: &str, format: &'static str, can: Capabilities) -> Schema {
    let mut kinds: BTreeMap<String, Vec<WrittenField>> = toml::from_str(text).unwrap_or_default();
    let fields = kinds.remove(kind).unwrap_or_default();
    let names = |is_in: fn(&WrittenField) -> bool| {
        let fields = fields.iter().filter(|field| is_in(field));
        leak_all(fields.map(|field| field.name.clone()).collect())
    };
    Schema {
        format,
        policy: format,
        follows: names(|field| field.follows),
        inner: names(|field| field.inner),
        fields: fields
            .into_iter()
            .map(WrittenField::spec)
            .collect::<Vec<_>>()
            .leak(),
        can,
    }
}

impl Written {
    pub(super) fn table(self) -> Table {
        let follows = self.field.iter().filter(|field| field.follows);
        let follows = leak_all(follows.map(|field| field.name.clone()).collect());
        let fields: Vec<FieldSpec> = self.field.into_iter().map(WrittenField::spec).collect();
        let mut settings = self.settings;
        // Without a dialect of its own, a table reads patterns with the fewest quirks.
        let globs = (self.policy == "globs").then(|| {
            let dialect = settings.entry("dialect".to_owned());
            leak(dialect.or_insert_with(|| "plain".to_owned()).clone())
        });
        // Only this policy takes task patterns for regular expressions.
        let task_patterns = self.policy == "rawko" && self.patterns_on == PatternsOn::Task;
        let index = self.index.map(|index| &*Box::leak(Box::new(index)));
        let schema = Schema {
            format: leak(self.name),
            policy: leak(self.policy),
            fields: Box::leak(fields.into_boxed_slice()),
            follows,
            inner: match self.observations {
                true => &["observations", "relations"],
                false => &[],
            },
            can: Capabilities {
                observations: self.observations,
                dated_updates: self.dated_updates,
                kebab_names: self.kebab_names,
                task_patterns,
                links: Box::leak(self.links.into_boxed_slice()),
                user_prefix: leak(self.user_prefix),
                context: self.context,
                globs,
                advised_words: self.advised_words,
                closed: self.frontmatter == Broken::None,
                shape: Shape {
                    front: self.frontmatter != Broken::None,
                    several: self.several,
                },
                index,
                ..Capabilities::PLAIN
            },
        };
        Table {
            schema: Box::leak(Box::new(schema)),
            about: self.about,
            order: self.order,
            project: self.project.into_iter().map(leak).collect(),
            user: self.user.into_iter().map(leak).collect(),
            home_env: self.home_env,
            folder_setting: self
                .folder_setting
                .map(|(file, key)| (leak(file), leak(key))),
            name_patterns: self.name_patterns,
            may_be_file: self.may_be_file,
            beside: self.beside,
            archive: self.archive,
            ends: self.ends,
            unread: self.unread,
            forward_links: self.forward_links,
            not: self.not,
            index,
            frontmatter: self.frontmatter,
            title_is_slug: self.title_is_slug,
            bad_names: self.bad_names,
            linked_folders: self.linked_folders,
            separator: self.separator,
            named_by_title: self.named_by_title,
            untitled: self.untitled,
            loader: self.loader.map(leak),
            own_fields: self.own_fields,
            own_files: self.own_files,
            fixed_files: self.fixed_files,
            in_folders: self.in_folders,
            skips_links: self.skips_links,
            skips_dot_folders: self.skips_dot_folders,
            skips_empty: self.skips_empty,
            fence_first: self.fence_first,
            open_front: self.open_front,
            unknown: self.unknown,
            patterns_on: self.patterns_on,
            settings,
            carriers: self.carriers,
            loaded: self.loaded,
            agents: self.agents,
            agent_folders: self.agent_folders,
            nested: self.nested,
            loaded_by: self.loaded_by,
            loaded_otherwise: self.loaded_otherwise,
            strips_comments: self.strips_comments,
            follows_imports: self.follows_imports,
        }
    }
}
