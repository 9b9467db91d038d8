//! How a verb ends: what goes to standard output, what to standard error, and the exit code that
//! scripts rely on: 0 done, 1 the pack or the cases have faults, 2 wrong use.

use std::io::Write;

/// The end of a verb.
#[derive(Debug, Default)]
pub struct Verdict {
    out: String,
    err: String,
    code: u8,
}

impl Verdict {
    /// Done, with this answer.
    pub fn done(out: String) -> Verdict {
        Verdict { out, ..Verdict::default() }
    }

    /// The pack or its cases have faults.
    pub fn faulty(out: String, err: String) -> Verdict {
        Verdict { out, err, code: 1 }
    }

    /// Wrong use: one sentence, or several, each on its own line.
    pub fn wrong(sentences: &[String]) -> Verdict {
        let style = anstyle::AnsiColor::Red.on_default().bold();
        let err = sentences.iter().map(|text| format!("{style}adjutant:{style:#} {text}\n")).collect();
        Verdict { err, code: 2, ..Verdict::default() }
    }

    /// The same, with something for standard output all the same.
    pub fn with_out(self, out: String) -> Verdict {
        Verdict { out, ..self }
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
