use std::collections::HashMap;

use proptest::prelude::*;

use super::blocks::{Blocks, ordered};
use super::*;
use crate::memory::rows;

fn table(lines: usize, units: usize) -> IndexTable {
    IndexTable {
        file: "MEMORY.md".to_owned(),
        lines,
        units,
        line: 200,
        unlisted: Vec::new(),
    }
}

#[test]
fn lines_count_first_and_then_units_of_whole_lines() {
    let text = "one\ntwo 😀\nthree\n";
    for (lines, units, given, cut) in rows! {
        9 => 99 => "one\ntwo 😀\nthree" => None, 2 => 99 => "one\ntwo 😀" => Some(13),
        // A line that the limit falls in is dropped whole; an emoji is two units.
        9 => 10 => "one\ntwo 😀" => Some(13), 9 => 9 => "one" => Some(4),
        // Of a first line that is too long the beginning is given.
        9 => 2 => "on" => Some(2), 9 => 16 => "one\ntwo 😀\nthree" => None,
    } {
        let loaded = load(text.as_bytes(), 0, &table(lines, units));
        assert_eq!((&*loaded.text, loaded.cut), (given, cut), "{lines} {units}");
        assert_eq!((loaded.lines, loaded.units), (3, 16));
    }
}

#[test]
fn the_size_says_what_is_there_the_limit_and_the_rest() {
    let text = "---\nname: x\n---\none\ntwo\n";
    let table = table(1, 9);
    let loaded = load(text.as_bytes(), 16, &table);
    let size = "2 lines (limit 1, 1 over) and 7 units (limit 9, 2 left)";
    assert_eq!(loaded.size(&table), size);
    // The line is that of the file.
    assert_eq!(loaded.cut_line(text.as_bytes()), Some(5));
}

#[test]
fn comments_and_blank_ends_do_not_count() {
    let text = "\n<!-- a\nb -->\none\n```\n<!-- code -->\n```\n\n";
    let loaded = load(text.as_bytes(), 0, &table(4, 99));
    assert_eq!(loaded.text, "one\n```\n<!-- code -->\n```");
    assert_eq!((loaded.lines, loaded.cut), (4, None));
}

#[test]
fn each_list_is_ordered_by_itself() {
    let text = "# A\n- [c](c.md)\n- [a](a.md)\n# B\n- [b](b.md)\n- [a](a.md)";
    let new = by_title(text);
    let sorted = "# A\n- [a](a.md)\n- [c](c.md)\n# B\n- [a](a.md)\n- [b](b.md)";
    assert_eq!(new.as_deref(), Some(sorted));
    assert_eq!(by_title(sorted), None);
}

#[test]
fn entries_are_lines_that_link_to_files() {
    let text = "# Index\n- [A b](a.md) — what it says\n- see [site](https://x.y/z.md) [B](sub/b.md): why\n```\n- [C](c.md)\n```\n- [D](d.md)\n";
    let found = entries(text.as_bytes(), 0, &table(3, 999));
    let found = found
        .iter()
        .map(|e| (e.line, &*e.title, &*e.target, &*e.hook, e.is_loaded));
    let expected = [
        (2, "A b", "a.md", "what it says", true),
        (3, "B", "sub/b.md", "why", true),
        (7, "D", "d.md", "", false),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

fn listed(text: &str) -> Vec<Entry> {
    entries(text.as_bytes(), 0, &table(9_999, 999_999))
}

fn by_title(text: &str) -> Option<String> {
    ordered(text, &listed(text), |entry, _| entry.title.clone())
}

#[test]
fn an_entry_moves_with_what_is_indented_below_it() {
    for (text, sorted) in rows! {
        // Lines of it and entries in it, and blank lines between.
        "- [b](b.md)\n  of b\n\n  more of b\n  - [y](y.md)\n    of y\n  - [x](x.md)\n\n- [a](a.md)\n" =>
            "- [a](a.md)\n\n- [b](b.md)\n  of b\n\n  more of b\n  - [x](x.md)\n  - [y](y.md)\n    of y\n",
        // Items without a link keep their places, and so does the heading of a table.
        "- [c](c.md)\n- a note\n  of it\n- [a](a.md)\n* * *\n- [b](b.md)\n- [a](a.md)\n" =>
            "- [a](a.md)\n- a note\n  of it\n- [c](c.md)\n* * *\n- [a](a.md)\n- [b](b.md)\n",
        "| file |\n|---|\n| [b](b.md) |\n| [a](a.md) |\n" =>
            "| file |\n|---|\n| [a](a.md) |\n| [b](b.md) |\n",
        // The last line stays open, and other lines whole.
        "1. [b](b.md)\r\n2. [a](a.md)\r\n\tof a" => "2. [a](a.md)\r\n\tof a\r\n1. [b](b.md)",
        // A link in a line of an item stands for it.
        "- B:\n  [b](b.md)\n- [a](a.md)\n" => "- [a](a.md)\n- B:\n  [b](b.md)\n",
    } {
        assert_eq!(by_title(text).as_deref(), Some(sorted));
        assert_eq!(by_title(sorted), None, "{sorted}");
    }
    for text in [
        "See [b](b.md)\nand [a](a.md).\n",
        "- [b](b.md)\ntext\n- [a](a.md)\n",
        "- [b](b.md)\n  - [a](a.md)\n",
        "```\n- [b](b.md)\n- [a](a.md)\n```\n",
        "- [b](b.md)\n```\ncode\n```\n- [a](a.md)\n",
    ] {
        assert_eq!(by_title(text), None, "{text}");
    }
}

#[test]
fn items_that_name_a_file_are_entries() {
    let text = "- [[a b]] — one\n- `c.md` — two\n* **sub/d.md**: three\n1. e.md\n| `f.md` | four |\n- see g.md\n[[h]] and i.md\n- [J](j.md), `k.md` and [[l|L]]\n- <https://x.y/m.md>\n- n.md.txt\n```\n- o.md\n```\n- p.mdx\n";
    let found: Vec<_> = (listed(text).into_iter())
        .map(|one| (one.line, one.target, one.hook))
        .collect();
    let expected = [
        (1, "a b.md", "one"),
        (2, "c.md", "two"),
        (3, "sub/d.md", "three"),
        (4, "e.md", ""),
        (5, "f.md", "four"),
        (8, "j.md", "`k.md` and [[l|L]]"),
    ]
    .map(|(line, target, hook)| (line, target.to_owned(), hook.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn a_target_is_the_path_or_name_alone() {
    let found = listed("- [A](./a%20b.md#c)\n- [[why?]]\n- [D](d.md?e)\n");
    let found: Vec<&str> = found.iter().map(|one| &*one.target).collect();
    assert_eq!(found, ["a b.md", "why?.md", "d.md"]);
}

#[test]
fn what_the_loader_takes_out_lists_nothing() {
    let text = "---\nx: <!--\n---\n- [a](a.md)\n<!-- - [b](b.md)\n- [c](c.md)\n--> [d](d.md)\n- [e](e.md) <!-- x -->\n<!-- [f](f.md)\n";
    let found = entries(text.as_bytes(), 17, &table(99, 999));
    let found: Vec<&str> = found.iter().map(|entry| &*entry.title).collect();
    assert_eq!(found, ["a", "d", "e", "f"]);
}

#[test]
fn an_entry_comes_back_at_the_end_of_the_list_as_it_was() {
    let before = "# I\n\n- [a](a.md) — one\n  - [b](b.md) — two\n    of b\n- [c](c.md)\n";
    for (target, now, back) in rows! {
        "b.md" => "# I\n\n- [n](n.md)\n- [a](a.md)\n\nmore\n" =>
            "# I\n\n- [n](n.md)\n- [a](a.md)\n- [b](b.md) — two\n  of b\n\nmore\n",
        "a.md" => "- [n](n.md)" => "- [n](n.md)\n- [a](a.md) — one",
        "c.md" => "* [z](z.md)\r\n" => "* [z](z.md)\r\n- [c](c.md)\r\n",
        "c.md" => "" => "- [c](c.md)\n",
    } {
        let new = put_back(now, &listed(now), before, |own| own == target);
        assert_eq!(new.as_deref(), Some(back), "{now}");
    }
    let now = "- [a](a.md)\n";
    let back = put_back(now, &listed(now), before, |own| own == "x.md");
    assert_eq!(back, None);
}

/// A text of numbered lines: headings, items with and without links, what is indented below them,
/// rows, code, text, blank lines.
fn any_index() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        1 => Just("# H"),
        9 => prop_oneof![Just("- [@](@.md)"), Just("  - [@](@.md)"), Just("    * [@](@.md) — @")],
        2 => prop_oneof![Just("- note @"), Just("  - note @"), Just(" - [@](@.md)"), Just("\t1. [@](@.md)")],
        2 => prop_oneof![Just("  below @"), Just("    below [[@]]"), Just("  see [@](@.md)")],
        3 => prop_oneof![Just("- `@.md` — @"), Just("  - [[@]]"), Just("- [@](@.md), [[x@]]"), Just("  * **@.md**")],
        1 => prop_oneof![Just("| row |"), Just("| [@](@.md) |")],
        1 => prop_oneof![Just("text @"), Just("text [@](@.md)"), Just("```\n- [@](@.md)\n```"), Just("* * *")],
        3 => Just(""),
    ];
    let lines = prop::collection::vec(line, 0..24);
    let ends = prop_oneof![Just("\n"), Just("\r\n")];
    (lines, ends, any::<bool>()).prop_map(|(lines, end, is_open)| {
        let lines = lines.into_iter().enumerate();
        let line =
            |(n, line): (_, &str)| line.replace('\n', end).replace('@', &format!("f{n}")) + end;
        let text: String = lines.map(line).collect();
        let open = text
            .strip_suffix(end)
            .filter(|text| is_open && !text.ends_with('\n'));
        open.unwrap_or(&text).to_owned()
    })
}

/// The lines of a text, sorted, with their ends.
fn sorted(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines.push(text.matches("\r\n").count().to_string());
    lines.push(text.ends_with('\n').to_string());
    lines
}

/// Each line that says something with the line of the innermost block it is in, and of a first line
/// of one that around it.
fn parents(text: &str) -> HashMap<&str, Option<&str>> {
    let blocks = Blocks::new(text);
    let mut at = 0;
    let parent = |line: &str, at: usize| {
        let own = blocks.at(at)?;
        let outer = match own.range.start == at {
            true => &blocks.0[own.parent?],
            false => own,
        };
        assert!(!line.trim().is_empty() || outer.range.start < at);
        text[outer.range.clone()].lines().next().map(str::trim)
    };
    let lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (line.trim(), parent(line, at - line.len()))
    });
    let own = |line: &str| line.chars().any(|c| c.is_ascii_digit());
    lines.filter(|(line, _)| own(line)).collect()
}

proptest! {
    #[test]
    fn an_order_is_one_of_the_same_lines_each_below_its_parent(text in any_index(), keys in prop::collection::vec(0_u8..9, 24)) {
        let value = |entry: &Entry, _: &[Entry]| keys[entry.line % 24];
        let Some(new) = ordered(&text, &listed(&text), value) else { return Ok(()) };
        prop_assert_eq!(sorted(&new), sorted(&text));
        prop_assert_eq!(parents(&new), parents(&text));
        let line = |entry: &Entry, _: &[Entry]| {
            let all = listed(&text);
            let own = all.iter().find(|other| other.target == entry.target);
            keys[own.unwrap().line % 24]
        };
        prop_assert_eq!(ordered(&new, &listed(&new), line), None);
    }

    #[test]
    fn a_promoted_entry_is_the_first_or_the_last_of_its_list(text in any_index(), at in 0_usize..24, up: bool) {
        let all = listed(&text);
        let Some(own) = all.get(at).filter(|own| own.block.is_some()) else { return Ok(()) };
        let Some(new) = promoted(&text, &all, own, up) else { return Ok(()) };
        prop_assert_eq!(sorted(&new), sorted(&text));
        prop_assert_eq!(parents(&new), parents(&text));
        let all = listed(&new);
        let own = all.iter().find(|other| other.target == own.target).unwrap();
        prop_assert_eq!(promoted(&new, &all, own, up), None);
    }
}
