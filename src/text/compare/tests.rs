use super::*;

fn sentence(text: &str) -> Sentence<'_> {
    Sentence::new(text, Weights::bundled())
}

#[test]
fn both_orders_compare_alike_and_marks_stand_where_words_differ() {
    let a = "The nightly export starts at 02:30 UTC.";
    let b = "The nightly export of the ledger starts at 04:00 UTC.";
    let weights = Weights::bundled();
    let there = compare(&sentence(a), &sentence(b), weights).unwrap();
    let back = compare(&sentence(b), &sentence(a), weights).unwrap();
    assert_eq!(
        (there.same, there.contradiction),
        (back.same, back.contradiction)
    );
    assert_eq!(there.difference, Difference::Number);
    let marked = |text: &str, marks: &[Range<usize>]| -> Vec<String> {
        marks.iter().map(|at| text[at.clone()].to_owned()).collect()
    };
    assert_eq!(marked(a, &there.marks[0]), ["02:30"]);
    assert_eq!(marked(b, &there.marks[1]), ["ledger", "04:00"]);
    assert_eq!(there.marks[0], back.marks[1]);
    assert!(compare(&sentence(a), &sentence("Ask Ada."), weights).is_none());
}

#[test]
fn the_bundled_weights_are_sound_and_broken_ones_are_none() {
    let text = include_str!("../../../assets/lint/pairs.toml");
    assert!(Weights::parse(text).is_some());
    for (old, new) in [("same = 0", "same = x"), ("\nlength = ", "\nwidth = ")] {
        assert!(Weights::parse(&text.replacen(old, new, 1)).is_none());
    }
}
