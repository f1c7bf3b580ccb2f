//! Links and commands that carry data out.

mod home;
mod kept;
mod says;
mod sends;
mod shell;

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex as BytesRegex;

use super::chars::{compact_bytes, cut, quote};
use super::hint::{Hints, Patterns};
use super::{Finding, Look, Rule};
use crate::memory::Severity;
pub(super) use home::PersonalPath;

/// A link or a command that carries data to another host.
pub(super) struct ExfiltrationLink;

/// A way to carry data out.
struct Way {
    what: &'static str,
    /// Text (in any case) without which it cannot stand there.
    hints: &'static [&'static str],
    /// Where it may begin.
    pattern: &'static str,
    /// Whether it does, and how far it goes.
    judge: for<'t> fn(&Place<'t>) -> Option<&'t str>,
    confidence: f64,
}

/// Where a way may begin.
struct Place<'t> {
    /// A little of what stands before it.
    before: &'t str,
    /// What its pattern matches.
    matched: &'t str,
    /// All that may belong to it.
    rest: &'t str,
}

/// An address with something to be put in.
const ROOM_IN_ADDRESS: &str = r"!?\[[^\]\n]{0,200}\]\(\s*<?https?://[^\s)>]+(?:[?&=](?:[0-9A-Za-z_.-]*=)?(?:\{\{?[^}\s]*\}?\}|\$[A-Z][A-Z0-9_]{2,}|\$\{[^}\s]*\}|\$\([^)\s]*\)?|%7B[^\s)]*|\[(?:data|secret|token|content|conversation|summary|key|env)[^\]\s)]*\]|<[A-Za-z_ -]{2,40}>|(?:BASE64|ENCODED|SECRET|TOKEN|DATA|CONTENT|CONVERSATION|PASSWORD|API_KEY)(?:_?[A-Z]+)*\b)|[/#](?:\{|\$|%7B|\[|<)[^}\]>\s)]{0,40}(?i:data\b|secret|token|content|conversation|summary|history|prompt|password|credential|api.?key)[^\s)]{0,80})";

static WAYS: &[Way] = &[
    Way {
        what: "an image or a link with room for data in its address",
        hints: &["]("],
        // In a path, what has to be put in is most often the name of a project or a branch.
        pattern: ROOM_IN_ADDRESS,
        judge: |place| says::room(place.matched),
        confidence: 0.9,
    },
    Way {
        // Pages are reached so, too: `?query={issue_id}`.
        what: "a link with room for data in its address",
        hints: &["]("],
        pattern: ROOM_IN_ADDRESS,
        judge: |place| Some(place.matched),
        confidence: 0.5,
    },
    Way {
        what: "an image with room for data in its address",
        hints: &["]("],
        pattern: r"!\[[^\]\n]{0,200}\]\(\s*<?https?://[^\s)>]+[/#](?:BASE64|ENCODED|SECRET|TOKEN|DATA|CONTENT|CONVERSATION|PASSWORD|API_KEY)(?:_?[A-Z]+)*[)\s?&/]",
        judge: |place| Some(place.matched),
        confidence: 0.9,
    },
    Way {
        what: "an image whose address asks for data",
        hints: &["](", "<img"],
        pattern: r#"(?i)(?:!\[[^\]\n]{0,200}\]\(\s*|<img[^>\n]{0,200}src\s*=\s*["']?)https?://[^\s)>"']+[?&](?:data|exfil|leak|secret|token|content|conversation|conv|history|prompt|env|key|keys|password|stolen|payload)="#,
        judge: |place| says::image(place.matched),
        confidence: 0.85,
    },
    Way {
        what: "a command that sends files or variables to another host",
        hints: &[
            "curl",
            "wget",
            "http ",
            "xh ",
            "nc ",
            "ncat ",
            "socat ",
            "iwr ",
            "irm ",
            "invoke-",
            "nslookup ",
            "dig ",
            "ping ",
        ],
        pattern: r"(?i)\b(?:curl|wget|http|xh|nc|ncat|socat|iwr|irm|Invoke-(?:WebRequest|RestMethod)|nslookup|dig|ping)\s",
        judge: |place| sends::request(place.rest),
        confidence: 0.85,
    },
    Way {
        what: "a command that copies secrets to another host",
        hints: &[
            "scp ", "rsync ", "sftp ", "aws ", "gsutil ", "gcloud ", "rclone ", "az ", "gh ",
        ],
        pattern: r"(?i)\b(?:scp|rsync|sftp|aws\s+s3\s+(?:cp|mv|sync)|gsutil\s+(?:-m\s+)?(?:cp|mv|rsync)|gcloud\s+storage\s+cp|rclone\s+(?:copy|copyto|move|sync)|az\s+storage\s+(?:blob|file)\s+upload|gh\s+gist\s+create)\s",
        judge: |place| sends::copy(place.rest),
        confidence: 0.85,
    },
    Way {
        what: "code that sends cookies or variables to another host",
        hints: &[
            "document.cookie",
            "storage",
            "environ",
            "getenv",
            "process.env",
            "open(",
            "readfile",
        ],
        pattern: r"\b(?:fetch\(|axios(?:\.[a-z]+)?\(|XMLHttpRequest\(|sendBeacon\(|new\s+Image\b|requests\.[a-z]+\(|httpx\.[a-z]+\(|urlopen\()[^\n]{0,200}",
        judge: |place| says::code(place.matched),
        confidence: 0.85,
    },
    Way {
        what: "a command that sends secrets through a pipe",
        hints: &["|"],
        pattern: r"(?i)\b(?:cat|printenv|env|base64|tar|gzip|history|set|grep|rg|sed|awk|head|tail|gpg|xxd|echo|printf|Get-Content|gc)\b[^\n|;]{0,120}\|",
        judge: |place| sends::pipe(place.rest),
        confidence: 0.9,
    },
    Way {
        what: "a command that sends secrets to a socket",
        hints: &["/dev/tcp/", "/dev/udp/"],
        pattern: r"\b[a-z]{2,10}\b[^\n|;]{0,120}[<>]&?\s*/dev/(?:tcp|udp)/",
        judge: |place| sends::socket(place.rest),
        confidence: 0.9,
    },
    Way {
        what: "an order to send what is not to leave",
        hints: &["://", "@"],
        pattern: r"(?i)\b(?:send|post|upload|forward|exfiltrate|transmit|leak|copy|report)\s+(?:[0-9A-Za-z_]+(?:'s)?\s+){0,4}?(?:env(?:ironment)?(?:\s+variables)?|secrets?|credentials?|tokens?|api\s+keys?|passwords?|private\s+keys?|\.env|conversation|chat\s+history|system\s+prompt|source\s+code)\b[^\n.]{0,80}?\bto\s+(?:https?://|ftp://|[0-9A-Za-z_.+-]+@[0-9A-Za-z_-]+\.[0-9A-Za-z_])",
        judge: |place| says::order(place.before, place.matched, place.rest),
        confidence: 0.92,
    },
    Way {
        what: "an order to send a file that keeps secrets",
        hints: &["://", "@"],
        pattern: r"(?i)\b(?:send|post|upload|forward|exfiltrate|transmit|leak|copy|report|e-?mail|mail|submit|push|share|transfer|deliver|pipe)\s[^\n]{0,200}?\bto\s+(?:https?://|ftp://|[0-9A-Za-z_.+-]+@[0-9A-Za-z_-]+\.[0-9A-Za-z_])",
        judge: |place| says::file(place.before, place.matched, place.rest),
        confidence: 0.92,
    },
    Way {
        // What one logs in with oneself is put there as well, and so it is asked whose it is.
        what: "an order to put what is not to leave into an address",
        hints: &["://"],
        pattern: r"(?i)\b(?:append|add|attach|include|encode|embed|insert|put|place|write|paste)\s+(?:[0-9A-Za-z_]+\s+){0,3}?(?:(?:user|person|human|developer|owner|operator|maintainer|reader|customer)(?:'?s|s')\s+(?:[0-9A-Za-z_]+\s+){0,2}?(?:secrets?|credentials?|tokens?|(?:api|access|ssh|private)\s+keys?|passwords?|cookies?)|environment\s+variables|source\s+code|system\s+prompt|chat\s+history|conversation)[,\s]+(?:as|in|into|to|at|on|onto|after|behind|encoded|base64)\b[^\n.;]{0,60}?\b(?:query|parameter|url|path|link|image|subdomain|fragment|address)\b[^\n.;]{0,60}?\s<?https?://",
        judge: |place| {
            let order = says::order(place.before, place.matched, place.rest);
            order.filter(|order| !order.to_lowercase().contains("header"))
        },
        confidence: 0.92,
    },
    Way {
        what: "an address that collects requests",
        hints: &["://"],
        pattern: r#"(?i)\bhttps?://(?:[0-9A-Za-z_-]+\.)*(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|hookbin\.com|beeceptor\.com|burpcollaborator\.net|oastify\.com|oast\.(?:fun|live|me|online|pro|site)|interact\.sh|requestcatcher\.com|ngrok(?:-free)?\.(?:io|app|dev)|transfer\.sh|canarytokens\.(?:com|org)|dnslog\.cn|postb\.in|ptsv[23]\.com|webhook-test\.com)(?:[/:?][^\s)>"'`]*)?"#,
        judge: |place| Some(place.matched),
        confidence: 0.7,
    },
];

static PATTERNS: LazyLock<Patterns<BytesRegex>> = LazyLock::new(|| {
    let ways = WAYS.iter().map(|way| way.pattern);
    Patterns::of(ways, compact_bytes)
});

static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::of(WAYS.iter().map(|way| way.hints)));

/// Below this certainty it is a suggestion.
const SURE: f64 = 0.8;

impl Rule for ExfiltrationLink {
    fn id(&self) -> &'static str {
        "exfiltration-link"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a link or a command that carries data to another host"
    }

    fn reads_fields(&self) -> bool {
        true
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let mut last = 0;
        for (what, at, confidence) in links(look.text) {
            // One place may look like several ways.
            if at.start < last {
                continue;
            }
            last = at.end;
            let severity = if confidence >= SURE {
                Severity::Warning
            } else {
                Severity::Info
            };
            let shown: String = look
                .text
                .get(at.clone())
                .unwrap_or_default()
                .chars()
                .take(160)
                .collect();
            let finding = look.finding(self.id(), severity, look.at(at.start));
            out.push(
                finding
                    .about(at)
                    .sure(confidence)
                    .says(what)
                    .because(quote(&shown)),
            );
        }
    }
}

/// The most of a text that may belong to one link or command, in bytes.
const ROOM: usize = 600;

/// Bytes before it that may say it is none.
const BEFORE: usize = 60;

fn links(text: &str) -> Vec<(&'static str, Range<usize>, f64)> {
    let mut found = Vec::new();
    for n in HINTS.likely(text) {
        let (Some(way), Some(pattern)) = (WAYS.get(n), PATTERNS.get(n)) else {
            continue;
        };
        // Whether a code span is open, as far as the text was read.
        let (mut span, mut read) = (false, 0);
        let places = pattern.find_iter(text.as_bytes()).filter_map(|link| {
            for byte in text.as_bytes().get(read..link.start())? {
                span = *byte != b'\n' && span != (*byte == b'`');
            }
            read = link.start();
            let rest = text.get(link.start()..)?;
            let mut rest = cut(rest, ROOM.max(link.len()));
            // A repetition may have ended within a character.
            let mut matched = cut(rest, link.len());
            // What stands in a code span ends with it.
            if span {
                rest = rest.split('`').next()?;
                matched = cut(matched, rest.len());
            }
            let mut from = link.start().saturating_sub(BEFORE)..=link.start();
            let before = from.find_map(|from| text.get(from..link.start()))?;
            let shown = (way.judge)(&Place {
                before,
                matched,
                rest,
            })?;
            (!stays(shown)).then(|| {
                let at = link.start()..link.start() + shown.len();
                (way.what, at, way.confidence)
            })
        });
        found.extend(places.take(20));
    }
    found.sort_by(|a, b| a.1.start.cmp(&b.1.start).then(b.2.total_cmp(&a.2)));
    found
}

/// Whether what is sent stays on this machine.
pub(super) fn stays(shown: &str) -> bool {
    const HERE: [&str; 5] = [
        "localhost",
        "127.0.0.1",
        "0.0.0.0",
        "[::1]",
        "host.docker.internal",
    ];
    let host = |address: &str| {
        let host = address
            .split(['/', '?', '#', ' ', '"', '\'', '`', ')'])
            .next();
        let host = host.unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        HERE.iter().any(|here| {
            let rest = host.strip_prefix(here);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        })
    };
    let mut addresses = shown.split("://").skip(1).peekable();
    if addresses.peek().is_some() {
        return addresses.all(host);
    }
    let words = shown.split(|c: char| c.is_whitespace() || c == '/' || c == '\'');
    words.map(|word| word.trim_matches('"')).any(host)
}

#[cfg(test)]
mod tests;
