//! What is known of a kind of secrets.

/// How a kind of secret is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Its form says enough: only placeholders are passed over.
    Form,
    /// A password: it must not be a word, a variable or a placeholder.
    Password,
    /// The same behind an address: it is not a word of passwords and a number either.
    Paired,
    /// A value after a name: it must look random as well.
    Random,
    /// A value with nothing but a blank before it: random, with more digits in it than a name has.
    Alone,
    /// A value after the name of some key: as random as [`Check::Alone`], no hash and no id, and
    /// the word before the name must not make a key of it that everybody may see.
    Labelled,
    /// Words that are joined: none of them says where a secret is, or how it came about.
    Joined,
    /// A value with nothing but a blank before it: it must have letters, digits and signs.
    Strong,
}

/// A kind of secret.
pub struct Kind {
    /// What it is called, with its article.
    pub name: &'static str,
    /// Text (in lower case) without which it cannot stand there.
    pub hints: &'static [&'static str],
    /// What it looks like; the first group is the secret.
    pub pattern: &'static str,
    /// What else must hold.
    pub check: Check,
    /// Whether a hint is a name that a value is given to: `=`, `:` or ` is ` stands behind it.
    pub assigned: bool,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
}

/// A kind that is known by its form.
pub(super) const fn form(
    name: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
) -> Kind {
    Kind {
        name,
        hints,
        pattern,
        check: Check::Form,
        assigned: false,
        confidence: 0.97,
    }
}

/// A kind of value that is given to a name: `=`, `:` or ` is ` stands behind a hint.
pub(super) const fn given(
    name: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
    check: Check,
) -> Kind {
    Kind {
        assigned: true,
        ..told(name, hints, pattern, (check, 0.8))
    }
}

/// A kind that is known by what stands around it, wherever that is.
pub(super) const fn told(
    name: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
    (check, confidence): (Check, f64),
) -> Kind {
    Kind {
        name,
        hints,
        pattern,
        check,
        assigned: false,
        confidence,
    }
}

/// The kinds that a column of a table may be of as well.
pub const PASSWORD: &str = "a password";
/// See [`PASSWORD`].
pub const SECRET: &str = "a secret";
