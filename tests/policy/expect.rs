//! What written tasks have to be given, and what a change does to them.

use memkeep::memory::{Memory, Value};
use memkeep::retrieval::expect::{Answer, Judged, TaskRunner, TaskSuite, compare, judge};
use memkeep::retrieval::tasks::{Written, parse};
use memkeep::retrieval::{Options, StorePolicy};
use memkeep::systems::rawko::RAWKO;
use memkeep::workspace::preview::PREVIEWS;

use crate::helper::{World, limits, memo, task};

fn world(login: &str) -> World {
    World::of(&[
        (
            "jwt",
            memo("Jwt")
                .when(&["auth"])
                .importance("high")
                .body("Use JWT."),
        ),
        (
            "login",
            memo("Login")
                .when(&[login])
                .importance("low")
                .body("Log in."),
        ),
        (
            "bill",
            memo("Bill")
                .when(&["billing"])
                .importance("high")
                .body("Bills."),
        ),
    ])
}

fn tasks() -> Vec<Written> {
    let text = "tasks:
- {name: all, task: add auth, must: [jwt, 'rawko:login'], must_not: [bill]}
- {name: only, task: add auth, must: [login], may: []}
- {name: many, task: add auth, max_tokens: 1}
- {name: gone, task: refund billing, must: [bill, nothing]}
";
    parse(text, |_| true).unwrap()
}

fn suite() -> TaskSuite {
    TaskSuite {
        tasks: tasks(),
        policies: vec![StorePolicy {
            store: "rawko".into(),
            policy: &RAWKO,
            options: Options::default(),
        }],
        limits: limits("arbiter"),
        now: task("", "").now,
        previews: Some(PREVIEWS),
        ..TaskSuite::default()
    }
}

#[test]
fn a_task_is_judged_by_what_it_must_may_and_must_not_be_given() {
    let world = world("auth");
    let suite = suite();
    let scorer = suite.scorer(&world.memories).unwrap();
    let runner = TaskRunner::new(&suite, &world.memories, &world.collection, &scorer);
    let judged: Vec<Judged> = tasks()
        .iter()
        .map(|task| judge(task, runner.play(task), &world.memories))
        .collect();
    let told: Vec<_> = judged
        .iter()
        .map(|one| {
            let unexpected: Vec<&str> = one.unexpected.iter().map(|id| &*id.local).collect();
            (
                one.has_passed(),
                one.missing.join(" "),
                unexpected.join(" "),
                one.recall,
                one.precision,
            )
        })
        .collect();
    let text = |text: &str| text.to_owned();
    assert_eq!(
        told,
        [
            (true, text(""), text(""), Some(1.0), Some(1.0)),
            (false, text(""), text("jwt"), Some(1.0), Some(0.5)),
            (false, text(""), text(""), None, None),
            (false, text("nothing"), text(""), Some(0.5), Some(1.0)),
        ]
    );
    assert!(judged[2].over > 0 && judged[0].over == 0);
    assert_eq!(judged[3].unknown, ["nothing"]);
}

#[test]
fn a_change_says_what_enters_and_leaves_for_each_task() {
    let (one, two) = (world("billing"), world("auth"));
    let suite = suite();
    let scorers = [&one, &two].map(|of| suite.scorer(&of.memories).unwrap());
    let before = TaskRunner::new(&suite, &one.memories, &one.collection, &scorers[0]);
    let after = TaskRunner::new(&suite, &two.memories, &two.collection, &scorers[1]);
    let told = |play: &dyn Fn(&Written) -> Answer| -> Vec<String> {
        let tasks = suite.tasks.iter();
        let effects = tasks.map(|task| compare(task, &before.play(task), &play(task)));
        let effects = effects.filter(|one| !one.is_empty());
        let names = |ids: &[memkeep::memory::MemoryId]| {
            let names: Vec<&str> = ids.iter().map(|id| &*id.local).collect();
            names.join(" ")
        };
        effects
            .map(|one| {
                format!(
                    "{} +{} -{} {}",
                    one.task,
                    names(&one.entered),
                    names(&one.left),
                    one.ranks.len()
                )
            })
            .collect()
    };
    let expected = [
        "all +login - 0",
        "only +login - 0",
        "many +login - 0",
        "gone + -login 0",
    ];
    assert_eq!(told(&|task| after.play(task)), expected);
    assert!(told(&|task| before.play(task)).is_empty());
    // The same where only the edited memory is known.
    let at = one
        .memories
        .iter()
        .position(|one| &*one.id.local == "login")
        .unwrap();
    let mut edited = Memory::clone(&one.memories[at]);
    let fields = edited.fields.iter().map(|(name, value)| match name {
        "whenToUse" => (name, Value::from("auth")),
        _ => (name, value.clone()),
    });
    edited.fields = fields.collect();
    let edited = |task: &Written| before.play_with(task, Some((at, &edited)));
    assert_eq!(told(&edited), expected);
}
