//! One thing under several names in a memory: an import of it, its folder, and its name in the
//! title. A fix that leaves one of them leaves a memory that contradicts itself.

use super::*;
use crate::memory::edit::FieldEdit;
use crate::memory::golemcore::GOLEMCORE;

fn project() -> Fake {
    let gone = [
        ("lib/money.ts", Some("money/cents.ts")),
        ("app/rates.py", Some("app/fx_rates.py")),
        ("src/forms/check.ts", Some("packages/forms/check.ts")),
        ("tools/pack.py", Some("pipeline/pack.py")),
        ("web/shop/cart.ts", Some("web/basket/cart.ts")),
    ];
    let files = [
        "money/cents.ts",
        "app/fx_rates.py",
        "packages/forms/check.ts",
        "pipeline/pack.py",
        "web/basket/cart.ts",
        "app/main.py",
    ];
    Fake {
        history: taken(&gone, &files),
        ..Fake::default()
    }
}

/// What the text is once each fix was made, and how many findings are left.
fn fixed(body: &str) -> (String, usize) {
    let mut body = body.to_owned();
    for _ in 0..9 {
        let sample = memory("a").front("", &body);
        let findings = found(&project(), "stale-path", sample).findings;
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        let mut bodies = fixes.filter_map(|fix| match &fix.action {
            FixAction::Edit(edits) => edits.iter().find_map(|edit| match edit {
                FieldEdit::Body(body) => Some(body.clone()),
                _ => None,
            }),
            _ => None,
        });
        match bodies.next() {
            Some(new) => body = new,
            None => return (body, findings.len()),
        }
    }
    (body, usize::MAX)
}

#[test]
fn an_import_is_put_right_with_its_file_or_reported_on() {
    for (before, after, left) in [
        (
            "Amounts live in lib/money.ts: `import { cents } from '../lib/money'`.",
            "Amounts live in money/cents.ts: `import { cents } from '../money/cents'`.",
            0,
        ),
        (
            "Rates come from app/rates.py: `from app.rates import eur`.",
            "Rates come from app/fx_rates.py: `from app.fx_rates import eur`.",
            0,
        ),
        (
            "`import { cents } from '@/lib/money.js'` and nothing else.",
            "`import { cents } from '@/money/cents.js'` and nothing else.",
            0,
        ),
        (
            "See web/shop/cart.ts, in web/shop/ with the others; `require('./shop/cart')`.",
            "See web/basket/cart.ts, in web/basket/ with the others; `require('./basket/cart')`.",
            0,
        ),
        // What an import names by an end that the new place has too is right still.
        (
            "Checks are in src/forms/check.ts: `import { check } from './check'`.",
            "Checks are in packages/forms/check.ts: `import { check } from './check'`.",
            0,
        ),
        (
            "Checks are in src/forms/check.ts: `import { check } from './forms/check'`.",
            "Checks are in packages/forms/check.ts: `import { check } from './forms/check'`.",
            0,
        ),
        (
            "Checks are in src/forms/check.ts: `import { check } from 'x/../src/forms/check'`.",
            "Checks are in packages/forms/check.ts: `import { check } from 'x/../src/forms/check'`.",
            0,
        ),
        (
            "Checks are in src/forms/check.ts: `import { check } from '~/src/forms/check'`.",
            "Checks are in packages/forms/check.ts: `import { check } from '~/packages/forms/check'`.",
            0,
        ),
    ] {
        assert_eq!(fixed(before), (after.to_owned(), left), "{before}");
    }
    let told = "```diff\n-import x from '../lib/money'\n+import x from '../money/cents'\n```";
    assert_eq!(said(&project(), "stale-path", told), [""; 0]);
    let half = "Amounts live in money/cents.ts: `import { cents } from '../lib/money'`.";
    assert_eq!(said(&project(), "stale-path", half).len(), 1);
}

/// A memory with this title.
fn titled(title: &str, body: &str) -> Vec<Finding> {
    let front =
        format!("---\ntitle: {title}\nwhenToUse: auth\ntags: [a]\nimportance: high\n---\n\n{body}");
    found(&project(), "stale-path", memory("a").text(&front)).findings
}

#[test]
fn a_path_in_a_title_is_read_and_put_right() {
    let title = |findings: &[Finding]| match findings {
        [finding] => match &finding.fix.as_ref()?.action {
            FixAction::Edit(edits) => edits.iter().find_map(|edit| match edit {
                FieldEdit::Set { field, value } if field == "title" => {
                    Some(value.as_str()?.to_owned())
                }
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    };
    for (before, body, after) in [
        (
            "Rounding lives in lib/money.ts",
            "Amounts are integers in cents.",
            "Rounding lives in money/cents.ts",
        ),
        (
            "tools/pack.py builds the atlas",
            "tools/pack.py builds the atlas before make.",
            "pipeline/pack.py builds the atlas",
        ),
        (
            "Use `app/rates.py` for all rates",
            "Never the bank's.",
            "Use `app/fx_rates.py` for all rates",
        ),
        ("lib/money.ts", "lib/money.ts rounds.", "money/cents.ts"),
    ] {
        assert_eq!(
            title(&titled(before, body)).as_deref(),
            Some(after),
            "{before}"
        );
    }
    for (before, body) in [
        (
            "lib/money.ts is money/cents.ts now",
            "Amounts are integers.",
        ),
        ("Rounding lives in lib/never.ts", "Amounts are integers."),
        ("Create lib/money.ts", "Amounts are integers."),
        ("money/cents.ts rounds", "Amounts are integers."),
        (
            "Rounding lives in lib/money.ts",
            "It moved from lib/money.ts to money/cents.ts.",
        ),
        ("and/or of lib", "Amounts are integers."),
    ] {
        assert_eq!(titled(before, body).len(), 0, "{before}");
    }
    // What was is no more to go by in a title than elsewhere.
    for (before, body) in [
        ("Removed lib/money.ts", "Amounts are integers."),
        ("Rounding", "We removed lib/money.ts in May."),
        ("lib/money.ts", "We removed lib/money.ts in May."),
    ] {
        let findings = titled(before, body);
        assert_eq!(findings.len(), 1, "{before}");
        assert_eq!(findings[0].severity, crate::memory::Severity::Info);
    }
}

#[test]
fn a_title_that_is_the_beginning_of_the_text_stays_that() {
    let content = "Wrap errors before they are returned, and log them once, whoever calls, as in tools/pack.py and its tests.";
    let title: String = content.chars().take(85).collect();
    let fields = crate::memory::frontmatter::read(&format!("id: x2\ntitle: '{title}'")).unwrap();
    let id = crate::memory::MemoryId::new(&"golemcore".into(), "x2");
    let mut row = crate::memory::Memory {
        span: 0..content.len(),
        body: 0..content.len(),
        ..crate::memory::Memory::new(id, std::path::Path::new("/repo/m.jsonl").into(), &GOLEMCORE)
    };
    row.fields = fields;
    let findings = found(&project(), "stale-path", Sample::whole(row, content)).findings;
    let FixAction::Edit(edits) = &findings[0].fix.as_ref().unwrap().action else {
        panic!("no edit");
    };
    let after = content.replace("tools/", "pipeline/");
    let cut: String = after.chars().take(85).collect();
    assert!(edits.contains(&FieldEdit::Body(after)));
    assert!(edits.contains(&FieldEdit::Set {
        field: "title".to_owned(),
        value: cut.as_str().into(),
    }));
}
