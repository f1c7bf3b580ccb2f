//! Rows, and what stands at the left of them: quotes, list markers.

use ratatui::style::Style;

use super::super::wrap::{self, join};
use super::super::{Part, Row};
use super::Writer;
use crate::ui::safe;
use crate::ui::theme::Role;

/// The prefix of everything inside.
#[derive(Debug)]
pub(super) enum Frame {
    Quote,
    /// A list item or footnote: a marker on its first row, as much space on the others.
    Item {
        marker: String,
        drawn: bool,
    },
}

impl Writer<'_> {
    /// Lays out the text that was gathered.
    pub(super) fn flush(&mut self) {
        if self.table.is_some() || self.runs.is_empty() {
            return;
        }
        let runs = std::mem::take(&mut self.runs);
        self.begin();
        let left = self.most.saturating_sub(self.rows.len()) + 1;
        for parts in wrap::wrap(&runs, self.room(), left) {
            self.row(parts);
        }
    }

    /// Something with a frame of its own begins: the empty row before it stands outside.
    pub(super) fn separate(&mut self) {
        if self.gap {
            self.begin();
        }
    }

    /// A block begins: an empty row before it, where one belongs there.
    pub(super) fn begin(&mut self) {
        if self.gap && !self.rows.is_empty() {
            let row = Row {
                parts: self.frame(false),
                source: self.at,
            };
            self.rows.push(row);
        }
        self.gap = false;
    }

    pub(super) fn row(&mut self, parts: Vec<Part>) {
        if let Some(source) = parts.iter().find_map(|part| part.source.as_ref()) {
            self.at = source.start.max(self.at);
        }
        let mut row = Row {
            parts: self.frame(true),
            source: self.at,
        };
        for part in parts {
            join(&mut row.parts, &part.text, part.style, part.source);
        }
        self.rows.push(row);
    }

    /// Frames that there is room for: half of the width at most is theirs, the innermost first.
    pub(super) fn framed(&self) -> usize {
        let mut used = 0;
        let fits = |frame: &&Frame| {
            used += frame.width();
            used <= self.width / 2
        };
        self.frames.iter().rev().take_while(fits).count()
    }

    pub(super) fn frame_width(&self) -> usize {
        let skip = self.frames.len() - self.framed();
        self.frames.iter().skip(skip).map(Frame::width).sum()
    }

    pub(super) fn room(&self) -> usize {
        self.width.saturating_sub(self.frame_width()).max(1)
    }

    /// The prefix of a row; a `first` row shows the markers of its items.
    pub(super) fn frame(&mut self, first: bool) -> Vec<Part> {
        let skip = self.frames.len() - self.framed();
        let (quote, text) = (
            self.theme.style(Role::Border),
            self.theme.style(Role::Muted),
        );
        let mut parts = Vec::new();
        for frame in self.frames.iter_mut().skip(skip) {
            match frame {
                Frame::Quote => join(&mut parts, "▌ ", quote, None),
                Frame::Item { marker, drawn } if first && !*drawn => {
                    *drawn = true;
                    join(&mut parts, marker, text, None);
                }
                Frame::Item { marker, .. } => {
                    let space = " ".repeat(safe::width(marker));
                    join(&mut parts, &space, Style::new(), None);
                }
            }
        }
        parts
    }
}

impl Frame {
    fn width(&self) -> usize {
        match self {
            Self::Quote => 2,
            Self::Item { marker, .. } => safe::width(marker),
        }
    }
}
