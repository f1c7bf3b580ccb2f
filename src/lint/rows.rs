//! Rules as rows of data: keywords, a pattern, conditions around it, an example and a counter-example.
//!
//! One pass over a text finds the keywords of all rows of a table; only rows with a keyword in the
//! text are matched. Patterns may use the named `[parts]` of their table: `{{command}}`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use itertools::Itertools as _;
use serde::Deserialize;

use super::chars::{cut, last_of};
use crate::memory::steps::step;
use crate::text::patterns::Pattern;

/// Below this certainty a match is a suggestion.
pub(super) const SURE: f64 = 0.8;
/// Bytes before and after a match that its conditions see.
const AROUND: usize = 160;
/// Lines with text, and bytes, from a keyword on in which a `near` row matches.
const NEAR_LINES: usize = 3;
const NEAR: usize = 1000;

/// Bytes of texts from which on they are many.
const MUCH: usize = 1 << 18;

/// The least entropy of a secret that its form tells.
const FORM: f64 = 2.7;

/// One form of what a rule looks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub id: String,
    pub name: String,
    /// Texts (in lower case) of which every match has one; behind `^` those that begin a word.
    keywords: Vec<String>,
    /// A small pattern that matches wherever the large one does: only then that one is compiled.
    gate: Option<Pattern>,
    /// Its pattern. The first group, if there is one, is what is found.
    pattern: Pattern,
    before: Option<Pattern>,
    not_before: Option<Pattern>,
    not_after: Option<Pattern>,
    /// Texts that are part of a match; all of them.
    #[serde(default)]
    with: Vec<Pattern>,
    unless: Option<Pattern>,
    /// True if a match begins with its keyword and ends within a few lines.
    #[serde(default)]
    near: bool,
    /// The look of a secret value.
    shape: Option<Shape>,
    /// The least entropy of a secret value, in bits for each character.
    #[serde(default)]
    entropy: f64,
    #[serde(default = "sure")]
    pub confidence: f64,
    #[cfg_attr(not(test), expect(dead_code, reason = "rows show themselves to tests"))]
    pub example: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "rows show themselves to tests"))]
    counter_example: Vec<String>,
}

const fn sure() -> f64 {
    0.97
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    #[serde(default)]
    parts: BTreeMap<String, String>,
    /// Words that are no secret values.
    #[serde(default)]
    pub words: Words,
    /// The text that may not stand directly before a match of any row.
    not_before: Option<Pattern>,
    pub row: Vec<Row>,
    /// The row of each keyword, and whether a word begins with it.
    #[serde(skip)]
    owners: Vec<(usize, bool)>,
    /// Finds the keywords of all rows: built fast, and fast where much is read.
    #[serde(skip)]
    keywords: [OnceLock<Option<AhoCorasick>>; 2],
    #[serde(skip)]
    read: AtomicUsize,
}

#[derive(Clone)]
pub(super) struct Hit {
    pub row: &'static Row,
    pub at: Range<usize>,
}

/// Matches, none inside another, by where they begin.
#[derive(Default)]
pub(super) struct Hits(BTreeMap<usize, Hit>);

impl Hits {
    /// Adds a match unless another one covers some of it.
    pub fn add(&mut self, row: &'static Row, at: Range<usize>) {
        let before = self.0.range(..at.end).next_back();
        if before.is_none_or(|(_, hit)| hit.at.end <= at.start) {
            self.0.insert(at.start, Hit { row, at });
        }
    }

    pub fn into_vec(self) -> Vec<Hit> {
        self.0.into_values().collect()
    }
}

impl Table {
    /// Reads a table; one that is not sound has no rows, which a test would notice.
    pub fn parse(text: &str) -> Self {
        let mut table: Self = toml::from_str(text).unwrap_or_default();
        let parts = std::mem::take(&mut table.parts).into_iter();
        let parts = parts.map(|(name, part)| (format!("{{{{{name}}}}}"), format!("(?:{part})")));
        let parts = parts.collect_vec();
        // Parts may have parts.
        let expand = |Pattern { source, .. }: &mut Pattern| {
            while let Some((name, part)) = parts.iter().find(|(name, _)| source.contains(name)) {
                *source = source.replace(name, part);
            }
        };
        let words = table.words.0.values_mut();
        words.chain(&mut table.not_before).for_each(expand);
        for row in &mut table.row {
            let conditions = [&mut row.before, &mut row.not_before, &mut row.not_after];
            let conditions = conditions
                .into_iter()
                .chain([&mut row.unless, &mut row.gate]);
            conditions.flatten().chain(&mut row.with).for_each(expand);
            expand(&mut row.pattern);
        }
        let rows = table.row.iter().enumerate();
        let owner = |n, word: &String| (n, word.starts_with('^'));
        let owners = rows.flat_map(|(n, row)| row.keywords.iter().map(move |word| owner(n, word)));
        table.owners = owners.collect();
        table
    }

    /// The keywords of all rows. Their automaton takes longer to build than a few texts to read.
    fn keywords(&self, text: &str) -> Option<&AhoCorasick> {
        let [small, large] = &self.keywords;
        let (built, kind) = match self.read.fetch_add(text.len(), Ordering::Relaxed) {
            0..MUCH => (small, AhoCorasickKind::ContiguousNFA),
            _ => (large, AhoCorasickKind::DFA),
        };
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).kind(Some(kind));
        let words = self.row.iter().flat_map(|row| &row.keywords);
        let words = words.map(|word| word.trim_start_matches('^'));
        built.get_or_init(|| builder.build(words).ok()).as_ref()
    }

    /// True if a value is a password of words, as people make them up.
    pub fn is_made_up(&self, row: &Row, value: &str) -> bool {
        let is_password = matches!(row.shape, Some(Shape::Password | Shape::Strong));
        is_password && self.words.is("word", value)
    }

    pub fn row(&self, id: &str) -> Option<&Row> {
        self.row.iter().find(|row| row.id == id)
    }

    /// The findings of the rows in a text; where two rows match, the first one counts.
    pub fn find(&'static self, text: &str) -> Hits {
        step(text.len());
        let mut hits = Hits::default();
        let Some(keywords) = self.keywords(text) else {
            return hits;
        };
        // Rows with a keyword in the text, and where near ones may begin.
        let mut likely: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for hit in keywords.find_overlapping_iter(text) {
            let owner = self.owners.get(hit.pattern().as_usize()).copied();
            let Some((row, begins)) = owner else { continue };
            let before = text.get(..hit.start()).unwrap_or_default();
            if begins && before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
                continue;
            }
            let starts = likely.entry(row).or_default();
            if self.row.get(row).is_some_and(|row| row.near) {
                starts.insert(hit.start());
            }
        }
        for (row, starts) in likely {
            let Some(row) = self.row.get(row) else {
                continue;
            };
            let parts = match row.near {
                true => near(text, starts),
                false => std::iter::once(0..text.len()).collect(),
            };
            for part in parts {
                self.match_row(row, text, part, &mut hits);
            }
        }
        hits
    }

    fn match_row(&self, row: &'static Row, text: &str, part: Range<usize>, hits: &mut Hits) {
        let within = text.get(part.clone()).unwrap_or_default();
        if row.gate.as_ref().is_some_and(|gate| !gate.is_in(within)) {
            return;
        }
        for (whole, found) in row.pattern.places(within) {
            let at = part.start + found.start..part.start + found.end;
            let value = text.get(at.clone()).unwrap_or_default();
            let own = row.shape.map(|shape| trimmed(shape, value));
            let at = at.start..at.start + own.unwrap_or(value).len();
            let whole = part.start + whole.start..part.start + whole.end;
            if self.fits_around(row, text, &whole) && self.is_value(row, text, &at) {
                hits.add(row, at);
            }
        }
    }

    fn fits_around(&self, row: &Row, text: &str, at: &Range<usize>) -> bool {
        let before = last_of(text.get(..at.start).unwrap_or_default(), AROUND);
        let after = cut(text.get(at.end..).unwrap_or_default(), AROUND);
        let matched = text.get(at.clone()).unwrap_or_default();
        let is = |pattern: &Option<Pattern>, text| pattern.as_ref().map(|one| one.is_in(text));
        is(&row.before, before) != Some(false)
            && is(&row.not_before, before) != Some(true)
            && is(&self.not_before, before) != Some(true)
            && is(&row.not_after, after) != Some(true)
            && is(&row.unless, matched) != Some(true)
            && row.with.iter().all(|pattern| pattern.is_in(matched))
    }

    /// True if a part of a text is a value of the shape that a row asks for.
    pub fn is_value(&self, row: &Row, text: &str, at: &Range<usize>) -> bool {
        let value = text.get(at.clone()).unwrap_or_default();
        let after = text.get(at.end..).unwrap_or_default();
        row.shape.is_none_or(|shape| {
            let least = if shape == Shape::Form { FORM } else { 0.0 };
            let is_random = entropy(value) >= row.entropy.max(least);
            is_random && self.words.is_value(shape, value, after)
        })
    }
}

/// A row of a table of lines: how a line begins, or what all of it is.
#[derive(Deserialize)]
struct LineRow {
    pattern: String,
    /// Names of the kinds of lines it is one of.
    #[serde(default)]
    kinds: Vec<String>,
    #[cfg(test)]
    example: String,
    #[cfg(test)]
    counter: String,
}

#[derive(Default, Deserialize)]
pub(super) struct LineTable {
    row: Vec<LineRow>,
}

impl LineTable {
    /// Reads a table; one that is not sound has no rows, which a test would notice.
    pub fn parse(text: &str) -> Self {
        toml::from_str(text).unwrap_or_default()
    }

    /// The patterns of a kind as alternatives of one; of all rows if no kind is named.
    pub fn joined(&self, kind: &str) -> String {
        let is_of_kind =
            |row: &&LineRow| kind.is_empty() || row.kinds.iter().any(|one| one == kind);
        let rows = self.row.iter().filter(is_of_kind);
        format!("(?:{})", rows.map(|row| &row.pattern).join("|"))
    }
}

/// The parts of a text in which matches stand that begin at these bytes; parts that overlap are one.
fn near(text: &str, starts: BTreeSet<usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for start in starts {
        let mut lines = 0;
        let rest = cut(text.get(start..).unwrap_or_default(), NEAR);
        let part = rest.split_inclusive('\n').take_while(|line| {
            lines += usize::from(!line.trim().is_empty());
            lines <= NEAR_LINES
        });
        let end = start + part.map(str::len).sum::<usize>();
        match parts.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => parts.push(start..end),
        }
    }
    parts
}

/// The conditions on a value beside its pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    /// Any value that is no placeholder: the pattern of the row is specific enough.
    Form,
    /// Letters with digits or signs, and no word, variable or call.
    Password,
    /// The same with digits, and with signs or mixed characters.
    Strong,
    /// The same as a password, of 12 characters or more, with two digits or jumbled.
    Random,
    /// The same, mixed as no name is, and no hash and no id.
    Key,
}

/// Patterns by name: of values that are no secrets, and of words around a secret.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Words(BTreeMap<String, Pattern>);

const RANDOM: usize = 12;
const SIGNS: &str = "!@#$%^&*?+";

impl Words {
    pub fn is(&self, name: &str, text: &str) -> bool {
        self.0.get(name).is_some_and(|one| one.is_in(text))
    }

    /// True if a value with this text behind it is of a shape.
    fn is_value(&self, shape: Shape, value: &str, after: &str) -> bool {
        let mut lower = value.to_lowercase();
        if value.contains('\n') {
            // Quotation marks at the beginning of its lines.
            lower.retain(|c| c != '>');
        }
        if self.is("placeholder", &lower) {
            return false;
        }
        let has = |is: fn(char) -> bool| value.contains(is);
        let is_mixed = || has(|c| c.is_ascii_digit() || SIGNS.contains(c)) || is_jumbled(value);
        let password = || has(char::is_alphabetic) && is_mixed() && !self.is("no_password", &lower);
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let is_long = value.len() >= RANDOM;
        let is_random = || !is_name(value) && (digits >= 2 || is_jumbled(value));
        let random = || password() && is_long && is_random();
        match shape {
            Shape::Form => true,
            Shape::Password => password(),
            Shape::Strong => digits > 0 && password() && is_strong(value, after),
            Shape::Random => random(),
            Shape::Key => random() && is_keylike(value) && !self.is("no_key", value),
        }
    }
}

/// A value without the brackets and the stop that close what it stands in: `{{password: …}}.`
fn trimmed(shape: Shape, value: &str) -> &str {
    const BRACKETS: [(char, char); 3] = [('{', '}'), ('(', ')'), ('[', ']')];
    let mut own = value;
    while shape != Shape::Form
        && let Some(rest) = BRACKETS.iter().find_map(|(open, close)| {
            let rest = own.strip_suffix(*close)?;
            (!rest.contains(*open)).then_some(rest)
        })
    {
        own = rest;
    }
    own.trim_end_matches('.')
}

/// True if a value has a sign in it, or is mixed; a sign at its end may belong to the sentence.
fn is_strong(value: &str, after: &str) -> bool {
    let goes_on = after.strip_prefix(' ').unwrap_or_default();
    let inside = match goes_on.starts_with(char::is_lowercase) {
        true => value,
        false => value.trim_end_matches(['.', '?', '!', '*', ')']),
    };
    inside.contains(|c| SIGNS.contains(c) && !"@+".contains(c)) || is_mixed(inside)
}

/// True if capitals, small letters and digits are mixed as in no name.
fn is_mixed(value: &str) -> bool {
    let class = |byte: u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let classes: Vec<u8> = value.bytes().map(class).collect();
    let turns = classes.windows(2).filter(|two| two.first() != two.last());
    let has = |class: u8| classes.iter().filter(|one| **one == class).count() >= 2;
    classes.len() >= 10 && turns.count() * 2 >= classes.len() && (0..3).all(has)
}

/// True if capitals and small letters change as in no name: `xXX` or `XxX`, several times.
fn is_jumbled(value: &str) -> bool {
    const LONG: usize = 20;
    let is_odd = |three: &[u8]| match three {
        [a, b, c] => {
            let capitals = [a, b, c].map(u8::is_ascii_uppercase);
            let small = [a, b, c].map(u8::is_ascii_lowercase);
            small[0] && capitals[1] && capitals[2] || capitals[0] && small[1] && capitals[2]
        }
        _ => false,
    };
    let odd = value.as_bytes().windows(3).filter(|three| is_odd(three));
    value.len() >= LONG && odd.count() >= 3
}

/// True if a value is joined words, such as `rotateKeysV2Job`.
fn is_name(value: &str) -> bool {
    let words = value.split(|c: char| !c.is_ascii_lowercase()).map(str::len);
    let letters: usize = words.filter(|length| *length >= 3).sum();
    value.contains(|c: char| c.is_ascii_uppercase()) && letters * 20 >= value.len() * 11
}

/// True if a value is no name of joined words.
fn is_keylike(value: &str) -> bool {
    let two_capitals = |two: &[u8]| two.iter().all(u8::is_ascii_uppercase);
    let numbers = value.split(|c: char| !c.is_ascii_digit());
    let numbers = numbers.filter(|digits| !digits.is_empty()).count();
    // A name of joined words has few numbers.
    let joined = numbers < 4
        && value.contains(|c: char| c.is_ascii_uppercase())
        && !value.as_bytes().windows(2).any(two_capitals);
    !joined && (numbers >= 3 || is_mixed(value) || is_jumbled(value))
}

/// Shannon's entropy of a value, in bits for each byte; scaled to a full alphabet for one of
/// hexadecimal digits alone, which can have four at most.
fn entropy(value: &str) -> f64 {
    const HEX: f64 = 1.2;
    let bytes = value.bytes().sorted_unstable().collect_vec();
    let all = value.len().max(1) as f64;
    let parts = bytes.chunk_by(|a, b| a == b);
    let parts = parts.map(|same| same.len() as f64 / all);
    let bits: f64 = parts.map(|part| -part * part.log2()).sum();
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    if hex { bits * HEX } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tests::examples::filled_with;
    use regex::Regex;

    #[test]
    fn each_row_of_lines_matches_its_example_and_not_its_counter_example() {
        for (text, case, end) in [
            (include_str!("../../assets/lint/empty.toml"), "i", "$"),
            (include_str!("../../assets/lint/output.toml"), "u", ""),
        ] {
            let table: LineTable = toml::from_str(text).unwrap();
            let pattern = |text: &str| Regex::new(&format!("^(?{case}:{text}){end}")).unwrap();
            let all = pattern(&table.joined(""));
            for row in &table.row {
                let own = pattern(&row.pattern);
                assert!(own.is_match(&row.example), "{}", row.example);
                // Program output may begin like a line of another row.
                let other = if end.is_empty() { &own } else { &all };
                assert!(!other.is_match(&row.counter), "{}", row.counter);
            }
        }
    }

    const SEEDS: u64 = 8;

    #[test]
    fn each_row_finds_its_example_and_not_its_counter_example() {
        let mut wrong = Vec::new();
        let tables = [
            include_str!("../../assets/lint/secrets.toml"),
            include_str!("../../assets/lint/reader.toml"),
            include_str!("../../assets/lint/exfiltration.toml"),
            include_str!("../../assets/lint/personal.toml"),
        ];
        // Texts of ASCII alone have expressions of their own.
        let cases = tables
            .into_iter()
            .flat_map(|text| [(text, ""), (text, "\né")]);
        for (text, end) in cases {
            toml::from_str::<Table>(text).unwrap();
            let table: &'static Table = Box::leak(Box::new(Table::parse(text)));
            for row in &table.row {
                let conditions = [&row.before, &row.not_before, &row.not_after, &row.unless];
                let conditions = conditions.into_iter().chain([&row.gate]);
                let patterns = conditions.flatten().chain(&row.with);
                for pattern in patterns.chain([&row.pattern]) {
                    assert!(pattern.regex("é").is_some(), "{}", pattern.source);
                }
                let finds = |text: &String, seed: u64| {
                    let hits = table.find(&(filled_with(text, seed) + end)).into_vec();
                    hits.iter().any(|hit| hit.row.id == row.id)
                };
                assert!(!row.example.is_empty() && !row.counter_example.is_empty());
                for seed in 0..SEEDS {
                    let missed = row.example.iter().filter(|text| !finds(text, seed));
                    wrong.extend(missed.map(|text| format!("{} misses {text} ({seed})", row.id)));
                }
                let found = row.counter_example.iter().filter(|text| finds(text, 0));
                wrong.extend(found.map(|text| format!("{} finds {text}", row.id)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn entropy_in_bits() {
        assert!((entropy("xxxx") - 0.0).abs() < 1e-9);
        assert!((entropy("wxyz") - 2.0).abs() < 1e-9);
        assert!((entropy("abcd") - 2.4).abs() < 1e-9);
    }
}
