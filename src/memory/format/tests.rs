use super::*;
use crate::memory::rows;

#[test]
fn every_table_of_the_program_is_read() {
    let mut names = Vec::new();
    for file in FILES.files() {
        let name = file.path().display().to_string();
        let table = Table::read(file.contents_utf8().unwrap());
        let table = table.unwrap_or_else(|error| {
            panic!("{name}:{}:{}: {error}", error.line, error.column);
        });
        assert_eq!(format!("{}.toml", table.name()), name);
        let is_found = !table.about.is_empty() && !table.project.is_empty();
        assert!(
            is_found || !table.own_fields.is_empty() || table.schema.can.context,
            "{name}"
        );
        assert!(
            !names.contains(&table.order),
            "{name}: the order of another"
        );
        names.push(table.order);
    }
    assert_eq!(TABLES.len(), names.len());
}

#[test]
fn a_well_known_name_says_what_a_memory_is_for() {
    for (format, name, word) in rows! {
        "memory-bank" => "techContext" => Some("dependencies"),
        "memory-bank" => "decisionLog" => Some("reasons"),
        "memory-bank" => "sub/context" => Some("current"),
        "memory-bank" => "contextual" => None,
        "serena" => "task_completion_checklist" => Some("done"),
        "serena" => "frontend-suggested_commands" => Some("build"),
        "serena" => "commands" => None, "claude" => "progress" => None,
    } {
        let purpose = table(format).and_then(|table| table.purpose(name));
        let has = |word| purpose.is_some_and(|purpose| purpose.contains(word));
        assert_eq!(purpose.is_some(), word.is_some(), "{name}: {purpose:?}");
        assert!(word.is_none_or(has), "{name}: {purpose:?}");
    }
}

#[test]
fn a_mistake_in_a_table_is_told_with_its_place() {
    let good =
        "name = \"x\"\nabout = \"x\"\npolicy = \"always\"\nproject = [\"x\"]\narchive = \"a\"\n";
    assert!(Table::read(good).is_ok());
    for (more, place, part) in rows! {
        "colour = 1\n" => (6, 1) => "unknown field `colour`; docs/own-formats.md",
        "seperator = \"-\"\n" => (6, 1) => "did you mean `separator`?",
        "order = \"x\"\n" => (6, 9) => "expected u32",
        "[[field]]\nname = \"a\"\nhelp = \"b\"\nrole = \"boss\"\n" => (9, 8) =>
            "unknown variant `boss`",
    } {
        let error = Table::read(&format!("{good}{more}"))
            .unwrap_err()
            .in_short();
        assert_eq!((error.line, error.column), place, "{error}");
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn the_longest_end_of_a_name_counts() {
    let text = "name = \"x\"\nabout = \"x\"\npolicy = \"always\"\nproject = [\"x\"]\narchive = \"a\"\nends = [\".instructions.md\"]\nunread = { \".md\" = \"not read\" }\n";
    let table = Table::read(text).unwrap();
    for (name, end) in rows! {
        "a.instructions.md" => Some((".instructions.md", None)), "a.txt" => None,
        "a.md" => Some((".md", Some("not read"))),
    } {
        assert_eq!(table.end_of(name), end);
    }
}
