//! Packing blocks into a budget, and the cut of Ralph's own code.

use super::settings::Settings;
use super::{Dialect, date_of, kind_of, tags_of};
use crate::memory::{Memory, tokens_of};
use crate::retrieval::Texts;
use crate::systems::ralph::Type;

/// Start of an injected text.
const TITLE: &str = "# Memories\n";

/// A memory as it stands in the prompt.
pub(super) struct Block(String);

impl Block {
    /// The block of a memory, read.
    pub(super) fn of(memory: &Memory, texts: &dyn Texts, today: &str) -> Self {
        let content = texts.loader_body(memory).unwrap_or_default();
        let id = memory.id.local.split('#').next().unwrap_or_default();
        let date = date_of(memory);
        let date = date.as_deref().unwrap_or(today);
        let tags = tags_of(memory).join(", ");
        let mut out = String::with_capacity(content.len() + id.len() + tags.len() + 64);
        out.push_str("\n### ");
        out.push_str(id);
        for line in content.split('\n') {
            out.push_str("\n> ");
            out.push_str(line);
        }
        out.push_str("\n<!-- tags: ");
        out.push_str(&tags);
        out.push_str(" | created: ");
        out.push_str(date);
        out.push_str(" -->\n");
        Self(out)
    }
}

/// The packed text.
#[derive(Default)]
pub(super) struct Taken {
    /// The text.
    pub prompt: String,
    /// The memories whose blocks are whole in it, with the bytes of each.
    pub selected: Vec<(usize, usize)>,
    /// Those that found no room, with what would bring them in.
    pub over: Vec<(usize, String)>,
}

/// A text that is being packed.
pub(super) struct Pack<'a> {
    settings: &'a Settings,
    /// Bytes; none: no limit.
    room: Option<usize>,
    /// The number of memories without room that are wanted.
    most_over: usize,
    taken: Taken,
    /// Of those that are in: where each ends.
    ends: Vec<usize>,
    section: Option<Type>,
    /// Bytes that everything offered so far would take.
    length: usize,
}

impl<'a> Pack<'a> {
    pub(super) fn new(settings: &'a Settings, most_over: usize) -> Self {
        Self {
            settings,
            room: settings.budget.map(|budget| budget.saturating_mul(4)),
            most_over,
            taken: Taken::default(),
            ends: Vec::new(),
            section: None,
            length: 0,
        }
    }

    /// True if what comes next changes neither the text nor what is said of those left out.
    pub(super) fn is_done(&self) -> bool {
        let full = match self.settings.dialect {
            Dialect::Ralph => self.room.is_some_and(|room| self.length > room),
            // Room for less than the smallest block there is.
            Dialect::Spec => self
                .room
                .is_some_and(|room| room < self.taken.prompt.len() + SMALLEST),
        };
        full && self.taken.over.len() >= self.most_over
    }

    /// Takes the next memory of the order, where there is room.
    pub(super) fn offer(&mut self, index: usize, memory: &Memory, read: impl Fn() -> Block) {
        match self.settings.dialect {
            Dialect::Ralph => self.next(index, memory, read),
            Dialect::Spec => self.fit(index, memory, read),
        }
    }

    fn header(&self, memory: &Memory, is_first: bool) -> String {
        let kind = kind_of(memory);
        let title = if is_first { TITLE } else { "" };
        if self.section == Some(kind) {
            return title.to_owned();
        }
        format!("{title}\n## {}\n", kind.section())
    }

    /// As Ralph does: one behind the other, and cut in the end.
    fn next(&mut self, index: usize, memory: &Memory, read: impl Fn() -> Block) {
        let header = self.header(memory, self.length == 0);
        self.section = Some(kind_of(memory));
        let Block(block) = read();
        let is_full = self.room.is_some_and(|room| self.length > room);
        self.length += header.len() + block.len();
        if is_full {
            let end = self.length.saturating_sub(1);
            self.taken.over.push((index, over(self.settings, end)));
            return;
        }
        self.taken.prompt.push_str(&header);
        self.taken.prompt.push_str(&block);
        self.taken.selected.push((index, block.len()));
        self.ends.push(self.taken.prompt.len());
    }

    /// Each memory whole or not at all.
    fn fit(&mut self, index: usize, memory: &Memory, read: impl Fn() -> Block) {
        let header = self.header(memory, self.taken.prompt.is_empty());
        let used = self.taken.prompt.len() + header.len();
        let too_large = |bytes: usize| self.room.is_some_and(|room| used + bytes > room);
        // Its text is at least so long, and not read where that is too much.
        let least = SMALLEST + (memory.tokens as usize).saturating_sub(1) * 4;
        let wants_hint = self.taken.over.len() < self.most_over;
        if too_large(least) && !wants_hint {
            return;
        }
        let Block(block) = read();
        if too_large(block.len()) {
            if wants_hint {
                let hint = over(self.settings, used + block.len());
                self.taken.over.push((index, hint));
            }
            return;
        }
        self.section = Some(kind_of(memory));
        self.taken.prompt.push_str(&header);
        self.taken.prompt.push_str(&block);
        self.taken.selected.push((index, block.len()));
    }

    /// The text, cut where it is too long.
    pub(super) fn finish(mut self) -> Taken {
        let (Some(room), Some(budget)) = (self.room, self.settings.budget) else {
            return self.taken;
        };
        if self.settings.dialect == Dialect::Spec || self.taken.prompt.len() <= room {
            return self.taken;
        }
        let kept = cut(&self.taken.prompt, room);
        // The line end behind a block may be cut off without loss.
        let whole = self.ends.iter().take_while(|end| **end <= kept + 1).count();
        let lost = self.taken.selected.split_off(whole);
        let ends = self.ends.iter().skip(whole);
        let over: Vec<(usize, String)> = lost
            .iter()
            .zip(ends)
            .map(|((index, _), end)| (*index, over(self.settings, end.saturating_sub(1))))
            .collect();
        self.taken.over.splice(0..0, over);
        self.taken.prompt.truncate(kept);
        self.taken.prompt.push_str(&format!(
            "\n\n<!-- truncated: budget {budget} tokens exceeded -->"
        ));
        self.taken
    }
}

/// The bytes of a block with the shortest id, one letter and no tags.
const SMALLEST: usize = "\n### m\n> x\n<!-- tags:  | created: 2026-01-01 -->\n".len();

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

/// Hint for a memory that ends at a byte.
fn over(settings: &Settings, end: usize) -> String {
    let needed = tokens_of(end);
    match settings.budget {
        Some(budget) => format!("a budget of {needed} tokens brings it in; it is {budget}"),
        None => format!("a budget of {needed} tokens brings it in"),
    }
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
