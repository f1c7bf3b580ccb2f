//! The fields of a row in the terminal UI: the layers entry by entry.

use std::any::Any;
use std::collections::VecDeque;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use memkeep::app::FilterMemories;
use memkeep::app::Line;
use memkeep::app::msg::Question as _;
use memkeep::app::msg::{Draft, Effect};
use memkeep::app::{MemoryText, ReadText};
use memkeep::app::{Model, Msg, update};
use memkeep::retrieval::Texts as _;
use memkeep::search::filter;
use memkeep::search::filter::Reads;
use memkeep::store::collection::Collection;
use memkeep::systems::rum::RUM;
use memkeep::ui::theme::{Depth, Theme};
use memkeep::ui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::place::{Place, now};

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

/// The program on a database, its effects answered at once, the reading of texts where wanted.
struct App {
    model: Model,
    collection: Collection,
    /// Texts that are asked for and not given yet, where they are not given at once.
    unread: Option<Vec<Effect>>,
    /// What is kept of what is not saved.
    kept: Option<Draft>,
}

impl App {
    fn open(place: &Place, size: (u16, u16)) -> Self {
        let mut model = Model {
            now: now(),
            size,
            project: "demo".to_owned(),
            root: place.root(),
            themes: [("dark", false), ("light", true)]
                .map(|(name, light)| (name.to_owned(), String::new(), light))
                .into(),
            theme: "dark".to_owned(),
            ..Model::default()
        };
        model.inject.agent = Line::new("human");
        model.world.schemas = vec![&RUM];
        let mut app = Self {
            model,
            collection: place.collection(),
            unread: None,
            kept: None,
        };
        let first = app.loaded();
        app.send(first);
        app
    }

    fn loaded(&self) -> Msg {
        let loaded = self.collection.load(&[], &mut |_| true);
        Msg::Snapshot(loaded.memories.into(), loaded.problems)
    }

    fn asked(&self, ticket: u64, any: Box<dyn Any + Send>) -> Vec<Msg> {
        on!(any, ReadText, ReadText { memory, .. } => vec![Msg::done::<ReadText>(ticket, MemoryText {
            id: memory.id.clone(),
            text: self
                .collection
                .text(&memory)
                .map(Into::into)
                .ok_or_else(String::new),
            inner: self.collection.inner(&memory),
            beside: self.collection.beside(&memory),
            seen: None,
            related: Vec::new(),
        })]);
        on!(any, FilterMemories, FilterMemories { query, memories, marks, .. } => {
                   let collection = &self.collection;
        let inner = |memory: &memkeep::memory::Memory| collection.inner(memory);
                   let reads = Reads {
                       inner: &inner,
                       body: None,
                   };
                   let hits = filter(&memories, &marks, &query, now(), reads);
                   vec![Msg::done::<FilterMemories>(ticket, hits)]
               });
        drop(any);
        Vec::new()
    }

    fn answer(&mut self, effect: Effect) -> Vec<Msg> {
        let is_text =
            matches!(&effect, Effect::Ask(_, question) if question.slot == ReadText::SLOT);
        if let Some(unread) = self.unread.as_mut().filter(|_| is_text) {
            unread.push(effect);
            return Vec::new();
        }
        match effect {
            Effect::KeepDraft(draft) => {
                self.kept = draft;
                Vec::new()
            }
            Effect::Load => vec![self.loaded()],
            Effect::Ask(ticket, question) => self.asked(ticket, question.question),
            Effect::Apply(change) => {
                let memories = self.collection.load(&[], &mut |_| true).memories;
                let done = self.collection.change(&change, &memories, now()).unwrap();
                let title = done.title;
                let applied = Msg::Applied(
                    memkeep::app::msg::Done {
                        title,
                        follow: None,
                    },
                    "undo",
                );
                vec![applied, self.loaded()]
            }
            _ => Vec::new(),
        }
    }

    fn send(&mut self, msg: Msg) {
        let mut queue = VecDeque::from([msg]);
        while let Some(msg) = queue.pop_front() {
            for effect in update(&mut self.model, msg) {
                queue.extend(self.answer(effect));
            }
        }
        self.text();
    }

    fn press(&mut self, code: KeyCode) {
        self.send(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    fn type_in(&mut self, text: &str) {
        text.chars().for_each(|c| self.press(KeyCode::Char(c)));
    }

    fn save(&mut self) {
        let key = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL);
        self.send(Msg::Key(key));
    }

    /// Opens the fields and goes to one of them.
    fn field(&mut self, name: &str) {
        self.press(KeyCode::Char('e'));
        let at = RUM
            .fields
            .iter()
            .filter(|spec| !RUM.is_fixed(spec.name))
            .position(|spec| spec.name == name)
            .unwrap();
        (0..at).for_each(|_| self.press(KeyCode::Down));
    }

    fn text(&mut self) -> String {
        let area = Rect::new(0, 0, self.model.size.0, self.model.size.1);
        let mut buffer = Buffer::empty(area);
        let drawn = view(
            &self.model,
            &Theme::dark().at(Depth::None),
            area,
            &mut buffer,
        );
        self.model.extents = drawn.extents;
        let row = |y: u16| {
            let cells = (0..area.width).map(|x| buffer[(x, y)].symbol());
            cells.collect::<String>().trim_end().to_owned() + "\n"
        };
        (0..area.height).map(row).collect()
    }
}

#[test]
fn the_layers_are_fields_with_an_entry_to_a_line() {
    let place = Place::sample();
    for size in [(120, 36), (60, 20)] {
        let mut app = App::open(&place, size);
        app.field("actions");
        insta::assert_snapshot!(format!("actions-{}", size.0), app.text());
    }
}

#[test]
fn a_line_is_edited_and_another_added_and_saved() {
    let place = Place::sample();
    let mut app = App::open(&place, (120, 36));
    app.field("risks_identified");
    app.press(KeyCode::Enter);
    app.press(KeyCode::Enter);
    app.type_in(" of refreshes");
    app.press(KeyCode::Enter);
    app.press(KeyCode::Down);
    app.press(KeyCode::Enter);
    app.type_in("Two clocks");
    app.press(KeyCode::Enter);
    app.press(KeyCode::Esc);
    app.save();
    let layer = r#""risks_identified":["A loop of refreshes","Two clocks"]}"#;
    assert!(
        place.dump().contains(layer),
        "{}\n{}",
        app.text(),
        place.dump()
    );
}

#[test]
fn keys_wait_for_the_fields_to_be_read() {
    let place = Place::sample();
    let mut app = App::open(&place, (120, 36));
    let id = app.model.current().unwrap().id.clone();
    app.unread = Some(Vec::new());
    app.press(KeyCode::Down);
    assert_ne!(app.model.current().unwrap().id, id);
    app.press(KeyCode::Up);
    app.press(KeyCode::Char('e'));
    app.press(KeyCode::Down);
    app.press(KeyCode::Down);
    let before = app.text();
    assert!(!before.contains("observations"), "{before}");
    for effect in app.unread.take().unwrap() {
        let read = app.answer(effect);
        read.into_iter().for_each(|msg| app.send(msg));
    }
    let after = app.text();
    let focus = after
        .lines()
        .find(|line| line.contains('▌') && line.contains("success"));
    assert!(focus.is_some(), "{after}");
}

#[test]
fn an_action_that_another_program_adds_meanwhile_is_not_lost() {
    let place = Place::sample();
    let mut app = App::open(&place, (120, 36));
    app.field("risks_identified");
    app.press(KeyCode::Enter);
    app.press(KeyCode::Enter);
    app.type_in("!");
    app.press(KeyCode::Enter);
    app.press(KeyCode::Esc);
    let other = r#"UPDATE memories SET
        actions = '[{"type":"search","query":"new"}]',
        reasoning = '{"risks_identified":["Another","A loop"]}' WHERE id = 'mem_jwt'"#;
    place.connect().execute_batch(other).unwrap();
    let now = app.loaded();
    app.send(now);
    let text = app.text();
    assert!(text.contains("changed on disk meanwhile"), "{text}");
    assert!(
        text.contains("actions is now `type: search, query: new`"),
        "{text}"
    );
    // The list of risks is what both wrote: it is asked before one is written over.
    app.save();
    let text = app.text();
    assert!(
        text.contains("≠ on disk") && text.contains("Another"),
        "{text}"
    );
    app.save();
    let dump = place.dump();
    assert!(
        dump.contains(r#"[{"type":"search","query":"new"}]"#),
        "{dump}"
    );
    assert!(
        dump.contains(r#"{"risks_identified":["A loop!"]}"#),
        "{dump}"
    );
}

#[test]
fn the_filter_looks_into_the_layers() {
    let place = Place::sample();
    let mut app = App::open(&place, (120, 36));
    app.press(KeyCode::Char('/'));
    app.type_in("actions:docs");
    let text = app.text();
    assert!(
        text.contains("Document the token") && !text.contains("Investigate"),
        "{text}"
    );
}

#[test]
fn what_no_edit_changes_is_not_offered() {
    let place = Place::sample();
    let mut app = App::open(&place, (120, 90));
    assert!(app.text().contains("mem_"), "{}", app.text());
    app.press(KeyCode::Char('e'));
    let text = app.text();
    assert!(text.contains("importance"), "{text}");
    for spec in RUM.fields.iter().filter(|spec| RUM.is_fixed(spec.name)) {
        assert!(!text.contains(&format!(" {} ", spec.name)), "{text}");
    }
}

/// The fields of a row are all its text: what is typed into one outlives the program.
#[test]
fn a_field_inside_a_layer_is_offered_again_with_the_others() {
    let place = Place::sample();
    let mut app = App::open(&place, (100, 40));
    app.press(KeyCode::Down);
    app.field("approach_chosen");
    app.press(KeyCode::Enter);
    app.type_in("Read");
    let draft = app.kept.clone().expect("something is kept");
    assert_eq!(draft.id, "rum:mem_log");
    for waits in [false, true] {
        let mut app = App::open(&place, (100, 40));
        if waits {
            app.unread = Some(Vec::new());
        }
        app.send(Msg::Draft(draft.clone(), true));
        for key in ['g', 'u'] {
            app.press(KeyCode::Char(key));
        }
        app.press(KeyCode::Enter);
        for effect in app.unread.take().unwrap_or_default() {
            for msg in app.answer(effect) {
                app.send(msg);
            }
        }
        assert!(app.text().contains("unsaved"), "{}", app.text());
        app.save();
        assert_eq!(app.kept, None);
        let ran = place.run(&["show", "mem_log", "--format", "json"]);
        assert_eq!(ran.json()["fields"]["approach_chosen"], "Read");
        assert_eq!(
            place
                .run(&["edit", "mem_log", "--unset", "approach_chosen"])
                .code,
            0
        );
    }
}
