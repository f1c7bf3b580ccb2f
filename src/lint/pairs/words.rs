//! Statements as tokens: what two of them share and where they differ is told by these.

mod unspaced;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::LazyLock;

use super::table;
pub use unspaced::is_unspaced;
use unspaced::unspaced;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number, with its sign of currency, percent sign and unit where they touch it.
    Number,
    /// A number with two dots or more, or one after a `v`.
    Version,
    /// A number in letters.
    Numeral,
    /// The name of a month.
    Month,
    /// A path, or what stands in a code span or has an underscore.
    Code,
    /// A word with a capital.
    Name,
    /// A word that turns a statement round: `not`, `never`, `avoid`.
    Negation,
    /// A word that says nothing of its own.
    Stop,
    /// Any other word.
    Word,
}

impl Kind {
    /// How much a token counts where two statements are compared.
    pub const fn weight(self) -> f64 {
        match self {
            Self::Stop | Self::Negation => 0.25,
            _ => 1.0,
        }
    }

    /// Whether it is a quantity.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Version | Self::Numeral)
    }

    /// Whether it says something of its own.
    pub const fn is_content(self) -> bool {
        !matches!(self, Self::Stop | Self::Negation)
    }
}

/// A token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes in the text.
    pub at: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// A hash of its form without case, ending and signs: equal tokens mean the same.
    pub hash: u32,
}

/// Tokens beyond these of one statement are not looked at.
const MOST: usize = 160;

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut buffer = String::new();
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        if !may_begin(*byte) {
            at += 1;
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let c = rest.chars().next().unwrap_or(' ');
        let (skip, length, code) = cut(rest, c);
        if length > 0 {
            let range = at + skip..at + skip + length;
            let raw = text.get(range.clone()).unwrap_or_default();
            let (mut kind, hash) = classify(raw, code, &mut buffer);
            if raw == "A" && is_letter(text, &range) {
                kind = Kind::Name;
            }
            // `8 s` says how much, and `s` alone says nothing.
            let before = found.last().filter(|before: &&Token| {
                let between = text.get(before.at.end..range.start);
                before.kind == Kind::Number && matches!(between, Some(" " | "\u{a0}"))
            });
            if before.is_some() && !code && table::is_symbol(raw) {
                kind = Kind::Word;
            }
            found.push(Token {
                at: range,
                kind,
                hash,
            });
            if found.len() == MOST {
                break;
            }
        }
        at += (skip + length).max(c.len_utf8()) + usize::from(code);
    }
    found
}

/// Whether a capital in the midst of a sentence is a name, `node A of`, and no article of a title.
fn is_letter(text: &str, at: &Range<usize>) -> bool {
    let before = text.get(..at.start).unwrap_or_default();
    let after = text.get(at.end..).unwrap_or_default().trim_start();
    let within = before.strip_suffix(' ');
    within.is_some_and(|before| before.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit()))
        && !after.starts_with(char::is_uppercase)
}

/// Whether a token may begin with this byte.
const fn may_begin(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'`' | b'$' | b'.' | b'/' | b'~' | b'@' | 0x80..
        )
}

/// Of what begins here: how much is skipped before a token, how long that is, and whether it
/// stands alone in a code span.
fn cut(rest: &str, c: char) -> (usize, usize, bool) {
    if c == '`' {
        let inner = rest.get(1..).unwrap_or_default();
        let end = inner.find(['`', ' ', '\n', '\t']);
        return match end {
            Some(end)
                if end > 0 && inner.get(end..).is_some_and(|after| after.starts_with('`')) =>
            {
                (1, end, true)
            }
            _ => (0, 0, false),
        };
    }
    let next = rest.chars().nth(1).unwrap_or(' ');
    let money = matches!(c, '$' | '€' | '£') && next.is_ascii_digit();
    if c.is_ascii_digit() || money {
        return (0, number(rest), false);
    }
    if c.is_alphanumeric() || c == '_' {
        return (0, unspaced(rest, word(rest)), false);
    }
    let path = matches!(c, '.' | '/' | '~' | '@')
        && (next.is_alphanumeric() || matches!(next, '/' | '.' | '_'));
    if path {
        let length = word(rest);
        let letters = rest
            .get(..length)
            .unwrap_or_default()
            .chars()
            .any(char::is_alphanumeric);
        return (0, if letters { length } else { 0 }, false);
    }
    (0, 0, false)
}

/// How long the number is that a text begins with.
fn number(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    let mut end = 0;
    let mut letters = 0;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |next| next.1);
        let sign = at == 0 && matches!(c, '$' | '€' | '£');
        let inner = letters == 0 && matches!(c, ',' | '.' | ':' | '/') && next.is_ascii_digit();
        if c.is_alphabetic() {
            letters += 1;
        }
        let digit = c.is_ascii_digit() && letters == 0;
        // `3e-4` is one number.
        let exponent = letters == 1
            && matches!(c, '-' | '+')
            && next.is_ascii_digit()
            && rest
                .get(..at)
                .is_some_and(|head| head.ends_with(['e', 'E']));
        // `640x480` as well.
        let times = letters == 1 && matches!(c, 'x' | '×') && next.is_ascii_digit();
        letters = if exponent || times { 0 } else { letters };
        if exponent || times || sign || digit || inner || (c.is_ascii_alphabetic() && letters <= 4)
        {
            end = at + c.len_utf8();
        } else if c == '%' {
            return at + 1;
        } else {
            break;
        }
    }
    end
}

/// How long the word, name or path is that a text begins with.
fn word(rest: &str) -> usize {
    // Nearly all words are letters and a blank.
    let letters = rest.bytes();
    let letters = letters.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let letters = letters.count();
    if letters > 0
        && matches!(
            rest.as_bytes().get(letters),
            None | Some(b' ' | b'\n' | b',' | b';' | b')' | b'`' | b'"')
        )
    {
        return letters;
    }
    let mut chars = rest.char_indices().peekable();
    let mut end = 0;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |next| next.1);
        let joins = match c {
            '-' | '@' | ':' | '#' | '\'' | '’' => next.is_alphanumeric() || next == '_',
            '.' | '/' | '~' | '*' => {
                next.is_alphanumeric() || matches!(next, '_' | '/' | '.' | '*')
            }
            _ => c.is_alphanumeric() || c == '_',
        };
        if !joins {
            break;
        }
        end = at + c.len_utf8();
    }
    let found = rest.get(..end).unwrap_or_default();
    found
        .trim_end_matches(['.', '*', '/', '~'])
        .len()
        .max(usize::from(end > 0))
}

/// The prime of FNV-1a.
const FNV: u64 = 0x0100_0000_01b3;

/// Looks words up, and numbers that are hashes already.
#[derive(Clone, Copy, Default)]
pub struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    /// FNV-1a: words are short, and come from a table or a text of the person's own.
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(FNV);
        }
    }

    fn write_u32(&mut self, number: u32) {
        // The table takes its place from the low bits and seven high ones.
        self.0 = (u64::from(number) << 32) | u64::from(number);
    }
}

/// A set of hashes.
pub type Hashes = HashSet<u32, BuildHasherDefault<Hashed>>;

/// Words by their hashes, each with its kind and the hash of what it means.
type Kinds = HashMap<u32, (&'static str, Kind, u32), BuildHasherDefault<Hashed>>;

/// The kinds of the words in the tables.
static KNOWN: LazyLock<Kinds> = LazyLock::new(|| {
    let lists = [
        (table::STOP, Kind::Stop),
        (table::MONTHS, Kind::Month),
        (table::NUMERALS, Kind::Numeral),
        (table::NEGATIONS, Kind::Negation),
    ];
    let words = lists
        .into_iter()
        .flat_map(|(list, kind)| list.split(' ').map(move |word| (word, kind)))
        .map(|(word, kind)| {
            let (word, means) = word.split_once('/').unwrap_or((word, word));
            (hash(word.as_bytes()), (word, kind, hash(means.as_bytes())))
        });
    words.collect()
});

/// For a word, by the hash of its form, the hash of the one that stands for all that say the same.
static SAME: LazyLock<HashMap<u32, u32, BuildHasherDefault<Hashed>>> = LazyLock::new(|| {
    let mut same = HashMap::default();
    for line in table::SAME {
        let first = hash(line.as_bytes());
        for form in line.split(' ').flat_map(forms) {
            same.entry(hash(form.as_bytes())).or_insert(first);
        }
    }
    same
});

/// What is left of a word without each of its endings: `use` and `us`, `modify` and `modifi`.
fn forms(word: &str) -> [String; 4] {
    [
        word.to_owned(),
        stem(word).to_owned(),
        word.strip_suffix('e').unwrap_or(word).to_owned(),
        word.strip_suffix('y')
            .map_or_else(|| word.to_owned(), |stem| format!("{stem}i")),
    ]
}

/// What a token is, and the hash of its form, which is made in the buffer.
fn classify(raw: &str, code: bool, form: &mut String) -> (Kind, u32) {
    form.clear();
    if raw.is_ascii() {
        form.push_str(raw);
        form.make_ascii_lowercase();
    } else {
        let lower = raw.chars().flat_map(char::to_lowercase);
        form.extend(lower.map(|c| if c == '’' { '\'' } else { c }));
    }
    let first = raw.chars().next().unwrap_or(' ');
    if !code && (first.is_ascii_digit() || matches!(first, '$' | '€' | '£')) {
        form.retain(|c| !matches!(c, '$' | '€' | '£' | '%' | ','));
        // `06:00` is six o'clock.
        if form.starts_with('0') && form.as_bytes().get(2) == Some(&b':') {
            form.remove(0);
        }
        let dots = form.bytes().filter(|b| *b == b'.').count();
        let kind = if dots > 1 {
            Kind::Version
        } else {
            Kind::Number
        };
        return (kind, hash(form.as_bytes()));
    }
    let tail = form.strip_prefix('v').unwrap_or_default();
    if tail.starts_with(|c: char| c.is_ascii_digit())
        && tail.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    {
        form.remove(0);
        return (Kind::Version, hash(form.as_bytes()));
    }
    let own = hash(form.as_bytes());
    // `any` and `on` in a code span are names.
    if !code
        && let Some((word, kind, means)) = KNOWN.get(&own)
        && *word == form.as_str()
    {
        // `may` is a month only where it is written as one.
        let lower = *kind == Kind::Month && first.is_lowercase();
        return (if lower { Kind::Stop } else { *kind }, *means);
    }
    if !code && form.ends_with("n't") {
        return (Kind::Negation, own);
    }
    if code || raw.bytes().any(|byte| matches!(byte, b'/' | b'_')) {
        // A folder is the same with a `/` at its end, which is left out beside a code span.
        let folder = form.strip_suffix('/').map(|folder| hash(folder.as_bytes()));
        return (Kind::Code, folder.unwrap_or(own));
    }
    let whole = form.len();
    if let Some(cut) = form.strip_suffix("'s") {
        let length = cut.len();
        form.truncate(length);
    }
    let length = stem(form).len();
    form.truncate(length);
    let kind = if first.is_uppercase() {
        Kind::Name
    } else {
        Kind::Word
    };
    let hash = match form.len() == whole {
        true => own,
        false => hash(form.as_bytes()),
    };
    (kind, SAME.get(&hash).copied().unwrap_or(hash))
}

/// A word without the ending of a plural or a verb, and without what that ending doubled or took:
/// `skipped` and `skips`, `caches` and `cache` are the same.
pub fn stem(word: &str) -> &str {
    let whole = match word.bytes().next_back() {
        Some(b's') if word.ends_with("ss") => None,
        Some(b'g' | b'd' | b's' | b'y') => ["ing", "edly", "ed", "es", "s", "ly"]
            .into_iter()
            .filter_map(|ending| word.strip_suffix(ending))
            .find(|stem| stem.len() >= 3),
        Some(b'e') if word.len() >= 5 => word.strip_suffix('e'),
        _ => None,
    };
    let stem = whole.unwrap_or(word);
    match stem.as_bytes() {
        [.., a, b'b' | b'g' | b'm' | b'n' | b'p' | b'r' | b't']
            if stem.len() >= 4 && stem.len() < word.len() && stem.as_bytes().last() == Some(a) =>
        {
            stem.get(..stem.len() - 1).unwrap_or(stem)
        }
        _ => stem,
    }
}

/// The hash of the token that a word of a text is.
pub fn of_word(word: &str) -> u32 {
    tokens(word).first().map_or(0, |token| token.hash)
}

/// FNV-1a, folded to 32 bits: the same on every machine and in every run.
pub fn hash(bytes: &[u8]) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(FNV);
    }
    mix(hash)
}

/// Two hashes as one, in this order.
pub fn join(a: u32, b: u32) -> u32 {
    mix((u64::from(a) << 32) | u64::from(b))
}

/// Spreads 64 bits over 32 (the finish of MurmurHash3).
pub fn mix(mut hash: u64) -> u32 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    u32::try_from((hash ^ (hash >> 33)) >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&str, Kind)> {
        tokens(text)
            .into_iter()
            .map(|token| (&text[token.at], token.kind))
            .collect()
    }

    #[test]
    fn texts_fall_into_tokens() {
        use Kind::*;
        assert_eq!(
            read("The pool has 30s, `max_size` and $1,200.50 in src/db/pool.rs."),
            [
                ("The", Stop),
                ("pool", Word),
                ("has", Stop),
                ("30s", Number),
                ("max_size", Code),
                ("and", Stop),
                ("$1,200.50", Number),
                ("in", Stop),
                ("src/db/pool.rs", Code)
            ]
        );
        assert_eq!(
            read("Never use Rust v1.93 or 2.4.1 with `cargo test`; don’t"),
            [
                ("Never", Negation),
                ("use", Word),
                ("Rust", Name),
                ("v1.93", Version),
                ("or", Stop),
                ("2.4.1", Version),
                ("with", Stop),
                ("cargo", Word),
                ("test", Word),
                ("don’t", Negation)
            ]
        );
        assert_eq!(
            read("./gradlew .ralph/specs/** ..."),
            [("./gradlew", Code), (".ralph/specs", Code)]
        );
        assert_eq!(read("3e-4 5E+10"), [("3e-4", Number), ("5E+10", Number)]);
        assert_eq!(
            read("10e-books 2e-"),
            [("10e", Number), ("books", Word), ("2e", Number)]
        );
        assert_eq!(read("`` ` ``` 🎉 —"), []);
    }

    #[test]
    fn endings_case_and_signs_do_not_tell_tokens_apart() {
        let one = |text: &str| tokens(text)[0].hash;
        assert_eq!(one("Tests"), one("test"));
        for (word, other) in [
            ("skipped", "skips"),
            ("caches", "cache"),
            ("passed", "pass"),
            ("running", "run"),
            ("planned", "plan"),
            ("filled", "fills"),
            ("added", "add"),
        ] {
            assert_eq!(one(word), one(other), "{word} {other}");
        }
        assert_eq!(one("06:00"), one("6:00"));
        assert_eq!(one("1,000"), one("1000"));
        assert_eq!(one("v1.2"), one("1.2"));
        assert_eq!(one("three"), one("3"));
        assert_eq!(one("second"), one("2nd"));
        assert_eq!(one("`src/lint/`"), one("src/lint/"));
        for (one_word, other) in [
            ("runs", "executing"),
            ("Uses", "utilizes"),
            ("kept", "store"),
        ] {
            assert_eq!(one(one_word), one(other), "{one_word} {other}");
        }
        assert_ne!(one("start"), one("stop"));
        assert_ne!(one("30s"), one("30ms"));
        assert_ne!(one("src/a.rs"), one("src/b.rs"));
    }
}
