//! Memories that golemcore itself writes twice by design: copies, extracts of one conversation turn,
//! and generated titles (formats: golemcore, "Extraction / promotion" and "Tool").

use super::GOLEMCORE;
use crate::memory::edit::FieldEdit;
use crate::memory::{Fields, Memory, Role, Sight, Value};

/// Types of what is taken from a turn, with the title that each of these gets
/// (TurnMemoryExtractionOrchestrator.java).
const TITLES: [(&str, &str); 3] = [
    ("CONSTRAINT", "Constraint"),
    ("FAILURE", "Failure context"),
    ("FIX", "Fix context"),
];
/// How the title of a turn begins.
const ASKED: &str = "User asked: ";
/// Characters from which on the beginning of a content is a title because it was cut: by the system
/// at 96, by memkeep at the end of a word before 80.
const LONG: usize = 40;
/// Milliseconds within which the memories of one turn are made.
const MOMENT: u64 = 1_000;

/// Why two memories that say the same are no two to choose between.
pub fn belong_together(a: &Memory, b: &Memory) -> bool {
    let are_rows = [a, b].map(is_row) == [true, true] && a.id.store == b.id.store;
    are_rows
        && (is_copy(a, b)
            || is_turn(a) != is_turn(b)
            || are_of_one_turn(a, b)
            // A row that no reader can read is not a memory yet: repair it first.
            || [a, b].iter().any(|row| row.sight == Sight::NoFields))
}

/// True if two rows of different files are one memory, as after a promotion: they have one
/// fingerprint, or one id.
pub fn is_copy(a: &Memory, b: &Memory) -> bool {
    let same = |name| text(a, name).is_some_and(|own| text(b, name) == Some(own));
    is_row(a) && is_row(b) && a.path != b.path && (same("fingerprint") || same("id"))
}

/// True if two of one file are rows, and not one row that stands there twice: a file of rows is a
/// shelf, where a file of another format is one memory and what was put behind it.
pub fn are_two_rows(a: &Memory, b: &Memory) -> bool {
    is_row(a) && is_row(b) && text(a, "id").is_none_or(|id| text(b, "id") != Some(id))
}

/// True if the system made a title, out of the content or of the type; nobody chose it.
pub fn has_made_title(memory: &Memory, content: &str) -> bool {
    let title = memory.role(Role::Title).and_then(Value::as_str);
    let Some(title) = title.filter(|_| is_row(memory)) else {
        return false;
    };
    let kind = text(memory, "type").unwrap_or_default();
    if TITLES.contains(&(kind, title)) || (is_turn(memory) && title.starts_with(ASKED)) {
        return true;
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let begins = words(title.trim_end_matches('…'));
    let rest = words(content.trim_start().trim_start_matches('#'));
    let rest = rest.strip_prefix(&begins).filter(|_| !begins.is_empty());
    // A word or two that the content begins with were chosen.
    rest.is_some_and(|rest| rest.is_empty() || begins.chars().count() >= LONG)
}

/// True if the first of two rows stays when the other one is not read any more: episodes are for
/// some weeks only.
pub fn outlasts(a: &Memory, b: &Memory) -> bool {
    is_row(a) && is_row(b) && !is_episode(a) && is_episode(b)
}

/// The edits by which a row takes in others with its fingerprint, as the system's upsert merges them
/// (formats: golemcore, "Upsert/merge"): tags and references of all, the highest scores.
pub fn upsert(own: &Fields, others: &[&Fields]) -> Vec<FieldEdit> {
    let mut edits = Vec::new();
    for name in ["tags", "references"] {
        let items = |fields: &Fields| {
            let items = fields.get(name).into_iter().flat_map(Value::items);
            items.cloned().collect::<Vec<_>>()
        };
        let mut known = items(own);
        for item in others.iter().flat_map(|other| items(other)) {
            if !known.contains(&item) {
                edits.push(FieldEdit::add(name, item.clone()));
                known.push(item);
            }
        }
    }
    for name in ["confidence", "salience"] {
        let score = |fields: &Fields| fields.get(name).and_then(Value::as_f64);
        let best = others.iter().filter_map(|other| score(other));
        let best = best.max_by(f64::total_cmp);
        if let Some(best) = best.filter(|best| score(own).is_none_or(|own| *best > own)) {
            edits.push(FieldEdit::set(name, best));
        }
    }
    edits
}

/// True if a row is of a layer that lasts for some weeks.
pub fn is_episode(row: &Memory) -> bool {
    matches!(text(row, "layer"), Some("EPISODIC" | "WORKING"))
}

fn is_row(memory: &Memory) -> bool {
    memory.schema.format == GOLEMCORE.format
}

/// True if a row tells of a turn: what was asked and what was answered.
fn is_turn(memory: &Memory) -> bool {
    text(memory, "type") == Some("TASK_STATE") && text(memory, "source") == Some("turn")
}

/// True if both were taken from one turn, each for another type: they may say it in the same words.
fn are_of_one_turn(a: &Memory, b: &Memory) -> bool {
    let is_derived = |row: &Memory| text(row, "source") == Some("derived");
    let made = a.created.zip(b.created);
    let at_once = made.is_some_and(|(a, b)| a.0.abs_diff(b.0) <= MOMENT);
    is_derived(a) && is_derived(b) && at_once && text(a, "type") != text(b, "type")
}

fn text<'a>(memory: &'a Memory, name: &str) -> Option<&'a str> {
    let text = memory.field(name).and_then(Value::as_str);
    text.filter(|text| !text.trim().is_empty())
}
