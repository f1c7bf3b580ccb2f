//! The program as the loop runs it: the model, how it looks, and the clock.

use std::cell::Cell;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Program;
use crate::app::msg::{Effect, Msg};
use crate::app::{Extents, Model, update};
use crate::memory::Timestamp;
use crate::ui;
use crate::ui::theme::{BUNDLED, Theme};

pub struct Screen {
    pub model: Model,
    pub theme: Theme,
    own: Vec<Theme>,
    /// True if the theme is that of the terminal's background.
    automatic: bool,
    /// True if the terminal says that it is light, false if dark.
    light: Option<bool>,
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
            own: Vec::new(),
            automatic: false,
            light: None,
            clock: Box::new(clock),
            extents: Cell::default(),
        }
    }

    /// Takes the light or the dark theme as the terminal says, if it is asked to.
    pub const fn automatic(mut self, automatic: bool) -> Self {
        self.automatic = automatic;
        self
    }

    /// The theme with a name, in the colours of the terminal.
    fn find(&self, name: &str) -> Option<Theme> {
        let own = self.own.iter().find(|theme| theme.name == name).cloned();
        let theme = own.or_else(|| Theme::bundled(name));
        theme.map(|theme| theme.at(self.theme.depth).on(self.light))
    }

    fn list_themes(&mut self) {
        let bundled = BUNDLED.iter().filter_map(|(name, _)| Theme::bundled(name));
        let all = bundled.chain(self.own.iter().cloned());
        let all = all.map(|theme| (theme.name, theme.about, theme.light));
        self.model.themes = all.collect();
    }

    /// Reads the person's theme files. One with an error stays as it was.
    fn read_themes(&mut self, files: &[(PathBuf, String)]) {
        let before = std::mem::take(&mut self.own);
        for (path, text) in files {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if Theme::bundled(&name).is_some() {
                continue;
            }
            match Theme::parse(&name, text) {
                Ok(theme) => self.own.push(theme),
                Err(error) => {
                    let old = before.iter().find(|theme| theme.name == name);
                    self.own.extend(old.cloned());
                    let text = format!("theme {name}, line {}: {}", error.line, error.message);
                    update(&mut self.model, Msg::Notice(text));
                }
            }
        }
        self.list_themes();
        if let Some(theme) = self.find(&self.theme.name) {
            self.theme = theme;
        }
    }
}

impl Program for Screen {
    fn update(&mut self, msg: Msg) -> Vec<Effect> {
        self.model.now = (self.clock)();
        self.model.extents = self.extents.get();
        match &msg {
            Msg::Themes(files) => self.read_themes(files),
            // The first frame does not wait for them.
            Msg::Snapshot(..) if self.model.themes.is_empty() => self.list_themes(),
            Msg::Light(light) => {
                self.light = Some(*light);
                let theme = match self.automatic {
                    true => Some(Theme::automatic(*light).at(self.theme.depth)),
                    false => self.find(&self.theme.name),
                };
                self.theme = theme.unwrap_or_else(|| self.theme.clone().on(self.light));
                self.model.theme.clone_from(&self.theme.name);
            }
            _ => {}
        }
        // Code is coloured for the ground of the theme.
        let msg = match msg {
            Msg::Light(_) => Msg::Light(self.theme.light),
            other => other,
        };
        let effects = update(&mut self.model, msg);
        if self.theme.name != self.model.theme {
            let chosen = self.find(&self.model.theme);
            self.theme = chosen.unwrap_or_else(|| self.theme.clone());
            self.automatic = false;
        }
        effects
    }

    fn view(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let drawn = ui::view(&self.model, &self.theme, area, buffer);
        self.extents.set(drawn.extents);
        drawn.cursor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::Role;
    use ratatui::style::Color;

    fn read(screen: &mut Screen, toml: &str) {
        let files = vec![(PathBuf::from("/home/me/themes/mine.toml"), toml.to_owned())];
        screen.update(Msg::Themes(files));
    }

    #[test]
    fn a_theme_is_reloaded_and_stays_as_it_was_on_an_error() {
        let theme = Theme::parse("mine", "").unwrap();
        let mut screen = Screen::new(Model::default(), theme, || Timestamp(0));
        screen.model.theme = "mine".to_owned();
        screen.list_themes();
        let accent = |screen: &Screen| screen.theme.style(Role::Link).fg;
        let dark = |role: &str| format!("inherits = \"dark\"\n[roles]\n{role}\n");
        read(&mut screen, &dark("accent = { fg = \"red\" }"));
        assert_eq!(accent(&screen), Some(Color::Red));
        read(&mut screen, &dark("acent = { fg = \"blue\" }"));
        assert_eq!(accent(&screen), Some(Color::Red));
        let message = screen.model.status.message().unwrap();
        let what = "theme mine, line 3: no role `acent`; did you mean `accent`?";
        assert_eq!(message.text, what);
        read(&mut screen, "[roles]\naccent = { fg = \"blue\" }\n");
        assert_eq!(accent(&screen), Some(Color::Blue));
        let mut names = screen.model.themes.iter().map(|(name, ..)| name.as_str());
        assert_eq!(names.next_back(), Some("mine"));
        assert_eq!(screen.model.themes.len(), BUNDLED.len() + 1);
        // The file is gone: the theme in use stays, and is no longer offered.
        screen.update(Msg::Themes(Vec::new()));
        assert_eq!(accent(&screen), Some(Color::Blue));
        assert_eq!(screen.model.themes.len(), BUNDLED.len());
    }
}
