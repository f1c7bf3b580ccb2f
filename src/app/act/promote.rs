//! Raising memories, and the ways to promote them beyond their store: to the project, to another
//! section, to a rule.

use std::sync::Arc;

use super::super::convert::Way;
use super::super::msg::{Change, Effect};
use super::super::picker::Picker;
use super::super::prompt::Question;
use super::super::questions::ReadCandidates;
use super::super::slots::Settle;
use super::super::{Model, Overlay, Proposal};
use super::{edits, pairs};
use crate::curate::merge;
use crate::curate::promote::{has_levels, places, rule, sections};
use crate::memory::edit::FieldEdit;
use crate::memory::index;
use crate::memory::{Memory, MemoryId, State, StoreId, Value};

type Effects = Vec<Effect>;

/// Raises memories; of those of the user's own store, and where there is nothing to raise, asks
/// where they are promoted to.
pub fn promote(model: &mut Model) -> Effects {
    let ids = edits::targets(model, State::Active);
    let all = model.world.all_of(&ids);
    let is_plain = |memory: &&Arc<Memory>| has_levels(memory) && !is_users(model, memory);
    match all.iter().all(is_plain) {
        true => edits::raise(model, true),
        false => open(model),
    }
}

/// True for a memory outside the project.
fn is_users(model: &Model, memory: &Memory) -> bool {
    !memory.path.starts_with(&model.root)
}

/// Asks where the memories are promoted to.
pub fn open(model: &mut Model) -> Effects {
    let ids = edits::targets(model, State::Active);
    let rows = ways(model, &ids);
    if rows.is_empty() {
        model
            .status
            .say("it is no memory that can be promoted", None);
        return Vec::new();
    }
    let what = match model.world.all_of(&ids).as_slice() {
        [one] => format!("“{}”", one.title),
        many => format!("{} memories", many.len()),
    };
    let title = format!("Promote {what} to …");
    model.overlay = Some(Overlay::Pick(Picker::ways(title, rows)));
    Vec::new()
}

/// The ways that are open to some memories: what reaches most people first.
fn ways(model: &Model, ids: &[MemoryId]) -> Vec<Way> {
    let all = model.world.all_of(ids);
    let is_context = all.iter().any(|memory| memory.schema.can.context);
    let Some(first) = all.first().filter(|_| !is_context) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let is_used = |id: &StoreId| {
        let mut all = model.world.memories.iter();
        all.any(|memory| memory.id.store == *id)
    };
    let (targets, context) = (&model.destinations, &model.world.memories);
    let mut shared = places(&all, targets, &is_used, context, &model.root);
    let users = all.iter().all(|memory| is_users(model, memory));
    // A memory of the project is raised before it becomes a rule.
    let rules = if users { 0 } else { shared.len() };
    rows.extend(shared.drain(rules..));
    if all.iter().all(|memory| has_levels(memory)) {
        rows.push(Way {
            name: "a higher level".to_owned(),
            about: "its importance, layer or place in the index".to_owned(),
            change: Change::Promote {
                ids: ids.to_vec(),
                up: true,
                sure: true,
            },
        });
    } else if let Some((field, words)) = sections(first).filter(|_| all.len() == 1) {
        rows.extend(words.into_iter().map(|word| Way {
            name: format!("{field} {word}"),
            about: format!("another section of {}", model.shown(&first.path)),
            change: Change::edit(
                &first.id,
                vec![FieldEdit::Set {
                    field: field.to_owned(),
                    value: Value::from(word),
                }],
            ),
        }));
    }
    if let Some(change) = condensed(&all) {
        rows.push(Way {
            name: "one memory".to_owned(),
            about: format!(
                "their texts go into “{}”, the others to the archive",
                first.title
            ),
            change,
        });
    }
    rows.extend(shared);
    rows
}

/// The change that makes the first of several memories say what all say; none where it cannot.
fn condensed(all: &[&Arc<Memory>]) -> Option<Change> {
    let (keep, others) = all.split_first().filter(|(_, others)| !others.is_empty())?;
    if others.len() > 1 && keep.schema.in_rows() {
        return None;
    }
    let merge = |with: &&Arc<Memory>| {
        merge::refusal(keep, with).is_none().then(|| Change::Merge {
            keep: keep.id.clone(),
            with: with.id.clone(),
            delete: false,
        })
    };
    let mut merges = others.iter().map(merge).collect::<Option<Vec<_>>>()?;
    match merges.len() {
        1 => merges.pop(),
        _ => Some(Change::Together(merges)),
    }
}

/// Asks which memories can be promoted.
pub fn candidates(model: &mut Model) -> Effects {
    model.status.say("looking for memories to promote …", None);
    let question = ReadCandidates(model.world.memories.clone());
    vec![model.slots.ask(question)]
}

impl Settle for ReadCandidates {
    fn settle(candidates: Self::Answer, model: &mut Model) -> Vec<Effect> {
        list_candidates(model, candidates);
        Vec::new()
    }
}

/// Lists the memories that can be promoted.
pub fn list_candidates(model: &mut Model, rows: Vec<Way>) {
    model.status.read();
    if rows.is_empty() {
        return model.status.say("no memory can be promoted yet", None);
    }
    model.overlay = Some(Overlay::Pick(Picker::ways("Promotion candidates", rows)));
}

/// Shows what archiving all that has expired or repeats another memory would change.
pub fn prune(model: &mut Model) -> Effects {
    let memories = model.world.memories.iter();
    let expired = memories.filter(|memory| {
        memory.state == State::Active && !memory.schema.can.context && memory.is_expired(model.now)
    });
    let mut ids: Vec<MemoryId> = expired.map(|memory| memory.id.clone()).collect();
    let expired = ids.len();
    let rules = ["near-duplicate", "contained"];
    let findings = model.world.findings().iter();
    let repeats = findings.filter(|finding| rules.contains(&finding.rule));
    for fix in repeats
        .flat_map(|finding| finding.each())
        .filter_map(|one| one.fix.as_deref())
    {
        // Of three that say the same one stays.
        if let Some((id, keep)) = fix.change.gives_up()
            && !ids.contains(id)
            && !keep.is_some_and(|keep| ids.contains(keep))
        {
            ids.push(id.clone());
        }
    }
    let of: Vec<_> = model.world.all_of(&ids).into_iter().cloned().collect();
    if of.is_empty() {
        model
            .status
            .say("nothing has expired or repeats another memory", None);
        return Vec::new();
    }
    let repeated = ids.len() - expired;
    let title = format!("archive {expired} expired and {repeated} repeated memories");
    pairs::propose(model, Proposal::new(title, Change::Archive(ids), of))
}

/// Shows the index of the current memory's store by value; the indexes of all where it has none.
pub fn reorder(model: &mut Model) -> Effects {
    let store = model.current().map(|memory| &memory.id.store);
    let all = model.world.memories.iter();
    let all = all.filter(|memory| memory.index_table().is_some());
    let own = all.clone().filter(|one| Some(&one.id.store) == store);
    let own: Vec<Arc<Memory>> = own.cloned().collect();
    let of = if own.is_empty() {
        all.cloned().collect()
    } else {
        own
    };
    let ids = of.iter().map(|memory| memory.id.clone()).collect();
    let title = index::BY_VALUE.to_owned();
    pairs::propose(model, Proposal::new(title, Change::Reorder(ids), of))
}

/// Shows the diff of a proposed change, and asks whether a rename changes mentions too.
pub fn planned(
    overlay: &mut Option<Overlay>,
    proposal: &mut Proposal,
    diff: Arc<str>,
    mentions: usize,
) {
    *overlay = overlay
        .take()
        .or_else(|| with_mentions(&proposal.change, mentions));
    proposal.diff = Some(diff);
}

/// The question whether a rename changes the places too that mention the old name; None if it has
/// no such places, or changes them.
fn with_mentions(change: &Change, mentions: usize) -> Option<Overlay> {
    let Change::Fix(mut fixes) = change.clone() else {
        return None;
    };
    let mut renames = 0;
    for fix in &mut fixes {
        if let Change::Rename { mentions, .. } = fix {
            renames += usize::from(!std::mem::replace(mentions, true));
        }
    }
    let way = Way {
        name: "change it there too".to_owned(),
        about: "in other memories, context files and agents' files".to_owned(),
        change: Change::Fix(fixes),
    };
    let title = format!("The old name still stands in {mentions} places");
    let asks = mentions > 0 && renames > 0;
    asks.then(|| Overlay::Pick(Picker::ways(title, vec![way])))
}

/// Mark for a line break in a rule that is typed in one line.
const BREAK: &str = "↵";

/// Previews a way to promote; the text of a rule can be edited first.
pub(super) fn take(model: &mut Model, way: Option<Way>) -> Effects {
    let Some(way) = way else {
        return Vec::new();
    };
    let read = model.reading.of.as_ref().zip(model.reading.text());
    let read = read.filter(|((id, _), _)| way.change.ids() == [id]);
    let memory = read.and_then(|((id, _), _)| model.world.all_of(std::slice::from_ref(id)).pop());
    let Some(memory) = memory.filter(|_| matches!(way.change, Change::Rule { .. })) else {
        return show(model, way);
    };
    let text = rule(&memory.title, model.reading.body());
    let line = text
        .as_ref()
        .map(|text| text.replace('\n', &format!(" {BREAK} ")));
    let line = line.unwrap_or_default();
    if let Err(why) = text {
        model.status.say(format!("{why}: type a rule"), None);
    }
    model.ask(Question::Rule(Box::new(way)), &line)
}

/// Shows the rule that was typed in its file.
pub(super) fn accept_rule(model: &mut Model, mut way: Way, typed: &str) -> Effects {
    let lines = typed.split(BREAK).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        model
            .status
            .say("a rule needs a text: nothing was done", None);
        return Vec::new();
    }
    if let Change::Rule { line, .. } = &mut way.change {
        *line = Some(lines.join("\n"));
    }
    show(model, way)
}

/// Shows what a way would change.
fn show(model: &mut Model, way: Way) -> Effects {
    let ids: Vec<MemoryId> = way.change.ids().into_iter().cloned().collect();
    let what = match ids.as_slice() {
        [one] => one.to_string(),
        many => format!("{} memories", many.len()),
    };
    let of = model.world.all_of(&ids).into_iter().cloned().collect();
    let title = match way.change {
        Change::Promote { .. } | Change::Convert { .. } => {
            format!("promote {what}: {}", way.about)
        }
        Change::Fix(_) => format!("rename {what}, and {}", way.name),
        _ => format!("promote {what} to {}", way.name),
    };
    pairs::propose(model, Proposal::new(title, way.change, of))
}
