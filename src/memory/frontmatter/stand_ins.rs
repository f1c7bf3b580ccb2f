//! Characters that npm's `yaml` takes for themselves and the reader of record does not: U+0085,
//! U+2028 and U+2029, which it takes for line ends, control characters, byte order marks at the
//! beginning of lines, and halves of surrogate pairs in escapes (`"\ud83d\ude00"`), as JSON has
//! them.
//!
//! The reader of record gets another character for each, one that the text has nowhere, and the
//! values that it reads get the original back.

use std::collections::{HashMap, HashSet};

use crate::memory::{Fields, Value};

/// The byte order mark.
const MARK: &str = "\u{feff}";

/// A text with stand-ins, and the originals of those.
pub(super) struct Disguised {
    /// The text for the reader of record.
    pub(super) text: String,
    originals: HashMap<char, Original>,
}

/// The original of a stand-in.
enum Original {
    /// A character.
    Char(char),
    /// Half of a surrogate pair, with its four digits as they are written.
    Half(u16, String),
}

impl Disguised {
    /// A text with stand-ins; none where it needs none, or where there are too few.
    pub(super) fn new(text: &str) -> Option<Self> {
        let has_mark = text.starts_with(MARK) || text.contains("\n\u{feff}");
        if !has_mark && !text.contains("\\u") && !text.contains(is_odd) {
            return None;
        }
        let mut free = free(text);
        let mut given: HashMap<&str, char> = HashMap::new();
        let mut originals = HashMap::new();
        let mut stand_in = |piece, original: Original| match given.get(piece) {
            Some(known) => Some(*known),
            None => {
                let new = free.next()?;
                given.insert(piece, new);
                originals.insert(new, original);
                Some(new)
            }
        };
        let mut out = String::with_capacity(text.len());
        let mut began = false;
        for line in text.split_inclusive('\n') {
            let mut rest = line.strip_prefix(MARK).unwrap_or(line);
            // Before the first entry a byte order mark is taken away, after it is a character.
            if rest.len() < line.len() && began {
                out.push(stand_in(MARK, Original::Char('\u{feff}'))?);
            }
            let bare = rest.trim();
            began |= !bare.is_empty() && !bare.starts_with('#');
            while let Some(at) = rest.find(|c| c == '\\' || is_odd(c)) {
                let (plain, from) = rest.split_at_checked(at)?;
                out.push_str(plain);
                let c = from.chars().next()?;
                let (piece, after) = from.split_at_checked(c.len_utf8())?;
                rest = after;
                if let Some((digits, unit)) = half(from) {
                    let new = stand_in(digits, Original::Half(unit, digits.to_owned()))?;
                    out.push_str(&format!("\\u{:04x}", u32::from(new)));
                    rest = from.get(6..)?;
                } else if c == '\\' {
                    out.push(c);
                } else {
                    out.push(stand_in(piece, Original::Char(c))?);
                }
            }
            out.push_str(rest);
        }
        Some(Self {
            text: out,
            originals,
        })
    }

    /// Fields with the originals in the place of their stand-ins.
    pub(super) fn fields(&self, fields: &Fields) -> Fields {
        let fields = fields.iter();
        fields
            .map(|(name, value)| (self.restored(name), self.value(value)))
            .collect()
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Text(text) => self.restored(text).into(),
            Value::List(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Map(fields) => Value::Map(Box::new(self.fields(fields))),
            other => other.clone(),
        }
    }

    /// A text with the originals in the place of their stand-ins. Half a pair without the other
    /// becomes U+FFFD, as it does when JavaScript writes it to a file.
    pub(super) fn restored(&self, text: &str) -> String {
        let mut units: Vec<u16> = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let mut width = c.len_utf8();
            let mut own = [0; 2];
            match self.originals.get(&c) {
                Some(Original::Half(unit, _)) => units.push(*unit),
                Some(Original::Char(c)) => units.extend_from_slice(c.encode_utf16(&mut own)),
                None => units.extend_from_slice(c.encode_utf16(&mut own)),
            }
            // If it is no escape, a half appears in the text as its digits.
            if c == '\\'
                && let Some(digits) = self.spelled(rest)
            {
                units.push(u16::from(b'u'));
                units.extend(digits.encode_utf16());
                width = 6;
            }
            rest = rest.get(width..).unwrap_or_default();
        }
        String::from_utf16_lossy(&units)
    }

    /// The digits of the half whose stand-in is spelled at the beginning of a text.
    fn spelled(&self, text: &str) -> Option<&str> {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        let stand_in = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
        match self.originals.get(&stand_in)? {
            Original::Half(_, digits) => Some(digits),
            Original::Char(_) => None,
        }
    }
}

/// Characters for private use that a text has neither as such nor by their four digits.
fn free(text: &str) -> impl Iterator<Item = char> + use<> {
    let mut used: HashSet<u32> = text.chars().map(u32::from).collect();
    let number = |four: &[u8]| {
        let is_number = four.iter().all(u8::is_ascii_hexdigit);
        let four = std::str::from_utf8(four).ok().filter(|_| is_number)?;
        u32::from_str_radix(four, 16).ok()
    };
    used.extend(text.as_bytes().windows(4).filter_map(number));
    ('\u{e000}'..='\u{f8ff}').filter(move |c| !used.contains(&u32::from(*c)))
}

/// True for a character that the reader of record refuses or takes for a line end.
const fn is_odd(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Half of a surrogate pair as an escape at the beginning of a text: its digits and its value.
fn half(text: &str) -> Option<(&str, u16)> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let unit = u16::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    (0xd800..0xe000).contains(&unit).then_some((digits, unit))
}
