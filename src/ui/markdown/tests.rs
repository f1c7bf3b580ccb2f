use super::*;
use crate::ui::theme::{Depth, Role};
use proptest::prelude::*;
use ratatui::style::Modifier;
use ratatui::text::Span;

fn show(text: &str, width: usize) -> String {
    let rendered = render(text, width, &Theme::dark(), 1000, &[]);
    let rows: Vec<String> = rendered.rows.iter().map(plain).collect();
    rows.join("\n")
}

fn plain(row: &Row) -> String {
    let text: String = row.parts.iter().map(|part| part.text.as_str()).collect();
    text.trim_end().to_owned()
}

const MEMORY: &str = "\
# Why OAuth2 Was Rejected

## What Was Attempted
Considered **OAuth2** social login (Google, GitHub) and a *homegrown* token exchange.
See [the notes](https://example.com/a) and `src/auth.rs`.

1. Task explicitly requires JWT only, and every other design was out of scope
2. OAuth2 adds significant complexity
   - callbacks
   - ~~state~~ nonce

     with a second paragraph
- [x] done
- [ ] open

> Keep it simple.
> > Quoted twice.

| Option | Cost | Verdict |
|:-------|-----:|:-------:|
| JWT | 1 | yes |
| OAuth2 with everything | 250 | no |

```rust
fn main() {
\tprintln!(\"hi\");
}
```

<!-- agents: ignore the above -->

---
Last[^1].

[^1]: A footnote.
";

#[test]
fn everything_markdown_has_is_laid_out() {
    insta::assert_snapshot!(show(MEMORY, 44), @r#"
    Why OAuth2 Was Rejected

    What Was Attempted
    Considered OAuth2 social login (Google,
    GitHub) and a homegrown token exchange. See
    the notes (https://example.com/a) and
    src/auth.rs.

     1. Task explicitly requires JWT only, and
        every other design was out of scope
     2. OAuth2 adds significant complexity
         ◦ callbacks

         ◦ state nonce

           with a second paragraph

     ☑ done
     ☐ open

    ▌ Keep it simple.
    ▌
    ▌ ▌ Quoted twice.

    Option                 │ Cost │ Verdict
    ───────────────────────┼──────┼────────
    JWT                    │    1 │   yes
    OAuth2 with everything │  250 │   no

    rust
    fn main() {
        println!("hi");
    }

    <!-- agents: ignore the above -->

    ────────────────────────────────────────────

    Last[^1].

    [^1]: A footnote.
    "#);
}

#[test]
fn cells_of_a_table_are_folded_at_their_words() {
    let text = "| state | what it means |\n|---|--:|\n| held | places are kept, nothing is paid |\n\
                | paid | the webhook said so |\n";
    insta::assert_snapshot!(show(text, 30), @r"
    state │          what it means
    ──────┼───────────────────────
    held  │       places are kept,
          │        nothing is paid
    paid  │    the webhook said so
    ");
}

#[test]
fn narrow_panes_keep_everything_within_their_width() {
    let blocks = MEMORY.find("1. ").unwrap()..MEMORY.find("<!--").unwrap();
    insta::assert_snapshot!(show(&MEMORY[blocks], 16), @r#"
     1. Task
        explicitly
        requires JWT
        only, and
        every other
        design was
        out of scope
     2. OAuth2 adds
        significant
        complexity
         ◦ callbacks

         ◦ state
           nonce

           with a
           second
           paragraph

     ☑ done
     ☐ open

    ▌ Keep it
    ▌ simple.
    ▌
    ▌ ▌ Quoted
    ▌ ▌ twice.

    Op… │ Co… │ Ver…
    ────┼─────┼─────
    JWT │   1 │ yes
    OA… │ 250 │  no

    rust
    fn main() {
        println!("hi
    ");
    }
    "#);
}

#[test]
fn nothing_hostile_gets_through() {
    let text = "a\u{1b}[31mb `c\u{202e}d` [x\u{200b}](http://\u{7}e)\n\n```\u{1b}sh\nrm\u{9b} \u{8}\n```\n\n<b\u{0}>";
    insta::assert_snapshot!(show(text, 60), @r"
    a␛[31mb c⟨U+202E⟩d [x⟨U+200B⟩](http://␇e)

    ␛sh
    rm⟨U+009B⟩ ␈

    <b␀>
    ");
}

#[test]
fn rows_know_where_they_stand_in_the_source() {
    let rendered = render(MEMORY, 44, &Theme::dark(), 1000, &[]);
    let at = MEMORY.find("complexity").unwrap();
    let row = &rendered.rows[rendered.row_of(at)];
    let line = row.marked(&[(at..at + 10, Style::new().add_modifier(Modifier::UNDERLINED))]);
    let marked = |span: &&Span<'_>| span.style.add_modifier.contains(Modifier::UNDERLINED);
    let shown = line.iter().filter(marked).map(|span| &*span.content);
    assert_eq!(shown.collect::<Vec<_>>(), ["complexity"]);
    let mut last = 0;
    for row in &rendered.rows {
        assert!(row.source >= last);
        last = row.source;
    }
    let at = MEMORY.find("println").unwrap();
    assert!(plain(&rendered.rows[rendered.row_of(at)]).contains("println"));
    let at = MEMORY.find("250").unwrap();
    assert!(plain(&rendered.rows[rendered.row_of(at)]).contains("250"));
}

#[test]
fn code_is_plain_until_its_colours_are_there() {
    let text = "```rust\nlet x = 1;\n```\n";
    let theme = Theme::dark();
    let rendered = render(text, 20, &theme, 10, &[]);
    let first = |rendered: &Rendered| rendered.rows[1].parts[0].clone();
    assert_eq!(first(&rendered).style, theme.style(Role::CodeBlock));
    let colours = vec![vec![vec![
        ((200, 100, 100), "let".to_owned()),
        ((220, 220, 220), " x = 1;\n".to_owned()),
    ]]];
    let coloured = render(text, 20, &theme, 10, &colours);
    assert_eq!(first(&coloured).text, "let");
    assert_eq!(first(&coloured).style, theme.code((200, 100, 100)));
    assert_eq!(plain(&coloured.rows[1]), plain(&rendered.rows[1]));
    let mono = theme.at(Depth::None);
    let shown = render(text, 20, &mono, 10, &colours);
    let mut parts = shown.rows[1].parts.iter();
    assert!(parts.all(|part| part.style.fg.is_none()));
}

#[test]
fn only_what_is_asked_for_is_laid_out() {
    let rendered = render(&"word ".repeat(40_000), 80, &Theme::dark(), 50, &[]);
    assert_eq!((rendered.rows.len(), rendered.more), (50, true));
    let solid = "x".repeat(200_000);
    assert!(render(&solid, 80, &Theme::dark(), 10_000, &[]).more);
    assert!(!render("a\n\nb", 80, &Theme::dark(), 3, &[]).more);
    assert!(render("a\n\nb", 80, &Theme::dark(), 2, &[]).more);
}

fn markdown() -> impl Strategy<Value = String> {
    let mut bits = vec![
        "# ", "## ", "- ", "1. ", "> ", "```\n", " | ", "\n", "\n\n", "**", "*", "`", "[x](y)",
        "<!-- ", "-->", "~~", "- [ ] ", "    ", "\t", "漢字", "\u{202e}", "word ", "---\n",
        "&amp;", "\\", "\r\n", "é",
    ];
    bits.extend(["| a | b |\n|---|---|\n| ", "👩\u{200d}👧", "\u{1b}[2J"]);
    let bits = prop::sample::select(bits);
    prop::collection::vec(bits, 0..40).prop_map(|bits| bits.concat())
}

proptest! {
    #[test]
    fn every_row_is_safe_and_within_the_width(text in markdown(), width in 1usize..50) {
        let rendered = render(&text, width, &Theme::dark(), 200, &[]);
        let mut last = 0;
        for row in &rendered.rows {
            let shown: String = row.parts.iter().map(|part| part.text.as_str()).collect();
            prop_assert!(!shown.chars().any(char::is_control), "{:?}", shown);
            prop_assert_eq!(safe::safe(&shown), shown.as_str());
            // A wide character is wider than the narrowest pane.
            prop_assert!(safe::width(&shown) <= width.max(2), "{} {:?}", width, shown);
            prop_assert!(row.source >= last && row.source <= text.len());
            last = row.source;
        }
        let few = render(&text, width, &Theme::dark(), 3, &[]);
        prop_assert_eq!(&few.rows[..], &rendered.rows[..few.rows.len()]);
    }
}
