//! What was meant by a pattern written as a regular expression, said in a way that the matcher
//! understands.

use super::reading::Reading;
use super::syntax;
use crate::retrieval::js::trim;

/// The most texts one pattern may stand for.
const MOST: usize = 12;

/// One text that a pattern stands for, with gaps where anything may stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Branch {
    pieces: Vec<String>,
    /// Whether something that bounded it was left out.
    loose: bool,
    /// Whether what was left out may have been meant for something else, as in `$TARGET`.
    unsure: bool,
}

impl Branch {
    fn push(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(last) => last.push_str(text),
            None => self.pieces.push(text.to_owned()),
        }
    }

    fn gap(&mut self) {
        if self.pieces.last().is_none_or(|piece| !piece.is_empty()) {
            if self.pieces.is_empty() {
                self.pieces.push(String::new());
            }
            self.pieces.push(String::new());
        }
    }

    fn then(&self, next: &Self) -> Self {
        let mut both = self.clone();
        for (n, piece) in next.pieces.iter().enumerate() {
            if n > 0 {
                both.pieces.push(String::new());
            }
            both.push(piece);
        }
        both.loose |= next.loose;
        both.unsure |= next.unsure;
        both
    }

    /// The same without the signs alone between two gaps: `tests/**/*.ts`.
    fn wide(&self) -> Vec<&str> {
        let texts = self.texts();
        let last = texts.len().saturating_sub(1);
        let ends = |n: usize| n == 0 || n == last;
        let sign = |text: &str| matches!(text, "/" | "." | "-" | "_");
        let kept = texts.into_iter().enumerate();
        let kept = kept.filter(|(n, text)| ends(*n) || !sign(text));
        kept.map(|(_, text)| text).collect()
    }

    /// The pieces that hold something, without the blanks around gaps.
    fn texts(&self) -> Vec<&str> {
        let texts = self.pieces.iter().map(|piece| piece.trim());
        texts.filter(|piece| !piece.is_empty()).collect()
    }
}

/// A task that the pattern was meant for.
pub(super) fn example(written: &str) -> Option<String> {
    let branches = parse(written)?;
    // The one with a gap shows best what is not understood.
    let branch = branches
        .iter()
        .find(|branch| branch.texts().len() > 1)
        .or_else(|| branches.first())?;
    let texts = branch.texts();
    // Within the path of a file a gap is a name.
    let path = texts.len() > 1 && texts.iter().any(|text| text.contains('/'));
    let task = texts.join(if path { "a" } else { " and " });
    (!task.is_empty()).then_some(task)
}

/// Patterns that say the same and are read as they are meant; none where that is not certain.
pub(super) fn rewrite(written: &str) -> Option<Vec<String>> {
    let branches = parse(written)?;
    let (mut literals, mut items): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for branch in &branches {
        let texts = branch.wide();
        // A short text without what bounded it stands in too many words.
        let least = if branch.loose { 4 } else { 2 };
        if branch.unsure
            || texts.is_empty()
            || texts.iter().any(|text| text.chars().count() < least)
        {
            return None;
        }
        match texts.as_slice() {
            [one] => {
                let plain = syntax::of(one).is_none() && !one.contains(['|', '*', '?', '\n']);
                if !plain || (one.contains('.') && one.contains('{')) {
                    return None;
                }
                literals.push((*one).to_owned());
            }
            several => {
                let special = |c| "^$\\()[]{}+|*?\n".contains(c);
                if several.iter().any(|text| text.contains(special)) {
                    return None;
                }
                items.push(several.join(".*"));
            }
        }
    }
    // A text that holds another one adds nothing to it.
    let kept: Vec<&String> = literals
        .iter()
        .enumerate()
        .filter(|(n, text)| {
            !literals.iter().enumerate().any(|(m, other)| {
                m != *n && text.contains(other.as_str()) && (text != &other || m < *n)
            })
        })
        .map(|(_, text)| text)
        .collect();
    let mut patterns = Vec::new();
    if !kept.is_empty() {
        let kept: Vec<&str> = kept.into_iter().map(String::as_str).collect();
        patterns.push(kept.join("|"));
    }
    patterns.append(&mut items);
    patterns.dedup();
    let good = patterns
        .iter()
        .all(|pattern| !matches!(Reading::of(pattern), Reading::Refused { .. }));
    (good && !patterns.is_empty()).then_some(patterns)
}

fn parse(written: &str) -> Option<Vec<Branch>> {
    let text = trim(written);
    let text = text.strip_prefix("(?i)").unwrap_or(text);
    let text = text
        .strip_prefix('/')
        .and_then(|text| text.strip_suffix("/i"))
        .unwrap_or(text);
    // Longer ones are nobody's slip.
    if text.len() > 300 {
        return None;
    }
    let mut parser = Parser {
        rest: text.chars().collect::<Vec<_>>().into_iter().peekable(),
        depth: 0,
    };
    let branches = parser.alternatives()?;
    parser.rest.next().is_none().then_some(branches)
}

struct Parser {
    rest: std::iter::Peekable<std::vec::IntoIter<char>>,
    depth: usize,
}

impl Parser {
    fn alternatives(&mut self) -> Option<Vec<Branch>> {
        let mut all = Vec::new();
        loop {
            all.extend(self.sequence()?);
            if self.rest.next_if_eq(&'|').is_none() {
                break;
            }
        }
        (all.len() <= MOST).then_some(all)
    }

    fn sequence(&mut self) -> Option<Vec<Branch>> {
        let mut sofar = vec![Branch::default()];
        while let Some(c) = self.rest.peek().copied() {
            if matches!(c, '|' | ')') {
                break;
            }
            self.rest.next();
            let atom = self.atom(c)?;
            let atom = self.repeated(atom)?;
            let mut next = Vec::new();
            for before in &sofar {
                next.extend(atom.iter().map(|atom| before.then(atom)));
            }
            if next.len() > MOST {
                return None;
            }
            sofar = next;
        }
        // Blanks around a bar are trimmed by the matcher.
        Some(sofar)
    }

    fn atom(&mut self, c: char) -> Option<Vec<Branch>> {
        let mut one = Branch::default();
        match c {
            '(' => return self.group(),
            '[' => return self.class(),
            '^' => one.loose = true,
            '$' => {
                one.loose = true;
                let next = self.rest.peek();
                one.unsure = next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '{'));
            }
            '.' => {
                // A dot alone is the dot of a file name more often than any character.
                if !matches!(self.rest.peek(), Some('*' | '+' | '?' | '{')) {
                    one.push(".");
                    return Some(vec![one]);
                }
                one.gap();
            }
            // A wildcard where nothing stands to be repeated.
            '*' => one.gap(),
            '+' | '?' | '{' | '}' | ']' => return None,
            '\\' => match self.rest.next()? {
                'b' => one.loose = true,
                's' => one.push(" "),
                'd' | 'w' => one.gap(),
                c if c.is_ascii_punctuation() => one.push(c.encode_utf8(&mut [0; 4])),
                _ => return None,
            },
            c => one.push(c.encode_utf8(&mut [0; 4])),
        }
        Some(vec![one])
    }

    /// What a quantifier makes of an atom.
    fn repeated(&mut self, atom: Vec<Branch>) -> Option<Vec<Branch>> {
        let is_gap = |atom: &[Branch]| matches!(atom, [one] if one.pieces.len() == 2);
        let is_blank = |atom: &[Branch]| matches!(atom, [one] if one.texts().is_empty());
        let Some(c) = self.rest.next_if(|c| matches!(c, '*' | '+' | '?' | '{')) else {
            return Some(atom);
        };
        if c == '{' {
            let mut inner = String::new();
            loop {
                match self.rest.next()? {
                    '}' => break,
                    c => inner.push(c),
                }
            }
            return is_gap(&atom).then_some(atom);
        }
        // A lazy quantifier matches the same.
        if c != '?' {
            self.rest.next_if_eq(&'?');
        }
        match c {
            _ if is_gap(&atom) => Some(atom),
            '+' if is_blank(&atom) => Some(atom),
            '*' if is_blank(&atom) => {
                let mut both = atom;
                both.push(Branch::default());
                Some(both)
            }
            '?' => {
                let mut both = vec![Branch::default()];
                both.extend(atom);
                Some(both)
            }
            // `auth*`: who writes it means a wildcard.
            '*' => {
                let mut gap = Branch::default();
                gap.gap();
                Some(atom.iter().map(|one| one.then(&gap)).collect())
            }
            _ => None,
        }
    }

    fn group(&mut self) -> Option<Vec<Branch>> {
        if self.rest.next_if_eq(&'?').is_some() {
            self.rest.next_if_eq(&':')?;
        }
        self.depth += 1;
        if self.depth > 8 {
            return None;
        }
        let inner = self.alternatives()?;
        self.rest.next_if_eq(&')')?;
        self.depth -= 1;
        Some(inner)
    }

    /// A class of a few separators is each of them; any other is a gap.
    fn class(&mut self) -> Option<Vec<Branch>> {
        let mut inner = String::new();
        loop {
            match self.rest.next()? {
                ']' => break,
                '\\' => match self.rest.next()? {
                    's' => inner.push(' '),
                    c if c.is_ascii_punctuation() => inner.push(c),
                    _ => return None,
                },
                c => inner.push(c),
            }
        }
        let separators = !inner.is_empty()
            && inner.chars().count() <= 4
            && inner
                .chars()
                .all(|c| matches!(c, '-' | '_' | ' ' | '.' | '/'));
        if !separators {
            let mut gap = Branch::default();
            gap.gap();
            return Some(vec![gap]);
        }
        let each = inner.chars().map(|c| {
            let mut one = Branch::default();
            one.push(c.encode_utf8(&mut [0; 4]));
            one
        });
        Some(each.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows;
    use super::*;

    #[test]
    fn what_was_meant() {
        for row in rows::<Vec<Vec<String>>>("meant") {
            let meant = row.get(1..).filter(|meant| !meant.is_empty());
            assert_eq!(rewrite(&row[0]).as_deref(), meant, "{}", row[0]);
        }
    }

    #[test]
    fn tasks_it_was_meant_for() {
        assert_eq!(
            example("oauth|social.*auth").as_deref(),
            Some("social and auth")
        );
        assert_eq!(example("^auth$").as_deref(), Some("auth"));
        assert_eq!(example("tests/**/*.ts").as_deref(), Some("tests/a/a.ts"));
    }
}
