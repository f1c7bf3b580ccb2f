//! Paths with signs in them that part words elsewhere: `app/users/[id]/edit.tsx`,
//! `src/routes/(app)/+page.ts`, `src/@types/x.d.ts`, `src/$lib/db.ts`.

use super::extract::{How, LONGEST, Named};

/// In what a path stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum In {
    /// Between two backticks.
    Code,
    /// Behind `](`.
    Link,
    /// Among words.
    Prose,
}

impl In {
    /// By where on its line the reading is.
    pub const fn of(code: bool, link: bool) -> Self {
        match (code, link) {
            (true, _) => Self::Code,
            (false, true) => Self::Link,
            (false, false) => Self::Prose,
        }
    }
}

/// Whether such a path may begin with these bytes, by the one behind them.
pub(super) fn may_be(token: &[u8], next: Option<&u8>) -> bool {
    let parts = token.contains(&b'/');
    let within = parts && token.iter().any(|byte| b"@$+".contains(byte));
    let behind = next.is_some_and(|byte| b"[(,".contains(byte) && parts || *byte == b'&');
    within || behind
}

/// Takes the path that begins here, where it has such a sign and is known; where it ends, for its
/// parts are none.
pub(super) fn path<'a>(
    text: &'a str,
    at: usize,
    place: In,
    known: &dyn Fn(&str) -> bool,
    take: &mut dyn FnMut(Named<'a>),
) -> Option<usize> {
    let rest = text.get(at..)?;
    let end = end(rest, place)?;
    let written = rest.get(..end).filter(|path| has_sign(path))?;
    let open = written.len()
        - written
            .trim_start_matches("./")
            .trim_start_matches('/')
            .len();
    let path = written.get(open..)?;
    let path = path
        .find([':', '#'])
        .map_or(path, |cut| path.get(..cut).unwrap_or(path));
    // Among words, what ends a sentence or a bracket may hang on it.
    let ends = |c: char| c == '/' || (place == In::Prose && !c.is_alphanumeric());
    let mut path = path;
    loop {
        if has_sign(path) && known(path) {
            let from = at + open;
            take(Named {
                path: path.into(),
                bytes: from..from + path.len(),
                how: How::Plain,
            });
            return Some(from + path.len());
        }
        path = path.strip_suffix(ends)?;
    }
}

/// Where what may be a path ends.
fn end(rest: &str, place: In) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        let ends = match c {
            _ if at > LONGEST => return None,
            '\n' | '`' | '"' | '\'' | '<' | '>' | '|' | '*' | '{' | '}' | '\\' => true,
            c if c.is_whitespace() => true,
            '(' => {
                depth += 1;
                false
            }
            ')' if depth == 0 && place == In::Link => true,
            ')' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => false,
        };
        if ends {
            return Some(at);
        }
    }
    (rest.len() <= LONGEST).then_some(rest.len())
}

/// Whether a path of several parts has a sign in it that parts words elsewhere.
fn has_sign(path: &str) -> bool {
    let sign = |c: char| matches!(c, '[' | ']' | '(' | ')' | '@' | '$' | '&' | '+' | ',');
    path.contains('/') && path.contains(sign)
}

#[cfg(test)]
mod tests {
    use super::super::extract::paths;

    const KNOWN: &[&str] = &[
        "app/users/[id]/edit.tsx",
        "app/(shop)/cart/layout.tsx",
        "app/@modal/default.tsx",
        "src/@types/global.d.ts",
        "src/routes/(app)/login/+server.ts",
        "src/$lib/db.ts",
        "src/a&b.ts",
        "src/a,b.ts",
        "app/blog/[...rest]/route.ts",
        "[slug]/page.tsx",
        "app/blog",
    ];

    fn named(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        paths(
            text,
            "/repo/tide",
            &|path| KNOWN.contains(&path),
            &mut |named| {
                assert_eq!(text.get(named.bytes.clone()), Some(&*named.path));
                all.push(named.path.into_owned());
            },
        );
        all
    }

    #[test]
    fn what_is_known_is_taken_as_it_is_written() {
        for path in KNOWN.iter().filter(|path| **path != "app/blog") {
            for text in [
                format!("Keep `{path}` small."),
                format!("Keep [it]({path}) small, and [that](./{path}#L3)."),
                format!("See `./{path}:12`"),
            ] {
                let all = named(&text);
                assert!(
                    !all.is_empty() && all.iter().all(|one| one == path),
                    "{text}: {all:?}"
                );
            }
            if !path.starts_with('[') {
                assert_eq!(
                    named(&format!("Keep {path}, (see {path}).")),
                    [*path, *path]
                );
            }
        }
        assert_eq!(
            named("Edit `src/a.rs`(src/b.rs), [src/c.rs,src/d.rs]"),
            ["src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs"]
        );
    }

    #[test]
    fn what_is_not_known_is_a_placeholder() {
        for text in [
            "`src/$NAME.ts`",
            "`packages/@scope/name`",
            "call `a/b(c, d)` & x",
        ] {
            let all = named(text);
            assert!(all.iter().all(|one| one == "a/b"), "{text}: {all:?}");
        }
    }

    #[test]
    fn files_without_an_ending_are_known_by_their_name_or_by_a_link() {
        let text = "The Gemfile, Rakefile, Brewfile, LICENSE and CODEOWNERS; [it](.husky/pre-commit), [that](bin/setup)";
        assert_eq!(
            named(text),
            [
                "Gemfile",
                "Rakefile",
                "Brewfile",
                "LICENSE",
                "CODEOWNERS",
                ".husky/pre-commit",
                "bin/setup"
            ]
        );
    }
}
