//! Views, what is in them, and leaving.

use std::sync::Arc;

use super::super::browse::Sort;
use super::super::msg::{Asked, Change, Effect, Failure};
use super::super::palette::Palette;
use super::super::questions::{AskModel, Asking, ReadArchived};
use super::super::slots::Settle;
use super::super::status::Why;
use super::super::{Model, Overlay, Proposal, View};
use super::{edits, pairs};

type Effects = Vec<Effect>;

/// The command that asks the model.
const ASK_MODEL: &str = "ask-model";

pub fn quit(_: &mut Model) -> Effects {
    vec![Effect::Quit]
}

pub fn suspend(_: &mut Model) -> Effects {
    vec![Effect::Suspend]
}

/// Reads the stores again, and looks at everything that lint goes by anew.
pub fn reload(model: &mut Model) -> Effects {
    model.asked.lint_again();
    vec![Effect::Load]
}

pub fn palette(model: &mut Model) -> Effects {
    model.overlay = Some(Overlay::Palette(Palette::open(model)));
    Vec::new()
}

pub fn browse(model: &mut Model) -> Effects {
    model.show(View::Browse);
    Vec::new()
}

pub fn inject(model: &mut Model) -> Effects {
    model.show(View::Inject);
    model.inject.editing |= !model.inject.has_text();
    if !model.inject.is_set() {
        model.inject.from_top();
    }
    Vec::new()
}

pub fn lint(model: &mut Model) -> Effects {
    model.show(View::Lint);
    Vec::new()
}

pub fn review(model: &mut Model) -> Effects {
    model.show(View::Review);
    Vec::new()
}

/// Lists the saved tasks, to choose one.
pub fn tasks(model: &mut Model) -> Effects {
    model.show(View::Inject);
    let has_some = model.inject.choose();
    if !has_some && !model.asked.has_tasks() {
        // They are being read: the first is chosen when they are there.
        model.inject.saved.row = Some(0);
    } else if !has_some {
        let none = "no saved tasks: V saves the one in the box, with what it is given";
        let problem = model.inject.saved.problem.clone();
        model
            .status
            .say(problem.unwrap_or_else(|| none.to_owned()), None);
    }
    Vec::new()
}

pub fn next_store(model: &mut Model) -> Effects {
    model.inject.turn_store(1);
    Vec::new()
}

pub fn previous_store(model: &mut Model) -> Effects {
    model.inject.turn_store(-1);
    Vec::new()
}

/// Shows what it would write to remember what is injected as right for the task in the box.
pub fn record_task(model: &mut Model) -> Effects {
    let Some(task) = model.inject.expectation() else {
        return Vec::new();
    };
    let title = format!("remember what “{}” must be given", task.name());
    let change = Change::Expect(Box::new(task));
    pairs::propose(model, Proposal::new(title, change, Vec::new()))
}

pub fn task(model: &mut Model) -> Effects {
    model.show(View::Inject);
    model.inject.editing = true;
    model.inject.part = super::super::inject::Part::Text;
    // Another task, another first: the ranking is read from its top.
    model.inject.from_top();
    Vec::new()
}

/// Narrows the list at hand: of memories, or of what was found in them.
pub fn filter(model: &mut Model) -> Effects {
    let view = match model.view {
        View::Lint => View::Lint,
        View::Browse | View::Inject | View::Review => View::Browse,
    };
    model.show(view);
    model.browse.filter.editing = true;
    Vec::new()
}

/// Lists the findings of the rule that the person stands on alone, or all of them.
pub fn only_rule(model: &mut Model) -> Effects {
    model.show(View::Lint);
    let rule = model.lints.folded().or_else(|| {
        let finding = model.current_finding()?;
        Some(model.world.finding(finding)?.rule)
    });
    model.lints.only = match model.lints.only {
        Some(_) => None,
        None => rule,
    };
    model.arrange_lints();
    let text = match model.lints.only {
        Some(rule) => format!("only {rule}"),
        None => "all rules".to_owned(),
    };
    model.status.say(text, None);
    Vec::new()
}

/// Asks the model; how much is sent is worked out first, and sent when it is asked for again.
pub fn ask_model(model: &mut Model) -> Effects {
    let asked = model.asked_again.take();
    let send = asked.is_some_and(|asked| asked.command == ASK_MODEL);
    model.lints.asking = Some("estimating the size of the request…".to_owned());
    let memories = Arc::clone(&model.world.memories);
    vec![model.slots.ask(AskModel { memories, send })]
}

impl Settle for AskModel {
    fn settle(step: Asking, model: &mut Model) -> Vec<Effect> {
        match step {
            Asking::Progress(progress) => asking(model, progress),
            Asking::Outcome(outcome) => asked(model, outcome),
        }
    }
}

impl Settle for ReadArchived {
    fn settle(by: Self::Answer, model: &mut Model) -> Vec<Effect> {
        model.browse.archived_by = by;
        Vec::new()
    }
}

/// How far the model was asked.
pub fn asking(model: &mut Model, progress: String) -> Effects {
    model.status.say(progress.clone(), None);
    model.lints.asking = Some(progress);
    Vec::new()
}

/// What came of asking the model.
pub fn asked(model: &mut Model, outcome: Result<Asked, Failure>) -> Effects {
    model.lints.asking = None;
    match outcome {
        Ok(Asked::Nothing(why)) => model.status.say(why, None),
        Ok(Asked::Size(size)) => {
            return edits::ask_again(model, ASK_MODEL, Vec::new(), (Why::Doubt, &size));
        }
        Ok(Asked::Judged(said)) => {
            let undo = model.keymap.label("undo").map(|key| format!("{key} undo"));
            model.status.say(said, undo.as_deref());
            model.asked.lint_again();
        }
        Err(failure) => {
            model.status.fail(failure.what, failure.hint);
            // Earlier requests may have been answered.
            model.asked.lint_again();
        }
    }
    Vec::new()
}

/// Findings by rule, or the surest first whatever their rule.
fn sort_findings(model: &mut Model) -> Effects {
    model.lints.flat = !model.lints.flat;
    model.arrange_lints();
    let text = if model.lints.flat {
        "the surest first"
    } else {
        "rule by rule"
    };
    model.status.say(text, None);
    Vec::new()
}

pub fn sort(model: &mut Model) -> Effects {
    if model.view == View::Lint {
        return sort_findings(model);
    }
    model.show(View::Browse);
    let all = Sort::ALL;
    let now = all.iter().position(|sort| *sort == model.browse.sort);
    let mut next = all.iter().cycle().skip(now.map_or(0, |now| now + 1));
    let has_rank = model.inject.preview().is_some();
    if let Some(sort) = next.find(|sort| has_rank || **sort != Sort::Rank) {
        model.browse.sort = *sort;
    }
    model.arrange();
    model
        .status
        .say(format!("sorted by {}", model.browse.sort.word()), None);
    Vec::new()
}

pub fn archived(model: &mut Model) -> Effects {
    model.browse.archived = !model.browse.archived;
    model.arrange();
    let text = if model.browse.archived {
        "Showing archived memories"
    } else {
        "Hiding archived memories"
    };
    model.status.say(text, None);
    match model.browse.archived {
        false => Vec::new(),
        true => {
            let question = ReadArchived(model.world.memories.clone());
            vec![model.slots.ask(question)]
        }
    }
}

pub fn grouped(model: &mut Model) -> Effects {
    model.browse.grouped = !model.browse.grouped;
    model.arrange();
    let text = if model.browse.grouped {
        "grouped by store"
    } else {
        "stores are mixed"
    };
    model.status.say(text, None);
    Vec::new()
}

pub fn hide_store(model: &mut Model) -> Effects {
    let Some(store) = model.current().map(|memory| memory.id.store.clone()) else {
        return Vec::new();
    };
    let text = format!("{store} is hidden");
    model.world.hidden.insert(store);
    stores_changed(model);
    let key = model.keymap.label("show-stores");
    let hint = key.map(|key| format!("{key} shows all stores"));
    model.status.say(text, hint.as_deref());
    Vec::new()
}

pub fn show_stores(model: &mut Model) -> Effects {
    model.world.hidden.clear();
    stores_changed(model);
    model.status.say("all stores are shown", None);
    Vec::new()
}

/// Other memories are listed, and other ones previewed.
fn stores_changed(model: &mut Model) {
    model.arrange();
    model.inject.wanted.clear();
}

pub fn zoom(model: &mut Model) -> Effects {
    model.zoom = !model.zoom;
    Vec::new()
}

/// The list's part of the width, in percent.
const SPLIT: (u16, u16) = (25, 75);

pub fn wider(model: &mut Model) -> Effects {
    model.split = (model.split + 5).min(SPLIT.1);
    Vec::new()
}

pub fn narrower(model: &mut Model) -> Effects {
    model.split = model.split.saturating_sub(5).max(SPLIT.0);
    Vec::new()
}
