//! `keys`: random keys, pastes, resizes and edits by other programs, on the real model with real
//! stores below it, each round in a folder of its own. Answers come late and keys do not wait.
//!
//! Nothing panics; a letter that is typed into a text changes no store; what another program wrote
//! is in its file or in the journal; and without another program every byte comes back by undo.

use std::any::Any;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use memkeep::app::Editor;
use memkeep::app::FilterMemories;
use memkeep::app::Line;
use memkeep::app::Lint;
use memkeep::app::PlanChange;
use memkeep::app::ReadPair;
use memkeep::app::inject::preview::{PreviewTask, Previewed};
use memkeep::app::inject::{Inject, Part};
use memkeep::app::key::Key;
use memkeep::app::links;
use memkeep::app::msg::{Effect, Failure, Msg};
use memkeep::app::{Focus, Model, command, update};
use memkeep::app::{MemoryText, ReadText};
use memkeep::curate::diff;
use memkeep::lint::{self, Selection};
use memkeep::memory::{Fields, Memory, Timestamp};
use memkeep::retrieval::{Limits, Snapshot, Texts as _};
use memkeep::search::filter;
use memkeep::search::filter::Reads;
use memkeep::store::StoreError;
use memkeep::store::collection::{Collection, Done};
use memkeep::store::discover::Search;
use memkeep::ui::theme::Theme;
use memkeep::ui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Answers a question of a type, and returns.
macro_rules! on {
    ($any:ident, $kind:ty, $asked:pat => $answer:expr) => {
        let $any = match $any.downcast::<$kind>() {
            Ok(asked) => {
                let $asked = *asked;
                return $answer;
            }
            Err(any) => any,
        };
    };
}

/// 2026-11-20T12:00:00Z
const NOW: Timestamp = Timestamp(1_795_176_000_000);
/// Keys of a round.
const KEYS: usize = 250;

/// Random numbers that a seed decides (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Two stores in a folder, and what was asked of them.
struct World {
    root: PathBuf,
    collection: Collection,
    memories: Snapshot,
    /// Words that another program wrote, none of which may be lost.
    written: Vec<String>,
    /// What was done, for the one who reads of a failure.
    done: Vec<String>,
}

const TITLES: [&str; 6] = [
    "Auth Module Structure",
    "Sailing Times Are Stored as Local Harbour Time",
    "OAuth2 Was Too Broad",
    "Кэш живёт десять минут",
    "The pool holds 10 connections",
    "The pool holds 25 connections",
];

impl World {
    fn new(root: &Path) -> Self {
        let store = root.join(".rawko/memories");
        fs::create_dir_all(&store).unwrap();
        for n in 0..24 {
            let title = TITLES[n % TITLES.len()];
            let text = format!(
                "---\ntitle: {title} {n}\nwhenToUse:\n  - auth|login.*x\ntags: [auth, t{}]\n\
                 importance: {}\ndiscoveredAt: 2026-11-{:02}T09:00:00Z\ndiscoveredBy: dev\n---\n\n\
                 {title}.\n\nSee `src/gone{n}.rs`.\n",
                n % 3,
                ["low", "medium", "high"][n % 3],
                n % 20 + 1
            );
            fs::write(store.join(format!("note-{n:02}.md")), text).unwrap();
        }
        let ralph = root.join(".ralph/agent");
        fs::create_dir_all(&ralph).unwrap();
        let entries: String = (0..6)
            .map(|n| {
                format!(
                    "### mem-1769600000-00a{n}\n> Entry {n} of the other store.\n\
                     <!-- tags: auth | created: 2026-01-28 -->\n\n"
                )
            })
            .collect();
        let text = format!("# Memories\n\n## Fixes\n\n{entries}");
        fs::write(ralph.join("memories.md"), text).unwrap();
        let search = Search {
            start: root.to_owned(),
            root: Some(root.to_owned()),
            ..Search::default()
        };
        let mut world = Self {
            collection: Collection::open(&search, &root.join("state")).unwrap(),
            root: root.to_owned(),
            memories: Snapshot::default(),
            written: Vec::new(),
            done: Vec::new(),
        };
        world.load();
        world
    }

    fn load(&mut self) -> Msg {
        let known = Arc::clone(&self.memories);
        let loaded = self.collection.load(&known, &mut |_| true);
        self.memories = Arc::new(loaded.memories);
        Msg::Snapshot(Arc::clone(&self.memories), loaded.problems)
    }

    /// The files of the stores, with their bytes.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut all = BTreeMap::new();
        for store in [".rawko", ".ralph"] {
            walk(&self.root.join(store), &mut all);
        }
        all
    }

    /// Writes as an agent would: a new memory, or a line at the end of one.
    fn write(&mut self, dice: &mut Dice) {
        let word = format!("marker{:016x}", dice.next());
        let all: Vec<PathBuf> = self.files().into_keys().collect();
        let store = self.root.join(".rawko/memories");
        match (dice.below(3), all.is_empty()) {
            (0, _) | (_, true) => {
                let text = format!("---\ntitle: {word}\ntags: [new]\n---\n\nText.\n");
                fs::write(store.join(format!("{word}.md")), text).unwrap();
            }
            _ => {
                let file = dice.pick(&all);
                let mut bytes = fs::read(file).unwrap();
                bytes.extend(format!("\n{word}\n").into_bytes());
                fs::write(file, bytes).unwrap();
                self.done.push(format!("{word} -> {}", file.display()));
            }
        }
        self.written.push(word);
    }

    fn done(&mut self, done: Result<Option<Done>, StoreError>, back: &'static str) -> Vec<Msg> {
        self.done.push(format!("{done:?}"));
        let answer = match done {
            Ok(Some(done)) => Msg::Applied(
                memkeep::app::msg::Done {
                    title: done.title,
                    follow: None,
                },
                back,
            ),
            Ok(None) => Msg::Notice("nothing to do".to_owned()),
            Err(error) => Msg::Failed(failure(&error, None)),
        };
        vec![self.load(), answer]
    }

    /// Answers a question.
    fn asked(&self, ticket: u64, any: Box<dyn Any + Send>) -> Vec<Msg> {
        let texts = &self.collection;
        on!(any, ReadText, ReadText { memory, memories } => {
            let text = texts.text(&memory).map(Into::into);
            vec![Msg::done::<ReadText>(ticket, MemoryText {
                id: memory.id.clone(),
                text: text.ok_or_else(|| "it is gone".to_owned()),
                inner: texts.inner(&memory),
                beside: Vec::new(),
                seen: None,
                related: links::outgoing(&memories, &memory),
            })]
        });
        on!(any, ReadPair, ReadPair(memories) => {
            let text = |memory: &Arc<Memory>| {
                let text = texts.text(memory).map(Into::into);
                text.ok_or_else(|| "it is gone".to_owned())
            };
            let texts = [text(&memories[0]), text(&memories[1])];
            vec![Msg::done::<ReadPair>(ticket, texts)]
        });
        on!(any, FilterMemories, FilterMemories {
        query, memories, marks, texts: in_texts } => {
                       let body = |memory: &Memory| texts.said(memory);
                       let inner = |_: &Memory| Fields::default();
                       let reads = Reads {
                           inner: &inner,
                           body: in_texts.then_some(&body),
                       };
                       let hits = filter(&memories, &marks, &query, NOW, reads);
                       vec![Msg::done::<FilterMemories>(ticket, hits)]
                   });
        on!(any, PreviewTask, PreviewTask { memories, task, limits, what_if, wanted } => {
                        let scorer = memkeep::systems::policy("rawko").unwrap().scorer(Arc::clone(&memories));
                        let what_if = what_if.as_ref().map(|(n, memory)| (*n, &**memory));
                        let then = what_if.map(|what| scorer.preview(&task, &limits, Some(what), texts));
                        let answer = Previewed {
            preview: scorer.preview(&task, &limits, None, texts),
            verdicts: scorer.verdicts(&task, &limits, &wanted, texts),
            what_if: then,
            memories,
        };
        vec![Msg::done::<PreviewTask>(ticket, answer)]
                    });
        on!(any, Lint, Lint(memories) => {
            let nowhere = lint::repository::Nowhere;
            let context = lint::Context::new(&memories, texts, NOW, &nowhere);
            let digest = lint::digest(&context, &Selection::all(), 500);
            vec![Msg::done::<Lint>(ticket, (memories, digest))]
        });
        on!(any, PlanChange, PlanChange(change) => {
            let plan = self.collection.plan(&change, &self.memories, NOW);
            let shown = |path: &Path| path.display().to_string();
            let diff = plan.map_err(|error| failure(&error, None)).map(|plan| {
                let diff = diff::unified(&plan, &|path| fs::read(path).ok(), &shown);
                String::from_utf8_lossy(&diff).into_owned().into()
            });
            vec![Msg::done::<PlanChange>(ticket, diff.map(|diff| (diff, 0)))]
        });
        drop(any);
        Vec::new()
    }

    /// What an effect is answered with.
    fn answer(&mut self, effect: Effect, dice: &mut Dice) -> Vec<Msg> {
        match effect {
            Effect::Load => vec![self.load()],
            Effect::Ask(ticket, question) => self.asked(ticket, question.question),
            Effect::Apply(change) => {
                let done = self.collection.change(&change, &self.memories, NOW);
                self.done.push(format!("{change:?}"));
                if let Err(error) = done {
                    let ids = change.ids().into_iter().cloned().collect();
                    let failure = failure(&error, Some((change.action(), ids)));
                    return vec![self.load(), Msg::Failed(failure)];
                }
                self.done(done.map(Some), "undo")
            }
            Effect::Undo => {
                let entry = self.collection.undo();
                self.done(
                    entry.map(|entry| entry.map(|entry| taken(entry.plan.title))),
                    "redo",
                )
            }
            Effect::Redo => {
                let entry = self.collection.redo();
                self.done(
                    entry.map(|entry| entry.map(|entry| taken(entry.plan.title))),
                    "undo",
                )
            }
            Effect::OpenEditor(path, _) => {
                let Ok(before) = fs::read(&path) else {
                    return vec![Msg::Resumed];
                };
                if dice.below(2) == 0 {
                    let mut after = before.clone();
                    after.extend_from_slice(b"Added in the editor.\n");
                    fs::write(&path, after).unwrap();
                }
                let done = self.collection.edited(&path, &before, NOW);
                let mut msgs = vec![Msg::Resumed];
                msgs.extend(self.done(done, "undo"));
                msgs
            }
            _ => Vec::new(),
        }
    }
}

fn taken(title: String) -> Done {
    Done {
        title,
        changed: true,
    }
}

type Asked = (&'static str, Vec<memkeep::memory::MemoryId>);

fn failure(error: &StoreError, asked: Option<Asked>) -> Failure {
    Failure {
        what: error.to_string(),
        hint: None,
        changed: matches!(error, StoreError::Changed(_)),
        doubtful: asked.filter(|_| matches!(error, StoreError::Doubtful(_))),
    }
}

fn walk(folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, all);
        } else {
            let bytes = fs::read(&path).unwrap();
            all.insert(path, bytes);
        }
    }
}

fn model(root: &Path) -> Model {
    let limits = Limits {
        rejected: 10,
        ..Limits::default()
    };
    let mut model = Model {
        now: NOW,
        size: (120, 36),
        project: "stress".to_owned(),
        root: root.to_owned(),
        opened: vec![("rawko".into(), ".rawko/memories".to_owned())],
        inject: Inject::new(limits, vec![""], Vec::new(), HashMap::new()),
        themes: [("dark", false), ("light", true)]
            .map(|(name, light)| (name.to_owned(), String::new(), light))
            .into(),
        theme: "dark".to_owned(),
        ..Model::default()
    };
    model.inject.agent = Line::new("developer");
    model.world.schemas = vec![memkeep::memory::format::schema("rawko")];
    model
}

/// Whether a letter is text now.
fn is_typing(model: &Model) -> bool {
    match model.focus() {
        Focus::Filter | Focus::Palette | Focus::Ask => true,
        Focus::Task => model.inject.part != Part::Dialect,
        Focus::Editor => model.editor.as_ref().is_some_and(Editor::writing),
        Focus::Pick | Focus::Pane(_) => false,
    }
}

fn draw(model: &mut Model) {
    let area = Rect::new(0, 0, model.size.0, model.size.1);
    let mut buffer = Buffer::empty(area);
    let drawn = view(model, &Theme::dark(), area, &mut buffer);
    model.extents = drawn.extents;
    let raw = |symbol: &str| symbol.chars().any(char::is_control);
    let raw = buffer.content.iter().find(|cell| raw(cell.symbol()));
    assert!(raw.is_none(), "{raw:?}");
}

/// Every key of every command, letters, and words that filters and tasks know.
fn all_keys() -> Vec<Vec<Key>> {
    let commands = command::all().flat_map(|command| command.keys);
    let mut all: Vec<Vec<Key>> = commands.filter_map(|keys| Key::parse_all(keys)).collect();
    let plain = |c: char| Key {
        code: KeyCode::Char(c),
        mods: KeyModifiers::NONE,
    };
    all.extend(('a'..='z').chain('0'..='9').map(|c| vec![plain(c)]));
    for text in [
        "auth",
        "tag:t1",
        "is:new",
        "is:changed",
        "!x",
        "кэш",
        "saling",
        " ",
    ] {
        all.push(text.chars().map(plain).collect());
    }
    // What leads to writing comes often.
    for text in [
        "/auth\n", "\u{1}", "  ", "v", "e", "i", "a", "d", "u", "E", "\u{13}",
    ] {
        let key = |c: char| match c {
            '\n' => Key::plain(KeyCode::Enter),
            '\u{1}' => Key::parse("ctrl-a").unwrap(),
            '\u{13}' => Key::parse("ctrl-s").unwrap(),
            c => plain(c),
        };
        all.extend(std::iter::repeat_n(text.chars().map(key).collect(), 6));
    }
    all
}

/// Runs rounds of random keys.
pub fn run(rounds: u64, seed: u64) {
    let keys = all_keys();
    for round in 0..rounds {
        let mut dice = Dice(seed.wrapping_mul(1_000_003).wrapping_add(round));
        let folder = tempfile::tempdir().unwrap();
        // A panic says which round it was.
        let told = Told(seed, round);
        one(
            &folder.path().canonicalize().unwrap(),
            &keys,
            &mut dice,
            round % 2 == 1,
        );
        std::mem::forget(told);
    }
}

struct Told(u64, u64);

impl Drop for Told {
    fn drop(&mut self) {
        eprintln!("keys: seed {}, round {}", self.0, self.1);
    }
}

fn one(root: &Path, keys: &[Vec<Key>], dice: &mut Dice, others: bool) {
    let mut world = World::new(root);
    let before = world.files();
    let mut model = model(root);
    let mut waiting: VecDeque<Effect> = VecDeque::from([Effect::Load]);
    let mut typed: VecDeque<Key> = VecDeque::new();
    let mut pressed = 0;
    let mut trail: VecDeque<String> = VecDeque::new();
    while pressed < KEYS {
        let msg = match dice.below(20) {
            0 => Msg::Resize(dice.below(140) as u16, dice.below(40) as u16),
            1 => Msg::Paste("auth\nd\u{1b}[2J".to_owned()),
            2 if others => {
                world.write(dice);
                world.load()
            }
            3..=8 => {
                if let Some(effect) = waiting.pop_front() {
                    for msg in world.answer(effect, dice) {
                        waiting.extend(update(&mut model, msg));
                    }
                }
                draw(&mut model);
                continue;
            }
            _ => {
                if typed.is_empty() {
                    typed.extend(dice.pick(keys));
                }
                pressed += 1;
                {
                    let key = typed.pop_front().unwrap();
                    Msg::Key(KeyEvent::new(key.code, key.mods))
                }
            }
        };
        let letter = match &msg {
            Msg::Key(key) if key.modifiers.is_empty() && is_typing(&model) => {
                matches!(key.code, KeyCode::Char(_))
            }
            Msg::Paste(_) => true,
            _ => false,
        };
        trail.push_back(format!("{msg:.60?}"));
        trail.truncate(trail.len().min(400));
        let effects = update(&mut model, msg);
        let writes = |effect: &&Effect| {
            matches!(
                effect,
                Effect::Apply(_)
                    | Effect::Undo
                    | Effect::Redo
                    | Effect::OpenEditor(..)
                    | Effect::Quit
            )
        };
        let write = effects.iter().find(writes).filter(|_| letter);
        assert!(write.is_none(), "a letter wrote: {write:?} after {trail:?}");
        waiting.extend(effects);
    }
    let mut rest = 0;
    while let Some(effect) = waiting.pop_front().filter(|_| rest < 2_000) {
        for msg in world.answer(effect, dice) {
            waiting.extend(update(&mut model, msg));
        }
        rest += 1;
    }
    draw(&mut model);
    assert!(rest < 2_000, "effects go round in circles");
    if others {
        let mut all = BTreeMap::new();
        walk(root, &mut all);
        // The journal has bytes in base64.
        for bytes in all.values_mut() {
            let parts = bytes.split(|byte| *byte == b'"');
            let decoded: Vec<Vec<u8>> = parts.filter_map(|one| STANDARD.decode(one).ok()).collect();
            bytes.extend(decoded.concat());
        }
        for word in &world.written {
            let has = |bytes: &Vec<u8>| memchr::memmem::find(bytes, word.as_bytes()).is_some();
            assert!(all.values().any(has), "{word} is lost: {:#?}", world.done);
        }
    } else {
        while let Some(entry) = world.collection.undo().unwrap() {
            assert!(entry.away.is_empty(), "{:?}", entry.away);
        }
        let mut after = world.files();
        // Ralph leaves its lock file where it is, and so does memkeep: another process may hold it.
        after.retain(|path, _| path.extension().is_none_or(|end| end != "lock"));
        let paths = before.keys().chain(after.keys());
        let text = |bytes: Option<&Vec<u8>>| {
            bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        };
        let sides = paths.map(|path| (path, text(before.get(path)), text(after.get(path))));
        let other: Vec<_> = sides.filter(|(_, a, b)| a != b).collect();
        assert!(
            other.is_empty(),
            "undo leaves {other:#?} after {:#?}",
            world.done
        );
    }
}
