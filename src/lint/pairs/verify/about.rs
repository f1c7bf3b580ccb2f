//! What the author of a memory wrote of it, where its format draws the text.

use std::borrow::Cow;

use super::common;
use crate::lint::Context;
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::words::tokens;
use crate::memory::rum::{RUM, markdown};
use crate::memory::{Memory, Value};

/// A text of a memory without the frame that its format draws, each word in its place.
pub fn written<'t>(memory: &Memory, text: Cow<'t, str>) -> Cow<'t, str> {
    match is_drawn(memory) {
        true => Cow::Owned(markdown::written(&text)),
        false => text,
    }
}

/// A memory by its index, and its text as it was written.
pub(super) type Written<'t> = (usize, &'t str);

/// Whether two memories may say the same. Of layers each says what all do: how, with which
/// commands, within which limits. What tells them apart is what was wanted, and what came of it.
pub(super) fn are_about_one(cx: &Context<'_>, a: Written<'_>, b: Written<'_>) -> bool {
    let drawn = |(index, text): Written<'_>| {
        let memory = cx.memories.get(index).filter(|memory| is_drawn(memory))?;
        let goal = memory.field("goal").and_then(Value::as_str);
        let outcome = text.split_once(OUTCOME).map_or("", |(_, rest)| rest);
        Some([goal.unwrap_or_default(), outcome].map(words))
    };
    match (drawn(a), drawn(b)) {
        (Some(a), Some(b)) => a.iter().zip(&b).all(|(a, b)| {
            // Half of the words of the shorter.
            a.is_empty() || b.is_empty() || 2 * common(a, b) >= a.len().min(b.len())
        }),
        _ => true,
    }
}

/// The words of a text that say something, in order and once.
fn words(text: &str) -> Vec<u32> {
    let content = tokens(text).into_iter();
    let content = content.filter(|token| token.kind.is_content());
    let mut words: Vec<u32> = content.map(|token| token.hash).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether a statement of a memory tells what a piece of work did or came to, and so nothing of how
/// things are: its actions, and its summary but for what holds from then on; not what was learned.
pub(super) fn is_of_work(
    cx: &Context<'_>,
    (index, text): Written<'_>,
    statement: &Statement<'_>,
) -> bool {
    let Some(memory) = cx.memories.get(index) else {
        return false;
    };
    let kind = memory.field("type").and_then(Value::as_str);
    if kind == Some("COMMAND_RESULT") {
        return true;
    }
    let before = text.get(..statement.start).unwrap_or_default();
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    let heading = above.lines().rev().find(|line| line.starts_with("## "));
    is_drawn(memory)
        && match heading {
            Some(ACTIONS) => true,
            Some(heading) => {
                heading == OUTCOME.trim() && !line.starts_with('-') && !statement.stands()
            }
            None => false,
        }
}

/// Headings of layers.
const ACTIONS: &str = "## Actions";
const OUTCOME: &str = "\n## Outcome\n";

fn is_drawn(memory: &Memory) -> bool {
    std::ptr::eq(memory.schema, &RUM)
}
