//! The text editor: the body of a memory, or its whole text where its frontmatter is broken.
//!
//! The text is kept byte for byte: a line that stays keeps its line end, a new one gets that of the
//! first line. A character that a terminal must not be sent is only *drawn* as a mark. The widget
//! crate keeps the text, the cursor, the selection and the history; it neither wraps nor draws
//! here, because its drawing sends raw text to the terminal and writes to itself.

mod keys;
mod limits;
pub(crate) mod motion;
pub(crate) mod wrap;

use ratatui_textarea::{CursorMove, TextArea};

pub use limits::{Counts, Cut, cut_in, cut_of};
pub use wrap::{Measure, wrap};

pub use super::scope::Outcome;
use super::scope::Scope;
use crate::memory::Schema;
use crate::memory::document::is_crlf;
use crate::memory::edit::with_ends;

/// The scopes of a text.
const TEXT: &[Scope] = &[Scope::Text, Scope::Editing];
/// A line end that the text is edited without: a key at the end of a line must not split it.
const CRLF: &str = "\r\n";

/// The part that takes the keys.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    /// The text.
    Text,
    /// The question whether changes are to be given up.
    Discard,
}

/// A text being edited.
#[derive(Clone, Debug)]
pub struct TextEditor {
    area: TextArea<'static>,
    base: String,
    cut: Option<Cut>,
    counts: Counts,
    pub(crate) mode: Mode,
    pub(crate) notice: Option<String>,
    /// The first line on the screen: row of the text, and which of its wrapped lines.
    top: (usize, usize),
    /// Columns and lines of the text on the screen; nothing until the screen says.
    size: (usize, usize),
    /// The column that moving up and down keeps to.
    goal: Option<usize>,
}

impl TextEditor {
    /// Opens a text; `cut` says where the prompt cuts a body, none for a whole text. Refused is
    /// what is better edited elsewhere.
    pub fn open(text: &str, cut: Option<Cut>) -> Result<Self, String> {
        limits::check(text)?;
        Ok(Self::new(text, text, cut))
    }

    /// Opens the draft of a run that ended without saving.
    pub fn recover(base: &str, text: &str, cut: Option<Cut>) -> Result<Self, String> {
        limits::check(text)?;
        Ok(Self::new(base, text, cut))
    }

    /// An empty body of a format.
    pub(crate) fn empty(schema: &Schema) -> Self {
        Self::new("", "", cut_of(schema))
    }

    fn new(base: &str, text: &str, cut: Option<Cut>) -> Self {
        let text = text.replace(CRLF, "\n");
        let mut area = TextArea::new(text.split('\n').map(str::to_owned).collect());
        area.set_max_histories(1000);
        let mut editor = Self {
            area,
            base: base.into(),
            cut,
            counts: Counts::default(),
            mode: Mode::Text,
            notice: None,
            top: (0, 0),
            size: (0, 0),
            goal: None,
        };
        editor.count();
        editor
    }

    /// The text as it is now.
    pub fn text(&self) -> String {
        let text = self.area.lines().join("\n");
        if !self.base.contains(CRLF) {
            return text;
        }
        let base = self.base.as_bytes();
        let usual = if is_crlf(base) { CRLF } else { "\n" };
        String::from_utf8_lossy(&with_ends(base, &text, usual)).into_owned()
    }

    /// Its lines.
    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    /// Row and column of the cursor, from 0, the column in characters.
    pub fn cursor(&self) -> (usize, usize) {
        let at = self.area.cursor();
        (at.0, at.1)
    }

    /// The selection: from and to, as the cursor.
    pub fn selection(&self) -> Option<((usize, usize), (usize, usize))> {
        self.area.selection_range()
    }

    /// True if it differs from what it was opened with.
    pub fn dirty(&self) -> bool {
        let base = self.base.replace(CRLF, "\n");
        !base.split('\n').eq(self.area.lines())
    }

    /// The scopes whose commands the keys reach, the innermost first, and the commands that matter
    /// now, most telling first.
    pub fn keys(&self) -> (&'static [Scope], &'static str) {
        match self.mode {
            Mode::Text if self.dirty() => (TEXT, "save undo-text leave-text"),
            Mode::Text => (TEXT, "save leave-text"),
            Mode::Discard => (&[Scope::Question], "give-up keep-editing"),
        }
    }

    /// Words, tokens, and where the prompt cuts.
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Puts the cursor on a row and column, from 0.
    pub fn go_to(&mut self, row: usize, column: usize) {
        self.jump(row, column);
        self.follow();
    }

    /// Takes pasted text.
    pub fn paste(&mut self, text: &str) -> Outcome {
        let text = text.replace(CRLF, "\n").replace('\r', "\n");
        let after = self.counts.bytes + text.len();
        if let Err(refusal) = limits::check_size(after) {
            self.notice = Some(refusal);
            return Outcome::Redraw;
        }
        self.area.insert_str(text);
        self.changed();
        Outcome::Changed
    }

    /// Says how many columns and lines of text there are room for, so that moving up and down
    /// and by pages goes by what is seen. The whole pane's size, as `ui::text::draw` gets it.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = wrap::inside(width, height);
        self.follow();
    }

    fn changed(&mut self) {
        self.goal = None;
        self.count();
        self.follow();
    }

    fn count(&mut self) {
        self.counts = Counts::new(&self.text(), self.cut);
    }

    fn jump(&mut self, row: usize, column: usize) {
        // The limits of `open` keep both below what the crate can jump to.
        let row = u16::try_from(row).unwrap_or(u16::MAX);
        let column = u16::try_from(column).unwrap_or(u16::MAX);
        self.area.move_cursor(CursorMove::Jump(row, column));
    }
}
