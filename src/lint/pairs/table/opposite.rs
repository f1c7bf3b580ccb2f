//! Words of which one excludes the other, by a table and by their form.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Words;
use crate::lint::pairs::words::stem;

/// Pairs of which one excludes the other.
const OPPOSITES: &str = "enable/disable enabled/disabled on/off true/false yes/no always/never allow/forbid allow/deny \
allow/block allowed/forbidden allowed/prohibited permitted/forbidden require/forbid \
required/optional required/nullable nullable/non-null mandatory/optional sync/async \
synchronous/asynchronous mutable/immutable public/private include/exclude positive/negative \
ascending/descending open/close opened/closed accept/reject pass/fail safe/unsafe valid/invalid \
supported/unsupported strict/lenient lowercase/uppercase tabs/spaces left/right top/bottom \
internal/external local/remote manual/automatic manually/automatically possible/impossible \
present/absent visible/hidden active/inactive online/offline upper/lower opt-in/opt-out \
stateless/stateful single/multiple higher/lower more/less most/least minimum/maximum \
earliest/latest read-only/writable inbound/outbound explicit/implicit eager/lazy singular/plural \
before/after first/last case-sensitive/case-insensitive blocking/non-blocking shared/exclusive \
increase/decrease increases/decreases server/client camelcase/snake_case relative/absolute \
must/must-not with/without merge/rebase kept/deleted kept/removed kept/dropped keep/delete \
retained/deleted nullable/not-null parallel/sequentially parallel/sequential parallel/serially \
concurrently/sequentially enabled/off enabled/inactive on/disabled on/inactive active/off \
active/disabled allowed/denied allowed/blocked allowed/disallowed permitted/prohibited \
required/forbidden encrypted/unencrypted encrypted/plain-text encrypted/plaintext \
encrypted/clear-text encrypted/cleartext hashed/plain-text hashed/plaintext signed/unsigned \
cached/uncached mutable/read-only writable/read-only keep/remove deprecated/recommended new/old \
least/exactly most/exactly eingeschaltet/ausgeschaltet aktiviert/deaktiviert erlaubt/verboten \
erforderlich/optional synchron/asynchron immer/nie toujours/jamais siempre/nunca sempre/nunca";

/// Pairs that say how, when or of which kind something is.
const CONTRASTS: &str = "headed/headless optimistic/pessimistic morning/evening morning/afternoon morning/night \
midnight/noon day/night daytime/nighttime am/pm weekday/weekend weekdays/weekends \
vertical/horizontal vertically/horizontally portrait/landscape upward/downward upwards/downwards \
forward/backward forwards/backwards clockwise/counterclockwise lossy/lossless warm/cold hot/cold \
persistent/ephemeral persistent/transient permanent/temporary permanently/temporarily \
volatile/persistent volatile/durable static/dynamic statically/dynamically fixed/variable \
fatal/harmless greedy/lazy eagerly/lazily idle/busy loose/strict loose/tight loosely/tightly \
light/dark bright/dark thin/thick shallow/deep narrow/wide short/long small/large big/small \
fast/slow cheap/expensive empty/full odd/even high/low raised/lowered increasing/decreasing \
chronological/alphabetical chronologically/alphabetically first-party/third-party \
in-house/third-party prepend/append prepended/appended pushed/pulled inner/outer \
inline/external inclusive/exclusive inclusively/exclusively bundled/external \
batched/individually batch/streaming centralized/decentralized centralised/decentralised \
normalized/denormalized normalised/denormalised interactive/unattended \
bidirectional/unidirectional single/multi monolithic/modular abstract/concrete rooted/rootless \
privileged/rootless authenticated/anonymous accepted/declined accepted/rejected passed/failed \
approved/rejected started/stopped running/stopped paused/running success/failure real/fake \
real/mocked mocked/live compressed/uncompressed compressed/raw minified/unminified \
buffered/unbuffered verbose/quiet verbose/silent loud/silent loudly/silently visible/invisible \
expanded/collapsed open/closed plugged/unplugged attached/detached connected/disconnected \
coupled/decoupled ordered/unordered sorted/unsorted little-endian/big-endian most/fewest \
frequent/rare frequently/rarely often/rarely often/seldom globally/locally global/local \
globally/per-user shared/isolated shared/separate shared/private together/separately \
jointly/separately atomically/separately soft/hard soft-delete/hard-delete managed/unmanaged \
typed/untyped tracked/untracked versioned/unversioned bounded/unbounded limited/unlimited \
pinned/floating pinned/unpinned outdated/current stale/fresh legacy/modern primary/secondary \
primary/replica leader/follower master/replica debit/credit gross/net \
upstream/downstream \
client-side/server-side \
reversible/permanent reversible/final revocable/permanent front/back frontend/backend \
north/south east/west oldest/newest older/newer oldest-first/newest-first fifo/lifo alive/dead \
strongly/weakly strong/weak strong/eventual stronger/weaker longer/shorter larger/smaller \
faster/slower earlier/later early/late fewer/more singleton/transient succeed/fail \
succeeds/fails true-positive/false-positive nightly/hourly daily/hourly daily/weekly \
daily/monthly weekly/monthly hourly/weekly daily/yearly monthly/yearly nightly/weekly";

/// Words of these pairs that tell what to do or how often, and not which kind of a thing is meant.
pub static ORDERS: Words = Words::of(
    "enable disable allow deny forbid block require include exclude accept reject open close keep \
delete remove merge rebase pass fail increase decrease on off always never must more less most \
least with without before after install uninstall lock unlock mount unmount prepend append pack unpack \
yes no true false often rarely seldom frequently",
);

/// The words of all pairs.
pub fn opposites() -> impl Iterator<Item = &'static str> {
    let lists = [OPPOSITES, CONTRASTS].into_iter();
    lists.flat_map(|list| list.split([' ', '/']))
}

/// For a word the other words of its pairs, all of them without endings.
type Others = HashMap<&'static str, Vec<&'static str>>;

static EXCLUDED: LazyLock<Others> = LazyLock::new(|| others(OPPOSITES));
static CONTRASTED: LazyLock<Others> = LazyLock::new(|| others(CONTRASTS));

fn others(pairs: &'static str) -> Others {
    let mut others = Others::new();
    let pairs = pairs.split(' ').filter_map(|pair| pair.split_once('/'));
    for (one, other) in pairs.map(|(one, other)| (bare(one), bare(other))) {
        others.entry(one).or_default().push(other);
        others.entry(other).or_default().push(one);
    }
    others
}

fn stand_in(others: &Others, a: &str, b: &str) -> bool {
    let others = others.get(bare(a));
    others.is_some_and(|others| others.contains(&bare(b)))
}

/// Whether two words exclude each other whatever they are said of.
pub fn excluded(a: &str, b: &str) -> bool {
    stand_in(&EXCLUDED, a, b)
}

/// A word without its endings.
fn bare(word: &str) -> &str {
    stem(stem(word))
}

/// Whether two words exclude each other, in whatever ending.
pub fn opposed(a: &str, b: &str) -> bool {
    let listed = |a: &str, b: &str| excluded(a, b) || stand_in(&CONTRASTED, a, b);
    if listed(a, b) || denies(a, b) || denies(b, a) {
        return true;
    }
    // `short-lived` and `long-lived` differ in one part.
    let mut parts = a.split('-').zip(b.split('-')).filter(|(a, b)| a != b);
    a.contains('-')
        && a.split('-').count() == b.split('-').count()
        && parts.next().is_some_and(|(a, b)| listed(a, b))
        && parts.next().is_none()
}

/// Endings of words that say how something is: `im-` in front of another need not deny it.
const STATES: [&str; 12] = [
    "able", "ible", "ent", "ect", "ive", "ite", "ete", "ate", "al", "id", "ure", "per",
];

/// Whether one word is the other with a syllable that denies it: `non-fatal`, `unsigned`,
/// `insecure`, `headless`.
fn denies(denial: &str, word: &str) -> bool {
    const SHORTEST: usize = 4;
    if word.len() < SHORTEST {
        return false;
    }
    let behind = |syllable: &str| {
        let rest = denial.strip_prefix(syllable)?;
        Some(rest.trim_start_matches('-'))
    };
    let same = |rest: &str| bare(rest) == bare(word);
    if behind("non").is_some_and(same)
        || behind("un").is_some_and(|rest| rest != "less" && same(rest))
    {
        return true;
    }
    let state = || STATES.iter().any(|end| word.ends_with(end));
    let prefixed = ["in", "im", "il", "ir", "dis", "de"].iter();
    if prefixed.filter_map(|syllable| behind(syllable)).any(same) && state() {
        return true;
    }
    // `headed`, `wired`, `useful`, `lossy`
    let root = denial
        .strip_suffix("less")
        .filter(|root| root.len() + 1 >= SHORTEST);
    let end = root.and_then(|root| word.strip_prefix(root));
    end.is_some_and(|end| matches!(end, "ed" | "d" | "ful" | "y"))
}
