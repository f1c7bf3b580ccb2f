//! What comes of a call of the program.

use std::process::Output;

/// What came of a call.
pub struct Ran {
    pub out: Vec<u8>,
    pub err: String,
    pub code: i32,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            out: output.stdout,
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

impl Ran {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    pub fn lines(&self) -> Vec<String> {
        self.text().lines().map(str::to_owned).collect()
    }

    pub fn json(&self) -> serde_json::Value {
        let shown = || format!("{}{}", self.text(), self.err);
        serde_json::from_slice(&self.out).unwrap_or_else(|error| panic!("{error}: {}", shown()))
    }
}
