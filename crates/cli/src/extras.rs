//! Completions for shells and manual pages, made from the same description as the help.

use crate::args::Args;
use crate::output::CommandOutput;
use clap::CommandFactory;
use std::path::Path;

/// Where bash's script puts the word under the cursor. Right behind `firer=` that word is empty for bash, though the sign is a word to it:
/// then the sign stays, so that the command knows what is being named.
const BASH_WORD: &str = "        words[COMP_CWORD]=\"$2\"\n";
const BASH_WORD_OR_SIGN: &str = "        [[ \"${words[COMP_CWORD]}\" == \"=\" ]] || words[COMP_CWORD]=\"$2\"\n";

/// A few lines that have the shell ask the command itself, which knows the tables and units there are.
pub fn completions(shell: clap_complete::Shell) -> CommandOutput {
    let shells = clap_complete::env::Shells::builtins();
    let mut bytes = Vec::new();
    let written = shells
        .completer(&shell.to_string())
        .map(|shell| shell.write_registration(crate::complete::VARIABLE, "adjutant", "adjutant", "adjutant", &mut bytes));
    match written {
        Some(Ok(())) => CommandOutput::done(String::from_utf8_lossy(&bytes).replace(BASH_WORD, BASH_WORD_OR_SIGN)),
        _ => CommandOutput::wrong(&[format!("there are no completions for {shell}")]),
    }
}

pub fn man(dir: Option<&Path>) -> CommandOutput {
    let cannot = |fault: std::io::Error| CommandOutput::wrong(&[format!("the manual cannot be written: {fault}")]);
    match dir {
        Some(dir) => match std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(Args::command(), dir)) {
            Ok(()) => CommandOutput::done(format!("the manual pages are in {}\n", dir.display())),
            Err(fault) => cannot(fault),
        },
        None => {
            let mut bytes = Vec::new();
            match clap_mangen::Man::new(Args::command()).render(&mut bytes) {
                Ok(()) => CommandOutput::done(String::from_utf8_lossy(&bytes).into_owned()),
                Err(fault) => cannot(fault),
            }
        }
    }
}
