//! Ralph's file as a file of entries: every entry that is written in it is a memory, whatever Ralph
//! makes of it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use super::problems::{all_problems, differences, load_error, not_text, sight_of, twin_problem};
use super::scan::{Rule, lines, rule};
use super::{Edit, Entry, NewEntry, RALPH, TEMPLATE, Type, part, written};
use crate::memory::edit::{FieldEdit, wanted};
use crate::memory::{
    Fields, Memory, Problem, Schema, Severity, Sight, State, Timestamp, Value, title_of, to_u32,
    tokens_of, words_of,
};
use crate::systems::codec::{
    Change, Codec, Composed, Edited, EntryFile, Moment, NewMemory, Result, refuse,
};

/// The codec.
pub struct RalphCodec;

const NO_TEXT: &str = "not UTF-8 from here on: Ralph reads nothing of the file";

impl Codec for RalphCodec {
    fn schema(&self) -> &'static Schema {
        &RALPH
    }

    /// It has an entry, or two of the four sections, or nothing but a title.
    fn is_own(&self, bytes: &[u8]) -> bool {
        is_ralph(bytes) || is_blank(bytes)
    }

    fn empty(&self, state: State) -> Vec<u8> {
        let title = match state {
            State::Active => "Memories",
            State::Archived => "Archived memories",
        };
        TEMPLATE.replacen("Memories", title, 1).into_bytes()
    }

    fn spans(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let entries = super::read(bytes).entries.into_iter();
        entries.map(|entry| entry.span).collect()
    }

    fn memories(&self, bytes: &[u8], file: &EntryFile<'_>) -> Vec<Memory> {
        let entries = super::read(bytes).entries;
        let broken = not_text(bytes);
        if let Some(line) = broken.filter(|_| entries.is_empty()) {
            return vec![file.unreadable(line, NO_TEXT, &RALPH)];
        }
        let mut firsts = HashMap::with_capacity(entries.len());
        let twin = |entry| {
            let first: &Entry = firsts.entry(Entry::id(entry, bytes)).or_insert(entry);
            (!std::ptr::eq(first, entry)).then_some(first)
        };
        let twins: Vec<Option<&Entry>> = entries.iter().map(twin).collect();
        let all = entries.par_iter().zip(twins).enumerate();
        let memory = |(number, (entry, twin)): (usize, (&Entry, Option<&Entry>))| {
            let mut problems: Vec<Problem> = Vec::new();
            problems.extend(twin.map(|twin| twin_problem(bytes, entry, twin)));
            if let Some(line) = broken.filter(|_| number == 0) {
                problems.push(load_error(Severity::Error, line, NO_TEXT));
            }
            Memory {
                document: to_u32(number),
                ..memory(bytes, entry, file, (broken, problems))
            }
        };
        all.map(memory).collect()
    }

    fn text(&self, entry: &[u8]) -> Vec<u8> {
        super::content(entry)
    }

    fn loader_text(&self, from_entry: &[u8], _length: usize) -> Vec<u8> {
        super::seen_content(from_entry)
    }

    fn places(&self, entry: &[u8], bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        super::places(entry, bytes)
    }

    fn change(&self, bytes: &[u8], index: usize, change: Change<'_>, at: Moment) -> Result<Edited> {
        let (is_read, today) = (at.state == State::Active, at.now.date());
        let apply = |(bytes, index): (Vec<u8>, usize), edit: &Edit| {
            super::change(&bytes, index, edit, &today, is_read)
        };
        let file = (bytes.to_vec(), index);
        let (bytes, index) = match change {
            Change::Normal => apply(file, &Edit::Normalize),
            Change::Name(id) => apply(file, &Edit::Id(id.to_owned())),
            Change::Fields(all) => all.iter().try_fold(file, |file, edit| {
                let entry = entry_at(&file.0, file.1);
                let tags = entry.map(|entry| written(&file.0, &entry).0);
                apply(file, &edit_of(edit, &tags.unwrap_or_default())?)
            }),
        }?;
        Ok(Edited::new(bytes, index))
    }

    /// Its section says the type, and is not in its bytes.
    fn cut(&self, bytes: &[u8], indexes: &[usize]) -> Vec<Vec<u8>> {
        let entries = super::read(bytes).entries;
        let block = |index: &usize| {
            let entry = entries.get(*index)?;
            let header = format!("## {}\n\n", entry.kind.section());
            Some([header.as_bytes(), part(bytes, &entry.span)].concat())
        };
        indexes.iter().filter_map(block).collect()
    }

    fn without(&self, bytes: &[u8], indexes: &[usize], state: State) -> Result<Vec<u8>> {
        super::take_out(bytes, indexes, state == State::Active)
    }

    fn insert(&self, bytes: &[u8], entry: &[u8], earlier: Option<&[&[u8]]>) -> Result<Vec<u8>> {
        let Some(own) = entry_at(entry, 0) else {
            return refuse("this is not one entry of Ralph's");
        };
        let block = part(entry, &own.span);
        match earlier {
            Some(earlier) => super::put_back(bytes, own.kind, block, earlier),
            None => super::add_block(bytes, own.kind, block),
        }
    }

    fn compose(&self, new: NewMemory<'_>, files: &[Vec<u8>], at: Moment) -> Result<Composed> {
        let (mut tags, mut kind, mut created) = (Vec::new(), Type::default(), at.now.date());
        for (field, value) in new.fields {
            match edit_of(&FieldEdit::set(&**field, value.clone()), &tags)? {
                Edit::Type(named) => kind = named,
                Edit::Created(date) => created = date,
                Edit::Tags(all) => tags = all,
                _ => {}
            }
        }
        let id = new_id(files, at.now.0);
        let entry = NewEntry {
            id: &id,
            kind,
            content: new.body,
            tags: &tags,
            created: &created,
        };
        let is_crlf = files.first().is_some_and(|bytes| super::read(bytes).crlf);
        let block = super::block(&entry, if is_crlf { "\r\n" } else { "\n" })?;
        let is_broken = files.first().is_some_and(|bytes| not_text(bytes).is_some());
        let note = "the file is not UTF-8, and Ralph reads nothing of it";
        Ok(Composed {
            entry: format!("## {}\n\n{block}", kind.section()).into_bytes(),
            file: String::new(),
            notes: is_broken.then(|| note.to_owned()).into_iter().collect(),
        })
    }
}

/// True if a text is one of Ralph's: it has an entry, or two of the four sections.
pub fn is_ralph(bytes: &[u8]) -> bool {
    let mut sections = 0;
    lines(bytes).any(|line| match rule(line.of(bytes)) {
        Rule::Id(_) => true,
        Rule::Section(_) => {
            sections += 1;
            sections == 2
        }
        _ => line.of(bytes).starts_with(b"### mem-"),
    })
}

/// True if a file holds nothing but Ralph's template, or a title.
fn is_blank(bytes: &[u8]) -> bool {
    let known = |line: &str| line.trim().is_empty() || TEMPLATE.lines().any(|own| own == line);
    String::from_utf8_lossy(bytes).lines().all(known)
}

fn entry_at(bytes: &[u8], index: usize) -> Option<Entry> {
    super::read(bytes).entries.into_iter().nth(index)
}

fn memory(
    bytes: &[u8],
    entry: &Entry,
    file: &EntryFile<'_>,
    (broken, mut problems): (Option<u32>, Vec<Problem>),
) -> Memory {
    let name = String::from_utf8_lossy(entry.id(bytes));
    let blank = file.memory(&name, entry.line, &RALPH);
    let content = super::content(part(bytes, &entry.body));
    let length = content.len();
    let content = String::from_utf8_lossy(&content);
    let (tags, created) = written(bytes, entry);
    let (mut sight, mut hidden, mut seen) = (Sight::Skipped, blank.hidden, None);
    if file.state == State::Active {
        let why;
        (sight, why) = sight_of(bytes, entry, broken);
        hidden = why.map(Into::into);
        problems.extend(all_problems(bytes, entry, (&tags, created.as_deref())));
        problems.sort_by_key(|problem| (problem.line, problem.column));
        if sight == Sight::Seen {
            seen = differences(bytes, entry, &tags, created.as_deref());
        }
    }
    let at = created.as_deref().and_then(Timestamp::parse_iso);
    let created = created.map(|date| ("created", Value::from(date)));
    let tags: Value = tags.into_iter().map(Value::from).collect();
    let fields = [("type", entry.kind.word().into()), ("tags", tags)];
    let title = title_of(&content);
    Memory {
        title: if title.is_empty() { name.into() } else { title },
        span: entry.span.clone(),
        body: entry.span.start..entry.span.start + length,
        created: at,
        words: words_of(content.as_bytes()),
        tokens: to_u32(tokens_of(length)),
        sight,
        hidden,
        seen: seen.map(Box::new),
        fields: fields.into_iter().chain(created).collect(),
        problems: problems.into(),
        ..blank
    }
    .with_caution(content.as_bytes())
}

/// An edit of a field as one of Ralph's file, in which the entry has these tags.
fn edit_of(edit: &FieldEdit, tags: &[String]) -> Result<Edit> {
    let no_such = |value: &Value, what: &str| refuse(format!("`{value}` is no {what}"));
    match (edit.field_name(), edit) {
        (_, FieldEdit::Body(text) | FieldEdit::Text(text)) => Ok(Edit::Content(text.clone())),
        ("tags", _) => {
            let before = tags.iter().map(|tag| Value::from(tag.as_str()));
            let before = Fields::from_iter([("tags", before.collect::<Value>())]);
            let Some(after) = wanted(&before, edit)? else {
                return Ok(Edit::Tags(tags.to_vec()));
            };
            let after = after.iter().flat_map(|(_, value)| value.items());
            let after = after.map(|tag| tag.to_string().trim().to_owned());
            let is_set = matches!(edit, FieldEdit::Set { .. });
            let after = after.filter(|tag| !is_set || !tag.is_empty());
            Ok(Edit::Tags(after.collect()))
        }
        ("type", FieldEdit::Set { value, .. }) => match value.as_str().and_then(Type::named) {
            Some(kind) => Ok(Edit::Type(kind)),
            None => no_such(value, &format!("type: one of {}", Type::WORDS.join(", "))),
        },
        ("created", FieldEdit::Set { value, .. }) => {
            match value.as_str().and_then(super::date_of) {
                Some(date) => Ok(Edit::Created(date)),
                None => no_such(value, "day of a year: YYYY-MM-DD"),
            }
        }
        ("type", _) => refuse("an entry of Ralph's stands in one of its sections"),
        ("created", _) => refuse(
            "Ralph reads tags and date together, and takes today where there is none: give it a date",
        ),
        (name, _) => refuse(format!(
            "an entry of Ralph's has no `{name}`: it has type, tags and created"
        )),
    }
}

/// An id as Ralph makes it: seconds, and of the microseconds what four digits hold; the next one
/// that is free.
fn new_id(files: &[Vec<u8>], milliseconds: i64) -> String {
    let ids = |bytes: &Vec<u8>| {
        let entries = super::read(bytes).entries.into_iter();
        let ids = entries.map(|entry| entry.id(bytes).to_vec());
        ids.collect::<Vec<_>>()
    };
    let taken: HashSet<Vec<u8>> = files.iter().flat_map(ids).collect();
    let seconds = milliseconds.div_euclid(1000).max(0);
    let micros = milliseconds.rem_euclid(1000) * 1000;
    let id = |step: i64| format!("mem-{seconds}-{:04x}", (micros + step) % 0x1_0000);
    let mut all = (0..0x1_0000).map(id);
    let free = all.find(|id| !taken.contains(id.as_bytes()));
    free.unwrap_or_else(|| id(0))
}
