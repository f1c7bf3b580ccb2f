//! Faults of an entry, in Ralph's sense, and where Ralph reads it otherwise than it is written.

use super::scan::{Entry, Seen, Stray, section};
use super::{Type, part};
use crate::memory::{
    Fields, OTHER_TEXT, Problem, Severity, Sight, Timestamp, Value, plural, to_u32,
};

/// The line from which on a file is no text.
pub fn not_text(bytes: &[u8]) -> Option<u32> {
    let error = std::str::from_utf8(bytes).err()?;
    Some(line_of(bytes, 0, error.valid_up_to()))
}

/// The number of a line, where one before it has the number one.
fn line_of(bytes: &[u8], from: usize, at: usize) -> u32 {
    let before = bytes.get(from..at).unwrap_or_default();
    to_u32(memchr::memchr_iter(b'\n', before).count() + 1)
}

/// How far Ralph gets with an entry, and why no further.
pub fn sight_of(bytes: &[u8], entry: &Entry, broken: Option<u32>) -> (Sight, Option<String>) {
    if let Some(line) = broken {
        let why = format!("the file is not UTF-8 on line {line}, and Ralph reads nothing of it");
        return (Sight::Skipped, Some(why));
    }
    match &entry.seen {
        Some(seen) if seen.kept => (Sight::Seen, None),
        Some(_) => {
            let why = "no line of it begins with `> ` and has text, and Ralph drops such an entry";
            (Sight::Invalid, Some(why.to_owned()))
        }
        None => {
            let id = String::from_utf8_lossy(entry.id(bytes));
            let why = format!(
                "`{id}` is no id for Ralph, which wants mem-SECONDS- and four digits of 0-9a-f: \
                 it takes the text for that of the entry above"
            );
            (Sight::NoFields, Some(why))
        }
    }
}

/// The fields that Ralph reads otherwise than they are written: text, tags or date.
pub fn differences(
    bytes: &[u8],
    entry: &Entry,
    tags: &[String],
    created: Option<&str>,
) -> Option<Fields> {
    let seen = entry.seen.as_ref()?;
    let own = entry.metadata.as_ref().and_then(|own| own.parts.as_ref());
    let mut fields = Vec::new();
    if seen.metadata.as_ref() != own || (own.is_none() && entry.metadata.is_some()) {
        let read = seen.metadata.as_ref().map(|(tags, date)| {
            let date = String::from_utf8_lossy(part(bytes, date));
            (super::tags(part(bytes, tags)), date)
        });
        let (read, date) = read.map_or_else(Default::default, |(tags, date)| (tags, Some(date)));
        if date.as_deref() != created {
            fields.push(("created", date.map_or(Value::Null, |date| (*date).into())));
        }
        if read != tags {
            fields.insert(0, ("tags", read.into_iter().map(Value::from).collect()));
        }
    }
    if seen.stray.is_some() || seen.blank > 0 || seen.tight.is_some() {
        fields.push((OTHER_TEXT, Value::Bool(true)));
    }
    (!fields.is_empty()).then(|| fields.into_iter().collect())
}

pub fn load_error(severity: Severity, line: u32, why: impl Into<Box<str>>) -> Problem {
    Problem::new("load-error", severity, (line, 1), why)
}

pub fn twin_problem(bytes: &[u8], entry: &Entry, twin: &Entry) -> Problem {
    let line = twin.line;
    let why = match part(bytes, &twin.body) == part(bytes, &entry.body) {
        true => format!("the entry on line {line} again, word for word"),
        false => format!(
            "the entry on line {line} has the same id and says something else: Ralph shows the \
             first and deletes both"
        ),
    };
    Problem::new("duplicate-id", Severity::Warning, (entry.line, 1), why)
}

pub fn all_problems(
    bytes: &[u8],
    entry: &Entry,
    written: (&[String], Option<&str>),
) -> Vec<Problem> {
    let Some(seen) = &entry.seen else {
        return Vec::new();
    };
    let mut all = Vec::new();
    if entry.has_tail() {
        let why = "Ralph drops what stands behind the id of the heading";
        all.push(load_error(Severity::Info, entry.line, why));
    }
    all.extend(section_problem(bytes, entry));
    let metadata = entry.metadata.as_ref().map_or(entry.line, |metadata| {
        entry.line + line_of(bytes, entry.span.start, metadata.line.start) - 1
    });
    if seen.kept {
        all.extend(text_problems(entry, seen));
        all.extend(metadata_problem(entry, seen, metadata, written));
    }
    let (_, created) = written;
    if let Some(date) = created.filter(|date| Timestamp::parse_iso(date).is_none()) {
        let why = format!("`created` is {date}, which is no date");
        let at = (metadata, 1);
        all.push(Problem::new("bad-date", Severity::Warning, at, why));
    }
    all
}

fn section_problem(bytes: &[u8], entry: &Entry) -> Option<Problem> {
    let kind = entry.kind.word();
    let heading = entry.section.as_ref();
    let heading = heading.map(|heading| part(bytes, heading));
    let name = heading.map(|heading| String::from_utf8_lossy(heading.trim_ascii_end()));
    let section = heading.and_then(section).map(Type::section);
    let why = match (name, section) {
        (None, _) => format!("it stands above the first section: Ralph takes it for a {kind}"),
        (Some(name), Some(_)) if name.strip_prefix("## ") == section => return None,
        (Some(name), Some(section)) => format!("`{name}` counts as `## {section}` for Ralph"),
        (Some(name), None) => {
            format!("Ralph does not know `{name}`: it takes the entry for a {kind}")
        }
    };
    Some(load_error(Severity::Info, entry.line, why))
}

fn text_problems(entry: &Entry, seen: &Seen) -> impl Iterator<Item = Problem> {
    let lines = |count: u32| plural(count as usize, "quoted line");
    let stray = seen.stray.map(|Stray { line, count }| {
        let count = lines(count);
        let why =
            format!("Ralph adds {count} below another heading, from line {line} on, to this entry");
        load_error(Severity::Warning, line, why)
    });
    let tight = seen.tight.map(|Stray { line, count }| {
        let why = format!("Ralph drops {} without a blank behind `>`", lines(count));
        load_error(Severity::Warning, line, why)
    });
    let blank = (seen.blank > 0).then(|| {
        let count = plural(seen.blank as usize, "blank line");
        let why = format!("Ralph drops {count} of the text for good when it writes the file");
        load_error(Severity::Info, entry.line, why)
    });
    [stray, tight, blank].into_iter().flatten()
}

fn metadata_problem(
    entry: &Entry,
    seen: &Seen,
    line: u32,
    (tags, created): (&[String], Option<&str>),
) -> Option<Problem> {
    if let Some((from, left_over)) = seen.foreign {
        let why = match left_over {
            true => "which Ralph dropped with their entry",
            false => "below another heading, for Ralph",
        };
        let why = format!("tags and date are those of line {from}, {why}");
        return Some(load_error(Severity::Warning, line, why));
    }
    let Some(own) = &entry.metadata else {
        let (at, why) = ((line, 1), "no date: Ralph takes today's, every day anew");
        return Some(Problem::new("missing-field", Severity::Info, at, why));
    };
    let lost = match tags {
        [] => "",
        _ => "its tags are lost, and ",
    };
    let why = format!(
        "Ralph does not read this line, which it wants as `<!-- tags: a, b | created: YYYY-MM-DD \
         -->`: {lost}the date is today's, every day anew"
    );
    let rule = created.map_or("load-error", |_| "bad-date");
    let problem = Problem::new(rule, Severity::Warning, (line, 1), why);
    own.parts.is_none().then_some(problem)
}
