//! The text of the memory a person stands on.

use std::borrow::Cow;
use std::sync::Arc;

use super::links::{self, Neighbour};
use super::msg::{Question, Rgb, Slot};
use super::world::{Stamp, stamp};
use super::{Model, editor};
use crate::lint::mask;
use crate::memory::{self, Fields, Memory, MemoryId};
use crate::retrieval::Snapshot;
use crate::systems::golemcore::marker;

/// The most bytes of a text that are shown; the rest is for an editor.
pub const SHOWN: usize = 64 * 1024;

/// Lines of code with their colours, for each code block.
pub type Blocks = Vec<Vec<Vec<(Rgb, String)>>>;

#[derive(Debug, Default)]
pub struct Reading {
    pub of: Option<(MemoryId, memory::Stamp)>,
    /// Its text once it is read, or why it could not be.
    pub text: Option<Result<Arc<str>, String>>,
    /// Its fields that it does not hold, once they are read.
    pub inner: Option<Fields>,
    /// Facts about names in it that are no memories.
    pub beside: Vec<(&'static str, String)>,
    /// The same without secrets, as far as it is shown, where some stand in it.
    masked: Option<String>,
    /// The text that the system's own loader reads, where it is another one.
    pub seen: Option<Arc<str>>,
    /// Bytes of the text before the body.
    pub head: usize,
    pub warning: Option<String>,
    pub related: Vec<Neighbour>,
    pub scroll: usize,
    /// The colours of its code blocks, when they are ready.
    pub blocks: Blocks,
    /// The snapshot in which the memories were looked for that it names.
    looked_in: Option<Stamp>,
    /// True if the colours were asked for a light screen.
    light: bool,
}

/// Reads a memory's text and its fields that it does not hold, and finds the memories that it names.
#[derive(Debug)]
pub struct ReadText {
    /// The memory.
    pub memory: Arc<Memory>,
    /// The memories among which its links are resolved.
    pub memories: Snapshot,
}

/// The text of a memory with its surroundings.
#[derive(Debug)]
pub struct MemoryText {
    /// The memory.
    pub id: MemoryId,
    /// Its text, or why it could not be read.
    pub text: Result<Arc<str>, String>,
    /// Its fields that it does not hold.
    pub inner: Fields,
    /// Names in it that are no memories, each with its kind and a line about it.
    pub beside: Vec<(&'static str, String)>,
    /// The text that the system's own loader reads, if it is another one.
    pub seen: Option<Arc<str>>,
    /// The memories that it names.
    pub related: Vec<Neighbour>,
}

impl Question for ReadText {
    const SLOT: Slot = "text";
    const AWAITED: bool = true;
    type Answer = MemoryText;

    /// Shows the text; its code gets its colours later.
    fn settle(read: MemoryText, model: &mut Model) {
        let Some(memory) = model.current().filter(|one| one.id == read.id).cloned() else {
            return;
        };
        if let Ok(text) = &read.text {
            editor::text_read(model, &read.id, text);
        }
        editor::inner_read(model, &read.id, &read.inner);
        model.reading.take(&memory, read);
        editor::open_awaited(model, &memory.id);
        highlight(model);
    }
}

#[derive(Debug)]
pub struct Highlight {
    /// The Markdown text that they stand in.
    pub text: String,
    pub light: bool,
}

impl Question for Highlight {
    const SLOT: Slot = "highlight";
    const AWAITED: bool = true;
    type Answer = Blocks;

    fn settle(blocks: Blocks, model: &mut Model) {
        model.reading.blocks = blocks;
    }
}

/// Asks for the text of the memory the person stands on, and what it names, which other memories
/// decide too.
pub fn ask(model: &mut Model) {
    let memory = model.current().cloned();
    let turned = model.reading.turn(memory.as_deref());
    let Some(memory) = memory else {
        return;
    };
    // While they are loaded, what is named may be yet to come.
    let memories = match model.world.complete {
        true => Arc::clone(&model.world.memories),
        false => Snapshot::default(),
    };
    let looked_in = (!memories.is_empty()).then(|| stamp(&memories));
    let others = std::mem::replace(&mut model.reading.looked_in, looked_in) != looked_in;
    if turned || others && links::names_any(&memory) {
        model.request(ReadText { memory, memories });
    }
}

/// Asks for other colours where the screen is a light one now, or a dark one.
pub fn ask_colours(model: &mut Model) {
    if std::mem::replace(&mut model.reading.light, model.light) != model.light {
        highlight(model);
    }
}

fn highlight(model: &mut Model) {
    let (text, light) = (model.reading.body().to_owned(), model.light);
    // Only a fence names a language.
    if text.contains("```") || text.contains("~~~") {
        model.request(Highlight { text, light });
    }
}

impl Reading {
    /// Turns to a memory; true where its text has to be read.
    fn turn(&mut self, memory: Option<&Memory>) -> bool {
        let of = memory.map(|memory| (memory.id.clone(), memory.stamp));
        if self.of == of {
            return false;
        }
        let id = |of: &Option<(MemoryId, memory::Stamp)>| of.as_ref().map(|(id, _)| id.clone());
        if id(&self.of) == id(&of) {
            // The same memory changed: its place on the screen stays, and so does the old
            // text until the new one is there.
            self.blocks.clear();
            self.inner = None;
        } else {
            *self = Self {
                looked_in: self.looked_in,
                light: self.light,
                ..Self::default()
            };
        }
        self.of = of;
        self.of.is_some()
    }

    /// Takes the text of the memory it is turned to, and its fields that it does not hold.
    fn take(&mut self, memory: &Memory, read: MemoryText) {
        self.head = memory.body.start.saturating_sub(memory.span.start);
        self.text = Some(read.text);
        self.inner = Some(read.inner);
        self.related = read.related;
        self.beside = read.beside;
        self.seen = read.seen;
        let text = self.text().unwrap_or_default();
        let warning = marker::warning(memory, clip(text, SHOWN));
        let masked = match mask(clip(text, self.head + SHOWN)) {
            Cow::Owned(masked) => Some(masked),
            Cow::Borrowed(_) => None,
        };
        (self.warning, self.masked) = (warning, masked);
    }

    pub fn text(&self) -> Option<&str> {
        match &self.text {
            Some(Ok(text)) => Some(text),
            _ => None,
        }
    }

    /// The body, as much of it as is shown, without secrets: it is as long with them.
    pub fn body(&self) -> &str {
        let text = self.masked.as_deref().or_else(|| self.text());
        let body = text.and_then(|text| text.get(self.head..));
        clip(body.unwrap_or_default(), SHOWN)
    }
}

/// The first bytes of a text, whole characters only.
pub fn clip(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}
