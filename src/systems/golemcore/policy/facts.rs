//! Facts of a memory that do not depend on the task, with the words of its texts.

use std::sync::LazyLock;

use compact_str::CompactString;
use regex::Regex;

use crate::memory::{Memory, Role, Sight, State, Value};
use crate::retrieval::{Texts, js};
use crate::systems::golemcore::{GOLEMCORE, Instant, Layer, Place, Row, Tree};

/// Default of a value that is missing.
const SALIENCE: f64 = 0.50;
const CONFIDENCE: f64 = 0.55;

/// Facts of a memory.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Why it is not even collected.
    pub exclusion: Option<Exclusion>,
    /// Key that duplicates share.
    pub identity: Option<Box<str>>,
    /// The scope of its file's tree.
    pub tree: CompactString,
    /// The scope it counts under.
    pub scope: CompactString,
    /// Which file it is in.
    pub file: Tree,
    /// Its place in that file.
    pub number: u32,
    /// Its layer; an episode where it has none.
    pub layer: Layer,
    /// Its type.
    pub kind: Option<&'static str>,
    /// When it was changed last, else written.
    pub stamp: Option<Instant>,
    /// When its `ttlDays` are over.
    pub ttl_end: Option<Instant>,
    /// 0 to 1.
    pub salience: f64,
    /// 0 to 1.
    pub confidence: f64,
    /// The tokens of its title, in lower case, each between blanks.
    pub title: String,
    /// Those of its content.
    pub content: String,
    /// Those of its tags, of which a null is written out.
    pub of_tags: String,
    /// Its tags in lower case.
    pub tags: Vec<String>,
    /// The files, tests and addresses that it is about, in lower case.
    pub references: Box<[String]>,
}

/// Why a memory is no candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// It was put aside.
    Archived,
    /// The reader skips its line, or does not open its file.
    Unread,
    /// Its scope is not asked for.
    OutOfScope,
    /// Its day is so many days back, further than is looked, or still to come.
    OtherDay(i64),
    /// Its `ttlDays` are over.
    Ttl,
    /// It was not changed for too long.
    Decayed,
}

impl Facts {
    /// The facts of a memory; of one of another format what is common to all.
    pub fn of(memory: &Memory, texts: &dyn Texts) -> Self {
        let place = Place::of_row(memory);
        let row = Row::of(&memory.fields);
        let is_row = memory.schema.format == GOLEMCORE.format;
        let is_unread = match is_row {
            true => place.is_none() || row.is_err() || memory.sight != Sight::Seen,
            false => memory.hidden.is_some(),
        };
        let exclusion = match memory.state {
            State::Archived => Some(Exclusion::Archived),
            State::Active => is_unread.then_some(Exclusion::Unread),
        };
        let place = place.unwrap_or_else(Place::facts);
        let row = row.unwrap_or_default();
        let (default_layer, stamp) = match is_row {
            true => (Layer::Episodic, row.stamp()),
            false => {
                let written = memory.updated.or(memory.created);
                (Layer::Semantic, written.map(Instant::from))
            }
        };
        let identity = match is_row {
            true => row.identity().map(Into::into),
            false => Some(memory.id.to_string().into()),
        };
        let mut facts = Self {
            exclusion,
            identity,
            scope: row.scope_in(&place.scope).into(),
            tree: place.scope.into(),
            file: place.file,
            number: memory.document,
            layer: row.layer.unwrap_or(default_layer),
            kind: row.kind,
            stamp,
            ttl_end: row.ttl_end(),
            salience: clamp(row.salience.unwrap_or(SALIENCE)),
            confidence: clamp(row.confidence.unwrap_or(CONFIDENCE)),
            title: String::new(),
            content: String::new(),
            of_tags: String::new(),
            tags: Vec::new(),
            references: Box::default(),
        };
        // A memory that is never a candidate needs no words.
        if exclusion.is_none() {
            put(title(memory), &mut facts.title);
            put(&texts.body(memory).unwrap_or_default(), &mut facts.content);
            for tag in tags(memory) {
                put(tag.as_deref().unwrap_or("null"), &mut facts.of_tags);
                facts.tags.extend(tag.map(|tag| tag.to_lowercase()));
            }
            let references = memory.field("references").into_iter();
            let references = references.flat_map(Value::items);
            let lower = references.filter_map(|one| Some(one.as_str()?.to_lowercase()));
            facts.references = lower.collect();
        }
        facts
    }

    /// True if a reference names a file, or a tag is its name, its name without the ending, or that.
    pub fn is_about(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_end = |long: &str, short: &str| {
            let head = long.strip_suffix(short);
            head.is_some_and(|head| head.is_empty() || head.ends_with('/'))
        };
        let names = |reference: &String| {
            let path = reference.split('#').next().unwrap_or_default();
            !path.is_empty() && (is_end(path, file) || is_end(file, path))
        };
        let is_tag = |tag: &String| !tag.is_empty() && [file, name, stem, end].contains(&&**tag);
        self.references.iter().any(names) || self.tags.iter().any(is_tag)
    }
}

/// Limits a value to 0..=1 as the system does; NaN stays NaN.
pub const fn clamp(value: f64) -> f64 {
    value.clamp(0.0, 1.0)
}

/// The title that counts.
pub fn title(memory: &Memory) -> &str {
    let Some(spec) = memory.schema.role(Role::Title) else {
        return &memory.title;
    };
    let title = memory.field(spec.name).and_then(Value::as_str);
    title.unwrap_or_default()
}

/// The tags as the system holds them; a null is one without a text.
pub fn tags(memory: &Memory) -> Vec<Option<String>> {
    let tags = memory.role(Role::Tags).into_iter().flat_map(Value::items);
    let tag = |tag: &Value| (*tag != Value::Null).then(|| tag.to_string());
    tags.map(tag).collect()
}

/// Adds the tokens of a text.
fn put(text: &str, to: &mut String) {
    let lower = text.to_lowercase();
    for token in tokens(&lower) {
        to.push(' ');
        to.push_str(token);
    }
    to.push(' ');
}

/// A token: letters, digits and `_ . / # -`.
static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[\p{L}0-9_./#-]+").ok());

/// The tokens of a text that is in lower case already, of any length.
pub fn tokens(lower: &str) -> impl Iterator<Item = &str> {
    let found = TOKEN.as_ref().map(|token| token.find_iter(lower));
    found.into_iter().flatten().map(|token| token.as_str())
}

/// True if a token counts for a score: from three UTF-16 units on.
pub fn counts(token: &str) -> bool {
    token.len() >= 3 && (token.is_ascii() || js::len(token) >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_system() {
        let all = |text: &str| {
            let lower = text.to_lowercase();
            tokens(&lower).map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            all("Use src/A.java#x, v1-2 & OAuth_2!"),
            ["use", "src/a.java#x", "v1-2", "oauth_2"]
        );
        assert_eq!(all("É日本語²ⅷª"), ["é日本語", "ª"]);
        assert_eq!(all("𝐀𐐀"), ["𝐀𐐨"]);
        assert_eq!(all(" - "), ["-"]);
        assert_eq!(all("a\u{301}b"), ["a", "b"]);
        assert!(!counts("ab") && counts("abc") && !counts("日本") && counts("𝐀a"));
    }
}
