//! What is injected: Ralph's own text byte for byte, and that of the requirements.

use std::fs;
use std::sync::Arc;

use memkeep::memory::Timestamp;
use memkeep::retrieval::{Limits, Options, Preview, Reason, Snapshot, Task};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use memkeep::systems::policy;
use proptest::prelude::*;

use crate::oracle::{self, Seen};
use crate::soup;

const NOW: &str = "2026-02-01T12:00:00Z";
const TODAY: &str = "2026-02-01";

/// A file with this text, opened, and what `ralph.yml` says.
struct Case {
    _dir: tempfile::TempDir,
    collection: Collection,
    memories: Snapshot,
    settings: Options,
}

impl Case {
    fn new(text: &[u8], config: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("p/.ralph/agent");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("memories.md"), text).unwrap();
        if !config.is_empty() {
            fs::write(dir.path().join("p/ralph.yml"), config).unwrap();
        }
        let search = Search {
            start: dir.path().join("p"),
            root: Some(dir.path().join("p")),
            ..Search::default()
        };
        let collection = Collection::open(&search, &dir.path().join("state")).unwrap();
        let memories = Arc::new(collection.load(&[], &mut |_| true).memories);
        let settings = collection
            .stores
            .iter()
            .next()
            .unwrap()
            .settings(&collection.root)
            .unwrap();
        Self {
            _dir: dir,
            collection,
            memories,
            settings,
        }
    }

    fn notes(&self, dialect: &'static str) -> Vec<String> {
        (policy("ralph").unwrap().notes)(&Limits {
            dialect,
            options: self.settings.clone(),
            ..Limits::default()
        })
    }

    fn preview(
        &self,
        dialect: &'static str,
        budget: Option<usize>,
        options: &[(&str, &str)],
    ) -> Arc<Preview> {
        let task = Task {
            text: "anything".into(),
            agent: String::new(),
            plan: None,
            history: None,
            files: Vec::new(),
            now: Timestamp::parse_iso(NOW).unwrap(),
        };
        let mut all = Options::default();
        for (name, value) in options {
            all.set(*name, *value);
        }
        let limits = Limits {
            dialect,
            budget,
            rejected: usize::MAX,
            options: all.over(&self.settings),
            ..Limits::default()
        };
        let scorer = policy("ralph").unwrap().scorer(self.memories.clone());
        scorer.preview(&task, &limits, None, &self.collection)
    }

    fn reasons(&self, preview: &Preview) -> Vec<(String, Reason)> {
        let all = preview.selected.iter().chain(&preview.rejected);
        all.map(|verdict| {
            (
                self.memories[verdict.memory].id.local.to_string(),
                verdict.reason,
            )
        })
        .collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn the_prompt_is_ralphs(text in soup::file(), budget in 0_usize..90) {
        let case = Case::new(text.as_bytes(), "");
        let read = oracle::parse(&text);
        let whole = oracle::format(&read, TODAY);
        prop_assert_eq!(&case.preview("ralph", None, &[]).prompt, &whole);
        let cut = case.preview("ralph", Some(budget), &[]);
        prop_assert_eq!(&cut.prompt, &oracle::truncate(&whole, budget));
        prop_assert_eq!(cut.selected.len() + cut.rejected.len(), case.memories.len());
        // What the hint says is enough, and one token less is not.
        for verdict in cut.rejected.iter().filter(|verdict| verdict.reason == Reason::OverBudget) {
            let hint = verdict.hint.as_deref().unwrap();
            let needed: usize = hint.split(' ').find_map(|word| word.parse().ok()).unwrap();
            let is_in = |budget| {
                let again = case.preview("ralph", Some(budget), &[]);
                again.selected.iter().any(|other| other.memory == verdict.memory)
            };
            prop_assert!(is_in(needed), "{}", hint);
            prop_assert!(!is_in(needed - 1), "{}", hint);
        }
    }

    #[test]
    fn the_requirements_never_cut_a_memory_in_two(text in soup::file(), budget in 1_usize..90) {
        let case = Case::new(text.as_bytes(), "");
        let preview = case.preview("spec", Some(budget), &[]);
        prop_assert!(preview.tokens() <= budget);
        prop_assert_eq!(preview.prompt.len().div_ceil(4), preview.tokens());
        let mut read = oracle::parse(&text);
        read.sort_by_key(|memory| oracle::SECTIONS.iter().position(|(_, word)| *word == memory.kind));
        let order: Vec<usize> = preview.selected.iter().map(|verdict| verdict.memory).collect();
        // The texts of those that are in, as if the file held nothing else.
        let visible: Vec<usize> = {
            let mut all: Vec<usize> = (0..case.memories.len()).filter(|n| case.memories[*n].hidden.is_none()).collect();
            let kind = |n: &usize| case.memories[*n].field("type").unwrap().as_str().unwrap().to_owned();
            all.sort_by_key(|n| oracle::SECTIONS.iter().position(|(_, word)| *word == kind(n)));
            all
        };
        prop_assert_eq!(visible.len(), read.len());
        let chosen: Vec<Seen> = order
            .iter()
            .map(|index| read[visible.iter().position(|n| n == index).unwrap()].clone())
            .collect();
        prop_assert_eq!(&preview.prompt, &oracle::format(&chosen, TODAY));
        // Each of the others would have been too much where it stood.
        prop_assert_eq!(preview.selected.len() + preview.rejected.len(), case.memories.len());
    }
}

#[test]
fn a_date_in_other_digits_is_passed_on() {
    let text = "### mem-1-0000\n<!-- tags: a | created: 2026-01-01 -->\n### mem-foo\n> x\n<!-- tags: a | created: ٢٠٢٦-01-02 -->\n";
    let prompt = Case::new(text.as_bytes(), "")
        .preview("ralph", None, &[])
        .prompt
        .clone();
    assert_eq!(prompt, oracle::format(&oracle::parse(text), TODAY));
    assert!(prompt.contains("created: ٢٠٢٦-01-02"));
}

const FILE: &str = "## Fixes\n\n### mem-5-00aa\n> five\n<!-- tags: Docker, x | created: 2026-01-30 -->\n\n### mem-4-00aa\n<!-- tags: leaked | created: 2026-01-20 -->\n\n### mem-3-00aa\n> three\n\n### mem-bad\n> strayed\n\n## Patterns\n\n### mem-2-00aa\n> two ü\n<!-- tags: y | created: 2025-12-01 -->\n";

#[test]
fn what_ralph_sees_is_injected() {
    let case = Case::new(FILE.as_bytes(), "");
    let preview = case.preview("ralph", None, &[]);
    assert_eq!(
        preview.prompt,
        "# Memories\n\n## Patterns\n\n### mem-2-00aa\n> two ü\n<!-- tags: y | created: 2025-12-01 -->\n\n## Fixes\n\n\
         ### mem-5-00aa\n> five\n<!-- tags: Docker, x | created: 2026-01-30 -->\n\n\
         ### mem-3-00aa\n> three\n> strayed\n<!-- tags: leaked | created: 2026-01-20 -->\n"
    );
    let name = |name: &str| name.to_owned();
    assert_eq!(
        case.reasons(&preview),
        [
            (name("mem-2-00aa"), Reason::Selected),
            (name("mem-5-00aa"), Reason::Selected),
            (name("mem-3-00aa"), Reason::Selected),
            (name("mem-4-00aa"), Reason::Invisible),
            (name("mem-bad"), Reason::Invisible),
        ]
    );
    assert!(
        preview
            .skill
            .as_ref()
            .unwrap()
            .contains("ralph tools memory add")
    );
}

#[test]
fn prime_narrows_as_ralph_does() {
    let case = Case::new(FILE.as_bytes(), "memories:\n  enabled: false\n");
    let ids = |dialect, options: &[(&str, &str)]| {
        let options = [&[("prime", "true")], options].concat();
        let preview = case.preview(dialect, None, &options);
        let selected = preview.selected.iter();
        let ids = selected.map(|verdict| case.memories[verdict.memory].id.local.to_string());
        ids.collect::<Vec<_>>().join(" ")
    };
    for dialect in ["ralph", "spec"] {
        for (options, wanted) in [
            (&[][..], "mem-2-00aa mem-5-00aa mem-3-00aa"),
            (&[("types", "FIX, foo")], "mem-5-00aa mem-3-00aa"),
            (
                &[("types", "pattern,fix")],
                "mem-2-00aa mem-5-00aa mem-3-00aa",
            ),
            (&[("tags", "docker")], "mem-5-00aa"),
            // A tag that only Ralph sees there.
            (&[("tags", "leaked, y")], "mem-2-00aa mem-3-00aa"),
            (&[("tags", "dock")], ""),
            (&[("recent", "2")], "mem-5-00aa"),
            (&[("recent", "12")], "mem-5-00aa mem-3-00aa"),
            (&[("recent", "11")], "mem-5-00aa"),
            (&[("types", "fix"), ("tags", "y")], ""),
        ] {
            assert_eq!(ids(dialect, options), wanted, "{dialect} {options:?}");
        }
    }
    // Types that there are not: none is left for Ralph, and so none is asked for.
    assert_eq!(
        ids("ralph", &[("types", "foo")]),
        "mem-2-00aa mem-5-00aa mem-3-00aa"
    );
    assert_eq!(ids("spec", &[("types", "foo")]), "");
    // An empty tag is a tag for Ralph, and no memory has it.
    assert_eq!(ids("ralph", &[("tags", "")]), "");
    assert_eq!(ids("spec", &[("tags", "")]), ids("spec", &[]));
}

#[test]
fn the_configuration_is_obeyed_as_each_dialect_says() {
    let off = "# Memories\n";
    for (config, ralph, spec) in rows! {
        "" => "2 5 3 skill" => "2 5 3 skill",
        "cli:\n  backend: x\n" => "2 5 3 skill" => "2 5 3 skill",
        "memories:\n  enabled: true\n" => "2 5 3 skill" => "2 5 3 skill",
        "memories:\n  budget: 23\n" => "disabled" => "2 skill",
        "memories:\n  enabled: true\n  inject: manual\n" => "disabled skill" => "disabled skill",
        "memories: {enabled: true, inject: none, skill_injection: false}\n" => "disabled skill" =>
            "disabled",
        "memories:\n  enabled: false\n" => "disabled" => "disabled",
        "memories:\n  enabled: true\n  budget: 23\n" => "2 skill" => "2 skill",
        "memories:\n  enabled: true\n  budget: 0\n" => "2 5 3 skill" => "2 5 3 skill",
        "memories:\n  enabled: true\n  filter: {types: [fix], tags: [], recent: 0}\n" => "2 5 3 skill" =>
            "5 3 skill",
        "memories:\n  enabled: true\n  filter:\n    tags: [DOCKER, y]\n    recent: 30\n" => "2 5 3 skill" =>
            "5 skill",
        "memories:\n  enabled: true\n  skill_injection: false\n" => "2 5 3 skill" => "2 5 3",
    } {
        let case = Case::new(FILE.as_bytes(), config);
        for (dialect, wanted) in [("ralph", ralph), ("spec", spec)] {
            let preview = case.preview(dialect, None, &[]);
            let mut got: Vec<String> = preview
                .selected
                .iter()
                .map(|verdict| case.memories[verdict.memory].id.local[4..5].to_owned())
                .collect();
            if preview
                .rejected
                .iter()
                .any(|verdict| verdict.reason == Reason::Disabled)
            {
                assert_eq!(preview.prompt, "", "{config}");
                got.push("disabled".into());
            }
            got.extend(preview.skill.as_ref().map(|_| "skill".into()));
            assert_eq!(got.join(" "), wanted, "{dialect}: {config}");
        }
    }
    assert!(
        Case::new(off.as_bytes(), "")
            .preview("ralph", None, &[])
            .prompt
            .is_empty()
    );
}

#[test]
fn settings_that_do_nothing_are_named() {
    let config = "memories:\n  enabled: true\n  skill_injection: false\n  filter: {types: [fix], recent: 7}\n";
    let case = Case::new(FILE.as_bytes(), config);
    let notes = |dialect| case.notes(dialect);
    assert_eq!(
        notes("ralph"),
        [
            "ralph.yml: `memories.skill_injection` is ignored: Ralph always adds the skill",
            "ralph.yml: `memories.filter.types` is ignored: Ralph never uses it",
            "ralph.yml: `memories.filter.recent` is ignored: Ralph never uses it",
        ]
    );
    assert_eq!(notes("spec"), [""; 0]);
}

/// A file that parses, and does not say what the settings have to be.
#[test]
fn settings_of_a_wrong_type_are_named_with_their_place() {
    let table = rows! {
        "memories: true\n" => "ralph.yml:1:11: memories: ",
        "memories: [a]\n" => "ralph.yml:1:11: memories: ",
        "memories: {enabled: \"yes\"}\n" => "ralph.yml:1:21: memories.enabled: ",
        "memories:\n  enabled: true\n  budget: -1\n" => "ralph.yml:3:11: memories.budget: ",
        "memories:\n  enabled: true\n  budget: [1]\n" => "ralph.yml:3:11: memories.budget: ",
        "memories:\n  enabled: true\n  inject: 5\n" => "ralph.yml:3:",
        "memories:\n  enabled: true\n  inject: AUTO\n" => "ralph.yml:3:",
        "memories:\n  enabled: true\n  filter: [x]\n" => "ralph.yml:3:11: memories.filter: ",
        "memories:\n  enabled: true\n  filter: {types: {a: b}}\n" =>
            "ralph.yml:3:19: memories.filter.types: ",
        "memories:\n  enabled: true\n  filter: {recent: -4}\n" =>
            "ralph.yml:3:20: memories.filter.recent: ",
    };
    for (config, begins) in table {
        let case = Case::new(FILE.as_bytes(), config);
        for dialect in ["ralph", "spec"] {
            let notes = case.notes(dialect);
            let told = notes.iter().filter(|note| note.contains("does not start"));
            let told: Vec<_> = told.collect();
            assert_eq!(told.len(), 1, "{config}: {notes:?}");
            assert!(told[0].starts_with(begins), "{config}: {notes:?}");
        }
    }
    for config in [
        "",
        "other: [1, {a: b}]\n",
        "memories:\n",
        "memories: {enabled: true, inject: none, budget: 0, skill_injection: true}\n",
        "memories: {enabled: false, ours: [1], filter: {types: [], tags: [a], recent: 0}}\n",
    ] {
        let notes = Case::new(FILE.as_bytes(), config).notes("spec");
        assert_eq!(notes, [""; 0], "{config}");
    }
}

#[test]
fn a_file_that_is_not_utf_8_is_nothing_to_ralph() {
    let text = [FILE.as_bytes(), b"\xff\n"].concat();
    let case = Case::new(&text, "");
    let preview = case.preview("ralph", None, &[]);
    assert_eq!(preview.prompt, "");
    assert!(
        preview
            .rejected
            .iter()
            .all(|verdict| verdict.reason == Reason::Invisible)
    );
    assert_eq!(case.memories.len(), 5);
}
