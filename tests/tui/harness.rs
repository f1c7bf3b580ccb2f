//! Feeds keys to the program, answers its effects, and writes its screen down with its styles.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Write as _;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use memkeep::app::Line;
use memkeep::app::inject::{Inject, OwnDialect};
use memkeep::app::key::Key;
use memkeep::app::{Model, Msg, update};
use memkeep::memory::StoreId;
use memkeep::retrieval::Limits;
use memkeep::ui::theme::{Depth, Theme};
use memkeep::ui::{Drawn, view};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::fixtures::{NOW, notes};
use crate::world::World;

pub struct App {
    pub model: Model,
    pub world: World,
    pub theme: Theme,
    pub drawn: Drawn,
    /// Keys pressed, texts not counted.
    pub keys: usize,
}

pub fn setup(width: u16, height: u16) -> Model {
    let limits = Limits {
        rejected: 10,
        ..Limits::default()
    };
    let dialects = vec!["", "arbiter", "unified", "sdk"];
    let own = vec![OwnDialect {
        store: StoreId::from("rawko"),
        name: "natural",
        known: &["natural", "arbiter", "unified", "sdk"],
    }];
    let mut model = Model {
        now: NOW,
        size: (width, height),
        project: "payments-api".to_owned(),
        root: "/work/shop".into(),
        opened: vec![("rawko".into(), ".rawko/memories".to_owned())],
        inject: Inject::new(limits, dialects, own, HashMap::new()),
        themes: [("dark", false), ("light", true)]
            .map(|(name, light)| (name.to_owned(), format!("a {name} one"), light))
            .into(),
        theme: "dark".to_owned(),
        ..Model::default()
    };
    model.inject.agent = Line::new("developer");
    model.world.schemas = vec![memkeep::memory::format::schema("rawko")];
    model
}

impl App {
    /// The program on the notes of the fixtures.
    pub fn open(width: u16, height: u16) -> Self {
        Self::with(setup(width, height), World::new(notes()))
    }

    pub fn with(model: Model, world: World) -> Self {
        let mut app = Self::unloaded(model, world);
        let answers = app.world.answer(memkeep::app::msg::Effect::Load);
        app.all(answers);
        app
    }

    /// The program before it is answered.
    pub fn unloaded(model: Model, world: World) -> Self {
        Self {
            model,
            world,
            theme: Theme::dark().at(Depth::None),
            drawn: Drawn::default(),
            keys: 0,
        }
    }

    pub fn dark(mut self) -> Self {
        self.theme = Theme::dark();
        self
    }

    pub fn light(mut self) -> Self {
        self.theme = Theme::automatic(true);
        self
    }

    /// A message and everything that follows from it.
    pub fn send(&mut self, msg: Msg) {
        self.all(vec![msg]);
    }

    fn all(&mut self, msgs: Vec<Msg>) {
        let mut queue: VecDeque<Msg> = msgs.into();
        let mut rounds = 0;
        while let Some(msg) = queue.pop_front() {
            for effect in update(&mut self.model, msg) {
                queue.extend(self.world.answer(effect));
            }
            rounds += 1;
            assert!(rounds < 200, "effects go round in circles");
        }
        self.draw();
    }

    fn draw(&mut self) -> Buffer {
        let area = Rect::new(0, 0, self.model.size.0, self.model.size.1);
        let mut buffer = Buffer::empty(area);
        self.drawn = view(&self.model, &self.theme, area, &mut buffer);
        self.model.extents = self.drawn.extents;
        buffer
    }

    /// Presses keys: `/auth<enter>j`. A text between `«` and `»` is typed and not counted.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for (key, counted) in parse(keys) {
            self.send(pressed(key));
            self.keys += usize::from(counted);
        }
        self
    }

    /// The text on the screen.
    pub fn text(&mut self) -> String {
        let buffer = self.draw();
        let mut out = String::new();
        for y in 0..buffer.area.height {
            out.push_str(row_text(&buffer, y).trim_end());
            out.push('\n');
        }
        out
    }

    /// The screen with its styles, for a snapshot.
    pub fn screen(&mut self) -> String {
        let buffer = self.draw();
        screen(&buffer, self.drawn)
    }
}

/// The message of a key.
pub fn pressed(key: Key) -> Msg {
    Msg::Key(KeyEvent::new(key.code, key.mods))
}

pub fn row_text(buffer: &Buffer, y: u16) -> String {
    let mut out = String::new();
    let mut x = 0;
    while x < buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        out.push_str(symbol);
        let wide = unicode_width::UnicodeWidthStr::width(symbol).max(1);
        x += u16::try_from(wide).unwrap_or(1);
    }
    out
}

/// Text, then a letter for the style of every cell, then what the letters mean.
pub fn screen(buffer: &Buffer, drawn: Drawn) -> String {
    let mut out = String::new();
    let mut names: BTreeMap<String, char> = BTreeMap::new();
    let mut letters = ('a'..='z').chain('A'..='Z');
    let mut styles = String::new();
    for y in 0..buffer.area.height {
        let _ = writeln!(out, "{}", row_text(buffer, y).trim_end());
        let mut row = String::new();
        for x in 0..buffer.area.width {
            let name = name(buffer[(x, y)].style());
            row.push(if name.is_empty() {
                ' '
            } else {
                *names
                    .entry(name)
                    .or_insert_with(|| letters.next().unwrap_or('?'))
            });
        }
        let _ = writeln!(styles, "{}", row.trim_end());
    }
    out.push_str(&"─".repeat(usize::from(buffer.area.width)));
    let _ = writeln!(out, "\n{}", styles.trim_end());
    for (name, letter) in names {
        let _ = writeln!(out, "{letter} {name}");
    }
    if let Some(at) = drawn.cursor {
        let _ = writeln!(out, "cursor {},{}", at.x, at.y);
    }
    out
}

fn name(style: Style) -> String {
    let mut parts = Vec::new();
    let color = |color: Option<Color>| match color {
        None | Some(Color::Reset) => None,
        Some(color) => Some(color.to_string()),
    };
    parts.extend(color(style.fg));
    parts.extend(color(style.bg).map(|bg| format!("on {bg}")));
    for (flag, word) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underlined"),
        (Modifier::REVERSED, "reversed"),
    ] {
        if style.add_modifier.contains(flag) {
            parts.push(word.to_owned());
        }
    }
    parts.join(" ")
}

/// Reads a key string; each key with whether it counts.
pub fn parse(keys: &str) -> Vec<(Key, bool)> {
    let mut out = Vec::new();
    let mut chars = keys.chars();
    let mut counted = true;
    while let Some(c) = chars.next() {
        match c {
            '«' => counted = false,
            '»' => counted = true,
            '<' => {
                let name: String = chars.by_ref().take_while(|c| *c != '>').collect();
                out.push((
                    Key::parse(&name).unwrap_or_else(|| panic!("<{name}>")),
                    counted,
                ));
            }
            ' ' => out.push((Key::plain(KeyCode::Char(' ')), counted)),
            c => out.push((
                Key {
                    code: KeyCode::Char(c),
                    mods: KeyModifiers::NONE,
                },
                counted,
            )),
        }
    }
    out
}
