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
