//! The English sentences, one file per subject.

mod card;
mod cases;
mod chart;
mod coverage;
pub mod diagnostic;
mod dice;
mod draft;
mod effect;
pub mod fight;
mod guide;
pub mod handful;
pub mod http;
pub(crate) mod log;
mod log_error;
mod luck;
mod meaning;
pub mod notation;
pub mod numbers;
mod pack;
mod pack_diff;
pub mod page;
pub mod questions;
mod rejection;
mod resolve;
mod sealed;
pub mod unknown_name;
mod user_table;

pub use card::{NOT_ON_CARD, blank_field, card_field};
pub use cases::case_failure;
pub use chart::{
    AgainText, AlsoText, AmountSign, AmountText, AmountValue, CellText, ChangeKind, ChangeText,
    ChartText, ChartWords, LineText, NotShown, ResultText, RowText, StepText, TableText, ThenText,
    die_of, not_shown, number, phrases, sentences, true_minus,
};
pub use coverage::coverage_lines;
pub use diagnostic::{Sentence, diagnostic};
pub use dice::{
    accepted, accepted_labels, answer_error, deck_error, dice_error, missing, needed, number_error,
    source_error, unasked, ways_error, what_for,
};
pub use draft::{draft_error, draft_format, draft_guess, draft_line, draft_readme, piece_kind};
pub use effect::{change, recorded_change};
pub use guide::{ending, guide, winner};
pub use log::{LoggedLine, log, log_line, open_call, pending_test};
pub use log_error::{difference, log_error, log_fault, mismatch, not_plain};
pub use luck::{judged, not_weighed, thrown_by};
pub use meaning::{meaning, meaning_of};
pub use pack::{faces_of, license_and_address, pack_facts, short_fingerprint};
pub use pack_diff::{chance_shift, pack_diff, part_change};
pub use rejection::{
    allowed_anyway, move_error, play_error, refusal, rejection, rejections, ruled_out,
    ruled_out_alone, ruled_out_by, unit_file_error,
};
pub use resolve::{
    acts_first, answer_odds_error, case_error, chits_left, column_read, input_error,
    input_error_beside_name, interrupted, no_odds, not_followed, odds_error, option_off, otherwise,
    over_limit, resolve_error, too_large,
};
pub use sealed::{chain_error, confirmed, cut, forfeit, member_record, no_link, sealed_rules};
pub use unknown_name::unknown_name;
pub use user_table::{USER_DECK_MISSING, blank_deck, blank_form};

use adjutant_dice::Answer;
use adjutant_pack::{Pack, Value};

/// Adds a full stop if the text lacks an end mark.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A value as players type it.
fn value(pack: &Pack, value: Value) -> String {
    match value.to_answer(pack.words()) {
        Answer::Choice(word) => word.to_string(),
        other => other.to_string(),
    }
}
