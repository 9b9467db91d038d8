//! Sealed rolls: why a step is not accepted, and why a device reveals no link.

use super::rejection::chain_length;
use super::{difference, play_error};
use adjutant_game::{ChainError, Cut, HexError, HexText, NoLink, SealedRejection};

pub(super) fn sealed_rejection(rejection: &SealedRejection) -> String {
    match rejection {
        SealedRejection::NothingToWithdraw => "no roll was called: there is nothing to withdraw".into(),
        SealedRejection::NoMemberToRelease => "no player is named to be removed from the sealed group".into(),
        SealedRejection::NeedsConsent { sides } => format!("that needs the consent of {}", sides.join(", ")),
        SealedRejection::OtherCall { open, named } => format!("the open call is event {open}, not {named}"),
        SealedRejection::NotAnOpenCall { event } => format!("event {event} is not an open call"),
        SealedRejection::NotASeal { event } => format!("event {event} is not a valid seal"),
        SealedRejection::LateUmpire { name } => {
            format!("{name} became umpire after the sealed group was formed and cannot consent for others")
        }
        SealedRejection::NotTheVoice { member, name } => format!("{member} is in the sealed group and speaks for the side, not {name}"),
        SealedRejection::CallOpen { call } => {
            format!("the roll called in event {call} is open: finish or withdraw it first")
        }
        SealedRejection::CallOpenAlready { call } => format!("the call of event {call} is open already"),
        SealedRejection::CallNotOpen { call } => format!("the call of event {call} is not open: nothing can go on from it"),
        SealedRejection::NoCallForPlay => "no roll was called".into(),
        SealedRejection::NoCallToRoll => "no roll was called: there is nothing to roll".into(),
        SealedRejection::NoCallForLink => "no roll was called: reveal no link before one is".into(),
        SealedRejection::NotCalled => "rolls are sealed in this game, and this roll was not called".into(),
        SealedRejection::MustCall => "rolls are sealed in this game: call the roll, or ask to remove a player from the sealed group".into(),
        SealedRejection::LinkOwed { call, name } => format!("the call of event {call} is open, and {name} has not shown a link yet"),
        SealedRejection::LinkMissing { name } => format!("{name} has not shown a link yet"),
        SealedRejection::LinkShown { name, call } => format!("{name} has shown a link for the call of event {call}"),
        SealedRejection::NotWhatWasCalled { call } => format!("the call of event {call} is open, and this is not what was called"),
        SealedRejection::ContinuesOtherwise { call } => format!("the call of event {call} goes on, and this is not what was called"),
        SealedRejection::InputsDiffer { call } => format!("what had come when event {call} was called is recorded otherwise"),
        SealedRejection::CallerAnswers { caller } => format!("{caller} called, and answers"),
        SealedRejection::NotAllSealed => "rolls are sealed in this game, but not every part of this roll is".into(),
        SealedRejection::Differs(found) => difference(found),
        SealedRejection::NotASealedStep => "this is not a step of a sealed roll".into(),
        SealedRejection::Hex(error) => hex_error(error),
        SealedRejection::ChainLength { length } => chain_length(*length),
        SealedRejection::NoSeat { name } => {
            format!("{name} has not joined the game: a member of the sealed group plays a side or is the umpire")
        }
        SealedRejection::AnchorKnown => "this anchor is known already: a chain is made for one player and used once".into(),
        SealedRejection::WaitsForLinks => "a call is open and waits for links: a new chain begins after it".into(),
        SealedRejection::HasChain { name } => format!("{name} has a chain: the next link of it must come with the new one"),
        SealedRejection::HasNoChain { name } => format!("{name} is not in the sealed group and has no chain to end"),
        SealedRejection::JoinAfterRoll => "a roll was called: new members join the sealed group after it".into(),
        SealedRejection::TooManyMembers { most } => format!("a sealed group has at most {most} members"),
        SealedRejection::TooFewMembers => "a sealed roll needs two players who have sealed".into(),
        SealedRejection::OnlyAnswers => "a roll is called before any dice are rolled: only answers can be recorded".into(),
        SealedRejection::ChainUsedUp { name } => format!("the chain of {name} has run out: a new one is sealed before the next call"),
        SealedRejection::NotNextLink { name } => format!("this is not the next link of the chain of {name}"),
        SealedRejection::OtherLog { name } => {
            format!("{name} marked another log than this one: lines before the last link shown have been altered")
        }
        SealedRejection::Chain(error) => chain_error(error),
        SealedRejection::CallFails(error) => format!("the called roll cannot be made like this: {}", play_error(error)),
        SealedRejection::NoFurtherLuck => "no further luck enters here: it is played without a call".into(),
    }
}

/// Why a chain cannot be made, or reveals no link.
pub fn chain_error(error: &ChainError) -> String {
    match error {
        ChainError::Length { length } => chain_length(*length),
        ChainError::NotAMember { who } => format!("{who} is not in the sealed group"),
        ChainError::OtherChain { who, seal } => format!("this is not the chain that {who} sealed with event {seal}"),
        ChainError::NoCall => "no roll was called: there is nothing to reveal a link for".into(),
        ChainError::LinkShown { who } => format!("{who} has shown a link for this call"),
        ChainError::UsedUp => "the chain has no further link".into(),
        ChainError::ShownElsewhere => {
            "this link was shown already, for another call: the log has been rolled back or copied. Seal with a new chain".into()
        }
        ChainError::NotHere { who } => format!("the chain that {who} sealed with is not on this device"),
        ChainError::Hex(error) => hex_error(error),
    }
}

fn hex_error(error: &HexError) -> String {
    let what = match error.what {
        HexText::ChainSecret => "the secret of a chain",
        HexText::Anchor => "the anchor of a chain",
        HexText::Link => "the link",
        HexText::Mark => "the mark",
        HexText::Fingerprint => "a fingerprint",
        HexText::LastFingerprint => "the fingerprint of the last line",
    };
    format!("{what} must be 64 digits of lower-case hex, and this has {} characters", error.length)
}

/// Why a device reveals no link and seals no chain.
pub fn no_link(why: &NoLink) -> String {
    match why {
        NoLink::Cut(found) => cut(found),
        NoLink::Chain(error) => chain_error(error),
    }
}

/// How a log differs from what the device remembers.
pub fn cut(cut: &Cut) -> String {
    const CUT: &str = "the log has been rolled back, cut or forked";
    let what = match cut {
        Cut::Line { event } => format!(
            "{CUT}: event {event}, which this device has seen, is missing or another one now"
        ),
        Cut::Link { call } => format!(
            "the log lacks the link that this device showed for the call of event {call}: {CUT}, or the call was taken back while the link was on its way"
        ),
        Cut::Call => {
            format!("the log lacks a call and the link that this device showed for it: {CUT}")
        }
        Cut::Seal => format!(
            "the log lacks the new chain that this device sealed: {CUT}, or a call came first"
        ),
    };
    format!("{what}. No link is shown for this log")
}
