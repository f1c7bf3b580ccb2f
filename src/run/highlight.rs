//! Colours for code, by syntect with the grammars of two-face.

use std::cell::RefCell;
use std::sync::OnceLock;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use syntect::easy::HighlightLines;
use syntect::highlighting::Theme;
use syntect::parsing::{SyntaxReference, SyntaxSet};
use two_face::theme::EmbeddedThemeName;

use crate::app::msg::Rgb;
use crate::app::reading::Highlight;

/// Lines beyond this many bytes stay plain: a grammar may take long over them.
const LONGEST: usize = 2_000;
/// Blocks beyond this many bytes are coloured to here.
const MOST: usize = 200_000;

/// The lines of a block of code, as (colour, text).
pub type Block = Vec<Vec<(Rgb, String)>>;

fn theme(light: bool) -> &'static Theme {
    static THEMES: OnceLock<(Theme, Theme)> = OnceLock::new();
    let (on_dark, on_light) = THEMES.get_or_init(|| {
        let all = two_face::theme::extra();
        (
            all.get(EmbeddedThemeName::OneHalfDark).clone(),
            all.get(EmbeddedThemeName::InspiredGithub).clone(),
        )
    });
    if light { on_light } else { on_dark }
}

/// The grammars, with the patterns they grow: the first text in a language takes 3 to 12 ms, the
/// next ones a twentieth.
#[derive(Default)]
pub struct Grammars(Option<SyntaxSet>);

impl Grammars {
    /// Colours blocks of code: language and text of each. A language that is not known, or none,
    /// gives a block without lines, to be drawn plain.
    pub fn highlight(&mut self, blocks: &[(String, String)], light: bool) -> Vec<Block> {
        if blocks.iter().all(|(language, _)| language.is_empty()) {
            return vec![Block::new(); blocks.len()];
        }
        let all = self.0.get_or_insert_with(two_face::syntax::extra_newlines);
        let colours = |(language, text): &(String, String)| {
            grammar(all, language).map_or_else(Vec::new, |grammar| {
                let mut lines = HighlightLines::new(grammar, theme(light));
                colour(all, &mut lines, text)
            })
        };
        blocks.iter().map(colours).collect()
    }
}

/// Answers a question of the screen.
pub fn answer(asked: &Highlight) -> Vec<Block> {
    thread_local! {
        static GRAMMARS: RefCell<Grammars> = RefCell::default();
    }
    GRAMMARS.with_borrow_mut(|all| all.highlight(&code_blocks(&asked.text), asked.light))
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

fn grammar<'a>(grammars: &'a SyntaxSet, language: &str) -> Option<&'a SyntaxReference> {
    if language.is_empty() {
        return None;
    }
    grammars.find_syntax_by_token(language)
}

fn colour(grammars: &SyntaxSet, lines: &mut HighlightLines<'_>, text: &str) -> Block {
    let mut out = Vec::new();
    let mut read = 0;
    for line in text.split_inclusive('\n') {
        read += line.len();
        if read > MOST || line.len() > LONGEST {
            break;
        }
        let Ok(parts) = lines.highlight_line(line, grammars) else {
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
        Grammars::default().highlight(&blocks, light).remove(0)
    }

    #[test]
    fn languages_that_agents_write_are_known() {
        let grammars = two_face::syntax::extra_newlines();
        for language in [
            "rust",
            "rs",
            "ts",
            "tsx",
            "typescript",
            "toml",
            "bash",
            "sh",
            "json",
            "yaml",
            "python",
            "go",
            "dockerfile",
            "sql",
            "diff",
            "js",
        ] {
            assert!(grammar(&grammars, language).is_some(), "{language}");
        }
        assert!(block("nonsense", "x", false).is_empty());
        assert!(block("", "x", false).is_empty());
    }

    #[test]
    fn the_text_stays_as_it_is() {
        let text = "fn main() {\n\tlet x = \"é\";\n}\n";
        let lines = block("rust", text, false);
        let joined: String = lines
            .iter()
            .flatten()
            .map(|(_, text)| text.as_str())
            .collect();
        assert_eq!(joined, text);
        let colours: std::collections::BTreeSet<Rgb> =
            lines.iter().flatten().map(|(rgb, _)| *rgb).collect();
        assert!(colours.len() > 1);
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
