//! Positions of the memories in a Markdown file: byte ranges of frontmatter and body, found without
//! changing or copying a byte.
//!
//! A file is read in one pass, whatever it holds. Its documents tile it: each span ends where
//! the next begins, and the separator between two belongs to the end of the earlier span.
//!
//! A body goes from the first line that is not blank after the frontmatter to the end of the
//! last line that is not blank, that line's end included. It is what an edit of the body
//! replaces; the blank lines around it stay.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::schema::Shape;
use super::steps::step;
use super::{frontmatter, to_u32};

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Frontmatter longer than this begins no later document: what stands there is not one.
const MAX_FRONT: usize = 1 << 20;

/// How a file is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// True if it begins with a byte order mark.
    pub bom: bool,
    /// True if its first line ends the Windows way.
    pub crlf: bool,
    /// Its documents in order; at least one, also for an empty file.
    pub documents: Vec<Document>,
}

/// One document of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// All of it. The first begins with the file, a later one with its opening fence.
    pub span: Range<usize>,
    /// Range between the fence lines, including its last line end; none if there is no frontmatter
    /// or it is never closed.
    pub front: Option<Range<usize>>,
    /// From the first to the last line that is not blank, including its line end.
    pub body: Range<usize>,
    /// The line `span` begins on, from 1.
    pub line: u32,
    /// The line of the file that the first line of `front` is; `line` where there is none.
    pub front_line: u32,
}

/// The bytes of a range, none where it lies outside.
pub fn part(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range).unwrap_or_default()
}

/// True if there is nothing to see.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_space(*byte))
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// Divides a file into its documents.
///
/// The first may begin with frontmatter. A later one begins where the rawko writer appends: a
/// line `---`, one or more blank lines, and frontmatter that is a YAML mapping with a plain key.
/// Inside a fenced code block nothing is a boundary; a code fence that is never closed opens
/// nothing, for otherwise a text cut short would hide the memories appended after it.
pub fn layout(bytes: &[u8]) -> Layout {
    let shape = Shape {
        front: true,
        several: true,
    };
    layout_of(shape, bytes)
}

/// Divides a file of a format into its documents: as [`layout`] does where a file may hold
/// several, else one.
pub fn layout_of(shape: Shape, bytes: &[u8]) -> Layout {
    step(bytes.len());
    let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let marks = match shape.front {
        true => Marks::new(bytes, start),
        false => Marks::default(),
    };
    // Asked for places in rising order, so that the file is read once.
    let (mut counted, mut line) = (0, 1_u32);
    let mut line_at = |place: usize| {
        let ends = memchr::memchr_iter(b'\n', part(bytes, counted..place)).count();
        line = line.saturating_add(to_u32(ends));
        counted = counted.max(place);
        line
    };
    let mut open = first_front(bytes, start, &marks);
    let mut begin = 0;
    let mut documents = Vec::new();
    loop {
        let (front, text, from) = match &open {
            Some(front) => (Some(front.range()), front.close.end, front.next),
            None => (None, start, 0),
        };
        let next = shape.several.then(|| find_boundary(bytes, &marks, from));
        let next = next.flatten();
        let (body_end, end) = match &next {
            Some((separator, front)) => (separator.start, front.open.start),
            None => (bytes.len(), bytes.len()),
        };
        let line = line_at(begin);
        documents.push(Document {
            span: begin..end,
            body: body_of(bytes, text..body_end),
            line,
            front_line: front.as_ref().map_or(line, |front| line_at(front.start)),
            front,
        });
        let Some((_, front)) = next else { break };
        begin = front.open.start;
        open = Some(front);
    }
    Layout {
        bom: start > 0,
        crlf: is_crlf(bytes),
        documents,
    }
}

/// True if the first line ends the Windows way.
pub fn is_crlf(bytes: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', bytes).unwrap_or_default();
    part(bytes, 0..end).ends_with(b"\r")
}

/// A frontmatter: its two fence lines and the number of the mark after them.
struct Front {
    open: Range<usize>,
    close: Range<usize>,
    next: usize,
}

impl Front {
    /// Returns the range from a fence line to the next one.
    fn at(marks: &Marks, index: usize) -> Option<Self> {
        let open = marks.rule(index)?;
        let (at, close) = marks.next_rule(index + 1)?;
        Some(Self {
            open,
            close,
            next: at + 1,
        })
    }

    const fn range(&self) -> Range<usize> {
        self.open.end..self.close.start
    }
}

/// The frontmatter of the first document; blank lines may stand before it.
fn first_front(bytes: &[u8], start: usize, marks: &Marks) -> Option<Front> {
    let front = Front::at(marks, 0)?;
    if !is_blank(part(bytes, start..front.open.start)) {
        return None;
    }
    let text = part(bytes, front.range());
    if is_blank(text) {
        // A separator with nothing before it: the file begins with what was appended.
        return Some(boundary_at(bytes, marks, 0).map_or(front, |(_, appended)| appended));
    }
    // Comments alone are frontmatter too: the last field was taken out.
    let mut lines = text.split(|byte| *byte == b'\n');
    let comment = |line: &[u8]| is_blank(line) || line.trim_ascii_start().starts_with(b"#");
    if !lines.clone().any(has_key) && !lines.all(comment) {
        return None;
    }
    // Never closed: what looks like the closing fence separates it from an appended memory.
    let unclosed = boundary_at(bytes, marks, front.next - 1).is_some() && !is_mapping(text);
    (!unclosed).then_some(front)
}

/// The next separator outside code, with the frontmatter after it.
fn find_boundary(bytes: &[u8], marks: &Marks, from: usize) -> Option<(Range<usize>, Front)> {
    let mut code: Option<&Fence> = None;
    marks.from(from).find_map(|(index, mark)| {
        let Mark::Fence(fence) = mark else {
            return code.is_none().then(|| boundary_at(bytes, marks, index))?;
        };
        code = match code {
            Some(opening) => code.filter(|_| !fence.closes(opening)),
            None => marks.is_closed(index, fence).then_some(fence),
        };
        None
    })
}

/// True if the rule with this number separates two documents, and the later one's frontmatter.
fn boundary_at(bytes: &[u8], marks: &Marks, index: usize) -> Option<(Range<usize>, Front)> {
    let separator = marks.rule(index)?;
    let front = Front::at(marks, index + 1)?;
    let gap = separator.end..front.open.start;
    let apart = !gap.is_empty() && is_blank(part(bytes, gap));
    (apart && is_mapping(part(bytes, front.range()))).then_some((separator, front))
}

/// True if this is a YAML mapping with a key that is an identifier.
fn is_mapping(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n');
    let first = lines.find(|line| !is_blank(line) && !line.trim_ascii_start().starts_with(b"#"));
    // Most of what stands between two rules is prose, and need not be parsed to see that.
    if text.len() > MAX_FRONT || !first.is_some_and(has_key) {
        return false;
    }
    let fields = frontmatter::read(&String::from_utf8_lossy(text)).unwrap_or_default();
    let mut names = fields.iter().map(|(name, _)| name.as_bytes());
    names.any(is_identifier)
}

/// True if a line looks like `key: …`, the key perhaps in quotes.
fn has_key(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let Some(colon) = memchr::memchr(b':', line) else {
        return false;
    };
    let key = part(line, 0..colon).trim_ascii_end();
    let quoted = |quote| key.len() > 2 && key.starts_with(quote) && key.ends_with(quote);
    let after = line.get(colon + 1);
    after.is_none_or(|byte| is_space(*byte))
        && (is_identifier(key) || quoted(b"\"") || quoted(b"'"))
}

fn is_identifier(key: &[u8]) -> bool {
    let is_first = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    key.first().is_some_and(is_first) && key.iter().all(is_letter)
}

/// The lines of a text from the first to the last that is not blank. An empty body stands after
/// the first blank line, where its first line would be written.
fn body_of(bytes: &[u8], text: Range<usize>) -> Range<usize> {
    let inside = part(bytes, text.clone());
    let Some(first) = inside.iter().position(|byte| !is_space(*byte)) else {
        let at = memchr::memchr(b'\n', inside).map_or(inside.len(), |end| end + 1);
        return text.start + at..text.start + at;
    };
    let last = inside.iter().rposition(|byte| !is_space(*byte));
    let last = last.unwrap_or(first);
    let start = memchr::memrchr(b'\n', part(inside, 0..first)).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', part(inside, last..inside.len()))
        .map_or(inside.len(), |end| last + end + 1);
    text.start + start..text.start + end
}

/// The parts of a file that rawko's own loader sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoaderView {
    /// Range it reads as YAML: without the last line end.
    pub front: Range<usize>,
    /// Range it takes for the body: all the rest, later documents included, not yet trimmed.
    pub body: Range<usize>,
}

/// The parts of a file in which the loader finds a memory; else the reason why it finds none.
///
/// It reads `/^---\n([\s\S]*?)\n---\n?([\s\S]*)$/`: line feeds only, from the first byte, up to the
/// first `\n---`, even where that line goes on. A byte order mark stays in the text
/// (`Deno.readTextFile` does not take it off) and so hides the frontmatter.
pub fn loader_reads(bytes: &[u8]) -> Result<LoaderView, &'static str> {
    let rest = bytes.strip_prefix(b"---\n").ok_or_else(|| opening(bytes))?;
    let Some(end) = RULE.find(rest) else {
        return Err(match rest.starts_with(b"---") {
            true => "empty frontmatter",
            false => "the frontmatter is not closed",
        });
    };
    let close = 4 + end + 4;
    let body = close + usize::from(bytes.get(close) == Some(&b'\n'));
    Ok(LoaderView {
        front: 4..4 + end,
        body: body..bytes.len(),
    })
}

/// Why a file does not begin as the loader wants.
fn opening(bytes: &[u8]) -> &'static str {
    let first = |text: &[u8]| memchr::memchr(b'\n', text).unwrap_or(text.len());
    let is_fence = |line: &[u8]| line.trim_ascii_end() == b"---";
    let marked = bytes.strip_prefix(BOM).map(<[u8]>::trim_ascii_start);
    let text = bytes.trim_ascii_start();
    match part(bytes, 0..first(bytes)) {
        _ if bytes.is_empty() => "an empty file",
        _ if marked.is_some_and(|text| text.starts_with(b"---")) => {
            "a byte order mark before the frontmatter"
        }
        b"---" => "the frontmatter is not closed",
        line if is_fence(line) && line.ends_with(b"\r") => "Windows line ends",
        line if is_fence(line) => "spaces after the opening ---",
        _ if text.len() == bytes.len() || !is_fence(part(text, 0..first(text))) => "no frontmatter",
        line if line.trim_ascii().is_empty() => "a blank line before the frontmatter",
        _ => "spaces before the opening ---",
    }
}

/// The bytes of a file as the system's own loader reads them: no byte order mark, no blank lines
/// before the frontmatter, `\n` at the end of every line, fences without blanks behind them.
pub fn normalized(bytes: &[u8]) -> Vec<u8> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let text = text.trim_ascii_start();
    let mut plain = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let content = line.strip_suffix(b"\r\n");
        plain.extend_from_slice(content.unwrap_or(line));
        plain.extend(content.map(|_| b'\n'));
    }
    let first = layout(&plain).documents.into_iter().next();
    let Some(front) = first.and_then(|first| first.front) else {
        return plain;
    };
    // The fences stand on the line before and the line after the frontmatter.
    let after = part(&plain, front.end..plain.len());
    let fence = memchr::memchr(b'\n', after).map_or(after.len(), |newline| newline + 1);
    let has_end = fence < after.len() || after.ends_with(b"\n");
    let end: &[u8] = if has_end { b"---\n" } else { b"---" };
    let rest = part(after, fence..after.len());
    [b"---\n", part(&plain, front), end, rest].concat()
}

enum Mark {
    /// `---`, with the range of the line and its end.
    Rule(Range<usize>),
    /// Three or more backticks or tildes.
    Fence(Fence),
}

struct Fence {
    tick: bool,
    length: usize,
    opens: bool,
    closes: bool,
}

impl Fence {
    const fn closes(&self, opening: &Self) -> bool {
        self.closes && self.tick == opening.tick && self.length >= opening.length
    }
}

#[derive(Default)]
struct Marks {
    marks: Vec<Mark>,
    /// For each mark, the longest closing fence after it: of backticks, of tildes. Tells at once
    /// whether a code fence is ever closed.
    closers: Vec<[usize; 2]>,
}

impl Marks {
    fn new(bytes: &[u8], start: usize) -> Self {
        let mut marks = Vec::new();
        let mut begin = start;
        while begin < bytes.len() {
            let rest = part(bytes, begin..bytes.len());
            let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |end| begin + end + 1);
            if let Some(mark) = mark(part(bytes, begin..end), begin) {
                marks.push(mark);
            }
            begin = end;
        }
        let mut longest = [0, 0];
        let mut closers = Vec::with_capacity(marks.len());
        for mark in marks.iter().rev() {
            closers.push(longest);
            if let Mark::Fence(fence) = mark
                && fence.closes
            {
                let [ticks, tildes] = &mut longest;
                let longest = if fence.tick { ticks } else { tildes };
                *longest = fence.length.max(*longest);
            }
        }
        closers.reverse();
        Self { marks, closers }
    }

    fn rule(&self, index: usize) -> Option<Range<usize>> {
        match self.marks.get(index) {
            Some(Mark::Rule(range)) => Some(range.clone()),
            _ => None,
        }
    }

    fn next_rule(&self, index: usize) -> Option<(usize, Range<usize>)> {
        self.from(index).find_map(|(at, mark)| match mark {
            Mark::Rule(range) => Some((at, range.clone())),
            Mark::Fence(_) => None,
        })
    }

    fn from(&self, index: usize) -> impl Iterator<Item = (usize, &Mark)> {
        self.marks.iter().enumerate().skip(index)
    }

    /// True if a fence opens code that is closed again.
    fn is_closed(&self, index: usize, fence: &Fence) -> bool {
        let [ticks, tildes] = self.closers.get(index).copied().unwrap_or_default();
        fence.opens && fence.length <= if fence.tick { ticks } else { tildes }
    }
}

static RULE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\n---"));

fn mark(line: &[u8], begin: usize) -> Option<Mark> {
    // Nearly every line ends here.
    if !matches!(line.first()?, b'-' | b' ' | b'`' | b'~') {
        return None;
    }
    if let Some(rest) = line.strip_prefix(b"---") {
        let is_rule = rest.trim_ascii().is_empty();
        return is_rule.then(|| Mark::Rule(begin..begin + line.len()));
    }
    let indent = line.iter().take(4).take_while(|b| **b == b' ').count();
    let text = part(line, indent..line.len());
    let byte = *text.first().filter(|b| matches!(b, b'`' | b'~'))?;
    let length = text.iter().take_while(|b| **b == byte).count();
    let info = part(text, length..text.len()).trim_ascii();
    (indent < 4 && length >= 3).then(|| {
        Mark::Fence(Fence {
            tick: byte == b'`',
            length,
            opens: byte == b'~' || !info.contains(&b'`'),
            closes: info.is_empty(),
        })
    })
}

#[cfg(test)]
mod tests;
