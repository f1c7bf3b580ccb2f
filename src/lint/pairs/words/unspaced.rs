//! Words of scripts that put no blanks between them: those that a sentence turns on stand alone.

use std::sync::LazyLock;

use crate::lint::pairs::table;

/// Words that turn a sentence round or tell its manner, in scripts without blanks, the longest
/// first: those within a run of letters, and those that end one.
static WITHIN: LazyLock<[Vec<&'static str>; 2]> = LazyLock::new(|| {
    let lists = [table::NEGATIONS, table::STOP].into_iter();
    let words = lists
        .flat_map(|list| list.split(' '))
        .chain(table::BESIDE_NEGATION.all());
    let mut wide: Vec<&str> = words.filter(|word| is_unspaced(word)).collect();
    wide.sort_unstable_by_key(|word| std::cmp::Reverse(word.len()));
    let ends = |word: &&str| {
        word.chars()
            .all(|c| matches!(c, '\u{3040}'..='\u{309f}' | '\u{ac00}'..='\u{d7a3}'))
    };
    let (last, within) = wide.into_iter().partition(ends);
    [within, last]
});

/// Whether a text has letters of a script that puts no blanks between its words, or few.
pub fn is_unspaced(text: &str) -> bool {
    text.chars()
        .any(|c| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'))
}

/// How much of so many bytes of letters one of such words is, or stands in front of the next.
pub fn unspaced(rest: &str, length: usize) -> usize {
    let run = rest.get(..length).unwrap_or_default();
    if run.is_ascii() || !is_unspaced(run) {
        return length;
    }
    let [within, last] = &*WITHIN;
    if let Some(word) = within
        .iter()
        .chain(last)
        .find(|word| run.starts_with(**word))
    {
        return word.len();
    }
    let inner = within.iter().filter_map(|word| run.find(*word)).min();
    let end = last.iter().find_map(|word| run.strip_suffix(*word));
    let end = end.map_or(length, str::len);
    inner.map_or(end, |inner| inner.min(end))
}
