//! Memories whose time is over: by the rules of their system, or by what they say themselves.

mod deadline;

use chrono::{DateTime, Days, NaiveTime};

use self::deadline::{Deadline, deadlines};
use super::chars::quote;
use super::cues::{Cue, Cues};
use super::{Finding, Look, Rule};
use crate::memory::{Severity, Timestamp};

/// A memory whose time is over.
pub(super) struct Expired;

impl Rule for Expired {
    fn id(&self) -> &'static str {
        "expired"
    }

    fn severity(&self) -> Severity {
        Severity::Info
    }

    fn title(&self) -> &'static str {
        "a memory whose time is over"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        out.extend(unread(look));
        let (start, body) = look.body();
        let all = deadlines(body).into_iter();
        let over = all.filter(|one| over(look, one));
        let cues = Cues::new(body, &look.memory.title);
        // A deadline is often that of a plan.
        let is_held = |cue| matches!(cue, None | Some(Cue::Planned | Cue::Removed));
        let over = over.filter(|one| is_held(cues.at(&one.bytes)));
        // One says it: the surest, and of those the first.
        let over = over.min_by_key(|one| !one.sure);
        if let Some(over) = over {
            out.push(past(look, start, body, &over));
        }
    }
}

/// A memory that its system stopped reading.
fn unread(look: &Look<'_>) -> Option<Finding> {
    let expiry = look
        .memory
        .expires
        .filter(|_| look.memory.is_expired(look.cx.now));
    // What is not seen anyway has a finding of its own.
    let expiry = expiry.filter(|_| look.memory.hidden.is_none())?;
    let finding = look.finding("expired", Severity::Info, look.at(0));
    let says = format!(
        "{} does not read it since {}: {}",
        look.memory.schema.format,
        expiry.at.date(),
        expiry.why
    );
    // What still holds is worth a `confirm` or an edit: a person decides.
    Some(finding.says(says).fixed_by(look.archive()))
}

/// Whether a day is over, and was still to come when the memory was last written or confirmed:
/// else the memory tells of it as of something that was.
fn over(look: &Look<'_>, deadline: &Deadline) -> bool {
    let end = deadline.last.checked_add_days(Days::new(1));
    let end = end.map(|day| day.and_time(NaiveTime::MIN).and_utc().timestamp_millis());
    let memory = look.memory;
    let known = memory.updated.max(memory.created).max(memory.confirmed);
    end.map(Timestamp)
        .is_some_and(|end| known.is_none_or(|known| known < end) && end <= look.now())
}

fn past(look: &Look<'_>, start: usize, body: &str, over: &Deadline) -> Finding {
    let at = start + over.bytes.start..start + over.bytes.end;
    let (severity, confidence) = if over.sure {
        (Severity::Warning, 0.85)
    } else {
        (Severity::Info, 0.5)
    };
    let words = body.get(over.bytes.clone()).unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().collect();
    let today = DateTime::from_timestamp_millis(look.cx.now.0).map(|now| now.date_naive());
    let days = today.map_or(0, |today| (today - over.last).num_days());
    let ago = match days {
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    };
    let finding = look.finding("expired", severity, look.at(at.start));
    let finding = finding.about(at).sure(confidence);
    let words = quote(&words.join(" "));
    if over.due {
        // What was to be done is not done by putting it away.
        return finding.says(format!("{words} was due {ago}: do it, or say when"));
    }
    finding
        .says(format!("{words} was over {ago}"))
        .fixed_by(look.archive().filter(|_| is_all(body, over)))
}

/// Whether the sentence with a day is all that a memory says: what else it says holds on.
fn is_all(body: &str, over: &Deadline) -> bool {
    let rest = |part: &str| {
        part.split('\n')
            .all(|line| line.trim().is_empty() || line.starts_with('#'))
    };
    let line = body
        .get(..over.bytes.start)
        .map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
    let (above, before) = (body.get(..line), body.get(line..over.bytes.start));
    let after = body.get(over.bytes.end..).unwrap_or_default();
    let (after, below) = after.split_once('\n').unwrap_or((after, ""));
    let one = |part: &str| {
        ![". ", "! ", "? ", "; "]
            .iter()
            .any(|end| part.trim_end().contains(end))
    };
    above.is_some_and(rest) && rest(below) && before.is_some_and(one) && one(after)
}
