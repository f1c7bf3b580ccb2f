//! What the author of a memory wrote of it, where its format draws the text.

use std::borrow::Cow;

use super::common;
use crate::lint::Context;
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

/// Whether two memories may say the same. Of layers each says what all do: how, with which
/// commands, within which limits. What tells them apart is what was wanted and what came of it.
pub(super) fn are_about_one(cx: &Context<'_>, first: usize, second: usize) -> bool {
    let about = |index: usize| {
        let memory = cx.memories.get(index).filter(|memory| is_drawn(memory))?;
        let fields = ["goal", "summary"].into_iter();
        let texts = fields.filter_map(|name| memory.field(name).and_then(Value::as_str));
        let content = texts.flat_map(tokens);
        let content = content.filter(|token| token.kind.is_content());
        let mut words: Vec<u32> = content.map(|token| token.hash).collect();
        words.sort_unstable();
        words.dedup();
        (!words.is_empty()).then_some(words)
    };
    match (about(first), about(second)) {
        // Half of the words of the shorter.
        (Some(a), Some(b)) => 2 * common(&a, &b) >= a.len().min(b.len()),
        _ => true,
    }
}

fn is_drawn(memory: &Memory) -> bool {
    std::ptr::eq(memory.schema, &RUM)
}
