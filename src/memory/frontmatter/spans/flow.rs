//! Lists in brackets.

use super::{Item, Kind, Node, Scan};

impl Scan<'_> {
    /// White space, line ends and comments inside brackets.
    fn skip_gap(&self, mut at: usize) -> usize {
        loop {
            match self.byte(at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'#') if self.is_break(at.saturating_sub(1)) => at = self.line_end(at),
                _ => return at,
            }
        }
    }

    pub(super) fn flow(&self, open: usize) -> Option<Node> {
        let mut items = Vec::new();
        let mut at = self.skip_gap(open + 1);
        while self.byte(at)? != b']' {
            let node = self.flow_item(at)?;
            at = self.skip_gap(node.range.end);
            let lines = node.range.clone();
            items.push(Item { node, lines });
            match self.byte(at)? {
                b',' => at = self.skip_gap(at + 1),
                b']' => {}
                _ => return None,
            }
        }
        Some(Node::new(open..at + 1, Kind::Flow(items)))
    }

    fn flow_item(&self, at: usize) -> Option<Node> {
        let (end, kind) = match self.byte(at)? {
            b'"' => (self.quoted(at)?, Kind::Double),
            b'\'' => (self.quoted(at)?, Kind::Single),
            b'[' | b'{' => (self.matched(at)?, Kind::Other),
            b'&' | b'*' | b'!' => (self.flow_plain(at), Kind::Special),
            b',' | b'?' => return None,
            _ => {
                let end = self.flow_plain(at);
                let text = self.0.get(at..end)?;
                // `[a: b]` is a list of mappings.
                let pair = memchr::memchr_iter(b':', text).any(|c| self.is_break(at + c + 1));
                (end, if pair { Kind::Other } else { Kind::Plain })
            }
        };
        (end > at).then(|| Node::new(at..end, kind))
    }

    fn flow_plain(&self, at: usize) -> usize {
        let mut end = at;
        let mut last = at;
        while let Some(byte) = self.byte(end) {
            match byte {
                b',' | b'[' | b']' | b'{' | b'}' => break,
                b'#' if end > at && self.is_break(end - 1) => break,
                b' ' | b'\t' | b'\r' | b'\n' => {}
                _ => last = end + 1,
            }
            end += 1;
        }
        last
    }

    /// The end of what a bracket opens.
    pub(super) fn matched(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut at = open;
        let mut fresh = true;
        loop {
            match self.byte(at)? {
                b'"' | b'\'' if fresh => {
                    at = self.quoted(at)?;
                    fresh = false;
                    continue;
                }
                b'#' if self.is_break(at.saturating_sub(1)) => {
                    at = self.line_end(at);
                    continue;
                }
                b'[' | b'{' => {
                    depth += 1;
                    fresh = true;
                }
                b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                    fresh = false;
                }
                b',' | b':' => fresh = true,
                b' ' | b'\t' | b'\r' | b'\n' => {}
                _ => fresh = false,
            }
            at += 1;
        }
    }
}
