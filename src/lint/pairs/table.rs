//! Words that decide what kind of difference a difference is.

mod opposite;
mod relation;
mod remark;
mod scope;
mod subject;
mod units;

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::{LazyLock, OnceLock};

use super::words::{Hashed, stem};

pub use opposite::{ORDERS, excluded, opposed, opposites};
pub use relation::{
    DONE_WITH, DUTY, HAS_TO, MAY, MEANS, MUST, NARRATORS, ONCE, ONE, PLACING, PLAINLY, PURPOSE,
    SEVERAL, SPREAD, TAKING, TURNS, WHOSE,
};
pub use remark::{CAME_TO, CHANGED, DOCUMENTS, FORMERLY, JUDGED, VERY, WANTED, WORKED};
pub use scope::{
    BACK, CAME_OUT, GOING_ON, HOLDING, MANNERS, MEASURED, NARROWING, OBJECTS, OUTRIGHT, PURPOSES,
    RULES, SCOPES, SET_IN, SEVERALLY, SINCE, STAGES, TOWARDS, WHOLE, WITHDRAWN, WRITTEN,
};
pub use subject::{
    APPOSED, ARTICLES, CALLED, ENDS_CLAUSE, EVERYONE, HELD, HOLDS, JOINING, LACKS, OCCASIONS,
    STEPS, VERBS, WHO, is_past,
};
pub use units::{is_one_unit, is_symbol, is_unit, unit, units};

/// Words that a word is looked up in.
pub struct Words {
    list: &'static str,
    set: OnceLock<HashSet<&'static str, BuildHasherDefault<Hashed>>>,
}

impl Words {
    /// These words, a blank between each two.
    pub const fn of(list: &'static str) -> Self {
        let set = OnceLock::new();
        Self { list, set }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        self.list.split(' ')
    }

    /// Whether a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.all().collect()).contains(word)
    }

    /// Whether a word is one of them in whatever ending: `derives`, `wrapped`.
    pub fn has_form(&self, word: &str) -> bool {
        let stem = stem(word);
        let whole = |stem: &str| match stem.strip_suffix('i') {
            Some(carr) => self.has(&format!("{carr}y")),
            None => self.has(&format!("{stem}e")),
        };
        self.has(word) || self.has(stem) || (stem != word && whole(stem))
    }
}

/// Words that say nothing of their own.
pub const STOP: &str = "the a an of to in on at by for with and or as is are was were be been \
being has have had it its that this which from his her their he she they who also but into than \
then there these those will would can could may might s t so such some any all very more most \
just only even still already now own both either each every do does did you your we our i if when while whenever solely merely simply \
ne してください すること する します 하지 하세요 하십시오 한다 합니다 e.g i.e example additionally moreover furthermore currently presently therefore thus hence";

/// Months and days, which make a number beside them a date.
pub const MONTHS: &str = "january february march april may june july august september october \
november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday \
thursday friday saturday sunday";

/// Numbers in letters, each with the same in digits where it has one word for all of it.
pub const NUMERALS: &str = "zero/0 one/1 two/2 three/3 four/4 five/5 six/6 seven/7 eight/8 nine/9 \
ten/10 eleven/11 twelve/12 thirteen/13 fourteen/14 fifteen/15 sixteen/16 seventeen/17 eighteen/18 \
nineteen/19 twenty/20 thirty/30 forty/40 fifty/50 hundred/100 thousand/1000 million/1000000 \
billion/1000000000 dozen/12 first/1st second/2nd third/3rd fourth/4th fifth/5th sixth/6th \
seventh/7th eighth/8th ninth/9th tenth/10th once twice \
zwei/2 drei/3 vier/4 fünf/5 sechs/6 sieben/7 acht/8 neun/9 zehn/10 zwölf/12 fünfzehn/15 zwanzig/20 \
dreißig/30 vierzig/40 fünfzig/50 sechzig/60 hundert/100 tausend/1000";

/// Those of them that tell the turns of something apart.
pub static ORDINALS: Words = Words::of(
    "first second third fourth fifth sixth seventh eighth ninth tenth 1st 2nd 3rd 4th 5th",
);

/// Words that turn a statement round.
pub const NEGATIONS: &str = "not never no without avoid cannot nor neither don't doesn't isn't \
aren't can't won't shouldn't mustn't didn't wasn't weren't dont forbidden prohibited \
nie niemals nicht kein keine keinen keiner jamais pas aucun aucune nunca jamás ningún ninguna não nenhum \
не нельзя запрещено запрещается 永远不要 绝对不要 千万不要 一定不要 绝不能 不要 不得 不能 不可 不应 禁止 严禁 切勿 绝不 \
しないでください しないこと しない しません 마세요 마라 마십시오 말것 않는다 않습니다";

/// Words that stand beside a negation and say nothing more than it.
pub static BESIDE_NEGATION: Words = Words::of(
    "do does did always must should shall please ever be use using \
prefer need needs there the a an is are to we you can could may longer anymore any more every each has have had immer stets \
ne toujours siempre sempre всегда никогда обязательно 必须 始终 总是 一律 务必 一定要 应该 应当 必ず 常に 決して 絶対に 절대 항상 반드시 \
してください すること する します 하지 하세요 하십시오 한다 합니다",
);

/// Nouns before a number that make it a name: `issue 12` and `issue 13` are two issues.
pub static NUMBERED: Words = Words::of(
    "issue pr step phase task section line lines chapter item milestone \
sprint iteration session packet week day test case rule adr epic story example figure table option \
level tier part round wave fix bug loop stage group batch slice requirement req ac scenario commit \
run attempt ticket job row col column page slide note memory decision finding comment \
review rfc spec plan goal gate check pass id no nr number entry exercise question problem variant \
worker agent player user team season episode volume vol book act scene lecture \
module lesson unit appendix annex article clause paragraph schema migration event",
);

/// Names of what has versions: a number behind one of them is its version.
pub static VERSIONED: Words = Words::of(
    "version node node.js nodejs python java jdk go golang rust ruby php \
deno bun npm pnpm yarn typescript react vue angular svelte next.js django rails laravel spring \
express postgres postgresql mysql mariadb redis mongodb sqlite kotlin swift dart flutter dotnet .net \
gradle maven webpack vite tailwind bootstrap ubuntu debian alpine xcode ios macos android chrome \
firefox safari electron unity godot unreal kubernetes k8s helm terraform ansible nginx kafka rabbitmq \
elasticsearch opensearch clang gcc llvm cmake bazel jre scala elixir erlang perl lua zig haskell \
julia pytorch tensorflow numpy pandas hibernate eslint prettier jest vitest babel cuda openssl protocol",
);

/// Words that say whether something is in force, and not which of two things is meant.
pub static STATES: Words = Words::of(
    "enable enables enabled disable disables disabled on off true false yes no active inactive",
);

/// Words between two things of which one is preferred, or comes first.
pub static ORDERING: Words = Words::of("instead rather over before after than versus vs from");

/// Those of them that leave out what stands behind them.
pub static RATHER: Words = Words::of("instead rather");

/// Words in front of a state that only say how it came to be so: `is turned off`.
pub static TURNED: Words = Words::of("turned switched set now currently in explicitly globally");

/// Words in front of a number that say nothing more of it than the number does.
pub static CALLS: Words = Words::of("version port release");

/// Verbs that say the same of the figure behind them, each line.
const OF_A_FIGURE: [&str; 4] = [
    "runs listens serves starts",
    "expires lives lasts ends",
    "fixed pinned set locked",
    "waits sleeps pauses",
];

static FIGURES: LazyLock<HashMap<&str, Vec<usize>>> =
    LazyLock::new(|| lines(&OF_A_FIGURE, |word| word));

/// Whether two verbs say the same of a figure.
pub fn says_as_much(a: &str, b: &str) -> bool {
    meet(&FIGURES, a, b)
}

/// Words between a thing and what it is.
pub static BEING: Words = Words::of("is are");

/// Commands: a line that begins with one is a line to type, and its neighbours are others.
pub static COMMANDS: Words = Words::of(
    "cargo npm npx pnpm yarn bun bunx deno node git gh docker \
docker-compose podman make just python python3 pip uv poetry pytest ruff go mvn ./mvnw gradle \
./gradlew dotnet ruby bundle rake php composer curl wget kubectl helm terraform aws gcloud az ssh \
scp cd ls cat grep rg sed awk find rm cp mv mkdir chmod export source sudo brew apt apt-get tmux \
ralph memkeep sqlite3 psql mysql redis-cli java javac rustc rustup tsc eslint prettier vitest jest \
playwright swift xcodebuild flutter dart mix cmake ctest bazel nix poe tox nox",
);

/// First words of a line that records what was done: two records stand side by side.
pub static RECORDS: Words = Words::of(
    "added fixed implemented updated completed created ran merged removed \
refactored verified confirmed migrated deleted moved renamed introduced investigated committed \
finished resolved shipped released wrote reviewed tested deployed discovered noticed observed \
applied built closed opened reverted recorded logged captured confession failure error status",
);

/// What a statement may begin with and says nothing of: a colon or a comma follows each, or a word
/// that goes on with it.
pub const LEADS: [&str; 38] = [
    "remember:",
    "remember that ",
    "reminder:",
    "note:",
    "note that ",
    "please note:",
    "please note that ",
    "nb:",
    "n.b.:",
    "important:",
    "important note:",
    "importantly,",
    "be aware:",
    "be aware that ",
    "keep in mind:",
    "keep in mind that ",
    "bear in mind that ",
    "tip:",
    "hint:",
    "fyi:",
    "warning:",
    "caution:",
    "attention:",
    "caveat:",
    "gotcha:",
    "rule:",
    "lesson:",
    "lesson learned:",
    "insight:",
    "key insight:",
    "takeaway:",
    "as a rule,",
    "in general,",
    "generally,",
    "in this project,",
    "in this repo,",
    "in this repository,",
    "in this codebase,",
];

/// Labels of a note about itself: two notes have two dates.
pub static ABOUT_ITSELF: Words = Words::of(
    "date effort status updated version author created time duration \
estimate estimated priority confidence score progress state phase owner reviewer size complexity \
type tags description title name id source sources files file path started finished completed last \
current next previous total logged recorded reported captured timestamp exit result results evidence example input output session summary severity \
category model cost related location lines commit branch pr issue verified note cluster iteration seen occurrences reproducible",
);

/// Those of them that a project's things have as well: `API version`.
pub static OF_A_THING: Words = Words::of("version size branch path model");

/// Words of a label that say what holds for the project.
pub static SETTINGS: Words = Words::of(
    "default max maximum min minimum limit limits lifetime timeout ttl interval port delay quota \
retention capacity threshold",
);

/// First words of a statement that points elsewhere: there are many places to point to.
pub static POINTERS: Words = Words::of("see read refer cf also compare example load open visit");

/// Words before what is chosen of several: of it there is one.
pub static CHOOSING: Words = Words::of(
    "use uses using used prefer prefers choose runs run with via lives live \
stored store stores in default defaults to manager on through by target targets deploys",
);

/// Things of which a project has one, each line a choice: two of a line exclude each other.
pub const RIVALS: [&str; 40] = [
    "npm pnpm yarn bun deno",
    "pip uv poetry pipenv conda pdm rye hatch",
    "jest vitest mocha ava jasmine karma",
    "cypress playwright selenium puppeteer webdriverio",
    "pytest unittest nose",
    "postgres postgresql mysql mariadb sqlite mongodb cockroachdb dynamodb oracle mssql",
    "redis memcached valkey dragonfly",
    "kafka rabbitmq nats sqs pulsar",
    "webpack vite rollup esbuild parcel turbopack rspack",
    "eslint biome oxlint tslint standard",
    "prettier dprint rustfmt black ruff yapf autopep8",
    "mypy pyright ty pytype basedpyright",
    "tabs spaces",
    "rest graphql grpc trpc soap",
    "docker podman containerd",
    "github gitlab bitbucket gitea",
    "aws gcp azure heroku vercel netlify cloudflare fly.io railway render",
    "react vue svelte angular solid preact",
    "maven gradle bazel sbt ant",
    "json yaml toml xml protobuf msgpack",
    "zod yup joi valibot ajv",
    "flake8 pylint ruff",
    "redux zustand mobx recoil jotai pinia vuex",
    "airflow dagster prefect luigi",
    "mlflow wandb comet",
    "jenkins circleci travis buildkite teamcity",
    "terraform pulumi cloudformation",
    "elasticsearch opensearch solr meilisearch typesense",
    "express fastify koa hapi",
    "django flask fastapi",
    "bcrypt argon2 argon2id argon2i scrypt pbkdf2",
    "md5 sha1 sha-1 sha256 sha-256 sha512 sha-512 blake3",
    "hs256 hs384 hs512 rs256 rs384 rs512 es256 ps256 eddsa",
    "stdout stderr syslog",
    "uuid ulid cuid nanoid ksuid",
    "gzip brotli zstd lz4 snappy",
    "sendgrid mailgun postmark ses sparkpost",
    "camelcase snake_case kebab-case pascalcase",
    "cents decimals floats doubles",
    "prisma drizzle typeorm sequelize knex sqlalchemy diesel sqlx hibernate",
];

/// The lines of [`RIVALS`] that a word stands in.
static CHOICES: LazyLock<HashMap<&str, Vec<usize>>> = LazyLock::new(|| lines(&RIVALS, |word| word));

/// Which lines a word stands in.
fn lines<'w>(groups: &[&'w str], form: fn(&'w str) -> &'w str) -> HashMap<&'w str, Vec<usize>> {
    let mut lines: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, group) in groups.iter().enumerate() {
        for word in group.split(' ') {
            lines.entry(form(word)).or_default().push(n);
        }
    }
    lines
}

/// Whether two words stand in one line.
fn meet(lines: &HashMap<&str, Vec<usize>>, a: &str, b: &str) -> bool {
    match (lines.get(a), lines.get(b)) {
        (Some(x), Some(y)) => x.iter().any(|line| y.contains(line)),
        _ => false,
    }
}

/// Whether a word is one of several choices.
pub fn is_choice(word: &str) -> bool {
    CHOICES.contains_key(word)
}

/// Whether two words are choices of which a project has one.
pub fn rivals(a: &str, b: &str) -> bool {
    a != b && meet(&CHOICES, a, b)
}

/// Words that say the same in notes, each line: one is another wording of the other.
pub const SAME: [&str; 68] = [
    "max maximum",
    "min minimum",
    "live stored store kept keep held hold saved save sit reside located found stand retain preserve",
    "remove delete drop discard erase",
    "create make made produce generate",
    "start begin began launch initiate",
    "stop halt terminate",
    "end finish complete",
    "need require",
    "run ran execute",
    "call invoke",
    "use used using utilize utilise employ leverage",
    "add introduce",
    "via through",
    "must should shall ought",
    "ensure guarantee",
    "fix repair resolve",
    "because since due",
    "before prior",
    "change edit modify alter",
    "check verify validate",
    "show shown display print",
    "fetch get got load retrieve obtain",
    "send sent transmit",
    "fail break broke crash",
    "big large huge",
    "small little tiny",
    "fast quick rapid",
    "often frequently",
    "usually typically normally generally",
    "about approximately roughly",
    "wrong incorrect",
    "hard difficult",
    "important crucial essential",
    "allow permit let",
    "choose chosen select pick",
    "replace substitute",
    "manual hand",
    "write written wrote",
    "build built",
    "throw thrown threw raise",
    "take taken took",
    "give given gave",
    "go goes went gone",
    "hide hidden",
    "override overridden",
    "catch caught",
    "lose lost",
    "try attempt",
    "help assist",
    "whole entire",
    "same identical",
    "problem issue",
    "otherwise else",
    "inside within",
    "folder directory dir",
    "repo repository",
    "config configuration settings",
    "db database",
    "docs documentation",
    "env environment",
    "prod production",
    "auth authentication",
    "app application",
    "param parameter",
    "arg argument",
    "dep dependency",
    "id identifier",
];

/// File names that say nothing of what they hold.
pub static PLAIN_FILES: Words = Words::of(
    "mod.rs lib.rs main.rs index.ts index.tsx index.js index.md \
index.html readme.md readme __init__.py package.json cargo.toml mod.ts main.go main.py skill.md \
claude.md agents.md memory.md tests.rs types.ts styles.css utils.py utils.ts config.ts test.ts",
);
