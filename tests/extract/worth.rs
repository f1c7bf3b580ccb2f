//! The use that written sessions made of the memories that they were given.

use memkeep::extract::worth::{Given, uses};
use memkeep::memory::worth::Part;

use crate::scripts::scripts;
use crate::transcripts;

/// Checks precision and recall of what was drawn on and gone against.
fn judge(name: &str, text: &str) {
    let (mut right, mut found, mut wanted) = (0, 0, 0);
    let scripts = scripts(text);
    assert_eq!(scripts.len(), 15, "{name}");
    for script in &scripts {
        let memories = script.memories.iter();
        let given: Vec<Given<'_>> = memories.map(|(name, text)| Given { name, text }).collect();
        let session = transcripts::session(&script.rendered());
        wanted += script.wanted.len();
        for (one, used) in given.iter().zip(uses(&given, &session, "")) {
            let is_wanted = |part: &str| {
                let mut all = script.wanted.iter();
                all.any(|(kind, name)| kind == part && name == one.name)
            };
            let part = used.part.word();
            if used.part != Part::Unused {
                found += 1;
                right += usize::from(is_wanted(part));
            }
            let is_right = match used.part {
                Part::Unused => !is_wanted("drawn") && !is_wanted("against"),
                _ => is_wanted(part),
            };
            if !is_right {
                println!("{name}: {}: {} is {used:?}", script.name, one.name);
            }
        }
    }
    println!("{name}: P {right}/{found}  R {right}/{wanted}");
    assert!(right * 10 >= found * 9, "{name}: {right} of {found} right");
    assert!(
        right * 10 >= wanted * 8,
        "{name}: {right} of {wanted} found"
    );
}

#[test]
fn uses_of_written_sessions() {
    judge("tuned", include_str!("worth-tuned.txt"));
}

#[test]
fn uses_of_sessions_that_no_weight_was_tuned_on() {
    judge("left out", include_str!("worth-left-out.txt"));
}
