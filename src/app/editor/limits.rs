//! What can be edited in place, and what is counted meanwhile.

use crate::memory::{Schema, tokens_of};
use crate::retrieval::rawko::{self, Dialect};

/// A text above this is opened in `$EDITOR`: every key counts words and looks for the cut.
const MOST_BYTES: usize = 1 << 20;
/// Rows and columns that the widget can jump to are 16 bits.
const MOST_LINES: usize = 50_000;
/// As `MOST_LINES`, for a single line.
const MOST_COLUMNS: usize = 50_000;

/// Why a text is not edited in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub why: String,
    /// What to do about it.
    pub hint: &'static str,
}

fn refuse(why: String) -> Refusal {
    Refusal {
        why,
        hint: "E opens it in $EDITOR",
    }
}

pub(super) fn check(text: &str) -> Result<(), Refusal> {
    check_size(text.len())?;
    if text.split('\n').count() > MOST_LINES {
        return Err(refuse(format!("more than {MOST_LINES} lines")));
    }
    match text
        .split('\n')
        .position(|line| line.len() > MOST_COLUMNS && line.chars().count() > MOST_COLUMNS)
    {
        Some(row) => Err(refuse(format!(
            "line {} has more than {MOST_COLUMNS} characters",
            row + 1
        ))),
        None => Ok(()),
    }
}

pub(super) fn check_size(bytes: usize) -> Result<(), Refusal> {
    if bytes > MOST_BYTES {
        let mega = bytes.div_ceil(1 << 20);
        return Err(refuse(format!("{mega} MB are too much to edit here")));
    }
    Ok(())
}

/// Where a prompt cuts a body: a byte position, none where it is shown whole. The policy's own
/// rule, passed in.
pub type Cut = fn(&str) -> Option<usize>;

/// Where the prompt of a format's system cuts bodies; none where it does not.
pub fn cut_of(schema: &Schema) -> Option<Cut> {
    let at = |text: &str| rawko::cut(text, Dialect::Natural).map(|cut| cut.at);
    rawko::cuts(schema).then_some(at as Cut)
}

/// What is counted of a text.
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
    pub(super) fn of(lines: &[String], cut: Option<Cut>) -> Self {
        let bytes = lines.iter().map(|line| line.len() + 1).sum::<usize>();
        let bytes = bytes.saturating_sub(1);
        let words = lines.iter().map(|line| line.split_whitespace().count());
        Self {
            words: words.sum(),
            tokens: tokens_of(bytes),
            bytes,
            cut: cut.and_then(|cut| place(lines, cut(&lines.join("\n"))?)),
        }
    }
}

/// The row and byte of the row of a byte of the text.
fn place(lines: &[String], at: usize) -> Option<(usize, usize)> {
    let mut left = at;
    for (row, line) in lines.iter().enumerate() {
        if left <= line.len() {
            return Some((row, left));
        }
        left -= line.len() + 1;
    }
    None
}
