//! How the matcher reads a pattern (SPEC-0007, "Relevance Matching").

use crate::retrieval::regexp::{RegExp, RegExpError, Utf16Text};

/// What a pattern is to the matcher.
#[derive(Debug)]
pub(super) enum Reading {
    /// Texts to look for, one of which is enough.
    Alternatives(Vec<String>),
    /// A regular expression.
    Expression {
        /// What is compiled.
        source: String,
        /// The result.
        regexp: Box<RegExp>,
    },
    /// What should be a regular expression and is refused.
    Refused {
        /// What is compiled.
        source: String,
        /// Why it is not.
        error: RegExpError,
    },
    /// A text to look for.
    Literal(String),
}

impl Reading {
    /// Reads a pattern.
    pub(super) fn of(written: &str) -> Self {
        let normal = written.to_lowercase();
        let normal = trim(&normal);
        if normal.contains('|') {
            return Self::Alternatives(normal.split('|').map(|one| trim(one).into()).collect());
        }
        let source = if normal.contains(['*', '?']) {
            normal.replace('*', ".*").replace('?', ".")
        } else if normal.contains('.') && normal.contains('{') {
            normal.to_owned()
        } else {
            return Self::Literal(normal.to_owned());
        };
        match RegExp::new(&source, true) {
            Ok(regexp) => Self::Expression {
                source,
                regexp: regexp.into(),
            },
            Err(error) => Self::Refused { source, error },
        }
    }

    /// Whether a task brings it in, no agent being named. What takes too long does not.
    pub(super) fn matches(&self, task: &str) -> bool {
        let text = format!("{task} ").to_lowercase();
        match self {
            Self::Alternatives(all) => all.iter().any(|one| text.contains(one)),
            Self::Expression { regexp, .. } => {
                regexp.is_match(&Utf16Text::new(&text)).unwrap_or(false)
            }
            Self::Refused { .. } => false,
            Self::Literal(literal) => text.contains(literal),
        }
    }
}

/// What JavaScript's `trim` leaves.
pub(super) fn trim(text: &str) -> &str {
    let blank = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
    text.trim_matches(blank)
}
