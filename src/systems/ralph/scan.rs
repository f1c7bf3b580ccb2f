//! One pass over a file: what is written in it, and what Ralph takes it for.

use std::ops::Range;

use super::Type;
use super::line::{self, Line, Rule};

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
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The last second-level heading above it, without the line end, and the line; none before the first.
    pub section: Option<(Range<usize>, u32)>,
    /// From its first quoted line to its last, without the last line end.
    pub body: Range<usize>,
    /// The lines of its body that are quoted.
    pub quoted: u32,
    /// Its tags and date: the last line of it that Ralph reads as such, else the last that is
    /// meant so.
    pub metadata: Option<Metadata>,
    /// What Ralph makes of it; none where its heading is no id for Ralph.
    pub seen: Option<Seen>,
}

impl Entry {
    /// Its id.
    pub fn id<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.id.clone()).unwrap_or_default()
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
    /// Bytes of a usual entry, so that room for all is made once.
    const USUAL: usize = 160;
    let mut scan = Scan {
        bytes,
        ..Scan::default()
    };
    scan.layout.entries.reserve(bytes.len() / USUAL);
    for (number, line) in (1..).zip(line::lines(bytes)) {
        scan.take(number, &line);
    }
    scan.flush();
    let (lines, crlf) = (scan.lines, scan.crlf);
    scan.layout.crlf = crlf > 0 && crlf * 2 > lines;
    scan.layout
}

/// Metadata that Ralph has read and not given to an entry yet.
#[derive(Clone, Debug)]
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
    lines: usize,
    crlf: usize,
    /// The heading above, whatever it says.
    section: Option<(Range<usize>, u32)>,
    /// The entry that lines belong to as they are written.
    open: Option<usize>,
    /// The entry that Ralph adds lines to.
    current: Option<usize>,
    kind: Type,
    content: u32,
    pending: Option<Pending>,
}

impl Scan<'_> {
    fn take(&mut self, number: u32, line: &Line) {
        self.lines += 1;
        self.crlf += usize::from(line.end - line.text.end == 2);
        let bytes = self.bytes;
        let text = line.of(bytes);
        match line::rule(text) {
            Rule::Section(kind) => {
                self.flush();
                self.kind = kind;
                self.open = None;
                self.section = Some((line.text.clone(), number));
                let section = (kind, line.text.start..line.end);
                self.layout.sections.push(section);
            }
            Rule::Id(id) => {
                self.flush();
                self.begin(number, line, id.len(), true);
            }
            Rule::Content(_) => {
                self.content += 1;
                if let Some(current) = self.current
                    && self.open != self.current
                {
                    self.stray(current, number);
                }
                self.quoted(line);
            }
            Rule::Metadata(tags, created) => {
                let parts = (self.place(tags), self.place(created));
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
        if text.starts_with(b"### mem-") {
            let rest = text.get(b"### ".len()..).unwrap_or_default();
            let id = rest.split(u8::is_ascii_whitespace).next();
            self.begin(number, line, id.map_or(0, <[u8]>::len), false);
        } else if line::is_heading(text) {
            self.open = None;
            if text.starts_with(b"## ") {
                self.section = Some((line.text.clone(), number));
            }
        } else if text.first() == Some(&b'>') {
            self.unread(number, line::quoted(text).unwrap_or_default());
            self.quoted(line);
        } else if line::is_like_metadata(text) {
            self.metadata(line, None);
        }
    }

    /// An entry begins.
    fn begin(&mut self, number: u32, line: &Line, id: usize, is_read: bool) {
        let start = line.text.start + b"### ".len();
        let index = self.layout.entries.len();
        let seen = Seen {
            kept: false,
            metadata: None,
            foreign: None,
            stray: None,
            blank: 0,
            tight: None,
        };
        self.layout.entries.push(Entry {
            span: line.text.start..line.end,
            line: number,
            heading: line.text.clone(),
            id: start..start + id,
            kind: self.kind,
            section: self.section.clone(),
            body: line.end..line.end,
            quoted: 0,
            metadata: None,
            seen: is_read.then_some(seen),
        });
        self.open = Some(index);
        if is_read {
            self.current = Some(index);
            if let Some(pending) = &mut self.pending {
                pending.old = true;
            }
        }
    }

    /// Ralph ends the entry it is at.
    fn flush(&mut self) {
        let kept = self.content > 0;
        self.content = 0;
        let Some(index) = self.current.take() else {
            return;
        };
        if !kept {
            return;
        }
        let pending = self.pending.take();
        let entry = self.layout.entries.get_mut(index);
        let Some(seen) = entry.and_then(|entry| entry.seen.as_mut()) else {
            return;
        };
        seen.kept = true;
        if let Some(pending) = pending {
            if pending.owner != Some(index) {
                seen.foreign = Some((pending.line, pending.old));
            }
            seen.metadata = Some(pending.parts);
        }
    }

    fn open_entry(&mut self) -> Option<&mut Entry> {
        let index = self.open?;
        self.layout.entries.get_mut(index)
    }

    /// A quoted line belongs to the entry it stands in.
    fn quoted(&mut self, line: &Line) {
        let Some(entry) = self.open_entry() else {
            return;
        };
        if entry.quoted == 0 {
            entry.body = line.text.clone();
        }
        entry.quoted += 1;
        entry.body.end = line.text.end;
        entry.span.end = line.end;
    }

    /// A quoted line that Ralph does not read.
    fn unread(&mut self, number: u32, text: &[u8]) {
        let entry = self.open_entry();
        let Some(seen) = entry.and_then(|entry| entry.seen.as_mut()) else {
            return;
        };
        if text.is_empty() {
            seen.blank += 1;
        } else {
            count(&mut seen.tight, number);
        }
    }

    /// A line of content goes to another entry than the one it stands in.
    fn stray(&mut self, to: usize, number: u32) {
        let entry = self.layout.entries.get_mut(to);
        if let Some(seen) = entry.and_then(|entry| entry.seen.as_mut()) {
            count(&mut seen.stray, number);
        }
    }

    fn metadata(&mut self, line: &Line, parts: Option<(Range<usize>, Range<usize>)>) {
        let Some(entry) = self.open_entry() else {
            return;
        };
        entry.span.end = line.end;
        let has_read = entry
            .metadata
            .as_ref()
            .is_some_and(|metadata| metadata.parts.is_some());
        if parts.is_some() || !has_read {
            entry.metadata = Some(Metadata {
                line: line.text.clone(),
                parts,
            });
        }
    }

    /// Range of a part of the file in it.
    fn place(&self, part: &[u8]) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize);
        start..start + part.len()
    }
}

fn count(stray: &mut Option<Stray>, line: u32) {
    match stray {
        Some(stray) => stray.count += 1,
        None => *stray = Some(Stray { line, count: 1 }),
    }
}
