//! The loop: receive, drain, update, run effects, draw once. The reader of the terminal, signals, the
//! watcher of files and the workers send to one channel; it blocks there, and wakes for nothing else.

mod drafts;
pub mod highlight;
pub mod lockstep;
pub(crate) mod screen;
mod stage;
mod workers;

use std::any::Any;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::msg::{Answer, Effect, Failure, Msg, Slot, Ticket, Turn};
use crate::app::reading::Highlight;
use crate::retrieval::Snapshot;
use crate::store::watch::{News, Watcher};
use crate::term::clipboard::{Copied, Place};
use crate::term::input::{ASK, Input};
use crate::term::signals::{Signal, Signals};
use crate::term::{TermError, Terminal, send};
use stage::Stage;
use workers::{Job, Workers};

pub use crate::workspace::orders::World;

/// A frame waits so long for an answer that was just asked for: what comes quickly comes in the
/// same frame, and nothing flickers.
const PATIENCE: Duration = Duration::from_millis(12);
/// A frame is drawn after so many messages, however many more there are.
const BATCH: usize = 256;

/// Options of the screen, read from flags and the environment at the edge.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `TERM`.
    pub term: Option<String>,
    /// `VISUAL`, else `EDITOR`.
    pub editor: Option<String>,
    /// The folder of unsaved text; without one it is not kept.
    pub state: Option<PathBuf>,
    /// True if the terminal is asked for its background.
    pub ask_background: bool,
    /// The place of the clipboard.
    pub clipboard: Place,
}

impl Options {
    /// By the environment.
    pub fn from_env(state: Option<PathBuf>) -> Self {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            term: set("TERM"),
            editor: set("VISUAL").or_else(|| set("EDITOR")),
            state,
            ask_background: false,
            clipboard: Place::here(),
        }
    }
}

/// Why the screen ended other than by a person's wish.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no terminal, or it failed.
    #[error(transparent)]
    Term(#[from] TermError),
    /// A thread could not be started.
    #[error("the program cannot start its threads: {0}")]
    Threads(io::Error),
}

/// The program as the loop sees it: pure, on the loop's own thread.
pub trait Program {
    /// Applies a message and returns the effects.
    fn update(&mut self, msg: Msg) -> Vec<Effect>;
    /// Draws; returns the place of the cursor, if one is shown.
    fn view(&self, area: Rect, buffer: &mut Buffer) -> Option<Position>;
}

/// Events that wake the loop.
#[derive(Debug)]
enum Event {
    Msg(Msg),
    Signal(Signal),
    HungUp,
}

/// Runs the program on the terminal until it ends, and says with which exit code.
pub fn run(
    world: Arc<dyn World>,
    program: &mut dyn Program,
    options: Options,
) -> Result<u8, RunError> {
    let mut terminal = Terminal::enter(options.term.as_deref())?;
    // The first frame stands before anything else is started.
    let (columns, rows) = terminal.size();
    let mut effects = program.update(Msg::Resize(columns, rows));
    let first = terminal.draw(&mut |area, buffer| program.view(area, buffer));
    first.map_err(TermError::from)?;
    if options.ask_background {
        send(&[ASK.as_bytes()]).map_err(TermError::from)?;
    }

    let (sender, events) = channel();
    let (input, signals) = start(&sender, options.ask_background).map_err(RunError::Threads)?;
    let workers =
        Workers::start(&world, sender.clone(), options.state.clone()).map_err(RunError::Threads)?;
    let _watcher = watch(&*world, &workers);
    // A change of size before signals were waited for is seen here.
    let size = terminal.size();
    if size != (columns, rows) {
        effects.extend(program.update(Msg::Resize(size.0, size.1)));
    }
    effects.push(Effect::Load);
    let mut stage = stage::Real {
        terminal,
        input,
        signals,
        options,
    };
    let mut main = Loop::new(program, &mut stage, workers, events, sender);
    main.effects(effects);
    Ok(main.run()?)
}

/// Starts what reads the terminal and what waits for signals.
fn start(sender: &Sender<Event>, asked: bool) -> io::Result<(Input, Signals)> {
    let to = sender.clone();
    let signals = Signals::start(move |signal| to.send(Event::Signal(signal)).is_ok())?;
    let (keys, end) = (sender.clone(), sender.clone());
    let input = Input::start(
        Box::new(move |msg| keys.send(Event::Msg(msg)).is_ok()),
        move || {
            let _ = end.send(Event::HungUp);
        },
        asked,
    )?;
    Ok((input, signals))
}

/// Starts to watch. Files read after that need no second reading, so this waits for it, but not
/// for long.
fn watch(world: &dyn World, workers: &Workers) -> Watcher {
    let (ready, wait) = channel();
    let mut news = workers.on_news();
    let watcher = Watcher::start(world.folders(), move |said| {
        let watching = said == News::Watching;
        let wanted = news(said);
        if watching {
            let _ = ready.send(());
        }
        wanted
    });
    let _ = wait.recv_timeout(PATIENCE);
    watcher
}

/// Makes a change of the stores, or gives the effect back where it is none.
fn change(world: &dyn World, effect: Effect, memories: &Snapshot) -> Result<Msg, Box<Effect>> {
    let (done, back) = match effect {
        Effect::Apply(change) => (world.apply(&change, memories), "undo"),
        Effect::Undo => (world.undo(), "redo"),
        Effect::UndoDecision(id) => (world.undo_decision(&id), "redo"),
        Effect::Redo => (world.redo(), "undo"),
        other => return Err(Box::new(other)),
    };
    Ok(done.map_or_else(Msg::Failed, |done| Msg::Applied(done, back)))
}

/// Answers a question of a slot: code is coloured here, all else is known by the world.
fn answer(
    world: &dyn World,
    (slot, ticket, question): (Slot, Ticket, Box<dyn Any + Send>),
    turn: &Turn<'_>,
    send: &mut dyn FnMut(Msg),
) {
    let mut tell = |answer| send(Msg::Done(slot, ticket, answer));
    match question.downcast() {
        Ok(asked) => tell(Answer::to::<Highlight>(highlight::answer(&asked))),
        Err(other) => world.answer(other, turn, &mut tell),
    }
}

struct Loop<'a> {
    program: &'a mut dyn Program,
    stage: &'a mut dyn Stage,
    workers: Workers,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// Requests whose answers the next frame waits for a little: the newest of each slot.
    awaited: Vec<(Slot, Ticket)>,
    changed: bool,
    /// The terminal was just taken again: the signal that says so is still to come.
    resumed: bool,
    exit: Option<u8>,
}

impl<'a> Loop<'a> {
    fn new(
        program: &'a mut dyn Program,
        stage: &'a mut dyn Stage,
        workers: Workers,
        events: Receiver<Event>,
        sender: Sender<Event>,
    ) -> Self {
        Self {
            program,
            stage,
            workers,
            events,
            sender,
            awaited: Vec::new(),
            changed: true,
            resumed: false,
            exit: None,
        }
    }

    fn run(&mut self) -> Result<u8, TermError> {
        while self.exit.is_none() {
            if std::mem::take(&mut self.changed) {
                let program = &*self.program;
                self.stage
                    .draw(&mut |area, buffer| program.view(area, buffer))?;
            }
            match self.events.recv() {
                Ok(event) => self.take(event),
                Err(_) => break,
            }
            self.drain();
            self.wait();
        }
        self.workers.finish();
        self.stage.end();
        Ok(self.exit.unwrap_or(0))
    }

    fn drain(&mut self) {
        for _ in 0..BATCH {
            match self.events.try_recv() {
                Ok(event) if self.exit.is_none() => self.take(event),
                _ => return,
            }
        }
    }

    /// Gives what was just asked for a moment to arrive.
    fn wait(&mut self) {
        let until = Instant::now() + PATIENCE;
        while !self.awaited.is_empty() && self.exit.is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match self.events.recv_timeout(left) {
                Ok(event) => self.take(event),
                Err(_) => break,
            }
        }
        self.awaited.clear();
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Msg(msg) => self.message(msg),
            Event::Signal(Signal::End(code)) => self.exit = Some(code),
            Event::HungUp => self.exit = Some(129),
            Event::Signal(Signal::Stop) => self.suspend(),
            Event::Signal(Signal::Continue) if std::mem::take(&mut self.resumed) => {}
            // Something stopped the program without asking, and may have left the terminal anyhow.
            Event::Signal(Signal::Continue) => match self.stage.reenter() {
                Ok(()) => self.message(Msg::Resumed),
                Err(_) => self.exit = Some(129),
            },
            Event::Signal(Signal::Resize) => {
                let (columns, rows) = self.stage.size();
                self.message(Msg::Resize(columns, rows));
            }
        }
    }

    fn message(&mut self, msg: Msg) {
        if let Msg::Done(slot, ticket, _) = &msg {
            let answered = (*slot, *ticket);
            self.awaited.retain(|awaited| *awaited != answered);
        }
        self.changed = true;
        let effects = self.program.update(msg);
        self.effects(effects);
    }

    fn effects(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Quit => self.exit = Some(0),
                Effect::Suspend => self.suspend(),
                Effect::OpenEditor(path, line) => {
                    let before = std::fs::read(&path);
                    let done = self.stage.edit(&path, line);
                    let failed = done.is_err();
                    self.workers.rescan();
                    self.message(Msg::Resumed);
                    if let Err(failure) = done {
                        self.message(Msg::Failed(failure));
                    }
                    if let Ok(before) = before {
                        self.workers.change(Job::Edited(path, before, failed));
                    }
                }
                Effect::Commit(message) => {
                    let world = Arc::clone(&self.workers.loader.world);
                    let mut done = Ok(String::new());
                    self.stage.lend(&mut || done = world.commit(&message));
                    self.workers.rescan();
                    self.message(Msg::Resumed);
                    self.message(match done {
                        Ok(what) => Msg::Committed(what),
                        Err(failure) => Msg::Failed(failure),
                    });
                }
                Effect::Copy(text) => self.copy(&text),
                Effect::Mouse(is_on) => self.stage.mouse(is_on),
                other => {
                    if let Effect::Ask(ticket, question) = &other
                        && question.is_awaited
                    {
                        // An older question of the slot may never be answered.
                        self.awaited.retain(|(slot, _)| *slot != question.slot);
                        self.awaited.push((question.slot, *ticket));
                    }
                    self.workers.take(other);
                }
            }
        }
    }

    fn suspend(&mut self) {
        if self.stage.suspend() {
            self.resumed = true;
            self.message(Msg::Resumed);
        } else {
            let why = "nothing to go back to: the terminal runs only this program";
            self.message(Msg::Notice(why.to_owned()));
        }
    }

    fn copy(&mut self, text: &str) {
        let msg = match self.stage.copy(text) {
            Copied::Tool(name) => Msg::Notice(format!("copied with {name}")),
            Copied::Sequence(_) => Msg::Notice("copied by the terminal (OSC 52)".to_owned()),
            Copied::TooLong => Msg::Failed(Failure {
                what: "this is too long for the terminal's clipboard".to_owned(),
                hint: Some("copy a part of it, or install wl-copy or xclip".to_owned()),
                ..Failure::default()
            }),
        };
        // Through the channel: what the person asked for is finished first.
        let _ = self.sender.send(Event::Msg(msg));
    }
}

#[cfg(test)]
mod tests;
