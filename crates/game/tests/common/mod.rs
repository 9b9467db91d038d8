//! A game under test: every new line is applied, and every rejection fails the test.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use adjutant_dice::{EnteredInput, InputSource};
use adjutant_game::{Begin, EventKind, LogLine, NewUnit, PlayRequest, Seat, Stamp, Table};
use adjutant_pack::Pack;
use adjutant_wording::en;
use sentence::log_in_words;
use std::sync::Arc;

pub mod games;
pub mod players;
pub mod random;
pub mod sentence;
pub mod solo;
pub mod stranger;

pub fn shipped(id: &str) -> Arc<Pack> {
    Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap())
}

/// A pack with one chart that asks in the middle.
pub fn question_pack() -> std::sync::Arc<adjutant_pack::Pack> {
    let text = r#"
[pack]
id = "press"
title = "Press on"
[result.done]
title = "Done"
[chart.press]
title = "Press on"
step = [
  { roll = "1d6", as = "first" },
  { ask = { yes_no = "Once more?" }, as = "more" },
  { roll = "2d6", as = "second", when = "more" },
  { ask = { yes_no = "Content?" }, as = "content" },
]
read = { score = "first", rows = [ { all = "done" } ] }
"#;
    std::sync::Arc::new(
        adjutant_pack::read_pack(&adjutant_pack::Files::of([("pack.toml", text)]), None)
            .unwrap_or_else(|faults| panic!("{faults:?}")),
    )
}

pub struct Game {
    pub table: Table,
    pub by: String,
}

impl Game {
    pub fn new(pack: Arc<Pack>, name: &str, sides: &[&str], options: &[(&str, &str)]) -> Game {
        let mut game = Game { table: Table::empty(pack), by: "Anna".into() };
        let options =
            options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let sides = sides.iter().map(|side| (*side).to_owned()).collect();
        let begin = Begin { name: name.into(), sides, options, ..Begin::default() };
        let line = game.table.begin(&game.stamp(), begin).unwrap();
        game.apply(&line);
        game
    }

    pub fn stamp(&self) -> Stamp {
        let n = self.table.lines().len();
        Stamp::new(format!("2026-11-16T02:{:02}:{:02}Z", n / 60 % 60, n % 60), self.by.clone())
    }

    pub fn apply(&mut self, line: &LogLine) {
        self.table.append(&line.text).unwrap_or_else(|fault| panic!("{fault}\n{}", line.text));
    }

    pub fn act(&mut self, what: EventKind) {
        let line = self.table.act(&self.stamp(), what).unwrap();
        self.apply(&line);
    }

    pub fn join(&mut self, who: &str, side: &str) {
        self.act(EventKind::Join { who: who.into(), role: Seat::Player { side: side.into() } });
    }

    /// Adds a unit with attributes such as `rep=4 star=yes`.
    pub fn unit(&mut self, kind: &str, name: &str, side: &str, group: &str, has: &str) {
        let pair =
            |text: &str| text.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let has = has.split_whitespace().map(pair).collect();
        let recruit = NewUnit {
            kind: kind.into(),
            name: name.into(),
            side: side.into(),
            group: group.into(),
            has,
            ..NewUnit::default()
        };
        self.act(EventKind::Add(vec![recruit]));
    }

    /// Plays with entered dice or cards.
    pub fn play(&mut self, play: PlayRequest, mut typed: EnteredInput) {
        let line = self
            .table
            .play(&self.stamp(), &play, &mut typed)
            .unwrap_or_else(|stop| panic!("{stop}"));
        typed.finish().unwrap();
        self.apply(&line);
    }

    /// The first pending test.
    pub fn first(&self) -> PlayRequest {
        PlayRequest::pending(
            self.table.pending().next().expect("something is pending").due.id.clone(),
        )
    }

    /// All lines in words, then the pending tests and the units.
    pub fn told(&self) -> String {
        let mut told = String::new();
        for (n, words) in (1..).zip(log_in_words(&self.table)) {
            told += &format!("{n:>3}  {words}\n");
        }
        told += "\nDue:\n";
        for pending in self.table.pending() {
            told += &format!("  {}\n", en::pending_test(&self.table, pending));
        }
        told += "\nRoster:\n";
        for unit in &self.table.state().units {
            let statuses: Vec<&str> = unit
                .statuses
                .iter()
                .map(|status| self.table.pack().statuses()[*status].title.as_str())
                .collect();
            let gone =
                unit.gone.as_ref().map(|word| format!(" – left ({word})")).unwrap_or_default();
            let statuses = if statuses.is_empty() {
                String::new()
            } else {
                format!(" – {}", statuses.join(", "))
            };
            told += &format!(
                "  {} {} ({}){statuses}{gone}\n",
                unit.id,
                unit.name,
                self.table.sides()[unit.side]
            );
        }
        for deck in self.table.decks() {
            let of = deck
                .side
                .map(|side| format!(" of {}", self.table.sides()[side]))
                .unwrap_or_default();
            told +=
                &format!("  deck {}{of}: {} of {} cards left\n", deck.deck, deck.left, deck.size);
        }
        told
    }
}

/// Rebuilds the hash chain of altered lines, as a forger would.
pub fn rechain(lines: &mut [String]) {
    let mut head = String::new();
    for (n, line) in (1_u64..).zip(lines) {
        let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["n"] = n.into();
        value["prev"] = head.into();
        *line = value.to_string();
        head = adjutant_game::fingerprint(line);
    }
}
