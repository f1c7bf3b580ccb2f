//! Systems that give every file, in the order of the store; and those that no program reads, where
//! a rule tells the model to (formats: memory-bank, "There is no loader").

use super::listing::{Ask, Judged, Listing};
use super::{Reason, Texts};
use crate::memory::Memory;

/// The policy.
pub(super) struct Always;

impl Listing for Always {
    const NAME: &'static str = "always";
    type Facts = ();

    fn facts(_memories: &[&Memory], _ask: &Ask<'_>, _texts: &dyn Texts) {}

    fn judge(_memory: &Memory, ask: &Ask<'_>, (): &()) -> Judged {
        match ask.setting("carrier") {
            Some("") => Judged::hint(
                Reason::NotApplicable,
                "no rule of the project tells an agent to read this folder, and no program does",
            ),
            _ => Judged::of(Reason::Selected),
        }
    }

    fn prompt(
        _memories: &[&Memory],
        selected: &[&Memory],
        _ask: &Ask<'_>,
        (): &(),
        texts: &dyn Texts,
    ) -> String {
        joined(selected, texts)
    }

    fn notes(ask: &Ask<'_>, (): &()) -> Vec<String> {
        let carrier = ask.setting("carrier").filter(|carrier| !carrier.is_empty());
        let carrier = carrier.map(|file| {
            format!("{file} tells the agent to read these files; no program loads them")
        });
        let unknown = ask
            .setting("unknown")
            .map(|what| format!("not known: {what}"));
        carrier.into_iter().chain(unknown).collect()
    }
}

/// The bodies of memories, a blank line between them.
pub(super) fn joined(memories: &[&Memory], texts: &dyn Texts) -> String {
    let bodies = memories.iter().filter_map(|memory| texts.body(memory));
    let bodies: Vec<String> = bodies.map(|body| body.trim().to_owned()).collect();
    bodies.join("\n\n")
}
