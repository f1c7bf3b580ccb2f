//! Every system call of every operation fails, one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memkeep::store::StoreError;
use memkeep::store::disk::Disk;

use crate::ground::{ERRORS, Ground, disk, operations};

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
            let wanted = if result.is_ok() { &new } else { &old };
            let without = |mut all: std::collections::BTreeMap<String, String>| {
                all.retain(|name, _| !name.ends_with(".tmp"));
                all
            };
            assert_eq!(&without(ground.snapshot()), wanted, "{case}");
            // The next start leaves nothing behind.
            ground.recover().unwrap();
            assert_eq!(&ground.snapshot(), wanted, "{case}");
            // What was done can be taken back, and what was not can be done.
            match result {
                Ok(()) => ground.run_back(&operation).unwrap(),
                Err(_) => ground.run(&operation, Disk::default()).unwrap(),
            }
            let wanted = if result.is_ok() { &old } else { &new };
            assert_eq!(&ground.snapshot(), wanted, "{case}, and then");
        }
    }
}
