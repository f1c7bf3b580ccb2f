//! Lists and mappings in brackets.

use std::ops::Range;

use super::{Item, Kind, Node, Scan};

impl Scan<'_> {
    /// A list in brackets.
    pub(super) fn flow(&self, open: usize) -> Option<Node> {
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
    pub(super) fn bracket(&self, open: usize) -> Option<(usize, Vec<Range<usize>>)> {
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
