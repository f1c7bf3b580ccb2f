//! Colours for code, by syntect with the grammars of two-face.

use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use syntect::easy::HighlightLines;
use syntect::highlighting::Theme;
use syntect::parsing::{SyntaxReference, SyntaxSet};
use two_face::theme::EmbeddedThemeName::{InspiredGithub, OneHalfDark};

use crate::app::msg::Rgb;
use crate::app::reading::Highlight;

/// Lines beyond this many bytes stay plain: a grammar may take long over them.
const LONGEST: usize = 2_000;
/// Blocks beyond this many bytes are coloured to here.
const MOST: usize = 200_000;

/// The lines of a block of code, as (colour, text).
pub type Block = Vec<Vec<(Rgb, String)>>;

/// The grammars, with the patterns they grow: the first text in a language takes 3 to 12 ms, the
/// next ones a twentieth.
static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);
/// The colours on a dark ground and on a light one.
static THEMES: LazyLock<[Theme; 2]> = LazyLock::new(|| {
    let all = two_face::theme::extra();
    [OneHalfDark, InspiredGithub].map(|name| all.get(name).clone())
});

pub(super) fn answer(asked: &Highlight) -> Vec<Block> {
    highlight(&code_blocks(&asked.text), asked.light)
}

/// Colours blocks of code: language and text of each. A language that is not known, or none, gives a
/// block without lines, to be drawn plain.
pub fn highlight(blocks: &[(String, String)], light: bool) -> Vec<Block> {
    let colours = |(language, text): &(String, String)| {
        let grammar = grammar(language)?;
        let [on_dark, on_light] = &*THEMES;
        let theme = if light { on_light } else { on_dark };
        Some(colour(&mut HighlightLines::new(grammar, theme), text))
    };
    let blocks = blocks.iter().map(colours);
    blocks.map(Option::unwrap_or_default).collect()
}

/// Language and text of each code block of a Markdown text.
fn code_blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                blocks.push((language, String::new()));
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => {
                if let Some((_, block)) = blocks.last_mut() {
                    block.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

fn grammar(language: &str) -> Option<&'static SyntaxReference> {
    let language = Some(language).filter(|language| !language.is_empty());
    language.and_then(|language| GRAMMARS.find_syntax_by_token(language))
}

fn colour(lines: &mut HighlightLines<'_>, text: &str) -> Block {
    let mut out = Vec::new();
    let mut read = 0;
    for line in text.split_inclusive('\n') {
        read += line.len();
        if read > MOST || line.len() > LONGEST {
            break;
        }
        let Ok(parts) = lines.highlight_line(line, &GRAMMARS) else {
            break;
        };
        let part = |(style, text): (syntect::highlighting::Style, &str)| {
            let colour = style.foreground;
            ((colour.r, colour.g, colour.b), text.to_owned())
        };
        out.push(parts.into_iter().map(part).collect());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::contrast;

    fn block(language: &str, text: &str, light: bool) -> Block {
        let blocks = [(language.to_owned(), text.to_owned())];
        highlight(&blocks, light).remove(0)
    }

    #[test]
    fn languages_that_agents_write_are_known() {
        let all =
            "rust rs ts tsx typescript toml bash sh json yaml python go dockerfile sql diff js";
        for language in all.split(' ') {
            assert!(grammar(language).is_some(), "{language}");
        }
        assert!(block("nonsense", "x", false).is_empty());
        assert!(block("", "x", false).is_empty());
    }

    #[test]
    fn the_text_stays_as_it_is() {
        let text = "fn main() {\n\tlet x = \"é\";\n}\n";
        let lines = block("rust", text, false);
        let parts = || lines.iter().flatten();
        let joined: String = parts().map(|(_, text)| text.as_str()).collect();
        assert_eq!(joined, text);
        let first = parts().next().unwrap().0;
        assert!(parts().any(|(rgb, _)| *rgb != first));
    }

    #[test]
    fn a_line_without_end_stays_plain() {
        let text = format!("let a = 1;\n{}\n", "x".repeat(5_000_000));
        assert_eq!(block("rust", &text, true).len(), 1);
    }

    #[test]
    fn ordinary_code_can_be_read_on_either_ground() {
        let text = "use std::fs; // why\nfn f(a: &str) -> u32 { a.len() as u32 + 1 }\n";
        for (light, ground) in [(false, (0, 0, 0)), (true, (255, 255, 255))] {
            for (rgb, text) in block("rust", text, light).into_iter().flatten() {
                assert!(contrast(rgb, ground) >= 2.5, "{text:?} {rgb:?} {light}");
            }
        }
    }
}
