//! Comparison of two texts.

pub use crate::memory::lines::ops;

/// The lines of a text, line ends included.
pub fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The words of a text and the blanks between them.
pub fn words_of(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let other = |c: char| c.is_whitespace() != first.is_whitespace();
        let (one, after) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
        found.push(one);
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use similar::DiffOp;

    use super::*;

    #[test]
    fn words_and_blanks_are_the_text_and_only_what_differs_is_replaced() {
        let (old, new) = ("a  b\tc", "a  x\tc");
        assert_eq!(words_of(old).concat(), old);
        let replaced = DiffOp::Replace {
            old_index: 2,
            old_len: 1,
            new_index: 2,
            new_len: 1,
        };
        assert!(ops(&words_of(old), &words_of(new)).contains(&replaced));
    }
}
