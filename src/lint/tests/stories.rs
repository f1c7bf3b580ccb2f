//! Runs `tests/lint/stories.toml`: a store in which a memory, a person, a model or a baseline decides
//! about findings, and what rules find when something changes afterwards.

use serde::Deserialize;

use super::examples::{new_text, sample, short};
use super::*;
use crate::lint::decisions::renamed;
use crate::lint::judged::fingerprint;

/// A store, and what is found in it after each of several changes.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Story {
    /// The rules that run, all if none is named; and those of which findings count.
    rules: Vec<String>,
    shown: Vec<String>,
    /// True if the baseline is written before the change.
    baseline: bool,
    #[serde(flatten)]
    given: State,
    then: Vec<Row>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct State {
    /// Bodies by name; a change replaces or adds, and an empty body removes.
    memories: BTreeMap<String, String>,
    front: BTreeMap<String, String>,
    words: BTreeMap<String, u32>,
    /// The day of 2026-01 on which a memory was written, by name.
    written: BTreeMap<String, u32>,
    /// A person's answers about the first two memories: rule and answer.
    said: Vec<(String, Resolution)>,
    /// Verdicts of a model about them: a JSON object without ids and fingerprints.
    judged: Vec<String>,
}

/// A change, and what is found after it.
#[derive(Deserialize)]
struct Row {
    /// The change: memories of the same names take the place of those before. Answers are given, and
    /// the baseline is written, before the memories change.
    #[serde(flatten)]
    change: State,
    /// Names that memkeep itself changes in the baseline.
    renamed: Option<(String, String)>,
    /// Beginnings of `NAME OTHERS: RULE SEVERITY LINE:COLUMN MESSAGE`.
    finds: Vec<String>,
    /// Findings that are not reported: in the baseline, and of memories that are gone.
    unreported: Option<[usize; 2]>,
    /// Their fixes in short, or the bodies they make.
    fixes: Option<Vec<String>>,
    /// Their evidence, with what differs or is quoted between `‹` and `›`.
    evidence: Option<Vec<String>>,
}

fn store(state: &State) -> Store {
    let one = |(name, body): (&String, &String)| {
        let front = state.front.get(name).map_or("", String::as_str);
        sample(name, front, body).change(|memory| {
            memory.words = state.words.get(name).copied().unwrap_or(memory.words);
            let day = state
                .written
                .get(name)
                .map(|day| format!("2026-01-{day:02}"));
            memory.created = day.and_then(|day| Timestamp::parse_iso(&day));
        })
    };
    let present = state.memories.iter().filter(|(_, body)| !body.is_empty());
    Store::new(present.map(one).collect())
}

/// The lines of the file of verdicts about the first two memories.
fn lines(store: &Store, state: &State) -> String {
    let line = |rule: &str, fields: &str| {
        let pair = || store.memories.iter().take(2);
        let ids: Vec<String> = pair().map(|memory| memory.id.to_string()).collect();
        let text = |memory| store.texts.text(memory).unwrap();
        let texts: Vec<String> = pair()
            .map(|one| fingerprint(rule, one, &text(one)))
            .collect();
        format!("{{\"ids\":{ids:?},\"texts\":{texts:?},{fields}}}\n")
    };
    let said = state.said.iter().map(|(rule, answer)| {
        line(
            rule,
            &format!("\"rule\":\"{rule}\",\"answer\":\"{}\"", answer.word()),
        )
    });
    let judged = state.judged.iter().map(|fields| line("", fields));
    said.chain(judged).collect()
}

fn wrong(story: &Story, row: &Row) -> Option<String> {
    let before = store(&story.given);
    let (mut state, change) = (story.given.clone(), row.change.clone());
    state.memories.extend(change.memories);
    state.front.extend(change.front);
    state.words.extend(change.words);
    state.written.extend(change.written);
    let mut after = store(&state);
    let rules = Selection::of(&story.rules).unwrap();
    let mut given = before;
    if story.baseline {
        given.leave(&run(&given.cx(), &rules));
    }
    let file = given.file.clone() + &lines(&given, &story.given) + &lines(&given, &row.change);
    let file = match &row.renamed {
        Some((from, to)) => renamed(&file, from, to).unwrap(),
        None => file,
    };
    after.decide(&file);
    let digest = digest(&after.cx(), &rules, usize::MAX);
    let is_shown =
        |one: &&Finding| story.shown.is_empty() || story.shown.iter().any(|rule| rule == one.rule);
    let shown: Vec<&Finding> = digest.findings.iter().filter(is_shown).collect();
    let names = |one: &Finding| {
        let names = one.parties().map(|at| &*after.memories[at].id.local);
        names.collect::<Vec<_>>().join(" ")
    };
    let text = |one: &Finding| {
        let (names, severity) = (names(one), one.severity.word());
        let place = format!("{}:{}", one.line, one.column);
        format!("{names}: {} {severity} {place} {}", one.rule, one.message)
    };
    let finds: Vec<String> = shown.iter().map(|one| text(one)).collect();
    let fixes = shown.iter().filter_map(|one| one.fix.as_deref());
    let fixes = fixes.map(|fix| new_text(fix).unwrap_or_else(|| short(fix)));
    let fixes: Vec<String> = fixes.collect();
    let evidence = shown
        .iter()
        .flat_map(|one| (0..one.evidence.len()).map(|n| one.shown(n)));
    let evidence: Vec<String> = evidence.collect();
    let left = &digest.unreported;
    let unreported = [left.old, left.gone];
    let begin = |all: &[String], starts: &[String]| {
        let starts = starts.iter().map(String::as_str);
        all.len() == starts.len()
            && all
                .iter()
                .zip(starts)
                .all(|(one, start)| one.starts_with(start))
    };
    let is_right = begin(&finds, &row.finds)
        && row.unreported.is_none_or(|expected| expected == unreported)
        && row
            .evidence
            .as_ref()
            .is_none_or(|expected| begin(&evidence, expected))
        && row.fixes.as_ref().is_none_or(|expected| *expected == fixes);
    let memories = (&state.memories, &state.front);
    (!is_right).then(|| format!("{memories:?}\n   finds {finds:?} {unreported:?} {fixes:?}"))
}

#[test]
fn decisions_hold_until_what_they_are_about_changes() {
    let stories: Vec<Story> = crate::text::rows("stories", "story");
    let rows = stories
        .iter()
        .flat_map(|story| story.then.iter().map(move |row| (story, row)));
    let wrongs: Vec<String> = rows.filter_map(|(story, row)| wrong(story, row)).collect();
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}
