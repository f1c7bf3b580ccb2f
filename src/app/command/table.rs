//! The table itself: id, keys, title, help, condition, action.

use super::super::act::when;
use super::super::act::{
    convert, edits, history, links, moves, pairs, promote, review, texts, themes, views,
};
use super::{Command, Run, Scope};

commands! {
    Global GLOBAL {
        "palette" [":", "?"] "all commands and keys", "type what you want, see its key, Enter does it", when::always => views::palette;
        "browse" ["1"] "browse", "the memories and their text", when::always => views::browse;
        "inject" ["2"] "inject", "what an agent would be given for a task, and why", when::always => views::inject;
        "lint" ["3"] "lint", "what is wrong, rule by rule", when::always => views::lint;
        "review" ["4"] "review", "what changed since the last commit: accept, reject, commit", when::always => views::review;
        "filter" ["/"] "filter", "narrow the list as you type: words, field:value, !not, a | b", when::loaded => views::filter;
        "task" ["t"] "task", "type what an agent is about to do; the ranking updates as you type", when::loaded => views::task;
        "tasks" ["T"] "saved tasks", "check the tasks of .memkeep/tasks.yaml: each with its state, Enter takes one", when::loaded => views::tasks;
        "next-store" [">"] "next store", "what the store after this one gives for the task", when::several_parts => views::next_store;
        "previous-store" ["<"] "store before", "what the store before this one gives for the task", when::several_parts => views::previous_store;
        "record-task" ["V"] "right for this task", "remember what is injected as what this task must be given; shows the diff", when::recordable => views::record_task;
        "down" ["j", "down"] "down", "the next row, or one line further", when::always => moves::down;
        "up" ["k", "up"] "up", "the previous row, or one line back", when::always => moves::up;
        "half-down" ["ctrl-d"] "half a page down", "half a page further", when::always => moves::half_down;
        "half-up" ["ctrl-u"] "half a page up", "half a page back", when::always => moves::half_up;
        "page-down" ["pagedown", "ctrl-f"] "page down", "a page further", when::always => moves::page_down;
        "page-up" ["pageup", "ctrl-b"] "page up", "a page back", when::always => moves::page_up;
        "top" ["g g", "home"] "first", "the first row or line", when::always => moves::first;
        "bottom" ["G", "end"] "last", "the last row or line", when::always => moves::last;
        "side-down" ["J", "ctrl-e"] "scroll the right side", "the right side one line further, from the list too", when::always => moves::side_down;
        "side-up" ["K", "ctrl-y"] "scroll the right side back", "the right side one line back, from the list too", when::always => moves::side_up;
        "open" ["enter", "right", "l"] "open", "go to the right side; on a row of folded findings list them", when::openable => moves::open;
        "back" ["esc", "left", "h"] "back", "one step back: out of a pane, a page, a selection, a filter", when::always => moves::back;
        "next-pane" ["tab"] "next pane", "the keys go to the next pane", when::always => moves::next_pane;
        "previous-pane" ["shift-tab"] "previous pane", "the keys go to the previous pane", when::always => moves::previous_pane;
        "next-finding" ["n"] "next finding", "the next error or warning, and behind them the suggestions", when::findings => moves::next_finding;
        "previous-finding" ["N"] "previous finding", "the previous error or warning, or suggestion", when::findings => moves::previous_finding;
        "sort" ["s"] "sort", "by path, importance, age, title, rank; findings by rule or the surest first", when::loaded => views::sort;
        "only-rule" ["O"] "only this rule", "list the findings of the rule you stand on alone, or all again", when::findings => views::only_rule;
        "ask-model" ["Q"] "ask the model", "which memories contradict or repeat each other; says first how much is sent", when::askable => views::ask_model;
        "compare" ["="] "both texts", "the two memories that the finding is about, and your answer", when::asking => pairs::open;
        "show-archived" ["."] "show archived", "show archived memories too, or hide them", when::loaded => views::archived;
        "group-stores" ["M"] "group or mix stores", "keep the memories of a store together in any order, or mix them", when::several_stores => views::grouped;
        "hide-store" ["H"] "hide this store", "neither list nor preview the memories of the selected one's store", when::hideable => views::hide_store;
        "show-stores" ["S"] "show all stores", "list and preview hidden stores again", when::hidden => views::show_stores;
        "zoom" ["z"] "zoom", "show the pane alone, or both again", when::always => views::zoom;
        "wider" ["+"] "list wider", "more room for the list", when::two_panes => views::wider;
        "narrower" ["-"] "list narrower", "more room for the right side", when::two_panes => views::narrower;
        "undo" ["u"] "undo", "undo the last change, even one of an earlier run", when::writable => edits::undo;
        "redo" ["ctrl-r"] "redo", "redo the undone change", when::writable => edits::redo;
        "changes" ["U"] "history of changes", "what memkeep changed, and what of it was undone", when::always => history::changes;
        "prune" ["g x"] "prune", "archive what has expired or repeats another memory; shows it first. `memkeep prune` has more", when::writable => promote::prune;
        "reorder" ["g o"] "order the index by value", "what people said first, then the newest; sections too where the index is cut; shows it first", when::indexed => promote::reorder;
        "candidates" ["g p"] "promotion candidates", "the memories that are ready to be promoted, with the evidence, and what the others lack", when::writable => promote::candidates;
        "unsaved-text" ["g u"] "unsaved text", "show the text that an earlier run did not save: restore or discard it", when::unsaved => texts::show_draft;
        "new" ["o"] "new memory", "write a memory", when::addable => edits::new;
        "theme" ["ctrl-t"] "theme", "choose how the screen looks; each is shown as you go", when::always => themes::open;
        "reload" ["ctrl-l", "R"] "reload", "read all stores again and draw the screen anew", when::always => views::reload;
        "quit" ["q"] "quit", "leave memkeep", when::always => views::quit;
    }
    Memory MEMORY {
        "explain" ["x"] "explain", "why this memory is or is not injected, and what would change that; of a finding, what its rule is about", when::explained => edits::explain;
        "fix" ["f"] "fix", "show what would put the finding right; again applies it", when::fixable => edits::fix;
        "fix-rule" ["F"] "fix all of this rule", "every fix that `lint --fix` would make, in one step; shows them first", when::rule_fixable => edits::fix_rule;
        "silence" ["X"] "silence", "stop reporting this finding; asks for a reason", when::silenceable => edits::silence;
        "edit-fields" ["e"] "edit fields", "title, patterns, tags, importance: drawn from the schema", when::has_fields => edits::fields;
        "edit-body" ["i"] "edit body", "the text, with a mark where the prompt cuts it", when::has_text => edits::body;
        "archive" ["a"] "archive", "move the selected memories to the archive, out of the agents' sight", when::archivable => edits::archive;
        "confirm" ["c"] "confirm", "say that the selected memories are still right: their staleness checks restart", when::confirmable => edits::confirm;
        "restore" ["r"] "restore", "bring archived memories back", when::restorable => edits::restore;
        "delete" ["d"] "delete", "take the selected memories out of the store; undo brings them back", when::editable => edits::delete;
        "promote" ["p"] "promote", "raise the selected memories: importance, or a more lasting layer; your own go to the project; shows it first", when::editable => promote::promote;
        "promote-to" ["W"] "promote to", "the project, another section, a rule in CLAUDE.md or AGENTS.md, one memory of several; shows it first", when::editable => promote::open;
        "demote" ["P"] "demote", "lower the selected memories: their importance, or back to the episodes; shows it first", when::editable => edits::demote;
        "forget" ["D"] "forget", "let the selected memories expire at once: their system drops them", when::forgettable => edits::forget;
        "link" ["m"] "link", "link this memory to those that are selected with Space", when::linkable => links::link;
        "convert" ["w"] "copy to another store", "copy or move the selected memories to another store, in its format; shows it first", when::convertible => convert::open;
        "chapter" ["C"] "make a chapter", "of the selected memories", when::chapterable => edits::chapter;
        "edit-file" ["E"] "open in $EDITOR", "the file in your own editor, at the memory", when::has_file => edits::editor;
        "related" ["L"] "related memories", "what caused it, what it led to, what it names: go to one of them", when::related => links::open;
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
        "raw-diff" ["D"] "raw diff", "show the diff of the change alone, or the card again", when::reviewed => review::raw_diff;
        "commit" ["c"] "commit", "commit what is accepted, with your hooks and signing; asks for the message", when::committable => review::commit;
    }
    Pair PAIR {
        "keep-a" ["a"] "keep A", "A holds; B goes to the archive, and it is not asked again", when::answerable => pairs::keep_a;
        "keep-b" ["b"] "keep B", "B holds; A goes to the archive, and it is not asked again", when::answerable => pairs::keep_b;
        "keep-both" ["o"] "both", "both hold; asks in which case which does", when::answerable => pairs::keep_both;
        "merge" ["m"] "merge into A", "make A say what both say and archive B; shows it first", when::mergeable => pairs::merge;
        "merge-into-b" ["M"] "merge into B", "make B say what both say and archive A; shows it first", when::mergeable => pairs::merge_into_b;
        "not-a-conflict" ["x"] "no conflict", "they have nothing to do with each other; it is not asked again", when::answerable => pairs::not_a_conflict;
    }
    Cases CASES {
        "accept-cases" ["enter"] "both hold", "remember that both hold, in the cases you typed", when::always => pairs::accept_scope;
        "leave-cases" ["esc"] "back", "answer nothing", when::always => texts::leave_overlay;
    }
    Reason REASON {
        "accept-reason" ["enter"] "silence", "add the finding to the baseline, with the reason you typed", when::always => edits::accept_reason;
        "leave-reason" ["esc"] "back", "leave the finding as it is", when::always => texts::leave_overlay;
    }
    Rule RULE {
        "accept-rule" ["enter"] "show it", "show the rule in its file; again writes it", when::always => promote::accept_rule;
        "leave-rule" ["esc"] "back", "write no rule", when::always => texts::leave_overlay;
    }
    Message MESSAGE {
        "accept-message" ["enter"] "commit", "commit what is accepted with this message", when::always => review::accept_message;
        "leave-message" ["esc"] "back", "commit nothing", when::always => texts::leave_overlay;
    }
    Explain EXPLAIN {
        "take-suggestion" ["enter"] "apply suggestion", "make the edit that brings the memory in", when::suggestion => edits::take_suggestion;
    }
    Fix FIX {
        "apply-fix" ["enter", "f"] "apply the fix", "make the change that is shown", when::planned => edits::apply_fix;
    }
    Filter FILTER {
        "accept-filter" ["enter"] "to the list", "keep the filter and go to the list", when::always => texts::accept_filter;
        "leave-filter" ["esc"] "keep and leave", "keep the filter; Esc again clears it", when::always => texts::leave_filter;
        "complete-filter" ["tab"] "complete", "the name of a field, or a value that is known: tags, authors, states", when::always => texts::complete_filter;
        "filter-down" ["down", "ctrl-n"] "down", "the next row while typing", when::always => moves::down;
        "filter-up" ["up", "ctrl-p"] "up", "the row before while typing", when::always => moves::up;
    }
    Task TASK {
        "accept-task" ["enter"] "to the ranking", "take the saved task, or go to the list of what would be injected", when::always => texts::accept_task;
        "leave-task" ["esc"] "leave the task", "keep the task and leave the box", when::always => texts::leave_task;
        "next-part" ["tab"] "agent, files, settings", "the next part of the task box; completes a setting", when::always => texts::next_part;
        "previous-part" ["shift-tab"] "part before", "the part of the task box before", when::always => texts::previous_part;
        "task-down" ["down", "ctrl-n"] "down", "the next row or dialect; in an empty box the saved tasks", when::always => texts::task_down;
        "task-up" ["up", "ctrl-p"] "up", "the row before, or the dialect before", when::always => texts::task_up;
    }
    Palette PALETTE {
        "run-command" ["enter"] "run", "do what is selected", when::always => texts::run_selected;
        "leave-palette" ["esc"] "close", "close the palette", when::always => texts::leave_overlay;
        "palette-down" ["down", "ctrl-n", "tab"] "down", "the next command", when::always => texts::palette_down;
        "palette-up" ["up", "ctrl-p", "shift-tab"] "up", "the command before", when::always => texts::palette_up;
        "palette-page-down" ["pagedown"] "page down", "half a screen of commands further", when::always => texts::palette_page_down;
        "palette-page-up" ["pageup"] "page up", "half a screen of commands back", when::always => texts::palette_page_up;
    }
    Draft DRAFT {
        "restore-draft" ["r", "enter"] "restore", "open the unsaved text, to be saved or discarded", when::writable => texts::restore_draft;
        "discard-draft" ["d"] "discard", "put the unsaved text aside; the unsaved-text command shows it again", when::always => texts::discard_draft;
        "keep-draft" ["k", "esc"] "keep for later", "offer it again at the next start", when::always => texts::leave_draft;
    }
    Links LINKS {
        "go-to-related" ["enter", "right", "l"] "go there", "stand on the selected memory", when::always => links::go;
        "related-down" ["down", "j", "ctrl-n", "tab"] "down", "the next memory", when::always => links::down;
        "related-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the memory before", when::always => links::up;
        "unlink" ["x", "delete"] "unlink", "take the selected link away", when::writable => links::unlink;
        "leave-related" ["esc", "left", "h"] "close", "stay where you are", when::always => texts::leave_overlay;
    }
    Kinds KINDS {
        "take-kind" ["enter", "right", "l"] "link", "make links of the selected kind", when::writable => links::take;
        "kind-down" ["down", "j", "ctrl-n", "tab"] "down", "the next kind", when::always => links::down;
        "kind-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the kind before", when::always => links::up;
        "leave-kinds" ["esc", "left", "h"] "close", "link nothing", when::always => texts::leave_overlay;
    }
    Targets TARGETS {
        "copy-there" ["enter", "right", "l"] "copy", "show the copy in the selected store; again makes it", when::writable => convert::copy;
        "move-there" ["m"] "move", "show the same, with the memories taken out of their store", when::writable => convert::moved;
        "store-down" ["down", "j", "ctrl-n", "tab"] "down", "the next store", when::always => links::down;
        "store-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the store before", when::always => links::up;
        "leave-stores" ["esc", "left", "h"] "close", "copy nothing", when::always => texts::leave_overlay;
    }
    Ways WAYS {
        "take-way" ["enter", "right", "l"] "promote", "show what it changes; again does it", when::writable => promote::take;
        "way-down" ["down", "j", "ctrl-n", "tab"] "down", "the next way", when::always => links::down;
        "way-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the way before", when::always => links::up;
        "leave-ways" ["esc", "left", "h"] "close", "promote nothing", when::always => texts::leave_overlay;
    }
    Versions VERSIONS {
        "restore-version" ["enter", "r"] "restore", "show what bringing the version back changes; again does it", when::version => history::restore;
        "older-version" ["down", "j"] "older", "the version before", when::always => history::older;
        "newer-version" ["up", "k"] "newer", "the version after", when::always => history::newer;
        "who-wrote" ["w"] "who wrote it", "who last changed which line; again shows the changes", when::always => history::blame;
    }
    Changes CHANGES {
        "take-back" ["enter", "u"] "undo or redo", "take the selected change back, or make it again", when::writable => history::take_back;
        "change-down" ["down", "j", "ctrl-n", "tab"] "down", "the change before", when::always => links::down;
        "change-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the change after", when::always => links::up;
        "leave-changes" ["esc", "left", "h"] "close", "change nothing", when::always => texts::leave_overlay;
    }
    Themes THEMES {
        "take-theme" ["enter"] "take", "keep the theme until memkeep ends", when::always => themes::take;
        "keep-theme" ["w"] "always", "write the theme into your configuration", when::always => themes::keep;
        "theme-down" ["down", "j", "ctrl-n", "tab"] "down", "the next theme", when::always => themes::down;
        "theme-up" ["up", "k", "ctrl-p", "shift-tab"] "up", "the theme before", when::always => themes::up;
        "leave-themes" ["esc"] "cancel", "go back to the theme of before", when::always => themes::leave;
    }
    Always ALWAYS {
        "quit-now" ["ctrl-c"] "quit at once", "leave from anywhere; unsaved text is kept as a draft", when::always => views::quit;
        "suspend" ["ctrl-z"] "suspend", "go back to the shell; `fg` returns", when::always => views::suspend;
    }
}
