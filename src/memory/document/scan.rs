//! The few lines of a file that can divide it: rules `---` and code fences.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::part;

/// A line that matters.
pub(super) enum Mark {
    /// `---`, with the range of the line and its end.
    Rule(Range<usize>),
    /// Three or more backticks or tildes.
    Fence(Fence),
}

/// A code fence.
pub(super) struct Fence {
    tick: bool,
    length: usize,
    opens: bool,
    closes: bool,
}

impl Fence {
    /// True if it ends the code that `opening` began.
    pub(super) const fn closes(&self, opening: &Self) -> bool {
        self.closes && self.tick == opening.tick && self.length >= opening.length
    }
}

/// All of them, in order.
#[derive(Default)]
pub(super) struct Marks {
    marks: Vec<Mark>,
    /// For each mark, the longest closing fence after it: of backticks, of tildes. Tells at once
    /// whether a code fence is ever closed.
    closers: Vec<[usize; 2]>,
}

impl Marks {
    /// Those of a file.
    pub(super) fn new(bytes: &[u8], start: usize) -> Self {
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

    /// The rule with this number.
    pub(super) fn rule(&self, index: usize) -> Option<Range<usize>> {
        match self.marks.get(index) {
            Some(Mark::Rule(range)) => Some(range.clone()),
            _ => None,
        }
    }

    /// The first rule at or after a number.
    pub(super) fn next_rule(&self, index: usize) -> Option<(usize, Range<usize>)> {
        self.from(index).find_map(|(at, mark)| match mark {
            Mark::Rule(range) => Some((at, range.clone())),
            Mark::Fence(_) => None,
        })
    }

    /// The marks from a number on.
    pub(super) fn from(&self, index: usize) -> impl Iterator<Item = (usize, &Mark)> {
        self.marks.iter().enumerate().skip(index)
    }

    /// True if a fence opens code that is closed again.
    pub(super) fn is_closed(&self, index: usize, fence: &Fence) -> bool {
        let [ticks, tildes] = self.closers.get(index).copied().unwrap_or_default();
        fence.opens && fence.length <= if fence.tick { ticks } else { tildes }
    }
}

/// Finder of lines that begin like a rule.
pub(super) static RULE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\n---"));

/// The mark of a line.
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
