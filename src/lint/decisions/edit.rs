//! Changes of the text of the file of decisions.

use std::collections::{BTreeMap, HashSet};

use super::line::LEAVE;
use super::{Decision, Decisions};
use crate::curate::DecisionKey;

/// The text of the file without decisions about findings, each as often as given, and with others;
/// further lines stay as they are.
pub fn rewritten(text: &str, gone: &[(DecisionKey, usize)], new: Vec<Decision>) -> String {
    let before = Decisions::parse(text);
    let known = |key: &DecisionKey| before.left().find(|one| one.key() == *key);
    let mut added: BTreeMap<DecisionKey, Decision> = BTreeMap::new();
    for mut decision in new {
        let key = decision.key();
        // Either of two memories may have been the one it was found in.
        if let Some(known) = added.get(&key).or_else(|| known(&key)) {
            let more = usize::from(key.ids.len() == 1);
            decision.count = (known.count * more + 1).max(1);
            decision.reason = decision.reason.or_else(|| known.reason.clone());
        }
        added.insert(key, decision);
    }
    for (key, count) in gone {
        if let Some(known) = known(key).filter(|known| known.count > *count) {
            let count = known.count - count;
            let fewer = Decision {
                count,
                ..known.clone()
            };
            added.entry(key.clone()).or_insert(fewer);
        }
    }
    let replaced = gone.iter().map(|(key, _)| key).chain(added.keys());
    let replaced: HashSet<&DecisionKey> = replaced.collect();
    let is_kept = |line: &&str| {
        let decision = serde_json::from_str::<Decision>(line.trim_start_matches('\u{feff}'));
        let decision = decision.ok().filter(|one| one.answer == LEAVE);
        decision.is_none_or(|one| !replaced.contains(&one.sorted().key()))
    };
    let mut text: String = text.split_inclusive('\n').filter(is_kept).collect();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.extend(added.values().map(Decision::to_line));
    text
}

/// The text of the file with another id for a memory; none if it does not name the memory.
pub fn renamed(text: &str, from: &str, to: &str) -> Option<String> {
    let [from, to] = [from, to].map(|id| serde_json::Value::from(id).to_string());
    text.contains(&from).then(|| text.replace(&from, &to))
}
