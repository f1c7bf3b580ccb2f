//! The form of what is left of a text where parts of it went.

use super::blocks::{Block, Kind, blocks};

/// What is left with its lists numbered as they were, and no rule that parts nothing.
pub(super) fn of_rest(rest: &str, of: &str) -> String {
    renumbered(without_rules(rest), of)
}

/// A text without the rules at its ends.
fn without_rules(text: &str) -> &str {
    const RULES: [char; 3] = ['-', '*', '_'];
    let rule = |line: &str| {
        let line = line.trim();
        line.len() > 2 && RULES.iter().any(|mark| line.chars().all(|c| c == *mark))
    };
    let mut text = text;
    while let Some(rest) = text.lines().next().filter(|line| rule(line)) {
        text = text
            .get(rest.len()..)
            .unwrap_or_default()
            .trim_start_matches(['\n', '\r']);
    }
    while let Some(last) = text.lines().next_back().filter(|line| rule(line)) {
        text = text
            .get(..text.len() - last.len())
            .unwrap_or_default()
            .trim_end();
    }
    text
}

/// The runs of numbered items of a text, each with its bytes and its number.
fn lists(text: &str) -> Vec<Vec<(usize, usize)>> {
    let mut all: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut open = false;
    for block in blocks(text) {
        let number = number(text, &block);
        match (number, all.last_mut().filter(|_| open)) {
            (Some(number), Some(last)) => last.push((block.bytes.start, number)),
            (Some(number), None) => all.push(vec![(block.bytes.start, number)]),
            (None, _) => {}
        }
        open = number.is_some();
    }
    all
}

/// The number in front of an item.
fn number(text: &str, block: &Block) -> Option<usize> {
    let own = text
        .get(block.bytes.clone())
        .filter(|_| block.kind == Kind::Item)?;
    let digits = own.bytes().take_while(u8::is_ascii_digit).count();
    own.get(..digits)?.parse().ok()
}

/// What is left of a text, in which a list counts from where one of the text begins.
fn renumbered(rest: &str, of: &str) -> String {
    let first = |list: &Vec<(usize, usize)>| list.first().map(|(_, number)| *number);
    let begins: Vec<usize> = lists(of).iter().filter_map(first).collect();
    let mut out = String::with_capacity(rest.len());
    let mut at = 0;
    for list in lists(rest) {
        let own = first(&list).unwrap_or_default();
        let start = match begins.first() {
            Some(begin) if !begins.contains(&own) => *begin,
            _ => own,
        };
        let counts = list.iter().all(|(_, number)| *number == own) && list.len() > 1;
        for (n, (byte, number)) in list.iter().enumerate().filter(|_| !counts) {
            out.push_str(rest.get(at..*byte).unwrap_or_default());
            out.push_str(&(start + n).to_string());
            at = byte + number.to_string().len();
        }
    }
    out.push_str(rest.get(at..).unwrap_or_default());
    out
}

/// A text as it stands below a heading of the second level: its own are below that.
pub fn below(text: &str) -> String {
    const LEVEL: usize = 2;
    let level = |block: &Block| match block.kind {
        Kind::Heading(level) => Some((level, block.bytes.start)),
        _ => None,
    };
    let headings: Vec<(usize, usize)> = blocks(text).iter().filter_map(level).collect();
    let least = headings.iter().map(|(level, _)| *level).min();
    let deeper = least.map_or(0, |least| (LEVEL + 1).saturating_sub(least));
    let mut out = text.to_owned();
    for (level, at) in headings.into_iter().rev() {
        // There are six levels.
        out.insert_str(at, &"#".repeat(deeper.min(6_usize.saturating_sub(level))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_has_the_form_of_the_whole() {
        for (rest, of, form) in [
            ("3. c\n4. d", "1. a\n2. b\n3. c\n4. d", "1. c\n2. d"),
            ("1. a\n3. c", "1. a\n2. b\n3. c", "1. a\n2. c"),
            ("1. a\n1. c", "1. a\n1. b\n1. c", "1. a\n1. c"),
            ("5. e\n6. f", "5. e\n6. f", "5. e\n6. f"),
            ("a\n\n10. j", "8. h\n9. i\n10. j", "a\n\n8. j"),
            ("---\n\nb", "a\n\n---\n\nb", "b"),
            ("a\n\n---", "a\n\n---\n\nb", "a"),
            ("a\n\n---\n\nb", "a\n\n---\n\nb", "a\n\n---\n\nb"),
        ] {
            assert_eq!(of_rest(rest, of), form, "{rest}");
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
}
