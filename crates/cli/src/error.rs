//! Why a command ended without doing what was asked, and the exit code that scripts rely on: 1
//! where a pack, its cases, a log or a store has faults, 2 otherwise.

use crate::check;
use crate::game::names::NameError;
use crate::open_store::AppendError;
use crate::output::{CommandOutput, sentences};
use crate::setup::ArgumentError;
use adjutant_dice::{DeckError, NumberError, SourceError};
use adjutant_engine::InputError;
use adjutant_pack::{Diagnostic, Files};
use adjutant_store::StoreError;
use adjutant_wording::en;
use std::path::PathBuf;

/// What a command gives: its output, or why it ended early.
pub type CommandResult = Result<CommandOutput, CommandError>;

/// Why a command ended early.
#[derive(Debug)]
pub enum CommandError {
    /// The arguments do not fit, or what they ask for cannot be done: everything that is wrong.
    Usage(Vec<String>),
    /// A pack cannot be used.
    Pack(Box<FaultyPack>),
    /// A log or the store has faults.
    Faulty(Vec<String>),
    /// The store did not do what was asked.
    Store(StoreError),
    /// The files, the terminal or the system failed.
    Other(anyhow::Error),
}

/// Puts the error of a library into words.
pub trait Said<T> {
    fn said(self) -> anyhow::Result<T>;
}

impl<T> Said<T> for Result<T, SourceError> {
    fn said(self) -> anyhow::Result<T> {
        self.map_err(|error| anyhow::anyhow!(en::source_error(&error)))
    }
}

impl<T> Said<T> for Result<T, InputError> {
    fn said(self) -> anyhow::Result<T> {
        self.map_err(|error| anyhow::anyhow!(en::input_error(&error)))
    }
}

impl<T> Said<T> for Result<T, DeckError> {
    fn said(self) -> anyhow::Result<T> {
        self.map_err(|error| anyhow::anyhow!(en::deck_error(error)))
    }
}

impl<T> Said<T> for Result<T, NumberError> {
    fn said(self) -> anyhow::Result<T> {
        self.map_err(|error| anyhow::anyhow!(en::number_error(error)))
    }
}

/// A pack that cannot be used.
#[derive(Debug)]
pub struct FaultyPack {
    pub faults: Vec<Diagnostic>,
    /// Its files, to show the lines.
    pub files: Files,
    /// Its folder; none for a pack inside the program.
    pub folder: Option<String>,
    /// The player's own files that were read with it.
    pub own: Vec<UserFile>,
}

/// A file that the player supplies: tables or a deck.
#[derive(Debug)]
pub struct UserFile {
    /// Its name in diagnostics.
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

impl CommandError {
    /// Wrong use: one sentence, or several.
    pub fn usage(sentences: impl Into<Vec<String>>) -> CommandError {
        CommandError::Usage(sentences.into())
    }

    /// A log or a store with faults: one sentence, or several.
    pub fn faulty(sentences: impl Into<Vec<String>>) -> CommandError {
        CommandError::Faulty(sentences.into())
    }

    /// The same with one more sentence.
    pub fn and(self, sentence: String) -> CommandError {
        let mut all = self.into_sentences();
        all.push(sentence);
        CommandError::Usage(all)
    }

    /// The first thing that is wrong, for another sentence.
    pub fn first_sentence(self) -> String {
        self.into_sentences().into_iter().next().unwrap_or_default()
    }

    fn into_sentences(self) -> Vec<String> {
        match self {
            CommandError::Usage(sentences) | CommandError::Faulty(sentences) => sentences,
            CommandError::Pack(pack) => {
                pack.faults.iter().map(|fault| en::diagnostic(fault).message).collect()
            }
            CommandError::Store(fault) => vec![fault.to_string()],
            CommandError::Other(fault) => vec![format!("{fault:#}")],
        }
    }

    /// What goes to standard error, and the exit code.
    pub fn into_output(self) -> CommandOutput {
        match self {
            CommandError::Pack(pack) => {
                CommandOutput::faulty(String::new(), check::faulty_pack(&pack))
            }
            CommandError::Faulty(list) => CommandOutput::faulty(String::new(), sentences(&list)),
            other => CommandOutput::failed(&other.into_sentences()),
        }
    }
}

impl From<Vec<String>> for CommandError {
    fn from(sentences: Vec<String>) -> CommandError {
        CommandError::Usage(sentences)
    }
}

impl From<ArgumentError> for CommandError {
    fn from(why: ArgumentError) -> CommandError {
        CommandError::Usage(vec![why.to_string()])
    }
}

impl From<NameError> for CommandError {
    fn from(why: NameError) -> CommandError {
        CommandError::Usage(vec![why.to_string()])
    }
}

impl From<StoreError> for CommandError {
    fn from(fault: StoreError) -> CommandError {
        CommandError::Store(fault)
    }
}

impl From<AppendError> for CommandError {
    fn from(why: AppendError) -> CommandError {
        CommandError::Other(why.into())
    }
}

impl From<anyhow::Error> for CommandError {
    fn from(fault: anyhow::Error) -> CommandError {
        CommandError::Other(fault)
    }
}
