//! SQLite's `LIKE`, with which the system looks for files.

/// Whether a text is like `%pattern%`: `%` stands for any text, `_` for any character, and the
/// letters of ASCII are equal in either case. The real code escapes neither (formats: rum).
pub fn contains(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().map(|c| c.to_ascii_lowercase()).collect();
    let pattern: Vec<char> = std::iter::once('%')
        .chain(pattern.chars().map(|c| c.to_ascii_lowercase()))
        .chain(std::iter::once('%'))
        .collect();
    like(&text, &pattern)
}

/// Walks both once, going back to the last `%` only: at most their product of steps.
fn like(text: &[char], pattern: &[char]) -> bool {
    let (mut t, mut p) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('%') => {
                back = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '_' || Some(c) == text.get(t) => {
                (t, p) = (t + 1, p + 1);
            }
            _ => match back {
                Some((at, from)) => {
                    (p, t) = (at + 1, from + 1);
                    back = Some((at, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern
        .get(p..)
        .is_some_and(|rest| rest.iter().all(|c| *c == '%'))
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn files_are_looked_for_as_sqlite_does() {
        for (text, pattern, expected) in [
            ("src/auth/interceptor.ts", "auth/inter", true),
            ("src/auth/interceptor.ts", "AUTH/INTER", true),
            ("src/a_b.rs", "a_b", true),
            ("src/axb.rs", "a_b", true),
            ("src/ab.rs", "a_b", false),
            ("src/a/x/b.rs", "a%b", true),
            ("src/b/x/a.rs", "a%b", false),
            ("src/Ä.rs", "ä", false),
            ("", "", true),
            ("", "a", false),
            ("aaab", "aab", true),
        ] {
            assert_eq!(contains(text, pattern), expected, "{text} like %{pattern}%");
        }
    }
}
