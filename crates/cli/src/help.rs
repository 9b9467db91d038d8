//! `adjutant help [VERB…]`: the same text as `adjutant VERB… --help`.

use crate::args::Args;
use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use clap::{CommandFactory, Parser};

pub fn help(verbs: &[String]) -> CommandResult {
    let command = Args::command();
    let mut at = &command;
    for (n, word) in verbs.iter().enumerate() {
        if at.get_subcommands().next().is_none() {
            let known = verbs[..n].join(" ");
            return Err(CommandError::usage([format!(
                "`{known}` has no commands of its own: adjutant help {known}"
            )]));
        }
        // The parser says what is wrong with a word that is no verb.
        let Some(found) = at.find_subcommand(word) else { break };
        at = found;
    }
    let words = ["adjutant"].into_iter().chain(verbs.iter().map(String::as_str)).chain(["--help"]);
    match Args::try_parse_from(words) {
        Err(shown) if shown.exit_code() == 0 => {
            Ok(CommandOutput::done(shown.render().ansi().to_string()))
        }
        Err(wrong) => Ok(CommandOutput::failed(&[]).with_err(&wrong.render().ansi().to_string())),
        // `--help` is never parsed as a command to run.
        Ok(_) => Ok(CommandOutput::default()),
    }
}
