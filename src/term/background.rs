//! True if the screen is light or dark, as the terminal answers when it is asked (OSC 11). The
//! answer comes when it comes, among the keys and in pieces that look like keys; it is taken out
//! of them here. Nobody waits for it, and a terminal that does not know the question costs
//! nothing.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyModifiers};

/// The question. Answers end as it does, or with `ESC \`.
pub const ASK: &str = "\x1b]11;?\x07";
/// The beginning of an answer.
const BEGINS: &str = "\x1b]11;";
/// A longer text is no colour.
const LONGEST: usize = 40;
/// An answer is sent in one piece. Keys that are kept back so long were typed by a person.
pub(super) const PIECE: Duration = Duration::from_millis(50);
/// While an answer is expected, an `Esc` may be its first byte, cut off from the rest.
const EXPECTED: Duration = Duration::from_secs(1);

/// The state of the keys so far.
#[derive(Debug, PartialEq, Eq)]
enum Reply {
    /// The beginning of an answer.
    Part,
    /// An answer: light, or dark, where it is a colour.
    Whole(Option<bool>),
    /// Keys.
    No,
}

/// Takes answers out of the keys.
#[derive(Debug, Default)]
pub(super) struct Answers {
    held: Vec<Event>,
    text: String,
    /// Until when an answer is expected.
    until: Option<Instant>,
}

/// An answer of the terminal.
#[derive(Debug, PartialEq)]
pub(super) enum Sent {
    /// An event of a person.
    Event(Event),
    /// The screen is light, or dark.
    Light(bool),
}

impl Answers {
    /// Takes answers out of keys; one is expected where the terminal was `asked`.
    pub(super) fn new(asked: bool) -> Self {
        Self {
            until: asked.then(|| Instant::now() + EXPECTED),
            ..Self::default()
        }
    }

    /// True if keys are kept back, for they may be the beginning of an answer.
    pub(super) const fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// The events to hand on after this one.
    pub(super) fn take(&mut self, event: Event) -> Vec<Sent> {
        let before = self.text.len();
        let is_text = bytes(&event, &mut self.text);
        match self.reply() {
            Reply::Part if is_text => {
                self.held.push(event);
                Vec::new()
            }
            Reply::Whole(light) if is_text => {
                *self = Self::default();
                light.map(Sent::Light).into_iter().collect()
            }
            _ => {
                self.text.truncate(before);
                let mut out = self.flush();
                if out.is_empty() {
                    self.text.clear();
                    out.push(Sent::Event(event));
                } else {
                    // It may be the beginning itself.
                    out.extend(self.take(event));
                }
                out
            }
        }
    }

    /// Events that were kept back and were no answer.
    pub(super) fn flush(&mut self) -> Vec<Sent> {
        self.text.clear();
        self.held.drain(..).map(Sent::Event).collect()
    }

    fn reply(&self) -> Reply {
        let text = &*self.text;
        if BEGINS.starts_with(text) {
            let expected = || self.until.is_some_and(|until| Instant::now() < until);
            return match text.len() {
                0 => Reply::No,
                1 if !expected() => Reply::No,
                _ => Reply::Part,
            };
        }
        let Some(rest) = text.strip_prefix(BEGINS) else {
            return Reply::No;
        };
        let ended = rest.strip_suffix('\x07');
        if let Some(color) = ended.or_else(|| rest.strip_suffix("\x1b\\")) {
            return Reply::Whole(is_light(color));
        }
        let color = rest.strip_suffix('\x1b').unwrap_or(rest);
        let plain = |c: char| c.is_ascii_alphanumeric() || ":/#".contains(c);
        if color.len() <= LONGEST && color.chars().all(plain) {
            Reply::Part
        } else {
            Reply::No
        }
    }
}

/// Adds the bytes that were read as this event; false where an answer has no such bytes.
fn bytes(event: &Event, text: &mut String) -> bool {
    let Event::Key(key) = event else {
        return false;
    };
    let mods = key.modifiers - KeyModifiers::SHIFT;
    match key.code {
        KeyCode::Esc if mods.is_empty() => text.push('\x1b'),
        KeyCode::Char('g') if mods == KeyModifiers::CONTROL => text.push('\x07'),
        KeyCode::Char(c) if mods == KeyModifiers::ALT => text.extend(['\x1b', c]),
        KeyCode::Char(c) if mods.is_empty() => text.push(c),
        _ => return false,
    }
    true
}

/// True if a colour such as `rgb:1e1e/1e1e/2e2e` is a light one.
fn is_light(color: &str) -> Option<bool> {
    let (_, parts) = color.split_once(':')?;
    let part = |hex: &str| {
        let most = 16_u32.checked_pow(u32::try_from(hex.len()).ok()?)? - 1;
        let value = u32::from_str_radix(hex, 16).ok()?;
        Some(f64::from(value) / f64::from(most))
    };
    let parts: Option<Vec<f64>> = parts.split('/').map(part).collect();
    match parts?.as_slice() {
        [red, green, blue, ..] => Some(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyEvent;

    /// Returns the events that a terminal's bytes mean.
    fn events(text: &str) -> Vec<Event> {
        let mut chars = text.chars().peekable();
        let mut events = Vec::new();
        while let Some(c) = chars.next() {
            let (code, mods) = match c {
                '\x1b' => match chars.next() {
                    Some(next) => (KeyCode::Char(next), KeyModifiers::ALT),
                    None => (KeyCode::Esc, KeyModifiers::NONE),
                },
                '\x07' => (KeyCode::Char('g'), KeyModifiers::CONTROL),
                c if c.is_uppercase() => (KeyCode::Char(c), KeyModifiers::SHIFT),
                c => (KeyCode::Char(c), KeyModifiers::NONE),
            };
            events.push(Event::Key(KeyEvent::new(code, mods)));
        }
        events
    }

    fn read(answers: &mut Answers, text: &str) -> Vec<Sent> {
        let events = events(text).into_iter();
        events.flat_map(|event| answers.take(event)).collect()
    }

    fn keys(text: &str) -> Vec<Sent> {
        events(text).into_iter().map(Sent::Event).collect()
    }

    #[test]
    fn an_answer_is_taken_out_of_the_keys() {
        for (answer, light) in [
            ("\x1b]11;rgb:ffff/ffff/FAFA\x07", true),
            ("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", false),
            ("\x1b]11;rgb:f/f/f\x07", true),
            ("\x1b]11;rgba:0000/0000/0000/ffff\x07", false),
        ] {
            let mut answers = Answers::new(true);
            let out = read(&mut answers, &format!("a{answer}b"));
            let all = [keys("a"), vec![Sent::Light(light)], keys("b")];
            assert_eq!(
                out,
                all.into_iter().flatten().collect::<Vec<_>>(),
                "{answer:?}"
            );
        }
    }

    #[test]
    fn what_is_no_answer_is_handed_on() {
        for typed in [
            "x\x1b]y",
            "\x1b]11;nothing such\x07",
            "\x1b]12;x",
            "\x1b]\x1b]1q",
        ] {
            let mut answers = Answers::new(false);
            let mut out = read(&mut answers, typed);
            out.extend(answers.flush());
            assert_eq!(out, keys(typed), "{typed:?}");
        }
        // A colour nobody can read is an answer all the same.
        let mut answers = Answers::new(false);
        assert_eq!(read(&mut answers, "\x1b]11;#zz\x07"), []);
        assert!(!answers.holds());
    }

    #[test]
    fn an_escape_alone_may_be_cut_off_while_an_answer_is_expected() {
        let mut answers = Answers::new(true);
        assert_eq!(read(&mut answers, "\x1b"), []);
        assert!(answers.holds());
        let rest = read(&mut answers, "]11;rgb:0/0/0\x07");
        assert_eq!(rest, [Sent::Light(false)]);
        let mut answers = Answers::new(false);
        assert_eq!(read(&mut answers, "\x1b"), keys("\x1b"));
    }
}
