//! rawko's own loader (formats: rawko, "Loader"), the one with peculiarities that no table says.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::memory::schema::{Kind, Schema};
use crate::memory::{Fields, Sight, Timestamp, Value, document};

/// The text that the loader takes for the frontmatter of a file, where that is another than `ours`:
/// it stops at the first line that begins with `---`, and reads whatever comes before.
pub(super) fn other_front<'a>(
    bytes: &'a [u8],
    ours: Option<&Range<usize>>,
) -> Option<Cow<'a, str>> {
    let seen = document::loader_reads(bytes).ok()?.front;
    let same = ours.is_some_and(|ours| ours.start == seen.start && ours.end == seen.end + 1);
    (!same).then(|| String::from_utf8_lossy(document::part(bytes, seen)))
}

/// How far the loader gets with a memory of a file it opens, and why no further. `broken` says why
/// its fields cannot be trusted.
pub(super) fn sight(
    schema: &Schema,
    bytes: &[u8],
    number: u32,
    fields: &Fields,
    broken: Option<&str>,
) -> (Sight, Option<String>) {
    let (sight, why) = match (document::loader_reads(bytes), broken) {
        (Err(reason), _) => {
            let why = format!("the loader finds no frontmatter: {reason}");
            (Sight::NoFields, why)
        }
        (Ok(_), _) if number > 0 => {
            let why = "it is not the first memory of its file, and the loader reads only the first frontmatter";
            (Sight::Later, why.to_owned())
        }
        (Ok(_), Some(why)) => (Sight::NoFields, why.to_owned()),
        (Ok(_), None) => match not_valid(schema, fields) {
            Some(why) => (Sight::Invalid, why),
            None => return (Sight::Seen, None),
        },
    };
    (sight, Some(why))
}

/// Returns the failure of the loader's validity check.
fn not_valid(schema: &Schema, fields: &Fields) -> Option<String> {
    let text = |name: &str| matches!(fields.get(name), Some(Value::Text(_)));
    let list = |name: &str| matches!(fields.get(name), Some(Value::List(_)));
    let is_known = |name: &str| match (schema.field(name)?.kind, fields.get(name)?) {
        (Kind::Choice(words), Value::Text(word)) => words.contains(&&**word).then_some(()),
        _ => None,
    };
    let is_important = is_known("importance").is_some();
    // In the order in which the loader looks.
    let checks = [
        ("title", text("title"), "text"),
        (
            "whenToUse",
            text("whenToUse") || list("whenToUse"),
            "text or a list",
        ),
        ("tags", list("tags"), "a list"),
        ("importance", is_important, "low, medium, high or critical"),
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
pub(super) fn last_update(body: &[u8]) -> Option<Timestamp> {
    const HEADING: &[u8] = b"\n## Update (";
    let dates = memmem::find_iter(body, HEADING).filter_map(|at| {
        let rest = body.get(at + HEADING.len()..)?;
        let date = rest.get(..memchr::memchr(b')', rest.get(..40.min(rest.len()))?)?)?;
        Timestamp::parse_iso(std::str::from_utf8(date).ok()?)
    });
    dates.max()
}
