//! The screen and the command line give the same.

use std::fs;

use clap::Parser as _;

use super::super::{Args, Command};
use super::*;
use crate::app::update;
use crate::memory::{MemoryId, Timestamp, rows};
use crate::project::demo;
use crate::retrieval::multi_store::join;
use crate::retrieval::{Scorer as _, Snapshot};
use crate::workspace::preview::StorePreview;
use crate::workspace::{ContextFile, Picture};

/// A file of each format that is a table.
const FILES: &[(&str, &str)] = &rows! {
    ".cursor/rules/py.mdc" => "---\nglobs: \"*.py\"\n---\nPython.\n",
    ".cursor/rules/deep.mdc" => "---\nglobs: **/*.py,*.md\n---\nDeep.\n",
    ".cursor/rules/all.mdc" => "---\nalwaysApply: true\n---\nAlways.\n",
    ".github/instructions/py.instructions.md" => "---\napplyTo: \"*.py\"\n---\n# Py\n\ntext\n",
    ".github/instructions/list.instructions.md" =>
        "---\napplyTo: [\"**/*.py\"]\n---\n# List\n\n[see](py.instructions.md)\n",
    ".github/copilot-instructions.md" => "# All\n\nText.\n",
    ".kiro/steering/py.md" => "---\ninclusion: fileMatch\nfileMatchPattern: [\"*.py\"]\n---\nPython.\n",
    ".windsurf/rules/py.md" => "---\ntrigger: glob\nglobs: *.py\n---\nPython.\n",
    ".augment/rules/a.md" => "---\ntype: always_apply\n---\nText.\n",
    ".clinerules/a.md" => "---\npaths: [\"**/*.py\"]\n---\nText.\n",
    ".trae/rules/project_rules.md" => "# Rules\n\nText.\n",
    ".junie/guidelines.md" => "# Guide\n\nText.\n",
    ".openhands/microagents/a.md" => "---\ntriggers:\n- python\n---\nText.\n",
    ".roo/rules/a.md" => "# A\n\nText.\n",
    ".serena/memories/core.md" => "# Core\n\nText.\n",
    "memory-bank/activeContext.md" => "# Active\n\nText.\n",
    ".claude/memory/MEMORY.md" => "- [A](a.md) — what it is about\n",
    ".claude/memory/a.md" => "---\nname: a\n---\nText.\n",
    "notes/team.md" => "---\nfiles: \"*.py\"\n---\n# T\n\nText.\n",
    ".memkeep/formats/team.toml" =>
        "name = \"team\"\nabout = \"notes\"\npolicy = \"globs\"\nproject = [\"notes\"]\narchive = \
         \"../notes-archive\"\nuntitled = [\"heading\"]\n\n[settings]\ndialect = \"vscode\"\n\n\
         [[field]]\nname = \"files\"\nkind = \"patterns\"\nrole = \"patterns\"\nhelp = \"files\"\n",
    ".rawko/agents/picky.md" =>
        "---\nname: picky\nmemory:\n  maxInjected: 1\n  minImportance: high\n  scoreBonus: 7\n---\n",
};

/// Writes files below a folder.
fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn args(root: &Path, more: &[&str]) -> Args {
    let root = root.to_str().unwrap();
    let first = ["memkeep", "--root", root, "--now", "2026-03-02T09:00:00Z"];
    Args::try_parse_from(first.iter().chain(more)).unwrap()
}

/// A workspace, and the program on its memories.
struct Both {
    ws: Workspace,
    memories: Snapshot,
    model: Model,
}

impl Both {
    fn open(root: &Path, state: &Path, more: &[&str]) -> Self {
        let args = args(root, more);
        let mut options = args.global.options(Vec::new()).unwrap();
        options.state = state.to_owned();
        let ws = Workspace::open(options).unwrap();
        let memories = ws.load();
        let mut model = model(&ws, Keymap::default()).unwrap();
        let snapshot = Msg::Snapshot(Arc::clone(&memories), Vec::new());
        let _ = update(&mut model, snapshot);
        Self {
            ws,
            memories,
            model,
        }
    }

    /// The output of the command line that the screen offers as equivalent.
    fn by_command(&self, root: &Path) -> (Vec<MemoryId>, String) {
        let (previews, _) = self.by_command_line(root);
        let ids = previews.iter().flat_map(StorePreview::given);
        let ids = ids.map(|memory| memory.id.clone());
        let prompts = previews.iter().map(|of| &*of.preview.prompt);
        (ids.collect(), join(prompts))
    }

    /// The previews and the files of context of that command line.
    fn by_command_line(&self, root: &Path) -> (Vec<StorePreview>, Vec<ContextFile>) {
        let line = self.model.command_line();
        let words = shell_words::split(&line).unwrap();
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let Some(Command::Inject(args)) = args(root, &words).command else {
            panic!("{line}");
        };
        let (task, context, previews) = super::super::inject::previews(&self.ws, &args).unwrap();
        (previews, context.files(&self.ws, &task))
    }

    fn on_screen(&self) -> (Vec<MemoryId>, String) {
        let scorer = self.ws.scorer(&self.memories);
        let (task, limits) = self.model.inputs();
        let preview = scorer.preview(&task, &limits, None, &self.ws.collection);
        let selected = preview.selected.iter();
        let ids = selected.map(|one| self.memories[one.memory].id.clone());
        (ids.collect(), preview.prompt.clone())
    }
}

/// Plays all dialects and some settings of the stores of a workspace; how many were compared.
fn play(root: &Path, state: &Path, more: &[&str]) -> usize {
    let mut both = Both::open(root, state, more);
    let inject = &mut both.model.inject;
    inject
        .text
        .insert("rotate the database keys of the python service");
    inject.files.insert("a/b.py");
    let settings = ["", "max=1", "budget=40", "max=2 min-importance=high"];
    let extra = ["mode=index", "depth=full", "type=refactor max=1"];
    let mut count = 0;
    for _ in 0..both.model.inject.dialects.len() {
        for agent in ["developer", "picky", "nobody"] {
            for typed in settings.iter().chain(&extra) {
                let names = both.model.setting_names();
                let is_known = |word: &str| names.contains(&word.split_once('=').unwrap().0);
                if !typed.split_whitespace().all(is_known) {
                    continue;
                }
                both.model.inject.agent = app::line::Line::new(agent);
                both.model.inject.settings = app::line::Line::new(*typed);
                assert_eq!(
                    both.on_screen(),
                    both.by_command(root),
                    "{more:?} {}",
                    both.model.command_line()
                );
                count += 1;
            }
        }
        both.model.inject.turn_dialect(1);
    }
    count
}

#[test]
fn every_policy_gives_on_the_screen_what_the_command_gives_in_every_dialect() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("project");
    demo::lay_out_in(&root, Timestamp(1_772_442_000_000)).unwrap();
    write(&root, FILES);
    let state = place.path().join("state");
    let all = Both::open(&root, &state, &[]);
    let stores = all.ws.collection.infos().map(|info| info.id.to_string());
    let stores: Vec<String> = stores.collect();
    let known: Vec<&str> = all.ws.collection.infos().map(StoreInfo::policy).collect();
    for wanted in crate::systems::POLICIES.iter().map(|policy| policy.name) {
        assert!(
            known.contains(&wanted) || wanted == HYBRID,
            "no store of {wanted}: {stores:?}"
        );
    }
    let mut count = play(&root, &state, &[]);
    for store in &stores {
        count += play(&root, &state, &["--store", store]);
    }
    assert!(count > 300, "{count}");
}

#[test]
fn the_total_of_all_stores_is_the_same_on_the_screen_and_on_the_command_line() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("project");
    let more = [
        (".git/HEAD", ""),
        ("CLAUDE.md", "Read @AGENTS.md first.\n"),
        ("AGENTS.md", "Agents.\n"),
        (".claude/agent-memory/tester/MEMORY.md", "- tests\n"),
    ];
    write(&root, &[FILES, &more].concat());
    let mut both = Both::open(&root, &place.path().join("state"), &[]);
    both.model.inject.text.insert("rotate the keys");
    let (previews, context) = both.by_command_line(&root);
    let picture = Picture::of(&previews, context);
    let together = serde_json::to_value(&picture.together).unwrap();
    both.ws.join_context();
    both.memories = both.ws.load();
    let (_, prompt) = both.on_screen();
    assert!(picture.context.len() > 1);
    assert_eq!(together["tokens"], crate::memory::tokens_of(prompt.len()));
}

#[test]
fn the_box_names_the_dialect_that_is_in_use() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("project");
    let rule = "---\napplyTo: \"*.py\"\n---\n# Py\n\ntext\n";
    let rule = (".github/instructions/py.instructions.md", rule);
    write(&root, &[(".git/HEAD", ""), rule]);
    let state = place.path().join("state");
    let both = Both::open(&root, &state, &["--store", "copilot"]);
    let mut inject = both.model.inject;
    assert_eq!((inject.dialect(), inject.limits.dialect), ("vscode", ""));
    let mut all = Vec::new();
    for _ in 0..inject.dialects.len() {
        all.push(inject.dialect());
        inject.turn_dialect(1);
    }
    assert_eq!(
        all,
        [
            "vscode", "cursor", "github", "kiro", "windsurf", "plain", "hybrid"
        ]
    );
    // The dialect of a setting is chosen, but is no separate choice if the store has it anyway.
    for (wanted, chosen) in [("github", "github"), ("vscode", ""), ("natural", "")] {
        let config = place.path().join("config.toml");
        fs::write(&config, format!("[inject]\ndialect = \"{wanted}\"\n")).unwrap();
        let config = config.to_str().unwrap();
        let both = Both::open(&root, &state, &["--store", "copilot", "--config", config]);
        assert_eq!(both.model.inject.limits.dialect, chosen, "{wanted}");
    }
}
