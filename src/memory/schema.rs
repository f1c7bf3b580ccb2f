//! What fields a format has: the field editor, the query language and the checks of a load are
//! drawn from it.

/// The part a field plays whatever its name is in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A field without a part of its own.
    Plain,
}

/// What a field holds, and so how it is edited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// One line of text.
    Text,
    /// One of these words, least first.
    Choice(&'static [&'static str]),
    /// A list of words.
    Tags,
    /// A list of patterns, or one pattern.
    Patterns,
    /// A list of names of other memories.
    Names,
    /// A list of sentences.
    Lines,
    /// A point in time.
    Date,
    /// True or false.
    Bool,
    /// A number between the two.
    Number(f64, f64),
}

impl Kind {
    /// Why a number cannot stand in it; none where it can, and in fields that hold no numbers.
    pub fn refuses(self, number: f64) -> Option<String> {
        match self {
            Self::Number(low, high) if !(low..=high).contains(&number) => {
                Some(format!("not between {low} and {high}"))
            }
            _ => None,
        }
    }

    /// Whether it holds several items.
    pub const fn is_list(self) -> bool {
        matches!(
            self,
            Self::Tags | Self::Patterns | Self::Names | Self::Lines
        )
    }
}

/// One field of a format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldSpec {
    /// Its key in the store.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// The part it plays.
    pub role: Role,
    /// Whether the system's specification asks for it.
    pub required: bool,
    /// What a new memory gets where nobody says otherwise, in words of the store.
    pub default: Option<&'static str>,
    /// What it is for, in one line.
    pub help: &'static str,
}

/// The fields of a format, in the order a new memory is written.
#[derive(Debug, PartialEq)]
pub struct Schema {
    /// The format's name.
    pub format: &'static str,
    /// Its fields.
    pub fields: &'static [FieldSpec],
    /// Fields that the system fills, or that repeat what stands elsewhere: nobody is asked for
    /// them where a new memory is written.
    pub follows: &'static [&'static str],
    /// Fields inside of a value that the store keeps in one piece. No memory holds them: a store
    /// reads them when they are asked for (`retrieval::Texts::inner`).
    pub inner: &'static [&'static str],
}

/// Other names that fields go by: those of the columns that repeat them, and shorter ones.
const ALIASES: &[(&str, &str)] = &[
    ("intent_goal", "goal"),
    ("intent_type", "type"),
    ("task_type", "type"),
    ("outcome_success", "success"),
    ("outcome_summary", "summary"),
    ("agent", "agent_id"),
    ("session", "session_id"),
    ("project", "project_id"),
];

/// The name of a field that goes by another one.
pub fn alias(name: &str) -> Option<&'static str> {
    let mut known = ALIASES.iter();
    known
        .find(|(other, _)| *other == name)
        .map(|(_, name)| *name)
}

/// The words for importance, the least first (SPEC-0007, `minImportance`).
pub const IMPORTANCE: [&str; 4] = ["low", "medium", "high", "critical"];

/// Formats whose memories are rows of a database: their text is drawn from their fields, and what
/// refers to one goes with it.
const IN_ROWS: &[&str] = &["rum"];

/// Formats whose system can be told to forget a memory.
const FORGETS: &[&str] = &["golemcore"];

/// Formats whose memories have their text in a field, with its name.
const TEXT: &[(&str, &str)] = &[("golemcore", "content")];

/// Formats whose memories have the fields of the schema and no others.
const CLOSED: &[&str] = &["ralph", "rum"];

/// Formats in which a memory begins with a line that is not of its text.
const WITH_HEADING: &[&str] = &["ralph"];

impl Schema {
    /// Whether a memory begins with a line that is not of its text.
    pub fn has_heading(&self) -> bool {
        WITH_HEADING.contains(&self.format)
    }

    /// Whether its memories are rows of a database.
    pub fn in_rows(&self) -> bool {
        IN_ROWS.contains(&self.format)
    }

    /// Whether a field is the text of a memory.
    pub fn is_text(&self, name: &str) -> bool {
        TEXT.contains(&(self.format, name))
    }

    /// Whether a memory may have fields that the schema does not know.
    pub fn takes_new_fields(&self) -> bool {
        !CLOSED.contains(&self.format)
    }

    /// Whether no edit changes a field: what follows from other rows, or is the system's own.
    pub fn is_fixed(&self, name: &str) -> bool {
        self.in_rows() && self.follows.contains(&name)
    }

    /// Whether its system can be told to forget a memory.
    pub fn forgets(&self) -> bool {
        FORGETS.contains(&self.format)
    }

    /// Whether a field is read when it is asked for, and not held.
    pub fn is_inner(&self, name: &str) -> bool {
        self.inner.contains(&name)
    }

    /// The field with this name, or one that goes by it.
    pub fn field(&self, name: &str) -> Option<&'static FieldSpec> {
        let exact = |name: &str| self.fields.iter().find(|spec| spec.name == name);
        exact(name).or_else(|| exact(alias(name)?))
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

/// The fields of a rawko memory (SPEC-0009, "Frontmatter Schema").
pub static RAWKO: Schema = Schema {
    format: "rawko",
    fields: &[
        FieldSpec {
            name: "title",
            kind: Kind::Text,
            role: Role::Title,
            required: true,
            default: None,
            help: "unique and descriptive; words of the task found in it earn points",
        },
        FieldSpec {
            name: "whenToUse",
            kind: Kind::Patterns,
            role: Role::Patterns,
            required: true,
            default: None,
            help: "patterns on task and agent; one that matches is enough",
        },
        FieldSpec {
            name: "tags",
            kind: Kind::Tags,
            role: Role::Tags,
            required: true,
            default: None,
            help: "kinds of knowledge; those of the agent's specialty earn points",
        },
        FieldSpec {
            name: "importance",
            kind: Kind::Choice(&IMPORTANCE),
            role: Role::Importance,
            required: true,
            default: Some("medium"),
            help: "worth 5, 15, 25 or 30 points",
        },
        FieldSpec {
            name: "discoveredAt",
            kind: Kind::Date,
            role: Role::Created,
            required: true,
            default: None,
            help: "when it was learned; worth points for three days",
        },
        FieldSpec {
            name: "discoveredBy",
            kind: Kind::Text,
            role: Role::Author,
            required: true,
            default: None,
            help: "the agent that learned it; earns points when that agent runs again",
        },
        FieldSpec {
            name: "discoveredIn",
            kind: Kind::Text,
            role: Role::Plain,
            required: false,
            default: None,
            help: "the task that led to it",
        },
        FieldSpec {
            name: "source",
            kind: Kind::Text,
            role: Role::Plain,
            required: false,
            default: None,
            help: "where the knowledge comes from",
        },
        FieldSpec {
            name: "relatedMemories",
            kind: Kind::Names,
            role: Role::Relations,
            required: false,
            default: None,
            help: "file names of memories that belong with it",
        },
    ],
    follows: &[],
    inner: &[],
};
