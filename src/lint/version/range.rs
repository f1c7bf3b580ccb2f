//! Versions and what the ranges of the package managers let in.

use std::cmp::Ordering;

/// A version as it is written: up to four numbers, without what comes behind them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version(pub Vec<u64>);

/// Versions from one on up to another one, which is not among them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    from: Vec<u64>,
    to: Option<Vec<u64>>,
}

/// Versions that a requirement lets in: any of these spans.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Range(pub Vec<Span>);

/// Whose rules a requirement follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager {
    /// A bare version lets in what is compatible: `0.7` is `^0.7`.
    Cargo,
    /// A bare version is exact.
    Npm,
    /// Specifiers of PEP 440, and Poetry's `^`.
    Python,
    /// A version as it is.
    Exact,
}

impl Version {
    /// Reads `1.2.3`, `v1.2`, `1.x`; what follows the numbers is not looked at.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches(['v', 'V', '=']);
        let mut numbers = Vec::new();
        for part in text.split('.') {
            let end = part
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(part.len());
            let (digits, rest) = part.split_at(end);
            if digits.is_empty() {
                break;
            }
            numbers.push(digits.parse().ok()?);
            if !rest.is_empty() || numbers.len() == 4 {
                break;
            }
        }
        (!numbers.is_empty()).then_some(Self(numbers))
    }

    /// The same with the number at this place one higher and none behind it.
    fn next_at(&self, place: usize) -> Vec<u64> {
        let mut next: Vec<u64> = self.0.iter().copied().take(place + 1).collect();
        next.resize(place + 1, 0);
        if let Some(last) = next.last_mut() {
            *last = last.saturating_add(1);
        }
        next
    }

    /// The versions that begin like this one: `1.2` is `1.2.*`.
    pub fn family(&self) -> Span {
        Span {
            from: self.0.clone(),
            to: Some(self.next_at(self.0.len().saturating_sub(1))),
        }
    }

    /// The compatible ones: up to the next of the first number that is not 0.
    pub fn caret(&self) -> Span {
        let first = self.0.iter().position(|number| *number != 0);
        let place = first.unwrap_or(self.0.len().saturating_sub(1));
        Span {
            from: self.0.clone(),
            to: Some(self.next_at(place)),
        }
    }

    /// Those with the same first numbers: all but the last, but no more than two.
    pub fn tilde(&self, python: bool) -> Span {
        let place = if python {
            self.0.len().saturating_sub(2)
        } else {
            self.0.len().saturating_sub(1).min(1)
        };
        Span {
            from: self.0.clone(),
            to: Some(self.next_at(place)),
        }
    }

    /// Those below this one, or up to it.
    pub fn below(&self, with: bool) -> Span {
        let to = if with { self.family().to } else { None };
        Span {
            from: Vec::new(),
            to: Some(to.unwrap_or_else(|| self.0.clone())),
        }
    }

    /// The number that says whether two versions are compatible: the first that is not 0.
    pub fn epoch(&self) -> Vec<u64> {
        let first = self.0.iter().position(|number| *number != 0).unwrap_or(0);
        self.0.iter().copied().take(first + 1).collect()
    }
}

/// Orders versions; what is not written is 0.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    let length = a.len().max(b.len());
    let at = |list: &[u64], n: usize| list.get(n).copied().unwrap_or(0);
    (0..length)
        .map(|n| at(a, n).cmp(&at(b, n)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

impl Span {
    const fn everything() -> Self {
        Self {
            from: Vec::new(),
            to: None,
        }
    }

    fn and(self, other: &Self) -> Self {
        let from = if compare(&self.from, &other.from).is_lt() {
            other.from.clone()
        } else {
            self.from
        };
        let to = match (self.to, &other.to) {
            (Some(a), Some(b)) if compare(&a, b).is_gt() => Some(b.clone()),
            (Some(a), _) => Some(a),
            (None, b) => b.clone(),
        };
        Self { from, to }
    }

    fn is_empty(&self) -> bool {
        self.to
            .as_ref()
            .is_some_and(|to| compare(&self.from, to).is_ge())
    }

    /// The versions from one on.
    pub fn from(version: &Version) -> Self {
        Self {
            from: version.0.clone(),
            to: None,
        }
    }
}

impl Range {
    /// Whether some version is in both.
    pub fn meets(&self, span: &Span) -> bool {
        self.0.iter().any(|own| !own.clone().and(span).is_empty())
    }

    /// Whether even the lowest version that is let in is above this one, as far as this is written.
    pub fn is_above(&self, version: &Version) -> bool {
        let above = |span: &Span| {
            let from = span.from.get(..version.0.len()).unwrap_or(&span.from);
            compare(&version.0, from).is_lt()
        };
        self.0.iter().all(above)
    }

    /// Reads a requirement; none where it says nothing of versions: `*`, `latest`, a path.
    pub fn parse(text: &str, manager: Manager) -> Option<Self> {
        let text = text.trim();
        let spans: Option<Vec<Span>> = text.split("||").map(|part| all_of(part, manager)).collect();
        let spans = spans?;
        let open = spans
            .iter()
            .any(|span| span.from.is_empty() && span.to.is_none());
        (!open).then_some(Self(spans))
    }
}

/// What satisfies each part of a requirement.
fn all_of(text: &str, manager: Manager) -> Option<Span> {
    if let Some((from, to)) = text.split_once(" - ") {
        let (from, to) = (Version::parse(from)?, Version::parse(to)?);
        return Some(Span::from(&from).and(&Span {
            from: Vec::new(),
            to: to.family().to,
        }));
    }
    let mut all = Span::everything();
    // `>= 1.2, < 2` with its blanks behind the signs taken out.
    let mut joined = text.replace(',', " ");
    for sign in [">=", "<=", "~=", "==", "!=", "^", "~", ">", "<", "="] {
        while joined.contains(&format!("{sign} ")) {
            joined = joined.replace(&format!("{sign} "), sign);
        }
    }
    for part in joined.split_whitespace() {
        if !part.starts_with("!=") {
            all = all.and(&one(part, manager)?);
        }
    }
    Some(all)
}

/// One comparison.
fn one(text: &str, manager: Manager) -> Option<Span> {
    if matches!(text, "*" | "x" | "X") {
        return Some(Span::everything());
    }
    let signs = text
        .find(|c: char| !matches!(c, '<' | '>' | '=' | '~' | '^'))
        .unwrap_or(text.len());
    let (sign, rest) = text.split_at(signs);
    let version = Version::parse(rest)?;
    Some(match sign {
        ">=" | ">" => Span::from(&version),
        "<" => version.below(false),
        "<=" => version.below(true),
        "^" => version.caret(),
        "~" => version.tilde(false),
        "~=" => version.tilde(true),
        "" if manager == Manager::Cargo => version.caret(),
        "" | "=" | "==" | "===" => version.family(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_held_against_a_requirement_by_the_rules_of_its_manager() {
        use Manager::{Cargo, Exact, Npm, Python};
        for (manager, requirement, version, expected) in [
            (Cargo, "0.8", "0.7", false),
            (Cargo, "0.8", "0.8", true),
            (Cargo, "0.7", "0.7.4", true),
            (Cargo, "1.2", "1", true),
            (Cargo, "1.2.3", "1.9", true),
            (Cargo, "1", "2", false),
            (Cargo, "=1.2.3", "1.2.4", false),
            (Cargo, ">=1.2, <1.5", "1.5", false),
            (Cargo, ">= 1.2, < 1.5", "1.4", true),
            (Npm, "5.1.0", "4.19.2", false),
            (Npm, "5.1.0", "5", true),
            (Npm, "5.1.0", "5.1", true),
            (Npm, "^5.1.0", "5.3.1", true),
            (Npm, "^0.2.3", "0.3", false),
            (Npm, "~1.2.3", "1.3", false),
            (Npm, "~1.2.3", "1.2.9", true),
            (Npm, ">=22", "20", false),
            (Npm, ">=22", "24", true),
            (Npm, "18.x || 20.x", "20", true),
            (Npm, "18.x || >=20", "19", false),
            (Npm, "1.2 - 1.4", "1.4.9", true),
            (Npm, "1.2 - 1.4", "1.5", false),
            (Python, ">=3.10,<4", "3.9", false),
            (Python, "~=2.1", "2.9", true),
            (Python, "~=2.1.3", "2.2", false),
            (Python, "==4.2.*", "4.2.7", true),
            (Python, "^3.11", "3.12", true),
            (Python, "!=1.0,>=0.9", "0.8", false),
            (Exact, "v1.9.1", "1.9", true),
            (Exact, "v1.9.1", "1.8", false),
            (Exact, "17", "21", false),
        ] {
            let range = Range::parse(requirement, manager).unwrap();
            let version = Version::parse(version).unwrap();
            assert_eq!(
                range.meets(&version.family()),
                expected,
                "{requirement} {version:?}"
            );
        }
        let newer = Span::from(&Version(vec![20]));
        assert!(
            Range::parse(">=22", Npm).unwrap().meets(&newer),
            "20 or newer"
        );
    }

    #[test]
    fn what_says_nothing_of_versions_is_no_range() {
        for text in [
            "*",
            "latest",
            "workspace:*",
            "file:../x",
            "github:a/b",
            "^",
            "next",
        ] {
            assert_eq!(Range::parse(text, Manager::Npm), None, "{text}");
        }
        assert_eq!(Version::parse("1.2.3-beta.4"), Some(Version(vec![1, 2, 3])));
        assert_eq!(Version::parse("x"), None);
        assert_eq!(Version(vec![0, 7, 4]).epoch(), [0, 7]);
        assert_eq!(Version(vec![5, 1]).epoch(), [5]);
    }
}
