//! A line of the form while it is put together.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::line;
use crate::ui::pen::columns;
use crate::ui::safe::{fit, spans, width};
use crate::ui::sheet::wrap;
use crate::ui::theme::Look;

/// A line, where the cursor is on it, and whether it belongs to the field under the focus.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) line: Line<'static>,
    pub(super) cursor: Option<u16>,
    pub(super) focus: bool,
    /// True if the line must be seen.
    pub(super) key: bool,
}

impl Row {
    /// A line that begins with so many spaces.
    pub(super) fn indent(columns: usize) -> Self {
        let mut row = Self::default();
        row.push(" ".repeat(columns), Style::new());
        row
    }

    /// A text on as many lines as it takes, each begun with so many spaces.
    pub(super) fn wrapped(
        indent: usize,
        room: usize,
        text: &str,
        style: Style,
        look: &Look,
    ) -> Vec<Self> {
        let row = |line: String| {
            let mut row = Self::indent(indent);
            row.store(&line, style, look, room);
            row
        };
        wrap(text, room).into_iter().map(row).collect()
    }

    /// Columns that are taken.
    pub(super) fn used(&self) -> usize {
        columns(&self.line.spans)
    }

    /// Appends text of the program.
    pub(super) fn push(&mut self, text: impl Into<String>, style: Style) {
        self.line.push_span(Span::styled(text.into(), style));
    }

    /// Appends text of the store, cut to the room there is.
    pub(super) fn store(&mut self, text: &str, style: Style, look: &Look, room: usize) {
        if width(text) > room {
            return self.push(fit(text, room), style);
        }
        for span in spans(text, 0, style, look.mark) {
            self.push(span.content, span.style);
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
        let (text, before) = (input.text(), input.before());
        let after = text.get(before.len()..).unwrap_or_default();
        let room = room.max(2);
        // One column stays free for a cursor behind the text.
        let mut shown = before;
        let mut cut = false;
        let mut wide = width(before);
        let mut graphemes = before.graphemes(true);
        while wide + usize::from(cut) + 1 > room {
            let Some(grapheme) = graphemes.next() else {
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
        self.cursor = u16::try_from(self.used()).ok();
        let left = room.saturating_sub(usize::from(cut) + width(shown));
        self.store(after, look.text, look, left);
        let rest = ghost.filter(|_| after.is_empty());
        if let Some(rest) = rest.and_then(|ghost| ghost.get(text.trim_start().len()..)) {
            self.store(rest, look.quiet, look, left.saturating_sub(1));
        }
        self.key = true;
    }
}
