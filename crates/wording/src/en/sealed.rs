//! Sealed rolls: why a step is not accepted, and why a device reveals no link.

use super::rejection::chain_length;
use super::{difference, play_error};
use adjutant_game::{
    ChainError, Cut, Forfeit, HexError, HexText, LONGEST_WAIT, MemberRecord, NoLink,
    SealedRejection, Table,
};

pub(super) fn sealed_rejection(rejection: &SealedRejection) -> String {
    match rejection {
        SealedRejection::NothingToWithdraw => "no roll was called: there is nothing to withdraw".into(),
        SealedRejection::NoMemberToRelease => "no player is named to be removed from the sealed group".into(),
        SealedRejection::NeedsConsent { names } => format!("that needs the consent of {}", names.join(", ")),
        SealedRejection::OtherCall { open, named } => format!("the open call is event {open}, not {named}"),
        SealedRejection::NotAnOpenCall { event } => format!("event {event} is not an open call"),
        SealedRejection::NotASeal { event } => format!("event {event} is not a valid seal"),
        SealedRejection::UmpireNotSealed { name } => {
            format!("{name} has not sealed: an umpire consents for a sealed group only as one of its members")
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
        SealedRejection::InputsDiffer { call } => format!("the inputs up to the call of event {call} are recorded differently"),
        SealedRejection::CallerAnswers { caller } => format!("{caller} called, and answers"),
        SealedRejection::NotAllSealed => "rolls are sealed in this game, but not every part of this roll is".into(),
        SealedRejection::Differs(found) => difference(found),
        SealedRejection::NotASealedStep => "this is not a step of a sealed roll".into(),
        SealedRejection::Hex(error) => hex_error(error),
        SealedRejection::ChainLength { length } => chain_length(*length),
        SealedRejection::NoSeat { name } => {
            format!("{name} has not joined the game: only a player of a side or the umpire seals a chain or calls a roll")
        }
        SealedRejection::AnchorKnown => "this anchor is known already: a chain is made for one player and used once".into(),
        SealedRejection::WaitsForLinks => "a call is open and waits for links: start a new chain after it".into(),
        SealedRejection::HasChain { name } => format!("{name} has a chain: the next link of it must come with the new one"),
        SealedRejection::HasNoChain { name } => format!("{name} is not in the sealed group and has no chain to end"),
        SealedRejection::JoinAfterRoll => "a roll was called: new members join the sealed group after it".into(),
        SealedRejection::TooManyMembers { most } => format!("a sealed group has at most {most} members"),
        SealedRejection::TooFewMembers => "a sealed roll needs two players who have sealed".into(),
        SealedRejection::OnlyAnswers => "a roll is called before any dice are rolled: only answers can be recorded".into(),
        SealedRejection::ChainUsedUp { name } => format!("the chain of {name} has run out: a new one is sealed before the next call"),
        SealedRejection::NotNextLink { name } => format!("this is not the next link of the chain of {name}"),
        SealedRejection::OtherLog { name, event } => {
            format!("the link of {name} does not open the mark of event {event}: {name} did not make that event, or lines before it have been altered")
        }
        SealedRejection::MarkMissing { name } => format!("{name} is in the sealed group, and this has no mark of {name}: act on the device that has the chain"),
        SealedRejection::MarkWithoutChain { name } => format!("{name} is not in the sealed group and has no chain to make a mark with"),
        SealedRejection::AskerReleases { asker } => format!("only {asker}, who asked for this, can carry it out"),
        SealedRejection::NotConfirmed { names } => {
            format!("no link has confirmed the part of {} yet: a new chain does that (adjutant seal)", names.join(", "))
        }
        SealedRejection::OtherForfeit { agreed } => format!("the sealed group agreed otherwise: {}", forfeit(*agreed)),
        SealedRejection::WaitLength { minutes } => {
            format!("{minutes} minutes: a roll is lost after 1 to {LONGEST_WAIT} minutes")
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
        Cut::NotMine { event } => {
            format!("event {event} is in your name, but this device did not make it: the log has been forged")
        }
        Cut::Forgotten => "the log has links of yours that this device does not remember: its memory was restored from a backup, or another device has a copy of your secrets".into(),
    };
    format!("{what}. No link is shown for this log")
}

/// What a sealed group agreed on for silent players.
pub fn forfeit(agreed: Option<Forfeit>) -> String {
    match agreed {
        Some(Forfeit::Stands) => {
            "a call stands once a link is shown: the game waits for a silent player, and only all other members together can drop the call".into()
        }
        Some(Forfeit::Lost { minutes: 1 }) => "one minute after the call, the players who have shown their links can drop it without a silent player".into(),
        Some(Forfeit::Lost { minutes }) => {
            format!("{minutes} minutes after the call, the players who have shown their links can drop it without a silent player")
        }
        None => "the players who have shown their links can drop a call at any time without a silent player".into(),
    }
}

/// Who may take back what in a sealed group. A player reads it before joining.
pub fn sealed_rules(table: &Table, chosen: Option<Forfeit>) -> Vec<String> {
    let group = table.sealed_group();
    let agreed = if group.members.is_empty() { chosen } else { group.forfeit };
    let mut rules = vec![
        "A roll is undone, and a member leaves the group, only with the consent of every other member, also of the same side.".to_owned(),
        "The caller alone withdraws a call while no other player has shown a link.".to_owned(),
        format!("Silent players: {}.", forfeit(agreed)),
        "If the secrets of a player are lost, the others must agree to remove this player. In a group of two that is not possible: play on without dice, or start a new game.".to_owned(),
    ];
    if agreed == Some(Forfeit::Stands) {
        rules[1] = "The caller alone withdraws a call while no link is shown.".to_owned();
    }
    let umpires = table.people().iter().filter(|(name, seat)| {
        *seat == adjutant_game::Seat::Umpire
            && (group.members.is_empty() || group.umpires.contains(name))
    });
    let umpires: Vec<&str> = umpires.map(|(name, _)| name.as_str()).collect();
    if !umpires.is_empty() {
        rules.push(format!(
            "{} is umpire, and may consent for all members after sealing too.",
            umpires.join(", ")
        ));
    }
    rules
}

fn times(count: u32, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
}

/// What a player did with sealed rolls.
pub fn member_record(record: &MemberRecord) -> String {
    let mut parts = vec![times(record.called, "call", "calls")];
    if record.withdrew > 0 {
        let alone = match record.withdrew_alone {
            0 => String::new(),
            some if some == record.withdrew => " alone".into(),
            some => format!(" ({some} of them alone)"),
        };
        parts.push(format!("withdrew {}{alone}", times(record.withdrew, "call", "calls")));
    }
    if record.owed > 0 {
        parts.push(format!(
            "owed a link to {} when it was dropped",
            times(record.owed, "call", "calls")
        ));
    }
    if record.undid > 0 {
        parts.push(format!("undid {} by consent", times(record.undid, "roll", "rolls")));
    }
    format!("{}: {}", record.name, parts.join(", "))
}

/// How far the log is confirmed by links, and which events wait for one.
pub fn confirmed(table: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(event) = table.confirmed() {
        let rest = "compare the last fingerprint, or seal new chains at the end of the evening";
        lines.push(match event {
            0 => format!("Not every member has confirmed the log by a link yet: {rest}."),
            event => format!(
                "Every member has confirmed the log up to event {event} by a link. For the lines after it, {rest}."
            ),
        });
    }
    for record in table.sealed_records() {
        let events: Vec<String> = record.waiting.iter().map(u64::to_string).collect();
        if !events.is_empty() {
            let word = if events.len() == 1 { "event" } else { "events" };
            lines.push(format!(
                "No link of {0} has confirmed that {0} made {word} {1}.",
                record.name,
                events.join(", ")
            ));
        }
    }
    lines
}
