//! Which memories match a query, best first.

use std::sync::Arc;

use rayon::prelude::*;

use super::query::{Marks, Query};
use super::word::{Tools, is_loose, with_tools};
use crate::memory::{Fields, Memory, Timestamp};

/// A memory that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The memory, by its index in the snapshot.
    pub index: u32,
    /// How well it matches; higher is better, 0 where only fields were asked for.
    pub score: u32,
}

impl Hit {
    /// True if some word of the query is there with its letters scattered only.
    pub const fn is_loose(self) -> bool {
        is_loose(self.score)
    }
}

/// Reads what a memory does not hold.
#[derive(Clone, Copy)]
pub struct Reads<'a> {
    /// The fields of a memory beside those it holds, where the query asks for one.
    pub inner: &'a (dyn Fn(&Memory) -> Fields + Sync),
    /// The text of a memory; none where texts are not looked at.
    pub body: Option<Body<'a>>,
}

/// Reads the text of a memory.
pub type Body<'a> = &'a (dyn Fn(&Memory) -> Option<String> + Sync);

/// Number of memories that one thread looks at in a row.
const PIECE: usize = 512;

/// The memories that match, by score and then by their order. A memory without marks is matched all the
/// same. Parts of a memory are read only if they may decide.
pub fn filter(
    memories: &[Arc<Memory>],
    marks: &[Marks],
    query: &Query,
    now: Timestamp,
    reads: Reads<'_>,
) -> Vec<Hit> {
    let score = |index: usize, memory: &Memory, tools: &mut Tools| {
        let marks = marks.get(index).copied().unwrap_or_default();
        let is_inner = query.asks_inner(memory);
        let whole = is_inner.then(|| memory.with_inner(&(reads.inner)(memory)));
        let memory = whole.as_ref().unwrap_or(memory);
        let found = query.score(memory, &marks, now, None, tools);
        // A word in a text counts more than its letters scattered elsewhere, and nothing else.
        let decides = found.is_none_or(is_loose) || query.asks_body();
        match reads.body.filter(|_| decides) {
            Some(read) => {
                let body = read(memory);
                query.score(memory, &marks, now, body.as_deref(), tools)
            }
            None => found,
        }
    };
    let pieces = memories.par_chunks(PIECE).enumerate();
    let hits = pieces.flat_map_iter(|(n, piece)| {
        with_tools(|tools| {
            let hit = |(index, memory): (usize, &Arc<Memory>)| {
                let score = score(index, memory, tools)?;
                let index = u32::try_from(index).ok()?;
                Some(Hit { index, score })
            };
            (n * PIECE..).zip(piece).filter_map(hit).collect::<Vec<_>>()
        })
    });
    let mut hits: Vec<Hit> = hits.collect();
    hits.par_sort_unstable_by_key(|hit| (u32::MAX - hit.score, hit.index));
    hits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memory::format;
    use crate::search::tests::{NOW, memory};

    const NOTHING: Reads<'_> = Reads {
        inner: &|_| Fields::default(),
        body: None,
    };

    fn text() -> impl Strategy<Value = String> {
        "[abcABC éЖж日1/_-]{0,14}"
    }

    fn memories() -> impl Strategy<Value = Vec<Arc<Memory>>> {
        let one = (text(), "[abé]{0,4}", "[a-c/]{1,6}", 0_i64..60);
        let one = one.prop_map(|(title, tag, local, days)| {
            Arc::new(memory(&local, &title, &[&tag], "high", days))
        });
        proptest::collection::vec(one, 0..60)
    }

    fn query() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            "[!'^]{0,2}[abcABCéж1/-]{1,3}[$]{0,1}",
            Just("created:<30d".to_owned()),
            Just("tag:a*".to_owned()),
            Just("|".to_owned()),
        ];
        proptest::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
    }

    /// The memories that match one by one, in order.
    fn naive(
        memories: &[Arc<Memory>],
        query: &Query,
        body: impl Fn(&Memory) -> Option<String>,
    ) -> Vec<Hit> {
        let hit = |(index, memory): (u32, &Arc<Memory>)| {
            let body = body(memory);
            let score = query.matches(memory, &Marks::default(), NOW, body.as_deref())?;
            Some(Hit { index, score })
        };
        let mut hits: Vec<Hit> = (0..).zip(memories).filter_map(hit).collect();
        hits.sort_by(|a, b| b.score.cmp(&a.score).then(a.index.cmp(&b.index)));
        hits
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn it_finds_what_matches_in_order(memories in memories(), text in query()) {
            let query = Query::parse(&text, &[format::schema("rawko")]).unwrap();
            let hits = filter(&memories, &[], &query, NOW, NOTHING);
            prop_assert_eq!(hits, naive(&memories, &query, |_| None));
        }

        #[test]
        fn texts_are_looked_at_where_they_may_decide(memories in memories(), text in query(), bodies in proptest::collection::vec("[abc ]{0,9}", 1..9)) {
            let query = Query::parse(&text, &[format::schema("rawko")]).unwrap();
            let body = |memory: &Memory| bodies.get(memory.id.local.len() % bodies.len()).cloned();
            let reads = Reads { body: Some(&body), ..NOTHING };
            let hits = filter(&memories, &[], &query, NOW, reads);
            prop_assert_eq!(hits, naive(&memories, &query, body));
        }
    }

    #[test]
    fn a_word_in_the_text_counts_where_a_field_is_enough() {
        let all = [Arc::new(memory("a", "Title", &[], "high", 1))];
        let body = |_: &Memory| Some("rates".to_owned());
        let reads = Reads {
            body: Some(&body),
            ..NOTHING
        };
        for text in ["created:<30d | rates", "rates | created:<30d"] {
            let query = Query::parse(text, &[format::schema("rawko")]).unwrap();
            let hits = filter(&all, &[], &query, NOW, reads);
            assert!(hits[0].score > 0, "{text}");
            assert_eq!(hits, naive(&all, &query, body), "{text}");
        }
    }
}
