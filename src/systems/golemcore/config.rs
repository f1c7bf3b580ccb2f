//! The system's settings: section 9 of the spec, those that came later, and its presets
//! (formats: golemcore, "Config defaults").

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

/// How wordily it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// 2 lines of 90 units a layer.
    Compact,
    /// 3 lines of 160 units.
    Balanced,
    /// 5 lines of 240 units.
    Rich,
}

/// Modes with their words.
pub const MODES: [(&str, Mode); 4] = [
    ("index", Mode::Index),
    ("summary", Mode::Summary),
    ("selective_detail", Mode::SelectiveDetail),
    ("full_pack", Mode::FullPack),
];

/// Styles with their words.
pub const STYLES: [(&str, Style); 3] = [
    ("compact", Style::Compact),
    ("balanced", Style::Balanced),
    ("rich", Style::Rich),
];

/// Every setting by the name it has in the system's configuration file, those of a part of it
/// with the part before a dot.
pub const SETTINGS: &[&str] = &[
    "preset",
    "enabled",
    "softPromptBudgetTokens",
    "maxPromptBudgetTokens",
    "workingTopK",
    "episodicTopK",
    "semanticTopK",
    "proceduralTopK",
    "promotionEnabled",
    "promotionMinConfidence",
    "decayEnabled",
    "decayDays",
    "retrievalLookbackDays",
    "codeAwareExtractionEnabled",
    "disclosure.mode",
    "disclosure.promptStyle",
    "disclosure.toolExpansionEnabled",
    "disclosure.disclosureHintsEnabled",
    "disclosure.detailMinScore",
    "reranking.enabled",
    "reranking.profile",
];

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            soft: 1800,
            hard: 3500,
            top_k: [6, 8, 6, 4],
            promotes: true,
            promotion: 0.75,
            decay: true,
            decay_days: 30,
            lookback: 21,
            mode: Mode::Summary,
            style: Style::Balanced,
            expansion: true,
            hints: true,
            detail: 0.80,
            rerank: true,
            aggressive: false,
        }
    }
}

type Preset = (
    &'static str,
    [i64; 6],
    f64,
    [i64; 2],
    (Mode, Style),
    [bool; 2],
    f64,
    (bool, bool),
);

/// The system's presets: budgets and top-Ks, promotion, decay and lookback, mode and style,
/// expansion and hints, detail, reranking.
const PRESETS: [Preset; 7] = [
    (
        "coding_fast",
        [1400, 2600, 5, 5, 5, 6],
        0.78,
        [21, 14],
        (Mode::Summary, Style::Compact),
        [true, true],
        0.82,
        (true, false),
    ),
    (
        "coding_balanced",
        [1800, 3500, 6, 6, 7, 6],
        0.80,
        [30, 21],
        (Mode::Summary, Style::Balanced),
        [true, true],
        0.80,
        (true, false),
    ),
    (
        "coding_deep",
        [2400, 4200, 8, 6, 9, 8],
        0.78,
        [60, 30],
        (Mode::SelectiveDetail, Style::Rich),
        [true, true],
        0.72,
        (true, true),
    ),
    (
        "general_chat",
        [1000, 1800, 4, 6, 5, 1],
        0.85,
        [14, 14],
        (Mode::Index, Style::Compact),
        [false, true],
        0.90,
        (true, false),
    ),
    (
        "research_analyst",
        [2000, 3600, 6, 5, 10, 2],
        0.78,
        [90, 21],
        (Mode::Summary, Style::Balanced),
        [true, true],
        0.85,
        (true, true),
    ),
    (
        "ops_support",
        [1500, 2800, 6, 5, 7, 8],
        0.80,
        [45, 21],
        (Mode::SelectiveDetail, Style::Balanced),
        [true, true],
        0.75,
        (true, true),
    ),
    (
        "disabled",
        [1800, 3500, 6, 6, 7, 6],
        0.80,
        [30, 21],
        (Mode::Index, Style::Compact),
        [false, false],
        0.80,
        (false, false),
    ),
];

impl Config {
    /// A preset.
    pub fn preset(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let (
            _,
            counts,
            promotion,
            days,
            (mode, style),
            [expansion, hints],
            detail,
            (rerank, aggressive),
        ) = PRESETS.into_iter().find(|preset| preset.0 == name)?;
        let [soft, hard, working, episodic, semantic, procedural] = counts.map(positive);
        let [decay_days, lookback] = days;
        Some(Self {
            enabled: name != "disabled",
            soft,
            hard,
            top_k: [working, episodic, semantic, procedural],
            promotes: true,
            promotion,
            decay: true,
            decay_days,
            lookback,
            mode,
            style,
            expansion,
            hints,
            detail,
            rerank,
            aggressive,
        })
    }

    /// The settings that these texts give, by name; a preset comes before all others. Invalid
    /// values leave a setting unchanged, as in the system itself.
    pub fn of<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Self {
        let start = get("preset").and_then(Self::preset);
        let mut config = start.unwrap_or_default();
        for name in SETTINGS {
            if let Some(text) = get(name) {
                config.set(name, text.trim());
            }
        }
        config.lookback = config.lookback.clamp(1, 90);
        config
    }

    /// True if a text is a value of a setting.
    pub fn accepts(name: &str, text: &str) -> bool {
        name == "preset" && Self::preset(text).is_some() || Self::default().set(name, text.trim())
    }

    fn set(&mut self, name: &str, text: &str) -> bool {
        let [working, episodic, semantic, procedural] = &mut self.top_k;
        match name {
            "enabled" => truth(text, &mut self.enabled),
            "softPromptBudgetTokens" => budget(text, &mut self.soft),
            "maxPromptBudgetTokens" => budget(text, &mut self.hard),
            "workingTopK" => count(text, working),
            "episodicTopK" => count(text, episodic),
            "semanticTopK" => count(text, semantic),
            "proceduralTopK" => count(text, procedural),
            "promotionEnabled" => truth(text, &mut self.promotes),
            // True if the system takes constraints, failures and fixes out of what is said: what it
            // writes by itself, and nothing that is read.
            "codeAwareExtractionEnabled" => truth(text, &mut true),
            "promotionMinConfidence" => number(text, &mut self.promotion),
            "decayEnabled" => truth(text, &mut self.decay),
            "decayDays" => whole(text, &mut self.decay_days),
            "retrievalLookbackDays" => whole(text, &mut self.lookback),
            "disclosure.mode" => choice(text, &MODES, &mut self.mode),
            "disclosure.promptStyle" => choice(text, &STYLES, &mut self.style),
            "disclosure.toolExpansionEnabled" => truth(text, &mut self.expansion),
            "disclosure.disclosureHintsEnabled" => truth(text, &mut self.hints),
            "disclosure.detailMinScore" => number(text, &mut self.detail),
            "reranking.enabled" => truth(text, &mut self.rerank),
            "reranking.profile" => {
                let profiles = [("balanced", false), ("aggressive", true)];
                choice(text, &profiles, &mut self.aggressive)
            }
            _ => false,
        }
    }
}

fn positive(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

fn put<T>(found: Option<T>, to: &mut T) -> bool {
    match found {
        Some(value) => {
            *to = value;
            true
        }
        None => false,
    }
}

fn truth(text: &str, to: &mut bool) -> bool {
    put(text.parse().ok(), to)
}

fn whole(text: &str, to: &mut i64) -> bool {
    // As many days as a span of instants has.
    put(
        text.parse()
            .ok()
            .filter(|days: &i64| days.abs() < 100_000_000),
        to,
    )
}

fn number(text: &str, to: &mut f64) -> bool {
    put(
        text.parse().ok().filter(|number: &f64| number.is_finite()),
        to,
    )
}

/// Less than none is none.
fn count(text: &str, to: &mut usize) -> bool {
    put(
        text.parse().ok().map(|number: i64| positive(number.max(0))),
        to,
    )
}

/// A budget of nothing is the usual one.
fn budget(text: &str, to: &mut usize) -> bool {
    let number = text.parse().ok();
    put(
        number.map(|number: i64| if number > 0 { positive(number) } else { *to }),
        to,
    )
}

fn choice<T: Copy>(text: &str, words: &[(&str, T)], to: &mut T) -> bool {
    let found = words
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text));
    put(found.map(|(_, value)| *value), to)
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
            (Mode::SelectiveDetail, Style::Rich, true)
        );
        assert_eq!(of(&[("preset", "no such")]), Config::default());
        assert!(!of(&[("preset", "disabled")]).enabled);
        assert_eq!(of(&[("retrievalLookbackDays", "0")]).lookback, 1);
        assert_eq!(of(&[("retrievalLookbackDays", "365")]).lookback, 90);
    }

    #[test]
    fn every_setting_has_values() {
        for name in SETTINGS {
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
