//! The fields of a format: the field editor, the query language and the checks of a load are
//! drawn from it.

use serde::Deserialize;

/// The part a field plays whatever its name is in a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The title.
    Title,
    /// How important it is.
    Importance,
    /// The tags.
    Tags,
    /// When it was written.
    Created,
    /// When it was last changed.
    Updated,
    /// Who wrote it.
    Author,
    /// The patterns that say when it is injected.
    Patterns,
    /// The kind of memory.
    Type,
    /// Names of other memories.
    Relations,
    /// A lasting id that links know beside the title and the name of the file.
    Id,
    /// Subject of the memory, by which a model chooses it.
    Description,
    /// How the system attaches the memory: always, by patterns, by its description, by hand.
    Mode,
    /// A field without a part of its own.
    #[default]
    Plain,
}

/// The kind of a field's value, by which it is edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One line of text.
    #[default]
    Text,
    /// One of these words, least first.
    Choice(#[serde(skip)] &'static [&'static str]),
    /// A list of words.
    Tags,
    /// A list of patterns, or one pattern.
    Patterns,
    /// A list of names of other memories.
    Names,
    /// A list of sentences.
    Lines,
    /// A list of mappings.
    Entries,
    /// A point in time.
    Date,
    /// True or false.
    Bool,
    /// A number between the two.
    Number(#[serde(skip)] (f64, f64)),
}

impl Kind {
    /// Why a number cannot stand in it; none where it can, and in fields that hold no numbers.
    pub fn refuses(self, number: f64) -> Option<String> {
        let Self::Number((low, high)) = self else {
            return None;
        };
        (!(low..=high).contains(&number)).then(|| format!("not between {low} and {high}"))
    }

    /// True if it holds several items.
    pub const fn is_list(self) -> bool {
        matches!(
            self,
            Self::Tags | Self::Patterns | Self::Names | Self::Lines | Self::Entries
        )
    }
}

/// Default of a field that a new memory derives from its path: lower-case words joined by `-`.
pub const FROM_PATH: &str = "{path}";

/// One field of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FieldSpec {
    /// Its key in the store.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// The part it plays.
    pub role: Role,
    /// True if the system's specification asks for it.
    pub required: bool,
    /// Returns the default for a new memory.
    pub default: Option<&'static str>,
    /// Its purpose, in one line.
    pub help: &'static str,
    /// Other keys it is found under, a key inside a mapping as `mapping.key`.
    pub aliases: &'static [&'static str],
    /// How the system's own writer writes it.
    pub style: Style,
    /// True if one text holds several items: comma-separated, or a JSON list. A `#` before an item is
    /// dropped.
    pub splits: bool,
}

impl FieldSpec {
    /// Its value among the fields of a memory, under its name or another it is found by.
    pub fn value_in<'f>(&self, fields: &'f super::Fields) -> Option<&'f super::Value> {
        let mut names = std::iter::once(&self.name).chain(self.aliases);
        names.find_map(|name| fields.at(name))
    }

    /// Returns the default for a new memory.
    pub fn default_value(&self) -> Option<super::Value> {
        let word = self.default.filter(|word| *word != FROM_PATH)?;
        Some(match self.kind {
            Kind::Bool => super::Value::Bool(word == "true"),
            Kind::Number(..) => match (word.parse(), word.parse()) {
                (Ok(whole), _) => super::Value::Int(whole),
                (_, Ok(number)) => super::Value::Float(number),
                _ => word.into(),
            },
            kind if kind.is_list() => word.split(',').map(|item| item.trim().into()).collect(),
            _ => word.into(),
        })
    }
}

/// How a system's own writer writes a value of frontmatter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Without quotes where that is safe.
    #[default]
    Plain,
    /// In double quotes.
    Quoted,
    /// In double quotes, a list line by line.
    Lines,
    /// Without quotes where that is safe; the items of a list on lines below its key, not indented.
    Dashes,
    /// In double quotes, the items of a list in one text, parted by commas.
    Comma,
    /// As the rest of its line, which quotes and YAML's marks are a part of.
    Bare,
}

impl Style {
    /// True if a list is written as one text, its items parted by commas.
    pub const fn joins(self) -> bool {
        matches!(self, Self::Comma | Self::Bare)
    }
}

/// How a Markdown file of a format is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// True if a file may begin with frontmatter.
    pub front: bool,
    /// True if a file may hold several memories, each with frontmatter of its own.
    pub several: bool,
}

/// Capabilities and rules of a format's memories, beside their fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct Capabilities {
    /// The memories are rows of a database: their text is drawn from their fields, and what
    /// refers to one goes with it.
    pub in_rows: bool,
    /// The system can be told to forget a memory.
    pub forgets: bool,
    /// The field that holds the text of a memory.
    pub text: Option<&'static str>,
    /// The field that the body of a new memory is written to, where it is no text of its own.
    pub written_as: Option<&'static str>,
    /// A memory has the fields of the schema and no others.
    pub closed: bool,
    /// A memory begins with a line that is not of its text.
    pub heading: bool,
    /// One error in the file makes the system read no memory of the store.
    pub all_or_none: bool,
    /// The system takes a memory without a date for one of today.
    pub undated_is_today: bool,
    /// Additions to a memory go below a heading with the day.
    pub dated_updates: bool,
    /// The files are context: shown and counted, never changed and not checked.
    pub context: bool,
    /// The names of its files are words in small letters parted by `-`.
    pub kebab_names: bool,
    /// How memories link to each other in their texts.
    pub links: &'static [LinkForm],
    /// Prefix of a memory of the user's own store in texts of any store; empty if texts name only
    /// memories of their own store.
    pub user_prefix: &'static str,
    /// The texts hold observations and relations ([`super::observations`]).
    pub observations: bool,
    /// Patterns match the text of a task.
    pub task_patterns: bool,
    /// How the system reads patterns of files: a dialect of the policy `globs`.
    pub globs: Option<&'static str>,
    /// The least and the most words of a body that the system's documents advise.
    pub advised_words: Option<(u32, u32)>,
    /// How a file is divided.
    pub shape: Shape,
    /// Files that the system finds by their names: an agent fills them when it has something to say.
    pub fixed_files: &'static [&'static str],
    /// The file of a store that lists the others.
    pub index: Option<&'static IndexTable>,
    /// Returns the system's default for a missing field.
    pub taken_for: Option<fn(&super::Memory, &str) -> Option<String>>,
}

/// The fields of a format, in the order a new memory is written.
#[derive(Debug, Default)]
pub struct Schema {
    /// The format's name.
    pub format: &'static str,
    /// The policy that its system selects by.
    pub policy: &'static str,
    /// Its fields.
    pub fields: &'static [FieldSpec],
    /// Fields that the system fills, or that repeat what stands elsewhere: nobody is asked for
    /// them where a new memory is written.
    pub follows: &'static [&'static str],
    /// Fields inside of a value that the store keeps in one piece. No memory holds them: a store
    /// reads them when they are asked for (`retrieval::Texts::inner`).
    pub inner: &'static [&'static str],
    /// The capabilities of its memories.
    pub can: Capabilities,
}

impl PartialEq for Schema {
    /// A schema is one thing for as long as the program runs.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The words for importance, the least first (SPEC-0007, `minImportance`).
pub const IMPORTANCE: [&str; 4] = ["low", "medium", "high", "critical"];

impl Schema {
    /// True if a field is the text of a memory.
    pub fn is_text(&self, name: &str) -> bool {
        self.can.text == Some(name)
    }

    /// True if no edit changes a field: what follows from other rows, or is the system's own.
    pub fn is_fixed(&self, name: &str) -> bool {
        self.can.in_rows && self.follows.contains(&name)
    }

    /// True if a field is read when it is asked for, and not held.
    pub fn is_inner(&self, name: &str) -> bool {
        self.inner.contains(&name)
    }

    /// True if a query for a field needs what no memory holds.
    pub fn reads_for(&self, name: &str) -> bool {
        self.is_inner(name) || self.can.observations && super::observations::part(name).is_some()
    }

    /// The field with this name, or one that goes by it.
    pub fn field(&self, name: &str) -> Option<&'static FieldSpec> {
        let mut fields = self.fields.iter();
        let exact = fields.clone().find(|spec| spec.name == name);
        exact.or_else(|| fields.find(|spec| spec.aliases.contains(&name)))
    }

    /// The words of a field that is one of some.
    pub fn choices(&self, name: &str) -> &'static [&'static str] {
        match self.field(name).map(|spec| spec.kind) {
            Some(Kind::Choice(words)) => words,
            _ => &[],
        }
    }

    /// True if a key is that of a mapping in which fields of the schema stand.
    pub fn holds_fields(&self, name: &str) -> bool {
        let mut aliases = self.fields.iter().flat_map(|spec| spec.aliases);
        aliases.any(|alias| alias.split_once('.').is_some_and(|(own, _)| own == name))
    }

    /// The fields that play a role.
    pub fn roles(&self, role: Role) -> impl Iterator<Item = &'static FieldSpec> + use<> {
        self.fields.iter().filter(move |spec| spec.role == role)
    }

    /// The field that plays a role.
    pub fn role(&self, role: Role) -> Option<&'static FieldSpec> {
        self.fields.iter().find(|spec| spec.role == role)
    }
}

/// A form of links between memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkForm {
    /// `[[name]]`.
    Wiki,
    /// `mem:name`.
    Mem,
    /// `[text](path)`.
    Path,
    /// `@name`, `@name.mdc`, `[text](mdc:path)`; paths begin at the root of the project.
    At,
    /// `#file:path`.
    File,
    /// A bare `path.md`, in code or not; only in an index.
    #[serde(skip)]
    Name,
}

impl IndexTable {
    /// LOCAL of the file.
    pub fn local(&self) -> &str {
        self.file.strip_suffix(".md").unwrap_or(&self.file)
    }
}

/// A file of a store that lists the others.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct IndexTable {
    /// Its name.
    pub file: String,
    /// The most lines of it that the loader gives to an agent.
    pub lines: usize,
    /// The most UTF-16 units of it.
    pub units: usize,
    /// UTF-16 units of a line above which it is too long.
    pub line: usize,
    /// Folders below the store whose files it does not list.
    #[serde(default)]
    pub unlisted: Vec<String>,
}
