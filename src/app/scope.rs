//! The scopes of keys, and the actions of the parts that are edited.

/// The part of the program in which a key is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everywhere, inside texts too.
    Always,
    /// Wherever no text is being typed.
    Global,
    /// On a memory.
    Memory,
    /// In the list of memories.
    List,
    /// While the explanation is shown.
    Explain,
    /// On an entry of the review queue.
    Review,
    /// While a fix is shown.
    Fix,
    /// While a filter is typed.
    Filter,
    /// While a task is typed.
    Task,
    /// In the palette.
    Palette,
    /// While a found draft is offered.
    Draft,
    /// In a list to pick one of.
    Pick,
    /// On two memories that a rule asks about.
    Pair,
    /// While a question is answered.
    Ask,
    /// Among the earlier versions of a memory.
    Versions,
    /// On the fields of a memory.
    Fields,
    /// Inside a field.
    Inside,
    /// On the entries of a list.
    Entries,
    /// In the text editor.
    Text,
    /// On fields and in texts.
    Editing,
    /// When asked whether to discard changes.
    Question,
    /// When asked whether to write over what another program wrote.
    WriteOver,
}

/// The effect of an action or a key on the part that is edited; the program around acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: the key means nothing here.
    Nothing,
    /// Something is to be drawn anew.
    Redraw,
    /// The part changed: the draft is to be kept, and the preview to be asked for again.
    Changed,
    /// The person saves.
    Save,
    /// The person is done without saving.
    Leave,
}

/// An action of a part that is edited: a form, a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Leaves the part.
    Leave,
    /// Saves what is edited.
    Save,
    /// Answers a question with yes.
    Yes,
    /// Answers a question with no.
    No,
    /// Opens a field or an entry, or accepts what is typed.
    Enter,
    /// Goes to the next field, entry or line.
    Next,
    /// Goes to the previous one.
    Previous,
    /// Goes to the first one.
    First,
    /// Goes to the last one.
    Last,
    /// Takes the next word of a choice.
    Raise,
    /// Takes the previous word of a choice.
    Lower,
    /// Takes the other one of two answers.
    Switch,
    /// Removes the word of a choice.
    Clear,
    /// Enters the current time.
    Now,
    /// Undoes the changes of a field.
    Reset,
    /// Completes a word, or goes on.
    Complete,
    /// Leaves a field for the one before.
    Before,
    /// Leaves a line for the field below.
    Below,
    /// Leaves a line for the field above.
    Above,
    /// Adds an entry.
    Add,
    /// Removes an entry.
    Remove,
    /// Moves an entry up.
    MoveUp,
    /// Moves an entry down.
    MoveDown,
    /// Undoes an edit of a text.
    Undo,
    /// Redoes it.
    Redo,
    /// Cuts the selection.
    Cut,
    /// Pastes what was cut.
    Paste,
    /// Deletes the word before the cursor.
    DeleteWord,
    /// Deletes the rest of the line.
    DeleteToEnd,
}
