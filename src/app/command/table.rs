//! The table itself: id, keys, title, help, condition, action.

use super::super::act::when;
use super::super::act::{edits, history, moves, pairs, picks, promote, review, texts, views};
use super::super::msg::Effect;
use super::super::{Pane, View, desk, proposal};
use super::{Command, Run, Scope, always};
use crate::curate::Resolution;

commands! {
    Global GLOBAL {
        "palette" [":", "?"] "all commands and keys", "type what you want, see its key, Enter does it", always => views::palette;
        "browse" ["1"] "browse", "the memories and their text", always => |m| m.show(View::Browse);
        "inject" ["2"] "inject", "what an agent would be given for a task, and why", always => views::inject;
        "lint" ["3"] "lint", "what is wrong, rule by rule", always => |m| m.show(View::Lint);
        "review" ["4"] "review", "what changed since the last commit: accept, reject, commit", always => |m| m.show(View::Review);
        "filter" ["/"] "filter", "narrow the list as you type: words, field:value, !not, a | b", when::loaded => views::filter;
        "task" ["t"] "task", "type what an agent is about to do; the ranking updates as you type", when::loaded => views::task;
        "tasks" ["T"] "saved tasks", "check the tasks of .memkeep/tasks.yaml: each with its state, Enter takes one", when::loaded => views::tasks;
        "next-store" [">"] "next store", "what the store after this one gives for the task", when::several_parts => |m| m.inject.turn_store(1);
        "previous-store" ["<"] "store before", "what the store before this one gives for the task", when::several_parts => |m| m.inject.turn_store(-1);
        "record-task" ["V"] "right for this task", "remember what is injected as what this task must be given; shows the diff", when::recordable => views::record_task;
        "down" ["j", "down"] "down", "the next row, or one line further", always => |m| moves::step(m, 1);
        "up" ["k", "up"] "up", "the previous row, or one line back", always => |m| moves::step(m, -1);
        "half-down" ["ctrl-d"] "half a page down", "half a page further", always => |m| moves::half(m, 1);
        "half-up" ["ctrl-u"] "half a page up", "half a page back", always => |m| moves::half(m, -1);
        "page-down" ["pagedown", "ctrl-f"] "page down", "a page further", always => |m| moves::page(m, 1);
        "page-up" ["pageup", "ctrl-b"] "page up", "a page back", always => |m| moves::page(m, -1);
        "top" ["g g", "home"] "first", "the first row or line", always => |m| moves::step(m, isize::MIN);
        "bottom" ["G", "end"] "last", "the last row or line", always => |m| moves::step(m, isize::MAX);
        "side-down" ["J", "ctrl-e"] "scroll the right side", "the right side one line further, from the list too", always => |m| moves::scroll(m, Pane::Side, 1);
        "side-up" ["K", "ctrl-y"] "scroll the right side back", "the right side one line back, from the list too", always => |m| moves::scroll(m, Pane::Side, -1);
        "open" ["enter", "right", "l"] "open", "go to the right side; on a row of folded findings list them", when::openable => moves::open;
        "back" ["esc", "left", "h"] "back", "one step back: out of a pane, a page, a selection, a filter", always => moves::back;
        "next-pane" ["tab"] "next pane", "the keys go to the next pane", always => |m| moves::turn(m, 1);
        "previous-pane" ["shift-tab"] "previous pane", "the keys go to the previous pane", always => |m| moves::turn(m, -1);
        "next-finding" ["n"] "next finding", "the next error or warning, and behind them the suggestions", when::findings => |m| moves::finding(m, true);
        "previous-finding" ["N"] "previous finding", "the previous error or warning, or suggestion", when::findings => |m| moves::finding(m, false);
        "sort" ["s"] "sort", "by path, importance, age, title; findings by rule or the surest first", when::loaded => views::sort;
        "compare" ["="] "both texts", "the two memories that the finding is about, and your answer", when::asking => pairs::open;
        "show-archived" ["."] "show archived", "show archived memories too, or hide them", when::loaded => views::archived;
        "group-stores" ["M"] "group or mix stores", "keep the memories of a store together in any order, or mix them", when::several_stores => views::grouped;
        "zoom" ["z"] "zoom", "show the pane alone, or both again", always => |m| m.zoom = !m.zoom;
        "wider" ["+"] "list wider", "more room for the list", when::two_panes => |m| views::widen(m, 5);
        "narrower" ["-"] "list narrower", "more room for the right side", when::two_panes => |m| views::widen(m, -5);
        "undo" ["u"] "undo", "undo the last change, even one of an earlier run", when::writable => |_| vec![Effect::Undo];
        "redo" ["ctrl-r"] "redo", "redo the undone change", when::writable => |_| vec![Effect::Redo];
        "changes" ["U"] "history of changes", "what memkeep changed, and what of it was undone", always => history::changes;
        "unsaved-text" ["g u"] "unsaved text", "show the text that an earlier run did not save: restore or discard it", when::unsaved => texts::show_draft;
        "new" ["o"] "new memory", "write a memory", when::addable => desk::open_new;
        "theme" ["ctrl-t"] "theme", "choose how the screen looks; each is shown as you go", always => picks::themes;
        "reload" ["ctrl-l", "R"] "reload", "read all stores again and draw the screen anew", always => views::reload;
        "quit" ["q"] "quit", "leave memkeep", always => |_| vec![Effect::Quit];
    }
    Memory MEMORY {
        "explain" ["x"] "explain", "why this memory is or is not injected, and what would change that; of a finding, what its rule is about", when::explained => edits::explain;
        "fix" ["f"] "fix", "show what would put the finding right; again applies it", when::fixable => edits::fix;
        "fix-rule" ["F"] "fix all of this rule", "every fix that `lint --fix` would make, in one step; shows them first", when::rule_fixable => edits::fix_rule;
        "silence" ["X"] "silence", "stop reporting this finding; asks for a reason", when::silenceable => edits::silence;
        "edit-fields" ["e"] "edit fields", "title, patterns, tags, importance: drawn from the schema", when::has_fields => desk::open_form;
        "edit-body" ["i"] "edit body", "the text, with a mark where the prompt cuts it", when::has_text => edits::body;
        "archive" ["a"] "archive", "move the selected memories to the archive, out of the agents' sight", when::archivable => edits::archive;
        "confirm" ["c"] "confirm", "say that the selected memories are still right: their staleness checks restart", when::confirmable => edits::confirm;
        "restore" ["r"] "restore", "bring archived memories back", when::restorable => edits::restore;
        "delete" ["d"] "delete", "take the selected memories out of the store; undo brings them back", when::editable => edits::delete;
        "promote" ["p"] "promote", "raise the selected memories: importance, or a more lasting layer; your own go to the project; shows it first", when::editable => promote::promote;
        "promote-to" ["W"] "promote to", "the project, another section, a rule in CLAUDE.md or AGENTS.md, one memory of several; shows it first", when::editable => promote::open;
        "demote" ["P"] "demote", "lower the selected memories: their importance, or back to the episodes; shows it first", when::editable => |m| promote::raise(m, false);
        "forget" ["D"] "forget", "let the selected memories expire at once: their system drops them", when::forgettable => edits::forget;
        "convert" ["w"] "copy to another store", "copy or move the selected memories to another store, in its format; shows it first", when::convertible => picks::stores;
        "edit-file" ["E"] "open in $EDITOR", "the file in your own editor, at the memory", when::has_file => edits::editor;
        "related" ["L"] "related memories", "what caused it, what it led to, what it names: go to one of them", when::related => picks::related;
        "versions" ["b"] "history", "the history of a memory: what each commit changed, and who wrote it; brings a version back", when::single => history::open;
        "copy" ["y"] "copy", "what you are on: the id, the text, the prompt, or in Inject the command line that gives the same", when::row => edits::copy;
        "copy-path" ["Y"] "copy path", "the path of the file", when::row => edits::copy_path;
    }
    List LIST {
        "select" ["space"] "select", "pick the memory for the next command, and go on", when::row => moves::pick;
        "select-range" ["v"] "select a range", "pick from here to where you go; again keeps it", when::row => moves::range;
        "select-all" ["ctrl-a"] "select all", "pick every listed memory but loose matches, or none", when::row => moves::pick_all;
    }
    Review REVIEW {
        "accept" ["enter"] "accept", "stage the change of this memory, a deletion too, and nothing else of its file", when::acceptable => review::accept;
        "keep-anyway" ["K"] "keep anyway", "accept a new secret or instruction to the reader; asks once", when::warned => review::accept_anyway;
        "reject" ["r"] "reject", "bring the old version back; a new memory goes to the archive", when::decidable => review::reject;
        "skip" ["l"] "later", "decide later; the next change that waits", when::reviewed => review::skip;
        "accept-all" ["A"] "accept all of this kind", "new, edited, deleted or proposed ones that carry no warning; asks before deletions", when::all_acceptable => review::accept_all;
        "raw-diff" ["D"] "raw diff", "show the diff of the change alone, or the card again", when::reviewed => |m| m.review.is_raw = !m.review.is_raw;
        "commit" ["c"] "commit", "commit what is accepted, with your hooks and signing; asks for the message", when::committable => review::commit;
    }
    Pair PAIR {
        "keep-a" ["a"] "keep A", "A holds; B goes to the archive, and it is not asked again", when::answerable => |m| pairs::answer(m, Resolution::KeepA, None);
        "keep-b" ["b"] "keep B", "B holds; A goes to the archive, and it is not asked again", when::answerable => |m| pairs::answer(m, Resolution::KeepB, None);
        "keep-both" ["o"] "both", "both hold; asks in which case which does", when::answerable => pairs::keep_both;
        "merge" ["m"] "merge into A", "make A say what both say and archive B; shows it first", when::mergeable => |m| pairs::propose_merge(m, false);
        "merge-into-b" ["M"] "merge into B", "make B say what both say and archive A; shows it first", when::mergeable => |m| pairs::propose_merge(m, true);
        "not-a-conflict" ["x"] "no conflict", "they have nothing to do with each other; it is not asked again", when::answerable => |m| pairs::answer(m, Resolution::NotAConflict, None);
    }
    Ask ASK {
        "accept-answer" ["enter"] "accept", "go on with the answer that is typed", always => picks::accept;
        "leave-answer" ["esc"] "back", "answer nothing", always => picks::leave;
    }
    Explain EXPLAIN {
        "take-suggestion" ["enter"] "apply suggestion", "make the edit that brings the memory in", when::suggestion => edits::take_suggestion;
    }
    Fix FIX {
        "apply-fix" ["enter", "f"] "apply the fix", "make the change that is shown", when::planned => proposal::apply;
    }
    Filter FILTER {
        "accept-filter" ["enter"] "to the list", "keep the filter and go to the list", always => texts::accept_filter;
        "leave-filter" ["esc"] "keep and leave", "keep the filter; Esc again clears it", always => texts::leave_filter;
        "complete-filter" ["tab"] "complete", "the name of a field, or a value that is known: tags, authors, states", always => texts::complete_filter;
        "filter-down" ["down", "ctrl-n"] "down", "the next row while typing", always => |m| moves::step(m, 1);
        "filter-up" ["up", "ctrl-p"] "up", "the row before while typing", always => |m| moves::step(m, -1);
    }
    Task TASK {
        "accept-task" ["enter"] "to the ranking", "take the saved task, or go to the list of what would be injected", always => texts::accept_task;
        "leave-task" ["esc"] "leave the task", "keep the task and leave the box", always => texts::leave_task;
        "next-part" ["tab"] "agent, files, settings", "the next part of the task box", always => |m| texts::turn_part(m, 1);
        "previous-part" ["shift-tab"] "part before", "the part of the task box before", always => |m| texts::turn_part(m, -1);
        "task-down" ["down", "ctrl-n"] "down", "the next row or dialect; in an empty box the saved tasks", always => |m| texts::turn_task(m, 1);
        "task-up" ["up", "ctrl-p"] "up", "the row before, or the dialect before", always => |m| texts::turn_task(m, -1);
    }
    Palette PALETTE {
        "run-command" ["enter"] "run", "do what is selected", always => texts::run_selected;
        "leave-palette" ["esc"] "close", "close the palette", always => picks::leave;
        "palette-down" ["down", "ctrl-n", "tab"] "down", "the next command", always => |m| texts::turn_palette(m, 1);
        "palette-up" ["up", "ctrl-p", "shift-tab"] "up", "the command before", always => |m| texts::turn_palette(m, -1);
        "palette-page-down" ["pagedown"] "page down", "half a screen of commands further", always => |m| texts::page_palette(m, 1);
        "palette-page-up" ["pageup"] "page up", "half a screen of commands back", always => |m| texts::page_palette(m, -1);
    }
    Draft DRAFT {
        "restore-draft" ["r", "enter"] "restore", "open the unsaved text, to be saved or discarded", when::writable => texts::restore_draft;
        "discard-draft" ["d"] "discard", "put the unsaved text aside; the unsaved-text command shows it again", always => texts::discard_draft;
        "keep-draft" ["k", "esc"] "keep for later", "offer it again at the next start", always => texts::leave_draft;
    }
    Pick PICK {
        "pick" ["enter", "right", "l"] "take", "go to it, link it, copy there, promote it or take it, as the list is", picks::pickable => picks::take;
        "move-there" ["m"] "move", "show the copy in the selected store, with the memories taken out of theirs", picks::movable => picks::move_there;
        "keep-theme" ["w"] "always", "write the theme into your configuration", picks::themed => picks::keep_theme;
        "pick-down" ["down", "j", "ctrl-n", "tab"] "down", "the next row", always => |m| picks::turn(m, 1);
        "pick-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the row before", always => |m| picks::turn(m, -1);
        "take-back" ["u"] "undo or redo", "take the selected change back, or make it again", picks::revertible => picks::take;
        "leave-list" ["esc", "left", "h"] "close", "close the list, change nothing", always => picks::leave;
    }
    Versions VERSIONS {
        "restore-version" ["enter", "r"] "restore", "show what bringing the version back changes; again does it", when::version => history::restore;
        "older-version" ["down", "j"] "older", "the version before", always => |m| history::turn(m, 1);
        "newer-version" ["up", "k"] "newer", "the version after", always => |m| history::turn(m, -1);
        "who-wrote" ["w"] "who wrote it", "who last changed which line; again shows the changes", always => history::blame;
    }
    Always ALWAYS {
        "quit-now" ["ctrl-c"] "quit at once", "leave from anywhere; unsaved text is kept as a draft", always => |_| vec![Effect::Quit];
        "suspend" ["ctrl-z"] "suspend", "go back to the shell; `fg` returns", always => |_| vec![Effect::Suspend];
    }
}
