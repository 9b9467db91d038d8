//! The turn, taking back, and what is moved by hand: phases, undo with consent, decks, options,
//! memory.

use super::sealed::{self, NotMade};
use super::told::remembered;
use super::{CommandResult, Game, LineError, act, data, view};
use crate::args::{At, BackVerb, Cards, DeckVerb};
use crate::error::CommandError;
use crate::json::pretty;
use crate::open_store::{OpenTable, stamp};
use crate::output::CommandOutput;
use crate::paint::{DIM, NAME, RESULT, Table as Grid, in_style};
use crate::setup::{numbers, pair};
use crate::uses::without_effect;
use adjutant_api::{DeckLeftData, PhaseText, TurnData};
use adjutant_game::{ConsentFor, DeckAct, EventKind, LogLine, PhaseStep, Stamp, Table};
use adjutant_pack::{Field, Noun, UnknownName};
use adjutant_wording::en;
use adjutant_wording::en::unknown_name::did_you_mean;
use anstyle::Style;

/// What is only shown is the same for every player.
fn shown_only(at: &At) -> Result<(), CommandError> {
    without_effect("where nothing is changed: name a change", &[("--as", at.who.by.is_some())])
}

pub fn phase(game: &Game<'_>, at: &At, to: Option<&str>) -> CommandResult {
    let Some(to) = to else {
        shown_only(at)?;
        return phases(game, at);
    };
    act::once(game, at, |table, stamp| {
        let phases = table.pack().phases();
        let named = |text: &str| {
            phases
                .iter()
                .find(|phase| phase.id == text || phase.title.to_lowercase() == text.to_lowercase())
        };
        match named(to) {
            Some(phase) => Ok(table.act(
                stamp,
                EventKind::Phase(PhaseStep { to: phase.id.to_string(), ..PhaseStep::default() }),
            )?),
            None if to == "next" => Ok(table.next_phase(stamp)?),
            None if phases.is_empty() => Err(LineError::Arguments(format!(
                "{} has no phases: `next` begins the next turn",
                table.pack().title()
            ))),
            None => {
                let known = phases.iter().map(|phase| phase.id.as_str());
                let unknown = UnknownName::new(Noun::Phase, to, known.clone().chain(["next"]));
                let help = did_you_mean(&unknown, |_| {
                    format!("there are: {}, or next", known.collect::<Vec<_>>().join(", "))
                });
                Err(LineError::Arguments(format!("there is no phase `{}`: {help}", unknown.name)))
            }
        }
    })
}

fn phases(game: &Game<'_>, at: &At) -> CommandResult {
    let seen = game.look()?.seen(&at.of.table)?;
    let table = &seen.table;
    let (now, turn) = table.turn();
    if at.of.json {
        let phases = table
            .open_phases()
            .map(|(_, phase)| PhaseText { id: &phase.id, title: &phase.title, text: &phase.text })
            .collect();
        return Ok(seen.shown(pretty(&TurnData {
            turn,
            phase: now.map(|phase| phase.id.as_str()),
            phases,
        })));
    }
    let mut grid = Grid::new(0);
    for (place, phase) in table.open_phases() {
        let here = place == table.state().phase;
        let (mark, style) = if here { ("→", RESULT) } else { ("", Style::new()) };
        grid.row([
            (mark.into(), RESULT),
            (phase.id.to_string(), NAME),
            (phase.title.to_string(), style),
            (phase.text.to_string(), DIM),
        ]);
    }
    Ok(seen.shown(format!("Turn {turn}\n{}", grid.print())))
}

/// Undo and redo; who lacks consent is told whose, and how to ask for it.
pub fn back(game: &Game<'_>, back: &BackVerb, want: ConsentFor) -> CommandResult {
    let (mut kept, stamp) = game.table(&back.at)?;
    let verb = if want == ConsentFor::Undo { "undo" } else { "redo" };
    if back.ask {
        let line = sealed::made(&kept, &stamp, kept.table.ask_event(want))?;
        kept.keep(&line)?;
        if back.at.of.json {
            return Ok(act::told(&kept, &line, true));
        }
        return Ok(CommandOutput::done(view::asked(&kept.table, &kept.name)));
    }
    let what = match want {
        ConsentFor::Undo => kept.table.undo_event(),
        _ => kept.table.redo_event(),
    };
    let line = sealed::made(&kept, &stamp, what).map_err(|why| {
        let NotMade::Rejected(rejection) = why else { return why.into() };
        let needed = kept.table.consent_needed(&stamp.by, want).unwrap_or_default();
        if needed.is_empty() {
            return super::refused(rejection);
        }
        let name = view::quoted(&kept.name);
        let asked = kept.table.asked().is_some_and(|asked| asked.want == want);
        let how = if asked {
            format!("it is asked for: they answer with adjutant consent {name} --as NAME")
        } else {
            format!("ask for it: adjutant {verb} {name} --ask; they answer with adjutant consent {name} --as NAME, or with --no")
        };
        CommandError::usage([en::rejection(&rejection), how])
    })?;
    kept.keep(&line)?;
    if back.at.of.json {
        return Ok(act::told(&kept, &line, true));
    }
    Ok(CommandOutput::done(back_in_words(&kept, &line)))
}

/// An undo or redo that was kept last: what it says, of what, and what is due now.
fn back_in_words(kept: &OpenTable, line: &LogLine) -> String {
    let log = en::log(&kept.table).unwrap_or_default();
    let of = match line.event.what {
        EventKind::Undo { event, .. } | EventKind::Redo { event, .. } => {
            log.get((event as usize).saturating_sub(1))
        }
        _ => None,
    };
    let of = of.map_or("", |line| line.text.as_str());
    format!(
        "{}\n{}{}",
        act::words(kept),
        crate::paint::paragraph(2, DIM, of),
        view::due(&kept.table)
    )
}

/// Gives or refuses consent. The last consent that is needed carries the undo or redo out.
pub fn consent(game: &Game<'_>, at: &At, yes: bool) -> CommandResult {
    let (mut kept, stamp) = game.table(at)?;
    let line = sealed::made(&kept, &stamp, kept.table.consent_event(yes))?;
    kept.keep(&line)?;
    let (words, mut event) = (act::words(&kept).to_owned(), data::event(&kept, &line.event));
    if yes {
        sealed::confirm_release(&mut kept, &stamp)
            .map_err(|halt| CommandError::usage([halt.to_string()]))?;
    }
    let Some(agreed) = kept.table.agreed(&stamp.at) else {
        let text = || format!("{words}\n{}", view::asked(&kept.table, &kept.name));
        return Ok(CommandOutput::done(if at.of.json { pretty(&event) } else { text() }));
    };
    kept.keep(&agreed)?;
    event.carried_out = Some(Box::new(data::event(&kept, &agreed.event)));
    Ok(CommandOutput::done(if at.of.json {
        pretty(&event)
    } else {
        format!("{words}\n{}", back_in_words(&kept, &agreed))
    }))
}

pub fn deck(game: &Game<'_>, deck: &DeckVerb) -> CommandResult {
    let Some(act) = deck.act else {
        without_effect(
            "while the decks are only shown: say what to do",
            &[("--deck", deck.deck.is_some()), ("--side", deck.side.is_some())],
        )?;
        let seen = game.look()?.seen(&deck.at.of.table)?;
        let text = || match view::decks(&seen.table, &stamp(deck.at.who.by.as_deref()).by) {
            none if none.is_empty() => format!("{} has no deck\n", seen.table.pack().title()),
            decks => decks,
        };
        return Ok(seen.shown(if deck.at.of.json {
            pretty(&DeckLeftData::all(&seen.table))
        } else {
            text()
        }));
    };
    let cards = numbers("the cards", Some(&deck.cards))?;
    let act_of = match act {
        Cards::Reshuffle if !cards.is_empty() => {
            return Err(CommandError::usage([
                "a reshuffle brings all cards back: name none".into()
            ]));
        }
        Cards::TakeOut | Cards::PutBack if cards.is_empty() => {
            return Err(CommandError::usage(["say which cards: 3,4".into()]));
        }
        Cards::Reshuffle => DeckAct::Reshuffle,
        Cards::TakeOut => DeckAct::TakeOut,
        Cards::PutBack => DeckAct::PutBack,
    };
    act::behind(game, &deck.at, |table, stamp| {
        let decks = &table.pack().decks();
        let id = match (&deck.deck, decks.as_slice()) {
            (Some(named), _) => named.clone(),
            (None, [only]) => only.id.to_string(),
            (None, []) => {
                return Err(LineError::Arguments(format!("{} has no deck", table.pack().title())));
            }
            (None, several) => {
                let ids: Vec<&str> = several.iter().map(|deck| deck.id.as_str()).collect();
                return Err(LineError::Arguments(format!(
                    "say which deck: --deck {}",
                    ids.join(" or --deck ")
                )));
            }
        };
        let shared = !table.pack().deck(&id).is_some_and(|deck| table.is_own(deck));
        let side =
            match (&deck.side, table.side_of(&stamp.by).and_then(|side| table.sides().get(side))) {
                (Some(named), _) => Some(super::names::side(table, named)?),
                (None, Some(own)) if !shared => Some(own.clone()),
                (None, None) if !shared => {
                    return Err(LineError::Arguments(format!(
                        "say whose deck: {}",
                        view::sides(table)
                    )));
                }
                (None, _) => None,
            };
        Ok(table
            .act(stamp, EventKind::Deck { deck: id, act: act_of, cards: cards.clone(), side })?)
    })
}

pub fn option(game: &Game<'_>, at: &At, set: &[String]) -> CommandResult {
    if set.is_empty() {
        shown_only(at)?;
        let seen = game.look()?.seen(&at.of.table)?;
        let fields = || {
            let options = seen.table.pack().options().iter().zip(&seen.table.state().options);
            options.map(|(option, value)| (None, &option.field, *value))
        };
        return Ok(seen.shown(if at.of.json {
            pretty(&adjutant_api::options(&seen.table))
        } else {
            fields_shown(&seen.table, fields())
        }));
    }
    each(game, at, set, |table, stamp, name, value| {
        Ok(table.act(stamp, EventKind::Option { name, value })?)
    })
}

pub fn memory(game: &Game<'_>, at: &At, set: &[String], side: Option<&str>) -> CommandResult {
    if set.is_empty() {
        shown_only(at)?;
        without_effect("where nothing is changed: name a change", &[("--side", side.is_some())])?;
        let seen = game.look()?.seen(&at.of.table)?;
        let table = &seen.table;
        let fields = || {
            table.pack().memory().iter_enumerated().flat_map(|(memory, field)| {
                let values = remembered(table, memory).into_iter();
                values.map(move |(side, value)| (side, field, value))
            })
        };
        return Ok(seen.shown(if at.of.json {
            pretty(&adjutant_api::whole_memory(table))
        } else {
            fields_shown(table, fields())
        }));
    }
    each(game, at, set, |table, stamp, name, value| {
        let side = side.map(|side| super::names::side(table, side)).transpose()?;
        Ok(table.act(stamp, EventKind::Memory { name, side, value })?)
    })
}

/// Fields with their values; a value of one side only names the side.
fn fields_shown<'f>(
    table: &Table,
    fields: impl Iterator<Item = (Option<&'f str>, &'f Field, adjutant_pack::Value)>,
) -> String {
    let mut grid = Grid::new(0);
    for (side, field, value) in fields {
        let value = value.to_answer(table.pack().words()).to_string();
        let of = side.map_or(String::new(), |side| format!(" --side {}", view::quoted(side)));
        grid.row([
            (format!("{}={value}{of}", field.id), NAME),
            (field.label.to_string(), Style::new()),
            (adjutant_wording::en::accepted(&field.accepts), DIM),
        ]);
    }
    match grid.print() {
        none if none.is_empty() => in_style(DIM, format!("{} has none\n", table.pack().title())),
        text => text,
    }
}

/// One event for each pair; each is kept before the next is made, and a wrong one is found before
/// the first.
fn each(
    game: &Game<'_>,
    at: &At,
    set: &[String],
    make: impl Fn(&Table, &Stamp, String, String) -> Result<LogLine, LineError>,
) -> CommandResult {
    let (mut kept, stamp) = game.table(at)?;
    let one = |table: &Table, stamp: &Stamp, text: &str| -> Result<LogLine, LineError> {
        let (name, value) = pair(text)?;
        make(table, stamp, name.to_owned(), value.to_owned())
    };
    let faults: Vec<String> = set
        .iter()
        .filter_map(|text| one(&kept.table, &stamp, text).err())
        .map(|error| error.sentence())
        .collect();
    if !faults.is_empty() {
        return Err(CommandError::usage(faults));
    }
    let (mut out, mut events) = (String::new(), Vec::new());
    for text in set {
        let line = super::keep_behind(&mut kept, &stamp, |table, stamp| one(table, stamp, text))?;
        out.push_str(&format!("{}\n", act::words(&kept)));
        events.push(data::event(&kept, &line.event));
    }
    Ok(CommandOutput::done(if at.of.json { pretty(&events) } else { out }))
}
