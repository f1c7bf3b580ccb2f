//! Applies a message to the model and returns the effects.

use crossterm::event::KeyEventKind;

use super::command::{self, Scope};
use super::editor::Editor;
use super::hints::{Again, Why};
use super::inject::{preview, tasks};
use super::key::Key;
use super::keymap::{Keymap, Resolved};
use super::layout::areas;
use super::msg::{Done, Effect, Failure, Look, Msg};
use super::{
    Focus, Model, Page, View, act, browse, cursor, editor, filter, lints, listing, mouse, pair,
    proposal, queue, reading,
};

/// Applies a message to the model and returns the effects.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    // The one place where answers that nobody waits for any more are dropped.
    if !model.slots.wants(&msg) {
        return Vec::new();
    }
    // The person acts: what the bottom line says has been read.
    if matches!(msg, Msg::Run(_) | Msg::Go(_) | Msg::Make(_)) {
        model.is_used = true;
        model.status.read();
    }
    match msg {
        Msg::Key(event) if event.kind == KeyEventKind::Release => {}
        Msg::Key(event) if waits(model, event.into()) => model.typed_ahead.push(event.into()),
        Msg::Key(event) => key(model, event.into()),
        Msg::Run(command) => command::run(model, command),
        Msg::Go(row) => model.go(row),
        Msg::Make(change) => model.apply(change),
        Msg::Paste(text) => act::windows::paste(model, &text),
        Msg::Mouse(event) => mouse::mouse(model, event),
        // Much may have happened to the files meanwhile.
        Msg::Resumed => model.send(Effect::Load),
        Msg::Done(_, _, answer) => answer.settle(model),
        Msg::Applied(done, back) => applied(model, done, back),
        Msg::Failed(failure) => failed(model, failure),
        other => learn(model, other),
    }
    settle(model);
    while let Some(next) = model.typed_ahead.first().copied()
        && !waits(model, next)
    {
        model.typed_ahead.remove(0);
        key(model, next);
        settle(model);
    }
    std::mem::take(&mut model.effects)
}

/// True if a key is for something that is not there yet: keys typed behind a filter go to the
/// memories that it leaves, not to those that were listed before, and those behind the opening of
/// a text into that.
fn waits(model: &Model, key: Key) -> bool {
    let is_opening = matches!(model.editor, Some(Editor::Opening { .. }));
    let is_listed = matches!(model.focus(), Focus::Pane(_)) && model.view != View::Inject;
    if !(is_opening || is_listed && model.browse.filter.awaited) {
        return false;
    }
    // What is opened can be left.
    let scopes = [Scope::Always, Scope::Text];
    let scopes = scopes.get(..1 + usize::from(is_opening));
    let resolved = model.keymap.resolve(scopes.unwrap_or_default(), &[key]);
    !matches!(resolved, Resolved::Run(command)
        if command.scope == Scope::Always || command.id == "leave-text")
}

/// Facts from the world: they change what is known and ask for nothing themselves.
fn learn(model: &mut Model, msg: Msg) {
    match msg {
        Msg::Resize(width, height) => model.size = (width, height),
        Msg::Light(light) => model.light = light,
        Msg::Settings(look) => take_settings(model, look),
        // A rescan of what is there already answers with a snapshot.
        Msg::Rows(_) if model.world.complete => {}
        Msg::Rows(rows) => {
            model.world.append(rows);
            model.arrange();
        }
        Msg::Snapshot(memories, problems) => listing::snapshot(model, memories, problems),
        Msg::Decided => lints::lint_again(model),
        Msg::Committed(what) => {
            model.review.committed();
            model.status.read();
            model.say(what);
        }
        Msg::Git(head, news) => {
            model.head = head;
            model.world.committed(news);
            model.arrange();
            model.review.generation += 1;
        }
        Msg::Dates(dates) => {
            model.world.dates = dates;
            model.arrange();
        }
        Msg::Waiting(count) => model.review.counted = Some(count),
        Msg::Draft(draft, is_offered) => model.unsaved = Some((draft, is_offered)),
        Msg::Notice(text) => model.status.note(text),
        _ => {}
    }
}

/// Takes theme and keys of changed settings; where they cannot be used, the old ones stay.
fn take_settings(model: &mut Model, look: Result<Look, String>) {
    let read = look.and_then(|look| {
        let keymap = Keymap::with(&look.keys).map_err(|errors| errors.join("; "));
        Ok((keymap?, look.theme))
    });
    let note = match read {
        Err(why) => format!("{why}; the old settings stay"),
        Ok((keymap, theme)) => {
            model.keymap = keymap;
            act::windows::show_theme(model, &theme.unwrap_or_default());
            "settings reloaded".to_owned()
        }
    };
    model.status.note(note);
}

/// Asks the world for what the model now needs and does not have, and keeps the selected row in
/// sight.
fn settle(model: &mut Model) {
    filter::ask(model);
    lints::ask(model);
    browse::ask(model);
    queue::ask(model);
    let areas = areas(model);
    preview::ask(model);
    tasks::ask(model);
    show_row(model, usize::from(areas.rows.height));
    if let Some(editor) = &mut model.editor {
        let page = areas.inner();
        editor.resize(page.width, page.height);
    }
    reading::ask_colours(model);
    reading::ask(model);
    pair::ask(model);
    proposal::ask_fix(model);
}

/// Scrolls a list when its cursor or its room changed, and only then: the wheel may have moved
/// it elsewhere.
fn show_row(model: &mut Model, height: usize) {
    let line_of = |row| model.dividers().line_of(row);
    let (line, lines) = (line_of(model.row()), line_of(model.rows()));
    let now = (model.view, line, lines, height);
    if model.shown_at == now || height == 0 {
        return;
    }
    model.shown_at = now;
    // The line between in and out may stand on one of the lines.
    let lines_between = usize::from(model.view == View::Inject);
    let height = height.saturating_sub(lines_between).max(1);
    let top = model.top_mut();
    *top = cursor::shown(*top, line, lines, height);
}

/// Takes a key: runs its command, or types it.
fn key(model: &mut Model, key: Key) {
    use Focus::{Ask, Filter, Palette, Task};
    model.is_used = true;
    let mut typed = std::mem::take(&mut model.pending);
    typed.push(key);
    let scopes = model.scopes();
    let mut resolved = model.keymap.resolve(&scopes, &typed);
    let writing = model.editor.as_ref().is_some_and(Editor::writing);
    let takes_text = writing || matches!(model.focus(), Palette | Ask | Filter | Task);
    if let (Resolved::Nothing, false, Some(latin)) = (&resolved, takes_text, key.latin()) {
        typed.pop();
        typed.push(latin);
        resolved = model.keymap.resolve(&scopes, &typed);
    }
    match resolved {
        Resolved::Nothing if writing => model.status.typed(),
        _ => model.status.read(),
    }
    match resolved {
        Resolved::Run(command) => command::run(model, command),
        Resolved::Prefix => model.pending = typed,
        Resolved::Nothing if typed.len() > 1 => {}
        Resolved::Nothing if model.focus() != Focus::Editor => act::windows::typed(model, key),
        // A key that was taken from a command is nothing, unless it is text.
        Resolved::Nothing if model.keymap.was_taken(&scopes, key) => {}
        Resolved::Nothing => editor::typed(model, key),
    }
}

/// A change was made: what happened, and how to take it back.
fn applied(model: &mut Model, Done { title, follow }: Done, back: &str) {
    let undo = model.hint(back, back);
    model.asked_again = None;
    let others = model.review.settled(false);
    act::edits::reject_others(model, others);
    // A message about files changed meanwhile may refer to this change.
    model.status.read();
    model.status.say(title, undo.as_deref());
    model.browse.picked.clear();
    model.browse.range = None;
    // The marks of what changed on disk are for what others did.
    model.world.fresh.clear();
    model.page = Page::Usual;
    // An answer changes no memory, but what lint says.
    if !model.lints.running {
        lints::lint_again(model);
    }
    if let Some(id) = follow {
        model.browse.cursor.chosen = Some(id);
        model.arrange();
    }
    editor::saved(model);
}

/// A change was not made. Changed files are read again, and an open editor then merges both.
fn failed(model: &mut Model, failure: Failure) {
    model.review.settled(true);
    model.asked_again = failure.doubtful.map(|(command, ids)| Again {
        command,
        ids,
        why: Why::Doubt,
    });
    let again = || model.hint(model.asked_again.as_ref()?.command, "again does it anyway");
    let hint = failure.hint.or_else(again).or_else(|| {
        let again = "check the reloaded memory and try again";
        failure.changed.then(|| again.to_owned())
    });
    model.status.fail(failure.what, hint);
    if failure.changed {
        model.send(Effect::Load);
    }
}
