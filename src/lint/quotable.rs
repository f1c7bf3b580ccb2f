//! Finds quotes in texts.

use std::ops::Range;

use super::chars::oddity;
use crate::text::tokens::tokens;

/// The characters of a text that count when a quote is compared with it, each with its place: not
/// blanks, quotation marks and marks of Markdown, and in one case.
fn telling(text: &str) -> impl Iterator<Item = (usize, char)> {
    let is_mark = |c: char| "\"'`´“”„‘’‚«»‹›*_".contains(c);
    let all = text.char_indices();
    let all = all.filter(move |(_, c)| !c.is_whitespace() && !is_mark(*c) && oddity(*c).is_none());
    all.map(|(at, c)| match c {
        '‐'..='―' | '−' => (at, '-'),
        _ => (at, c.to_lowercase().next().unwrap_or(c)),
    })
}

/// The least that a quote needs to show something: so many words, or so many characters.
const SHORTEST: (usize, usize) = (3, 12);

/// Signs at the end of a quote that need not stand in the text.
const STOPS: [char; 7] = ['.', ',', ';', ':', '!', '[', '('];

/// A text in which quotes are looked up.
pub struct Quotable<'t> {
    text: &'t str,
    plain: String,
    /// The place in the text of each byte of `plain`.
    places: Vec<usize>,
}

impl<'t> Quotable<'t> {
    /// Prepares a text.
    pub fn new(text: &'t str) -> Self {
        let (mut plain, mut places) = (String::with_capacity(text.len()), Vec::new());
        for (at, c) in telling(text) {
            plain.push(c);
            places.extend(std::iter::repeat_n(at, c.len_utf8()));
        }
        Self {
            text,
            plain,
            places,
        }
    }

    /// Finds a quote; of one with an ellipsis all parts, of which the longest is given. One of less
    /// than a few words counts only where it is all of the text.
    pub fn find(&self, quoted: &str) -> Option<Range<usize>> {
        let (mut from, mut best) = (0, 0..0);
        for part in quoted.replace("...", "…").split('…') {
            let part: String = telling(part).map(|(_, c)| c).collect();
            let part = part.trim_start_matches([']', ')']).trim_end_matches(STOPS);
            if part.contains(char::is_alphanumeric) {
                let at = from + self.plain.get(from..)?.find(part)?;
                from = at + part.len();
                best = [best, at..from].into_iter().max_by_key(Range::len)?;
            }
        }
        let last = *self.places.get(best.end.checked_sub(1)?)?;
        let width = self.text.get(last..)?.chars().next()?.len_utf8();
        let found = *self.places.get(best.start)?..last + width;
        let (words, characters) = SHORTEST;
        let is_short = self.plain.get(best.clone())?.chars().count() < characters
            && tokens(self.text.get(found.clone())?).len() < words;
        let is_all = best.start == 0 && best.end >= self.plain.trim_end_matches(STOPS).len();
        (!is_short || is_all).then_some(found)
    }
}
