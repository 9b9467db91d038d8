//! `adjutant unit`: the roster by hand and from files.

use super::names::{self, label};
use super::{CommandResult, Game, LineError, act, view};
use crate::args::{At, Of, UnitVerb};
use crate::error::CommandError;
use crate::json::pretty;
use crate::setup::pairs;
use adjutant_api::UnitData;
use adjutant_game::{
    EventKind, NewUnit, Table, UnitEdit, UnitListForm, Values, recruits_of_game, set_apart,
};
use adjutant_wording::en;
use std::io::Read;
use std::path::Path;

/// The largest roster that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// How many faults of a roster are listed.
const MOST_FAULTS: usize = 20;

pub fn run(game: &Game<'_>, verb: &UnitVerb) -> CommandResult {
    match verb {
        UnitVerb::Add { at, kind, name, has, side, group, status, notes, count } => {
            let text = |given: &Option<String>| given.clone().unwrap_or_default();
            let recruit = NewUnit {
                kind: kind.clone(),
                name: name.clone(),
                group: text(group),
                has: values(has)?,
                statuses: status.clone(),
                notes: text(notes),
                ..NewUnit::default()
            };
            add(game, at, &recruit, side.as_deref(), usize::from(*count))
        }
        UnitVerb::Set { at, unit, has, name, side, group, put_on, lift, notes } => {
            let (name, group, notes) = (name.clone(), group.clone(), notes.clone());
            let change = UnitEdit {
                has: values(has)?,
                name,
                group,
                notes,
                put_on: put_on.clone(),
                lift: lift.clone(),
                ..UnitEdit::default()
            };
            set(game, at, unit, side.as_deref(), &change)
        }
        UnitVerb::Import { at, file, side } => import(game, at, file, side.as_deref()),
        UnitVerb::List { of, all } => list(game, of, *all),
        UnitVerb::Remove { at, unit, word } => act::behind(game, at, |table, stamp| {
            let unit = names::unit(table, unit)?;
            if let Some(word) = &unit.gone {
                return Err(LineError::Arguments(format!(
                    "{} has left already ({word})",
                    label(table, unit)
                )));
            }
            Ok(table.act(stamp, EventKind::Remove { unit: unit.id.clone(), word: word.clone() })?)
        }),
    }
}

/// Attributes as they are typed; all that is wrong at once.
fn values(list: &[String]) -> Result<Values, CommandError> {
    let (found, wrong) = pairs(list);
    if wrong.is_empty() { Ok(found) } else { Err(CommandError::usage(wrong)) }
}

/// The side that is named, else the one that the player plays, else the only one.
fn side_of(table: &Table, by: &str, named: Option<&str>) -> Result<String, LineError> {
    if let Some(named) = named {
        // A side that is not there is told with all else that is wrong.
        return Ok(names::side(table, named).unwrap_or_else(|_| named.to_owned()));
    }
    let own = table.side_of(by).and_then(|side| table.sides().get(side));
    match (own, table.sides()) {
        (Some(own), _) => Ok(own.clone()),
        (None, [only]) => Ok(only.clone()),
        (None, _) => {
            Err(LineError::Arguments(format!("give the side with --side: {}", view::sides(table))))
        }
    }
}

/// What a template says, under what was said.
fn from_template(table: &Table, said: &NewUnit, side: &str) -> Result<NewUnit, LineError> {
    let ready = NewUnit::from_template(table.pack(), &said.kind, &said.name, side)?;
    let has: Values = ready.has.into_iter().chain(said.has.clone()).collect();
    let statuses = if said.statuses.is_empty() { ready.statuses } else { said.statuses.clone() };
    Ok(NewUnit { kind: ready.kind, has, statuses, ..said.clone() })
}

/// Refuses a status that is given like an attribute, and names the flag for it.
fn refuse_statuses(
    table: &Table,
    kind: &str,
    has: &Values,
    flags: (&str, Option<&str>),
) -> Result<(), LineError> {
    let pack = table.pack();
    let Some(kind) = pack.kind_id(kind) else { return Ok(()) };
    let wrong = has.iter().filter_map(|(name, value)| {
        let is_status =
            pack.statuses().iter().any(|status| status.id == *name && status.of.contains(&kind));
        let is_attribute = pack.kinds()[kind].has.iter().any(|field| field.id == *name);
        if !is_status || is_attribute {
            return None;
        }
        let off = ["no", "false", "off", ""].contains(&value.trim().to_lowercase().as_str());
        Some(match (off, flags.1) {
            (true, Some(lift)) => format!("`{name}` is a status: remove it with {lift} {name}"),
            (true, None) => format!("`{name}` is a status: leave it out"),
            (false, _) => format!("`{name}` is a status: add it with {} {name}", flags.0),
        })
    });
    let wrong: Vec<String> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(LineError::Arguments(wrong.join("; "))) }
}

fn add(
    game: &Game<'_>,
    at: &At,
    recruit: &NewUnit,
    side: Option<&str>,
    count: usize,
) -> CommandResult {
    act::behind(game, at, |table, stamp| {
        let side = side_of(table, &stamp.by, side)?;
        let whole = match table.pack().kinds().iter().any(|kind| kind.id == recruit.kind)
            || table.pack().template(&recruit.kind).is_none()
        {
            true => recruit.clone(),
            false => from_template(table, recruit, &side)?,
        };
        refuse_statuses(table, &whole.kind, &whole.has, ("--status", None))?;
        let one = |place: usize| {
            let name =
                if count > 1 { format!("{} {place}", recruit.name) } else { recruit.name.clone() };
            NewUnit { name, side: side.clone(), ..whole.clone() }
        };
        Ok::<_, LineError>(table.act(stamp, EventKind::Add((1..=count).map(one).collect()))?)
    })
}

fn set(
    game: &Game<'_>,
    at: &At,
    unit: &str,
    side: Option<&str>,
    change: &UnitEdit,
) -> CommandResult {
    if *change == UnitEdit::default() && side.is_none() {
        return Err(CommandError::usage([format!(
            "say what changes on {unit}: attribute=value, --name, --side, --group, --put-on, --lift or --notes"
        )]));
    }
    act::behind(game, at, |table, stamp| {
        let unit = names::unit(table, unit)?;
        let kind = &table.pack().kinds()[unit.kind].id;
        refuse_statuses(table, kind, &change.has, ("--put-on", Some("--lift")))?;
        let unit = unit.id.clone();
        let side = side.map(|side| names::side(table, side)).transpose()?;
        Ok::<_, LineError>(
            table
                .act(stamp, EventKind::Set(Box::new(UnitEdit { unit, side, ..change.clone() })))?,
        )
    })
}

fn import(game: &Game<'_>, at: &At, file: &Path, side: Option<&str>) -> CommandResult {
    let said = |why: String| CommandError::usage([format!("{}: {why}", file.display())]);
    let from_input = file.as_os_str() == "-";
    let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if ending.eq_ignore_ascii_case("jsonl") {
        return import_log(game, at, file, side);
    }
    let text = limited_text(file).map_err(|why| said(why.to_string()))?;
    let form = match from_input {
        true => Some(UnitListForm::of_text(&text)),
        false => UnitListForm::of_file(&file.display().to_string(), &text),
    };
    let form = form.ok_or_else(|| {
        said(
            "a list of units is a .csv, .toml, .json, .jsonl or .txt file, or - for standard input"
                .into(),
        )
    })?;
    let (kept, stamp) = game.table(at)?;
    let setup = kept.table.setup().cloned().unwrap_or_default();
    // Without --side it is the player's own; a list of a player without one must name its sides.
    let own = side_of(&kept.table, &stamp.by, side);
    let own = if side.is_some() { Some(own.map_err(super::refused)?) } else { own.ok() };
    let recruits =
        form.read(kept.table.pack(), &setup, own.as_deref(), &text).map_err(|faults| {
            let more = faults.len().saturating_sub(MOST_FAULTS);
            let shown = faults.iter().take(MOST_FAULTS);
            CommandError::usage(
                shown
                    .map(|fault| format!("{}: {}", file.display(), en::unit_file_error(fault)))
                    .chain(
                        (more > 0).then(|| format!("{}: and {more} more faults", file.display())),
                    )
                    .collect::<Vec<_>>(),
            )
        })?;
    act::behind(game, at, |table, stamp| {
        table.act(stamp, EventKind::Add(set_apart(recruits.clone(), table)))
    })
}

/// Why a list of units cannot be taken.
#[derive(Debug, thiserror::Error)]
enum ListError {
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("it has more than the {LARGEST} bytes that are read")]
    TooLarge,
}

/// The text of a list of units; `-` is standard input.
fn limited_text(file: &Path) -> Result<String, ListError> {
    let mut text = String::new();
    match file.as_os_str() == "-" {
        true => std::io::stdin().lock().take(LARGEST + 1).read_to_string(&mut text)?,
        false => std::fs::File::open(file)?.take(LARGEST + 1).read_to_string(&mut text)?,
    };
    match text.len() as u64 > LARGEST {
        true => Err(ListError::TooLarge),
        false => Ok(text),
    }
}

/// The units of another game, from its log, as they stand at its end.
fn import_log(game: &Game<'_>, at: &At, file: &Path, side: Option<&str>) -> CommandResult {
    let name = file.display().to_string();
    let text = super::paper::read_log(&name)?;
    let (brought, log) = super::paper::carried(&name, &text)?;
    let (lines, begin) = super::paper::begins(&name, log)?;
    let opened = game.shelf.open_for_game(&begin.pack, &begin.hash, brought)?;
    let (other, _) = adjutant_game::replay(std::sync::Arc::new(opened.pack), &lines)
        .map_err(|fault| CommandError::faulty([format!("{name}: {}", en::log_error(&fault))]))?;
    let mut units = recruits_of_game(&other);
    if units.is_empty() {
        return Err(CommandError::usage([format!("{name}: no unit is left in this game")]));
    }
    let (kept, stamp) = game.table(at)?;
    for unit in &mut units {
        let known = side.is_none() && kept.table.sides().contains(&unit.side);
        if !known {
            unit.side = side_of(&kept.table, &stamp.by, side).map_err(super::refused)?;
        }
    }
    act::behind(game, at, |table, stamp| {
        table.act(stamp, EventKind::Add(set_apart(units.clone(), table)))
    })
}

fn list(game: &Game<'_>, of: &Of, all: bool) -> CommandResult {
    let seen = game.look()?.seen(&of.table)?;
    let table = &seen.table;
    let units = table
        .state()
        .units
        .iter()
        .map(AsRef::as_ref)
        .filter(|unit: &&adjutant_game::Unit| all || unit.gone.is_none());
    if of.json {
        return Ok(
            seen.shown(pretty(&units.map(|unit| UnitData::new(table, unit)).collect::<Vec<_>>()))
        );
    }
    if all {
        return Ok(seen.shown(view::units(table, units, 0)));
    }
    let rosters: Vec<String> =
        (0..table.sides().len()).map(|side| view::roster(table, side)).collect();
    Ok(seen.shown(rosters.join("\n")))
}
