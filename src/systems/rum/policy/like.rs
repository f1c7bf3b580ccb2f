//! SQLite's `LIKE`, with which the system looks for files.

/// True if a path is like `%file%` with `\\`, `%` and `_` of the file escaped: it contains the file,
/// the letters of ASCII being equal in either case (formats: rum).
pub fn contains(path: &str, file: &str) -> bool {
    path.to_ascii_lowercase()
        .contains(&file.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn files_are_looked_for_as_the_escaped_pattern_does() {
        for (path, file, expected) in [
            ("src/auth/interceptor.ts", "auth/inter", true),
            ("src/auth/interceptor.ts", "AUTH/INTER", true),
            ("src/a_b.rs", "a_b", true),
            ("src/axb.rs", "a_b", false),
            ("src/a/x/b.rs", "a%b", false),
            ("src/100%.rs", "0%", true),
            ("src\\a.rs", "c\\a", true),
            ("src/Ä.rs", "ä", false),
            ("", "", true),
            ("", "a", false),
            ("aaab", "aab", true),
        ] {
            assert_eq!(contains(path, file), expected, "{path} like %{file}%");
        }
    }
}
