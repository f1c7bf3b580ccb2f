//! The pattern as an automaton, whose time grows with the text only.
//!
//! If a pattern has neither back-references nor look-arounds, the leftmost-first match of the
//! `regex` crate is the one ECMA-262 describes, with one exception: an iteration that matches
//! nothing. Such loops are rewritten so that no iteration can, and left alone where that is not
//! possible.
//!
//! The automaton is that crate's lazy one, taken from `regex-automata`: it says when its states
//! outgrow their memory, where `regex` would go on at a cost of pattern times text.

use std::fmt::Write;
use std::ops::Range;

use regex_automata::Input;
use regex_automata::hybrid::{dfa, regex};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

use super::text::{Utf16Text, linear_char};
use super::tree::{Edge, Kind, Node, Pattern, Repeat, Sets, Test, UNBOUNDED};

/// A longer translation is given up.
const MAX_LENGTH: usize = 200_000;

/// The most states, and the most memory they may take.
const MAX_WEIGHT: u64 = 50_000;
const MAX_SIZE: usize = 2 << 20;

/// Memory limit of the states found on a text, and the number of times they may be dropped and
/// found again before giving up.
const MAX_CACHE: usize = 1 << 20;
const MAX_DROPS: usize = 1;

/// The automaton would take too long on this text.
#[derive(Debug)]
pub(super) struct GaveUp;

#[derive(Debug)]
pub(super) struct Linear(regex::Regex);

impl Linear {
    /// Compiles a pattern; nothing where that cannot be.
    pub(super) fn new(pattern: &Pattern) -> Option<Self> {
        let Pattern { root, sets, .. } = pattern;
        if !pattern.is_regular() || weight(root, sets) > MAX_WEIGHT {
            return None;
        }
        let out = String::new();
        let mut writer = Writer { sets, out };
        writer.node(root)?;
        regex::Regex::builder()
            .syntax(syntax::Config::new().nest_limit(10_000))
            .thompson(thompson::Config::new().nfa_size_limit(Some(MAX_SIZE)))
            .dfa(
                dfa::Config::new()
                    .cache_capacity(MAX_CACHE)
                    .skip_cache_capacity_check(true)
                    .minimum_cache_clear_count(Some(MAX_DROPS)),
            )
            .build(&writer.out)
            .ok()
            .map(Self)
    }

    /// The first match.
    pub(super) fn find(&self, text: &Utf16Text) -> Result<Option<Range<usize>>, GaveUp> {
        let mut cache = self.0.create_cache();
        let found = self.0.try_search(&mut cache, &Input::new(text.linear()));
        let found = found.map_err(|_| GaveUp)?;
        Ok(found.map(|found| text.linear_unit(found.start())..text.linear_unit(found.end())))
    }
}

/// Estimates the number of states of the pattern with its repeats written out.
fn weight(node: &Node, sets: &Sets) -> u64 {
    match &node.kind {
        Kind::Empty => 0,
        Kind::Unit(Test::Set(number)) => sets.get(*number).map_or(1, |set| {
            u64::try_from(set.ranges().len()).unwrap_or(u64::MAX)
        }),
        Kind::Unit(_) | Kind::Edge(_) | Kind::Reference(_) => 1,
        Kind::Look(look) => weight(&look.body, sets),
        Kind::Group(_, body) => weight(body, sets),
        Kind::Repeat(repeat) => {
            let times = if repeat.max == UNBOUNDED {
                repeat.min.max(1)
            } else {
                repeat.max
            };
            weight(&repeat.body, sets).saturating_mul(u64::from(times))
        }
        Kind::Sequence(parts) | Kind::Choice(parts) => parts
            .iter()
            .fold(1, |sum: u64, part| sum.saturating_add(weight(part, sets))),
    }
}

struct Writer<'a> {
    sets: &'a Sets,
    out: String,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) -> Option<()> {
        self.out.push_str(text);
        (self.out.len() <= MAX_LENGTH).then_some(())
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        match &node.kind {
            Kind::Empty => Some(()),
            Kind::Unit(test) => self.test(*test),
            Kind::Edge(edge) => self.text(match edge {
                Edge::Start => r"\A",
                Edge::End => r"\z",
                Edge::Boundary => r"(?-u:\b)",
                Edge::NoBoundary => r"(?-u:\B)",
            }),
            Kind::Look(_) | Kind::Reference(_) => None,
            Kind::Group(_, body) => self.wrapped(|writer| writer.node(body)),
            Kind::Repeat(repeat) => self.repeat(repeat),
            Kind::Sequence(parts) => parts.iter().try_for_each(|part| self.node(part)),
            Kind::Choice(branches) => self.choice(branches, Self::node),
        }
    }

    fn wrapped(&mut self, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.text("(?:")?;
        write(self)?;
        self.text(")")
    }

    fn choice(
        &mut self,
        branches: &[Node],
        write: fn(&mut Self, &Node) -> Option<()>,
    ) -> Option<()> {
        self.wrapped(|writer| {
            for (index, branch) in branches.iter().enumerate() {
                if index > 0 {
                    writer.text("|")?;
                }
                write(writer, branch)?;
            }
            Some(())
        })
    }

    fn repeat(&mut self, repeat: &Repeat) -> Option<()> {
        let Repeat {
            min, max, greedy, ..
        } = *repeat;
        if repeat.body.least > 0 {
            self.wrapped(|writer| writer.node(&repeat.body))?;
            return self.counts(min, max, greedy);
        }
        // Required repeats may match nothing; optional ones must not.
        if min > 0 {
            self.wrapped(|writer| writer.node(&repeat.body))?;
            self.counts(min, min, true)?;
        }
        if max == min {
            return Some(());
        }
        self.wrapped(|writer| writer.filled(&repeat.body))?;
        let more = if max == UNBOUNDED { max } else { max - min };
        self.counts(0, more, greedy)
    }

    fn counts(&mut self, min: u32, max: u32, greedy: bool) -> Option<()> {
        match (min, max) {
            (0, UNBOUNDED) => self.text("*")?,
            (1, UNBOUNDED) => self.text("+")?,
            (min, UNBOUNDED) => write!(self.out, "{{{min},}}").ok()?,
            (min, max) => write!(self.out, "{{{min},{max}}}").ok()?,
        }
        self.text(if greedy { "" } else { "?" })
    }

    /// The node where it matches something, its ways to match in the same order.
    fn filled(&mut self, node: &Node) -> Option<()> {
        if node.least > 0 {
            return self.node(node);
        }
        if node.most == 0 {
            return self.text(r"[a&&b]");
        }
        match &node.kind {
            Kind::Group(_, body) => self.wrapped(|writer| writer.filled(body)),
            Kind::Choice(branches) => self.choice(branches, Self::filled),
            Kind::Sequence(parts) => self.filled_sequence(parts),
            Kind::Repeat(repeat) if repeat.min == 0 => {
                self.wrapped(|writer| writer.filled(&repeat.body))?;
                self.counts(1, repeat.max, repeat.greedy)
            }
            _ => None,
        }
    }

    /// The first part that matches something, and whether what follows it has to.
    fn filled_sequence(&mut self, parts: &[Node]) -> Option<()> {
        let (first, rest) = parts.split_first()?;
        if rest.is_empty() {
            return self.filled(first);
        }
        if first.most == 0 {
            self.node(first)?;
            return self.filled_sequence(rest);
        }
        // A loop is empty in one way only: its last if it is greedy, else its first.
        let Kind::Repeat(Repeat { min: 0, greedy, .. }) = first.kind else {
            return None;
        };
        self.wrapped(|writer| {
            if !greedy {
                writer.filled_sequence(rest)?;
                writer.text("|")?;
            }
            writer.filled(first)?;
            rest.iter().try_for_each(|part| writer.node(part))?;
            if greedy {
                writer.text("|")?;
                writer.filled_sequence(rest)?;
            }
            Some(())
        })
    }

    fn test(&mut self, test: Test) -> Option<()> {
        self.text("[")?;
        match test {
            Test::One(unit) => self.range(unit, unit)?,
            Test::Two(one, other) => {
                self.range(one, one)?;
                self.range(other, other)?;
            }
            Test::Set(number) => {
                let sets = self.sets;
                let ranges = sets.get(number)?.ranges();
                if ranges.is_empty() {
                    self.text("a&&b")?;
                }
                for &(low, high) in ranges {
                    self.range(low, high)?;
                }
            }
        }
        self.text("]")
    }

    /// A range of units, in up to three ranges of characters.
    fn range(&mut self, low: u16, high: u16) -> Option<()> {
        const PIECES: [(u16, u16); 3] = [(0, 0xD7FF), (0xD800, 0xDFFF), (0xE000, 0xFFFF)];
        for (first, last) in PIECES {
            let (low, high) = (low.max(first), high.min(last));
            if low <= high {
                let (low, high) = (linear_char(low), linear_char(high));
                write!(
                    self.out,
                    r"\u{{{:x}}}-\u{{{:x}}}",
                    u32::from(low),
                    u32::from(high)
                )
                .ok()?;
            }
        }
        (self.out.len() <= MAX_LENGTH).then_some(())
    }
}
