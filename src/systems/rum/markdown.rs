//! The layers as Markdown: the body of a memory, each layer a heading with its members.

use serde_json::Value as Json;

use super::LAYERS;
use super::layers::{Layers, items, text};

/// Stands in the place of a layer that was not recorded.
const NOTHING: &str = "*not recorded*";

#[derive(Default)]
struct Page(String);

impl Page {
    fn block(&mut self, text: &str) {
        if !self.0.is_empty() {
            self.0.push_str("\n\n");
        }
        self.0.push_str(text.trim());
    }

    fn lines(&mut self, lines: impl IntoIterator<Item = String>) {
        self.0.push('\n');
        for line in lines {
            self.0.push_str("\n- ");
            self.0.push_str(&line.trim().replace('\n', "\n  "));
        }
    }

    fn layer(&mut self, heading: &str, layer: &Json) {
        self.block(&format!("## {heading}"));
        match layer {
            Json::Object(members) => {
                for (name, value) in members {
                    self.member(name, value);
                }
            }
            Json::Array(items) if !items.is_empty() => self.lines(items.iter().map(shown)),
            Json::Null | Json::Array(_) => self.block(NOTHING),
            other => self.block(&shown(other)),
        }
    }

    fn member(&mut self, name: &str, value: &Json) {
        match value {
            Json::Array(items) if items.is_empty() => {}
            Json::Array(_) | Json::Object(_) => {
                self.block(&format!("**{name}**"));
                self.lines(items(value).iter().map(shown));
            }
            value if text(value).is_some() => {
                self.block(&format!("**{name}:** {}", shown(value).trim()));
            }
            _ => {}
        }
    }

    fn finish(mut self) -> String {
        self.0.push('\n');
        self.0
    }
}

/// A text as it is, anything else as YAML.
fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => serde_yaml::to_string(other).unwrap_or_else(|_| other.to_string()),
    }
}

/// The body of a memory: its five layers.
pub fn memory(layers: &Layers) -> String {
    let mut page = Page(String::with_capacity(1024));
    for (column, layer) in LAYERS.iter().zip(&layers.0) {
        page.layer(&heading(column), layer);
    }
    page.finish()
}

/// The heading of a column: `best_practices` is "Best practices".
fn heading(column: &str) -> String {
    let (first, rest) = column.split_at(1);
    format!("{}{}", first.to_uppercase(), rest.replace('_', " "))
}

/// Replaces the names of members and the mark of a missing layer by blanks: what an agent wrote
/// stands where it stood.
pub fn written(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for line in page.split_inclusive('\n') {
        let frame = match line.trim_end() {
            NOTHING => NOTHING.len(),
            own => name(own).unwrap_or_default(),
        };
        out.extend(std::iter::repeat_n(' ', frame));
        out.push_str(line.get(frame..).unwrap_or_default());
    }
    out
}

/// Length of the name that a line begins with: `**context:** …`, `**learnings**`.
fn name(line: &str) -> Option<usize> {
    const MARK: &str = "**";
    let rest = line.strip_prefix(MARK)?;
    let end = rest.find(MARK)?;
    let (name, after) = (rest.get(..end)?, rest.get(end + MARK.len()..)?);
    let names = after.is_empty() || (name.ends_with(':') && after.starts_with(' '));
    names.then_some(end + 2 * MARK.len())
}

/// The body of a chapter or of wisdom: its summary and its lists.
pub fn unit(summary: &str, lists: &[(&str, Vec<String>)]) -> String {
    let mut page = Page::default();
    if !summary.trim().is_empty() {
        page.block(summary);
    }
    for (name, lines) in lists {
        if !lines.is_empty() {
            page.block(&format!("## {}", heading(name)));
            page.lines(lines.clone());
        }
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_blank_and_the_rest_stays_in_its_place() {
        let layer = |json: &str| serde_json::from_str(json).unwrap();
        let layers = Layers([
            layer(r#"{"goal": "Mend the lamp", "task_type": "bug_fix", "hour": "late"}"#),
            layer("null"),
            layer(r#"{"approach_chosen": "**New** wire", "risks_identified": ["rain"]}"#),
            layer("null"),
            layer(r#"{"success": true, "summary": "It burns — again"}"#),
        ]);
        let page = memory(&layers);
        let left = written(&page);
        assert_eq!(left.len(), page.len());
        let lines = left.lines().map(str::trim);
        let said = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let said = said.collect::<Vec<_>>().join("|");
        let wanted = "Mend the lamp|bug_fix|late|**New** wire|- rain|true|It burns — again";
        assert_eq!(said, wanted);
        let at = page.find("It burns").unwrap();
        assert!(left[at..].starts_with("It burns"));
    }
}
