//! Text that a machine wrote, made fit for a terminal: nothing that a terminal would obey or a
//! person would not see gets through, and every column is counted.
//!
//! Store text is hostile. Control characters, escape sequences, bidirectional controls and
//! characters without a shape come out as visible marks; tabs become spaces; the rest is left
//! alone. The result goes through again unchanged.
//!
//! Pure.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::CellWidth as _;
use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

use crate::app::reading::clip;
use crate::lint::chars::oddity;

/// Columns from one tab stop to the next.
pub const TAB: usize = 4;
/// Characters that may stand on top of one another before the rest becomes a mark.
const STACK: usize = 8;
/// Stands for what was cut off.
const CUT: &str = "…";

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text that may go to a terminal as it is.
    Clean(&'a str),
    /// Characters that may not, to be shown as their [`mark`].
    Hostile(&'a str),
    /// A tab, to be drawn as spaces up to the next stop.
    Tab,
}

/// Takes a text apart into what may go to a terminal and what may not, read as far as it is asked
/// for.
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let (mut rest, mut before, mut stacked) = (text, None, 0);
    let is_stacked = |c: char| c.width() == Some(0);
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            let after = chars.peek().map(|&(_, c)| c);
            // What is stacked on a character beyond what a script needs.
            let overflows = is_stacked(c) && stacked >= STACK;
            if c == '\t' || overflows || hostile(before, c, after) {
                end = at;
                break;
            }
            before = Some(c);
            stacked = if is_stacked(c) { stacked + 1 } else { 0 };
        }
        if end > 0 {
            let clean;
            (clean, rest) = rest.split_at(end);
            return Some(Piece::Clean(clean));
        }
        let c = rest.chars().next()?;
        // A joiner between pictures, or the like, is allowed alone, not on top of a heap.
        let on_top = |c: char| is_stacked(c) && !hostile(None, c, None) && c != '\t';
        let heap = match stacked >= STACK {
            true => rest.len() - rest.trim_start_matches(on_top).len(),
            false => 0,
        };
        let hidden;
        (hidden, rest) = rest.split_at(heap.max(c.len_utf8()));
        (before, stacked) = (None, 0);
        Some(match hidden {
            "\t" => Piece::Tab,
            hidden => Piece::Hostile(hidden),
        })
    })
}

/// The marks that stand for hidden characters.
pub fn mark(hidden: &str) -> String {
    let mut chars = hidden.chars();
    let c = chars.next().unwrap_or_default();
    let more = chars.count();
    if more > 0 {
        return format!("⟨+{}⟩", more + 1);
    }
    match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).map(String::from),
        0x7f => Some("␡".to_owned()),
        _ => None,
    }
    .unwrap_or_else(|| format!("⟨U+{:04X}⟩", u32::from(c)))
}

/// True if a terminal would obey it or a person not see it, standing where it stands.
fn hostile(before: Option<char>, c: char, after: Option<char>) -> bool {
    match u32::from(c) {
        0x20..0x7f => false,
        // C0, DEL, C1.
        0..0x20 | 0x7f..0xa0 => true,
        // A joiner makes one picture of two, and elsewhere a word that is not what it looks like.
        0x200d => {
            let in_picture = |c: char| picture(c) || c == '\u{fe0f}';
            !(before.is_some_and(in_picture) && after.is_some_and(picture))
        }
        0xfe0e | 0xfe0f => !before.is_some_and(|before| varies(before, after)),
        // Separators of lines, the Braille blank, annotations, Egyptian and shorthand controls.
        0x2028..=0x2029 | 0x2800 | 0xfff0..=0xfffb | 0x13430..=0x1345f | 0x1bca0..=0x1bca3 => true,
        _ => oddity(c).is_some(),
    }
}

fn picture(c: char) -> bool {
    matches!(u32::from(c), 0xa9 | 0xae | 0x2190..=0x2bff | 0x3030 | 0x303d | 0x3297 | 0x3299
        | 0x1f000..=0x1faff)
}

/// True if a variation selector after it chooses between text and picture; after a digit it does in
/// the picture of a key only.
fn varies(c: char, after: Option<char>) -> bool {
    let is_key = matches!(c, '0'..='9' | '#' | '*') && after == Some('\u{20e3}');
    picture(c) || is_key || matches!(c, '‼' | '⁉' | '™' | 'ℹ')
}

/// True if every byte is one plain column.
fn plain(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// One line of text with nothing in it that a terminal would obey.
pub fn safe(text: &str) -> Cow<'_, str> {
    if plain(text) || pieces(text).next() == Some(Piece::Clean(text)) {
        return Cow::Borrowed(text);
    }
    let mut column = 0;
    let shown = pieces(text).map(|piece| shown(&piece, &mut column));
    Cow::Owned(shown.collect())
}

/// A piece as it is drawn at a column, which moves behind it.
fn shown<'a>(piece: &Piece<'a>, column: &mut usize) -> Cow<'a, str> {
    let text: Cow<'a, str> = match piece {
        Piece::Clean(text) => Cow::Borrowed(text),
        Piece::Hostile(text) => mark(text).into(),
        Piece::Tab => " ".repeat(TAB - *column % TAB).into(),
    };
    *column += columns(&text);
    text
}

/// JSON with everything hostile in its texts as `\u` escapes, so that it says the same.
pub fn escaped(json: &str) -> Cow<'_, str> {
    if plain(json) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for piece in pieces(json) {
        match piece {
            Piece::Clean(text) => out.push_str(text),
            Piece::Hostile(text) => {
                let units = text.encode_utf16();
                out.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
            // Only between values: in a text JSON has it escaped already.
            Piece::Tab => out.push(' '),
        }
    }
    Cow::Owned(out)
}

/// One line of text as spans that begin at a column: the text in one style, the marks in another.
pub fn spans(text: &str, mut column: usize, style: Style, marked: Style) -> Vec<Span<'_>> {
    let span = |piece| {
        let is_hostile = matches!(piece, Piece::Hostile(_));
        let text = shown(&piece, &mut column);
        Span::styled(text, if is_hostile { marked } else { style })
    };
    pieces(text).map(span).collect()
}

/// One line of text as spans that begin at a column: ranges of its bytes have a style of their own
/// laid over that of the rest, marks for hidden characters the last one.
pub fn marked(
    text: &str,
    mut column: usize,
    (style, hidden): (Style, Style),
    marks: &[(Range<usize>, Style)],
) -> Vec<Span<'static>> {
    let ends = marks.iter().flat_map(|(range, _)| [range.start, range.end]);
    let mut stops: Vec<usize> = ends.chain([0, text.len()]).collect();
    stops.retain(|stop| text.is_char_boundary(*stop));
    stops.sort_unstable();
    stops.dedup();
    let mut out = Vec::new();
    for (&from, &to) in stops.iter().zip(stops.iter().skip(1)) {
        let covers = |(range, _): &&(Range<usize>, Style)| range.start <= from && to <= range.end;
        let marks = marks.iter().filter(covers);
        let style = marks.fold(style, |style, (_, mark)| style.patch(*mark));
        let part = text.get(from..to).unwrap_or_default();
        for span in spans(part, column, style, hidden) {
            column += width(&span.content);
            out.push(Span::styled(span.content.into_owned(), span.style));
        }
    }
    out
}

fn columns(text: &str) -> usize {
    if plain(text) {
        return text.len();
    }
    let graphemes = text.graphemes(true);
    graphemes.map(|one| usize::from(one.cell_width())).sum()
}

/// Columns that a text takes once it is safe.
pub fn width(text: &str) -> usize {
    columns(&safe(text))
}

/// A text made safe and cut to a width, at a grapheme, with `…` where something is missing.
pub fn fit(text: &str, width: usize) -> String {
    // A line of 100 MB costs what its beginning costs.
    let head = clip(text, width.saturating_mul(64).saturating_add(64));
    let more = head.len() < text.len();
    let text = safe(head);
    if !more && columns(&text) <= width {
        return text.into_owned();
    }
    let Some(room) = width.checked_sub(1) else {
        return String::new();
    };
    let mut used = 0;
    let fits = |(_, grapheme): &(usize, &str)| {
        used += usize::from(grapheme.cell_width());
        used <= room
    };
    let last = text.grapheme_indices(true).take_while(fits).last();
    let end = last.map_or(0, |(at, grapheme)| at + grapheme.len());
    // A joiner without the part that is cut off would be invisible on its own.
    let kept = text.get(..end).unwrap_or_default();
    let kept = kept.trim_end_matches([' ', '\u{200d}']);
    format!("{kept}{CUT}")
}

/// A text made safe, cut to a width, and filled up with spaces to it.
pub fn pad(text: &str, width: usize) -> String {
    let text = fit(text, width);
    let room = width.saturating_sub(columns(&text));
    text + &" ".repeat(room)
}

/// As [`pad`], the text at the right.
pub fn pad_left(text: &str, width: usize) -> String {
    let text = fit(text, width);
    " ".repeat(width.saturating_sub(columns(&text))) + &text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;
    use proptest::prelude::*;

    #[test]
    fn what_a_terminal_would_obey_becomes_a_mark() {
        let table = [
            ("plain text", "plain text"),
            ("\u{1b}[31mred\u{1b}[0m", "␛[31mred␛[0m"),
            ("\u{1b}]52;c;aGk=\u{7}", "␛]52;c;aGk=␇"),
            ("a\0b\rc\nd\u{7f}", "a␀b␍c␊d␡"),
            ("\u{9b}31m", "⟨U+009B⟩31m"),
            ("user\u{202e}txt.exe", "user⟨U+202E⟩txt.exe"),
            ("a\u{2066}b\u{2069}", "a⟨U+2066⟩b⟨U+2069⟩"),
            ("pass\u{200b}word", "pass⟨U+200B⟩word"),
            ("a\u{200d}b", "a⟨U+200D⟩b"),
            ("hi\u{e0041}", "hi⟨U+E0041⟩"),
            ("\u{feff}title", "⟨U+FEFF⟩title"),
            ("x\u{fe0f}", "x⟨U+FE0F⟩"),
            ("1\u{fe0f}2", "1⟨U+FE0F⟩2"),
            ("one\ttwo", "one two"),
            ("four\tx", "four    x"),
            ("é ü 漢字", "é ü 漢字"),
            (
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
            ),
        ];
        for (text, shown) in table {
            assert_eq!(safe(text), shown, "{text:?}");
        }
        let heap = format!("a{}b", "\u{301}".repeat(500));
        assert_eq!(safe(&heap), format!("a{}⟨+492⟩b", "\u{301}".repeat(8)));
    }

    #[test]
    fn a_cut_stands_at_a_word_where_one_is_near() {
        let table = rows! {
            "short" => 10 => "short",
            "exactly ten" => 11 => "exactly ten",
            "OAuth2 Integration Was Too Broad" => 20 => "OAuth2 Integration…",
            "OAuth2 Integration Was Too Broad" => 19 => "OAuth2 Integration…",
            "OAuth2 Integration Was Too Broad" => 12 => "OAuth2 Inte…",
            "Integration" => 6 => "Integ…",
            "漢字漢字" => 6 => "漢字…",
            "漢字漢字" => 8 => "漢字漢字",
            "anything" => 1 => "…",
            "anything" => 0 => "",
            "" => 0 => "",
            "a\u{1b}b" => 3 => "a␛b",
            // Two pictures that are joined and yet not one: the joiner goes with what it joins.
            "0🇦\u{200d}👩👩" => 4 => "0🇦…",
        };
        for (text, columns, shown) in table {
            assert_eq!(fit(text, columns), shown, "{text:?} {columns}");
        }
        assert_eq!(pad("ab", 4), "ab  ");
        assert_eq!(pad_left("12", 4), "  12");
        assert_eq!(width("漢\t!"), 5);
        let long = "x".repeat(5_000_000);
        assert_eq!(fit(&long, 3), "xx…");
    }

    #[test]
    fn spans_tell_marks_from_text() {
        let mark = Style::new().red();
        let shown = spans("a\u{1b}\tb", 0, Style::new(), mark);
        let texts: Vec<_> = shown.iter().map(|span| &*span.content).collect();
        assert_eq!(texts, ["a", "␛", "  ", "b"]);
        assert_eq!(shown[1].style, mark);
    }

    fn nasty() -> impl Strategy<Value = String> {
        let mut odd = vec![
            '\u{1b}', '\u{200d}', '\u{fe0f}', '\u{202e}', '\u{301}', '\t', '\n', '👩', '漢', ' ',
            'a', '\u{ad}', '\u{ff9e}',
        ];
        odd.extend(['\u{e0041}', '\u{1f1e6}']);
        let odd = prop::sample::select(odd);
        prop::collection::vec(prop_oneof![odd, any::<char>()], 0..60)
            .prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn nothing_raw_comes_out(text in nasty()) {
            let shown = safe(&text);
            let chars: Vec<char> = shown.chars().collect();
            for (n, &c) in chars.iter().enumerate() {
                prop_assert!(!c.is_control());
                let before = n.checked_sub(1).map(|n| chars[n]);
                prop_assert!(!hostile(before, c, chars.get(n + 1).copied()), "{:?}", c);
            }
            prop_assert_eq!(safe(&shown), shown.as_ref());
        }

        #[test]
        fn nothing_is_wider_than_asked(text in nasty(), room in 0usize..30) {
            prop_assert!(width(&fit(&text, room)) <= room);
            prop_assert_eq!(width(&pad(&text, room)), room);
        }
    }
}
