//! The table itself: id, keys, title, help, condition, action.

use super::super::act::{edits, moves, when, windows};
use super::super::form::List;
use super::super::layout::bounded;
use super::super::msg::{Change, Effect};
use super::super::{Pane, View, editor, history, mouse, pair, proposal};
use super::{Command, Form, Outcome, Run, Scope, TextEditor};
use crate::curate::Resolution;
use crate::memory::State;

/// The commands of each scope, a line or two each: a function of the model with its conditions, or
/// one of the form or the text that is edited.
macro_rules! commands {
    ($($scope:ident $heard:literal {
        $($id:literal $keys:tt $title:literal, $help:literal
            $(, [$($when:path),*] => $run:expr)? $(, form => $form:expr)? $(, text => $text:expr)? $(, both => $both:expr, $other:expr)?;)*
    })*) => {
        /// All scopes.
        pub(super) static TABLE: &[&[Command]] = &[$(&[$(Command {
            id: $id,
            title: $title,
            help: $help,
            scope: Scope::$scope,
            heard: $heard,
            keys: &$keys,
            $(when: &[$($when),*], run: Run::Do($run),)?
            $(when: &[], run: Run::Edit($form, |_| Outcome::Nothing),)?
            $(when: &[], run: Run::Edit(|form| form.in_body(|body| body.act($text)), $text),)?
            $(when: &[], run: Run::Edit($both, $other),)?
        },)*],)*];
    };
}

commands! {
    Global "Everywhere but in texts" {
        "palette" [":", "?"] "all commands and keys", "type what you want, see its key, Enter does it", [] => windows::palette;
        "browse" ["1"] "browse", "the memories and their text", [] => |m| m.show(View::Browse);
        "inject" ["2"] "inject", "what an agent would be given for a task, and why", [] => moves::inject;
        "lint" ["3"] "lint", "what is wrong, rule by rule", [] => |m| m.show(View::Lint);
        "review" ["4"] "review", "what changed since the last commit: accept, reject, commit", [] => |m| m.show(View::Review);
        "filter" ["/"] "filter", "narrow the list as you type: words, field:value, has:stale, !not, a | b", [when::loaded] => moves::filter;
        "task" ["t"] "task", "type what an agent is about to do; the ranking updates as you type", [when::loaded] => moves::task;
        "tasks" ["T"] "saved tasks", "check the tasks of .memkeep/tasks.yaml: each with its state, Enter takes one", [when::loaded] => moves::tasks;
        "next-store" [">"] "next store", "show what the next store or agent would be given for the task", [when::several_parts] => |m| m.inject.turn_store(1);
        "previous-store" ["<"] "previous store", "show what the previous store or agent would be given for the task", [when::several_parts] => |m| m.inject.turn_store(-1);
        "record-task" ["V"] "expect this result", "save what is injected now as what this task must get; shows the diff", [when::writable, when::recordable] => moves::record_task;
        "down" ["j", "down"] "down", "the next row, or one line further", [] => |m| moves::step(m, 1);
        "up" ["k", "up"] "up", "the previous row, or one line back", [] => |m| moves::step(m, -1);
        "half-down" ["ctrl-d"] "half a page down", "half a page further", [] => |m| moves::page(m, 1);
        "half-up" ["ctrl-u"] "half a page up", "half a page back", [] => |m| moves::page(m, -1);
        "page-down" ["pagedown", "ctrl-f"] "page down", "a page further", [] => |m| moves::page(m, 2);
        "page-up" ["pageup", "ctrl-b"] "page up", "a page back", [] => |m| moves::page(m, -2);
        "top" ["g g", "home"] "first", "the first row or line", [] => |m| moves::step(m, isize::MIN);
        "bottom" ["G", "end"] "last", "the last row or line", [] => |m| moves::step(m, isize::MAX);
        "side-down" ["J", "ctrl-e"] "scroll the right side", "the right side one line further, from the list too", [] => |m| moves::scroll(m, Pane::Side, 1);
        "side-up" ["K", "ctrl-y"] "scroll the right side back", "the right side one line back, from the list too", [] => |m| moves::scroll(m, Pane::Side, -1);
        "open" ["enter", "right", "l"] "open", "go to the right side; unfold a folded row", [when::openable] => moves::open;
        "back" ["esc", "left", "h"] "back", "one step back: out of a pane, a page, a selection, a filter", [] => moves::back;
        "next-pane" ["tab"] "next pane", "the keys go to the next pane", [] => |m| moves::turn(m, 1);
        "previous-pane" ["shift-tab"] "previous pane", "the keys go to the previous pane", [] => |m| moves::turn(m, -1);
        "next-finding" ["n"] "next finding", "go to the next error or warning, then to the suggestions", [when::findings] => |m| moves::finding(m, true);
        "previous-finding" ["N"] "previous finding", "go to the previous error, warning or suggestion", [when::findings] => |m| moves::finding(m, false);
        "next-rule" ["]"] "next rule", "the first finding of the next rule", [when::findings] => moves::next_rule;
        "sort" ["s"] "sort", "by path, importance, age, title, use", [when::loaded] => moves::sort;
        "compare" ["="] "both texts", "show the two memories of the finding side by side, and decide", [when::findings, when::asking] => pair::open;
        "show-archived" ["."] "show archived", "show archived memories too, or hide them", [when::loaded] => |m| moves::toggle(m, |list| &mut list.archived, ["Hiding archived memories", "Showing archived memories"]);
        "one-list" ["M"] "sections or one list", "a section for each store, or one list of all memories", [when::loaded] => |m| moves::toggle(m, |list| &mut list.is_flat, ["sections by store", "one list of all stores"]);
        "zoom" ["z"] "zoom", "show the pane alone, or both again", [] => |m| m.zoom = !m.zoom;
        "wider" ["+"] "list wider", "more room for the list", [when::two_panes] => |m| m.split = bounded(m.split + 5);
        "narrower" ["-"] "list narrower", "more room for the right side", [when::two_panes] => |m| m.split = bounded(m.split - 5);
        "undo" ["u"] "undo", "undo the last change, even one of an earlier run", [when::writable] => edits::undo;
        "redo" ["ctrl-r"] "redo", "redo the undone change", [when::writable] => |m| m.send(Effect::Redo);
        "unsaved-text" ["g u"] "unsaved text", "show the text that an earlier run did not save: restore or discard it", [when::unsaved] => windows::show_draft;
        "new" ["o"] "new memory", "write a memory", [when::writable, when::addable] => editor::open_new;
        "mouse" ["g m"] "mouse on or off", "when off, the terminal's own mouse selects and copies text", [] => mouse::toggle;
        "theme" ["ctrl-t"] "theme", "choose how the screen looks; each is shown as you go", [] => windows::themes;
        "reload" ["ctrl-l", "R"] "reload", "read all stores again and draw the screen anew", [] => moves::reload;
        "quit" ["q"] "quit", "leave memkeep", [] => |m| m.send(Effect::Quit);
    }
    Memory "On a memory" {
        "explain" ["x"] "explain", "why this memory is or is not injected, and what would change that; on a finding, what its rule is about", [when::explained] => edits::explain;
        "fix" ["f"] "fix", "preview the fix of the finding; the same key again applies it", [when::fixable] => edits::fix;
        "fix-rule" ["F"] "fix all of this rule", "every fix that `lint --fix` would make, in one step; shows them first", [when::editable, when::findings, when::rule_fixable] => edits::fix_rule;
        "silence" ["X"] "silence", "stop reporting this finding; asks for a reason", [when::silenceable] => edits::silence;
        "edit-fields" ["e"] "edit fields", "title, patterns, tags, importance: the fields that its format has", [when::writable, when::single, when::no_context, when::has_fields] => editor::open_form;
        "edit-body" ["i"] "edit body", "the text, with a mark where the prompt cuts it", [when::writable, when::single, when::no_context, when::has_file] => edits::body;
        "archive" ["a"] "archive", "move the selected memories to the archive, out of the agents' sight", [when::editable, when::active] => |m| edits::change(m, "archive", edits::targets(m, State::Active), |ids, _| Change::Archive(ids));
        "confirm" ["c"] "confirm", "mark the selected memories as still right: their staleness checks restart", [when::editable, when::active] => |m| edits::change(m, "confirm", edits::targets(m, State::Active), |ids, _| Change::Confirm(ids));
        "restore" ["r"] "restore", "bring archived memories back", [when::editable, when::restorable] => |m| edits::change(m, "restore", edits::targets(m, State::Archived), |ids, _| Change::Restore(ids));
        "delete" ["d"] "delete", "take the selected memories out of the store; undo brings them back", [when::editable] => |m| edits::change(m, "delete", m.targets(), |ids, sure| Change::Delete { ids, sure });
        "promote" ["p"] "promote", "raise the selected memories: importance, or a more lasting layer; your own go to the project; shows it first", [when::editable] => edits::promote;
        "promote-to" ["W"] "promote to", "the project, another section, a rule in CLAUDE.md or AGENTS.md, one memory of several; shows it first", [when::editable] => edits::promote_to;
        "demote" ["P"] "demote", "lower the selected memories: their importance, or back to the episodes; shows it first", [when::editable] => |m| edits::raise(m, false);
        "forget" ["D"] "forget", "let the selected memories expire at once: their system drops them", [when::editable, when::forgettable] => edits::forget;
        "edit-file" ["E"] "open in $EDITOR", "the file in your own editor, at the memory", [when::writable, when::row, when::has_file] => edits::editor;
        "related" ["L"] "related memories", "what caused it, what it led to, what it names: go to one of them", [when::single, when::related] => windows::related;
        "fold" ["h", "left"] "fold", "fold the section, or the suggestions of lint; Enter unfolds", [] => moves::fold;
        "versions" ["b"] "history", "the history of a memory: what each commit changed, and who wrote it; brings a version back", [when::single] => history::open;
        "copy" ["y"] "copy", "copy the id, the text, the prompt, or in Inject the command line that gives the same", [when::row] => edits::copy;
    }
    List "In the list" {
        "select" ["space"] "select", "select the memory for the next command, and go to the next row", [when::row] => moves::pick;
        "select-range" ["v"] "select a range", "select from here to where you move; the same key again ends it", [when::row] => moves::range;
        "select-all" ["ctrl-a"] "select all", "select every listed memory except loose matches, or none", [when::row] => moves::pick_all;
    }
    Review "On a change in the review" {
        "accept" ["enter"] "accept", "stage the change of this memory, a deletion too, and nothing else of its file", [when::writable, when::reviewed, when::acceptable] => edits::accept;
        "keep-anyway" ["K"] "keep anyway", "accept a new secret or instruction to the reader; asks once", [when::writable, when::reviewed, when::warned] => edits::accept_anyway;
        "reject" ["r"] "reject", "bring the old version back; a new memory goes to the archive", [when::writable, when::reviewed, when::unrejected] => edits::reject;
        "next-alike" ["w"] "other wording", "the next of the proposals that say nearly the same", [when::alike] => |m| m.review.turn();
        "skip" ["l"] "later", "decide later, and go to the next change that waits", [when::undecided] => edits::skip;
        "accept-all" ["A"] "accept all of this kind", "new, edited, deleted or proposed ones that carry no warning; asks before deletions", [when::writable, when::reviewed, when::all_acceptable] => edits::accept_all;
        "raw-diff" ["D"] "raw diff", "show the diff of the change alone, or the card again", [when::reviewed] => |m| m.review.is_raw = !m.review.is_raw;
        "commit" ["c"] "commit", "commit what is accepted, with your hooks and signing; asks for the message", [when::writable, when::committable] => edits::commit;
    }
    Pair "On two memories side by side" {
        "keep-a" ["a"] "keep A", "A is right: B goes to the archive, and the question is closed", [when::writable, when::answerable] => |m| pair::answer(m, Resolution::KeepA, None);
        "keep-b" ["b"] "keep B", "B is right: A goes to the archive, and the question is closed", [when::writable, when::answerable] => |m| pair::answer(m, Resolution::KeepB, None);
        "keep-both" ["o"] "both", "both are right; asks when each of them applies", [when::writable, when::answerable] => pair::keep_both;
        "merge" ["m"] "merge into A", "merge both texts into A and archive B; shows the result first", [when::writable, when::answerable, when::mergeable] => |m| pair::propose_merge(m, false);
        "merge-into-b" ["M"] "merge into B", "merge both texts into B and archive A; shows the result first", [when::writable, when::answerable, when::mergeable] => |m| pair::propose_merge(m, true);
        "not-a-conflict" ["x"] "no conflict", "the two do not conflict; the question is closed", [when::writable, when::answerable] => |m| pair::answer(m, Resolution::NotAConflict, None);
    }
    Ask "While typing an answer" {
        "accept-answer" ["enter"] "accept", "go on with the answer that is typed", [] => windows::accept;
        "leave-answer" ["esc"] "back", "close the question without an answer", [] => windows::leave;
    }
    Explain "While an explanation is shown" {
        "take-suggestion" ["enter"] "apply suggestion", "make the edit that brings the memory in", [when::editable, when::suggestion] => edits::take_suggestion;
    }
    Fix "While a fix is shown" {
        "apply-fix" ["enter", "f"] "apply the fix", "make the change that is shown", [when::editable, when::planned] => proposal::apply;
    }
    Filter "While typing a filter" {
        "accept-filter" ["enter"] "to the list", "keep the filter and go to the list", [] => moves::accept_filter;
        "leave-filter" ["esc"] "keep and leave", "keep the filter; Esc again clears it", [] => |m| m.browse.filter.editing = false;
        "filter-down" ["down", "ctrl-n"] "down", "the next row while typing", [] => |m| moves::step(m, 1);
        "filter-up" ["up", "ctrl-p"] "up", "the previous row while typing", [] => |m| moves::step(m, -1);
    }
    Task "While typing a task" {
        "accept-task" ["enter"] "to the ranking", "take the saved task, or go to the list of what would be injected", [] => moves::accept_task;
        "leave-task" ["esc"] "leave the task", "keep the task and leave the box", [] => moves::leave_task;
        "next-part" ["tab"] "agent, files, settings", "the next part of the task box", [] => |m| moves::turn_part(m, 1);
        "previous-part" ["shift-tab"] "previous part", "the previous part of the task box", [] => |m| moves::turn_part(m, -1);
        "task-down" ["down", "ctrl-n"] "down", "the next row or dialect; in an empty box the saved tasks", [when::task_rows] => |m| moves::turn_task(m, 1);
        "task-up" ["up", "ctrl-p"] "up", "the previous row or dialect", [when::task_rows] => |m| moves::turn_task(m, -1);
    }
    Palette "In the palette" {
        "run-command" ["enter"] "run", "do what is selected", [] => windows::run_selected;
        "leave-palette" ["esc"] "close", "close the palette", [] => windows::leave;
        "palette-down" ["down", "ctrl-n", "tab"] "down", "the next command", [] => |m| windows::turn(m, 1);
        "palette-up" ["up", "ctrl-p", "shift-tab"] "up", "the previous command", [] => |m| windows::turn(m, -1);
    }
    Pick "In a list to pick from" {
        "pick" ["enter", "right", "l"] "take", "take the selected row", [windows::pickable] => windows::take;
        "keep-theme" ["w"] "always", "write the theme into your configuration", [windows::themed] => windows::keep_theme;
        "pick-down" ["down", "j", "ctrl-n", "tab"] "down", "the next row", [] => |m| windows::turn(m, 1);
        "pick-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the previous row", [] => |m| windows::turn(m, -1);
        "leave-list" ["esc", "left", "h"] "close", "close the list, change nothing", [] => windows::leave;
    }
    Versions "On earlier versions of a memory" {
        "restore-version" ["enter", "r"] "restore", "show what bringing the version back changes; again does it", [when::writable, when::version] => history::restore;
        "older-version" ["down", "j"] "older", "the previous version", [] => |m| history::turn(m, 1);
        "newer-version" ["up", "k"] "newer", "the next version", [] => |m| history::turn(m, -1);
    }
    Always "Always" {
        "quit-now" ["ctrl-c"] "quit at once", "leave from anywhere; unsaved text is kept as a draft", [] => |m| m.send(Effect::Quit);
        "suspend" ["ctrl-z"] "suspend", "go back to the shell; `fg` returns", [] => |m| m.send(Effect::Suspend);
    }

    Fields "In the field editor" {
        "next-field" ["down", "tab", "j"] "next field", "the field below; its letter goes to a field too", form => |f| f.move_focus(1);
        "previous-field" ["up", "shift-tab", "k"] "previous field", "the field above", form => |f| f.move_focus(-1);
        "first-field" ["home", "g"] "first field", "the first field", form => |f| f.focus_on(0);
        "last-field" ["end", "G"] "last field", "the last field", form => Form::focus_on_last;
        "open-field" ["enter"] "edit the field", "type in the field; on a choice, save", form => Form::open_field;
        "raise-choice" ["right"] "next word", "the next word of a choice; its first letter or number picks one too", form => Form::raise;
        "lower-choice" ["left"] "previous word", "the previous word of a choice", form => |f| f.step(false);
        "switch" ["space"] "yes or no", "the other answer of a yes-or-no field", form => Form::switch;
        "clear-choice" ["backspace", "delete"] "clear the choice", "remove the word of a choice", form => Form::unset;
        "date-now" ["n"] "now", "the current time, in a date", form => Form::set_now;
        "put-back" ["u"] "reset field", "undo what was typed into the field", form => Form::put_back;
        "leave-fields" ["esc"] "leave", "leave the fields; asks before changes are discarded", form => Form::leave_fields;
    }
    Inside "Inside a field" {
        "accept-field" ["enter"] "done", "take what is typed", form => Form::accept_field;
        "field-after" ["tab"] "next field", "take what is typed and go to the next field", form => |f| f.leave_for(1);
        "field-before" ["shift-tab"] "previous field", "take what is typed and go to the previous field", form => |f| f.leave_for(-1);
        "field-below" ["down"] "field below", "take what is typed in a line and go to the field below", form => |f| f.leave_line(1);
        "field-above" ["up"] "field above", "take what is typed in a line and go to the field above", form => |f| f.leave_line(-1);
        "leave-field" ["esc"] "cancel", "leave the field as it was", form => Form::leave_field;
    }
    Entries "On a list of patterns or names" {
        "edit-entry" ["enter"] "edit", "type in the entry", form => |f| f.in_list(List::edit);
        "add-entry" ["a", "o"] "add", "a new entry at the end", form => |f| f.in_list(List::add);
        "remove-entry" ["x", "delete", "backspace"] "remove", "remove the entry", form => |f| f.in_list(|list| Ok(list.remove()));
        "next-entry" ["down", "j"] "next", "the entry below", form => |f| f.in_list(|list| Ok(list.go_row(list.at + 1)));
        "previous-entry" ["up", "k"] "previous", "the entry above", form => |f| f.in_list(|list| Ok(list.go_row(list.at.saturating_sub(1))));
        "first-entry" ["home", "g"] "first", "the first entry", form => |f| f.in_list(|list| Ok(list.go_row(0)));
        "last-entry" ["end", "G"] "last", "the place of a new entry", form => |f| f.in_list(|list| Ok(list.go_row(usize::MAX)));
        "leave-entries" ["esc", "left", "h"] "done", "back to the fields", form => |f| f.in_list(|_| Ok(Outcome::Leave));
    }
    Text "In the text editor" {
        "undo-text" ["ctrl-u"] "undo", "undo the last edit of the text", text => |t| t.edit(|area| area.undo());
        "redo-text" ["ctrl-r"] "redo", "redo the undone edit", text => |t| t.edit(|area| area.redo());
        "cut-text" ["ctrl-x"] "cut", "cut the selection; select with Shift and the arrows", text => |t| t.edit(|area| area.cut());
        "put-text" ["ctrl-y"] "paste", "paste what was cut", text => |t| t.edit(|area| area.paste());
        "delete-word" ["ctrl-w"] "delete a word", "delete the word before the cursor", text => |t| t.edit(|area| area.delete_word());
        "delete-to-end" ["ctrl-k"] "delete to the end", "delete the rest of the line", text => |t| t.edit(|area| area.delete_line_by_end());
        "leave-text" ["esc"] "leave", "leave the text; asks before changes are discarded", both => Form::show_fields, TextEditor::leave;
    }
    Editing "On fields and in texts" {
        "save" ["ctrl-s"] "save", "save what is edited", both => Form::save, |_| Outcome::Save;
    }
    Question "When asked to discard changes" {
        "give-up" ["y", "Y"] "discard", "discard the changes", both => |_| Outcome::Leave, |_| Outcome::Leave;
        "keep-editing" ["n", "N", "esc", "enter"] "keep editing", "go on where you were", both => Form::show_fields, TextEditor::keep_editing;
    }
}
