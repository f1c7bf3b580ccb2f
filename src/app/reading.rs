//! The text of the memory a person stands on.

use std::borrow::Cow;
use std::sync::Arc;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::links::Neighbour;
use crate::lint::mask;
use crate::memory::golemcore::marker;
use crate::memory::{Fields, Memory, MemoryId, Stamp};

/// The most bytes of a text that are shown; the rest is for an editor.
pub const SHOWN: usize = 64 * 1024;

/// A colour as three bytes.
pub type Rgb = (u8, u8, u8);

/// Lines of code with their colours, for each code block.
pub type Blocks = Vec<Vec<Vec<(Rgb, String)>>>;

/// The text of one memory.
#[derive(Debug, Default)]
pub struct Reading {
    /// Which memory, and which state of it.
    pub of: Option<(MemoryId, Stamp)>,
    /// Its text once it is read, or why it could not be.
    pub text: Option<Result<Arc<str>, String>>,
    /// Its fields that it does not hold, once they are read.
    pub inner: Option<Fields>,
    /// What is known of those that it names and that are no memories.
    pub beside: Vec<(&'static str, String)>,
    /// The same without secrets, as far as it is shown, where some stand in it.
    masked: Option<String>,
    /// The text that the system's own loader reads, where it is another one.
    pub seen: Option<Arc<str>>,
    /// Bytes of the text before the body.
    pub head: usize,
    /// What there is to warn of in it.
    pub warning: Option<String>,
    /// The memories that it names.
    pub related: Vec<Neighbour>,
    /// The first line on the screen.
    pub scroll: usize,
    /// The colours of its code blocks, when they are ready.
    pub blocks: Blocks,
}

impl Reading {
    /// Turns to a memory; true where its text has to be read.
    pub fn turn(&mut self, memory: Option<&Memory>) -> bool {
        let of = memory.map(|memory| (memory.id.clone(), memory.stamp));
        if self.of == of {
            return false;
        }
        let same = |old: &Option<(MemoryId, Stamp)>| {
            old.as_ref().map(|(id, _)| id) == of.as_ref().map(|(id, _)| id)
        };
        if same(&self.of) {
            // The same memory changed: its place on the screen stays, and so does the old
            // text until the new one is there.
            self.blocks.clear();
            self.inner = None;
        } else {
            *self = Self::default();
        }
        self.of = of;
        self.of.is_some()
    }

    /// Takes the text of the memory it is turned to, and its fields that it does not hold.
    pub fn take(&mut self, memory: &Memory, text: Result<Arc<str>, String>, inner: Fields) {
        self.head = memory.body.start.saturating_sub(memory.span.start);
        self.text = Some(text);
        self.inner = Some(inner);
        let shown = clip(self.text().unwrap_or_default(), SHOWN);
        self.warning = marker::warning(memory, shown);
        let shown = clip(self.text().unwrap_or_default(), self.head + SHOWN);
        self.masked = match mask(shown) {
            Cow::Owned(masked) => Some(masked),
            Cow::Borrowed(_) => None,
        };
    }

    /// The text, where it is there.
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

/// Language and text of each code block of a Markdown text.
pub fn code_blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                blocks.push((language, String::new()));
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => {
                if let Some((_, block)) = blocks.last_mut() {
                    block.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

/// The first bytes of a text, whole characters only.
pub fn clip(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}
