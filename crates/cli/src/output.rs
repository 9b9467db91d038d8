//! What a command prints: its answer on standard output, warnings on standard error, and its exit
//! code.

use std::io::Write;

/// The output of a command.
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

    /// A pack, its cases, a log or a store has faults.
    pub fn faulty(out: String, err: String) -> CommandOutput {
        CommandOutput { out, err, code: 1 }
    }

    /// Not done: why, each sentence on its own line.
    pub fn failed(sentences: &[String]) -> CommandOutput {
        CommandOutput { err: self::sentences(sentences), code: 2, ..CommandOutput::default() }
    }

    /// The same, with something for standard output.
    pub fn with_out(self, out: String) -> CommandOutput {
        CommandOutput { out, ..self }
    }

    /// The same, with more sentences for standard error.
    pub fn with_warnings(mut self, sentences: &[String]) -> CommandOutput {
        self.err.push_str(&self::sentences(sentences));
        self
    }

    /// The same, with a text for standard error that has its own form.
    pub fn with_err(mut self, err: &str) -> CommandOutput {
        self.err.push_str(err);
        self
    }

    /// The same with the answer on standard error, where standard output carries a file.
    pub fn aside(mut self) -> CommandOutput {
        self.err.insert_str(0, &std::mem::take(&mut self.out));
        self
    }

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
