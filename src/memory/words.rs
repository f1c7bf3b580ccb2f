//! Number of words in a text.

/// Words, split at white space. Pairs of neighbouring bytes are compared faster than words are split.
pub fn count(body: &[u8]) -> u32 {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let words = match (body.is_ascii(), body.first()) {
        (true, first) => {
            let pairs = body.iter().zip(body.get(1..).unwrap_or_default());
            let starts = pairs.filter(|(a, b)| is_blank(**a) && !is_blank(**b));
            starts.count() + usize::from(first.is_some_and(|first| !is_blank(*first)))
        }
        (false, _) => String::from_utf8_lossy(body).split_whitespace().count(),
    };
    u32::try_from(words).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_counted_as_they_are_split(text in "[a \n\t\r\u{b}\u{c}\u{1c}é\u{a0}]{0,600}") {
            prop_assert_eq!(super::count(text.as_bytes()) as usize, text.split_whitespace().count());
        }
    }
}
