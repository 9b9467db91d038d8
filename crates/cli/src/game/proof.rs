//! `adjutant replay` and `verify`: a log against the rules. What would differ by the packs as they
//! are now is listed; a table whose pack is missing or broken is named, and the rest goes on.

use super::names::shown;
use super::{CommandResult, Game, paper};
use crate::args::LogArg;
use crate::error::CommandError;
use crate::json::pretty;
use crate::open_store::TableStore;
use crate::output::{CommandOutput, sentences};
use crate::paint::{DIM, NAME, RESULT, WARN, in_style};
use adjutant_api::{Difference, MemberRecordData, Replayed, Verified};
use adjutant_game::{Begin, Event, EventKind, Table};
use adjutant_pack::{Bundle, Pack};
use adjutant_store::{StoreError, Summary};
use adjutant_wording::en;
use std::path::Path;
use std::sync::Arc;

/// A log: what it is called, the pack it names, its lines.
struct Log {
    name: String,
    pack: String,
    /// The fingerprint of the rules that it was started with.
    hash: String,
    /// The pack that it brings along.
    brought: Option<Bundle>,
    lines: Vec<String>,
    /// Why it cannot be read further.
    fault: Option<String>,
    /// Why the file is not byte for byte a log.
    not_plain: Option<String>,
}

/// What came of trying a log.
pub struct Tried {
    name: String,
    events: usize,
    differences: Vec<(u64, String)>,
    /// Why it could not be tried.
    fault: Option<String>,
}

impl Tried {
    /// Whether the game comes out as recorded.
    pub fn sound(&self) -> bool {
        self.differences.is_empty() && self.fault.is_none()
    }

    pub fn data(&self) -> Replayed<'_> {
        let differences =
            self.differences.iter().map(|(event, what)| Difference { event: *event, what });
        Replayed {
            game: &self.name,
            events: self.events,
            same: self.sound(),
            differences: differences.collect(),
            fault: self.fault.as_deref(),
        }
    }

    pub fn in_words(&self) -> String {
        let head = in_style(NAME, &self.name);
        if let Some(fault) = &self.fault {
            return format!("{head}  {}\n", in_style(WARN, format!("cannot be tried: {fault}")));
        }
        if self.differences.is_empty() {
            return format!(
                "{head}  {}\n",
                in_style(DIM, format!("{}, all as recorded", events(self.events)))
            );
        }
        let lines: String = self
            .differences
            .iter()
            .map(|(event, what)| format!("  event {event}: {what}\n"))
            .collect();
        format!(
            "{head}  {}\n{lines}",
            in_style(
                WARN,
                format!("{} of {} events would differ", self.differences.len(), self.events)
            )
        )
    }
}

/// The log in a file of this name, else the table's.
fn find(game: &Game<'_>, text: &str) -> Result<Log, CommandError> {
    if text == "-" || Path::new(text).is_file() {
        let read = paper::read_log(text)?;
        let (brought, log) = paper::carried(text, &read)?;
        let (lines, begin) = paper::begins(text, log)?;
        let not_plain = adjutant_game::is_plain(log).err().map(|why| {
            format!(
                "{}. Its fingerprints are not made of these bytes: a mail program or an editor has changed the file. `adjutant import` \
                 reads it nevertheless, and `adjutant export TABLE --as jsonl` then writes it as it was",
                en::not_plain(&why)
            )
        });
        let lines = lines.into_iter().map(str::to_owned).collect();
        let Begin { pack, hash, .. } = begin;
        return Ok(Log { name: shown(text), pack, hash, brought, lines, fault: None, not_plain });
    }
    if text.ends_with(".jsonl") || text.contains('/') {
        return Err(CommandError::usage([format!("there is no file {}", shown(text))]));
    }
    let store = game.look()?;
    let summary = store.find(text)?;
    let (lines, fault) = store.lines(&summary)?;
    let name = summary.name.clone();
    of_store(&store, name, summary, lines, fault)
}

/// The log of a game in the store.
fn of_store(
    store: &TableStore<'_>,
    name: String,
    summary: Summary,
    lines: Vec<String>,
    fault: Option<String>,
) -> Result<Log, CommandError> {
    let brought = adjutant_server::pack_of_game(&*store.store, &summary.id)?;
    let first = lines.first().and_then(|line| serde_json::from_str::<Event>(line).ok());
    let hash = match first.map(|event| event.what) {
        Some(EventKind::Begin(begin)) => begin.hash,
        _ => String::new(),
    };
    Ok(Log { name, pack: summary.pack, hash, brought, lines, fault, not_plain: None })
}

fn attempt(game: &Game<'_>, log: Log) -> Tried {
    let mut tried = Tried {
        name: log.name,
        events: log.lines.len(),
        differences: Vec::new(),
        fault: log.fault,
    };
    // The rules as they are now; those that the log brings only where there are no others.
    let opened = game.shelf.open(&log.pack);
    let opened = opened.or_else(|_| game.shelf.open_for_game(&log.pack, &log.hash, log.brought));
    match opened {
        Err(error) => {
            tried.fault = Some(format!(
                "its pack `{}` cannot be used: {}",
                shown(&log.pack),
                error.first_sentence()
            ))
        }
        Ok(opened) => match adjutant_game::replay(Arc::new(opened.pack), &log.lines) {
            Ok((_, differences)) => {
                tried.differences = differences
                    .into_iter()
                    .map(|found| (found.event, en::difference(&found.difference)))
                    .collect()
            }
            Err(fault) => {
                let fault = en::log_error(&fault);
                tried.fault =
                    Some(tried.fault.map_or(fault.clone(), |more| format!("{fault}; {more}")));
            }
        },
    }
    tried
}

/// The rules by which recorded games are tried, and the ids of the packs whose games they are.
pub struct OtherRules<'a> {
    pub pack: Arc<Pack>,
    pub ids: [&'a str; 2],
}

impl OtherRules<'_> {
    /// A log of this pack, replayed by these rules whatever it brings along.
    fn try_log(&self, name: String, pack: &str, lines: &[impl AsRef<str> + Sync]) -> Tried {
        let (differences, fault) = if self.ids.contains(&pack) {
            match adjutant_game::replay(Arc::clone(&self.pack), lines) {
                Ok((_, found)) => (found, None),
                Err(fault) => (Vec::new(), Some(en::log_error(&fault))),
            }
        } else {
            (Vec::new(), Some(format!("it is played by the pack `{}`", shown(pack))))
        };
        let differences =
            differences.into_iter().map(|found| (found.event, en::difference(&found.difference)));
        Tried { name, events: lines.len(), differences: differences.collect(), fault }
    }

    /// Logs in files.
    pub fn try_files(&self, files: &[String]) -> Result<Vec<Tried>, CommandError> {
        let mut tried = Vec::new();
        for file in files {
            let read = paper::read_log(file)?;
            let (_, log) = adjutant_game::split_pack(&read);
            let (lines, begin) = paper::begins(file, log)?;
            tried.push(self.try_log(shown(file), &begin.pack, &lines));
        }
        Ok(tried)
    }

    /// The games of these packs in the store.
    pub fn try_store(&self, game: &Game<'_>) -> Result<Vec<Tried>, CommandError> {
        let store = match TableStore::open_at(game.shelf, game.store) {
            // A player without games has none that come out otherwise.
            Err(StoreError::Nothing { .. } | StoreError::NoFolder { .. })
                if game.store.is_none() =>
            {
                return Ok(Vec::new());
            }
            store => store?,
        };
        let mut tried = Vec::new();
        for summary in store.store.list(true)? {
            if !self.ids.contains(&summary.pack.as_str()) {
                continue;
            }
            let (lines, fault) = store.lines(&summary)?;
            let found = self.try_log(summary.name.clone(), &summary.pack, &lines);
            tried.push(Tried { fault: found.fault.clone().or(fault), ..found });
        }
        Ok(tried)
    }
}

pub fn replay(game: &Game<'_>, log: Option<&str>, all: bool, json: bool) -> CommandResult {
    let tried = match log {
        Some(log) if !all => vec![attempt(game, find(game, log)?)],
        _ => every(game)?,
    };
    let out = if json {
        pretty(&tried.iter().map(Tried::data).collect::<Vec<_>>())
    } else {
        tried.iter().map(Tried::in_words).collect()
    };
    match tried.iter().filter(|tried| !tried.sound()).count() {
        0 if tried.is_empty() && !json => {
            Ok(CommandOutput::done("there are no games to replay\n".into()))
        }
        0 => Ok(CommandOutput::done(out)),
        some => Ok(CommandOutput::faulty(
            out,
            sentences(&[format!(
                "{some} of {} would not come out as recorded",
                count(tried.len())
            )]),
        )),
    }
}

fn events(count: usize) -> String {
    if count == 1 { "1 event".into() } else { format!("{count} events") }
}

fn count(tables: usize) -> String {
    if tables == 1 { "1 game".into() } else { format!("{tables} games") }
}

/// Every table of the store, one after another.
fn every(game: &Game<'_>) -> Result<Vec<Tried>, CommandError> {
    let store: TableStore<'_> = game.look()?;
    let mut tried = Vec::new();
    for summary in store.store.list(true)? {
        let name = format!("{} ({})", summary.name, summary.id);
        let lines = store.lines(&summary);
        let log =
            lines.and_then(|(lines, fault)| of_store(&store, name.clone(), summary, lines, fault));
        tried.push(match log {
            // By the packs as they are now, and no others.
            Ok(log) => attempt(game, Log { brought: None, ..log }),
            Err(error) => Tried {
                name,
                events: 0,
                differences: Vec::new(),
                fault: Some(error.first_sentence()),
            },
        });
    }
    Ok(tried)
}

/// How many rolls of a log came out of sealed luck.
fn sealed(lines: &[String]) -> usize {
    let is_sealed = |line: &&String| {
        let event = serde_json::from_str::<Event>(line);
        event.is_ok_and(
            |event| matches!(event.what, EventKind::Play(played) if played.call.is_some()),
        )
    };
    lines.iter().filter(is_sealed).count()
}

/// What the log proves about sealed rolls, and what each player did with them.
fn sealed_in_words(table: &Table, rolls: usize) -> (String, String) {
    let (were, them) = if rolls == 1 {
        ("One roll was".into(), "it")
    } else {
        (format!("{rolls} rolls were"), "them")
    };
    let head = match (rolls, table.taken_back_alone()) {
        (0, _) => String::new(),
        (_, false) => format!(" {were} sealed: no player could foresee or choose {them}."),
        (_, true) => format!(
            " {were} sealed: no player could foresee {them}. A call was withdrawn without the consent of another player, so the log does not show that no player could choose between rolls."
        ),
    };
    let records = table.sealed_records();
    let record: String =
        records.iter().map(|record| format!("  {}\n", en::member_record(record))).collect();
    let confirmed: String = en::confirmed(table).iter().map(|line| format!("{line}\n")).collect();
    let called = records.iter().any(|record| record.called > 0);
    (head, if called { record + &confirmed } else { confirmed })
}

pub fn verify(game: &Game<'_>, arg: &LogArg, head: Option<&str>) -> CommandResult {
    let log = find(game, &arg.log)?;
    let opened = game.shelf.open_for_game(&log.pack, &log.hash, log.brought)?;
    let pack = Arc::new(opened.pack);
    let head = head.map(|head| head.trim().to_lowercase());
    let checked = adjutant_game::verify(pack, &log.lines, head.as_deref());
    let fault = log.not_plain.or(match &checked {
        Ok(_) => log.fault,
        Err(fault) => Some(en::log_error(fault)),
    });
    let events = log.lines.len();
    let end =
        checked.as_ref().map(|table| table.head().to_owned()).ok().filter(|_| fault.is_none());
    let out = match (&end, arg.json) {
        (_, true) => pretty(&Verified {
            log: &log.name,
            events,
            sealed: sealed(&log.lines),
            sound: fault.is_none(),
            head: end.as_deref(),
            confirmed: checked.as_ref().ok().and_then(adjutant_game::Table::confirmed),
            members: checked.as_ref().map(MemberRecordData::all).unwrap_or_default(),
            fault: fault.as_deref(),
        }),
        (Some(end), _) => {
            let events = self::events(events);
            let (sealed, record) = match &checked {
                Ok(table) => sealed_in_words(table, sealed(&log.lines)),
                Err(_) => Default::default(),
            };
            let last = in_style(DIM, format!("It ends with the fingerprint {end}"));
            format!(
                "{} {}: {events}, every line, face and result in its place.{sealed}\n{record}{last}\n",
                in_style(RESULT, "sound"),
                log.name
            )
        }
        (None, _) => String::new(),
    };
    Ok(match fault {
        None => CommandOutput::done(out),
        Some(fault) => CommandOutput::faulty(out, sentences(&[format!("{}: {fault}", log.name)])),
    })
}
