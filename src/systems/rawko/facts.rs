//! Facts of a memory that hold for every task, and the fault that keeps it from its patterns: the
//! loader, which skips it, or the specs' code, which would fail on it.

use super::pattern::{normalized, required};
use super::{Dialect, level};
use crate::memory::{Memory, Role, Sight, State, Timestamp, Value};
use crate::retrieval::phrase::{self, Lexicon};
use crate::retrieval::{Reason, js};
use crate::text::tokens::hash;

/// The first thing that keeps a memory from its patterns, and its repair for a person.
pub fn fault(memory: &Memory, dialect: Dialect) -> Option<(Reason, String)> {
    let is_sdk = dialect == Dialect::Sdk;
    let unread = |reason| {
        let why = memory.hidden.as_deref();
        let why = why.unwrap_or("the loader does not read it");
        let own = why.strip_prefix("the loader finds no frontmatter: ");
        Some((reason, own.unwrap_or(why).to_owned()))
    };
    if memory.state == State::Archived {
        return Some((Reason::Archived, "restore it from the archive".to_owned()));
    }
    match memory.sight {
        Sight::Skipped | Sight::Off => return unread(Reason::Invisible),
        _ if memory.document > 0 && dialect != Dialect::Natural => {
            let why = "only the first memory of a file is read";
            return Some((Reason::Invisible, why.to_owned()));
        }
        Sight::NoFields if is_sdk => return unread(Reason::Invisible),
        Sight::NoFields => return unread(Reason::Invalid),
        Sight::Seen | Sight::TextOnly | Sight::Later | Sight::Invalid => {}
    }
    let by_loader = is_sdk.then(|| not_valid(memory));
    let by_code = || {
        let why = first_wrong(memory, code_checks(memory, dialect))?;
        Some((Reason::Invalid, why))
    };
    let by_loader = by_loader.flatten().map(|why| (Reason::Invisible, why));
    by_loader.or_else(by_code)
}

/// A field, whether it is right, and what it is if it is there and not right.
type Check = (Role, bool, &'static str);

/// The first field of the schema that is not right.
fn first_wrong(memory: &Memory, checks: [Check; 6]) -> Option<String> {
    checks.into_iter().find_map(|(role, is_right, what)| {
        let field = memory.schema.role(role).filter(|_| !is_right)?.name;
        Some(match is_present(memory, role) {
            true => format!("`{field}` is {what}"),
            false => format!("`{field}` is missing"),
        })
    })
}

fn is_present(memory: &Memory, role: Role) -> bool {
    memory.role(role).is_some_and(|value| *value != Value::Null)
}

fn is_text(memory: &Memory, role: Role) -> bool {
    matches!(memory.role(role), Some(Value::Text(_)))
}

/// The failure of the real loader's validity check. Told from the fields and not from what was found
/// at loading, for an edit is tried before it is made.
pub fn not_valid(memory: &Memory) -> Option<String> {
    let is_list = |role| matches!(memory.role(role), Some(Value::List(_)));
    let patterns = is_text(memory, Role::Patterns) || is_list(Role::Patterns);
    let is_known = memory.importance().and_then(level).is_some();
    let checks = [
        (Role::Title, is_text(memory, Role::Title), "not text"),
        (Role::Patterns, patterns, "neither text nor a list"),
        (Role::Tags, is_list(Role::Tags), "not a list"),
        (Role::Importance, is_known, "not low to critical"),
        (Role::Created, is_text(memory, Role::Created), "not text"),
        (Role::Author, is_text(memory, Role::Author), "not text"),
    ];
    first_wrong(memory, checks)
}

/// Returns what the code calls on the fields: `toLowerCase` of the title, `toUpperCase` of the importance,
/// `filter` of the tags.
fn code_checks(memory: &Memory, dialect: Dialect) -> [Check; 6] {
    let tags = wrong_tags(memory, dialect == Dialect::Sdk);
    // Only the selected reach `toUpperCase`: with a least importance those that are one, or a list of
    // one, which JavaScript takes for its item.
    let is_level = |value| dialect == Dialect::Unified || level(&js::string(value)).is_some();
    let importance = memory.role(Role::Importance);
    let fails = !is_text(memory, Role::Importance) && importance.is_some_and(is_level);
    [
        (Role::Title, is_text(memory, Role::Title), "not text"),
        (Role::Patterns, is_present(memory, Role::Patterns), ""),
        (Role::Importance, is_present(memory, Role::Importance), ""),
        (Role::Author, is_present(memory, Role::Author), ""),
        (Role::Importance, !fails, "not text"),
        (Role::Tags, tags.is_none(), tags.unwrap_or_default()),
    ]
}

/// Why `filter` or what it calls fails: a truthy value other than a list has no `filter` in
/// JavaScript, and the real code calls `toLowerCase` on every item.
fn wrong_tags(memory: &Memory, is_sdk: bool) -> Option<&'static str> {
    let fails = match memory.role(Role::Tags)? {
        Value::List(tags) if is_sdk && tags.iter().any(|tag| tag.as_str().is_none()) => {
            return Some("a list with more than text");
        }
        Value::Null | Value::Bool(false) | Value::Int(0) | Value::List(_) => false,
        Value::Text(text) => !text.is_empty(),
        Value::Float(number) => *number != 0.0 && !number.is_nan(),
        Value::Bool(true) | Value::Int(_) | Value::Map(_) => true,
    };
    fails.then_some("not a list")
}

/// The parts of a memory that do not depend on a task, read once for many previews of a snapshot.
pub struct Facts {
    /// The title in lower case.
    pub title: Box<str>,
    /// When it was written.
    pub created: Option<Timestamp>,
    /// True if the code of every dialect gets as far as its patterns: that of `sdk` asks for most.
    pub is_sound: bool,
    /// Its patterns, in order.
    pub patterns: Box<[Filter]>,
}

/// Tells patterns apart that surely do not match.
pub struct Filter {
    /// A literal text that every match has in the dialects with the code of SPEC-0007; empty if there
    /// is none.
    pub literal: Box<str>,
    /// Hashes of the stems that it needs as a phrase; empty if it is none.
    pub stems: Box<[u32]>,
}

/// The patterns of a memory, and whatever else stands among them.
pub fn patterns(memory: &Memory) -> impl Iterator<Item = &Value> {
    let patterns = memory.role(Role::Patterns);
    patterns.into_iter().flat_map(Value::items)
}

impl Facts {
    /// The facts of a memory.
    pub fn new(memory: &Memory, lexicon: &mut Lexicon) -> Self {
        let title = memory.role(Role::Title).and_then(Value::as_str);
        let filter = |pattern: &Value| {
            let text = pattern.as_str().unwrap_or_default();
            let normal = normalized(text);
            let runs = required(&normal).unwrap_or_default();
            let longest = runs.into_iter().max_by_key(|run| run.len());
            let stems = phrase::needs(text, lexicon).unwrap_or_default();
            Filter {
                literal: longest.unwrap_or_default().into(),
                stems: stems.iter().map(|stem| hash(stem)).collect(),
            }
        };
        Self {
            title: title.unwrap_or_default().to_lowercase().into(),
            created: memory.role(Role::Created).and_then(Timestamp::of_value),
            is_sound: fault(memory, Dialect::Sdk).is_none(),
            patterns: patterns(memory).map(filter).collect(),
        }
    }
}
