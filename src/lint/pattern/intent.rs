//! Rewrites regular expressions into patterns that the matcher understands.

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{AssertionKind, Ast, ClassPerlKind, RepetitionKind};

use super::syntax;
use crate::retrieval::js::trim;

/// The most texts one pattern may stand for.
const MOST: usize = 12;
/// Groups within groups of a pattern that is read.
const DEEPEST: u32 = 8;

/// Stands for anything in a text.
const GAP: char = '\u{1}';
/// Stands for a boundary that is left out.
const BOUND: char = '\u{2}';
/// Stands for a sign that may have been meant for something else, as in `$TARGET`.
const UNSURE: char = '\u{3}';

/// The parts of a text between its gaps.
fn parts(text: &str) -> Vec<String> {
    let parts = text
        .split(GAP)
        .map(|part| part.replace([BOUND, UNSURE], ""));
    let parts = parts.map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// A task that the pattern was meant for.
pub(super) fn example(written: &str) -> Option<String> {
    let texts: Vec<Vec<String>> = texts(written)?.iter().map(|text| parts(text)).collect();
    // Prefer an example with a gap.
    let mut all = texts.iter();
    let parts = all.find(|parts| parts.len() > 1).or(texts.first())?;
    // Within the path of a file a gap is a name.
    let path = parts.len() > 1 && parts.iter().any(|part| part.contains('/'));
    let task = parts.join(if path { "a" } else { " and " });
    (!task.is_empty()).then_some(task)
}

/// Patterns that say the same and are read as they are meant; none where that is not certain.
pub(super) fn rewrite(written: &str) -> Option<Vec<String>> {
    let (mut literals, mut items): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for text in texts(written)? {
        let mut parts = parts(&text);
        // A sign alone between two gaps: `tests/**/*.ts`.
        let last = parts.len().saturating_sub(1);
        let mut n = 0;
        parts.retain(|part| {
            n += 1;
            n == 1 || n > last || !matches!(part.as_str(), "/" | "." | "-" | "_")
        });
        // A short text without what bounded it stands in too many words.
        let least = if text.contains(BOUND) { 4 } else { 2 };
        let short = parts.iter().any(|part| part.chars().count() < least);
        if text.contains(UNSURE) || parts.is_empty() || short {
            return None;
        }
        let special = |c| "^$\\()[]{}+|*?\n".contains(c);
        match parts.as_slice() {
            [one] if syntax::of(one).is_some() || one.contains(['|', '*', '?', '\n', '{']) => {
                return None;
            }
            [one] => literals.push(one.clone()),
            several if several.iter().any(|part| part.contains(special)) => return None,
            several => items.push(several.join(".*")),
        }
    }
    // A text that holds another one adds nothing to it.
    let mut kept: Vec<&str> = Vec::new();
    for text in &literals {
        let holds = |other: &String| other != text && text.contains(other.as_str());
        if !literals.iter().any(holds) && !kept.contains(&text.as_str()) {
            kept.push(text);
        }
    }
    let joined = (!kept.is_empty()).then(|| kept.join("|"));
    let mut patterns: Vec<String> = joined.into_iter().chain(items).collect();
    patterns.dedup();
    Some(patterns)
}

/// The texts that a pattern stands for.
fn texts(written: &str) -> Option<Vec<String>> {
    let text = trim(written);
    let text = text.strip_prefix("(?i)").unwrap_or(text);
    let slashed = text
        .strip_prefix('/')
        .and_then(|text| text.strip_suffix("/i"));
    // A `*` with nothing to repeat is a wildcard.
    let text = format!("|{}", slashed.unwrap_or(text)).replace("|*", "|.*");
    let text = text.strip_prefix('|').filter(|text| text.len() <= 300)?;
    let parser = ParserBuilder::new().nest_limit(DEEPEST).build().parse(text);
    all(&parser.ok()?, text)
}

/// The texts that a part of a pattern stands for.
fn all(ast: &Ast, source: &str) -> Option<Vec<String>> {
    let one = |c: char| Some(vec![c.to_string()]);
    let found = match ast {
        Ast::Empty(_) => vec![String::new()],
        Ast::Literal(literal) => return one(literal.c),
        // A dot alone is the dot of a file name more often than any character.
        Ast::Dot(_) => return one('.'),
        Ast::Assertion(assertion) => {
            // A `$` with a name behind it.
            let behind = source.get(assertion.span.end.offset..)?.chars().next();
            let is_name = assertion.kind == AssertionKind::EndLine
                && behind.is_some_and(|c| c.is_alphanumeric() || c == '_');
            return one(if is_name { UNSURE } else { BOUND });
        }
        Ast::ClassPerl(class) if class.negated => return None,
        Ast::ClassPerl(class) if class.kind == ClassPerlKind::Space => return one(' '),
        Ast::ClassPerl(_) => return one(GAP),
        Ast::ClassBracketed(class) => {
            // A class of a few separators is each of them; any other is a gap.
            let inner = source.get(class.span.start.offset + 1..class.span.end.offset - 1)?;
            let inner = inner.replace("\\s", " ").replace('\\', "");
            let is_separators = inner.len() <= 4 && inner.chars().all(|c| "-_ ./".contains(c));
            if !is_separators {
                return one(GAP);
            }
            inner.chars().map(String::from).collect()
        }
        Ast::Repetition(repetition) if matches!(*repetition.ast, Ast::Dot(_)) => return one(GAP),
        Ast::Repetition(one) => repeated(all(&one.ast, source)?, &one.op.kind)?,
        Ast::Group(group) => all(&group.ast, source)?,
        Ast::Alternation(alternation) => {
            let each = alternation.asts.iter().map(|ast| all(ast, source));
            each.collect::<Option<Vec<_>>>()?.concat()
        }
        Ast::Concat(concat) => {
            let mut texts = vec![String::new()];
            for ast in &concat.asts {
                let ends = all(ast, source)?;
                let join = |text| ends.iter().map(move |end| format!("{text}{end}"));
                texts = texts.iter().flat_map(join).collect();
                if texts.len() > MOST {
                    return None;
                }
            }
            texts
        }
        _ => return None,
    };
    (found.len() <= MOST).then_some(found)
}

/// The texts that a quantifier makes of these.
fn repeated(mut texts: Vec<String>, kind: &RepetitionKind) -> Option<Vec<String>> {
    use RepetitionKind::{OneOrMore, Range, ZeroOrMore, ZeroOrOne};
    let is_blank = texts.iter().all(|text| parts(text).is_empty());
    let is_gap = texts.iter().all(|text| text.ends_with(GAP));
    match kind {
        _ if is_gap => {}
        OneOrMore if is_blank => {}
        ZeroOrMore if is_blank => texts.push(String::new()),
        ZeroOrOne => texts.insert(0, String::new()),
        // `auth*`: who writes it means a wildcard.
        ZeroOrMore => texts.iter_mut().for_each(|text| text.push(GAP)),
        OneOrMore | Range(_) => return None,
    }
    Some(texts)
}
