//! Trees of files as notes draw them.

use super::*;

fn project() -> Fake {
    let gone = [
        ("src/dlms.rs", None),
        ("crates/ingest/src/dlms.rs", None),
        ("docs/adr/0001.md", None),
        ("docs/runbooks/lag.md", None),
        ("scripts/seed_dev.sh", None),
        ("app/users/[id]/edit.tsx", None),
    ];
    let files = [
        "src/lib.rs",
        "crates/ingest/src/retry.rs",
        "docs/index.md",
        "scripts/release.sh",
        "app/users/list.tsx",
        "tools/src/main.rs",
    ];
    Fake {
        history: taken(&gone, &files),
        ..Fake::default()
    }
}

fn gone(body: &str) -> Vec<String> {
    let said = said(&project(), "stale-path", body);
    let name = |line: &String| line.split('`').nth(1).unwrap_or_default().to_owned();
    said.iter().map(name).collect()
}

#[test]
fn a_leaf_of_a_drawn_tree_is_its_whole_path() {
    for (body, expected) in [
        (
            "```\nsrc/\n├── dlms.rs      # DLMS meters\n└── lib.rs\n```",
            &["src/dlms.rs"][..],
        ),
        (
            "crates/ingest/src/\n├── decoder.rs\n├── dlms.rs\n└── retry.rs",
            &["crates/ingest/src/dlms.rs"],
        ),
        (
            "```\n.\n├── docs\n│   ├── adr\n│   │\n│   └── runbooks   # what to do\n└── scripts\n    ├── seed_dev.sh\n    └── release.sh\n```",
            &["docs/adr", "docs/runbooks", "scripts/seed_dev.sh"],
        ),
        (
            "```\ntide/\n|-- src\n|   |-- dlms.rs\n|   `-- lib.rs\n`-- docs\n    `-- adr/\n```",
            &["src/dlms.rs", "docs/adr"],
        ),
        (
            "my-project/ (the layout)\n├── src/\n│   └── dlms.rs\n└── README.md",
            &["src/dlms.rs"],
        ),
        (
            "```\n├── 📁 scripts/\n│   ├── 📄 seed_dev.sh\n```",
            &["scripts/seed_dev.sh"],
        ),
        (
            "```text\n/home/ines/tide\n+-- scripts\n|   +-- seed_dev.sh\n```",
            &["scripts/seed_dev.sh"],
        ),
        (
            "**app/**\n├── users/\n│   ├── [id]/edit.tsx   (the form)\n│   └── list.tsx",
            &["app/users/[id]/edit.tsx"],
        ),
        ("./docs:\r\n├─ index.md\r\n└─ adr\r\n", &["docs/adr"]),
    ] {
        assert_eq!(gone(body), expected, "{body}");
    }
}

#[test]
fn a_leaf_of_another_tree_is_none_of_this_one() {
    for body in [
        "├── dlms.rs",
        "```\ntools/src/\n├── dlms.rs\n└── main.rs\n```",
        "```\n~/.config/\n├── dlms.rs\n```",
        "```\nIngest\n├── reads the meter\n│   └── dlms\n└── stores\n```",
        "```\nscripts/\n├── release.sh   # was seed once\n└── adr\n```",
        "```\n~/work/other\n├── scripts\n│   └── seed_dev.sh\n```",
        "C:\\work\\other\\\n├── scripts\n│   └── seed_dev.sh",
        "| scripts |\n|---|\n| seed |",
        "```\ndocs/\n├── index.md\n```\n\nsrc/\n└── lib.rs",
        "```\nother/vendor/\n├── src\n│   └── dlms.rs\n```",
    ] {
        assert_eq!(gone(body), [""; 0], "{body}");
    }
}
