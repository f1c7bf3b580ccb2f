//! The commands of what is being edited. Each part knows its commands by the keys they have by
//! default; whatever key a person chose is handed to it as that one.

use super::{Command, Run, Scope};

commands! {
    Fields FIELDS {
        "next-field" ["down", "tab", "j"] "next field", "the field below; its letter goes to a field too" => "down";
        "previous-field" ["up", "shift-tab", "k"] "previous field", "the field above" => "up";
        "first-field" ["home", "g"] "first field", "the first field" => "home";
        "last-field" ["end", "G"] "last field", "the last field" => "end";
        "open-field" ["enter"] "edit the field", "type in the field; on a choice, save" => "enter";
        "raise-choice" ["right"] "next word", "the next word of a choice; its first letter or number picks one too" => "right";
        "lower-choice" ["left"] "previous word", "the previous word of a choice" => "left";
        "switch" ["space"] "yes or no", "the other answer, where there are two" => "space";
        "clear-choice" ["backspace", "delete"] "no word", "remove the word of a choice" => "backspace";
        "date-now" ["n"] "now", "the current time, in a date" => "n";
        "put-back" ["u"] "reset field", "undo what was typed into the field" => "u";
        "leave-fields" ["esc"] "leave", "leave the fields; asks before changes are discarded" => "esc";
    }
    Inside INSIDE {
        "accept-field" ["enter"] "done", "take what is typed; in tags, add it" => "enter";
        "complete-field" ["tab"] "complete, or next field", "finish a word that is known, as → does at its end; else go on" => "tab";
        "field-before" ["shift-tab"] "previous field", "take what is typed and go to the previous field" => "shift-tab";
        "field-below" ["down"] "field below", "take what is typed in a line and go to the field below" => "down";
        "field-above" ["up"] "field above", "take what is typed in a line and go to the field above" => "up";
        "leave-field" ["esc"] "cancel", "leave the field as it was" => "esc";
    }
    Entries ENTRIES {
        "edit-entry" ["enter"] "edit", "type in the entry" => "enter";
        "add-entry" ["a", "o"] "add", "a new entry at the end" => "a";
        "remove-entry" ["x", "delete", "backspace"] "remove", "remove the entry" => "x";
        "next-entry" ["down", "j"] "next", "the entry below" => "down";
        "previous-entry" ["up", "k"] "previous", "the entry above" => "up";
        "first-entry" ["home", "g"] "first", "the first entry" => "home";
        "last-entry" ["end", "G"] "last", "the place of a new entry" => "end";
        "entry-up" ["K", "shift-up", "alt-up"] "move up", "move the entry up" => "K";
        "entry-down" ["J", "shift-down", "alt-down"] "move down", "move the entry down" => "J";
        "leave-entries" ["esc", "left", "h"] "done", "back to the fields" => "esc";
    }
    Text TEXT {
        "undo-text" ["ctrl-u"] "undo", "undo the last edit of the text" => "ctrl-u";
        "redo-text" ["ctrl-r"] "redo", "redo the undone edit" => "ctrl-r";
        "find-text" ["ctrl-f"] "find", "search the text as you type" => "ctrl-f";
        "cut-text" ["ctrl-x"] "cut", "cut the selection; select with Shift and the arrows" => "ctrl-x";
        "put-text" ["ctrl-y"] "paste", "paste what was cut" => "ctrl-y";
        "delete-word" ["ctrl-w"] "delete a word", "delete the word before the cursor" => "ctrl-w";
        "delete-to-end" ["ctrl-k"] "delete to the end", "delete the rest of the line" => "ctrl-k";
        "leave-text" ["esc"] "leave", "leave the text; asks before changes are discarded" => "esc";
    }
    Find FIND {
        "find-next" ["enter", "down", "ctrl-f"] "next", "the next match" => "enter";
        "find-previous" ["up"] "previous", "the previous match" => "up";
        "leave-find" ["esc"] "back", "back to the text" => "esc";
    }
    Editing EDITING {
        "save" ["ctrl-s"] "save", "save what is edited" => "ctrl-s";
    }
    Conflict CONFLICT {
        "keep-mine" ["m"] "keep yours", "overwrite what is on disk with your text" => "m";
        "take-theirs" ["t"] "take theirs", "take what is on disk and discard yours" => "t";
        "edit-merged" ["e"] "edit merged", "edit both in one text, what overlaps marked" => "e";
        "show-base" ["b"] "before", "show what both began with, or no longer" => "b";
        "next-difference" ["n"] "next difference", "where the next difference begins" => "n";
        "previous-difference" ["N"] "previous difference", "where the previous difference begins" => "N";
        "conflict-down" ["down", "j"] "down", "one line further" => "down";
        "conflict-up" ["up", "k"] "up", "one line back" => "up";
        "conflict-page-down" ["pagedown", "ctrl-d"] "page down", "ten lines further" => "pagedown";
        "conflict-page-up" ["pageup", "ctrl-u"] "page up", "ten lines back" => "pageup";
        "conflict-top" ["home", "g"] "first", "the first line" => "home";
        "conflict-bottom" ["end", "G"] "last", "the last line" => "end";
        "leave-conflict" ["esc"] "back", "back to editing" => "esc";
    }
    Question QUESTION {
        "give-up" ["y", "Y"] "discard", "discard the changes" => "y";
        "keep-editing" ["n", "N", "esc", "enter"] "keep editing", "go on where you were" => "n";
    }
    WriteOver WRITE_OVER {
        "write-over" ["y", "Y", "ctrl-s"] "write over", "save your fields over what another program wrote" => "y";
        "write-nothing" ["n", "N", "esc", "enter"] "keep editing", "write nothing and go on; reset takes what is on disk" => "n";
    }
    Broken BROKEN {
        "edit-whole" ["enter", "i"] "edit as text", "edit the whole text, for its fields cannot be read" => "enter";
        "leave-broken" ["esc"] "back", "back to the list" => "esc";
    }
}
