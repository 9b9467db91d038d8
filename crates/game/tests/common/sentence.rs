//! Errors as players read them.

use adjutant_game::{
    ChainError, LogError, Mismatch, NoLink, PlayError, Rejection, RuledOut, Table, UnitFileError,
};
use adjutant_pack::UnknownName;
use adjutant_wording::en;

pub trait Sentence {
    fn sentence(&self) -> String;
}

macro_rules! sentences {
    ($($error:ty => $function:path),+ $(,)?) => {$(
        impl Sentence for $error {
            fn sentence(&self) -> String {
                $function(self)
            }
        }
    )+};
}

sentences!(
    ChainError => en::chain_error,
    LogError => en::log_error,
    Mismatch => en::mismatch,
    NoLink => en::no_link,
    PlayError => en::play_error,
    Rejection => en::rejection,
    RuledOut => en::ruled_out,
    UnitFileError => en::unit_file_error,
    UnknownName => en::unknown_name,
);

/// Several errors as players read them.
pub fn sentences<E: Sentence>(all: &[E]) -> Vec<String> {
    all.iter().map(Sentence::sentence).collect()
}

/// The log as players read it, with a mark on undone events.
pub fn log_in_words(table: &Table) -> Vec<String> {
    en::log(table).unwrap().iter().map(en::LoggedLine::marked).collect()
}
