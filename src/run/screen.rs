//! The program as the loop runs it: the model, how it looks, and the clock.

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Program;
use crate::app::msg::{Effect, Msg};
use crate::app::{Extents, Model, update};
use crate::memory::Timestamp;
use crate::ui;
use crate::ui::theme::{Depth, Theme};

/// The model and its view.
pub struct Screen {
    /// The model.
    pub model: Model,
    /// How it looks.
    pub theme: Theme,
    /// The themes to choose from.
    pub themes: Vec<Theme>,
    /// The depth of colour, where the theme is that of the terminal's background.
    automatic: Option<Depth>,
    clock: Box<dyn Fn() -> Timestamp>,
    /// Sizes of the last drawing; the next message may scroll by them.
    extents: Cell<Extents>,
}

impl Screen {
    /// A screen whose clock is asked before every message.
    pub fn new(model: Model, theme: Theme, clock: impl Fn() -> Timestamp + 'static) -> Self {
        Self {
            model,
            theme,
            themes: Vec::new(),
            automatic: None,
            clock: Box::new(clock),
            extents: Cell::default(),
        }
    }

    /// Takes the light or the dark theme as the terminal says.
    pub const fn automatic(mut self, depth: Option<Depth>) -> Self {
        self.automatic = depth;
        self
    }
}

impl Program for Screen {
    fn start(&mut self) -> Vec<Effect> {
        self.model.start()
    }

    fn update(&mut self, msg: Msg) -> Vec<Effect> {
        self.model.now = (self.clock)();
        self.model.extents = self.extents.get();
        if let (Msg::Light(light), Some(depth)) = (&msg, self.automatic) {
            self.theme = Theme::automatic(*light).at(depth);
            self.model.theme.clone_from(&self.theme.name);
        }
        let effects = update(&mut self.model, msg);
        if self.theme.name != self.model.theme {
            let mut themes = self.themes.iter();
            let chosen = themes.find(|theme| theme.name == self.model.theme);
            self.theme = chosen.unwrap_or(&self.theme).clone();
            self.automatic = None;
        }
        effects
    }

    fn view(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let drawn = ui::view(&self.model, &self.theme, area, buffer);
        self.extents.set(drawn.extents);
        drawn.cursor
    }
}
