//! Players who roll sealed, each with a chain.

use super::random::pack;
use super::{Game, shipped, stranger};
use adjutant_dice::EnteredInput;
use adjutant_game::{
    Chain, ConsentFor, Event, EventKind, LogLine, PlayRequest, Rejection, Stamp, Table, verify,
};
use adjutant_pack::Pack;
use adjutant_wording::en;
use std::sync::Arc;

/// Two or three players, each with a chain.
pub struct Players {
    pub game: Game,
    pub chains: Vec<(String, Chain)>,
}

impl Players {
    pub fn new(which: &str, names: &[(&str, &str)], length: u32) -> Players {
        let pack = if which == "skirmish" { pack(4) } else { shipped(which) };
        Players::of(pack, names, length)
    }

    /// The same with any pack.
    pub fn of(pack: Arc<Pack>, names: &[(&str, &str)], length: u32) -> Players {
        let mut sides: Vec<&str> = names.iter().map(|(_, side)| *side).collect();
        sides.dedup();
        let mut game = Game::new(pack, "Sealed", &sides, &[]);
        names.iter().for_each(|(name, side)| game.join(name, side));
        let chains = (1_u8..)
            .zip(names)
            .map(|(n, (name, _))| ((*name).to_owned(), Chain::new([n; 32], length).unwrap()))
            .collect();
        let mut players = Players { game, chains };
        for (name, _) in names {
            players.seal(name);
        }
        players
    }

    pub fn stamp(&self, by: &str) -> Stamp {
        Stamp { by: by.to_owned(), ..self.game.stamp() }
    }

    pub fn table(&self) -> &Table {
        &self.game.table
    }

    pub fn chain(&mut self, name: &str) -> &mut Chain {
        self.chains.iter_mut().find(|(known, _)| known == name).map(|(_, chain)| chain).unwrap()
    }

    pub fn seal(&mut self, name: &str) {
        let chain = self.chain(name).clone();
        let line = self.table().seal(&self.stamp(name), &chain, None).unwrap();
        self.game.apply(&line);
    }

    pub fn reseal(&mut self, name: &str, secret: u8, length: u32) {
        let (stamp, table, new) =
            (self.stamp(name), self.table().clone(), Chain::new([secret; 32], length).unwrap());
        let line = table.seal(&stamp, &new, Some(self.chain(name))).unwrap();
        self.game.apply(&line);
        *self.chain(name) = new;
    }

    pub fn call(&mut self, by: &str, play: &PlayRequest) {
        self.call_with(by, play, &mut EnteredInput::new());
    }

    /// The same with answers.
    pub fn call_with(&mut self, by: &str, play: &PlayRequest, answers: &mut EnteredInput) {
        let line = self
            .table()
            .call(&self.stamp(by), play, answers)
            .unwrap_or_else(|stop| panic!("{stop}"));
        self.game.apply(&line);
    }

    pub fn show(&mut self, by: &str) {
        let (stamp, table) = (self.stamp(by), self.table().clone());
        let shown = self.chain(by).show(&table, by).unwrap();
        let line = table.reveal(&stamp, &shown).unwrap();
        self.game.apply(&line);
    }

    pub fn all_show(&mut self) {
        let names: Vec<String> = self.chains.iter().map(|(name, _)| name.clone()).collect();
        names.iter().for_each(|name| self.show(name));
    }

    pub fn rolled(&mut self, by: &str) {
        let line = self
            .table()
            .sealed_play(&self.stamp(by), &mut EnteredInput::new())
            .unwrap_or_else(|stop| panic!("{stop}"));
        self.game.apply(&line);
    }

    /// The line of an event, with the player's mark if the player is in the sealed group.
    pub fn made(&self, by: &str, what: Result<EventKind, Rejection>) -> Result<LogLine, Rejection> {
        let what = what?;
        let what = match self.table().sealed_circle().iter().any(|member| member.name == by) {
            true => {
                let (_, chain) = self.chains.iter().find(|(known, _)| known == by).unwrap();
                chain.sign(self.table(), by, what).unwrap()
            }
            false => what,
        };
        self.table().act(&self.stamp(by), what)
    }

    pub fn undo(&self, by: &str) -> Result<LogLine, Rejection> {
        self.made(by, self.table().undo_event())
    }

    pub fn redo(&self, by: &str) -> Result<LogLine, Rejection> {
        self.made(by, self.table().redo_event())
    }

    pub fn ask(&self, by: &str, want: ConsentFor) -> Result<LogLine, Rejection> {
        self.made(by, self.table().ask_event(want))
    }

    pub fn ask_release(&self, by: &str, who: &str) -> Result<LogLine, Rejection> {
        self.made(by, self.table().ask_release_event(who))
    }

    pub fn consent(&self, by: &str, yes: bool) -> Result<LogLine, Rejection> {
        self.made(by, self.table().consent_event(yes))
    }

    pub fn withdraw(&self, by: &str) -> Result<LogLine, Rejection> {
        self.made(by, self.table().withdraw_event())
    }

    pub fn release(&self, by: &str, who: &str) -> Result<LogLine, Rejection> {
        self.made(by, Ok(EventKind::Release { who: who.into(), mark: None }))
    }

    /// Tries to apply any event, as a forger would.
    pub fn forge(&self, by: &str, what: EventKind) -> Result<(), String> {
        let n = self.table().lines().len() as u64 + 1;
        let event =
            Event { n, at: "t".into(), by: by.into(), prev: self.table().head().into(), what };
        self.table()
            .clone()
            .append(&serde_json::to_string(&event).unwrap())
            .map_err(|error| en::log_fault(&error.fault))
    }

    pub fn agree(&mut self, by: &str, ask: Result<LogLine, Rejection>, with: &str) {
        self.game.apply(&ask.unwrap());
        let line = self.consent(with, true).unwrap();
        self.game.apply(&line);
        assert!(self.table().asked().is_some_and(|asked| asked.by == by));
    }

    pub fn checked(&self) {
        let pack = if self.table().pack().id() == "skirmish" {
            pack(4)
        } else {
            shipped(self.table().pack().id())
        };
        self.checked_with(pack, &[("fate", 4)]);
    }

    /// The same with any pack and its decks.
    pub fn checked_with(&self, pack: Arc<Pack>, decks: &[(&str, u64)]) {
        verify(pack, self.table().lines(), Some(self.table().head())).unwrap();
        stranger::verify(&self.table().to_json_lines(), decks).unwrap();
    }
}
