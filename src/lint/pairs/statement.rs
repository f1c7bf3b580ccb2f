//! The statements of a body: its sentences and the lines of its lists, without headings, tables,
//! code blocks and comments.

mod label;
mod lines;
mod naming;
mod record;
mod remark;
mod tail;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use label::is_about_itself;
pub use lines::Form;
use lines::{Begins, Block, blocks, in_text, on_one_line};

use super::words::{Hashes, Kind, Token, hash, join, tokens};
use super::{filed, table};
use crate::lint::chars::cut;

/// One statement of a text.
#[derive(Clone, Debug)]
pub struct Statement<'a> {
    /// Where it begins in the text.
    pub start: usize,
    /// Its words, on one line.
    pub text: Cow<'a, str>,
    /// The same as it stands in the text.
    source: &'a str,
    begins: Begins,
    /// Its tokens, by their bytes in `text`.
    pub tokens: Vec<Token>,
    /// In what it stands.
    pub form: Form,
    /// A hash of what it stands below, where that is a name.
    pub under: Option<u32>,
    /// Whether it stands behind a box to tick.
    boxed: bool,
    /// Whether it says how the text was filed.
    pub filed: bool,
    label: OnceCell<Option<usize>>,
    aside: OnceCell<bool>,
    /// How many of its words are its head.
    head: OnceCell<Option<usize>>,
}

/// Words of order, by the hashes of tokens.
static ORDERS: LazyLock<Hashes> =
    LazyLock::new(|| table::ORDERING.all().map(super::words::of_word).collect());

/// Statements of one body beyond these are not looked at.
const MOST: usize = 1_000;

/// Bytes of a statement beyond these are not looked at.
const LONGEST: usize = 2_000;

/// The statements of a body that say something.
pub fn statements(body: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let filed = filed::lines(body);
    for block in blocks(body) {
        let text = body.get(block.at.clone()).unwrap_or_default();
        let whole = 0..text.len();
        let sentences = match block.form {
            Form::Prose => sentences(text),
            Form::Row | Form::Setting => std::iter::once(whole).collect(),
        };
        for sentence in sentences {
            let source = text.get(sentence.clone()).unwrap_or_default();
            let start = block.at.start + sentence.start;
            let mut one = Statement::of(start, source).within(&block);
            one.filed = filed::hold(&filed, &one.bytes());
            let content = one.tokens.iter().filter(|token| token.kind.is_content());
            if content.count() >= 2 {
                found.push(one);
            }
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}

/// How many bytes a statement begins with that say nothing of it: `**Note:** `, `In general, `.
fn lead(text: &str) -> usize {
    const MARKS: [char; 2] = ['*', '_'];
    let bare = text.trim_start_matches(MARKS);
    let is_lead = |lead: &&&str| {
        let head = bare.get(..lead.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(lead))
    };
    let lead = table::LEADS.iter().find(is_lead);
    let rest = lead.and_then(|lead| bare.get(lead.len()..));
    let rest = rest.map(|rest| rest.trim_start_matches(MARKS));
    // What is marked goes on: `*` that opens stands behind a blank.
    let rest = rest.map(str::trim_start).filter(|rest| !rest.is_empty());
    rest.map_or(0, |rest| text.len() - rest.len())
}

impl<'a> Statement<'a> {
    /// What these words say, which begin at this byte of a text.
    fn of(start: usize, source: &'a str) -> Self {
        // A sentence of a quotation may begin with a line of it.
        let words = source.trim_start_matches(['>', ' ']);
        let boxes = ["[ ] ", "[x] ", "[X] "];
        let ticked = boxes.iter().find_map(|own| words.strip_prefix(own));
        let (boxed, words) = (ticked.is_some(), ticked.unwrap_or(words));
        let (start, source) = (start + source.len() - words.len(), words);
        let (line, begins) = on_one_line(source);
        let skipped = in_text(&begins, &(lead(&line)..line.len())).start;
        let source = cut(source.get(skipped..).unwrap_or_default(), LONGEST);
        let (text, begins) = on_one_line(source);
        Self {
            start: start + skipped,
            tokens: tokens(&text),
            text,
            source,
            begins,
            form: Form::Prose,
            under: None,
            boxed,
            filed: false,
            label: OnceCell::new(),
            aside: OnceCell::new(),
            head: OnceCell::new(),
        }
    }

    /// The same as a part of what stands together.
    fn within(self, block: &Block<'_>) -> Self {
        let tokens = tokens(block.under).into_iter();
        let under = tokens.map(|token| token.hash).reduce(join);
        let form = block.form;
        Self {
            form,
            under,
            ..self
        }
    }

    /// Where it stands in its text.
    pub fn bytes(&self) -> Range<usize> {
        self.start..self.start + self.source.len()
    }

    /// Some bytes of its words as bytes of it in its text.
    pub fn in_source(&self, at: &Range<usize>) -> Range<usize> {
        in_text(&self.begins, at)
    }

    /// As it stands in its text.
    #[cfg(test)]
    pub const fn source(&self) -> &'a str {
        self.source
    }

    /// The words of a token.
    pub fn word(&self, token: &Token) -> &str {
        self.text.get(token.at.clone()).unwrap_or_default()
    }

    /// A hash of all its words.
    pub fn spelling(&self) -> u32 {
        let tokens = self.tokens.iter();
        tokens.fold(0, |hash, token| join(hash, token.hash))
    }

    /// What a statement about the same is likely to share: neighbouring words that say
    /// something, and such with one between them; of numbers only that there is one.
    pub fn features(&self) -> Vec<u32> {
        let content = self.tokens.iter().filter(|token| token.kind.is_content());
        let words: Vec<u32> = content
            .map(|token| {
                if token.kind.is_number() {
                    hash(b"0")
                } else {
                    token.hash
                }
            })
            .collect();
        let next = words.iter().zip(words.iter().skip(1));
        let after = words.iter().zip(words.iter().skip(2));
        let next = next.map(|(a, b)| join(*a, *b));
        let after = after.map(|(a, b)| join(a.rotate_left(7), *b));
        let mut features: Vec<u32> = next.chain(after).collect();
        features.extend(self.choice(words.len()));
        features.extend(self.order(&words));
        features.sort_unstable();
        features.dedup();
        features
    }

    /// A feature of the label of a short statement: `**Database**: MySQL` shares nothing else
    /// with another choice.
    fn choice(&self, length: usize) -> Option<u32> {
        let end = (length <= 6).then(|| self.label())??;
        let label = self
            .tokens
            .iter()
            .filter(|token| token.at.end <= end && token.kind.is_content());
        label
            .map(|token| token.hash)
            .reduce(join)
            .map(|hash| join(hash, 1))
    }

    /// A feature of the words in whatever order, where a word says that the order matters.
    fn order(&self, words: &[u32]) -> Option<u32> {
        self.is_ordered().then(|| {
            let mut sorted = words.to_vec();
            sorted.sort_unstable();
            sorted.into_iter().fold(2, join)
        })
    }

    /// How many of its words turn it round: `not only` does not.
    pub fn negations(&self) -> usize {
        let next = self.tokens.iter().skip(1).map(Some).chain([None]);
        let turns = |(token, next): &(&Token, Option<&Token>)| {
            let only = next.is_some_and(|next| self.word(next).eq_ignore_ascii_case("only"));
            token.kind == Kind::Negation && !only
        };
        self.tokens.iter().zip(next).filter(turns).count()
    }

    /// Whether a word in it says that the order matters.
    pub fn is_ordered(&self) -> bool {
        self.tokens.iter().any(|token| self.is_order(token))
    }

    /// Whether a word of it is one of order.
    pub fn is_order(&self, token: &Token) -> bool {
        // `npm, not yarn`
        let rather = || {
            let before = self.text.get(..token.at.start).unwrap_or_default();
            self.word(token) == "not" && before.trim_end().ends_with(',')
        };
        ORDERS.contains(&token.hash) || (token.kind == Kind::Negation && rather())
    }

    /// Whether it is a line to type into a shell.
    pub fn is_command(&self) -> bool {
        let first = self.text.split_whitespace().next().unwrap_or_default();
        let word = first.trim_matches(['`', '(', '$', '"']).to_lowercase();
        let known = table::COMMANDS.has(&word) && first.starts_with(|c: char| !c.is_uppercase());
        known && !self.text.trim_start_matches('`').contains('`')
    }

    /// Whether it is a line of data or code rather than of language.
    pub fn is_data(&self) -> bool {
        let text = self.text.trim_start();
        let odd = text.starts_with(['{', '[', '}', '<', '"', '\'', '|', '@', '├', '│', '└']);
        let link = text.starts_with('[') && text.contains("](");
        let tail = text.trim_end().ends_with(['{', ';', ',', '(']);
        (odd && !link) || tail
    }

    /// Whether it stands for itself and contradicts nothing: a command, a record, data or a frame.
    pub fn stands_aside(&self) -> bool {
        let aside = || {
            self.filed
                || self.is_command()
                || self.is_record()
                || self.is_data()
                || self.is_frame()
                || self.is_task()
        };
        *self.aside.get_or_init(aside)
    }

    /// Whether it is something to do, or that was done: a box stands in front of an order.
    fn is_task(&self) -> bool {
        let mut words = self.tokens.iter();
        let is = |token: &Token| table::BEING.has(&self.word(token).to_lowercase());
        self.boxed && self.label().is_none() && !words.any(is)
    }

    /// The words of it without the reason or the further clause at its end; nothing where it has
    /// none. A clause that says when or where the rest holds is none: both may hold then.
    pub fn head_tokens(&self) -> Option<&[Token]> {
        let find = || self.find_head();
        self.tokens.get(..(*self.head.get_or_init(find))?)
    }

    /// The statement that these words say.
    pub fn head(&self) -> Option<Self> {
        self.until(self.head_tokens()?.len())
    }

    /// Its first words as a statement.
    pub fn until(&self, count: usize) -> Option<Self> {
        let tokens = self.tokens.get(..count)?;
        let end = tokens.last()?.at.end;
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(..end)?),
            Cow::Owned(text) => Cow::Owned(text.get(..end)?.to_owned()),
        };
        Some(Self {
            start: self.start,
            text,
            source: self.source,
            begins: self.begins.clone(),
            form: self.form,
            under: self.under,
            boxed: self.boxed,
            filed: self.filed,
            tokens: tokens.to_vec(),
            label: OnceCell::new(),
            aside: OnceCell::new(),
            head: OnceCell::from(None),
        })
    }

    /// Whether it introduces something, points to another place, or is about the note itself:
    /// such lines stand in many notes and differ.
    pub fn is_frame(&self) -> bool {
        let words = self
            .tokens
            .iter()
            .map(|token| self.word(token).to_lowercase());
        let first = words.clone().next().unwrap_or_default();
        let label = self.label().unwrap_or_default();
        let head = self.tokens.iter().filter(|token| token.at.end <= label);
        let head: Vec<String> = head.map(|token| self.word(token).to_lowercase()).collect();
        let itself = match &*head {
            // The size of what it stands below.
            [one] if self.under.is_some() && table::OF_A_THING.has(one) => false,
            head => is_about_itself(head),
        };
        let second = self.tokens.get(1);
        // `read: 30 s` says how long.
        let told = head.len() == 1 && second.is_some_and(|second| second.kind.is_number());
        let ends = self.text.trim_end().trim_end_matches(['*', '_', '`']);
        ends.ends_with([':', '：']) || itself || (!told && table::POINTERS.has(&first))
    }
}

/// Ends of words that a sentence does not end with.
const SHORT: [&str; 12] = [
    "e.g.", "i.e.", "etc.", "vs.", "cf.", "no.", "vol.", "st.", "dr.", "mr.", "mrs.", "ca.",
];

/// The sentences of a paragraph, by their bytes.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let wide = matches!(c, '。' | '！' | '？');
        if !(wide || matches!(c, '.' | '!' | '?')) {
            continue;
        }
        let after = text.get(end..).unwrap_or_default();
        let after = after.trim_start_matches(['*', ')', '"', '`', '”']);
        let begins = after.trim_start();
        let next = begins.chars().next();
        let new = next.is_some_and(|c| {
            !c.is_lowercase() && !c.is_ascii_digit() && !matches!(c, '.' | ')' | '(' | ',')
        });
        if wide
            || (after.len() > begins.len()
                && new
                && !is_short(text.get(start..end).unwrap_or_default()))
        {
            let stop = text.len() - after.len();
            push(&mut found, text, start..stop);
            start = text.len() - begins.len();
            while chars.peek().is_some_and(|(at, _)| *at < start) {
                chars.next();
            }
        }
    }
    push(&mut found, text, start..text.len());
    found
}

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    if !text
        .get(range.clone())
        .unwrap_or_default()
        .trim()
        .is_empty()
    {
        found.push(range);
    }
}

/// Whether the dot at the end of a text belongs to an abbreviation or an initial.
fn is_short(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let initial = last.chars().count() == 2 && last.starts_with(char::is_uppercase);
    initial || SHORT.contains(&last.trim_start_matches('(').to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Vec<&str> {
        let found = statements(body);
        let source = |one: &Statement<'_>| &body[one.bytes()];
        found.iter().map(source).collect()
    }

    #[test]
    fn bodies_fall_into_statements() {
        assert_eq!(
            read(
                "# Heading of it\n\nThe pool holds ten connections. Use e.g. PgBouncer before it. \
                 J. Doe wrote that.\n\n- [x] first item here\n  goes on\n2. second item here\n> quoted line here\n\n```sh\ncargo test now\n```\n| a table | row |\n<!-- a comment here\nsecond line -->\n---\nlast line stands"
            ),
            [
                "The pool holds ten connections.",
                "Use e.g. PgBouncer before it.",
                "J. Doe wrote that.",
                "first item here\n  goes on",
                "second item here",
                "quoted line here",
                "last line stands",
            ]
        );
    }

    #[test]
    fn broken_lines_are_joined_and_ended_ones_are_not() {
        let long = "The importer holds the lock for as long as the whole file takes";
        assert_eq!(
            read(&format!("{long}\nTo read, so keep files small.")).len(),
            1
        );
        assert_eq!(read("Port: number 80\nHost: name here").len(), 2);
        assert_eq!(read(&format!("{long}.\nNext one here")).len(), 2);
    }

    #[test]
    fn commands_records_and_data_are_known() {
        let one = |text: &'static str| statements(text).remove(0);
        assert!(one("cargo test --workspace everything").is_command());
        assert!(!one("Run `cargo test` before each commit").is_command());
        assert!(!one("Cargo builds everything here").is_command());
        assert!(one("failure: cmd=cargo test, exit=1").is_record());
        assert!(one("2026-01-02 wrote the importer").is_record());
        assert!(!one("The retry limit is 3").is_record());
        assert!(one("\"name\": \"thing here\",").is_data());
        assert_eq!(one("**Timeout**: thirty seconds").label(), Some(11));
    }
}
