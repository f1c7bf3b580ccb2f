//! Every system call of every operation fails, one by one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memkeep::store::StoreError;

use crate::ground::{ERRORS, Ground, disk, operations, sound};

#[test]
fn a_call_that_fails_leaves_the_old_state_or_the_new_one() {
    for operation in operations() {
        let ground = Ground::new(&operation);
        let old = ground.snapshot();
        let count = Arc::new(AtomicUsize::new(0));
        ground
            .run(&operation, disk(&count, 0, |_, _| false))
            .unwrap_or_else(|error| panic!("{}: {error}", operation.name));
        let new = ground.snapshot();
        assert_ne!(old, new, "{}", operation.name);
        for number in 0..count.load(Ordering::Relaxed) {
            let ground = Ground::new(&operation);
            let error = ERRORS[number % ERRORS.len()];
            let failing = disk(&Arc::default(), error, move |at, _| at == number);
            let result = ground.run(&operation, failing);
            let case = format!("{}, call {number}: {result:?}", operation.name);
            // The message that nothing was written is true, and so is the one that it was done.
            assert!(!matches!(result, Err(StoreError::Part(_))), "{case}");
            let (wanted, then) = match result {
                Ok(()) => (&new, &old),
                Err(_) => (&old, &new),
            };
            // An empty folder that could not be taken away is no reason to take a step back.
            let is_folder = |what: &str| what == "folder" && result.is_ok();
            let files = |mut all: BTreeMap<String, String>, cleaned: bool| {
                all.retain(|name, what| !is_folder(what) && (cleaned || !name.ends_with(".tmp")));
                all
            };
            let all = |all: &BTreeMap<String, String>| files(all.clone(), true);
            assert_eq!(files(ground.snapshot(), false), all(wanted), "{case}");
            // The next start leaves nothing behind.
            ground.recover().unwrap();
            assert_eq!(all(&ground.snapshot()), all(wanted), "{case}");
            // What was done can be taken back, and what was not can be done.
            match result {
                Ok(()) => ground.run_back(&operation).unwrap(),
                Err(_) => ground.run(&operation, sound()).unwrap(),
            }
            assert_eq!(all(&ground.snapshot()), all(then), "{case}, and then");
        }
    }
}
