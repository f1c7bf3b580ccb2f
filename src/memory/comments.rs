//! Block comments of HTML in Markdown, which some loaders take out before they give a text to an
//! agent.

use std::ops::Range;

/// The byte ranges of the lines that stay where block comments are taken out: those that begin a
/// line outside of code. Blanks behind the end of a comment go with it; other text behind it stays.
pub fn kept(text: &str) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let (mut at, mut in_code, mut comment_end) = (0, false, 0);
    let last_end = text.rfind("-->").unwrap_or_default();
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mut from = start.max(comment_end);
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        in_code ^= from == start && is_fence;
        // A comment may end on a later line, and another one may begin behind its end.
        while !in_code && from < last_end {
            let rest = text.get(from..).unwrap_or_default();
            let line = text.get(from..at).unwrap_or_default();
            let is_comment = line.trim_start().starts_with("<!--");
            let end = rest.find("-->").filter(|_| is_comment);
            let Some(end) = end else { break };
            from += end + "-->".len();
            comment_end = from;
        }
        let rest = text.get(from..at).unwrap_or_default();
        if from == start || !rest.trim().is_empty() {
            kept.push(from..at);
        }
    }
    kept
}

/// A text without its block comments.
pub fn without(text: &str) -> String {
    let kept = kept(text).into_iter();
    kept.filter_map(|range| text.get(range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_where_they_begin_a_line_outside_of_code() {
        for (text, left) in [
            ("a\n<!-- b -->\nc\n", "a\nc\n"),
            ("a\n<!-- b\nc --> \nd\n", "a\nd\n"),
            ("  <!-- a --> <!-- b --> c\n", " c\n"),
            ("<!-- a\n--> b <!-- c -->\n", " b <!-- c -->\n"),
            ("```\n<!-- a -->\n```\n", "```\n<!-- a -->\n```\n"),
            ("a <!-- b -->\n", "a <!-- b -->\n"),
            ("<!-- never closed\na\n", "<!-- never closed\na\n"),
            ("a\n\n<!-- b -->", "a\n\n"),
            ("", ""),
        ] {
            assert_eq!(without(text), left, "{text}");
        }
    }
}
