//! The statements of a Markdown body: sentences, list items, `label: value` lines and table rows,
//! each with its bytes, without headings, code blocks and comments.

use std::ops::Range;

use super::cut;
use super::fence_after;
use super::tokens::tokens;

/// The construct that a statement is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A paragraph.
    Prose,
    /// An item of a list.
    Item,
    /// A row of a table.
    Row,
}

/// One statement of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its bytes in the body.
    pub at: Range<usize>,
    /// The construct that it is part of.
    pub form: Form,
    /// The bytes of the nearest heading above it, without its marks.
    pub heading: Option<Range<usize>>,
    /// The bytes of its label: the words before a colon, or the first cell of a row.
    pub label: Option<Range<usize>>,
}

/// Statements of one body beyond these are ignored.
const MOST: usize = 1_000;

/// Bytes of a statement beyond these are ignored.
const LONGEST: usize = 2_000;

/// The longest label, in bytes and in words.
const LABEL: (usize, usize) = (40, 4);

/// The statements of a body.
pub fn statements(body: &str) -> Vec<Statement> {
    let mut reader = Reader {
        body,
        found: Vec::new(),
        open: None,
        heading: None,
    };
    let (mut at, mut fence, mut in_comment) = (0, None, false);
    for line in body.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        let was = fence;
        fence = fence_after(fence, line);
        if was.or(fence).is_some() {
            reader.close();
            continue;
        }
        if in_comment || bare.starts_with("<!--") {
            reader.close();
            in_comment = !bare.contains("-->");
            continue;
        }
        reader.line(start, line);
        if reader.found.len() >= MOST {
            break;
        }
    }
    reader.close();
    reader.found.truncate(MOST);
    reader.found
}

/// The sentences of a paragraph, by their bytes.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut start, mut in_code) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        in_code ^= c == '`';
        if in_code || !matches!(c, '.' | '!' | '?' | '。') {
            continue;
        }
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let behind = rest.trim_start_matches(['"', '\'', ')', '*', '_', '`']);
        let next = behind.trim_start();
        let ends = c == '。' || next.len() < behind.len();
        if ends && !next.is_empty() && !next.starts_with(|c: char| c.is_ascii_lowercase()) {
            found.push(start..text.len() - next.len());
            start = text.len() - next.len();
        }
    }
    found.push(start..text.len());
    let is_text = |text: &str| !text.trim().is_empty();
    found.retain(|range| text.get(range.clone()).is_some_and(is_text));
    found
}

struct Reader<'t> {
    body: &'t str,
    found: Vec<Statement>,
    /// The paragraph or item that may go on in the next line.
    open: Option<(Form, Range<usize>)>,
    heading: Option<Range<usize>>,
}

impl Reader<'_> {
    fn line(&mut self, start: usize, line: &str) {
        let text = line.trim_start_matches(['>', ' ', '\t']);
        let start = start + line.len() - text.len();
        let text = text.trim_end();
        let end = start + text.len();
        if !text.contains(char::is_alphanumeric) {
            self.close();
        } else if text.starts_with('#') && text.trim_start_matches('#').starts_with(' ') {
            self.close();
            let name = text.trim_start_matches(['#', ' ']);
            self.heading = Some(end - name.len()..end);
        } else if text.starts_with('|') {
            self.close();
            let cells = text.trim_matches('|');
            let start = start + text.len() - text.trim_start_matches('|').len();
            self.push(Form::Row, start..start + cells.len());
        } else if let Some(mark) = item_mark(text) {
            self.close();
            self.open = Some((Form::Item, start + mark..end));
        } else {
            let is_bold = text.starts_with("**");
            let is_marked = is_bold || text.starts_with(|c: char| c.is_uppercase());
            if is_marked && label_of(text).is_some() {
                self.close();
            }
            match &mut self.open {
                Some((_, open)) => open.end = end,
                open => *open = Some((Form::Prose, start..end)),
            }
        }
        // Two blanks at its end make a line break.
        if line.trim_end_matches(['\n', '\r']).ends_with("  ") {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some((form, at)) = self.open.take() else {
            return;
        };
        let text = self.body.get(at.clone()).unwrap_or_default();
        for sentence in sentences(text) {
            self.push(form, at.start + sentence.start..at.start + sentence.end);
        }
    }

    fn push(&mut self, form: Form, at: Range<usize>) {
        let text = self.body.get(at.clone()).unwrap_or_default();
        let text = cut(text, LONGEST);
        let start = at.start + text.len() - text.trim_start().len();
        let text = text.trim();
        let label = match form {
            Form::Row => text.find('|').map(|end| 0..cut(text, end).trim_end().len()),
            _ => label_of(text),
        };
        if text.contains(char::is_alphanumeric) {
            self.found.push(Statement {
                at: start..start + text.len(),
                form,
                heading: self.heading.clone(),
                label: label.map(|label| start + label.start..start + label.end),
            });
        }
    }
}

/// Length of the mark of a list item, with its box and blanks.
pub fn item_mark(text: &str) -> Option<usize> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = match digits {
        0 => text.strip_prefix(['-', '*', '+', '•'])?,
        _ => text.get(digits..)?.strip_prefix(['.', ')'])?,
    };
    let item = rest.trim_start();
    if item.len() == rest.len() {
        return None;
    }
    let mut boxes = ["[ ] ", "[x] ", "[X] "].iter();
    let boxed = boxes.find_map(|mark| item.strip_prefix(mark));
    Some(text.len() - boxed.unwrap_or(item).trim_start().len())
}

/// The bytes of the label that a text begins with: `Port` of `**Port:** 80`.
fn label_of(text: &str) -> Option<Range<usize>> {
    let (label, value) = text.split_once(':')?;
    let name = label.trim_matches(['*', '_', '`', ' ']);
    let is_short = !name.is_empty() && name.len() <= LABEL.0;
    if !is_short || !(value.is_empty() || value.starts_with([' ', '*', '_', '`'])) {
        return None;
    }
    let plain = !name.contains(['.', '!', '?', '|', '\n']);
    let start = label.find(name)?;
    let is_label = plain && value.contains(char::is_alphanumeric);
    (is_label && tokens(name).len() <= LABEL.1).then(|| start..start + name.len())
}
