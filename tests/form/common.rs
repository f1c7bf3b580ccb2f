//! Memories, key strings and screens.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use memkeep::app::Resolved;
use memkeep::app::command::Run;
use memkeep::app::form::{Form, Known, Outcome};
use memkeep::app::key::Key;
use memkeep::app::text::TextEditor;
use memkeep::app::{Keymap, Scope};
use memkeep::memory::format;
use memkeep::memory::{Fields, Memory, MemoryId, Timestamp, Value};
use memkeep::retrieval::Match;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

/// 2026-11-21T09:30:00Z
pub const NOW: Timestamp = Timestamp(1_795_253_400_000);

pub fn list(items: &[&str]) -> Value {
    items.iter().map(|item| Value::from(*item)).collect()
}

pub fn memory(fields: Vec<(&str, Value)>) -> Memory {
    let title = fields
        .iter()
        .find(|(name, _)| *name == "title")
        .and_then(|(_, value)| value.as_str())
        .unwrap_or("untitled")
        .into();
    let id = MemoryId::new(&"rawko".into(), "oauth-too-broad");
    let path = Path::new("/p/.rawko/memories/oauth-too-broad.md");
    Memory {
        title,
        fields: fields.into_iter().collect::<Fields>(),
        ..Memory::new(id, path.into(), format::schema("rawko"))
    }
}

pub fn oauth() -> Memory {
    memory(vec![
        ("title", "OAuth2 Integration Was Too Broad".into()),
        (
            "whenToUse",
            list(&[
                "oauth|social.*auth",
                "considering auth approaches",
                "implement*auth",
            ]),
        ),
        ("tags", list(&["failures", "auth", "scope"])),
        ("importance", "high".into()),
        ("discoveredAt", "2026-11-18T09:12:00Z".into()),
        ("discoveredBy", "developer".into()),
        ("confidence", Value::Int(7)),
        (
            "links",
            Value::Map(Box::new(Fields::from_iter([("a", Value::Int(1))]))),
        ),
    ])
}

pub fn known() -> Known {
    let words = |words: &[&str]| words.iter().map(|word| Box::from(*word)).collect();
    Known {
        tasks: words(&[
            "Add OAuth integration to existing auth system",
            "Implement JWT auth middleware",
            "Fix the flaky login test",
        ]),
        patterns: Some(Arc::new(Reader)),
    }
}

/// Alternatives, wildcards between two parts, and substrings: enough of a matcher to be drawn.
struct Reader;

impl memkeep::app::form::PatternReader for Reader {
    fn find(&self, pattern: &str, task: &str) -> Option<Match> {
        let lower = task.to_lowercase();
        let found = |part: &str, kind| {
            (lower.contains(part) && !part.is_empty()).then(|| Match {
                pattern: pattern.into(),
                kind,
                hit: part.into(),
            })
        };
        if pattern.contains('|') {
            return pattern
                .split('|')
                .find_map(|part| found(part, "alternative"));
        }
        if let Some((first, last)) = pattern.split_once('*') {
            let from = lower.find(first)?;
            let to = from + lower[from..].find(last)? + last.len();
            return found(&lower[from..to], "wildcard");
        }
        found(pattern, "substring")
    }

    fn problems(&self, pattern: &str) -> Vec<String> {
        let regex = pattern.contains('|') && pattern.contains(".*");
        regex
            .then(|| "regex inside alternatives: `.*` is literal here".to_owned())
            .into_iter()
            .collect()
    }
}

/// Takes a key string apart: `<tab>`, `<c-s>`, `<s-tab>`, `<a-up>`; everything else is itself.
pub fn keys(text: &str) -> Vec<KeyEvent> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let named = rest
            .strip_prefix('<')
            .and_then(|inner| inner.split_once('>'))
            .and_then(|(name, after)| Some((named(name)?, after)));
        match named {
            Some((key, after)) => {
                keys.push(key);
                rest = after;
            }
            None => {
                keys.push(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    keys
}

fn named(name: &str) -> Option<KeyEvent> {
    let (modifiers, name) = match name.split_once('-') {
        Some(("c", name)) => (KeyModifiers::CONTROL, name),
        Some(("a", name)) => (KeyModifiers::ALT, name),
        Some(("s", name)) => (KeyModifiers::SHIFT, name),
        _ => (KeyModifiers::NONE, name),
    };
    let code = match name {
        "tab" if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        "tab" => KeyCode::Tab,
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "bs" => KeyCode::Backspace,
        "del" => KeyCode::Delete,
        "lt" => KeyCode::Char('<'),
        one if one.chars().count() == 1 => KeyCode::Char(one.chars().next()?),
        _ => return None,
    };
    Some(KeyEvent::new(code, modifiers))
}

/// Sends keys to a form and answers with what the last one did.
pub fn send(form: &mut Form, text: &str) -> Outcome {
    keys(text)
        .into_iter()
        .fold(Outcome::Nothing, |_, key| press(form, key))
}

/// The commands of a form and of a text that a key stands for.
type Acts = (fn(&mut Form) -> Outcome, fn(&mut TextEditor) -> Outcome);

/// The command that a key stands for in the innermost of some scopes, else the key.
fn meaning(scopes: &[Scope], event: KeyEvent) -> Result<Acts, Key> {
    static KEYMAP: LazyLock<Keymap> = LazyLock::new(Keymap::default);
    let key = Key::from(event);
    match KEYMAP.resolve(scopes, &[key]) {
        Resolved::Run(command) => match command.run {
            Run::Edit(form, text) => Ok((form, text)),
            Run::Do(_) => panic!("{} is no command of a part that is edited", command.id),
        },
        _ => Err(key),
    }
}

/// Sends a key to a form.
pub fn press(form: &mut Form, key: KeyEvent) -> Outcome {
    match meaning(form.keys().0, key) {
        Ok((act, _)) => form.act(act),
        Err(key) => form.typed(key),
    }
}

/// Sends a key to a text.
pub fn press_text(editor: &mut TextEditor, key: KeyEvent) -> Outcome {
    match meaning(editor.keys().0, key) {
        Ok((_, act)) => editor.act(act),
        Err(key) => editor.typed(key),
    }
}

/// A screen as text: the cursor as a line under it, then every run of cells that has a style.
pub fn screen(
    width: u16,
    height: u16,
    draw: impl FnOnce(Rect, &mut Buffer) -> Option<Position>,
) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    let cursor = draw(area, &mut buf);
    let mut out = String::new();
    let mut styles = String::new();
    for y in 0..height {
        let mut line = String::new();
        let mut runs: Vec<(Style, String)> = Vec::new();
        let mut skip = 0;
        for x in 0..width {
            let cell = &buf[(x, y)];
            if skip > 0 {
                skip -= 1;
                continue;
            }
            line.push_str(cell.symbol());
            skip = unicode_width::UnicodeWidthStr::width(cell.symbol()).saturating_sub(1);
            let style = Style::new()
                .fg(cell.fg)
                .bg(cell.bg)
                .add_modifier(cell.modifier);
            match runs.last_mut() {
                Some((last, text)) if *last == style => text.push_str(cell.symbol()),
                _ => runs.push((style, cell.symbol().into())),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
        let named: Vec<String> = runs
            .iter()
            .filter(|(_, text)| !text.trim().is_empty())
            .filter_map(|(style, text)| Some(format!("{} {:?}", name(*style)?, text.trim())))
            .collect();
        if !named.is_empty() {
            styles.push_str(&format!("{y:>2}: {}\n", named.join(", ")));
        }
    }
    let cursor = cursor.map_or("none".to_owned(), |at| format!("{},{}", at.x, at.y));
    let out = out.trim_end();
    format!("{out}\n~~~ cursor {cursor}\n{styles}")
}

fn name(style: Style) -> Option<String> {
    let mut parts = Vec::new();
    match style.fg {
        Some(Color::Reset) | None => {}
        Some(color) => parts.push(color.to_string().to_lowercase()),
    }
    if style.bg.is_some_and(|bg| bg != Color::Reset) {
        parts.push(format!("on-{}", style.bg.unwrap_or_default()).to_lowercase());
    }
    for (modifier, word) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underlined"),
        (Modifier::REVERSED, "reversed"),
        (Modifier::CROSSED_OUT, "crossed-out"),
    ] {
        if style.add_modifier.contains(modifier) {
            parts.push(word.into());
        }
    }
    (!parts.is_empty()).then(|| parts.join("+"))
}
