use proptest::prelude::*;

use super::key::without_numbers;
use super::*;
use crate::curate::Change;
use crate::lint::tests::Store;
use crate::text::rows;

fn parse(text: &str) -> Baseline {
    Baseline::parse(text).unwrap()
}

#[test]
fn the_file_has_a_line_for_each_finding_in_a_fixed_order() {
    let text = r#"{"version":1,"by":{"x":[1]},"findings":[
        {"rule":"secret","id":"rawko:b","print":"1","message":"m","since":"2026"},
        {"rule":"secret","id":"rawko:a","print":"2","message":""},
        {"rule":"expired","id":"rawko:b","print":"3"},
        {"rule":"secret","id":"rawko:b","print":"1","message":"other"}]}"#;
    let baseline = parse(text);
    assert_eq!(baseline.len(), 4);
    let written = baseline.to_text();
    assert_eq!(
        written,
        "{\n  \"version\": 1,\n  \"by\": {\"x\":[1]},\n  \"findings\": [\n    \
         {\"rule\":\"secret\",\"id\":\"rawko:a\",\"print\":\"2\",\"message\":\"\"},\n    \
         {\"rule\":\"expired\",\"id\":\"rawko:b\",\"print\":\"3\",\"message\":\"\"},\n    \
         {\"rule\":\"secret\",\"id\":\"rawko:b\",\"print\":\"1\",\"count\":2,\"message\":\"m\",\"since\":\"2026\"}\n  ]\n}\n"
    );
    assert_eq!(parse(&written), baseline);
    assert_eq!(
        Baseline::default().to_text(),
        "{\n  \"version\": 1,\n  \"findings\": []\n}\n"
    );
}

#[test]
fn what_is_wrong_with_the_file_has_a_place() {
    type Row = (String, usize, usize, String);
    for (text, line, column, says) in rows::<Vec<Row>>("tables", "baseline-errors") {
        let error = Baseline::parse(&text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text}");
        assert_eq!(error.message, says, "{text}");
    }
}

#[test]
fn numbers_count_for_nothing_in_a_sentence() {
    let same = without_numbers("the body has 1,204 words; 200 to 500 are advised");
    assert_eq!(same, "the body has # words; # to # are advised");
    assert_eq!(without_numbers("v2, not 3 é"), "v#, not # é");
}

proptest! {
    #[test]
    fn what_is_taken_out_is_out(counts in prop::collection::vec(1_usize..4, 1..6), gone in 0_usize..6) {
        let entries: Vec<String> = counts
            .iter()
            .enumerate()
            .map(|(n, count)| format!("{{\"rule\":\"r\",\"id\":\"i\",\"print\":\"{n}\",\"count\":{count}}}"))
            .collect();
        let all = parse(&format!("{{\"version\":1,\"findings\":[{}]}}", entries.join(",")));
        let key = BaselineKey::one("r", "i", gone.to_string());
        let left = all.without(&[(key.clone(), 1)]);
        let there = usize::from(gone < counts.len());
        prop_assert_eq!(left.len(), all.len() - there);
        let mut expected = Expected::new(&all, Names::default());
        let mut met = 0;
        while expected.take("r", "i", &gone.to_string()) {
            met += 1;
        }
        prop_assert_eq!(met, counts.get(gone).copied().unwrap_or_default());
    }
}

#[test]
fn what_is_named_by_its_line_is_known_on_another_one() {
    let baseline = parse(
        r#"{"version":1,"findings":[
        {"rule":"load-error","id":"golemcore:semantic:10","print":"1"},
        {"rule":"load-error","id":"golemcore:semantic:12#2","print":"1"},
        {"rule":"load-error","id":"golemcore:7","print":"1"}]}"#,
    );
    let mut expected = Expected::new(&baseline, Names::default());
    type Row = (String, String, String, bool);
    for (rule, id, print, known) in rows::<Vec<Row>>("tables", "baseline-lines") {
        let is_met = expected.take(&rule, &id, &print);
        assert_eq!(is_met, known, "{rule} {id} {print}");
    }
    let present = Present::new(&Snapshot::default());
    assert!(expected.gone(&present).0.is_empty());
}

#[test]
fn the_fixes_of_entries_that_no_longer_occur_empty_the_baseline() {
    let before = Store::of(&[("a", "The build writes to /home/ada/out and `/home/eve/in`.")]);
    let mut later = Store::of(&[("a", "Nothing is left of it.")]);
    later.baseline = Baseline::of(&before.cx(), &before.run(), &Baseline::default());
    for finding in later.run() {
        let Some(Change::Unlist(_, gone)) = finding.fix.map(|fix| fix.change) else {
            panic!("{}", finding.message);
        };
        later.baseline = later.baseline.without(&gone);
    }
    assert!(later.baseline.is_empty() && later.run().is_empty());
}
