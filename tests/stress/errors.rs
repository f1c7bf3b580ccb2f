//! System calls fail at random, once or from some moment on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memkeep::store::StoreError;
use memkeep::store::disk::Call;

use crate::ground::{ERRORS, Ground, disk, operations, sound};
use crate::killing::Numbers;

/// The kinds of calls that can fail for good.
const KINDS: [Call; 11] = [
    Call::Look,
    Call::Read,
    Call::Create,
    Call::Write,
    Call::Sync,
    Call::Exchange,
    Call::Rename,
    Call::Remove,
    Call::RemoveFolder,
    Call::Open,
    Call::Cut,
];

/// Random failures of random operations.
pub fn run(rounds: u64, seed: u64) {
    let operations = operations();
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut below = |end: usize| numbers.below(end as u64) as usize;
    let mut outcomes = [0; 3];
    for round in 0..rounds {
        let operation = &operations[below(operations.len())];
        let ground = Ground::new(operation);
        let old = files(ground.snapshot());
        let count = Arc::new(AtomicUsize::new(0));
        ground
            .run(operation, disk(&count, 0, |_, _| false))
            .unwrap();
        let new = files(ground.snapshot());

        let ground = Ground::new(operation);
        let (from, one_in) = (below(count.load(Ordering::Relaxed)), 1 + below(6));
        let kind = KINDS[below(KINDS.len())];
        let is_kind = below(2) == 0;
        let failing = disk(&Arc::default(), ERRORS[below(3)], move |number, call| {
            let is_hit = if is_kind {
                call == kind
            } else {
                number % one_in == 0
            };
            number >= from && is_hit
        });
        let result = ground.run(operation, failing);
        let case = format!(
            "seed {seed}, round {round}: {} from call {from} on, {kind:?} {is_kind}, 1 in {one_in}: {result:?}",
            operation.name
        );
        let mut now = files(ground.snapshot());
        now.retain(|name, _| !name.ends_with(".tmp"));
        match &result {
            Ok(()) => assert_eq!(now, new, "{case}"),
            Err(StoreError::Part(_)) => {}
            Err(_) => assert_eq!(now, old, "{case}"),
        }
        ground
            .recover()
            .unwrap_or_else(|error| panic!("{case}: {error}"));
        let settled = files(ground.snapshot());
        match &result {
            Ok(()) => assert_eq!(settled, new, "{case}"),
            Err(StoreError::Part(_)) => {
                assert!(settled == old || settled == new, "{case}: {settled:#?}");
            }
            Err(_) => assert_eq!(settled, old, "{case}"),
        }
        let (then, wanted) = if settled == new {
            (ground.run_back(operation), &old)
        } else {
            (ground.run(operation, sound()), &new)
        };
        then.unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(&files(ground.snapshot()), wanted, "{case}, and then");
        outcomes[match result {
            Ok(()) => 0,
            Err(StoreError::Part(_)) => 2,
            Err(_) => 1,
        }] += 1;
    }
    let [new, old, part] = outcomes;
    println!(
        "errors: {new} times the new state, {old} times the old one, {part} left to the next start"
    );
}

/// Empty folders that could not be taken away do not count.
fn files(mut all: BTreeMap<String, String>) -> BTreeMap<String, String> {
    all.retain(|_, what| what != "folder");
    all
}
