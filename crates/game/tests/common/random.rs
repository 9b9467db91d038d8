//! Random games: legal and illegal events, on any pack, reproducible from a seed.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use super::shipped;
use adjutant_dice::{
    Accepts, Answer, CardRequest, DiceRequest, InputSource, Number, Question, RandomInput,
    SourceError, ThrownBy, Wanted,
};
use adjutant_game::{
    Begin, ConsentFor, DeckAct, Decks, EventKind, LogLine, NewUnit, PhaseStep, PlayError,
    PlayRequest, Seat, Stamp, Table, UnitEdit, UnitsByRole,
};
use adjutant_pack::{Files, Id, KindId, Pack, read_pack};
use std::sync::{Arc, OnceLock};

/// A small pack that uses every feature of a game.
const SKIRMISH: &str = r#"
[pack]
id = "skirmish"
title = "Skirmish"
[option.night]
yes_no = "Night"
standing = "house"
origin = "Ours."
[memory.alarm]
number = "Alarm"
from = 0
to = 5
default = 0
[unit.man]
title = "Man"
[unit.man.has]
nerve = { number = "Nerve", from = 0, to = 6 }
wounds = { number = "Wounds", from = 0, to = 3, default = 0 }
rank = { choice = { private = "Private", sergeant = "Sergeant" }, label = "Rank", default = "private" }
[unit.dog]
title = "Dog"
[status.shaken]
title = "Shaken"
of = "man"
ends = "fire"
[status.barking]
title = "Barking"
of = ["dog", "man"]
stops = ["sniff"]
[status.asleep]
title = "Asleep"
of = "dog"
out = true
[template.hound]
kind = "dog"
title = "Hound"
[turn]
phase = [
  { id = "move", title = "Move", text = "Move.", charts = [], lift = [ { status = "barking", sides = "sheet" } ] },
  { id = "dusk", title = "Dusk", needs_option = "night" },
  { id = "fire", title = "Fire", text = "Fire.", charts = ["shot"], due = [ { chart = "sniff", for = "group", role = "dog", why = "Dogs sniff", when = "not unit.barking" }, { chart = "help", why = "Every turn", when = "memory.alarm > 3" } ] },
]
[start.hunt]
title = "Hunt"
units = [ { template = "hound", side = "them", count = 2 } ]
due = [ { chart = "help", why = "At once", times = 2 } ]
side = { us = { title = "Us" }, them = { title = "Them", run_by_sheet = true } }
[ending.silence]
title = "Silence"
none = [ { of = "dog" } ]
[chart.sniff]
title = "Sniff"
who = { dog = "dog" }
ask = { pack = { number = "Dogs with it", from = 1, to = 99, count = { of = "dog", for = "group", from = "dog", when = "not other.barking" } } }
step = [ { roll = "1d6", as = "die", add = [ { label = "Pack", plus = "pack" } ] } ]
read = { score = "die", rows = [ { to = 4, all = "fine" }, { to = 6, all = "barks" }, { all = "sleeps" } ] }
[result.barks]
title = "Barks"
of = "dog"
effects = [ { status = "barking" }, { appear = "dog", count = "1", template = "hound", where = "it" } ]
next = [ { chart = "rush", why = "The dogs bark", for = "all", of = "it", role = "man" } ]
[result.sleeps]
title = "Falls asleep"
of = "dog"
effects = [ { status = "asleep" } ]
[deck.fate]
title = "Fate"
file = "fate.csv"
[deck.fate.field]
luck = { number = "Luck", from = 1, to = 4 }
[result.fine]
title = "Fine"
[result.hurt]
title = "Hurt"
of = "man"
effects = [ { add = "wounds", by = 1 }, { remember = "alarm", by = 1 }, { status = "shaken" } ]
instead = [ { when = "it.wounds >= 2", result = "dies", because = "third wound" } ]
next = [ { chart = "nerve", why = "Hurt", who = { man = "it" }, now = true } ]
[result.dies]
title = "Dies"
of = "man"
effects = [ { leaves = "dead" }, { remember = "alarm", to = 0 } ]
next = [ { chart = "nerve", why = "A friend fell", for = "group", of = "it", role = "man", when = "other.nerve <= it.nerve and not other.shaken" },
         { chart = "nerve", why = "The enemy cheers", for = "enemy", of = "it", role = "man", when = "other.wounds == 0" } ]
[result.runs]
title = "They run"
of = "man"
effects = [ { status = "shaken", all = true }, { set = "rank", to = "'private'", all = true }, { note = "All of them." } ]
[result.help]
title = "Help comes"
effects = [ { appear = "man", count = "value" }, { reshuffle = "fate" } ]
[chart.shot]
title = "Shot"
who = { shooter = "man", target = "man" }
lands_on = "target"
together = "volley"
ask = { volley = { yes_no = "In a volley" }, range = { number = "Range", from = 1, to = 6 } }
step = [ { roll = "1d6", as = "die", add = [ { label = "Range", plus = "-range" }, { label = "Night", plus = -1, when = "option.night" }, { label = "Alarm", plus = "memory.alarm" } ] } ]
read = { score = "die", rows = [ { to = 0, all = "fine" }, { all = "hurt" } ] }
[chart.nerve]
title = "Nerve"
who = { man = "man" }
step = [
  { ask = { yes_no = "Does he pray?" }, as = "prays", when = "man.rank == 'private'" },
  { draw = "fate", as = "card", read = "luck", add = [ { label = "Nerve", plus = "man.nerve" } ] },
]
read = { score = "card", rows = [ { to = 3, all = "runs" }, { all = "fine" } ] }
[chart.rush]
title = "Rush"
who = { man = "man" }
each = "man"
order = "highest"
ask = { man.fast = { yes_no = "Fast" } }
step = [ { roll = "2d6", as = "dice", add = [ { label = "Nerve", plus = "man.nerve" }, { label = "Fast", plus = 1, when = "man.fast" } ] } ]
read = { score = "dice", rows = [ { to = 8, all = "fine" }, { all = "rushes" } ] }
[result.rushes]
title = "Rushes"
of = "man"
next = [ { chart = "shot", why = "Rushes and fires", who = { shooter = "it" }, with = { range = "1" } } ]
[chart.press]
title = "Press on"
step = [
  { roll = "1d6", as = "first" },
  { ask = { yes_no = "Once more?" }, as = "more" },
  { roll = "2d6", as = "second", when = "more" },
  { draw = "fate", as = "card", read = "luck" },
]
read = { score = "first + card", rows = [ { all = "fine" } ] }
[chart.help]
title = "Help"
step = [ { roll = "1d6", as = "die" } ]
read = { score = "die", rows = [ { to = 3, all = "fine" }, { all = { result = "help", value = "die - 3" } } ] }
"#;

pub fn pack(which: usize) -> Arc<Pack> {
    static READ: [OnceLock<Arc<Pack>>; 5] = [const { OnceLock::new() }; 5];
    let read = || match which % 5 {
        4 => {
            let cards = "card,title,luck\n1,One,1\n2,Two,2\n3,Three,3\n4,Four,4\n";
            let files = Files::of([("pack.toml", SKIRMISH), ("fate.csv", cards)]);
            Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:?}")))
        }
        shipped_one => shipped(adjutant_bundled_packs::IDS[shipped_one]),
    };
    READ[which % 5].get_or_init(read).clone()
}

/// A small generator for choices. Dice and cards come from the crate `dice`.
pub struct Chooser(u64);

impl Chooser {
    pub fn new(seed: u64) -> Chooser {
        Chooser(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    pub fn one<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let place = self.below(list.len());
        list.get(place)
    }

    pub fn value(&mut self, accepts: &Accepts) -> Answer {
        match accepts {
            Accepts::YesNo => Answer::YesNo(self.below(2) == 0),
            Accepts::Choice { words } => Answer::Choice(self.one(words).unwrap().id.clone()),
            Accepts::Number { from, to, step } => {
                let steps = to
                    .minus(*from)
                    .unwrap()
                    .over(*step)
                    .unwrap()
                    .floor()
                    .as_whole()
                    .unwrap()
                    .min(500) as usize;
                let start = from.over(*step).unwrap().ceil().times(*step).unwrap();
                let more = Number::from(self.below(steps + 1) as u32).times(*step).unwrap();
                Answer::Number(start.plus(more).unwrap().min(*to))
            }
        }
    }
}

/// Random dice and cards, some of them as if entered by hand, and random answers.
struct AllLuck<'a> {
    luck: &'a mut RandomInput,
    choose: &'a mut Chooser,
    typed: bool,
}

impl InputSource for AllLuck<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.typed = self.choose.below(3) == 0;
        self.luck.dice(ask)
    }
    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.typed = self.choose.below(3) == 0;
        self.luck.card(ask)
    }
    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        if self.choose.below(4) == 0 {
            Err(ask.missing())
        } else {
            Ok(self.choose.value(ask.accepts))
        }
    }
    fn thrown_by(&self) -> ThrownBy {
        if self.typed { ThrownBy::Player } else { ThrownBy::Program }
    }
}

pub struct RandomGame {
    pub table: Table,
    pub choose: Chooser,
    /// The chains of players who roll sealed.
    pub chains: Vec<(String, adjutant_game::Chain)>,
    luck: RandomInput,
}

const NAMES: [&str; 3] = ["Anna", "Bert", "Cleo"];

impl RandomGame {
    pub fn new(which: usize, seed: u64) -> RandomGame {
        RandomGame::of(pack(which), seed)
    }

    pub fn of(pack: Arc<Pack>, seed: u64) -> RandomGame {
        let mut game = RandomGame {
            chains: Vec::new(),
            table: Table::empty(pack.clone()),
            choose: Chooser::new(seed),
            luck: RandomInput::seeded(seed),
        };
        let mut begin = Begin {
            name: "Random".into(),
            sides: vec!["Red".into(), "Blue".into()],
            cards_open: seed.is_multiple_of(2),
            run_by_sheet: if seed.is_multiple_of(5) { vec!["Blue".into()] } else { Vec::new() },
            decks: if seed.is_multiple_of(3) { Decks::PerSide } else { Decks::Shared },
            ..Begin::default()
        };
        for option in pack.options() {
            begin.options.insert(
                option.field.id.to_string(),
                game.choose.value(&option.field.accepts).to_string(),
            );
        }
        let line = game.table.begin(&game.stamp("Anna"), begin).unwrap();
        game.table.append(&line.text).unwrap();
        for _ in 0..6 {
            let add = game.recruit();
            if let Ok(line) = game.table.act(&game.stamp("Anna"), add) {
                game.table.append(&line.text).unwrap();
            }
        }
        game
    }

    pub fn stamp(&self, by: &str) -> Stamp {
        Stamp::new(format!("t{}", self.table.lines().len()), by)
    }

    /// An event with the mark of a player in the sealed group.
    pub fn signed(&self, by: &str, what: EventKind) -> EventKind {
        let chain = self.chains.iter().find(|(name, _)| name == by);
        let signed = chain.and_then(|(_, chain)| chain.sign(&self.table, by, what.clone()).ok());
        signed.unwrap_or(what)
    }

    /// Makes random events.
    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
        }
    }

    fn recruit(&mut self) -> EventKind {
        let pack = self.table.pack().clone();
        let Some(place) = (!pack.kinds().is_empty())
            .then(|| KindId::from_index(self.choose.below(pack.kinds().len())))
        else {
            return EventKind::Add(Vec::new());
        };
        let kind = &pack.kinds()[place];
        let mut recruit = NewUnit {
            kind: kind.id.to_string(),
            name: format!("Unit {}", self.choose.below(100)),
            ..NewUnit::default()
        };
        recruit.side = if self.choose.below(2) == 0 { "Red".into() } else { "Blue".into() };
        recruit.group = ["", "hill", "wood"][self.choose.below(3)].into();
        for field in &kind.has {
            if self.choose.below(5) > 0 {
                recruit
                    .has
                    .insert(field.id.to_string(), self.choose.value(&field.accepts).to_string());
            }
        }
        if let Some(status) =
            self.choose.one(pack.statuses()).filter(|status| status.of.contains(&place))
        {
            recruit.statuses.push(status.id.to_string());
        }
        EventKind::Add(vec![recruit])
    }

    fn unit_id(&mut self) -> String {
        format!("u{}", self.choose.below(self.table.state().units.len() + 1) + 1)
    }

    /// A random event that a player might try; not every one is allowed.
    pub fn random_act(&mut self) -> EventKind {
        let pack = self.table.pack().clone();
        let unit = self.unit_id();
        let event = self.choose.below(self.table.lines().len() + 2) as u64;
        let want = if self.choose.below(2) == 0 { ConsentFor::Undo } else { ConsentFor::Redo };
        let undone = self.table.redo(&self.stamp("Anna")).ok().map(|line| line.event.what);
        if let Some((asked, of, want)) =
            self.table.asked().map(|asked| (asked.n, asked.event, asked.want))
            && self.choose.below(4) > 0
        {
            return match (self.choose.below(3), want) {
                (0 | 1, _) => {
                    EventKind::Consent { ask: asked, yes: self.choose.below(4) > 0, mark: None }
                }
                (_, ConsentFor::Undo) => EventKind::Undo { event: of, mark: None },
                (_, ConsentFor::Redo) => EventKind::Redo { event: of, mark: None },
                (_, ConsentFor::Withdraw) => EventKind::Withdraw { call: of, mark: None },
                (_, ConsentFor::Release) => {
                    EventKind::Release { who: NAMES[self.choose.below(3)].into(), mark: None }
                }
            };
        }
        match self.choose.below(16) {
            0 | 1 => self.recruit(),
            2 => {
                let status = self
                    .choose
                    .one(pack.statuses())
                    .map_or("dizzy".to_owned(), |status| status.id.to_string());
                let group = Some(["", "hill", "wood"][self.choose.below(3)].to_owned());
                let mut change = UnitEdit { unit, group, ..UnitEdit::default() };
                if self.choose.below(2) == 0 { &mut change.put_on } else { &mut change.lift }
                    .push(status);
                EventKind::Set(Box::new(change))
            }
            3 => EventKind::Remove { unit, word: "taken off".into() },
            4 => match self.choose.one(pack.options()) {
                Some(option) => EventKind::Option {
                    name: option.field.id.to_string(),
                    value: self.choose.value(&option.field.accepts).to_string(),
                },
                None => EventKind::Option { name: "nothing".into(), value: "yes".into() },
            },
            5 => match self.choose.one(pack.memory()) {
                Some(memory) => EventKind::Memory {
                    name: memory.id.to_string(),
                    side: (self.choose.one(self.table.sides()).cloned()).filter(|_| {
                        pack.memory_id(&memory.id).is_some_and(|id| pack.is_per_side(id))
                    }),
                    value: self.choose.value(&memory.accepts).to_string(),
                },
                None => {
                    EventKind::Note { text: "A remark, with “quotes” and\u{a0}spaces".into() }
                }
            },
            6 => EventKind::Land { plays: Vec::new() },
            7 => {
                let pending = self
                    .table
                    .pending()
                    .last()
                    .map_or("9.9".to_owned(), |pending| pending.due.id.clone());
                EventKind::Skip { pending, reason: "spared".into() }
            }
            8 if self.choose.below(4) == 0 => EventKind::Start { due: Vec::new() },
            8 => EventKind::Phase(PhaseStep::default()),
            9 => {
                let act =
                    [DeckAct::Reshuffle, DeckAct::TakeOut, DeckAct::PutBack][self.choose.below(3)];
                let cards = if act == DeckAct::Reshuffle {
                    Vec::new()
                } else {
                    vec![self.choose.below(60) as u32 + 1]
                };
                let side = (self.choose.below(2) == 0).then(|| "Red".to_owned());
                EventKind::Deck {
                    deck: pack.decks().first().map_or("none".into(), |deck| deck.id.to_string()),
                    side,
                    act,
                    cards,
                }
            }
            10 => {
                let side = if self.choose.below(2) == 0 { "Red" } else { "Blue" };
                let role = if self.choose.below(12) == 0 {
                    Seat::Umpire
                } else {
                    Seat::Player { side: side.into() }
                };
                EventKind::Join { who: NAMES[self.choose.below(3)].into(), role }
            }
            11 => EventKind::Undo {
                event: self.table.last_that_counts().unwrap_or(event),
                mark: None,
            },
            12 => undone.unwrap_or(EventKind::Redo { event, mark: None }),
            13 => EventKind::Ask {
                want,
                event: self.table.last_that_counts().unwrap_or(event),
                mark: None,
            },
            14 => EventKind::Consent {
                ask: self.table.asked().map_or(event, |asked| asked.n),
                yes: self.choose.below(3) > 0,
                mark: None,
            },
            _ => EventKind::Note { text: "Rain".into() },
        }
    }

    pub fn random_who(&mut self, chart: &str) -> UnitsByRole {
        let pack = self.table.pack().clone();
        let mut who = UnitsByRole::new();
        let chart = pack.chart(chart).unwrap();
        for (place, role) in chart.roles.iter_enumerated() {
            let fit = |unit: &&adjutant_game::Unit| unit.kind == role.kind || unit.id == "u2";
            let units: Vec<String> =
                self.table.state().here().filter(fit).map(|unit| unit.id.clone()).collect();
            let count = if chart.each.as_ref().is_some_and(|each| each.role == place) {
                1 + self.choose.below(3)
            } else {
                1
            };
            let chosen: Vec<String> =
                (0..count).filter_map(|_| self.choose.one(&units).cloned()).collect();
            if !chosen.is_empty() && self.choose.below(10) > 0 {
                who.insert(role.id.to_string(), chosen);
            }
        }
        who
    }

    /// A random request: mostly a pending test, else any chart.
    pub fn random_play(&mut self) -> PlayRequest {
        let pack = self.table.pack().clone();
        let due: Vec<(String, String)> = self
            .table
            .pending()
            .map(|pending| (pending.due.id.clone(), pending.due.chart.clone()))
            .collect();
        if let Some((id, chart)) =
            self.choose.one(&due).cloned().filter(|_| self.choose.below(3) > 0)
        {
            let open: Vec<String> = {
                let pending = self.table.pending().find(|pending| pending.due.id == id).unwrap();
                self.table.open_roles(pending).map(str::to_owned).collect()
            };
            let who = self
                .random_who(&chart)
                .into_iter()
                .filter(|(role, _)| open.contains(role))
                .collect();
            return self.leave_out(&chart, PlayRequest { units: who, ..PlayRequest::pending(id) });
        }
        let chart = self.choose.one(pack.charts()).unwrap().id.to_string();
        let who = self.random_who(&chart);
        let anyway = self.choose.below(2) == 0;
        let play = PlayRequest { units: who, anyway, ..PlayRequest::of(chart.as_str()) };
        self.leave_out(&chart, play)
    }

    /// Leaves some of the units out that could join one in a role.
    fn leave_out(&mut self, chart: &str, mut play: PlayRequest) -> PlayRequest {
        let pack = self.table.pack().clone();
        let Some(chart) = pack.chart(chart) else { return play };
        for role in chart.roles.ids() {
            let able = self.table.able_to_join(chart, role, &play).unwrap_or_default();
            let able: Vec<String> = able.iter().map(|unit| unit.id.clone()).collect();
            play.left_out.extend(able.into_iter().filter(|_| self.choose.below(4) == 0));
        }
        play
    }

    /// Rolls, and supplies every input that is missing.
    pub fn roll(&mut self, mut play: PlayRequest, by: &str) -> Result<LogLine, PlayError> {
        let stamp = self.stamp(by);
        let mut recorded = Vec::new();
        for _ in 0..12 {
            let mut source =
                AllLuck { luck: &mut self.luck, choose: &mut self.choose, typed: false };
            match self.table.continue_play(&stamp, &play, &recorded, &mut source) {
                Err(PlayError::Needs { needs, inputs }) => {
                    recorded = inputs;
                    for need in needs {
                        if let Wanted::Input { accepts } = need.wanted {
                            play.given.insert(need.key, self.choose.value(&accepts).to_string());
                        }
                    }
                }
                done => return done.map(|(line, _)| line),
            }
        }
        let mut source = AllLuck { luck: &mut self.luck, choose: &mut self.choose, typed: false };
        self.table.continue_play(&stamp, &play, &recorded, &mut source).map(|(line, _)| line)
    }

    /// One attempt: the line, if it is allowed.
    pub fn attempt(&mut self) -> Result<LogLine, PlayError> {
        let by = NAMES[self.choose.below(3)];
        if self.choose.below(2) == 0 {
            let play = self.random_play();
            return self.roll(play, by);
        }
        let act = self.random_act();
        let act = self.signed(by, act);
        Ok(self.table.act(&self.stamp(by), act)?)
    }

    pub fn step(&mut self) {
        if let Ok(line) = self.attempt() {
            self.table.append(&line.text).unwrap_or_else(|fault| {
                panic!("what was made is not accepted: {fault}\n{}", line.text)
            });
        }
    }
}

/// Changes one value somewhere in a line.
pub fn meddle(value: &mut serde_json::Value, choose: &mut Chooser) {
    use serde_json::Value;
    const TEXTS: [&str; 12] =
        ["", "u1", "u99", "u3", "0", "-1", "1/2", "12.1", "yes", "nonsense", "99999999999", "Red"];
    match value {
        Value::Object(map) if !map.is_empty() => {
            let place = choose.below(map.len());
            let key = map.keys().nth(place).cloned().unwrap_or_default();
            match choose.below(12) {
                0 => drop(map.remove(&key)),
                _ => map.get_mut(&key).into_iter().for_each(|value| meddle(value, choose)),
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let place = choose.below(list.len());
            match choose.below(4) {
                0 => drop(list.remove(place)),
                1 => list.push(list[place].clone()),
                _ => meddle(&mut list[place], choose),
            }
        }
        Value::Number(_) => {
            *value = [0_u64, 1, 2, 7, 61, u64::from(u32::MAX), u64::MAX][choose.below(7)].into()
        }
        Value::Bool(yes) => *yes = !*yes,
        other => *other = TEXTS[choose.below(12)].into(),
    }
}
