//! One pass over a file: what is written in it, and what Ralph takes each line for.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

use super::{Type, part};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Without the line end, as Rust's `str::lines` gives it: a carriage return goes with the
    /// newline behind it.
    pub text: Range<usize>,
    pub end: usize,
}

impl Line {
    pub fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.text.clone()).unwrap_or_default()
    }
}

pub fn lines(bytes: &[u8]) -> impl Iterator<Item = Line> {
    let mut at = 0;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.map(move |line| {
        let start = at;
        at += line.len();
        let bare = line.strip_suffix(b"\n");
        let bare = bare.map_or(line, |bare| bare.strip_suffix(b"\r").unwrap_or(bare));
        Line {
            text: start..start + bare.len(),
            end: at,
        }
    })
}

/// What Ralph's parser does with a line; the first that fits, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule<'a> {
    /// `^## (Patterns|Decisions|Fixes|Context)`: a section begins.
    Section(Type),
    /// `^### (mem-\d+-[0-9a-f]{4})`: an entry begins; its id.
    Id(&'a [u8]),
    /// `^> (.+)$`: a line of content.
    Content(&'a [u8]),
    /// `<!-- tags: ([^|]*) \| created: (\d{4}-\d{2}-\d{2}) -->` anywhere: tags and date.
    Metadata(&'a [u8], &'a [u8]),
    Ignored,
}

pub fn rule(line: &[u8]) -> Rule<'_> {
    if let Some(kind) = section(line) {
        return Rule::Section(kind);
    }
    if let Some(id) = id(line) {
        return Rule::Id(id);
    }
    match line.strip_prefix(b"> ") {
        Some(text) if !text.is_empty() => Rule::Content(text),
        _ => metadata_in(line).map_or(Rule::Ignored, |(tags, date)| Rule::Metadata(tags, date)),
    }
}

pub fn section(line: &[u8]) -> Option<Type> {
    let name = line.strip_prefix(b"## ")?;
    let of = |kind: &Type| name.starts_with(kind.section().as_bytes());
    Type::ALL.into_iter().find(of)
}

type Pattern = LazyLock<Option<Regex>>;

static ID: Pattern = LazyLock::new(|| Regex::new(r"^### (mem-\d+-[0-9a-f]{4})").ok());

/// One blank at each place, no `|` in the tags.
static METADATA: Pattern = LazyLock::new(|| {
    let pattern = r"<!-- tags: ((?-u:[^|])*) \| created: (\d{4}-\d{2}-\d{2}) -->";
    Regex::new(pattern).ok()
});

/// The id in a heading, as Ralph reads it: what comes behind four hexadecimal digits is dropped.
pub fn id(line: &[u8]) -> Option<&[u8]> {
    let found = ID.as_ref()?.captures(line)?;
    found.get(1).map(|id| id.as_bytes())
}

fn metadata_in(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let found = METADATA.as_ref()?.captures(line)?;
    Some((found.get(1)?.as_bytes(), found.get(2)?.as_bytes()))
}

/// The text behind the mark of a quoted line: one blank behind `>` belongs to the mark.
pub fn quoted(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b">")?;
    Some(rest.strip_prefix(b" ").unwrap_or(rest))
}

/// True if a line is a heading of the first three levels: what follows it belongs to nobody
/// above it.
pub fn is_heading(line: &[u8]) -> bool {
    let marks = line.iter().take_while(|byte| **byte == b'#').count();
    let next = line.get(marks);
    (1..=3).contains(&marks) && next.is_none_or(|byte| matches!(byte, b' ' | b'\t'))
}

/// True if a line is meant as metadata though Ralph may not read it as that.
fn is_like_metadata(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    let Some(inner) = text.strip_prefix(b"<!--") else {
        return false;
    };
    let has = |word: &[u8]| memmem::find(inner, word).is_some();
    has(b"tags:") || has(b"created:")
}

/// Tags and date of an entry, where they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The whole line, without its end.
    pub line: Range<usize>,
    /// The tags and the date, where Ralph reads them.
    pub parts: Option<(Range<usize>, Range<usize>)>,
}

/// Something that Ralph adds to an entry from elsewhere in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The first line it stands on, from 1.
    pub line: u32,
    /// The number of lines.
    pub count: u32,
}

/// What Ralph's parser makes of an entry whose heading it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// True if it is kept: an entry without a line of content is dropped.
    pub kept: bool,
    /// The tags and the date it gets; none: no tags, and the date of the day.
    pub metadata: Option<(Range<usize>, Range<usize>)>,
    /// The line they stand on, where that is not of the entry itself, and whether they were left
    /// over from what stands above.
    pub foreign: Option<(u32, bool)>,
    /// Content from below other headings.
    pub stray: Option<Stray>,
    /// Quoted lines without text, which are dropped.
    pub blank: u32,
    /// Quoted lines without a blank behind `>`, which are dropped with their text: the first.
    pub tight: Option<Stray>,
}

/// An entry as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// From its heading to the end of its last line of its own, line end included.
    pub span: Range<usize>,
    /// The line of its heading, from 1.
    pub line: u32,
    /// Its heading, without the line end.
    pub heading: Range<usize>,
    /// Its id: as Ralph reads it, else the first word of a heading that it does not read.
    pub id: Range<usize>,
    /// The type that Ralph takes it for: that of the last section it knows.
    pub kind: Type,
    /// The last second-level heading above it, without the line end; none before the first.
    pub section: Option<Range<usize>>,
    /// From its first quoted line to its last, without the last line end.
    pub body: Range<usize>,
    /// Its tags and date: the last line of it that Ralph reads as such, else the last that is
    /// meant so.
    pub metadata: Option<Metadata>,
    /// What Ralph makes of it; none where its heading is no id for Ralph.
    pub seen: Option<Seen>,
}

impl Entry {
    /// Its id.
    pub fn id<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        part(bytes, &self.id)
    }

    /// True if Ralph drops something behind the id of its heading.
    pub const fn has_tail(&self) -> bool {
        self.seen.is_some() && self.id.end != self.heading.end
    }
}

/// A file as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Its entries.
    pub entries: Vec<Entry>,
    /// The headings that begin a section for Ralph: the type, and where the next line begins.
    pub sections: Vec<(Type, Range<usize>)>,
    /// True if most line ends are those of Windows.
    pub crlf: bool,
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Layout {
    let mut scan = Scan {
        bytes,
        ..Scan::default()
    };
    let mut windows = 0_i64;
    for (number, line) in (1..).zip(lines(bytes)) {
        windows += if line.end - line.text.end == 2 { 1 } else { -1 };
        scan.take(number, &line);
    }
    scan.flush();
    scan.layout.crlf = windows > 0;
    scan.layout
}

/// Metadata that Ralph has read and not given to an entry yet.
struct Pending {
    parts: (Range<usize>, Range<usize>),
    line: u32,
    /// The entry, as it is written, that the line belongs to.
    owner: Option<usize>,
    /// True if an entry began since.
    old: bool,
}

#[derive(Default)]
struct Scan<'a> {
    bytes: &'a [u8],
    layout: Layout,
    /// The heading above, whatever it says.
    section: Option<Range<usize>>,
    /// The entry that lines belong to as they are written.
    open: Option<usize>,
    /// The entry that Ralph adds lines to.
    current: Option<usize>,
    kind: Type,
    /// True if Ralph has read content for its entry.
    has_content: bool,
    pending: Option<Pending>,
}

impl Scan<'_> {
    fn take(&mut self, number: u32, line: &Line) {
        let bytes = self.bytes;
        let text = line.of(bytes);
        match rule(text) {
            Rule::Section(kind) => {
                self.flush();
                (self.kind, self.open) = (kind, None);
                self.section = Some(line.text.clone());
                let section = (kind, line.text.start..line.end);
                self.layout.sections.push(section);
            }
            Rule::Id(id) => {
                self.flush();
                self.begin(number, line, id.len(), Some(Seen::default()));
                self.current = self.open;
                if let Some(pending) = &mut self.pending {
                    pending.old = true;
                }
            }
            Rule::Content(_) => {
                self.has_content = true;
                if self.open != self.current
                    && let Some(seen) = self.seen(self.current)
                {
                    count(&mut seen.stray, number);
                }
                self.quoted(line);
            }
            Rule::Metadata(tags, created) => {
                let place = |part: &[u8]| {
                    let start = part.as_ptr() as usize - bytes.as_ptr() as usize;
                    start..start + part.len()
                };
                let parts = (place(tags), place(created));
                self.metadata(line, Some(parts.clone()));
                self.pending = Some(Pending {
                    parts,
                    line: number,
                    owner: self.open,
                    old: false,
                });
            }
            Rule::Ignored => self.ignored(number, line, text),
        }
    }

    fn ignored(&mut self, number: u32, line: &Line, text: &[u8]) {
        let heading = text.strip_prefix(b"### ");
        if let Some(rest) = heading.filter(|rest| rest.starts_with(b"mem-")) {
            let id = rest.split(u8::is_ascii_whitespace).next();
            self.begin(number, line, id.map_or(0, <[u8]>::len), None);
        } else if is_heading(text) {
            self.open = None;
            if text.starts_with(b"## ") {
                self.section = Some(line.text.clone());
            }
        } else if let Some(quoted) = quoted(text) {
            match self.seen(self.open) {
                Some(seen) if quoted.is_empty() => seen.blank += 1,
                Some(seen) => count(&mut seen.tight, number),
                None => {}
            }
            self.quoted(line);
        } else if is_like_metadata(text) {
            self.metadata(line, None);
        }
    }

    fn begin(&mut self, number: u32, line: &Line, id: usize, seen: Option<Seen>) {
        let start = line.text.start + b"### ".len();
        self.open = Some(self.layout.entries.len());
        self.layout.entries.push(Entry {
            span: line.text.start..line.end,
            line: number,
            heading: line.text.clone(),
            id: start..start + id,
            kind: self.kind,
            section: self.section.clone(),
            body: line.end..line.end,
            metadata: None,
            seen,
        });
    }

    /// Ralph ends the entry it is at.
    fn flush(&mut self) {
        let index = self.current.take();
        let has_content = std::mem::take(&mut self.has_content);
        if !has_content || index.is_none() {
            return;
        }
        let pending = self.pending.take();
        let Some(seen) = self.seen(index) else {
            return;
        };
        seen.kept = true;
        if let Some(pending) = pending {
            let is_own = pending.owner == index;
            seen.foreign = (!is_own).then_some((pending.line, pending.old));
            seen.metadata = Some(pending.parts);
        }
    }

    fn entry(&mut self, index: Option<usize>) -> Option<&mut Entry> {
        self.layout.entries.get_mut(index?)
    }

    fn seen(&mut self, index: Option<usize>) -> Option<&mut Seen> {
        self.entry(index)?.seen.as_mut()
    }

    /// A quoted line belongs to the entry it stands in.
    fn quoted(&mut self, line: &Line) {
        if let Some(entry) = self.entry(self.open) {
            if entry.body.is_empty() {
                entry.body = line.text.clone();
            }
            entry.body.end = line.text.end;
            entry.span.end = line.end;
        }
    }

    fn metadata(&mut self, line: &Line, parts: Option<(Range<usize>, Range<usize>)>) {
        let Some(entry) = self.entry(self.open) else {
            return;
        };
        entry.span.end = line.end;
        let known = entry.metadata.as_ref();
        if parts.is_some() || known.is_none_or(|known| known.parts.is_none()) {
            entry.metadata = Some(Metadata {
                line: line.text.clone(),
                parts,
            });
        }
    }
}

fn count(stray: &mut Option<Stray>, line: u32) {
    stray.get_or_insert(Stray { line, count: 0 }).count += 1;
}
