//! Tables and blocks of code beside a statement that is left out: they say its figures as well.

use std::ops::Range;

use super::blocks::{Block, Kind, fence_of};
use super::{Known, LeftOut};

/// The figures in these bytes of a text that another does not say.
pub(super) fn of_gone<'t>(of: &'t str, gone: &[Range<usize>], than: &str) -> Vec<&'t str> {
    let known: Vec<&str> = figures(than).collect();
    let gone = gone.iter().filter_map(|at| of.get(at.clone()));
    let own = gone.flat_map(figures);
    own.filter(|figure| !known.contains(figure)).collect()
}

/// Words of a few digits: fewer are said of many things.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    const LEAST: usize = 2;
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '.'));
    let words = words.map(|word| word.trim_matches('.'));
    words.filter(|word| word.bytes().filter(u8::is_ascii_digit).count() >= LEAST)
}

/// A table or a block of code without the lines that are not wanted; none where nothing is left of
/// it, or all of it says what is left out. What says so beside other lines is in doubt.
pub(super) fn left(
    own: &str,
    block: &Block,
    known: &Known<'_>,
    left_out: &mut LeftOut,
) -> Option<String> {
    let mut at = block.bytes.start;
    let mut lines: Vec<(bool, bool, &str)> = Vec::new();
    for line in own.split_inclusive('\n') {
        let bytes = at..at + line.len();
        at = bytes.end;
        let gone = known.leaves_out(&bytes);
        let doubtful = figures(line).any(|figure| known.figures.contains(&figure));
        lines.push((gone, doubtful, line));
    }
    let rule = |line: &str| {
        line.chars()
            .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\n' | '\r'))
    };
    let head = match block.kind {
        Kind::Table if lines.iter().skip(1).take(1).any(|(.., line)| rule(line)) => 2,
        _ => 0,
    };
    let says = |(n, line): &(usize, &(bool, bool, &str))| {
        *n >= head && fence_of(line.2).is_none() && !line.2.trim().is_empty()
    };
    let mut content = lines.iter().enumerate().filter(says).peekable();
    if content.peek().is_some() && content.all(|(_, (gone, doubtful, _))| *gone || *doubtful) {
        left_out.gone.push(own.to_owned());
        return None;
    }
    let text = |line: &str| line.trim().to_owned();
    for (gone, doubtful, line) in &lines {
        if *gone {
            left_out.gone.push(text(line));
        } else if *doubtful {
            left_out.doubtful.push(text(line));
        }
    }
    let kept = lines.iter().filter(|(gone, ..)| !gone);
    let kept: String = kept.map(|(.., line)| *line).collect();
    Some(kept.trim_end().to_owned())
}
