//! Whether two statements tell what came out of two runs of the same.

use super::Pair;
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

impl Pair<'_, '_> {
    /// Whether both tell how long or how much it took once, and only figures of it differ: each run
    /// may come out otherwise.
    pub(super) fn are_runs(&self) -> bool {
        let figures = |one: &Statement<'_>, tokens: &[Token]| {
            let mut content = tokens.iter().filter(|token| token.kind != Kind::Stop);
            content.all(|token| is_figure(one, token))
        };
        self.changes.iter().all(|change| {
            let (a, b) = self.tokens(change);
            figures(self.a, a) && figures(self.b, b)
        }) && is_run(self.a)
            && is_run(self.b)
    }
}

/// Whether a word is a number, or about one: `~40`.
fn is_figure(one: &Statement<'_>, token: &Token) -> bool {
    let word = one.word(token).trim_start_matches('~');
    let unit = table::is_symbol(word) || table::is_unit(word);
    unit || token.kind.is_number() || word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether it tells a quantity with a unit, and that it was measured, and makes no rule of it.
fn is_run(one: &Statement<'_>) -> bool {
    let word = |n: usize| {
        let token = one.tokens.get(n);
        token.map(|token| one.word(token).to_lowercase())
    };
    let numbers = one.tokens.iter().enumerate();
    let numbers = numbers.filter(|(_, token)| is_figure(one, token));
    let (mut of, mut about) = (false, false);
    let mut unit = false;
    for (n, token) in numbers {
        let text = one.word(token);
        let before = one.text.get(..token.at.start).unwrap_or_default();
        about |= text.starts_with('~') || before.trim_end().ends_with(['~', '≈']);
        let tail = text.trim_start_matches(|c: char| !c.is_alphabetic());
        let next = word(n + 1).unwrap_or_default();
        let counted = |unit: &str| table::is_unit(unit) || table::is_symbol(unit);
        unit |= counted(tail) || counted(&next);
        // All of them were done: `573/573`.
        of |= text
            .split_once('/')
            .is_some_and(|(done, all)| done == all && !all.is_empty());
    }
    let any = |words: &table::Words| {
        let mut tokens = one.tokens.iter();
        tokens.any(|token| words.has(&one.word(token).to_lowercase()))
    };
    unit && (any(&table::CAME_OUT) || (about && of)) && !any(&table::RULES)
}
