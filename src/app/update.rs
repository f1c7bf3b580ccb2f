//! Applies a message to the model and returns the effects.

use std::sync::Arc;

use crossterm::event::KeyEventKind;

use super::command::{self, Command, Scope};
use super::desk::Desk;
use super::form::WhatIf;
use super::key::Key;
use super::keymap::Resolved;
use super::msg::{Change, Effect, Failure, Msg};
use super::pair::{self, Answering};
use super::questions::{Filter, Lint, MemoryText, PlanChange, PlayTasks, PreviewTask, ReadText};
use super::slots::Settle;
use super::status::{Again, Why};
use super::{Focus, Model, Page, View, act, desk, lints, mouse, rows, settle};
use crate::memory::MemoryId;
use crate::retrieval::Preview;

/// Applies a message to the model and returns the effects.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    // The one place where answers that nobody waits for any more are dropped.
    if !model.slots.wants(&msg) {
        return Vec::new();
    }
    let mut effects = match msg {
        Msg::Key(event) if event.kind == KeyEventKind::Release => Vec::new(),
        Msg::Key(event) if waits_for_matches(model, event.into()) => {
            model.typed_ahead.push(event.into());
            Vec::new()
        }
        Msg::Key(event) => key(model, event.into()),
        Msg::Paste(text) => act::texts::paste(model, &text),
        Msg::Mouse(event) => {
            model.asked_again = None;
            mouse::mouse(model, event)
        }
        // Much may have happened to the files meanwhile.
        Msg::Resumed => vec![Effect::Load],
        Msg::Light(light) => {
            model.light = light;
            Vec::new()
        }
        Msg::Done { answer, .. } => answer.settle(model),
        Msg::Applied {
            title,
            follow,
            back,
        } => applied(model, &title, follow, back),
        Msg::Failed(failure) => failed(model, failure),
        other => {
            learn(model, other);
            Vec::new()
        }
    };
    effects.extend(settle::settle(model));
    while let Some(next) = model.typed_ahead.first().copied()
        && !waits_for_matches(model, next)
    {
        model.typed_ahead.remove(0);
        effects.extend(key(model, next));
        effects.extend(settle::settle(model));
    }
    effects
}

/// True if a key is for a list that is not there yet: keys typed behind a filter go to the memories
/// that it leaves, not to those that were listed before.
fn waits_for_matches(model: &Model, key: Key) -> bool {
    let listed = matches!(model.focus(), Focus::Pane(_)) && model.view != View::Inject;
    let always = || model.keymap.resolve(&[Scope::Always], &[key]);
    listed && model.browse.filter.awaited && !matches!(always(), Resolved::Run(_))
}

/// Facts from the world: they change what is known and ask for nothing themselves.
fn learn(model: &mut Model, msg: Msg) {
    match msg {
        Msg::Resize(width, height) => model.size = (width, height),
        // A rescan of what is there already answers with a snapshot.
        Msg::Rows(_) if model.world.complete => {}
        Msg::Rows(rows) => {
            model.world.append(rows);
            model.arrange();
        }
        Msg::Snapshot {
            memories,
            problems,
            skipped,
        } => {
            model.world.skipped = skipped;
            rows::snapshot(model, memories, problems);
        }
        Msg::Decided => model.asked.lint_again(),
        Msg::Committed(what) => {
            model.review.committed();
            model.status.read();
            model.status.say(what, None);
        }
        Msg::Git {
            head,
            changed,
            same,
        } => {
            model.head = head;
            model.world.committed(changed, same);
            model.review.generation += 1;
        }
        Msg::Waiting(count) => model.review.counted = Some(count),
        Msg::Draft(draft) => model.unsaved = Some((draft, true)),
        Msg::Discarded(draft) => model.unsaved = Some((draft, false)),
        Msg::Notice(text) => model.status.note(text),
        _ => {}
    }
}

impl Settle for ReadText {
    fn settle(mut read: MemoryText, model: &mut Model) -> Vec<Effect> {
        let (id, seen) = (read.id.clone(), read.seen.take());
        let effects = text_read(model, read);
        if model.current().is_some_and(|memory| memory.id == id) {
            model.reading.seen = seen;
        }
        effects
    }
}

impl Settle for Filter {
    fn settle(hits: Self::Answer, model: &mut Model) -> Vec<Effect> {
        rows::matched(model, hits);
        Vec::new()
    }
}

impl Settle for PreviewTask {
    fn settle((preview, verdicts, what_if): Self::Answer, model: &mut Model) -> Vec<Effect> {
        previewed(model, preview, what_if);
        let verdicts = verdicts.into_iter();
        let verdicts = verdicts.map(|verdict| (verdict.memory, verdict));
        model.inject.verdicts.extend(verdicts);
        Vec::new()
    }
}

impl Settle for PlayTasks {
    fn settle(played: Self::Answer, model: &mut Model) -> Vec<Effect> {
        let saved = &mut model.inject.saved;
        (saved.all, saved.effects, saved.problem) = match played {
            Ok((all, effects)) => (all, effects, None),
            Err(why) => (Vec::new(), Vec::new(), Some(why)),
        };
        let last = saved.all.len().checked_sub(1);
        saved.row = saved.row.zip(last).map(|(row, last)| row.min(last));
        Vec::new()
    }
}

impl Settle for Lint {
    fn settle((memories, digest): Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.world.linted_as(memories, digest);
        model.lints.running = false;
        model.lints.known = true;
        model.arrange_lints();
        linted(model);
        act::edits::fix_anew(model)
    }
}

impl Settle for PlanChange {
    fn settle(plan: Self::Answer, model: &mut Model) -> Vec<Effect> {
        planned(model, plan);
        Vec::new()
    }
}

/// The findings are others: what is shown of one stays where there still is such a one.
fn linted(model: &mut Model) {
    if let Page::Fix(proposal) = &mut model.page
        && let Some((key, _)) = proposal.about.clone()
    {
        let world = &model.world;
        let same = |finding: &&usize| {
            let found = world.finding(**finding);
            found.and_then(|found| lints::key(world, found)).as_ref() == Some(&key)
        };
        match world.findings_of(&key.0).iter().find(same) {
            Some(now) => proposal.about = Some((key, *now)),
            None => model.page = Page::Usual,
        }
    }
    model.renew_pair();
}

/// Shows a preview, and the effect of the present edit on it.
fn previewed(model: &mut Model, preview: Arc<Preview>, what_if: Option<Arc<Preview>>) {
    let what_if_of = model.asked.what_if_of();
    let inject = &mut model.inject;
    inject.moves = what_if.as_ref().map(|after| {
        let of = what_if_of.unwrap_or_default();
        let title = |n: usize| {
            let memory = inject.asked.get(n);
            memory.map_or(String::new(), |memory| memory.title.to_string())
        };
        WhatIf::between(inject.text.text(), &preview, after, of, title)
    });
    inject.show(preview, what_if);
}

/// The text of the current memory; its code gets its colours later.
fn text_read(model: &mut Model, read: MemoryText) -> Vec<Effect> {
    let Some(memory) = model.current().filter(|one| one.id == read.id).cloned() else {
        return Vec::new();
    };
    if let Ok(text) = &read.text {
        desk::text_read(model, &read.id, text);
    }
    desk::inner_read(model, &read.id, &read.inner);
    model.reading.take(&memory, read.text, read.inner);
    model.reading.related = read.related;
    model.reading.beside = read.beside;
    let (mut effects, typed) = desk::text_came(model, &read.id);
    for typed in typed {
        effects.extend(key(model, typed));
    }
    effects.extend(settle::highlight(model));
    effects
}

/// Takes a key: runs its command, or types it.
fn key(model: &mut Model, key: Key) -> Vec<Effect> {
    model.browse.filter.candidates.clear();
    model.is_used = true;
    let mut typed = std::mem::take(&mut model.pending);
    typed.push(key);
    let scopes = model.scopes();
    let resolved = model.keymap.resolve(&scopes, &typed);
    let writing = model.desk.as_ref().is_some_and(Desk::writing);
    match resolved {
        Resolved::Nothing if writing => model.status.typed(),
        _ => model.status.read(),
    }
    match resolved {
        Resolved::Run(command) if waits(model, command) => desk::typed(model, key),
        Resolved::Run(command) => command::run(model, command),
        Resolved::Prefix => {
            model.pending = typed;
            Vec::new()
        }
        Resolved::Nothing if typed.len() > 1 => Vec::new(),
        Resolved::Nothing if model.focus() == Focus::Desk => {
            // A key that was taken from a command is nothing, unless it is text.
            if model.keymap.was_taken(&scopes, key) {
                Vec::new()
            } else {
                desk::typed(model, key)
            }
        }
        Resolved::Nothing => {
            act::texts::typed(model, key);
            Vec::new()
        }
    }
}

/// True if a command is for a text that is not there yet.
fn waits(model: &Model, command: &Command) -> bool {
    let opening = matches!(model.desk, Some(Desk::Opening { .. }));
    opening && command.scope != Scope::Always && command.id != "leave-text"
}

/// A change was planned: its diff is shown, as what is proposed or beside the finding it is of.
fn planned(model: &mut Model, plan: Result<(Arc<str>, usize), Failure>) {
    let Page::Fix(proposal) = &mut model.page else {
        model.lints.diff = plan.ok().map(|(diff, _)| diff);
        return;
    };
    match plan {
        Ok((diff, mentions)) => {
            proposal.diff = Some(diff);
            if mentions > 0 && matches!(proposal.change, Change::Fix(_)) {
                let text = format!("{mentions} places still mention the old name");
                model.status.say(text, None);
            }
            return;
        }
        Err(failure) => model.status.fail(failure.what, failure.hint),
    }
    model.page = proposal.behind.take().map_or(Page::Usual, |page| *page);
}

/// A change was made: what happened, and how to take it back.
fn applied(model: &mut Model, title: &str, follow: Option<MemoryId>, back: &str) -> Vec<Effect> {
    let undo = model.keymap.label(back).map(|key| format!("{key} {back}"));
    model.asked_again = None;
    model.review.settled(false);
    // A message about files changed meanwhile may refer to this change.
    model.status.read();
    model.status.say(title, undo.as_deref());
    model.browse.picked.clear();
    model.browse.range = None;
    // The marks of what changed on disk are for what others did.
    model.world.fresh.clear();
    model.page = Page::Usual;
    answered(model);
    if let Some(id) = follow {
        model.browse.cursor.chosen = Some(id);
        model.arrange();
    }
    desk::saved(model).into_iter().collect()
}

/// A question that was answered goes at once, and what lint says is looked at anew, for an answer
/// changes no memory.
fn answered(model: &mut Model) {
    if let Some(Answering { a, b, loser }) = model.answering.take() {
        model.world.forget(|world, finding| {
            let of_loser = world.memory_of(finding).map(|memory| &memory.id) == loser.as_ref();
            pair::is_about(world, finding, &a, &b) || (loser.is_some() && of_loser)
        });
        model.arrange_lints();
    }
    if !model.lints.running {
        model.asked.lint_again();
    }
}

/// A change was not made. Changed files are read again, and an open editor then shows both.
fn failed(model: &mut Model, failure: Failure) -> Vec<Effect> {
    model.answering = None;
    model.review.settled(true);
    model.asked_again = failure.doubtful.map(|(command, ids)| Again {
        command,
        ids,
        why: Why::Doubt,
    });
    let again = || {
        let key = model.keymap.label(model.asked_again.as_ref()?.command)?;
        Some(format!("{key} again does it anyway"))
    };
    let hint = failure.hint.or_else(again).or_else(|| {
        let again = "check the reloaded memory and try again";
        failure.changed.then(|| again.to_owned())
    });
    model.status.fail(failure.what, hint);
    if failure.changed {
        vec![Effect::Load]
    } else {
        Vec::new()
    }
}
