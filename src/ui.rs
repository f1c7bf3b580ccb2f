//! The view of the model: panes, Markdown, themes. The view reads the model and returns; it changes
//! nothing. The picture in the documentation of the crate names the file of each part.
//!
//! Pure.

mod bars;
pub mod diff;
pub(crate) mod empty;
mod explain;
pub mod form;
mod history;
mod inject;
mod lint;
mod list;
pub mod markdown;
mod overlay;
mod pair;
mod pen;
mod reading;
mod review;
pub mod safe;
mod saved;
mod sheet;
pub mod text;
pub mod theme;
pub(crate) mod words;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::editor::Editor;
use crate::app::layout::{Areas, Room, areas};
use crate::app::{Extents, Focus, Model, Page, Pane, View};
use crate::memory::MemoryId;
use pen::Pen;
use sheet::Sheet;
use theme::{Role, Theme};

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
    pen.buffer.set_style(area, theme.ground());
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
    cursor = edited(&mut pen, model, &areas).or(cursor);
    let extents = Extents {
        page: page(&mut pen, model, &areas),
        prompt: inject::prompt(&mut pen, model, &areas),
    };
    bars::status(&mut pen, model, areas.status);
    if areas.room == Room::Tiny && model.browse.filter.editing {
        let (line, style) = (areas.hints, theme.style(Role::Input));
        cursor = list::draw_filter(&mut pen, model, line, pen::inset(line, 1, 0), style);
    } else {
        bars::keys(&mut pen, model, &areas);
    }
    overlay::draw_prefix(&mut pen, model);
    if model.overlay.is_some() {
        cursor = overlay::draw(&mut pen, model);
    }
    Drawn {
        cursor: cursor.filter(|at| area.contains(*at)),
        extents,
    }
}

/// Draws the right side; how far it can be scrolled.
fn page(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> usize {
    let area = areas.inner();
    let from = match &model.page {
        Page::Fix(proposal) => proposal.scroll,
        Page::Pair(pair) => pair.scroll,
        Page::Versions(versions) => versions.scroll,
        Page::Usual if model.view == View::Review => model.review.scroll,
        Page::Usual | Page::Explain => model.reading.scroll,
    };
    if areas.side.is_empty() || model.editor.is_some() {
        return 0;
    }
    let mut sheet = Sheet::new(pen.theme, area, from);
    match (&model.page, model.view) {
        (Page::Fix(proposal), _) => lint::fix(&mut sheet, model, proposal),
        (Page::Pair(pair), _) => pair::page(&mut sheet, model, pair),
        (Page::Versions(versions), _) => history::page(&mut sheet, model, versions),
        (Page::Explain, View::Lint) => lint::explained(&mut sheet, model),
        (Page::Explain, _) | (Page::Usual, View::Inject) => explain::page(&mut sheet, model),
        (Page::Usual, View::Lint) => lint::page(&mut sheet, model),
        (Page::Usual, View::Review) => review::page(&mut sheet, model),
        (Page::Usual, View::Browse) => reading::page(&mut sheet, model),
    }
    if areas.page.y > areas.side.y {
        let focused = matches!(model.focus(), Focus::Pane(Pane::Side)) || model.covers_list();
        pen.frame(areas.side, areas.borders, focused, sheet.words());
    }
    sheet.draw(pen, area, from)
}

/// Draws what is being edited in the place of the right side; says where the cursor is.
fn edited(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    let editor = model.editor.as_ref()?;
    let title_of = |id: &MemoryId| {
        let title = model.world.find(id).map(|memory| words::title(memory));
        title.map_or_else(|| id.to_string(), |title| title.into_owned())
    };
    let title = match editor {
        Editor::Form(own) => own.form.title(),
        Editor::Opening { id, .. } => title_of(id),
        Editor::Text(writing) => title_of(&writing.id),
    };
    if areas.page.y > areas.side.y {
        let words = (vec![pen.text(Role::Title, &title)], "", "");
        pen.frame(areas.side, areas.borders, true, words);
    }
    let area = areas.inner();
    match editor {
        Editor::Opening { .. } => None,
        Editor::Form(own) => {
            let effects = (model.inject.moves.as_ref(), &*model.inject.saved.effects);
            form::draw(&own.form, effects, pen.theme, area, pen.buffer)
        }
        Editor::Text(writing) => text::draw(&writing.editor, pen.theme, area, pen.buffer),
    }
}
