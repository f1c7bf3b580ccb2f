//! Takes a session in line by line and finds out what it is: a transcript, a conversation or a diff.

use super::prose::{self, is_mail};
use super::session::Session;
use super::transcript::Reader;

/// Bytes of a conversation, a diff or one JSON document that are read.
const MOST: usize = 32 << 20;

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file of JSON lines that an agent wrote, or one JSON document.
    Transcript,
    /// Words of people and agents.
    Conversation,
    /// A diff.
    Diff,
}

impl Source {
    /// The source that a word names; none of `auto`.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "transcript" => Some(Self::Transcript),
            "conversation" => Some(Self::Conversation),
            "diff" => Some(Self::Diff),
            _ => None,
        }
    }

    /// The source that begins with a line.
    fn of_line(line: &str) -> Self {
        let starts = ["diff --git ", "commit ", "--- ", "Index: "];
        if line.trim_start().starts_with(['{', '[']) {
            Self::Transcript
        } else if is_mail(line) || starts.iter().any(|start| line.starts_with(start)) {
            Self::Diff
        } else {
            Self::Conversation
        }
    }
}

/// Lines of a session on their way in.
#[derive(Default)]
pub struct Intake {
    source: Option<Source>,
    reader: Reader,
    /// The text of what is read as a whole.
    text: String,
    /// Lines of a transcript that are a JSON object, and that are none.
    lines: [usize; 2],
}

impl Intake {
    /// An intake for a source; without one, the first line tells it.
    pub fn new(source: Option<Source>) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Takes in a line. False if nothing more is read.
    pub fn line(&mut self, line: &str) -> bool {
        if line.trim().is_empty() && self.source.is_none() {
            return true;
        }
        let source = *self.source.get_or_insert_with(|| Source::of_line(line));
        if source == Source::Transcript {
            let [records, others] = &mut self.lines;
            match self.reader.line(line) {
                true => *records += 1,
                false => *others += 1,
            }
            if *records > 0 {
                return true;
            }
        }
        // A document over many lines is read as a whole.
        self.text += line;
        self.text.push('\n');
        self.text.len() <= MOST
    }

    /// Notes a line that was too long to be read.
    pub const fn skip(&mut self) {
        self.lines[1] += 1;
    }

    /// The session.
    pub fn finish(mut self) -> Session {
        match self.source {
            Some(Source::Diff) => prose::diff(&self.text),
            Some(Source::Conversation) => prose::conversation(&self.text),
            Some(Source::Transcript) => {
                if let (0, Ok(all)) = (self.lines[0], serde_json::from_str(&self.text)) {
                    self.reader.document(&all);
                    self.lines[1] = 0;
                }
                let mut session = self.reader.finish();
                session.skipped = self.lines[1];
                session
            }
            None => Session::default(),
        }
    }
}
