//! Tables of tests.

/// The rows of a table, a line each: `given => expected`.
macro_rules! rows {
    ($($first:expr $(=> $rest:expr)+),+ $(,)?) => { [$(($first, $($rest),+)),+] };
}
