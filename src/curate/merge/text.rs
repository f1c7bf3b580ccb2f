//! The blocks of one text that another text does not have.

use std::collections::HashSet;
use std::ops::Range;

use crate::memory::index::marked;

/// Kind of a block of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A heading and its level.
    Heading(usize),
    /// A paragraph, a table or a code block, whole.
    Paragraph,
    /// An item of a list with what is indented below it.
    Item,
}

/// A block of a text: its kind and its bytes.
type Block = (Kind, Range<usize>);

/// Returns the blocks of a text that another text lacks, in their order and as they are written,
/// headings only above such a block. Empty if the other text has all of them. `title` is a heading
/// that is left out.
pub fn rest(of: &str, than: &str, title: &str) -> String {
    let own = |text: &str, block: &Block| plain(text.get(block.1.clone()).unwrap_or_default());
    let known: HashSet<String> = blocks(than).iter().map(|block| own(than, block)).collect();
    let all = blocks(of);
    let is_new = |block: &Block| {
        let text = own(of, block);
        !matches!(block.0, Kind::Heading(_)) && !text.is_empty() && !known.contains(&text)
    };
    let is_kept = |n: usize, block: &Block| match block.0 {
        Kind::Heading(level) => {
            let below = all.iter().skip(n + 1);
            let mut section = below
                .take_while(|(kind, _)| !matches!(kind, Kind::Heading(above) if *above <= level));
            own(of, block) != plain(title) && section.any(is_new)
        }
        _ => is_new(block),
    };
    let mut out = String::new();
    let mut last: Option<(usize, &Block)> = None;
    for (n, block) in all
        .iter()
        .enumerate()
        .filter(|(n, block)| is_kept(*n, block))
    {
        let gap = last.map(|(before, other)| match (other.0, block.0) {
            _ if before + 1 == n => of.get(other.1.end..block.1.start).unwrap_or("\n\n"),
            (Kind::Item, Kind::Item) => "\n",
            _ => "\n\n",
        });
        out.push_str(gap.unwrap_or_default());
        out.push_str(of.get(block.1.clone()).unwrap_or_default());
        last = Some((n, block));
    }
    out
}

/// True if a code block of a text has no end: text behind it would stand inside.
pub fn is_open(text: &str) -> bool {
    text.lines().fold(None, fence_after).is_some()
}

/// True if a text begins with a paragraph.
pub fn is_prose(text: &str) -> bool {
    let is_mark = |c: char| "`~|-*_".contains(c);
    !text.starts_with(is_mark)
        && blocks(text)
            .first()
            .is_some_and(|(kind, _)| *kind == Kind::Paragraph)
}

/// True if a text has a phrase somewhere, in whatever case.
pub fn has_phrase(text: &str, phrase: &str) -> bool {
    format!(" {} ", plain(text)).contains(&format!(" {} ", plain(phrase)))
}

/// Lowers the headings of a text so that it can stand below a heading of the second level.
pub fn below(text: &str) -> String {
    const LEVEL: usize = 2;
    let level = |(kind, bytes): Block| match kind {
        Kind::Heading(level) => Some((level, bytes.start)),
        _ => None,
    };
    let headings: Vec<(usize, usize)> = blocks(text).into_iter().filter_map(level).collect();
    let least = headings.iter().map(|(level, _)| *level).min();
    let deeper = least.map_or(0, |least| (LEVEL + 1).saturating_sub(least));
    let mut out = text.to_owned();
    for (level, at) in headings.into_iter().rev() {
        // There are six levels.
        out.insert_str(at, &"#".repeat(deeper.min(6_usize.saturating_sub(level))));
    }
    out
}

/// Splits a text into its blocks.
fn blocks(text: &str) -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    // The mark of the code block that a line stands in; true while the last block goes on.
    let (mut fence, mut open) = (None, false);
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let bytes = start..start + line.trim_end().len();
        let in_code = fence.is_some();
        fence = fence_after(fence, line);
        if line.trim().is_empty() && !in_code {
            open = false;
            continue;
        }
        let is_item = marked(line).is_some();
        let is_indented = line.starts_with([' ', '\t']);
        let is_in_item = all.last().is_some_and(|(kind, _)| *kind == Kind::Item);
        let kind = match heading_level(line) {
            _ if in_code || (is_in_item && is_indented && (open || !is_item)) => None,
            Some(level) => Some(Kind::Heading(level)),
            None if is_item => Some(Kind::Item),
            None if open && fence.is_none() => None,
            None => Some(Kind::Paragraph),
        };
        match (kind, all.last_mut()) {
            (None, Some(last)) => last.1.end = bytes.end,
            (kind, _) => all.push((kind.unwrap_or(Kind::Paragraph), bytes)),
        }
        let ends_code = in_code && fence.is_none();
        open = !ends_code && !matches!(kind, Some(Kind::Heading(_)));
    }
    all
}

/// The level of a heading.
fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(level..)?;
    let ends = rest.trim().is_empty() || rest.starts_with([' ', '\t']);
    ((1..=6).contains(&level) && ends).then_some(level)
}

/// The mark of the code block that is open after a line.
fn fence_after<'t>(open: Option<&'t str>, line: &'t str) -> Option<&'t str> {
    let text = line.trim();
    let first = text.chars().next().filter(|c| matches!(c, '`' | '~'));
    let length = first.map_or(0, |first| text.chars().take_while(|c| *c == first).count());
    let mark = text.get(..length).filter(|_| length >= 3);
    match (open, mark) {
        (Some(open), Some(mark)) if mark.starts_with(open) && text.len() == length => None,
        (open, mark) => open.or(mark),
    }
}

/// The words of a text without marks of emphasis, lists and sentences, in lower case.
fn plain(text: &str) -> String {
    let text = marked(text).unwrap_or(text);
    let is_mark = |c: char| "*_`\"'“”‘’#>.,;:!".contains(c);
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(is_mark));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_stand_in_the_other_text_are_left_out() {
        for (of, than, left) in [
            ("", "a b.", ""),
            ("Use tabs.", "Do not use tabs.", "Use tabs."),
            ("The pool holds ten.", "the *pool* holds `ten`!", ""),
            ("Ten. Amounts are cents.", "Ten.", "Ten. Amounts are cents."),
            ("- one\n- two\n- three\n", "* two", "- one\n- three"),
            (
                "- one\n  more\n\n  and more\n- two",
                "- two",
                "- one\n  more\n\n  and more",
            ),
            (
                "# A\n\nx\n\n## B\n\ny\n\n## C\n\nz",
                "x\n\nz",
                "# A\n\n## B\n\ny",
            ),
            ("# Pool\n\nnew", "old", "new"),
            ("a\n\n```\nb\n\n# c\n```\nd", "a", "```\nb\n\n# c\n```\nd"),
            ("| a |\n|---|\n| b |\n\nc", "c", "| a |\n|---|\n| b |"),
        ] {
            assert_eq!(rest(of, than, "Pool"), left, "{of}");
        }
    }

    #[test]
    fn a_code_block_without_an_end_is_open() {
        for (text, open) in [
            ("```\na", true),
            ("```\na\n```", false),
            ("~~~\n```\n~~~", false),
            ("````\n```", true),
        ] {
            assert_eq!(is_open(text), open, "{text}");
        }
    }

    #[test]
    fn headings_stand_below_the_one_above_them() {
        for (text, lower) in [
            ("## Update\n\na\n\n### b", "### Update\n\na\n\n#### b"),
            ("# a\n\n```\n# b\n```", "### a\n\n```\n# b\n```"),
            ("### a", "### a"),
            ("a", "a"),
        ] {
            assert_eq!(below(text), lower);
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_left_of_a_text_that_is_there(text in "([#>a-c.|`*-]{0,3}[ \n]){0,20}") {
            proptest::prop_assert_eq!(rest(&text, &text, ""), "");
        }

        #[test]
        fn every_word_is_in_one_of_the_two(a in "([a-c-]{0,3}[ \n.]){0,20}", b in "([#a-c-]{0,3}[ \n.]){0,20}") {
            let left = plain(&format!("{} {}", rest(&b, &a, ""), plain(&a)));
            for word in plain(&b).split(' ').filter(|word| word.chars().any(char::is_alphabetic) && !b.contains('#')) {
                proptest::prop_assert!(left.split(' ').any(|other| other == word), "{}: {}", word, left);
            }
        }
    }
}
