//! `kill -9` in the middle of a save; `cargo test --test stress -- kills 1000` does it longer.

use crate::kills::kill;

#[test]
fn the_old_file_or_the_new_one() {
    kill(60, 0);
}
