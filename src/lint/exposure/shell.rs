//! Commands as a shell reads them: where one ends, and which words it has.

use super::super::chars::cut;

/// The most of a command that is read, in bytes.
const MOST: usize = 400;

/// A command and its words.
pub struct Command<'t> {
    pub words: Vec<&'t str>,
    pub text: &'t str,
}

impl<'t> Command<'t> {
    /// The command a text begins with: to the end of its line, or to what begins another one.
    ///
    /// What stands in quotation marks, `$(…)`, `@{…}` and backticks is part of a word.
    pub fn of(text: &'t str) -> Self {
        let text = cut(text, MOST);
        let mut words = Vec::new();
        let mut start = None;
        // What is open, innermost last, by what closes it.
        let mut open: Vec<char> = Vec::new();
        let mut before = ' ';
        let mut end = text.len();
        for (at, c) in text.char_indices() {
            let inside = open.last().copied();
            let starts = start.is_none() || !before.is_alphanumeric();
            let closing = match c {
                '(' | '{' if start.is_none() || matches!(before, '$' | '@' | '<') => {
                    Some(if c == '(' { ')' } else { '}' })
                }
                '\'' | '"' if starts => Some(c),
                '`' => Some(c),
                _ => None,
            };
            let quoted = matches!(inside, Some('\'' | '"'));
            if c == '\n' {
                // A line goes on behind `\`, and in PowerShell behind a backtick.
                let goes_on = before == '\\' || before == '`' && inside == Some('`');
                if !goes_on {
                    end = at;
                    break;
                }
                if before == '`' {
                    open.pop();
                }
            }
            if inside == Some(c) {
                open.pop();
            } else if let Some(closing) = closing.filter(|c| !quoted || *c == ')' && before == '$')
            {
                start = start.or(Some(at));
                open.push(closing);
            } else if open.is_empty() {
                if matches!(c, ';' | '|') || c == '&' && matches!(before, ' ' | '&') {
                    end = at;
                    break;
                }
                if c.is_whitespace() {
                    words.extend(start.take().and_then(|start| text.get(start..at)));
                } else {
                    start = start.or(Some(at));
                }
            }
            before = c;
        }
        words.extend(start.and_then(|start| text.get(start..end)));
        words.retain(|word| !matches!(*word, "\\" | "`" | "&"));
        let text = text.get(..end).unwrap_or_default().trim_end();
        Self { words, text }
    }

    /// What it is called.
    pub fn name(&self) -> &'t str {
        self.words.first().copied().unwrap_or_default()
    }

    /// Each word behind the name, and the one behind it.
    pub fn arguments(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        let next = self.words.iter().skip(2).copied().chain([""]);
        self.words.iter().skip(1).copied().zip(next)
    }
}

/// A word without the quotation marks around it.
pub fn bare(word: &str) -> &str {
    word.trim_matches(['"', '\'', '`', ','])
}

/// The commands that a shell runs within a word, to put in what they print: `$(…)`, `` `…` ``.
pub fn inner(word: &str) -> impl Iterator<Item = &str> {
    let openings = [("$(", ')'), ("<(", ')'), ("`", '`')].into_iter();
    openings.flat_map(|(opening, closing)| {
        let inner = word.split(opening).skip(1);
        inner.map(move |rest| rest.split_once(closing).map_or(rest, |(inner, _)| inner))
    })
}

/// The commands of a pipeline, from the first to the last.
pub fn pipeline(text: &str) -> impl Iterator<Item = Command<'_>> {
    text.split('|').map(|part| Command::of(part.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_where_another_begins() {
        for (text, words) in [
            ("curl -d @a b; ls -l", &["curl", "-d", "@a", "b"][..]),
            ("nc a 1 && ls", &["nc", "a", "1"]),
            ("nc a 1 & ls", &["nc", "a", "1"]),
            ("nc a 1 | ls", &["nc", "a", "1"]),
            ("curl x?a=1&b=2 y\nls", &["curl", "x?a=1&b=2", "y"]),
            ("curl -H 'A: b; c' x", &["curl", "-H", "'A: b; c'", "x"]),
            ("curl x/$(a b | c) y", &["curl", "x/$(a b | c)", "y"]),
            (
                "curl \"x/$(a \"b c\")\" y",
                &["curl", "\"x/$(a \"b c\")\"", "y"],
            ),
            (
                "irm x -Body @{ a = 1; b = 2 } -z",
                &["irm", "x", "-Body", "@{ a = 1; b = 2 }", "-z"],
            ),
            ("curl -a \\\n  -b", &["curl", "-a", "-b"]),
            ("irm -a `\n  -b", &["irm", "-a", "-b"]),
            ("scp's key; x", &["scp's", "key"]),
        ] {
            assert_eq!(Command::of(text).words, words, "{text}");
        }
    }
}
