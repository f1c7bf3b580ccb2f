//! Orders in what people do not see where a text is drawn.

use std::sync::LazyLock;

use regex::Regex;

use super::super::chars::compact;
use super::{Order, is_quoted};

/// Whom a comment speaks to that is hidden from people and meant for an agent.
const READER: &str = r"(?:^|[.!?\n])[\s>*#-]*(?:(?:important|note|attention)\s*[:,]\s*)?(?:to\s+(?:(?:all|any|every|the)\s+)?)?(?:assistants?|agents?|ai|model|gemini)\s*[:,]|\b(?:llms?|claude|chatgpt|gpt|copilot|ai\s+(?:agents?|assistants?)|(?:the|this|any|every|each|all|coding)\s+(?:agents?|assistants?)\s+(?:must|should|shall|will|always|never)|(?:when(?:ever)?|if)\s+you\s+(?:read|load)|(?:when(?:ever)?)\s+(?:reading|loading)|reading\s+this|you\s+(?:must|should|will)\s+(?:not|never)\s+(?:tell|show|mention|inform|reveal|notify)\b[^.\n]{0,40}\buser)\b";

/// Whom it may speak to: one who maintains the text is spoken to like that as well.
const ANYBODY: &str = r"\b(?:assistants?|agents?|ai|gemini|model|you\s+(?:must|should|will|are|have)|your\s+(?:task|instructions?)|(?:when(?:ever)?|if)\s+you\s+see|(?:before|after|on|for|in)\s+(?:any|each|every)\s+(?:task|answer|reply|session|command|commit|change))\b";

/// What a hidden comment begins with that is for a tool: the rest of it is read.
const MARKS: &str = r"^\s*(?:tags:\s*(?:[0-9A-Za-z_./#-]+\s*(?:,\s*[0-9A-Za-z_./#-]+\s*)*)?(?:\|\s*created:\s*[0-9TZ:.+ -]*)?$|memkeep-[a-z]+(?:\s+[a-z-]+)*:?|markdownlint-[a-z-]+(?:\s+MD[0-9]+)*|prettier-ignore[a-z-]*)";

/// What a hidden comment tells its reader to do.
const ORDERS: &str = r"\b(?:ignore|disregard|execute|run|fetch|curl|wget|download|delete|remove|send|upload|post|email|install|approve|merge|push|commit|print|reveal|exfiltrate|secretly|silently|always|never|must)\b|\b(?:include|paste|attach|append|copy|output|show|read|quote|embed|open|return)\b[^\n]{0,60}?(?:~/\.|/etc/|\.env\b|\.pem\b|\bid_(?:rsa|ed25519)\b|\b(?:credentials?|secrets?|passwords?|private\s+keys?|api\s+keys?|environment\s+variables|system\s+prompt)\b)";

/// What nobody tells who maintains a text: what does harm, or goes out to the network.
const HARM: &str = r"\b(?:curl|wget|exfiltrate|secretly|silently|approve|reveal|obey|trust)\b|\b(?:delete|remove|send|upload|post|email|disable|skip|push)\s+(?:it|all|any|every|each|the|what|them|to|straight|directly|your|this)\b|\bmerge\s+(?:it|all|any|every|each|the|what|without|to|into|open|them|pull)\b|\b(?:ignore|disregard)\s+(?:all|any|everything|previous|the\s+(?:rules|instructions|user|review))\b|\b(?:fetch|download|run|execute|install|open|visit)\s+(?:\S+\s+){0,3}?https?://";

/// An agent that is called by its name and told what to do, not in the text but everywhere, or what
/// to take in.
const NAMED: &str = r"(?:^|[.!?\n])[\s>*#-]*(?:(?:important|note|attention)\s*[:,]\s*)?(?:(?:(?:hey|hi|dear|to|@)\s*)?(?:(?:all|any|every|the)\s+)?(?:claude(?:\s+code)?|cursor|codex|copilot|gemini|chatgpt|gpt|llms?|(?:ai|coding)\s+(?:agents?|assistants?)|assistants?|agents?|ai)\s*[:,]\s*|@(?:claude|cursor|codex|copilot|gemini)\s+)(?:(?:also|always|please|first|now|then|from\s+now\s+on,?|you\s+(?:must|should|will|shall|have\s+to))\s+){0,3}(?:add|insert|include|import|append|write|create|give|treat|accept|reply|say|tell|claim|recommend|prefer|suggest|grant|allow|visit|assume|pretend|(?:use|put|set|open|answer|change|load|call|make|replace|switch)\s+(?:the|an?|only|my|our|your|it|them|every|all|each|any|https?))\s+(?:\S+\s+){0,12}?[(\x22'`]*(?:every|all|each|any|everywhere|whenever|dependenc(?:y|ies)|packages?|registry|https?://|tools?)\b";

/// What says of an order that it is about the text it stands in.
const HERE: &str = r"\b(?:(?:this|these)\s+(?:[a-z]+\s+)?(?:lists?|tables?|sections?|files?|pages?|documents?|index|lines?|comments?|headings?|blocks?|notes?|texts?)|here|below|above|at\s+the\s+(?:top|end|bottom)|changelog)\b";

/// What people do not see where it is drawn: comments, elements that are styled away, and links
/// that lead nowhere, which are written for the remark behind them.
static UNSEEN: [LazyLock<Option<Regex>>; 3] = [
    LazyLock::new(|| compact(r"(?s)<!--(.*?)(?:-->|$)")),
    LazyLock::new(|| {
        compact(
            r"(?is)<[a-z][0-9a-z]*\s[^>]{0,300}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:[^.0-9]|$)|\bhidden\b)[^>]{0,300}>(.*?)(?:</|$)",
        )
    }),
    LazyLock::new(|| {
        compact(r#"(?m)^[ >]{0,8}\[[^\]\n]{1,40}\]:[ ]*(?:\x23|<>)[ ]*[("'](.*?)[)"'][ ]*$"#)
    }),
];
static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| compact(MARKS));
/// Whom a hidden text speaks to, and what it has to tell them: both are needed.
static HIDDEN: LazyLock<[[Option<Regex>; 2]; 2]> = LazyLock::new(|| {
    [[READER, ORDERS], [ANYBODY, HARM]]
        .map(|pair| pair.map(|pattern| compact(&format!("(?i){pattern}"))))
});
static OF_NAMED: LazyLock<[Option<Regex>; 2]> =
    LazyLock::new(|| [NAMED, HERE].map(|pattern| compact(&format!("(?i){pattern}"))));

/// The orders in what people do not see.
pub(super) fn orders(text: &str) -> Vec<Order> {
    let mut found = Vec::new();
    // Nearly every text has none of what each needs.
    const HINTS: [(&str, &[&str]); 3] = [
        ("<", &["<!--"]),
        (
            "<",
            &["display", "visibility", "font-size", "opacity", "hidden"],
        ),
        ("]:", &["#", "<>"]),
    ];
    let comments = UNSEEN
        .iter()
        .zip(HINTS)
        .filter(|(_, (sign, hints))| {
            text.contains(sign) && hints.iter().any(|hint| text.contains(hint))
        })
        .flat_map(|(pattern, _)| pattern.iter())
        .flat_map(|pattern| pattern.captures_iter(text).take(50));
    for comment in comments {
        let (Some(whole), Some(inner)) = (comment.get(0), comment.get(1)) else {
            continue;
        };
        let inner = inner.as_str();
        let mark = MARK.as_ref().and_then(|mark| mark.find(inner));
        let inner = inner
            .get(mark.map_or(0, |mark| mark.end())..)
            .unwrap_or_default();
        // What is never to be done is no order to do it.
        let told = |start: usize| {
            let before = inner.get(..start).unwrap_or_default().trim_end();
            !["never", "not", "n't"]
                .iter()
                .any(|not| before.ends_with(not))
        };
        let says = |pattern: &Option<Regex>| {
            let found = pattern.iter().flat_map(|pattern| pattern.find_iter(inner));
            found.take(20).any(|order| told(order.start()))
        };
        let orders = HIDDEN.iter().any(|pair| pair.iter().all(says)) || commands(inner);
        if orders && !is_quoted(text, &whole.range()) {
            found.push(Order {
                what: "a text that people do not see gives orders",
                // A reminder is most often one to whoever writes the text.
                confidence: if ["TODO", "FIXME"]
                    .iter()
                    .any(|mark| inner.trim_start().starts_with(mark))
                {
                    0.5
                } else {
                    0.82
                },
                at: whole.range(),
            });
        }
    }
    found
}

/// Whether a text calls an agent by its name, and tells it to do what is not about the text.
fn commands(text: &str) -> bool {
    let [Some(named), Some(here)] = &*OF_NAMED else {
        return false;
    };
    named.find_iter(text).take(20).any(|order| {
        let rest = text.get(order.start()..).unwrap_or_default().trim_start();
        !here.is_match(rest.split(['\n', ';']).next().unwrap_or_default())
    })
}

#[cfg(test)]
pub(super) fn compile() -> bool {
    let patterns = HIDDEN.iter().flatten();
    let patterns = patterns
        .chain(UNSEEN.iter().map(|one| &**one))
        .chain(&*OF_NAMED);
    patterns.chain([&*MARK]).all(Option::is_some)
}
