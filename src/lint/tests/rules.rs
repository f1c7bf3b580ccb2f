//! Findings of rules in stores that are no rows of `tests/lint/*.toml`.

use super::*;

#[test]
fn blank_lines_behind_the_fields_are_an_empty_body() {
    // A store gives the text without the blank lines that follow it.
    let front = "---\ntitle: a\nwhenToUse: auth\n---\n";
    for blank in ["", "\n", "\n\n\n", " \n"] {
        let sample = memory("a").text(&format!("{front}{blank}"));
        let text = front.trim_end().to_owned();
        let findings = Store::new(vec![Sample { text, ..sample }]).only("empty-body");
        assert_eq!(findings[0].message, "the body is empty", "{blank:?}");
        assert!(findings[0].line >= 4, "{blank:?} {}", findings[0].line);
    }
}

#[test]
fn labels_and_footers_that_many_memories_fill_in_contradict_nothing() {
    let one = |n: usize| {
        let body = format!(
            "Lesson {n} of the harbour.\n\n---\n\n**Atomicity**: {}% | **Impact**: {}/10\n\
             **Status**: {}\n",
            70 + n,
            n % 10,
            ["open", "done"][n % 2]
        );
        memory(&format!("skill-{n}")).front("", &body)
    };
    for count in [3, 8, 60] {
        let store = Store::new((0..count).map(one).collect());
        assert_eq!(store.only("contradiction"), [], "{count}");
    }
}
