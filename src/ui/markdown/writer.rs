//! From the events of the Markdown reader to rows.

mod code;
mod layout;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use ratatui::style::{Modifier, Style};

use self::code::{Code, language};
use self::layout::Frame;
use super::table::Table;
use super::wrap::{Run, join};
use super::{CodeBlock, Colours, Rendered, Row};
use crate::ui::safe;
use crate::ui::theme::{Role, Theme};

pub(super) struct Writer<'a> {
    source: &'a str,
    width: usize,
    theme: &'a Theme,
    most: usize,
    colours: &'a Colours,
    rows: Vec<Row>,
    blocks: Vec<CodeBlock>,
    frames: Vec<Frame>,
    /// The lists that are open: the next number, or none for bullets.
    lists: Vec<Option<u64>>,
    styles: Vec<Style>,
    runs: Vec<Run>,
    links: Vec<(String, usize)>,
    heading: Option<HeadingLevel>,
    code: Option<Code>,
    table: Option<Table>,
    html: bool,
    gap: bool,
    at: usize,
}

impl<'a> Writer<'a> {
    pub fn new(
        source: &'a str,
        width: usize,
        theme: &'a Theme,
        most: usize,
        colours: &'a Colours,
    ) -> Self {
        Self {
            source,
            width: width.max(1),
            theme,
            most,
            colours,
            rows: Vec::new(),
            blocks: Vec::new(),
            frames: Vec::new(),
            lists: Vec::new(),
            styles: vec![theme.style(Role::Text)],
            runs: Vec::new(),
            links: Vec::new(),
            heading: None,
            code: None,
            table: None,
            html: false,
            gap: false,
            at: 0,
        }
    }

    /// True if there are as many rows as were asked for.
    pub const fn full(&self) -> bool {
        self.rows.len() > self.most
    }

    pub fn finish(mut self) -> Rendered {
        self.flush();
        let more = self.full();
        self.rows.truncate(self.most);
        Rendered {
            rows: self.rows,
            blocks: self.blocks,
            more,
        }
    }

    pub fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(tag) => self.end(tag, &range),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push(&text, &range),
                None => self.run(&text, self.style(), range),
            },
            Event::Code(text) => {
                let style = self.style().patch(self.theme.style(Role::Code));
                let at = inside(self.source, &range, &text);
                self.run(&text, style, at);
            }
            Event::Html(text) | Event::InlineHtml(text) => self.markup(&text, &range),
            Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.run(&text, self.style(), range);
            }
            Event::FootnoteReference(name) => {
                let style = self.theme.style(Role::Link);
                self.run(&format!("[{name}]"), style, range);
            }
            Event::SoftBreak => self.run(" ", self.style(), range),
            Event::HardBreak => self.run("\n", self.style(), range),
            Event::Rule => {
                let text = "─".repeat(self.room());
                let mut parts = Vec::new();
                join(
                    &mut parts,
                    &text,
                    self.theme.style(Role::Border),
                    Some(range),
                );
                self.begin();
                self.row(parts);
                self.gap = true;
            }
            Event::TaskListMarker(done) => {
                if let Some(Frame::Item { marker, .. }) = self.frames.last_mut() {
                    *marker = if done { " ☑ " } else { " ☐ " }.to_owned();
                }
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        let style = self.style();
        match tag {
            Tag::Heading { level, .. } => {
                self.heading = Some(level);
                let role = match level {
                    HeadingLevel::H1 => Role::Heading1,
                    HeadingLevel::H2 => Role::Heading2,
                    _ => Role::Heading3,
                };
                self.styles.push(self.theme.style(role));
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.separate();
                self.frames.push(Frame::Quote);
                self.styles.push(self.theme.style(Role::Quote));
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.code = Some(Code {
                    language: match kind {
                        CodeBlockKind::Fenced(info) => language(&info),
                        CodeBlockKind::Indented => String::new(),
                    },
                    ..Code::default()
                });
                self.at = range.start;
            }
            Tag::HtmlBlock => self.html = true,
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::FootnoteDefinition(name) => {
                self.separate();
                self.frames.push(Frame::Item {
                    marker: format!("[{}] ", safe::fit(&name, 12)),
                    drawn: false,
                });
            }
            Tag::Table(alignments) => {
                self.flush();
                self.table = Some(Table {
                    alignments,
                    rows: Vec::new(),
                });
            }
            Tag::TableHead => {
                self.styles.push(style.add_modifier(Modifier::BOLD));
                self.table_row();
            }
            Tag::TableRow => self.table_row(),
            Tag::Emphasis => self.styles.push(style.add_modifier(Modifier::ITALIC)),
            Tag::Strong => self.styles.push(style.add_modifier(Modifier::BOLD)),
            Tag::Strikethrough => self.styles.push(style.add_modifier(Modifier::CROSSED_OUT)),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.styles.push(style.patch(self.theme.style(Role::Link)));
                self.links.push((dest_url.into_string(), self.runs.len()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Paragraph => {
                self.flush();
                self.gap = true;
            }
            TagEnd::Heading(level) => {
                self.heading_ends(level);
                self.styles.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.frames.pop();
                self.styles.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.code_ends(),
            TagEnd::HtmlBlock => {
                self.flush();
                self.html = false;
                self.gap = true;
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.gap |= self.lists.is_empty();
            }
            TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.flush();
                if matches!(self.frames.last(), Some(Frame::Item { drawn: false, .. })) {
                    self.begin();
                    self.row(Vec::new());
                }
                self.frames.pop();
            }
            TagEnd::Table => self.table_ends(),
            TagEnd::TableHead => {
                self.styles.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.runs);
                let row = self.table.as_mut().and_then(|table| table.rows.last_mut());
                if let Some(row) = row {
                    row.push(cell);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => self.link_ends(range),
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn run(&mut self, text: &str, style: Style, source: Range<usize>) {
        self.runs.push(Run {
            text: text.to_owned(),
            style,
            source,
        });
    }

    /// HTML is shown, comments too: agents are told things in them.
    fn markup(&mut self, text: &str, range: &Range<usize>) {
        let style = self.theme.style(Role::Faint);
        if !self.html {
            return self.run(text, style, range.clone());
        }
        let mut at = range.start;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            if !self.runs.is_empty() {
                self.run("\n", style, at..at);
            }
            self.run(shown, style, at..at + shown.len());
            at += line.len();
        }
    }

    fn item(&mut self) {
        self.flush();
        self.separate();
        let depth = self.lists.len();
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number:>2}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => match depth % 3 {
                1 => " • ",
                2 => " ◦ ",
                _ => " ▪ ",
            }
            .to_owned(),
        };
        self.frames.push(Frame::Item {
            marker,
            drawn: false,
        });
    }

    fn link_ends(&mut self, range: &Range<usize>) {
        self.styles.pop();
        let Some((url, from)) = self.links.pop() else {
            return;
        };
        let shown: String = self
            .runs
            .iter()
            .skip(from)
            .map(|run| run.text.as_str())
            .collect();
        if shown != url && !url.is_empty() {
            let style = self.theme.style(Role::Faint);
            let at = range.end.saturating_sub(1)..range.end;
            self.run(&format!(" ({url})"), style, at);
        }
    }

    fn table_row(&mut self) {
        self.runs.clear();
        if let Some(table) = &mut self.table {
            table.rows.push(Vec::new());
        }
    }

    fn table_ends(&mut self) {
        let Some(table) = self.table.take() else {
            return;
        };
        self.begin();
        for parts in table.rows(self.room(), self.theme.style(Role::Border)) {
            self.row(parts);
        }
        self.gap = true;
    }

    fn heading_ends(&mut self, level: HeadingLevel) {
        let first = self.rows.len();
        let style = self.style();
        self.flush();
        self.heading = None;
        let rule = match level {
            HeadingLevel::H1 => "═",
            HeadingLevel::H2 => "─",
            _ => "",
        };
        if !rule.is_empty() {
            let frame = self.frame_width();
            let wide = |row: &Row| row.parts.iter().map(|part| safe::width(&part.text)).sum();
            let widest: usize = self.rows.iter().skip(first).map(wide).max().unwrap_or(0);
            let mut parts = Vec::new();
            let line = rule.repeat(widest.saturating_sub(frame));
            join(&mut parts, &line, style, None);
            self.row(parts);
        }
        self.gap = false;
    }
}

/// The range of the text of a code span between its backticks.
fn inside(source: &str, range: &Range<usize>, text: &str) -> Range<usize> {
    let whole = source.get(range.clone()).unwrap_or_default();
    match whole.find(text) {
        Some(at) => range.start + at..range.start + at + text.len(),
        None => range.clone(),
    }
}
