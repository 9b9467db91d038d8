//! `adjutant play`, `next` and `pending`: a chart with units. What was rolled stays rolled: a play
//! that breaks off after the program rolled leaves a remark in the log. Without a terminal to ask,
//! a chart that may ask a question (the odds say which) is not rolled before the answer is given.

use super::names::{self, label};
use super::{CommandResult, Game, act, data, keep_behind, prompt, sealed, told, view};
use crate::args::{At, DiceArgs, NextVerb, Of, PlayVerb};
use crate::ask;
use crate::error::CommandError;
use crate::json::pretty;
use crate::open_store::OpenTable;
use crate::output::CommandOutput;
use crate::roll::{need_sentence, refuse_unasked, source};
use crate::setup::{pair, question};
use crate::uses::without_effect;
use adjutant_api::PendingData;
use adjutant_dice::{InputSource, SourceError};
use adjutant_engine::{AnswerOdds, OddsOptions, PossibleQuestion, Situation};
use adjutant_game::{
    Attempt, EventKind, LogLine, PlayRequest, Progress, Refusal, Rejection, RequestRejection,
    RoleView, RuledOut, Stamp, Table,
};
use adjutant_pack::{Chart, Luck, Noun, Pack, RoleId, UnknownName, value_name};
use adjutant_wording::en;
use adjutant_wording::en::unknown_name::{did_you_mean, nearest_or_all};
use anyhow::Context;

/// What is wanted rolled, and how.
struct Wanted<'a> {
    at: &'a At,
    luck: &'a DiceArgs,
    words: &'a [String],
    side: Option<&'a str>,
    deck_of: Option<&'a str>,
    without: &'a [String],
    anyway: bool,
}

pub fn play(game: &Game<'_>, verb: &PlayVerb) -> CommandResult {
    let (mut kept, stamp) = game.table(&verb.at)?;
    let pack = kept.table.pack();
    let Some(id) = &verb.chart else {
        let PlayVerb { luck, .. } = verb;
        without_effect(
            "without a chart: name one",
            &[
                ("--dice", luck.dice.is_some()),
                ("--cards", luck.cards.is_some()),
                ("--answer", !luck.answer.is_empty()),
                ("--seed", luck.seed.is_some()),
                ("--own", luck.own),
                ("--side", verb.side.is_some()),
                ("--deck-of", verb.deck_of.is_some()),
                ("--without", !verb.without.is_empty()),
                ("--anyway", verb.anyway),
            ],
        )?;
        if ask::in_terminal() && !verb.at.of.json {
            return crate::session::run(kept, verb.at.who.by.as_deref());
        }
        let ids: Vec<&str> = pack.charts().iter().map(|chart| chart.id.as_str()).collect();
        return Err(CommandError::usage([
            format!(
                "say which chart: adjutant play {} CHART; there are: {}",
                view::quoted(&kept.name),
                ids.join(", ")
            ),
            "without a chart, the game opens full screen, which needs a terminal".into(),
        ]));
    };
    if pack.chart(id).is_none() {
        return Err(CommandError::usage([no_chart(pack, id)]));
    }
    let (side, deck_of) = (verb.side.as_deref(), verb.deck_of.as_deref());
    let wanted = Wanted {
        at: &verb.at,
        luck: &verb.luck,
        words: &verb.words,
        side,
        deck_of,
        without: &verb.without,
        anyway: verb.anyway,
    };
    roll(&mut kept, &stamp, PlayRequest::of(id), &wanted)
}

fn no_chart(pack: &Pack, id: &str) -> String {
    let shown = names::shown(id);
    if pack.fight(id).is_some() {
        return format!("`{shown}` is a fight, not a chart: adjutant fight {} {shown}", pack.id());
    }
    if id.contains('=') {
        return format!(
            "`{shown}` stands where the chart should: adjutant play TABLE CHART {shown}"
        );
    }
    let unknown =
        UnknownName::new(Noun::Chart, id, pack.charts().iter().map(|chart| chart.id.as_str()));
    format!("{} has no chart `{shown}`: {}", pack.title(), nearest_or_all(&unknown))
}

/// The test of this id, else the first that is due.
fn wanted_test<'t>(
    table: &'t Table,
    id: Option<&str>,
) -> anyhow::Result<&'t adjutant_game::PendingTest> {
    let Some(id) = id else { return table.pending().next().context("nothing is due") };
    let found = table.pending().find(|pending| pending.due.id == id);
    found.with_context(|| {
        let ids: Vec<&str> = table.pending().map(|pending| pending.due.id.as_str()).collect();
        let there = if ids.is_empty() {
            "nothing is due".into()
        } else {
            format!("there are: {}", ids.join(", "))
        };
        format!("no test `{}` is due: {there}", names::shown(id))
    })
}

pub fn next(game: &Game<'_>, verb: &NextVerb) -> CommandResult {
    let (mut kept, stamp) = game.table(&verb.at)?;
    if verb.id.is_none() && kept.table.pending().next().is_none() {
        let waits = view::call(&kept.table, &kept.name) + &view::due(&kept.table);
        let now = waits + &view::guide(&kept.table, &kept.name);
        let why = match kept.table.guide().held {
            true => "no test is due, but simultaneous attacks wait to be applied",
            false => "no test is due",
        };
        let nothing = CommandOutput::failed(&[why.into()]);
        // What is read by a program is JSON or nothing.
        return Ok(if verb.at.of.json { nothing } else { nothing.with_out(now) });
    }
    let pending = wanted_test(&kept.table, verb.id.as_deref())?;
    let id = pending.due.id.clone();
    if verb.skip {
        let reason = verb.reason.clone().unwrap_or_default();
        return act::once(game, &verb.at, |table, stamp| {
            table.act(stamp, EventKind::Skip { pending: id.clone(), reason: reason.clone() })
        });
    }
    let (side, deck_of) = (verb.side.as_deref(), verb.deck_of.as_deref());
    let wanted = Wanted {
        at: &verb.at,
        luck: &verb.luck,
        words: &verb.words,
        side,
        deck_of,
        without: &verb.without,
        anyway: verb.anyway,
    };
    let play = PlayRequest {
        chart: pending.due.chart.clone(),
        pending: Some(id),
        ..PlayRequest::default()
    };
    roll(&mut kept, &stamp, play, &wanted)
}

pub fn pending(game: &Game<'_>, of: &Of) -> CommandResult {
    let seen = game.look()?.seen(&of.table)?;
    if of.json {
        return Ok(seen.shown(pretty(&PendingData::all(&seen.table))));
    }
    let due = view::call(&seen.table, &seen.summary.name) + &view::due(&seen.table);
    let due = if due.is_empty() { "No test is due.\n".to_owned() } else { due };
    Ok(seen.shown(due + &view::guide(&seen.table, &seen.summary.name)))
}

/// Reads what was typed into the play; returns the roles that stay without a unit.
fn read_words(
    table: &Table,
    chart: &Chart,
    words: &[String],
    play: &mut PlayRequest,
) -> Result<Vec<RoleId>, Vec<String>> {
    let (mut no_unit, mut wrong) = (Vec::new(), Vec::new());
    let mut seen = std::collections::BTreeSet::new();
    for text in words {
        let (name, value) = match pair(text) {
            Ok(pair) => pair,
            Err(why) => {
                wrong.push(why.to_string());
                continue;
            }
        };
        let name = &*value_name(name);
        if !seen.insert(name.to_owned()) {
            wrong.push(format!("`{name}` is given twice"));
            continue;
        }
        match chart.role(name) {
            Some(role) if value.trim() == "-" => no_unit.push(role),
            Some(_) => match names::units(table, value) {
                Ok(ids) => drop(play.units.insert(name.to_owned(), ids)),
                Err(faults) => wrong.extend(faults.into_iter().map(|why| format!("{name}: {why}"))),
            },
            None if !name.contains('.') && chart.input(name).is_none() => {
                wrong.push(no_name(chart, name))
            }
            None => drop(play.given.insert(member_named(table, chart, name), value.to_owned())),
        }
    }
    if wrong.is_empty() { Ok(no_unit) } else { Err(wrong) }
}

fn no_name(chart: &Chart, name: &str) -> String {
    let roles = chart.roles.iter().map(|role| role.id.as_str());
    let known = roles.chain(
        chart.inputs.iter().map(|input| input.name.as_str()).filter(|name| !name.contains('.')),
    );
    let unknown = UnknownName::new(Noun::RoleOrInput, name, known);
    let help = did_you_mean(&unknown, |known| match known {
        [] => "it asks for nothing".into(),
        known => format!("there are: {}", known.join(", ")),
    });
    format!("{} has neither a role nor an input `{}`: {help}", chart.title, unknown.name)
}

/// `figure.Smith.moved` with the unit's id in place of its name.
fn member_named(table: &Table, chart: &Chart, name: &str) -> String {
    let role = chart.each.as_ref().map(|each| chart.roles[each.role].id.as_str());
    let parts = role.and_then(|role| {
        Some((role, name.strip_prefix(role)?.strip_prefix('.')?.rsplit_once('.')?))
    });
    match parts.and_then(|(role, (member, attribute))| {
        Some((role, names::unit(table, member).ok()?, attribute))
    }) {
        Some((role, unit, attribute)) => format!("{role}.{}.{attribute}", unit.id),
        None => name.to_owned(),
    }
}

/// The roles that have values and no unit: they are for someone who is not on the roster.
fn with_values(chart: &Chart, request: &PlayRequest) -> Vec<RoleId> {
    let valued = |role: &RoleId| {
        let id = chart.roles[*role].id.as_str();
        let of_role = |name: &String| name.split_once('.').is_some_and(|(role, _)| role == id);
        !request.units.contains_key(id) && request.given.keys().any(of_role)
    };
    chart.roles.ids().filter(valued).collect()
}

/// The sentence about a role without a unit.
fn missing_role(table: &Table, attempt: &Attempt, role: &RoleView<'_>) -> String {
    let units: Vec<&adjutant_game::Unit> =
        attempt.candidates(table, role.place).iter().map(|candidate| candidate.unit).collect();
    let twice = |name: &str| {
        table.state().here().filter(|other| other.name.eq_ignore_ascii_case(name)).count() > 1
    };
    let named = |unit: &&adjutant_game::Unit| {
        if twice(&unit.name) { label(table, unit) } else { unit.name.clone() }
    };
    let could: Vec<String> = units.iter().take(8).map(named).collect();
    let more =
        if units.len() > 8 { format!(" and {} more", units.len() - 8) } else { String::new() };
    format!(
        "missing: {}=UNIT  ({}{more}; - for no unit on the roster)",
        role.role.id,
        could.join(", ")
    )
}

/// Fills in what was typed and, in a terminal, what is asked for.
fn gather(
    kept: &OpenTable,
    by: &str,
    mut play: PlayRequest,
    wanted: &Wanted<'_>,
    asking: bool,
) -> Result<Attempt, CommandError> {
    let table = &kept.table;
    let said = |faults: Vec<String>| CommandError::usage(faults);
    let Some(chart) = table.pack().chart(&play.chart) else {
        return Err(said(vec![no_chart(table.pack(), &play.chart)]));
    };
    let mut unlisted = read_words(table, chart, wanted.words, &mut play).map_err(said)?;
    unlisted.extend(with_values(chart, &play));
    let own_decks = table.setup().is_some_and(|setup| setup.has_own_decks(table.pack()));
    without_effect(
        "in this game, in which no side has a deck of its own: start one with --decks-per-side",
        &[("--deck-of", wanted.deck_of.is_some() && !own_decks)],
    )?;
    without_effect(
        &format!("on “{}”, which brings no new units: play another chart", chart.title),
        &[("--side", wanted.side.is_some() && !chart.adds_units())],
    )?;
    let side = |named: Option<&str>| named.map(|side| names::side(table, side)).transpose();
    (play.new_units_side, play.deck_side, play.anyway) =
        (side(wanted.side)?, side(wanted.deck_of)?, wanted.anyway);
    for unit in wanted.without {
        let units = names::units(table, unit);
        play.left_out.extend(units.map_err(|faults| {
            said(faults.iter().map(|why| format!("--without: {why}")).collect())
        })?);
    }
    let mut attempt = Attempt::from(play).without_units(table, &unlisted);
    if asking {
        prompt::roles(table, by, &mut attempt)?;
    }
    attempt.find_test(table);
    let Some(view) = attempt.view(table, by) else {
        return Err(said(vec![no_chart(table.pack(), &attempt.request().chart)]));
    };
    let situation = match (view.situation.as_ref(), &view.refusal) {
        (Some(situation), _) => situation,
        (None, Some(refusal)) => return Err(refused(refusal)),
        (None, None) => return Ok(attempt),
    };
    if let Some(option) = situation.closed_by() {
        let (name, field) = (view::quoted(&kept.name), &option.field);
        let how = format!(
            "{} needs the option “{}”: adjutant option {name} {}=yes",
            chart.title, field.label, field.id
        );
        return Err(said(vec![how]));
    }
    let needs = adjutant_engine::needs(situation);
    if asking && (!needs.is_empty() || attempt.request().given.is_empty()) {
        prompt::situation(table, by, chart, &mut attempt)?;
        // Some roles matter only now that the situation is known.
        prompt::roles(table, by, &mut attempt)?;
        return Ok(attempt);
    }
    let waits = |key: &str| {
        let role = key.split_once('.').map(|(role, _)| role);
        role.is_some_and(|role| view.waiting().any(|waiting| waiting.role.id == role))
    };
    let mut faults: Vec<String> =
        view.waiting().map(|role| missing_role(table, &attempt, role)).collect();
    faults.extend(
        needs.iter().filter(|need| !waits(&need.key)).map(|need| need_sentence(need, wanted.luck)),
    );
    if faults.is_empty() { Ok(attempt) } else { Err(said(faults)) }
}

/// The questions that may come up here and are not answered yet.
fn open_questions(situation: &Situation<'_>, luck: &DiceArgs) -> Vec<PossibleQuestion> {
    let (pack, chart) = (situation.pack(), situation.chart());
    let answered =
        |key: &str| luck.answer.iter().any(|text| pair(text).is_ok_and(|(given, _)| given == key));
    let mut open: Vec<PossibleQuestion> = adjutant_engine::questions(pack, chart)
        .into_iter()
        .filter(|question| !answered(&question.key) && question.default.is_none())
        .collect();
    if open.is_empty() {
        return open;
    }
    let given = luck.answer.iter().filter_map(|text| {
        let (question, answer) = question(pack, &chart.title, &[chart], text).ok()?;
        Some((question.key, AnswerOdds::Always(question.accepts.read(answer).ok()?)))
    });
    // Weighing the chart finds which of them can come up at all; where that is too much, all of
    // them may.
    if let Ok(report) = adjutant_engine::odds(
        situation,
        &OddsOptions { answers: given.collect(), ..OddsOptions::default() },
    ) {
        open.retain(|question| {
            report
                .branches
                .iter()
                .any(|branch| branch.answers.iter().any(|(key, _)| *key == question.key))
        });
    }
    open
}

/// Why nothing was rolled.
fn refused(refusal: &Refusal) -> CommandError {
    match refusal {
        Refusal::Rejected(_) => CommandError::usage(en::refusal(refusal)),
        Refusal::RuledOut(units) => ruled_out(units),
    }
}

/// That statuses rule it out, and how to play it all the same.
pub fn ruled_out(found: &[RuledOut]) -> CommandError {
    let how = "nothing was rolled. Add --anyway to allow it; the log shows this".to_owned();
    CommandError::usage(found.iter().map(en::ruled_out).chain([how]).collect::<Vec<_>>())
}

fn roll(
    kept: &mut OpenTable,
    stamp: &Stamp,
    play: PlayRequest,
    wanted: &Wanted<'_>,
) -> CommandResult {
    let asking = ask::in_terminal() && !wanted.at.of.json;
    let luck = wanted.luck;
    let mut attempt = gather(kept, &stamp.by, play, wanted, asking)?;
    if kept.table.rolls_sealed() {
        return sealed::roll(kept, stamp, attempt.request(), luck, wanted.at.of.json);
    }
    let table = &kept.table;
    let Some(chart) = attempt.chart(table) else {
        return Err(CommandError::usage([no_chart(table.pack(), &attempt.request().chart)]));
    };
    let mut mixed = source(luck, table.pack(), chart)?;
    let Luck { dice, cards } = table.pack().luck_of(chart);
    for (flag, given, used, what) in [
        ("--dice", &luck.dice, dice, "rolls no dice"),
        ("--cards", &luck.cards, cards, "draws no cards"),
    ] {
        if given.is_some() && !used {
            return Err(CommandError::usage([format!(
                "{} {what}: {flag} has no use here",
                chart.title
            )]));
        }
    }
    if !asking && (dice && luck.dice.is_none() || cards && luck.cards.is_none()) {
        let view = attempt.view(table, &stamp.by);
        if let Some(situation) = view.as_ref().and_then(|view| view.situation.as_ref()) {
            refuse_unasked(situation, luck)?;
            refuse_open(&open_questions(situation, luck))?;
        }
    }
    if luck.seed.is_some() {
        mixed = mixed.with_own_seed();
    }
    let mut asking_seam = ask::PromptInput::new(&mut mixed, luck.own);
    let from: &mut dyn InputSource = if asking { &mut asking_seam } else { asking_seam.plain() };
    let error = match attempt.roll(table, stamp, from) {
        Progress::Done { line, .. } => return played(kept, &line, wanted.at.of.json),
        Progress::Asks(needs) => CommandError::usage(
            needs.iter().map(|need| need_sentence(need, luck)).collect::<Vec<_>>(),
        ),
        // What was rolled is recorded, so that the sentence for a plain roll would be wrong.
        Progress::Unusable(why) if *why == SourceError::Cancelled => {
            CommandError::usage(["stopped".to_owned()])
        }
        Progress::Unusable(why) => CommandError::usage([en::source_error(&why)]),
        Progress::Refused(refusal) => refused(&refusal),
    };
    Err(broken_off(kept, stamp, &attempt, error))
}

/// Keeps the line of a roll, and tells the result.
fn played(kept: &mut OpenTable, line: &LogLine, json: bool) -> CommandResult {
    kept.keep(line)?;
    let Some(said) = kept.said.last() else { return Ok(CommandOutput::default()) };
    Ok(CommandOutput::done(match json {
        true => pretty(&data::last_event(kept, said)),
        false => told::play(kept, &said.applied),
    }))
}

/// Nothing is rolled while a question may come up that no one can answer.
fn refuse_open(open: &[PossibleQuestion]) -> Result<(), CommandError> {
    if open.is_empty() {
        return Ok(());
    }
    let mut sentences: Vec<String> = open
        .iter()
        .map(|question| {
            format!(
                "a question may come up: {}\n          add --answer {}=…  accepted: {}",
                question.prompt,
                question.key,
                adjutant_wording::en::accepted(&question.accepts)
            )
        })
        .collect();
    sentences.push(
        "nothing was rolled. Give the answer with --answer, give your own --dice or --cards, or play in a terminal, where it is asked"
            .into(),
    );
    Err(CommandError::usage(sentences))
}

/// What was rolled before it stopped is recorded, so that no player can roll until they like the
/// result.
fn broken_off(
    kept: &mut OpenTable,
    stamp: &Stamp,
    attempt: &Attempt,
    error: CommandError,
) -> CommandError {
    if !attempt.has_drawn() {
        return error;
    }
    let made = keep_behind(kept, stamp, |table, stamp| {
        let line = attempt.line_of_leaving(table, stamp)?;
        line.ok_or_else(|| Rejection::from(RequestRejection::ByHand))
    });
    match made {
        Ok(line) => error.and(format!("what was rolled is in the log (event {})", line.n)),
        Err(fault) => fault,
    }
}
