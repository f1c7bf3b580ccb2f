//! From the events of the Markdown reader to rows.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use ratatui::style::{Modifier, Style};

use super::blocks::{Code, Table};
use super::{Colours, Part, Rendered, Row, columns, join, push, wrap};
use crate::ui::safe;
use crate::ui::theme::{Role, Theme};

/// The prefix of everything inside a quote or an item of a list.
struct Frame {
    /// The sign of a quote, on each row; else a marker, and below it as much space.
    text: String,
    is_quote: bool,
    /// True once the marker was drawn.
    drawn: bool,
}

pub(super) struct Writer<'a> {
    source: &'a str,
    width: usize,
    theme: &'a Theme,
    most: usize,
    colours: &'a Colours,
    rendered: Rendered,
    frames: Vec<Frame>,
    /// The lists that are open: the next number, or none for bullets.
    lists: Vec<Option<u64>>,
    styles: Vec<Style>,
    runs: Vec<Part>,
    /// The links that are open: the address, and the runs before it.
    links: Vec<(String, usize)>,
    code: Option<Code>,
    /// Number of blocks of code so far.
    blocks: usize,
    table: Option<Table>,
    html: bool,
    /// True if an empty row belongs before the next block.
    gap: bool,
    /// The byte of the source that was shown last.
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
            rendered: Rendered::default(),
            frames: Vec::new(),
            lists: Vec::new(),
            styles: vec![theme.style(Role::Text)],
            runs: Vec::new(),
            links: Vec::new(),
            code: None,
            blocks: 0,
            table: None,
            html: false,
            gap: false,
            at: 0,
        }
    }

    /// True if there are more rows than were asked for.
    pub const fn full(&self) -> bool {
        self.rendered.rows.len() > self.most
    }

    pub fn finish(mut self) -> Rendered {
        self.flush();
        self.rendered.more = self.full();
        self.rendered.rows.truncate(self.most);
        self.rendered
    }

    pub fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let style = self.style();
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(tag) => self.end(tag, &range),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push(&text, &range),
                None => self.run(&text, style, range),
            },
            Event::Code(text) => {
                // Between its backticks.
                let whole = self.source.get(range.clone()).unwrap_or_default();
                let at = whole.find(&*text).map(|at| range.start + at);
                let place = at.map_or(range, |at| at..at + text.len());
                self.run(&text, style.patch(self.theme.style(Role::Code)), place);
            }
            Event::Html(text) | Event::InlineHtml(text) => self.markup(&text, range),
            Event::SoftBreak => self.run(" ", style, range),
            Event::HardBreak => self.break_row(range.start),
            Event::Rule => {
                let border = self.theme.style(Role::Border);
                let line = "─".repeat(self.room());
                self.begin();
                self.row(vec![Part::new(line, border, Some(range))]);
                self.gap = true;
            }
            Event::TaskListMarker(done) => {
                if let Some(frame) = self.frames.last_mut().filter(|frame| !frame.is_quote) {
                    frame.text = if done { " ☑ " } else { " ☐ " }.to_owned();
                }
            }
            // Mathematics and footnotes are not read: their signs are text.
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        let style = self.style();
        match tag {
            Tag::Heading { level, .. } => self.styles.push(self.theme.style(match level {
                HeadingLevel::H1 => Role::Heading1,
                HeadingLevel::H2 => Role::Heading2,
                _ => Role::Heading3,
            })),
            Tag::BlockQuote(_) => {
                self.open("▌ ".to_owned(), true);
                self.styles.push(self.theme.style(Role::Quote));
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.code = Some(Code::new(match &kind {
                    CodeBlockKind::Fenced(info) => info,
                    CodeBlockKind::Indented => "",
                }));
                self.at = range.start;
            }
            Tag::HtmlBlock => self.html = true,
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                let bullet = [" ▪ ", " • ", " ◦ "].get(self.lists.len() % 3);
                let mut marker = bullet.copied().unwrap_or_default().to_owned();
                if let Some(Some(number)) = self.lists.last_mut() {
                    marker = format!("{number:>2}. ");
                    *number = number.saturating_add(1);
                }
                self.open(marker, false);
            }
            Tag::Table(alignments) => {
                self.flush();
                let rows = Vec::new();
                self.table = Some(Table { alignments, rows });
            }
            Tag::TableHead | Tag::TableRow => {
                if matches!(tag, Tag::TableHead) {
                    self.styles.push(style.add_modifier(Modifier::BOLD));
                }
                self.runs.clear();
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
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
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                (self.html, self.gap) = (false, true);
            }
            TagEnd::Heading(level) => {
                self.flush();
                self.styles.pop();
                self.gap = level == HeadingLevel::H1;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.frames.pop();
                self.styles.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.code_ends(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.gap |= self.lists.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                if self.frames.last().is_some_and(|frame| !frame.drawn) {
                    self.begin();
                    self.row(Vec::new());
                }
                self.frames.pop();
            }
            TagEnd::Table => {
                let table = self.table.take().unwrap_or_default();
                self.begin();
                for parts in table.rows(self.room(), self.theme.style(Role::Border)) {
                    self.row(parts);
                }
                self.gap = true;
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.runs);
                let row = self.table.as_mut().and_then(|table| table.rows.last_mut());
                if let Some(row) = row {
                    row.push(cell);
                }
            }
            TagEnd::TableHead | TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => self.link_ends(range.end),
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn run(&mut self, text: &str, style: Style, source: Range<usize>) {
        push(&mut self.runs, text, style, &source);
    }

    fn break_row(&mut self, at: usize) {
        let end = Part::new("\n".to_owned(), Style::new(), Some(at..at));
        self.runs.push(end);
    }

    /// HTML is shown, comments too: agents are told things in them.
    fn markup(&mut self, text: &str, range: Range<usize>) {
        let style = self.theme.style(Role::Faint);
        if !self.html {
            return self.run(text, style, range);
        }
        let mut at = range.start;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            if !self.runs.is_empty() {
                self.break_row(at);
            }
            self.run(shown, style, at..at + shown.len());
            at += line.len();
        }
    }

    /// Shows the address of a link behind its text, where that is another one.
    fn link_ends(&mut self, end: usize) {
        self.styles.pop();
        let Some((url, from)) = self.links.pop() else {
            return;
        };
        let shown = self.runs.iter().skip(from).map(|run| run.text.as_str());
        if shown.collect::<String>() != url && !url.is_empty() {
            let style = self.theme.style(Role::Faint);
            self.run(&format!(" ({url})"), style, end.saturating_sub(1)..end);
        }
    }

    fn code_ends(&mut self) {
        let Some(code) = self.code.take() else {
            return;
        };
        self.begin();
        let room = self.room();
        if !code.language.is_empty() {
            let faint = self.theme.style(Role::Faint);
            let language = safe::fit(&code.language, room);
            self.row(vec![Part::new(language, faint, None)]);
        }
        let plain = self.theme.style(Role::CodeBlock);
        let colours = self.colours.get(self.blocks);
        for runs in code.lines(self.theme, colours) {
            if self.full() {
                break;
            }
            let left = self.most.saturating_sub(self.rendered.rows.len()) + 1;
            for mut parts in wrap(&runs, room, left) {
                let blank = " ".repeat(room.saturating_sub(columns(&parts)));
                join(&mut parts, &blank, plain, None);
                self.row(parts);
            }
        }
        self.blocks += 1;
        self.gap = true;
    }

    fn flush(&mut self) {
        if self.table.is_some() || self.runs.is_empty() {
            return;
        }
        let runs = std::mem::take(&mut self.runs);
        self.begin();
        let left = self.most.saturating_sub(self.rendered.rows.len()) + 1;
        for parts in wrap(&runs, self.room(), left) {
            self.row(parts);
        }
    }

    /// Something with a frame of its own begins: the empty row before it stands outside.
    fn open(&mut self, text: String, is_quote: bool) {
        self.flush();
        if self.gap {
            self.begin();
        }
        self.frames.push(Frame {
            text,
            is_quote,
            drawn: is_quote,
        });
    }

    /// A block begins: an empty row before it, where one belongs there.
    fn begin(&mut self) {
        if self.gap && !self.rendered.rows.is_empty() {
            let parts = self.frame(false);
            self.rendered.rows.push(Row {
                parts,
                source: self.at,
            });
        }
        self.gap = false;
    }

    fn row(&mut self, parts: Vec<Part>) {
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
        self.rendered.rows.push(row);
    }

    /// The frames that there is no room for, and the columns of the others: half of the width at most
    /// is theirs, the innermost first.
    fn framed(&self) -> (usize, usize) {
        let (mut skip, mut used) = (self.frames.len(), 0);
        for frame in self.frames.iter().rev() {
            let next = used + safe::width(&frame.text);
            if next > self.width / 2 {
                break;
            }
            (skip, used) = (skip - 1, next);
        }
        (skip, used)
    }

    fn room(&self) -> usize {
        self.width.saturating_sub(self.framed().1).max(1)
    }

    /// The prefix of a row; a `first` row shows the markers of its items.
    fn frame(&mut self, first: bool) -> Vec<Part> {
        let (skip, _) = self.framed();
        let mut parts = Vec::new();
        for frame in self.frames.iter_mut().skip(skip) {
            if frame.is_quote {
                let border = self.theme.style(Role::Border);
                join(&mut parts, &frame.text, border, None);
            } else if first && !frame.drawn {
                frame.drawn = true;
                join(&mut parts, &frame.text, self.theme.style(Role::Muted), None);
            } else {
                let space = " ".repeat(safe::width(&frame.text));
                join(&mut parts, &space, Style::new(), None);
            }
        }
        parts
    }
}
