use crate::lint::UNUSED;
use crate::lint::tests::{Store, memory};

#[test]
fn a_silence_of_a_rule_that_is_off_is_not_called_unused() {
    let sample = memory("a").front("memkeep-ignore: [personal-path]", "Nothing here.");
    let mut store = Store::new(vec![sample]);
    store.tuning.choice.off = Some(vec![toml::Spanned::new(0..0, "personal-path".to_owned())]);
    assert!(store.run().iter().all(|one| one.rule != UNUSED));
}

#[test]
fn a_text_is_compared_without_its_silences() {
    for text in [
        "One.\n\nTwo.",
        "One.\r\n\r\nTwo.\r\n",
        "One.\n\n<!-- memkeep-ignore secret: x -->\n\nTwo.\n",
        "One. <!-- memkeep-ignore secret -->\nTwo.",
    ] {
        assert_eq!(super::settled(text), "One.\nTwo.", "{text:?}");
    }
}
