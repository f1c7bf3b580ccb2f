//! The line that says what happened, and the command that it asks about.

use crate::memory::MemoryId;

/// A message, and how to undo what it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The text.
    pub text: String,
    /// A remedy, or how to undo it.
    pub hint: Option<String>,
    /// True if something went wrong.
    pub error: bool,
}

/// A command that is done when it is asked for again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The command.
    pub command: &'static str,
    /// The memories it is about.
    pub ids: Vec<MemoryId>,
    /// Why it is not done at once.
    pub why: Why,
}

/// Why a command is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is about very many memories.
    Many,
    /// It takes more with it than it names, or its system would not do it.
    Doubt,
}

/// The message at the bottom.
#[derive(Debug, Default)]
pub struct Status {
    message: Option<Message>,
}

impl Status {
    /// The message that is shown.
    pub const fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// Says what happened; an error that was not read yet stays.
    pub fn say(&mut self, text: impl Into<String>, hint: Option<&str>) {
        if self.message.as_ref().is_none_or(|message| !message.error) {
            self.message = Some(Message {
                text: text.into(),
                hint: hint.map(str::to_owned),
                error: false,
            });
        }
    }

    /// Says something beside what is said already.
    pub fn note(&mut self, text: String) {
        match &mut self.message {
            Some(message) if message.hint.is_none() => message.hint = Some(text),
            Some(message) if message.error => {}
            _ => self.say(text, None),
        }
    }

    /// Says what went wrong.
    pub fn fail(&mut self, text: impl Into<String>, hint: Option<String>) {
        self.message = Some(Message {
            text: text.into(),
            hint,
            error: true,
        });
    }

    /// Text was typed: who types does not look here, so that an error stays.
    pub fn typed(&mut self) {
        self.message.take_if(|message| !message.error);
    }

    /// A key was pressed: what is there has been read.
    pub fn read(&mut self) {
        self.message = None;
    }
}
