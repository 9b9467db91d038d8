//! The battle report of a game: one plain value with everything that a report shows, made from the
//! log alone. The code that prints it as text, page or paper adds no fact.

mod entry;
mod forces;

pub use entry::{Entry, EntryKind};
pub use forces::{ReportSide, ReportUnit};

use crate::en;
use crate::en::log::Words;
use adjutant_engine::Resolution;
use adjutant_game::{
    ConsentFor, DeckLeft, Event, EventKind, LogError, LogFault, LuckReport, Seat, SetupRejection,
    State, Table, Weigher, side_of_play,
};
use forces::Forces;

/// Everything that a battle report shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BattleReport {
    /// The game's name.
    pub title: String,
    /// The pack that it was played with.
    pub pack: ReportPack,
    /// The time of the setup, as recorded in the log.
    pub began: String,
    /// The time of the last event, as recorded in the log.
    pub ended: String,
    /// The number of events in the log.
    pub events: u64,
    /// The number of rolled charts that count.
    pub plays: u64,
    /// The hash of the last line. It identifies the log of this report.
    pub head: String,
    /// The sides, with their players and units.
    pub sides: Vec<ReportSide>,
    /// The umpires.
    pub umpires: Vec<String>,
    /// The spectators.
    pub spectators: Vec<String>,
    /// The options at the end of the game.
    pub options: Vec<ReportOption>,
    /// The readings of the rules that mattered in some play.
    pub readings: Vec<ReportReading>,
    /// What happened, turn by turn.
    pub turns: Vec<ReportTurn>,
    /// The events that were undone and do not count.
    pub taken_back: Vec<TakenBack>,
    /// What each player did with sealed rolls; empty if none was called.
    pub sealed: Vec<String>,
    /// The endings that were reached, each with the winner if it has one.
    pub endings: Vec<String>,
    /// The tests that were still pending at the end.
    pub due: Vec<String>,
    /// The decks at the end.
    pub decks: Vec<ReportDeck>,
    /// Expected and actual luck.
    pub luck: LuckReport,
}

/// The pack of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportPack {
    /// The pack's id.
    pub id: String,
    /// The game's name.
    pub title: String,
    /// The pack's version at the setup.
    pub version: String,
    /// The hash of the rules at the setup.
    pub hash: String,
    /// The author of the game.
    pub by: String,
    /// The notice that must be printed with it.
    pub notice: String,
}

/// An option of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportOption {
    /// The label that players see.
    pub label: String,
    /// The value, in words.
    pub value: String,
    /// How certain the pack is about it.
    pub standing: String,
    /// Whether it differs from the pack's default.
    pub changed: bool,
}

/// A reading of the rules that mattered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportReading {
    /// The text of the reading.
    pub text: String,
    /// How certain the pack is about it.
    pub standing: String,
}

/// One turn in the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportTurn {
    /// The turn's number.
    pub turn: u32,
    /// The phases in which something happened.
    pub phases: Vec<ReportPhase>,
}

/// One phase of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportPhase {
    /// The phase's title; empty if the pack has no phases.
    pub title: String,
    /// The events of the phase.
    pub entries: Vec<Entry>,
}

/// An event that was undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// The event's number.
    pub n: u64,
    /// The event, in words.
    pub what: String,
    /// The player who undid it.
    pub by: String,
    /// The sides that consented.
    pub consent: Vec<String>,
}

/// One deck at the end of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportDeck {
    /// The deck's title.
    pub title: String,
    /// How many cards are left.
    pub left: u32,
    /// How many cards the full deck has.
    pub size: u32,
}

/// The battle report of a game. It replays every chart with the recorded faces and computes the
/// odds, which is slow for a long game.
pub fn report(table: &Table) -> Result<BattleReport, LogError> {
    let mut reporting = Reporting::begin(table)?;
    reporting.go_on(table, usize::MAX)?;
    Ok(reporting.finish(table))
}

fn finish_report(table: &Table, told: ReportBuilder) -> BattleReport {
    let ReportBuilder { mut report, forces, weigher, .. } = told;
    // A phase in which nothing happened gets no heading.
    report.turns.iter_mut().for_each(|turn| turn.phases.retain(|phase| !phase.entries.is_empty()));
    report.turns.retain(|turn| !turn.phases.is_empty());
    report.luck = weigher.finish(table.sides());
    report.sides = forces.finish(table);
    let records = table.sealed_records();
    if records.iter().any(|record| record.called > 0) {
        report.sealed =
            records.iter().map(|record| format!("{}.", en::member_record(record))).collect();
        report.sealed.extend(en::confirmed(table));
    }
    report.endings = table.endings().iter().map(|ending| en::ending(table, ending)).collect();
    report.due = table.pending().map(|pending| en::pending_test(table, pending)).collect();
    report
}

fn head_of_report(table: &Table) -> BattleReport {
    let Some(setup) = table.setup() else { return BattleReport::default() };
    let pack = table.pack();
    let seated = |seat: Seat| {
        table
            .people()
            .iter()
            .filter(move |(_, known)| *known == seat)
            .map(|(name, _)| name.clone())
            .collect()
    };
    let option =
        |(option, value): (&adjutant_pack::PackOption, &adjutant_pack::Value)| ReportOption {
            label: option.field.label.to_string(),
            value: entry::value_in_words(pack, &option.field, *value),
            standing: option.standing.name().to_owned(),
            changed: option.field.start != Some(*value)
                && (option.field.start.is_some() || value.is_yes()),
        };
    let deck = |left: DeckLeft<'_>| {
        let title = pack
            .decks()
            .iter()
            .find(|sheet| sheet.id == left.deck)
            .map_or(left.deck, |sheet| &sheet.title);
        let title = match left.side.and_then(|side| setup.sides.get(side)) {
            Some(side) => format!("{title} of {side}"),
            None => title.to_owned(),
        };
        ReportDeck { title, left: left.left, size: left.size }
    };
    BattleReport {
        title: setup.name.clone(),
        pack: ReportPack {
            id: pack.id().to_string(),
            title: pack.title().to_string(),
            version: setup.version.clone(),
            hash: setup.hash.clone(),
            by: pack.by().to_owned(),
            notice: pack.notice().to_owned(),
        },
        events: table.lines().len() as u64,
        head: table.head().to_owned(),
        umpires: seated(Seat::Umpire),
        spectators: seated(Seat::Spectator),
        options: pack.options().iter().zip(&table.state().options).map(option).collect(),
        decks: table.decks().into_iter().map(deck).collect(),
        ..BattleReport::default()
    }
}

/// A report that is made in steps, for a caller that has other work in between. Pass the same game
/// to each step.
pub struct Reporting {
    /// The game up to the last event that is in the report.
    table: Table,
    told: ReportBuilder,
}

impl std::fmt::Debug for Reporting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reporting({} events)", self.table.lines().len())
    }
}

impl Reporting {
    /// Starts a report.
    pub fn begin(table: &Table) -> Result<Reporting, LogError> {
        if table.setup().is_none() {
            let fault = LogFault::Rejected(SetupRejection::NotStarted.into());
            return Err(LogError { event: table.lines().len() as u64 + 1, fault });
        }
        let told = ReportBuilder {
            report: head_of_report(table),
            forces: Forces::default(),
            weigher: Weigher::default(),
            playing: false,
            unfinished: Vec::new(),
        };
        Ok(Reporting { table: table.rewound(), told })
    }

    /// Adds up to `events` further events. Returns whether the report is complete.
    pub fn go_on(&mut self, of: &Table, events: usize) -> Result<bool, LogError> {
        let done = self.table.lines().len();
        for line in of.lines().skip(done).take(events) {
            let event = self.table.read_next(line)?;
            let counts = of.counts(event.n);
            let play = self.told.before(&self.table, &event, counts);
            let applied = self.table.apply_unresolved(line)?;
            self.told.after(&applied.before.state, &self.table, &event, counts, play);
        }
        Ok(self.table.lines().len() >= of.lines().len())
    }

    /// The report of all events added so far.
    pub fn finish(self, of: &Table) -> BattleReport {
        finish_report(of, self.told)
    }
}

/// A report under construction.
struct ReportBuilder {
    report: BattleReport,
    forces: Forces,
    weigher: Weigher,
    /// Whether the first chart was rolled or the first phase started. Earlier edits belong to the
    /// setup.
    playing: bool,
    /// The events of rolls that stopped and are not finished yet, each with its player.
    unfinished: Vec<(u64, String)>,
}

/// What is known of a play before it is applied.
#[derive(Default)]
struct PlayTold {
    side: Option<String>,
    resolution: Option<Resolution>,
    /// Whether it finishes a roll that waited for an answer.
    finishes: bool,
}

impl ReportBuilder {
    /// Weighs a play on the game just before it.
    fn before(&mut self, before: &Table, event: &Event, counts: bool) -> PlayTold {
        match &event.what {
            EventKind::Undo { event: n, .. } => self.taken_back(before, event, *n),
            EventKind::Play(played) if counts => {
                self.report.plays += 1;
                let side = side_of_play(before, event, played)
                    .and_then(|side| before.sides().get(side).cloned());
                let waiting = before.unfinished_of(&event.by);
                let finishes =
                    waiting.is_some_and(|(_, roll)| played.inputs.starts_with(&roll.inputs));
                let resolution = self.weigher.play(before, event, played);
                return PlayTold { side, resolution, finishes };
            }
            _ => {}
        }
        PlayTold::default()
    }

    fn after(
        &mut self,
        before: &State,
        after: &Table,
        event: &Event,
        counts: bool,
        play: PlayTold,
    ) {
        if self.report.began.is_empty() {
            self.report.began.clone_from(&event.at);
        }
        self.report.ended.clone_from(&event.at);
        let words = Words {
            pack: after.pack(),
            before,
            state: after.state(),
            circle: after.sealed_group(),
        };
        match &event.what {
            EventKind::Join { who, role } => self.forces.seat(who, role),
            EventKind::Unfinished(_) => {
                self.unfinished.push((event.n, event.by.clone()));
                self.enter(after, event, entry::entry(event, &words, &play));
            }
            what if counts => {
                if play.finishes {
                    self.finished(&event.by);
                }
                self.playing |= matches!(what, EventKind::Play(_) | EventKind::Phase(_));
                self.note_readings(play.resolution.as_ref());
                self.forces.event(after, event, self.playing);
                if self.playing || matches!(what, EventKind::Note { .. }) {
                    let entry = entry::entry(event, &words, &play);
                    self.enter(after, event, entry);
                }
            }
            // The undo event says who undid it and which sides consented.
            what if what.counts() => {
                self.report.taken_back.push(TakenBack {
                    n: event.n,
                    what: words.event(event),
                    ..TakenBack::default()
                });
            }
            _ => {}
        }
    }

    /// Removes the entries of a roll that stopped and is finished now.
    fn finished(&mut self, by: &str) {
        let ends = |(_, player): &mut (u64, String)| player == by;
        let ended: Vec<u64> = self.unfinished.extract_if(.., ends).map(|(n, _)| n).collect();
        let phases = self.report.turns.iter_mut().flat_map(|turn| &mut turn.phases);
        phases.for_each(|phase| phase.entries.retain(|entry| !ended.contains(&entry.n)));
    }

    fn taken_back(&mut self, before: &Table, event: &Event, n: u64) {
        let asked =
            before.asked().filter(|asked| asked.want == ConsentFor::Undo && asked.event == n);
        let consent = asked.map(|asked| {
            asked.yes.iter().map(|voice| before.voice_name(voice).to_owned()).collect()
        });
        if let Some(taken) = self.report.taken_back.iter_mut().find(|taken| taken.n == n) {
            taken.by.clone_from(&event.by);
            taken.consent = consent.unwrap_or_default();
        }
    }

    fn note_readings(&mut self, resolution: Option<&Resolution>) {
        for reading in resolution.iter().flat_map(|resolution| &resolution.readings) {
            let known = ReportReading {
                text: reading.text.to_string(),
                standing: reading.standing.name().to_owned(),
            };
            if !self.report.readings.contains(&known) {
                self.report.readings.push(known);
            }
        }
    }

    fn enter(&mut self, after: &Table, event: &Event, entry: Option<Entry>) {
        let turn = after.state().turn;
        if self.report.turns.last().is_none_or(|last| last.turn != turn) {
            self.report.turns.push(ReportTurn { turn, phases: Vec::new() });
        }
        let Some(last) = self.report.turns.last_mut() else { return };
        if matches!(event.what, EventKind::Phase(_)) || last.phases.is_empty() {
            let title = after.turn().0.map(|phase| phase.title.to_string()).unwrap_or_default();
            last.phases.push(ReportPhase { title, entries: Vec::new() });
        }
        if let Some(phase) = last.phases.last_mut() {
            phase.entries.extend(entry);
        }
    }
}
