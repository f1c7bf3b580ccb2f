//! Statements of several clauses: what is said before a reason, and before what only one adds.

use super::{Relation, compare_all};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

/// Compares two statements; where one goes on with a reason, what it says before as well.
pub fn compare(a: &Statement<'_>, b: &Statement<'_>) -> Relation {
    let whole = compare_all(a, b);
    if matches!(whole, Relation::Contradiction { .. }) {
        return whole;
    }
    let plain =
        |head: &Relation| matches!(head, Relation::Contradiction { slot, .. } if slot.is_plain());
    let head = compare_heads(a, b).filter(plain);
    if matches!(whole, Relation::Same(_)) {
        return head.unwrap_or(whole);
    }
    let head = head.or_else(|| compare_ends(a, b).filter(plain));
    head.unwrap_or(whole)
}

/// Compares what is said before a reason or a further clause, where there is one.
fn compare_heads(a: &Statement<'_>, b: &Statement<'_>) -> Option<Relation> {
    let near = match (a.head_tokens(), b.head_tokens()) {
        (Some(head), None) => are_near(head, &b.tokens),
        (None, Some(head)) => are_near(&a.tokens, head),
        // Where both go on, what follows tells them apart, unless it is about the same as well.
        (Some(x), Some(y)) => {
            let tail = |one: &'_ Statement<'_>, head: &[Token]| {
                one.tokens.get(head.len()..).unwrap_or_default().to_vec()
            };
            let remarked = || a.ends_in_remark(x) || b.ends_in_remark(y);
            are_near(x, y) && (remarked() || are_near(&tail(a, x), &tail(b, y)))
        }
        (None, None) => false,
    };
    let (x, y) = (a.head(), b.head());
    near.then(|| compare_all(x.as_ref().unwrap_or(a), y.as_ref().unwrap_or(b)))
}

/// Compares a statement with the words of the other up to where it ends itself, where the other
/// goes on with `and` or the like, and neither with what this one says in another place nor with
/// where the rest holds: a rule and its exception may hold both.
fn compare_ends(a: &Statement<'_>, b: &Statement<'_>) -> Option<Relation> {
    const OTHERS: usize = 2;
    let turned = a.tokens.len() > b.tokens.len();
    let (short, long) = if turned { (b, a) } else { (a, b) };
    let end = short.tokens.len();
    let (said, rest) = long.tokens.split_at_checked(end)?;
    let joined = rest.first()?;
    let word = long.word(joined).to_lowercase();
    let joins = joined.kind == Kind::Stop && table::JOINING.has(&word);
    if !(joins || table::GOING_ON.has(&word)) || (long.is_scope(rest) && !short.is_outright()) {
        return None;
    }
    let pairs = short.tokens.iter().zip(said);
    let own: Vec<u32> = pairs
        .filter(|(own, other)| own.hash != other.hash)
        .map(|(own, _)| own.hash)
        .collect();
    // Who denies there what the other says contradicts it twice.
    let again = joined.kind != Kind::Negation && rest.iter().any(|token| own.contains(&token.hash));
    if own.is_empty() || own.len() > OTHERS || again {
        return None;
    }
    let long = long.until(end)?;
    Some(match turned {
        true => compare_all(&long, short),
        false => compare_all(short, &long),
    })
}

/// Whether about half of the words of two statements are in both.
fn are_near(a: &[Token], b: &[Token]) -> bool {
    const LEAST: f64 = 0.5;
    let weight = |tokens: &[Token]| tokens.iter().map(|token| token.kind.weight()).sum::<f64>();
    let known = |token: &&Token| b.iter().any(|one| one.hash == token.hash);
    let common = a.iter().filter(known).map(|token| token.kind.weight());
    2.0 * common.sum::<f64>() >= LEAST * (weight(a) + weight(b))
}
