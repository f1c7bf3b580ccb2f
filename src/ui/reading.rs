//! The reading pane: what a memory says of itself, its fields as a table, its text rendered, with
//! what was found underlined where it stands.

use std::ops::Range;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::markdown;
use super::pen::{Lines, columns, limit};
use super::sheet::{Sheet, wrap};
use super::theme::{Role, Theme};
use super::{list, safe, words};
use crate::app::Model;
use crate::app::reading::{SHOWN, clip};
use crate::app::text::cut_in;
use crate::lint::{Finding, mask};
use crate::memory::{Memory, Role as Part, State, Value};

/// Lines of a field that is a text; the field editor shows all of it.
const FOLDED: usize = 4;

pub fn page(sheet: &mut Sheet<'_>, model: &Model) {
    let Some(memory) = model.current() else {
        if let Some((id, title)) = model.on_deleted() {
            let open = model.key("open");
            sheet.title = words::plain(title).into_owned();
            sheet.wrapped(Role::Muted, &id.to_string());
            let what = "Deleted since the last commit";
            let text = format!("{what}: {open} shows its text, to accept that or bring it back");
            sheet.wrapped(Role::Text, &text);
        }
        return;
    };
    sheet.title = words::title(memory).into_owned();
    facts(sheet, model, memory);
    fields(sheet, model, memory);
    for (what, line) in &model.reading.beside {
        sheet.wrapped(Role::Muted, &format!("{what}: {line}"));
    }
    super::lint::beside(sheet, model, memory);
    sheet.gap();
    match &model.reading.text {
        None => {}
        Some(Err(why)) => sheet.wrapped(Role::Error, why),
        Some(Ok(_)) => body(sheet, model, memory),
    }
}

/// The first line: which file, who, when; below it why its loader does not see it.
fn facts(sheet: &mut Sheet<'_>, model: &Model, memory: &Memory) {
    let name = memory.path.file_name().unwrap_or_default();
    let mut facts = vec![
        memory.id.store.to_string(),
        name.to_string_lossy().into_owned(),
    ];
    facts.extend(memory.author().map(|author| format!("by {author}")));
    let last = memory.written();
    let confirmed = memory.confirmed.filter(|at| Some(*at) >= last);
    facts.extend(match confirmed {
        Some(at) => Some(format!("confirmed {}", words::ago(at, model.now))),
        None => model.world.written(memory).map(|(then, is_own)| {
            let what = if is_own { "" } else { "changed " };
            let day = is_own && memory.is_day() && then.date() == model.now.date();
            let ago = match day {
                true => "today".to_owned(),
                false => words::ago(then, model.now),
            };
            format!("{what}{ago}")
        }),
    });
    if memory.state == State::Archived {
        facts.push("archived".to_owned());
    }
    let coming = memory.expires.filter(|_| !memory.is_expired(model.now));
    facts.extend(coming.map(|expiry| format!("expires {}", expiry.at.date())));
    sheet.wrapped(Role::Muted, &facts.join(" · "));
    let format = memory.schema.format;
    let hidden = memory.hidden_at(model.now);
    let hidden = hidden.map(|why| match model.inject.injects(&memory.id) {
        true => format!("injected here, but not by {format} itself: {why}"),
        false => format!("∅ Never loaded by {format}: {why}"),
    });
    let read = memory.read_otherwise();
    let read = read.map(|words| format!("≠ its own loader reads {words}"));
    let warning = model.reading.warning.as_ref();
    let warning = warning.map(|warning| format!("! {warning}"));
    for text in [hidden, read, warning].into_iter().flatten() {
        sheet.wrapped(Role::Warning, &text);
    }
    let index = model.current_index().filter(|_| !model.inject.has_text());
    let verdict = index.and_then(|index| model.inject.verdict(index));
    if let Some(hint) = verdict.and_then(|verdict| verdict.hint.as_ref()) {
        sheet.wrapped(Role::Muted, &words::hint(hint));
    }
}

/// The fields, names at the left, one item of a list to a line where it is a list of patterns.
fn fields(sheet: &mut Sheet<'_>, model: &Model, memory: &Memory) {
    let role_of = |name: &str| memory.schema.field(name).map(|spec| spec.role);
    let shown = |(name, value): &(&str, &Value)| {
        // A field without a value only takes the room of the text.
        let empty = *value == &Value::Null || matches!(value, Value::List(all) if all.is_empty());
        !matches!(role_of(name), Some(Part::Title | Part::Author)) && !empty
    };
    // If there is no room for two columns, values stand below their names.
    let stacked = sheet.width < 36;
    let names = memory.fields.iter().filter(shown);
    let label = match names.map(|(name, _)| safe::width(name)).max() {
        Some(label) if !stacked => label.min(sheet.width / 2),
        _ => 0,
    };
    let values = Values {
        theme: sheet.theme,
        model,
        memory,
        room: sheet.width.saturating_sub(label + 2),
    };
    for (name, value) in memory.fields.iter().filter(shown) {
        if stacked {
            sheet.line(Role::Muted, name);
        }
        let mut lead = if stacked { "" } else { name };
        let role = role_of(name).unwrap_or(Part::Plain);
        for spans in values.lines(role, value) {
            let lead = safe::pad(std::mem::take(&mut lead), label) + "  ";
            let mut line = vec![Span::styled(lead, sheet.theme.style(Role::Muted))];
            line.extend(spans);
            sheet.lines.push(Line::from(line));
        }
    }
}

/// The values of the fields of a memory, in so many columns.
struct Values<'a> {
    theme: &'a Theme,
    model: &'a Model,
    memory: &'a Memory,
    room: usize,
}

impl Values<'_> {
    fn lines(&self, role: Part, value: &Value) -> Lines {
        let (theme, room) = (self.theme, self.room);
        let shown = |value: &Value| mask(&value.to_string()).into_owned();
        let text = shown(value);
        let wrapped = |role: Role, text: &str| -> Lines {
            let lines = wrap(&safe::safe(text), room).into_iter();
            lines.map(|line| vec![theme.text(role, &line)]).collect()
        };
        match role {
            Part::Importance => {
                let bar = list::importance(theme, self.memory);
                let bar = Span::styled(bar.content.trim_start().to_owned() + " ", bar.style);
                let word = Span::styled(safe::safe(&text).into_owned(), bar.style);
                vec![vec![bar, word]]
            }
            Part::Tags => {
                let tags = value.items().map(|tag| format!("#{}", shown(tag)));
                let tags: Vec<_> = tags.collect();
                wrapped(Role::Tag, &tags.join(" "))
            }
            Part::Patterns => {
                let items = value.items().map(|item| self.pattern(&shown(item)));
                items.collect()
            }
            Part::Relations => {
                let items = value.items().map(|item| self.related(&shown(item)));
                items.collect()
            }
            Part::Created | Part::Updated => {
                let mut spans = vec![theme.text(Role::Text, &safe::fit(&text, room))];
                self.note(self.finding(&text), &mut spans);
                vec![spans]
            }
            _ => {
                let mut lines = wrapped(Role::Text, &text);
                limit(
                    &mut lines,
                    FOLDED,
                    false,
                    theme.text(Role::Text, " …"),
                    room,
                );
                if let Some(first) = lines.first_mut() {
                    self.note(self.finding(&text), first);
                }
                lines
            }
        }
    }

    /// A pattern, with what matched it and what was found in it.
    fn pattern(&self, text: &str) -> Vec<Span<'static>> {
        let index = self.model.current_index();
        let verdict = index.and_then(|index| self.model.inject.verdict(index));
        let matched = verdict.and_then(|verdict| verdict.matched.as_ref());
        let found = self.finding(text);
        let mut style = self.theme.style(Role::Code);
        if found.is_some() {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let mut spans = vec![Span::styled(safe::fit(text, self.room), style)];
        if matched.is_some_and(|matched| matched.pattern == text) {
            spans.push(self.theme.text(Role::Ok, "  ✓ matches the task"));
        }
        self.note(found, &mut spans);
        spans
    }

    fn related(&self, name: &str) -> Vec<Span<'static>> {
        let (theme, room) = (self.theme, self.room);
        let mut all = self.model.reading.related.iter();
        match all.find(|one| one.name == name).map(|one| &one.memory) {
            Some(Some((_, title))) => {
                let title = &mask(title);
                // An id says little: where there is no room its beginning is enough to tell it.
                let free = room.saturating_sub(safe::width(title) + 2);
                let short = safe::fit(name, free.max(12).min(room));
                let left = room.saturating_sub(safe::width(&short) + 2);
                vec![
                    theme.text(Role::Link, &safe::fit(title, left)),
                    theme.text(Role::Faint, &format!("  {short}")),
                ]
            }
            Some(None) => vec![
                theme.text(Role::Text, &safe::fit(name, room.saturating_sub(14))),
                theme.text(Role::Warning, "  not there"),
            ],
            None => vec![theme.text(Role::Text, &safe::fit(name, room))],
        }
    }

    /// Adds the rule that found something beside a value, or only its mark where there is no room.
    fn note(&self, finding: Option<&Finding>, spans: &mut Vec<Span<'static>>) {
        let left = self.room.saturating_sub(columns(spans));
        spans.extend(finding.map(|finding| {
            let mark = words::mark(finding.severity);
            let text = match finding.rule.len() + 4 > left {
                true => format!(" {mark}"),
                false => format!("  {mark} {}", finding.rule),
            };
            self.theme.text(Role::severity(finding.severity), &text)
        }));
    }

    /// The finding whose place in the text is this value.
    fn finding(&self, value: &str) -> Option<&Finding> {
        let reading = &self.model.reading;
        let text = reading.text()?;
        let is_about = |finding: &&Finding| {
            let place = finding.place.clone();
            let place = place.filter(|place| place.end <= reading.head);
            let place = place.and_then(|place| text.get(place)).unwrap_or_default();
            let place = place.trim_matches(['"', '\'', ' ']);
            !place.is_empty() && value.contains(place)
        };
        let world = &self.model.world;
        world.own_findings(&self.memory.id).find(is_about)
    }
}

fn body(sheet: &mut Sheet<'_>, model: &Model, memory: &Memory) {
    let reading = &model.reading;
    let text = reading.body();
    let rows = sheet.most.saturating_sub(sheet.lines.len()).max(1);
    let rendered = markdown::render(text, sheet.width, sheet.theme, rows, &reading.blocks);
    let places = places(model, memory);
    let rule = cut_in(memory);
    let cut = rule.and_then(|rule| rule.at(text));
    let cut_row = cut.map(|byte| rendered.row_of(byte) + 1);
    for (n, row) in rendered.rows.iter().enumerate() {
        if Some(n) == cut_row {
            let words = "╌╌ in the prompt up to here ";
            let rest = sheet.width.saturating_sub(safe::width(words));
            sheet.line(Role::CutLine, &format!("{words}{}", "╌".repeat(rest)));
        }
        sheet.lines.push(row.marked(&places));
    }
    sheet.more = rendered.more;
    let whole = reading.text().unwrap_or_default();
    let own = whole.len().saturating_sub(reading.head);
    if !sheet.more && own > SHOWN {
        sheet.gap();
        let more = words::number(own - SHOWN);
        let text = format!("{more} more bytes; E opens the file in your editor");
        sheet.wrapped(Role::Muted, &text);
    }
    seen(sheet, model);
    let words = words::count(memory.words as usize, "word", "words");
    let tokens = words::count(memory.tokens as usize, "token", "tokens");
    sheet.foot = format!("{words} · {tokens}");
    if let Some(says) = rule.and_then(|rule| rule.says(whole, reading.head)) {
        sheet.foot.push_str(&format!(" · {says}"));
    }
}

/// The text as its own loader reads it, where that is another one.
fn seen(sheet: &mut Sheet<'_>, model: &Model) {
    let seen = model.reading.seen.as_deref();
    let Some(seen) = seen.filter(|_| !sheet.more) else {
        return;
    };
    sheet.gap();
    sheet.wrapped(Role::Muted, "as its own loader reads it");
    for line in mask(clip(seen, SHOWN)).lines() {
        if sheet.lines.len() >= sheet.most {
            sheet.more = true;
            return;
        }
        sheet.wrapped(Role::Text, line);
    }
}

/// The places of a memory's findings in its body.
fn places(model: &Model, memory: &Memory) -> Vec<(Range<usize>, Style)> {
    let underline = Style::new().add_modifier(Modifier::UNDERLINED);
    let head = model.reading.head;
    let findings = model.world.own_findings(&memory.id);
    let places = findings.filter_map(|finding| finding.place.clone());
    let places = places.filter(|place| place.start >= head && place.end > place.start);
    let marks = places.map(|place| (place.start - head..place.end - head, underline));
    marks.collect()
}
