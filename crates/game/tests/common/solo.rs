//! A solo player against the sheet: rolls what is due, and otherwise makes the obvious move. The
//! dice are seeded, so each game is reproducible.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use super::sentence::log_in_words;
use super::{Game, shipped};
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Question, RandomInput, SourceError, ThrownBy,
    Wanted,
};
use adjutant_game::{Begin, EventKind, LogLine, PlayError, PlayRequest, Table, Unit};
use adjutant_wording::en;

/// Seeded dice. A Star rolls like all others.
struct Luck<'a>(&'a mut RandomInput);

impl InputSource for Luck<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.0.dice(ask)
    }
    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.0.card(ask)
    }
    fn answer(&mut self, _: &Question<'_>) -> Result<Answer, SourceError> {
        Ok(Answer::Choice("roll".into()))
    }

    fn thrown_by(&self) -> ThrownBy {
        self.0.thrown_by()
    }
}

pub struct Solo {
    pub game: Game,
    luck: RandomInput,
    /// The texts after each line: what it means, and what comes next.
    pub said: Vec<(Vec<String>, Vec<String>)>,
    /// Whether the meaning of each line is collected too, which is slow: it looks at all lines
    /// before.
    telling: bool,
}

impl Solo {
    pub fn new(seed: u64, telling: bool) -> Solo {
        let game = Game { table: Table::empty(shipped("chain-reaction")), by: "Anna".into() };
        let mut solo = Solo { game, luck: RandomInput::seeded(seed), said: Vec::new(), telling };
        let begin = Begin { name: "The farm".into(), ..Begin::default() };
        for line in solo.game.table.begin_from(&solo.game.stamp(), "solo", begin).unwrap() {
            solo.apply(&line);
        }
        solo
    }

    fn apply(&mut self, line: &LogLine) {
        self.game.apply(line);
        let table = &self.game.table;
        let means = if self.telling { en::meaning_of(table, line.n).unwrap() } else { Vec::new() };
        self.said.push((means, en::guide(table, &table.guide())));
    }

    fn act(&mut self, what: EventKind) {
        let line = self.game.table.act(&self.game.stamp(), what).unwrap();
        self.apply(&line);
    }

    fn roll(&mut self, mut play: PlayRequest) {
        let mut recorded = Vec::new();
        for _ in 0..4 {
            match self.game.table.continue_play(
                &self.game.stamp(),
                &play,
                &recorded,
                &mut Luck(&mut self.luck),
            ) {
                Ok((line, _)) => return self.apply(&line),
                Err(PlayError::Needs { needs, inputs }) => {
                    recorded = inputs;
                    for need in needs {
                        let Wanted::Input { accepts } = need.wanted else {
                            panic!("{} is wanted", need.key)
                        };
                        let word = accepts.words().map(|words| words[1].id.to_string());
                        play.given.insert(
                            need.key.to_string(),
                            word.unwrap_or_else(|| {
                                panic!("{} is asked of a solo player", need.key)
                            }),
                        );
                    }
                }
                Err(stop) => panic!("{stop}"),
            }
        }
        panic!("{} asks without end", play.chart)
    }

    fn has(&self, unit: &Unit, status: &str) -> bool {
        unit.facet(self.game.table.pack(), status).is_some_and(adjutant_pack::Value::is_yes)
    }

    fn fights(&self, unit: &Unit) -> bool {
        let pack = self.game.table.pack();
        pack.kinds()[unit.kind].id == "figure"
            && !unit.is_out(pack)
            && !self.has(unit, "leave_the_battlefield")
    }

    /// The figures of a side that still fight.
    fn able(&self, side: usize) -> Vec<String> {
        self.game
            .table
            .state()
            .here()
            .filter(|unit| unit.side == side && self.fights(unit))
            .map(|unit| unit.id.clone())
            .collect()
    }

    fn enemy_of(&self, unit: &str) -> Option<String> {
        let side = self.game.table.state().unit(unit)?.side;
        self.able(1 - side).into_iter().next()
    }

    /// Rolls the first pending test.
    fn settle(&mut self) {
        let due = self.game.table.pending().next().unwrap().due.clone();
        let mut play = PlayRequest::pending(due.id.clone());
        match due.chart.as_str() {
            "shooting" | "charge" => {
                let role = if due.chart == "charge" { "charger" } else { "shooter" };
                if !due.units.contains_key("target") {
                    let Some(target) = self.enemy_of(&due.units[role][0]) else {
                        return self.act(EventKind::Skip {
                            pending: due.id,
                            reason: "no one is left to fire at".into(),
                        });
                    };
                    play = play.unit("target", target);
                }
            }
            "in-sight" => {
                let all = [self.able(0), self.able(1)].concat();
                play = all.into_iter().fold(play, |play, unit| play.unit("figure", unit));
            }
            _ => {}
        }
        self.roll(play);
    }

    fn settle_all(&mut self) {
        while self.game.table.pending().next().is_some() {
            self.settle();
        }
    }

    /// The player's own turn: resolves possible enemies and fires at real ones.
    fn own_turn(&mut self) {
        let table = &self.game.table;
        let pef = table
            .state()
            .here()
            .find(|unit| table.pack().kinds()[unit.kind].id == "pef")
            .map(|unit| unit.id.clone());
        if let Some(pef) = pef.filter(|_| table.state().turn > 1 && self.able(1).is_empty()) {
            let seen_by = self.able(0).remove(0);
            self.roll(PlayRequest::of("pef-resolve").unit("pef", pef).unit("seen_by", seen_by));
            return self.settle_all();
        }
        for shooter in self.able(0) {
            let unit = self.game.table.state().unit(&shooter).unwrap();
            let idle = !self.fights(unit)
                || ["hunker_down", "duck_back", "out_of_ammo"]
                    .iter()
                    .any(|status| self.has(unit, status));
            if let Some(target) = self.enemy_of(&shooter).filter(|_| !idle) {
                self.roll(
                    PlayRequest::of("shooting").unit("shooter", shooter).unit("target", target),
                );
                self.settle_all();
            }
        }
    }

    /// Removes figures that leave the battlefield.
    fn off_the_table(&mut self) {
        let leaving =
            self.game.table.state().here().filter(|unit| self.has(unit, "leave_the_battlefield"));
        for unit in leaving.map(|unit| unit.id.clone()).collect::<Vec<_>>() {
            self.act(EventKind::Remove { unit, word: "off the table".into() });
        }
    }

    /// Plays until the game is over or the turns run out. Returns whether it is over.
    pub fn play(&mut self, turns: u32) -> bool {
        loop {
            self.settle_all();
            let (phase, turn) = self.game.table.turn();
            match phase.unwrap().id.as_str() {
                "yours" => self.own_turn(),
                "end" => self.off_the_table(),
                _ => {}
            }
            if !self.game.table.endings().is_empty() {
                return true;
            }
            if turn >= turns {
                return false;
            }
            self.act(EventKind::Phase(adjutant_game::PhaseStep::default()));
        }
    }

    /// The game as its player reads it: each event, its meaning and what comes next.
    pub fn told(&self) -> String {
        let mut told = String::new();
        for (n, (words, (means, next))) in
            (1..).zip(log_in_words(&self.game.table).iter().zip(&self.said))
        {
            told += &format!("{n:>3}  {words}\n");
            means
                .iter()
                .filter(|line| !next.contains(line))
                .for_each(|line| told += &format!("       . {line}\n"));
            next.iter().for_each(|line| told += &format!("       > {line}\n"));
        }
        let rest = self.game.told();
        told + &rest[rest.find("\nDue:").unwrap()..]
    }
}
