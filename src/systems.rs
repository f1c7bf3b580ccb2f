//! The systems that have code of their own, a folder each, and the lists of schemas and policies.
//! A system of Markdown files is a table of [`crate::memory::format`] and has none here.

pub mod codec;
pub mod golemcore;
pub mod ralph;
pub mod rawko;
pub mod rum;

use std::sync::LazyLock;

use crate::memory::format::{TABLES, Table, added, table};
use crate::memory::{Memory, Role, Schema, Value, first_sentence};
use crate::retrieval::{ALWAYS, GLOBS, INDEX, NAMES, Policy, hybrid};
use crate::text::stance::cautions;

/// The schemas of the formats that have code of their own.
static CODED: [&LazyLock<Schema>; 3] = [&ralph::RALPH, &golemcore::GOLEMCORE, &rum::RUM];

/// All policies.
pub static POLICIES: &[&Policy] = &[
    &rawko::RAWKO,
    &ralph::policy::RALPH,
    &golemcore::policy::POLICY,
    &rum::policy::RUM,
    &INDEX,
    &NAMES,
    &ALWAYS,
    &GLOBS,
    &hybrid::POLICY,
];

/// The policy with this name.
pub fn policy(name: &str) -> Option<&'static Policy> {
    let mut policies = POLICIES.iter().copied();
    policies.find(|policy| policy.name == name)
}

/// The names of all formats: of the tables, of those that have code of their own, and a team's.
pub fn names() -> impl Iterator<Item = &'static str> {
    let coded = CODED.iter().map(|schema| schema.format);
    let team = added().into_iter().map(Table::name);
    TABLES.iter().map(Table::name).chain(coded).chain(team)
}

/// The schema of the format with a name, a team's included.
pub fn schema_named(name: &str) -> Option<&'static Schema> {
    let mut coded = CODED.iter().map(|schema| -> &'static Schema { schema });
    let coded = coded.find(|schema| schema.format == name);
    let added = || added().into_iter().find(|table| table.name() == name);
    let of_table = || table(name).or_else(added).map(|table| table.schema);
    coded.or_else(of_table)
}

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
        let gist = self.gist.take();
        let gist = gist.or_else(|| first_sentence(head, &self.title));
        self.gist = gist.filter(|_| !is_described);
        self.is_caution = !self.schema.can.context && (is_own || begins_with_one(head));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_in_assets_can_be_read() {
        let units = [&rum::CHAPTER, &rum::WISDOM];
        let all = CODED.iter().chain(&units);
        let counts: Vec<usize> = all.map(|schema| schema.fields.len()).collect();
        assert_eq!(counts, [3, 15, 38, 13, 12]);
    }
}
