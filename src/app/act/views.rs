//! Views and what is in them: order, filter, task.

use super::super::browse::{Browse, Sort};
use super::super::cursor::next;
use super::super::inject::Part;
use super::super::layout::bounded;
use super::super::msg::{Change, Effect};
use super::super::palette::Palette;
use super::super::proposal::{Proposal, propose};
use super::super::{Model, Overlay, View, lints};
use super::moves;

/// Reads the stores again, and looks at everything that lint goes by anew.
pub fn reload(model: &mut Model) {
    lints::lint_again(model);
    model.send(Effect::Load);
}

pub fn palette(model: &mut Model) {
    model.overlay = Some(Overlay::Palette(Palette::open(model)));
}

pub fn inject(model: &mut Model) {
    model.show(View::Inject);
    model.inject.editing |= !model.inject.has_text();
    if !model.inject.is_set() {
        model.inject.from_top();
    }
}

/// Lists the saved tasks, to choose one.
pub fn tasks(model: &mut Model) {
    model.show(View::Inject);
    let has_some = model.inject.choose();
    if !has_some && model.inject.saved.asked.is_none() {
        // They are being read: the first is chosen when they are there.
        model.inject.saved.row = Some(0);
    } else if !has_some {
        let none = "no saved tasks: V saves the task in the box with its result";
        let problem = model.inject.saved.problem.clone();
        model.say(problem.unwrap_or_else(|| none.to_owned()));
    }
}

/// Shows what it would write to remember what is injected as right for the task in the box.
pub fn record_task(model: &mut Model) {
    let Some((task, dropped, is_changed)) = model.inject.expectation() else {
        return;
    };
    let name = task.name();
    if !is_changed {
        return model.say(format!("nothing changes: “{name}” already expects this"));
    }
    let mut title = format!("save what “{name}” must be given");
    for name in dropped {
        title.push_str(&format!("; no longer {name}, which is not injected"));
    }
    let change = Change::Expect(Box::new(task));
    propose(model, Proposal::new(title, change, Vec::new()));
}

pub fn task(model: &mut Model) {
    model.show(View::Inject);
    model.inject.editing = true;
    model.inject.part = Part::Text;
    // Another task, another first: the ranking is read from its top.
    model.inject.from_top();
}

/// Narrows the list at hand: of memories, or of what was found in them.
pub fn filter(model: &mut Model) {
    let is_lint = model.view == View::Lint;
    model.show(if is_lint { View::Lint } else { View::Browse });
    model.browse.filter.editing = true;
}

pub fn sort(model: &mut Model) {
    model.show(View::Browse);
    model.browse.sort = next(&Sort::ALL, &model.browse.sort, 1).unwrap_or_default();
    model.arrange();
    model.say(format!("sorted by {}", model.browse.sort.word()));
}

/// Turns something about the list on or off, and says which; `words` are of off and on.
pub fn toggle(model: &mut Model, of: fn(&mut Browse) -> &mut bool, words: [&str; 2]) {
    let is_on = of(&mut model.browse);
    *is_on = !*is_on;
    let [off, on] = words;
    let text = if *is_on { on } else { off };
    model.arrange();
    model.say(text);
}

/// Gives the list another part of the width, in percent.
pub fn widen(model: &mut Model, by: i16) {
    model.split = bounded(model.split + by);
}

/// Goes to the list. The row that stands there is gone to.
pub fn accept_filter(model: &mut Model) {
    if model.view == View::Browse {
        let row = model.browse.cursor.row;
        model.browse.go(&model.world, row);
    }
    model.browse.filter.texts = true;
    model.browse.filter.editing = false;
}

/// Takes the chosen task, or goes to the ranking.
pub fn accept_task(model: &mut Model) {
    model.inject.take_saved();
    leave_task(model);
}

pub fn leave_task(model: &mut Model) {
    if model.inject.saved.row.take().is_none() {
        model.inject.editing = false;
        model.inject.part = Part::Text;
    }
}

pub fn turn_part(model: &mut Model, by: isize) {
    model.inject.part = next(&Part::ALL, &model.inject.part, by).unwrap_or_default();
}

/// Goes to another dialect, saved task or row of the ranking.
pub fn turn_task(model: &mut Model, by: isize) {
    if model.inject.part == Part::Dialect {
        model.inject.turn_dialect(by);
    } else if !model.inject.turn_saved(by) {
        moves::step(model, by);
    }
}
