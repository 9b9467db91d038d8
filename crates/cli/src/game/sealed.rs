//! `adjutant seal`, `reveal`, `withdraw`, `release`, and what `play` and `next` do at a table with
//! sealed rolls. One command does everything that one player can do at once: the call with the
//! player's own link, or the last link with the play. So two players need two messages, through one
//! store or by sending the log back and forth. Secrets are synced to disk before a line that
//! reveals anything of them is made.

use super::{CommandResult, Game, PATIENCE, act, data, told, view};
use crate::args::{At, BackVerb, DiceArgs, ReleaseVerb, RevealVerb, SealVerb};
use crate::ask;
use crate::error::CommandError;
use crate::json::pretty;
use crate::open_store::{AppendError, OpenTable};
use crate::output::CommandOutput;
use crate::paint::{DIM, in_style};
use crate::roll::{need_sentence, source};
use crate::secrets::Secrets;
use crate::uses::without_effect;
use adjutant_api::SealedData;
use adjutant_dice::{EnteredInput, InputSource};
use adjutant_game::{
    ConsentFor, EventKind, Forfeit, LogLine, PlayError, PlayRequest, Rejection, SealedRejection,
    Stamp, Table,
};
use adjutant_wording::en;

/// Why a step of a sealed roll was not made.
#[derive(Debug, thiserror::Error)]
pub enum SealedError {
    /// The store, the secrets or the table say no.
    #[error("{0:#}")]
    Fault(anyhow::Error),
    /// A question waits for the player who called.
    #[error("{}", en::play_error(.0))]
    Stop(PlayError),
}

impl From<AppendError> for SealedError {
    fn from(why: AppendError) -> SealedError {
        SealedError::Fault(why.into())
    }
}

/// The secrets of who acts, and the table as far as they know it: another process of the same
/// player may have gone further.
fn secrets(kept: &mut OpenTable, stamp: &Stamp) -> Result<Secrets, SealedError> {
    let secrets = Secrets::open(kept, &stamp.by).map_err(SealedError::Fault)?;
    kept.catch_up()?;
    Ok(secrets)
}

/// Remembers the log with the last step of this player in it. Where that cannot be written, the
/// device still remembers the link.
fn saw(kept: &OpenTable, stamp: &Stamp) {
    if kept.table.sealed_circle().iter().any(|member| member.name == stamp.by) {
        let _ = Secrets::open(kept, &stamp.by).and_then(|mut secrets| secrets.saw(&kept.table));
    }
}

/// Why a line was not made.
#[derive(Debug, thiserror::Error)]
pub enum NotMade {
    /// The game does not accept the event.
    #[error("{}", en::rejection(.0))]
    Rejected(Rejection),
    /// The device makes no mark for it.
    #[error("{0:#}")]
    Fault(anyhow::Error),
}

impl From<NotMade> for CommandError {
    fn from(why: NotMade) -> CommandError {
        CommandError::usage([why.to_string()])
    }
}

/// Whether a player is in the sealed group.
pub fn is_member(table: &Table, name: &str) -> bool {
    table.sealed_circle().iter().any(|member| member.name == name)
}

/// The line of an event. A player in the sealed group marks what only this player may do.
pub fn made(
    kept: &OpenTable,
    stamp: &Stamp,
    what: Result<EventKind, Rejection>,
) -> Result<LogLine, NotMade> {
    let mut what = what.map_err(NotMade::Rejected)?;
    if is_member(&kept.table, &stamp.by) && what.marked().is_some() {
        let secrets = Secrets::open(kept, &stamp.by).map_err(NotMade::Fault)?;
        what = secrets.sign(&kept.table, what).map_err(NotMade::Fault)?;
    }
    kept.table.act(stamp, what).map_err(NotMade::Rejected)
}

/// Confirms this player's part in a request to leave the sealed group: a new chain opens the mark.
/// Without it the others could not rely on it, since no later link would.
pub fn confirm_release(kept: &mut OpenTable, stamp: &Stamp) -> Result<(), SealedError> {
    let waits = kept.table.asked().is_some_and(|asked| asked.want == ConsentFor::Release)
        && kept.table.not_confirmed().iter().any(|name| *name == *stamp.by);
    let length = kept.table.sealed_circle().iter().find(|member| member.name == stamp.by);
    match length.filter(|_| waits).map(|member| member.length) {
        Some(length) => seal_with(kept, stamp, length, false, None),
        None => Ok(()),
    }
}

/// Seals, or begins a new chain. With `accept` also where the log lacks what this device remembers.
pub fn seal_with(
    kept: &mut OpenTable,
    stamp: &Stamp,
    length: u32,
    accept: bool,
    forfeit: Option<Forfeit>,
) -> Result<(), SealedError> {
    for _ in 0..PATIENCE {
        let mut secrets = secrets(kept, stamp)?;
        let line = secrets
            .seal(&kept.table, stamp, (length, accept, forfeit))
            .map_err(SealedError::Fault)?;
        match kept.keep(&line) {
            Err(AppendError::MovedOn) => {}
            kept => return Ok(kept?),
        }
    }
    Err(AppendError::MovedOn.into())
}

/// Whether a member owes the called roll a link.
pub fn owes(table: &Table, name: &str) -> bool {
    table.open_call().is_some_and(|call| call.owes().any(|known| known == name))
}

/// Shows the link that is owed; what others did meanwhile does not hold it up as long as the call
/// stands.
pub fn show_link(kept: &mut OpenTable, stamp: &Stamp) -> Result<(), SealedError> {
    for _ in 0..PATIENCE {
        if !owes(&kept.table, &stamp.by) {
            return Ok(());
        }
        let mut secrets = secrets(kept, stamp)?;
        if !owes(&kept.table, &stamp.by) {
            return Ok(());
        }
        let shown = secrets.show(&kept.table).map_err(SealedError::Fault)?;
        drop(secrets);
        let line = kept.table.reveal(stamp, &shown).map_err(|rejection| {
            SealedError::Fault(anyhow::Error::msg(en::rejection(&rejection)))
        })?;
        match kept.keep(&line) {
            Ok(()) => {
                saw(kept, stamp);
                return Ok(());
            }
            Err(AppendError::MovedOn) => {}
            Err(why) => return Err(why.into()),
        }
    }
    Err(AppendError::MovedOn.into())
}

/// Goes as far as this player can: shows his link, makes the play once all links are there, and
/// shows the next link where an answer asks for fresh ones.
pub fn go_on(
    kept: &mut OpenTable,
    stamp: &Stamp,
    answers: &mut dyn InputSource,
) -> Result<(), SealedError> {
    for _ in 0..PATIENCE {
        show_link(kept, stamp)?;
        let Some(call) = kept.table.open_call().filter(|call| call.is_settled()) else {
            return Ok(());
        };
        // Only the caller answers.
        let mut none = EnteredInput::new();
        let source: &mut dyn InputSource =
            if call.by == stamp.by { &mut *answers } else { &mut none };
        let line = kept.table.sealed_play(stamp, source).map_err(SealedError::Stop)?;
        match kept.keep(&line) {
            Ok(()) => saw(kept, stamp),
            Err(AppendError::MovedOn) => {}
            Err(why) => return Err(why.into()),
        }
    }
    Ok(())
}

/// Calls a chart; where no luck enters it is played at once.
pub fn call(
    kept: &mut OpenTable,
    stamp: &Stamp,
    play: &PlayRequest,
    answers: &mut dyn InputSource,
) -> Result<LogLine, SealedError> {
    let line = kept.table.call(stamp, play, answers).map_err(SealedError::Stop)?;
    let inside = kept.table.sealed_circle().iter().any(|member| member.name == stamp.by);
    if inside && matches!(line.event.what, EventKind::Call(_)) {
        secrets(kept, stamp)?.can_show(&kept.table).map_err(SealedError::Fault)?;
    }
    kept.keep(&line)?;
    Ok(line)
}

/// Why it went no further, for a player who typed answers.
fn halted(kept: &OpenTable, stamp: &Stamp, halt: &SealedError, luck: &DiceArgs) -> CommandError {
    match halt {
        SealedError::Stop(PlayError::Needs { needs, .. }) => {
            let caller = kept.table.open_call().map_or("", |call| call.by.as_str());
            if caller == stamp.by || caller.is_empty() {
                return CommandError::usage(
                    needs.iter().map(|need| need_sentence(need, luck)).collect::<Vec<_>>(),
                );
            }
            let name = view::quoted(&kept.name);
            let asked: Vec<String> = needs.iter().map(en::what_for).collect();
            CommandError::usage([format!(
                "{caller} called, and answers: adjutant reveal {name} --as {caller} ({})",
                asked.join("; ")
            )])
        }
        SealedError::Stop(PlayError::Unusable { why, .. }) => {
            CommandError::usage([en::source_error(why)])
        }
        SealedError::Stop(PlayError::Rejected(all)) => {
            CommandError::usage(all.iter().map(en::rejection).collect::<Vec<_>>())
        }
        SealedError::Stop(PlayError::RuledOut(found)) => super::play::ruled_out(found),
        SealedError::Fault(why) => CommandError::usage([format!("{why:#}")]),
    }
}

/// What the command did, event by event, and how it goes on.
fn done(kept: &OpenTable, json: bool) -> CommandOutput {
    if json {
        let Some(last) = kept.said.last() else {
            return CommandOutput::done(pretty(&SealedData::of(&kept.table)));
        };
        let mut event = data::last_event(kept, last);
        event.events = Some(kept.said.iter().map(|said| said.applied.event.clone()).collect());
        return CommandOutput::done(pretty(&event));
    }
    let mut out = String::new();
    for said in &kept.said {
        match &said.applied.resolution {
            Some(_) => out.push_str(&format!("\n{}", told::play(kept, &said.applied))),
            None => out.push_str(&format!("{}\n", said.words)),
        }
    }
    out.push_str(&way(kept));
    CommandOutput::done(out)
}

/// Who is waited for, and how the log comes to him and back.
fn way(kept: &OpenTable) -> String {
    let Some(call) = kept.table.open_call() else { return String::new() };
    let owed: Vec<&str> = call.owes().collect();
    let name = view::quoted(&kept.name);
    if owed.is_empty() {
        return format!(
            "All links are there: adjutant reveal {name} --as {}\n",
            view::quoted(&call.by)
        );
    }
    let file: String =
        kept.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let verb = if owed.len() == 1 { "owes" } else { "owe" };
    let each: Vec<String> = owed
        .iter()
        .map(|who| format!("adjutant reveal {name} --as {}", view::quoted(who)))
        .collect();
    let by_file = format!(
        "by file: adjutant export {name} --as jsonl -o {file}.jsonl, send it; there: adjutant import {file}.jsonl, adjutant reveal {name}, and back the same way"
    );
    format!(
        "{} still {verb} a link: {}\n{}\n",
        owed.join(", "),
        each.join(", "),
        in_style(DIM, by_file)
    )
}

pub fn seal(game: &Game<'_>, verb: &SealVerb) -> CommandResult {
    let (mut kept, stamp) = game.table(&verb.at)?;
    let joins = !is_member(&kept.table, &stamp.by);
    let rules: String = en::sealed_rules(&kept.table, verb.silent.0)
        .iter()
        .map(|rule| format!("  {rule}\n"))
        .collect();
    if verb.rules {
        without_effect(
            "beside --rules, which only shows the rules: leave that out",
            &[("--json", verb.at.of.json), ("--as", verb.at.who.by.is_some())],
        )?;
        return Ok(CommandOutput::done(format!("Who may take back what:\n{rules}")));
    }
    if verb.accept_cut {
        let cut = Secrets::open(&kept, &stamp.by)?.is_cut(&kept.table);
        without_effect(
            "on this log, which has all that this device has seen: seal without it",
            &[("--accept-cut", !cut)],
        )?;
    }
    if joins && !verb.at.of.json && ask::in_terminal() {
        let question = format!("Who may take back what:\n{rules}Seal?");
        let agreed = inquire::Confirm::new(&question).with_default(true).prompt();
        if !agreed.unwrap_or(false) {
            return Err(CommandError::usage(["nothing was sealed".into()]));
        }
    }
    seal_with(&mut kept, &stamp, verb.length, verb.accept_cut, verb.silent.0)
        .map_err(|halt| CommandError::usage([halt.to_string()]))?;
    let Some(last) = kept.said.last() else { return Ok(CommandOutput::default()) };
    if verb.at.of.json {
        return Ok(CommandOutput::done(pretty(&data::event(&kept, &last.applied.event))));
    }
    let how = if kept.table.rolls_sealed() {
        format!(
            "Rolls are sealed now. Compare once with the other players, for example by phone: event {} ends in …{}",
            kept.table.lines().len(),
            kept.table.head().get(52..).unwrap_or_default()
        )
    } else {
        "Rolls are sealed as soon as another player seals too.".into()
    };
    let rules = if joins { format!("Who may take back what:\n{rules}") } else { String::new() };
    Ok(CommandOutput::done(format!("{}\n{rules}{}\n", last.words, in_style(DIM, how))))
}

/// `play` and `next` at a table that rolls sealed.
pub fn roll(
    kept: &mut OpenTable,
    stamp: &Stamp,
    play: &PlayRequest,
    luck: &DiceArgs,
    json: bool,
) -> CommandResult {
    let given = [
        ("--dice", luck.dice.is_some()),
        ("--cards", luck.cards.is_some()),
        ("--seed", luck.seed.is_some()),
        ("--own", luck.own),
    ];
    let useless: Vec<&str> =
        given.iter().filter(|(_, given)| *given).map(|(flag, _)| *flag).collect();
    if !useless.is_empty() {
        return Err(CommandError::usage([format!(
            "rolls are sealed in this game and need every member's link: {} cannot be used",
            useless.join(", ")
        )]));
    }
    if !kept.table.sealed_circle().iter().any(|member| member.name == stamp.by) {
        let names: Vec<&str> =
            kept.table.sealed_circle().iter().map(|member| member.name.as_str()).collect();
        let (table, all) = (view::quoted(&kept.name), names.join(", "));
        return Err(CommandError::usage([format!(
            "rolls are sealed in this game, and {} is not in the sealed group ({all}): adjutant seal {table}",
            stamp.by
        )]));
    }
    let went = with_answers(kept, luck, &play.chart.clone(), json, |kept, source| {
        let line = call(kept, stamp, play, source)?;
        if matches!(line.event.what, EventKind::Play(_)) {
            return Ok(());
        }
        go_on(kept, stamp, source)
    })?;
    match went {
        Ok(()) => Ok(done(kept, json)),
        Err(halt) => Ok(partly(kept, json, halted(kept, stamp, &halt, luck))),
    }
}

/// What is kept is told also where it went no further.
fn partly(kept: &OpenTable, json: bool, error: CommandError) -> CommandOutput {
    let output = error.into_output();
    if json {
        output
    } else {
        output.with_out(kept.said.iter().map(|said| format!("{}\n", said.words)).collect())
    }
}

/// Does something with the answers that were typed, or asked for in a terminal.
fn with_answers<T>(
    kept: &mut OpenTable,
    luck: &DiceArgs,
    chart: &str,
    json: bool,
    act: impl FnOnce(&mut OpenTable, &mut dyn InputSource) -> Result<T, SealedError>,
) -> Result<Result<T, SealedError>, CommandError> {
    let pack = kept.table.pack();
    let Some(sheet) = pack.chart(chart) else {
        return Err(CommandError::usage([format!("{} has no chart `{chart}`", pack.title())]));
    };
    let mut mixed = source(luck, pack, sheet)?;
    let mut asking = ask::PromptInput::new(&mut mixed, false);
    let source: &mut dyn InputSource =
        if ask::in_terminal() && !json { &mut asking } else { asking.plain() };
    Ok(act(kept, source))
}

pub fn reveal(game: &Game<'_>, verb: &RevealVerb) -> CommandResult {
    let (mut kept, stamp) = game.table(&verb.at)?;
    let Some(call) = kept.table.open_call() else {
        return Err(CommandError::usage([
            "no roll was called: there is nothing to reveal a link for".into(),
        ]));
    };
    without_effect(
        &format!("for {}: {} called, and answers", stamp.by, call.by),
        &[("--answer", !verb.answer.is_empty() && call.by != stamp.by)],
    )?;
    let (chart, json) = (call.record.request.chart.clone(), verb.at.of.json);
    let luck =
        DiceArgs { dice: None, cards: None, answer: verb.answer.clone(), seed: None, own: false };
    let went =
        with_answers(&mut kept, &luck, &chart, json, |kept, source| go_on(kept, &stamp, source))?;
    match went {
        Ok(()) => Ok(done(&kept, json)),
        // He has done his part; who called answers.
        Err(SealedError::Stop(PlayError::Needs { .. }))
            if !kept.said.is_empty() && !called_by(&kept, &stamp) =>
        {
            Ok(done(&kept, json))
        }
        Err(halt) => Ok(partly(&kept, json, halted(&kept, &stamp, &halt, &luck))),
    }
}

fn called_by(kept: &OpenTable, stamp: &Stamp) -> bool {
    kept.table.open_call().is_some_and(|call| call.by == stamp.by)
}

pub fn withdraw(game: &Game<'_>, verb: &BackVerb) -> CommandResult {
    let make = |table: &Table| table.withdraw_event();
    by_consent(game, &verb.at, verb.ask, "withdraw", make, |table| {
        table.ask_event(ConsentFor::Withdraw)
    })
}

pub fn release(game: &Game<'_>, verb: &ReleaseVerb) -> CommandResult {
    let words = format!("release {}", view::quoted(&verb.name));
    let make = |_: &Table| Ok(EventKind::Release { who: verb.name.clone(), mark: None });
    by_consent(game, &verb.at, verb.ask, &words, make, |table| table.ask_release_event(&verb.name))
}

type Make<'a> = &'a dyn Fn(&Table) -> Result<EventKind, Rejection>;

/// Something that may need the consent of others.
fn by_consent(
    game: &Game<'_>,
    at: &At,
    asks: bool,
    words: &str,
    make: impl Fn(&Table) -> Result<EventKind, Rejection>,
    ask: impl Fn(&Table) -> Result<EventKind, Rejection>,
) -> CommandResult {
    let (mut kept, stamp) = game.table(at)?;
    let wanted: Make<'_> = if asks { &ask } else { &make };
    let line = made(&kept, &stamp, wanted(&kept.table)).map_err(|why| {
        let NotMade::Rejected(rejection) = why else { return why.into() };
        let (verb, rest) = words.split_once(' ').map_or((words, String::new()), |(verb, rest)| (verb, format!(" {rest}")));
        let name = view::quoted(&kept.name);
        let how =
            format!("ask for it: adjutant {verb} {name}{rest} --ask; they answer with adjutant consent {name} --as NAME, or with --no");
        let asked = kept.table.asked().is_some_and(|asked| matches!(asked.want, ConsentFor::Withdraw | ConsentFor::Release));
        let lacks_consent = matches!(rejection, Rejection::Sealed(SealedRejection::NeedsConsent { .. }));
        match lacks_consent && !asks && !asked {
            true => CommandError::usage([en::rejection(&rejection), how]),
            false => CommandError::usage([en::rejection(&rejection)]),
        }
    })?;
    kept.keep(&line)?;
    if asks {
        confirm_release(&mut kept, &stamp)
            .map_err(|halt| CommandError::usage([halt.to_string()]))?;
    }
    if asks && !at.of.json {
        return Ok(CommandOutput::done(view::asked(&kept.table, &kept.name)));
    }
    Ok(act::told(&kept, &line, at.of.json))
}
