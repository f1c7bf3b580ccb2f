//! The system's settings: section 9 of the spec, those that came later, and its presets
//! (formats: golemcore, "Config defaults").

use std::sync::LazyLock;

use toml::{Table, Value};

use crate::retrieval::Options;

/// Settings of retrieval and writing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// True if memories are used at all.
    pub enabled: bool,
    /// Tokens up to which everything is taken.
    pub soft: usize,
    /// Tokens up to which what scores 0.85 is taken.
    pub hard: usize,
    /// Places of the four layers.
    pub top_k: [usize; 4],
    /// True if the system promotes at all.
    pub promotes: bool,
    /// Least confidence of what is promoted.
    pub promotion: f64,
    /// True if lessons are taken out of a turn, and not the turn alone.
    pub code_aware: bool,
    /// True if what is not updated expires.
    pub decay: bool,
    /// Days after which it does.
    pub decay_days: i64,
    /// Day files that are read.
    pub lookback: i64,
    /// Share of the memories that the prompt tells.
    pub mode: Mode,
    /// How wordily.
    pub style: Style,
    /// True if the agent can ask for more.
    pub expansion: bool,
    /// True if it is told so.
    pub hints: bool,
    /// Least score of a detail snippet.
    pub detail: f64,
    /// True if there is a second ranking.
    pub rerank: bool,
    /// True if it weighs more.
    pub aggressive: bool,
}

/// Share of the memories that the prompt tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The number of memories.
    #[default]
    Index,
    /// The first of each layer.
    Summary,
    /// The same, and the best at more length.
    SelectiveDetail,
    /// All.
    FullPack,
}

/// Lines of a layer, and UTF-16 units of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(pub usize, pub usize);

/// Modes with their words.
pub const MODES: [(&str, Mode); 4] = [
    ("index", Mode::Index),
    ("summary", Mode::Summary),
    ("selective_detail", Mode::SelectiveDetail),
    ("full_pack", Mode::FullPack),
];

/// The style without blank lines between sections.
pub const COMPACT: Style = Style(2, 90);

/// Styles with their words.
pub const STYLES: [(&str, Style); 3] = [
    ("compact", COMPACT),
    ("balanced", Style(3, 160)),
    ("rich", Style(5, 240)),
];

const PROFILES: [(&str, bool); 2] = [("balanced", false), ("aggressive", true)];

/// The setting that names a preset, which comes before all others.
const PRESET: &str = "preset";

/// Every setting by the name it has in the system's configuration file, those of a part of it with
/// the part before a dot; the preset first.
const NAMES: &str = "preset enabled softPromptBudgetTokens maxPromptBudgetTokens workingTopK \
    episodicTopK semanticTopK proceduralTopK promotionEnabled promotionMinConfidence decayEnabled \
    decayDays retrievalLookbackDays codeAwareExtractionEnabled disclosure.mode \
    disclosure.promptStyle disclosure.toolExpansionEnabled disclosure.disclosureHintsEnabled \
    disclosure.detailMinScore reranking.enabled reranking.profile";

/// The names of all settings, the preset first.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.split_whitespace()
}

/// The system's defaults and its presets.
static VALUES: LazyLock<Table> = LazyLock::new(|| {
    let text = include_str!("../../../assets/golemcore-presets.toml");
    text.parse().unwrap_or_default()
});

/// The names of the presets.
pub fn presets() -> impl Iterator<Item = &'static str> {
    let presets = VALUES.get("presets").and_then(Value::as_table);
    let names = presets.into_iter().flat_map(Table::keys);
    names.map(String::as_str)
}

impl Config {
    /// The settings where nobody says otherwise.
    pub fn usual() -> Self {
        let usual = VALUES.get("defaults");
        usual.map_or_else(Self::default, |usual| Self::default().with(usual))
    }

    /// A preset.
    pub fn preset(name: &str) -> Option<Self> {
        let preset = VALUES.get("presets")?.get(name.trim().to_lowercase())?;
        Some(Self::usual().with(preset))
    }

    fn with(mut self, values: &Value) -> Self {
        for name in names() {
            let value = name.split('.').try_fold(values, |at, key| at.get(key));
            if let Some(value) = value {
                self.set(name, value.to_string().trim_matches('"'));
            }
        }
        self
    }

    /// The settings that options give; a preset comes before all others. Invalid values leave a
    /// setting unchanged, as in the system itself.
    pub fn of(options: &Options) -> Self {
        let preset = options.get(PRESET).and_then(Self::preset);
        let mut config = preset.unwrap_or_else(Self::usual);
        for name in names() {
            if let Some(text) = options.get(name) {
                config.set(name, text);
            }
        }
        config.lookback = config.lookback.clamp(1, 90);
        config
    }

    /// True if a text is a value of a setting.
    pub fn accepts(name: &str, text: &str) -> bool {
        name == PRESET && Self::preset(text).is_some() || Self::default().set(name, text)
    }

    /// Puts a text into a setting; false if it is none of its values.
    pub fn set(&mut self, name: &str, text: &str) -> bool {
        let text = text.trim();
        match name {
            "enabled" => put(text.parse().ok(), &mut self.enabled),
            "softPromptBudgetTokens" => put(budget(text, self.soft), &mut self.soft),
            "maxPromptBudgetTokens" => put(budget(text, self.hard), &mut self.hard),
            "workingTopK" => put(count(text), &mut self.top_k[0]),
            "episodicTopK" => put(count(text), &mut self.top_k[1]),
            "semanticTopK" => put(count(text), &mut self.top_k[2]),
            "proceduralTopK" => put(count(text), &mut self.top_k[3]),
            "promotionEnabled" => put(text.parse().ok(), &mut self.promotes),
            "promotionMinConfidence" => put(share(text), &mut self.promotion),
            "decayEnabled" => put(text.parse().ok(), &mut self.decay),
            "decayDays" => put(days(text), &mut self.decay_days),
            "retrievalLookbackDays" => put(days(text), &mut self.lookback),
            "codeAwareExtractionEnabled" => put(text.parse().ok(), &mut self.code_aware),
            "disclosure.mode" => put(choice(text, &MODES), &mut self.mode),
            "disclosure.promptStyle" => put(choice(text, &STYLES), &mut self.style),
            "disclosure.toolExpansionEnabled" => put(text.parse().ok(), &mut self.expansion),
            "disclosure.disclosureHintsEnabled" => put(text.parse().ok(), &mut self.hints),
            "disclosure.detailMinScore" => put(share(text), &mut self.detail),
            "reranking.enabled" => put(text.parse().ok(), &mut self.rerank),
            "reranking.profile" => put(choice(text, &PROFILES), &mut self.aggressive),
            _ => false,
        }
    }
}

fn share(text: &str) -> Option<f64> {
    text.parse().ok().filter(|share: &f64| share.is_finite())
}

/// As many days as a span of instants has.
fn days(text: &str) -> Option<i64> {
    let days = text.parse().ok();
    days.filter(|days: &i64| days.abs() < 100_000_000)
}

/// Less than none is none.
fn count(text: &str) -> Option<usize> {
    let whole: i64 = text.parse().ok()?;
    Some(usize::try_from(whole).unwrap_or(0))
}

/// A budget of nothing is the usual one.
fn budget(text: &str, usual: usize) -> Option<usize> {
    count(text).map(|count| if count > 0 { count } else { usual })
}

fn put<T>(found: Option<T>, to: &mut T) -> bool {
    found.map(|value| *to = value).is_some()
}

fn choice<T: Copy>(text: &str, words: &[(&str, T)]) -> Option<T> {
    let mut words = words.iter();
    let found = words.find(|(word, _)| word.eq_ignore_ascii_case(text));
    found.map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Config {
        let mut options = Options::default();
        for (name, text) in pairs {
            options.set(*name, *text);
        }
        Config::of(&options)
    }

    #[test]
    fn a_preset_is_the_ground_for_the_rest() {
        let config = of(&[
            ("episodicTopK", "-3"),
            ("preset", "coding_deep"),
            ("softPromptBudgetTokens", "0"),
            ("decayDays", "soon"),
        ]);
        assert_eq!(config.top_k, [8, 0, 9, 8]);
        let numbers = (config.soft, config.hard, config.decay_days);
        assert_eq!(numbers, (2400, 4200, 60));
        let words = (config.mode, config.style, config.aggressive);
        assert_eq!(words, (Mode::SelectiveDetail, Style(5, 240), true));
        assert_eq!(of(&[("preset", "no such")]), Config::usual());
        assert!(!of(&[("preset", "disabled")]).enabled);
        assert_eq!(of(&[("retrievalLookbackDays", "0")]).lookback, 1);
        assert_eq!(of(&[("retrievalLookbackDays", "365")]).lookback, 90);
    }

    #[test]
    fn every_setting_has_values() {
        for name in names() {
            let mut some = "1 true index rich aggressive coding_fast".split(' ');
            assert!(some.any(|text| Config::accepts(name, text)), "{name}");
            assert!(!Config::accepts(name, "?"), "{name}");
        }
        assert!(!Config::accepts("other", "1"));
    }
}
