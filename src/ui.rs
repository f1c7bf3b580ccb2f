//! The view of the model: panes, Markdown, themes. The view reads the model and returns; it changes
//! nothing.
//!
//! ```text
//!   memkeep  payments-api    1 Browse  2 Inject  3 Lint 7            bars::header
//!  ┌ /auth ───────────── 6 of 41 ┐┌ OAuth2 Integration ────────────┐
//!  │ list · inject · lint        ││ reading · explain · lint::page │ page
//!  │                             │├ Prompt ────────────────────────┤
//!  │                             ││ inject::prompt                 │
//!  └─────────────────────────────┘└────────────────────────────────┘
//!   archived 3 memories · u undo                                     bars::status
//!   j down  / filter  t task                          ? all keys     bars::keys
//! ```
//! Pure.

mod bars;
pub mod diff;
pub mod editor;
mod empty;
mod explain;
pub mod form;
mod history;
mod inject;
mod lint;
mod list;
pub mod look;
pub mod markdown;
mod overlay;
mod page;
mod pair;
pub mod pen;
mod reading;
mod review;
pub mod safe;
mod sheet;
mod tasks;
pub mod theme;
pub mod words;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::layout::{Room, areas};
use crate::app::{Extents, Model, View};
use pen::Pen;
use theme::Theme;

/// The results of a drawing for the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// The terminal's cursor; none where nothing is typed.
    pub cursor: Option<Position>,
    /// How far the panes can be scrolled: for the model's `extents`.
    pub extents: Extents,
}

/// Draws the model. The area's size is the model's size; where it is not (the terminal was
/// resized in between), what does not fit is left out.
pub fn view(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Drawn {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return Drawn::default();
    }
    let mut pen = Pen { theme, buffer };
    let areas = areas(model);
    bars::header(&mut pen, model, areas.header);
    let mut cursor = bars::task(&mut pen, model, &areas);
    inject::stores(&mut pen, model, &areas);
    match model.view {
        View::Browse => cursor = list::draw(&mut pen, model, &areas).or(cursor),
        View::Inject => inject::draw(&mut pen, model, &areas),
        View::Lint => cursor = lint::draw(&mut pen, model, &areas).or(cursor),
        View::Review => review::draw(&mut pen, model, &areas),
    }
    cursor = page::desk(&mut pen, model, &areas).or(cursor);
    let (page, byte) = page::draw(&mut pen, model, &areas);
    let extents = Extents {
        page,
        byte,
        prompt: inject::prompt(&mut pen, model, &areas),
    };
    bars::status(&mut pen, model, areas.status);
    if areas.room == Room::Tiny && model.browse.filter.editing {
        cursor = bars::filter(&mut pen, model, areas.hints);
    } else {
        bars::keys(&mut pen, model, &areas);
    }
    if model.overlay.is_some() {
        cursor = overlay::draw(&mut pen, model);
    }
    Drawn {
        cursor: cursor.filter(|at| area.contains(*at)),
        extents,
    }
}
