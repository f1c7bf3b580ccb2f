//! Whether a version, as far as it is written, is one that a requirement lets in.

use std::str::FromStr as _;

use pep440_rs::{Version as PythonVersion, VersionSpecifiers};
use semver::{Version, VersionReq};
use serde::Deserialize;

/// Stands for the highest number that a version may have.
const HIGHEST: u64 = 999_999;

/// Whose rules a requirement follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Manager {
    /// A bare version lets in what is compatible: `0.7` is `^0.7`.
    Cargo,
    /// A bare version is exact, and `||` stands between ranges.
    Npm,
    /// Specifiers of PEP 440, and Poetry's `^`.
    Python,
    /// A version as it is.
    Exact,
    /// The lowest version.
    Lowest,
}

/// The numbers of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers(Vec<u64>);

impl Numbers {
    /// Reads the first numbers with dots between them: of `^1.2.0-rc.1` they are 1, 2 and 0.
    pub fn parse(text: &str) -> Option<Self> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let text = text.get(start..)?;
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let numbers = text.get(..end.unwrap_or(text.len()))?.split('.');
        let numbers: Vec<u64> = numbers.map_while(|one| one.parse().ok()).take(3).collect();
        (!numbers.is_empty()).then_some(Self(numbers))
    }

    /// The numbers up to the first that is not 0: other ones are not compatible.
    pub fn major(&self) -> &[u64] {
        let first = self.0.iter().position(|number| *number != 0).unwrap_or(0);
        self.0.get(..=first).unwrap_or_default()
    }

    /// So many of the numbers, as they are written.
    pub fn written(&self, count: usize) -> Option<String> {
        let numbers = self.0.get(..count)?.iter().map(u64::to_string);
        Some(numbers.collect::<Vec<_>>().join("."))
    }

    /// The version that has this in the place of numbers that are not written.
    fn filled(&self, fill: u64) -> [u64; 3] {
        let at = |n: usize| self.0.get(n).copied().unwrap_or(fill);
        [at(0), at(1), at(2)]
    }
}

/// Whether a requirement lets in a version, or one that begins like it; with `or_newer` one that is
/// higher. True where the requirement says nothing of versions.
pub(super) fn is_fit(manager: Manager, requirement: &str, version: &str, or_newer: bool) -> bool {
    let Some(numbers) = Numbers::parse(version) else {
        return true;
    };
    let low = numbers.filled(0);
    let high = match or_newer {
        true => [HIGHEST; 3],
        false => numbers.filled(HIGHEST),
    };
    let fits = |lets_in: &dyn Fn([u64; 3]) -> bool, bounds: &[[u64; 3]]| {
        // The span of versions and a range meet in an end of the one or in a bound of the other.
        let within = bounds.iter().filter(|bound| (low..=high).contains(*bound));
        [low, high].iter().chain(within).any(|one| lets_in(*one))
    };
    let requirement = requirement.trim();
    if manager == Manager::Python && !requirement.starts_with('^') {
        return VersionSpecifiers::from_str(requirement).map_or(true, |all| {
            let bounds = all.iter().map(|one| one.version().release().to_vec());
            let bounds: Vec<_> = bounds.map(|all| Numbers(all).filled(0)).collect();
            fits(&|one| all.contains(&PythonVersion::new(one)), &bounds)
        });
    }
    requirement.split("||").any(|part| {
        range(manager, part).is_none_or(|range| {
            let bound = |one: &semver::Comparator| {
                let (minor, patch) = (one.minor.unwrap_or(0), one.patch.unwrap_or(0));
                [one.major, minor, patch]
            };
            let bounds: Vec<_> = range.comparators.iter().map(bound).collect();
            fits(&|[a, b, c]| range.matches(&Version::new(a, b, c)), &bounds)
        })
    })
}

/// A range as the semver crate reads it.
fn range(manager: Manager, text: &str) -> Option<VersionReq> {
    let text = text.trim();
    let is_bare = text.starts_with(|c: char| c.is_ascii_digit() || c == 'v');
    let sign = match manager {
        Manager::Lowest => ">=",
        Manager::Npm | Manager::Exact if is_bare => "=",
        _ => "",
    };
    if let Some((from, to)) = text.split_once(" - ") {
        return VersionReq::parse(&format!(">={from}, <={to}")).ok();
    }
    let text = text.trim_start_matches('v').replace(".x", ".*");
    let text = text.replace("==", "=");
    if !sign.is_empty() {
        // What stands behind the numbers is no part of a version for the crate.
        let numbers = match text.contains('*') {
            true => text,
            false => Numbers::parse(&text)?.written(Numbers::parse(&text)?.0.len())?,
        };
        let sign = if numbers.contains('*') { "" } else { sign };
        return VersionReq::parse(&format!("{sign}{numbers}")).ok();
    }
    // `>= 1.2 < 2` as npm writes it.
    let mut joined = String::new();
    for word in text.replace(',', " ").split_whitespace() {
        let is_sign = joined.ends_with(['<', '>', '=', '^', '~']);
        if !joined.is_empty() && !is_sign {
            joined.push_str(", ");
        }
        joined.push_str(word);
    }
    VersionReq::parse(&joined).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Row {
        manager: Manager,
        requirement: String,
        fits: Vec<String>,
        other: Vec<String>,
    }

    #[test]
    fn a_version_is_compared_with_a_requirement_by_the_rules_of_its_manager() {
        let table: Vec<Row> = crate::text::rows("requirements", "row");
        let mut wrong = Vec::new();
        for row in &table {
            let fits = |version: &&String| {
                let or_newer = version.ends_with('+');
                is_fit(row.manager, &row.requirement, version, or_newer)
            };
            let missed = row.fits.iter().filter(|version| !fits(version));
            let all = missed.chain(row.other.iter().filter(fits));
            wrong.extend(all.map(|version| (&row.requirement, version)));
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
