//! How a verb ends: what goes to standard output, what to standard error, and the exit code that
//! scripts rely on: 0 done, 1 a pack, its cases, a log or a store has faults, 2 wrong use.

use std::io::Write;

/// The end of a verb.
#[derive(Debug, Default)]
pub struct CommandOutput {
    out: String,
    err: String,
    code: u8,
}

impl CommandOutput {
    /// Done, with this answer.
    pub fn done(out: String) -> CommandOutput {
        CommandOutput { out, ..CommandOutput::default() }
    }

    /// The pack or its cases have faults.
    pub fn faulty(out: String, err: String) -> CommandOutput {
        CommandOutput { out, err, code: 1 }
    }

    /// Wrong use: one sentence, or several, each on its own line.
    pub fn wrong(sentences: &[String]) -> CommandOutput {
        CommandOutput { err: self::sentences(sentences), code: 2, ..CommandOutput::default() }
    }

    /// The same, with something for standard output all the same.
    pub fn with_out(self, out: String) -> CommandOutput {
        CommandOutput { out, ..self }
    }

    /// The same, with sentences for standard error as well.
    pub fn with_warnings(mut self, sentences: &[String]) -> CommandOutput {
        self.err.push_str(&self::sentences(sentences));
        self
    }

    /// The first thing said on standard error, plain, for another sentence.
    pub fn first_sentence(&self) -> String {
        let plain = anstream::adapter::strip_str(&self.err).to_string();
        let first = plain.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        first.trim_start_matches("adjutant: ").trim_start_matches("error: ").trim().to_owned()
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// Writes both parts.
    pub fn print(&self) -> std::io::Result<()> {
        let mut out = anstream::stdout().lock();
        out.write_all(self.out.as_bytes())?;
        out.flush()?;
        let mut err = anstream::stderr().lock();
        err.write_all(self.err.as_bytes())?;
        err.flush()
    }
}

/// Sentences for standard error, each on its own line.
pub fn sentences(list: &[String]) -> String {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    list.iter().map(|text| format!("{style}adjutant:{style:#} {text}\n")).collect()
}
