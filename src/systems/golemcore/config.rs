//! The system's settings: section 9 of the spec, those that came later, and its presets
//! (formats: golemcore, "Config defaults").

use std::sync::LazyLock;

use toml::Table;

/// Settings of retrieval and writing.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The number of memories.
    Index,
    /// The first of each layer.
    Summary,
    /// The same, and the best at more length.
    SelectiveDetail,
    /// All.
    FullPack,
}

/// Lines of a layer, and UTF-16 units of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Puts a text into a setting; false if it is none of its values.
type Put = fn(&mut Config, &str) -> bool;

/// Every setting by the name it has in the system's configuration file, those of a part of it
/// with the part before a dot.
const SETTINGS: [(&str, Put); 20] = [
    ("enabled", |to, text| {
        put(text.parse().ok(), &mut to.enabled)
    }),
    ("softPromptBudgetTokens", |to, text| {
        budget(text, &mut to.soft)
    }),
    ("maxPromptBudgetTokens", |to, text| {
        budget(text, &mut to.hard)
    }),
    ("workingTopK", |to, text| put(count(text), &mut to.top_k[0])),
    ("episodicTopK", |to, text| {
        put(count(text), &mut to.top_k[1])
    }),
    ("semanticTopK", |to, text| {
        put(count(text), &mut to.top_k[2])
    }),
    ("proceduralTopK", |to, text| {
        put(count(text), &mut to.top_k[3])
    }),
    ("promotionEnabled", |to, text| {
        put(text.parse().ok(), &mut to.promotes)
    }),
    ("promotionMinConfidence", |to, text| {
        put(share(text), &mut to.promotion)
    }),
    ("decayEnabled", |to, text| {
        put(text.parse().ok(), &mut to.decay)
    }),
    ("decayDays", |to, text| put(days(text), &mut to.decay_days)),
    ("retrievalLookbackDays", |to, text| {
        put(days(text), &mut to.lookback)
    }),
    ("codeAwareExtractionEnabled", |to, text| {
        put(text.parse().ok(), &mut to.code_aware)
    }),
    ("disclosure.mode", |to, text| {
        put(choice(text, &MODES), &mut to.mode)
    }),
    ("disclosure.promptStyle", |to, text| {
        put(choice(text, &STYLES), &mut to.style)
    }),
    ("disclosure.toolExpansionEnabled", |to, text| {
        put(text.parse().ok(), &mut to.expansion)
    }),
    ("disclosure.disclosureHintsEnabled", |to, text| {
        put(text.parse().ok(), &mut to.hints)
    }),
    ("disclosure.detailMinScore", |to, text| {
        put(share(text), &mut to.detail)
    }),
    ("reranking.enabled", |to, text| {
        put(text.parse().ok(), &mut to.rerank)
    }),
    ("reranking.profile", |to, text| {
        put(choice(text, &PROFILES), &mut to.aggressive)
    }),
];

/// The setting that names a preset, which comes before all others.
const PRESET: &str = "preset";

/// The names of all settings, the preset first.
pub fn names() -> Vec<&'static str> {
    let others = SETTINGS.iter().map(|(name, _)| *name);
    std::iter::once(PRESET).chain(others).collect()
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            soft: 1800,
            hard: 3500,
            top_k: [6, 8, 6, 4],
            promotes: true,
            promotion: 0.75,
            code_aware: true,
            decay: true,
            decay_days: 30,
            lookback: 21,
            mode: Mode::Summary,
            style: Style(3, 160),
            expansion: true,
            hints: true,
            detail: 0.80,
            rerank: true,
            aggressive: false,
        }
    }
}

/// The system's presets.
static PRESETS: LazyLock<Table> = LazyLock::new(|| {
    let text = include_str!("../../../assets/golemcore-presets.toml");
    text.parse().unwrap_or_default()
});

/// The names of the presets.
pub fn presets() -> impl Iterator<Item = &'static str> {
    PRESETS.keys().map(String::as_str)
}

impl Config {
    /// A preset.
    pub fn preset(name: &str) -> Option<Self> {
        let values = PRESETS.get(&name.trim().to_lowercase())?;
        let mut config = Self::default();
        for (name, set) in SETTINGS {
            let value = name.split('.').try_fold(values, |at, key| at.get(key));
            if let Some(value) = value {
                set(&mut config, value.to_string().trim_matches('"'));
            }
        }
        Some(config)
    }

    /// The settings that these texts give, by name; a preset comes before all others. Invalid
    /// values leave a setting unchanged, as in the system itself.
    pub fn of<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Self {
        let mut config = get(PRESET).and_then(Self::preset).unwrap_or_default();
        for (name, set) in SETTINGS {
            if let Some(text) = get(name) {
                set(&mut config, text.trim());
            }
        }
        config.lookback = config.lookback.clamp(1, 90);
        config
    }

    /// True if a text is a value of a setting.
    pub fn accepts(name: &str, text: &str) -> bool {
        let setting = SETTINGS.iter().find(|(known, _)| *known == name);
        name == PRESET && Self::preset(text).is_some()
            || setting.is_some_and(|(_, set)| set(&mut Self::default(), text.trim()))
    }
}

fn share(text: &str) -> Option<f64> {
    text.parse().ok().filter(|share: &f64| share.is_finite())
}

/// As many days as a span of instants has.
fn days(text: &str) -> Option<i64> {
    text.parse()
        .ok()
        .filter(|days: &i64| days.abs() < 100_000_000)
}

/// Less than none is none.
fn count(text: &str) -> Option<usize> {
    let whole: i64 = text.parse().ok()?;
    Some(usize::try_from(whole).unwrap_or(0))
}

/// A budget of nothing is the usual one.
fn budget(text: &str, to: &mut usize) -> bool {
    let usual = *to;
    put(
        count(text).map(|count| if count > 0 { count } else { usual }),
        to,
    )
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
        let pairs: Vec<(String, String)> = pairs
            .iter()
            .map(|(a, b)| ((*a).into(), (*b).into()))
            .collect();
        Config::of(|name| {
            pairs
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, text)| text.as_str())
        })
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
        assert_eq!(
            (config.soft, config.hard, config.decay_days),
            (2400, 4200, 60)
        );
        assert_eq!(
            (config.mode, config.style, config.aggressive),
            (Mode::SelectiveDetail, Style(5, 240), true)
        );
        assert_eq!(of(&[("preset", "no such")]), Config::default());
        assert!(!of(&[("preset", "disabled")]).enabled);
        assert_eq!(of(&[("retrievalLookbackDays", "0")]).lookback, 1);
        assert_eq!(of(&[("retrievalLookbackDays", "365")]).lookback, 90);
    }

    #[test]
    fn every_setting_has_values() {
        for name in names() {
            let some = ["1", "true", "index", "rich", "aggressive", "coding_fast"];
            assert!(
                some.iter().any(|text| Config::accepts(name, text)),
                "{name}"
            );
            assert!(!Config::accepts(name, "?"), "{name}");
        }
        assert!(!Config::accepts("other", "1"));
    }
}
