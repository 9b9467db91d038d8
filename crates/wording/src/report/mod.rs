//! The battle report of a game: one plain value that holds all that a report shows, made from the log alone. The code that
//! prints it, as text, page or paper, adds no fact.

mod entry;
mod forces;

pub use entry::{Entry, EntryKind};
pub use forces::{ReportSide, ReportUnit};

use crate::en;
use crate::en::log::Words;
use adjutant_engine::Resolution;
use adjutant_game::{
    ConsentFor, DeckLeft, Event, EventKind, LogError, LogFault, LuckReport, Seat, SetupRejection, State, Table, Weigher, side_of_play,
};
use forces::Forces;

/// All that a battle report shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BattleReport {
    /// The table's name.
    pub title: String,
    /// What it was played by.
    pub pack: ReportPack,
    /// When it was set up, as the log says.
    pub began: String,
    /// When its last event came, as the log says.
    pub ended: String,
    /// How many events the log holds.
    pub events: u64,
    /// How many of them are charts thrown, and count.
    pub plays: u64,
    /// The fingerprint of the last line: which log this is a report of.
    pub head: String,
    /// The sides, with who played them and what became of their units.
    pub sides: Vec<ReportSide>,
    /// Who ran the game for all.
    pub umpires: Vec<String>,
    /// Who looked on.
    pub spectators: Vec<String>,
    /// The options as they stood at the end.
    pub options: Vec<ReportOption>,
    /// The readings that mattered in some play.
    pub readings: Vec<ReportReading>,
    /// What happened, turn by turn.
    pub turns: Vec<ReportTurn>,
    /// What was taken back and counts for nothing.
    pub taken_back: Vec<TakenBack>,
    /// What was still to be thrown at the end.
    pub due: Vec<String>,
    /// The decks at the end.
    pub decks: Vec<ReportDeck>,
    /// Luck, expected against actual.
    pub luck: LuckReport,
}

/// What a table was played by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportPack {
    /// Its id.
    pub id: String,
    /// The game's name.
    pub title: String,
    /// The pack's version, as it was when the table began.
    pub version: String,
    /// The fingerprint of the rules, as it was when the table began.
    pub hash: String,
    /// Who made the game.
    pub by: String,
    /// What must be said with it.
    pub notice: String,
}

/// An option in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportOption {
    /// What is shown.
    pub label: String,
    /// How it is set, in words.
    pub value: String,
    /// How sure it is.
    pub standing: String,
    /// Whether it is otherwise than the pack has it when nobody says.
    pub changed: bool,
}

/// A reading that mattered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportReading {
    /// What it says.
    pub text: String,
    /// How sure it is.
    pub standing: String,
}

/// A turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportTurn {
    /// Its number.
    pub turn: u32,
    /// Its phases, as far as something happened in them.
    pub phases: Vec<ReportPhase>,
}

/// A phase of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportPhase {
    /// Its name; empty where the pack has no phases.
    pub title: String,
    /// What happened.
    pub entries: Vec<Entry>,
}

/// An event that was taken back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// Its number.
    pub n: u64,
    /// What it was, in words.
    pub what: String,
    /// Who took it back.
    pub by: String,
    /// The sides that consented, on the record.
    pub consent: Vec<String>,
}

/// A deck.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportDeck {
    /// Its name.
    pub title: String,
    /// How many cards are left.
    pub left: u32,
    /// How many there are.
    pub size: u32,
}

/// The battle report of a game. Every chart is rolled again with the recorded faces and its odds are computed, which takes
/// its time in a long game.
pub fn report(table: &Table) -> Result<BattleReport, LogError> {
    let mut reporting = Reporting::begin(table)?;
    reporting.go_on(table, usize::MAX)?;
    Ok(reporting.finish(table))
}

fn finish_report(table: &Table, told: ReportBuilder) -> BattleReport {
    let ReportBuilder { mut report, forces, weigher, .. } = told;
    // A phase in which nothing happened needs no heading.
    report.turns.iter_mut().for_each(|turn| turn.phases.retain(|phase| !phase.entries.is_empty()));
    report.turns.retain(|turn| !turn.phases.is_empty());
    report.luck = weigher.finish(table.sides());
    report.sides = forces.finish(table);
    report.due = table.pending().map(|pending| en::pending_test(table, pending)).collect();
    report
}

fn head_of_report(table: &Table) -> BattleReport {
    let Some(setup) = table.setup() else { return BattleReport::default() };
    let pack = table.pack();
    let seated = |seat: Seat| table.people().iter().filter(move |(_, known)| *known == seat).map(|(name, _)| name.clone()).collect();
    let option = |(option, value): (&adjutant_pack::PackOption, &adjutant_pack::Value)| ReportOption {
        label: option.field.label.to_string(),
        value: entry::value_in_words(pack, &option.field, *value),
        standing: option.standing.name().to_owned(),
        changed: option.field.start != Some(*value) && (option.field.start.is_some() || value.is_yes()),
    };
    let deck = |left: DeckLeft<'_>| {
        let title = pack.decks().iter().find(|sheet| sheet.id == left.deck).map_or(left.deck, |sheet| &sheet.title);
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

/// A report that is made in pieces, for a caller that has other work meanwhile. It goes on with the table that it was begun for.
pub struct Reporting {
    /// The table as far as it has been told.
    table: Table,
    told: ReportBuilder,
}

impl std::fmt::Debug for Reporting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reporting({} events)", self.table.lines().len())
    }
}

impl Reporting {
    /// Begins a report.
    pub fn begin(table: &Table) -> Result<Reporting, LogError> {
        if table.setup().is_none() {
            let fault = LogFault::Rejected(SetupRejection::NotBegun.into());
            return Err(LogError { event: table.lines().len() as u64 + 1, fault });
        }
        let told = ReportBuilder { report: head_of_report(table), forces: Forces::default(), weigher: Weigher::default(), playing: false };
        Ok(Reporting { table: table.rewound(), told })
    }

    /// Tells so many further events; whether that was all.
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

    /// The report, of what was told.
    pub fn finish(self, of: &Table) -> BattleReport {
        finish_report(of, self.told)
    }
}

/// A report in the making.
struct ReportBuilder {
    report: BattleReport,
    forces: Forces,
    weigher: Weigher,
    /// Whether the first chart was thrown or the first phase begun: what is changed before belongs to the set-up.
    playing: bool,
}

/// What is known of a play before it is put on the table.
#[derive(Default)]
struct PlayTold {
    side: Option<String>,
    account: Option<Resolution>,
}

impl ReportBuilder {
    /// Weighs a play on the table as it stands before it.
    fn before(&mut self, before: &Table, event: &Event, counts: bool) -> PlayTold {
        match &event.what {
            EventKind::Undo { event: n } => self.taken_back(before, event, *n),
            EventKind::Play(played) if counts => {
                self.report.plays += 1;
                let side = side_of_play(before, event, played).and_then(|side| before.sides().get(side).cloned());
                return PlayTold { side, account: self.weigher.play(before, event, played) };
            }
            _ => {}
        }
        PlayTold::default()
    }

    fn after(&mut self, before: &State, after: &Table, event: &Event, counts: bool, play: PlayTold) {
        if self.report.began.is_empty() {
            self.report.began.clone_from(&event.at);
        }
        self.report.ended.clone_from(&event.at);
        let words = Words { pack: after.pack(), before, state: after.state(), circle: after.sealed_group() };
        match &event.what {
            EventKind::Join { who, role } => self.forces.seat(who, role),
            what if counts => {
                self.playing |= matches!(what, EventKind::Play(_) | EventKind::Phase(_));
                self.note_readings(play.account.as_ref());
                self.forces.event(after, event, self.playing);
                if self.playing || matches!(what, EventKind::Note { .. }) {
                    let entry = entry::entry(event, &words, &play);
                    self.enter(after, event, entry);
                }
            }
            // Who took it back, and with whose consent, is told when the undo comes.
            what if what.counts() => {
                self.report.taken_back.push(TakenBack { n: event.n, what: words.event(event), ..TakenBack::default() });
            }
            _ => {}
        }
    }

    fn taken_back(&mut self, before: &Table, event: &Event, n: u64) {
        let asked = before.asked().filter(|asked| asked.want == ConsentFor::Undo && asked.event == n);
        let consent = asked.map(|asked| asked.yes.iter().filter_map(|side| before.sides().get(*side).cloned()).collect());
        if let Some(taken) = self.report.taken_back.iter_mut().find(|taken| taken.n == n) {
            taken.by.clone_from(&event.by);
            taken.consent = consent.unwrap_or_default();
        }
    }

    fn note_readings(&mut self, account: Option<&Resolution>) {
        for reading in account.iter().flat_map(|account| &account.readings) {
            let known = ReportReading { text: reading.text.to_string(), standing: reading.standing.name().to_owned() };
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
