//! rawko's own loader (formats: rawko, "Loader").

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use super::Loader;
use crate::memory::format::table;
use crate::memory::schema::Kind;
use crate::memory::{Fields, Sight, Timestamp, Value, document};

/// The loader.
pub(super) struct Rawko;

impl Loader for Rawko {
    /// It stops at the first line that begins with `---`, and reads whatever comes before.
    fn other_front<'a>(
        &self,
        bytes: &'a [u8],
        number: u32,
        ours: Option<&Range<usize>>,
    ) -> Option<Cow<'a, str>> {
        if number > 0 {
            return None;
        }
        let seen = document::loader_reads(bytes).ok()?.front;
        let same = ours.is_some_and(|ours| ours.start == seen.start && ours.end == seen.end + 1);
        let text = || String::from_utf8_lossy(document::part(bytes, seen.clone()));
        (!same).then(text)
    }

    fn sight(
        &self,
        bytes: &[u8],
        number: u32,
        fields: &Fields,
        broken: Option<&str>,
    ) -> (Sight, Option<String>) {
        if let Err(reason) = document::loader_reads(bytes) {
            return (
                Sight::NoFields,
                Some(format!("the loader finds no frontmatter: {reason}")),
            );
        }
        if number > 0 {
            let reason = "it is not the first memory of its file, and the loader reads only the first frontmatter";
            return (Sight::Later, Some(reason.to_owned()));
        }
        match (broken, not_valid(fields)) {
            (Some(reason), _) => (Sight::NoFields, Some(reason.to_owned())),
            (None, Some(reason)) => (Sight::Invalid, Some(reason)),
            (None, None) => (Sight::Seen, None),
        }
    }

    fn body(&self, bytes: &[u8], number: u32) -> Option<Range<usize>> {
        let view = document::loader_reads(bytes).ok()?;
        (number == 0).then_some(view.body)
    }

    fn updated(&self, body: &[u8]) -> Option<Timestamp> {
        last_update(body)
    }

    fn normalized(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        Some(document::normalized(bytes))
    }
}

/// Returns the failure of the system loader's validity check.
fn not_valid(fields: &Fields) -> Option<String> {
    let text = |name: &str| matches!(fields.get(name), Some(Value::Text(_)));
    let importance = table("rawko")
        .and_then(|table| table.schema.field("importance"))
        .map(|spec| spec.kind);
    let known =
        |word: &str| matches!(importance, Some(Kind::Choice(words)) if words.contains(&word));
    let list = |name: &str| matches!(fields.get(name), Some(Value::List(_)));
    let word = fields.get("importance").and_then(Value::as_str);
    // In the order in which the loader looks.
    let checks = [
        ("title", text("title"), "text"),
        (
            "whenToUse",
            text("whenToUse") || list("whenToUse"),
            "text or a list",
        ),
        ("tags", list("tags"), "a list"),
        (
            "importance",
            word.is_some_and(known),
            "low, medium, high or critical",
        ),
        ("discoveredAt", text("discoveredAt"), "text"),
        ("discoveredBy", text("discoveredBy"), "text"),
    ];
    let (name, _, wanted) = checks.into_iter().find(|(_, right, _)| !right)?;
    let wrong = match fields.get(name) {
        None | Some(Value::Null) => format!("`{name}` is missing"),
        Some(_) => format!("`{name}` is not {wanted}"),
    };
    Some(format!("the loader skips it: {wrong}"))
}

/// The date of the last `## Update (2026-01-24)` of a body.
fn last_update(body: &[u8]) -> Option<Timestamp> {
    const HEADING: &[u8] = b"\n## Update (";
    static FINDER: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(HEADING));
    FINDER
        .find_iter(body)
        .filter_map(|at| {
            let rest = body.get(at + HEADING.len()..)?;
            let date = rest.get(..memchr::memchr(b')', rest.get(..40.min(rest.len()))?)?)?;
            Timestamp::parse_iso(std::str::from_utf8(date).ok()?)
        })
        .max()
}
