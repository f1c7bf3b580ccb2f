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
fn weights_that_do_not_parse_name_their_line() {
    let text = include_str!("../../../assets/lint/pairs.toml");
    assert!(Weights::parse(text).is_ok());
    let line = |fault: Result<Weights, Fault>| fault.unwrap_err().line;
    let broken = text.replacen("same = 0", "same = x", 1);
    let of = |start: &str| {
        1 + text
            .lines()
            .position(|line| line.starts_with(start))
            .unwrap()
    };
    assert_eq!(line(Weights::parse(&broken)), of("same = "));
    let other = text.rfind("length = ").unwrap();
    let renamed = format!("{}width = {}", &text[..other], &text[other + 9..]);
    let fault = Weights::parse(&renamed).unwrap_err();
    assert_eq!(
        (fault.line, fault.reason.as_str()),
        (of("[contradiction]"), "`length` is missing")
    );
}
