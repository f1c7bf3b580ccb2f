//! The part of a memory's text that rules look at, and the texts beside it.

use super::Look;
use crate::memory::Value;
use crate::memory::steps::step;

/// The texts of fields, a line each.
struct FieldTexts<'a> {
    /// A text of which they may be a part.
    known: &'a str,
    /// How many of them are still looked for in it; the rest is taken for texts of their own.
    searches: usize,
    lines: String,
}

impl FieldTexts<'_> {
    /// Adds the texts in a value that are no part of the known text.
    fn add(&mut self, name: &str, value: &Value) {
        match value {
            Value::Text(text) => {
                let searched = self.searches > 0;
                self.searches = self.searches.saturating_sub(1);
                step(if searched { self.known.len() } else { 1 });
                if !(searched && self.known.contains(text.as_str())) {
                    self.lines.extend([name, ": ", text, "\n"]);
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.add(name, item)),
            Value::Map(fields) => fields
                .iter()
                .for_each(|(name, value)| self.add(name, value)),
            _ => {}
        }
    }
}

/// Bytes of a memory that rules look at; more would be no memory but a file that was put there.
const MOST_READ: usize = 5_000_000;

/// The part of a text that rules look at: of a long one the first lines.
pub(in crate::lint) fn first_part(text: &str) -> &str {
    if text.len() <= MOST_READ {
        return text;
    }
    let part = crate::lint::chars::cut(text, MOST_READ);
    let end = part.rfind('\n').map_or(part.len(), |end| end + 1);
    part.get(..end).unwrap_or(part)
}

impl Look<'_> {
    /// The texts of the fields with their names, a line each, where a format keeps them beside the
    /// text; without those that the text has too. Empty where the text is all of the memory.
    pub(in crate::lint) fn fields_beside_text(&self) -> String {
        const SEARCHES: usize = 256;
        let mut texts = FieldTexts {
            known: self.text,
            searches: SEARCHES,
            lines: String::new(),
        };
        if self.body() == (0, self.text) {
            for (name, value) in self.memory.fields.iter() {
                texts.add(name, value);
            }
        }
        texts.lines
    }
}
