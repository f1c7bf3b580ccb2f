//! Serena's: an agent is given the names, and reads what it wants (formats: serena, "What is
//! injected").

use super::listing::{Ask, Judged, Listing};
use super::{Reason, Texts};
use crate::memory::Memory;

/// The policy.
pub(super) struct Names;

impl Listing for Names {
    const NAME: &'static str = "names";
    type Facts = ();

    fn facts(_memories: &[&Memory], _ask: &Ask<'_>, _texts: &dyn Texts) {}

    fn judge(memory: &Memory, _ask: &Ask<'_>, (): &()) -> Judged {
        let hint = format!(
            "the agent is given the name `{}` and may read it",
            memory.id.local
        );
        Judged::hint(Reason::Reachable, hint)
    }

    fn prompt(
        memories: &[&Memory],
        _selected: &[&Memory],
        ask: &Ask<'_>,
        (): &(),
        _texts: &dyn Texts,
    ) -> String {
        let prefix = ask.setting("prefix").unwrap_or_default();
        let seen = memories.iter().filter(|memory| memory.hidden.is_none());
        let mut names: Vec<String> = seen
            .map(|memory| format!("{prefix}{}", memory.id.local))
            .collect();
        if names.is_empty() {
            return String::new();
        }
        names.sort_unstable();
        // The names alone, as the program writes them: none of them can be written otherwise.
        let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        format!("{{\"memories\": [{}]}}", names.join(", "))
    }
}
