//! Transcripts as they lie on disk: replaced and taken back, half written, broken, huge.

use memkeep::extract::lessons;
use memkeep::extract::session::{Session, Step};
use memkeep::extract::transcript::{Intake, Source};

/// The session of a text.
pub fn session(text: &str) -> Session {
    let mut intake = Intake::new(None);
    text.lines().all(|line| intake.line(line));
    intake.finish()
}

fn persons(session: &Session) -> Vec<&str> {
    let words = session.steps.iter().filter_map(|step| match step {
        Step::Person(text) => Some(&**text),
        _ => None,
    });
    words.collect()
}

#[test]
fn a_line_that_is_being_written_is_passed_over() {
    let text = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"one\"}}\n\
                {\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"two";
    let session = session(text);
    assert_eq!((persons(&session), session.skipped), (vec!["one"], 1));
}

#[test]
fn words_that_no_person_wrote_are_no_persons() {
    let line = |more: &str, text: &str| {
        format!(
            "{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}{more}}}\n"
        )
    };
    let text = [
        line(",\"isMeta\":true", "Never log tokens here."),
        line(",\"isSidechain\":true", "Never log tokens here."),
        line(",\"isCompactSummary\":true", "Never log tokens here."),
        line(",\"origin\":{\"kind\":\"hook\"}", "Never log tokens here."),
        line(
            "",
            "<system-reminder>Never log tokens here.</system-reminder>",
        ),
        line("", "[Request interrupted by user]"),
        line(",\"origin\":{\"kind\":\"human\"}", "Add a test."),
    ]
    .concat();
    let session = session(&text);
    assert_eq!(persons(&session), ["Add a test."]);
    assert!(lessons(&session).is_empty());
}

#[test]
fn a_message_of_gemini_is_replaced_and_taken_back() {
    let text = r#"{"id":"1","type":"user","content":"Never log tokens in the api."}
{"id":"2","type":"gemini","content":"Yes"}
{"id":"2","type":"gemini","content":"Yes, never."}
{"id":"3","type":"user","content":"Always log tokens in the api."}
{"$rewindTo":"3"}
{"id":"4","type":"user","content":"Go on."}"#;
    let session = session(text);
    assert_eq!(
        persons(&session),
        ["Never log tokens in the api.", "Go on."]
    );
    let agents = session
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Agent(_)));
    assert_eq!(agents.count(), 1);
}

#[test]
fn a_document_over_many_lines_is_read_as_a_whole() {
    let text =
        "[\n {\"role\": \"user\",\n  \"content\": \"We decided to use SQLite for the cache.\"}\n]";
    assert_eq!(lessons(&session(text)).len(), 1);
    let text = "{\n \"messages\": [\n{\"type\":\"user\",\"content\":\"We decided to use SQLite for the cache.\"}\n]}";
    assert_eq!(lessons(&session(text)).len(), 1);
}

#[test]
fn a_huge_transcript_keeps_the_persons_words_and_a_bound() {
    let mut intake = Intake::new(Some(Source::Transcript));
    intake.line(r#"{"role":"user","content":"Never log tokens in the api."}"#);
    let long = "word ".repeat(4000);
    let line = format!("{{\"role\":\"assistant\",\"content\":\"{long}\"}}");
    for _ in 0..4000 {
        intake.line(&line);
    }
    let session = intake.finish();
    assert_eq!(persons(&session), ["Never log tokens in the api."]);
    let texts = session.steps.iter().map(|step| match step {
        Step::Agent(text) => text.len(),
        _ => 0,
    });
    assert!(texts.sum::<usize>() <= 16 << 20);
    assert_eq!(lessons(&session).len(), 1);
}

#[test]
fn no_input_makes_it_fail() {
    for text in [
        "",
        "{",
        "[]",
        "{}",
        "null",
        "\u{0}\u{1}",
        "{\"type\":\"user\"}",
        "diff --git a b",
        "+++ ",
        "{\"payload\":3}",
        "{\"$rewindTo\":3}",
        "{\"$set\":{\"messages\":[1]}}",
        "*** Begin Patch",
        "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"input\":{\"command\":[]}}]}}",
    ] {
        for source in [
            None,
            Some(Source::Transcript),
            Some(Source::Conversation),
            Some(Source::Diff),
        ] {
            let mut intake = Intake::new(source);
            text.lines().all(|line| intake.line(line));
            lessons(&intake.finish());
        }
    }
}
