//! Signs that a text that is looked for literally was meant as a regular expression.

use crate::lint::words::Words;

/// The piece of a text that only makes sense as a regular expression, where there is one.
///
/// Texts that a task may hold as they are must stay clear of it: `[id].tsx`, `c++`, `useState()`,
/// `^1.2.3`, `C:\dev`, `$HOME`, `file.ts`.
pub(super) fn of(text: &str) -> Option<String> {
    let found = dots(text)
        .or_else(|| wildcard(text))
        .or_else(|| optional(text))
        .or_else(|| escape(text))
        .or_else(|| anchor(text))
        .or_else(|| class(text))
        .or_else(|| repeat(text))
        .or_else(|| group(text))?;
    Some(found.to_owned())
}

fn dots(text: &str) -> Option<&str> {
    [".*", ".+", ".?"].into_iter().find(|piece| {
        text.match_indices(piece)
            // An ellipsis before a question mark is none.
            .any(|(at, _)| !text.get(..at).unwrap_or_default().ends_with('.'))
    })
}

fn neighbours(text: &str, at: usize) -> (char, char) {
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.get(at + 1..).and_then(|text| text.chars().next());
    (before.unwrap_or(' '), after.unwrap_or(' '))
}

fn wildcard(text: &str) -> Option<&str> {
    let arguments = text.contains("*args") || text.contains("**kwargs");
    let word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | ')' | ']');
    (!arguments
        && text.match_indices('*').any(|(at, _)| {
            let (before, after) = neighbours(text, at);
            word(before) || word(after)
        }))
    .then_some("*")
}

/// Words with which a question begins.
static ASKING: Words = Words::of(
    "what which who whose how why when where is are do does did can could should would will may has have any",
);

fn optional(text: &str) -> Option<&str> {
    // A query of an address, or a question.
    if text.contains(['=', '&']) || text.starts_with('/') {
        return None;
    }
    let words = text.split_whitespace().count();
    let asks = text
        .split_whitespace()
        .next()
        .is_some_and(|word| ASKING.has(word));
    let plural = !asks && text.ends_with("s?");
    text.match_indices('?')
        .any(|(at, _)| {
            let (before, after) = neighbours(text, at);
            let last = at + 1 == text.len();
            matches!(before, ')' | ']')
                || (before.is_alphanumeric()
                    && (after.is_alphanumeric() || (last && (words == 1 || plural))))
        })
        .then_some("?")
}

fn escape(text: &str) -> Option<&str> {
    // `c:\dev` and `\\server\share` are places.
    let drive = text.as_bytes().get(1..3) == Some(b":\\");
    if drive || text.starts_with("\\\\") {
        return None;
    }
    text.match_indices('\\').find_map(|(at, _)| {
        let mut rest = text.get(at + 1..)?.chars();
        let (next, after) = (rest.next()?, rest.next());
        let boundary = after.is_none_or(|c| !c.is_alphanumeric()) || at == 0;
        let class = matches!(next.to_ascii_lowercase(), 'b' | 'd' | 'w' | 's') && boundary;
        let sign = matches!(
            next,
            '.' | '(' | ')' | '[' | ']' | '{' | '}' | '+' | '*' | '?' | '^' | '$' | '/' | '-'
        );
        (class || sign).then(|| text.get(at..=at + next.len_utf8()))?
    })
}

fn anchor(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let (first, second) = (chars.next()?, chars.next()?);
    // A digit after it makes it a range of versions.
    if first == '^' && (second.is_alphabetic() || matches!(second, '(' | '[' | '\\')) {
        return Some("^");
    }
    let mut back = text.chars().rev();
    let (last, before) = (back.next()?, back.next()?);
    let money = ["us$", "a$", "c$", "nz$", "hk$"].contains(&text.to_lowercase().as_str());
    (last == '$' && (before.is_alphanumeric() || matches!(before, ')' | ']')) && !money)
        .then_some("$")
}

fn class(text: &str) -> Option<&str> {
    text.match_indices('[').find_map(|(at, _)| {
        let rest = text.get(at..)?;
        let end = rest.find(']')?;
        let inner = rest.get(1..end)?;
        let range = inner.as_bytes().windows(3).any(|w| {
            matches!(w, [a, b'-', b] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric() && a < b)
        });
        // `[my-page]` is a route: a range stands alone or beside others, not inside a word.
        let only_ranges = inner.len() % 3 == 0 || inner.contains(['_', '\\', ' ']);
        let signs = inner.len() > 1 && inner.chars().all(|c| matches!(c, '-' | '_' | ' ' | '.' | '/' | '\\'))
            && !inner.trim().is_empty() && !inner.starts_with("...");
        let negated = inner.len() > 1 && inner.starts_with('^');
        ((range && only_ranges && inner.len() <= 9) || signs || negated)
            .then(|| rest.get(..=end))?
    })
}

fn repeat(text: &str) -> Option<&str> {
    if text.contains(")+") || text.contains("]+") {
        return Some("+");
    }
    text.match_indices('{').find_map(|(at, _)| {
        let rest = text.get(at..)?;
        let end = rest.find('}')?;
        let inner = rest.get(1..end)?;
        let digits = inner.starts_with(|c: char| c.is_ascii_digit())
            && inner.bytes().all(|b| b.is_ascii_digit() || b == b',');
        let (before, _) = neighbours(text, at);
        let repeated = before.is_alphanumeric() || matches!(before, ')' | ']' | '.');
        (digits && repeated).then(|| rest.get(..=end))?
    })
}

fn group(text: &str) -> Option<&str> {
    if text.contains("(?") {
        return Some("(?");
    }
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    (!inner.is_empty() && !inner.contains(['(', ')'])).then_some("(…)")
}

/// Whether a group spans the bars of a pattern: closed over all, open in one alternative.
pub(super) fn spans_bars(pattern: &str) -> bool {
    let depth = |text: &str| {
        text.chars().fold(0i32, |depth, c| match c {
            '(' => depth.saturating_add(1),
            ')' => depth.saturating_sub(1),
            _ => depth,
        })
    };
    depth(pattern) == 0 && pattern.split('|').any(|one| depth(one) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_regular_expression_says() {
        for (text, piece) in [
            ("social.*auth", ".*"),
            ("a.+b", ".+"),
            ("auth*", "*"),
            ("*auth", "*"),
            ("*.ts", "*"),
            ("src/**/x", "*"),
            ("tests?", "?"),
            ("colou?r", "?"),
            ("\\bauth\\b", "\\b"),
            ("v\\d", "\\d"),
            ("\\.env", "\\."),
            ("^auth", "^"),
            ("auth$", "$"),
            ("[a-z]x", "[a-z]"),
            ("rate[-_ ]limit", "[-_ ]"),
            ("[^x]y", "[^x]"),
            ("a{2,3}", "{2,3}"),
            ("(oauth)", "(…)"),
            ("(?:a", "(?"),
            ("(ab)+", "+"),
        ] {
            assert_eq!(of(text).as_deref(), Some(piece), "{text}");
        }
    }

    #[test]
    fn what_a_task_may_say() {
        for text in [
            "auth",
            "rate limit",
            "file.ts",
            "node.js",
            "c++",
            "usestate()",
            "foo(bar)",
            "pages/[id].tsx",
            "[my-page]",
            "[...slug]",
            "[x]",
            "- [ ]",
            "^1.2.3",
            "c:\\dev\\work",
            "\\\\server\\share",
            "$home",
            "us$",
            "select * from",
            "**kwargs",
            "what is auth?",
            "/search?q=1",
            "${1}",
            "{id}",
            "{{ name }}",
            "wait...?",
            "c#",
            "a+b",
            "n/a",
            "re: build (again)",
            "größe",
            "",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn groups_over_bars() {
        assert!(spans_bars("(login|signup) form"));
        assert!(!spans_bars("usestate(|useeffect("));
        assert!(!spans_bars("f(a)|g(b)"));
    }
}
