//! The sample project's own claims.

use std::fs;

use memkeep::config::InjectSettings;
use memkeep::memory::Timestamp;
use memkeep::project::demo;
use memkeep::retrieval::Limits;
use memkeep::systems::policy;

use crate::helper::{NOW, limits, load, task};

#[test]
fn the_tasks_select_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    let now = Timestamp::parse_iso(NOW).unwrap();
    demo::lay_out_in(&root, now).unwrap();
    let (collection, memories) = load(&root);
    let scorer = policy("rawko").unwrap().scorer(memories.clone());
    let tasks = demo::tasks();
    assert!(!tasks.is_empty());
    for sample in tasks {
        let own = root
            .join(".rawko/agents")
            .join(format!("{}.md", sample.agent));
        let own = fs::read_to_string(own)
            .map(|text| InjectSettings::of_agent(&text))
            .unwrap_or_default();
        let limits = Limits {
            max: own.max,
            min_importance: own.min_importance,
            score_bonus: own.score_bonus.unwrap_or_default(),
            ..limits("natural")
        };
        let preview = scorer.preview(
            &task(&sample.text, &sample.agent),
            &limits,
            None,
            &collection,
        );
        let names: Vec<&str> = preview
            .selected
            .iter()
            .map(|one| &*memories[one.memory].id.local)
            .collect();
        assert_eq!(names, sample.selects, "{}", sample.text);
    }
}
