//! Number of words in a text.

/// Words, split at white space.
pub fn count(body: &[u8]) -> u32 {
    let words = if body.is_ascii() {
        count_ascii_words(body)
    } else {
        String::from_utf8_lossy(body).split_whitespace().count()
    };
    u32::try_from(words).unwrap_or(u32::MAX)
}

/// Counts where a blank is followed by something else, in pieces whose count fits a byte: so the
/// compiler compares many bytes at once.
fn count_ascii_words(body: &[u8]) -> usize {
    const PIECE: usize = 240;
    let blank = |byte: u8| byte == b' ' || byte.wrapping_sub(b'\t') < 5;
    let Some((first, next)) = body.split_first() else {
        return 0;
    };
    let pieces = body.chunks(PIECE).zip(next.chunks(PIECE));
    let starts = pieces.map(|(before, here)| {
        let pairs = before.iter().zip(here);
        usize::from(
            pairs
                .map(|(a, b)| u8::from(blank(*a) & !blank(*b)))
                .sum::<u8>(),
        )
    });
    usize::from(!blank(*first)) + starts.sum::<usize>()
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
