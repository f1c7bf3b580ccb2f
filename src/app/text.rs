//! The text editor: the body of a memory, or its whole text where its frontmatter is broken.
//!
//! The text is kept byte for byte: a line that stays keeps its line end, a new one gets that of the
//! first line. A character that a terminal must not be sent is only *drawn* as a mark. The widget
//! crate keeps the text, the cursor, the selection and the history; it neither wraps nor draws
//! here, because its drawing sends raw text to the terminal and writes to itself.

mod keys;
pub(crate) mod wrap;

use ratatui_textarea::{CursorMove, TextArea};

pub use wrap::{Measure, wrap};

pub use super::key::Outcome;
use super::key::Scope;
use crate::memory::document::is_crlf;
use crate::memory::edit::with_ends;
use crate::memory::format::IndexTable;
use crate::memory::{Memory, Schema, index, number, tokens_of};
use crate::systems::rawko::{self, Dialect};

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
    /// Words, tokens, and where the prompt cuts.
    pub counts: Counts,
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
        check(text)?;
        Ok(Self::new(text, text, cut))
    }

    /// Opens the draft of a run that ended without saving.
    pub fn recover(base: &str, text: &str, cut: Option<Cut>) -> Result<Self, String> {
        check(text)?;
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

    /// Puts the cursor on a row and column, from 0.
    pub fn go_to(&mut self, row: usize, column: usize) {
        self.jump(row, column);
        self.follow();
    }

    /// Takes pasted text.
    pub fn paste(&mut self, text: &str) -> Outcome {
        let text = text.replace(CRLF, "\n").replace('\r', "\n");
        let after = self.counts.bytes + text.len();
        if let Err(refusal) = check_size(after) {
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

/// A text above this is opened in `$EDITOR`: every key counts words and looks for the cut.
const MOST_BYTES: usize = 1 << 20;
/// Rows and columns that the widget can jump to are 16 bits.
const MOST_LINES: usize = 50_000;
/// As `MOST_LINES`, for a single line.
const MOST_COLUMNS: usize = 50_000;

/// Why a text is not edited in place, and what to do.
fn refuse(why: String) -> String {
    format!("{why}: E opens it in $EDITOR")
}

fn check(text: &str) -> Result<(), String> {
    check_size(text.len())?;
    if text.split('\n').count() > MOST_LINES {
        return Err(refuse(format!("more than {MOST_LINES} lines")));
    }
    let is_long = |line: &str| line.len() > MOST_COLUMNS && line.chars().count() > MOST_COLUMNS;
    match text.split('\n').position(is_long) {
        Some(row) => Err(refuse(format!(
            "line {} has more than {MOST_COLUMNS} characters",
            row + 1
        ))),
        None => Ok(()),
    }
}

fn check_size(bytes: usize) -> Result<(), String> {
    if bytes > MOST_BYTES {
        let mega = bytes.div_ceil(1 << 20);
        return Err(refuse(format!("too large to edit here: {mega} MB")));
    }
    Ok(())
}

/// The rule that cuts a body in the prompt: the policy's own rule.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    /// The rule of the policy for every memory.
    Prompt,
    /// The rule of an index, which is given up to a limit.
    Index(&'static IndexTable),
}

impl Cut {
    /// The place of the cut: a byte position, none where it is given whole.
    pub fn at(self, text: &str) -> Option<usize> {
        match self {
            Self::Prompt => rawko::cut(text, Dialect::Natural).map(|cut| cut.at),
            Self::Index(table) => index::load(text.as_bytes(), 0, table).cut,
        }
    }

    /// The line about it below a text whose body begins at a byte.
    pub fn says(self, text: &str, body: usize) -> Option<String> {
        match self {
            Self::Prompt => self
                .at(text.get(body..)?)
                .map(|_| "prompt cut at 500 characters".to_owned()),
            Self::Index(table) => {
                let loaded = index::load(text.as_bytes(), body, table);
                let lines = number(table.lines.saturating_sub(loaded.lines));
                let units = number(table.units.saturating_sub(loaded.units));
                Some(match loaded.cut_line(text.as_bytes()) {
                    Some(line) => format!("cut at line {line}"),
                    None => format!("{lines} lines, {units} units left"),
                })
            }
        }
    }
}

/// The rule that cuts the memories of a format in the prompt; none where nothing does.
pub fn cut_of(schema: &Schema) -> Option<Cut> {
    rawko::cuts(schema).then_some(Cut::Prompt)
}

/// The rule that cuts a memory in the prompt.
pub fn cut_in(memory: &Memory) -> Option<Cut> {
    let index = memory.index_table().map(Cut::Index);
    index.or_else(|| cut_of(memory.schema))
}

/// The counts of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Words, split at white space.
    pub words: usize,
    /// Tokens: bytes / 4, rounded up.
    pub tokens: usize,
    /// Bytes.
    pub bytes: usize,
    /// The row and byte of the row where the prompt cuts.
    pub cut: Option<(usize, usize)>,
}

impl Counts {
    fn new(text: &str, cut: Option<Cut>) -> Self {
        Self {
            words: text.split_whitespace().count(),
            tokens: tokens_of(text.len()),
            bytes: text.len(),
            cut: cut.and_then(|cut| place(text, cut.at(text)?)),
        }
    }
}

/// The row and byte of the row of a byte of the text.
fn place(text: &str, at: usize) -> Option<(usize, usize)> {
    let (before, after) = text.split_at_checked(at)?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let byte = match after.starts_with('\n') {
        true => before.trim_end_matches('\r').len().max(start),
        false => at,
    };
    Some((before.matches('\n').count(), byte - start))
}
