//! The work of lint grows with the size of a field and of a body, not with its square.

use serde::Deserialize;

use super::*;
use crate::memory::steps::steps_of;

#[derive(Debug, Deserialize)]
struct Shape {
    front: Option<[String; 3]>,
    body: Option<[String; 3]>,
}

impl Shape {
    /// The work of checking a memory in which the part is repeated so often.
    fn work(&self, count: usize) -> u64 {
        let text = |parts: &Option<[String; 3]>| {
            let [start, part, end] = parts.as_ref()?;
            let parts = (0..count).map(|n| part.replace('#', &format!("{n:03}")));
            Some(format!("{start}{}{end}", parts.collect::<String>()))
        };
        let front = text(&self.front).unwrap_or_default();
        let body = text(&self.body).unwrap_or_else(|| "Its body.".to_owned());
        let others = ["one-other", "another"].map(|name| memory(name).front("", "Another text."));
        let all = [memory("a").front(&front, &body)].into_iter().chain(others);
        let store = Store::new(all.collect());
        steps_of(|| store.run()).1
    }
}

#[test]
fn eight_times_the_size_is_no_more_than_sixteen_times_the_work() {
    const SIZE: usize = 100;
    // Steps are counted by thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.unwrap();
    for shape in crate::text::rows::<Vec<Shape>>("growth", "shape") {
        let (small, large) = pool.install(|| (shape.work(SIZE), shape.work(8 * SIZE)));
        let is_linear = (small..=16 * small).contains(&large);
        assert!(is_linear, "{shape:?}: {small} steps became {large}");
    }
}
