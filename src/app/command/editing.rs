//! The commands of a form, a text and a conflict, each with its action.

use super::{Action, Command, Run, Scope};

commands! {
    Fields FIELDS {
        "next-field" ["down", "tab", "j"] "next field", "the field below; its letter goes to a field too" => Next;
        "previous-field" ["up", "shift-tab", "k"] "previous field", "the field above" => Previous;
        "first-field" ["home", "g"] "first field", "the first field" => First;
        "last-field" ["end", "G"] "last field", "the last field" => Last;
        "open-field" ["enter"] "edit the field", "type in the field; on a choice, save" => Enter;
        "raise-choice" ["right"] "next word", "the next word of a choice; its first letter or number picks one too" => Raise;
        "lower-choice" ["left"] "previous word", "the previous word of a choice" => Lower;
        "switch" ["space"] "yes or no", "the other answer, where there are two" => Switch;
        "clear-choice" ["backspace", "delete"] "no word", "remove the word of a choice" => Clear;
        "date-now" ["n"] "now", "the current time, in a date" => Now;
        "put-back" ["u"] "reset field", "undo what was typed into the field" => Reset;
        "leave-fields" ["esc"] "leave", "leave the fields; asks before changes are discarded" => Leave;
    }
    Inside INSIDE {
        "accept-field" ["enter"] "done", "take what is typed; in tags, add it" => Enter;
        "complete-field" ["tab"] "complete, or next field", "finish a word that is known, as → does at its end; else go on" => Complete;
        "field-before" ["shift-tab"] "previous field", "take what is typed and go to the previous field" => Before;
        "field-below" ["down"] "field below", "take what is typed in a line and go to the field below" => Below;
        "field-above" ["up"] "field above", "take what is typed in a line and go to the field above" => Above;
        "leave-field" ["esc"] "cancel", "leave the field as it was" => Leave;
    }
    Entries ENTRIES {
        "edit-entry" ["enter"] "edit", "type in the entry" => Enter;
        "add-entry" ["a", "o"] "add", "a new entry at the end" => Add;
        "remove-entry" ["x", "delete", "backspace"] "remove", "remove the entry" => Remove;
        "next-entry" ["down", "j"] "next", "the entry below" => Next;
        "previous-entry" ["up", "k"] "previous", "the entry above" => Previous;
        "first-entry" ["home", "g"] "first", "the first entry" => First;
        "last-entry" ["end", "G"] "last", "the place of a new entry" => Last;
        "entry-up" ["K", "shift-up", "alt-up"] "move up", "move the entry up" => MoveUp;
        "entry-down" ["J", "shift-down", "alt-down"] "move down", "move the entry down" => MoveDown;
        "leave-entries" ["esc", "left", "h"] "done", "back to the fields" => Leave;
    }
    Text TEXT {
        "undo-text" ["ctrl-u"] "undo", "undo the last edit of the text" => Undo;
        "redo-text" ["ctrl-r"] "redo", "redo the undone edit" => Redo;
        "cut-text" ["ctrl-x"] "cut", "cut the selection; select with Shift and the arrows" => Cut;
        "put-text" ["ctrl-y"] "paste", "paste what was cut" => Paste;
        "delete-word" ["ctrl-w"] "delete a word", "delete the word before the cursor" => DeleteWord;
        "delete-to-end" ["ctrl-k"] "delete to the end", "delete the rest of the line" => DeleteToEnd;
        "leave-text" ["esc"] "leave", "leave the text; asks before changes are discarded" => Leave;
    }
    Editing EDITING {
        "save" ["ctrl-s"] "save", "save what is edited" => Save;
    }
    Conflict CONFLICT {
        "keep-mine" ["m"] "keep yours", "overwrite what is on disk with your text" => KeepMine;
        "take-theirs" ["t"] "take theirs", "take what is on disk and discard yours" => TakeTheirs;
        "edit-merged" ["e"] "edit merged", "edit both in one text, what overlaps marked" => EditMerged;
        "conflict-down" ["down", "j"] "down", "one line further" => Next;
        "conflict-up" ["up", "k"] "up", "one line back" => Previous;
        "conflict-page-down" ["pagedown", "ctrl-d"] "page down", "ten lines further" => PageDown;
        "conflict-page-up" ["pageup", "ctrl-u"] "page up", "ten lines back" => PageUp;
        "conflict-top" ["home", "g"] "first", "the first line" => First;
        "conflict-bottom" ["end", "G"] "last", "the last line" => Last;
        "leave-conflict" ["esc"] "back", "back to editing" => Leave;
    }
    Question QUESTION {
        "give-up" ["y", "Y"] "discard", "discard the changes" => Yes;
        "keep-editing" ["n", "N", "esc", "enter"] "keep editing", "go on where you were" => No;
    }
    WriteOver WRITE_OVER {
        "write-over" ["y", "Y", "ctrl-s"] "write over", "save your fields over what another program wrote" => Yes;
        "write-nothing" ["n", "N", "esc", "enter"] "keep editing", "write nothing and go on; reset takes what is on disk" => No;
    }
    Broken BROKEN {
        "edit-whole" ["enter", "i"] "edit as text", "edit the whole text, for its fields cannot be read" => Enter;
        "leave-broken" ["esc"] "back", "back to the list" => Leave;
    }
}
