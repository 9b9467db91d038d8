//! `adjutant table`: tables are started, listed, shown, told, renamed, put away; people take their
//! seats.

use super::names::{self, shown};
use super::{CommandResult, Game, act, data, keep_behind, refused, view};
use crate::args::{At, GameVerb};
use crate::error::CommandError;
use crate::json::pretty;
use crate::open_store::{TableStore, stamp};
use crate::output::{CommandOutput, sentences};
use crate::pack_registry::OpenedPack;
use crate::paint::{DIM, HEAD, NAME, RESULT, Table as Grid, WARN, in_style, paragraph, wrapped};
use crate::secrets::Secrets;
use crate::setup::pair;
use adjutant_api::{GameCheck, LogEntry, StoreReport};
use adjutant_game::{Begin, Decks, EventKind, LogLine, Rejection, Seat, Stamp, Table};
use adjutant_pack::{Bundle, Pack};
use adjutant_store::{NewTable, StoreError, Summary, TableId};
use adjutant_wording::en;
use anstyle::Style;
use serde_json::Value as Json;
use std::sync::Arc;

pub fn run(game: &Game<'_>, verb: &GameVerb) -> CommandResult {
    match verb {
        GameVerb::New {
            pack,
            name,
            side,
            option,
            cards_open,
            start,
            decks_per_side,
            by_sheet,
            who,
            json,
        } => {
            let begin = Begin {
                name: name.clone().unwrap_or_default(),
                sides: side.clone(),
                cards_open: *cards_open,
                start: start.clone().unwrap_or_default(),
                decks: if *decks_per_side { Decks::PerSide } else { Decks::Shared },
                run_by_sheet: by_sheet.clone(),
                ..Begin::default()
            };
            new(game, pack, begin, option, who.by.as_deref(), *json)
        }
        GameVerb::List { all, json } => list(game, *all, *json),
        GameVerb::Show(of) => {
            let seen = game.look()?.seen(&of.table)?;
            let json = || pretty(&data::game(&seen.summary, &seen.table));
            Ok(seen.shown(if of.json { json() } else { view::page(&seen.summary, &seen.table) }))
        }
        GameVerb::Log { of, last } => log(game, &of.table, *last, of.json),
        GameVerb::Rename { table, name, json } => rename(game, table, name, *json),
        GameVerb::Archive { table, back, json } => {
            let store = game.store()?;
            let id = store.find(table)?.id;
            store.store.archive(&id, !back)?;
            let what = if *back {
                "is on the list again"
            } else {
                "is archived; game list --all shows it"
            };
            summed_up(&store, &id, *json, |summary| format!("{} {what}\n", summary.name))
        }
        GameVerb::Join { at, side, umpire, spectator } => {
            join(game, at, side.as_deref(), *umpire, *spectator)
        }
        GameVerb::Note { at, text } => act::behind(game, at, |table, stamp| {
            table.act(stamp, EventKind::Note { text: text.clone() })
        }),
        GameVerb::Check { json } => check(game, *json),
    }
}

/// A name that no table has: the title, with a number if need be.
fn free_name(store: &TableStore<'_>, title: &str) -> Result<String, CommandError> {
    let taken: Vec<String> =
        store.store.list(true)?.into_iter().map(|table| table.name.to_lowercase()).collect();
    let named = |n: usize| if n == 1 { title.to_owned() } else { format!("{title} {n}") };
    Ok((1..)
        .map(named)
        .find(|name| !taken.contains(&name.to_lowercase()))
        .unwrap_or_else(|| title.to_owned()))
}

/// What a table begins with: the beginning alone, or all that a start of the pack brings.
fn first_lines(table: &Table, stamp: &Stamp, mut begin: Begin) -> Result<Vec<LogLine>, Rejection> {
    let start = std::mem::take(&mut begin.start);
    if !start.is_empty() {
        return table.begin_from(stamp, &start, begin);
    }
    if begin.sides.is_empty() {
        begin.sides = vec!["Blue".into(), "Red".into()];
    }
    Ok(vec![table.begin(stamp, begin)?])
}

fn new(
    game: &Game<'_>,
    pack: &str,
    mut begin: Begin,
    options: &[String],
    by: Option<&str>,
    json: bool,
) -> CommandResult {
    let OpenedPack { pack, files, supplied, .. } = game.shelf.open(pack)?;
    let pack = Arc::new(pack);
    let mut faults = Vec::new();
    if pack.decks().is_empty() {
        let given = [
            ("--cards-open", begin.cards_open),
            ("--decks-per-side", begin.decks == Decks::PerSide),
        ];
        for (flag, _) in given.iter().filter(|(_, given)| *given) {
            faults
                .push(format!("{flag} is for decks, and {} has none: leave it out", pack.title()));
        }
    }
    for text in options {
        match pair(text) {
            Ok((name, value)) => {
                if begin.options.insert(name.to_owned(), value.to_owned()).is_some() {
                    faults.push(format!("`{name}` is given twice"));
                }
            }
            Err(why) => faults.push(why.to_string()),
        }
    }
    if !faults.is_empty() {
        return Err(CommandError::usage(faults));
    }
    let store = game.store()?;
    if begin.name.is_empty() {
        begin.name = free_name(&store, pack.title())?;
    }
    let mut table = Table::empty(pack.clone());
    let lines = first_lines(&table, &stamp(by), begin).map_err(refused)?;
    for line in &lines {
        table.append(&line.text).map_err(|fault| CommandError::usage([en::log_error(&fault)]))?;
    }
    let id = TableId::new()?;
    let setup = table.setup().cloned().unwrap_or_default();
    let known = store
        .store
        .list(false)?
        .iter()
        .any(|other| other.name.to_lowercase() == setup.name.to_lowercase());
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let new = NewTable { id, name: &setup.name, pack: pack.id(), lines: &texts };
    let summary = store.create(&new, files, supplied)?;
    if json {
        return Ok(CommandOutput::done(pretty(&data::game(&summary, &table))));
    }
    // Another table of that name must be told from this one by the id.
    let name = if known { id.to_string() } else { view::quoted(&setup.name) };
    if !setup.start.is_empty() {
        let how = in_style(DIM, format!("adjutant next {name} rolls the next pending test"));
        let how =
            if table.pending().next().is_some() { format!("  {how}\n") } else { String::new() };
        let briefing = briefing(&pack, &setup.start);
        return Ok(CommandOutput::done(briefing + &view::page(&summary, &table) + &how));
    }
    Ok(CommandOutput::done(started(&pack, &setup, &name)))
}

/// What the players of a scenario read before they begin.
fn briefing(pack: &Pack, start: &str) -> String {
    let Some(start) = pack.start(start) else { return String::new() };
    let about = paragraph(0, Style::new(), &start.about);
    format!("{}\n{about}\n", in_style(RESULT, &start.title))
}

/// A new table, and how to go on.
fn started(pack: &Pack, setup: &Begin, name: &str) -> String {
    let kind = pack.kinds().first().map_or("KIND", |kind| kind.id.as_str());
    let mut out = format!(
        "{}  {}\n{}.\n\n",
        in_style(RESULT, &setup.name),
        in_style(DIM, pack.title()),
        setup.sides.join(" against ")
    );
    let side =
        setup.sides.first().map_or(String::new(), |side| format!(" --side {}", view::quoted(side)));
    let command = |text: String| in_style(NAME, format!("adjutant {text}"));
    out.push_str(&format!("  {}\n", command(format!("unit add {name} {kind} NAME …{side}"))));
    out.push_str(&format!("  {}  ", command(format!("play {name} CHART role=NAME …"))));
    out.push_str(&format!(
        "{}\n",
        in_style(DIM, format!("(charts: adjutant charts {})", pack.id()))
    ));
    out.push_str(&format!("  {}\n", command(format!("game show {name}"))));
    out
}

fn list(game: &Game<'_>, all: bool, json: bool) -> CommandResult {
    let store = match TableStore::open_at(game.shelf, game.store) {
        Ok(store) => store,
        Err(StoreError::Nothing { place, .. }) if json => {
            return Ok(CommandOutput::done("[]\n".into()).with_warnings(&[nothing(&place)]));
        }
        Err(StoreError::Nothing { place, .. }) => {
            return Ok(CommandOutput::done(format!("{}\n", nothing(&place))));
        }
        Err(fault) => return Err(fault.into()),
    };
    let tables = store.store.list(all)?;
    if json {
        return Ok(CommandOutput::done(pretty(
            &tables.iter().map(data::summary).collect::<Vec<_>>(),
        )));
    }
    if tables.is_empty() {
        return Ok(CommandOutput::done(format!("{}\n", nothing(store.store.place()))));
    }
    let mut grid = Grid::new(0);
    grid.head(["game", "pack", "events", "last played (UTC)", "id"]);
    for table in tables {
        let name =
            if table.archived { format!("{} (archived)", table.name) } else { table.name.clone() };
        let changed = crate::open_store::utc(table.changed / 1000);
        let changed = changed.get(..16).unwrap_or(&changed).replace('T', " ");
        let cells = [
            (name, NAME),
            (table.pack, Style::new()),
            (table.last.to_string(), Style::new()),
            (changed, Style::new()),
        ];
        grid.row(cells.into_iter().chain([(table.id.to_string(), DIM)]));
    }
    Ok(CommandOutput::done(grid.print()))
}

fn nothing(place: &str) -> String {
    format!("there are no games in {place} yet. Start one: adjutant game new PACK")
}

fn log(game: &Game<'_>, table: &str, last: Option<usize>, json: bool) -> CommandResult {
    let seen = game.look()?.seen(table)?;
    let told =
        en::log(&seen.table).map_err(|fault| CommandError::usage([en::log_error(&fault)]))?;
    let skip = last.map_or(0, |last| told.len().saturating_sub(last));
    let both = seen.table.lines().zip(&told).skip(skip);
    if json {
        let entries = both.filter_map(|(line, says)| {
            Some(LogEntry { event: serde_json::from_str(line).ok()?, says: says.marked() })
        });
        return Ok(seen.shown(pretty(&entries.collect::<Vec<_>>())));
    }
    let wide = told.len().to_string().len();
    let mut out = String::new();
    for (number, (line, says)) in (skip + 1..).zip(both) {
        let at = serde_json::from_str::<Json>(line)
            .ok()
            .and_then(|event| Some(event["at"].as_str()?.get(11..16)?.to_owned()));
        let head = format!("{number:>wide$}  {}", at.unwrap_or_default());
        let style = if says.undone { DIM } else { Style::new() };
        let room = crate::paint::width().saturating_sub(head.chars().count() + 2).max(24);
        for (place, part) in wrapped(&says.marked(), room).iter().enumerate() {
            let head = if place == 0 { head.clone() } else { " ".repeat(head.chars().count()) };
            out.push_str(&format!("{}  {}\n", in_style(DIM, head), in_style(style, part)));
        }
    }
    Ok(seen.shown(out))
}

fn rename(game: &Game<'_>, table: &str, name: &str, json: bool) -> CommandResult {
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) || name.chars().count() > 80 {
        return Err(CommandError::usage([format!(
            "`{}` cannot be a game's name: 1 to 80 characters on one line can",
            shown(name)
        )]));
    }
    let store = game.store()?;
    let before = store.find(table)?;
    store.store.rename(&before.id, name)?;
    summed_up(&store, &before.id, json, |_| {
        format!("{} is now called {}\n", before.name, in_style(NAME, name))
    })
}

/// What became of a table, in words or as its line in the list.
fn summed_up(
    store: &TableStore<'_>,
    id: &TableId,
    json: bool,
    words: impl Fn(&Summary) -> String,
) -> CommandResult {
    let summary = store.store.summary(id)?;
    Ok(CommandOutput::done(if json { pretty(&data::summary(&summary)) } else { words(&summary) }))
}

fn join(
    game: &Game<'_>,
    at: &At,
    side: Option<&str>,
    umpire: bool,
    spectator: bool,
) -> CommandResult {
    let (mut kept, stamp) = game.table(at)?;
    let role = match (side, umpire, spectator) {
        (Some(side), ..) => Seat::Player { side: names::side(&kept.table, side)? },
        (_, true, _) => Seat::Umpire,
        (_, _, true) => Seat::Spectator,
        _ => {
            let sides: Vec<String> = kept
                .table
                .sides()
                .iter()
                .map(|side| format!("--side {}", view::quoted(side)))
                .collect();
            return Err(CommandError::usage([format!(
                "say as what {} joins: {}, --umpire or --spectator",
                stamp.by,
                sides.join(", ")
            )]));
        }
    };
    Secrets::may_sit(&kept, &stamp.by)?;
    let make = |table: &Table, stamp: &adjutant_game::Stamp| {
        table.act(stamp, EventKind::Join { who: stamp.by.clone(), role: role.clone() })
    };
    let line = keep_behind(&mut kept, &stamp, make)?;
    Ok(act::told(&kept, &line, at.of.json))
}

/// Whether a line is not the one that was written: the last event before it, and how that shows.
/// Each line vouches for the one before it; for the last only the rules can, if they are the ones
/// it was played by.
pub fn altered(
    game: &Game<'_>,
    lines: &[String],
    brought: Option<Bundle>,
) -> Option<(u64, String)> {
    if let Err(fault) = adjutant_game::check_chain(lines) {
        return Some((fault.event.saturating_sub(1), en::log_error(&fault)));
    }
    let Ok(EventKind::Begin(begin)) =
        serde_json::from_str::<adjutant_game::Event>(lines.first()?).map(|event| event.what)
    else {
        return None;
    };
    let pack = game
        .shelf
        .open_for_game(&begin.pack, &begin.hash, brought)
        .ok()
        .map(|opened| opened.pack)
        .filter(|pack| *pack.hash() == begin.hash)?;
    let fault = adjutant_game::verify(Arc::new(pack), lines, None)
        .err()
        .filter(|fault| fault.event == lines.len() as u64)?;
    Some((fault.event.saturating_sub(1), en::log_error(&fault)))
}

fn check(game: &Game<'_>, json: bool) -> CommandResult {
    let store = game.look()?;
    let mut report = store.store.check()?;
    let place = report.place.clone();
    for table in report.tables.iter_mut().filter(|table| table.fault.is_none()) {
        let lines: Vec<String> =
            store.store.read(&table.id, 0)?.into_iter().map(|line| line.text).collect();
        let brought = adjutant_server::pack_of_game(&*store.store, &table.id)?;
        if let Some((intact, why)) = altered(game, &lines, brought) {
            table.intact = intact;
            table.fault =
                Some(StoreError::Altered { id: table.id, place: place.clone(), intact, why });
        }
    }
    let sound = report.sound();
    let out = if json {
        let games = report.tables.iter().map(|table| GameCheck {
            id: table.id.to_string(),
            name: &table.name,
            events: table.last,
            intact: table.intact,
            fault: table.fault.as_ref().map(ToString::to_string),
        });
        pretty(&StoreReport {
            place: &report.place,
            sound,
            damage: &report.damage,
            games: games.collect(),
        })
    } else {
        format!("{}\n", in_style(if sound { HEAD } else { WARN }, report.to_string().trim_end()))
    };
    if sound {
        return Ok(CommandOutput::done(out));
    }
    Ok(CommandOutput::faulty(out, sentences(&[format!("{} is not sound", report.place)])))
}
