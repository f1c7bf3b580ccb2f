//! Negative memories: they say what does not work or must not be done.

use crate::memory::{Memory, Role, Value, first_sentence};
use crate::text::stance::cautions;

/// True if a body warns in the headings that it begins with, or in the first sentence of prose
/// behind them: the first of several items says little about the others.
fn begins_with_one(body: &str) -> bool {
    let lines = body.lines().map(str::trim).take(30);
    let lines = lines.filter(|line| !line.is_empty());
    let mut is_open = true;
    let mut first = lines.take_while(|line| std::mem::replace(&mut is_open, line.starts_with('#')));
    let is_item = |c: char| c.is_ascii_digit() || "|`<-+[".contains(c);
    first.any(|line| {
        let is_prose = !line.starts_with(is_item) && !line.starts_with("* ");
        is_prose && line.split(". ").next().is_some_and(cautions)
    })
}

impl Memory {
    /// The same, negative if its title, type, tags, switches or beginning say so.
    pub(crate) fn with_caution(mut self, body: &[u8]) -> Self {
        let kinds = [Role::Type, Role::Tags].into_iter();
        let kinds = kinds.filter_map(|role| self.role(role));
        let mut kinds = kinds.flat_map(Value::items).filter_map(Value::as_str);
        let is_off = |(name, value): (&str, &Value)| {
            *value == Value::Bool(false) && cautions(&format!("{name} off"))
        };
        let is_own = cautions(&self.title) || kinds.any(cautions) || self.fields.iter().any(is_off);
        let head = body.get(..6_000).unwrap_or(body);
        let head = std::str::from_utf8(head).unwrap_or_else(|error| {
            let (valid, _) = head.split_at(error.valid_up_to());
            std::str::from_utf8(valid).unwrap_or_default()
        });
        let is_described = self.role(Role::Description).is_some();
        let gist = self
            .gist
            .take()
            .or_else(|| first_sentence(head, &self.title));
        self.gist = gist.filter(|_| !is_described);
        self.is_caution = !self.schema.can.context && (is_own || begins_with_one(head));
        self
    }
}
