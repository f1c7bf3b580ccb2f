//! What is read is what Ralph reads, and no edit touches more than it should.

use memkeep::systems::ralph::{self, Edit, Entry, Layout, NewEntry, Type};
use proptest::prelude::*;

use crate::oracle::{self, Seen};
use crate::soup;

/// What the program says that Ralph reads.
pub fn seen(bytes: &[u8]) -> Vec<Seen> {
    let layout = ralph::read(bytes);
    let text = |range: &std::ops::Range<usize>| String::from_utf8_lossy(&bytes[range.clone()]);
    let kept = layout.entries.iter().filter_map(|entry| {
        let seen = entry.seen.as_ref().filter(|seen| seen.kept)?;
        let content = ralph::seen_content(&bytes[entry.span.start..]);
        Some(Seen {
            id: text(&entry.id).into_owned(),
            kind: entry.kind.word(),
            content: String::from_utf8(content).unwrap(),
            tags: seen
                .metadata
                .as_ref()
                .map_or_else(Vec::new, |(tags, _)| ralph::tags(&bytes[tags.clone()])),
            created: seen
                .metadata
                .as_ref()
                .map(|(_, date)| text(date).into_owned()),
        })
    });
    kept.collect()
}

fn blocks<'a>(bytes: &'a [u8], layout: &Layout) -> Vec<&'a [u8]> {
    let block = |entry: &Entry| bytes[entry.span.clone()].trim_ascii_end();
    layout.entries.iter().map(block).collect()
}

/// The lines that Ralph adds to entries they do not stand in.
fn strays(layout: &Layout) -> u32 {
    let seen = layout
        .entries
        .iter()
        .filter_map(|entry| entry.seen.as_ref());
    seen.filter_map(|seen| seen.stray)
        .map(|stray| stray.count)
        .sum()
}

/// What lies between the entries, without what only parts them.
fn between(bytes: &[u8], layout: &Layout) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    for entry in &layout.entries {
        out.extend_from_slice(&bytes[at..entry.span.start]);
        at = entry.span.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out.retain(|byte| !byte.is_ascii_whitespace());
    out
}

/// Adds an entry with the line ends of the file.
fn add(bytes: &[u8], entry: &NewEntry<'_>) -> memkeep::systems::codec::Result<Vec<u8>> {
    let eol = if ralph::read(bytes).crlf {
        "\r\n"
    } else {
        "\n"
    };
    ralph::add_block(bytes, entry.kind, ralph::block(entry, eol)?.as_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn it_reads_what_ralph_reads(text in soup::file()) {
        prop_assert_eq!(seen(text.as_bytes()), oracle::parse(&text));
    }

    #[test]
    fn every_byte_is_of_one_entry_or_of_none(text in soup::file()) {
        let layout = ralph::read(text.as_bytes());
        let mut at = 0;
        for entry in &layout.entries {
            prop_assert!(entry.span.start >= at && entry.span.end <= text.len());
            prop_assert!(entry.body.start >= entry.span.start && entry.body.end <= entry.span.end);
            at = entry.span.end;
        }
    }

    #[test]
    fn arbitrary_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        ralph::read(&bytes);
    }

    #[test]
    fn a_deleted_entry_takes_nothing_with_it(text in soup::file(), which in any::<prop::sample::Index>()) {
        let bytes = text.as_bytes();
        let layout = ralph::read(bytes);
        prop_assume!(!layout.entries.is_empty());
        let index = which.index(layout.entries.len());
        let Ok(after) = ralph::take_out(bytes, &[index], true) else { return Ok(()) };
        let now = ralph::read(&after);
        let mut wanted = blocks(bytes, &layout);
        wanted.remove(index);
        prop_assert_eq!(blocks(&after, &now), wanted);
        prop_assert_eq!(between(&after, &now), between(bytes, &layout));
        prop_assert!(!text.ends_with('\n') || after.is_empty() || after.ends_with(b"\n"));
        prop_assert_eq!(strays(&now) <= strays(&layout), true);
    }

    #[test]
    fn an_edit_changes_its_entry_only(
        text in soup::file(),
        which in any::<prop::sample::Index>(),
        change in prop_oneof![
            "[a-c \n]{0,12}".prop_map(Edit::Content),
            proptest::collection::vec("[a-c,|>-]{1,4}", 0..3).prop_map(Edit::Tags),
            Just(Edit::Created("2026-05-06".into())),
            prop_oneof![Just(Type::Pattern), Just(Type::Decision), Just(Type::Fix), Just(Type::Context)].prop_map(Edit::Type),
            Just(Edit::Id("mem-77-00aa".into())),
            Just(Edit::Normalize),
        ],
    ) {
        let bytes = text.as_bytes();
        let layout = ralph::read(bytes);
        prop_assume!(!layout.entries.is_empty());
        let index = which.index(layout.entries.len());
        let Ok((after, place)) = ralph::change(bytes, index, &change, "2026-07-08", true) else { return Ok(()) };
        let now = ralph::read(&after);
        let (mut old, mut new) = (blocks(bytes, &layout), blocks(&after, &now));
        let (was, is) = (old.remove(index), new.remove(place));
        prop_assert_eq!(old, new);
        // What lies between the entries stays. A line that is no quote may stand between the
        // quotes of an entry: where those below it go, it lies behind the entry.
        let quotes = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'>').count();
        let inside = was.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b">"));
        let left = quotes(&between(&after, &now)) - quotes(&between(bytes, &layout));
        prop_assert!(left <= inside.map(quotes).sum());
        if let Edit::Type(kind) = change {
            prop_assert_eq!(was, is);
            prop_assert_eq!(now.entries[place].kind, kind);
        }
    }

    #[test]
    fn an_added_entry_is_read_as_it_was_meant(
        text in soup::file(),
        kind in prop_oneof![Just(Type::Pattern), Just(Type::Decision), Just(Type::Fix), Just(Type::Context)],
        content in "[a-c<>! -]{0,8}(\n[a-c<>! -]{0,8}){0,3}",
    ) {
        let bytes = text.as_bytes();
        let tags = ["x".to_owned(), "y z".to_owned()];
        let entry = NewEntry { id: "mem-500-00ff", kind, content: &content, tags: &tags, created: "2026-03-04" };
        let Ok(after) = add(bytes, &entry) else { return Ok(()) };
        let (layout, now) = (ralph::read(bytes), ralph::read(&after));
        let mut new = blocks(&after, &now);
        let place = now.entries.iter().position(|entry| entry.id(&after) == b"mem-500-00ff").unwrap();
        new.remove(place);
        prop_assert_eq!(new, blocks(bytes, &layout));
        let read = seen(&after);
        let found = read.iter().find(|memory| memory.id == "mem-500-00ff").unwrap();
        prop_assert_eq!(found.kind, kind.word());
        prop_assert_eq!(&found.tags, &tags);
        prop_assert_eq!(found.created.as_deref(), Some("2026-03-04"));
        let lines = |text: &str| text.trim().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        prop_assert_eq!(lines(&found.content), lines(&content));
    }
}

const FILE: &str = "# Memories\n\n## Patterns\n\n### mem-300-0001\n> one\n>\n> two\n<!-- tags: a, b | created: 2026-01-03 -->\n\n### mem-200-0001\n> same id\n<!-- tags:  | created: 2026-01-02 -->\n\n### mem-200-0001\n> same id, other text\n<!-- tags: c | created: 2026-01-02 -->\n\nFree text.\n\n## Fixes\n";

fn apply(text: &str, index: usize, edit: Edit) -> Result<String, String> {
    let after = ralph::change(text.as_bytes(), index, &edit, "2026-07-08", true);
    let after = after.map_err(|error| error.to_string())?;
    Ok(String::from_utf8(after.0).unwrap())
}

#[test]
fn lines_that_stay_keep_their_bytes() {
    let after = apply(FILE, 0, Edit::Content("one\n\ntwo\nthree".into())).unwrap();
    assert_eq!(after, FILE.replace("> two\n", "> two\n> three\n"));
    let after = apply(FILE, 0, Edit::Content("zero\n\ntwo".into())).unwrap();
    assert_eq!(after, FILE.replace("> one\n", "> zero\n"));
    let after = apply(FILE, 0, Edit::Content("two".into())).unwrap();
    assert_eq!(after, FILE.replace("> one\n>\n", ""));
}

#[test]
fn tags_and_dates_are_changed_where_they_stand() {
    let after = apply(FILE, 1, Edit::Tags(vec!["x".into(), "y".into()])).unwrap();
    assert_eq!(after, FILE.replace("tags:  |", "tags: x, y |"));
    let after = apply(FILE, 0, Edit::Created("2026-02-02".into())).unwrap();
    assert_eq!(after, FILE.replace("2026-01-03", "2026-02-02"));
    for (tag, why) in rows! {
        "a|b" => "`a|b` cannot be a tag: Ralph does not read one with `|`",
        "a,b" => "`a,b` cannot be a tag: Ralph does not read one with `,`",
        "a-->" => "`a-->` cannot be a tag: Ralph does not read one with `-->`",
        "a\nb" => "`a\\nb` cannot be a tag: a tag is one line of text",
        " " => "`` cannot be a tag: it is empty",
    } {
        assert_eq!(
            apply(FILE, 0, Edit::Tags(vec![tag.into()])),
            Err(why.to_owned()),
            "{tag}"
        );
    }
    let refused = apply(FILE, 0, Edit::Created("tomorrow".into()));
    assert_eq!(
        refused.unwrap_err(),
        "`tomorrow` is no date as Ralph reads it: YYYY-MM-DD"
    );
}

#[test]
fn a_type_moves_the_block_to_the_top_of_its_section() {
    let after = apply(FILE, 0, Edit::Type(Type::Fix)).unwrap();
    let block = "\n### mem-300-0001\n> one\n>\n> two\n<!-- tags: a, b | created: 2026-01-03 -->\n";
    assert_eq!(after, FILE.replace(block, "") + block);
    // As Ralph does, a section that is not there comes at the end.
    let after = apply(FILE, 0, Edit::Type(Type::Context)).unwrap();
    assert_eq!(after, FILE.replace(block, "") + "## Context\n" + block);
}

#[test]
fn one_of_two_equal_ids_is_deleted() {
    let after = ralph::take_out(FILE.as_bytes(), &[2], true).unwrap();
    let block =
        "\n### mem-200-0001\n> same id, other text\n<!-- tags: c | created: 2026-01-02 -->\n";
    assert_eq!(String::from_utf8(after).unwrap(), FILE.replace(block, ""));
}

#[test]
fn the_last_line_stays_without_an_end() {
    let text = FILE.trim_end().replace("\n\n## Fixes", "") + "\n\n### mem-100-0001\n> last";
    let after = apply(&text, 3, Edit::Content("last\nmore".into())).unwrap();
    assert_eq!(after, format!("{text}\n> more"));
    let after = apply(&text, 3, Edit::Tags(vec!["t".into()])).unwrap();
    assert_eq!(
        after,
        format!("{text}\n<!-- tags: t | created: 2026-07-08 -->")
    );
    let after = ralph::take_out(text.as_bytes(), &[3], true).unwrap();
    assert_eq!(
        String::from_utf8(after).unwrap(),
        text.replace("\n\n### mem-100-0001\n> last", "")
    );
}

#[test]
fn what_ralph_does_not_read_is_written_as_it_reads_it() {
    let text = "## Fixes\n\n### mem-1-00ffab tail\n>tight\n>\n> x\n<!-- tags: a|b | created: 2026-01-02T10:00:00Z -->\n";
    let after = apply(text, 0, Edit::Normalize).unwrap();
    let wanted = "## Fixes\n\n### mem-1-00ff\n> tight\n>  \n> x\n<!-- tags: a, b | created: 2026-01-02 -->\n";
    assert_eq!(after, wanted);
}

#[test]
fn windows_line_ends_stay() {
    let text = FILE.replace('\n', "\r\n");
    let after = apply(&text, 0, Edit::Content("one\n\ntwo\nthree".into())).unwrap();
    assert_eq!(after, text.replace("> two\r\n", "> two\r\n> three\r\n"));
    let entry = NewEntry {
        id: "mem-9-00ff",
        kind: Type::Fix,
        content: "x",
        tags: &[],
        created: "2026-03-04",
    };
    let after = String::from_utf8(add(text.as_bytes(), &entry).unwrap()).unwrap();
    assert_eq!(
        after,
        text + "\r\n### mem-9-00ff\r\n> x\r\n<!-- tags:  | created: 2026-03-04 -->\r\n"
    );
}

#[test]
fn an_entry_is_added_as_ralph_adds_it() {
    let files = [
        FILE,
        ralph::TEMPLATE,
        "",
        "free text\n\n",
        "## Fixes\n\n## Patterns and more\n\n### mem-1-0000\n> x\n",
    ];
    for text in files {
        for (kind, content) in [
            (Type::Pattern, "a --> b"),
            (Type::Fix, "one\ntwo"),
            (Type::Context, "ü"),
        ] {
            let entry = NewEntry {
                id: "mem-900-00ff",
                kind,
                content,
                tags: &["t".to_owned()],
                created: "2026-03-04",
            };
            let wanted = Seen {
                id: entry.id.into(),
                kind: kind.word(),
                content: content.into(),
                tags: vec!["t".into()],
                created: Some("2026-03-04".into()),
            };
            let after = add(text.as_bytes(), &entry).unwrap();
            assert_eq!(
                String::from_utf8(after).unwrap(),
                oracle::append(text, &wanted),
                "{text}"
            );
        }
    }
}

#[test]
fn text_below_a_header_is_not_read_as_the_new_entrys() {
    let text = "## Fixes\n> a note on all fixes\n\n### mem-1-0000\n> x\n";
    let entry = NewEntry {
        id: "mem-900-00ff",
        kind: Type::Fix,
        content: "y",
        tags: &[],
        created: "2026-03-04",
    };
    let after = add(text.as_bytes(), &entry).unwrap();
    let after = String::from_utf8(after).unwrap();
    assert!(
        after.starts_with("## Fixes\n> a note on all fixes\n\n### mem-900-00ff\n> y\n"),
        "{after}"
    );
    assert_eq!(oracle::parse(&after)[0].content, "y");
}

/// Below the second entry stands one whose heading is no id for Ralph, which gives its text, tags
/// and date to the entry above it.
const BAD: &str = "## Patterns\n\n### mem-1-aaaa\n> A one\n<!-- tags: keep | created: 2025-01-01 -->\n\n### mem-2-bbbb\n> B two\n<!-- tags: b | created: 2025-01-02 -->\n\n### mem-3-phase-complete\n> phase done\n<!-- tags: phase | created: 2025-09-09 -->\n\n## Fixes\n\n### mem-4-dddd\n> D four\n<!-- tags: d | created: 2025-01-04 -->\n";

#[test]
fn another_entry_is_not_read_worse_than_before() {
    let why = "without it Ralph would read what stands on line 12 as part of mem-1-aaaa: take that out of the file first";
    let refused = ralph::take_out(BAD.as_bytes(), &[1], true).unwrap_err();
    assert_eq!(refused.to_string(), why);
    assert_eq!(apply(BAD, 1, Edit::Type(Type::Decision)), Err(why.into()));
    // In a file that Ralph does not read it goes.
    assert!(ralph::take_out(BAD.as_bytes(), &[1], false).is_ok());
    let why = "Ralph would read what stands on line 13 as part of mem-2-bbbb: take that out of the file first";
    for edit in [
        Edit::Tags(vec!["x".into()]),
        Edit::Created("2026-02-02".into()),
    ] {
        assert_eq!(apply(BAD, 2, edit.clone()), Err(why.into()), "{edit:?}");
    }
    // What Ralph reads wrong already can be put right, and what it reads right can be changed.
    let renamed = apply(BAD, 2, Edit::Id("mem-3-cccc".into())).unwrap();
    assert_eq!(oracle::parse(&renamed).len(), 4);
    let without = ralph::take_out(BAD.as_bytes(), &[2], true).unwrap();
    let without = String::from_utf8(without).unwrap();
    let read = oracle::parse(&without);
    assert_eq!((read.len(), &*read[1].content), (3, "B two"));
    assert!(ralph::take_out(without.as_bytes(), &[1], true).is_ok());
    assert!(ralph::take_out(BAD.as_bytes(), &[0], true).is_ok());
    assert!(apply(BAD, 1, Edit::Tags(vec!["x".into()])).is_ok());
    assert!(apply(BAD, 2, Edit::Content("phase done, and more\nof it".into())).is_ok());
    let moved = apply(BAD, 2, Edit::Type(Type::Fix)).unwrap();
    assert_eq!(oracle::parse(&moved)[1].content, "B two");
    assert_eq!(oracle::parse(&moved)[2], oracle::parse(BAD)[2]);
}

#[test]
fn a_refused_addition_names_the_line_in_the_way() {
    let entry = NewEntry {
        id: "mem-900-00ff",
        kind: Type::Pattern,
        content: "new",
        tags: &[],
        created: "2026-03-04",
    };
    let refused = |text: &str| add(text.as_bytes(), &entry).unwrap_err().to_string();
    let bad =
        "## Patterns\n\n### mem-3-phase-complete\n> done\n<!-- tags: p | created: 2025-09-09 -->\n";
    assert_eq!(
        refused(bad),
        "Ralph would read what stands on line 4 as part of mem-900-00ff: take that out of the file first"
    );
    let text = "## Patterns\n\n## Other\n> a note\n\n### mem-1-aaaa\n> one\n";
    assert_eq!(
        refused(text),
        "Ralph would read what stands on line 4 as part of mem-900-00ff: take that out of the file first"
    );
    let without = bad.replace("phase-complete", "00aa");
    assert!(add(without.as_bytes(), &entry).is_ok());
}

#[test]
fn tags_of_a_dropped_entry_do_not_pass_on() {
    let text = "## Fixes\n\n### mem-1-aaaa\n<!-- tags: left | created: 2025-01-01 -->\n\n### mem-2-bbbb\n> B two\n<!-- tags: b | created: 2025-01-02 -->\n\n### mem-3-cccc\n> C three\n";
    let refused = ralph::take_out(text.as_bytes(), &[1], true).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "without it Ralph would read what stands on line 4 as part of mem-3-cccc: take that out of the file first"
    );
    assert!(ralph::take_out(text.as_bytes(), &[0], true).is_ok());
    assert!(apply(text, 0, Edit::Content("A one".into())).is_ok());
}

/// Every order in which three can come back.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

#[test]
fn what_went_comes_back_where_it_stood() {
    let ids = ["mem-300-aaaa", "mem-200-bbbb", "mem-100-cccc"];
    let entry = |id: &str| format!("### {id}\n> of {id}\n<!-- tags: a | created: 2026-01-03 -->\n");
    let blocks = ids.map(entry);
    let mut reversed = blocks.clone();
    reversed.reverse();
    let notes = |blocks: &[String; 3]| {
        let [a, b, c] = blocks;
        format!("# Memories\n\n## Fixes\n\n{a}\nnote\n\n{b}\nother note\n\n{c}\nfree\n")
    };
    let close = |blocks: &[String; 3]| format!("## Fixes\n\n{}", blocks.join("\n"));
    for text in [
        notes(&blocks),
        notes(&reversed),
        notes(&blocks).replace('\n', "\r\n"),
        close(&blocks),
        close(&reversed),
        close(&blocks).trim_end().to_owned(),
        close(&reversed).trim_end().to_owned(),
        close(&reversed) + "\n## Context\n",
        format!("## Fixes\n{}", blocks.concat()),
        format!("## Fixes\n\n\n\n{}\n\n\n", reversed.join("\n\n\n")),
        // Of equal texts one is as good as the other.
        format!("## Fixes\n\n{0}\nnote\n\n{0}\n{0}", blocks[0]),
    ] {
        for order in ORDERS {
            let mut rest = text.clone().into_bytes();
            let mut gone = Vec::new();
            for index in (0..3).rev() {
                let block = rest[ralph::read(&rest).entries[index].span.clone()].to_vec();
                gone.insert(0, block);
                rest = ralph::take_out(&rest, &[index], true).unwrap();
            }
            for n in order {
                let earlier = [text.as_bytes()];
                rest = ralph::put_back(&rest, Type::Fix, &gone[n], &earlier).unwrap();
            }
            assert_eq!(String::from_utf8(rest).unwrap(), text, "{order:?}");
        }
    }
}

#[test]
fn an_entry_comes_back_beside_a_line_that_is_there_twice() {
    let entry = |id: &str| format!("### {id}\n> of {id}\n");
    let (a, b, c) = (
        entry("mem-5-aaaa"),
        entry("mem-4-bbbb"),
        entry("mem-3-cccc"),
    );
    let text = format!("## Fixes\n\n{a}\nfree text\n\n{b}\n## Context\n\n{c}\nfree text\n");
    let rest = ralph::take_out(text.as_bytes(), &[1], true).unwrap();
    let rest = String::from_utf8(ralph::take_out(&rest, &[0], true).unwrap()).unwrap();
    let new = format!("## Fixes\n\n{}", entry("mem-9-dddd"));
    let rest = rest.replace("## Fixes\n", &new);
    let back =
        ralph::put_back(rest.as_bytes(), Type::Fix, b.as_bytes(), &[text.as_bytes()]).unwrap();
    let wanted = text
        .replace("## Fixes\n", &new)
        .replace(&format!("\n{a}"), "");
    assert_eq!(String::from_utf8(back).unwrap(), wanted);
}

#[test]
fn taking_away_no_tags_changes_nothing() {
    for text in [
        "## Fixes\n\n### mem-1-aaaa\n> A one\n",
        "## Fixes\n\n### mem-1-aaaa\n> A one\n<!-- created: 2026-01-02 -->\n",
    ] {
        assert_eq!(apply(text, 0, Edit::Tags(Vec::new())).unwrap(), text);
    }
}
