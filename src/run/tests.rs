use std::any::Any;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::*;
use crate::app::filter::FilterMemories;
use crate::app::msg::{Answer, Change, Done, Question as _, Turn};
use crate::app::reading::{MemoryText, ReadText};
use crate::memory::Memory;
use crate::retrieval::Snapshot;
use crate::search::{Hit, Query};
use crate::store::Loaded;
use crate::workspace::since::RepositoryState;

/// A world of nothing, which notes what it is asked.
#[derive(Default)]
struct Nothing {
    asked: Mutex<Vec<String>>,
}

impl Nothing {
    fn ask(&self, what: impl Into<String>) {
        self.asked.lock().unwrap().push(what.into());
    }
}

/// Finds one thing; the query `slow` reads until its answer is not wanted any more.
fn find(asked: &FilterMemories, turn: &Turn<'_>) -> Vec<Hit> {
    let slow = !asked.query.highlights("slow").is_empty();
    assert!(slow || (turn.is_newest)(), "the newest question is read");
    let mut left = 50_000_000;
    while slow && (turn.is_newest)() {
        left -= 1;
        assert!(left > 0, "an older question is read to its end");
        std::thread::yield_now();
    }
    vec![Hit { index: 7, score: 1 }]
}

impl World for Nothing {
    fn answer(&self, question: Box<dyn Any + Send>, turn: &Turn<'_>, tell: &mut dyn FnMut(Answer)) {
        if let Some(asked) = question.downcast_ref::<FilterMemories>() {
            tell(Answer::to::<FilterMemories>(find(asked, turn)));
        }
        if let Some(asked) = question.downcast_ref::<ReadText>() {
            tell(Answer::to::<ReadText>(MemoryText {
                id: asked.memory.id.clone(),
                text: Err("nothing".to_owned()),
                inner: crate::memory::Fields::default(),
                beside: Vec::new(),
                seen: None,
                related: Vec::new(),
            }));
        }
    }
    fn load(
        &self,
        _known: &[Arc<Memory>],
        _emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
    ) -> Loaded {
        self.ask("load");
        Loaded::default()
    }
    fn decided(&self) -> u64 {
        // Every change decides something.
        let asked = self.asked.lock().unwrap();
        let changes = asked.iter().filter(|what| *what == "undo");
        changes.count() as u64
    }
    fn apply(&self, change: &Change, _memories: &Snapshot) -> Result<Done, Failure> {
        self.ask(format!("{change:?}"));
        std::thread::sleep(Duration::from_millis(5));
        Err(self.failure())
    }
    fn undo(&self) -> Result<Done, Failure> {
        self.ask("undo");
        Ok(Done {
            title: "nothing".to_owned(),
            follow: None,
        })
    }
    fn redo(&self) -> Result<Done, Failure> {
        Err(self.failure())
    }
    fn folders(&self) -> Vec<(PathBuf, bool)> {
        Vec::new()
    }
    fn git(&self, _memories: &Snapshot) -> RepositoryState {
        RepositoryState::default()
    }
}

impl Nothing {
    fn failure(&self) -> Failure {
        Failure {
            what: "nothing here".to_owned(),
            ..Failure::default()
        }
    }
}

/// Answers every message by the next effects of a list, and notes the messages.
#[derive(Default)]
struct Script {
    seen: Vec<String>,
    then: VecDeque<Vec<Effect>>,
    /// Quits when it sees this.
    until: &'static str,
}

impl Program for Script {
    fn update(&mut self, msg: Msg) -> Vec<Effect> {
        let seen = format!("{msg:?}");
        let last = seen.starts_with(self.until);
        self.seen.push(seen);
        if last {
            return vec![Effect::Quit];
        }
        self.then.pop_front().unwrap_or_default()
    }
    fn view(&self, _area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let last = self.seen.last().map_or("", String::as_str);
        buffer.set_string(0, 0, last, ratatui::style::Style::new());
        None
    }
}

/// Keeps the frames as text.
#[derive(Default)]
struct Frames(Vec<String>);

impl Stage for Frames {
    fn draw(&mut self, view: crate::term::View<'_>) -> io::Result<()> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 60, 1));
        view(buffer.area, &mut buffer);
        let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
        self.0.push(text.trim_end().to_owned());
        Ok(())
    }
    fn size(&self) -> (u16, u16) {
        (60, 1)
    }
    fn suspend(&mut self) -> bool {
        false
    }
    fn reenter(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn edit(&mut self, _path: &Path, _line: u32) -> Result<(), Failure> {
        Ok(())
    }
    fn lend(&mut self, act: &mut dyn FnMut()) {
        act();
    }
    fn copy(&mut self, _text: &str) -> Copied {
        Copied::Tool("scissors")
    }
    fn end(&mut self) {}
}

fn key(c: char) -> Event {
    Event::Msg(Msg::Key(KeyCode::Char(c).into()))
}

/// Runs a script on events; what was seen, the frames, and what the world was asked.
fn play(
    first: Vec<Effect>,
    then: Vec<Vec<Effect>>,
    until: &'static str,
    events: Vec<Event>,
) -> (u8, Script, Frames, Vec<String>) {
    let nothing = Arc::new(Nothing::default());
    let world: Arc<dyn World> = Arc::clone(&nothing) as Arc<dyn World>;
    let (sender, receiver) = channel();
    let workers = Workers::start(&world, sender.clone(), None).unwrap();
    let mut script = Script {
        then: then.into(),
        until,
        ..Script::default()
    };
    let mut frames = Frames::default();
    for event in events {
        sender.send(event).unwrap();
    }
    let mut main = Loop::new(&mut script, &mut frames, workers, receiver, sender);
    main.effects(first);
    let code = main.run().unwrap();
    drop(main);
    let asked = nothing.asked.lock().unwrap().clone();
    (code, script, frames, asked)
}

fn ask(ticket: Ticket, query: &str) -> Effect {
    let question = FilterMemories {
        query: Query::parse(query, &[]).unwrap(),
        memories: Snapshot::default(),
        marks: Arc::default(),
        texts: false,
    };
    Effect::Ask(ticket, question.into())
}

#[test]
fn what_is_there_at_once_is_drawn_once() {
    let events = "abcq".chars().map(key).collect();
    let until = "Key(KeyEvent { code: Char('q')";
    let (code, script, frames, _) = play(Vec::new(), Vec::new(), until, events);
    assert_eq!(code, 0);
    assert_eq!(script.seen.len(), 4);
    assert_eq!(frames.0.len(), 1, "before the keys: {:?}", frames.0);
}

#[test]
fn answers_that_come_quickly_are_in_one_frame() {
    // The second question follows from the answer to the first.
    let then = vec![vec![ask(1, "x")], vec![read_text(2)], vec![Effect::Load]];
    let (_, script, frames, _) = play(Vec::new(), then, "Snapshot", vec![key('x')]);
    for (seen, answer) in script.seen[1..]
        .iter()
        .zip(["Done(\"filter\", 1,", "Done(\"text\", 2,"])
    {
        assert!(seen.starts_with(answer), "{:?}", script.seen);
    }
    // Nothing is drawn between the key and its answers, unless the machine is very slow.
    assert!(frames.0.len() <= 3, "{:?}", frames.0);
}

#[test]
fn nothing_is_read_for_an_older_question() {
    let then = vec![vec![ask(2, "x")]];
    let first = vec![ask(1, "slow")];
    let newest = "Done(\"filter\", 2,";
    let (_, script, ..) = play(first, then, newest, vec![key('x')]);
    let last = script.seen.last().unwrap();
    assert!(last.starts_with(newest), "{:?}", script.seen);
}

#[test]
fn changes_are_made_in_order_and_before_the_end() {
    let first = vec![
        Effect::Apply(Change::Delete {
            ids: Vec::new(),
            sure: false,
        }),
        Effect::Apply(Change::Archive(Vec::new())),
        Effect::Undo,
        Effect::Quit,
    ];
    let (code, .., asked) = play(first, Vec::new(), "-", Vec::new());
    assert_eq!(code, 0);
    let changes: Vec<_> = asked.iter().filter(|what| *what != "load").collect();
    assert_eq!(
        changes,
        ["Delete { ids: [], sure: false }", "Archive([])", "undo"]
    );
}

#[test]
fn the_stores_are_known_before_the_answer_and_a_rescan_says_only_what_is_new() {
    // The last change fails, which ends the script, and decides nothing.
    let first = vec![Effect::Load, Effect::Undo, Effect::Undo, Effect::Redo];
    let (_, script, ..) = play(first, Vec::new(), "Failed", Vec::new());
    let at = |what: &str| script.seen.iter().position(|seen| seen.starts_with(what));
    assert!(at("Snapshot") < at("Applied"), "{:?}", script.seen);
    let count = |what: &str| {
        script
            .seen
            .iter()
            .filter(|seen| seen.starts_with(what))
            .count()
    };
    assert_eq!(count("Snapshot"), 1, "{:?}", script.seen);
    // With the first snapshot lint runs anyway; the load may come before the first change or after.
    assert!((1..=2).contains(&count("Decided")), "{:?}", script.seen);
}

#[test]
fn a_signal_ends_the_program_with_its_code() {
    for (event, expected) in [(Event::Signal(Signal::End(143)), 143), (Event::HungUp, 129)] {
        let (code, ..) = play(Vec::new(), Vec::new(), "-", vec![event]);
        assert_eq!(code, expected);
    }
}

#[test]
fn the_person_is_told_how_something_was_copied_and_why_nothing_was_stopped() {
    let events = vec![key('y')];
    let copy = vec![vec![Effect::Copy("text".to_owned())]];
    let (_, script, ..) = play(Vec::new(), copy, "Notice", events);
    assert_eq!(script.seen[1], "Notice(\"copied with scissors\")");
    let events = vec![Event::Signal(Signal::Stop)];
    let (_, script, ..) = play(Vec::new(), Vec::new(), "Notice", events);
    assert!(script.seen[0].contains("nothing to go back to"));
}

fn read_text(ticket: u64) -> Effect {
    let id = crate::memory::MemoryId::new(&"rawko".into(), "a");
    let schema = crate::memory::format::schema("rawko");
    let memory = Arc::new(Memory::new(id, Path::new("/repo/a.md").into(), schema));
    let question = ReadText {
        memory,
        memories: Snapshot::default(),
    };
    Effect::Ask(ticket, question.into())
}

#[test]
fn a_request_that_took_the_place_of_another_is_waited_for_alone() {
    let mut script = Script::default();
    let mut frames = Frames::default();
    let (sender, receiver) = channel();
    let world: Arc<dyn World> = Arc::new(Nothing::default());
    let workers = Workers::start(&world, sender.clone(), None).unwrap();
    let mut main = Loop::new(&mut script, &mut frames, workers, receiver, sender);
    main.effects(vec![read_text(1), read_text(2)]);
    assert_eq!(main.awaited, [(ReadText::SLOT, 2)]);
}
