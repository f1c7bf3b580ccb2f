//! A line of the form while it is put together.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::form::Form;
use crate::app::line;
use crate::ui::look::Look;
use crate::ui::safe::{fit, spans, width};

/// Where values begin and how much room they have.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// The column of the values.
    pub(super) left: usize,
    /// Columns of the values.
    pub(super) room: usize,
    /// Whether labels stand above their values.
    pub(super) above: bool,
}

/// Columns that are left to values and what stands around them before names take more.
const VALUE: usize = 34;

impl Grid {
    pub(super) fn new(form: &Form, columns: usize) -> Self {
        if columns < 36 {
            return Self {
                left: 3.min(columns),
                room: columns.saturating_sub(3),
                above: true,
            };
        }
        let longest = form.fields().iter().map(|field| width(&field.name)).max();
        // Up to a third, but a value needs some columns too.
        let most = (columns / 3)
            .min(columns.saturating_sub(VALUE))
            .max(columns / 4);
        let label = longest.unwrap_or(0).clamp(4, most);
        let left = label + 4;
        Self {
            left,
            room: columns - left,
            above: false,
        }
    }
}

/// A line, where the cursor is on it, and whether it belongs to the field under the focus.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) line: Line<'static>,
    pub(super) cursor: Option<u16>,
    pub(super) focus: bool,
    /// The line that must be seen.
    pub(super) key: bool,
    used: usize,
}

impl Row {
    /// A line that begins with so many spaces.
    pub(super) fn indent(columns: usize) -> Self {
        let mut row = Self::default();
        row.push(" ".repeat(columns), Style::new());
        row
    }

    /// Columns that are taken.
    pub(super) const fn used(&self) -> usize {
        self.used
    }

    /// Appends text of the program.
    pub(super) fn push(&mut self, text: impl Into<String>, style: Style) {
        let text = text.into();
        self.used += width(&text);
        self.line.push_span(Span::styled(text, style));
    }

    /// Appends text of the store, cut to the room there is.
    pub(super) fn store(&mut self, text: &str, style: Style, look: &Look, room: usize) {
        if width(text) > room {
            self.push(fit(text, room), style);
            return;
        }
        for span in spans(text, 0, style, look.mark) {
            self.push(span.content.into_owned(), span.style);
        }
    }

    /// Appends a line being typed, scrolled so that the cursor is in the room there is, with what
    /// it can be completed to behind it.
    pub(super) fn typed(
        &mut self,
        input: &line::Line,
        ghost: Option<&str>,
        look: &Look,
        room: usize,
    ) {
        let text = input.text();
        let before = input.before();
        let after = text.get(before.len()..).unwrap_or_default();
        let room = room.max(2);
        // One column stays free for a cursor behind the text.
        let mut shown = before;
        let mut cut = false;
        let mut wide = width(before);
        let mut graphemes = before.grapheme_indices(true);
        while wide + usize::from(cut) + 1 > room {
            let Some((_, grapheme)) = graphemes.next() else {
                break;
            };
            cut = true;
            wide = wide.saturating_sub(width(grapheme).max(1));
            shown = graphemes.as_str();
        }
        if cut {
            self.push("…", look.quiet);
        }
        self.store(shown, look.text, look, usize::MAX);
        self.cursor = u16::try_from(self.used).ok();
        let left = room.saturating_sub(usize::from(cut) + width(shown));
        self.store(after, look.text, look, left);
        let rest = ghost
            .filter(|_| after.is_empty())
            .and_then(|ghost| ghost.get(text.trim_start().len()..));
        if let Some(rest) = rest {
            self.store(rest, look.quiet, look, left.saturating_sub(1));
        }
        self.key = true;
    }
}

impl Row {
    /// Puts another line in the place of the spaces this one begins with.
    pub(super) fn replace_indent(&mut self, label: Self) {
        let mut own = std::mem::take(&mut self.line).spans;
        if !own.is_empty() {
            own.remove(0);
        }
        self.line = label.line;
        self.line.spans.extend(own);
    }
}
