//! Word lists that rules about single memories share.

use std::collections::HashSet;
use std::sync::OnceLock;

/// Words that a word is looked up in.
pub struct Words {
    list: &'static str,
    set: OnceLock<HashSet<&'static str>>,
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

    /// True if a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.all().collect()).contains(word)
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

/// Commands.
pub static COMMANDS: Words = Words::of(
    "cargo npm npx pnpm yarn bun bunx deno node git gh docker \
docker-compose podman make just python python3 pip uv poetry pytest ruff go mvn ./mvnw gradle \
./gradlew dotnet ruby bundle rake php composer curl wget kubectl helm terraform aws gcloud az ssh \
scp cd ls cat grep rg sed awk find rm cp mv mkdir chmod export source sudo brew apt apt-get tmux \
ralph memkeep sqlite3 psql mysql redis-cli java javac rustc rustup tsc eslint prettier vitest jest \
playwright swift xcodebuild flutter dart mix cmake ctest bazel nix poe tox nox",
);

/// Past forms that do not end in `ed`.
static PAST: Words = Words::of(
    "held ran took gave went kept wrote built sent made began got sat lived stood found threw broke \
lost caught chose hid fell grew led left met paid saw said sold told thought",
);

/// Words in `ed` that are no past form.
static NOT_PAST: Words = Words::of(
    "embed imbed shed shred sled bed red wed ted hundred sacred naked wicked kindred hatred infrared",
);

/// Past forms in `eed`.
static PAST_IN_EED: Words = Words::of("agreed disagreed freed decreed guaranteed refereed");

/// Whether a word in small letters is the past of a verb by its form.
pub fn is_past(word: &str) -> bool {
    let regular = match word.ends_with("eed") {
        true => PAST_IN_EED.has(word),
        false => word.ends_with("ed") && !NOT_PAST.has(word),
    };
    regular || PAST.has(word)
}

/// Units, and nouns that are counted.
static UNITS: Words = Words::of(
    "ns nsec nanosecond nanoseconds µs usec microsecond microseconds ms msec millisecond milliseconds \
millis s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days week \
weeks month months year years bit bits byte bytes kb kilobyte kilobytes kib kibibyte kibibytes \
mb megabyte megabytes mib mebibyte mebibytes gb gigabyte gigabytes gib gibibyte gibibytes tb \
terabyte terabytes tib tebibyte tebibytes mm millimetre millimetres millimeter millimeters cm \
centimetre centimetres centimeter centimeters inch inches foot feet metre metres meter meters km \
kilometre kilometres kilometer kilometers mile miles mg milligram milligrams gram grams ounce \
ounces lb lbs kg kilo kilos kilogram kilograms tonne tonnes ton tons usd dollar dollars eur euro \
euros gbp pound pounds chf franc francs jpy yen cent cents penny pence celsius fahrenheit kelvin \
degree degrees radian radians px pixel pixels rem em µv mv millivolt millivolts v volt volts kv \
µa ma milliampere milliamperes a amp amps ampere amperes hz hertz khz kilohertz mhz megahertz \
ghz gigahertz watt watts kw kilowatt kilowatts kbps mbps gbps ml millilitre millilitres litre \
litres liter liters m w b g l k token tokens percent line lines character characters word words \
request requests rpm rps",
);

/// True if a word behind a number is its unit or what is counted.
pub fn is_unit(word: &str) -> bool {
    UNITS.has(word)
}
