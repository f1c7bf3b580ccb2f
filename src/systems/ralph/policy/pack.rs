//! Packing entries into a budget, and the cut of Ralph's own code.

use super::settings::Settings;
use super::{date_of, kind_of, tags_of};
use crate::memory::{Memory, tokens_of};
use crate::retrieval::Texts;
use crate::systems::ralph::Type;

/// The bytes of a block with the shortest id, one letter and no tags.
const SMALLEST: usize = "\n### m\n> x\n<!-- tags:  | created: 2026-01-01 -->\n".len();

/// A text that is being packed.
pub(super) struct Pack<'a> {
    settings: &'a Settings,
    /// Bytes; none: no limit.
    room: Option<usize>,
    /// The number of memories without room that are wanted.
    most_over: usize,
    section: Option<Type>,
    /// Bytes of the text; of Ralph's what everything offered so far would take.
    length: usize,
    /// The text.
    pub prompt: String,
    /// The memories whose blocks are whole in it, with the bytes of each and where it ends.
    pub selected: Vec<(usize, usize, usize)>,
    /// Those that found no room, with what would bring them in.
    pub over: Vec<(usize, String)>,
}

impl<'a> Pack<'a> {
    pub(super) fn new(settings: &'a Settings, most_over: usize) -> Self {
        Self {
            settings,
            room: settings.budget.map(|budget| budget.saturating_mul(4)),
            most_over,
            section: None,
            length: 0,
            prompt: String::new(),
            selected: Vec::new(),
            over: Vec::new(),
        }
    }

    /// True if what comes next changes neither the text nor what is said of those left out.
    pub(super) fn is_done(&self) -> bool {
        let least = if self.settings.spec { SMALLEST } else { 0 };
        let is_full = self.room.is_some_and(|room| self.length + least > room);
        is_full && self.over.len() >= self.most_over
    }

    /// Takes the next memory of the order where there is room: as Ralph does one behind the other,
    /// to be cut in the end, or each whole or not at all.
    pub(super) fn offer(&mut self, index: usize, memory: &Memory, texts: &dyn Texts) {
        let (kind, spec) = (kind_of(memory), self.settings.spec);
        let is_first = self.prompt.is_empty();
        let title = if is_first { "# Memories\n" } else { "" };
        let header = match self.section == Some(kind) {
            true => title.to_owned(),
            false => format!("{title}\n## {}\n", kind.section()),
        };
        let start = self.length + header.len();
        let wants_hint = self.over.len() < self.most_over;
        let exceeds = |end: usize| self.room.is_some_and(|room| end > room);
        // Its text is at least so long, and not read where that is too much.
        let least = SMALLEST + (memory.tokens as usize).saturating_sub(1) * 4;
        if spec && exceeds(start + least) && !wants_hint {
            return;
        }
        let block = block(memory, texts, &self.settings.today);
        let end = start + block.len();
        let is_over = exceeds(if spec { end } else { self.length });
        if is_over && wants_hint {
            self.over.push((index, self.hint(end)));
        }
        if !is_over {
            self.prompt.push_str(&header);
            self.prompt.push_str(&block);
            self.selected.push((index, block.len(), end));
        }
        if !is_over || !spec {
            (self.section, self.length) = (Some(kind), end);
        }
    }

    /// The text, cut where it is too long.
    pub(super) fn finish(mut self) -> Self {
        let (Some(room), Some(budget)) = (self.room, self.settings.budget) else {
            return self;
        };
        if self.settings.spec || self.prompt.len() <= room {
            return self;
        }
        let kept = cut(&self.prompt, room);
        // The line end behind a block may be cut off without loss.
        let is_whole = |(.., end): &(usize, usize, usize)| *end <= kept + 1;
        let whole = self.selected.partition_point(is_whole);
        let lost = self.selected.split_off(whole);
        let over: Vec<_> = lost
            .iter()
            .map(|(index, _, end)| (*index, self.hint(*end)))
            .collect();
        self.over.splice(0..0, over);
        self.prompt.truncate(kept);
        let note = format!("\n\n<!-- truncated: budget {budget} tokens exceeded -->");
        self.prompt.push_str(&note);
        self
    }

    /// Hint for a memory that would end at a byte; Ralph may cut its last line end off.
    fn hint(&self, end: usize) -> String {
        let needed = tokens_of(end - usize::from(!self.settings.spec));
        let budget = self.settings.budget.unwrap_or_default();
        format!("a budget of {needed} tokens brings it in; it is {budget}")
    }
}

/// A memory as it stands in the prompt.
fn block(memory: &Memory, texts: &dyn Texts, today: &str) -> String {
    let content = texts.loader_body(memory).unwrap_or_default();
    let id = memory.id.local.split('#').next().unwrap_or_default();
    let date = date_of(memory);
    let date = date.as_deref().unwrap_or(today);
    let tags = tags_of(memory).join(", ");
    let content = content.replace('\n', "\n> ");
    format!("\n### {id}\n> {content}\n<!-- tags: {tags} | created: {date} -->\n")
}

/// Where Ralph cuts a text that is longer than `room` bytes: behind the last `-->`, whatever it
/// ends, and the line end there, where both are within.
fn cut(text: &str, room: usize) -> usize {
    let mut end = room.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text.get(..end).unwrap_or_default();
    let Some(last) = head.rfind("-->") else {
        return end;
    };
    let behind = last + "-->".len();
    let rest = head.get(behind..).unwrap_or_default();
    rest.find('\n')
        .map_or(behind, |newline| behind + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn the_cut_is_that_of_ralphs_code() {
        let text = "# Memories\n\n> a --> b\n<!-- x -->\nrest ü";
        for (room, kept) in [
            (5, "# Mem"),
            (20, "# Memories\n\n> a -->"),
            (22, "# Memories\n\n> a --> b\n"),
            (32, "# Memories\n\n> a --> b\n<!-- x -->"),
            (33, "# Memories\n\n> a --> b\n<!-- x -->\n"),
            (39, "# Memories\n\n> a --> b\n<!-- x -->\n"),
        ] {
            assert_eq!(&text[..cut(text, room)], kept, "{room}");
        }
        assert_eq!(&"aü"[..cut("aü", 2)], "a");
    }
}
