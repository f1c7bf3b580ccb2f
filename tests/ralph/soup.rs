//! Files of lines that look like Ralph's, in any order.

use proptest::prelude::*;

/// A line of a file of Ralph's, right or nearly right.
pub fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => prop_oneof![
            Just("## Patterns"), Just("## Decisions"), Just("## Fixes"), Just("## Context"),
            Just("## Contextual notes"), Just("## References"), Just("# Memories"),
            Just("##  Fixes"), Just("## fixes"), Just("### Patterns"), Just(" ## Fixes"),
        ].prop_map(ToOwned::to_owned),
        6 => (1_u32..4, 0_u32..3).prop_map(|(a, b)| format!("### mem-{a}-000{b}")),
        2 => prop_oneof![
            Just("### mem-1-abcdef"), Just("### mem-2-ABCD"), Just("### mem-1773910000-phase-complete"),
            Just("### mem-12-00ff and more"), Just("### mem-foo"), Just("### mem-"), Just("### mem-٣-00ff"),
            Just("### mem--0000"), Just("#### mem-1-0001"), Just("### Notes"), Just("###mem-1-0001"),
            Just("### mem-1é-0001"), Just("#"),
        ].prop_map(ToOwned::to_owned),
        8 => "> [a-c ]{1,6}",
        2 => prop_oneof![
            Just(">"), Just("> "), Just(">tight"), Just(">  two blanks"), Just("> <!-- tags: x | created: 2026-01-01 -->"),
            Just("> -->"), Just(">> nested"), Just("> ### mem-9-0000"), Just("> ü\u{a0}"), Just(" > indented"),
        ].prop_map(ToOwned::to_owned),
        5 => ("[a-c]", 1_u32..29).prop_map(|(tag, day)| format!("<!-- tags: {tag}, t | created: 2026-01-{day:02} -->")),
        2 => prop_oneof![
            Just("<!-- tags:  | created: 2026-01-02 -->"), Just("<!-- tags: | created: 2026-01-02 -->"),
            Just("<!-- tags: a|b | created: 2026-01-02 -->"), Just("<!-- tags: a | created: 2026-01-02T10:00:00Z -->"),
            Just("<!-- tags: a -->"), Just("<!--tags: a | created: 2026-01-02-->"), Just("x <!-- tags: a,,b | created: 2026-13-45 --> y"),
            Just("<!-- tags: <!-- tags: q | created: 2026-01-02 -->"), Just("<!-- tags: a | created: ٢٠٢٦-01-02 -->"),
            Just("<!-- created: 2026-01-02 -->"), Just("<!-- tags: z | created: x --> <!-- tags: y | created: 2026-02-02 -->"),
        ].prop_map(ToOwned::to_owned),
        2 => "[a-z*# ]{0,8}",
    ]
}

/// A whole file: lines, their ends, and how the last one ends.
pub fn file() -> impl Strategy<Value = String> {
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n")];
    let bom = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    (
        proptest::collection::vec(line(), 0..40),
        end,
        bom,
        any::<bool>(),
    )
        .prop_map(|(lines, end, bom, ends)| {
            let mut text = format!("{bom}{}", lines.join(end));
            if ends {
                text += end;
            }
            text
        })
}
