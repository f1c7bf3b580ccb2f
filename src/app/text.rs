//! The text editor: the body of a memory, or its whole text where its frontmatter is broken.
//!
//! The text is kept byte for byte: a line that stays keeps its line end, a new one gets that of the
//! first line. A character that a terminal must not be sent is only *drawn* as a mark. The widget
//! crate keeps the text, the cursor, the selection and the history; it neither wraps nor draws
//! here, because its drawing sends raw text to the terminal and writes to itself.

pub(crate) mod wrap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::{CursorMove, TextArea};

pub use wrap::{Measure, wrap};

pub use super::key::Outcome;
use super::key::{Key, Scope};
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
    /// Opens a text over the one that it was made from; `cut` says where the prompt cuts a body, none
    /// for a whole text. Refused is what is better edited elsewhere.
    pub fn open(base: &str, text: &str, cut: Option<Cut>) -> Result<Self, String> {
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

impl TextEditor {
    /// Does a command.
    pub fn act(&mut self, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        self.notice = None;
        run(self)
    }

    /// Goes on editing where leaving was asked about.
    pub(crate) fn keep_editing(&mut self) -> Outcome {
        self.mode = Mode::Text;
        Outcome::Redraw
    }

    /// Leaves the selection, else the text; asks first where it has changes.
    pub(crate) fn leave(&mut self) -> Outcome {
        if self.area.is_selecting() {
            self.area.cancel_selection();
        } else if self.dirty() {
            self.mode = Mode::Discard;
        } else {
            return Outcome::Leave;
        }
        Outcome::Redraw
    }

    /// Takes a key that no command has.
    pub fn typed(&mut self, key: Key) -> Outcome {
        self.notice = None;
        match &self.mode {
            Mode::Discard => Outcome::Nothing,
            Mode::Text => self.text_key(key),
        }
    }

    /// Takes a key as the text area knows it, Ctrl and Alt being one on keys that move or delete.
    fn text_key(&mut self, key: Key) -> Outcome {
        let ctrl = key.mods.contains(KeyModifiers::CONTROL);
        let alt = key.mods.contains(KeyModifiers::ALT);
        let far = ctrl || alt;
        let shift = key.mods & KeyModifiers::SHIFT;
        let (code, mods) = match key.code {
            KeyCode::Up if !far => return self.up_down(-1, key),
            KeyCode::Down if !far => return self.up_down(1, key),
            KeyCode::PageUp => return self.up_down(-self.page(), key),
            KeyCode::PageDown => return self.up_down(self.page(), key),
            // Terminals of Windows report AltGr as Ctrl+Alt.
            KeyCode::Char(c) if ctrl == alt => {
                if let Err(refusal) = check_size(self.counts.bytes + c.len_utf8()) {
                    self.notice = Some(refusal);
                    return Outcome::Redraw;
                }
                (key.code, KeyModifiers::NONE)
            }
            // A terminal without bracketed paste sends these for a line end.
            KeyCode::Char('j' | 'm') if ctrl => (KeyCode::Enter, KeyModifiers::NONE),
            KeyCode::Backspace | KeyCode::Delete if far => (key.code, KeyModifiers::ALT),
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down if far => {
                (key.code, KeyModifiers::CONTROL | shift)
            }
            KeyCode::Home if far => (KeyCode::Char('<'), KeyModifiers::ALT | shift),
            KeyCode::End if far => (KeyCode::Char('>'), KeyModifiers::ALT | shift),
            code => (code, key.mods),
        };
        let before = self.cursor();
        if self.area.input(KeyEvent::new(code, mods)) {
            self.changed();
            return Outcome::Changed;
        }
        self.settle(self.cursor() > before);
        self.goal = None;
        self.follow();
        Outcome::Redraw
    }

    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut TextArea<'static>) -> bool) -> Outcome {
        // The selection is deleted even if nothing replaces it.
        let selecting = self.area.is_selecting();
        if !change(&mut self.area) && !selecting {
            return Outcome::Redraw;
        }
        self.changed();
        Outcome::Changed
    }

    /// Moves by lines on the screen. Shift extends the selection, any other motion ends it.
    fn up_down(&mut self, by: isize, key: Key) -> Outcome {
        if !key.mods.contains(KeyModifiers::SHIFT) {
            self.area.cancel_selection();
        } else if !self.area.is_selecting() {
            self.area.start_selection();
        }
        self.vertical(by);
        self.follow();
        Outcome::Redraw
    }
}

/// A text above this is opened in `$EDITOR`: every key counts words and looks for the cut.
const MOST_BYTES: usize = 1 << 20;
/// Rows and columns that the widget can jump to are 16 bits.
const MOST: usize = 50_000;

/// Why a text is not edited in place, and what to do.
fn refuse(why: String) -> String {
    format!("{why}: E opens it in $EDITOR")
}

fn check(text: &str) -> Result<(), String> {
    check_size(text.len())?;
    if text.split('\n').count() > MOST {
        return Err(refuse(format!("more than {MOST} lines")));
    }
    let is_long = |line: &str| line.len() > MOST && line.chars().count() > MOST;
    let mut lines = (1..).zip(text.split('\n'));
    let long = lines.find(|(_, line)| is_long(line));
    long.map_or(Ok(()), |(n, _)| {
        Err(refuse(format!("line {n} has more than {MOST} characters")))
    })
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
