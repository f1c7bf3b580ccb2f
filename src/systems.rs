//! The systems that have code of their own, a folder each, and the lists of schemas and policies.
//! A system of Markdown files is a table of [`crate::memory::format`] and has none here.

mod caution;
pub mod codec;
pub mod golemcore;
pub mod ralph;
pub mod rawko;
pub mod rum;

use std::sync::LazyLock;

use crate::memory::Schema;
use crate::memory::format::{TABLES, Table, added, table};
use crate::retrieval::{ALWAYS, GLOBS, INDEX, NAMES, Policy, hybrid};

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
