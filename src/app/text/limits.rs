//! Limits of the text editor, and the counts below a text.

use crate::app::hints::number;
use crate::memory::format::IndexTable;
use crate::memory::{Memory, Schema, index, tokens_of};
use crate::systems::rawko::{self, Dialect};

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

pub(super) fn check(text: &str) -> Result<(), String> {
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

pub(super) fn check_size(bytes: usize) -> Result<(), String> {
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
                Some(match loaded.cut_line(text.as_bytes()) {
                    Some(line) => format!("cut at line {line}"),
                    None => format!(
                        "{} lines, {} units left",
                        number(table.lines.saturating_sub(loaded.lines)),
                        number(table.units.saturating_sub(loaded.units)),
                    ),
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
    pub(super) fn new(text: &str, cut: Option<Cut>) -> Self {
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
