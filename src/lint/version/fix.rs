//! What is written in the place of a version that is not used any more.

use super::range::Version;
use super::{Claim, Stale, is_exact, numbers};
use crate::lint::{Fix, Look};
use crate::memory::edit::FieldEdit;

/// The fix that writes the version of the manifests, as long as the old one was written; where
/// they differ, or have fewer numbers, a person has to say.
pub(super) fn fix(look: &Look<'_>, body: &str, stale: &Stale<'_, '_>) -> Option<Fix> {
    let (_, first) = stale.wanted.first()?;
    let same = stale.wanted.iter().all(|(_, one)| one.text == first.text);
    let simple = !first.text.contains([' ', ',', '|', '<', '>', '*', 'x']);
    if !same || !simple || !stale.mention.plain {
        return None;
    }
    let now = Version::parse(numbers(&first.text))?;
    let length = stale.mention.version.0.len();
    if now.0.len() < length {
        return None;
    }
    // One exact version for another of its kind says the same of another release; `Express 5` for
    // `Express 4` may make a sentence wrong that was right.
    let one_kind = now.0.first() == stale.mention.version.0.first();
    let safe = stale.claim == Claim::Used
        && one_kind
        && is_exact(&first.text)
        && now.0.len() == length
        && length > 2;
    let now: Vec<String> = now.0.iter().take(length).map(u64::to_string).collect();
    let now = now.join(".");
    let at = stale.line + stale.mention.bytes.start..stale.line + stale.mention.bytes.end;
    let new = format!("{}{now}{}", body.get(..at.start)?, body.get(at.end..)?);
    let fix = look.edit(format!("write {now} instead"), vec![FieldEdit::Body(new)]);
    Some(Fix { safe, ..fix })
}
