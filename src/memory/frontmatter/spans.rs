//! The scanner of frontmatter: the entries of a block mapping with the bytes of their keys and values,
//! which the YAML reader does not give.
//!
//! It is made for text that the reader of record accepts, and says nothing where it is not sure
//! of the structure. Whoever changes bytes by it reads the result again.

use std::ops::Range;

use super::yaml;

#[derive(Debug)]
pub(crate) struct Entry {
    /// The key as the reader names it.
    pub(crate) key: String,
    pub(crate) start: usize,
    pub(crate) indent: usize,
    /// The byte after its colon.
    pub(crate) colon: usize,
    pub(crate) node: Node,
    /// The beginning of the line after its last one.
    pub(crate) end: usize,
}

#[derive(Debug)]
pub(crate) struct Node {
    /// Its bytes, without comments beside it.
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
}

impl Node {
    const fn new(range: Range<usize>, kind: Kind) -> Self {
        Self { range, kind }
    }

    pub(crate) fn items(&self) -> &[Item] {
        match &self.kind {
            Kind::Flow(items) | Kind::Lines(items) => items,
            _ => &[],
        }
    }
}

#[derive(Debug)]
pub(crate) enum Kind {
    Empty,
    Plain,
    Single,
    Double,
    /// A block scalar: where its header ends (`|`, `>-` …).
    Block(usize),
    Flow(Vec<Item>),
    /// A list of lines with dashes.
    Lines(Vec<Item>),
    /// A mapping, or a list inside a list.
    Other,
    /// With an anchor or a tag, or an alias.
    Special,
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) node: Node,
    /// In a list of lines: from the beginning of the line with its dash to the line after its
    /// last one. In brackets: its value.
    pub(crate) lines: Range<usize>,
}

/// The top level of a mapping, or nothing where it is not written in block style or not
/// understood.
pub(crate) fn entries(text: &str) -> Option<Vec<Entry>> {
    let scan = Scan(text.as_bytes());
    let mut entries: Vec<Entry> = Vec::new();
    let mut start = scan.content_line(0);
    while start < text.len() {
        let indent = scan.indent(start);
        if entries.first().is_some_and(|first| first.indent != indent) {
            return None;
        }
        let (key, colon) = scan.key(start + indent)?;
        let node = scan.value(colon, indent, true)?;
        let end = scan.after(node.range.end)?;
        let raw = text.get(key)?;
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let is_name = raw.bytes().all(is_of_name) && !raw.starts_with('-');
        let key = match is_name {
            true => raw.to_owned(),
            false => {
                let read = yaml::read(&format!("{raw}: x")).ok()?;
                read.iter().next()?.0.to_owned()
            }
        };
        entries.push(Entry {
            key,
            start,
            indent,
            colon,
            node,
            end,
        });
        start = scan.content_line(end);
    }
    Some(entries)
}

pub(crate) struct Scan<'a>(pub(crate) &'a [u8]);

impl Scan<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn rest(&self, at: usize) -> &[u8] {
        self.0.get(at..).unwrap_or_default()
    }

    /// The end of the line, without its line end.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let end = memchr::memchr(b'\n', self.rest(at)).map_or(self.0.len(), |end| at + end);
        let is_crlf = end > at && self.byte(end - 1) == Some(b'\r') && end < self.0.len();
        end - usize::from(is_crlf)
    }

    pub(crate) fn next_line(&self, at: usize) -> usize {
        memchr::memchr(b'\n', self.rest(at)).map_or(self.0.len(), |end| at + end + 1)
    }

    fn indent(&self, start: usize) -> usize {
        self.rest(start).iter().take_while(|b| **b == b' ').count()
    }

    fn skip_spaces(&self, at: usize) -> usize {
        let space = |b: &&u8| matches!(**b, b' ' | b'\t');
        at + self.rest(at).iter().take_while(space).count()
    }

    /// The first line from here on that is neither blank nor a comment.
    fn content_line(&self, mut start: usize) -> usize {
        while start < self.0.len() {
            let at = self.skip_spaces(start);
            if at < self.line_end(start) && self.byte(at) != Some(b'#') {
                return start;
            }
            start = self.next_line(start);
        }
        self.0.len()
    }

    /// The beginning of the next line, where nothing but a comment follows a value.
    fn after(&self, end: usize) -> Option<usize> {
        let at = self.skip_spaces(end);
        let comment = self.byte(at) == Some(b'#') && (at > end || end == 0);
        (at >= self.line_end(end) || comment).then(|| self.next_line(end))
    }

    fn is_break(&self, at: usize) -> bool {
        self.byte(at)
            .is_none_or(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
    }

    /// A key's range and the byte after its colon.
    fn key(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let end = match self.byte(at)? {
            b'"' | b'\'' => self.quoted(at)?,
            b'?' | b'-' if self.is_break(at + 1) => return None,
            b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`'
            | b',' | b'#' => return None,
            _ => {
                let line = self.0.get(at..self.line_end(at))?;
                let colon = memchr::memchr_iter(b':', line).find(|c| self.is_break(at + c + 1))?;
                let key = line.get(..colon)?;
                at + key.trim_ascii_end().len()
            }
        };
        let colon = self.skip_spaces(end);
        (self.byte(colon)? == b':' && self.is_break(colon + 1)).then_some((at..end, colon + 1))
    }

    /// The end of a quoted scalar, which may go over several lines.
    fn quoted(&self, at: usize) -> Option<usize> {
        let quote = self.byte(at)?;
        let mut end = at + 1;
        loop {
            match self.byte(end)? {
                b'\\' if quote == b'"' => end += 2,
                b'\'' if quote == b'\'' && self.byte(end + 1) == Some(quote) => end += 2,
                byte if byte == quote => return Some(end + 1),
                _ => end += 1,
            }
        }
    }

    /// The value after a colon, or (`in_map` not set) after a dash, of an entry that is indented
    /// by `parent`.
    fn value(&self, after: usize, parent: usize, in_map: bool) -> Option<Node> {
        let at = self.skip_spaces(after);
        let comment = at > after && self.byte(at) == Some(b'#');
        if at < self.line_end(after) && !comment {
            return self.node(at, parent, in_map);
        }
        let start = self.content_line(self.next_line(after));
        let indent = self.indent(start);
        let at = start + indent;
        let dash = self.byte(at) == Some(b'-') && self.is_break(at + 1);
        if start >= self.0.len() || indent + usize::from(dash && in_map) <= parent {
            return Some(Node::new(after..after, Kind::Empty));
        }
        if dash && in_map {
            self.lines(start, indent)
        } else {
            self.node(at, parent, false)
        }
    }

    fn node(&self, at: usize, parent: usize, in_map: bool) -> Option<Node> {
        let node = |end, kind| Some(Node::new(at..end, kind));
        // Below its key, or after a dash, a value may be a mapping.
        let nested = !in_map && (self.key(at).is_some() || self.byte(at) == Some(b'?'));
        match self.byte(at)? {
            _ if nested => node(self.extent(at, parent, in_map), Kind::Other),
            b'"' => node(self.quoted(at)?, Kind::Double),
            b'\'' => node(self.quoted(at)?, Kind::Single),
            b'[' => self.flow(at),
            b'{' => node(self.bracket(at)?.0, Kind::Other),
            b'|' | b'>' => self.block(at, parent),
            b'&' | b'*' | b'!' => node(self.extent(at, parent, in_map), Kind::Special),
            b'-' if self.is_break(at + 1) => node(self.extent(at, parent, in_map), Kind::Other),
            b'%' | b'@' | b'`' | b']' | b'}' | b',' | b'#' => None,
            _ => self.plain(at, parent),
        }
    }

    /// The end of everything that is indented more than `parent`, or (`in_map`) is a dash below its
    /// key.
    fn extent(&self, at: usize, parent: usize, in_map: bool) -> usize {
        let mut end = self.line_end(at);
        loop {
            let start = self.content_line(self.next_line(end));
            let indent = self.indent(start);
            let first = self.byte(start + indent);
            let dash = in_map && indent == parent && first == Some(b'-');
            if first.is_none() || (indent <= parent && !dash) {
                return end;
            }
            end = self.line_end(start);
        }
    }

    fn plain(&self, at: usize, parent: usize) -> Option<Node> {
        let mut start = at;
        let mut end = at;
        loop {
            let line = self.0.get(start..self.line_end(start))?;
            let is_blank = |at: usize| line.get(at).is_none_or(|b| matches!(b, b' ' | b'\t'));
            let is_comment = |at: &usize| *at > 0 && is_blank(*at - 1);
            let comment = memchr::memchr_iter(b'#', line).find(is_comment);
            let text = line.get(..comment.unwrap_or(line.len()))?.trim_ascii_end();
            let ends_key = |at: usize| at + 1 == text.len() || is_blank(at + 1);
            if memchr::memchr_iter(b':', text).any(ends_key) {
                return None;
            }
            end = end.max(start + text.len());
            let mut next = self.next_line(start);
            // Blank lines go on, comments do not.
            while next < self.0.len() && self.skip_spaces(next) == self.line_end(next) {
                next = self.next_line(next);
            }
            let indent = self.indent(next);
            let more =
                next < self.0.len() && indent > parent && self.byte(next + indent) != Some(b'#');
            if comment.is_some() || !more {
                return Some(Node::new(at..end, Kind::Plain));
            }
            start = next + indent;
        }
    }

    fn block(&self, at: usize, parent: usize) -> Option<Node> {
        let signs = |b: &&u8| matches!(**b, b'+' | b'-' | b'0'..=b'9');
        let head = at + 1 + self.rest(at + 1).iter().take_while(signs).count();
        let keep = self.0.get(at..head)?.contains(&b'+');
        let mut end = head;
        let mut start = self.after(head)?;
        while start < self.0.len() {
            let blank = self.skip_spaces(start) >= self.line_end(start);
            if !blank && self.indent(start) <= parent {
                break;
            }
            if !blank || keep {
                end = self.line_end(start);
            }
            start = self.next_line(start);
        }
        Some(Node::new(at..end, Kind::Block(head)))
    }

    /// A list of lines with dashes, the first on this line.
    fn lines(&self, mut start: usize, indent: usize) -> Option<Node> {
        let first = start + indent;
        let mut items: Vec<Item> = Vec::new();
        loop {
            let at = start + indent;
            let dash = self.byte(at) == Some(b'-') && self.is_break(at + 1);
            if start >= self.0.len() || self.indent(start) != indent || !dash {
                break;
            }
            let node = self.value(at + 1, indent, false)?;
            let end = self.after(node.range.end)?;
            items.push(Item {
                node,
                lines: start..end,
            });
            start = self.content_line(end);
        }
        let end = items.last()?.node.range.end;
        Some(Node::new(first..end, Kind::Lines(items)))
    }

    fn flow(&self, open: usize) -> Option<Node> {
        let (end, items) = self.bracket(open)?;
        let item = |range: Range<usize>| {
            let lines = range.clone();
            let kind = self.flow_kind(&range)?;
            let node = Node::new(range, kind);
            Some(Item { node, lines })
        };
        let items: Option<Vec<Item>> = items.into_iter().map(item).collect();
        Some(Node::new(open..end, Kind::Flow(items?)))
    }

    fn flow_kind(&self, range: &Range<usize>) -> Option<Kind> {
        let is_quoted = || self.quoted(range.start) == Some(range.end);
        match self.byte(range.start)? {
            b'"' => is_quoted().then_some(Kind::Double),
            b'\'' => is_quoted().then_some(Kind::Single),
            b'[' | b'{' => Some(Kind::Other),
            b'&' | b'*' | b'!' => Some(Kind::Special),
            b'?' => None,
            _ => {
                let text = self.0.get(range.clone())?;
                // `[a: b]` is a list of mappings.
                let ends_key = |colon| self.is_break(range.start + colon + 1);
                let is_pair = memchr::memchr_iter(b':', text).any(ends_key);
                Some(if is_pair { Kind::Other } else { Kind::Plain })
            }
        }
    }

    /// The end of what a bracket opens, and what stands between the commas in it.
    fn bracket(&self, open: usize) -> Option<(usize, Vec<Range<usize>>)> {
        let (mut depth, mut at, mut is_fresh) = (0_usize, open, true);
        let (mut items, mut item) = (Vec::new(), None);
        loop {
            let start = at;
            at += 1;
            match self.byte(start)? {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b'#' if self.is_break(start.saturating_sub(1)) => {
                    at = self.line_end(start);
                    continue;
                }
                b',' if depth == 1 => {
                    items.push(item.take()?);
                    is_fresh = true;
                    continue;
                }
                b'"' | b'\'' if is_fresh => {
                    at = self.quoted(start)?;
                    is_fresh = false;
                }
                b'[' | b'{' => {
                    depth += 1;
                    is_fresh = true;
                    if depth == 1 {
                        continue;
                    }
                }
                b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    is_fresh = false;
                    if depth == 0 {
                        items.extend(item);
                        return Some((at, items));
                    }
                }
                byte => is_fresh = matches!(byte, b',' | b':'),
            }
            item.get_or_insert(start..at).end = at;
        }
    }
}
