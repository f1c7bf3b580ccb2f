//! The kinds of patterns, by which the matcher reads them.

use crate::memory::steps::step;
use crate::retrieval::regexp::{RegExp, RegExpError, Utf16Text};
use crate::systems::rawko::Dialect;
use crate::systems::rawko::pattern::{self, normalized, reading};

/// A pattern as the matcher reads it.
#[derive(Debug)]
pub(super) enum Reading {
    /// Texts to look for, one of which is enough.
    Alternatives(Vec<String>),
    /// A regular expression.
    Expression {
        /// The compiled source.
        source: String,
        /// The result.
        regexp: Box<RegExp>,
    },
    /// A source that should be a regular expression and is refused.
    Refused {
        /// The compiled source.
        source: String,
        /// Why it is not.
        error: RegExpError,
    },
    /// A text to look for.
    Literal(String),
}

impl Reading {
    /// Reads a pattern as the matcher does.
    pub(super) fn of(written: &str) -> Self {
        step(written.len());
        let normal = normalized(written);
        let source = match reading(&normal, Dialect::Arbiter) {
            pattern::Reading::Alternatives(all) => {
                return Self::Alternatives(all.into_iter().map(ToOwned::to_owned).collect());
            }
            pattern::Reading::Substring(text) => return Self::Literal(text.to_owned()),
            pattern::Reading::Wildcard(source) => source,
            pattern::Reading::Regex(source) => source.to_owned(),
        };
        match RegExp::new(&source, true) {
            Ok(regexp) => Self::Expression {
                source,
                regexp: regexp.into(),
            },
            Err(error) => Self::Refused { source, error },
        }
    }

    /// True if a task brings it in, no agent being named. False if matching takes too long.
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
