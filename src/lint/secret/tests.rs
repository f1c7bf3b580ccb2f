use std::borrow::Cow;

use super::*;
use crate::lint::tests::examples::filled;

fn random(length: usize) -> String {
    filled(&format!("{{random:{length}}}"))
}

/// The examples of all rows, filled, with the secrets in them.
fn samples() -> Vec<(String, Vec<String>)> {
    let examples = TABLE.row.iter().flat_map(|row| &row.example);
    let texts = examples.map(|text| filled(text));
    let secrets = |text: &str| {
        let hits = find(text).into_iter();
        hits.map(|hit| text[hit.at].to_owned()).collect::<Vec<_>>()
    };
    texts.map(|text| (text.clone(), secrets(&text))).collect()
}

/// All of a secret but what may be shown of it.
fn rest(secret: &str) -> &str {
    &secret[8.min(secret.len() / 2)..]
}

#[test]
fn no_secret_is_shown() {
    for (text, secrets) in samples() {
        let masked = mask(&text);
        assert_eq!(masked.len(), text.len(), "{text}");
        assert!(!secrets.is_empty(), "{text}");
        for secret in secrets {
            assert!(!masked.contains(rest(&secret)), "{masked}");
        }
        assert!(
            matches!(mask(&masked), Cow::Borrowed(_)),
            "masked twice: {masked}"
        );
    }
}

#[test]
fn a_secret_behind_an_escape_of_json_is_hidden() {
    let texts = samples()
        .into_iter()
        .filter(|(text, _)| !text.contains('\n'));
    for (text, secrets) in texts {
        for escape in ["\\t", "\\n", "\\r", "\\b", "\\f", "\\u200b", "\\u0009"] {
            let text = text.replace('"', r#"\""#);
            let line = format!(r#"-{{"content":"x{escape}{text}{escape}y"}}"#);
            let masked = mask(&line);
            let shown = secrets.iter().find(|secret| masked.contains(rest(secret)));
            assert_eq!((shown, masked.len()), (None, line.len()), "{masked}");
        }
    }
}

#[test]
fn a_private_key_is_hidden_in_a_quotation_a_diff_and_a_string() {
    let lines = [random(64), random(63)];
    let end = "-----END RSA PRIVATE KEY-----";
    let hides = |text: &str| {
        let masked = mask(text);
        let shown = lines.iter().any(|line| masked.contains(&line[8..]));
        assert!(!shown && masked.len() == text.len(), "{masked}");
        masked.into_owned()
    };
    for mark in ["> ", " > ", "-> ", "-", "+> "] {
        let [a, b] = &lines;
        let text = format!(
            "{mark}-----BEGIN RSA PRIVATE KEY-----\n{mark}{a}\n{mark}{b}\n{mark}{end}\n{mark}It ends.\n"
        );
        let masked = hides(&text);
        assert!(masked.ends_with("It ends.\n"), "{masked}");
        let marks = |text: &str| -> Vec<char> {
            let marks = text.lines().filter_map(|line| line.chars().next());
            marks.filter(|mark| "+-".contains(*mark)).collect()
        };
        assert_eq!(marks(&masked), marks(&text), "{masked}");
    }
    for escape in ["\\n", "\\\\n", "\\\\\\\\n"] {
        let key = lines.join(escape);
        hides(&format!(
            "{{\"title\": \"-----BEGIN RSA PRIVATE KEY-----{escape}{key}{escape}{end}\"}}"
        ));
    }
}

#[test]
fn a_secret_below_a_heading_is_hidden_in_a_diff_without_it() {
    let secret = format!("Wq8{}", random(7));
    let text = format!("| host | password |\n|---|---|\n| a | x |\n| b | {secret} |\n| c | y |\n");
    let part = format!("@@ -4,2 +4,2 @@\n | b | {secret} |\n-| c | y |\n+| c | z |\n");
    let masked = mask_diff(part.into_bytes(), &[text.clone().into_bytes()]);
    let masked = String::from_utf8(masked).unwrap();
    assert!(!masked.contains(&secret[3..]), "{masked}");
    let new: String = text.lines().map(|line| format!("+{line}\n")).collect();
    assert!(!mask(&new).contains(&secret[3..]), "{}", mask(&new));
}

#[test]
fn random_text_beside_a_secret_is_not_shown_either() {
    let [one, two] = [random(32), random(30)];
    let text = format!("{two} is set as PD_TOKEN={one}; see src/pager/v2/client2.ts.");
    let hits = find(&text);
    let shown = line_around(&hide_random(&mask(&text)), &hits[0].at);
    assert!(
        !shown.contains(&two[8..]) && !shown.contains(&one[8..]),
        "{shown}"
    );
    assert!(shown.contains("is set as PD_TOKEN="), "{shown}");
}

#[test]
fn a_secret_is_hidden_in_small_letters_too() {
    let secret = filled("SK{hex:32}");
    let mut message = format!("the alternative {} and {secret}", secret.to_lowercase());
    let known = KnownSecrets::new(&secret, &find(&secret)).unwrap();
    known.hide(&mut message);
    assert!(!message.contains(&secret[8..]), "{message}");
}
