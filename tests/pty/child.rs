//! The program that the tests of `terminal` run in their pseudo terminals: this test's own
//! executable, started again. So the real code can be made to panic, say, without a flag for it
//! in the product.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyModifiers};
use memkeep::app::Lint;
use memkeep::app::msg::{Answer, Change, Done, Draft, Effect, Failure, Msg, Turn};
use memkeep::memory::Memory;
use memkeep::retrieval::Snapshot;
use memkeep::run::{Options, Program, World};
use memkeep::store::Loaded;
use memkeep::workspace::since::RepositoryState;
use portable_pty::CommandBuilder;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::harness;

/// Says to this executable that it is the child, and which file it edits.
const FILE: &str = "MEMKEEP_TEST_CHILD";

/// The command that starts the child.
pub fn command(home: &Path) -> CommandBuilder {
    let mut command = harness::command(std::env::current_exe().unwrap(), home);
    command.args(arguments());
    command.env(FILE, home.join("file.md"));
    command
}

/// The arguments that make this executable the child.
pub fn arguments() -> [&'static str; 5] {
    [
        "child::run",
        "--exact",
        "--nocapture",
        "--test-threads=1",
        "--quiet",
    ]
}

/// The child itself; as a test it does nothing.
#[test]
fn run() {
    let Some(file) = std::env::var_os(FILE) else {
        return;
    };
    let mut program = Small {
        file: file.into(),
        lines: vec!["ready".to_owned()],
        size: (0, 0),
    };
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let ended = memkeep::run::run(Arc::new(Empty), &mut program, Options::from_env(state));
    let code = match ended {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            2
        }
    };
    std::process::exit(code.into());
}

/// Calls itself until the stack ends.
fn depth(own: u64) -> u64 {
    if own == 0 {
        return 0;
    }
    let room = std::hint::black_box([own; 64]);
    depth(own + 1) + room.iter().sum::<u64>()
}

/// Shows what it is told, and does a thing for each key.
struct Small {
    file: PathBuf,
    lines: Vec<String>,
    size: (u16, u16),
}

impl Small {
    fn say(&mut self, line: String) {
        self.lines.push(line);
    }

    fn draft(&self, text: &str) -> Effect {
        Effect::KeepDraft(Some(Draft {
            id: "rawko:a".to_owned(),
            base: String::new(),
            text: text.to_owned(),
            form: None,
        }))
    }
}

impl Program for Small {
    fn update(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Resize(columns, rows) => self.size = (columns, rows),
            Msg::Resumed => self.say("resumed".to_owned()),
            Msg::Paste(text) => self.say(format!("pasted {text:?}")),
            Msg::Draft(draft, _) => self.say(format!("draft {}", draft.text)),
            Msg::Notice(text) => self.say(text),
            Msg::Failed(failure) => self.say(failure.what),
            Msg::Snapshot(..) => self.say("loaded".to_owned()),
            Msg::Key(key) => match key.code {
                KeyCode::Char('c') if key.modifiers == KeyModifiers::CONTROL => {
                    return vec![Effect::Quit];
                }
                KeyCode::Char('z') if key.modifiers == KeyModifiers::CONTROL => {
                    return vec![Effect::Suspend];
                }
                KeyCode::Char('q') => return vec![Effect::Quit],
                KeyCode::Char('p') => panic!("a panic on purpose"),
                KeyCode::Char('1') => std::process::abort(),
                KeyCode::Char('2') => self.say(format!("depth {}", depth(1))),
                KeyCode::Char('w') => {
                    let question = Lint(Snapshot::default()).into();
                    return vec![Effect::Ask(1, question)];
                }
                KeyCode::Char('E') => {
                    let path = self.file.clone();
                    return vec![Effect::OpenEditor(path, 3)];
                }
                KeyCode::Char('d') => return vec![self.draft("half a sent")],
                KeyCode::Char('y') => return vec![Effect::Copy("copied text".to_owned())],
                other => self.say(format!("key {other:?}")),
            },
            _ => {}
        }
        Vec::new()
    }

    fn view(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let size = format!("{} x {}", self.size.0, self.size.1);
        let lines = std::iter::once(&size).chain(&self.lines);
        for (row, line) in area.rows().zip(lines) {
            buffer.set_stringn(row.x, row.y, line, row.width.into(), Style::new());
        }
        None
    }
}

/// A world without stores.
struct Empty;

fn nothing() -> Failure {
    Failure {
        what: "nothing here".to_owned(),
        hint: None,
        changed: false,
        doubtful: None,
    }
}

impl World for Empty {
    fn answer(&self, question: Box<dyn Any + Send>, _: &Turn<'_>, _: &mut dyn FnMut(Answer)) {
        assert!(!question.is::<Lint>(), "a worker's panic on purpose");
    }
    fn load(
        &self,
        _known: &[Arc<Memory>],
        _emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
    ) -> Loaded {
        Loaded::default()
    }
    fn apply(&self, _change: &Change, _memories: &Snapshot) -> Result<Done, Failure> {
        Err(nothing())
    }
    fn undo(&self) -> Result<Done, Failure> {
        Err(nothing())
    }
    fn redo(&self) -> Result<Done, Failure> {
        Err(nothing())
    }
    fn folders(&self) -> Vec<(PathBuf, bool)> {
        Vec::new()
    }
    fn git(&self, _memories: &Snapshot) -> RepositoryState {
        RepositoryState::default()
    }
}
