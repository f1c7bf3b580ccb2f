//! The one reader of the terminal: a thread that waits for keys, and that can be parked while
//! another program has the terminal.
//!
//! The terminal's answer whether its screen is light or dark (OSC 11) comes when it comes, among the
//! keys and in pieces that look like keys; it is taken out of them here. Nobody waits for it, and a
//! terminal that does not know the question costs nothing.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};

use crate::app::msg::Msg;

/// The reader. It ends with the program.
pub struct Input {
    wake: PipeWriter,
    parked: Receiver<()>,
    /// Until when the terminal's answer is waited for, and that it came.
    answer: Option<(Instant, Receiver<()>)>,
}

/// Who leaves sooner than this after the terminal was asked waits for its answer, which would go
/// to the next program.
const PROMPT: Duration = Duration::from_millis(100);

const PARK: u8 = b'p';
const RESUME: u8 = b'r';

/// Takes the events that are read; false ends the reader.
pub type Sink = Box<dyn FnMut(Msg) -> bool + Send>;

impl Input {
    /// Starts reading. `end` is called where the terminal is gone; `asked` says that the terminal was
    /// just asked for its background.
    pub fn start(sink: Sink, end: impl FnOnce() + Send + 'static, asked: bool) -> io::Result<Self> {
        let (told, parked) = channel();
        let (answered, answer) = channel();
        let (waiter, wake) = io::pipe()?;
        let reader = Reader {
            sink,
            answers: Answers::new(asked),
            answered,
        };
        let thread = std::thread::Builder::new().name("input".to_owned());
        thread.spawn(move || {
            if run(waiter, &told, reader).is_err() {
                end();
            }
        })?;
        let answer = asked.then(|| (Instant::now() + PROMPT, answer));
        Ok(Self {
            wake,
            parked,
            answer,
        })
    }

    /// Stops reading; when this returns, nothing reads the terminal any more.
    pub fn park(&mut self) {
        if let Some((until, answer)) = self.answer.take() {
            let left = until.saturating_duration_since(Instant::now());
            let _ = answer.recv_timeout(left);
        }
        self.say(PARK);
        // A reader in the middle of a key it will never see the end of must not hang the rest.
        let _ = self.parked.recv_timeout(Duration::from_millis(500));
    }

    pub fn resume(&self) {
        self.say(RESUME);
    }

    fn say(&self, what: u8) {
        // Fails only where the reader ended, and then there is nothing to park.
        let _ = (&self.wake).write(&[what]);
    }
}

fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Msg::Key(key)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Mouse(mouse) => Some(Msg::Mouse(mouse)),
        Event::Resize(columns, rows) => Some(Msg::Resize(columns, rows)),
        _ => None,
    }
}

struct Reader {
    sink: Sink,
    answers: Answers,
    /// Told when the terminal has answered.
    answered: Sender<()>,
}

impl Reader {
    /// Hands on everything that can be read without waiting, and tells how many events that were;
    /// none where nobody wants them.
    fn drain(&mut self) -> io::Result<Option<usize>> {
        let mut read = 0;
        while event::poll(Duration::ZERO)? {
            read += 1;
            let sent = self.answers.take(event::read()?);
            if !self.send(sent) {
                return Ok(None);
            }
        }
        Ok(Some(read))
    }

    /// Hands on what was kept back; false where nobody wants it.
    fn flush(&mut self) -> bool {
        let kept = self.answers.flush();
        self.send(kept)
    }

    fn send(&mut self, sent: Vec<Sent>) -> bool {
        sent.into_iter().all(|sent| {
            let message = match sent {
                Sent::Event(event) => message(event),
                Sent::Light(light) => {
                    // Fails where nobody waits, which is the usual case.
                    let _ = self.answered.send(());
                    Some(Msg::Light(light))
                }
            };
            message.is_none_or(|message| (self.sink)(message))
        })
    }
}

/// Waits for keys and for what is said. An error means that the terminal is gone.
#[cfg(unix)]
fn run(mut waiter: PipeReader, parked: &Sender<()>, mut reader: Reader) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let ended = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    let piece = Timespec::try_from(PIECE).ok();
    loop {
        let stdin = rustix::stdio::stdin();
        let patience = piece.as_ref().filter(|_| reader.answers.holds());
        let mut both = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::new(&waiter, PollFlags::IN),
        ];
        match poll(&mut both, patience) {
            Err(rustix::io::Errno::INTR) => continue,
            Ok(0) if !reader.flush() => return Ok(()),
            other => other?,
        };
        let [keys, said] = both.map(|fd| fd.revents());
        if said.contains(PollFlags::IN) {
            if hear(&mut waiter)? == PARK {
                let _ = parked.send(());
                while hear(&mut waiter)? != RESUME {}
            }
        } else if said.intersects(ended) {
            return Ok(());
        } else if keys.contains(PollFlags::IN) && !keys.contains(PollFlags::HUP) {
            match reader.drain()? {
                None => return Ok(()),
                Some(0) => tell_again(stdin),
                Some(_) => {}
            }
        } else if keys.intersects(ended) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
    }
}

/// Has the system tell crossterm once more that there are keys. It is told once, when they come;
/// where the size changes in that moment, crossterm hands on the change, forgets the keys, and
/// would leave them to the next key. Setting the terminal to what it is set to wakes all that
/// wait for it.
#[cfg(unix)]
fn tell_again(stdin: std::os::fd::BorrowedFd<'_>) {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let same = tcgetattr(stdin).and_then(|set| tcsetattr(stdin, OptionalActions::Now, &set));
    // Not a terminal then, or one that is gone: the next turn finds out.
    let _ = same;
}

/// There is nothing to wait on for both, so it looks several times a second.
#[cfg(not(unix))]
fn run(mut waiter: PipeReader, parked: &Sender<()>, mut reader: Reader) -> io::Result<()> {
    let (sender, said) = channel();
    std::thread::spawn(
        move || while hear(&mut waiter).is_ok_and(|what| sender.send(what).is_ok()) {},
    );
    loop {
        if said.try_recv() == Ok(PARK) {
            let _ = parked.send(());
            while said.recv().is_ok_and(|said| said != RESUME) {}
        }
        let held = reader.answers.holds();
        let patience = match held {
            true => PIECE,
            false => Duration::from_millis(100),
        };
        let wanted = match event::poll(patience)? {
            true => reader.drain()?.is_some(),
            false => reader.flush(),
        };
        if !wanted {
            return Ok(());
        }
    }
}

fn hear(waiter: &mut PipeReader) -> io::Result<u8> {
    let mut byte = [0];
    waiter.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// The question. Answers end as it does, or with `ESC \`.
pub const ASK: &str = "\x1b]11;?\x07";
const BEGINS: &str = "\x1b]11;";
/// A longer text is no colour.
const LONGEST: usize = 40;
/// An answer is sent in one piece. Keys that are kept back so long were typed by a person.
const PIECE: Duration = Duration::from_millis(50);
/// While an answer is expected, an `Esc` may be its first byte, cut off from the rest.
const EXPECTED: Duration = Duration::from_secs(1);

/// The state of the keys so far.
#[derive(Debug, PartialEq, Eq)]
enum Reply {
    /// The beginning of an answer.
    Part,
    /// An answer: light, or dark, where it is a colour.
    Whole(Option<bool>),
    No,
}

/// Takes answers out of the keys.
#[derive(Debug, Default)]
struct Answers {
    held: Vec<Event>,
    text: String,
    /// Until when an answer is expected.
    until: Option<Instant>,
}

/// An answer of the terminal.
#[derive(Debug, PartialEq)]
enum Sent {
    Event(Event),
    Light(bool),
}

impl Answers {
    /// Takes answers out of keys; one is expected where the terminal was `asked`.
    fn new(asked: bool) -> Self {
        Self {
            until: asked.then(|| Instant::now() + EXPECTED),
            ..Self::default()
        }
    }

    /// True if keys are kept back, for they may be the beginning of an answer.
    const fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// The events to hand on after this one.
    fn take(&mut self, event: Event) -> Vec<Sent> {
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
    fn flush(&mut self) -> Vec<Sent> {
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

    #[test]
    fn a_key_that_is_let_go_is_not_a_key() {
        let mut key = KeyEvent::new(KeyCode::Char('a'), KeyModifiers::NONE);
        assert!(message(Event::Key(key)).is_some());
        key.kind = KeyEventKind::Release;
        assert!(message(Event::Key(key)).is_none());
        assert!(message(Event::FocusGained).is_none());
    }

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
