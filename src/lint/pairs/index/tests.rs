use super::*;
use crate::lint::pairs::compare::{Relation, Slot, compare};

const AREAS: [&str; 8] = [
    "ledger",
    "checkout",
    "invoice",
    "ferry",
    "timetable",
    "refund",
    "voucher",
    "mailer",
];
const PARTS: [&str; 8] = [
    "adapter", "queue", "builder", "cache", "router", "worker", "schema", "parser",
];

/// A body of a large store: sentences that thousands say, each with other things in its places.
fn noise(n: usize) -> String {
    let mut state = n as u64;
    let mut below = |end: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    below(1);
    let (area, part, other) = (AREAS[below(8)], PARTS[below(8)], PARTS[below(8)]);
    format!(
        "The {area} {part} goes through the {other}, never around it.\n\n\
         - The {area} {part} retries {} times with a timeout of {} s.\n\
         - To add the {area} {part}, start from `src/{area}/{part}_{}.rs`.\n",
        below(9),
        below(300),
        below(2_000),
    )
}

/// Of each kind of contradiction the two sentences about a subject.
const KINDS: [(Slot, &str, &str); 12] = [
    (
        Slot::Number,
        "The pool of the {} holds 12 connections in production.",
        "The pool of the {} holds 40 connections in production.",
    ),
    (
        Slot::Number,
        "Sessions of the {} expire after 30 minutes.",
        "Sessions of the {} expire after 30 hours.",
    ),
    (
        Slot::Number,
        "The {} answers 5 calls within 20 ms.",
        "The {} answers 9 calls within 80 ms.",
    ),
    (
        Slot::Version,
        "The {} is built with Rust 1.60.0.",
        "The {} is built with Rust 1.72.1.",
    ),
    (
        Slot::Date,
        "The certificate of the {} ends in March.",
        "The certificate of the {} ends in October.",
    ),
    (
        Slot::Path,
        "Settings of the {} are kept in `config/prod.toml`.",
        "Settings of the {} are kept in `deploy/values.yaml`.",
    ),
    (
        Slot::Name,
        "The owner of the {} is team Falcon.",
        "The owner of the {} is team Otter.",
    ),
    (
        Slot::Tool,
        "Jobs of the {} are queued in Kafka.",
        "Jobs of the {} are queued in RabbitMQ.",
    ),
    (
        Slot::Opposite,
        "Compression of the {} is on by default.",
        "Compression of the {} is off by default.",
    ),
    (
        Slot::Negation,
        "Commit the generated client of the {}.",
        "Do not commit the generated client of the {}.",
    ),
    (
        Slot::Negation,
        "Always lock the {} before an import.",
        "Never lock the {} before an import.",
    ),
    (
        Slot::Order,
        "In the {} prefer enums over strings for states.",
        "In the {} prefer strings over enums for states.",
    ),
];

const SUBJECTS: [&str; 6] = [
    "north harbour",
    "reef beacon",
    "tide locker",
    "pilot roster",
    "keel album",
    "zephyr desk",
];

#[test]
fn contradictions_of_every_kind_are_found_in_a_store_of_many() {
    let count = MANY + 1_000;
    let index = Index::new(count);
    let mut bodies: Vec<String> = (0..count).map(noise).collect();
    let mut planted = Vec::new();
    for (kind, (slot, a, b)) in KINDS.iter().enumerate() {
        for (n, subject) in SUBJECTS.iter().enumerate() {
            let one = (kind * SUBJECTS.len() + n) * 251 + 13;
            let other = one + 117;
            let (a, b) = (a.replace("{}", subject), b.replace("{}", subject));
            match compare(&statements(&a)[0], &statements(&b)[0]) {
                Relation::Contradiction { slot: found, .. } => assert_eq!(found, *slot, "{a}"),
                relation => panic!("{a} {b} {relation:?}"),
            }
            bodies[one].push_str(&format!("- {a}\n"));
            bodies[other].push_str(&format!("- {b}\n"));
            planted.push(((one as u32, other as u32), a));
        }
    }
    for (n, body) in bodies.iter().enumerate() {
        index.add(n, &index.features(body));
    }
    let pairs = index.pairs();
    assert!(pairs.len() <= MOST_PAIRS + MOST_FRAMED);
    let missed: Vec<&String> = planted
        .iter()
        .filter(|(pair, _)| pairs.binary_search(pair).is_err())
        .map(|(_, text)| text)
        .collect();
    assert!(missed.is_empty(), "{} missed: {missed:?}", missed.len());
}

#[test]
fn no_group_costs_more_than_a_few_pairs() {
    const COUNT: usize = 3_000;
    let said = [
        // All say the same, all say another thing in one place, and few say very much.
        (COUNT, "Read the guide before you change the parser."),
        (COUNT, "The parser holds {} files open at a time."),
        (LIST, "The importer waits {} seconds for the lock."),
    ];
    for (memories, text) in said {
        let index = Index::new(COUNT);
        for n in 0..memories {
            let lines = (0..COUNT / memories).map(|line| {
                let number = (n * 1_000 + line).to_string();
                format!("- {}\n", text.replace("{}", &number))
            });
            index.add(n, &index.features(&lines.collect::<String>()));
        }
        let mut found = Vec::new();
        for part in index.frames.take() {
            for group in part.chunk_by(|a, b| key(*a) == key(*b)) {
                let before = found.len();
                fill(group, &mut found);
                assert!(found.len() - before <= LIST * (LIST - 1) / 2, "{text}");
            }
        }
        let mut shared = Vec::new();
        for part in index.words.take() {
            for group in part.chunk_by(|a, b| a >> 32 == b >> 32) {
                let before = shared.len();
                index.share(group, &mut shared);
                let most = (EACH * (EACH - 1) / 2).max(COMMON);
                assert!(shared.len() - before <= most, "{text}");
            }
        }
    }
}

#[test]
fn what_shares_something_rare_is_a_pair() {
    let index = Index::new(4);
    let bodies = [
        "The pool holds ten connections in production.",
        "Amounts are stored in whole cents everywhere.",
        "The pool holds 20 connections in production.",
        "- Amounts are stored in whole cents, everywhere.",
    ];
    for (n, body) in bodies.iter().enumerate() {
        index.add(n, &index.features(body));
    }
    assert_eq!(index.pairs(), [(0, 2), (1, 3)]);
    assert!(index.pairs().is_empty());
}

#[test]
fn copies_and_lists_share_no_frame_as_pairs() {
    let framed = |bodies: &[&str]| {
        let index = Index::new(bodies.len());
        for (n, body) in bodies.iter().enumerate() {
            index.add(n, &index.features(body));
        }
        index.framed().len()
    };
    let two = "The oven holds two trays of bread.";
    assert_eq!(framed(&[two, two]), 0);
    assert_eq!(framed(&[two, "The oven holds nine trays of bread."]), 1);
    assert_eq!(framed(&[two, "The oven holds two racks of bread."]), 1);
    assert_eq!(
        framed(&[two, "The oven never holds two trays of bread."]),
        1
    );
    let many = ["one", "two", "three", "four", "five"];
    let many = many.map(|number| two.replace("two", number));
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(framed(&many), 0);
}

#[test]
fn what_all_share_pairs_copies_with_their_neighbours_only() {
    let index = Index::new(300);
    for n in 0..300 {
        let features = index.features("Read the guide before you change the parser.");
        index.add(n, &features);
    }
    assert!(index.pairs().is_empty() || index.pairs().len() < 300);
}

#[test]
fn what_is_left_out_on_the_way_is_what_too_many_share() {
    let mut state = 3_u64;
    let mut below = |end: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    // Few of most keys, thousands of some, each in one of the first memories or of all.
    let mut entry = |shift: u32| {
        let keys = if below(2) == 0 { 8 } else { 20_000 };
        let memories = if below(3) == 0 { 6 } else { 90_000 };
        (below(keys) << shift) | below(memories)
    };
    for (parts, shift) in [
        (Index::new(1).words, 32),
        (Index::new(1).frames, MEMORY + VALUE + CLASS),
    ] {
        let all: Vec<u64> = (0..60_000).map(|_| entry(shift)).collect();
        for some in all.chunks(7) {
            parts.put(some.iter().map(|entry| (5, *entry)));
        }
        let kept: usize = {
            let parts = parts.parts.lock().unwrap();
            let pieces = parts[5].pieces.iter().map(Vec::len).sum::<usize>();
            parts[5].sorted.len() + pieces
        };
        let mut sorted = all;
        sorted.sort_unstable();
        sorted.dedup();
        let groups = sorted.chunk_by(parts.is_same);
        let naive: Vec<u64> = groups
            .flat_map(|group| group[..(parts.kept)(group)].iter().copied())
            .collect();
        assert!(kept < sorted.len() && naive.len() < sorted.len());
        assert_eq!(parts.take().nth(5).unwrap(), naive);
    }
}
