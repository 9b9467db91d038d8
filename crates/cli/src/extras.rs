//! Completions for shells, made from the same description as the help.

use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;

/// Where bash's script puts the word under the cursor. Right behind `firer=` that word is empty for
/// bash, though the sign is a word to it: then the sign stays, so that the command knows what is
/// being named.
const BASH_WORD: &str = "        words[COMP_CWORD]=\"$2\"\n";
const BASH_WORD_OR_SIGN: &str =
    "        [[ \"${words[COMP_CWORD]}\" == \"=\" ]] || words[COMP_CWORD]=\"$2\"\n";

/// A few lines that have the shell ask the command itself, which knows the tables and units there
/// are.
pub fn completions(shell: clap_complete::Shell) -> CommandResult {
    let shells = clap_complete::env::Shells::builtins();
    let mut bytes = Vec::new();
    let written = shells.completer(&shell.to_string()).map(|shell| {
        shell.write_registration(
            crate::complete::VARIABLE,
            "adjutant",
            "adjutant",
            "adjutant",
            &mut bytes,
        )
    });
    match written {
        Some(Ok(())) => Ok(CommandOutput::done(
            String::from_utf8_lossy(&bytes).replace(BASH_WORD, BASH_WORD_OR_SIGN),
        )),
        _ => Err(CommandError::usage([format!("there are no completions for {shell}")])),
    }
}
