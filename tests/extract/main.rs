//! Lessons out of sessions: by rules on written sessions, each rendered as its agent would have
//! written it to disk.

#![cfg(test)]

mod scripts;
mod transcripts;
mod worth;

use std::collections::BTreeMap;

use memkeep::extract::{Lesson, lessons};
use scripts::{Script, scripts};

/// The lessons of a script, as they come out of its rendered form.
fn found(script: &Script) -> Vec<Lesson> {
    lessons(&transcripts::session(&script.rendered()))
}

/// True if a lesson is the one that is wanted.
fn is_it(lesson: &Lesson, (kind, words): &(String, String)) -> bool {
    let text = format!("{} {}", lesson.title, lesson.body).to_lowercase();
    lesson.kind == kind
        && words
            .split(' ')
            .all(|word| text.contains(&word.to_lowercase()))
}

/// Lessons of a kind: wanted and found, wanted, found and right, found.
#[derive(Default)]
struct Score([usize; 4]);

fn score(scripts: &[Script]) -> (BTreeMap<String, Score>, Vec<String>) {
    let (mut scores, mut misses) = (BTreeMap::<String, Score>::new(), Vec::new());
    for script in scripts {
        // A fix brings the failure that it puts right.
        let found = found(script).into_iter().flat_map(|mut lesson| {
            let failure = lesson.fixes.take();
            failure.map(|one| *one).into_iter().chain([lesson])
        });
        let found: Vec<Lesson> = found.collect();
        for wanted in &script.wanted {
            let has = found.iter().any(|lesson| is_it(lesson, wanted));
            let score = scores.entry(wanted.0.clone()).or_default();
            score.0[0] += usize::from(has);
            score.0[1] += 1;
            if !has {
                misses.push(format!("{}: missed {wanted:?}", script.name));
            }
        }
        for lesson in &found {
            let right = script.wanted.iter().any(|wanted| is_it(lesson, wanted));
            let score = scores.entry(lesson.kind.to_owned()).or_default();
            score.0[2] += usize::from(right);
            score.0[3] += 1;
            if !right {
                misses.push(format!("{}: {}: {}", script.name, lesson.kind, lesson.body));
            }
        }
    }
    (scores, misses)
}

/// Checks precision and recall by kind.
fn judge(name: &str, text: &str) {
    let scripts = scripts(text);
    assert!(scripts.len() >= 20, "{name}");
    let (scores, misses) = score(&scripts);
    println!("{name}\n  {}", misses.join("\n  "));
    let mut all = [0; 4];
    for (kind, Score([hit, wanted, right, found])) in &scores {
        println!("  {kind:10} P {right}/{found}  R {hit}/{wanted}");
        all.iter_mut()
            .zip([hit, wanted, right, found])
            .for_each(|(sum, one)| *sum += one);
    }
    println!(
        "  all        P {}/{}  R {}/{}",
        all[2], all[3], all[0], all[1]
    );
    for (kind, Score([hit, wanted, right, found])) in &scores {
        // Of a few, one may be wrong.
        assert!(
            right * 10 >= found * 9 || found - right <= 1,
            "{name}: {kind}: {right} of {found} right"
        );
        assert!(
            hit * 10 >= wanted * 7 || wanted - hit <= 1,
            "{name}: {kind}: {hit} of {wanted} found"
        );
    }
    assert!(
        all[2] * 10 >= all[3] * 9,
        "{name}: {} of {} right",
        all[2],
        all[3]
    );
    assert!(
        all[0] * 10 >= all[1] * 7,
        "{name}: {} of {} found",
        all[0],
        all[1]
    );
}

#[test]
fn lessons_of_written_sessions_by_kind() {
    judge("tuned", include_str!("tuned.txt"));
}

#[test]
fn lessons_of_sessions_that_no_rule_was_tuned_on() {
    judge("left out", include_str!("left-out.txt"));
}

#[test]
fn each_kind_is_written_in_some_session() {
    let all = [include_str!("tuned.txt"), include_str!("left-out.txt")].concat();
    for kind in "constraint decision preference fact failure fix command".split(' ') {
        assert!(all.contains(&format!("\nwant {kind}: ")), "{kind}");
    }
}
