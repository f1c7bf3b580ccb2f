//! A session as steps: what the person and the agent wrote, the commands that ran and the files that
//! changed. It is bounded, however long the transcript.

use crate::lint::chars::{cut, last_of, oddity};

/// Bytes of one text that are kept, from its beginning and from its end.
const HEAD: usize = 2 << 10;
const TAIL: usize = 4 << 10;

/// The most bytes of text that are kept. Beyond them the oldest texts go first, the person's last.
const MOST: usize = 16 << 20;

/// One step of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Step {
    /// Words of the person.
    Person(String),
    /// Words of the agent.
    Agent(String),
    /// A command.
    Run(Run),
    /// A file or folder that was read: its path, and what was seen of it.
    Read(Run),
    /// A change of a file.
    Edit(FileEdit),
    /// The message of a commit; its edits follow.
    Commit(String),
    /// A step that was taken back or let go.
    #[default]
    Gone,
}

/// A command that ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The command line.
    pub line: String,
    /// What it printed.
    pub output: String,
    /// True if it failed; `None` if that is unknown.
    pub failed: Option<bool>,
}

/// A change of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileEdit {
    /// Its path.
    pub path: String,
    /// The lines that came.
    pub added: String,
}

impl Step {
    /// The words of the person.
    pub fn person(&self) -> Option<&str> {
        match self {
            Self::Person(text) => Some(text),
            _ => None,
        }
    }

    /// The words of the agent.
    pub fn agent(&self) -> Option<&str> {
        match self {
            Self::Agent(text) => Some(text),
            _ => None,
        }
    }

    /// The command.
    pub const fn run(&self) -> Option<&Run> {
        match self {
            Self::Run(run) => Some(run),
            _ => None,
        }
    }

    /// The change of a file.
    pub const fn edit(&self) -> Option<&FileEdit> {
        match self {
            Self::Edit(edit) => Some(edit),
            _ => None,
        }
    }

    const fn text(&mut self) -> Option<&mut String> {
        match self {
            Self::Person(text) | Self::Agent(text) | Self::Commit(text) => Some(text),
            Self::Run(run) | Self::Read(run) => Some(&mut run.output),
            Self::Edit(edit) => Some(&mut edit.added),
            Self::Gone => None,
        }
    }
}

/// A session that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// Name of the agent; empty if it is unknown.
    pub agent: &'static str,
    /// The folder that it worked in; empty if it is unknown.
    pub folder: String,
    /// True if it is a diff: nobody speaks in it.
    pub is_diff: bool,
    /// Number of lines that were not read.
    pub skipped: usize,
    bytes: usize,
    /// The first step that may be let go.
    oldest: usize,
}

/// A text without what a terminal obeys, its middle left out where it is long.
fn bounded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len().min(HEAD + TAIL));
    let short = text.len() <= HEAD + TAIL;
    let (head, tail) = match short {
        true => (text, ""),
        false => (cut(text, HEAD), last_of(text, TAIL)),
    };
    for part in [head, if short { "" } else { "\n[…]\n" }, tail] {
        let mut chars = part.chars();
        while let Some(c) = chars.next() {
            match oddity(c) {
                None => plain.push(c),
                // The colours of a terminal.
                Some(_) if c == '\u{1b}' => {
                    chars.find(char::is_ascii_alphabetic);
                }
                Some(_) => {}
            }
        }
    }
    plain
}

impl Session {
    /// Adds a step and returns its index.
    pub fn push(&mut self, mut step: Step) -> usize {
        if let Some(text) = step.text() {
            *text = bounded(text);
            self.bytes += text.len();
        }
        if let Step::Run(run) = &mut step {
            run.line = bounded(&run.line);
        }
        self.steps.push(step);
        self.let_go();
        self.steps.len() - 1
    }

    /// Notes the output of a command, and whether it failed. A change that failed is none.
    pub fn end(&mut self, at: usize, output: &str, failed: Option<bool>) {
        match self.steps.get_mut(at) {
            Some(Step::Run(run) | Step::Read(run)) => {
                run.output = bounded(output);
                run.failed = failed;
                self.bytes += run.output.len();
            }
            Some(step @ Step::Edit(_)) if failed == Some(true) => *step = Step::Gone,
            _ => {}
        }
        self.let_go();
    }

    fn let_go(&mut self) {
        while self.bytes > MOST && self.oldest < self.steps.len() {
            let Some(step) = self.steps.get_mut(self.oldest) else {
                return;
            };
            self.oldest += 1;
            // The person's words go where they alone are too long.
            if step.person().is_none() || self.bytes > 2 * MOST {
                self.bytes -= step.text().map_or(0, |text| text.len());
                *step = Step::Gone;
            }
        }
    }

    /// The first words of the person: the task.
    pub fn task(&self) -> Option<&str> {
        self.steps.iter().find_map(Step::person)
    }

    /// True if nothing was read.
    pub fn is_empty(&self) -> bool {
        self.steps.iter().all(|step| *step == Step::Gone)
    }

    /// A path below the folder of the session.
    pub fn below<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(&*self.folder);
        let below = below.filter(|_| !self.folder.is_empty());
        let below = below.and_then(|path| path.strip_prefix('/'));
        below.unwrap_or(path)
    }
}
