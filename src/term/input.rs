//! The one reader of the terminal: a thread that waits for keys, and that can be parked while
//! another program has the terminal.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyEventKind};

use super::background::{Answers, PIECE, Sent};
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

/// Words to the reader.
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

    /// Reads on.
    pub fn resume(&self) {
        self.say(RESUME);
    }

    fn say(&self, what: u8) {
        // Fails only where the reader ended, and then there is nothing to park.
        let _ = (&self.wake).write(&[what]);
    }
}

/// The message for an event of the terminal.
fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Msg::Key(key)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Mouse(mouse) => Some(Msg::Mouse(mouse)),
        Event::Resize(columns, rows) => Some(Msg::Resize(columns, rows)),
        _ => None,
    }
}

/// The events on their way to the program.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    #[test]
    fn a_key_that_is_let_go_is_not_a_key() {
        let mut key = KeyEvent::new(KeyCode::Char('a'), KeyModifiers::NONE);
        assert!(message(Event::Key(key)).is_some());
        key.kind = KeyEventKind::Release;
        assert!(message(Event::Key(key)).is_none());
        assert!(message(Event::FocusGained).is_none());
    }
}
