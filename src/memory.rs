//! Model shared by the memories of all systems: an entry of a store with an id, a title, a body,
//! typed fields and a place, read from bytes that an edit changes as little as possible.
//!
//! Pure: nothing here reads a file, a clock or the environment.

pub mod date;
pub mod document;
pub mod edit;
pub mod format;
pub mod frontmatter;
pub mod id;
pub mod index;
pub mod json;
pub mod lines;
pub mod link;
pub mod observations;
pub mod problem;
pub mod row;
pub mod schema;
pub(crate) mod steps;
pub mod value;
pub mod worth;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

pub use date::Timestamp;
pub use id::{MemoryId, StoreId};
pub use problem::{Problem, Severity};
pub use schema::{Role, Schema};
pub use value::{Fields, Value};

/// The name among [`Memory::seen`] that says that the text is read otherwise.
pub const OTHER_TEXT: &str = "text";

/// The state of a memory: in use or put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// In the store, where the system's own loader looks.
    Active,
    /// In the store's archive, which the system's own loader does not read.
    Archived,
}

impl State {
    /// The word used in JSON and in queries.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }
}

/// The state of a file that a save compares: content may change without the size changing, and
/// a file may be replaced within one tick of the file system's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Last change, nanoseconds since 1970.
    pub modified: i64,
    /// Bytes.
    pub size: u64,
    /// The file's number in its file system, 0 where there is none.
    pub inode: u64,
}

/// When the time of a memory is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// The last moment at which it is seen.
    pub at: Timestamp,
    /// Reason for the expiry, as a sentence without a full stop.
    pub why: &'static str,
}

/// How far the system's own loader gets with a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sight {
    /// It is loaded.
    #[default]
    Seen,
    /// Its fields are read and found wanting.
    Invalid,
    /// Its file is loaded as text: what looks like its fields is not read.
    TextOnly,
    /// Its file is read, but no fields are found in it.
    NoFields,
    /// It stands behind another memory of its file and is taken for that one's body.
    Later,
    /// Its file is not opened.
    Skipped,
    /// The settings of its system exclude it.
    Off,
}

/// One entry of a store.
///
/// The text itself is not held: 100,000 memories are 100 MB. `span` and `body` say where it
/// stands in the file, and the store reads it again when it is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Store and local part; unique in a collection.
    pub id: MemoryId,
    /// The file it stands in, absolute.
    pub path: Arc<Path>,
    /// Its position among the memories of that file, from 0.
    pub document: u32,
    /// The line it begins on, from 1.
    pub line: u32,
    /// The bytes of the file that are this memory: frontmatter, fences and body.
    pub span: Range<usize>,
    /// Range of its body in its text, as if the text began at `span.start`: inside `span` if the
    /// text is the bytes of the span, else the length of the text the format encodes.
    pub body: Range<usize>,
    /// The title to show: the field where there is one, else the first heading, else the name.
    pub title: Box<str>,
    /// The fields as the store has them, in their order.
    pub fields: Fields,
    /// When it was written, where the store says so and the date is one.
    pub created: Option<Timestamp>,
    /// When it was last changed: the field or dated update, else nothing.
    pub updated: Option<Timestamp>,
    /// When a person last said that it holds, where one did.
    pub confirmed: Option<Timestamp>,
    /// Words of the body, split at white space.
    pub words: u32,
    /// Tokens of the body: UTF-8 bytes / 4, rounded up.
    pub tokens: u32,
    /// In use or put aside.
    pub state: State,
    /// How far the system's own loader gets with it.
    pub sight: Sight,
    /// Why the system's own loader would not see it; none where it would.
    pub hidden: Option<Box<str>>,
    /// The fields that the system's own loader reads otherwise than they are written, null where
    /// it reads none; none where it reads the memory as it stands. [`OTHER_TEXT`] is among them
    /// where the text is read otherwise.
    pub seen: Option<Box<Fields>>,
    /// When the system's own loader stops seeing it, where it does some day.
    pub expires: Option<Expiry>,
    /// Everything that is wrong with it, by line.
    pub problems: Box<[Problem]>,
    /// The first sentence of its text, where it has no description.
    pub gist: Option<Box<str>>,
    /// True if it says what does not work or must not be done.
    pub is_caution: bool,
    /// The state of its file when it was read; a save refuses where it has changed since.
    pub stamp: Stamp,
    /// The fields its format knows.
    pub schema: &'static Schema,
}

impl Memory {
    /// When it was last written.
    pub fn written(&self) -> Option<Timestamp> {
        self.updated.max(self.created)
    }

    /// A memory of which nothing is known yet but where it stands.
    pub fn new(id: MemoryId, path: Arc<Path>, schema: &'static Schema) -> Self {
        Self {
            title: id.local.clone(),
            id,
            path,
            document: 0,
            line: 1,
            span: 0..0,
            body: 0..0,
            fields: Fields::default(),
            created: None,
            updated: None,
            confirmed: None,
            words: 0,
            tokens: 0,
            state: State::Active,
            sight: Sight::default(),
            hidden: None,
            seen: None,
            expires: None,
            problems: [].into(),
            gist: None,
            is_caution: false,
            stamp: Stamp::default(),
            schema,
        }
    }

    /// True if all that is known of it, but for its text, is what is known of another, wherever in
    /// their file they stand and whenever that was written.
    pub fn is_as(&self, other: &Self) -> bool {
        let within = |one: &Self| {
            let start = one.body.start.wrapping_sub(one.span.start);
            (start, one.body.len(), one.span.len())
        };
        // If the schema has patterns, the first memory of a file differs from later ones.
        let document = match self.schema.role(Role::Patterns) {
            Some(_) => self.document,
            None => other.document,
        };
        let moved = Self {
            document,
            line: other.line,
            span: other.span.clone(),
            body: other.body.clone(),
            stamp: other.stamp,
            ..self.clone()
        };
        within(self) == within(other) && moved == *other
    }

    /// The memory with fields that it does not hold, as [`Schema::inner`] names them.
    pub fn with_inner(&self, inner: &Fields) -> Self {
        let all = self.fields.iter().chain(inner.iter());
        let all = all.map(|(name, value)| (name, value.clone()));
        Self {
            fields: all.collect(),
            ..self.clone()
        }
    }

    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&Value> {
        let mut specs = self.schema.fields.iter();
        let aliased = || specs.find(|spec| spec.name == name)?.value_in(&self.fields);
        self.fields.get(name).or_else(aliased)
    }

    /// The items of a field; a scalar is one item.
    pub fn items(&self, name: &str) -> impl Iterator<Item = &Value> {
        self.field(name).into_iter().flat_map(Value::items)
    }

    /// The table of its store's index, where this is the index.
    pub fn index_table(&self) -> Option<&'static format::IndexTable> {
        let name = self.path.file_name()?;
        let table = self.schema.can.index?;
        (name == &*table.file && self.state == State::Active).then_some(table)
    }

    /// Returns its system's default for a missing field, if it has one.
    pub fn taken_for(&self, name: &str) -> Option<String> {
        self.schema.can.taken_for.and_then(|of| of(self, name))
    }

    /// The field that plays a role in this memory's format.
    pub fn role(&self, role: Role) -> Option<&Value> {
        self.field(self.schema.role(role)?.name)
    }

    /// True if it was written at this moment or later. A date without a time covers the whole day.
    /// To Ralph a memory without a date is of today (formats: ralph, "prime / budget").
    pub fn is_since(&self, since: Timestamp) -> bool {
        let Some(written) = self.written() else {
            return self.schema.can.undated_is_today;
        };
        written >= since || self.is_day() && written.date() == since.date()
    }

    /// True if its date has no time.
    pub fn is_day(&self) -> bool {
        let role = match self.updated > self.created {
            true => Role::Updated,
            false => Role::Created,
        };
        let text = self.role(role).and_then(Value::as_str);
        text.is_some_and(|text| text.len() == "2026-01-30".len())
    }

    /// Its subject in a line: the description, else the first sentence of its text.
    pub fn summary(&self) -> Option<&str> {
        let own = self.role(Role::Description).and_then(Value::as_str);
        let own = own.and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
        own.or(self.gist.as_deref())
    }

    /// True if the system's own loader reads another text than is written.
    pub fn has_other_text(&self) -> bool {
        let seen = self.seen.as_ref();
        seen.is_some_and(|seen| seen.get(OTHER_TEXT).is_some())
    }

    /// Describes the fields that the system's own loader reads differently.
    pub fn read_otherwise(&self) -> Option<String> {
        let field = |(name, value): (&str, &Value)| match value {
            _ if name == OTHER_TEXT => "another text".to_owned(),
            value if value.items().len() == 0 => format!("no {name}"),
            value => format!("{name} {value}"),
        };
        let seen = self.seen.as_ref()?;
        let fields: Vec<String> = seen.iter().map(field).collect();
        Some(fields.join(", "))
    }

    /// Its importance as the store has it, where that is text.
    pub fn importance(&self) -> Option<&str> {
        self.role(Role::Importance).and_then(Value::as_str)
    }

    /// Who wrote it.
    pub fn author(&self) -> Option<&str> {
        self.role(Role::Author).and_then(Value::as_str)
    }

    /// True if its time is over.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expiry| expiry.at < now)
    }

    /// Why the system's own loader does not see it now; none where it does.
    pub fn hidden_at(&self, now: Timestamp) -> Option<Cow<'_, str>> {
        let hidden = self.hidden.as_deref().map(Cow::Borrowed);
        hidden.or_else(|| {
            let expiry = self.expires.filter(|_| self.is_expired(now))?;
            Some(format!("it expired on {}: {}", expiry.at.date(), expiry.why).into())
        })
    }

    /// Its tags; items that are not text are left out.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        let tags = self.role(Role::Tags).into_iter().flat_map(Value::items);
        tags.filter_map(Value::as_str)
    }
}

/// The title to show for a text without one: its first line that is not blank, without the marks of
/// a heading, cut at a word where it is long.
pub fn first_line(text: &str) -> &str {
    first_words(text).0
}

/// The same, with `…` where it was cut.
pub fn title_of(text: &str) -> Box<str> {
    match first_words(text) {
        (title, false) => title.into(),
        (title, true) => format!("{title}…").into(),
    }
}

/// The first sentence of prose in a text that says more than its title, without marks of Markdown:
/// headings, tables, quotes and code are none.
pub fn first_sentence(text: &str, title: &str) -> Option<Box<str>> {
    const LONGEST: usize = 160;
    let mut is_code = false;
    let prose = text.lines().map(str::trim).filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.starts_with("---")
    });
    let plain = |line: &str| {
        let line = line.trim_start_matches(['-', '*', ' ']).chars();
        line.filter(|c| !"*`".contains(*c)).take(LONGEST).collect()
    };
    let says_more = |line: &String| {
        let is_prose = line.starts_with(|c: char| c.is_alphanumeric() || "_\"“(".contains(c));
        let is_of_key = |c: char| c == '_' || c.is_ascii_lowercase();
        let key = line.split_once(": ").map(|(key, _)| key);
        let is_field = key.is_some_and(|key| key.chars().all(is_of_key));
        is_prose && line != title && !is_field
    };
    let line: String = prose.map(plain).find(says_more)?;
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    line.get(..end).map(Into::into)
}

/// The title of a text without one, and whether it was cut.
fn first_words(text: &str) -> (&str, bool) {
    const LONGEST: usize = 80;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or_default().trim_start_matches('#').trim();
    let Some((end, _)) = line.char_indices().nth(LONGEST) else {
        return (line, false);
    };
    let cut = line.get(..end).unwrap_or(line);
    let words = cut.rsplit_once(' ').map(|(head, _)| head);
    let words = words.filter(|head| head.len() * 2 > cut.len());
    (words.unwrap_or(cut), true)
}

/// Tokens of a text: UTF-8 bytes / 4, rounded up.
pub const fn tokens_of(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Words of a text, split at white space. Pairs of neighbouring bytes are compared faster than words are
/// split.
pub fn words_of(body: &[u8]) -> u32 {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let words = match (body.is_ascii(), body.first()) {
        (true, first) => {
            let pairs = body.iter().zip(body.get(1..).unwrap_or_default());
            let starts = pairs.filter(|(a, b)| is_blank(**a) && !is_blank(**b));
            starts.count() + usize::from(first.is_some_and(|first| !is_blank(*first)))
        }
        (false, _) => String::from_utf8_lossy(body).split_whitespace().count(),
    };
    to_u32(words)
}

/// A count as memories hold it; one that is too large becomes the largest.
pub fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A number with commas: `12,345`.
pub fn number(n: usize) -> String {
    match n / 1000 {
        0 => n.to_string(),
        thousands => format!("{},{:03}", number(thousands), n % 1000),
    }
}

/// A count with its noun, which takes an `s`: `1 token`, `3 tokens`.
pub fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The rows of a table in a test, one a line.
#[cfg(test)]
macro_rules! rows {
    ($($first:expr $(=> $rest:expr)+),+ $(,)?) => { [$(($first, $($rest),+)),+] };
}
#[cfg(test)]
pub(crate) use rows;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_are_counted_as_they_are_split(text in "[a \n\t\r\u{b}\u{c}\u{1c}é\u{a0}]{0,600}") {
            prop_assert_eq!(words_of(text.as_bytes()) as usize, text.split_whitespace().count());
        }
    }

    #[test]
    fn the_first_sentence_of_prose_says_more_than_the_title() {
        for (text, sentence) in rows! {
            "# Title\n\n- **Use** `pnpm`. Never npm.\n" => Some("Use pnpm."),
            "```sh\nls\n```\n| a | b |\n> a quote\nTitle\ntask_type: fix\nOne line\n" =>
                Some("One line"),
            "- [Title](title.md) - a link\n" => None, "" => None,
        } {
            assert_eq!(first_sentence(text, "Title").as_deref(), sentence, "{text}");
        }
    }

    #[test]
    fn a_title_that_was_cut_says_so() {
        let word = "word ".repeat(16);
        for (text, title) in [
            ("", String::new()),
            ("\n\n  ## A heading  \nmore", "A heading".to_owned()),
            (&format!("{word}\nmore"), word.trim().to_owned()),
            (&format!("# {word}and on\n"), format!("{}…", word.trim())),
            (&"x".repeat(81), format!("{}…", "x".repeat(80))),
        ] {
            assert_eq!(*title_of(text), *title, "{text}");
        }
    }
}
