//! Asks a model how a store could be better: requests with findings and use, and the answer as advice
//! whose quotes stand in its memories.

use std::collections::HashMap;

use itertools::Itertools as _;

use super::answer::{
    Fields, Known, confidence, find_note, known, objects, says_none, value, words_of,
};
use super::request::{Note, OVERHEAD, Room, attribute, groups, nearest, unescaped};
use crate::lint::mask;
use crate::memory::{Timestamp, tokens_of};
use crate::retrieval::Previews;
use crate::text::cut;

const QUESTION: &str = include_str!("../../assets/agent/tidy.md");

const FACTS: &str = "\nFindings, use and words:\n";

/// Bytes of the facts about one memory.
const LONGEST: usize = 600;

const MOST: usize = 300;

/// Actions, and whether each needs a title, a text and several memories.
const ACTIONS: [(&str, [bool; 3]); 7] = [
    ("archive", [false, false, false]),
    ("merge", [false, true, true]),
    ("rewrite", [false, true, false]),
    ("split", [true, true, false]),
    ("title", [true, false, false]),
    ("patterns", [false, false, false]),
    ("lesson", [true, true, false]),
];

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    pub action: &'static str,
    pub ids: Vec<String>,
    /// Words of them that show it.
    pub quotes: Vec<String>,
    pub title: Option<String>,
    pub content: String,
    pub patterns: Vec<String>,
    pub why: String,
    pub confidence: Option<f64>,
}

/// The requests about a store within a budget of tokens; each memory meets what is near to it.
pub fn requests(
    notes: &[Note],
    facts: &HashMap<String, String>,
    (previews, now): (&dyn Previews, Timestamp),
    budget: usize,
) -> Vec<String> {
    let fact = |note: &Note| {
        let fact = facts.get(&note.id)?;
        let (id, fact) = (attribute(&note.id), attribute(&mask(cut(fact, LONGEST))));
        Some(format!("\"{id}\": {fact}\n"))
    };
    let size = |note: &Note| note.tokens() + fact(note).map_or(0, |fact| tokens_of(fact.len()));
    let sizes = notes.iter().map(size).collect_vec();
    let each = OVERHEAD + tokens_of(QUESTION.len());
    let room = Room {
        group: budget.saturating_sub(each),
        each,
        most: sizes.iter().sum(),
    };
    let all = match room.most <= room.group {
        true => vec![(0..notes.len()).collect_vec()],
        false => groups(&sizes, &nearest(notes, previews, now), room),
    };
    let request = |members: Vec<usize>| {
        let members = members.iter().filter_map(|at| notes.get(*at));
        let blocks = members.clone().map(|note| &*note.block).join("");
        let facts = members.filter_map(fact).join("");
        format!("{QUESTION}\n{blocks}{FACTS}{facts}")
    };
    let all = all.into_iter().filter(|members| !members.is_empty());
    all.map(request).collect()
}

/// Reads an answer: the advice that counts, and why other lines do not. An error says why it is
/// none.
pub fn read(text: &str, notes: &[Note]) -> Result<(Vec<Advice>, Vec<String>), String> {
    let mut all = objects(text, "action")?;
    all.retain(|fields| fields.contains_key("action"));
    if all.is_empty() && !says_none(text) {
        return Err("it holds no `action`".to_owned());
    }
    let known = known(notes);
    let (mut advice, mut rejected) = (Vec::new(), Vec::new());
    for fields in all.iter().take(MOST) {
        match one(fields, &known) {
            Ok(one) if !advice.contains(&one) => advice.push(one),
            Ok(_) => {}
            Err(why) => rejected.push(why),
        }
    }
    match (advice.is_empty(), rejected.first()) {
        (true, Some(why)) => Err(why.clone()),
        _ => Ok((advice, rejected)),
    }
}

/// The advice of an object, or why it does not count.
fn one(fields: &Fields, known: &HashMap<&str, Known<'_>>) -> Result<Advice, String> {
    let all = |name: &str| {
        let both = [fields.get(name), fields.get(&format!("{name}s"))];
        let values = both.into_iter().flatten().flatten();
        let values = values.map(|value| value.trim());
        values.filter(|value| !value.is_empty())
    };
    let word = value(fields, "action").unwrap_or_default().to_lowercase();
    let action = ACTIONS.iter().find(|(action, _)| *action == word);
    let (action, [needs_title, needs_text, is_many]) =
        action.ok_or_else(|| format!("`{word}` is no action"))?;
    let of_ids = all("id").map(|id| find_note(known, id));
    let of_ids: Vec<&Known<'_>> = of_ids.collect::<Result<_, _>>()?;
    let of_ids = of_ids.into_iter().unique_by(|(note, _)| &note.id);
    let of_ids = of_ids.collect_vec();
    if of_ids.is_empty() || (of_ids.len() > 1) != *is_many {
        return Err(format!("`{action}` is about {} memories", of_ids.len()));
    }
    let mut quotes = Vec::new();
    for quote in all("quote") {
        let found = of_ids.iter().find_map(|note| words_of(note, quote).ok());
        let none = || format!("“{}” stands in none of its memories", cut(quote, 80));
        quotes.push(found.ok_or_else(none)?);
    }
    let is_shown = |note: &Known<'_>| quotes.iter().any(|quote| words_of(note, quote).is_ok());
    if let Some((note, _)) = of_ids.iter().find(|note| !is_shown(note)) {
        return Err(format!("no quote of `{}` shows it", note.id));
    }
    let title = value(fields, "title").filter(|title| !title.is_empty());
    let content = value(fields, "content").map(unescaped).unwrap_or_default();
    let patterns = all("pattern").map(str::to_owned).collect_vec();
    let lacks = [
        (*needs_title && title.is_none(), "title"),
        (*needs_text && content.trim().is_empty(), "content"),
        (*action == "patterns" && patterns.is_empty(), "patterns"),
    ];
    if let Some((_, key)) = lacks.iter().find(|(lacks, _)| *lacks) {
        return Err(format!("`{action}` has no `{key}`"));
    }
    Ok(Advice {
        action,
        ids: of_ids.iter().map(|(note, _)| note.id.clone()).collect(),
        quotes,
        title: title.map(str::to_owned),
        content,
        patterns,
        why: value(fields, "why").unwrap_or_default().to_owned(),
        confidence: value(fields, "confidence").and_then(confidence),
    })
}
