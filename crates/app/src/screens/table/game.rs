//! An open table. Every line is stored first, then applied, then shown. Messages that arrive while
//! a line is being stored are queued; the same message twice is ignored, because it is a double
//! tap.

use super::action_panel::ActionPanel;
use super::board::LastPlay;
use super::chosen::Chosen;
use super::due::DueChances;
use super::log::{Entry, Filter};
use super::more::{self, More};
use super::result::{self, ResultCard};
use super::roster::RosterSelection;
use super::shared_table::SharedTable;
use super::{Aim, Message, Tab, play, reply_to};
use crate::app::Shared;
use crate::message::{Command, Moment, Now, Reply, TableCard};
use crate::route::{GameTask, Route};
use crate::server_api::ErrorBody;
use adjutant_dice::{RecordedInput, ThrownBy};
use adjutant_engine::Resolution;
use adjutant_game::{
    Applied, ConsentRequest, Event, EventKind, LogError, LogLine, Rejection, Stamp, Table,
};
use adjutant_pack::{Chart, Pack};
use adjutant_wording::en;
use adjutant_wording::en::page::{self as words, table as text};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// For this many milliseconds after the large button was pressed, or has done its work, it ignores
/// taps: a double tap must not do what the button offers next.
const DOUBLE_TAP: u64 = 600;

/// What is under way.
#[derive(Debug)]
pub enum Waiting {
    /// Lines are being stored in this browser.
    Storing(Vec<String>),
    /// A request was sent to the server.
    Sent,
}

/// An open table.
#[derive(Debug)]
pub struct Game {
    pub card: TableCard,
    pub pack: Arc<Pack>,
    pub table: Table,
    /// The name of this player.
    pub me: String,
    pub tab: Tab,
    /// The chart in play.
    pub panel: Option<ActionPanel>,
    /// The unit that was tapped on the board and has no chart yet.
    pub acting: Option<String>,
    /// The last roll of this player.
    pub last_play: Option<LastPlay>,
    /// What was chosen for each unit.
    pub chosen: Chosen,
    /// The result of the last event.
    pub result: Option<ResultCard>,
    /// The pending tests that are rolled one after another.
    pub roll_all: BTreeSet<String>,
    /// The results of those rolled already: what was rolled, and the result.
    pub rolled: Vec<(String, String)>,
    /// The chances of the pending tests.
    pub due_chances: DueChances,
    /// The pending test that the player may skip.
    pub striking: Option<String>,
    /// The text that the player looks for on the board.
    pub find: String,
    /// Whether the invitations are shown on the board.
    pub inviting: bool,
    /// The unit that is shown.
    pub selection: RosterSelection,
    pub filter: Filter,
    pub more: More,
    /// The log, one entry for each line.
    pub entries: Vec<Entry>,
    /// Why something was rejected.
    pub wrong: Vec<String>,
    /// The connection to the server that keeps the table.
    pub server: Option<SharedTable>,
    /// Whether another player was faster, and the line is about to arrive.
    pub overtaken: bool,
    pub waiting: Option<Waiting>,
    /// The clock at the last message.
    pub clock: u64,
    /// When the large button was pressed, or has done its work.
    pub pressed: Option<u64>,
    /// A request for consent that lapsed. It is shown until the player does something.
    pub lapsed: Option<ConsentRequest>,
    /// The message that is under way.
    doing: Option<Message>,
    pub queue: VecDeque<Message>,
}

/// Why stored lines are no game.
#[derive(Debug)]
pub enum OpenError {
    Log(LogError),
    /// The line that starts the game is missing.
    NotStarted,
}

impl OpenError {
    pub fn sentence(&self) -> String {
        text::broken(&match self {
            OpenError::Log(fault) => en::log_error(fault),
            OpenError::NotStarted => text::NOT_STARTED.to_owned(),
        })
    }
}

impl Game {
    /// Applies the stored lines.
    pub fn open(
        shared: &Shared,
        pack: Arc<Pack>,
        card: TableCard,
        lines: &[String],
    ) -> Result<Game, OpenError> {
        let mut table = Table::empty(pack.clone());
        let mut entries = Vec::with_capacity(lines.len());
        let (mut result, mut last_play, mut chosen) = (None, None, Chosen::default());
        for (place, line) in (1..).zip(lines) {
            // Only the last line is shown with its result.
            let last = place == lines.len();
            let applied = if last { table.apply(line) } else { table.apply_unresolved(line) };
            let mut applied = applied.map_err(OpenError::Log)?;
            entries.push(Entry::new(&table, &applied.event, en::log_line(&table, &applied)));
            last_play = LastPlay::of(&applied.event).or(last_play);
            chosen.note(&pack, &applied.event);
            if last && matches!(applied.event.what, EventKind::Play(_)) {
                let sentences = en::meaning(&table, &applied);
                result = ResultCard::new(&table, &mut applied, sentences, Vec::new());
            }
        }
        if table.setup().is_none() {
            return Err(OpenError::NotStarted);
        }
        let name = shared.settings.name.trim();
        let me = if name.is_empty() { words::home::PLAYER.to_owned() } else { name.to_owned() };
        let server = (!card.token.is_empty())
            .then(|| SharedTable::new(&card.token, shared.chains.get(&card.id)));
        let mut game = Game {
            card,
            pack,
            table,
            me,
            tab: Tab::Play,
            panel: None,
            acting: None,
            last_play,
            chosen,
            result,
            roll_all: BTreeSet::new(),
            rolled: Vec::new(),
            due_chances: DueChances::new(),
            striking: None,
            find: String::new(),
            inviting: false,
            selection: RosterSelection::default(),
            filter: Filter::default(),
            more: More::default(),
            entries,
            wrong: Vec::new(),
            server,
            overtaken: false,
            waiting: None,
            clock: 0,
            pressed: None,
            lapsed: None,
            doing: None,
            queue: VecDeque::new(),
        };
        if game.wants_units() {
            game.tab = Tab::Roster;
        }
        game.note_turn();
        game.restore_unfinished(shared);
        game.refresh();
        Ok(game)
    }

    /// Whether units must be added before the game can be played: a sheet without roles needs none.
    pub fn wants_units(&self) -> bool {
        let acts = |chart: &Chart| !chart.roles.is_empty();
        self.table.state().units.is_empty() && self.pack.charts().iter().any(acts)
    }

    pub fn stamp(&self, now: &Now) -> Stamp {
        Stamp::new(&now.time, &self.me)
    }

    /// The number on a tab.
    pub fn count(&self, tab: Tab) -> usize {
        match tab {
            Tab::Play => self.table.pending().count() + usize::from(self.is_asked()),
            _ => 0,
        }
    }

    /// Whether a consent of this player is asked for.
    pub fn is_asked(&self) -> bool {
        self.table.is_asked(&self.me)
    }

    /// Shows or does what the address names.
    pub fn go_to(&mut self, shared: &mut Shared, aim: Option<Aim>) -> Vec<Command> {
        match aim {
            Some(Aim::Entry(n)) => {
                self.tab = Tab::Log;
                self.look_at(n);
                Vec::new()
            }
            Some(Aim::Task(task)) => {
                self.tab = Tab::More;
                self.begin(shared, task)
            }
            None => Vec::new(),
        }
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        self.clock = now.ms;
        if is_large_button(&message) {
            if self.pressed.is_some_and(|at| now.ms.saturating_sub(at) < DOUBLE_TAP) {
                return Vec::new();
            }
            self.pressed = Some(now.ms);
        }
        self.lapsed = None;
        self.server.iter_mut().for_each(|server| server.withdrawn.clear());
        // An answer belongs to the roll; anything else ends rolling one after another.
        if !matches!(message, Message::Play(play::Message::Answer(_))) {
            self.roll_all.clear();
        }
        self.take_in(shared, now, message)
    }

    /// Handles a message now, or when what is under way is done.
    fn take_in(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        if self.waiting.is_some() {
            if !self.is_twice(&message) && self.queue.len() < 8 {
                self.queue.push_back(message);
            }
            return Vec::new();
        }
        self.wrong.clear();
        self.doing = Some(message.clone());
        let mut todo = self.done(shared, now, message);
        todo.extend(self.save_unfinished(shared));
        todo
    }

    fn done(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        match message {
            Message::Tab(tab) => {
                self.tab = tab;
                vec![Command::ScrollToTop]
            }
            Message::Play(message) => {
                // The result must not stand below the invitations.
                self.inviting = false;
                self.play(now, message)
            }
            Message::Roster(message) => self.roster(now, message),
            Message::Log(message) => self.logbook(shared, now, message),
            Message::More(message) => self.more(shared, now, message),
            Message::NewTable(_) | Message::Sample(..) | Message::Join(_) => Vec::new(),
        }
    }

    /// Whether this is under way already: the same button twice, or two buttons that roll the same.
    fn is_twice(&self, message: &Message) -> bool {
        use play::Message::{Answer, OwnDice, Roll};
        match (message, &self.doing) {
            (Message::Play(Roll | OwnDice), Some(doing)) => {
                matches!(doing, Message::Play(Roll | OwnDice | Answer(_)))
            }
            // Two dice can show the same face.
            (Message::Play(Answer(_)), _) => false,
            (message, doing) => doing.as_ref() == Some(message),
        }
    }

    /// A command was replied to.
    pub fn reply(
        &mut self,
        shared: &mut Shared,
        now: &Now,
        to: reply_to::Game,
        reply: Reply,
    ) -> Vec<Command> {
        self.clock = now.ms;
        let mut todo = self.replied(shared, now, to, reply);
        todo.extend(self.save_unfinished(shared));
        todo
    }

    fn replied(
        &mut self,
        shared: &mut Shared,
        now: &Now,
        to: reply_to::Game,
        reply: Reply,
    ) -> Vec<Command> {
        match (to, reply) {
            (reply_to::Game::Server(to), reply) => self.server_replied(shared, now, to, reply),
            (reply_to::Game::LinesStored, Reply::Done) => self.lines_stored(shared, now),
            (reply_to::Game::LinesStored, Reply::MovedOn(_)) => {
                self.waiting = None;
                self.queue.clear();
                vec![Command::ReadLines {
                    reply_to: reply_to::ReplyTo::LinesRead.into(),
                    table: self.card.id.clone(),
                }]
            }
            (reply_to::Game::LinesStored, Reply::Failed(why)) => {
                self.waiting = None;
                self.queue.clear();
                self.refuse([words::cannot_keep(&why)])
            }
            (reply_to::Game::Forgotten, Reply::Done) => {
                vec![
                    shared.tell(words::home::FORGOTTEN),
                    Command::Go { to: Route::Home.to_string(), replace: false },
                ]
            }
            (reply_to::Game::Renamed, Reply::Done) => {
                vec![Command::Announce(text::RENAMED.to_owned())]
            }
            (reply_to::Game::Task(task), Reply::Elapsed(took)) => self.work_on(task, took),
            (reply_to::Game::WeighDue, _) => self.weigh_due().into_iter().collect(),
            (reply_to::Game::Uploaded, Reply::Http { status: 200 | 201, body }) => {
                self.uploaded(shared, &body)
            }
            (reply_to::Game::Uploaded, Reply::Http { body, .. }) => {
                let sentence = ErrorBody::read(&body).sentence();
                self.refuse([sentence.unwrap_or_else(|| words::home::SERVER_REFUSED.to_owned())])
            }
            (reply_to::Game::Uploaded, _) => self.refuse([words::home::NO_SERVER.to_owned()]),
            (_, Reply::Failed(why)) => vec![shared.tell(words::cannot_keep(&why))],
            // A copy that is behind is no error: another window may have stored it.
            (
                reply_to::Game::LinesStored
                | reply_to::Game::CopyStored
                | reply_to::Game::Forgotten
                | reply_to::Game::Renamed
                | reply_to::Game::Task(_),
                _,
            ) => Vec::new(),
        }
    }

    /// The lines are stored: they count.
    fn lines_stored(&mut self, shared: &mut Shared, now: &Now) -> Vec<Command> {
        let Some(Waiting::Storing(lines)) = self.waiting.take() else { return Vec::new() };
        let stored = (self.card.turn, self.card.next.clone());
        let mut todo = self.take(&lines);
        // The card was stored as it was before these lines.
        if stored != (self.card.turn, self.card.next.clone()) {
            todo.push(self.store_card());
        }
        if let Some(known) = shared.tables.iter_mut().find(|known| known.id == self.card.id) {
            known.clone_from(&self.card);
        }
        todo.extend(self.go_on(shared, now));
        todo.extend(self.roll_next(now));
        todo
    }

    /// Stores the card. No lines are added, so that a game that has moved on in another window
    /// keeps its card.
    pub fn store_card(&self) -> Command {
        Command::AppendLines {
            reply_to: reply_to::Game::CopyStored.into(),
            card: self.card.clone(),
            after: self.table.lines().len() as u64,
            lines: Vec::new(),
        }
    }

    /// Handles the queued messages.
    pub fn go_on(&mut self, shared: &mut Shared, now: &Now) -> Vec<Command> {
        let mut todo = Vec::new();
        while self.waiting.is_none()
            && let Some(next) = self.queue.pop_front()
        {
            todo.extend(self.take_in(shared, now, next));
        }
        todo
    }

    /// Another window of this browser has stored lines.
    pub fn caught_up(&mut self, shared: &mut Shared, lines: &[String]) -> Vec<Command> {
        let known = self.table.lines().len();
        let fits = self.table.lines().zip(lines).all(|(mine, kept)| mine == kept);
        if !fits || lines.len() <= known {
            return vec![shared.tell(text::NOT_KEPT)];
        }
        let mut todo = self.take(&lines[known..]);
        todo.push(shared.tell(text::OTHER_WINDOW));
        todo
    }

    /// Applies lines and shows what they did.
    pub fn take(&mut self, lines: &[String]) -> Vec<Command> {
        let (was_asked, mut todo) = (self.is_asked(), Vec::new());
        for line in lines {
            if let Err(error) = self.apply(line, &mut todo) {
                todo.extend(self.refuse([text::broken(&en::log_error(&error))]));
                break;
            }
        }
        todo.extend(self.show_applied(was_asked));
        todo
    }

    /// Applies the next line: it is parsed and folded once.
    pub fn apply(&mut self, line: &str, todo: &mut Vec<Command>) -> Result<Event, LogError> {
        let mut applied = self.table.apply(line)?;
        self.card.last = self.table.lines().len() as u64;
        self.note_turn();
        self.entries.push(Entry::new(
            &self.table,
            &applied.event,
            en::log_line(&self.table, &applied),
        ));
        if let Some(lapsed) = applied.lapsed.take() {
            todo.push(Command::Announce(text::lapsed(&lapsed.by, lapsed.want, lapsed.event)));
            self.lapsed = Some(lapsed);
        }
        if applied.event.by == self.me && self.doing.as_ref().is_some_and(is_large_button) {
            self.pressed = Some(self.clock);
        }
        if let Some(resolution) = self.rolled_here(&applied) {
            todo.push(Command::Moment(Moment::of(resolution)));
        }
        let chance = self.chance(&applied);
        self.clear_panel(&applied.event);
        if applied.event.by == self.me {
            self.last_play = LastPlay::of(&applied.event).or(self.last_play.take());
        }
        self.chosen.note(&self.pack, &applied.event);
        let changed = result::changed(&self.table, &applied.changes);
        let sentences = en::meaning(&self.table, &applied);
        if let Some(card) = ResultCard::new(&self.table, &mut applied, sentences, changed) {
            let all = Message::Play(play::Message::RollAll);
            if self.doing.as_ref() == Some(&all) && applied.event.by == self.me {
                self.rolled.push((card.title.clone(), card.headline.clone()));
            } else {
                self.rolled.clear();
            }
            self.result = Some(ResultCard { chance, ..card });
        }
        Ok(applied.event)
    }

    /// Notes on the card, for the list of games, how far the game is and whose move it is.
    pub fn note_turn(&mut self) {
        self.card.turn = self.table.state().turn;
        self.card.next = self.table.whose_move(&self.me, self.server.is_some());
    }

    /// Shows the table as it stands after lines were applied.
    pub fn show_applied(&mut self, was_asked: bool) -> Vec<Command> {
        let mut todo = Vec::new();
        if let Some(card) = &self.result
            && card.n == self.card.last
        {
            todo.push(Command::Announce(card.headline.clone()));
            todo.push(Command::Focus("result".into()));
        }
        if let Some(asked) = self.table.asked().filter(|_| !was_asked && self.is_asked()) {
            todo.push(Command::Announce(text::asks(&asked.by, asked.want, asked.event)));
        }
        self.refresh();
        todo.extend(self.weigh_due());
        todo
    }

    /// What the program rolled for this player a moment ago: not the history, and not what others
    /// rolled.
    fn rolled_here<'a>(&self, applied: &'a Applied) -> Option<&'a Resolution> {
        let EventKind::Play(played) = &applied.event.what else { return None };
        let now = applied.event.by == self.me && self.doing.as_ref().is_some_and(is_roll);
        let ours = |input: &RecordedInput| !input.is_answer() && input.by() != ThrownBy::Player;
        let rolled = now && played.inputs.iter().any(ours);
        applied.resolution.as_ref().filter(|_| rolled)
    }

    /// The panel whose chart was rolled in an event.
    fn rolled(&self, event: &Event) -> Option<&ActionPanel> {
        let EventKind::Play(played) = &event.what else { return None };
        self.panel.as_ref().filter(|panel| {
            panel.chart().id == played.request.chart
                && (event.by == self.me || played.call.is_some())
        })
    }

    /// The chance that the result had, with its number, by the odds on the panel.
    fn chance(&self, applied: &Applied) -> Option<String> {
        let resolution = applied.resolution.as_ref()?;
        let result = resolution.result.as_ref()?;
        let Some(Ok(report)) = &self.rolled(&applied.event)?.odds else { return None };
        let [branch] = &report.branches[..] else { return None };
        let on = result.on.as_deref();
        let percent = branch.spread.chance_of(None, &result.id, on, resolution.value)?.percent();
        (percent < 100.0).then(|| adjutant_engine::percent_in_words(percent))
    }

    /// Clears the panel when its chart was rolled.
    fn clear_panel(&mut self, event: &Event) {
        if self.rolled(event).is_some() {
            self.panel = None;
        }
    }

    /// Whether the player is choosing something, so that it is shown above the last result.
    pub fn is_busy(&self) -> bool {
        self.panel.as_ref().map_or(self.acting.is_some(), |panel| !panel.by_itself)
    }

    /// Updates what depends on the table.
    pub fn refresh(&mut self) {
        self.more.luck = None;
        let gone =
            |id: &mut String| self.table.state().unit(id).is_none_or(|unit| unit.gone.is_some());
        self.selection.unit.take_if(gone);
        self.acting.take_if(gone);
        self.settle_panel();
        self.due_chances.clear();
    }

    /// Rejects a message. Nothing was done, so the large button works again at once.
    pub fn refuse(&mut self, sentences: impl IntoIterator<Item = String>) -> Vec<Command> {
        self.pressed = None;
        self.wrong = sentences.into_iter().map(|sentence| text::sentence(&sentence)).collect();
        vec![Command::Reject { sentence: self.wrong.join(" "), focus: Some("wrong") }]
    }

    /// Stores a line, in this browser or on the server.
    pub fn keep(&mut self, line: Result<LogLine, Rejection>) -> Vec<Command> {
        match line {
            Ok(_) if self.looks_on() => self.refuse([text::LOOKING_ON.to_owned()]),
            Err(rejection) => self.refuse([en::rejection(&rejection)]),
            Ok(line) if self.server.is_some() => self.send_act(&line.event.what),
            Ok(line) => self.keep_lines(vec![line]),
        }
    }

    /// Stores lines in this browser, all or none.
    pub fn keep_lines(&mut self, lines: Vec<LogLine>) -> Vec<Command> {
        let after = self.table.lines().len() as u64;
        if let Some(last) = lines.last() {
            self.card.at.clone_from(&last.event.at);
        }
        let lines: Vec<String> = lines.into_iter().map(|line| line.text).collect();
        self.waiting = Some(Waiting::Storing(lines.clone()));
        vec![Command::AppendLines {
            reply_to: reply_to::Game::LinesStored.into(),
            card: self.card.clone(),
            after,
            lines,
        }]
    }

    /// Makes an event other than a roll.
    pub fn act(&mut self, now: &Now, what: EventKind) -> Vec<Command> {
        let line = self.table.act(&self.stamp(now), what);
        self.keep(line)
    }
}

/// Whether a message rolls.
fn is_roll(message: &Message) -> bool {
    use play::Message::{Again, Answer, ForOther, Roll, RollAll, RollPending};
    match message {
        Message::Play(message) => {
            matches!(message, Roll | RollAll | RollPending(_) | Again | Answer(_) | ForOther(_))
        }
        _ => false,
    }
}

/// Whether a message is from the large button, which offers something else as soon as it has done
/// its work.
fn is_large_button(message: &Message) -> bool {
    use play::Message::{Again, Land, Phase, Roll, RollAll, RollPending, Start};
    match message {
        Message::Play(message) => {
            matches!(message, Roll | RollAll | RollPending(_) | Again | Land | Start | Phase(_))
        }
        Message::More(more::Message::Task(task)) => *task == GameTask::Report,
        _ => false,
    }
}
