//! Keys as data: how a person writes them in a configuration and reads them on the screen, the scopes
//! in which they are heard, and what they do to the part that is edited.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One key, in the one form that two terminals agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// Held keys; never Shift together with a character.
    pub mods: KeyModifiers,
}

/// A direction and a distance in a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One grapheme back.
    Left,
    /// One grapheme on.
    Right,
    /// To the beginning of a word.
    WordLeft,
    /// To the beginning of the next word.
    WordRight,
    /// To the beginning.
    Start,
    /// To the end.
    End,
}

/// An edit of a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEdit {
    /// Inserts a character.
    Insert(char),
    /// Moves the cursor.
    Go(Step),
    /// Deletes from the cursor on.
    Delete(Step),
}

/// Keys with a name of their own: the name in a configuration, the label on the screen.
const NAMED: &[(&str, &str, KeyCode)] = &[
    ("space", "Space", KeyCode::Char(' ')),
    ("enter", "Enter", KeyCode::Enter),
    ("esc", "Esc", KeyCode::Esc),
    ("tab", "Tab", KeyCode::Tab),
    ("backspace", "Backspace", KeyCode::Backspace),
    ("delete", "Del", KeyCode::Delete),
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
    ("pageup", "PgUp", KeyCode::PageUp),
    ("pagedown", "PgDn", KeyCode::PageDown),
    ("insert", "Ins", KeyCode::Insert),
];

/// Held keys by their names.
const HELD: &[(&str, &str, KeyModifiers)] = &[
    ("ctrl-", "Ctrl-", KeyModifiers::CONTROL),
    ("alt-", "Alt-", KeyModifiers::ALT),
    ("shift-", "Shift-", KeyModifiers::SHIFT),
];

/// Letters of other alphabets as they lie on their keyboards, and the Latin ones in their places.
const LAYOUTS: [(&str, &str); 2] = [
    (
        "йцукенгшщзхъфывапролдячсмить",
        "qwertyuiop[]asdfghjklzxcvbnm",
    ),
    ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
];

impl Key {
    /// A key without held keys.
    pub const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            mods: KeyModifiers::NONE,
        }
    }

    /// Reads a name: `ctrl-d`, `space`, `G`, `shift-tab`, `f5`.
    pub fn parse(name: &str) -> Option<Self> {
        let (mut rest, mut mods) = (name, KeyModifiers::NONE);
        let held = |rest: &str| {
            HELD.iter().find(|(prefix, ..)| {
                let head = rest.get(..prefix.len());
                rest.len() > prefix.len() && head.is_some_and(|it| it.eq_ignore_ascii_case(prefix))
            })
        };
        while let Some((prefix, _, modifier)) = held(rest) {
            mods |= *modifier;
            rest = rest.get(prefix.len()..)?;
        }
        let code = code_of(rest)?;
        Some(Self { code, mods }.normal())
    }

    /// Reads a sequence: names with blanks between them.
    pub fn parse_all(names: &str) -> Option<Vec<Self>> {
        let keys: Option<Vec<Self>> = names.split_whitespace().map(Self::parse).collect();
        keys.filter(|keys| !keys.is_empty())
    }

    /// The character of a key without held keys.
    pub fn letter(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if self.mods.is_empty() => Some(c),
            _ => None,
        }
    }

    /// The key of a Latin keyboard in the place of a letter of another alphabet.
    pub fn latin(self) -> Option<Self> {
        let typed = self.letter()?;
        let lower = typed.to_lowercase().next()?;
        let pairs = LAYOUTS.iter();
        let mut pairs = pairs.flat_map(|(own, latin)| own.chars().zip(latin.chars()));
        let (_, latin) = pairs.find(|(own, _)| *own == lower)?;
        let latin = match typed == lower {
            true => latin,
            false => latin.to_ascii_uppercase(),
        };
        Some(Self::plain(KeyCode::Char(latin)))
    }

    /// The edit that the key makes in a line of text.
    pub fn line_edit(self) -> Option<LineEdit> {
        use LineEdit::{Delete, Go, Insert};
        let ctrl = self.mods.contains(KeyModifiers::CONTROL);
        let alt = self.mods.contains(KeyModifiers::ALT);
        let far = |near, word| if ctrl || alt { word } else { near };
        Some(match self.code {
            // Terminals of Windows report AltGr as Ctrl+Alt.
            KeyCode::Char(c) if ctrl == alt => Insert(c),
            KeyCode::Left => Go(far(Step::Left, Step::WordLeft)),
            KeyCode::Right => Go(far(Step::Right, Step::WordRight)),
            KeyCode::Home => Go(Step::Start),
            KeyCode::End => Go(Step::End),
            KeyCode::Backspace => Delete(far(Step::Left, Step::WordLeft)),
            KeyCode::Delete => Delete(far(Step::Right, Step::WordRight)),
            KeyCode::Char('b') => Go(if ctrl { Step::Left } else { Step::WordLeft }),
            KeyCode::Char('f') => Go(if ctrl { Step::Right } else { Step::WordRight }),
            KeyCode::Char('d') => Delete(if ctrl { Step::Right } else { Step::WordRight }),
            KeyCode::Char('a') if ctrl => Go(Step::Start),
            KeyCode::Char('e') if ctrl => Go(Step::End),
            KeyCode::Char('h') if ctrl => Delete(Step::Left),
            KeyCode::Char('w') if ctrl => Delete(Step::WordLeft),
            KeyCode::Char('u') if ctrl => Delete(Step::Start),
            KeyCode::Char('k') if ctrl => Delete(Step::End),
            _ => return None,
        })
    }

    /// Terminals differ in whether Shift is reported with a letter; here it never is.
    fn normal(mut self) -> Self {
        match self.code {
            KeyCode::Char(c) => {
                let shifted = self.mods.contains(KeyModifiers::SHIFT);
                self.mods.remove(KeyModifiers::SHIFT);
                let c = if shifted { c.to_ascii_uppercase() } else { c };
                let held = self.mods.contains(KeyModifiers::CONTROL);
                self.code = KeyCode::Char(if held { c.to_ascii_lowercase() } else { c });
            }
            KeyCode::BackTab => {
                self.code = KeyCode::Tab;
                self.mods.insert(KeyModifiers::SHIFT);
            }
            _ => {}
        }
        self
    }
}

/// The key code a name without held keys stands for.
fn code_of(name: &str) -> Option<KeyCode> {
    let mut named = NAMED.iter();
    let named = named.find(|(known, ..)| known.eq_ignore_ascii_case(name));
    let mut chars = name.chars();
    match (named, chars.next(), chars.next()) {
        (Some((.., code)), ..) => Some(*code),
        (None, Some(c), None) => Some(KeyCode::Char(c)),
        _ => {
            let number = name.strip_prefix(['f', 'F'])?.parse().ok();
            let number = number.filter(|n| (1..=24).contains(n));
            number.map(KeyCode::F)
        }
    }
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        let held = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let (code, mods) = (event.code, event.modifiers & held);
        Self { code, mods }.normal()
    }
}

impl fmt::Display for Key {
    /// As it is shown to a person: `Ctrl-d`, `↑`, `G`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (_, label, held) in HELD {
            if self.mods.contains(*held) {
                out.write_str(label)?;
            }
        }
        if let Some((_, label, _)) = NAMED.iter().find(|(_, _, code)| *code == self.code) {
            return out.write_str(label);
        }
        match self.code {
            KeyCode::Char(c) => write!(out, "{c}"),
            KeyCode::F(n) => write!(out, "F{n}"),
            _ => out.write_str("?"),
        }
    }
}

/// A sequence as it is shown: `gg`, `Ctrl-x u`.
pub fn label(keys: &[Key]) -> String {
    let is_sign =
        |key: &Key| matches!(key.code, KeyCode::Char(c) if c != ' ') && key.mods.is_empty();
    let short = keys.iter().all(is_sign);
    let names: Vec<String> = keys.iter().map(Key::to_string).collect();
    names.join(if short { "" } else { " " })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_shown() {
        for (name, shown) in [
            ("ctrl-d", "Ctrl-d"),
            ("Ctrl-D", "Ctrl-d"),
            ("space", "Space"),
            ("G", "G"),
            ("shift-g", "G"),
            ("shift-tab", "Shift-Tab"),
            ("f5", "F5"),
            ("+", "+"),
            ("-", "-"),
            ("ctrl--", "Ctrl--"),
            ("f", "f"),
            ("up", "↑"),
        ] {
            let key = Key::parse(name).map(|key| key.to_string());
            assert_eq!(key.as_deref(), Some(shown), "{name}");
        }
        assert_eq!(Key::parse("hyper-x"), None);
        assert_eq!(Key::parse("f25"), None);
        assert_eq!(Key::parse(""), None);
        assert_eq!(label(&Key::parse_all("g g").unwrap()), "gg");
        assert_eq!(Key::parse_all(" "), None);
    }

    #[test]
    fn shift_is_part_of_the_letter_whatever_the_terminal_reports() {
        let with = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        let without = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::NONE);
        assert_eq!(Key::from(with), Key::from(without));
        let back = KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT);
        assert_eq!(Some(Key::from(back)), Key::parse("shift-tab"));
    }
}
