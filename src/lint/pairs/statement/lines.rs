//! The lines of a body: which of them belong to one paragraph, and their words on one line.

use std::borrow::Cow;
use std::ops::Range;

/// A line at least this long is taken for one that was broken, not ended.
const BROKEN: usize = 55;

/// Columns below which nobody breaks lines.
const NARROWEST: usize = 40;

/// A line of prose.
struct Line<'t> {
    /// Its words by their bytes in the body, without the marks of lists and quotations.
    at: Range<usize>,
    words: &'t str,
    /// The number in front of them, where one stands there as in an ordered list: `7) `.
    number: &'t str,
    /// How many columns it takes with all that stands before its words.
    columns: usize,
    /// Whether it begins an item of a list.
    listed: bool,
    quoted: bool,
    form: Form,
    /// How far in it stands.
    inset: usize,
    /// The names of the columns of a row but the first.
    columns_named: &'t str,
}

/// In what a statement stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// In a sentence or an item of a list.
    #[default]
    Prose,
    /// In a row of a table, of which the first cell says what the others are about.
    Row,
    /// In a line of a block of code that gives a name its value: `KEY=value`.
    Setting,
}

/// What stands together, by its bytes in the body.
pub(super) struct Block<'t> {
    pub at: Range<usize>,
    pub form: Form,
    /// What it stands below: an item of a list that only names something, or the names of columns.
    pub under: &'t str,
}

/// The paragraphs and list items of a body, without their marks.
pub(super) fn blocks(body: &str) -> Vec<Block<'_>> {
    let lines = lines(body);
    let prose = lines
        .iter()
        .flatten()
        .filter(|line| line.form == Form::Prose);
    let prose = prose.filter(|line| line.words.contains(' '));
    let width = prose.map(|line| line.columns).max().unwrap_or_default();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut before: Option<&Line<'_>> = None;
    let mut ordered = false;
    // The items that the next one may stand below, each with how far in it stands.
    let mut above: Vec<(usize, &str)> = Vec::new();
    for line in &lines {
        let Some(line) = line else {
            before = None;
            continue;
        };
        // As in Markdown, no number but the first begins a list within a paragraph.
        let listed = line.listed && (ordered || matches!(line.number, "" | "1"));
        let joined = before.is_some_and(|before| {
            !listed && line.quoted == before.quoted && goes_on(before, line, width)
        });
        ordered = if joined {
            ordered
        } else {
            !line.number.is_empty()
        };
        if let Some(last) = blocks.last_mut().filter(|_| joined) {
            last.at.end = line.at.end;
            // What goes on says more than a name.
            if let Some(last) = above.last_mut() {
                last.1 = "";
            }
            before = Some(line);
            continue;
        }
        while above.last().is_some_and(|(inset, _)| *inset >= line.inset) {
            above.pop();
        }
        let under = match line.form {
            Form::Row => line.columns_named,
            Form::Prose if line.listed => above.last().map_or("", |(_, words)| words),
            _ => "",
        };
        if line.listed && line.form == Form::Prose {
            above.push((line.inset, named(line.words)));
        }
        blocks.push(Block {
            at: line.at.clone(),
            form: line.form,
            under,
        });
        before = Some(line).filter(|line| line.form == Form::Prose);
    }
    blocks
}

/// The name that an item of a list is, of what stands below it; nothing where it is a sentence.
fn named(words: &str) -> &str {
    const LONGEST: usize = 4;
    let name = words.trim_end_matches(['*', '_', ':']);
    let short = name.split_whitespace().count() <= LONGEST;
    let plain = short && !name.ends_with(['.', '!', '?', ';']);
    if plain { name } else { "" }
}

/// The lines of a body that say something; nothing for one that ends a paragraph.
fn lines(body: &str) -> Vec<Option<Line<'_>>> {
    let mut lines = Vec::new();
    let mut fence: Option<char> = None;
    let mut comment = false;
    // The row of a table before, and what the columns are called.
    let (mut head, mut names): (Option<&str>, Option<&str>) = (None, None);
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim();
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'));
        let fences = mark.is_some_and(|c| text.chars().take_while(|d| *d == c).count() >= 3);
        if fences && (fence.is_none() || fence == mark) {
            fence = if fence.is_some() { None } else { mark };
            lines.push(None);
            continue;
        }
        if fence.is_some() {
            lines.extend(setting(text).map(|words| {
                let at = start + line.find(words).unwrap_or_default();
                Some(Line::apart(at, words, Form::Setting, ""))
            }));
            continue;
        }
        if text.starts_with('|') {
            if is_rule(text) {
                // The row above names the columns.
                names = head
                    .take()
                    .and_then(|head| Some(head.split_once('|')?.1.trim()));
                lines.push(None);
            } else {
                head = row(text);
                lines.push(row(text).zip(names).map(|(words, names)| {
                    let at = start + line.find(words).unwrap_or_default();
                    Line::apart(at, words, Form::Row, names)
                }));
            }
            continue;
        }
        (head, names) = (None, None);
        if comment || text.starts_with("<!--") {
            comment = !text.contains("-->");
            lines.push(None);
            continue;
        }
        if text.is_empty() || is_heading(text) || text.chars().all(|c| !c.is_alphanumeric()) {
            lines.push(None);
            continue;
        }
        let marks = marks(line);
        let words = line.get(marks..).unwrap_or_default().trim_end();
        let head = line.get(..marks).unwrap_or_default();
        lines.push(Some(Line {
            at: start + marks..start + marks + words.len(),
            words,
            number: head
                .trim_end()
                .trim_end_matches(['.', ')'])
                .trim_start_matches(|c: char| !c.is_ascii_digit()),
            columns: head.chars().count() + words.chars().count(),
            listed: !head.trim().trim_matches('>').trim().is_empty(),
            quoted: text.starts_with('>'),
            form: Form::Prose,
            inset: line.len() - line.trim_start().len(),
            columns_named: "",
        }));
    }
    lines
}

impl<'t> Line<'t> {
    /// One that goes on with nothing.
    const fn apart(at: usize, words: &'t str, form: Form, columns_named: &'t str) -> Self {
        Self {
            at: at..at + words.len(),
            words,
            number: "",
            columns: 0,
            listed: true,
            quoted: false,
            form,
            inset: 0,
            columns_named,
        }
    }
}

/// Whether a line of a table parts the names of its columns from its rows.
fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The cells of a row of a table that has a few, each with something in it.
fn row(line: &str) -> Option<&str> {
    const CELLS: [usize; 2] = [2, 3];
    let inner = line.strip_prefix('|')?.trim();
    let inner = inner.strip_suffix('|').unwrap_or(inner).trim();
    let full = inner.split('|').all(|cell| !cell.trim().is_empty());
    let count = inner.split('|').count();
    (full && CELLS.contains(&count)).then_some(inner)
}

/// A line of a block of code that is a name in capitals and its value, and no command.
fn setting(line: &str) -> Option<&str> {
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    let capitals = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let named = name.len() > 1 && name.chars().all(capitals);
    let one = !value.is_empty() && !value.contains(char::is_whitespace);
    (named && one).then_some(line)
}

/// Whether a line is a heading: `#12` is a number, and a line may begin with one.
fn is_heading(line: &str) -> bool {
    let after = line.strip_prefix('#');
    after.is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a line goes on with what the one before began, in a body whose longest line has so many
/// columns.
fn goes_on(before: &Line<'_>, line: &Line<'_>, width: usize) -> bool {
    // Where the next word would not have fitted, the line was broken for want of room.
    let next = line.words.split_whitespace().next().unwrap_or_default();
    let length = match line.number.len() {
        0 => next.chars().count(),
        number => number + 1,
    };
    let full = before.columns + 1 + length > width.max(NARROWEST);
    let full = full && !(is_entry(before.words) && is_entry(line.words));
    let lower = line.words.starts_with(|c: char| c.is_lowercase());
    match before.words.chars().next_back() {
        Some('.' | '!' | '?' | ';') => full,
        // What stands below such a line and begins anew is told by it, and is no part of it.
        Some(':') => full && !next.starts_with(|c: char| c.is_uppercase()),
        Some('。') => false,
        _ => full || (line.number.is_empty() && (lower || before.words.len() >= BROKEN)),
    }
}

/// Whether a line is a name and its value: `Port: 3000`, `PORT=3000`.
fn is_entry(line: &str) -> bool {
    const LONGEST: usize = 3;
    let name = line.split_inclusive([' ', '=']).take(LONGEST);
    let mut ends = name.map(|word| word.trim_end().trim_end_matches('*'));
    ends.any(|word| word.ends_with([':', '=']))
}

/// How many bytes of a line are white space and the marks of lists and quotations.
fn marks(line: &str) -> usize {
    let mut rest = line.trim_start();
    loop {
        let before = rest.len();
        for mark in ["> ", "- ", "* ", "+ ", "• ", "✅ ", "❌ ", "⚠️ "] {
            rest = rest.strip_prefix(mark).unwrap_or(rest).trim_start();
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=3).contains(&digits)
            && let Some(after) = rest.get(digits..)
            && (after.starts_with(". ") || after.starts_with(") "))
        {
            rest = after.get(2..).unwrap_or_default().trim_start();
        }
        if rest.len() == before {
            return line.len() - rest.len();
        }
    }
}

/// Where the lines of a text begin: in the same on one line, and in the text.
pub(super) type Begins = Vec<(usize, usize)>;

/// A text on one line, a blank for each line end with what stands around it.
pub(super) fn on_one_line(text: &str) -> (Cow<'_, str>, Begins) {
    if !text.contains('\n') {
        return (Cow::Borrowed(text), Begins::new());
    }
    let (mut line, mut begins) = (String::with_capacity(text.len()), Begins::new());
    let mut at = 0;
    for own in text.split_inclusive('\n') {
        let quoted = own.trim_start().trim_start_matches("> ");
        let rest = if at == 0 { own } else { quoted.trim_start() };
        if at > 0 {
            line.push(' ');
        }
        begins.push((line.len(), at + own.len() - rest.len()));
        line.push_str(rest.trim_end());
        at += own.len();
    }
    (Cow::Owned(line), begins)
}

/// The bytes of a text that these of the same on one line are.
pub(super) fn in_text(begins: &Begins, at: &Range<usize>) -> Range<usize> {
    let place = |byte: usize| {
        let line = begins.iter().rev().find(|(begins, _)| *begins <= byte);
        line.map_or(byte, |(line, text)| text + (byte - line))
    };
    let end = at.end.checked_sub(1).map_or(0, |last| place(last) + 1);
    place(at.start)..end
}

#[cfg(test)]
mod tests;
