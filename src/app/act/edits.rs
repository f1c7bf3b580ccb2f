//! Commands that change a store: edits and fixes, promotions, decisions of the review.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::hints::{Again, Why};
use super::super::layout::{Room, room};
use super::super::msg::{Change, Effect};
use super::super::overlay::{Choice, Question, Subject};
use super::super::proposal::{self, Proposal, propose, suggestion};
use super::super::queue::{Card, Decision};
use super::super::{Model, Overlay, Page, Pane, View, command, editor, lints, pair};
use super::when;
use crate::curate::differences::Kind;
use crate::curate::merge;
use crate::curate::promote::{Way, has_levels, places, sections};
use crate::lint::Finding;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, State, StoreId, number};

fn memories(count: usize) -> String {
    format!("{} memories", number(count))
}

/// Some memories in words: the id of one, or how many.
fn named(ids: &[MemoryId]) -> String {
    match ids {
        [one] => one.to_string(),
        many => memories(many.len()),
    }
}

/// Some memories in words: the title of one, or how many.
fn called(model: &Model, ids: &[MemoryId]) -> String {
    match model.world.all_of(ids).as_slice() {
        [one] => format!("“{}”", one.title),
        many => memories(many.len()),
    }
}

/// The targets that have a state.
pub fn targets(model: &Model, state: State) -> Vec<MemoryId> {
    let mut memories = model.world.all_of(&model.targets());
    memories.retain(|memory| memory.state == state);
    let memories = memories.into_iter();
    memories.map(|memory| memory.id.clone()).collect()
}

/// Lets memories expire at once; that is asked for again, for their system then drops them.
pub fn forget(model: &mut Model) {
    let ids = targets(model, State::Active);
    if ids.is_empty() {
        return change(model, "forget", ids, |ids, _| Change::Forget(ids));
    }
    if asked(model, "forget", &ids).is_some() {
        return model.apply(Change::Forget(ids));
    }
    let what = match ids.len() {
        1 => "The memory expires at once and its system drops it.".to_owned(),
        many => format!("{many} memories expire at once and their system drops them."),
    };
    ask_again(model, "forget", ids, (Why::Doubt, &what));
}

/// More memories than this are changed only when that is asked for again.
const MANY: usize = 20;

/// Makes a change of some memories, or says that there are none for it. Of very many, and where
/// the change takes more with it than it names, the command has to be asked for again; the change
/// is told whether it was asked for in spite of a doubt.
pub fn change(
    model: &mut Model,
    command: &'static str,
    ids: Vec<MemoryId>,
    change: impl Fn(Vec<MemoryId>, bool) -> Change,
) {
    if ids.is_empty() {
        return model.say("nothing to do: all selected memories are in that state already");
    }
    match asked(model, command, &ids) {
        None if ids.len() > MANY || (ids.len() > 1 && model.joined().is_some()) => {
            let (first, rest) = command.split_at(1);
            let what = format!("{}{rest} {}?", first.to_uppercase(), memories(ids.len()));
            ask_again(model, command, ids, (Why::Many, &what))
        }
        why => model.apply(change(ids, why == Some(Why::Doubt))),
    }
}

/// Why a command was asked about, where it is asked for again of the same memories.
fn asked(model: &mut Model, command: &str, ids: &[MemoryId]) -> Option<Why> {
    let again = model.asked_again.take();
    let again = again.filter(|again| again.command == command && again.ids == ids);
    again.map(|again| again.why)
}

/// Says what a command would do, and that it is done when it is asked for again.
fn ask_again(model: &mut Model, command: &'static str, ids: Vec<MemoryId>, of: (Why, &str)) {
    let (why, what) = of;
    let key = |id| model.key(id);
    let title = command::find(command).map_or(command, |command| command.title);
    let keys = format!("{} {title} · {} cancel", key(command), key("back"));
    model.status.say(what, Some(&keys));
    model.asked_again = Some(Again { command, ids, why });
}

/// Asks why the finding is not to be reported any more.
pub fn silence(model: &mut Model) {
    let each = model.on_finding().into_iter().flat_map(Finding::each);
    let found = each.filter_map(|one| one.silenced(&model.world.memories));
    let found: Vec<_> = found.collect();
    if !found.is_empty() {
        model.ask(Question::Reason(found), "");
    }
}

pub fn explain(model: &mut Model) {
    model.page = match model.page {
        Page::Explain => Page::Usual,
        _ => Page::Explain,
    };
    model.reading.scroll = 0;
}

pub fn take_suggestion(model: &mut Model) {
    if let Some(suggestion) = suggestion(model) {
        model.apply(suggestion.change);
    }
}

pub fn fix(model: &mut Model) {
    let finding = model.current_finding();
    match finding.and_then(|n| model.fix_of(n)) {
        Some(mut proposal) if model.lints.diff.is_some() && model.view == View::Lint => {
            proposal.diff = model.lints.diff.take();
            model.page = Page::Fix(Box::new(proposal));
        }
        Some(proposal) => propose(model, proposal),
        // A question has no fix but its answer.
        None => pair::open(model),
    }
}

/// Shows what all fixes of the rule would change that can be made together unseen.
pub fn fix_rule(model: &mut Model) {
    let Some(rule) = model.on_finding().map(|finding| finding.rule) else {
        return;
    };
    let of_rule = model.world.findings().iter();
    let of_rule = of_rule.filter(|one| one.rule == rule && when::in_filter(model, one));
    // Those that `lint --fix` makes.
    let (safe, left) = lints::unseen(of_rule.filter_map(|finding| finding.fix.as_deref()));
    let fixes = lints::together(&model.world.linted_all, safe.into_iter());
    let of: HashSet<&MemoryId> = fixes.iter().filter_map(Change::fixed).collect();
    let linted = model.world.linted_all.iter();
    let of = linted.filter(|memory| of.contains(&memory.id)).cloned();
    let of = of.collect();
    let count = fixes.len();
    let what = if count == 1 { "fix" } else { "fixes" };
    let mut title = format!("apply {count} {what} of {rule}");
    if left > 0 {
        title.push_str(&format!(", leave {left} for review"));
    }
    propose(model, Proposal::new(title, Change::SafeFixes(fixes), of));
}

pub fn body(model: &mut Model) {
    let current = model.current();
    let is_broken = current.is_some_and(|memory| memory.fields.is_empty());
    editor::open_text(model, is_broken);
}

pub fn editor(model: &mut Model) {
    let finding = model.on_finding().filter(|_| model.view == View::Lint);
    if let Some(memory) = model.current() {
        let line = finding.map_or(memory.line, |finding| finding.line);
        model.send(Effect::OpenEditor(memory.path.to_path_buf(), line));
    }
}

pub fn copy(model: &mut Model) {
    let shows_text = model.view == View::Browse || room(model.size) < Room::Wide;
    let reads = model.pane == Pane::Side && shows_text;
    let prompt = model.inject.preview().map(|preview| &preview.prompt);
    let (what, text) = match (model.pane, prompt, model.reading.text()) {
        (Pane::Prompt, Some(prompt), _) => ("the prompt".to_owned(), prompt.clone()),
        (Pane::Side, _, Some(text)) if reads => ("the text".to_owned(), text.to_owned()),
        (Pane::List, Some(_), _) if model.view == View::Inject => {
            ("the command line".to_owned(), model.command_line())
        }
        _ => match model.current() {
            Some(memory) => (format!("the id {}", memory.id), memory.id.to_string()),
            None => return,
        },
    };
    model.say(format!("copied {what}"));
    model.send(Effect::Copy(text));
}

/// Opens a preview of raising or lowering memories in rank, with warnings and evidence. Pressing the
/// same key again applies it.
pub fn raise(model: &mut Model, up: bool) {
    let ids = targets(model, State::Active);
    if ids.is_empty() {
        return model.say("archived memories are restored first");
    }
    let of = model.world.all_of(&ids).into_iter().cloned().collect();
    let verb = if up { "promote" } else { "demote" };
    let title = format!("{verb} {}", named(&ids));
    let change = raised(ids, up);
    if matches!(&model.page, Page::Fix(shown) if shown.diff.is_some() && shown.change == change) {
        return proposal::apply(model);
    }
    let mut proposal = Proposal::new(title, change, of);
    if !matches!(model.page, Page::Fix(_)) {
        proposal.behind = Some(Box::new(std::mem::take(&mut model.page)));
    }
    propose(model, proposal);
}

/// The change that promotes memories, or demotes them where `up` is false. The person sees its
/// warnings before it is made.
const fn raised(ids: Vec<MemoryId>, up: bool) -> Change {
    let sure = true;
    Change::Promote { ids, up, sure }
}

/// Raises memories; of those of the user's own store, and where there is nothing to raise, asks
/// where they are promoted to.
pub fn promote(model: &mut Model) {
    let ids = targets(model, State::Active);
    let all = model.world.all_of(&ids);
    let is_plain = |one: &&Arc<Memory>| has_levels(one) && !is_users(model, one);
    match all.iter().all(is_plain) {
        true => raise(model, true),
        false => promote_to(model),
    }
}

/// True for a memory outside the project.
fn is_users(model: &Model, memory: &Memory) -> bool {
    !memory.path.starts_with(&model.root)
}

/// Asks where the memories are promoted to.
pub fn promote_to(model: &mut Model) {
    let ids = targets(model, State::Active);
    let rows = ways(model, &ids);
    if rows.is_empty() {
        return model.say("this memory cannot be promoted");
    }
    let title = format!("Promote {} to …", called(model, &ids));
    let choices = rows.iter().map(|way| Choice::new(&way.name, &way.about));
    model.overlay = Some(Overlay::pick(title, choices.collect(), Subject::Ways(rows)));
}

/// The ways that are open to some memories: what reaches most people first.
fn ways(model: &Model, ids: &[MemoryId]) -> Vec<Way> {
    let all = model.world.all_of(ids);
    let is_context = all.iter().any(|memory| memory.schema.can.context);
    let Some(first) = all.first().filter(|_| !is_context) else {
        return Vec::new();
    };
    let is_used = |id: &StoreId| model.world.stores.contains(id);
    let (targets, context) = (&model.destinations, &model.world.memories);
    let mut rows = places(&all, targets, &is_used, context, &model.root);
    let users = all.iter().all(|memory| is_users(model, memory));
    // A memory of the project is raised before it becomes a rule.
    let rules = rows.split_off(if users { rows.len() } else { 0 });
    if all.iter().all(|memory| has_levels(memory)) {
        rows.push(Way {
            name: "a higher level".to_owned(),
            about: "its importance, layer or place in the index".to_owned(),
            change: raised(ids.to_vec(), true),
        });
    } else if let Some((field, words)) = sections(first).filter(|_| all.len() == 1) {
        rows.extend(words.into_iter().map(|word| {
            let edit = FieldEdit::set(field, word);
            Way {
                name: format!("{field} {word}"),
                about: format!("another section of {}", model.shown(&first.path)),
                change: Change::edit(&first.id, vec![edit]),
            }
        }));
    }
    let title = &first.title;
    rows.extend(condensed(&all).map(|change| Way {
        name: "one memory".to_owned(),
        about: format!("their texts go into “{title}”, the others to the archive"),
        change,
    }));
    rows.extend(rules);
    rows
}

/// The change that makes the first of several memories say what all say; none where it cannot.
fn condensed(all: &[&Arc<Memory>]) -> Option<Change> {
    let (keep, others) = all.split_first().filter(|(_, others)| !others.is_empty())?;
    if others.len() > 1 && keep.schema.can.in_rows {
        return None;
    }
    let can = |with: &&Arc<Memory>| merge::refusal(keep, with).is_none();
    let can = others.iter().all(can);
    let merges = others.iter().map(|with| Change::merge(&keep.id, &with.id));
    can.then(|| Change::all(merges.collect()))
}

/// Shows what a way to promote would change.
pub(super) fn take_way(model: &mut Model, way: Option<Way>) {
    let Some(way) = way else {
        return;
    };
    let ids: Vec<MemoryId> = way.change.ids().into_iter().cloned().collect();
    let what = named(&ids);
    let of = model.world.all_of(&ids).into_iter().cloned().collect();
    let title = match way.change {
        Change::Promote { .. } | Change::Convert { .. } => {
            format!("promote {what}: {}", way.about)
        }
        _ => format!("promote {what} to {}", way.name),
    };
    propose(model, Proposal::new(title, way.change, of));
}

fn on_card(model: &Model) -> Vec<MemoryId> {
    let card = model.review.current();
    card.map(|card| card.entry.id.clone()).into_iter().collect()
}

/// Makes a decision on entries, by a change of the stores.
fn decide(model: &mut Model, change: Change, decision: Decision) {
    let ids: Vec<MemoryId> = change.ids().into_iter().cloned().collect();
    if ids.is_empty() {
        return;
    }
    model.apply(change);
    model.review.decide(&ids, decision);
}

/// Accepts changes; with `sure` those too that bring a secret or an instruction to the reader.
fn accepted(model: &mut Model, ids: Vec<MemoryId>, sure: bool) {
    decide(model, Change::Accept { ids, sure }, Decision::Accepted);
}

pub fn accept(model: &mut Model) {
    let ids = on_card(model);
    accepted(model, ids, false);
}

/// Takes the decision on the current change back, else the last change.
pub fn undo(model: &mut Model) {
    let decided = model.review.decided();
    let decided = decided.filter(|_| model.view == View::Review);
    model.send(decided.cloned().map_or(Effect::Undo, Effect::UndoDecision));
}

/// Rejects the proposals that say nearly the same as one that was accepted.
pub fn reject_others(model: &mut Model, others: Vec<MemoryId>) {
    const WHY: &str = "another proposal says nearly the same";
    if !others.is_empty() {
        model.review.mark(&others, Decision::Rejected);
        model.apply(Change::Reject(others, Some(WHY.to_owned())));
    }
}

/// Accepts the change in spite of a new secret or instruction to the reader, after one question.
pub fn accept_anyway(model: &mut Model) {
    const COMMAND: &str = "keep-anyway";
    let ids = on_card(model);
    if asked(model, COMMAND, &ids).is_some() {
        return accepted(model, ids, true);
    }
    let warning = model.review.current().and_then(Card::warning);
    let what = warning.map(|found| format!("{}: {}. Keep it anyway?", found.rule, found.message));
    ask_again(model, COMMAND, ids, (Why::Doubt, &what.unwrap_or_default()));
}

/// Rejects the change, and the proposals that say nearly the same.
pub fn reject(model: &mut Model) {
    let mut ids = on_card(model);
    ids.extend(model.review.current().into_iter().flat_map(Card::other_ids));
    decide(model, Change::Reject(ids, None), Decision::Rejected);
}

pub fn skip(model: &mut Model) {
    let ids = on_card(model);
    model.review.decide(&ids, Decision::Skipped);
}

/// Accepts all waiting changes of this kind that carry no warning. Asks before deletions, and where
/// they are many.
pub fn accept_all(model: &mut Model) {
    const COMMAND: &str = "accept-all";
    let alike = model.review.alike();
    let deleted = alike.iter().filter(|card| card.entry.kind == Kind::Deleted);
    let deleted = deleted.count();
    let ids: Vec<MemoryId> = alike.iter().map(|card| card.entry.id.clone()).collect();
    let asks = deleted > 0 || ids.len() > MANY;
    if asks && asked(model, COMMAND, &ids).is_none() {
        let what = match deleted {
            0 => format!("Accept {} changes?", number(ids.len())),
            1 => "Accept 1 deletion?".to_owned(),
            many => format!("Accept {} deletions?", number(many)),
        };
        return ask_again(model, COMMAND, ids, (Why::Many, &what));
    }
    accepted(model, ids, false);
}

/// Asks for the commit message.
pub fn commit(model: &mut Model) {
    let message = model.review.message();
    let first = message.lines().next().unwrap_or_default();
    model.ask(Question::Message, first);
}

/// Commits with the message that is typed; the list of memories stays below it.
pub(super) fn commit_with(model: &mut Model, first: Option<String>) {
    let Some(first) = first else {
        let what = "nothing is committed without a message";
        return model.status.say(what, None);
    };
    let suggested = model.review.message();
    let rest = suggested.split_once('\n').map_or("", |(_, rest)| rest);
    model.send(Effect::Commit(format!("{first}\n{rest}")));
}
