//! Formats of Markdown files as tables: `assets/formats/NAME.toml`, and a team's own.
//!
//! A table says where the files lie, how a store is recognised, which fields there are and what the
//! system's loader does with a file. Behaviour that a table cannot express is selected by the name
//! of a loader (`store::markdown::load`).

mod read;

use std::collections::BTreeMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use super::schema::Schema;
pub use super::schema::{IndexTable, LinkForm};
use read::WrittenField;
pub use read::schema_in;

/// The name of what loads a file of context and when, among what stands beside its fields.
pub const LOADED: &str = "loaded";

/// A format of Markdown files: the keys of its table (docs/own-formats.md), in their order there.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Table {
    /// Its fields, policy and capabilities, made of the keys.
    #[serde(skip)]
    pub schema: &'static Schema,
    name: String,
    /// The name of its memories, for people.
    pub about: String,
    /// Its place among the formats, in the order in which stores are looked for.
    #[serde(default = "last")]
    pub order: u32,
    policy: String,
    /// The agents that load its files; empty where any agent may.
    pub agents: Vec<String>,
    /// Folders whose subfolders are each the store of one agent, and have its name.
    pub agent_folders: Vec<String>,
    /// Context files that are also loaded from every folder between the project root and the working
    /// directory.
    pub nested: Vec<String>,
    /// Paths of its stores below a project: folders or files, `*` for any name.
    pub project: Vec<String>,
    /// Paths of them below a person's home; `{project}` is the name that the system gives the
    /// folder of a project.
    pub user: Vec<String>,
    /// The variable of the environment that names another folder than the first one of the places
    /// below a person's home.
    pub home_env: Option<String>,
    /// The setting of the system that names another folder: a JSON file below a person's home, and
    /// its key.
    pub folder_setting: Option<(String, String)>,
    /// Patterns of the system's own settings that names of memories are compared with.
    pub name_patterns: Option<NamePatterns>,
    /// True if a store may be one file.
    pub may_be_file: bool,
    /// Files beside the folder that belong to the store, relative to it.
    pub beside: Vec<String>,
    /// The folder of archived memories, relative to the store.
    pub archive: String,
    /// How the names of its files end, what a new one gets first.
    #[serde(default = "markdown")]
    pub ends: Vec<String>,
    /// Ends of names that are listed though the system does not read them, with the reason.
    pub unread: BTreeMap<String, String>,
    /// Names of files that are not memories, and of folders without memories, which end in `/`.
    pub not: Vec<String>,
    /// Names that agents cannot use, `*` for any text, each with the reason.
    pub bad_names: BTreeMap<String, String>,
    index: Option<IndexTable>,
    links: Vec<LinkForm>,
    user_prefix: String,
    /// True if a link may name what is still to be written: one to a memory that goes away stays.
    pub forward_links: bool,
    several: bool,
    /// The behaviour of the loader on frontmatter that is not YAML.
    pub frontmatter: Broken,
    /// True if a new memory's title is written as the name of its file.
    pub title_is_slug: bool,
    /// Separator of the words in a new file's name.
    #[serde(default = "dash")]
    pub separator: char,
    /// True if a new file is named after the title of its memory.
    pub named_by_title: bool,
    /// Substitutes for a missing title, tried before the name of the file.
    pub untitled: Vec<Untitled>,
    /// The loader whose peculiarities no table says.
    pub loader: Option<String>,
    dated_updates: bool,
    kebab_names: bool,
    observations: bool,
    advised_words: Option<(u32, u32)>,
    /// Fields that no other format has: they tell one of its files.
    pub own_fields: Vec<String>,
    /// Names of files that tell one of its folders.
    pub own_files: Vec<String>,
    /// Files that the system finds by their names, beside its index and what is one file.
    pub fixed_files: Vec<String>,
    /// What memories with well-known names are for, by words of the name in small letters: the system's
    /// documents say it, the memories themselves seldom do.
    pub purposes: BTreeMap<String, String>,
    /// Why the loader does not read what stands in folders below the store; none where it does.
    pub in_folders: Option<String>,
    /// True if the loader follows symbolic links to folders.
    pub linked_folders: bool,
    /// Why the loader does not follow symbolic links; none where it does.
    pub skips_links: Option<String>,
    /// Why the loader drops a file without text below its fields; none where it loads it.
    pub skips_empty: Option<String>,
    /// True if the loader reads fields only where the first line of the file is a fence.
    pub fence_first: bool,
    /// True if fields that no fence closes count: the loader takes the whole file for them.
    pub open_front: bool,
    /// The unknown parts of the loader.
    pub unknown: Option<String>,
    /// The texts that its patterns are compared with.
    pub patterns_on: PatternsOn,
    /// Settings of the policy.
    pub settings: BTreeMap<String, String>,
    /// Files that tell a model to read the memories, if no program does.
    pub carriers: Option<Carriers>,
    context: bool,
    /// Loader of each file and the time of loading, by the end of its path; of context alone.
    pub loaded: BTreeMap<String, String>,
    /// The agents that load each file, by the end of its path; of context alone.
    pub loaded_by: BTreeMap<String, Vec<String>>,
    /// The agents that load a file if the project root has none of the files that they load from
    /// every folder; of context alone.
    pub loaded_otherwise: BTreeMap<String, Vec<String>>,
    /// The agents that take block comments out of a file that they load; of context alone.
    pub strips_comments: Vec<String>,
    /// The agents that follow `@path` imports; of context alone.
    pub follows_imports: Vec<String>,
    field: Vec<WrittenField>,
}

/// The texts that the patterns of a format are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatternsOn {
    /// The paths of files that an agent works on.
    #[default]
    Files,
    /// The words of a task.
    Task,
}

/// Files of a project that tell a model to read a store.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Carriers {
    /// Words by which they name it, in any letter case.
    pub words: Vec<String>,
    /// The formats whose files may name it: what an agent is given of them counts.
    #[serde(default)]
    pub formats: Vec<String>,
    /// Files of no format, below the project or the person's home (`~/`); `*` for any name.
    #[serde(default)]
    pub files: Vec<String>,
    /// The files that the system expects in a store, by their names without end: a list for each
    /// of its generations, the newest first.
    #[serde(default)]
    pub core: Vec<Vec<String>>,
}

/// Lists of patterns in YAML files of a system's settings; a pattern fits all of a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NamePatterns {
    /// The files, relative to the store or below the person's home (`~/`).
    pub files: Vec<String>,
    /// Key of the patterns of memories that are not listed.
    pub ignored: String,
    /// Key of the patterns of memories that agents do not write.
    pub read_only: String,
}

/// The behaviour of a loader on frontmatter that is not YAML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Broken {
    /// It does not load the memory.
    Hidden,
    /// It loads the memory without its fields, or that is not known.
    #[default]
    Told,
    /// It reads lines of `key: value` and never asks for YAML.
    Lines,
    /// There is no frontmatter: all of the file is text.
    None,
}

/// The substitute for a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Untitled {
    /// The first heading of the text.
    Heading,
    /// The first line of the text.
    Line,
    /// The name of the file without its folders.
    Stem,
}

impl Table {
    /// The format's name.
    pub const fn name(&self) -> &'static str {
        self.schema.format
    }

    /// What the system has a memory for, by its name: `task_completion_checklist` is one for `task completion`.
    pub fn purpose(&self, name: &str) -> Option<&str> {
        if self.purposes.is_empty() {
            return None;
        }
        let mut words = String::from(" ");
        for c in name.chars() {
            match c.is_alphanumeric() {
                true if c.is_uppercase() => words.extend([' '].into_iter().chain(c.to_lowercase())),
                true => words.push(c),
                false => words.push(' '),
            }
        }
        words.push(' ');
        let is_named = |known: &&String| words.contains(&format!(" {known} "));
        let named = self.purposes.keys().filter(is_named);
        let longest = named.max_by_key(|known| known.len())?;
        self.purposes.get(longest).map(String::as_str)
    }

    /// Returns the loader of a context file and when it loads, by its path.
    pub fn loads(&self, path: &str) -> Option<&str> {
        by_end(&self.loaded, path).map(String::as_str)
    }

    /// The agents that load a file of context, by its path.
    pub fn agents_of(&self, path: &str) -> &[String] {
        by_end(&self.loaded_by, path).map_or(&[], Vec::as_slice)
    }

    /// True if an agent loads a file of context of the project root, by its path; `is_there` is true
    /// for the files that are there.
    pub fn is_loaded_by(&self, path: &str, agent: &str, is_there: &dyn Fn(&str) -> bool) -> bool {
        let has = |agents: &[String]| agents.iter().any(|one| one == agent);
        let is_own = |path: &String| has(self.agents_of(path)) && is_there(path);
        let otherwise = self.loaded_otherwise.get(path).is_some_and(|all| has(all));
        has(self.agents_of(path)) || otherwise && !self.nested.iter().any(is_own)
    }

    /// The end of a file's name that is one of a memory, where it is one, and why the system does
    /// not read such a file, where it does not. The longest end counts.
    pub fn end_of(&self, name: &str) -> Option<(&str, Option<&str>)> {
        let read = self.ends.iter().map(|end| (end.as_str(), None));
        let unread = self.unread.iter();
        let unread = unread.map(|(end, why)| (end.as_str(), Some(why.as_str())));
        let ends = read.chain(unread);
        ends.filter(|(end, _)| name.ends_with(end))
            .max_by_key(|(end, why)| (end.len(), why.is_none()))
    }
}

/// True if one agent can load memories of both formats.
pub fn share_readers(a: &'static Schema, b: &'static Schema) -> bool {
    let share = |(a, b): (&Table, &Table)| {
        let any = a.agents.is_empty() || b.agents.is_empty();
        any || a.agents.iter().any(|agent| b.agents.contains(agent))
    };
    a == b || table_of(a).zip(table_of(b)).is_none_or(share)
}

/// Looks up a path in a table: by the whole path, its last part, or a folder in it; `*` for all
/// others.
fn by_end<'t, T>(table: &'t BTreeMap<String, T>, path: &str) -> Option<&'t T> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let fits =
        |part: &str| path == part || name == part || part.ends_with('/') && path.contains(part);
    let found = table.get(path);
    let found = found.or_else(|| Some(table.iter().find(|(part, _)| fits(part))?.1));
    found.or_else(|| table.get("*"))
}

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/formats");

/// The bundled tables, by their order. A test reads each of them, so that none
/// is left out because it is wrong.
pub static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let texts = FILES.files().filter_map(|file| file.contents_utf8());
    let mut tables: Vec<Table> = texts.filter_map(|text| Table::read(text).ok()).collect();
    tables.sort_by_key(|table| (table.order, table.name()));
    tables
});

/// The tables that a team brings along.
static ADDED: RwLock<Vec<&'static Table>> = RwLock::new(Vec::new());

/// Makes a team's table known by its name; one with the same name that was read before is
/// replaced.
pub fn add(table: &'static Table) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.retain(|known| known.name() != table.name());
    added.push(table);
}

/// The tables that were added.
pub fn added() -> Vec<&'static Table> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    added.clone()
}

/// The table that a schema comes from; none for a format that has code of its own.
pub fn table_of(schema: &'static Schema) -> Option<&'static Table> {
    let mut all = TABLES.iter().chain(added());
    all.find(|table| table.schema == schema)
}

/// The bundled table with this name.
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name() == name)
}

/// The schema of a format that is a table; that of the first one where none has the name.
pub fn schema(name: &str) -> &'static Schema {
    let named = table(name).or_else(|| TABLES.first());
    named.map_or_else(Default::default, |table| table.schema)
}

impl Default for &Schema {
    fn default() -> Self {
        static NONE: LazyLock<Schema> = LazyLock::new(Schema::default);
        &NONE
    }
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

#[cfg(test)]
mod tests;
